"""Car axis: two wheels' worth of mass on stiff springs, on a road that rocks.

Masses of 5 kg at (x_l, y_l) and (x_r, y_r) stand on springs of 1/ε² = 10⁴ N/m, free length 0.5 m, at (0, 0) and (x_b, y_b) of the road,

    y_b = r sin ωt,   x_b = √(L² − y_b²),   r = 0.1 m, ω = 10/s, L = 1 m, gravity 1 m/s².

They are L apart, and the left one stays on the perpendicular to the road: x_l x_b + y_l y_b = 0. 3 s, from x_l = 0, y_l = ½, x_r = 1, y_r
= ½ m with −½ m/s along x.

(x_b, y_b) is at the distance L from (0, 0): the road is a body that turns about (0, 0) by α = asin(r sin(ωt)/L). Its motion is imposed,
so its mass does not matter. It carries the feet of both springs and a slot along its y axis, in which the left mass is. Nothing turns the
masses about their centres, so their inertia does not matter either.

With these scales, the source's multipliers are forces: λ₁/ε² is the force of the slot along the road, 2 λ₂ L/ε² the push in the rod.

Source: IVP Test Set, problem caraxis (also in the R package deTestSet), reference in quadruple precision; S. Schneider, *Intégration de
systèmes d'équations différentielles raides et différentielles-algébriques par des méthodes de collocations et méthodes générales
linéaires*, thesis, Geneva 1994.
"""

from __future__ import annotations

import math

import numpy as np

import bielle as bl
from bielle.calls import explained

from ._problem import Problem, converged, point

STIFFNESS, LENGTH, R, W = 1e4, 0.5, 0.1, 10.0


def _tilt(t: float) -> float:
    return math.asin(R * math.sin(W * t))


def _rate(t: float) -> float:
    y = R * math.sin(W * t)
    return R * W * math.cos(W * t) / math.sqrt(1.0 - y * y)


def _second(t: float) -> float:
    y, rate = R * math.sin(W * t), R * W * math.cos(W * t)
    return (-W * W * y + rate * rate * y / (1.0 - y * y)) / math.sqrt(1.0 - y * y)


@explained
def build() -> bl.Mechanism:
    """Bodies 'road', 'left' and 'right'."""
    m = bl.Mechanism(gravity=(0.0, -1.0), plane="xy", name="car axis")
    mass = bl.rigid(5.0, (0.0, 0.0), 1.0)
    m.add_body("road", bl.rigid(1.0, (0.0, 0.0), 1.0, points=((0.0, 0.0), (1.0, 0.0))))
    m.add_body("left", mass, position=(0.0, 0.5), velocity=(-0.5, 0.0), angular_velocity=0.0)
    m.add_body("right", mass, position=(1.0, 0.5), velocity=(-0.5, 0.0), angular_velocity=0.0)
    rocking = bl.ImposedBody(position=(0.0, 0.0), angle=bl.compiled(_tilt, _rate, _second))
    m.add_joint("rocking", rocking, m.ground, "road", at=(0.0, 0.0))
    m.add_joint("slot", bl.PinInSlot(direction="y"), "road", "left", at_a=(0.0, 0.0), at_b=(0.0, 0.0))
    m.add_joint("rod", bl.Distance(length=1.0), "left", "right", at_a=(0.0, 0.0), at_b=(0.0, 0.0))
    for side, foot in (("left", 0.0), ("right", 1.0)):
        m.add_force(f"{side} spring", bl.Spring(stiffness=STIFFNESS, length=LENGTH), "road", side, at_a=(foot, 0.0), at_b=(0.0, 0.0))
    return m


def slot(run: bl.Result) -> np.ndarray:
    """λ₁: the force of the slot on the left mass along the road, over 1/ε²."""
    return run["slot"].force(on="left", axes="road")[:, 0] / STIFFNESS


def rod(run: bl.Result) -> np.ndarray:
    """λ₂: half the push of the rod on the left mass, away from the right one, over 1/ε²."""
    apart = run["left"].position - run["right"].position
    return 0.5 * np.einsum("ni,ni->n", run["rod"].force(on="left"), apart) / STIFFNESS


DURATION = 3.0
AT_END = {
    "xl": (point("left", 0), 0.493455784275402809e-1),
    "yl": (point("left", 1), 0.496989460230171154),
    "xr": (point("right", 0), 0.104174252488542152e1),
    "yr": (point("right", 1), 0.373911027265361257),
}
RATES_AT_END = {
    "xl'": (point("left", 0, "velocity"), -0.770583684040972358e-1),
    "yl'": (point("left", 1, "velocity"), 0.744686658723778553e-2),
    "xr'": (point("right", 0, "velocity"), 0.175568157537232222e-1),
    "yr'": (point("right", 1, "velocity"), 0.770341043779251976),
}
FORCES_AT_END = {"λ1": (slot, -0.473688659084893325e-2), "λ2": (rod, -0.110468033125734369e-2)}
EXACT = "reference of 20 digits; asked are nine"

PROBLEM = Problem(
    title="Car axis",
    source="IVP Test Set, caraxis (quadruple precision)",
    build=build,
    duration=DURATION,
    quantities=(
        *(converged(f"{n} [m]", read, DURATION, v, 1e-9 * abs(v), EXACT) for n, (read, v) in AT_END.items()),
        *(
            converged(f"{n} [m/s]", read, DURATION, v, 1e-9, "the same; absolute, as the rates come near to zero")
            for n, (read, v) in RATES_AT_END.items()
        ),
        *(converged(n, read, DURATION, v, 1e-9, "the same; absolute, of forces over 10⁴ N/m") for n, (read, v) in FORCES_AT_END.items()),
    ),
)
