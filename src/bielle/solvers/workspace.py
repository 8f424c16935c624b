"""The context of a solver: with the routines that give accelerations and projections."""

import numpy as np

from ..formulations.accelerations import accelerate, project
from ..integrators.implicit import tangents
from ..kernels import slots
from ..kernels.lazy import entry
from ..model import Context, Model, State

__all__ = ["Workspace"]


class Workspace(Context):
    """Scratch of one solver; meaningless between steps except for the state it carries."""

    def __init__(
        self,
        model: Model,
        state: State | None = None,
        *,
        implicit: bool = False,
        accelerations: entry = accelerate,
        matrix: bool = True,
        refined: bool = True,
    ) -> None:
        """accelerations: the kernel that finds accelerations and multipliers; matrix: whether it, or anybody, needs the KKT matrix;
        refined: whether the regularisation is taken away again by refinement, so that it may be chosen for singular positions."""
        super().__init__(model, coupled=implicit, matrix=matrix)
        if not refined:
            self.scalar[[slots.S_MU, slots.S_TURNING]] = 1e-9, 1.0
        if model.massless:
            self.bind("mass", model.metric())
        if implicit:
            self.install({slots.R_TANGENTS: tangents})
        self._accelerations = accelerations
        self.install({slots.R_ACCELERATE: accelerations, slots.R_PROJECT: project})
        self.count[slots.N_ITERATIONS] = 8
        self.count[slots.N_PROJECT] = 4
        self.count[slots.N_EVERY] = 1
        if state is not None:
            self.load(state)
            if not state.mu.all():
                self.regularise()

    def compare_lengths(self) -> None:
        """Let gaps be compared with the size of the bodies: in whole powers of ten, so that an edit elsewhere hardly ever changes it."""
        self.scalar[slots.S_LENGTH] = 10.0 ** np.rint(np.log10(self.model.body_length))

    def accelerate(self) -> None:
        """Accelerations and multipliers at the present state."""
        self._accelerations(self.address)

    def project(self) -> None:
        """Positions and velocities onto the constraints."""
        project(self.address, 0, 4)
