"""Rows: a table of components whose columns have a different number of entries in every row, edited by splicing.

A topology edit replaces a few rows; everything before and after them is copied in one piece, so that its cost is that of copying memory.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..errors import DescriptionError
from ..kernels.lazy import entry, once
from ..kernels.memory import Uncopyable, address_of
from ..kernels.pointers import at, copy, ints

__all__ = ["Column", "Cut", "Record", "Rows", "Shape", "column_of"]


class Record:
    """One component as its table stores it: ``sizes`` counts the entries of each kind, ``values`` holds them column by column."""

    __slots__ = ("item", "key", "name", "sizes", "values")

    def __init__(self, key: str, name: str, item: Any, sizes: tuple[int, ...], values: dict[str, Any]) -> None:
        self.key = key  #: rows with equal keys share kernels and stand together, sorted by key
        self.name = name
        self.item = item  #: what the table's readers need of the component besides numbers
        self.sizes = sizes
        self.values = values


class Cut(NamedTuple):
    """Rows first … last give way to the records."""

    first: int
    last: int
    records: list[Record]


class Column(NamedTuple):
    """A column of a table: ``width`` entries of that type for each of what is counted."""

    per: str  #: what is counted
    type: type
    width: int = 1


class Shape(Uncopyable):
    """What tables of one sort have in common: names of the sizes of a record, and of each column the size it follows."""

    def __init__(self, counts: tuple[str, ...], columns: dict[str, Column]) -> None:
        self.counts = counts
        self.columns = columns
        self.count_index = {name: k for k, name in enumerate(counts)}
        #: columns in the order in which they are stored, integers first: name, count, width, type
        self.stored = [(n, self.count_index[c.per], c.width, c.type) for t in (int, float) for n, c in columns.items() if c.type is t]
        places = [name for name, *_ in self.stored]
        plan = [len(counts), len(columns), *(x for _, count, width, _ in self.stored for x in (count, width))]
        #: for kernels: numbers of counts and columns, count and width of each column as stored; which of them each column is
        self.plan = np.array(plan + [places.index(name) for name in columns], dtype=np.int64)
        self.plan_address = address_of(self.plan)


class Rows(Uncopyable):
    """An immutable table: records in order, and their columns one after the other.

    All numbers are in one block: where every row starts, (counts, n + 1) with the totals last, and then the columns.
    """

    def __init__(self, shape: Shape, records: list[Record] | None = None) -> None:
        """A table of these records."""
        self.shape = shape
        self.records = records = records or []
        starts = [[0, *itertools.accumulate(sizes)] for sizes in zip(*(r.sizes for r in records))] or [[0]] * len(shape.counts)
        integers, numbers = list(itertools.chain.from_iterable(starts)), []
        for name, _, _, type_ in shape.stored:
            (numbers if type_ is float else integers).extend(itertools.chain.from_iterable(r.values[name] for r in records))
        self.block = np.concatenate([np.array(integers, dtype=np.int64), np.array(numbers, dtype=np.float64).view(np.int64)])
        self.length = len(self.block)  #: of the block, as far as it is used
        if self.length != sum(map(len, starts)) + sum(width * starts[k][-1] for _, k, width, _ in shape.stored):
            self._explain_lengths()

    def _explain_lengths(self) -> None:
        """Of a kind of somebody's own: kernels would read the numbers of others."""
        for record in self.records:
            for name, k, width, _ in self.shape.stored:
                if len(record.values[name]) != width * record.sizes[k]:
                    raise DescriptionError(
                        f"'{record.name}': its kind '{record.key}' gives {len(record.values[name])} numbers for {name}, expected "
                        f"{width * record.sizes[k]}. An element is described by four numbers, whatever the kind of its body."
                    )

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def address(self) -> int:
        """Of the block."""
        return address_of(self.block)

    @cached_property
    def found(self) -> dict[str, Any]:
        """What others have found of the table, by name: it is the same for all models that share it, whatever else was edited."""
        return {}

    @cached_property
    def offsets(self) -> np.ndarray:
        """(counts, n + 1) where every row starts, and the total, of every count."""
        shape = len(self.shape.counts), len(self) + 1
        return self.block[: shape[0] * shape[1]].reshape(shape)

    def column(self, name: str) -> np.ndarray:
        """All entries of a column, row by row."""
        start = self.offsets.size
        for other, k, width, type_ in self.shape.stored:
            end = start + width * int(self.offsets[k, -1])
            if other == name:
                values = self.block[start:end]
                return values.view(np.float64) if type_ is float else values
            start = end
        raise KeyError(name)

    def size(self, count: str) -> np.ndarray:
        """(n,) of every row."""
        return np.diff(self.starts(count))

    def starts(self, count: str) -> np.ndarray:
        """(n + 1,) where every row starts, and the total."""
        return self.offsets[self.shape.count_index[count]]

    def total(self, count: str) -> int:
        """Of all rows together."""
        return int(self.starts(count)[-1])

    @cached_property
    def layout(self) -> object:
        """The same object for tables whose rows differ in numbers only, if one came from the other."""
        return object()

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of each name; of several rows with one name, the last."""
        return {record.name: i for i, record in enumerate(self.records)}

    @cached_property
    def groups(self) -> list[tuple[int, int]]:
        """Ranges (first, last) of rows with equal keys."""
        bounds, records = [0], self.records
        while bounds[-1] < len(records):
            bounds.append(bisect_right(records, records[bounds[-1]].key, lo=bounds[-1], key=_key))
        return list(itertools.pairwise(bounds))

    def place(self, key: str) -> int:
        """Where a new row with that key goes: after those there are."""
        return bisect_right(self.records, key, key=_key)

    def spliced(self, cuts: list[Cut]) -> Rows:
        """The table with rows replaced; cuts are in order and do not overlap."""
        if not cuts:
            return self
        _ = self.layout  # there before it is passed on
        out = Rows.__new__(Rows)
        out.shape = self.shape
        out.records, added, end = [], [], 0
        for cut in cuts:
            out.records += self.records[end : cut.first]
            out.records += cut.records
            added += cut.records
            end = cut.last
        out.records += self.records[end:]
        new = Rows(self.shape, added)
        out.block = np.empty(self.length + new.length, dtype=np.int64)
        sizes = [len(self), len(added), len(out.records)]
        spans = [x for cut in cuts for x in (cut.first, cut.last, len(cut.records))]
        args = np.array([self.shape.plan_address, self.address, new.address, out.address, *sizes, *spans])
        _splice(address_of(args), len(cuts))
        out.length = int(args[0])
        if all(self._alike(cut) for cut in cuts):  # numbers have changed, not places: what was found out about these holds
            out.__dict__.update({name: value for name, value in self.__dict__.items() if name in _ABOUT_PLACES})
        return out

    def _alike(self, cut: Cut) -> bool:
        """Whether the new rows differ from the old ones in numbers only."""
        if cut.last - cut.first != len(cut.records):
            return False
        old = self.records[cut.first : cut.last]
        return all(a.key == b.key and a.sizes == b.sizes and a.name == b.name for a, b in zip(old, cut.records))

    def same_shape(self, other: Rows) -> bool:
        """Whether the tables differ in numbers only."""
        if self.layout is other.layout:
            return True
        if len(self) != len(other) or not np.array_equal(self.offsets, other.offsets):
            return False
        return all(a is b or a.key == b.key for a, b in zip(self.records, other.records))

    def with_columns(self, columns: dict[str, np.ndarray]) -> Rows:
        """The table with other entries in some columns."""
        out = Rows.__new__(Rows)
        out.__dict__.update({name: value for name, value in self.__dict__.items() if name not in ("address", "offsets", "found")})
        out.block = self.block[: self.length].copy()
        for name, values in columns.items():
            out.column(name)[:] = values
        return out

    def new_places(self, cuts: list[Cut]) -> np.ndarray:
        """(n,) row of each old row in the spliced table; −1 if it went."""
        if not cuts:
            return np.arange(len(self))
        ranges = [np.full(c.last - c.first, -1) for c in cuts]
        out, shift, end = [], 0, 0
        for cut, gone in zip(cuts, ranges):
            out += [np.arange(end, cut.first) + shift, gone]
            if cut.last - cut.first == len(cut.records):  # replaced where they stand
                out[-1] = np.arange(cut.first, cut.last) + shift
            shift += len(cut.records) - (cut.last - cut.first)
            end = cut.last
        return np.concatenate([*out, np.arange(end, len(self)) + shift])


_ABOUT_PLACES = ("layout", "index", "groups")


def _key(record: Record) -> str:
    return record.key


@once
def column_of(rows, n, plan, k):
    """Column k of the block of a table with n rows, as integers."""
    start = plan[0] * (n + 1)
    for c in range(plan[2 + 2 * plan[1] + k]):
        start += plan[3 + 2 * c] * rows[plan[2 + 2 * c] * (n + 1) + n]
    return at(rows, start)


@once
def _copied(source, first, last, target, start):
    """target[start:] = source[first:last]; where the next ones go."""
    copy(last - first, at(source, first), at(target, start))
    return start + last - first


@once
def _rebased(source, first, last, target, place, base):
    """Starts of rows first … last in another place, where they begin at base; the base of the next row."""
    for i in range(first, last):
        target[place + i - first] = base + source[i] - source[first]
    return base + source[last] - source[first]


@entry
def _splice(args, n_cuts, unused):
    """Rows of the old block and of the new one, in the order that the cuts (first, last, number of new rows) say.

    args: plan, blocks, numbers of rows in them, the cuts. Leaves the length of the result in its first place.
    """
    plan, old, new, out = ints(args, 0), ints(args, 1), ints(args, 2), ints(args, 3)
    n_old, n_new, n_out, cuts = args[4], args[5], args[6], at(args, 7)
    for c in range(plan[0]):
        was, added, starts = at(old, c * (n_old + 1)), at(new, c * (n_new + 1)), at(out, c * (n_out + 1))
        place, base, end, taken = 0, 0, 0, 0
        for k in range(n_cuts):
            first, last, n = cuts[3 * k], cuts[3 * k + 1], cuts[3 * k + 2]
            base = _rebased(was, end, first, starts, place, base)
            place += first - end
            base = _rebased(added, taken, taken + n, starts, place, base)
            place += n
            taken += n
            end = last
        starts[n_out] = _rebased(was, end, n_old, starts, place, base)
    before_old, before_new, place = plan[0] * (n_old + 1), plan[0] * (n_new + 1), plan[0] * (n_out + 1)
    for c in range(plan[1]):
        count, width = plan[2 + 2 * c], plan[3 + 2 * c]
        was, added = at(old, count * (n_old + 1)), at(new, count * (n_new + 1))
        from_old, from_new = at(old, before_old), at(new, before_new)
        before_old += width * was[n_old]
        before_new += width * added[n_new]
        end, taken = 0, 0
        for k in range(n_cuts):
            first, last, n = cuts[3 * k], cuts[3 * k + 1], cuts[3 * k + 2]
            place = _copied(from_old, width * was[end], width * was[first], out, place)
            place = _copied(from_new, width * added[taken], width * added[taken + n], out, place)
            taken += n
            end = last
        place = _copied(from_old, width * was[end], width * was[n_old], out, place)
    args[0] = place
