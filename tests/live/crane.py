"""A mechanism and a day's work on it, for the tests of journals and files; also run in other processes."""

import hashlib
import os
import subprocess
import sys

import bielle as bl

SOLVERS = {
    "adaptive": bl.Central(),
    "baumgarte": bl.Central(formulation="baumgarte", rtol=1e-7),
    "rk4": bl.Central(integrator="rk4", step=1e-3),
    "augmented": bl.Central(formulation="augmented", integrator="rk4", step=1e-3),
    "newmark": bl.Central(integrator="newmark", step=1e-3),
    "hht": bl.Central(integrator="hht", step=1e-3, alpha=0.1),
    "generalized-alpha": bl.Central(integrator="generalized-alpha", step=7e-4),
    "modular": bl.Modular(),
    "recursive": bl.Recursive(),
    "recursive rk4": bl.Recursive("rk4", step=1e-3),
    "explicit": bl.Modular(joints="explicit"),
    "merged": bl.Modular(merge=[("upper", "lower")]),
    "several rates": bl.Modular(substeps={"lower": 3}, integrators={"lower": "newmark"}, step=7e-4),
}


def crane(planar=True):
    """Two rods that hang on each other, one of them in coordinates of its own, a spring and a drive that depends on time."""
    m = bl.Mechanism(plane="xy", name="crane") if planar else bl.Mechanism(gravity=(0.1, -9.81, 0.2), name="crane")

    def at(*numbers):
        return numbers if planar else (*numbers, 0.0)

    m.add_body("upper", bl.rod(at(0.0, 0.0), at(1.0, 0.0), mass=1.0, radius=0.05), coordinates="bar" if planar else "natural")
    m.add_body("lower", bl.rod(at(1.0, 0.0), at(2.0, 0.1), mass=1.5, radius=0.05), velocity=at(0.0, 0.3))
    m.add_joint("pivot", bl.Pin() if planar else bl.Spherical(), m.ground, "upper", at=at(0.0, 0.0))
    m.add_joint("elbow", bl.Pin() if planar else bl.Spherical(), "upper", "lower", at=at(1.0, 0.0))
    m.add_frame("tip", "lower", local=at(0.5, 0.0))
    m.add_force("spring", bl.Spring(stiffness=30.0, damping=1.0), m.ground, "tip", at_a=at(2.0, 1.0), at_b=at(0.5, 0.0))
    wind = (bl.Harmonic(amplitude=2.0, frequency=1.7), 0.5) if planar else (bl.Harmonic(amplitude=2.0, frequency=1.7), 0.5, 0.1)
    m.add_force("wind", bl.PointForce(force=wind), "lower", at_a=at(0.1, 0.0))
    return m


def work(live):
    """Edits of all sorts, and time between them; at the end a joint is being closed and a push goes on."""
    planar = live.mechanism.planar

    def at(*numbers):
        return numbers if planar else (*numbers, 0.0)

    live.advance(0.05)
    live.set("lower", mass=2.0)
    live.advance(0.013)
    with live.edit("rebuild"):
        live.remove("elbow")
        live.add_body("ball", bl.sphere(0.1, mass=0.3), position=at(3.0, 1.0), coordinates=None if planar else "natural")
        live.add_joint("elbow", bl.Pin() if planar else bl.Spherical(), "upper", "lower", at_a=at(0.5, 0.0), at_b=at(-0.5, 0.0))
        live.replace("lower", coordinates="bar" if planar else "natural")
    live.advance(0.02)
    live.replace("pivot", bl.Pin() if planar else bl.Spherical())
    live.add_force("pull", bl.Spring(stiffness=5.0, length=0.3), "ball", "tip", at_a=at(0.0, 0.0), at_b=at(0.5, 0.0))
    live.set("tip", local=at(0.4, 0.01))
    kept = live.snapshot()
    live.push("ball", impulse=at(1.0, 0.5))
    live.step(5)
    live.undo()
    live.redo()
    live.remove("wind")
    live.advance(0.01)
    live.restore(kept)
    live.settle()
    live.lock("elbow", joining="impulse")
    live.push("ball", force=at(0.0, 3.0), duration=0.03)
    live.advance(0.02)
    live.unlock("elbow")
    live.set_gravity(at(0.3, -5.0))
    live.advance(0.02)
    live.teleport("ball", position=at(2.9, 0.9), velocity=at(0.1, 0.0))
    live.push("ball", force=at(1.0, 0.0), duration=0.2)
    live.add_joint("hook", bl.Pin() if planar else bl.Spherical(), "lower", "ball", at_a=at(0.5, 0.0), at_b=at(0.0, 0.0), over=0.15)
    live.step(3)
    live.advance(0.04)


def bits(live):
    """Everything the session goes on from."""
    s = live.state
    arrays = [getattr(s, name).tobytes() for name in ("q", "v", "work", "lam", "memory", "merged", "acc", "a0", "mu")]
    return [s.time, s.step, s.settled, live._timers, live.model.closings, *arrays]


def digest(live):
    """The same, to be printed."""
    return hashlib.sha256(repr(bits(live)).encode()).hexdigest()


def child(code, *arguments, **options):
    """A Python process that runs the code, which may import this file."""
    path = os.pathsep.join([os.path.dirname(__file__), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE, text=True, **options)


def output(code, *arguments):
    """What a process prints, which must end well."""
    process = child(code, *arguments)
    text, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return text.split()
