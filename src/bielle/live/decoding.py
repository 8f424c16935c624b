"""A session from bytes. Nothing is trusted: what does not fit together is refused, because compiled code will index the arrays."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import msgspec
import numpy as np

from ..errors import DescriptionError, FileError
from ..mechanism import documents, registry
from ..mechanism import files as models
from ..mechanism.description import Body, Force, Frame, Joint
from ..mechanism.meshes import MeshFolders
from ..mechanism.schema import FORCE_KEYS, JOINT_KEYS
from ..model import Model, State, edit_model
from ..model.compile import empty_model
from ..model.layout import Closing
from ..model.state import CARRIED
from ..model.transfer import recalled
from ..solvers.choice import SOLVERS
from .deeds import known_deed
from .encoding import WARM_STARTS, Encoder, Functions, row_names
from .events import Event, alive
from .history import SHORTEST, Mark
from .journal import Aim, Alarm, Await, Edit, Fired, Forget, Go, Journal, Redo, Restore, Snap, Step, Undo, Use
from .moments import Moment
from .operations import JOINING, Drop, Gravity, Move, Put, Strike
from .session import LiveSession, checked_solver
from .start import Start
from .wire import FUNCTION, PLAIN, EventData, Instant, Saved

__all__ = ["session_from"]

_PLAIN_ENTRIES = Aim | Go | Step | Forget | Undo | Redo | Snap | Restore
_NO_MARK = Mark(0, 0.0)  # a moment of a file has no place in a history


def session_from(content: bytes, functions: dict[str, Any], meshes: MeshFolders) -> tuple[LiveSession, list[str]]:
    """The session that :class:`~bielle.live.encoding.Encoder` wrote, and what could not be restored; raises whatever is wrong with the
    content."""
    saved = msgspec.msgpack.decode(content, type=Saved)
    for part in (saved.solver, saved.journal):
        documents.check(part)
    _check_functions(saved.functions, functions)
    decode = _Decoder(functions, meshes)
    solver = _solver(saved.solver)
    _check(saved.record >= SHORTEST and math.isfinite(saved.record), f"its samples are {saved.record} s apart")
    _check(saved.history >= 0 and saved.snapshots >= 0, "its options are negative")
    began = Start(solver, saved.record, saved.history, decode.moment(saved.start, "start"))
    journal = Journal()
    journal.entries.extend(decode.entry(data) for data in saved.journal)
    live = LiveSession._at(began, decode.moment(saved.present, "present"), journal)
    live._snapshots = saved.snapshots
    _check(all(math.isfinite(angle) for _, _, angle in saved.turned), "angles are not finite numbers")
    live._history.turned = {(name, quantity): angle for name, quantity, angle in saved.turned}
    live._encoder = Encoder(Functions(functions))
    try:
        live._run.check()
    except DescriptionError as error:  # it has got there by itself
        decode.notes.append(f"the solver would not begin here: {str(error).rstrip('.')}")
    return live, decode.notes


def _solver(data: Any) -> Any:
    _check(isinstance(data, dict), "its solver has no options")
    options = dict(data)
    name = options.pop("solver", "central")
    _check(isinstance(name, str) and name in SOLVERS, f"it has an unknown solver {name!r:.80}")
    _check(set(options) <= {field.name for field in fields(SOLVERS[name])}, "its solver has unknown options")
    return checked_solver(msgspec.convert(options, SOLVERS[name]))


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
    def __init__(self, functions: dict[str, Any], meshes: MeshFolders) -> None:
        self._functions, self._meshes = functions, meshes
        self.notes: list[str] = []  #: what could not be restored

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
        mechanism = models.build(self._with_functions(instant.mechanism), f"the {what}", self._meshes)
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
        gone = [name for name, event in events.items() if event.watch is not None and not alive(event.watch, mechanism)]
        for name in gone:
            self.notes.append(f"event '{name:.80}' of the {what} looks at something that is not there, and is awaited no longer")
            del events[name]
        watches = {name: event.watch for name, event in events.items() if event.watch is not None}
        if instant.closings or watches:
            model, _ = edit_model(model, mechanism, [], tuple(instant.closings), watches)
        _check(row_names(model) == instant.rows, f"the rows of the {what} are not in the order of their kinds")
        state = self._state(instant, model, what)
        due, beyond = tuple(instant.due), frozenset(instant.beyond)
        return Moment(mechanism, model, state, tuple(instant.timers), events, due, "", _NO_MARK, dict(instant.sides), beyond)

    def _state(self, instant: Instant, model: Model, what: str) -> State:
        """The state, each array of the length that the model asks for."""
        _check(set(instant.arrays) == set(CARRIED), f"the state of the {what} does not have the arrays {', '.join(CARRIED)}")
        arrays, lost = {}, []
        for name, data in instant.arrays.items():
            size = model.length(name)
            _check(len(data) % 8 == 0, f"'{name}' of the {what} must have {size} numbers, got {len(data) / 8:g}")
            arrays[name] = np.frombuffer(data, dtype="<f8").astype(float)
            if name == "memory":
                arrays[name] = recalled(model, arrays[name])
            _check(len(arrays[name]) == size, f"'{name}' of the {what} must have {size} numbers, got {len(data) / 8:g}")
            if not np.isfinite(arrays[name]).all():
                _check(name in WARM_STARTS, f"'{name}' of the {what} has numbers that are not finite")
                arrays[name][:] = 0.0
                lost.append(name)
        if lost:
            self.notes.append(f"{', '.join(lost)} of the {what} are not numbers, and are found again")
        state = State.at(model, instant.time, **arrays)
        state.step, state.settled = instant.step, instant.settled and not lost
        return state

    def _event(self, data: EventData) -> Event:
        for name in (data.action, data.function):
            _check(name is None or name in self._functions, f"the function {name!r:.80} is not among its functions")
        possible = data.resolution > 0 and math.isfinite(data.threshold) and data.direction in (-1, 0, 1)
        _check(possible, f"the event {data.name!r:.80} has impossible numbers")
        _check(known_deed(data.does), f"the event {data.name!r:.80} does something unknown")
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
            if data["type"] == "await":
                return Await(event, data.get("undoable") is True)
            return Alarm(event, msgspec.convert(data["time"], float))
        if data["type"] == "use":
            return Use(_solver(data.get("solver")))
        entry = msgspec.convert(data | {"fired": []} if "fired" in data else data, _PLAIN_ENTRIES)
        if isinstance(entry, Go):
            _check(bool(entry.ends), "an advance of the journal has no end")
        if "fired" in data:
            entry.fired = [self._fired(each) for each in data["fired"]]
        return entry

    def _fired(self, data: Any) -> Fired:
        return Fired(str(data["event"]), [self.entry(one) for one in data["entries"]], data.get("failed") is True)

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
