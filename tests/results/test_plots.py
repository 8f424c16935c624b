"""Plots: what is drawn where, names that would trip a plotting library, files, and no global state."""

import os
import subprocess
import sys

import numpy as np
import pytest
from matplotlib.colors import to_hex
from PIL import Image

import bielle as bl
from bielle.errors import DescriptionError, FileError, NamingError
from bielle.results.plots import plot
from bielle.results.scene import PALETTE


def mechanism(upper="upper", lower="lower", name="double pendulum"):
    m = bl.Mechanism(plane="xy", name=name)
    m.add_body(upper, bl.rod((0.0, 0.0), (1.0, 0.0), mass=1.0))
    m.add_body(lower, bl.rod((1.0, 0.0), (2.0, 0.0), mass=1.0))
    m.add_joint("shoulder", bl.Pin(), m.ground, upper, at=(0.0, 0.0))
    m.add_joint("elbow", bl.Pin(), upper, lower, at=(1.0, 0.0))
    m.add_force("spring", bl.Spring(stiffness=20.0, damping=0.5), m.ground, lower, at_a=(1.0, 1.0), at_b=(0.5, 0.0))
    return m


@pytest.fixture(scope="module")
def run():
    return mechanism().simulate(2.0, samples=101)


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []


def test_overview(run):
    figure = run.plot()
    labels = [ax.get_ylabel() for ax in figure.axes]
    assert labels == ["position [m]", "energy [J]", "violation [m or 1]"]
    assert legend(figure.axes[0]) == ["lower x", "lower y"]
    assert legend(figure.axes[1]) == ["kinetic", "gravitational", "elastic", "dissipated", "mechanical"]  # no drives, nothing applied
    assert legend(figure.axes[2]) == []  # one line, named by its axis
    assert figure.axes[-1].get_xlabel() == "time [s]"
    assert figure.axes[-1].get_xlim() == (0.0, 2.0)


def test_quantities_of_one_kind_share_a_panel(run):
    figure = run.plot("lower.position", "upper.position.x", "elbow.force", "elbow.force.norm", "shoulder.angle", "elbow.angle")
    assert [ax.get_ylabel() for ax in figure.axes] == ["position [m]", "force [N]", "angle [rad]"]
    assert [legend(ax) for ax in figure.axes] == [
        ["lower x", "lower y", "upper x"],
        ["elbow x", "elbow y", "|elbow|"],
        ["shoulder", "elbow"],
    ]
    lines = figure.axes[1].get_lines()
    assert np.array_equal(lines[0].get_ydata(), run["elbow"].force()[:, 0])
    assert np.allclose(lines[2].get_ydata(), np.linalg.norm(run["elbow"].force(), axis=1))
    assert np.array_equal(lines[0].get_xdata(), run.time)
    assert [to_hex(line.get_color()) for line in lines] == list(PALETTE[:3])


def test_errors_are_read_by_their_order_of_magnitude(run):
    figure = run.plot("energy.error", "violation", "energy.kinetic", "spring.output", "spring.energy")
    assert [ax.get_yscale() for ax in figure.axes] == ["log", "log", "linear", "linear"]
    assert figure.axes[2].get_ylabel() == "energy [J]"
    assert legend(figure.axes[2]) == ["kinetic", "spring"]
    assert figure.axes[3].get_ylabel() == "force [N]"
    drawn = figure.axes[1].get_lines()[0].get_ydata()
    assert (drawn > 0).all()  # exact zeros, too, have a place
    still = bl.Result(run.mechanism, run.model, {k: np.zeros_like(v) if k == "v" else v for k, v in run.samples.items()})
    still.samples["work"] = np.zeros((101, 3))
    assert still.plot("velocity_violation").axes[0].get_yscale() == "linear"  # all zero


