"""Recursive dynamics: bodies in joint coordinates, in O(n)."""

from .model import RecursiveModel, SingularError

__all__ = ["RecursiveModel", "SingularError"]
