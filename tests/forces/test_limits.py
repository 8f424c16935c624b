"""Limits of angles and displacements: the law on both sides of every corner, impacts with a known loss, rest on a stop."""

import math

import numpy as np
import pytest
from force_rig import Bench
from scipy.optimize import brentq
from test_laws import about, close, hinge_bench, kinds_of
from test_motions import AXIS, INERTIA, MASS, any_body, slide, wheel

import bielle as bl
from bielle.errors import DescriptionError
from bielle.forces import AngleLimit, LinearMotor, PointForce, SlideLimit, Torque
from bielle.mechanism import files

LOWER, UPPER, K, C = -0.5, 0.7, 40.0, 0.8
FINE = bl.Central(rtol=1e-10, atol=1e-12)
# position, rate: inside; going out, coming back, coming back faster than 1/C; on either side
STATES = [(0.1, 2.0), (0.69, 3.0), (1.1, 0.9), (1.1, -0.6), (1.1, -1.5), (-1.3, -0.9), (-1.3, 0.6), (-1.3, 1.5)]


def expected(position, rate):
    """(effort on b, energy, power lost), written for people."""
    if LOWER <= position <= UPPER:
        return 0.0, 0.0, 0.0
    above = position > UPPER
    excess, excess_rate = (position - UPPER, rate) if above else (LOWER - position, -rate)
    push = max(0.0, K * excess * (1.0 + C * excess_rate))
    return (-push if above else push), 0.5 * K * excess**2, push * excess_rate - K * excess * excess_rate


def slide_bench(kind, dim, position, rate):
    """Elements on a slide: b's point at ``position`` beyond a's along the axis, moving at ``rate``, and aside of it as well."""
    bench = Bench(kind, dim, kinds_of(dim))
    t, aside = bench.x[:dim], np.roll(bench.x[:dim], 1)
    aside = aside - (aside @ t) * t
    x, xd = bench.x, bench.xd
    xd[:dim] = 0.0
    x[2 * dim :] = x[dim : 2 * dim] + position * t + 0.3 * aside
    xd[2 * dim :] = xd[dim : 2 * dim] + rate * t - 0.4 * aside
    bench.at(x, xd)
    bench.axis = np.append(t, np.zeros(3 - dim))
    return bench


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("position", "rate"), STATES)
def test_law(dim, position, rate):
    effort, energy, lost = expected(position, rate)
    assert lost >= 0.0
    given = {"lower": LOWER, "upper": UPPER, "stiffness": K, "damping": C}
    along = (3.0, 4.0) if dim == 2 else (1.0, 2.0, 2.0)
    for bench in (
        hinge_bench(AngleLimit(**given, **about(dim)), dim, position, rate),
        slide_bench(SlideLimit(**given, axis=along), dim, position, rate),
    ):
        which = 1 if isinstance(bench.kind, AngleLimit) else 0
        close(bench.wrench("b")[which], effort * bench.axis, 1e-13)
        close(bench.wrench("a")[which], -effort * bench.axis, 1e-13)
        close(bench.w.output[0], effort, 1e-13)
        close(bench.w.energy[0], energy, 1e-13)
        close(bench.w.power[:3], [lost, 0.0, 0.0], 1e-12)
        assert bench.w.power[0] >= 0.0
        K_exact, C_exact = bench.tangent()
        K_fd, C_fd = bench.difference_tangent(bench.x, bench.xd)
        np.testing.assert_allclose(K_exact, K_fd, atol=1e-7 * K)
        np.testing.assert_allclose(C_exact, C_fd, atol=1e-7 * K)
        assert K_exact.any() == C_exact.any() == (effort != 0.0)


