"""What every joint kind keeps, as plain functions of an instance of the kind; ``check_joint(kind)`` does them all."""

import re

import msgspec
import numpy as np
import pytest
from rig import DIFFERENCE, TIME, Placed, Rig, body_kinds, close, difference, pairs, same_tables

from bielle.errors import DescriptionError
from bielle.kernels import functions, slots
from bielle.mechanism import registry
from bielle.mechanism.functions import FunctionKind

#: fields whose entries no kernel writes are zero since they were allocated, and mean it; see the field table
KEPT = ("g", "phi_t", "x_dot", "x_bias")
DERIVED = [f.name for f in slots.FIELDS if f.role == "derived" and f.type is float and f.name not in KEPT]
RESULTS = ("phi", "phi_dot", "gamma", "jac", "force", "qd", "x")


def check_rates(kind, dim, kinds, seed=0):
    """φ̇ = J v + φ_t is the rate of φ, and γ that of φ̇, along the motion with v̇ = 0. At level 1 there is no φ but zero."""
    scene = Rig(kind, dim, kinds, seed=seed)
    scene.scatter()
    w, nc = scene.w, scene.nc
    close(w.jacobian() @ w.v[: scene.nv] + w.phi_t[:nc], w.phi_dot[:nc], 1e-13)
    phi_rate, phi_dot_rate = scene.derivative(None, "phi", "phi_dot")
    holonomic = w.level[:nc] == 0
    close(phi_rate[:nc][holonomic], w.phi_dot[:nc][holonomic], DIFFERENCE)
    close(phi_dot_rate, w.gamma, DIFFERENCE)
    assert (w.phi[:nc][~holonomic] == 0.0).all()
    expected = np.isin(np.arange(kind.count(dim)), kind.velocity_rows(dim))
    assert np.array_equal(~holonomic[scene.row.equations], expected)


def check_jacobian(kind, dim, kinds, seed=0):
    """Each column of J is the derivative of φ with respect to that component of a small increment of q; at level 1, that of φ̇ to v."""
    scene = Rig(kind, dim, kinds, seed=seed)
    scene.scatter()
    columns = [scene.derivative(direction, "phi")[0] for direction in np.eye(scene.nv)]
    w, holonomic = scene.w, scene.w.level[: scene.nc] == 0
    J = w.jacobian()
    close(np.array(columns).T[: scene.nc][holonomic], J[holonomic], DIFFERENCE)
    v, rate = w.v[: scene.nv].copy(), w.phi_dot[: scene.nc].copy()
    for column, direction in zip(J.T, np.eye(scene.nv)):
        w.v[: scene.nv] = v + direction
        w.evaluate()
        close((w.phi_dot[: scene.nc] - rate)[~holonomic], column[~holonomic], 1e-12)


def compare_kernel(scene, row, kernel):
    """A kernel on its own, its elements moved freely: G = ∂φ/∂x, φ_t = ∂φ/∂t, γ = d²φ/dt² with ẍ = 0.

    At level 1, where φ̇ = G ẋ + φ_t is the equation itself, G and φ_t must not depend on ẋ, and γ is the rate of φ̇.
    """
    w, dim = scene.w, scene.dim
    ours, e = row.equations, slice(dim * row.elements.start, dim * row.elements.stop)
    width, holonomic = e.stop - e.start, w.level[ours] == 0
    x = w.x[e] + 0.1 * scene.rng.standard_normal(width)
    rate = w.x_dot[e] = 0.5 * scene.rng.standard_normal(width)

    def evaluate(moved, time):
        w.x[e], w.scalar[slots.S_TIME] = moved, time
        if w.count[slots.N_SIGNAL]:
            functions.evaluate_signals(w.address, 0, w.count[slots.N_SIGNAL])
        kernel(w.address, row.index, row.index + 1)
        start = w.joint_g[row.index]
        G = w.g[start : start + (ours.stop - ours.start) * width].reshape(-1, width).copy()
        return w.phi[ours].copy(), G, w.phi_t[ours].copy(), w.gamma[ours].copy()

    _, G, phi_t, gamma = evaluate(x, TIME)
    for column, direction in zip(G.T, np.eye(width)):
        slope = difference(lambda tau, d=direction: evaluate(x + tau * d, TIME)[:1])[0]
        close(slope[holonomic], column[holonomic], DIFFERENCE)
    close(difference(lambda tau: evaluate(x, TIME + tau)[:1])[0][holonomic], phi_t[holonomic], DIFFERENCE)
    w.x_dot[e] = -2.0 * rate
    for same, there in zip((G, phi_t), evaluate(x, TIME)[1:3]):
        close(there[~holonomic], same[~holonomic], 0.0)
    w.x_dot[e] = rate

    def total(tau):
        _, there, partial, _ = evaluate(x + tau * rate, TIME + tau)
        return [there @ rate + partial]

    close(difference(total)[0], gamma, DIFFERENCE)


