"""What is computed from a run: against theory of the pendulum, Newton's laws, formulas of efforts and differences of positions."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

import bielle.course.Multicorps2D as mc
import bielle.course.waiting as waiting
from bielle.course.assembling import CourseLoop
from bielle.errors import DescriptionError, NamingError

from .models import scissors, simple_pendulum, spring_pendulum
from .test_own_classes import OwnHinge, OwnSpring

TIGHT = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-10}
M, I, L, G = 1.0, 1e-2, 1.0, 9.81

# Accelerations err by what Baumgarte makes of the drift of a constraint, ω² e + 2 ξ ω ė with ω² = 4e3. A step errs by 1e-10, and ten
# of them pass before ω forgets it: 4e-6, and the same for forces on 1 kg.
DRIFT = 1e-5


@pytest.fixture(scope="module")
def pendulum():
    """Exercise 11 with an accelerometer in the middle of the rod, turned by 30° from X towards Z."""
    m = simple_pendulum()
    m.add_frame(tag_S="S", tag_F="sensor", P_t0=[0.5, 0], Xs=[np.cos(np.pi / 6), np.sin(np.pi / 6)])
    return m.post(m.transient(0, 2, 0.005, **TIGHT))


@pytest.fixture(scope="module")
def scissors_run():
    m = scissors()
    return m, m.transient(0, 1, 0.01, rtol=1e-6, atol=1e-8)


@pytest.fixture(scope="module")
def scissors_post(scissors_run):
    m, sol = scissors_run
    return m.post(sol)


# -- the pendulum: θ is its angle below the horizontal


def test_acceleration_of_the_pendulum(pendulum):
    theta, speed = pendulum.angle("S"), pendulum.angular_velocity("S")
    d2theta = M * G * L * np.cos(theta) / (I + M * L**2)
    np.testing.assert_allclose(pendulum.angular_acceleration("S"), d2theta, atol=DRIFT)
    np.testing.assert_allclose(pendulum.acceleration("S", axes="body"), [-L * speed**2, -L * d2theta], atol=DRIFT)
    np.testing.assert_allclose(pendulum.acceleration("S", "P"), 0.0, atol=DRIFT)


def test_reaction_of_the_pendulum_in_its_axes(pendulum):
    theta, speed = pendulum.angle("S"), pendulum.angular_velocity("S")
    d2theta = M * G * L * np.cos(theta) / (I + M * L**2)
    along, across = -M * (L * speed**2 + G * np.sin(theta)), M * (G * np.cos(theta) - L * d2theta)
    np.testing.assert_allclose(pendulum.force("pivot", axes="body"), [along, across], atol=DRIFT)
    np.testing.assert_allclose(pendulum.force("pivot"), pendulum.multipliers, rtol=1e-15)  # what Hinge_1sFix says of its λ
    np.testing.assert_allclose(pendulum.moment("pivot"), 0.0, atol=1e-13)  # rounding of 30 N at 1 m
    np.testing.assert_allclose(pendulum.moment("pivot", at="G"), I * d2theta, atol=DRIFT)


def test_reaction_at_the_lowest_point():
    """The largest along the rod: a sample at most h/2 = 5e-5 s away, so 2e-4 rad, errs by 3 m g δ²/2 < 1e-6."""
    m = simple_pendulum()
    post = m.post(m.transient(0.0, 0.65, 1e-4, **TIGHT))
    lowest = np.argmin(post.position("S")[1])
    expected = M * G * (1 + 2 * M * L**2 / (I + M * L**2))
    assert post.force("pivot")[1, lowest] == pytest.approx(expected, abs=1e-5)


def test_accelerometer(pendulum):
    """At r = 0.5 the rod feels −r θ̇² along and −r θ̈ across; the sensor's X axis is 30° from one towards the other."""
    speed, d2theta = pendulum.angular_velocity("S"), pendulum.angular_acceleration("S")
    along, across = -0.5 * speed**2, -0.5 * d2theta
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    reading = pendulum.acceleration("S", "sensor", axes="frame")
    np.testing.assert_allclose(reading, [c * along + s * across, -s * along + c * across], atol=DRIFT)


