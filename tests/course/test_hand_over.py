"""Whatever of a model is a student's own, or is changed by one, compiled runs do what the loop of the course does, or leave it to that."""

import copy
import inspect
import pickle

import numpy as np
import pytest
import scipy.integrate

import bielle.course.Multicorps2D as mc
from bielle.course.assembling import CourseLoop
from bielle.course.compiled import Compiled
from bielle.course.interactions import KINDS
from bielle.errors import DescriptionError

from .models import scissors, simple_pendulum, spring_pendulum
from .test_compiled import KINDS as SAMPLES
from .test_compiled import pair


def methods(cls):
    """All that a class, or one above it, defines and that can be overridden: methods and class attributes."""
    return sorted({name for base in cls.__mro__[:-1] for name in vars(base) if not name.startswith("__")})


OVERRIDES = [(kind, name) for kind, cls in KINDS.items() for name in methods(cls)]


def with_it(kind, cls):
    keywords, place = SAMPLES[kind]
    m = pair(**({"P_t0": place} if place is not None else {}))
    m.add_interaction(cls, tag_I="it", **keywords)
    return m


@pytest.mark.parametrize(("kind", "name"), OVERRIDES)
def test_every_method_of_every_interaction_may_be_overridden(kind, name):
    cls = KINDS[kind]
    given = inspect.getattr_static(cls, name)

    def own(self, *args):
        return given(self, *args)

    m = with_it(kind, type(f"My{kind}", (cls,), {name: own if callable(given) else given[::-1]}))
    m.build()
    assert type(m._equations) is (CourseLoop if callable(given) or given[::-1] is not given else Compiled)


def test_there_are_methods_to_override():
    assert {"assemble", "_build", "into", "literally", "stabilised"} <= set(methods(KINDS["Contact"]))
    assert ("Rigid_2s", "equations") in OVERRIDES
    assert ("Motion_1s", "motion") in OVERRIDES


@pytest.mark.parametrize("kind", KINDS)
def test_a_derived_class_that_only_makes_it_otherwise_stays_compiled(kind):
    class Mine(KINDS[kind]):
        """With another name, and a method that nobody here calls."""

        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.label = "mine"

        def __repr__(self):
            return "mine"

        def stiffness_in_bar(self):
            return 0.0

    m = with_it(kind, Mine)
    m.build()
    assert type(m._equations) is Compiled


# -- what they do

FREE = {"rtol": 1e-9, "atol": 1e-9}


def same_either_way(make):
    """The states of a run as it is by default and by the loop: with the same steps, and equations that are solved to rounding."""
    by_default, by_loop = (make().transient(0, 0.5, 0.01, compiled=compiled, **FREE).y for compiled in (True, False))
    np.testing.assert_allclose(by_default, by_loop, atol=1e-9)
    return by_default


class Weightless(mc.Solid):
    def weight(self, g):
        return np.zeros(3)


class Heavier(mc.Solid):
    def mass(self):
        return 2.0 * super().mass()


class Coupled(mc.Solid):
    """As if the centre of mass were elsewhere."""

    def mass(self):
        M = super().mass()
        M[0, 2] = M[2, 0] = 0.05
        return M


class Named(mc.Solid):
    def __init__(self, label):
        super().__init__(label, m=2.0, iy=0.3)

    def draw_t0(self, ax):
        return None


@pytest.mark.parametrize("kind", [Weightless, Heavier, Coupled, Named])
def test_solids_with_masses_and_weights_of_their_own(kind):
    """A constant force along X: q = ½ M⁻¹ B t²."""

    def make():
        m = mc.Model()
        m.solids["S"] = kind(label="S")
        m.add_interaction("Force", tag_I="F", tag_S="S", tag_F="G", fun=lambda t: [1.0, 0.0])
        return m

    y, m = same_either_way(make), make()
    m.build()
    solid = m.solids["S"]
    d2q = np.linalg.solve(solid.mass(), solid.weight(9.81) + np.array([1.0, 0.0, 0.0]))
    np.testing.assert_allclose(y[:3, -1], 0.5 * d2q * 0.49**2, atol=1e-13)
    assert type(m._equations) is (Compiled if kind is Named else CourseLoop)
    if kind is Named:
        assert set(m.to_mechanism().bodies) == {"S"}
    else:
        with pytest.raises(DescriptionError, match=r"^The solid 'S' has a mass matrix or a weight of your own, .* Leave it out"):
            m.to_mechanism()
    sol = m.transient(0, 0.5, 0.1)
    dq = sol.y[3:]
    np.testing.assert_allclose(m.post(sol).kinetic, 0.5 * np.einsum("it,ij,jt->t", dq, solid.mass(), dq), atol=1e-14)


