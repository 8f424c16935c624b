"""Imposed motions: where they lead, what they cost, what they refuse."""

import math

import numpy as np
import pytest
from rig import Scene, close
from scipy.spatial.transform import Rotation

from bielle.errors import DescriptionError
from bielle.joints import ImposedBody, ImposedPoint, ImposedRotation, ImposedTranslation, Pin, Prismatic, Revolute, Slider
from bielle.kernels import slots
from bielle.mechanism.functions import Function, Harmonic, Polynomial, Table
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import rigid, rod
from bielle.model import compile_mechanism

PLANAR, SPATIAL = ("planar", "bar"), ("spatial", "natural")
PATH = (Harmonic(amplitude=0.1, frequency=2.0), Polynomial(coefficients=(0.5, 0.3)), Harmonic(amplitude=0.2, frequency=1.0, offset=0.1))


def crank(coordinates, angle):
    """A rod of 0.5 m and 2 kg along x that hangs on the ground at the origin and is turned as ``angle`` says."""
    if coordinates in PLANAR:
        m = Mechanism(plane="xy")
        m.add_body("rod", rod((0, 0), (0.5, 0), mass=2.0), coordinates=coordinates)
        m.add_joint("hinge", Pin(), "ground", "rod", at=(0, 0))
        m.add_joint("motor", ImposedRotation(angle=angle), "ground", "rod", at=(0, 0))
    else:
        m = Mechanism((0, -9.81, 0))
        m.add_body("rod", rod((0, 0, 0), (0.5, 0, 0), mass=2.0), coordinates=coordinates)
        m.add_joint("hinge", Revolute(), "ground", "rod", at=(0, 0, 0))
        m.add_joint("motor", ImposedRotation(angle=angle), "ground", "rod", at=(0, 0, 0))
    return Scene(m, 0)


def turned_by(scene):
    """Angle of the rod from its described position, modulo whole turns."""
    x = scene.pose("rod").rotation[:, 0]
    return math.atan2(x[1], x[0])


@pytest.mark.parametrize("coordinates", PLANAR + SPATIAL)
def test_many_turns(coordinates):
    angle = Polynomial(coefficients=(0.0, 3.0, 8.0))  # three turns in one second and a half
    scene = crank(coordinates, angle)
    scene.assemble()
    scene.simulate(1.5)
    expected = 3.0 * 1.5 + 8.0 * 1.5**2
    assert expected > 6 * math.pi
    error = (turned_by(scene) - expected + math.pi) % (2 * math.pi) - math.pi
    assert abs(error) < 1e-12  # the projection at each step puts it there


@pytest.mark.parametrize("coordinates", PLANAR + SPATIAL)
@pytest.mark.parametrize("angle", [2.5, -2.5, 1.6, 7.0])
def test_assembly_takes_the_right_branch(coordinates, angle):
    scene = crank(coordinates, angle)
    scene.assemble()
    assert math.cos(turned_by(scene) - angle) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("coordinates", PLANAR + SPATIAL)
def test_the_multiplier_is_the_torque(coordinates):
    scene = crank(coordinates, Polynomial(coefficients=(0.3, 2.0, 2.5)))
    scene.assemble()
    scene.w.accelerate()
    inertia, arm = 2.0 * 0.5**2 / 3, 0.25
    torque = inertia * 5.0 + 2.0 * 9.81 * arm * math.cos(0.3)
    assert scene.w.lam[scene.model.joints["motor"].equations] == pytest.approx(torque, rel=1e-10)


def lump(plane):
    """A body whose centre of mass is not its origin."""
    return rigid(1.0, (0.2, 0), 0.1) if plane else rigid(1.0, (0.2, 0, 0), (0.1, 0.12, 0.15))


def sliding(plane):
    """A body that a drive pushes along an inclined guide of another body, which swings."""
    m = Mechanism(plane="xy" if plane else None)
    dim = m.dim
    direction = (3.0, 4.0, 1.0)[:dim]
    m.add_body("arm", lump(plane))
    m.add_body("block", lump(plane), position=(0.3, 0.1, 0.2)[:dim])
    m.add_joint("hinge", Pin() if plane else Revolute(axis="y"), "ground", "arm", at=(0.0,) * dim)
    m.add_joint("guide", Slider(direction=direction) if plane else Prismatic(axis=direction), "arm", "block", at=(0.3, 0.1, 0.2)[:dim])
    drive = ImposedTranslation(displacement=Harmonic(amplitude=0.1, frequency=2.0), axis=direction)
    m.add_joint("drive", drive, "arm", "block", at=(0.3, 0.1, 0.2)[:dim])
    return Scene(m, 0)


def pushed(plane):
    """A free body one point of which is moved."""
    m = Mechanism(plane="xy" if plane else None)
    m.add_body("b", lump(plane))
    m.add_joint("drive", ImposedPoint(path=PATH[: m.dim]), "ground", "b", at=(0.0,) * m.dim)
    return Scene(m, 0)


def carried(plane):
    """A body that is moved altogether and on which another one swings."""
    m = Mechanism(plane="xy" if plane else None)
    for name in ("b", "c"):
        m.add_body(name, lump(plane))
    m.add_joint("hinge", Pin() if plane else Revolute(axis="y"), "b", "c", at=(0.1, 0.0, 0.0)[: m.dim])
    drive = ImposedBody(position=PATH[: m.dim], angle=Polynomial(coefficients=(0.1, 2.0)), axis=(1.0, 2.0, 2.0))
    m.add_joint("drive", drive, "ground", "b", at=(0.0,) * m.dim)
    return Scene(m, 0)


