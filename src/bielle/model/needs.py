"""Kernels that a mechanism needs: of its kinds, and those that all mechanisms need. Known before any of them is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..kernels import blocksparse, fields, functions, program, regularisation
from ..kernels.lazy import entries_in, entry
from ..mechanism import registry
from . import kkt, places, rows

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["kernels_of"]

_JOINT_COORDINATES = ("observe", "settle", "follow")  # of bodies, for who works in these
_ALL = (program.evaluate, program.apply_forces, program.retract)
_ALL += (blocksparse.factor, blocksparse.eliminate, blocksparse.solve)


def kernels_of(m: Mechanism, joint_coordinates: bool = False) -> list[entry]:
    """Those that are called to compile and to evaluate a mechanism; ``joint_coordinates``: and to move its bodies by these."""
    bodies = {registry.bodies["ground"]} | {
        registry.bodies[name] for name in map(m.coordinates_of, m.bodies.values()) if name in registry.bodies
    }
    found = [*_ALL, *entries_in(rows, places, kkt, fields, regularisation)]
    left_out = {getattr(kind, name) for kind in bodies for name in _JOINT_COORDINATES} if not joint_coordinates else set()
    own = {kernel for kind in bodies for kernel in entries_in(kind.__module__)}
    own |= {registry.bodies["ground"].elements} | {joint.kind.kernel for joint in m.joints.values()}
    own |= {kernel for force in m.forces.values() for kernel in (force.kind.kernel, force.kind.tangent, force.kind.commit)}
    if m.forces:
        own.add(functions.evaluate_signals)
    return found + [kernel for kernel in own - left_out if isinstance(kernel, entry)]
