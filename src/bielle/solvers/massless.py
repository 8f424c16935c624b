"""Bodies without mass: which solvers can do with them, and which motions they leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import DescriptionError, SingularError
from ..kernels import tree as t
from ..model import Model

if TYPE_CHECKING:
    from ..recursive.tree import Tree

__all__ = ["check_moved", "refuse_massless"]


def refuse_massless(model: Model) -> None:
    """For solvers that divide by the mass of each body."""
    if model.massless:
        raise DescriptionError(
            f"Body '{model.massless[0]}' has no mass, and only joint coordinates can do without: take solver='auto' or bielle.Recursive(), "
            "or give it mass."
        )


def check_moved(tree: Tree) -> None:
    """Refuse bodies without mass that can move although nothing with mass hangs on them, and joints that nothing resists at present."""
    if not tree.model.massless:
        return
    carries = {name: False for name in tree.model.massless}
    links = tree.links
    for link in reversed(links):  # each hangs on one before it
        if link.parent >= 0 and carries.get(link.name, True):
            carries[links[link.parent].name] = True
    for link in links:
        if not carries.get(link.name, True) and link.motion.nv > 0:
            raise DescriptionError(
                f"Body '{link.name}' moves on '{link.joint}', but neither it nor what hangs on it in the tree has mass: "
                "joint coordinates do not determine its motion. Give it mass, or fix it."
            )
    code = int(tree.count[t.N_REFUSED])
    if code >= t.SINGULAR:
        link = links[code - t.SINGULAR]
        raise SingularError(
            f"Joint '{link.joint}' ({link.motion.name}) can move body '{link.name}' and all that hangs on it without any inertia in this "
            "position: its motion is not determined. Give the body mass, or the joint an armature (add_rotor)."
        )
