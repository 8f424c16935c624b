"""A workload whose right answer cannot be found."""

import numpy as np

from bielle.benchmarks import Case, Job, Program, Workload


def unknown():
    raise ValueError("nobody knows")


WORKLOAD = Workload(
    title="Unsure",
    about="",
    cases={"": Case()},
    programs=(Program("ours", lambda: Job(lambda: 1.0, lambda: np.ones(1))),),
    pairs=(),
    reference=unknown,
)
