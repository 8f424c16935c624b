"""From a mechanism to its model in joint coordinates."""

from __future__ import annotations

from ..joints.rotor import Rotor, without_rotors
from ..kernels.ahead import compile_ahead
from ..kernels.lazy import announce_compilation
from ..mechanism.mechanism import Mechanism
from ..model import compile_mechanism
from ..model.needs import kernels_of
from .aba import aba
from .crba import crba
from .growing import grow
from .jacobians import jacobian
from .model import RecursiveModel
from .rnea import rnea

__all__ = ["recursive_model"]


def recursive_model(m: Mechanism, root: str | None = None) -> RecursiveModel:
    """The mechanism as trees; see :meth:`bielle.Mechanism.recursive`. Rotors are armatures of the joints they are geared to.

    Those whose joints close a loop, where there is no coordinate, stay bodies with a gear.
    """
    announce_compilation()
    compile_ahead([*kernels_of(m, True), aba, crba, jacobian, rnea, grow])
    gears = {joint.name: joint.a for joint in m.joints.values() if isinstance(joint.kind, Rotor)}
    kept: set[str] = set()
    while True:
        bare, armatures = without_rotors(m, kept)
        model = RecursiveModel(*compile_mechanism(bare), root)
        leading = {link.joint for link in model.links}
        closing = {gear for gear, joint in gears.items() if joint in armatures and joint not in leading}
        if not closing:
            break
        kept |= closing
    for joint, armature in armatures.items():
        model.armature[model.coordinates(joint)[1].start] = armature  # of an angle and a displacement, the angle is first
    return model
