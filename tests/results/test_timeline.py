"""Runs that were changed on the way: every reader of a result reads them, and the energy of each change is booked."""

import msgspec
import numpy as np
import pytest
from segments import Session, arm, eventful, restated, without

import bielle as bl
from bielle.errors import DescriptionError, FileError, NamingError
from bielle.results.animation import scene
from bielle.results.timeline import EditRecord, Segment, Timeline


def spatial():
    m = bl.Mechanism(name="space")
    m.add_body("wheel", bl.cylinder((0, 0, -0.1), (0, 0, 0.1), 0.3, mass=2.0), angular_velocity=(0, 0, 40.0))
    m.add_body("bob", bl.sphere(0.1, mass=1.0), position=(1.0, 0.0, 0.0))
    m.add_joint("axle", bl.Revolute(axis="z"), m.ground, "wheel", at=(0, 0, 0))
    m.add_joint("rope", bl.Distance(), m.ground, "bob", at_a=(0, 0, 0), at_b=(0, 0, 0))
    m.add_force("spring", bl.Spring(stiffness=5.0, damping=0.1), "wheel", "bob", at_a=(0.3, 0, 0), at_b=(0, 0, 0))
    m.add_frame("sensor", "bob", local=(0, 0, 0.1))
    return m


def planar():
    m = arm()
    m.add_force("spring", bl.Spring(stiffness=20.0, damping=0.5), m.ground, "hand", at_a=(1.0, 1.0))
    m.add_force("motor", bl.Motor(target=bl.Harmonic(amplitude=0.5, frequency=1.0), stiffness=5.0), joint="shoulder")
    return m


def split(run, at):
    """The same run as a timeline of two segments."""
    parts = (slice(None, at + 1), slice(at, None))
    pieces = [{name: array[part] for name, array in run.samples.items()} for part in parts]
    edits = [EditRecord(float(run.time[at]), "nothing")]
    return Timeline([Segment(run.mechanism, run.model, piece) for piece in pieces], edits=edits, info=run.info)


def doubled(values, at):
    return np.concatenate([values[: at + 1], values[at:]])


def same(one, other):
    np.testing.assert_array_equal(one, other)


@pytest.fixture(scope="module")
def run():
    return eventful()


# -- nothing changed


@pytest.mark.parametrize("build", [planar, spatial])
@pytest.mark.parametrize("at", [0, 17, 60])
def test_a_run_cut_in_two_is_the_same_run(build, at):
    """Angles of wheels that made many turns until then, too."""
    whole = build().simulate(1.0, samples=61)
    parts = split(whole, at)
    same(parts.time, doubled(whole.time, at))
    assert parts.names() == whole.names()
    for name in whole.names():
        for quantity in whole[name].quantities:
            if quantity == "angle" and whole.model.dim == 3 and name in whole.model.bodies:
                continue  # a spatial body has none
            one, other = getattr(whole[name], quantity), getattr(parts[name], quantity)
            same(doubled(one() if callable(one) else one, at), other() if callable(other) else other)
        assert parts[name].lifetimes == whole[name].lifetimes
    for kind in ("kinetic", "gravitational", "elastic", "dissipated", "drives", "applied", "closing", "edits", "mechanical", "balance"):
        # up to rounding: products of matrices may be summed in another order if there are fewer rows
        np.testing.assert_allclose(getattr(parts.energy, kind), doubled(getattr(whole.energy, kind), at), rtol=1e-14, atol=1e-14)
    same(parts.violation, doubled(whole.violation, at))
    same(parts.velocity_violation, doubled(whole.velocity_violation, at))
    assert parts.energy.by_edit == {"nothing": 0.0}
    table, columns = parts.table(), whole.table()
    assert [name for name in table if name != "energy.edits"] == columns.columns
    assert table.units["energy.edits"] == "J"
    picture, before = scene(parts), scene(whole)
    assert len(picture.bodies) == len(before.bodies)
    for body, other in zip(picture.bodies, before.bodies):
        same(body.positions, doubled(other.positions, at))
        assert body.outline == other.outline
        assert body.color == other.color
    for joint, other in zip(picture.joints, before.joints):
        same(joint.positions, doubled(other.positions, at))
        assert joint.grounded == other.grounded


