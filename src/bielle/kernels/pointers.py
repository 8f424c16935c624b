"""What kernels do with memory, besides reading fields by their names (:mod:`bielle.kernels.schema`).

``at(array, offset)`` is the array that begins there; ``copy``, ``clear`` and ``call`` are what they say; ``context_at``, ``tree_at`` and
``plan_at`` are the memory maps at an address; ``ints(args, i)`` and ``floats(args, i)`` the arrays whose addresses stand in a list without
names. Handing over one memory map instead of some fifty arrays makes a call between kernels cost nanoseconds. Arrays are indexed without
bounds checks.
"""

from .lazy import Later

floats = Later("bielle.kernels._intrinsics:floats")
ints = Later("bielle.kernels._intrinsics:ints")
context_at = Later("bielle.kernels._intrinsics:context_at")
tree_at = Later("bielle.kernels._intrinsics:tree_at")
plan_at = Later("bielle.kernels._intrinsics:plan_at")
at = Later("bielle.kernels._intrinsics:at")
copy = Later("bielle.kernels._intrinsics:copy")
clear = Later("bielle.kernels._intrinsics:clear")
call = Later("bielle.kernels._intrinsics:call")
call_scalar = Later("bielle.kernels._intrinsics:call_scalar")
call_elements = Later("bielle.kernels._intrinsics:call_elements")
call_number = Later("bielle.kernels._intrinsics:call_number")
nanoseconds = Later("bielle.kernels._intrinsics:nanoseconds")
atomic_add = Later("bielle.kernels._intrinsics:atomic_add")
atomic_read = Later("bielle.kernels._intrinsics:atomic_read")

__all__ = [
    "at",
    "atomic_add",
    "atomic_read",
    "call",
    "call_elements",
    "call_number",
    "call_scalar",
    "clear",
    "context_at",
    "copy",
    "floats",
    "ints",
    "nanoseconds",
    "plan_at",
    "tree_at",
]
