"""Imposed motions whose velocity jumps: no finite force does that, and it is known beforehand."""

import pytest

import bielle as bl
from bielle.errors import AccuracyWarning, DescriptionError, DescriptionWarning, SimulationError


def driven(function, **options):
    m = bl.Mechanism(plane="xy", **options)
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_joint("motor", bl.ImposedRotation(angle=function), m.ground, "rod", at=(0, 0))
    return m


def test_a_linear_table_with_corners_is_told_when_it_is_added():
    with pytest.warns(DescriptionWarning, match="joint 'motor': the velocity of its motion jumps at t = 1 s"):
        m = driven(bl.Table(x=(0, 1, 2), y=(0, 1, 0), method="linear"))
    with pytest.raises(DescriptionError, match=r"imposed motion of 'motor' jumps by -2 rad/s at t = 1 s.*method='clamped'"):
        m.simulate(1.5)
    assert m.simulate(0.9).info["status"] == "finished"  # it does not get there


@pytest.mark.parametrize(
    ("function", "jump"),
    [
        (lambda table: bl.Harmonic(amplitude=0.3, frequency=0.5) + table, -2.0),
        (lambda table: bl.Harmonic(amplitude=0.5, frequency=0.25, offset=1.0) * table, -3.0),  # the harmonic is 1.5 there
    ],
)
def test_sums_and_products_with_corners_too(function, jump):
    table = bl.Table(x=(0, 1, 2), y=(0, 1, 0), method="linear")
    with pytest.warns(DescriptionWarning, match="joint 'motor': the velocity of its motion jumps at t = 1 s"):
        m = driven(function(table))
    with pytest.raises(DescriptionError, match=f"imposed motion of 'motor' jumps by {jump:g} rad/s at t = 1 s"):
        m.simulate(1.5)
    assert m.simulate(0.9).info["status"] == "finished"


def test_a_table_that_ends_with_a_slope():
    m = driven(bl.Table(x=(0, 1), y=(0, 1)))
    assert m.simulate(1.0).info["status"] == "finished"
    with pytest.raises(DescriptionError, match="jumps by -1 rad/s at t = 1 s"):
        m.simulate(2.0)


CORNER = bl.Table(x=(0, 1, 2), y=(0, 1, 0), method="linear")
STILL = bl.Constant(value=0.0)


@pytest.mark.parametrize(
    ("kind", "unit"),
    [
        (bl.ImposedRotation(angle=CORNER), "rad/s"),
        (bl.ImposedTranslation(displacement=CORNER), "m/s"),
        (bl.ImposedPoint(path=(None, CORNER)), "m/s"),
        (bl.ImposedBody(position=(STILL, CORNER)), "m/s"),
        (bl.ImposedBody(position=(STILL, STILL), angle=CORNER), "rad/s"),
    ],
    ids=lambda given: type(given).__name__ if not isinstance(given, str) else given,
)
def test_jumps_have_units(kind, unit):
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    with pytest.warns(DescriptionWarning, match="joint 'motor': the velocity of its motion jumps"):
        m.add_joint("motor", kind, m.ground, "rod", at=(0, 0))
    with pytest.raises(DescriptionError, match=f"imposed motion of 'motor' jumps by -2 {unit} at t = 1 s"):
        m.simulate(1.5)


def test_a_session_that_gets_there():
    """It cannot go on where the blow takes a finite part of all energy; with the weight of the rod there is more, and it is told."""
    table = bl.Table(x=(0, 1), y=(0, 1))
    live = driven(table, gravity=(0, 0)).live()
    with pytest.raises(SimulationError, match="jumps by -1 rad/s at t = 1 s"):
        live.advance(2.0)
    assert live.time < 1.0
    with pytest.warns(AccuracyWarning, match="balance of energy is off by 0.0.*imposed motion of 'motor' jumps by -1 rad/s at t = 1 s"):
        driven(table).live().advance(2.0)


def test_a_straight_line_and_a_smooth_table_are_fine():
    driven(bl.Table(x=(0, 1, 2), y=(0, 1, 2), method="linear")).simulate(1.5)
    smooth = [0.0, 0.0, 0.1, 0.5, 0.9, 1.0, 1.0]
    time = [0.0, 0.1, 0.4, 0.7, 1.0, 1.3, 1.4]
    driven(bl.Table(x=time, y=smooth)).simulate(1.3)


def test_a_motion_that_does_not_start_like_the_body_is_assembly():
    run = driven(bl.Polynomial(coefficients=(0.0, 3.0))).simulate(0.5)
    assert run.info["status"] == "finished"
    assert run["rod"].angular_velocity[0] == pytest.approx(3.0)


def test_a_corner_where_a_sine_passes_zero_is_smooth():
    """sin(π) is 1e-16 in the arithmetic."""
    motion = bl.Table(x=(0, 1, 2), y=(0, 1, 1), method="linear") * bl.Harmonic(amplitude=1.0, frequency=0.5)
    assert motion.rate_jumps() == ()
    assert (motion + bl.Table(x=(0, 1, 2), y=(0, 1, 1), method="linear")).rate_jumps() == (0.0, 1.0)
    assert driven(motion).simulate(1.9).info["status"] == "finished"
