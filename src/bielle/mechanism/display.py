"""How a mechanism shows itself: a few lines in a terminal, a table in a notebook."""

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .description import Force, Joint
    from .mechanism import Mechanism

__all__ = ["freedom", "html", "text"]

_SHOWN_IN_TEXT = 8  # components per line
_SHOWN_IN_HTML = 50  # rows per table
_LONGEST = 40  # characters of a name


def freedom(mechanism: "Mechanism") -> int:
    """Grübler's estimate of the degrees of freedom: 3 (planar) or 6 per body, less one per equation of a joint.

    Exact unless equations repeat each other, as in a spatial four-bar with parallel hinges, where it is too small.
    """
    dim = mechanism.dim
    free = (3 if mechanism.planar else 6) * len(mechanism.bodies)
    return free - sum(joint.kind.count(dim) for joint in mechanism.joints.values())


def text(mechanism: "Mechanism") -> str:
    """One line that sums up, and one line per table of components."""
    lines = [_summary(mechanism)]
    if mechanism.bodies:
        lines.append("  bodies: " + _listed(_short(name) for name in mechanism.bodies))
    if mechanism.joints:
        lines.append("  joints: " + _listed(f"{_short(n)} ({_tag(j.kind)}, {_sides(j)})" for n, j in mechanism.joints.items()))
    if mechanism.forces:
        lines.append("  forces: " + _listed(f"{_short(n)} ({_tag(f.kind)}, {_sides(f)})" for n, f in mechanism.forces.items()))
    if mechanism.frames:
        lines.append("  frames: " + _listed(f"{_short(n)} (on {_short(f.body)})" for n, f in mechanism.frames.items()))
    return "\n".join(lines)


def html(mechanism: "Mechanism") -> str:
    """Tables of bodies, joints, forces and frames; every name is escaped."""
    m = mechanism
    bodies = (
        (n, b.shape.__struct_config__.tag, f"{b.shape.mass_properties().mass:.6g}", _vector(b.position), m.coordinates_of(b))
        for n, b in m.bodies.items()
    )
    joints = ((n, _tag(j.kind), _sides(j), j.kind.count(m.dim)) for n, j in m.joints.items())
    forces = ((n, _tag(f.kind), _sides(f)) for n, f in m.forces.items())
    frames = ((n, f.body, _vector(f.position)) for n, f in m.frames.items())
    return "<div>" + "".join(
        (
            f"<p>{escape(_summary(m))}</p>",
            _table(("body", "shape", "mass [kg]", "position [m]", "coordinates"), bodies, len(m.bodies)),
            _table(("joint", "kind", "between", "equations"), joints, len(m.joints)),
            _table(("force", "kind", "on"), forces, len(m.forces)),
            _table(("frame", "on", "position [m]"), frames, len(m.frames)),
            "</div>",
        )
    )


def _summary(m: "Mechanism") -> str:
    counts = [_count(m.bodies, "body", "bodies"), _count(m.joints, "joint"), _count(m.forces, "force"), _count(m.frames, "frame")]
    space = f"planar {m.plane}" if m.planar else "spatial"
    return (
        f"Mechanism '{_short(m.name)}' ({space}, gravity {_vector(m.gravity)} m/s²): "
        f"{', '.join(c for c in counts if c) or 'empty'}; estimated degrees of freedom: {freedom(m)}"
    )


def _count(table: dict[str, Any], singular: str, plural: str = "") -> str:
    return f"{len(table)} {singular if len(table) == 1 else plural or singular + 's'}" if table else ""


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def _sides(component: "Joint | Force") -> str:
    joint = getattr(component, "joint", None)
    if joint is not None:
        return f"in {_short(joint)}"
    return " → ".join(_short(side) for side in (component.a, component.b) if side is not None)


def _vector(values: Iterable[float]) -> str:
    return "(" + ", ".join(f"{value:.6g}" for value in values) + ")"


def _listed(items: Iterable[str]) -> str:
    shown = list(items)
    more = len(shown) - _SHOWN_IN_TEXT
    return ", ".join(shown[:_SHOWN_IN_TEXT]) + (f", … and {more} more" if more > 0 else "")


def _table(head: tuple[str, ...], rows: Iterable[tuple[Any, ...]], count: int) -> str:
    if not count:
        return ""
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_short(str(cell)))}</td>" for cell in row) + "</tr>" for row, _ in zip(rows, range(_SHOWN_IN_HTML))
    )
    if count > _SHOWN_IN_HTML:
        body += f'<tr><td colspan="{len(head)}">… and {count - _SHOWN_IN_HTML} more</td></tr>'
    heads = "".join(f"<th>{title}</th>" for title in head)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
