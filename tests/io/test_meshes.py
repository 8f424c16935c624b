"""Where meshes are looked for, and where not."""

import os

import pytest

import bielle as bl
from bielle.errors import FileError
from bielle.mechanism.visuals import MAX_MESH_BYTES

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'


@pytest.fixture
def folder(tmp_path):
    """A package 'arm' with a model and a mesh, another package, and a file that is nobody's."""
    for name in ("arm/urdf", "arm/meshes", "other/meshes"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("arm/urdf/beside.stl", "arm/meshes/hand.stl", "other/meshes/hand.stl", "secret.stl"):
        (tmp_path / name).write_text("solid\nendsolid\n")
    return tmp_path


def found(folder, name, **options):
    """Where the mesh of that name is found by a model in arm/urdf."""
    path = folder / "arm" / "urdf" / "robot.urdf"
    path.write_text(
        f'<robot><link name="a">{MASS}<visual><geometry>\n<mesh filename="{name}" scale="1 2 3"/></geometry></visual></link></robot>'
    )
    visual = bl.load_urdf(path, **options).bodies["a"].visuals[0]
    assert (visual.file, visual.scale) == (name, (1.0, 2.0, 3.0))
    return None if visual.path is None else os.path.relpath(visual.path, folder)


@pytest.mark.parametrize(
    ("name", "dirs", "expected"),
    [
        ("beside.stl", [], "arm/urdf/beside.stl"),
        ("./beside.stl", [], "arm/urdf/beside.stl"),
        ("package://urdf/beside.stl", [], "arm/urdf/beside.stl"),
        ("package://arm/meshes/hand.stl", ["."], "arm/meshes/hand.stl"),
        ("package://arm/meshes/hand.stl", ["arm"], "arm/meshes/hand.stl"),
        ("package://other/meshes/hand.stl", ["arm", "."], "other/meshes/hand.stl"),
        ("model://arm/meshes/hand.stl", ["."], "arm/meshes/hand.stl"),
        ("../meshes/hand.stl", ["arm"], "arm/meshes/hand.stl"),
        ("meshes/hand.stl", ["other"], "other/meshes/hand.stl"),
    ],
)
def test_meshes_are_found_in_the_folders_that_are_named(folder, name, dirs, expected):
    assert found(folder, name, package_dirs=[folder / each for each in dirs]) == expected


def test_packages_can_be_named_one_by_one(folder):
    packages = {"hands": folder / "other"}
    assert found(folder, "package://hands/meshes/hand.stl", package_dirs=packages) == "other/meshes/hand.stl"


def test_one_folder_is_enough(folder):
    assert found(folder, "package://arm/meshes/hand.stl", package_dirs=str(folder)) == "arm/meshes/hand.stl"


@pytest.mark.parametrize(
    ("name", "dirs", "said"),
    [
        ("none.stl", [], "not found"),
        ("package://arm/meshes/hand.stl", [], "not found"),
        ("https://example.org/hand.stl", ["."], "not found"),
        ("../meshes/hand.stl", [], "outside the folder of the model and package_dirs"),
        ("package://arm/../secret.stl", ["arm"], "outside"),
        ("package://../secret.stl", ["arm"], "outside"),
        ("package://arm/%2e%2e/secret.stl", ["arm"], "outside"),
        ("package://arm//{root}/secret.stl", ["arm"], "not found"),
        ("{root}/secret.stl", ["arm"], "outside"),
        ("file://{root}/secret.stl", ["arm"], "outside"),
        ("urdf/../../../secret.stl", ["arm"], "outside"),
        ("link.stl", [], "outside"),
        ("package://arm/meshes", ["."], "not found"),
    ],
)
def test_meshes_elsewhere_are_kept_as_names(folder, name, dirs, said):
    (folder / "arm" / "urdf" / "link.stl").symlink_to(folder / "secret.stl")
    name = name.format(root=folder)
    with pytest.warns(UserWarning, match=rf"robot\.urdf: meshes that are {said}.*: '.*' \(line 2\)\. They are kept as names and not drawn"):
        assert found(folder, name, package_dirs=[folder / each for each in dirs]) is None


def test_text_has_no_folder(folder, monkeypatch):
    monkeypatch.chdir(folder)
    text = f'<robot><link name="a">{MASS}<collision><geometry><mesh filename="secret.stl"/></geometry></collision></link></robot>'
    with pytest.warns(UserWarning, match=r"^urdf: meshes that are not found: 'secret.stl' \(line 1\)\. "):
        assert bl.load_urdf(text).bodies["a"].collisions[0].path is None
    assert bl.load_urdf(text, package_dirs=".").bodies["a"].collisions[0].path == str(folder / "secret.stl")


def test_a_huge_mesh_is_refused_unread(folder):
    with open(folder / "arm" / "urdf" / "huge.stl", "wb") as file:
        file.truncate(MAX_MESH_BYTES + 1)
    with pytest.raises(
        FileError, match=rf"robot\.urdf:2: link 'a': <mesh>: the mesh 'huge\.stl' has {MAX_MESH_BYTES + 1} bytes, more than"
    ):
        found(folder, "huge.stl")
    with open(folder / "arm" / "urdf" / "huge.stl", "wb") as file:
        file.truncate(MAX_MESH_BYTES)
    assert found(folder, "huge.stl") == "arm/urdf/huge.stl"


@pytest.mark.parametrize("given", [3, [3], {"a": None}])
def test_folders_are_checked(folder, given):
    with pytest.raises(FileError, match="package_dirs must be|A path must be"):
        found(folder, "beside.stl", package_dirs=given)


def test_names_of_meshes_come_back(folder, tmp_path):
    """A relative name is written so that it is found from the new place; others as they were."""
    found(folder, "beside.stl")
    m = bl.load(folder / "arm" / "urdf" / "robot.urdf")
    m.save(folder / "arm" / "new.urdf")
    again = bl.load(folder / "arm" / "new.urdf").bodies["a"].visuals[0]
    assert (again.file, again.path) == ("urdf/beside.stl", m.bodies["a"].visuals[0].path)
    packages = {"package_dirs": [folder]}
    found(folder, "package://arm/meshes/hand.stl", **packages)
    m = bl.load_urdf(folder / "arm" / "urdf" / "robot.urdf", **packages)
    bl.save_urdf(m, folder / "new.urdf")
    assert bl.load_urdf(folder / "new.urdf", **packages).bodies["a"].visuals == m.bodies["a"].visuals
    m.save(folder / "m.yaml")
    assert bl.load(folder / "m.yaml") == m
