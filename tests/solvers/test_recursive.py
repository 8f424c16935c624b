"""The recursive solver: its order, agreement with the central solver in motion and reactions, what is kept, bits, refusals."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

import bielle as bl
from bielle import examples
from bielle.errors import DescriptionError, NamingError, SimulationError
from bielle.examples import n_four_bar, rolling_disc
from bielle.mechanism import registry
from bielle.model import compile_mechanism
from bielle.validation.n_four_bar_a02 import build as n_four_bars

from ..live.test_every_kind import body_kinds, pairs, samples, shape, two_bodies
from ..recursive.linkages import bricard, four_bar, spatial_four_bar, stewart_platform
from .models import double_pendulum, double_pendulum_reference, spatial_pendulum, tip
from .test_modular import driven, mixed_chain, sprung
from .test_orders import measured_order
from .test_random_mechanisms import few, mechanisms

SHARP = {"rtol": 1e-11, "atol": 1e-13}


def named(make):
    return make.__name__


def where(make):
    """A name for a mechanism that is called ``build`` like others; none for numbers."""
    return f"{make.__module__.rpartition('.')[2]}-{make.__name__}" if callable(make) else ""


def bar_pendulum():
    return double_pendulum("bar")


def natural_pendulum():
    return spatial_pendulum("natural")


def ball_and_free_body():
    """Two bodies on a ball and a cross, tied by a spring to one that flies; nothing here has an angle for its coordinate alone."""
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    m.add_body("a", bl.box((0.5, 0.1, 0.2), mass=1.0), position=(0.25, 0, 0), angular_velocity=(0.5, 1, 0.3))
    m.add_body("b", bl.box((0.5, 0.1, 0.2), mass=2.0), position=(0.75, 0, 0))
    m.add_body("free", bl.box((0.3, 0.2, 0.1), mass=1.5), position=(1, 1, 0), velocity=(1, 0, 2), angular_velocity=(1, 2, 5))
    m.add_joint("ball", bl.Spherical(), m.ground, "a", at=(0, 0, 0))
    m.add_joint("cross", bl.Universal(axis_a="y", axis_b="z"), "a", "b", at=(0.5, 0, 0))
    m.add_force("spring", bl.Spring(stiffness=20.0, length=0.5), "b", "free", at_a=(0.25, 0, 0), at_b=(0.1, 0.1, 0))
    return m


def ladder():
    return n_four_bar.build(40)


def platform():
    return stewart_platform((0.2, -0.3, 1.0))


def screws():
    """Motions of trees that other mechanisms here do not have: screw, cylinder, plane; and a joint described backwards."""
    m = bl.Mechanism(gravity=(1.0, -2.0, -9.0))
    kinds = (bl.Helical(axis=(0, 1, 2), pitch=0.4), bl.Cylindrical(axis="x"), bl.Planar(axis=(0, 1, 1)), bl.Prismatic(axis="y"))
    for i, kind in enumerate(kinds):
        m.add_body(f"b{i}", bl.box((0.4, 0.1, 0.2), mass=1.0 + i), position=(0.4 * i, 0.1, 0), orientation=(1, 0.1 * i, 0.3, 0))
        ends = (f"b{i - 1}" if i else "ground", f"b{i}")
        m.add_joint(f"j{i}", kind, *(ends if i != 1 else ends[::-1]), at=(0.4 * i - 0.2, 0, 0))
    return m


def motions(run):
    """Positions of all centres, rotations of all bodies."""
    return np.concatenate([np.concatenate([run[n].centre.position, run[n].rotation.reshape(len(run), -1)], axis=1) for n in bodies(run)], 1)


def bodies(run):
    return run.mechanism.bodies


# -- order

ORDERS = [(double_pendulum, 1.0), (ball_and_free_body, 0.5), (four_bar, 1.0), (spatial_four_bar, 0.2), (driven, 1.0)]
ORDERS += [(rolling_disc.build, 0.5), (sprung, 1.0), (mixed_chain, 0.5), (screws, 0.5)]


@pytest.mark.parametrize(("make", "duration"), ORDERS, ids=where)
@pytest.mark.parametrize("loops", ["projected", "stabilised"])
def test_errors_of_rk4_fall_by_sixteen(make, duration, loops):
    exact = motions(make().simulate(duration, bl.Recursive(rtol=1e-13, atol=1e-15), samples=2))[-1]
    steps = (2e-3, 1e-3)
    errors = []
    for step in steps:
        # ω h must be small for the stabilised equations to be in their asymptotic range
        run = make().simulate(
            duration, bl.Recursive("rk4", step=step, loops=loops, **({"omega": 10.0} if loops == "stabilised" else {})), samples=2
        )
        errors.append(np.abs(motions(run)[-1] - exact).max())
    assert errors[-1] > 1e-12  # rounding is smaller than what is measured
    assert measured_order(errors, steps) > 0.9 * 4


def test_the_reference_is_met():
    run = double_pendulum().simulate(5.0, bl.Recursive())
    assert np.abs(tip(run) - double_pendulum_reference(5.0, 501)).max() <= 1e-6
    assert np.abs(run.energy.error).max() <= 1e-8


@pytest.mark.parametrize("make", [four_bar, ball_and_free_body, driven], ids=named)
def test_tolerances_are_followed(make):
    exact = motions(make().simulate(1.0, bl.Recursive(rtol=1e-13, atol=1e-15), samples=2))[-1]
    errors = []
    for rtol in (1e-5, 1e-7):
        run = make().simulate(1.0, bl.Recursive(rtol=rtol, atol=1e-2 * rtol), samples=2)
        errors.append(np.abs(motions(run)[-1] - exact).max())
        assert errors[-1] < 10 * rtol  # of motions that are of order one, grow little, and take a few dozen steps
    assert errors[1] < 0.1 * errors[0]


# -- agreement with the central solver

# how many times the tolerance the motions may differ: some dozen steps may each err by it
AGREEMENT = [(four_bar, 2.0, 10), (ladder, 0.5, 10), (platform, 1.0, 10), (spatial_four_bar, 0.2, 10), (mixed_chain, 1.0, 10)]
AGREEMENT += [(bar_pendulum, 2.0, 10), (natural_pendulum, 2.0, 10), (ball_and_free_body, 1.0, 10), (screws, 1.0, 10), (driven, 2.0, 10)]
AGREEMENT += [(sprung, 2.0, 10), (rolling_disc.build, 2.0, 10)]
AGREEMENT += [(bricard, 2.0, 60)]  # its 60 steps lead through narrow turns: all of their errors add up


@pytest.mark.parametrize(("make", "duration", "times"), AGREEMENT, ids=where)
def test_motions_are_those_of_the_central_solver(make, duration, times):
    m = make()
    one, other = m.simulate(duration, bl.Central(), samples=21), m.simulate(duration, bl.Recursive(), samples=21)
    size = 1.0 + np.abs(motions(one)).max()
    assert np.abs(motions(one) - motions(other)).max() <= times * 1e-9 * size
    assert other.violation.max() <= 1e-9
    assert other.velocity_violation.max() <= 1e-8 * (1.0 + max(np.abs(other[n].velocity).max() for n in m.bodies))
    assert np.abs(other.energy.error).max() <= times * 1e-9
    for name in m.bodies:
        a, b = one[name], other[name]
        for x, y in ((a.velocity, b.velocity), (a.acceleration, b.acceleration), (a.angular_velocity, b.angular_velocity)):
            assert np.abs(x - y).max() <= 10 * times * 1e-9 * (1.0 + np.abs(x).max())


@pytest.mark.parametrize("gravity", [(0, 0, 0), (3.0, -4.0, 5.0)], ids=["none", "askew"])
def test_gravity_may_be_any(gravity):
    m = spatial_four_bar()
    m.gravity = gravity
    m.add_force("push", bl.PointForce(force=(0.0, 3.0, 0.0)), "coupler", at=(0, 0, 0))
    one, other = (m.simulate(0.2, solver, samples=11) for solver in (bl.Central(), bl.Recursive()))
    assert np.abs(motions(one) - motions(other)).max() <= 1e-8


def with_force(kind, dim, coordinates, in_joint):
    m = two_bodies(dim, *coordinates)
    m.add_joint("hinge", bl.Pin() if dim == 2 else bl.Revolute(axis=(1.0, 2.0, 2.0)), "a", "b", at=(0.5, 0.4, 0.2)[:dim])
    if in_joint:
        m.add_force("f", kind, joint="hinge")
    elif kind.attachment == "one":
        m.add_force("f", kind, "b", at_a=(0.1, 0.3, 0.1)[:dim])
    else:
        m.add_force("f", kind, "a", "b", at_a=(0.1, 0.3, 0.1)[:dim], at_b=(0.2, 0.3, 0.2)[:dim])
    return m


@pytest.mark.parametrize(("kind", "dim"), samples(registry.forces))
def test_every_force_does_what_it_does_with_the_central_solver(kind, dim):
    """Laws that are not smooth are stepped over differently: to what is left of their tolerance there."""
    for coordinates in [pair for pair in pairs(kind, dim) if pair[0] != pair[1]]:
        for in_joint in {"joint": (True,), "any": (True, False)}.get(kind.attachment, (False,)):
            m = with_force(kind, dim, coordinates, in_joint)
            one, other = (m.simulate(0.1, solver, samples=6) for solver in (bl.Central(**SHARP), bl.Recursive(**SHARP)))
            assert np.abs(motions(one) - motions(other)).max() <= 1e-9 * (1.0 + np.abs(motions(one)).max())
            for x, y in zip((one["f"].efforts, one["f"].power), (other["f"].efforts, other["f"].power)):
                assert np.abs(x - y).max() <= 1e-7 * (1.0 + np.abs(x).max())
            assert np.abs(other.energy.error).max() <= 1e-7


def five_bar(kind, dim, coordinates):
    """Bodies a, b, c in a ring with the ground: c and a hang on the ground, b on c; the joint 'j' between a and b is left over."""
    m = bl.Mechanism(gravity=(1.0, -9.0, 2.0)[:dim], plane="xy" if dim == 2 else None)
    ball, places = bl.Pin() if dim == 2 else bl.Spherical(), {"c": (1.5, 0, 0), "b": (1.0, 1.0, 0.2), "a": (0, 0, 0)}
    turns = (0.5, -0.3, 0.2) if dim == 2 else ((0.5, -0.2, 0.4), (-0.3, 0.6, 0.2), (0.1, 0.2, -0.4))
    for (name, place), turn, kind_of_body in zip(places.items(), turns, coordinates):
        m.add_body(name, shape(dim, 1.0), position=place[:dim], angular_velocity=turn, coordinates=kind_of_body)
    m.add_joint("right", ball, "ground", "c", at=(1.6, -0.4, 0.1)[:dim])
    m.add_joint("left", ball, "ground", "a", at=(0, -0.4, 0.1)[:dim])
    m.add_joint("top", ball, "c", "b", at=(1.4, 0.6, 0.1)[:dim])
    m.add_joint("j", kind, "a", "b", at_a=(0.3, 0.2, 0.1)[:dim], at_b=(-0.3, -0.1, 0.2)[:dim])
    return m


def compare_reactions(m, duration):
    """Of all joints, in all axes, on either body; moments about the points of either."""
    one, other = (m.simulate(duration, solver, samples=4) for solver in (bl.Central(**SHARP), bl.Recursive(**SHARP)))
    assert np.abs(motions(one) - motions(other)).max() <= 1e-9 * (1.0 + np.abs(motions(one)).max())
    close = {"rtol": 0, "atol": 1e-8 * (1.0 + max(np.abs(one[n].force()).max() for n in m.joints))}
    for name, joint in m.joints.items():
        for on in {joint.a, joint.b} - {"ground"}:
            for axes in ("world", "body", "joint", "b"):
                np.testing.assert_allclose(other[name].force(on, axes), one[name].force(on, axes), **close)
                np.testing.assert_allclose(other[name].moment(on, axes), one[name].moment(on, axes), **close)
        np.testing.assert_allclose(other[name].multipliers, one[name].multipliers, **close)
        np.testing.assert_allclose(other[name].efforts, one[name].efforts, **close)
    assert other.violation.max() <= 1e-9


BETWEEN_BODIES = [p for p in samples(registry.joints) if p.values[0].attachment == "bodies"]  # gears have tests of their own


@pytest.mark.parametrize(("kind", "dim"), BETWEEN_BODIES)
def test_reactions_of_every_joint_in_a_tree_or_on_the_ground(kind, dim):
    for (a, b), ends in zip([pair for pair in pairs(kind, dim) if pair[0] != pair[1]], (("a", "b"), ("b", "a"))):
        m = two_bodies(dim, a, b)
        m.add_joint("j", kind, *(ends if a is not None else ("ground", "b")), at_a=(0.3, 0.2, 0.1)[:dim], at_b=(-0.3, -0.1, 0.2)[:dim])
        assert m.recursive().loops == ([] if kind.motion is not None else ["j"])
        compare_reactions(m, 0.05)


@pytest.mark.parametrize(("kind", "dim"), [p for p in BETWEEN_BODIES if not p.values[0].grounded])
def test_reactions_of_every_joint_in_a_loop(kind, dim):
    one, other = body_kinds(dim)
    m = five_bar(kind, dim, (one, other, one))
    assert m.recursive().loops == ["j"]
    compare_reactions(m, 0.03)


@few
@given(mechanisms())
def test_random_mechanisms_move_as_the_central_solver_says(m):
    one, other = (m.simulate(0.2, solver, samples=5) for solver in (bl.Central(), bl.Recursive()))
    size = 1.0 + np.abs(motions(one)).max()
    # as between different coordinates of the central solver
    assert np.abs(motions(one) - motions(other)).max() <= 1e-6 * size
    assert other.violation.max() <= 1e-9
    scale = other.energy.scale + 1e-6 * np.abs(other.energy.gravitational).max()
    assert np.abs(other.energy.balance).max() < 1e-7 * scale


@pytest.mark.parametrize(("make", "duration"), [(four_bar, 1.0), (platform, 0.5), (spatial_four_bar, 0.2), (driven, 1.0)], ids=where)
def test_loops_are_closed_by_projection_however_coarse_the_steps(make, duration):
    """Positions and velocities: what is left has nothing to do with the error of the steps, but with when the projection is content."""
    run = make().simulate(duration, bl.Recursive("rk4", step=1e-2), samples=int(100 * duration) + 1)
    speed = 1.0 + max(np.abs(run[name].velocity).max() + np.abs(run[name].angular_velocity).max() for name in run.mechanism.bodies)
    assert run.violation.max() <= 1e-10
    assert run.velocity_violation.max() <= 1e-9 * speed


@pytest.mark.parametrize("rtol", [1e-12, 1e-13])
def test_flat_positions_take_no_more_energy_however_sharp_the_steps(rtol):
    """Forty windows pass two positions where every loop is singular.

    Rounding of the gaps, η = 40 · 2⁻⁵², is seen as η/s² in the velocities at a distance s [rad] from there. Joints are given up at
    s² ≈ 10⁻⁹, where that is 10⁻⁵ of them: half its square, twice.
    """
    run = n_four_bars(40).simulate(2.0, bl.Recursive(rtol=rtol, atol=rtol / 100), samples=3)
    assert np.abs(run.energy.error).max() <= 1e-10


def test_loops_may_be_stabilised():
    """They stay closed to what the steps err by, and the motion is the same."""
    for make, duration in ((four_bar, 2.0), (platform, 0.5), (driven, 1.0), (rolling_disc.build, 0.5)):
        run, exact = (make().simulate(duration, bl.Recursive(loops=loops), samples=21) for loops in ("stabilised", "projected"))
        assert np.abs(motions(run) - motions(exact)).max() <= 1e-7
        assert run.violation.max() <= 1e-8
        assert run.violation.max() > exact.violation.max()


def test_stabilised_loops_come_together_as_they_should():
    """φ̈ + 2ξω φ̇ + ω² φ = 0 with ξ = 1: from a gap at rest, φ = φ₀ (1 + ωt) exp(−ωt), whatever else goes on."""
    model, state = compile_mechanism(four_bar())
    state.q[model.bodies["rocker"].q][2] += 1e-2
    omega = 20.0
    run = bl.Recursive(loops="stabilised", omega=omega, rtol=1e-11).start(model, state)
    (loop,) = run.tree.loops
    equations, times, gaps = model.joints[loop].equations, np.linspace(0.0, 0.2, 5), []
    for time in times:
        run.go_to(max(time, 1e-9), 1.0, 1)
        while not run.done:
            run.advance(1000)
        assert run.ok
        run.workspace.evaluate()
        gaps.append(run.workspace.phi[equations].copy())
    assert np.abs(gaps[0]).max() > 1e-3
    expected = np.outer((1 + omega * times) * np.exp(-omega * times), gaps[0])
    assert np.abs(gaps - expected).max() <= 1e-9  # of which the first has got 1e-9 s


@pytest.mark.parametrize(
    ("make", "roots"),
    [
        (double_pendulum, ("upper", "lower", "ground")),
        (four_bar, ("crank", "coupler", "rocker")),
        (ball_and_free_body, ("a", "b", "free")),
        (screws, ("b1", "b3")),
        (spatial_four_bar, ("coupler",)),
        (driven, ("pendulum",)),
        (mixed_chain, ("b1",)),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_trees_may_grow_from_any_body(make, roots):
    """The motion and the reactions are the same; the joint that held the root closes a loop then."""
    exact = make().simulate(0.2, bl.Recursive(**SHARP), samples=5)
    for root in roots:
        run = make().simulate(0.2, bl.Recursive(root=root, **SHARP), samples=5)
        assert np.abs(motions(run) - motions(exact)).max() <= 1e-9
        assert run.violation.max() <= 1e-9
        for name in run.mechanism.joints:
            close = 1e-8 * (1.0 + np.abs(exact[name].force()).max())
            np.testing.assert_allclose(run[name].force(), exact[name].force(), rtol=0, atol=close)
            np.testing.assert_allclose(run[name].moment(), exact[name].moment(), rtol=0, atol=close)


# -- what is kept


def in_space(values, dim):
    """Vectors (n, 3); angular velocities of the plane are about z."""
    if dim == 3:
        return values
    return np.pad(values[:, None], ((0, 0), (2, 0))) if values.ndim == 1 else np.pad(values, ((0, 0), (0, 1)))


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_what_floats_freely_keeps_its_momentum(planar, closed):
    """A chain in a gravity-free room, or a ring; linear and angular momentum about the origin, and the centre's straight path."""
    dim = 2 if planar else 3
    m = bl.Mechanism(gravity=(0,) * dim, plane="xy" if planar else None)
    corners = np.array([(0, 0, 0), (1, 0, 0.2), (1.2, 0.9, -0.1), (0.3, 1.4, 0.3)])
    spin = 0.7 if planar else np.array([0.3, -0.5, 0.7])
    axis = np.array([0, 0, 0.7]) if planar else spin
    for k in range(4):
        ends = corners[k], corners[(k + 1) % 4]
        middle = 0.5 * (ends[0] + ends[1])
        velocity = np.cross(axis, middle) + np.array([1.0, -0.4, 0.3])
        shape_ = bl.rod(ends[0][:dim], ends[1][:dim], mass=1.0 + k) if planar else bl.rod(*ends, mass=1.0 + k, radius=0.05)
        m.add_body(f"b{k}", shape_, velocity=velocity[:dim], angular_velocity=spin)
    for k in range(1, 5 if closed else 4):
        ball = bl.Pin() if planar else bl.Spherical()
        m.add_joint(f"j{k}", ball, f"b{k - 1}", f"b{k % 4}", at=corners[k % 4][:dim])
    m.add_force("spring", bl.Spring(stiffness=30.0, length=0.4), "b0", "b2", at_a=(0.1, 0, 0)[:dim], at_b=(0, 0.1, 0)[:dim])
    run = m.simulate(2.0, bl.Recursive(), samples=21)
    linear, angular, centre, total = 0.0, 0.0, 0.0, 0.0
    for name, body in m.bodies.items():
        p, b = body.shape.mass_properties(), run[name]
        x, u, w = (in_space(v, dim) for v in (b.centre.position, b.centre.velocity, b.angular_velocity))
        linear, centre, total = linear + p.mass * u, centre + p.mass * x, total + p.mass
        angular = angular + np.cross(x, p.mass * u) + np.einsum("nij,jk,nlk,nl->ni", b.rotation, p.inertia, b.rotation, w)
    # bodies err by the tolerance each, as the joints between them do; a dozen of these
    assert np.abs(linear - linear[0]).max() <= 1e-8 * (1 + np.abs(linear).max())
    assert np.abs(angular - angular[0]).max() <= 1e-8 * (1 + np.abs(angular).max())
    assert np.abs(centre - centre[0] - linear[0] * run.time[:, None]).max() / total <= 1e-8
    assert np.abs(run.energy.error).max() <= 1e-8


