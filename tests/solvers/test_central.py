"""The central solver: accuracy, redundancy, singular positions, failures that lose nothing."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.errors import CallbackError, DescriptionError, NamingError, SimulationError
from bielle.examples import n_four_bar
from bielle.kernels import lazy
from bielle.model import compile_mechanism
from bielle.solvers.workspace import Workspace

from .models import double_pendulum, double_pendulum_reference, tip


@pytest.mark.parametrize("coordinates", ["planar", "bar"])
def test_default_is_accurate_on_the_double_pendulum(coordinates):
    run = double_pendulum(coordinates).simulate(5.0)
    assert np.abs(tip(run) - double_pendulum_reference(5.0, 501)).max() <= 1e-6
    assert run.violation.max() <= 1e-9
    assert np.abs(run.energy.error).max() <= 1e-8


def test_duplicated_joints_change_nothing():
    plain = double_pendulum().simulate(2.0, samples=101)
    m = double_pendulum()
    m.add_joint("elbow again", bl.Pin(), "upper", "lower", at=(1, 0))
    m.add_joint("pivot again", bl.Pin(), m.ground, "upper", at=(0, 0))
    double = m.simulate(2.0, samples=101)
    # both runs carry the error of rtol = 1e-8, grown by the motion
    assert np.abs(tip(double) - tip(plain)).max() < 1e-7
    both = double["elbow"].force() + double["elbow again"].force()
    assert np.allclose(both, plain["elbow"].force(), atol=1e-5)


def parallelogram(cranks, angle, speed):
    """``cranks`` parallel bars of 1 m on one coupler: redundant from three on; exact motion is that of one angle."""
    m = bl.Mechanism(plane="xy")
    c, s = np.cos(angle), np.sin(angle)
    for i in range(cranks):
        foot, head = np.array([i, 0.0]), np.array([i + c, s])
        m.add_body(f"crank{i}", bl.rod(foot, head, mass=1.0), velocity=0.5 * speed * np.array([-s, c]), angular_velocity=speed)
        m.add_joint(f"foot{i}", bl.Pin(), m.ground, f"crank{i}", at=foot)
    m.add_body("coupler", bl.rod((c, s), (cranks - 1 + c, s), mass=1.0), velocity=speed * np.array([-s, c]))
    for i in range(cranks):
        m.add_joint(f"head{i}", bl.Pin(), f"crank{i}", "coupler", at=(i + c, s))
    return m


def crank_of_parallelogram(cranks, angle, speed, times):
    """Angle and rate of all cranks: (n m_c/3 + m) L θ'' = −(n m_c/2 + m) g cos θ with bars of 1 kg and 1 m."""
    factor = 9.81 * (cranks / 2 + 1) / (cranks / 3 + 1)
    start = (angle, speed)
    return solve_ivp(
        lambda t, y: [y[1], -factor * np.cos(y[0])], (0, times[-1]), start, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times
    ).y


@pytest.mark.parametrize(
    ("solver", "energy"),
    [
        (bl.Central(integrator="rk4", step=1e-3), 1e-5),
        (bl.Central(integrator="newmark", step=1e-3), 1e-4),  # symmetric and of second order: swings by (ω h)² of the energy
        (bl.Central(), 1e-5),
    ],
    ids=["rk4", "newmark", "adaptive"],
)
@pytest.mark.parametrize("cranks", [2, 3])
def test_parallelogram_passes_its_flat_position(cranks, solver, energy):
    """Flat, every bar lies on one line and the Jacobian loses rank; with three cranks an equation is redundant all the time."""
    run = parallelogram(cranks, 0.3, 8.0).simulate(20.0, solver, samples=401)  # goes round and round
    angle, rate = crank_of_parallelogram(cranks, 0.3, 8.0, run.time)
    assert angle[-1] > 50 * np.pi
    assert run.violation.max() < 1e-8
    assert np.abs(run.energy.error).max() < energy
    # an error ε of the energy is one of up to ε/2 (θ'_max/θ'_min)² of the speed where it is slowest; over the time it adds up to an angle
    limit = rate.max() * run.time[-1] * 0.5 * energy * (rate.max() / rate.min()) ** 2
    assert np.abs(run["crank0"].orientation - angle).max() < limit


def test_projection_near_a_flat_position_takes_no_energy():
    """Off by δ towards the other branch, 10⁻⁴ rad from where the branches meet: velocities that fit there, and not where positions are
    moved to, would be turned by δ/10⁻⁴."""
    distance, off = 1e-4, 1e-8
    model, state = compile_mechanism(parallelogram(2, distance, 1.0))
    w = Workspace(model, state)
    w.project()
    before = w.v.copy()
    crank, coupler = model.bodies["crank1"].q, model.bodies["coupler"].q
    w.q[crank] += off * np.array([0.0, 0.5, 1.0])  # about its foot
    w.q[coupler] += off * np.array([0.0, 0.5, 1.0])  # about the head of the other
    w.evaluate()
    assert np.abs(w.phi).max() <= 2 * off * distance
    w.project()
    turned = 1e-14 / distance**2  # by rounding of the gaps, 1e-15: it moves a crank by 1e-15/distance, and J by as much over the distance
    assert np.abs(w.v - before).max() <= turned


def test_nothing_is_compiled_for_another_topology_or_mixture_of_kinds():
    double_pendulum().simulate(0.1)
    m = bl.Mechanism(plane="xy")
    m.add_body("bar", bl.rod((0, 0), (1, 0), mass=1.0), coordinates="bar")
    m.add_body("slider", bl.box((0.2, 0.1), mass=1.0), position=(1, 0))
    m.add_joint("pivot", bl.Pin(), m.ground, "bar", at=(0, 0))
    m.add_joint("pin", bl.Pin(), "bar", "slider", at=(1, 0))
    m.add_joint("guide", bl.Slider(), m.ground, "slider", at=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=10.0), m.ground, "slider", at_a=(2, 0), at_b=(0, 0))
    m.simulate(0.1)
    compiled = []
    lazy.on_compile(compiled.append)
    m.remove("spring")
    m.remove("guide")
    m.add_body("third", bl.rod((1, 0), (2, 0), mass=1.0))
    m.add_joint("third pin", bl.Pin(), "slider", "third", at=(1, 0))
    m.simulate(0.1)
    double_pendulum("bar").simulate(0.1)
    assert compiled == []


def test_sample_times_can_be_chosen():
    times = [0.0, 0.1, 0.25, 0.7]
    run = double_pendulum().simulate(1.0, samples=times)
    assert list(run.time) == [*times, 1.0]
    dense = double_pendulum().simulate(1.0, samples=1001)
    assert np.allclose(tip(run)[2], tip(dense)[250], atol=1e-8)


def test_fixed_steps_sample_the_last_one_too():
    run = double_pendulum().simulate(0.5, bl.Central(integrator="rk4", step=1e-3), samples=11)
    assert run.time[-1] == pytest.approx(0.5)
    assert len(run) == 11


def test_sampling_does_not_disturb_the_motion():
    few = double_pendulum().simulate(1.0, samples=2)
    many = double_pendulum().simulate(1.0, samples=200)
    assert np.array_equal(few.samples["q"][-1], many.samples["q"][-1])


# -- failures


def test_divergence_keeps_what_was_computed():
    m = bl.Mechanism(plane="xy")
    m.add_body("mass", bl.disc(0.1, mass=1e-3), position=(1.1, 0))
    m.add_force("stiff", bl.Spring(stiffness=1e9, length=1.0), m.ground, "mass", at_a=(0, 0), at_b=(0, 0))
    with pytest.raises(SimulationError, match=r"body 'mass'.*smaller step") as caught:
        m.simulate(10.0, bl.Central(integrator="rk4", step=1e-2), samples=1001)
    assert len(caught.value.result) >= 1
    assert caught.value.result.info["status"] == "failed"


def test_step_collapse_is_reported():
    m = bl.Mechanism(plane="xy")
    m.add_body("mass", bl.disc(0.1, mass=1.0))
    # grows without bound towards t = 0.5: no step is small enough there
    m.add_force("jerk", bl.PointForce(force=(bl.Function(lambda t: 1.0 / (0.5 - t) ** 3), 0.0)), "mass", at=(0, 0))
    with pytest.raises((SimulationError, CallbackError)) as caught:
        m.simulate(1.0)
    assert "0.5" in str(caught.value) or "0.49" in str(caught.value)
    assert len(caught.value.result) > 10


def test_newton_that_does_not_converge_says_what_to_take_instead():
    """Stabilised constraints at acceleration level are singular in the flat position; index 3 passes it (see above)."""
    solver = bl.Central("baumgarte", integrator="newmark", step=1e-3)
    with pytest.raises(SimulationError, match=r"did not converge.*smaller step.*index3") as caught:
        n_four_bar.build(n=2).simulate(2.0, solver, samples=201)
    assert caught.value.result.time[-1] > 0.6


def test_newton_that_does_not_converge_names_the_body_it_stumbles_over():
    """A ball strikes the floor while something else is faster; nobody is sent to index 3 who is there."""
    m = bl.Mechanism(plane="xy")
    m.add_body("fast", bl.disc(0.1, mass=1.0), velocity=(1e3, 0), position=(0, 5))
    m.add_body("ball", bl.disc(0.2, mass=1.0), position=(-3, 1))
    m.add_force("floor", bl.PlaneContact(stiffness=1e4, damping=20.0, height=-0.6), m.ground, "ball", at_a=(0, 0), at_b=(0.5, 0))
    with pytest.raises(SimulationError, match=r"did not converge .*around body 'ball'") as caught:
        m.simulate(2.0, bl.Central(integrator="hht", step=1e-2))
    assert "index3" not in str(caught.value)


def test_callable_that_fails_names_component_and_time():
    m = bl.Mechanism(plane="xy")
    m.add_body("mass", bl.disc(0.1, mass=1.0))

    def push(t):
        if t > 0.3:
            raise RuntimeError("sensor lost")
        return 1.0

    m.add_force("thrust", bl.PointForce(force=(push, 0.0)), "mass", at=(0, 0))
    with pytest.raises(CallbackError, match=r"force 'thrust'.*RuntimeError: sensor lost") as caught:
        m.simulate(1.0)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert caught.value.result.time[-1] <= 0.31


def test_callable_that_returns_nan_names_component_and_time():
    m = bl.Mechanism(plane="xy")
    m.add_body("mass", bl.disc(0.1, mass=1.0))
    m.add_force("thrust", bl.PointForce(force=(lambda t: float("nan") if t > 0.2 else 0.0, 0.0)), "mass", at=(0, 0))
    with pytest.raises(CallbackError, match=r"force 'thrust'.*non-finite.*at argument 0\.2.*\(At t = 0\.\d+ s\.\)"):
        m.simulate(1.0)


def test_interruption_returns_the_partial_result():
    def stop(fraction):
        if fraction > 0.3:
            raise KeyboardInterrupt

    run = double_pendulum().simulate(200.0, bl.Central(integrator="rk4", step=1e-4), samples=2001, progress=stop)
    assert run.info["status"] == "interrupted"
    assert 10 < len(run) < 2001
    assert np.isfinite(tip(run)).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"integrator": "rk4"}, "needs a step"),
        ({"integrator": "rk4", "step": -1.0}, "positive"),
        ({"integrator": "adaptive", "step": 1e-3}, "chooses its steps itself"),
        ({"formulation": "index3", "integrator": "rk4", "step": 1e-3}, "goes with newmark"),
        ({"integrator": "hht", "step": 1e-3, "alpha": 0.5}, "alpha must be between"),
        ({"rtol": 0.0}, "rtol must be between"),
        ({"penalty": -1.0}, "penalty must be positive"),
    ],
)
def test_wrong_settings(options, words):
    with pytest.raises(DescriptionError, match=words):
        bl.Central(**options)


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(NamingError, match="Did you mean 'newmark'"):
        bl.Central(integrator="newmrk", step=1e-3)
    with pytest.raises(NamingError, match="Did you mean 'baumgarte'"):
        bl.Central("baumgart")


@pytest.mark.parametrize("duration", [0.0, -1.0, float("nan"), float("inf"), "long"])
def test_wrong_durations(duration):
    with pytest.raises(DescriptionError, match="duration"):
        double_pendulum().simulate(duration)


@pytest.mark.parametrize("samples", [1, [0.0, 0.0], [0.5, 0.1], [0.0, 2.0], [-1.0, 0.5]])
def test_wrong_samples(samples):
    with pytest.raises(DescriptionError, match="samples|increase"):
        double_pendulum().simulate(1.0, samples=samples)


def test_flat_body_in_natural_coordinates_is_refused():
    m = bl.Mechanism()
    with pytest.raises(DescriptionError, match=r"body 'plate': natural coordinates need.*flat.*thickness.*'spatial'"):
        m.add_body("plate", bl.disc(0.25, mass=15.0), coordinates="natural")
    assert not m.bodies


def test_equations_of_motion_are_balanced_to_rounding_in_closed_loops():
    """M v̇ = f + Jᵀλ and J v̇ = −γ, although pivots of the size of the regularisation occur."""
    from bielle.model import compile_mechanism
    from bielle.solvers.workspace import Workspace

    for cranks in (2, 3):
        w = Workspace(*compile_mechanism(parallelogram(cranks, 0.3, 8.0)))
        w.accelerate()
        m = w.model
        M, J = w.mass_matrix(), w.jacobian()
        a, lam = w.acc[: m.nv], w.lam[: m.nc]
        size = np.abs(J.T @ lam).max()
        assert np.abs(M @ a - w.force[: m.nv] - J.T @ lam).max() < 1e-12 * size
        assert np.abs(J @ a + w.gamma[: m.nc]).max() < 1e-10 * np.abs(w.gamma[: m.nc]).max()


@pytest.mark.parametrize("integrator", ["RK45", "DOP853", "Radau", "BDF", "LSODA"])
def test_first_sample_is_the_initial_state(integrator):
    run = double_pendulum().simulate(0.1, bl.Central(integrator=integrator), samples=3)
    assert run.time[0] == 0.0
    assert np.allclose(tip(run)[0], [1.0, -1.0], atol=1e-12)


def test_chosen_times_with_fixed_steps():
    run = double_pendulum().simulate(1.0, bl.Central(integrator="rk4", step=1e-2), samples=[0.0, 0.11, 0.5])
    assert np.allclose(run.time, [0.0, 0.11, 0.5, 1.0])
    full = double_pendulum().simulate(1.0, bl.Central(integrator="rk4", step=1e-2), samples=101)
    assert np.array_equal(tip(run), tip(full)[[0, 11, 50, 100]])


def test_fixed_steps_fit_the_duration():
    run = double_pendulum().simulate(1.0, bl.Central(integrator="rk4", step=3e-3), samples=11)
    assert run.time[-1] == pytest.approx(1.0, abs=1e-12)
    assert run.info["statistics"]["steps"] == 334


@pytest.mark.parametrize(
    ("solver", "options", "words"),
    [
        (bl.Central(integrator="rk4", step=2.0), {}, "longer than the duration"),
        (bl.Central(integrator="rk4", step=1e-2), {"samples": [0.0, 0.1234567, 0.5]}, "do not fall on the steps"),
        ("rk4", {}, "is an integrator, and no solver. Write bielle.Central"),
    ],
)
def test_what_does_not_fit_is_refused(solver, options, words):
    with pytest.raises(DescriptionError, match=words):
        double_pendulum().simulate(1.0, solver, **options)


def test_one_held_body_may_be_named_as_a_string():
    run = double_pendulum().simulate(0.1, hold="upper", samples=2)
    assert len(run) == 2


def test_imposed_motion_by_a_table_keeps_its_energy_balance():
    """The spline has a slope at its ends: the motion starts with it."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_joint("drive", bl.ImposedRotation(angle=([0.0, 0.5, 1.0], [0.0, 1.0, 0.0])), m.ground, "rod", at=(0, 0))
    run = m.simulate(1.0)
    assert run["rod"].angular_velocity[0] == pytest.approx(3.0)
    assert np.abs(run.energy.error).max() < 1e-7


def test_forces_ask_their_functions_for_values_only():
    asked = []

    def push(t):
        asked.append(t)
        return t**0.5  # not defined before the start

    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("mass", bl.disc(0.1, mass=1.0))
    m.add_force("thrust", bl.PointForce(force=(push, 0.0)), "mass", at=(0, 0))
    run = m.simulate(1.0, bl.Central(rtol=1e-6, atol=1e-8), samples=2)
    assert min(asked) >= 0.0
    assert run["mass"].velocity[-1, 0] == pytest.approx(2 / 3, rel=1e-5)
