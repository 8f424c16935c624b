"""Mechanism → Model + State: flat tables, one range of rows per kind; contexts that bind them to addresses for kernels.

May import ``kernels``, ``topology``, ``mechanism``, ``bodies``, ``joints``, ``forces``.
"""

from .compile import compile_mechanism, edit_model
from .context import Context
from .model import Model
from .state import State

__all__ = ["Context", "Model", "State", "compile_mechanism", "edit_model"]
