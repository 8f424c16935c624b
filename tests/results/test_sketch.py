"""The picture of a mechanism as it is described."""

import numpy as np
import pytest
from PIL import Image

import bielle as bl
from bielle.errors import DescriptionError
from bielle.results.animation import scene
from bielle.results.sketch import described


def mechanism(dim=2):
    def at(*xy):
        return xy if dim == 2 else (*xy, 0.0)

    m = bl.Mechanism(plane="xy" if dim == 2 else None, name="press")
    m.add_body("lever", bl.rod(at(0, 0), at(1, 0), mass=1.0))
    m.add_body("ram", bl.box((0.2,) * dim, mass=1.0), position=at(1, 0.5))
    m.add_joint("pivot", bl.Pin() if dim == 2 else bl.Revolute(), m.ground, "lever", at=at(0, 0))
    m.add_joint("guide", bl.Slider(direction="y") if dim == 2 else bl.Prismatic(axis="y"), m.ground, "ram", at=at(1, 0.5))
    m.add_force("spring", bl.Spring(stiffness=1.0), "lever", "ram", at_a=at(0.5, 0), at_b=at(0, 0))
    return m


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_files(dim, ending, tmp_path):
    path = tmp_path / f"press{ending}"
    assert mechanism(dim).draw(path) == path
    assert path.stat().st_size > 1000
    if ending == ".png":
        with Image.open(path) as picture:
            assert min(picture.size) > 300


def test_a_figure_shows_names_and_no_clock():
    figure = mechanism().draw()
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert [text for text in texts if text] == ["lever", "ram"]
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert not any(text.get_text() for text in mechanism().draw(names=False).axes[0].texts)


def test_strange_names_and_nothing_at_all(tmp_path):
    m = bl.Mechanism(plane="xy", name="$\\bad")
    m.draw(tmp_path / "empty.png")
    m.add_body("$x_", bl.disc(0.1, mass=1.0))
    m.draw(tmp_path / "strange.png")
    with pytest.raises(DescriptionError, match=r"\.png"):
        m.draw(tmp_path / "film.gif")


@pytest.mark.parametrize("dim", [2, 3])
def test_a_plane_that_points_lie_on_is_drawn_once(dim):
    """A line, or a sheet, at its height and across its normal, however many points meet it."""
    m = bl.Mechanism(plane="xy") if dim == 2 else bl.Mechanism()
    shape = bl.disc(0.1, mass=1.0) if dim == 2 else bl.sphere(0.1, mass=1.0)
    for name, x in (("one", 0.0), ("other", 1.0)):
        m.add_body(name, shape, position=(x, 1.0, 2.0)[:dim])
        kind = bl.PlaneContact(stiffness=1e3, height=0.5)
        m.add_force(f"{name} on the floor", kind, m.ground, name, at_a=(0.0,) * dim, at_b=(0.0,) * dim)
    picture = scene(described(m), traces=())
    (floor,) = [body for body in picture.bodies if not body.name]
    (outline,) = floor.outline
    heights = [p[1] for p in outline["points"]] if dim == 2 else [outline["position"][2] + 0.5 * outline["size"][2]]
    assert np.allclose(heights, 0.5)
