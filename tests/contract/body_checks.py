"""What every body kind keeps, as plain functions of its name; ``check_body(name)`` does them all."""

import numpy as np
from joint_checks import compare_kernel, newton_euler
from rig import DIFFERENCE, Free, close, difference, random_pose, random_twist
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from bielle.kernels import slots

EXACT = 1e-13  # a few dozen roundings of numbers of order one


def check_elements(name, seed=0, **options):
    """x = p + R r and ẋ = u + ω × R r of points, R d and ω × R d of directions; J and bias are their derivatives."""
    scene = Free(name, seed=seed, **options)
    w, dim = scene.w, scene.dim
    w.evaluate()
    x, x_dot, _ = scene.probe("b")
    local = np.array([scene.properties("b").centre, *np.eye(3)[:dim], *scene.points])
    is_point = np.array([1.0, *([0.0] * dim), *([1.0] * len(scene.points))])[:, None]
    arms = local @ scene.start.rotation.T
    close(x, is_point * scene.start.position + arms, EXACT)
    close(x_dot, is_point * scene.twist0.linear + np.cross(scene.twist0.angular, arms), EXACT)
    scene.scatter()
    rate, second = scene.derivative(None, "x", "x_dot")
    close(rate, w.x_dot, DIFFERENCE)
    close(second, w.x_bias, DIFFERENCE)
    columns = np.array([scene.derivative(direction, "x")[0] for direction in np.eye(scene.nv)]).T
    jacobian = np.concatenate([scene.element_jacobian(e) for e in range(len(w.elem_body))])
    close(columns, jacobian, DIFFERENCE)
    close(jacobian @ w.v[: scene.nv], w.x_dot, EXACT)


def check_coordinates(name, seed=0, **options):
    """pose(coordinates(pose)) is the pose, also of several at once; retract and qd both go where the velocity points."""
    scene = Free(name, seed=seed, **options)
    w, kind, rng = scene.w, scene.kind, np.random.default_rng(seed)
    poses = [random_pose(rng, scene.dim, 2.0) for _ in range(20)]
    positions, rotations = kind.pose(np.array([kind.coordinates(p) for p in poses]).reshape(4, 5, kind.nq))
    close(positions.reshape(-1, 3), [p.position for p in poses], EXACT)
    close(rotations.reshape(-1, 3, 3), [p.rotation for p in poses], EXACT)
    q, v = w.q[: scene.nq].copy(), w.v[: scene.nv].copy()
    w.evaluate()

    def moved(tau):
        w.q[: scene.nq] = q
        w.retract(tau * v)
        return [w.q[: scene.nq].copy(), *kind.pose(w.q[: scene.nq])]

    rate, linear, turning = difference(moved)
    close(rate, w.qd[: scene.nq], DIFFERENCE)
    close(linear, scene.twist0.linear, DIFFERENCE)
    close(turning, np.cross(scene.twist0.angular, scene.start.rotation.T).T, DIFFERENCE)


def check_mass(name, seed=0, **options):
    """½ vᵀMv = ½ m|u_G|² + ½ ω·Iω whatever the pose and twist; M is symmetric and positive."""
    scene = Free(name, seed=seed, **options)
    kind, rng, M = scene.kind, np.random.default_rng(seed), scene.w.mass_matrix()
    mass, centre, inertia = scene.properties("b")
    close(M, M.T, EXACT)
    assert np.linalg.eigvalsh(M).min() > 0.0
    for _ in range(10):
        pose, twist = random_pose(rng, scene.dim, 2.0), random_twist(rng, scene.dim)
        v, speed, omega = kind.velocities(pose, twist), twist.at(pose.rotation @ centre), pose.rotation.T @ twist.angular
        np.testing.assert_allclose(v @ M @ v, mass * speed @ speed + omega @ inertia @ omega, rtol=EXACT)


def check_balance(name, seed=0, **options):
    """Newton's and Euler's equations of the free body; its own force at rest is the weight."""
    scene = Free(name, seed=seed, **options)
    scene.w.accelerate()
    newton_euler(scene)
    scene.w.v[:] = 0.0
    scene.w.evaluate()
    weight = scene.properties("b").mass * np.array(scene.mechanism.gravity)
    centre = scene.model.forces["probe b"].elements.start
    close(scene.w.force[: scene.nv], weight @ scene.element_jacobian(centre), EXACT)


