"""The notebook of the course runs from top to bottom, without Jupyter: its code cells in order, and what their last lines show."""

import ast
import json
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pytest

matplotlib.use("Agg")

PATH = Path(__file__).parents[2] / "docs" / "course.ipynb"
NOTEBOOK = json.loads(PATH.read_text(encoding="utf-8"))
CODE = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, and matplotlib as it was before."""
    monkeypatch.chdir(tmp_path)
    with matplotlib.rc_context():
        yield
    plt.close("all")


def run(text, scope):
    """Run a cell and return what a notebook would show below it: the value of its last line, if it is an expression."""
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, PATH.name, "exec"), scope)
    return None if last is None else eval(compile(ast.Expression(last.value), PATH.name, "eval"), scope)


def test_the_notebook_runs(here):
    scope = {"__name__": "__main__"}
    shown = [run(text, scope) for text in CODE]
    (film,) = (value for value in shown if hasattr(value, "to_jshtml"))
    page = film._repr_html_()  # as the notebook shows it
    assert page.count("data:image/png;base64") == 50  # 0.5 s at a quarter of the speed, 25 pictures a second
    assert len(plt.get_fignums()) >= 4
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()


def test_the_notebook_is_plain():
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    identities = [cell["id"] for cell in NOTEBOOK["cells"]]
    assert len(set(identities)) == len(identities)
    for cell in NOTEBOOK["cells"]:
        assert cell["metadata"] == {}
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
    assert not any("IPython" in text or "%" in text.split("\n")[0][:1] for text in CODE)