def test_bodies_that_nothing_holds_fall_together_with_those_that_hang():
    m = double_pendulum()
    m.add_body("stone", bl.disc(0.1, mass=1.0), position=(3, 0), velocity=(1, 2), angular_velocity=4.0)
    run = m.simulate(1.0, bl.Recursive(), samples=11)
    t = run.time[:, None]
    assert np.abs(run["stone"].position - ([3, 0] + t * [1, 2] - [0, 9.81 / 2] * t**2)).max() <= 1e-12
    assert np.abs(run["stone"].orientation - 4.0 * run.time).max() <= 1e-12
    assert np.abs(tip(run) - double_pendulum_reference(1.0, 11)).max() <= 1e-8


def test_angles_go_on_beyond_a_turn():
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("wheel", bl.disc(0.5, mass=1.0), angular_velocity=20.0)
    m.add_joint("axle", bl.Pin(), m.ground, "wheel", at=(0, 0))
    for solver in (bl.Recursive(), bl.Recursive("rk4", step=1e-3)):
        run = m.simulate(3.0, solver, samples=11)
        assert np.abs(run["wheel"].orientation - 20.0 * run.time).max() <= 1e-11
    assert run.samples["q"][-1][2] == pytest.approx(60.0, abs=1e-11)  # of steps that turn it by less than half a turn, in the state itself


