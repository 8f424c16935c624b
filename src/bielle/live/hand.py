"""The hand: grab a point of a running body, move it about, let go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls import explained, explained_methods
from ..errors import DescriptionError
from ..forces.grab import Grab
from ..formulations.accelerations import strike
from ..mechanism.vectors import lifted, number, vector
from ..model import Model, State
from ..model.probe import probe
from ..solvers.workspace import Workspace

if TYPE_CHECKING:
    from .session import LiveSession

__all__ = ["Hand", "aimed", "grab"]

FREQUENCY = 20.0  # [rad/s] of the spring with the mass it feels: follows a mouse, and is slow enough to see
STABLE = 0.3  # largest frequency times step: well inside the stability limit of every integrator
STRENGTH = 5.0  # largest force, in weights of everything there is


@explained_methods
class Hand:
    """What :meth:`LiveSession.grab` returns; a force of kind :class:`~bielle.forces.grab.Grab` named ``grab <body>``."""

    def __init__(self, session: LiveSession, name: str) -> None:
        self._session = session
        self.name = name

    @property
    def holding(self) -> bool:
        """Whether it still holds its body."""
        return self.name in self._session._mechanism.forces

    def move(self, target: Any) -> None:
        """Pull the point towards ``target`` (world axes) from now on. It is part of the grab, and undone with it."""
        self._check()
        self._session._aim(self.name, target)

    @property
    def target(self) -> tuple[float, ...]:
        """Where it pulls to."""
        self._check()
        return self._session._force_kind(self.name).target

    def release(self) -> None:
        """Let go."""
        self._check()
        self._session.remove(self.name)

    def _check(self) -> None:
        if not self.holding:
            raise DescriptionError(f"'{self.name}' does not hold anything any more. Grab the body again.")


@explained
def grab(
    session: LiveSession,
    body: Any,
    at: Any = None,
    *,
    local: Any = None,
    stiffness: float | None = None,
    damping: float | None = None,
    limit: float | None = None,
) -> Hand:
    """See :meth:`LiveSession.grab`."""
    m = session._mechanism
    name = m._body_name(body, "grab")
    if name not in m.bodies:
        raise DescriptionError("grab: the ground cannot be moved. Name a body.")
    if at is not None and local is not None:
        raise DescriptionError(f"grab '{name}': give the point by at (world axes) or by local (the body's frame), got both.")
    pose = session._pose(name)
    if at is not None:
        point = pose.local(lifted(vector(at, f"grab '{name}': at", m.dim)))
    elif local is not None:
        point = lifted(vector(local, f"grab '{name}': local", m.dim))
    else:
        point = m.bodies[name].shape.mass_properties().centre
    felt = _mass_felt(session, name, point)
    omega = FREQUENCY if session.solver.step is None else min(FREQUENCY, STABLE / session.solver.step)
    weight = sum(b.shape.mass_properties().mass for b in m.bodies.values()) * max(float(np.linalg.norm(m.gravity)), 9.81)
    kind = Grab(
        target=tuple(float(x) for x in pose.point(point)[: m.dim]),
        stiffness=felt * omega**2 if stiffness is None else number(stiffness, f"grab '{name}': the stiffness", nonnegative=True),
        damping=2 * felt * omega if damping is None else number(damping, f"grab '{name}': the damping", nonnegative=True),
        limit=STRENGTH * weight if limit is None else number(limit, f"grab '{name}': the limit", positive=True),
    )
    label = f"grab {name}"
    session.add_force(label, kind, name, at_a=tuple(float(x) for x in point[: m.dim]))
    return Hand(session, label)


def aimed(model: Model, state: State, name: str, target: tuple[float, ...]) -> State:
    """The state in which a hand pulls towards another target; accelerations are to be found again."""
    i = model.force_rows.index[name]
    kind = model.force_rows.records[i].item.kind
    if not isinstance(kind, Grab):
        raise DescriptionError(f"'{name}' is no hand that could be moved. Grab a body (live.grab).")
    after = State.at(model, state.time, **{each: getattr(state, each) for each in ("q", "v", "work", "lam", "memory", "merged")})
    after.step, start = state.step, int(model.arrays["force_m"][i])
    after.memory[start : start + model.dim] = np.subtract(target, kind.target)
    return after


def _mass_felt(session: LiveSession, name: str, point: np.ndarray) -> float:
    """The smallest mass [kg] a force at the point feels in any direction, joints included: one over its largest mobility.

    A body that cannot move would feel infinitely heavy, but its joints may go while it is held: all masses together are enough.
    """
    model, state = session.model, session.state
    row, dim = model.bodies[name], model.dim
    own = probe(row, dim, [(True, point)])
    p = Workspace(own)
    p.q[: own.nq] = state.q[row.q]
    p.evaluate()
    J = p.x_jac[: dim * row.kind.nv].reshape(dim, row.kind.nv)
    w = Workspace(model, state)
    mobility = np.zeros((dim, dim))
    for k in range(dim):
        w.v[: model.nv] = 0.0
        w.delta[:] = 0.0
        w.delta[row.v] = J[k]
        strike(w.address, 0, 0)
        mobility[:, k] = J @ w.v[row.v]
    largest = float(np.linalg.eigvalsh(0.5 * (mobility + mobility.T))[-1])
    return 1.0 / max(largest, 1.0 / sum(b.shape.mass_properties().mass for b in session._mechanism.bodies.values()))
