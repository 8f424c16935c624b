"""Draft: a transaction being written. Edits are checked one by one against what the mechanism will be; nothing runs differently yet."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import msgspec
import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError, unknown
from ..forces.point_force import PointForce
from ..joints.fixed import Fixed
from ..joints.prismatic import Prismatic
from ..joints.rigid import Rigid
from ..joints.rotor import add_rotor
from ..joints.slider import Slider
from ..mechanism import registry
from ..mechanism.changing import BY_NAME, START, body_changes, changed, parameters_of, remade_body
from ..mechanism.components import take_out
from ..mechanism.description import GROUND, Body, Force, Frame, Joint, Pose, Twist
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import lifted, number, orientation, quaternion_of, rotation_matrix, shown, vector
from .operations import JOINING, Drop, Gravity, Move, Operation, Put, Strike

__all__ = ["Draft", "Motions"]

_AS_THEY_STAND = (Rigid, Fixed, Slider, Prismatic)  # kinds that hold the orientation

Motions = Callable[[str], tuple[Pose, Twist]]  #: where a body is now and how it moves
Poses = Callable[[str], Pose]  #: where a body is now

Method = TypeVar("Method", bound=Callable[..., Any])


def _whole(edit: Method) -> Method:
    """A method that leaves the draft as it was if it raises: who catches the error inside ``with live.edit():`` can go on."""

    @wraps(edit)
    def attempted(self: Draft, *arguments: Any, **options: Any) -> Any:
        if self._trying or self.alone:  # part of another edit, which goes back if this one fails; or all there is
            return edit(self, *arguments, **options)
        before = self._copies()
        self._trying = True
        try:
            return edit(self, *arguments, **options)
        except BaseException:
            self.__dict__.update(before)
            raise
        finally:
            self._trying = False

    return attempted  # type: ignore[return-value]


@explained_methods
class Draft:
    """The mechanism as it will be, and the operations that lead there."""

    def __init__(self, mechanism: Mechanism, now: Motions, poses: Poses) -> None:
        self.mechanism = mechanism.copy()
        self._before = mechanism.bodies
        self.operations: list[Operation] = []
        self.touched: dict[str, None] = {}  #: names of components whose rows change, in order
        self.dropped: set[str] = set()  #: names of components that went; one that has come back under such a name is another
        self.shifted: set[str] = set()  #: joints that may not fit any more, because a frame or a joint they hold on to has changed
        self.timers: list[tuple[float, str]] = []  #: (seconds from now, name): components that go by themselves
        self._now = now
        self._poses = poses
        self._moved: dict[str, tuple[Pose, Twist]] = {}
        self._trying = False
        self.alone = False  #: whether the transaction is one edit: if it fails there is nothing left to go on with

    def _copies(self) -> dict[str, Any]:
        """What edits change, to go back to."""
        changing = ("operations", "touched", "dropped", "shifted", "timers", "_moved")
        return {"mechanism": self.mechanism.copy(), **{name: getattr(self, name).copy() for name in changing}}

    # -- where things are

    def motion(self, name: str) -> tuple[Pose, Twist]:
        """Where a body is when the transaction is done, as far as it says, and how it moves."""
        if name not in self._moved:
            self._moved[name] = self._now(name)
        return self._moved[name]

    def pose(self, name: str) -> Pose:
        if name == GROUND:
            return self.mechanism.pose(GROUND)
        return self._moved[name][0] if name in self._moved else self._poses(name)

    # -- components

    @_whole
    def add_body(self, name: str, shape: Any, **options: Any) -> Body:
        """Add a body; see :meth:`bielle.Mechanism.add_body`."""
        body = self.mechanism.add_body(name, shape, **options)
        self._put(body)
        return body

    @_whole
    def add_frame(self, name: str, body: Any, at: Any = None, *, local: Any = None, orientation: Any = None, **seen: Any) -> Frame:
        """Name a place on a body: ``at`` in world axes as the body stands now, or ``local``."""
        m = self.mechanism
        if at is not None and local is None:
            owner = m._body_name(body, f"frame '{name}'")
            local = self.pose(owner).local(lifted(vector(at, f"frame '{name}': the point", m.dim)))[: m.dim]
            at = None
        frame = m.add_frame(name, body, at, local=local, orientation=orientation, **seen)
        self._put(frame)
        return frame

    @_whole
    def add_joint(self, name: str, kind: Any, a: Any, b: Any, at: Any = None, *, joining: str = "gentle", over: Any = None, **places: Any):
        """Join two bodies as they stand now; see :meth:`bielle.Mechanism.add_joint`, with ``at`` in world axes of the present moment."""
        _check_joining(name, joining, over)
        joint = self.mechanism.add_joint(name, kind, a, b, at, **places)
        joint = self.mechanism.localised(joint, self.pose)
        self._put(joint, joining=joining, over=None if over is None else float(over))
        return joint

    @_whole
    def add_rotor(self, name: str, joint: Any, inertia: float, ratio: float = 1.0) -> Body:
        """Let a rotor turn with a joint, as fast as it goes now; see :meth:`bielle.Mechanism.add_rotor`."""
        return add_rotor(self, self.mechanism, self.motion, name, joint, inertia, ratio)

    @_whole
    def add_force(self, name: str, kind: Any, a: Any = None, b: Any = None, at: Any = None, **places: Any) -> Force:
        """Apply an effort; see :meth:`bielle.Mechanism.add_force`, with ``at`` in world axes of the present moment."""
        force = self.mechanism.localised(self.mechanism.add_force(name, kind, a, b, at, **places), self.pose)
        self._put(force)
        return force

    @_whole
    def remove(self, component: Any, *, dependants: bool = False) -> None:
        """Remove a component; with ``dependants`` also what holds on to it."""
        m = self.mechanism
        name = m._name(component)
        if dependants and name != GROUND:
            m._table(name)
            for user in self._users(name):
                if self._exists(user):  # not gone with another
                    self.remove(user, dependants=True)
        locked = name in m.joints and f"lock {name}" in m.joints
        self._drop(name)
        if locked:
            self.remove(f"lock {name}", dependants=dependants)  # it held the joint, and goes with it

    @_whole
    def replace(self, component: Any, new: Any = None, *, coordinates: Any = None, joining: str = "gentle", over: Any = None) -> None:
        """Another kind in the place of a joint's or force's, other coordinates or another shape in the place of a body's."""
        m = self.mechanism
        name = m._name(component)
        table = m._table(name)
        old = table[name]
        if isinstance(old, Frame):
            raise DescriptionError(f"frame '{name}': it has no kind to replace. Remove it and add another.")
        if (new is None) == (coordinates is None) or (coordinates is not None and not isinstance(old, Body)):
            raise DescriptionError(f"replace '{name}': give the new kind of a joint or force, or the coordinates or shape of a body.")
        if isinstance(old, Body):
            self._change_body(old, shape=old.shape if new is None else new, coordinates=coordinates or old.coordinates)
            return
        _check_joining(name, joining, over)
        what, kinds = ("joint", registry.joints) if isinstance(old, Joint) else ("force", registry.forces)
        if m._checked_kind(kinds, what, name, new) == old.kind:
            return
        if isinstance(old, Joint) and isinstance(new, _AS_THEY_STAND) and not old.through:
            old = self._standing(old)
        places = {f: getattr(old, f) for f in ("a", "b", "at_a", "at_b", "axes_a", "axes_b")}
        if isinstance(old, Force):
            acting = {"joint": old.joint} if old.joint is not None else places
            self._put(m.localised(self._without(old).add_force(name, new, **acting), self.pose))
        else:
            joint = self._without(old).add_joint(name, new, places.pop("a"), places.pop("b"), **places)
            self._put(m.localised(joint, self.pose), joining=joining, over=None if over is None else float(over))
            self._touch_what_holds_through(name)

    def _standing(self, joint: Joint) -> Joint:
        """The joint placed so that its two sides coincide as the bodies stand now: what holds bodies together must not turn them back."""
        m = self.mechanism
        a, b = m.markers(joint, self.pose)
        world = self.pose(b.body).point(b.local)
        axes = self.pose(b.body).rotation.T @ a.axes
        planar = m.planar
        angle = float(np.arctan2(axes[1, 0], axes[0, 0])) if planar else quaternion_of(axes)
        own = float(np.arctan2(a.basis[1, 0], a.basis[0, 0])) if planar else quaternion_of(a.basis)
        local_a = tuple(map(float, self.pose(a.body).local(world)[: m.dim]))
        local_b = tuple(map(float, b.local[: m.dim]))
        return msgspec.structs.replace(joint, a=a.body, b=b.body, at=None, at_a=local_a, at_b=local_b, axes_a=own, axes_b=angle)

    @_whole
    def set(self, component: Any, value: Any = BY_NAME, /, *, joining: str = "gentle", over: Any = None, **parameters: Any) -> None:
        """Give parameters of a component other values: fields of its kind, of a body's shape, or a body's color."""
        m = self.mechanism
        name, parameters = parameters_of(m, component, value, parameters)
        old = m._table(name)[name]
        if isinstance(old, Body):
            for motion in set(START) & set(parameters):
                raise DescriptionError(f"set '{name}': where a body is and how it moves is changed by teleport('{name}', {motion}=…).")
            self._change_body(old, **body_changes(old, parameters))
            return
        if isinstance(old, Frame):
            own = {f: getattr(old, f) for f in ("orientation", "visuals", "collisions")}
            fields = {"local": old.position} | own | parameters
            self._put(self._without(old).add_frame(name, old.body, **fields))
            return
        kind = changed(f"{type(old).__name__.lower()} '{name}'", old.kind, parameters)
        if kind == old.kind:
            return
        what = "joint" if isinstance(old, Joint) else "force"
        checked = m._checked_kind(registry.joints if what == "joint" else registry.forces, what, name, kind)
        fresh = msgspec.structs.replace(old, kind=checked)
        if isinstance(fresh, Force):
            checked.check_attachment(f"force '{name}'", fresh, m)
        _check_joining(name, joining, over)
        self._put(m.localised(fresh, self.pose), joining, None if over is None else float(over))  # type: ignore[type-var]
        if what == "joint":
            self._touch_what_holds_through(name)

    def _change_body(self, old: Body, **changes: Any) -> None:
        m, name = self.mechanism, old.name
        new = remade_body(m, old, changes)
        if new == old:
            return
        self._put(new)
        if _elements_differ(m, old, new):
            for user in self._users(name):
                self.touched[user] = None

    @_whole
    def fix(self, body: Any, **options: Any) -> None:
        """Hold a body where it is."""
        name = self.mechanism._body_name(body, "fix")
        if f"fix {name}" in self.mechanism.joints:
            raise DescriptionError(f"fix '{name}': the body is fixed already. Free it first (remove('fix {name}')).")
        where = self.pose(name).position[: self.mechanism.dim]
        self.add_joint(f"fix {name}", self._weld(), GROUND, name, at=where, **options)

    @_whole
    def free(self, body: Any) -> None:
        """Remove all joints of a body, and the forces that act in them."""
        m = self.mechanism
        name = m._body_name(body, "free")
        if name == GROUND:
            raise DescriptionError("free: the ground cannot be freed. Name the body that shall come loose.")
        joints = [j.name for j in m.joints.values() if name in (m._owner(j.a), m._owner(j.b))]
        if not joints:
            raise DescriptionError(f"free '{name}': it has no joints, it is free already. Forces on it stay; remove those that shall go.")
        for joint in joints:
            if self._exists(joint):
                self.remove(joint, dependants=True)

    @_whole
    def lock(self, joint: Any, **options: Any) -> None:
        """Stop all motion in a joint."""
        m = self.mechanism
        name = self._joint(joint, "lock")
        if f"lock {name}" in m.joints:
            raise DescriptionError(f"lock '{name}': the joint is locked already. Unlock it first (unlock('{name}')).")
        through = m.joints[name].through
        if through:
            raise DescriptionError(f"lock '{name}': it couples joints, and holds no bodies. Lock '{through[0]}' or '{through[1]}' instead.")
        a, b = (marker.body for marker in m.markers(m.joints[name]))
        where = m.markers(m.joints[name], self.pose)[0].world[: m.dim]
        self.add_joint(f"lock {name}", self._weld(), a, b, at=where, **options)

    @_whole
    def unlock(self, joint: Any) -> None:
        """Let a locked joint move again."""
        name = self._joint(joint, "unlock")
        if f"lock {name}" not in self.mechanism.joints:
            raise DescriptionError(f"unlock '{name}': the joint is not locked. Lock it first (lock('{name}')).")
        self.remove(f"lock {name}")

    def _joint(self, joint: Any, verb: str) -> str:
        name = self.mechanism._name(joint, verb)
        if name not in self.mechanism.joints:
            raise unknown("joint", name, self.mechanism.joints, verb)
        return name

    def _weld(self) -> Any:
        return Rigid() if self.mechanism.planar else Fixed()

    # -- motion

    @_whole
    def push(
        self,
        body: Any,
        *,
        impulse: Any = None,
        force: Any = None,
        duration: Any = None,
        moment: Any = None,
        at: Any = None,
        local: Any = None,
    ) -> None:
        """An impulse [N·s] now, or a force [N] for ``duration`` seconds, on a point of a body (``at`` in the world, or ``local``)."""
        m = self.mechanism
        name = self._moving(body, "push")
        what = f"push '{name}'"
        if at is not None and local is not None:
            raise DescriptionError(f"{what}: give the point by at (world axes) or by local (the body's frame), got both.")
        if at is not None:
            point = self.pose(name).local(lifted(vector(at, f"{what}: at", m.dim)))
        elif local is not None:
            point = lifted(vector(local, f"{what}: local", m.dim))
        else:
            point = m.bodies[name].shape.mass_properties().centre
        spot = tuple(float(x) for x in point[: m.dim])
        if force is not None and impulse is None and moment is None:
            lasting = number(duration, f"{what}: the duration", positive=True) if duration is not None else None
            if lasting is None:
                raise DescriptionError(f"{what}: say how long the force acts: push('{name}', force=…, duration=…), or give an impulse.")
            added = next(n for i in range(1, 10**9) if (n := f"push {name} {i}") not in m.forces)
            self.add_force(added, PointForce(force=vector(force, f"{what}: the force", m.dim)), name, at_a=spot)
            self.timers.append((lasting, added))
            return
        if force is not None or duration is not None or (impulse is None and moment is None):
            raise DescriptionError(f"{what}: give an impulse or an angular impulse (moment), or a force and its duration.")
        linear = (0.0,) * m.dim if impulse is None else vector(impulse, f"{what}: the impulse", m.dim)
        turning = None if moment is None else _turn(moment, f"{what}: the moment", m.planar)
        self.operations.append(Strike(name, spot, linear, turning))

    @_whole
    def teleport(
        self, body: Any, *, position: Any = None, orientation: Any = None, velocity: Any = None, angular_velocity: Any = None
    ) -> None:
        """Put a body elsewhere at once, or give it another velocity; what is not given stays. One that is fixed is fixed there."""
        m = self.mechanism
        name = self._moving(body, "teleport")
        what = f"teleport '{name}'"
        if position is None and orientation is None and velocity is None and angular_velocity is None:
            raise DescriptionError(f"{what}: give a position, an orientation, a velocity or an angular velocity.")
        move = Move(
            name,
            None if position is None else vector(position, f"{what}: the position", m.dim),
            None if orientation is None else _oriented(orientation, f"{what}: the orientation", m.planar),
            None if velocity is None else vector(velocity, f"{what}: the velocity", m.dim),
            None if angular_velocity is None else _turn(angular_velocity, f"{what}: the angular velocity", m.planar),
        )
        fixed = m.joints.get(f"fix {name}")
        if fixed is not None and not (isinstance(fixed.kind, type(self._weld())) and (fixed.a, fixed.b) == (GROUND, name)):
            fixed = None  # somebody else's, of that name
        if fixed is not None and (np.any(move.velocity or 0.0) or np.any(move.angular_velocity or 0.0)):
            raise DescriptionError(f"{what}: the body is fixed and has no velocity. Let it go first: remove('{fixed.name}').")
        self._moved[name] = moved(self.motion(name), move)
        self.operations.append(move)
        if fixed is not None:
            where = self.pose(name).position[: m.dim]
            self._put(m.localised(self._without(fixed).add_joint(fixed.name, self._weld(), GROUND, name, at=where), self.pose))

    @_whole
    def set_gravity(self, gravity: Any) -> None:
        """Another acceleration of free fall [m/s²]."""
        before = self.mechanism.gravity
        self.mechanism.gravity = gravity
        if self.mechanism.gravity != before:
            self.operations.append(Gravity(self.mechanism.gravity))

    def _moving(self, body: Any, verb: str) -> str:
        name = self.mechanism._body_name(body, verb)
        if name == GROUND:
            raise DescriptionError(f"{verb}: the ground does not move. Name a body.")
        return name

    # -- applying what was written before

    @_whole
    def apply(self, operation: Operation) -> None:
        """An operation of a journal, which was checked when it was written."""
        m = self.mechanism
        if isinstance(operation, Put):
            component = operation.component
            old = _table(m, component).get(component.name)
            self._put(component, operation.joining, operation.over)
            if isinstance(component, Body) and old is not None and _elements_differ(m, old, component):
                for user in self._users(component.name):
                    self.touched[user] = None
            if isinstance(component, Joint) and old is not None:
                self._touch_what_holds_through(component.name)
        elif isinstance(operation, Drop):
            self._drop(operation.name)
        elif isinstance(operation, Gravity):
            self.set_gravity(operation.value)
        else:
            if isinstance(operation, Move):
                self._moved[operation.name] = moved(self.motion(operation.name), operation)
            self.operations.append(operation)

    # -- bookkeeping

    def _exists(self, name: str) -> bool:
        m = self.mechanism
        return any(name in table for table in (m.bodies, m.joints, m.forces, m.frames))

    def _without(self, component: Any) -> Mechanism:
        """The mechanism without a component, in which its successor can be made and checked."""
        other = self.mechanism.copy()
        take_out(_table(other, component), component.name)
        return other

    def _drop(self, name: str) -> None:
        """A component goes, with everything this transaction was to do to it."""
        self.mechanism.remove(name)
        self.operations = [op for op in self.operations if not (isinstance(op, Move | Strike) and op.name == name)]
        self.timers = [timer for timer in self.timers if timer[1] != name]
        self.operations.append(Drop(name))
        self.touched[name] = None
        self.dropped.add(name)
        self.shifted.discard(name)
        self._moved.pop(name, None)

    def _put(self, component: Body | Joint | Force | Frame, joining: str = "gentle", over: float | None = None) -> None:
        m, name = self.mechanism, component.name
        table = _table(m, component)
        old = table.get(name)
        if old is not None and _key(m, old) != _key(m, component):
            take_out(table, name)  # its rows move to those of another kind, to their end
        table[name] = component
        self.operations.append(Put(component, joining, over))
        self.touched[name] = None
        if isinstance(component, Body) and (name not in self._before or name in self.dropped) and name not in self._moved:
            self._moved[name] = (component.pose, component.twist)
        if isinstance(component, Frame):
            for user in self._users(name):
                self.touched[user] = None
                if user in m.joints:
                    self.shifted.add(user)

    def _users(self, name: str) -> list[str]:
        """Joints, forces and frames that hold on to a component, through frames and joints too."""
        m = self.mechanism
        users = [f.name for f in m.frames.values() if f.body == name]
        places = {name, *users}
        joints = [j.name for j in m.joints.values() if j.a in places or j.b in places]
        holders = {name, *joints}
        forces = [f.name for f in m.forces.values() if f.a in places or f.b in places or f.joint in holders]
        couplings = [j.name for j in m.joints.values() if j.name not in holders and not holders.isdisjoint(j.through)]
        return [*forces, *couplings, *joints, *users]

    def _touch_what_holds_through(self, joint: str) -> None:
        """Forces that act in a joint, and joints that couple it, take its places and its axis, if it still has one."""
        m = self.mechanism
        for user in (*m.forces.values(), *m.joints.values()):
            if joint in user.through:
                user.kind.check_attachment(f"{type(user).__name__.lower()} '{user.name}'", user, m)
                self.touched[user.name] = None
                if user.name in m.joints:  # what it couples moves differently, so that it may not fit any more
                    self.shifted.add(user.name)


