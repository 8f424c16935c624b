"""The moving picture of a mechanism as plain arrays, the common source of the HTML page, films and stills.

A :class:`Scene` knows nothing about mechanisms or solvers: bodies are outlines with a pose for each moment, the rest are moving points.
"""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bielle.errors import DescriptionError

__all__ = ["PALETTE", "Scene", "SceneBody", "SceneJoint", "SceneSpring", "SceneTrace", "complete", "polygon_normal"]

PALETTE = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#8a7fd1")
"""Okabe-Ito colours without black and yellow, which vanish on a dark or a light background; distinct to colour-blind readers."""

_NEEDED = {
    "segment": ("points",),
    "cylinder": ("points",),
    "capsule": ("points",),
    "box": ("size",),
    "sphere": ("centre", "radius"),
    "disc": ("centre", "radius"),
    "polygon": ("points",),
    "mesh": ("points", "faces"),
}
_DEFAULTS: dict[str, dict[str, Any]] = {
    "segment": {"radius": 0.0},
    "cylinder": {"radius": 0.0},
    "capsule": {"radius": 0.0},
    "box": {"position": [0.0, 0.0, 0.0], "rotation": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]},
    "sphere": {},
    "disc": {"normal": [0.0, 0.0, 1.0]},
    "polygon": {"thickness": 0.0},
    "mesh": {},
}
_SHAPES = {"size": (3,), "position": (3,), "rotation": (3, 3), "centre": (3,), "normal": (3,), "radius": (), "thickness": ()}


@dataclass(frozen=True)
class SceneBody:
    """A rigid outline and its pose (origin and body-to-world matrix) at each moment; without a colour it gets one of the palette."""

    name: str
    outline: list[dict]
    positions: np.ndarray
    rotations: np.ndarray
    color: str | None = None

    def shapes(self) -> list[dict]:
        """The outline with every field filled in; what is unknown or incomplete becomes a point at the origin of the body."""
        return [complete(primitive) for primitive in self.outline] or [{"kind": "point"}]


@dataclass(frozen=True)
class SceneJoint:
    """The place of a joint; ``ground`` says whether it holds a body to the ground (None: yes if it never moves)."""

    name: str
    kind: str
    positions: np.ndarray
    ground: bool | None = None

    @property
    def grounded(self) -> bool:
        """Whether the ground symbol is drawn."""
        if self.ground is not None:
            return self.ground
        return len(self.positions) > 1 and bool(np.ptp(self.positions, axis=0).max() <= 1e-9 * (1.0 + np.abs(self.positions).max()))


@dataclass(frozen=True)
class SceneSpring:
    """A spring between two moving points."""

    name: str
    start: np.ndarray
    end: np.ndarray


@dataclass(frozen=True)
class SceneTrace:
    """The path of a point, drawn as far as it has come."""

    label: str
    points: np.ndarray


