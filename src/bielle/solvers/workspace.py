"""The context of a solver: with the routines that give accelerations and projections."""

from ..formulations.accelerations import accelerate, project
from ..integrators.implicit import tangents
from ..kernels import slots
from ..kernels.lazy import entry
from ..model import Context, Model, State

__all__ = ["Workspace"]


class Workspace(Context):
    """Scratch of one solver; meaningless between steps except for the state it carries."""

    def __init__(
        self, model: Model, state: State | None = None, *, implicit: bool = False, accelerations: entry = accelerate, matrix: bool = True
    ) -> None:
        """accelerations: the kernel that finds accelerations and multipliers; matrix: whether it, or anybody, needs the KKT matrix."""
        super().__init__(model, coupled=implicit, matrix=matrix)
        if implicit:
            self.install({slots.R_TANGENTS: tangents})
        self._accelerations = accelerations
        self.install({slots.R_ACCELERATE: accelerations, slots.R_PROJECT: project})
        self.count[slots.N_ITERATIONS] = 4
        self.count[slots.N_PROJECT] = 4
        self.count[slots.N_EVERY] = 1
        if state is not None:
            self.load(state)
            if not state.mu.all():
                self.regularise()

    def accelerate(self) -> None:
        """Accelerations and multipliers at the present state."""
        self._accelerations(self.address)

    def project(self) -> None:
        """Positions and velocities onto the constraints."""
        project(self.address, 0, 4)
