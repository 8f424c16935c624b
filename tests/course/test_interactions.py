"""Every interaction: constraints against differences of g, efforts against their power, multipliers against statics."""

import numpy as np
import pytest

import bielle.course.Multicorps2D as mc
from bielle.course.assembling import CourseLoop

rng = np.random.default_rng(20241020)
STATE = rng.normal(size=12)  # two solids, nothing special about where they are
ACCELERATION = rng.normal(size=6)
T = 0.37


def two_solids(*interaction, **kw) -> mc.Model:
    """Solids a and b with a frame each (turned, off centre), and one interaction."""
    m = mc.Model()
    m.param.g = 0.0
    m.add_solid(tag_S="a", m=1.3, iy=0.2, G_t0=[0.2, -0.1], Xs=[1, 0.4])
    m.add_solid(tag_S="b", m=0.7, iy=0.1, G_t0=[1.1, 0.6], Xs=[-0.3, 1])
    m.add_frame(tag_S="a", tag_F="A", P_t0=[0.5, 0.4], Xs=[0.2, 1])
    m.add_frame(tag_S="b", tag_F="B", P_t0=[0.9, -0.3], Xs=[1, -0.7])
    m.add_interaction(*interaction, tag_I="it", **kw)
    return m


def path(t):
    """Coordinates that have those of STATE and ACCELERATION at t = T."""
    s = t - T
    return STATE[:6] + STATE[6:] * s + 0.5 * ACCELERATION * s**2


def f(t):
    return np.array([np.sin(2 * t), t**2, np.cos(t)])


def df(t):
    return np.array([2 * np.cos(2 * t), 2 * t, -np.sin(t)])


def d2f(t):
    return np.array([-4 * np.sin(2 * t), 2.0, -np.cos(t)])


# g(q, t) of every constraint, written down from section 8.3 with nothing but positions and angles


def points(m, q):
    A = mc.position(q[:3], m.solids["a"].frames["A"].position)
    B = mc.position(q[3:], m.solids["b"].frames["B"].position)
    return A, B


def distance_along_z(m, q):
    A, B = points(m, q)
    angle = q[5] + m.solids["b"].frames["B"].theta
    return (B - A) @ [np.sin(angle), np.cos(angle)]


def start(m):
    return m.solids["b"].q_t0[2] - m.solids["a"].q_t0[2]


def initial_distance(m):
    A, B = points(m, np.concatenate([s.q_t0 for s in m.solids.values()]))
    return np.linalg.norm(B - A)


PAIR = {"tag_S": ["a", "b"], "tag_F": ["A", "B"]}
FREE = {"tag_S": ["a", "b"], "tag_F": ["A", "B"], "theta": 0.3}
CONSTRAINTS = {
    "hinge": ("Hinge_2s", PAIR, lambda m, q, t: points(m, q)[1] - points(m, q)[0]),
    "fixed hinge": ("Hinge_1sFix", {"tag_S": "a", "tag_F": "A", "P_Gal": [3, 4]}, lambda m, q, t: points(m, q)[0] - [3, 4]),
    "distance": ("Distance_2s", PAIR | {"L": 0.8}, lambda m, q, t: [np.linalg.norm(points(m, q)[1] - points(m, q)[0]) - 0.8]),
    "distance as it is": (
        "Distance_2s",
        PAIR,
        lambda m, q, t: [np.linalg.norm(points(m, q)[1] - points(m, q)[0]) - initial_distance(m)],
    ),
    "line": ("PointOnLine_2s", PAIR, lambda m, q, t: [distance_along_z(m, q)]),
    "slider": ("Slider_2s", FREE, lambda m, q, t: [distance_along_z(m, q), q[5] - q[2] - 0.3]),
    "slider as it is": ("Slider_2s", PAIR, lambda m, q, t: [distance_along_z(m, q), q[5] - q[2] - start(m)]),
    "rigid": ("Rigid_2s", FREE, lambda m, q, t: [*(points(m, q)[1] - points(m, q)[0]), q[5] - q[2] - 0.3]),
    "rigid as it is": ("Rigid_2s", PAIR, lambda m, q, t: [*(points(m, q)[1] - points(m, q)[0]), q[5] - q[2] - start(m)]),
    "motion": ("Motion_1s", {"tag_S": "b", "fun": f}, lambda m, q, t: q[3:] - f(t)),
    "motion, rate given": ("Motion_1s", {"tag_S": "b", "fun": f, "dfun": df}, lambda m, q, t: q[3:] - f(t)),
    "motion, both given": ("Motion_1s", {"tag_S": "b", "fun": f, "dfun": df, "d2fun": d2f}, lambda m, q, t: q[3:] - f(t)),
    "motion, second given": ("Motion_1s", {"tag_S": "b", "fun": f, "d2fun": d2f}, lambda m, q, t: q[3:] - f(t)),
}


def matrices_of(m, t=T, y=STATE):
    m.build()
    return CourseLoop(m).assemble(t, y)


