"""The cache of machine code: filled by several processes at once, read back, and compiled again when a file is damaged."""

import os
import subprocess
import sys

from bielle.kernels import ahead

SIMULATE = """
print("begin")  # once: processes that compile do not run the script again
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
    """Kernels that the process itself had to compile, and the angle that it found."""
    script = folder / "script.py"
    script.write_text(SIMULATE)
    scope = os.environ | {"BIELLE_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, str(script)], env=scope, capture_output=True, text=True, check=True)
    begin, count, angle = done.stdout.split()
    assert begin == "begin"
    return int(count), angle


def test_kernels_are_kept_and_damaged_ones_made_again(tmp_path):
    first, angle = simulate(tmp_path)
    files = sorted(tmp_path.rglob("*.o"))
    assert len(files) > 20
    assert first == (0 if ahead._cores() > 1 else len(files))
    assert simulate(tmp_path) == (0, angle)
    one, other = (
        next(file for file in files if file.name.startswith(name)) for name in ("bielle.bodies.planar.motion", "bielle.joints.pin")
    )
    one.write_bytes(one.read_bytes()[:-100])  # cut short
    other.write_bytes(b"nonsense")
    assert simulate(tmp_path) == (2, angle)
    assert simulate(tmp_path) == (0, angle)
