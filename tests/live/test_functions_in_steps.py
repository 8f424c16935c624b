"""Functions of the user's that are called while the engine works: they can read the session, and change nothing."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, CallbackError, DescriptionError

from .crane import bits

SOLVERS = {
    "adaptive": bl.Central(),
    "rk4": bl.Central(integrator="rk4", step=1e-2),
    "newmark": bl.Central(integrator="newmark", step=1e-2),
    "recursive": bl.Recursive(),
    "modular": bl.Modular(step=1e-2),
}


def chain(bodies=3, torque=None):
    m = bl.Mechanism(plane="xy")
    for i in range(bodies):
        m.add_body(f"b{i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"j{i}", bl.Pin(), m.ground if i == 0 else f"b{i - 1}", f"b{i}", at=(i, 0))
    if torque is not None:
        m.add_force("f", bl.Torque(torque=torque), joint="j0")
    return m


CHANGES = {
    "remove": lambda live: live.remove("b2", dependants=True),
    "add": lambda live: live.add_body("new", bl.disc(0.1, mass=1.0)),
    "set": lambda live: live.set("b1", mass=2.0),
    "edit": lambda live: live.edit().__enter__(),
    "grab": lambda live: live.grab("b1"),
    "undo": lambda live: live.undo(),
    "redo": lambda live: live.redo(),
    "snapshot": lambda live: live.snapshot(),
    "restore": lambda live: live.restore(None),
    "branch": lambda live: live.branch(),
    "replay": lambda live: live.replay(),
    "advance": lambda live: live.advance(0.1),
    "step": lambda live: live.step(),
    "settle": lambda live: live.settle(),
    "when": lambda live: live.when("b0.position.y", crosses=1.0),
    "at": lambda live: live.at(9.0, print),
    "breaks": lambda live: live.breaks("j1", force=1.0),
    "forget": lambda live: live.forget("event 1"),
    "result": lambda live: live.result(),
    "save": lambda live: live.save("nowhere"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_torque_changes_nothing(change):
    box = {}

    def torque(t):
        if t > 0.1 and box and not box.get("told"):
            try:
                change(box["live"])
            except DescriptionError as error:
                box["told"] = str(error)
        return 0.0

    live = box["live"] = chain(torque=torque).live()
    live.set("b0", mass=1.5)  # there is something to undo
    plain = chain(torque=lambda t: 0.0).live()
    plain.set("b0", mass=1.5)
    for each in (live, plain):
        each.advance(0.3)
    assert "A step is under way" in box["told"]
    assert bits(live) == bits(plain)
    assert len(live.result()) == len(plain.result())


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("where", ["torque", "quantity"])
def test_the_error_of_a_function_that_edits(solver, where):
    box = {}

    def edit(*_):
        if box and box["live"].time > 0.1:
            box["live"].remove("b5", dependants=True)
        return 0.0

    live = box["live"] = chain(6, edit if where == "torque" else None).live(solver)
    if where == "quantity":
        live.when(edit, crosses=-5.0)
    with pytest.raises(CallbackError, match="cannot edit the session.*stands at the last good step"):
        live.advance(1.0)
    assert len(live.mechanism.bodies) == 6
    assert np.isfinite(live["b0"].position).all()
    assert live.result().time[-1] == live.time


def test_a_function_that_is_called_by_an_edit_changes_nothing():
    box = {}

    def law(t):
        if box:
            box["live"].remove("b2", dependants=True)
        return 0.1 * t

    live = chain().live()
    live.advance(0.1)
    box["live"] = live
    with pytest.raises(BielleError, match="cannot edit the session"):
        live.add_joint("drive", bl.ImposedRotation(angle=law), "ground", "b0", at=(0, 0))
        live.advance(0.1)
    assert "b2" in live.mechanism.bodies
    assert live.time == 0.1


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_what_a_function_reads_is_the_last_completed_step(solver):
    """A brake by a function that reads the session is constant during a step: it is the damper as it was at the start of each."""
    box, seen = {}, []

    def torque(t):
        if not box:
            return 0.0
        live = box["live"]
        seen.append((t, live.time, float(live.now.time[0]), float(live["b0"].position[0]), float(live.state.q[0])))
        return -2.0 * float(live["b0"].angular_velocity)

    live = box["live"] = chain(2, torque).live(solver, record=1e-3)
    live.advance(0.3)
    ends = set()
    for t, time, now, position, coordinate in seen:
        assert time == now <= t + 1e-12
        assert position == coordinate
        ends.add(time)
    assert len(ends) > 5  # every step, and not the start of what was computed in one go
    damped = chain(2).live(solver)
    damped.add_force("damper", bl.JointDamping(coefficient=2.0), joint="j0")
    damped.advance(0.3)
    longest = max(np.diff(sorted(ends)))
    assert abs(live["b1"].position - damped["b1"].position).max() < longest  # of first order in the step, with forces of order one
    box.clear()  # a replay would call the function that reads this session


@pytest.mark.parametrize("verb", ["advance", "advance_to", "step", "settle"])
def test_an_action_does_not_advance(verb):
    def act(live):
        getattr(live, verb)(*{"advance": (0.1,), "advance_to": (9.0,), "step": (1,), "settle": ()}[verb])

    live = chain().live()
    live.when("b0.position.y", act, crosses=-0.1, name="low")
    with pytest.raises(DescriptionError, match="advancing: the action of event 'low' cannot"):
        live.advance(1.0)
    live.advance(0.5)
    assert bits(live) == bits(live.replay())


def test_other_sessions_are_not_concerned():
    """A function may run another session: a controller with a model of its own."""
    other = chain().live()

    def torque(t):
        other.set_gravity((0.0, -9.81 - t))
        other.step()
        return 0.0

    live = chain(torque=torque).live()
    live.advance(0.1)
    assert other.time > 0.0
