"""Films of a run: their moments, and files."""

import re
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from ..results.films import gif_palette, mp4_writer, save_gif
from ..results.output import checked_path, replacing
from .waiting import patiently

__all__ = ["ENDINGS", "film_axes", "moments", "save"]

ENDINGS = (".gif", ".mp4", ".html")
_DPI = 100
_AREA, _BESIDE = 6.0 * 4.5, 1.5  # area of a picture in a file [inch²], and width for a legend beside it [inch]


def moments(t, q, dq, step):
    """Times (m,) from the first to the last of t (n,), every ``step`` seconds, and the coordinates (n_q, m) then.

    Between samples lie the cubics with the same q and q̇ (n_q, n) at both ends.
    """
    wanted = t[0] + step * np.arange(int((t[-1] - t[0]) / step + 1e-6) + 1)
    if len(wanted) == 1:
        return wanted, q[:, :1]
    from scipy.interpolate import CubicHermiteSpline

    return wanted, CubicHermiteSpline(t, q, dq, axis=1)(wanted)


def film_axes(low, high, window) -> Any:
    """Axes of a new figure: in a window, or for a file; then in the proportions of what lies between ``low`` and ``high`` (2,)."""
    if window:
        import matplotlib.pyplot as plt

        return plt.figure(layout="constrained").add_subplot()
    width, height = high - low + 0.2 * (np.hypot(*(high - low)) or 1.0)
    ratio = np.clip(width / height, 0.6, 2.0)
    width, height = np.sqrt([_AREA * ratio, _AREA / ratio])
    inches = [2 * round(_DPI * side / 2) / _DPI for side in (width + _BESIDE, height)]  # MP4 wants even numbers of pixels
    return _quick_figure(inches).add_subplot()


def _quick_figure(inches):
    """A figure for files that paints only once what does not move: ``figure.moving`` are the artists that do."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    class Canvas(FigureCanvasAgg):
        def draw_idle(self, *args, **kwargs):
            """Nobody looks at it between two pictures."""

    class QuickFigure(Figure):
        moving: Any = ()
        background: Any = None
        palette: Any = None  # colours of PNG pictures, which are much smaller with 255 of them

        def savefig(self, fname, *, format=None, dpi=None, **options):  # what the writers of matplotlib call
            if format not in ("rgba", "png") or dpi != _DPI:
                super().savefig(fname, format=format, dpi=dpi, **options)
                return
            canvas: Any = self.canvas
            if self.background is None:
                for artist in self.moving:
                    artist.set_visible(False)
                canvas.draw()
                self.background = canvas.copy_from_bbox(self.bbox)
                for artist in self.moving:
                    artist.set_visible(True)
            canvas.restore_region(self.background)
            for artist in sorted(self.moving, key=lambda artist: artist.get_zorder()):
                artist.axes.draw_artist(artist)
            pixels = np.array(canvas.buffer_rgba())
            if format == "rgba":
                fname.write(pixels.tobytes())
                return
            from PIL import Image

            self.palette = self.palette or gif_palette(pixels[:, :, :3])
            Image.fromarray(pixels[:, :, :3]).quantize(palette=self.palette, dither=Image.Dither.NONE).save(fname, format="PNG")

    figure = QuickFigure(figsize=inches, dpi=_DPI, layout="constrained")
    Canvas(figure)
    return figure


def save(film, path, fps):
    """Write a FuncAnimation to a .gif, .mp4 or .html file; if it takes long, a progress bar says how long."""
    target, ending = checked_path(path, ENDINGS)
    with replacing(target) as temporary, patiently(f"drawing {target.name}") as report:
        {".gif": _save_gif, ".mp4": _save_mp4, ".html": _save_html}[ending](film, temporary, fps, report)


def _save(film, path, writer, report):
    film.save(path, writer=writer, dpi=_DPI, progress_callback=lambda k, n: report((k + 1) / n))


def _save_gif(film, path, fps, report):
    from matplotlib.animation import AbstractMovieWriter

    class Collector(AbstractMovieWriter):
        """Keeps the pixels of all pictures, packed: a GIF needs to know them all."""

        def setup(self, fig, outfile, dpi=None):
            super().setup(fig, outfile, dpi)  # pyright: ignore[reportAbstractUsage]
            self.pictures = []

        def grab_frame(self, **options):
            buffer = BytesIO()
            self.fig.savefig(buffer, format="rgba", dpi=self.dpi, **options)
            self.pictures.append(zlib.compress(buffer.getbuffer(), 1))

        def finish(self):
            pass

    collector = Collector(fps)
    _save(film, path, collector, report)
    width, height = collector.frame_size
    packed = collector.pictures

    def pixels(picture):
        return np.frombuffer(zlib.decompress(picture), np.uint8).reshape(height, width, 4)[:, :, :3]

    some = np.concatenate([pixels(packed[k]) for k in sorted({0, len(packed) // 2, len(packed) - 1})])
    save_gif(path, map(pixels, packed), len(packed), fps, gif_palette(some))


def _save_mp4(film, path, fps, report):
    with mp4_writer(path, fps) as writer:
        _save(film, path, writer, report)


def _save_html(film, path, fps, report):
    from matplotlib.animation import HTMLWriter

    _save(film, path, HTMLWriter(fps=fps, embed_frames=True, embed_limit=np.inf), report)
    Path(path).write_text(_page(Path(path).read_text(), fps), encoding="utf-8")


_SIGNS = {"minus": "−", "fast-backward": "⏮", "step-backward": "⏪", "play fa-flip-horizontal": "◀", "pause": "⏸", "play": "▶"}
_SIGNS |= {"step-forward": "⏩", "fast-forward": "⏭", "plus": "+"}


def _page(player, fps):
    """A whole page around matplotlib's player, which takes the signs on its buttons from the network and waits until one is pressed."""
    player = re.sub(r"<link\b[^>]*>", "", player)
    player = re.sub(r'<i class="fa fa-([^"]*)"></i>', lambda found: _SIGNS.get(found[1], found[1]), player)
    player = re.sub(r"(slider_id, )[\d.]+(,\s*loop_select_id\))", rf"\g<1>{1000 / fps:.9g}\2", player)  # it rounds the milliseconds down
    name = re.search(r'id="_anim_img(\w+)"', player)
    start = f'<script>window.addEventListener("load", () => setTimeout(() => anim{name[1]}.play_animation()))</script>' if name else ""
    head = '<meta charset="utf-8"><title>Multicorps2D</title><style>body { text-align: center; font-family: sans-serif }</style>'
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>{head}</head>\n<body>{player}{start}</body>\n</html>\n'
