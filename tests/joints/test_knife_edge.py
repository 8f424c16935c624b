"""Knife edge on an incline: the cycloid, with every integrator and in all coordinates."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError

MASS, SPIN, SLOPE = 2.0, 2.0, 3.0  # kg, rad/s, g sin α in m/s²


def stabilised(formulation):
    """A slow stabilisation, where there is one: ω h must be small for the method to be in its asymptotic range."""
    return {} if formulation in ("projected", "index3") else {"omega": 10.0}


def cycloid(t):
    """Path of a skate on an incline, (n, 2): x down the slope, y across.

    The blade passes through the centre of mass and points down the slope at first; the skate spins at ω and starts without velocity.
    The reaction N acts at the centre and across the blade: it has no moment, so θ = ω t, and does not push along the blade: there
    u̇ = g sin α cos θ, u = (g sin α/ω) sin ωt. Then ẋ = u cos θ, ẏ = u sin θ give

        x = (g sin α/4ω²)(1 − cos 2ωt),   y = (g sin α/4ω²)(2ωt − sin 2ωt).

    The skate does not go down but across the slope, on a cycloid (Neimark & Fufaev, *Dynamics of Nonholonomic Systems*, AMS 1972).
    Across the blade: m ω u = N − m g sin α sin θ, so N = 2 m g sin α sin ωt.
    """
    return SLOPE / (4 * SPIN**2) * np.column_stack([1 - np.cos(2 * SPIN * t), 2 * SPIN * t - np.sin(2 * SPIN * t)])


def planar_skate(coordinates="planar", blade=None):
    m = bl.Mechanism(plane="xy", gravity=(SLOPE, 0))
    m.add_body("skate", bl.rigid(MASS, (0, 0), 0.3), angular_velocity=SPIN, velocity=(0, 0), coordinates=coordinates)
    m.add_joint("blade", bl.KnifeEdge() if blade is None else blade, m.ground, "skate", at=(0, 0))
    return m


def spatial_skate(coordinates="spatial"):
    """The same on three feet; the plane has the normal y."""
    m = bl.Mechanism(gravity=(SLOPE, -9.0, 0))
    m.add_body(
        "skate", bl.rigid(MASS, (0, 0, 0), (0.2, 0.3, 0.25)), angular_velocity=(0, -SPIN, 0), velocity=(0, 0, 0), coordinates=coordinates
    )
    m.add_joint("blade", bl.KnifeEdge(axis="x", normal="y"), m.ground, "skate", at=(0, 0, 0))
    for i, place in enumerate([(0.2, 0, 0), (-0.1, 0, 0.2), (-0.1, 0, -0.2)]):
        m.add_joint(f"foot {i}", bl.PointOnPlane(axis="y"), m.ground, "skate", at=place)
    return m


@pytest.mark.parametrize("coordinates", ["planar", "bar"])
def test_cycloid_in_the_plane(coordinates):
    run = planar_skate(coordinates).simulate(10.0)
    np.testing.assert_allclose(run["skate"].position, cycloid(run.time), atol=1e-7)  # measured: 4e-9 of 3.75 m
    np.testing.assert_allclose(run["blade"].multipliers[:, 0], 2 * MASS * SLOPE * np.sin(SPIN * run.time), atol=1e-7)
    assert run.velocity_violation.max() < 1e-12
    assert np.abs(run.energy.error).max() < 1e-7


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
def test_cycloid_in_space(coordinates):
    m = spatial_skate(coordinates)
    report = m.report()
    assert (report.degrees_of_freedom, report.nonholonomic) == (2, 1)
    run = m.simulate(5.0)
    x, across = cycloid(run.time).T  # turning about −y, the skate goes towards +z
    np.testing.assert_allclose(run["skate"].position, np.column_stack([x, 0 * x, across]), atol=1e-7)
    assert run.velocity_violation.max() < 1e-9
    assert np.abs(run.energy.error).max() < 1e-7


FIXED = [
    ("rk4", "projected", 4),
    ("rk4", "baumgarte", 4),
    ("rk4", "augmented", 4),
    *((integrator, f, 2) for integrator in ("newmark", "hht", "generalized-alpha") for f in ("index3", "baumgarte", "augmented")),
]


@pytest.mark.parametrize(("integrator", "formulation", "order"), FIXED)
def test_order_of_fixed_step_methods(integrator, formulation, order):
    """Held velocities are exact; stabilised ones drift by what the method leaves out."""
    errors = []
    for step in (2e-2, 1e-2) if order == 4 else (4e-3, 2e-3):
        run = planar_skate().simulate(4.0, bl.Central(formulation, integrator=integrator, step=step, **stabilised(formulation)))
        errors.append(np.abs(run["skate"].position - cycloid(run.time)).max())
    assert math.log2(errors[0] / errors[1]) > 0.95 * order
    held = formulation in ("projected", "index3")
    assert run.velocity_violation.max() < (1e-12 if held else 2e-6)
    assert np.abs(run.energy.error).max() < 2e-5


@pytest.mark.parametrize("integrator", ["adaptive", "RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"])
def test_adaptive_methods_follow_their_tolerance(integrator):
    run = planar_skate().simulate(2.0, bl.Central(integrator=integrator, rtol=1e-7, atol=1e-9))
    assert np.abs(run["skate"].position - cycloid(run.time)).max() < 1e-4  # a thousand steps, each a tolerance off
    assert run.velocity_violation.max() < 1e-9


def test_the_blade_belongs_to_b():
    """A blade along the skate's y axis starts across the slope: θ = ωt + π/2, u̇ = g sin α cos θ, so u = (g sin α/ω)(sin θ − 1)."""
    m = planar_skate(blade=bl.KnifeEdge(axis="y"))
    run = m.simulate(3.0)
    heading = SPIN * run.time + math.pi / 2
    u = SLOPE / SPIN * (np.sin(heading) - 1)
    expected = u[:, None] * np.column_stack([np.cos(heading), np.sin(heading)])
    np.testing.assert_allclose(run["skate"].velocity, expected, atol=1e-7)


