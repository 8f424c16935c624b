"""What it costs to be general: the engine beside a program that was written for planar bodies and pins and knows nothing else.

Both take the same steps: RK4 on bodies' coordinates, accelerations from the quasi-definite matrix (M Jᵀ; J −μ), projection of positions and
velocities after every step, five factorisations or a little more. A chain of n links, 1 m in all, falls: the answers are the same to
rounding. N four-bar linkages in a row turn over for ten seconds, through positions where J loses rank. There the matrix keeps its rank by μ
alone, which the engine scales by the mass an equation sees and iterates until it does not matter, while the special program always
iterates twice; what that leaves is less than the error of the steps, 10⁻⁶ m.
"""

from __future__ import annotations

import numpy as np

import bielle as bl

from ..examples import n_four_bar
from ._bielle import end_of, stepping
from ._workload import Case, Job, Pair, Program, Workload
from .planar_chain import MASS, chain

LONGER = 1.5  # times as long as the special program the engine may take


def engine(mechanism: str, n: int, step: float, duration: float) -> Job:
    """bielle: kernels per kind, called through their addresses, and blocks in the matrix."""
    m = chain(n) if mechanism == "chain" else n_four_bar.build(n)
    end = end_of(f"link{n - 1}", (0.5 / n, 0.0)) if mechanism == "chain" else end_of("upright 0", (0.5, 0.0))
    return stepping(m, bl.Central(integrator="rk4", step=step), duration, end)


def special(mechanism: str, n: int, step: float, duration: float) -> Job:
    """Scalars in the matrix, pins written out."""
    from ._pins_only import PinSystem

    masses, inertias, rows, q, v, point = (_chain if mechanism == "chain" else _four_bars)(n)
    system, (body, x, y) = PinSystem(masses, inertias, rows), point

    def end() -> np.ndarray:
        px, py, angle = q[3 * body : 3 * body + 3]
        c, s = np.cos(angle), np.sin(angle)
        return np.array([px + c * x - s * y, py + s * x + c * y])

    return Job(lambda: system.run(q, v, step, round(duration / step)), end)


def _chain(n: int) -> tuple:
    length = 1 / n
    q = np.zeros(3 * n)
    q[0::3] = (np.arange(n) + 0.5) * length
    rows = [(i - 1, length / 2 if i else 0.0, 0.0, i, -length / 2, 0.0) for i in range(n)]
    return np.full(n, MASS), np.full(n, MASS * length**2 / 12), rows, q, np.zeros(3 * n), (n - 1, length / 2, 0.0)


def _four_bars(n: int) -> tuple:
    """Uprights first; their angles are from the upright position."""
    bars, levels = 2 * n + 1, np.arange(n)
    q, v = np.zeros((bars, 3)), np.zeros((bars, 3))
    q[: n + 1, 0], q[: n + 1, 1], v[: n + 1] = np.arange(n + 1), 0.5, (0.5, 0, -1)
    q[n + 1 :, 0], q[n + 1 :, 1], v[n + 1 :] = levels + 0.5, 1, (1, 0, 0)
    rows: list[tuple[float, ...]] = [(-1, i, 0, i, 0, -0.5) for i in range(n + 1)]
    for i in range(n):
        rows += [(i, 0, 0.5, n + 1 + i, -0.5, 0), (i + 1, 0, 0.5, n + 1 + i, 0.5, 0)]
    return np.ones(bars), np.full(bars, 1 / 12), rows, q.reshape(-1), v.reshape(-1), (0, 0.0, 0.5)


def _case(mechanism: str, n: int, step: float, duration: float, quick: bool = False) -> Case:
    return Case({"mechanism": mechanism, "n": n, "step": step, "duration": duration}, round(duration / step), rounds=9, quick=quick)


CASES = {
    "four-bar 2": _case("four-bar", 2, 1e-2, 10.0, quick=True),
    "four-bar 40": _case("four-bar", 40, 1e-2, 10.0),
    "chain 2": _case("chain", 2, 1e-3, 4.0),
    "chain 10": _case("chain", 10, 1e-3, 1.0, quick=True),
    "chain 100": _case("chain", 100, 1e-3, 0.2),
}

WORKLOAD = Workload(
    title="A special program",
    about="RK4 with projection in the same steps: the general engine beside a program for planar pins only.",
    cases=CASES,
    programs=(Program("engine", engine), Program("pins only", special)),
    pairs=(Pair("engine", "pins only", goals=dict.fromkeys(CASES, 1 / LONGER)),),
    error="difference [m]",
    unit="step",
)
