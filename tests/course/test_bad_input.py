"""What a student may type wrongly: each is refused with a message that says which, expected, got, and what to do."""

import math

import numpy as np
import pytest

import bielle.course.Multicorps2D as mc
from bielle.errors import BielleError, DescriptionError, NamingError, SingularError

from .models import scissors, simple_pendulum

NAN, INF = math.nan, math.inf
FORCE = {"tag_S": "S1", "tag_F": "A"}
PAIR = {"tag_S": ["S1", "S2"], "tag_F": ["A", "D"]}
ALL = (
    "Contact, Distance_2s, Force, Hinge_1sFix, Hinge_2s, Moment, Motion_1s, PointOnLine_2s, Rigid_2s, Slider_2s, "
    "SpringDashpot_1sFix, SpringDashpot_2s"
)


def add(kind, compiled=True, **kw):
    """Add an interaction to the scissors and run."""

    def action(m):
        m.add_interaction(kind, tag_I="new", **kw)
        m.transient(0, 0.1, 0.01, compiled=compiled)

    return action


def put(name, value):
    """Change an attribute of a solid, and build."""

    def action(m):
        setattr(m.solids["S1"], name, value)
        m.build()

    return action


def without_solids(m):
    m.solids.clear()
    m.build()


def coinciding(m):
    m.add_frame(tag_S="S2", tag_F="A", P_t0=[-1, 1])
    add("Distance_2s", tag_S=["S1", "S2"], tag_F=["A", "A"])(m)


