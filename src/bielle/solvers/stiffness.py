"""Whether explicit steps are short enough for the stiffness of forces.

A force with tangent stiffness K between points that answer to efforts with the rates A (bodies, joints and all) oscillates with ω² at most
the largest eigenvalue of A K. Kick, drift, kick is stable for ω h < 2.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ..errors import DescriptionError
from ..formulations.accelerations import strike
from ..integrators.implicit import tangents
from ..kernels import slots
from .workspace import Workspace

__all__ = ["check_stiffness", "fastest_force"]

MANY = 200  # forces: of more, only so many are looked at


def check_stiffness(w: Workspace, steps: dict[str, float], implicit: Collection[str], touched: Collection[str] | None = None) -> None:
    """Refuse a state in which the step of a body is too long for a force on it, and say which would do.

    steps: of every body [s]. implicit: bodies whose integrator sees stiffness. touched: forces and bodies an edit has touched, to which
    the check is confined.
    """
    model = w.model
    if not len(model.force_rows):
        return
    probe = _probe(w)
    names = [record.name for record in model.body_rows.records]
    answers = _Answers(probe)
    for f, record in enumerate(model.force_rows.records[:MANY]):
        elements = range(int(probe.force_e[f]), int(probe.force_e[f + 1]))
        bodies = [int(probe.elem_body[e]) for e in elements]
        fast = [names[b] for b in bodies if probe.body_nv[b] > 0]
        if record.item.kind.tangent is None or not set(fast).difference(implicit):
            continue
        if touched is not None and not {record.name, *fast}.intersection(touched):
            continue
        K = _tangent(probe, f, probe.x_stiff)
        if K is None:
            continue
        values, vectors = np.linalg.eig(answers(f) @ K)
        largest = int(np.argmax(values.real))
        omega, mode = float(np.sqrt(max(values[largest].real, 0.0))), vectors[:, largest].real.reshape(-1, model.dim)
        step = min(steps[name] for name in fast)
        if omega * step > 2.0:
            moves = max((i for i, b in enumerate(bodies) if probe.body_nv[b] > 0), key=lambda i: float(np.abs(mode[i]).max()))
            direction = mode[moves] / max(float(np.linalg.norm(mode[moves])), 1e-300)
            name, parts = names[bodies[moves]], int(np.ceil(0.75 * omega * step))
            newmark = ", ".join(f"'{b}': 'newmark'" for b in dict.fromkeys(fast))  # of all: the others would be as fast
            raise DescriptionError(
                f"Force '{record.name}' lets body '{name}' oscillate along ({', '.join(f'{x:.2g}' for x in direction)}) with "
                f"{omega:.4g} rad/s: its step of {step:g} s is unstable, at most {2.0 / omega:.3g} s would do. Take a smaller step, "
                f"substeps={{'{name}': {parts}}}, or integrators={{{newmark}}}."
            )


def fastest_force(w: Workspace) -> tuple[str, float] | None:
    """The force that makes bodies move fastest, and its rate [1/s]: √ of the largest eigenvalue of A K, or that of A D, damping."""
    probe = _probe(w)
    answers, found = _Answers(probe), (0.0, "")
    for f, record in enumerate(w.model.force_rows.records[:MANY]):
        if record.item.kind.tangent is None:
            continue
        for tangent, power in ((probe.x_stiff, 0.5), (probe.x_damp, 1.0)):
            matrix = _tangent(probe, f, tangent)
            if matrix is not None:
                values = np.abs(np.linalg.eigvals(answers(f) @ matrix))
                found = max(found, (float(values.max()) ** power, record.name))
    return (found[1], found[0]) if found[1] else None


def _probe(w: Workspace) -> Workspace:
    """Another workspace at the same state, with forces and their tangents."""
    probe = Workspace(w.model, w.state())
    probe.evaluate()
    probe.apply_forces()
    probe.scalar[slots.S_BETA_H], probe.scalar[slots.S_GAMMA_H] = 1.0, 0.0
    tangents(probe.address)
    return probe


def _tangent(probe: Workspace, f: int, of: np.ndarray) -> np.ndarray | None:
    """Stiffness or damping of a force over the components of its elements, symmetrised; None if there is none."""
    n, first = probe.model.dim * int(probe.force_e[f + 1] - probe.force_e[f]), int(probe.force_k[f])
    matrix = of[first : first + n * n].reshape(n, n)
    matrix = 0.5 * (matrix + matrix.T)
    return matrix if np.isfinite(matrix).all() and np.abs(matrix).max(initial=0.0) > 0.0 else None


class _Answers:
    """How the elements of a force answer to efforts on them: A = J δv, M δv = Jᵀ + joints; the matrix is factored once."""

    def __init__(self, probe: Workspace) -> None:
        self._probe, self._factored = probe, 0

    def __call__(self, f: int) -> np.ndarray:
        probe, dim, nv = self._probe, self._probe.model.dim, self._probe.model.nv
        elements = range(int(probe.force_e[f]), int(probe.force_e[f + 1]))
        J = np.zeros((dim * len(elements), nv))
        for i, e in enumerate(elements):
            b = int(probe.elem_body[e])
            n, v, j = int(probe.body_nv[b]), int(probe.body_v[b]), int(probe.elem_j[e])
            J[dim * i : dim * (i + 1), v : v + n] = probe.x_jac[j : j + dim * n].reshape(dim, n)
        A = np.zeros((len(J), len(J)))
        for k in range(len(J)):
            probe.v[:], probe.delta[:] = 0.0, 0.0
            probe.delta[:nv] = J[k]
            strike(probe.address, 0, self._factored)
            self._factored = 1
            A[:, k] = J @ probe.v[:nv]
        return A
