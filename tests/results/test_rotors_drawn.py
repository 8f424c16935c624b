"""Rotors in pictures: what turns behind a gear is not drawn, whatever its inertia; on its own it is a small ball on its bearing."""

import numpy as np
import pytest

import bielle as bl
from bielle.results.animation import scene
from bielle.results.sketch import described

LENGTH = 0.5
dims = pytest.mark.parametrize("dim", [2, 3])


def arm(dim, rotors=True):
    """Two rods that fall, with rotors in both joints whose radius of gyration is that of a house."""
    m = bl.Mechanism(plane="xy" if dim == 2 else None, gravity=(0, -9.81, 0)[:dim])
    at = [(i * LENGTH, 0, 0)[:dim] for i in range(3)]
    for i, (name, below) in enumerate((("upper", m.ground), ("lower", "upper"))):
        m.add_body(name, bl.rod(at[i], at[i + 1], mass=1.0))
        m.add_joint(f"{name} pin", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), below, name, at=at[i])
        if rotors:
            m.add_rotor(f"{name} rotor", f"{name} pin", inertia=0.1)
    return m


def seen(picture):
    return [body.name for body in picture.bodies if body.name], [joint.name for joint in picture.joints]


def size(picture):
    low, high = picture.bounds()
    return float(np.linalg.norm(high - low))


@dims
def test_a_drawing_is_that_without_rotors(dim):
    with_rotors, without = (scene(described(arm(dim, rotors)), ()) for rotors in (True, False))
    assert seen(with_rotors) == seen(without) == (["upper", "lower"], ["upper pin", "lower pin"])
    np.testing.assert_array_equal(with_rotors.bounds(), without.bounds())
    assert with_rotors.colors() == without.colors()
    texts = [text.get_text() for text in arm(dim).draw().axes[0].texts]
    assert [text for text in texts if text in arm(dim).bodies] == ["upper", "lower"]


@dims
def test_an_animation_is_that_without_rotors(dim):
    """The path that is drawn by itself is not that of a rotor, either."""
    picture = scene(arm(dim).simulate(0.2, samples=5))
    assert seen(picture) == (["upper", "lower"], ["upper pin", "lower pin"])
    assert size(picture) < 4 * LENGTH
    pendulum = bl.Mechanism(plane="xy")
    pendulum.add_body("rod", bl.rod((0, 0), (LENGTH, 0), mass=1.0))
    pendulum.add_joint("pin", bl.Pin(), pendulum.ground, "rod", at=(0, 0))
    pendulum.add_rotor("rotor", "pin", 0.1)
    run = pendulum.simulate(0.1, samples=3)
    assert [trace.label for trace in scene(run).traces] == ["rod"]
    assert [trace.label for trace in scene(run, ["rotor"]).traces] == ["rotor"]  # unless it is asked for


def test_armatures_of_a_robot_are_not_drawn():
    text = (
        '<mujoco><worldbody><body name="rod"><joint name="hinge" axis="0 1 0" armature="0.1"/>'
        '<geom type="capsule" size="0.02" fromto="0 0 0 0.5 0 0"/></body></worldbody></mujoco>'
    )
    with_armature, without = (scene(described(bl.load_mjcf(t)), ()) for t in (text, text.replace('armature="0.1"', "")))
    assert seen(with_armature) == seen(without) == (["rod"], ["hinge"])
    np.testing.assert_array_equal(with_armature.bounds(), without.bounds())


@dims
def test_on_its_own_it_is_a_small_ball_on_its_bearing(dim):
    """From the moment on when its gear is cut."""
    live = arm(dim).live()
    live.advance(0.1)
    live.remove("lower rotor gear")
    live.advance(0.1)
    run = live.result()
    picture = scene(run)
    assert seen(picture) == (["upper", "lower", "lower rotor"], ["upper pin", "lower pin", "lower rotor bearing"])
    rotor = next(body for body in picture.bodies if body.name == "lower rotor")
    assert [shape["kind"] for shape in rotor.shapes()] == ["sphere"]
    assert rotor.shapes()[0]["radius"] < 0.2 * LENGTH
    there = np.isfinite(rotor.positions[:, 0])
    assert there[run.time > 0.1].all()
    assert not there[run.time < 0.1].any()


@dims
def test_a_rotor_is_drawn_if_it_has_a_form_or_carries_something(dim):
    m = arm(dim)
    m.set("upper rotor", shape=bl.disc(0.05, mass=1.0))
    assert seen(scene(described(m), ())) == (["upper", "upper rotor", "lower"], ["upper pin", "upper rotor bearing", "lower pin"])
    m = arm(dim)
    m.add_body("wheel", bl.disc(0.1, mass=1.0))
    m.add_joint("weld", bl.Rigid() if dim == 2 else bl.Fixed(), "upper rotor", "wheel", at=(0, 0, 0)[:dim])
    bodies, joints = seen(scene(described(m), ()))
    assert {*bodies} == {"upper", "lower", "upper rotor", "wheel"}
    assert "upper rotor bearing" in joints
    assert "lower rotor bearing" not in joints


def test_a_rotor_with_visuals_is_drawn():
    m = arm(3)
    m.set("upper rotor", visuals=[bl.visuals.cylinder(0.05, 0.02)])
    assert seen(scene(described(m), ())) == (["upper", "upper rotor", "lower"], ["upper pin", "upper rotor bearing", "lower pin"])
