"""Plain data (dictionaries, lists, strings, numbers) to and from YAML and JSON text, safely.

Reading never builds anything but plain data: YAML tags, anchors and aliases are refused, so nothing can be executed or blown up;
keys may not occur twice; nesting is bounded. YAML scalars follow the rules of YAML 1.2 (``1e-5`` is a number, ``on`` is a string).
Writing keeps short things on one line and every float exactly as it is.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import FileError
from .vectors import shown

__all__ = ["FEW", "FORMATS", "MAX_BYTES", "MAX_DEPTH", "VALUE", "check", "parse", "too_long", "too_many", "write"]

FORMATS = ("yaml", "json")
MAX_DEPTH = 64  #: deepest nesting of lists and dictionaries
MAX_BYTES = {"yaml": 16 * 2**20, "json": 32 * 2**20}  #: longest text that is read unless told otherwise; a YAML parser takes long
VALUE = 12  #: bytes of text per value, at least, in a text as long as is allowed: each takes memory, in models 15 bytes of text
_PLAIN = {int, bool, type(None)}  # there may be many of them, and nothing can be wrong with one
FEW = 2**16  #: values that any text may have
_LINE = 100  # characters of a dictionary that is written on one line

_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


# -- reading


def parse(text: str, format: str, max_bytes: int | None = None) -> Any:
    """Plain data from text, or a FileError that says where it goes wrong.

    Time and memory are bounded by ``max_bytes`` (None: ``MAX_BYTES[format]``): there may be a value for every ``VALUE`` of them, no more.
    """
    _check_format(format)
    most = MAX_BYTES[format] if max_bytes is None else max_bytes
    if len(text) > most:
        raise FileError(too_long(most, format))
    values = max(most // VALUE, FEW)
    data = _parse_json(text, values) if format == "json" else _parse_yaml(text, values)
    check(data)
    return data


def too_long(most: int, format: str, load: str = "load") -> str:
    """What is wrong with a text of more than ``most`` bytes, and what to do about it."""
    instead = " Or write it as JSON, which is read much faster." if format == "yaml" else ""
    return f"it is longer than {most} bytes. If it is meant to be, say so: {load}(path, max_bytes=…).{instead}"


def too_many(most: int, load: str = "load") -> str:
    """What is wrong with a text of more than ``most`` values, and what to do about it."""
    return (
        f"it has more than {most} numbers, texts, lists and dictionaries. "
        f"If it is meant to, say so: {load}(path, max_bytes=…) allows one for every {VALUE} bytes."
    )


def check(data: Any) -> None:
    """Raise a FileError unless the data is plain: nested no deeper than MAX_DEPTH, keys are strings, numbers are finite."""
    open_: list[tuple[Any, Iterator[Any]]] = []  # a loop and not a recursion: the data may be nested (or contain itself) without end
    key, value = None, data
    while True:
        if isinstance(value, dict | list | tuple):
            if len(open_) >= MAX_DEPTH:
                raise _too_deep()
            if isinstance(value, dict):
                _check_names(value, open_, key)
                open_.append((key, iter(value.items())))
            elif not _PLAIN.issuperset(map(type, value)):
                open_.append((key, iter(enumerate(value))))
        elif isinstance(value, float):
            if not math.isfinite(value):
                raise FileError(f"{_path(open_, key)}: a number must be finite, got {value}. Correct it, or leave it out.")
        elif isinstance(value, str):
            _check_text(value, open_, key)
        elif not isinstance(value, int | None):
            raise FileError(f"{_path(open_, key)}: expected numbers, strings, lists and dictionaries only, got {shown(value)}. Convert it.")
        while open_:
            following = next(open_[-1][1], None)
            if following is not None:
                key, value = following
                break
            open_.pop()
        else:
            return


def _check_names(value: dict[Any, Any], above: list[tuple[Any, Any]], key: Any) -> None:
    for name in value:
        if not isinstance(name, str):
            where = _path(above, key) or "the document"
            raise FileError(f"{where}: a key must be a string, got {shown(name)}. Put it in quotes.")
        _check_text(name, above, key)


def _path(above: list[tuple[Any, Any]], key: Any) -> str:
    """Where a value is: 'bodies.rod.position[0]'; the keys of what it lies in, and its own."""
    keys = [each for each, _ in above[1:]] + ([key] if above else [])
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in keys).removeprefix(".")


def _check_text(text: str, above: list[tuple[Any, Any]], key: Any) -> None:
    """Half of a surrogate pair is a string to Python and JSON, but not to UTF-8."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FileError(f"{_path(above, key)}: a character of {shown(text)} cannot be written as UTF-8. Replace it.") from None


def _too_deep() -> FileError:
    return FileError(f"it is nested more than {MAX_DEPTH} levels deep. A mechanism needs fewer: check the brackets and the indentation.")


def _check_format(format: str) -> None:
    if format not in FORMATS:
        raise FileError(f"The format must be 'yaml' or 'json', got {shown(format)}. Use one of these.")


def _integer(text: str) -> float:
    try:
        return int(text)
    except ValueError:  # Python refuses thousands of digits; beyond the range of floats anyway
        return math.inf


