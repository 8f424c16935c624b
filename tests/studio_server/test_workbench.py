"""The workbench: a queue in order, a feed, a thread that nothing ends."""

import threading

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError
from bielle.live.journal import Edit
from bielle.studio.actions import perform
from bielle.studio.messages import Grab, Properties, Pull, Redo, Release, Remove, Rename, Reset, Set, Solver, Undo
from bielle.studio.workbench import Workbench


def pendulum(**options):
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    return m.live(**options)


@pytest.fixture
def bench():
    found = Workbench(pendulum())
    yield found
    found.close()


def test_commands_are_done_in_order(bench):
    seen = []
    futures = [bench.do(lambda _, i=i: seen.append(i)) for i in range(100)]
    for future in futures:
        future.result(10)
    assert seen == list(range(100))


@pytest.mark.parametrize("error", [ValueError, BielleError, KeyboardInterrupt, SystemExit])
def test_an_error_is_that_of_its_command_and_ends_nothing(bench, error):
    def fail(_):
        raise error("no")

    with pytest.raises(error):
        bench.do(fail).result(10)
    assert bench.do(lambda b: b.live.time).result(10) == 0.0


def test_a_listener_that_fails_ends_nothing(bench):
    leave = bench.subscribe(lambda change: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        bench.do(lambda b: b.live.set("rod", mass=2.0)).result(10)
    leave()
    assert bench.do(lambda b: b.live.mechanism.bodies["rod"].shape.mass).result(10) == 2.0


def test_the_feed_tells_of_edits_before_the_answer(bench):
    told = []
    bench.subscribe(told.append)
    bench.do(lambda b: b.live.set("rod", mass=2.0)).result(10)
    assert [change.kind for change in told] == ["scene"]
    bench.do(lambda b: b.live.time).result(10)
    assert len(told) == 1


def test_what_happens_in_the_background_is_told(bench):
    """A joint that has closed: no command did that."""
    told = []
    bench.live.advance(0.2)
    bench.do(lambda b: b.live.lock("pivot", over=0.01)).result(10)
    bench.subscribe(told.append)
    with bench.live._lock:
        bench.live.advance(0.05)
    bench.tell_of_changes()
    assert [change.kind for change in told] == ["scene", "time"]
    bench.tell_of_changes()
    assert len(told) == 2


def test_the_feed_tells_of_time_before_the_answer(bench):
    """Whether it passes, how fast, and where it stands; not of each moment, nor while a solver is changed."""
    told = []
    bench.subscribe(told.append)

    def news(action):
        told.clear()
        bench.do(action).result(20)
        return [change.data for change in told if change.kind == "time"]

    (ran,) = news(lambda b: b.run(2.0))
    assert ran["running"]
    assert ran["factor"] == 2.0
    assert news(lambda b: b.use_solver("recursive", {})) == []
    assert bench.live.running
    assert news(lambda b: b.live.set("rod", mass=2.0)) == []
    (faster,) = news(lambda b: b.run(4.0))
    assert faster["factor"] == 4.0
    (paused,) = news(lambda b: b.pause())
    assert paused == {"running": False, "factor": 4.0, "time": bench.live.time}
    (stepped,) = news(lambda b: b.step(1))
    assert stepped["time"] == bench.live.time > paused["time"]
    (undone,) = news(lambda b: b.live.undo())  # to the moment at which the mass was set
    assert undone["time"] == bench.live.time < stepped["time"]
    (again,) = news(lambda b: perform(b, Reset()))
    assert again["time"] == 0.0
    assert bench.do(lambda b: b.branch(0.0)).result(20).result(20)
    assert told[-1].kind in ("session", "time")


def test_the_feed_tells_of_an_event_that_stops_time(bench):
    """No command does that; whoever looks next tells of it."""
    told = []
    bench.live.when("rod.position.y", "pause", below=-0.01)
    bench.subscribe(told.append)
    bench.do(lambda b: b.run()).result(20)
    while bench.live.running:
        bench.live._pacer._thread.join(0.01)
    bench.tell_of_changes()
    assert [change.data["running"] for change in told if change.kind == "time"] == [True, False]


def test_the_feed_tells_of_selections(bench):
    """Each front end has its own; nothing is told twice."""
    told = []
    bench.subscribe(told.append)
    bench.select(1, ["rod"])
    bench.select(1, ["rod"])
    bench.select(2, ["pivot", "rod"])
    assert bench.selections == {1: ("rod",), 2: ("pivot", "rod")}
    bench.select(1, ())
    bench.select(1, ())
    assert [(change.kind, change.data["viewer"], change.data["names"]) for change in told] == [
        ("selection", 1, ["rod"]),
        ("selection", 2, ["pivot", "rod"]),
        ("selection", 1, []),
    ]
    assert bench.selections == {2: ("pivot", "rod")}


def test_after_the_end_nothing_waits_for_ever(bench):
    bench.close()
    with pytest.raises(DescriptionError, match="closed"):
        bench.do(lambda b: 1).result(10)


def test_a_hand_that_moves_does_not_change_the_picture(bench):
    bench.do(lambda b: perform(b, Grab(body="rod", at=(1.0, 0.0, 0.0)))).result(10)
    told, version = [], bench.version
    bench.subscribe(told.append)
    for k in range(20):
        bench.do(lambda b, k=k: perform(b, Pull(to=(1.0, 0.01 * k, 0.0)))).result(10)
    assert told == []
    assert bench.version == bench.poses()[0] == bench.scene()["version"] == version
    assert [mark["kind"] for mark in bench.scene()["marks"]] == ["add"]
    assert bench.hand_shown()["to"] == [1.0, 0.19, 0.0]
    bench.do(lambda b: perform(b, Release())).result(10)
    assert bench.hand_shown() is None
    assert bench.version != version


def test_a_gesture_is_undone_as_a_whole(bench):
    for _ in range(2):
        bench.do(lambda b: perform(b, Grab(body="rod", at=(1.0, 0.0, 0.0)))).result(10)
        bench.do(lambda b: perform(b, Pull(to=(1.0, 1.0, 0.0)))).result(10)
        bench.live.advance(0.1)
        bench.do(lambda b: perform(b, Release())).result(10)
        assert not bench.live.mechanism.forces
    bench.do(lambda b: b.undo()).result(10)
    assert bench.live.time == pytest.approx(0.1)
    assert not bench.live.mechanism.forces
    bench.do(lambda b: b.undo()).result(10)
    assert bench.live.time == 0.0


def test_a_pull_is_one_stretch_however_often_the_hand_moves(bench):
    live = bench.live
    live.advance(0.1)
    before = live._history.mark(live.time)
    bench.do(lambda b: perform(b, Grab(body="rod", at=(1.0, 0.0, 0.0)))).result(10)
    steps, edits = len(live._undo), len([e for e in live.journal.entries if isinstance(e, Edit)])
    for k in range(30):
        bench.do(lambda b, k=k: perform(b, Pull(to=(1.0, 0.01 * k, 0.0)))).result(10)
        live.advance(0.01)
    bench.do(lambda b: perform(b, Release())).result(10)
    assert live._history.mark(live.time).stretch - before.stretch == 2  # with the hand, and without it
    assert len(live._undo) == steps
    assert len([e for e in live.journal.entries if isinstance(e, Edit)]) == edits + 1  # to let go
    assert [mark["label"] for mark in bench.scene()["marks"]] == ["add grab rod"]
    again = live.replay()
    assert again.time == live.time
    assert np.array_equal(again.state.q, live.state.q)
    bench.do(lambda b: b.undo()).result(10)
    assert live.time == before.time
    assert not live.mechanism.forces


def test_poses_belong_to_their_version_in_any_thread(bench):
    """Readers in four threads while bodies come and go: rows are as many as there are bodies in that version."""
    sizes, faults, end = {}, [], threading.Event()

    def read():
        try:
            while not end.is_set():
                version, _, poses = bench.poses()
                assert sizes.setdefault(version, len(poses)) == len(poses)
        except BaseException as error:
            faults.append(error)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for k in range(30):
        bench.do(lambda b, k=k: b.live.add_body(f"b{k}", bl.disc(0.1, mass=1.0))).result(10)
        if k % 3 == 2:
            bench.do(lambda b, k=k: b.live.remove(f"b{k}")).result(10)
    end.set()
    for reader in readers:
        reader.join(10)
    assert faults == []
    assert set(sizes.values()) <= set(range(1, 32))


def test_reset_keeps_what_was_built_at_the_start_and_can_be_undone(bench):
    bench.do(lambda b: b.live.add_body("new", bl.disc(0.1, mass=1.0))).result(10)
    bench.live.advance(0.3)
    bench.do(lambda b: b.live.set("rod", mass=3.0)).result(10)
    left, q = bench.live, bench.live.state.q
    bench.do(lambda b: perform(b, Reset())).result(10)
    assert bench.live.time == 0.0
    assert set(bench.live.mechanism.bodies) == {"rod", "new"}
    assert bench.live.mechanism.bodies["rod"].shape.mass == 1.0
    assert bench.scene()["undo"] == "reset"
    assert bench.do(lambda b: b.undo()).result(10) == "reset"
    assert bench.live is left
    np.testing.assert_array_equal(bench.live.state.q, q)
    assert bench.do(lambda b: b.undo()).result(10) == "set rod"


def test_an_edit_after_a_branch_is_undone_first(bench):
    bench.live.advance(0.5)
    bench.branch(0.25).result(10)
    assert bench.live.time == 0.25
    bench.do(lambda b: perform(b, Remove(names=["pivot"]))).result(10)
    assert bench.do(lambda b: b.undo()).result(10) == "remove pivot"
    assert bench.do(lambda b: b.undo()).result(10) == "branch at 0.25 s"
    assert bench.live.time == 0.5


def test_another_moment_can_be_gone_to_again_after_an_undo(bench):
    """In any mixture with edits; after something else was done there is nothing to redo."""
    bench.live.advance(0.5)
    first = bench.live
    bench.do(lambda b: b.live.set("rod", mass=2.0)).result(10)
    bench.branch(0.25).result(10)
    second = bench.live
    bench.do(lambda b: b.live.set("rod", mass=3.0)).result(10)
    bench.do(lambda b: perform(b, Reset())).result(10)
    third, labels = bench.live, []
    for _ in range(4):
        labels.append(bench.scene()["undo"])
        assert bench.do(lambda b: perform(b, Undo())).result(10) == {"label": labels[-1]}
    assert labels == ["reset", "set rod", "branch at 0.25 s", "set rod"]
    assert bench.live is first
    assert bench.scene()["undo"] is None
    mass = []
    for label in labels[::-1]:
        assert bench.scene()["redo"] == label
        assert bench.do(lambda b: perform(b, Redo())).result(10) == {"label": label}
        mass.append((bench.live, bench.live.mechanism.bodies["rod"].shape.mass))
    assert mass == [(first, 2.0), (second, 1.0), (second, 3.0), (third, 1.0)]
    assert bench.scene()["redo"] is None
    bench.do(lambda b: b.undo()).result(10)
    bench.do(lambda b: b.live.set("rod", mass=4.0)).result(10)
    assert bench.scene()["redo"] is None
    with pytest.raises(DescriptionError, match="nothing to redo"):
        bench.do(lambda b: b.redo()).result(10)


def test_a_solver_is_undone_and_redone_in_its_turn(bench):
    first = bench.live.solver
    bench.do(lambda b: b.live.set("rod", mass=2.0)).result(10)
    bench.do(lambda b: perform(b, Solver(family="modular", step=2e-3))).result(10)
    bench.live.advance(0.1)
    bench.do(lambda b: b.live.set("rod", mass=3.0)).result(10)
    assert bench.do(lambda b: b.undo()).result(10) == "set rod"
    assert bench.scene()["undo"] == "use modular"
    assert bench.do(lambda b: b.undo()).result(10) == "use modular"
    assert (bench.live.solver, bench.live.time) == (first, pytest.approx(0.1))
    assert bench.live.mechanism.bodies["rod"].shape.mass == 2.0
    assert bench.do(lambda b: b.redo()).result(10) == "use modular"
    assert bench.live.solver == bl.Modular(step=2e-3)
    assert bench.do(lambda b: b.redo()).result(10) == "set rod"
    assert [bench.do(lambda b: b.undo()).result(10) for _ in range(3)] == ["set rod", "use modular", "set rod"]
    assert bench.live.time == 0.0
    np.testing.assert_array_equal(bench.live.replay().state.q, bench.live.state.q)


def test_a_solver_that_can_not_come_back_does_not_stand_in_the_way(bench, monkeypatch):
    bench.do(lambda b: b.live.set("rod", mass=2.0)).result(10)
    bench.do(lambda b: b.use(bl.Modular(substeps={"rod": 2}), "use modular")).result(10)
    bench.do(lambda b: b.use(bl.Central(), "use central")).result(10)

    def refuse(solver):
        raise DescriptionError("not here")

    with monkeypatch.context() as patch:
        patch.setattr(bench.live, "use", refuse, raising=False)
        with pytest.raises(DescriptionError, match="not here"):
            bench.do(lambda b: b.undo()).result(10)
    assert bench.scene()["undo"] == "use modular"
    assert bench.do(lambda b: b.undo()).result(10) == "use modular"
    assert bench.live.solver == bl.Central()


def test_options_of_a_solver_that_were_not_mentioned_stay():
    first = bl.Modular(step=1e-3, substeps={"rod": 4}, integrators={"rod": "newmark"}, iterations=77, threads=1)
    bench = Workbench(pendulum(solver=first))
    bench.do(lambda b: perform(b, Solver(family="modular", step=2e-3))).result(10)
    assert bench.live.solver == bl.Modular(step=2e-3, substeps={"rod": 4}, integrators={"rod": "newmark"}, iterations=77, threads=1)
    bench.do(lambda b: perform(b, Solver(family="modular", tolerance=1e-8))).result(10)
    assert (bench.live.solver.tolerance, bench.live.solver.step) == (1e-8, 2e-3)
    assert bench.scene()["solver"]["tolerance"] == 1e-8
    with pytest.raises(DescriptionError, match="tolerance"):
        bench.do(lambda b: perform(b, Solver(family="central", tolerance=1e-8))).result(10)
    bench.close()


@pytest.mark.parametrize(
    ("first", "options", "then"),
    [
        (
            bl.Central(rtol=1e-6, atol=1e-7),
            {"formulation": "projected", "integrator": "rk4", "step": 1e-3},
            bl.Central(integrator="rk4", step=1e-3),
        ),
        (bl.Central(integrator="rk4", step=1e-3), {"integrator": "adaptive", "rtol": 1e-6}, bl.Central(rtol=1e-6)),
        (bl.Central(formulation="baumgarte", omega=9.0), {"rtol": 1e-6}, bl.Central(formulation="baumgarte", omega=9.0, rtol=1e-6)),
        (bl.Central(formulation="baumgarte", omega=9.0), {"formulation": "projected", "rtol": 1e-6}, bl.Central(rtol=1e-6)),
        (
            bl.Recursive(max_step=0.1, root="rod"),
            {"integrator": "rk4", "step": 1e-3},
            bl.Recursive("rk4", step=1e-3, max_step=0.1, root="rod"),
        ),
    ],
)
def test_options_that_do_not_go_together_are_left_out(first, options, then):
    family = type(first).__name__.lower()
    bench = Workbench(pendulum(solver=first))
    bench.do(lambda b: perform(b, Solver(family=family, **options))).result(10)
    assert bench.live.solver == then
    with pytest.raises(DescriptionError):
        bench.do(lambda b: perform(b, Solver(family=family, **options | {"rtol": -1.0}))).result(10)
    assert bench.live.solver == then
    bench.close()


def test_integrator_and_steps_of_a_body():
    """Properties of a body while the solver is modular; undone, redone, refused and renamed as others are."""
    bench = Workbench(pendulum(solver=bl.Modular()))

    def shown(name="rod"):
        found = bench.do(lambda b: perform(b, Properties(name=name))).result(10)["fields"]
        return {f["key"]: f["value"] for f in found if f["key"] in ("integrator", "substeps")}

    def put(key, value):
        return bench.do(lambda b: perform(b, Set(name="rod", key=key, value=value))).result(10)

    assert shown() == {"integrator": "verlet", "substeps": 1}
    put("integrator", "newmark")
    put("substeps", 4.0)
    assert bench.live.solver == bl.Modular(integrators={"rod": "newmark"}, substeps={"rod": 4})
    assert shown() == {"integrator": "newmark", "substeps": 4}
    for key, value in (("integrator", "euler"), ("substeps", 0), ("substeps", 1.5), ("substeps", "many")):
        with pytest.raises(BielleError):
            put(key, value)
    assert bench.do(lambda b: b.undo()).result(10) == "set rod"
    assert shown() == {"integrator": "newmark", "substeps": 1}
    bench.do(lambda b: b.redo()).result(10)
    bench.do(lambda b: perform(b, Rename(name="rod", new="bar"))).result(10)
    assert shown("bar") == {"integrator": "newmark", "substeps": 4}
    assert bench.do(lambda b: b.undo()).result(10) == "rename rod"
    assert shown() == {"integrator": "newmark", "substeps": 4}
    put("substeps", 1)
    put("integrator", "verlet")
    assert bench.live.solver == bl.Modular()
    bench.do(lambda b: perform(b, Solver(family="central"))).result(10)
    assert shown() == {}
    with pytest.raises(BielleError, match="substeps"):
        put("substeps", 2)
    bench.close()


def test_bodies_that_are_gone_do_not_keep_the_solver_from_changing():
    live = pendulum(solver=bl.Modular(substeps={"rod": 2}))
    live.add_body("other", bl.disc(0.1, mass=1.0))
    bench = Workbench(live)
    bench.do(lambda b: b.live.remove("rod", dependants=True)).result(10)
    bench.do(lambda b: perform(b, Solver(family="modular", step=5e-4))).result(10)
    assert bench.live.solver == bl.Modular(step=5e-4)
    assert [bench.do(lambda b: b.undo()).result(10) for _ in range(2)] == ["use modular", "remove rod"]
    assert bench.live.solver == bl.Modular(substeps={"rod": 2})
    bench.do(lambda b: perform(b, Solver(family="modular", step=5e-4))).result(10)
    bench.live.use(bl.Central())  # by somebody else, who is not contradicted
    bench.do(lambda b: b.live.set("rod", mass=5.0)).result(10)
    bench.do(lambda b: b.undo()).result(10)
    assert bench.live.solver == bl.Central()
    bench.close()


def test_reset_of_a_session_that_began_later(tmp_path):
    live = pendulum()
    live.advance(0.5)
    live.save(tmp_path / "a.session")
    bench = Workbench(bl.load_session(tmp_path / "a.session"))
    bench.do(lambda b: perform(b, Reset())).result(10)
    assert bench.live.time == 0.0
    bench.close()


@pytest.mark.parametrize(("factor", "frame"), [(0.001, 0.001 / 60), (1.0, 1 / 60), (1000.0, 4 / 60)])
def test_frames_follow_the_speed(bench, factor, frame):
    bench.do(lambda b: b.run(factor)).result(10)
    assert bench.live._pacer.frame == pytest.approx(frame)
    bench.do(Workbench.still).result(10)


def failing(time=0.1):
    live = pendulum()
    live.add_force("bad", bl.CallableForce(function=lambda t, view: (0.0, 0.0) if t < time else 1 / 0), "rod", at=(0.5, 0.0))
    return live


def test_a_failure_in_the_background_is_told_and_can_be_undone():
    bench, told = Workbench(failing()), []
    bench.subscribe(told.append)
    bench.do(lambda b: b.run(100.0)).result(10)
    while bench.live.running:
        threading.Event().wait(0.01)
    text = bench.failure()
    assert "bad" in text
    assert bench.failure() is None
    assert 0.0 < bench.live.time <= 0.1
    bench.do(lambda b: b.undo()).result(10)
    bench.live.advance(0.2)
    bench.close()


@pytest.mark.parametrize("command", [Workbench.pause, Workbench.still, lambda b: b.take(pendulum()), lambda b: b.run(1.0)])
def test_a_failure_that_was_not_told_stops_no_other_command(command):
    bench, told = Workbench(failing()), []
    bench.subscribe(told.append)
    bench.do(lambda b: b.run(100.0)).result(10)
    while bench.live.running:
        threading.Event().wait(0.01)
    bench.do(command).result(10)
    assert any(change.kind == "notice" and "bad" in change.data["text"] for change in told)
    bench.close()


def test_redundant_joints_are_marked_when_the_report_was_asked_for():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    m.add_joint("again", bl.Pin(), "ground", "rod", at=(0, 0))
    bench = Workbench(m.live())
    assert all(joint["states"] == [] for joint in bench.scene()["joints"])
    found = bench.do(Workbench.report).result(20)
    assert found["redundant"] == 2
    assert found["dof"] == 1
    assert [joint["states"] for joint in bench.scene()["joints"]] == [["redundant"]] * 2
    bench.do(lambda b: b.live.set("rod", mass=2.0)).result(10)
    assert [joint["states"] for joint in bench.scene()["joints"]] == [["redundant"]] * 2  # the joints are what they were
    bench.do(lambda b: b.live.remove("again")).result(10)
    assert all(joint["states"] == [] for joint in bench.scene()["joints"])
    bench.close()


def test_redundant_joints_are_marked_soon_after_an_edit(bench):
    """If somebody looks on; without being asked for, and not again for edits of anything else."""
    told, marked = [], threading.Event()

    def listen(change):
        told.append(change.kind)
        if any("redundant" in joint["states"] for joint in bench.scene()["joints"]):
            marked.set()

    bench.subscribe(listen)
    bench.do(lambda b: b.live.add_joint("again", bl.Pin(), "ground", "rod", at=(0.0, 0.0))).result(10)
    assert marked.wait(20)
    assert [joint["states"] for joint in bench.scene()["joints"]] == [["redundant"]] * 2
    bench.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "bielle studio redundancy"]


