"""What a session consists of, and how it is read."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from ..errors import DescriptionError
from ..interrupts import Interrupts
from ..mechanism.mechanism import Mechanism
from ..model import Model, State
from ..model.transfer import motion_of
from ..results.result import Result
from ..results.timeline import EditRecord, Timeline
from ..solvers.run import Run, Solver
from .draft import Draft, pose_numbers
from .events import Event
from .history import History
from .joining import Joined
from .journal import Go, Journal, Step
from .moments import Moment, Snapshot, Undone
from .reading import Reading
from .realtime import Pacer
from .start import Start
from .turns import Turns

if TYPE_CHECKING:
    from .autosave import Autosave
    from .encoding import Encoder

__all__ = ["Core"]


class Core:
    """The part of :class:`~bielle.live.session.LiveSession` that all others build on."""

    solver: Solver
    record: float  #: [s] between samples of the history
    mechanism: Mechanism
    _lock: Turns

    def _start(self, model: Model, state: State, history: History, journal: Journal, began: Start | None = None) -> None:
        self._run = self.solver.start(model, state)
        self._run.check()
        self._history = history
        self.journal = journal
        self._undo: list[Moment] = []
        self._redo: list[Undone] = []
        self._timers: tuple[tuple[float, str], ...] = ()
        self._events: dict[str, Event] = {}
        self._sides: dict[str, int] = {}  # of events that have just fired: where they are going
        self._draft: Draft | None = None
        self._present: Result | None = None
        self._snapshots = 0
        self._fired: list[str] = []  # events to be acted upon before time passes
        self._acting: list[str] = []  # events whose actions are running
        self.log: list[tuple[float, str]] = []  #: events that have happened: (time, name)
        self._pacer: Pacer | None = None
        self._snapshots_taken: weakref.WeakSet[Snapshot] = weakref.WeakSet()  # those that the journal knows of
        self._interrupts = Interrupts()
        self._entry: Go | Step | None = None  # the advance under way, and the steps it took so far
        self._taken = 0
        self._balance: float | None = None  # of energy, at the start of a leg's difficulties [J]
        #: set by a replay: called with the name of an event that fires, in the place of the event's action; does what the action did
        self._on_event: Callable[[str], None] | None = None
        self._autosave: Autosave | None = None
        self._encoder: Encoder | None = None
        self.last_edit: list[Joined] = []  #: how the joints of the last edit were fitted
        self._began = began or Start(self.solver, self.record, history.limit, self._moment())

    # -- reading

    @property
    def time(self) -> float:
        """[s]"""
        return self._run.time

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
            return self._run.workspace.state()

    @property
    def now(self) -> Result:
        """The present as a result of one sample: anything can be asked of it."""
        with self._lock:
            if self._present is None:
                closings = tuple(c.joint for c in self.model.closings)
                self._present = Result(self.mechanism, self.model, self._run.present(), closings=closings)
            return self._present

    def __getitem__(self, name: Any) -> Reading:
        """The present of a body, joint, force or frame: ``live["arm"].position``, ``live["elbow"].force()``."""
        return Reading(self.now[name])

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
            self._sample()
            return self._history.copy().result({"solver": self.solver.describe(), "status": "live"})

    def describe(self) -> Mechanism:
        """The mechanism as it is now: a description whose bodies start where they are, with the velocities they have."""
        with self._lock:
            m, state = self.mechanism.copy(), self.state
            for name, body in self.mechanism.bodies.items():
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
            return m

    def __repr__(self) -> str:
        m = self.mechanism
        numbers = ((m.bodies, "body", "bodies"), (m.joints, "joint", "joints"), (m.forces, "force", "forces"))
        parts = ", ".join(f"{len(table)} {one if len(table) == 1 else many}" for table, one, many in numbers)
        return f"LiveSession at {self.time:.6g} s: {parts}; {self.solver.describe()}"

    # -- for the parts that change it

    def _install(self, run: Run, label: str) -> None:
        """Go on with another run from now on; a new stretch of history begins."""
        self._run.release()
        self._run, self._present = run, None
        self._history.begin(self.mechanism, run.model, EditRecord(run.time, label, _kind(label)))

    def _sample(self) -> None:
        """The present belongs to the history."""
        if self._history.end != self.time:
            self._history.add(self._run.present())

    def _check_idle(self, verb: str) -> None:
        if self._draft is not None:
            raise DescriptionError(f"An edit is open: finish it (leave the with block) before you {verb}.")

    def _moment(self, label: str = "", state: State | None = None) -> Moment:
        state, mark = state or self._run.workspace.state(), self._history.mark(self.time)
        return Moment(self.mechanism, self.model, state, self._timers, dict(self._events), tuple(self._acting), label, mark)

    def _changed(self) -> None:
        """Something happened that an autosaved file must know of. What an event's action does is saved when the action is over."""
        if self._autosave is not None and not self.journal.in_event:
            self._autosave.changed()


_VERBS = ("add", "remove", "replace", "set", "fix", "free", "lock", "unlock", "push", "teleport", "grab", "closed", "end")


def _kind(label: str) -> str:
    """What sort of edit it was, where its label says so."""
    first, last = label.split(" ")[0], label.rsplit(" ")[-1]
    return "break" if last == "broke" else first if first in _VERBS else "edit"
