"""A context: the arrays one solver works on, and the array of their addresses that kernels are called with."""

from typing import Any

import numpy as np

from ..errors import VersionError
from ..kernels import blocksparse, program, regularisation, slots
from ..kernels.fields import LINE, MATRIX, OWN, STATE, STATE_START, Carving, Fields
from ..kernels.lazy import entry
from ..kernels.memory import Spares, Uncopyable, address_of
from .model import Model
from .state import State

__all__ = ["Context"]

_INDEX = slots.INDEX
_FIRST_SCRATCH = next(f.name for f in slots.FIELDS if f.role == "scratch")  # from there on fields need not be zero
_spares = Spares(2, float)
SOFTNESS = 2e-9  # ε of kernels/regularisation.py, best for singular positions
TURNING = 150.0  # how much softer equations between directions are


class Context(Uncopyable):
    """Structure and parameters shared with the model; state and scratch arrays of its own.

    An array is reached as an attribute by its name in the field table: ``context.q``, ``context.phi``… State and scratch live in one
    block, so that a context costs one allocation: a running simulation makes a new one at every change of topology.
    """

    def __init__(self, model: Model, *, coupled: bool = False, matrix: bool = True) -> None:
        """coupled: with room in the matrix for the bodies that forces couple in an implicit scheme; matrix: False: without one."""
        self.model = model
        layout = model.layout
        count, self.addresses = layout.count.copy(), layout.addresses.copy()
        self._matrix: Fields | None = None
        if matrix:
            found = model.matrix(coupled)
            count[slots.N_NODE : slots.N_COUPLING + 1] = found.sizes
            self._matrix, self.addresses[MATRIX.slots] = found.fields, found.addresses
        self._own = own = Fields(OWN, Carving(count), _spares.take)
        own.block[: own.start(_FIRST_SCRATCH) or None] = 0.0
        self.addresses[OWN.slots] = own.addresses
        self.address = address_of(self.addresses)  #: what kernels are called with
        self.count[:] = count
        if model.closings:
            self.bind("elem_p", layout.parameters["elem_p"].copy())  # kernels/closing.py moves points
        self.install(_ROUTINES if matrix else _ROUTINES | _WITHOUT_MATRIX)
        self.scalar[slots.S_GX : slots.S_GX + len(model.gravity)] = model.gravity
        self.scalar[[slots.S_MU, slots.S_TURNING, slots.S_LENGTH]] = SOFTNESS, TURNING, 1.0

    def release(self) -> None:
        """Leave the memory to the next context: nobody must look at this one any more."""
        _spares.give_back(self._own.block)

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
        if name not in _INDEX or (name in MATRIX.place and self._matrix is None):
            raise AttributeError(name)
        fields: Any = self._own if name in OWN.place else self._matrix if name in MATRIX.place else self.model.arrays
        self.__dict__[name] = view = fields[name]
        return view

    def load(self, state: State) -> None:
        """Take over a state of the same model version."""
        if state.version != self.model.version:
            raise VersionError(
                f"The state belongs to version {state.version} of the model, but the model is at version {self.model.version}. "
                "Transfer the state, or compile the mechanism again."
            )
        values = state.fields.block[LINE:]
        self._own.block[STATE_START : STATE_START + len(values)] = values.view(np.float64)
        scalar = self.scalar
        scalar[slots.S_TIME], scalar[slots.S_NEXT_STEP] = state.time, state.step
        self.status[slots.ST_FRESH] = int(state.settled)

    def state(self) -> State:
        """A copy of the present state."""
        fields = Fields(STATE, self.model.layout.carving)
        fields.block[LINE:] = self._own.block[STATE_START : STATE_START + len(fields.block) - LINE].view(np.int64)
        scalar = self.scalar
        time, step = float(scalar[slots.S_TIME]), float(scalar[slots.S_NEXT_STEP])
        return State(self.model.version, time, fields, step, bool(self.status[slots.ST_FRESH]))

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
        """Scale the regularisation to masses and geometry at the present position."""
        self.evaluate()
        regularisation.regularise(self.address)

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
    slots.R_ELIMINATE: blocksparse.eliminate,
    slots.R_SOLVE: blocksparse.solve,
}
_WITHOUT_MATRIX = {index: blocksparse.refuse for index in (slots.R_FACTOR, slots.R_ELIMINATE, slots.R_SOLVE)}
