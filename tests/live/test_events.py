"""Events of a session: located, acted upon, gone with their components."""

import numpy as np
import pytest
from scipy.special import ellipk

import bielle as bl
from bielle.errors import CallbackError, DescriptionError, NamingError

G = 9.81


def falling():
    m = bl.Mechanism(plane="xy")
    m.add_body("ball", bl.sphere(0.1, mass=1.0), position=(0, 1))
    return m


def rod():
    """A rod of 1 m with 1 kg at each end, pinned at one, horizontal."""
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rigid(2.0, (0.5, 0), 0.5), position=(0, 0), orientation=np.pi)
    m.add_frame("A", "rod", local=(0, 0))
    m.add_frame("B", "rod", local=(1, 0))
    m.add_joint("pivot", bl.Pin(), m.ground, "A", at_a=(0, 0))
    return m


@pytest.mark.parametrize("how", ["name", "function"])
@pytest.mark.parametrize("solver", [None, bl.Central(integrator="rk4", step=1e-2), bl.Central(integrator="newmark", step=1e-2)])
def test_a_crossing_is_found_in_time(how, solver):
    live = falling().live(solver)
    seen = []
    quantity = "ball.position.y" if how == "name" else lambda live: live["ball"].position[1]
    live.when(quantity, lambda live: seen.append(live.time), falls=0.5)
    live.advance(1.0)
    assert seen == [pytest.approx(np.sqrt(2 * 0.5 / G), abs=1e-10)]  # a parabola is exact for all of them
    assert live.time == 1.0
    assert live.events == {}
    assert live.log == [(seen[0], "event 1")]
    assert seen[0] in live.result().time


def test_again_and_again_and_forgotten():
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("wheel", bl.sphere(0.1, mass=1.0), angular_velocity=2 * np.pi)
    live = m.live()
    turns = []
    event = live.when("wheel.angle", lambda live: turns.append(live.time), rises=0.5 * np.pi, once=False, every_turn=True)
    live.advance(3.0)
    assert turns == pytest.approx([0.25, 1.25, 2.25], abs=1e-9)
    live.forget(event)
    live.advance(2.0)
    assert len(turns) == 3
    with pytest.raises(NamingError, match="no event named"):
        live.forget(event)


def test_a_bouncing_ball_is_an_event_and_a_teleport():
    live = falling().live()
    times = []

    def bounce(live):
        times.append(live.time)
        vx, vy = live["ball"].velocity
        live.teleport("ball", velocity=(vx, -0.5 * vy))

    live.when("ball.position.y", bounce, falls=0.0, once=False)
    live.advance(1.5)
    first = np.sqrt(2 / G)
    speed = G * first
    expected = [first]
    for k in range(1, len(times)):
        expected.append(expected[-1] + 2 * speed * 0.5**k / G)
    assert len(times) >= 5
    assert times == pytest.approx(expected, abs=1e-8)
    run = live.result()
    assert np.abs(run.energy.error).max() < 1e-8


@pytest.mark.parametrize("gravity", [G, G + 0.02, 10.0, 1.62])
def test_pendulum_that_changes_its_pivot(gravity):
    """T7c: every swing takes the same time, half the period of a pendulum with amplitude 90°, and no energy is lost.

    The next event is defined at rest, on its threshold to rounding: whatever side that is on, it must not happen at once.
    """
    m = rod()
    m.gravity = (0, -gravity)
    live = m.live()
    live.when("B.position.y", turns="max", do=lambda live: swap(live, "A", "B"))

    def swap(live, old, new):
        times.append(live.time)
        with live.edit(f"pivot {new}"):
            live.remove("pivot")
            live.add_joint("pivot", bl.Pin(), "ground", new, at=live[new].position)
        live.when(f"{old}.position.y", turns="max", do=lambda live: swap(live, new, old))

    times = []
    half = 2 * np.sqrt(1.0 / gravity) * ellipk(0.5)  # the mass at the pivot does not count: a simple pendulum of 1 m, k² = sin²(90°/2)
    live.advance(20.5 * half)
    assert len(times) == 20
    assert np.abs(np.array(times) - half * np.arange(1, 21)).max() < 1e-7
    assert np.abs(live.result().energy.error).max() < 1e-8


