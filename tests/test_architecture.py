"""Imports point one way, the architecture page lists the rooms that exist, importing bielle stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "bielle"

# each room may import those of earlier ranks and of its own room
RANKS = [
    {"errors", "interrupts", "progress"},
    {"calls"},
    {"kernels", "topology"},
    {"mechanism"},
    {"bodies", "joints", "forces"},
    {"model", "io"},
    {"formulations", "integrators"},
    {"modular", "recursive"},
    {"solvers"},
    {"analysis", "results"},
    {"simulation"},
    {"live", "gluing", "course"},
    {"examples", "validation"},
    {"studio"},
    {"benchmarks"},
    {"warmup"},
    {"commands"},
    {"cli"},
    {"__main__"},
]
RANK = {room: i for i, rooms in enumerate(RANKS) for room in rooms}
# doors: methods that open a room on the right when they are called, with the rooms they open
DOORS = {"mechanism/verbs.py": set(RANK), "live/session.py": {"studio"}}
# topology's elimination runs compiled
SAME_RANK = {("topology", "kernels")}

FILES = sorted(p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py" or p.parent != PACKAGE)


def room_of(path):
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported_rooms(path):
    """Rooms a file imports, wherever in the file, except for type checking."""
    tree = ast.parse(path.read_text())
    package = ["bielle", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            node.body = []
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            prefix = ".".join([*base, *([node.module] if node.module else [])])
            names = [prefix] if prefix != "bielle" else [f"bielle.{a.name}" for a in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "bielle" and len(parts) > 1:
                yield parts[1]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_left(path):
    room, opened = room_of(path), DOORS.get(str(path.relative_to(PACKAGE)), set())
    assert room in RANK, f"room '{room}' has no place in the order of imports"
    for other in imported_rooms(path):
        if other == room or other in opened or (room, other) in SAME_RANK or other.startswith("_"):
            continue
        assert other in RANK, f"{path.name} imports unknown room {other}"
        assert RANK[other] < RANK[room], f"{room} must not import {other}"


def test_architecture_page_lists_the_rooms():
    text = (ROOT / "docs" / "architecture.md").read_text()
    rooms = {p.name for p in PACKAGE.iterdir() if p.is_dir() and (p / "__init__.py").exists()}
    assert [room for room in sorted(rooms) if f"`{room}/`" not in text] == []


def test_every_room_says_what_lives_there():
    for init in PACKAGE.glob("*/__init__.py"):
        assert ast.get_docstring(ast.parse(init.read_text())), f"{init.parent.name} has no docstring"


def test_import_is_light():
    code = "import sys, bielle; print([m for m in ('numba', 'scipy', 'matplotlib', 'yaml', 'rich', 'typer') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_kinds_are_named_in_their_own_files_only():
    """No `if kind == …` outside: nobody but the file of a kind (and words for people) mentions its tag.

    Formats of other programs have joint types of their own, with the same words.
    """
    from bielle.mechanism import registry

    tags = {*registry.joints, *registry.forces}
    people = {"analysis/report.py"}  # advice in words
    for path in PACKAGE.rglob("*.py"):
        room = room_of(path)
        if room in ("joints", "forces", "examples", "validation", "io") or str(path.relative_to(PACKAGE)) in people:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                constants = {c.value for c in ast.walk(node) if isinstance(c, ast.Constant) and isinstance(c.value, str)}
                assert not constants & tags, f"{path.relative_to(PACKAGE)}:{node.lineno} compares with {constants & tags}"
