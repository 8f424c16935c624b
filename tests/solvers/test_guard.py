"""The guard of all runs: nothing that is wrong finishes without a word, nothing that is right is warned of."""

import math
import warnings
from itertools import pairwise

import numpy as np
import pytest

import bielle as bl
from bielle import examples
from bielle.errors import AccuracyError, AccuracyWarning, CallbackError, SimulationError
from bielle.model import compile_mechanism
from bielle.results.parts import parts_of

from .models import double_pendulum

ADAPTIVE = [bl.Central(), bl.Recursive(), bl.Central("baumgarte"), bl.Central("augmented"), bl.Central(rtol=1e-4, atol=1e-6)]
SCIPY = [bl.Central(integrator=name, rtol=1e-6, atol=1e-8) for name in ("RK45", "Radau", "BDF", "LSODA")]
FIXED = [bl.Central(integrator=name, step=1e-3) for name in ("rk4", "newmark", "hht", "generalized-alpha")]
FIXED += [
    bl.Recursive("rk4", step=1e-3),
    bl.Central("baumgarte", integrator="rk4", step=1e-3),
    bl.Modular(),
    bl.Modular("explicit", step=1e-4),
]


def describe(solver):
    return solver.describe().replace(" ", "_")


# -- what is right


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "n_four_bar", "heavy_top", "rolling_disc"])
@pytest.mark.parametrize("solver", [*ADAPTIVE, *SCIPY, *FIXED], ids=describe)
def test_examples_are_as_accurate_as_promised(name, solver):
    """Singular positions, rolling, spinning fast: warnings are errors here."""
    run = examples.get(name).build().simulate(1.0, solver, samples=51)
    assert run.info["status"] == "finished"
    assert run.info["accuracy"]["message"] == run.warning == ""


def test_a_mechanism_at_rest_is_not_suspected():
    """Of rounding alone nothing follows, relative as it may be to nothing."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (0, -1), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    for solver in (bl.Central(), bl.Recursive(), *FIXED):
        assert m.simulate(1.0, solver).info["status"] == "finished"


# -- what is not


@pytest.mark.parametrize("integrator", ["newmark", "hht", "generalized-alpha"])
def test_steps_far_too_long(integrator):
    with pytest.warns(AccuracyWarning, match=r"balance of energy is off by .* \(promised: 0.01\).* smaller step than 0.1 s"):
        run = double_pendulum().simulate(3.0, bl.Central(integrator=integrator, step=0.1))
    assert run.info["status"] == "inaccurate"
    found = run.info["accuracy"]
    assert found["energy"] == np.abs(run.energy.error).max() > found["energy_limit"] == 1e-2
    assert run.warning in repr(run)


def beside_something_heavy(m, **damping):
    """A wheel on a torsion spring, 1e-9 of the energy present, in a mechanism with something heavy that it is not connected with."""
    m.add_body("heavy", bl.rod((10, 0), (12, 0), mass=100.0))
    m.add_joint("pin", bl.Pin(), m.ground, "heavy", at=(10, 0))
    m.add_body("wheel", bl.disc(radius=0.01, mass=1e-6), angular_velocity=1.0)
    m.add_joint("axle", bl.Pin(), m.ground, "wheel", at=(0, 0))
    m.add_force("hairspring", bl.TorsionSpring(stiffness=1e-6, **damping), joint="axle")  # 141 rad/s
    return m


@pytest.mark.parametrize("integrator", ["rk4", "hht", "generalized-alpha"])
def test_a_light_part_is_not_hidden_by_a_heavy_one(integrator):
    m = beside_something_heavy(bl.Mechanism(plane="xy"))
    with pytest.warns(AccuracyWarning, match="balance of energy of what body 'wheel' belongs to"):
        run = m.simulate(1.0, bl.Central(integrator=integrator, step=0.012))
    assert run.info["status"] == "inaccurate"
    assert np.abs(run.energy.error).max() < 1e-2  # of everything
    assert m.simulate(1.0, bl.Central(integrator="rk4", step=1e-3)).info["status"] == "finished"


@pytest.mark.parametrize("solver", [bl.Central(), bl.Recursive(), bl.Central(integrator="rk4", step=1e-3), bl.Modular(step=1e-4)])
def test_parts_with_works_share_their_balance(solver):
    """What is dissipated is known for the whole: two parts with dampers are judged together, and nobody is suspected."""
    m = beside_something_heavy(bl.Mechanism(plane="xy"), damping=1e-8)
    m.add_force("damper", bl.TorsionSpring(damping=3.0), joint="pin")
    m.add_body("free", bl.disc(radius=0.1, mass=1e-3), position=(0, 5), velocity=(1, 1))
    parts = parts_of(compile_mechanism(m)[0])
    assert [(part.works, len(part.bodies)) for part in parts] == [(False, 1), (True, 2)]
    assert m.simulate(1.0, solver).info["status"] == "finished"


def test_strict_raises_and_keeps_the_result():
    with pytest.raises(AccuracyError, match="balance of energy") as caught:
        double_pendulum().simulate(3.0, bl.Central(integrator="hht", step=0.1), strict=True)
    assert caught.value.result.info["status"] == "inaccurate"
    assert len(caught.value.result) > 2


def test_a_joint_that_a_small_penalty_leaves_open_is_named():
    solver = bl.Central("augmented", integrator="rk4", step=1e-3, penalty=1.0, iterations=1)
    with pytest.warns(AccuracyWarning, match="joint '(pivot|elbow)' is open by .* or a larger penalty than 1;"):
        double_pendulum().simulate(1.0, solver)


def test_the_warning_survives_files(tmp_path):
    with pytest.warns(AccuracyWarning):
        run = double_pendulum().simulate(3.0, bl.Central(integrator="hht", step=0.1))
    again = bl.load_result(run.save(tmp_path / "run.npz") or tmp_path / "run.npz")
    assert again.info["status"] == "inaccurate"
    assert again.warning == run.warning


def test_the_warning_is_given_where_the_user_is():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        double_pendulum().simulate(3.0, bl.Central(integrator="hht", step=0.1))
    assert [w.filename for w in caught] == [__file__]


# -- positions that the joints do not allow


def four_bar_to_dead_centre(masses=(1.0, 1.0, 1.0)):
    """No Grashof linkage: its crank cannot turn; the coupler and the rocker are in line at 0.588 s."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    places = [(0, 0), (0, 1), (1.2, 1.2), (1.5, 0)]
    for k, name in enumerate(("crank", "coupler", "rocker")):
        m.add_body(name, bl.rod(places[k], places[k + 1], mass=masses[k]))
    bodies = ("ground", "crank", "coupler", "rocker", "ground")
    for k, (name, a, b) in enumerate(zip("ABCD", bodies, bodies[1:], strict=False)):
        m.add_joint(name, bl.Pin(), a, b, at=places[k])
    m.add_joint("motor", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0.0, 2.0))), "ground", "crank", at=places[0])
    return m


