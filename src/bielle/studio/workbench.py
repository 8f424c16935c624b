"""The workbench: a session with a queue of commands and a feed of what happens. It knows no network.

One thread does what is asked, one command after the other; the session has its own for passing time. Whoever wants to know what happens
subscribes to the feed. Questions that only read (poses, the clock) may be asked from any thread.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time as clock
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import BielleError, DescriptionError
from ..live.hand import Hand
from ..live.history import History
from ..live.session import LiveSession
from ..live.work import GaveWay
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import lifted
from ..results.catalogue import Catalogue
from ..results.result import Result
from ..solvers.run import Solver
from .branching import Branching
from .breaking import broken_joints
from .marking import Marking
from .picture import Colors, picture
from .poses import Poses
from .reporting import reported
from .solving import changed_solver, of_bodies_there, solver_data
from .undoing import Step, Steps

__all__ = ["Change", "Workbench", "empty"]

WHOLE = ("energy", "energy.balance", "violation")  # what can be plotted of the whole


_LET_GO = "grab"  # the kind of the edit that lets go of a body, which belongs to that which took hold of it
_FRAME = 1 / 60  # [s] of the clock between two looks of the engine at it, so that slow motion is smooth
_FASTEST = 4.0  # beyond so many times real time frames are shorter, so that edits wait for no more than this
_LONGEST_STEPS = 5.0  # [s] of the clock that steps may take which somebody has asked for
_ONE_DRAG = 1.0  # [s] between two values of a slider that is being dragged
_MOST_MARKS = 1000  # edits that are shown on the scale of time, the last ones
_MOST_SAMPLES = 10_000_000  # of a history that is computed again


@dataclass(frozen=True)
class Change:
    """Something has happened.

    ============  =====================================================================================================================
    kind          what
    ============  =====================================================================================================================
    "scene"       what there is has changed: by an edit, an event, a joint that has closed
    "session"     another mechanism, if it was ``opened``, or another moment of the same
    "time"        time passes or stands still, at another speed or at another moment: ``running``, ``factor``, ``time`` [s]. While it
                  passes nobody is told of each moment: whoever draws asks for :meth:`Workbench.poses`
    "selection"   a front end, ``viewer``, has selected the components ``names``
    "notice"      a sentence for people: ``level`` ("info", "warning", "error") and ``text``
    ============  =====================================================================================================================
    """

    kind: str
    data: dict[str, Any] = field(default_factory=dict)


class Workbench:
    """A mechanism that somebody works on.

    ``do`` puts a function of the workbench on the queue and returns a Future of what it returns. Errors of the engine are those of the
    Future; nothing that a command does ends the thread.
    """

    def __init__(self, live: LiveSession, file: str | None = None) -> None:
        self.live, self.file = _begun(live), file
        self.brought: str | None = None
        self.factor = 1.0
        self.selections: dict[int, tuple[str, ...]] = {}  #: what front ends have selected, by their numbers; nothing is left out
        self.hand: Hand | None = None
        self.colors = Colors()
        self._steps = Steps()  # what undo takes back beside the edits of the session
        self._wanted: tuple[Solver, Solver] | None = None  # with what it says of bodies that are gone and may come back, and as it is used
        self._subscribers: list[Callable[[Change], object]] = []
        self._poses: tuple[Any, Poses] | None = None
        self._redundant = Marking(self.changed)
        self.ticks = 0  #: how often time was told
        self._restarts = False  # time stands still for a moment only
        self._telling, self._told, self._told_time = threading.RLock(), self._shown, self._ticking
        self._branching: Branching | None = None  # the last one
        self._set: tuple[Any, float] = None, 0.0  # the property that was set last, and when
        self._queue: queue.Queue[tuple[Callable[[Workbench], Any], Future[Any]] | None] = queue.Queue()
        self._thread = threading.Thread(target=self._work, name="bielle workbench", daemon=True)
        self._thread.start()

    # -- commands

    def do(self, action: Callable[[Workbench], Any]) -> Future[Any]:
        """Have something done after all that was asked for before."""
        done: Future[Any] = Future()
        self._queue.put((action, done))
        if not self._thread.is_alive():
            self._refuse_the_rest()
        return done

    def close(self) -> None:
        """Let time stand still and end the thread; what is in the queue is done before."""
        self.cancel_branch()
        self._queue.put(None)
        self._thread.join()
        self._refuse_the_rest()
        if self._branching is not None:
            self._branching.wait()
        self._redundant.close()
        self.still()

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            action, done = item
            if not done.set_running_or_notify_cancel():
                continue
            result, problem = None, None
            try:
                result = action(self)
            except BaseException as error:
                problem = error
            try:
                self.tell_of_changes()  # first: whoever has the answer has the picture
            except Exception as error:
                problem = problem or error
            if problem is None:
                done.set_result(result)
            else:
                done.set_exception(problem)

    def _refuse_the_rest(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                item = self._queue.get_nowait()
                if item is not None and item[1].set_running_or_notify_cancel():
                    item[1].set_exception(DescriptionError("The workbench is closed. Open it again."))

    def goes_on(self, name: str, key: str) -> bool:
        """Whether the last thing done, a moment ago, was to set the same property: a slider is being dragged."""
        what, at = self._set
        return what == self._setting(name, key) and clock.monotonic() - at < _ONE_DRAG

    def note_set(self, name: str, key: str) -> None:
        """A property was set just now."""
        self._set = self._setting(name, key), clock.monotonic()

    def _setting(self, name: str, key: str) -> Any:
        return name, key, self.live, len(self.live._undo), self._steps.last

    # -- the feed

    def subscribe(self, listener: Callable[[Change], object]) -> Callable[[], None]:
        """Be told of changes, by whatever thread makes them; returns what ends that."""
        self._subscribers.append(listener)
        self._redundant.look(self.live)
        return lambda: self._subscribers.remove(listener)

    def tell(self, change: Change) -> None:
        """Tell all who listen."""
        for listener in tuple(self._subscribers):
            listener(change)

    def tell_warning(self, text: str, level: str = "warning") -> None:
        """A sentence for people."""
        self.tell(Change("notice", {"level": level, "text": text}))

    def changed(self) -> None:
        """What there is has changed."""
        with self._telling:
            self._told = self._shown
            self.tell(Change("scene"))
            if self._subscribers:
                self._redundant.look(self.live)

    def tell_of_changes(self) -> None:
        """Tell what has changed, if anything has: by a command, by an event, by a joint that has closed."""
        with self._telling:
            if self._told != self._shown:
                self.changed()
            if self._told_time != (now := self._ticking):
                self._told_time, self.ticks = now, self.ticks + 1
                self.tell(Change("time", self.clock()))

    def select(self, viewer: int, names: Sequence[str]) -> None:
        """A front end has selected these, or nothing; what it selects is its own, and the others are told."""
        if tuple(names) == self.selections.get(viewer, ()):
            return
        if names:
            self.selections[viewer] = tuple(names)
        else:
            del self.selections[viewer]
        self.tell(Change("selection", {"viewer": viewer, "names": list(names)}))

    @property
    def _shown(self) -> tuple[int, int, int]:
        """What is another when the scene has to be told again: what is drawn, and what has happened."""
        return self.version, self.live._history.version, len(self.live._history.events)

    @property
    def _ticking(self) -> tuple[bool, float, int, float | None]:
        """What is another when time has to be told again: while it passes that goes without saying."""
        running = self.running
        return running, self.factor, self.live._history.version, None if running else self.live.time

    @property
    def version(self) -> int:
        """Of what is drawn, with which poses go: changes with every edit, but not when the hand only moves."""
        return _version_of(self.live)

    # -- sessions

    def take(self, live: LiveSession, file: str | None = None, brought: str | None = None) -> None:
        """Work on another session from now on; ``brought``: the name of its file, where that is not in the folder."""
        self.brought = brought
        self._steps.clear()
        self.colors = Colors()
        self._go_on_with(live, file, opened=True)

    def leave_for(self, live: LiveSession, label: str) -> None:
        """Go on with another moment of the session; undo comes back."""
        left = self.live
        step = Step(label, lambda: self._go_on_with(left, self.file), lambda: self._go_on_with(live, self.file), leads_away=True)
        self._steps.did(step, live)
        self._go_on_with(live, self.file)

    @property
    def branching(self) -> Branching | None:
        """What is computed at the moment, to go on from there."""
        found = self._branching
        return found if found is not None and not found.done.done() else None

    def branch(self, time: float) -> Future[bool]:
        """Go on from a moment of the past when that has been computed again; everything goes on meanwhile. False: it was cancelled."""
        if time - self.live._began.moment.state.time > _MOST_SAMPLES * self.live.record:  # single steps may have led there, and farther
            raise DescriptionError(f"{time:.4g} s is too far from the start to be computed again. Choose an earlier moment, or go on here.")
        with self._telling:
            if self.branching is not None:
                raise DescriptionError("Another moment is being computed already. Wait for it, or cancel it.")
            branching = Branching(self.live, time, lambda new: self.do(lambda _: self._arrive(branching, new)).result())
            self._branching = branching
            branching.start()
        return branching.done

    def cancel_branch(self) -> None:
        """Stay here."""
        if self._branching is not None:
            self._branching.cancel()

    def _arrive(self, branching: Branching, live: LiveSession) -> bool:
        if branching.cancelled:
            return False
        if self.live is not branching.live:
            raise DescriptionError(f"Another session is open by now, so that it does not go back to {branching.time:.4g} s.")
        self.leave_for(live, f"branch at {branching.time:.4g} s")
        return True

    def undo(self) -> str:
        """Take the last edit back, or the last change to another moment or solver, whichever was later."""
        step = self._steps.next_undo(self.live)
        if step is None:
            return self._then_settle(self.live.undo())
        try:
            step.back()
        finally:  # what cannot be taken back does not stand in the way of what was before
            self._steps.took_back(self.live)
            self.changed()
        return step.label

    def redo(self) -> str:
        """Do again what was undone last."""
        step = self._steps.next_redo(self.live)
        if step is None:
            return self._then_settle(self.live.redo())
        try:
            step.again()
        finally:
            self._steps.did_again(self.live)
            self.changed()
        return step.label

    def _go_on_with(self, live: LiveSession, file: str | None, *, opened: bool = False) -> None:
        self.still()
        self.hand = None
        self.live, self.file = _begun(live), file
        with self._telling:
            self._told = self._shown
            self.tell(Change("session", {"opened": opened}))
            if self._subscribers:
                self._redundant.look(self.live)

    # -- time

    def run(self, factor: float | None = None) -> None:
        """Let time pass, ``factor`` simulated seconds per second."""
        if factor is not None:
            if not 0.001 <= factor <= 1000.0:
                raise DescriptionError(f"The speed must be between 0.001 and 1000 times real time, got {factor:g}.")
            self.factor = factor
        with self._standing_still():
            self.live.run_realtime(self.factor, frame=self._frame)

    @property
    def _frame(self) -> float:
        return min(self.factor, _FASTEST) * _FRAME

    @property
    def running(self) -> bool:
        """Whether time passes."""
        return self._restarts or self.live.running

    def clock(self) -> dict[str, Any]:
        """Whether time passes, how fast it is to pass, and what time it is [s]."""
        return {"running": self.running, "factor": self.factor, "time": self.live.time}

    @contextlib.contextmanager
    def _standing_still(self) -> Iterator[bool]:
        """While something is changed after which time passes again; nobody is told of that. True: time passed before."""
        self._restarts = running = self.live.running
        try:
            self.still()
            yield running
        finally:
            self._restarts = False

    def pause(self) -> None:
        """Let time stand still."""
        try:
            self.live.pause()
        except Exception as error:  # it stands still already, and this is why
            self.tell_warning(_words(error), "error")

    def step(self, count: int) -> None:
        """So many steps of the integrator, or as many as there are in a few seconds."""
        self.pause()
        live, end = self.live, clock.perf_counter() + _LONGEST_STEPS
        live._gives_way = lambda: clock.perf_counter() > end
        try:
            live.step(count)
        except GaveWay:
            self.tell_warning(f"The steps take long: time stands at {live.time:.9g} s, before all {count} were taken.")
        finally:
            live._gives_way = None

    def still(self) -> None:
        """Let time stand still, and the thread end that lets it pass."""
        try:
            self.live.stop()
        except Exception as error:
            self.tell_warning(_words(error), "error")

    def failure(self) -> str | None:
        """Why time stands still, if something went wrong in the background; told once."""
        try:
            self.live._raise_background_error()
        except Exception as error:
            return _words(error)
        return None

    def use_solver(self, family: str, options: dict[str, Any]) -> None:
        """Go on from here with a solver of another family, or with other options of the present one."""
        other = [key for key, value in options.items() if getattr(self.solver, key, None) != value]
        same = type(self.solver).__name__.lower() == family
        drags = other[0] if same and len(other) == 1 and isinstance(options[other[0]], float) else ""
        self.use(changed_solver(self.solver, family, options), f"use {family}", drags)

    def use(self, solver: Solver, label: str, drags: str = "") -> None:
        """Go on with another solver from here; undo goes on with the one before, from wherever time is then.

        drags  the number that a slider may be setting: all values of one drag are one step to undo
        """
        before = self.solver
        if solver != before:
            goes_on = bool(drags) and self.goes_on("", f"solver {drags}")
            self._go_on_by(solver)
            self._steps.did(Step(label, lambda: self._go_on_by(before), lambda: self._go_on_by(solver)), self.live, goes_on=goes_on)
            self.note_set("", f"solver {drags}")
            self.changed()

    @property
    def solver(self) -> Solver:
        """How the session advances; with what is said of bodies that are gone, for undo may bring them back."""
        wanted = self._wanted
        return wanted[0] if wanted is not None and self.live.solver is wanted[1] else self.live.solver

    def want(self, solver: Solver) -> None:
        """Say more of bodies than before; that is no step to undo."""
        if solver != self.solver:
            self._go_on_by(solver)

    def _then_settle(self, label: str) -> str:
        """Bodies that came back by an undo have what the solver says of them."""
        if of_bodies_there(self.live, self.live.solver) != of_bodies_there(self.live, self.solver):
            self._go_on_by(self.solver)
        return label

    def _go_on_by(self, solver: Solver) -> None:
        with self._standing_still() as running:
            try:
                self.live.use(of_bodies_there(self.live, solver))
                self._wanted = solver, self.live.solver
            finally:
                if running:
                    self.live.run_realtime(self.factor, frame=self._frame)

    # -- reading

    def report(self) -> dict[str, Any]:
        """Degrees of freedom and redundancy of what there is now, and what can be done about it; the joints concerned are marked."""
        with self.live._lock:
            live, m = self.live, self.live.describe()
        found = reported(m)
        self._redundant.note(live, frozenset(found.pop("joints")))
        self.changed()
        return found

    def quantities(self, name: str, then: Result | None = None) -> list[dict[str, str]]:
        """What can be plotted of a component, or of the whole if no name is given; ``then``: at another moment than now."""
        result = self.live.now if then is None else then
        found = Catalogue(result)
        names = WHOLE if not name else [f"{name}.{kind}" for kind in result[name].named]
        quantities = [quantity for each in names for quantity in found.get(each)]
        return [
            {"quantity": column, "label": column.removeprefix(f"{name}.").replace("_", " ").replace(".", " "), "unit": quantity.unit}
            for quantity in quantities
            for column in quantity.columns()
        ]

    def scene(self) -> dict[str, Any]:
        """Everything but where the bodies are; with the version that poses belong to."""
        live = self.live
        with live._lock:
            version = _version_of(live)
            undone, redone = self._steps.next_undo(live), self._steps.next_redo(live)
            undo, redo = live._undo, live._redo
            return picture(live.mechanism, self.colors, live, self._redundant.of(live)) | {
                "version": version,
                "past": None,
                "session": self.colors.number,
                "file": self.file,
                "brought": self.brought,
                "undo": undone.label if undone else undo[-1].label if undo else None,
                "redo": redone.label if redone else redo[-1].before.label if redo else None,
                "broken": broken_joints(live, live.mechanism),
                "marks": _marks(live._history),
                "solver": solver_data(live),
            }

    def moment(self, time: float) -> tuple[Result, int]:
        """The stretch of history that has a time, and the number of the sample nearest to it."""
        with self.live._lock:
            self.live._sample()
            stretches = [stretch for stretch in self.live._history.stretches if stretch.chunks]
            chosen = next((s for s in reversed(stretches) if s.chunks[0]["t"][0] <= time), stretches[0])
            segment = chosen.segment()
        return segment, int(np.abs(segment.samples["t"] - time).argmin())

    def instant(self, time: float) -> Result:
        """The sample of the history that is nearest to a time, as a result of its own."""
        segment, k = self.moment(time)
        return Result(segment.mechanism, segment.model, {n: x[k : k + 1] for n, x in segment.samples.items()}, closings=segment.closings)

    def hand_shown(self) -> dict[str, Any] | None:
        """What the hand holds, where it pulls to, and how strongly."""
        live, hand = self.live, self.hand
        if hand is None:
            return None
        with live._lock:
            force = live.mechanism.forces.get(hand.name)
            if force is None:
                return None
            (marker,) = live.mechanism.markers(force)
            at = live._pose(marker.body).point(marker.local)
            pull = float(np.linalg.norm(live.now[force.name].force(on=marker.body)[0])) if hasattr(live.now[force.name], "force") else 0.0
        return {"body": marker.body, "from": at.tolist(), "to": lifted(live._force_kind(force.name).target).tolist(), "force": pull}

    def poses(self) -> tuple[int, float, Any]:
        """Version, time and poses of all bodies (n, 7); under the lock for a moment only."""
        live = self.live
        with live._lock:
            model, q, time = live.model, live._run.workspace.state().q, live.time
            names, version = list(live._mechanism.bodies), _version_of(live)
        known = self._poses  # of this thread or of another
        if known is None or known[0] is not model:
            known = self._poses = model, Poses(model, names)
        return version, time, known[1](q)


def _version_of(live: LiveSession) -> int:
    return live.version % 2**32


def _begun(live: LiveSession) -> LiveSession:
    """The session, with the present in its history, so that one can look back at where it was taken up."""
    with live._lock:
        live._sample()
    return live


def _marks(history: History) -> list[dict[str, Any]]:
    """Edits on the scale of time, and events that have happened."""
    edits = [{"time": e.time, "label": e.label, "kind": e.kind} for e in history.edits if e.kind != _LET_GO]
    events = [{"time": time, "label": name, "kind": "event"} for time, name in history.events]
    return [*events[-_MOST_MARKS:], *edits[-_MOST_MARKS:]]


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, BielleError) else f"{type(error).__name__}: {error}"


def empty(plane: str) -> Mechanism:
    """A mechanism in which nothing is yet."""
    return Mechanism(plane="xy", name="untitled") if plane == "xy" else Mechanism(gravity=(0.0, 0.0, -9.81), name="untitled")
