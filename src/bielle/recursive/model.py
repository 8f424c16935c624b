"""RecursiveModel: the bodies of a mechanism in joint coordinates, and the functions of robotics on them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError, SingularError, unknown
from ..kernels import tree as t
from ..kernels.lazy import entry
from ..kernels.motions import FREE, SPHERICAL
from ..mechanism.components import missing_attribute
from ..mechanism.description import Pose
from ..model import Model, State
from . import constrained, sums
from .aba import aba
from .bodies import observe
from .calls import Calls, Function
from .configurations import difference, integrate
from .crba import crba, crba_sparse
from .derivatives import aba_derivatives, rnea_derivatives
from .factor import factor
from .jacobians import AXES, jacobian
from .kinematics import poses
from .rnea import rnea
from .wrenches import twists, wrenches

__all__ = ["RecursiveModel"]


_STATE = {"q": t.T_Q, "v": t.T_V}
_MATRICES = {"by_q": t.T_BY_Q, "by_v": t.T_BY_V, "matrix": t.T_MASS}
_WRENCHES = Function(wrenches, 0, {**_STATE, "a": t.T_A}, {"per_link": t.T_OUT})
_TWISTS = {axes: Function(twists, number, _STATE, {"per_link": t.T_OUT}) for axes, number in AXES.items()}
_RNEA = Function(rnea, t.ACCELERATED, {**_STATE, "a": t.T_A}, {"tau": t.T_TAU})
_BIAS = Function(rnea, 0, _STATE, {"tau": t.T_TAU})
_ABA = Function(aba, 0, {**_STATE, "tau": t.T_TAU}, {"a": t.T_A})
_CRBA = Function(crba, 0, {"q": t.T_Q}, {"matrix": t.T_MASS})
_CRBA_SPARSE = Function(crba_sparse, 0, {"q": t.T_Q}, {"entries": t.T_MASS})
_FACTOR = Function(factor, 0, {"q": t.T_Q}, {"matrix": t.T_MASS})
_POSES = Function(poses, 0, {"q": t.T_Q}, {"poses": t.T_OUT})
_JACOBIAN = Function(jacobian, 0, {"q": t.T_Q}, {"jacobian": t.T_OUT})
_INTEGRATE = Function(integrate, 0, {"q": t.T_Q, "dq": t.T_V}, {"new_q": t.T_OUT})
_DIFFERENCE = Function(difference, 0, {"q": t.T_Q, "to_q": t.T_A}, {"dq": t.T_OUT})
_CENTRE = Function(sums.add_up, sums.MASS_CENTRE, {"q": t.T_Q}, {"three": t.T_OUT})
_MOMENTUM = Function(sums.add_up, sums.MOMENTUM, _STATE, {"six": t.T_OUT})
_KINETIC = Function(sums.add_up, sums.KINETIC, _STATE, {"one": t.T_OUT})
_POTENTIAL = Function(sums.add_up, sums.POTENTIAL, {"q": t.T_Q}, {"one": t.T_OUT})
_CONSTRAINED = Function(constrained.constrained_dynamics, 0, {**_STATE, "tau": t.T_TAU}, {"a": t.T_A, "lam": t.T_LAMBDA}, coupled=True)
_CONSTRAINT_JACOBIAN = Function(constrained.constraint_jacobian, 0, _STATE, {"loop_jacobian": t.T_OUT}, coupled=True)
_RESIDUAL = Function(constrained.constraint_residual, 0, _STATE, {"lam": t.T_OUT, "rate": t.T_OUT_V}, coupled=True)
_CLOSE = Function(constrained.close_loops, 0, _STATE, {"new_q": t.T_OUT, "dq": t.T_OUT_V}, coupled=True)
_DESCRIBED = Function(observe, 0, {}, {}, coupled=True)
_APPLIED = Function(constrained.applied_forces, 0, _STATE, {"tau": t.T_TAU}, coupled=True)
_RNEA_DERIVATIVES = Function(rnea_derivatives, 0, {**_STATE, "a": t.T_A}, _MATRICES, derivatives=True)
_ABA_DERIVATIVES = Function(aba_derivatives, 0, {**_STATE, "tau": t.T_TAU}, _MATRICES, derivatives=True)


_QUICK = ("rnea", "crba", "aba", "rnea_derivatives", "aba_derivatives")  # a microsecond or few: Python's own errors must do


@partial(explained_methods, but=_QUICK)
class RecursiveModel(Calls):
    """Made by ``mechanism.recursive()``. Forces of the mechanism are not part of it: efforts in joints are given.

    q (nq,) and v (nv,) stand in the order of ``links``, joint by joint; see :mod:`bielle.kernels.motions` for what they are.
    Functions return fresh arrays, or write to ``out`` if it is given: an array, or a tuple of as many as there are results. Those with
    ``_batch`` in their names take as many states as there are rows, and share them out among all cores. Any number of threads may call.
    """

    def __init__(self, model: Model, state: State, root: str | None = None) -> None:
        super().__init__(model, state, root)
        self._rest, self._square = np.zeros(self.nv), (self.nv, self.nv)
        self._asked, self._asking = self._tree.array(t.T_ASKED), threading.Lock()
        self._last_asked: tuple[float, ...] = ()
        self._rnea, self._bias = self._quick(rnea, t.ACCELERATED), self._quick(rnea, 0)
        self._crba, self._aba, self._jacobian = self._quick(crba), self._quick(aba), self._quick(jacobian)
        self._slopes: dict[entry, Callable[..., Any]] = {}  # kernels of derivatives, once they are asked for

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self._tree.model, self._state, self._root, self.armature)  # a copy has a table of its own

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            raise missing_attribute("A recursive model", name, dir(type(self)))

    @property
    def armature(self) -> np.ndarray:
        """(nv,) inertia that each joint adds to itself, of a rotor behind a gear say; yours to write to."""
        return self._tree.armature

    # -- configurations

    def neutral(self) -> np.ndarray:
        """q (nq,) in which both frames of every joint coincide: zeros, and unit quaternions."""
        q = np.zeros(self.nq)
        for i, link in enumerate(self.links):
            if link.motion.number in (SPHERICAL, FREE):
                q[self._tree.q0[i] + (3 if link.motion.number == FREE else 0)] = 1.0
        return q

    def coordinates(self, joint: str) -> tuple[slice, slice]:
        """Places of the coordinates and velocities of a joint in q and v; a free body's go by the name of the body."""
        q0, v0 = self._tree.q0, self._tree.v0
        for i, link in enumerate(self.links):
            if link.joint == joint:
                return slice(q0[i], q0[i + 1]), slice(v0[i], v0[i + 1])
        raise unknown("joint of the tree", joint, [link.joint for link in self.links])

    def _at_rest(self, q: Any) -> np.ndarray:
        """Velocities (states, nv) for as many states as q has."""
        return np.zeros((np.shape(q)[0] if np.ndim(q) else 0, self.nv))

    def integrate(self, q: Any, dq: Any, out: np.ndarray | None = None) -> np.ndarray:
        """q ⊕ dq: where one gets from q with the velocities dq (nv,) in one second. Quaternions come out with unit length."""
        return self._call(_INTEGRATE, {"q": q, "dq": dq}, out)

    def integrate_batch(self, q: Any, dq: Any, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`integrate` for rows of q and dq."""
        return self._batch(_INTEGRATE, {"q": q, "dq": dq}, out)

    def difference(self, q: Any, to_q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """dq (nv,) with ``integrate(q, dq)`` = to_q: along the shorter way where quaternions turn."""
        return self._call(_DIFFERENCE, {"q": q, "to_q": to_q}, out)

    def difference_batch(self, q: Any, to_q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`difference` for rows of q and to_q."""
        return self._batch(_DIFFERENCE, {"q": q, "to_q": to_q}, out)

    def described(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the described positions and velocities. What joints do not allow is left out."""
        tree = self._take(_DESCRIBED)
        context = tree.coupling.context  # whose bodies are where the last call has left them
        context.q[:], context.v[:] = self._state.q, self._state.v
        observe(tree.address)
        q, v = tree.array(t.T_Q)[: self.nq].copy(), tree.array(t.T_V)[: self.nv].copy()
        self._free.append(tree)
        return q, v

    # -- kinematics

    def forward_kinematics(self, q: Any, out: np.ndarray | None = None) -> dict[str, Pose]:
        """Where every body frame stands. out: an array (links, 12) that the poses are views of: rotation, row by row, and position."""
        found = self._call(_POSES, {"q": q}, out)
        return {link.name: Pose(x[9:], x[:9].reshape(3, 3)) for link, x in zip(self.links, found)}

    def forward_kinematics_batch(self, q: Any, out: np.ndarray | None = None) -> dict[str, Pose]:
        """Poses with positions (states, 3) and rotations (states, 3, 3)."""
        found = self._batch(_POSES, {"q": q}, out)
        return {link.name: Pose(found[:, i, 9:], found[:, i, :9].reshape(-1, 3, 3)) for i, link in enumerate(self.links)}

    def jacobian(self, q: Any, body: str, axes: str, point: Any = (0.0, 0.0, 0.0), out: np.ndarray | None = None) -> np.ndarray:
        """J (6, nv): velocity (rows 0–2) and angular velocity (rows 3–5) of a body from v.

        axes
            ``world_aligned``  of ``point`` (in the body frame), in world axes
            ``local``          of ``point``, in the axes of the body frame
            ``world``          of the point of the body that passes through the origin of the world, in world axes
        """
        asked = self._ask(body, axes, point)
        out = np.empty(self._shapes["jacobian"]) if out is None else out
        with self._asking:
            if asked != self._last_asked:
                self._asked[:5] = self._last_asked = asked
            done = self._jacobian(q, out) is None
        return out if done else self._call(_JACOBIAN, {"q": q}, out, asked=asked)

    def jacobian_batch(self, q: Any, body: str, axes: str, point: Any = (0.0, 0.0, 0.0), out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`jacobian` (states, 6, nv) for rows of q."""
        return self._batch(_JACOBIAN, {"q": q}, out, asked=self._ask(body, axes, point))

    def body_twists(self, q: Any, v: Any, axes: str, out: np.ndarray | None = None) -> np.ndarray:
        """(links, 6): velocity (columns 0–2) [m/s] and angular velocity (3–5) [rad/s] of every body, in the order of ``links``.

        axes: as in :meth:`jacobian`, ``point`` being the origin of the body frame; row i is ``jacobian(q, links[i].name, axes) @ v``.
        """
        self._check_axes(axes, "twist")
        return self._call(_TWISTS[axes], {"q": q, "v": v}, out)

    def body_twists_batch(self, q: Any, v: Any, axes: str, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`body_twists` (states, links, 6) for rows of q and v."""
        self._check_axes(axes, "twist")
        return self._batch(_TWISTS[axes], {"q": q, "v": v}, out)

    def _check_axes(self, axes: str, what: str) -> None:
        if axes not in AXES:
            raise unknown(f"axes of a {what}", axes, AXES)

    def _ask(self, body: str, axes: str, point: Any) -> tuple[float, ...]:
        """What the kernel of Jacobians wants to know."""
        if body not in self.row:
            raise unknown("body", body, self.row)
        self._check_axes(axes, "Jacobian")
        try:
            x, y, z = point
            return self.row[body], AXES[axes], float(x), float(y), float(z)
        except (TypeError, ValueError):
            raise DescriptionError(f"The point of a Jacobian must be three numbers, in the body frame, got {point!r}.") from None

    def center_of_mass(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """(3,) in world axes [m]."""
        return self._call(_CENTRE, {"q": q}, out)

    def center_of_mass_batch(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """(states, 3)"""
        return self._batch(_CENTRE, {"q": q}, out)

    def centroidal_momentum(self, q: Any, v: Any, out: np.ndarray | None = None) -> np.ndarray:
        """(6,) linear momentum [N·s], and angular momentum about the centre of mass [N·m·s], in world axes."""
        return self._call(_MOMENTUM, {"q": q, "v": v}, out)

    def centroidal_momentum_batch(self, q: Any, v: Any, out: np.ndarray | None = None) -> np.ndarray:
        """(states, 6)"""
        return self._batch(_MOMENTUM, {"q": q, "v": v}, out)

    def kinetic_energy(self, q: Any, v: Any) -> float:
        """½ vᵀ M v [J]"""
        return float(self._call(_KINETIC, {"q": q, "v": v})[0])

    def kinetic_energy_batch(self, q: Any, v: Any) -> np.ndarray:
        """(states,)"""
        return self._batch(_KINETIC, {"q": q, "v": v})[:, 0]

    def potential_energy(self, q: Any) -> float:
        """Of weight [J]; zero where the mass is at the origin of the world."""
        return float(self._call(_POTENTIAL, {"q": q})[0])

    def potential_energy_batch(self, q: Any) -> np.ndarray:
        """(states,)"""
        return self._batch(_POTENTIAL, {"q": q})[:, 0]

    def __repr__(self) -> str:
        links, velocities = f"link{'' if len(self.links) == 1 else 's'}", "velocity" if self.nv == 1 else "velocities"
        loops = f", closed by {', '.join(self.loops[:4])}{', …' if len(self.loops) > 4 else ''}" if self.loops else ""
        return f"RecursiveModel: {len(self.links)} {links}, {self.nv} {velocities}{loops}; ask for rnea, aba, crba, jacobian, …"

    # -- dynamics

    def rnea(self, q: Any, v: Any, a: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """τ = M(q) a + h(q, v): what the joints have to do for the accelerations a.

        forces: efforts on bodies from outside, (links, 6) or by name: force and torque about the origin of the body frame, in world axes
        """
        out = np.empty(self.nv) if out is None else out
        if forces is None and self._rnea(q, v, a, out) is None:
            return out
        return self._call(_RNEA, {"q": q, "v": v, "a": a}, out, forces)

    def rnea_batch(self, q: Any, v: Any, a: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`rnea` for rows of q, v, a and forces (states, links, 6)."""
        return self._batch(_RNEA, {"q": q, "v": v, "a": a}, out, forces)

    def joint_wrenches(self, q: Any, v: Any, a: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """(links, 6): the whole effort that each body is held with, force (columns 0–2) [N] and moment (3–5) [N·m], in world axes.

        Row i acts on body ``links[i].name``, exerted by what it hangs on, through the joint; the moment is about the joint's place on this
        body, or about the origin of a free body. It is what Newton's and Euler's laws leave for the joint: τ of :meth:`rnea` is its part
        along what the joint leaves free, armature aside, the rest is the reaction. Joints that close loops are left out, unless what they
        do is given by ``forces``, as in :meth:`rnea`.
        """
        return self._call(_WRENCHES, {"q": q, "v": v, "a": a}, out, forces)

    def joint_wrenches_batch(self, q: Any, v: Any, a: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`joint_wrenches` (states, links, 6) for rows of q, v, a and forces (states, links, 6)."""
        return self._batch(_WRENCHES, {"q": q, "v": v, "a": a}, out, forces)

    def bias_forces(self, q: Any, v: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """h(q, v) = rnea(q, v, 0): gravity, centrifugal and gyroscopic forces."""
        out = np.empty(self.nv) if out is None else out
        if forces is None and self._bias(q, v, out) is None:
            return out
        return self._call(_BIAS, {"q": q, "v": v}, out, forces)

    def bias_forces_batch(self, q: Any, v: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`bias_forces` for rows of q and v."""
        return self._batch(_BIAS, {"q": q, "v": v}, out, forces)

    def gravity_forces(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """h(q, 0)."""
        return self.bias_forces(q, self._rest, None, out)

    def gravity_forces_batch(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`gravity_forces` for rows of q."""
        return self.bias_forces_batch(q, self._at_rest(q), None, out)

    def crba(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """The mass matrix M(q) (nv, nv).

        All entries are written, so this takes a time that grows with nv², also for trees where most of them are zero; there
        :meth:`crba_sparse` takes less. Without a matrix:
        M a is ``rnea(q, 0, a)`` less ``gravity_forces(q)``, and M⁻¹ is in :meth:`aba`.
        """
        out = np.empty(self._square) if out is None else out
        return out if self._crba(q, out) is None else self._call(_CRBA, {"q": q}, out)

    def crba_batch(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`crba` (states, nv, nv) for rows of q."""
        return self._batch(_CRBA, {"q": q}, out)

    def crba_sparse(self, q: Any) -> Any:
        """The mass matrix M(q) as a ``scipy.sparse.csc_array``, with those entries only whose velocities move each other.

        There are Σ (2 dᵢ + 1) of them if velocity i hangs on dᵢ others, and the work grows with their number: nv times the depth of the
        tree. The pattern is the same for all q.
        """
        self._shapes["entries"] = (self._pattern[3],)
        return self._sparse(self._call(_CRBA_SPARSE, {"q": q}))

    def crba_sparse_batch(self, q: Any) -> list[Any]:
        """:meth:`crba_sparse` for rows of q."""
        self._shapes["entries"] = (self._pattern[3],)
        return [self._sparse(entries) for entries in self._batch(_CRBA_SPARSE, {"q": q})]

    def _sparse(self, entries: np.ndarray) -> Any:
        """A symmetric matrix of what kernels find of it."""
        from scipy.sparse import csc_array

        order, rows, starts, _ = self._pattern
        return csc_array((entries[order], rows.copy(), starts.copy()), self._square)

    @cached_property
    def _pattern(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """Of the mass matrix, by columns: which of the entries of a kernel stands there, its row, and where columns start; how many a
        kernel finds."""
        pairs = np.array(self._tree.related(), dtype=np.int32).reshape(-1, 2)
        entry, below = np.arange(len(pairs)), pairs[:, 0] != pairs[:, 1]
        rows, columns = np.concatenate([pairs, pairs[below, ::-1]]).T
        order = np.lexsort((rows, columns))
        starts = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=self.nv))]).astype(np.int32)
        return np.concatenate([entry, entry[below]])[order], rows[order], starts, len(pairs)

    def mass_matrix_factor(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """L (nv, nv), lower triangular, with M = LᵀL; an entry is zero where neither of its velocities moves the other. Dense, as M is."""
        return self._call(_FACTOR, {"q": q}, out)

    def mass_matrix_factor_batch(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`mass_matrix_factor` (states, nv, nv) for rows of q."""
        return self._batch(_FACTOR, {"q": q}, out)

    def aba(self, q: Any, v: Any, tau: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """Accelerations a with M(q) a + h(q, v) = τ. forces: as in :meth:`rnea`."""
        out = np.empty(self.nv) if out is None else out
        if forces is None and self._aba(q, v, tau, out) is None:
            return out
        return self._call(_ABA, {"q": q, "v": v, "tau": tau}, out, forces)

    def aba_batch(self, q: Any, v: Any, tau: Any, forces: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`aba` for rows of q, v, tau and forces (states, links, 6)."""
        return self._batch(_ABA, {"q": q, "v": v, "tau": tau}, out, forces)

    def rnea_derivatives(self, q: Any, v: Any, a: Any, out: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """∂τ/∂q, ∂τ/∂v and ∂τ/∂a = M (nv, nv) of ``rnea(q, v, a)``; changes of q are those of ``integrate(q, dq)``."""
        found = self._matrices(rnea_derivatives, q, v, a, out)
        return self._call(_RNEA_DERIVATIVES, {"q": q, "v": v, "a": a}, out) if found is None else found

    def rnea_derivatives_batch(self, q: Any, v: Any, a: Any, out: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """:meth:`rnea_derivatives`, each (states, nv, nv), for rows of q, v and a."""
        return self._batch(_RNEA_DERIVATIVES, {"q": q, "v": v, "a": a}, out)

    def aba_derivatives(self, q: Any, v: Any, tau: Any, out: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """∂a/∂q, ∂a/∂v and ∂a/∂τ = M⁻¹ (nv, nv) of ``aba(q, v, tau)``; changes of q are those of ``integrate(q, dq)``."""
        found = self._matrices(aba_derivatives, q, v, tau, out)
        return self._call(_ABA_DERIVATIVES, {"q": q, "v": v, "tau": tau}, out) if found is None else found

    def aba_derivatives_batch(self, q: Any, v: Any, tau: Any, out: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """:meth:`aba_derivatives`, each (states, nv, nv), for rows of q, v and tau."""
        return self._batch(_ABA_DERIVATIVES, {"q": q, "v": v, "tau": tau}, out)

    def _matrices(self, kernel: entry, q: Any, v: Any, x: Any, out: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """Derivatives, if the arrays are as their kernel takes them."""
        if kernel not in self._slopes:
            with self._preparing:
                self._tree.allow_derivatives()
                self._slopes[kernel] = self._quick(kernel)
        found = (np.empty(self._square), np.empty(self._square), np.empty(self._square)) if out is None else out
        return found if isinstance(found, tuple) and len(found) == 3 and self._slopes[kernel](q, v, x, *found) is None else None

    # -- loops, and forces of the mechanism

    def equations(self, joint: str) -> slice:
        """Places of the equations of a joint that closes a loop, in λ and in the rows of the Jacobian."""
        if joint not in self.loops:
            raise unknown("joint that closes a loop", joint, self.loops)
        return self._equations[joint]

    def forward_dynamics_constrained(
        self, q: Any, v: Any, tau: Any, forces: Any = None, time: float = 0.0, out: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Accelerations a (nv,) and multipliers λ of the joints that close loops: M a + h = τ + Jᵀλ, and a keeps them closed.

        Equations may depend on each other: then λ are the smallest of those that do. q and v should be closed: :meth:`close_loops`.
        """
        return self._call(_CONSTRAINED, {"q": q, "v": v, "tau": tau}, out, forces, time)

    def forward_dynamics_constrained_batch(
        self, q: Any, v: Any, tau: Any, forces: Any = None, time: float = 0.0, out: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """:meth:`forward_dynamics_constrained` for rows of q, v, tau and forces."""
        return self._batch(_CONSTRAINED, {"q": q, "v": v, "tau": tau}, out, forces, time)

    def inverse_dynamics_constrained(
        self, q: Any, v: Any, a: Any, actuated: Any = None, forces: Any = None, time: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Efforts τ (nv,) and multipliers λ with M a + h = τ + Jᵀλ for accelerations a that keep the loops closed.

        actuated: joints that can do something; τ of the others is zero. Of all efforts that do, the smallest. Raises a SingularError
        if there are none: the accelerations need efforts in other joints.
        """
        needed, J = self.rnea(q, v, a, forces), self.constraint_jacobian(q, time)
        return self._distribute(needed, J, self._actuated(actuated))

    def inverse_dynamics_constrained_batch(
        self, q: Any, v: Any, a: Any, actuated: Any = None, forces: Any = None, time: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """:meth:`inverse_dynamics_constrained` for rows of q, v, a and forces."""
        needed, J, columns = self.rnea_batch(q, v, a, forces), self.constraint_jacobian_batch(q, time), self._actuated(actuated)
        found = [self._distribute(*one, columns) for one in zip(needed, J)]
        return np.array([tau for tau, _ in found]).reshape(len(needed), self.nv), np.array([lam for _, lam in found]).reshape(J.shape[:2])

    def _actuated(self, joints: Any) -> np.ndarray:
        """Velocities of joints, by their names."""
        if joints is None:
            return np.arange(self.nv)
        return np.array([k for name in joints for k in range(*self.coordinates(name)[1].indices(self.nv))], dtype=int)

    def _distribute(self, needed: np.ndarray, J: np.ndarray, columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """λ such that the rest can be done by the actuated joints, with as little as possible."""
        others = np.setdiff1d(np.arange(self.nv), columns)
        lam = np.linalg.lstsq(J[:, others].T, needed[others], rcond=1e-12)[0] if len(others) else np.zeros(len(J))
        left = np.abs(needed[others] - J[:, others].T @ lam).max(initial=0.0)
        if left > 1e-9 * (1.0 + np.abs(needed).max(initial=0.0)):
            raise SingularError(
                f"The accelerations need efforts in joints that are not actuated ({left:.3g} N or N·m are left over). Name more joints."
            )
        if len(J):  # what is free in λ makes τ small
            free = _kernel(J[:, others].T)
            lam = lam + free @ np.linalg.lstsq(J[:, columns].T @ free, needed[columns] - J[:, columns].T @ lam, rcond=1e-12)[0]
        tau = np.zeros(self.nv)
        tau[columns] = needed[columns] - J[:, columns].T @ lam
        return tau, lam

    def constraint_jacobian(self, q: Any, time: float = 0.0, out: np.ndarray | None = None) -> np.ndarray:
        """J (equations, nv) of the joints that close loops: φ̇ = J v, but for what depends on time."""
        return self._call(_CONSTRAINT_JACOBIAN, {"q": q, "v": self._rest}, out, time=time)

    def constraint_jacobian_batch(self, q: Any, time: float = 0.0, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`constraint_jacobian` (states, equations, nv) for rows of q."""
        return self._batch(_CONSTRAINT_JACOBIAN, {"q": q, "v": self._at_rest(q)}, out, time=time)

    def constraint_residual(self, q: Any, v: Any, time: float = 0.0, out: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """φ and φ̇ of the joints that close loops."""
        return self._call(_RESIDUAL, {"q": q, "v": v}, out, time=time)

    def constraint_residual_batch(self, q: Any, v: Any, time: float = 0.0, out: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """:meth:`constraint_residual` for rows of q and v."""
        return self._batch(_RESIDUAL, {"q": q, "v": v}, out, time=time)

    def close_loops(self, q: Any, v: Any = None, time: float = 0.0, out: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """q and v nearest to those given, in the metric of the mass, with which all loops are closed. From far away it may fail: see
        :meth:`constraint_residual`."""
        return self._call(_CLOSE, {"q": q, "v": self._rest if v is None else v}, out, time=time)

    def close_loops_batch(self, q: Any, v: Any = None, time: float = 0.0, out: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """:meth:`close_loops` for rows of q and v."""
        return self._batch(_CLOSE, {"q": q, "v": self._at_rest(q) if v is None else v}, out, time=time)

    def applied_forces(self, q: Any, v: Any, time: float = 0.0, out: np.ndarray | None = None) -> np.ndarray:
        """τ (nv,): what the forces of the mechanism (springs, dampers, motors, …) do in the joints; ``aba(q, v, tau)`` with it moves as the
        mechanism does. Angles that forces count over many turns are those nearest to the described configuration."""
        return self._call(_APPLIED, {"q": q, "v": v}, out, time=time)

    def applied_forces_batch(self, q: Any, v: Any, time: float = 0.0, out: np.ndarray | None = None) -> np.ndarray:
        """:meth:`applied_forces` for rows of q and v."""
        return self._batch(_APPLIED, {"q": q, "v": v}, out, time=time)


def _remade(model: Model, state: State, root: str | None, armature: np.ndarray) -> RecursiveModel:
    out = RecursiveModel(model, state, root)
    out.armature[:] = armature
    return out


def _kernel(A: np.ndarray) -> np.ndarray:
    """Columns that span the vectors A x = 0."""
    if not A.size:
        return np.eye(A.shape[1])
    _, s, V = np.linalg.svd(A)
    return V[int(np.count_nonzero(s > 1e-12 * s[0])) :].T
