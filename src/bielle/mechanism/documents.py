"""Plain data (dictionaries, lists, strings, numbers) to and from YAML and JSON text, safely.

Reading never builds anything but plain data: YAML tags, anchors and aliases are refused, so nothing can be executed or blown up;
keys may not occur twice; nesting is bounded. YAML scalars follow the rules of YAML 1.2 (``1e-5`` is a number, ``on`` is a string).
Writing keeps short things on one line and every float exactly as it is.
"""

import json
import math
import re
from collections.abc import Iterable
from typing import Any

from ..errors import FileError
from .vectors import shown

__all__ = ["FORMATS", "MAX_DEPTH", "check", "parse", "write"]

FORMATS = ("yaml", "json")
MAX_DEPTH = 64  #: deepest nesting of lists and dictionaries
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


def parse(text: str, format: str) -> Any:
    """Plain data from text, or a FileError that says where it goes wrong."""
    _check_format(format)
    data = _parse_json(text) if format == "json" else _parse_yaml(text)
    check(data)
    return data


def check(data: Any) -> None:
    """Raise a FileError unless the data is plain: nested no deeper than MAX_DEPTH, keys are strings, numbers are finite."""
    pending: list[tuple[str, Any, int]] = [("", data, 1)]
    while pending:  # a loop and not a recursion: the data may be nested (or contain itself) without end
        path, value, depth = pending.pop()
        if isinstance(value, dict | list | tuple):
            if depth > MAX_DEPTH:
                raise _too_deep()
            if isinstance(value, dict):
                for key in value:
                    if not isinstance(key, str):
                        raise FileError(f"{path or 'the document'}: a key must be a string, got {shown(key)}. Put it in quotes.")
                    _check_text(path, key)
                pending += [(f"{path}.{key}" if path else key, item, depth + 1) for key, item in value.items()]
            else:
                pending += [(f"{path}[{i}]", item, depth + 1) for i, item in enumerate(value)]
        elif isinstance(value, float) and not math.isfinite(value):
            raise FileError(f"{path}: a number must be finite, got {value}. Correct it, or leave it out.")
        elif isinstance(value, str):
            _check_text(path, value)
        elif not isinstance(value, int | float | None):
            raise FileError(f"{path}: expected numbers, strings, lists and dictionaries only, got {shown(value)}. Convert it.")


def _check_text(path: str, text: str) -> None:
    """Half of a surrogate pair is a string to Python and JSON, but not to UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise FileError(f"{path}: a character of {shown(text)} cannot be written as UTF-8. Replace it.") from None


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


def _parse_json(text: str) -> Any:
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


def _parse_yaml(text: str) -> Any:
    import yaml  # here, because few programs read files and the import takes a while

    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        return _Builder().build(yaml.parse(text, Loader=loader))
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"it is not YAML: {' '.join(str(error).split())}. Correct it there.") from error


class _Builder:
    """Plain data from the events of a YAML parser, without recursion and without anything that a tag could call."""

    def __init__(self) -> None:
        self.documents: list[Any] = []
        self.stack: list[Any] = [self.documents]  # open lists and dictionaries
        self.keys: list[str | None] = [None]  # of each open dictionary, the key that waits for its value

    def build(self, events: Iterable[Any]) -> Any:
        for event in events:
            name = type(event).__name__
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
