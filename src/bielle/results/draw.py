"""Pictures and films of a scene with matplotlib: PNG, GIF, MP4 and the stroboscopic still.

Planar and spatial scenes are flattened here to polygons and lines of a plain two-dimensional axes: a painter's algorithm in numpy is many
times faster than matplotlib's own 3-D axes and keeps equal scales. Only the Agg canvas is used, never pyplot and its global state.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bielle.errors import DescriptionError
from bielle.results.films import gif_palette, mp4_writer, save_gif
from bielle.results.mesh import Mesh, across
from bielle.results.scene import PALETTE, Scene

__all__ = ["draw_described", "draw_frame", "draw_strobe", "write_gif", "write_mp4", "write_png", "write_strobe"]

Progress = Callable[[float], None]
_Polygon = tuple[float, np.ndarray, np.ndarray, np.ndarray, float]  # nearness, corners on the paper, colours of face and rim, line width
_INK, _MUTED, _PAPER, _METAL = "#18212c", "#5b6675", "#ffffff", "#66717f"
_SLIDING = ("prism", "slid", "trans", "cylindr", "guide")  # kinds of joints that get a diamond
_AZIMUTH, _ELEVATION = -0.95, 0.36  # the view the HTML page opens with


# ---------------------------------------------------------------------------------------------------------------- writing files


def draw_frame(scene: Scene, index: int, ax: Any = None) -> Any:
    """Draw the scene at one of its moments, traces up to it, into a plain (two-dimensional) axes or a new figure; return the axes."""
    picture = _Picture(scene, ax=ax)
    picture.show(range(len(scene.times))[index])
    return picture.ax


def draw_described(scene: Scene, ax: Any, names: Mapping[str, np.ndarray]) -> None:
    """Draw a scene of one moment, without a clock, into a plain axes; ``names`` stand where they are given (3,)."""
    picture = _Picture(scene, ax=ax)
    picture.show(0)
    picture.clock.set_text("")
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.5, foreground=_PAPER, alpha=0.8)]  # so that they can be read on any body
    style = {"fontsize": 8, "color": _INK, "ha": "center", "va": "bottom", "parse_math": False, "zorder": 6, "path_effects": halo}
    for name, place in names.items():
        ax.annotate(name, picture.flat(place), (0, 5), textcoords="offset points", **style)


def write_png(
    scene: Scene, path: str | Path, time: float | None = None, size: tuple[int, int] = (960, 720), *, progress: Progress | None = None
) -> Path:
    """Write a still of the given time (None: the last one, where the traces are complete)."""
    moment = scene if time is None else scene.at(np.append(scene.times[scene.times < time], time))
    picture = _Picture(moment, size, whole=scene)
    picture.show(len(moment.times) - 1)
    return _save(picture.image(), path, progress)


def write_strobe(
    scene: Scene, path: str | Path, count: int = 12, size: tuple[int, int] = (960, 720), *, progress: Progress | None = None
) -> Path:
    """Write a still with ``count`` moments in equal steps on top of each other, the earlier the fainter."""
    picture = _Picture(scene, size)
    _strobe(picture, scene.times[0], scene.times[-1], count)
    return _save(picture.image(), path, progress)


def draw_strobe(scene: Scene, start: float, end: float, count: int = 12, ax: Any = None) -> Any:
    """Draw ``count`` moments from ``start`` to ``end`` on top of each other, framed for the whole scene; return the axes."""
    moments = scene.times[(scene.times > start) & (scene.times < end)]
    picture = _Picture(scene.at([start, *moments, end]), ax=ax, whole=scene)
    _strobe(picture, start, end, count)
    return picture.ax


def _strobe(picture: "_Picture", start: float, end: float, count: int) -> None:
    """Fill a picture with ``count`` moments from ``start`` to ``end``, the earlier the fainter."""
    scene = picture.scene
    if count < 1:
        raise DescriptionError(f"Scene '{scene.title}': a stroboscopic picture needs at least one moment, got {count}.")
    moments = np.linspace(start, end, count) if count > 1 else [end]
    picture.show(len(scene.times) - 1)
    layers = [picture.polygons(scene.at([moment]), 0, 0.12 + 0.88 * ((k + 1) / count) ** 1.6) for k, moment in enumerate(moments)]
    picture.paint([item for layer in layers for item in layer])


def write_gif(
    scene: Scene,
    path: str | Path,
    fps: float = 25,
    speed: float = 1.0,
    size: tuple[int, int] = (640, 480),
    *,
    progress: Progress | None = None,
) -> Path:
    """Write an endless film as GIF, ``speed`` times as fast as in reality."""
    film, path = scene.at_rate(fps, speed), Path(path)
    picture, count = _Picture(film, size, whole=scene), len(film.times)
    palette = gif_palette(np.concatenate([picture.blit(k)[:, :, :3] for k in sorted({0, count // 2, count - 1})]))

    def pictures() -> Iterator[np.ndarray]:
        for k in range(count):
            yield picture.blit(k)[:, :, :3]
            if progress:
                progress((k + 1) / count)

    save_gif(path, pictures(), count, fps, palette)
    return path


def write_mp4(
    scene: Scene,
    path: str | Path,
    fps: float = 30,
    speed: float = 1.0,
    size: tuple[int, int] = (1280, 720),
    *,
    progress: Progress | None = None,
) -> Path:
    """Write a film as MP4 (H.264); needs ffmpeg, from the system or from the package ``imageio-ffmpeg``."""
    film = scene.at_rate(fps, speed)
    even = (size[0] // 2 * 2, size[1] // 2 * 2)  # H.264 wants it so
    path, pixels = Path(path), b""
    with mp4_writer(path, fps) as writer:
        picture, count = _Picture(film, even, whole=scene), len(film.times)
        # The writer asks the figure to paint itself anew for each picture; it gets the pixels that are there already, which is much faster.
        picture.figure.savefig = lambda sink, **_: sink.write(pixels)
        with writer.saving(picture.figure, str(path), picture.figure.dpi):
            for k in range(count):
                pixels = picture.blit(k).tobytes()
                writer.grab_frame()
                if progress:
                    progress((k + 1) / count)
    return path


def _save(pixels: np.ndarray, path: str | Path, progress: Progress | None) -> Path:
    from PIL import Image

    path = Path(path)
    Image.fromarray(pixels).save(path, format="PNG")
    if progress:
        progress(1.0)
    return path


# ---------------------------------------------------------------------------------------------------------------- the picture


class _Picture:
    """A figure whose moving artists are made once and only filled anew for each moment."""

    def __init__(self, scene: Scene, size: tuple[int, int] = (640, 480), ax: Any = None, whole: Scene | None = None) -> None:
        """``whole`` (usually the scene itself) has all moments: the picture is framed for them and traces have all their points."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.scene = scene
        self.ax: Any
        self.figure: Any  # the stubs of matplotlib do not know which canvas a figure has
        if ax is None:
            if min(size) < 16:
                raise DescriptionError(f"Scene '{scene.title}': a picture needs a size of at least 16 pixels, got {size}.")
            dpi = 100 * min(size) / 480  # lines and letters grow with the picture
            # The tiny surplus keeps the division from losing a pixel to rounding down.
            self.figure = Figure(figsize=((size[0] + 1e-4) / dpi, (size[1] + 1e-4) / dpi), dpi=dpi, facecolor=_PAPER)
            FigureCanvasAgg(self.figure)
            left, bottom = (0.075, 0.07) if scene.planar else (0.0, 0.0)
            self.ax = self.figure.add_axes((left, bottom, 0.985 - left if scene.planar else 1.0, 0.92 - bottom if scene.planar else 1.0))
        else:
            self.ax, self.figure = ax, ax.figure
        self.whole = whole = whole or scene
        low, high = whole.bounds()
        self.size = max(float(np.linalg.norm(high - low)), 1e-9)
        self.meshes = [Mesh(body.shapes(), scene.planar, self.size) for body in scene.bodies]
        self._camera()
        self._limits(whole)
        if not scene.planar:
            self._floor(low, high)
        self._artists()
        self.background: Any = None

    def _camera(self) -> None:
        """Rows: to the right, upwards and towards the viewer."""
        if self.scene.planar:
            self.view = np.eye(3)
            return
        first, second, up = self.scene.frame()
        toward = np.cos(_ELEVATION) * (np.cos(_AZIMUTH) * first + np.sin(_AZIMUTH) * second) + np.sin(_ELEVATION) * up
        right = np.cross(up, toward)
        right /= np.linalg.norm(right)
        self.view = np.array([right, np.cross(toward, right), toward])

    def _limits(self, whole: Scene) -> None:
        ax, clouds = self.ax, whole.clouds() or [(np.zeros((1, 3)), 0.5)]
        low = np.min([self.flat(cloud).min(axis=0) - radius for cloud, radius in clouds], axis=0)
        high = np.max([self.flat(cloud).max(axis=0) + radius for cloud, radius in clouds], axis=0)
        centre, half = 0.5 * (low + high), 0.5 * (high - low) + 0.06 * self.size
        # Limits of the same proportions as the axes: equal scales without blank borders.
        room = np.array(ax.bbox.size)
        half = max(half / room) * room
        ax.set_xlim(centre[0] - half[0], centre[0] + half[0])
        ax.set_ylim(centre[1] - half[1], centre[1] + half[1])
        ax.set_aspect("equal")
        ax.set_axisbelow(True)
        if self.scene.planar:
            ax.grid(True, color="#dfe4ea", linewidth=0.7)
            ax.tick_params(labelsize=7.5, colors=_MUTED, length=0)
            for spine in ax.spines.values():
                spine.set_color("#d3d9e0")
            ax.set_title(self.scene.title, loc="left", fontsize=10.5, color=_INK, fontweight="bold", pad=7, parse_math=False)
        else:
            ax.set_axis_off()
            style = {"va": "top", "fontsize": 10.5, "color": _INK, "fontweight": "bold", "parse_math": False}
            ax.text(0.02, 0.97, self.scene.title, transform=ax.transAxes, **style)

    def _floor(self, low: np.ndarray, high: np.ndarray) -> None:
        """A grid under everything, fading outwards."""
        from matplotlib.collections import LineCollection

        frame = self.scene.frame()
        level = np.minimum(low * frame[2], high * frame[2]).sum() - 0.012 * self.size  # just under the lowest corner
        centre, reach = frame @ (0.5 * (low + high)), 0.72 * self.size
        step = 10.0 ** np.floor(np.log10(reach / 5))
        step *= min((1, 2, 5, 10), key=lambda f: abs(f * step - reach / 6))
        count = int(np.ceil(reach / step))
        origin = np.round(centre[:2] / step) * step
        lines, colors = [], []
        for i in range(-count, count + 1):
            for j in range(-count, count):
                fade = 1 - np.hypot(i, j + 0.5) / count
                if fade > 0:
                    for a, b in (((i, j), (i, j + 1)), ((j, i), (j + 1, i))):
                        ends = np.array([[*(origin + step * np.array(p)), level] for p in (a, b)]) @ frame @ self.view.T
                        lines.append(ends[:, :2])
                        colors.append((0.16, 0.24, 0.36, 0.32 * min(1.0, 1.6 * fade)))
        self.level = level
        self.ax.add_collection(LineCollection(lines, colors=colors, linewidths=0.6, zorder=0.5), autolim=False)

    def _artists(self) -> None:
        from matplotlib.collections import PathCollection, PolyCollection
        from matplotlib.colors import is_color_like, to_rgb
        from matplotlib.lines import Line2D

        ax, scene = self.ax, self.scene
        spare = [PALETTE[i % len(PALETTE)] for i in range(len(scene.bodies))]
        self.base = np.array([to_rgb(c if is_color_like(c) else s) for c, s in zip(scene.colors(), spare)]).reshape(-1, 3)
        self.shadow = PathCollection([], facecolors=(0.08, 0.14, 0.24, 0.13), edgecolors="none", zorder=1)
        self.shapes: Any = PolyCollection([], zorder=3, joinstyle="round", capstyle="round")
        for collection in (self.shadow, self.shapes):
            ax.add_collection(collection, autolim=False)

        def line(zorder: float, **style: Any) -> Any:
            artist = Line2D([], [], zorder=zorder, solid_capstyle="round", solid_joinstyle="round", **style)
            ax.add_line(artist)
            return artist

        self.ground = line(2.1, color=_INK, linewidth=0.9)
        self.trails = [line(2.4, color=color, linewidth=1.3, alpha=0.85) for color in scene.trace_colors()]
        self.coils = [line(2.6, color=_METAL, linewidth=1.4) for _ in scene.springs]
        pins = {"color": _INK, "linestyle": "none", "markerfacecolor": _PAPER, "markeredgecolor": _INK, "markeredgewidth": 1.1}
        self.pins = line(4, marker="o", markersize=5, **pins)
        self.slides = line(4, marker="D", markersize=4.6, **pins)
        self.tips = [line(4.2, marker="o", markersize=4, color=color, linestyle="none") for color in scene.trace_colors()]
        self.clock = ax.text(0.98, 0.97, "", transform=ax.transAxes, ha="right", va="top", fontsize=9, color=_MUTED, zorder=5)
        self.moving = [self.shadow, self.ground, *self.trails, *self.coils, self.shapes, self.pins, self.slides, *self.tips, self.clock]
        span = float(np.ptp(scene.times))
        self.places = int(np.clip(2 - np.floor(np.log10(span)), 2, 6)) if span > 0 else 2

    def flat(self, points: np.ndarray) -> np.ndarray:
        """World points on the paper."""
        return points @ self.view[:2].T

    def polygons(self, scene: Scene, index: int, strength: float = 1.0) -> list[_Polygon]:
        """All polygons in the order of painting; a lesser strength mixes them with the paper."""
        polygons: list[_Polygon] = []
        for mesh, body, base in zip(self.meshes, scene.bodies, self.base):
            position, rotation = body.positions[index], body.rotations[index]
            if not (np.isfinite(position).all() and np.isfinite(rotation).all()):
                continue
            seen = (mesh.corners @ rotation.T + position) @ self.view.T
            normals = mesh.normals @ rotation.T
            count = len(normals)
            if scene.planar:
                visible, far, face = np.arange(count), np.zeros(count), np.tile(base, (count, 1))
                width = np.full(count, 1.1)
            else:
                # The farthest corner decides (what stands on a plate is painted after it); an edge comes right after the faces it bounds.
                far = np.minimum.reduceat(seen[:, 2], mesh.starts[:-1]) + np.where(mesh.edges, 1e-3 * self.size, 0.0)
                visible = np.flatnonzero(normals @ self.view[2] > 1e-9)
                face, width = self._shade(base, normals, mesh.tints), np.where(mesh.edges, 0.6, 0.5)
            dark = 0.5 * base + 0.5 * np.array([0.03, 0.05, 0.11])
            rim = np.tile(dark, (count, 1)) if scene.planar else np.where(mesh.edges[:, None], dark, face)  # the own colour closes seams
            face, rim = 1 - strength * (1 - face), 1 - strength * (1 - rim)
            starts, flat = mesh.starts, seen[:, :2]
            polygons += [(float(far[k]), flat[starts[k] : starts[k + 1]], face[k], rim[k], float(width[k])) for k in visible]
        if not scene.planar:
            polygons.sort(key=lambda polygon: polygon[0])
        return polygons

    def _shade(self, base: np.ndarray, normals: np.ndarray, tints: np.ndarray) -> np.ndarray:
        """The colours of faces under a lamp over the left shoulder of the viewer."""
        light = self.view.T @ (np.array([-0.42, 0.78, 0.62]) / np.linalg.norm([0.42, 0.78, 0.62]))
        tone = (0.42 + 0.62 * np.maximum(normals @ light, 0) + 0.08 * normals @ self.scene.up + tints)[:, None]
        dim = 0.7 * np.array([0.06, 0.09, 0.2]) + 0.3 * base
        return np.clip(np.where(tone < 1, dim + tone * (base - dim), base + (tone - 1) * 1.6 * (1 - base)), 0, 1)

    def paint(self, polygons: list[_Polygon]) -> None:
        """Fill the artist of the bodies."""
        _, corners, faces, rims, widths = zip(*polygons) if polygons else ((), (), (), (), ())
        self.shapes.set_verts(corners)
        # Arrays, not lists: matplotlib checks the colours of a list one by one.
        self.shapes.set_facecolor(np.array(faces).reshape(-1, 3))
        self.shapes.set_edgecolor(np.array(rims).reshape(-1, 3))
        self.shapes.set_linewidth(widths)

    def cast(self, index: int) -> None:
        """The shadow on the floor: one path for all faces that look up, which turn the same way, so they unite instead of adding up."""
        from matplotlib.path import Path as Outline

        corners, codes, up = [], [], self.scene.up
        for mesh, body in zip(self.meshes, self.scene.bodies):
            world = mesh.corners @ body.rotations[index].T + body.positions[index]
            if not np.isfinite(world).all():
                continue
            dropped = self.flat(world + np.outer(self.level - world @ up, up))
            for k in np.flatnonzero((mesh.normals @ body.rotations[index].T @ up > 0.02) & ~mesh.edges):
                a, b = mesh.starts[k], mesh.starts[k + 1]
                corners += [dropped[a:b], dropped[a : a + 1]]
                codes += [Outline.MOVETO, *[Outline.LINETO] * (b - a - 1), Outline.CLOSEPOLY]
        self.shadow.set_paths([Outline(np.concatenate(corners), codes)] if corners else [])

    def show(self, index: int) -> None:
        """Move everything to the moment ``index``."""
        scene = self.scene
        self.paint(self.polygons(scene, index))
        if not scene.planar:
            self.cast(index)
        past = self.whole.times < scene.times[index]
        for trail, tip, trace, full in zip(self.trails, self.tips, scene.traces, self.whole.traces):
            path = self.flat(np.vstack([full.points[past], trace.points[index]]))
            trail.set_data(path[:, 0], path[:, 1])
            tip.set_data(path[-1:, 0], path[-1:, 1])
        for coil, spring in zip(self.coils, scene.springs):
            coil.set_data(*self._spring(spring.start[index], spring.end[index]).T)
        places = self.flat(np.array([j.positions[index] for j in scene.joints]).reshape(-1, 3))
        sliding = np.array([any(word in j.kind.lower() for word in _SLIDING) for j in scene.joints], dtype=bool)
        self.slides.set_data(*places[sliding].T)
        self.pins.set_data(*places[~sliding].T)
        feet = [self._foot(joint.positions[index]) for joint in scene.joints if joint.grounded]
        self.ground.set_data(*(np.concatenate(feet).T if feet else np.empty((2, 0))))
        self.clock.set_text(f"t = {scene.times[index]:.{self.places}f} s")

    def _spring(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """A zig-zag in the plane, a helix in space, with straight ends."""
        radius = 0.018 * self.size
        count = 19 if self.scene.planar else 145
        share = np.linspace(0.12, 0.88, count)[:, None]
        axis = end - start
        if self.scene.planar:
            side = np.array([-axis[1], axis[0], 0.0]) / (np.linalg.norm(axis) or 1.0)
            swing = np.where(np.arange(count) % 2, 1.0, -1.0)[:, None] * side
            swing[[0, -1]] = 0.0
        else:
            u, v = across(axis if np.linalg.norm(axis) > 0 else np.array([0.0, 0.0, 1.0]))
            angle = 2 * np.pi * np.arange(count)[:, None] / 16
            taper = np.minimum(1, np.minimum(np.arange(count), np.arange(count)[::-1]) / 6)[:, None]
            swing = taper * (np.cos(angle) * u + np.sin(angle) * v)
        return self.flat(np.concatenate([start[None], start + share * axis + radius * swing, end[None]]))

    def _foot(self, place: np.ndarray) -> np.ndarray:
        """The ground symbol as one line with gaps: a triangle on a hatched base (a hatched plate in space)."""
        gap = np.full((1, 2), np.nan)
        if not self.scene.planar:
            frame, half = self.scene.frame(), 0.035 * self.size
            square = [(1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1)]
            strokes = [square] + [
                [(max(-1, -1 + 2 * t), max(-1, -1 - 2 * t)), (min(1, 1 + 2 * t), min(1, 1 - 2 * t))] for t in np.arange(-3, 4) / 4
            ]
            return np.concatenate([part for s in strokes for part in (self.flat(place + half * (np.array(s) @ frame[:2])), gap)])
        s = 0.028 * self.size
        base = -1.6 * s
        strokes = [[(0, 0), (-s, base), (s, base), (0, 0)], [(-1.7 * s, base), (1.7 * s, base)]]
        strokes += [[(k * 0.5 * s + 0.2 * s, base), (k * 0.5 * s - 0.3 * s, base - 0.6 * s)] for k in range(-3, 4)]
        return np.concatenate([part for stroke in strokes for part in (self.flat(place)[None] + np.array(stroke), gap)]).reshape(-1, 2)

    def image(self) -> np.ndarray:
        """The pixels of the whole figure."""
        self.figure.canvas.draw()
        return np.asarray(self.figure.canvas.buffer_rgba())[:, :, :3].copy()

    def blit(self, index: int) -> np.ndarray:
        """The RGBA pixels at a moment; grid, ticks and title are painted once and kept."""
        canvas = self.figure.canvas
        if self.background is None:
            for artist in self.moving:
                artist.set_animated(True)
            canvas.draw()
            self.background = canvas.copy_from_bbox(self.figure.bbox)
        canvas.restore_region(self.background)
        self.show(index)
        for artist in self.moving:
            self.ax.draw_artist(artist)
        return np.array(canvas.buffer_rgba())
