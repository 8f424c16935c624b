"""What a newcomer asks of a session that cannot be, and the sentence that comes back."""

import math
import re

import numpy as np
import pytest

import bielle as bl
from bielle.errors import (
    AccessError,
    AssemblyError,
    BielleError,
    CallError,
    DescriptionError,
    JoiningError,
    NamingError,
    SimulationError,
)


def session():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=10.0), "ground", "rod", at_a=(0, 1), at_b=(0.5, 0))
    return m.live()


WRONG = {
    "position set": (
        lambda s: setattr(s["rod"], "position", (1, 1)),
        *(AccessError, "the present of body 'rod' can only be read, its position not be set. Write live.set(…)"),
    ),
    "place of a body": (
        lambda s: s.add_body("x", bl.disc(1, mass=1), pos=(0, 0)),
        *(CallError, "add_body() has no argument 'pos'. Did you mean 'position'?"),
    ),
    "place of a joint": (
        lambda s: s.add_joint("j", bl.Pin(), "ground", "rod", pos=(0, 0)),
        *(CallError, "add_joint() has no argument 'pos'. It takes name, kind, a, b, at, joining, over, at_a, at_b, axes_a, axes_b."),
    ),
    "joining": (
        lambda s: s.add_joint("j", bl.Pin(), "ground", "rod", at=(0, 0), joinng="exact"),
        *(CallError, "add_joint() has no argument 'joinng'. Did you mean 'joining'?"),
    ),
    "push": (lambda s: s.push("rod", impulze=(1, 0)), CallError, "push() has no argument 'impulze'. Did you mean 'impulse'?"),
    "teleport": (lambda s: s.teleport("rod", pos=(1, 0)), CallError, "teleport() has no argument 'pos'. Did you mean 'position'?"),
    "grab": (lambda s: s.grab("rod", stifness=1), CallError, "grab() has no argument 'stifness'. Did you mean 'stiffness'?"),
    "event": (lambda s: s.when("rod.position.x", crosse=1), CallError, "when() has no argument 'crosse'. Did you mean 'crosses'?"),
    "duration": (lambda s: s.advance(), CallError, "advance() needs 'duration'. Write advance(duration)."),
    "parameter": (lambda s: s.set("spring", stifness=3), NamingError, "force 'spring': there is no parameter named 'stifness'"),
    "parameter after a dot": (lambda s: s.set("spring.stifness", 3), NamingError, "Did you mean 'stiffness'?"),
    "no parameter": (lambda s: s.set("spring", 3), DescriptionError, "as in set('spring', stiffness=…) or set('spring.stiffness', …)"),
    "position": (lambda s: s.set("rod", position=(1, 0)), DescriptionError, "is changed by teleport('rod', position=…)"),
    "motor on a joint": (lambda s: s.add_force("m", bl.Motor(stiffness=1.0), "pivot"), DescriptionError, "joint='pivot'"),
    "component": (lambda s: s["rd"], NamingError, "There is no component named 'rd'. Did you mean 'rod'?"),
    "quantity": (lambda s: s["rod"].postion, AccessError, "the present of body 'rod' has no 'postion'. Did you mean 'position'?"),
    "quantity by name": (lambda s: s["rod.postion"], NamingError, "Did you mean 'rod.position'?"),
    "component as an attribute": (lambda s: s.rod, AccessError, "A session has no attribute 'rod'"),
    "method": (lambda s: s.advence(1), AccessError, "A session has no 'advence'. Did you mean 'advance'?"),
    "gap": (
        lambda s: s.add_joint("j", bl.Pin(), "ground", "rod", at_a=(0, 1), at_b=(0.5, 0), joining="exact"),
        *(BielleError, "there is a gap of 1 m and a relative velocity of 0 m/s"),
    ),
    "gap of an angle": (
        lambda s: s.add_joint("j", bl.ImposedRotation(angle=0.5), "ground", "rod", at=(0, 0), joining="exact"),
        *(BielleError, "there is a gap of 0.5 rad and a relative velocity of 0 rad/s"),
    ),
}


