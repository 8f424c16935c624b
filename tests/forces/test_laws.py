"""Force laws against plain formulas of rigid-body mechanics."""

import numpy as np
import pytest
from force_rig import TIME, Bench, U, turned
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

from bielle.forces import CallableForce, Grab, JointDamping, LinearMotor, Motor, PointForce, Spring, Torque, TorsionSpring
from bielle.kernels import slots
from bielle.mechanism.description import Pose, Twist
from bielle.mechanism.functions import Function, Harmonic, Polynomial, Table

PLANE, SPACE = ("planar", "bar"), ("spatial", "natural")
ROUND = 200 * U  # some dozens of operations on numbers of order one


def kinds_of(dim):
    return PLANE if dim == 2 else SPACE


def lifted(v):
    return np.concatenate([v, np.zeros(3 - len(v))])


def close(value, expected, tolerance=ROUND):
    np.testing.assert_allclose(value, expected, rtol=0, atol=tolerance * max(1.0, np.abs(expected).max()))


# -- given over time


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("axes", ["world", "body"])
@pytest.mark.parametrize("frames", [False, True])
def test_point_force(dim, axes, frames):
    given = np.array([3.0, -2.0, 5.0][:dim])
    bench = Bench(PointForce(force=given, axes=axes), dim, (kinds_of(dim)[0], None), frames=frames)
    own = bench.m.frames["frame_a"].pose.rotation if frames else np.eye(3)
    f = bench.pose["a"].rotation @ own @ lifted(given) if axes == "body" else lifted(given)
    x, v = bench.point("a")
    force, moment = bench.wrench("a")
    close(force, f)
    close(moment, np.cross(x, f))
    close(bench.w.power[:3], [0.0, 0.0, f @ v])
    assert bench.w.output[0] == pytest.approx(np.linalg.norm(given), rel=1e-14)
    assert bench.w.energy[0] == 0.0


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("axes", ["world", "body"])
@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("frames", [False, True])
def test_torque(dim, axes, two, frames):
    given = 4.0 if dim == 2 else (4.0, -1.0, 2.0)
    kinds = kinds_of(dim) if two else (kinds_of(dim)[1], None)
    bench = Bench(Torque(torque=given, axes=axes), dim, kinds, frames=frames)
    own = bench.m.frames["frame_a"].pose.rotation if frames else np.eye(3)
    torque = np.array([0.0, 0.0, given]) if dim == 2 else np.array(given)
    if axes == "body":
        torque = bench.pose["a"].rotation @ own @ torque
    sign = {"a": -1.0, "b": 1.0} if two else {"a": 1.0}
    power = 0.0
    for side, s in sign.items():
        force, moment = bench.wrench(side)
        close(force, np.zeros(3))
        close(moment, s * torque)
        power += s * torque @ bench.twist[side].angular
    close(bench.w.power[:3], [0.0, 0.0, power])
    assert bench.w.output[0] == pytest.approx(given if dim == 2 else np.linalg.norm(given), rel=1e-14)


# -- the hand


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("limit", [1e9, 50.0, 0.1])
def test_grab(dim, limit):
    target, k, c = np.array([0.5, -0.3, 0.8][:dim]), 120.0, 7.0
    bench = Bench(Grab(target=target, stiffness=k, damping=c, limit=limit), dim, (kinds_of(dim)[0], None))
    x, v = bench.point("a")
    s = k * (lifted(target) - x) - c * v
    f = s / np.sqrt(1.0 + (np.linalg.norm(s) / limit) ** 2)
    force, moment = bench.wrench("a")
    close(force, f)
    close(moment, np.cross(x, f))
    close(bench.w.power[:3], [0.0, 0.0, f @ v])
    assert bench.w.energy[0] == 0.0
    assert bench.w.output[0] == pytest.approx(np.linalg.norm(f), rel=1e-13)
    assert bench.w.output[0] <= limit