def test_the_effort_is_continuous():
    """Across the ends of the range at any rate, and where the stop is left behind."""

    def effort(position, rate):
        return slide_bench(SlideLimit(lower=LOWER, upper=UPPER, stiffness=K, damping=C, axis="x"), 2, position, rate).w.output[0]

    for end in (LOWER, UPPER):
        for rate in (-5.0, -0.3, 0.0, 0.3, 5.0):
            assert abs(effort(end + 1e-9, rate) - effort(end - 1e-9, rate)) < 1e-6
    for position, rate in ((1.1, -1.0 / C), (-1.3, 1.0 / C)):
        assert abs(effort(position, rate * (1 + 1e-9)) - effort(position, rate * (1 - 1e-9))) < 1e-6


@pytest.mark.parametrize("dim", [2, 3])
def test_one_sided_and_infinite_limits(dim):
    """None and an infinite end are the same thing, which files can hold."""
    axis = "x"
    for kind, turned in ((AngleLimit, about(dim)), (SlideLimit, {"axis": axis})):
        above = kind(upper=0.2, stiffness=K, **turned)
        assert kind(lower=-math.inf, upper=0.2, stiffness=K, **turned) == above
        assert kind(lower=-0.2, upper=np.float64(np.inf), stiffness=K, **turned) == kind(lower=-0.2, stiffness=K, **turned)
        make = hinge_bench if kind is AngleLimit else slide_bench
        for position, effort in ((-3.0, 0.0), (0.7, -K * 0.5)):
            close(make(above, dim, position, 0.0).w.output[0], effort, 1e-13)


# -- impacts


def restitution(p):
    """Ratio e of the speeds after and before an impact with a stop of Hunt and Crossley, of damping times speed p = c v.

    m v dv = −k x (1 + c v) dx integrates to v/c − ln(1 + c v)/c² = const − k x²/2m. The excess is the same when the body arrives, with v,
    and leaves, with −e v:  p − ln(1 + p) = −e p − ln(1 − e p), whatever k and m.
    """
    return brentq(lambda e: p * (1 + e) - math.log((1 + p) / (1 - e * p)), 1e-9, min(1.0, (1 - 1e-12) / p))


@any_body
@pytest.mark.parametrize("damping", [0.0, 0.15, 2.0])
def test_a_cart_bounces_off_the_end_of_its_rails(dim, coordinates, damping):
    speed, k = 1.4, 5e3
    m, axis = slide(dim, coordinates, speed)
    m.add_force("stops", SlideLimit(lower=-0.3, upper=0.5, stiffness=k, damping=damping), joint="rails")
    first = 1.0 if damping == 0.0 else restitution(damping * speed)
    second = 1.0 if damping == 0.0 else restitution(damping * first * speed)
    run = m.simulate(0.5 / speed + 0.4 / (first * speed) + 0.1, FINE)  # on its way back, past the middle
    assert run["cart"].velocity[-1] @ axis[:dim] == pytest.approx(-first * speed, rel=1e-7)
    furthest = (run["cart"].position @ axis[:dim]).max()
    if damping == 0.0:
        assert furthest == pytest.approx(0.5 + speed * math.sqrt(MASS / k), abs=1e-3 * speed * math.sqrt(MASS / k))
    assert run.energy.dissipated[-1] == pytest.approx(0.5 * MASS * speed**2 * (1 - first**2), abs=1e-7)
    assert np.abs(run.energy.balance).max() < 1e-7
    again = m.simulate(0.5 / speed + 0.8 / (first * speed) + 0.5 / (first * second * speed), FINE)
    assert again["cart"].velocity[-1] @ axis[:dim] == pytest.approx(first * second * speed, rel=1e-6)


@pytest.mark.parametrize("stiffness", [2e2, 2e4])
def test_the_loss_does_not_depend_on_the_stiffness(stiffness):
    m, axis = slide(2, "planar", 2.0)
    m.add_force("stop", SlideLimit(upper=0.1, stiffness=stiffness, damping=0.3), joint="rails")
    run = m.simulate(1.0, FINE)
    assert run["cart"].velocity[-1] @ axis[:2] == pytest.approx(-2.0 * restitution(0.6), rel=1e-7)


