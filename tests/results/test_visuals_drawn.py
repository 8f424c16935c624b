"""Visuals in pictures: what is drawn, where and in which colour; meshes, and those that cannot be read."""

import json
import struct
import sys

import numpy as np
import pytest
from PIL import Image

import bielle as bl
from bielle.results import surfaces
from bielle.results.animation import animate, scene
from bielle.results.mesh import Mesh
from bielle.results.scene import Scene, SceneBody
from bielle.results.surfaces import UnreadableError, simplified, surface

CORNERS = np.array([[i, j, k] for i in (0.0, 1.0) for j in (0.0, 1.0) for k in (0.0, 1.0)])
CUBE = np.array(  # triangles that look outwards
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
)


def volume(points, faces):
    """Of a closed surface, positive if its triangles look outwards."""
    a, b, c = np.moveaxis(np.asarray(points)[np.asarray(faces)], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def sphere(n=60):
    """Points and triangles of a unit ball with about 2 n² triangles."""
    theta, phi = np.meshgrid(np.linspace(0, np.pi, n + 1), np.linspace(0, 2 * np.pi, n, endpoint=False), indexing="ij")
    points = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1).reshape(-1, 3)
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    a, b, c, d = i * n + j, (i + 1) * n + j, (i + 1) * n + (j + 1) % n, i * n + (j + 1) % n
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def write_stl(path, points, faces, binary=True):
    corners = points[faces]
    if binary:
        rows = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")])
        rows["corners"] = corners
        path.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + rows.tobytes())
    else:
        facets = [
            "facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*p) for p in t) + "endloop\nendfacet\n" for t in corners
        ]
        path.write_text("solid cube\n" + "".join(facets) + "endsolid cube\n")


def write_obj(path, points, faces):
    vertices = "".join("v {} {} {}\n".format(*p) for p in points)
    half = len(faces) // 2
    parts = ["".join("f {} {} {}\n".format(*(f + 1)) for f in part) for part in (faces[:half], faces[half:])]
    path.write_text(f"mtllib secret.mtl\no one\n{vertices}usemtl red\n{parts[0]}o two\nusemtl blue\n{parts[1]}")


def run_of(visuals=(), frames=(), **options):
    m = bl.Mechanism(name="seen")
    m.add_body(
        "a", bl.rigid(1.0, (0, 0, 0), (1, 1, 1)), position=(0, 0, 2), orientation=bl.rotation("z", np.pi / 2), visuals=visuals, **options
    )
    for i, (body, looks) in enumerate(frames):
        m.add_frame(f"f{i}", body, local=(1, 0, 0), orientation=bl.rotation("y", np.pi / 2), visuals=looks)
    return m.simulate(0.1, samples=3)


# -- scenes


def test_visuals_are_drawn_in_the_place_of_the_shape():
    box, ball = bl.visuals.box((1, 2, 3), position=(0, 0, 1), color="#ff0000"), bl.visuals.sphere(0.5)
    plain, seen = scene(run_of()), scene(run_of([box, ball, bl.visuals.sphere(0.1, color="#ff0000")]))
    assert [shape["kind"] for shape in plain.bodies[0].shapes()] == ["sphere"]  # of the numbers alone
    assert [(b.name, b.color, [s["kind"] for s in b.shapes()]) for b in seen.bodies] == [
        ("a", "#ff0000", ["box", "sphere"]),
        ("", plain.bodies[0].color, ["sphere"]),
    ]
    low, high = seen.bounds()
    assert high[2] == pytest.approx(2 + 1 + 1.5)  # the top of the box at the start
    assert high[0] == pytest.approx(1.0)  # turned by a quarter: its two metres lie along x
    assert low[1] == pytest.approx(-0.5)


def test_frames_carry_visuals_and_the_ground_is_seen():
    post = bl.visuals.cylinder(0.1, 2.0, color="grey")
    seen = scene(run_of(frames=[("ground", [post]), ("a", [post])]))
    ground, own = seen.bodies[1:]
    assert ground.color == own.color == "grey"
    assert np.ptp(ground.positions, axis=0).max() == 0
    # along the frame's z, which is the x axis of what it is on
    assert np.allclose(ground.shapes()[0]["points"], [[0, 0, 0], [2, 0, 0]], atol=1e-15)
    tip = own.rotations[0] @ own.shapes()[0]["points"][1] + own.positions[0]
    assert np.abs(tip - [0, 2, 2]).max() < 1e-12


