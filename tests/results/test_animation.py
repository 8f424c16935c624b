"""From a result to a scene and to files: what is seen, where, and that hostile names stay harmless."""

import html
import json
import os
import re

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

import bielle as bl
from bielle.errors import BielleError, DescriptionError, FileError, NamingError
from bielle.results import animation
from bielle.results.animation import animate, scene
from bielle.results.draw import draw_frame
from bielle.results.scene import PALETTE


def slider_crank():
    m = bl.Mechanism(plane="xy", name="slider-crank")
    m.add_body("crank", bl.rod((0.0, 0.0), (0.3, 0.0), mass=1.0), angular_velocity=8.0)
    m.add_body("link", bl.rod((0.3, 0.0), (1.3, 0.0), mass=1.0))
    m.add_body("piston", bl.box((0.2, 0.1), mass=2.0), position=(1.3, 0.0), color="tomato")
    m.add_joint("main", bl.Pin(), m.ground, "crank", at=(0.0, 0.0))
    m.add_joint("pin", bl.Pin(), "crank", "link", at=(0.3, 0.0))
    m.add_joint("wrist", bl.Pin(), "link", "piston", at=(1.3, 0.0))
    m.add_joint("guide", bl.Slider(direction="x"), m.ground, "piston", at=(1.3, 0.0))
    m.add_force("spring", bl.Spring(stiffness=50.0), m.ground, "piston", at_a=(2.0, 0.0), at_b=(0.1, 0.0))
    m.add_force("push", bl.PointForce(force=(0.0, -5.0)), "crank", at=(0.3, 0.0))
    m.add_force("friction", bl.JointDamping(coefficient=0.1, translational=0.1), joint="main")
    m.add_frame("eye", "link", at=(0.8, 0.0))
    return m


def spatial():
    m = bl.Mechanism(gravity=(0.0, -9.81, 0.0), name="spatial arm")
    m.add_body("arm", bl.capsule((0.0, 0.0, 0.0), (0.8, 0.0, 0.0), radius=0.04, mass=1.0))
    m.add_body("ball", bl.sphere(0.08, mass=0.5), position=(1.2, 0.0, 0.0), velocity=(0.0, 0.0, 1.0))
    m.add_joint("shoulder", bl.Spherical(), "arm", m.ground, at=(0.0, 0.0, 0.0))
    m.add_joint("rope", bl.Distance(), "arm", "ball", at_a=(0.4, 0.0, 0.0), at_b=(0.0, 0.0, 0.0))
    return m


@pytest.fixture(scope="module")
def planar_run():
    return slider_crank().simulate(1.0, samples=101)


@pytest.fixture(scope="module")
def spatial_run():
    return spatial().simulate(1.0, samples=51)


def lifted(points):
    return np.pad(points, ((0, 0), (0, 3 - points.shape[1])))


# -- the scene


def test_planar_scene(planar_run):
    run, made = planar_run, scene(planar_run)
    assert made.planar
    assert made.title == "slider-crank"
    assert np.allclose(made.up, [0.0, 1.0, 0.0])
    assert np.array_equal(made.times, run.time)
    named = {body.name: body for body in made.bodies}
    assert list(named) == ["", "crank", "link", "piston"]
    assert [named[name].color for name in ("crank", "link", "piston")] == [*PALETTE[:2], "tomato"]
    assert np.allclose(named["piston"].positions, lifted(run["piston"].position))
    assert np.allclose(named["link"].rotations, run["link"].rotation)
    joints = {joint.name: joint for joint in made.joints}
    assert {name: joint.ground for name, joint in joints.items()} == {"main": True, "pin": False, "wrist": False, "guide": False}
    assert np.allclose(joints["pin"].positions, lifted(run["crank"].point((0.15, 0.0)).position))
    assert np.allclose(joints["guide"].positions, lifted(run["piston"].position))
    (spring,) = made.springs  # neither the force on a point nor the friction in a joint
    assert spring.name == "spring"
    assert np.allclose(spring.start, [2.0, 0.0, 0.0])
    assert np.allclose(spring.end, lifted(run["piston"].point((0.1, 0.0)).position))


def test_a_rail_is_as_long_as_the_slide(planar_run):
    rail = next(body for body in scene(planar_run).bodies if body.name == "")
    start, end = (rail.positions[0] + rail.rotations[0] @ point for point in np.array(rail.outline[0]["points"]))
    travel = planar_run["piston"].position[:, 0]
    assert start[0] < travel.min() < travel.max() < end[0]
    assert start[1] == end[1] == 0.0


