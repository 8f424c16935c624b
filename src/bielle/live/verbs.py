"""What can be done to a running mechanism, as methods of a session. Each is a transaction of its own, or part of ``with live.edit():``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..calls import explained_methods
from ..mechanism.changing import BY_NAME
from ..mechanism.description import Body, Force, Frame, Joint
from .draft import Draft

__all__ = ["Verbs"]


def _name(component: Any) -> str:
    return component if isinstance(component, str) else getattr(component, "name", repr(component))


@explained_methods
class Verbs:
    """Mixin of :class:`~bielle.live.session.LiveSession`. Places and axes are those of the present moment, not of the description."""

    @contextmanager
    def _transaction(self, label: str, undoable: bool = True) -> Iterator[Draft]:
        raise NotImplementedError
        yield

    # -- components

    def add_body(self, name: str, shape: Any, **options: Any) -> Body:
        """Add a body where it is described, with the velocity it is described with; see :meth:`bielle.Mechanism.add_body`."""
        with self._transaction(f"add {name}") as draft:
            return draft.add_body(name, shape, **options)

    def add_frame(self, name: str, body: Any, at: Any = None, *, local: Any = None, orientation: Any = None, **seen: Any) -> Frame:
        """Name a place on a body: ``at`` in world axes as the body stands now, or ``local`` in its own frame; ``visuals`` and
        ``collisions`` as in :meth:`bielle.Mechanism.add_frame`."""
        with self._transaction(f"add {name}") as draft:
            return draft.add_frame(name, body, at, local=local, orientation=orientation, **seen)

    def add_joint(
        self, name: str, kind: Any, a: Any, b: Any, at: Any = None, *, joining: str = "gentle", over: Any = None, **places: Any
    ) -> Joint:
        """Join two bodies as they stand now.

        joining  what becomes of a gap or of a relative velocity:
                 'gentle' (default): closed along a smooth ramp, over ``over`` seconds or a time chosen from the gap; its work is booked;
                 'impulse': an inelastic blow stops the relative velocity at once (a gap is then closed gently);
                 'exact': refused, with the numbers, unless it fits already
        Places (``at``, ``at_a``, ``at_b``, ``axes_a``, ``axes_b``) as in :meth:`bielle.Mechanism.add_joint`.
        """
        with self._transaction(f"add {name}") as draft:
            return draft.add_joint(name, kind, a, b, at, joining=joining, over=over, **places)

    def add_rotor(self, name: str, joint: Any, inertia: float, ratio: float = 1.0) -> Body:
        """Let a rotor turn with a joint, as fast as it goes now; see :meth:`bielle.Mechanism.add_rotor`."""
        with self._transaction(f"add {name}") as draft:
            return draft.add_rotor(name, joint, inertia, ratio)

    def add_force(self, name: str, kind: Any, a: Any = None, b: Any = None, at: Any = None, **places: Any) -> Force:
        """Apply an effort to bodies as they stand now; see :meth:`bielle.Mechanism.add_force`."""
        with self._transaction(f"add {name}") as draft:
            return draft.add_force(name, kind, a, b, at, **places)

    def remove(self, component: Any, *, dependants: bool = False) -> None:
        """Remove a component; velocities stay as they are. With ``dependants``, what holds on to it goes too."""
        with self._transaction(f"remove {_name(component)}") as draft:
            draft.remove(component, dependants=dependants)

    def replace(
        self, component: Any, new: Any = None, *, coordinates: str | None = None, joining: str = "gentle", over: Any = None
    ) -> None:
        """Retype: another kind for a joint or force in the same place; another shape or other ``coordinates`` for a body."""
        with self._transaction(f"replace {_name(component)}") as draft:
            draft.replace(component, new, coordinates=coordinates, joining=joining, over=over)

    def set(self, component: Any, value: Any = BY_NAME, /, *, joining: str = "gentle", over: Any = None, **parameters: Any) -> None:
        """Change parameters: of a joint's or force's kind, of a body's shape (``mass=…``), a body's ``color``; one of them may also be
        given as ``live.set("spring.stiffness", 200)``.

        A joint that no longer fits (a rope of another length) is closed as in :meth:`add_joint`.
        """
        with self._transaction(f"set {_name(component)}") as draft:
            draft.set(component, value, joining=joining, over=over, **parameters)

    def set_gravity(self, gravity: Any) -> None:
        """Another acceleration of free fall [m/s²]."""
        with self._transaction("set gravity") as draft:
            draft.set_gravity(gravity)

    # -- holding and letting go

    def fix(self, body: Any, **options: Any) -> None:
        """Hold a body where it is, by a joint named ``fix <body>``; it comes to rest gently, or by joining='impulse'."""
        with self._transaction(f"fix {_name(body)}") as draft:
            draft.fix(body, **options)

    def free(self, body: Any) -> None:
        """Remove all joints of a body, and the forces that act in them; it goes on with the velocity it has."""
        with self._transaction(f"free {_name(body)}") as draft:
            draft.free(body)

    def lock(self, joint: Any, **options: Any) -> None:
        """Stop all motion in a joint, by a joint named ``lock <joint>``; gently, or by joining='impulse'."""
        with self._transaction(f"lock {_name(joint)}") as draft:
            draft.lock(joint, **options)

    def unlock(self, joint: Any) -> None:
        """Let a locked joint move again."""
        with self._transaction(f"unlock {_name(joint)}") as draft:
            draft.unlock(joint)

    # -- motion

    def push(self, body: Any, **what: Any) -> None:
        """Push a body: ``impulse`` [N·s] (and angular impulse ``moment``) at once, or ``force`` [N] for ``duration`` seconds.

        It acts at a point of the world now (``at``) or of the body (``local``), the centre of mass if neither is given. Joints pass it on.
        """
        with self._transaction(f"push {_name(body)}") as draft:
            draft.push(body, **what)

    def teleport(self, body: Any, **where: Any) -> None:
        """Put a body elsewhere at once: ``position``, ``orientation``, ``velocity``, ``angular_velocity``; what is not given stays.

        Joints that hold on to it take their bodies along, as in an assembly; if that is impossible the edit is refused.
        """
        with self._transaction(f"teleport {_name(body)}") as draft:
            draft.teleport(body, **where)
