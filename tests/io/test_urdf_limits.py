"""Stops, dry friction and planar joints: what URDF says by them, as forces and joints of a mechanism."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.io.limits import DAMPING, FREQUENCY

from .robots import ARM

# a rod of 2 kg and 0.6 m that hangs from a hinge, and a block of 3 kg on a vertical slide
TWO = """<robot name="two"><link name="base"/>
  <link name="rod"><inertial><origin xyz="0.3 0 0"/><mass value="2"/><inertia ixx="0.001" iyy="0.06" izz="0.06"/></inertial></link>
  <link name="block"><inertial><mass value="3"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
    <limit lower="-0.5" upper="0.4"/><dynamics friction="{friction}"/></joint>
  <joint name="slide" type="prismatic"><origin xyz="1 0 0"/><parent link="base"/><child link="block"/><axis xyz="0 0 1"/>
    <limit lower="-0.1" upper="0.2"/><dynamics friction="{force}"/></joint>
</robot>"""


def two(friction=0.0, force=0.0, **options):
    return bl.load_urdf(TWO.format(friction=friction, force=force), limits=True, **options)


def test_limits_act_only_if_they_are_asked_for():
    assert [*bl.load_urdf(ARM).forces] == ["shoulder damping", "out damping"]
    m = bl.load_urdf(ARM, limits=True)
    assert [*m.forces] == ["shoulder damping", "out damping", "shoulder limit", "shoulder friction", "out limit"]
    stop, slide = m.forces["shoulder limit"].kind, m.forces["out limit"].kind
    assert (type(stop), stop.lower, stop.upper) == (bl.AngleLimit, -1.5, 1.2)
    assert (type(slide), slide.lower, slide.upper) == (bl.SlideLimit, 0.0, 0.3)
    assert m.forces["shoulder friction"].kind == bl.AngleFriction(torque=0.7)


def test_stops_are_as_hard_as_what_they_hold_is_heavy():
    """J = m l²/3 of the rod about its end; m of the block."""
    omega = 2 * math.pi * FREQUENCY
    m = two()
    for name, inertia in (("hinge limit", 2 * 0.6**2 / 3), ("slide limit", 3.0)):
        kind = m.forces[name].kind
        assert kind.stiffness == pytest.approx(inertia * omega**2, rel=1e-12)
        assert kind.damping == DAMPING


def test_what_hangs_on_a_joint_counts_to_the_end():
    """The slide of the arm carries 0.5 kg; the shoulder all three links, whose inertia is that of the mass matrix."""
    m = bl.load_urdf(ARM, limits=True)
    omega = 2 * math.pi * FREQUENCY
    assert m.forces["out limit"].kind.stiffness == pytest.approx(0.5 * omega**2, rel=1e-12)
    model = m.recursive()
    _, at = model.coordinates("shoulder")
    inertia = model.crba(model.neutral())[at, at].item()
    assert m.forces["shoulder limit"].kind.stiffness == pytest.approx(inertia * omega**2, rel=1e-12)


def test_joints_come_to_rest_at_their_stops():
    """The rod falls to +0.4 rad about y and leans there, the block to −0.1 m; both are pressed in by their weight over the stiffness."""
    m = two()
    run = m.simulate(2.0)
    angle, height = run["hinge"].angle[-1], run["slide"].displacement[-1, 2]
    pressed = 2 * 9.81 * 0.3 * math.cos(0.4) / m.forces["hinge limit"].kind.stiffness
    assert angle == pytest.approx(0.4 + pressed, abs=0.1 * pressed)
    assert height == pytest.approx(-0.1 - 9.81 / (2 * math.pi * FREQUENCY) ** 2, abs=1e-4)
    assert np.abs(run["rod"].angular_velocity[-1]).max() < 1e-3


def test_friction_holds_what_is_light_enough():
    """m g l = 5.9 N·m at the hinge and m g = 29.4 N on the slide: more friction than that, and nothing falls but by creeping."""
    run = two(friction=8.0, force=40.0).simulate(0.5)
    assert abs(run["hinge"].angle[-1]) < 0.02
    assert abs(run["slide"].displacement[-1, 2]) < 0.02
    run = two(friction=1.0, force=5.0).simulate(0.2)
    assert run["slide"].displacement[-1, 2] < -0.05


def test_stops_and_friction_come_back(tmp_path):
    m = two(friction=1.5, force=2.5)
    m.save(tmp_path / "m.urdf")
    again = bl.load_urdf(tmp_path / "m.urdf", limits=True)
    assert {n: (f.joint, type(f.kind)) for n, f in again.forces.items()} == {n: (f.joint, type(f.kind)) for n, f in m.forces.items()}
    assert again.forces["hinge friction"].kind == bl.AngleFriction(torque=1.5)
    assert again.forces["slide friction"].kind == bl.SlideFriction(force=2.5)
    limits = bl.urdf_limits(tmp_path / "m.urdf")
    assert (limits["hinge"]["lower"], limits["hinge"]["upper"]) == (-0.5, 0.4)
    assert (limits["slide"]["lower"], limits["slide"]["upper"]) == (-0.1, 0.2)


PLANAR = """<robot name="puck"><link name="table"/>
  <link name="puck"><inertial><mass value="2"/><inertia ixx="0.01" iyy="0.01" izz="0.02"/></inertial></link>
  <joint name="sliding" type="planar"><origin xyz="0 0 1" rpy="0.3 0 0"/>
    <parent link="table"/><child link="puck"/><axis xyz="0 0 1"/></joint>
</robot>"""


def test_a_planar_joint_leaves_a_plane(tmp_path):
    """On an inclined table the puck slides down without turning: ½ g sin(0.3) t² along the slope."""
    m = bl.load_urdf(PLANAR)
    assert m.report().degrees_of_freedom == 3
    run = m.simulate(0.4)
    moved = run["puck"].position[-1] - run["puck"].position[0]
    s = 0.5 * 9.81 * math.sin(0.3) * 0.4**2
    assert np.abs(moved - [0, -s * math.cos(0.3), -s * math.sin(0.3)]).max() < 1e-8
    m.save(tmp_path / "m.urdf")
    again = bl.load(tmp_path / "m.urdf")
    assert type(again.joints["sliding"].kind) is type(m.joints["sliding"].kind)
    assert again.report().degrees_of_freedom == 3
