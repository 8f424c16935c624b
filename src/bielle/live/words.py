"""A journal in words, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..mechanism.description import Body, Force, Frame, Joint
from .journal import Aim, Alarm, Await, Edit, Forget, Go, Redo, Restore, Snap, Step, Undo, Use
from .operations import Drop, Gravity, Move, Operation, Put, Strike

__all__ = ["journal_in_words", "operation_in_words"]


def journal_in_words(entries: Iterable[Any]) -> str:
    """A line for each entry: the time at which it begins, as far as the journal knows it, and what was done."""
    lines = list(_lines(entries, 0.0, ""))
    return "\n".join(lines) if lines else "Nothing was done yet."


def operation_in_words(operation: Operation) -> str:
    """What an operation does: "joint 'pivot': Pin between ground and upper"."""
    if isinstance(operation, Put):
        return _component(operation)
    if isinstance(operation, Drop):
        return f"remove '{operation.name}'"
    if isinstance(operation, Gravity):
        return f"gravity {_numbers(operation.value)} m/s²"
    if isinstance(operation, Strike):
        turning = "" if operation.moment is None else f" and {_numbers(operation.moment)} N·m·s"
        return f"strike '{operation.name}' with {_numbers(operation.impulse)} N·s{turning} at {_numbers(operation.at)}"
    assert isinstance(operation, Move)
    fields = ("position", "orientation", "velocity", "angular_velocity")
    given = ((field.replace("_", " "), getattr(operation, field)) for field in fields)
    return f"move '{operation.name}' to " + ", ".join(f"{name} {_numbers(value)}" for name, value in given if value is not None)


def _component(put: Put) -> str:
    c = put.component
    if isinstance(c, Body):
        return f"body '{c.name}': {type(c.shape).__name__.lower()} at {_numbers(c.position)}"
    if isinstance(c, Frame):
        return f"frame '{c.name}' on {c.body} at {_numbers(c.position)}"
    what = f"{type(c).__name__.lower()} '{c.name}': {type(c.kind).__name__}"
    if isinstance(c, Force):
        return f"{what} in {c.joint}" if c.joint is not None else f"{what} on {c.a}" + ("" if c.b is None else f" and {c.b}")
    assert isinstance(c, Joint)
    over = "" if put.over is None else f" over {put.over:g} s"
    return f"{what} between {c.a} and {c.b}, {put.joining}{over}"


def _lines(entries: Iterable[Any], time: float | None, indent: str) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, Edit):
            time = entry.time
        begins = f"{'' if time is None else f'{time:.6g} s':>12}  {indent}"
        if isinstance(entry, Edit):
            operations = "; ".join(operation_in_words(op) for op in entry.operations)
            ends = "".join(f"; '{name}' ends after {seconds:g} s" for seconds, name in entry.timers)
            yield f"{begins}{entry.label}: {operations}{ends}"
        elif isinstance(entry, Go | Step):
            yield begins + _advance(entry)
            time = entry.ends[-1] if isinstance(entry, Go) and entry.steps is None else None
            for fired in entry.fired:
                yield f"{'':>12}  {indent}  event '{fired.event}'"
                yield from _lines(fired.entries, None, indent + "    ")
        else:
            yield begins + _travel(entry)
            time = None if isinstance(entry, Undo | Redo | Restore) else time


def _advance(entry: Go | Step) -> str:
    if isinstance(entry, Step):
        what = f"{entry.count} step{'s' if entry.count > 1 else ''}"
    else:
        what = f"advance to {entry.ends[-1]:.6g} s" + (f" in {len(entry.ends)} parts" if len(entry.ends) > 1 else "")
    return what if entry.steps is None else f"{what}, stopped after {entry.steps} step{'' if entry.steps == 1 else 's'}"


def _travel(entry: Any) -> str:
    if isinstance(entry, Aim):
        return f"{entry.name}: pull to {_numbers(entry.target)}"
    if isinstance(entry, Use):
        return f"use {entry.solver.describe()}"
    if isinstance(entry, Snap):
        return f"snapshot {entry.number}"
    if isinstance(entry, Await):
        return f"await '{entry.event.name}'"
    if isinstance(entry, Alarm):
        return f"alarm '{entry.event.name}' at {entry.time:.6g} s"
    if isinstance(entry, Forget):
        return f"forget '{entry.name}'"
    if isinstance(entry, Restore):
        return f"restore snapshot {entry.number}"
    return "undo" if isinstance(entry, Undo) else "redo"


def _numbers(value: Any) -> str:
    return f"({', '.join(f'{x:.4g}' for x in value)})" if isinstance(value, tuple | list) else f"{value:.4g}"
