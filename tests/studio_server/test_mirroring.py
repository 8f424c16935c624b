"""What is behind a mirror moves as the mirror image of what is before it."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError
from bielle.studio.copying import duplicated


def _lopsided():
    """A swinging chain of shapes without any symmetry, joined by a pin and a slide."""
    m = bl.Mechanism(plane="xy", gravity=(0.0, 0.0))
    m.add_body("a", bl.extruded([(0.0, 0.0), (1.0, 0.1), (0.3, 0.6)], mass=2.0), position=(1.0, 0.5), orientation=0.3, angular_velocity=1.0)
    m.add_body("b", bl.rod((0.2, 0.1), (1.2, 0.4), mass=1.0), position=(1.8, 0.9), orientation=-0.4)
    m.add_body("c", bl.rigid(1.5, (0.2, -0.1), 0.3, points=[(0.0, 0.0), (0.5, 0.2)]), position=(2.5, 1.0), orientation=1.0)
    m.add_joint("pin", bl.Pin(), "a", "b", at=(1.9, 0.95))
    m.add_joint("slide", bl.Slider(), "b", "c", at=(2.5, 1.0))
    m.add_force("spring", bl.Spring(stiffness=30.0, damping=0.5), "a", "c", at_a=(0.2, 0.1), at_b=(0.1, 0.3))
    return m


@pytest.mark.parametrize(("mirror", "sign"), [("x", (-1.0, 1.0)), ("y", (1.0, -1.0))])
def test_moves_as_the_image(mirror, sign):
    live = _lopsided().live()
    made = dict(zip("abc", duplicated(live, ["a", "b", "c"], None, 1, mirror)))
    live.advance(1.0)
    result = live.result()
    for old, new in made.items():
        before, behind = result[old].centre.position[-1], result[new].centre.position[-1]
        # two integrations of the same equations within rtol 1e-8
        np.testing.assert_allclose(behind, before * np.array(sign), rtol=0, atol=1e-6)
        np.testing.assert_allclose(result[new].angular_velocity[-1], -result[old].angular_velocity[-1], rtol=0, atol=1e-6)
    assert np.ptp(result["c"].centre.position[:, 0]) > 0.01


def _in_space():
    """A tumbling chain without any symmetry, joined by a hinge and a screw, with a spring, a force, a torque and a floor of its own."""
    m = bl.Mechanism(gravity=(0.0, 0.0, 0.0))
    turn = (0.9, 0.2, -0.3, 0.1)
    spin = {"velocity": (0.1, 0.2, -0.3), "angular_velocity": (0.5, -0.7, 1.1)}
    m.add_body("a", bl.box((0.5, 0.3, 0.2), mass=2.0), position=(1.0, 0.5, 0.4), orientation=turn, **spin)
    heavy = bl.rigid(1.5, (0.2, -0.1, 0.05), (0.3, 0.4, 0.5, 0.05, -0.04, 0.03))
    m.add_body("b", heavy, position=(1.8, 0.9, 0.3), orientation=(0.7, -0.1, 0.4, 0.3), **spin)
    m.add_body("c", bl.rod((2.0, 1.0, 0.5), (2.6, 1.4, 1.3), mass=1.0))
    parts = bl.compound(
        bl.capsule((0, 0, 0), (0.3, 0.1, 0.2), 0.05, mass=1.0), (bl.disc(0.2, mass=0.5), (0.3, 0.2, 0.1), (0.9, 0.1, 0.3, -0.2))
    )
    m.add_body("d", parts, position=(3.0, 1.2, 1.0), orientation=turn)
    m.add_joint("hinge", bl.Revolute(axis=(0.3, -0.5, 0.8)), "a", "b", at=(1.4, 0.7, 0.3))
    m.add_joint("screw", bl.Helical(axis=(0.6, 0.1, 0.7), pitch=0.2), "b", "c", at=(2.0, 1.0, 0.5))
    m.add_joint("driven", bl.ImposedRotation(bl.Harmonic(0.3, 2.0), axis=(0.1, 0.9, 0.3)), "a", "d", at=(2.0, 1.0, 0.0))
    m.add_force("spring", bl.Spring(stiffness=30.0, damping=0.5), "a", "c", at_a=(0.2, 0.1, 0.0), at_b=(0.1, 0.3, 0.2))
    m.add_force("blow", bl.PointForce((lambda t: 3.0 * t, -1.0, 2.0)), "c", at=(0.1, 0.0, 0.0))
    m.add_force("torque", bl.Torque((0.4, -0.2, 0.3), axes="body"), "b")
    return m


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_in_space(axis):
    live = _in_space().live()
    made = dict(zip("abcd", duplicated(live, list("abcd"), None, 1, "xyz"[axis])))
    before = live.describe().bodies["a"].position
    live.advance(0.7)
    now, sign = live.now, np.ones(3)
    sign[axis] = -1.0
    mirror = np.diag(sign)
    for old, new in made.items():
        # two integrations of the same equations within rtol 1e-8
        np.testing.assert_allclose(now[new].centre.position[0], mirror @ now[old].centre.position[0], rtol=0, atol=1e-6)
        np.testing.assert_allclose(now[new].rotation[0], mirror @ now[old].rotation[0] @ mirror, rtol=0, atol=1e-6)
        np.testing.assert_allclose(now[new].angular_velocity[0], -mirror @ now[old].angular_velocity[0], rtol=0, atol=1e-6)
    assert np.abs(now["a"].position[0] - before).max() > 0.01


def test_what_is_drawn_is_mirrored_too():
    m, v = bl.Mechanism(), bl.visuals
    seen = [v.mesh("hand.stl", position=(0.1, 0.2, 0.3), orientation=(0.8, 0.6, 0.0, 0.0)), v.box((1, 2, 3), position=(0.5, 0, 0))]
    m.add_body("seen", bl.sphere(0.1, mass=1.0), visuals=seen)
    live = m.live()
    (made,) = duplicated(live, ["seen"], None, 1, "x")
    mesh, box = live.mechanism.bodies[made].visuals
    assert mesh.scale == (-1.0, 1.0, 1.0)  # of a hand it makes the other one
    assert mesh.position == (-0.1, 0.2, 0.3)
    assert mesh.orientation == pytest.approx((0.8, 0.6, 0.0, 0.0))  # about the axis of the mirror: the same turn
    assert box.position == (-0.5, 0.0, 0.0)


def test_loads_and_drives_of_the_plane():
    m = bl.Mechanism(plane="xy", gravity=(0.0, 0.0))
    m.add_body("a", bl.disc(0.2, mass=1.0), position=(1.0, 0.0))
    m.add_body("b", bl.rod((1.0, 0.0), (2.0, 0.5), mass=1.0))
    m.add_joint("slide", bl.Slider(direction=0.4), "a", "b", at=(1.0, 0.0))
    m.add_force("blow", bl.PointForce((1.0, 2.0)), "a", at=(0.1, 0.05))
    m.add_force("torque", bl.Torque(0.3), "b")
    live = m.live()
    made = dict(zip("ab", duplicated(live, ["a", "b"], None, 1, "x")))
    live.advance(0.5)
    for old, new in made.items():
        np.testing.assert_allclose(live[new].position, live[old].position * [-1.0, 1.0], rtol=0, atol=1e-7)  # as above
        assert live[new].angular_velocity == pytest.approx(-live[old].angular_velocity, abs=1e-7)


def test_what_cannot_be_mirrored_is_named():
    m = bl.Mechanism(plane="xy")
    m.add_body("a", bl.disc(0.2, mass=1.0))
    m.add_force("mine", bl.CallableForce(lambda t, q, v: (0.0, 0.0, 0.0)), "a", at=(0.0, 0.0))
    live = m.live()
    with pytest.raises(BielleError, match="'mine'"):
        duplicated(live, ["a"], None, 1, "x")
    assert list(live.mechanism.bodies) == ["a"]
