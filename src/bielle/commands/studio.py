"""``bielle studio``: the workbench in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import BielleError
from .targets import complete_target

__all__ = ["studio"]

_MISSING = "The studio needs packages that are not installed: pip install 'bielle[studio]'"


def studio(
    target: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|EXAMPLE]", help="A model or session file, or the name of an example.", autocompletion=complete_target
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: any that is free.")] = 0,
    host: Annotated[str, typer.Option(help="The address to listen on. Anything but this machine itself lets others in.")] = "127.0.0.1",
    folder: Annotated[Path | None, typer.Option(help="Where files are opened and saved; that of FILE, or the present one.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Build, run, grab, cut and rewire a mechanism in the browser, while it moves."""
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as error:
        raise BielleError(f"{_MISSING} ({error.name} is missing).") from None
    from ..studio.folder import Folder
    from ..studio.keeping import state_folder
    from ..studio.opening import LOOPBACK, Studio, folder_of, session_of

    place = Folder(folder or folder_of(target), state_folder() / "recent.json")
    if host not in LOOPBACK:
        typer.secho(
            f"Listening on {host}: whoever reaches this machine and has the address with its token can work in the studio.",
            fg="yellow",
            err=True,
        )
    live, file = session_of(target, place)
    bench = Studio(live, place, file=file, host=host, port=port, keep=state_folder())
    bench.open(None if not browser else typer.launch)
    typer.echo(f"bielle studio: {bench.address}")
    typer.echo("Ctrl-C ends it.")
    try:
        bench.wait()
    finally:
        bench.close()