def test_one_rail_for_a_guide_and_its_drive():
    m = bl.Mechanism(gravity=(0.0, 0.0, 0.0))
    m.add_body("cart", bl.box((0.4, 0.3, 0.2), mass=2.0))
    m.add_joint("guide", bl.Prismatic(axis="x"), m.ground, "cart", at=(0.0, 0.0, 0.0))
    m.add_joint(
        "drive", bl.ImposedTranslation(displacement=bl.Harmonic(amplitude=1.0, frequency=1.0)), m.ground, "cart", at=(0.0, 0.0, 0.0)
    )
    made = scene(m.simulate(0.5, samples=11))
    assert [body.name for body in made.bodies] == ["", "cart"]
    assert not any(joint.ground for joint in made.joints)


def test_thin_rods_can_be_seen(planar_run):
    made = scene(planar_run)
    crank = next(body for body in made.bodies if body.name == "crank")
    low, high = made.bounds()
    assert crank.outline[0]["radius"] > 0.003 * np.linalg.norm(high - low) > planar_run.mechanism.bodies["crank"].shape.effective_radius


def test_spatial_scene(spatial_run):
    run, made = spatial_run, scene(spatial_run)
    assert not made.planar
    assert np.allclose(made.up, [0.0, 1.0, 0.0])
    joints = {(joint.name, k): joint for k, joint in enumerate(made.joints)}
    assert [(name, joint.ground) for (name, _), joint in joints.items()] == [("shoulder", True), ("rope", False), ("rope", False)]
    rod = made.bodies[0]
    assert rod.name == ""
    points = np.array(rod.outline[0]["points"])
    ends = [rod.positions + rod.rotations @ point for point in points]
    assert np.allclose(ends[0], run["arm"].point((0.4, 0.0, 0.0)).position)
    assert np.allclose(ends[1], run["ball"].position, atol=1e-8)
    assert np.allclose(np.linalg.det(rod.rotations), 1.0)
    assert [trace.label for trace in made.traces] == ["ball"]


def test_upright_rods_have_a_direction_too():
    m = bl.Mechanism()
    m.add_body("bob", bl.sphere(0.1, mass=1.0), position=(0.0, 0.0, -1.0))
    m.add_joint("rope", bl.Distance(), m.ground, "bob", at_a=(0.0, 0.0, 0.0), at_b=(0.0, 0.0, 0.0))
    made = scene(m.simulate(0.1, samples=3))
    assert np.allclose(made.bodies[0].rotations @ made.bodies[0].rotations.transpose(0, 2, 1), np.eye(3))
    assert [joint.ground for joint in made.joints] == [True, False]


# -- traces


def test_traces(planar_run):
    run = planar_run
    assert [trace.label for trace in scene(run).traces] == ["link"]  # two joints from the ground; the others are one
    assert scene(run, ()).traces == []
    given = ["crank", "eye", ("piston", (0.1, 0.0)), run["link"].point((0.5, 0.0)), run.mechanism.frames["eye"]]
    made = scene(run, given).traces
    assert [trace.label for trace in made] == ["crank", "eye", "piston (0.1, 0)", "link (0.5, 0)", "eye"]
    for trace, points in zip(made, (run["crank"].position, run["eye"].position, run["piston"].point((0.1, 0.0)).position)):
        assert np.allclose(trace.points, lifted(points))
    with pytest.raises(NamingError, match="eye"):
        scene(run, ["eyes"])
    with pytest.raises(NamingError, match="piston"):
        scene(run, [("pistn", (0.0, 0.0))])
    with pytest.raises(DescriptionError, match="point"):
        scene(run, [("piston", (0.0, 0.0, 0.0))])
    with pytest.raises(NamingError):
        scene(run, [3.0])


