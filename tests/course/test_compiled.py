"""The compiled equations: the same accelerations, multipliers, Jacobians and motions as the course's own loop."""

import math
import signal

import numpy as np
import pytest

import bielle as bl
import bielle.course.Multicorps2D as mc
from bielle.course.assembling import CourseLoop
from bielle.course.compiled import Compiled
from bielle.errors import DescriptionError

from .models import energy, scissors, simple_pendulum, spring_pendulum

IMPLICIT = ("Radau", "BDF", "LSODA")


def pair(**frame_b):
    """Two solids that move, with turned frames whose points coincide; the second hangs on a spring."""
    m = mc.Model()
    m.add_solid(tag_S="a", m=2.0, iy=0.3, G_t0=[0.2, 1.0], Xs=[1, 0.3], dG_t0=[0.3, -0.2], dtheta_t0=0.7)
    m.add_solid(tag_S="b", m=1.0, iy=0.2, G_t0=[1.1, 0.4], Xs=[0.2, -1], dG_t0=[-0.1, 0.4], dtheta_t0=-1.1)
    m.add_frame(tag_S="a", tag_F="A", P_t0=[0.7, 0.9], Xs=[0.5, 1.0])
    m.add_frame(tag_S="b", tag_F="B", P_t0=frame_b.get("P_t0", [0.7, 0.9]), Xs=[1.0, 0.4])
    m.add_frame(tag_S="b", tag_F="C", P_t0=[1.4, 0.1])
    m.add_interaction("SpringDashpot_1sFix", tag_I="spring", tag_S="b", tag_F="C", P_Gal=[2.0, 1.0], k=50.0, c=2.0, L0=0.6)
    return m


TWO = {"tag_S": ["a", "b"], "tag_F": ["A", "B"]}
KINDS = {
    "SpringDashpot_2s": ({**TWO, "k": 300.0, "c": 4.0, "L0": 0.3}, [1.0, 0.5]),
    "SpringDashpot_1sFix": ({"tag_S": "a", "tag_F": "A", "P_Gal": [0.0, 2.0], "k": 80.0, "c": 3.0, "L0": 0.2}, None),
    "Force": ({"tag_S": "a", "tag_F": "A", "fun": lambda t: [math.sin(t), 2.0]}, None),
    "Force in body axes": ({"tag_S": "a", "tag_F": "A", "fun": lambda t: [math.sin(t), 2.0], "axes": "body"}, None),
    "Moment": ({"tag_S": "a", "fun": lambda t: 1.0 + t}, None),
    "Contact": ({"tag_S": "a", "tag_F": "A", "z0": 1.3, "k": 100.0, "c": 5.0}, None),
    "Hinge_2s": (TWO, None),
    "Hinge_1sFix": ({"tag_S": "a", "tag_F": "A", "P_Gal": [0.7, 0.9]}, None),
    "Distance_2s": (TWO, [1.0, 0.5]),
    "PointOnLine_2s": (TWO, [0.2, 0.7]),
    "Slider_2s": (TWO, [0.2, 0.7]),
    "Rigid_2s": (TWO, None),
    "Motion_1s": ({"tag_S": "a", "fun": lambda t: [0.2 + math.sin(t), 1.0 + t * t, 0.3 * t]}, None),
}


def both(kind):
    keywords, place = KINDS[kind]
    m = pair(**({"P_t0": place} if place is not None else {}))
    m.add_interaction(kind.split(" ")[0], tag_I="it", **keywords)
    m.build()
    return m, m._equations, CourseLoop(m)


@pytest.mark.parametrize("kind", KINDS)
def test_accelerations_and_multipliers_of_every_interaction(kind):
    """At the start, where constraints of positions hold, and at random states, where they do not, by several turns in the end. The engine
    solves to 1e-11 of the largest number."""
    m, compiled, loop = both(kind)
    assert isinstance(compiled, Compiled)
    rng, y0 = np.random.default_rng(1), m._matrices.y0
    for trial in range(8):
        y = y0.copy()
        y[6:] += rng.normal(size=6) if trial else 0.0
        y[:6] += rng.normal(size=6) * (trial > 2)
        y[[2, 5]] += 10 * rng.normal(size=2) * (trial > 4)
        t = 0.3 * trial
        (a, lam), (b, mu) = compiled.accelerations(t, y), loop.accelerations(t, y)
        scale = max(1.0, np.abs(b).max(), np.abs(m._matrices.D).max(initial=0.0))
        np.testing.assert_allclose(a, b, atol=1e-9 * scale)
        np.testing.assert_allclose(lam, mu, atol=1e-8 * scale)