@pytest.mark.parametrize("dim", [2, 3])
def test_a_grab_holds_still_at_its_target(dim):
    """No force at the target at rest, and there the tangent is that of a spring and damper."""
    k, c = 120.0, 7.0
    bench = Bench(Grab(target=(0.5, -0.3, 0.8)[:dim], stiffness=k, damping=c, limit=2.0), dim, (kinds_of(dim)[0], None))
    target = np.array(bench.kind.target)
    assert not bench.at(target, 0.0 * target).any()
    K, C = bench.tangent()
    np.testing.assert_array_equal(K, k * np.eye(dim))
    np.testing.assert_array_equal(C, c * np.eye(dim))


# -- springs


def along(bench):
    """Length, rate, and unit vector from a to b."""
    (xa, va), (xb, vb) = bench.point("a"), bench.point("b")
    length = np.linalg.norm(xb - xa)
    n = (xb - xa) / length
    return length, n @ (vb - va), n


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("kinds", [(0, 1), (1, None), (None, 0)])
def test_linear_spring(dim, kinds):
    pair = tuple("ground" if k is None else kinds_of(dim)[k] for k in kinds)
    k, c, free, preload = 120.0, 3.0, 0.4, 7.0
    bench = Bench(Spring(stiffness=k, damping=c, length=free, preload=preload), dim, pair)
    length, rate, n = along(bench)
    tension = k * (length - free) + c * rate + preload
    close(bench.wrench("b")[0], -tension * n)
    close(bench.wrench("a")[0], tension * n)
    close(bench.wrench("b")[1], np.cross(bench.point("b")[0], -tension * n))
    assert bench.w.energy[0] == pytest.approx(0.5 * k * (length - free) ** 2 + preload * (length - free), rel=1e-13)
    close(bench.w.power[:3], [c * rate**2, 0.0, 0.0])
    assert bench.w.output[0] == pytest.approx(tension, rel=1e-13)


@pytest.mark.parametrize("dim", [2, 3])
def test_free_length_is_the_described_distance(dim):
    bench = Bench(Spring(stiffness=50.0), dim, kinds_of(dim))
    m = bench.m
    described = [m.pose(s).point(bench.local[s]) for s in ("a", "b")]
    length, _, _ = along(bench)
    assert bench.w.output[0] == pytest.approx(50.0 * (length - np.linalg.norm(described[1] - described[0])), rel=1e-12)


TABLE = Table(x=(-1.0, -0.3, 0.0, 0.2, 0.5, 1.1), y=(-90.0, -10.0, 0.0, 9.0, 20.0, 150.0))
POLYLINE = Table(x=TABLE.x, y=TABLE.y, method="linear")
SPLINE = CubicSpline(TABLE.x, TABLE.y, bc_type="natural")
CURVES = {
    "constant": (5.0, lambda e: 5.0),
    "polynomial": (Polynomial(coefficients=(1.0, 20.0, -3.0, 8.0)), lambda e: 1.0 + 20.0 * e - 3.0 * e**2 + 8.0 * e**3),
    "harmonic": (Harmonic(amplitude=6.0, frequency=0.4, phase=0.2, offset=1.0), lambda e: 1.0 + 6.0 * np.sin(0.8 * np.pi * e + 0.2)),
    "flat harmonic": (Harmonic(amplitude=6.0, frequency=0.0, phase=0.2, offset=1.0), lambda e: 1.0 + 6.0 * np.sin(0.2)),
    "table": (TABLE, lambda e: float(SPLINE(np.clip(e, -1.0, 1.1)))),
    "polyline": (POLYLINE, lambda e: float(np.interp(e, TABLE.x, TABLE.y))),
    "callable": (lambda e: 10.0 * np.sinh(2.0 * e), lambda e: 10.0 * np.sinh(2.0 * e)),
}


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("length", [1e-3, 0.1, 0.37, 0.95, 1.4, 2.0, 3.5])
def test_spring_characteristic_and_its_energy(curve, length):
    """The free length is 1.5, so that elongations go from −1.5 to 2, beyond both ends of the tables."""
    given, formula = CURVES[curve]
    bench = Bench(Spring(characteristic=given, length=1.5), 2, ("ground", "planar"))
    bench.at(np.array([0.1, 0.2, 0.1 + 0.6 * length, 0.2 + 0.8 * length]), np.zeros(4))
    e = length - 1.5
    close(bench.w.output[0], formula(e), 1e-12)
    knots = [x for x in TABLE.x if min(0.0, e) < x < max(0.0, e)] or None
    close(bench.w.energy[0], quad(formula, 0.0, e, points=knots, epsabs=1e-12)[0], 1e-9)


