"""Part: a mechanism as a component of which nobody sees more than its ports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..analysis.assembly import assemble
from ..calls import explained_methods
from ..errors import DescriptionError, SimulationError
from ..kernels.memory import Uncopyable
from ..model import State, compile_mechanism
from ..results.result import Result
from ..simulation import explain_failure, prepare, raise_callback_error
from ..solvers.central import IMPLICIT, Central
from ..solvers.choice import checked
from ..solvers.run import Solver
from .component import FORCE, MOTION, Accepts, straightened
from .port import Port, add_force, add_motion, places

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["Part"]

_CHUNK = 1000  # steps between looks at Ctrl-C
_INDEPENDENT = 1e-9  # least singular value, relative to the largest, of equations that do not depend on others


class _Token(NamedTuple):
    """Where a part is, and how much it has written down until there."""

    checkpoint: tuple[State, np.ndarray]
    samples: int
    spans: int
    latest: dict[str, np.ndarray] | None


@explained_methods
class Part(Uncopyable):
    """A mechanism as a component: it takes forces, or motions, at its ports, and hides everything else.

    mechanism  described as ever, and left as it is; it is assembled on its own, so that ports that are to meet must be described at
               the same place
    ports      points of it by name: (body, point in world axes as described), or the name of a frame
    accepts    'force': a port is a point that forces act on. 'motion': a port is a point that is led; it must be free to go anywhere,
               all ports together, whatever the joints of the mechanism are
    solver     how it is advanced over each step, by its own rules: of a fixed-step integrator as many steps as its ``step`` asks for, at
               least one, and of an implicit one two. The methods of SciPy cannot go back and are refused
    record     keep a sample every so many seconds; None: after every step

    ``part.result()`` is what it has done so far, for its owner only. In it every port is a :class:`~bielle.PointForce` named ``port NAME``
    with the force that acted there, as a table over time, so that the result can be saved and the mechanism simulated again on its own.
    """

    instead = "Make another Part of the mechanism; part.result() is what it has done."

    def __init__(
        self,
        mechanism: Mechanism,
        ports: Mapping[str, Any],
        *,
        accepts: Accepts = FORCE,
        solver: Solver | None = None,
        record: float | None = None,
    ) -> None:
        self.accepts = accepts
        self.solver = checked(solver)
        if accepts not in (FORCE, MOTION):
            raise DescriptionError(f"A part accepts 'force' or 'motion', got {accepts!r}. Give one of these.")
        if not self.solver.one_step:
            raise DescriptionError(
                f"The steps of a part must be such that they can be taken again, which those of '{self.solver.describe()}' are not. "
                "Take the integrator 'adaptive', 'rk4', 'newmark', 'hht' or 'generalized-alpha'."
            )
        if record is not None and not record > 0:
            raise DescriptionError(f"record must be a positive number of seconds, or None for every step, got {record!r}.")
        self._mechanism = mechanism.copy()
        self._places = places(self._mechanism, ports)
        self.ports = dict.fromkeys(self._places, mechanism.dim)
        # one implicit step may know no more of a straight force than its mean: then position and velocity cannot be brought about both
        self._halves = isinstance(self.solver, Central) and self.solver.integrator in IMPLICIT
        self._record = 0.0 if record is None else float(record)
        self._samples: list[dict[str, np.ndarray]] = []
        self._spans: list[tuple[float, float, dict[str, np.ndarray]]] = []  # steps: start, end, force (2, n) at each port
        self._latest: dict[str, np.ndarray] | None = None  # the present, if a step has led there
        prepare(self._mechanism, self.solver)
        model, described = compile_mechanism(self._mechanism)
        try:
            self._assembly = assemble(self._mechanism, model, described)
        finally:
            raise_callback_error(model)
        whole = self._mechanism.copy()
        add = add_force if accepts == FORCE else add_motion
        names = {name: add(whole, name, place) for name, place in self._places.items()}
        self._model, _ = compile_mechanism(whole)
        start = self._assembly.state
        self._run = self.solver.start(self._model, State.at(self._model, start.time, q=start.q, v=start.v))
        self._ports = [Port(self._model, self._run.workspace, name, known) for name, known in names.items()]
        if accepts == MOTION:
            self._check_mobile()

    def _check_mobile(self) -> None:
        """Refuse ports that the joints hold: a motion that somebody else chooses would tear them apart."""
        for port, motion in zip(self._ports, self.motion().values()):
            port.follow(0.0, 1.0, np.array([*motion, motion[0] + motion[1], motion[1]]))
        added = sum(self.ports.values())
        w = self._run.workspace
        w.evaluate()
        scaled = w.jacobian()
        scaled /= np.maximum(np.linalg.norm(scaled, axis=1, keepdims=True), 1e-300)
        own = np.ones(len(scaled), dtype=bool)
        own[np.concatenate([port.equations for port in self._ports])] = False
        ranks = [np.linalg.matrix_rank(rows, tol=_INDEPENDENT) if len(rows) else 0 for rows in (scaled, scaled[own])]
        missing = added - int(ranks[0] - ranks[1])
        if missing:
            raise DescriptionError(
                f"mechanism '{self._mechanism.name}': its ports {', '.join(map(repr, self.ports))} are to be led, {added} coordinates, "
                f"but its joints, and one port the other, leave only {added - missing} of them free. Let it accept 'force', or move a port."
            )

    # -- the component

    @property
    def time(self) -> float:
        """The present [s]."""
        return self._run.time

    def motion(self) -> dict[str, np.ndarray]:
        """Where each port is at present, and how fast: (2, n)."""
        self._run.workspace.evaluate()
        return {port.name: port.motion() for port in self._ports}

    def advance(self, time: float, step: float, inputs: Mapping[str, Any]) -> dict[str, np.ndarray]:
        """One step; see :class:`~bielle.gluing.component.Component`."""
        start, end = self.time, time + step  # the start to the last digit: functions of the ports begin there
        if abs(time - start) > 1e-9 * max(step, abs(time)):
            raise SimulationError(f"The step begins at t = {time:.9g} s, but the part is at t = {start:.9g} s. Restore its state first.")
        for callback in self._model.callbacks:  # what failed in a step that was given up may go well in this one
            callback.error = callback.cause = None
        given = {port.name: np.array(inputs[port.name], dtype=float) for port in self._ports}
        for port in self._ports:
            port.follow(start, end - start, given[port.name])
        before = self._run.present() if self._latest is None else self._latest
        forces = self._travel(start, end)
        acted = forces if self.accepts == MOTION else given
        if not self._samples or before["t"][0] >= self._samples[-1]["t"][0] + self._record * (1.0 - 1e-9):
            self._samples.append(before)
        self._latest = self._run.samples()
        self._spans.append((start, end, acted))
        return acted if self.accepts == MOTION else self.motion()

    def _travel(self, start: float, end: float) -> dict[str, np.ndarray]:
        """Go to the end of the step; the forces (2, n) that lead the ports on the way."""
        if self.accepts == FORCE and not self._halves:
            self._go(end)
            return {}
        self._meet_inputs()
        forces = [[port.reaction() for port in self._ports]]
        for moment in (0.5 * (start + end), end):
            self._go(moment)
            forces.append([port.reaction() for port in self._ports])
        return {port.name: straightened(*(f[i] for f in forces)) for i, port in enumerate(self._ports)}

    def save(self) -> _Token:
        """The present, to come back to."""
        return _Token(self._run.checkpoint(), len(self._samples), len(self._spans), self._latest)

    def restore(self, token: _Token) -> None:
        """Back to a moment that was saved; what was written down since then is struck out."""
        self._run.rewind(token.checkpoint)
        del self._samples[token.samples :], self._spans[token.spans :]
        self._latest = token.latest

    def _meet_inputs(self) -> None:
        """Accelerations and multipliers at the start of a step: inputs jump a little there, and implicit methods carry the old ones."""
        w = self._run.workspace
        before = w.acc.copy()
        w.accelerate()
        w.a0[:] += w.acc - before  # which may be those of a moment before or after, and stay so

    def _go(self, end: float) -> None:
        run = self._run
        run.sample_at(np.array([end]))
        while run.ok and not run.done:
            run.advance(_CHUNK)
        failed = [callback for callback in self._model.callbacks if callback.error is not None]
        if any(isinstance(callback.cause, KeyboardInterrupt) for callback in failed):
            raise KeyboardInterrupt
        if failed or not run.ok:
            raise explain_failure(run) or SimulationError(f"The part was stopped at t = {run.time:.9g} s.")

    # -- its owner's

    def result(self) -> Result:
        """What it has done so far; see the class."""
        m = self._mechanism.copy()
        knots = np.array([span[0] for span in self._spans] + [span[1] for span in self._spans[-1:]])
        for name, place in self._places.items():
            table = None
            if self._spans:  # forces may jump a little between steps: the mean of both sides
                ends = np.array([span[2][name] for span in self._spans])
                table = np.concatenate([ends[:1, 0], 0.5 * (ends[:-1, 1] + ends[1:, 0]), ends[-1:, 1]])
            add_force(m, name, place, None if table is None else (knots, table))
        model, _ = compile_mechanism(m)
        rows = [*self._samples, self._run.present() if self._latest is None else self._latest]
        samples = {key: np.concatenate([row[key] for row in rows]) for key in rows[0]}
        if self.accepts == MOTION:
            samples["lam"] = np.delete(samples["lam"], np.concatenate([port.equations for port in self._ports]), axis=1)
        statistics = self._run.statistics() | {"steps": len(self._spans)}
        info = {"solver": f"{self.solver.describe()}, glued", "assembly": self._assembly, "status": "finished", "statistics": statistics}
        return Result(m, model, samples, info=info)
