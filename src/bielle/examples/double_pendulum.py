"""Double pendulum: two massless rods of 1 m, a mass of 1 kg at the end of each, starting at rest with one rod level and one hanging.

Each rod is a body in two-point coordinates: q = (x_A, y_A, x_B, y_B) and one internal equation |AB| = 1. A point mass shared by two bodies
is split between them, so that the mass matrices are diagonal and constant,

    M_upper = diag(1, 1, ½, ½),   M_lower = diag(½, ½, 1, 1),

the first point of the upper rod being held by the pivot. As a rigid body that is 1.5 kg with its centre at a third of the rod and the
moment of inertia of two masses m₁, m₂ at the distance ℓ, m₁m₂ℓ²/(m₁ + m₂) = ⅓ kg·m².

The reference is the textbook equation in the two angles a, b from the horizontal (unit masses and lengths),

    2 a'' + cos(a − b) b'' + sin(a − b) b'² = −2 g cos a
    cos(a − b) a'' + b'' − sin(a − b) a'² = −g cos b,

integrated to thirteen digits. Look at :func:`compare`: every formulation with every integrator it goes with, each held against the error
its own order or tolerance promises.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.errors import DescriptionError
from bielle.results.result import Result
from bielle.solvers.central import FORMULATIONS, IMPLICIT, INTEGRATORS, Central

from ._checks import Check, at_most, conserves, equals, main

TITLE = "Double pendulum with every formulation and integrator"
DURATION = 5.0
GRAVITY = 9.81
START = (0.0, -np.pi / 2, 0.0, 0.0)  # angles a, b of the rods [rad] and their rates


@explained
def build(coordinates: str = "bar", angles: tuple[float, float] = START[:2]) -> bl.Mechanism:
    """The pendulum; ``coordinates`` may also be 'planar' (x, y, θ). ``angles``: of the rods at the start, from the horizontal [rad]."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="double pendulum")
    ends = ((0.0, 0.0), (1.0, 0.0))
    elbow = (np.cos(angles[0]), np.sin(angles[0]))
    m.add_body("upper", bl.rigid(1.5, (1 / 3, 0.0), 1 / 3, points=ends), orientation=angles[0], coordinates=coordinates)
    lower = bl.rigid(1.5, (2 / 3, 0.0), 1 / 3, points=ends)
    m.add_body("lower", lower, position=elbow, orientation=angles[1], coordinates=coordinates)
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0.0, 0.0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=elbow)
    return m


def solver() -> None:
    """The default solver."""


def _rates(t: float, y: np.ndarray) -> list[float]:
    a, b, u, w = y
    c, s = np.cos(a - b), np.sin(a - b)
    f, g = -s * w * w - 2 * GRAVITY * np.cos(a), s * u * u - GRAVITY * np.cos(b)
    d = 2 - c * c
    return [u, w, (f - c * g) / d, (2 * g - c * f) / d]


@cache
def _reference():
    return solve_ivp(_rates, (0.0, DURATION), START, method="DOP853", rtol=1e-13, atol=1e-14, dense_output=True).sol