def test_many_lines_can_be_told_apart(run):
    names = [f"{body}.{kind}" for body in ("upper", "lower") for kind in ("position", "position.x", "position.norm")]
    m = bl.Mechanism(plane="xy")
    for i in range(5):
        m.add_body(f"b{i}", bl.disc(0.1, mass=1.0), position=(i, 0.0))
    figure = m.simulate(0.1, samples=5).plot([f"b{i}.position" for i in range(5)])
    styles = {(to_hex(line.get_color()), line.get_linestyle()) for line in figure.axes[0].get_lines()}
    assert len(styles) == 10
    assert len(run.plot(*names).axes) == 1


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_files(run, tmp_path, ending):
    path = run.plot("energy", "lower.position", path=tmp_path / f"plot{ending}")
    assert path == tmp_path / f"plot{ending}"
    assert os.listdir(tmp_path) == [path.name]
    start = path.read_bytes()[:8]
    assert start.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[ending])
    if ending == ".png":
        with Image.open(path) as image:
            assert image.size[0] == 1200
            colours = {tuple(c) for _, c in image.convert("RGB").getcolors(1 << 24)}
        assert {tuple(int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in PALETTE[:2]} <= colours


def test_wrong_paths(run, tmp_path):
    with pytest.raises(DescriptionError, match=r"\.png, \.svg or \.pdf"):
        run.plot("energy", path=tmp_path / "plot.bmp")
    with pytest.raises(FileError, match="does not exist"):
        run.plot("energy", path=tmp_path / "nowhere" / "plot.png")
    assert not list(tmp_path.iterdir())


def test_unknown_quantities(run):
    with pytest.raises(NamingError, match=r"Did you mean 'lower.position'\?.*lower.velocity"):
        run.plot("lower.positions")
    with pytest.raises(NamingError, match="lower"):
        run.plot("energy", "louer.position")


def test_nothing_to_plot(run):
    empty = bl.Result(run.mechanism, run.model, {name: array[:0] for name, array in run.samples.items()})
    with pytest.raises(DescriptionError, match="nothing to plot"):
        empty.plot()


def test_strange_names_are_drawn_as_they_are(tmp_path):
    """A leading underscore, broken mathematics and a very long name."""
    long = "a" * 150
    run = mechanism(upper=r"$\broken{", lower="_hidden $x$ ^", name=r"50 $ and $\oops{").simulate(0.2, samples=5)
    figure = run.plot(r"$\broken{.position", "_hidden $x$ ^.position")
    assert legend(figure.axes[0]) == [r"$\broken{ x", r"$\broken{ y", "_hidden $x$ ^ x", "_hidden $x$ ^ y"]
    assert figure._repr_png_().startswith(b"\x89PNG")
    m = mechanism(upper=long)
    shown = legend(m.simulate(0.2, samples=5).plot(f"{long}.position").axes[0])
    assert all(len(text) <= 32 for text in shown)


def test_numbers_that_are_not_finite(run, tmp_path):
    samples = {name: array.copy() for name, array in run.samples.items()}
    samples["q"][50:], samples["v"][50:] = np.nan, np.inf
    broken = bl.Result(run.mechanism, run.model, samples)
    with np.errstate(all="ignore"):
        assert plot(broken, "lower.position", "violation", path=tmp_path / "p.png").exists()


def test_figures_show_in_notebooks_and_leave_nothing_behind(tmp_path):
    code = f"""
import sys
import matplotlib
before = dict(dict.items(matplotlib.rcParams))  # without asking for the back end, which would import it
import bielle as bl
m = bl.Mechanism(plane="xy")
m.add_body("ball", bl.disc(0.1, mass=1.0))
run = m.simulate(0.1, samples=5)
assert "matplotlib.figure" not in sys.modules
figure = run.plot()
run.plot(path=r"{tmp_path / "p.png"}")
assert figure._repr_png_().startswith(b"\\x89PNG")
assert "matplotlib.pyplot" not in sys.modules
assert dict(dict.items(matplotlib.rcParams)) == before
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_over_another_quantity(run):
    figure = run.plot("lower.position.y", "elbow.angular_velocity", x="shoulder.angle")
    assert figure.axes[-1].get_xlabel() == "shoulder angle [rad]"
    assert [ax.get_ylabel() for ax in figure.axes] == ["position [m]", "angular velocity [rad/s]"]
    for ax, values in zip(figure.axes, (run["lower"].position[:, 1], run["elbow"].angular_velocity)):
        assert np.array_equal(ax.get_lines()[0].get_xdata(), run["shoulder"].angle)
        assert np.array_equal(ax.get_lines()[0].get_ydata(), values)


def test_a_path_is_drawn_to_scale(run):
    assert run.plot("lower.position.y", x="lower.position.x").axes[0].get_aspect() == 1.0
    assert run.plot("lower.position.y").axes[0].get_aspect() == "auto"


def test_x_is_a_single_number(run):
    with pytest.raises(DescriptionError, match=r"'lower.position' is 2. Choose one: lower.position.x, lower.position.y"):
        run.plot("lower.angle", x="lower.position")
    with pytest.raises(NamingError, match="lower.angle"):
        run.plot("lower.angle", x="lower.angel")


def test_several_runs(run):
    other = mechanism().simulate(1.0, samples=31)
    (ax,) = run.plot("lower.position.y", beside=other).axes
    assert legend(ax) == ["lower y, run 1", "lower y, run 2"]
    assert [len(line.get_xdata()) for line in ax.get_lines()] == [101, 31]
    assert [to_hex(line.get_color()) for line in ax.get_lines()] == list(PALETTE[:2])
    (ax,) = bl.plot({"long": run, "short": other}, "lower.position").axes
    assert legend(ax) == ["lower x, long", "lower y, long", "lower x, short", "lower y, short"]
    assert [to_hex(line.get_color()) for line in ax.get_lines()] == [*PALETTE[:2], *PALETTE[:2]]
    assert len({line.get_linestyle() for line in ax.get_lines()}) == 2
    named = mechanism(name="another").simulate(0.1, samples=3)
    assert legend(bl.plot([run, named], "lower.position.y").axes[0]) == ["lower y, double pendulum", "lower y, another"]
    with pytest.raises(DescriptionError, match="must be a run, got 3"):
        bl.plot([run, 3], "lower.position")
    with pytest.raises(DescriptionError, match="at least one run"):
        bl.plot([], "lower.position")


def test_a_motor_shows_its_moment():
    m = mechanism()
    m.add_joint("drive", bl.ImposedRotation(angle=bl.SmoothStep(0, 1, 0, 1)), m.ground, "upper", at=(0, 0))
    m.add_force("motor", bl.Motor(target=1.0, stiffness=2.0), joint="elbow")
    run = m.simulate(0.5, samples=11)
    (ax,) = run.plot("drive", "motor").axes
    assert ax.get_ylabel() == "moment [N·m]"
    assert legend(ax) == ["drive", "motor"]
    np.testing.assert_allclose(ax.get_lines()[0].get_ydata(), run["drive"].moment(), atol=1e-12)
    assert np.array_equal(ax.get_lines()[1].get_ydata(), run["motor"].output)
