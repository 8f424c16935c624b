"""The report counts degrees of freedom, names redundant joints and says what to do."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import AssemblyError, ConflictError


def planar_four_bar_in_space(joint):
    """A four-bar whose four axes are parallel: with four revolute joints three equations are redundant."""
    m = bl.Mechanism(gravity=(0, -9.81, 0))
    points = [(0, 0, 0), (0.2, 1, 0), (2.1, 1.5, 0), (2, 0, 0)]
    for i, name in enumerate(("crank", "coupler", "rocker")):
        m.add_body(name, bl.rod(points[i], points[i + 1], mass=1.0))
    m.add_joint("A", bl.Revolute(axis="z"), m.ground, "crank", at=points[0])
    m.add_joint("B", bl.Revolute(axis="z"), "crank", "coupler", at=points[1])
    m.add_joint("C", joint, "coupler", "rocker", at=points[2])
    m.add_joint("D", bl.Revolute(axis="z"), m.ground, "rocker", at=points[3])
    return m


def test_redundant_equations_are_attributed_to_their_joints():
    report = planar_four_bar_in_space(bl.Revolute(axis="z")).report()
    assert report.degrees_of_freedom == 1
    assert report.equations - report.rank == 3
    assert report.loops == 1
    assert len(report.redundancies) == 1
    assert set(report.redundancies[0].joints) == {"A", "B", "C", "D"}
    assert report.redundancies[0].equations == 3
    assert not report.redundancies[0].singular
    text = str(report)
    assert "3 of 20 equations are redundant" in text
    assert "spherical or cylindrical" in text
    assert "reactions in these joints are not unique" in text


def test_loosening_one_joint_removes_redundancy():
    report = planar_four_bar_in_space(bl.Spherical()).report()
    assert report.equations - report.rank == 1
    motion = planar_four_bar_in_space(bl.Spherical()).simulate(1.0, samples=51)["rocker"].position
    again = planar_four_bar_in_space(bl.Revolute(axis="z")).simulate(1.0, samples=51)["rocker"].position
    assert np.abs(motion - again).max() < 1e-7


def test_only_the_joints_concerned_are_named():
    m = planar_four_bar_in_space(bl.Revolute(axis="z"))
    m.add_body("tail", bl.rod((2, 0, 0), (3, 0, 0), mass=1.0))
    m.add_joint("E", bl.Spherical(), "rocker", "tail", at=(2, 0, 0))
    report = m.report()
    assert report.degrees_of_freedom == 4
    assert "E" not in report.redundancies[0].joints


def test_singular_position_is_told_from_redundancy():
    m = bl.Mechanism(plane="xy")
    for i in range(2):
        m.add_body(f"crank{i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"foot{i}", bl.Pin(), m.ground, f"crank{i}", at=(i, 0))
    m.add_body("coupler", bl.rod((1, 0), (2, 0), mass=1.0))
    for i in range(2):
        m.add_joint(f"head{i}", bl.Pin(), f"crank{i}", "coupler", at=(i + 1, 0))
    report = m.report()
    assert report.degrees_of_freedom == 2  # at the branching point two motions are open
    assert report.redundancies[0].singular
    assert "singular position" in str(report)


def test_floating_parts_and_loops():
    m = bl.Mechanism(plane="xy")
    m.add_body("a", bl.disc(0.1, mass=1.0))
    m.add_body("b", bl.disc(0.1, mass=1e-7), position=(1, 0))
    m.add_joint("link", bl.Distance(), "a", "b", at_a=(0, 0), at_b=(0, 0))
    report = m.report()
    assert report.floating == [("a", "b")]
    assert report.light == ["b"]
    assert report.degrees_of_freedom == 5
    assert "not connected to the ground: a, b" in str(report)


def test_empty_mechanism():
    report = bl.Mechanism().report()
    assert report.degrees_of_freedom == 0
    assert report.ok
    assert "0 bodies" in str(report)


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
def test_internal_equations_of_natural_coordinates_do_not_count_as_joints(coordinates):
    m = bl.Mechanism()
    m.add_body("box", bl.box((1, 1, 1), mass=1.0), coordinates=coordinates)
    assert m.report().degrees_of_freedom == 6


def test_gaps_have_units():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at_a=(0, 0.1), at_b=(-0.5, 0))
    m.add_joint("turn", bl.ImposedRotation(angle=0.3), "ground", "rod", at=(0, 0))
    report = m.report()
    assert report.units == {"pivot": "m", "turn": "rad"}
    assert "gap of 0.1 m at 'pivot'" in str(report)
    assert "gap of 0.3 rad at 'turn'" in str(report)


SKEW = np.array([1.0, -2.0, 2.0]) / 3.0


def welded(turned, plane, kind=None, coordinates=None, about="z"):
    """A body that its joint wants turned by so much [rad]."""
    m = bl.Mechanism(plane=plane)
    if plane:
        m.add_body("a", bl.rod((0, 0), (1, 0), mass=1.0), coordinates=coordinates)
        m.add_joint("p", kind or bl.Rigid(), m.ground, "a", at_a=(0, 0), at_b=(-0.5, 0), axes_b=turned)
    else:
        m.add_body("a", bl.box((1, 1, 1), mass=1.0), coordinates=coordinates)
        m.add_joint("p", kind or bl.Fixed(), m.ground, "a", at_a=(0, 0, 0), at_b=(0, 0, 0), axes_b=bl.rotation(about, turned))
    return m


@pytest.mark.parametrize("turned", [1e-6, 0.1, 0.3, 1.0, 1.5, 2.0, 2.5, 3.0, math.pi])
@pytest.mark.parametrize(
    ("plane", "kind", "coordinates", "about"),
    [
        ("xy", bl.Rigid(), None, "z"),
        ("xy", bl.Rigid(), "bar", "z"),
        ("xy", bl.Slider(), None, "z"),
        (None, bl.Fixed(), None, "z"),
        (None, bl.Fixed(), "natural", "x"),
        (None, bl.Fixed(), None, SKEW),  # no single equation sees all of it
        (None, bl.Prismatic(axis="y"), None, SKEW),
        (None, bl.Revolute(axis="z"), None, (1, 1, 0)),
        (None, bl.Cylindrical(axis="x"), None, "y"),
        (None, bl.Planar(axis=(0, 0, 1)), None, (3, -1, 0)),
    ],
)
def test_gaps_of_angles_are_angles(turned, plane, kind, coordinates, about):
    """The equations are sines: what a body is turned by is told, beyond a quarter turn, too, where a sine is that of another angle.

    Rounding of the axes, some units of 2⁻⁵² (beside half a turn: of the sine, which is as small).
    """
    report = welded(turned, plane, kind, coordinates, about).report()
    assert report.units == {"p": "rad"}
    assert report.gaps["p"] == pytest.approx(turned, abs=1e-14)
    assert f"gap of {turned:.3g} rad at 'p'" in str(report)


@pytest.mark.parametrize("about", ["z", SKEW])
def test_a_turn_that_a_joint_leaves_free_is_no_gap(about):
    m = welded(2.0, None, bl.Revolute(axis=about if isinstance(about, str) else tuple(about)), None, about)
    assert not m.report().gaps


def test_gaps_of_crossed_axes_and_of_imposed_rotations():
    """The axes of a Cardan joint lack what is missing to a right angle; an imposed rotation has the angle itself in its equation."""
    m = welded(0.4, None, bl.Universal(axis_a="x", axis_b="y"))
    assert m.report().gaps["p"] == pytest.approx(0.4, abs=1e-14)
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("turn", bl.ImposedRotation(angle=2.5), "ground", "rod", at=(0, 0))
    assert m.report().gaps["turn"] == pytest.approx(2.5, abs=1e-14)
    m = bl.Mechanism()
    m.add_body("a", bl.box((1, 1, 1), mass=1.0), orientation=bl.rotation("x", 0.7))
    straight = bl.rotation("x", 0)
    m.add_joint("p", bl.ImposedBody(position=(0, 0, 0)), m.ground, "a", at=(0, 0, 0), axes_a=straight, axes_b=straight)
    assert m.report().gaps["p"] == pytest.approx(0.7, abs=1e-14)


def test_the_larger_of_a_length_and_an_angle_is_told():
    """Beyond a quarter turn the sine may be the smaller."""
    m = welded(3.0, "xy")
    m.set("p", at_a=(0.2, 0), at_b=(-0.5, 0))
    assert "gap of 3 rad at 'p'" in str(m.report())
    m.set("p", at_a=(0.2, 0), at_b=(-0.5, 0), axes_b=0.1)
    assert "gap of 0.2 m at 'p'" in str(m.report())


def test_leftovers_of_angles_are_angles():
    """Two welds that differ by 1.2 rad, and one body between them: in the middle each lacks 0.6 rad."""
    m = bl.Mechanism(plane="xy")
    m.add_body("a", bl.rod((0, 0), (1, 0), mass=1.0))
    for name, turned in (("one", 0.6), ("other", -0.6)):
        m.add_joint(name, bl.Rigid(), m.ground, "a", at_a=(0, 0), at_b=(0, 0), axes_b=turned)
    with pytest.raises(AssemblyError, match=r"Left over: 'one' \(0\.6 rad\), 'other' \(0\.6 rad\)\."):
        m.simulate(1.0)


def test_leftovers_have_units():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    m.add_joint("turn", bl.ImposedRotation(angle=0.3), "ground", "rod", at=(0, 0))
    m.add_joint("other", bl.ImposedRotation(angle=0.5), "ground", "rod", at=(0, 0))
    with pytest.raises(ConflictError, match=r"Left over: 'turn' \(0.1 rad\), 'other' \(0.1 rad\)"):
        m.simulate(1.0)
    m.set("other", angle=bl.Polynomial(coefficients=(0.3, 2.0)))
    with pytest.raises(ConflictError, match=r"Left over: 'turn' \(1 rad/s\), 'other' \(1 rad/s\)"):
        m.simulate(1.0)
    m.remove("other")
    m.add_joint("rope", bl.Distance(length=2.0), "ground", "rod", at_a=(0, 0), at_b=(0.5, 0))
    with pytest.raises(AssemblyError, match=r"'rope' \([\d.]+ m\)"):
        m.simulate(1.0)
