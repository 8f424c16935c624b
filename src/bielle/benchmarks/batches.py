"""Many states at once: forward and inverse dynamics and mass matrices of 10,000 states of a chain of 30 hinges, all results kept.

bielle's batches are shared out among all cores. Who uses Pinocchio from Python writes a loop; it also has a pool of models, compiled and
on as many threads, which takes states in columns, for forward and inverse dynamics only. Arrays for the results are there before.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from ._calls import calling
from ._workload import Case, Job, Pair, Program, Workload
from .calls import chain, chain_in_pinocchio, state

STATES, JOINTS = 10_000, 30
PASSES = 7  # of which the quickest is taken: the first writes to memory that has not been used yet
APART = 100  # of the matrices, which are many numbers, those of every so many states are compared


def _job(call: Callable[[], Any], out: np.ndarray) -> Job:
    return calling(call, 1, lambda: out if out.ndim == 2 else out[::APART], PASSES)


def _room(function: str) -> np.ndarray:
    return np.empty((STATES, JOINTS, JOINTS) if function == "crba" else (STATES, JOINTS))


def ours(function: str) -> Job:
    """bielle."""
    model, (q, v, x), out = chain(JOINTS), state(STATES, JOINTS), _room(function)
    calls = {
        "aba": lambda: model.aba_batch(q, v, x, out=out),
        "rnea": lambda: model.rnea_batch(q, v, x, out=out),
        "crba": lambda: model.crba_batch(q, out=out),
    }
    return _job(calls[function], out)


def loop(function: str) -> Job:
    """A loop in Python over Pinocchio."""
    from ._pinocchio import WORLD, pin

    model, (q, v, x), out = chain_in_pinocchio(JOINTS), state(STATES, JOINTS), _room(function)
    data = model.createData()

    def aba() -> None:
        for k in range(STATES):
            out[k] = pin.aba(model, data, q[k], v[k], x[k], WORLD)

    def rnea() -> None:
        for k in range(STATES):
            out[k] = pin.rnea(model, data, q[k], v[k], x[k])

    def crba() -> None:
        for k in range(STATES):
            out[k] = pin.crba(model, data, q[k], WORLD)

    return _job({"aba": aba, "rnea": rnea, "crba": crba}[function], out)


def plain_loop(function: str) -> Job:
    """The same for mass matrices, without saying in which axes they are to be found: Pinocchio's default is slower."""
    from ._pinocchio import pin

    model, (q, _, _), out = chain_in_pinocchio(JOINTS), state(STATES, JOINTS), _room(function)
    data = model.createData()

    def crba() -> None:
        for k in range(STATES):
            out[k] = pin.crba(model, data, q[k])

    return _job(crba, out)


def pool(function: str) -> Job:
    """Pinocchio's own, a model for each thread."""
    from ._pinocchio import pin

    threads = os.cpu_count() or 1
    models, call = pin.ModelPool(chain_in_pinocchio(JOINTS), threads), {"aba": pin.abaInParallel, "rnea": pin.rneaInParallel}[function]
    q, v, x, out = (each.T for each in (*state(STATES, JOINTS), _room(function)))
    return _job(lambda: call(threads, models, q, v, x, out), out.T)


WORKLOAD = Workload(
    title="Batches",
    about="10,000 states of a chain of 30 hinges: a batch beside a loop in Python over Pinocchio and its pool of models.",
    cases={function: Case({"function": function}, count=STATES, quick=function == "aba") for function in ("aba", "rnea", "crba")},
    programs=(
        Program("bielle", ours, within=1e-10),
        Program("loop", loop, "pin", within=1e-10),
        Program("plain loop", plain_loop, "pin", within=1e-10, cases=("crba",)),
        Program("pool", pool, "pin", within=1e-10, cases=("aba", "rnea")),
    ),
    pairs=(Pair("bielle", "loop", goals={"aba": 4.0, "rnea": 4.0, "crba": 4.0}), Pair("bielle", "plain loop"), Pair("bielle", "pool")),
    error="difference, relative",
    relative=True,
    unit="state",
)
