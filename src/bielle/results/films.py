"""What films of every origin share: one palette and steady time for GIF, the program and its settings for MP4."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any

import numpy as np

from bielle.errors import BielleError

__all__ = ["gif_palette", "mp4_writer", "save_gif"]


def gif_palette(pixels: np.ndarray) -> Any:
    """A Pillow image whose palette suits the colours of ``pixels`` (height, width, 3).

    One palette for all pictures of a film: no flicker, and a much smaller file.
    """
    from PIL import Image

    palette = Image.fromarray(pixels).quantize(255, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    entries = np.array(palette.getpalette()).reshape(-1, 3)
    entries[entries.min(axis=1) >= 248] = 255  # the median cut makes the paper slightly grey
    palette.putpalette(entries.ravel().tolist())
    return palette


def save_gif(path: str | Path, pictures: Iterator[np.ndarray], count: int, fps: float, palette: Any) -> None:
    """Write ``count`` pictures (height, width, 3) as an endless GIF; they are taken one at a time."""
    from PIL import Image

    images = (Image.fromarray(pixels).quantize(palette=palette, dither=Image.Dither.NONE) for pixels in pictures)
    # GIF counts hundredths of a second: carrying the remainder keeps the speed right over the whole film.
    marks = np.round(100 * np.arange(count + 1) / fps)
    durations = (10 * np.maximum(np.diff(marks), 2)).astype(int).tolist()
    first = next(images)
    with open(path, "wb") as file:  # closed also if somebody interrupts
        first.save(file, format="GIF", save_all=True, append_images=images, duration=durations, loop=0, disposal=1, optimize=False)


@contextmanager
def mp4_writer(path: str | Path, fps: float) -> Iterator[Any]:
    """matplotlib's writer for H.264 films at ``path``; needs ffmpeg, from the system or from the package ``imageio-ffmpeg``.

    Failures of the program inside the block become errors that say what to do.
    """
    program = _ffmpeg()
    if program is None:
        raise BielleError("MP4 films need ffmpeg: install it, or `pip install imageio-ffmpeg`, or write a .gif or .html file instead.")
    from matplotlib.animation import FFMpegWriter

    class Writer(FFMpegWriter):  # the class asks rcParams, which belong to the user, for the program
        @classmethod
        def bin_path(cls) -> str:
            return program

    rate: Any = fps  # the stubs say int, ffmpeg takes any
    try:
        yield Writer(fps=rate, codec="libx264", extra_args=["-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart"])
    except (BrokenPipeError, CalledProcessError) as failure:  # an ffmpeg without H.264, or a folder that cannot be written
        raise BielleError(f"'{program}' could not write '{path}': check the folder, or write a .gif or .html file instead.") from failure


def _ffmpeg() -> str | None:
    """The path of ffmpeg, or None."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError):  # the package exists without a program on rare platforms
        return None
