"""What belongs to a component stays with it, whatever else comes and goes. Regression tests against failures known from other engines."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError

FIXED = bl.Central(integrator="rk4", step=1e-3)  # takes the same steps whatever else is there


def arms(planar=True):
    """Three rods on hinges of their own, each with a motor or an imposed motion; 'first' comes first in every table."""
    m = bl.Mechanism(plane="xy") if planar else bl.Mechanism(gravity=(0, -9.81, 0))
    hinge = bl.Pin() if planar else bl.Revolute(axis="z")
    for i, name in enumerate(("first", "second", "third")):
        start, end = ((2.0 * i, 0.0, 0.0)[: m.dim], (2.0 * i + 1.0, 0.0, 0.0)[: m.dim])
        m.add_body(name, bl.rod(start, end, mass=1.0 + i, radius=0.05))
        m.add_joint(f"hinge {name}", hinge, "ground", name, at=start)
    m.add_force("motor first", bl.Motor(target=bl.Polynomial([0.0, 2.0]), stiffness=50.0, damping=5.0), joint="hinge first")
    m.add_force("motor second", bl.Motor(target=bl.Polynomial([0.0, 40.0]), stiffness=500.0, damping=50.0), joint="hinge second")
    m.add_joint(
        "turn third", bl.ImposedRotation(angle=bl.Harmonic(amplitude=0.5, frequency=1.0)), "ground", "third", at=(4.0, 0, 0)[: m.dim]
    )
    return m


def state_of(live, *names):
    return np.concatenate([np.ravel(x) for n in names for x in (live[n].position, live[n].velocity, live[n].angular_velocity)])


def add_and_remove(live):
    """An edit that has nothing to do with anything else there, and moves all rows in the tables."""
    dim = live.model.dim
    live.add_body("a visitor", bl.sphere(0.1, mass=1.0), position=(9.0,) * dim, coordinates="bar" if dim == 2 else "natural")
    live.add_joint("a string", bl.Distance(), "ground", "a visitor", at_a=(9.0, 8.0, 9.0)[:dim], at_b=(0.0,) * dim)
    live.advance(0.05)
    live.remove("a visitor", dependants=True)


@pytest.mark.parametrize("planar", [True, False])
def test_everything_goes_on_when_something_else_comes_and_goes(planar):
    """mujoco #3585: applied forces, active flags and warm start survive an unrelated edit.

    A push for a time, a grab, a locked joint, a motor that has turned more than once, an imposed motion and a spring go on to rounding.
    """
    ends = []
    for edited in (False, True):
        live = arms(planar).live(FIXED)
        dim = live.model.dim
        live.add_body("pushed", bl.box((0.3,) * dim, mass=1.0), position=(0.0, 3.0, 0.0)[:dim])
        live.add_force("spring", bl.Spring(stiffness=30.0, damping=0.5), "pushed", "ground", at_a=(0.1,) * dim, at_b=(0.0, 4.0, 0.0)[:dim])
        live.advance(0.2)
        live.push("pushed", force=(3.0, 1.0, 0.5)[:dim], duration=0.3)
        hand = live.grab("pushed", local=(0.1,) * dim)
        hand.move((0.5, 3.0, 0.0)[:dim])
        live.lock("hinge first")
        live.advance(0.05)  # the lock is being closed, the push goes on
        closing, timers = live.closing, live._timers
        if edited:
            add_and_remove(live)
        else:
            live.advance(0.05)
        assert live.closing == closing
        assert live._timers == timers
        live.advance(0.5)
        assert not live.closing
        assert not live._timers
        assert set(live.mechanism.forces) == {"motor first", "motor second", "spring", "grab pushed"}
        ends.append(np.concatenate([state_of(live, "first", "second", "third", "pushed"), live.state.memory, live.state.work[:3]]))
    assert np.abs(ends[0] - ends[1]).max() <= 1e-11 * np.abs(ends[0]).max()
    assert np.abs(ends[0]).max() > 2 * np.pi  # the second arm's angle, in the memory of its motor, is over one turn


def test_multipliers_memory_and_works_are_carried_over_bit_for_bit():
    """mujoco #3585, in the tables themselves: each number is found under its component's name in the edited state."""
    live = arms().live()
    live.advance(0.3)
    model, before = live.model, live.state
    live.add_body("a visitor", bl.sphere(0.1, mass=1.0), coordinates="bar")
    live.add_joint("a string", bl.Distance(), "ground", "a visitor", at_a=(0.0, 1.0), at_b=(0.0, 0.0))
    after, edited = live.state, live.model
    for name, row in model.bodies.items():
        assert np.array_equal(before.q[row.q], after.q[edited.bodies[name].q])
        assert np.array_equal(before.v[row.v], after.v[edited.bodies[name].v])
    for name, row in model.joints.items():
        assert np.array_equal(before.lam[row.equations], after.lam[edited.joints[name].equations])
    for name, row in model.forces.items():
        assert before.memory[model.arrays["force_m"][row.index]] == after.memory[edited.arrays["force_m"][edited.forces[name].index]]
    assert np.array_equal(before.work, after.work)
    assert before.step == after.step