@pytest.mark.parametrize(("kind", "kw", "g"), CONSTRAINTS.values(), ids=CONSTRAINTS)
def test_constraints_against_differences_of_g(kind, kw, g):
    m = two_solids(kind, **kw)
    m.param.bmgt_w0 = 0.0
    plain = matrices_of(m)
    C, D = plain.C.copy(), plain.D.copy()
    assert len(D) == m.interactions["it"].n_c == len(g(m, STATE[:6], T))

    # C = ∂g/∂q: central differences leave out h²/6 g''' ≈ 1e-13 for h = 1e-6 and round to 2e-16 |g| / h ≈ 1e-9
    h = 1e-6
    for k, e in enumerate(np.eye(6)):
        column = (np.subtract(g(m, STATE[:6] + h * e, T), g(m, STATE[:6] - h * e, T))) / (2 * h)
        np.testing.assert_allclose(C[:, k], column, atol=5e-9)

    # g̈ = C q̈ − D along a path: differences of fourth order leave out h⁴/90 of a sixth derivative, 1e-12/90 · 10³ for h = 1e-3 and speeds of
    # some 2 m/s and rad/s, and round to 64/12 · 2e-16 |g| / h² ≈ 5e-9; those that Motion_1s takes itself round alike
    h = 1e-3
    a, b, c, d, e = (np.array(g(m, path(T + k * h), T + k * h)) for k in (-2, -1, 0, 1, 2))
    np.testing.assert_allclose(C @ ACCELERATION - D, (-a + 16 * b - 30 * c + 16 * d - e) / (12 * h**2), atol=5e-8)

    # Baumgarte: D loses 2 ξ ω ġ + ω² g
    m.param.bmgt_xi, m.param.bmgt_w0 = 0.6, 3.0
    dg = (a - 8 * b + 8 * d - e) / (12 * h)
    np.testing.assert_allclose(matrices_of(m).D, D - 2 * 0.6 * 3.0 * dg - 9.0 * c, atol=5e-8)


# -- efforts


def generalised(m, t=T, y=STATE):
    """B (6,) of the interaction; gravity is off."""
    return matrices_of(m, t, y).B.copy()


def test_spring_between_solids_loses_what_the_damper_takes():
    k, c, L0 = 50.0, 3.0, 0.4
    m = two_solids("SpringDashpot_2s", **PAIR, k=k, c=c, L0=L0)
    length = [np.linalg.norm(np.subtract(*points(m, path(T + s)))) for s in (-1e-6, 0.0, 1e-6)]
    rate = (length[2] - length[0]) / 2e-6  # good to 1e-9
    power = generalised(m) @ STATE[6:]
    assert power == pytest.approx(-k * (length[1] - L0) * rate - c * rate**2, rel=1e-7)
    B = generalised(m)
    np.testing.assert_allclose(B[:2] + B[3:5], 0.0, atol=1e-13)  # action and reaction
    x, z = STATE[[0, 3]], STATE[[1, 4]]
    assert abs(B[2] + B[5] + z @ B[[0, 3]] - x @ B[[1, 4]]) < 1e-12  # and no moment in all: about O, M = M_G + z F_x − x F_z


def test_spring_to_a_fixed_point_is_one_to_a_solid_that_stays():
    m = two_solids("SpringDashpot_1sFix", tag_S="a", tag_F="A", P_Gal=[3, 4], k=50.0, c=3.0, L0=0.4)
    q, dq, GP = STATE[:3], STATE[6:9], m.solids["a"].frames["A"].position
    AB, d_AB = np.array([3, 4]) - mc.position(q, GP), -mc.velocity(q, dq, GP)
    length, rate = np.linalg.norm(AB), AB @ d_AB / np.linalg.norm(AB)
    assert generalised(m) @ STATE[6:] == pytest.approx(-50 * (length - 0.4) * rate - 3 * rate**2, rel=1e-13)


@pytest.mark.parametrize("axes", ["world", "body"])
def test_power_of_a_force(axes):
    m = two_solids("Force", tag_S="b", tag_F="B", fun=lambda t: [np.cos(t), 2 * t], axes=axes)
    q, dq = STATE[3:6], STATE[9:]
    F = np.array([np.cos(T), 2 * T])
    if axes == "body":
        c, s = np.cos(q[2]), np.sin(q[2])
        F = F[0] * np.array([c, -s]) + F[1] * np.array([s, c])  # along X_S and Z_S of section 1.1
    assert generalised(m) @ STATE[6:] == pytest.approx(F @ mc.velocity(q, dq, m.solids["b"].frames["B"].position), rel=1e-13)


@pytest.mark.parametrize("fun", [lambda t: 2 * t, lambda t: mc.tabular(t, [0, 1], [0, 2])], ids=["number", "table with one row"])
def test_power_of_a_moment(fun):
    m = two_solids("Moment", tag_S="b", fun=fun)
    np.testing.assert_allclose(generalised(m), [0, 0, 0, 0, 0, 2 * T], atol=1e-15)


