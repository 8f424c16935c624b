"""A mechanism as a component: what goes in over a step, what comes out, its state taken back, and what its owner gets to see."""

from itertools import pairwise

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError, SimulationError
from bielle.gluing.component import cubic, straightened

STEP = 0.05


def rod(**options):
    m = bl.Mechanism(plane="xy", name="rod")
    m.add_body("rod", bl.rod((0.0, 0.0), (1.0, 0.0), mass=2.0), **options)
    return m


def pendulum():
    m = rod()
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0.0, 0.0))
    return m


def run_through(part, inputs):
    """Outputs of one step after the other."""
    return [part.advance(i * STEP, STEP, each) for i, each in enumerate(inputs)]


# -- over a step


def test_the_cubic_has_the_ends_it_is_given():
    rng = np.random.default_rng(1)
    x0, v0, x1, v1 = motion = rng.normal(size=(4, 3))
    c = cubic(STEP, motion)
    powers = np.array([[0, 0, 0, 1], [0, 0, 1, 0], [STEP**3, STEP**2, STEP, 1], [3 * STEP**2, 2 * STEP, 1, 0]])
    np.testing.assert_allclose(powers @ c, [x0, v0, x1, v1], rtol=1e-12, atol=1e-12)


def test_straightened_keeps_the_impulse_and_its_moment():
    s = np.polynomial.Polynomial([0.0, 1.0])
    force = 3.0 - 2.0 * s + 5.0 * s**2
    start, end = straightened(*(np.array([force(t)]) for t in (0.0, 0.5, 1.0)))
    line = float(start[0]) + float(end[0] - start[0]) * s
    for weight in (1.0 + 0.0 * s, s):
        moments = [(f * weight).integ()(1.0) - (f * weight).integ()(0.0) for f in (force, line)]
        assert moments[0] == pytest.approx(moments[1], rel=1e-14)


def test_a_part_that_accepts_force_moves_as_under_a_table_of_forces():
    forces = np.array([(0.0, 3.0), (2.0, -1.0), (4.0, 0.0), (1.0, 7.0)])
    part = bl.Part(rod(), {"end": ("rod", (1.0, 0.0))})
    outputs = run_through(part, [{"end": pair} for pair in pairwise(forces)])
    whole, times = rod(), STEP * np.arange(4)
    push = bl.PointForce(force=tuple(bl.Table(x=tuple(times), y=tuple(f), method="linear") for f in forces.T))
    whole.add_force("push", push, "rod", at=(1.0, 0.0))
    end = whole.simulate(3 * STEP, bl.Central(max_step=STEP), samples=times)["rod"].point(at=(1.0, 0.0))
    # two integrations of three steps each, to nine digits
    np.testing.assert_allclose([o["end"][0] for o in outputs], end.position[1:], atol=6e-9)
    np.testing.assert_allclose([o["end"][1] for o in outputs], end.velocity[1:], atol=6e-8)


def test_a_part_that_accepts_motion_gives_the_force_it_takes():
    """Its end is led along a parabola, as the imposed motion of the whole does."""
    path = (bl.Polynomial(coefficients=(1.0, 0.5, -2.0)), bl.Polynomial(coefficients=(0.0, -1.0, 3.0)))
    whole = rod(velocity=(0.5, 0.0), angular_velocity=-2.0)
    part = bl.Part(whole, {"end": ("rod", (1.0, 0.0))}, accepts="motion")
    assert part.motion()["end"] == pytest.approx(np.array([(1.0, 0.0), (0.5, -1.0)]))
    whole.add_joint("lead", bl.ImposedPoint(path=path), whole.ground, "rod", at=(1.0, 0.0))
    exact = whole.simulate(3 * STEP, samples=STEP / 2 * np.arange(7))
    t = STEP * np.arange(4)
    x = np.stack([1.0 + 0.5 * t - 2.0 * t**2, -t + 3.0 * t**2], axis=1)
    v = np.stack([0.5 - 4.0 * t, -1.0 + 6.0 * t], axis=1)
    outputs = run_through(part, [{"end": np.array([x[i], v[i], x[i + 1], v[i + 1]])} for i in range(3)])
    force = exact["lead"].force(on="rod")
    for i, output in enumerate(outputs):
        np.testing.assert_allclose(output["end"], straightened(*force[2 * i : 2 * i + 3]), atol=1e-6)
    assert part.result()["rod"].position[-1] == pytest.approx(exact["rod"].position[-1], abs=1e-8)