@pytest.mark.parametrize("forced", [False, True], ids=["alone", "forced"])
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
def test_bits_do_not_depend_on_the_samples_where_steps_are_longer_than_turns(planar, forced):
    """Neither whole turns of angles nor signs of quaternions are counted from sample to sample."""
    dim = 2 if planar else 3
    m = bl.Mechanism(plane="xy" if planar else None, gravity=(0.0,) * dim)
    m.add_body("wheel", bl.disc(0.5, mass=1.0), angular_velocity=20.0 if planar else (0, 0, 20.0))
    m.add_body("other", bl.box((0.1, 0.2, 0.3)[:dim], mass=1.0), position=(1, 0, 0)[:dim], angular_velocity=1.0 if planar else (1, 2, 0.3))
    m.add_joint("axle", bl.Pin() if planar else bl.Revolute(axis="z"), m.ground, "wheel", at=(0, 0, 0)[:dim])
    if forced:
        m.add_force("push", bl.PointForce(force=(0.1, 0, 0)[:dim]), "other", at_a=(0, 0, 0)[:dim])
    ends = [m.simulate(3.0, bl.Recursive(), samples=n) for n in (2, 11, 300)]
    assert ends[0].info["statistics"]["steps"] < 3.0 * 20.0 / np.pi or not planar
    for run in ends[1:]:
        for name in ("q", "v", "a", "lam"):
            assert np.array_equal(run.samples[name][-1], ends[0].samples[name][-1]), name