FAR = {
    "Rigid_2s": {"theta": 0.4},
    "Slider_2s": {"theta": -0.9},
    "Distance_2s": {"L": 0.3},
    "PointOnLine_2s": {},
    "Hinge_2s": {},
    "turns": {},
}


def far_apart(kind):
    """Two solids whose constraint is wide open at the start: points 0.7 m, angles more than half a turn."""
    m = mc.Model()
    m.param.g = 0.0
    m.add_solid(tag_S="a", m=1.0, iy=0.1, G_t0=[0.0, 0.0], dtheta_t0=0.3)
    m.add_solid(tag_S="b", m=2.0, iy=0.3, G_t0=[2.0, 0.5])
    m.solids["b"].q_t0[2] = 4.0
    m.add_frame(tag_S="a", tag_F="A", P_t0=[1.0, 0.0])
    m.add_frame(tag_S="b", tag_F="B", P_t0=[1.3, 0.6])
    if kind == "turns":  # ends two turns further, where the loop goes to
        m.add_interaction("Motion_1s", tag_I="it", tag_S="a", fun=lambda t: [0.1 * t, 0.2, 4 * math.pi + t])
    else:
        m.add_interaction(kind, tag_I="it", **TWO, **FAR[kind])
    return m


@pytest.mark.parametrize("kind", FAR)
def test_constraints_that_are_far_open_close_the_same_way(kind):
    """With the same steps of DOP853 the states differ by rounding: 1e-13 in accelerations of 10⁴, which Baumgarte forgets within 1/ω. The
    engine's own method has other steps, each with an error of rtol."""
    m, options = far_apart(kind), {"rtol": 1e-9, "atol": 1e-9}
    loop = m.transient(0, 0.5, 0.01, method="DOP853", compiled=False, **options)
    compiled = m.transient(0, 0.5, 0.01, method="DOP853", **options)
    assert isinstance(m._equations, Compiled)
    np.testing.assert_allclose(compiled.y, loop.y, atol=1e-10 * np.abs(loop.y).max())
    own = m.transient(0, 0.5, 0.01, method="bielle", **options)
    np.testing.assert_allclose(own.y, loop.y, atol=1e-9 * loop.nfev * np.abs(loop.y).max())
    a, b = loop.y[2, -1], loop.y[5, -1]
    if kind in ("Rigid_2s", "Slider_2s"):
        assert b - a == pytest.approx(FAR[kind]["theta"], abs=1e-8)  # (1 + ωt) e^(−ωt) of 4 rad, with ωt = 31
    if kind == "turns":
        assert a == pytest.approx(4 * math.pi + loop.t[-1], abs=1e-6)


def test_whole_turns_at_the_start_are_kept():
    """Closed, so that the engine's own method takes joint coordinates. Both have an error of rtol a step."""
    m = mc.Model()
    m.solids["S"] = mc.Solid(m=1.0, iy=0.1, G_t0=[math.cos(10.0), -math.sin(10.0)], theta_t0=10.0)
    m.add_frame(tag_S="S", tag_F="P", P_t0=[0, 0])
    m.add_interaction("Hinge_1sFix", tag_I="pivot", tag_S="S", tag_F="P", P_Gal=[0, 0])
    options = {"rtol": 1e-9, "atol": 1e-9}
    loop = m.transient(0, 1, 0.1, method="DOP853", compiled=False, **options)
    np.testing.assert_allclose(m.transient(0, 1, 0.1, method="bielle", **options).y, loop.y, atol=1e-9 * loop.nfev)


