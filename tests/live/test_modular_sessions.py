"""Sessions with the modular solver: what all sessions guarantee, to the accuracy of steps of second order.

Bits are bits with every solver: the tests of transactions, files, journals and random edits run with this one as well. Here is what has an
error that follows from the step, which is seen to fall by four where the step is halved, and what this solver has of its own: loops that
iterate, groups that are merged, joints that become too soft, several rates, threads.
"""

import os
import subprocess
import sys

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ellipk

import bielle as bl
from bielle.errors import BielleError, SimulationError
from bielle.live import advancing
from bielle.mechanism import registry
from bielle.solvers import modular

from .crane import bits, crane, work
from .random_edits import Player
from .test_events import G, rod
from .test_every_kind import force_that_comes_back, joining_again, joint_that_comes_back, pairs, residuals, samples
from .test_session import double_pendulum

JOINTS = ("iterated", "explicit")
every_way = pytest.mark.parametrize("joints", JOINTS)
FALLS = 3.0  # a second-order error divided by that of half the step is 4 in the limit


def energy_error(live):
    return np.abs(live.result().energy.error).max()


def chain(n, planar=True, step=1.0):
    """Rods that hang on each other from the ground, horizontal at the start."""
    m = bl.Mechanism(plane="xy") if planar else bl.Mechanism(gravity=(0, -9.81, 0))
    points = [(step * i, 0.0, 0.0)[: m.dim] for i in range(n + 1)]
    for i in range(n):
        m.add_body(f"rod {i}", bl.rod(points[i], points[i + 1], mass=1.0, radius=0.05))
        m.add_joint(f"pin {i}", bl.Pin() if planar else bl.Spherical(), f"rod {i - 1}" if i else m.ground, f"rod {i}", at=points[i])
    return m


# -- edits


@every_way
@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
def test_a_body_that_is_cut_off_flies_on(planar, joints):
    """Free flight is exact: a step is for constant accelerations."""
    live = double_pendulum(planar).live(bl.Modular(joints))
    live.advance(0.6)
    before = [np.array(x) for n in ("upper", "lower") for x in (live[n].velocity, live[n].angular_velocity)]
    live.remove("elbow")
    after = [np.array(x) for n in ("upper", "lower") for x in (live[n].velocity, live[n].angular_velocity)]
    assert all(np.array_equal(a, b) for a, b in zip(before, after))
    x, v, spin = (np.array(value) for value in (live["lower"].centre.position, live["lower"].centre.velocity, before[-1]))
    live.advance(1.0)
    g = np.array([0, -9.81, 0])[: len(x)]
    np.testing.assert_allclose(live["lower"].centre.position, x + v + g / 2, atol=1e-11)
    np.testing.assert_allclose(live["lower"].angular_velocity, spin, atol=1e-11)


def first_pair(kind, dim):
    """Coordinates of the bodies on either side."""
    return next(pair for pair in pairs(kind, dim) if pair[0] != pair[1])


@every_way
@pytest.mark.parametrize(("kind", "dim"), samples(registry.joints))
def test_every_joint_goes_and_comes_back(kind, dim, joints):
    for at_once in (True, False):
        changed = joint_that_comes_back(kind, dim, *first_pair(kind, dim), at_once, bl.Modular(joints))
        # springs are those they were before; inside components, natural coordinates too, the regularisation is scaled anew
        assert changed <= (1e-11 if joints == "iterated" else 0.0)


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # motors stretch explicit joints, which takes 2 % of the little energy
@every_way
@pytest.mark.parametrize(("kind", "dim"), samples(registry.forces))
def test_every_force_goes_and_comes_back(kind, dim, joints):
    in_joint = kind.attachment == "joint"
    for at_once in (True, False):
        assert force_that_comes_back(kind, dim, *first_pair(kind, dim), in_joint, at_once, bl.Modular(joints)) <= 1e-11


def closing(kind, dim, gap, joining, solver):
    """Error of energy and residuals when a joint has been closed."""
    live = joining_again(kind, dim, *first_pair(kind, dim), gap, joining, solver)
    live.settle()
    assert not live.closing
    position, velocity = residuals(live)
    live.advance(0.02)
    return energy_error(live), position, velocity