def test_energy_of_the_pendulum_is_conserved(pendulum):
    """Dropped from z = 0 at rest. A tolerance of 1e-10 and some 100 steps, at forces of 30 N."""
    np.testing.assert_allclose(pendulum.kinetic + pendulum.potential, 0.0, atol=1e-6)
    assert pendulum.kinetic.max() == pytest.approx(M * G * L, rel=1e-3)  # at the lowest point, where a sample is within 0.0025 s
    assert pendulum.t.shape == pendulum.kinetic.shape == pendulum.potential.shape == (400,)


# -- kinematics


def test_differences_of_positions_are_velocities_and_accelerations(pendulum):
    """Central differences err by h²: half the step, a quarter of the error. 0.1 in 4 leaves room for h⁴, (0.04 s · 6 rad/s)² = 0.06."""
    h = 0.005
    for tag_F in ("G", "sensor"):
        x, v, a = (f("S", tag_F) for f in (pendulum.position, pendulum.velocity, pendulum.acceleration))
        errors = []
        for k in (4, 8):
            inner = slice(8, -8)
            after, before = np.roll(x, -k, axis=1), np.roll(x, k, axis=1)
            dv = ((after - before) / (2 * k * h) - v)[:, inner]
            da = ((after - 2 * x + before) / (k * h) ** 2 - a)[:, inner]
            errors.append([np.abs(dv).max(), np.abs(da).max()])
        np.testing.assert_allclose(np.divide(*errors[::-1]), 4.0, atol=0.1)
    assert errors[0][0] < 0.1


def test_angles_and_coordinates_are_those_of_the_run(scissors_run, scissors_post):
    _, sol = scissors_run
    post = scissors_post
    np.testing.assert_array_equal(post.t, sol.t)
    np.testing.assert_array_equal(post.q, sol.y[:12])
    np.testing.assert_array_equal(post.dq, sol.y[12:])
    np.testing.assert_array_equal(post.angle("S3"), sol.y[8])
    np.testing.assert_array_equal(post.angular_velocity("S3"), sol.y[20])
    np.testing.assert_array_equal(post.angular_acceleration("S3"), post.d2q[8])
    np.testing.assert_array_equal(post.position("S3"), sol.y[6:8])
    assert post.d2q.shape == (12, 100)
    assert post.multipliers.shape == (10, 100)


def test_points_are_those_of_the_course_functions(scissors_run, scissors_post):
    m, sol = scissors_run
    GP = m.solids["S3"].frames["H"].position
    q, dq, d2q = sol.y[6:9], sol.y[18:21], scissors_post.d2q[6:9]
    for k in range(0, 100, 9):
        np.testing.assert_allclose(scissors_post.position("S3", "H")[:, k], mc.position(q[:, k], GP), atol=1e-14)
        np.testing.assert_allclose(scissors_post.velocity("S3", "H")[:, k], mc.velocity(q[:, k], dq[:, k], GP), atol=1e-12)
        expected = mc.acceleration(q[:, k], dq[:, k], d2q[:, k], GP)
        np.testing.assert_allclose(scissors_post.acceleration("S3", "H")[:, k], expected, rtol=1e-13, atol=1e-10)


