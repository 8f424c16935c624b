"""What can be asked of a body, a point, a frame, a joint or a force of a run. World axes unless said otherwise; (n, …) over the samples."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..calls import explained_methods
from ..errors import AccuracyWarning, DescriptionError, warn
from ..mechanism.description import GROUND, Marker
from ..mechanism.vectors import vector
from ..model.probe import probe
from .asking import Asked
from .sweep import Sweeper

if TYPE_CHECKING:
    from .result import Result

__all__ = ["BodyResult", "Component", "ForceResult", "FrameResult", "JointResult", "PointResult", "force_result"]
__all__ += ["joint_result"]


def _lift(values: np.ndarray) -> np.ndarray:
    """(…, 2 or 3) to (…, 3)."""
    if values.shape[-1] == 3:
        return values
    return np.concatenate([values, np.zeros((*values.shape[:-1], 1))], axis=-1)


UNEXPECTED = np.pi / 4.0  # [rad] an eighth of a turn from where an angle is expected: turns are not counted any more


def _near(gap: np.ndarray) -> np.ndarray:
    """Whether it is nearly a whole number of turns."""
    return np.abs(gap - 2 * np.pi * np.round(gap / (2 * np.pi))) <= UNEXPECTED


def unwound(values: np.ndarray, rates: tuple[np.ndarray, ...], time: np.ndarray, what: str) -> np.ndarray:
    """Angles (n,) known up to whole turns, or quaternions (n, 4) known up to their sign, made continuous.

    Between two samples, h apart, the rates ω, α (n,) of an angle tell how many turns there were, however many:

        Δθ ≈ h (ω₀ + ω₁)/2 + h² (α₀ − α₁)/12

    where the motion is smooth, which shows in ω₁ − ω₀ ≈ h (α₀ + α₁)/2; it is of fourth order. Where it is not, something was hit say, the
    first term alone is right to h |ω₁ − ω₀|/2. Where both leave room for another turn, that is told. Quaternions need no rates.
    """
    if values.ndim == 2:
        turn = np.where(np.sum(values[1:] * values[:-1], axis=1) < 0, -1.0, 1.0)
        return values * np.concatenate([[1.0], np.cumprod(turn)])[:, None]
    if len(values) < 2:
        return values
    (rate, acceleration), h, change = rates, np.diff(time), np.diff(values)
    jump, plain = np.diff(rate), 0.5 * (rate[1:] + rate[:-1]) * h - change
    smooth = plain - np.diff(acceleration) * h**2 / 12.0
    rough = np.abs(jump - 0.5 * (acceleration[1:] + acceleration[:-1]) * h) * h / 10.0  # of a sine, more than the error up to a period
    expected = np.where(_near(smooth) & (rough <= UNEXPECTED), smooth, plain)
    turns = np.round(expected / (2 * np.pi))
    sure = _near(expected) & ((rough <= UNEXPECTED) | (np.abs(jump) * h <= 2 * np.pi))
    lost = np.flatnonzero(~sure & np.isfinite(expected))
    if len(lost):
        k = int(lost[0])
        warn(
            f"{what}: between the samples at t = {time[k]:.6g} s and {time[k + 1]:.6g} s its rate changes too much for its turns to be "
            f"counted{f', and between {len(lost) - 1} others' if len(lost) > 1 else ''}. Its angle may be wrong by whole turns after that. "
            "Take more samples (samples=…, or record=… of a session).",
            AccuracyWarning,
        )
    return values + 2 * np.pi * np.concatenate([[0.0], np.cumsum(np.nan_to_num(turns))])


def scalar(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(3, n) x · y and its first two rates, from x, ẋ, ẍ and y, ẏ, ÿ (3, n, dim)."""
    one, two, three, four = (np.sum(x[i] * y[j], axis=1) for i, j in ((0, 0), (1, 0), (0, 1), (1, 1)))
    return np.array([one, two + three, np.sum(x[2] * y[0] + x[0] * y[2], axis=1) + 2.0 * four])


