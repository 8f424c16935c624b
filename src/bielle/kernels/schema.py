"""Schemas of memory maps: which arrays kernels can read, under which names.

A *memory map* is an array of addresses. A kernel is handed one, and says ``ctx.joint_c[j]`` for an entry of the array whose address stands
where the schema of ``ctx`` says. There are three: of the engine (``ctx``, :mod:`bielle.kernels.slots`), of a recursive model (``t``,
:mod:`bielle.kernels.tree`) and of the modular solver (``plan``, :mod:`bielle.kernels.plan`). Which of them a kernel is handed follows from
the name of its first argument.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Field", "Record", "Schema", "constants", "meaning_of_names", "schema_called", "schema_of_argument"]

#: module and schema by the name of the first argument of a kernel
_ARGUMENTS = {"ctx": ("slots", "context"), "t": ("tree", "tree"), "plan": ("plan", "plan")}


@dataclass(frozen=True)
class Record:
    """An array of numbers whose entries have names: ``ctx.scalar.time``."""

    name: str
    type: type
    entries: Mapping[str, int]  #: where each stands


@dataclass(frozen=True)
class Field:
    """An entry of a memory map.

    type    float or int: the address of an array of these; the name of a schema: the address of another memory map;
            None: no address but an integer
    """

    name: str
    type: type | str | None
    meaning: str = ""
    record: Record | None = None


class Schema:
    """The fields of a memory map, in order. ``constant``: kernels do not change the addresses."""

    def __init__(self, name: str, fields: Iterable[Any], *, constant: bool = True) -> None:
        self.name, self.constant = name, constant
        self.fields: dict[str, Field] = {field.name: field for field in fields}
        self.places = {field: place for place, field in enumerate(self.fields)}
        _schemas[name] = self


_schemas: dict[str, Schema] = {}


def schema_called(name: str) -> Schema:
    """The schema of that name."""
    for module, schema in _ARGUMENTS.values():
        if schema == name and name not in _schemas:
            importlib.import_module(f"{__package__}.{module}")
    return _schemas[name]


def schema_of_argument(name: str) -> Schema | None:
    """The schema of a first argument of that name; None: an array of integers without names."""
    return schema_called(_ARGUMENTS[name][1]) if name in _ARGUMENTS else None


def constants(scope: Mapping[str, Any], prefix: str, but: str = " ") -> dict[str, int]:
    """Integers of a module by their names: those that begin with a prefix, without it and in small letters."""
    return {
        key.removeprefix(prefix).lower(): value
        for key, value in scope.items()
        if key.startswith(prefix) and not key.startswith(but) and isinstance(value, int)
    }


def meaning_of_names(names: Iterable[str]) -> list[str]:
    """Where these names stand in all schemas and records: what the machine code of a function that uses them depends on."""
    told = []
    for _, name in _ARGUMENTS.values():
        schema = schema_called(name)
        records = [field.record for field in schema.fields.values() if field.record is not None]
        for each in names:
            if each in schema.fields:
                told.append(f"{name}.{each} {schema.fields[each].type} {schema.places[each]} {schema.constant}")
            told += [f"{record.name}.{each} {record.type} {record.entries[each]}" for record in records if each in record.entries]
    return told
