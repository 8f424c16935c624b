"""Parts of a result tell what they can be asked, and suggest the nearest if they are asked for something else."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ..mechanism.components import missing_attribute

__all__ = ["Asked"]


class Asked:
    """Mixin: a representation that lists what there is, and errors that suggest the nearest of it."""

    def _title(self) -> str:
        """What it is: "body 'rod'"."""
        raise NotImplementedError

    def _asked(self) -> list[str]:
        """Names that can be asked for, the usual ones first."""
        raise NotImplementedError

    def _listed(self) -> str:
        functions = inspect.isfunction
        return ", ".join(f"{name}(…)" if functions(getattr(type(self), name, None)) else name for name in self._asked())

    def __repr__(self) -> str:
        return f"{self._title()}: ask for {self._listed()}"

    if not TYPE_CHECKING:  # to a type checker every misspelling would be right

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or "run" not in self.__dict__:  # while it is copied there is nothing to tell yet
                raise AttributeError(name)
            raise missing_attribute(self._title(), name, self._asked())
