"""Workloads, one file each: bielle and other programs side by side. ``bielle bench`` runs them.

Every module offers ``WORKLOAD``: its cases, and the programs that do them, bielle's and others', each in a process of its own. A program
that gives another answer is not timed; the others have their turns in rounds, and what counts is the median of the ratios of a round.
"""

import importlib

from ..errors import unknown
from ._measuring import measure
from ._records import Record, read, write, yardstick
from ._workload import Case, Job, Pair, Program, Workload

__all__ = ["Case", "Job", "Pair", "Program", "Record", "Workload", "get", "measure", "names", "read", "write", "yardstick"]

_NAMES = ("planar_chain", "calls", "batches", "humanoid")


def names() -> list[str]:
    """Names of the workloads."""
    return list(_NAMES)


def get(name: str) -> Workload:
    """A workload, imported when it is asked for. What it needs of other programs is imported when these are run."""
    if name not in _NAMES:
        raise unknown("benchmark", name, _NAMES)
    return importlib.import_module(f".{name}", __name__).WORKLOAD
