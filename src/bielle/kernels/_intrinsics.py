"""Memory as kernels see it: the only file that speaks LLVM. Imported when the first kernel is compiled.

A memory map is an array of addresses whose entries have names (:mod:`bielle.kernels.schema`): ``ctx.q`` is the array whose address stands
where the schema says. Some of these arrays are records, whose entries have names, too: ``ctx.scalar.time``.
"""

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, register_model

from .schema import Record, Schema, schema_called

_FLOATS = types.CPointer(types.float64)
_INTS = types.CPointer(types.int64)


class MapType(types.CPointer):
    """A memory map: an array of addresses, and of integers, with names."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        super().__init__(types.int64)
        self.name = f"bielle.map.{schema.name}"

    @property
    def key(self):  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.name


class RecordType(types.CPointer):
    """An array of numbers with names."""

    def __init__(self, record: Record) -> None:
        self.record = record
        super().__init__(types.float64 if record.type is float else types.int64)
        self.name = f"bielle.record.{record.name}"

    @property
    def key(self):  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.name


register_model(MapType)(models.PointerModel)
register_model(RecordType)(models.PointerModel)


def map_type(name: str) -> MapType:
    """The type of a memory map by the name of its schema."""
    return MapType(schema_called(name))


@infer_getattr
class _MapAttributes(AttributeTemplate):
    key = MapType

    def generic_resolve(self, typ, attr):
        field = typ.schema.fields.get(attr)
        if field is None:
            return None  # a misspelt name: Numba says so, with the line
        if field.type is None:
            return types.int64
        if isinstance(field.type, str):
            return map_type(field.type)
        if field.record is not None:
            return RecordType(field.record)
        return _FLOATS if field.type is float else _INTS


@infer_getattr
class _RecordAttributes(AttributeTemplate):
    key = RecordType

    def generic_resolve(self, typ, attr):
        return typ.dtype if attr in typ.record.entries else None


def _entry_at(builder, pointer, place):
    return builder.gep(pointer, [ir.Constant(ir.IntType(64), place)])


@lower_getattr_generic(MapType)
def _field_of_map(context, builder, typ, value, attr):
    schema, field = typ.schema, typ.schema.fields[attr]
    entry = builder.load(_entry_at(builder, value, schema.places[attr]))
    if field.type is None:
        return entry
    if schema.constant:  # need not be loaded again after every store
        entry.set_metadata("invariant.load", builder.module.add_metadata([]))
    return builder.inttoptr(entry, (ir.DoubleType() if field.type is float else ir.IntType(64)).as_pointer())


@lower_setattr_generic(MapType)
def _set_field_of_map(context, builder, signature, args, attr):
    typ, given = signature.args
    value = context.cast(builder, args[1], given, types.int64)
    builder.store(value, _entry_at(builder, args[0], typ.schema.places[attr]))


@lower_getattr_generic(RecordType)
def _entry_of_record(context, builder, typ, value, attr):
    return builder.load(_entry_at(builder, value, typ.record.entries[attr]))


@lower_setattr_generic(RecordType)
def _set_entry_of_record(context, builder, signature, args, attr):
    typ, given = signature.args
    builder.store(context.cast(builder, args[1], given, typ.dtype), _entry_at(builder, args[0], typ.record.entries[attr]))


def _map_at(typingctx, address, name):
    def codegen(context, builder, signature, args):
        return builder.inttoptr(args[0], ir.IntType(64).as_pointer())

    return map_type(name)(types.int64), codegen


@intrinsic
def context_at(typingctx, address):
    """The memory map of the engine at an address."""
    return _map_at(typingctx, address, "context")


@intrinsic
def tree_at(typingctx, address):
    """The memory map of a recursive model at an address."""
    return _map_at(typingctx, address, "tree")


@intrinsic
def plan_at(typingctx, address):
    """The memory map of the modular solver at an address."""
    return _map_at(typingctx, address, "plan")


def _load_address(context, builder, args, llvm_type):
    ctx, slot = args
    address = builder.load(builder.gep(ctx, [slot]))
    return builder.inttoptr(address, llvm_type)


@intrinsic
def floats(typingctx, ctx, slot):
    """Array of float64 whose address stands in ``ctx[slot]``."""

    def codegen(context, builder, signature, args):
        return _load_address(context, builder, args, ir.DoubleType().as_pointer())

    return _FLOATS(ctx, types.int64), codegen


@intrinsic
def ints(typingctx, ctx, slot):
    """Array of int64 whose address stands in ``ctx[slot]``."""

    def codegen(context, builder, signature, args):
        return _load_address(context, builder, args, ir.IntType(64).as_pointer())

    return _INTS(ctx, types.int64), codegen


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

    return types.none(types.int64, ctx, types.int64, types.int64), codegen


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
