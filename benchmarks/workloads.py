"""The mechanisms that are measured, built with the public interface."""

import numpy as np

import bielle as bl

FOUR_BAR_REFERENCE = {2: (0.328458111536, 0.944518538180), 40: (0.180512226684, 0.983572740583)}  # B0 at 10 s, one-degree-of-freedom ODE


def n_four_bar(n):
    """IFToMM benchmark A02: 2n + 1 uniform bars of 1 kg and 1 m, starting upright with the tops at 1 m/s."""
    m = bl.Mechanism(plane="xy", name=f"{n}-four-bar")
    for i in range(n + 1):
        m.add_body(f"v{i}", bl.rod((i, 0), (i, 1), mass=1.0), velocity=(0.5, 0), angular_velocity=-1.0)
        m.add_joint(f"foot{i}", bl.Pin(), m.ground, f"v{i}", at=(i, 0))
    for i in range(n):
        m.add_body(f"h{i}", bl.rod((i, 1), (i + 1, 1), mass=1.0), velocity=(1, 0))
        m.add_joint(f"left{i}", bl.Pin(), f"v{i}", f"h{i}", at=(i, 1))
        m.add_joint(f"right{i}", bl.Pin(), f"v{i + 1}", f"h{i}", at=(i + 1, 1))
    return m


def planar_chain(n):
    """n links of 0.01 kg, total length 1 m, horizontal at rest."""
    length = 1 / n
    m = bl.Mechanism(plane="xy", name=f"chain {n}")
    for i in range(n):
        m.add_body(f"link{i}", bl.rod((i * length, 0), ((i + 1) * length, 0), mass=0.01))
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", at=(i * length, 0))
    return m


def long_chain(n):
    """n links of 1 kg and 1 m, horizontal at rest."""
    m = bl.Mechanism(plane="xy", gravity=(0, -9.81), name=f"long chain {n}")
    for i in range(n):
        m.add_body(f"link{i}", bl.rigid(1.0, (0, 0), 1 / 12), position=(i + 0.5, 0))
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", at=(i, 0))
    return m


def wired_chain(n):
    """The same, every third link on a wire of its own: loops that have the whole chain in common."""
    m = long_chain(n)
    for i in range(2, n, 3):
        m.add_joint(f"wire{i}", bl.Distance(), m.ground, f"link{i}", at_a=(i + 0.7, 2), at_b=(0.5, 0))
    return m


def spatial_chain(n):
    """n links of 0.1 m and 0.1 kg along x; joints revolute, universal, spherical in turn; 0.02 N sideways at the last centre."""
    mass, length = 0.1, 0.1
    transverse = mass * length**2 / 12
    m = bl.Mechanism(gravity=(0, 0, -9.81), name=f"spatial chain {n}")
    kinds = (bl.Revolute(axis="y"), bl.Universal(axis_a="y", axis_b="z"), bl.Spherical())
    for i in range(n):
        link = bl.rigid(mass, (0, 0, 0), (1e-5, transverse, transverse))
        m.add_body(f"link{i}", link, position=((i + 0.5) * length, 0, 0))
        m.add_joint(f"joint{i}", kinds[i % 3], f"link{i - 1}" if i else m.ground, f"link{i}", at=(i * length, 0, 0))
    m.add_force("side", bl.PointForce(force=(0.0, 0.02, 0.0)), f"link{n - 1}", at=((n - 0.5) * length, 0, 0))
    return m


def tip(run, body, local):
    """Trajectory of a point."""
    return run[body].point(local).position


def slider_crank(speed=2.0):
    """Two rods of 1 m, the end of the second on the line y = 0: passes folded and stretched positions, where rank is lost."""
    m = bl.Mechanism(plane="xy", name="slider-crank")
    a = np.pi / 4
    c, s = np.cos(a), np.sin(a)
    crank = bl.rigid(1.5, (1 / 3, 0), 1 / 3)
    rod = bl.rigid(1.5, (2 / 3, 0), 1 / 3)
    m.add_body("crank", crank, orientation=a, angular_velocity=speed)
    m.add_body("rod", rod, position=(c, s), orientation=-a, velocity=(-speed * s, speed * c), angular_velocity=-speed)
    m.add_joint("pivot", bl.Pin(), m.ground, "crank", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "crank", "rod", at=(c, s))
    m.add_joint("slot", bl.PinInSlot(direction="x"), m.ground, "rod", at_a=(0, 0), at_b=(1, 0))
    return m


def parallelogram(cranks=3, angle=0.3, speed=8.0):
    """Parallel cranks on one coupler, one of them redundant, turning through the flat position."""
    m = bl.Mechanism(plane="xy", name="parallelogram")
    c, s = np.cos(angle), np.sin(angle)
    for i in range(cranks):
        m.add_body(f"crank{i}", bl.rod((i, 0), (i + c, s), mass=1.0), velocity=(-0.5 * speed * s, 0.5 * speed * c), angular_velocity=speed)
        m.add_joint(f"foot{i}", bl.Pin(), m.ground, f"crank{i}", at=(i, 0))
    m.add_body("coupler", bl.rod((c, s), (cranks - 1 + c, s), mass=1.0), velocity=(-speed * s, speed * c))
    for i in range(cranks):
        m.add_joint(f"head{i}", bl.Pin(), f"crank{i}", "coupler", at=(i + c, s))
    return m