def check_kernel(kind, dim, kinds, seed=0):
    """The kernel knows nothing of bodies: its derivatives hold for points and directions that no rigid body has."""
    scene = Rig(kind, dim, kinds, seed=seed)
    scene.scatter()
    compare_kernel(scene, scene.row, kind.kernel)


def check_independence(kind, dim, kinds, seed=0):
    """Nothing derived is read before it is written, and what is written once is written always."""
    scene = Rig(kind, dim, kinds, seed=seed)
    w = scene.w
    untouched = {}
    for _ in range(2):
        scene.scatter()
        expected = {name: getattr(w, name).copy() for name in RESULTS}
        allocated = {name: getattr(w, name).copy() for name in KEPT}
        for name in DERIVED + list(KEPT):
            getattr(w, name)[:] = np.nan
        w.evaluate()
        for name in KEPT:
            array = getattr(w, name)
            never = np.isnan(array)
            assert (allocated[name][never] == 0.0).all()
            assert np.array_equal(untouched.setdefault(name, never), never)
            array[never] = 0.0
        for name in DERIVED:
            getattr(w, name)[:] = np.nan
        w.evaluate()
        for name in RESULTS:
            assert np.array_equal(expected[name], getattr(w, name)), name
    one, other = Rig(kind, dim, kinds, seed=seed), Rig(kind, dim, kinds, seed=seed)
    one.assemble()
    other.assemble()
    for name in DERIVED:
        getattr(other.w, name)[:] = np.nan
    for each in (one, other):
        each.simulate(0.01, 1e-3)
    assert np.array_equal(one.w.q, other.w.q)
    assert np.array_equal(one.w.lam, other.w.lam)


def newton_euler(scene):
    """m a_G = m g + Σ F and I α + ω × I ω = Σ (x − x_G) × F + Σ d × F of each body, with the joints' reactions F on points and directions.

    With the body's axes d_i: ω = ½ Σ d_i × ḋ_i and α = ½ Σ d_i × d̈_i (in the plane as well, where there are two of them).
    """
    dim = scene.dim
    gravity = np.zeros(3)
    gravity[:dim] = scene.mechanism.gravity
    for body in scene.bodies:
        x, x_dot, x_ddot = (each[: 1 + dim] for each in scene.probe(body))
        mass, _, inertia = scene.properties(body)
        if dim == 3:
            inertia = x[1:].T @ inertia @ x[1:]
        omega, alpha = 0.5 * np.cross(x[1:], x_dot[1:]).sum(0), 0.5 * np.cross(x[1:], x_ddot[1:]).sum(0)
        force, moment, scale = mass * gravity, np.zeros(3), mass * np.linalg.norm(gravity)
        for at, effort, is_point in scene.efforts(body):
            force = force + effort * is_point
            moment = moment + np.cross(at - x[0] if is_point else at, effort)
            scale += np.linalg.norm(effort)
        close(force, mass * x_ddot[0], 1e-11 * scale)
        close(moment, inertia @ alpha + np.cross(omega, inertia @ omega), 1e-11 * scale)


def check_reactions(kind, dim, kinds, seed=0):
    """The multipliers are the forces of the joint (balance of momentum of each body), and J v̇ + γ = 0."""
    scene = Rig(kind, dim, kinds, seed=seed)
    scene.assemble()
    w = scene.w
    w.accelerate()
    close(w.jacobian() @ w.acc[: scene.nv] + w.gamma[: scene.nc], 0.0, 1e-11)
    newton_euler(scene)


def check_power(kind, dim, kinds, seed=0):
    """The constraint forces M v̇ − f work only where the constraint moves of itself: their power is −λ·φ_t."""
    scene = Rig(kind, dim, kinds, seed=seed)
    scene.assemble()
    w, v = scene.w, scene.w.v[: scene.nv]
    w.accelerate()
    effort = w.mass_matrix() @ w.acc[: scene.nv] - w.force[: scene.nv]
    scale = np.abs(v) @ np.abs(effort) + 1.0
    close(v @ effort, -w.lam[: scene.nc] @ w.phi_t[: scene.nc], 1e-11 * scale)
    if not kind.signals(dim):
        assert (w.phi_t[: scene.nc] == 0.0).all()


