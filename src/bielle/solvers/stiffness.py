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

__all__ = ["check_stiffness"]

MANY = 200  # forces: of more, only so many are looked at


def check_stiffness(w: Workspace, steps: dict[str, float], implicit: Collection[str], touched: Collection[str] | None = None) -> None:
    """Refuse a state in which the step of a body is too long for a force on it, and say which would do.

    steps: of every body [s]. implicit: bodies whose integrator sees stiffness. touched: forces and bodies an edit has touched, to which
    the check is confined.
    """
    model = w.model
    if not len(model.force_rows):
        return
    probe = Workspace(model, w.state())
    probe.evaluate()
    probe.apply_forces()
    probe.scalar[slots.S_BETA_H], probe.scalar[slots.S_GAMMA_H] = 1.0, 0.0
    tangents(probe.address)
    names = [record.name for record in model.body_rows.records]
    factored = 0
    for f, record in enumerate(model.force_rows.records[:MANY]):
        elements = range(int(probe.force_e[f]), int(probe.force_e[f + 1]))
        bodies = [int(probe.elem_body[e]) for e in elements]
        fast = [names[b] for b in bodies if probe.body_nv[b] > 0]
        if record.item.kind.tangent is None or not set(fast).difference(implicit):
            continue
        if touched is not None and not {record.name, *fast}.intersection(touched):
            continue
        n, first = model.dim * len(elements), int(probe.force_k[f])
        K = probe.x_stiff[first : first + n * n].reshape(n, n)
        K = 0.5 * (K + K.T)
        if not np.isfinite(K).all() or not np.abs(K).max(initial=0.0) > 0.0:
            continue
        J = np.zeros((n, model.nv))
        for i, (e, b) in enumerate(zip(elements, bodies)):
            nv, v, j = int(probe.body_nv[b]), int(probe.body_v[b]), int(probe.elem_j[e])
            J[model.dim * i : model.dim * (i + 1), v : v + nv] = probe.x_jac[j : j + model.dim * nv].reshape(model.dim, nv)
        A = np.zeros((n, n))
        for k in range(n):
            probe.v[:], probe.delta[:] = 0.0, 0.0
            probe.delta[: model.nv] = J[k]
            strike(probe.address, 0, factored)
            factored = 1
            A[:, k] = J @ probe.v[: model.nv]
        values, vectors = np.linalg.eig(A @ K)
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