@pytest.mark.parametrize("plane", [True, False], ids=["planar", "spatial"])
@pytest.mark.parametrize("build", [sliding, pushed, carried])
def test_the_drive_brings_the_energy(build, plane):
    """RK4 leaves h⁴ with rates of 2π·2 Hz and their like: (12 h)⁴ = 2e-8 of the energy that is moved, for each unit of time."""
    scene = build(plane)
    scene.assemble()
    before = scene.energy()
    scene.simulate(0.3)
    gained = scene.energy() - before
    assert abs(gained) > 0.05
    assert scene.w.work[1] == pytest.approx(gained, abs=1e-8)
    assert scene.w.work[0] == scene.w.work[2] == 0.0


@pytest.mark.parametrize("coordinates", SPATIAL)
def test_imposed_body_is_where_it_is_told(coordinates):
    m = Mechanism()
    place, axis, start = (0.1, -0.2, 0.3), np.array([1.0, -2.0, 2.0]) / 3, Rotation.from_rotvec([0.3, 0.4, -0.2])
    x, y, z = (lambda t: 0.1 + t), (lambda t: -0.2 + math.sin(t)), Polynomial(coefficients=(0.3, 0.0, 2.0))
    m.add_body("b", lump(False), orientation=start.as_matrix(), coordinates=coordinates)
    drive = ImposedBody(position=(x, y, z), angle=Harmonic(amplitude=3.0, frequency=0.5), axis=tuple(axis))
    m.add_joint("drive", drive, "ground", "b", at=place)
    scene = Scene(m, 0)
    scene.assemble()
    scene.simulate(0.4)
    pose = scene.pose("b")
    expected = Rotation.from_rotvec(3.0 * math.sin(math.pi * 0.4) * axis) * start
    close(pose.rotation, expected.as_matrix(), 1e-12)
    close(pose.point(start.as_matrix().T @ place), (x(0.4), y(0.4), 0.3 + 2 * 0.16), 1e-12)


def test_a_free_coordinate_is_free():
    m = Mechanism(plane="xy")
    m.add_body("b", rigid(1.0, (0, 0), 0.1))
    m.add_joint("lift", ImposedPoint(path=(Polynomial(coefficients=(0.0, 1.0)), None)), "ground", "b", at=(0, 0))
    scene = Scene(m, 0)
    scene.assemble()
    scene.simulate(0.5)
    close(scene.pose("b").position[:2], (0.5, -0.5 * 9.81 * 0.25), 1e-12)


@pytest.mark.parametrize(
    "angle",
    [
        lambda t: 0.2 + 3 * t**2,
        Function(lambda t: 0.2 + 3 * t**2, lambda t: 6 * t),
        Function(lambda t: 0.2 + 3 * t**2, lambda t: 6 * t, lambda t: 6.0),
    ],
)
def test_callables(angle):
    """Derivatives of a callable are differences of fourth order with a step of 1e-3: exact for a parabola but for rounding, u/h²."""
    scene, reference = crank("planar", angle), crank("planar", Polynomial(coefficients=(0.2, 0.0, 3.0)))
    for each in (scene, reference):
        each.assemble()
        each.simulate(0.2)
        each.w.accelerate()
    close(scene.w.q, reference.w.q, 1e-12)
    close(scene.w.lam, reference.w.lam, 1e-8)


def test_tables():
    t = np.linspace(0, 1, 6)
    scene = crank("planar", (t, 2 * t))
    assert scene.mechanism.joints["motor"].kind.angle == Table(x=tuple(t), y=tuple(2 * t))
    scene.w.scalar[slots.S_TIME] = 0.35
    scene.assemble()
    assert turned_by(scene) == pytest.approx(0.7, abs=1e-12)
    assert scene.twist("rod").angular[2] == pytest.approx(2.0, abs=1e-12)


def test_an_axis_of_another_dimension_is_refused():
    m = Mechanism(plane="xy")
    m.add_body("b", rigid(1.0, (0, 0), 0.1))
    m.add_joint("push", ImposedTranslation(displacement=0.0, axis="z"), "ground", "b", at=(0, 0))
    with pytest.raises(DescriptionError, match=r"joint 'push': the axis must be 'x', 'y'"):
        compile_mechanism(m)
    with pytest.raises(DescriptionError, match="zero vector"):
        m.add_joint("pull", ImposedTranslation(displacement=0.0, axis=(0.0, 0.0)), "ground", "b", at=(0, 0))


@pytest.mark.parametrize(
    ("kind", "a", "message"),
    [
        (ImposedPoint(path=(0.0, 0.0, 0.0)), "ground", "joint 'drive': the mechanism has 2 coordinates, but the motion gives 3"),
        (ImposedPoint(path=(0.0, None)), "a", "joint 'drive': .*must be the ground, got 'a'"),
        (ImposedBody(position=(0.0, 0.0)), "a", "joint 'drive': .*must be the ground, got 'a'"),
    ],
)
def test_where_imposed_points_and_bodies_do_not_belong(kind, a, message):
    m = Mechanism(plane="xy")
    for name in "ab":
        m.add_body(name, rigid(1.0, (0, 0), 0.1))
    with pytest.raises(DescriptionError, match=message):
        m.add_joint("drive", kind, a, "b", at=(0, 0))
        compile_mechanism(m)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ImposedPoint(path=(None, None)), "at least one coordinate"),
        (lambda: ImposedPoint(path=0.3), "two in the plane, three in space"),
        (lambda: ImposedPoint(path=(0.0,)), "two in the plane, three in space"),
        (lambda: ImposedPoint(path=(0.0, "away")), r"ImposedPoint.path\[1\] must be a number"),
        (lambda: ImposedBody(position=(None, 0.0)), "must say every coordinate"),
        (lambda: ImposedRotation(angle="fast"), "ImposedRotation.angle must be a number"),
    ],
)
def test_what_is_no_motion(make, message):
    with pytest.raises(DescriptionError, match=message):
        make()
