"""Initial assembly finds what is near, honours what is held, and explains itself when it cannot."""

import numpy as np
import pytest

import bielle as bl
from bielle.analysis.assembly import assemble
from bielle.errors import AssemblyError, AssemblyWarning, ConflictError, NamingError
from bielle.model import compile_mechanism


def assembled(m, hold=()):
    model, state = compile_mechanism(m)
    result = assemble(m, model, state, tuple(hold))
    return {name: row.kind.pose(result.state.q[row.q]) for name, row in model.bodies.items()}, result


def sloppy_four_bar(coordinates="planar"):
    """Four-bar drawn by hand: gaps of centimetres at every pin."""
    m = bl.Mechanism(plane="xy")
    m.add_body("crank", bl.rod((0, 0), (0.1, 1.0), mass=1.0), coordinates=coordinates)
    m.add_body("coupler", bl.rod((0.05, 1.02), (2.1, 1.5), mass=1.0), coordinates=coordinates)
    m.add_body("rocker", bl.rod((2.0, 0.03), (2.05, 1.45), mass=1.0), coordinates=coordinates)
    ends = {n: np.linalg.norm(np.subtract(m.bodies[n].shape.end, m.bodies[n].shape.start)) / 2 for n in m.bodies}
    m.add_joint("A", bl.Pin(), m.ground, "crank", at_a=(0, 0), at_b=(-ends["crank"], 0))
    m.add_joint("B", bl.Pin(), "crank", "coupler", at_a=(ends["crank"], 0), at_b=(-ends["coupler"], 0))
    m.add_joint("C", bl.Pin(), "coupler", "rocker", at_a=(ends["coupler"], 0), at_b=(ends["rocker"], 0))
    m.add_joint("D", bl.Pin(), m.ground, "rocker", at_a=(2, 0), at_b=(-ends["rocker"], 0))
    return m


@pytest.mark.parametrize("coordinates", ["planar", "bar"])
def test_gaps_are_closed_nearby(coordinates):
    _, result = assembled(sloppy_four_bar(coordinates))
    assert result.gap > 0.02
    assert result.residual < 1e-11
    assert result.moved < 0.2
    run = sloppy_four_bar(coordinates).simulate(0.5)
    assert run.violation.max() < 1e-9


@pytest.mark.parametrize("inertia", [1e-2, 1e6])
def test_a_rotor_that_is_heavy_to_turn_does_not_make_a_mechanism_large(inertia):
    """A small gap is closed to the rounding of a mechanism of 0.2 m, whatever a rotor without extent would be as a ring."""
    m = bl.Mechanism(plane="xy")
    points = [(0.0, 0.0), (0.0, 0.1), (0.2, 0.1), (0.2, 0.0)]
    for name, start, end in zip("abc", points, points[1:]):
        m.add_body(name, bl.rod(start, end, mass=0.1))
    for a, b, at in (("ground", "a", points[0]), ("a", "b", points[1]), ("b", "c", points[2])):
        m.add_joint(f"{a} {b}", bl.Pin(), a, b, at=at)
    m.add_joint("open", bl.Pin(), "ground", "c", at_a=(0.2 + 1e-8, 0.0), at_b=(0.05, 0.0))
    m.add_rotor("rotor", "ground a", inertia=inertia)
    found = assemble(m, *compile_mechanism(m))
    assert found.gap == pytest.approx(1e-8)
    assert found.residual < 1e-12 * 0.2


def test_a_body_of_which_nothing_but_its_inertia_is_known():
    m = bl.Mechanism()
    m.add_body("wheel", bl.rigid(1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.5)), orientation=bl.rotation("x", 1e-3))
    m.add_joint("axle", bl.Revolute(axis="z"), m.ground, "wheel", at_a=(0, 0, 0), at_b=(0, 0, 0), axes_a=(1, 0, 0, 0), axes_b=(1, 0, 0, 0))
    assert assemble(m, *compile_mechanism(m)).residual < 1e-12


def test_held_bodies_do_not_move():
    m = sloppy_four_bar()
    poses, result = assembled(m, hold=["crank"])
    assert result.residual < 1e-11
    # the foot of the crank is on its ground pin already, so holding it is possible
    assert np.allclose(poses["crank"][0][:2], m.bodies["crank"].position, atol=1e-14)
    free, _ = assembled(m)
    assert not np.allclose(free["crank"][0][:2], m.bodies["crank"].position, atol=1e-4)


def test_unknown_body_to_hold():
    with pytest.raises(NamingError, match="Did you mean 'crank'"):
        assembled(sloppy_four_bar(), hold=["crnk"])