@any_body
def test_limits_may_be_turns_away(dim, coordinates):
    """A wheel spins for some turns before it meets its stop; half a period of the spring later it comes back."""
    rate, k, upper = 12.0, 80.0, 7.0 * math.pi
    m = wheel(dim, coordinates, rate)
    m.add_force("stop", AngleLimit(lower=-1.0, upper=upper, stiffness=k), joint="hinge")
    omega = math.sqrt(k / INERTIA)
    contact = math.pi / omega
    run = m.simulate(upper / rate + contact + 0.2, bl.Central(rtol=1e-10, atol=1e-12), samples=2001)
    angle = run["hinge"].angle
    deepest = upper + rate / omega
    assert angle.max() == pytest.approx(deepest, abs=1e-4)
    assert angle[-1] == pytest.approx(upper - 0.2 * rate, abs=1e-6)
    assert run["stop"].output.min() == pytest.approx(-k * rate / omega, rel=1e-4)
    assert np.abs(run.energy.balance).max() < 1e-7 * run.energy.scale


# -- rest, and being pulled away


@pytest.mark.parametrize(("formulation", "integrator"), [("projected", "adaptive"), ("index3", "generalized-alpha"), ("index3", "hht")])
def test_rest_on_a_stop(formulation, integrator):
    """A pushed cart comes to rest where k e is the push, with implicit integrators too: that takes the right tangent."""
    k, push = 1e4, 30.0
    m, axis = slide(2, "planar", 0.0)
    m.add_force("push", PointForce(force=tuple(push * axis[:2])), "cart", at=(0, 0))
    m.add_force("stop", SlideLimit(upper=0.05, stiffness=k, damping=40.0), joint="rails")
    solver = bl.Central(formulation, integrator, **({} if integrator == "adaptive" else {"step": 2e-4}))
    run = m.simulate(6.0, solver)
    assert run["cart"].position[-1] @ axis[:2] == pytest.approx(0.05 + push / k, abs=2e-5)
    assert run["stop"].output[-1] == pytest.approx(-push, rel=2e-2)


def test_a_stop_never_pulls():
    """A cart deep in its stop is snatched out faster than the stop follows: its energy is lost, and the balance knows it."""
    k, c = 500.0, 2.0
    m, axis = slide(3, "spatial", 3.0)
    m.add_force("stop", SlideLimit(upper=0.0, stiffness=k, damping=c), joint="rails")
    m.add_force("snatch", LinearMotor(target=-2.0, stiffness=4e3), joint="rails")
    run = m.simulate(0.2, FINE, samples=2001)
    u = run["cart"].position @ axis
    rate = run["cart"].velocity @ axis
    behind = (u > 0) & (rate < -1 / c)
    assert behind.sum() > 10
    assert (run["stop"].output <= 0.0).all()
    assert (run["stop"].output[behind] == 0.0).all()
    assert (run["stop"].output[(u > 0) & ~behind] < 0.0).all()
    assert (run["stop"].power[:, 0] >= 0.0).all()
    assert np.abs(run.energy.balance).max() < 1e-6 * run.energy.scale


@pytest.mark.parametrize("dim", [2, 3])
def test_between_two_bodies_without_a_joint(dim):
    """A free wheel spun against another one: their stop exchanges angular momentum and leaves the sum alone."""
    m = bl.Mechanism(gravity=(0.0,) * dim, plane="xy" if dim == 2 else None)
    shape = bl.rigid(MASS, (0.0,) * dim, INERTIA if dim == 2 else (INERTIA,) * 3)
    m.add_body("one", shape, angular_velocity=5.0 if dim == 2 else tuple(5.0 * AXIS))
    m.add_body("other", shape)
    m.add_force("stop", AngleLimit(lower=-1.0, upper=1.0, stiffness=200.0, **about(dim)), "one", "other")
    run = m.simulate(0.45, FINE)
    one, other = (run[name].angular_velocity[-1] for name in ("one", "other"))
    if dim == 3:
        one, other = one @ AXIS, other @ AXIS
    assert (one, other) == (pytest.approx(0.0, abs=1e-7), pytest.approx(5.0, abs=1e-7))  # equal inertias exchange their rates