def test_energy_of_a_callable_is_exact_up_to_degree_fifteen():
    bench = Bench(Spring(characteristic=lambda e: 16.0 * e**15, length=0.0), 2, ("ground", "planar"))
    bench.at(np.array([0.0, 0.0, 0.9, 1.2]), np.zeros(4))
    close(bench.w.energy[0], 1.5**16, 1e-12)


def test_damper_curve():
    damper = Polynomial(coefficients=(0.0, 2.0, 0.0, 0.5))
    bench = Bench(Spring(damper=damper, length=1.0), 3, SPACE)
    _, rate, n = along(bench)
    force = 2.0 * rate + 0.5 * rate**3
    close(bench.wrench("b")[0], -force * n)
    close(bench.w.power[:3], [force * rate, 0.0, 0.0])


@pytest.mark.parametrize("dim", [2, 3])
def test_spring_without_free_length_is_smooth_at_zero(dim):
    """F = −k (x_b − x_a), exactly, through coincidence and on both sides of it, whatever the relative velocity."""
    bench = Bench(Spring(stiffness=100.0, length=0.0), dim, ("ground", kinds_of(dim)[0]))
    rng = np.random.default_rng(0)
    for gap in (0.0, 1e-300, 1e-15, 0.9e-12, 1.1e-12, 1e-6):
        x, direction = rng.uniform(-1e-15, 1e-15, dim), rng.uniform(0.3, 1, dim)
        place = np.concatenate([x, x + gap * direction])
        F = bench.at(place, rng.uniform(-1, 1, 2 * dim))
        np.testing.assert_allclose(F[dim:], -100.0 * (place[dim:] - x), rtol=1e-14, atol=0)
        np.testing.assert_array_equal(F[:dim], -F[dim:])
    place = np.zeros(2 * dim)
    bench.at(place, np.zeros(2 * dim))
    K, C = bench.tangent()
    close(K, 100.0 * np.kron([[1, -1], [-1, 1]], np.eye(dim)))
    assert not C.any()


@pytest.mark.parametrize("velocity", [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, -3), (1, 1, 1), (1e-9, 2, 5), (3, -2, 1e-9), (-1, 0.1, 2)])
@pytest.mark.parametrize("dim", [2, 3])
def test_coincident_ends_leave_the_damper_silent(dim, velocity):
    """The direction is orthogonal to the relative velocity: no power, and the spring's force −T keeps its size."""
    bench = Bench(Spring(stiffness=100.0, damping=50.0, length=0.3, preload=2.0), dim, kinds_of(dim))
    u = np.array(velocity[:dim], dtype=float)
    F = bench.at(np.zeros(2 * dim), np.concatenate([np.zeros(dim), u]))
    assert np.linalg.norm(F[dim:]) == pytest.approx(abs(100.0 * -0.3 + 2.0), rel=1e-14)
    assert abs(F[dim:] @ u) <= 1e-13 * np.linalg.norm(u)
    assert bench.w.power[0] == 0.0
    assert bench.w.output[0] == pytest.approx(-28.0)


# -- about an axis

AXIS = np.array([1.0, 2.0, 2.0]) / 3.0


