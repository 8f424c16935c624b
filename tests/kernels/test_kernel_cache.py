"""The cache of machine code: written once, read back, and compiled again when a file is damaged."""

import os
import subprocess
import sys

SIMULATE = """
import bielle as bl
from bielle.kernels import lazy
compiled = []
lazy.on_compile(compiled.append)
m = bl.Mechanism(plane="xy")
m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
run = m.simulate(0.1, bl.Central(integrator="rk4", step=1e-2), samples=2)
angle = run["rod"].angle[-1].hex()  # reading may need a kernel too
print(len(compiled), angle)
"""


def simulate(folder):
    done = subprocess.run(
        [sys.executable, "-c", SIMULATE], env=os.environ | {"BIELLE_CACHE_DIR": str(folder)}, capture_output=True, text=True, check=True
    )
    count, angle = done.stdout.split()
    return int(count), angle


def test_kernels_are_kept_and_damaged_ones_made_again(tmp_path):
    first, angle = simulate(tmp_path)
    assert first > 10
    assert simulate(tmp_path) == (0, angle)
    files = sorted(tmp_path.rglob("*.o"))
    assert len(files) == first
    files[0].write_bytes(files[0].read_bytes()[:-100])  # cut short
    files[1].write_bytes(b"nonsense")
    assert simulate(tmp_path) == (2, angle)
    assert simulate(tmp_path) == (0, angle)