def test_methods_replaced_on_the_object_and_in_the_class(monkeypatch):
    def silent(self, t, y, matrices):
        return matrices

    def on_object():
        m = spring_pendulum()
        m.interactions["spring"].assemble = silent.__get__(m.interactions["spring"])
        return m

    fall = np.array([3.0 - 0.5 * 9.81 * 0.49**2])
    np.testing.assert_allclose(same_either_way(on_object)[1, -1], fall, atol=1e-12)
    for cls in (mc.SpringDashpot_1sFix, mc.Interaction):  # in itself, and in one above it
        with monkeypatch.context() as patch:
            patch.setattr(cls, "assemble" if cls is mc.SpringDashpot_1sFix else "stabilised", silent, raising=True)
            m = spring_pendulum()
            m.build()
            assert type(m._equations) is CourseLoop
    m.build()
    assert type(m._equations) is Compiled


def test_an_attribute_that_became_a_property():
    class Softening(mc.SpringDashpot_1sFix):
        @property
        def k(self):
            return 500.0 + np.hypot(*self.P_Gal)

        @k.setter
        def k(self, value):
            self.given = value

    def make():
        m = spring_pendulum()
        del m.interactions["spring"]
        m.add_interaction(Softening, tag_I="spring", tag_S="S", tag_F="P", P_Gal=[3, 2], c=1.0, L0=0.5)
        return m

    same_either_way(make)
    m = make()
    m.build()
    assert type(m._equations) is CourseLoop


def test_own_rates_and_own_preparation_of_a_model():
    class Braked(mc.Model):
        def _odefun(self, t, y):
            dy = super()._odefun(t, y)
            dy[3:6] -= 2.0 * y[3:6]
            return dy

    class Windy(mc.Model):
        def _build_solids(self):
            super()._build_solids()
            self._matrices.B[0] += 3.0

    class Pushed(mc.Model):
        def _build_initial_conditions(self):
            super()._build_initial_conditions()
            self._matrices.y0[3] = 1.0

    for cls in (Braked, Windy, Pushed):

        def make(cls=cls):
            m = cls()
            m.solids["S"] = mc.Solid()
            return m

        x = same_either_way(make)[0, -1]
        assert x == pytest.approx({Braked: 0.0, Windy: 1.5 * 0.49**2, Pushed: 0.49}[cls], abs=1e-12)
        with pytest.raises(DescriptionError, match=r"The method 'bielle' is compiled, but the model has parts of your own \("):
            make().transient(0, 1, 0.1, method="bielle")
    for method in ("Radau", "RK45"):
        y = make(Braked).transient(0, 0.5, 0.01, method=method, **FREE).y
        np.testing.assert_allclose(y[4, -1], -9.81 / 2 * (1 - np.exp(-2 * 0.49)), atol=1e-6)


# -- looking into it, and changing it


def test_the_matrices_are_those_of_the_last_evaluation():
    """And nobody is slowed down who does not ask for them."""
    m, plain = scissors(), scissors()
    m.build()
    plain.build(compiled=False)
    y = m._matrices.y0 + 0.01 * np.arange(24)
    rates = m._odefun(0.3, y)
    assert type(m._equations) is Compiled
    np.testing.assert_allclose(rates, plain._odefun(0.3, y), atol=1e-8)  # of accelerations of 10³
    held = m._matrices
    for name in ("A", "B", "C", "D", "y"):
        np.testing.assert_array_equal(getattr(held, name), getattr(plain._matrices, name))
    m._odefun(0.4, 1.01 * y)
    plain._odefun(0.4, 1.01 * y)
    np.testing.assert_array_equal(held.C, plain._matrices.C)
    np.testing.assert_array_equal(held.D, plain._matrices.D)


def test_matrices_that_a_student_changes_count():
    m = simple_pendulum()
    m.build()
    before = m._odefun(0.0, m._matrices.y0)[5]
    m._matrices.A[2, 2] += 1.0
    assert m._odefun(0.0, m._matrices.y0)[5] == pytest.approx(before * 1.01 / 2.01, rel=1e-12)  # m g L / (Iy + m L²)
    m.build()
    assert m._odefun(0.0, m._matrices.y0)[5] == pytest.approx(before, rel=1e-12)


