"""Latency of edits of a running mechanism, beside recompiling a model of the same size in MuJoCo."""

import importlib.util
import statistics
import time

import numpy as np

import bielle as bl
from bielle.mechanism import registry

from .measure import show
from .workloads import planar_chain, spatial_chain

GOALS = {100: 1.0, 3000: 10.0}  # ms
REPEATS = 31
SHORT = 1e-6  # [s]: a chain of 3000 links of 0.3 mm must not fly apart while it is measured
SOLVERS = {"central": bl.Central(integrator="rk4", step=SHORT), "recursive": bl.Recursive("rk4", step=SHORT)}


def live():
    """Edits with the central solver, and with the recursive one."""
    for solver in SOLVERS:
        _measure(solver)


def _measure(solver):
    """Every joint kind made and removed; bodies, forces and parameters changed; at 100 and 3000 bodies, warm.

    A machine that does other things as well adds to a latency and never takes away: the best of many is shown beside the median, and how
    long a fixed piece of Python took, round after round with the rest, says how steady the machine was.
    """
    for n, goal in GOALS.items():
        beside = [_Machine(), *(_peers(n) if solver == "central" else ())]
        rows = [*_kinds(solver, n, beside), *_others(solver, n)]
        worst = max(min(times) for _, *columns, note in rows if note == "fits" for times in columns if times)
        shown = [(name, *map(_shown, columns), note) for name, *columns, note in rows]
        show(
            f"Edits at {n} bodies, {solver} solver, milliseconds until it can go on: median (best); goal {goal:g}, "
            f"worst of the best {1e3 * worst:.2f}",
            ("edit", "make or change", "remove", "remark"),
            [*shown, *(other.row() for other in beside)],
        )


def _shown(times):
    return f"{1e3 * statistics.median(times):.2f} ({1e3 * min(times):.2f})" if times else ""


def _session(solver, n, planar):
    m = (planar_chain if planar else spatial_chain)(n)
    m.gravity = (0.0,) * m.dim
    for name in list(m.forces):
        m.remove(name)
    session = m.live(SOLVERS[solver])
    session.step(2)
    return session


def _fitting(kind, dim, session, a, b):
    """A joint of that kind, and where it is put, so that it fits the chain, which is at rest."""
    place = session[b].position.tolist()
    options = {
        "Distance": {},
        "ImposedBody": {"position": place},
        "ImposedPoint": {"path": place},
        "ImposedRotation": {"angle": 0.0},
        "ImposedTranslation": {"displacement": 0.0},
        "RollingDisc": {"radius": 0.2},
        "RollingWheel": {"radius": 0.2},
    }.get(kind.__name__)
    joint = kind.samples(dim)[0] if options is None else kind(**options)
    if kind.__name__ == "VelocityRelation":
        joint = kind(coefficients=((1.0,) * dim + (-1.0,) * dim,))
    ground = session.mechanism.ground
    if kind.__name__.startswith("Rolling"):
        below = [*place[:-1], place[-1] - 0.2]  # the normal is the last axis
        return joint, ground, {"at_a": below, "at_b": (0.0,) * dim}
    if kind.__name__ == "Distance":
        return joint, ground, {"at_a": [x + 0.3 for x in place], "at_b": (0.0,) * dim}
    return joint, ground if kind.grounded else a, {"at": place}