def test_pictures_and_pages_are_made(tmp_path):
    looks = [bl.visuals.box((1, 1, 1), color="tomato"), bl.visuals.capsule(0.2, 1.0, position=(0, 0, 1), color="#00ff0080")]
    run = run_of(looks, [("ground", [bl.visuals.cylinder(0.1, 1.0)])])
    for ending in ("png", "html", "gif"):
        animate(run, tmp_path / f"m.{ending}")
    pixels = np.asarray(Image.open(tmp_path / "m.png").convert("RGB")).reshape(-1, 3).astype(int)
    assert ((pixels[:, 0] > 180) & (pixels[:, 1] < 120) & (pixels[:, 2] < 110)).sum() > 500  # tomato
    assert ((pixels[:, 1] > 150) & (pixels[:, 0] < 80) & (pixels[:, 2] < 80)).sum() > 100  # green


def test_an_edit_of_the_visuals_is_another_look():
    m = bl.Mechanism()
    m.add_body("a", bl.sphere(0.1, mass=1.0), visuals=[bl.visuals.sphere(0.2)])
    live = m.live(record=0.01)
    live.advance(0.03)
    live.set("a", visuals=[bl.visuals.box((1, 1, 1))])
    live.advance(0.03)
    first, second = scene(live.result()).bodies
    assert (first.shapes()[0]["kind"], second.shapes()[0]["kind"]) == ("sphere", "box")
    assert np.isfinite(first.positions[0]).all()
    assert np.isnan(first.positions[-1]).all()


# -- meshes without a reader


def test_many_triangles_become_few_of_the_same_form():
    points, faces = sphere()
    assert len(faces) == 7200
    few_points, few = simplified(points, faces, 1000)
    assert 300 < len(few) <= 1000
    assert few.max() == len(few_points) - 1
    assert np.abs(np.linalg.norm(few_points, axis=1) - 1).max() < 0.05
    assert volume(few_points, few) == pytest.approx(4 / 3 * np.pi, rel=0.08)  # outwards still


def test_few_triangles_stay_as_they_are():
    points, faces = simplified(CORNERS, CUBE, 12)
    assert np.array_equal(points, CORNERS)
    assert np.array_equal(faces, CUBE)


def test_thousands_of_slivers_are_thinned_too():
    rng = np.random.default_rng(0)
    for points in (rng.normal(size=(9000, 3)), rng.normal(size=(9000, 1)) * [1.0, 1e-9, 0.0], np.zeros((9000, 3))):
        few_points, few = simplified(points, np.arange(9000).reshape(-1, 3), 500)
        assert len(few) <= 500
        assert few_points.shape[1] == 3


def cube_scene(**changes):
    mesh = {"kind": "mesh", "points": CORNERS.tolist(), "faces": CUBE.tolist()} | changes
    return Scene("cube", False, [0.0, 1.0], [SceneBody("cube", [mesh], np.zeros((2, 3)), np.stack([np.eye(3)] * 2))])


def test_triangles_are_faces_of_a_picture():
    drawn = cube_scene()
    assert np.allclose(drawn.bounds(), ([0, 0, 0], [1, 1, 1]))
    mesh = Mesh(drawn.bodies[0].shapes(), False, 1.0)
    assert mesh.corners.shape == (36, 3)
    assert np.abs(mesh.normals[:2] - [-1, 0, 0]).max() < 1e-15
    assert (np.einsum("ij,ij->i", mesh.normals, mesh.corners[::3] - 0.5) > 0).all()  # outwards
    data = json.loads(drawn.to_json())["bodies"][0]["outline"][0]
    assert data["faces"] == CUBE.tolist()


def test_faces_are_not_rounded_with_the_size_of_a_scene():
    data = cube_scene(points=(1e9 * CORNERS).tolist()).to_dict()["bodies"][0]["outline"][0]
    assert data["faces"] == CUBE.tolist()


@pytest.mark.parametrize(
    "changes", [{"faces": []}, {"faces": [[0, 1]]}, {"faces": [[0, 1, 8]]}, {"faces": [[0, 1, -1]]}, {"points": [[0, 0]]}]
)
def test_triangles_that_are_none_become_a_point(changes):
    assert cube_scene(**changes).bodies[0].shapes() == [{"kind": "point"}]


