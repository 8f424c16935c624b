"""Events at the edge: many in a step, limits that stay exceeded, functions that return no number, times that do not pass."""

import itertools
import math
import os
import signal
import threading

import pytest

import bielle as bl
from bielle.errors import CallbackError, SimulationError

from .crane import bits

SOLVERS = {
    "adaptive": bl.Central(),
    "rk4": bl.Central(integrator="rk4", step=1e-2),
    "newmark": bl.Central(integrator="newmark", step=1e-2),
    "recursive": bl.Recursive(),
    "modular": bl.Modular(step=1e-2),
}


def ball():
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("ball", bl.disc(0.1, mass=1.0), velocity=(1.0, 0))
    return m


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("omega", [150.0, 172.2, 203.4])
def test_a_function_that_comes_back_within_a_step(solver, omega):
    """Steps of 0.02 s at most, in which sin ωx has up to two zeros: what is seen is at zeros, and time goes on."""
    live = ball().live(solver)
    live.when(lambda s: math.sin(omega * s["ball"].position[0]), crosses=0.0, once=False, name="zero")
    live.advance(0.5)
    assert live.time == 0.5
    for time, _ in live.log:
        assert abs(math.sin(omega * time)) < 1e-9  # x = t, and rounding of both
    assert bits(live.replay()) == bits(live)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "with a named quantity"])
def test_the_resolution_of_a_function(solver, beside):
    live = ball().live(solver)
    times = []

    def near(s):  # within 5 mm of x = 0.5: for 10 ms
        times.append(s.time)
        return 0.005 - abs(s["ball"].position[0] - 0.5)

    live.when(near, rises=0.0, resolution=0.004, name="near")
    if beside:
        live.when("ball.position.y", crosses=99.0, resolution=0.004)
    live.advance(1.0)
    assert live.log == [(pytest.approx(0.495, abs=1e-9), "near")]
    before = [t for t in times if t < 0.49]
    assert max(b - a for a, b in itertools.pairwise(before)) < 0.004001


RETURNS = {"NaN": math.nan, "infinite": math.inf, "complex": 1j, "None": None, "two": (1.0, 2.0)}


@pytest.mark.parametrize("value", RETURNS.values(), ids=RETURNS)
@pytest.mark.parametrize("since", [0.0, 0.4])
def test_a_function_that_returns_no_number(value, since):
    live = ball().live(bl.Central(max_step=0.01))
    live.when(lambda s: value if s.time >= since else 1.0, crosses=0.0)
    with pytest.raises(CallbackError, match=r"event 'event 1': its function"):
        live.advance(1.0)
    assert since - 0.0101 <= live.time <= since
    live.forget("event 1")
    live.advance(0.1)
    assert bits(live.replay()) == bits(live)


@pytest.mark.parametrize("quantity", ["energy.kinetic", lambda s: s.energy.kinetic], ids=["name", "function"])
def test_a_limit_that_stays_exceeded_is_told_once(quantity):
    """A pendulum swings from level: its kinetic energy exceeds the limit on each way down, and comes back on each way up."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pin", bl.Pin(), m.ground, "rod", at=(0, 0))

    def times(*parts):
        live = m.live()
        live.advance(0.4)
        assert live.energy.kinetic > 2.0
        live.when(quantity, above=2.0, once=False)
        for part in parts:
            live.advance(part)
        assert bits(live.replay()) == bits(live)
        return [t for t, _ in live.log]

    whole, divided = times(4.0), times(*[0.1] * 40)
    assert whole[0] == 0.4
    assert len(whole) == len(divided) == 5  # it swings through 2.45 times
    assert divided == pytest.approx(whole, abs=1e-7)


def test_an_event_that_its_own_action_brings_about():
    live = ball().live()

    def back(s):
        s.set("ball", mass=1.0 + len(s.log))
        s.undo()

    live.when("ball.position.x", back, crosses=0.1, once=False, name="again")
    with pytest.raises(SimulationError, match="'again'.*time gets no further than 0.1"):
        live.advance(1.0)
    live.forget("again")
    live.advance(0.1)
    assert bits(live.replay()) == bits(live)


def test_ctrl_c_between_two_events(usual_ctrl_c):
    live = ball().live()
    count = 0

    def act(_):
        nonlocal count
        count += 1
        if count == 5:
            os.kill(os.getpid(), signal.SIGINT)

    live.when("ball.position.x", act, crosses=0.1, once=False, name="a")
    for x in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        live.when("ball.position.x", act, crosses=x)
    with pytest.raises(KeyboardInterrupt):
        live.advance(1.0)
    assert live.time == pytest.approx(0.5, abs=1e-12)
    assert threading.current_thread() is threading.main_thread()
    assert bits(live.replay()) == bits(live)


def test_an_event_in_the_last_step_is_seen():
    """Advances that count their steps end anywhere; what crossed in the last one has happened."""
    live = ball().live(bl.Central(integrator="rk4", step=0.01))
    live.when("ball.position.x", crosses=0.025, name="a")
    live.step(3)
    assert live.log == [(pytest.approx(0.025, abs=1e-12), "a")]
