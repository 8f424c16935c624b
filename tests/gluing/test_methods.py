"""Glued components move as the whole mechanism does: T–T, X–X, X–T, chains, loops, stars, in the plane and in space."""

import numpy as np
import pytest

import bielle as bl
from bielle.examples import double_pendulum

from .models import G, LedMass, Mass, cut, pendulum, place, rods

PRECISE = bl.Central(rtol=1e-12, atol=1e-13)
ELL = rods([(0, 0), (1, 0), (1, -1), (0.2, -1.5)])  # a chain of three, hanging from the ground
TUMBLING = rods([(0, 0), (1, 0), (1, -1)], pinned=False, spins=(3.0, -4.0), through=1)  # thrown


def errors_of(whole, groups, steps, duration, tolerance=1e-12, **options):
    """Largest distances of a body from where it is in the whole mechanism, integrated to twelve digits, and the glued runs."""
    exact = place(whole.simulate(duration, PRECISE, samples=2), whole, glued=False)
    runs = [cut(whole, groups, step=step, tolerance=tolerance, **options).simulate(duration) for step in steps]
    return [float(np.linalg.norm(place(run, whole) - exact, axis=1).max()) for run in runs], runs


def order(errors, steps):
    return np.log(errors[-2] / errors[-1]) / np.log(steps[-2] / steps[-1])


CUTS = {
    "T–T": (double_pendulum.build(), {"left": ("upper",), "right": ("lower",)}, {}),
    "X–T": (double_pendulum.build(), {"left": ("upper",), "right": ("lower",)}, {"right": "motion"}),
    "X–X": (TUMBLING, {"left": ("rod 0",), "right": ("rod 1",)}, {"left": "motion", "right": "motion"}),
}


@pytest.mark.parametrize("method", CUTS)
def test_methods_are_of_fourth_order_with_precise_parts(method):
    whole, groups, accepts = CUTS[method]
    steps = (0.02, 0.01)
    errors, runs = errors_of(whole, groups, steps, 0.6, accepts=accepts)
    assert order(errors, steps) > 0.9 * 4  # an order is a limit: a tenth of it is left to the steps being finite
    for run in runs:
        joint = next(iter(run.joints.values()))
        assert joint.gap.max() <= np.sqrt(2) * 1e-12  # of two coordinates within the tolerance each
        assert joint.velocity_gap.max() <= np.sqrt(2) * 1e-12 / run.info["step"]


@pytest.mark.parametrize(("integrator", "expected"), [("rk4", 4), ("newmark", 2), ("hht", 2), ("generalized-alpha", 2), ("modular", 2)])
@pytest.mark.parametrize("accepts", ["force", "motion"])
def test_order_is_that_of_the_integrators_if_it_is_less(integrator, expected, accepts):
    whole, groups, _ = CUTS["T–T"]
    steps = (0.02, 0.01)
    # one step, or two, for each of the glue's
    solver = bl.Modular(step=1.0) if integrator == "modular" else bl.Central(integrator=integrator, step=1.0)
    errors, _ = errors_of(whole, groups, steps, 0.3, accepts={"right": accepts}, solver=solver)
    assert order(errors, steps) > 0.9 * expected


@pytest.mark.parametrize("accepts", ["force", "motion"])
def test_forces_are_those_of_the_whole(accepts):
    """To fourth order where steps meet. A straight line leaves out F'' h²/12 at its ends, and there is but one at the start and the end."""
    exact = double_pendulum.build().simulate(1.0, PRECISE, samples=51)["elbow"].force(on="lower")
    curvature = np.abs(np.diff(exact, 2, axis=0)).max() / 0.02**2
    errors, steps = [], (0.02, 0.01)
    for step in steps:
        run = pendulum(step=step, tolerance=1e-12, accepts={"right": accepts}).simulate(1.0, samples=51)
        error = np.abs(run["elbow"].force(on="right") - exact).max(axis=1)
        errors.append(error[1:-1].max())
        assert error[[0, -1]].max() < 2 * curvature * step**2 / 12  # twice, for the curvature is taken from samples
        # newton's third law: exact for T–T; for X–T what 1e-12 m of a motion of 1½ kg makes, at either end of the step, in two coordinates
        assert run["elbow"].imbalance.max() <= (0.0 if accepts == "force" else 2 * np.sqrt(2) * 6 * 1.5 * 1e-12 / step**2)
        assert run["elbow"].force() is run["elbow"].force(on="right")
    assert order(errors, steps) > 0.9 * 4


