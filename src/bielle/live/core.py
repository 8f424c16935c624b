"""What a session consists of, and how it is read."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import msgspec
import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError
from ..interrupts import Interrupts
from ..kernels.fields import LINE
from ..mechanism.mechanism import Mechanism
from ..model import Model, State
from ..model.transfer import motion_of
from ..results.audit import Audit
from ..results.result import Result
from ..results.timeline import EditRecord, Timeline
from ..solvers.run import Run, Solver
from .draft import Draft, pose_numbers
from .events import Event
from .history import History
from .joining import Joined
from .journal import Go, Journal, Step
from .moments import Moment, Snapshot, Undone
from .reading import Reading, present
from .realtime import Pacer
from .start import Start
from .turns import Turns
from .view import MechanismView, view
from .winding import Winding
from .work import Spent, Work

if TYPE_CHECKING:
    from .autosave import Autosave
    from .encoding import Encoder
    from .replay import Script
    from .session import LiveSession

__all__ = ["Core"]


@explained_methods
class Core:
    """The part of :class:`~bielle.live.session.LiveSession` that all others build on."""

    solver: Solver
    record: float  #: [s] between samples of the history
    _mechanism: Mechanism
    _lock: Turns
    _strict: bool = False

    def _start(self, model: Model, state: State, history: History, journal: Journal, began: Start | None = None) -> None:
        self._run = self.solver.start(model, state)
        self._history = history
        self.journal = journal
        self._undo: list[Moment] = []
        self._redo: list[Undone] = []
        self._timers: tuple[tuple[float, str], ...] = ()
        self._events: dict[str, Event] = {}
        self._sides: dict[str, int] = {}  # of events that have just fired: where they are going
        self._beyond: frozenset[str] = frozenset()  # limits that are exceeded and have been acted upon
        self._draft: Draft | None = None
        self._work: Work | None = None  # what is under way, whose functions of the user's must not change anything
        self._single_steps = False  # a function that is called in a step reads the session
        self._present: tuple[Run, State, Result] | None = None
        self._winding = Winding()
        self._view: tuple[Mechanism, MechanismView] | None = None
        self._snapshots = 0
        self._fired: list[str] = []  # events to be acted upon before time passes
        self._acting: list[str] = []  # events whose actions are running
        self.log: list[tuple[float, str]] = []  #: events that have happened: (time, name)
        self._pacer: Pacer | None = None
        self._snapshots_taken: weakref.WeakSet[Snapshot] = weakref.WeakSet()  # those that the journal knows of
        self._interrupts = Interrupts()
        self._entry: Go | Step | None = None  # the advance under way, and the steps it took so far
        self._taken = 0
        self._spent = Spent()
        self._gives_way: Callable[[], bool] | None = None  # whether the advance under way is to end, asked between two of its steps
        self._balance: float | None = None  # of energy, at the start of a leg's difficulties [J]
        self._script: Script | None = None  # of a replay: does what the actions of events did, in their place
        self._audit = Audit(self.solver)
        self._autosave: Autosave | None = None
        self._encoder: Encoder | None = None
        self.last_edit: list[Joined] = []  #: how the joints of the last edit were fitted
        self._began = began or Start(self.solver, self.record, history.limit, self._moment())

    # -- reading

    @property
    def time(self) -> float:
        """[s]"""
        work = self._work
        if work is None or work.state is None:
            return self._run.time
        if self._lock.mine:
            work.read = True
        return work.state.time

    @property
    def mechanism(self) -> MechanismView:
        """What there is, to be looked at, simulated, saved. The session's own verbs change it; ``mechanism.copy()`` can be edited."""
        if self._view is None or self._view[0] is not self._mechanism:
            self._view = self._mechanism, view(self._mechanism)
        return self._view[1]

    @property
    def model(self) -> Model:
        """The tables that run now."""
        return self._run.model

    @property
    def version(self) -> int:
        """Changes with every edit."""
        return self.model.version

    @property
    def state(self) -> State:
        """A copy of the present state."""
        with self._lock:
            if self._work is not None and self._work.state is not None:
                self._work.read = True
                return self._work.state.copy()
            return self._run.workspace.state()

    @property
    def now(self) -> Result:
        """The present as a result of one sample: anything can be asked of it.

        A function that is called in the middle of a step (of a force, of time) is told the state at the end of the last step that was
        completed, with that time, and with the accelerations and multipliers as that step left them.
        """
        with self._lock:
            work = self._work
            if work is not None and work.state is not None:
                work.read = True
                if work.result is None:
                    work.result = self._as_result(work.samples())
                return work.result
            state = self._run.workspace.state()
            if self._present is None or self._present[0] is not self._run or not _same(self._present[1], state):
                self._present = self._run, state, self._as_result(self._sample_now(state))
            return self._present[2]

    def _as_result(self, samples: dict[str, np.ndarray]) -> Result:
        return Result(self.mechanism, self.model, samples, closings=tuple(c.joint for c in self.model.closings))

    def _sample_now(self, state: State | None = None) -> dict[str, np.ndarray]:
        """One sample, of the present."""
        with self._under("The session is being read", state or self._run.workspace.state()):
            return self._run.present()

    def __getitem__(self, name: Any) -> Any:
        """The present of a body, joint, force or frame: ``live["arm"].position``, ``live["elbow"].force()``; or of a quantity by its name:
        ``live["arm.position.x"]``."""
        with self._lock:
            now = self.now
            head, _, last = name.rpartition(".") if isinstance(name, str) else ("", "", "")
            if head in now and name not in now and last in getattr(now[head], "winding", ()):
                return self._unwound(now[head], last)
            return present(now[name], self._unwound)

    def _unwound(self, of: Any, quantity: str) -> Any:
        """An angle or orientation now, counted on from where the history begins, as results count it."""
        with self._lock:
            return self._winding.unwound(self._history, self._run, of, quantity)

    @property
    def energy(self) -> Reading:
        """The present energies: ``live.energy.kinetic``…"""
        return Reading(self.now.energy)

    @property
    def closing(self) -> dict[str, float]:
        """Joints that are being closed gently, and when they will be closed [s]."""
        return {c.joint: c.end for c in self.model.closings}

    def result(self) -> Timeline:
        """What was computed so far, as a result across all changes."""
        with self._lock:
            self._check_free("ask for the result")
            self._sample()
            found = self._audit.found
            info = {"solver": self.solver.describe(), "status": "live" if found.ok else "inaccurate", "accuracy": asdict(found)}
            return self._history.copy().result(info)

    def describe(self) -> Mechanism:
        """The mechanism as it is now: a description whose bodies start where they are, with the velocities they have."""
        with self._lock:
            m, state = self._mechanism.copy(), self.state
            for name, body in self._mechanism.bodies.items():
                pose, twist = motion_of(self.model, state, name)
                position, orientation = pose_numbers(pose, m.planar)
                spin = float(twist.angular[2]) if m.planar else tuple(map(float, twist.angular))
                m.bodies[name] = msgspec.structs.replace(
                    body,
                    position=position,
                    orientation=orientation,
                    velocity=tuple(map(float, twist.linear[: m.dim])),
                    angular_velocity=spin,
                )
            for name, force in self._mechanism.forces.items():
                m.forces[name] = msgspec.structs.replace(force, kind=self._force_kind(name))
            return m

    def _force_kind(self, name: str) -> Any:
        """The kind of a force as it is now, with what it remembers."""
        model = self.model
        i = model.force_rows.index[name]
        start, kind = int(model.arrays["force_m"][i]), model.force_rows.records[i].item.kind
        return kind.at_present(self._run.workspace.memory[start : start + kind.memory])

    def __repr__(self) -> str:
        m = self._mechanism
        numbers = ((m.bodies, "body", "bodies"), (m.joints, "joint", "joints"), (m.forces, "force", "forces"))
        parts = ", ".join(f"{len(table)} {one if len(table) == 1 else many}" for table, one, many in numbers)
        said = self._audit.found.message
        return f"LiveSession at {self.time:.6g} s: {parts}; {self.solver.describe()}" + (f"\n  {said}" if said else "")

    # -- for the parts that change it

    def _install(self, run: Run, label: str) -> None:
        """Go on with another run from now on; a new stretch of history begins."""
        self._run.release()
        self._run, self._present = run, None
        self._events = {n: e for n, e in self._events.items() if e.watch is None or n in run.model.watches}
        self._audit.renew()
        self._history.begin(self._mechanism, run.model, EditRecord(run.time, label, _kind(label)))

    def _sample(self) -> None:
        """The present belongs to the history."""
        if self._history.end != self.time:
            self._history.add(self._sample_now())

    @contextmanager
    def _under(self, what: str, state: State | None) -> Iterator[Work]:
        """While the engine works, and may call functions of the user's: these can read, but not change the session.

        state: what they are told; None: the present, whatever it is
        """
        outer, self._work = self._work, Work(what, state)
        try:
            yield self._work
        finally:
            self._work = outer

    def _check_free(self, verb: str) -> None:
        if self._work is not None:
            raise DescriptionError(
                f"{self._work.what}: a function that is called meanwhile cannot {verb}. Let an event's action do it (live.when, live.at)."
            )

    def _check_idle(self, verb: str) -> None:
        self._check_free(verb)
        if self._draft is not None:
            raise DescriptionError(f"An edit is open: finish it (leave the with block) before you {verb}.")

    def _moment(self, label: str = "", state: State | None = None) -> Moment:
        state, mark = state or self._run.workspace.state(), self._history.mark(self.time)
        due = (*self._acting, *self._fired)
        sides, beyond = dict(self._sides), self._beyond
        return Moment(self._mechanism, self.model, state, self._timers, dict(self._events), due, label, mark, sides, beyond)

    def _changed(self) -> None:
        """Something happened that an autosaved file must know of. What an event's action does is saved when the action is over."""
        if self._autosave is not None and not self.journal.in_event:
            self._autosave.changed(cast("LiveSession", self))


def _same(a: State, b: State) -> bool:
    """Whether two states of a run are one, to the last bit."""
    return (a.time, a.settled) == (b.time, b.settled) and np.array_equal(a.fields.block[LINE:], b.fields.block[LINE:])


_VERBS = ("add", "remove", "replace", "set", "fix", "free", "lock", "unlock", "push", "teleport", "grab", "closed", "end")


def _kind(label: str) -> str:
    """What sort of edit it was, where its label says so."""
    first, last = label.split(" ")[0], label.rsplit(" ")[-1]
    return "break" if last == "broke" else first if first in _VERBS else "edit"
