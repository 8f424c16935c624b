"""What the bridges from compiled loops to the user's Python callables have in common."""

import ctypes
from typing import Any

from ..errors import CallbackError

__all__ = ["Callback"]


class Callback:
    """A Python callable that compiled code can call. An exception is kept for the solver to raise; the loop sees NaN and stops."""

    pointer: Any  #: the ctypes function that compiled code calls

    def __init__(self, owner: str = "") -> None:
        self.owner = owner  #: the component, as it is named in messages
        self.error: CallbackError | None = None
        self.cause: BaseException | None = None

    @property
    def address(self) -> int:
        """What compiled code calls."""
        return ctypes.cast(self.pointer, ctypes.c_void_p).value or 0

    def failed(self, what: str, cause: BaseException | None = None) -> None:
        """Remember the first failure."""
        if self.error is None:
            self.error = CallbackError(f"{self.owner}: {what}")
            self.cause = cause