def angle_rates(s: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First and second rate (n,) of atan2(s, c), from s, ṡ, s̈ and c, ċ, c̈ (3, n); NaN where s = c = 0 and there is no angle."""
    size = s[0] ** 2 + c[0] ** 2
    size = np.where(size > 0.0, size, np.nan)
    rate = (c[0] * s[1] - s[0] * c[1]) / size
    return rate, (c[0] * s[2] - s[0] * c[2] - 2.0 * rate * (s[0] * s[1] + c[0] * c[1])) / size


def _twist(R: np.ndarray) -> np.ndarray:
    """The angle (n,) about the third axis of rotations (n, 3, 3), up to whole turns."""
    return np.arctan2(R[:, 1, 0] - R[:, 0, 1], R[:, 0, 0] + R[:, 1, 1])


@explained_methods
class PointResult(Asked):
    """Motion of a material point of a body."""

    quantities: ClassVar = ("position", "velocity", "acceleration")

    def __init__(self, body: BodyResult, local: np.ndarray) -> None:
        self.body = body
        self.run = body.run
        self.name = body.name
        self.local = local

    def _title(self) -> str:
        local = ", ".join(f"{x:.6g}" for x in self.local[: self.run.model.dim])
        return f"point ({local}) of body '{self.name}'"

    def _asked(self) -> list[str]:
        return [*self.quantities, "local"]

    @cached_property
    def _motion(self) -> list[np.ndarray]:
        return [x[:, 0] for x in self.body.probe([(True, self.local)])]

    @property
    def position(self) -> np.ndarray:
        """(n, dim) [m]."""
        return self._motion[0]

    @property
    def velocity(self) -> np.ndarray:
        """(n, dim) [m/s]."""
        return self._motion[1]

    @property
    def acceleration(self) -> np.ndarray:
        """(n, dim) [m/s²]; from the equations of motion, not by differences."""
        return self._motion[2]


@explained_methods
class Component(Asked):
    """What the results of bodies, frames, joints and forces have in common."""

    run: Result
    name: str
    quantities: ClassVar[tuple[str, ...]] = ()  #: what has a value at each sample: arrays (n, …), or methods that return one
    what: ClassVar[str] = "component"  #: in words
    also: ClassVar[tuple[str, ...]] = ()  #: what else one can ask for
    optional: ClassVar[tuple[str, ...]] = ()  #: quantities that not all of its sort have; those it has are among ``named``
    winding: ClassVar[dict[str, str]] = {}  #: those made continuous over turns, and where they are before that, with their rates

    def _title(self) -> str:
        return f"{self.what} '{self.name}'"

    def _asked(self) -> list[str]:
        named = self.named
        others = (name for name in self.quantities if name not in self.optional)
        return list(dict.fromkeys((*named, *others, *self.also, "lifetimes")))

    @property
    def lifetimes(self) -> list[tuple[float, float]]:
        """When it existed: (from, to) [s]; more than one if it was removed and added again while the simulation ran."""
        time = self.run.time
        return [(float(time[0]), float(time[-1]))] if len(time) else []

    @property
    def named(self) -> list[str]:
        """Quantities that plots and tables know by name; the first is what the name of the component alone stands for."""
        raise NotImplementedError

    @property
    def tabled(self) -> list[str]:
        """Those of :attr:`named` that belong in a table of everything: all that can differ from zero."""
        return self.named

    def of(self, run: Result) -> Component | None:
        """The same component of another result; None if there is none."""
        return run.get(self.name)

    def zero_shift(self, before: Any) -> float:
        """What to add to a wound quantity to count it from where ``before``, the same component of the segment before, counts it."""
        return 0.0


@explained_methods
class BodyResult(Component):
    """Motion of a body. ``position``, ``velocity``, ``acceleration`` are those of the origin of its frame."""

    quantities = (*PointResult.quantities, "rotation", "orientation", "angle", "angular_velocity", "angular_acceleration")
    what = "body"
    also = ("point", "origin", "centre")
    optional = ("angle",)
    winding: ClassVar = {"orientation": "_wound", "angle": "_wound"}

    def __init__(self, run: Result, name: str) -> None:
        self.run = run
        self.name = name
        self.row = run.model.bodies[name]

    def probe(self, elements: list[tuple[bool, np.ndarray]]) -> list[np.ndarray]:
        """x, ẋ, ẍ (n, elements, dim) of points and directions given in the body frame."""
        samples = self.run.samples
        own = {"t": samples["t"], "q": samples["q"][:, self.row.q], "v": samples["v"][:, self.row.v], "a": samples["a"][:, self.row.v]}
        none = np.zeros((len(self.run), 0))
        model = probe(self.row, self.run.model.dim, elements)
        return Sweeper(model, own | {"lam": none, "memory": none}).elements(slice(0, len(elements)))

    def point(self, local: Any = None, *, at: Any = None) -> PointResult:
        """A point given in the body frame, or by where it is in the described configuration (``at``)."""
        if (local is None) == (at is None):
            got = "neither" if at is None else "both"
            raise DescriptionError(f"body '{self.name}': give the point in its own frame (local), or at=(world point), got {got}.")
        if at is not None:
            world = _lift(np.array(vector(at, "the point", self.run.model.dim)))
            return PointResult(self, self.run.mechanism.pose(self.name).local(world))
        return PointResult(self, _lift(np.array(vector(local, "the point", self.run.model.dim))))

    @cached_property
    def origin(self) -> PointResult:
        return PointResult(self, np.zeros(3))

    @cached_property
    def centre(self) -> PointResult:
        """The centre of mass."""
        return PointResult(self, self.row.kind.properties.centre)

    @property
    def position(self) -> np.ndarray:
        """(n, dim) [m]."""
        return self.origin.position

    @property
    def velocity(self) -> np.ndarray:
        """(n, dim) [m/s]."""
        return self.origin.velocity

    @property
    def acceleration(self) -> np.ndarray:
        """(n, dim) [m/s²]."""
        return self.origin.acceleration

    @cached_property
    def rotation(self) -> np.ndarray:
        """(n, 3, 3), body to world."""
        return self.row.kind.pose(self.run.samples["q"][:, self.row.q])[1]

    @property
    def named(self) -> list[str]:
        turning = "angle" if self.run.model.dim == 2 else "orientation"
        return ["position", "velocity", "acceleration", turning, "angular_velocity", "angular_acceleration"]

    @property
    def _wound(self) -> tuple[np.ndarray, ...]:
        """The orientation up to whole turns or its sign, and the rates of an angle."""
        if self.run.model.dim == 2:
            return np.arctan2(self.rotation[:, 1, 0], self.rotation[:, 0, 0]), *self._spin
        from scipy.spatial.transform import Rotation

        there = np.isfinite(self.rotation).all(axis=(1, 2))  # not where a run broke off
        quaternions = np.full((len(self.run), 4), np.nan)
        if there.any():
            quaternions[there] = Rotation.from_matrix(self.rotation[there]).as_quat()[:, [3, 0, 1, 2]]
        return (quaternions,)

    @cached_property
    def orientation(self) -> np.ndarray:
        """Planar: (n,) angle [rad], continuous over turns. Spatial: (n, 4) unit quaternion (w, x, y, z), continuous in sign."""
        wound, *rates = self._wound
        return unwound(wound, tuple(rates), self.run.time, self._title())

    @property
    def angle(self) -> np.ndarray:
        """(n,) angle of a planar body [rad]: its orientation."""
        if self.run.model.dim != 2:
            raise DescriptionError(
                f"body '{self.name}' is spatial and has no angle. Ask for its orientation or rotation, or for a joint's angle."
            )
        return self.orientation

    @cached_property
    def _spin(self) -> tuple[np.ndarray, np.ndarray]:
        """ω = ½ Σ d × ḋ over three orthonormal directions d; in the plane ω = d × ḋ of one."""
        if self.run.model.dim == 2:
            d, dd, ddd = (x[:, 0] for x in self.probe([(False, np.array([1.0, 0, 0]))]))
            return d[:, 0] * dd[:, 1] - d[:, 1] * dd[:, 0], d[:, 0] * ddd[:, 1] - d[:, 1] * ddd[:, 0]
        d, dd, ddd = self.probe([(False, e) for e in np.eye(3)])
        return 0.5 * np.cross(d, dd).sum(axis=1), 0.5 * np.cross(d, ddd).sum(axis=1)

    @property
    def angular_velocity(self) -> np.ndarray:
        """(n,) or (n, 3) [rad/s], world axes."""
        return self._spin[0]

    @property
    def angular_acceleration(self) -> np.ndarray:
        """(n,) or (n, 3) [rad/s²], world axes."""
        return self._spin[1]


@explained_methods
class FrameResult(Component):
    """Motion of a frame, and what an accelerometer fixed to it reads."""

    what = "frame"
    quantities = (*PointResult.quantities, "rotation", "accelerometer", "gyroscope")

    def __init__(self, run: Result, name: str) -> None:
        self.run = run
        self.name = name
        self.frame = run.mechanism.frames[name]
        self._ground = self.frame.body == GROUND
        if not self._ground:
            self.point = run[self.frame.body].point(self.frame.position)

    @property
    def named(self) -> list[str]:
        return ["position", "velocity", "acceleration", "accelerometer", "gyroscope"]

    def _of(self, quantity: str) -> np.ndarray:
        if self._ground:
            value = np.array(self.frame.position) if quantity == "position" else np.zeros(self.run.model.dim)
            return np.broadcast_to(value, (len(self.run), self.run.model.dim))
        return getattr(self.point, quantity)

    @property
    def position(self) -> np.ndarray:
        """(n, dim) [m]."""
        return self._of("position")

    @property
    def velocity(self) -> np.ndarray:
        """(n, dim) [m/s]."""
        return self._of("velocity")

    @property
    def acceleration(self) -> np.ndarray:
        """(n, dim) [m/s²]."""
        return self._of("acceleration")

    @cached_property
    def rotation(self) -> np.ndarray:
        """(n, 3, 3), frame to world."""
        own = self.frame.pose.rotation
        return np.broadcast_to(own, (len(self.run), 3, 3)) if self._ground else self.run[self.frame.body].rotation @ own

    @cached_property
    def accelerometer(self) -> np.ndarray:
        """(n, dim) what an accelerometer fixed here reads: Rᵀ(a − g), in the axes of the frame [m/s²]."""
        dim = self.run.model.dim
        proper = _lift(self.acceleration - np.array(self.run.mechanism.gravity))
        return np.einsum("nji,nj->ni", self.rotation, proper)[:, :dim]

    @cached_property
    def gyroscope(self) -> np.ndarray:
        """(n,) or (n, 3) angular velocity in the axes of the frame [rad/s]."""
        dim = self.run.model.dim
        if self._ground:
            return np.zeros(len(self.run)) if dim == 2 else np.zeros((len(self.run), 3))
        omega = self.run[self.frame.body].angular_velocity
        return omega if dim == 2 else np.einsum("nji,nj->ni", self.rotation, omega)


@explained_methods
class _Efforts(Component):
    """Forces and moments on each body, from efforts on points and directions."""

    quantities = ("force", "moment", "efforts", "positions")

    markers: tuple[Marker, ...]
    sides: np.ndarray  #: (elements,) of the markers they belong to, 'a' or 'b'
    is_point: np.ndarray  #: (elements,)

    def _sweep(self) -> tuple[np.ndarray, ...]:
        """What a sweep over the samples gives: efforts, positions, and what else there is."""
        raise NotImplementedError

    @cached_property
    def _swept(self) -> tuple[np.ndarray, ...]:
        return self._sweep()

    @property
    def efforts(self) -> np.ndarray:
        """(n, elements, dim) effort on each point and direction."""
        return self._swept[0]

    @property
    def positions(self) -> np.ndarray:
        """(n, elements, dim) where each point or direction is."""
        return self._swept[1]

    @property
    def _shown_efforts(self) -> list[str]:
        """Which of force and moment there are on b."""
        on_last = self._on(self.markers[-1].body)
        return ["force"] * bool((self.is_point & on_last).any()) + ["moment"] * bool((~self.is_point & on_last).any())

    def _side(self, on: str | None) -> str:
        names = {m.side: m.body for m in self.markers}
        if on is None:
            return self.markers[-1].side
        on = on if isinstance(on, str) else on.name
        for side, body in names.items():
            if on == body or (on == side and on not in names.values()):
                return side
        acts_on = " and ".join(dict.fromkeys(names.values()))
        raise DescriptionError(f"'{self.name}' acts on {acts_on}, not on '{on}'. Name one of these.")

    def _on(self, body: str) -> np.ndarray:
        """(elements,) bool: those on a body, which may be on more than one side of what couples joints."""
        return np.isin(self.sides, [m.side for m in self.markers if m.body == body])

    def _marker(self, side: str) -> Marker:
        return next(m for m in self.markers if m.side == side)

    def _turned(self, values: np.ndarray, axes: str, side: str) -> np.ndarray:
        """World components (n, 3) in other axes."""
        axes = axes if isinstance(axes, str) else axes.name
        if axes == "world":
            return values
        if axes == "body":
            axes = self._marker(side).body
        if axes == "joint":
            first = self.markers[0]
            rotation = self.run.rotation_of(first.body) @ first.basis @ self._axes()
        else:
            rotation = self.run.rotation_of(axes)
        return np.einsum("nji,nj->ni", rotation, values)

    def _axes(self) -> np.ndarray:
        return np.eye(3)

    def _point(self, marker: Marker) -> np.ndarray:
        """(n, 3) where the component holds on to a body."""
        if marker.body == GROUND:
            return np.broadcast_to(marker.local, (len(self.run), 3))
        return _lift(self.run[marker.body].point(marker.local[: self.run.model.dim]).position)

    def _total(self, side: str) -> tuple[np.ndarray, np.ndarray]:
        """Force and moment (n, 3) on the body of a side, about its point p: Σ F and Σ (x − p) × F of points, Σ d × F of directions."""
        chosen = self._on(self._marker(side).body)
        efforts, points = _lift(self.efforts[:, chosen]), self.is_point[chosen]
        arms = _lift(self.positions[:, chosen])
        arms[:, points] -= self._point(self._marker(side))[:, None, :]
        return efforts[:, points].sum(axis=1), np.cross(arms, efforts).sum(axis=1)

    def force(self, on: Any = None, axes: Any = "world") -> np.ndarray:
        """(n, dim) force on a body [N]; on b (a's effort on b) unless ``on`` names the other.

        axes: 'world', 'body' (of the body it acts on), 'joint' (fixed to a; in space the third is along the joint's axis, in the plane the
        first along the slide), or any body or frame by name.
        """
        side = self._side(on)
        return self._turned(self._total(side)[0], axes, side)[:, : self.run.model.dim]

    def moment(self, on: Any = None, axes: Any = "world") -> np.ndarray:
        """(n,) planar or (n, 3) spatial moment on a body about the joint's point on it [N·m]."""
        side = self._side(on)
        moment = self._total(side)[1]
        return moment[:, 2] if self.run.model.dim == 2 else self._turned(moment, axes, side)


@explained_methods
class JointResult(_Efforts):
    """Reactions, coordinates and violation of a joint."""

    what = "joint"
    motions: ClassVar = {
        "turning": ("angle", "angular_velocity", "angular_acceleration"),
        "sliding": ("displacement", "velocity", "acceleration"),
    }
    optional = tuple(name for names in motions.values() for name in names)
    quantities = (
        *_Efforts.quantities,
        *optional,
        "violation",
        "multipliers",
        "residual",
        "residual_rate",
    )
    winding: ClassVar = {"angle": "_wound"}

    def __init__(self, run: Result, name: str) -> None:
        self.run = run
        self.name = name
        self.joint = run.mechanism.joints[name]
        self.row = run.model.joints[name]
        self.markers = run.mechanism.markers(self.joint)
        points = self.joint.kind.elements(*self.markers, run.model.dim)
        self.sides = np.array([p.side for p in points])
        self.is_point = np.array([p.is_point for p in points])

    @property
    def named(self) -> list[str]:
        efforts = sorted(("force", "moment"), key=lambda effort: effort not in self._shown_efforts)
        motions = [] if self.joint.through else [name for names in self.motions.values() for name in names]
        return [*efforts, *motions, "violation"]

    @property
    def tabled(self) -> list[str]:
        turns, slides = self.moves
        turns = turns and (self.run.model.dim == 2 or hasattr(self.joint.kind, "axis"))
        motions = [*self.motions["turning"] * turns, *self.motions["sliding"] * slides]
        return [*self._shown_efforts, *motions, "violation"]

    def _sweep(self) -> tuple[np.ndarray, ...]:
        row = self.row
        return self.run.sweeper.joint(row.index, row.elements.stop - row.elements.start, row.equations.stop - row.equations.start)

    @property
    def residual(self) -> np.ndarray:
        """(n, equations) φ."""
        return self._swept[2]

    @property
    def residual_rate(self) -> np.ndarray:
        """(n, equations) φ̇."""
        return self._swept[3]

    def _axes(self) -> np.ndarray:
        joint = self.run.mechanism.joints[self.joint.through[0]] if self.joint.through else self.joint
        return joint.kind.axes(self.run.model.dim)

    def _total(self, side: str) -> tuple[np.ndarray, np.ndarray]:
        if side == "a" and self.joint.kind.grounded:  # such a kind has no points on the ground, which bears what b feels all the same
            force, moment = super()._total("b")
            a, b = self.markers
            return -force, -moment - np.cross(self._point(b) - self._point(a), force)
        return super()._total(side)

    @property
    def multipliers(self) -> np.ndarray:
        """(n, equations)."""
        return self.run.samples["lam"][:, self.row.equations]

    @property
    def violation(self) -> np.ndarray:
        """(n,) largest residual of the joint's equations."""
        return np.abs(self.residual).max(axis=1)

    @cached_property
    def moves(self) -> tuple[bool, bool]:
        """Whether the joint lets b turn about its axis, and whether it lets b's point go anywhere; imposed motions do.

        With a held still, b is turned about the axis and shifted: what the equations do not notice, G δx = 0, is free. A screw turns as it
        goes. Equations of velocities leave positions free. What couples joints has no b.
        """
        dim = self.run.model.dim
        if self.joint.through:
            return False, False
        if self.joint.kind.signals(dim) or not len(self.run):
            return True, True
        G, on_b = self.run.sweeper.gradient(self.row)[self.run.model.arrays["level"][self.row.equations] == 0], self.sides == "b"
        arms = _lift(self.positions[0]) - np.where(self.is_point[:, None], self._point(self.markers[1])[0], 0.0)
        turning = np.where(on_b[:, None], np.cross(self._relative[2][0, :, 2], arms), 0.0)
        shifting = [np.outer(on_b & self.is_point, direction) for direction in np.eye(3)[:dim]]
        noticed = np.array([np.einsum("cek,ek->c", G, change[:, :dim]) for change in (turning, *shifting)])
        if not noticed.size or not np.isfinite(noticed).all():  # nothing to notice, or a run that broke off at once
            return True, True
        parts, sizes, _ = np.linalg.svd(noticed)
        free = np.abs(parts[:, int(np.sum(sizes > 1e-9)) :]).max(axis=1, initial=0.0) > 1e-9  # in any combination that is free
        return bool(free[0]), bool(free[1:].any())

    def _has_motion(self) -> None:
        if self.joint.through:
            one, other = self.joint.through
            raise DescriptionError(
                f"joint '{self.name}' couples the joints '{one}' and '{other}' and has no angle or displacement of its own. Ask for theirs."
            )

    @cached_property
    def _relative(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rotation of b's marker in a's (n, 3, 3), position of b's point from a's in a's axes (n, 3), and a's axes (n, 3, 3)."""
        self._has_motion()
        a, b = self.markers
        own = self._axes()
        A = self.run.rotation_of(a.body) @ a.basis @ own
        B = self.run.rotation_of(b.body) @ b.basis @ own
        gap = self._point(b) - self._point(a)
        return np.einsum("nji,njk->nik", A, B), np.einsum("nji,nj->ni", A, gap), A

    @cached_property
    def angle(self) -> np.ndarray:
        """(n,) rotation of b relative to a about the joint's axis [rad], zero in the described configuration, continuous over turns."""
        wound, *rates = self._wound
        return unwound(wound, tuple(rates), self.run.time, self._title())

    @property
    def _wound(self) -> tuple[np.ndarray, ...]:
        """The angle up to whole turns, and its rates."""
        return _twist(self._relative[0]), *self._turning

    def zero_shift(self, before: JointResult) -> float:
        """What to add to the angle to count it from where ``before`` counts it: from the configuration that was described then.

        Zero if the description is the same, and if the joint is between other bodies or about another axis, where nothing goes on.
        """
        (a, b), (old_a, old_b), own = self.markers, before.markers, before._axes()
        same = (a.body, b.body) == (old_a.body, old_b.body)
        if not same or all(np.array_equal(x.basis @ self._axes(), y.basis @ own) for x, y in ((a, old_a), (b, old_b))):
            return 0.0
        A = self.run.rotation_of(a.body)[:1] @ old_a.basis @ own
        B = self.run.rotation_of(b.body)[:1] @ old_b.basis @ own
        R, _, axes = self._relative
        if float(A[0, :, 2] @ axes[0, :, 2]) < 1 - 1e-9:
            return 0.0
        return float((_twist(np.einsum("nji,njk->nik", A, B)) - _twist(R[:1]))[0])

    @cached_property
    def displacement(self) -> np.ndarray:
        """(n, dim) position of b's point from a's, in joint axes [m]: in space the last is along the axis, in the plane the first."""
        return self._relative[1][:, : self.run.model.dim]

    @cached_property
    def _moving(self) -> tuple[np.ndarray, np.ndarray]:
        """(3, n, 1 + dim, dim) each: x, ẋ, ẍ of the joint's point and of its axes, on a and on b."""
        self._has_motion()
        dim, own = self.run.model.dim, self._axes()
        found = []
        for marker in self.markers:
            axes = marker.basis @ own
            elements = [(True, marker.local), *((False, axes[:, i]) for i in range(dim))]
            if marker.body == GROUND:
                still = np.array([local[:dim] for _, local in elements])
                found.append(np.array([np.broadcast_to(x, (len(self.run), *still.shape)) for x in (still, 0 * still, 0 * still)]))
            else:
                found.append(np.array(self.run[marker.body].probe(elements)))
        return found[0], found[1]

    @cached_property
    def _turning(self) -> tuple[np.ndarray, np.ndarray]:
        """θ̇ and θ̈ of θ = atan2(a₂·b₁ − a₁·b₂, a₁·b₁ + a₂·b₂), which is the angle also where a joint lets b tilt."""
        (a1, a2), (b1, b2) = ((side[:, :, 1], side[:, :, 2]) for side in self._moving)
        return angle_rates(scalar(a2, b1) - scalar(a1, b2), scalar(a1, b1) + scalar(a2, b2))

    @property
    def angular_velocity(self) -> np.ndarray:
        """(n,) rate of the angle [rad/s]."""
        return self._turning[0]

    @property
    def angular_acceleration(self) -> np.ndarray:
        """(n,) second rate of the angle [rad/s²]; from the equations of motion, not by differences."""
        return self._turning[1]

    @cached_property
    def _sliding(self) -> np.ndarray:
        """(3, n, dim) components of the gap along the axes of a, and their rates."""
        a, b = self._moving
        gap = b[:, :, 0] - a[:, :, 0]
        return np.stack([scalar(a[:, :, 1 + i], gap) for i in range(self.run.model.dim)], axis=2)

    @property
    def velocity(self) -> np.ndarray:
        """(n, dim) rate of the displacement, in joint axes [m/s]: in space the last is along the axis, in the plane the first."""
        return self._sliding[1]

    @property
    def acceleration(self) -> np.ndarray:
        """(n, dim) second rate of the displacement, in joint axes [m/s²]; from the equations of motion, not by differences."""
        return self._sliding[2]


class ImposedResult(JointResult):
    """Results of an imposed motion whose one multiplier is the effort it takes."""

    quantities = (*JointResult.quantities, "output")

    @property
    def output(self) -> np.ndarray:
        """(n,) the torque of a on b about the axis [N·m], or the force on b along it [N]."""
        return self.multipliers[:, 0]

    @property
    def output_unit(self) -> str:
        """Unit of the output."""
        return self.joint.kind.output_unit or ""

    @property
    def named(self) -> list[str]:
        return ["output", *super().named]

    @property
    def tabled(self) -> list[str]:
        return ["output", *super().tabled]


def joint_result(run: Result, name: str) -> JointResult:
    """The results of a joint."""
    return (ImposedResult if run.mechanism.joints[name].kind.output_unit else JointResult)(run, name)


@explained_methods
class ForceResult(_Efforts):
    """Effort, energy and power of a force element."""

    what = "force"
    quantities = (*_Efforts.quantities, "output", "energy", "power")

    def __init__(self, run: Result, name: str) -> None:
        self.run = run
        self.name = name
        self.row = run.model.forces[name]
        self.description = run.mechanism.forces[name]
        self.markers = run.mechanism.markers(self.description)
        points = self.description.kind.elements(*self.markers, dim=run.model.dim)
        self.sides = np.array([p.side for p in points])
        self.is_point = np.array([p.is_point for p in points])

    @property
    def named(self) -> list[str]:
        return ["output", "energy", "power", "force", "moment"]

    @property
    def tabled(self) -> list[str]:
        return ["output", "energy", *self._shown_efforts]

    @property
    def output_unit(self) -> str:
        """What the kind declares as ``output_unit``; otherwise N·m if it acts on directions alone, N on points alone, unknown if on both.

        A force on one body has directions only to say which way it points.
        """
        declared = getattr(self.description.kind, "output_unit", None)
        if declared is not None:
            return declared
        on_last = self.is_point[self.sides == self.markers[-1].side]
        if not on_last.any():
            return "N·m"
        return "N" if on_last.all() or len(self.markers) == 1 else ""

    def _sweep(self) -> tuple[np.ndarray, ...]:
        return self.run.sweeper.forces(self.row.elements)

    @property
    def _own(self) -> np.ndarray:
        """(n, 5): energy, output, three powers."""
        return self._swept[2][:, self.row.index]

    def _axes(self) -> np.ndarray:
        joint = self.description.joint
        return np.eye(3) if joint is None else self.run.mechanism.joints[joint].kind.axes(self.run.model.dim)

    @property
    def energy(self) -> np.ndarray:
        """(n,) potential energy [J]."""
        return self._own[:, 0]

    @property
    def output(self) -> np.ndarray:
        """(n,) the element's scalar: tension of a spring [N], torque of a motor [N·m]…"""
        return self._own[:, 1]

    @property
    def power(self) -> np.ndarray:
        """(n, 3) power dissipated, of drives, of applied efforts [W]."""
        return self._own[:, 2:]


class _Measuring(ForceResult):
    """Results of a force whose law depends on a scalar of its elements."""

    @cached_property
    def _motion(self) -> np.ndarray:
        """(3, n, elements, dim) x, ẋ, ẍ of its elements."""
        return np.array(self.run.sweeper.elements(self.row.elements))

    @property
    def _measured(self) -> list[str]:
        return [name for name in self.quantities if name not in ForceResult.quantities]

    @property
    def named(self) -> list[str]:
        return [*super().named, *self._measured]

    @property
    def tabled(self) -> list[str]:
        return [*super().tabled, *self._measured]


class LengthForceResult(_Measuring):
    """A force along the line between two points: a spring."""

    quantities = (*ForceResult.quantities, "length", "length_rate")

    @property
    def _gap(self) -> np.ndarray:
        return self._motion[:, :, 1] - self._motion[:, :, 0]

    @property
    def length(self) -> np.ndarray:
        """(n,) distance of the two points [m]."""
        return np.linalg.norm(self._gap[0], axis=1)

    @property
    def length_rate(self) -> np.ndarray:
        """(n,) rate of the length [m/s]; zero where the points coincide and there is no direction between them."""
        gap, length = self._gap, self.length
        return np.sum(gap[0] * gap[1], axis=1) / np.where(length > 0.0, length, 1.0)


class AngleForceResult(_Measuring):
    """A torque that depends on the angle of b relative to a: a torsion spring, a motor, a limit or friction in a hinge."""

    quantities = (*ForceResult.quantities, "angle", "angular_velocity")

    @cached_property
    def _turn(self) -> tuple[np.ndarray, np.ndarray]:
        """s, c of the angle atan2(s, c) and their rates, (3, n) each; elements e₁, e₂ of a and e₁' of b."""
        e1, e2, u = (self._motion[:, :, i] for i in range(3))
        return scalar(e2, u), scalar(e1, u)

    @property
    def angle(self) -> np.ndarray:
        """(n,) as the force counts it, over many turns [rad]: nearest to where its memory (θ, θ̇, t, 1) lets expect it."""
        s, c = self._turn
        start = int(self.run.model.arrays["force_m"][self.row.index])
        counted, rate, time, known = self.run.samples["memory"][:, start : start + 4].T
        expected = counted + known * 0.5 * (rate + self.angular_velocity) * (self.run.time - time)
        raw = np.arctan2(s[0], c[0])
        return raw + 2 * np.pi * np.round((expected - raw) / (2 * np.pi))

    @property
    def angular_velocity(self) -> np.ndarray:
        """(n,) rate of the angle [rad/s]."""
        return angle_rates(*self._turn)[0]


class SlideForceResult(_Measuring):
    """A force that depends on the displacement of b relative to a along an axis: a linear motor, a limit or friction in a slide."""

    quantities = (*ForceResult.quantities, "displacement", "velocity")

    @cached_property
    def _slid(self) -> np.ndarray:
        """(3, n) t · (x_b − x_a) and its rates; elements t, P_a, P_b."""
        axis, a, b = (self._motion[:, :, i] for i in range(3))
        return scalar(axis, b - a)

    @property
    def displacement(self) -> np.ndarray:
        """(n,) of b's point from a's along the axis [m]."""
        return self._slid[0]

    @property
    def velocity(self) -> np.ndarray:
        """(n,) rate of the displacement [m/s]."""
        return self._slid[1]


_BY_MEASURE = {None: ForceResult, "length": LengthForceResult, "angle": AngleForceResult, "displacement": SlideForceResult}


def force_result(run: Result, name: str) -> ForceResult:
    """The results of a force, with what its law depends on."""
    return _BY_MEASURE[run.mechanism.forces[name].kind.measures](run, name)
