"""URDF, the format of robots: from a file to a mechanism.

Every link with mass is a body whose frame is that of the link; every link without is a frame on the body it is fixed to, or on the ground.
Joints hold on to places and axes in the frames of their bodies, with the numbers of the file.
"""

from __future__ import annotations

import os
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ..calls import explained
from ..mechanism.mechanism import Mechanism
from . import xml
from .building import built
from .meshes import Meshes
from .robot import read_robot
from .tree import names

__all__ = ["load_urdf", "urdf_limits"]


@explained
def load_urdf(
    path_or_text: Any,
    *,
    base: str = "fixed",
    gravity: Any = (0.0, 0.0, -9.81),
    package_dirs: Any = (),
    merge_fixed: bool = False,
    limits: bool = False,
    repair_inertia: bool = False,
    mimic: bool = True,
    positions: Any = MappingProxyType({}),
    velocities: Any = MappingProxyType({}),
    max_bytes: int = xml.MAX_BYTES,
) -> Mechanism:
    """The mechanism of a robot, from the path of a URDF file or from its text.

    base            'fixed': the root link is part of the ground; 'free': it floats. A root link named 'world' is always the ground
    gravity         acceleration of free fall [m/s²], of which URDF says nothing
    package_dirs    folders of packages, for meshes named package://…; or a dictionary from the name of a package to its folder
    merge_fixed     True: what fixed joints hold together is one body; False: every link with mass is a body, on fixed joints
    limits          True: stops and dry friction of joints act as forces; see also :func:`urdf_limits`
    repair_inertia  True: an inertia that no body can have is replaced by the nearest that one can have, with a warning
    mimic           False: joints that follow others in the file (<mimic>) move on their own
    positions       of joints at the start, by name [rad or m]; of those that are left out, zero
    velocities      of joints at the start, by name [rad/s or m/s]
    max_bytes       a longer file is refused
    """
    source, path, content = xml.source_and_content(path_or_text, "urdf", max_bytes)
    meshes = Meshes(None if path is None else os.path.dirname(path), package_dirs)
    robot = read_robot(xml.parse(content, source), meshes.resolve, repair=repair_inertia)
    if not mimic:
        robot.joints.update({name: replace(joint, mimic=None) for name, joint in robot.joints.items()})
    return built(
        robot,
        meshes,
        base=base,
        gravity=gravity,
        merge_fixed=merge_fixed,
        limits=limits,
        repair_inertia=repair_inertia,
        positions=positions,
        velocities=velocities,
    )


@explained
def urdf_limits(path_or_text: Any, *, max_bytes: int = xml.MAX_BYTES) -> dict[str, dict[str, float]]:
    """What the file says about the limits of its joints, by their names in the mechanism.

    'lower' and 'upper' in rad or m, 'effort' in N·m or N, 'velocity' in rad/s or m/s; what is not said is left out.
    """
    source, _, content = xml.source_and_content(path_or_text, "urdf", max_bytes)
    robot = read_robot(xml.parse(content, source), lambda element, name: None, repair=True)
    found = {name: {k: v for k, v in vars(robot.joints[joint].limit).items() if v is not None} for joint, name in names(robot)[1].items()}
    return {name: limit for name, limit in found.items() if limit}
