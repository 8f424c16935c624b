"""Damage to files: to their bytes, to the tree of values in them, to their numbers."""

import copy
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import h5py
import msgspec
import numpy as np
import yaml

from bielle.live.files import _HEAD, packed

NUMBERS = (0, 1, -1, 2, 1e-320, 1e-160, 1e-12, 1e12, 1e160, 1e308, -1e308, -0.0, 3.7, 10**30, float("nan"), float("inf"))
THINGS = (None, True, False, "", "x", "ground", "\ud800", "é\n", [], {}, [1, 2, 3], {"type": "rod"}, "0" * 5000, *NUMBERS)
LARGEST = 100_000  # values that a mutated tree may have: whoever damages a file must not take the memory that its reader may not
WORDS = ("", "0", "-1", "1e308", "1e-320", "nan", "inf", "1e400", "x", "0 0 0", "1 2 3 4 5 6 7", "0x10", "é", " ", "-" * 100, "1" * 400)


def mutated(format: str, data: bytes, rng: random.Random) -> bytes:
    """The content of a file with one to four things wrong with it."""
    structured = _STRUCTURED[format]
    if rng.random() < 0.35:
        return _bytes(data, rng)
    try:
        return structured(data, rng)
    except (UnicodeError, ValueError, TypeError, OverflowError, yaml.YAMLError):  # something that the format cannot even say
        return _bytes(data, rng)