@pytest.mark.parametrize("by_function", [False, True])
@pytest.mark.parametrize("noise", [0.0, 1e-12, -1e-12])
def test_an_event_defined_on_its_threshold_waits_for_the_next_time(noise, by_function):
    """A ball thrown up passes the height it starts from when it comes back."""
    m = bl.Mechanism(plane="xy")
    m.add_body("ball", bl.sphere(0.1, mass=1.0), position=(0, 0), velocity=(0, G / 2))
    live = m.live()
    quantity = (lambda live: live["ball"].position[1]) if by_function else "ball.position.y"
    live.when(quantity, crosses=noise, do=lambda live: None)
    live.advance(2.0)
    assert [time for time, _ in live.log] == pytest.approx([1.0], abs=1e-9)


def test_joints_break_and_the_load_goes_to_the_next():
    m = bl.Mechanism(plane="xy")
    m.add_body("load", bl.sphere(0.2, mass=10.0), position=(0, -1))
    for i, x in enumerate((-1.0, 0.0, 1.0)):
        m.add_joint(f"rope {i}", bl.Distance(), m.ground, "load", at_a=(x, 0), at_b=(0, 0))
    live = m.live()
    log = []
    for i in range(3):
        live.breaks(f"rope {i}", force=400.0, do=lambda live, i=i: log.append((live.time, i)))
    live.advance(0.5)
    assert not log
    live.add_force("pull", bl.PointForce(force=(0.0, bl.Polynomial(coefficients=(0.0, -400.0)))), "load", at=(0, -1))
    live.advance(3.0)
    assert len(log) == 3
    assert not live.mechanism.joints
    assert log[0][0] <= log[1][0] <= log[2][0]
    assert np.abs(live.result().energy.error).max() < 1e-7


def test_a_limit_exceeded_already_acts_at_once():
    live = falling().live()
    live.advance(0.1)
    seen = []
    live.when("ball.position.y", lambda live: seen.append(live.time), below=5.0)
    live.when("ball.position.y", lambda live: seen.append("never"), falls=5.0)
    live.advance(0.1)
    assert seen == [0.1]


def test_alarms():
    live = falling().live()
    seen = []
    live.at(0.25, lambda live: seen.append((live.time, live["ball"].position[1])))
    live.advance(1.0)
    assert seen == [(0.25, pytest.approx(1 - G / 2 * 0.25**2))]
    with pytest.raises(DescriptionError, match="already"):
        live.at(0.5, print)


def test_an_action_that_raises_leaves_the_session_at_the_instant():
    live = falling().live()

    def fails(live):
        raise RuntimeError("not today")

    live.when("ball.position.y", fails, falls=0.5)
    with pytest.raises(CallbackError, match="event 'event 1'.*not today") as caught:
        live.advance(1.0)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert live["ball"].position[1] == pytest.approx(0.5)
    live.advance(0.1)


def test_events_go_with_their_components_and_come_back_with_undo():
    live = falling().live()
    seen = []
    live.when("ball.position.y", lambda live: seen.append(live.time), falls=0.5)
    live.remove("ball")
    live.advance(0.1)
    assert live.events == {}
    live.undo()
    live.advance(1.0)
    assert seen == [pytest.approx(np.sqrt(1 / G))]


def test_what_an_event_did_is_undone_and_awaited_again():
    live = falling().live()
    live.when("ball.position.y", lambda live: live.fix("ball", joining="impulse"), falls=0.5)
    live.advance(1.0)
    assert live["ball"].position[1] == pytest.approx(0.5)
    live.undo()
    assert set(live.events) == {"event 1"}
    live.advance(1.0)
    assert live["ball"].position[1] == pytest.approx(0.5)
    assert "fix ball" in live.mechanism.joints


def test_an_event_of_the_same_instant_is_gone_with_its_component():
    live = falling().live()
    seen = []
    live.when("ball.position.y", lambda live: live.remove("ball"), falls=0.5)
    live.when("ball.position.y", lambda live: seen.append(live.time), falls=0.5)
    live.advance(1.0)
    assert not seen
    assert live.events == {}
    assert [name for _, name in live.log] == ["event 1"]


def test_bad_conditions():
    live = falling().live()
    with pytest.raises(DescriptionError, match="needs one condition"):
        live.when("ball.position.y", print)
    with pytest.raises(NamingError, match="Did you mean 'ball.position.y'"):
        live.when("ball.positon.y", print, crosses=0)
    with pytest.raises(DescriptionError, match="'max', 'min' or 'either'"):
        live.when("ball.position.y", print, turns="up")
    with pytest.raises(DescriptionError, match="has no rate"):
        live.when("energy.kinetic", print, turns="max")
    with pytest.raises(NamingError, match="no joint named 'ball'"):
        live.breaks("ball", force=1.0)
    with pytest.raises(DescriptionError, match="force or the moment"):
        rod().live().breaks("pivot")
