"""Pictures and films of the course: what is on them, where, and what files hold."""

import base64
import io
import re
from itertools import pairwise
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest
from matplotlib.animation import FuncAnimation
from PIL import Image

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import bielle.course.Multicorps2D as mc
import bielle.course.waiting as waiting
from bielle.errors import DescriptionError, FileError, NamingError

from .models import scissors, simple_pendulum, spring_pendulum
from .test_own_classes import OwnHinge, OwnSpring


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def lines(ax, style):
    """Places (2, n) of the lines of a style that have points."""
    found = [np.array(line.get_data()) for line in ax.lines if line.get_linestyle() == style or line.get_marker() == style]
    return [places for places in found if places.shape[1]]


def texts(ax):
    return sorted(text.get_text() for text in ax.texts if text.get_text())


def named(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def pendulum_run(tf=0.4):
    m = simple_pendulum()
    return m, m.transient(0, tf, 0.01)


def two(*interactions):
    """Two solids with a frame A on one and B on the other, apart from each other."""
    m = mc.Model()
    m.add_solid(tag_S="a")
    m.add_solid(tag_S="b", G_t0=[2, 0])
    m.add_frame(tag_S="a", tag_F="A", P_t0=[0.5, 0.5])
    m.add_frame(tag_S="b", tag_F="B", P_t0=[1.5, 0.5])
    for k, (kind, options) in enumerate(interactions):
        m.add_interaction(kind, tag_I=f"interaction {k}", tag_S=["a", "b"], tag_F=["A", "B"], **options)
    return m


# -- pictures


def test_scissors():
    m = scissors()
    m.solids["S1"].color = "tab:orange"
    ax = m.draw()
    solids = [line for line in ax.lines if line.get_marker() == "+"]
    assert len(solids) == 4
    assert solids[0].get_color() == "tab:orange"
    # G, and back to it between the frames, as Solid.draw_t0 does
    other = plt.figure().add_subplot()
    m.solids["S1"].draw_t0(other)
    np.testing.assert_allclose(solids[0].get_data(), other.lines[0].get_data(), atol=1e-15)
    # hinges: B to the frame and B, C, E, F between solids, each one circle
    np.testing.assert_allclose(np.hstack(lines(ax, "o")), np.transpose([(0, 0), (0, 0), (1, -1), (-1, -1), (0, -3)]), atol=1e-15)
    # one spring, from I to H
    zigzag = [line for line in ax.lines if len(line.get_xdata()) == 12]
    assert len(zigzag) == 1
    np.testing.assert_allclose(zigzag[0].get_xydata()[[0, -1]], [(-1, -5), (1, -5)], atol=1e-15)
    # tags once where frames meet
    assert texts(ax) == ["A", "B", "C", "D", "E", "F", "G", "G", "G", "G", "H", "I"]
    assert len(ax.collections) == 2  # the arrows X and Z of all frames
    assert [len(arrows.get_offsets()) for arrows in ax.collections] == [16, 16]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x [m]", "z [m]")
    assert ax.get_aspect() == 1.0
    assert named(ax) == ["solid (S1)", "solid (S2)", "solid (S3)", "solid (S4)", "X of frames", "Z of frames"]
    assert any(line.get_visible() for line in ax.get_xgridlines())
    assert ax.get_title() == ""


def test_frames_can_be_left_out():
    ax = scissors().draw(frames=False)
    assert texts(ax) == []
    assert len(ax.collections) == 0
    assert named(ax) == ["solid (S1)", "solid (S2)", "solid (S3)", "solid (S4)"]


def test_axes_of_frames_point_where_they_should():
    m = mc.Model()
    m.add_solid(tag_S="S", label="Bielle", Xs=[0, 1], G_t0=[1, 1])  # X upwards, so Z to the left
    m.add_frame(tag_S="S", tag_F="P", P_t0=[2, 1], Xs=[1, 0])
    ax = m.draw()
    X, Z = ax.collections
    np.testing.assert_allclose(X.get_offsets(), [(1, 1), (2, 1)])
    length = np.hypot(X.U, X.V)
    np.testing.assert_allclose(length, length[0])
    np.testing.assert_allclose(np.transpose([X.U, X.V]) / length[0], [(0, 1), (1, 0)], atol=1e-15)
    np.testing.assert_allclose(np.transpose([Z.U, Z.V]) / length[0], [(-1, 0), (0, 1)], atol=1e-15)
    assert named(ax)[0] == "Bielle"


def test_a_moment_of_a_run():
    m, sol = pendulum_run()
    ax = m.draw(sol=sol, t=0.213)  # nearest: 0.21
    (solid,) = lines(ax, "+")
    np.testing.assert_array_equal(solid[:, 0], sol.y[:2, 21])
    assert ax.get_title() == "t = 0.21 s"
    np.testing.assert_array_equal(lines(m.draw(sol=sol), "+")[0][:, 0], sol.y[:2, -1])
    np.testing.assert_array_equal(lines(m.draw(sol=sol, t=9), "+")[0][:, 0], sol.y[:2, -1])


def test_given_axes_are_drawn_on_and_returned():
    _, (left, right) = plt.subplots(1, 2, sharex=True, sharey=True)
    right.plot([5], [5])
    assert simple_pendulum().draw(ax=right) is right
    right.figure.canvas.draw()
    assert not left.lines
    assert right.get_xlim()[0] < 0
    assert right.get_xlim()[1] > 5  # what was there stays in sight


def test_everything_is_within_the_axes():
    for model in (scissors(), simple_pendulum(), spring_pendulum(), two()):
        ax = model.draw()
        ax.figure.canvas.draw()
        points = np.concatenate([line.get_xydata() for line in ax.lines if len(line.get_xdata())])
        inside = ax.viewLim.padded(0)
        assert all(inside.contains(x, z) for x, z in points[np.isfinite(points[:, 0])])
    m = spring_pendulum()  # and nothing else makes them large
    ax = m.draw()
    assert ax.dataLim.x0 > 0
    assert ax.dataLim.y0 > 1


def test_fixed_points_and_ground():
    m = simple_pendulum()
    count = len(m.draw(frames=False).lines)
    m.add_interaction("SpringDashpot_1sFix", tag_I="spring", tag_S="S", tag_F="G", P_Gal=[0, 0])
    assert len(m.draw(frames=False).lines) == count + 1  # the zigzag: the fixed point is already there
    m.add_interaction("SpringDashpot_1sFix", tag_I="second", tag_S="S", tag_F="G", P_Gal=[0, 1])
    assert len(m.draw(frames=False).lines) == count + 3
    for tag_F in ("G", "P"):
        m.add_interaction("Contact", tag_I=f"ground {tag_F}", tag_S="S", tag_F=tag_F, z0=-2)
    ax = m.draw(frames=False)
    assert len(ax.lines) == count + 4  # one line for both
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [-2, -2])
    (hatch,) = ax.patches
    assert hatch.get_hatch() == "////"
    assert ax.dataLim.y0 < -2


