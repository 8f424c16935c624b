"""Whatever goes wrong has a name, says what to do, and loses nothing; and one may stop there, or go on without it."""

import os
import signal

import numpy as np
import pytest

import bielle as bl
from bielle.errors import AssemblyError, ComponentError, DescriptionError, GluingError, NamingError

from .models import G, LedMass, Mass, pendulum


class Faulty(Mass):
    """A mass whose ``fault(outputs)`` takes the place of what it returns, from some time on, while it is ``broken``."""

    def __init__(self, *args, fault, since=0.35, **options):
        super().__init__(*args, **options)
        self.fault, self.since, self.broken = fault, since, True

    def advance(self, time, step, inputs):
        outputs = super().advance(time, step, inputs)
        return self.fault(outputs) if self.broken and time >= self.since else outputs


def divide(outputs):
    return 1 / 0


def pair(component, **options):
    """Two masses that fall as one, of which 'b' is given."""
    glue = bl.Glue(0.1, **options)
    glue.add("a", Mass(1.0, (0.0, 0.0)))
    glue.add("b", component)
    glue.join("j", ("a", "centre"), ("b", "centre"))
    return glue


FAULTS = {
    "raises": (divide, "component 'b': its advance raised ZeroDivisionError: division by zero, in the step from t = 0.4 s. Mend"),
    "nan": (
        lambda y: {"centre": (y["centre"][0], np.full(2, np.nan))},
        "its advance must return 2 × 2 numbers for port 'centre'",
    ),
    "shape": (
        lambda y: {"centre": y["centre"][0]},
        "velocity at the end of the step, got an array of the shape (2,) in the step",
    ),
    "type": (lambda y: {"centre": "here"}, "2 × 2 numbers for port 'centre', position and velocity at the end of the step, got 'here'"),
    "ragged": (lambda y: {"centre": ((0, 0), (0,))}, "2 × 2 numbers for port 'centre', position and velocity at the end of the step, got"),
    "port": (lambda y: {"center": y["centre"]}, "its advance returned nothing for port 'centre', only for center in the step from t = 0.4"),
    "no ports": (lambda y: None, "its advance must return a dictionary with its ports centre, got None in the step from t = 0.4 s. Mend"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_component_that_fails_is_named_and_nothing_is_lost(kind):
    fault, message = FAULTS[kind]
    with pytest.raises(ComponentError) as error:
        pair(Faulty(1.0, (0.0, 0.0), fault=fault)).simulate(1.0)
    assert str(error.value).startswith("component 'b'")
    assert message in str(error.value)
    assert "What was computed until then (5 samples) is in the error's result." in str(error.value)
    assert error.value.component == "b"
    run = error.value.result
    assert run.status == "failed"
    assert run.failure is error.value
    assert run.time == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert run["j"].position[:, 1] == pytest.approx(-0.5 * G * run.time**2, abs=1e-9)


def test_nan_says_what_came():
    with pytest.raises(ComponentError, match=r"got one that is not finite, \[\[.*\], \[nan, nan\]\], in the step from t = 0.4 s"):
        pair(Faulty(1.0, (0.0, 0.0), fault=FAULTS["nan"][0])).simulate(1.0)


def test_a_mechanism_that_fails_is_named_with_its_own_reason():
    glue = pendulum(step=0.1, solver=bl.Central(rtol=1e-9))
    rod = bl.Mechanism(plane="xy", name="other")
    rod.add_body("rod", bl.rod((1.0, -1.0), (2.0, -1.0), mass=1.0))
    rod.add_force("law", bl.CallableForce(function=lambda t, view: 1 / 0 if t > 0.25 else (0.0, 0.0)), "rod", at=(2.0, -1.0))
    glue.add("other", bl.Part(rod, {"end": ("rod", (1.0, -1.0))}))
    with pytest.raises(
        ComponentError, match="component 'other' in the step from t = 0.2 s: force 'law': its function raised ZeroDiv"
    ) as error:
        glue.simulate(1.0)
    assert len(error.value.result["left"]) == 3


@pytest.mark.parametrize("method", ["save", "restore", "motion"])
def test_other_methods_that_fail(method):
    mass = Mass(1.0, (0.0, 0.0))
    setattr(mass, method, lambda *args: {}["gone"])
    with pytest.raises(ComponentError, match=f"component 'b': its {method} raised KeyError: 'gone'. Mend the component."):
        pair(mass).simulate(1.0)


class Stubborn(Mass):
    """Goes its own way, whatever the force."""

    def advance(self, time, step, inputs):
        return super().advance(time, step, {"centre": np.zeros((2, 2))})


def stubborn_pair(**options):
    glue = bl.Glue(0.1, **options)
    glue.add("a", Stubborn(1.0, (0.0, 0.0)))
    glue.add("b", Stubborn(1.0, (0.0, 0.0), gravity=(0.0, 0.0)))
    glue.add("c", Mass(1.0, (5.0, 0.0)))
    glue.join("j", ("a", "centre"), ("b", "centre"))
    return glue


def test_an_iteration_that_does_not_converge_names_the_joint():
    with pytest.raises(GluingError) as error:
        stubborn_pair(iterations=7).simulate(1.0)
    message = str(error.value)
    # a has fallen ½ g h² and goes with g h: times h that is twice as far
    assert "in the step from t = 0 s: after 7 iterations joint 'j' is still 0.0981 m away, with a tolerance of 1e-10 m." in message
    for remedy in ("smaller step", "larger tolerance", "whether they can move there at all", "whether save and restore bring back"):
        assert remedy in message
    assert error.value.joint == "j"


def test_a_state_that_is_not_restored_does_not_go_unnoticed():
    class Forgetful(Mass):
        def restore(self, token):
            pass

    with pytest.raises(GluingError, match="whether save and restore bring back all of their state"):
        pair(Forgetful(1.0, (0.0, 0.0), gravity=(0.0, 0.0))).simulate(1.0)


def test_a_free_port_that_is_never_without_force_names_its_component():
    class Heavy(LedMass):
        def advance(self, time, step, inputs):
            super().advance(time, step, inputs)
            return {"centre": (np.ones(2), np.ones(2))}

    glue = bl.Glue(0.1)
    glue.add("heavy", Heavy(1.0, (0.0, 0.0)))
    with pytest.raises(ComponentError, match="after 30 iterations the free port 'centre' of 'heavy' is still") as error:
        glue.simulate(1.0)
    assert error.value.component == "heavy"


# -- what to do then


def test_pause_and_resume():
    mass = Faulty(1.0, (0.0, 0.0), fault=divide)
    glue = pair(mass, on_failure="pause")
    run = glue.simulate(1.0)
    assert (run.status, run.time[-1], glue.time) == ("paused", pytest.approx(0.4), pytest.approx(0.4))
    assert isinstance(run.failure, ComponentError)
    assert glue.resume().status == "paused"  # it is as broken as before
    mass.broken, glue.step = False, 0.05
    run = glue.resume()
    assert (run.status, run.failure, run.time[-1]) == ("finished", None, pytest.approx(1.0))
    assert run["j"].position[:, 1] == pytest.approx(-0.5 * G * run.time**2, abs=1e-9)
    assert run.info["step"] == pytest.approx(0.05)
    with pytest.raises(DescriptionError, match="There is nothing to resume"):
        glue.resume()
    assert glue.simulate(0.5).time[-1] == pytest.approx(1.5)


@pytest.mark.parametrize("other", [Mass, LedMass])
def test_continue_without_the_component(other):
    """Three fall as one, of which the middle one, without weight, is lost on the way."""
    glue = bl.Glue(0.1, on_failure="continue")
    glue.add("a", other(1.0, (0.0, 0.0)))
    glue.add("b", Faulty(2.0, (0.0, 0.0), fault=divide, gravity=(0.0, 0.0)))
    glue.add("c", Mass(1.0, (0.0, 0.0)))
    glue.join("j", ("a", "centre"), ("b", "centre"))
    run = glue.simulate(1.0)
    assert run.status == "finished"
    (lost,) = run.dropped
    assert (lost.component, lost.joints, lost.time) == ("b", ("j",), pytest.approx(0.4))
    assert "its advance raised ZeroDivisionError" in lost.reason
    assert run["j"].time[-1] == pytest.approx(0.4)
    assert run.port("b", "centre").time[-1] == pytest.approx(0.4)
    assert "dropped at 0.4 s: b" in repr(run)
    # a third of g until then, g after that
    x0, v0 = -G / 6 * 0.4**2, -G / 3 * 0.4
    assert run.port("a", "centre").position[-1, 1] == pytest.approx(x0 + v0 * 0.6 - 0.5 * G * 0.6**2, abs=1e-8)
    assert run.port("c", "centre").position[-1, 1] == pytest.approx(-0.5 * G, abs=1e-8)


def test_continue_without_what_has_never_worked():
    glue = bl.Glue(0.1, on_failure="continue")
    glue.add("a", Mass(1.0, (0.0, 0.0)))
    glue.add("b", Faulty(1.0, (0.0, 0.0), fault=divide, since=0.0))
    glue.join("j", ("a", "centre"), ("b", "centre"))
    run = glue.simulate(1.0)
    assert (run.dropped[0].time, run.joints, list(run.ports)) == (0.0, {}, [("a", "centre")])
    assert run.port("a", "centre").position[-1, 1] == pytest.approx(-0.5 * G, abs=1e-9)


def test_where_it_stops_there_is_a_sample():
    mass = Faulty(1.0, (0.0, 0.0), fault=divide)
    run = pair(mass, on_failure="pause").simulate(1.0, samples=3)
    assert run.time == pytest.approx([0.0, 0.4])


def test_continue_with_the_others_of_a_joint():
    glue = bl.Glue(0.1, on_failure="continue")
    glue.add("a", Mass(1.0, (0.0, 0.0)))
    glue.add("b", Faulty(1.0, (0.0, 0.0), fault=divide))
    glue.add("c", Mass(1.0, (0.0, 0.0), gravity=(0.0, 0.0)))
    glue.join("j", ("a", "centre"), ("b", "centre"), ("c", "centre"))
    run = glue.simulate(1.0)
    assert run.dropped[0].joints == ("j",)
    assert run["j"].components == ["a", "c"]
    assert run["j"].time[-1] == pytest.approx(1.0)
    x0, v0 = -G / 3 * 0.4**2, -2 * G / 3 * 0.4  # two of three have weight, then one of two
    assert run["j"].position[-1, 1] == pytest.approx(x0 + v0 * 0.6 - 0.25 * G * 0.6**2, abs=1e-8)


def test_continue_without_the_joint():
    run = stubborn_pair(on_failure="continue").simulate(0.5)
    (lost,) = run.dropped
    assert (lost.component, lost.joints) == ("", ("j",))
    assert "did not converge" in lost.reason
    assert run.port("a", "centre").position[-1, 1] == pytest.approx(-0.5 * G * 0.25, abs=1e-9)
    assert "dropped at 0 s: j" in repr(run)


def test_nothing_is_left():
    glue = bl.Glue(0.1, on_failure="continue")
    glue.add("b", Faulty(1.0, (0.0, 0.0), fault=divide))
    with pytest.raises(ComponentError, match="component 'b': its advance raised .* No component is left.") as error:
        glue.simulate(1.0)
    assert error.value.result.port("b", "centre").time[-1] == pytest.approx(0.4)


def test_ctrl_c_returns_what_there_is(usual_ctrl_c):
    whole = pendulum(step=0.02).simulate(0.4)
    glue = pendulum(step=0.02)
    run = glue.simulate(0.4, progress=lambda fraction: os.kill(os.getpid(), signal.SIGINT) if 0.4 < fraction < 0.46 else None)
    assert (run.status, run.failure) == ("interrupted", None)
    assert run.time[-1] == pytest.approx(0.18)
    run = glue.resume()
    assert (run.status, run.time[-1]) == ("finished", pytest.approx(0.4))
    assert run["elbow"].position == pytest.approx(whole["elbow"].position, abs=1e-12)


def test_an_interruption_in_the_middle_of_a_step_takes_it_back():
    def interrupt(outputs):
        raise KeyboardInterrupt

    mass = Faulty(1.0, (0.0, 0.0), fault=interrupt)
    glue = pair(mass)
    assert glue.simulate(1.0).status == "interrupted"
    mass.broken = False
    run = glue.resume()
    assert run["j"].position[:, 1] == pytest.approx(-0.5 * G * run.time**2, abs=1e-9)


# -- descriptions that make no sense


def described():
    glue = bl.Glue(0.1)
    glue.add("a", Mass(1.0, (0.0, 0.0)))
    glue.add("b", Mass(1.0, (0.0, 0.0)))
    glue.add("space", Mass(1.0, (0.0, 0.0, 0.0)))
    return glue


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ([("a", "centre")], "joint 'j': it must join at least two ports, got 1"),
        ([("a", "centre"), ("a", "centre")], "joint 'j': port 'centre' of 'a' is given twice"),
        ([("a", "centre"), "b"], "joint 'j': an end must be (component, port), got 'b'"),
        ([("a", "centre"), ("bb", "centre")], "joint 'j': there is no component named 'bb'. Did you mean 'b'?"),
        ([("a", "centre"), ("b", "center")], "joint 'j', component 'b': there is no port named 'center'. Did you mean 'centre'?"),
        ([("a", "centre"), ("space", "centre")], "of coordinates, but 'centre' of 'a' has 2, 'centre' of 'space' has 3. Join planar"),
    ],
)
def test_joints_that_cannot_be(ends, message):
    with pytest.raises((DescriptionError, NamingError)) as error:
        described().join("j", *ends)
    assert message in str(error.value)


