"""What force kinds accept, and what they say about the rest."""

import numpy as np
import pytest

from bielle.errors import DescriptionError, DescriptionWarning
from bielle.forces import CallableForce, Grab, JointDamping, LinearMotor, Motor, PointForce, Spring, Torque, TorsionSpring
from bielle.joints import Cylindrical, Pin, PinInSlot, Revolute, Slider, Spherical
from bielle.mechanism.functions import Constant, Harmonic, Table
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import rigid


def planar():
    m = Mechanism(plane="xy")
    for name in ("a", "b"):
        m.add_body(name, rigid(1.0, (0.0, 0.0), 0.1))
    m.add_joint("pin", Pin(), "ground", "a", at=(0.0, 0.0))
    m.add_joint("rails", Slider(direction=(0.6, 0.8)), "ground", "b", at=(0.0, 0.0))
    m.add_joint("slot", PinInSlot(direction="y"), "a", "b", at=(0.0, 0.0))
    m.add_frame("tip", "a", local=(1.0, 0.0))
    m.add_frame("nose", "a", local=(2.0, 0.0))
    return m


def spatial():
    m = Mechanism()
    for name in ("a", "b"):
        m.add_body(name, rigid(1.0, (0.0, 0.0, 0.0), (0.1, 0.1, 0.1)))
    m.add_joint("hinge", Revolute(axis="y"), "ground", "a", at=(0.0, 0.0, 0.0))
    m.add_joint("ball", Spherical(), "a", "b", at=(0.0, 0.0, 0.0))
    m.add_joint("sleeve", Cylindrical(axis="x"), "ground", "b", at=(0.0, 0.0, 0.0))
    return m


