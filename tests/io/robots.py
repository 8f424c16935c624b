"""Robots as text: by hand, and at random; and their states in the order of a model."""

import numpy as np

INERTIAL = (
    '<inertial><origin xyz="{c}" rpy="{t}"/><mass value="{m}"/>'
    '<inertia ixx="{xx}" ixy="{xy}" ixz="{xz}" iyy="{yy}" iyz="{yz}" izz="{zz}"/></inertial>'
)

# everything is turned: inertials, joints, axes of any length
ARM = """<?xml version="1.0"?>
<robot name="arm">
  <material name="orange"><color rgba="1 0.4 0 1"/></material>
  <link name="base">
    <inertial><origin xyz="0 0 0.05"/><mass value="4"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.03"/></inertial>
    <visual><geometry><box size="0.3 0.3 0.1"/></geometry><material name="orange"/></visual>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="0.05 0.01 0.2" rpy="0.3 -0.2 0.5"/><mass value="2"/>
      <inertia ixx="0.03" ixy="0.001" ixz="-0.002" iyy="0.028" iyz="0.0015" izz="0.004"/>
    </inertial>
    <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.04" length="0.4"/></geometry></visual>
    <collision><origin xyz="0 0 0.2" rpy="0.1 0 0"/><geometry><sphere radius="0.3"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><origin xyz="0 0.02 0.15"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.001"/></inertial>
  </link>
  <link name="slide">
    <inertial><origin xyz="0 0 0.15" rpy="1 2 3"/><mass value="0.5"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.0015"/></inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><parent link="base"/><child link="upper"/><axis xyz="0 1 0.5"/>
    <limit lower="-1.5" upper="1.2" effort="30" velocity="2"/><dynamics damping="0.3" friction="0.7"/>
    <safety_controller k_velocity="10" k_position="15" soft_lower_limit="-2.0" soft_upper_limit="0.5"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="0 0 0.4" rpy="0 0.7 0"/><parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/>
    <limit effort="10" velocity="5"/>
  </joint>
  <joint name="out" type="prismatic">
    <origin xyz="0.1 0 0.3" rpy="0 0.7 1.2"/><parent link="lower"/><child link="slide"/><axis xyz="0 3 4"/>
    <limit lower="0" upper="0.3" effort="10" velocity="1"/><dynamics damping="2"/>
  </joint>
  <joint name="mount" type="fixed"><origin xyz="0 0 0.1" rpy="1 1 1"/><parent link="slide"/><child link="tool"/></joint>
</robot>
"""

# massless links on fixed joints before, between and after those with mass
CAMERA = """<robot name="camera">
  <link name="world"/>
  <link name="column">
    <inertial><mass value="3"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.15"/></inertial>
  </link>
  <link name="socket"/>
  <link name="head">
    <inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>
  </link>
  <link name="lens">
    <inertial><origin xyz="0 0 0.1"/><mass value="0.2"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>
  </link>
  <link name="optical"/>
  <joint name="stand" type="fixed"><origin xyz="1 0 0" rpy="0 0 0.3"/><parent link="world"/><child link="column"/></joint>
  <joint name="pan" type="continuous"><origin xyz="0 0 1"/><parent link="column"/><child link="socket"/><axis xyz="0 0 1"/></joint>
  <joint name="in socket" type="fixed"><origin xyz="0 0.1 0" rpy="0.5 0 0"/><parent link="socket"/><child link="head"/></joint>
  <joint name="screwed" type="fixed"><origin xyz="0.2 0 0" rpy="0 1 0"/><parent link="head"/><child link="lens"/></joint>
  <joint name="behind" type="fixed"><origin xyz="0 0 0.2" rpy="0 0 2"/><parent link="lens"/><child link="optical"/></joint>
</robot>
"""


def text(*numbers):
    return " ".join(repr(float(x)) for x in numbers)


def inertial(rng):
    """A physical one, at any place and in any axes: a cloud of heavy points."""
    points = rng.normal(size=(6, 3)) * 0.2
    weights = rng.uniform(0.1, 1.0, size=6)
    points -= weights @ points / weights.sum()
    I = sum(w * (p @ p * np.eye(3) - np.outer(p, p)) for w, p in zip(weights, points))
    names = {"xx": I[0, 0], "xy": I[0, 1], "xz": I[0, 2], "yy": I[1, 1], "yz": I[1, 2], "zz": I[2, 2], "m": weights.sum()}
    return INERTIAL.format(c=text(*rng.normal(size=3) * 0.3), t=text(*rng.uniform(-3, 3, 3)), **{k: text(v) for k, v in names.items()})


def random_robot(seed, count=9, root_mass=True, types=("revolute", "continuous", "prismatic", "fixed")):
    """A tree with all joints of ``types``; some links on fixed joints have no mass."""
    rng = np.random.default_rng(seed)
    links, joints = [f'<link name="l0">{inertial(rng) if root_mass else ""}</link>'], []
    for i in range(1, count):
        type = types[rng.integers(len(types))]
        massless = type == "fixed" and rng.random() < 0.5
        links.append(f'<link name="l{i}">{"" if massless else inertial(rng)}</link>')
        limit = '<limit lower="-1" upper="1" effort="3" velocity="4"/>' if type in ("revolute", "prismatic") else ""
        joints.append(
            f'<joint name="j{i}" type="{type}"><origin xyz="{text(*rng.normal(size=3))}" rpy="{text(*rng.uniform(-4, 4, 3))}"/>'
            f'<parent link="l{rng.integers(i)}"/><child link="l{i}"/><axis xyz="{text(*rng.normal(size=3))}"/>{limit}</joint>'
        )
    return f'<robot name="random {seed}">{"".join(links)}{"".join(joints)}</robot>'


def robot(body):
    """A robot with one arm on a hinge, and more."""
    return f"""<robot name="r">
<link name="base"/>
<link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/></joint>
{body}
</robot>"""
