"""Memory that kernels are handed: nobody gives away the address of an array that is not kept."""

import ast
import importlib
from pathlib import Path

import pytest

import bielle

PACKAGE = Path(bielle.__file__).parent
LASTING = (ast.Name, ast.Attribute, ast.Subscript)  # what has a name outlives the call


def addresses_of_temporaries(source):
    """Lines in which the address is taken of something that only the call itself holds."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("address_of"):
            given = node.args[0]
            choices = [given.body, given.orelse] if isinstance(given, ast.IfExp) else [given]
            if not all(isinstance(choice, LASTING) for choice in choices):
                yield node.lineno, ast.unparse(node)
        if isinstance(node, ast.Attribute) and node.attr in ("address", "addresses") and isinstance(node.value, ast.Call):
            yield node.lineno, ast.unparse(node)


def test_addresses_are_of_arrays_that_are_kept():
    found = {str(path.relative_to(PACKAGE)): list(addresses_of_temporaries(path.read_text())) for path in PACKAGE.rglob("*.py")}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line", ["grow(address_of(np.array([1])))", "grow(address_of(a + b))", "grow(Context(m).address)", "f(address_of(a if b else c()))"]
)
def test_temporaries_are_seen(line):
    assert len(list(addresses_of_temporaries(line))) == 1


def holders():
    """Classes in whose methods addresses of arrays are taken."""
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(("bielle", *path.relative_to(PACKAGE).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and "address_of(" in ast.unparse(node):
                yield getattr(importlib.import_module(module), node.name)


def test_whoever_holds_addresses_says_how_it_is_copied():
    """A copy attribute by attribute would hold those of the original."""
    without = {"Carving", "Calls"}  # the former keeps none, the latter is RecursiveModel
    found = {c for c in holders() if c.__reduce__ is object.__reduce__ and c.__reduce_ex__ is object.__reduce_ex__}
    assert {c.__name__ for c in found} == without
