"""The context of the central solver: with the routines that give accelerations and projections."""

import numpy as np

from ..formulations.accelerations import accelerate, project
from ..integrators.implicit import tangents
from ..kernels import slots
from ..model import Context, Model, State
from ..model.kkt import force_couplings, kkt_tables

__all__ = ["Workspace"]


class Workspace(Context):
    """Scratch of one central solver; meaningless between steps except for the state it carries."""

    def __init__(self, model: Model, state: State | None = None, *, implicit: bool = False) -> None:
        super().__init__(model)
        if implicit:
            self.install({slots.R_TANGENTS: tangents})
            if self.count[slots.N_TANGENTS] > 0:
                self._couple()
        self.install({slots.R_ACCELERATE: accelerate, slots.R_PROJECT: project})
        self.count[slots.N_ITERATIONS] = 4
        self.count[slots.N_PROJECT] = 4
        self.count[slots.N_EVERY] = 1
        if state is not None:
            self.load(state)
            self.regularise()

    def _couple(self) -> None:
        """Make room in the matrix for the bodies that forces couple in an implicit scheme."""
        elimination, tables = kkt_tables(self.model.arrays, force_couplings(self.model.arrays))
        for name, table in tables.items():
            self.bind(name, table)
        self.count[slots.N_COUPLE] = len(tables["couple"]) // 6
        couple = tables["couple"].reshape(-1, 6)
        self.bind("coupling", np.zeros(int((couple[:, 4] * couple[:, 5]).sum())))
        self.bind("lu", np.zeros(elimination.length))
        self.bind("lu_temp", np.zeros(elimination.scratch))

    def accelerate(self) -> None:
        """Accelerations and multipliers at the present state."""
        accelerate(self.address)

    def project(self) -> None:
        """Positions and velocities onto the constraints."""
        project(self.address, 0, 4)
