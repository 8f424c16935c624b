"""What the package says of itself is there: extras are used, and references in docstrings lead somewhere."""

import importlib
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
MODULES = {"pin": "pinocchio", "pycollada": "collada", "scikit-sundae": "sksundae"}  # distributions that are imported by another name
#: tools that nobody imports, and what of the Makefile, of pytest's settings or of Sphinx's asks for them
TOOLS = {
    "pytest": "-m pytest",
    "pytest-xdist": "pytest -n 2",
    "pytest-timeout": "\ntimeout = ",
    "ruff": "/ruff check",
    "pyright": "/pyright",
    "sphinx": "/sphinx-build",
    "myst-parser": 'extensions = ["myst_parser"]',
    "furo": 'html_theme = "furo"',
}


@pytest.mark.parametrize(("extra", "requirement"), [(extra, one) for extra, needs in EXTRAS.items() for one in needs])
def test_every_extra_is_for_something(extra, requirement):
    name = re.match(r"[\w-]+", requirement)[0]
    if name == "bielle":  # other extras, which are looked at themselves
        assert set(re.search(r"\[(.*)\]", requirement)[1].split(",")) <= EXTRAS.keys()
    elif name in TOOLS:
        assert any(TOOLS[name] in (ROOT / path).read_text() for path in ("Makefile", "pyproject.toml", "docs/conf.py"))
    else:
        module = MODULES.get(name, name).replace("-", "_")
        importing = re.compile(rf'^\s*(import|from) {module}\b|find_spec\("{module}"\)', re.MULTILINE)
        files = (path for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py"))
        assert any(importing.search(path.read_text()) for path in files), f"nobody imports what the extra '{extra}' brings"


def test_references_in_docstrings_lead_somewhere():
    wrong = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for found in re.findall(r":(?:mod|func|class|meth|attr|data):`~?(bielle[\w.]*)`", path.read_text()):
            try:
                pkgutil.resolve_name(found)
            except (ImportError, AttributeError):
                wrong.append(f"{path.relative_to(ROOT)}: {found}")
    assert not wrong, "\n".join(wrong)


def test_files_that_docstrings_and_the_architecture_page_name_are_there():
    """`room/file.py`, or `see file.py`, in a docstring or comment of the package, or in the page; those of other programs have capitals."""
    wrong = []
    for path in [*sorted((ROOT / "src").rglob("*.py")), ROOT / "docs" / "architecture.md"]:
        for found in re.findall(r"(?<![\w/.])((?:[a-z_]+/)+[a-z_]+\.py|(?<=see )[a-z_]+\.py)\b", path.read_text()):
            if not any((base / found).is_file() for base in (ROOT, ROOT / "src", ROOT / "src" / "bielle", path.parent, path.parent.parent)):
                wrong.append(f"{path.relative_to(ROOT)}: {found}")
    assert not wrong, "\n".join(wrong)


def test_the_package_says_the_same_of_itself_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    what = project["description"].partition(":")[0].lower()
    assert importlib.import_module("bielle").__doc__.startswith(f"bielle: {what};")
    assert f"simulates {what}." in importlib.import_module("bielle.cli").app.registered_callback.callback.__doc__
