"""Motion: against closed formulas, programs written by hand, conservation laws and solve_ivp itself."""

import signal

import numpy as np
import pytest
import scipy.integrate

import bielle.course.Multicorps2D as mc
from bielle.course import waiting

from .models import SCISSORS, energy, scissors, simple_pendulum, spring_pendulum

METHODS = ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")


def test_free_fall_is_exact():
    """Exercise 4. Parabolas are within what RK45 integrates and interpolates without error, so only rounding is left."""
    m = mc.Model()
    m.add_solid(tag_S="S", m=1, iy=1, dG_t0=np.array([1, 1]))
    sol = m.transient(0, 0.25, 0.005)
    t = sol.t
    np.testing.assert_array_equal(t, np.arange(0, 0.25, 0.005))
    exact = np.array([t, t - 0.5 * 9.81 * t**2, 0 * t, 1 + 0 * t, 1 - 9.81 * t, 0 * t])
    np.testing.assert_allclose(sol.y, exact, atol=1e-12)


# exercise 3, by hand
G, P, A = np.array([1.0, 3.0]), np.array([2.0, 4.0]), np.array([3.0, 2.0])
THETA = -np.arctan2(P[1] - G[1], P[0] - G[0])
GP = mc.rotation([0, 0, THETA]).T @ (P - G)
M, WEIGHT = np.diag([1, 1, 0.01]), np.array([0, -9.81, 0])


def test_pendulum_on_a_spring_is_that_written_by_hand():
    """The same operations in the same order give the same numbers; nothing less would do, as the motion amplifies rounding."""

    def fun(t, y):
        q, dq = y[0:3], y[3:6]
        fixed = np.array([A[0], A[1], 0.0])
        F = mc.spring_damper_force(q, dq, GP, fixed, np.zeros(3), np.zeros(2), 1e3, 1e2, 0.5)
        return np.concatenate((dq, np.linalg.solve(M, WEIGHT + mc.virtual_power(q, GP, Fext=F))))

    by_hand = scipy.integrate.solve_ivp(fun, [0, 5], [*G, THETA, 0, 0, 0], t_eval=np.arange(0, 5, 0.01))
    sol = spring_pendulum().transient(0, 5, 0.01, compiled=False)
    np.testing.assert_array_equal(sol.y, by_hand.y)
    assert sol.nfev == by_hand.nfev


def test_rates_of_the_pendulum_on_a_spring_from_other_formulas():
    m = spring_pendulum()
    m.build()
    for y in np.random.default_rng(3).normal(size=(10, 6)):
        (x, z, theta), (dx, dz, w) = y[:3], y[3:]
        arm = np.array([GP[0] * np.cos(theta) + GP[1] * np.sin(theta), -GP[0] * np.sin(theta) + GP[1] * np.cos(theta)])
        AP = np.array([x, z]) + arm - A
        dP = np.array([dx + w * arm[1], dz - w * arm[0]])  # V_G + w Y ∧ GP
        length = np.hypot(*AP)
        F = -(1e3 * (length - 0.5) + 1e2 * (AP @ dP) / length) * AP / length
        d2q = [F[0], F[1] - 9.81, (arm[1] * F[0] - arm[0] * F[1]) / 0.01]
        np.testing.assert_allclose(m._odefun(0.0, y), [dx, dz, w, *d2q], rtol=1e-12, atol=1e-10)  # rounding of 10⁵ rad/s²


def test_simple_pendulum_keeps_its_energy_and_knows_its_reaction():
    """Exercise 11, dropped from the horizontal: (Iy + m) φ̇² = 2 m g sin φ and the hinge carries m (g sin φ + φ̇²) along the rod."""
    m = simple_pendulum()
    sol = m.transient(0, 5, 0.01, method="DOP853", rtol=1e-10, atol=1e-10)
    assert sol.success
    angle, speed = sol.y[2], sol.y[5]  # θ turns X towards −Z, so it is the angle below the horizontal
    # a tolerance of 1e-10 per step and some 300 steps, amplified by little: what falls in must come up again
    np.testing.assert_allclose(1.01 * speed**2, 2 * 9.81 * np.sin(angle), atol=1e-6)
    np.testing.assert_allclose(energy(m, sol.y), 0.0, atol=1e-6)
    assert angle.max() == pytest.approx(np.pi, abs=1e-2)  # sampled every 0.01 s
    for k in range(0, 500, 50):
        _, lam = m._equations.accelerations(sol.t[k], sol.y[:, k])
        along = mc.rotation(sol.y[:3, k]).T @ lam
        assert -along[0] == pytest.approx(9.81 * np.sin(angle[k]) + speed[k] ** 2, abs=1e-5)


