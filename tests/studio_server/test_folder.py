"""Files: nothing outside the folder is read or written, and what is brought along is data."""

import os

import pytest

from bielle import examples
from bielle.errors import BielleError, FileError
from bielle.studio.folder import MOST_BYTES, Folder

OUTSIDE = [
    "",
    ".",
    "..",
    "../a.yaml",
    "../../etc/passwd",
    "/etc/passwd",
    "/etc/hosts.yaml",
    "sub/a.yaml",
    "./a.yaml",
    ".hidden.yaml",
    "a\0.yaml",
    "a.yaml\0",
    "..\\a.yaml",
    "a\n.yaml",
    "CON.yaml",
    "nul.json",
    "LPT1.session",
    "a" * 5000 + ".yaml",
    "é" * 200 + ".yaml",
    "\ud800.yaml",
    "~/a.yaml",
    "a.yaml/",
]


@pytest.fixture
def live():
    return examples.get("double_pendulum").build().live()


@pytest.mark.parametrize("name", OUTSIDE, ids=lambda name: ascii(name[:20]))
def test_no_name_leads_out(folder, live, name):
    beside = sorted(folder.path.parent.rglob("*"))
    with pytest.raises(FileError):
        folder.save(live, name)
    with pytest.raises(FileError):
        folder.open(name)
    assert sorted(folder.path.parent.rglob("*")) == beside


def test_links_lead_nowhere(folder, live, tmp_path):
    outside = tmp_path / "outside.yaml"
    Folder(tmp_path).save(live, "outside.yaml")
    before = outside.read_bytes()
    (folder.path / "link.yaml").symlink_to(outside)
    (folder.path / "dangling.yaml").symlink_to(tmp_path / "new.yaml")
    (folder.path / "sub").mkdir()
    (folder.path / "up.yaml").symlink_to("../outside.yaml")
    for name in ("link.yaml", "dangling.yaml", "up.yaml"):
        with pytest.raises(FileError, match="leads out"):
            folder.open(name)
        with pytest.raises(FileError, match="leads out"):
            folder.save(live, name)
    assert outside.read_bytes() == before
    assert not (tmp_path / "new.yaml").exists()


def test_pipes_and_folders_are_no_files(folder):
    os.mkfifo(folder.path / "pipe.yaml")
    (folder.path / "folder.yaml").mkdir()
    for name in ("pipe.yaml", "folder.yaml", "missing.yaml"):
        with pytest.raises(FileError):
            folder.open(name)
    assert folder.files() == []


@pytest.mark.parametrize("name", ["a.yaml", "b.json", "c.session", "with space.yaml", "é.yaml"])
def test_what_is_saved_can_be_opened(folder, live, name):
    live.advance(0.1)
    folder.save(live, name)
    again = folder.open(name)
    assert set(again.mechanism.bodies) == set(live.mechanism.bodies)
    assert folder.files() == [name]
    assert folder.recent == [name]


@pytest.mark.parametrize("name", ["a", "a.txt", "a.py", "a.yaml.exe", "a.urdf.gz"])
def test_other_endings(folder, live, name):
    with pytest.raises(FileError):
        folder.save(live, name)
    with pytest.raises(FileError):
        folder.brought(name, b"x")


GARBAGE = {
    "a.yaml": [b"", b"\xff\xfe\x00", b"[" * 100_000, b"a: " * 10_000, b"!!python/object/apply:os.system ['true']", b"%YAML 9\n"],
    "a.json": [b"", b"{", b"[" * 100_000, b'{"bielle": 1e999}', b"null", b'"x"', b"NaN"],
    "a.session": [b"", b"PK\x03\x04", b"bielle session\n\0" + b"\xff" * 1000, os.urandom(10_000)],
    "a.urdf": [b"", b"<robot", b"<a>" * 10_000, b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>'],
}


@pytest.mark.parametrize(("name", "content"), [(name, each) for name, several in GARBAGE.items() for each in several])
def test_garbage_is_refused(folder, name, content):
    with pytest.raises(BielleError):
        folder.brought(name, content)


def laughs(depth):
    """A YAML file of a few hundred bytes that stands for 10^depth values."""
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, depth)]
    return "\n".join(["bielle: 1", *lines]).encode()


def entities(depth):
    """The same in XML."""
    declared = ['<!ENTITY e0 "xxxxxxxxxx">', *(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, depth))]
    return f'<!DOCTYPE robot [{"".join(declared)}]><robot name="&e{depth - 1};"/>'.encode()


@pytest.mark.parametrize(("name", "content"), [("a.yaml", laughs(12)), ("a.urdf", entities(12))])
def test_bombs_do_not_go_off(folder, name, content):
    with pytest.raises(BielleError):
        folder.brought(name, content)


def test_a_mesh_beside_a_brought_file_is_not_looked_for(folder, tmp_path):
    secret = tmp_path / "secret.stl"
    secret.write_text("solid x\nendsolid x\n")
    mesh = f'<visual><geometry><mesh filename="{secret}"/></geometry></visual>'
    inertia = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    for text in (mesh, mesh.replace(str(secret), f"file://{secret}"), mesh.replace(str(secret), "../secret.stl")):
        robot = f'<robot name="r"><link name="base">{inertia}{text}</link></robot>'
        with pytest.warns(UserWarning, match="meshes") as told:
            live = folder.brought("a.urdf", robot.encode())
        assert all(str(each.message).startswith("'a.urdf': ") for each in told)  # nobody knows the copy
        for body in live.mechanism.bodies.values():
            assert all(live.mechanism.mesh_folders.find(visual.file)[0] is None for visual in body.visuals)


def test_most_bytes_are_what_the_page_is_told():
    assert MOST_BYTES == 20_000_000


MJCF = b"""<mujoco model="arm"><worldbody><body name="arm">
<joint name="elbow" type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05" density="1000"/>
</body></worldbody></mujoco>"""


@pytest.mark.parametrize("name", ["arm.xml", "arm.mjcf"])
def test_mjcf(folder, name):
    (folder.path / name).write_bytes(MJCF)
    assert folder.files() == [name]
    for live in (folder.open(name), folder.brought(name, MJCF)):
        assert list(live.mechanism.bodies) == ["arm"]
        assert list(live.mechanism.joints) == ["elbow"]
        with pytest.raises(FileError, match="must end in .yaml"):
            folder.save(live, name)
    assert (folder.path / name).read_bytes() == MJCF


def test_no_other_file_is_included_in_what_is_brought(folder, tmp_path):
    (tmp_path / "secret.xml").write_bytes(MJCF)
    for place in (tmp_path / "secret.xml", "../secret.xml", "secret.xml"):
        with pytest.raises(FileError, match="secret"):
            folder.brought("arm.xml", f'<mujoco><include file="{place}"/></mujoco>'.encode())
