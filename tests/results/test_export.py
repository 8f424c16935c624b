"""Tables and files: names and units, round trips, and files that somebody damaged or made up."""

import contextlib
import csv
import io
import json
import os
import sys
import zipfile

import h5py
import numpy as np
import pandas
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError, FileError, NamingError
from bielle.results import storage
from bielle.results.export import load_result, save, table, to_xarray
from bielle.results.table import Table


def planar(name="arm", dots=False):
    lower = "lower.left" if dots else "lower"
    m = bl.Mechanism(plane="xy", name=name)
    m.add_body("upper", bl.rod((0.0, 0.0), (1.0, 0.0), mass=1.0))
    m.add_body(lower, bl.rod((1.0, 0.0), (2.0, 0.0), mass=1.0), coordinates="bar")
    m.add_joint("shoulder", bl.Pin(), m.ground, "upper", at=(0.0, 0.0))
    m.add_joint("elbow", bl.Pin(), "upper", lower, at=(1.0, 0.0))
    m.add_frame("hand", lower, at=(2.0, 0.0))
    m.add_force("spring", bl.Spring(stiffness=20.0, damping=0.5), m.ground, "hand", at_a=(1.0, 1.0))
    m.add_force("motor", bl.Motor(target=bl.Harmonic(amplitude=0.5, frequency=1.0), stiffness=5.0), joint="shoulder")
    return m


def spatial():
    m = bl.Mechanism(name="space")
    m.add_body("arm", bl.capsule((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.05, mass=1.0))
    m.add_body("slide", bl.box((0.2, 0.2, 0.2), mass=1.0), position=(0.0, 1.0, 0.0))
    m.add_joint("hinge", bl.Revolute(axis="y"), m.ground, "arm", at=(0.0, 0.0, 0.0))
    m.add_joint("rail", bl.Prismatic(axis="z"), m.ground, "slide", at=(0.0, 1.0, 0.0))
    m.add_joint(
        "drive", bl.ImposedTranslation(displacement=bl.Harmonic(amplitude=0.2, frequency=1.0), axis="z"), m.ground, "slide", at=(0, 1, 0)
    )
    return m


@pytest.fixture(scope="module")
def run():
    return planar().simulate(1.0, samples=51)


@pytest.fixture(scope="module")
def space():
    return spatial().simulate(1.0, samples=21)


# -- tables


def test_columns_of_a_planar_run(run):
    made = run.table()
    assert made.columns[0] == "time"
    expected = {
        "lower.position.x": run["lower"].position[:, 0],
        "lower.velocity.y": run["lower"].velocity[:, 1],
        "lower.acceleration.x": run["lower"].acceleration[:, 0],
        "lower.angle": run["lower"].orientation,
        "lower.angular_velocity": run["lower"].angular_velocity,
        "elbow.force.x": run["elbow"].force(on="lower")[:, 0],
        "elbow.angle": run["elbow"].angle,
        "elbow.violation": run["elbow"].violation,
        "hand.accelerometer.y": run["hand"].accelerometer[:, 1],
        "hand.gyroscope": run["hand"].gyroscope,
        "spring.output": run["spring"].output,
        "spring.energy": run["spring"].energy,
        "spring.force.y": run["spring"].force()[:, 1],
        "motor.output": run["motor"].output,
        "motor.moment": run["motor"].moment(),
        "energy.kinetic": run.energy.kinetic,
        "energy.drives": run.energy.drives,
        "energy.error": run.energy.error,
        "violation": run.violation,
    }
    for name, values in expected.items():
        assert np.array_equal(made[name], values), name
    absent = ("elbow.moment", "elbow.displacement.x", "motor.force.x", "spring.moment")  # always zero
    assert not set(absent) & set(made.columns)
    units = {"time": "s", "lower.velocity.y": "m/s", "lower.angle": "rad", "spring.output": "N", "motor.output": "N·m", "energy.error": ""}
    assert {name: made.units[name] for name in units} == units
    assert made.shape == (51, len(made.columns)) == made.to_numpy().shape
    assert np.array_equal(made.to_numpy()[:, made.columns.index("spring.output")], run["spring"].output)


def test_columns_of_a_spatial_run(space):
    made = space.table()
    assert np.array_equal(made["arm.orientation.w"], space["arm"].orientation[:, 0])
    assert np.array_equal(made["hinge.moment.z"], space["hinge"].moment()[:, 2])
    assert np.array_equal(made["rail.displacement.z"], space["rail"].displacement[:, 2])
    assert np.array_equal(made["arm.angular_velocity.y"], space["arm"].angular_velocity[:, 1])
    assert "rail.angle" not in made
    assert "hinge.displacement.x" not in made


def test_quantities_by_name(run, space):
    made = table(run, ["lower.position", "elbow.force.norm", "energy", "elbow", "spring", "lower", "motor.moment.z", "motor.power"])
    energies = ["kinetic", "gravitational", "elastic", "dissipated", "drives", "applied", "mechanical"]
    assert made.columns == [
        *("time", "lower.position.x", "lower.position.y", "elbow.force.norm"),
        *(f"energy.{kind}" for kind in energies),
        *("elbow.force.x", "elbow.force.y", "spring.output", "motor.moment.z"),
        *("motor.power.dissipated", "motor.power.drives", "motor.power.applied"),
    ]
    assert np.allclose(made["elbow.force.norm"], np.linalg.norm(run["elbow"].force(), axis=1))
    assert run.table("violation").columns == ["time", "violation"]
    assert table(run, "time").columns == ["time"]
    assert np.array_equal(space.table("rail.angle")["rail.angle"], space["rail"].angle)  # not in the table, but there


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("lower.positon", "'lower.position'"),
        ("lowr.position", "'lower.position'"),
        ("lower.position.z", "lower.position.x"),
        ("elbow.forces", "'elbow.force'"),
        ("energy.kinetik", "'energy.kinetic'"),
        ("spring.output.x", "'spring.output'"),
        ("motor.power.norm", "motor.power.drives"),
        ("", "energy"),
        ("?", "violation"),
    ],
)
def test_unknown_quantities_suggest_the_nearest(run, name, hint):
    with pytest.raises(NamingError, match="There is no quantity") as error:
        run.table(name)
    assert hint in str(error.value)