@dataclass(frozen=True)
class Scene:
    """Everything that can be seen of a simulation; all arrays share the moments ``times`` as their first axis.

    ``up`` is the direction opposite to gravity and sets the camera of a spatial scene; a planar scene lies in z = 0.
    Positions that are not finite (a run that broke off) are left out of the picture.
    """

    title: str
    planar: bool
    times: np.ndarray
    bodies: list[SceneBody] = field(default_factory=list)
    joints: list[SceneJoint] = field(default_factory=list)
    springs: list[SceneSpring] = field(default_factory=list)
    traces: list[SceneTrace] = field(default_factory=list)
    up: np.ndarray = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))

    def __post_init__(self) -> None:
        """Turn sequences into arrays and refuse those that do not fit together."""
        times = np.asarray(self.times, dtype=float)
        if times.ndim != 1 or len(times) == 0 or not np.all(np.isfinite(times)) or np.any(np.diff(times) < 0):
            raise DescriptionError(f"Scene '{self.title}': times must be a non-empty increasing sequence, got an array {times.shape}.")
        up = np.asarray(self.up, dtype=float)
        if up.shape != (3,) or not np.all(np.isfinite(up)):
            raise DescriptionError(f"Scene '{self.title}': up must be three numbers, got {self.up!r}.")
        length = float(np.linalg.norm(up))
        # Without gravity nothing is "up"; z is what people draw upwards.
        up = up / length if length > 0 else np.array([0.0, 0.0, 1.0])

        def fit(item: Any, name: str, **shapes: tuple[int, ...]) -> Any:
            arrays = {key: np.asarray(getattr(item, key), dtype=float) for key in shapes}
            for key, array in arrays.items():
                if array.shape != (len(times), *shapes[key]):
                    wanted = (len(times), *shapes[key])
                    raise DescriptionError(f"Scene '{self.title}', '{name}': {key} must have the shape {wanted}, got {array.shape}.")
            return replace(item, **arrays)

        settle = object.__setattr__  # the only way to convert the fields of a frozen dataclass
        settle(self, "times", times)
        settle(self, "up", up)
        settle(self, "bodies", [fit(b, b.name, positions=(3,), rotations=(3, 3)) for b in self.bodies])
        settle(self, "joints", [fit(j, j.name, positions=(3,)) for j in self.joints])
        settle(self, "springs", [fit(s, s.name, start=(3,), end=(3,)) for s in self.springs])
        settle(self, "traces", [fit(t, t.label, points=(3,)) for t in self.traces])

    def clouds(self) -> list[tuple[np.ndarray, float]]:
        """World points of all moments in groups, each with the radius that surrounds its points; what is not finite is left out."""
        points = [j.positions for j in self.joints] + [t.points for t in self.traces]
        points += [end for s in self.springs for end in (s.start, s.end)]
        groups = [(cloud, 0.0) for cloud in points] + [group for body in self.bodies for group in _body_clouds(body)]
        groups = [(cloud[np.isfinite(cloud).all(axis=1)], radius) for cloud, radius in groups]
        return [group for group in groups if len(group[0])]

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """The two opposite corners of the box around everything at all moments (a unit cube when there is nothing)."""
        clouds = self.clouds()
        if not clouds:
            return np.full(3, -0.5), np.full(3, 0.5)
        low = np.min([cloud.min(axis=0) - radius for cloud, radius in clouds], axis=0)
        high = np.max([cloud.max(axis=0) + radius for cloud, radius in clouds], axis=0)
        if self.planar:  # the thickness of a drawing is no height
            low[2] = high[2] = 0.0
        return low, high

    def at(self, times: Iterable[float]) -> "Scene":
        """The scene at other moments: points on the straight line between two samples, rotations on the shortest arc."""
        wanted = np.asarray(list(times) if not isinstance(times, np.ndarray) else times, dtype=float)
        first, last = self.times[0], self.times[-1]
        slack = 1e-9 * (1.0 + abs(first) + abs(last))
        outside = ~((wanted >= first - slack) & (wanted <= last + slack))
        if outside.any():
            raise DescriptionError(f"Scene '{self.title}': time {wanted[outside][0]:g} is outside {first:g} … {last:g}.")
        wanted = np.clip(wanted, first, last)
        # Two samples may share a moment (an event): the later one rules, so that the step never has zero length.
        before = np.clip(np.searchsorted(self.times, wanted, side="right") - 1, 0, len(self.times) - 1)
        after = np.minimum(before + 1, len(self.times) - 1)
        step = self.times[after] - self.times[before]
        part = np.divide(wanted - self.times[before], step, out=np.zeros_like(wanted), where=step > 0)

        def points(array: np.ndarray) -> np.ndarray:
            return array[before] + part[:, None] * (array[after] - array[before])

        def turns(array: np.ndarray) -> np.ndarray:
            if np.array_equal(array[before], array[after]):
                return array[before]
            start = _rotation(array[before])
            turn = (start.inv() * _rotation(array[after])).as_rotvec()
            return (start * type(start).from_rotvec(part[:, None] * turn)).as_matrix()

        return replace(
            self,
            times=wanted,
            bodies=[replace(b, positions=points(b.positions), rotations=turns(b.rotations)) for b in self.bodies],
            joints=[replace(j, positions=points(j.positions), ground=j.grounded) for j in self.joints],
            springs=[replace(s, start=points(s.start), end=points(s.end)) for s in self.springs],
            traces=[replace(t, points=points(t.points)) for t in self.traces],
        )

    def at_rate(self, fps: float, speed: float = 1.0) -> "Scene":
        """The scene in equal steps for a film of ``fps`` pictures a second played ``speed`` times as fast as in reality.

        The first and the last moment are kept, so the rate is met up to half a picture over the whole film.
        """
        for name, value in (("fps", fps), ("speed", speed)):
            if not (value > 0 and math.isfinite(value)):
                raise DescriptionError(f"Scene '{self.title}': {name} must be a positive number, got {value!r}.")
        duration = float(self.times[-1] - self.times[0])
        count = max(2, round(duration / speed * fps) + 1) if duration > 0 else 1
        return self.at(np.linspace(self.times[0], self.times[-1], count))

    def colors(self) -> list[str]:
        """The colour of each body."""
        return [body.color or PALETTE[i % len(PALETTE)] for i, body in enumerate(self.bodies)]

    def trace_colors(self) -> list[str]:
        """The colour of each trace: the first ones no body uses."""
        return [PALETTE[(len(self.bodies) + i) % len(PALETTE)] for i in range(len(self.traces))]

    def frame(self) -> np.ndarray:
        """Two horizontal directions and ``up``, as the rows of a right-handed rotation: the stand of the camera."""
        seed = np.eye(3)[int(np.argmin(np.round(np.abs(self.up), 9)))]
        first = seed - self.up * (seed @ self.up)
        first /= np.linalg.norm(first)
        return np.array([first, np.cross(self.up, first), self.up])

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, numbers and strings, rounded to a millionth of the size of the scene (which nobody can see).

        Points are flat lists x, y, z, x, y, z, …, rotations quaternions x, y, z, w, …; what never moves is written once. None: not finite.
        """
        low, high = self.bounds()
        digits = 6 - math.floor(math.log10(max(float((high - low).max()), 1e-12)))

        def flat(array: np.ndarray, places: int = digits) -> list:
            rows = array[:1] if len(array) and np.array_equal(array, np.broadcast_to(array[:1], array.shape)) else array
            return _plain(rows.ravel(), places)

        def turns(array: np.ndarray) -> list:
            return flat(_rotation(array).as_quat(), 6)

        span = max(float(np.ptp(self.times)), 1e-12)
        return {
            "title": self.title,
            "planar": bool(self.planar),
            "frame": [_plain(row, 6) for row in self.frame()],
            "bounds": [_plain(low, digits), _plain(high, digits)],
            "palette": list(PALETTE),
            "times": _plain(self.times, 7 - math.floor(math.log10(span))),
            "bodies": [
                {
                    "name": b.name,
                    "color": color,
                    "outline": [_rounded(shape, digits) for shape in b.shapes()],
                    "positions": flat(b.positions),
                    "rotations": turns(b.rotations),
                }
                for b, color in zip(self.bodies, self.colors())
            ],
            "joints": [{"name": j.name, "kind": j.kind, "ground": j.grounded, "positions": flat(j.positions)} for j in self.joints],
            "springs": [{"name": s.name, "start": flat(s.start), "end": flat(s.end)} for s in self.springs],
            "traces": [{"label": t.label, "color": c, "points": flat(t.points)} for t, c in zip(self.traces, self.trace_colors())],
        }

    def to_json(self) -> str:
        """:meth:`to_dict` as compact pure-ASCII JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"), allow_nan=False)


