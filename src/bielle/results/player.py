"""The animation as one HTML file that plays in any browser, from disk, without a server and without a network."""

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from bielle.results.scene import Scene

__all__ = ["html", "write_html"]

_PLACE = "@@SCENE@@"


def html(scene: Scene, fps: float = 60.0, frames: int = 20_000, speed: float | None = None) -> str:
    """The page as text; the scene is thinned to ``fps`` samples a second and at most ``frames`` of them (the page interpolates).

    ``speed`` is what it opens with (None: as in reality, slower if that would be over in a moment); the viewer can choose another.
    """
    duration = float(scene.times[-1] - scene.times[0])
    if duration > 0:
        rate = min(fps, (frames - 1) / duration)
        if len(scene.times) > rate * duration + 1:
            scene = scene.at_rate(rate)
    template = resources.files("bielle.results").joinpath("player.html").read_text(encoding="utf-8")
    # Every "<" is escaped: a name such as "</script>" or "<!--" must stay data whatever the HTML parser looks for.
    data = json.dumps(scene.to_dict() | ({} if speed is None else {"speed": float(speed)}), separators=(",", ":"), allow_nan=False)
    data = data.replace("<", "\\u003c")
    # Cut, not replaced repeatedly: a scene whose title is the placeholder must not be filled in twice.
    head, tail = template.split(_PLACE)
    return head + data + tail


def write_html(
    scene: Scene, path: str | Path, fps: float = 60.0, speed: float | None = None, *, progress: Callable[[float], None] | None = None
) -> Path:
    """Write the page and return its path."""
    path = Path(path)
    path.write_text(html(scene, fps, speed=speed), encoding="utf-8")
    if progress:
        progress(1.0)
    return path
