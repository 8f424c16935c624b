"""The page about a run: tables, and pictures of time against error and against size."""

from __future__ import annotations

from pathlib import Path

from ._records import Record, WorkloadRecord
from ._tables import Table, goals, growth, head, measured, ratios

__all__ = ["MARK", "write_page"]

MARK = "<!-- Everything below this line is written by `bielle bench --page`. -->"
COLORS = {
    "central": "tab:blue",
    "central, RK4": "tab:cyan",
    "recursive": "tab:green",
    "modular": "tab:purple",
    "Exudyn": "tab:orange",
    "MuJoCo": "tab:red",
    "IDA": "tab:brown",
}
OTHERS = ("tab:gray", "tab:pink", "tab:olive")


def write_page(path: Path, record: Record) -> list[Path]:
    """Write the page, below the mark if there is one in it, and its pictures into ``images`` beside it; what was written is returned."""
    text = path.read_text(encoding="utf-8") if path.exists() else "# Benchmarks\n"
    count, missed = goals(record)
    parts = [text.partition(MARK)[0].rstrip(), MARK, "## A run", "\n".join(f"- {line}" for line in head(record))]
    parts += [f"{count - len(missed)} of {count} goals are reached." + "".join(f"\n- missed: {each}" for each in missed)] if count else []
    written = [path]
    for work in record.workloads:
        parts += [f"### {work.title}", f"`bielle bench {work.name}`. {work.about}"]
        picture = _draw(path.parent / "images" / f"bench_{work.name}.png", work)
        if picture is not None:
            written.append(picture)
            parts.append(f"![{work.title}](images/{picture.name})")
        parts += [_markdown(table) for table in (measured(work), ratios(work)) if table[1]]
        parts += filter(None, [growth(work)])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return written


def _markdown(table: Table) -> str:
    names, rows = table
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    last = None
    for row in rows:
        cells = [row[0] if row[0] != last else "", *row[1:]]
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
        last = row[0]
    return "\n".join(lines)


def _draw(path: Path, work: WorkloadRecord) -> Path | None:
    """Time against error, a panel for each case; or time against size, if the cases are numbers. None of other workloads."""
    sized = len(work.sizes) > 2
    if not work.curves and not sized:
        return None
    from matplotlib.figure import Figure

    panels = work.cases if work.curves else work.cases[:1]
    figure = Figure(figsize=(4.5 * len(panels) + 1.5, 3.6), layout="constrained")
    for ax, case in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels):
        others = iter(OTHERS * len(case.measured))
        for program in dict.fromkeys(each.program for each in case.measured):
            if work.curves:
                points = [(each.error, each.value) for each in case.measured if each.program == program and each.values and each.error]
            else:
                points = [
                    (int(other.name), each.value / each.count)
                    for other in work.cases
                    for each in other.measured
                    if each.program == program and each.values
                ]
            if points:
                ax.loglog(*zip(*points), "o-", ms=4, label=program, color=COLORS.get(program) or next(others))
        ax.grid(alpha=0.3)
        ax.legend(fontsize=8)
        ax.set_xlabel(work.error if work.curves else "n")
        ax.set_ylabel(f"[{work.quantity}]" if work.curves else f"per {work.unit} [{work.quantity}]")
        if work.curves:
            ax.invert_xaxis()
            ax.set_title(case.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    return path
