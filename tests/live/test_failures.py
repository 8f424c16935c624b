"""Advances that fail: where the session stands then, that it goes on, and that its journal can be replayed; whatever the clock says."""

import itertools
import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, CallbackError, DescriptionError, SimulationError

from .crane import SOLVERS, bits, crane


class Clock:
    """Stands for the module time: a machine on which everything takes no time, or very long."""

    def __init__(self, tick):
        self._times = itertools.count(0.0, tick)

    def perf_counter(self):
        return next(self._times)


def whatever_the_clock(monkeypatch, do):
    """What is done and told is the same where everything takes no time, and where it takes ten seconds."""
    found = []
    for tick in (0.0, 10.0):
        for module in ("bielle.live.advancing", "bielle.simulation"):
            monkeypatch.setattr(f"{module}.clock", Clock(tick))
        found.append(do())
    assert found[0] == found[1]
    return found[0]


def arm():
    m = bl.Mechanism()
    for i in range(3):
        m.add_body(f"b{i}", bl.box((1, 0.2, 0.1), mass=1.0), position=(i + 0.5, 0, 0))
        kind = bl.Revolute(axis=("y", "z")[i % 2]) if i else bl.Spherical()
        m.add_joint(f"j{i}", kind, m.ground if i == 0 else f"b{i - 1}", f"b{i}", at=(float(i), 0, 0))
    m.add_joint("loop", bl.Distance(), m.ground, "b2", at_a=(2, 2, 0), at_b=(0.5, 0, 0))
    return m


def failing(live, after):
    """A force whose function fails from then on."""
    start = live.time
    live.add_force("bad", bl.CallableForce(function=lambda t, v: (1 / 0 if t >= start + after else 0.0, 0, 0)), "b1", at_a=(0, 0, 0))


@pytest.mark.parametrize("event", [False, True], ids=["", "event awaited"])
@pytest.mark.parametrize("after", [0.0, 0.0123])
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_function_that_fails(solver, after, event, tmp_path):
    if getattr(solver, "merge", None) == (("upper", "lower"),) or getattr(solver, "substeps", ()):
        solver = bl.Modular(exchange="conjugate")
    live = arm().live(solver)
    live.advance(0.03)
    if event:
        live.when("b1.position.z", crosses=-99.0)
        live.when(lambda s: s.time, crosses=99.0)
    failing(live, after)
    with pytest.raises(CallbackError, match="ZeroDivisionError"):
        live.advance(0.1)
    step = solver.step or 0.02
    assert 0.03 + after - 1.001 * step <= live.time <= 0.03 + after + 1e-12 or not solver.fixed_step
    state = live.state
    assert all(np.isfinite(getattr(state, name)).all() for name in ("q", "v", "work", "lam", "acc", "a0", "mu"))
    loaded = bl.load_session(tmp_path / "a.session", functions=_functions(live, tmp_path))
    assert bits(loaded) == bits(live)
    live.remove("bad")
    assert bits(live.replay()) == bits(live)
    live.advance(0.03)
    assert bits(live.replay()) == bits(live)
    assert np.isfinite(live.state.lam).all()


def _functions(live, tmp_path):
    live.save(tmp_path / "a.session")
    return live._encoder._functions.by_name


@pytest.mark.parametrize("solver", ["adaptive", "rk4", "newmark", "recursive", "recursive rk4", "modular"])
def test_the_last_good_step_does_not_depend_on_the_clock(solver, monkeypatch):
    def fail():
        live = crane().live(SOLVERS[solver])
        live.add_force("bad", bl.Torque(torque=lambda t: math.sqrt(0.2105 - t)), "lower")
        with pytest.raises(CallbackError) as caught:
            live.advance(1.0)
        assert f"stands at the last good step, t = {live.time:.9g} s" in str(caught.value)
        assert bits(live.replay()) == bits(live)
        return str(caught.value), bits(live), live.time

    *_, time = whatever_the_clock(monkeypatch, fail)
    if SOLVERS[solver].fixed_step:
        assert time == pytest.approx(0.21, abs=1e-9)


@pytest.mark.parametrize("integrator", ["adaptive", "rk4", "newmark", "RK45"])
def test_what_a_simulation_says_does_not_depend_on_the_clock(integrator, monkeypatch):
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pin", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_force("bad", bl.Torque(torque=lambda t: math.sqrt(0.5 - t)), joint="pin")
    step = {"step": 1e-3} if integrator in ("rk4", "newmark") else {}

    def fail():
        with pytest.raises(CallbackError) as caught:
            m.simulate(1.0, bl.Central(integrator=integrator, **step))
        return str(caught.value), caught.value.result.time.tobytes(), caught.value.result["rod"].position.tobytes()

    whatever_the_clock(monkeypatch, fail)


