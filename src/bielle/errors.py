"""Everything that can go wrong, each with its own type.

A message is one or two sentences: what is wrong, which component (by its name), what was expected and what was got, and what to do.
"""

import difflib
from collections.abc import Iterable
from typing import Any

__all__ = [
    "AssemblyError",
    "BielleError",
    "CallbackError",
    "ComponentError",
    "ConflictError",
    "DescriptionError",
    "FileError",
    "GluingError",
    "JoiningError",
    "NamingError",
    "SimulationError",
    "SingularError",
    "VersionError",
    "unknown",
]


class BielleError(Exception):
    """Mother of all errors raised on purpose by bielle."""


class DescriptionError(BielleError, ValueError):
    """A component cannot be what the user says it is (a negative mass, a zero axis, a wrong length…)."""


class NamingError(BielleError, KeyError):
    """A name is unknown or already taken."""

    def __str__(self) -> str:  # KeyError would print the repr
        return str(self.args[0]) if self.args else ""


class FileError(BielleError, ValueError):
    """A model or result file cannot be read."""


class AssemblyError(BielleError):
    """No consistent initial position or velocity exists near the described one."""


class ConflictError(AssemblyError):
    """Imposed motions or joints contradict each other."""


class JoiningError(BielleError):
    """A joint cannot be made in a running mechanism as it was asked for."""


class SingularError(BielleError, ValueError):
    """Accelerations or efforts are not defined: a joint along which nothing resists, accelerations that no actuated joint can cause."""


class SimulationError(BielleError):
    """A run could not go on; :attr:`result` holds what was computed until then."""

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


class CallbackError(SimulationError):
    """A callable of the user failed or returned something that is not a finite number."""


class ComponentError(SimulationError):
    """A component of a glue failed: it raised, hung, or returned what is no answer. :attr:`component` is its name."""

    def __init__(self, message: str, result: Any = None, *, component: str = "") -> None:
        super().__init__(message, result)
        self.component = component


class GluingError(SimulationError):
    """Components cannot be brought together at a joint: the iteration did not converge. :attr:`joint` is its name."""

    def __init__(self, message: str, result: Any = None, *, joint: str = "") -> None:
        super().__init__(message, result)
        self.joint = joint


class VersionError(BielleError):
    """A state belongs to another version of the model than the one it is used with."""


def unknown(what: str, name: str, known: Iterable[str], where: str = "") -> NamingError:
    """The error for a name nobody knows, with the nearest known one and the component that mentions it."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        hint = f" Did you mean '{near[0]}'?"
    elif names:
        shown = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        hint = f" Known: {shown}."
    else:
        hint = " There is none yet."
    name = name if len(name) <= 200 else f"{name[:80]}…"
    return NamingError(f"{where}: there is no {what} named '{name}'.{hint}" if where else f"There is no {what} named '{name}'.{hint}")
