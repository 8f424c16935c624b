"""Quantities of one run or several, over time or over one another, as a picture.

Only matplotlib's Figure is used, never pyplot: nothing global changes, no window opens, and no figure piles up in memory.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls import explained
from ..errors import DescriptionError
from .catalogue import Catalogue, Quantity
from .output import checked_path, replacing
from .scene import PALETTE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .record import Record

__all__ = ["ENDINGS", "figure_class", "plot"]

ENDINGS = (".png", ".svg", ".pdf")  #: formats a plot can be written in
_DASHES = ("-", (0, (5, 2)), (0, (1.2, 1.6)), (0, (6, 2, 1.2, 2)))  # after the last colour, the next style of line
_INK, _MUTED, _GRID = "#18212c", "#5b6675", "#e3e8ee"
_ERRORS = ("error", "violation", "velocity_violation")  # read by their order of magnitude
_WIDTH, _HEIGHT, _HIGHEST = 8.0, 2.3, 60.0  # inches; of a panel; of a picture
_DPI = 150
_LONGEST = 32  # characters of a name in a legend
_MOST_LABELS = 8  # of edits
_ROUNDING = 1e-16  # of numbers of the order of one
_OUTPUTS = {"N": "force", "N·m": "moment"}  # what the scalar of a motor or a spring is
_TITLES = {"error": "energy error, relative", "violation": "violation", "velocity_violation": "rate of violation"}


@explained
def plot(
    runs: Record | Sequence[Record] | Mapping[str, Record],
    *quantities: str,
    x: str = "time",
    path: str | PathLike[str] | None = None,
) -> Figure | Path:
    """Plot quantities over time, or over another quantity, those of one kind in one panel; without names, an overview.

    runs        one run, several in a list, or several by the names they have in the legend; those of one panel are compared
    quantities  "lower.position", "lower.position.x", "elbow.force.norm", "energy", "energy.error", "violation", "spring.output", …;
                see :mod:`bielle.results.catalogue`
    x           what they are plotted over: any quantity that is a single number, such as "crank.angle" or "tip.position.x"
    path        .png, .svg or .pdf: write the picture and return the path. None: return a matplotlib Figure, which a notebook shows
    """
    target = None if path is None else checked_path(path, ENDINGS)[0]
    named = _named(runs)
    names = _flat(quantities) or _overview(next(iter(named.values())))
    over = {label: _horizontal(Catalogue(run), x) for label, run in named.items()}
    figure = _figure(named, _panels(named, names, over), next(iter(over.values())))
    if target is None:
        return figure
    with replacing(target) as temporary:
        figure.savefig(temporary, dpi=_DPI)
    return target


def _named(runs: Any) -> dict[str, Record]:
    """The runs by how the legend calls them; a single one needs no name."""
    if isinstance(runs, Mapping):
        found: dict[str, Any] = dict(runs)
    else:
        given = list(runs) if isinstance(runs, list | tuple) else [runs]
        titles = [getattr(getattr(run, "mechanism", None), "name", "") for run in given]
        found = dict(zip(titles if len(set(titles)) == len(titles) else [f"run {i + 1}" for i in range(len(given))], given))
    if not found:
        raise DescriptionError("There is nothing to plot: give at least one run.")
    for run in found.values():
        if not hasattr(run, "segments"):
            raise DescriptionError(f"What is plotted must be a run, got {run!r:.80}. Give what simulate() returned.")
        if not len(run):
            raise DescriptionError("There is nothing to plot: the result has no samples.")
    return found


def _horizontal(catalogue: Catalogue, name: str) -> Quantity:
    found = catalogue.get(name)
    if len(found) > 1 or found[0].parts:
        parts = [f"{name}.{part}" for part in found[0].parts] if len(found) == 1 else [quantity.name for quantity in found]
        raise DescriptionError(f"x must be a single number over time, but '{name}' is {len(parts)}. Choose one: {', '.join(parts)}.")
    return found[0]


def _flat(quantities: Iterable[Any]) -> list[str]:
    """The names, also if somebody gave a list of them."""
    return [name for item in quantities for name in (item if isinstance(item, list | tuple) else [item])]


def _overview(result: Record) -> list[str]:
    bodies = dict.fromkeys(name for segment in result.segments for name in segment.mechanism.bodies)
    lived = {name: sum(end - start for start, end in result[name].lifetimes) for name in bodies}
    shown = [name for name in bodies if lived[name] == max(lived.values())][-1:]  # the last of those that were there for longest
    constrained = any(segment.model.nc for segment in result.segments)
    return [*(f"{name}.position" for name in shown), "energy", *(["violation"] if constrained else [])]


# -- what goes where


@dataclass
class _Line:
    """A line of a panel."""

    x: np.ndarray
    y: np.ndarray
    run: int  #: number of the run
    quantity: int  #: number of the quantity among those of its run in the panel


class _Panel:
    """Lines that share a vertical axis."""

    def __init__(self, title: str, unit: str, logarithmic: bool) -> None:
        self.label = f"{title} [{unit}]" if unit else title
        self.unit = unit
        self.logarithmic = logarithmic
        self.lines: dict[str, _Line] = {}


def _panels(runs: dict[str, Record], names: list[str], over: dict[str, Quantity]) -> list[_Panel]:
    """One panel per kind of quantity and unit, in the order of the names."""
    panels: dict[tuple[str, str], _Panel] = {}
    for number, (label, run) in enumerate(runs.items()):
        catalogue = Catalogue(run)
        for name in names:
            for quantity in catalogue.get(name):
                if name == "energy" and not quantity.values.any():
                    continue  # the energies that play no part here
                kind = quantity.kind.partition(".")[0]
                energy = quantity.component == "energy" and kind != "error"
                if kind == "output":
                    kind = _OUTPUTS.get(quantity.unit, kind)
                title = "energy" if energy else _TITLES.get(kind, kind.replace("_", " "))
                panel = panels.setdefault((title, quantity.unit), _Panel(title, quantity.unit, kind in _ERRORS))
                for own, values in _lines(quantity, kind).items():
                    known = sum(line.run == number for line in panel.lines.values())
                    shown = own if len(runs) == 1 else f"{own}, {label}"
                    panel.lines[shown] = _Line(over[label].values, values, number, known)
    return list(panels.values())


def _lines(quantity: Quantity, kind: str) -> dict[str, np.ndarray]:
    """The lines of a quantity by the names they have in the legend: the component, and the part if there are several."""
    if quantity.component == "energy":
        return {quantity.kind: quantity.values}
    owner = quantity.component or quantity.kind.replace("_", " ")
    if quantity.parts:
        return {f"{owner} {part}": quantity.values[:, i] for i, part in enumerate(quantity.parts)}
    part = quantity.kind.partition(".")[2]
    return {f"{owner} {part}".strip() if part != "norm" else f"|{owner}|": quantity.values}


# -- drawing


def _figure(runs: dict[str, Record], panels: list[_Panel], over: Quantity) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    height = min(max(_HEIGHT * len(panels), 2.8) + 0.5, _HIGHEST)
    figure = figure_class()(figsize=(_WIDTH, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    title = ", ".join(dict.fromkeys(run.mechanism.name for run in runs.values()))
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold", color=_INK, parse_math=False)
    axes = figure.subplots(max(len(panels), 1), 1, sharex=True, squeeze=False)[:, 0]
    in_time = over.kind == "time" and not over.component
    for ax, panel in zip(axes, panels):
        _draw(ax, panel, len(runs))
        if not in_time:
            _across(ax, over, panel, len(panels) == 1)
        for moment in {edit.time for run in runs.values() for edit in run.edits} if in_time else ():
            ax.axvline(moment, color=_MUTED, linewidth=0.8, linestyle=(0, (2, 2)), zorder=1)
    if in_time and len(runs) == 1:
        _label_edits(axes[0], next(iter(runs.values())))
    unit = f" [{over.unit}]" if over.unit else ""
    label = "time" if in_time else over.name.replace("_", " ").replace(".", " ")
    axes[-1].set_xlabel(f"{label}{unit}", fontsize=9, color=_MUTED, parse_math=False)
    figure.align_ylabels()
    return figure


def _across(ax: Any, over: Quantity, panel: _Panel, alone: bool) -> None:
    """What differs from a plot over time: lines have room at both ends, and a path is drawn to scale."""
    ax.margins(x=0.04, y=0.06)
    if over.unit == panel.unit == "m" and alone:
        ax.figure.set_size_inches(_WIDTH, 5.0)
        ax.set_aspect("equal", adjustable="datalim")


def _label_edits(ax: Any, result: Record) -> None:
    """The labels of the edits above the first panel; one after the other those of one moment, and none if there are too many to read."""
    moments: dict[float, list[str]] = {}
    for edit in result.edits:
        moments.setdefault(edit.time, []).append(edit.label)
    if len(moments) > _MOST_LABELS:
        return
    for i, (moment, labels) in enumerate(moments.items()):
        text = ", ".join(labels)
        text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
        style = {"fontsize": 7.5, "color": _MUTED, "ha": "center", "va": "bottom", "parse_math": False}
        # on two lines in turn, so that neighbours do not cover each other
        ax.annotate(text, (moment, 1.0), (0, 2 + 9 * (i % 2)), xycoords=("data", "axes fraction"), textcoords="offset points", **style)


def _draw(ax: Any, panel: _Panel, runs: int) -> None:
    lines = panel.lines.values()
    largest = max((float(np.nanmax(np.abs(line.y))) for line in lines if np.isfinite(line.y).any()), default=0.0)
    logarithmic = panel.logarithmic and largest > 0
    # Quantities differ by colour; of several runs, those of one quantity by colour too, or else by their style.
    alone = runs > 1 and all(line.quantity == 0 for line in lines)
    handles = []
    for line in lines:
        values = line.y
        if logarithmic:  # what rounding alone can explain is all the same, down to zero, which has no logarithm
            values = np.maximum(np.abs(values), min(_ROUNDING, 0.1 * largest))
        color = line.run if alone else line.quantity
        style = _DASHES[(color // len(PALETTE) + (0 if alone else line.run)) % len(_DASHES)]
        handles += ax.plot(line.x, values, color=PALETTE[color % len(PALETTE)], linestyle=style, linewidth=1.5, solid_capstyle="round")
    ax.set_ylabel(panel.label, fontsize=9, color=_MUTED)
    ax.grid(True, color=_GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=8.5, colors=_MUTED, length=0)
    ax.margins(x=0)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color("#c6ced8")
    if logarithmic:
        ax.set_yscale("log")
    _ticks(ax, logarithmic)
    if len(handles) == 1 and next(iter(panel.lines)) in panel.label:
        return
    # The legend stands beside the panel, where it hides nothing. Its texts are set afterwards: a name may begin with "_" or contain "$".
    legend = ax.legend(handles, [str(i) for i in range(len(handles))], loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
    for text, label in zip(legend.get_texts(), panel.lines):
        text.set(text=label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…", fontsize=8.5, color=_INK, parse_math=False)


def _ticks(ax: Any, logarithmic: bool) -> None:
    from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator, ScalarFormatter

    if logarithmic:
        ax.yaxis.set_major_locator(LogLocator(numticks=6))
        ax.yaxis.set_minor_locator(NullLocator())
        return
    ax.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    form = ScalarFormatter(useOffset=False, useMathText=True)
    form.set_powerlimits((-3, 5))
    ax.yaxis.set_major_formatter(form)
    ax.yaxis.get_offset_text().set(fontsize=8, color=_MUTED)


def figure_class() -> type[Figure]:
    """A Figure that a notebook shows by itself, whatever its back end; made late because matplotlib takes long to import."""
    from matplotlib.figure import Figure

    class Plot(Figure):
        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            self.savefig(picture, format="png", dpi=100)
            return picture.getvalue()

    return Plot
