"""Rotors: armatures against closed formulas, in all solvers; forces on rotors, reactions, functions, edits, errors."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError

SOLVERS = {"central": bl.Central(), "recursive": bl.Recursive(), "modular": bl.Modular(step=2e-4)}
every_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
SPATIAL = {
    "revolute": bl.Revolute(axis=(0.2, -0.1, 1.0)),
    "prismatic": bl.Prismatic(axis=(1.0, 0.3, 0.2)),
    "helical": bl.Helical(axis=(0.0, 1.0, 0.4), pitch=0.3),
    "cylindrical": bl.Cylindrical(axis=(0.1, 1.0, 0.0)),
}
PLANAR = {"pin": bl.Pin(), "slider": bl.Slider(direction=(0.6, 0.8))}
KINDS = SPATIAL | PLANAR


def arm(kind, rotors=2, ratio=7.0, pushed=False):
    """Two links on a hinge, the second on a joint of some kind; a rotor on each, which may be pushed."""
    planar = isinstance(kind, bl.Pin | bl.Slider)
    m = bl.Mechanism(gravity=(0.5, -9.0) if planar else (0.5, -9.0, 1.0), plane="xy" if planar else None)
    lift = (lambda *x: x[:2]) if planar else (lambda *x: x)
    spin = 0.7 if planar else (0.0, 0.0, 0.7)
    m.add_body("upper", bl.rod(lift(0, 0, 0), lift(1, 0.2, 0), mass=2.0), velocity=lift(-0.07, 0.35, 0), angular_velocity=spin)
    m.add_body("lower", bl.rod(lift(1, 0.2, 0), lift(1.2, -0.8, 0.3), mass=1.5), velocity=lift(0.21, 0.77, 0), angular_velocity=spin)
    m.add_joint("shoulder", bl.Pin() if planar else bl.Revolute(), m.ground, "upper", at=lift(0, 0, 0))
    m.add_joint("elbow", kind, "upper", "lower", at=lift(1, 0.2, 0))
    for name, joint, inertia in (("first", "shoulder", 0.02), ("second", "elbow", 0.01))[2 - rotors :]:
        m.add_rotor(name, joint, inertia, ratio)
        if pushed:
            axis = np.array([0.3, 0.2, 0.5])
            m.add_force(f"{name} push", bl.Torque(torque=0.4 if planar else tuple(axis)), name)
    return m


@every_solver
@pytest.mark.parametrize("planar", [True, False])
def test_spinning_up(solver, planar):
    """α = τ/(I + ratio² J): a disc under a torque, with a rotor behind a gear."""
    m = bl.Mechanism(gravity=(0, 0) if planar else (0, 0, 0), plane="xy" if planar else None)
    at = (0.0, 0.0) if planar else (0.0, 0.0, 0.0)
    m.add_body("disc", bl.rigid(1.0, at, 0.3 if planar else (0.3,) * 3))
    m.add_joint("axle", bl.Pin() if planar else bl.Revolute(axis=(1.0, 2.0, 2.0)), m.ground, "disc", at=at)
    m.add_rotor("rotor", "axle", 0.002, ratio=-10.0)
    m.add_force("motor", bl.Motor(feedforward=1.3, stiffness=0.0, damping=0.0), joint="axle")
    run = m.simulate(0.5, solver, samples=11)
    alpha = 1.3 / (0.3 + 100.0 * 0.002)
    np.testing.assert_allclose(run["axle"].angle, 0.5 * alpha * run.time**2, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(run["rotor gear"].multipliers[:, 0], -10.0 * 0.002 * alpha, rtol=1e-7)
    np.testing.assert_allclose(run.energy.kinetic[-1], 0.5 * 0.5 * (0.5 * alpha) ** 2, rtol=1e-6)


@pytest.mark.parametrize("pushed", [False, True])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_solvers_agree(kind, pushed):
    """Motion, gears, reactions and energies: as armatures in joint coordinates, as gears and bodies in others."""
    m = arm(kind, pushed=pushed)
    central, recursive = (m.simulate(0.6, solver, samples=7) for solver in (bl.Central(), bl.Recursive()))
    for name in ("lower", "second"):
        np.testing.assert_allclose(recursive[name].position, central[name].position, atol=1e-7)
        np.testing.assert_allclose(recursive[name].angular_velocity, central[name].angular_velocity, atol=1e-6)
        np.testing.assert_allclose(recursive[name].acceleration, central[name].acceleration, atol=1e-5)
    for joint in ("shoulder", "elbow", "first bearing", "first gear", "second bearing", "second gear"):
        there = central[joint].multipliers
        np.testing.assert_allclose(recursive[joint].multipliers, there, atol=1e-6 * max(1.0, np.abs(there).max()), err_msg=joint)
    assert np.abs(recursive.energy.error).max() < 1e-6
    assert recursive.velocity_violation.max() < 1e-8


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_functions_have_armatures(kind):
    """Without rotors, and with the accelerations that the mechanism has with them."""
    m = arm(kind)
    model = m.recursive()
    assert {link.name for link in model.links} == {"upper", "lower"}
    expected = np.zeros(model.nv)
    expected[model.coordinates("shoulder")[1].start], expected[model.coordinates("elbow")[1].start] = 49 * 0.02, 49 * 0.01
    np.testing.assert_allclose(model.armature, expected, rtol=1e-14)
    q, v = model.described()
    a = model.aba(q, v, np.zeros(model.nv))
    start = m.simulate(1e-3, bl.Central(), samples=2)
    J = model.jacobian(q, "lower", "world_aligned")
    h = 1e-6
    drift = (model.jacobian(model.integrate(q, h * v), "lower", "world_aligned") - J) @ v / h
    np.testing.assert_allclose((J @ a + drift)[:3][: m.dim], start["lower"].acceleration[0], atol=1e-4)


@pytest.mark.parametrize("loops", ["projected", "stabilised"])
def test_in_a_loop(loops):
    """A four-bar linkage with rotors on all its joints, one of which no coordinate belongs to."""
    m = bl.Mechanism(gravity=(0, -9.81), plane="xy")
    places = [(0, 0), (0.3, 0.8), (1.5, 0.9), (1.2, 0)]
    for i, name in enumerate(("crank", "coupler", "rocker")):
        m.add_body(name, bl.rod(places[i], places[i + 1], mass=1.0 + i))
    ends = ["ground", "crank", "coupler", "rocker", "ground"]
    for i in range(4):
        m.add_joint(f"pin {i}", bl.Pin(), ends[i], ends[i + 1], at=places[i])
        m.add_rotor(f"rotor {i}", f"pin {i}", 0.03 * (i + 1), ratio=2.0)
    central, recursive = m.simulate(0.5, bl.Central(), samples=6), m.simulate(0.5, bl.Recursive(loops=loops), samples=6)
    np.testing.assert_allclose(recursive["coupler"].position, central["coupler"].position, atol=1e-7)
    for i in range(4):
        np.testing.assert_allclose(recursive[f"rotor {i} gear"].multipliers, central[f"rotor {i} gear"].multipliers, atol=1e-4)
    model = m.recursive()
    assert len(model.links) == 4  # three bars, and the rotor of the joint that closes the loop
    assert np.count_nonzero(model.armature) == 3


def test_a_rotor_that_something_holds_is_a_body():
    """Two joints geared to one rotor: a differential way to say a gear."""
    m = arm(bl.Revolute(), rotors=1)
    m.add_joint("also", bl.Gear(ratio=-7.0), "shoulder", "second bearing")
    assert {link.name for link in m.recursive().links} == {"upper", "lower", "second"}
    # elbow and shoulder turn oppositely from now on: velocities are made to fit
    central, recursive = m.simulate(0.4, bl.Central(), samples=5), m.simulate(0.4, bl.Recursive(), samples=5)
    np.testing.assert_allclose(recursive["lower"].position, central["lower"].position, atol=1e-7)
    np.testing.assert_allclose(recursive["elbow"].angle, -recursive["shoulder"].angle, atol=1e-8)


@every_solver
def test_while_it_runs(solver):
    """A rotor comes with the speed of the joint: nothing jumps, and its energy comes with it. It can go, and all of this be undone."""
    live = arm(bl.Revolute(), rotors=0).live(solver)
    live.advance(0.2)
    velocity = live["lower"].velocity
    live.add_rotor("late", "elbow", 0.05, ratio=3.0)
    np.testing.assert_allclose(live["lower"].velocity, velocity, atol=1e-9)
    speed = np.linalg.norm(live["late"].angular_velocity)
    assert speed > 0.1
    live.advance(0.2)
    live.remove("late", dependants=True)
    live.advance(0.1)
    run = live.result()
    kinetic = run.energy.kinetic[np.flatnonzero(run.time == 0.2)]
    np.testing.assert_allclose(kinetic.max() - kinetic.min(), 0.5 * 0.05 * speed**2, rtol=1e-6)
    assert np.abs(run.energy.error).max() < (1e-4 if isinstance(solver, bl.Modular) else 1e-7)
    live.undo()
    live.undo()
    assert "late" not in live.mechanism.bodies


def test_errors():
    m = arm(bl.Revolute(), rotors=0)
    with pytest.raises(DescriptionError, match="rotor 'r': the inertia must be positive, got -1"):
        m.add_rotor("r", "elbow", -1.0)
    with pytest.raises(DescriptionError, match="ratio must not be zero"):
        m.add_rotor("r", "elbow", 1.0, ratio=0.0)
    with pytest.raises(NamingError, match="rotor 'r': there is no joint named 'elbo'"):
        m.add_rotor("r", "elbo", 1.0)
    m.add_joint("ball", bl.Spherical(), m.ground, "lower", at=(2, 0, 0))
    with pytest.raises(DescriptionError, match="rotor 'r'.*'ball' is Spherical"):
        m.add_rotor("r", "ball", 1.0)
    m.add_frame("r gear", "upper", local=(0, 0, 0))
    count = len(m.bodies)
    with pytest.raises(NamingError, match="'r gear' is taken"):
        m.add_rotor("r", "elbow", 1.0)
    assert len(m.bodies) == count  # nothing is half added
