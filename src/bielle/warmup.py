"""Compile every kernel of the package ahead of time, so that the first simulation starts at once."""

import importlib
import pkgutil
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .kernels.ahead import compile_together
from .kernels.lazy import cache_directory, entry, missing, registered_entries
from .kernels.store import cache_root, clean, writable

__all__ = ["Warmup", "entries", "warm_up"]

#: where kernels are declared
ROOMS = (
    "kernels", "bodies", "joints", "forces", "topology", "model",
    "formulations", "integrators", "modular", "recursive", "results", "course",
)  # fmt: skip


@dataclass(frozen=True)
class Warmup:
    """What :func:`warm_up` did."""

    kernels: int  #: how many there are
    compiled: int  #: how many of them the cache did not hold
    removed: int  #: how many of other versions nobody has used for long
    seconds: float
    folder: Path  #: where they are kept


def entries() -> list[entry]:
    """Every kernel of the package: a kernel registers itself when its module is imported, so all modules of the rooms are."""
    package = __name__.rpartition(".")[0]
    for room in ROOMS:
        module = importlib.import_module(f"{package}.{room}")
        for found in pkgutil.iter_modules(getattr(module, "__path__", ())):
            importlib.import_module(f"{module.__name__}.{found.name}")
    return [kernel for kernel in registered_entries() if kernel.__module__.startswith(f"{package}.")]


def warm_up(progress: Callable[[float], None] | None = None) -> Warmup:
    """Compile all kernels, several at a time, or read them from the cache; ``progress`` is called with the fraction done.

    What is compiled when an interruption comes stays in the cache, so that another call goes on from there. Kernels that nobody has used
    for three months are removed.
    """
    started = clock.perf_counter()
    progress = progress or (lambda fraction: None)
    removed = clean()
    kernels = entries()
    wanted = missing(kernels)
    if len(wanted) > 1 and writable(cache_directory()):
        compile_together(wanted, progress)
    for kernel in kernels:
        _ = kernel.address  # reads it from the cache, or compiles it now
    progress(1.0)
    return Warmup(len(kernels), len(wanted), removed, clock.perf_counter() - started, cache_directory() or cache_root())
