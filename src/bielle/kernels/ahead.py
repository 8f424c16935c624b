"""Kernels compiled several at a time, by processes of their own, before they are asked for one after the other.

These processes import bielle and nothing of the user's: no script is run again. Where there can be none, or they fail, kernels are compiled
when they are asked for, as ever.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

from ..progress import progress_bar
from .lazy import cache_directory, entry, missing
from .store import writable

__all__ = ["compile_ahead", "compile_together", "serve"]

_LEAST = 4  # kernels that are worth starting processes for: each has to import Numba first
_START = "import json, sys; sys.path[:] = json.loads(sys.stdin.readline()); from bielle.kernels.ahead import serve; serve()"
_DONE = "compiled"
_asked = threading.Lock()


def compile_ahead(kernels: Iterable[entry]) -> None:
    """Compile those of the kernels that the cache does not hold, on all cores, and tell how long it takes. A moment if it holds all."""
    kernels = [kernel for kernel in kernels if not kernel.loaded]
    if not kernels:
        return
    with _asked:
        wanted = missing(kernels)
        workers = min(_cores(), len(wanted) // 2)
        if len(wanted) < _LEAST or workers < 2 or not writable(cache_directory()):
            return
        text = f"bielle: compiling {len(wanted)} kernels, which are kept (bielle warmup compiles all there are)"
        with progress_bar(text) as progress:
            compile_together(wanted, progress, workers)


def compile_together(kernels: list[entry], progress: Callable[[float], None], workers: int | None = None) -> None:
    """Let processes put kernels into the cache. What one cannot do, or none, is left undone; progress: called with the fraction done."""
    todo = [kernel for kernel in kernels if kernel.__module__.startswith("bielle.")]
    todo.sort(key=lambda kernel: len(kernel.python.__code__.co_code))  # taken from the end: the longest first
    n, done = len(todo), []
    processes = [process for _ in range(min(workers or _cores(), n)) if (process := _started()) is not None]
    threads = [threading.Thread(target=_feed, args=(process, todo, done), daemon=True) for process in processes]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive():
                progress(min(len(done) / n, 0.999))
                thread.join(0.2)
    finally:
        for process in processes:
            process.kill()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        for process in processes:
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):  # what was not read any more
                    assert pipe is not None
                    pipe.close()
            process.wait()


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _started() -> subprocess.Popen[str] | None:
    """A process that waits for names of kernels."""
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with contextlib.suppress(OSError):
        return subprocess.Popen([sys.executable, "-c", _START], creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0), **pipes)
    return None


def _feed(process: subprocess.Popen[str], todo: list[entry], done: list[entry]) -> None:
    """Give a process one kernel after the other."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError, ValueError, IndexError):  # it has died; nothing is left
        process.stdin.write(json.dumps([path for path in sys.path if isinstance(path, str)]) + "\n")
        while True:
            kernel = todo.pop()
            process.stdin.write(f"{kernel.__module__} {kernel.__name__}\n")
            process.stdin.flush()
            if not process.stdout.readline():
                return
            done.append(kernel)


def serve() -> None:
    """Compile the kernels whose modules and names come in on standard input, a line each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    for line in sys.stdin:
        module, name = line.split()
        with contextlib.suppress(Exception):  # it is raised where the kernel is asked for
            kernel = getattr(importlib.import_module(module), name)
            _ = kernel.address
        print(_DONE, flush=True)
