"""Kernels that compile on first use, and a disk cache that is never stale.

``import bielle`` must not pay for importing Numba, and a kind is one file holding its description *and* its kernels.
So a kernel is declared with a decorator that only remembers the Python function; Numba is imported, and the function
compiled or read from the cache, when somebody first asks for it.

Two kinds of kernel:

``@helper``
    a small function inlined into whoever calls it (``numba.njit``);
``@entry``
    a function with the one signature ``(ctx, first, last)`` that is compiled on its own, called through its *address*,
    and therefore never compiled into a caller. All code that knows a body, joint or force kind is an entry: a program is
    a list of addresses (see :mod:`bielle.kernels.program`), so neither the topology nor the set of kinds is ever compiled in.

Machine code is cached on disk in a folder that carries a hash of all kernel sources of the package (and of the file of a user's own
kernel): Numba's own cache looks only at the file of the function it compiles, so a changed callee in another file would be served stale.
A kernel that is in the cache is loaded by llvmlite alone, in a millisecond, without importing Numba.
"""

import contextlib
import ctypes
import hashlib
import importlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

__all__ = ["Later", "announce_compilation", "cache_directory", "cache_root", "entry", "helper", "on_compile", "once"]
__all__ += ["registered_entries"]

_PACKAGE = Path(__file__).resolve().parent.parent
_OPTIONS: dict[str, Any] = {"error_model": "numpy"}

_entries: list["entry"] = []
_listeners: list[Callable[[str], None]] = []


def on_compile(listener: Callable[[str], None]) -> None:
    """Call ``listener(name)`` whenever a kernel has to be compiled because the cache does not hold it."""
    _listeners.append(listener)


def announce_compilation() -> None:
    """Say, once per process and on standard error, that kernels are being compiled if the cache does not hold them."""
    if _say not in _listeners:
        _listeners.append(_say)


def _say(name: str) -> None:
    if not _said:
        _said.append(name)
        print(
            "bielle: compiling kernels for the first time; this takes some seconds, later runs start at once.", file=sys.stderr, flush=True
        )


_said: list[str] = []


def registered_entries() -> list["entry"]:
    """Every entry declared so far, in the order of declaration."""
    return list(_entries)


class Later:
    """A Numba object (an intrinsic, say) named by ``module:attribute`` and imported only when a kernel is compiled."""

    def __init__(self, where: str) -> None:
        self._where = where

    def resolve(self) -> Any:
        module, name = self._where.split(":")
        return getattr(importlib.import_module(module), name)

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self._where} can be called from a kernel only.")


class helper:  # noqa: N801 (a decorator)
    """Declare a function that is inlined into the kernels that call it, and compiled anew for every constant it is called with.

    So loops of a constant length unroll, which is what makes steps fast.
    """

    literal = True

    def __init__(self, function: FunctionType) -> None:
        self.python = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._compiled: Any = None

    def resolve(self) -> Any:
        if self._compiled is None:
            import numba

            # No cache of its own: its code lives in the entries that call it.
            self._compiled = made = numba.njit(**_OPTIONS)(_with_resolved_globals(self.python))
            if not self.literal:
                template = made.get_call_template
                made.get_call_template = lambda args, kws: template(tuple(map(numba.types.unliteral, args)), kws)
        return self._compiled

    def __call__(self, *args: Any) -> Any:
        return self.resolve()(*args)


class once(helper):  # noqa: N801 (a decorator)
    """A helper that is compiled once, whatever it is called with: where compiling takes longer than running ever will."""

    literal = False


class entry:  # noqa: N801 (a decorator)
    """Declare a kernel called through its address with ``(ctx, first, last)``."""

    def __init__(self, function: FunctionType) -> None:
        self.python = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._address = 0
        self._call: Any = None
        _entries.append(self)

    @property
    def name(self) -> str:
        return f"{self.__module__}.{self.__name__}"

    @property
    def address(self) -> int:
        """Machine address, valid for the life of the process; the kernel is compiled or read from the cache when it is first asked for."""
        if not self._address:
            self._address = _load(*_machine_code(self))
        return self._address

    @property
    def nothing(self) -> int:
        """What to call the address with, twice, before the three arguments: Numba's places for a result and an exception."""
        return _nothing

    def __call__(self, ctx_address: int, first: int = 0, last: int = 0) -> None:
        """Run from Python; the interpreter lock is released meanwhile."""
        if self._call is None:
            # Numba's own calling convention: a status, and two pointers for a result and an exception, which kernels never have
            kind = ctypes.CFUNCTYPE(ctypes.c_int32, *(3 * [ctypes.c_void_p]), ctypes.c_int64, ctypes.c_int64)
            self._call = kind(self.address)
        self._call(_nothing, _nothing, ctx_address, first, last)


