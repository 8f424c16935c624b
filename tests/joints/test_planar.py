"""Planar joint of space: a puck on an inclined table, the same motion as in a planar mechanism, joint coordinates."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError
from bielle.mechanism.vectors import triad

MASS, CENTRE = 1.5, np.array([0.2, -0.1, 0.15])
INERTIA = (0.2, 0.25, 0.3, 0.02, -0.03, 0.01)
NORMAL = np.array([1.0, -2.0, 2.0]) / 3.0


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
def test_a_puck_on_an_inclined_table(coordinates):
    """The centre of mass flies on a parabola in the plane, the spin stays; the table carries what points at it, and no moment about z."""
    gravity = np.array([2.0, 1.0, -9.0])
    e1, e2, _ = triad(NORMAL).T
    start, spin = 1.2 * e1 - 0.4 * e2, 3.0
    velocity = start - np.cross(spin * NORMAL, CENTRE)  # of the origin, such that the centre has the velocity ``start``
    m = bl.Mechanism(gravity=gravity)
    m.add_body("puck", bl.rigid(MASS, CENTRE, INERTIA), velocity=velocity, angular_velocity=spin * NORMAL, coordinates=coordinates)
    m.add_joint("table", bl.Planar(axis=tuple(NORMAL)), m.ground, "puck", at=(0.3, 0.2, -0.1))
    report = m.report()
    assert (report.degrees_of_freedom, report.redundancies) == (3, [])
    run = m.simulate(1.5, bl.Central(rtol=1e-10, atol=1e-12))
    t = run.time[:, None]
    along = gravity - (gravity @ NORMAL) * NORMAL
    np.testing.assert_allclose(run["puck"].point(CENTRE).position, CENTRE + start * t + 0.5 * along * t**2, atol=1e-8)
    np.testing.assert_allclose(run["puck"].angular_velocity, np.broadcast_to(spin * NORMAL, (len(run), 3)), atol=1e-8)
    np.testing.assert_allclose(run["table"].angle, spin * run.time, atol=1e-8)
    force = run["table"].force()
    np.testing.assert_allclose(force, np.broadcast_to(-MASS * (gravity @ NORMAL) * NORMAL, force.shape), atol=1e-7)
    np.testing.assert_allclose(run["table"].moment() @ NORMAL, 0.0, atol=1e-8)
    assert run.violation.max() < 1e-11
    assert np.abs(run.energy.balance).max() < 1e-9 * run.energy.scale


def test_the_motion_of_a_planar_mechanism():
    """Two bodies in space on planar joints, tied by a spring and a hinge, move as the same two of a planar mechanism do."""
    runs = []
    for dim in (2, 3):
        m = bl.Mechanism(gravity=(0, -9.81, 0)[:dim], plane="xy" if dim == 2 else None)
        for i, place in enumerate([(0.5, 0.0, 0.0), (1.0, 0.4, 0.0)]):
            shape = bl.rigid(1.0 + i, (0.1, 0.0, 0.0)[:dim], 0.1 if dim == 2 else (0.05, 0.08, 0.1))
            m.add_body(f"b{i}", shape, position=place[:dim], velocity=(0.3, 1.0 - i, 0.0)[:dim])
            if dim == 3:
                m.add_joint(f"table {i}", bl.Planar(axis="z"), m.ground, f"b{i}", at=place)
        hinge = bl.Pin() if dim == 2 else bl.PointOnLine(axis="z")
        m.add_joint("hinge", hinge, "b0", "b1", at=(0.8, 0.3, 0.0)[:dim])
        spring = bl.Spring(stiffness=80.0, length=0.6)
        m.add_force("spring", spring, m.ground, "b0", at_a=(0.0, 0.5, 0.0)[:dim], at_b=(0.1, 0.2, 0.0)[:dim])
        runs.append(m.simulate(1.0, bl.Central(rtol=1e-10, atol=1e-12), samples=21))
    for name in ("b0", "b1"):
        flat, solid = runs[0][name], runs[1][name]
        np.testing.assert_allclose(solid.position[:, :2], flat.position, atol=1e-7)
        np.testing.assert_allclose(solid.position[:, 2], 0.0, atol=1e-11)
        np.testing.assert_allclose(solid.angular_velocity[:, 2], flat.angular_velocity, atol=1e-7)
    np.testing.assert_allclose(runs[0]["b1"].angle[-1], runs[1]["table 1"].angle[-1], atol=1e-7)


def test_joint_coordinates_are_those_of_the_results():
    """x, y along the first two axes of the joint, θ about the third."""
    m = bl.Mechanism()
    m.add_body("puck", bl.rigid(MASS, CENTRE, INERTIA), position=(0.3, 0.1, 0.2), orientation=bl.rotation((1, 1, 0), 0.4))
    m.add_joint("table", bl.Planar(axis=tuple(NORMAL)), m.ground, "puck", at=(0.5, -0.2, 0.1))
    model = m.recursive()
    assert (model.nq, model.nv) == (3, 3)
    q = np.array([0.4, -0.3, 0.7])
    pose = model.forward_kinematics(q)["puck"]
    moved = m.copy()
    joint = m.localised(m.joints["table"])
    moved.remove("table")
    moved.remove("puck")
    moved.add_body("puck", bl.rigid(MASS, CENTRE, INERTIA), position=pose.position, orientation=pose.rotation)
    moved.add_joint("table", joint.kind, joint.a, joint.b, at_a=joint.at_a, at_b=joint.at_b, axes_a=joint.axes_a, axes_b=joint.axes_b)
    seen = moved.simulate(1e-3, samples=2)["table"]
    np.testing.assert_allclose(seen.displacement[0], [0.4, -0.3, 0.0], atol=1e-12)
    assert seen.angle[0] == pytest.approx(0.7, abs=1e-12)


def test_it_belongs_to_space():
    m = bl.Mechanism(plane="xy")
    m.add_body("puck", bl.disc(0.1, mass=1.0))
    with pytest.raises(DescriptionError, match=r"joint 'table': .*Planar"):
        m.add_joint("table", bl.Planar(), m.ground, "puck", at=(0, 0))


def test_an_axis_that_is_none():
    m = bl.Mechanism()
    m.add_body("puck", bl.sphere(0.1, mass=1.0))
    with pytest.raises(DescriptionError, match=r"joint 'table': the axis must not be the zero vector, got \(0, 0, 0\)\. Give a direction"):
        m.add_joint("table", bl.Planar(axis=(0, 0, 0)), m.ground, "puck", at=(0, 0, 0))
