"""Fingerprint of a kernel: a hash of all that its machine code depends on.

It covers the byte code of the function and, one after the other, everything the function names: helpers, constants, fields of a module such
as ``slots.PHI``, intrinsics. So a kernel is compiled again when it or something it uses has changed, in whichever file that stands, and
only then; comments, docstrings and line numbers do not count.
"""

import hashlib
import importlib.util
from collections.abc import Iterator
from functools import cache
from opcode import opmap
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from .schema import meaning_of_names

__all__ = ["fingerprint", "global_names"]

_LOAD_GLOBAL, _EXTENDED_ARG = opmap["LOAD_GLOBAL"], opmap["EXTENDED_ARG"]
_WITHOUT_CONSTANTS = ("math", "numpy")  # modules whose functions Numba knows: their version counts, not their contents


@cache
def fingerprint(function: FunctionType) -> str:
    """Sixteen hexadecimal digits that change whenever the meaning of a kernel or helper does."""
    state = hashlib.sha256()
    for part in _of_function(function):
        state.update(part.encode(errors="surrogatepass") + b"\0")
    return state.hexdigest()[:16]


def _of_function(function: FunctionType) -> Iterator[str]:
    yield f"{function.__module__}.{function.__qualname__}"
    yield from _of_code(function.__code__, function)
    for given in (*(function.__defaults__ or ()), *(cell.cell_contents for cell in function.__closure__ or ())):
        yield _of_value(given)


def _of_code(code: CodeType, function: FunctionType) -> Iterator[str]:
    """Of byte code: its instructions and constants, and what the names in it mean to the function."""
    yield code.co_code.hex()
    yield repr(
        (code.co_argcount, code.co_flags, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_exceptiontable)
    )
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant, function)
        elif constant is not function.__doc__:
            yield _of_value(constant)
    yield from meaning_of_names(code.co_names)
    scope = function.__globals__
    for name in global_names(code):
        value = scope.get(name)
        if value is None or value is function:
            continue
        yield f"{name} {_of_value(value)}"
        if isinstance(value, ModuleType) and value.__name__ not in _WITHOUT_CONSTANTS:
            # what is taken of a module is among the names, too; a name too many does no harm
            for attribute in code.co_names:
                if attribute in vars(value):
                    yield f"{attribute} {_of_value(vars(value)[attribute])}"


def global_names(code: CodeType) -> list[str]:
    """Names that the code looks up among the globals; the others are names of fields."""
    operations, arguments = code.co_code[::2], code.co_code[1::2]
    found, place = [], operations.find(_LOAD_GLOBAL)
    while place >= 0:
        argument, before, shift = arguments[place], place - 1, 8
        while before >= 0 and operations[before] == _EXTENDED_ARG:
            argument |= arguments[before] << shift
            before, shift = before - 1, shift + 8
        found.append(code.co_names[argument >> 1])  # the lowest bit says whether it is called
        place = operations.find(_LOAD_GLOBAL, place + 1)
    return list(dict.fromkeys(found))


def _of_value(value: Any) -> str:
    """A text that tells a value from any other."""
    python = getattr(value, "python", None) or getattr(value, "py_func", None)  # a kernel or helper of ours; a function of Numba's
    if isinstance(python, FunctionType):
        return f"{type(value).__name__} {fingerprint(python)}"
    if isinstance(value, FunctionType):
        return f"function {fingerprint(value)}"
    if isinstance(where := getattr(value, "where", None), str):  # an object of Numba's that is imported later
        return f"{where} {_file_digest(where.partition(':')[0])}"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__} of {len(value)}: {' '.join(map(_of_value, value))}"
    if isinstance(value, ModuleType | BuiltinFunctionType | type):
        return value.__name__
    if hasattr(value, "tobytes"):  # an array
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    return f"{type(value).__name__} {value!r}"


@cache
def _file_digest(module: str) -> str:
    """Hash of the file of a module."""
    spec = importlib.util.find_spec(module)
    return "" if spec is None or spec.origin is None else hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()
