"""Rows: a table of components whose columns have a different number of entries in every row, edited by splicing.

A topology edit replaces a few rows; everything before and after them is copied in one piece, so that its cost is that of copying memory.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Cut", "Record", "Rows", "splice"]


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


class Rows:
    """An immutable table: records in order, and their columns one after the other in flat arrays."""

    def __init__(self, counts: tuple[str, ...], columns: dict[str, tuple[str, type]]) -> None:
        """An empty table. counts: names of the sizes of a record; columns: of each flat column, the size it follows and its type."""
        self.counts = counts
        self.columns = columns
        self.records: list[Record] = []
        self.sizes = np.zeros((0, len(counts)), dtype=np.int64)
        self.flat: dict[str, np.ndarray] = {name: np.zeros(0, dtype=type_) for name, (_, type_) in columns.items()}

    def __len__(self) -> int:
        return len(self.records)

    @cached_property
    def offsets(self) -> np.ndarray:
        """(counts, n + 1) where every row starts, and the total, of every count."""
        out = np.zeros((len(self.counts), len(self) + 1), dtype=np.int64)
        np.cumsum(self.sizes.T, axis=1, out=out[:, 1:])
        return out

    def size(self, count: str) -> np.ndarray:
        """(n,) of every row."""
        return self.sizes[:, self.counts.index(count)]

    def starts(self, count: str) -> np.ndarray:
        """(n + 1,) where every row starts, and the total."""
        return self.offsets[self.counts.index(count)]

    def total(self, count: str) -> int:
        """Of all rows together."""
        return self._totals[count]

    @cached_property
    def _totals(self) -> dict[str, int]:
        return dict(zip(self.counts, self.offsets[:, -1].tolist()))

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
        out.counts, out.columns = self.counts, self.columns
        out.records = []
        end = 0
        for cut in cuts:
            out.records += self.records[end : cut.first]
            out.records += cut.records
            end = cut.last
        out.records += self.records[end:]
        width = len(self.counts)
        new_sizes = [np.array([r.sizes for r in cut.records], dtype=np.int64).reshape(-1, width) for cut in cuts]
        out.sizes = splice(self.sizes, [(c.first, c.last) for c in cuts], new_sizes)
        out.flat = {}
        spans = [list(zip(self.offsets[:, c.first].tolist(), self.offsets[:, c.last].tolist())) for c in cuts]
        added = [sizes.sum(axis=0).tolist() for sizes in new_sizes]
        for name, (count, type_) in self.columns.items():
            k = self.counts.index(count)
            if all(span[k][0] == span[k][1] and not sizes[k] for span, sizes in zip(spans, added)):
                out.flat[name] = self.flat[name]  # nothing of that sort comes or goes
                continue
            new = [_joined([r.values[name] for r in cut.records], type_) for cut in cuts]
            out.flat[name] = splice(self.flat[name], [span[k] for span in spans], new)
        if all(self._alike(cut) for cut in cuts):  # numbers have changed, not places: what was found out about these holds
            out.__dict__.update({name: value for name, value in self.__dict__.items() if name in _ABOUT_PLACES})
        return out

    def _alike(self, cut: Cut) -> bool:
        """Whether the new rows differ from the old ones in numbers only."""
        old = self.records[cut.first : cut.last]
        same = (a.key == b.key and a.sizes == b.sizes and a.name == b.name for a, b in zip(old, cut.records))
        return len(old) == len(cut.records) and all(same)

    def same_shape(self, other: Rows) -> bool:
        """Whether the tables differ in numbers only."""
        if self.layout is other.layout:
            return True
        if self.sizes.shape != other.sizes.shape or not np.array_equal(self.sizes, other.sizes):
            return False
        return all(a is b or a.key == b.key for a, b in zip(self.records, other.records))

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


_ABOUT_PLACES = ("offsets", "_totals", "layout", "index", "groups")


def _key(record: Record) -> str:
    return record.key


def _joined(parts: list[Any], type_: type) -> np.ndarray:
    if not parts:
        return np.zeros(0, dtype=type_)
    if len(parts) == 1:
        return np.asarray(parts[0], dtype=type_).reshape(-1)
    return np.concatenate([np.asarray(p, dtype=type_).reshape(-1) for p in parts])


def splice(old: np.ndarray, spans: list[tuple[int, int]], new: list[np.ndarray]) -> np.ndarray:
    """Old entries with the spans (first, last) replaced by new ones; spans are in order."""
    pieces, end = [], 0
    for (first, last), values in zip(spans, new):
        pieces += [old[end:first], values]
        end = last
    return np.concatenate([*pieces, old[end:]])
