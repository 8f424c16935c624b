"""The recursive solver: chains beside MuJoCo, long chains, and loops beside the central solver."""

import time
import tracemalloc

import numpy as np
from tests.recursive import linkages

import bielle as bl

from . import workloads
from .measure import interleave, loop_seconds, prepared, show

CONVERGED = 1e-8  # of the tip of a chain [m]: what half the step changes, and what two programs may differ by
OFF, OPEN = 1e-8, 1e-9  # of a loop, over two seconds [m]: from the central solver, and apart


def chains():
    """RK4 with steps of the same length, from level and at rest."""
    from .peers.mujoco_models import FallingChain

    rows = []
    for n, duration, step in ((10, 1.0, 1e-3), (100, 0.5, 1e-3)):
        mine, steps, peer = workloads.long_chain(n), round(duration / step), FallingChain(n, step)
        tips = [_tips(mine, n, bl.Recursive("rk4", step=h), duration) for h in (step, step / 2)]
        halved, apart = (float(np.abs(tips[0] - other).max()) for other in (tips[1], peer.tips(steps)))
        if not (halved <= CONVERGED and apart <= CONVERGED):
            raise AssertionError(f"the chain of {n} is off by {halved:.1e} m with half the step, and {apart:.1e} m from MuJoCo")
        ours, theirs = interleave(
            lambda m=mine, h=step, t=duration: loop_seconds(m, bl.Recursive("rk4", step=h), t)[0],
            lambda p=peer, k=steps: p.seconds(k),
            repeats=9,
            typical=min,
        )
        rows.append((n, f"{duration:g}", f"{halved:.0e}", f"{apart:.0e}", f"{1e6 * ours / steps:.1f}", f"{1e6 * theirs / steps:.1f}",
                     f"{theirs / ours:.2f}"))  # fmt: skip
    show(f"Falling planar chain, RK4, steps of 1 ms (goal: 1.5 times faster; tips agree, and are converged, to {CONVERGED:g} m)",
         ("links", "duration, s", "half the step, m", "from MuJoCo, m", "bielle µs/step", "MuJoCo µs/step", "ratio"), rows)  # fmt: skip


def _tips(mechanism, n, solver, duration):
    """The end of the chain at twenty moments."""
    run = mechanism.simulate(duration, solver, samples=21)
    return run[f"link{n - 1}"].point((0.5, 0.0)).position


def long_chains():
    """Time per step and memory of chains that are too deep for a mass matrix; the central solver with the same steps beside it."""
    rows = []
    for n in (100, 1000, 10_000):
        m, steps = workloads.long_chain(n), max(5, 20_000 // n)
        solvers = bl.Recursive("rk4", step=1e-4), bl.Central(integrator="rk4", step=1e-4)
        runs = [prepared(m, solver, 1e6) for solver in solvers]
        times = interleave(*(lambda run=run, steps=steps: _advance(run, steps) for run in runs), repeats=5, typical=min)
        for run in runs:
            if not run.ok:
                raise AssertionError(f"the chain of {n} has stopped with code {run.code}")
        ours, central = (1e6 * seconds / steps for seconds in times)
        tracemalloc.start()
        prepared(m, solvers[0], 1.0)
        memory = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        rows.append(
            (
                n,
                f"{ours:.0f}",
                f"{ours / n:.3f}",
                f"{memory / 1e6:.1f}",
                f"{memory / n / 1e3:.1f}",
                f"{central:.0f}",
                f"{central / ours:.1f}",
            )
        )
    show("Long planar chains, RK4 (goal: linear)",
         ("links", "µs/step", "µs/step/link", "MB at peak", "kB/link", "central µs/step", "ratio"), rows)  # fmt: skip


def _advance(run, steps):
    started = time.perf_counter()
    run.advance(steps)
    return time.perf_counter() - started


def loops(duration=2.0):
    """Both solvers at their default tolerances; the central solver at a finer one is the reference."""
    rows = []
    cases = {
        "four-bar": linkages.four_bar(),
        "ladder, 40 cells": linkages.ladder(40),
        "Stewart platform": linkages.stewart_platform((0.3, 0.2, 0.1)),
    }
    for name, m in cases.items():
        reference = m.simulate(duration, bl.Central(rtol=1e-12, atol=1e-14))
        runs = [m.simulate(duration, solver, samples=reference.time) for solver in (bl.Recursive(), bl.Central())]
        off = [max(float(np.abs(run[body].position - reference[body].position).max()) for body in m.bodies) for run in runs]
        apart = float(runs[0].violation.max())
        if not (off[0] <= OFF and apart <= OPEN):
            raise AssertionError(f"{name}: off by {off[0]:.1e} m, open by {apart:.1e}")
        ours, central = interleave(
            lambda m=m: loop_seconds(m, bl.Recursive(), duration)[0], lambda m=m: loop_seconds(m, bl.Central(), duration)[0],
            repeats=7, typical=min,
        )  # fmt: skip
        steps = " / ".join(str(run.info["statistics"]["steps"]) for run in runs)
        rows.append((name, f"{off[0]:.0e}", f"{off[1]:.0e}", f"{apart:.0e}", steps, f"{1e3 * ours:.1f}", f"{1e3 * central:.1f}",
                     f"{central / ours:.2f}"))  # fmt: skip
    show(f"Loops over {duration:g} s, adaptive, default tolerances (goals: off by {OFF:g} m at most, open by {OPEN:g})",
         ("mechanism", "recursive off, m", "central off, m", "recursive open", "steps of both", "recursive ms", "central ms", "ratio"),
         rows)  # fmt: skip


def many_loops(step=1e-3, steps=50):
    """What the recursive solver is not for: loops that all go through the trunk of one tree."""
    rows = []
    for n in (30, 90, 180):
        m = workloads.wired_chain(n)
        solvers = bl.Recursive("rk4", step=step), bl.Central(integrator="rk4", step=step)
        times = interleave(*(lambda m=m, s=s: loop_seconds(m, s, steps * step)[0] for s in solvers), repeats=3, typical=min)
        ours, central = (1e6 * t / steps for t in times)
        rows.append((n, len(m.recursive().loops), f"{ours:.0f}", f"{central:.0f}", f"{central / ours:.2f}"))
    show("Chain with every third link on a wire, RK4 (no goal)", ("links", "loops", "recursive µs/step", "central µs/step", "ratio"), rows)
