"""The page about a run of the validations: tables, and pictures of the published points on bielle's curves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ._problem import WAYS, Outcome, Quantity

__all__ = ["MARK", "write_page"]

MARK = "<!-- Everything below this line is written by `bielle validate --page`. -->"
PICTURES = {
    "validation_planar.png": ("pendulum_a01", "n_four_bar_a02", "slider_crank_torque", "slider_crank_sundials"),
    "validation_spatial.png": ("flyball_governor_a05", "heavy_top", "revolute_case02", "transpring_case02"),
}
COLORS = ("tab:blue", "tab:orange", "tab:green")


def write_page(path: Path, outcomes: Sequence[Outcome]) -> list[Path]:
    """Write the page, below the mark if there is one in it, and its pictures into ``images`` beside it; what was written is returned."""
    first = [each for each in outcomes if each.way == WAYS[0]]
    pictures = [picture for name, names in PICTURES.items() if (picture := _draw(path.parent / "images" / name, first, names))]
    text = path.read_text(encoding="utf-8") if path.exists() else "# Validation\n"
    parts = [text.partition(MARK)[0].rstrip(), MARK, *(f"![Published points and computed curves](images/{p.name})" for p in pictures)]
    if any(each.way != WAYS[0] for each in outcomes):
        parts += ["## By solver", _by_solver(outcomes)]
    parts += ["## Every quantity", *(_section(each) for each in first)]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return [path, *pictures]


def _by_solver(outcomes: Sequence[Outcome]) -> str:
    """A row per problem, a column per solver: the largest difference in units of its tolerance, and the steps it took."""
    ways = [way for way in WAYS if any(each.way == way for each in outcomes)]
    found = {(each.name, each.way): each for each in outcomes}
    lines = [f"| problem | {' | '.join(ways)} |", "|---" * (len(ways) + 1) + "|"]
    for name in dict.fromkeys(each.name for each in outcomes):
        cells = [_cell(found[name, way]) if (name, way) in found else "" for way in ways]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(outcome: Outcome) -> str:
    if outcome.failure:
        return "cannot"
    text = f"{outcome.worst:.2g}, {outcome.steps}"
    return text if outcome.held else f"*{text}*"


def _section(outcome: Outcome) -> str:
    problem = outcome.problem
    how = problem.solver(outcome.way).describe()
    lines = [
        f"### {problem.title}",
        "",
        f"`{outcome.name}`: {problem.source}. {problem.duration:g} s; {how}; {outcome.steps} steps.",
        "",
        "| quantity | times | worst at [s] | reference | difference | tolerance | digits | tolerance is |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in outcome.comparisons:
        numbers = f"{each.reference:.12g} | {each.difference:.1e} | {each.tolerance:.1e} | {each.digits:.1f}"
        name = each.quantity.name.replace("|", "\\|")
        lines.append(f"| {name} | {len(each.quantity.times)} | {each.time:g} | {numbers} | {each.quantity.why} |")
    return "\n".join(lines)


def _draw(path: Path, outcomes: Sequence[Outcome], names: Sequence[str]) -> Path | None:
    """A panel for each problem of these names that was run: curves, and the points they are compared with."""
    shown = [each for each in outcomes if each.name in names and each.result is not None]
    if not shown:
        return None
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 5.6), layout="constrained")
    axes = figure.subplots((len(shown) + 1) // 2, 2 if len(shown) > 1 else 1, squeeze=False).ravel()
    for ax in axes[len(shown) :]:
        ax.remove()
    for ax, outcome in zip(axes, shown):
        ax.set_title(f"{outcome.problem.title}, over t [s]", fontsize=9)
        for color, quantity in zip(COLORS, _curves(outcome.problem.quantities)):
            assert outcome.result is not None
            ax.plot(outcome.result.time, quantity.read(outcome.result), color=color, linewidth=0.9, label=quantity.name)
            ax.plot(quantity.times, quantity.reference, ".", color=color, markersize=5)
        ax.legend(fontsize=7, ncol=len(COLORS), loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False)
        ax.tick_params(labelsize=7)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    return path


def _curves(quantities: Sequence[Quantity]) -> list[Quantity]:
    """The quantities that have several reference points, all of the unit of the first."""
    tables = {q.name.partition(",")[0]: q for q in quantities if len(q.times) > 3}  # the published one of two of the same name
    units = {name: name.partition("[")[2].rstrip("]") for name in tables}
    return [q for name, q in tables.items() if units[name] == next(iter(units.values()))]