def test_a_quantity_that_is_no_name(run):
    with pytest.raises(DescriptionError, match="string"):
        table(run, [3])


def test_names_with_dots_and_names_of_the_whole():
    m = planar(dots=True)
    m.rename("upper", "energy")
    m.rename("hand", "violation")
    run = m.simulate(0.1, samples=3)
    made = run.table("lower.left.position.x", "energy.position", "energy.kinetic", "violation", "violation.position")
    assert np.array_equal(made["lower.left.position.x"], run["lower.left"].position[:, 0])
    assert np.array_equal(made["energy.position.y"], run["energy"].position[:, 1])
    assert np.array_equal(made["energy.kinetic"], run.energy.kinetic)
    assert np.array_equal(made["violation"], run.violation)
    assert np.array_equal(made["violation.position.x"], run["violation"].position[:, 0])


def test_units_of_outputs():
    m = planar()
    m.add_force("coil", bl.TorsionSpring(stiffness=1.0), joint="elbow")
    m.add_force("friction", bl.JointDamping(coefficient=0.1), joint="elbow")
    m.add_force("twist", bl.Torque(torque=0.1), "upper")
    m.add_force("push", bl.PointForce(force=(1.0, 0.0), axes="body"), "hand")
    units = m.simulate(0.1, samples=3).table().units
    assert [units[f"{name}.output"] for name in ("coil", "friction", "twist", "push")] == ["N·m", "N·m", "N·m", "N"]


