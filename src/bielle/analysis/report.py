"""Report: degrees of freedom, redundant equations and what to do about them, gaps, loose parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..calls import explained
from ..errors import AssemblyError, BielleError
from ..mechanism.description import GROUND
from ..model import compile_mechanism
from ..solvers.leftover import leftover
from ..solvers.positions import turned_over
from ..solvers.workspace import Workspace
from ..topology.graph import connected_groups, independent_loops
from .assembly import assemble

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["LOOSER", "Looser", "Redundancy", "Report", "report"]


class Looser(NamedTuple):
    """What can take the place of a joint that says too much."""

    words: str
    kinds: tuple[str, ...]  #: of those that need no more data than the joint has


LOOSER = {
    "revolute": Looser("a spherical or cylindrical joint", ("spherical", "cylindrical")),
    "prismatic": Looser("a cylindrical joint or a point on a line", ("cylindrical", "point_on_line")),
    "cylindrical": Looser("a point on a line", ("point_on_line",)),
    "planar": Looser("a point on a plane", ("point_on_plane",)),
    "fixed": Looser("a revolute or spherical joint", ("revolute", "spherical")),
    "universal": Looser("a spherical joint", ("spherical",)),
    "spherical": Looser("a point on a line, or a distance", ("point_on_line",)),
    "pin": Looser("a pin in a slot, or a distance", ("pin_in_slot",)),
    "rigid": Looser("a pin or slider", ("pin", "slider")),
    "slider": Looser("a pin in a slot", ("pin_in_slot",)),
}  #: by the kind of a joint


@dataclass(frozen=True)
class Redundancy:
    """Equations that say again what others say already."""

    equations: int  #: how many could go
    joints: tuple[str, ...]  #: the joints among whose equations the redundancy lies
    singular: bool  #: only in this position: elsewhere the equations are independent


@dataclass
class Report:
    """What :func:`report` found. ``print(report)`` tells it in words."""

    name: str
    bodies: int
    joints: int
    forces: int
    coordinates: int
    equations: int
    rank: int
    degrees_of_freedom: int  #: of velocities: all independent equations count
    loops: int
    nonholonomic: int = 0  #: how many of the independent equations bind velocities only; positions have so many degrees of freedom more
    redundancies: list[Redundancy] = field(default_factory=list)
    gaps: dict[str, float] = field(default_factory=dict)  #: by joint, in the described configuration
    units: dict[str, str] = field(default_factory=dict)  #: of these gaps: m, or rad of angles
    floating: list[tuple[str, ...]] = field(default_factory=list)
    light: list[str] = field(default_factory=list)
    dropped: tuple[str, ...] = ()  #: start velocities that the joints do not allow
    problem: str | None = None
    advice: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the mechanism can be simulated."""
        return self.problem is None

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {_some(self.bodies, 'body', 'bodies')}, {_some(self.joints, 'joint')}, {_some(self.forces, 'force')}, "
            f"{_some(self.loops, 'closed loop')}",
            f"  {self.coordinates} velocities − {_some(self.rank, 'independent equation')} = "
            f"{_some(self.degrees_of_freedom, 'degree of freedom', 'degrees of freedom')}",
        ]
        if self.nonholonomic:
            positions = self.degrees_of_freedom + self.nonholonomic
            lines.append(
                f"  {self.nonholonomic} of the equations {'binds' if self.nonholonomic == 1 else 'bind'} velocities only (non-holonomic): "
                f"positions have {_some(positions, 'degree of freedom', 'degrees of freedom')}"
            )
        if self.equations != self.rank:
            lines.append(f"  {self.equations - self.rank} of {self.equations} equations are redundant")
        for r in self.redundancies:
            where = " in this position (singular)" if r.singular else ""
            lines.append(f"    {r.equations} among {', '.join(r.joints)}{where}")
        for joint, gap in self.gaps.items():
            lines.append(f"  gap of {gap:.3g} {self.units[joint]} at '{joint}' in the described configuration")
        for group in self.floating:
            shown = ", ".join(group[:6]) + (", …" if len(group) > 6 else "")
            lines.append(f"  not connected to the ground: {shown}")
        for text in self.dropped:
            lines.append(f"  the joints do not allow the start of {text}")
        for body in self.light:
            lines.append(f"  '{body}' is more than a million times lighter than the heaviest body")
        if self.problem:
            lines.append(f"  PROBLEM: {self.problem}")
        lines += [f"  → {a}" for a in self.advice]
        return "\n".join(lines)

    __repr__ = __str__