def test_without_a_reader_the_shape_is_drawn_and_a_word_is_said(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    surfaces._read.cache_clear()
    write_stl(tmp_path / "cube.stl", CORNERS, CUBE)
    looks = [bl.visuals.mesh(str(tmp_path / "cube.stl")), bl.visuals.mesh("package://arm/hand.stl")]
    with pytest.warns(UserWarning, match=r"not drawn: '.*cube.stl' needs the package trimesh: .*; 'package://arm/hand.stl' was not found"):
        seen = scene(run_of(looks))
    assert [[s["kind"] for s in b.shapes()] for b in seen.bodies] == [["sphere"]]


def primitive(path, **changes):
    return {"kind": "file", "name": "m", "path": str(path), "position": [0, 0, 0], "rotation": np.eye(3), "scale": [1, 1, 1]} | changes


def test_files_that_are_no_meshes_are_not_even_opened(tmp_path, monkeypatch):
    monkeypatch.setattr(surfaces, "MAX_MESH_BYTES", 10_000)
    (tmp_path / "folder.stl").mkdir()
    (tmp_path / "text.ply").write_text("ply")
    (tmp_path / "long.stl").write_bytes(bytes(10_001))
    for name, said in (
        ("none.stl", "not there"),
        ("text.ply", r"does not end in \.stl, \.obj, \.dae"),
        ("folder.stl", r"does not end in \.stl"),
        ("long.stl", "longer than"),
    ):
        with pytest.raises(UnreadableError, match=said):
            surface(primitive(tmp_path / name))


def two_links(**looks):
    """An arm of two bodies, of which the first has these looks."""
    m = bl.Mechanism(name="arm")
    m.add_body("a", bl.rigid(1.0, (0, 0, 0.5), (1, 1, 1)), **looks)
    m.add_body("b", bl.rigid(1.0, (0, 0, 0), (1, 1, 1)), position=(0, 0, 1.5))
    m.add_joint("shoulder", bl.Revolute(axis="y"), "ground", "a", at=(0, 0, 0))
    m.add_joint("elbow", bl.Revolute(axis="y"), "a", "b", at=(0, 0, 1))
    return m.simulate(0.1, samples=3)


def test_bodies_whose_visuals_cannot_be_read_show_collisions_or_sticks():
    lost = [bl.visuals.mesh("package://arm/hand.dae")]
    with pytest.warns(
        UserWarning, match=r"'package://arm/hand.dae' was not found\. Bodies that lose all .* collisions, or lines to their joints"
    ):
        seen = scene(two_links(visuals=lost, collisions=[bl.visuals.box((1, 1, 1))]))
    assert [s["kind"] for s in seen.bodies[0].shapes()] == ["box"]
    with pytest.warns(UserWarning, match="not drawn"):
        seen = scene(two_links(visuals=lost, collisions=lost))
    sticks = seen.bodies[0].shapes()
    assert [s["kind"] for s in sticks] == ["segment", "segment"]
    assert [s["points"] for s in sticks] == [[[0, 0, 0.5], [0, 0, 0]], [[0, 0, 0.5], [0, 0, 1]]]
    seen = scene(two_links(visuals=[bl.visuals.sphere(1.0)], collisions=lost))  # which is fine
    assert [s["kind"] for s in seen.bodies[0].shapes()] == ["sphere"]


# -- which files may be read


@pytest.mark.parametrize("ending", ["yaml", "json", "npz", "h5", "session"])
def test_files_name_meshes_beside_them_only(tmp_path, ending):
    """A model, result or session may name meshes below its own folder, or those that the user names; links do not lead out."""
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own / "meshes", other):
        folder.mkdir(parents=True)
        write_stl(folder / "cube.stl", CORNERS, CUBE)
    (own / "link.stl").symlink_to(other / "cube.stl")
    paths = [own / "meshes" / "cube.stl", other / "cube.stl", own / "link.stl", own / ".." / "other" / "cube.stl"]
    looks = [bl.visuals.mesh(f"{i}.stl", path=str(path)) for i, path in enumerate(paths)]
    looks.append(bl.visuals.mesh("package://meshes/cube.stl", path="/elsewhere/cube.stl"))  # not there, but found by its name
    run, path = run_of(looks), own / f"run.{ending}"

    def drawn(**options):
        if ending in ("yaml", "json"):
            loaded = bl.load(path, **options).simulate(0.1, samples=3)
        elif ending == "session":
            loaded = bl.load_session(path, **options)
            loaded.advance(0.1)
            loaded = loaded.result()
        else:
            loaded = bl.load_result(path, **options)
        return sum(s["kind"] == "mesh" for body in scene(loaded).bodies for s in body.shapes())

    if ending in ("yaml", "json"):
        run.mechanism.save(path)
    elif ending == "session":
        run.mechanism.live().save(path)
    else:
        run.save(path)
    with pytest.warns(
        UserWarning, match=r"'1.stl' is outside the folder of the model and package_dirs; '2.stl' is outside .*; '3.stl' is out"
    ):
        assert drawn() == 2
    assert drawn(package_dirs=[other]) == 5
    assert sum(s["kind"] == "mesh" for body in scene(run_of(looks[:4])).bodies for s in body.shapes()) == 4  # nobody else named them


