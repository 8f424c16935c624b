"""Recursive dynamics: bodies in joint coordinates, in O(n)."""

from ..errors import SingularError
from .building import recursive_model
from .model import RecursiveModel

__all__ = ["RecursiveModel", "SingularError", "recursive_model"]
