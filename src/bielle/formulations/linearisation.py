"""How the rates of a mechanism change with its state: ∂(q̇, v̇)/∂(q, v), for implicit methods.

With the accelerations v̇ and multipliers λ at a state frozen, let coordinates and velocities change in

    r = ( f(q, v) + J(q)ᵀλ − M v̇,  d(q, v) − J(q) v̇ )        d as in :mod:`bielle.formulations.accelerations`

Since r = 0 at the state itself, K (δv̇, −δλ) = δr with the matrix K = [M Jᵀ; J −μ] that is factored already. δr is found by central
differences, which are local: what changes with a body are the rows of its own, of its joints and of the bodies it shares a joint or a force
with. So bodies that have no neighbour in common are moved together, and a chain of any length needs three groups.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..kernels import blocksparse, slots
from ..kernels.lazy import entry
from ..kernels.pointers import copy
from ..kernels.program import add_constraint_forces, multiply_jacobian, multiply_mass
from ..model import Context
from .accelerations import accelerate, find_wanted

__all__ = ["RateJacobian"]

ITERATIONS = 2
STEP = 6e-6  # cube root of the rounding unit: central differences lose as much by truncation as by rounding there


@entry
def unbalance(ctx, first, last):
    """r at the state that was evaluated, v̇ and λ as they are: in temp_v and temp_c."""
    count, acc, lam = ctx.count, ctx.acc, ctx.lam
    bodies, rows = ctx.temp_v, ctx.temp_c
    copy(count.v, ctx.force, bodies)
    multiply_mass(ctx, acc, -1.0, bodies)
    add_constraint_forces(ctx, lam, 1.0, bodies)
    find_wanted(ctx, rows)
    for c in range(count.c):
        rows[c] = -rows[c]
    multiply_jacobian(ctx, acc, rows)
    for c in range(count.c):
        rows[c] = -rows[c]


class RateJacobian:
    """∂(q̇, v̇)/∂(q, v) of a model in a context with the routines of a solver."""

    def __init__(self, context: Context) -> None:
        w = self.w = context
        nb, nj, nf = (int(w.count[k]) for k in (slots.N_BODY, slots.N_JOINT, slots.N_FORCE))
        self.nq, self.nv = w.model.nq, w.model.nv
        q0, v0 = np.append(w.body_q, self.nq), np.append(w.body_v, self.nv)
        near: list[set[int]] = [{b} for b in range(nb)]
        equations: list[set[int]] = [set() for _ in range(nb)]
        for starts, n in ((w.joint_e, nj), (w.force_e, nf)):
            for k in range(n):
                bodies = {b for b in w.elem_body[starts[k] : starts[k + 1]].tolist() if w.body_nv[b] > 0}
                for b in bodies:
                    near[b] |= bodies
                    if starts is w.joint_e:
                        equations[b].update(range(w.joint_c[k], w.joint_c[k + 1]))
        self._moving = [b for b in range(nb) if w.body_nv[b] > 0]
        self._coordinates = [range(q0[b], q0[b + 1]) for b in range(nb)]
        self._velocities = [range(v0[b], v0[b + 1]) for b in range(nb)]
        self._rows = [np.array([v for c in sorted(near[b]) for v in self._velocities[c]], dtype=np.int64) for b in range(nb)]
        self._equations = [np.array(sorted(equations[b]), dtype=np.int64) for b in range(nb)]
        self._groups = _apart(self._moving, near)
        self._places = np.concatenate([blocksparse.places(w.body_row, v0), blocksparse.places(w.joint_row, w.joint_c[: nj + 1])])

    def __call__(self) -> np.ndarray:
        """(nq + nv, nq + nv) at the state of the context, which it leaves as it was."""
        w, n = self.w, self.nq + self.nv
        accelerate(w.address)
        changes, out = np.zeros((n, self.nv + w.model.nc)), np.zeros((n, n))
        for values, first, of_body in ((w.q, 0, self._coordinates), (w.v, self.nq, self._velocities)):
            for group, k in self._together(of_body):
                before = values.copy()
                entries = [of_body[b][k] for b in group]
                step = STEP * np.maximum(1.0, np.abs(before[entries]))
                ends = []
                for sign in (1.0, -1.0):
                    values[entries] = before[entries] + sign * step
                    w.evaluate()
                    w.apply_forces()
                    unbalance(w.address)
                    ends.append((w.temp_v[: self.nv].copy(), w.temp_c[: w.model.nc].copy(), w.qd[: self.nq].copy()))
                values[:] = before
                force, gap, rate = (a - b for a, b in zip(*ends))
                for b, entry_, h in zip(group, entries, 2.0 * step):
                    changes[first + entry_, self._rows[b]] = force[self._rows[b]] / h
                    changes[first + entry_, self.nv + self._equations[b]] = gap[self._equations[b]] / h
                    mine = self._coordinates[b]
                    out[mine.start : mine.stop, first + entry_] = rate[mine.start : mine.stop] / h
        bodies, equations = self._places[: self.nv], self._places[self.nv :]
        mu = w.mu[: w.model.nc]
        for k in range(n):
            efforts = np.zeros(w.model.nc)
            for _ in range(ITERATIONS):  # J v̇ − μ x = d − μ x of before: takes the regularisation away
                w.rhs[self._places] = changes[k]
                w.rhs[equations] -= mu * efforts
                blocksparse.solve(w.address)
                efforts = w.rhs[equations].copy()
            out[self.nq :, k] = w.rhs[bodies]
        return out

    def _together(self, of_body: list[range]) -> Iterator[tuple[list[int], int]]:
        """Bodies and the one of their entries that are changed at the same time."""
        for group in self._groups:
            for k in range(max(len(of_body[b]) for b in group)):
                yield [b for b in group if k < len(of_body[b])], k


def _apart(bodies: list[int], near: list[set[int]]) -> list[list[int]]:
    """Groups of bodies without a common neighbour, each body in the first that will have it."""
    groups: list[list[int]] = []
    seen: list[set[int]] = []  # neighbours of all in a group
    for b in bodies:
        for group, others in zip(groups, seen):
            if near[b].isdisjoint(others):
                group.append(b)
                others |= near[b]
                break
        else:
            groups.append([b])
            seen.append(set(near[b]))
    return groups
