"""Sessions with the recursive solver: what is cut off, joined, closed and opened makes other trees, and the motion goes on.

Bits are bits with every solver: the tests of journals and files run with this one as well. Here is what trees are about: bodies that lose
the ground, trees that take their place again, loops that come and go, edits after which everything hangs on something else.
"""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import NamingError
from bielle.live import advancing
from bielle.mechanism import registry

from .crane import bits, crane, work
from .random_edits import Player
from .test_every_kind import force_that_comes_back, joining_again, joint_that_comes_back, residuals, samples
from .test_modular_sessions import chain, energy_error, first_pair
from .test_session import double_pendulum

SOLVERS = {"adaptive": bl.Recursive(), "rk4": bl.Recursive("rk4", step=1e-3), "stabilised": bl.Recursive(loops="stabilised")}
every_way = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
planar_and_spatial = pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
G = 9.81


def trees(live):
    """Of the run: parent of each body, None for those that hang on nothing; and the loops."""
    links = live._run.tree.links
    names = [link.name for link in links]
    return {link.name: "ground" if link.parent < 0 and not link.free else None if link.free else names[link.parent] for link in links}, [
        *live._run.tree.loops
    ]


def momentum(live):
    """Of all bodies: linear, and angular about the origin."""
    linear, angular = np.zeros(3), np.zeros(3)
    for name, body in live.mechanism.bodies.items():
        p, now = body.shape.mass_properties(), live[name]
        flat = live.mechanism.planar
        x, u = (np.pad(np.asarray(v), (0, 1)) if flat else np.asarray(v) for v in (now.centre.position, now.centre.velocity))
        w = np.array([0.0, 0.0, now.angular_velocity]) if flat else np.asarray(now.angular_velocity)
        linear += p.mass * u
        R = now.rotation
        angular += np.cross(x, p.mass * u) + R @ p.inertia @ R.T @ w
    return linear, angular


def centre_of_mass(live):
    """Position and velocity."""
    masses = {n: b.shape.mass_properties().mass for n, b in live.mechanism.bodies.items()}
    total = sum(masses.values())
    return [sum(m * np.asarray(getattr(live[n].centre, what)) for n, m in masses.items()) / total for what in ("position", "velocity")]


# -- cutting and joining


@every_way
@planar_and_spatial
def test_a_tree_that_loses_the_ground_flies_on(planar, solver):
    """The joint everything hung on is cut: the rest is a tree of its own, whose centre of mass is on a parabola."""
    live = chain(4, planar).live(solver)
    live.advance(0.3)
    assert trees(live) == ({"rod 0": "ground", "rod 1": "rod 0", "rod 2": "rod 1", "rod 3": "rod 2"}, [])
    before = {n: (np.array(live[n].velocity), np.array(live[n].angular_velocity)) for n in live.mechanism.bodies}
    live.remove("pin 0")
    assert trees(live) == ({"rod 0": None, "rod 1": "rod 0", "rod 2": "rod 1", "rod 3": "rod 2"}, [])
    for n, (velocity, spin) in before.items():
        assert np.array_equal(live[n].velocity, velocity)
        assert np.array_equal(live[n].angular_velocity, spin)
    (x, v), (_, angular) = centre_of_mass(live), momentum(live)
    g, t = np.array([0, -G, 0])[: len(x)], 0.7
    live.advance(t)
    y, u = centre_of_mass(live)
    # each rod errs by the tolerance, or by h⁴, in its rotation about the joint; the centre of mass by what that is of it
    close = 1e-8 if solver.fixed_step else 1e-9
    assert np.abs(y - (x + v * t + g * t * t / 2)).max() <= close
    assert np.abs(u - (v + g * t)).max() <= close
    mass = 4.0
    torque = np.zeros(3)  # of the weight about the origin, over the time: ∫ x × m g dt
    path = x * t + v * t**2 / 2 + g * t**3 / 6
    torque += np.cross(np.pad(path, (0, 3 - len(path))), mass * np.pad(g, (0, 3 - len(g))))
    assert np.abs(momentum(live)[1] - angular - torque).max() <= 10 * mass * close
    assert max(live[name].violation for name in live.mechanism.joints) <= 1e-9
    assert energy_error(live) <= 1e-8