# what to do, the error, and the whole message
CASES = {
    # solids and frames
    "mass negative": (
        lambda m: m.add_solid(tag_S="S5", label="Bielle", m=-1),
        DescriptionError,
        "Solid 'S5': the mass m of 'Bielle' must be positive, got -1.0. Give a number > 0.",
    ),
    "mass nan": (
        lambda m: m.add_solid(tag_S="S5", m=NAN),
        DescriptionError,
        "Solid 'S5': the mass m of 'solid' must be finite, got nan. Check how it was computed.",
    ),
    "mass text": (
        lambda m: m.add_solid(tag_S="S5", m="1"),
        DescriptionError,
        "Solid 'S5': the mass m of 'solid' must be a number, got '1'. Give a plain number in SI units.",
    ),
    "inertia zero": (
        lambda m: mc.Solid(label="Bielle", iy=0),
        DescriptionError,
        "the inertia iy of 'Bielle' must be positive, got 0.0. Give a number > 0.",
    ),
    "inertia infinite": (
        lambda m: mc.Solid(iy=INF),
        DescriptionError,
        "the inertia iy of 'solid' must be finite, got inf. Check how it was computed.",
    ),
    "mass changed later": (
        put("m", 0),
        DescriptionError,
        "Solid 'S1': the mass m of 'solid' must be positive, got 0.0. Give a number > 0.",
    ),
    "centre with three numbers": (
        lambda m: m.add_solid(tag_S="S5", G_t0=[1, 2, 3]),
        DescriptionError,
        "Solid 'S5': G_t0 of 'solid' must be 2 numbers, got [1, 2, 3]. The mechanism is planar: give two numbers.",
    ),
    "velocity nan": (
        lambda m: m.add_solid(tag_S="S5", dG_t0=np.array([0, NAN])),
        DescriptionError,
        "Solid 'S5': dG_t0 of 'solid' must be finite, got [ 0., nan]. Check how it was computed.",
    ),
    "axis zero": (
        lambda m: m.add_solid(tag_S="S5", Xs=[0, 0]),
        DescriptionError,
        "Solid 'S5': Xs must be a direction, got [0, 0]. Give two numbers that are not both zero.",
    ),
    "solid twice": (
        lambda m: m.add_solid(tag_S="S1"),
        NamingError,
        "tag_S 'S1' is already taken. Give another one.",
    ),
    "point with three numbers": (
        lambda m: m.add_frame(tag_S="S1", tag_F="K", P_t0=np.array([1, 2, 3])),
        DescriptionError,
        "Solid 'S1': P_t0 of frame 'K' must be 2 numbers, got [1, 2, 3]. The mechanism is planar: give two numbers.",
    ),
    "axis of a frame": (
        lambda m: m.solids["S1"].add_frame(tag_F="K", Xs=[0.0, 0.0]),
        DescriptionError,
        "Xs of frame 'K' must be a direction, got [0.0, 0.0]. Give two numbers that are not both zero.",
    ),
    "frame twice": (
        lambda m: m.add_frame(tag_S="S1", tag_F="A"),
        NamingError,
        "Solid 'S1': tag_F 'A' is already taken. Give another one.",
    ),
    "frame on an unknown solid": (
        lambda m: m.add_frame(tag_S="s1", tag_F="K"),
        NamingError,
        "Frame 'K': there is no solid named 's1'. Did you mean 'S1'?",
    ),
    # interactions
    "unknown kind": (
        add("Hinge2s"),
        NamingError,
        f"Interaction 'new': there is no kind of interaction named 'Hinge2s'. Did you mean 'Hinge_2s'? Known: {ALL}.",
    ),
    "unknown kind, far off": (
        add("xyz"),
        NamingError,
        f"Interaction 'new': there is no kind of interaction named 'xyz'. Known: {ALL}.",
    ),
    "kind is an object": (
        add(3),
        DescriptionError,
        "Interaction 'new': the kind must be a name or a class, got 3. "
        "An object that is already made goes in with model.interactions['…'] = ….",
    ),
    "interaction twice": (
        lambda m: m.add_interaction("Moment", tag_I="spring", tag_S="S1", fun=lambda t: 0.0),
        NamingError,
        "tag_I 'spring' is already taken. Give another one.",
    ),
    "unknown argument": (
        add("SpringDashpot_2s", **PAIR, stiffness=3),
        DescriptionError,
        "Interaction 'new': SpringDashpot_2s has no argument 'stiffness'. SpringDashpot_2s has: label, tag_S, tag_F, k, c, L0.",
    ),
    "unknown solid": (
        add("Hinge_2s", tag_S=["S1", "S22"], tag_F=["A", "D"]),
        NamingError,
        "Interaction 'new': there is no solid named 'S22'. Did you mean 'S2'?",
    ),
    "tags forgotten": (
        add("Hinge_2s"),
        NamingError,
        "Interaction 'new': there is no solid named 'tag_Sa'. Known: S1, S2, S3, S4.",
    ),
    "unknown frame": (
        add("Hinge_1sFix", tag_S="S1", tag_F="K"),
        NamingError,
        "Interaction 'new': there is no frame of solid 'S1' named 'K'. Known: A, B, C, G.",
    ),
    "one solid instead of two": (
        add("Hinge_2s", tag_S="S1", tag_F=["A", "D"]),
        DescriptionError,
        "Interaction 'new': tag_S of Hinge_2s must be two tags, got 'S1'. Give tag_S=['…', '…'].",
    ),
    "two solids instead of one": (
        add("Hinge_1sFix", **PAIR),
        DescriptionError,
        "Interaction 'new': tag_S of Hinge_1sFix must be one tag, got ['S1', 'S2']. Give tag_S='…'.",
    ),
    "a solid with itself": (
        add("Hinge_2s", tag_S=["S1", "S1"], tag_F=["A", "B"]),
        DescriptionError,
        "Interaction 'new': Hinge_2s is between two solids, got 'S1' twice. Give two different tag_S.",
    ),
    "force without function": (
        add("Force", **FORCE),
        DescriptionError,
        "Interaction 'new': Force needs a function of time fun(t), got none. Give fun=lambda t: np.array([0.0, 1.0]).",
    ),
    "force with a vector": (
        lambda m: mc.Force(fun=[0, 1]),
        DescriptionError,
        "Force needs a function of time fun(t), got [0, 1]. Give fun=lambda t: np.array([0.0, 1.0]).",
    ),
    "moment without function": (
        add("Moment", tag_S="S1"),
        DescriptionError,
        "Interaction 'new': Moment needs a function of time fun(t), got none. Give fun=lambda t: 1.0.",
    ),
    "motion without function": (
        add("Motion_1s", tag_S="S1"),
        DescriptionError,
        "Interaction 'new': Motion_1s needs a function of time fun(t), got none. Give fun=lambda t: np.array([0.0, 0.0, t]).",
    ),
    "rate of a motion": (
        add("Motion_1s", tag_S="S1", fun=lambda t: np.zeros(3), dfun=2.0),
        DescriptionError,
        "Interaction 'new': Motion_1s needs a function of time dfun(t), got 2.0. Give dfun=lambda t: np.array([0.0, 0.0, t]).",
    ),
    "force of three numbers": (
        add("Force", **FORCE, fun=lambda t: [0, 1, 2]),
        DescriptionError,
        "Interaction 'new': fun of Force must return 2 numbers, but at t = 0 s it returned [0, 1, 2]. "
        "Return 2 numbers, such as np.array([0.0, 0.0]).",
    ),
    "force of text": (
        add("Force", **FORCE, fun=lambda t: "up"),
        DescriptionError,
        "Interaction 'new': fun of Force must return 2 numbers, but at t = 0 s it returned 'up'. "
        "Return 2 numbers, such as np.array([0.0, 0.0]).",
    ),
    "force not finite": (
        add("Force", **FORCE, fun=lambda t: [0, NAN]),
        DescriptionError,
        "Interaction 'new': fun of Force must return finite numbers, but at t = 0 s it returned [0, nan]. Check how it is computed.",
    ),
    "force axes": (
        add("Force", **FORCE, fun=lambda t: [0, 1], axes="solid"),
        DescriptionError,
        "Interaction 'new': axes of Force must be 'world' or 'body', got 'solid'. Give one of these.",
    ),
    "moment of two numbers": (
        add("Moment", tag_S="S1", fun=lambda t: [0, 1]),
        DescriptionError,
        "Interaction 'new': fun of Moment must return a number, but at t = 0 s it returned [0, 1]. Return a number.",
    ),
    "motion of two numbers": (
        add("Motion_1s", tag_S="S1", fun=lambda t: [0, 1]),
        DescriptionError,
        "Interaction 'new': fun of Motion_1s must return 3 numbers, but at t = 0 s it returned [0, 1]. "
        "Return 3 numbers, such as np.array([0.0, 0.0, 0.0]).",
    ),
    "stiffness nan": (
        add("SpringDashpot_2s", **PAIR, k=NAN),
        DescriptionError,
        "Interaction 'new': k of SpringDashpot_2s must be finite, got nan. Check how it was computed.",
    ),
    "fixed point of three numbers": (
        add("Hinge_1sFix", **FORCE, P_Gal=[0, 0, 0]),
        DescriptionError,
        "Interaction 'new': P_Gal of Hinge_1sFix must be 2 numbers, got [0, 0, 0]. The mechanism is planar: give two numbers.",
    ),
    "length zero": (
        add("Distance_2s", **PAIR, L=0),
        DescriptionError,
        "Interaction 'new': L of Distance_2s must be positive, got 0.0. Give a number > 0.",
    ),
    "no distance": (
        coinciding,
        DescriptionError,
        "Interaction 'new': the two points of Distance_2s coincide at the start. Move one of them, or take Hinge_2s.",
    ),
    # runs
    "no solids": (without_solids, DescriptionError, "The model has no solids. Add one with add_solid."),
    "step longer than the run": (
        lambda m: m.transient(0, 1, 2),
        DescriptionError,
        "dt must not be longer than the run, got dt = 2 s for 1 s. Give a smaller dt.",
    ),
    "step negative": (lambda m: m.transient(0, 1, -0.1), DescriptionError, "dt must be positive, got -0.1. Give a number > 0."),
    "end before start": (
        lambda m: m.transient(1, 1, 0.1),
        DescriptionError,
        "tf must be later than t0, got t0 = 1 s and tf = 1 s. Give a larger tf.",
    ),
    "end infinite": (lambda m: m.transient(0, INF, 0.1), DescriptionError, "tf must be finite, got inf. Check how it was computed."),
    "unknown method": (
        lambda m: m.transient(0, 1, 0.1, method="RK4"),
        NamingError,
        "transient: there is no method of integration named 'RK4'. Did you mean 'RK45'? "
        "Known: BDF, DOP853, LSODA, RK23, RK45, Radau, bielle.",
    ),
    "unknown variant": (
        lambda m: m.transient(0, 1, 0.1, variant=4),
        DescriptionError,
        "variant must be 1, 2 or 3 (section 8.2 of the course), got 4. Leave it out for 3.",
    ),
    "not built": (lambda m: m._odefun(0.0, np.zeros(24)), DescriptionError, "The model has not been built yet. Call build() first."),
    "the same hinge twice": (
        add("Hinge_2s", compiled=False, tag_S=["S1", "S4"], tag_F=["C", "C"]),
        SingularError,
        "At t = 0 s the equations of 'C', 'new' depend on each other: they ask for the same thing twice, or the mechanism is in a position "
        "where it is locked. Remove one of these interactions, or start from another position.",
    ),
}


