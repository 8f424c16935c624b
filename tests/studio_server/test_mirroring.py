"""What is behind a mirror moves as the mirror image of what is before it."""

import numpy as np
import pytest

import bielle as bl
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