@pytest.mark.parametrize("end", [(-1.5, 0.0), (0.3, 0.0), (-1.389, 1.32)])
def test_a_closing_does_not_depend_on_the_clock(end, monkeypatch):
    """A chain is to be pulled through its own pivot, or round it."""

    def close():
        m = bl.Mechanism(plane="xy")
        m.add_body("upper", bl.rod((0, 0), (1, 0), mass=1.0))
        m.add_body("lower", bl.rod((1, 0), (2, 0), mass=1.0))
        m.add_joint("shoulder", bl.Pin(), m.ground, "upper", at=(0, 0))
        m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
        live = m.live()
        live.advance(0.05)
        live.add_joint("tie", bl.Pin(), m.ground, "lower", at_a=end, at_b=(0.5, 0), over=0.3)
        told = ""
        try:
            live.advance(0.5)
        except SimulationError as error:
            told = str(error)
        assert bits(live.replay()) == bits(live)
        return told, bits(live)

    whatever_the_clock(monkeypatch, close)


# -- actions


def bad(_):
    raise ValueError("mine")


def pendulum():
    m = bl.Mechanism(plane="xy")
    m.add_body("b", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("j", bl.Pin(), m.ground, "b", at=(0, 0))
    live = m.live()
    live.advance(0.1)
    return live


AWAITED = {
    "limit": lambda live, do: live.when("energy.kinetic", do, above=-1.0),
    "crossing": lambda live, do: live.when("b.position.y", do, crosses=-0.1),
    "function": lambda live, do: live.when(lambda s: s["b"].position[1], do, crosses=-0.1),
    "alarm": lambda live, do: live.at(0.15, do),
}


@pytest.mark.parametrize("when", AWAITED.values(), ids=AWAITED)
def test_an_action_that_raises(when, tmp_path):
    live = pendulum()

    def do(session):
        session.set("b", mass=2.0)
        session.remove("nobody") if session.time > 1.0 else bad(session)

    when(live, do)
    live.at(0.16, lambda s: s.set_gravity((0.0, -1.0)), name="later")
    with pytest.raises(CallbackError, match="mine"):
        live.advance(0.3)
    here = bits(live.replay()) == bits(live)
    assert here
    live.advance(0.1)
    assert live.mechanism.gravity == (0.0, -1.0)
    assert bits(live.replay()) == bits(live)
    functions = _functions(live, tmp_path)
    assert bits(bl.load_session(tmp_path / "a.session", functions=functions).replay()) == bits(live)


def test_what_happens_at_the_same_instant_still_happens():
    live = pendulum()
    live.at(0.15, bad, name="first")
    live.at(0.15, lambda s: s.set("b", mass=5.0), name="second")
    live.push("b", force=(1.0, 0.0), duration=0.05)
    with pytest.raises(CallbackError, match="first"):
        live.advance(0.3)
    assert live.time == 0.15
    live.advance(0.1)
    assert live.mechanism.bodies["b"].shape.mass == 5.0
    assert not live.mechanism.forces
    assert bits(live.replay()) == bits(live)


@pytest.mark.parametrize("last", [0.05, 0.1], ids=["in its first step", "later"])
def test_a_joint_breaks_and_then_the_advance_fails(last):
    m = crane()
    live = m.live()
    live.advance(0.05)
    live.breaks("elbow", force=1e-3)
    live.add_force("bad", bl.Torque(torque=lambda t: math.sqrt(last - t)), "upper")
    with pytest.raises(CallbackError):
        live.advance(1.0)
    assert "elbow" not in live.mechanism.joints
    assert bits(live.replay()) == bits(live)


def test_a_refusal_in_an_action():
    live = pendulum()
    live.when("b.position.y", lambda s: s.remove("nobody"), crosses=-0.1)
    with pytest.raises(BielleError, match="nobody"):
        live.advance(0.5)
    live.advance(0.1)
    assert bits(live.replay()) == bits(live)


def test_samples_of_one_long_advance():
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("ball", bl.disc(0.1, mass=1.0), velocity=(1.0, 0))
    for solver in (bl.Central(), bl.Central(integrator="rk4", step=2e-3)):
        live = m.live(solver, record=0.01)
        live.advance(450.0)
        assert len(live.result()) == pytest.approx(45_001, abs=4)  # and one at each of the two ends of its parts
        assert np.diff(live.result().time).max() < 0.0101


def test_replacing_what_is_so_already_changes_nothing():
    live = crane().live(SOLVERS["generalized-alpha"])
    live.advance(0.05)
    before, entries = bits(live), len(live.journal.entries)
    live.replace("elbow", bl.Pin())
    live.replace("spring", live.mechanism.forces["spring"].kind)
    assert (bits(live), len(live.journal.entries)) == (before, entries)
    with pytest.raises(DescriptionError, match="nothing to undo"):
        live.undo()


@pytest.mark.parametrize("max_step", [np.inf, 1e-4])
def test_a_gear_whose_bearing_is_replaced_is_closed_as_well(max_step):
    """The rotor may not turn any more: a bearing that slides, and the gear that couples it, bring it to rest gently; energy is booked."""
    m = bl.Mechanism(plane="xy")
    m.add_body("arm", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("j", bl.Pin(), "ground", "arm", at=(0, 0))
    m.add_rotor("r", "j", 0.1, 100.0)
    live = m.live(bl.Central(max_step=max_step))
    live.advance(0.5)
    live.replace("r bearing", bl.Slider(direction="x"))
    assert set(live.closing) == {"r bearing", "r gear"}
    live.advance(0.02)
    assert abs(live.result().energy.error).max() < 1e-9  # rtol