@every_way
@planar_and_spatial
def test_a_single_body_flies_on_its_parabola_exactly(planar, solver):
    """Steps of any length are exact where accelerations are constant: to rounding."""
    live = double_pendulum(planar).live(solver)
    live.advance(0.6)
    live.remove("elbow")
    assert trees(live)[0] == {"upper": "ground", "lower": None}
    x, v, spin = (
        np.array(value) for value in (live["lower"].centre.position, live["lower"].centre.velocity, live["lower"].angular_velocity)
    )
    live.advance(1.0)
    g = np.array([0, -G, 0])[: len(x)]
    # rk4 adds a thousand roundings up; in space the orientation is followed, and with it the place of the centre in the frame
    np.testing.assert_allclose(live["lower"].centre.position, x + v + g / 2, atol=1e-11)
    np.testing.assert_allclose(live["lower"].centre.velocity, v + g, atol=1e-11)
    np.testing.assert_allclose(live["lower"].angular_velocity, spin, atol=1e-11)


@every_way
def test_what_was_cut_is_joined_again_in_another_place(solver):
    """The far end of a chain is fixed and its near end let go: everything hangs the other way round."""
    live = chain(3).live(solver)
    live.advance(0.2)
    end = np.array(live["rod 2"].position) + live["rod 2"].rotation[:2, :2] @ [0.5, 0.0]
    with live.edit("the other end"):
        live.remove("pin 0")
        live.add_joint("hook", bl.Pin(), "ground", "rod 2", at_a=end, at_b=(0.5, 0.0), joining="impulse")
    live.settle()
    assert trees(live) == ({"rod 2": "ground", "rod 1": "rod 2", "rod 0": "rod 1"}, [])
    live.advance(0.5)
    assert max(live[name].violation for name in live.mechanism.joints) <= 1e-9
    assert energy_error(live) <= 1e-7
    # the same in one go, from the state there
    again = live.replay()
    assert bits(again) == bits(live)


@every_way
def test_a_loop_is_closed_and_opened_again(solver):
    live = chain(3).live(solver)
    live.advance(0.3)
    live.add_joint("loop", bl.Pin(), "ground", "rod 2", at_a=(2.0, -1.0), at_b=(0.5, 0.0), over=0.2)
    assert "loop" in trees(live)[1]  # while it is being closed it is part of no tree
    live.settle()
    parents, loops = trees(live)
    assert len(loops) == 1
    live.advance(0.3)
    assert max(live[name].violation for name in live.mechanism.joints) <= 1e-9 if solver.loops == "projected" else 1e-7
    live.remove("pin 1")  # opens it elsewhere
    assert trees(live) == ({"rod 0": "ground", "rod 2": "ground", "rod 1": "rod 2"}, [])
    assert parents != trees(live)[0]
    live.advance(0.2)
    live.add_joint("pin 1", bl.Pin(), "rod 0", "rod 1", at_a=(0.5, 0.0), at_b=(-0.5, 0.0), joining="impulse")
    live.settle()
    assert len(trees(live)[1]) == 1
    live.advance(0.2)
    assert max(live[name].violation for name in live.mechanism.joints) <= 1e-9 if solver.loops == "projected" else 1e-7
    assert energy_error(live) <= 1e-6


def test_a_closing_ends_with_the_motion_of_the_central_solver():
    """The ramp is imposed on the same equations: the same session, with either solver."""
    ends = []
    for solver in (bl.Central(rtol=1e-10), bl.Recursive(rtol=1e-10)):
        live = chain(3).live(solver)
        live.advance(0.3)
        live.add_joint("loop", bl.Pin(), "ground", "rod 2", at_a=(2.0, -1.0), at_b=(0.5, 0.0), over=0.2)
        live.settle()
        live.advance(0.1)
        live.lock("pin 1", over=0.05)
        live.settle()
        live.advance(0.05)
        ends.append(np.concatenate([np.array([*live[n].position, live[n].angle, *live[n].velocity]) for n in live.mechanism.bodies]))
    assert np.abs(ends[0] - ends[1]).max() <= 1e-6


