"""Bad input to a running mechanism, and runs that cannot go on: the message says what to do, and nothing is lost."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, CallbackError, DescriptionError, JoiningError, NamingError, SimulationError
from bielle.live import advancing
from bielle.solvers import run

from .test_random_edits import everything


def pendulum():
    """Two rods on each other, with a frame and a motor."""
    m = bl.Mechanism(plane="xy")
    m.add_body("upper", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("lower", bl.rod((1, 0), (2, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
    m.add_frame("tip", "lower", local=(0.5, 0))
    m.add_force("drive", bl.Motor(target=1.0, stiffness=5.0, damping=1.0), joint="elbow")
    return m


def inside(live, verb):
    with live.edit():
        verb()


REFUSED = {  # what is tried: the error, and what its message says: the component, what was expected, what was got, what to do
    "unknown name": (lambda live: live.remove("elbo"), NamingError, r"no component named 'elbo'\. Did you mean 'elbow'\?"),
    "unknown body": (lambda live: live.push("uper", impulse=(1, 0)), NamingError, r"push: .*no body named 'uper'\. Did you mean 'upper'\?"),
    "unknown parameter": (
        lambda live: live.set("drive", stifness=1.0),
        NamingError,
        r"force 'drive': .*'stifness'\. Did you mean 'stiffness'\?",
    ),
    "ground": (lambda live: live.remove("ground"), DescriptionError, r"The ground cannot be removed.*Remove the joints"),
    "negative mass": (lambda live: live.set("upper", mass=-1.0), DescriptionError, r"'upper'.*mass.*positive.*-1"),
    "mass of text": (lambda live: live.set("upper", mass="much"), DescriptionError, r"mass.*number.*'much'"),
    "held body": (
        lambda live: live.remove("lower"),
        DescriptionError,
        r"'lower' cannot be removed: frame 'tip', joint 'elbow' still depend.*Remove",
    ),
    "held joint": (lambda live: live.remove("elbow"), DescriptionError, r"'elbow' cannot be removed: force 'drive' still depend"),
    "wide gap": (
        lambda live: live.add_joint("far", bl.Pin(), "ground", "lower", at_a=(9, 9), at_b=(0.5, 0)),
        JoiningError,
        r"joint 'far': its gap of .* m cannot be closed: .* m is left over at best\. Choose points that can meet",
    ),
    "nowhere to go": (
        lambda live: live.add_joint("rope", bl.Distance(length=0.8), "ground", "lower", at=live["lower"].position),
        JoiningError,
        r"joint 'rope': its gap of 0\.4 m cannot be closed from here.*Move the bodies a little first",
    ),
    "exact fit": (
        lambda live: live.add_joint("tight", bl.Distance(length=5.0), "ground", "upper", at_a=(0, 1), at_b=(0, 0), joining="exact"),
        JoiningError,
        r"joint 'tight': it was to fit exactly, but there is a gap of .* and a relative velocity of .*joining='gentle' or 'impulse'",
    ),
    "locked twice": (
        lambda live: inside(live, lambda: (live.lock("elbow"), live.lock("elbow"))),
        DescriptionError,
        r"lock 'elbow': the joint is locked already",
    ),
    "edit in an edit": (lambda live: inside(live, lambda: inside(live, live.advance)), DescriptionError, r"An edit is open already\. Put"),
    "advance in an edit": (
        lambda live: inside(live, lambda: live.advance(0.1)),
        DescriptionError,
        r"An edit is open: finish it .* before you advance",
    ),
    "step in an edit": (lambda live: inside(live, live.step), DescriptionError, r"An edit is open: finish it .* before you step"),
    "undo in an edit": (lambda live: inside(live, live.undo), DescriptionError, r"An edit is open: finish it .* before you undo"),
    "no time": (lambda live: live.advance(0.0), DescriptionError, r"The duration must be positive, got 0"),
    "backwards": (lambda live: live.advance(-0.1), DescriptionError, r"The duration must be positive, got -0\.1"),
    "no number": (lambda live: live.advance("a while"), DescriptionError, r"The duration must be a number, got 'a while'"),
    "the past": (
        lambda live: live.advance_to(0.1),
        DescriptionError,
        r"at 0\.3 s already and cannot advance to 0\.1 s\. To go back use undo",
    ),
    "no steps": (lambda live: live.step(-3), DescriptionError, r"number of steps must be a positive integer, got -3"),
    "no duration": (lambda live: live.push("upper", force=(1, 0)), DescriptionError, r"push 'upper': say how long the force acts"),
    "zero duration": (
        lambda live: live.push("upper", force=(1, 0), duration=0),
        DescriptionError,
        r"push 'upper': the duration must be positive",
    ),
    "no time to close": (
        lambda live: live.fix("upper", over=0.0),
        DescriptionError,
        r"joint 'fix upper': the time to close it over must be positive",
    ),
    "over too soon": (lambda live: live.fix("upper", over=1e-30), JoiningError, r"joint 'fix upper': .* 1e-30 s, .*Give it longer"),
    "wrong dimension": (
        lambda live: live.push("upper", impulse=(1, 0, 0)),
        DescriptionError,
        r"push 'upper': the impulse must be 2 numbers.*planar",
    ),
    "not a number": (
        lambda live: live.teleport("upper", position=(math.nan, 0)),
        DescriptionError,
        r"teleport 'upper': the position must be finite",
    ),
    "cannot follow": (
        lambda live: live.teleport("lower", position=(7, 7)),
        BielleError,
        r"teleport 'lower': its joints cannot follow.*\([\d.]+ m left over, velocities .* m/s\)\. Move less far",
    ),
    "nothing to undo": (lambda live: live.undo(), DescriptionError, r"nothing to undo"),
    "nothing to redo": (lambda live: live.redo(), DescriptionError, r"nothing to redo"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused_with_a_message_and_without_a_trace(what):
    verb, error, message = REFUSED[what]
    live, straight = pendulum().live(), pendulum().live()
    for each in (live, straight):
        each.advance(0.3)
    before, mechanism, entries = everything(live), live.mechanism.copy(), len(live.journal.entries)
    with pytest.raises(error, match=message):
        verb(live)
    assert everything(live) == before
    assert live.mechanism == mechanism
    assert len(live.journal.entries) == entries
    for each in (live, straight):
        each.advance(0.2)
    assert np.array_equal(live.state.q, straight.state.q)
    assert np.array_equal(live.state.v, straight.state.v)


def test_an_error_caught_inside_an_edit_leaves_the_rest_whole():
    """Half of an edit that failed would leave components without rows."""
    live = pendulum().live()
    live.advance(0.1)
    with live.edit():
        live.add_body("ball", bl.sphere(0.1, mass=1.0), position=(5, 5))
        with pytest.raises(DescriptionError):
            live.add_joint("wrong", bl.Distance(), "ball", "ground", at=(5, 5))  # of no length: known only when it is placed
        with pytest.raises(DescriptionError):
            live.replace("elbow", bl.Pin(), joining="exact", over=1.0)
        live.set("ball", mass=2.0)
    assert "wrong" not in live.mechanism.joints
    assert list(live.model.joints) == list(live.mechanism.joints)
    live.advance(0.1)


@pytest.mark.parametrize("solver", [bl.Central(), bl.Central(integrator="rk4", step=1e-3)], ids=["adaptive", "rk4"])
def test_a_force_that_raises_stops_the_session_at_a_good_step(solver):
    broken = [True]

    def pull(t, view):
        if t > 0.25 and broken[0]:
            raise ZeroDivisionError("no more")
        return (1.0, 0.0)

    live = pendulum().live(solver)
    live.add_force("pull", bl.CallableForce(function=pull), "lower", at_a=(0, 0))
    live.advance(0.1)
    with pytest.raises(CallbackError, match=r"force 'pull'.*ZeroDivisionError.*stands at the last good step, t = .* can go on") as caught:
        live.advance(0.4)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert 0.1 <= live.time <= 0.25 + 1e-9
    assert np.isfinite(live.state.q).all()
    assert live["elbow"].violation < 1e-9
    assert live.result().time[-1] == live.time
    broken[0] = False
    live.advance_to(0.3)  # mended
    broken[0] = True
    with pytest.raises(CallbackError):
        live.advance(0.1)
    live.remove("pull")
    live.advance(0.1)
    assert live.time == pytest.approx(0.4)
    live.undo()
    assert live.time == pytest.approx(0.3)


@pytest.mark.parametrize("solver", [bl.Central(), bl.Modular(), bl.Recursive()], ids=["adaptive", "modular", "recursive"])
@pytest.mark.parametrize("motor", [True, False])
def test_a_force_that_raises_within_a_step_that_is_taken_again_is_not_passed_over(motor, solver):
    """A step may recover from what a function did in one of its stages, when it is taken again in parts; the error is told all the same."""
    calls = [0]

    def once(t, view):
        calls[0] += 1
        if calls[0] == 200:
            raise ValueError("once")
        return (0.0, 0.0)

    live = pendulum().live(solver)
    if not motor:
        live.remove("drive")  # it would remember that something was not a number
    live.add_force("once", bl.CallableForce(function=once), "lower", at_a=(0, 0))
    with pytest.raises(CallbackError, match="force 'once'.*ValueError: once"):
        live.advance(2.0)
    live.advance(0.1)


def test_an_unstable_run_is_rolled_back_and_can_go_on():
    """A spring far too stiff for the step: back to the last step whose numbers are finite, with the body named."""
    live = pendulum().live(bl.Central(integrator="rk4", step=0.05))
    live.add_body("ball", bl.sphere(0.1, mass=1.0), position=(5, 0))
    live.advance(0.5)
    live.add_force("spring", bl.Spring(stiffness=1e8, length=0.5), "ground", "ball", at_a=(5, 1), at_b=(0, 0))
    with pytest.raises(SimulationError, match=r"motion of body 'ball' became infinite.*smaller step.*stands at the last good step"):
        live.advance(50.0)
    assert np.isfinite(live.state.q).all()
    assert np.isfinite(live.state.v).all()
    assert live.result().time[-1] == live.time
    assert live.undo() == "add spring"
    assert live.time == pytest.approx(0.5)
    live.add_force("spring", bl.Spring(stiffness=1.0, length=0.5), "ground", "ball", at_a=(5, 1), at_b=(0, 0))
    live.advance(1.0)
    assert np.abs(live["ball"].position).max() < 50.0


def test_a_position_the_joints_do_not_allow_stops_the_run():
    """A crank is driven beyond where its rod can follow: no motion satisfies the joints there, and none is made up."""
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    elbow = (np.cos(0.2), np.sin(0.2))
    end = (elbow[0] + np.sqrt(0.8**2 - elbow[1] ** 2), 0.0)  # the rod of 0.8 m reaches the slot until the crank stands at 53°
    m.add_body("crank", bl.rod((0, 0), elbow, mass=1.0))
    m.add_body("rod", bl.rod(elbow, end, mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "crank", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "crank", "rod", at=elbow)
    m.add_joint("end", bl.PinInSlot(direction="x"), "ground", "rod", at=end)
    m.add_joint("drive", bl.ImposedRotation(angle=bl.Polynomial([0.0, 1.0])), "ground", "crank", at=(0, 0))
    live = m.live()
    with pytest.raises(SimulationError, match="'drive' leads to a position that the other joints do not allow"):
        live.advance(3.0)
    assert live.time == pytest.approx(np.arcsin(0.8) - 0.2, abs=1e-3)
    assert live["end"].violation < 1e-5  # steps that end further off are not taken
    live.remove("drive")
    live.advance(0.1)
    with pytest.raises(SimulationError, match="'drive' leads to a position that the other joints do not allow"):
        m.simulate(3.0)


def top_and_weight(**options):
    """A fast top that is being tied to a weight over a long time, in steps that are short beside it."""
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("top", bl.rod((0, 0), (1, 0), mass=1.0), angular_velocity=50.0)
    m.add_body("weight", bl.rod((3, 0), (4, 0), mass=1.0))
    live = m.live(bl.Central(rtol=1e-12, **options))
    live.add_joint("tie", bl.Distance(length=1.0), "top", "weight", at_a=(0.5, 0), at_b=(0, 0), over=100.0)
    return live


def test_a_ramp_that_is_followed_in_hopelessly_short_steps_is_given_up(monkeypatch):
    """Where a ramp leads through a position that cannot be taken, steps may become short without collapsing: for minutes, or for ever."""
    monkeypatch.setattr(run, "HOPELESS_RAMP_STEP", 1e-2)
    live = top_and_weight()
    with pytest.raises(SimulationError, match=r"Closing 'tie' gently.*the step size collapsed"):
        live.settle()
    assert 0.0 < live.time < 100.0
    live.undo()
    live.advance(0.1)


def test_a_ramp_on_which_energy_is_lost_is_given_up(monkeypatch):
    """Here by rounding, which a limit of zero does not allow; other formulations are not held to it."""
    monkeypatch.setattr(advancing, "_LOST", 0.0)
    live = top_and_weight()
    with pytest.raises(SimulationError, match=r"Closing 'tie' gently.*J are lost.*The session stands at"):
        live.advance(1.0)
    live.undo()
    live.advance(0.1)
    top_and_weight(formulation="baumgarte").advance(1.0)
