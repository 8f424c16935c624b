"""The file format of mechanisms: readable YAML or JSON, by the ending of the file's name.

    bielle: 1                                     # version of the format
    name: double pendulum
    plane: xy                                     # absent: spatial
    gravity: [0.0, -9.81]
    bodies:
      upper:
        shape: {type: rod, start: [0.0, 0.0], end: [1.0, 0.0], mass: 1.0}
        position: [0.5, 0.0]                      # may be left out: a rod is where its two points are
        orientation: 0.0
    frames:
      tip: {body: upper, position: [0.5, 0.0], orientation: 0.0}
    joints:
      shoulder: {type: pin, a: ground, b: upper, at: [0.0, 0.0]}
    forces:
      return: {type: spring, stiffness: 10.0, a: ground, b: tip, at_a: [0.0, 1.0], at_b: [0.5, 0.0]}

The keys of a body, frame, joint or force are the arguments of ``add_body``, ``add_frame`` (``position`` is its ``local``),
``add_joint`` and ``add_force``; the parameters of a kind stand beside them. A function of time is a number, ``{type: harmonic, …}``
and so on, or two lists, x and y. What is read passes through these methods, so that every check applies; components may mention
each other in any order. A float is written with as many digits as it takes to read back the same one.
"""

import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import numpy as np

from ..calls import explained
from ..errors import BielleError, FileError, unknown
from . import documents, registry
from .components import refill
from .functions import Constant, Function
from .meshes import MeshFolders
from .schema import BODY_KEYS, FORCE_KEYS, FRAME_KEYS, JOINT_KEYS, VERSION, schema
from .shapes import Part, Shape
from .unreadable import unreadable, unwritable, wrong_value
from .visuals import Visual

if TYPE_CHECKING:
    from .mechanism import Mechanism

__all__ = ["MAX_BYTES", "MAX_COMPONENTS", "VERSION", "dumps", "from_dict", "load", "loads", "save", "schema", "to_dict"]
__all__ += ["build", "component_data", "kind_and_places"]  # for what is made of mechanisms: files of sessions
__all__ += ["path_text", "read_bytes", "write_bytes"]  # for other formats

MAX_BYTES = documents.MAX_BYTES  #: longest file that is read unless told otherwise, by format
MAX_COMPONENTS = 1_000_000  #: most bodies, frames, joints and forces of one file together

_TABLES = ("bodies", "frames", "joints", "forces")  # in the order in which they can be added
_SINGULAR = {"bodies": "body", "frames": "frame", "joints": "joint", "forces": "force"}
_LONGEST_REASON = 800  # characters of a message, whatever the file contains
_CONSTANT = Constant.__struct_config__.tag
_SHAPES = {cls.__struct_config__.tag: cls for cls in get_args(Shape)}
_VISUALS = {cls.__struct_config__.tag: cls for cls in get_args(Visual)}
_FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}


# -- to and from files


def save(mechanism: "Mechanism", path: str | os.PathLike[str]) -> None:
    """Write a mechanism to a file that ends in .yaml, .yml or .json, or has the ending of another format (``registry.formats``).

    The file appears complete or not at all: the text goes to a temporary file beside it, which then takes its place.
    """
    source, ending = _path_and_ending(path)
    if ending in registry.formats:
        registry.formats[ending].save(mechanism, source)
        return
    with _blame(source):
        content = dumps(mechanism, _FORMATS[ending]).encode("utf-8")
    write_bytes(source, content)


@explained
def load(path: str | os.PathLike[str], *, max_bytes: int | None = None, package_dirs: Any = ()) -> "Mechanism":
    """Read a mechanism from a file that ends in .yaml, .yml or .json, or has the ending of another format (``registry.formats``).

    max_bytes     a longer file is refused (None: 32 MiB of JSON, 16 MiB of YAML, or what the other format finds sane)
    package_dirs  folders in which meshes may be, beside that of the file; or a dictionary from the name of a package to its folder
    """
    source, ending = _path_and_ending(path)
    if ending in registry.formats:
        options = {"package_dirs": package_dirs} | ({} if max_bytes is None else {"max_bytes": max_bytes})
        return registry.formats[ending].load(source, **options)
    folders = MeshFolders(os.path.dirname(source), package_dirs)
    format = _FORMATS[ending]
    most = MAX_BYTES[format] if max_bytes is None else max_bytes
    return loads(read_bytes(source, most, format), format, source=source, max_bytes=max_bytes, meshes=folders)