def test_a_screw_goes_on_beyond_a_turn():
    """Its angle is told from how far it has come."""
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("nut", bl.box((0.1, 0.2, 0.3), mass=1.0), velocity=(0, 0, 0.05 * 30 / (2 * np.pi)), angular_velocity=(0, 0, 30.0))
    m.add_joint("thread", bl.Helical(axis="z", pitch=0.05), m.ground, "nut", at=(0, 0, 0))
    run = m.simulate(2.0, bl.Recursive(), samples=21)
    assert np.abs(run["nut"].position[:, 2] - 0.05 * 30 / (2 * np.pi) * run.time).max() <= 1e-12
    assert run.violation.max() <= 1e-12


# -- bits


def advanced(make, solver, duration, chunk, samples):
    """The state at the end, and the samples taken, when so many steps are asked for at a time."""
    model, state = compile_mechanism(make())
    run = solver.start(model, state)
    run.sample_at(np.linspace(0.0, duration, samples))
    while not run.done and run.ok:
        run.advance(chunk)
    assert run.ok
    return run


ENGINES = [bl.Recursive(), bl.Recursive("rk4", step=1e-3), bl.Recursive(loops="stabilised")]
every_engine = pytest.mark.parametrize("solver", ENGINES, ids=["adaptive", "rk4", "stabilised"])
BITS = pytest.mark.parametrize("make", [four_bar, ball_and_free_body, mixed_chain, screws, driven], ids=named)