@pytest.mark.parametrize("integrator", ["adaptive", "rk4", "newmark", "hht", "generalized-alpha"])
@pytest.mark.parametrize("accepts", ["force", "motion"])
def test_a_state_is_taken_back_to_the_last_bit(integrator, accepts):
    step = None if integrator == "adaptive" else 0.02
    part = bl.Part(rod(), {"end": ("rod", (1.0, 0.0))}, accepts=accepts, solver=bl.Central(integrator=integrator, step=step))
    given = {"force": np.array([(1.0, 2.0), (3.0, 1.0)]), "motion": np.array([(1.0, 0.0), (0.0, 0.0), (1.01, 0.0), (0.1, 0.1)])}[accepts]
    part.advance(0.0, STEP, {"end": given})
    token = part.save()
    if accepts == "motion":
        given = np.array([*given[2:], (1.03, 0.01), (0.2, 0.1)])
    first = part.advance(STEP, STEP, {"end": given})["end"]
    for other in (0.9 * given if accepts == "force" else given + np.array([[0.0], [0.0], [1e-3], [0.01]]), given):
        part.restore(token)
        again = part.advance(STEP, STEP, {"end": other})["end"]
        assert (again == first).all() == (other is given)
    assert part.time == 2 * STEP
    assert part.result().time == pytest.approx([0.0, STEP, 2 * STEP])  # steps that were taken back have left nothing


# -- its owner


@pytest.mark.parametrize("accepts", ["force", "motion"])
def test_its_result_shows_joints_and_ports_alike(accepts, tmp_path):
    """A chain of two, its end pushed, or led as it went when it was pushed."""
    m = pendulum()
    m.add_body("second", bl.rod((1.0, 0.0), (1.0, -1.0), mass=1.0))
    m.add_joint("knee", bl.Pin(), "rod", "second", at=(1.0, 0.0))
    pushed = bl.Part(m, {"end": ("second", (1.0, -1.0))})
    forces = [np.array([(5.0, 0.0), (5.0, 2.0)]), np.array([(5.0, 2.0), (6.0, 0.0)])]
    motions = [pushed.motion()["end"], *(output["end"] for output in run_through(pushed, [{"end": f} for f in forces]))]
    part, near = pushed, 1e-7  # of a hundred newtons, to nine digits
    if accepts == "motion":  # a cubic leaves out snap·h²/12 of the acceleration at its ends; of 2 kg, at some 5 rad/s
        near = 2.0 * 5.0**4 * STEP**2 / 12
        part = bl.Part(m, {"end": ("second", (1.0, -1.0))}, accepts="motion")
        run_through(part, [{"end": np.array([*a, *b])} for a, b in pairwise(motions)])
    run = part.result()
    assert run.names() == ["rod", "second", "pivot", "knee", "port end"]
    assert run["port end"].force() == pytest.approx(np.array([(5.0, 0.0), (5.0, 2.0), (6.0, 0.0)]), abs=near)
    push = bl.PointForce(force=tuple(bl.Table(x=(0, 0.05, 0.1), y=y, method="linear") for y in [(5, 5, 6), (0, 2, 0)]))
    m.add_force("port end", push, "second", at=(1.0, -1.0))
    exact = m.simulate(0.1, bl.Central(max_step=STEP), samples=3)
    for joint in ("pivot", "knee"):
        assert run[joint].force() == pytest.approx(exact[joint].force(), abs=near)
    assert abs(run.energy.error).max() < 1e-9
    run.save(tmp_path / "part.npz")
    again = bl.load_result(tmp_path / "part.npz")
    assert (again["second"].position == run["second"].position).all()
    # and simulated on its own, under the forces that were found
    assert run.mechanism.simulate(0.1)["second"].position[-1] == pytest.approx(run["second"].position[-1], abs=0.5 * 0.1**2 * near + 1e-9)


def test_samples_are_kept_as_often_as_asked_for():
    part = bl.Part(rod(), {"end": ("rod", (1.0, 0.0))}, record=0.1)
    assert part.result().time == pytest.approx([0.0])
    run_through(part, [{"end": np.zeros((2, 2))}] * 7)
    assert part.result().time == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.35])
    # free fall; the rod's frame is in its middle
    assert part.result()["rod"].position[:, 1] == pytest.approx(-0.5 * 9.81 * part.result().time ** 2, abs=1e-9)