def check_closing(kind, dim, gap, joining, joints):
    (error, position, velocity), (finer, *_) = (closing(kind, dim, gap, joining, bl.Modular(joints, step=h)) for h in (1e-3, 5e-4))
    assert finer < 1e-8 or error / finer > 2.0  # steps are shortened to fit between stops, not always by the same share
    gap_left, rate_left = (1e-9, 1e-6) if joints == "iterated" else bl.Modular(joints).slack
    assert position <= gap_left
    assert velocity <= rate_left


@pytest.mark.parametrize(("kind", "dim"), samples(registry.joints))
def test_every_joint_closes_and_its_energy_is_booked_to_second_order(kind, dim):
    check_closing(kind, dim, 0.01, "gentle", "iterated")


@pytest.mark.slow
@every_way
@pytest.mark.parametrize(("gap", "joining"), [(0.0, "gentle"), (0.0, "impulse"), (0.01, "gentle"), (0.01, "impulse")])
@pytest.mark.parametrize(("kind", "dim"), samples(registry.joints))
def test_every_joint_closes_in_every_way(kind, dim, gap, joining, joints):
    check_closing(kind, dim, gap, joining, joints)


@pytest.mark.parametrize("solver", [bl.Modular(), bl.Central(integrator="rk4", step=1e-3)], ids=["modular", "rk4"])
def test_the_work_of_a_ramp_that_is_shorter_than_a_step_is_booked(solver):
    """It is followed in steps of its own: between its ends it would not be seen at all. Explicit joints cannot follow: they are springs."""
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("a", bl.disc(0.1, mass=1.0))
    m.add_body("b", bl.disc(0.1, mass=1.0), position=(0, 1e-6), velocity=(0.5, 0))
    live = m.live(solver)
    live.add_joint("pin", bl.Pin(), "a", "b", at_a=(0, 0), at_b=(0, 0), over=4e-4)
    live.settle()
    live.advance(0.01)
    lost = 0.25 * 0.5**2  # of two equal masses that go on together
    assert live.energy.kinetic == pytest.approx(0.125 - lost, rel=1e-3)
    assert energy_error(live) < 2e-2 * lost


@every_way
def test_a_joint_beside_one_that_is_being_closed_waits_for_it_once(joints):
    """Iterated velocities are not exact to rounding, nor are explicit joints: what is left over counts as closed."""
    live = chain(2).live(bl.Modular(joints))
    live.remove("pin 1")
    live.teleport("rod 1", position=live["rod 1"].position + np.array([0.1, 0.05]))
    live.add_joint("pin 1", bl.Pin(), "rod 0", "rod 1", at_a=(0.5, 0), at_b=(-0.5, 0), over=0.3)
    live.add_joint("weld", bl.Rigid(), "rod 0", "rod 1", at_a=(0.5, 0), at_b=(-0.5, 0), over=0.05)
    live.advance(0.5)
    assert [record.label for record in live.result().edits][-1].startswith("closed")
    assert len(live.result().edits) <= 6
    assert live["weld"].violation < (1e-9 if joints == "iterated" else 1e-4)


@every_way
def test_locks_hold_where_joints_are_a_little_open(joints):
    live = double_pendulum().live(bl.Modular(joints))
    live.advance(0.4)
    live.lock("elbow")
    live.settle()
    held = live["lower"].angle - live["upper"].angle
    live.advance(0.3)
    assert live["lower"].angle - live["upper"].angle == pytest.approx(held, abs=1e-9 if joints == "iterated" else 1e-3)
    live.unlock("elbow")
    live.advance(0.2)
    assert abs(live["lower"].angle - live["upper"].angle - held) > 0.05


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 6])  # along which nothing gets stuck
def test_energy_through_random_edits_is_booked_to_second_order(seed):
    """The same forty edits at two steps: nothing is left over but the error of the steps.

    Both are so short that none is taken again in parts, from which the longer one would gain: at 1 ms a wide gap that closes is.
    """
    errors = []
    for step in (5e-4, 2.5e-4):
        player = Player(seed, absurd=0.0, solver=bl.Modular(step=step))
        for _ in range(40):
            try:
                player.play()
            except BielleError:
                continue
            player.live.advance(0.01)
        errors.append(energy_error(player.live))
    assert errors[0] / errors[1] > FALLS


