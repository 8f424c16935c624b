"""The option --kinds: files with further kinds, which register themselves by being imported and then pass the same checks."""

import importlib.util
from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption("--kinds", action="append", default=[], help="Python file that registers kinds to be checked as well; may be repeated")


def pytest_configure(config):
    for name in config.getoption("--kinds", default=[]):
        path = Path(name)
        if not path.is_file():
            raise pytest.UsageError(f"--kinds: there is no file {path}")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
