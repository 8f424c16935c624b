"""Fingerprints: what makes a kernel another, and what does not."""

import os
import subprocess
import sys

import pytest

from bielle.kernels import slots
from bielle.kernels.fingerprint import fingerprint, global_names

KERNEL = '''
from helpers import gain, LIMIT
import helpers

def work(ctx, first, last):
    """Says what it does."""
    return gain(first) + LIMIT + helpers.OFFSET
'''
HELPERS = """
OFFSET, LIMIT, UNUSED = 1, 2.0, 3

def gain(x):
    return 3 * x
"""


def made(kernel=KERNEL, helpers=HELPERS):
    """The function ``work`` of a text, which imports from another."""
    import types

    module = types.ModuleType("helpers")
    exec(helpers, module.__dict__)
    scope = {"__name__": "kernel"}
    before, sys.modules["helpers"] = sys.modules.get("helpers"), module
    try:
        exec(kernel, scope)
    finally:
        del sys.modules["helpers"]
        if before is not None:
            sys.modules["helpers"] = before
    return scope["work"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("gain(first)", "gain(last)"), ("3 * x", "4 * x"), ("OFFSET, LIMIT, UNUSED = 1", "OFFSET, LIMIT, UNUSED = 7"), ("2.0, 3", "2.5, 3")],
    ids=["its own code", "a helper in a second file", "a constant of a module", "an imported constant"],
)
def test_changes_that_matter(old, new):
    assert fingerprint(made(KERNEL.replace(old, new), HELPERS.replace(old, new))) != fingerprint(made())


@pytest.mark.parametrize(
    ("old", "new"),
    [("Says what", "Tells what"), ("def ", "\n# why\ndef "), ("2.0, 3", "2.0, 4")],
    ids=["docstring", "comment", "unused constant"],
)
def test_changes_that_do_not(old, new):
    assert fingerprint(made(KERNEL.replace(old, new), HELPERS.replace(old, new))) == fingerprint(made())


def test_a_helper_in_a_second_file_of_a_user_is_never_stale(tmp_path):
    (tmp_path / "own_helpers.py").write_text("from bielle.kernels.lazy import helper\n@helper\ndef gain(x):\n    return 3.0 * x\n")
    (tmp_path / "own_kernel.py").write_text(
        "from bielle.kernels.lazy import entry\nfrom bielle.kernels.pointers import floats\nfrom own_helpers import gain\n"
        "@entry\ndef work(ctx, first, last):\n    x = floats(ctx, 0)\n    x[0] = gain(x[0])\n"
    )
    program = (
        "import numpy as np\nfrom bielle.kernels.memory import address_of\nfrom own_kernel import work\n"
        "x = np.array([1.0]); ctx = np.array([address_of(x)]); work(address_of(ctx)); print(x[0])"
    )

    def gain():
        path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
        scope = os.environ | {"PYTHONPATH": path, "BIELLE_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        return float(subprocess.run([sys.executable, "-c", program], env=scope, capture_output=True, text=True, check=True).stdout)

    assert gain() == 3.0
    (tmp_path / "own_helpers.py").write_text((tmp_path / "own_helpers.py").read_text().replace("3.0", "5.0"))
    assert gain() == 5.0


def test_it_depends_on_the_places_of_the_fields_that_are_named(monkeypatch):
    """A field that moves, or changes its type, makes kernels others that name it, and no others."""

    def reads(ctx, first, last):
        return ctx.phi[first]

    def reads_more(ctx, first, last):
        return ctx.lam[first]

    before = [fingerprint.__wrapped__(function) for function in (reads, reads_more)]
    monkeypatch.setitem(slots.CONTEXT.places, "phi", 999)
    after = [fingerprint.__wrapped__(function) for function in (reads, reads_more)]
    assert after[0] != before[0]
    assert after[1] == before[1]


def test_names_of_fields_are_not_taken_for_globals():
    """A helper called ``factor`` beside a field of that name would be its own."""

    def work(t, first, last):
        return t.fingerprint[first] + len(range(last))

    assert global_names(work.__code__) == ["len", "range"]