def test_a_result_is_its_own_only_segment():
    result = arm().simulate(0.5, samples=11)
    assert result.segments == (result,)
    assert result.edits == ()
    assert result.at(0.3) is result
    assert "upper" in result
    assert "forearm" not in result
    assert result["elbow"].lifetimes == [(0.0, 0.5)]
    assert not result.energy.edits.any()
    assert not result.energy.closing.any()
    assert result.energy.by_edit == {}
    assert "energy.edits" not in result.table()
    with pytest.raises(DescriptionError, match="from 0 s to 0.5 s"):
        result.at(0.6)


# -- asking


def test_components_are_not_numbers_while_they_do_not_exist(run):
    assert run.names() == ["upper", "lower", "ball", "shoulder", "elbow", "spring", "hand"]
    cut, ball = run.edits[0].time, run.edits[1].time
    assert run["elbow"].lifetimes == [(0.0, cut)]
    assert run["ball"].lifetimes == [(ball, run.edits[5].time)]
    n = len(run.segments[0])
    force = run["elbow"].force(on="upper", axes="upper")
    same(force[:n], run.segments[0]["elbow"].force(on="upper", axes="upper"))
    assert np.isnan(force[n:]).all()
    before = run.time < ball
    for values in (run["ball"].position, run["ball"].centre.velocity, run["ball"].point((0.1, 0.0)).acceleration, run["spring"].output):
        assert np.isnan(values[before]).all()
        assert np.isfinite(values[run.spans[3]]).all()
    assert np.isfinite(run["hand"].accelerometer[run.spans[0]]).all()
    assert np.isfinite(run.violation).all()
    assert not run.violation[run.spans[-1]].any()


def test_both_sides_of_an_edit_are_kept(run):
    first = run.spans[1].start
    assert run.time[first - 1] == run.time[first] == 0.8
    assert np.isfinite(run["elbow"].violation[first - 1])
    assert np.isnan(run["elbow"].violation[first])
    jump = run["lower"].acceleration[first] - run["lower"].acceleration[first - 1]
    np.testing.assert_allclose(run["lower"].acceleration[first], (0, -9.81), atol=1e-12)
    assert np.linalg.norm(jump) > 1.0


def test_segments_by_time(run):
    assert run.at(0.0) is run.segments[0]
    assert run.at(0.8) is run.segments[1]
    assert run.at(run.edits[1].time) is run.segments[3]  # of several edits at one moment, after the last
    assert run.at(3.0) is run.segments[-1]
    assert "ball" in run.at(1.3)
    for time in (-0.1, 3.1, np.nan):
        with pytest.raises(DescriptionError, match="from 0 s to 3 s"):
            run.at(time)


def test_unknown_names(run):
    with pytest.raises(NamingError, match="Did you mean 'elbow'"):
        run["elbo"]
    with pytest.raises(AttributeError, match=r"'elbow' has no 'positon'. It has: .*angle"):
        run["elbow"].positon
    with pytest.raises(AttributeError, match=r"run.segments\[0\]\['elbow'\].markers"):
        run["elbow"].markers
    with pytest.raises(DescriptionError, match="never was a body"):
        run["elbow"].point((0, 0))
    with pytest.raises(DescriptionError, match="acts on upper and lower, not on 'ball'"):
        run["elbow"].force(on="ball")
    assert "accelerometer" in dir(run["hand"])


def test_a_retyped_joint_goes_on(run):
    """Shapes that agree are joined; multipliers, of which a weld has more than a pin, are not."""
    shoulder = run["shoulder"]
    assert np.isfinite(shoulder.force()[: run.spans[-1].start]).all()
    assert np.isnan(shoulder.moment()[run.spans[-1]]).all()
    with pytest.raises(DescriptionError, match=r"\('n', 2\) in segment 0 and \('n', 3\) in segment 3.*run.segments\[0\]\['shoulder'\]"):
        shoulder.multipliers
    assert run.segments[3]["shoulder"].multipliers.shape[1] == 3


def test_a_name_used_for_different_things():
    def swap(m):
        m.remove("elbow")
        m.add_body("elbow", bl.sphere(0.1, mass=1.0), position=(3.0, 0.0))

    def again(m):
        m.remove("elbow")
        m.add_force("elbow", bl.Spring(stiffness=10.0), "upper", "lower", at_a=(0.5, 0.0), at_b=(-0.5, 0.0))

    run = Session(arm(), 0.2, 5).edit("swap", swap, 0.2, 5).edit("again", again, 0.2, 5).timeline()
    elbow = run["elbow"]
    assert elbow.lifetimes == [(0.0, run.time[-1])]
    for values, there in ((elbow.violation, 0), (elbow.position, 1), (elbow.output, 2)):
        finite = np.isfinite(values.reshape(len(run), -1)).all(axis=1)
        same(finite, [k == there for k, span in enumerate(run.spans) for _ in run.time[span]])
    force = elbow.force()
    assert np.isfinite(force[run.spans[0]]).all()
    assert np.isnan(force[run.spans[1]]).all()
    assert np.isfinite(force[run.spans[2]]).all()
    assert {"elbow.position.x", "elbow.force.x", "elbow.output"} <= set(run.table())
    assert run.table().units["elbow.output"] == "N"


