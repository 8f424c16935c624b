"""Everything that can go wrong, each with its own type.

A message is one or two sentences: what is wrong, which component (by its name), what was expected and what was got, and what to do.
"""

import difflib
import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = [
    "AccessError",
    "AccuracyError",
    "AccuracyWarning",
    "AssemblyError",
    "AssemblyWarning",
    "BielleError",
    "BielleWarning",
    "CallError",
    "CallbackError",
    "ComponentError",
    "ConflictError",
    "CopyError",
    "DescriptionError",
    "DescriptionWarning",
    "FileError",
    "GluingError",
    "JoiningError",
    "KernelError",
    "NamingError",
    "SimulationError",
    "SingularError",
    "VersionError",
    "nearest",
    "unknown",
    "warn",
]


class BielleError(Exception):
    """Mother of all errors raised on purpose by bielle."""


class DescriptionError(BielleError, ValueError):
    """A component cannot be what the user says it is (a negative mass, a zero axis, a wrong length…)."""


class NamingError(BielleError, KeyError):
    """A name is unknown or already taken."""

    def __str__(self) -> str:  # KeyError would print the repr
        return str(self.args[0]) if self.args else ""


class CallError(BielleError, TypeError):
    """The arguments of a call do not fit: one has a name that the function does not know, is missing, or is too many."""

    def __init__(self, message: str, *, argument: str = "", known: Iterable[str] = (), function: str = "") -> None:
        super().__init__(message)
        self.argument = argument  #: the one that does not fit
        self.known = list(known)  #: names that would
        self.function = function


class AccessError(BielleError, AttributeError):
    """Something has no attribute of that name, or none that can be set."""


class FileError(BielleError, ValueError):
    """A model or result file cannot be read."""


class AssemblyError(BielleError):
    """No consistent initial position or velocity exists near the described one."""


class ConflictError(AssemblyError):
    """Imposed motions or joints contradict each other."""


class JoiningError(BielleError):
    """A joint cannot be made in a running mechanism as it was asked for."""


class CopyError(BielleError, TypeError):
    """Something cannot be copied or pickled: it holds memory of a computation that is under way, threads or processes."""


class KernelError(BielleError):
    """A kernel cannot be compiled, or does what kernels must not do: allocate, raise, call Python."""


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


class AccuracyError(SimulationError):
    """A run with ``strict=True`` is not as accurate as its method promises."""


class VersionError(BielleError):
    """A state belongs to another version of the model than the one it is used with."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one of the known names that was probably meant: the same but for capitals, one that begins like it, or differs by a few letters;
    None if there is none."""
    names = list(known)
    begin = [each for each in names if each.lower() == name.lower()] or [each for each in names if len(name) > 1 and each.startswith(name)]
    return next(iter(begin or difflib.get_close_matches(name, names, n=1)), None)


class BielleWarning(UserWarning):
    """Mother of all warnings given on purpose by bielle."""


class AccuracyWarning(BielleWarning):
    """The balance of energy or the joints are off by more than the method of a run promises, or turns cannot be counted between samples."""


class AssemblyWarning(BielleWarning):
    """The mechanism starts otherwise than it was described."""


class DescriptionWarning(BielleWarning):
    """A component can be what the user says it is, but hardly does what is meant."""


_HOME = str(Path(__file__).parent) + os.sep


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line outside of bielle that has led here."""
    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_HOME):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


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