def read_bytes(source: str, max_bytes: int, format: str = "", *, load: str = "load") -> bytes:
    """What a regular file contains, unless that is more than ``max_bytes``; ``load`` is the function that allows more."""
    try:
        state = os.stat(source)
        if not stat.S_ISREG(state.st_mode):  # a pipe or a device might never end
            raise FileError(f"{source}: it is not a regular file. Give the name of a {format if format == 'session' else 'model'} file.")
        with open(source, "rb") as file:
            content = file.read(min(state.st_size, max_bytes) + 1)  # no more than there is: room is made for all of it
    except (OSError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise unreadable(source[:200], error) from error
    if len(content) > max_bytes:
        raise FileError(f"{source}: {documents.too_long(max_bytes, format, load)}")
    return content


def write_bytes(source: str, content: bytes) -> None:
    """Write a file that appears complete or not at all."""
    try:
        target = os.path.realpath(source)  # what a link points to is replaced, not the link
        temporary = os.path.join(os.path.dirname(target), f".{secrets.token_hex(8)}.tmp")
        with open(temporary, "xb") as file:
            try:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())  # before the replacement, so that not even a crash leaves half a file
                file.close()
                if os.path.exists(target):
                    shutil.copymode(target, temporary)
                os.replace(temporary, target)
            except BaseException:
                os.unlink(temporary)
                raise
    except (OSError, ValueError) as error:
        raise unwritable(source, error) from error


def dumps(mechanism: "Mechanism", format: str = "yaml") -> str:
    """The text of a file, 'yaml' or 'json'."""
    return documents.write(to_dict(mechanism), format)


def loads(
    text: str | bytes,
    format: str = "yaml",
    *,
    source: str = "model",
    max_bytes: int | None = None,
    meshes: MeshFolders | None = None,
) -> "Mechanism":
    """A mechanism from the text of a file.

    source     how messages call it
    max_bytes  as for :func:`load`
    meshes     where its meshes may be; None: nowhere, since nobody knows who wrote the text
    """
    with _blame(source):
        data = documents.parse(_decoded(text), format, max_bytes)
    return build(data, source, MeshFolders(None) if meshes is None else meshes)


def path_text(path: Any) -> str:
    """A path as text, or an error that says what was expected."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise FileError(f"A path must be a string or a pathlib.Path, got {path!r:.80}. Give the name of a file.") from None


def _path_and_ending(path: Any) -> tuple[str, str]:
    source = path_text(path)
    ending = os.path.splitext(source)[1].lower()
    *known, last = [*_FORMATS, *registry.formats]
    if ending not in (*known, last):
        hint = " A file of MuJoCo is read by bielle.load_mjcf(path)." if ending in (".xml", ".mjcf") else ""
        endings = f"{', '.join(known)} or {last}"
        raise FileError(f"{source}: the name must end in {endings}, got '{ending}'. The ending decides the format.{hint}")
    return source, ending


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"it is not text in UTF-8: {error}. Save it as UTF-8.") from error


# -- to plain data


def to_dict(mechanism: "Mechanism") -> dict[str, Any]:
    """The description as dictionaries, lists, strings and numbers."""
    data: dict[str, Any] = {"bielle": VERSION, "name": mechanism.name}
    if mechanism.plane is not None:
        data["plane"] = mechanism.plane
    data["gravity"] = list(mechanism.gravity)
    for table in _TABLES:
        items = getattr(mechanism, table)
        if items:
            data[table] = {name: component_data(f"{_SINGULAR[table]} '{name}'", item) for name, item in items.items()}
    return data


def component_data(where: str, component: Any, stand_in: Callable[[Any], Any] | None = None) -> dict[str, Any]:
    """A body, frame, joint or force without its name as plain data; ``stand_in`` gives what is written for Python code, if anything."""
    fields = {f: getattr(component, f) for f in component.__struct_fields__ if f not in ("name", "kind")}
    given = {f: _plain(where, value) for f, value in fields.items() if value is not None and value != ()}
    if not hasattr(component, "kind"):
        return given
    kind = component.kind
    parameters = _plain(where, kind, stand_in)
    clash = sorted(set(fields) & set(parameters))
    if clash:
        raise FileError(f"{where}: its kind has a parameter '{clash[0]}', which files need for themselves. Rename the parameter.")
    return _with_numbers(kind, parameters) | given


def _with_numbers(kind: Any, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters with plain numbers for constant functions, if the kind understands these as the same."""

    def simple(value: Any) -> Any:
        if isinstance(value, list):
            return [simple(item) for item in value]
        if isinstance(value, dict):
            return value["value"] if value.get("type") == _CONSTANT else {key: simple(item) for key, item in value.items()}
        return value

    shorter = {key: simple(value) for key, value in parameters.items()}
    if shorter == parameters:
        return parameters
    try:
        return shorter if msgspec.convert(shorter, type(kind)) == kind else parameters
    except msgspec.ValidationError:
        return parameters


