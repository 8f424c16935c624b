"""Functions of robotics, called from Python: many times in a row, at the same state."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..recursive import RecursiveModel
from ._workload import Job

__all__ = ["Functions", "calling", "functions"]

Functions = dict[str, Callable[[], Any]]  #: by name, each at a state of its own


def calling(call: Callable[[], Any], count: int, answer: Callable[[], Any], bursts: int = 100) -> Job:
    """Call so many times, in bursts of which the quickest is taken: what a call takes if nothing else is in the way."""

    def burst() -> float:
        started = time.perf_counter()
        for _ in range(count):
            call()
        return time.perf_counter() - started

    return Job(lambda: min(burst() for _ in range(bursts)), lambda: np.array(answer()))


def functions(model: RecursiveModel, q: np.ndarray, v: np.ndarray, x: np.ndarray) -> Functions:
    """bielle's. x: efforts if accelerations are asked for, accelerations if efforts are."""
    return {
        "aba": lambda: model.aba(q, v, x),
        "rnea": lambda: model.rnea(q, v, x),
        "crba": lambda: model.crba(q),
        "∂aba": lambda: model.aba_derivatives(q, v, x),
        "∂rnea": lambda: model.rnea_derivatives(q, v, x),
    }