def dead_centre():
    """Time at which A C is as long as coupler and rocker: by the law of cosines about D."""
    coupler, rocker = np.hypot(1.2, 0.2), np.hypot(0.3, 1.2)
    cosine = (1.0 + 1.5**2 - (coupler + rocker) ** 2) / (2 * 1.5)  # of the angle at A, from the ground
    return (np.arccos(cosine) - np.pi / 2) / 2.0


HOLDING = [bl.Central(), bl.Recursive(), bl.Central(rtol=1e-4, atol=1e-6), *SCIPY[:2], *FIXED[:5], bl.Modular()]


@pytest.mark.parametrize("solver", HOLDING, ids=describe)
def test_a_dead_centre_that_cannot_be_passed_ends_the_run(solver):
    with pytest.raises(SimulationError, match="imposed motion of 'motor' leads to a position that the other joints do not allow") as caught:
        four_bar_to_dead_centre().simulate(3.0, solver)
    result = caught.value.result
    assert result.info["status"] == "failed"
    assert abs(result.time[-1] - dead_centre()) < 0.01  # a step of 1 ms, or a sample of 6 ms, before it
    assert result.violation.max() < 1e-6


@pytest.mark.parametrize("masses", [(1.0, 1e-3, 1.0), (1.0, 1.0, 1e4), (1e-3, 1.0, 1.0)], ids=str)
@pytest.mark.parametrize("solver", [bl.Central(), bl.Recursive(), bl.Modular(), FIXED[2]], ids=describe)
def test_the_motion_is_named_whatever_the_masses(solver, masses):
    with pytest.raises(SimulationError, match="imposed motion of 'motor' leads to a position that the other joints do not allow"):
        four_bar_to_dead_centre(masses).simulate(3.0, solver)


@pytest.mark.parametrize("solver", [bl.Central("baumgarte"), bl.Central("augmented")], ids=describe)
def test_stabilised_joints_give_way_at_a_dead_centre_but_not_in_silence(solver):
    with pytest.warns(AccuracyWarning, match="balance of energy is off by 1 .* or driven where it cannot go by 'motor'"):
        four_bar_to_dead_centre().simulate(0.62, solver)