def test_a_retyped_joint_keeps_its_state():
    """mujoco #3586: the motion goes on where it was, in the joint retyped and in all others; its motor keeps its turns."""
    live = arms(planar=False).live()
    live.advance(0.4)
    before, memory = state_of(live, "first", "second", "third"), live.state.memory.copy()
    angle = live["motor second"].output
    live.replace("hinge second", bl.Cylindrical(axis="z"))
    assert live.last_edit[0].joining == "fits"
    assert np.array_equal(state_of(live, "first", "second", "third"), before)
    assert np.array_equal(live.state.memory, memory)
    assert live["motor second"].output == pytest.approx(angle, rel=1e-12)
    live.advance(0.2)
    straight = arms(planar=False).live()
    straight.advance(0.4)
    straight.advance(0.2)
    # nothing pushes along the axis, so that a cylindrical joint moves as a revolute one
    np.testing.assert_allclose(state_of(live, "second"), state_of(straight, "second"), atol=1e-7)


def test_a_motor_whose_joint_loses_its_axis_is_refused():
    live = arms(planar=False).live()
    with pytest.raises(DescriptionError, match=r"force 'motor second'.*joint 'hinge second' \(Spherical\) has no single axis"):
        live.replace("hinge second", bl.Spherical())


@pytest.mark.parametrize("planar", [True, False])
def test_drives_follow_identity_not_index(planar):
    """mujoco #3596: motors and imposed motions keep driving their joint when what stands before them in the tables goes."""
    ends = []
    for edited in (False, True):
        live = arms(planar).live(FIXED)
        live.advance(0.3)
        if edited:
            live.remove("first", dependants=True)
            assert "motor first" not in live.mechanism.forces
        live.advance(0.3)
        ends.append(state_of(live, "second", "third"))
        assert live["turn third"].violation < 1e-10
    assert np.abs(ends[0] - ends[1]).max() <= 1e-11 * np.abs(ends[0]).max()


@pytest.mark.parametrize("when", ["before the first step", "after the first step", "after a pause", "twice"])
def test_inserting_works_at_any_time(when):
    """rapier #906: a body and a joint added after the first step take part as those there from the start."""
    whole = bl.Mechanism(plane="xy")
    whole.add_body("upper", bl.rod((0, 0), (1, 0), mass=1.0))
    whole.add_joint("pivot", bl.Pin(), "ground", "upper", at=(0, 0))
    live = whole.live()
    if when != "before the first step":
        live.advance(0.01 if when == "after the first step" else 0.3)
    if when == "twice":
        live.add_body("gone", bl.rod((1, 0), (2, 0), mass=1.0))
        live.remove("gone")
    tip, velocity, spin = live["upper"].point((0.5, 0)).position, live["upper"].point((0.5, 0)).velocity, live["upper"].angular_velocity
    arm = np.array([0.0, -0.5])
    turning = spin * np.array([-arm[1], arm[0]])
    live.add_body("lower", bl.rod((0, 0), (1, 0), mass=1.0), position=tip + arm, orientation=-np.pi / 2, velocity=velocity + turning)
    live.teleport("lower", angular_velocity=spin)
    live.add_joint("elbow", bl.Pin(), "upper", "lower", at=tip)
    assert live.last_edit[0].joining == "fits"
    start = live.describe()
    live.advance(0.3)
    run = start.simulate(0.3, samples=2)
    np.testing.assert_allclose(live["lower"].position, run["lower"].position[-1], atol=1e-8)


def tree():
    """A trunk on the ground, a fork on the trunk, two branches on the fork, a leaf on the first branch."""
    m = bl.Mechanism(plane="xy")
    places = {"trunk": ("ground", (0, 0), (0, 1)), "fork": ("trunk", (0, 1), (0, 2)), "left": ("fork", (0, 2), (-1, 2))}
    places |= {"right": ("fork", (0, 2), (1, 2)), "leaf": ("left", (-1, 2), (-1, 3))}
    for name, (parent, start, end) in places.items():
        m.add_body(name, bl.rod(start, end, mass=1.0))
        m.add_joint(f"{parent}-{name}", bl.Pin(), parent, name, at=start)
    m.add_force("muscle", bl.Spring(stiffness=5.0), "trunk", "fork", at_a=(0.2, 0.1), at_b=(0.1, 0.1))
    return m


def test_a_body_in_the_middle_of_a_tree_goes():
    """rapier #927: refused while others hold on to it; with its dependants the branches go on as mechanisms of their own."""
    live = tree().live()
    live.advance(0.3)
    with pytest.raises(DescriptionError, match=r"'fork' cannot be removed: joint 'trunk-fork', .*force 'muscle' still depend on it"):
        live.remove("fork")
    before = state_of(live, "trunk", "left", "right", "leaf")
    live.remove("fork", dependants=True)
    assert set(live.mechanism.bodies) == {"trunk", "left", "right", "leaf"}
    assert set(live.mechanism.joints) == {"ground-trunk", "left-leaf"}
    assert not live.mechanism.forces
    assert np.array_equal(state_of(live, "trunk", "left", "right", "leaf"), before)
    x, v, t = live["right"].centre.position, live["right"].centre.velocity, live.time
    live.advance(0.4)
    dt = live.time - t
    np.testing.assert_allclose(live["right"].centre.position, x + v * dt + np.array([0, -9.81]) * dt**2 / 2, atol=1e-9)
    assert live["left-leaf"].violation < 1e-10
    assert np.abs(live.result().energy.error).max() < 1e-7
    live.undo()
    assert "fork" in live.mechanism.bodies
    assert np.array_equal(state_of(live, "trunk", "left", "right", "leaf"), before)
