"""Moving pictures of a run: the scene of a result, and files and notebooks that show it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls import explained
from ..errors import DescriptionError, unknown, warn
from ..joints.gear import SLIDING
from ..joints.rotor import unseen
from ..mechanism.description import GROUND, Body, Force, Joint, Marker
from ..mechanism.vectors import triad
from . import draw, player
from .outlines import Outline, body_outlines, frame_outlines
from .output import checked_path, replacing
from .scene import PALETTE, Scene, SceneBody, SceneJoint, SceneSpring, SceneTrace

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from .record import Record
    from .result import Result

__all__ = ["ENDINGS", "animate", "fitting_size", "notebook", "scene"]

ENDINGS = (".html", ".gif", ".mp4", ".png")  #: formats of :func:`animate`
_STEEL = "#8b96a3"  # of rails and massless rods
_PIXELS = {".gif": 640 * 480, ".png": 960 * 720}
_LONG = ("segment", "cylinder", "capsule")  # primitives that have two ends
_THIN = 0.005  # radius of the thinnest rods in terms of the size of the picture
_NOTEBOOK = 600_000  # characters a notebook may grow by when it shows a result


# -- files and notebooks


@explained
def animate(
    result: Record,
    path: str | PathLike[str],
    fps: float | None = None,
    speed: float = 1.0,
    size: tuple[int, int] | None = None,
    traces: Sequence[Any] | None = None,
    progress: bool | Callable[[float], None] | None = None,
) -> Path:
    """Write a moving picture and return its path; the ending decides the format.

    .html   plays in any browser, without a network; one can turn, zoom and change the speed
    .gif    film for documents
    .mp4    film for talks; needs ffmpeg (or the package imageio-ffmpeg)
    .png    still with twelve moments on top of each other

    fps       pictures per second of a film (25 for .gif, 30 for .mp4)
    speed     how many times as fast as in reality; 0.1 is slow motion
    size      width and height in pixels, of films and stills; None: in the proportions of the mechanism
    traces    points whose paths are drawn, see :func:`scene`; () for none
    progress  True: a bar; or a function called with the fraction done
    """
    target, ending = checked_path(path, ENDINGS)
    for name, value in (("fps", fps), ("speed", speed)):
        if value is not None and not (isinstance(value, int | float | np.number) and value > 0 and math.isfinite(value)):
            raise DescriptionError(f"{name} must be a positive number, got {value!r:.80}.")
    options: dict[str, Any] = {"fps": fps, "speed": speed, "size": _checked_size(size)}
    unfit = {".html": ("size",), ".png": ("fps",)}.get(ending, ())
    for name in unfit:
        if options.pop(name) is not None:
            raise DescriptionError(f"{name} means nothing for {ending} files. Leave it out, or write a .gif or .mp4 file.")
    picture = scene(result, traces)
    if ending == ".html":
        duration = float(picture.times[-1] - picture.times[0])
        # Slow motion and short runs need more moments per second; the page has room for thousands.
        options["fps"] = fps or max(60.0, 60.0 / speed, 600.0 / duration if duration > 0 else 0.0)
        options["speed"] = None if speed == 1.0 else speed
    if ending == ".png":
        del options["speed"]
    if ending in _PIXELS and size is None:
        options["size"] = fitting_size(picture, _PIXELS[ending])
    write: Any = {".html": player.write_html, ".gif": draw.write_gif, ".mp4": draw.write_mp4, ".png": draw.write_strobe}[ending]
    given = {name: value for name, value in options.items() if value is not None}
    with replacing(target) as temporary, _reporting(progress) as report:
        write(picture, temporary, progress=report, **given)
    return target


def notebook(result: Record) -> str:
    """What a notebook shows of a result: a summary, and the animation unless it would be too large."""
    summary = f"<pre>{escape(repr(result))}</pre>"
    if len(result) < 2:
        return summary
    picture = scene(result)
    per_frame = 64 * len(picture.bodies) + 32 * (len(picture.joints) + 2 * len(picture.springs) + 1)
    frames = min(_NOTEBOOK // per_frame, 1000)
    if frames < 100:
        return summary
    page = player.html(picture, fps=math.inf, frames=frames)
    style = "width:100%;height:460px;border:0;border-radius:8px"
    return f'{summary}<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="{escape(picture.title)}" style="{style}"></iframe>'


def fitting_size(picture: Scene, pixels: int) -> tuple[int, int]:
    """Width and height of so many pixels in the proportions of a planar scene, within reason; 4:3 in space."""
    low, high = picture.bounds()
    width, height = (high - low)[:2] + 0.12 * max(float(np.linalg.norm(high - low)), 1e-9)  # the margin of the drawing
    ratio = float(np.clip(width / height, 0.75, 2.0)) if picture.planar else 4 / 3
    return round(math.sqrt(pixels * ratio)), round(math.sqrt(pixels / ratio))


def _checked_size(size: Any) -> tuple[int, int] | None:
    if size is None:
        return None
    try:
        width, height = (int(x) for x in size)
    except (TypeError, ValueError):
        raise DescriptionError(f"size must be width and height in pixels, got {size!r:.80}.") from None
    if not (16 <= width <= 16384 and 16 <= height <= 16384):
        raise DescriptionError(f"size must be 16 to 16384 pixels in both directions, got {width} × {height}.")
    return width, height


@contextmanager
def _reporting(progress: bool | Callable[[float], None] | None) -> Iterator[Callable[[float], None] | None]:
    """What the writers call with the fraction done."""
    if callable(progress) or not progress:
        yield progress if callable(progress) else None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("drawing"), BarColumn(), TextColumn("{task.percentage:>5.1f}%"), TextColumn("left"), TimeRemainingColumn())
    with Progress(*columns, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


# -- the scene


def scene(result: Record, traces: Sequence[Any] | None = None) -> Scene:
    """The moving picture of a result as plain arrays.

    traces  points whose paths are drawn: the name of a body (its centre of mass, or the free end of a rod), of a frame, a pair (body,
            point in its frame), or a ``result[body].point(…)``. None: that of the body that is the most joints away from the ground
    """
    if not len(result):
        raise DescriptionError("There is nothing to show: the result has no samples.")
    return _Stage(result).scene(traces)


@dataclass(frozen=True)
class _Look:
    """A component, and when it was there and looked like this."""

    name: str
    component: Any
    segment: Result  #: one of those in which it does
    there: np.ndarray  #: (n,) of truth


class _Stage:
    """Turns the components of a result into what can be seen.

    All arrays are over the samples of the whole result; what is not there at a moment is not a number then, which is not drawn.
    What was changed so that it looks different is another thing to see, and so is there once for each look.
    """

    def __init__(self, result: Record) -> None:
        self.result = result
        self.planar, self.dim = result.mechanism.planar, result.mechanism.dim
        self.count = len(result)
        self.poses: dict[str, tuple[np.ndarray, np.ndarray]] = {}  # of all bodies that ever were: positions, rotations
        for segment, span in zip(result.segments, result.spans):
            for name, row in segment.model.bodies.items():
                position, rotation = self.poses.setdefault(name, (np.full((self.count, 3), np.nan), np.full((self.count, 3, 3), np.nan)))
                position[span], rotation[span] = row.kind.pose(segment.samples["q"][:, row.q])
        self.unseen = {id(segment): unseen(segment.mechanism) for segment in result.segments}
        looks = self._looks("bodies", lambda segment, body: (body.shape, body.color, body.visuals, self._seen(segment, body)))
        names = dict.fromkeys(look.name for look in sorted(looks, key=lambda look: not self._seen(look.segment, look.component)))
        colors = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(names)}
        shown = {look.name: look.component.color or colors[look.name] for look in looks}
        self.bodies: list[SceneBody] = []
        self.outlines: dict[str, list[dict[str, Any]]] = {}  # of each body, as it looked at first
        self.unread: dict[str, str] = {}  # meshes that are not drawn, and why
        for look in looks:
            body = look.component
            outlines = body_outlines(look.segment.mechanism, body, self.unread) if self._seen(look.segment, body) else []
            self.outlines.setdefault(look.name, [primitive for primitive, _ in outlines])
            self._add_body(look, look.name, look.name, outlines, body.color or colors[look.name])
        for look in self._looks("frames", lambda segment, frame: frame):
            frame = look.component
            outlines = frame_outlines(look.segment.mechanism, frame, self.unread)
            self._add_body(look, frame.body, "", outlines, shown.get(frame.body, _STEEL))
        if self.unread:
            listed = "; ".join(f"'{name}' {reason}" for name, reason in self.unread.items())
            warn(
                f"Meshes that are not drawn: {listed}. "
                "Bodies that lose all their visuals by it show their collisions, or lines to their joints."
            )
        low, high = Scene("", self.planar, result.time, self.bodies).bounds()
        self.size = float(np.linalg.norm(high - low))
        self.rails: set[tuple[Any, ...]] = set()

    def _add_body(self, look: _Look, body: str, label: str, outlines: list[Outline], color: str) -> None:
        """What is seen of a body: one thing for each colour of its outlines, the first of them with its name."""
        position, rotation = self._during(look.there, *self.poses[body])
        by_color: dict[str, list[dict[str, Any]]] = {}
        for primitive, own in outlines:
            by_color.setdefault(own or color, []).append(primitive)
        for own, group in by_color.items():
            self.bodies.append(SceneBody(label, group, position, rotation, own))
            label = ""

    def scene(self, traces: Sequence[Any] | None) -> Scene:
        bodies = [replace(body, outline=[self._visible(primitive) for primitive in body.outline]) for body in self.bodies]
        joints, links = [], []
        for look in self._looks("joints", lambda segment, joint: (*_grip_and_axis(segment, joint), self._seen(segment, joint))):
            if look.component.through or not self._seen(look.segment, look.component):
                continue  # what couples joints is nowhere
            symbols, link = self._joint(look)
            joints += symbols
            links += link
        up = np.zeros(3)
        up[: self.dim] = next((-np.array(s.mechanism.gravity) for s in self.result.segments if any(s.mechanism.gravity)), 0.0)
        chosen = self._default_traces() if traces is None else [self._trace(trace) for trace in traces]
        title = self.result.mechanism.name
        # Rails and rods come first, so that the bodies of a planar picture lie on them.
        return Scene(title, self.planar, self.result.time, [*self._planes(), *links, *bodies], joints, self._springs(), chosen, up)

    def _looks(self, table: str, aspect: Callable[[Result, Any], Any]) -> list[_Look]:
        """The components of a table, each once for every look it had: looks with the same ``aspect`` are one."""
        found: dict[str, list[tuple[Any, _Look]]] = {}
        for segment, span in zip(self.result.segments, self.result.spans):
            for name, component in getattr(segment.mechanism, table).items():
                own, known = aspect(segment, component), found.setdefault(name, [])
                look = next((look for other, look in known if other == own), None)
                if look is None:
                    look = _Look(name, component, segment, np.zeros(self.count, dtype=bool))
                    known.append((own, look))
                look.there[span] = True
        return [look for known in found.values() for _, look in known]

    def _seen(self, segment: Result, component: Body | Joint) -> bool:
        """Whether a body or joint is drawn at all."""
        return component.name not in self.unseen[id(segment)]

    def _during(self, there: np.ndarray, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
        """Arrays (n, …) as they are while a component is there, and not a number otherwise."""
        return tuple(np.where(there.reshape(-1, *[1] * (array.ndim - 1)), array, np.nan) for array in arrays)

    def _visible(self, primitive: dict[str, Any]) -> dict[str, Any]:
        """Thin rods are drawn thick enough to be seen: their radius serves their inertia and is often nominal."""
        if primitive["kind"] != "segment":
            return primitive
        return primitive | {"radius": max(primitive["radius"], _THIN * self.size)}

    # -- points

    def _point(self, body: str, local: np.ndarray) -> np.ndarray:
        """(n, 3) where a point of a body is."""
        position, rotation = self.poses[body]
        with np.errstate(invalid="ignore", over="ignore"):  # a run that broke off
            return position + rotation @ local

    # -- joints, springs

    def _joint(self, look: _Look) -> tuple[list[SceneJoint], list[SceneBody]]:
        """The symbols of a joint, and the rod or rail that belongs to it."""
        joint = look.component
        a, b = look.segment.mechanism.markers(joint)
        tag = str(joint.kind.__struct_config__.tag)
        start, end = self._during(look.there, self._point(a.body, a.local), self._point(b.body, b.local))
        gap = np.linalg.norm(end - start, axis=1)
        seen = gap[np.isfinite(gap)]
        near = 1e-6 * (1e-3 + self.size)
        points = joint.kind.elements(a, b, self.dim)
        if {point.side for point in points} == {"a", "b"} and all(p.is_point for p in points) and len(seen) and seen.min() > near:
            # only points, and apart: what keeps them so looks like a rod
            sides = zip((a, b), (start, end))
            return [SceneJoint(joint.name, tag, place, side.body == GROUND) for side, place in sides], [self._rod(start, end)]
        held = GROUND in (a.body, b.body) and not (seen > near).any() and not self._would_slide(joint)
        return [SceneJoint(joint.name, tag, start if b.body == GROUND and held else end, held)], self._rail(joint, a, end - start, near)

    def _would_slide(self, joint: Joint) -> bool:
        """Whether a joint that stands still is known to be a slide all the same: there is one moment only."""
        return self.count == 1 and joint.kind.motion in SLIDING

    def _rod(self, start: np.ndarray, end: np.ndarray) -> SceneBody:
        """A massless rod: a segment along its own x axis."""
        along = end - start
        length = np.linalg.norm(along, axis=1, keepdims=True)
        x = np.divide(along, length, out=np.tile([1.0, 0.0, 0.0], (self.count, 1)), where=length > 0)
        # In the plane, and wherever the rod is not upright, the second axis is the horizontal one.
        upright = np.abs(x[:, 2:]) > 0.9
        y = np.cross(np.where(upright, [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]), x)
        y /= np.linalg.norm(y, axis=1, keepdims=True)
        return SceneBody(
            "",
            [self._line([0.0, 0.0, 0.0], [float(np.nanmean(length)), 0.0, 0.0])],
            start,
            np.stack([x, y, np.cross(x, y)], axis=-1),
            _STEEL,
        )

    def _rail(self, joint: Joint, a: Marker, gap: np.ndarray, near: float) -> list[SceneBody]:
        """The line along which a joint slides, as long as it slides and somewhat longer; fixed to a. None if it does not slide."""
        axis = _axis(joint, a, self.dim)
        if axis is None:
            return []
        there = np.isfinite(gap[:, 0])
        position, rotation = self._during(there, *self.poses[a.body])
        with np.errstate(invalid="ignore"):
            along = rotation @ axis
            travel = np.sum(along * gap, axis=1)
            aside = np.linalg.norm(gap - travel[:, None] * along, axis=1)
        travel, aside = travel[np.isfinite(travel)], aside[np.isfinite(aside)]
        still = self._would_slide(joint)
        if not len(travel) or (np.ptp(travel) <= near and not still) or aside.max() > near:
            return []
        margin = 0.1 * float(np.ptp(travel)) + (0.15 if still else 0.04) * self.size
        ends = [(a.local + place * axis).tolist() for place in (float(travel.min()) - margin, float(travel.max()) + margin)]
        known = (a.body, there.tobytes(), *(round(x / near) for end in ends for x in end))
        if known in self.rails:  # a guide and the motion imposed along it share one
            return []
        self.rails.add(known)
        return [SceneBody("", [self._line(*ends)], position, rotation, _STEEL)]

    def _line(self, start: list[float], end: list[float]) -> dict[str, Any]:
        return {"kind": "segment", "points": [start, end], "radius": 0.4 * _THIN * self.size}

    def _planes(self) -> list[SceneBody]:
        """What points lie on: in the plane a line, in space a sheet, as far as the point gets and somewhat further."""
        found = []
        for look in self._looks("forces", _grip):
            kind = look.component.kind
            if not hasattr(kind, "plane"):
                continue
            a, b = look.segment.mechanism.markers(look.component)
            origin, normal = kind.plane(a, self.dim)
            position, rotation = self._during(look.there, *self.poses[a.body])
            with np.errstate(invalid="ignore"):
                over = np.einsum("nji,nj->ni", rotation, self._point(b.body, b.local) - position) - origin  # in the frame of a
            across = triad(normal)[:, :2] if not self.planar else np.array([[-normal[1]], [normal[0]], [0.0]])
            travel = over[np.isfinite(over[:, 0])] @ across
            low, high = travel.min(axis=0) - 0.25 * self.size, travel.max(axis=0) + 0.25 * self.size
            known = (a.body, look.there.tobytes(), *(round(x / (1e-6 * self.size)) for x in (*origin, *normal)))
            if known in self.rails:  # several points on one plane
                continue
            self.rails.add(known)
            if self.planar:
                outline = self._line((origin + across @ low).tolist(), (origin + across @ high).tolist())
            else:
                centre = origin + across @ (0.5 * (low + high)) - _THIN * self.size * normal
                size = [*(high - low).tolist(), 2 * _THIN * self.size]
                outline = {"kind": "box", "size": size, "position": centre.tolist(), "rotation": triad(normal).tolist()}
            found.append(SceneBody("", [outline], position, rotation, _STEEL))
        return found

    def _springs(self) -> list[SceneSpring]:
        """Forces whose law depends on the distance of two points. What else acts between two bodies has no form."""
        found = []
        for look in self._looks("forces", _grip):
            if look.component.kind.measures == "length":
                a, b = look.segment.mechanism.markers(look.component)
                start, end = self._during(look.there, self._point(a.body, a.local), self._point(b.body, b.local))
                found.append(SceneSpring(look.name, start, end))
        return found

    # -- traces

    def _trace(self, trace: Any) -> SceneTrace:
        bodies = [name for name in self.poses if name != GROUND]
        if hasattr(trace, "local"):  # a point of a body, as result[body].point(…) gives it
            return self._material(trace.name, trace.local)
        if isinstance(trace, tuple | list) and len(trace) == 2:
            body = trace[0] if isinstance(trace[0], str) else getattr(trace[0], "name", repr(trace[0]))
            if body not in bodies:
                raise unknown("body", body, bodies, "traces")
            return self._material(body, self.result[body].point(trace[1]).local)
        name = trace if isinstance(trace, str) else getattr(trace, "name", repr(trace))
        if name in bodies:
            return SceneTrace(name, self._point(name, self._end(name)))
        looks = self._looks("frames", lambda segment, frame: frame)
        places = [(look.there, self._point(look.component.body, look.component.pose.position)) for look in looks if look.name == name]
        if not places:
            raise unknown("body or frame", name, [*bodies, *(look.name for look in looks)], "traces")
        path = np.full((self.count, 3), np.nan)
        for there, points in places:
            path[there] = points[there]
        return SceneTrace(name, path)

    def _material(self, body: str, local: np.ndarray) -> SceneTrace:
        where = ", ".join(f"{x:.4g}" for x in local[: self.dim])
        return SceneTrace(f"{body} ({where})", self._point(body, local))

    def _default_traces(self) -> list[SceneTrace]:
        depth = self._depths()
        if not depth:
            return []
        farthest = max(depth.values())
        return [self._trace(next(name for name in reversed(depth) if depth[name] == farthest))]

    def _depths(self) -> dict[str, int]:
        """How many joints away from the ground each body that is seen is, at most; what is not connected counts as one."""
        farthest: dict[str, int] = {}
        for segment in self.result.segments:
            for name, depth in _depths(segment.mechanism).items():
                if name not in self.unseen[id(segment)]:
                    farthest[name] = max(depth, farthest.get(name, 0))
        return farthest

    def _end(self, name: str) -> np.ndarray:
        """The point of a body (3,) whose path is drawn: the end of a rod that no joint holds, or else its centre of mass."""
        m = next(segment.mechanism for segment in self.result.segments if name in segment.mechanism.bodies)
        centre = m.bodies[name].shape.mass_properties().centre
        markers = [marker for joint in m.joints.values() for marker in m.markers(joint)]
        held = np.array([marker.local for marker in markers if marker.body == name])
        ends = [np.array(point) for primitive in self.outlines[name] if primitive["kind"] in _LONG for point in primitive["points"]]
        if not len(held) or not ends:
            return centre
        distances = [float(np.linalg.norm(held - point, axis=1).min()) for point in ends]
        farthest = max(distances)
        if farthest <= 1e-6 * float(np.ptp(ends, axis=0).max()):  # joints at both
            return centre
        return next(end for end, distance in zip(ends, distances) if distance > (1 - 1e-6) * farthest)


def _axis(joint: Joint, a: Marker, dim: int) -> np.ndarray | None:
    """The direction (3,) in the frame of a along which a joint slides, if at all; None if it has none."""
    if not hasattr(joint.kind, "axis") and not hasattr(joint.kind, "direction"):
        return None
    return a.basis @ joint.kind.axes(dim)[:, 0 if dim == 2 else 2]


def _grip(segment: Result, component: Joint | Force) -> tuple[Any, ...]:
    """What the look of a joint or force depends on: its kind, and where it holds on to which bodies, up to rounding."""
    markers = segment.mechanism.markers(component)
    return type(component.kind), *((marker.body, *np.round(marker.local, 9).tolist()) for marker in markers)


def _grip_and_axis(segment: Result, joint: Joint) -> tuple[Any, ...]:
    """The same of a joint, which may also have a rail."""
    axis = _axis(joint, segment.mechanism.markers(joint)[0], segment.mechanism.dim)
    return *_grip(segment, joint), None if axis is None else tuple(np.round(axis, 9).tolist())


def _depths(m: Mechanism) -> dict[str, int]:
    """How many joints away from the ground each body of a mechanism is; what is not connected counts as one."""
    pairs = [tuple(marker.body for marker in m.markers(joint)) for joint in m.joints.values() if not joint.through]
    neighbours: dict[str, set[str]] = {}
    for one, other in pairs:
        neighbours.setdefault(one, set()).add(other)
        neighbours.setdefault(other, set()).add(one)
    depth, layer = {GROUND: 0}, [GROUND]
    while layer:
        layer = sorted({other for one in layer for other in neighbours.get(one, ()) if other not in depth})
        depth |= dict.fromkeys(layer, max(depth.values()) + 1)
    return {name: depth.get(name, 1) for name in m.bodies}
