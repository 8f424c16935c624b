"""The pages of docs/ do what they say: their Python runs, prints what they show, their commands work, their pictures exist.

A page is a program: its ```python blocks run from top to bottom in one namespace, in an empty folder. A ```text block right after one is
what it prints. A block that cannot run anywhere (it needs a file or a terminal) is marked ```python no-run. Lines of ```sh blocks that
begin with ``bielle`` are run too, in the same folder.
"""

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

import matplotlib
import pytest

matplotlib.use("Agg")

pytestmark = pytest.mark.filterwarnings("error")  # all of them

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
ELSEWHERE = {"extending"}  # run by test_extending.py, which also checks what comes out
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])[-−+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")
ROUNDING = 1e-12
LARGEST_ERROR = 1e-6  # a number below this is an error or a rounding: its order of magnitude is what a page shows


def blocks(page):
    """(language, text, the text of the block right after if it shows output) of every fenced block."""
    found = list(FENCE.finditer(page))
    for i, block in enumerate(found):
        after = found[i + 1] if i + 1 < len(found) else None
        adjacent = after is not None and after[1] == "text" and not page[block.end() : after.start()].strip()
        yield block[1], block[2], after[2] if adjacent else None


def same(shown, printed):
    """Whether two texts agree: words exactly, numbers to the digits shown, errors in their order of magnitude."""
    # NumPy makes room for a sign, which a zero may have or not
    words = [" ".join(NUMBER.sub("#", text).split()).replace("[ ", "[") for text in (shown, printed)]
    if words[0] != words[1]:
        return False
    for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)):
        x, y = (float(n.replace("−", "-")) for n in (a, b))
        mantissa, _, exponent = a.lower().partition("e")
        unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))  # of the last digit shown
        if abs(x) < LARGEST_ERROR:
            close = abs(y) <= max(10 * abs(x), ROUNDING)
        elif "." in a or exponent:
            close = abs(x - y) <= 1.5 * unit
        else:
            close = x == y
        if not close:
            return False
    return True


def run_page(name, page):
    scope = {"__name__": "__main__"}
    for language, text, shown in blocks(page):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, f"docs/{name}.md", "exec"), scope)
            if shown is not None:
                assert same(shown, out.getvalue()), f"the page shows\n{shown}\nbut it prints\n{out.getvalue()}"
        elif language == "sh":
            run_commands(text, shown)


def run_commands(text, shown):
    from typer.testing import CliRunner

    from bielle.cli import app

    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    commands = [line for line in lines if line.startswith("bielle ")]
    printed = ""
    for command in commands:
        line, _, target = command.partition(" > ")
        result = CliRunner().invoke(app, shlex.split(line)[1:], env={"COLUMNS": "120"})
        assert result.exit_code == 0 or shown is not None, f"{command}\n{result.output}\n{result.exception!r}"
        if target:
            Path(target.strip()).write_text(result.stdout)
        else:
            printed += result.output
    if shown is not None:
        assert same(shown, printed), f"the page shows\n{shown}\nbut it prints\n{printed}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder; modules that a page writes there can be imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None)
        if file and Path(file).is_relative_to(tmp_path):
            del sys.modules[name]


@pytest.mark.parametrize("name", [name for name in PAGES if name not in ELSEWHERE])
def test_page(name, folder):
    run_page(name, PAGES[name])


def test_every_page_is_in_the_contents():
    listed = re.findall(r"^(\w+)$", PAGES["index"], re.MULTILINE)
    assert {*PAGES} - {"index"} <= set(listed)


@pytest.mark.parametrize("name", PAGES)
def test_pictures_exist_and_are_small(name):
    for picture in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", PAGES[name]):
        path = DOCS / picture
        assert path.is_file(), f"{picture} is missing: run docs/make_pictures.py"
        assert path.stat().st_size < 150_000, f"{picture} is larger than 150 kB"


def test_no_picture_is_left_over():
    used = {picture for page in PAGES.values() for picture in re.findall(r"images/[\w.]+", page)}
    assert {f"images/{path.name}" for path in (DOCS / "images").iterdir()} <= used


@pytest.mark.parametrize("name", PAGES)
def test_blocks_are_marked(name):
    known = {"python", "python no-run", "text", "sh", "yaml", "json", "bibtex", "", "{toctree}", "{raw} html"}
    assert {language for language, _, _ in blocks(PAGES[name])} <= known


def test_all_kinds_are_told_about():
    """Every joint, force, shape and function has its place in a table."""
    import bielle as bl

    pages = {"joints": bl.joints.__all__, "forces": [*bl.forces.__all__, "Constant", "Polynomial", "Harmonic", "Table", "Function"]}
    pages["describing"] = ["rod", "cylinder", "capsule", "box", "plate", "sphere", "disc", "extruded", "rigid", "compound"]
    for page, kinds in pages.items():
        assert [kind for kind in kinds if f"`{kind}" not in PAGES[page]] == []


@pytest.mark.parametrize("name", ["course", "cours"])
def test_all_interactions_and_exercises_of_the_course_are_told_about(name):
    from bielle.course.interactions import KINDS
    from bielle.examples.course import TITLES

    assert [kind for kind in KINDS if f"| `{kind}` |" not in PAGES[name]] == []
    assert [number for number in TITLES if f"\n| {number} |" not in PAGES[name]] == []


def test_all_examples_are_told_about():
    from bielle import examples

    assert [name for name in examples.names() if f"`{name}`" not in PAGES["examples"]] == []


def test_all_commands_are_told_about():
    from bielle.cli import app

    names = [command.callback.__name__ for command in app.registered_commands]
    assert [name for name in names if f"`bielle {name}`" not in PAGES["command_line"]] == []
