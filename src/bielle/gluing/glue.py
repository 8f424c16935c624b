"""Glue: what a person says about components that are to be brought together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..calls import explained_methods
from ..errors import DescriptionError, NamingError, unknown
from ..kernels.memory import Uncopyable
from ..mechanism.vectors import number, shown
from .component import Component
from .journey import Journey
from .member import Member
from .network import End, Joint
from .result import GlueResult

__all__ = ["Glue"]

ON_FAILURE = ("raise", "pause", "continue")


@explained_methods
class Glue(Uncopyable):
    """Components that show nothing but their ports, joined at these.

    step        after so many seconds they are brought together; each component divides the step as it likes
    tolerance   largest gap that is left at the end of a step [m]; velocities may differ by tolerance/step
    iterations  how often a step is taken at most
    on_failure  what to do if a component fails or the iteration does not converge: 'raise'; 'pause', that is return what there is and
                be able to go on with :meth:`resume`; 'continue' without the component and its joints, or without the joint

    ``with bl.Glue(…) as glue:`` ends components that work elsewhere (:class:`bielle.Remote`) when it is left, however that is. So does
    an error that is raised.
    """

    instead = "Make another Glue of new components; its results can be copied."

    def __init__(self, step: float, *, tolerance: float = 1e-10, iterations: int = 30, on_failure: str = "raise") -> None:
        self.step = number(step, "the step of a glue", positive=True)
        self.tolerance = number(tolerance, "the tolerance of a glue", positive=True)
        if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 2:
            raise DescriptionError(f"iterations must be a whole number, at least 2, got {shown(iterations)}. Give one.")
        if on_failure not in ON_FAILURE:
            raise DescriptionError(f"on_failure must be one of {', '.join(ON_FAILURE)}, got {shown(on_failure)}. Use one of these.")
        self.iterations = iterations
        self.on_failure = on_failure
        self._members: dict[str, Member] = {}
        self._joints: dict[str, Joint] = {}
        self._journey: Journey | None = None
        self._closed = False

    # -- describing

    def add(self, name: str, component: Component) -> None:
        """Add a component under a name; :class:`bielle.gluing.Component` says what it must be able to do."""
        self._check_new(name)
        for other in self._members.values():
            if other.component is component:
                raise DescriptionError(f"component '{name}': the same object is component '{other.name}' already. Make another one.")
        self._members[name] = Member(name, component)

    def join(self, name: str, *ends: tuple[str, str]) -> None:
        """Let ports coincide, as in a pin or a spherical joint: ``join("elbow", ("left", "tip"), ("right", "top"))``; two or more.

        Whether the iteration is on their force (T–T), their motion (X–X) or both (X–T) follows from what the components accept. A port
        that is not joined is free.
        """
        self._check_new(name)
        what = f"joint '{name}'"
        if len(ends) < 2:
            raise DescriptionError(f"{what}: it must join at least two ports, got {len(ends)}. Give (component, port) of each.")
        found = tuple(self._end(what, end) for end in ends)
        for end in found:
            if found.count(end) > 1:
                raise DescriptionError(f"{what}: port {end} is given twice. Give different ports.")
            holder = next((joint for joint in self._joints.values() if end in joint.ends), None)
            if holder is not None:
                raise DescriptionError(f"{what}: port {end} is held by {holder} already. Give all ports that meet there to one joint.")
        sizes = {end: self._members[end.component].ports[end.port] for end in found}
        if len(set(sizes.values())) > 1:
            listed = ", ".join(f"{end} has {n}" for end, n in sizes.items())
            raise DescriptionError(
                f"{what}: its ports must have the same number of coordinates, but {listed}. Join planar ports with planar ones."
            )
        self._joints[name] = Joint(name, found)

    def _check_new(self, name: Any) -> None:
        if not isinstance(name, str) or not name or not name.isprintable():
            raise DescriptionError(f"The name of a component or joint must be a printable string, got {shown(name)}. Choose another.")
        if name in self._members or name in self._joints:
            raise NamingError(f"The name '{name}' is taken already. Names are unique among components and joints: choose another.")
        if self._journey is not None:
            raise DescriptionError(f"'{name}' cannot be added: the simulation has begun. Make a new glue.")

    def _end(self, what: str, end: Any) -> End:
        if not isinstance(end, tuple | list) or len(end) != 2:
            raise DescriptionError(f"{what}: an end must be (component, port), got {shown(end)}. Give two names.")
        component, port = map(str, end)
        if component not in self._members:
            raise unknown("component", component, self._members, what)
        if port not in self._members[component].ports:
            raise unknown("port", port, self._members[component].ports, f"{what}, component '{component}'")
        return End(component, port)

    # -- running

    @property
    def time(self) -> float:
        """The present [s]."""
        return 0.0 if self._journey is None else self._journey.time

    def simulate(self, duration: float, *, samples: int = 501, progress: bool | Callable[[float], None] = False) -> GlueResult:
        """Go on for ``duration`` seconds, and return everything since the start.

        samples   how many equidistant samples are kept of ports and joints, at least: every so many steps
        progress  True: a bar with the time left; or a function called with the fraction done

        Ctrl-C returns what was computed so far (``status`` 'interrupted'); :meth:`resume` goes on from there.
        """
        duration = number(duration, "the duration", positive=True)
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
            raise DescriptionError(f"samples must be a whole number, at least 2, got {shown(samples)}. Give one.")
        journey = self._begun()
        journey.set_out(duration, duration / (samples - 1))
        return self._go(journey, progress)

    def resume(self, *, progress: bool | Callable[[float], None] = False) -> GlueResult:
        """Go on to where the last ``simulate`` was to end, after a pause or an interruption.

        In a pause ``glue.step``, ``tolerance``, ``iterations`` and ``on_failure`` may be changed, and components be mended.
        """
        journey = self._begun()
        if journey.arrived:
            raise DescriptionError("There is nothing to resume: the last simulation has reached its end. Call simulate(duration).")
        journey.set_out_again()
        return self._go(journey, progress)

    def _begun(self) -> Journey:
        if self._closed:
            raise DescriptionError("The glue is closed, and its components with it. Make a new one.")
        if not self._members:
            raise DescriptionError("There are no components to simulate. Add some first: glue.add(name, component).")
        if self._journey is None:
            try:
                self._journey = Journey(dict(self._members), dict(self._joints), self)
            except BaseException:
                self.close()
                raise
        return self._journey

    def _go(self, journey: Journey, progress: bool | Callable[[float], None]) -> GlueResult:
        try:
            return journey.go(progress)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End components that work elsewhere. What was computed stays."""
        self._closed = True
        for member in self._members.values():
            member.close()

    def __enter__(self) -> Glue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