def _bytes(data: bytes, rng: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        i, j = sorted(rng.randrange(len(found) + 1) for _ in range(2))
        j = min(j, i + rng.choice((1, 4, 64, 1000)))
        what = rng.randrange(7)
        if what == 0 and found:
            found[min(i, len(found) - 1)] ^= 1 << rng.randrange(8)
        elif what == 1:
            found[i:j] = rng.randbytes(j - i)
        elif what == 2:
            del found[i:j]
        elif what == 3:
            found[i:i] = found[i:j]
        elif what == 4:
            found[i:j] = bytes([rng.choice((0, 255))]) * (j - i)
        elif what == 5 and rng.random() < 0.3:
            del found[i:]
        else:
            found[i : i + 8] = rng.choice((2**63 - 1, 2**64 - 1, 2**31, 1, 0)).to_bytes(8, "little")
    return bytes(found)


# -- trees of values


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """(container, key) of every value."""
    found, pending = [], [tree]
    while pending:
        each = pending.pop()
        if isinstance(each, dict | list):
            keys = list(each) if isinstance(each, dict) else range(len(each))
            found += [(each, key) for key in keys]
            pending += [each[key] for key in keys]
    return found


def _tree(tree: Any, rng: random.Random, things: tuple[Any, ...] = THINGS) -> Any:
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        places = _places(tree)
        if not places:
            return tree
        (where, key), (other, its) = rng.choice(places), rng.choice(places)
        value, what = where[key], rng.randrange(7)
        if isinstance(value, float | int) and not isinstance(value, bool) and what < 4:
            where[key] = rng.choice((*NUMBERS, -value, 1e6 * value, 1e-6 * value))
        elif what == 0:
            del where[key]
        elif what == 1 and isinstance(where, list):
            where.insert(key, msgspec.json.decode(msgspec.json.encode(value)) if not isinstance(value, bytes) else value)
        elif what == 2 and isinstance(where, dict):
            where[rng.choice((f"{key}x", "type", "name", "a", "ground"))] = where.pop(key)
        elif what == 3:
            where[key], other[its] = other[its], where[key]
            if _contains(tree):
                where[key] = value
        elif what == 4 and isinstance(value, bytes):
            where[key] = _bytes(value, rng)
        elif what == 5 and isinstance(value, list) and value and 50 * len(places) < LARGEST:
            where[key] = value * rng.choice((2, 50))
        else:
            where[key] = copy.deepcopy(rng.choice(things))  # or it would be changed for the files that follow, and get into itself
    return tree


def _contains(tree: Any, depth: int = 0) -> bool:
    """Whether a tree contains itself, or is very deep."""
    if depth > 200:
        return True
    return any(_contains(each, depth + 1) for each in (tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()))


def _json(data: bytes, rng: random.Random) -> bytes:
    return json.dumps(_tree(json.loads(data), rng)).encode()


def _yaml(data: bytes, rng: random.Random) -> bytes:
    return yaml.safe_dump(_tree(yaml.load(data, yaml.CSafeLoader), rng), allow_unicode=True).encode("utf-8", "surrogatepass")


def _session(data: bytes, rng: random.Random) -> bytes:
    return packed(msgspec.msgpack.encode(_tree(msgspec.msgpack.decode(data[_HEAD.size :]), rng)))


# -- XML


def _xml(data: bytes, rng: random.Random) -> bytes:
    root = ElementTree.fromstring(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        elements = [*root.iter()]
        element, other = rng.choice(elements), rng.choice(elements)
        children, what = list(element), rng.randrange(7)
        if element.attrib and what < 4:
            key = rng.choice([*element.attrib])
            words = element.attrib[key].split()
            if what == 0:
                del element.attrib[key]
            elif what == 1 and words:
                words[rng.randrange(len(words))] = rng.choice(WORDS)
                element.attrib[key] = " ".join(words)
            elif what == 2:
                element.attrib[key] = rng.choice(WORDS)
            elif other.attrib:
                element.attrib[key] = rng.choice([*other.attrib.values()])
        elif what == 4 and children:
            element.remove(rng.choice(children))
        elif what == 5 and children:
            element.append(rng.choice(children))
        elif other is not element and element not in other.iter():
            element.append(other) if other not in element.iter() else setattr(element, "tag", other.tag)
    return ElementTree.tostring(root)


# -- archives


def _text(text: str, rng: random.Random) -> str:
    return json.dumps(_tree(json.loads(text), rng)) if text and rng.random() < 0.8 else text[: rng.randrange(len(text) + 1)]


def _numbers(array: np.ndarray, rng: random.Random) -> np.ndarray:
    array, what = np.array(array), rng.randrange(6)
    if what == 0 or array.ndim == 0:
        return array.astype(rng.choice(("f4", "i8", "S3", "U2", "c16", "?")))
    if what == 1:
        return array[rng.randrange(len(array) + 1) :]
    if what == 2:
        return array.T
    if what == 3:
        return np.repeat(array, 2, axis=-1)
    if array.size:
        array.reshape(-1)[rng.randrange(array.size)] = float(rng.choice(NUMBERS))
    return array


def _npz(data: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    name, what = rng.choice([*entries]), rng.randrange(6)
    if what == 0:
        del entries[name]
    elif what == 1:
        entries[name] = _bytes(entries[name], rng)
    elif what == 2:
        entries[rng.choice([*entries])] = entries[name]
    else:
        array, out = np.load(io.BytesIO(entries[name])), io.BytesIO()
        np.save(out, np.array(_text(str(array), rng)) if array.dtype.kind == "U" else _numbers(array, rng))
        entries[name] = out.getvalue()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


def _h5(data: bytes, rng: random.Random) -> bytes:
    out = io.BytesIO(data)
    with h5py.File(out, "r+") as file:
        names: list[str] = []
        file.visit(names.append)
        name = rng.choice([each for each in names if not each.startswith("quantities")])
        item, what = file[name], rng.randrange(8)
        value = item[()] if isinstance(item, h5py.Dataset) else None
        del file[name]
        if what == 0 or value is None:
            return _closed(file, out)
        if what == 1:
            file[name] = h5py.SoftLink(rng.choice(names))
        elif what == 2:
            file.create_dataset(name, shape=rng.choice(((10**9, 1000), (10**6,), (0,))), dtype=float, chunks=True)
        elif what == 3:
            file[name] = "a text of variable length"
        elif isinstance(value, bytes):
            text = _text(value.decode(), rng).encode("utf-8", "surrogatepass")
            file[name] = np.array(text, dtype=h5py.string_dtype("utf-8", max(len(text), 1)))
        else:
            file[name] = _numbers(value, rng).astype(float) if what < 7 else value.astype("i8")
        return _closed(file, out)


def _closed(file: Any, out: io.BytesIO) -> bytes:
    file.close()
    return out.getvalue()


_STRUCTURED: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "json": _json,
    "yaml": _yaml,
    "urdf": _xml,
    "xml": _xml,
    "session": _session,
    "npz": _npz,
    "h5": _h5,
}


def case(format: str, originals: list[Path], seed: int, number: int) -> bytes:
    """The mutated file of that number; the same whenever it is asked for."""
    rng = random.Random(f"{format} {seed} {number}")
    return mutated(format, rng.choice(originals).read_bytes(), rng)
