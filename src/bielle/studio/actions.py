"""What each command does to a workbench: a function for every class of message, found by its class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import numpy as np

from ..errors import DescriptionError, unknown
from ..mechanism import registry
from ..mechanism.description import GROUND, Body, Frame, Joint
from ..mechanism.files import kind_and_places
from ..mechanism.shapes import Shape
from . import messages as m
from .awaiting import awaited, event_properties, set_event, watchable_of
from .breaking import restore
from .copying import duplicated, renamed
from .fields import properties, set_property
from .recounting import actions_as_python
from .scripting import mechanism_as_python
from .solving import OPTIONS, body_fields, is_body_option, renamed_in_solver, with_body_option
from .workbench import Workbench

__all__ = ["perform"]

_ACTIONS: dict[type, Callable[[Workbench, Any], Any]] = {}
Action = TypeVar("Action", bound=Callable[..., Any])


def perform(bench: Workbench, command: Any) -> Any:
    """Do what a command says, and return what its answer tells. Errors of the engine are those that the page shows."""
    return _ACTIONS[type(command)](bench, command)


def _does(kind: type) -> Callable[[Action], Action]:
    def note(action: Action) -> Action:
        _ACTIONS[kind] = action
        return action

    return note


def _vector(bench: Workbench, x: Any) -> Any:
    """Three numbers of the page as the mechanism wants them."""
    return None if x is None else tuple(x[: bench.live.mechanism.dim])


# -- time


@_does(m.Run)
def _run(bench: Workbench, command: m.Run) -> None:
    bench.run(command.factor)


@_does(m.Pause)
def _pause(bench: Workbench, command: m.Pause) -> None:
    bench.pause()


@_does(m.Step)
def _step(bench: Workbench, command: m.Step) -> None:
    if not 1 <= command.count <= 10_000:
        raise DescriptionError(f"Between 1 and 10,000 steps can be taken at once, got {command.count}.")
    bench.step(command.count)


@_does(m.Reset)
def _reset(bench: Workbench, command: m.Reset) -> None:
    """A new session at the start of this one, with what was done to it before time passed."""
    bench.still()
    bench.leave_for(bench.live.replay(until=bench.live._began.moment.state.time), "reset")


@_does(m.Cancel)
def _cancel(bench: Workbench, command: m.Cancel) -> None:
    bench.cancel_branch()


@_does(m.Undo)
def _undo(bench: Workbench, command: m.Undo) -> dict[str, str]:
    return {"label": bench.undo()}


@_does(m.Redo)
def _redo(bench: Workbench, command: m.Redo) -> dict[str, str]:
    return {"label": bench.redo()}


# -- edits of what there is


def _together(bench: Workbench, label: str, names: list[str], verb: Callable[[str], Any]) -> None:
    """The same for several components, as one edit."""
    if not names:
        raise DescriptionError("Nothing is selected.")
    if len(names) == 1:
        verb(names[0])
        return
    with bench.live.edit(label):
        for name in names:
            verb(name)


@_does(m.Remove)
def _remove(bench: Workbench, command: m.Remove) -> None:
    live = bench.live

    def remove(name: str) -> None:
        if _there(bench, name):  # it may have gone with another
            live.remove(name, dependants=True)

    for name in command.names:
        if not _there(bench, name) and name not in live.events:
            raise unknown("component", name, [*live.mechanism._names(), *live.events])
    components = [name for name in command.names if _there(bench, name)]
    if components or not command.names:
        _together(bench, f"remove {len(components)} components", components, remove)
    first = not components  # what goes together comes back together
    for name in (name for name in command.names if name not in components and name in live.events):
        live.forget(name, undoable=first)
        first = False


def _there(bench: Workbench, name: str) -> bool:
    draft = bench.live._draft
    return name in (draft.mechanism if draft is not None else bench.live.mechanism)


@_does(m.Cut)
def _cut(bench: Workbench, command: m.Cut) -> None:
    joints = bench.live.mechanism.joints
    for name in command.names:
        if name not in joints:
            raise unknown("joint", name, joints)
    _together(bench, "cut", command.names, lambda name: bench.live.remove(name, dependants=True))


@_does(m.Lock)
def _lock(bench: Workbench, command: m.Lock) -> None:
    _together(bench, "lock", command.names, bench.live.lock)


@_does(m.Unlock)
def _unlock(bench: Workbench, command: m.Unlock) -> None:
    _together(bench, "unlock", command.names, bench.live.unlock)


@_does(m.Fix)
def _fix(bench: Workbench, command: m.Fix) -> None:
    _together(bench, "fix", command.names, bench.live.fix)


@_does(m.Free)
def _free(bench: Workbench, command: m.Free) -> None:
    def free(name: str) -> None:
        held = f"fix {name}"
        bench.live.remove(held) if held in bench.live.mechanism.joints else bench.live.free(name)

    _together(bench, "free", command.names, free)


@_does(m.Rename)
def _rename(bench: Workbench, command: m.Rename) -> None:
    _release(bench, m.Release())  # the hand knows its force by the name of the body
    renamed(bench.live, command.name, command.new)
    bench.colors.rename(command.name, command.new)
    bench.want(renamed_in_solver(bench.solver, command.name, command.new))


@_does(m.Duplicate)
def _duplicate(bench: Workbench, command: m.Duplicate) -> dict[str, list[str]]:
    return {"names": duplicated(bench.live, command.names, command.offset, command.count, command.mirror)}


@_does(m.Retype)
def _retype(bench: Workbench, command: m.Retype) -> None:
    if command.coordinates is not None:
        bench.live.replace(command.name, coordinates=command.coordinates)
        return
    component = bench.live.mechanism._table(command.name)[command.name]
    if isinstance(component, Frame) or command.kind is None:
        raise DescriptionError(f"'{command.name}' has no kind that could be another.")
    if isinstance(component, Body):
        bench.live.replace(command.name, _shape(command.kind, command.name))
        return
    table, what = (registry.joints, "joint") if isinstance(component, Joint) else (registry.forces, "force")
    bench.live.replace(command.name, _kind(command.kind, table, what, command.name))


@_does(m.Set)
def _set(bench: Workbench, command: m.Set) -> dict[str, str]:
    if command.name not in bench.live.mechanism and command.name in bench.live.events:
        return {"name": set_event(bench.live, command.name, command.key, command.value)}
    if is_body_option(bench.live, command.name, command.key):
        drags = f"{command.key} of {command.name}" if isinstance(command.value, int | float) else ""
        bench.use(with_body_option(bench.solver, command.name, command.key, command.value), f"set {command.name}", drags)
        return {"name": command.name}
    goes_on = bench.goes_on(command.name, command.key)  # of a slider: all its values are one edit to undo
    with bench.live.edit(f"set {command.name}", undoable=not goes_on):
        set_property(bench.live, command.name, command.key, command.value)
    bench.note_set(command.name, command.key)
    return {"name": command.name}


@_does(m.Gravity)
def _gravity(bench: Workbench, command: m.Gravity) -> None:
    bench.live.set_gravity(_vector(bench, command.value))


@_does(m.Breaks)
def _breaks(bench: Workbench, command: m.Breaks) -> None:
    live = bench.live
    with live._lock:
        old = [name for name, event in live.events.items() if event.breaks == command.name]
        for name in old:
            live.forget(name, undoable=name == old[0])
        if command.limit is not None:
            live.breaks(command.name, force=command.limit, undoable=not old)
    bench.changed()


@_does(m.Restore)
def _restore(bench: Workbench, command: m.Restore) -> None:
    restore(bench.live, command.name)


@_does(m.When)
def _when(bench: Workbench, command: m.When) -> dict[str, str]:
    return {"name": awaited(bench.live, command.quantity, command.than, command.limit, command.does, command.target, command.once)}


@_does(m.Solver)
def _solver(bench: Workbench, command: m.Solver) -> None:
    options = {f: getattr(command, f) for f in OPTIONS}
    bench.use_solver(command.family, {key: value for key, value in options.items() if value is not None})


# -- what is new


def _kind(data: dict[str, Any], table: dict[str, Any], what: str, name: str) -> Any:
    """A joint or force kind from its data, as in a model file."""
    try:
        return kind_and_places(data, table, (), what, f"{what} '{name}'")[0]
    except msgspec.ValidationError as error:
        raise DescriptionError(f"{what} '{name}': {str(error).rstrip('.')}.") from None


def _shape(data: dict[str, Any], name: str) -> Any:
    try:
        return msgspec.convert(data, Shape)
    except msgspec.ValidationError as error:
        raise DescriptionError(f"body '{name}': {str(error).rstrip('.')}.") from None


def _fresh(bench: Workbench, wanted: str | None, stem: str) -> str:
    """A name that is not taken yet."""
    if wanted:
        return wanted
    taken = set(bench.live.mechanism._names())
    return next(name for name in (f"{stem} {i}" for i in range(1, 10**9)) if name not in taken)


@_does(m.AddBody)
def _add_body(bench: Workbench, command: m.AddBody) -> dict[str, str]:
    name = _fresh(bench, command.name, str(command.shape.get("type", "body")))
    shape = _shape(_in_plane(bench, command.shape), name)
    options = {"position": _vector(bench, command.position), "orientation": command.orientation, "color": command.color}
    bench.live.add_body(name, shape, **{key: value for key, value in options.items() if value is not None})
    return {"name": name}


def _in_plane(bench: Workbench, shape: dict[str, Any]) -> dict[str, Any]:
    """The points of a shape with as many numbers as the mechanism has dimensions."""
    if not bench.live.mechanism.planar:
        return shape

    def flat(value: Any) -> Any:
        if isinstance(value, list) and len(value) == 3 and all(isinstance(x, int | float) for x in value):
            return value[:2]
        return [flat(each) for each in value] if isinstance(value, list) else value

    return {key: value if key in ("size", "inertia") else flat(value) for key, value in shape.items()}


def _places(bench: Workbench, command: Any) -> dict[str, Any]:
    """Where a joint or force is: points of the world now, or of each body now."""
    live = bench.live
    out: dict[str, Any] = {"at": _vector(bench, command.at)}
    for side in "ab":
        point, body = getattr(command, f"at_{side}"), getattr(command, side)
        if point is not None and body is not None:
            world = np.zeros(3)
            world[: live.mechanism.dim] = _vector(bench, point)
            frame = live.mechanism.frames.get(body)
            pose = None if body == GROUND else live._pose(frame.body if frame else body)
            local = world if pose is None else pose.local(world)
            out[f"at_{side}"] = tuple(float(x) for x in local[: live.mechanism.dim])
    return {key: value for key, value in out.items() if value is not None}


@_does(m.AddJoint)
def _add_joint(bench: Workbench, command: m.AddJoint) -> dict[str, str]:
    name = _fresh(bench, command.name, str(command.kind.get("type", "joint")))
    kind = _kind(command.kind, registry.joints, "joint", name)
    bench.live.add_joint(name, kind, command.a, command.b, joining=command.joining, **_places(bench, command))
    return {"name": name}


@_does(m.AddForce)
def _add_force(bench: Workbench, command: m.AddForce) -> dict[str, str]:
    name = _fresh(bench, command.name, str(command.kind.get("type", "force")))
    kind = _kind(command.kind, registry.forces, "force", name)
    places = {"joint": command.joint} if command.joint else _places(bench, command)
    bench.live.add_force(name, kind, command.a, command.b, **places)
    return {"name": name}


@_does(m.AddFrame)
def _add_frame(bench: Workbench, command: m.AddFrame) -> dict[str, str]:
    name = _fresh(bench, command.name, "frame")
    live, at = bench.live, _vector(bench, command.at)
    body = live.mechanism.bodies.get(command.body)
    if at is None and body is not None:
        live.add_frame(name, command.body, local=tuple(body.shape.mass_properties().centre[: live.mechanism.dim]))
    else:
        live.add_frame(name, command.body, at)
    return {"name": name}


# -- the hand


@_does(m.Grab)
def _grab(bench: Workbench, command: m.Grab) -> None:
    _release(bench, m.Release())
    left = f"grab {command.body}"
    if left in bench.live.mechanism.forces:  # brought back by an undo
        bench.live.remove(left)
    bench.hand = bench.live.grab(command.body, _vector(bench, command.at))


@_does(m.Pull)
def _pull(bench: Workbench, command: m.Pull) -> None:
    if bench.hand is not None and bench.hand.holding:
        bench.hand.move(_vector(bench, command.to))


@_does(m.Release)
def _release(bench: Workbench, command: m.Release) -> None:
    """Let go; undo takes the whole gesture back, not the end of it."""
    hand = bench.hand
    try:
        if hand is not None and hand.holding:
            with bench.live.edit(hand.name, undoable=False) as draft:
                draft.remove(hand.name)
    finally:
        bench.hand = None  # now: who sees that nothing is held finds no force of it either


@_does(m.Push)
def _push(bench: Workbench, command: m.Push) -> None:
    at = {} if command.at is None else {"at": _vector(bench, command.at)}
    bench.live.push(command.body, impulse=_vector(bench, command.impulse), **at)


# -- questions


@_does(m.Properties)
def _properties(bench: Workbench, command: m.Properties) -> dict[str, Any]:
    live = bench.live
    event = None if command.name in live.mechanism else live.events.get(command.name)
    if event is not None:
        return event_properties(event)
    found = properties(live.mechanism, command.name)
    return found | {"fields": [*found["fields"], *body_fields(live, command.name)]}


@_does(m.Quantities)
def _quantities(bench: Workbench, command: m.Quantities) -> list[dict[str, str]]:
    return bench.quantities(command.name)


@_does(m.Watchable)
def _watchable(bench: Workbench, command: m.Watchable) -> list[dict[str, str]]:
    return watchable_of(bench.live.mechanism, command.name)


@_does(m.Report)
def _report(bench: Workbench, command: m.Report) -> dict[str, Any]:
    return bench.report()


@_does(m.Python)
def _python(bench: Workbench, command: m.Python) -> dict[str, str]:
    text = mechanism_as_python(bench.live.describe()) if command.what == "mechanism" else actions_as_python(bench.live)
    return {"text": text}