def test_a_port_belongs_to_one_joint():
    glue = described()
    glue.join("j", ("a", "centre"), ("b", "centre"))
    glue.add("c", Mass(1.0, (0.0, 0.0)))
    with pytest.raises(DescriptionError, match="joint 'k': port 'centre' of 'a' is held by joint 'j' already. Give all ports that meet"):
        glue.join("k", ("a", "centre"), ("c", "centre"))


def changed(**attributes):
    mass = Mass(1.0, (0.0, 0.0))
    vars(mass).update(attributes)
    return mass


@pytest.mark.parametrize(
    ("component", "message"),
    [
        ("something", "component 'x': a component needs accepts, ports, motion, advance, save, restore, but 'something' has no motion"),
        (changed(accepts="both"), "component 'x': accepts must be 'force' or 'motion', got 'both'"),
        (changed(ports={}), "component 'x': ports must be a dictionary of names and sizes, got {}"),
        (changed(ports={"p": 4}), "component 'x': a port has a name and 2 coordinates (planar) or 3 (spatial), got 'p' and 4"),
        (changed(ports={7: 2}), "2 coordinates (planar) or 3 (spatial), got 7 and 2"),
    ],
)
def test_things_that_are_no_components(component, message):
    with pytest.raises(DescriptionError) as error:
        bl.Glue(0.1).add("x", component)
    assert message in str(error.value)