def test_what_cannot_be_looked_at_is_not_marked(bench, monkeypatch):
    looked = threading.Event()

    def fail(m):
        looked.set()
        raise ZeroDivisionError

    monkeypatch.setattr("bielle.studio.marking.report", fail)
    bench.subscribe(lambda change: None)
    bench.do(lambda b: b.live.add_joint("again", bl.Pin(), "ground", "rod", at=(0.0, 0.0))).result(10)
    assert looked.wait(20)
    bench.close()
    assert all("redundant" not in joint["states"] for joint in bench.scene()["joints"])


def test_a_slider_is_one_edit_to_undo(bench, monkeypatch):
    """Values that follow each other at once go with the first; whatever comes in between, or a pause, begins another edit."""
    now = 100.0
    monkeypatch.setattr("bielle.studio.workbench.clock.monotonic", lambda: now)

    def put(mass):
        bench.do(lambda b: perform(b, Set(name="rod", key="mass", value=mass))).result(10)

    for mass in (2.0, 3.0, 4.0):
        put(mass)
        now += 0.1
    now += 5.0
    put(5.0)
    masses = []
    for _ in range(2):
        bench.do(lambda b: b.undo()).result(10)
        masses.append(bench.live.mechanism.bodies["rod"].shape.mass)
    assert masses == [4.0, 1.0]


