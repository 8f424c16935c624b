"""Latency of edits of a running mechanism, beside recompiling a model of the same size in MuJoCo."""

import statistics
import time

import bielle as bl
from bielle.mechanism import registry

from .measure import show
from .workloads import planar_chain, spatial_chain

GOALS = {100: 1.0, 3000: 10.0}  # ms
STEP = bl.Central(integrator="rk4", step=1e-6)  # a chain of 3000 links of 0.3 mm must not fly apart while it is measured


def live():
    """Every joint kind made and removed; bodies, forces and parameters changed; at 100 and 3000 bodies, warm."""
    for n, goal in GOALS.items():
        rows = [*_kinds(n), *_others(n)]
        worst = max(max(row[1:3]) for row in rows if row[3] == "fits")
        shown = [(name, *(f"{1e3 * t:.2f}" if t is not None else "" for t in times), note) for name, *times, note in rows]
        peer = _peer(n)
        show(
            f"Edits at {n} bodies, milliseconds until it can go on (goal {goal:g}): worst {1e3 * worst:.2f}",
            ("edit", "make or change", "remove", "remark"),
            [*shown, *peer],
        )


def _session(n, planar):
    m = (planar_chain if planar else spatial_chain)(n)
    m.gravity = (0.0,) * m.dim
    for name in list(m.forces):
        m.remove(name)
    session = m.live(STEP)
    session.step(2)
    return session


def _kinds(n):
    """Every joint kind between neighbours in the middle of the chain (grounded ones: to the ground)."""
    for dim in (2, 3):
        session = _session(n, dim == 2)
        a, b = f"link{n // 2}", f"link{n // 2 + 1}"
        for kind in registry.joints.values():
            if dim not in kind.dims:
                continue
            sample = kind.samples(dim)[0]
            made, gone, note = [], [], ""
            at = session[b].position
            for _ in range(7):
                started = time.perf_counter()
                try:
                    session.add_joint("new", sample, "ground" if kind.grounded else a, b, at=at)
                except bl.errors.BielleError as error:
                    note = f"refused: {type(error).__name__}"
                    made.append(time.perf_counter() - started)
                    gone.append(0.0)
                    continue
                made.append(time.perf_counter() - started)
                note = session.last_edit[0].joining
                started = time.perf_counter()
                session.remove("new")
                gone.append(time.perf_counter() - started)
            yield f"{kind.__name__} ({'plane' if dim == 2 else 'space'})", statistics.median(made[1:]), statistics.median(gone[1:]), note


def _others(n):
    session = _session(n, True)
    middle = f"link{n // 2}"

    def timed(action):
        started = time.perf_counter()
        action()
        return time.perf_counter() - started

    def median(*actions, repeats=7):
        times = [[timed(action) for action in actions] for _ in range(repeats)]
        return [statistics.median(t) for t in list(zip(*times[1:]))] if repeats > 1 else times[0]

    made, gone = median(
        lambda: session.add_body("extra", bl.sphere(0.1, mass=1.0), position=(3, 3)), lambda: session.remove("extra")
    )
    yield "body", made, gone, "fits"
    spring = bl.Spring(stiffness=1.0, length=1.0)
    made, gone = median(
        lambda: session.add_force("spring", spring, "ground", middle, at_a=(0, 0), at_b=(0, 0)), lambda: session.remove("spring")
    )
    yield "spring", made, gone, "fits"
    masses = iter(range(1, 100))
    (changed,) = median(lambda: session.set(middle, mass=0.01 * next(masses)))
    yield "mass of a body", changed, 0.0, "fits"
    (pushed,) = median(lambda: session.push(middle, impulse=(1e-9, 0.0)))
    yield "push", pushed, 0.0, "fits"
    session.remove(f"pin{n // 2}")
    (undone,) = median(lambda: (session.undo(), session.redo()))
    yield "undo and redo", undone, 0.0, "fits"


def _peer(n):
    try:
        from .peers.mujoco_models import Chain
    except ImportError:
        return [("MuJoCo: not installed (pip install mujoco)", "", "", "")]
    import mujoco

    try:
        chain = Chain(n)
        chain.add_and_remove()
        made, gone = (statistics.median(t) for t in zip(*(chain.add_and_remove() for _ in range(5))))
    except Exception as error:  # it may not be able to hold such a model at all
        return [(f"MuJoCo {mujoco.__version__}, recompile", "", "", f"{type(error).__name__}: {str(error)[:60]}")]
    return [(f"MuJoCo {mujoco.__version__}, recompile", f"{1e3 * made:.2f}", f"{1e3 * gone:.2f}", "equality constraint")]
