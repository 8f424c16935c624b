"""Sessions in files: what is loaded goes on as the original does, and what cannot be loaded is refused."""

import math
import os
import warnings

import msgspec
import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, FileError
from bielle.live.counting import count
from bielle.live.encoding import row_names
from bielle.live.files import _HEAD, packed
from bielle.model import compile_mechanism

from .crane import SOLVERS, bits, crane, digest, output, work


def again(live, path, **options):
    """The session through a file."""
    live.save(path)
    return bl.load_session(path, **options)


def assert_alike(a, b):
    assert bits(a) == bits(b)
    assert a.mechanism == b.mechanism
    assert row_names(a.model) == row_names(b.model)
    for name, array in a.model.arrays.items():
        assert np.array_equal(array, b.model.arrays[name]), name


@pytest.fixture
def path(tmp_path):
    return tmp_path / "crane.session"


@pytest.mark.parametrize("planar", [True, False], ids=["planar", "spatial"])
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_what_is_loaded_goes_on_alike(solver, planar, path):
    live = crane(planar).live(solver, record=0.003)
    work(live)
    assert live.closing
    assert live._timers
    loaded = again(live, path)
    assert_alike(live, loaded)
    assert loaded.journal.entries == live.journal.entries
    assert (loaded.solver, loaded.record) == (live.solver, live.record)
    for _ in range(3):  # before, across and after the end of the closing and of the push
        for each in (live, loaded):
            each.advance(0.08)
            each.step(2)
            each.set("spring", damping=1.0 + each.time)
        assert_alike(live, loaded)
    assert not live.closing
    loaded = again(loaded, path)
    assert_alike(live, loaded)
    assert bits(loaded.replay()) == bits(live)


@pytest.mark.parametrize("solver", ["adaptive", "rk4", "generalized-alpha", "several rates"])
def test_another_process_goes_on_alike(solver, path):
    live = crane().live(SOLVERS[solver])
    work(live)
    live.save(path)
    live.advance(0.3)
    code = "import sys, crane, bielle; live = bielle.load_session(sys.argv[1]); live.advance(0.3); print(crane.digest(live))"
    assert output(code, path) == [digest(live)]


def random_edit(live, rng, serial):
    """Something is added, removed, replaced or changed, in one transaction."""
    m = live.mechanism
    joints = [name for name in m.joints if name.startswith("j")]
    with live.edit():
        for _ in range(rng.integers(1, 5)):
            what = rng.integers(7)
            number = next(serial)
            bodies = list(m.bodies)
            if what == 0:
                coordinates = rng.choice(["planar", "bar"])
                start = rng.uniform(-3, 3, 2)
                live.add_body(f"b{number}", bl.rod(start, start + np.array([1, 0]), mass=1.0), coordinates=str(coordinates))
            elif what == 1:
                live.add_force(f"f{number}", bl.Spring(stiffness=2.0), *rng.choice(bodies, 2, replace=False), at_a=(0.2, 0.1), at_b=(0, 0))
            elif what == 2:
                a, b = rng.choice(bodies, 2, replace=False)
                live.add_joint(f"j{number}", bl.Distance(), a, b, at_a=(0, 0), at_b=(0.1, 0))
            elif what == 3 and joints:
                live.remove(joints.pop(rng.integers(len(joints))))
            elif what == 4:
                live.replace(str(rng.choice(bodies)), coordinates=str(rng.choice(["planar", "bar"])))
            elif what == 5 and m.forces:
                name = str(rng.choice(list(m.forces)))
                force = m.forces[name]
                live.remove(name)
                live.add_force(name, force.kind, force.a, force.b, at_a=force.at_a, at_b=force.at_b)
            elif what == 6:
                live.set(str(rng.choice(bodies)), mass=float(rng.uniform(0.5, 2)))


