"""The report counts degrees of freedom, names redundant joints and says what to do."""

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