def bits(run):
    state = run.workspace.state()
    return [getattr(state, name).tobytes() for name in ("q", "v", "work", "memory", "lam", "acc")], state.time, state.step


@every_engine
@BITS
def test_bits_do_not_depend_on_how_many_steps_are_asked_for_at_a_time(make, solver):
    one, other, third = (advanced(make, solver, 0.3, chunk, 7) for chunk in (1, 10**9, 7))
    for name, values in one.samples().items():
        assert np.array_equal(values, other.samples()[name]), name
        assert np.array_equal(values, third.samples()[name]), name
    assert bits(one) == bits(other) == bits(third)


@every_engine
@BITS
def test_bits_do_not_depend_on_the_samples(make, solver):
    few_, many = (make().simulate(0.3, solver, samples=n) for n in (2, 61))
    for name in ("q", "v", "a", "lam", "work"):
        assert np.array_equal(few_.samples[name][-1], many.samples[name][-1]), name


@every_engine
@BITS
def test_a_checkpoint_is_come_back_to_bit_by_bit(make, solver):
    model, state = compile_mechanism(make())
    run = solver.start(model, state)
    run.sample_at(np.linspace(0.0, 0.3, 4))
    run.advance(3)
    kept, there = run.checkpoint(), bits(run)
    run.advance(4)
    ahead = bits(run)
    run.refresh()
    run.advance(2)
    run.rewind(kept)
    assert bits(run) == there
    run.advance(4)
    assert bits(run) == ahead