# -- live, files, descriptions


def test_live_and_in_files():
    m, axis = slide(2, "planar", 1.0)
    m.add_force("stop", SlideLimit(upper=0.5, lower=-math.inf, stiffness=1e3, damping=0.1), joint="rails")
    m.add_force("far", AngleLimit(lower=-1.0, upper=math.inf, stiffness=1e3), "ground", "cart")
    for format in ("yaml", "json"):
        text = files.dumps(m, format)
        assert "inf" not in text.lower()
        assert files.loads(text, format).forces == m.forces
    live = m.live()
    live.advance(0.2)
    live.set("stop", upper=0.3)
    live.advance(0.15)
    assert live["stop"].output < 0.0  # met where the stop is now
    live.remove("stop")
    leaving = live["cart"].velocity @ axis[:2]
    live.advance(2.0)
    assert live["cart"].velocity @ axis[:2] == pytest.approx(leaving, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (AngleLimit(stiffness=1.0), r"AngleLimit limits nothing, got neither lower nor upper\. Give one or both\."),
        (AngleLimit(lower=-math.inf, upper=math.inf, stiffness=1.0), r"limits nothing"),
        (AngleLimit(lower=1.0, upper=-1.0, stiffness=1.0), r"lower must not be above upper, got 1\.0 and -1\.0\. Exchange them\."),
        (AngleLimit(lower=math.inf, stiffness=1.0), r"the lower limit must be finite, got inf"),
        (AngleLimit(upper=math.nan, stiffness=1.0), r"the upper limit must be finite, got nan"),
        (AngleLimit(upper="far", stiffness=1.0), r"the upper limit must be a number, got 'far'"),
        (AngleLimit(upper=1.0, stiffness=0.0), r"the stiffness must be positive, got 0\.0\. Give a number > 0"),
        (AngleLimit(upper=1.0, stiffness=1.0, damping=-1.0), r"the damping must not be negative, got -1\.0"),
        (
            AngleLimit(upper=1.0, stiffness=1.0, axis="z"),
            r"in a planar mechanism AngleLimit acts about the plane's normal\. Leave out axis",
        ),
        (SlideLimit(upper=1.0, stiffness=1.0), r"joint 'hinge' \(Pin\) has no axis to slide along\. Give axis="),
        (SlideLimit(stiffness=1.0, axis="x"), r"SlideLimit limits nothing"),
        (SlideLimit(upper=1.0, stiffness=math.inf, axis="x"), r"the stiffness must be finite"),
    ],
)
def test_what_is_refused(kind, words):
    m = wheel(2, "planar")
    with pytest.raises(DescriptionError, match=words) as caught:
        m.add_force("stop", kind, joint="hinge")
    assert str(caught.value).startswith("force 'stop': ")
    assert not m.forces


def test_between_two_bodies_an_axis_is_needed():
    m, _ = slide(3, "spatial")
    for kind in (SlideLimit, AngleLimit):
        with pytest.raises(DescriptionError, match=rf"{kind.__name__} between two bodies needs an axis\. Give axis=…, or the joint"):
            m.add_force("stop", kind(upper=1.0, stiffness=1.0), "ground", "cart", at=(0, 0, 0))


def test_a_torque_against_a_stop():
    """In static balance the stop takes all of a torque: excess T/k."""
    m = wheel(3, "natural")
    m.add_force("push", Torque(torque=tuple(-2.0 * AXIS)), joint="hinge")
    m.add_force("stop", AngleLimit(lower=-0.2, upper=3.0, stiffness=400.0, damping=30.0), joint="hinge")
    run = m.simulate(5.0)
    assert run["hinge"].angle[-1] == pytest.approx(-0.2 - 2.0 / 400.0, abs=2e-5)