def test_a_port_on_a_frame():
    m = rod(velocity=(1.0, 0.0))
    m.add_frame("tip", "rod", at=(1.0, 0.0))
    for accepts in ("force", "motion"):
        assert bl.Part(m, {"end": "tip"}, accepts=accepts).motion()["end"] == pytest.approx(np.array([(1.0, 0.0), (1.0, 0.0)]))


def test_the_description_is_left_alone():
    m = pendulum()
    bl.Part(m, {"end": ("rod", (1.0, 0.0))})
    assert m == pendulum()


# -- bad input


@pytest.mark.parametrize(
    ("ports", "message"),
    [
        ({}, "mechanism 'rod': ports must be a dictionary of names and places, got {}"),
        ("end", "ports must be a dictionary of names and places, got 'end'"),
        ({"end": "tip"}, "port 'end' of mechanism 'rod': its place must be (body, point) or the name of a frame, got 'tip'"),
        ({"end": ("rod", (1.0, 0.0, 0.0))}, "port 'end' of mechanism 'rod': the point must be 2 numbers"),
        ({"end": ("ground", (0.0, 0.0))}, "port 'end' of mechanism 'rod': it is on the ground"),
        ({3: ("rod", (1.0, 0.0))}, "The name of a port must be a string, got 3"),
    ],
)
def test_ports_that_are_none(ports, message):
    with pytest.raises(DescriptionError) as error:
        bl.Part(rod(), ports)
    assert message in str(error.value)


def test_a_body_that_does_not_exist():
    with pytest.raises(NamingError, match="port 'end' of mechanism 'rod': there is no body named 'rood'. Did you mean 'rod'"):
        bl.Part(rod(), {"end": ("rood", (1.0, 0.0))})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"accepts": "forces"}, "accepts 'force' or 'motion', got 'forces'"),
        ({"solver": "rk4"}, "'rk4' is an integrator, and no solver"),
        ({"solver": bl.Central(integrator="LSODA")}, "such that they can be taken again, which those of 'central, projected, LSODA, rtol"),
        ({"record": -1.0}, "record must be a positive number of seconds, or None for every step, got -1.0"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(DescriptionError) as error:
        bl.Part(rod(), {"end": ("rod", (1.0, 0.0))}, **options)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("mechanism", "ports", "free"),
    [
        (pendulum(), {"end": ("rod", (1.0, 0.0))}, "2 coordinates, but its joints, and one port the other, leave only 1 of them free"),
        (rod(), {"a": ("rod", (0.0, 0.0)), "b": ("rod", (1.0, 0.0))}, "ports 'a', 'b' are to be led, 4 coordinates, but"),
    ],
)
def test_ports_that_are_held_cannot_be_led(mechanism, ports, free):
    bl.Part(mechanism, ports, accepts="force")
    with pytest.raises(DescriptionError) as error:
        bl.Part(mechanism, ports, accepts="motion")
    assert free in str(error.value)
    assert "Let it accept 'force'" in str(error.value)


def test_a_step_from_another_time_is_refused():
    part = bl.Part(rod(), {"end": ("rod", (1.0, 0.0))})
    with pytest.raises(SimulationError, match="The step begins at t = 1 s, but the part is at t = 0 s"):
        part.advance(1.0, STEP, {"end": np.zeros((2, 2))})


def test_what_failed_in_a_step_that_was_taken_back_is_forgotten():
    m, broken = rod(), [True]
    m.add_force("law", bl.CallableForce(function=lambda t, view: 1 / 0 if broken[0] and t > 0.01 else (0.0, 0.0)), "rod", at=(0.0, 0.0))
    part = bl.Part(m, {"end": ("rod", (1.0, 0.0))})
    token = part.save()
    with pytest.raises(SimulationError, match="force 'law': its function raised ZeroDivisionError"):
        part.advance(0.0, STEP, {"end": np.zeros((2, 2))})
    part.restore(token)
    broken[0] = False
    part.advance(0.0, STEP, {"end": np.zeros((2, 2))})
    assert part.result()["rod"].position[-1] == pytest.approx((0.5, -0.5 * 9.81 * STEP**2))
