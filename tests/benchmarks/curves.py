"""A workload of two programs that are finer and slower, and more or less so."""

import numpy as np

from bielle.benchmarks import Case, Job, Pair, Program, Workload


def order(p, cost):
    return lambda step: Job(lambda: cost / step, lambda: np.array([1.0 + step**p]))


STEPS = {f"{h:g}": {"step": h} for h in (1e-1, 1e-2, 1e-3, 1e-4)}
WORKLOAD = Workload(
    title="Curves",
    about="",
    cases={"": Case(rounds=2)},
    programs=(Program("second", order(2, 10.0), settings=STEPS), Program("first", order(1, 1.0), "numpy", within=1e-3, settings=STEPS)),
    pairs=(Pair("second", "first", goals={"0.001": 1.0}),),
    reference=lambda: np.ones(1),
    accuracies=(0.2, 1e-3, 1e-5),
)
