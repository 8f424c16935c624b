"""Joints that close loops: constrained dynamics against the KKT system, the central solver and each other."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import NamingError
from bielle.model import compile_mechanism
from bielle.recursive import SingularError
from bielle.recursive.coupling import Coupling
from bielle.recursive.tree import Tree
from bielle.solvers.workspace import Workspace

from ..solvers.test_central import parallelogram
from .linkages import bricard, four_bar, ladder, spatial_four_bar, stewart_platform

MECHANISMS = {"four-bar": four_bar, "spatial four-bar": spatial_four_bar, "platform": stewart_platform, "bricard": bricard}
every_linkage = pytest.mark.parametrize("make", MECHANISMS.values(), ids=MECHANISMS)


def closed_state(model, seed):
    """Near the described one."""
    rng = np.random.default_rng(seed)
    q, _ = model.described()
    q = model.integrate(q, 0.02 * rng.normal(size=model.nv))
    q, v = model.close_loops(q, rng.normal(size=model.nv))
    return q, v, rng.normal(size=model.nv)


@every_linkage
def test_loops_are_closed(make):
    model = make().recursive()
    for seed in range(5):
        q, v, _ = closed_state(model, seed)
        gap, rate = model.constraint_residual(q, v)
        assert np.abs(gap).max() <= 1e-13
        assert np.abs(rate).max() <= 1e-9 * (1 + np.abs(v).max())  # positions move by up to 1e-10 after velocities are made to fit


@pytest.mark.parametrize("arm", [0, 1, 3])
def test_joints_of_a_loop_are_counted_up_to_where_its_ways_meet(arm):
    """A square of three links and four joints, on the ground or at the end of an arm, whose joints are not in the loop."""
    m = bl.Mechanism(plane="xy")
    for i in range(arm):
        m.add_body(f"arm {i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"shoulder {i}", bl.Pin(), f"arm {i - 1}" if i else m.ground, f"arm {i}", at=(i, 0))
    base, corners = f"arm {arm - 1}" if arm else m.ground, [(arm, 0), (arm, 1), (arm + 1, 1), (arm + 1, 0)]
    for k in range(3):
        m.add_body(f"link {k}", bl.rod(corners[k], corners[k + 1], mass=1.0))
        m.add_joint(f"pin {k}", bl.Pin(), f"link {k - 1}" if k else base, f"link {k}", at=corners[k])
    m.add_joint("closing", bl.Pin(), "link 2", base, at=corners[3])
    model, state = compile_mechanism(m)
    coupling = Coupling(Tree(model), Workspace(model, state))
    assert coupling._loops[:, 5].tolist() == [4]


def test_closing_a_loop_near_its_flat_position_takes_no_energy():
    """A parallelogram 10⁻⁴ rad from where it is flat, off by δ towards the other branch: the gap of δ · 10⁻⁴ is nearly closed, but
    velocities that fit *there* have the cranks turn at rates that differ by δ/10⁻⁴ of them. Projected there, they would lose its square.
    """
    distance, off = 1e-4, 1e-8
    model = parallelogram(2, distance, 1.0).recursive()
    q, v = model.close_loops(*model.described())
    moved = q.copy()
    for joint in ("foot1", "head0"):
        moved[model.coordinates(joint)[0]] += off
    assert np.abs(model.constraint_residual(moved, v)[0]).max() <= 2 * off * distance
    closed, u = model.close_loops(moved, v)
    turned = 1e-14 / distance**2  # by rounding of the gaps, 1e-15: it moves a crank by 1e-15/distance, and J by as much over the distance
    assert np.abs(u - v).max() <= turned
    assert abs(model.kinetic_energy(closed, u) / model.kinetic_energy(q, v) - 1) <= turned**2


@every_linkage
def test_jacobian_is_the_slope_of_the_residual(make):
    model = make().recursive()
    q, v, _ = closed_state(model, 1)
    J, h = model.constraint_jacobian(q), 1e-6
    slope = np.column_stack([
        (model.constraint_residual(model.integrate(q, h * e), v)[0] - model.constraint_residual(model.integrate(q, -h * e), v)[0]) / (2 * h)
        for e in np.eye(model.nv)])  # fmt: skip
    assert np.abs(J - slope).max() <= 1e-8 * (1 + np.abs(J).max())
    assert np.abs(model.constraint_residual(q, v)[1] - J @ v).max() <= 1e-12 * (1 + np.abs(J).max())


@every_linkage
def test_constrained_dynamics_solve_the_equations_of_motion(make):
    """M a + h = τ + Jᵀλ, and the loops stay closed along the motion."""
    model = make().recursive()
    for seed in range(5):
        q, v, tau = closed_state(model, seed)
        a, lam = model.forward_dynamics_constrained(q, v, tau)
        J = model.constraint_jacobian(q)
        scale = 1 + np.abs(a).max() + np.abs(lam).max() + np.abs(tau).max()
        assert np.abs(model.rnea(q, v, a) - tau - J.T @ lam).max() <= 1e-10 * scale
        h = 1e-4
        ahead, behind = (model.constraint_residual(model.integrate(model.integrate(q, s * h * v), h * h / 2 * a), v)[0] for s in (1, -1))
        here = model.constraint_residual(q, v)[0]
        assert np.abs((ahead - 2 * here + behind) / h**2).max() <= 1e-5 * (scale + np.abs(v).max() ** 2)


@every_linkage
def test_multipliers_are_those_of_the_central_solver(make):
    m = make()
    model = m.recursive()
    q, v = model.close_loops(*model.described())
    run = m.simulate(1e-4, samples=2)
    _, lam = model.forward_dynamics_constrained(q, v, model.applied_forces(q, v))
    for name in model.loops:
        rows = run.model.joints[name].equations
        wanted = run.samples["lam"][0][rows]
        if make is not bricard:  # in a redundant loop they are not the only ones
            assert np.abs(lam[model.equations(name)] - wanted).max() <= 1e-7 * (1 + np.abs(wanted).max())


@every_linkage
def test_inverse_dynamics_undo_forward_dynamics(make):
    model = make().recursive()
    q, v, tau = closed_state(model, 3)
    a, _ = model.forward_dynamics_constrained(q, v, tau)
    found, lam = model.inverse_dynamics_constrained(q, v, a)
    again, _ = model.forward_dynamics_constrained(q, v, found)
    scale = 1 + np.abs(a).max()
    assert np.abs(again - a).max() <= 1e-9 * scale
    assert np.linalg.norm(found) <= np.linalg.norm(tau) * (1 + 1e-12)
    J = model.constraint_jacobian(q)
    assert np.abs(model.rnea(q, v, a) - found - J.T @ lam).max() <= 1e-9 * (1 + np.abs(lam).max())


def test_one_motor_drives_a_four_bar():
    model = four_bar().recursive()
    q, v, _ = closed_state(model, 0)
    crank = model.coordinates("crank pin")[1]
    tau = np.zeros(model.nv)
    tau[crank] = 3.0
    a, _ = model.forward_dynamics_constrained(q, v, tau)
    found, _ = model.inverse_dynamics_constrained(q, v, a, actuated=["crank pin"])
    assert np.allclose(found, tau, atol=1e-10)
    with pytest.raises(SingularError, match="efforts in joints that are not actuated"):
        model.inverse_dynamics_constrained(q, v, a, actuated=[])


@every_linkage
def test_batches_are_single_calls(make):
    model = make().recursive()
    states = [closed_state(model, seed) for seed in range(20)]
    q, v, tau = (np.array(x) for x in zip(*states))
    for name, arguments in {
        "forward_dynamics_constrained": (q, v, tau), "inverse_dynamics_constrained": (q, v, tau * 0), "constraint_jacobian": (q,),
        "constraint_residual": (q, v), "close_loops": (q, v), "applied_forces": (q, v),
    }.items():  # fmt: skip
        together = getattr(model, f"{name}_batch")(*arguments)
        for k in range(len(q)):
            alone = getattr(model, name)(*(x[k] for x in arguments))
            for x, y in zip(alone, (part[k] for part in together)) if isinstance(alone, tuple) else ((alone, together[k]),):
                assert np.array_equal(x, y), name


def test_redundant_loops_cost_no_accuracy():
    """A second joint in the place of the first takes over half of its effort; the motion is the same."""
    once, twice = four_bar(), four_bar()
    loop = once.recursive().loops[0]
    joint = twice.joints[loop]
    twice.add_joint("again", joint.kind, joint.a, joint.b, at=(1.5, 1.4))
    first, second = once.recursive(), twice.recursive()
    q, v, tau = closed_state(first, 2)
    a, lam = first.forward_dynamics_constrained(q, v, tau)
    b, both = second.forward_dynamics_constrained(q, v, tau)
    assert np.abs(a - b).max() <= 1e-11 * (1 + np.abs(a).max())
    assert np.allclose(both[second.equations("again")], lam / 2, rtol=1e-6)
    runs = [m.simulate(2.0, bl.Recursive(rtol=1e-10)) for m in (once, twice)]
    assert np.abs(runs[0]["rocker"].position - runs[1]["rocker"].position).max() <= 1e-8


@pytest.mark.parametrize(
    "make", [four_bar, lambda: ladder(40), lambda: stewart_platform((0.3, 0.2, 0.1))], ids=["four-bar", "ladder", "platform"]
)
def test_two_seconds_are_those_of_a_finer_reference(make):
    """At default tolerances: some hundred steps may each err by 1e-10, which is what joints get of them, in links of about 1 m."""
    m = make()
    reference = m.simulate(2.0, bl.Central(rtol=1e-12, atol=1e-14))
    run = m.simulate(2.0, bl.Recursive(), samples=reference.time)
    assert max(np.abs(run[body].position - reference[body].position).max() for body in m.bodies) <= 1e-8
    assert run.violation.max() <= 1e-9


def test_who_is_a_loop_is_told():
    model = four_bar().recursive()
    assert len(model.loops) == 1
    with pytest.raises(NamingError, match="no joint that closes a loop named 'crank pin'"):
        model.equations("crank pin")


def test_forces_of_the_mechanism_are_efforts_in_joints():
    """With them the bodies move as the mechanism does."""
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    m.add_body("upper", bl.box((1.0, 0.1, 0.1), mass=1.0), position=(0.5, 0, 0))
    m.add_body("lower", bl.box((0.1, 0.1, 1.0), mass=1.0), position=(1, 0, -0.5), velocity=(0.3, 0, 0), angular_velocity=(0, -0.6, 0))
    m.add_joint("shoulder", bl.Spherical(), m.ground, "upper", at=(0, 0, 0))
    m.add_joint("elbow", bl.Revolute(axis="y"), "upper", "lower", at=(1, 0, 0))
    m.add_force("spring", bl.Spring(stiffness=30.0, damping=0.2, length=0.5), m.ground, "lower", at_a=(0, 0, 1), at_b=(0, 0, 0))
    m.add_force("motor", bl.Motor(target=0.5, stiffness=20.0, damping=1.0), joint="elbow")
    model = m.recursive()
    q, v = model.described()
    run = m.simulate(1e-4, samples=2)
    a = model.aba(q, v, model.applied_forces(q, v))
    h = 1e-3
    ahead, behind = (model.forward_kinematics(model.integrate(model.integrate(q, s * h * v), h * h / 2 * a)) for s in (1, -1))
    here = model.forward_kinematics(q)
    for name in m.bodies:
        found = (ahead[name].position - 2 * here[name].position + behind[name].position) / h**2
        assert np.abs(found - run[name].acceleration[0]).max() <= 1e-5 * (1 + np.abs(a).max())


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
def test_a_joint_with_all_its_points_on_one_body_closes_a_loop(coordinates):
    """A point that is led along a path is on no second body; equations inside a body in natural coordinates are no loop."""
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    m.add_body("b", bl.box((0.3, 0.2, 0.1), mass=2.0), coordinates=coordinates)
    assert m.recursive().loops == []
    m.add_joint("led", bl.ImposedPoint(path=(0.1, 0.0, None)), m.ground, "b", at_a=(0, 0, 0), at_b=(0.1, 0, 0))
    model = m.recursive()
    assert model.loops == ["led"]
    q, v = model.close_loops(*model.described())
    a, lam = model.forward_dynamics_constrained(q, v, np.zeros(6))
    assert np.abs(model.rnea(q, v, a) - model.constraint_jacobian(q).T @ lam).max() <= 1e-12 * 20
    assert np.abs(model.constraint_jacobian(q) @ a).max() <= 1e-12 * 10


def test_nothing_is_written_but_what_was_asked_for():
    """Kernels know the arrays of the last call; the next one must leave them alone."""
    model = four_bar().recursive()
    q, v, tau = closed_state(model, 4)
    for call in (
        model.described, lambda: model.close_loops(q, v), lambda: model.close_loops_batch(q[None], v[None]),
        lambda: model.aba_derivatives(q, v, tau), lambda: model.forward_dynamics_constrained(q, v, tau), lambda: model.applied_forces(q, v),
        lambda: model.constraint_residual(q, v), lambda: model.center_of_mass(q), lambda: model.integrate(q, v),
    ):  # fmt: skip
        given = [x.copy() for x in (q, v, tau)]
        room, *matrices = np.zeros(model.nv), *(np.zeros((model.nv, model.nv)) for _ in range(7))
        model.rnea_derivatives(*given, out=tuple(matrices[:3]))
        model.aba_derivatives(*given, out=tuple(matrices[3:6]))
        model.crba(given[0], out=matrices[6])
        model.rnea(*given, out=room)
        model.aba(*given, out=room)
        kept = [x.copy() for x in (*given, room, *matrices)]
        call()
        assert all(np.array_equal(x, y) for x, y in zip((*given, room, *matrices), kept))


def test_what_is_described_stays_so_whatever_was_asked_before():
    model = four_bar().recursive()
    q, v = model.described()
    model.forward_dynamics_constrained(q + 0.3, v + 1.0, v)
    assert all(np.array_equal(x, y) for x, y in zip(model.described(), (q, v)))
