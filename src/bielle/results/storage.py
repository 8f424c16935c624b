"""How a result lies in a file: its samples, the text of its mechanism, where each component is in the samples, and how it was computed.

A timeline has the same for each of its segments, and a text about the edits between them. Both formats hold the same under the same names:
the first segment lies where the only one of a result does, the others under "segment1", "segment2"… Numbers are arrays of floats, all
else is JSON text. Reading trusts nothing: what does not fit the mechanism is refused, because compiled code will index the arrays.
"""

from __future__ import annotations

import json
import math
import os
import stat
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import BielleError, FileError, warn
from ..mechanism import documents, files
from ..mechanism.meshes import MeshFolders
from ..mechanism.unreadable import unreadable
from ..model import Model, compile_mechanism
from ..model.transfer import recalled
from .catalogue import Catalogue
from .record import EditRecord
from .result import Result
from .timeline import Timeline

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism
    from .record import Record

__all__ = ["MAX_BYTES", "Content", "read_h5", "read_npz", "write_h5", "write_npz"]

MAX_BYTES = 4 * 2**30  #: largest result that is read unless told otherwise, unpacked
_SMALL = 256 * 2**20  # size of a result that any file may unpack to
_PACKED = 32  # times as large as the file is what it may unpack to beyond that, unless told otherwise
VERSION = 3  #: of HDF5 files; .npz files are written as version 1, or 2 with a timeline
_TEXTS = ("mechanism", "note", "layout")  # of a segment
_ARRAYS = "samples"
_FILTERS = {1, 2}  # of HDF5: deflate and shuffle
_H5PY = "HDF5 files need h5py: pip install 'bielle[export]'. Without it use a .npz file."


@dataclass
class SegmentContent:
    """What both formats hold of a segment."""

    samples: dict[str, np.ndarray]
    mechanism: str  #: JSON; empty if it cannot be written
    note: str  #: why it cannot
    layout: str  #: JSON: where each component is in the samples

    @classmethod
    def of(cls, result: Result) -> SegmentContent:
        """The content of a file for a result."""
        note = text = ""
        try:
            text = files.dumps(result.mechanism, "json")
        except FileError as error:
            note = str(error)
        return cls(dict(result.samples), text, note, json.dumps(_layout(result.model), ensure_ascii=False))

    def model(self, source: str, mechanism: Mechanism | None, meshes: MeshFolders) -> tuple[Mechanism, Model]:
        """The mechanism, of the file unless given, and its model, in which each component is where the samples have it."""
        given = mechanism is not None
        if mechanism is None:
            if not self.mechanism:
                raise FileError(
                    f"{source}: it does not contain the mechanism, because {self.note or 'of an unknown reason.'} "
                    "Build the mechanism again and give it: load_result(path, mechanism=…)."
                )
            most = max(len(self.mechanism), files.MAX_BYTES["json"])  # how long it is was looked at before it was read
            mechanism = files.loads(self.mechanism, "json", source=source, max_bytes=most, meshes=meshes)
        with _blame(source):
            model, _ = compile_mechanism(mechanism)
            layout = _parsed(self.layout)
            if isinstance(layout, dict) and "memory" in self.samples:  # forces may have remembered less when it was written
                memory = self.samples["memory"] = recalled(model, self.samples["memory"])
                layout["memory"] = layout.get("memory") if memory.ndim != 2 else memory.shape[1]
        if layout != _layout(model):
            what = "the mechanism given is not the one that was simulated" if given else "the samples do not belong to its mechanism"
            raise FileError(f"{source}: {what}: bodies, joints or forces differ in name, kind or order. {_difference(layout, model)}")
        return mechanism.copy() if given else mechanism, model

    def checked_samples(self, source: str, model: Model, closings: int) -> dict[str, np.ndarray]:
        """The samples, each of the size that the model and the number of gentle closings ask for."""
        widths = {"q": model.nq, "v": model.nv, "a": model.nv, "lam": model.nc, "work": 3 + closings, "memory": model.length("memory")}
        missing = [name for name in ("t", *widths) if name not in self.samples]
        if missing:
            raise FileError(f"{source}: it is damaged: the samples '{missing[0]}' are missing. Save the result again.")
        n = len(self.samples["t"]) if self.samples["t"].ndim == 1 else -1
        for name, array in self.samples.items():
            wanted = (n,) if name == "t" else (n, widths[name]) if name in widths else array.shape
            if array.dtype.kind != "f" or array.shape != wanted:
                raise FileError(
                    f"{source}: it is damaged: the samples '{name}' must be floats of the shape {wanted}, "
                    f"got {array.dtype} of the shape {array.shape}. Save the result again."
                )
        t = self.samples["t"]
        if not np.isfinite(t).all() or (np.diff(t) < 0).any():
            raise FileError(f"{source}: it is damaged: the sampled times must be finite and increasing. Save the result again.")
        return {name: np.ascontiguousarray(array, dtype=float) for name, array in self.samples.items()}