@pytest.mark.parametrize("kind", ["SpringDashpot_1sFix", "SpringDashpot_2s"])
@pytest.mark.parametrize("apart", [0.0, 1e-17, 1e-13])
@pytest.mark.parametrize("velocity", [(0.0, 0.0), (0.0, 1.0), (-2.0, 0.5)])
def test_a_spring_of_no_length_pushes_the_same_way(kind, apart, velocity):
    """Where its ends coincide, up to rounding, the direction is anybody's choice: the loop and the engine make the same one."""
    m = mc.Model()
    m.param.g = 0.0
    m.add_solid(tag_S="a", G_t0=[apart, 0.0], dG_t0=velocity)
    where = {"tag_S": "a", "tag_F": "G", "P_Gal": [0, 0]}
    if kind == "SpringDashpot_2s":
        m.add_solid(tag_S="b")
        where = {"tag_S": ["a", "b"], "tag_F": ["G", "G"]}
    m.add_interaction(kind, tag_I="spring", **where, k=1e3, c=10.0, L0=0.5)
    m.build()
    d2q = m._equations.accelerations(0.0, m._matrices.y0)[0]
    np.testing.assert_allclose(d2q, CourseLoop(m).accelerations(0.0, m._matrices.y0)[0], atol=1e-9)  # k · 1e-12
    assert np.linalg.norm(d2q[:2]) == pytest.approx(500.0, abs=1e-9)
    assert abs(d2q[:2] @ velocity) < 1e-9


