"""Functions of one variable against NumPy and SciPy, as the kernels evaluate them."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from bielle.kernels import functions, slots
from bielle.mechanism.functions import Constant, Function, Harmonic, Polynomial, SmoothStep, Table, TrapezoidalProfile
from bielle.model.signals import SignalTable

RNG = np.random.default_rng(0)
INDEX = {f.name: i for i, f in enumerate(slots.FIELDS)}
X = np.sort(RNG.uniform(-1, 2, 7))
Y = RNG.standard_normal(7)


class Evaluator:
    """The few arrays of a context that functions need."""

    def __init__(self, *kinds):
        self.table = table = SignalTable("test", kinds)
        first = 2  # functions do not begin at the first parameter
        self.arrays = {
            "signal_kind": np.array(table.kind, dtype=np.int64),
            "signal_n": np.array(table.number, dtype=np.int64),
            "signal_p": first + np.cumsum([0, *table.size])[:-1],
            "param": np.array([9.0] * first + table.param),
            "scalar": np.zeros(32),
            "signal": np.full(3 * len(kinds), math.nan),
        }
        self.addresses = np.zeros(len(slots.FIELDS), dtype=np.int64)
        for name, array in self.arrays.items():
            self.addresses[INDEX[name]] = array.ctypes.data

    def __call__(self, t):
        """(value, first, second derivative) of each function at t."""
        self.arrays["scalar"][slots.S_TIME] = t
        functions.evaluate_signals(self.addresses.ctypes.data, 0, len(self.table))
        return self.arrays["signal"].reshape(-1, 3).copy()


def test_constant_and_polynomials():
    coefficients = [RNG.standard_normal(n) for n in range(1, 7)]
    evaluate = Evaluator(Constant(value=1.25), *(Polynomial(coefficients=tuple(c)) for c in coefficients))
    for t in (-1.3, 0.0, 0.7, 2.0):
        expected = [(1.25, 0.0, 0.0)]
        for c in coefficients:
            p = np.polynomial.Polynomial(c)
            expected.append((p(t), p.deriv(1)(t), p.deriv(2)(t)))
        np.testing.assert_allclose(evaluate(t), expected, rtol=1e-13, atol=1e-13)


def test_harmonic():
    evaluate = Evaluator(Harmonic(amplitude=2.0, frequency=1.5, phase=0.3, offset=-1.0))
    for t in (-0.4, 0.0, 3.3):
        a = 2 * math.pi * 1.5
        expected = (-1 + 2 * math.sin(a * t + 0.3), 2 * a * math.cos(a * t + 0.3), -2 * a * a * math.sin(a * t + 0.3))
        np.testing.assert_allclose(evaluate(t)[0], expected, rtol=1e-13)


def test_cubic_table():
    evaluate = Evaluator(Table(x=tuple(X), y=tuple(Y)), Table(x=(0.0, 0.5, 2.0), y=(1.0, -1.0, 0.0)))
    splines = CubicSpline(X, Y, bc_type="natural"), CubicSpline([0.0, 0.5, 2.0], [1.0, -1.0, 0.0], bc_type="natural")
    inside = np.concatenate([np.linspace(X[0], X[-1], 30)[1:-1], X[1:-1]])
    for t in inside:
        values = evaluate(t)
        np.testing.assert_allclose(values[0], [splines[0](t, n) for n in range(3)], rtol=1e-11, atol=1e-11)
        if 0.0 < t < 2.0:
            np.testing.assert_allclose(values[1], [splines[1](t, n) for n in range(3)], rtol=1e-12, atol=1e-12)


def test_straight_lines():
    evaluate = Evaluator(Table(x=tuple(X), y=tuple(Y), method="linear"), Table(x=(0.0, 1.0), y=(2.0, 5.0)))
    for t in 0.5 * (X[1:] + X[:-1]):
        i = np.searchsorted(X, t) - 1
        np.testing.assert_allclose(evaluate(t)[0], (np.interp(t, X, Y), (Y[i + 1] - Y[i]) / (X[i + 1] - X[i]), 0.0), rtol=1e-12)
    np.testing.assert_allclose(evaluate(0.25)[1], (2.75, 3.0, 0.0), rtol=1e-14)


@pytest.mark.parametrize("method", ["cubic", "linear"])
def test_tables_are_constant_beyond_their_ends(method):
    evaluate = Evaluator(Table(x=tuple(X), y=tuple(Y), method=method))
    for t, value in ((X[0] - 1, Y[0]), (X[-1] + 10, Y[-1])):
        np.testing.assert_allclose(evaluate(t)[0], (value, 0.0, 0.0), rtol=1e-12)
    for t, value, inside in ((X[0], Y[0], X[0] + 1e-9), (X[-1], Y[-1], X[-1] - 1e-9)):  # at the ends themselves the slope is that inside
        np.testing.assert_allclose(evaluate(t)[0][0], value, rtol=1e-12)
        np.testing.assert_allclose(evaluate(t)[0][1], evaluate(inside)[0][1], rtol=1e-6)


def test_callables():
    """Numerical derivatives are of fourth order with h = 1e-3: h⁴ f⁽⁵⁾/30 and u/h, h⁴ f⁽⁶⁾/90 and 5u/h²."""
    evaluate = Evaluator(Function(math.exp), Function(math.exp, math.exp), Function(math.exp, math.exp, math.exp))
    numeric, half, given = evaluate(0.6)
    e = math.exp(0.6)
    np.testing.assert_allclose(numeric, e, rtol=2e-9)
    np.testing.assert_allclose(numeric[:2], e, rtol=1e-12)
    np.testing.assert_allclose(half, e, rtol=1e-12)
    assert tuple(given) == (e, e, e)


def test_a_callable_that_fails_is_remembered():
    def bad(t):
        raise ZeroDivisionError("no")

    evaluate = Evaluator(Function(bad))
    assert np.isnan(evaluate(0.0)).all()
    (callback,) = evaluate.table.callbacks
    assert "ZeroDivisionError: no" in str(callback.error)
    assert isinstance(callback.cause, ZeroDivisionError)


def test_a_callable_that_is_not_finite_is_remembered():
    evaluate = Evaluator(Function(lambda t: math.inf, lambda t: 0.0, lambda t: 0.0))
    evaluate(0.0)
    assert "non-finite" in str(evaluate.table.callbacks[0].error)


def test_curves_are_left_to_their_forces():
    evaluate = Evaluator(Constant(value=1.0))
    evaluate.arrays["signal_kind"] += functions.CURVE
    assert np.isnan(evaluate(0.0)).all()


TABLE = Table(x=tuple(X), y=tuple(Y))
LINES = Table(x=(-0.5, 0.2, 1.0), y=(1.0, -1.0, 2.0), method="linear")
WAVE = Harmonic(amplitude=0.7, frequency=0.8, phase=0.2, offset=0.4)
KINDS = {
    "clamped": Table(x=tuple(X), y=tuple(Y), method="clamped"),
    "clamped with slopes": Table(x=tuple(X), y=tuple(Y), method="clamped", slopes=(1.0, -2.0)),
    "clamped between two points": Table(x=(0.0, 1.0), y=(0.0, 2.0), method="clamped"),
    "monotone": Table(x=tuple(X), y=tuple(Y), method="monotone"),
    "smooth step": SmoothStep(1.0, -2.0, 0.3, 1.1),
    "profile": TrapezoidalProfile(0.0, 3.0, 0.2, 1.4, ramp=0.3),
    "triangle": TrapezoidalProfile(0.0, 3.0, 0.2, 1.4, ramp=0.6),
    "sum": TABLE + 2.0 * LINES - Polynomial((1.0, 2.0, 3.0)),
    "product": TABLE * LINES * Polynomial((1.0, 2.0)),
    "with a harmonic": TABLE * WAVE + WAVE * WAVE - 3.0,
    "with a callable": Function(math.sin, math.cos, lambda x: -math.sin(x)) * TABLE + SmoothStep(0.0, 1.0, 0.0, 1.0),
    "of sums": (WAVE + TABLE) * (LINES - WAVE) / 2.0,
}


@pytest.mark.parametrize("name", KINDS)
def test_kernels_evaluate_what_a_call_does(name):
    """Both evaluate the same coefficients by Horner's rule; products of a few of them, of size 100 at most, differ by rounding."""
    f = KINDS[name]
    evaluate = Evaluator(f, f)
    times = np.concatenate([np.linspace(-1.5, 3.0, 40), X, [0.2, 0.3, 1.1, 1.4]])
    called = np.array([f(times), f.rate(times), f.acceleration(times)]).T
    np.testing.assert_allclose([evaluate(t)[1] for t in times], called, rtol=1e-12, atol=1e-12)
