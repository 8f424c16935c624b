"""A session from bytes. Nothing is trusted: what does not fit together is refused, because compiled code will index the arrays."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import msgspec
import numpy as np

from ..errors import FileError
from ..mechanism import documents, registry
from ..mechanism import files as models
from ..mechanism.description import Body, Force, Frame, Joint
from ..mechanism.schema import FORCE_KEYS, JOINT_KEYS
from ..model import Model, State, edit_model
from ..model.compile import empty_model
from ..model.layout import Closing
from ..model.state import CARRIED
from ..solvers.choice import SOLVERS
from .encoding import Encoder, Functions, row_names
from .events import Event
from .history import Mark
from .journal import Alarm, Await, Edit, Fired, Forget, Go, Journal, Redo, Restore, Snap, Step, Undo
from .moments import Moment
from .operations import JOINING, Drop, Gravity, Move, Put, Strike
from .session import LiveSession, checked_solver
from .start import Start
from .wire import FUNCTION, PLAIN, EventData, Instant, Saved

__all__ = ["session_from"]

_NO_MARK = Mark(0, 0.0)  # a moment of a file has no place in a history


def session_from(content: bytes, functions: dict[str, Any]) -> LiveSession:
    """The session that :class:`~bielle.live.encoding.Encoder` wrote; raises whatever is wrong with the content."""
    saved = msgspec.msgpack.decode(content, type=Saved)
    for part in (saved.solver, saved.journal):
        documents.check(part)
    _check_functions(saved.functions, functions)
    decode = _Decoder(functions)
    name = saved.solver.pop("solver", "central")
    _check(isinstance(name, str) and name in SOLVERS, f"it has an unknown solver '{name}'")
    _check(set(saved.solver) <= {field.name for field in fields(SOLVERS[name])}, "its solver has unknown options")
    solver = checked_solver(msgspec.convert(saved.solver, SOLVERS[name]))
    _check(saved.record > 0 and math.isfinite(saved.record), "the interval between samples is not a positive number")
    _check(saved.history >= 0 and saved.snapshots >= 0, "its options are negative")
    began = Start(solver, saved.record, saved.history, decode.moment(saved.start, "start"))
    journal = Journal()
    journal.entries.extend(decode.entry(data) for data in saved.journal)
    live = LiveSession._at(began, decode.moment(saved.present, "present"), journal)
    live._snapshots = saved.snapshots
    live._encoder = Encoder(live, Functions(functions))
    return live


def _check(fine: bool, otherwise: str) -> None:
    if not fine:
        raise FileError(f"it is damaged: {otherwise}. Save the session again.")


def _check_functions(wanted: list[str], given: dict[str, Any]) -> None:
    missing = [name for name in wanted if name not in given]
    if missing:
        names = ", ".join(f"{name!r:.80}: …" for name in missing[:12])
        raise FileError(
            f"{missing[0]!r:.80} has a Python function, which no file can hold. Give it again: load_session(path, functions={{{names}}})."
        )
    for name, function in given.items():
        if name not in wanted:
            known = ", ".join(repr(each) for each in wanted[:12]) or "none"
            raise FileError(f"functions has {name!r:.80}, but the session has no function of that name, only: {known}. Leave it out.")
        if not (callable(function) or hasattr(function, "derivatives")):
            raise FileError(
                f"the function {name!r:.80} must be callable, got {function!r:.80}. Give the one that the session was made with."
            )


class _Decoder:
    def __init__(self, functions: dict[str, Any]) -> None:
        self._functions = functions

    def _with_functions(self, data: Any) -> Any:
        """The data with the user's functions in the places of their names."""
        if isinstance(data, dict):
            if set(data) == {FUNCTION}:
                name = data[FUNCTION]
                _check(isinstance(name, str) and name in self._functions, f"the function {name!r:.80} is not among its functions")
                return self._functions[name]
            return {key: self._with_functions(value) for key, value in data.items()}
        return [self._with_functions(value) for value in data] if isinstance(data, list) else data

    # -- an instant

    def moment(self, data: Any, what: str) -> Moment:
        """A place to go on from."""
        instant = msgspec.convert(data, Instant)
        documents.check(instant.mechanism)
        mechanism = models.build(self._with_functions(instant.mechanism), f"the {what}")
        numbers = [instant.time, instant.step, *(time for time, _ in instant.timers)]
        _check(all(map(math.isfinite, numbers)) and instant.step >= 0, f"times of the {what} are not finite numbers")
        tables = (mechanism.bodies, mechanism.joints, mechanism.forces)
        same_names = len(instant.rows) == 3 and all(sorted(rows) == sorted(table) for rows, table in zip(instant.rows, tables))
        _check(same_names, f"the rows of the {what} do not have the names of its components")
        model, _ = edit_model(empty_model(mechanism), mechanism, [name for rows in instant.rows for name in rows])
        for closing in instant.closings:
            _check_closing(model, closing, what)
        _check(len({c.joint for c in instant.closings}) == len(instant.closings), f"a joint of the {what} is closed twice")
        events = {data.name: self._event(data) for data in instant.events}
        _check(len(events) == len(instant.events), f"two events of the {what} have one name")
        watches = {name: event.watch for name, event in events.items() if event.watch is not None}
        if instant.closings or watches:
            model, _ = edit_model(model, mechanism, [], tuple(instant.closings), watches)
        _check(row_names(model) == instant.rows, f"the rows of the {what} are not in the order of their kinds")
        state = _state(instant, model, what)
        return Moment(mechanism, model, state, tuple(instant.timers), events, tuple(instant.due), "", _NO_MARK)

    def _event(self, data: EventData) -> Event:
        for name in (data.action, data.function):
            _check(name is None or name in self._functions, f"the function {name!r:.80} is not among its functions")
        _check(data.resolution > 0 and math.isfinite(data.threshold), f"the event {data.name!r:.80} has impossible numbers")
        plain = {f: getattr(data, f) for f in PLAIN}
        action, function = (None if name is None else self._functions[name] for name in (data.action, data.function))
        return Event(**plain, action=action, function=function)

    # -- the journal

    def entry(self, data: Any) -> Any:
        """An entry of the journal."""
        _check(isinstance(data, dict) and isinstance(data.get("type"), str), "an entry of the journal has no type")
        if data["type"] == "edit":
            entry = msgspec.convert(data | {"operations": []}, Edit)
            entry.operations = [self._operation(op) for op in data["operations"]]
            return entry
        if data["type"] in ("await", "alarm"):
            event = self._event(msgspec.convert(data["event"], EventData))
            return Await(event) if data["type"] == "await" else Alarm(event, msgspec.convert(data["time"], float))
        entry = msgspec.convert(data | {"fired": []} if "fired" in data else data, Go | Step | Forget | Undo | Redo | Snap | Restore)
        if isinstance(entry, Go):
            _check(bool(entry.ends), "an advance of the journal has no end")
        if "fired" in data:
            entry.fired = [Fired(str(each["event"]), [self.entry(one) for one in each["entries"]]) for each in data["fired"]]
        return entry

    def _operation(self, data: dict[str, Any]) -> Any:
        if data["type"] != "put":
            return msgspec.convert(data, Drop | Move | Strike | Gravity)
        _check(data["joining"] in JOINING, "a joint of the journal is joined in an unknown way")
        over = msgspec.convert(data["over"], float | None)
        return Put(self._component(data["what"], data["name"], data["component"]), data["joining"], over)

    def _component(self, what: str, name: str, data: dict[str, Any]) -> Body | Frame | Joint | Force:
        where = f"{what} '{name}'"
        data = self._with_functions(data)
        if what in ("body", "frame"):
            return msgspec.convert(data | {"name": name}, Body if what == "body" else Frame)
        table, keys, cls = {"joint": (registry.joints, JOINT_KEYS, Joint), "force": (registry.forces, FORCE_KEYS, Force)}[what]
        kind, places = models.kind_and_places(data, table, keys, what, where)
        kind.check(name)
        return msgspec.convert(places | {"name": name, "kind": kind}, cls)