def test_scissors_stay_together_and_lose_what_the_damper_takes():
    """Exercise 12."""
    m = scissors()
    sol = m.transient(0, 5, 1e-3, rtol=1e-8, atol=1e-8)
    assert sol.success

    def place(tag, point):
        GP = m.solids[tag].frames[point].position
        return np.array([mc.position(q, GP) for q in sol.y[m.solids[tag].ind_q].T])

    # a step errs by 1e-8 of coordinates of some 5; Baumgarte forgets errors within 1/ω = 16 ms, some ten steps
    for a, b, point in (("S1", "S2", "B"), ("S1", "S4", "C"), ("S2", "S3", "E"), ("S3", "S4", "F")):
        np.testing.assert_allclose(place(a, point), place(b, point), atol=5e-7)
    np.testing.assert_allclose(place("S1", "B"), np.tile(SCISSORS["B"], (len(sol.t), 1)), atol=5e-7)

    IH = place("S3", "H") - place("S4", "I")
    length = np.linalg.norm(IH, axis=1)
    total = energy(m, sol.y) + 0.5 * 1000 * (length - 4) ** 2
    # errors of 5e-7 in length against forces of some 10³ N
    assert np.diff(total).max() < 1e-3
    lost = np.append(0.0, np.cumsum(100 * np.diff(length) ** 2 / 1e-3))  # Σ c (δℓ/δt)² δt, good to (δt/T)² of the whole
    assert lost[-1] > 10
    np.testing.assert_allclose(total[0] - total, lost, atol=1e-3 * lost[-1])


# -- the three variants of section 8.2


def test_variants_agree_at_every_state():
    m = scissors()
    m.build()
    rng = np.random.default_rng(8)
    for _ in range(5):
        y = m._matrices.y0 + 0.1 * rng.normal(size=24)
        found = []
        for variant in (1, 2, 3):
            m.build(variant)
            found.append(m._equations.accelerations(0.0, y))
        for d2q, lam in found[1:]:  # forces of 10⁴ N on 10⁻² kg m², solved with a condition of 10⁴: 1e-16 · 10⁶ · 10⁴
            np.testing.assert_allclose(d2q, found[0][0], rtol=1e-9, atol=1e-6)
            np.testing.assert_allclose(lam, found[0][1], rtol=1e-9, atol=1e-6)


def test_multipliers_satisfy_the_equations():
    m = scissors()
    m.build(compiled=False)
    y = m._matrices.y0 + 0.1
    d2q, lam = m._equations.accelerations(0.0, y)
    k = m._matrices
    np.testing.assert_allclose(k.A @ d2q, k.B + k.C.T @ lam, atol=1e-9)
    np.testing.assert_allclose(k.C @ d2q, k.D, atol=1e-9)
    np.testing.assert_array_equal(m._odefun(0.0, y), np.concatenate([y[12:], d2q]))


def test_variants_give_the_same_motion():
    m = scissors()
    sols = {variant: m.transient(0, 0.5, 0.01, rtol=1e-9, atol=1e-9, variant=variant) for variant in (1, 2, 3)}
    # steps differ: variant 1 watches the errors of ∫λ too. Hence the tolerance times some hundred steps
    for variant in (1, 2):
        np.testing.assert_allclose(sols[variant].y[:24], sols[3].y, atol=1e-6)
    assert sols[1].y.shape == (34, 50)
    assert sols[2].y.shape == sols[3].y.shape == (24, 50)


def test_variant_1_integrates_the_multipliers():
    m = simple_pendulum()
    sol = m.transient(0, 1, 1e-3, method="DOP853", rtol=1e-10, atol=1e-10, variant=1)
    lam = np.array([m._equations.accelerations(t, y)[1] for t, y in zip(sol.t, sol.y.T)])
    integral = scipy.integrate.cumulative_simpson(lam.T, x=sol.t, initial=0)
    np.testing.assert_allclose(sol.y[6:], -integral, atol=1e-8)  # Simpson: (1e-3)⁴/180 of fourth derivatives of some 10⁴
    np.testing.assert_array_equal(m._odefun(sol.t[7], sol.y[:, 7])[6:], -lam[7])


