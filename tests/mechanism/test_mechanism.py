"""Editing, looking up, comparing and showing a mechanism."""

import math
from html.parser import HTMLParser

import numpy as np
import pytest

import bielle.bodies
import bielle.forces
import bielle.joints  # noqa: F401  (the kinds register themselves)
from bielle.errors import DescriptionError
from bielle.forces.motor import Motor
from bielle.forces.spring import Spring
from bielle.joints import Distance, Pin, Revolute, Slider, Spherical
from bielle.mechanism import display
from bielle.mechanism.description import Pose
from bielle.mechanism.functions import Harmonic, Polynomial, Table
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import box, rod, sphere
from bielle.mechanism.vectors import quaternion_to_matrix, rotation


def double_pendulum() -> Mechanism:
    m = Mechanism(name="double pendulum")
    m.add_body("upper", rod((0, 0, 0), (1, 0, 0), mass=1.0))
    m.add_body("lower", rod((1, 0, 0), (2, 0, 0), mass=1.0))
    m.add_frame("tip", "lower", local=(0.5, 0, 0))
    m.add_joint("shoulder", Revolute(axis="y"), "ground", "upper", at=(0, 0, 0))
    m.add_joint("elbow", Revolute(axis="y"), "upper", "lower", at=(1, 0, 0))
    m.add_force("string", Spring(stiffness=10.0), "ground", "tip", at_a=(2, 0, 1))
    return m


# -- what it is


def test_defaults():
    assert Mechanism().gravity == (0.0, 0.0, -9.81)
    assert Mechanism().plane is None
    assert not Mechanism().planar
    assert Mechanism(plane="xz").gravity == (0.0, -9.81)
    assert Mechanism(plane="xz").dim == 2
    assert Mechanism().ground == "ground"


def test_gravity_can_change_and_plane_cannot():
    m = Mechanism()
    m.gravity = np.array([1, 2, 3])
    assert m.gravity == (1.0, 2.0, 3.0)
    with pytest.raises(AttributeError):
        m.plane = "xy"


# -- bodies and frames


def test_a_rod_is_where_its_points_are():
    m = Mechanism(plane="xy")
    body = m.add_body("rod", rod((1, 1), (1, 3), mass=1.0))
    assert body.position == (1.0, 2.0)
    assert body.orientation == pytest.approx(math.pi / 2, abs=1e-15)
    assert m.add_body("moved", rod((1, 1), (1, 3), mass=1.0), position=(0, 0)).position == (0.0, 0.0)
    assert m.add_body("ball", sphere(1.0, mass=1.0)).position == (0.0, 0.0)


def test_spatial_rod_points_along_its_ends():
    m = Mechanism()
    m.add_body("rod", rod((1, 2, 3), (2, 4, 5), mass=1.0))
    ends = [m.pose("rod").point(np.array([x, 0, 0])) for x in (-1.5, 1.5)]
    np.testing.assert_allclose(ends, [(1, 2, 3), (2, 4, 5)], atol=1e-14)  # a few roundings of numbers of order one