def test_energy_is_conserved_to_the_same_order():
    """What one part loses the other gains, but for the gap that opens within a step and is closed at its end."""
    errors = []
    for step in (0.02, 0.01):
        run = pendulum(step=step, tolerance=1e-12).simulate(1.0)
        left, right = run["left"].energy, run["right"].energy
        for part in (left, right):  # each with the work of the force at its port: the tolerance of its integrator, at every step
            assert np.abs(part.error).max() < 1.0 / step * 1e-9
        total = left.mechanical + right.mechanical
        errors.append(np.abs(total - total[0]).max())
    assert np.log2(errors[0] / errors[1]) > 0.9 * 4


def test_gaps_do_not_build_up():
    """Not even with an integrator and steps that are much too coarse for the motion."""
    run = pendulum(step=0.04, solver=bl.Central(integrator="rk4", step=0.04)).simulate(6.0)
    assert run["elbow"].gap.max() <= np.sqrt(2) * 1e-10
    assert run["elbow"].velocity_gap.max() <= np.sqrt(2) * 1e-10 / 0.04


CHAIN = {"a": ("rod 0",), "b": ("rod 1",), "c": ("rod 2",)}


@pytest.mark.parametrize("last", ["force", "motion"])
def test_three_components_in_a_chain(last):
    steps = (0.02, 0.01)
    errors, runs = errors_of(ELL, CHAIN, steps, 0.6, accepts={"c": last})
    assert order(errors, steps) > 0.9 * 4
    assert set(runs[0].joints) == {"p1", "p2"}


def test_a_loop_through_three_components_and_the_ground():
    whole = rods([(0, 0), (0.3, 0), (1.2, 0.5), (0.9, 0)])
    whole.add_joint("D", bl.Pin(), whole.ground, "rod 2", at=(0.9, 0))
    steps = (0.01, 0.005)
    errors, _ = errors_of(whole, CHAIN, steps, 0.5)
    assert order(errors, steps) > 0.9 * 4


def test_a_loop_of_components_in_free_flight():
    whole = rods([(0, 0), (1, 0), (0.4, 0.8), (0, 0)], pinned=False, spins=(2.0, 2.0, 2.0))
    whole.add_joint("p3", bl.Pin(), "rod 2", "rod 0", at=(0, 0))
    steps = (0.04, 0.02)
    errors, runs = errors_of(whole, CHAIN, steps, 1.0)
    assert order(errors, steps) > 0.9 * 4
    assert set(runs[0].joints) == {"p1", "p2", "p3"}


def test_a_joint_of_more_than_two_ends():
    """A star of three rods, of which one hangs from the ground."""
    star = bl.Mechanism(plane="xy", name="star")
    for name, end in {"a": (0.0, 0.0), "b": (2.0, 0.0), "c": (1.0, -1.8)}.items():
        star.add_body(name, bl.rod(end, (1.0, -0.6), mass=1.0))
    star.add_joint("pivot", bl.Pin(), star.ground, "a", at=(0.0, 0.0))
    star.add_joint("ab", bl.Pin(), "a", "b", at=(1.0, -0.6))
    star.add_joint("ac", bl.Pin(), "a", "c", at=(1.0, -0.6))
    exact = place(star.simulate(0.5, PRECISE, samples=2), star, glued=False)
    for led in ((), ("b",), ("b", "c")):
        glue = bl.Glue(1e-2, tolerance=1e-12)
        for name in star.bodies:
            own = star.copy()
            for joint in ("pivot", "ab", "ac") if name != "a" else ("ab", "ac"):
                own.remove(joint)
            for other in {*star.bodies} - {name}:
                own.remove(other)
            glue.add(name, bl.Part(own, {"hub": (name, (1.0, -0.6))}, accepts="motion" if name in led else "force"))
        glue.join("hub", ("a", "hub"), ("b", "hub"), ("c", "hub"))
        run = glue.simulate(0.5)
        # the error of fourth order of a motion of some 5 rad/s: (ωh)⁴ of a metre, times the number of radians
        assert np.linalg.norm(place(run, star) - exact, axis=1).max() < 0.5 * 5.0 * (5.0 * 1e-2) ** 4
        assert run["hub"].gap.max() < 2e-12
        assert run["hub"].imbalance.max() < 12 * 1.0 * 1e-12 / 1e-2**2 * len(led) + 1e-12


@pytest.mark.parametrize("accepts", ["force", "motion"])
def test_in_space(accepts):
    whole = rods([(0.0, 0.0, 0.0), (1.0, 0.0, 0.3), (1.0, 0.5, -0.8)])
    steps = (0.02, 0.01)
    errors, runs = errors_of(whole, {"a": ("rod 0",), "b": ("rod 1",)}, steps, 0.5, accepts={"b": accepts})
    assert order(errors, steps) > 0.9 * 4
    assert runs[0]["p1"].force().shape == (len(runs[0]), 3)