_nowhere = ctypes.c_void_p()
_nothing = ctypes.addressof(_nowhere)


def _with_resolved_globals(function: FunctionType) -> FunctionType:
    """The same function, its lazy globals replaced by what Numba can compile."""
    names = _names(function.__code__)
    scope = dict(function.__globals__)
    for name in names:
        value = scope.get(name)
        if isinstance(value, Later | helper):
            scope[name] = value.resolve()
    new = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
    new.__qualname__, new.__module__, new.__doc__ = function.__qualname__, function.__module__, function.__doc__
    return new


def _names(code: Any) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            found |= _names(constant)
    return found


# -- machine code and its cache ----------------------------------------------------------------------------------------


def _kernel_sources() -> list[Path]:
    """Every file that declares kernels, and the room of their building blocks."""
    return [
        p
        for p in _PACKAGE.rglob("*.py")
        if p.parent.name == "kernels" or re.search(rb"^@(entry|helper|once)\b", p.read_bytes(), re.MULTILINE)
    ]


@cache
def _package_digest() -> str:
    """Hash of all that the machine code depends on: sources, versions of the compilers, the processor."""
    from importlib.metadata import version

    import llvmlite.binding as llvm

    state = hashlib.sha256()
    state.update(f"{sys.version_info[:3]} numba {version('numba')} llvmlite {version('llvmlite')}".encode())
    state.update(f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}".encode())
    for path in sorted(_kernel_sources()):
        state.update(path.name.encode())
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


def cache_root() -> Path:
    """Folder that holds the caches of all versions of the kernels."""
    root = os.environ.get("BIELLE_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    return Path(root or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "bielle"))


def cache_directory(source_file: str | None = None) -> Path:
    """Folder of the compiled kernels: in the user's cache, keyed by a hash of every kernel source (and of a user's own source file)."""
    key = _package_digest()
    if source_file is not None and not Path(source_file).resolve().is_relative_to(_PACKAGE):
        key += "-" + hashlib.sha256(Path(source_file).read_bytes()).hexdigest()[:16]
    return cache_root() / f"kernels-{key}"


def _machine_code(kernel: entry) -> tuple[str, bytes]:
    """Symbol and object code of a kernel, from the cache or compiled now."""
    code = kernel.python.__code__
    path = None
    with contextlib.suppress(OSError):  # a kernel typed in at a prompt has no file: it is compiled every time
        path = cache_directory(code.co_filename) / f"{kernel.name}-{code.co_firstlineno}.o"
        if path.exists():
            header, _, compiled = path.read_bytes().partition(b"\n")
            symbol, _, digest = header.decode(errors="replace").partition(" ")
            if digest == hashlib.sha256(compiled).hexdigest():  # a damaged file would bring the process down: compile again instead
                return symbol, compiled
    for listener in _listeners:
        listener(kernel.name)
    symbol, compiled = _compile(kernel)
    if path is not None:
        with contextlib.suppress(OSError):  # no writable cache: compile every time rather than fail
            path.parent.mkdir(parents=True, exist_ok=True)
            draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
            draft.write_bytes(f"{symbol} {hashlib.sha256(compiled).hexdigest()}\n".encode() + compiled)
            draft.replace(path)
    return symbol, compiled


def _compile(kernel: entry) -> tuple[str, bytes]:
    """Compile with Numba. The code needs nothing of Numba's at run time, so that a warm start does without importing it."""
    from numba.core import compiler, registry, types
    from numba.core.dispatcher import _FunctionCompiler

    class Compiler(_FunctionCompiler):
        def _customize_flags(self, flags: Any) -> Any:
            flags.no_cpython_wrapper = True
            flags.no_cfunc_wrapper = True
            flags.enable_pyobject = False
            return flags

    function = _with_resolved_globals(kernel.python)
    arguments = (types.CPointer(types.int64), types.int64, types.int64)
    made = Compiler(function, registry.cpu_target, dict(_OPTIONS), {}, compiler.Compiler).compile(arguments, types.void)
    return made.fndesc.llvm_func_name, made.library._get_compiled_object()


_engines: list[Any] = []  # keep the machine code alive


def _load(symbol: str, compiled: bytes) -> int:
    """Put object code into memory and return the function's address."""
    import llvmlite.binding as llvm

    if not _engines:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(codemodel="jitdefault")
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(compiled))
    engine.finalize_object()
    _engines.append(engine)
    return engine.get_function_address(symbol)