PUSH, TURN = PointForce(force=(1.0, 2.0)), Torque(torque=(1.0, 2.0, 3.0))
FLAT = [
    (PUSH, {"a": "a", "b": "b", "at": (0, 0)}, r"force 'f': PointForce acts on one body, got 'a' and 'b'\. Give a only"),
    (PUSH, {"joint": "pin"}, r"acts on one body, got joint 'pin'"),
    (PUSH, {"a": "a"}, r"say where it acts on 'a': at=\(world point\), at_a=\(point in its own frame\), or a frame"),
    (PUSH, {"a": "ground", "at": (0, 0)}, r"would act on the ground alone, which cannot move\. Name a body"),
    (PointForce(force=(1, 2, 3)), {"a": "a", "at": (0, 0)}, r"the mechanism is planar, but the force has 3 components\. Give 2"),
    (PointForce(force=(1, 2), axes="local"), {"a": "a", "at": (0, 0)}, r"axes must be 'world' or 'body', got 'local'"),
    (TURN, {"a": "a"}, r"the mechanism is planar, but the torque has 3 components\. Give one"),
    (Torque(torque=1.0), {"a": "a", "b": "tip"}, r"must act between two bodies, got 'a' twice"),
    (Spring(stiffness=1.0), {"a": "a"}, r"Spring acts between two bodies, got only 'a'\. Give a and b \(b may be the ground\)\."),
    (
        Spring(stiffness=1.0),
        {"a": "a", "b": "b", "at": (0, 0)},
        r"a spring has two ends, but at is one place\. Give at_a and at_b .* or two frames",
    ),
    (Spring(stiffness=1.0), {"a": "a", "b": "b", "at_a": (0, 0)}, r"say where it acts on 'b'.*at_b="),
    (Spring(stiffness=1.0), {"joint": "rails"}, r"acts between points of two bodies, got joint 'rails'\. Give a and b instead"),
    (Spring(stiffness=1.0), {"a": "nose", "b": "tip"}, r"got 'a' twice"),
    (Spring(stiffness=np.inf), {"a": "a", "b": "ground", "at_a": (0, 0), "at_b": (0, 0)}, r"the stiffness must be finite"),
    (Spring(length=-1.0), {"a": "a", "b": "ground", "at_a": (0, 0), "at_b": (0, 0)}, r"the free length must not be negative, got -1\.0"),
    (Spring(stiffness=1.0, characteristic=2.0), {"a": "a", "b": "b"}, r"characteristic replaces stiffness, got both\. Leave one out"),
    (Spring(damping=1.0, damper=2.0), {"a": "a", "b": "b"}, r"damper replaces damping, got both"),
    (TorsionSpring(stiffness=1.0), {"a": "a"}, r"acts between two bodies, got only 'a'\. Give a and b \(b may be the ground\), or a joint"),
    (TorsionSpring(stiffness=1.0, axis="z"), {"joint": "pin"}, r"acts about the plane's normal\. Leave out axis"),
    (TorsionSpring(stiffness=1.0, characteristic=2.0), {"joint": "pin"}, r"characteristic replaces stiffness"),
    (TorsionSpring(damping="soft"), {"joint": "pin"}, r"the damping must be a number"),
    (Motor(control="torque"), {"joint": "pin"}, r"control must be 'position' or 'speed', got 'torque'"),
    (
        Motor(control="speed", stiffness=2.0),
        {"joint": "pin"},
        r"under speed control there is no stiffness, got 2\.0\. Give damping instead",
    ),
    (Motor(stiffness=-2.0), {"joint": "pin"}, r"the stiffness must not be negative"),
    (Motor(limit=0.0), {"joint": "pin"}, r"the limit must be positive"),
    (LinearMotor(stiffness=1.0), {"joint": "pin"}, r"joint 'pin' \(Pin\) has no axis to slide along\. Give axis="),
    (LinearMotor(stiffness=1.0), {"a": "a", "b": "b", "at": (0, 0)}, r"between two bodies needs an axis"),
    (LinearMotor(stiffness=1.0, axis=(0.0, 0.0)), {"joint": "rails"}, r"the axis must not be the zero vector"),
    (LinearMotor(stiffness=1.0, axis="x"), {"a": "a", "b": "b"}, r"say where it acts on 'a'"),
    (JointDamping(coefficient=-1.0), {"joint": "pin"}, r"the coefficient must not be negative"),
    (JointDamping(translational=1.0), {"a": "a", "b": "b"}, r"to damp translation it must know where on 'a'"),
    (CallableForce(function=3.0), {"a": "a", "at": (0, 0)}, r"the function must be callable as function\(t, view\), got 3\.0"),
    (CallableForce(function=print), {"a": "a"}, r"say where it acts on 'a'"),
]
FLAT += [
    (Grab(target=(0, 0), limit=1.0), {"a": "a", "b": "b", "at": (0, 0)}, r"Grab acts on one body, got 'a' and 'b'\. Give a only"),
    (Grab(target=(0, 0), limit=1.0), {"joint": "pin"}, r"acts on one body, got joint 'pin'"),
    (Grab(target=(0, 0), limit=1.0), {"a": "a"}, r"say where it acts on 'a'"),
    (Grab(target=(0, 0, 0), limit=1.0), {"a": "tip"}, r"the target must be 2 numbers, got \(0\.0, 0\.0, 0\.0\)\. .* give two numbers"),
    (Grab(target="up", limit=1.0), {"a": "tip"}, r"the target must be two numbers in the plane, three in space, got 'up'\. Give a point"),
    (Grab(target=3.0, limit=1.0), {"a": "tip"}, r"the target must be two numbers in the plane, three in space, got 3\.0"),
    (Grab(target=(0, np.nan), limit=1.0), {"a": "tip"}, r"the target must be finite, got"),
    (Grab(target=([1], 2), limit=1.0), {"a": "tip"}, r"the target must be 2 numbers"),
    (Grab(target=(0, 0), limit=0.0), {"a": "tip"}, r"the limit must be positive, got 0\.0\. Give a number > 0"),
    (Grab(target=(0, 0), limit=np.inf), {"a": "tip"}, r"the limit must be finite"),
    (Grab(target=(0, 0), stiffness=-1.0, limit=1.0), {"a": "tip"}, r"the stiffness must not be negative"),
    (Grab(target=(0, 0), damping=-1.0, limit=1.0), {"a": "tip"}, r"the damping must not be negative"),
]
ROUND = [
    (PUSH, {"a": "a", "at": (0, 0, 0)}, r"the mechanism is spatial, but the force has 2 components\. Give 3"),
    (Torque(torque=1.0), {"a": "a"}, r"the mechanism is spatial, but the torque has 1 component\. Give three"),
    (
        TorsionSpring(stiffness=1.0),
        {"a": "a", "b": "b"},
        r"TorsionSpring between two bodies needs an axis\. Give axis=…, or the joint it acts in",
    ),
    (Motor(stiffness=1.0), {"joint": "ball"}, r"joint 'ball' \(Spherical\) has no single axis\. Give axis="),
    (Motor(stiffness=1.0, axis=(0, 0, 0)), {"joint": "ball"}, r"the axis must not be the zero vector"),
    (Motor(stiffness=1.0, axis="up"), {"joint": "ball"}, r"the axis must be one of x, y"),
    (LinearMotor(stiffness=1.0, axis=0.3), {"a": "a", "b": "b", "at": (0, 0, 0)}, r"the axis must be 3 numbers, got 0\.3"),
    (LinearMotor(stiffness=1.0), {"joint": "ball"}, r"has no axis to slide along"),
    (Grab(target=(0, 0), limit=1.0), {"a": "a", "at": (0, 0, 0)}, r"the target must be 3 numbers, .* give three numbers"),
]