@every_engine
@BITS
def test_the_first_sample_is_the_state_itself(make, solver):
    """And not what is left of it on its way through joint coordinates; at the start, and where a run goes on."""
    model, state = compile_mechanism(make())
    run = solver.start(model, state)
    for end in (0.1, 0.2):
        q, v = run.workspace.q[: model.nq].copy(), run.workspace.v[: model.nv].copy()
        run.sample_at(np.array([run.time, end]))
        while not run.done and run.ok:
            run.advance(100)
        assert np.array_equal(run.samples()["q"][0], q)
        assert np.array_equal(run.samples()["v"][0], v)


@BITS
def test_looking_does_not_disturb(make):
    """Accelerations of the present state are asked for by everybody: the state is left as it is."""
    runs = []
    for looking in (False, True):
        model, state = compile_mechanism(make())
        run = bl.Recursive().start(model, state)
        run.sample_at(np.linspace(0.0, 0.3, 4))
        for _ in range(6):
            if looking:
                before = bits(run)[0][:2]
                run.refresh()
                run.present()
                assert bits(run)[0][:2] == before
            run.advance(1)
        runs.append(run)
    assert bits(runs[0])[0][:4] == bits(runs[1])[0][:4]


@pytest.mark.parametrize("make", [four_bar, ball_and_free_body, platform, mixed_chain, screws, driven], ids=named)
def test_accelerations_and_multipliers_are_right_wherever_they_are_asked_for(make):
    """M v̇ = f + Jᵀλ of the bodies, and φ̈ = 0: in the coordinates of the central solver, at a state under way."""
    run = advanced(make, bl.Recursive(), 0.1, 100, 2)
    w, model = run.workspace, run.model
    run.refresh()
    names = [*model.joints]
    rows = np.r_[tuple(model.joints[n].equations for n in names)]
    M, J = w.mass_matrix(), w.jacobian()
    a, lam = w.acc[: model.nv], w.lam[: model.nc]
    balance = M @ a - w.force[: model.nv] - J[rows].T @ lam[rows]
    internal = np.r_[tuple(r.equations for r in model.internal)] if model.internal else np.zeros(0, dtype=int)
    if len(internal):  # efforts inside a body are not looked for: whatever they are, they explain the rest
        balance -= J[internal].T @ np.linalg.lstsq(J[internal].T, balance, rcond=None)[0]
    assert np.abs(balance).max() <= 1e-9 * (1.0 + np.abs(J.T @ lam).max())
    assert np.abs(J @ a + w.gamma[: model.nc]).max() <= 1e-8 * (1.0 + np.abs(w.gamma[: model.nc]).max())


