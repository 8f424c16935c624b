"""Gluing: components that show nothing but their ports are brought together by iterating on what goes through these, step by step.

May import everything on its left: ``simulation``, ``solvers``, ``results``, ``model`` and below; nobody there imports it.
"""

from .component import Component
from .glue import Glue
from .part import Part
from .remote import Remote
from .result import GlueResult
from .serving import serve

__all__ = ["Component", "Glue", "GlueResult", "Part", "Remote", "serve"]
