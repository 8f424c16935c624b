"""A session as bytes: its start, its journal and its present, as data only. What has not changed since the last time is not encoded again.

Mechanisms and components are written as in model files (:mod:`bielle.mechanism.files`), but binary, so that every float keeps its bits.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from ..mechanism.files import component_data
from ..mechanism.functions import Function, FunctionKind
from ..model import Model
from ..model.state import CARRIED
from ..solvers.choice import SOLVERS
from .events import Event
from .journal import Alarm, Await, Edit, Fired, Use
from .operations import Put
from .wire import FUNCTION, PLAIN, EventData, Instant, Saved

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from ..solvers.run import Solver
    from .moments import Moment
    from .session import LiveSession
    from .start import Start

__all__ = ["WARM_STARTS", "Encoder", "Functions", "SessionCopy", "row_names"]

#: arrays of a state that can be found again: where they are not known, zero is written, and the state is not settled
WARM_STARTS = ("lam", "acc", "a0", "mu")

_pack = msgspec.msgpack.Encoder().encode


class Functions:
    """Python functions of a session by the names that stand for them in a file: that of their component, with a number if it has more."""

    def __init__(self, given: dict[str, Any] | None = None) -> None:
        self.by_name: dict[str, Any] = dict(given or {})

    def name(self, component: str, function: Any) -> str:
        """The name of a function that a component uses."""
        count = 1
        while True:
            name = component if count == 1 else f"{component} ({count})"
            if name not in self.by_name:
                self.by_name[name] = function
            if _same(self.by_name[name], function):
                return name
            count += 1


def _same(a: Any, b: Any) -> bool:
    """Whether two functions are one, whether or not a component has wrapped it."""
    a, b = (Function(f) if not isinstance(f, Function) else f for f in (a, b))
    return type(a) is type(b) and bool(a == b)


@dataclass(frozen=True)
class SessionCopy:
    """A session between two steps. Nothing in it changes while the session goes on, so that another thread can write it."""

    began: Start
    present: Moment
    entries: list[Any]  #: of the journal; those that come later do not count
    complete: int  #: how many of them do not grow any more
    last: Any  #: the one after these, as it is now; None if there is none
    snapshots: int
    turned: dict[tuple[str, str], float]  #: angles beyond half a turn

    @classmethod
    def of(cls, live: LiveSession, *, whole: bool = False) -> SessionCopy:
        """The session as it is now, with all angles that have turned if it is to be ``whole``, or those that events await; the caller
        holds its lock."""
        journal = live.journal
        last = journal.last(None if live._entry is None else live._taken) if journal.entries else None
        return cls(
            live._began, live._moment(), journal.entries, max(len(journal.entries) - 1, 0), last, live._snapshots, live._turned(whole)
        )


class Encoder:
    """Writes one session again and again, from one thread or several."""

    def __init__(self, functions: Functions | None = None) -> None:
        self._lock = threading.Lock()
        self._functions = functions or Functions()
        self._components: dict[str, tuple[Any, msgspec.Raw]] = {}  # as encoded last, by name
        self._mechanism: tuple[Mechanism, msgspec.Raw] | None = None
        self._rows: tuple[Model, list[list[str]]] | None = None
        self._start: msgspec.Raw | None = None
        self._entries: list[msgspec.Raw] = []  # all but the last, which may still grow

    def content(self, session: SessionCopy) -> bytes:
        """The session as bytes."""
        with self._lock:
            return self._content(session)

    def _content(self, session: SessionCopy) -> bytes:
        began = session.began
        if self._start is None:
            self._start = msgspec.Raw(_pack(self._instant(began.moment)))
        saved = Saved(
            solver=_options(began.solver),
            record=began.record,
            history=min(began.history, 2**62),  # what the format can hold
            snapshots=session.snapshots,
            start=self._start,
            journal=self._journal(session),
            present=self._instant(session.present),
            functions=[],
            turned=[(*key, angle) for key, angle in session.turned.items()],
        )
        saved.functions = sorted(self._functions.by_name)  # after the rest has named them
        return _pack(saved)

    # -- an instant

    def _instant(self, moment: Moment) -> Instant:
        state = moment.state
        known = {name: getattr(state, name) for name in CARRIED}
        lost = [name for name in WARM_STARTS if not np.isfinite(known[name]).all()]
        known |= {name: np.zeros_like(known[name]) for name in lost}
        return Instant(
            mechanism=self._encoded(moment.mechanism),
            rows=self._row_names(moment.model),
            time=state.time,
            step=state.step if np.isfinite(state.step) else 0.0,
            settled=state.settled and not lost,
            arrays={name: np.ascontiguousarray(values, dtype="<f8").tobytes() for name, values in known.items()},
            closings=list(moment.model.closings),
            timers=list(moment.timers),
            events=[self._event(event) for event in moment.events.values()],
            due=list(moment.due),
            sides=moment.sides,
            beyond=sorted(moment.beyond),
        )

    def _encoded(self, m: Mechanism) -> msgspec.Raw:
        if self._mechanism is None or self._mechanism[0] is not m:
            tables = {table: self._table(getattr(m, table)) for table in ("bodies", "frames", "joints", "forces")}
            head = {"bielle": 1, "name": m.name, "gravity": m.gravity} | ({} if m.plane is None else {"plane": m.plane})
            names = {name for table in tables.values() for name in table}
            self._components = {name: kept for name, kept in self._components.items() if name in names}
            self._mechanism = m, msgspec.Raw(_pack(head | tables))
        return self._mechanism[1]

    def _table(self, components: dict[str, Any]) -> dict[str, msgspec.Raw]:
        for name, component in components.items():
            if name not in self._components or self._components[name][0] is not component:
                self._components[name] = component, msgspec.Raw(_pack(self._data(component)))
        return {name: self._components[name][1] for name in components}

    def _data(self, component: Any) -> dict[str, Any]:
        def stand_in(function: Any) -> dict[str, str]:
            return {FUNCTION: self._functions.name(component.name, function)}

        data = component_data(f"{type(component).__name__.lower()} '{component.name}'", component, stand_in)
        kind = getattr(component, "kind", None)
        for field in () if kind is None else kind.__struct_fields__:
            value = getattr(kind, field)
            # Also an object that could be written as data, but would not be one then.
            if callable(value) and not isinstance(value, type | FunctionKind):
                data[field] = stand_in(value)
        return data

    def _row_names(self, model: Model) -> list[list[str]]:
        if self._rows is None or self._rows[0] is not model:
            self._rows = model, row_names(model)
        return self._rows[1]

    # -- the journal

    def _journal(self, session: SessionCopy) -> list[msgspec.Raw]:
        for entry in session.entries[len(self._entries) : session.complete]:
            self._entries.append(msgspec.Raw(_pack(self._entry(entry))))
        complete = self._entries[: session.complete]  # somebody else may have written a later copy
        return complete if session.last is None else [*complete, msgspec.Raw(_pack(self._entry(session.last)))]

    def _entry(self, entry: Any) -> Any:
        if isinstance(entry, Edit):
            data = msgspec.to_builtins(msgspec.structs.replace(entry, operations=[]))
            return data | {"operations": [self._operation(op) for op in entry.operations]}
        if isinstance(entry, Use):
            return {"type": "use", "solver": _options(entry.solver)}
        if isinstance(entry, Await | Alarm):
            data = {"type": "alarm", "time": entry.time} if isinstance(entry, Alarm) else {"type": "await", "undoable": entry.undoable}
            return data | {"event": self._event(entry.event)}
        fired = getattr(entry, "fired", None)
        if fired:
            data = msgspec.to_builtins(msgspec.structs.replace(entry, fired=[]))
            return data | {"fired": [self._fired(each) for each in fired]}
        return entry

    def _event(self, event: Event) -> EventData:
        action = None if event.action is None else self._functions.name(event.name, event.action)
        function = None if event.function is None else self._functions.name(f"{event.name} quantity", event.function)
        plain = {f: getattr(event, f) for f in PLAIN}
        return EventData(**plain, action=action, function=function)

    def _fired(self, fired: Fired) -> dict[str, Any]:
        data = {"event": fired.event, "entries": [self._entry(entry) for entry in fired.entries]}
        return data | ({"failed": True} if fired.failed else {})

    def _operation(self, operation: Any) -> Any:
        if not isinstance(operation, Put):
            return operation
        component = operation.component
        table = type(component).__name__.lower()
        data = {"type": "put", "what": table, "name": component.name, "component": self._data(component)}
        return data | {"joining": operation.joining, "over": operation.over}


def row_names(model: Model) -> list[list[str]]:
    """Names of bodies, joints and forces in the order of their rows, which edits may make another than that of the description."""
    bodies = [r.name for r in model.body_rows.records[1:]]  # the first is the ground
    joints = [r.name for r in model.joint_rows.records if not r.item.internal]
    return [bodies, joints, [r.name for r in model.force_rows.records]]


def _options(solver: Solver) -> dict[str, Any]:
    """Which solver it is, and what of it is not as it is by default."""
    options = {"solver": next(name for name, kind in SOLVERS.items() if isinstance(solver, kind))}
    options |= {f.name: getattr(solver, f.name) for f in fields(cast(Any, solver)) if getattr(solver, f.name) != f.default}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in options.items()}
