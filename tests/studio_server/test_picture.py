"""Everything there is can be drawn, and told as JSON."""

import json

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


def test_the_greeting_is_json():
    assert msgspec.json.decode(msgspec.json.encode(greeting(1, "secret", 0)))["viewer"] == 1
    as_json(greeting(1, "secret", 0))


def test_an_empty_mechanism_has_bounds():
    for m in (bl.Mechanism(plane="xy"), bl.Mechanism(gravity=(0, 0, 0))):
        low, high = np.array(as_json(picture(m, Colors()))["bounds"])
        assert (high[:2] > low[:2]).all()
