"""Result: what a run computed, asked by the names of the components."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import unknown
from ..mechanism.description import GROUND
from ..mechanism.mechanism import Mechanism
from ..model import Model
from .energy import Energy
from .quantities import BodyResult, ForceResult, FrameResult, JointResult
from .sweep import Sweeper

if TYPE_CHECKING:
    from .table import Table

__all__ = ["Result"]


class Result:
    """Motion, reactions and energies at the sampled times.

    ``run["lower"].position`` · ``run["elbow"].force(on="upper", axes="upper")`` · ``run.energy.balance`` · ``run.violation``
    """

    def __init__(self, mechanism: Mechanism, model: Model, samples: dict[str, np.ndarray], *, info: dict[str, Any] | None = None) -> None:
        self.mechanism = mechanism
        self.model = model
        self.samples = samples
        self.info = info or {}
        self._cache: dict[str, Any] = {}

    @property
    def time(self) -> np.ndarray:
        """(n,) sampled times [s]."""
        return self.samples["t"]

    t = time

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, name: Any) -> Any:
        """The results of a body, joint, force or frame."""
        name = name if isinstance(name, str) else getattr(name, "name", repr(name))
        if name not in self._cache:
            self._cache[name] = self._make(name)
        return self._cache[name]

    def _make(self, name: str) -> BodyResult | JointResult | ForceResult | FrameResult:
        m = self.mechanism
        if name in m.bodies:
            return BodyResult(self, name)
        if name in m.joints:
            return JointResult(self, name)
        if name in m.forces:
            return ForceResult(self, name)
        if name in m.frames:
            return FrameResult(self, name)
        raise unknown("component", name, self.names())

    def names(self) -> list[str]:
        """Names that can be asked for."""
        m = self.mechanism
        return [*m.bodies, *m.joints, *m.forces, *m.frames]

    @cached_property
    def sweeper(self) -> Sweeper:
        return Sweeper(self.model, self.samples)

    @cached_property
    def energy(self) -> Energy:
        """Energies and their balance."""
        return Energy(self)

    @cached_property
    def violation(self) -> np.ndarray:
        """(n,) largest constraint residual over all joints [m, or 1 for directions]."""
        position, _ = self.sweeper.violation()
        return position.max(axis=1) if position.size else np.zeros(len(self))

    @cached_property
    def velocity_violation(self) -> np.ndarray:
        """(n,) largest rate of a constraint residual over all joints."""
        _, velocity = self.sweeper.violation()
        return velocity.max(axis=1) if velocity.size else np.zeros(len(self))

    def plot(self, *quantities: str, path: Any = None) -> Any:
        """Plot quantities such as ``"lower.position"``, ``"elbow.force.x"``, ``"energy"`` over time; without any, an overview.

        With a path (``.png``, ``.svg``, ``.pdf``) it is written there and the path returned; without, a figure is returned, which a
        notebook shows. See :mod:`bielle.results.plots`.
        """
        from .plots import plot

        return plot(self, *quantities, path=path)

    def animate(self, path: Any, **options: Any) -> Any:
        """Write an animation: ``.html`` (plays in any browser), ``.gif``, ``.mp4``, or a still ``.png``; see :mod:`.animation`."""
        from .animation import animate

        return animate(self, path, **options)

    def save(self, path: Any) -> Any:
        """Write the result: ``.npz`` or ``.h5``, to be loaded again, or ``.csv``; see :func:`bielle.results.export.save`."""
        from .export import save

        return save(self, path)

    @classmethod
    def load(cls, path: Any, *, mechanism: Mechanism | None = None) -> Result:
        """The result that :meth:`save` wrote to a ``.npz`` or ``.h5`` file; see :func:`bielle.results.export.load_result`."""
        from .export import load_result

        return load_result(path, mechanism=mechanism)

    def table(self, *names: str) -> Table:
        """The quantities named, or all motions, reactions and energies, in named columns; see :func:`bielle.results.export.table`."""
        from .export import table

        return table(self, names or None)

    def to_xarray(self, *names: str) -> Any:
        """The same as an xarray Dataset."""
        from .export import to_xarray

        return to_xarray(self, names or None)

    def __repr__(self) -> str:
        if not len(self):
            return "Result (no samples)"
        status = self.info.get("status", "finished")
        solver = self.info.get("solver", "")
        head = f"Result: {len(self)} samples from {self.time[0]:g} s to {self.time[-1]:g} s, {status}; {solver}"
        return f"{head}\n  ask for {', '.join(self.names()[:8])}, energy, violation"

    def _repr_html_(self) -> str:
        from .animation import notebook

        return notebook(self)

    def rotation_of(self, axes: str) -> np.ndarray:
        """Rotation (n, 3, 3) to world of the axes named: 'world', a body or a frame."""
        if axes in ("world", GROUND):
            return np.broadcast_to(np.eye(3), (len(self), 3, 3))
        if axes in self.mechanism.bodies or axes in self.mechanism.frames:
            return self[axes].rotation
        raise unknown("axes", axes, ["world", *self.mechanism.bodies, *self.mechanism.frames])
