"""Threads of the modular solver: divided steps, forks, Ctrl-C; in processes of their own, so that waiting for ever fails a test."""

import subprocess
import sys

import pytest

PATIENCE = 250  # [s]: what takes longer does not end, however busy the machine; a process that is done ends at once

SPINNING = """
import hashlib, sys
import bielle as bl

def build(n, spin):
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    for i in range(n):
        fast = (0.1 * spin, spin, 0.2 * spin) if i == n - 1 else (0, 0, 0)
        m.add_body(f"b{i}", bl.box((0.5, 0.3, 0.2), mass=1.0), position=(i, 0, 0), angular_velocity=fast)
        if 0 < i < n - 1:
            m.add_joint(f"j{i}", bl.Spherical(), f"b{i - 1}", f"b{i}", at=(i - 0.5, 0, 0))
    return m

def told(run):
    return hashlib.sha256(b"".join(run[f"b{i}"].position.tobytes() for i in range(len(run.mechanism.bodies)))).hexdigest()
"""


def run(script, *arguments):
    """What a script prints, line by line; an error if it does not end."""
    done = subprocess.run(
        [sys.executable, "-c", SPINNING + script, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("joints", ["iterated", "explicit"])
def test_divided_steps_are_the_same_for_any_number_of_threads(joints):
    """A body that turns by a radian in a step lets all steps be divided; at the start of each of many short runs the others come late."""
    lines = run(
        """
for threads in (1, 2, 4):
    runs = [build(6, 1000.0).simulate(0.02, bl.Modular(sys.argv[1], threads=threads), samples=11) for _ in range(10)]
    print(*{(told(run), run.info["convergence"]["divided"] > 0) for run in runs})
""",
        joints,
    )
    assert len(lines) == 3
    assert len(set(lines)) == 1
    assert "True" in lines[0]


def test_a_forked_process_has_threads_of_its_own():
    lines = run("""
import os
live = build(6, 100.0).live(bl.Modular(threads=2))
live.advance(0.02)
sys.stdout.flush()
child = os.fork()
live.advance(0.02)
if child != 0:
    os.waitpid(child, 0)
print(live["b2"].position.tobytes().hex(), flush=True)
if child == 0:
    os._exit(0)
""")
    assert len(lines) == 2
    assert lines[0] == lines[1]


def test_ctrl_c_leaves_no_thread_waiting():
    """It comes at any moment of many short pieces of work, also while the threads are being told to begin."""
    lines = run("""
import os, signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets what it starts in the background ignore it
live = build(6, 100.0).live(bl.Modular(threads=2))
live.advance(0.01)
caught = 0
for i in range(40):
    try:
        threading.Timer(0.0005 * (i % 20 + 1), os.kill, (os.getpid(), signal.SIGINT)).start()
        while True:
            live.advance(0.001)
    except KeyboardInterrupt:
        caught += 1
def press(fraction):
    os.kill(os.getpid(), signal.SIGINT)
print(caught, build(6, 100.0).simulate(1e6, bl.Modular(threads=2), samples=2, progress=press).info["status"])
""")
    assert lines == ["40 interrupted"]