def test_the_far_end_of_a_chain():
    m = bl.Mechanism(plane="xy")
    for i in range(3):
        m.add_body(f"link{i}", bl.rod((i, 0.0), (i + 1, 0.0), mass=1.0))
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", at=(i, 0.0))
    m.add_body("hammer", bl.compound(bl.rod((3, 0), (4, 0), mass=1.0), (bl.box((0.2, 1.0), mass=1.0), (4.0, 0.0))))
    m.add_joint("weld", bl.Rigid(), "link2", "hammer", at=(3.0, 0.0))
    run = m.simulate(0.2, samples=5)
    (trace,) = scene(run).traces
    assert trace.label == "hammer"
    assert np.allclose(trace.points[0], (4.0, 0.0, 0.0))  # the end of its shaft
    assert np.allclose(scene(run, ["link1"]).traces[0].points, lifted(run["link1"].position))  # held at both ends: its middle


def test_what_is_no_rod_is_traced_at_its_centre():
    m = bl.Mechanism(plane="xy")
    m.add_body("block", bl.box((0.4, 0.2), mass=1.0), position=(1.0, 0.0), velocity=(1.0, 0.0))
    m.add_joint("slide", bl.Slider(direction="x"), m.ground, "block", at=(1.0, 0.0))
    run = m.simulate(0.5, samples=5)
    assert np.allclose(scene(run).traces[0].points, lifted(run["block"].position))


def test_only_springs_are_drawn_as_springs():
    m = bl.Mechanism(plane="xy")
    for i, name in enumerate(("one", "other")):
        m.add_body(name, bl.disc(0.1, mass=1.0), position=(i, 1.0))
    m.add_force("floor", bl.PlaneContact(stiffness=1e3), m.ground, "one", at_a=(0, 0), at_b=(0, -0.1))
    m.add_force("own", bl.CallableForce(function=lambda t, view: (0.0, 1.0)), "one", "other", at_a=(0, 0), at_b=(0, 0))
    m.add_force("pusher", bl.LinearMotor(stiffness=1.0, axis="x"), "one", "other", at_a=(0, 0), at_b=(0, 0))
    m.add_force("coil", bl.Spring(stiffness=1.0), "one", "other", at_a=(0, 0), at_b=(0, 0))
    assert [spring.name for spring in scene(m.simulate(0.1, samples=3)).springs] == ["coil"]


