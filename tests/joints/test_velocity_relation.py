"""Velocity relations of the user's own: as a knife edge, as a drive, in files, and what they refuse."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import CallbackError, DescriptionError, FileError

SPIN, SLOPE, MASS = 2.0, 3.0, 2.0


def across(x):
    """Ψ of a knife edge along the direction of b: elements P_a, P_b, t_b."""
    (tx, ty) = x[2]
    return [0.0, 0.0, -ty, tx, 0.0, 0.0]


def skate(joint):
    m = bl.Mechanism(plane="xy", gravity=(SLOPE, 0))
    m.add_body("skate", bl.rigid(MASS, (0.1, 0.05), 0.3), angular_velocity=SPIN, velocity=(0.5, 0))
    m.add_joint("blade", joint, m.ground, "skate", at=(0, 0))
    return m


@pytest.mark.parametrize("solver", [bl.Central(), bl.Central(integrator="newmark", step=2e-3)], ids=["adaptive", "newmark"])
def test_a_callable_can_be_a_knife_edge(solver):
    """The blade is not at the centre of mass, so that Ψ̇, a difference here, matters all the time."""
    run, expected = (
        skate(kind).simulate(3.0, solver) for kind in (bl.VelocityRelation(coefficients=across, directions_b=((1.0, 0.0),)), bl.KnifeEdge())
    )
    np.testing.assert_allclose(run["skate"].position, expected["skate"].position, atol=1e-8)
    np.testing.assert_allclose(run["blade"].multipliers, expected["blade"].multipliers, atol=1e-6)
    assert run.velocity_violation.max() < 1e-9
    assert np.abs(run.energy.balance - expected.energy.balance).max() < 1e-7


def test_constants_and_functions_drive():
    """ẋ = v(t) and ẏ = 2 ẋ of a free body: rows (0, 0, 1, 0) − v and (0, 0, −2, 1); the work of the drive is the gain of energy."""
    speed = bl.Harmonic(amplitude=1.0, frequency=0.5)
    relation = bl.VelocityRelation(coefficients=((0, 0, 1, 0), (0, 0, -2, 1)), offset=(bl.Harmonic(amplitude=-1.0, frequency=0.5), 0.0))
    m = bl.Mechanism(plane="xy")
    m.add_body("b", bl.rigid(MASS, (0, 0), 0.1))
    m.add_joint("drive", relation, m.ground, "b", at=(0, 0))
    assert (m.report().degrees_of_freedom, m.report().nonholonomic) == (1, 2)
    for solver, tolerance in ((bl.Central(), 1e-9), (bl.Central(integrator="generalized-alpha", step=1e-3), 1e-5)):
        run = m.simulate(1.3, solver)
        omega = 2 * math.pi * speed.frequency
        x = (1 - np.cos(omega * run.time)) / omega
        np.testing.assert_allclose(run["b"].position, np.column_stack([x, 2 * x]), atol=tolerance)
        np.testing.assert_allclose(run["b"].velocity[:, 0], np.sin(omega * run.time), atol=1e-9)
        assert abs(run.energy.drives[-1]) > 1.0
        np.testing.assert_allclose(run.energy.drives[-1], run.energy.mechanical[-1] - run.energy.mechanical[0], rtol=10 * tolerance)


def test_between_two_bodies_in_space():
    """Two blocks on one rail, geared: the second moves twice as far and the other way. m₁ẍ + 4 m₂ẍ = (m₁ − 2 m₂) g with x along gravity."""
    m = bl.Mechanism(gravity=(10.0, 0, 0))
    for name, mass in (("one", 3.0), ("two", 0.5)):
        m.add_body(name, bl.sphere(0.1, mass=mass))
        m.add_joint(f"rail {name}", bl.Prismatic(), m.ground, name, at=(0, 0, 0))
    m.add_joint("gear", bl.VelocityRelation(coefficients=[[2.0, 0, 0, 1.0, 0, 0]]), "one", "two", at=(0, 0, 0))
    run = m.simulate(1.0)
    x = 0.5 * (3.0 - 2 * 0.5) * 10.0 / (3.0 + 4 * 0.5) * run.time**2
    np.testing.assert_allclose(run["one"].position[:, 0], x, atol=1e-9)
    np.testing.assert_allclose(run["two"].position[:, 0], -2 * x, atol=1e-9)


def test_files(tmp_path):
    constant = bl.VelocityRelation(
        coefficients=np.array([[0, 0, 1.0, 0, 0.1, 0.2]]), offset=[bl.Harmonic(amplitude=0.1, frequency=2.0)], directions_b=((1.0, 0.0),)
    )
    m = skate(constant)
    m.save(tmp_path / "relation.yaml")
    assert bl.load(tmp_path / "relation.yaml") == m
    with pytest.raises(FileError, match=r"joint 'blade': .*across.* cannot be written to a file: only data can, and no Python code"):
        skate(bl.VelocityRelation(coefficients=across, directions_b=((1.0, 0.0),))).save(tmp_path / "callable.yaml")
    data = m.to_dict()
    data["joints"]["blade"]["coefficients"] = "os.system"
    with pytest.raises(FileError, match=r"joint 'blade'.*must be rows of numbers, or a callable that gives them, got 'os\.system'"):
        bl.Mechanism.from_dict(data)


def _divides(x):
    return 1 / 0


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (_divides, r"joint 'blade': its coefficients raised ZeroDivisionError: division by zero at time 0\. Mend the function"),
        (
            lambda x: [1.0, 2.0],
            r"joint 'blade': its coefficients must be 1 × 4 finite numbers, 2 for each of the 2 elements, got \[1\.0, 2\.0\]",
        ),
        (lambda x: [math.nan] * 4, r"joint 'blade': its coefficients must be 1 × 4 finite numbers"),
        (lambda x: "north", r"joint 'blade': its coefficients must be .*got 'north' at time 0\. Mend the function, or say how many rows"),
    ],
)
def test_failures_of_a_callable(function, message):
    with pytest.raises(CallbackError, match=message):
        skate(bl.VelocityRelation(coefficients=function)).simulate(1.0)


def test_the_report_tells_of_a_callable_that_fails():
    report = skate(bl.VelocityRelation(coefficients=_divides)).report()
    assert not report.ok
    assert "joint 'blade': its coefficients raised ZeroDivisionError" in str(report)


def test_a_run_stops_where_the_callable_fails():
    def fails_later(x):
        if x[1, 0] > 0.3:
            raise RuntimeError("too far")
        return [0.0, 0.0, 0.0, 1.0]

    with pytest.raises(CallbackError, match=r"RuntimeError: too far at time 0\.\d+") as caught:
        skate(bl.VelocityRelation(coefficients=fails_later)).simulate(2.0)
    assert len(caught.value.result) > 10
    assert isinstance(caught.value.__cause__, RuntimeError)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: bl.VelocityRelation(coefficients=3.0),
            r"coefficients must be rows of numbers, or a callable .*got 3\.0\. Give a list of lists",
        ),
        (lambda: bl.VelocityRelation(coefficients=[]), r"coefficients must be rows of numbers"),
        (lambda: bl.VelocityRelation(coefficients=[1.0, 2.0]), r"coefficients must be rows of numbers"),
        (lambda: bl.VelocityRelation(coefficients=[[1.0, "x"]]), r"coefficients\[0\]\[1\] must be a number, got 'x'"),
        (lambda: bl.VelocityRelation(coefficients=[[1.0, math.inf]]), r"coefficients\[0\]\[1\] must be finite"),
        (
            lambda: bl.VelocityRelation(coefficients=[[0, 0, 1, 0]], offset=0.3),
            r"offset must be a list of functions .*got 0\.3\. Put it in",
        ),
        (lambda: bl.VelocityRelation(coefficients=[[0, 0, 1, 0]], offset=("fast",)), r"offset\[0\] must be a number, a callable"),
        (lambda: bl.VelocityRelation(coefficients=[[0, 0, 1, 0]], offset=(0, 0)), r"joint 'blade': the offset must be 1 functions.*got 2"),
        (
            lambda: bl.VelocityRelation(coefficients=[[0, 0, 1, 0]], rows=2),
            r"joint 'blade': there are 1 rows of coefficients, but rows = 2",
        ),
        (lambda: bl.VelocityRelation(coefficients=across, rows=0), r"joint 'blade': rows must be a whole number ≥ 1, got 0"),
        (lambda: bl.VelocityRelation(coefficients=[[1, 0]]), r"joint 'blade': coefficients\[0\] must be 4 numbers, 2 for each .*got 2"),
        (
            lambda: bl.VelocityRelation(coefficients=across, directions_b=((1.0, 0.0, 0.0),)),
            r"joint 'blade': directions_b\[0\] must be 2 numbers, got \(1\.0, 0\.0, 0\.0\)",
        ),
    ],
)
def test_what_is_no_relation(make, message):
    with pytest.raises(DescriptionError, match=message):
        skate(make()).simulate(1.0)
