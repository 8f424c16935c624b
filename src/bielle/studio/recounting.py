"""Python to copy: what was done to a session."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from ..live.events import Event
from ..live.journal import Aim, Alarm, Await, Edit, Forget, Go, Redo, Restore, Step, Undo, Use
from ..live.operations import Drop, Gravity, Move, Put, Strike
from ..live.session import LiveSession
from ..mechanism.description import Body, Frame
from .scripting import HEAD, PLACES, adding, given, kind_call, mechanism_lines, value_text

__all__ = ["actions_as_python"]

_MOTION = ("position", "orientation", "velocity", "angular_velocity")

Components = dict[str, Any]


def actions_as_python(live: LiveSession) -> str:
    """A script that builds what the session began with and does what was done to it; functions that events call are left to the reader."""
    with live._lock:
        entries, began = list(live.journal.entries), live._began
    told = _Told({name: component for table in _tables(began.moment.mechanism) for name, component in table.items()})
    lines = [*HEAD, *mechanism_lines(began.moment.mechanism), "", f"live = m.live({_solver(began.solver)})"]
    for entry in entries:
        lines += told.entry(entry)
    return "\n".join([*lines, ""])


def _tables(m: Any) -> tuple[Components, ...]:
    return m.bodies, m.frames, m.joints, m.forces


def _solver(solver: Any) -> str:
    fields = [f for f in dataclasses.fields(solver) if getattr(solver, f.name) != f.default]
    return f"bl.{type(solver).__name__}({', '.join(f'{f.name}={getattr(solver, f.name)!r}' for f in fields)})"


class _Told:
    """Tells a journal; knows what there is, since to put something where something is means to replace it."""

    def __init__(self, there: Components) -> None:
        self._there = there
        self._undo: list[Components] = []
        self._redo: list[Components] = []
        self._left_out: set[str] = set()  # events that call functions, which no script knows

    def entry(self, entry: Any) -> list[str]:
        """Lines of a script."""
        match entry:
            case Go(ends=ends, fired=fired):
                return [*_advances(ends), *_events(fired)]
            case Step(count=count, fired=fired):
                return [f"live.step({count})", *_events(fired)]
            case Undo():
                self._redo.append(self._there)
                self._there = self._undo.pop()
                return ["live.undo()"]
            case Redo():
                self._undo.append(self._there)
                self._there = self._redo.pop()
                return ["live.redo()"]
            case Edit():
                return self._edit(entry)
            case Aim(name=name, target=target):
                return _with_edit(name, [f"set({name!r}, target={value_text(target)})"], undoable=False)
            case Use(solver=solver):
                return [f"live.use({_solver(solver)})"]
            case Await(event=event, undoable=undoable):
                self._can_be_undone(undoable)
                return [self._awaited(event, _awaiting(event, undoable))]
            case Alarm(event=event, time=time):
                return [self._awaited(event, f"live.at({time!r}, {event.does!r}, name={event.name!r})" if event.does else None)]
            case Forget(name=name, undoable=undoable):
                self._can_be_undone(undoable)
                call = f"live.forget({name!r}{', undoable=True' if undoable else ''})"
                return [f"# {call}" if name in self._left_out else call]
            case Restore(number=number):
                return [f"# back to snapshot {number}"]
        return []

    def _awaited(self, event: Event, call: str | None) -> str:
        """The call, or a remark if an event cannot be awaited by one."""
        self._left_out.discard(event.name)
        if call is not None:
            return call
        self._left_out.add(event.name)
        return f"# event {event.name!r} is awaited from here on"

    def _can_be_undone(self, undoable: bool) -> None:
        if undoable:
            self._undo.append(self._there)
            self._redo.clear()

    def _edit(self, edit: Edit) -> list[str]:
        self._can_be_undone(edit.undoable)
        self._there = dict(self._there)
        lines = [line for operation in edit.operations for line in self._operation(operation)]
        return _with_edit(edit.label, lines, edit.undoable)

    def _operation(self, operation: Any) -> list[str]:
        match operation:
            case Put(component=component):
                before, self._there[component.name] = self._there.get(component.name), component
                return [_with(adding(component), *_joining(operation))] if before is None else _replacing(before, operation)
            case Drop(name=name):
                self._there.pop(name, None)
                return [f"remove({name!r}, dependants=True)"]
            case Move(name=name):
                return [f"teleport({', '.join([repr(name), *given(operation, _MOTION)])})"]
            case Strike(name=name, at=at):
                return [f"push({', '.join([repr(name), f'local={value_text(at)}', *given(operation, ('impulse', 'moment'))])})"]
            case Gravity(value=value):
                return [f"set_gravity({value_text(value)})"]
        return []


def _with_edit(label: str, lines: list[str], undoable: bool) -> list[str]:
    """Calls that are one edit, or part of the one before, so that to undo means the same in a script."""
    if not lines or (len(lines) == 1 and undoable):
        return [f"live.{line}" for line in lines]
    options = "" if undoable else ", undoable=False"
    return [f"with live.edit({label!r}{options}):", *(f"    live.{line}" for line in lines)]


def _replacing(before: Any, put: Put) -> list[str]:
    """A component in the place of another of that name."""
    after, name = put.component, repr(put.component.name)
    if isinstance(after, Frame):
        return [f"set({name}, local={value_text(after.position)}, orientation={value_text(after.orientation)})"]
    if isinstance(after, Body):
        return [
            *([f"replace({name}, {kind_call(after.shape)})"] if after.shape != before.shape else []),
            *([f"replace({name}, coordinates={after.coordinates!r})"] if after.coordinates != before.coordinates else []),
            *([f"set({name}, color={after.color!r})"] if after.color != before.color else []),
        ]
    if any(getattr(before, f) != getattr(after, f) for f in (*PLACES, "a", "b")):
        return [f"remove({name}, dependants=True)", _with(adding(after), *_joining(put))]
    return [_with(f"replace({name}, {kind_call(after.kind)})", *_joining(put))]


def _joining(put: Put) -> list[str]:
    return [*given(put, ("joining",), without="gentle"), *given(put, ("over",))]


def _with(call: str, *arguments: str) -> str:
    return f"{', '.join([call[:-1], *arguments])})"


def _awaiting(event: Event, undoable: bool) -> str | None:
    """A call that awaits an event again; None unless what it looks at and what it does can be said in words."""
    watch, undone = event.watch, ", undoable=True" if undoable else ""
    if event.action is not None or watch is None or not event.quantity or event.turns:
        return None
    if event.breaks:
        return f"live.breaks({event.breaks!r}, {event.quantity.rpartition('.')[2]}={watch.threshold!r}{undone})"
    words = ("below", "", "above") if event.limit else ("falls", "crosses", "rises")
    does = f", {event.does!r}" if event.does else ""
    once = "" if event.once else ", once=False"
    return f"live.when({event.quantity!r}{does}, {words[watch.direction + 1]}={watch.threshold!r}{once}, name={event.name!r}{undone})"


def _advances(ends: list[float]) -> list[str]:
    """Advances to times, one after the other as they were made, since steps depend on the ends they aim at; frames of a run as a loop."""
    lines, i = [], 0
    while i < len(ends):
        start, frame, count = _grid(ends[i:])
        if count > 2:
            lines += [f"for k in range(1, {count + 1}):", f"    live.advance_to({start!r} + k * {frame!r})"]
        else:
            lines += [f"live.advance_to({end!r})" for end in ends[i : i + count]]
        i += count
    return lines


def _grid(ends: list[float]) -> tuple[float, float, int]:
    """(start, frame, count): the first ``count`` times are start + k frame for k = 1, 2, …, to the bit."""
    best = 0.0, 0.0, 1
    if len(ends) < 3:
        return best
    apart = ends[1] - ends[0]
    for frame in (round(apart * 60.0, 6) * (1.0 / 60.0), float(f"{apart:.10g}"), apart):
        start = ends[0] - frame
        for candidate in (round(start, 9), start, math.nextafter(start, -math.inf), math.nextafter(start, math.inf)):
            fitting = (k for k, end in enumerate(ends, 1) if candidate + k * frame != end)
            count = next(fitting, len(ends) + 1) - 1
            if count > best[2]:
                best = candidate, frame, count
        if best[2] == len(ends):
            break
    return best


def _events(fired: list[Any]) -> list[str]:
    return [f"# event {each.event!r} happened on the way" for each in fired]
