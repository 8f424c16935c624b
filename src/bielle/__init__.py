"""bielle: mechanisms of rigid bodies; describe them, simulate them accurately, change them while they run.

>>> import bielle as bl
>>> m = bl.Mechanism(plane="xy")
>>> rod = m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
>>> pivot = m.add_joint("pivot", bl.Pin(), m.ground, rod, at=(0, 0))
>>> run = m.simulate(2.0)                                   # doctest: +SKIP
>>> run["rod"].position                                     # doctest: +SKIP
"""

from typing import TYPE_CHECKING

from . import bodies, errors, forces, joints
from . import io as io  # registers the formats of other programs
from .forces import *  # noqa: F403
from .joints import *  # noqa: F403
from .mechanism import visuals
from .mechanism.files import load
from .mechanism.functions import (
    Constant,
    Function,
    Harmonic,
    Polynomial,
    Product,
    SmoothStep,
    Sum,
    Table,
    TrapezoidalProfile,
    compiled,
)
from .mechanism.mechanism import Mechanism
from .mechanism.shapes import box, capsule, compound, cylinder, disc, extruded, massless, plate, rigid, rod, sphere
from .mechanism.vectors import rotation

if TYPE_CHECKING:
    from .analysis.report import report
    from .gluing.glue import Glue
    from .gluing.part import Part
    from .gluing.remote import Remote
    from .io.mjcf import load_mjcf
    from .io.urdf import load_urdf, urdf_limits
    from .io.writing import save_urdf
    from .live.files import load_session
    from .results.export import load_result
    from .results.plots import plot
    from .results.result import Result
    from .results.timeline import Timeline
    from .simulation import simulate
    from .solvers.central import Central
    from .solvers.modular import Modular
    from .solvers.recursive import Recursive

__version__ = "0.1.0"

# What needs SciPy or Numba is imported when it is first asked for, so that ``import bielle`` is quick.
_LATER = {
    "Central": "solvers.central",
    "Glue": "gluing.glue",
    "Modular": "solvers.modular",
    "Part": "gluing.part",
    "Recursive": "solvers.recursive",
    "Remote": "gluing.remote",
    "Result": "results.result",
    "Timeline": "results.timeline",
    "load_mjcf": "io.mjcf",
    "load_result": "results.export",
    "load_session": "live.files",
    "load_urdf": "io.urdf",
    "plot": "results.plots",
    "report": "analysis.report",
    "save_urdf": "io.writing",
    "simulate": "simulation",
    "urdf_limits": "io.urdf",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        if name.startswith("_"):
            raise AttributeError(f"module 'bielle' has no attribute '{name}'")
        near = errors.nearest(name, __all__)
        hint = f"Did you mean '{near}'?" if near else "dir(bielle) lists what it has."
        raise errors.AccessError(f"bielle has no '{name}'. {hint}")
    import importlib

    value = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What there is, imported already or not."""
    own = (name for name, value in globals().items() if name.startswith("__") or getattr(value, "__name__", "").startswith("bielle."))
    return sorted({*__all__, *own})


__all__ = [
    "Central",
    "Constant",
    "Function",
    "Glue",
    "Harmonic",
    "Mechanism",
    "Modular",
    "Part",
    "Recursive",
    "Polynomial",
    "Product",
    "Remote",
    "Result",
    "SmoothStep",
    "Sum",
    "Table",
    "Timeline",
    "TrapezoidalProfile",
    "bodies",
    "box",
    "capsule",
    "compiled",
    "compound",
    "cylinder",
    "disc",
    "errors",
    "extruded",
    "load",
    "load_mjcf",
    "load_result",
    "load_session",
    "load_urdf",
    "plate",
    "plot",
    "report",
    "rigid",
    "rod",
    "rotation",
    "save_urdf",
    "simulate",
    "massless",
    "sphere",
    "urdf_limits",
    "visuals",
    *forces.__all__,
    *joints.__all__,
]
