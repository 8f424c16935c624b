"""Bodies with steps and integrators of their own."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError
from bielle.examples import stiff_and_slow


def error(m, solver, reference, names, duration=0.2):
    run = m.simulate(duration, solver, samples=len(reference.time))
    return max(float(np.abs(run[name].position - reference[name].position).max()) for name in names)


@pytest.fixture(scope="module")
def chain():
    m = stiff_and_slow.build(8)
    return m, m.simulate(0.2, bl.Central(rtol=1e-11, atol=1e-13), samples=21)


def test_errors_fall_by_four(chain):
    """Second order in the step, with the number of parts kept."""
    m, reference = chain
    names = ["sensor", "link 8"]
    coarse, fine = (error(m, bl.Modular(step=h, substeps={"sensor": 10}), reference, names) for h in (4e-4, 2e-4))
    assert coarse / fine == pytest.approx(4.0, rel=0.3)


def test_a_stiff_body_is_as_accurate_as_if_all_took_its_steps(chain):
    m, reference = chain
    multirate = error(m, bl.Modular(step=1e-3, substeps={"sensor": 20}), reference, ["sensor"])
    everything = error(m, bl.Modular(step=5e-5), reference, ["sensor"])
    assert multirate < 2 * everything


def test_three_rates(chain):
    """Rates above rates: the link next to the sensor's takes two steps, the sensor twenty."""
    m, reference = chain
    solver = bl.Modular(step=1e-3, substeps={"sensor": 20, "link 4": 2})
    assert error(m, solver, reference, ["sensor", "link 8"]) < 2 * error(m, bl.Modular(step=5e-5), reference, ["sensor", "link 8"]) + 2e-5


def test_explicit_joints_at_their_own_rates(chain):
    m, reference = chain
    solver = bl.Modular("explicit", step=2e-4, substeps={"sensor": 4})
    assert error(m, solver, reference, ["sensor", "link 8"]) < 1e-2


def test_energy_stays_within_the_error_of_the_step(chain):
    m, _ = chain
    runs = [m.simulate(0.2, bl.Modular(step=h, substeps={"sensor": 10}), samples=21) for h in (4e-4, 2e-4)]
    coarse, fine = (float(np.abs(run.energy.balance).max()) for run in runs)
    assert fine < coarse / 2
    assert fine < 1e-3 * runs[1].energy.scale


def oscillator(stiffness, velocity=(0.0, 0.5)):
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("mass", bl.box((0.1, 0.1), mass=1.0), position=(1.01, 0), velocity=velocity)
    m.add_force("spring", bl.Spring(stiffness=stiffness, length=1.0), m.ground, "mass", at_a=(0, 0), at_b=(0, 0))
    return m


def test_a_step_too_long_for_a_spring_is_refused():
    with pytest.raises(DescriptionError) as caught:
        oscillator(1e7).simulate(1.0, bl.Modular(step=1e-3))
    message = str(caught.value)
    for part in ("'spring'", "'mass'", "(1, 0)", "3162 rad/s", "0.000632 s", "substeps={'mass': 3}", "newmark"):
        assert part in message.replace("(-1, 0)", "(1, 0)").replace("(1, -0)", "(1, 0)").replace("(-1, -0)", "(1, 0)")


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # steps as long as stiffness allows, or longer
def test_a_spring_on_a_light_body_held_by_a_heavy_one_is_not_refused():
    """The joint makes the spring see the heavy body, too."""
    m = oscillator(1e7)
    m.add_body("heavy", bl.box((0.2, 0.2), mass=100.0), position=(1.01, 0), velocity=(0, 0.5))
    m.add_joint("weld", bl.Rigid(), "heavy", "mass", at=(1.01, 0))
    run = m.simulate(0.1, bl.Modular(step=1e-3))
    assert np.isfinite(run["mass"].position).all()


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # steps as long as stiffness allows, or longer
@pytest.mark.parametrize("how", [{"substeps": {"mass": 3}}, {"integrators": {"mass": "newmark"}}], ids=["substeps", "newmark"])
def test_what_the_message_proposes_works(how):
    run = oscillator(1e7).simulate(1.0, bl.Modular(step=1e-3, **how))
    assert np.abs(np.linalg.norm(run["mass"].position, axis=1) - 1.0).max() < 0.05  # the spring holds, resolved or not


