"""A run at one moment: read, printed, and gone on from."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError

SOLVER = bl.Central(rtol=1e-10, atol=1e-12)


def arm(dim, kind):
    def at(*xy):
        return xy if dim == 2 else (*xy, 0.0)

    m = bl.Mechanism(at(0.0, -9.81), plane="xy" if dim == 2 else None, name="arm")
    m.add_body("upper", bl.rod(at(0, 0), at(1, 0), mass=1.0), coordinates=kind)
    m.add_body("lower", bl.rod(at(1, 0), at(2, 0), mass=1.0), coordinates=kind)
    hinge = bl.Pin() if dim == 2 else bl.Revolute(axis="z")
    m.add_joint("shoulder", hinge, m.ground, "upper", at=at(0, 0))
    m.add_joint("elbow", hinge, "upper", "lower", at=at(1, 0))
    m.add_force("spring", bl.Spring(stiffness=30.0), m.ground, "lower", at_a=at(0, 1), at_b=at(0, 0))
    return m


@pytest.mark.parametrize(("dim", "kind"), [(2, "planar"), (2, "bar"), (3, "spatial"), (3, "natural")])
def test_a_run_goes_on_from_a_moment(dim, kind):
    """Two halves are the whole: local errors of rtol over some hundred steps, of speeds up to 10 m/s."""
    whole = arm(dim, kind).simulate(1.0, SOLVER, samples=11)
    rest = whole.describe(0.4).simulate(0.6, SOLVER, samples=7)
    for name in ("position", "velocity"):
        np.testing.assert_allclose(getattr(rest["lower"], name), getattr(whole["lower"], name)[4:], atol=1e-6)
    np.testing.assert_allclose(rest["spring"].output, whole["spring"].output[4:], atol=1e-5)
    np.testing.assert_allclose(rest["elbow"].angle, whole["elbow"].angle[4:], atol=1e-6)  # counted from where it was described at first
    assert whole.describe().bodies["lower"].velocity == tuple(whole["lower"].velocity[-1])


def test_the_nearest_sample_counts():
    run = arm(2, "planar").simulate(1.0, samples=11)
    assert run.describe(0.44).bodies["lower"].position == tuple(run["lower"].position[4])
    assert run.state(0.46).time == run.time[5]
    with pytest.raises(DescriptionError, match="nothing at t = 2.0 s"):
        run.describe(2.0)
    with pytest.raises(DescriptionError, match="the time"):
        run.state("now")


def test_a_state_is_read_and_printed():
    run = arm(2, "planar").simulate(1.0, samples=11)
    state = run.state(0.3)
    assert state["lower.position"].tolist() == run["lower"].position[3].tolist()
    assert state["elbow.angular_velocity"] == run["elbow"].angular_velocity[3]
    assert state.units["spring.length"] == "m"
    lines = repr(state).splitlines()
    assert lines[0] == "arm at 0.3 s"
    assert len(lines) == len(state) + 1
    (line,) = [line for line in lines if line.split()[0] == "lower.position"]
    x, y = run["lower"].position[3]
    assert line.split() == ["lower.position", f"{x:.5g}", f"{y:.5g}", "m"]


def test_a_timeline_has_moments_too():
    live = arm(2, "planar").live()
    live.advance(0.2)
    live.remove("spring")
    live.advance(0.2)
    run = live.result()
    assert "spring.output" in run.state(0.1)
    assert "spring.output" not in run.state(0.3)
    assert "spring" not in run.describe(0.3).forces


HINGED = {
    "spring": bl.TorsionSpring(stiffness=0.005),
    "motor": bl.Motor(target=15.0, stiffness=0.05, damping=0.02),
    "motor on a table": bl.Motor(target=bl.Harmonic(amplitude=0.5, frequency=0.5, offset=15.0), stiffness=0.05, damping=0.02),
    "motor at a speed": bl.Motor(target=30.0, damping=0.02, control="speed"),
    "stop": bl.AngleLimit(upper=25.0, stiffness=10.0),
    "friction": bl.AngleFriction(torque=0.01, speed=1.0),
}


@pytest.mark.parametrize("live", [False, True], ids=["run", "session"])
@pytest.mark.parametrize("name", HINGED)
def test_turns_go_on_in_a_description(name, live):
    """A wheel that has turned some times, with what counts them: the description goes on as the run does. Targets have a period of 2 s."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("wheel", bl.disc(0.1, mass=1.0), angular_velocity=20.0)
    m.add_joint("axle", bl.Pin(), m.ground, "wheel", at=(0, 0))
    m.add_force("force", HINGED[name], joint="axle")
    whole = m.simulate(3.0, SOLVER, samples=301)
    if live:
        session = m.live(SOLVER)
        session.advance(2.0)
        described = session.describe()
    else:
        described = whole.describe(2.0)
    rest = described.simulate(1.0, SOLVER, samples=101)
    assert abs(whole["axle"].angle[200]) > 2 * np.pi
    np.testing.assert_allclose(rest["wheel"].angular_velocity, whole["wheel"].angular_velocity[200:], atol=1e-6)
    np.testing.assert_allclose(rest["force"].output, whole["force"].output[200:], atol=1e-6)
