"""A running mechanism is changed: transactions, state transfer, time travel."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, JoiningError, NamingError

SOLVERS = {
    "adaptive": bl.Central(),
    "rk4": bl.Central(integrator="rk4", step=1e-3),
    "newmark": bl.Central(integrator="newmark", step=1e-3),
    "generalized-alpha": bl.Central(integrator="generalized-alpha", step=1e-3),
    "modular": bl.Modular(),
    "recursive": bl.Recursive(),
    "recursive rk4": bl.Recursive("rk4", step=1e-3),
    "explicit": bl.Modular(joints="explicit"),
}


def double_pendulum(planar=True, coordinates=None):
    """Two rods of 1 m and 1 kg hanging on each other, horizontal at the start."""
    m = bl.Mechanism(plane="xy") if planar else bl.Mechanism(gravity=(0, -9.81, 0))
    x, z = (1.0, 0.0) if planar else (1.0, 0.0, 0.0), (2.0, 0.0) if planar else (2.0, 0.0, 0.0)
    o = (0.0,) * m.dim
    m.add_body("upper", bl.rod(o, x, mass=1.0, radius=0.05), coordinates=coordinates)
    m.add_body("lower", bl.rod(x, z, mass=1.0, radius=0.05), coordinates=coordinates)
    hinge = bl.Pin() if planar else bl.Revolute(axis="z")
    m.add_joint("pivot", hinge, m.ground, "upper", at=o)
    m.add_joint("elbow", hinge, "upper", "lower", at=x)
    return m


def bits(live):
    """Everything the session goes on from."""
    state = live.state
    return [
        state.time,
        state.step,
        *(getattr(state, n).tobytes() for n in ("q", "v", "work", "lam", "memory", "merged", "acc", "a0", "mu")),
    ]


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_advancing_is_what_simulate_computes(solver):
    m = double_pendulum()
    run = m.simulate(0.5, solver, samples=2)
    live = m.live(solver)
    live.advance(0.5)
    np.testing.assert_allclose(live["lower"].position, run["lower"].position[-1], atol=1e-12)
    assert live.time == 0.5


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_no_op_edit_leaves_the_bits(solver):
    runs = []
    for edited in (False, True):
        live = double_pendulum().live(solver)
        live.advance(0.3)
        if edited:
            with live.edit():
                pass
            live.set("upper", mass=1.0)
            live.set("upper", color=live.mechanism.bodies["upper"].color)
            live.set_gravity((0, -9.81))
            for name in ("elbo", "ground", "upper"):  # unknown, not to be removed, held by joints
                with pytest.raises((DescriptionError, NamingError)):
                    live.remove(name)
            with pytest.raises(DescriptionError):
                live.set("upper", mass=-1.0)
        live.advance(0.3)
        runs.append(bits(live))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_reading_does_not_disturb(solver):
    runs = []
    for reading in (False, True):
        live = double_pendulum().live(solver)
        for _ in range(5):
            live.advance(0.05)
            if reading:
                _ = live["upper"].position, live["elbow"].force(), live.energy.kinetic, live["lower"].angular_velocity, live.result()
        runs.append(bits(live))
    assert runs[0] == runs[1]


@pytest.mark.parametrize("planar", [True, False])
def test_remove_and_add_again_between_two_steps(planar):
    ends = []
    for edited in (False, True):
        live = double_pendulum(planar).live()
        live.advance(0.4)
        if edited:
            joint = live.mechanism.joints["elbow"]
            live.remove("elbow")
            live.add_joint("elbow", joint.kind, "upper", "lower", at=live["upper"].point((0.5, 0.0, 0.0)[: live.model.dim]).position)
        live.advance(0.4)
        ends.append(np.concatenate([live["lower"].position, live["lower"].velocity]))
    assert np.abs(ends[0] - ends[1]).max() <= 1e-12


@pytest.mark.parametrize("planar", [True, False])
def test_after_a_cut_the_freed_body_flies_on(planar):
    live = double_pendulum(planar).live()
    live.advance(0.6)
    live.remove("elbow")
    body = live["lower"]
    x, v, spin, t = body.centre.position, body.centre.velocity, body.angular_velocity, live.time
    live.advance(1.0)
    g = np.array([0, -9.81, 0])[: len(x)]
    dt = live.time - t
    assert np.abs(live["lower"].centre.position - (x + v * dt + g * dt**2 / 2)).max() < 1e-9
    assert np.abs(np.asarray(live["lower"].angular_velocity) - spin).max() < 1e-9
    run = live.result()
    assert np.abs(run.energy.error).max() < 1e-8
    assert run["elbow"].lifetimes == [(0.0, 0.6)]


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_undo_and_redo_bring_the_bits_back(solver):
    live = double_pendulum().live(solver)
    live.advance(0.3)
    before = bits(live)
    live.remove("elbow")
    live.advance(0.2)
    after = bits(live)
    samples = len(live.result())
    assert live.undo() == "remove elbow"
    assert bits(live) == before
    assert "elbow" in live.mechanism.joints
    assert live.redo() == "remove elbow"
    assert bits(live) == after
    assert len(live.result()) == samples
    live.undo()
    live.advance(0.3)
    straight = double_pendulum().live(solver)
    straight.advance(0.3)
    straight.advance(0.3)
    assert bits(live) == bits(straight)


def test_snapshot_restore_and_branch():
    live = double_pendulum().live()
    live.advance(0.2)
    kept = live.snapshot()
    here = bits(live)
    other = live.branch()
    live.free("lower")
    live.advance(0.5)
    live.restore(kept)
    assert bits(live) == here == bits(other)
    live.advance(0.1)
    other.advance(0.1)
    assert bits(live) == bits(other)
    assert np.array_equal(live.result().time, other.result().time)


def test_a_gap_closes_gently():
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("a", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("b", bl.rod((1.2, 0.1), (2.2, 0.1), mass=2.0), velocity=(0.3, 0.0))
    live = m.live()
    live.add_joint("pin", bl.Pin(), "a", "b", at_a=(0.5, 0), at_b=(-0.5, 0))
    (joined,) = live.last_edit
    assert joined.joining == "gentle"
    assert joined.gap == pytest.approx(0.2)
    assert live.closing == {"pin": pytest.approx(joined.duration)}
    momentum = 2.0 * 0.3
    live.advance(2 * joined.duration)
    assert live.closing == {}
    a, b = live["a"], live["b"]
    np.testing.assert_allclose(a.point((0.5, 0)).position, b.point((-0.5, 0)).position, atol=1e-12)
    assert a.centre.velocity[0] + 2 * b.centre.velocity[0] == pytest.approx(momentum, abs=1e-9)
    run = live.result()
    assert np.abs(run.energy.error).max() < 1e-7  # samples inside steps have the accuracy of the dense output
    work = run.energy.by_edit["pin"]
    assert work == pytest.approx(run.energy.mechanical[-1] - run.energy.mechanical[0], rel=1e-6)
    assert live["pin"].violation < 1e-12


def test_an_impulse_joins_at_once():
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("a", bl.sphere(0.1, mass=1.0), position=(0, 0))
    m.add_body("b", bl.sphere(0.1, mass=2.0), position=(1, 0), velocity=(-3.0, 0.0))
    live = m.live()
    live.add_joint("weld", bl.Rigid(), "a", "b", at=(0.5, 0.0), joining="impulse")
    (joined,) = live.last_edit
    assert joined.joining == "impulse"
    assert np.abs(live["a"].velocity - np.array([-2.0, 0.0])).max() < 1e-9
    live.advance(0.1)
    run = live.result()
    assert run.energy.by_edit["add weld"] == pytest.approx(0.5 * 3 * 4 - 0.5 * 2 * 9)
    assert np.abs(run.energy.error).max() < 1e-9


def test_an_exact_fit_is_refused_with_the_numbers():
    live = double_pendulum().live()
    live.advance(0.2)
    live.remove("elbow")
    live.advance(0.2)
    before = bits(live)
    with pytest.raises(JoiningError, match=r"joint 'again'.*gap of .*relative velocity of .*joining='gentle'"):
        live.add_joint("again", bl.Pin(), "upper", "lower", at_a=(0.5, 0), at_b=(-0.5, 0), joining="exact")
    assert bits(live) == before


def test_a_gap_that_cannot_be_closed_is_refused():
    live = double_pendulum().live()
    before = bits(live)
    with pytest.raises(JoiningError, match=r"'far'.*cannot be closed"):
        live.add_joint("far", bl.Pin(), "ground", "lower", at_a=(9, 9), at_b=(0.5, 0))
    assert bits(live) == before


def test_a_loop_and_an_extra_joint_at_zero_gap():
    live = double_pendulum().live()
    live.advance(0.3)
    tip = live["lower"].point((0.5, 0)).position
    live.add_joint("loop", bl.Pin(), "ground", "lower", at=tip)
    assert live.last_edit[0].joining == "gentle"  # the tip was moving
    live.settle()
    live.add_joint("twice", bl.Pin(), "ground", "lower", at=tip)
    assert live.last_edit[0].joining == "fits"
    live.advance(0.5)
    assert np.abs(live["lower"].point((0.5, 0)).position - tip).max() < 1e-9
    assert np.abs(live.result().energy.error).max() < 1e-7


def test_push_and_teleport():
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("disc", bl.sphere(0.1, mass=2.0), position=(0, 0))
    live = m.live()
    live.push("disc", impulse=(4.0, 0.0), moment=0.5)
    inertia = live.mechanism.bodies["disc"].shape.mass_properties().inertia[2, 2]
    assert live["disc"].velocity == pytest.approx([2.0, 0.0])
    assert live["disc"].angular_velocity == pytest.approx(0.5 / inertia)
    live.teleport("disc", position=(5, 5), velocity=(0, 0))
    assert live["disc"].position == pytest.approx([5.0, 5.0])
    live.push("disc", force=(0.0, 8.0), duration=0.25)
    live.advance(1.0)
    assert live["disc"].velocity == pytest.approx([0.0, 1.0])
    assert live["disc"].position[1] == pytest.approx(5 + 0.5 * 4 * 0.25**2 + 0.75)
    assert not live.mechanism.forces
    assert np.abs(live.result().energy.error).max() < 1e-9


@pytest.mark.parametrize("plane", ["xy", None])
@pytest.mark.parametrize("solver", [bl.Central(), bl.Recursive(), bl.Modular(step=1e-3)], ids=lambda s: type(s).__name__)
def test_a_fixed_body_is_fixed_where_it_is_teleported_to(plane, solver):
    there, turned = ((5.0, 1.0), 0.7) if plane else ((5.0, 1.0, 2.0), bl.rotation("x", 0.7))
    dim = len(there)
    m = bl.Mechanism(plane=plane)
    m.add_body("disc", bl.sphere(0.1, mass=2.0), position=dim * (0.0,))
    m.add_body("bob", bl.sphere(0.1, mass=1.0), position=(1.0, *(dim - 1) * (0.0,)))
    m.add_joint("hinge", bl.Pin() if plane else bl.Spherical(), "disc", "bob", at=dim * (0.0,))
    live = m.live(solver)
    live.fix("disc")
    live.advance(0.1)
    live.teleport("disc", position=there, orientation=turned)
    live.advance(0.2)
    assert live["disc"].position == pytest.approx(there, abs=1e-6)
    assert np.linalg.norm(live["bob"].position - there) == pytest.approx(1.0, abs=1e-6)
    live.undo()
    assert live["disc"].position == pytest.approx(dim * [0.0], abs=1e-6)
    with pytest.raises(
        bl.errors.DescriptionError, match=r"teleport 'disc': the body is fixed and has no velocity. .* remove\('fix disc'\)"
    ):
        live.teleport("disc", velocity=(1.0, *(dim - 1) * (0.0,)))


def test_a_body_that_its_joints_hold_is_not_teleported_in_silence():
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("base", bl.sphere(0.1, mass=2.0), position=(0, 0))
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("weld", bl.Rigid(), m.ground, "base", at=(0, 0))
    m.add_joint("hinge", bl.Pin(), "base", "rod", at=(0, 0))
    live = m.live()
    with pytest.raises(bl.errors.AssemblyError, match=r"teleport 'base': its joints \('weld', 'hinge'\) hold it where it is"):
        live.teleport("base", position=(5, 5))
    with pytest.raises(bl.errors.AssemblyError, match="teleport 'rod': its joints"):
        live.teleport("rod", position=(1, 0))


def test_teleport_takes_the_others_along():
    live = double_pendulum().live()
    elbow = np.array([np.cos(0.3), -np.sin(0.3)])
    live.teleport("lower", orientation=-1.0, position=elbow + 0.5 * np.array([np.cos(1.0), -np.sin(1.0)]))
    assert live["elbow"].violation < 1e-10
    assert live["pivot"].violation < 1e-10
    live.advance(0.2)
    with pytest.raises(bl.errors.AssemblyError, match=r"teleport 'lower'.*cannot follow"):
        live.teleport("lower", position=(7.0, 7.0))


@pytest.mark.parametrize("joining", ["gentle", "impulse"])
def test_fix_free_lock_unlock(joining):
    live = double_pendulum().live()
    live.advance(0.3)
    live.lock("elbow", joining=joining)
    live.advance(1.0)
    assert not live.closing
    angle = live["elbow"].angle
    live.advance(0.5)
    assert live["elbow"].angle == pytest.approx(angle, abs=1e-9)
    live.unlock("elbow")
    live.advance(0.2)
    assert abs(live["elbow"].angle - angle) > 1e-4
    live.fix("lower", joining=joining)
    live.settle()
    assert np.abs(live["lower"].velocity).max() < 1e-9
    live.free("lower")
    live.advance(0.1)
    assert live["lower"].velocity[1] == pytest.approx(-0.981, abs=1e-6)
    assert np.abs(live.result().energy.error).max() < 1e-7


@pytest.mark.parametrize("how", ["remove", "free", "body"])
def test_a_lock_goes_with_its_joint(how):
    live = double_pendulum().live()
    live.advance(0.3)
    live.lock("elbow", joining="impulse")
    if how == "remove":
        live.remove("elbow")
    elif how == "free":
        live.free("lower")
    else:
        live.remove("lower", dependants=True)
    assert [*live.mechanism.joints] == ["pivot"]
    live.advance(0.1)
    live.undo()
    assert [*live.mechanism.joints] == ["pivot", "elbow", "lock elbow"]
    live.advance(0.1)


def test_a_retyped_joint_keeps_the_motion():
    live = double_pendulum(planar=False).live()
    live.advance(0.4)
    x, v = live["lower"].position, live["lower"].velocity
    live.replace("elbow", bl.Spherical())
    assert np.array_equal(live["lower"].position, x)
    assert np.array_equal(live["lower"].velocity, v)
    live.advance(0.3)
    run = live.result()
    assert np.abs(run.energy.error).max() < 1e-8
    live.undo()
    live.advance(0.3)
    np.testing.assert_allclose(live["lower"].position, run["lower"].position[-1], atol=1e-7)  # a planar motion either way


@pytest.mark.parametrize(("planar", "kinds"), [(True, ("planar", "bar")), (False, ("spatial", "natural"))])
def test_other_coordinates_go_on_alike(planar, kinds):
    ends = []
    for changed in (False, True):
        live = double_pendulum(planar, kinds[0]).live()
        live.advance(0.4)
        if changed:
            live.replace("lower", coordinates=kinds[1])
            live.replace("upper", coordinates=kinds[1])
        live.advance(0.4)
        ends.append(np.concatenate([live["lower"].position, live["lower"].velocity]))
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-7)


def test_a_heavier_body_keeps_its_velocity_and_its_energy_is_booked():
    live = double_pendulum().live()
    live.advance(0.4)
    v = live["lower"].velocity
    live.set("lower", mass=3.0)
    assert np.array_equal(live["lower"].velocity, v)
    live.advance(0.4)
    run = live.result()
    assert run.energy.by_edit["set lower"] != 0.0
    assert np.abs(run.energy.error).max() < 1e-8


def test_a_transaction_is_whole_or_not_at_all():
    live = double_pendulum().live()
    live.advance(0.2)
    before, m = bits(live), live.mechanism.copy()
    with pytest.raises(DescriptionError), live.edit():
        live.remove("elbow")
        live.add_body("ball", bl.sphere(0.1, mass=1.0))
        live.set("ball", mass=-1.0)
    assert bits(live) == before
    assert live.mechanism == m
    with live.edit("swap"):
        live.remove("elbow")
        live.add_body("ball", bl.sphere(0.1, mass=1.0), position=live["lower"].position)
        live.add_joint("socket", bl.Pin(), "ball", "lower", at=live["lower"].position)
    assert set(live.mechanism.bodies) == {"upper", "lower", "ball"}
    live.advance(0.2)
    assert live.undo() == "swap"
    assert bits(live) == before


def test_step_takes_single_steps():
    live = double_pendulum().live(bl.Central(integrator="rk4", step=1e-3))
    live.step()
    assert live.time == pytest.approx(1e-3)
    live.step(9)
    assert live.time == pytest.approx(1e-2)
    live = double_pendulum().live()
    live.step(3)
    assert live.time > 0
    with pytest.raises(DescriptionError):
        live.step(0)


@pytest.mark.parametrize("later", [0.0, 1e-15, 1e-13, 1e-10, 1e-7])
@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("solver", [*SOLVERS.values(), bl.Central(integrator="hht", step=1e-3)], ids=[*SOLVERS, "hht"])
def test_two_stops_an_instant_apart(solver, planar, later):
    """Between them there is a step that is shorter than others by many orders; it costs no more than steps of the usual length do."""

    def ends(solver, *stops):
        live = double_pendulum(planar).live(solver)
        for time in (*stops, 0.2):
            live.advance_to(time)
        return np.concatenate([live["lower"].position, live["lower"].velocity])

    exact = ends(bl.Recursive(rtol=1e-12, atol=1e-13))
    usual = ends(solver, 0.1)
    error = max(np.abs(usual - exact).max(), 1e-9)  # of adaptive steps and RK4: of rtol at most
    assert np.abs(ends(solver, 0.1, np.nextafter(0.1, 1.0) + later) - usual).max() <= error


def test_the_described_present_simulates_on():
    live = double_pendulum(planar=False).live()
    live.advance(0.5)
    live.add_body("extra", bl.sphere(0.1, mass=0.3), position=live["lower"].point((0.5, 0, 0)).position)
    live.add_joint("ball", bl.Spherical(), "lower", "extra", at=live["extra"].position)
    live.settle()
    m = live.describe()
    run = m.simulate(0.3, samples=2)
    live.advance(0.3)
    np.testing.assert_allclose(run["extra"].position[-1], live["extra"].position, atol=1e-7)


def test_a_closing_through_impossible_positions_stops():
    """The ramp leads through the ring that the shorter arm cannot reach: the session stops before it, and the joint can be undone."""
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("upper", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("lower", bl.rod((1, 0), (1.3, 0.3), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
    live = m.live()
    live.advance(0.1)
    live.add_joint("far", bl.Pin(), "ground", "lower", at_a=(-1.2, -0.3), at_b=(np.hypot(0.3, 0.3) / 2, 0))
    with pytest.raises(bl.errors.SimulationError, match=r"Closing 'far' gently leads through positions.*undo the joint"):
        live.settle()
    assert live["elbow"].violation < 1e-6
    live.undo()
    assert live.time == pytest.approx(0.1)
    live.advance(0.1)


def test_a_joint_retyped_to_a_weld_holds_the_bodies_as_they_stand():
    for planar, weld in ((True, bl.Rigid()), (False, bl.Fixed())):
        live = double_pendulum(planar).live()
        live.advance(0.4)
        live.replace("elbow", weld, joining="impulse")
        assert live.last_edit[0].gap < 1e-9
        turned = live["lower"].rotation.T @ live["upper"].rotation
        live.advance(0.4)
        np.testing.assert_allclose(live["lower"].rotation.T @ live["upper"].rotation, turned, atol=1e-8)
        assert np.abs(live.result().energy.error).max() < 1e-7


def test_a_stretched_arm_reaches_a_target_it_can_reach():
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("upper", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("lower", bl.rod((1, 0), (1.4, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
    live = m.live()
    with live.edit():
        live.teleport("lower", orientation=0.3, position=(1 + 0.2 * np.cos(0.3), 0.2 * np.sin(0.3)))
        live.add_joint("hold", bl.Pin(), "ground", "lower", at_a=(1.2, 0.1), at_b=(0.2, 0))
    live.settle()
    assert live["hold"].violation < 1e-9