def _some(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"


@explained
def report(mechanism: Mechanism) -> Report:
    """Look at a mechanism as described, assembled if need be."""
    model, state = compile_mechanism(mechanism)
    w = Workspace(model, state)
    out = Report(
        name=mechanism.name,
        bodies=len(mechanism.bodies),
        joints=len(mechanism.joints),
        forces=len(mechanism.forces),
        coordinates=model.nv,
        equations=model.nc,
        rank=0,
        degrees_of_freedom=model.nv,
        loops=independent_loops(*_graph(mechanism)),
    )
    w.evaluate()
    scale = max(1e-9, 1e-9 * max((np.abs(b.position).max() for b in mechanism.bodies.values()), default=1.0))
    over = set(turned_over(w, model.joints))  # half a turn off, equations of directions are satisfied
    for name, row in model.joints.items():
        if float(np.abs(w.phi[row.equations]).max(initial=0.0)) > scale or name in over:
            out.gaps[name], out.units[name] = leftover(w, row)
    out.floating = [g for g in connected_groups(*_graph(mechanism)) if GROUND not in g]
    heaviest = max((b.shape.mass_properties().mass for b in mechanism.bodies.values()), default=0.0)
    out.light = [b.name for b in mechanism.bodies.values() if 0.0 < b.shape.mass_properties().mass < 1e-6 * heaviest]
    try:
        assembled = assemble(mechanism, model, state)
        w.load(assembled.state)
        out.dropped = assembled.dropped
        w.regularise()
    except AssemblyError as error:
        out.problem = str(error)
    except BielleError as error:  # a callable of the user that fails
        out.problem = str(error)
    failed = [callback.error for callback in model.callbacks if callback.error is not None]
    if failed:  # coefficients that are not numbers have no rank
        out.problem = str(failed[0])
        return out
    if model.nc:
        try:
            _analyse_redundancy(mechanism, w, out)
        except np.linalg.LinAlgError:
            out.problem = out.problem or (
                "Its lengths, masses or inertias are too large, too small or too far apart for arithmetic with 16 digits. "
                "Check them, and the units: metres and kilograms."
            )
    _advise(mechanism, out)
    return out


def _graph(mechanism: Mechanism) -> tuple[list[str], list[tuple[str, str]]]:
    """Bodies, and the joints between them; what couples joints connects no bodies that these do not."""
    owner = {f.name: f.body for f in mechanism.frames.values()}
    nodes = [GROUND, *mechanism.bodies]
    return nodes, [(owner.get(j.a, j.a), owner.get(j.b, j.b)) for j in mechanism.joints.values() if not j.through]


def _scaled_jacobian(w: Workspace) -> np.ndarray:
    """J L⁻ᵀ with M = LLᵀ: rows compared in the metric of the mass."""
    L = np.linalg.cholesky(w.mass_matrix())
    return np.linalg.solve(L, w.jacobian().T).T


def _null_space(A: np.ndarray) -> tuple[int, np.ndarray]:
    """Rank of A and an orthonormal basis of its left null space (rows)."""
    norms = np.linalg.norm(A, axis=1, keepdims=True)
    U, s, _ = np.linalg.svd(A / np.where(norms > 0, norms, 1.0), full_matrices=True)
    rank = int((s > 1e-8 * max(s.max(initial=0.0), 1.0)).sum())
    return rank, U[:, rank:].T


def _analyse_redundancy(mechanism: Mechanism, w: Workspace, out: Report) -> None:
    model = w.model
    w.evaluate()
    J = _scaled_jacobian(w)
    rank, null = _null_space(J)
    out.rank = rank
    out.degrees_of_freedom = model.nv - rank
    out.nonholonomic = rank - _null_space(J[model.arrays["level"] == 0])[0]
    if not len(null):
        return
    generic = _generic_rank(w, rank)
    # joints whose equations take part in the same dependencies belong together
    weight = {name: np.linalg.norm(null[:, row.equations], axis=1) for name, row in model.joints.items()}
    involved = [n for n, x in weight.items() if x.max(initial=0.0) > 1e-7]
    links = [
        (a, b)
        for i, a in enumerate(involved)
        for b in involved[i + 1 :]
        if _share(null, model.joints[a].equations, model.joints[b].equations)
    ]
    for group in connected_groups(involved, links):
        rows = np.concatenate([np.arange(model.joints[n].equations.start, model.joints[n].equations.stop) for n in group])
        count = int(np.linalg.matrix_rank(null[:, rows], tol=1e-7))
        out.redundancies.append(Redundancy(count, tuple(group), generic > rank))


def _share(null: np.ndarray, a: slice, b: slice) -> bool:
    """Whether two joints take part in a common dependency: the projector on the null space couples their rows."""
    return bool(np.abs(null[:, a].T @ null[:, b]).max(initial=0.0) > 1e-7)


def _generic_rank(w: Workspace, rank: int) -> int:
    """Rank a little way off along the free motions."""
    model = w.model
    q = w.q[: model.nq].copy()
    best = rank
    rng = np.random.default_rng(0)
    for _ in range(2):
        w.q[: model.nq] = q
        J = w.jacobian()
        free = np.linalg.svd(J, full_matrices=True)[2][rank:]
        if len(free):
            w.retract(0.05 * rng.standard_normal(len(free)) @ free)
        w.project()
        w.evaluate()
        if np.abs(w.phi[: model.nc]).max() < 1e-7:
            best = max(best, _null_space(_scaled_jacobian(w))[0])
    w.q[: model.nq] = q
    w.evaluate()
    return best


def _advise(mechanism: Mechanism, out: Report) -> None:
    for r in out.redundancies:
        if r.singular:
            out.advice.append(
                f"{', '.join(r.joints[:4])}: the mechanism is in a singular position, where it may branch; the solver passes through, "
                "but start elsewhere if the choice of the branch matters."
            )
            continue
        kinds = {n: type(mechanism.joints[n].kind).__struct_config__.tag for n in r.joints}
        options = [f"'{n}' by {LOOSER[k].words}" for n, k in kinds.items() if k in LOOSER]
        text = "The motion is right all the same, but the reactions in these joints are not unique."
        if options:
            text += f" To make them so, replace {' or '.join(options[:3])}."
        out.advice.append(text)
    if out.floating:
        out.advice.append("Parts not connected to the ground move freely; add a joint to 'ground' if that is not intended.")
    if out.degrees_of_freedom == 0 and out.ok and out.bodies:
        out.advice.append("The mechanism cannot move, except as imposed motions make it.")