def hinge_bench(kind, dim, angle, rate=1.3, kinds=None, memory=0.0):
    """Bodies a and b in a configuration a hinge allows: b turned by ``angle`` about the axis, as seen from a, turning at ``rate``."""
    bench = Bench(kind, dim, kinds or kinds_of(dim))
    axis = np.array([0.0, 0.0, 1.0]) if dim == 2 else AXIS
    m, state = bench.m, bench.w.state()
    common = turned(dim, (0.3, -0.5, 0.4))
    spin = np.array([0.0, 0.0, 0.7]) if dim == 2 else np.array([0.2, -0.4, 0.7])
    world_axis = common @ axis
    bench.axis = world_axis
    for name in ("a", "b"):
        if name not in bench.model.bodies:
            continue
        R = m.pose(name).rotation
        omega = spin.copy()
        if name == "b":
            R = turned(dim, angle * axis) @ R
            omega += rate * world_axis
        row = bench.model.bodies[name]
        pose, twist = Pose(bench.pose[name].position, common @ R), Twist(bench.twist[name].linear, omega)
        bench.twist[name] = twist
        state.q[row.q], state.v[row.v] = row.kind.coordinates(pose), row.kind.velocities(pose, twist)
    bench.w.load(state)
    bench.w.scalar[slots.S_TIME] = TIME
    bench.w.memory[0] = memory
    bench.w.evaluate()
    bench.w.apply_forces()
    return bench


def about(dim):
    return {} if dim == 2 else {"axis": tuple(AXIS)}


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("angle", [0.0, 0.4, -2.5, 3.1])
def test_torsion_spring(dim, angle):
    k, c, free, rate = 20.0, 0.5, 0.3, 1.3
    bench = hinge_bench(TorsionSpring(stiffness=k, damping=c, angle=free, **about(dim)), dim, angle, rate)
    torque = k * (angle - free) + c * rate
    for side, sign in (("a", 1.0), ("b", -1.0)):
        force, moment = bench.wrench(side)
        close(force, np.zeros(3))
        close(moment, sign * torque * bench.axis, 1e-13)
    assert bench.w.energy[0] == pytest.approx(0.5 * k * (angle - free) ** 2, rel=1e-12)
    close(bench.w.power[:3], [c * rate**2, 0.0, 0.0], 1e-13)
    close(bench.w.output[0], torque, 1e-13)


@pytest.mark.parametrize("turns", [-7, -1, 0, 1, 5])
def test_angle_is_counted_over_turns(turns):
    """The memory is the angle some time ago, here half a radian before or after; the kernel finds the nearest, and the commit keeps it."""
    for dim, late in ((2, -0.5), (3, 0.5)):
        angle = 0.6 + 2 * np.pi * turns
        bench = hinge_bench(TorsionSpring(stiffness=10.0, angle=0.0, **about(dim)), dim, angle, memory=angle + late)
        close(bench.w.output[0], 10.0 * angle, 1e-13)
        bench.kind.commit(bench.w.address, 0, 1)
        close(bench.w.memory[0], angle, 1e-13)


def test_torsion_characteristic():
    table = Table(x=(-2.0, 0.0, 1.0, 2.0), y=(-8.0, 0.0, 3.0, 10.0), method="linear")
    bench = hinge_bench(TorsionSpring(characteristic=table, angle=0.2), 2, 1.7)
    close(bench.w.output[0], 3.0 + 7.0 * 0.5, 1e-13)
    close(bench.w.energy[0], 1.5 + 0.5 * (3.0 + 6.5) * 0.5, 1e-13)


@pytest.mark.parametrize("dim", [2, 3])
def test_free_angle_is_the_described_one(dim):
    """Also between frames that are not aligned: zero torque where everything was described."""
    for frames in (False, True):
        bench = Bench(TorsionSpring(stiffness=10.0, **about(dim)), dim, kinds_of(dim), frames=frames)
        state = bench.w.state()
        for name in ("a", "b"):
            row = bench.model.bodies[name]
            state.q[row.q] = row.kind.coordinates(bench.m.pose(name))
        bench.w.load(state)
        bench.w.evaluate()
        bench.w.apply_forces()
        close(bench.w.output[0], 0.0, 1e-13)
        given = bench.w.param[bench.w.force_p[0]]
        assert (abs(given) > 1e-3) == frames


