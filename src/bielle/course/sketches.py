"""How interactions look: springs as zigzags, hinges as circles, fixed points and the ground as hatches, others as dashed lines.

An interaction is known by what it has, so that those that students write are drawn too: ``tag_S`` and ``tag_F`` are its points, ``P_Gal``
is a fixed point, ``k`` makes a spring of what is between two points and has no equations, ``z0`` is the height of the ground.

A sketch is a list of pairs: an artist of matplotlib, and a function move(q) that puts it where it is for the coordinates q (n_q,).
What does not move has no pair.
"""

from typing import Any

import numpy as np

from .post import points_of

__all__ = ["draw_fixed_point", "draw_ground", "fixed_points", "ground_heights", "sketch"]

_INK = "0.3"


def fixed_points(interactions):
    """The points P_Gal (x, z) of interactions, each once."""
    return {tuple(P) for P in map(_fixed_point, interactions.values()) if P is not None}


def ground_heights(interactions):
    """The heights z0 of interactions, each once."""
    return {float(item.z0) for item in interactions.values() if isinstance(getattr(item, "z0", None), int | float | np.number)}


def _fixed_point(interaction):
    P_Gal: Any = getattr(interaction, "P_Gal", None)
    return np.array(P_Gal, dtype=float) if np.shape(P_Gal) == (2,) else None


def sketch(ax, interaction, place, size, marker):
    """The moving part of an interaction.

    place   place(tag_S, tag_F) is a function of the coordinates q that gives the point (2,) of a frame
    size    of the mechanism [m]
    marker  size of the circles of hinges [points]
    """
    points = [place(*point) for point in points_of(interaction)]
    P_Gal = _fixed_point(interaction)
    if P_Gal is not None:
        points.append(lambda q: P_Gal)
    if len(points) < 2:
        return []
    bound = getattr(interaction, "n_c", 0)
    if len(points) == 2 and not bound and getattr(interaction, "k", None) is not None:
        return [_spring(ax, points[0], points[1], size)]
    line = _dashed(ax, points)
    return [line, _circle(ax, points, size, marker)] if bound else [line]


def _line(ax, points, **style):
    """A line of matplotlib through points(q) (2, …)."""
    (line,) = ax.plot([], [], color=_INK, **style)
    return line, lambda q: line.set_data(*points(q))


def _spring(ax, A, B, size):
    """A zigzag with straight ends."""
    share = np.array([0, 0.15, *np.linspace(0.2, 0.8, 8), 0.85, 1])
    aside = 0.02 * size * np.array([0, 0, *[1, -1] * 4, 0, 0])

    def points(q):
        AB = B(q) - A(q)
        across = np.array([-AB[1], AB[0]]) / (np.hypot(*AB) or 1.0)
        return A(q)[:, np.newaxis] + np.outer(AB, share) + np.outer(across, aside)

    return _line(ax, points, linewidth=1.2)


def _dashed(ax, points):
    """A dashed line through points."""
    return _line(ax, lambda q: np.transpose([P(q) for P in points]), linestyle="--", linewidth=1.0)


def _circle(ax, points, size, marker):
    """A circle where points coincide; nothing while they are apart, as the dashed line is seen then."""

    def where(q):
        P = np.array([P(q) for P in points])
        return P[:1].T if np.ptp(P, axis=0).max() < 0.01 * size else np.empty((2, 0))

    return _line(ax, where, marker="o", markersize=marker, markerfacecolor="white", linestyle="none", zorder=3)


def draw_fixed_point(ax, P, size):
    """The sign for what is fixed: a triangle below P, on hatched ground."""
    s = 0.03 * size
    strokes = [[(0, 0), (-1, -1.5), (1, -1.5), (0, 0)], [(-1.7, -1.5), (1.7, -1.5)]]
    strokes += [[(0.6 * k, -1.5), (0.6 * k - 0.5, -2.1)] for k in range(-2, 4) if abs(0.6 * k) <= 1.7]
    gap = [(np.nan, np.nan)]
    x, z = np.transpose([point for stroke in strokes for point in stroke + gap])
    ax.plot(P[0] + s * x, P[1] + s * z, color=_INK, linewidth=1.0, zorder=1)


def draw_ground(ax, z0, size):
    """The ground: a line at z0 from one side of the axes to the other, hatched below."""
    ax.axhspan(z0 - 0.04 * size, z0, facecolor="none", edgecolor="0.7", hatch="////", linewidth=0.0, zorder=0.5)
    ax.axhline(z0, color=_INK, linewidth=1.2, zorder=1)