def _plain(where: str, value: Any, stand_in: Callable[[Any], Any] | None = None) -> Any:
    def other(value: Any) -> Any:
        """What stands for a value that is not of the plain types."""
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, np.generic | np.ndarray):
            return value.tolist()
        if stand_in is not None and (callable(value) or isinstance(value, Function)):
            return stand_in(value)
        raise FileError(
            f"{where}: {value!r} cannot be written to a file: only data can, and no Python code. "
            "Use a Table, Harmonic or Polynomial instead of a callable."
        )

    return _lists(msgspec.to_builtins(value, enc_hook=other))


def _lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _lists(item) for key, item in value.items()}
    return [_lists(item) for item in value] if isinstance(value, list | tuple) else value


# -- from plain data


def from_dict(data: dict[str, Any]) -> "Mechanism":
    """The inverse of :func:`to_dict`; what :func:`load` accepts as text is accepted here as data."""
    with _blame("model"):
        documents.check(data)
    return build(data, "model")


@contextmanager
def _blame(source: str, where: str = "", data: Any = None) -> Iterator[None]:
    """Turn whatever goes wrong into a FileError that names the file and the component."""
    try:
        yield
    except Exception as error:  # anything: user-defined kinds run code of their own
        raise _blamed(error, source, where, data) from error


def _blamed(error: Exception, source: str, where: str, data: Any) -> FileError:
    reason = _reason(error, data)
    if where and not reason.startswith(f"{where}:"):
        reason = f"{where}: {reason}"
    reason = reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}…"
    return FileError(f"{source}: {reason}")


def _reason(error: Exception, data: Any) -> str:
    if isinstance(error, BielleError):
        return str(error)
    if isinstance(error, msgspec.ValidationError):
        return wrong_value(str(error), data)
    return f"{type(error).__name__}: {error}"


def build(data: Any, source: str, meshes: MeshFolders | None = None) -> "Mechanism":
    """A mechanism from plain data, which may contain Python functions where kinds accept them.

    source  how messages call it
    meshes  where its meshes may be; None: anywhere, the data are not from a file
    """
    from .mechanism import Mechanism  # here: Mechanism has methods that call this module

    with _blame(source):
        tables = _checked_document(data)
        head = {key: data[key] for key in ("gravity", "plane", "name") if data.get(key) is not None}
        mechanism = Mechanism(**head)
    readers = {"bodies": _add_body, "frames": _add_frame, "joints": _add_joint, "forces": _add_force}
    tables_in_order = tables | {"joints": dict(sorted(tables["joints"].items(), key=_couples))}  # what joints couple comes before them
    for table in _TABLES:
        singular, reader, where, item = _SINGULAR[table], readers[table], "", None
        try:
            for name, item in tables_in_order[table].items():
                where = f"{singular} '{name[:80]}'"
                reader(mechanism, name, _dictionary(item, where), where)
        except Exception as error:  # anything, as above; here and not in the loop, which may be long
            raise _blamed(error, source, where, item) from error
    refill(mechanism.joints, [(name, mechanism.joints[name]) for name in tables["joints"]])
    mechanism.mesh_folders = meshes
    return mechanism


def _couples(entry: tuple[str, Any]) -> bool:
    """Whether an entry of a table is a joint that couples others."""
    item = entry[1]
    kind = item.get("type") if isinstance(item, dict) else None
    return isinstance(kind, str) and getattr(registry.joints.get(kind), "attachment", None) == "joints"


