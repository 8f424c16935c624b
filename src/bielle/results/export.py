"""Out of a run and into other programs: tables, pandas, xarray, files, and back from files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..calls import explained
from ..errors import BielleError, FileError
from . import storage
from .catalogue import Catalogue
from .output import checked_path, replacing
from .table import Table

if TYPE_CHECKING:
    import xarray

    from ..mechanism.mechanism import Mechanism
    from .record import Record

__all__ = ["ENDINGS", "Table", "load_result", "save", "table", "to_xarray"]

ENDINGS = (".npz", ".h5", ".hdf5", ".csv")  #: formats a result can be saved in


@explained
def table(result: Record, names: str | Iterable[str] | None = None) -> Table:
    """A table with the column ``time`` and the quantities named, or all: motions, reactions and energies.

    A name is as in :mod:`bielle.results.catalogue`: "lower.position" gives the columns "lower.position.x", "lower.position.y", …
    Forces and moments are those on b, in world axes.
    """
    wanted = [names] if isinstance(names, str) else names
    catalogue = Catalogue(result)
    columns, units = {"time": result.time}, {"time": "s"}
    for quantity in catalogue.quantities(wanted):
        for name, values in quantity.columns().items():
            columns[name], units[name] = values, quantity.unit
    return Table(columns, units)


@explained
def to_xarray(result: Record, names: str | Iterable[str] | None = None) -> xarray.Dataset:
    """A Dataset with the coordinate ``time`` and a variable for each quantity, such as "lower.position" (time, axis) with its unit.

    Vectors have the dimension ``axis`` (x, y, z), quaternions ``quaternion`` (w, x, y, z).
    """
    try:
        import xarray
    except ImportError:
        raise BielleError("A Dataset needs xarray: pip install 'bielle[export]'. Without it use result.table().") from None
    wanted = [names] if isinstance(names, str) else names
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {"time": ("time", result.time, {"units": "s"})}
    for quantity in Catalogue(result).quantities(wanted):
        if quantity.name == "time":
            continue
        dims: tuple[str, ...] = ("time",)
        if quantity.parts:
            dim = "axis" if quantity.has_norm else "quaternion" if quantity.kind == "orientation" else quantity.kind
            dims = ("time", dim)
            coordinates[dim] = list(quantity.parts)
        variables[quantity.name] = (dims, quantity.values, {"units": quantity.unit or "1"})
    about = {"title": result.mechanism.name, **{key: str(result.info[key]) for key in ("solver", "status") if key in result.info}}
    return xarray.Dataset(variables, coordinates, about)


@explained
def save(result: Record, path: str | PathLike[str]) -> Path:
    """Write a result and return the path; the ending decides the format.

    .npz          everything, for :func:`load_result`; compressed arrays of NumPy
    .h5, .hdf5    everything, and all quantities by name with units, for other programs; needs h5py
    .csv          the table of :func:`table`, for people and spreadsheets; cannot be loaded again

    The file appears complete or not at all. Python functions in a mechanism cannot be written: then a warning says so, and loading needs
    the mechanism, built again by the program that has the functions.
    """
    target, ending = checked_path(path, ENDINGS)
    if ending == ".csv":
        return table(result).to_csv(target)
    write = storage.write_npz if ending == ".npz" else storage.write_h5
    content = storage.Content.of(result)
    with replacing(target) as temporary:
        write(content, temporary, result)
    return target


@explained
def load_result(
    path: str | PathLike[str],
    *,
    mechanism: Mechanism | Sequence[Mechanism] | None = None,
    max_bytes: int | None = None,
    package_dirs: Any = (),
) -> Record:
    """The result or timeline that :func:`save` wrote to a .npz or .h5 file; its quantities can be asked for as after the simulation.

    mechanism  needed for a run whose mechanism contains Python functions, which no file can hold; otherwise that of the file is used.
               For a timeline, one for each segment
    max_bytes  refuse files that unpack to more; None: 4 GiB, 32 times the size of the file, or 256 MiB. No file makes this function execute
               code, or allocate more than some times that
    package_dirs  folders in which meshes may be, beside that of the file; see :func:`bielle.load`
    """
    target, ending = checked_path(path, ENDINGS)
    if ending == ".csv":
        raise FileError(f"{target}: a .csv file holds numbers for people and not a whole result. Save it as .npz or .h5 to load it again.")
    read = storage.read_npz if ending == ".npz" else storage.read_h5
    return read(target, max_bytes).record(str(target), mechanism, package_dirs)
