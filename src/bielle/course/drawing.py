"""Pictures of a model and films of a run, with matplotlib (sections 9.1 and 9.2)."""

import math

import numpy as np

from ..errors import DescriptionError, unknown
from ..results.output import checked_path
from .checks import number, shown
from .films import ENDINGS, film_axes, moments, save
from .picture import Picture, extent, place
from .post import checked_run

__all__ = ["animate", "draw"]

_LEGEND = 12  # entries that a legend may have


def draw(model, ax=None, sol=None, t=None, frames=True):
    """Draw a model at the start, or in a run, and return the axes.

    ax      axes of matplotlib to draw on; None: those of a new figure
    sol     what transient returned
    t       the time [s]: the nearest sample of sol is drawn, the last one if t is None
    frames  whether the frames are drawn, X in red and Z in green, with their tags

    Solids are lines from G to every frame, as in ``Solid.draw_t0``. Springs are zigzags, hinges circles, fixed points and the ground are
    hatched; a dashed line is between the points of all other interactions.
    """
    if not model.solids:
        raise DescriptionError("The model has no solids to draw. Add one with add_solid.")
    if sol is None and t is not None:
        raise DescriptionError(f"t = {shown(t)} is a time of a run. Give sol=model.transient(…) too, or leave t out for the start.")
    q = np.concatenate([solid.q_t0 for solid in model.solids.values()])
    title = None
    if sol is not None:
        times, y = _samples(model, sol)
        k = -1 if t is None else int(np.argmin(np.abs(times - number(t, "t"))))
        q, title = y[: len(q), k], f"t = {times[k]:.6g} s"
    new = ax is None
    if new:
        import matplotlib.pyplot as plt

        ax = plt.figure().add_subplot()
    ax.set_aspect("equal", adjustable="datalim" if new else "box")
    Picture(ax, model, q[:, np.newaxis], frames).show(q)
    if title:
        ax.set_title(title)
    _legend(ax, loc="best")
    return ax


def animate(model, sol, path=None, speed=1.0, fps=25, frames=False, trace=()):
    """Show a run as it went, or write it to a file, and return matplotlib's ``FuncAnimation``.

    Keep what is returned until the window is closed, as in ``film = model.animate(sol)`` before ``plt.show()``: matplotlib stops an
    animation that nobody keeps.

    path    a file, whose ending decides the format; no window is opened then
            .gif   for documents
            .mp4   for talks; needs ffmpeg, or the package imageio-ffmpeg
            .html  plays in any browser, without a network
    speed   how many times as fast as in reality; 0.1 is slow motion
    fps     pictures per second
    frames  whether the frames are drawn, as by :func:`draw`
    trace   pairs (tag_S, tag_F): points whose paths are drawn
    """
    from matplotlib.animation import FuncAnimation

    if path is not None:
        checked_path(path, ENDINGS)  # before the work
    speed, fps = number(speed, "speed", positive=True), number(fps, "fps", positive=True)
    times, y = _samples(model, sol)
    n_q, traced = 3 * len(model.solids), _traced(model, trace)
    shown_at, q = moments(times, y[:n_q], y[n_q : 2 * n_q], speed / fps)

    ax = film_axes(*extent(model, q), window=path is None)
    ax.set_aspect("equal", adjustable="datalim")
    picture = Picture(ax, model, q, frames)
    trails = []
    for tag_S, tag_F in traced:
        P = place(model, tag_S, tag_F)
        style = {"color": model.solids[tag_S].color, "linewidth": 1.0, "linestyle": ":", "zorder": 1.5}
        (line,) = ax.plot([], [], label=f"path of {tag_F} ({tag_S})", **style)
        trails.append((line, P, P(y[:n_q])))
    digits = max(2, math.ceil(-math.log10(speed / fps)))  # so many that every picture has its own time
    title = ax.set_title("", y=1.0, pad=-14)  # inside the axes, which are all that is painted anew
    _legend(ax, loc="upper left", bbox_to_anchor=(1.0, 1.0))  # beside the axes, where nothing comes
    artists = [*picture.artists, *(line for line, _, _ in trails), title]

    def show(k):
        picture.show(q[:, k])
        for line, P, path in trails:
            line.set_data(*np.column_stack((path[:, times < shown_at[k]], P(q[:, k]))))
        title.set_text(f"t = {shown_at[k]:.{digits}f} s")
        return artists

    film = FuncAnimation(ax.figure, show, frames=len(shown_at), interval=1000 / fps, blit=True, cache_frame_data=False)
    if path is not None:
        ax.figure.moving = artists
        save(film, path, fps)
    return film


def _samples(model, sol):
    """Times and states of a run that can be shown."""
    t, y = checked_run(model, sol)
    if len(t) == 0:
        raise DescriptionError("There is nothing to show: sol has no samples. Its message says why the run ended.")
    if not np.isfinite(y).all():
        first = t[np.flatnonzero(~np.isfinite(y).all(axis=0))[0]]
        raise DescriptionError(
            f"sol has numbers that are not finite from t = {first:.6g} s on. Run with smaller tolerances or a smaller tf."
        )
    return t, y


def _traced(model, trace):
    """The pairs (tag_S, tag_F) of trace, which may also be a single pair."""
    pairs = (
        [trace] if isinstance(trace, tuple | list) and len(trace) == 2 and not any(isinstance(x, tuple | list) for x in trace) else trace
    )
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise DescriptionError(f"trace must be pairs (tag_S, tag_F), got {shown(pair)}. Give trace=[('…', 'G')].")
        tag_S, tag_F = pair
        if tag_S not in model.solids:
            raise unknown("solid", str(tag_S), map(str, model.solids), "trace")
        if tag_F not in model.solids[tag_S].frames:
            raise unknown(f"frame of solid '{tag_S}'", str(tag_F), map(str, model.solids[tag_S].frames), "trace")
    return list(pairs)


def _legend(ax, **where):
    """A legend, if it is not longer than it is useful."""
    if 0 < len(ax.get_legend_handles_labels()[0]) <= _LEGEND:
        ax.legend(fontsize="small", framealpha=0.6, **where)
