"""Random models of all interactions, at random states where nothing fits: the compiled equations are those of the loop."""

import math

import numpy as np
import pytest

import bielle.course.Multicorps2D as mc
from bielle.course.compiled import Compiled
from bielle.course.interactions import KINDS
from bielle.errors import DescriptionError, SingularError


def random_model(rng):
    m = mc.Model()
    m.param.g, m.param.bmgt_w0, m.param.bmgt_xi = 10 * rng.normal(), 60 * abs(rng.normal()), abs(rng.normal())
    n = int(rng.integers(2, 5))
    for i in range(n):
        mass, iy = 10 ** rng.uniform([-2, -3], [2, 1])
        m.solids[f"s{i}"] = mc.Solid("s", mass, iy, rng.normal(size=2), 3 * rng.normal(), rng.normal(size=2), rng.normal())
        for tag in "AB":
            m.add_frame(tag_S=f"s{i}", tag_F=tag, P_t0=rng.normal(size=2), Xs=rng.normal(size=2))
    for k in range(rng.integers(1, 4)):
        kind = str(rng.choice(list(KINDS)))
        m.add_interaction(kind, tag_I=f"i{k}", **arguments(kind, rng, rng.permutation(n)[:2]))
    return m


def arguments(kind, rng, solids):
    a, b = (f"s{i}" for i in solids)
    found = {"tag_S": [a, b], "tag_F": [str(rng.choice(list("ABG"))) for _ in "ab"]} if kind.endswith("_2s") else {"tag_S": a}
    c = rng.normal(size=3)
    point = {"tag_F": "A", "P_Gal": rng.normal(size=2)}
    more = {
        "SpringDashpot_1sFix": point,
        "Hinge_1sFix": point,
        "Contact": {"tag_F": "A"},
        "Force": {"tag_F": "A", "fun": lambda t: c[:2] * t, "axes": str(rng.choice(["world", "body"]))},
        "Moment": {"fun": lambda t: c[0] * t},
        "Motion_1s": {"fun": lambda t: c * math.sin(t), "dfun": lambda t: c * math.cos(t), "d2fun": lambda t: -c * math.sin(t)},
        "Slider_2s": {"theta": 5 * rng.normal()},
        "Rigid_2s": {"theta": 5 * rng.normal()},
        "Distance_2s": {"L": 0.1 + abs(rng.normal())},
    }
    return {**found, **more.get(kind, {})}


def test_compiled_and_loop_agree():
    """The engine solves to 1e-11 of the largest number, and multipliers with it, times the ratio of masses."""
    compared = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        m = random_model(rng)
        try:
            m.build()
        except DescriptionError:  # interactions that fight
            continue
        assert type(m._equations) is Compiled
        y = m._matrices.y0 + 3 * rng.normal(size=len(m._matrices.y0)) * (seed % 3)
        found, lam = m._equations.accelerations(1.3, y)
        m.build(compiled=False)
        try:
            expected, mu = m._equations.accelerations(1.3, y)
        except SingularError:
            continue
        scale = max(1.0, np.abs(expected).max(), np.abs(m._matrices.D).max(initial=0.0))
        np.testing.assert_allclose(found, expected, atol=1e-9 * scale, err_msg=f"seed {seed}")
        np.testing.assert_allclose(lam, mu, atol=1e-7 * max(1.0, np.abs(mu).max(initial=0.0)), err_msg=f"seed {seed}")
        compared += 1
    assert compared > 90


def test_light_solids_that_turned_as_far_as_they_can_are_no_fight():
    """A rod of 0.37 m from the middle of a heavy solid to the end of another that hardly resists to be turned: it closes by moving."""
    m = mc.Model()
    m.param.g = 0.0
    m.add_solid(tag_S="a", m=18.0, iy=0.003)
    m.add_solid(tag_S="b", m=3.0, iy=0.002, G_t0=[2.0, 0.3])
    m.add_frame(tag_S="b", tag_F="B", P_t0=[3.0, 0.3])
    m.add_interaction("Distance_2s", tag_I="rod", tag_S=["a", "b"], tag_F=["G", "B"], L=0.37)
    sol = m.transient(0, 1, 0.1, method="DOP853", rtol=1e-8, atol=1e-8)
    B = m.post(sol).position("b", "B")[:, -1] - m.post(sol).position("a", "G")[:, -1]
    assert np.linalg.norm(B) == pytest.approx(0.37, abs=1e-6)