def turned(solver=None, coordinates=None, **how):
    """Two bodies in one place, one of which is turned by 0.4 rad and turns at 0.3 rad/s."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("a", bl.box((1, 1), mass=1.0), coordinates=coordinates)
    how = {"orientation": 0.4, "angular_velocity": 0.3} | how
    m.add_body("b", bl.box((1, 1), mass=1.0), position=(1, 0), coordinates=coordinates, **how)
    return m.live(solver)


def weld(live, name="weld", a="a", **options):
    options = {"axes_a": 0.0, "axes_b": 0.0} | options
    live.add_joint(name, bl.Rigid(), a, "b", at_a=(1, 0), at_b=(0, 0), **options)


SOLVERS = {"central": bl.Central(), "recursive": bl.Recursive(), "modular": bl.Modular(step=1e-3)}


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("coordinates", ["planar", "bar"])
def test_angles_between_directions_are_told_as_angles(solver, coordinates):
    live = turned(solver, coordinates)
    with pytest.raises(JoiningError, match=r"there is a gap of 0\.4 rad and a relative velocity of 0\.3 rad/s\."):
        weld(live, joining="exact")
    weld(live)
    assert "'weld' closes over" in str(live.last_edit[0])
    assert str(live.last_edit[0]).endswith("(gap 0.4 rad, relative velocity 0.3 rad/s)")
    assert live.last_edit[0].gap == pytest.approx(math.sin(0.4), abs=1e-12)  # the residual of the equation, as ever


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_angles_in_space_are_told_as_angles(solver):
    """About an axis that no equation sees by itself, where the rates of sines are not those of angles."""
    axis = np.array([1.0, -2.0, 2.0]) / 3.0
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("a", bl.box((1, 1, 1), mass=1.0), orientation=bl.rotation(axis, 1.2), angular_velocity=tuple(0.5 * axis))
    live = m.live(solver)
    with pytest.raises(JoiningError, match=r"a gap of 1\.2 rad and a relative velocity of 0\.5 rad/s\."):
        at = {"at_a": (0, 0, 0), "at_b": (0, 0, 0), "axes_a": bl.rotation("x", 0), "axes_b": bl.rotation("x", 0)}
        live.add_joint("weld", bl.Fixed(), "ground", "a", joining="exact", **at)
    with pytest.raises(JoiningError, match=r"a gap of 0 m and a relative velocity of 0\.5 rad/s\."):
        live.add_joint("weld", bl.Fixed(), "ground", "a", joining="exact", at=(0, 0, 0))


def test_how_joints_were_fitted_is_told_with_units():
    live = turned(velocity=(0.25, 0))
    live.add_joint("pin", bl.Pin(), "a", "b", at_a=(1.5, 0), at_b=(0, 0), joining="impulse")
    assert str(live.last_edit[0]).startswith("'pin' closes over")
    assert str(live.last_edit[0]).endswith("(gap 0.5 m, relative velocity 0.25 m/s)")
    live = turned(orientation=0.0)
    weld(live, joining="impulse")
    assert str(live.last_edit[0]) == "'weld' closed by an impulse (gap 0 m, relative velocity 0.3 rad/s)"
    live = turned(orientation=0.0, angular_velocity=None)
    weld(live)
    assert str(live.last_edit[0]) == "'weld' fits (gap 0 m, relative velocity 0 m/s)"
    live = turned(orientation=1e-11, angular_velocity=None)
    weld(live)
    assert str(live.last_edit[0]) == "'weld' fits (gap 1e-11 rad, relative velocity 0 m/s)"


def told(caught, unit):
    """The number in front of the unit that is left over."""
    return float(re.search(rf"([\d.e-]+) {unit} (is )?left over", str(caught.value))[1])


def test_gaps_that_cannot_be_closed_have_units():
    """Of two welds that are half a radian (half a metre) apart the worse lacks at least half, wherever the body is, and at most all."""
    live = turned()
    live.fix("a")
    weld(live, "x", a="ground")
    live.settle()
    with pytest.raises(JoiningError, match=r"joint 'y': its gap of 0\.5 rad cannot be closed: ") as caught:
        weld(live, "y", axes_a=0.5)
    assert 0.25 <= told(caught, "rad") <= 0.5
    with pytest.raises(JoiningError, match=r"joint 'z': its gap of 0\.5 m cannot be closed: ") as caught:
        live.add_joint("z", bl.Pin(), "ground", "b", at_a=(1.5, 0), at_b=(0, 0))
    assert 0.25 <= told(caught, "m") <= 0.5


def test_velocities_that_cannot_be_stopped_have_units():
    live = turned(orientation=0.0)
    live.fix("a")
    live.add_joint("drive", bl.ImposedRotation(angle=bl.Polynomial([0.0, 0.3])), "a", "b", at=(1, 0))
    with pytest.raises(JoiningError, match=r"joint 'weld': the other joints .* \(0\.15 rad/s is left over at best\)"):
        weld(live, joining="impulse")


def test_a_body_that_cannot_be_teleported_is_told_with_units():
    """Two slides, neither of which lets it turn, share the turn of a radian; two pins of one rod, the way of two metres."""
    live = turned(orientation=0.0, angular_velocity=None)
    live.add_joint("one", bl.Slider(direction="x"), "ground", "a", at=(0, 0))
    live.add_joint("two", bl.Slider(direction="y"), "a", "b", at=(1, 0))
    with pytest.raises(AssemblyError, match=r"satisfies them \([\d.]+ rad left over, velocities 0 m/s\)") as caught:
        live.teleport("b", orientation=1.0)
    assert 0.5 <= told(caught, "rad") <= 1.0
    live = turned(orientation=0.0, angular_velocity=None)
    live.add_joint("one", bl.Pin(), "ground", "a", at=(0, 0))
    live.add_joint("two", bl.Pin(), "a", "b", at=(1, 0))
    with pytest.raises(AssemblyError, match=r"satisfies them \([\d.]+ m left over, velocities .* m/s\)") as caught:
        live.teleport("b", position=(3, 0))
    assert 0.0 < told(caught, "m") <= 2.0


def test_what_a_ramp_leaves_over_has_a_unit(monkeypatch):
    """Here by nothing but rounding, which no negative limit allows. It is how far off its ramp the joint is, and not how far it is open."""
    live = turned()
    weld(live)
    monkeypatch.setattr(type(live.solver), "torn", property(lambda self: -1.0))
    with pytest.raises(SimulationError, match=r"\([\d.e-]+ (m|rad) left over\)") as caught:
        live.advance(0.1)
    assert told(caught, "(m|rad)") < 1e-6


@pytest.fixture(scope="module")
def live():
    return session()


@pytest.mark.parametrize("case", WRONG)
def test_sentences(live, case):
    action, error, message = WRONG[case]
    with pytest.raises(error) as caught:
        action(live)
    assert isinstance(caught.value, BielleError)
    assert message in str(caught.value)
    assert not live.log  # nothing was done
    assert live.mechanism == session().mechanism


def test_the_present_by_name():
    live = session()
    live.advance(0.1)
    assert (live["rod.position"] == live["rod"].position).all()
    assert live["rod.position.y"] == live["rod"].position[1]
    assert live["energy.kinetic"] == live.energy.kinetic
    assert repr(live["rod"]).startswith("the present of body 'rod': ask for position, velocity")
    assert repr(live.energy).startswith("the present of the energy [J]: ask for kinetic")