def test_a_component_that_comes_back_has_two_lives():
    def back(m):
        m.add_joint("elbow", bl.Pin(), "upper", "lower", at_a=(0.5, 0.0), at_b=(-0.5, 0.0))

    session = Session(arm(gravity=(0, 0)), 0.3, 7).edit("cut", without("elbow"), 0.1, 3).edit("join", back, 0.3, 7)
    run = session.timeline()
    first, second = run["elbow"].lifetimes
    assert first == (0.0, 0.3)
    assert second[0] == run.edits[1].time
    assert np.isnan(run["elbow"].angle[run.spans[1]]).all()


def test_angles_stay_continuous_though_the_mechanism_is_described_anew():
    """A rotor of many turns: the angle of the joint is zero as described, which at every edit is another configuration."""
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("rotor", bl.rod((-1.0, 0.0), (1.0, 0.0), mass=1.0), angular_velocity=9.0)
    m.add_joint("axle", bl.Pin(), m.ground, "rotor", at_a=(0, 0), at_b=(0, 0))
    session = Session(m, 1.0, 11)
    for k in range(3):
        session.edit(f"edit {k}", lambda m: None, 1.0, 11)
    run = session.timeline()
    np.testing.assert_allclose(run["rotor"].angle, 9.0 * run.time, atol=1e-9)
    np.testing.assert_allclose(run["axle"].angle, 9.0 * run.time, atol=1e-9)


def test_a_jump_of_a_joint_stays_visible():
    """Only the origin of the angle is carried over; what an edit turns is seen."""

    def turn(m):
        m.bodies["upper"] = msgspec.structs.replace(m.bodies["upper"], orientation=0.25, position=(0.5 * np.cos(0.25), 0.5 * np.sin(0.25)))

    m = arm()
    m.remove("hand")
    m.remove("elbow")
    m.remove("lower")
    m.gravity = (0, 0)
    run = Session(m, 0.1, 3).edit("turn upper", turn, 0.1, 3).timeline()
    angle = run["upper"].angle
    np.testing.assert_allclose(angle, [0, 0, 0, 0.25, 0.25, 0.25], atol=1e-9)


def test_spatial_angles_and_quaternions_stay_continuous():
    whole = spatial().simulate(1.0, samples=101)
    parts = split(split(whole, 30).segments[0], 12)
    assert np.ptp(parts["axle"].angle) > 2 * np.pi
    assert (np.sum(np.diff(parts["wheel"].orientation, axis=0) ** 2, axis=1) < 0.5).all()


def test_an_angle_of_what_was_a_body_in_space():
    """A spatial body has no angle, the joint that had its name before does."""

    def swap(m):
        m.remove("axle")
        m.add_body("axle", bl.sphere(0.1, mass=1.0), position=(3.0, 0.0, 0.0))

    session = Session(spatial(), 0.1, 3).edit("swap", swap, 0.1, 3)
    run = session.timeline()
    same(run["axle"].angle[run.spans[0]], session.segments[0]["axle"].angle)
    assert np.isnan(run["axle"].angle[run.spans[1]]).all()
    assert run["axle"].orientation.shape == (6, 4)
    with pytest.raises(DescriptionError, match="has no angle"):
        run["wheel"].angle


# -- energy


def test_energy_of_edits(run):
    """The books balance over cuts, additions, a change of mass and removals, to the error of the integrator."""
    e = run.energy
    assert np.abs(e.error).max() < 1e-8
    assert list(e.by_edit) == ["cut elbow", "add ball", "weld shoulder", "heavier ball", "remove lower", "clear"]
    np.testing.assert_allclose(e.by_edit["cut elbow"], 0.0, atol=1e-9)
    np.testing.assert_allclose(e.by_edit["add ball"], 0.5 * 9.81 * 0.5 + 0.5 * 30 * 0.2**2)
    first = run.spans[4].start
    np.testing.assert_allclose(e.by_edit["heavier ball"], e.mechanical[first] - e.mechanical[first - 1], rtol=1e-12)
    np.testing.assert_allclose(sum(e.by_edit.values()), e.edits[-1])
    assert e.mechanical[-1] == 0.0
    assert not e.edits[run.spans[0]].any()
    assert e.kinds.count("edits") == 1
    assert "closing" not in e.kinds


