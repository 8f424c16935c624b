"""Why a run cannot go on: in words, with the components that it points to and what to do."""

from __future__ import annotations

import numpy as np

from ..integrators.steps import BLOW
from ..kernels import slots
from ..model import State
from ..model.signals import velocity_jumps
from .leftover import leftover
from .run import Run
from .stiffness import fastest_force
from .workspace import Workspace

__all__ = ["explain_stop", "jump_message"]

NEAR = 0.1  # smallest singular value of J M^(−½), rows of unit length, from which on a position counts as singular
LATELY = 20  # samples, among which singular positions are looked for
MANY = 400  # equations: of more no singular values are looked for


def explain_stop(run: Run) -> str:
    """Why a run has stopped with a code other than CODE_OK, CODE_STOPPED or CODE_EVENT."""
    code, h = run.code, float(run.workspace.scalar[[slots.S_STEP, slots.S_NEXT_STEP]].max())
    jumps = velocity_jumps(run.model, run.time - h, run.time + 2.0 * h)
    if jumps:
        return f"{jump_message(*jumps[0])} The run cannot go on from t = {run.time:.9g} s."
    stuck = _stuck_motions(run)
    if stuck:
        return _explain_stuck(run, stuck)
    where, when = _offender(run), f"t = {run.time:.9g} s"
    if code == slots.CODE_NONFINITE:
        return (
            f"The motion of {where} became infinite or not a number near {when}. "
            "The step is too large for the stiffness or speed present: take a smaller step, an implicit or adaptive integrator."
        )
    if code == slots.CODE_NOT_CONVERGED:
        other = "" if run.workspace.count[slots.N_INDEX3] else ", or at a singular position the formulation index3"
        return (
            f"Newton's iteration did not converge in the step after {when} (around {_wavering(run)}). "
            f"Take a smaller step, or more damping (generalized-alpha with a smaller radius){other}."
        )
    if code == slots.CODE_IMPASSABLE:
        return (
            f"The joints cannot be closed in the step after {when} (around {where}): {_what_is_open(run)}. "
            "The mechanism locks there or meets a dead centre, or the step is too large. Take a smaller step; if it stops at the same "
            "place, start where it can pass, or free a joint."
        )
    if code == slots.CODE_TURNS:
        return (
            f"The turns of {_turned(run)} cannot be counted in the step before {when}: the rate at which its two sides turn "
            f"changes too much within one step. Take a smaller {'step' if run.solver.fixed_step else 'max_step'}."
        )
    if run.in_rounding:
        return (
            f"Steps have become too short to get anywhere at {when} (around {where}): what accelerations are off by is rounding, which no "
            "step is short enough for. Masses, inertias or lengths are too far apart for these tolerances: loosen rtol and atol, bring "
            "them nearer to each other, or take another solver (Recursive for joints that form a tree, Central for loops)."
        )
    if run.in_hopeless_steps:
        force = _fastest(run)
        return (
            f"Steps have become too short to get anywhere at {when}{f': {force}' if force else f' (around {where})'}; they are below "
            f"{run.hopeless_step:.2g} s, many in a row. Make stiffness or damping less, or take an implicit integrator "
            "(Central(integrator='hht', step=…), or 'Radau'); where a law or an angle is singular, keep away from it; "
            "or let less time pass at once."
        )
    remedy = "Take a smaller step or smooth the law." if run.solver.fixed_step else "Loosen rtol and atol or smooth the law."
    return (
        f"The step size collapsed at {when} (around {where}): the motion is not smooth there (an impact, a jump in a law, a position "
        f"that the joints cannot pass) or the tolerances are tighter than the arithmetic allows. {remedy}"
    )


def _turned(run: Run) -> str:
    """Whose turns cannot be counted."""
    row = int(run.workspace.status[slots.ST_TURNED])
    forces, watches = run.model.force_rows.records, run.model.watch_rows.records
    return f"force '{forces[row].name}'" if row < len(forces) else f"the angle that is watched by '{watches[row - len(forces)].name}'"


def jump_message(name: str, time: float, jump: float, unit: str) -> str:
    """What is wrong with an imposed motion whose velocity jumps, and what to do."""
    return (
        f"The velocity of the imposed motion of '{name}' jumps by {f'{jump:.3g} {unit}'.strip()} at t = {time:.6g} s, "
        "which no finite force does. "
        "Give a function whose velocity is continuous (a table with method='clamped', a smooth step), or one that lasts until "
        "the end of the run; or drive by a force (Motor, LinearMotor)."
    )