def test_redundant_joints_do_no_harm():
    """A plank on three parallel cranks: one of the equations of its joints says what the others say already.

    After 0.7 s the cranks lie level, all pins in a line: more equations depend on each other there, for a moment.
    """
    whole = bl.Mechanism(plane="xy", name="plank")
    whole.add_body("plank", bl.rod((0.0, 1.0), (2.0, 1.0), mass=2.0), velocity=(-1.0, 0.0))
    for i in range(3):
        whole.add_body(f"crank {i}", bl.rod((i, 0.0), (i, 1.0), mass=1.0), velocity=(-0.5, 0.0), angular_velocity=1.0)
        whole.add_joint(f"foot {i}", bl.Pin(), whole.ground, f"crank {i}", at=(i, 0.0))
        whole.add_joint(f"head {i}", bl.Pin(), f"crank {i}", "plank", at=(i, 1.0))
    steps = (0.04, 0.02)
    errors, runs = errors_of(whole, {"plank": ("plank",), **{f"c{i}": (f"crank {i}",) for i in range(3)}}, steps, 1.0, tolerance=1e-10)
    assert order(errors, steps) > 0.9 * 4
    # how the three share the load is not determined, but together they carry the plank
    exact = whole.simulate(1.0, PRECISE, samples=2)
    shared, expected = (sum(r[f"head {i}"].force(on="plank")[-1] for i in range(3)) for r in (runs[1], exact))
    assert np.abs(shared - expected).max() < 0.01 * np.abs(expected).max()
    assert max(np.abs(run[f"head {i}"].force()).max() for run in runs for i in range(3)) < 2.0 * np.abs(expected).max()  # nor do they fight


# -- components that are no mechanisms


@pytest.mark.parametrize("kinds", [(Mass, Mass), (Mass, LedMass), (LedMass, LedMass), (LedMass, Mass)])
def test_masses_that_are_joined_fall_as_one(kinds):
    glue = bl.Glue(0.1)
    for name, kind, mass in zip("ab", kinds, (1.0, 3.0)):
        glue.add(name, kind(mass, (0.0, 0.0), velocity=(1.0, 0.0), gravity=(0.0, -G if name == "a" else 0.0)))
    glue.join("j", ("a", "centre"), ("b", "centre"))
    run = glue.simulate(2.0)
    t = run.time[:, None]
    # only a is heavy: both fall with g/4, and a pulls b with ¾ of its weight; 20 steps within the tolerance each
    np.testing.assert_allclose(run["j"].position, t * [1.0, 0.0] + 0.5 * t**2 * [0.0, -G / 4], atol=20 * 1e-10 * 20)
    np.testing.assert_allclose(run["j"].force(on="b"), np.broadcast_to([0.0, -0.75 * G], (21, 2)), atol=12 * 3.0 * 1e-10 / 0.1**2)


def test_a_mass_of_somebody_else_hangs_on_a_mechanism():
    whole = double_pendulum.build()
    rod = whole.copy()
    rod.remove("elbow")
    rod.remove("lower")
    glue = bl.Glue(0.01, tolerance=1e-12)
    glue.add("rod", bl.Part(rod, {"end": ("upper", (1.0, 0.0))}))
    glue.add("mass", Mass(2.5, (1.0, 0.0)))
    glue.join("end", ("rod", "end"), ("mass", "centre"))
    run = glue.simulate(1.0)
    # a simple pendulum of ½ + 2½ kg at 1 m; 1 kg at the pivot makes it a body
    pendulum = bl.Mechanism(plane="xy")
    pendulum.add_body("rod", bl.rigid(4.0, (0.75, 0.0), 0.75))
    pendulum.add_joint("pivot", bl.Pin(), pendulum.ground, "rod", at=(0.0, 0.0))
    exact = pendulum.simulate(1.0, PRECISE, samples=101)["rod"].point((1.0, 0.0)).position
    # at most 6 rad/s: (ωh)⁴ times the angle
    assert np.abs(run.port("mass", "centre").position - exact).max() < 6.0 * (6.0 * 0.01) ** 4


def test_ports_that_nobody_holds_are_free():
    glue = bl.Glue(0.1)
    glue.add("pushed", Mass(2.0, (0.0, 0.0)))
    glue.add("led", LedMass(2.0, (1.0, 0.0)))
    run = glue.simulate(1.0)
    for name, x in (("pushed", 0.0), ("led", 1.0)):
        port = run.port(name, "centre")
        np.testing.assert_allclose(port.position, np.stack([np.full(11, x), -0.5 * G * run.time**2], axis=1), atol=1e-9)
        np.testing.assert_allclose(port.force, 0.0, atol=12 * 2.0 * 1e-10 / 0.1**2)
