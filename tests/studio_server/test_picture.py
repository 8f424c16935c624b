"""Everything there is can be drawn, and told as JSON."""

import json
import subprocess
import sys

import msgspec
import numpy as np
import pytest

import bielle as bl
from bielle import examples
from bielle.mechanism import registry
from bielle.studio.folder import opened_example
from bielle.studio.greeting import greeting
from bielle.studio.picture import Colors, picture


def as_json(data):
    """As a page reads it: no number that JSON does not have."""
    return json.loads(json.dumps(data, allow_nan=False))


@pytest.mark.parametrize("name", examples.names())
def test_every_example(name):
    live = opened_example(name)
    shown = as_json(picture(live.mechanism, Colors(), live))
    assert [body["name"] for body in shown["bodies"]] == list(live.mechanism.bodies)
    assert all(body["outline"] for body in shown["bodies"])
    assert np.shape(shown["bounds"]) == (2, 3)
    assert np.linalg.norm(shown["up"]) == pytest.approx(1.0)
    for joint in shown["joints"]:
        assert np.shape([joint["point_a"], joint["point_b"], joint["axis_a"], joint["axis_b"]]) == (4, 3)


def two_bodies(dim):
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism()
    zero, one = np.zeros(dim), np.eye(dim)[0]
    m.add_body("one", bl.rod(zero, one, mass=1.0, radius=0.05))
    m.add_body("two", bl.rod(one, 2 * one, mass=1.0, radius=0.05))
    m.add_joint("hinge", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), "ground", "one", at=zero)
    m.add_joint("elbow", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), "one", "two", at=one)
    return m, one


KINDS = [(tag, dim) for tag, cls in registry.joints.items() for dim in cls.dims]


@pytest.mark.parametrize(("tag", "dim"), KINDS)
def test_every_kind_of_joint(tag, dim):
    m, one = two_bodies(dim)
    for k, kind in enumerate(registry.joints[tag].samples(dim)):
        if kind.attachment == "joints":
            m.add_joint(f"j{k}", kind, "hinge", "elbow")
        else:
            m.add_joint(f"j{k}", kind, "ground" if kind.grounded else "one", "two", at=one)
        shown = as_json(picture(m, Colors()))["joints"][-1]
        assert shown["kind"] == tag
        assert np.isfinite([shown["point_a"], shown["point_b"]]).all()


FORCES = [(tag, dim) for tag, cls in registry.forces.items() for dim in getattr(cls, "dims", (2, 3))]


def with_force(m, kind, one, name):
    """The kind where it can act."""
    if kind.attachment == "joint":
        m.add_force(name, kind, joint="elbow")
    elif kind.attachment == "two":
        m.add_force(name, kind, "one", "two", at_a=0 * one, at_b=0.5 * one)
    else:
        m.add_force(name, kind, "two", at=2 * one)


@pytest.mark.parametrize(("tag", "dim"), FORCES)
def test_every_kind_of_force(tag, dim):
    m, one = two_bodies(dim)
    for k, kind in enumerate(registry.forces[tag].samples(dim)):
        with_force(m, kind, one, f"f{k}")
        shown = as_json(picture(m, Colors()))["forces"][-1]
        assert shown["kind"] == tag
        assert np.isfinite(shown["point_a"]).all()


@pytest.mark.parametrize("dim", [2, 3])
def test_rotors_are_not_drawn(dim):
    """Nor are their bearings, which stand where the joint once was; a gear at the joint says that there is one."""
    m, _ = two_bodies(dim)
    without = as_json(picture(m, Colors()))
    assert not any(component["unseen"] for component in (*without["bodies"], *without["joints"]))
    m.add_rotor("rotor", "elbow", inertia=100.0)
    shown = as_json(picture(m, Colors()))
    assert shown["bounds"] == without["bounds"]
    assert {component["name"] for component in (*shown["bodies"], *shown["joints"]) if component["unseen"]} == {"rotor", "rotor bearing"}
    assert next(body for body in shown["bodies"] if body["name"] == "rotor")["outline"] == []
    elbow, gear = (next(joint for joint in shown["joints"] if joint["name"] == name) for name in ("elbow", "rotor gear"))
    assert {key: gear[key] for key in ("a", "b", "point_a", "point_b")} == {key: elbow[key] for key in ("a", "b", "point_a", "point_b")}