def test_a_slider_of_the_solver_is_one_step_to_undo(bench, monkeypatch):
    """Until it is let go, or something else is done; so is that of the steps of a body."""
    now = [0.0]
    monkeypatch.setattr("bielle.studio.workbench.clock.monotonic", lambda: now[0])
    bench.do(lambda b: perform(b, Solver(family="modular", step=1e-3))).result(10)

    def drag(*values):
        for value in values:
            now[0] += 0.1
            bench.do(lambda b, value=value: perform(b, Solver(family="modular", step=value))).result(10)

    def undone():
        bench.do(lambda b: b.undo()).result(10)
        return bench.live.solver.step

    drag(2e-3, 3e-3, 4e-3)
    now[0] += 5.0
    drag(5e-3, 6e-3)
    bench.do(lambda b: perform(b, Set(name="rod", key="mass", value=2.0))).result(10)
    drag(7e-3, 8e-3)
    for value in (2, 3, 4):
        bench.do(lambda b, value=value: perform(b, Set(name="rod", key="substeps", value=value))).result(10)
    bench.do(lambda b: b.undo()).result(10)
    assert bench.live.solver == bl.Modular(step=8e-3)
    assert undone() == 6e-3
    bench.do(lambda b: b.undo()).result(10)
    assert bench.live.mechanism.bodies["rod"].shape.mass == 1.0
    assert [undone(), undone()] == [4e-3, 1e-3]
    for step in (4e-3, 6e-3, 6e-3, 8e-3):
        bench.do(lambda b: b.redo()).result(10)
        assert bench.live.solver.step == step


def test_a_body_keeps_its_colour_under_another_name(bench):
    before = bench.scene()["bodies"][0]["color"]
    bench.do(lambda b: perform(b, Rename(name="rod", new="bar"))).result(10)
    assert bench.scene()["bodies"][0] | {"name": "bar", "color": before} == bench.scene()["bodies"][0]


def test_a_branch_that_would_never_end():
    """Steps of a body at rest grow without bounds; to compute all samples on the way to where they lead would take for ever."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    bench = Workbench(m.live())
    try:
        bench.do(lambda b: b.step(60)).result(10)
        assert bench.live.time > 1e15
        before = bench.live
        with pytest.raises(DescriptionError, match="too far"):
            bench.branch(1e15)
        assert bench.live is before
    finally:
        bench.close()