@pytest.mark.parametrize("where", ["G", "axle"])
def test_a_solid_whose_frames_are_all_at_its_centre(where):
    """A wheel on its axle: a moment of 1 N·m turns 0.01 kg·m² by θ = 50 t²."""
    m = mc.Model()
    m.add_solid(tag_S="wheel", iy=0.01, G_t0=[1.0, 0.5])
    if where != "G":
        m.add_frame(tag_S="wheel", tag_F=where, P_t0=[1.0, 0.5])
    m.add_interaction("Hinge_1sFix", tag_I="bearing", tag_S="wheel", tag_F=where, P_Gal=[1.0, 0.5])
    m.add_interaction("Moment", tag_I="push", tag_S="wheel", fun=lambda t: 1.0)
    sol = m.transient(0, 1, 0.1)
    np.testing.assert_allclose(sol.y[2], 50 * sol.t**2, atol=1e-11)
    assert set(m.to_mechanism().bodies) == {"wheel"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", [1, 3])
def test_jacobian(kind, variant):
    """Against differences of the rates of the loop, whose error is h² f''' + 1e-16 f/h with h = 1e-5."""
    m, _, loop = both(kind)
    m.build(variant)
    compiled = m._equations
    y = np.concatenate((m._matrices.y0, np.zeros(m.n_c if variant == 1 else 0)))
    y[6:12] += 0.3
    n, h = 12, 1e-5
    expected = np.column_stack([(loop.rates(0.2, y[:n] + h * e) - loop.rates(0.2, y[:n] - h * e)) / (2 * h) for e in np.eye(n)])
    J = compiled.jacobian(0.2, y)
    np.testing.assert_allclose(J[:n, :n], expected, atol=1e-5 * max(1.0, np.abs(expected).max()))
    assert not J[n:].any()
    assert not J[:, n:].any()


@pytest.mark.parametrize("method", ["RK45", "RK23", "DOP853", *IMPLICIT])
def test_the_motion_is_that_of_the_loop(method, monkeypatch):
    """Rounding differs; so do steps of implicit methods, which have another Jacobian, within the tolerance of some hundred steps."""
    m, jacobians, jacobian = scissors(), [], Compiled.jacobian
    monkeypatch.setattr(Compiled, "jacobian", lambda self, t, y: jacobians.append(t) or jacobian(self, t, y))
    options = {"method": method, "rtol": 1e-8, "atol": 1e-8}
    fast, slow = m.transient(0, 0.3, 0.01, **options), m.transient(0, 0.3, 0.01, compiled=False, **options)
    np.testing.assert_allclose(fast.y, slow.y, atol=1e-5 if method in IMPLICIT else 1e-7)
    assert bool(jacobians) == (method in ("Radau", "BDF"))  # LSODA sees no need to be implicit here


def test_the_method_of_the_engine():
    """Free fall, and a pendulum: energy and the closed pivot; the motion is that of SciPy's to the tolerances."""
    m = simple_pendulum()
    sol = m.transient(0, 5, 0.01, method="bielle", rtol=1e-9, atol=1e-11)
    reference = m.transient(0, 5, 0.01, method="DOP853", rtol=1e-11, atol=1e-12)
    assert sol.success
    assert set(sol) == set(reference)
    np.testing.assert_array_equal(sol.t, reference.t)
    np.testing.assert_allclose(sol.y, reference.y, atol=1e-6)
    e = energy(m, sol.y)
    np.testing.assert_allclose(e, e[0], atol=1e-6)
    fall = mc.Model()
    fall.add_solid(dG_t0=[1, 1])
    sol = fall.transient(0, 0.25, 0.005, method="bielle")
    np.testing.assert_allclose(sol.y[:2], [sol.t, sol.t - 0.5 * 9.81 * sol.t**2], atol=1e-12)


def test_the_engine_starts_at_any_time_and_gives_the_multipliers():
    m = simple_pendulum()
    m.add_interaction("Moment", tag_I="push", tag_S="S", fun=lambda t: math.sin(3 * t))
    options = {"rtol": 1e-9, "atol": 1e-10, "variant": 1}
    one, other = (m.transient(1.0, 1.5, 1e-3, method=method, **options) for method in ("bielle", "DOP853"))
    np.testing.assert_allclose(one.y[:6], other.y[:6], atol=1e-7)
    np.testing.assert_allclose(one.y[6:], other.y[6:], atol=1e-4)  # the trapezoidal rule: h²/12 times λ'' of some 100 N/s²


# -- conversion


@pytest.mark.parametrize("kind", KINDS)
def test_mechanisms_move_as_the_model_does(kind):
    """To the mechanism, simulated there with projection, and for all but functions back again."""
    m, _, _ = both(kind)
    if kind == "Motion_1s":
        m.solids["a"].dq_t0[:] = [1.0, 0.0, 0.3]
        m.solids["a"].q_t0[:] = [0.2, 1.0, 0.0]
    mechanism = m.to_mechanism()
    assert mechanism.plane == "xz"
    assert set(mechanism.bodies) == {"a", "b"}
    assert "a A" in mechanism.frames
    run = mechanism.simulate(0.3, samples=4)
    consistent = mc.Model.from_mechanism(mechanism) if kind != "Motion_1s" else m
    for tag in "ab":  # velocities that fit the joints, as assembly has found them
        start, solid = run[tag], consistent.solids[tag]
        solid.q_t0 = np.array([*start.position[0], -start.angle[0]])
        solid.dq_t0 = np.array([*start.velocity[0], -start.angular_velocity[0]])
    sol = consistent.transient(0, 0.30001, 0.1, method="DOP853", rtol=1e-10, atol=1e-10)
    for i, tag in enumerate("ab"):
        np.testing.assert_allclose(sol.y[3 * i : 3 * i + 2].T, run[tag].position, atol=1e-6)
        np.testing.assert_allclose(sol.y[6 + 3 * i + 2], -run[tag].angular_velocity, atol=1e-5)


def test_scissors_open_in_bielle_and_are_saved(tmp_path):
    mechanism = scissors().to_mechanism()
    mechanism.save(tmp_path / "scissors.yaml")
    run = bl.load(tmp_path / "scissors.yaml").simulate(0.5, samples=51)
    sol = scissors().transient(0, 0.5001, 0.01, method="DOP853", rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(run["S3"].position.T, sol.y[6:8], atol=1e-6)
    reaction = run["C"].force(on="S4")
    m = scissors()
    m.build()
    np.testing.assert_allclose(reaction[0], m._equations.accelerations(0.0, m._matrices.y0)[1][m.interactions["C"].ind_c], atol=1e-6)


def test_names_that_are_taken_are_made_different():
    m = simple_pendulum()
    m.solids["pivot"] = m.solids.pop("S")
    m.interactions["pivot"].tag_S = "pivot"
    mechanism = m.to_mechanism()
    assert set(mechanism.bodies) == {"pivot"}
    assert set(mechanism.joints) == {"pivot'"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.add_joint("j", bl.Slider(), m.ground, "rod", at=(0, 0)), "'j': the course has this joint between two solids only"),
        (lambda m: m.add_force("f", bl.JointDamping(coefficient=1.0), joint="pin"), "'f' is JointDamping, which the course does not have"),
        (lambda m: setattr(m, "gravity", (1.0, -9.81)), "gravity along −Z only"),
    ],
)
def test_what_the_course_does_not_have(change, message):
    m = bl.Mechanism(plane="xz")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pin", bl.Pin(), m.ground, "rod", at=(0, 0))
    change(m)
    with pytest.raises(DescriptionError, match=message):
        mc.Model.from_mechanism(m)


