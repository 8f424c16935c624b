"""Layout: from tables of rows to the flat arrays kernels read; see :mod:`bielle.kernels.slots` for what each array is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..kernels import closing, functions, slots
from ..kernels.lazy import entry
from .places import place
from .rows import Rows

__all__ = ["Closing", "lay_out", "numbers_of"]

Program = list[tuple[entry, int, int]]


@dataclass(frozen=True)
class Closing:
    """A joint that is being closed gently: its residual follows a ramp from what it was at the start to zero."""

    joint: str
    start: float  #: [s]
    duration: float  #: [s]
    stopping: float  #: [s] in which the relative velocity is stopped, at most the duration
    gap: tuple[float, ...]  #: φ of each equation at the start; where points meet, in the axes of a: see :mod:`bielle.kernels.closing`
    rate: tuple[float, ...]  #: its rate at the start
    silent: tuple[int, ...] = ()  #: equations, in the same sense, that depend on others and wait until the end

    @property
    def end(self) -> float:
        """[s]"""
        return self.start + self.duration

    @property
    def joins(self) -> tuple[float, float]:
        """Times [s] at which the ramp is not smooth: steps should end there."""
        return self.start + self.stopping, self.end


def numbers_of(bodies: Rows, joints: Rows, forces: Rows, watches: Rows, closings: tuple[Closing, ...] = ()) -> dict[str, np.ndarray]:
    """Arrays of parameters: what an edit that keeps all sizes can change."""
    components, carriers = (joints, forces), _carriers(bodies, joints, closings)
    subjects = [r.item.subject for r in watches.records]
    parameters = [t.flat["param"] for t in (bodies, *components)] + [t.flat["signal_param"] for t in components]
    return {
        "param": _joined(parameters),
        "mass": bodies.flat["mass"],
        "elem_p": _joined([t.flat["elem_p"] for t in (*components, watches)] + [c.elem_p for c in carriers]),
        "signal_kind": _joined([t.flat["signal_kind"] for t in components]),
        "signal_n": _joined([t.flat["signal_n"] for t in components]),
        "level": joints.flat["level"],
        "watch_row": np.array(
            [joints.index[s.joint] if s.joint else forces.index[s.force] if s.force else -1 for s in subjects], dtype=np.int64
        ),
        "watch_k": watches.flat["watch_k"],
        "watch_p": watches.flat["watch_p"],
    }


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    """One after the other; the array itself if only one has entries."""
    present = [part for part in parts if part.size]
    return present[0] if len(present) == 1 else np.concatenate(present or parts)


def lay_out(
    dim: int, bodies: Rows, joints: Rows, forces: Rows, watches: Rows, closings: tuple[Closing, ...] = ()
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """All structure arrays, and the lengths of the fields that are state or scratch, but those of the matrix.

    Interface elements stand in the order joints, forces, watches, carriers.
    """
    out = numbers_of(bodies, joints, forces, watches, closings)
    carriers = _carriers(bodies, joints, closings)
    tables = (joints, forces, watches)
    elem_body = _joined([*(t.flat["elem_body"] for t in tables), *(c.elem_body for c in carriers)])
    body_nv = np.ascontiguousarray(bodies.size("nv"))
    q, v, w, p, m = bodies.offsets[:, :-1]
    out |= {
        "body_q": q,
        "body_v": v,
        "body_nv": body_nv,
        "body_p": p,
        "body_w": w,
        "body_m": m,
        "elem_body": elem_body,
        "elem_point": _joined([*(t.flat["elem_point"] for t in tables), *(c.elem_point for c in carriers)]),
        "joint_e": joints.starts("ne"),
        "joint_c": joints.starts("nc"),
        "joint_s": joints.starts("ns")[:-1],
        "jb_start": joints.starts("nb"),
        "jb_body": joints.flat["block_body"],
        "force_m": forces.starts("nmem")[:-1],
        "watch_e": joints.total("ne") + forces.total("ne") + watches.starts("ne"),
    }
    placed, totals, bounds = place(dim, bodies, joints, forces, elem_body, body_nv)
    out |= placed
    sizes = _sizes(dim, len(elem_body), bodies, joints, forces, watches, len(closings)) | totals
    programs = _programs(bodies, joints, forces, bounds, out["signal_kind"])
    programs["watches"] = [(watches.records[first].item.watch.kernel, first, last) for first, last in watches.groups]
    if closings:
        first_carrier = len(elem_body) - sum(len(c.elem_body) for c in carriers)
        out |= _closing_arrays(joints, closings, carriers, first_carrier)
        n = len(out["ramp_w"])
        programs["program"] = [(closing.prepare, 0, n), *programs["program"], (closing.evaluate, 0, n)]
    rows = [row for program in programs.values() for row in program]
    steps = np.array([x for kernel, first, last in rows for x in (kernel.address, first, last)], dtype=np.int64)
    end = 0
    for name, program in programs.items():
        begin, end = end, end + 3 * len(program)
        out[name] = steps[begin:end]
    sizes["ramp_rate"] = len(out.get("ramp_w", ()))
    counts = {
        slots.N_DIM: dim,
        slots.N_BODY: len(bodies),
        slots.N_Q: bodies.total("nq"),
        slots.N_V: bodies.total("nv"),
        slots.N_C: joints.total("nc"),
        slots.N_ELEM: len(elem_body),
        slots.N_JOINT: len(joints),
        slots.N_FORCE: len(forces),
        slots.N_SIGNAL: len(out["signal_kind"]),
        slots.N_MEMORY: sizes["memory"],
        slots.N_WORK: sizes["work"],
        slots.N_RAMP: sizes["ramp_rate"],
        slots.N_WATCH: len(watches),
        slots.N_WATCHES: len(programs["watches"]),
        slots.N_PROGRAM: len(programs["program"]),
        slots.N_FORCES: len(programs["forces"]),
        slots.N_RETRACT: len(programs["retract"]),
        slots.N_COMMIT: len(programs["commit"]),
        slots.N_TANGENTS: len(programs["tangents"]),
        slots.N_STIFFNESS: len(programs["stiffness"]),
    }
    out["count"] = np.array([counts.get(i, 0) for i in range(32)], dtype=np.int64)
    return out, sizes


def _programs(bodies: Rows, joints: Rows, forces: Rows, bounds: list[int], signal_kind: np.ndarray) -> dict[str, Program]:
    """One row per kind present; bounds are those of the elements on bodies of one kind, in their order by kind."""
    kinds = [(bodies.records[first].item.kind, first, last) for first, last in bodies.groups]
    elements = [(kind, bounds[i], bounds[i + 1]) for i, (kind, _, _) in enumerate(kinds) if bounds[i + 1] > bounds[i]]
    moving = [row for row in kinds if row[0].nv > 0]

    evaluation: Program = []
    if len(signal_kind) and (signal_kind < functions.CURVE).any():
        evaluation.append((functions.evaluate_signals, 0, len(signal_kind)))
    evaluation += [(kind.motion, first, last) for kind, first, last in moving]
    evaluation += [(kind.elements, first, last) for kind, first, last in elements]
    evaluation += [(joints.records[first].item.kernel, first, last) for first, last in joints.groups]
    acting: list[tuple[Any, int, int]] = [(forces.records[first].item.kind, first, last) for first, last in forces.groups]
    return {
        "program": evaluation,
        "forces": [(kind.kernel, first, last) for kind, first, last in acting],
        "tangents": [(kind.tangent, first, last) for kind, first, last in acting if kind.tangent is not None],
        "commit": [(kind.commit, first, last) for kind, first, last in acting if kind.commit is not None],
        "stiffness": [(kind.stiffness, first, last) for kind, first, last in elements if kind.stiffness is not None],
        "retract": [(kind.retract, first, last) for kind, first, last in moving],
    }


class _Carrier(NamedTuple):
    """Elements of a body a that carries the point which another is to meet: that point, and the directions it moves in."""

    joint: str
    elem_body: np.ndarray
    elem_point: np.ndarray
    elem_p: np.ndarray


def _carriers(bodies: Rows, joints: Rows, closings: tuple[Closing, ...]) -> list[_Carrier]:
    """Of the joints being closed in which points meet; see :mod:`bielle.kernels.closing`."""
    out = []
    for c in closings:
        row = joints.index[c.joint]
        if not joints.records[row].item.meeting:
            continue
        first = int(joints.starts("ne")[row])
        body = int(joints.flat["elem_body"][first])
        kind = bodies.records[body].item.kind
        directions = [kind.element(False, axis) for axis in np.eye(3)[: kind.dim]]
        n = 1 + kind.dim
        point = joints.flat["elem_p"][4 * first : 4 * first + 4]
        out.append(_Carrier(c.joint, np.full(n, body), np.arange(n) == 0, np.concatenate([point, *directions])))
    return out


def _closing_arrays(joints: Rows, closings: tuple[Closing, ...], carriers: list[_Carrier], first_carrier: int) -> dict[str, np.ndarray]:
    """A row per equation that is still open; see :mod:`bielle.kernels.closing`."""
    equations, work, numbers = [], [], []
    carrier = {c.joint: first_carrier + sum(len(other.elem_body) for other in carriers[:i]) for i, c in enumerate(carriers)}
    for i, c in enumerate(closings):
        row = joints.index[c.joint]
        first = int(joints.starts("nc")[row])
        n_meeting = len(carriers[0].elem_body) - 1 if c.joint in carrier else 0
        is_point = joints.records[row].values["elem_point"]
        met = int(joints.starts("ne")[row]) + (is_point.index(1, 1) if n_meeting else 0)
        for k, (gap, rate) in enumerate(zip(c.gap, c.rate)):
            equations += [first + k, row, int(k in c.silent), carrier[c.joint] if k < n_meeting else -1, met]
            work.append(slots.WORKS + i)
            numbers += [c.start, c.duration, c.stopping, gap, rate]
    return {
        "ramp_c": np.array(equations, dtype=np.int64),
        "ramp_w": np.array(work, dtype=np.int64),
        "ramp_p": np.array(numbers),
    }


def _sizes(dim: int, ne: int, bodies: Rows, joints: Rows, forces: Rows, watches: Rows, closings: int) -> dict[str, int]:
    nq, nv, nc, nf = bodies.total("nq"), bodies.total("nv"), joints.total("nc"), len(forces)
    ns = joints.total("ns") + forces.total("ns")
    nw = slots.WORKS + closings
    out = {"status": 16, "scalar": 32, "routine": 16, "q": nq, "v": nv, "work": nw, "lam": nc, "memory": forces.total("nmem")}
    out |= dict.fromkeys(("qd", "q0"), nq) | dict.fromkeys(("force", "acc", "delta", "v0", "a0"), nv)
    out |= dict.fromkeys(("x", "x_dot", "x_bias", "x_force", "x_effort"), dim * ne)
    out |= dict.fromkeys(("phi", "phi_t", "phi_dot", "gamma", "mu"), nc)
    out |= {"energy": nf, "power": 3 * nf, "output": nf, "signal": 3 * ns, "body_work": bodies.total("nw"), "mass_hat": bodies.total("nm")}
    out |= {"stage_q": 16 * nq, "stage_v": 16 * nv, "stage_w": 16 * nw, "w0": 2 * nw}
    if len(watches):
        out |= dict.fromkeys(("watch_value", "watch_crossed", "watch_side", "watch_last"), len(watches))
        out["backup"] = 4 + nq + 3 * nv + 2 * nc + nw + out["memory"]
    return out | {"temp_v": 8 * nv, "temp_c": 4 * nc, "temp_q": 4 * nq, "rhs": nv + nc}
