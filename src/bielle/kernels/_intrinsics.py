"""Pointers for kernels: the only file that speaks LLVM. Imported when the first kernel is compiled."""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_FLOATS = types.CPointer(types.float64)
_INTS = types.CPointer(types.int64)


def _load_address(context, builder, args, llvm_type):
    ctx, slot = args
    address = builder.load(builder.gep(ctx, [slot]))
    return builder.inttoptr(address, llvm_type)


@intrinsic
def floats(typingctx, ctx, slot):
    """Array of float64 whose address stands in ``ctx[slot]``."""

    def codegen(context, builder, signature, args):
        return _load_address(context, builder, args, ir.DoubleType().as_pointer())

    return _FLOATS(_INTS, types.int64), codegen


@intrinsic
def ints(typingctx, ctx, slot):
    """Array of int64 whose address stands in ``ctx[slot]``."""

    def codegen(context, builder, signature, args):
        return _load_address(context, builder, args, ir.IntType(64).as_pointer())

    return _INTS(_INTS, types.int64), codegen


@intrinsic
def at(typingctx, pointer, offset):
    """The array that begins ``offset`` items after ``pointer``."""

    def codegen(context, builder, signature, args):
        return builder.gep(args[0], [args[1]])

    return pointer(pointer, types.int64), codegen


@intrinsic
def copy(typingctx, n, source, target):
    """target[:n] = source[:n]. One instruction to the compiler, where a loop would be vectorised with all its special cases."""

    def codegen(context, builder, signature, args):
        cgutils.raw_memmove(builder, args[2], args[1], args[0], itemsize=8)
        return context.get_dummy_value()

    return types.none(types.int64, source, target), codegen


@intrinsic
def clear(typingctx, n, target):
    """target[:n] = 0."""

    def codegen(context, builder, signature, args):
        size = builder.mul(args[0], ir.Constant(ir.IntType(64), 8))
        cgutils.memset(builder, args[1], size, 0)
        return context.get_dummy_value()

    return types.none(types.int64, _FLOATS), codegen


@intrinsic
def call(typingctx, address, ctx, first, last):
    """Call the entry at ``address`` with ``(ctx, first, last)``.

    Entries follow Numba's own calling convention: they return a status and take two pointers for a result and an exception, which
    kernels never have; both get a place on the stack.
    """

    def codegen(context, builder, signature, args):
        i64, i8 = ir.IntType(64), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(32), [i8.as_pointer(), i8.as_pointer(), i64.as_pointer(), i64, i64])
        function = builder.inttoptr(args[0], kind.as_pointer())
        nowhere = cgutils.alloca_once(builder, i8)
        builder.call(function, [nowhere, nowhere, *args[1:]])
        return context.get_dummy_value()

    return types.none(types.int64, _INTS, types.int64, types.int64), codegen


@intrinsic
def call_scalar(typingctx, address, x, out):
    """Call the C function ``void f(double x, double *out)`` at ``address``."""

    def codegen(context, builder, signature, args):
        f64 = ir.DoubleType()
        kind = ir.FunctionType(ir.VoidType(), [f64, f64.as_pointer()])
        function = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(function, args[1:])
        return context.get_dummy_value()

    return types.none(types.int64, types.float64, _FLOATS), codegen


@intrinsic
def call_elements(typingctx, address, t, n, x, xd, out):
    """Call the C function ``void f(double t, int64 n, double *x, double *xd, double *out)`` at ``address``."""

    def codegen(context, builder, signature, args):
        f64, i64 = ir.DoubleType(), ir.IntType(64)
        kind = ir.FunctionType(ir.VoidType(), [f64, i64] + 3 * [f64.as_pointer()])
        function = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(function, args[1:])
        return context.get_dummy_value()

    return types.none(types.int64, types.float64, types.int64, _FLOATS, _FLOATS, _FLOATS), codegen


@intrinsic
def atomic_add(typingctx, counters, index, value):
    """counters[index] += value in one piece, seen by all threads in the same order; returns what it was before."""

    def codegen(context, builder, signature, args):
        return builder.atomic_rmw("add", builder.gep(args[0], [args[1]]), args[2], "seq_cst")

    return types.int64(_INTS, types.int64, types.int64), codegen


@intrinsic
def atomic_read(typingctx, counters, index):
    """counters[index] as it is now, with all that other threads wrote before they set it."""

    def codegen(context, builder, signature, args):
        return builder.load_atomic(builder.gep(args[0], [args[1]]), "seq_cst", 8)

    return types.int64(_INTS, types.int64), codegen


@intrinsic
def call_number(typingctx, address, number):
    """Call the C function ``int f(unsigned)`` at ``address``; the number is passed over by those that take none."""

    def codegen(context, builder, signature, args):
        function = builder.inttoptr(args[0], ir.FunctionType(ir.IntType(32), [ir.IntType(32)]).as_pointer())
        builder.call(function, [builder.trunc(args[1], ir.IntType(32))])
        return context.get_dummy_value()

    return types.none(types.int64, types.int64), codegen


@intrinsic
def nanoseconds(typingctx, address, clock):
    """What a clock shows [ns]; ``address``: of the C function ``int clock_gettime(clockid_t, struct timespec *)`` of a 64-bit system."""

    def codegen(context, builder, signature, args):
        word = ir.IntType(64)
        place = cgutils.alloca_once(builder, word, size=2)
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), word.as_pointer()])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), [builder.trunc(args[1], ir.IntType(32)), place])
        seconds, rest = (builder.load(builder.gep(place, [ir.Constant(word, i)])) for i in range(2))
        return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

    return types.int64(types.int64, types.int64), codegen
