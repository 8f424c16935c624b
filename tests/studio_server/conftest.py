"""A studio without a browser, at a page that is no page."""

import pytest

from bielle.studio import opening, server
from bielle.studio.folder import Folder
from bielle.studio.opening import Studio, session_of

from .page import joined


@pytest.fixture
def static(tmp_path, monkeypatch):
    """The built page is a stub."""
    path = tmp_path / "static"
    path.mkdir()
    (path / "index.html").write_text("<title>studio</title>")
    for module in (opening, server):
        monkeypatch.setattr(module, "STATIC", path)
    return path


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "models"
    path.mkdir()
    return Folder(path)


@pytest.fixture
def studio(static, folder):
    """One that shows a double pendulum, at rest."""
    found = Studio(session_of("double_pendulum", folder)[0], folder)
    found.open(None)
    yield found
    found.close()


@pytest.fixture
def page(studio):
    with joined(studio) as found:
        yield found