@pytest.mark.parametrize("seed", range(4))
def test_rows_stand_where_edits_have_put_them(seed, path):
    rng, serial = np.random.default_rng(seed), iter(range(10**9))
    m = bl.Mechanism(plane="xy")
    for i in range(4):
        m.add_body(f"a{i}", bl.rod((i, 0), (i + 0.5, 0), mass=1.0), coordinates=("planar", "bar")[i % 2])
    live = m.live(bl.Central(integrator="rk4", step=np.float64(1e-3)))
    done = 0
    for _ in range(25):
        try:
            random_edit(live, rng, serial)
        except BielleError:  # joints that cannot close, components removed twice
            continue
        done += 1
        live.step(2)
        loaded = again(live, path)
        assert_alike(live, loaded)
        assert_alike(live, live.replay())
        live.step(1)
        loaded.step(1)
        assert bits(loaded) == bits(live)
    assert done > 10


def test_the_order_of_rows_is_in_the_file(path):
    live = crane().live(SOLVERS["newmark"])
    live.add_force("second", bl.Spring(stiffness=3.0), "ground", "upper", at_a=(0.3, 0.4), at_b=(0, 0))
    with live.edit():  # goes to the end of the description, and of the rows
        live.remove("spring")
        live.add_force("spring", bl.Spring(stiffness=4.0), "ground", "upper", at_a=(0.3, 0.6), at_b=(0, 0))
    assert row_names(live.model) == row_names(compile_mechanism(live.mechanism)[0])
    loaded = again(live, path)
    assert_alike(live, loaded)
    for each in (live, loaded):
        each.advance(0.1)
    assert_alike(live, loaded)


def test_orientations_keep_their_bits(path):
    rng = np.random.default_rng(1)
    m = bl.Mechanism()
    for i in range(50):
        q = rng.normal(size=4)
        m.add_body(f"b{i}", bl.box((0.1, 0.2, 0.3), mass=1.0), position=rng.normal(size=3), orientation=q)
        if i:
            m.add_joint(f"j{i}", bl.Fixed(), f"b{i - 1}", f"b{i}", at=rng.normal(size=3))
    live = m.live(SOLVERS["rk4"])
    live.teleport("b3", velocity=(1.0, 2.0, 3.0))
    loaded = again(live, path)
    assert_alike(live, loaded)

    def hexadecimal(mechanism):
        return [[x.hex() for x in (*c.axes_a, *c.at_a, *c.axes_b, *c.at_b)] for c in mechanism.joints.values()] + [
            [x.hex() for x in (*b.position, *b.orientation)] for b in mechanism.bodies.values()
        ]

    assert hexadecimal(loaded.mechanism) == hexadecimal(live.mechanism)
    assert hexadecimal(loaded._began.moment.mechanism) == hexadecimal(live._began.moment.mechanism)


def test_an_advance_that_was_interrupted_is_in_the_file(path):
    live = crane().live()

    def between():
        raise KeyboardInterrupt

    live._between_slices = between
    with pytest.raises(KeyboardInterrupt):
        live.advance(5.0)
    loaded = again(live, path)
    assert loaded.journal.entries == live.journal.entries
    assert bits(loaded.replay()) == bits(live)


# -- functions


def gust(t, view):
    return (math.sin(t), 0.1)


def pull(t):
    return 0.3 * math.cos(5 * t)


def test_functions_are_given_again(path):
    m = crane()
    m.add_force("gust", bl.CallableForce(function=gust), "lower", at_a=(0.0, 0.0))
    m.add_force("motor", bl.Torque(torque=pull), "ground", "lower")
    m.add_force("both", bl.PointForce(force=(pull, math.sin)), "upper", at_a=(0.0, 0.0))
    live = m.live()
    live.advance(0.1)
    live.set("motor", torque=math.sin)
    live.advance(0.1)
    live.save(path)
    with pytest.raises(
        FileError, match=r"'both' has a Python function.*load_session\(path, functions=\{'both': …, 'both \(2\)': …, 'gust': …"
    ):
        bl.load_session(path)
    functions = {"gust": gust, "motor": pull, "motor (2)": math.sin, "both": pull, "both (2)": math.sin}
    for name in functions:
        with pytest.raises(FileError, match=f"{name.split()[0]}"):
            bl.load_session(path, functions={key: f for key, f in functions.items() if key != name})
    with pytest.raises(FileError, match="'other'.*Leave it out"):
        bl.load_session(path, functions=functions | {"other": gust})
    with pytest.raises(FileError, match="must be callable, got 3"):
        bl.load_session(path, functions=functions | {"gust": 3})
    with pytest.raises(FileError, match="must be a dictionary"):
        bl.load_session(path, functions=[gust])
    loaded = bl.load_session(path, functions=functions)
    loaded = again(loaded, path, functions=functions)  # under the same names
    assert loaded.mechanism == live.mechanism
    assert bits(loaded.replay()) == bits(live)
    for each in (live, loaded):
        each.advance(0.2)
    assert bits(loaded) == bits(live)


