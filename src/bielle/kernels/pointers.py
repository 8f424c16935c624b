"""How kernels read the context: ``floats(ctx, slot)``, ``ints(ctx, slot)``, ``at(array, offset)``; how they copy and call each other.

A *context* is an array of addresses, one per slot of :mod:`bielle.kernels.slots`. Handing over one pointer instead of some
fifty arrays makes a call between kernels cost nanoseconds; an array obtained here is indexed like any other, without bounds checks.
"""

from .lazy import Later

floats = Later("bielle.kernels._intrinsics:floats")
ints = Later("bielle.kernels._intrinsics:ints")
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
    "copy",
    "floats",
    "ints",
    "nanoseconds",
]