@pytest.mark.parametrize(
    ("z", "dz", "force"), [(0.1, -1.0, 0.0), (-0.1, 0.0, 100.0), (-0.1, -1.0, 200.0), (-0.1, 0.5, 50.0), (-0.1, 2.0, 0.0)]
)
def test_the_ground_pushes_and_never_pulls(z, dz, force):
    m = two_solids("Contact", tag_S="a", tag_F="G", z0=0.5)  # k = 1e3, c = 1e2
    y = np.zeros(12)
    y[1], y[7] = 0.5 + z, dz
    np.testing.assert_allclose(generalised(m, y=y), [0, force, 0, 0, 0, 0], atol=1e-10)


def test_a_force_over_time_as_in_exercise_6():
    t_tab = np.linspace(0, 5, num=501)
    f_tab = np.array((np.zeros(501), 1e3 * np.sin(t_tab)))
    m = two_solids("Force", tag_S="a", tag_F="G", fun=lambda t: mc.tabular(t, t_tab, f_tab))
    assert generalised(m, t=1.0)[1] == pytest.approx(1e3 * np.sin(1.0), rel=1e-12)


# -- multipliers: bodies at rest, whose reactions statics gives

G = 9.81


def at_rest(m):
    """λ by tag, where nothing accelerates."""
    m.build()
    d2q, lam = m._equations.accelerations(0.0, m._matrices.y0)
    np.testing.assert_allclose(d2q, 0.0, atol=1e-12)
    return {tag: lam[i.ind_c] for tag, i in m.interactions.items()}


def hanging():
    """Solid a (1 kg) at a fixed hinge in the origin, below it solid b (2 kg)."""
    m = mc.Model()
    m.add_solid(tag_S="a", m=1, G_t0=[0, -1])
    m.add_solid(tag_S="b", m=2, G_t0=[0, -3])
    m.add_frame(tag_S="a", tag_F="top", P_t0=[0, 0])
    m.add_frame(tag_S="a", tag_F="end", P_t0=[0, -2])
    m.add_frame(tag_S="b", tag_F="top", P_t0=[0, -2])
    m.add_interaction("Hinge_1sFix", tag_I="fixed", tag_S="a", tag_F="top", P_Gal=[0, 0])
    return m


def test_hinges_carry_what_hangs_on_them():
    m = hanging()
    m.add_interaction("Hinge_2s", tag_I="hinge", tag_S=["a", "b"], tag_F=["end", "top"])
    lam = at_rest(m)
    np.testing.assert_allclose(lam["fixed"], [0, 3 * G], atol=1e-12)  # of the frame of reference on a
    np.testing.assert_allclose(lam["hinge"], [0, 2 * G], atol=1e-12)  # of a on b


def test_rigid_link_carries_a_cantilever():
    m = hanging()
    m.solids["b"].q_t0[0] = 0.5  # its centre is beside the link
    m.add_frame(tag_S="b", tag_F="link", P_t0=[0, -2])
    m.add_interaction("Rigid_2s", tag_I="rigid", tag_S=["a", "b"], tag_F=["end", "link"])
    m.add_interaction("Moment", tag_I="hold", tag_S="a", fun=lambda t: -2 * G * 0.5)  # keeps a upright
    lam = at_rest(m)
    # the weight turns b about the link with x F_z → −x F_z = +2 G · 0.5 about Y; a holds against it
    np.testing.assert_allclose(lam["rigid"], [0, 2 * G, -2 * G * 0.5], atol=1e-12)


def test_a_rod_under_tension_has_a_negative_multiplier():
    m = hanging()
    m.add_interaction("Distance_2s", tag_I="rod", tag_S=["a", "b"], tag_F=["end", "G"])
    assert at_rest(m)["rod"] == pytest.approx([-2 * G], abs=1e-12)


def test_sliders_carry_across_their_axis():
    m = mc.Model()
    m.add_solid(tag_S="table")
    m.add_solid(tag_S="block", m=2, G_t0=[0.5, 0])
    m.add_interaction("Motion_1s", tag_I="held", tag_S="table", fun=lambda t: np.zeros(3))
    m.add_interaction("Slider_2s", tag_I="slider", tag_S=["block", "table"], tag_F=["G", "G"])
    lam = at_rest(m)
    np.testing.assert_allclose(lam["slider"], [-2 * G, 0], atol=1e-12)  # of the block on the table, along Z; no moment at the point A
    np.testing.assert_allclose(lam["held"], [0, 3 * G, -2 * G * 0.5], atol=1e-12)  # M_G = z F_x − x F_z of the block's weight, held
    m.interactions["slider"] = mc.PointOnLine_2s(tag_S=["block", "table"], tag_F=["G", "G"])
    np.testing.assert_allclose(at_rest(m)["slider"], [-2 * G], atol=1e-12)
