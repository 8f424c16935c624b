"""The planar course: its own loop in NumPy beside the compiled equations, SciPy's methods beside the compiled one, and start-up."""

import os
import subprocess
import sys
import tempfile
import time

import numpy as np

import bielle.course.Multicorps2D as mc

from .measure import show

SPANS = {10: 1.5, 50: 0.1, 200: 0.01}  # [s] that the loop can be waited for
GOALS = {10: 8, 50: 30, 200: 60}
WHOLE = 1.5  # [s] of exercise 13
SAME = 0.02  # [s] over which motions are compared: later the chain, which is chaotic, has forgotten its start

SCRIPT = """
import time
started = time.perf_counter()
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import bielle.course.Multicorps2D as mc
m = mc.Model()
m.add_solid(tag_S="S", m=1, iy=1e-2, G_t0=np.array([1, 0]))
m.add_frame(tag_S="S", tag_F="P", P_t0=np.array([0, 0]))
m.add_interaction("Hinge_1sFix", tag_I="pivot", tag_S="S", tag_F="P", P_Gal=np.array([0, 0]))
sol = m.transient(0, 5, 0.01)
fig, ax = plt.subplots()
ax.plot(sol.t, sol.y[0])
fig.savefig({path!r})
print(time.perf_counter() - started)
"""


def chain(n):
    """Exercise 13: a chain of 1 m, hung at (2, 5), released from a horizontal line."""
    m, link = mc.Model(), 1.0 / n
    for k in range(n):
        m.add_solid(tag_S=k, m=0.01, iy=1e-9, G_t0=[2 + (k + 0.5) * link, 5])
        m.add_frame(tag_S=k, tag_F="P1", P_t0=[2 + k * link, 5])
        m.add_frame(tag_S=k, tag_F="P2", P_t0=[2 + (k + 1) * link, 5])
    m.add_interaction("Hinge_1sFix", tag_I="A", tag_S=0, tag_F="P1", P_Gal=[2, 5])
    for k in range(n - 1):
        m.add_interaction("Hinge_2s", tag_I=k, tag_S=[k, k + 1], tag_F=["P2", "P1"])
    return m


def course():
    """In a process of its own: NumPy's dense solutions of the loop are fastest on one thread, which must be said before NumPy is there."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-m", "benchmarks.course"], check=True, env=environment)


def loop():
    """The same method of SciPy's at the same tolerances, on the loop and on compiled equations."""
    rows = []
    for n, span in SPANS.items():
        m = chain(n)
        fast, slow = _best(m, span, 5), _seconds(m, span, compiled=False)
        end, there = (m.transient(0, SAME / 10 if n > 50 else SAME, 1e-4, **how).y for how in ({}, {"compiled": False}))
        off = np.abs(end - there).max() / np.abs(there).max()
        if not off < 1e-3:  # rtol
            raise AssertionError(f"the chain of {n} links moves otherwise: {off:.1e}")
        rows.append((n, span, f"{slow:.2f}", f"{1e3 * fast:.1f}", f"{slow / fast:.0f}", GOALS[n], f"{off:.0e}"))
    header = ("links", "time simulated, s", "course's loop, s", "compiled, ms", "ratio", "goal", "difference")
    show("Exercise 13 with RK45 at rtol 1e-3: the course's own loop in NumPy, and compiled equations", header, rows)


def method():
    """SciPy's methods on compiled equations, and the compiled method, which is DOP853 as well, at the same tolerances."""
    rows, names = [], ("RK45", "DOP853", "bielle")
    for n in SPANS:
        m, span = chain(n), WHOLE if n < 200 else 0.3
        times = [min(column) for column in zip(*([_seconds(m, span, method=name) for name in names] for _ in range(3)))]
        reference = m.transient(0, 0.1, 0.01, method="DOP853", rtol=1e-10, atol=1e-12).y[: 3 * n, -1]
        errors = [np.abs(m.transient(0, 0.1, 0.01, method=name).y[: 3 * n, -1] - reference).max() for name in names]
        ratios = [t / times[-1] for t in times[:-1]]
        rows.append((n, span, *(f"{t:.3f}" for t in times), *(f"{r:.1f}" for r in ratios), " ".join(f"{e:.0e}" for e in errors)))
    header = ("links", "time simulated, s", "RK45, s", "DOP853, s", "bielle, s", "RK45/bielle", "DOP853/bielle", "errors at 0.1 s")
    show("Exercise 13 at rtol 1e-3 on compiled equations, set-up included (goal: 5 times faster than solve_ivp)", header, rows)


def start():
    """From the import to the first plot, in a new process whose kernels are compiled."""
    with tempfile.TemporaryDirectory() as folder:
        script = SCRIPT.format(path=os.path.join(folder, "x.png"))
        seconds = [
            float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout) for _ in range(4)
        ]
    show(
        "A script of the course, from import to first plot (goal 2 s)",
        ("first, s", "then, s"),
        [(f"{seconds[0]:.2f}", f"{min(seconds[1:]):.2f}")],
    )


def _seconds(m, span, **how):
    started = time.perf_counter()
    m.transient(0, span, span / 10, **how)
    return time.perf_counter() - started


def _best(m, span, repeats, **how):
    return min(_seconds(m, span, **how) for _ in range(repeats))


if __name__ == "__main__":
    loop()
    method()
    start()