def check_support(kind, dim, kinds, seed=0):
    """A body at rest in the joint and in a weld (and what hangs on it by the joint): together they carry the weight."""
    if kind.signals(dim) or "ground" not in kinds:
        return
    reference = tuple(k if k == "ground" else body_kinds(dim)[0] for k in kinds)
    assembled = Rig(kind, dim, reference, seed=seed)
    assembled.assemble()
    poses, twists = assembled.standing()
    scene = Rig(kind, dim, kinds, seed=seed, poses=poses, twists=twists, weld=True)
    scene.w.v[:] = 0.0
    scene.w.accelerate()
    total = sum(effort for body in scene.bodies for _, effort, is_point in scene.efforts(body) if is_point)
    weight = sum(scene.properties(body).mass for body in scene.bodies) * np.array(scene.mechanism.gravity)
    for body in scene.bodies:
        close(scene.probe(body)[2], 0.0, 1e-9)
    close(total[:dim], -weight, 1e-9 * np.linalg.norm(weight))


def check_same_motion(kind, dim, seed=0):
    """The motion of the bodies does not depend on the coordinates they are described with.

    RK4 with a step of 1 ms leaves an error of order h⁴ per unit of time, different for each kind, at rates of a few per second.
    """
    reference = body_kinds(dim)[0]
    start = Rig(kind, dim, ("ground" if kind.grounded else reference, reference), seed=seed, anchor=True)
    start.assemble()
    poses, twists = start.standing()
    ends = {}
    for kinds in pairs(kind, dim):
        if kind.grounded or "ground" not in kinds:
            scene = Rig(kind, dim, kinds, seed=seed, poses=poses, twists=twists, anchor=True)
            before = _corners(scene)
            scene.simulate(0.2, 1e-3)
            ends[kinds] = _corners(scene)
    expected = ends[next(iter(ends))]
    assert np.abs(expected - before).max() > 0.01
    for positions in ends.values():
        close(positions, expected, 1e-9)


def _corners(scene):
    """Three points of each body, in the world."""
    return np.array([[scene.pose(n).point(p) for p in np.eye(3)] for n in scene.bodies])


def check_localised(kind, dim, seed=0):
    """In self-contained form the joint has the same tables and the same motion, wherever its bodies are described, or stand now."""
    one, other = body_kinds(dim)[:2]
    simulated = 0
    for kinds in [("ground", one)] if kind.grounded else [(one, other), ("ground", other), (other, "ground")]:
        for way in ("at", "at_a and at_b", "frames", "frames and at"):
            here, there = (Placed(kind, dim, kinds, way, seed=seed, poses=poses) for poses in (seed, seed + 100))
            try:
                tables = here.compile()
            except DescriptionError as refused:
                with pytest.raises(DescriptionError, match=re.escape(str(refused))):
                    here.localised()
                continue
            made, moved = here.localised(), here.localised(there.mechanism.pose)
            assert all(joint.at is None and here.mechanism.localised(joint) == joint for joint in made.values())
            same_tables(tables, here.compile(made))
            same_tables(tables, there.compile(made))
            same_tables(there.compile(), here.compile(moved))
            simulated += _same_motion(here.scene(), here.scene(made))
    assert simulated


def _same_motion(*scenes):
    """Whether the scenes can be assembled; if so they move alike."""
    ends = []
    for scene in scenes:
        for _ in range(10):
            scene.w.project()
        scene.w.evaluate()
        if np.abs(scene.w.phi[: scene.nc]).max() > 1e-9:  # far from any position that fits, or singular where it is
            return False
        scene.simulate(0.02, 1e-3)
        ends.append(np.concatenate([scene.w.q, scene.w.v]))
    close(ends[0], ends[1], 1e-10 * np.abs(ends[0]).max())  # rounding, amplified by ten iterations and twenty steps
    return True


def check_round_trip(kind):
    """Through JSON and back; the name in the file finds the class. A callable is refused."""
    given = [getattr(kind, field) for field in kind.__struct_fields__]
    if any(callable(value) and not isinstance(value, FunctionKind) for value in given):
        with pytest.raises(TypeError):
            msgspec.json.encode(kind)
        return
    data = msgspec.json.decode(msgspec.json.encode(kind))
    assert msgspec.convert(data, registry.joints[data["type"]]) == kind


PAIRWISE = (check_rates, check_jacobian, check_kernel, check_independence, check_reactions, check_power, check_support)


def check_joint(kind):
    """All of the above, for every pair of body kinds."""
    check_round_trip(kind)
    for dim in kind.dims:
        for kinds in pairs(kind, dim):
            for check in PAIRWISE:
                check(kind, dim, kinds)
        check_same_motion(kind, dim)
        check_localised(kind, dim)
