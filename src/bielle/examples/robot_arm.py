"""Robot arm from a URDF file: a turntable and two rods in the vertical plane that turns with it, thrown with all motors off.

The file is the text below: three links with mass, forms to be drawn, three hinges. It says nothing about where the arm starts; that is
given when it is loaded, and so are the velocities. Nothing holds the arm but its base.

The reference has three angles: φ of the turntable, α and β of the rods above the horizontal. With masses m and n, lengths a and b,
moments of inertia i and j of the rods about their own axes and k of the turntable, and A(α, β) that of everything about the vertical,

    A                                       = k + ⅓ m a² cos²α + i sin²α + n (a² cos²α + a b cos α cos β + ⅓ b² cos²β) + j sin²β
    A φ'                                    = constant: nothing turns the arm about the vertical
    (⅓ m + n) a² α'' + ½ n a b cos(β − α) β'' =  ½ n a b sin(β − α) β'² + ½ ∂A/∂α φ'² − (½ m + n) g a cos α
    ⅓ n b² β'' + ½ n a b cos(β − α) α''       = −½ n a b sin(β − α) α'² + ½ ∂A/∂β φ'² − ½ n g b cos β.

The torques that would hold the arm are the last terms; `recursive()` finds them from the file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.central import Central

from ._checks import Check, accumulated, at_most, conserves, equals, main

TITLE = "Robot arm from a URDF file, thrown with its motors off"
DURATION = 2.0
GRAVITY = 9.81
A, B = 0.5, 0.4  # lengths of the rods [m]
M, N = 3.0, 2.0  # their masses [kg]
I, J = 0.002, 0.001  # their moments of inertia about their own axes [kg m²]
K = 0.05  # of the turntable about the vertical [kg m²]
HEIGHT = 0.3  # of the shoulder [m]
START = {"waist": 0.0, "shoulder": -0.6, "elbow": 0.9}  # positive angles of shoulder and elbow go down [rad]
THROWN = {"waist": 3.0, "shoulder": 1.0, "elbow": -2.0}  # [rad/s]

URDF = f"""<?xml version="1.0"?>
<robot name="robot arm">
  <material name="orange"><color rgba="0.9 0.4 0.1 1"/></material>
  <material name="grey"><color rgba="0.4 0.45 0.5 1"/></material>
  <link name="floor">
    <visual><origin xyz="0 0 0.05"/><geometry><cylinder radius="0.2" length="0.1"/></geometry><material name="grey"/></visual>
  </link>
  <link name="turntable">
    <inertial><origin xyz="0 0 0.1"/><mass value="5"/><inertia ixx="0.04" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="{K}"/></inertial>
    <visual><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.1" length="0.2"/></geometry><material name="grey"/></visual>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="{A / 2} 0 0"/><mass value="{M}"/>
      <inertia ixx="{I}" ixy="0" ixz="0" iyy="{M * A * A / 12}" iyz="0" izz="{M * A * A / 12}"/>
    </inertial>
    <visual><origin xyz="{A / 2} 0 0"/><geometry><box size="{A} 0.07 0.09"/></geometry><material name="orange"/></visual>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="{B / 2} 0 0"/><mass value="{N}"/>
      <inertia ixx="{J}" ixy="0" ixz="0" iyy="{N * B * B / 12}" iyz="0" izz="{N * B * B / 12}"/>
    </inertial>
    <visual><origin xyz="{B / 2} 0 0"/><geometry><box size="{B} 0.05 0.06"/></geometry><material name="orange"/></visual>
  </link>
  <link name="tip"/>
  <joint name="waist" type="continuous">
    <origin xyz="0 0 0.1"/><parent link="floor"/><child link="turntable"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="shoulder" type="continuous">
    <origin xyz="0 0 {HEIGHT - 0.1}"/><parent link="turntable"/><child link="upper"/><axis xyz="0 1 0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <origin xyz="{A} 0 0"/><parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/>
  </joint>
  <joint name="end" type="fixed"><origin xyz="{B} 0 0"/><parent link="lower"/><child link="tip"/></joint>
