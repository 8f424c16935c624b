"""Mechanisms with loops."""

import numpy as np

import bielle as bl


def four_bar():
    """Planar, crank on the left."""
    m = bl.Mechanism(plane="xy", gravity=(0, -9.81))
    points = [(0.0, 0.0), (0.0, 0.8), (1.5, 1.4), (2.5, 0.0)]
    for k, name in enumerate(("crank", "coupler", "rocker")):
        m.add_body(name, bl.rod(points[k], points[k + 1], mass=1.0 + k))
    m.add_joint("crank pin", bl.Pin(), m.ground, "crank", at=points[0])
    m.add_joint("knee", bl.Pin(), "crank", "coupler", at=points[1])
    m.add_joint("elbow", bl.Pin(), "coupler", "rocker", at=points[2])
    m.add_joint("rocker pin", bl.Pin(), "rocker", m.ground, at=points[3])
    return m


def spatial_four_bar():
    """Two revolute joints with skew axes, a spherical and a universal one."""
    m = bl.Mechanism(gravity=(0.5, 0.0, -9.81))
    a, b, c, d = (np.array(x) for x in ((0.0, 0.0, 0.0), (0.0, 0.3, 0.2), (1.0, 0.8, 0.6), (1.2, 0.0, 0.0)))
    m.add_body("crank", bl.rod(a, b, mass=1.0, radius=0.03))
    m.add_body("coupler", bl.rod(b, c, mass=2.0, radius=0.03))
    m.add_body("rocker", bl.rod(c, d, mass=1.5, radius=0.03))
    m.add_joint("crank pin", bl.Revolute(axis="x"), m.ground, "crank", at=a)
    m.add_joint("ball", bl.Spherical(), "crank", "coupler", at=b)
    m.add_joint("cross", bl.Universal(axis_a="x", axis_b="y"), "coupler", "rocker", at=c)
    m.add_joint("rocker pin", bl.Revolute(axis=(0.0, 1.0, 0.3)), m.ground, "rocker", at=d)
    return m


def bricard():
    """Six links in a ring: a loop with five equations and five of them redundant but one."""
    from bielle.examples import get

    return get("bricard").build()


def stewart_platform(spin=(0.0, 0.0, 0.0)):
    """Six legs of two parts that slide in each other, between universal and spherical joints, and springs in them."""
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    m.add_body("platform", bl.box((0.8, 0.8, 0.1), mass=10.0), position=(0, 0, 1.0), angular_velocity=spin)
    for k in range(6):
        side = 1 if k % 2 else -1
        a, b = np.pi / 3 * (k // 2 * 2) + 0.2 * side, np.pi / 3 * (k // 2 * 2) + (np.pi / 3 - 0.2) * side
        foot, head = np.array([np.cos(a), np.sin(a), 0.0]), np.array([0.4 * np.cos(b), 0.4 * np.sin(b), 1.0])
        middle, along = 0.5 * (foot + head), (head - foot) / np.linalg.norm(head - foot)
        across = np.cross(along, [0, 0, 1.0]) / np.linalg.norm(np.cross(along, [0, 0, 1.0]))
        m.add_body(f"lower {k}", bl.rod(foot, middle, mass=1.0, radius=0.03))
        m.add_body(f"upper {k}", bl.rod(middle, head, mass=0.5, radius=0.02))
        m.add_joint(f"foot {k}", bl.Universal(axis_a=across, axis_b=np.cross(along, across)), m.ground, f"lower {k}", at=foot)
        m.add_joint(f"slide {k}", bl.Prismatic(axis=along), f"lower {k}", f"upper {k}", at=middle)
        m.add_joint(f"head {k}", bl.Spherical(), f"upper {k}", "platform", at=head)
        spring = bl.Spring(stiffness=4e3, damping=50.0, length=float(np.linalg.norm(head - foot)))
        m.add_force(f"spring {k}", spring, m.ground, "platform", at_a=foot, at_b=head - np.array([0, 0, 1.0]))
    return m


def ladder(n):
    """n windows of a planar four-bar ladder."""
    from bielle.examples import get

    return get("n_four_bar").build(n)