def test_frame_by_world_point_or_local_point():
    m = Mechanism()
    m.add_body("box", box((1, 1, 1), mass=1.0), position=(1, 2, 3), orientation=(math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    by_world = m.add_frame("world", "box", (1, 3, 3))
    by_local = m.add_frame("local", "box", local=(1, 0, 0))
    np.testing.assert_allclose(by_world.position, by_local.position, atol=1e-15)
    assert by_world.orientation == (1.0, 0.0, 0.0, 0.0)


def test_orientation_from_matrix():
    m = Mechanism()
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    m.add_body("box", box((1, 1, 1), mass=1.0), orientation=turn)
    np.testing.assert_allclose(m.pose("box").rotation, turn, atol=1e-15)


def test_unit_quaternions_stay_as_written():
    m = Mechanism()
    q = m.add_body("a", box((1, 1, 1), mass=1.0), orientation=(1, 2, 3, 4)).orientation
    assert m.add_body("b", box((1, 1, 1), mass=1.0), orientation=q).orientation == q


def test_velocity_of_a_body():
    m = Mechanism(plane="xy")
    m.add_body("disc", sphere(1.0, mass=1.0), velocity=(1, 2), angular_velocity=3)
    np.testing.assert_array_equal(m.twist("disc").at(np.array([0.0, 1.0, 0.0])), (-2.0, 2.0, 0.0))
    np.testing.assert_array_equal(m.twist("ground").linear, 0.0)


# -- joints and forces


def test_components_are_given_by_name_or_handle():
    by_name, by_handle = Mechanism(), Mechanism()
    by_name.add_body("upper", rod((0, 0, 0), (1, 0, 0), mass=1.0))
    by_name.add_joint("hinge", Revolute(), "ground", "upper", (0, 0, 0))
    body = by_handle.add_body("upper", rod((0, 0, 0), (1, 0, 0), mass=1.0))
    by_handle.add_joint("hinge", Revolute(), by_handle.ground, body, (0, 0, 0))
    assert by_name == by_handle


def test_parameters_of_kinds_become_plain():
    m = Mechanism()
    m.add_body("upper", rod((0, 0, 0), (1, 0, 0), mass=1.0))
    for name, axis in (("array", np.array([0, 0, 1])), ("list", [0, 0, 1]), ("tuple", (0.0, 0.0, 1.0))):
        joint = m.add_joint(name, Revolute(axis=axis), "ground", "upper", (0, 0, 0))
        assert joint.kind == Revolute(axis=(0.0, 0.0, 1.0))
    length = m.add_joint("rod", Distance(length=np.float64(2)), "ground", "upper", at_a=(0, 0, 0), at_b=(0, 0, 0)).kind.length
    assert type(length) is float


def test_functions_become_plain():
    x = np.linspace(0.0, 1.0, 3)
    assert Table(x=x, y=x**2) == Table(x=(0.0, 0.5, 1.0), y=(0.0, 0.25, 1.0))
    assert Polynomial(coefficients=np.array([1, 2])) == Polynomial(coefficients=(1.0, 2.0))
    assert type(Harmonic(amplitude=np.float64(1), frequency=2).frequency) is float


def test_markers_of_a_joint():
    m = double_pendulum()
    a, b = m.markers(m.joints["elbow"])
    assert (a.body, b.body) == ("upper", "lower")
    np.testing.assert_allclose(a.local, (0.5, 0, 0), atol=1e-15)
    np.testing.assert_allclose(b.local, (-0.5, 0, 0), atol=1e-15)
    np.testing.assert_allclose(a.world, b.world, atol=1e-15)


def test_marker_on_a_frame():
    m = double_pendulum()
    _, b = m.markers(m.forces["string"])
    assert b.body == "lower"
    np.testing.assert_allclose(b.world, (2, 0, 0), atol=1e-15)


def turned_boxes(plane=None) -> Mechanism:
    """Two bodies, described turned."""
    m = Mechanism(plane=plane)
    m.add_body("a", box((1, 1, 1)[: m.dim], mass=1.0), position=(1, 2, 3)[: m.dim], orientation=0.3 if plane else rotation("x", 0.3))
    m.add_body("b", box((1, 1, 1)[: m.dim], mass=1.0), position=(3, 1, 2)[: m.dim], orientation=1.1 if plane else rotation("y", 1.1))
    return m


def test_axes_in_the_frames_of_the_bodies():
    m, turn = turned_boxes(), rotation((1, 2, 2), 0.4)
    matrix = quaternion_to_matrix(turn)
    here = {"at_a": (0, 0, 1), "at_b": (1, 0, 0)}
    for name, axes in (("quaternion", turn), ("matrix", matrix)):
        joint = m.add_joint(name, Revolute(axis="x"), "a", "b", **here, axes_a=axes)
        a, b = m.markers(joint)
        np.testing.assert_allclose(a.basis, matrix, atol=1e-15)
        np.testing.assert_allclose(a.direction(np.array([1.0, 0.0, 0.0])).local, matrix[:, 0], atol=1e-15)
        np.testing.assert_array_equal(a.own, np.eye(3))
        np.testing.assert_allclose(b.basis, m.pose("b").rotation.T, atol=1e-15)
        assert joint.axes_b is None
    p = turned_boxes("xy")
    _, b = p.markers(p.add_force("brake", Motor(damping=1.0), "a", "b", axes_b=0.2))
    np.testing.assert_allclose(b.basis, Pose.of((), 0.2).rotation, atol=1e-15)


def test_markers_among_bodies_that_stand_elsewhere():
    m, there = turned_boxes("xy"), {"a": Pose.of((5.0, 0.0), 2.0), "b": Pose.of((0.0, 7.0), -1.0)}
    by_world = m.add_joint("by world", Slider(), "ground", "b", at=(1, 1))
    a, b = m.markers(by_world, there.__getitem__)  # the ground is not asked for
    for marker in (a, b):
        np.testing.assert_allclose(marker.world, (1, 1, 0), atol=1e-15)
        np.testing.assert_allclose(marker.axes, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(b.local, there["b"].local(np.array([1.0, 1.0, 0.0])), atol=1e-15)
    by_body = m.add_joint("by body", Slider(), "a", "b", at_a=(1, 0), at_b=(0, 1), axes_a=0.1, axes_b=0.2)
    for side, marker, local, angle in zip("ab", m.markers(by_body, there.__getitem__), ((1, 0, 0), (0, 1, 0)), (0.1, 0.2)):
        np.testing.assert_array_equal(marker.local, local)
        np.testing.assert_allclose(marker.world, there[side].point(np.array(local)), atol=1e-15)
        np.testing.assert_allclose(marker.axes, there[side].rotation @ Pose.of((), angle).rotation, atol=1e-15)


def test_a_force_in_a_joint_stays_where_the_joint_is():
    """The joint is described by a world point; the bodies have moved on since, and the point with them."""
    m = turned_boxes("xy")
    m.add_joint("pin", Pin(), "ground", "b", at=(3.5, 1.0))
    force = m.add_force("motor", Motor(damping=1.0), joint="pin")
    there = Pose.of((0.0, 7.0), 2.1)
    (_, before), (_, now) = m.markers(force), m.markers(force, lambda name: there)
    np.testing.assert_array_equal(now.local, before.local)
    np.testing.assert_array_equal(now.basis, before.basis)
    np.testing.assert_allclose(now.world, there.point(before.local), atol=1e-15)
    np.testing.assert_allclose(now.axes, Pose.of((), 1.0).rotation, atol=1e-15)  # turned by 2.1 − 1.1 since it was described


def test_a_joint_added_where_the_bodies_are_now():
    """What a running session does: the described configuration has been left behind."""
    m, there = turned_boxes("xy"), {"a": Pose.of((5.0, 0.0), 2.0), "b": Pose.of((6.0, 0.0), 2.0 + math.pi / 2)}
    m.joints["pin"] = made = m.localised(m.add_joint("pin", Pin(), "a", "b", at=(6.0, 0.0)), there.__getitem__)
    np.testing.assert_allclose(made.at_a, (math.cos(2.0), -math.sin(2.0)), atol=1e-15)
    np.testing.assert_allclose(made.at_b, (0.0, 0.0), atol=1e-15)
    assert made.at is None
    assert made.axes_a == pytest.approx(-2.0, abs=1e-15)
    assert made.axes_b == pytest.approx(-2.0 - math.pi / 2 + 2 * math.pi, abs=1e-15)
    m.joints["rod"] = m.localised(m.add_joint("rod", Distance(), "a", "b", at_a=(0, 0), at_b=(0, 0)), there.__getitem__)
    assert m.joints["rod"].kind.length == 1.0
    m.rename("pin", "elbow")
    assert m.joints["elbow"].axes_a == made.axes_a


def test_self_contained_joints_keep_their_frames():
    m = double_pendulum()
    m.add_frame("end", "upper", local=(0.5, 0, 0))
    joint = m.add_joint("weld", Spherical(), "end", "tip")
    assert m.localised(joint) == joint
    string = m.localised(m.forces["string"])
    assert (string.b, string.at_b, string.axes_b) == ("tip", None, None)
    assert (string.at_a, string.axes_a, string.kind.length) == ((2.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), 1.0)


def test_a_joint_that_cannot_be_resolved_is_named():
    m = turned_boxes("xy")
    joint = m.add_joint("rod", Distance(), "a", "b", at=(0, 0))
    with pytest.raises(DescriptionError, match=r"^joint 'rod': A distance joint needs two points that are apart"):
        m.localised(joint)


# -- editing


def test_remove_in_order():
    m = double_pendulum()
    for name in ("string", "tip", "elbow", "lower", "shoulder", "upper"):
        m.remove(name)
    assert m == Mechanism(name="double pendulum")


def test_rename_everywhere():
    m = double_pendulum()
    m.rename("upper", "arm")
    m.rename("tip", "hand")
    m.rename(m.joints["elbow"], "knee")
    assert list(m.bodies) == ["arm", "lower"]
    assert m.bodies["arm"].name == "arm"
    assert (m.joints["knee"].a, m.joints["shoulder"].b) == ("arm", "arm")
    assert list(m.joints) == ["shoulder", "knee"]
    assert m.forces["string"].b == "hand"
    for old, new in (("arm", "upper"), ("hand", "tip"), ("knee", "elbow")):
        m.rename(old, new)
    assert m == double_pendulum()


def test_copy_is_independent():
    m = double_pendulum()
    other = m.copy()
    assert other == m
    other.remove("string")
    other.gravity = (0, 0, 0)
    assert other != m
    assert m == double_pendulum()


def test_equality():
    assert double_pendulum() == double_pendulum()
    assert double_pendulum() != "double pendulum"
    for change in (lambda m: m.rename("tip", "top"), lambda m: setattr(m, "name", "x"), lambda m: setattr(m, "gravity", (0, 0, -9.8))):
        m = double_pendulum()
        change(m)
        assert m != double_pendulum()
    with pytest.raises(TypeError):
        hash(Mechanism())


# -- showing


def test_repr():
    assert repr(double_pendulum()) == (
        "Mechanism 'double pendulum' (spatial, gravity (0, 0, -9.81) m/s²): 2 bodies, 2 joints, 1 force, 1 frame; "
        "estimated degrees of freedom: 2\n"
        "  bodies: upper, lower\n"
        "  joints: shoulder (revolute, ground → upper), elbow (revolute, upper → lower)\n"
        "  forces: string (spring, ground → tip)\n"
        "  frames: tip (on lower)"
    )
    assert repr(Mechanism(plane="xy", name="")) == (
        "Mechanism '' (planar xy, gravity (0, -9.81) m/s²): empty; estimated degrees of freedom: 0"
    )


def test_freedom_of_planar_mechanisms():
    m = Mechanism(plane="xy")
    m.add_body("crank", rod((0, 0), (1, 0), mass=1.0))
    m.add_body("rod", rod((1, 0), (3, 0), mass=1.0))
    m.add_body("piston", box((0.2, 0.2), mass=1.0), position=(3, 0))
    assert display.freedom(m) == 9
    m.add_joint("main", Pin(), "ground", "crank", (0, 0))
    m.add_joint("big", Pin(), "crank", "rod", (1, 0))
    m.add_joint("small", Pin(), "rod", "piston", (3, 0))
    m.add_joint("bore", Slider(), "ground", "piston", (3, 0))
    assert display.freedom(m) == 1


class Tags(HTMLParser):
    """Collects the tags, and checks that they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.cells.append(data)


def test_html_is_well_formed_and_complete():
    tags = Tags(double_pendulum()._repr_html_())
    assert not tags.open
    for cell in ("upper", "rod", "(0.5, 0, 0)", "spatial", "elbow", "upper → lower", "5", "string", "ground → tip", "tip"):
        assert cell in tags.cells


def test_html_escapes_every_name():
    evil = "<script>alert('&\"')</script>"
    m = Mechanism(name=evil)
    m.add_body(f"{evil}1", box((1, 1, 1), mass=1.0), color=evil)
    m.add_frame(f"{evil}2", f"{evil}1", local=(0, 0, 0))
    m.add_joint(f"{evil}3", Spherical(), "ground", f"{evil}1", (0, 0, 0))
    m.add_force(f"{evil}4", Spring(), "ground", f"{evil}2", at_a=(0, 0, 0))
    tags = Tags(m._repr_html_())
    assert tags.seen == {"div", "p", "table", "thead", "tbody", "tr", "th", "td"}
    assert f"{evil}3" in tags.cells


def test_displays_are_bounded():
    m = Mechanism(name="n" * 10_000)
    for i in range(200):
        m.add_body(f"{i}" + "x" * 190, sphere(1.0, mass=1.0))
    assert len(repr(m)) < 1000
    assert "… and 192 more" in repr(m)
    assert len(m._repr_html_()) < 20_000
    assert "… and 150 more" in m._repr_html_()
