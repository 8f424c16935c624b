"""Wrong descriptions: each is refused with a message that says what, which, expected and got, and what to do; and changes nothing."""

import math

import numpy as np
import pytest

import bielle.bodies
import bielle.forces
import bielle.joints  # noqa: F401  (the kinds register themselves)
from bielle.errors import BielleError, DescriptionError, NamingError
from bielle.forces.point_force import PointForce
from bielle.forces.spring import Spring
from bielle.joints import Distance, Fixed, Pin, Prismatic, Revolute, Slider, Spherical, Universal
from bielle.mechanism.functions import Constant, Function, Harmonic, Polynomial, Table, as_function
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import box, rigid, rod, sphere

NAN, INF = math.nan, math.inf


def spatial() -> Mechanism:
    m = Mechanism(name="spatial")
    m.add_body("crank", rod((0, 0, 0), (1, 0, 0), mass=1.0))
    m.add_body("block", box((1, 1, 1), mass=1.0), position=(2, 0, 0))
    m.add_frame("tip", "crank", local=(0.5, 0, 0))
    m.add_frame("tail", "crank", local=(-0.5, 0, 0))
    m.add_joint("hinge", Revolute(axis="y"), "ground", "crank", at=(0, 0, 0))
    m.add_force("pull", Spring(stiffness=1.0), "tip", "block", at_b=(0, 0, 0))
    return m


def planar() -> Mechanism:
    m = Mechanism(plane="xy", name="planar")
    m.add_body("crank", rod((0, 0), (1, 0), mass=1.0))
    m.add_body("block", box((1, 1), mass=1.0), position=(2, 0))
    m.add_frame("tip", "crank", local=(0.5, 0))
    m.add_joint("pin", Pin(), "ground", "crank", at=(0, 0))
    return m


def refused(m: Mechanism, action, error: type[BielleError], *fragments: str) -> None:
    """The action fails with that error and a message that contains the fragments, and leaves the mechanism as it was."""
    before = m.copy()
    with pytest.raises(error) as caught:
        action(m)
    message = str(caught.value)
    for fragment in fragments:
        assert fragment in message, message
    assert message[-1] in ".?…", message
    assert len(message) < 600, message
    assert m == before


