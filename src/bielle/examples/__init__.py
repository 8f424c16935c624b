"""Examples that come with the library, one file each. ``bielle run NAME`` runs one; ``python -m bielle.examples.NAME`` prints its checks.

Every example is a module that offers

    TITLE             one line
    build(**options)  the Mechanism
    DURATION          how long to simulate [s]
    solver()          how, or None for the default solver
    check(result)     a list of Check: the numbers it verifies about itself

A mechanism that is changed while it runs is played in a live session: such a module also offers

    play(live)        advances the session and edits it, until DURATION

and the result is the session's. A mechanism that meets others while it runs is simulated by what the module offers as

    run(mechanism, duration, solver, samples=…, progress=…)

in the place of :func:`bielle.simulate`; its result is that of this mechanism. Every module has a docstring that says what the mechanism
is, where its equations come from and what to look at.
"""

import importlib
from typing import cast

from ..calls import explained
from ..errors import unknown
from ._checks import Check, Example, simulate

__all__ = ["Check", "Example", "get", "names", "simulate"]

_NAMES = (
    "double_pendulum",
    "slider_crank",
    "four_bar",
    "parallelogram",
    "n_four_bar",
    "spatial_double_pendulum",
    "heavy_top",
    "rolling_disc",
    "bricard",
    "driven_crank",
    "suspension",
    "robot_arm",
    "inverse_dynamics",
    "stewart_platform",
    "interactive_pendulum",
    "cut_chain",
    "crane",
    "modular_robot",
    "robot_closes_a_loop",
    "changing_pivot",
    "lost_wheel",
    "breaking_bridge",
    "stiff_and_slow",
    "black_box_pair",
    "modular_double_pendulum",
    "modular_slider_crank",
    "modular_changing_pivot",
    "modular_spatial_pendulum",
)


@explained
def names() -> list[str]:
    """Names of the examples, the simplest first."""
    return list(_NAMES)


@explained
def get(name: str) -> Example:
    """The module of an example, imported when it is asked for."""
    if name not in _NAMES:
        raise unknown("example", name, _NAMES)
    return cast(Example, importlib.import_module(f".{name}", __name__))
