"""What a page can take home: the mechanism, the session, a replay that plays anywhere, what it plots."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..errors import FileError, unknown
from ..mechanism.files import dumps
from ..results.animation import animate
from .workbench import Workbench

__all__ = ["download"]

_KINDS = {"mechanism.yaml": "text/yaml", "session": "application/octet-stream", "replay.html": "text/html", "plots.csv": "text/csv"}


def download(bench: Workbench, what: str, options: Mapping[str, str]) -> tuple[bytes, str, str]:
    """Content, media type and name of a file."""
    if what not in _KINDS:
        raise unknown("download", what, _KINDS)
    live = bench.live
    stem = "".join(c if c.isalnum() and c.isascii() else "_" for c in live.mechanism.name)[:60] or "mechanism"
    if what == "mechanism.yaml":
        return dumps(live.describe(), "yaml").encode(), _KINDS[what], f"{stem}.yaml"
    with tempfile.TemporaryDirectory(prefix="bielle-") as folder:
        path = Path(folder) / {"session": "a.session", "replay.html": "a.html", "plots.csv": "a.csv"}[what]
        if what == "session":
            live.save(path)
        elif what == "replay.html":
            animate(live.result(), path)
        else:
            quantities = [name for name in options.get("quantities", "").split(",") if name]
            if not quantities:
                raise FileError("Name the quantities that the table shall have.")
            live.result().table(*quantities).to_csv(path)
        return path.read_bytes(), _KINDS[what], f"{stem}{path.suffix}"