def moved(motion: tuple[Pose, Twist], move: Move) -> tuple[Pose, Twist]:
    """The motion with what the move gives in its place."""
    pose, twist = motion
    position = pose.position if move.position is None else lifted(move.position)
    rotation = pose.rotation if move.orientation is None else rotation_matrix(move.orientation)
    linear = twist.linear if move.velocity is None else lifted(move.velocity)
    angular = twist.angular
    if move.angular_velocity is not None:
        given = move.angular_velocity
        angular = np.array([0.0, 0.0, given]) if isinstance(given, float) else np.array(given)
    return Pose(position, rotation), Twist(linear, angular)


def _check_joining(name: str, joining: str, over: Any) -> None:
    what = f"joint '{name}'"
    if joining not in JOINING:
        raise DescriptionError(f"{what}: joining must be one of {', '.join(JOINING)}, got {shown(joining)}.")
    if over is not None:
        number(over, f"{what}: the time to close it over", positive=True)
        if joining == "exact":
            raise DescriptionError(f"{what}: over is the time a gap is closed in, but an exact fit has none. Leave out one of them.")


def _elements_differ(m: Mechanism, old: Body, new: Body) -> bool:
    """Whether points and directions of the body are described by other numbers than before."""
    if m.coordinates_of(old) != m.coordinates_of(new):
        return True
    if not np.array_equal(old.shape.mass_properties().centre, new.shape.mass_properties().centre):
        return True
    return not all(np.array_equal(a, b) for a, b in zip(old.shape.reference_points(), new.shape.reference_points()))


def _table(m: Mechanism, component: Any) -> dict[str, Any]:
    return {Body: m.bodies, Joint: m.joints, Force: m.forces, Frame: m.frames}[type(component)]


def _key(m: Mechanism, component: Any) -> str:
    """What decides where the rows of a component are."""
    if isinstance(component, Body):
        return m.coordinates_of(component)
    return "" if isinstance(component, Frame) else type(component.kind).__struct_config__.tag


def _oriented(value: Any, what: str, planar: bool) -> float | tuple[float, ...]:
    given = orientation(value, what, planar)
    return given if planar else tuple(float(x) for x in given)  # type: ignore[union-attr]


def _turn(value: Any, what: str, planar: bool) -> float | tuple[float, ...]:
    return number(value, what) if planar else vector(value, what, 3)


def pose_numbers(pose: Pose, planar: bool) -> tuple[tuple[float, ...], float | tuple[float, ...]]:
    """Position and orientation of a pose as plain numbers."""
    position = tuple(float(x) for x in pose.position[: 2 if planar else 3])
    return position, pose.angle() if planar else quaternion_of(pose.rotation)
