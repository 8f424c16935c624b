"""Opening the studio: a port, a server on it, and a browser that shows it."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from ..errors import BielleError
from ..live.session import LiveSession
from .folder import Folder, opened_example
from .keeping import Keeper
from .server import STATIC, Server
from .workbench import Workbench, empty

__all__ = ["BUILD", "Studio", "folder_of", "session_of"]

BUILD = (
    "The page of the studio has not been built. In a source tree: make studio (it needs node). Packages from PyPI contain it. "
    "Everything else of bielle works without it."
)
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def session_of(target: str | None, folder: Folder) -> tuple[LiveSession, str | None]:
    """The session that a file or an example begins, and the name of the file if it is in the folder; nothing: an empty plane."""
    from .. import examples

    if target is None:
        return empty("xy").live(), None
    if target in examples.names():
        return opened_example(target), None
    path = Path(target)
    if path.parent.resolve() == folder.path:
        return folder.open(path.name), path.name
    return Folder(path.parent).open(path.name), None  # saved under its name it would be another file


def folder_of(target: str | None) -> Path:
    """The folder of a file, the present one if it is none."""
    path = Path(target or "")
    return path.parent if path.is_file() else Path.cwd()


class Studio:
    """A server in a thread of its own, until :meth:`close`.

    keep  where work that is not saved is kept; None: nowhere
    """

    def __init__(
        self,
        live: LiveSession,
        folder: Folder,
        *,
        file: str | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
        keep: Path | None = None,
    ) -> None:
        if not (STATIC / "index.html").exists():
            raise BielleError(BUILD)
        # the protocol is named so that asyncio sends small packets at once
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._listener.bind((host, port))
        except OSError as error:
            self._listener.close()
            raise BielleError(f"Port {port} of {host} cannot be used: {error.strerror}. Choose another (--port).") from None
        self.bench = Workbench(live, file)
        self.keeper = None if keep is None else Keeper(self.bench, keep, str(folder.path))
        self.server = Server(self.bench, folder, self.keeper, host=host, port=self._listener.getsockname()[1])
        options = {"log_level": "warning", "ws_max_size": 1_000_000, "ws_per_message_deflate": False, "timeout_graceful_shutdown": 2}
        self._uvicorn = uvicorn.Server(uvicorn.Config(self.server.app, **options))  # type: ignore[arg-type]
        self._thread = threading.Thread(target=self._uvicorn.run, args=([self._listener],), name="bielle studio", daemon=True)

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return self.server.address

    @property
    def running(self) -> bool:
        """Whether it serves."""
        return self._thread.is_alive()

    def open(self, show: Callable[[str], object] | None = webbrowser.open) -> None:
        """Begin to serve, and show the page."""
        self._thread.start()
        while not self._uvicorn.started and self._thread.is_alive():
            self._thread.join(0.01)
        if show is not None:
            show(self.address)

    def wait(self) -> None:
        """Until somebody ends it, or Ctrl-C."""
        while self._thread.is_alive():
            self._thread.join(0.5)

    def close(self) -> None:
        """End it; the session goes on without it."""
        self._uvicorn.should_exit = True
        if self._thread.ident is None:  # it was never opened
            self.bench.close()
        else:
            self._thread.join(10.0)
        if self.keeper is not None:
            self.keeper.close()
        self._listener.close()
