"""A workload of programs that behave and misbehave."""

import os
import signal
import time

import numpy as np

from bielle.benchmarks import Case, Job, Pair, Program, Workload


def waiting(seconds, answer=1.0):
    """Returns what it claims to have taken."""
    return lambda size: Job(lambda: seconds * size, lambda: np.array([answer * size, 0.0]))


def dying(size):
    return Job(lambda: os._exit(3), lambda: np.zeros(2))


def killed(size):
    return Job(lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: np.zeros(2))


def refusing(size):
    raise ValueError(f"no room for {size}")


def refusing_large(size):
    return refusing(size) if size > 1 else waiting(3.0)(size)


def endless(size):
    return Job(lambda: time.sleep(60), lambda: np.zeros(2))


def nan(size):
    return Job(lambda: 1.0, lambda: np.array([np.nan, 0.0]))


def really(size):
    return Job(lambda: time.sleep(0.01), lambda: np.array([size, 0.0]))


WORKLOAD = Workload(
    title="Toys",
    about="Programs that behave and misbehave.",
    cases={"1": Case({"size": 1}, rounds=4, quick=True), "2": Case({"size": 2}, count=2)},
    programs=(
        Program("ours", waiting(1.0)),
        Program("slower", waiting(3.0), "numpy"),
        Program("clock", really, "numpy"),
        Program("wrong", waiting(0.1, answer=1.1), "numpy", within=0.05),
        Program("tolerated", waiting(0.5, answer=1.01), "numpy", within=0.05),
        Program("nan", nan, "numpy"),
        Program("dying", dying, "numpy"),
        Program("killed", killed, "numpy"),
        Program("refusing", refusing, "numpy"),
        Program("small only", refusing_large, "numpy"),
        Program("endless", endless, "numpy", seconds=2.0),
        Program("missing", waiting(1.0), "surely-not-installed"),
        Program("one case", waiting(1.0), "numpy", cases=("2",)),
    ),
    pairs=(Pair("ours", "slower", goals={"1": 2.0, "2": 4.0}), Pair("ours", "tolerated"), Pair("ours", "dying"), Pair("ours", "wrong")),
    reference=lambda size: np.array([size, 0.0]),
)