@pytest.mark.parametrize("dim", [2, 3])
def test_a_gear_links_what_its_joints_turn(dim):
    """From the one joint to the other: a point of each, on the bodies that they turn, with their axes."""
    m, one = two_bodies(dim)
    m.add_joint("gear", bl.Gear(ratio=-2.0), "hinge", "elbow")
    gear = as_json(picture(m, Colors()))["joints"][-1]
    assert (gear["a"], gear["b"]) == ("one", "two")
    for side, place in (("a", 0 * one), ("b", one)):
        pose = m.bodies[gear[side]].pose
        np.testing.assert_allclose(pose.point(np.array(gear[f"point_{side}"]))[:dim], place, atol=1e-12)
        np.testing.assert_allclose(pose.rotation @ gear[f"axis_{side}"], [0, 0, 1], atol=1e-12)


def test_what_slides_in_a_gear_is_drawn_across_the_slide():
    """A wheel along its rack, not one that stands on it."""
    for dim in (2, 3):
        m, one = two_bodies(dim)
        m.add_body("rack", bl.box(size=np.ones(dim), mass=1.0))
        m.add_joint("slide", bl.Slider() if dim == 2 else bl.Prismatic(axis="x"), "ground", "rack", at=0 * one)
        m.add_joint("gear", bl.Gear(ratio=0.1), "elbow", "slide")
        axis = as_json(picture(m, Colors()))["joints"][-1]["axis_b"]
        assert axis[0] == pytest.approx(0.0)
        assert np.linalg.norm(axis) == pytest.approx(1.0)


def test_rolling_joints_tell_the_plane_and_the_axle():
    m = bl.Mechanism()
    m.add_body("disc", bl.disc(radius=0.3, mass=1.0, thickness=0.1), position=(1, 2, 0.3), orientation=(np.sqrt(0.5), np.sqrt(0.5), 0, 0))
    m.add_joint("rolls", bl.RollingDisc(radius=0.3), "ground", "disc", at_a=(0, 0, 0), at_b=(0, 0, 0))
    shown = as_json(picture(m, Colors()))["joints"][-1]
    np.testing.assert_allclose(shown["axis_a"], [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose(np.abs(m.bodies["disc"].pose.rotation @ shown["axis_b"]), [0, 1, 0], atol=1e-12)
    m = bl.Mechanism(plane="xy")
    m.add_body("wheel", bl.disc(radius=0.3, mass=1.0), position=(1, 0.3))
    m.add_joint("rolls", bl.RollingWheel(radius=0.3), "ground", "wheel", at_a=(0, 0), at_b=(0, 0))
    shown = as_json(picture(m, Colors()))["joints"][-1]
    assert (shown["axis_a"], shown["axis_b"]) == ([0, 1, 0], [0, 0, 1])


WAVE = bl.Harmonic(amplitude=2.0, frequency=1.0)
LOADS = [
    (2, bl.PointForce(force=(10, 0)), [1, 0, 0], True, False),
    (2, bl.PointForce(force=(0, -3), axes="body"), [0, -1, 0], False, False),
    (3, bl.PointForce(force=(0, 3, 4)), [0, 0.6, 0.8], True, False),
    (3, bl.PointForce(force=(0, WAVE, 0)), [0, 1, 0], True, True),  # to and fro
    (3, bl.PointForce(force=(1, WAVE, 0)), None, True, True),  # it turns, so that no direction is true for long
    (2, bl.PointForce(force=(0, 0)), None, True, False),
    (2, bl.Torque(torque=-1.0), [0, 0, -1], True, False),
    (3, bl.Torque(torque=(0, 2, 0)), [0, 1, 0], True, False),
]


@pytest.mark.parametrize(("dim", "kind", "direction", "in_world", "varies"), LOADS)
def test_loads_point_where_they_act(dim, kind, direction, in_world, varies):
    m, one = two_bodies(dim)
    with_force(m, kind, one, "load")
    shown = as_json(picture(m, Colors()))["forces"][-1]
    assert shown["direction"] == (None if direction is None else pytest.approx(direction))
    assert (shown["in_world"], shown["varies"]) == (in_world, varies)


def test_the_greeting_runs_no_example():
    """Their titles and texts are read: to import them all, with what their checks need, would hold up the first picture."""
    script = "import sys; from bielle.studio.greeting import greeting; greeting(1, '', 0); print('bielle.examples.bricard' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip() == "False"
    for example in greeting(1, "", 0)["examples"]:
        module = examples.get(example["name"])
        assert example["title"] == module.TITLE
        assert example["text"] in " ".join(module.__doc__.split())


def test_the_greeting_is_json():
    assert msgspec.json.decode(msgspec.json.encode(greeting(1, "secret", 0)))["viewer"] == 1
    as_json(greeting(1, "secret", 0))


def test_an_empty_mechanism_has_bounds():
    for m in (bl.Mechanism(plane="xy"), bl.Mechanism(gravity=(0, 0, 0))):
        low, high = np.array(as_json(picture(m, Colors()))["bounds"])
        assert (high[:2] > low[:2]).all()