def test_another_root_changes_nothing_but_the_trees(tmp_path):
    sessions = {}
    for root in (None, "rod 2"):
        live = chain(3).live(bl.Recursive(root=root, rtol=1e-11, atol=1e-13))
        live.advance(0.2)
        live.remove("pin 1")
        live.advance(0.1)
        live.add_joint("pin 1", bl.Pin(), "rod 0", "rod 1", at_a=(0.5, 0.0), at_b=(-0.5, 0.0), joining="impulse")
        live.settle()
        live.advance(0.1)
        sessions[root] = live
    parents, loops = trees(sessions["rod 2"])
    assert parents == {"rod 2": None, "rod 1": "rod 2", "rod 0": "rod 1"}
    assert loops == ["pin 0"]
    one, other = (np.concatenate([live[n].position for n in live.mechanism.bodies]) for live in sessions.values())
    assert np.abs(one - other).max() <= 1e-8
    assert energy_error(sessions["rod 2"]) <= 1e-8


def test_a_root_may_go_and_come_back():
    """Then trees grow from the ground; a name that was never there is refused at the start."""
    live = chain(3).live(bl.Recursive(root="rod 1"))
    live.advance(0.1)
    before = bits(live)
    assert trees(live)[0]["rod 1"] is None
    live.remove("rod 1", dependants=True)
    assert trees(live)[0] == {"rod 0": "ground", "rod 2": None}
    live.advance(0.1)
    live.undo()
    assert bits(live) == before
    assert trees(live)[0]["rod 1"] is None
    with pytest.raises(NamingError, match="no body named 'rod 9'"):
        chain(3).live(bl.Recursive(root="rod 9"))


def floating(solver):
    """How much the momentum of rods that fly together has changed while joints between them came and went, gently and by impulse."""
    m = chain(4, False)
    m.gravity = (0, 0, 0)
    m.remove("pin 0")
    for i, name in enumerate(m.bodies):
        m.add_force(f"push {i}", bl.Spring(stiffness=5.0, length=0.8), name, f"rod {(i + 2) % 4}", at_a=(0, 0.1, 0), at_b=(0, 0, 0.2))
    live = m.live(solver)
    live.push("rod 0", impulse=(0.3, -0.2, 0.5), moment=(0.0, 0.4, 0.2))
    before = momentum(live)
    live.advance(0.2)
    live.remove("pin 2")
    live.advance(0.1)
    live.add_joint("again", bl.Spherical(), "rod 1", "rod 2", at_a=(0.5, 0, 0), at_b=(-0.5, 0, 0), over=0.1)
    live.settle()
    live.advance(0.1)
    live.lock("pin 1", joining="impulse")
    live.advance(0.1)
    live.unlock("pin 1")
    live.add_joint("ring", bl.Distance(), "rod 0", "rod 3", at_a=(0, 0, 0), at_b=(0, 0, 0), joining="impulse")
    live.advance(0.1)
    return max(np.abs(now - then).max() for now, then in zip(momentum(live), before))


def test_what_floats_keeps_its_momentum_through_edits():
    """Nothing pushes from outside: what is left is the error of joint coordinates, of which the momentum is no linear function."""
    for loops in ("projected", "stabilised"):
        assert floating(bl.Recursive(loops=loops)) <= 1e-8  # ten times the tolerance
        assert floating(bl.Recursive(loops=loops, rtol=1e-11, atol=1e-13)) <= 1e-10
    errors = [floating(bl.Recursive("rk4", step=h)) for h in (1e-3, 5e-4)]
    assert errors[0] / errors[1] > 12.0  # 16 in the limit