# -- examples

EXAMPLES = [name for name in examples.names() if not isinstance(examples.get(name).solver(), bl.Modular)]  # those are about that solver
# a check that cannot hold: which of two equal pins breaks first is up to rounding
TIES = {"breaking_bridge": "the same pins break with another integrator ="}


def instead_of(solver):
    """With the accuracy that an example asks for."""
    if solver is None:
        return bl.Recursive()
    if solver.integrator == "rk4":
        return bl.Recursive("rk4", step=solver.step)
    return bl.Recursive(rtol=solver.rtol, atol=solver.atol, max_step=solver.max_step)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_hold_with_it(name):
    example = examples.get(name)
    result = examples.simulate(SimpleNamespace(**vars(example) | {"solver": lambda: instead_of(example.solver())}))
    checks = example.check(result)
    assert name not in TIES or TIES[name] in [check.name for check in checks]
    assert [str(check) for check in checks if not check.ok and check.name != TIES.get(name)] == []


# -- what cannot be


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"integrator": "rk45"}, NamingError, "integrator named 'rk45'. Did you mean 'rk4'"),
        ({"integrator": "newmark", "step": 1e-3}, NamingError, "no integrator named 'newmark'.*adaptive.*rk4"),
        ({"loops": "projektd"}, NamingError, "way to close loops named 'projektd'. Did you mean 'projected'"),
        ({"integrator": "rk4"}, DescriptionError, r"'rk4' needs a step: Recursive\(…, step=1e-3\)"),
        ({"integrator": "rk4", "step": -1e-3}, DescriptionError, "step must be a positive number of seconds, got -0.001"),
        ({"integrator": "rk4", "step": 0.0}, DescriptionError, "step must be a positive number of seconds, got 0.0"),
        ({"integrator": "rk4", "step": np.nan}, DescriptionError, "step must be a positive number of seconds, got nan"),
        ({"integrator": "rk4", "step": np.inf}, DescriptionError, "step must be a positive number of seconds, got inf"),
        ({"step": 1e-3}, DescriptionError, "chooses its steps itself: give rtol and atol"),
        ({"rtol": 0.0}, DescriptionError, "rtol must be between 1e-14 and 1, got 0.0"),
        ({"rtol": 2.0}, DescriptionError, "rtol must be between"),
        ({"rtol": np.nan}, DescriptionError, "rtol must be between"),
        ({"atol": 0.0}, DescriptionError, "atol must be positive, got 0.0"),
        ({"max_step": -1.0}, DescriptionError, "max_step must be positive, got -1.0"),
        ({"omega": -1.0}, DescriptionError, "omega must be between 0 and inf"),
        ({"xi": -1.0}, DescriptionError, "xi must be between"),
    ],
    ids=str,
)
def test_wrong_settings(options, error, words):
    with pytest.raises(error, match=words):
        bl.Recursive(**options)