def test_velocities_are_made_consistent():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0), angular_velocity=2.0)  # of its centre nothing is said
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    run = m.simulate(0.01)
    omega, velocity = run["rod"].angular_velocity[0], run["rod"].velocity[0]
    assert velocity[1] == pytest.approx(0.5 * omega, abs=1e-12)
    assert omega == pytest.approx(2.0, rel=1e-9)  # what was not given yields to what was


def test_given_velocities_that_disagree_meet_in_the_metric_of_the_mass():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0), velocity=(0, 0), angular_velocity=2.0)
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    # angular momentum about the pivot is kept: I_G ω = (mL²/3) ω'
    assert m.simulate(0.01)["rod"].angular_velocity[0] == pytest.approx(2.0 * (1 / 12) / (1 / 3), rel=1e-9)


def test_velocities_that_were_not_given_follow():
    """Only the crank's speed is given; coupler and rocker take what the loop makes of it."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    points = [(0, 0), (0.2, 1.0), (2.1, 1.5), (2, 0)]
    for i, name in enumerate(("crank", "coupler", "rocker")):
        m.add_body(name, bl.rod(points[i], points[i + 1], mass=1.0), angular_velocity=3.0 if i == 0 else None)
    m.add_joint("A", bl.Pin(), m.ground, "crank", at=points[0])
    m.add_joint("B", bl.Pin(), "crank", "coupler", at=points[1])
    m.add_joint("C", bl.Pin(), "coupler", "rocker", at=points[2])
    m.add_joint("D", bl.Pin(), m.ground, "rocker", at=points[3])
    run = m.simulate(0.01)
    assert run["crank"].angular_velocity[0] == pytest.approx(3.0, rel=1e-9)
    assert abs(run["rocker"].angular_velocity[0]) > 0.5


def test_too_short_bars_cannot_be_assembled():
    m = bl.Mechanism(plane="xy")
    m.add_body("left", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("right", bl.rod((2, 0), (3, 0), mass=1.0))
    m.add_joint("foot", bl.Pin(), m.ground, "left", at=(0, 0))
    m.add_joint("end", bl.Pin(), m.ground, "right", at=(3, 0))
    m.add_joint("middle", bl.Pin(), "left", "right", at_a=(0.5, 0), at_b=(-0.5, 0))
    before = m.copy()
    with pytest.raises(AssemblyError, match=r"cannot be assembled.*'middle'.*\(0\.\d+ m\).*Check lengths"):
        m.simulate(1.0)
    assert m == before
    report = m.report()
    assert not report.ok
    assert report.gaps["middle"] == pytest.approx(1.0)


def test_conflicting_imposed_motions_are_named():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_joint("slow", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0.0, 1.0))), m.ground, "rod", at=(0, 0))
    m.add_joint("fast", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0.0, 2.0))), m.ground, "rod", at=(0, 0))
    with pytest.raises(ConflictError, match=r"imposed motion of '(slow|fast)'.*contradicts.*Remove one"):
        m.simulate(1.0)


def test_spatial_assembly_from_far():
    """A universal-joint shaft laid out with its parts turned and shifted."""
    m = bl.Mechanism()
    m.add_body("a", bl.cylinder((0, 0, 0), (1, 0, 0), 0.05, mass=1.0))
    m.add_body("b", bl.cylinder((0, 0, 0), (1, 0, 0), 0.05, mass=1.0), position=(1.8, 0.3, -0.2), orientation=bl.rotation((0, 1, 1), 0.4))
    m.add_joint("bearing", bl.Revolute(axis="x"), m.ground, "a", at=(0, 0, 0))
    m.add_frame("end of a", "a", local=(0.5, 0, 0))
    m.add_frame("start of b", "b", local=(-0.5, 0, 0))
    m.add_joint("cross", bl.Universal(axis_a="y", axis_b="z"), "end of a", "start of b")
    _, result = assembled(m)
    assert result.gap > 0.1
    assert result.residual < 1e-11


def hanging_rod(**start):
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (0, -1), mass=1.0), **start)
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    return m


def test_a_start_velocity_that_joints_forbid_is_told():
    """Half of it is along the rod, where the pivot holds."""
    words = r"'rod': velocity \(1, 0.5\) was given, \(1, 0\) m/s is left"
    for start in (lambda m: m.simulate(0.1), lambda m: m.live()):
        with pytest.warns(AssemblyWarning, match=words):
            start(hanging_rod(velocity=(1.0, 0.5)))
    assert "(1, 0.5) was given, (1, 0) m/s is left" in str(hanging_rod(velocity=(1.0, 0.5)).report())


def test_a_start_velocity_that_joints_allow_is_not():
    hanging_rod(angular_velocity=2.0).simulate(0.1)
    hanging_rod(velocity=(0.0, 0.0)).simulate(0.1)
