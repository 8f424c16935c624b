"""Forces in self-contained form: the same tables and the same motion, wherever their bodies are described, or stand now."""

import msgspec
import numpy as np
import pytest
from force_rig import Bench, attachments, body_kinds, simulate
from test_force_contract import SAMPLES

from bielle.forces import JointDamping, LinearMotor, Motor, Spring, TorsionSpring
from bielle.joints import Cylindrical, Pin, Revolute, Slider
from bielle.kernels import slots
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import rigid
from bielle.mechanism.vectors import matrix_to_quaternion
from bielle.model import compile_mechanism


def moved(bench):
    """The same mechanism, described where the bench's bodies have got to."""
    m = bench.m.copy()
    for name, body in m.bodies.items():
        pose = bench.pose[name]
        orientation = pose.angle() if m.planar else tuple(matrix_to_quaternion(pose.rotation))
        m.bodies[name] = msgspec.structs.replace(body, position=tuple(pose.position[: m.dim]), orientation=orientation)
    return m


def with_force(m, force):
    other = m.copy()
    other.forces[force.name] = force
    return other


def same_tables(m, other):
    one, two = compile_mechanism(m)[0].arrays, compile_mechanism(other)[0].arrays
    for name in ("elem_body", "elem_point", "joint_e", "joint_c", "joint_p", "force_e", "force_p"):
        assert np.array_equal(one[name], two[name]), name
    for name in ("elem_p", "param"):
        scale = np.abs(one[name][np.isfinite(one[name])]).max(initial=1.0)  # a motor without a limit has an infinite one
        np.testing.assert_allclose(two[name], one[name], rtol=0, atol=1e-14 * scale, err_msg=name)


def same_motion(m, other):
    ends = []
    for each in (m, other):
        w = simulate(each, 1e-3, 0.02)
        assert w.status[slots.ST_CODE] == slots.CODE_OK
        ends.append(np.concatenate([w.q, w.v]))
    np.testing.assert_allclose(ends[1], ends[0], rtol=0, atol=1e-11 * np.abs(ends[0]).max())  # rounding, over twenty steps


def check(bench, *, motion=False):
    m, force, there = bench.m, bench.m.forces["force"], moved(bench)
    made, now = m.localised(force), m.localised(force, bench.pose.__getitem__)
    assert made.at is None
    assert m.localised(made) == made
    same_tables(m, with_force(m, made))
    same_tables(m, with_force(there, made))
    same_tables(there, with_force(m, now))
    if motion:
        same_motion(m, with_force(m, made))


@pytest.mark.parametrize(("kind", "dim"), SAMPLES)
def test_between_bodies_and_frames(kind, dim):
    chosen = {*body_kinds(dim)[:2], "ground", None}
    for kinds in attachments(kind, dim):
        if len({*kinds} & chosen) == 2:  # of different kinds
            check(Bench(kind, dim, kinds), motion=True)
            check(Bench(kind, dim, kinds, frames=True))


@pytest.mark.parametrize(("kind", "dim"), [sample for sample in SAMPLES if not isinstance(sample.values[0], Spring)])
def test_at_a_world_point(kind, dim):
    """Also on frames, whose place the world point overrides."""
    kinds = (body_kinds(dim)[0], None if kind.attachment == "one" else body_kinds(dim)[1])
    for frames in (False, True):
        bench = Bench(kind, dim, kinds, frames=frames)
        bench.m.remove("force")
        bench.m.add_force("force", kind, *bench.places, at=(0.3, -0.2, 0.7)[:dim])
        check(bench, motion=not frames)


JOINTS = {2: [Pin(), Slider(direction=0.4)], 3: [Revolute(axis=(1.0, -2.0, 2.0)), Cylindrical(axis="y")]}
OF_THE_JOINT = [
    (kind, dim)
    for dim in (2, 3)
    for kind in (TorsionSpring(stiffness=3.0), TorsionSpring(stiffness=3.0, angle=0.2), Motor(target=1.0, stiffness=2.0))
]
OF_THE_JOINT += [(JointDamping(coefficient=1.0, translational=2.0), dim) for dim in (2, 3)]
OF_THE_JOINT += [sample.values for sample in SAMPLES if sample.values[0].attachment in ("joint", "any")]


@pytest.mark.parametrize("localise_joint", [False, True])
@pytest.mark.parametrize(("kind", "dim"), OF_THE_JOINT)
def test_in_a_joint(kind, dim, localise_joint):
    """The force follows the joint, which stays where it was described also if its bodies have moved since."""
    for joint in JOINTS[dim]:
        bench = Bench(JointDamping(coefficient=1.0), dim, tuple(body_kinds(dim)[:2]))
        m = bench.m
        m.remove("force")
        m.add_joint("j", joint, "a", "b", at=(0.3, -0.2, 0.7)[:dim])
        if localise_joint:
            m.joints["j"] = m.localised(m.joints["j"])
        force = m.add_force("force", kind, joint="j")
        made, now = m.localised(force), m.localised(force, bench.pose.__getitem__)
        assert made.joint == now.joint == "j"
        assert made.a is made.at_a is made.axes_a is None
        same_tables(m, with_force(m, made))
        same_motion(m, with_force(m, made))
        there = moved(bench)
        there.joints["j"] = m.localised(m.joints["j"])  # held by the same places of the same bodies
        same_tables(there, with_force(there, now))


def test_a_linear_motor_in_a_joint_takes_its_axis():
    m = Mechanism(plane="xy")
    m.add_body("cart", rigid(1.0, (0.0, 0.0), 0.1), orientation=0.7)
    m.add_joint("rails", Slider(direction=0.4), "ground", "cart", at=(0.0, 0.0))
    force = m.add_force("motor", LinearMotor(target=1.0, stiffness=2.0), joint="rails")
    m.joints["rails"] = m.localised(m.joints["rails"])
    assert m.localised(force) == force
    a, b = m.markers(force)
    np.testing.assert_allclose(a.axis[:2], [np.cos(0.4), np.sin(0.4)], atol=1e-15)
    np.testing.assert_allclose(b.basis, np.array([[np.cos(0.7), np.sin(0.7), 0], [-np.sin(0.7), np.cos(0.7), 0], [0, 0, 1]]), atol=1e-15)


def test_what_is_taken_from_the_configuration_becomes_a_number():
    m = Mechanism(plane="xy")
    m.add_body("arm", rigid(1.0, (0.0, 0.0), 0.1), position=(3.0, 4.0), orientation=0.5)
    m.add_frame("turned", "arm", local=(0.0, 0.0), orientation=0.25)
    spring = m.add_force("spring", Spring(stiffness=1.0), "ground", "arm", at_a=(0, 0), at_b=(0, 0))
    assert m.localised(spring).kind == Spring(stiffness=1.0, length=5.0)
    twist = m.add_force("twist", TorsionSpring(stiffness=1.0), "ground", "turned")
    assert m.localised(twist).kind.angle == pytest.approx(0.75, abs=1e-15)
    given = TorsionSpring(stiffness=1.0, angle=9.0)
    assert m.localised(m.add_force("given", given, "ground", "turned")).kind == given
