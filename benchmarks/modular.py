"""The modular solver: chains on one and two threads, iterations against the number of bodies, bodies at their own pace."""

import hashlib
import threading
import time

import numpy as np

import bielle as bl
from bielle.examples import stiff_and_slow

from . import workloads
from .measure import interleave, loop_seconds, prepared, show

STEP = 1e-3


def _per_step(mechanism, solver, steps):
    """Seconds per step of a run that goes on from where it was, with what that run is."""
    run = prepared(mechanism, solver, 1e6 * STEP)
    run.advance(3)

    def go():
        started = time.perf_counter()
        run.advance(steps)
        return (time.perf_counter() - started) / steps

    return go, run


def modular():
    """Spatial chains with explicit joints: against real time, against their length, on one and two threads; then the other tables."""
    rows = []
    for n in (100, 1000, 3000, 10_000, 30_000):
        m, steps = workloads.spatial_chain(n), max(2, 10_000 // n)
        (one, run), (two, _) = (_per_step(m, bl.Modular("explicit", step=STEP, threads=t), steps) for t in (1, 2))
        a, b, c, d = interleave(
            one, two, lambda: _hash(1), lambda: _hash(2), repeats=25, typical=min
        )  # threads that somebody disturbs wait for each other
        if not run.ok:
            raise AssertionError(f"the chain of {n} has stopped with code {run.code}")
        rows.append((n, f"{1e6 * a:.0f}", f"{1e6 * b:.0f}", f"{a / b:.2f}", f"{2 * c / d:.2f}", f"{1e6 * b / n:.3f}", f"{STEP / b:.2f}"))
    show("Spatial chain, explicit joints, Δt = 1e-3 (goals: 1000 bodies ≥ real time on two threads, speed-up ≥ 1.6, linear)",
         ("bodies", "1 thread µs/step", "2 threads", "speed-up", "of two hashes", "µs/body", "× real time"), rows)  # fmt: skip
    _iterations()
    _rates()


def _hash(threads, data=bytes(4_000_000)):
    """Seconds for as many threads to hash some megabytes each: what two threads are worth on this machine at this moment."""
    started = time.perf_counter()
    others = [threading.Thread(target=hashlib.sha256, args=(data,)) for _ in range(threads - 1)]
    for other in others:
        other.start()
    hashlib.sha256(data)
    for other in others:
        other.join()
    return time.perf_counter() - started


def _iterations():
    rows = []
    for name, make, sizes in (("chain", workloads.planar_chain, (10, 30, 100, 300)), ("N-four-bar", workloads.n_four_bar, (3, 10, 40))):
        for n in sizes:
            found = []
            for exchange in ("sweep", "conjugate", "relaxation"):
                solver = bl.Modular(step=STEP, exchange=exchange, iterations=200_000, tolerance=1e-8)
                seconds, run = loop_seconds(make(n), solver, 3 * STEP)
                c = run.convergence()
                found += [f"{c['iterations']:.1f}", f"{1e3 * seconds / 3:.3g}"]
            rows.append((f"{name} {n}", *found, f"{float(found[5]) / float(found[1]):.0f}"))
    show("Iterations of joint forces per solution, and ms per step, tolerance 1e-8 (goal: naive / default ≥ 10 at N = 300)",
         ("work", "sweep", "ms", "conjugate", "ms", "relaxation (naive)", "ms", "naive / default"), rows)  # fmt: skip


def _rates():
    m, parts = stiff_and_slow.build(100), stiff_and_slow.PARTS
    fine, multirate = bl.Modular(step=STEP / parts), bl.Modular(step=STEP, substeps={"sensor": parts})
    reference = m.simulate(0.5, bl.Central(rtol=1e-11, atol=1e-13), samples=51)
    errors = []
    for solver in (multirate, fine):
        run = m.simulate(0.5, solver, samples=51)
        errors.append(max(float(np.abs(run[b].position - reference[b].position).max()) for b in m.bodies))
    a, b = interleave(lambda: loop_seconds(m, multirate, 0.5)[0], lambda: loop_seconds(m, fine, 0.5)[0], repeats=9, typical=min)
    rows = [(f"{1e3 * a:.0f}", f"{1e3 * b:.0f}", f"{b / a:.1f}", f"{errors[0]:.2e}", f"{errors[1]:.2e}", f"{errors[0] / errors[1]:.2f}")]
    show("A sensor at Δt/20 on a chain of 100 links, 0.5 s (goals: ≥ 5 times faster than all at Δt/20, error within 2×)",
         ("multirate ms", "all fine ms", "ratio", "error [m]", "error, all fine", "ratio"), rows)  # fmt: skip