def test_names_and_objects_are_unique():
    glue, mass = described(), Mass(1.0, (0.0, 0.0))
    with pytest.raises(NamingError, match="The name 'a' is taken already"):
        glue.add("a", mass)
    with pytest.raises(DescriptionError, match="must be a printable string, got ''"):
        glue.add("", mass)
    glue.add("c", mass)
    with pytest.raises(DescriptionError, match="component 'd': the same object is component 'c' already"):
        glue.add("d", mass)
    glue.join("j", ("a", "centre"), ("b", "centre"))
    with pytest.raises(NamingError, match="The name 'j' is taken already"):
        glue.join("j", ("a", "centre"), ("c", "centre"))
    glue.simulate(0.1)
    with pytest.raises(DescriptionError, match="'late' cannot be added: the simulation has begun"):
        glue.add("late", Mass(1.0, (0.0, 0.0)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 0.0}, "the step of a glue must be positive"),
        ({"step": 0.1, "tolerance": -1}, "the tolerance of a glue must be positive"),
        ({"step": 0.1, "iterations": 1}, "iterations must be a whole number, at least 2, got 1"),
        ({"step": 0.1, "on_failure": "ignore"}, "on_failure must be one of raise, pause, continue, got 'ignore'"),
    ],
)
def test_settings_that_make_no_sense(options, message):
    with pytest.raises(DescriptionError, match=message):
        bl.Glue(**options)


