"""Kernels as built-in functions of Python: a call costs some forty nanoseconds, where one through ctypes costs half a microsecond.

A built-in function is a C function that is handed an object of its own and an array of the arguments (``METH_FASTCALL``). The C function
here is a few instructions of LLVM, the same for all kernels: its object is an array that says which kernel to call with which table.
The kernel finds the arguments, as they are, some words behind the address it is given. The function returns None, or NotImplemented if
the kernel has written something other than 0 at an address, which says that it did not do its work.

It is for CPython with the interpreter lock, on machines with eight-byte addresses, if a first call of such a function shows that it works
there; elsewhere :func:`built_in` gives None.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .lazy import entry
from .memory import address_of

__all__ = ["ITEMS", "built_in"]

_DATA = 2  # word of an array object in which the address of its data is
ITEMS = 3  #: words before the arguments, where the address is that kernels are given
_METH_FASTCALL = 0x0080

_IR = f"""
define i8* @call(i64* %self, i8* %arguments, i64 %count) {{
  %data = getelementptr i64, i64* %self, i64 {_DATA}
  %plan_address = load i64, i64* %data
  %plan = inttoptr i64 %plan_address to i64*
  %kernel_address = load i64, i64* %plan
  %p1 = getelementptr i64, i64* %plan, i64 1
  %how = load i64, i64* %p1
  %p2 = getelementptr i64, i64* %plan, i64 2
  %table_address = load i64, i64* %p2
  %p3 = getelementptr i64, i64* %plan, i64 3
  %nothing_address = load i64, i64* %p3
  %p4 = getelementptr i64, i64* %plan, i64 4
  %refused_address = load i64, i64* %p4
  %p5 = getelementptr i64, i64* %plan, i64 5
  %done = load i64, i64* %p5
  %p6 = getelementptr i64, i64* %plan, i64 6
  %not_done = load i64, i64* %p6
  %p7 = getelementptr i64, i64* %plan, i64 7
  %references = load i64, i64* %p7
  %kernel = inttoptr i64 %kernel_address to i32 (i8*, i8*, i8*, i64, i64)*
  %nothing = inttoptr i64 %nothing_address to i8*
  %table = inttoptr i64 %table_address to i8*
  %first = ptrtoint i8* %arguments to i64
  %before_them = sub i64 %first, {8 * ITEMS}
  %status = call i32 %kernel(i8* %nothing, i8* %nothing, i8* %table, i64 %how, i64 %before_them)
  %refused_at = inttoptr i64 %refused_address to i64*
  %refused = load i64, i64* %refused_at
  %fine = icmp eq i64 %refused, 0
  %result_address = select i1 %fine, i64 %done, i64 %not_done
  %counter = inttoptr i64 %result_address to i64*
  %before = load i64, i64* %counter
  %after = add i64 %before, %references
  store i64 %after, i64* %counter
  %result = inttoptr i64 %result_address to i8*
  ret i8* %result
}}
"""


class _MethodDefinition(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


@cache
def _definition() -> _MethodDefinition | None:
    """Of the one C function; it stays as long as the process. None where it does not do what it should."""
    locked = getattr(sys, "_is_gil_enabled", lambda: True)() and not sysconfig.get_config_var("Py_GIL_DISABLED")
    if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8 or not locked:
        return None
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2, codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(_IR), machine)
    engine.finalize_object()
    _kept.append(engine)
    definition = _MethodDefinition(b"kernel", engine.get_function_address("call"), _METH_FASTCALL, None)
    return definition if _works(definition) else None


_kept: list[Any] = []


def _works(definition: _MethodDefinition) -> bool:
    """Whether a Python function in the place of a kernel is called with what a kernel should be, and what comes back is right."""
    refused, noted, thing = np.zeros(1, dtype=np.int64), [], object()

    @ctypes.CFUNCTYPE(ctypes.c_int32, *(3 * [ctypes.c_void_p]), ctypes.c_int64, ctypes.c_int64)
    def kernel(_: Any, __: Any, table: int, how: int, arguments: int) -> int:
        noted.append((table, how, *(ctypes.c_int64.from_address(arguments + 8 * (ITEMS + k)).value for k in range(2))))
        return 0

    address = ctypes.cast(kernel, ctypes.c_void_p).value or 0
    function = _made(definition, [address, 5, 64, 0, address_of(refused)])
    if function is None:
        return False
    before, fine = sys.getrefcount(thing), function(thing, None) is None
    refused[0] = 1
    fine = fine and function(thing, None) is NotImplemented
    return fine and noted == 2 * [(64, 5, id(thing), id(None))] and sys.getrefcount(thing) == before


def built_in(kernel: entry, how: int, table: int, refused: int) -> Callable[..., Any] | None:
    """A function that calls a kernel with a table; its arguments go to the kernel as they are.

    refused: address of the number that says whether the kernel has done its work. The table must stay as long as the function.
    """
    definition = _definition()
    if definition is None:
        return None
    return _made(definition, [kernel.address, how, table, kernel.nothing, refused])


def _made(definition: _MethodDefinition, numbers: list[int]) -> Callable[..., Any] | None:
    """The function with a plan: addresses of the kernel, its second argument, the table, two places for Numba, where it may refuse."""
    # objects that are never deleted need no count of their references from Python 3.12 on
    references = int(sys.version_info < (3, 12))
    plan = np.array([*numbers, id(None), id(NotImplemented), references], dtype=np.int64)
    if ctypes.c_int64.from_address(id(plan) + 8 * _DATA).value != address_of(plan):
        return None
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    return make(ctypes.addressof(definition), plan, None)
