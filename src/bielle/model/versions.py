"""Versions: every model has a number of its own, by which it knows its states, also when they come from other processes."""

import itertools
import os
import secrets

__all__ = ["Stamp", "from_stamp", "new_version", "to_stamp"]

Stamp = tuple[str, int]  #: a process, and the number that it gave

_numbers = itertools.count(1)
_token = secrets.token_hex(8)
_foreign: dict[Stamp, int] = {}  # numbers given here to models that came from elsewhere


def new_version() -> int:
    """A number that no other model of this process has."""
    return next(_numbers)


def _here() -> str:
    return f"{_token} {os.getpid()}"  # a process that was forked counts on its own


def to_stamp(version: int) -> Stamp:
    """The version in a form that can leave the process."""
    return _here(), version


def from_stamp(stamp: Stamp) -> int:
    """The version here: the same for a model and its states, wherever they come from."""
    process, version = stamp
    if process == _here():
        return version
    if stamp not in _foreign:
        _foreign.setdefault(stamp, new_version())
    return _foreign[stamp]