@dataclass
class Content:
    """What both formats hold."""

    segments: list[SegmentContent]
    info: str  #: JSON
    timeline: str = ""  #: JSON: edits between the segments, and names of the closings of each; empty for a result

    @classmethod
    def of(cls, record: Record) -> Content:
        """The content of a file; warns if a mechanism cannot be part of it."""
        segments = [SegmentContent.of(segment) for segment in record.segments]
        notes = [segment.note for segment in segments if segment.note]
        if notes:
            wanted = "the mechanism again and give it: load_result(path, mechanism=…)."
            if len(segments) > 1:
                wanted = "the mechanism of each segment again and give them: load_result(path, mechanism=[…])."
            warn(f"The file will not contain the mechanism, because {notes[0]} To load the result, build {wanted}")
        timeline = ""
        if record.edits or any(segment.closings for segment in record.segments):
            closings = [list(segment.closings) for segment in record.segments]
            timeline = json.dumps(_plain({"edits": record.edits, "closings": closings}), ensure_ascii=False)
        return cls(segments, json.dumps(_plain(record.info), ensure_ascii=False), timeline)

    def record(self, source: str, mechanism: Mechanism | Sequence[Mechanism] | None, package_dirs: Any = ()) -> Record:
        """The result or timeline, with the mechanisms of the file unless given."""
        meshes = MeshFolders(os.path.dirname(source), package_dirs)
        with _blame(source):
            info = _parsed(self.info)
            changes = _parsed(self.timeline) if self.timeline else {"edits": [], "closings": [[]]}
            closings = [tuple(str(name) for name in names) for names in changes["closings"]]
            edits = [EditRecord(float(edit["time"]), str(edit["label"]), str(edit["kind"])) for edit in changes["edits"]]
        info = info if isinstance(info, dict) else {}
        count = len(self.segments)
        given = list(mechanism) if isinstance(mechanism, Sequence) else [mechanism] * (1 if mechanism is not None else count)
        if len(given) != count:
            raise FileError(f"{source}: it has {count} segments, but {len(given)} mechanisms were given. Give one for each segment.")
        segments = []
        for content, own, names in zip(self.segments, given, closings):
            own, model = content.model(source, own, meshes)
            segments.append(Result(own, model, content.checked_samples(source, model, len(names)), closings=names, info=info))
        if not self.timeline:
            return segments[0]
        with _blame(source):
            return Timeline(segments, edits=edits, info=info)


def _place(segment: int) -> str:
    """What the names of a segment begin with."""
    return f"segment{segment}" if segment else ""


def _segment_count(timeline: str) -> int:
    return len(_parsed(timeline)["closings"]) if timeline else 1


def _parsed(text: str) -> Any:
    """The data in a JSON text of a file."""
    try:
        return documents.parse(text, "json", max(len(text), documents.MAX_BYTES["json"]))
    except FileError as error:
        raise ValueError(str(error)) from None  # which is blamed on the file


def _layout(model: Model) -> dict[str, Any]:
    """Where each component is in the samples, as JSON would return it."""
    bodies = [[row.name, row.kind.name, row.q.start, row.q.stop, row.v.start, row.v.stop] for row in model.bodies.values()]
    joints = [[row.name, row.equations.start, row.equations.stop] for row in (*model.joints.values(), *model.internal)]
    forces = [[row.name, row.index] for row in model.forces.values()]
    return {"bodies": bodies, "joints": joints, "forces": forces, "memory": int(model.length("memory"))}


def _difference(layout: Any, model: Model) -> str:
    """The first component in which a layout and a model differ, in words."""
    own = _layout(model)
    for table in ("bodies", "joints", "forces"):
        theirs = layout.get(table) if isinstance(layout, dict) else None
        if not isinstance(theirs, list):
            return "The file is damaged."
        for mine, other in zip(own[table], theirs):
            if mine != other:
                return f"Among the {table}, {mine!r:.120} meets {other!r:.120}."
        if len(own[table]) != len(theirs):
            return f"There are {len(own[table])} {table} (with the ground), but the file has {len(theirs)}."
    return "They remember different numbers of things."


