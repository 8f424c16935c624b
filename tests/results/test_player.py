"""The scene as data and the HTML page: self-contained, faithful, and safe against hostile names."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bielle.errors import DescriptionError
from bielle.results.player import html, write_html
from bielle.results.scene import PALETTE, Scene, SceneBody, SceneJoint, SceneSpring, SceneTrace, polygon_normal

HOSTILE = "</script><script>alert(1)</script><!--@@SCENE@@"


def pendulum(count=101, end=2.0, name="rod", title="Pendulum"):
    times = np.linspace(0.0, end, count)
    angle = 0.8 * np.cos(3.0 * times)
    turns = Rotation.from_rotvec(np.outer(angle, [0.0, 0.0, 1.0]))
    tip = turns.apply([0.0, -1.0, 0.0])
    fixed = np.zeros((count, 3))
    rod = [{"kind": "capsule", "points": [[0, 0, 0], [0, -1, 0]], "radius": 0.05}, {"kind": "teapot"}]
    return Scene(
        title,
        True,
        times,
        [SceneBody(name, rod, fixed, turns.as_matrix())],
        [SceneJoint("pin", "revolute", fixed)],
        [SceneSpring("spring", fixed + np.array([1.0, 0.0, 0.0]), tip)],
        [SceneTrace("tip", tip)],
    )


def embedded(page):
    return re.search(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL).group(1)


def test_page_needs_nothing_from_outside(tmp_path):
    path = write_html(pendulum(), tmp_path / "p.html")
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"https?:|//cdn|@import|\bfetch\(|XMLHttpRequest|<iframe", page)
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == ["data:,"]
    assert "default-src 'none'" in page
    assert "@@SCENE@@" not in page


def test_page_holds_the_data():
    scene = pendulum()
    data = json.loads(embedded(html(scene)))
    assert data == scene.to_dict()
    body = data["bodies"][0]
    assert body["positions"] == [0, 0, 0]  # what never moves is written once
    assert body["color"] == PALETTE[0]
    assert body["outline"] == [{"kind": "capsule", "points": [[0, 0, 0], [0, -1, 0]], "radius": 0.05}, {"kind": "point"}]
    assert np.allclose(np.reshape(data["traces"][0]["points"], (-1, 3)), scene.traces[0].points, atol=1e-6)
    turns = Rotation.from_quat(np.reshape(body["rotations"], (-1, 4)))
    assert np.allclose(turns.as_matrix(), scene.bodies[0].rotations, atol=1e-5)
    assert np.allclose(data["times"], scene.times, atol=1e-7)
    assert data["joints"][0]["ground"] is True


def test_hostile_names_stay_data():
    scene = pendulum(name=HOSTILE, title=HOSTILE)
    scene = replace(scene, joints=[replace(scene.joints[0], name=HOSTILE, kind=HOSTILE)], traces=[replace(scene.traces[0], label=HOSTILE)])
    page = html(scene)
    assert page.count("<script") == html(pendulum()).count("<script")
    assert "alert(1)</script>" not in page
    data = json.loads(embedded(page))
    assert [data["title"], data["bodies"][0]["name"], data["joints"][0]["kind"], data["traces"][0]["label"]] == [HOSTILE] * 4


def test_names_outside_unicode_are_written(tmp_path):
    scene = pendulum(name="Größe \ud800 \u2028", title="二重振り子")
    data = json.loads(embedded(write_html(scene, tmp_path / "p.html").read_text(encoding="utf-8")))
    assert data["bodies"][0]["name"] == scene.bodies[0].name


def test_page_is_thinned_but_keeps_both_ends():
    scene = pendulum(count=4001)
    data = json.loads(embedded(html(scene, fps=30)))
    assert len(data["times"]) == 61
    assert data["times"][0] == 0
    assert data["times"][-1] == 2
    assert len(json.loads(embedded(html(scene, fps=1000, frames=100)))["times"]) == 100
    assert len(json.loads(embedded(html(pendulum(count=11))))["times"]) == 11  # never invents samples: the page interpolates


def test_positions_that_are_not_finite_become_null():
    scene = pendulum()
    broken = scene.bodies[0].positions.copy()
    broken[50:] = np.nan
    turns = scene.bodies[0].rotations.copy()
    turns[50:] = np.nan
    scene = replace(scene, bodies=[replace(scene.bodies[0], positions=broken, rotations=turns)])
    data = json.loads(embedded(html(scene)))
    assert data["bodies"][0]["positions"][150:153] == [None] * 3
    assert np.isfinite(scene.bounds()).all()


def test_interpolation_follows_the_arc():
    times = np.array([0.0, 1.0])
    turns = Rotation.from_rotvec([[0, 0, 0], [0, 0, 2.0]]).as_matrix()
    scene = Scene("s", False, times, [SceneBody("b", [], np.array([[0, 0, 0], [2.0, 0, 0]]), turns)])
    middle = scene.at([0.25])
    assert np.allclose(middle.bodies[0].positions, [[0.5, 0, 0]])
    assert np.allclose(Rotation.from_matrix(middle.bodies[0].rotations).as_rotvec(), [[0, 0, 0.5]])


def test_interpolation_at_a_jump_takes_the_later_sample():
    points = np.array([[0, 0, 0], [1.0, 0, 0], [5.0, 0, 0], [6.0, 0, 0]])
    scene = Scene("s", True, np.array([0.0, 1.0, 1.0, 2.0]), traces=[SceneTrace("t", points)])
    assert scene.at([0.5, 1.0, 1.5, 2.0]).traces[0].points[:, 0].tolist() == [0.5, 5.0, 5.5, 6.0]


def test_rate_and_speed():
    scene = pendulum(end=2.0)
    assert len(scene.at_rate(25).times) == 51
    assert len(scene.at_rate(25, speed=2).times) == 26
    assert len(scene.at_rate(0.01).times) == 2
    assert len(scene.at([1.0]).at_rate(25).times) == 1
    assert scene.at_rate(10).joints[0].grounded
    with pytest.raises(DescriptionError, match="fps"):
        scene.at_rate(0)
    with pytest.raises(DescriptionError, match="outside"):
        scene.at([3.0])


def test_bounds_include_radii_and_rotations():
    turn = Rotation.from_rotvec([[0, 0, np.pi / 2]]).as_matrix()
    box = {"kind": "box", "size": [2, 4, 6], "position": [1, 0, 0]}
    low, high = Scene("s", False, [0.0], [SceneBody("b", [box], np.zeros((1, 3)), turn)]).bounds()
    assert np.allclose(low, [-2, 0, -3])
    assert np.allclose(high, [2, 2, 3])
    ball = {"kind": "sphere", "centre": [1, 0, 0], "radius": 0.5}
    low, high = Scene("s", False, [0.0], [SceneBody("b", [ball], np.zeros((1, 3)), turn)]).bounds()
    assert np.allclose(low, [-0.5, 0.5, -0.5])
    low, high = Scene("nothing", False, [0.0]).bounds()
    assert np.all(high > low)
    assert json.loads(embedded(html(Scene("nothing", False, [0.0]))))["bodies"] == []


def test_wrong_shapes_are_refused_by_name():
    with pytest.raises(DescriptionError, match=r"'rod'.*rotations"):
        Scene("s", True, [0.0, 1.0], [SceneBody("rod", [], np.zeros((2, 3)), np.zeros((3, 3)))])
    with pytest.raises(DescriptionError, match="times"):
        Scene("s", True, [1.0, 0.0])
    with pytest.raises(DescriptionError, match="times"):
        Scene("s", True, [])


@pytest.mark.parametrize("up", [(0, 0, 2), (0, 1, 0), (1, 0, 0), (1, 1, 1), (0, 0, 0), (0, 0, -1)])
def test_camera_frame_is_a_rotation(up):
    frame = Scene("s", False, [0.0], up=np.array(up, dtype=float)).frame()
    assert np.allclose(frame @ frame.T, np.eye(3))
    assert np.linalg.det(frame) == pytest.approx(1.0)


def test_normal_of_a_concave_polygon():
    arrow = np.array([[0, 0, 1], [2, 1, 1], [0, 2, 1], [0.5, 1, 1]], dtype=float)
    assert np.allclose(polygon_normal(arrow), [0, 0, 1])
    assert np.allclose(polygon_normal(np.zeros((3, 3))), [0, 0, 1])