@pytest.mark.parametrize("dim", [2, 3])
def test_motor_follows_position_and_speed(dim):
    wave, push = Harmonic(amplitude=2.0, frequency=0.7, phase=0.3), Polynomial(coefficients=(1.0, -2.0))
    omega = 2 * np.pi * 0.7
    target, target_rate = 2.0 * np.sin(omega * TIME + 0.3), 2.0 * omega * np.cos(omega * TIME + 0.3)
    angle, rate = 0.8, 1.3
    for kind, torque in (
        (
            Motor(target=wave, stiffness=30.0, damping=2.0, feedforward=push, **about(dim)),
            30.0 * (target - angle) + 2.0 * (target_rate - rate),
        ),
        (Motor(target=wave, damping=2.0, feedforward=push, control="speed", **about(dim)), 2.0 * (target - rate)),
    ):
        total = torque + 1.0 - 2.0 * TIME
        bench = hinge_bench(kind, dim, angle, rate)
        close(bench.wrench("b")[1], total * bench.axis, 1e-13)
        close(bench.wrench("a")[1], -total * bench.axis, 1e-13)
        close(bench.w.power[:3], [0.0, total * rate, 0.0], 1e-13)
        close(bench.w.output[0], total, 1e-13)


@pytest.mark.parametrize("wanted", [-300.0, -20.0, -9.5, -9.0, -5.0, 0.0, 8.99, 9.01, 9.7, 11.0, 1000.0])
def test_motor_saturates_smoothly(wanted):
    """Exact to 90 % of the limit; above it grows ever less and never exceeds the limit. The tangent fades alike."""
    bench = hinge_bench(Motor(target=0.0, stiffness=40.0, damping=3.0, feedforward=wanted, limit=10.0), 2, 0.0, 0.0)
    given, size = bench.w.output[0], abs(wanted)
    expected = size if size <= 9.0 else 9.0 + np.tanh(size - 9.0)
    close(given, np.copysign(expected, wanted), 1e-13)
    assert abs(given) <= 10.0
    K, C = bench.tangent()
    K_fd, C_fd = bench.difference_tangent(bench.x, bench.xd)
    # a step of 1e-3 moves ``wanted`` by η = 0.04; across the knee, where the third derivative jumps by 2, the error is of order
    # (2η)²/3, elsewhere η⁴/30 times a fifth derivative below 20
    tolerance = 3e-3 if abs(size - 9.0) < 0.1 else 3e-6
    np.testing.assert_allclose(K, K_fd, atol=40.0 * tolerance)
    np.testing.assert_allclose(C, C_fd, atol=40.0 * tolerance)
    assert not (size > 100.0 and C.any())


@pytest.mark.parametrize("dim", [2, 3])
def test_linear_motor(dim):
    axis = np.array([0.6, 0.8, 0.0]) if dim == 2 else AXIS
    bench = Bench(LinearMotor(target=0.5, stiffness=40.0, damping=3.0, axis=tuple(axis[:dim])), dim, kinds_of(dim))
    t = bench.pose["a"].rotation @ bench.m.pose("a").rotation.T @ axis
    (xa, va), (xb, vb) = bench.point("a"), bench.point("b")
    u = t @ (xb - xa)
    rate = t @ (vb - va - np.cross(bench.twist["a"].angular, xb - xa))
    effort = 40.0 * (0.5 - u) - 3.0 * rate
    force, moment = bench.wrench("b")
    close(force, effort * t, 1e-13)
    close(moment, np.cross(xb, effort * t), 1e-13)
    close(bench.w.power[:3], [0.0, effort * rate, 0.0], 1e-13)
    close(bench.w.output[0], effort, 1e-13)


@pytest.mark.parametrize("dim", [2, 3])
def test_joint_damping(dim):
    c, ct = 0.7, 3.0
    bench = Bench(JointDamping(coefficient=c, translational=ct), dim, kinds_of(dim))
    relative = bench.twist["b"].angular - bench.twist["a"].angular
    (xa, va), (xb, vb) = bench.point("a"), bench.point("b")
    slip = vb - va - np.cross(bench.twist["a"].angular, xb - xa)
    force, moment = bench.wrench("b")
    close(force, -ct * slip)
    close(moment, -c * relative - np.cross(xb, ct * slip))
    close(bench.w.power[:3], [c * relative @ relative + ct * slip @ slip, 0.0, 0.0])
    close(bench.w.output[0], c * (relative[2] if dim == 2 else np.linalg.norm(relative)))


