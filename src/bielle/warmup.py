"""Compile every kernel of the package ahead of time, so that the first simulation starts at once."""

import importlib
import pkgutil
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .kernels.lazy import cache_directory, entry, on_compile, registered_entries

__all__ = ["Warmup", "entries", "warm_up"]

#: where kernels are declared
ROOMS = ("kernels", "bodies", "joints", "forces", "topology", "model", "formulations", "integrators", "modular", "recursive", "results")


@dataclass(frozen=True)
class Warmup:
    """What :func:`warm_up` did."""

    kernels: int  #: how many there are
    compiled: int  #: how many of them the cache did not hold
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
    """Compile all kernels, or read them from the cache; ``progress`` is called with the fraction done.

    What is compiled when an interruption comes stays in the cache, so that another call goes on from there.
    """
    started = clock.perf_counter()
    kernels = entries()
    compiled: list[str] = []
    on_compile(compiled.append)
    for done, kernel in enumerate(kernels, start=1):
        _ = kernel.address  # compiles it, or reads it from the cache
        if progress is not None:
            progress(done / len(kernels))
    return Warmup(len(kernels), len(compiled), clock.perf_counter() - started, cache_directory())
