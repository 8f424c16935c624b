"""Files of an earlier release, in which forces remembered an angle and nothing else, are read with the turns known then.

``earlier/turns.npz`` and ``earlier/turns.session`` were written by that release: three wheels that begin with 40 rad/s, with the
forces below, RK4 at 10 ms; a result of one second, and a session at half of it.
"""

from pathlib import Path

import h5py
import numpy as np
import pytest

import bielle as bl
from bielle.errors import FileError

EARLIER = Path(__file__).parent / "earlier"
SOLVER = bl.Central(integrator="rk4", step=0.01)


def wheels():
    m = bl.Mechanism(plane="xy", gravity=(0, 0), name="old")
    for n in ("a", "b", "c"):
        m.add_body(n, bl.disc(0.5, mass=8.0), angular_velocity=40.0)
        m.add_joint(f"axle {n}", bl.Pin(), m.ground, n, at=(0, 0))
    m.add_force("spring", bl.TorsionSpring(stiffness=0.5), joint="axle a")
    m.add_force("stop", bl.AngleLimit(upper=1e3, stiffness=10.0), joint="axle b")
    m.add_force("motor", bl.Motor(target=20.0, stiffness=2.0, damping=0.1), joint="axle c")
    return m


@pytest.fixture
def now():
    """The same equations and method: equal to rounding."""
    return wheels().simulate(1.0, SOLVER, samples=11)


def test_results(now):
    run = bl.load_result(EARLIER / "turns.npz")
    assert run.mechanism == wheels()
    for name in ("spring", "stop", "motor"):
        assert run[name].output == pytest.approx(now[name].output, abs=1e-10)
        assert run[name].angle == pytest.approx(now[name].angle, abs=1e-10)
    assert run["spring"].angle[-1] > 5 * 2 * np.pi


def test_results_that_are_saved_again_are_as_good(now, tmp_path):
    bl.load_result(EARLIER / "turns.npz").save(tmp_path / "again.npz")
    again = bl.load_result(tmp_path / "again.npz")
    assert again["spring"].output == pytest.approx(now["spring"].output, abs=1e-10)


def test_sessions_go_on_with_the_turns_they_had(now):
    live = bl.load_session(EARLIER / "turns.session")
    assert live.time == 0.5
    live.advance(0.5)
    for name in ("spring", "stop", "motor"):
        assert live[name].output == pytest.approx(now[name].output[-1], abs=1e-10)


def test_numbers_that_no_release_wrote_are_refused(tmp_path):
    """Three forces with two numbers each."""
    with np.load(EARLIER / "turns.npz") as file:
        arrays = dict(file)
    arrays["samples.memory"] = np.zeros((11, 6))
    np.savez(tmp_path / "wrong.npz", **arrays)
    with pytest.raises(FileError, match="the samples do not belong to its mechanism"):
        bl.load_result(tmp_path / "wrong.npz")


def test_earlier_hdf5_files_say_what_to_do(tmp_path):
    with h5py.File(tmp_path / "old.h5", "w") as file:
        file.attrs["bielle_result"] = 2
    with pytest.raises(
        FileError, match=r"Load it with that release \(bielle.load_result\), and save it as .npz \(result.save\), which this"
    ):
        bl.load_result(tmp_path / "old.h5")