# -- Python callables


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("two", [False, True])
def test_callable_sees_the_motion(dim, two):
    seen = []

    def law(t, view):
        seen.append(view)
        return [1.0, -2.0, 3.0][:dim], 4.0 if dim == 2 else (4.0, -5.0, 6.0)

    kinds = kinds_of(dim) if two else (kinds_of(dim)[1], None)
    bench = Bench(CallableForce(function=law), dim, kinds)
    view = seen[-1]
    for side, part in zip("ab", (view, view.other)):
        if part is None:
            continue
        x, v = bench.point(side)
        R, omega = bench.pose[side].rotation, bench.twist[side].angular
        assert part.time == TIME
        close(part.position, x[:dim])
        close(part.velocity, v[:dim])
        close(part.rotation, R[:dim, :dim])
        close(part.angular_velocity, omega[2] if dim == 2 else omega)
        if dim == 2:
            close(part.angle, bench.pose[side].angle())
        else:
            with pytest.raises(AttributeError, match="use rotation"):
                _ = part.angle
    assert (view.other is not None) == two
    f, torque = lifted([1.0, -2.0, 3.0][:dim]), np.array([0.0, 0.0, 4.0] if dim == 2 else [4.0, -5.0, 6.0])
    x, v = bench.point("a")
    force, moment = bench.wrench("a")
    close(force, f)
    close(moment, np.cross(x, f) + torque)
    if two:
        close(bench.wrench("b")[0], -f)
        close(bench.wrench("b")[1], -np.cross(x, f) - torque)
    close(bench.w.power[2], bench.F @ bench.xd)
    if not two:
        close(bench.w.power[2], f @ v + torque @ bench.twist["a"].angular)
    assert bench.w.output[0] == pytest.approx(np.linalg.norm(f), rel=1e-14)


@pytest.mark.parametrize("returned", [(1.0, 2.0), [1, 2], np.array([1.0, 2.0]), ((1.0, 2.0), 0.0), (np.array([1.0, 2.0]), np.float64(0.0))])
def test_what_a_callable_may_return(returned):
    bench = Bench(CallableForce(function=lambda t, view: returned), 2, ("planar", None))
    close(bench.F, [1.0, 2.0, 0.0, 0.0, 0.0, 0.0])
    assert bench.model.callbacks[0].error is None


def broken(t, view):
    raise KeyError("lost")


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (broken, r"force 'force': its function raised KeyError: 'lost' at time 0\.37\. Mend the function\."),
        (lambda t, view: None, r"must return 2 numbers, or a pair of 2 numbers and the torque \(one number\), got None at time 0\.37"),
        (lambda t, view: (1.0, 2.0, 3.0), r"must return 2 numbers.*got \(1\.0, 2\.0, 3\.0\)"),
        (lambda t, view: ((1.0, 2.0), (0.0, 0.0, 1.0)), "must return 2 numbers"),
        (lambda t, view: "north", "must return 2 numbers.*got 'north'"),
        (lambda t, view: (1.0, np.inf), r"not finite, \(1\.0, inf\), at time 0\.37"),
        (lambda t, view: ((1.0, 2.0), np.nan), "not finite"),
    ],
)
def test_failures_of_a_callable_are_kept(function, words):
    bench = Bench(CallableForce(function=function), 2, ("bar", None))
    assert np.isnan(bench.F[:2]).all()
    callback = bench.model.callbacks[0]
    assert callback.error is not None
    with pytest.raises(type(callback.error), match=words):
        raise callback.error
    assert (callback.cause is not None) == (function is broken)


def test_a_characteristic_may_be_a_function_with_derivatives():
    stiff = Function(lambda e: 100.0 * e, lambda e: 100.0, lambda e: 0.0)
    bench = Bench(Spring(characteristic=stiff, length=0.0), 2, PLANE)
    length, _, _ = along(bench)
    close(bench.w.output[0], 100.0 * length, 1e-13)
    close(bench.w.energy[0], 50.0 * length**2, 1e-13)
