"""Workloads, one file each: bielle and other programs side by side. ``bielle bench`` runs them.

Every module offers ``WORKLOAD``: its cases, and the programs that do them, bielle's and others', each in a process of its own. A program
that gives another answer is not timed; the others have their turns in rounds, and what counts is the median of the ratios of a round.
"""

from ..errors import NamingError, unknown
from ._measuring import measure
from ._records import Record, read, write, yardstick
from ._workload import Case, Job, Pair, Program, Workload, load

__all__ = ["Case", "Job", "Pair", "Program", "Record", "Workload", "get", "measure", "names", "read", "write", "yardstick"]

_NAMES = (
    "planar_chain",
    "spatial_chain",
    "n_four_bar",
    "andrews",
    "calls",
    "batches",
    "humanoid",
    "edits",
    "startup",
    "memory",
    "wired_chain",
    "special_purpose",
    "threads",
    "exchange",
    "multirate",
    "course",
)


def names() -> list[str]:
    """Names of the workloads."""
    return list(_NAMES)


def get(name: str) -> Workload:
    """A workload by its name, or that of a module anywhere (with a dot in it). What it needs of other programs is imported when these are
    run."""
    if "." not in name and name not in _NAMES:
        raise unknown("benchmark", name, _NAMES)
    try:
        return load(name)
    except (ModuleNotFoundError, AttributeError) as error:
        if "." not in name:
            raise
        raise NamingError(f"There is no benchmark in a module named '{name}': {error}. A module with WORKLOAD is expected.") from None
