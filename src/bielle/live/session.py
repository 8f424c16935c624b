"""LiveSession: a mechanism that runs, can be asked anything between steps, and can be changed at any of them."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from typing import TYPE_CHECKING, Any

from ..analysis.assembly import assemble_and_tell, held
from ..calls import explained_methods
from ..errors import AccessError, DescriptionError
from ..kernels.memory import Uncopyable
from ..mechanism.components import missing_attribute
from ..mechanism.mechanism import Mechanism
from ..mechanism.vectors import number
from ..model import compile_mechanism
from ..results.audit import Audit
from ..simulation import prepare, raise_callback_error
from ..solvers.choice import AUTO, checked, choose
from ..solvers.run import Solver
from .history import SHORTEST, History
from .journal import Journal, Use
from .realtime import Pacer
from .travel import Travel
from .turns import Turns

if TYPE_CHECKING:
    from ..studio.notebook import Shown

__all__ = ["LiveSession"]


@explained_methods
class LiveSession(Travel, Uncopyable):
    """Made by ``m.live()``. It has its own copy of the mechanism, :attr:`mechanism`, which follows the edits.

    solver    how to advance: a one-step method of :class:`~bielle.Central` (the default is accurate and adaptive),
              :class:`~bielle.Modular` or :class:`~bielle.Recursive`; "auto": the one that suits the mechanism as it is described
    hold      bodies that stay where they are described when the mechanism is assembled at the start
    record    seconds between samples of the history
    history   bytes that samples may take; the oldest go first
    strict    raise an AccuracyError if an advance is not as accurate as the method promises, instead of a warning
    autosave  a file that is kept up to date, so that a crash costs a second at most; :func:`bielle.load_session` goes on from it
    """

    instead = "live.branch() is another session that goes on from here, live.save(path) keeps it, live.result() is what it has computed."

    def __init__(
        self,
        mechanism: Mechanism,
        solver: Solver | str | None = None,
        *,
        hold: str | tuple[str, ...] = (),
        record: float = 0.01,
        history: float = 5e8,
        strict: bool = False,
        autosave: str | PathLike[str] | None = None,
    ) -> None:
        automatic = isinstance(solver, str) and solver == AUTO
        if not automatic:
            self.solver = checked_solver(solver)
        self.record = number(record, "record (seconds between samples)", positive=True)
        if self.record < SHORTEST:
            raise DescriptionError(f"record (seconds between samples) must be at least {SHORTEST:g}, got {record!r}. 0.01 is usual.")
        self._strict = strict
        self._lock = Turns()
        self._mechanism = _self_contained(mechanism)
        prepare(self._mechanism, None if automatic else self.solver)
        model, described = compile_mechanism(self._mechanism)
        if automatic or (solver is None and model.massless):  # the default cannot do without mass
            self.solver = choose(model).solver
        self.solver.check(model)
        try:
            state = assemble_and_tell(self._mechanism, model, described, held(self._mechanism, hold)).state
        finally:
            raise_callback_error(model)
        self._start(model, state, History(int(number(history, "history (bytes that samples may take)", positive=True))), Journal())
        self._run.check()
        self._history.begin(self._mechanism, model, None)
        self._save_to(autosave)

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or "_run" not in self.__dict__:
                raise AttributeError(name)
            if name in self._mechanism:
                raise AccessError(f"A session has no attribute '{name}', but a component of that name: write live['{name}'].")
            raise missing_attribute("A session", name, {*dir(type(self)), *vars(self)})

    # -- how

    def use(self, solver: Solver | str) -> None:
        """Go on with another solver from now on, as ``m.live(solver)`` takes it; undo does not bring the one before back."""
        with self._lock, self._interrupts:
            self._check_still("change the solver")
            chosen = choose(self.model).solver if isinstance(solver, str) and solver == AUTO else checked_solver(solver)
            prepare(self._mechanism, chosen)
            chosen.check(self.model)
            run = chosen.start(self.model, self._run.workspace.state())
            run.check()
            self._sample()
            self._run.release()
            self.solver, self._run, self._present = chosen, run, None
            self._audit = Audit(chosen)
            self.journal.add(Use(chosen))
            self._changed()

    # -- real time

    def run_realtime(self, factor: float = 1.0, *, frame: float = 1 / 60) -> None:
        """Let time pass in the background, ``factor`` simulated seconds per second, in frames of ``frame`` simulated seconds.

        Everything can be read and edited meanwhile, between two frames. :meth:`pause`, :meth:`resume`, :meth:`stop`. If something goes
        wrong time stands still, and the error is raised by the next of these calls.
        """
        factor, frame = number(factor, "The factor", positive=True), number(frame, "The frame", positive=True)
        self.stop()
        self._pacer = Pacer(self, factor, frame)

    @property
    def running(self) -> bool:
        """Whether time passes in the background."""
        return self._pacer is not None and self._pacer.running

    def pause(self) -> None:
        """Let time stand still."""
        if self._pacer is not None:
            self._pacer.pause()
            self._raise_background_error()

    def resume(self) -> None:
        """Let time pass again."""
        self._raise_background_error()
        if self._pacer is None:
            raise DescriptionError("Nothing is paused: start with run_realtime(factor).")
        self._pacer.resume()

    def stop(self) -> None:
        """End what :meth:`run_realtime` began."""
        if self._pacer is not None:
            self._pacer.stop()
            self._raise_background_error()
            self._pacer = None

    def _raise_background_error(self) -> None:
        pacer = self._pacer
        if pacer is not None and pacer.error is not None:
            self._pacer = None
            raise pacer.error

    def show(self, *, width: int | str = "100%", height: int | str = 600) -> Shown:
        """The studio in a cell of a notebook: this session, to be watched and edited in a page while it runs.

        Its server listens on this machine only; it is started when it is first needed, shared by all calls, and closed by ``close()`` of
        what is returned, or with Python.

        width, height  pixels, or a share of the cell such as "100%"
        """
        from ..studio.notebook import show

        return show(self, width=width, height=height)

    # -- keeping

    def replay(self, until: float | None = None) -> LiveSession:
        """A new session that begins as this one did and does everything again: it ends in the same state, bit for bit.

        It has all samples and can undo everything, also if this session was loaded from a file.

        until  [s] stop when it first gets there
        """
        return self._replay(until)

    def _replay(self, until: float | None, gives_up: Callable[[float], bool] | None = None) -> LiveSession:
        """See :func:`bielle.live.replay.replay`."""
        from .replay import replay

        with self._lock:
            self._check_idle("replay")
            journal = self.journal.copy(None if self._entry is None else self._taken)
        return replay(self._began, journal, until, gives_up)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the session to a file, from which :func:`bielle.load_session` goes on exactly as this one would.

        It holds data only: the start, the journal and the present. Python functions are represented by names, and given again when the
        file is loaded. Samples are not in it (``live.result().save(…)`` keeps them), nor are the states to undo to: :meth:`replay` of the
        loaded session computes them again. The file appears complete or not at all.
        """
        from .files import save

        with self._lock:
            self._check_idle("save")
            save(self, path)

    def _save_to(self, path: str | PathLike[str] | None) -> None:
        """Keep a file up to date from now on."""
        if path is not None:
            from .autosave import Autosave

            self._autosave = Autosave(self, path)


def _self_contained(mechanism: Mechanism) -> Mechanism:
    """A copy whose joints and forces do not depend on where its bodies are described: in a session these move."""
    m = mechanism.copy()
    for table in (m.joints, m.forces):
        for name, component in table.items():
            table[name] = mechanism.localised(component)  # type: ignore[type-var]
    return m


def checked_solver(solver: Any) -> Solver:
    """The solver, or the default; refused unless it can be stopped and started at any step."""
    solver = checked(solver)
    if not solver.one_step:
        raise DescriptionError(
            f"A live session needs a method that can stop and start at any step, but this one is SciPy's ({solver.describe()}). "
            "Use adaptive, rk4, newmark, hht or generalized-alpha."
        )
    return solver
