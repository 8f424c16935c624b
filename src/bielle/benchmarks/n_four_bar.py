"""The N-four-bar of the IFToMM (A02): n windows of bars fall through flat positions, where constraints depend on each other. Where is the
first top after 10 s?

The mechanism and its reference are those of :mod:`bielle.validation.n_four_bar_a02`. Programs are compared at equal errors.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ..validation import n_four_bar_a02 as published
from ._bielle import end_of, stepping
from ._workload import Case, Job, Pair, Program, Workload

TOP = end_of("upright 0", (0.5, 0.0))


def central(n: int, rtol: float) -> Job:
    """Coordinates of bodies, adaptive."""
    return stepping(published.build(n), bl.Central(rtol=rtol, atol=1e-2 * rtol), published.DURATION, TOP)


def fixed(n: int, step: float) -> Job:
    """Coordinates of bodies, RK4."""
    return stepping(published.build(n), bl.Central(integrator="rk4", step=step), published.DURATION, TOP)


def recursive(n: int, rtol: float) -> Job:
    """Joint coordinates, adaptive."""
    return stepping(published.build(n), bl.Recursive(rtol=rtol, atol=1e-2 * rtol), published.DURATION, TOP)


def in_exudyn(n: int, step: float) -> Job:
    """Coordinates of bodies, implicit. Only constraints at the level of positions pass the flat positions, and a Jacobian that is kept from
    before costs accuracy there."""
    from ._exudyn import Choices, System

    system = System((0.0, -published.GRAVITY, 0.0))
    uprights = [system.bar(1.0, 1 / 12, (i, 0.5, np.pi / 2), (0.5, 0.0, -1.0)) for i in range(n + 1)]
    for i, upright in enumerate(uprights):
        system.pin(system.point(system.ground, i), system.point(upright, -0.5))
    for i in range(n):
        level = system.bar(1.0, 1 / 12, (i + 0.5, 1.0, 0.0), (1.0, 0.0, 0.0))
        system.pin(system.point(uprights[i], 0.5), system.point(level, -0.5))
        system.pin(system.point(uprights[i + 1], 0.5), system.point(level, 0.5))
    choices = Choices("EigenDense" if n < 4 else "EigenSparse", tolerance=1e-5 if step >= 1e-3 else 1e-8)
    return system.solving(step, published.DURATION, choices, uprights[0], (0.5, 0.0, 0.0), dim=2)


def top(n: int) -> np.ndarray:
    """From the equation with one degree of freedom."""
    return published.exact(n, np.array([0.0, published.DURATION]))[:2, -1]


TOLERANCES = {f"rtol 1e-{k}": {"rtol": 10.0**-k} for k in (3, 4, 5, 6, 7, 8, 9, 10)}

WORKLOAD = Workload(
    title="N-four-bar mechanism (IFToMM A02)",
    about="n windows, 10 s through flat positions; the error is that of the first top at the end.",
    cases={"2": Case({"n": 2}, quick=True), "40": Case({"n": 40}, rounds=3)},
    programs=(
        Program("central", central, settings=TOLERANCES),
        Program("central, RK4", fixed, within=1e-4, settings={f"{h:g} s": {"step": h} for h in (5e-2, 2e-2, 1e-2, 5e-3)}),
        Program("recursive", recursive, settings=TOLERANCES),
        Program("Exudyn", in_exudyn, "exudyn", within=1e-2, settings={f"{h:g} s": {"step": h} for h in (4e-3, 2e-3, 1e-3, 5e-4)}),
    ),
    pairs=(
        Pair("central", "Exudyn", goals={"40 0.001": 20.0}),
        Pair("recursive", "Exudyn", goals={"40 0.001": 20.0}),
        Pair("central, RK4", "Exudyn"),
    ),
    reference=top,
    accuracies=(1e-2, 1e-3, 1e-4),
)
