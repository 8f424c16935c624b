"""Parts of a result tell what they can be asked, and suggest the nearest if they are asked for something else."""

import copy
import re

import pytest

import bielle as bl
from bielle.errors import AccessError, BielleError, DescriptionError, NamingError


def pendulum(links=1, plane="xy"):
    m = bl.Mechanism(plane=plane)
    before = "ground"
    for i in range(links):
        m.add_body(f"rod {i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"pin {i}", bl.Pin(), before, f"rod {i}", at=(i, 0))
        before = f"rod {i}"
    m.add_frame("tip", before, (links, 0))
    m.add_force("spring", bl.Spring(stiffness=1.0), "ground", "tip", at_a=(0, 1))
    return m


@pytest.fixture(scope="module")
def run():
    return pendulum().simulate(0.1, samples=5)


@pytest.fixture(scope="module")
def spatial():
    m = bl.Mechanism()
    m.add_body("rod", bl.rod((0, 0, 0), (1, 0, 0), mass=1.0))
    m.add_joint("pin", bl.Revolute(axis="y"), "ground", "rod", at=(0, 0, 0))
    m.add_body("wheel", bl.sphere(0.1, mass=1.0))
    m.add_joint("axle", bl.Revolute(axis="y"), "ground", "wheel", at=(0, 0, 0))
    m.add_joint("gear", bl.Gear(ratio=2.0), "pin", "axle")
    m.add_force("motor", bl.Motor(stiffness=1.0), joint="pin")
    return m.simulate(0.1, samples=5)


def asked(part):
    """What a part says it can be asked."""
    return [name.removesuffix("(…)") for name in repr(part).partition(": ask for ")[2].split(", ")]


def test_what_is_listed_can_be_asked(run, spatial):
    parts = [*(run[name] for name in run.names()), run.energy, run["rod 0"].centre, *(spatial[name] for name in spatial.names())]
    for part in parts:
        assert asked(part)
        for name in asked(part):
            getattr(part, name)


def test_representations(run, spatial):
    assert repr(run["rod 0"]).startswith("body 'rod 0': ask for position, velocity, acceleration, angle, angular_velocity,")
    assert "point(…), origin, centre" in repr(run["rod 0"])
    assert repr(run["pin 0"]).startswith("joint 'pin 0': ask for force(…), moment(…), angle, angular_velocity,")
    assert repr(run["spring"]).startswith("force 'spring': ask for output, energy, power, force(…)")
    assert repr(run["tip"]).startswith("frame 'tip': ask for position")
    assert repr(run.energy).startswith("the energy [J]: ask for kinetic, gravitational, elastic")
    assert repr(run["rod 0"].point((0.5, 0))).startswith("point (0.5, 0) of body 'rod 0': ask for position")
    assert "angle" not in asked(spatial["rod"])  # it has none


def test_no_name_is_dropped_without_a_word(run):
    assert "ask for rod 0, pin 0, spring, tip, energy, violation" in repr(run)
    dozen = pendulum(links=12).simulate(0.01, samples=2)
    assert f"ask for {', '.join(dozen.names())}, energy, violation" in repr(dozen)
    long = repr(pendulum(links=30).simulate(0.01, samples=2))
    assert "rod 10, … and 19 more bodies (run.names()), pin 0, " in long
    assert "pin 10, … and 19 more joints (run.names()), spring, tip, energy, violation" in long


def test_timelines():
    live = pendulum().live()
    live.advance(0.05)
    live.set("rod 0.mass", 2.0)
    live.advance(0.05)
    result = live.result()
    assert repr(result["rod 0"]).startswith("'rod 0' in 2 of 2 segments: ask for position, velocity")
    assert "edits: set rod 0.mass (0.05 s)" in repr(result)
    assert result["rod 0.position"].shape == (len(result), 2)
    assert "by_edit" in asked(result.energy)
    with pytest.raises(AccessError, match="'rod 0' has no 'postion'"):
        result["rod 0"].postion


NAMES = ["rod 0.position", "rod 0.position.y", "pin 0.force.norm", "spring.output", "energy.kinetic", "violation"]


@pytest.mark.parametrize("name", NAMES)
def test_whatever_plots_know_can_be_asked(run, name):
    values = run[name]
    column = run.table(name).columns[1]
    assert (run.table(name)[column] == (values if values.ndim == 1 else values[:, 0])).all()
    run.plot(name)
    assert (run["time"] == run.time).all()


def test_the_energy_by_name(run):
    assert run["energy"] is run.energy


WRONG = {
    "quantity": (lambda r: r["rod 0"].postion, AccessError, "body 'rod 0' has no 'postion'. Did you mean 'position'?"),
    "of something else": (lambda r: r["rod 0"].mass, AccessError, "body 'rod 0' has no 'mass'. It has position, velocity"),
    "of a joint": (lambda r: r["pin 0"].torque, AccessError, "joint 'pin 0' has no 'torque'. It has force, moment, angle"),
    "energy": (lambda r: r.energy.kinetc, AccessError, "the energy [J] has no 'kinetc'. Did you mean 'kinetic'?"),
    "component": (lambda r: r["rd 0"], NamingError, "There is no component named 'rd 0'. Did you mean 'rod 0'?"),
    "component of a quantity": (lambda r: r["rd 0.position"], NamingError, "Did you mean 'rod 0.position'?"),
    "quantity by name": (lambda r: r["rod 0.postion"], NamingError, "no quantity named 'rod 0.postion'. Did you mean 'rod 0.position'?"),
    "part": (lambda r: r["rod 0.position.z"], NamingError, "There are: rod 0.position.x, rod 0.position.y, rod 0.position.norm."),
    "component as an attribute": (lambda r: r.tip, AccessError, "no attribute 'tip', but a component of that name: write run['tip']"),
    "quantity of the run": (lambda r: r.position, AccessError, "its components have: write run['rod 0'].position, say"),
    "method": (lambda r: r.anmate("x.html"), AccessError, "A Result has no 'anmate'. Did you mean 'animate'?"),
    "argument": (lambda r: r["pin 0"].force(of="rod 0"), BielleError, "force() has no argument 'of'"),
    "axes": (lambda r: r["pin 0"].force(axes="jiont"), NamingError, "There is no set of axes named 'jiont'. Did you mean 'joint'?"),
    "file": (lambda r: r.plot("rod 0", file="x.png"), BielleError, "plot() has no argument 'file'. It takes x, beside, path."),
    "speed": (lambda r: r.animate("x.html", spede=2), BielleError, "animate() has no argument 'spede'. Did you mean 'speed'?"),
    "no path": (lambda r: r.save(), BielleError, "save() needs 'path'. Write save(path)."),
    "two points": (lambda r: r["rod 0"].point((0, 0), at=(0, 0)), DescriptionError, "(local), or at=(world point), got both"),
    "no point": (lambda r: r["rod 0"].point(), DescriptionError, "(local), or at=(world point), got neither"),
    "time": (lambda r: r.at("now"), DescriptionError, "The time must be a number of seconds, got 'now'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_sentences(run, case):
    action, error, message = WRONG[case]
    with pytest.raises(error, match=re.escape(message)):
        action(run)


def test_what_python_looks_for_is_not_explained(run):
    for part in (run, run["rod 0"], run.energy, run["rod 0"].centre):
        assert not hasattr(part, "_repr_mimebundle_")
        assert not hasattr(type(part).__new__(type(part)), "anything")  # as while it is copied
    assert copy.copy(run["rod 0"]).name == "rod 0"