# -- what is solved together


def test_a_loop_is_closed_and_opened_again():
    """Joints of a tree are swept; the one that closes a loop is iterated, whichever that is."""
    live = chain(3).live(bl.Modular())
    live.advance(0.3)
    assert len(live._run.plan.loose) == 0
    kept = live.snapshot()
    live.add_joint("loop", bl.Pin(), "ground", "rod 2", at_a=(2.0, -1.0), at_b=(0.5, 0.0))
    assert len(live._run.plan.loose) == 1
    live.settle()
    live.advance(0.3)
    assert max(live[name].violation for name in live.mechanism.joints) <= 1e-9
    live.remove("pin 1")  # opens it elsewhere
    assert len(live._run.plan.loose) == 0
    live.advance(0.2)
    assert max(live[name].violation for name in live.mechanism.joints) <= 1e-9
    live.restore(kept)
    errors = []
    for step in (1e-3, 5e-4):
        live = chain(3).live(bl.Modular(step=step))
        live.advance(0.3)
        live.add_joint("loop", bl.Pin(), "ground", "rod 2", at_a=(2.0, -1.0), at_b=(0.5, 0.0), joining="impulse")
        live.settle()
        live.advance(0.3)
        live.remove("loop")
        live.advance(0.3)
        errors.append(energy_error(live))
    assert errors[0] / errors[1] > FALLS


@every_way
def test_a_merge_group_is_split_and_put_together_by_edits(joints):
    live = chain(4).live(bl.Modular(joints, merge=[("rod 1", "rod 2", "rod 3")]))

    def groups():
        return live._run.convergence()["groups"]

    live.advance(0.1)
    assert groups() == (("rod 1", "rod 2", "rod 3"),)
    live.remove("pin 2")
    assert groups() == (("rod 2", "rod 3"),)
    live.advance(0.1)
    live.add_joint("again", bl.Pin(), "rod 1", "rod 2", at_a=(0.5, 0), at_b=(-0.5, 0))
    assert groups() == (("rod 1", "rod 2", "rod 3"),)
    live.settle()
    live.advance(0.1)
    assert max(live[name].violation for name in ("again", "pin 3")) <= 1e-9
    live.remove("rod 2", dependants=True)
    assert groups() == ()
    live.advance(0.1)
    live.undo()
    assert groups() == (("rod 1", "rod 2", "rod 3"),)
    loaded = live.replay()
    assert bits(loaded) == bits(live)


def test_rates_and_integrators_name_bodies_that_come_and_go():
    live = chain(3).live(bl.Modular(substeps={"rod 2": 4}, integrators={"rod 1": "newmark"}))
    live.advance(0.1)
    live.remove("rod 2", dependants=True)
    live.advance(0.1)
    live.remove("rod 1", dependants=True)
    live.advance(0.1)
    live.undo()
    live.undo()
    live.advance(0.1)
    straight = chain(3).live(live.solver)
    straight.advance(0.1)
    straight.advance(0.1)
    assert bits(live) == bits(straight)


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # coarse steps, so that the joint is soft
def test_that_a_joint_has_become_too_soft_is_not_forgotten(monkeypatch, tmp_path):
    """Which joints were merged during the run is part of the state: undo, branches, files and replays have it, and edits keep it."""
    monkeypatch.setattr(modular, "SOFT", 1e-3)
    live = double_pendulum().live(bl.Modular("explicit", step=5e-3))
    live.advance(0.1)
    before = bits(live)
    kept = live.snapshot()
    live.set("upper", color="red")
    live.advance(1.0)
    assert [name for _, name in live._run.merged] == ["elbow"]
    assert live.state.merged.any()
    live.save(tmp_path / "merged.session")
    others = [bl.load_session(tmp_path / "merged.session"), live.branch(), live.replay()]
    live.push("lower", impulse=(0.1, 0.0))
    later = bits(live)
    live.undo()
    others.append(live)
    for other in others:
        other.advance(0.2)
        assert other._run.convergence()["groups"] != ()
    assert all(bits(other) == bits(live) for other in others)
    live.undo()
    live.redo()
    live.restore(kept)
    assert bits(live) == before
    assert not live.state.merged.any()
    assert live._run.convergence()["groups"] == ()
    live.set("upper", color="red")
    live.advance(1.0)
    live.push("lower", impulse=(0.1, 0.0))
    assert bits(live) == later