def two_masses(stiffness):
    """Two light bodies with a stiff spring between them."""
    m = oscillator(1.0)
    m.add_body("other", bl.box((0.1, 0.1), mass=1.0), position=(2.0, 0))
    m.add_force("link", bl.Spring(stiffness=stiffness, length=1.0), "mass", "other", at_a=(0, 0), at_b=(0, 0))
    return m


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # steps as long as stiffness allows, or longer
def test_both_bodies_of_a_stiff_force_are_named_and_the_remedy_works():
    with pytest.raises(DescriptionError, match=r"Force 'link'.*integrators=\{'mass': 'newmark', 'other': 'newmark'\}"):
        two_masses(1e7).simulate(0.1, bl.Modular())
    run = two_masses(1e7).simulate(0.5, bl.Modular(integrators={"mass": "newmark", "other": "newmark"}))
    assert np.abs(np.linalg.norm(run["mass"].position - run["other"].position, axis=1) - 1.0).max() < 0.0101


def test_a_spring_that_is_too_stiff_is_refused_in_a_session_and_nothing_is_lost():
    with pytest.raises(DescriptionError, match="'spring'.*unstable"):
        oscillator(1e7).live(solver=bl.Modular())
    live = oscillator(10.0).live(solver=bl.Modular())
    live.advance(0.1)
    before = live.state.q.copy()
    with pytest.raises(DescriptionError, match="'stiff'.*unstable"):
        live.add_force("stiff", bl.Spring(stiffness=1e7, length=1.0), "ground", "mass", at_a=(0, 0), at_b=(0, 0))
    assert np.array_equal(live.state.q, before)
    assert "stiff" not in live.mechanism.forces
    live.advance(0.1)


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # steps as long as stiffness allows, or longer
def test_newmark_is_the_trapezoidal_rule():
    """tan(ω̂h/2) = ωh/√2 · … : with h²/2 K for mass the frequency is sin(ω̂h/2) = (ωh/2)/√(1 + (ωh)²/2)."""
    omega, h = 100.0, 5e-3
    run = oscillator(omega**2, velocity=(0, 0)).simulate(2.0, bl.Modular(step=h, integrators={"mass": "newmark"}), samples=401)
    x = run["mass"].position[:, 0] - 1.0
    slowed = 2 / h * np.arcsin(omega * h / 2 / np.sqrt(1 + (omega * h) ** 2 / 2))
    assert np.abs(x - 0.01 * np.cos(slowed * run.time)).max() < 1e-6


def test_newmark_is_of_second_order():
    m = oscillator(1e4)
    reference = m.simulate(0.5, bl.Central(rtol=1e-11, atol=1e-13), samples=11)
    errors = [error(m, bl.Modular(step=h, integrators={"mass": "newmark"}), reference, ["mass"], 0.5) for h in (1e-3, 5e-4)]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"substeps": {"nobody": 2}}, ["nobody"]),
        ({"substeps": {"mass": 0}}, ["substeps", "mass", "0"]),
        ({"substeps": {"mass": 2.5}}, ["substeps", "mass", "2.5"]),
        ({"integrators": {"mass": "euler"}}, ["euler", "newmark"]),
        ({"integrators": {"nobody": "newmark"}}, ["nobody"]),
        ({"perturbation": -1.0}, ["perturbation", "-1"]),
    ],
)
def test_bad_options_are_named(options, words):
    with pytest.raises(BielleError) as caught:
        oscillator(1.0).simulate(0.1, bl.Modular(**options))
    for word in words:
        assert word in str(caught.value)


def test_rates_that_do_not_divide_each_other_are_refused():
    m = stiff_and_slow.build(4)
    with pytest.raises(DescriptionError, match="multiples of each other"):
        m.simulate(0.1, bl.Modular(substeps={"sensor": 5, "link 1": 2}))
