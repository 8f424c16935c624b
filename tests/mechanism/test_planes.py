"""The axes of a plane have its names, wherever one names axes."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError

PLANES = {"xy": ("x", "y"), "xz": ("x", "z"), "yz": ("y", "z")}


def falling(plane, direction):
    """A block on a slide along ``direction``, gravity (3, −9.81)."""
    m = bl.Mechanism((3.0, -9.81), plane=plane)
    m.add_body("block", bl.box((0.1, 0.1), mass=2.0))
    m.add_joint("slide", bl.Slider() if direction is None else bl.Slider(direction=direction), "ground", "block", at=(0, 0))
    return m


@pytest.mark.parametrize("plane", PLANES)
def test_axes(plane):
    assert bl.Mechanism(plane=plane).axes == PLANES[plane]
    assert bl.Mechanism().axes == ("x", "y", "z")


@pytest.mark.parametrize("plane", PLANES)
def test_directions_of_joints(plane):
    first, second = PLANES[plane]
    for direction, along in ((None, (1, 0)), (first, (1, 0)), (second, (0, 1)), (f"-{second}", (0, -1)), (f"-{first}", (-1, 0))):
        run = falling(plane, direction).simulate(1.0, samples=3)
        fall = 0.5 * (np.array([3.0, -9.81]) @ along) * np.array(along)  # g t²/2 at t = 1, integrated exactly by an order of 8
        assert np.abs(run["block"].position[-1] - fall).max() <= 1e-12
    (other,) = set("xyz") - {first, second}
    with pytest.raises(DescriptionError, match=f"joint 'slide': .*'{first}', '{second}', '-{first}'.*got '{other}'"):
        falling(plane, other)


@pytest.mark.parametrize("plane", PLANES)
def test_axes_of_imposed_motions_and_forces(plane):
    _, second = PLANES[plane]
    m = falling(plane, second)
    m.add_joint("lift", bl.ImposedTranslation(displacement=bl.Polynomial(coefficients=(0, 0.5)), axis=second), "ground", "block", at=(0, 0))
    m.add_force("stop", bl.SlideLimit(lower=-1, upper=1, stiffness=1e3, axis=second), "ground", "block", at=(0, 0))
    m.add_force("floor", bl.PlaneContact(stiffness=1e3, normal=second), "ground", "block", at_a=(0, -1), at_b=(0, 0))
    m.add_joint("skate", bl.KnifeEdge(axis=second), "ground", "block", at=(0, 0))
    run = m.simulate(1.0, samples=3)
    assert np.abs(run["block"].position[-1] - (0.0, 0.5)).max() <= 1e-12
    assert bl.Mechanism.from_dict(m.to_dict()) == m


@pytest.mark.parametrize("plane", PLANES)
def test_results_and_exports(plane, tmp_path):
    first, second = PLANES[plane]
    run = falling(plane, second).simulate(0.1, samples=5)
    assert (run[f"block.position.{second}"] == run["block"].position[:, 1]).all()
    assert (run[f"block.velocity.{first}"] == run["block"].velocity[:, 0]).all()
    assert (run["block.velocity.norm"] == np.linalg.norm(run["block"].velocity, axis=1)).all()
    (other,) = set("xyz") - {first, second}
    with pytest.raises(NamingError, match=f"There are: block.position.{first}, block.position.{second}, block.position.norm"):
        run[f"block.position.{other}"]
    header = run.table("block.position").to_csv(tmp_path / "run.csv").read_text().splitlines()[0]
    assert f"block.position.{first}" in header
    assert f"block.position.{second}" in header
    assert list(run.to_xarray("block.position")["axis"].values) == [first, second]
    figure = run.plot("block.position")
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [f"block {first}", f"block {second}"]


def test_what_planar_turning_is_about():
    for plane, normal in (("xy", "z"), ("yz", "x")):
        run = falling(plane, None).simulate(0.1, samples=3)
        assert (run[f"slide.moment.{normal}"] == run["slide"].moment()).all()
    with pytest.raises(NamingError, match="slide.moment.y"):  # in the plane xz angles count about −y
        falling("xz", None).simulate(0.1, samples=3)["slide.moment.y"]


@pytest.mark.parametrize("plane", PLANES)
def test_events(plane):
    first, second = PLANES[plane]
    live = falling(plane, second).live()
    event = live.when(f"block.position.{second}", falls=-0.5)
    (other,) = set("xyz") - {first, second}
    with pytest.raises(NamingError, match="Did you mean 'block.position."):
        live.when(f"block.position.{other}", falls=-0.5)
    live.when(f"block.position.{second}", lambda live: live.remove("slide"), falls=-0.25)
    live.advance(0.5)
    assert event.watch.axis == 1
    removed = live.result().edits[0].time
    assert removed == pytest.approx(np.sqrt(2 * 0.25 / 9.81), abs=1e-9)  # −g t²/2 = −0.25, located as accurately as the integrator is