@pytest.mark.parametrize(("make", "kind", "where", "words"), [(planar, *row) for row in FLAT] + [(spatial, *row) for row in ROUND])
def test_what_is_refused(make, kind, where, words):
    m = make()
    with pytest.raises(DescriptionError, match=words) as caught:
        m.add_force("f", kind, **where)
    assert str(caught.value).startswith("force 'f': ")
    assert not m.forces


@pytest.mark.parametrize("force", [1.0, "east", (1.0,), (1.0, 2.0, 3.0, 4.0), {"x": 1.0}, None])
def test_a_point_force_has_components(force):
    with pytest.raises(DescriptionError, match=r"PointForce\.force must be two or three components"):
        PointForce(force=force)


def test_components_are_functions():
    with pytest.raises(DescriptionError, match=r"PointForce\.force\[1\] must be a number"):
        PointForce(force=(1.0, "north"))
    with pytest.raises(DescriptionError, match=r"Torque\.torque must be a number"):
        Torque(torque="strong")
    table = ([0.0, 1.0], [2.0, 3.0])
    force = PointForce(force=[1, table, {"type": "harmonic", "amplitude": 1.0, "frequency": 2.0}])
    assert force.force == (Constant(value=1.0), Table(x=(0.0, 1.0), y=(2.0, 3.0)), Harmonic(amplitude=1.0, frequency=2.0))
    assert PointForce(force=np.array([1.0, 2.0])) == PUSH
    assert Torque(torque=table).torque == Table(x=(0.0, 1.0), y=(2.0, 3.0))
    assert Torque(torque=np.array([1.0, 2.0, 3.0])) == TURN


def test_attachments_that_are_fine():
    m = planar()
    m.add_force("f1", PUSH, "tip")
    m.add_force("f2", Torque(torque=1.0), "a")
    m.add_force("f3", Torque(torque=1.0), "a", "b")
    m.add_force("f4", Torque(torque=1.0), joint="pin")
    m.add_force("f5", Spring(stiffness=1.0), "tip", "b", at_b=(0, 0))
    m.add_force("f6", TorsionSpring(stiffness=1.0), "a", "b")
    m.add_force("f7", LinearMotor(stiffness=1.0), joint="slot")
    m.add_force("f8", LinearMotor(stiffness=1.0, axis=0.3), "a", "b", at=(0, 0))
    m.add_force("f9", JointDamping(coefficient=1.0), "a", "b")
    m.add_force("f10", CallableForce(function=print), joint="pin")
    m.add_force("f11", CallableForce(function=print), "tip", "b", at_b=(0, 0))
    n = spatial()
    n.add_force("f1", Motor(stiffness=1.0), joint="hinge")
    n.add_force("f2", Motor(stiffness=1.0, axis="x"), joint="ball")
    n.add_force("f3", LinearMotor(stiffness=1.0), joint="sleeve")
    n.add_force("f4", TorsionSpring(stiffness=1.0, axis=(1, 1, 0)), "a", "b")
    assert len(m.forces) == 11
    assert len(n.forces) == 4


def test_axis_of_the_joint_is_used():
    m, n = planar(), spatial()
    m.add_force("drive", LinearMotor(stiffness=1.0), joint="rails")
    n.add_force("drive", Motor(stiffness=1.0), joint="hinge")
    a, b = m.markers(m.forces["drive"])
    t, point_a, point_b = m.forces["drive"].kind.elements(a, b, dim=2)
    np.testing.assert_allclose(t.local, [0.6, 0.8, 0.0], atol=1e-15)
    assert not t.is_point
    assert point_a.is_point
    assert (point_a.side, point_b.side) == ("a", "b")
    a, b = n.markers(n.forces["drive"])
    e1, e2, turned = n.forces["drive"].kind.elements(a, b, dim=3)
    np.testing.assert_allclose(np.cross(e1.local, e2.local), [0.0, 1.0, 0.0], atol=1e-15)
    np.testing.assert_allclose(turned.local, e1.local, atol=1e-15)


@pytest.mark.parametrize(
    ("kind", "joint", "remedy"),
    [
        (Motor(target=1.0), "pin", "stiffness or damping"),
        (Motor(), "pin", "stiffness or damping"),
        (Motor(target=2.0, control="speed"), "pin", "damping"),
        (LinearMotor(target=2.0), "rails", "stiffness or damping"),
    ],
)
def test_a_motor_that_does_nothing_is_told(kind, joint, remedy):
    """It is no error: motors are switched off that way."""
    m = planar()
    with pytest.warns(DescriptionWarning, match=rf"force 'servo': \w*Motor has neither stiffness.*does nothing. Give it {remedy}, to"):
        m.add_force("servo", kind, joint=joint)
    m.set("servo", feedforward=1.0)
