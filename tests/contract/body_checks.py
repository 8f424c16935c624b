"""What every body kind keeps, as plain functions of its name; ``check_body(name)`` does them all."""

import numpy as np
from joint_checks import compare_kernel, newton_euler
from rig import DIFFERENCE, Free, Three, close, difference, random_pose, random_twist, turned
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from bielle.kernels import slots
from bielle.mechanism import registry
from bielle.mechanism.description import Pose

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


def is_rigid(name):
    """Whether bodies of the kind are told by frames; then all three kernels are there, and otherwise none."""
    kernels = [getattr(registry.bodies[name], kernel) for kernel in ("observe", "settle", "follow")]
    assert all(k is None for k in kernels) or not any(k is None for k in kernels)
    return kernels[0] is not None


def frame_of(kind, pose, twist):
    """R, x_G, ω, ẋ_G (18,) of a pose and velocity of the body frame."""
    centre = kind.properties.centre
    return np.concatenate([pose.rotation.ravel(), pose.point(centre), twist.angular, twist.at(pose.rotation @ centre)])


def check_observe(name, seed=0, **options):
    """The frame is the pose and the velocity, wherever the body is; accelerations in it and other bodies are left alone."""
    if not is_rigid(name):
        return
    scene, rng = Three(name, seed=seed, **options), np.random.default_rng(seed)
    for _ in range(10):
        pose, twist = random_pose(rng, scene.dim, 3.0), random_twist(rng, scene.dim)
        scene.put(scene.kind.coordinates(pose), scene.kind.velocities(pose, twist))
        scene.frames[:] = 7.0
        q, v = scene.w.q.copy(), scene.w.v.copy()
        assert scene.run(scene.kind.observe) == []
        frame = scene.frames[scene.row.index]
        close(frame[:18], frame_of(scene.kind, pose, twist), EXACT)
        assert (frame[18:] == 7.0).all()
        assert np.array_equal(q, scene.w.q)
        assert np.array_equal(v, scene.w.v)


def check_settle(name, seed=0, **options):
    """From coordinates to a frame and back is the identity, to rounding; nothing jumps while the body turns three times."""
    if not is_rigid(name):
        return
    scene, rng = Three(name, seed=seed, **options), np.random.default_rng(seed)
    kind, w, row = scene.kind, scene.w, scene.row
    pose, axis = random_pose(rng, scene.dim), rng.normal(size=3)
    axis /= np.linalg.norm(axis) if scene.dim == 3 else abs(axis[2])
    for sign in (1.0, -1.0):  # and back, from wherever it has got to
        start, q = pose, kind.coordinates(pose)
        for k in range(38):  # half a radian each
            pose, twist = Pose(start.position, turned(scene.dim, sign * 0.5 * k * axis) @ start.rotation), random_twist(rng, scene.dim)
            v = kind.velocities(pose, twist)
            scene.frames[row.index, :18] = frame_of(kind, pose, twist)
            scene.put(q, 9.0)
            frames = scene.frames.copy()
            assert scene.run(kind.settle) == []
            assert np.array_equal(frames, scene.frames)
            close(w.v[row.v], v, EXACT)
            # coordinates are those of points at most one away, angles and quaternions: half a radian moves none by more
            assert np.abs(w.q[row.q] - q).max() <= 0.5 * (k > 0) + EXACT
            q = w.q[row.q].copy()
            place, rotation = kind.pose(q)
            close(place, pose.position, EXACT)
            close(rotation, pose.rotation, EXACT)
            # there and back: where a kind has several coordinates for a pose, those that it had
            scene.run(kind.observe)
            scene.run(kind.settle)
            close(w.q[row.q], q, 10 * EXACT)  # of angles of twenty radians
            close(w.v[row.v], v, EXACT)


def moving_frame(scene, rng):
    """A frame (24,) as a function of time: cubic in its position, about two axes in turn that are no principal ones."""
    dim = scene.dim
    x, u, a, j = (np.append(p[:dim], np.zeros(3 - dim)) for p in rng.uniform(-1, 1, (4, 3)))
    first, second = rng.normal(size=(2, 3)) if dim == 3 else np.tile([0.0, 0.0, 1.0], (2, 1))
    first, second = first / np.linalg.norm(first), second / np.linalg.norm(second)
    start, (f1, f2, g1, g2) = random_pose(rng, dim).rotation, rng.uniform(-1, 1, 4)

    def frame(t):
        one = turned(dim, (f1 * t + f2 * t * t) * first)
        other = one @ second
        rate, rate2 = f1 + 2 * f2 * t, g1 + 2 * g2 * t
        rotation = one @ turned(dim, (0.4 + g1 * t + g2 * t * t) * second) @ start
        omega = rate * first + rate2 * other
        alpha = 2 * f2 * first + 2 * g2 * other + rate2 * rate * np.cross(first, other)
        place = x + u * t + a * t**2 / 2 + j * t**3 / 6
        return np.concatenate([rotation.ravel(), place, omega, u + a * t + j * t**2 / 2, alpha, a + j * t])

    return frame


def check_follow(name, seed=0, **options):
    """v̇ is the derivative of v along any motion, and q̇ that of q."""
    if not is_rigid(name):
        return
    scene, rng = Three(name, seed=seed, **options), np.random.default_rng(seed)
    kind, w, row = scene.kind, scene.w, scene.row
    for _ in range(3):
        frame = moving_frame(scene, rng)
        known = scene.w.q[row.q].copy()

        def settled(t, frame=frame, known=known):
            scene.frames[row.index] = frame(t)
            scene.put(known, 0.0)
            scene.run(kind.settle)
            return [w.q[row.q].copy(), w.v[row.v].copy()]

        rate, acceleration = difference(settled)
        state = settled(0.0)
        w.acc[:] = 7.0
        assert scene.run(kind.follow) == []
        assert all(np.array_equal(now, then) for now, then in zip((w.q[row.q], w.v[row.v]), state))
        close(w.acc[row.v], acceleration, DIFFERENCE)
        w.evaluate()
        close(w.qd[row.q], rate, DIFFERENCE)


CHECKS = (check_elements, check_coordinates, check_mass, check_balance, check_flight, check_internal, check_stiffness)
CHECKS += (check_observe, check_settle, check_follow)


def check_body(name):
    """All of the above."""
    for check in CHECKS:
        check(name)
