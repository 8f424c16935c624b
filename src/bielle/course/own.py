"""What a student has written himself, of which the engine knows nothing: found by comparing, whatever it is called.

Interactions act through their methods, so these must be the ones that came with the course. Of solids only numbers count, their masses,
weights and the start, so these are compared.
"""

import inspect
import operator

import numpy as np

from .interactions import KINDS
from .interactions.base import changes

__all__ = ["Taken", "own_interactions", "own_parts", "own_solids"]


def _resolved(cls):
    """What every name of a class stands for, the classes above it included."""
    return {name: inspect.getattr_static(cls, name) for name in dir(cls) if _matters(name)}


def _matters(name):
    """Special methods (to make, show or compare an object) do not, but for those that all attributes go through."""
    return not name.startswith("__") or name in ("__getattribute__", "__setattr__")


_SHIPPED = {cls: _resolved(cls) for cls in KINDS.values()}  # before anybody could put something else in their place


def own_interactions(model):
    """Tags of the interactions that have anything in the place of what their class shipped with.

    That is a method or a class attribute that resolves to something else, by a derived class, in the class itself or on the object; or an
    attribute that has become a property.
    """
    names = {cls: _names_as_shipped(cls) for cls in {type(item) for item in model.interactions.values()}}
    return [tag for tag, item in model.interactions.items() if (known := names[type(item)]) is None or not known.isdisjoint(vars(item))]


def _names_as_shipped(cls):
    """All names of a class that shipped, or is derived from one, if each stands for the same as it did then; None otherwise."""
    shipped = next((_SHIPPED[base] for base in cls.__mro__ if base in _SHIPPED), None)
    if shipped is None:
        return None
    for name, found in _resolved(cls).items():
        if found is not shipped[name] if name in shipped else hasattr(type(found), "__set__"):
            return None
    return shipped.keys()


def own_solids(model):
    """Tags of the solids whose rows of A and B are not those of diag(m, m, iy) and of the weight (0, −m g, 0); numbered by the model."""
    expected, weights = np.zeros_like(model._matrices.A), np.zeros_like(model._matrices.B)
    for solid in model.solids.values():
        m, iy = getattr(solid, "m", np.nan), getattr(solid, "iy", np.nan)
        expected[solid.ind_q, solid.ind_q] = m, m, iy
        weights[solid.ind_q[1]] = -m * model.param.g
    differs = np.not_equal(model._matrices.A, expected).any(axis=1) | np.not_equal(model._matrices.B, weights)
    return [tag for tag, solid in model.solids.items() if differs[solid.ind_q].any()]


def own_parts(model):
    """What of a built model only the loop of the course can use, in words; empty if the engine knows all of it."""
    found = [f"interaction '{tag}'" for tag in own_interactions(model)]
    found += [f"mass or weight of solid '{tag}'" for tag in own_solids(model)]
    start = np.array([[s.q_t0 for s in model.solids.values()], [s.dq_t0 for s in model.solids.values()]])
    if not np.array_equal(start.ravel(), model._matrices.y0):
        found.append("initial conditions")
    return found


class Taken:
    """The interactions as they were when something was made of them."""

    def __init__(self, interactions):
        self._now, self._then, self._changes = interactions, dict(interactions), changes[0]
        self._attributes = [(vars(item), dict(vars(item))) for item in interactions.values()]
        numbers = {id(x): x for _, then in self._attributes for x in then.values() if isinstance(x, np.ndarray) and x.dtype == float}
        self._arrays = [(array, array.tobytes()) for array in numbers.values()]

    def same(self):
        """Whether they are still the same, with the same attributes and the same numbers in them."""
        if self._changes != changes[0]:
            if not all(_alike(now, then) for now, then in self._attributes):
                return False
            self._changes = changes[0]  # they were other ones
        return _alike(self._now, self._then) and all(array.tobytes() == then for array, then in self._arrays)


def _alike(now, then):
    """Whether two dictionaries have the same objects under the same names, or arrays of the same numbers."""
    if len(now) != len(then):
        return False
    if all(map(operator.is_, now.values(), then.values())) and all(map(operator.eq, now, then)):
        return True
    for name, value in then.items():
        other = now.get(name)
        if other is not value and not np.array_equal(other, value):
            return False
    return True