# -- bits


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"joints": "explicit"},
        {"exchange": "conjugate"},
        {"exchange": "relaxation"},
        {"substeps": {"lower": 4}},
        {"integrators": {"lower": "newmark"}},
    ],
    ids=str,
)
def test_what_is_computed_does_not_depend_on_the_slices_it_is_computed_in(options, monkeypatch):
    """A slice is as long as the clock says."""
    ends = []
    for seconds in (0.0, 1e9):  # steps one by one, or as many as possible
        monkeypatch.setattr(advancing, "_SLICE", seconds)
        live = crane().live(bl.Modular(**options))
        work(live)
        live.advance(0.2)
        ends.append(bits(live))
    assert ends[0] == ends[1]


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # a hook over two metres in ten steps
@every_way
@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # joints that yield
def test_many_bodies_move_alike_whatever_the_threads(joints):
    """520 rods in chains; edits, one of them with a closing, an undo."""
    sessions = []
    for threads in (1, 2):
        m = bl.Mechanism(plane="xy")
        for k in range(130):
            for i in range(4):
                at, name = (2.0 * k, -float(i)), f"{k} {i}"
                m.add_body(name, bl.rod(at, (2.0 * k + 0.3, -1.0 - i), mass=1.0))
                m.add_joint(f"pin {name}", bl.Pin(), f"{k} {i - 1}" if i else m.ground, name, at=at)
        live = m.live(bl.Modular(joints, threads=threads), record=1.0)
        live.advance(0.02)
        live.remove("pin 7 2")
        live.add_joint("bridge", bl.Distance(), "3 3", "4 3", at_a=(0, 0), at_b=(0, 0))
        live.advance(0.02)
        live.add_joint("hook", bl.Pin(), "9 3", "10 3", at_a=(0, 0), at_b=(0, 0), over=0.01)
        live.settle()
        assert live._run.plan.table[modular.p.P_THREADS] == threads
        live.advance(0.02)
        live.remove("20 1", dependants=True)
        live.advance(0.01)
        live.undo()
        live.push("40 3", impulse=(1.0, 0.0))
        live.advance(0.01)
        sessions.append(live)
    assert bits(sessions[0]) == bits(sessions[1])


@pytest.mark.slow
@every_way
def test_what_is_computed_does_not_depend_on_what_stood_in_memory(joints):
    """The allocator, where it can be told to (glibc's), fills memory with other bytes every time: nothing reads beyond arrays."""
    code = (
        "import hashlib, bielle as bl\n"
        "from tests.live.crane import bits\n"
        "from tests.live.random_edits import Player\n"
        "for seed in (2, 7):\n"
        f"    player = Player(seed, absurd=0.0, solver=bl.Modular({joints!r}))\n"
        "    for _ in range(40):\n"
        "        try:\n"
        "            player.play()\n"
        "        except bl.errors.BielleError:\n"
        "            continue\n"
        "        player.live.advance(0.01)\n"
        "    print(hashlib.sha256(repr(bits(player.live)).encode()).hexdigest())\n"
    )
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    said = []
    for fill in ("0", "85", "255"):
        environment = os.environ | {"PYTHONPATH": path, "MALLOC_PERTURB_": fill}
        said.append(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout)
    assert said[0] == said[1] == said[2]


# -- events


@every_way
def test_a_pendulum_that_changes_its_pivot_is_timed_to_second_order(joints):
    """T7c: ten swings of a quarter turn each way, against elliptic integrals."""
    half = 2 * np.sqrt(1.0 / G) * ellipk(0.5)
    errors = []
    for step in (2e-3, 1e-3):
        live, times = rod().live(bl.Modular(joints, step=step)), []

        def swap(live, old, new, times=times):
            times.append(live.time)
            with live.edit(f"pivot {new}"):
                live.remove("pivot")
                live.add_joint("pivot", bl.Pin(), "ground", new, at=live[new].position)
            live.when(f"{old}.position.y", turns="max", do=lambda live: swap(live, new, old))

        live.when("B.position.y", turns="max", do=lambda live, swap=swap: swap(live, "A", "B"))
        live.advance(10.5 * half)
        assert len(times) == 10
        errors.append(np.abs(np.array(times) - half * np.arange(1, 11)).max())
    assert errors[0] / errors[1] > FALLS
    assert errors[1] < 5e-5