def test_a_polynomial_is_not_blamed_for_a_solver_that_fails():
    """The penalty of 10⁷ is far too much for rods of a milligram: time itself becomes NaN in a trial step."""
    m = bl.Mechanism(gravity=(0, 0, 0))
    places = [(0, 0, 0), (0, 1, 0), (1.2, 1.2, 0), (1.5, 0, 0)]
    bodies = ["ground", "crank", "coupler", "rocker", "ground"]
    for k, name in enumerate(bodies[1:4]):
        m.add_body(name, bl.rod(places[k], places[k + 1], mass=1e-6, radius=0.01))
    for k, (a, b) in enumerate(pairwise(bodies)):
        m.add_joint(f"hinge {k}", bl.Revolute(axis="z"), a, b, at=places[k])
    m.add_joint("motor", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0.0, 2.0)), axis="z"), "ground", "crank", at=(0, 0, 0))
    with pytest.raises(SimulationError) as caught:
        m.simulate(3.0, bl.Central("augmented"))
    assert not isinstance(caught.value, CallbackError)


def sledge(torque):
    """Three blades: those in front may be turned, but not by different angles; then the sledge stands still at once."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("sledge", bl.box((2, 1), mass=10.0), velocity=(1, 0))
    for name, place in (("fin", (1, 0)), ("other", (1, 0.5))):
        m.add_body(name, bl.box((0.2, 0.05), mass=0.1), position=place, velocity=(1, 0))
        m.add_joint(f"{name} pin", bl.Pin(), "sledge", name, at=place)
        m.add_joint(f"{name} edge", bl.KnifeEdge(axis="x"), m.ground, name, at=place)
    m.add_joint("rear", bl.KnifeEdge(axis="x"), m.ground, "sledge", at=(-1, 0))
    m.add_force("torque", bl.Torque(torque=torque), "fin")
    return m


@pytest.mark.parametrize(
    "solver", [bl.Central(), bl.Recursive(), bl.Central(integrator="rk4", step=1e-3), bl.Central("baumgarte")], ids=describe
)
@pytest.mark.parametrize("torque", [1e-6, 1e-3])
def test_what_jams_does_not_finish(solver, torque):
    with pytest.raises(SimulationError, match="joints cannot be closed|balance of energy is off by 1 "):
        sledge(torque).simulate(2.0, solver, strict=True)


def test_the_same_without_jam_is_right():
    assert sledge(0.0).simulate(2.0).info["status"] == "finished"


# -- steps that lead nowhere


def test_a_damper_that_is_far_too_strong_for_explicit_steps_is_named():
    m = bl.Mechanism(plane="xy")
    m.add_body("box", bl.box((1, 1), mass=1.0))
    m.add_force("damper", bl.Spring(stiffness=1.0, damping=1e9, length=1.0), "ground", "box", at_a=(0, 2), at_b=(0, 0))
    with pytest.raises(
        SimulationError, match=r"too short to get anywhere at t = .*force 'damper' lets bodies move at a rate of 1e\+09 1/s"
    ):
        m.simulate(1.0)
    with pytest.raises(SimulationError, match="too short to get anywhere"):
        m.simulate(1.0, bl.Central(integrator="RK45"))
    assert m.simulate(1.0, bl.Central(integrator="Radau", rtol=1e-6)).info["statistics"]["steps"] < 1000


def test_a_spin_that_cannot_be_followed():
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("box", bl.box((1, 0.5, 0.3), mass=1.0), angular_velocity=(1e12, 1e11, 0))
    with pytest.raises(SimulationError, match="too short to get anywhere .*body 'box'"):
        m.simulate(1.0)


def test_steps_that_follow_rounding_come_to_an_end():
    """A force whose last digits are noise, as those of accelerations are where inertias are too far apart: no step is short enough."""
    m = bl.Mechanism(plane="xy")
    m.add_body("box", bl.box((1, 1), mass=1.0))
    m.add_force("noise", bl.PointForce((0.0, lambda t: 5e-5 * math.sin(1e11 * t))), "box", at=(0, 0))
    with pytest.raises(SimulationError, match=r"too short to get anywhere at t = .*around body 'box'.* is rounding") as caught:
        m.simulate(10.0)
    assert caught.value.result.info["statistics"]["steps"] < 10_000


def test_a_motor_whose_angle_becomes_singular_is_named():
    """Between bodies that are free in space, an angle about an axis is not defined where the other body stands across."""
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("a", bl.box((1, 0.2, 0.3), mass=1.0), angular_velocity=(0.1, -0.1, 0.6))
    m.add_body("b", bl.box((1, 0.3, 0.2), mass=1.0), position=(0, 0, 1), angular_velocity=(0.3, -1.6, 1.0))
    motor = bl.Motor(target=bl.Polynomial(coefficients=(0.0, 5.0)), stiffness=100.0, damping=1.0, axis="z")
    m.add_force("motor", motor, "a", "b", at=(0, 0, 0.5))
    with pytest.raises(SimulationError, match="too short to get anywhere at t = .* force 'motor' lets bodies move at a rate of"):
        m.simulate(20.0)


def test_short_steps_that_were_asked_for_are_another_matter():
    run = double_pendulum().simulate(1e-5, bl.Central(max_step=1e-9))
    assert run.info["statistics"]["steps"] >= 10_000


# -- works across kinks


@pytest.mark.parametrize("solver", [bl.Central(), bl.Recursive()], ids=describe)
@pytest.mark.parametrize("damping", [0.0, 50.0, 500.0])
def test_energy_dissipated_in_a_contact(solver, damping):
    """Where the floor lets go, what its spring has left is lost while the ball flies on undisturbed: only the work shows it."""
    m = bl.Mechanism(plane="xy")
    m.add_body("ball", bl.disc(0.1, mass=1.0), position=(0, 1.1))
    m.add_force(
        "floor", bl.PlaneContact(stiffness=1e5, damping=damping, normal="y", height=0.1), m.ground, "ball", at_a=(0, 0), at_b=(0, 0)
    )
    run = m.simulate(1.0, solver)
    # ten times rtol, of the energy, in each step
    assert np.abs(run.energy.error).max() < 10 * 1e-9 * run.info["statistics"]["steps"]


# -- options that are not read


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: bl.Central(integrator="rk4", step=1e-3, alpha=0.2), "alpha=0.2 .* 'rk4': it is for the integrator 'hht'"),
        (lambda: bl.Central(integrator="rk4", step=1e-3, rtol=1e-3), "rtol=0.001 .* integrators that choose their steps"),
        (lambda: bl.Central(integrator="rk4", step=1e-3, radius=0.1), "radius=0.1 .* 'generalized-alpha'"),
        (lambda: bl.Central(penalty=3.0), "penalty=3.0 .* formulation 'augmented'"),
        (lambda: bl.Central("augmented", integrator="hht", step=1e-3, penalty=1e5), "penalty=100000.0 .* adaptive integrators or 'rk4'"),
        (lambda: bl.Central("augmented", integrator="newmark", step=1e-3, iterations=5), "iterations=5"),
        (lambda: bl.Central(omega=3.0), "omega=3.0 .* 'baumgarte' and 'augmented'"),
        (lambda: bl.Central(newton_tolerance=1e-3), "newton_tolerance"),
        (lambda: bl.Recursive(omega=3.0), "omega=3.0 .* loops='stabilised'"),
        (lambda: bl.Recursive("rk4", step=1e-3, atol=1e-3), "atol=0.001 .* 'adaptive'"),
        (lambda: bl.Modular(damping=0.3), "damping=0.3 .* joints='explicit'"),
        (lambda: bl.Modular("explicit", exchange="conjugate"), "exchange='conjugate' .* joints='iterated'"),
        *((lambda n=n: bl.Central("augmented", iterations=n), "iterations must be a positive integer") for n in (0, -1, 1.5)),
    ],
)
def test_options_that_do_nothing_are_refused(make, words):
    with pytest.raises(bl.errors.DescriptionError, match=words):
        make()


def test_a_joint_that_stays_open_is_told_with_its_unit():
    """Rods that turn by 5 rad in a step of RK4 are torn apart."""
    m = bl.Mechanism(plane="xy")
    m.add_body("a", bl.rod((0, 0), (1, 0), mass=1.0), angular_velocity=100.0)
    m.add_body("b", bl.rod((1, 0), (1, 1), mass=1.0), angular_velocity=100.0)
    m.add_joint("p", bl.Pin(), m.ground, "a", at=(0, 0))
    m.add_joint("q", bl.Pin(), "a", "b", at=(1, 0))
    with pytest.raises(SimulationError, match=r"'q' stays open by [\d.e+]+ m\."):
        m.simulate(1.0, bl.Central(integrator="rk4", step=0.05))
