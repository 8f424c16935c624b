"""Compiling a kernel with Numba to machine code that needs nothing of Numba's when it runs."""

from __future__ import annotations

import re
from types import FunctionType
from typing import Any

from ..errors import KernelError

__all__ = ["OPTIONS", "compile_kernel", "made_by_numba"]

OPTIONS: dict[str, Any] = {"error_model": "numpy"}

_REMEDIES = {
    "NRT_": ("allocates memory", "Work on the arrays of the context, on tuples and on single numbers; do not make or slice arrays."),
    "Py": ("calls Python", "Use numbers, tuples and the functions of math only."),
    "numba_": ("needs Numba when it runs", "Use numbers, tuples and the functions of math only."),
}
# what the C library has, whoever has loaded it
_C = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmax fmin fmod frexp hypot"
_C += (
    " ldexp lgamma log log10 log1p log2 logb lround nearbyint nextafter pow remainder rint round sin sincos sinh sqrt tan tanh tgamma trunc"
)
_KNOWN = {*_C.split(), *(f"{name}f" for name in _C.split()), "memcpy", "memmove", "memset", "bzero", "__sincos_stret"}


def compile_kernel(name: str, function: FunctionType) -> tuple[str, bytes]:
    """Symbol and object code of a function with the arguments ``(ctx, first, last)``; refused if it could not run on its own."""
    from numba.core.errors import NumbaError

    try:
        made = made_by_numba(function)
    except NumbaError as error:
        raise KernelError(f"Kernel '{name}' cannot be compiled: {str(error).strip()}") from error
    _check(name, made.library._final_module)
    return made.fndesc.llvm_func_name, made.library._get_compiled_object()


def made_by_numba(function: FunctionType) -> Any:
    """What Numba makes of it. The machine code of all kernels depends on how this is done: see the fingerprint of the toolchain."""
    from numba.core import compiler, registry, types
    from numba.core.dispatcher import _FunctionCompiler

    from ._intrinsics import MapType
    from .schema import schema_of_argument

    class Compiler(_FunctionCompiler):
        def _customize_flags(self, flags: Any) -> Any:
            flags.no_cpython_wrapper = True
            flags.no_cfunc_wrapper = True
            flags.enable_pyobject = False
            return flags

    schema = schema_of_argument(function.__code__.co_varnames[0])
    arguments = (types.CPointer(types.int64) if schema is None else MapType(schema), types.int64, types.int64)
    return Compiler(function, registry.cpu_target, dict(OPTIONS), {}, compiler.Compiler).compile(arguments, types.void)


def _check(name: str, module: Any) -> None:
    """Refuse a kernel that needs what is there only while Numba is: from the cache it would end the process."""
    for function in module.functions:
        symbol = function.name
        if function.is_declaration and not symbol.startswith("llvm.") and symbol not in _KNOWN:
            what, remedy = next((words for start, words in _REMEDIES.items() if symbol.startswith(start)), _REMEDIES["numba_"])
            raise KernelError(f"Kernel '{name}' {what} ({symbol}), which a kernel must not. {remedy}")
    for constant in module.global_variables:
        if constant.name.startswith(".const.pickledata.") and not constant.name.endswith(".sha1"):
            words = re.findall(r"[\w() ,.'-]{4,}", re.sub(r"\\[0-9A-F]{2}", "\n", str(constant).partition('c"')[2]))
            raised = ": ".join([word for word in words if word != "builtins"][:2])
            raise KernelError(
                f"Kernel '{name}' can raise an exception ({raised}), which nobody would see. Leave out raise and assert, integer powers, "
                "steps of range that are not constant, and indices of tuples that are not."
            )
