"""Turns are counted however many there are in a step, or the run says that they cannot be."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import SimulationError

RATE, SPRING, STOP = 100.0, 1e-3, 1e4  # [rad/s], [N·m/rad], [N·m/rad]

SOLVERS = {
    "adaptive": bl.Central(),
    "baumgarte": bl.Central("baumgarte"),
    "recursive": bl.Recursive(),
    "RK45": bl.Central(integrator="RK45", rtol=1e-8),
    "DOP853": bl.Central(integrator="DOP853"),
    "Radau": bl.Central(integrator="Radau", rtol=1e-8),
    "BDF": bl.Central(integrator="BDF", rtol=1e-8),
    "LSODA": bl.Central(integrator="LSODA", rtol=1e-8),
    "rk4": bl.Central(integrator="rk4", step=0.05),
    "recursive rk4": bl.Recursive("rk4", step=0.05),
    "newmark": bl.Central("index3", "newmark", step=0.05),
    "hht": bl.Central("index3", "hht", step=0.05),
    "modular": bl.Modular(step=0.05),
    "explicit": bl.Modular("explicit", step=0.05),
}
every_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
ADAPTIVE = {name: solver for name, solver in SOLVERS.items() if solver.step is None}
adaptive = pytest.mark.parametrize("solver", ADAPTIVE.values(), ids=ADAPTIVE)


def wheel(force, rate=RATE):
    """Of 1 kg·m²."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("wheel", bl.disc(0.5, mass=8.0), angular_velocity=rate)
    m.add_joint("axle", bl.Pin(), m.ground, "wheel", at=(0, 0))
    m.add_force("force", force, joint="axle")
    return m


@every_solver
def test_a_spring_that_is_wound_up_in_steps_of_many_turns(solver):
    """ω = √k: sixteen turns in a second, or nearly one in a fixed step. At ω h = 2e-3 methods of second order are right to (ω h)²."""
    run = wheel(bl.TorsionSpring(stiffness=SPRING)).simulate(1.0, solver, samples=21)
    exact = RATE * math.sqrt(SPRING) * np.sin(math.sqrt(SPRING) * run.time)
    assert np.abs(run["force"].output - exact).max() <= 1e-5 * exact[-1]
    assert np.abs(run["axle"].angle - exact / SPRING).max() <= 1e-5 * exact[-1] / SPRING
    assert np.abs(run["force"].angle - exact / SPRING).max() <= 1e-5 * exact[-1] / SPRING


@adaptive
def test_a_stop_at_the_end_of_eight_turns_is_met(solver):
    """It is touched for π √(I/k) and the wheel comes back as fast; at a thousand times their tolerance the methods find the kinks."""
    run = wheel(bl.AngleLimit(upper=50.0, stiffness=STOP)).simulate(1.0, solver, samples=1001)
    back = 0.5 - math.pi / math.sqrt(STOP)
    assert run["axle"].angle.max() == pytest.approx(50.0 + RATE / math.sqrt(STOP), abs=1e-3)  # between samples
    assert run["axle"].angle[-1] == pytest.approx(50.0 - RATE * back, abs=1e-3)


def test_fixed_steps_in_which_turns_cannot_be_counted_are_an_error():
    """Five radians in a step before the stop, and as many back after it: that may have been a turn or none."""
    solver = bl.Central(integrator="rk4", step=0.05)
    with pytest.raises(SimulationError, match="The turns of force 'force' cannot be counted.*Take a smaller step"):
        wheel(bl.AngleLimit(upper=50.0, stiffness=STOP)).simulate(1.0, solver)


def test_a_blow_between_two_steps_is_not_taken_for_a_slow_change():
    """Half a turn in a step of 10 ms forwards, then as much backwards: on average the wheel would stand still."""
    live = wheel(bl.TorsionSpring(stiffness=SPRING), 300.0).live(bl.Central(integrator="rk4", step=0.01))
    live.advance(0.1)
    before = live.result()["force"].output[-1] / SPRING
    live.push("wheel", impulse=(0.0, 0.0), moment=-600.0)
    live.advance(0.1)
    assert live.result()["force"].output[-1] / SPRING == pytest.approx(before - 30.0, abs=0.1)  # the spring's work is 10⁻⁴ of its energy


def test_a_force_added_late_counts_from_the_angle_there_is():
    """Its memory begins when it does, and not at t = 0."""
    live = wheel(bl.TorsionSpring(stiffness=0.0)).live()
    live.advance(0.5)
    live.add_force("late", bl.TorsionSpring(stiffness=SPRING), joint="axle")
    start = live.result()["late"].output[-1] / SPRING
    assert abs(start) <= math.pi
    live.advance(0.5)
    assert live.result()["late"].output[-1] / SPRING == pytest.approx(start + 50.0, abs=0.1)
