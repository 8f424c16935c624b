"""Stills and films: the right size, the right number of pictures, something to be seen, and no trace of pyplot."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from scipy.spatial.transform import Rotation

from bielle.errors import BielleError, DescriptionError
from bielle.results import draw, films
from bielle.results.mesh import Mesh
from bielle.results.scene import Scene, SceneBody, SceneJoint, SceneSpring, SceneTrace


def planar(count=41, end=1.0):
    times = np.linspace(0.0, end, count)
    turns = Rotation.from_rotvec(np.outer(2.0 * times, [0.0, 0.0, 1.0]))
    fixed, tip = np.zeros((count, 3)), turns.apply([1.0, 0.0, 0.0])
    outline = [
        {"kind": "segment", "points": [[0, 0, 0], [1, 0, 0]]},
        {"kind": "cylinder", "points": [[0, 0, 0], [0, 0, 1]], "radius": 0.1},
        {"kind": "disc", "centre": [1, 0, 0], "radius": 0.2, "normal": [0, 0, 1]},
        {"kind": "box", "size": [0.2, 0.1, 0.1]},
        {"kind": "polygon", "points": [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0]]},
    ]
    return Scene(
        "Planar",
        True,
        times,
        [SceneBody("crank", outline, fixed, turns.as_matrix())],
        [SceneJoint("pin", "revolute", fixed), SceneJoint("slider", "prismatic", tip)],
        [SceneSpring("spring", fixed - [1, 0, 0], tip)],
        [SceneTrace("tip", tip)],
    )


def spatial(count=41, end=1.0):
    times = np.linspace(0.0, end, count)
    turns = Rotation.from_rotvec(np.outer(2.0 * times, [0.0, 0.6, 0.8]))
    outline = [
        {"kind": "capsule", "points": [[0, 0, 0], [1, 0, 0]], "radius": 0.05},
        {"kind": "cylinder", "points": [[0, 0, -0.1], [0, 0, 0.1]], "radius": 0.1},
        {"kind": "sphere", "centre": [1, 0, 0], "radius": 0.2},
        {"kind": "disc", "centre": [0, 0, 0.4], "radius": 0.2, "normal": [0, 0, 1]},
        {"kind": "polygon", "points": [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0]], "thickness": 0.1},
        {"kind": "polygon", "points": [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0]]},
    ]
    block = [{"kind": "box", "size": [0.4, 0.3, 0.2]}]
    fixed, tip, still = np.zeros((count, 3)), turns.apply([1.0, 0.0, 0.0]), np.tile(np.eye(3), (count, 1, 1))
    return Scene(
        "Spatial",
        False,
        times,
        [SceneBody("arm", outline, fixed, turns.as_matrix()), SceneBody("block", block, fixed - [0, 0, 0.5], still, "tomato")],
        [SceneJoint("pin", "spherical", fixed)],
        [SceneSpring("spring", fixed, fixed)],
        [SceneTrace("tip", tip)],
        up=np.array([0.0, 1.0, 0.0]),
    )


SCENES = pytest.mark.parametrize("scene", [planar(), spatial()], ids=["planar", "spatial"])


def pixels(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def colours(path):
    return len(np.unique(pixels(path).reshape(-1, 3), axis=0))


@SCENES
def test_png_shows_something(scene, tmp_path):
    path = draw.write_png(scene, tmp_path / "p.png", time=0.513, size=(321, 243))
    assert pixels(path).shape == (243, 321, 3)
    assert colours(path) > 50
    later = draw.write_png(scene, tmp_path / "q.png", size=(321, 243))
    assert np.any(pixels(path) != pixels(later))


@SCENES
def test_gif_has_all_pictures(scene, tmp_path):
    done = []
    path = draw.write_gif(scene, tmp_path / "p.gif", fps=30, speed=2.0, size=(160, 121), progress=done.append)
    with Image.open(path) as film:
        assert film.size == (160, 121)
        assert film.n_frames == 16
        lengths = []
        for k in range(film.n_frames):
            film.seek(k)
            lengths.append(film.info["duration"])
        paper = np.asarray(film.convert("RGB")).reshape(-1, 3).max(axis=0)
    assert paper.tolist() == [255, 255, 255]
    assert sum(lengths) == pytest.approx(1000 * 16 / 30, abs=10)  # hundredths of a second, but no drift
    assert len(done) == 16
    assert done[-1] == 1.0
    assert done == sorted(done)


@SCENES
def test_strobe_shows_more_than_one_moment(scene, tmp_path):
    one = draw.write_strobe(scene, tmp_path / "one.png", count=1, size=(320, 240))
    many = draw.write_strobe(scene, tmp_path / "many.png", count=6, size=(320, 240))
    paint = [np.sum(pixels(p).min(axis=2) < 200) for p in (one, many)]
    assert paint[1] > paint[0]
    with pytest.raises(DescriptionError, match="at least one"):
        draw.write_strobe(scene, tmp_path / "none.png", count=0)


@SCENES
def test_strobe_of_a_stretch_is_framed_for_the_whole(scene):
    axes = [draw.draw_strobe(scene, start, end, 3) for start, end in ((0.1, 0.4), (0.4, 0.9))]
    whole = draw.draw_frame(scene, -1)
    assert axes[0].get_xlim() == axes[1].get_xlim() == whole.get_xlim()
    corners = [len(ax.collections[-1].get_paths()) for ax in (*axes, whole)]
    assert corners[0] > corners[2]


@SCENES
def test_mp4(scene, tmp_path):
    done = []
    path = draw.write_mp4(scene, tmp_path / "p.mp4", fps=10, size=(161, 121), progress=done.append)
    assert path.read_bytes()[4:8] == b"ftyp"
    assert len(done) == 11


def test_mp4_that_cannot_be_written(tmp_path):
    folder = tmp_path / "p.mp4"
    folder.mkdir()
    with pytest.raises(BielleError, match="could not write"):
        draw.write_mp4(planar(), folder, size=(160, 120))


def test_mp4_without_ffmpeg_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(films, "_ffmpeg", lambda: None)
    with pytest.raises(BielleError, match=r"imageio-ffmpeg.*\.gif"):
        draw.write_mp4(planar(), tmp_path / "p.mp4")


def test_frame_goes_into_given_axes():
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 2)
    assert draw.draw_frame(planar(), -1, axes[0]) is axes[0]
    assert axes[0].get_aspect() == 1.0
    figure.canvas.draw()
    assert draw.draw_frame(spatial(), 3) is not axes[0]
    with pytest.raises(IndexError):
        draw.draw_frame(planar(), 1000)


def test_a_run_that_broke_off_can_be_drawn(tmp_path):
    for scene in (planar(), spatial()):
        positions = scene.bodies[0].positions.copy()
        positions[20:] = np.nan
        broken = replace(scene, bodies=[replace(scene.bodies[0], positions=positions), *scene.bodies[1:]])
        assert colours(draw.write_png(broken, tmp_path / "p.png", size=(160, 120))) > 20


def test_empty_scenes_can_be_drawn(tmp_path):
    for flat in (True, False):
        draw.write_png(Scene("nothing", flat, [0.0]), tmp_path / "p.png", size=(160, 120))
        draw.write_gif(Scene("nothing", flat, [0.0]), tmp_path / "p.gif", size=(160, 120))


def test_faces_look_outwards():
    box = {"kind": "box", "size": [1, 2, 3], "position": [0, 0, 0], "rotation": np.eye(3)}
    ball = {"kind": "sphere", "centre": [0, 0, 0], "radius": 0.7}
    drum = {"kind": "cylinder", "points": [[0, 0, -1], [0, 0, 1]], "radius": 0.5}
    pill = {"kind": "capsule", "points": [[-0.1, 0, 0], [0.1, 0, 0]], "radius": 0.5}
    slab = {"kind": "polygon", "points": [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], "thickness": 0.2}
    for shape in (box, ball, drum, pill, slab):  # all surround the origin
        mesh = Mesh([shape], False, 3.0)
        for k in np.flatnonzero(~mesh.edges):
            corners = mesh.corners[mesh.starts[k] : mesh.starts[k + 1]]
            assert mesh.normals[k] @ corners.mean(axis=0) > 0
            assert np.linalg.norm(mesh.normals[k]) == pytest.approx(1.0)


def test_matplotlib_is_imported_late_and_pyplot_never(tmp_path):
    code = f"""
import sys
import numpy as np
from bielle.results import draw, player, scene
assert "matplotlib" not in sys.modules
still = scene.Scene("s", True, np.array([0.0, 1.0]))
draw.write_png(still, r"{tmp_path / "p.png"}")
draw.write_gif(still, r"{tmp_path / "p.gif"}", fps=2)
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