</robot>
"""


@explained
def build() -> bl.Mechanism:
    """The arm of the file, where it starts."""
    return bl.load_urdf(URDF, gravity=(0.0, 0.0, -GRAVITY), positions=START, velocities=THROWN)


def solver() -> Central:
    """Tighter than the default: the arm is chaotic, and is compared with the reference after two seconds."""
    return Central(rtol=1e-10, atol=1e-12)


def about_vertical(x: Any, y: Any) -> tuple[Any, Any, Any]:
    """A, ∂A/∂α, ∂A/∂β [kg m²] at α = x, β = y [rad]."""
    cx, sx, cy, sy = np.cos(x), np.sin(x), np.cos(y), np.sin(y)
    value = K + (M / 3 + N) * (A * cx) ** 2 + I * sx**2 + N * (A * B * cx * cy + (B * cy) ** 2 / 3) + J * sy**2
    by_x = -2 * (M / 3 + N) * A * A * cx * sx + 2 * I * sx * cx - N * A * B * sx * cy
    by_y = -N * A * B * cx * sy - 2 / 3 * N * B * B * cy * sy + 2 * J * sy * cy
    return value, by_x, by_y


def reference(time: np.ndarray) -> np.ndarray:
    """Tip of the arm (n, 3) [m]."""

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        _, x, z, x_rate, z_rate = y
        value, by_x, by_z = about_vertical(x, z)
        turn, half = momentum / value, 0.5 * N * A * B
        c, s = half * np.cos(z - x), half * np.sin(z - x)
        matrix = np.array([[(M / 3 + N) * A * A, c], [c, N * B * B / 3]])
        torque = [
            s * z_rate**2 + 0.5 * by_x * turn**2 - (M / 2 + N) * GRAVITY * A * np.cos(x),
            -s * x_rate**2 + 0.5 * by_z * turn**2 - N / 2 * GRAVITY * B * np.cos(z),
        ]
        return np.array([turn, x_rate, z_rate, *np.linalg.solve(matrix, torque)])

    x, z = -START["shoulder"], -START["shoulder"] - START["elbow"]
    momentum = about_vertical(x, z)[0] * THROWN["waist"]
    start = [START["waist"], x, z, -THROWN["shoulder"], -THROWN["shoulder"] - THROWN["elbow"]]
    phi, x, z = solve_ivp(rates, (0.0, time[-1]), start, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=time).y[:3]
    reach = A * np.cos(x) + B * np.cos(z)
    return np.stack([reach * np.cos(phi), reach * np.sin(phi), HEIGHT + A * np.sin(x) + B * np.sin(z)], axis=1)


def holding(mechanism: bl.Mechanism) -> np.ndarray:
    """Torques (2,) of shoulder and elbow that hold the arm where it starts, beyond those of the formula [N m]."""
    model = mechanism.recursive()
    q = model.neutral()
    for name, angle in START.items():
        q[model.coordinates(name)[0]] = angle
    tau = model.gravity_forces(q)
    x, z = -START["shoulder"], -START["shoulder"] - START["elbow"]
    elbow = -N / 2 * GRAVITY * B * np.cos(z)
    shoulder = elbow - (M / 2 + N) * GRAVITY * A * np.cos(x)
    return np.concatenate([tau[model.coordinates(name)[1]] for name in ("shoulder", "elbow")]) - [shoulder, elbow]


def check(result: Result) -> list[Check]:
    """Three degrees of freedom; the torques of the formula; energy; the motion of the reference."""
    mechanism = result.mechanism
    return [
        equals("degrees of freedom", mechanism.report().degrees_of_freedom, 3),
        at_most("torques that hold the arm, off the formula [N m]", holding(mechanism), 1e-12),
        *conserves(result, violation=1e-9, energy=accumulated(result, solver().rtol)),
        at_most("tip of the arm, off the reference [m]", result["lower"].point((B, 0.0, 0.0)).position - reference(result.time), 1e-6),
    ]


if __name__ == "__main__":
    main(__name__)
