"""How fast: against the special-purpose program and against Exudyn, as ratios in one run."""

import time
import tracemalloc

import numpy as np

import bielle as bl

from . import special_purpose, workloads
from .measure import interleave, loop_seconds, show


def special():
    """The general engine against a program that knows planar pins only: same method, same steps."""
    rows = []
    cases = [("4-bar", n, 10.0, 1e-2) for n in (2, 40)] + [("chain", n, 0.2, 1e-3) for n in (2, 10, 100)]
    for name, n, duration, step in cases:
        make, own = (
            (workloads.n_four_bar, special_purpose.n_four_bar) if name == "4-bar" else (workloads.planar_chain, special_purpose.chain)
        )
        model, steps = make(n), round(duration / step)
        system, q, v = own(n)
        solver = bl.Central(integrator="rk4", step=step)

        def theirs(system=system, q=q, v=v, step=step, steps=steps):
            a, b = q.copy(), v.copy()
            started = time.perf_counter()
            system.run(a, b, step, steps)
            return time.perf_counter() - started

        def ours(model=model, solver=solver, duration=duration):
            return loop_seconds(model, solver, duration)[0]

        mine, other = interleave(ours, theirs, repeats=9)
        rows.append((f"{name} {n}", f"{1e6 * mine / steps:.1f}", f"{1e6 * other / steps:.1f}", f"{mine / other:.2f}"))
    show("General engine against the special-purpose program, RK4 + projection (goal: ratio ≤ 1.5)",
         ("work", "bielle µs/step", "special µs/step", "ratio"), rows)  # fmt: skip


def fourbar():
    """N-four-bar over 10 s at equal error."""
    from .peers import exudyn_models as peer

    rows = []
    for n, step in ((2, 2e-2), (40, 2e-2)):  # as large as the error of the peer at 1e-3 allows
        model, solver = workloads.n_four_bar(n), bl.Central(integrator="rk4", step=step)
        reference = np.array(workloads.FOUR_BAR_REFERENCE[n])
        state = {}

        def ours(model=model, solver=solver, state=state):
            seconds, run = loop_seconds(model, solver, 10.0)
            state["run"] = run
            return seconds

        def theirs(n=n, state=state):
            state["peer"] = peer.n_four_bar(n, 1e-3, 10.0)
            return state["peer"].seconds

        mine, other = interleave(ours, theirs, repeats=3)
        run = state["run"]
        body = run.model.bodies["v0"]
        position, rotation = body.kind.pose(run.workspace.q[body.q])
        error = np.linalg.norm((position + rotation @ [0.5, 0, 0])[:2] - reference)
        peer_error = np.linalg.norm(np.atleast_2d(state["peer"].tip)[-1][:2] - reference)
        rows.append((n, f"{1e3 * mine:.1f}", f"{error:.0e}", f"{1e3 * other:.0f}", f"{peer_error:.0e}", f"{other / mine:.0f}×"))
    show("N-four-bar, 10 s (goal: 20× at N = 40, at no larger error)",
         ("N", "bielle ms", "error", "Exudyn ms", "error", "faster"), rows)  # fmt: skip


def _chain(title, make, peer_chain, integrator, goals, sizes=((2, 1.0), (10, 1.0), (100, 0.2))):
    rows = []
    for n, duration in sizes:
        model, solver = make(n), bl.Central(integrator=integrator, step=1e-3)
        reference = _end(model, n, bl.Central(rtol=1e-10, atol=1e-12), duration) if n <= 10 else None
        state = {}

        def ours(model=model, solver=solver, duration=duration, state=state):
            seconds, run = loop_seconds(model, solver, duration)
            state["run"] = run
            return seconds

        def theirs(n=n, duration=duration, state=state):
            state["peer"] = peer_chain(n, 1e-3, duration)
            return state["peer"].seconds

        mine, other = interleave(ours, theirs)
        peer_tip = np.atleast_2d(state["peer"].tip)[-1]
        own_tip = _tip(state["run"], n)
        if reference is None:
            errors = ("–", f"{np.linalg.norm(own_tip[: len(peer_tip)] - peer_tip):.0e} apart")
        else:
            errors = (f"{np.linalg.norm(own_tip - reference):.0e}", f"{np.linalg.norm(reference[: len(peer_tip)] - peer_tip):.0e}")
        steps = round(duration / 1e-3)
        rows.append((n, f"{1e6 * mine / steps:.1f}", errors[0], f"{1e6 * other / steps:.1f}", errors[1], f"{other / mine:.1f}×", goals[n]))
    show(title, ("N", "bielle µs/step", "tip error", "Exudyn µs/step", "tip error", "faster", "goal"), rows)


def _tip(run, n):
    body = run.model.bodies[f"link{n - 1}"]
    position, rotation = body.kind.pose(run.workspace.q[body.q])
    half = 0.5 / n if run.model.dim == 2 else 0.05
    return (position + rotation @ [half, 0, 0])[: run.model.dim]


def _end(model, n, solver, duration):
    return _tip(loop_seconds(model, solver, duration)[1], n)


def planar():
    """Planar chain, implicit, step 1e-3."""
    from .peers import exudyn_models as peer

    _chain("Planar chain, implicit, step 1e-3", workloads.planar_chain, peer.planar_chain, "newmark", {2: "1×", 10: "1×", 100: "3×"})


def spatial():
    """Spatial chain of revolute, universal and spherical joints, implicit, step 1e-3."""
    from .peers import exudyn_models as peer

    _chain("Spatial chain, implicit, step 1e-3", workloads.spatial_chain, peer.spatial_chain, "newmark", {2: "1×", 10: "1×", 100: "1×"})


def scaling():
    """Cost per step and memory of the planar chain from 100 to 3000 links."""
    sizes, cost, memory, rows = (100, 300, 1000, 3000), [], [], []
    for n in sizes:
        model, solver = workloads.planar_chain(n), bl.Central(integrator="newmark", step=1e-3)
        duration = 0.02  # the fall of the first steps is the same work at every N
        loop_seconds(model, solver, duration)
        seconds = min(loop_seconds(model, solver, duration)[0] for _ in range(5))
        cost.append(1e6 * seconds / round(duration / 1e-3))
        tracemalloc.start()
        _, run = loop_seconds(model, solver, duration)
        memory.append(tracemalloc.get_traced_memory()[1] / n)
        tracemalloc.stop()
        analysis = min(_analysis_seconds(run.model) for _ in range(5))
        iterations = run.statistics()["iterations"] / round(duration / 1e-3)
        rows.append((n, f"{cost[-1]:.0f}", f"{cost[-1] / n:.3f}", f"{iterations:.1f}", f"{memory[-1] / 1024:.1f}", f"{1e3 * analysis:.2f}"))
    exponent = np.polyfit(np.log(sizes), np.log(cost), 1)[0]
    show(f"Planar chain, implicit: cost per step grows as N^{exponent:.2f} (goal: at most 1.15)",
         ("N", "µs/step", "µs/step/link", "Newton iterations/step", "kB/link at peak", "re-analysis ms"), rows)  # fmt: skip


def _analysis_seconds(model):
    from bielle.model.kkt import analyse_matrix

    started = time.perf_counter()
    analyse_matrix(model.layout)
    return time.perf_counter() - started
