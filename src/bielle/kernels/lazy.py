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

Machine code is kept on disk (:mod:`bielle.kernels.store`) under a fingerprint of the kernel and of everything it uses
(:mod:`bielle.kernels.fingerprint`): Numba's own cache looks only at the file of the function it compiles, so a changed callee in another
file would be served stale. A kernel that is in the cache is loaded by llvmlite alone, in a millisecond, without importing Numba.
"""

import ctypes
import hashlib
import importlib
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ..errors import KernelError
from . import store
from .compiling import OPTIONS, compile_kernel, made_by_numba
from .fingerprint import fingerprint, global_names

__all__ = ["Later", "announce_compilation", "cache_directory", "entries_in", "entry", "helper", "missing", "on_compile", "once"]
__all__ += ["registered_entries"]

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
        text = "bielle: compiling kernels that are not in the cache yet, a second or more each"
        if store.writable(cache_directory()):
            text += ". Later runs start at once; bielle warmup compiles all there are."
        else:
            text += f", and again in later runs: they cannot be kept in {store.cache_root()}. BIELLE_CACHE_DIR=… names another folder."
        print(text, file=sys.stderr, flush=True)


_said: list[str] = []


def registered_entries() -> list["entry"]:
    """Every entry declared so far, in the order of declaration."""
    return list(_entries)


def entries_in(*modules: ModuleType | str) -> list["entry"]:
    """Those declared in these modules."""
    names = {module if isinstance(module, str) else module.__name__ for module in modules}
    return [kernel for kernel in _entries if kernel.__module__ in names]


class Later:
    """A Numba object (an intrinsic, say) named by ``module:attribute`` and imported only when a kernel is compiled."""

    def __init__(self, where: str) -> None:
        self.where = where

    def resolve(self) -> Any:
        module, name = self.where.split(":")
        return getattr(importlib.import_module(module), name)

    def __call__(self, *args: Any) -> Any:
        raise TypeError(f"{self.where} can be called from a kernel only.")


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
            self._compiled = made = numba.njit(**OPTIONS)(_with_resolved_globals(self.python))
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
    def loaded(self) -> bool:
        """Whether it has been asked for."""
        return self._address != 0

    @property
    def address(self) -> int:
        """Machine address, valid for the life of the process; the kernel is compiled or read from the cache when it is first asked for."""
        if not self._address:
            self._address = _find_address(self)
        return self._address

    def __reduce__(self) -> str:
        return self.__name__  # by its name, as functions are: the address is another in every process

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
    found = set(global_names(code))
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            found |= _names(constant)
    return found


# -- machine code ----------------------------------------------------------------------------------------


@cache
def _toolchain_digest() -> str:
    """Hash of what the machine code of every kernel depends on: versions of the compilers, the processor, how kernels are compiled."""
    from importlib.metadata import version

    import llvmlite.binding as llvm

    state = hashlib.sha256()
    state.update(f"{sys.version_info[:3]} numba {version('numba')} llvmlite {version('llvmlite')}".encode())
    state.update(f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}".encode())
    state.update((fingerprint(made_by_numba) + fingerprint(helper.resolve)).encode())
    return state.hexdigest()[:16]


def cache_directory() -> Path | None:
    """Folder of the compiled kernels, keyed by the compilers and the processor; None if there is none that can be trusted."""
    return store.folder(_toolchain_digest())


def missing(kernels: Iterable[entry]) -> list[entry]:
    """Those that are neither loaded nor in the cache."""
    place = cache_directory()
    return [kernel for kernel in kernels if not kernel.loaded and not store.holds(place, _stored_name(kernel))]


def _stored_name(kernel: entry) -> str:
    return f"{kernel.name}-{fingerprint(kernel.python)}"


_one_at_a_time = threading.RLock()


def _find_address(kernel: entry) -> int:
    """Of a kernel from the cache, or compiled now."""
    with _one_at_a_time:
        place, name = cache_directory(), _stored_name(kernel)
        found = store.read(place, name)
        address = _load(*found) if found is not None else 0
        if not address:  # it is not there, damaged, or not what it says
            for listener in _listeners:
                listener(kernel.name)
            symbol, code = compile_kernel(kernel.name, _with_resolved_globals(kernel.python))
            store.write(place, name, symbol, code)
            address = _load(symbol, code)
        if not address:
            raise KernelError(f"Kernel '{kernel.name}' was compiled, but its code cannot be loaded. Please report this.")
        return address


_engines: list[Any] = []  # keep the machine code alive


def _load(symbol: str, compiled: bytes) -> int:
    """Put object code into memory; the function's address, or 0 if there is none of that name."""
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