def test_gravity_may_change():
    def moon(m):
        m.gravity = (0.0, -1.62)

    run = Session(arm(), 0.5, 11).edit("to the moon", moon, 0.5, 11).timeline()
    last = run.segments[0].energy.gravitational[-1]
    np.testing.assert_allclose(run.energy.by_edit["to the moon"], last * (1.62 / 9.81 - 1))
    assert np.abs(run.energy.error).max() < 1e-8
    reads = run["hand"].accelerometer[run.spans[1]]
    np.testing.assert_allclose(reads, run.segments[1]["hand"].accelerometer)


def with_closings(run, columns):
    """Segments with the work of closings (n, k) by name, in segments where they go on."""
    segments = []
    for segment, own in zip(run.segments, columns):
        work = np.column_stack([segment.samples["work"], *own.values()])
        segments.append(Segment(segment.mechanism, segment.model, segment.samples | {"work": work}, closings=tuple(own)))
    return Timeline(segments, edits=run.edits, info=run.info)


def test_closings_stay_booked():
    """One that spans two segments, whose column the next segment goes on with, or begins anew; two at a time; one twice."""
    plain = Session(arm(), 0.2, 5)
    for k in range(3):
        plain.edit(f"edit {k % 2}", lambda m: None, 0.2, 5)
    ramp, n = np.arange(5.0), 5
    columns = [{"elbow": ramp}, {"elbow": 4.0 + ramp, "wrist": 2 * ramp}, {"wrist": 0 * ramp - 7}, {"elbow": 10 * ramp}]
    run = with_closings(plain.timeline(), columns)
    e = run.energy
    same(e.closings["elbow"], [*ramp, *(4 + ramp), *[8.0] * n, *(8 + 10 * ramp)])
    same(e.closings["wrist"], [*[0.0] * n, *(2 * ramp), *[8.0] * (2 * n)])
    same(e.closing, e.closings["elbow"] + e.closings["wrist"])
    assert list(e.by_edit) == ["edit 0", "edit 1", "elbow", "wrist"]
    assert (e.by_edit["elbow"], e.by_edit["wrist"]) == (48.0, 8.0)
    np.testing.assert_allclose(e.balance, -e.closing, atol=1e-6)  # the motion knows nothing of this work
    assert "energy.closing" in run.table()
    assert e.kinds[6:8] == ("closing", "edits")


# -- readers


def test_tables(run, tmp_path):
    table = run.table()
    assert len(table) == len(run)
    assert table["elbow.force.x"][0] == run["elbow"].force()[0, 0]
    assert np.isnan(table["elbow.force.x"][-1])
    assert run.table("shoulder.angle", "lower.position.norm").columns == ["time", "shoulder.angle", "lower.position.norm"]
    assert run.to_xarray("elbow.force").sizes["time"] == len(run)
    text = run.save(tmp_path / "run.csv").read_text().splitlines()
    assert len(text) == len(run) + 1
    assert "nan" in text[-1]


def test_plots(run, tmp_path):
    overview = run.plot()
    assert [ax.get_ylabel() for ax in overview.axes] == ["position [m]", "energy [J]", "violation [m or 1]"]
    texts = [text.get_text() for text in overview.axes[0].texts]
    assert texts == ["cut elbow", "add ball, weld shoulder", "heavier ball", "remove lower", "clear"]
    assert "edits" in [text.get_text() for text in overview.axes[1].get_legend().get_texts()]
    assert run.plot("elbow", "shoulder.angle", "energy.edits", path=tmp_path / "plot.svg").stat().st_size > 1000


def test_many_edits_are_not_labelled():
    m = arm()
    session = Session(m, 0.01, 2)
    for k in range(9):
        session.edit(f"edit {k}", lambda m: None, 0.01, 2)
    assert not session.timeline().plot("energy").axes[0].texts


