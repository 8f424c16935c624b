"""Sessions with autosave that are killed at random moments lose what was done since the last file was begun at most."""

from pathlib import Path

import pytest

from .crane import child

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("count", [24, pytest.param(1000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
def test_kills(count, tmp_path):
    code = "import sys, pathlib; from tests.live import kills; print(len(kills.main(int(sys.argv[1]), pathlib.Path(sys.argv[2]))))"
    with child(code, count, tmp_path, cwd=ROOT) as process:  # of its own: it forks, and must have no threads
        told, _ = process.communicate()
    assert told.split("\n")[-2:] == ["0", ""], told