def _checked_document(data: Any) -> dict[str, dict[str, Any]]:
    """The tables of components, after a look at the version and the keys."""
    known = ("bielle", "name", "plane", "gravity", *_TABLES)
    if not isinstance(data, dict) or "bielle" not in data:
        raise FileError(f"it is not a model of bielle: the key 'bielle' is missing. Begin the file with 'bielle: {VERSION}'.")
    version = data["bielle"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FileError(
            f"bielle: the version of the format must be {VERSION}, got {version!r:.80}. Begin the file with 'bielle: {VERSION}'."
        )
    if version > VERSION:
        raise FileError(f"bielle: the format has version {version!r:.20}, but this release reads {VERSION}. Upgrade bielle.")
    _check_keys(data, known, "")
    tables = {table: {} if data.get(table) is None else _dictionary(data[table], table) for table in _TABLES}
    count = sum(len(table) for table in tables.values())
    if count > MAX_COMPONENTS:
        raise FileError(f"it has {count} components, more than {MAX_COMPONENTS}. Build so large a mechanism in Python.")
    return tables


def _dictionary(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FileError(f"{where}: expected keys with values, got {value!r:.80}. Write 'key: value' lines, or {{key: value, …}}.")
    return value


def _check_keys(given: Iterable[str], known: Iterable[str], where: str) -> None:
    for key in given:
        if key not in known:
            raise unknown("key", key, known, where)


def _check_required(given: dict[str, Any], required: Iterable[str], where: str) -> None:
    for key in required:
        if given.get(key) is None:
            raise FileError(f"{where}: the key '{key}' is missing. Add it.")


def _add_body(mechanism: "Mechanism", name: str, item: dict[str, Any], where: str) -> None:
    _check_keys(item, BODY_KEYS, where)
    _check_required(item, ("shape",), where)
    kind = _check_shape(item["shape"], f"{where}: shape")
    given = {key: value for key, value in item.items() if key not in ("shape", "visuals", "collisions")}
    mechanism.add_body(name, msgspec.convert(item["shape"], kind), **given, **_visuals(item, where))


def _visuals(item: dict[str, Any], where: str) -> dict[str, Any]:
    """The visuals and collisions of a body or frame."""
    found: dict[str, Any] = {}
    if "visuals" not in item and "collisions" not in item:
        return found
    for table in ("visuals", "collisions"):
        given = item.get(table) or ()
        if not isinstance(given, list | tuple):
            raise FileError(f"{where}: {table}: expected a list, got {given!r:.80}. Write '- {{type: box, …}}' lines.")
        for i, each in enumerate(given):
            here = f"{where}: {table}: number {i}"
            cls = _kind(_dictionary(each, here), _VISUALS, "visual", here)
            _check_keys(each, ("type", *cls.__struct_fields__), here)
        found[table] = tuple(msgspec.convert(each, Visual) for each in given)
    return found


def _check_shape(data: Any, where: str) -> Any:
    """Types and keys, for better suggestions than msgspec's; the values are checked when the shape is made. Returns its class."""
    data = _dictionary(data, where)
    cls = _kind(data, _SHAPES, "shape", where)
    _check_keys(data, ("type", *cls.__struct_fields__), where)
    parts = data.get("parts")
    for i, part in enumerate(parts if isinstance(parts, list | tuple) else ()):
        part = _dictionary(part, f"{where}: part {i}")
        _check_keys(part, Part.__struct_fields__, f"{where}: part {i}")
        _check_required(part, ("shape",), f"{where}: part {i}")
        _check_shape(part["shape"], f"{where}: part {i}")
    return cls


def _kind(data: dict[str, Any], known: dict[str, Any], what: str, where: str) -> Any:
    _check_required(data, ("type",), where)
    name = data["type"]
    if not isinstance(name, str):
        raise FileError(f"{where}: the type must be a string such as {', '.join(list(known)[:4])}, got {name!r:.80}. Give one.")
    if name not in known:
        raise unknown(f"{what} type", name, known, where)
    return known[name]


def _add_frame(mechanism: "Mechanism", name: str, item: dict[str, Any], where: str) -> None:
    _check_keys(item, FRAME_KEYS, where)
    _check_required(item, ("body", "position"), where)
    mechanism.add_frame(name, item["body"], local=item["position"], orientation=item.get("orientation"), **_visuals(item, where))


def _add_joint(mechanism: "Mechanism", name: str, item: dict[str, Any], where: str) -> None:
    kind, places = kind_and_places(item, registry.joints, JOINT_KEYS, "joint", where)
    _check_required(places, ("a", "b"), where)
    mechanism.add_joint(name, kind, **places)


def _add_force(mechanism: "Mechanism", name: str, item: dict[str, Any], where: str) -> None:
    kind, places = kind_and_places(item, registry.forces, FORCE_KEYS, "force", where)
    mechanism.add_force(name, kind, **places)


def kind_and_places(
    item: dict[str, Any], table: dict[str, Any], keys: tuple[str, ...], what: str, where: str
) -> tuple[Any, dict[str, Any]]:
    """The kind, made of its own parameters, and what the component says besides."""
    cls = _kind(item, table, what, where)
    _check_keys(item, ("type", *cls.__struct_encode_fields__, *keys), where)
    parameters = {key: value for key, value in item.items() if key not in keys}
    return msgspec.convert(parameters, cls), {key: item[key] for key in keys if key in item}
