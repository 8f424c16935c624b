"""A model on axes of matplotlib: solids, frames with their axes (section 9.2) and interactions, which can be moved."""

import numpy as np

from .interactions.base import check_tags
from .post import times
from .sketches import draw_fixed_point, draw_ground, fixed_points, ground_heights, sketch
from .utils2D import rotation

__all__ = ["Picture", "extent", "place"]

_COLORS = {"X": "tab:red", "Z": "tab:green"}  # of the axes of frames


def place(model, tag_S, tag_F):
    """A function of the coordinates q that gives the point of a frame: q (n_q,) or (n_q, n) -> (2,) or (2, n) [m]."""
    first = 3 * list(model.solids).index(tag_S)
    GP = model.solids[tag_S].frames[tag_F].position

    def P(q):
        q_S = q[first : first + 3]
        return q_S[:2] + times(rotation(q_S), GP)

    return P


def extent(model, q):
    """The lowest and the highest x and z (2,), (2,) [m] of everything that is seen, for coordinates q (n_q, n)."""
    points = [place(model, tag_S, tag_F)(q) for tag_S, solid in model.solids.items() for tag_F in solid.frames]
    points += [np.reshape(P, (2, 1)) for P in fixed_points(model.interactions)]
    points = np.concatenate([*points, np.zeros((2, 0 if points else 1))], axis=1)
    low, high = points.min(axis=1), points.max(axis=1)
    for z0 in ground_heights(model.interactions):
        low[1], high[1] = min(low[1], z0), max(high[1], z0)
    return low, high


class Picture:
    """A model on the axes ``ax``; :meth:`show` moves it.

    q       (n_q, n) all coordinates in which it will be shown: sizes and limits fit them
    frames  whether the frames are drawn, with their axes and tags

    ``artists`` are the parts that move.
    """

    def __init__(self, ax, model, q, frames):
        low, high = extent(model, q)
        size = float(np.hypot(*(high - low))) or 1.0
        for z0 in ground_heights(model.interactions):
            draw_ground(ax, z0, size)
        for P in fixed_points(model.interactions):
            draw_fixed_point(ax, P, size)
        marker = 7 if len(model.interactions) <= 12 else 4
        pairs = _solids(ax, model)  # artists, and functions that move them to coordinates q (n_q,)
        for tag, interaction in model.interactions.items():
            check_tags(interaction, model.solids, f"Interaction '{tag}'")
            pairs += sketch(ax, interaction, lambda *tags: place(model, *tags), size, marker)
        self.artists, self._moves = [artist for artist, _ in pairs], [move for _, move in pairs]
        if frames:
            drawn = Frames(ax, model, q[:, 0], size)
            self.artists += drawn.artists
            self._moves.append(drawn.show)
        ax.set_xlabel("x [m]")
        ax.set_ylabel("z [m]")
        ax.grid(True, alpha=0.3)
        ax.update_datalim([low - 0.1 * size, high + 0.1 * size])
        ax.autoscale_view()

    def show(self, q):
        """Move everything to the coordinates q (n_q,)."""
        for move in self._moves:
            move(q)


def _solids(ax, model):
    """A line from G to every frame of a solid and back, and how it moves."""
    pairs = []
    labels = [solid.label for solid in model.solids.values()]
    for tag, solid in model.solids.items():
        label = solid.label if labels.count(solid.label) == 1 else f"{solid.label} ({tag})"
        (line,) = ax.plot([], [], label=label, color=solid.color, marker=solid.marker, fillstyle="none", markersize=8)
        G, points = place(model, tag, "G"), [place(model, tag, tag_F) for tag_F in solid.frames]

        def move(q, line=line, G=G, points=points):
            line.set_data(*np.transpose([end(q) for P in points for end in (G, P)]))

        pairs.append((line, move))
    return pairs


class Frames:
    """Two arrows for every frame, X in red and Z in green, and its tag; frames in the same place share what is written there."""

    def __init__(self, ax, model, q, size):
        from matplotlib.patheffects import withStroke

        arms = [np.hypot(*frame.position) for solid in model.solids.values() for frame in solid.frames.values() if frame.position.any()]
        self.length = min(0.08 * size, 0.6 * float(np.median(arms or [size])))  # short ones on the links of a chain
        self.near = 0.01 * size
        self.places, self.tags, self.artists, self.texts = [], [], [], []
        self.thetas = []  # angles of the frames on their solids
        self.rows = []  # where the angles of their solids are in q
        self.sides = []  # unit vectors in the axes of the solids: where there is room for the tags
        for i, (tag_S, solid) in enumerate(model.solids.items()):
            for tag_F, frame in solid.frames.items():
                self.places.append(place(model, tag_S, tag_F))
                self.tags.append(str(tag_F))
                self.thetas.append(frame.theta)
                self.rows.append(3 * i + 2)
                self.sides.append(_roomy_side(solid, tag_F))
                style = {"ha": "center", "va": "center", "fontsize": "small", "color": solid.color}
                halo = [withStroke(linewidth=2, foreground="white")]
                self.texts.append(ax.annotate("", (0, 0), (0, 0), textcoords="offset points", path_effects=halo, **style))
        x, z = np.array([P(q) for P in self.places]).T
        self.arrows = []
        for name, color in _COLORS.items():
            style = {"color": color, "angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.004, "zorder": 2.5}
            self.arrows.append(ax.quiver(x, z, 0 * x, 0 * z, **style))
            ax.plot([], [], color=color, label=f"{name} of frames")
        self.artists = [*self.arrows, *self.texts]

    def show(self, q):
        """Move to the coordinates q (n_q,)."""
        points = np.array([P(q) for P in self.places])
        axes = rotation((0.0, 0.0, q[self.rows] + self.thetas))  # the columns are X and Z
        for column, arrows in enumerate(self.arrows):
            arrows.set_offsets(points)
            arrows.set_UVC(*(self.length * axes[:, column]))
        sides = times(rotation((0.0, 0.0, q[self.rows])), np.transpose(self.sides))
        for k, text in enumerate(self.texts):
            here = np.flatnonzero(np.abs(points - points[k]).max(axis=1) < self.near)  # the first one here tells the tags of all
            text.set_text(", ".join(dict.fromkeys(self.tags[i] for i in here)) if here[0] == k else "")
            text.xy = points[k]
            text.set_position(11 * sides[:, k])


def _roomy_side(solid, tag_F):
    """Of sixteen directions (2,) in the axes of a solid, the one farthest from the axes of a frame and from the lines that end there."""
    frame = solid.frames[tag_F]
    ends = [frame.position - other.position for other in solid.frames.values()] if tag_F == "G" else [frame.position]
    lines = [-end / np.hypot(*end) for end in ends if np.hypot(*end) > 0]
    taken = np.array([*rotation((0.0, 0.0, frame.theta)).T, *lines])
    angles = np.arange(16) * np.pi / 8
    sides = np.array([np.cos(angles), np.sin(angles)])
    return sides[:, np.argmin((taken @ sides).max(axis=0))]
