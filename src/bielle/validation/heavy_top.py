"""Heavy top: a disc that spins at 150 rad/s on a fixed point, the benchmark of rotations.

15 kg, moments of inertia about the centre diag(0.234375, 0.46875, 0.234375) kg·m², centre at (0, 1, 0) m from the fixed point, gravity
9.81 m/s² along −z. It starts with the body's axes along the world's and ω = (0, 150, −4.61538) rad/s; 2 s.

The converged numbers are those of an integration of Euler's equations with DOP853 at 1e-13. They agree with Exudyn's to 12 digits, and
with kynema's, of the algorithm of Brüls, Cardona and Arnold, to six.

Sources: M. Géradin, A. Cardona, *Flexible Multibody Dynamics*, Wiley 2001; O. Brüls, A. Cardona, M. Arnold, *Lie group generalized-α time
integration of constrained flexible multibody systems*, Mech. Mach. Theory 48, 2012; Exudyn, TestModels/explicitLieGroupIntegratorTest.py
and heavyTop.py; kynema, documented test of the heavy top.
"""

from __future__ import annotations

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, Read, converged, point, spread, table

ARM = (0.0, 1.0, 0.0)
# Integrated with DOP853: t | centre [m]; t | quaternion; t | angular velocity in world axes [rad/s]
CENTRES = """
  0.01 0.046113597054 0.998935003609 -0.001547491785
  0.2 0.605550561377 0.598957681795 -0.52398302743
  0.5 -0.702468297057 -0.021165184701 -0.711400257652
  1.0 0.173343964098 0.64008859207 -0.748490791134
  2.0 -0.150416822747 -0.724165591637 -0.67302226956
"""
TURNS = """
  0.01 0.731489973198 0.015154405293 0.68146160634 -0.017402361782
  0.2 -0.708279152974 0.438781088127 0.545728396145 0.089399752824
  0.5 0.58456062407 -0.700662895412 0.384325753023 0.140193078801
  1.0 0.73294398068 -0.278285719338 0.531824611334 -0.320176142736
  2.0 0.122947135042 -0.491079892552 0.350430030343 -0.78798688755
"""
SPINS = """
  0.01 6.60765109323 149.84739395407 -4.840361498
  0.2 86.37169325703 92.43165812202 -80.79445091099
  0.5 -104.19143589747 2.47153735612 -108.04203284319
  1.0 20.13978650572 96.24334386577 -113.43442578794
  2.0 -27.65851552595 -106.16380414318 -102.46246380524
"""
KYNEMA = (-0.150416985652933, 1.0 - 1.724164450779749, -0.673023460701136)  # centre at 2 s


@explained
def build() -> bl.Mechanism:
    """One body, 'top', with its frame at the fixed point."""
    m = bl.Mechanism(gravity=(0.0, 0.0, -9.81), name="heavy top")
    top = bl.rigid(15.0, ARM, (0.234375, 0.46875, 0.234375), points=((0.0, 0.0, 0.0), ARM))
    m.add_body("top", top, angular_velocity=(0.0, 150.0, -4.61538))
    m.add_joint("tip", bl.Spherical(), m.ground, "top", at=(0.0, 0.0, 0.0))
    return m


def spin(k: int, what: str = "angular_velocity") -> Read:
    """Angular velocity or acceleration about a world axis."""
    return lambda run: getattr(run["top"], what)[:, k]


def turn(k: int) -> Read:
    """A part of the quaternion, whose sign is continuous from (1, 0, 0, 0) at the start."""
    return lambda run: run["top"].orientation[:, k]


TIMES = table(CENTRES)[0]
AXES = "xyz"
CENTRE = [point("top", k) for k in range(3)]

PROBLEM = Problem(
    title="Heavy top",
    source="Géradin & Cardona; Exudyn explicitLieGroupIntegratorTest.py; kynema",
    build=build,
    duration=2.0,
    quantities=(
        converged("ω'x(0) [rad/s²]", spin(0, "angular_acceleration"), 0.0, 661.3461692307691919, 1e-9, "16 digits; rounding"),
        *spread(
            converged,
            ("ay(0) of the centre [m/s²]", "az(0) of the centre [m/s²]"),
            [point("top", k, "acceleration") for k in (1, 2)],
            0.0,
            (-21.3017325444, -30.9608307692308244),
            1e-9,
            "12 digits; rounding",
        ),
        converged("ωy(0.01 s) [rad/s], Exudyn", spin(1), 0.01, 149.8473939540758, 1e-8, "converged to 14 digits; asked are ten"),
        converged("ωy(2 s) [rad/s], Exudyn", spin(1), 2.0, -106.1638041431, 1e-8, "RK67 and DOPRI5 scatter by 1e-9"),
        *spread(
            converged,
            [f"ω{a} [rad/s], checked" for a in AXES],
            [spin(k) for k in range(3)],
            TIMES,
            table(SPINS)[1:],
            1e-8,
            "DOP853 at 1e-13, 11 digits",
        ),
        *spread(converged, [f"{a} of the centre [m], checked" for a in AXES], CENTRE, TIMES, table(CENTRES)[1:], 1e-9, "the same"),
        *spread(
            converged, [f"quaternion {a}, checked" for a in "wxyz"], [turn(k) for k in range(4)], TIMES, table(TURNS)[1:], 1e-9, "the same"
        ),
        *spread(
            converged,
            [f"{a} of the centre [m], kynema" for a in AXES],
            CENTRE,
            2.0,
            KYNEMA,
            2e-6,
            "steps of 2 µs, second order: six digits",
        ),
    ),
    step=2e-5,
)
