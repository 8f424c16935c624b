"""Start-up: import, first simulation with a cold kernel cache, and with a warm one, each from process start."""

import os
import subprocess
import sys
import tempfile
import time

from .measure import show

_SIMULATE = """
import bielle as bl
m = bl.Mechanism(gravity=(0, -9.81, 0))
m.add_body("upper", bl.rod((0, 0, 0), (1, 0, 0), mass=1.0))
m.add_body("lower", bl.rod((1, 0, 0), (1, -1, 0), mass=1.0), coordinates="natural")
m.add_joint("shoulder", bl.Revolute(axis="z"), m.ground, "upper", at=(0, 0, 0))
m.add_joint("elbow", bl.Spherical(), "upper", "lower", at=(1, 0, 0))
m.simulate(5.0, {solver})["lower"].position
"""


def _seconds(code, **environment):
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | environment, capture_output=True)
    return time.perf_counter() - started


def startup():
    """Budgets: import 0.3 s (beyond the interpreter's own), cold 20 s, warm 1.5 s."""
    _seconds("import bielle")
    bare = min(_seconds("pass") for _ in range(3))
    light = min(_seconds("import bielle") for _ in range(5)) - bare
    rows = [("import bielle", f"{light:.2f}", "0.3")]
    for solver in ("bl.Central()", "bl.Recursive()"):
        code = _SIMULATE.format(solver=solver)
        with tempfile.TemporaryDirectory() as folder:
            cold = _seconds(code, BIELLE_CACHE_DIR=folder)
            warm = min(_seconds(code, BIELLE_CACHE_DIR=folder) for _ in range(3))
        rows += [
            (f"first simulation, {solver}, cold cache", f"{cold:.1f}", "20"),
            (f"first simulation, {solver}, warm cache", f"{warm:.2f}", "1.5"),
        ]
    show("Start-up, seconds from process start", ("what", "seconds", "budget"), rows)
