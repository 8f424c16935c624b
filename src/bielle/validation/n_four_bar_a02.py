"""N four-bar linkages in a row (benchmark A02 of the IFToMM library of computational benchmark problems), N = 40.

N + 1 upright bars on pivots (i, 0) with their tops at (i, 1), joined by N level bars: 2N + 1 uniform bars of 1 kg and 1 m, gravity 9.81
m/s². They start upright with 1 m/s along x at the top B₀ of the first. All uprights stay parallel; with p the angle from the upright,

    p'' = (g/L) ((3N + 1)/2)/((4N + 1)/3) sin p,    p(0) = 0, p'(0) = 1/s,    B₀ = (sin p, cos p).

In every half turn all bars lie in one line, where every loop could turn over: the Jacobian of the constraints loses N ranks. 10 s. Every
passage takes a little of the energy, about 10⁻¹¹ of it, whatever the tolerance of the steps; what is asked of B₀ is half a unit of the
printed digits.

Source: M. González, D. Dopico, U. Lugrís, J. Cuadrado, *A benchmarking system for MBS simulation software*, Multibody Syst. Dyn. 16,
2006; the table is that of the library.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, Quantity, converged, point, spread, table
from ._problem import published as printed_table

GRAVITY = 9.81
DURATION = 10.0
TABLE = """
  0.00 0 1  |  0.15 0.155656 0.987811  |  0.25 0.276071 0.961137  |  0.35 0.420385 0.907346
  0.45 0.593011 0.805194  |  0.65 0.950458 0.310854  |  0.75 0.990062 -0.140633  |  0.90 0.522686 -0.852526
  1.05 -0.433391 -0.901206  |  1.15 -0.877577 -0.479435  |  1.30 -0.968435 0.249268  |  1.40 -0.813634 0.581377
  1.60 -0.445463 0.8953  |  1.70 -0.29682 0.954934  |  1.80 -0.17321 0.984885  |  1.95 -0.0156083 0.999878
  2.10 0.138467 0.990367  |  2.20 0.255912 0.9667  |  2.30 0.396022 0.918241  |  2.40 0.564338 0.825544
  2.60 0.929515 0.368783  |  2.70 0.998045 -0.0624937  |  2.85 0.605455 -0.795879  |  3.00 -0.338518 -0.94096
  3.10 -0.829953 -0.557834  |  3.25 -0.982908 0.184095  |  3.35 -0.842257 0.539076  |  3.55 -0.471254 0.881997
  3.65 -0.318187 0.948028  |  3.75 -0.191167 0.981557  |  3.90 -0.0312547 0.999511  |  4.05 0.121607 0.992578
  4.15 0.23631 0.971678  |  4.25 0.372365 0.928086  |  4.35 0.536249 0.84406  |  4.50 0.819566 0.572985
  4.60 0.971701 0.236213  |  4.80 0.680943 -0.732337  |  5.00 -0.540191 -0.841543  |  5.20 -0.99331 0.115475
  5.30 -0.869804 0.493398  |  5.45 -0.587096 0.809517  |  5.55 -0.415339 0.909667  |  5.65 -0.271897 0.962326
  5.75 -0.152108 0.988364  |  6.00 0.105037 0.994468  |  6.10 0.217233 0.97612  |  6.20 0.349405 0.936972
  6.30 0.508798 0.860886  |  6.50 0.880692 0.473689  |  6.60 0.996258 0.0864296  |  6.75 0.748588 -0.663036
  6.85 0.1975 -0.980303  |  6.95 -0.452161 -0.891936  |  7.05 -0.886296 -0.463118  |  7.20 -0.965021 0.262172
  7.30 -0.80767 0.589634  |  7.50 -0.44027 0.897865  |  7.60 -0.292522 0.956259  |  7.70 -0.169584 0.985516
  7.95 0.0887191 0.996057  |  8.05 0.198645 0.980071  |  8.15 0.327121 0.944982  |  8.25 0.482019 0.876161
  8.45 0.853686 0.520788  |  8.55 0.987693 0.156403  |  8.70 0.808027 -0.589145  |  8.80 0.298313 -0.954468
  8.95 -0.637283 -0.77063  |  9.10 -0.999515 -0.0311323  |  9.20 -0.920201 0.391446  |  9.40 -0.552762 0.833339
  9.50 -0.38625 0.922394  |  9.60 -0.24782 0.968806  |  9.70 -0.131525 0.991313  |  9.90 0.0726161 0.99736
  10.00 0.180513 0.983573
"""


@explained
def build(n: int = 40) -> bl.Mechanism:
    """``n`` windows; 'upright 0' … 'upright n' and 'level 1' … 'level n'."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name=f"{n} four-bar linkages")
    for i in range(n + 1):
        foot, top, before = (float(i), 0.0), (float(i), 1.0), (i - 1.0, 1.0)
        m.add_body(f"upright {i}", bl.rod(foot, top, mass=1.0), velocity=(0.5, 0.0), angular_velocity=-1.0)
        m.add_joint(f"A{i}", bl.Pin(), m.ground, f"upright {i}", at=foot)
        if i:
            m.add_body(f"level {i}", bl.rod(before, top, mass=1.0), velocity=(1.0, 0.0), angular_velocity=0.0)
            m.add_joint(f"B{i - 1} right", bl.Pin(), f"upright {i - 1}", f"level {i}", at=before)
            m.add_joint(f"B{i} left", bl.Pin(), f"level {i}", f"upright {i}", at=top)
    return m


def exact(n: int, time: np.ndarray) -> np.ndarray:
    """x, y of B₀ [m] and their rates [m/s], (4, samples), from the equation in p."""
    from scipy.integrate import solve_ivp

    factor = GRAVITY * ((3 * n + 1) / 2) / ((4 * n + 1) / 3)
    y = solve_ivp(lambda t, y: [y[1], factor * np.sin(y[0])], (0.0, time[-1]), (0.0, 1.0), "DOP853", time, rtol=1e-13, atol=1e-14).y
    return np.stack([np.sin(y[0]), np.cos(y[0]), y[1] * np.cos(y[0]), -y[1] * np.sin(y[0])])


def energy(limit: float) -> Quantity:
    """The balance of energy over all samples, relative to the largest swing."""

    def read(run: bl.Result) -> np.ndarray:
        return np.full(len(run), np.abs(run.energy.error).max())

    return converged("energy error, relative", read, DURATION, 0.0, limit, "none is lost")


B0 = tuple(point("upright 0", k, what, at=(0.0, 1.0)) for what in ("position", "velocity") for k in (0, 1))
NAMES = ("x of B0 [m]", "y of B0 [m]", "x' of B0 [m/s]", "y' of B0 [m/s]")
TIMES, *PLACES = table(TABLE)
OFF = 1.5e-6  # [m]; the table of the library is off the equation in p by up to 1.23e-6, at 8.95 s

PROBLEM = Problem(
    title="N-four-bar mechanism (A02), N = 40",
    source="IFToMM library of computational benchmark problems, A02",
    build=build,
    duration=DURATION,
    quantities=(
        *spread(
            converged,
            [f"{n}, exact" for n in NAMES[:2]],
            B0,
            TIMES,
            exact(40, TIMES),
            5e-7,
            "the equation in p: half a unit of the printed digits",
        ),
        *spread(printed_table, NAMES[:2], B0, TIMES, PLACES, "six printed digits; the table is off the equation in p by 1.2e-6", least=OFF),
        energy(1e-6),
    ),
    quick=False,
)