def reference(time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity (n, 2) of the lower mass."""
    a, b, u, w = _reference()(time)
    position = np.stack([np.cos(a) + np.cos(b), np.sin(a) + np.sin(b)], axis=1)
    return position, np.stack([-u * np.sin(a) - w * np.sin(b), u * np.cos(a) + w * np.cos(b)], axis=1)


def tip(result: Result) -> np.ndarray:
    """(n, 2) position of the lower mass in a run."""
    return result["lower"].point((1.0, 0.0)).position


def tip_error(result: Result) -> float:
    """Largest distance of the lower mass from where the reference has it [m]."""
    return float(np.linalg.norm(tip(result) - reference(result.time)[0], axis=1).max())


def check(result: Result) -> list[Check]:
    """The masses are where they should be, and the motion is the reference's."""
    masses = {"upper": [1.0, 1.0, 0.5, 0.5], "lower": [0.5, 0.5, 1.0, 1.0]}
    mass = max(float(np.abs(result.model.bodies[name].kind.mass() - np.diag(m)).max()) for name, m in masses.items())
    return [
        at_most("mass matrices, off diag(1, 1, ½, ½) and diag(½, ½, 1, 1) [kg]", mass, 1e-14),
        equals("degrees of freedom", result.mechanism.report().degrees_of_freedom, 2),
        at_most("tip against the reference [m]", tip_error(result), 1e-6),
        *conserves(result, violation=1e-9, energy=1e-8),
    ]


# -- all formulations and integrators


@dataclass(frozen=True)
class Row:
    """One solver: its errors over the run and what its order or tolerance lets expect."""

    solver: Central
    tip: Check
    violation: Check
    energy: Check
    order: Check | None  #: observed order of a fixed-step method


def solvers(step: float = 1e-3, rtol: float = 1e-8) -> list[Central]:
    """Every formulation with every integrator it goes with."""
    found: dict[Central, None] = {}
    for formulation in FORMULATIONS:
        for integrator in INTEGRATORS:
            fixed = integrator == "rk4" or integrator in IMPLICIT
            try:
                how = (
                    Central(formulation, integrator, step=step) if fixed else Central(formulation, integrator, rtol=rtol, atol=1e-2 * rtol)
                )
            except DescriptionError:  # index 3 goes with the implicit methods only
                continue
            found[how] = None  # the projected implicit methods are those of index 3, counted once
    return list(found)


@cache
def amplification() -> float:
    """How far one unit of error, made at some time, has moved the tip at the worst later time, on the average over when it was made.

    From Φ(t, s) = Φ(t, 0) Φ(s, 0)⁻¹, the derivative of the flow, by central differences of the reference.
    """
    times, delta = np.linspace(0.0, DURATION, 101), 1e-6

    def flow(start: np.ndarray) -> np.ndarray:
        return solve_ivp(_rates, (0.0, DURATION), start, method="DOP853", rtol=1e-12, atol=1e-13, t_eval=times).y

    sides = [(flow(np.array(START) + delta * e) - flow(np.array(START) - delta * e)) / (2 * delta) for e in np.eye(4)]
    forward = np.moveaxis(np.array(sides), [0, 1, 2], [2, 1, 0])
    back = np.linalg.inv(forward)
    a, b = _reference()(times)[:2]
    slope = np.stack([np.stack([-np.sin(a), np.cos(a)]), np.stack([-np.sin(b), np.cos(b)])]).transpose(2, 1, 0)  # ∂tip/∂(a, b)
    means = [np.linalg.norm(slope[k] @ (forward[k] @ back[: k + 1])[:, :2], ord=2, axis=(1, 2)).mean() for k in range(len(times))]
    return float(max(means))


def compare(step: float = 1e-3, rtol: float = 1e-8) -> list[Row]:
    """Run them all. What each is held against follows from what the method promises, not from what it achieves.

    Fixed steps of order p. If the error is E hᵖ and nothing else, halving the step changes the result by (1 − 2⁻ᵖ) E hᵖ. The true error is
    held against that change, times 1.5 for the terms of higher order; and the observed order, log₂ of the ratio of the two true errors,
    against p (less 0.2). p = 4 for rk4, 2 for the implicit methods.

    Adaptive. Every step adds at most rtol |y| + atol, N of them moved on by the flow: N (rtol |y| + atol) × :func:`amplification` at the
    tip. Energy is not amplified, since the flow conserves it: each step changes it by |∂E/∂y| (rtol |y| + atol).

    Violation. Where positions are projected or solved for it is that of the Newton iteration, 1e-9. Stabilised formulations are only as
    good as their positions: the residual of an equation between two points changes by at most two units per unit of error at each.
    """
    return [compare_one(how) for how in solvers(step, rtol)]


def compare_one(how: Central) -> Row:
    """One row of :func:`compare`."""
    mechanism = build()
    run = mechanism.simulate(DURATION, how, samples=501)
    error, energy, order = tip_error(run), float(np.abs(run.energy.error).max()), None
    if how.fixed_step:
        p = 4 if how.integrator == "rk4" else 2
        finer = mechanism.simulate(DURATION, replace(how, step=0.5 * float(how.step or 0.0)), samples=run.time)
        share = 1.5 / (1.0 - 2.0**-p)
        limit = share * float(np.linalg.norm(tip(run) - tip(finer), axis=1).max())
        energy_limit = share * float(np.abs(run.energy.error - finer.energy.error).max())
        slope = float(np.log2(error / tip_error(finer)))
        order = Check("observed order ≥", slope, p - 0.2, slope >= p - 0.2)
    else:
        velocity = reference(run.time)[1]
        size = float(np.abs(velocity).max())
        local = run.info["statistics"]["steps"] * (how.rtol * max(size, 1.0) + how.atol)
        limit = amplification() * local
        gradient = 2.0 * (size + GRAVITY)  # two masses of 1 kg: momentum and weight
        energy_limit = gradient * local / run.energy.scale
    held = how.formulation in ("projected", "index3")
    return Row(
        how,
        at_most("tip error [m]", error, limit),
        at_most("violation", run.violation, 1e-9 if held else 4.0 * limit),
        at_most("energy error", energy, energy_limit),
        order,
    )


if __name__ == "__main__":
    main(__name__)
