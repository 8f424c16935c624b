"""Random mechanisms (trees and loops, every joint kind, mixed coordinates): conservation laws and independence of the description."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bielle as bl

PLANAR = [bl.Pin(), bl.Slider(direction=0.4), bl.PinInSlot(direction=(1.0, 2.0)), bl.Rigid()]
SPATIAL = [
    bl.Revolute(axis=(1, 2, 2)),
    bl.Prismatic(axis=(0, 1, 1)),
    bl.Cylindrical(axis=(1, 0, -1)),
    bl.Spherical(),
    bl.Universal(axis_a=(1, 1, 0), axis_b=(1, -1, 0)),
    bl.Fixed(),
    bl.PointOnLine(axis=(1, 1, 1)),
    bl.PointOnPlane(axis=(0, 0, 1)),
]
COORDINATES = {2: ("planar", "bar"), 3: ("spatial", "natural")}
few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@st.composite
def mechanisms(draw, decades=1.0):
    """Bodies joined to earlier ones or the ground, and up to two joints more that close loops; consistent as described.

    decades: masses are from 10⁻ᵈ to 10ᵈ kg.
    """
    dim = draw(st.sampled_from([2, 3]))
    seed = draw(st.integers(0, 10**6))
    rng = np.random.default_rng(seed)
    m = bl.Mechanism(gravity=rng.normal(size=dim) * 5, plane="xy" if dim == 2 else None)
    count = draw(st.integers(1, 6))
    names = ["ground"]
    for i in range(count):
        place = rng.normal(size=dim)
        orientation = float(rng.normal()) if dim == 2 else rng.normal(size=4)
        shape = bl.box(rng.uniform(0.2, 1.0, size=dim), mass=float(10 ** rng.uniform(-decades, decades)))
        m.add_body(f"b{i}", shape, position=place, orientation=orientation, coordinates=draw(st.sampled_from(COORDINATES[dim])))
        joint = draw(st.sampled_from(PLANAR if dim == 2 else SPATIAL))
        m.add_joint(f"j{i}", joint, draw(st.sampled_from(names)), f"b{i}", at=place + 0.3 * rng.normal(size=dim))
        names.append(f"b{i}")
    for i in range(draw(st.integers(0, 2)) if count > 1 else 0):
        a, b = sorted(rng.choice(len(names), size=2, replace=False))
        m.add_joint(f"loop{i}", bl.Distance(), names[a], names[b], at_a=0.2 * rng.normal(size=dim), at_b=0.2 * rng.normal(size=dim) + 0.5)
    return m


@few
@given(mechanisms())
def test_energy_and_constraints_are_kept(m):
    run = m.simulate(0.3, samples=31)
    assert run.violation.max() < 1e-9
    # rtol 1e-9 over a fraction of a second; stiff small bodies may collect a hundred of it. What cannot move has rounding only
    scale = run.energy.scale + 1e-6 * np.abs(run.energy.gravitational).max()
    assert np.abs(run.energy.balance).max() < 1e-7 * scale


def with_coordinates(m, kind):
    other = bl.Mechanism(gravity=m.gravity, plane=m.plane)
    for body in m.bodies.values():
        other.add_body(body.name, body.shape, position=body.position, orientation=body.orientation, coordinates=kind)
    for joint in m.joints.values():
        other.add_joint(joint.name, joint.kind, joint.a, joint.b, joint.at, at_a=joint.at_a, at_b=joint.at_b)
    return other


@few
@given(mechanisms())
def test_motion_does_not_depend_on_the_coordinates(m):
    motions = []
    for kind in COORDINATES[m.dim]:
        run = with_coordinates(m, kind).simulate(0.2, samples=3)
        motions.append(np.array([run[name].centre.position[-1] for name in m.bodies]))
    scale = 1.0 + np.abs(motions[0]).max()
    assert np.abs(motions[0] - motions[1]).max() < 1e-6 * scale


@few
@given(mechanisms(), st.integers(0, 10**6))
def test_motion_does_not_depend_on_the_order_of_description(m, seed):
    rng = np.random.default_rng(seed)
    other = bl.Mechanism(gravity=m.gravity, plane=m.plane)
    bodies, joints = list(m.bodies.values()), list(m.joints.values())
    for i in rng.permutation(len(bodies)):
        b = bodies[i]
        other.add_body(b.name, b.shape, position=b.position, orientation=b.orientation, coordinates=b.coordinates)
    for i in rng.permutation(len(joints)):
        j = joints[i]
        other.add_joint(j.name, j.kind, j.a, j.b, j.at, at_a=j.at_a, at_b=j.at_b)
    ends = []
    for each in (m, other):
        run = each.simulate(0.2, samples=2)
        ends.append(np.array([run[name].centre.position[-1] for name in m.bodies]))
    assert np.abs(ends[0] - ends[1]).max() < 1e-6 * (1.0 + np.abs(ends[0]).max())


@few
@given(mechanisms())
def test_momentum_changes_by_weight_and_ground_reactions_only(m):
    """Σ m a_G = Σ m g + Σ forces of the ground: internal reactions cancel, all others are read from the result."""
    run = m.simulate(0.05, samples=6)
    masses = {n: b.shape.mass_properties().mass for n, b in m.bodies.items()}
    inertia = sum(masses[n] * run[n].centre.acceleration for n in m.bodies)
    total = sum(masses.values()) * np.array(m.gravity) + 0.0 * inertia
    for name, joint in m.joints.items():
        if joint.a == "ground":
            total = total + run[name].force(on=joint.b)
    assert np.allclose(inertia, total, rtol=1e-6, atol=1e-6 * (1.0 + np.abs(inertia).max()))
