"""Compile: a Mechanism becomes tables, a Model; its described positions and velocities become a State.

Rows of one kind are made contiguous (bodies by coordinate kind, elements by the kind of their body, joints and forces by kernel),
so that a program is one row per kind present.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DescriptionError
from ..kernels import slots
from ..kernels.lazy import entry
from ..mechanism import registry
from ..mechanism.description import GROUND, Marker, Point
from .kkt import kkt_tables
from .model import BodyRow, ForceRow, JointRow, Model
from .signals import SignalTable
from .state import State

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["compile_mechanism"]

_versions = itertools.count(1)


class _Elements:
    """Collects interface elements and lays them out for the kernels."""

    def __init__(self, dim: int, bodies: dict[str, BodyRow]) -> None:
        self.dim = dim
        self.bodies = bodies
        self.body: list[int] = []
        self.is_point: list[int] = []
        self.local: list[np.ndarray] = []
        self._kinds = {row.index: row.kind for row in bodies.values()}

    def __len__(self) -> int:
        return len(self.body)

    def add(self, body: BodyRow, is_point: bool, described: np.ndarray) -> None:
        """An element in the terms of its body kind (four numbers)."""
        self.body.append(body.index)
        self.is_point.append(int(is_point))
        self.local.append(described)

    def add_points(self, points: list[Point], markers: tuple[Marker, ...]) -> None:
        """Elements a kind asked for, on the sides a and b."""
        sides = {m.side: self.bodies[m.body] for m in markers}
        for p in points:
            row = sides[p.side]
            self.add(row, p.is_point, row.kind.element(p.is_point, p.local))

    def tables(self) -> dict[str, np.ndarray]:
        body = np.array(self.body, dtype=np.int64)
        nv = np.array([self._kinds[b].nv for b in self.body], dtype=np.int64)
        start = np.concatenate([[0], np.cumsum(self.dim * nv)])
        return {
            "elem_order": np.argsort(body, kind="stable").astype(np.int64),
            "elem_body": body,
            "elem_point": np.array(self.is_point, dtype=np.int64),
            "elem_p": np.array(self.local, dtype=float).reshape(-1),
            "elem_j": start[:-1].astype(np.int64),
            "x_jac": np.zeros(int(start[-1])),
        }


def compile_mechanism(m: Mechanism) -> tuple[Model, State]:
    """Tables and described state of a mechanism."""
    dim = 2 if m.planar else 3
    param: list[float] = []
    bodies = _body_rows(m)
    rows = list(bodies.values())
    signals = SignalTable(param)
    elements = _Elements(dim, bodies)
    arrays = _body_tables(rows, param)
    joints, internal, joint_arrays, joint_program = _joint_tables(m, dim, bodies, elements, param, signals)
    forces, force_arrays, force_programs = _force_tables(m, dim, bodies, elements, param, signals)
    arrays |= joint_arrays | force_arrays | elements.tables() | signals.tables()
    blocks = _jacobian_blocks(arrays, rows)
    arrays |= blocks
    arrays["param"] = np.array(param, dtype=float)
    elimination, matrix = kkt_tables(arrays)
    arrays |= matrix
    arrays |= _programs(rows, arrays, signals, joint_program, force_programs)

    ne, nf, nj = len(elements), len(m.forces), len(joints) + len(internal)
    nq, nv = sum(r.kind.nq for r in rows), sum(r.kind.nv for r in rows)
    nc = int(arrays["joint_c"][-1])
    sizes = _sizes(dim, nq, nv, nc, ne, nf, arrays, elimination, sum(r.kind.n_work for r in rows))
    count = np.zeros(24, dtype=np.int64)
    for index, value in {
        slots.N_DIM: dim,
        slots.N_BODY: len(rows),
        slots.N_Q: nq,
        slots.N_V: nv,
        slots.N_C: nc,
        slots.N_ELEM: ne,
        slots.N_JOINT: nj,
        slots.N_FORCE: nf,
        slots.N_SIGNAL: len(signals),
        slots.N_NODE: len(elimination.order),
        slots.N_MEMORY: sizes["memory"],
        slots.N_PROGRAM: len(arrays["program"]) // 3,
        slots.N_FORCES: len(arrays["forces"]) // 3,
        slots.N_RETRACT: len(arrays["retract"]) // 3,
        slots.N_COMMIT: len(arrays["commit"]) // 3,
        slots.N_TANGENTS: len(arrays["tangents"]) // 3,
        slots.N_STIFFNESS: len(arrays["stiffness"]) // 3,
    }.items():
        count[index] = value
    arrays["count"] = count
    scalar = np.zeros(32)
    scalar[slots.S_GX : slots.S_GX + len(m.gravity)] = m.gravity
    arrays["scalar"] = scalar
    version = next(_versions)
    model = Model(version, dim, arrays, sizes, elimination, bodies, joints, internal, forces, signals.owners, signals.callbacks)
    q = np.concatenate([row.kind.coordinates(m.pose(row.name)) for row in rows] or [np.zeros(0)])
    v = np.concatenate([row.kind.velocities(m.pose(row.name), m.twist(row.name)) for row in rows] or [np.zeros(0)])
    state = State(version, 0.0, q, v, np.zeros(3), np.zeros(nc), np.zeros(sizes["memory"]))
    return model, state


# -- bodies -----------------------------------------------------------------------------------------------------------


def _body_rows(m: Mechanism) -> dict[str, BodyRow]:
    """Ground first, then the bodies by coordinate kind, in the order they were added."""
    ground = registry.bodies["ground"](None, None)
    kinds = []
    for body in m.bodies.values():
        kind = registry.kind_of(registry.bodies, "coordinate", m.coordinates_of(body))
        kinds.append((body.name, kind(body.shape.mass_properties(), body.shape.reference_points())))
    order = {name: i for i, name in enumerate(registry.bodies)}
    kinds.sort(key=lambda item: order[item[1].name])
    rows: dict[str, BodyRow] = {}
    q = v = 0
    for index, (name, kind) in enumerate([(GROUND, ground), *kinds]):
        rows[name] = BodyRow(name, index, kind, slice(q, q + kind.nq), slice(v, v + kind.nv))
        q += kind.nq
        v += kind.nv
    return rows


def _starts(lengths: Any, extra: bool = False) -> np.ndarray:
    total = np.concatenate([[0], np.cumsum(np.asarray(lengths, dtype=np.int64))]).astype(np.int64)
    return total if extra else total[:-1]


def _body_tables(rows: list[BodyRow], param: list[float]) -> dict[str, np.ndarray]:
    body_p = []
    for row in rows:
        body_p.append(len(param))
        param += row.kind.parameters()
    masses = [row.kind.mass().reshape(-1) for row in rows]
    return {
        "body_q": np.array([r.q.start for r in rows], dtype=np.int64),
        "body_v": np.array([r.v.start for r in rows], dtype=np.int64),
        "body_nv": np.array([r.kind.nv for r in rows], dtype=np.int64),
        "body_p": np.array(body_p, dtype=np.int64),
        "body_w": _starts([r.kind.n_work for r in rows]),
        "body_m": _starts([r.kind.nv**2 for r in rows]),
        "mass": np.concatenate(masses),
    }


# -- joints -----------------------------------------------------------------------------------------------------------


def _joint_tables(m, dim, bodies, elements, param, signals):
    """Rows of all joints, internal equations of bodies included, grouped by kernel."""
    items: list[tuple[entry, str, Any]] = []
    for joint in m.joints.values():
        items.append((joint.kind.kernel, joint.name, joint))
    for row in bodies.values():
        items += [(constraint.kernel, row.name, (row, constraint)) for constraint in row.kind.internal()]
    groups = _grouped(items)
    joints: dict[str, JointRow] = {}
    internal: list[JointRow] = []
    joint_e, joint_c, joint_g, joint_p, joint_s = [0], [0], [], [], []
    level: list[int] = []
    g = 0
    for index, (_, name, item) in enumerate(itertools.chain.from_iterable(groups.values())):
        e0, c0 = len(elements), joint_c[-1]
        joint_p.append(len(param))
        joint_s.append(len(signals))
        markers = None
        if isinstance(item, tuple):
            row, constraint = item
            for is_point, described in constraint.elements:
                elements.add(row, is_point, described)
            param += constraint.parameters
            equations, velocity_rows = constraint.equations, ()
        else:
            markers = m.markers(item)
            try:
                elements.add_points(item.kind.elements(*markers, dim), markers)
                param += item.kind.parameters(*markers, dim)
            except DescriptionError as error:
                raise DescriptionError(f"joint '{name}': {error}") from None
            signals.extend(item.kind.signals(dim), f"joint '{name}'")
            signals.extend(item.kind.characteristics(dim), f"joint '{name}'", curves=True)
            equations, velocity_rows = item.kind.count(dim), item.kind.velocity_rows(dim)
        level += [int(r in velocity_rows) for r in range(equations)]
        joint_e.append(len(elements))
        joint_c.append(c0 + equations)
        joint_g.append(g)
        g += equations * dim * (len(elements) - e0)
        made = JointRow(name, index, slice(c0, c0 + equations), slice(e0, len(elements)), markers, markers is None)
        if markers is None:
            internal.append(made)
        else:
            joints[name] = made
    joints = {name: joints[name] for name in m.joints}  # in the user's order
    arrays = {
        "joint_e": np.array(joint_e, dtype=np.int64),
        "joint_c": np.array(joint_c, dtype=np.int64),
        "joint_g": np.array(joint_g, dtype=np.int64),
        "joint_p": np.array(joint_p, dtype=np.int64),
        "joint_s": np.array(joint_s, dtype=np.int64),
        "level": np.array(level, dtype=np.int64),
        "g": np.zeros(g),
    }
    return joints, internal, arrays, _program_rows(groups)


def _grouped(items: list[tuple[entry, str, Any]]) -> dict[int, list[tuple[entry, str, Any]]]:
    groups: dict[int, list[tuple[entry, str, Any]]] = {}
    for item in items:
        groups.setdefault(id(item[0]), []).append(item)
    return groups


def _program_rows(groups: dict[int, list[tuple[entry, str, Any]]]) -> list[tuple[entry, int, int]]:
    rows, first = [], 0
    for group in groups.values():
        rows.append((group[0][0], first, first + len(group)))
        first += len(group)
    return rows


def _jacobian_blocks(arrays: dict[str, np.ndarray], rows: list[BodyRow]) -> dict[str, np.ndarray]:
    """One block per (joint, body that can move) pair."""
    joint_e, joint_c, elem_body = arrays["joint_e"], arrays["joint_c"], arrays["elem_body"]
    nv = [r.kind.nv for r in rows]
    elem_block = np.full(len(elem_body), -1, dtype=np.int64)
    start, body, offset, total = [0], [], [], 0
    for j in range(len(joint_c) - 1):
        found: dict[int, int] = {}
        for e in range(joint_e[j], joint_e[j + 1]):
            b = int(elem_body[e])
            if nv[b] == 0:
                continue
            if b not in found:
                found[b] = total
                body.append(b)
                offset.append(total)
                total += int(joint_c[j + 1] - joint_c[j]) * nv[b]
            elem_block[e] = found[b]
        start.append(len(body))
    offset.append(total)
    return {
        "elem_block": elem_block,
        "jb_start": np.array(start, dtype=np.int64),
        "jb_body": np.array(body, dtype=np.int64),
        "jb_offset": np.array(offset, dtype=np.int64),
    }


# -- forces -----------------------------------------------------------------------------------------------------------


def _force_tables(m, dim, bodies, elements, param, signals):
    groups = _grouped([(force.kind.kernel, force.name, force) for force in m.forces.values()])
    forces: dict[str, ForceRow] = {}
    force_e, force_p, force_s, force_m, force_k = [len(elements)], [], [], [], []
    memory = tangent = 0
    ordered = list(itertools.chain.from_iterable(groups.values()))
    for index, (_, name, force) in enumerate(ordered):
        e0 = len(elements)
        markers = m.markers(force)
        elements.add_points(force.kind.elements(*markers, dim=dim), markers)
        force_p.append(len(param))
        param += force.kind.parameters(*markers, dim=dim)
        force_s.append(len(signals))
        signals.extend(force.kind.signals(dim), f"force '{name}'", order=force.kind.order)
        signals.extend(force.kind.characteristics(dim), f"force '{name}'", curves=True)
        force_m.append(memory)
        memory += force.kind.memory
        force_k.append(tangent)
        force_e.append(len(elements))
        tangent += (dim * (len(elements) - e0)) ** 2
        forces[name] = ForceRow(name, index, slice(e0, len(elements)), markers)
    forces = {name: forces[name] for name in m.forces}
    program = _program_rows(groups)
    arrays = {
        "force_e": np.array(force_e, dtype=np.int64),
        "force_p": np.array(force_p, dtype=np.int64),
        "force_s": np.array(force_s, dtype=np.int64),
        "force_m": np.array(force_m, dtype=np.int64),
        "force_k": np.array(force_k, dtype=np.int64),
        "x_stiff": np.zeros(tangent),
        "x_damp": np.zeros(tangent),
        "memory": np.zeros(memory),
    }
    kinds = {id(k): k for k in (f.kind for _, _, f in ordered)}
    by_kernel = {id(k.kernel): k for k in kinds.values()}
    tangents = [(by_kernel[id(kernel)].tangent, first, last) for kernel, first, last in program if by_kernel[id(kernel)].tangent]
    commits = [(by_kernel[id(kernel)].commit, first, last) for kernel, first, last in program if by_kernel[id(kernel)].commit]
    return forces, arrays, (program, tangents, commits)


# -- matrix and programs ------------------------------------------------------------------------------------------------


def _programs(rows, arrays, signals, joint_program, force_programs) -> dict[str, np.ndarray]:
    bodies: list[tuple[Any, int, int]] = []
    for name, group in itertools.groupby(rows, key=lambda r: r.kind.name):
        members = list(group)
        bodies.append((registry.bodies[name], members[0].index, members[-1].index + 1))
    ordered = arrays["elem_body"][arrays["elem_order"]]
    ranges = [(kind, *(int(x) for x in np.searchsorted(ordered, [first, last]))) for kind, first, last in bodies]
    element_rows = [(kind.elements, first, last) for kind, first, last in ranges]
    stiffness = [(kind.stiffness, first, last) for kind, first, last in ranges if kind.stiffness is not None and last > first]
    evaluation = signals.program()
    evaluation += [(kind.motion, first, last) for kind, first, last in bodies if kind.nv > 0]
    evaluation += [row for row in element_rows if row[2] > row[1]]
    evaluation += joint_program
    program, tangents, commits = force_programs
    retract = [(kind.retract, first, last) for kind, first, last in bodies if kind.nv > 0]

    def table(items: list[tuple[entry, int, int]]) -> np.ndarray:
        return np.array([(kernel.address, first, last) for kernel, first, last in items], dtype=np.int64).reshape(-1)

    return {
        "program": table(evaluation),
        "forces": table(program),
        "tangents": table(tangents),
        "commit": table(commits),
        "stiffness": table(stiffness),
        "retract": table(retract),
    }


def _sizes(
    dim: int, nq: int, nv: int, nc: int, ne: int, nf: int, arrays: dict[str, np.ndarray], elimination: Any, n_work: int
) -> dict[str, int]:
    """Lengths of the fields that are state or scratch."""
    ns = len(arrays["signal_kind"])
    sizes: dict[str, int] = {"status": 12, "q": nq, "v": nv, "work": 3, "lam": nc, "memory": len(arrays["memory"]), "body_work": n_work}
    sizes |= dict.fromkeys(("qd", "q0"), nq) | dict.fromkeys(("force", "acc", "delta", "v0", "a0"), nv)
    sizes |= dict.fromkeys(("x", "x_dot", "x_bias", "x_force", "x_effort"), dim * ne)
    sizes |= dict.fromkeys(("phi", "phi_t", "phi_dot", "gamma", "mu"), nc)
    sizes |= {"jac": int(arrays["jb_offset"][-1]), "energy": nf, "power": 3 * nf, "output": nf, "signal": 3 * ns, "routine": 16}
    sizes |= {"lu": elimination.length, "lu_temp": elimination.scratch, "rhs": nv + nc, "mass_hat": len(arrays["mass"])}
    sizes |= {"stage_q": 16 * nq, "stage_v": 16 * nv, "stage_w": 48, "w0": 6, "temp_v": 8 * nv, "temp_c": 4 * nc, "temp_q": 4 * nq}
    return sizes