@pytest.mark.parametrize(
    ("kind", "options"),
    [("Distance_2s", {}), ("PointOnLine_2s", {}), ("Slider_2s", {}), ("Hinge_2s", {}), ("Rigid_2s", {}), (OwnHinge, {})],
)
def test_other_interactions_are_dashed_lines(kind, options):
    """Hinges too, while their points are apart."""
    ax = two((kind, options)).draw(frames=False)
    (line,) = lines(ax, "--")
    np.testing.assert_allclose(line.T, [(0.5, 0.5), (1.5, 0.5)])
    assert lines(ax, "o") == []


class Quiet:
    """An own class that says where it acts, and no more."""

    n_c = 0

    def __init__(self, tag_S, tag_F):
        self.tag_S, self.tag_F = tag_S, tag_F

    def _build(self, solids, param): ...
    def assemble(self, t, y, matrices): ...


def test_own_classes():
    assert len(lines(two((Quiet, {})).draw(frames=False), "--")) == 1
    ax = two((OwnSpring, {})).draw(frames=False)
    assert lines(ax, "--") == []
    assert [len(line.get_xdata()) for line in ax.lines] == [4, 4, 12]
    m = two()
    m.interactions["one"] = Quiet("a", "A")
    m.interactions["none"] = Quiet(None, None)
    assert len(m.draw(frames=False).lines) == 2


def test_a_long_legend_is_left_out():
    m = mc.Model()
    for k in range(13):
        m.add_solid(tag_S=k, label=str(k), G_t0=[k, 0])
    assert m.draw(frames=False).get_legend() is None


# -- films


def moving(film):
    """The axes of a film."""
    return film._fig.axes[0]


def test_film_in_a_window():
    m, sol = pendulum_run()
    film = m.animate(sol, trace=[("S", "G"), ("S", "P")])
    assert isinstance(film, FuncAnimation)
    assert plt.fignum_exists(film._fig.number)
    ax = moving(film)
    frames = list(film.new_frame_seq())
    assert len(frames) == 10  # 0, 0.04, …, 0.36 of samples until 0.39
    limits = ax.get_xlim(), ax.get_ylim()
    for k in (0, 6):
        film._draw_frame(frames[k])
        assert ax.get_title() == f"t = {0.04 * k:.2f} s"
        np.testing.assert_allclose(lines(ax, "+")[0][:, 0], sol.y[:2, 4 * k], atol=1e-15)
    path = lines(ax, ":")[0]
    np.testing.assert_allclose(path, np.hstack((sol.y[:2, :24], sol.y[:2, 24:25])), atol=1e-15)
    assert (ax.get_xlim(), ax.get_ylim()) == limits
    assert named(ax) == ["solid", "path of G (S)", "path of P (S)"]
    x, z = sol.y[:2]
    assert ax.viewLim.padded(0).contains(x.min(), z.min())
    assert ax.viewLim.padded(0).contains(x.max(), z.max())


