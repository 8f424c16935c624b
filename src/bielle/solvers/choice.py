"""The solvers there are, by name, and which of them suits a model."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from ..errors import DescriptionError, unknown
from ..kernels import tree as t
from ..model import Model
from ..recursive.tree import Tree
from .central import FORMULATIONS, IMPLICIT, INTEGRATORS, Central
from .modular import Modular
from .recursive import Recursive
from .run import Solver

__all__ = ["AUTO", "SOLVERS", "Choice", "checked", "choose"]

SOLVERS: dict[str, type] = {"central": Central, "modular": Modular, "recursive": Recursive}
AUTO = "auto"
MANY_BODIES = 5000  # from which on the order-eight steps of the others, one body after the other, take too long
CROWDED = 4.0  # loops, per link, squared: from that on their joints see each other through the trees more than the central matrix is large


class Choice(NamedTuple):
    """A solver, and why it was chosen."""

    solver: Solver
    why: str


def checked(solver: Any, model: Model | None = None) -> Solver:
    """The solver, or the default; the one that suits a model, if "auto" was asked for; anything else is refused."""
    if solver is None:
        return Central()
    if isinstance(solver, str) and solver == AUTO and model is not None:
        return choose(model).solver
    if isinstance(solver, str):
        return _by_name(solver)
    if not isinstance(solver, tuple(SOLVERS.values())):
        got, remedy = repr(solver)[:80], "Write Central(integrator='rk4', step=1e-3), say."
        if isinstance(solver, type) and solver in SOLVERS.values():
            got, remedy = f"the class {solver.__name__}", f"Write {solver.__name__}() with parentheses."
        raise DescriptionError(
            "The solver must be made by bielle.Central(…), bielle.Modular(…) or bielle.Recursive(…), or be one of "
            f"{', '.join(map(repr, (AUTO, *SOLVERS)))}, got {got}. {remedy}"
        )
    return cast(Solver, solver)


def _by_name(name: str) -> Solver:
    """The solver of that name with its own options, or an error that tells what the name is of."""
    if name in SOLVERS:
        return SOLVERS[name]()
    if name in INTEGRATORS:
        step = ", step=1e-3" if name == "rk4" or name in IMPLICIT else ""
        raise DescriptionError(f"'{name}' is an integrator, and no solver. Write bielle.Central(integrator='{name}'{step}).")
    if name in FORMULATIONS:
        raise DescriptionError(f"'{name}' is a formulation, and no solver. Write bielle.Central(formulation='{name}').")
    raise unknown("solver", name, (AUTO, *SOLVERS))


def choose(model: Model) -> Choice:
    """The solver that is quickest for a model at the accuracy of the default, or near it."""
    n = len(model.body_rows) - 1
    if model.massless:
        return Choice(Recursive(), f"body '{model.massless[0]}' has no mass")
    if n > MANY_BODIES:
        return Choice(Modular(), f"{n} bodies: they advance themselves, in steps of second order, on all cores")
    other = [r for r in model.body_rows.records[1:] if r.item.kind.observe is None]
    if other:
        return Choice(Central(), f"body '{other[0].name}' is more than a rigid one")
    tree = Tree(model)
    if not len(tree.loop_rows):
        return Choice(Recursive(), f"{_bodies(n)} in trees, no loops")
    met = _loops_per_link(tree)
    if float(met @ met) > CROWDED * n:
        return Choice(Central(), f"{len(tree.loop_rows)} joints close loops that hang together")
    loops = "one loop" if len(tree.loop_rows) == 1 else f"{len(tree.loop_rows)} loops"
    return Choice(Recursive(), f"{_bodies(n)} in trees, {loops}")


def _bodies(n: int) -> str:
    return "one body" if n == 1 else f"{n} bodies"


def _loops_per_link(tree: Tree) -> np.ndarray:
    """Of each link, how many loops send their efforts through it."""
    joints = tree.model.joint_rows
    link, parent = tree.array(t.T_LINK).tolist(), tree.array(t.T_PARENT).tolist()
    first, bodies, out = joints.starts("ne").tolist(), joints.column("elem_body").tolist(), np.zeros(tree.n)
    for j in tree.loop_rows.tolist():
        way: set[int] = set()
        for b in set(bodies[first[j] : first[j + 1]]):
            i = link[b]
            while i >= 0 and i not in way:
                way.add(i)
                i = parent[i]
        out[list(way)] += 1.0
    return out