def _what_is_open(run: Run) -> str:
    most, taken = run.workspace.scalar[[slots.S_KINETIC, slots.S_TAKEN]].tolist()
    if taken > BLOW * most:
        return f"velocities would have to jump, which takes {taken:.2g} J of at most {most:.2g} J of kinetic energy"
    name, gap = _open_joint(run)
    if not np.isfinite(gap) or not name:
        return f"'{name}' stays open by {gap:.2g}"
    found = leftover(run.workspace, run.model.joints[name], nearly=True)
    return f"'{name}' stays open by {found.amount:.2g} {found.unit}"


def _explain_stuck(run: Run, stuck: list[str]) -> str:
    names = " and ".join(f"'{name}'" for name in stuck)
    return (
        f"The imposed motion of {names} leads to a position that the other joints do not allow, a dead centre, near t = {run.time:.6g} s. "
        "Let its function turn back before, impose the motion of another joint, or drive by a force (Motor, LinearMotor), which yields."
    )


def _offender(run: Run) -> str:
    """The body whose acceleration or velocity stands out."""
    w, model = run.workspace, run.model
    worst, name = -1.0, "the mechanism"
    for row in model.bodies.values():
        if row.kind.nv == 0:
            continue
        values = np.concatenate([w.v[row.v], w.acc[row.v]])
        size = np.inf if not np.isfinite(values).all() else float(np.abs(values).max())
        if size > worst:
            worst, name = size, f"body '{row.name}'"
    return name


def _wavering(run: Run) -> str:
    """The body whose accelerations the last iteration of an implicit step has changed most."""
    w = run.workspace
    change = np.nan_to_num(np.abs(w.temp_v[run.model.nv : 2 * run.model.nv]), nan=np.inf)
    sizes = {row.name: float(change[row.v].max(initial=0.0)) for row in run.model.bodies.values()}
    return f"body '{max(sizes, key=lambda name: sizes[name])}'"


def _open_joint(run: Run) -> tuple[str, float]:
    """The joint with the largest gap where the run last looked, and this gap."""
    phi = np.nan_to_num(np.abs(run.workspace.phi), nan=np.inf)
    gaps = {name: float(phi[row.equations].max(initial=0.0)) for name, row in run.model.joints.items()}
    worst = max(gaps, key=lambda name: gaps[name], default="")
    return worst, gaps.get(worst, 0.0)


def _stuck_motions(run: Run) -> list[str]:
    """Joints with an imposed motion whose equations contradict those of others, or nearly, where the run stands."""
    model = run.model
    imposed = [record.name for record in model.joint_rows.records if record.values["signal_kind"]]
    if not imposed or model.nc > MANY or any(record.item.kind.properties.mass == 0.0 for record in model.body_rows.records[1:]):
        return []
    w, taken = Workspace(model, _last_good(run)), run.samples()
    smallest, guilty = NEAR, np.zeros(model.nc)
    for k in range(max(0, len(taken["t"]) - LATELY), len(taken["t"]) + 1):
        if k < len(taken["t"]):
            w.scalar[slots.S_TIME], w.q[: model.nq] = taken["t"][k], taken["q"][k]
        else:
            w.load(_last_good(run))
        w.evaluate()
        metric = w.mass_matrix()
        for row in model.bodies.values():  # of bodies that weigh the same: to what the mechanism allows masses do not matter
            metric[row.v, row.v] /= max(row.kind.properties.mass, 1e-300) if row.kind.nv else 1.0
        rows = np.linalg.solve(np.linalg.cholesky(metric), w.jacobian().T).T
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        left, values, _ = np.linalg.svd(rows / np.where(length > 0.0, length, 1.0), full_matrices=False)
        least = int(np.sum(values > 1e-9)) - 1  # beyond it, equations are redundant everywhere
        if least >= 0 and values[least] < smallest:
            smallest, guilty = values[least], np.abs(left[:, least])
    return [name for name in imposed if guilty[model.joints[name].equations].max(initial=0.0) > 0.05]


def _fastest(run: Run) -> str:
    """The force that asks for the shortest steps, in words; nothing if none stands out."""
    found = fastest_force(Workspace(run.model, _last_good(run)))
    return "" if found is None else f"force '{found[0]}' lets bodies move at a rate of {found[1]:.2g} 1/s"


def _last_good(run: Run) -> State:
    """The present state, or that of the last sample if its numbers are not finite."""
    state, taken = run.workspace.state(), run.samples()
    good = np.isfinite(state.q).all() and np.isfinite(state.v).all()
    if not good and len(taken["t"]):
        state.time, state.q, state.v = float(taken["t"][-1]), taken["q"][-1], taken["v"][-1]
    return state
