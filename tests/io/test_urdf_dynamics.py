"""What a robot weighs and how it moves: against Pinocchio, against formulas, and after a round trip through files."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.io.robot import quaternion_of_rpy
from bielle.io.writing import rpy_of
from bielle.mechanism.vectors import quaternion_to_matrix

from .robots import ARM, CAMERA, random_robot

HAND_WRITTEN = {"arm": ARM, "camera": CAMERA}
RANDOM = [*range(12)]


def moving(mechanism):
    """The names of joints with one coordinate, in the order of the recursive model."""
    return [name for name, joint in mechanism.joints.items() if joint.kind.motion in ("revolute", "prismatic")]


def compare_with_pinocchio(urdf, seed, free=False, **options):
    """Mass matrix, bias forces and accelerations at a random state; to 1e-10 of their size."""
    import pinocchio as pin

    mechanism = bl.load_urdf(urdf, base="free" if free else "fixed", **options)
    model = mechanism.recursive()
    other = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer()) if free else pin.buildModelFromXML(urdf)
    data = other.createData()
    assert model.nv == other.nv
    rng = np.random.default_rng(seed)
    q, v, tau = model.neutral(), np.zeros(model.nv), rng.normal(size=other.nv)
    pq, pv, order = pin.neutral(other), np.zeros(other.nv), np.zeros(other.nv, dtype=int)

    def put(ours, theirs, values, as_theirs, rates):
        at_q, at_v = model.coordinates(ours)
        joint = other.joints[other.getJointId(theirs)]
        q[at_q], v[at_v] = values, rates
        pq[joint.idx_q : joint.idx_q + joint.nq], pv[joint.idx_v : joint.idx_v + joint.nv] = as_theirs, rates
        order[joint.idx_v : joint.idx_v + joint.nv] = range(at_v.start, at_v.stop)

    for name in moving(mechanism):
        value = rng.uniform(-2, 2)
        continuous = other.joints[other.getJointId(name)].nq == 2
        put(name, name, value, (math.cos(value), math.sin(value)) if continuous else value, rng.normal())
    if free:
        place, turn = rng.normal(size=3), rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        put("l0", "root_joint", [*place, *turn], [*place, *turn[1:], turn[0]], rng.normal(size=6))
    M = np.triu(pin.crba(other, data, pq))
    M = M + np.triu(M, 1).T
    h = pin.nonLinearEffects(other, data, pq, pv)
    close(model.crba(q)[np.ix_(order, order)], M)
    close(model.bias_forces(q, v)[order], h)
    ours = np.zeros(model.nv)
    ours[order] = tau
    close(model.aba(q, v, ours)[order], pin.aba(other, data, pq, pv, tau))
    return mechanism


def close(found, expected, tolerance=1e-10):
    assert np.abs(found - expected).max() <= tolerance * (1.0 + np.abs(expected).max())


@pytest.mark.peers
@pytest.mark.parametrize("merge", [False, True], ids=["bodies", "merged"])
@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_hand_written_robots_move_as_pinocchio_says(name, merge):
    for seed in range(5):
        compare_with_pinocchio(HAND_WRITTEN[name], seed, merge_fixed=merge)


@pytest.mark.peers
@pytest.mark.parametrize("merge", [False, True], ids=["bodies", "merged"])
@pytest.mark.parametrize("seed", RANDOM)
def test_random_robots_move_as_pinocchio_says(seed, merge):
    compare_with_pinocchio(random_robot(seed), seed, merge_fixed=merge)


@pytest.mark.peers
@pytest.mark.parametrize("seed", RANDOM)
def test_floating_robots_move_as_pinocchio_says(seed):
    compare_with_pinocchio(random_robot(seed), seed, free=True)


def test_the_torque_that_holds_a_pendulum_is_that_of_the_textbook():
    """Rods of 2 kg and 1 kg, 0.5 m and 0.4 m long, in a vertical plane: τ₂ = m₂ g b/2 cos, τ₁ = (m₁ a/2 + m₂ a) g cos + τ₂."""
    rod = '<inertial><origin xyz="{0} 0 0"/><mass value="{1}"/><inertia ixx="1e-4" iyy="{2}" izz="{2}"/></inertial>'
    urdf = f"""<robot name="double pendulum"><link name="base"/>
      <link name="a">{rod.format(0.25, 2, 2 * 0.25 / 12)}</link><link name="b">{rod.format(0.2, 1, 0.16 / 12)}</link>
      <joint name="one" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 -1 0"/></joint>
      <joint name="two" type="continuous"><origin xyz="0.5 0 0"/><parent link="a"/><child link="b"/><axis xyz="0 -1 0"/></joint>
    </robot>"""
    model = bl.load_urdf(urdf).recursive()
    q = np.zeros(2)
    (one, _), (two, _) = model.coordinates("one"), model.coordinates("two")
    q[one], q[two] = 0.3, 0.4
    second = 9.81 * 1 * 0.2 * math.cos(0.7)
    first = 9.81 * (2 * 0.25 + 1 * 0.5) * math.cos(0.3) + second
    tau = model.gravity_forces(q)
    assert tau[one] == pytest.approx(first, rel=1e-13)
    assert tau[two] == pytest.approx(second, rel=1e-13)


# -- round trips


def same_dynamics(one, other, seed=0):
    """rnea, crba and aba of two mechanisms at random states, joint by joint, to 1e-12 of their size."""
    a, b = one.recursive(), other.recursive()
    assert (a.nq, a.nv) == (b.nq, b.nv)
    rng = np.random.default_rng(seed)
    q, v, acceleration = a.integrate(a.neutral(), rng.normal(size=a.nv)), rng.normal(size=a.nv), rng.normal(size=a.nv)
    to_q, to_v = np.zeros(b.nq, dtype=int), np.zeros(b.nv, dtype=int)
    for link in b.links:
        (q_a, v_a), (q_b, v_b) = a.coordinates(link.joint), b.coordinates(link.joint)
        to_q[q_b], to_v[v_b] = np.arange(a.nq)[q_a], np.arange(a.nv)[v_a]
    tau, M = a.rnea(q, v, acceleration), a.crba(q)
    close(b.rnea(q[to_q], v[to_v], acceleration[to_v]), tau[to_v], 1e-12)
    close(b.crba(q[to_q]), M[np.ix_(to_v, to_v)], 1e-12)
    close(b.aba(q[to_q], v[to_v], tau[to_v]), acceleration[to_v], 1e-12)


@pytest.mark.parametrize("options", [{}, {"merge_fixed": True}, {"base": "free"}], ids=["fixed", "merged", "free"])
@pytest.mark.parametrize(
    "urdf",
    [ARM, *map(random_robot, RANDOM), *(random_robot(seed, types=("planar", "continuous", "floating")) for seed in range(3))],
    ids=["arm", *map(str, RANDOM), *(f"planar {seed}" for seed in range(3))],
)
def test_a_round_trip_keeps_the_dynamics(urdf, options, tmp_path):
    before = bl.load_urdf(urdf, **options)
    bl.save_urdf(before, tmp_path / "robot.urdf")
    after = bl.load_urdf(tmp_path / "robot.urdf", merge_fixed=options.get("merge_fixed", False))
    assert after.bodies.keys() == before.bodies.keys()
    assert after.joints.keys() == before.joints.keys()
    same_dynamics(before, after)


def test_a_second_round_trip_changes_nothing_more(tmp_path):
    """A file that was written is written again as it is, but for the last bits of angles."""
    for step in range(3):
        m = bl.load_urdf(ARM if step == 0 else tmp_path / f"{step}.urdf")
        m.save(tmp_path / f"{step + 1}.urdf")
    second, third = (bl.load(tmp_path / f"{i}.urdf") for i in (2, 3))
    assert second.bodies.keys() == third.bodies.keys()
    for name in second.bodies:
        a, b = second.bodies[name], third.bodies[name]
        assert a.shape == b.shape
        assert np.allclose(a.orientation, b.orientation, rtol=0, atol=1e-15)
        for x, y in zip((*a.visuals, *a.collisions), (*b.visuals, *b.collisions), strict=True):
            assert (type(x), x.position, x.color) == (type(y), y.position, y.color)
            assert np.allclose(x.orientation, y.orientation, rtol=0, atol=1e-15)
    same_dynamics(second, third)


@pytest.mark.parametrize("backwards", [False, True])
def test_a_mechanism_that_was_no_robot_keeps_its_dynamics(backwards, tmp_path):
    """Body frames that are not those of joints, frames, joints described from the child to the parent."""
    m = bl.Mechanism(name="by hand")
    m.add_body("upper", bl.rod((0, 0, 1), (0.6, 0.2, 1.5), mass=2.0), color="tomato")
    m.add_body("lower", bl.box((0.5, 0.1, 0.2), mass=1.0), position=(0.8, 0.3, 1.6), orientation=bl.rotation((1, 2, 3), 0.7))
    m.add_body("drawer", bl.sphere(0.1, mass=0.4), position=(1.0, 0.3, 1.6))
    m.add_body("plate", bl.plate((0.2, 0.3), 0.02, mass=0.1), position=(1.0, 0.3, 1.8), orientation=bl.rotation("x", 1.0))
    m.add_frame("grip", "lower", local=(0.2, 0, 0), orientation=bl.rotation("y", 0.3))
    sides = [("ground", "upper"), ("upper", "lower"), ("grip", "drawer"), ("drawer", "plate")]
    kinds = (bl.Revolute(axis="y"), bl.Revolute(axis=(1, 1, 0)), bl.Prismatic(axis="-z"), bl.Fixed())
    places = ((0, 0, 1), (0.6, 0.2, 1.5), (1.0, 0.3, 1.6), (1.0, 0.3, 1.7))
    for name, kind, pair, at in zip(("one", "two", "three", "four"), kinds, sides, places):
        m.add_joint(name, kind, *pair, at=at)
    if backwards:  # the same motions, written the other way round
        other = m.copy()
        for joint in m.joints.values():
            other.remove(joint.name)
            kind = type(joint.kind)(**({"axis": tuple(-joint.kind.axis_vector())} if hasattr(joint.kind, "axis") else {}))
            a, b = m.markers(joint)
            other.add_joint(joint.name, kind, b.body, a.body, at_a=b.local, at_b=a.local, axes_a=b.basis, axes_b=a.basis)
        other.save(tmp_path / "m.urdf")
    else:
        m.save(tmp_path / "m.urdf")
    same_dynamics(m, bl.load(tmp_path / "m.urdf"))


def test_damping_is_the_same_after_a_round_trip(tmp_path):
    """The torques that damp: energy lost in a run."""
    m = bl.load_urdf(ARM)
    m.save(tmp_path / "m.urdf")
    runs = [each.simulate(0.3, bl.Central(rtol=1e-10)) for each in (m, bl.load(tmp_path / "m.urdf"))]
    lost = [run.energy.dissipated[-1] for run in runs]
    assert lost[0] > 0.01
    assert lost[0] == pytest.approx(lost[1], rel=1e-7)


@pytest.mark.parametrize("pitch", [0.0, 1.0, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, math.pi / 2 - 1e-5, 3.0])
def test_angles_of_rotations_are_right_also_where_two_axes_meet(pitch):
    for seed in range(20):
        roll, yaw = np.random.default_rng(seed).uniform(-3.1, 3.1, 2)
        R = quaternion_to_matrix(quaternion_of_rpy(roll, pitch, yaw))
        assert np.abs(quaternion_to_matrix(quaternion_of_rpy(*rpy_of(R))) - R).max() <= 4e-16 * 4


def test_roll_pitch_yaw_are_turns_about_the_fixed_axes():
    x, y, z = (quaternion_to_matrix(bl.rotation(axis, angle)) for axis, angle in zip("xyz", (0.3, -0.5, 1.1)))
    assert np.abs(quaternion_to_matrix(quaternion_of_rpy(0.3, -0.5, 1.1)) - z @ y @ x).max() <= 4e-16
