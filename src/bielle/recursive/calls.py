"""Calls: how functions of a model reach their kernels, with arrays as they are, with anything that can be made one, or many at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..errors import DescriptionError, SingularError, unknown
from ..kernels.fastcall import built_in
from ..kernels.lazy import entry
from ..kernels.memory import address_of
from ..kernels.slots import S_TIME
from ..model import Context, Model, State
from . import table as t
from .arguments import layout_is_known
from .batches import Batches
from .coupling import Coupling
from .tree import Link, Tree

__all__ = ["Calls", "Function"]


class Function(NamedTuple):
    """A kernel, and the arrays that it works on: name and slot; shapes are in ``Calls._shapes``."""

    kernel: entry
    how: int
    inputs: Mapping[str, int]
    outputs: Mapping[str, int]


class Calls:
    """A tree, its arrays by name, and the ways to call kernels with them."""

    def __init__(self, model: Model, state: State, root: str | None = None) -> None:
        self._tree = tree = Tree(model, root)
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
            "one": (1,), "three": (3,), "six": (6,), "lam": (m,), "rate": (m,), "loop_jacobian": (m, nv),
        }  # fmt: skip
        self._batches = Batches(tree, self._another_tree)
        self._time = 0.0

    def _another_tree(self) -> Tree:
        tree = self._tree.another()
        if self._tree.coupling is not None:
            Coupling(tree, self._context())
        return tree

    def _context(self) -> Context:
        """Bodies, at the described state."""
        context = Context(self._tree.model)
        context.load(self._state)
        context.regularise()
        context.scalar[S_TIME] = self._time
        return context

    def _couple(self, time: float = 0.0) -> None:
        """What ties the links to the bodies, from now on."""
        self._time = time
        if self._tree.coupling is None:
            Coupling(self._tree, self._context())
            self._batches.forget()
        for tree in self._batches.trees:
            tree.coupling.context.scalar[S_TIME] = time

    def _quick(self, kernel: entry, how: int = 0) -> Callable[..., Any]:
        """A kernel that looks at its arguments itself; what it gives is not None if it refused them, or could not do with them."""
        found = built_in(kernel, how, self._tree.address, address_of(self._tree.count) + 8 * t.REFUSED) if layout_is_known() else None
        return _refuse if found is None else found

    def _call(self, function: Function, given: dict[str, Any], out: Any = None, forces: Any = None) -> Any:
        """Call a kernel with arguments that are converted first; one result, or a tuple of them."""
        tree, kept, how = self._tree, [], function.how
        tree.use_own()  # kernels write to what they were called with last
        for name, slot in function.inputs.items():
            kept.append(self._array(name, given[name]))
            tree.table[slot] = address_of(kept[-1]) if kept[-1].size else 0
        if forces is not None:
            kept.append(self._forces(forces))
            tree.table[t.T_EXTERNAL] = address_of(kept[-1]) if kept[-1].size else 0
            how |= t.PUSHED
        found = [np.empty(self._shapes[name]) for name in function.outputs]
        for values, slot in zip(found, function.outputs.values()):
            tree.table[slot] = address_of(values) if values.size else 0
        function.kernel(tree.address, how)
        tree.use_own()
        self._check_singular()
        if out is None:
            return found[0] if len(found) == 1 else tuple(found)
        for target, values in zip(out if isinstance(out, tuple) else (out,), found):
            if np.shape(target) != values.shape:
                raise DescriptionError(f"out must have the shape {values.shape}, got {np.shape(target)}.")
            target[...] = values
        return out

    def _batch(self, function: Function, given: dict[str, Any], out: Any = None, forces: Any = None) -> Any:
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
        wanted = [(n, *self._shapes[name]) for name in function.outputs]
        given_out = (None,) * len(wanted) if out is None else out if isinstance(out, tuple) else (out,)
        found = [_room(shape, target) for shape, target in zip(wanted, given_out)]
        self._tree.use_own()
        if n:
            which, code = self._batches.run(
                function.kernel, how, list(zip([*slots, *function.outputs.values()], [*arrays.values(), *found]))
            )
            self._check_singular(code, f" (state {which})")
        for target, values in zip(given_out, found):
            if target is not None and target is not values:
                target[...] = values
        if out is not None:
            return out
        return found[0] if len(found) == 1 else tuple(found)

    def _array(self, name: str, values: Any, many: bool = False) -> np.ndarray:
        """An argument as kernels read it, or a word on what is wrong with it."""
        shape, found = self._shapes[name], np.ascontiguousarray(values, dtype=float)
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

    def _check_singular(self, code: int | None = None, where: str = "") -> None:
        code = int(self._tree.count[t.REFUSED]) if code is None else code
        if code >= t.SINGULAR:
            link = self.links[code - t.SINGULAR]
            raise SingularError(
                f"Joint '{link.joint}' ({link.motion.name}) can move body '{link.name}' and all that hangs on it without any "
                f"inertia{where}: the mass matrix is singular. Give the body an extent, or the joint an armature."
            )

    def _allow_derivatives(self) -> None:
        if self._tree.allow_derivatives():
            self._batches.forget()


def _refuse(*arguments: Any) -> Any:
    """In the place of a kernel that cannot look at its arguments itself."""
    return NotImplemented


def _room(shape: tuple[int, ...], target: Any) -> np.ndarray:
    """An array that kernels can write to: the target itself if it will do."""
    if isinstance(target, np.ndarray):
        if target.shape != shape:
            raise DescriptionError(f"out must have the shape {shape}, got {target.shape}.")
        if target.dtype == float and target.flags.carray:
            return target
    return np.empty(shape)