def polygon_normal(points: np.ndarray) -> np.ndarray:
    """The unit normal of a flat polygon by Newell's sum, which also holds for concave ones (z when it has no area)."""
    normal = np.cross(points, np.roll(points, -1, axis=0)).sum(axis=0)
    length = np.linalg.norm(normal)
    return normal / length if length > 0 else np.array([0.0, 0.0, 1.0])


def complete(primitive: dict) -> dict:
    """A primitive with defaults filled in, as plain floats; a point if it is of an unknown kind or cannot be drawn."""
    kind = primitive.get("kind")
    if kind not in _NEEDED or any(primitive.get(key) is None for key in _NEEDED[kind]):
        return {"kind": "point"}
    shape: dict[str, Any] = {"kind": kind}
    keys = (*_NEEDED[kind], *_DEFAULTS[kind])
    for key in keys:
        value = primitive.get(key)
        array = np.asarray(_DEFAULTS[kind][key] if value is None else value, dtype=float)
        if key == "points":
            fits = array.ndim == 2 and array.shape[1] == 3 and (len(array) >= 3 if kind in ("polygon", "mesh") else len(array) == 2)
        elif key == "faces":  # triangles: numbers of their points
            array = array.astype(int)
            fits = array.ndim == 2 and array.shape[1] == 3 and array.size > 0 and array.min() >= 0 and array.max() < len(shape["points"])
        else:
            fits = array.shape == _SHAPES[key]
        if not fits or not np.all(np.isfinite(array)):
            return {"kind": "point"}
        shape[key] = array.tolist()
    return shape


def _body_clouds(body: SceneBody) -> list[tuple[np.ndarray, float]]:
    """World points of a body over all times, in groups with the radius that surrounds them."""
    clouds = []
    for shape in body.shapes():
        if shape["kind"] == "box":
            corners = np.array([[i, j, k] for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)]) * shape["size"]
            points, radius = corners @ np.array(shape["rotation"]).T + shape["position"], 0.0
        elif "points" in shape:
            points, radius = np.array(shape["points"]), shape.get("radius", 0.5 * shape.get("thickness", 0.0))
        else:
            points, radius = np.array([shape.get("centre", [0.0, 0.0, 0.0])]), shape.get("radius", 0.0)
        with np.errstate(invalid="ignore"):  # not finite: sorted out by the caller
            world = np.einsum("tij,pj->tpi", body.rotations, points) + body.positions[:, None, :]
        clouds.append((world.reshape(-1, 3), abs(radius)))
    return clouds


def _rotation(matrices: np.ndarray) -> Any:
    """Rotations of matrices; those that are not finite belong to positions that are not drawn and count as unturned."""
    from scipy.spatial.transform import Rotation  # here: it takes long to import, and the studio needs none of it for its first picture

    broken = np.asarray(~np.isfinite(matrices).all(axis=(1, 2)))
    return Rotation.from_matrix(np.where(broken[:, None, None], np.eye(3), matrices))


def _plain(values: np.ndarray, places: int) -> list:
    """Rounded numbers, whole ones as integers (shorter), those that are not finite as None."""
    rounded = np.round(np.asarray(values, dtype=float), places).tolist()
    return [None if not math.isfinite(v) else int(v) if v.is_integer() else v for v in rounded]


def _rounded(shape: Any, places: int) -> Any:
    """A primitive with its numbers rounded."""
    if isinstance(shape, dict):
        return {key: value if key in ("kind", "faces") else _rounded(value, places) for key, value in shape.items()}
    if isinstance(shape, list):
        return [_rounded(value, places) for value in shape]
    return _plain(np.array([shape]), places)[0]
