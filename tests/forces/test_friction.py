"""Dry friction: the law, the exact motion under it, its limit of Coulomb, and how what should stick creeps."""

import math

import numpy as np
import pytest
from test_laws import about, close, hinge_bench
from test_limits import FINE, slide_bench
from test_motions import AXIS, INERTIA, MASS, any_body, slide, wheel

import bielle as bl
from bielle.errors import DescriptionError
from bielle.forces import AngleFriction, PointForce, SlideFriction, Torque
from bielle.mechanism import files


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("rate", [-40.0, -0.3, 0.0, 0.02, 1.3])
def test_law(dim, rate):
    size, speed = 5.0, 0.4
    effort = -size * math.tanh(rate / speed)
    along = (3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)
    for bench in (
        hinge_bench(AngleFriction(torque=size, speed=speed, **about(dim)), dim, 0.8, rate),
        slide_bench(SlideFriction(force=size, speed=speed, axis=along), dim, 0.8, rate),
    ):
        which = 1 if isinstance(bench.kind, AngleFriction) else 0
        close(bench.wrench("b")[which], effort * bench.axis, 1e-13)
        close(bench.wrench("a")[which], -effort * bench.axis, 1e-13)
        close(bench.w.output[0], effort, 1e-13)
        close(bench.w.power[:3], [-effort * rate, 0.0, 0.0], 1e-12)
        assert bench.w.power[0] >= 0.0
        assert bench.w.energy[0] == 0.0


def left(rate, speed, decay, t):
    """Rate after t, if d(rate)/dt = −decay tanh(rate/speed): sinh(rate/speed) falls like e^(−decay t/speed)."""
    return speed * math.asinh(math.sinh(rate / speed) * math.exp(-decay * t / speed))


@any_body
def test_exact_motion_of_a_wheel_and_a_cart(dim, coordinates):
    """Uniformly slower at first, with an exponential end."""
    size, speed, start = 2.0, 0.5, 6.0
    m = wheel(dim, coordinates, start)
    m.add_force("brake", AngleFriction(torque=size, speed=speed), joint="hinge")
    n, axis = slide(dim, coordinates, start)
    n.add_force("brake", SlideFriction(force=size, speed=speed), joint="rails")
    for time in (0.5, 1.3, 2.0):
        run, slid = m.simulate(time, FINE), n.simulate(time, FINE)
        spin = run["wheel"].angular_velocity[-1]
        assert (spin if dim == 2 else spin @ AXIS) == pytest.approx(left(start, speed, size / INERTIA, time), abs=1e-7)
        assert slid["cart"].velocity[-1] @ axis[:dim] == pytest.approx(left(start, speed, size / MASS, time), abs=1e-7)
        assert np.abs(run.energy.balance).max() < 1e-7
        assert np.abs(slid.energy.balance).max() < 1e-7
    lost = 0.5 * INERTIA * (start**2 - left(start, speed, size / INERTIA, 2.0) ** 2)
    assert run.energy.dissipated[-1] == pytest.approx(lost, rel=1e-7)


@pytest.mark.parametrize(
    ("formulation", "integrator", "step"), [("projected", "adaptive", None), ("index3", "generalized-alpha", 1e-3), ("index3", "hht", 1e-3)]
)
def test_coulomb(formulation, integrator, step):
    """With the speed at its default the cart stops after m v²/2T, up to some m v s/T, and stays there."""
    size, start = 4.0, 1.5
    m, axis = slide(2, "planar", start)
    m.add_force("friction", SlideFriction(force=size), joint="rails")
    solver = bl.Central(formulation, integrator, **({} if step is None else {"step": step}))
    run = m.simulate(1.5, solver)
    stopped = 0.5 * MASS * start**2 / size
    travelled = run["cart"].position @ axis[:2]
    assert travelled[-1] == pytest.approx(stopped, abs=5e-3)
    moving = run.time < 0.9 * MASS * start / size
    np.testing.assert_allclose((run["cart"].velocity @ axis[:2])[moving], start - size / MASS * run.time[moving], atol=1e-5)
    np.testing.assert_allclose(run["friction"].output[moving], -size, rtol=1e-12)
    assert abs(run["cart"].velocity[-1] @ axis[:2]) < 1e-9
    assert run.energy.dissipated[-1] == pytest.approx(0.5 * MASS * start**2, rel=1e-4)


@pytest.mark.parametrize("load", [-0.9, 0.5])
def test_what_should_stick_creeps(load):
    """At s artanh(load/T), as the documentation says; above T it accelerates with the rest."""
    size, speed = 4.0, 1e-2
    m, axis = slide(2, "bar", 0.0)
    m.add_force("push", PointForce(force=tuple(load * size * axis[:2])), "cart", at=(0, 0))
    m.add_force("friction", SlideFriction(force=size, speed=speed), joint="rails")
    run = m.simulate(1.0)
    assert run["cart"].velocity[-1] @ axis[:2] == pytest.approx(speed * math.atanh(load), rel=1e-6)
    n = wheel(2, "planar")
    n.add_force("push", Torque(torque=load * size + math.copysign(size, load)), joint="hinge")
    n.add_force("friction", AngleFriction(torque=size), joint="hinge")
    spun = n.simulate(1.0)
    assert spun["wheel"].angular_velocity[-1] == pytest.approx(load * size / INERTIA, rel=1e-3)


def test_live_and_in_files():
    m, axis = slide(2, "planar", 1.0)
    m.add_force("friction", SlideFriction(force=1.0, speed=0.1), joint="rails")
    m.add_force("bearing", AngleFriction(torque=2.0), "ground", "cart")
    for format in ("yaml", "json"):
        assert files.loads(files.dumps(m, format), format).forces == m.forces
    live = m.live()
    live.advance(0.5)
    slower = live["cart"].velocity @ axis[:2]
    assert slower == pytest.approx(left(1.0, 0.1, 1.0 / MASS, 0.5), abs=1e-8)
    live.remove("friction")
    live.advance(0.5)
    assert live["cart"].velocity @ axis[:2] == pytest.approx(slower, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (AngleFriction(torque=-1.0), r"the torque must not be negative, got -1\.0"),
        (AngleFriction(torque=1.0, speed=0.0), r"the speed must be positive, got 0\.0\. Give a number > 0"),
        (AngleFriction(torque=math.nan), r"the torque must be finite"),
        (AngleFriction(torque="much"), r"the torque must be a number, got 'much'"),
        (AngleFriction(torque=1.0, axis="z"), r"in a planar mechanism AngleFriction acts about the plane's normal"),
        (SlideFriction(force=1.0), r"joint 'hinge' \(Pin\) has no axis to slide along\. Give axis="),
        (SlideFriction(force=-1.0, axis="x"), r"the force must not be negative"),
        (SlideFriction(force=1.0, speed=-2.0, axis="x"), r"the speed must be positive, got -2\.0"),
    ],
)
def test_what_is_refused(kind, words):
    m = wheel(2, "planar")
    with pytest.raises(DescriptionError, match=words) as caught:
        m.add_force("friction", kind, joint="hinge")
    assert str(caught.value).startswith("force 'friction': ")
    assert not m.forces
