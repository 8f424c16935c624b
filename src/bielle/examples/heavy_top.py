"""Heavy top: a spinning disc on a fixed point, the benchmark of rotations.

Mass 15 kg, moments of inertia about the centre diag(0.234375, 0.46875, 0.234375) kg·m² (about the fixed point diag(15.234375, 0.46875,
15.234375)), centre at (0, 1, 0) m from the fixed point, gravity 9.81 m/s² along −z. It starts with the body's axes along the world's
and ω = (0, 150, −4.61538) rad/s.

The spin is so fast that a step of a quaternion or of Euler angles is quickly wrong; the trajectory after two seconds is a well-known
test (M. Géradin & A. Cardona, *Flexible Multibody Dynamics*, Wiley 2001; O. Brüls & A. Cardona, *J. Comput. Nonlinear Dyn.* 5, 2010).

Three quantities are conserved: the energy, the angular momentum about the vertical through the fixed point, and, the top being symmetric
about its y axis, the spin about that axis. Look at the path of the centre: a slow precession with a fast small nutation on it.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, accumulated, at_most, conserves, equals, main

TITLE = "Heavy top: published positions and spin"
DURATION = 2.0
GRAVITY = 9.81
MASS, INERTIA = 15.0, (0.234375, 0.46875, 0.234375)
ARM = (0.0, 1.0, 0.0)
SPIN = (0.0, 150.0, -4.61538)  # [rad/s]
EARLY = 0.01  # [s]
SPIN_EARLY, SPIN_END = 149.8473939540758, -106.16380414  # ω_y in world axes after 0.01 s and at the end [rad/s]
CENTRE_END = (-0.150416822747, -0.724165591637, -0.67302226956)  # [m]


@explained
def build() -> bl.Mechanism:
    """The top; its body frame has the origin at the fixed point."""
    m = bl.Mechanism(gravity=(0.0, 0.0, -GRAVITY), name="heavy top")
    m.add_body("top", bl.rigid(MASS, ARM, INERTIA, points=((0.0, 0.0, 0.0), ARM)), angular_velocity=SPIN)
    m.add_joint("tip", bl.Spherical(), m.ground, "top", at=(0.0, 0.0, 0.0))
    return m


def solver() -> Central:
    """Fifty turns are to be followed to nine digits."""
    return Central(rtol=1e-12, atol=1e-14)


def check(result: Result) -> list[Check]:
    """Published numbers and conserved quantities, to what the solver may add up: the part rtol of everything in every accepted step."""
    how = solver()
    sum_of_errors = how.rtol * result.info["statistics"]["steps"]
    early = build().simulate(EARLY, how, samples=2)
    omega, rotation = result["top"].angular_velocity, result["top"].rotation
    spin = rotation[:, :, 1]  # the axis of symmetry
    about_tip = np.diag(INERTIA) + MASS * (np.dot(ARM, ARM) * np.eye(3) - np.outer(ARM, ARM))
    momentum = np.einsum("nij,jk,nlk,nl->ni", rotation, about_tip, rotation, omega)[:, 2]
    scale = about_tip[1, 1] * SPIN[1]
    return [
        equals("degrees of freedom", result.mechanism.report().degrees_of_freedom, 3),
        at_most(
            "ω_y after 0.01 s, off the published value [rad/s]", early["top"].angular_velocity[-1, 1] - SPIN_EARLY, sum_of_errors * SPIN[1]
        ),
        at_most("ω_y after 2 s, off the published value [rad/s]", omega[-1, 1] - SPIN_END, sum_of_errors * SPIN[1]),
        at_most("centre after 2 s, off the published place [m]", result["top"].centre.position[-1] - CENTRE_END, sum_of_errors),
        *conserves(result, violation=1e-9, energy=accumulated(result, how.rtol)),
        at_most("spin about the axis of symmetry, relative", np.einsum("ni,ni->n", omega, spin) / SPIN[1] - 1.0, sum_of_errors),
        at_most("angular momentum about the vertical, relative", (momentum - momentum[0]) / scale, sum_of_errors),
    ]


if __name__ == "__main__":
    main(__name__)