# -- driving SciPy


@pytest.mark.parametrize("method", METHODS)
def test_the_result_is_that_of_solve_ivp_bit_for_bit(method):
    m = spring_pendulum()
    sol = m.transient(0.1, 0.6, 0.013, method=method, rtol=1e-5, atol=1e-7, max_step=0.02, compiled=False)
    t_eval = np.arange(0.1, 0.6, 0.013)
    options = {"method": method, "t_eval": t_eval, "rtol": 1e-5, "atol": 1e-7, "max_step": 0.02}
    same = scipy.integrate.solve_ivp(m._odefun, [0.1, 0.6], m._matrices.y0, **options)
    assert set(sol) == set(same)
    np.testing.assert_array_equal(sol.t, same.t)
    np.testing.assert_array_equal(sol.y, same.y)
    for name in ("sol", "t_events", "y_events", "nfev", "njev", "nlu", "status", "message", "success"):
        assert getattr(sol, name) == getattr(same, name), name


class Cliff:
    """A force that becomes infinitely steep at t = 1."""

    label, n_c, tag_S, tag_F = "cliff", 0, "S", "G"

    def _build(self, solids, param):
        self.ind_q = solids["S"].ind_q

    def assemble(self, t, y, matrices):
        matrices.B[self.ind_q[0]] += 1 / (1 - t) ** 2 if t < 1 else np.inf
        return matrices


def test_a_run_that_fails_ends_as_that_of_solve_ivp():
    m = mc.Model()
    m.add_solid(tag_S="S")
    m.interactions["cliff"] = Cliff()
    with np.errstate(invalid="ignore"):
        sol = m.transient(0, 2, 0.1)
        same = scipy.integrate.solve_ivp(m._odefun, [0, 2], m._matrices.y0, t_eval=np.arange(0, 2, 0.1))
    assert (sol.status, sol.success) == (-1, False) == (same.status, same.success)
    assert sol.message == same.message
    np.testing.assert_array_equal(sol.t, same.t)
    np.testing.assert_array_equal(sol.y, same.y)


def test_samples_stop_before_the_end_though_rounding_would_not():
    assert np.arange(1, 1.3, 0.1)[-1] > 1.3
    m = mc.Model()
    m.add_solid()
    sol = m.transient(1, 1.3, 0.1)
    np.testing.assert_allclose(sol.t, [1, 1.1, 1.2], rtol=1e-15)


class Interrupter:
    """Presses Ctrl-C."""

    label, n_c, tag_S, tag_F = "Ctrl-C", 0, None, None

    def __init__(self, at):
        self.at = at

    def _build(self, solids, param):
        self.pressed = False

    def assemble(self, t, y, matrices):
        if t >= self.at and not self.pressed:
            self.pressed = True
            signal.raise_signal(signal.SIGINT)
        return matrices


@pytest.mark.parametrize("method", METHODS)
def test_ctrl_c_returns_what_there_is(method, usual_ctrl_c):
    m = spring_pendulum()
    whole = m.transient(0, 0.6, 0.01, method=method, compiled=False)
    m.interactions["stop"] = Interrupter(at=0.3)
    sol = m.transient(0, 0.6, 0.01, method=method)
    assert sol.status == -2
    assert sol.success is False
    reached = float(sol.message.removeprefix("Interrupted at t = ").removesuffix(" s."))
    assert 0.2 < reached < 0.6  # the step under way may have been rejected and taken smaller
    n = len(sol.t)
    assert sol.t[-1] <= reached < sol.t[-1] + 0.01 + 1e-6  # the message has six digits
    np.testing.assert_array_equal(sol.t, whole.t[:n])
    np.testing.assert_array_equal(sol.y, whole.y[:, :n])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_the_last_step_comes_too_late(usual_ctrl_c):
    m = mc.Model()
    m.add_solid()
    m.interactions["stop"] = Interrupter(at=0.4)  # only the last step looks at the end
    sol = m.transient(0.2, 0.4, 0.1)
    assert m.interactions["stop"].pressed
    assert sol.success
    np.testing.assert_allclose(sol.t, [0.2, 0.3], rtol=1e-15)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_long_run_says_how_far_it_is_and_why_it_is_slow(monkeypatch, capsys):
    monkeypatch.setattr(waiting, "_PATIENCE", 0.0)
    m = spring_pendulum()
    m.transient(0, 0.1, 0.01, max_step=0.01)
    assert capsys.readouterr().err.startswith("simulating: ")
    m.transient(0, 0.1, 0.01, max_step=0.01, compiled=False)
    assert capsys.readouterr().err.startswith("in Python: slow: ")
    m.interactions["own"] = Interrupter(at=1.0)
    m.transient(0, 0.1, 0.01, max_step=0.01)
    out = capsys.readouterr()
    assert out.err.startswith("in Python: slow (of your own: interaction 'own'): ")
    assert out.err.rstrip().endswith("%")
    assert out.out == ""