def test_relative_to_a_body_that_moves():
    """On a raft that is carried along at constant velocity, the skate glides as on the ground."""
    drift = np.array([0.4, -0.3])
    m = bl.Mechanism(plane="xy", gravity=(SLOPE, 0))
    m.add_body("raft", bl.box((2, 2), mass=5.0), velocity=drift)
    path = tuple(bl.Polynomial(coefficients=(0, v)) for v in drift)
    m.add_joint("current", bl.ImposedBody(position=path), m.ground, "raft", at=(0, 0))
    m.add_body("skate", bl.rigid(MASS, (0, 0), 0.3), angular_velocity=SPIN, velocity=drift)
    m.add_joint("blade", bl.KnifeEdge(), "raft", "skate", at=(0, 0))
    run = m.simulate(3.0)
    np.testing.assert_allclose(run["skate"].position, cycloid(run.time) + run.time[:, None] * drift, atol=1e-7)
    assert np.abs(run.energy.error).max() < 1e-7


@pytest.mark.parametrize(
    ("plane", "kind", "message"),
    [
        (
            "xy",
            bl.KnifeEdge(axis=(0.0, 0.0)),
            r"joint 'blade': the axis must not be the zero vector, got \(0\.0, 0\.0\)\. Give a direction",
        ),
        ("xy", bl.KnifeEdge(axis="z"), r"joint 'blade': the axis must be 'x', 'y', '-x', '-y', an angle"),
        (None, bl.KnifeEdge(axis=0.3), r"joint 'blade': the axis must be 3 numbers, got 0\.3"),
        (None, bl.KnifeEdge(normal=(0, 0, 0)), r"joint 'blade': the normal must not be the zero vector"),
        (None, bl.KnifeEdge(axis="z"), r"joint 'blade': the blade stands upright .* must not be parallel, got"),
    ],
)
def test_what_is_no_knife_edge(plane, kind, message):
    m = bl.Mechanism(plane=plane)
    m.add_body("skate", bl.rigid(1.0, (0, 0), 0.1) if plane else bl.sphere(0.1, mass=1.0))
    with pytest.raises(DescriptionError, match=message):
        m.add_joint("blade", kind, m.ground, "skate", at=(0.0,) * m.dim)
        m.simulate(1.0)
