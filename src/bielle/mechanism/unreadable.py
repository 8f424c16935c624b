"""Why a file cannot be read or written, in words, with the nearest name there is."""

import difflib
import os
import re
from typing import Any

from ..errors import FileError

__all__ = ["unreadable", "unwritable", "wrong_value"]

_WORDS = {
    "float": "a number",
    "int": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "keys with values",
}
_NUMBER = re.compile(r"\s*([-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)\s*[^\d\s]")  # and a unit, or what may be one


def unreadable(source: str, error: Exception) -> FileError:
    """The error for a file that cannot be opened or read."""
    if isinstance(error, FileNotFoundError):
        folder, name = os.path.split(os.path.abspath(source))
        if not os.path.isdir(folder):
            return FileError(f"{source}: it cannot be read: there is no folder {folder}. Check the name.")
        near = difflib.get_close_matches(name, _listed(folder), n=1)
        hint = f"Did you mean '{os.path.join(os.path.dirname(source), near[0])}'?" if near else "Check the name."
        return FileError(f"{source}: it cannot be read: there is no such file in {folder}. {hint}")
    return FileError(f"{source}: it cannot be read: {_why(error)}. Check the name and the permissions.")


def unwritable(source: str, error: Exception) -> FileError:
    """The error for a file that cannot be written."""
    folder = os.path.dirname(os.path.abspath(source)) if "\0" not in source else ""
    if isinstance(error, FileNotFoundError) and not os.path.isdir(folder):
        return FileError(f"{source}: it cannot be written: there is no folder {folder}. Make it first, or check the name.")
    return FileError(f"{source}: it cannot be written: {_why(error)}. Check the folder and its permissions.")


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _why(error: Exception) -> str:
    """What the system says, without the number of the error and the name of the file."""
    return (getattr(error, "strerror", None) or str(error)).rstrip(".")


def wrong_value(message: str, data: Any) -> str:
    """What a decoder says of a value of the wrong type, in words and with the value: "mass must be a number, got '1 kg'. …"."""
    located = re.fullmatch(r"(.*) - at `\$\.?(.*)`", message, re.DOTALL)
    text, path = located.groups() if located else (message, "")
    absent = re.fullmatch(r"Object missing required field `(.*)`", text)
    if absent:
        return f"{f'{path}: ' if path else ''}the key '{absent[1]}' is missing. Add it."
    types = re.fullmatch(r"Expected `([\w| ]+)`, got `(\w+)`", text)
    if types is None or not path:
        return f"{path}: {text}" if path else text
    expected = " or ".join(dict.fromkeys(_WORDS.get(each, each) for each in types[1].split(" | ") if each != "null"))
    value = _at(data, path)
    got = _WORDS.get(types[2], types[2]) if value is None else f"{value!r:.80}"
    hint = ""
    if isinstance(value, str) and "a number" in expected:
        number = _NUMBER.match(value)
        key = path.rpartition(".")[2]
        written = f", as in '{key}: {number[1]}'" if number and "[" not in key else ""
        hint = f" Write the number alone, without a unit or quotes{written}; units are SI."
    return f"{path} must be {expected}, got {got}.{hint}"


def _at(data: Any, path: str) -> Any:
    """The value at a decoder's path such as ``parts[0].shape.mass``, in the data or in the shape in it; None if it is not found."""
    for start in (data, data.get("shape") if isinstance(data, dict) else None):
        value: Any = start
        for step in re.findall(r"[^.\[\]]+", path):
            try:
                value = value[int(step)] if isinstance(value, list | tuple) else value[step]
            except (KeyError, IndexError, ValueError, TypeError):
                break
        else:
            return value
    return None