def test_gravity_changes_and_so_does_the_motion():
    live = chain(2).live(bl.Recursive())
    live.remove("pin 0")
    live.advance(0.1)
    live.set_gravity((3.0, 4.0))
    x, v = centre_of_mass(live)
    live.advance(0.5)
    y, u = centre_of_mass(live)
    assert np.abs(u - v - [1.5, 2.0]).max() <= 1e-9
    assert np.abs(y - x - 0.5 * v - 0.125 * np.array([3.0, 4.0])).max() <= 1e-9
    live.undo()
    live.advance(0.5)
    assert np.abs(centre_of_mass(live)[1] - v - [0, -G / 2]).max() <= 1e-9


# -- every kind


@pytest.mark.parametrize(("kind", "dim"), samples(registry.joints))
def test_every_joint_goes_and_comes_back(kind, dim):
    for at_once in (True, False):
        # the trees are those of before, and so is what they say to rounding; loops are regularised anew
        assert joint_that_comes_back(kind, dim, *first_pair(kind, dim), at_once, bl.Recursive()) <= 1e-11


@pytest.mark.parametrize(("kind", "dim"), samples(registry.forces))
def test_every_force_goes_and_comes_back(kind, dim):
    in_joint = kind.attachment == "joint"
    assert force_that_comes_back(kind, dim, *first_pair(kind, dim), in_joint, False, bl.Recursive()) <= 1e-11


@pytest.mark.parametrize("joining", ["gentle", "impulse"])
@pytest.mark.parametrize(("kind", "dim"), samples(registry.joints))
def test_every_joint_closes(kind, dim, joining):
    live = joining_again(kind, dim, *first_pair(kind, dim), 0.01, joining, bl.Recursive())
    live.settle()
    assert not live.closing
    position, velocity = residuals(live)
    assert position <= 1e-9
    assert velocity <= 1e-7
    live.advance(0.02)
    assert max(residuals(live)) <= 1e-7
    assert energy_error(live) < 1e-7


# -- bits


@every_way
@planar_and_spatial
def test_undo_redo_replay_and_files_end_in_the_same_bits(planar, solver, tmp_path):
    live = crane(planar).live(solver)
    work(live)
    there = bits(live)
    live.save(tmp_path / "a.session")
    others = [bl.load_session(tmp_path / "a.session"), live.replay(), live.branch()]
    assert all(bits(other) == there for other in others)
    assert others[0].solver == solver
    assert trees(others[0]) == trees(live)
    live.remove("pivot")  # the base
    live.advance(0.1)
    after = bits(live)
    live.undo()
    assert bits(live) == there
    live.redo()
    assert bits(live) == after
    live.undo()
    for each in (live, *others):
        each.advance(0.13)
    assert all(bits(other) == bits(live) for other in others)


@every_way
def test_what_is_computed_does_not_depend_on_the_slices_it_is_computed_in(solver, monkeypatch):
    """A slice is as long as the clock says."""
    ends = []
    for seconds in (0.0, 1e9):  # steps one by one, or as many as possible
        monkeypatch.setattr(advancing, "_SLICE", seconds)
        live = crane().live(solver)
        work(live)
        live.advance(0.2)
        ends.append(bits(live))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
def test_what_is_recorded_does_not_disturb(planar):
    """Bits do not depend on how often samples are taken, nor on whether somebody looks."""
    ends = []
    for record, looking in ((1.0, False), (1e-3, False), (1.0, True)):
        live = crane(planar).live(bl.Recursive(), record=record)
        for _ in range(4):
            live.advance(0.05)
            if looking:
                live["lower"].acceleration
                live["elbow"].force
                live.energy.kinetic
        ends.append([live.state.q.tobytes(), live.state.v.tobytes(), live.state.step])
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_leave_what_can_be_replayed(seed):
    player = Player(seed, absurd=0.1, solver=bl.Recursive())
    for _ in range(25):
        try:
            player.play()
        except bl.errors.BielleError:
            continue
        player.live.advance(0.01)
    live = player.live
    assert bits(live.replay()) == bits(live)
    assert energy_error(live) < 1e-5
