"""The picture of a mechanism as it is described, before anything is computed."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..joints.rotor import unseen
from ..model import compile_mechanism
from . import draw
from .animation import fitting_size, scene
from .output import checked_path, replacing
from .plots import ENDINGS, figure_class
from .result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..mechanism.mechanism import Mechanism

__all__ = ["sketch"]

_PIXELS, _DPI = 960 * 720, 150


def sketch(mechanism: Mechanism, path: str | PathLike[str] | None = None, *, names: bool = True) -> Figure | Path:
    """Draw a mechanism where its bodies are described, joints open or not.

    path   .png, .svg or .pdf: write the picture and return the path. None: return a matplotlib Figure, which a notebook shows
    names  write the names of the bodies beside them
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    target = None if path is None else checked_path(path, ENDINGS)[0]
    picture = scene(described(mechanism), traces=())
    width, height = fitting_size(picture, _PIXELS)
    figure = figure_class()(figsize=(width / _DPI, height / _DPI), dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    ax: Any = figure.add_axes((0.075, 0.07, 0.91, 0.85) if picture.planar else (0.0, 0.0, 1.0, 1.0))
    draw.draw_described(picture, ax, _places(mechanism) if names else {})
    if target is None:
        return figure
    with replacing(target) as temporary:
        figure.savefig(temporary, dpi=_DPI)
    return target


def described(mechanism: Mechanism) -> Result:
    """The described configuration as a result of one sample."""
    model, state = compile_mechanism(mechanism)
    none = {"a": model.nv, "lam": model.nc, "work": 3}
    samples = {"t": np.zeros(1), "q": state.q[None], "v": state.v[None], "memory": state.memory[None]}
    return Result(mechanism.copy(), model, samples | {name: np.zeros((1, width)) for name, width in none.items()})


def _places(m: Mechanism) -> dict[str, np.ndarray]:
    """Where the names of bodies that are seen belong: at their centres of mass (3,)."""
    hidden = unseen(m)
    return {name: m.pose(name).point(body.shape.mass_properties().centre) for name, body in m.bodies.items() if name not in hidden}