def _parse_json(text: str, most: int) -> Any:
    if text.count(",") + text.count("[") + text.count("{") > most:  # before anything is made of them
        raise FileError(too_many(most))

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise FileError(f"the key '{key[:80]}' occurs twice in one dictionary. Remove or rename one of them.")
            found[key] = value
        return found

    try:
        return json.loads(text, object_pairs_hook=unique, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise FileError(f"it is not JSON: {error.msg}, line {error.lineno}, column {error.colno}. Correct it there.") from error
    except RecursionError:
        raise _too_deep() from None


def _parse_yaml(text: str, most: int) -> Any:
    import yaml  # here, because few programs read files and the import takes a while

    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        return _Builder(most).build(yaml.parse(text, Loader=loader))
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"it is not YAML: {' '.join(str(error).split())}. Correct it there.") from error


class _Builder:
    """Plain data from the events of a YAML parser, without recursion and without anything that a tag could call."""

    def __init__(self, most: int) -> None:
        self.left = self.most = most  # values that there may be
        self.documents: list[Any] = []
        self.stack: list[Any] = [self.documents]  # open lists and dictionaries
        self.keys: list[str | None] = [None]  # of each open dictionary, the key that waits for its value

    def build(self, events: Iterable[Any]) -> Any:
        for event in events:
            name = type(event).__name__
            self.left -= 1
            if self.left < 0:
                raise FileError(too_many(self.most))
            if name == "AliasEvent" or getattr(event, "anchor", None) is not None:
                raise FileError(
                    f"anchors (&) and aliases (*) are not allowed{self._line(event)}. Write the value out, or put it in quotes."
                )
            if getattr(event, "tag", None) is not None:
                raise FileError(f"tags such as {event.tag[:80]!r} are not allowed{self._line(event)}. Write plain numbers and strings.")
            if name == "ScalarEvent":
                self._scalar(event)
            elif name in ("SequenceStartEvent", "MappingStartEvent"):
                self._open([] if name == "SequenceStartEvent" else {}, event)
            elif name in ("SequenceEndEvent", "MappingEndEvent"):
                self.stack.pop()
                self.keys.pop()
            elif name == "DocumentStartEvent" and self.documents:
                raise FileError(f"a second document begins{self._line(event)}. Give one document per file.")
        return self.documents[0] if self.documents else None

    def _line(self, event: Any) -> str:
        return f", line {event.start_mark.line + 1}, column {event.start_mark.column + 1}"

    def _open(self, container: Any, event: Any) -> None:
        if len(self.stack) > MAX_DEPTH:
            raise _too_deep()
        self._add(container, event)
        self.stack.append(container)
        self.keys.append(None)

    def _scalar(self, event: Any) -> None:
        text = event.value
        if isinstance(self.stack[-1], dict) and self.keys[-1] is None:  # a key: all keys are strings, however they look
            if text in self.stack[-1]:
                raise FileError(f"the key '{text[:80]}' occurs twice in one dictionary{self._line(event)}. Remove or rename one of them.")
            self.keys[-1] = text
        else:
            self._add(self._value(text) if event.implicit[0] else text, event)

    def _add(self, value: Any, event: Any) -> None:
        container = self.stack[-1]
        if isinstance(container, list):
            container.append(value)
            return
        key, self.keys[-1] = self.keys[-1], None
        if key is None:
            raise FileError(f"a key must be a string, not a list or dictionary{self._line(event)}. Give it a name.")
        container[key] = value

    def _value(self, text: str) -> Any:
        if text in _WORDS:
            return _WORDS[text]
        if _INTEGER.fullmatch(text):
            return _integer(text)
        return float(text) if _FLOAT.fullmatch(text) else text


# -- writing


def write(data: dict[str, Any], format: str) -> str:
    """Plain data as text; what :func:`parse` reads is equal to the data, floats bit for bit."""
    _check_format(format)
    check(data)
    return _block(data, "") + "\n" if format == "json" else _write_yaml(data)


def _on_one_line(value: Any) -> bool:
    """Lists of numbers always, dictionaries of such things if short."""
    if isinstance(value, dict):
        flat = all(not isinstance(item, dict) and _on_one_line(item) for item in value.values())
        return flat and len(json.dumps(value)) <= _LINE
    return not isinstance(value, list) or not any(isinstance(item, dict | list) for item in value)


def _json(value: Any, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False) if _on_one_line(value) else _block(value, indent)


def _block(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict):
        items = [f"{json.dumps(key, ensure_ascii=False)}: {_json(item, inner)}" for key, item in value.items()]
    else:
        items = [_json(item, inner) for item in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + ",".join(f"\n{inner}{item}" for item in items) + f"\n{indent}{closing}"


def _write_yaml(data: dict[str, Any]) -> str:
    import yaml

    class Dumper(yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper):  # type: ignore[misc]
        def ignore_aliases(self, data: Any) -> bool:
            return True  # the same vector twice is written twice

    def mapping(dumper: Any, value: dict[str, Any]) -> Any:
        return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=value is not data and _on_one_line(value))

    def sequence(dumper: Any, value: list[Any]) -> Any:
        return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=_on_one_line(value))

    Dumper.add_representer(dict, mapping)
    Dumper.add_representer(list, sequence)
    # strings that are numbers in YAML 1.2 but not in PyYAML's 1.1 need quotes, too
    Dumper.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(f"^(?:{_FLOAT.pattern})$"), list("-+.0123456789"))
    try:
        return yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=140, default_flow_style=False)
    except (yaml.YAMLError, ValueError) as error:
        raise FileError(f"it cannot be written as YAML: {error}.") from error
