"""Recursive dynamics: trees of bodies in joint coordinates, in O(n)."""

from .model import RecursiveModel

__all__ = ["RecursiveModel"]