# -- with a reader


DAE = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimetre" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="24">{points}</float_array>
<technique_common><accessor source="#pa" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/><p>{faces}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def test_collada_is_read_in_its_unit(tmp_path, monkeypatch):
    path = tmp_path / "cube.dae"
    path.write_text(DAE.format(points=" ".join(map(str, CORNERS.ravel())), faces=" ".join(map(str, CUBE.ravel()))))
    read = surface(primitive(path))
    assert len(read["faces"]) == 12
    assert volume(read["points"], read["faces"]) == pytest.approx(1e-6)
    surfaces._read.cache_clear()
    for content in ("<!DOCTYPE a [<!ENTITY b 'c'>]><COLLADA/>", "<COLLADA", "no text"):
        (tmp_path / "bad.dae").write_text(content)
        with pytest.raises(UnreadableError, match="cannot be read"):
            surface(primitive(tmp_path / "bad.dae"))
    monkeypatch.setitem(sys.modules, "collada", None)
    surfaces._read.cache_clear()
    with pytest.raises(UnreadableError, match="needs the package pycollada"):
        surface(primitive(path))


@pytest.mark.parametrize("ending", ["binary.stl", "ascii.stl", "obj"])
def test_stl_and_obj_are_read(tmp_path, ending):
    path = tmp_path / f"cube.{ending}"
    if ending == "obj":
        write_obj(path, CORNERS, CUBE)
    else:
        write_stl(path, CORNERS, CUBE, ending == "binary.stl")
    found = surface(primitive(path, scale=[1, 2, -3], position=[0, 0, 1]))
    points = np.array(found["points"])
    assert len(found["faces"]) == 12
    assert np.allclose([points.min(axis=0), points.max(axis=0)], [[0, 0, -2], [1, 2, 1]])
    assert volume(points - [0, 0, 1], found["faces"]) == pytest.approx(6.0)  # outwards, although mirrored


def test_what_an_obj_mentions_is_not_opened(tmp_path, monkeypatch):
    write_obj(tmp_path / "cube.obj", CORNERS, CUBE)
    (tmp_path / "secret.mtl").write_text("newmtl red\nmap_Kd /etc/passwd\n")
    opened, real = [], open
    monkeypatch.setattr("builtins.open", lambda name, *more, **options: (opened.append(str(name)), real(name, *more, **options))[1])
    surface(primitive(tmp_path / "cube.obj"))
    assert [name for name in opened if name.startswith(str(tmp_path))] == [str(tmp_path / "cube.obj")]


@pytest.mark.parametrize("content", [b"", b"solid\n", bytes(84), b"\xff" * 500, b"facet"])
def test_broken_meshes_are_not_drawn(tmp_path, content):
    for name in ("m.stl", "m.obj"):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UnreadableError):
            surface(primitive(tmp_path / name))


def test_a_mesh_is_seen(tmp_path):
    write_stl(tmp_path / "ball.stl", *sphere())
    run = run_of([bl.visuals.mesh(str(tmp_path / "ball.stl"), scale=(0.5, 0.5, 0.5), color="tomato")])
    animate(run, tmp_path / "m.png")
    pixels = np.asarray(Image.open(tmp_path / "m.png").convert("RGB")).reshape(-1, 3).astype(int)
    assert ((pixels[:, 0] > 150) & (pixels[:, 1] < 120) & (pixels[:, 2] < 110)).sum() > 2000
    assert len(scene(run).bodies[0].shapes()[0]["faces"]) <= surfaces.MOST