def test_scenes_show_what_is_there(run):
    picture = scene(run)
    there = {}
    for body in picture.bodies:
        there.setdefault(body.name, []).append(np.isfinite(body.positions).all(axis=1))
    assert sorted(there) == ["ball", "lower", "upper"]
    small, large = there["ball"]  # the heavier ball is also larger: another thing to see
    assert not (small & large).any()
    same(small | large, np.isfinite(run["ball"].position).all(axis=1))
    (elbow,) = [joint for joint in picture.joints if joint.name == "elbow"]
    assert np.isfinite(elbow.positions[run.spans[0]]).all()
    assert np.isnan(elbow.positions[run.spans[1]]).all()
    assert [joint.kind for joint in picture.joints if joint.name == "shoulder"] == ["pin", "rigid"]
    (spring,) = picture.springs
    assert np.isnan(spring.start[run.spans[0]]).all()
    assert [trace.label for trace in picture.traces] == ["lower"]
    at = picture.at([0.8, 1.2, 2.9])  # at the edit itself what comes after it is seen
    assert np.isnan(next(joint for joint in at.joints if joint.name == "elbow").positions).all()
    named = scene(run, traces=["hand", ("ball", (0.0, 0.1)), run["upper"].point((0.5, 0.0))])
    np.testing.assert_allclose(named.traces[0].points[:, :2], run["hand"].position)
    assert [trace.label for trace in named.traces] == ["hand", "ball (0, 0.1)", "upper (0.5, 0)"]
    with pytest.raises(NamingError, match="traces"):
        scene(run, traces=["elbow"])


@pytest.mark.parametrize("ending", [".html", ".gif", ".png"])
def test_films(run, tmp_path, ending):
    options = {} if ending == ".html" else {"size": (160, 120)}
    assert run.animate(tmp_path / f"film{ending}", **options).stat().st_size > 1000


def test_films_in_space(tmp_path):
    m = spatial()
    session = Session(m, 0.3, 11).edit("cut rope", without("rope"), 0.3, 11).edit("clear", without("spring", "sensor", "bob"), 0.3, 11)
    run = session.timeline()
    run.animate(tmp_path / "film.gif", size=(160, 120))
    assert len([body for body in scene(run).bodies if body.name == ""]) == 1  # the rope, drawn as a rod while it is there
    assert "<iframe" in run._repr_html_()


def test_rails_are_drawn_once():
    m = bl.Mechanism(plane="xy", name="slide")
    m.add_body("block", bl.box((0.2, 0.1), mass=1.0), velocity=(1.0, 0.0))
    m.add_joint("guide", bl.Slider(direction=(1, 0)), m.ground, "block", at=(0, 0))
    whole = m.simulate(1.0, samples=31)
    parts = split(whole, 12)
    assert [body.outline for body in scene(parts).bodies] == [body.outline for body in scene(whole).bodies]


def test_it_shows_itself(run):
    text = repr(run)
    assert text.startswith(
        "Timeline: 247 samples from 0 s to 3 s in 7 segments, finished; by hand\n  edits: cut elbow (0.8 s), add ball (1.2 s)"
    )
    assert "ask for upper, lower, ball" in text
    assert "<iframe" in run._repr_html_()


# -- files


@pytest.mark.parametrize("ending", [".npz", ".h5"])
def test_a_timeline_comes_back_whole(run, tmp_path, ending):
    again = bl.load_result(run.save(tmp_path / f"run{ending}"))
    assert isinstance(again, bl.Timeline)
    assert again.edits == run.edits
    assert again.info == run.info
    assert again.mechanism.to_dict() == run.mechanism.to_dict()
    np.testing.assert_array_equal(again.table().to_numpy(), run.table().to_numpy())
    assert again.energy.by_edit == run.energy.by_edit


@pytest.mark.parametrize("ending", [".npz", ".h5"])
def test_closings_come_back(tmp_path, ending):
    plain = Session(arm(), 0.2, 5).edit("nothing", lambda m: None, 0.2, 5).timeline()
    run = with_closings(plain, [{"elbow": np.arange(5.0), "knee": np.zeros(5)}, {}])
    again = bl.load_result(run.save(tmp_path / f"run{ending}"))
    assert [segment.closings for segment in again.segments] == [("elbow", "knee"), ()]
    assert again.energy.by_edit == run.energy.by_edit


