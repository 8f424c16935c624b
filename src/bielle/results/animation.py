"""Moving pictures of a run: the scene of a result, and files and notebooks that show it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DescriptionError, unknown
from ..mechanism.description import GROUND, Joint, Marker
from . import draw, player
from .output import checked_path, replacing
from .quantities import PointResult
from .scene import PALETTE, Scene, SceneBody, SceneJoint, SceneSpring, SceneTrace

if TYPE_CHECKING:
    from .result import Result

__all__ = ["ENDINGS", "animate", "notebook", "scene"]

ENDINGS = (".html", ".gif", ".mp4", ".png")  #: formats of :func:`animate`
_STEEL = "#8b96a3"  # of rails and massless rods
_PIXELS = {".gif": 640 * 480, ".png": 960 * 720}
_THIN = 0.005  # radius of the thinnest rods in terms of the size of the picture
_NOTEBOOK = 600_000  # characters a notebook may grow by when it shows a result


# -- files and notebooks


def animate(
    result: Result,
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
        options["size"] = _fitting_size(picture, _PIXELS[ending])
    write: Any = {".html": player.write_html, ".gif": draw.write_gif, ".mp4": draw.write_mp4, ".png": draw.write_strobe}[ending]
    given = {name: value for name, value in options.items() if value is not None}
    with replacing(target) as temporary, _reporting(progress) as report:
        write(picture, temporary, progress=report, **given)
    return target


def notebook(result: Result) -> str:
    """What a notebook shows of a result: a summary, and the animation unless it would be too large."""
    summary = f"<pre>{escape(repr(result))}</pre>"
    if len(result) < 2:
        return summary
    m = result.mechanism
    per_frame = 64 * len(m.bodies) + 32 * (len(m.joints) + 2 * len(m.forces) + 1)
    frames = min(_NOTEBOOK // per_frame, 1000)
    if frames < 100:
        return summary
    page = player.html(scene(result), fps=math.inf, frames=frames)
    style = "width:100%;height:460px;border:0;border-radius:8px"
    return f'{summary}<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="{escape(m.name)}" style="{style}"></iframe>'


def _fitting_size(picture: Scene, pixels: int) -> tuple[int, int]:
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


def scene(result: Result, traces: Sequence[Any] | None = None) -> Scene:
    """The moving picture of a result as plain arrays.

    traces  points whose paths are drawn: the name of a body (its far end), of a frame, a pair (body, point in its frame), or a
            ``result[body].point(…)``. None: the far end of the body that is the most joints away from the ground
    """
    if not len(result):
        raise DescriptionError("There is nothing to show: the result has no samples.")
    return _Stage(result).scene(traces)


class _Stage:
    """Turns the components of a result into what can be seen."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.mechanism = result.mechanism
        self.count = len(result)
        rows = result.model.bodies
        self.poses = {name: row.kind.pose(result.samples["q"][:, row.q]) for name, row in rows.items()}
        self.bodies = [
            SceneBody(name, body.shape.outline(), *self._pose(name), body.color or PALETTE[i % len(PALETTE)])
            for i, (name, body) in enumerate(self.mechanism.bodies.items())
        ]
        low, high = Scene("", self.mechanism.planar, result.time, self.bodies).bounds()
        self.size = float(np.linalg.norm(high - low))
        self.rails: set[tuple[Any, ...]] = set()

    def scene(self, traces: Sequence[Any] | None) -> Scene:
        m = self.mechanism
        bodies = [replace(body, outline=[self._visible(primitive) for primitive in body.outline]) for body in self.bodies]
        joints, links = [], []
        for joint in m.joints.values():
            symbols, link = self._joint(joint)
            joints += symbols
            links += link
        up = np.zeros(3)
        up[: m.dim] = -np.array(m.gravity)
        chosen = self._default_traces() if traces is None else [self._trace(trace) for trace in traces]
        # Rails and rods come first, so that the bodies of a planar picture lie on them.
        return Scene(m.name, m.planar, self.result.time, [*links, *bodies], joints, self._springs(), chosen, up)

    def _visible(self, primitive: dict[str, Any]) -> dict[str, Any]:
        """Thin rods are drawn thick enough to be seen: their radius serves their inertia and is often nominal."""
        if primitive["kind"] != "segment":
            return primitive
        return primitive | {"radius": max(primitive["radius"], _THIN * self.size)}

    # -- points

    def _pose(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        position, rotation = self.poses[body]
        return np.broadcast_to(position, (self.count, 3)), np.broadcast_to(rotation, (self.count, 3, 3))

    def _point(self, body: str, local: np.ndarray) -> np.ndarray:
        """(n, 3) where a point of a body is."""
        position, rotation = self._pose(body)
        with np.errstate(invalid="ignore", over="ignore"):  # a run that broke off
            return position + rotation @ local

    # -- joints, springs

    def _joint(self, joint: Joint) -> tuple[list[SceneJoint], list[SceneBody]]:
        """The symbols of a joint, and the rod or rail that belongs to it."""
        a, b = self.mechanism.markers(joint)
        tag = str(joint.kind.__struct_config__.tag)
        start, end = self._point(a.body, a.local), self._point(b.body, b.local)
        gap = np.linalg.norm(end - start, axis=1)
        seen = gap[np.isfinite(gap)]
        near = 1e-6 * (1e-3 + self.size)
        points = joint.kind.elements(a, b, self.mechanism.dim)
        if {point.side for point in points} == {"a", "b"} and all(p.is_point for p in points) and len(seen) and seen.min() > near:
            # only points, and apart: what keeps them so looks like a rod
            sides = zip((a, b), (start, end))
            return [SceneJoint(joint.name, tag, place, side.body == GROUND) for side, place in sides], [self._rod(start, end)]
        held = GROUND in (a.body, b.body) and not (seen > near).any()
        return [SceneJoint(joint.name, tag, start if b.body == GROUND and held else end, held)], self._rail(joint, a, end - start, near)

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
        dim = self.mechanism.dim
        if not hasattr(joint.kind, "axis") and not hasattr(joint.kind, "direction"):
            return []
        axis = a.basis @ joint.kind.axes(dim)[:, 0 if dim == 2 else 2]
        position, rotation = self._pose(a.body)
        with np.errstate(invalid="ignore"):
            along = rotation @ axis
            travel = np.sum(along * gap, axis=1)
            aside = np.linalg.norm(gap - travel[:, None] * along, axis=1)
        travel, aside = travel[np.isfinite(travel)], aside[np.isfinite(aside)]
        if not len(travel) or np.ptp(travel) <= near or aside.max() > near:
            return []
        margin = 0.1 * float(np.ptp(travel)) + 0.04 * self.size
        ends = [(a.local + place * axis).tolist() for place in (float(travel.min()) - margin, float(travel.max()) + margin)]
        known = (a.body, *(round(x / near) for end in ends for x in end))
        if known in self.rails:  # a guide and the motion imposed along it share one
            return []
        self.rails.add(known)
        return [SceneBody("", [self._line(*ends)], position, rotation, _STEEL)]

    def _line(self, start: list[float], end: list[float]) -> dict[str, Any]:
        return {"kind": "segment", "points": [start, end], "radius": 0.4 * _THIN * self.size}

    def _springs(self) -> list[SceneSpring]:
        """Forces along the line between two points."""
        found = []
        for force in self.mechanism.forces.values():
            if force.joint is not None or force.b is None:
                continue
            a, b = markers = self.mechanism.markers(force)
            sides = {point.side for point in force.kind.elements(*markers, dim=self.mechanism.dim) if point.is_point}
            if sides == {"a", "b"}:
                found.append(SceneSpring(force.name, self._point(a.body, a.local), self._point(b.body, b.local)))
        return found

    # -- traces

    def _trace(self, trace: Any) -> SceneTrace:
        m = self.mechanism
        if isinstance(trace, PointResult):
            return self._material(trace.body.name, trace.local)
        if isinstance(trace, tuple | list) and len(trace) == 2:
            body = trace[0] if isinstance(trace[0], str) else getattr(trace[0], "name", repr(trace[0]))
            if body not in m.bodies:
                raise unknown("body", body, m.bodies, "traces")
            return self._material(body, self.result[body].point(trace[1]).local)
        name = trace if isinstance(trace, str) else getattr(trace, "name", repr(trace))
        if name in m.frames:
            frame = m.frames[name]
            return SceneTrace(name, self._point(frame.body, frame.pose.position))
        if name not in m.bodies:
            raise unknown("body or frame", name, [*m.bodies, *m.frames], "traces")
        return SceneTrace(name, self._point(name, self._far_end(name)))

    def _material(self, body: str, local: np.ndarray) -> SceneTrace:
        where = ", ".join(f"{x:.4g}" for x in local[: self.mechanism.dim])
        return SceneTrace(f"{body} ({where})", self._point(body, local))

    def _default_traces(self) -> list[SceneTrace]:
        depth = self._depths()
        if not depth:
            return []
        farthest = max(depth.values())
        return [self._trace(next(name for name in reversed(depth) if depth[name] == farthest))]

    def _depths(self) -> dict[str, int]:
        """How many joints away from the ground each body is; what is not connected counts as one."""
        pairs = [tuple(marker.body for marker in self.mechanism.markers(joint)) for joint in self.mechanism.joints.values()]
        neighbours: dict[str, set[str]] = {}
        for one, other in pairs:
            neighbours.setdefault(one, set()).add(other)
            neighbours.setdefault(other, set()).add(one)
        depth, layer = {GROUND: 0}, [GROUND]
        while layer:
            layer = sorted({other for one in layer for other in neighbours.get(one, ()) if other not in depth})
            depth |= dict.fromkeys(layer, max(depth.values()) + 1)
        return {name: depth.get(name, 1) for name in self.mechanism.bodies}

    def _far_end(self, name: str) -> np.ndarray:
        """The point of a body (3,) that is farthest from its joints: an end, a corner, or the centre; the centre of one without joints."""
        shape = self.mechanism.bodies[name].shape
        centre = shape.mass_properties().centre
        markers = [marker for joint in self.mechanism.joints.values() for marker in self.mechanism.markers(joint)]
        held = np.array([marker.local for marker in markers if marker.body == name])
        if not len(held):
            return centre
        points = [centre]
        for primitive in shape.outline():
            points += [np.array(point) for point in (*primitive.get("points", ()), primitive.get("centre")) if point is not None]
            if primitive["kind"] == "box":
                half = 0.5 * np.array(primitive["rotation"]) * primitive["size"]
                points += [np.array(primitive["position"]) + sign * half[:, i] for i in range(3) for sign in (1, -1)]
        if self.mechanism.planar:
            points = [point * [1.0, 1.0, 0.0] for point in points]
        distances = [np.linalg.norm(held - point, axis=1).min() for point in points]
        # Ends come before the centre if they are as far, up to rounding.
        best = max(range(len(points)), key=lambda i: (round(float(distances[i] / max(*distances, 1e-300)), 6), i > 0))
        return points[best]