def test_the_clock_of_a_window_goes_on():
    m, sol = pendulum_run()
    film = m.animate(sol, frames=True)
    canvas = film._fig.canvas
    canvas.draw()
    seen = []
    for _ in range(3):
        film._step()  # what the timer of a window calls
        seen.append(np.array(canvas.buffer_rgba(), dtype=int))
    assert moving(film).get_title() == "t = 0.08 s"
    assert all(np.abs(a - b).max() > 100 for a, b in pairwise(seen))


def test_a_film_between_samples_follows_the_motion():
    """Cubics on samples every 0.05 s of a pendulum with θ⁗ of some 10³ rad/s⁴ err by h⁴ θ⁗ / 384 = 2e-5; the hinge by as much."""
    m = simple_pendulum()
    fine, coarse = (m.transient(0, 0.52, dt, method="DOP853", rtol=1e-10, atol=1e-10) for dt in (0.01, 0.05))
    film = m.animate(coarse, speed=0.25)
    for k in range(50):
        film._draw_frame(k)
        np.testing.assert_allclose(lines(moving(film), "+")[0][:, 0], fine.y[:2, k], atol=5e-5)
        np.testing.assert_allclose(lines(moving(film), "+")[0][:, 3], 0.0, atol=5e-5)


def test_slow_motion_shows_more_digits():
    m, sol = pendulum_run(0.02)
    film = m.animate(sol, speed=0.01)
    film._draw_frame(1)
    assert moving(film).get_title() == "t = 0.0004 s"


def test_one_sample_makes_a_film_too(tmp_path):
    m, sol = pendulum_run()
    m.animate(SimpleNamespace(t=sol.t[:1], y=sol.y[:, :1]), tmp_path / "still.gif")
    with Image.open(tmp_path / "still.gif") as film:
        assert film.n_frames == 1


def test_gif(tmp_path):
    m, sol = pendulum_run(0.5)
    film = m.animate(sol, tmp_path / "film.gif", speed=2, fps=30, frames=True, trace=("S", "G"))
    assert isinstance(film, FuncAnimation)
    assert plt.get_fignums() == []  # no window
    with Image.open(tmp_path / "film.gif") as gif:
        assert gif.n_frames == 8  # every 2/30 s until 0.49
        lengths, pictures = [], []
        for k in range(8):
            gif.seek(k)
            lengths.append(gif.info["duration"])
            pictures.append(np.asarray(gif.convert("RGB"), dtype=int))
    assert sum(lengths) == pytest.approx(1000 * 8 / 30, abs=10)  # hundredths of a second, without drift
    assert all(np.abs(a - b).max() > 100 for a, b in pairwise(pictures))
    blue = [np.sum((p[:, :, 2] > 200) & (p[:, :, :2].max(axis=2) < 80)) for p in pictures]
    assert min(blue) > 100  # the solid is on all of them
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]


def test_only_what_moves_is_painted_anew_and_looks_the_same(tmp_path):
    m, sol = pendulum_run()
    film = m.animate(sol, tmp_path / "film.gif", frames=True)
    figure, whole, quick = film._fig, io.BytesIO(), io.BytesIO()
    film._draw_frame(5)
    figure.savefig(quick, format="rgba", dpi=100)
    super(type(figure), figure).savefig(whole, format="rgba", dpi=100)
    a, b = (np.frombuffer(file.getvalue(), np.uint8).astype(int) for file in (quick, whole))
    assert a.shape == b.shape
    # Apart from what lies over or under the frame of the axes, which is painted before what moves.
    assert np.mean(np.abs(a - b) > 30) < 1e-3
    assert np.mean(a < 250) > 0.01


def test_mp4(tmp_path):
    m, sol = pendulum_run(0.2)
    m.animate(sol, tmp_path / "film.mp4")
    assert (tmp_path / "film.mp4").read_bytes()[4:8] == b"ftyp"


