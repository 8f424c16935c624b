"""Options of solvers: numbers where numbers are wanted, names where names are, and none that a method does not read."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from ..errors import DescriptionError
from ..mechanism.mass import is_scalar
from ..mechanism.vectors import shown

__all__ = ["check_options", "positive_integer", "refuse_unread"]


def check_options(solver: Any) -> None:
    """Raise a DescriptionError if an option is not of its declared type, a number or a name; for its ``__post_init__``."""
    for field in fields(solver):
        value, first, *others = getattr(solver, field.name), *str(field.type).split(" | ")
        if value is None and "None" in others:
            continue
        if first in ("float", "int") and not is_scalar(value):
            remedy = "Write it without quotes, in SI units." if isinstance(value, str) else "Give a plain number in SI units."
            raise DescriptionError(f"{field.name} of {type(solver).__name__} must be a number, got {shown(value)}. {remedy}")
        if first == "str" and set(others) <= {"None"} and not isinstance(value, str):
            raise DescriptionError(f"{field.name} of {type(solver).__name__} must be a name, got {shown(value)}. Give a string.")


def refuse_unread(solver: Any, method: str, readers: Mapping[str, tuple[bool, str]]) -> None:
    """Refuse options other than their defaults that are not read. readers: by option, whether it is, and who reads it."""
    defaults = {field.name: field.default for field in fields(solver)}
    unread = [name for name, (read, _) in readers.items() if not read and getattr(solver, name) != defaults[name]]
    if unread:
        name = unread[0]
        raise DescriptionError(
            f"{name}={getattr(solver, name)!r} is not read by {method}: it is for {readers[name][1]}. Leave it out, or choose that."
        )


def positive_integer(value: Any, name: str) -> None:
    """Refuse anything else."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise DescriptionError(f"{name} must be a positive integer, got {value!r}.")
