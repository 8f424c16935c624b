"""A table with named columns: what a run computed, one row per sample."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator, Sequence
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calls import explained_methods
from ..errors import BielleError, DescriptionError, unknown
from .output import checked_path, replacing

if TYPE_CHECKING:
    import pandas

__all__ = ["Table"]

_ROWS = 5  # shown at the beginning and at the end
_COLUMNS_IN_HTML = 12


@explained_methods
class Table:
    """Columns of equal length by name; ``table["lower.position.x"]`` is an array, ``table[["time", "violation"]]`` a smaller table."""

    def __init__(self, columns: dict[str, np.ndarray], units: dict[str, str] | None = None) -> None:
        self._columns = {name: np.asarray(values, dtype=float) for name, values in columns.items()}
        if len({values.shape for values in self._columns.values()}) > 1 or any(v.ndim != 1 for v in self._columns.values()):
            shapes = ", ".join(f"'{name}' {values.shape}" for name, values in self._columns.items())
            raise DescriptionError(f"The columns of a table must be one-dimensional and of the same length, got {shapes}.")
        self.units = {name: (units or {}).get(name, "") for name in self._columns}  #: by column; empty: a pure number

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return len(self), len(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __getitem__(self, name: str | Sequence[str]) -> Any:
        """A column as an array (n,), or several columns as a table."""
        if not isinstance(name, str):
            return Table({each: self[each] for each in name}, self.units)
        if name not in self._columns:
            raise unknown("column", name, self._columns)
        return self._columns[name]

    def to_numpy(self) -> np.ndarray:
        """All numbers (rows, columns)."""
        return np.column_stack(list(self._columns.values())) if self._columns else np.zeros((0, 0))

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame with the same columns; its ``attrs["units"]`` are :attr:`units`."""
        try:
            import pandas
        except ImportError:
            raise BielleError(
                "A DataFrame needs pandas: pip install 'bielle[export]'. Without it use to_numpy() or to_csv(path)."
            ) from None
        frame = pandas.DataFrame(self._columns)
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_csv(self, path: str | PathLike[str] | None = None) -> Any:
        """Write comma-separated values, names in the first row, and return the path; without a path, return the text.

        Numbers have as many digits as it takes to read back the same ones.
        """
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.to_numpy().tolist())
        if path is None:
            return text.getvalue()
        target, _ = checked_path(path, (".csv",))
        with replacing(target) as temporary:
            temporary.write_text(text.getvalue(), encoding="utf-8", newline="")
        return Path(target)

    # -- how it shows itself

    def _row_numbers(self) -> list[int]:
        """Rows to show; −1 stands for those left out."""
        n = len(self)
        return list(range(n)) if n <= 2 * _ROWS + 1 else [*range(_ROWS), -1, *range(n - _ROWS, n)]

    def _cells(self, name: str) -> list[str]:
        values = self._columns[name]
        return ["…" if row < 0 else f"{values[row]:.6g}" for row in self._row_numbers()]

    def _summary(self) -> str:
        return f"{len(self)} rows × {len(self._columns)} columns"

    def __repr__(self) -> str:
        width = max(shutil.get_terminal_size().columns, 40)
        left = ["", *("…" if row < 0 else str(row) for row in self._row_numbers())]
        blocks = {name: [name, *self._cells(name)] for name in self._columns}
        widths = {name: max(map(len, cells)) + 2 for name, cells in blocks.items()}
        names, room = [], width - max(map(len, left)) - 3
        for name in self._columns:
            room -= widths[name]
            if room < 0:
                break
            names.append(name)
        lines = []
        for i, label in enumerate(left):
            line = label.ljust(max(map(len, left))) + "".join(blocks[name][i].rjust(widths[name]) for name in names)
            lines.append(line + ("  …" if len(names) < len(self._columns) else ""))
        return "\n".join([*lines, f"[{self._summary()}]"])

    def _repr_html_(self) -> str:
        shown = self.columns[:_COLUMNS_IN_HTML]
        more = "<th>…</th>" if len(shown) < len(self._columns) else ""
        heads = "".join(f"<th>{escape(name)}{f' [{escape(self.units[name])}]' if self.units[name] else ''}</th>" for name in shown)
        cells = [self._cells(name) for name in shown]
        rows = "".join(
            f"<tr><th>{'…' if row < 0 else row}</th>"
            + "".join(f"<td>{column[i]}</td>" for column in cells)
            + more.replace("th>", "td>")
            + "</tr>"
            for i, row in enumerate(self._row_numbers())
        )
        return f"<div><table><thead><tr><th></th>{heads}{more}</tr></thead><tbody>{rows}</tbody></table><p>{self._summary()}</p></div>"