@pytest.mark.parametrize(("action", "error", "message"), CASES.values(), ids=CASES)
def test_each_has_its_own_error(action, error, message):
    with pytest.raises(BielleError) as caught:
        action(scissors())
    assert str(caught.value) == message
    assert type(caught.value) is error


def test_arguments_that_an_own_class_needs():
    class Mine:
        def __init__(self, stiffness, label="mine"): ...

    with pytest.raises(DescriptionError, match="^Interaction 'new': Mine needs the argument 'stiffness'. Mine has: stiffness, label.$"):
        mc.Model().add_interaction(Mine, tag_I="new")


def test_what_is_refused_is_not_added():
    m = scissors()
    with pytest.raises(DescriptionError):
        m.add_interaction("Force", tag_I="new", **FORCE)
    with pytest.raises(DescriptionError):
        m.add_solid(tag_S="S5", m=-1)
    assert "new" not in m.interactions
    assert "S5" not in m.solids


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_equations_that_depend_on_each_other_are_named(variant):
    """A table on three parallel bars of equal length, where two would do."""
    m = mc.Model()
    m.add_solid(tag_S="table", G_t0=[1, 1])
    for k in range(3):
        m.add_solid(tag_S=f"bar{k}", G_t0=[k, 0.5])
        m.add_frame(tag_S=f"bar{k}", tag_F="down", P_t0=[k, 0])
        m.add_frame(tag_S=f"bar{k}", tag_F="up", P_t0=[k, 1])
        m.add_frame(tag_S="table", tag_F=f"P{k}", P_t0=[k, 1])
        m.add_interaction("Hinge_1sFix", tag_I=f"down{k}", tag_S=f"bar{k}", tag_F="down", P_Gal=[k, 0])
        m.add_interaction("Hinge_2s", tag_I=f"up{k}", tag_S=[f"bar{k}", "table"], tag_F=["up", f"P{k}"])
    m.add_solid(tag_S="free", G_t0=[9, 9])
    m.add_interaction("Hinge_1sFix", tag_I="elsewhere", tag_S="free", tag_F="G", P_Gal=[9, 9])
    names = ", ".join(f"'{place}{k}'" for k in range(3) for place in ("down", "up"))
    with pytest.raises(SingularError, match=f"At t = 0 s the equations of {names} depend on each other"):
        m.transient(0, 1, 0.1, variant=variant, compiled=False)
    assert m.transient(0, 1, 0.1, variant=variant).success  # the engine is not troubled by redundant equations


@pytest.mark.parametrize("method", ["RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"])
def test_an_error_in_the_middle_of_a_run_comes_through_every_method(method):
    m = simple_pendulum()
    m.add_interaction("Force", tag_I="push", tag_S="S", tag_F="G", fun=lambda t: [1.0] if t > 0.2 else [1.0, 0.0])
    with pytest.raises(DescriptionError, match=r"^Interaction 'push': fun of Force must return 2 numbers, but at t = 0\.\d+ s it returned"):
        m.transient(0, 1, 0.1, method=method)


def test_a_matrix_that_becomes_singular_later_is_explained_too():
    class Clamp:
        """From t = 0.05 s on, wants what the pivot wants."""

        label, n_c, tag_S, tag_F = "clamp", 1, "S", "P"

        def _build(self, solids, param):
            self.ind_q = solids["S"].ind_q

        def assemble(self, t, y, matrices):
            matrices.C[self.ind_c, self.ind_q[2]] = 1.0
            if t > 0.05:
                matrices.C[self.ind_c] = 0.0
            return matrices

    m = simple_pendulum()
    m.interactions["clamp"] = Clamp()
    with pytest.raises(SingularError, match="the equations of 'clamp' depend on each other"):
        m.transient(0, 1, 0.1)