def _plain(value: Any) -> Any:
    """The value as JSON can write it: dataclasses as dictionaries without their arrays, numbers that are not finite as null."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        items = {field.name: getattr(value, field.name) for field in fields(value)}
        return {key: _plain(item) for key, item in items.items() if not (isinstance(item, np.ndarray) or is_dataclass(item))}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(item) for item in value]
    return repr(value)


# -- NumPy


def write_npz(content: Content, path: Path, record: Record) -> None:
    """Arrays "samples.t", …, and texts."""
    arrays: dict[str, Any] = {"bielle_result": np.array(2 if content.timeline else 1), "info": np.array(content.info)}
    if content.timeline:
        arrays["timeline"] = np.array(content.timeline)
    for k, segment in enumerate(content.segments):
        place = f"{_place(k)}." if k else ""
        arrays |= {f"{place}{name}": np.array(getattr(segment, name)) for name in _TEXTS}
        arrays |= {f"{place}{_ARRAYS}.{name}": array for name, array in segment.samples.items()}
    with open(path, "wb") as file:  # numpy would append an ending to a path that has another one
        np.savez_compressed(file, **arrays)


def read_npz(path: Path, max_bytes: int | None) -> Content:
    """Never unpickles, and looks at the sizes before it unpacks."""
    with _reading(path), zipfile.ZipFile(path) as archive:
        entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
        _check_size(path, sum(entry.file_size for entry in archive.infolist()), max_bytes)
        if "bielle_result" not in entries:
            raise FileError(f"{path}: it is not a result of bielle. Give a file that result.save(path) wrote.")

        def array(name: str) -> np.ndarray:
            return _npy(archive, entries[name])

        timeline = str(array("timeline")) if _checked_version(path, array("bielle_result")) > 1 else ""

        def segment(k: int) -> SegmentContent:
            place = f"{_place(k)}." if k else ""
            begin = f"{place}{_ARRAYS}."
            samples = {name.removeprefix(begin): array(name) for name in entries if name.startswith(begin)}
            return SegmentContent(samples, **{name: str(array(f"{place}{name}")) for name in _TEXTS})

        return Content([segment(k) for k in range(_segment_count(timeline))], str(array("info")), timeline)


def _npy(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    """The array in an entry, if it is as large as its head says, and nothing but numbers or text."""
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError("it is packed in an unknown way")
    with archive.open(entry) as file:
        head = np.lib.format.read_array_header_1_0 if np.lib.format.read_magic(file) == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = head(file)
        if dtype.kind not in "fiuU" or math.prod(shape) * dtype.itemsize != entry.file_size - file.tell():
            raise ValueError(f"'{entry.filename:.80}' holds pickled objects, or not as many numbers as it says")
        file.seek(0)
        return np.lib.format.read_array(file, allow_pickle=False)


# -- HDF5


def write_h5(content: Content, path: Path, record: Record) -> None:
    """Group "samples", texts of fixed length, and for other programs the group "quantities": all quantities by name, each with its unit."""
    h5py = _h5py()
    with h5py.File(path, "w") as file:
        file.attrs["bielle_result"] = VERSION
        file["info"], file["timeline"] = _fixed(content.info), _fixed(content.timeline)
        for k, segment in enumerate(content.segments):
            place = file.create_group(_place(k)) if k else file
            for name in _TEXTS:
                place[name] = _fixed(getattr(segment, name))
            samples = place.create_group(_ARRAYS)
            for name, array in segment.samples.items():
                samples.create_dataset(name, data=array, **_packing(array))
        named = file.create_group("quantities")
        for quantity in Catalogue(record).quantities(["time", *Catalogue(record).names()]):
            # a slash would make a group of the first half of a name
            data = named.create_dataset(quantity.name.replace("/", "\u2215"), data=quantity.values, **_packing(quantity.values))
            data.attrs["units"] = quantity.unit or "1"
            if quantity.parts:
                data.attrs["components"] = list(quantity.parts)


def _fixed(text: str) -> np.ndarray:
    """A text as HDF5 keeps it outside of the heap."""
    data = text.encode()
    return np.array(data, dtype=_h5py().string_dtype("utf-8", max(len(data), 1)))


def _packing(array: np.ndarray) -> dict[str, Any]:
    return {"compression": "gzip", "shuffle": True} if array.size else {}


def read_h5(path: Path, max_bytes: int | None) -> Content:
    """Follows no links to other files, looks at types and sizes before it unpacks, and reads nothing of variable length.

    What has a variable length lies in a heap of the file, in which the library of HDF5 goes round in circles if it is damaged.
    """
    h5py = _h5py()
    with _reading(path), h5py.File(path, "r") as file:
        if "bielle_result" not in file.attrs:
            raise FileError(f"{path}: it is not a result of bielle. Give a file that result.save(path) wrote.")
        version = file.attrs.get_id("bielle_result")
        if version.dtype.kind not in "iu" or version.shape != ():
            raise FileError(f"{path}: it is damaged: its version is no number. Save the result again.")
        if _checked_version(path, file.attrs["bielle_result"]) < VERSION:
            raise FileError(
                f"{path}: an earlier release wrote it, in a way that is not safe to read. Load it with that release (bielle.load_result), "
                "and save it as .npz (result.save), which this one reads."
            )

        def own(group: Any, name: str, kind: Any = h5py.Dataset) -> Any:
            """A dataset or group that lies in this very file."""
            here = isinstance(group.get(name, getlink=True), h5py.HardLink)
            item: Any = group[name] if here else None
            if not isinstance(item, kind) or (kind is h5py.Dataset and (item.is_virtual or item.external)):
                raise FileError(f"{path}: it is damaged: '{name}' is missing or lies elsewhere. Save the result again.")
            return item

        def read(items: dict[str, Any]) -> dict[str, Any]:
            return {name: np.asarray(item[()], dtype=float) for name, item in items.items()}

        def texts(items: dict[str, Any]) -> dict[str, str]:
            return {name: item[()].decode() for name, item in items.items()}

        whole = {name: own(file, name) for name in ("info", "timeline")}
        _check_size(path, sum(_unpacked(item, "S") for item in whole.values()), max_bytes)
        info = texts(whole)
        words, arrays = [], []
        for k in range(_segment_count(info["timeline"])):
            place = own(file, _place(k), h5py.Group) if k else file
            samples = own(place, _ARRAYS, h5py.Group)
            words.append({name: own(place, name) for name in _TEXTS})
            arrays.append({name: own(samples, name) for name in samples})
        size = sum(_unpacked(item, "S") for items in words for item in items.values())
        _check_size(path, size + sum(_unpacked(item, "f") for items in arrays for item in items.values()), max_bytes)
        return Content([SegmentContent(read(data), **texts(text)) for text, data in zip(words, arrays)], **info)


def _unpacked(item: Any, kind: str) -> int:
    """How many bytes reading a dataset takes, if it is of that kind: 'f' for floats, 'S' for a text."""
    packed = item.id.get_create_plist()
    filters = {packed.get_filter(k)[0] for k in range(packed.get_nfilters())}
    if item.dtype.kind != kind or (kind == "S" and item.shape != ()) or not filters <= _FILTERS:
        raise ValueError(f"'{item.name:.80}' is not {'made of numbers' if kind == 'f' else 'a text'}, or packed in an unknown way")
    return int(item.nbytes) + (math.prod(item.chunks) * item.dtype.itemsize if item.chunks else 0)


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        raise BielleError(_H5PY) from None
    return h5py


# -- both


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Look at what kind of file it is, and turn whatever goes wrong into a FileError."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe or a device might never end
            raise FileError(f"{path}: it is not a regular file. Give the name of a result file.")
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise unreadable(str(path), error) from error
    with _blame(str(path)):
        yield


@contextmanager
def _blame(source: str) -> Iterator[None]:
    try:
        yield
    except FileError:
        raise
    except (Exception, RecursionError) as error:  # anything: damaged files make libraries fail in many ways
        raise FileError(
            f"{source}: it is damaged or not a result: {type(error).__name__}: {error!s:.300}. Save the result again."
        ) from error


def _check_size(path: Path, size: int, max_bytes: int | None) -> None:
    if max_bytes is None:
        max_bytes = min(MAX_BYTES, max(_SMALL, _PACKED * os.stat(path).st_size))
    if size > max_bytes:
        raise FileError(
            f"{path}: unpacked it has {size} bytes, more than {max_bytes}. If it is meant to be so large: load_result(path, max_bytes=…)."
        )


def _checked_version(path: Path, value: Any) -> int:
    version = int(value)
    if not 1 <= version <= VERSION:
        raise FileError(f"{path}: the format has version {version}, but this release reads up to {VERSION}. Upgrade bielle.")
    return version