def test_functions_of_time_of_any_kind_are_taken_over():
    m = bl.Mechanism(plane="xz")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pin", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_force("f", bl.PointForce(force=(bl.SmoothStep(0.0, 2.0, 0.0, 1.0) * bl.Harmonic(1.0, 0.25), 3.0)), "rod", at=(1, 0))
    np.testing.assert_allclose(mc.Model.from_mechanism(m).interactions["f"].fun(1.0), [2.0, 3.0], rtol=1e-14)


def test_spatial_mechanisms_are_not_for_the_course():
    with pytest.raises(DescriptionError, match="The course is planar"):
        mc.Model.from_mechanism(bl.Mechanism())


# -- what goes wrong


def test_hinges_that_fight_are_named():
    m = simple_pendulum()
    m.add_interaction("Hinge_1sFix", tag_I="other", tag_S="S", tag_F="G", P_Gal=[3.0, 0.0])
    with pytest.raises(
        DescriptionError, match=r"^The interactions 'pivot' \(open by \S+ m\), 'other' \(open by \S+ m\) fight: no position"
    ):
        m.transient(0, 1, 0.1)


def test_angles_that_fight_are_in_radians():
    m = mc.Model()
    for tag in ("A", "B"):
        m.add_solid(tag_S=tag)
    m.add_interaction("Rigid_2s", tag_I="weld", tag_S=["A", "B"], tag_F=["G", "G"])
    for tag, angle in (("A", 0.0), ("B", 0.6)):
        m.add_interaction("Motion_1s", tag_I=f"turn {tag}", tag_S=tag, fun=lambda t, angle=angle: np.array([0.0, 0.0, angle]))
    with pytest.raises(DescriptionError, match=r"'turn A' \(open by \S+ rad\).* fight"):
        m.transient(0, 1, 0.1)


def test_a_hinge_that_is_open_at_the_start_is_closed_by_baumgarte():
    m = simple_pendulum()
    m.interactions["pivot"].P_Gal = np.array([0.05, 0.0])
    sol = m.transient(0, 1, 0.01, rtol=1e-8, atol=1e-8)
    P = sol.y[:2, -1] - np.array([np.cos(sol.y[2, -1]), -np.sin(sol.y[2, -1])])
    np.testing.assert_allclose(P, [0.05, 0.0], atol=1e-6)  # e^(−ωt) is nothing after a second


def test_a_function_that_fails_is_told_with_its_tag():
    m = simple_pendulum()
    m.add_interaction("Moment", tag_I="push", tag_S="S", fun=lambda t: 1.0 / max(0.2 - t, 0.0))
    for method in ("RK45", "Radau", "bielle"):
        with pytest.raises(ZeroDivisionError) as caught:
            m.transient(0, 1, 0.1, method=method)
        assert "in the interaction 'push'" in caught.value.__notes__[-1]


@pytest.mark.parametrize("method", ["RK45", "bielle"])
def test_ctrl_c_in_a_function(method):
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    m = simple_pendulum()
    pressed = []

    def press(t):
        if t > 0.5 and not pressed:
            pressed.append(t)
            signal.raise_signal(signal.SIGINT)
        return 0.0

    m.add_interaction("Moment", tag_I="push", tag_S="S", fun=press)
    sol = m.transient(0, 50, 0.1, method=method)
    assert sol.status == -2
    assert 0 < len(sol.t) < 500


def test_the_method_of_the_engine_refuses_what_it_does_not_know():
    m = spring_pendulum()
    with pytest.raises(DescriptionError, match="The method 'bielle' is compiled, but compiled=False was given"):
        m.transient(0, 1, 0.1, method="bielle", compiled=False)
