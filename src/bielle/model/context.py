"""A context: the arrays one solver works on, and the array of their addresses that kernels are called with."""

import numpy as np

from ..errors import VersionError
from ..kernels import blocksparse, program, slots
from ..kernels.lazy import entry
from .model import Model
from .state import State

__all__ = ["Context"]

_INDEX = {f.name: i for i, f in enumerate(slots.FIELDS)}


class Context:
    """Structure arrays shared with the model; state and scratch arrays of its own.

    An array is reached as an attribute by its name in the field table: ``context.q``, ``context.phi``…
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._arrays: dict[str, np.ndarray] = {}
        self.addresses = np.zeros(len(slots.FIELDS), dtype=np.int64)
        for f in slots.FIELDS:
            if f.name in model.arrays:
                array = model.arrays[f.name]
                if f.role != "structure" or f.name in ("count", "param"):
                    array = array.copy()
            else:
                array = np.zeros(max(model.sizes.get(f.name, 0), 1), dtype=np.int64 if f.type is int else float)
            self.bind(f.name, array)
        self.routine[:] = 0
        self.install(_ROUTINES)
        self.scalar[slots.S_MU] = 1e-9

    def install(self, routines: dict[int, entry]) -> None:
        """Let kernels call these through their addresses, by the R_… constants."""
        for index, kernel in routines.items():
            self.routine[index] = kernel.address

    def bind(self, name: str, array: np.ndarray) -> None:
        """Put an array in the place of the field of that name."""
        if array.size == 0:
            array = np.zeros(1, dtype=array.dtype)
        array = np.ascontiguousarray(array)
        self._arrays[name] = array
        self.addresses[_INDEX[name]] = array.ctypes.data

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            return self.__dict__["_arrays"][name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def address(self) -> int:
        """What kernels are called with."""
        return self.addresses.ctypes.data

    def load(self, state: State) -> None:
        """Take over a state of the same model version."""
        if state.version != self.model.version:
            raise VersionError(
                f"The state belongs to version {state.version} of the model, but the model is at version {self.model.version}. "
                "Transfer the state, or compile the mechanism again."
            )
        for name in ("q", "v", "work", "lam", "memory"):
            values = getattr(state, name)
            self._arrays[name][: len(values)] = values
        self.scalar[slots.S_TIME] = state.time

    def state(self) -> State:
        """A copy of the present state."""
        m = self.model
        return State(
            version=m.version,
            time=float(self.scalar[slots.S_TIME]),
            q=self.q[: m.nq].copy(),
            v=self.v[: m.nv].copy(),
            work=self.work.copy(),
            lam=self.lam[: m.nc].copy(),
            memory=self.memory[: m.sizes["memory"]].copy(),
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
