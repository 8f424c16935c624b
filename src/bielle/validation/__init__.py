"""Published problems, one file each: bielle against numbers that others have printed. ``bielle validate`` runs them.

Every module offers ``build()``, the Mechanism, and ``PROBLEM``: where the problem comes from, how long it runs, and its quantities, each
with reference, tolerance, the reason of the tolerance, and how it is read from a result.
"""

import importlib
from collections.abc import Callable

from ..calls import explained
from ..errors import unknown
from ._problem import WAYS, Comparison, Outcome, Problem, Quantity
from ._problem import run as _run

__all__ = ["WAYS", "Comparison", "Outcome", "Problem", "Quantity", "get", "names", "run"]

_NAMES = (
    "pendulum_a01",
    "n_four_bar_a02",
    "double_four_bar_a02",
    "flyball_governor_a05",
    "andrews",
    "car_axis",
    "slider_crank_torque",
    "slider_crank_sundials",
    "heavy_top",
    "revolute_case02",
    "spherical_case02",
    "transpring_case02",
    "rotspring_case01",
)


@explained
def names() -> list[str]:
    """Names of the problems: planar ones first, then spatial ones."""
    return list(_NAMES)


@explained
def get(name: str) -> Problem:
    """A problem, imported when it is asked for."""
    if name not in _NAMES:
        raise unknown("validation", name, _NAMES)
    return importlib.import_module(f".{name}", __name__).PROBLEM


@explained
def run(name: str, way: str = WAYS[0], progress: Callable[[float], None] | bool = False) -> Outcome:
    """Simulate a problem with one of the solvers ``WAYS`` and compare it with its references."""
    return _run(name, get(name), way, progress)
