"""Programs in processes of their own: one that crashes or never ends takes nothing with it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from ._workload import Job, load

__all__ = ["ProgramError", "Turn", "Worker", "version_of"]

_ENOUGH = 3  # [s] that a process is given to end by itself
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}  # small matrices are factored fastest on one


class ProgramError(Exception):
    """Why a program has no numbers."""


@dataclass(frozen=True)
class Turn:
    """One run of a job."""

    setup: float  #: [s]
    value: float  #: [s], or what the job has measured itself
    answer: np.ndarray


def version_of(package: str) -> str:
    """Of an installed distribution, or ``""``."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


class Worker:
    """A process in which one program does its cases of one workload. It starts when it is needed; once it has died it stays dead."""

    def __init__(self, workload: str, program: str, package: str) -> None:
        self._names, self._package = (workload, program), package
        self._process: Any = None
        self._pipe: Any = None
        self._lost = ""

    def turn(self, case: str, setting: str, seconds: float) -> Turn:
        """Have the job done once. :class:`ProgramError` says why it could not be."""
        return self._ask(("turn", case, setting), seconds)

    def reference(self, case: str, seconds: float) -> np.ndarray:
        """The right answer of a case."""
        return self._ask(("reference", case, ""), seconds)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._pipe.close()
            self._process.join(_ENOUGH)
            if self._process.is_alive():
                self._process.kill()
            self._process = None

    def _ask(self, what: tuple[str, str, str], seconds: float) -> Any:
        if not version_of(self._package):
            raise ProgramError(f"not installed: pip install {self._package}")
        if self._lost:
            raise ProgramError(self._lost)
        if self._process is None:
            self._process, self._pipe = _start(*self._names)
        process: Any = self._process
        try:
            self._pipe.send(what)
            if not self._pipe.poll(seconds):
                process.kill()
                self._lost = f"stopped after {seconds:g} s"
                raise ProgramError(self._lost)
            kind, content = self._pipe.recv()
        except (EOFError, OSError):
            process.join(_ENOUGH)
            self._lost = _ended(process.exitcode)
            raise ProgramError(self._lost) from None
        if kind == "failed":
            raise ProgramError(content)
        return content


def _start(workload: str, program: str) -> tuple[Any, Any]:
    """A process, and the end of the pipe on which it is asked."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        process = context.Process(target=_serve, args=(workload, program, theirs))
        process.start()
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    theirs.close()
    return process, ours


def _ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with status {code}"


def _serve(workload: str, program: str, pipe: Connection) -> None:
    """The other side."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # what programs print belongs into no table; what they raise is passed on
        os.dup2(nowhere, stream)
    work = load(workload)
    how = next(each for each in work.programs if each.name == program)
    while True:
        try:
            what, case, setting = pipe.recv()
        except EOFError:
            return
        try:
            arguments = work.cases[case].arguments
            if what == "turn":
                answer: Any = _turn(how.make, {**arguments, **how.settings[setting]})
            else:
                assert work.reference is not None
                answer = np.asarray(work.reference(**arguments), dtype=float)
            pipe.send(("done", answer))
        except Exception as error:  # whatever a peer may raise
            pipe.send(("failed", f"{type(error).__name__}: {str(error).strip()[:300]}"))


def _turn(make: Callable[..., Job], arguments: dict[str, Any]) -> Turn:
    started = time.perf_counter()
    job = make(**arguments)
    setup = time.perf_counter() - started
    gc.collect()
    gc.disable()
    started = time.perf_counter()
    value = job.go()
    spent = time.perf_counter() - started
    gc.enable()
    return Turn(setup, spent if value is None else float(value), np.array(job.answer(), dtype=float))