def _check_closing(model: Model, closing: Closing, what: str) -> None:
    name = f"the closing of '{closing.joint:.80}' in the {what}"
    _check(closing.joint in model.joints, f"{name} is of no joint")
    equations = model.joints[closing.joint].equations
    count = equations.stop - equations.start
    _check(len(closing.gap) == count and len(closing.rate) == count, f"{name} has not as many numbers as the joint has equations")
    _check(all(0 <= i < count for i in closing.silent), f"{name} mentions equations that are not there")
    numbers = (closing.start, closing.duration, *closing.gap, *closing.rate)
    _check(all(map(math.isfinite, numbers)) and closing.duration > 0, f"{name} has numbers that are not finite")


def _state(instant: Instant, model: Model, what: str) -> State:
    """The state, each array of the length that the model asks for."""
    _check(set(instant.arrays) == set(CARRIED), f"the state of the {what} does not have the arrays {', '.join(CARRIED)}")
    arrays = {}
    for name, data in instant.arrays.items():
        size = model.length(name)
        _check(len(data) == 8 * size, f"'{name}' of the {what} must have {size} numbers, got {len(data) / 8:g}")
        arrays[name] = np.frombuffer(data, dtype="<f8").astype(float)
        _check(bool(np.isfinite(arrays[name]).all()), f"'{name}' of the {what} has numbers that are not finite")
    state = State.at(model, instant.time, **arrays)
    state.step, state.settled = instant.step, instant.settled
    return state
