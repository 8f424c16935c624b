"""``bielle convert``, ``schema``, ``warmup`` and ``version``."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Annotated

import typer

from .outputs import check_ending
from .progress import progress_bar
from .run import TARGET
from .targets import MODEL_ENDINGS, find

__all__ = ["convert", "schema", "version", "version_lines", "warmup"]


def convert(
    source: Annotated[str, TARGET],
    destination: Annotated[Path, typer.Argument(metavar="OUT", help="Model file to write: .yaml, .yml, .json or .urdf.")],
) -> None:
    """Write a model file or an example as YAML, JSON or URDF."""
    check_ending(destination, MODEL_ENDINGS, "OUT")
    find(source).mechanism.save(destination)
    typer.echo(destination)


def schema() -> None:
    """Print the JSON schema of model files."""
    import json

    from ..mechanism.files import schema

    typer.echo(json.dumps(schema(), indent=2, ensure_ascii=False))


def warmup(quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing unless something goes wrong.")] = False) -> None:
    """Compile every kernel now, on all cores, so that later runs start at once; remove those that nobody has used for three months."""
    from ..warmup import warm_up

    with progress_bar("compiling", quiet=quiet) as update:
        done = warm_up(update)
    if not quiet:
        typer.echo(f"{done.kernels} kernels, {done.compiled} of them compiled now, in {done.seconds:.1f} s")
        if done.removed:
            typer.echo(f"{done.removed} that nobody has used for long removed")
        typer.echo(f"cache: {done.folder}")


def version() -> None:
    """Show the versions of bielle and of what it stands on."""
    typer.echo("\n".join(version_lines()))


def version_lines() -> list[str]:
    """Versions, told without importing the libraries."""
    from importlib import metadata

    from .. import __version__
    from ..kernels.store import cache_root

    lines = {"bielle": __version__, "python": platform.python_version()}
    lines |= {name: metadata.version(name) for name in ("numpy", "scipy", "numba")}
    lines |= {"platform": platform.platform(), "cache": str(cache_root())}
    return [f"{name:<9} {text}" for name, text in lines.items()]
