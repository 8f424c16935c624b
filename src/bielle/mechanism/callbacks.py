"""What the bridges from compiled loops to the user's Python callables have in common."""

import ctypes
from collections.abc import Callable
from typing import Any, ClassVar

from ..errors import CallbackError

__all__ = ["Callback"]


class Callback:
    """A Python callable that compiled code can call. An exception is kept for the solver to raise; the loop sees NaN and stops.

    The run that is calling says where it looks whether to stop (:attr:`stop`): it ends in the very step in which a function fails, and does
    not try shorter ones, so that what is said of it does not depend on how many steps are taken at once.
    """

    prototype: ClassVar[Any]  #: of the C function
    _call: Callable[..., None]  #: what it calls here
    pointer: Any  #: the ctypes function that compiled code calls

    def __init__(self, owner: str = "") -> None:
        self.owner = owner  #: the component, as it is named in messages
        self._begin()

    def _begin(self) -> None:
        self.error: CallbackError | None = None
        self.cause: BaseException | None = None
        self.stop: Any = None  #: array of one number, set to 1 when the function fails
        self.pointer = self.prototype(self._call)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("error", "cause", "stop", "pointer")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()  # with a pointer of its own

    @property
    def address(self) -> int:
        """What compiled code calls."""
        return ctypes.cast(self.pointer, ctypes.c_void_p).value or 0

    def failed(self, what: str, cause: BaseException | None = None) -> None:
        """Remember the first failure."""
        if self.stop is not None:
            self.stop[0] = 1
        if self.error is None:
            self.error = CallbackError(f"{self.owner}: {what}")
            self.cause = cause
