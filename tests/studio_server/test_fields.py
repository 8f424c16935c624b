"""Properties as fields: what is shown can be entered again, and what is wrong is refused in the engine's words."""

import json
from typing import get_args

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError
from bielle.mechanism import registry, shapes
from bielle.studio.fields import kind_fields, properties, set_property

from .test_picture import FORCES, KINDS, two_bodies, with_force

PYTHON = ("callable_force",)  # a function, which no form shows


def check_round_trip(live, name):
    """Every field entered again as it is shown leaves the component as it was."""
    shown = properties(live.mechanism, name)
    assert shown["name"] == name
    json.dumps(shown, allow_nan=False)
    for field in shown["fields"]:
        if field["fixed"] or field["value"] is None:
            continue
        before = live.mechanism._table(name)[name]
        set_property(live, name, field["key"], field["value"])
        after = live.mechanism._table(name)[name]
        assert same(before, after, field["key"]), f"{field['key']} = {field['value']!r}: {before} became {after}"
        if field["type"] == "number":
            set_property(live, name, field["key"], str(field["value"]))  # as it was typed
            assert same(before, live.mechanism._table(name)[name], field["key"])


def same(before, after, key):
    """Equal, whatever was a default and is written now."""
    if key == "coordinates":  # by default those of the plane or of space
        return True
    one, two = (getattr(c, "shape", None) or getattr(c, "kind", None) or c for c in (before, after))
    return one == two or all(np.array_equal(getattr(one, f), getattr(two, f)) for f in type(one).__struct_fields__)


def wrong_entries(live, name):
    """What nobody may enter, where a number is expected."""
    for field in properties(live.mechanism, name)["fields"]:
        if field["fixed"] or field["type"] != "number" or field["value"] is None:
            continue
        for value in ("NaN", "Infinity", "abc", "", [1, 2, 3, 4, 5], {"type": "nothing"}):
            before = live.mechanism._table(name)[name]
            with pytest.raises(BielleError) as caught:
                set_property(live, name, field["key"], value)
            assert len(str(caught.value)) > 10
            assert live.mechanism._table(name)[name] is before


@pytest.mark.parametrize(("tag", "dim"), KINDS)
def test_joints(tag, dim):
    m, one = two_bodies(dim)
    for k, kind in enumerate(registry.joints[tag].samples(dim)[:2]):
        if kind.attachment == "joints":
            m.add_joint(f"j{k}", kind, "hinge", "elbow")
        else:
            m.add_joint(f"j{k}", kind, "ground" if kind.grounded else "one", "two", at=one)
        shown = properties(m, f"j{k}")
        assert shown["kind"] == tag
        json.dumps(shown, allow_nan=False)
        assert {f["key"] for f in shown["fields"]} >= set(type(kind).__struct_fields__)


FREE = [
    ("revolute", 3),
    ("universal", 3),
    ("helical", 3),
    ("slider", 2),
    ("pin_in_slot", 2),
    ("distance", 2),
    ("gear", 2),
    ("spherical", 3),
]


@pytest.mark.parametrize(("tag", "dim"), FREE)
def test_joints_entered_again(tag, dim):
    m, one = two_bodies(dim)
    kind = registry.joints[tag].samples(dim)[-1]
    if kind.attachment == "joints":
        m.add_joint("j", kind, "hinge", "elbow")
    else:
        m.remove("elbow")
        m.add_joint("j", kind, "one", "two", at_a=0.5 * one, at_b=0.5 * one)
    live = m.live()
    check_round_trip(live, "j")
    wrong_entries(live, "j")


@pytest.mark.parametrize(("tag", "dim"), [each for each in FORCES if each[0] not in PYTHON])
def test_forces(tag, dim):
    m, one = two_bodies(dim)
    samples = registry.forces[tag].samples(dim)
    for k, kind in enumerate(samples):
        with_force(m, kind, one, f"f{k}")
    live = m.live()
    for k in range(len(samples)):
        check_round_trip(live, f"f{k}")
        wrong_entries(live, f"f{k}")


SHAPES = {
    "rod": bl.rod((0, 0, 0), (1, 0, 0), mass=1.0, radius=0.1),
    "cylinder": bl.cylinder((0, 0, 0), (1, 0, 0), 0.1, density=1000.0),
    "capsule": bl.capsule((0, 0, 0), (1, 0, 0), 0.1, mass=2.0),
    "box": bl.box((1, 2, 3), mass=1.0),
    "plate": bl.plate((1, 2), 0.1, mass=1.0),
    "sphere": bl.sphere(0.3, density=1000.0),
    "disc": bl.disc(0.3, thickness=0.1, mass=1.0),
    "extrusion": bl.extruded([(0, 0), (1, 0), (0, 1)], 0.1, mass=1.0),
    "explicit": bl.rigid(1.0, (0.1, 0.0, 0.0), np.diag([1.0, 1.5, 2.0])),
    "compound": bl.compound((bl.sphere(0.1, mass=1.0), (0, 0, 0)), (bl.sphere(0.1, mass=1.0), (1, 0, 0))),
}


def test_every_shape_is_tried():
    assert set(SHAPES) == {str(cls.__struct_config__.tag) for cls in get_args(shapes.Shape)} - {"massless"}


