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

Numba's own cache looks only at the file of the function it compiles, so a changed callee in another file would be served
stale. Here the cache folder carries a hash of all kernel sources of the package (and of the file of a user's own kernel).
"""

import contextlib
import hashlib
import importlib
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

__all__ = ["Later", "announce_compilation", "cache_directory", "entry", "helper", "on_compile", "registered_entries"]

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
    """Declare a function that is inlined into the kernels that call it."""

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
            self._compiled = numba.njit(**_OPTIONS)(_with_resolved_globals(self.python))
        return self._compiled

    def __call__(self, *args: Any) -> Any:
        return self.resolve()(*args)


class entry:  # noqa: N801 (a decorator)
    """Declare a kernel called through its address with ``(ctx, first, last)``."""

    def __init__(self, function: FunctionType) -> None:
        self.python = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._compiled: Any = None
        self._call: Any = None
        _entries.append(self)

    @property
    def name(self) -> str:
        return f"{self.__module__}.{self.__name__}"

    def resolve(self) -> Any:
        if self._compiled is None:
            self._compiled = _compile_entry(self)
        return self._compiled

    @property
    def address(self) -> int:
        """Machine address, valid for the life of the process."""
        return self.resolve().address

    def __call__(self, ctx_address: int, first: int = 0, last: int = 0) -> None:
        """Run from Python; the interpreter lock is released meanwhile."""
        if self._call is None:
            import ctypes

            pointer = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
            self._call = pointer(self.address)
        self._call(ctx_address, first, last)


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


# -- cache ------------------------------------------------------------------------------------------------------------


def _digest(paths: list[Path]) -> str:
    from importlib.metadata import version

    state = hashlib.sha256()
    state.update(f"{sys.version_info[:3]} numba {version('numba')} llvmlite {version('llvmlite')}".encode())
    for path in sorted(paths):
        state.update(path.name.encode())
        state.update(path.read_bytes())
    return state.hexdigest()[:16]


_package_digest: str | None = None


def _kernel_sources() -> list[Path]:
    """Every file that declares kernels, and the room of their building blocks."""
    return [
        p for p in _PACKAGE.rglob("*.py") if p.parent.name == "kernels" or re.search(rb"^@(entry|helper)\b", p.read_bytes(), re.MULTILINE)
    ]


def cache_directory(source_file: str | None = None) -> Path:
    """Folder of the compiled kernels: the user's cache, keyed by a hash of every kernel source."""
    global _package_digest
    if _package_digest is None:
        _package_digest = _digest(_kernel_sources())
    key = _package_digest
    if source_file is not None and not Path(source_file).resolve().is_relative_to(_PACKAGE):
        key += "-" + hashlib.sha256(Path(source_file).read_bytes()).hexdigest()[:16]
    root = os.environ.get("BIELLE_CACHE_DIR") or os.environ.get("NUMBA_CACHE_DIR")
    if not root:
        root = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "bielle")
    return Path(root) / f"kernels-{key}"


def _compile_entry(kernel: entry) -> Any:
    from numba.core import caching, types
    from numba.core.ccallback import CFunc

    class Locator(caching._CacheLocator):
        """Puts the cache where :func:`cache_directory` says; the folder name carries the freshness."""

        def __init__(self, py_func: Any, py_file: str) -> None:
            self._file = py_file
            self._line = py_func.__code__.co_firstlineno

        def ensure_cache_path(self) -> None:
            os.makedirs(self.get_cache_path(), exist_ok=True)

        def get_cache_path(self) -> Any:
            return str(cache_directory(self._file))

        def get_source_stamp(self) -> Any:
            return "by folder"

        def get_disambiguator(self) -> Any:
            return f"{hashlib.sha256(self._file.encode()).hexdigest()[:8]}-{self._line}"

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> "Locator":
            return cls(py_func, py_file)

    class Impl(caching.CompileResultCacheImpl):
        _locator_classes = [Locator]

    class Cache(caching.FunctionCache):
        _impl_class = Impl

    class Callback(CFunc):
        """A C callback that tells the listeners when the cache did not hold it."""

        def _compile_uncached(self) -> Any:
            for listener in _listeners:
                listener(kernel.name)
            return super()._compile_uncached()

    pointer = types.CPointer(types.int64)
    function = _with_resolved_globals(kernel.python)
    compiled = Callback(function, ((pointer, types.int64, types.int64), types.void), {}, dict(_OPTIONS))
    with contextlib.suppress(OSError, RuntimeError):  # no writable cache: compile every time rather than fail
        compiled._cache = Cache(function)
    compiled.compile()
    return compiled