@pytest.mark.parametrize("quantity", ["position", "velocity", "acceleration"])
def test_axes(quantity, scissors_post):
    """The same vector: its components along X = (cos θ, −sin θ) and Z = (sin θ, cos θ) of the axes. Products err by their rounding."""
    get = getattr(scissors_post, quantity)
    x, z = get("S1", "A")
    turns = {"body": scissors_post.angle("S1"), "S1": scissors_post.angle("S1"), "S2": scissors_post.angle("S2")}
    for axes, theta in turns.items():
        expected = [np.cos(theta) * x - np.sin(theta) * z, np.sin(theta) * x + np.cos(theta) * z]
        np.testing.assert_allclose(get("S1", "A", axes=axes), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(get("S1", "A", axes="frame"), get("S1", "A", axes="body"))  # its frames are turned as it is


# -- efforts


def test_newton(scissors_post):
    """M q̈ of every solid is its weight and all efforts on it. Forces of some 10³ N, rounded and solved for with a condition of 10⁴."""
    post = scissors_post
    ends = {"frame": ["S1"], "B": ["S1", "S2"], "C": ["S1", "S4"], "E": ["S2", "S3"], "F": ["S3", "S4"], "spring": ["S4", "S3"]}
    for i, tag in enumerate(("S1", "S2", "S3", "S4")):
        mine = [tag_I for tag_I, tags in ends.items() if tag in tags]
        force = sum(post.force(tag_I, on=tag) for tag_I in mine) + np.array([[0.0], [-9.81]])
        moment = sum(post.moment(tag_I, on=tag, at="G") for tag_I in mine)
        np.testing.assert_allclose(1.0 * post.d2q[3 * i : 3 * i + 2], force, atol=1e-9)
        np.testing.assert_allclose(1e-2 * post.d2q[3 * i + 2], moment, atol=1e-9)


@pytest.mark.parametrize(("tag_I", "first", "second"), [("C", "S1", "S4"), ("spring", "S4", "S3")])
def test_action_is_reaction(tag_I, first, second, scissors_post):
    force = scissors_post.force(tag_I)
    assert np.abs(force).max() > 1.0
    np.testing.assert_array_equal(force, scissors_post.force(tag_I, on=second))
    np.testing.assert_array_equal(force, -scissors_post.force(tag_I, on=first))
    scale = 10 * np.abs(force).max()
    np.testing.assert_allclose(scissors_post.moment(tag_I, on=first), 0.0, atol=1e-15 * scale)
    np.testing.assert_allclose(scissors_post.moment(tag_I), 0.0, atol=1e-15 * scale)


def test_hinge_effort_is_its_multiplier(scissors_post):
    np.testing.assert_array_equal(scissors_post.multipliers_of("C"), scissors_post.multipliers[4:6])
    np.testing.assert_allclose(scissors_post.force("C"), scissors_post.multipliers[4:6], rtol=1e-15)
    assert scissors_post.multipliers_of("spring").shape == (0, 100)


def test_spring_effort_is_its_law(scissors_post):
    IH = scissors_post.position("S3", "H") - scissors_post.position("S4", "I")
    length = np.hypot(*IH)
    u = IH / length
    rate = np.sum(u * (scissors_post.velocity("S3", "H") - scissors_post.velocity("S4", "I")), axis=0)
    tension = 1000 * (length - 4) + 100 * rate
    np.testing.assert_allclose(scissors_post.force("spring"), -tension * u, rtol=1e-12, atol=1e-9)  # rounding of 10³ N/m · 5 m
    x_axis = [np.cos(scissors_post.angle("S3")), -np.sin(scissors_post.angle("S3"))]
    np.testing.assert_allclose(scissors_post.force("spring", axes="S3")[0], -tension * np.sum(u * x_axis, axis=0), atol=1e-9)


def loose():
    """Two solids without anything between them, moving."""
    m = mc.Model()
    m.add_solid(tag_S="a", m=2, iy=0.5, dG_t0=[1, 0.5], dtheta_t0=0.3)
    m.add_solid(tag_S="b", m=1, iy=0.2, G_t0=[1, 0.5], dtheta_t0=-1)
    m.add_frame(tag_S="a", tag_F="A", P_t0=[0.5, 0.2], Xs=[1, 0.5])
    m.add_frame(tag_S="b", tag_F="B", P_t0=[0.5, 0.2], Xs=[2, 1])
    return m


PAIR = {"tag_S": ["a", "b"], "tag_F": ["A", "B"]}


def test_force_on_a_point_and_its_moment():
    m = loose()
    m.add_interaction("Force", tag_I="push", tag_S="a", tag_F="A", fun=lambda t: np.array([1 + t, 2.0]))
    m.add_interaction("Moment", tag_I="turn", tag_S="a", fun=lambda t: 3 * t)
    post = m.post(m.transient(0, 1, 0.1))
    np.testing.assert_allclose(post.force("push"), [1 + post.t, 2 + 0 * post.t], rtol=1e-15)
    np.testing.assert_allclose(post.moment("push"), 0.0, atol=1e-15)
    x, z = post.position("a", "A") - post.position("a")
    np.testing.assert_allclose(post.moment("push", at="G"), z * (1 + post.t) - x * 2, atol=1e-14)  # (OP ∧ F) · Y
    np.testing.assert_array_equal(post.force("turn"), 0.0)
    np.testing.assert_allclose(post.moment("turn"), 3 * post.t)
    np.testing.assert_allclose(post.moment("turn", at="A"), 3 * post.t)  # a couple is the same about every point


def test_rigid_link_and_line_say_what_their_multipliers_mean():
    m = loose()
    m.add_interaction("Rigid_2s", tag_I="weld", **PAIR)
    post = m.post(m.transient(0, 1, 0.1))
    np.testing.assert_allclose(post.force("weld"), post.multipliers[:2], rtol=1e-14)
    np.testing.assert_allclose(post.moment("weld"), post.multipliers[2], atol=1e-12)
    np.testing.assert_allclose(post.moment("weld", on="a"), -post.multipliers[2], atol=1e-12)

    m = loose()
    m.add_interaction("PointOnLine_2s", tag_I="line", **PAIR)
    post = m.post(m.transient(0, 1, 0.1))
    np.testing.assert_allclose(post.force("line", axes="frame"), [0 * post.t, post.multipliers[0]], atol=1e-13)
    BA = post.position("a", "A") - post.position("b", "B")  # where the force acts, seen from the frame of b
    F = post.force("line")
    assert np.hypot(*BA).max() > 0.1
    np.testing.assert_allclose(post.moment("line"), BA[1] * F[0] - BA[0] * F[1], atol=1e-12)
    np.testing.assert_allclose(post.moment("line", on="a"), 0.0, atol=1e-12)


def test_efforts_of_own_classes_are_those_of_the_same_kinds(scissors_run, scissors_post):
    _, sol = scissors_run
    own = scissors()
    own.interactions["F"] = OwnHinge(tag_S=["S3", "S4"], tag_F=["F", "F"])
    own.interactions["spring"] = OwnSpring(tag_S=["S4", "S3"], tag_F=["I", "H"], k=1000, c=100, L0=4)
    post = own.post(sol)
    # Other equations, other rounding: 10³ N, solved for with a condition of 10⁴.
    for tag_I, on in (("spring", "S4"), ("spring", "S3"), ("F", "S3"), ("F", "S4")):
        np.testing.assert_allclose(post.force(tag_I, on), scissors_post.force(tag_I, on), atol=1e-7)
        np.testing.assert_allclose(post.moment(tag_I, on, at="G"), scissors_post.moment(tag_I, on, at="G"), atol=1e-7)


class Wind:
    """Pushes all solids, and does not say which."""

    n_c = 0

    def _build(self, solids, param):
        self.rows = np.concatenate([s.ind_q[:1] for s in solids.values()])

    def assemble(self, t, y, matrices):
        matrices.B[self.rows] += 2.0 + t


def test_effort_of_an_own_class_without_tags():
    m = loose()
    m.interactions["wind"] = Wind()
    post = m.post(m.transient(0, 1, 0.1))
    for tag in ("a", "b"):
        np.testing.assert_allclose(post.force("wind", on=tag), [2 + post.t, 0 * post.t])
        np.testing.assert_array_equal(post.moment("wind", on=tag), 0.0)  # about G, as it has no frame
    with pytest.raises(DescriptionError, match="^Interaction 'wind' does not say on which solid it acts. Give on='…', a tag of a solid.$"):
        post.force("wind")
    with pytest.raises(DescriptionError, match="^Interaction 'wind' has no frame on solid 'a'. Take axes='body' or axes='world'.$"):
        post.force("wind", on="a", axes="frame")


# -- how it works


def test_further_rows_of_variant_1_are_ignored(scissors_run, scissors_post):
    m, sol = scissors_run
    longer = SimpleNamespace(t=sol.t, y=np.concatenate((sol.y, np.full((10, 100), np.nan))))
    post = m.post(longer)
    np.testing.assert_array_equal(post.d2q, scissors_post.d2q)
    np.testing.assert_array_equal(post.force("spring"), scissors_post.force("spring"))
    assert m.post(m.transient(0, 0.1, 0.01, variant=1)).multipliers.shape == (10, 10)


def test_a_model_that_was_not_built_will_do(scissors_run, scissors_post):
    _, sol = scissors_run
    np.testing.assert_array_equal(scissors().post(sol).d2q, scissors_post.d2q)


def test_changes_for_another_run_leave_the_answers_alone():
    m = spring_pendulum()
    runs = {}
    for k in (1e3, 2e3):
        m.interactions["spring"].k = k
        runs[k] = m.post(m.transient(0, 0.1, 0.01))
    m.interactions["spring"].P_Gal[:] = 0
    m.param.g = 0
    m.solids["S"].m = 5
    for k, post in runs.items():
        P = post.position("S", "P")[:, 0]  # at the start, at rest
        AP = P - [3, 2]
        force = -k * (np.hypot(*AP) - 0.5) * AP / np.hypot(*AP)
        np.testing.assert_allclose(post.force("spring")[:, 0], force)
        np.testing.assert_allclose(post.d2q[:2, 0], force - [0, 9.81])


def test_the_model_stays_as_it_is():
    m = simple_pendulum()
    sol = m.transient(0, 0.1, 0.01, variant=2)
    B = m._matrices.B.copy()
    before = m._equations, m._matrices, m.interactions["pivot"]
    m.post(sol).force("pivot")
    assert (m._equations, m._matrices, m.interactions["pivot"]) == before
    assert m._equations.variant == 2
    np.testing.assert_array_equal(m._matrices.B, B)


def test_what_is_done_to_an_answer_does_not_change_the_next():
    m = simple_pendulum()
    post = m.post(m.transient(0, 0.1, 0.01))
    for ask in (
        lambda: post.angle("S"),
        lambda: post.position("S"),
        lambda: post.acceleration("S"),
        lambda: post.force("pivot"),
        lambda: post.moment("pivot", at="G"),
        lambda: post.multipliers_of("pivot"),
    ):
        first = ask()
        before = first.copy()
        first *= 180
        np.testing.assert_array_equal(ask(), before)


def test_an_own_class_that_cannot_be_copied_deeply():
    m = loose()
    m.interactions["wind"] = Wind()
    m.interactions["wind"].lock = threading.Lock()
    post = m.post(m.transient(0, 1, 0.5))
    np.testing.assert_allclose(post.force("wind", on="a")[0], [2, 2.5])


def test_the_loop_of_the_course_says_the_same(scissors_run, scissors_post):
    m = scissors()
    m.build(compiled=False)
    post = m.post(scissors_run[1])
    assert type(post._model._equations) is CourseLoop
    assert type(scissors_post._model._equations) is not CourseLoop
    np.testing.assert_allclose(post.multipliers, scissors_post.multipliers, atol=1e-7)  # 10³ N with a condition of 10⁴
    np.testing.assert_allclose(post.d2q, scissors_post.d2q, rtol=1e-9, atol=1e-5)  # the same over 10⁻² kg·m²


def test_runs_of_the_compiled_method():
    m = simple_pendulum()
    post = m.post(m.transient(0, 1, 0.01, method="bielle", rtol=1e-10, atol=1e-10))
    along = -M * (L * post.angular_velocity("S") ** 2 + G * np.sin(post.angle("S")))
    np.testing.assert_allclose(post.force("pivot", axes="body")[0], along, atol=DRIFT)


def test_everything_is_evaluated_once():
    m = simple_pendulum()
    post = m.post(m.transient(0, 0.1, 0.01))
    called = []
    equations = post._model._equations
    whole = equations.accelerations
    equations.accelerations = lambda t, y: called.append(t) or whole(t, y)
    for _ in range(2):
        post.d2q, post.multipliers, post.acceleration("S"), post.force("pivot")
    assert called == post.t.tolist()


def test_a_run_that_was_interrupted_at_once():
    m = scissors()
    post = m.post(SimpleNamespace(t=np.empty(0), y=np.empty((24, 0))))
    assert post.d2q.shape == (12, 0)
    assert post.force("spring").shape == post.acceleration("S1", "A", axes="frame").shape == (2, 0)
    assert post.kinetic.shape == (0,)


def test_long_work_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(waiting, "_PATIENCE", -1.0)
    m = simple_pendulum()
    post = m.post(m.transient(0, 0.1, 0.01))
    capsys.readouterr()
    post.force("pivot")
    err = capsys.readouterr().err
    assert err.startswith("accelerations: 10.0 %\n")
    assert "efforts: 10.0 %" in err


# -- what is refused

CASES = {
    "solid": (lambda p: p.position("s1"), NamingError, "There is no solid named 's1'. Did you mean 'S1'?"),
    "solid of an angle": (lambda p: p.angle("Q"), NamingError, "There is no solid named 'Q'. Known: S1, S2, S3, S4."),
    "frame": (lambda p: p.velocity("S1", "a"), NamingError, "Solid 'S1': there is no frame named 'a'. Known: A, B, C, G."),
    "interaction": (lambda p: p.force("Spring"), NamingError, "There is no interaction named 'Spring'. Did you mean 'spring'?"),
    "multipliers": (lambda p: p.multipliers_of("sprin"), NamingError, "There is no interaction named 'sprin'. Did you mean 'spring'?"),
    "axes": (lambda p: p.acceleration("S1", axes="word"), NamingError, "axes: there is no choice named 'word'. Did you mean 'world'?"),
    "on nothing": (lambda p: p.force("C", on="S9"), NamingError, "There is no solid named 'S9'. Did you mean 'S4'?"),
    "at nothing": (lambda p: p.moment("C", at="A"), NamingError, "Solid 'S4': there is no frame named 'A'. Known: C, F, G, I."),
    "on another": (
        lambda p: p.force("C", on="S3"),
        DescriptionError,
        "Interaction 'C' acts on 'S1' and 'S4', not on 'S3'. Give on='S4', or leave it out.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_questions(case, scissors_post):
    action, error, message = CASES[case]
    with pytest.raises(error) as caught:
        action(scissors_post)
    assert str(caught.value) == message


def test_a_run_of_another_model_is_refused(scissors_run):
    _, sol = scissors_run
    with pytest.raises(DescriptionError) as caught:
        simple_pendulum().post(sol)
    assert str(caught.value) == (
        "sol has 24 rows, but a run of this model has 6: x, z, θ and their rates for every solid (S). "
        "Give what transient of this model returned, or run it again."
    )


@pytest.mark.parametrize(
    ("sol", "got"),
    [
        (None, "something of type NoneType"),
        (np.zeros((6, 3)), "something of type ndarray"),
        (SimpleNamespace(t=np.zeros(2), y=np.zeros((6, 3))), "t of shape (2,) and y of shape (6, 3)"),
    ],
)
def test_what_is_no_run_is_refused(sol, got):
    with pytest.raises(DescriptionError) as caught:
        simple_pendulum().post(sol)
    expected = f"sol must be what transient returned, with t (n,) and y (rows, n), got {got}. Give model.transient(…)."
    assert str(caught.value) == expected