def test_matrices_that_are_not_there():
    with pytest.raises(AttributeError, match="Matrices has no attribute 'A' yet: the model has not been built"):
        _ = mc.Matrices().A
    assert not hasattr(mc.Matrices(), "__deepcopy__")


@pytest.mark.parametrize(
    "change",
    [
        lambda m: setattr(m.interactions["spring"], "k", 10.0),
        lambda m: setattr(m.interactions["spring"], "P_Gal", np.array([3.0, 2.5])),
        lambda m: m.interactions["spring"].P_Gal.__iadd__(0.5),
        lambda m: m.solids["S"].frames["P"].position.__iadd__(0.5),
        lambda m: m.interactions.clear(),
        lambda m: setattr(m.interactions["spring"], "assemble", lambda t, y, matrices: matrices),
    ],
)
def test_changes_after_build_take_effect_as_in_the_loop(change):
    found = []
    for compiled in (True, False):
        m = spring_pendulum()
        m.build(compiled=compiled)
        before = m._odefun(0.0, m._matrices.y0)
        change(m)
        found.append(m._odefun(0.0, m._matrices.y0))
        assert np.abs(found[-1] - before).max() > 1.0
    np.testing.assert_allclose(*found, rtol=1e-12)


def test_a_function_that_changes_an_interaction_on_the_way():
    """A spring that breaks at 0.2 s: what a student does who knows no events."""

    def make():
        m = spring_pendulum()

        def breaks(t):
            if t > 0.2:
                m.interactions["spring"].k = m.interactions["spring"].c = 0.0
            return 0.0

        m.add_interaction("Moment", tag_I="watch", tag_S="S", fun=breaks)
        return m

    by_default, by_loop = (make().transient(0, 0.5, 0.01, max_step=1e-3, compiled=compiled).y for compiled in (True, False))
    np.testing.assert_allclose(by_default, by_loop, atol=1e-9)
    np.testing.assert_allclose(np.diff(by_default[4, -5:]), -9.81 * 0.01, atol=1e-9)  # it falls freely at the end
    with pytest.raises(DescriptionError, match="has changed the interactions of the model during the run, .* 'bielle'"):
        make().transient(0, 0.5, 0.01, method="bielle")


def test_what_is_not_a_change():
    """Building again, asking for a mechanism or for what sensors would say leaves the equations of a run as they are."""
    m = scissors()
    sol = m.transient(0, 0.1, 0.05)
    compiled = m._equations
    m.to_mechanism()
    m.post(sol).force("C")
    rigid = with_it("Rigid_2s", mc.Rigid_2s)
    rigid.solids["b"].dq_t0[:] = rigid.solids["a"].dq_t0[:] = 0.0  # closed: the engine's own joints are taken for its method
    run = rigid.transient(0, 0.1, 0.05, method="bielle")
    rigid.post(run).multipliers_of("it")
    assert type(rigid._equations) is Compiled
    again = scipy.integrate.solve_ivp(m._odefun, [0, 0.1], m._matrices.y0, t_eval=sol.t)
    assert m._equations is compiled
    np.testing.assert_array_equal(again.y, sol.y)


@pytest.mark.parametrize("compiled", [True, False])
def test_copies_go_their_own_way(compiled):
    """Also through a file; one that was compiled says that it is to be built again."""
    m = scissors()
    sol = m.transient(0, 0.1, 0.05, compiled=compiled)
    rates = m._odefun(0.0, m._matrices.y0)
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        if compiled:
            with pytest.raises(DescriptionError, match="has not been built yet"):
                other._odefun(0.0, m._matrices.y0)
        else:
            np.testing.assert_array_equal(other._odefun(0.0, other._matrices.y0), rates)
        other.interactions["spring"].k = 0.0
        assert np.abs(other.transient(0, 0.1, 0.05, compiled=compiled).y - sol.y).max() > 1e-2
        np.testing.assert_array_equal(m._odefun(0.0, m._matrices.y0), rates)


def test_interactions_that_are_ones_own_have_no_mechanism():
    class Wind(mc.Interaction):
        def assemble(self, t, y, matrices):
            return matrices

    m = spring_pendulum()
    m.interactions["wind"] = Wind("wind", "S", "G")
    with pytest.raises(DescriptionError, match=r"but the model has parts of your own \(interaction 'wind'\)"):
        m.transient(0, 1, 0.1, method="bielle")
    with pytest.raises(DescriptionError, match=r"^The interaction 'wind' has methods of your own, .* Leave it out of the model."):
        m.to_mechanism()
