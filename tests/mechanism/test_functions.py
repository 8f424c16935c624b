"""Functions of one variable: their formulas, smoothness, arithmetic, files, and what compiled code makes of them."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError
from bielle.mechanism import files
from bielle.mechanism.functions import Function, as_function

POINTS = {"x": (0.0, 0.4, 1.0, 2.0), "y": (0.0, 1.0, 1.0, -0.5)}
LINES = bl.Table(**POINTS, method="linear")
WAVE = bl.Harmonic(amplitude=0.7, frequency=0.8, phase=0.2, offset=0.4)
SMOOTH = {
    "constant": bl.Constant(2.0),
    "polynomial": bl.Polynomial((1.0, -2.0, 3.0, 0.5)),
    "harmonic": WAVE,
    "clamped": bl.Table(**POINTS, method="clamped"),
    "step": bl.SmoothStep(1.0, -2.0, 0.3, 1.1),
    "profile": bl.TrapezoidalProfile(0.0, 3.0, 0.2, 1.4),
    "triangle": bl.TrapezoidalProfile.within(0.0, -0.5, speed=10.0, acceleration=2.0),
    "callable": Function(math.sin),
    "sum": bl.SmoothStep(0.0, 1.0, 0.0, 1.0) + WAVE - 2.0,
    "product": 3.0 * bl.SmoothStep(0.0, 1.0, 0.0, 1.0) * WAVE,
}
CORNERS = {
    "natural": (bl.Table(**POINTS), (0.0, 2.0)),
    "lines": (LINES, (0.0, 0.4, 1.0, 2.0)),
    "level line": (bl.Table((0.0, 1.0, 2.0), (1.0, 1.0, 2.0), method="linear"), (1.0, 2.0)),
    "monotone": (bl.Table(**POINTS, method="monotone"), (0.0, 2.0)),  # between two equal points it is level, as in 0.4 … 1
    "clamped with a slope": (bl.Table(**POINTS, method="clamped", slopes=(1.0, 0.0)), (0.0,)),
    "sum": (LINES - bl.Table((0.0, 1.0, 3.0), (0.0, 1.0, 0.0), method="linear"), (0.0, 0.4, 2.0, 3.0)),  # at 1 both turn by 1.5
    "corners that cancel": (LINES - LINES, ()),
    "product": (LINES * WAVE, (0.0, 0.4, 1.0, 2.0)),
    "zero at the corner": (bl.Table((0.0, 1.0), (0.0, 1.0), method="linear") * bl.Harmonic(1.0, 0.25), (1.0,)),
}


def around(f, h=1e-5):
    """Times at which differences with the step h do not reach over a knot."""
    knots = np.concatenate([pieces.knots for pieces, _ in f.expanded()])
    times = np.linspace(-0.5, 2.5, 61) + 1e-3
    return times[[not (np.abs(knots - t) < 2 * h).any() for t in times]]


@pytest.mark.parametrize("name", [*SMOOTH, *CORNERS])
def test_rates_are_derivatives(name):
    """Central differences: h² f‴/6 with f‴ up to 700 (the quintic), and u/h."""
    f, h = SMOOTH[name] if name in SMOOTH else CORNERS[name][0], 1e-5
    t = around(f)
    np.testing.assert_allclose((f(t + h) - f(t - h)) / (2 * h), f.rate(t), atol=2e-7, rtol=1e-9)
    np.testing.assert_allclose((f.rate(t + h) - f.rate(t - h)) / (2 * h), f.acceleration(t), atol=2e-6, rtol=1e-9)


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_functions_have_no_jump_of_the_rate(name):
    assert SMOOTH[name].rate_jumps() == ()


@pytest.mark.parametrize("name", CORNERS)
def test_where_the_rate_jumps(name):
    f, expected = CORNERS[name]
    assert f.rate_jumps() == expected
    for x in expected:
        assert abs(f.rate(x + 1e-9) - f.rate(x - 1e-9)) > 1e-3


def test_a_number_gives_a_number_and_an_array_an_array():
    assert bl.Polynomial((1.0, 2.0))(3) == 7.0
    assert isinstance(bl.Polynomial((1.0, 2.0)).rate(3), float)
    assert LINES([[0.0, 0.4], [1.0, 9.0]]).tolist() == [[0.0, 1.0], [1.0, -0.5]]
    assert Function(lambda x: 2.0 * x)([1.0, 2.0]).tolist() == [2.0, 4.0]


def test_smooth_step():
    f = bl.SmoothStep(start=1.0, end=3.0, t0=2.0, t1=6.0)
    assert (f(1.9), f(2.0), f(4.0), f(6.0), f(7.0)) == (1.0, 1.0, 2.0, 3.0, 3.0)
    assert f.rate(4.0) == 15 / 8 * 2.0 / 4.0  # the largest
    for t in (2.0, 6.0):
        assert abs(f.rate(t)) < 1e-15
        assert abs(f.acceleration(t)) < 1e-14


def test_trapezoidal_profile():
    f = bl.TrapezoidalProfile(start=0.0, end=6.0, t0=1.0, t1=5.0, ramp=1.0)  # 6 m in 4 s: 2 m/s after 1 s
    assert f([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).tolist() == [0.0, 0.0, 1.0, 3.0, 5.0, 6.0, 6.0]
    assert f.rate([1.5, 2.5, 3.5, 4.5]).tolist() == [1.0, 2.0, 2.0, 1.0]
    assert f.acceleration([1.5, 2.5, 4.5]).tolist() == [2.0, 0.0, -2.0]
    assert bl.TrapezoidalProfile(0.0, 1.0, 0.0, 3.0).ramp == 1.0


@pytest.mark.parametrize(("way", "ramp", "time"), [(6.0, 1.0, 4.0), (-6.0, 1.0, 4.0), (0.5, 0.5, 1.0)])
def test_profile_within_a_speed_and_an_acceleration(way, ramp, time):
    f = bl.TrapezoidalProfile.within(10.0, 10.0 + way, speed=2.0, acceleration=2.0, t0=3.0)
    assert (f.ramp, f.t1 - f.t0, f(f.t0), f(f.t1)) == (ramp, time, 10.0, 10.0 + way)
    t = np.linspace(3.0, f.t1, 101)
    assert np.abs(f.rate(t)).max() <= 2.0 + 1e-12
    np.testing.assert_allclose(np.abs(f.acceleration([3.1, f.t1 - 0.1])), 2.0, rtol=1e-12)


def test_a_monotone_table_does_not_overshoot():
    f, t = bl.Table((0.0, 1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 1.0), method="monotone"), np.linspace(0, 3, 301)
    assert (f(t).min(), f(t).max()) == (0.0, 1.0)
    assert (np.diff(f(t)) >= 0).all()
    assert bl.Table((0.0, 1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 1.0))(t).min() < -0.05


def test_a_clamped_table_begins_and_ends_with_its_slopes():
    level, given = bl.Table(**POINTS, method="clamped"), bl.Table(**POINTS, method="clamped", slopes=(3.0, -4.0))
    for f, first, last in ((level, 0.0, 0.0), (given, 3.0, -4.0)):
        np.testing.assert_allclose(f(POINTS["x"]), POINTS["y"], atol=1e-14)
        np.testing.assert_allclose(f.rate([0.0, 2.0]), [first, last], atol=1e-13)


def test_arithmetic():
    """Products multiplied out, to rounding of numbers of size 10."""
    a, b, t = LINES, bl.SmoothStep(0.0, 1.0, 0.0, 1.0), np.linspace(-1, 3, 41)
    for f, expected in (
        (a + b, a(t) + b(t)),
        (a - b, a(t) - b(t)),
        (2 - a, 2 - a(t)),
        (-a, -a(t)),
        (a * b, a(t) * b(t)),
        (a / 4, a(t) / 4),
        (np.float64(2.0) * a, 2 * a(t)),
        (a + bl.Table(t, t**2), a(t) + t**2),
        (a + (POINTS["x"], POINTS["y"]), a(t) + bl.Table(**POINTS)(t)),  # noqa: RUF005 (no concatenation)
        (a + math.sin, a(t) + np.sin(t)),
        (sum([a, b]), a(t) + b(t)),
        ((a + WAVE) * (b - WAVE) * (a + 1), (a(t) + WAVE(t)) * (b(t) - WAVE(t)) * (a(t) + 1)),
    ):
        np.testing.assert_allclose(f(t), expected, atol=1e-13)
    assert len((a + b + WAVE + a).terms) == 4  # long sums do not nest


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bl.SmoothStep(0, 1, 2, 2), "must end after it begins, got t0=2 and t1=2"),
        (lambda: bl.TrapezoidalProfile(0, 1, 2, 1), "must end after it begins, got t0=2 and t1=1"),
        (lambda: bl.TrapezoidalProfile(0, 1, 0, 1, ramp=0.6), "half the time at most, 0.5 s, got 0.6 s"),
        (lambda: bl.TrapezoidalProfile(0, 1, 0, 1, ramp=0), "ramp"),
        (lambda: bl.TrapezoidalProfile.within(1, 1, speed=1, acceleration=1), "lead somewhere"),
        (lambda: bl.TrapezoidalProfile.within(0, 1, speed=-1, acceleration=1), "the speed of a trapezoidal profile"),
        (lambda: bl.Table((0, 1), (0, 1), method="spline"), "'cubic', 'clamped', 'monotone' or 'linear', got 'spline'"),
        (lambda: bl.Table((0, 1), (0, 1), slopes=(1, 1)), "Only a clamped table is told its slopes"),
        (lambda: bl.Table((0, 1), (0, 1), method="clamped", slopes=(1,)), "slopes of a table are two"),
        (lambda: bl.Sum(terms=()), "A sum of functions needs a list of at least one term"),
        (lambda: LINES + "x", "a term of a sum must be a number, a callable"),
        (lambda: LINES * None, "a factor of a product must be"),
        (lambda: LINES / 0.0, "divided by"),
        (lambda: LINES / LINES, "what a function is divided by must be a number"),
    ],
)
def test_what_makes_no_function(make, message):
    with pytest.raises(DescriptionError, match=message):
        make()


def test_products_that_explode_are_refused():
    f = bl.Harmonic(1.0, 1.0) + bl.Constant(1.0)
    for k in range(2, 8):
        f = f * (bl.Harmonic(1.0, float(k)) + bl.Harmonic(1.0, k + 0.5) + bl.Harmonic(1.0, k + 0.25) + 1.0)
    with pytest.raises(DescriptionError, match="terms when multiplied out, more than 1000"):
        f(0.0)


def driven(angle):
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("arm", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("hinge", bl.Pin(), m.ground, "arm", at=(0, 0))
    m.add_joint("motor", bl.ImposedRotation(angle=angle), m.ground, "arm", at=(0, 0))
    return m


DATA = {name: f for name, f in SMOOTH.items() if name != "callable"} | {name: f for name, (f, _) in CORNERS.items()}


@pytest.mark.filterwarnings("ignore:joint 'motor'. the velocity of its motion jumps")
@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("format", ["yaml", "json"])
def test_files(name, format):
    m = driven(DATA[name])
    again = files.loads(files.dumps(m, format), format)
    assert again.joints["motor"].kind.angle == DATA[name]


def test_numbers_in_sums_are_written_as_numbers():
    text = files.dumps(driven(2.0 * bl.SmoothStep(0, 1, 0, 1) + 3.0), "json")
    assert "constant" not in text
    assert files.loads(text, "json").joints["motor"].kind.angle == 2.0 * bl.SmoothStep(0, 1, 0, 1) + 3.0


def test_a_file_may_use_numbers_and_lists_in_sums():
    step = {"type": "smooth_step", "start": 0, "end": 1, "t0": 0, "t1": 1}
    f = as_function({"type": "sum", "terms": [1, [[0, 1], [0, 2]], {"type": "product", "factors": [2, step]}]}, "f")
    assert f == 1 + bl.Table((0, 1), (0, 2)) + 2 * bl.SmoothStep(0, 1, 0, 1)


def test_a_callable_in_a_sum_cannot_be_written():
    with pytest.raises(BielleError, match=r"joint 'motor': Function\(sin\) cannot be written to a file"):
        files.dumps(driven(bl.SmoothStep(0, 1, 0, 1) + math.sin))


def test_a_smooth_step_drives_a_mechanism():
    """Motor torque I α with I = 1/3, exactly where the adaptive solver samples."""
    f = bl.SmoothStep(0.0, 2.0, 0.2, 0.9)
    run = driven(f).simulate(1.0, samples=41)
    np.testing.assert_allclose(run["arm"].angle, f(run.time), atol=1e-9)
    np.testing.assert_allclose(run["motor"].moment(), f.acceleration(run.time) / 3, atol=1e-7)


def test_energy_of_a_spring_whose_characteristic_is_a_sum():
    """The energy is integrated exactly: the balance is off by the tolerance of the integrator only."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("block", bl.box((0.1, 0.1), mass=1.0), position=(1.0, 0.0), velocity=(0.0, 0.0))
    law = bl.Polynomial((0.0, 30.0)) + bl.Table((-0.2, 0.0, 0.2), (-4.0, 0.0, 4.0), method="linear") + bl.Harmonic(0.5, 1.0)
    law = law + bl.SmoothStep(0.0, 1.0, 0.0, 0.3) * bl.Harmonic(0.1, 2.0)
    m.add_force("spring", bl.Spring(characteristic=law, length=0.8), m.ground, "block", at_a=(0, 0), at_b=(0, 0))
    run = m.simulate(1.0)
    assert np.ptp(run["block"].position[:, 0]) > 0.3
    assert np.abs(run.energy.error).max() < 1e-6