@every_way
def test_a_joint_breaks_when_its_force_exceeds_a_limit(joints):
    """1 kg on a massless rod of 1 m, released from the horizontal: the force is 3 m g sin θ, and it breaks at half of the most.

    With explicit joints it is within the step, no more: their stiffness grows with 1/h², so that motion of second order makes forces of
    first inside a step, and dampers do so at its ends.
    """
    angle = np.arcsin(0.5)
    instant = quad(lambda u: 2 * u / np.sqrt(2 * G * np.sin(u * u)), 0.0, np.sqrt(angle))[0]  # θ = u² is regular at the start
    errors = []
    for step in (2e-3, 1e-3):
        m = bl.Mechanism(plane="xy")
        m.add_body("bob", bl.rigid(1.0, (0, 0), 1e-3), position=(1, 0))
        m.add_joint("rope", bl.Distance(), m.ground, "bob", at_a=(0, 0), at_b=(0, 0))
        live = m.live(bl.Modular(joints, step=step))
        live.breaks("rope", force=1.5 * G)
        live.advance(1.0)
        assert not live.mechanism.joints
        errors.append(abs(live.log[0][0] - instant))
        assert errors[-1] < 0.5 * step
    if joints == "iterated":
        assert errors[0] / errors[1] > FALLS
        assert errors[1] < 1e-6


# -- what cannot be


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # explicit joints that were forced open fall to
@every_way
@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # explicit joints are torn
def test_a_position_the_joints_do_not_allow_stops_the_run_and_a_replay_of_it(joints, monkeypatch):
    """A crank is driven beyond where its rod can follow: no motion satisfies the joints there, and none is made up."""
    monkeypatch.setattr(modular, "SOFT", 1e-2)
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    elbow = (np.cos(0.2), np.sin(0.2))
    end = (elbow[0] + np.sqrt(0.8**2 - elbow[1] ** 2), 0.0)
    m.add_body("crank", bl.rod((0, 0), elbow, mass=1.0))
    m.add_body("rod", bl.rod(elbow, end, mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "crank", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "crank", "rod", at=elbow)
    m.add_joint("end", bl.PinInSlot(direction="x"), "ground", "rod", at=end)
    m.add_joint("drive", bl.ImposedRotation(angle=bl.Polynomial([0.0, 1.0])), "ground", "crank", at=(0, 0))
    live = m.live(bl.Modular(joints))
    with pytest.raises(
        SimulationError, match="'drive' leads to a position that the other joints do not allow.*stands at the last good step"
    ):
        live.advance(3.0)
    assert np.arcsin(0.8) - 0.2 - 2e-3 < live.time < 1.2
    if joints == "iterated":
        assert live.time < np.arcsin(0.8) - 0.2
        assert live["end"].violation <= 1e-9
    assert bits(live.replay()) == bits(live)
    live.remove("drive")
    live.advance(0.1)


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # a stiff stop, in coarse steps
def test_a_session_at_a_stiff_stop_is_loaded_and_goes_on(tmp_path):
    """A step too long for the stop is refused where a session starts, but not where one has come to: its file must load."""
    m = bl.Mechanism(plane="xy", gravity=(5.0, 0.0))
    m.add_body("slide", bl.box((0.2, 0.2), mass=1.0))
    m.add_joint("rail", bl.Slider(direction="x"), m.ground, "slide", at=(0, 0))
    m.add_force("stop", bl.SlideLimit(upper=0.5, stiffness=6e6), joint="rail")  # ω h = 2.4
    live = m.live(bl.Modular())
    while live["stop"].output == 0.0:
        live.step(1)
    live.save(tmp_path / "touching.session")
    with pytest.warns(UserWarning, match="the solver would not begin here"):
        again = bl.load_session(tmp_path / "touching.session")
    branch = live.branch()
    for session in (live, again, branch):
        session.advance(0.01)
    assert np.array_equal(again["slide"].position, live["slide"].position)
    assert np.array_equal(branch["slide"].position, live["slide"].position)
    assert np.array_equal(live.replay()["slide"].position, live["slide"].position)
