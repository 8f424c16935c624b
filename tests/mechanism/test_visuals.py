"""Visuals as data: checked, written and read, carried along by sessions."""

import pytest

import bielle as bl
from bielle.errors import DescriptionError, FileError
from bielle.mechanism import files

LOOKS = [
    bl.visuals.box((1, 2, 3), position=(0, 0, 1), orientation=bl.rotation("x", 0.3), color="tomato"),
    bl.visuals.sphere(0.5),
    bl.visuals.cylinder(0.1, 2.0, color="#00ff0080"),
    bl.visuals.capsule(0.1, 1, position=(1, 0, 0)),
    bl.visuals.mesh("package://arm/hand.stl", path="/robots/arm/hand.stl", scale=(0.001, 0.001, -0.001)),
    bl.visuals.mesh("package://arm/foot.stl"),
]


def seen():
    m = bl.Mechanism(name="seen")
    m.add_body("a", bl.rigid(1.0, (0, 0, 0), (1, 1, 1)), visuals=LOOKS, collisions=LOOKS[:2])
    m.add_frame("post", "ground", local=(1, 0, 0), visuals=LOOKS[2:4], collisions=[LOOKS[0]])
    return m


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_visuals_come_back_from_files(format):
    m = seen()
    text = files.dumps(m, format)
    assert files.loads(text, format) == m
    assert m.bodies["a"].visuals == tuple(LOOKS)
    assert m.frames["post"].collisions == (LOOKS[0],)


def test_what_has_no_visuals_says_nothing_about_them():
    m = bl.Mechanism()
    m.add_body("a", bl.sphere(1.0, mass=1.0))
    m.add_frame("f", "a", local=(0, 0, 0))
    data = m.to_dict()
    assert set(data["bodies"]["a"]) == {"shape", "position", "orientation"}
    assert set(data["frames"]["f"]) == {"body", "position", "orientation"}


def test_defaults_are_left_out_of_files():
    data = seen().to_dict()["bodies"]["a"]["visuals"]
    assert data[1] == {"type": "sphere", "radius": 0.5}
    assert data[5] == {"type": "mesh", "file": "package://arm/foot.stl"}


def test_a_mesh_is_where_its_name_says_unless_that_is_in_a_package():
    assert bl.visuals.mesh("hand.stl").path == "hand.stl"
    assert bl.visuals.mesh("package://arm/hand.stl").path is None


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: bl.visuals.box((1, 2)), "visual 'box': the size must be a vector of 3 numbers"),
        (lambda: bl.visuals.box((1, 0, 1)), r"visual 'box': the size \(number 2\) must be a positive finite number"),
        (lambda: bl.visuals.sphere(-1), "visual 'sphere': the radius must be a positive"),
        (lambda: bl.visuals.cylinder(1, float("inf")), "visual 'cylinder': the length must be a positive finite"),
        (lambda: bl.visuals.capsule("1", 1), "visual 'capsule': the radius must be a positive"),
        (lambda: bl.visuals.sphere(1, position=(0, 0)), "visual 'sphere': the position must be a vector of 3"),
        (lambda: bl.visuals.box((1, 1, 1), orientation=(0, 0, 0, 0)), "visual 'box': the orientation must be a quaternion"),
        (lambda: bl.visuals.sphere(1, color=3), "visual 'sphere': the color must be a string"),
        (lambda: bl.visuals.mesh("a.stl", scale=(1, 0, 1)), "visual 'mesh': the scale must not be zero"),
        (lambda: bl.visuals.VisualMesh(file=""), "visual 'mesh': the file must be the name of a file"),
        (lambda: bl.visuals.VisualMesh(file="a", path=""), "visual 'mesh': the path must be the name of a file"),
    ],
)
def test_what_cannot_be_seen_is_refused(make, said):
    with pytest.raises(DescriptionError, match=said):
        make()


@pytest.mark.parametrize("table", ["visuals", "collisions"])
def test_only_visuals_can_be_seen(table):
    m = bl.Mechanism()
    ball = bl.sphere(1.0, mass=1.0)
    for wrong in (ball, [ball], "box", 3, None):
        with pytest.raises(DescriptionError, match=f"body 'a': the {table} must be a list of bielle.visuals.box"):
            m.add_body("a", ball, **{table: wrong})
        with pytest.raises(DescriptionError, match=f"frame 'f': the {table} must be a list of bielle.visuals.box"):
            m.add_frame("f", "ground", local=(0, 0, 0), **{table: wrong})
    assert (m.bodies, m.frames) == ({}, {})
    plane = bl.Mechanism(plane="xy")
    with pytest.raises(DescriptionError, match=f"body 'a': the {table} are for spatial mechanisms, but this one is planar"):
        plane.add_body("a", bl.disc(1.0, mass=1.0), **{table: LOOKS})


@pytest.mark.parametrize(
    ("visuals", "said"),
    [
        ("box", "body 'a': visuals: expected a list, got 'box'"),
        ([3], "body 'a': visuals: number 0: expected keys with values, got 3"),
        ([{"type": "sphere", "radius": 1}, {"size": [1, 1, 1]}], "body 'a': visuals: number 1: the key 'type' is missing"),
        ([{"type": "shpere"}], "body 'a': visuals: number 0: there is no visual type named 'shpere'. Did you mean 'sphere'"),
        ([{"type": "sphere", "raduis": 1}], "body 'a': visuals: number 0: there is no key named 'raduis'. Did you mean 'radius'"),
        ([{"type": "sphere"}], "body 'a': .*radius"),
        ([{"type": "sphere", "radius": -1}], "body 'a': .*the radius must be a positive"),
    ],
)
def test_files_are_checked(visuals, said):
    data = {"bielle": 1, "bodies": {"a": {"shape": {"type": "sphere", "radius": 1.0, "mass": 1.0}, "visuals": visuals}}}
    with pytest.raises(FileError, match=said):
        files.from_dict(data)


def test_sessions_carry_visuals_along(tmp_path):
    live = seen().live()
    live.advance(0.01)
    assert live.describe().bodies["a"].visuals == tuple(LOOKS)
    live.set("a", mass=2.0)
    live.set("post", local=(2, 0, 0))
    live.add_body("b", bl.sphere(0.1, mass=1.0), visuals=LOOKS[:1])
    live.advance(0.01)
    live.save(tmp_path / "session.bielle")
    for mechanism in (live.mechanism, bl.load_session(tmp_path / "session.bielle").mechanism):
        assert mechanism.bodies["a"].visuals == tuple(LOOKS)
        assert mechanism.bodies["b"].visuals == tuple(LOOKS[:1])
        assert mechanism.frames["post"].visuals == tuple(LOOKS[2:4])
    live.set("a", visuals=LOOKS[1:2])
    assert live.mechanism.bodies["a"].visuals == tuple(LOOKS[1:2])
    assert live.mechanism.bodies["a"].collisions == tuple(LOOKS[:2])