@pytest.mark.parametrize("thickness", [None, 0.05])
def test_a_disc_shows_that_it_turns(thickness):
    """A picture of it a quarter of a turn later is another one."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("wheel", bl.disc(0.5, mass=1.0, thickness=thickness), angular_velocity=1.0)
    run = m.simulate(np.pi / 2, samples=2)
    made = scene(run, ())
    pictures = []
    for index in (0, 1):
        figure = Figure()
        FigureCanvasAgg(figure)
        draw_frame(made, index, figure.add_axes((0, 0, 1, 0.8)))
        figure.axes[0].texts[-1].set_text("")
        figure.canvas.draw()
        pictures.append(np.array(figure.canvas.buffer_rgba()))
    assert (pictures[0] != pictures[1]).any()


def test_free_bodies_are_traced_at_their_centre():
    m = bl.Mechanism()
    m.add_body("stone", bl.box((0.1, 0.2, 0.3), mass=1.0, centre=(0.1, 0.0, 0.0)), velocity=(1.0, 0.0, 0.0))
    run = m.simulate(0.5, samples=5)
    assert np.allclose(scene(run).traces[0].points, run["stone"].centre.position)


# -- files


@pytest.mark.parametrize("ending", [".html", ".gif", ".png", ".mp4"])
def test_all_formats(planar_run, spatial_run, tmp_path, ending):
    for run in (planar_run, spatial_run):
        done = []
        options = {} if ending == ".html" else {"size": (320, 240)}
        options |= {"fps": 10} if ending in (".gif", ".mp4") else {}
        path = run.animate(tmp_path / f"film{ending}", progress=done.append, **options)
        assert path == tmp_path / f"film{ending}"
        assert os.listdir(tmp_path) == [path.name]
        assert done[-1] == 1.0
        if ending in (".gif", ".png"):
            with Image.open(path) as image:
                assert image.size == (320, 240)
                assert getattr(image, "n_frames", 1) == (11 if ending == ".gif" else 1)


def data_of(path):
    return json.loads(re.search(r'id="scene">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL).group(1))


def test_speed(planar_run, tmp_path):
    with Image.open(planar_run.animate(tmp_path / "f.gif", fps=10, speed=0.5, size=(160, 120))) as film:
        assert film.n_frames == 21
    assert data_of(planar_run.animate(tmp_path / "f.html", speed=0.25))["speed"] == 0.25
    assert "speed" not in data_of(planar_run.animate(tmp_path / "g.html"))


def test_short_runs_keep_their_moments(tmp_path):
    data = data_of(slider_crank().simulate(0.01, samples=101).animate(tmp_path / "f.html"))
    assert len(data["times"]) == 101


def test_pictures_have_the_proportions_of_the_mechanism(planar_run, spatial_run, tmp_path):
    with Image.open(planar_run.animate(tmp_path / "wide.png")) as image:
        assert image.size[0] > 1.5 * image.size[1]
    with Image.open(spatial_run.animate(tmp_path / "space.png")) as image:
        assert image.size == (960, 720)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("f.avi", {}, r"\.html, \.gif, \.mp4 or \.png"),
        ("f", {}, r"\.html"),
        ("f.gif", {"fps": 0}, "fps"),
        ("f.gif", {"fps": "fast"}, "fps"),
        ("f.gif", {"speed": -1.0}, "speed"),
        ("f.html", {"speed": np.inf}, "speed"),
        ("f.html", {"size": (100, 100)}, "size"),
        ("f.png", {"fps": 10}, "fps"),
        ("f.png", {"size": (1, 1)}, "size"),
        ("f.png", {"size": 100}, "size"),
        ("f.gif", {"size": (100_000, 100)}, "size"),
    ],
)
def test_wrong_options(planar_run, tmp_path, name, options, words):
    with pytest.raises(DescriptionError, match=words):
        planar_run.animate(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_interrupted_films_leave_nothing(planar_run, tmp_path):
    def stop(fraction):
        raise KeyboardInterrupt

    for name in ("f.gif", "f.html", "f.png"):
        with pytest.raises(KeyboardInterrupt):
            planar_run.animate(tmp_path / name, progress=stop)
    with pytest.raises(FileError, match="does not exist"):
        planar_run.animate(tmp_path / "nowhere" / "f.gif")
    assert not list(tmp_path.iterdir())


def test_progress_bar(planar_run, tmp_path, capsys):
    animate(planar_run, tmp_path / "f.gif", fps=5, size=(64, 48), progress=True)
    assert (tmp_path / "f.gif").exists()


def test_nothing_to_show(planar_run):
    empty = bl.Result(planar_run.mechanism, planar_run.model, {name: array[:0] for name, array in planar_run.samples.items()})
    with pytest.raises(BielleError, match="no samples"):
        scene(empty)
    assert "no samples" in empty._repr_html_()


def test_a_run_that_broke_off_can_be_shown(planar_run, spatial_run, tmp_path):
    for run in (planar_run, spatial_run):
        samples = {name: array.copy() for name, array in run.samples.items()}
        samples["q"][30:] = np.nan
        broken = bl.Result(run.mechanism, run.model, samples)
        for ending in (".html", ".png"):
            assert broken.animate(tmp_path / f"f{ending}").exists()


# -- notebooks, hostile names


HOSTILE = "</script><script>alert(1)</script>\"'<!-- $\\frac{$"


def test_notebook(planar_run):
    shown = planar_run._repr_html_()
    page = html.unescape(re.search(r'srcdoc="([^"]*)"', shown).group(1))
    assert page.startswith("<!")
    assert 'sandbox="allow-scripts"' in shown
    assert "101 samples" in shown
    assert len(shown) < 2 * animation._NOTEBOOK


def test_large_results_stay_small_in_notebooks(planar_run, monkeypatch):
    monkeypatch.setattr(animation, "_NOTEBOOK", 20_000)
    assert "<iframe" not in planar_run._repr_html_()


def test_hostile_names(tmp_path):
    m = bl.Mechanism(plane="xy", name=HOSTILE)
    m.add_body(HOSTILE, bl.rod((0.0, 0.0), (1.0, 0.0), mass=1.0), color=HOSTILE)
    m.add_joint(HOSTILE + "2", bl.Pin(), m.ground, HOSTILE, at=(0.0, 0.0))
    run = m.simulate(0.2, samples=5)
    page = run.animate(tmp_path / "f.html").read_text(encoding="utf-8")
    assert "alert(1)</script>" not in page
    assert data_of(tmp_path / "f.html")["title"] == HOSTILE
    assert "<script>" not in run._repr_html_()
    assert run.animate(tmp_path / "f.png").exists()
    assert run.animate(tmp_path / "f.gif", fps=5, size=(64, 48)).exists()
