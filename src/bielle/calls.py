"""Calls that do not fit their function: a misspelled, missing or surplus argument becomes an error that names the function and the nearest.

Python's own TypeError is caught where it happens, so that a call that fits costs no more than a frame around it.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

import msgspec

from .errors import AccessError, CallError, nearest

__all__ = ["ExplainedStruct", "example", "explained", "explained_methods"]

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

_PACKAGE = os.path.dirname(__file__) + os.sep
_NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def explained(function: Function, method: bool = False) -> Function:
    """The function, whose calls with arguments that do not fit raise a CallError."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except CallError as error:  # of a function that this one passes its keyword arguments on to
            if error.argument in kwargs:
                _pass_on(error, function)
            raise
        except TypeError:
            name = type(args[0]).__name__ if function.__name__ == "__init__" else function.__name__
            found = _misfit(name, inspect.signature(function), args, kwargs, method, getattr(function, "example", ""))
            if found is None:  # it comes from within
                raise
        raise found

    return call  # type: ignore[return-value]


def example(text: str) -> Callable[[Function], Function]:
    """Give a function the call that is shown to who leaves out an argument."""

    def mark(function: Function) -> Function:
        function.example = text  # type: ignore[attr-defined]
        return function

    return mark


def explained_methods(cls: Class, but: tuple[str, ...] = ()) -> Class:
    """The class, with all its public methods and its ``__init__`` explained; ``but`` those whose calls must not take any longer."""
    for name, item in list(vars(cls).items()):
        if (name.startswith("_") and name != "__init__") or name in but:
            continue
        if isinstance(item, FunctionType):
            setattr(cls, name, explained(item, method=True))
        elif isinstance(item, classmethod):
            setattr(cls, name, classmethod(explained(item.__func__, method=True)))
    return cls


class ExplainedStruct(msgspec.StructMeta):
    """Metaclass of structs that a person makes: arguments that are no fields raise a CallError, and setting a field an AccessError.

    ``m.set(name, field=…)`` sets a field in its place. A struct may have a method ``_instead(field)`` that tells what to do about those for
    which that is not so, and nothing about the others.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.__struct_config__.frozen:
            type.__setattr__(self, "__setattr__", _refuse)  # afterwards: a frozen struct has one of its own

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__call__(*args, **kwargs)
        except TypeError:
            found = _misfit(self.__name__, inspect.signature(self), args, kwargs)
            if found is None:
                raise
        raise found


def _refuse(struct: Any, field: str, value: Any) -> None:
    """What is frozen is not set."""
    name = getattr(struct, "name", None)
    kind = type(struct).__name__
    if name is not None:
        instead = getattr(type(struct), "_instead", None)
        remedy = (instead and instead(struct, field)) or f"Write m.set('{name}', {field}=…)."
        raise AccessError(f"{kind.lower()} '{name}' cannot be changed in place. {remedy}")
    raise AccessError(f"A {kind} cannot be changed in place. Write m.set(name, {field}=…), with the name of the component it belongs to.")


def _misfit(
    name: str, signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any], method: bool = False, shown: str = ""
) -> CallError | None:
    """What is wrong with a call; None if its arguments fit."""
    try:
        signature.bind(*args, **kwargs)
        return None
    except TypeError:
        pass
    parameters = list(signature.parameters.values())[int(method) :]
    named = [p.name for p in parameters if p.kind in _NAMED]
    placed = [p.name for p in parameters if p.kind in _PLACED]
    given = placed[: len(args) - int(method)]
    for key in kwargs:
        if key not in named and not any(p.kind is p.VAR_KEYWORD for p in parameters):
            left = [other for other in named if other not in given]
            return CallError(_surplus(name, key, named), argument=key, known=left, function=name)
    if len(args) - int(method) > len(placed) and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        rest = [f"{p.name}=…" for p in parameters if p.kind is p.KEYWORD_ONLY]
        takes = f"{len(placed)} {'argument' if len(placed) == 1 else 'arguments'} ({', '.join(placed)})" if placed else "no arguments"
        remedy = f"Give the others by name: {', '.join(rest)}." if rest else "Leave out the others."
        return CallError(f"{name}() takes {takes} by position, got {len(args) - int(method)}. {remedy}", function=name)
    for key in given:
        if key in kwargs:
            return CallError(f"{name}() got '{key}' twice, by position and by name. Leave out one of them.", argument=key, function=name)
    required = [p.name for p in parameters if p.default is p.empty and p.kind in (*_PLACED, *_NAMED)]
    missing = [f"'{key}'" for key in required if key not in kwargs and key not in given]
    for key in kwargs:  # that would be passed on, but is nearly one that is missing
        if key not in named and (near := nearest(key, [name.strip("'") for name in missing])):
            return CallError(_surplus(name, key, [near]), argument=key, known=named, function=name)
    more = ", …" if len(parameters) > len(required) else ""
    write = f"{shown}, say" if shown else f"{name}({', '.join(required)}{more})"
    return CallError(f"{name}() needs {' and '.join(missing)}. Write {write}.", function=name)


def _pass_on(error: CallError, function: Callable[..., Any]) -> None:
    """What a function hands on is an argument of its own, as good as those it names."""
    own = [p.name for p in inspect.signature(function).parameters.values() if p.kind in _NAMED and p.name != "self"]
    error.known, error.function = list(dict.fromkeys((*own, *error.known))), function.__name__
    error.args = (_surplus(error.function, error.argument, error.known),)


def _surplus(name: str, key: str, known: list[str]) -> str:
    near = nearest(key, known)
    hint = f"Did you mean '{near}'?" if near else f"It takes {', '.join(known)}." if known else "It takes none."
    return f"{name}() has no argument '{key[:80]}'. {hint}"
