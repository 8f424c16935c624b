"""Calls: how functions of a model reach their kernels, with arrays as they are, with anything that can be made one, or many at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..errors import DescriptionError, SingularError, unknown
from ..kernels import tree as t
from ..kernels.fastcall import built_in
from ..kernels.lazy import entry
from ..kernels.memory import address_of
from ..kernels.slots import S_TIME
from ..model import Context, Model, State
from .arguments import layout_is_known
from .batches import parts, run
from .coupling import Coupling
from .outputs import room, targets
from .tree import Link, Tree

__all__ = ["Calls", "Function"]


class Function(NamedTuple):
    """A kernel, and the arrays that it works on: name and slot; shapes are in ``Calls._shapes``."""

    kernel: entry
    how: int
    inputs: Mapping[str, int]
    outputs: Mapping[str, int]
    coupled: bool = False  #: whether it needs the bodies: their forces, joints that close loops
    derivatives: bool = False  #: whether it needs the room of derivatives


class Calls:
    """A tree, its arrays by name, and the ways to call kernels with them.

    The table of a tree is scratch, for one call at a time. Built-in functions share one: Python does not turn to another thread within a
    call of them. All other calls take a tree that nobody else is using, so that any number of threads may call at once.
    """

    def __init__(self, model: Model, state: State, root: str | None = None) -> None:
        self._tree = tree = Tree(model, root)  # of the built-in functions
        self._free: list[Tree] = []  # the same, for calls of other ways
        self._preparing = threading.Lock()
        self._root = root
        self.links: list[Link] = tree.links
        self.row = {link.name: i for i, link in enumerate(self.links)}  #: of each body
        self.nq, self.nv = tree.nq, tree.nv
        self._state = state
        self.loops: list[str] = tree.loops  #: joints that are not part of the trees
        self._equations, m = {}, 0
        for name in self.loops:
            rows = model.joints[name].equations
            self._equations[name] = slice(m, m + rows.stop - rows.start)
            m = self._equations[name].stop
        n, nv = tree.n, tree.nv
        self._shapes: dict[str, tuple[int, ...]] = {
            "q": (self.nq,), "v": (nv,), "a": (nv,), "tau": (nv,), "dq": (nv,), "new_q": (self.nq,), "to_q": (self.nq,),
            "forces": (n, 6), "matrix": (nv, nv), "by_q": (nv, nv), "by_v": (nv, nv), "poses": (n, 12), "jacobian": (6, nv),
            "per_link": (n, 6), "one": (1,), "three": (3,), "six": (6,), "lam": (m,), "rate": (m,), "loop_jacobian": (m, nv),
        }  # fmt: skip

    def _take(self, function: Function, time: float = 0.0, asked: Sequence[float] = ()) -> Tree:
        """A tree that nobody else is using, with all that a function needs; to be given back to ``_free``."""
        try:
            tree = self._free.pop()
        except IndexError:
            tree = self._tree.another()
        if function.derivatives:
            tree.allow_derivatives()
        if function.coupled:
            if not tree.coupling:
                Coupling(tree, self._context())
            tree.coupling.context.scalar[S_TIME] = time
        if asked:
            tree.array(t.T_ASKED)[: len(asked)] = asked
        return tree

    def _context(self) -> Context:
        """Bodies, at the described state."""
        context = Context(self._tree.model)
        context.load(self._state)
        context.regularise()
        return context

    def _quick(self, kernel: entry, how: int = 0) -> Callable[..., Any]:
        """A kernel that looks at its arguments itself; what it gives is not None if it refused them, or could not do with them."""
        found = built_in(kernel, how, self._tree.address, address_of(self._tree.count) + 8 * t.N_REFUSED) if layout_is_known() else None
        return _refuse if found is None else found

    def _call(
        self, function: Function, given: dict[str, Any], out: Any = None, forces: Any = None, time: float = 0.0, asked: Sequence[float] = ()
    ) -> Any:
        """Call a kernel with arguments that are converted first; one result, or a tuple of them."""
        arrays = [(slot, self._array(name, given[name])) for name, slot in function.inputs.items()]
        how = function.how
        if forces is not None:
            arrays.append((t.T_EXTERNAL, self._forces(forces)))
            how |= t.PUSHED
        shapes = [self._shapes[name] for name in function.outputs]
        wanted = targets(out, shapes)
        found = [room(shape, target, (x for _, x in arrays)) for shape, target in zip(shapes, wanted)]
        tree = self._take(function, time, asked)
        table = tree.table.copy()
        for slot, values in (*arrays, *zip(function.outputs.values(), found)):
            tree.table[slot] = address_of(values)
        function.kernel(tree.address, how)
        tree.table[:] = table  # kernels write to what they were called with last
        code = int(tree.count[t.N_REFUSED])
        self._free.append(tree)
        self._check_singular(code)
        return _handed_over(out, wanted, found)

    def _batch(
        self, function: Function, given: dict[str, Any], out: Any = None, forces: Any = None, time: float = 0.0, asked: Sequence[float] = ()
    ) -> Any:
        """The same for many states."""
        arrays, how = {}, function.how
        for name in function.inputs:
            arrays[name] = self._array(name, given[name], many=True)
        slots = list(function.inputs.values())
        if forces is not None:
            arrays["forces"] = self._array("forces", forces, many=True)
            slots.append(t.T_EXTERNAL)
            how |= t.PUSHED
        lengths = {name: len(values) for name, values in arrays.items()}
        n = max(lengths.values())
        if min(lengths.values()) != n:
            raise DescriptionError(f"A batch needs as many rows of each, got {', '.join(f'{k} of {name}' for name, k in lengths.items())}.")
        shapes = [(n, *self._shapes[name]) for name in function.outputs]
        wanted = targets(out, shapes)
        found = [room(shape, target, arrays.values()) for shape, target in zip(shapes, wanted)]
        if n:
            trees = [self._take(function, time, asked) for _ in range(parts(n))]
            bound = list(zip([*slots, *function.outputs.values()], [*arrays.values(), *found]))
            which, code = run(trees, function.kernel, how, bound)
            self._free += trees
            self._check_singular(code, f" (state {which})")
        return _handed_over(out, wanted, found)

    def _array(self, name: str, values: Any, many: bool = False) -> np.ndarray:
        """An argument as kernels read it, or a word on what is wrong with it."""
        shape = self._shapes[name]
        if type(values) is np.ndarray and values.shape == shape and values.dtype == float and values.flags.c_contiguous and not many:
            return values
        try:
            found = np.ascontiguousarray(values, dtype=float)
        except (TypeError, ValueError):
            raise DescriptionError(f"{name} must be numbers, got {repr(values)[:60]}.") from None
        if found.shape[int(many) :] != shape or found.ndim != len(shape) + many or np.ndim(values) != found.ndim:
            remedy = {"q": "neutral() makes a valid one", "to_q": "neutral() makes a valid one"}.get(name, "np.zeros(model.nv) is one")
            if name == "forces":
                remedy = "np.zeros((len(model.links), 6)) is one"
            wanted = f"{shape[0]} numbers" if len(shape) == 1 else f"the shape {shape}"
            rows = " in every row" if many else ""
            raise DescriptionError(f"{name} must have {wanted}{rows}, got {np.shape(values) or 'one number'}; {remedy}.")
        return found

    def _forces(self, forces: Any) -> np.ndarray:
        """Efforts on bodies (n, 6), from an array or by name."""
        if not isinstance(forces, Mapping):
            return self._array("forces", forces)
        out = np.zeros(self._shapes["forces"])
        for name, effort in forces.items():
            if name not in self.row:
                raise unknown("body", name, self.row)
            if np.shape(effort) != (6,):
                raise DescriptionError(f"The effort on body '{name}' must be six numbers, force and torque, got {np.shape(effort)}.")
            out[self.row[name]] = effort
        return out

    def _check_singular(self, code: int, where: str = "") -> None:
        if code >= t.SINGULAR:
            link = self.links[code - t.SINGULAR]
            raise SingularError(
                f"Joint '{link.joint}' ({link.motion.name}) can move body '{link.name}' and all that hangs on it without any "
                f"inertia{where}: the mass matrix is singular. Give the body an extent, or the joint an armature."
            )


def _refuse(*arguments: Any) -> Any:
    """In the place of a kernel that cannot look at its arguments itself."""
    return NotImplemented


def _handed_over(out: Any, wanted: list[np.ndarray | None], found: list[np.ndarray]) -> Any:
    """What a function returns: ``out``, with the results in it, or the results."""
    for target, values in zip(wanted, found):
        if target is not None and target is not values:
            target[...] = values
    if out is not None:
        return out
    return found[0] if len(found) == 1 else tuple(found)
