"""Other parameters for components of a description: the words of sessions, and a check as for new ones."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError, NamingError


def pendulum():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("bob", bl.disc(0.1, density=10.0), position=(1, 0), velocity=(0, 1))
    m.add_frame("tip", "rod", (1, 0), orientation=0.5)
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    m.add_joint("weld", bl.Rigid(), "tip", "bob", at_b=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=10.0), "ground", "rod", at_a=(0, 1), at_b=(0.5, 0))
    m.add_force("motor", bl.Motor(stiffness=1.0), joint="pivot")
    return m


def test_both_ways_of_saying_it():
    one, other = pendulum(), pendulum()
    assert one.set("spring", stiffness=200).kind.stiffness == 200.0
    other.set("spring.stiffness", 200)
    assert one == other
    assert one.forces["spring"].kind == bl.Spring(stiffness=200.0)
    one.set(one.bodies["rod"], mass=2, color="red")
    assert (one.bodies["rod"].shape.mass, one.bodies["rod"].color) == (2.0, "red")


def test_the_same_words_in_a_session():
    m = pendulum()
    live = m.live()
    for each in (m, live):
        each.set("spring.stiffness", 200)
        each.set("rod", mass=2.0)
        each.set("tip", orientation=0.25)
        each.set("motor.damping", np.float64(3))
    for name in ("rod", "tip"):
        assert live.mechanism[name] == m[name]
    for name in ("spring", "motor"):
        assert live.mechanism[name].kind.damping == m[name].kind.damping
        assert live.mechanism[name].kind.stiffness == m[name].kind.stiffness


def test_order_and_the_rest_stay():
    m = pendulum()
    before = m.to_dict()
    m.set("rod", mass=3.0)
    after = m.to_dict()
    assert list(after["bodies"]) == list(before["bodies"])
    after["bodies"]["rod"]["shape"]["mass"] = 1.0
    assert after == before


def test_bodies():
    m = pendulum()
    m.set("bob", mass=2.0)  # in the place of the density
    assert (m["bob"].shape.mass, m["bob"].shape.density) == (2.0, None)
    m.set("bob.density", 5.0)
    assert (m["bob"].shape.mass, m["bob"].shape.density) == (None, 5.0)
    m.set("bob", position=(2, 0), velocity=None, coordinates="planar")
    assert (m["bob"].position, m["bob"].velocity, m["bob"].coordinates) == ((2.0, 0.0), None, "planar")
    m.set("rod", end=(0, 2))  # it is where its points are
    assert m["rod"].position == (0.0, 1.0)
    assert m["rod"].orientation == pytest.approx(np.pi / 2)
    m.set("rod", position=(5, 5))
    m.set("rod", end=(0, 4))  # unless it was put elsewhere
    assert m["rod"].position == (5.0, 5.0)


def test_places():
    m = pendulum()
    m.set("pivot", at=(1, 0))
    assert m["pivot"].at == (1.0, 0.0)
    m.set("pivot", at_a=(0, 0), at_b=(-0.5, 0))
    assert (m["pivot"].at, m["pivot"].at_a, m["pivot"].at_b) == (None, (0.0, 0.0), (-0.5, 0.0))
    m.set("spring", b="tip", at_b=None)
    assert m["spring"].b == "tip"
    m.set("motor", joint="weld")
    assert m["motor"].joint == "weld"
    m.set("tip.local", (0.25, 0))
    assert m["tip"].position == (0.25, 0.0)


REFUSED = {
    "parameter misspelled": (lambda m: m.set("spring", stifness=3), NamingError, "force 'spring': there is no parameter", "'stiffness'?"),
    "parameter misspelled after a dot": (lambda m: m.set("spring.stifness", 3), NamingError, "Did you mean 'stiffness'?"),
    "component misspelled": (lambda m: m.set("sprng.stiffness", 3), NamingError, "no component named 'sprng'", "'spring'?"),
    "of a body": (lambda m: m.set("rod", mas=3), NamingError, "body 'rod': there is no parameter named 'mas'", "'mass'?"),
    "of a frame": (lambda m: m.set("tip", locl=(0, 0)), NamingError, "frame 'tip'", "Did you mean 'local'?"),
    "nothing": (lambda m: m.set("spring"), DescriptionError, "say what to change, as in set('spring', stiffness=…)"),
    "no parameter": (lambda m: m.set("rod", 3), DescriptionError, "say which parameter gets the value", "set('rod.mass', …)"),
    "one and more": (lambda m: m.set("rod.mass", 3, radius=1), DescriptionError, "give one value", "or several by name"),
    "a wrong value": (lambda m: m.set("rod.mass", "2 kg"), DescriptionError, "body 'rod': rod: the mass", "without a unit"),
    "another dimension": (lambda m: m.set("rod", position=(0, 0, 0)), DescriptionError, "the position must be 2 numbers"),
    "a body that is not there": (lambda m: m.set("pivot", b="rdo"), NamingError, "joint 'pivot'", "Did you mean 'rod'?"),
    "half a place": (lambda m: m.set("pivot", at_a=(0, 0)), DescriptionError, "say where it is on 'rod'"),
    "the ground": (lambda m: m.set("ground", mass=1), NamingError, "no component named 'ground'"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_and_left_as_it_was(case):
    action, error, *fragments = REFUSED[case]
    m = pendulum()
    with pytest.raises(error) as caught:
        action(m)
    assert isinstance(caught.value, BielleError)
    assert all(fragment in str(caught.value) for fragment in fragments), str(caught.value)
    assert m == pendulum()


def test_who_holds_on_through_a_joint_has_a_say():
    m = bl.Mechanism()
    m.add_body("wheel", bl.cylinder((0, 0, 0), (0, 0, 0.1), 0.2, mass=1))
    m.add_body("pinion", bl.cylinder((0.5, 0, 0), (0.5, 0, 0.1), 0.1, mass=1))
    m.add_joint("one", bl.Revolute(), "ground", "wheel", at=(0, 0, 0))
    m.add_joint("two", bl.Revolute(), "ground", "pinion", at=(0.5, 0, 0))
    m.add_joint("gear", bl.Gear(ratio=2.0), "one", "two")
    m.set("one.axis", "-z")
    assert m["one"].kind.axis == "-z"
    m.set("gear.ratio", -2)
    assert m["gear"].kind.ratio == -2.0


def test_names_with_dots():
    m = bl.Mechanism(plane="xy")
    m.add_body("arm.1", bl.rod((0, 0), (1, 0), mass=1.0))
    m.set("arm.1.mass", 2.0)
    assert m["arm.1"].shape.mass == 2.0