def _kinds(solver, n, beside):
    """Every joint kind between neighbours in the middle of the chain, or to the ground; and one that has a gap to close.

    Round after round, each kind once: a machine that is slow for a while then is so for all of them.
    """
    for dim in (2, 3):
        session = _session(solver, n, dim == 2)
        place = "plane" if dim == 2 else "space"
        a, b = f"link{n // 2}", f"link{n // 2 + 1}"
        kinds = [k for k in registry.joints.values() if dim in k.dims and k.attachment == "bodies"]
        cases = {f"{k.__name__} ({place})": _fitting(k, dim, session, a, b) for k in kinds}
        rounds = []
        for _ in range(REPEATS):
            joint, body, places = next(iter(cases.values()))
            _made_and_removed(session, joint, body, b, places)  # not counted: what is measured beside has emptied the caches
            rounds.append({name: _made_and_removed(session, joint, body, b, places) for name, (joint, body, places) in cases.items()})
            for other in beside:
                other.measure()
        for name in cases:
            made, gone, notes = zip(*(times[name] for times in rounds[1:]))
            yield name, made, gone, notes[-1]
        where = session[b].position.tolist()
        gap = 0.01 / n
        apart = {"at_a": [where[0] - gap, where[1] + gap, *where[2:]], "at_b": (0.0,) * dim}
        kind = bl.Pin() if dim == 2 else bl.Spherical()
        made, gone, notes = zip(*(_made_and_removed(session, kind, "ground", b, apart) for _ in range(5)))
        yield f"{type(kind).__name__}, with a gap ({place})", made, gone, notes[-1]


def _made_and_removed(session, joint, a, b, places):
    """Seconds it takes to make and to remove a joint, and how it was fitted."""
    started = time.perf_counter()
    session.add_joint("new", joint, a, b, **places)
    made = time.perf_counter() - started
    note = session.last_edit[0].joining
    session.step()
    started = time.perf_counter()
    session.remove("new")
    gone = time.perf_counter() - started
    session.step()
    return made, gone, note


def _others(solver, n):
    session = _session(solver, n, True)
    middle = f"link{n // 2}"

    def timed(action):
        started = time.perf_counter()
        action()
        spent = time.perf_counter() - started
        session.step()
        return spent

    def times(*actions):
        columns = list(zip(*([timed(action) for action in actions] for _ in range(REPEATS))))
        return [*(column[1:] for column in columns), *([] for _ in range(2 - len(columns)))]

    yield (
        "body",
        *times(lambda: session.add_body("extra", bl.sphere(0.1, mass=1.0), position=(3, 3)), lambda: session.remove("extra")),
        "fits",
    )
    spring, places = bl.Spring(stiffness=1.0, length=1.0), {"at_a": (0, 0), "at_b": (0, 0)}
    make = lambda: session.add_force("spring", spring, "ground", middle, **places)  # noqa: E731
    yield "spring", *times(make, lambda: session.remove("spring")), "fits"
    masses = iter(range(1, 1000))
    yield "mass of a body", *times(lambda: session.set(middle, mass=0.01 * next(masses))), "fits"
    yield "push", *times(lambda: session.push(middle, impulse=(1e-9, 0.0))), "fits"
    session.remove(f"pin{n // 2}")
    yield "undo and redo", *times(lambda: (session.undo(), session.redo())), "fits"


class _Machine:
    """A fixed piece of Python: how fast the machine was meanwhile."""

    def __init__(self):
        self.times = []

    def measure(self):
        started = time.perf_counter()
        kept = {}
        for i in range(60):
            part = np.zeros(10)
            part[:5] = 1.0
            kept[i] = np.concatenate([part, part]).copy(), list(range(20))
        self.times.append(time.perf_counter() - started)

    def row(self):
        return "60 small array operations", _shown(self.times), "", "how steady the machine was"


class _Peer:
    """Recompiling in MuJoCo, if it can."""

    def __init__(self, n):
        from mujoco import __version__

        from .peers.mujoco_models import Chain

        self.name, self.made, self.gone, self.failed = f"MuJoCo {__version__}, recompile", [], [], ""
        try:
            self.chain = Chain(n)
            self.chain.add_and_remove()
        except Exception as error:  # it may not be able to hold such a model at all
            self.failed = f"{type(error).__name__}: {str(error)[:60]}"

    def measure(self):
        if not self.failed:
            made, gone = self.chain.add_and_remove()
            self.made.append(made)
            self.gone.append(gone)

    def row(self):
        return self.name, _shown(self.made), _shown(self.gone), self.failed or "equality constraint"


def _peers(n):
    if importlib.util.find_spec("mujoco"):
        return [_Peer(n)]
    print("MuJoCo is not installed (pip install mujoco): no peer beside.")
    return []