def test_table_shows_its_ends():
    long = Table({"time": np.arange(100) / 8, **{f"column {i}": np.full(100, i + 0.25) for i in range(30)}}, {"time": "s"})
    text = repr(long)
    assert "100 rows × 31 columns" in text
    assert "12.375" in text
    assert "…" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "<td>12.375</td>" in long._repr_html_()
    assert "time [s]" in long._repr_html_()
    assert "&lt;b&gt;" in Table({"<b>": np.zeros(2)})._repr_html_()
    assert repr(Table({"x": np.array([1.0])})).splitlines() == ["   x", "0  1", "[1 rows × 1 columns]"]
    assert repr(Table({})) == "\n[0 rows × 0 columns]"


def test_table_is_a_table():
    made = Table({"a": [1, 2], "b": [3, 4]})
    assert list(made) == ["a", "b"]
    assert len(made) == 2
    assert made[["b"]].columns == ["b"]
    with pytest.raises(NamingError, match="'a'"):
        made["aa"]
    with pytest.raises(DescriptionError, match="same length"):
        Table({"a": [1, 2], "b": [3]})


def test_csv_reads_back_the_same_numbers(run, tmp_path):
    path = run.save(tmp_path / "run.csv")
    with open(path, newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head == run.table().columns
    assert np.array_equal(np.array(rows, dtype=float), run.table().to_numpy())
    assert run.table("violation").to_csv().startswith("time,violation\n")
    strange = Table({'comma, "quote"': np.array([0.1, np.nan])}).to_csv()
    assert next(csv.reader(io.StringIO(strange))) == ['comma, "quote"']
    with pytest.raises(DescriptionError, match=r"\.csv"):
        run.table().to_csv(tmp_path / "run.xls")


def test_pandas(run):
    frame = run.table().to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert np.array_equal(frame["spring.output"], run["spring"].output)
    assert frame.attrs["units"]["spring.output"] == "N"


def test_xarray(run, space):
    data = run.to_xarray()
    assert data["lower.position"].dims == ("time", "axis")
    assert data["axis"].values.tolist() == ["x", "y"]
    assert np.array_equal(data["lower.position"].sel(axis="y"), run["lower"].position[:, 1])
    assert data["elbow.force"].attrs["units"] == "N"
    assert data["energy.error"].attrs["units"] == "1"
    assert data["time"].attrs["units"] == "s"
    assert data.attrs["title"] == "arm"
    turned = to_xarray(space, ["arm.orientation", "time", "arm.velocity"])
    assert turned["arm.orientation"].dims == ("time", "quaternion")
    assert set(turned.data_vars) == {"arm.orientation", "arm.velocity"}


@pytest.mark.parametrize("package", ["pandas", "xarray", "h5py"])
def test_missing_packages_are_named(run, tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    actions = {"pandas": run.table("violation").to_pandas, "xarray": run.to_xarray, "h5py": lambda: run.save(tmp_path / "run.h5")}
    with pytest.raises(BielleError, match=rf"{package}.*bielle\[export\]"):
        actions[package]()
    assert not list(tmp_path.iterdir())


# -- files


@pytest.mark.parametrize("ending", [".npz", ".h5", ".hdf5", ".NPZ"])
def test_a_result_comes_back_whole(run, space, tmp_path, ending):
    for original in (run, space):
        path = tmp_path / f"run{ending}"
        assert original.save(path) == path
        again = bl.Result.load(str(path))
        assert again.mechanism == original.mechanism
        assert again.info["solver"] == original.info["solver"]
        assert again.info["statistics"] == original.info["statistics"]
        assert again.info["assembly"] == {"moved": 0.0, "gap": 0.0, "residual": 0.0, "dropped": []}
        assert again.table().columns == original.table().columns
        assert np.array_equal(again.table().to_numpy(), original.table().to_numpy())
        assert os.listdir(tmp_path) == [path.name]  # nothing is left beside it


def test_a_loaded_result_can_be_saved_again(run, tmp_path):
    first = load_result(save(run, tmp_path / "a.npz"))
    second = load_result(save(first, tmp_path / "b.h5"))
    assert second.info == first.info
    assert all(np.array_equal(second.samples[name], run.samples[name]) for name in run.samples)


def test_hdf5_can_be_read_by_others(space, tmp_path):
    with h5py.File(space.save(tmp_path / "run.h5")) as file:
        data = file["quantities/arm.position"]
        assert np.array_equal(data, space["arm"].position)
        assert data.attrs["units"] == "m"
        assert list(data.attrs["components"]) == ["x", "y", "z"]
        assert np.array_equal(file["quantities/time"], space.time)
        assert json.loads(file["mechanism"].asstr()[()])["name"] == "space"


def test_slashes_in_names_make_no_groups(tmp_path):
    m = planar()
    m.rename("upper", "a/b")
    m.rename("lower", "a")
    run = m.simulate(0.1, samples=3)
    assert np.array_equal(load_result(run.save(tmp_path / "run.h5"))["a/b"].position, run["a/b"].position)


@pytest.mark.parametrize("ending", [".npz", ".h5"])
def test_python_functions_stay_behind(tmp_path, ending):
    def build():
        m = planar()
        m.add_force("wind", bl.CallableForce(function=lambda t, view: np.array([1.0, 0.0])), "hand")
        return m

    run, path = build().simulate(0.2, samples=5), tmp_path / f"run{ending}"
    with pytest.warns(UserWarning, match=r"force 'wind'.*load_result\(path, mechanism=") as caught:
        run.save(path)
    assert caught[0].filename == __file__  # it points at the program of the user
    with pytest.raises(FileError, match=r"force 'wind'.*mechanism="):
        load_result(path)
    again = load_result(path, mechanism=build())
    assert np.array_equal(again.table().to_numpy(), run.table().to_numpy())
    with pytest.raises(FileError, match="not the one that was simulated"):
        load_result(path, mechanism=planar())


def test_a_wrong_mechanism_is_refused(run, tmp_path):
    path = run.save(tmp_path / "run.npz")
    other = planar()
    other.rename("upper", "above")
    with pytest.raises(FileError, match=r"not the one.*above"):
        load_result(path, mechanism=other)
    with pytest.raises(FileError, match="not the one"):
        load_result(path, mechanism=spatial())
    assert len(load_result(path, mechanism=planar())) == 51


def test_runs_that_broke_off_can_be_saved(run, tmp_path):
    samples = {name: array[:20].copy() for name, array in run.samples.items()}
    samples["v"][15:] = np.nan
    broken = bl.Result(run.mechanism, run.model, samples, info={"status": "failed", "worst": np.inf, "odd": object()})
    again = load_result(broken.save(tmp_path / "run.npz"))
    assert again.info["status"] == "failed"
    assert again.info["worst"] is None
    assert np.array_equal(again.samples["v"], samples["v"], equal_nan=True)
    empty = bl.Result(run.mechanism, run.model, {name: array[:0] for name, array in run.samples.items()})
    for ending in (".npz", ".h5", ".csv"):
        path = empty.save(tmp_path / f"empty{ending}")
        assert ending == ".csv" or len(load_result(path)) == 0


@pytest.mark.parametrize("path", ["run.mat", "run", "run.json", "folder.npz/run"])
def test_unknown_endings_list_the_known(run, tmp_path, path):
    with pytest.raises(DescriptionError, match=r"\.npz, \.h5, \.hdf5 or \.csv"):
        run.save(tmp_path / path)
    with pytest.raises(DescriptionError, match=r"\.npz, \.h5, \.hdf5 or \.csv"):
        load_result(tmp_path / path)


def test_paths_that_do_not_work(run, tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        run.save(tmp_path / "nowhere" / "run.npz")
    with pytest.raises(DescriptionError, match="path"):
        run.save(3.5)
    for name in ("nul\0.npz", "x" * 5000 + ".npz"):
        with pytest.raises(FileError, match="cannot be written"):
            run.save(tmp_path / name)
        with pytest.raises(FileError, match="cannot be read"):
            load_result(tmp_path / name)
    with pytest.raises(FileError, match=r"\.csv"):
        load_result(run.save(tmp_path / "run.csv"))
    for name in ("none.npz", "none.h5"):
        with pytest.raises(FileError, match="cannot be read"):
            load_result(tmp_path / name)
    folder = tmp_path / "folder.npz"
    folder.mkdir()
    with pytest.raises(FileError, match="regular"):
        load_result(folder)
    with pytest.raises(FileError, match="cannot be written"):
        run.save(folder)
    if hasattr(os, "mkfifo"):  # a pipe would never end
        os.mkfifo(tmp_path / "pipe.npz")
        with pytest.raises(FileError, match="regular"):
            load_result(tmp_path / "pipe.npz")


def test_a_failure_leaves_the_old_file(run, tmp_path, monkeypatch):
    path = run.save(tmp_path / "run.npz")
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half of it")
        raise OSError("disk full")

    monkeypatch.setattr(storage.np, "savez_compressed", fail)
    with pytest.raises(FileError, match="disk full"):
        run.save(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["run.npz"]


# -- damaged and hostile files


def rewrite(path, target, **changes):
    """A copy of a .npz with some entries replaced (None: left out)."""
    with np.load(path) as file:
        content = {name: file[name] for name in file.files} | changes
    with open(target, "wb") as file:
        np.savez_compressed(file, **{name: value for name, value in content.items() if value is not None})
    return target


@pytest.mark.parametrize("ending", [".npz", ".h5"])
def test_truncated_files(run, tmp_path, ending):
    whole = run.save(tmp_path / f"run{ending}").read_bytes()
    target = tmp_path / f"bad{ending}"
    for length in (0, 1, 10, 100, len(whole) // 2, len(whole) - 100):
        target.write_bytes(whole[:length])
        with pytest.raises(FileError):
            load_result(target)
    target.write_bytes(b"hello, world")
    with pytest.raises(FileError, match="bad"):
        load_result(target)


def test_garbled_files(run, tmp_path):
    whole = np.frombuffer(run.save(tmp_path / "run.npz").read_bytes(), dtype=np.uint8)
    target, rng = tmp_path / "bad.npz", np.random.default_rng(0)
    for _ in range(30):
        garbled = whole.copy()
        garbled[rng.integers(0, len(whole), 40)] = rng.integers(0, 256, 40)
        target.write_bytes(garbled.tobytes())
        with contextlib.suppress(FileError):  # the damage is noticed, or of no consequence
            load_result(target).table("upper.position", "violation")


@pytest.mark.parametrize(
    "change",
    [
        {"samples.q": np.zeros((51, 6))},
        {"samples.q": np.zeros((50, 7))},
        {"samples.v": np.zeros(51)},
        {"samples.lam": np.zeros((51, 5), dtype=int)},
        {"samples.lam": np.zeros((51, 5), dtype=complex)},
        {"samples.memory": None},
        {"samples.t": np.zeros((51, 1))},
        {"samples.t": np.linspace(1, 0, 51)},
        {"samples.t": np.full(51, np.nan)},
        {"samples.work": np.array("text")},
        {"mechanism": np.array("{}")},
        {"mechanism": np.array("")},
        {"mechanism": np.array(5)},
        {"mechanism": np.array("[" * 100_000)},
        {"layout": np.array("{}")},
        {"layout": np.array("[" * 100_000)},
        {"layout": None},
        {"info": np.array("{")},
        {"info": None},
        {"bielle_result": None},
        {"bielle_result": np.array(99)},
        {"bielle_result": np.array("one")},
        {"bielle_result": np.zeros(3)},
    ],
    ids=lambda change: "-".join(f"{name}={value!s:.12}" for name, value in change.items()),
)
def test_made_up_contents_are_refused(run, tmp_path, change):
    path = run.save(tmp_path / "run.npz")
    with pytest.raises(FileError, match="bad.npz"):
        load_result(rewrite(path, tmp_path / "bad.npz", **change))


def test_pickles_are_never_opened(run, tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    path = run.save(tmp_path / "run.npz")
    with np.load(path) as file:
        content = {name: file[name] for name in file.files} | {"samples.q": np.array([Trap()], dtype=object)}
    np.savez(tmp_path / "bad.npz", **content)
    with pytest.raises(FileError, match=r"pickle|allow_pickle"):
        load_result(tmp_path / "bad.npz")
    assert not (tmp_path / "sprung").exists()


def test_bombs_are_not_unpacked(run, tmp_path, monkeypatch):
    path = run.save(tmp_path / "run.npz")
    bomb = rewrite(path, tmp_path / "bomb.npz", extra=np.zeros(3_000_000))
    with pytest.raises(FileError, match="max_bytes"):
        load_result(bomb, max_bytes=10_000_000)
    assert load_result(bomb).time[-1] == run.time[-1]
    monkeypatch.setattr(storage, "_SMALL", 10**6)
    with pytest.raises(FileError, match="max_bytes"):  # much larger than the file
        load_result(bomb)
    # a header that promises more than there is
    claim = io.BytesIO()
    np.lib.format.write_array_header_1_0(claim, {"descr": "<f8", "fortran_order": False, "shape": (10**13, 7)})
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "claim.npz", "w") as new:
        for name in old.namelist():
            new.writestr(name, claim.getvalue() if name == "samples.q.npy" else old.read(name))
    with pytest.raises(FileError, match="claim"):
        load_result(tmp_path / "claim.npz")


@pytest.mark.parametrize(
    "what",
    [
        *("missing", "group", "text", "external", "soft", "version", "foreign", "large", "list", "variable", "earlier", "chunk"),
        *("variable version", "filter", "numbers"),
    ],
)
def test_made_up_hdf5_is_refused(run, tmp_path, what):
    path, secret = run.save(tmp_path / "run.h5"), run.save(tmp_path / "other.h5")
    with h5py.File(path, "a") as file:
        if what == "missing":
            del file["samples/q"]
        elif what == "group":
            del file["samples"]
            file["samples"] = 3.0
        elif what == "text":
            del file["layout"]
            file["layout"] = 3.0
        elif what == "external":
            del file["samples/q"]
            file["samples/q"] = h5py.ExternalLink(str(secret), "samples/q")
        elif what == "soft":
            del file["mechanism"]
            file["mechanism"] = h5py.SoftLink("/info")
        elif what == "version":
            file.attrs["bielle_result"] = 99
        elif what == "foreign":
            del file.attrs["bielle_result"]
        elif what == "large":
            file["samples"].create_dataset("extra", shape=(10**9, 1000), dtype=float, chunks=(1000, 1000))
        elif what == "list":
            del file["info"]
            file["info"] = ["a", "b"]
        elif what == "variable":  # in the heap, in which the library loops if it is damaged
            del file["info"]
            file["info"] = "{}"
        elif what == "earlier":
            file.attrs["bielle_result"] = 2
        elif what == "chunk":
            file["samples"].create_dataset("extra", shape=(4, 1), maxshape=(None, None), dtype=float, chunks=(10_000, 10_000))
        elif what == "variable version":
            file.attrs["bielle_result"] = "3"
        elif what == "filter":
            file["samples"].create_dataset("extra", data=np.zeros(10), compression="lzf")
        elif what == "numbers":
            del file["samples/q"]
            file["samples/q"] = np.zeros((4, 6), dtype=int)
    with pytest.raises(FileError, match="run.h5"):
        load_result(path)


@pytest.mark.parametrize("rows", [slice(0, 1), slice(-1, None), slice(None)])
def test_results_of_runs_that_broke_off_have_tables(space, tmp_path, rows):
    """Numbers that are none stay where they are, and the rest is there."""
    path = space.save(tmp_path / "run.npz")
    with np.load(path) as file:
        q = file["samples.q"]
    q[rows] = np.nan
    broken = load_result(rewrite(path, tmp_path / "broken.npz", **{"samples.q": q}))
    table = broken.table()
    assert np.isfinite(broken["arm"].orientation).any(axis=1).sum() == np.isfinite(q).all(axis=1).sum()
    assert len(table.to_numpy()) == len(broken)