def test_runs_that_make_no_sense():
    with pytest.raises(DescriptionError, match="There are no components to simulate"):
        bl.Glue(0.1).simulate(1.0)
    with pytest.raises(DescriptionError, match="the duration must be positive"):
        described().simulate(-1.0)
    with pytest.raises(DescriptionError, match="samples must be a whole number, at least 2, got 1"):
        described().simulate(1.0, samples=1)
    glue = described()
    glue.close()
    with pytest.raises(DescriptionError, match="The glue is closed"):
        glue.simulate(1.0)


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        (
            {"position": (0.0, 0.3)},
            "joint 'j': at the start port 'centre' of 'a' is at (0, 0) and port 'centre' of 'b' at (0, 0.3), 0.3 m apart",
        ),
        (
            {"position": (0.0, 0.0), "velocity": (2.0, 0.0)},
            "port 'centre' of 'a' starts with (0, 0) m/s and port 'centre' of 'b' with (2, 0)",
        ),
    ],
)
def test_ports_that_do_not_meet_at_the_start(motion, message):
    with pytest.raises(AssemblyError) as error:
        pair(Mass(1.0, **motion)).simulate(1.0)
    assert message in str(error.value)


def test_asking_for_what_is_not_there():
    run = pair(Mass(1.0, (0.0, 0.0))).simulate(0.2)
    with pytest.raises(DescriptionError, match=r"component 'a' shows no more than its ports: ask for port\('a', …\)"):
        run["a"]
    with pytest.raises(NamingError, match="There is no joint or part named 'k'"):
        run["k"]
    with pytest.raises(NamingError, match="There is no port named 'a.center'. Did you mean 'a.centre'?"):
        run.port("a", "center")
    with pytest.raises(NamingError, match="joint 'j': there is no component named 'c'"):
        run["j"].force(on="c")


def test_samples_and_progress():
    seen = []
    run = pair(Mass(1.0, (0.0, 0.0))).simulate(2.0, samples=6, progress=seen.append)
    assert run.time == pytest.approx(np.linspace(0.0, 2.0, 6))
    assert seen == pytest.approx(np.arange(1, 21) / 20)
    assert len(run.iterations) == len(run.probes) == 20
    assert run.iterations[5:].max() <= 2  # a force that does not change is found by going on
    assert repr(run).startswith("GlueResult: 6 samples from 0 s to 2 s, finished, ")
