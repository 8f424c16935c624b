"""Kernels that are compiled together, before they are asked for: which these are, and what happens where that is not possible."""

import subprocess
import sys

import pytest

from bielle.kernels import ahead, lazy
from bielle.kernels.lazy import entry

LOADED = """
import bielle as bl
from bielle import simulation
from bielle.kernels.lazy import registered_entries
told = set()
simulation.compile_ahead = told.update
planar, solver = {planar}, {solver}
m = bl.Mechanism(plane="xy" if planar else None)
at = (lambda *p: p) if planar else (lambda *p: (*p, 0.0))
for k in range(2):
    m.add_body(f"b{{k}}", bl.rod(at(k, 0), at(k + 1, 0), mass=1.0))
    joint = bl.Pin() if planar else bl.Revolute(axis="z")
    m.add_joint(f"j{{k}}", joint, m.ground if k == 0 else f"b{{k - 1}}", f"b{{k}}", at=at(k, 0))
m.add_joint("line", bl.Distance(), m.ground, "b1", at_a=at(2, 2), at_b=at(2, 0))
m.add_force("spring", bl.Spring(stiffness=3.0), m.ground, "b1", at_a=at(0, 1), at_b=at(2, 0))
wave = bl.Harmonic(1.0, 2.0)
m.add_force("torque", bl.Torque(wave if planar else (0.0, 0.0, wave)), "b0")
run = m.simulate(0.01, solver, samples=3)
run["b0"].position, run["j0"].force(), run["spring"].output, run.energy.balance, run.violation
print(*sorted(kernel.name for kernel in registered_entries() if kernel.loaded and kernel not in told))
print(sum(not kernel.loaded for kernel in told), len(told))
"""
SOLVERS = (
    "bl.Central()", 'bl.Central(integrator="rk4", step=1e-3)', 'bl.Central(integrator="hht", step=1e-3)', "bl.Recursive()", '"auto"',
    'bl.Recursive(integrator="rk4", step=1e-3)', "bl.Modular(step=1e-3)",
)  # fmt: skip


@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("solver", SOLVERS)
def test_what_a_simulation_needs_is_known_before(solver, planar):
    """In a process of its own, in which nobody else has loaded any."""
    code = LOADED.format(planar=planar, solver=solver)
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split("\n")
    assert lines[0].split() == []
    too_many, all_told = map(int, lines[1].split())
    assert too_many <= 0.2 * all_told


def _one(ctx, first, last):
    pass


def test_what_is_not_in_the_package_is_left_to_who_asks_for_it():
    called = []
    ahead.compile_together([entry(_one)], called.append)
    assert called == []


def test_without_processes_kernels_are_compiled_when_they_are_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(ahead, "_cores", lambda: 4)
    monkeypatch.setattr(ahead, "_LEAST", 1)
    kernels = [entry(_one) for _ in range(8)]
    for kernel in kernels:
        kernel.__module__ = "bielle.nowhere"  # cannot be imported
    monkeypatch.setattr(ahead, "_started", lambda: None)
    ahead.compile_ahead(kernels)
    monkeypatch.undo()
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path))
    for broken in ("raise SystemExit", "import os, sys; sys.stdin.readline(); os._exit(3)"):
        monkeypatch.setattr(ahead, "_START", broken)
        ahead.compile_together(kernels, lambda fraction: None, 2)
    assert lazy.missing(kernels) == kernels


def test_one_that_cannot_be_compiled_does_not_hold_up_the_others(tmp_path, monkeypatch):
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path))
    nowhere = entry(_one)
    nowhere.__module__ = "bielle.nowhere"
    from bielle.kernels.fields import _carve

    fresh = entry(_carve.python)
    fractions = []
    ahead.compile_together([nowhere, fresh], fractions.append, 1)
    assert lazy.missing([nowhere, fresh]) == [nowhere]
    assert fractions[0] == 0.0
    assert fractions == sorted(fractions)
