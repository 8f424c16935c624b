"""A context: the arrays one solver works on, and the array of their addresses that kernels are called with."""

import threading

import numpy as np

from ..errors import VersionError
from ..kernels import blocksparse, program, slots
from ..kernels.lazy import entry
from ..kernels.memory import address_of
from .model import Model, slots_of
from .state import CARRIED, State

__all__ = ["Context"]

_INDEX = slots.INDEX
_LINE = 8  # numbers per cache line: fields start on lines of their own


_SPARES = 2
_sharing = threading.Lock()
_spare: list[np.ndarray] = []  # blocks of contexts that were released: fresh memory is slow where it is touched for the first time


def _take(length: int) -> np.ndarray:
    """Zeros, in memory that was used before if there is some of about that size."""
    with _sharing:
        fitting = next((i for i, block in enumerate(_spare) if length <= len(block) <= 2 * length + 4096), None)
        block = None if fitting is None else _spare.pop(fitting)
    if block is not None:
        block.fill(0.0)
        return block
    return np.zeros(length + length // 16)  # a little more, so that it fits a mechanism that grows


class Context:
    """Structure arrays shared with the model; state and scratch arrays of its own.

    An array is reached as an attribute by its name in the field table: ``context.q``, ``context.phi``… State and scratch live in one
    block, so that a context costs one allocation: a running simulation makes a new one at every change of topology.
    """

    def __init__(self, model: Model, *, coupled: bool = False) -> None:
        """coupled: with room in the matrix for the bodies that forces couple in an implicit scheme."""
        self.model = model
        matrix = model.matrix(coupled)
        couple = matrix.couple
        own = model.sizes | {"lu": matrix.elimination.length, "lu_temp": matrix.elimination.scratch, "coupling": matrix.coupling}
        self._lengths = np.zeros(len(_INDEX), dtype=np.int64)
        self._lengths[slots_of(tuple(own))] = list(own.values())
        starts = np.empty(len(_INDEX) + 1, dtype=np.int64)
        starts[0] = 0
        np.cumsum((self._lengths + (_LINE - 1)) // _LINE * _LINE, out=starts[1:])
        starts += _LINE
        self._starts = np.where(self._lengths > 0, starts[:-1], 0)  # empty fields point to the first line, which stays zero
        self._block = _take(int(starts[-1]))
        self.addresses = 8 * self._starts + address_of(self._block)
        self.address = address_of(self.addresses)  #: what kernels are called with
        for indices, addresses in (model.shared, matrix.shared):
            self.addresses[indices] = addresses
        self._tables = matrix.tables
        self.bind("count", model.arrays["count"].copy())
        if model.closings:
            self.bind("elem_p", model.arrays["elem_p"].copy())  # kernels/closing.py moves points
        self.count[slots.N_NODE] = len(matrix.elimination.order)
        self.count[slots.N_COUPLE] = len(couple)
        self.install(_ROUTINES)
        self.scalar[slots.S_GX : slots.S_GX + len(model.gravity)] = model.gravity
        self.scalar[slots.S_MU] = 1e-9

    def release(self) -> None:
        """Leave the memory to the next context: nobody must look at this one any more."""
        with _sharing:
            if len(_spare) < _SPARES:
                _spare.append(self._block)

    def install(self, routines: dict[int, entry]) -> None:
        """Let kernels call these through their addresses, by the R_… constants."""
        routine = self.routine
        for index, kernel in routines.items():
            routine[index] = kernel.address

    def bind(self, name: str, array: np.ndarray) -> None:
        """Put an array in the place of the field of that name."""
        if array.size == 0:
            array = np.zeros(1, dtype=array.dtype)
        array = np.ascontiguousarray(array)
        self.__dict__[name] = array
        self.addresses[_INDEX[name]] = address_of(array)

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in _INDEX:
            raise AttributeError(name)
        self.__dict__[name] = view = self._view(name)
        return view

    def _view(self, name: str) -> np.ndarray:
        """The array of a field: the model's, the matrix's, or a part of the block."""
        i = _INDEX[name]
        if slots.FIELDS[i].role == "structure":
            for shared in (self.model.arrays, self._tables):
                if name in shared and shared[name].size:
                    return shared[name]
        start = int(self._starts[i])
        view = self._block[start : start + max(int(self._lengths[i]), 1)]
        return view.view(np.int64) if slots.FIELDS[i].type is int else view

    def load(self, state: State) -> None:
        """Take over a state of the same model version."""
        if state.version != self.model.version:
            raise VersionError(
                f"The state belongs to version {state.version} of the model, but the model is at version {self.model.version}. "
                "Transfer the state, or compile the mechanism again."
            )
        for name in CARRIED:
            values = getattr(state, name)
            getattr(self, name)[: len(values)] = values
        scalar = self.scalar
        scalar[slots.S_TIME], scalar[slots.S_NEXT_STEP] = state.time, state.step
        self.status[slots.ST_FRESH] = int(state.settled)

    def state(self) -> State:
        """A copy of the present state."""
        sizes = self.model.sizes
        return State(
            version=self.model.version,
            time=float(self.scalar[slots.S_TIME]),
            **{name: getattr(self, name)[: sizes[name]].copy() for name in CARRIED},
            step=float(self.scalar[slots.S_NEXT_STEP]),
            settled=bool(self.status[slots.ST_FRESH]),
        )

    def evaluate(self) -> None:
        """Elements, residuals, Jacobian and bias at the present state."""
        program.evaluate(self.address)

    def apply_forces(self) -> None:
        """Forces at the present state (after :meth:`evaluate`)."""
        program.apply_forces(self.address)

    def retract(self, delta: np.ndarray) -> None:
        """q ← q ⊕ delta."""
        self.delta[: len(delta)] = delta
        program.retract(self.address)

    def commit(self) -> None:
        """Let components remember what they need of an accepted step."""
        program.commit(self.address)

    def regularise(self) -> None:
        """Scale the regularisation to the masses at the present position."""
        self.evaluate()
        blocksparse.regularise(self.address)

    def jacobian(self) -> np.ndarray:
        """Dense constraint Jacobian (nc, nv) of the last evaluation."""
        m = self.model
        J = np.zeros((m.nc, m.nv))
        for j in range(int(self.count[slots.N_JOINT])):
            c0, c1 = self.joint_c[j], self.joint_c[j + 1]
            for s in range(self.jb_start[j], self.jb_start[j + 1]):
                b = self.jb_body[s]
                nv, v0 = self.body_nv[b], self.body_v[b]
                o = self.jb_offset[s]
                J[c0:c1, v0 : v0 + nv] = self.jac[o : o + (c1 - c0) * nv].reshape(c1 - c0, nv)
        return J

    def mass_matrix(self) -> np.ndarray:
        """Dense mass matrix (nv, nv)."""
        m = self.model
        M = np.zeros((m.nv, m.nv))
        for row in m.bodies.values():
            n = row.kind.nv
            o = int(self.body_m[row.index])
            M[row.v, row.v] = self.mass[o : o + n * n].reshape(n, n)
        return M


_ROUTINES = {
    slots.R_EVALUATE: program.evaluate,
    slots.R_FORCES: program.apply_forces,
    slots.R_RETRACT: program.retract,
    slots.R_FACTOR: blocksparse.factor,
    slots.R_SOLVE: blocksparse.solve,
}