def test_mechanisms_with_functions_are_given_for_each_segment(tmp_path):
    def build():
        m = bl.Mechanism(plane="xy")
        m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
        m.add_joint("pivot", bl.Pin(), m.ground, "rod", at_a=(0, 0), at_b=(-0.5, 0))
        m.add_force("push", bl.Torque(lambda t: np.sin(t)), "rod")
        return m

    run = Session(build(), 0.1, 3).edit("free", without("pivot"), 0.1, 3).timeline()
    with pytest.warns(UserWarning, match=r"each segment again and give them: load_result\(path, mechanism=\[…\]\)"):
        path = run.save(tmp_path / "run.npz")
    with pytest.raises(FileError, match="does not contain the mechanism"):
        bl.load_result(path)
    with pytest.raises(FileError, match="2 segments, but 1 mechanisms were given"):
        bl.load_result(path, mechanism=build())
    free = build()
    free.remove("pivot")
    with pytest.raises(FileError, match="not the one that was simulated"):
        bl.load_result(path, mechanism=[free, build()])
    again = bl.load_result(path, mechanism=[build(), free])
    same(again["rod"].position, run["rod"].position)


@pytest.mark.parametrize(
    "change",
    [
        {"timeline": np.array("[]")},
        {"timeline": np.array('{"edits": [], "closings": [[], []]}')},
        {"timeline": np.array('{"edits": [{"time": 0.2, "label": "x", "kind": ""}], "closings": [[], [], []]}')},
        {"timeline": np.array('{"edits": [{"time": 0.2, "label": "x", "kind": ""}], "closings": [[], ["elbow"]]}')},
        {"timeline": None},
        {"segment1.layout": None},
        {"segment1.samples.t": None},
        {"segment1.samples.t": np.linspace(7.0, 8.0, 5)},
        {"segment1.samples.q": np.zeros((5, 4))},
    ],
)
def test_made_up_timelines_are_refused(tmp_path, change):
    run = Session(arm(), 0.2, 5).edit("cut", without("elbow"), 0.2, 5).timeline()
    path = run.save(tmp_path / "run.npz")
    with np.load(path) as file:
        content = {name: file[name] for name in file.files}
    content = {name: array for name, array in (content | change).items() if array is not None}
    np.savez_compressed(path, **content)
    with pytest.raises(FileError):
        bl.load_result(path)


def test_results_are_written_for_any_release(tmp_path):
    path = arm().simulate(0.1, samples=3).save(tmp_path / "run.npz")
    with np.load(path) as file:
        assert int(file["bielle_result"]) == 1
        assert "timeline" not in file.files
    assert isinstance(bl.load_result(path), bl.Result)


# -- segments that do not fit together


def test_what_does_not_fit_together_is_refused():
    session = Session(arm(), 0.2, 5).edit("cut", without("elbow"), 0.2, 5)
    one, two = session.segments
    edits = session.edits
    with pytest.raises(DescriptionError, match="at least one segment"):
        Timeline([])
    with pytest.raises(DescriptionError, match="2 segments have 1 edits between them, got 0"):
        Timeline([one, two])
    with pytest.raises(DescriptionError, match="must be the same moment"):
        Timeline([two, one], edits=edits)
    with pytest.raises(DescriptionError, match="'late', is at 0.3 s"):
        Timeline([one, two], edits=[EditRecord(0.3, "late")])
    with pytest.raises(DescriptionError, match="Segment 1 has no samples"):
        Timeline([one, Segment(two.mechanism, two.model, {name: array[:0] for name, array in two.samples.items()})], edits=edits)
    with pytest.raises(DescriptionError, match="work must have 4 columns"):
        Timeline([one, Segment(two.mechanism, two.model, two.samples, closings=("elbow",))], edits=edits)
    other = spatial().simulate(0.2, samples=5)
    with pytest.raises(DescriptionError, match="same plane"):
        Timeline([one, other], edits=edits)


def test_a_session_that_has_just_begun():
    """One segment; one segment without samples; an empty mechanism from beginning to end."""
    one = Timeline([arm().simulate(0.1, samples=3)])
    assert one["upper"].lifetimes == [(0.0, 0.1)]
    assert one.energy.by_edit == {}
    empty = Timeline([Segment(one.segments[0].mechanism, one.segments[0].model, {n: a[:0] for n, a in one.segments[0].samples.items()})])
    assert repr(empty) == "Timeline (no samples)"
    assert not len(empty.energy.balance)
    nothing = Timeline([bl.Mechanism(plane="xy").simulate(0.1, samples=3)])
    assert nothing.names() == []
    assert not nothing.energy.mechanical.any()
    assert scene(nothing).bodies == []


def test_restating_keeps_the_state():
    """The helper of these tests does what it says."""
    run = arm().simulate(0.3, samples=4)
    again = restated(run).simulate(0.1, samples=2)
    np.testing.assert_allclose(again["lower"].velocity[0], run["lower"].velocity[-1], atol=1e-9)