# what to do, and the fragments: which component, what was expected and got, a remedy
SPATIAL = {
    "gravity nan": (lambda m: setattr(m, "gravity", (0, 0, NAN)), DescriptionError, "gravity", "finite", "nan", "Check"),
    "gravity text": (lambda m: setattr(m, "gravity", "down"), DescriptionError, "gravity must be 3 numbers", "'down'", "Give"),
    "gravity planar": (lambda m: setattr(m, "gravity", (0, -9.81)), DescriptionError, "gravity", "3 numbers", "-9.81", "give three"),
    "name of mechanism": (lambda m: setattr(m, "name", "two\nlines"), DescriptionError, "name", "one line", "two\\nlines", "Leave out"),
    "position nan": (
        lambda m: m.add_body("new", sphere(1, mass=1), position=(0, NAN, 0)),
        *(DescriptionError, "body 'new'", "position", "finite", "nan", "Check"),
    ),
    "position inf": (
        lambda m: m.add_body("new", sphere(1, mass=1), position=np.array([0, 0, INF])),
        *(DescriptionError, "body 'new'", "position", "finite", "inf", "Check"),
    ),
    "position length": (
        lambda m: m.add_body("new", sphere(1, mass=1), position=(0, 0)),
        *(DescriptionError, "body 'new'", "position", "3 numbers", "(0, 0)", "give three"),
    ),
    "position truth values": (
        lambda m: m.add_body("new", sphere(1, mass=1), position=(True, 0.0, 0.0)),
        *(DescriptionError, "body 'new'", "position", "3 numbers", "True", "Give plain numbers"),
    ),
    "position text": (
        lambda m: m.add_body("new", sphere(1, mass=1), position=("1", "2", "3")),
        *(DescriptionError, "body 'new'", "position", "3 numbers", "'1'", "Give plain numbers"),
    ),
    "position huge integer": (
        lambda m: m.add_body("new", sphere(1, mass=1), position=(10**400, 0, 0)),
        *(DescriptionError, "body 'new'", "position", "3 numbers", "1000", "Give"),
    ),
    "orientation nan": (
        lambda m: m.add_body("new", sphere(1, mass=1), orientation=(1, 0, 0, NAN)),
        *(DescriptionError, "body 'new'", "orientation", "finite", "nan", "Check"),
    ),
    "orientation angle": (
        lambda m: m.add_body("new", sphere(1, mass=1), orientation=0.5),
        *(DescriptionError, "body 'new'", "quaternion", "0.5", "bielle.rotation"),
    ),
    "orientation zero": (
        lambda m: m.add_body("new", sphere(1, mass=1), orientation=(0, 0, 0, 0)),
        *(DescriptionError, "body 'new'", "orientation", "length > 0", "(0, 0, 0, 0)", "(1, 0, 0, 0)"),
    ),
    "orientation reflection": (
        lambda m: m.add_body("new", sphere(1, mass=1), orientation=np.diag([1.0, 1.0, -1.0])),
        *(DescriptionError, "body 'new'", "orientation", "proper rotation matrix", "-1", "det R = 1"),
    ),
    "velocity nan": (
        lambda m: m.add_body("new", sphere(1, mass=1), velocity=(NAN, 0, 0)),
        *(DescriptionError, "body 'new'", "the velocity", "finite", "nan", "Check"),
    ),
    "angular velocity inf": (
        lambda m: m.add_body("new", sphere(1, mass=1), angular_velocity=(0, -INF, 0)),
        *(DescriptionError, "body 'new'", "angular velocity", "finite", "-inf", "Check"),
    ),
    "angular velocity scalar": (
        lambda m: m.add_body("new", sphere(1, mass=1), angular_velocity=1.0),
        *(DescriptionError, "body 'new'", "angular velocity", "3 numbers", "1.0", "Give"),
    ),
    "mass zero": (lambda m: m.add_body("new", sphere(1, mass=0)), DescriptionError, "sphere", "mass", "positive", "0", "Give mass > 0"),
    "mass negative": (lambda m: m.add_body("new", sphere(1, mass=-2)), DescriptionError, "sphere", "positive", "-2", "Give mass > 0"),
    "mass nan": (lambda m: m.add_body("new", sphere(1, mass=NAN)), DescriptionError, "sphere", "mass", "finite", "nan", "Give mass"),
    "triangle inequality": (
        lambda m: m.add_body("new", rigid(1.0, (0, 0, 0), (1.0, 1.0, 3.0))),
        *(DescriptionError, "explicit", "triangle inequality", "1, 1, 3", "Check"),
    ),
    "lamina in space": (
        lambda m: m.add_body("new", rod((0, 0), (1, 0), mass=1)),
        *(DescriptionError, "body 'new'", "2-vectors", "spatial", "Give 3 numbers"),
    ),
    "shape missing": (lambda m: m.add_body("new", "rod"), DescriptionError, "body 'new'", "shape", "bielle.rod", "'rod'"),
    "coordinates unknown": (
        lambda m: m.add_body("new", sphere(1, mass=1), coordinates="spatal"),
        *(NamingError, "body 'new'", "kind of coordinates", "'spatal'", "Did you mean 'spatial'?"),
    ),
    "coordinates planar": (
        lambda m: m.add_body("new", sphere(1, mass=1), coordinates="planar"),
        *(DescriptionError, "body 'new'", "'planar'", "spatial", "Use one of"),
    ),
    "coordinates type": (
        lambda m: m.add_body("new", sphere(1, mass=1), coordinates=["spatial"]),
        *(DescriptionError, "body 'new'", "coordinates", "name of a kind", "['spatial']", "Use one of"),
    ),
    "color": (
        lambda m: m.add_body("new", sphere(1, mass=1), color=(1, 0, 0)),
        *(DescriptionError, "body 'new'", "color", "string", "(1, 0, 0)", "Give one"),
    ),
    "frame on nothing": (
        lambda m: m.add_frame("new", "crnk", local=(0, 0, 0)),
        *(NamingError, "frame 'new'", "no body named 'crnk'", "Did you mean 'crank'?"),
    ),
    "frame on a frame": (lambda m: m.add_frame("new", "tip", local=(0, 0, 0)), NamingError, "frame 'new'", "no body named 'tip'", "Known"),
    "frame nowhere": (lambda m: m.add_frame("new", "crank"), DescriptionError, "frame 'new'", "give either at", "got neither"),
    "frame twice": (
        lambda m: m.add_frame("new", "crank", (0, 0, 0), local=(0, 0, 0)),
        *(DescriptionError, "frame 'new'", "give either at", "got both"),
    ),
    "frame nan": (
        lambda m: m.add_frame("new", "crank", local=(0, 0, NAN)),
        *(DescriptionError, "frame 'new'", "point", "finite", "nan", "Check"),
    ),
    "frame orientation": (
        lambda m: m.add_frame("new", "crank", local=(0, 0, 0), orientation=1.0),
        *(DescriptionError, "frame 'new'", "quaternion", "1.0", "bielle.rotation"),
    ),
    "axis zero": (
        lambda m: m.add_joint("new", Revolute(axis=(0, 0, 0)), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "axis", "zero vector", "(0, 0, 0)", "Give a direction"),
    ),
    "axis nan": (
        lambda m: m.add_joint("new", Prismatic(axis=(0, NAN, 1)), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "axis", "finite", "nan", "Check"),
    ),
    "axis unknown": (
        lambda m: m.add_joint("new", Revolute(axis="w"), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "axis", "one of x, y, z", "'w'"),
    ),
    "axis planar": (
        lambda m: m.add_joint("new", Revolute(axis=(0, 1)), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "axis", "3 numbers", "(0, 1)", "give three"),
    ),
    "axis infinite length": (
        lambda m: m.add_joint("new", Revolute(axis=(1.7e308, 1.7e308, 0)), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "axis", "must not be beyond 1e+60", "1.7e+308", "Check how"),
    ),
    "far away": (
        lambda m: m.add_body("new", rod((0, 0, 0), (1, 0, 0), mass=1), position=(1e160, 0, 0)),
        *(DescriptionError, "body 'new'", "position", "must not be beyond 1e+60", "1e+160", "Check how"),
    ),
    "next to nothing": (
        lambda m: m.add_body("new", rod((0, 0, 0), (1, 0, 0), mass=1e-320)),
        *(DescriptionError, "rod", "mass", "must not be below 1e-100", "1e-320", "Check how"),
    ),
    "axes parallel": (
        lambda m: m.add_joint("new", Universal(axis_a="x", axis_b="x"), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "orthogonal", "x and x", "Give axis_b orthogonal"),
    ),
    "length negative": (
        lambda m: m.add_joint("new", Distance(length=-1), "crank", "block", at_a=(0, 0, 0), at_b=(0, 0, 0)),
        *(DescriptionError, "joint 'new'", "length", "positive", "-1", "Give a number > 0"),
    ),
    "length text": (
        lambda m: m.add_joint("new", Distance(length="1"), "crank", "block", at_a=(0, 0, 0), at_b=(0, 0, 0)),
        *(DescriptionError, "joint 'new'", "length", "a number", "'1'", "Give"),
    ),
    "duplicate body": (lambda m: m.add_body("block", sphere(1, mass=1)), NamingError, "'block' is taken", "unique", "choose another"),
    "body named as a joint": (lambda m: m.add_body("hinge", sphere(1, mass=1)), NamingError, "'hinge' is taken", "choose another"),
    "body named ground": (lambda m: m.add_body("ground", sphere(1, mass=1)), NamingError, "'ground' is taken", "choose another"),
    "joint to nothing": (
        lambda m: m.add_joint("new", Fixed(), "crank", "blok", (1, 0, 0)),
        *(NamingError, "joint 'new'", "no body or frame named 'blok'", "Did you mean 'block'?"),
    ),
    "joint to a number": (
        lambda m: m.add_joint("new", Fixed(), "crank", 5, (1, 0, 0)),
        DescriptionError,
        "joint 'new'",
        "by its name",
        "got 5",
    ),
    "joint to itself": (
        lambda m: m.add_joint("new", Fixed(), "crank", "crank", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "two bodies", "'crank' twice", "Give two different"),
    ),
    "joint between frames of one body": (
        lambda m: m.add_joint("new", Fixed(), "tip", "tail"),
        *(DescriptionError, "joint 'new'", "two bodies", "'crank' twice", "'tip' and 'tail'", "Give two different"),
    ),
    "joint class": (
        lambda m: m.add_joint("new", Revolute, "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "joint kind", "Revolute", "Write Revolute() with parentheses"),
    ),
    "joint name": (
        lambda m: m.add_joint("new", "revolute", "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "joint kind", "'revolute'", "add_joint(name, Kind"),
    ),
    "force as joint": (
        lambda m: m.add_joint("new", Spring(), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "joint kind", "Spring", "Use add_force"),
    ),
    "planar joint": (
        lambda m: m.add_joint("new", Pin(), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "Pin", "planar", "this one is spatial", "Use Revolute"),
    ),
    "joint nowhere": (
        lambda m: m.add_joint("new", Spherical(), "tip", "block"),
        *(DescriptionError, "joint 'new'", "where it is on 'block'", "at_b=", "or a frame"),
    ),
    "joint in two places": (
        lambda m: m.add_joint("new", Spherical(), "crank", "block", (1, 0, 0), at_a=(0, 0, 0)),
        *(DescriptionError, "joint 'new'", "give either at", "got both"),
    ),
    "joint place nan": (
        lambda m: m.add_joint("new", Spherical(), "crank", "block", (1, NAN, 0)),
        *(DescriptionError, "joint 'new'", "at must be finite", "nan", "Check"),
    ),
    "joint place planar": (
        lambda m: m.add_joint("new", Spherical(), "crank", "block", at_a=(1, 0), at_b=(1, 0, 0)),
        *(DescriptionError, "joint 'new'", "at_a must be 3 numbers", "(1, 0)", "give three"),
    ),
    "joint axes planar": (
        lambda m: m.add_joint("new", Revolute(), "crank", "block", at_a=(0, 0, 0), at_b=(0, 0, 0), axes_a=0.5),
        *(DescriptionError, "joint 'new'", "axes_a must be a quaternion", "0.5", "bielle.rotation"),
    ),
    "joint axes nan": (
        lambda m: m.add_joint("new", Revolute(), "crank", "block", (1, 0, 0), axes_b=(NAN, 0, 0, 1)),
        *(DescriptionError, "joint 'new'", "axes_b must be finite", "nan", "Check"),
    ),
    "joint axes on a frame": (
        lambda m: m.add_joint("new", Revolute(), "tip", "block", at_b=(0, 0, 0), axes_a=(1, 0, 0, 0)),
        *(DescriptionError, "joint 'new'", "'tip' is a frame", "Leave out axes_a", "the body 'crank'"),
    ),
    "force class": (
        lambda m: m.add_force("new", Spring, "tip", "block", at_b=(0, 0, 0)),
        *(DescriptionError, "force 'new'", "force kind", "Write Spring() with parentheses"),
    ),
    "force on nothing": (
        lambda m: m.add_force("new", Spring(), "tpi", "block", at_b=(0, 0, 0)),
        *(NamingError, "force 'new'", "no body or frame named 'tpi'", "Did you mean 'tip'?"),
    ),
    "force in no joint": (
        lambda m: m.add_force("new", Spring(), joint="hing"),
        *(NamingError, "force 'new'", "no joint named 'hing'", "Did you mean 'hinge'?"),
    ),
    "force in joint and place": (
        lambda m: m.add_force("new", Spring(), "tip", joint="hinge"),
        *(DescriptionError, "force 'new'", "joint 'hinge'", "Leave out"),
    ),
    "force without body": (lambda m: m.add_force("new", Spring()), DescriptionError, "force 'new'", "name the body", "joint=…"),
    "force in two places": (
        lambda m: m.add_force("new", Spring(), "tip", "block", (0, 0, 0), at_b=(0, 0, 0)),
        *(DescriptionError, "force 'new'", "give either at", "got both"),
    ),
    "force place without body": (
        lambda m: m.add_force("new", PointForce(force=(0, 0, 1)), "tip", at_b=(0, 0, 0)),
        *(DescriptionError, "force 'new'", "there is no b", "leave out at_b"),
    ),
    "force axes without body": (
        lambda m: m.add_force("new", PointForce(force=(0, 0, 1)), "tip", axes_b=(1, 0, 0, 0)),
        *(DescriptionError, "force 'new'", "there is no b", "leave out axes_b"),
    ),
    "force axes in a joint": (
        lambda m: m.add_force("new", Spring(), joint="hinge", axes_a=(1, 0, 0, 0)),
        *(DescriptionError, "force 'new'", "joint 'hinge'", "Leave out", "the axes"),
    ),
    "force axes on a frame": (
        lambda m: m.add_force("new", Spring(), "block", "tip", at_a=(0, 0, 0), axes_b=(1, 0, 0, 0)),
        *(DescriptionError, "force 'new'", "'tip' is a frame", "Leave out axes_b", "the body 'crank'"),
    ),
    "force place nan": (
        lambda m: m.add_force("new", Spring(), "tip", "block", at_b=(0, INF, 0)),
        *(DescriptionError, "force 'new'", "at_b must be finite", "inf", "Check"),
    ),
    "stiffness nan": (
        lambda m: m.add_force("new", Spring(stiffness=NAN), "tip", "block", at_b=(0, 0, 0)),
        *(DescriptionError, "force 'new'", "stiffness", "finite", "nan", "Check"),
    ),
    "stiffness text": (
        lambda m: m.add_force("new", Spring(stiffness="10"), "tip", "block", at_b=(0, 0, 0)),
        *(DescriptionError, "force 'new'", "stiffness", "a number", "'10'", "Give"),
    ),
    "remove ground": (lambda m: m.remove("ground"), DescriptionError, "ground cannot be removed", "Remove the joints"),
    "remove unknown": (lambda m: m.remove("hing"), NamingError, "no component named 'hing'", "Did you mean 'hinge'?"),
    "remove a body in use": (
        lambda m: m.remove("crank"),
        *(DescriptionError, "'crank' cannot be removed", "frame 'tip'", "joint 'hinge'", "Remove these first"),
    ),
    "remove a frame in use": (lambda m: m.remove("tip"), DescriptionError, "'tip' cannot be removed", "force 'pull'", "Remove it first"),
    "remove nothing": (lambda m: m.remove(None), DescriptionError, "by its name", "got None"),
    "rename ground": (lambda m: m.rename("ground", "earth"), DescriptionError, "ground cannot be renamed", "Name a frame"),
    "rename to a taken name": (lambda m: m.rename("crank", "block"), NamingError, "'block' is taken", "choose another"),
    "rename to ground": (lambda m: m.rename("crank", "ground"), NamingError, "'ground' is taken", "choose another"),
    "rename unknown": (lambda m: m.rename("crnk", "x"), NamingError, "no component named 'crnk'", "Did you mean 'crank'?"),
    "rename badly": (lambda m: m.rename("crank", " x"), DescriptionError, "A name must be", "' x'", "Choose another"),
    "pose of nothing": (lambda m: m.pose("crnk"), NamingError, "no body named 'crnk'", "Did you mean 'crank'?"),
    "twist of nothing": (lambda m: m.twist("crnk"), NamingError, "no body named 'crnk'", "Did you mean 'crank'?"),
}

PLANAR = {
    "gravity spatial": (lambda m: setattr(m, "gravity", (0, 0, -9.81)), DescriptionError, "gravity", "2 numbers", "give two"),
    "spatial shape": (
        lambda m: m.add_body("new", rod((0, 0, 0), (1, 0, 0), mass=1)),
        *(DescriptionError, "body 'new'", "3-vectors", "planar", "Give 2 numbers"),
    ),
    "orientation quaternion": (
        lambda m: m.add_body("new", sphere(1, mass=1), orientation=(1, 0, 0, 0)),
        *(DescriptionError, "body 'new'", "angle in radians", "planar", "(1, 0, 0, 0)"),
    ),
    "orientation nan": (
        lambda m: m.add_body("new", sphere(1, mass=1), orientation=NAN),
        *(DescriptionError, "body 'new'", "orientation", "finite", "nan", "Check"),
    ),
    "angular velocity vector": (
        lambda m: m.add_body("new", sphere(1, mass=1), angular_velocity=(0, 0, 1)),
        *(DescriptionError, "body 'new'", "angular velocity", "a number", "(0, 0, 1)", "Give"),
    ),
    "velocity spatial": (
        lambda m: m.add_body("new", sphere(1, mass=1), velocity=(0, 0, 1)),
        *(DescriptionError, "body 'new'", "the velocity", "2 numbers", "(0, 0, 1)", "give two"),
    ),
    "coordinates spatial": (
        lambda m: m.add_body("new", sphere(1, mass=1), coordinates="spatial"),
        *(DescriptionError, "body 'new'", "'spatial'", "planar", "Use one of", "bar"),
    ),
    "spatial joint": (
        lambda m: m.add_joint("new", Revolute(), "crank", "block", (1, 0)),
        *(DescriptionError, "joint 'new'", "Revolute", "spatial", "this one is planar", "Pin"),
    ),
    "joint place spatial": (
        lambda m: m.add_joint("new", Pin(), "crank", "block", (1, 0, 0)),
        *(DescriptionError, "joint 'new'", "at must be 2 numbers", "give two"),
    ),
    "joint axes spatial": (
        lambda m: m.add_joint("new", Slider(), "crank", "block", (1, 0), axes_a=(1, 0, 0, 0)),
        *(DescriptionError, "joint 'new'", "axes_a", "angle in radians", "(1, 0, 0, 0)"),
    ),
    "direction zero": (
        lambda m: m.add_joint("new", Slider(direction=(0, 0)), "crank", "block", (1, 0)),
        *(DescriptionError, "joint 'new'", "direction", "zero vector", "Give a direction"),
    ),
    "direction nan": (
        lambda m: m.add_joint("new", Slider(direction=NAN), "crank", "block", (1, 0)),
        *(DescriptionError, "joint 'new'", "direction", "finite", "nan", "Check"),
    ),
    "direction out of the plane": (
        lambda m: m.add_joint("new", Slider(direction="z"), "crank", "block", (1, 0)),
        *(DescriptionError, "joint 'new'", "direction", "'x', 'y', '-x', '-y', an angle", "'z'"),
    ),
    "direction truth value": (
        lambda m: m.add_joint("new", Slider(direction=True), "crank", "block", (1, 0)),
        *(DescriptionError, "joint 'new'", "direction", "2 numbers", "True"),
    ),
    "frame spatial": (
        lambda m: m.add_frame("new", "crank", local=(0, 0, 0)),
        *(DescriptionError, "frame 'new'", "2 numbers", "(0, 0, 0)", "give two"),
    ),
    "force components": (
        lambda m: m.add_force("new", PointForce(force=(1, 2, 3)), "tip"),
        *(DescriptionError, "force 'new'", "planar", "3 components", "Give 2"),
    ),
    "inertia zero": (
        lambda m: m.add_body("new", rigid(1.0, (0, 0), 0.0)),
        *(DescriptionError, "explicit", "inertia", "positive", "0", "Give inertia > 0"),
    ),
}


@pytest.mark.parametrize("case", SPATIAL)
def test_spatial(case):
    action, error, *fragments = SPATIAL[case]
    refused(spatial(), action, error, *fragments)


@pytest.mark.parametrize("case", PLANAR)
def test_planar(case):
    action, error, *fragments = PLANAR[case]
    refused(planar(), action, error, *fragments)


@pytest.mark.parametrize("name", ["", " x", "x ", "a\nb", "tab\there", "\x00", "\ud800", 5, None, ("a",), b"a", "x" * 201], ids=ascii)
def test_bad_names(name):
    refused(
        spatial(), lambda m: m.add_body(name, sphere(1, mass=1)), DescriptionError, "A name must be", "1 to 200", "got", "Choose another"
    )
    refused(spatial(), lambda m: m.add_frame(name, "crank", local=(0, 0, 0)), DescriptionError, "A name must be")
    refused(spatial(), lambda m: m.add_joint(name, Fixed(), "crank", "block", (0, 0, 0)), DescriptionError, "A name must be")
    refused(spatial(), lambda m: m.add_force(name, Spring(), "tip", "block"), DescriptionError, "A name must be")


@pytest.mark.parametrize(
    ("arguments", "fragments"),
    [
        ({"gravity": (0, 0, NAN)}, ("gravity", "finite", "nan")),
        ({"gravity": (0, -9.81)}, ("gravity", "3 numbers", "give three")),
        ({"gravity": (0, 0, -9.81), "plane": "xy"}, ("gravity", "2 numbers", "give two")),
        ({"plane": "yx"}, ("plane", "'xy', 'xz', 'yz'", "'yx'")),
        ({"plane": ["xy"]}, ("plane", "'xy', 'xz', 'yz'", "['xy']")),
        ({"name": 5}, ("name", "string", "5")),
    ],
)
def test_mechanism_itself(arguments, fragments):
    with pytest.raises(DescriptionError) as caught:
        Mechanism(**arguments)
    assert all(fragment in str(caught.value) for fragment in fragments), str(caught.value)


FUNCTIONS = {
    "constant": (lambda bad: Constant(value=bad), "value of a constant"),
    "coefficient": (lambda bad: Polynomial(coefficients=(0.0, bad)), "coefficient"),
    "amplitude": (lambda bad: Harmonic(amplitude=bad, frequency=1.0), "amplitude"),
    "frequency": (lambda bad: Harmonic(amplitude=1.0, frequency=bad), "frequency"),
    "phase": (lambda bad: Harmonic(amplitude=1.0, frequency=1.0, phase=bad), "phase"),
    "offset": (lambda bad: Harmonic(amplitude=1.0, frequency=1.0, offset=bad), "offset"),
    "table x": (lambda bad: Table(x=(0.0, bad), y=(0.0, 1.0)), "x of a table"),
    "table y": (lambda bad: Table(x=(0.0, 1.0), y=(0.0, bad)), "y of a table"),
    "table of arrays": (lambda bad: as_function((np.arange(2.0), [0.0, bad]), "f"), "y of a table"),
}


@pytest.mark.parametrize("bad", [NAN, INF, "1", None, True, 10**400], ids=["nan", "inf", "text", "none", "truth", "huge"])
@pytest.mark.parametrize("place", FUNCTIONS)
def test_numbers_of_functions(place, bad):
    make, which = FUNCTIONS[place]
    with pytest.raises(DescriptionError, match=which) as caught:
        make(bad)
    assert ("finite" if bad in (INF, 10**400) or bad != bad else "a number") in str(caught.value)


@pytest.mark.parametrize(
    ("make", "fragments"),
    [
        (lambda: Table(x=(0.0,), y=(1.0,)), ("table", "at least two", "1 and 1")),
        (lambda: Table(x=(0.0, 1.0), y=(1.0,)), ("as many x as y", "2 and 1")),
        (lambda: Table(x=(1.0, 1.0), y=(1.0, 2.0)), ("increase strictly", "remove duplicates")),
        (lambda: Table(x=(0.0, 1.0), y=(1.0, 2.0), method="spline"), ("'monotone' or 'linear'", "'spline'")),
        (lambda: Table(x="01", y=(1.0, 2.0)), ("x of a table", "list of numbers", "'01'")),
        (lambda: Polynomial(coefficients=()), ("at least one coefficient", "got none")),
        (lambda: Function(5), ("callable", "5")),
        (lambda: as_function("sin", "the torque"), ("the torque", "a number", "'sin'")),
        (lambda: as_function(True, "the torque"), ("the torque", "True")),
        (lambda: as_function({"type": "harmonc"}, "the torque"), ("the torque", "harmonc")),
        (lambda: as_function({"type": "constant", "value": NAN}, "the torque"), ("the torque", "finite", "nan")),
    ],
)
def test_functions(make, fragments):
    with pytest.raises(DescriptionError) as caught:
        make()
    assert all(fragment in str(caught.value) for fragment in fragments), str(caught.value)


@pytest.mark.parametrize(
    "bad", [10**5000, [10**5000, 0, 0], "x" * 100_000, np.full(1000, NAN), {"x": 1}, object()], ids=lambda b: type(b).__name__
)
def test_messages_stay_short(bad):
    refused(spatial(), lambda m: m.add_body("new", sphere(1, mass=1), position=bad), DescriptionError, "body 'new'", "position")