def test_html_stands_alone_and_plays(tmp_path):
    m, sol = pendulum_run(0.2)
    m.animate(sol, str(tmp_path / "film.html"), fps=30)
    page = (tmp_path / "film.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.endswith("</html>\n")
    assert "//" not in re.sub(r'base64,[^"]*|//.*', "", page)  # comments and pictures apart
    assert not re.search(r"https?:|<link|src=\"(?!data)|fa fa-", page)
    pictures = re.findall(r'"data:image/png;base64,([^"]*)"', page)
    assert len(pictures) == 6
    with Image.open(io.BytesIO(base64.b64decode(pictures[3]))) as picture:
        assert picture.width > 400
        assert len(picture.convert("RGB").getcolors(10**6)) > 20
    name = re.search(r"(anim\w+) = new Animation", page)[1]
    assert f"{name}.play_animation()))</script>" in page
    assert re.search(r"slider_id, 33\.3333333,", page)
    for sign in "−⏮⏪◀⏸▶⏩⏭+":
        assert re.search(rf">\s*{re.escape(sign)}</button>", page)
    assert [path.name for path in tmp_path.iterdir()] == ["film.html"]


def test_long_films_say_how_far_they_are(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(waiting, "_PATIENCE", -1.0)
    m, sol = pendulum_run(0.2)
    capsys.readouterr()
    m.animate(sol, tmp_path / "film.gif")
    assert capsys.readouterr().err.startswith("drawing film.gif: 20.0 %\n")
    monkeypatch.setattr(waiting, "_PATIENCE", 1e9)
    m.animate(sol, tmp_path / "film.gif")
    assert capsys.readouterr() == ("", "")


def test_a_film_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    m, sol = pendulum_run(0.2)
    (tmp_path / "film.gif").write_text("old")
    monkeypatch.setattr("bielle.course.picture.Picture.show", lambda self, q: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        m.animate(sol, tmp_path / "film.gif")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


# -- what is refused

RUN = pendulum_run(0.1)[1]
EMPTY = SimpleNamespace(t=np.empty(0), y=np.empty((6, 0)))
BROKEN = SimpleNamespace(t=np.array([0, 0.5, 1]), y=np.array([[0, 0, np.nan]] * 6))


def unknown_tag(m):
    m.interactions["mine"] = Quiet(["S", "R"], ["G", "G"])
    m.draw()


CASES = {
    "ending": (
        lambda m: m.animate(RUN, "film.avi"),
        DescriptionError,
        "film.avi: the name must end in .gif, .mp4 or .html, got '.avi'. The ending decides the format.",
    ),
    "path": (
        lambda m: m.animate(RUN, 3),
        DescriptionError,
        "A path must be a string or a pathlib.Path, got 3. Give the name of a file.",
    ),
    "folder": (
        lambda m: m.animate(RUN, "/nowhere/film.gif"),
        FileError,
        "/nowhere/film.gif: the folder '/nowhere' does not exist. Make it first, or correct the name.",
    ),
    "speed": (lambda m: m.animate(RUN, speed=0), DescriptionError, "speed must be positive, got 0.0. Give a number > 0."),
    "fps": (lambda m: m.animate(RUN, fps=-1), DescriptionError, "fps must be positive, got -1.0. Give a number > 0."),
    "trace": (
        lambda m: m.animate(RUN, trace=["S"]),
        DescriptionError,
        "trace must be pairs (tag_S, tag_F), got 'S'. Give trace=[('…', 'G')].",
    ),
    "trace of a solid": (
        lambda m: m.animate(RUN, trace=[("T", "G")]),
        NamingError,
        "trace: there is no solid named 'T'. Known: S.",
    ),
    "trace of a frame": (
        lambda m: m.animate(RUN, trace=[("S", "p")]),
        NamingError,
        "trace: there is no frame of solid 'S' named 'p'. Known: G, P.",
    ),
    "no samples": (
        lambda m: m.animate(EMPTY),
        DescriptionError,
        "There is nothing to show: sol has no samples. Its message says why the run ended.",
    ),
    "not finite": (
        lambda m: m.draw(sol=BROKEN),
        DescriptionError,
        "sol has numbers that are not finite from t = 1 s on. Run with smaller tolerances or a smaller tf.",
    ),
    "time without a run": (
        lambda m: m.draw(t=1),
        DescriptionError,
        "t = 1 is a time of a run. Give sol=model.transient(…) too, or leave t out for the start.",
    ),
    "nothing": (
        lambda m: mc.Model().draw(),
        DescriptionError,
        "The model has no solids to draw. Add one with add_solid.",
    ),
    "tag": (unknown_tag, NamingError, "Interaction 'mine': there is no solid named 'R'. Known: S."),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_wishes(case):
    action, error, message = CASES[case]
    with pytest.raises(error) as caught:
        action(simple_pendulum())
    assert str(caught.value) == message
    assert not isinstance(caught.value.__cause__, KeyError)