def test_a_function_that_could_be_taken_for_data(path):
    live = crane().live()
    live.add_force("gust", bl.CallableForce(function=Wind(2.0)), "lower", at_a=(0.0, 0.0))
    loaded = again(live, path, functions={"gust": Wind(2.0)})
    for each in (live, loaded):
        each.advance(0.1)
    assert bits(loaded) == bits(live)


class Wind(msgspec.Struct):
    """Callable, and data."""

    strength: float

    def __call__(self, t, view):
        return (self.strength, 0.0)


# -- what is refused


def damaged(path, change):
    """The file with other data in it, as if it had been written so."""
    data = msgspec.msgpack.decode(path.read_bytes()[_HEAD.size :])
    change(data)
    path.write_bytes(packed(msgspec.msgpack.encode(data)))


def set_array(name, values):
    def change(data):
        data["present"]["arrays"][name] = np.array(values, dtype="<f8").tobytes()

    return change


def swap_names(data):
    data["present"]["rows"][0][0] = "nobody"


DAMAGE = {
    "short array": (set_array("q", [1.0, 2.0]), r"'q' of the present must have \d+ numbers, got 2"),
    "NaN": (lambda d: set_array("v", [math.nan] * (len(d["present"]["arrays"]["v"]) // 8))(d), "'v'.*not finite"),
    "odd bytes": (lambda d: d["present"]["arrays"].update(q=b"abc"), "'q' of the present must have"),
    "missing array": (lambda d: d["present"]["arrays"].pop("mu"), "does not have the arrays"),
    "names": (swap_names, "names of its components"),
    "twice the same": (lambda d: d["present"]["rows"][1].append("hook"), "names of its components"),
    "order of kinds": (lambda d: d["present"]["rows"][2].reverse(), "order of their kinds"),
    "body gone": (lambda d: d["start"]["mechanism"]["bodies"].pop("upper"), "pivot.*upper"),
    "negative mass": (lambda d: d["present"]["mechanism"]["bodies"]["ball"]["shape"].update(mass=-1.0), "ball.*mass"),
    "infinite mass": (lambda d: d["present"]["mechanism"]["bodies"]["ball"]["shape"].update(mass=math.inf), "finite"),
    "unknown kind": (lambda d: d["present"]["mechanism"]["joints"]["hook"].update(type="glue"), "glue"),
    "closing of nothing": (lambda d: d["present"]["closings"][0].update(joint="nobody"), "of no joint"),
    "closing gap": (lambda d: d["present"]["closings"][0].update(gap=[1.0]), "as many numbers"),
    "closing silent": (lambda d: d["present"]["closings"][0].update(silent=[99]), "equations that are not there"),
    "closing NaN": (lambda d: d["present"]["closings"][0].update(rate=[math.nan, 0.0]), "not finite"),
    "closing twice": (lambda d: d["present"]["closings"].append(d["present"]["closings"][0]), "closed twice"),
    "time": (lambda d: d["present"].update(time=math.nan), "not finite"),
    "timer": (lambda d: d["present"].update(timers=[[math.inf, "push"]]), "not finite"),
    "timer text": (lambda d: d["present"].update(timers="soon"), "timers"),
    "solver": (lambda d: d["solver"].update(integrator="magic"), "magic"),
    "solver option": (lambda d: d["solver"].update(wings=2), "unknown options"),
    "solver of scipy": (lambda d: d["solver"].update(integrator="RK45"), "RK45"),
    "record": (lambda d: d.update(record=-1.0), "samples are -1.0 s apart"),
    "hardly any time between samples": (lambda d: d.update(record=1e-310), "samples are 1e-310 s apart"),
    "history": (lambda d: d.update(history=-1), "options"),
    "journal entry": (lambda d: d["journal"].append(3), "no type"),
    "journal type": (lambda d: d["journal"].append({"type": "dance"}), "dance"),
    "journal operation": (lambda d: d["journal"][1]["operations"].append({"type": "sing"}), "sing"),
    "journal component": (lambda d: d["journal"][1]["operations"][0].pop("component"), "component"),
    "journal end": (lambda d: d["journal"][0].update(ends=[]), "no end"),
    "journal NaN": (lambda d: d["journal"][0].update(ends=[math.nan]), "finite"),
    "function": (lambda d: d["present"]["mechanism"]["forces"]["spring"].update(stiffness={"$function": "x"}), "'x'"),
    "key gone": (lambda d: d.pop("present"), "present"),
    "key more": (lambda d: d.update(virus=1), "virus"),
    "other type": (lambda d: d.update(journal="long ago"), "journal"),
}


@pytest.fixture(scope="module")
def worked(tmp_path_factory):
    path = tmp_path_factory.mktemp("worked") / "crane.session"
    live = crane().live()
    work(live)
    live.save(path)
    return path.read_bytes()


@pytest.mark.parametrize(("change", "message"), DAMAGE.values(), ids=DAMAGE)
def test_damage_is_refused(change, message, worked, path):
    path.write_bytes(worked)
    damaged(path, change)
    with pytest.raises(FileError, match=message) as caught:
        bl.load_session(path)
    assert str(path) in str(caught.value)


def values(data):
    """How many values plain data has, keys included."""
    if isinstance(data, dict):
        return 1 + len(data) + sum(map(values, data.values()))
    return 1 + sum(map(values, data)) if isinstance(data, list) else 1


def test_values_are_counted_without_being_made():
    numbers = [None, 1, -1, 200, -200, 70_000, -70_000, 2**40, -(2**40), 1.5, True]
    texts = {"a" * n: b"x" * n for n in (0, 40, 300, 70_000)}
    for data in (None, numbers, texts, [numbers] * 70_000, {str(i): [i] for i in range(70_000)}, {"a": {"b": [texts, {}, []]}}):
        assert count(msgspec.msgpack.encode(data), 10**9) == values(data)
    assert count(b"\xdd\xff\xff\xff\xff" + b"\x80" * 1000, 100) == 101
    assert count(msgspec.msgpack.encode([msgspec.msgpack.Ext(5, b"x" * n) for n in (1, 4, 100, 1000)]), 10) == 5
    assert count(b"\xc1", 10) == 1


def test_files_that_are_no_sessions(worked, path, tmp_path):
    for content, message in {
        b"": "not a session",
        b"bielle: 1\n": "not a session",
        worked[:20]: "cut off after 20 bytes",
        worked[:-1]: "cut off",
        worked[:200]: "cut off",
        worked + b"x": "followed by something else",
        worked[:300] + bytes([worked[300] ^ 1]) + worked[301:]: "damaged",
        worked[:16] + b"\x02" + worked[17:]: "version 2, but this release reads 1",
        packed(b""): "damaged or not a session",
        packed(b"\xdd\xff\xff\xff\xff"): "damaged or not a session",
        packed(b"\x91" * 100_000): "damaged or not a session",
        packed(msgspec.msgpack.encode([1, 2])): "damaged or not a session",
    }.items():
        path.write_bytes(content)
        with pytest.raises(FileError, match=message):
            bl.load_session(path)
    path.write_bytes(worked)
    with pytest.raises(FileError, match="longer than 100 bytes.*max_bytes"):
        bl.load_session(path, max_bytes=100)
    path.write_bytes(packed(msgspec.msgpack.encode({"journal": [{}] * 100_000})))
    with pytest.raises(FileError, match=r"more than 65536 numbers, texts, lists and dictionaries.*load_session\(path, max_bytes"):
        bl.load_session(path, max_bytes=500_000)
    for wrong, message in (
        (tmp_path / "nothing", "cannot be read"),
        (tmp_path, "not a regular file"),
        ("a\0b", "cannot be read"),
        (3, "path"),
    ):
        with pytest.raises(FileError, match=message):
            bl.load_session(wrong)


@pytest.mark.parametrize("seed", range(3))
def test_random_damage_never_leaks(seed, worked, path):
    """Whatever bytes the content has, there is a session or a FileError."""
    rng = np.random.default_rng(seed)
    content = bytearray(worked[_HEAD.size :])
    for _ in range(60):
        changed = bytearray(content)
        for place in rng.integers(len(changed), size=rng.integers(1, 4)):
            changed[place] = rng.integers(256)
        path.write_bytes(packed(bytes(changed)))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what could not be restored is told
                loaded = bl.load_session(path)
        except FileError:
            continue
        try:
            loaded.replay(until=0.01)
        except BielleError:
            continue


def test_a_file_is_written_whole_or_not_at_all(path, monkeypatch, tmp_path):
    live = crane().live()
    live.save(path)
    before = path.read_bytes()
    live.advance(0.1)

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FileError, match="disk full"):
        live.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["crane.session"]
    monkeypatch.undo()
    for wrong, message in ((tmp_path / "no" / "folder.session", "folder"), (3, "path")):
        with pytest.raises(FileError, match=message):
            live.save(wrong)
    with pytest.raises(bl.errors.DescriptionError, match="An edit is open"), live.edit():
        live.save(path)


def wheel(**options):
    """A wheel that turns at 20 rad/s."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("wheel", bl.disc(0.1, mass=1.0), angular_velocity=20.0)
    m.add_joint("axle", bl.Pin(), m.ground, "wheel", at=(0, 0))
    return m.live(**options)


def test_turns_are_kept(path):
    """Angles go on from where they were, over an edit, its undoing and a branch, too; all to the rounding of some steps."""
    live = wheel()
    live.advance(3.0)
    loaded = again(live, path)
    for component in ("axle", "wheel"):
        assert loaded[component].angle == live[component].angle == pytest.approx(60.0, abs=1e-9)
    loaded.advance(0.5)
    loaded.set("wheel", mass=2.0)
    loaded.advance(0.5)
    assert loaded["axle"].angle == pytest.approx(80.0, abs=1e-9)
    loaded.undo()
    assert loaded["axle"].angle == pytest.approx(70.0, abs=1e-9)
    assert loaded.branch()["axle"].angle == pytest.approx(70.0, abs=1e-9)
    assert again(loaded, path)["axle"].angle == pytest.approx(70.0, abs=1e-9)


@pytest.mark.parametrize("kept", ["saved", "autosaved"])
def test_awaited_angles_keep_their_turns(path, kept):
    live = wheel(autosave=path if kept == "autosaved" else None)
    live.when("axle.angle", rises=70.0)
    live.advance(3.0)
    if kept == "saved":
        live.save(path)
    else:
        live._autosave.flush()
    loaded = bl.load_session(path)
    loaded.advance(1.0)
    assert [time for time, _ in loaded.log] == pytest.approx([3.5], abs=1e-9)


def test_a_session_is_saved_though_nothing_can_be_read(path):
    """A function that fails when it is called outside of an advance must not cost the session."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("wheel", bl.disc(0.1, mass=1.0), angular_velocity=20.0)
    m.add_joint("axle", bl.Pin(), m.ground, "wheel", at=(0, 0))
    fails = []

    def push(t, view):
        if fails:
            raise ValueError("not now")
        return (0.0, 0.0)

    m.add_force("push", bl.CallableForce(function=push), "wheel", at_a=(0.0, 0.0))
    live = m.live()
    live.advance(1.0)
    fails.append(1)
    live._present = None
    live.save(path)
    fails.clear()
    assert bl.load_session(path, functions={"push": push}).time == 1.0