def check_flight(name, seed=0, **options):
    """The centre of mass follows the parabola, the angular momentum stays, the orientation is that of Euler's equations.

    RK4 with steps of 1 ms is exact for the parabola and leaves h⁴ = 1e-12 in the rotation; the reference is integrated to 1e-12.
    """
    scene, duration = Free(name, seed=seed, **options), 0.3
    mass, centre, inertia = scene.properties("b")
    pose, twist = scene.start, scene.twist0
    momentum = pose.rotation @ inertia @ pose.rotation.T @ twist.angular
    gravity = np.zeros(3)
    gravity[: scene.dim] = scene.mechanism.gravity
    expected = pose.point(centre) + duration * twist.at(pose.rotation @ centre) + 0.5 * duration**2 * gravity

    def euler(t, y):
        """y = (quaternion x y z w, ω in body axes)."""
        vector, scalar, omega = y[:3], y[3], y[4:]
        rate = 0.5 * np.append(scalar * omega + np.cross(vector, omega), -vector @ omega)
        return np.append(rate, np.linalg.solve(inertia, np.cross(inertia @ omega, omega)))

    start = np.append(Rotation.from_matrix(pose.rotation).as_quat(), pose.rotation.T @ twist.angular)
    end = solve_ivp(euler, (0.0, duration), start, method="DOP853", rtol=1e-12, atol=1e-14).y[:4, -1]
    scene.simulate(duration, 1e-3)
    pose, twist = scene.pose("b"), scene.twist("b")
    close(pose.point(centre), expected, 1e-11)
    close(pose.rotation @ inertia @ pose.rotation.T @ twist.angular, momentum, 1e-11 * mass)
    close(pose.rotation, Rotation.from_quat(end).as_matrix(), 1e-11)


def check_internal(name, seed=0, **options):
    """The body's own equations hold for every pose and twist; their kernels are as right as those of joints."""
    scene = Free(name, seed=seed, **options)
    w, rng = scene.w, np.random.default_rng(seed)
    assert scene.nv - scene.nc == 3 * (scene.dim - 1)
    for _ in range(5):
        pose, twist = random_pose(rng, scene.dim, 2.0), random_twist(rng, scene.dim)
        w.q[: scene.nq], w.v[: scene.nv] = scene.kind.coordinates(pose), scene.kind.velocities(pose, twist)
        w.evaluate()
        close(w.phi[: scene.nc], 0.0, EXACT)
        close(w.phi_dot[: scene.nc], 0.0, EXACT)
    scene.scatter()
    for row, constraint in zip(scene.model.internal, scene.kind.internal()):
        compare_kernel(scene, row, constraint.kernel)


def check_stiffness(name, seed=0, **options):
    """The geometric stiffness is the symmetric part of −∂(Σ J_eᵀF_e)/∂q with the efforts F_e held in the world."""
    scene = Free(name, seed=seed, **options)
    w, dim, n = scene.w, scene.dim, scene.nv
    scene.scatter()
    efforts = w.x_effort[:] = scene.rng.standard_normal(w.x_effort.size)
    columns = []
    for direction in np.eye(n):
        (rate,) = scene.derivative(direction, "x_jac")
        columns.append(-efforts @ rate.reshape(-1, n))
    expected = 0.5 * (np.array(columns) + np.array(columns).T)
    w.mass_hat[:], w.scalar[slots.S_BETA_H] = 0.0, 0.7
    if scene.kind.stiffness is not None:
        scene.kind.stiffness(w.address, 0, w.x.size // dim)
    close(w.mass_hat.reshape(n, n), 0.7 * expected, 10 * DIFFERENCE)


CHECKS = (check_elements, check_coordinates, check_mass, check_balance, check_flight, check_internal, check_stiffness)


def check_body(name):
    """All of the above."""
    for check in CHECKS:
        check(name)