def test_an_unknown_root_is_named_with_the_nearest():
    with pytest.raises(NamingError, match="no body named 'uper'. Did you mean 'upper'"):
        double_pendulum().simulate(0.1, bl.Recursive(root="uper"))
    with pytest.raises(NamingError, match="no body named 'uper'. Did you mean 'upper'"):
        double_pendulum().live(bl.Recursive(root="uper"))


def test_what_is_no_solver_is_refused():
    for wrong in (bl.Recursive, 3):
        with pytest.raises(DescriptionError, match=r"made by bielle\.Central.*bielle\.Recursive"):
            double_pendulum().simulate(0.1, wrong)


def test_a_step_that_is_too_long_for_the_run():
    with pytest.raises(DescriptionError, match="longer than the duration"):
        double_pendulum().simulate(1.0, bl.Recursive("rk4", step=2.0))


def test_what_diverges_keeps_what_was_computed():
    m = bl.Mechanism(plane="xy")
    m.add_body("mass", bl.disc(0.1, mass=1e-3), position=(1.1, 0))
    m.add_force("stiff", bl.Spring(stiffness=1e9, length=1.0), m.ground, "mass", at_a=(0, 0), at_b=(0, 0))
    with pytest.raises(SimulationError, match=r"body 'mass'.*smaller step") as caught:
        m.simulate(10.0, bl.Recursive("rk4", step=1e-2), samples=1001)
    assert len(caught.value.result) >= 1


def test_a_position_the_joints_do_not_allow_is_told():
    """A crank is driven beyond where its rod can follow."""
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    elbow = (np.cos(0.2), np.sin(0.2))
    end = (elbow[0] + np.sqrt(0.8**2 - elbow[1] ** 2), 0.0)
    m.add_body("crank", bl.rod((0, 0), elbow, mass=1.0))
    m.add_body("rod", bl.rod(elbow, end, mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "crank", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "crank", "rod", at=elbow)
    m.add_joint("end", bl.PinInSlot(direction="x"), "ground", "rod", at=end)
    m.add_joint("drive", bl.ImposedRotation(angle=bl.Polynomial([0.0, 1.0])), "ground", "crank", at=(0, 0))
    with pytest.raises(SimulationError, match="imposed motion of .drive. leads to a position") as caught:
        m.simulate(3.0, bl.Recursive(), samples=301)
    assert np.arcsin(0.8) - 0.2 - 0.02 < caught.value.result.time[-1] < np.arcsin(0.8) - 0.2 + 1e-3
    assert caught.value.result.violation.max() <= 1e-9


@pytest.fixture
def foreign_kind():
    """A kind of body coordinates that somebody has written before there were frames; forgotten afterwards."""
    known = dict(registry.bodies)
    kind = type("Foreign", (registry.bodies["spatial"],), {"name": "foreign", "observe": None, "settle": None, "follow": None})
    registry.bodies["foreign"] = kind
    yield
    registry.bodies.clear()
    registry.bodies.update(known)


def test_a_kind_of_body_without_frames_is_refused_by_name(foreign_kind):
    m = bl.Mechanism()
    m.add_body("robot arm", bl.box((1, 1, 1), mass=1.0), coordinates="foreign")
    m.simulate(0.01, bl.Central())
    words = r"Body 'robot arm' has foreign coordinates.*Leave out coordinates=….*central or the modular"
    with pytest.raises(DescriptionError, match=words):
        m.simulate(0.01, bl.Recursive())
    with pytest.raises(DescriptionError, match=words):
        m.live(bl.Recursive())
