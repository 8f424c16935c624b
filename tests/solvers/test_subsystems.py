"""Subsystems inside the central solver: joint coordinates inside, equations outside; the motion is that of the whole."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError

from ..recursive.linkages import four_bar, spatial_four_bar, stewart_platform

LEGS = [(f"lower {k}", f"upper {k}") for k in range(6)]
CASES = [
    (four_bar, [("crank", "coupler")]),
    (four_bar, [("ground", "crank", "coupler")]),
    (four_bar, [("crank", "coupler"), ("rocker", "ground")]),
    (spatial_four_bar, [("crank", "coupler", "rocker")]),
    (stewart_platform, LEGS),
    (stewart_platform, [("ground", "lower 0", "upper 0", "platform")]),
]


@pytest.mark.parametrize(("make", "groups"), CASES, ids=lambda x: x.__name__ if callable(x) else str(len(x)))
def test_the_motion_is_that_of_the_whole(make, groups):
    m = make()
    whole, parts = m.simulate(1.0), m.simulate(1.0, bl.Central(subsystems=groups))
    assert np.abs(parts.violation).max() <= 1e-12
    for name in m.bodies:
        assert np.abs(whole[name].position - parts[name].position).max() <= 1e-8
    for name, joint in m.joints.items():
        on = joint.a if joint.a != "ground" else joint.b
        size = 1 + np.abs(whole[name].force(on=on)).max()
        assert np.abs(whole[name].force(on=on) - parts[name].force(on=on)).max() <= 1e-6 * size


def test_inside_a_subsystem_joints_are_closed_by_their_coordinates():
    """Also where equations outside are not solved to the end: after a single step of a fixed-step method, to rounding."""
    m = four_bar()
    run = m.simulate(0.05, bl.Central(integrator="rk4", step=0.05, subsystems=[("crank", "coupler")]), samples=2)
    knee = run.model.joints["knee"].equations
    w = run["crank"].position, run["coupler"].position
    assert all(np.isfinite(x).all() for x in w)
    assert knee.stop - knee.start == 2
    assert np.abs(run.violation).max() <= 1e-12


def test_sessions_go_on_with_subsystems():
    m = four_bar()
    live = m.live(bl.Central(subsystems=[("crank", "coupler")]))
    live.advance(0.3)
    live.remove("knee")
    live.advance(0.2)
    live.undo()
    live.advance(0.2)
    whole = four_bar().simulate(0.5, samples=2)
    assert np.abs(live["rocker"].position - whole["rocker"].position[-1]).max() <= 1e-7
    assert "1 subsystem" in live.result().info["solver"]


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ("crank", DescriptionError, "subsystems must be groups of names of bodies"),
        ([("crank",)], DescriptionError, "two bodies at least"),
        ([("crank", "coupler"), ("coupler", "rocker")], DescriptionError, "Body 'coupler' stands in two subsystems"),
        ([("crank", "nobody")], NamingError, "no body named 'nobody'"),
        ([("crank", "rocker")], DescriptionError, "has no joint inside for which there are joint coordinates"),
    ],
)
def test_what_is_no_subsystem_is_refused(groups, error, message):
    with pytest.raises(error, match=message):
        four_bar().simulate(0.1, bl.Central(subsystems=groups))


def test_subsystems_need_steps_in_joint_coordinates():
    with pytest.raises(DescriptionError, match="Subsystems go with the formulation 'projected' and the integrators adaptive, rk4"):
        bl.Central(integrator="hht", step=1e-3, subsystems=[("a", "b")])


# -- in the modular solver


def arm(n=4):
    """A planar chain that hangs on the ground."""
    m = bl.Mechanism(plane="xy")
    for i in range(n):
        m.add_body(f"link{i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"pin{i}", bl.Pin(), f"link{i - 1}" if i else m.ground, f"link{i}", at=(i, 0))
    return m


@pytest.mark.parametrize("joints", ["iterated", "explicit"])
def test_a_subsystem_is_a_component_that_advances_itself(joints):
    """Steps of second order towards the motion of the whole; joints inside are closed to rounding, those outside as ever."""
    m, groups = arm(), [("link1", "link2", "link3")]
    exact = m.simulate(0.5, bl.Central(rtol=1e-11), samples=2)["link3"].position[-1]
    errors = []
    for step in (1e-3, 5e-4):
        run = m.simulate(0.5, bl.Modular(joints, step=step, subsystems=groups), samples=2)
        errors.append(np.abs(run["link3"].position[-1] - exact).max())
        ends = {b: run[b] for b in ("link1", "link2", "link3")}
        for a, b in (("link1", "link2"), ("link2", "link3")):
            gap = ends[a].point((0.5, 0.0)).position - ends[b].point((-0.5, 0.0)).position
            assert np.abs(gap).max() <= 1e-14
    assert 3.0 <= errors[0] / errors[1] <= 5.0


def test_a_subsystem_has_one_step():
    with pytest.raises(DescriptionError, match="Subsystems take the steps of the whole"):
        bl.Modular(subsystems=[("a", "b")], substeps={"a": 3})
