"""Recursive dynamics: bodies in joint coordinates, in O(n)."""

from ..errors import SingularError
from .model import RecursiveModel

__all__ = ["RecursiveModel", "SingularError"]
