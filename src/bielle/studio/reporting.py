"""The report on a mechanism beside the joints it concerns, with remedies that a page can offer as buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ..analysis.report import LOOSER, Redundancy, Report, report
from ..mechanism import registry
from ..mechanism.mechanism import Mechanism
from .fields import plain

__all__ = ["reported"]

_AXES = ("x", "y", "z")
_MOST_TRIED = 6  # joints of one redundancy for which a remedy is looked for


def reported(m: Mechanism) -> dict[str, Any]:
    """Degrees of freedom and redundancy, and notes: what concerns which joint, and what can be done about it."""
    found = report(m)
    notes = [note for redundancy in found.redundancies for note in _notes(m, found, redundancy)]
    notes += [
        {"name": name, "text": f"It is {gap:.3g} {found.units[name]} from being closed.", "remedy": None}
        for name, gap in found.gaps.items()
    ]
    if found.problem:
        notes.insert(0, {"name": None, "text": found.problem, "remedy": None})
    notes += [{"name": None, "text": text, "remedy": None} for text in found.advice]
    redundant = sum(redundancy.equations for redundancy in found.redundancies)
    return {"dof": found.degrees_of_freedom, "redundant": redundant, "text": str(found), "notes": notes} | {
        "joints": [name for redundancy in found.redundancies for name in redundancy.joints]
    }


def _notes(m: Mechanism, found: Report, redundancy: Redundancy) -> list[dict[str, Any]]:
    n = redundancy.equations
    what = f"{n} equation{'s' if n > 1 else ''} of {', '.join(redundancy.joints)} say{'' if n > 1 else 's'} again what others say"
    text = f"{what}, in this position only (singular)." if redundancy.singular else f"{what}."
    tried = () if redundancy.singular else redundancy.joints[:_MOST_TRIED]
    return [{"name": name, "text": text, "remedy": _remedy(m, found, name) if name in tried else None} for name in redundancy.joints]


def _remedy(m: Mechanism, found: Report, name: str) -> dict[str, Any] | None:
    """A looser joint in the same place that leaves the motion as it is: no freedom more, redundant equations less."""
    joint = m.joints[name]
    looser = LOOSER.get(str(type(joint.kind).__struct_config__.tag))
    for tag in looser.kinds if looser is not None else ():
        for data, along in _variants(joint.kind, registry.joints[tag], _AXES[: m.dim]):
            trial = m.copy()
            trial.joints[name] = msgspec.structs.replace(joint, kind=msgspec.convert(data | {"type": tag}, registry.joints[tag]))
            after = report(trial)
            if after.ok and after.degrees_of_freedom == found.degrees_of_freedom and after.equations < found.equations:
                message = {"do": "retype", "name": name, "kind": {"type": tag} | data}
                return {"label": f"Make '{name}' {tag.replace('_', ' ')}{along}", "message": message}
    return None


def _variants(kind: Any, cls: Any, axes: Sequence[str]) -> list[tuple[dict[str, Any], str]]:
    """Data of a looser kind, and how they differ in words: with the parameters of the joint, along each axis if it has none."""
    known = {key: getattr(kind, key) for key in type(kind).__struct_fields__ if isinstance(getattr(kind, key), str)} | plain(kind)
    data = {key: value for key, value in known.items() if key in cls.__struct_fields__}
    missing = [key for key in ("direction", "axis") if key in cls.__struct_fields__ and key not in data]
    return [(data | {missing[0]: axis}, f" along {axis}") for axis in axes] if missing else [(data, "")]