def test_a_short_run_says_nothing(monkeypatch, capfd):
    monkeypatch.setattr(waiting, "_PATIENCE", 1e9)  # whatever else the machine is doing
    spring_pendulum().transient(0, 0.1, 0.01)
    assert capfd.readouterr() == ("", "")


# -- the description


def test_build_numbers_coordinates_and_equations_as_the_course_does():
    m = scissors()
    m.build()
    assert (m.n_s, m.n_q, m.n_i, m.n_c) == (4, 12, 6, 10)
    np.testing.assert_array_equal(m.solids["S3"].ind_q, [6, 7, 8])
    np.testing.assert_array_equal(m.solids["S3"].ind_dq, [18, 19, 20])
    np.testing.assert_array_equal(m.interactions["C"].ind_c, [4, 5])
    assert len(m.interactions["spring"].ind_c) == 0
    k = m._matrices
    np.testing.assert_array_equal(np.diag(k.A), np.tile([1, 1, 0.01], 4))
    np.testing.assert_array_equal(k.B, np.tile([0, -9.81, 0], 4))
    assert (k.C.shape, k.D.shape, k.ZerC.shape) == ((10, 12), (10,), (10, 10))
    np.testing.assert_array_equal(k.y0[:6], [0.5, -0.5, 0, -0.5, -0.5, 0])
    np.testing.assert_array_equal(k.ind_dq, np.arange(12, 24))


@pytest.mark.parametrize("compiled", [True, False])
def test_what_is_added_after_a_run_takes_part_in_the_next(compiled):
    m = simple_pendulum()
    m.transient(0, 0.1, 0.01)
    m.add_interaction("Moment", tag_I="hold", tag_S="S", fun=lambda t: -9.81)
    sol = m.transient(0, 1, 0.01, rtol=1e-9, atol=1e-12, compiled=compiled)
    np.testing.assert_allclose(sol.y[3:], 0.0, atol=1e-11)  # the moment holds it where it is, but for the tolerance of some steps


def test_gravity_is_a_parameter():
    m = mc.Model()
    m.add_solid(dG_t0=[1, 2])
    m.param.g = 0
    np.testing.assert_allclose(m.transient(0, 1, 0.1).y[1], 2 * np.arange(0, 1, 0.1), atol=1e-13)


def test_imposed_motion_is_followed():
    """Exercise 10. What differences leave of f̈ is 1e-9, and Baumgarte divides it by ω² = 4e3; the rest is the tolerance, 1e-9 per step."""
    m = mc.Model()
    m.add_solid(tag_S="S", dG_t0=[1, 0], dtheta_t0=2)
    m.add_interaction("Motion_1s", tag_I="drive", tag_S="S", fun=lambda t: np.array([np.sin(t), np.cos(t) - 1, 2 * t]))
    sol = m.transient(0, 2, 0.01, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(sol.y[:3], [np.sin(sol.t), np.cos(sol.t) - 1, 2 * sol.t], atol=1e-7)


def test_a_solid_falls_on_the_ground_and_stays_there():
    """Exercise 8. At rest k (z0 − z) = m g; the damper (1e2, half of critical) leaves nothing of the fall after 2 s but the tolerance."""
    m = mc.Model()
    m.add_solid(tag_S="S", G_t0=[0, 0.5])
    m.add_interaction("Contact", tag_I="ground", tag_S="S", tag_F="G")
    sol = m.transient(0, 4, 0.01, rtol=1e-6, atol=1e-8)
    assert sol.y[1, -1] == pytest.approx(-9.81 / 1e3, abs=1e-6)
