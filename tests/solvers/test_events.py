"""Events: watches that stop a run, and the instant they are located at, against closed forms."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest
from scipy.special import ellipk

import bielle as bl
from bielle.errors import DescriptionError, NamingError
from bielle.kernels import slots
from bielle.kernels.watches import back_up, observe
from bielle.model import compile_mechanism
from bielle.model.state import CARRIED
from bielle.model.watches import (
    AngleWatch,
    AnyWatch,
    DirectionWatch,
    DistanceWatch,
    JointAngleWatch,
    KineticEnergyWatch,
    OutputWatch,
    PointWatch,
    ReactionWatch,
)
from bielle.solvers.workspace import Workspace

from .models import G

ADAPTIVE = bl.Central()
SOLVERS = [ADAPTIVE, *(bl.Central(integrator=name, step=1e-2) for name in ("rk4", "newmark", "hht", "generalized-alpha"))]
SOLVERS += [bl.Modular(step=1e-2), bl.Recursive(), bl.Recursive("rk4", step=1e-2)]
every_integrator = pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: getattr(s, "integrator", "modular"))


def start(m, watches, solver=ADAPTIVE, resolution=0.1):
    """A run that watches from the described state on."""
    model, state = compile_mechanism(m, watches)
    run = solver.start(model, state)
    run.arm(resolution)
    return run


def go(run, end, interval=0.05):
    """To a time, or to the first event; whether there was one."""
    run.go_to(end, interval, 1000)
    while not run.done and run.code == slots.CODE_OK:
        run.advance(7)
    assert run.code in (slots.CODE_OK, slots.CODE_EVENT)
    if run.code == slots.CODE_EVENT:
        run.locate()
    return run.code == slots.CODE_EVENT


def events(run, end):
    """[(time, names)] until a time."""
    found = []
    while go(run, end):
        found.append((run.time, run.fired))
    return found


def falling(gravity=G):
    """A disc 1 m above the origin, free to fall."""
    m = bl.Mechanism((0, -gravity), plane="xy")
    m.add_body("disc", bl.disc(0.1, mass=1.0), position=(0, 1))
    return m


def height(threshold, **options):
    return PointWatch(body="disc", point=(0, 0), axis=1, threshold=threshold, **options)


def fall_time(height):
    return np.sqrt(2 * (1 - height) / G)


def pendulum(amplitude):
    """1 kg at each end of a massless rod of 1 m that hangs by one end, released at an angle from the vertical."""
    m = bl.Mechanism((0, -G), plane="xy")
    m.add_body("rod", bl.rigid(2.0, (0.5, 0), 0.5), orientation=amplitude - np.pi / 2)
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    return m


def period(amplitude):
    return 4 * ellipk(np.sin(amplitude / 2) ** 2) / np.sqrt(G)


def oscillator():
    """1 kg on a spring of 4 N/m stretched by 1 m: tension 4 cos 2t."""
    m = bl.Mechanism((0, 0), plane="xy")
    m.add_body("mass", bl.disc(0.1, mass=1.0), position=(3, 0))
    m.add_force("spring", bl.Spring(stiffness=4.0, length=2.0), m.ground, "mass", at_a=(0, 0), at_b=(0, 0))
    return m


# -- instants


@every_integrator
def test_falling_point(solver):
    """All these integrators are exact for constant acceleration."""
    run = start(falling(), {"floor": height(0.0, direction=-1)}, solver)
    assert go(run, 2.0)
    assert run.fired == ["floor"]
    assert abs(run.time - fall_time(0.0)) < 1e-13
    assert abs(run.workspace.q[1]) < 1e-14


def test_half_period_of_a_pendulum_released_from_the_horizontal():
    """Its tip has no vertical velocity at the start (no crossing), at the lowest point (upwards) and at the other side (downwards)."""
    both, down = (PointWatch(body="rod", point=(1, 0), axis=1, order=1, direction=d) for d in (0, -1))
    found = events(start(pendulum(np.pi / 2), {"both": both, "down": down}), 1.5)
    T = period(np.pi / 2)
    assert [names for _, names in found] == [["both"], ["both", "down"]]
    assert np.abs(np.array([t for t, _ in found]) - [T / 4, T / 2]).max() < 1e-10


@pytest.mark.parametrize("amplitude", [0.2, 1.5, 2.8])
def test_turning_points_of_a_pendulum(amplitude):
    found = events(start(pendulum(amplitude), {"turn": AngleWatch(body="rod", order=1)}), 2.2 * period(amplitude))
    times = np.array([t for t, _ in found])
    assert np.abs(times - period(amplitude) * np.arange(1, 5) / 2).max() < 1e-9


@pytest.mark.parametrize(
    ("solver", "order"), [*zip(SOLVERS[1:], (4, 2, 2, 2, 2))], ids=["rk4", "newmark", "hht", "generalized-alpha", "modular"]
)
def test_instants_have_the_order_of_the_integrator(solver, order):
    errors = []
    for step in (2e-2, 1e-2):
        run = start(pendulum(1.0), {"turn": AngleWatch(body="rod", order=1)}, replace(solver, step=step))
        assert go(run, 2.0)
        errors.append(abs(run.time - period(1.0) / 2))
    assert 0.8 * 2**order < errors[0] / errors[1] < 1.3 * 2**order


def test_tension_of_a_spring():
    run = start(oscillator(), {"slack": OutputWatch(force="spring", threshold=2.0)})
    assert np.allclose([t for t, _ in events(run, 6.0)], np.array([1 / 3, 5 / 3, 7 / 3, 11 / 3]) * np.pi / 2, rtol=0, atol=1e-9)


def test_kinetic_energy():
    """½ (2 sin 2t)² = 1 at 2t = π/4, 3π/4…"""
    run = start(oscillator(), {"fast": KineticEnergyWatch(threshold=1.0, direction=1)})
    assert np.allclose([t for t, _ in events(run, 3.0)], np.array([1, 5]) * np.pi / 8, rtol=0, atol=1e-9)


def test_reaction_is_that_of_the_result():
    m = pendulum(np.pi / 2)
    run = start(m, {"limit": ReactionWatch(joint="pivot", threshold=30.0, direction=1)})
    assert go(run, 2.0)
    force = m.simulate(run.time, samples=2)["pivot"].force()[-1]
    assert abs(np.linalg.norm(force) - 30.0) < 1e-7


def spinner(dim, coordinates, speed):
    """A body that turns steadily about the z axis."""
    m = bl.Mechanism((0, 0) if dim == 2 else (0, 0, 0), plane="xy" if dim == 2 else None)
    size, spin = ((0.3, 0.2), speed) if dim == 2 else ((0.3, 0.2, 0.1), (0, 0, speed))
    m.add_body("rotor", bl.box(size, mass=1.0), angular_velocity=spin, coordinates=coordinates)
    m.add_joint("hinge", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), m.ground, "rotor", at=(0,) * dim)
    return m


@pytest.mark.parametrize(("dim", "coordinates"), [(2, "planar"), (2, "bar"), (3, "spatial"), (3, "natural")])
@pytest.mark.parametrize("speed", [3.0, -3.0])
def test_angles_cross_once_a_turn(dim, coordinates, speed):
    """Neither the point opposite to the threshold counts, where the angle modulo turns jumps, nor the turns in the threshold."""
    e1, e2 = np.eye(3)[:2, :dim]
    watches = {
        "body": AngleWatch(body="rotor", threshold=1.0, every_turn=True),
        "joint": JointAngleWatch(joint="hinge", threshold=1.0 + 6 * np.pi, every_turn=True),
        "direction": DirectionWatch(
            body="rotor", along=tuple(e2), first=tuple(e1), second=tuple(e2), threshold=1.0 + np.pi / 2, every_turn=True
        ),
        "wrong way": AngleWatch(body="rotor", threshold=1.0, direction=-int(np.sign(speed)), every_turn=True),
    }
    found = events(start(spinner(dim, coordinates, speed), watches), 8.0)
    expected = np.arange((1.0 if speed > 0 else 1.0 - 2 * np.pi) / speed, 8.0, 2 * np.pi / 3.0)
    assert [set(names) for _, names in found] == len(expected) * [{"body", "joint", "direction"}]
    assert np.allclose([t for t, _ in found], expected, rtol=0, atol=1e-9)


# -- several at once, directions, sides


@every_integrator
@pytest.mark.parametrize("order", [1, -1])
def test_two_crossings_in_one_step_come_in_their_order_in_time(solver, order):
    solver = replace(solver, step=0.1) if solver.fixed_step else solver
    watches = {"first": height(0.5), "second": height(0.49)}
    run = start(falling(), dict(list(watches.items())[::order]), solver, resolution=1.0)
    found = events(run, 1.0)
    assert [names for _, names in found] == [["first"], ["second"]]
    assert np.abs(np.array([t for t, _ in found]) - [fall_time(0.5), fall_time(0.49)]).max() < 1e-13


def test_coincident_crossings_are_one_event():
    watches = {
        "height": height(0.5),
        "again": height(0.5, direction=-1),
        "upwards": height(0.5, direction=1),
        "distance": DistanceWatch(body="disc", point=(0, 0), threshold=0.5),
        "relative": PointWatch(body="disc", point=(0, 0), other="ground", other_point=(0, 0.5), axis=1),
    }
    run = start(falling(), watches)
    (event,) = events(run, 0.4)
    assert set(event[1]) == set(watches) - {"upwards"}
    assert abs(event[0] - fall_time(0.5)) < 1e-13


@pytest.mark.parametrize(("direction", "sixths"), [(1, [5, 11]), (-1, [1, 7]), (0, [1, 5, 7, 11])])
def test_direction(direction, sixths):
    """x − 2 = cos 2t, half of its amplitude."""
    run = start(oscillator(), {"x": PointWatch(body="mass", point=(0, 0), axis=0, threshold=2.5, direction=direction)})
    assert np.allclose([t for t, _ in events(run, 6.2)], np.array(sixths) * np.pi / 6, rtol=0, atol=1e-9)


@every_integrator
def test_a_value_of_zero_at_the_start_is_on_no_side(solver):
    """At rest at the threshold, then away from it; thrown up from the threshold, it is crossed on the way down only."""
    assert events(start(falling(), {"start": height(1.0)}, solver), 0.5) == []
    m = bl.Mechanism((0, -G), plane="xy")
    m.add_body("disc", bl.disc(0.1, mass=1.0), position=(0, 1), velocity=(0, 2))
    found = events(start(m, {"start": height(1.0)}, solver), 1.0)
    assert [t for t, _ in found] == [pytest.approx(4.0 / G, abs=1e-13)]


@every_integrator
def test_a_crossing_in_the_very_last_step_is_seen(solver):
    for end in (fall_time(0.5) + 1e-9, fall_time(0.5) + 1e-4):
        run = start(falling(), {"half": height(0.5)}, solver)
        assert go(run, end)
        assert abs(run.time - fall_time(0.5)) < 1e-13
    assert not go(start(falling(), {"half": height(0.5)}, solver), fall_time(0.5) - 1e-9)


@pytest.mark.parametrize("integrator", ["rk4", "newmark"])
def test_a_step_that_ends_on_zero_has_crossed(integrator):
    """Unit acceleration from rest: y = −t²/2 is exact at t = ½ for steps that are powers of two."""
    solver = bl.Central(integrator=integrator, step=0.125)
    m = bl.Mechanism((0, -1.0), plane="xy")
    m.add_body("disc", bl.disc(0.1, mass=1.0), position=(0, 0))
    run = start(m, {"on": height(-0.125)}, solver, resolution=10.0)
    assert go(run, 0.5)
    assert run.time == 0.5
    assert not go(run, 1.0)


@every_integrator
@pytest.mark.parametrize("after", [0.0, 1e-14, 1e-12, 1e-9])
def test_a_crossing_just_after_the_start_of_a_step(solver, after):
    """Steps as short as rounding are taken to get there, and the motion goes on undisturbed."""

    def tip(threshold):
        return {"tip": PointWatch(body="rod", point=(1, 0), axis=1, threshold=threshold)}

    plain = start(pendulum(1.0), tip(9.0), solver, resolution=0.01)
    assert not go(plain, 0.2)
    y = plain.workspace.watch_value[0] + 9.0
    assert not go(plain, 0.5)
    run = start(pendulum(1.0), tip(y - after), solver, resolution=0.01)
    ((time, _),) = events(run, 0.5)
    assert abs(time - 0.2) < 1e-8
    # an event restarts the memory of implicit methods, which costs part of their own error, about h² of the motion
    tolerance = 1e-8 if solver in SOLVERS[:2] else 1e-4
    assert np.abs(run.workspace.q - plain.workspace.q).max() < tolerance


def test_values_that_are_not_numbers_never_fire():
    """The rate of the distance of a point from itself is 0/0."""
    same = DistanceWatch(body="disc", point=(0, 0), other="disc", other_point=(0, 0), order=1, threshold=1.0)
    run = start(falling(), {"nothing": same, "half": height(0.5)})
    assert run.sides == {"nothing": 0, "half": 1}
    assert run.exceeded == []
    assert [names for _, names in events(run, 0.6)] == [["half"]]


def test_exceeded_at_the_baseline():
    watches = {
        "above": height(0.5, direction=1),
        "not yet": height(1.5, direction=1),
        "below": height(1.5, direction=-1),
        "both": height(0.5),
    }
    assert start(falling(), watches).exceeded == ["above", "below"]


@every_integrator
def test_instants_far_from_the_origin_of_time(solver):
    """Where the time itself is known to 1e-9 s only."""
    model, state = compile_mechanism(falling(), {"half": height(0.5), "third": height(1 / 3)})
    state.time = 1e7
    run = solver.start(model, state)
    run.arm(0.1)
    found = np.array([t for t, _ in events(run, 1e7 + 0.5)]) - 1e7
    assert np.abs(found - [fall_time(0.5), fall_time(1 / 3)]).max() < 2e-8


@every_integrator
def test_a_new_run_takes_over_the_sides_of_what_has_just_fired(solver):
    """As after an edit: rounding may have left the value on either side of the threshold."""
    run = start(falling(), {"half": height(0.5), "third": height(1 / 3)}, solver)
    assert go(run, 1.0)
    assert run.sides == {"half": -1, "third": 1}
    for nudge in (-1e-15, 1e-15):
        state = run.workspace.state()
        state.q[1] += nudge
        other = solver.start(run.model, state)
        other.arm(0.1, {name: run.sides[name] for name in run.fired})
        assert other.exceeded == []
        assert [names for _, names in events(other, 0.4)] == [["third"]]


def test_limit_of_the_resolution():
    """A threshold passed and passed back within a step is not seen; shorter steps see it."""
    m = bl.Mechanism((0, -G), plane="xy")
    m.add_body("disc", bl.disc(0.1, mass=1.0), velocity=(0, G / 2))  # up for half a second
    watch = {"top": height(0.99 * G / 8)}
    rise = 0.5 * np.array([1 - 0.1, 1 + 0.1])
    assert np.allclose([t for t, _ in events(start(m, watch, resolution=0.02), 1.0)], rise, rtol=0, atol=1e-12)
    coarse = start(m, watch, bl.Central(integrator="rk4", step=0.2), resolution=np.inf)
    assert events(coarse, 1.0) == []
    assert len(events(start(m, watch, bl.Central(integrator="rk4", step=0.2), resolution=0.02), 1.0)) == 2


# -- the run


def swinging():
    """A body on a ball joint with a spring: quaternions, multipliers, works, all there is to restore."""
    m = bl.Mechanism((0, 0, -G))
    m.add_body("box", bl.box((0.3, 0.2, 0.1), mass=2.0), position=(0.4, 0, 0), angular_velocity=(1.0, 2.0, 5.0))
    m.add_joint("ball", bl.Spherical(), m.ground, "box", at=(0, 0, 0))
    m.add_force("spring", bl.Spring(stiffness=50.0, damping=0.5), m.ground, "box", at_a=(0.5, 0.5, 0), at_b=(0.1, 0, 0))
    return m


def same_state(a, b):
    assert a.time == b.time
    assert a.step == b.step
    assert a.settled == b.settled
    for name in ("q", "v", "work", "lam", "memory", "merged", "acc", "a0", "mu"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def test_the_backup_holds_every_carried_field():
    m = pendulum(1.0)
    m.add_force("torsion", bl.TorsionSpring(stiffness=1.0), joint="pivot")  # remembers its angle
    run = start(m, {"turn": AngleWatch(body="rod")})
    w = run.workspace
    assert len(w.memory) > 0
    expected = [0.25, 0.5, 1.0, 7.0]
    w.scalar[[slots.S_TIME, slots.S_NEXT_STEP]] = expected[:2]
    w.status[[slots.ST_FRESH, slots.ST_STEPS]] = expected[2:]
    for name in CARRIED:
        values = getattr(w, name)
        values[:] = np.arange(len(values)) + 100.0 * len(expected)
        expected += list(values)
    back_up(w.address)
    np.testing.assert_array_equal(w.backup, expected)


@every_integrator
def test_going_on_does_not_depend_on_the_trials(solver):
    states = []
    for extra in ((), (0.3, 0.9, 0.01)):
        run = start(swinging(), {"z": PointWatch(body="box", point=(0, 0, 0), axis=2, threshold=-0.2)}, solver)
        run.go_to(1.0, 0.05, 100)
        while run.code == slots.CODE_OK:
            run.advance(3)
        search = run._watcher._search

        def with_extra_trials(before, after, search=search, run=run, extra=extra):
            for fraction in extra:
                run._watcher._trial(before + fraction * (after - before))
            return search(before, after)

        run._watcher._search = with_extra_trials
        run.locate()
        states.append(run.workspace.state())
        while go(run, 1.5):
            pass
        states.append(run.workspace.state())
    same_state(states[0], states[2])
    same_state(states[1], states[3])


@every_integrator
def test_a_failing_step_goes_back_to_the_start_of_the_last(solver, monkeypatch):
    run = start(swinging(), {"z": PointWatch(body="box", point=(0, 0, 0), axis=2, threshold=-0.2)}, solver)
    run.go_to(1.0, 0.001, 2000)
    states = {}
    while run.code == slots.CODE_OK:
        states[run.time] = run.workspace.state()
        run.advance(1)

    def fail(time):
        run.workspace.q[:] = np.nan
        run.workspace.status[slots.ST_CODE] = slots.CODE_NONFINITE

    monkeypatch.setattr(run, "step_to", fail)
    time = run.locate()
    assert run.code == slots.CODE_NONFINITE
    assert time == run.time < 1.0
    assert run.fired == run.crossed == []
    # states kept between calls precede the accelerations of the next step
    kept, found = states[time], run.workspace.state()
    np.testing.assert_array_equal(found.q, kept.q)
    np.testing.assert_array_equal(found.v, kept.v)
    np.testing.assert_array_equal(found.work, kept.work)
    assert run.samples()["t"][-1] <= time


@every_integrator
def test_samples_end_at_the_event(solver):
    run = start(falling(), {"half": height(0.5)}, solver)
    assert go(run, 1.0, interval=0.01)
    t, q = run.samples()["t"], run.samples()["q"]
    assert (np.diff(t) > 0).all()
    assert t[-1] == run.time == run.end
    assert t[-2] < run.time < t[-2] + 0.0101
    assert np.abs(q[:, 1] - (1 - G / 2 * t**2)).max() < 1e-12
    assert run.done
    assert run.fraction == 1.0
    before = run.time
    assert not go(run, 0.6)
    assert run.samples()["t"][0] == before


@pytest.mark.parametrize("solver", SOLVERS[:2], ids=lambda s: s.integrator)
def test_samples_at_chosen_times_end_at_the_event(solver):
    run = start(falling(), {"half": height(0.5)}, solver)
    run.sample_at(np.array([0.0, 0.1, 0.25, 0.33, 0.6, 0.8]))
    while not run.done and run.code == slots.CODE_OK:
        run.advance(5)
    time = run.locate()
    assert np.allclose(run.samples()["t"], [0.0, 0.1, 0.25, time])


@every_integrator
def test_watches_do_not_change_the_motion(solver):
    ends = []
    watch = {"z": PointWatch(body="box", point=(0, 0, 0), axis=2, threshold=5.0), "limit": ReactionWatch(joint="ball", threshold=1e6)}
    for watches, armed in (({}, False), (watch, False), (watch, True)):
        model, state = compile_mechanism(swinging(), watches)
        run = solver.start(model, state)
        if armed:
            run.arm(np.inf)
        assert not go(run, 0.5)
        ends.append(run.workspace.state())
    for other in ends[1:]:
        same_state(ends[0], other)


def test_refusals():
    watches = {"half": height(0.5)}
    with pytest.raises(DescriptionError, match="'RK45' cannot watch"):
        start(falling(), watches, bl.Central(integrator="RK45"))
    with pytest.raises(DescriptionError, match="resolution"):
        start(falling(), watches, resolution=0.0)
    with pytest.raises(DescriptionError, match="no event to locate"):
        start(falling(), watches).locate()
    with pytest.raises(NamingError, match="no watch named 'hal'"):
        model, state = compile_mechanism(falling(), watches)
        ADAPTIVE.start(model, state).arm(0.1, {"hal": 1})
    run = start(falling(), {})
    assert not go(run, 0.1)
    assert (run.exceeded, run.crossed, run.fired, run.sides) == ([], [], [], {})


# -- values


def load(w, samples, i):
    """A sample of a run into a workspace."""
    for field, name in {"q": "q", "v": "v", "acc": "a", "lam": "lam", "memory": "memory"}.items():
        getattr(w, field)[: samples[name].shape[1]] = samples[name][i]
    w.scalar[slots.S_TIME] = samples["t"][i]
    w.evaluate()
    w.apply_forces()


def values(run, watches):
    """{name: (n,)} quantity − threshold at every sample of a Result, through the kernels."""
    model, _ = compile_mechanism(run.mechanism, watches)
    w = Workspace(model)
    found = []
    for i in range(len(run)):
        load(w, run.samples, i)
        observe(w.address)
        found.append(w.watch_value[: len(watches)].copy())
    return {record.name: column for record, column in zip(model.watch_rows.records, np.array(found).T)}


def joint_kinds():
    from bielle.mechanism import registry

    for name, cls in registry.joints.items():
        if cls.attachment == "joints":  # they have no angle: see tests/joints/test_gear.py
            continue
        for dim in cls.dims:
            for i, kind in enumerate(cls.samples(dim)):
                yield pytest.param(kind, dim, False, id=f"{name}-{dim}d-{i}")
                if not kind.grounded:
                    yield pytest.param(kind, dim, True, id=f"{name}-{dim}d-{i}-on-ground")


def modulo_turns(angle):
    return (angle + np.pi) % (2 * np.pi) - np.pi


@pytest.mark.parametrize(("kind", "dim", "ground_is_b"), list(joint_kinds()))
def test_values_are_those_of_the_result(kind, dim, ground_is_b):
    rng = np.random.default_rng(dim)
    m = bl.Mechanism((1.0, -9.0, 2.0)[:dim], plane="xy" if dim == 2 else None)
    p, r = rng.uniform(-0.5, 0.5, (2, dim))
    coordinates = ("planar", "bar") if dim == 2 else ("spatial", "natural")
    for name, which, place in zip("ab", coordinates, rng.uniform(-0.3, 0.3, (2, dim))):
        spin = 0.7 if dim == 2 else (0.3, -0.4, 0.5)
        m.add_body(name, bl.box((0.5, 0.4, 0.3)[:dim], mass=1.2), position=place, angular_velocity=spin, coordinates=which)
    other = m.ground if kind.grounded else "a"
    places = {"at_a": (0.2, 0.3, 0.1)[:dim], "at_b": (0.1, -0.2, 0.3)[:dim]}  # apart: they are assembled first
    m.add_joint("j", kind, *(("b", m.ground) if ground_is_b else (other, "b")), **places)
    m.add_force("spring", bl.Spring(stiffness=30.0, length=0.4), "a", "b", at_a=p, at_b=r)
    run = m.simulate(0.1, samples=4)
    x_p, x_r = run["a"].point(p), run["b"].point(r)
    gap = x_p.position - x_r.position
    relative = run["b"].angular_velocity - run["a"].angular_velocity
    expected = {}
    watches = {}
    for order, quantity in enumerate(("position", "velocity", "acceleration")):
        axis = order % dim
        options = {"point": tuple(p), "axis": axis, "order": order, "threshold": 0.3}
        watches[quantity] = PointWatch(body="a", **options)
        expected[quantity] = getattr(x_p, quantity)[:, axis] - 0.3
        watches[f"relative {quantity}"] = PointWatch(body="a", other="b", other_point=tuple(r), **options)
        expected[f"relative {quantity}"] = (getattr(x_p, quantity) - getattr(x_r, quantity))[:, axis] - 0.3
    length = np.linalg.norm(gap, axis=1)
    for order, found in enumerate((length, np.sum(gap * (x_p.velocity - x_r.velocity), axis=1) / length)):
        watches[f"distance {order}"] = DistanceWatch(body="a", point=tuple(p), other="b", other_point=tuple(r), order=order)
        expected[f"distance {order}"] = found
    if dim == 2:
        watches |= {"angle": AngleWatch(body="b", other="a", threshold=2.0), "rate": AngleWatch(body="b", other="a", order=1)}
        expected |= {"angle": run["b"].angle - run["a"].angle - 2.0, "rate": relative}
    watches |= {"joint angle": JointAngleWatch(joint="j", threshold=0.1)}
    expected |= {"joint angle": run["j"].angle - 0.1}
    watches |= {"force": ReactionWatch(joint="j", threshold=1.5), "moment": ReactionWatch(joint="j", moment=True)}
    expected |= {"force": np.linalg.norm(run["j"].force(), axis=1) - 1.5}
    expected |= {"moment": np.abs(run["j"].moment()) if dim == 2 else np.linalg.norm(run["j"].moment(), axis=1)}
    watches |= {"output": OutputWatch(force="spring"), "energy": KineticEnergyWatch(threshold=1.0)}
    expected |= {"output": run["spring"].output, "energy": run.energy.kinetic - 1.0}
    found = values(run, watches)
    for name in {"angle", "joint angle"} & expected.keys():  # kernels that are asked at single instants know them up to whole turns
        found[name], expected[name] = modulo_turns(found[name]), modulo_turns(expected[name])
    for name, each in expected.items():
        np.testing.assert_allclose(found[name], each, rtol=1e-12, atol=1e-12 * (1 + np.abs(each).max()), err_msg=name)


def test_rate_of_a_joint_angle_is_its_derivative():
    """Fourth-order differences of the angle of a universal joint about its axis, which is not a plain hinge."""
    m = swinging()
    run = m.simulate(0.5, bl.Central(rtol=1e-12, atol=1e-13), samples=501)
    found = values(run, {"angle": JointAngleWatch(joint="ball"), "rate": JointAngleWatch(joint="ball", order=1)})
    angle, h = np.unwrap(found["angle"]), 1e-3
    slope = (angle[:-4] - 8 * angle[1:-3] + 8 * angle[3:-1] - angle[4:]) / (12 * h)
    assert np.abs(found["rate"][2:-2] - slope).max() < 1e-7


def test_descriptions():
    watch = AngleWatch(body="rod", axis=(0.0, 1.0, 0.0), threshold=1, direction=-1)
    assert msgspec.json.decode(msgspec.json.encode(watch), type=AnyWatch) == watch
    assert msgspec.json.encode(height(0.5)) == b'{"type":"point","threshold":0.5,"body":"disc","point":[0,0],"axis":1}'
    with pytest.raises(DescriptionError, match="direction"):
        height(0.0, direction=2)
    with pytest.raises(DescriptionError, match="threshold"):
        height(np.nan)
    for wrong in (PointWatch(body="rod", point=(0, 0), axis=2), PointWatch(body="rod", point=(0, 0), axis=0, order=3)):
        with pytest.raises(DescriptionError, match="watch 'w': the (axis|order) must be one of"):
            compile_mechanism(pendulum(1.0), {"w": wrong})
    with pytest.raises(DescriptionError, match="watch 'w': the point must be 2 numbers"):
        compile_mechanism(pendulum(1.0), {"w": PointWatch(body="rod", point=(0, 0, 0), axis=1)})