@pytest.mark.parametrize("tag", SHAPES)
def test_shapes(tag):
    m = bl.Mechanism()
    m.add_body("body", SHAPES[tag])
    live = m.live()
    check_round_trip(live, "body")
    wrong_entries(live, "body")


def test_mass_takes_the_place_of_density():
    m = bl.Mechanism()
    m.add_body("ball", bl.sphere(0.3, density=1000.0))
    live = m.live()
    set_property(live, "ball", "mass", 5.0)
    assert live.mechanism.bodies["ball"].shape.mass_properties().mass == 5.0
    set_property(live, "ball", "density", "500")
    assert live.mechanism.bodies["ball"].shape.mass_properties().mass == pytest.approx(500 * 4 / 3 * np.pi * 0.3**3)


def test_frames_and_the_whole():
    m, one = two_bodies(2)
    m.add_frame("tip", "two", local=0.5 * one)
    live = m.live()
    check_round_trip(live, "tip")
    set_property(live, "tip", "position", [0.1, 0.2, 0.0])
    assert live.mechanism.frames["tip"].position == (0.1, 0.2)
    assert properties(live.mechanism, "")["what"] == "mechanism"
    set_property(live, "", "gravity", [0.0, -1.62, 0.0])
    assert live.mechanism.gravity == (0.0, -1.62)
    for key, value in (("name", "x"), ("gravity", "NaN"), ("gravity", [1]), ("zz", 1)):
        with pytest.raises(BielleError):
            set_property(live, "", key, value)


def test_a_component_that_is_not_there():
    m, _ = two_bodies(2)
    with pytest.raises(BielleError, match="nobody"):
        properties(m, "nobody")
    with pytest.raises(BielleError, match="nobody"):
        set_property(m.live(), "nobody", "mass", 1)
    with pytest.raises(BielleError, match="zz"):
        set_property(m.live(), "one", "zz", 1)


def test_a_motor_says_what_it_follows():
    """Its target has the unit of what it controls, and that is a choice."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    for control, unit in (("position", "rad"), ("speed", "rad/s")):
        m.add_force(control, bl.Motor(target=1.0, damping=2.0, control=control), joint="pivot")
        fields = {field["key"]: field for field in properties(m, control)["fields"]}
        assert (fields["target"]["unit"], fields["control"]["choices"]) == (unit, ["position", "speed"])


def fields_of(m, name):
    return {field["key"]: field for field in properties(m, name)["fields"]}


@pytest.mark.parametrize(("dim", "typed"), [(2, [0.1, 0.2]), (3, [0.1, 0.2, 0.3])])
def test_what_is_not_set_is_entered_as_what_it_is(dim, typed):
    """A centre that was not given is a vector all the same, a thickness a number, and both can be unset again."""
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism()
    m.add_body("body", bl.disc(0.3, mass=1.0) if dim == 2 else bl.sphere(0.3, mass=1.0))
    shown = fields_of(m, "body")
    assert (shown["centre"]["type"], shown["centre"]["value"]) == ("vector", None)
    assert shown["density"]["type"] == "number"
    live = m.live()
    set_property(live, "body", "centre", typed)
    assert live.mechanism.bodies["body"].shape.centre == tuple(typed)
    assert fields_of(live.mechanism, "body")["centre"]["value"] == typed
    set_property(live, "body", "centre", None)
    assert fields_of(live.mechanism, "body")["centre"]["value"] is None


def test_axes_that_are_not_set_are_a_choice():
    m, one = two_bodies(2)
    m.remove("elbow")
    m.add_joint("slot", bl.PinInSlot(), "one", "two", at_a=0.5 * one, at_b=0.5 * one)
    live = m.live()
    shown = fields_of(live.mechanism, "slot")["direction"]
    assert (shown["type"], shown["value"], shown["choices"]) == ("choice", None, ["", "x", "y"])
    set_property(live, "slot", "direction", "y")
    assert live.mechanism.joints["slot"].kind.direction == "y"
    set_property(live, "slot", "direction", "")
    assert live.mechanism.joints["slot"].kind.direction is None


def test_fields_that_no_box_can_show_are_json():
    m, _ = two_bodies(2)
    m.add_force("s", bl.Spring(stiffness=1.0), "one", "two", at_a=(0.0, 0.0), at_b=(0.5, 0.0))
    assert fields_of(m, "s")["characteristic"]["type"] == "json"
    assert fields_of(m, "s")["length"]["type"] == "number"
    m = bl.Mechanism()
    m.add_body("lump", bl.rigid(1.0, (0.1, 0.0, 0.0), np.diag([1.0, 1.5, 2.0])))
    assert fields_of(m, "lump")["points"]["type"] == "json"


def test_lengths_and_forces_have_units():
    """Everything that is measured in something says in what."""
    wanted = {"pitch": "m/turn", "preload": "N", "translational": "N·s/m", "height": "m", "displacement": "m"}
    for cls in (*registry.joints.values(), *registry.forces.values()):
        for field in kind_fields(cls):
            assert field["unit"] == wanted.get(field["key"], field["unit"])
