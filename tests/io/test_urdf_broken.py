"""Files that are wrong: every message names the file, the line and the element, and nothing is half loaded."""

import random
import re
import sys

import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError, FileError
from bielle.io import xml

from .robots import ARM, robot

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'


def refused(text, *, error=FileError, **options):
    """The message, which begins with the name and the line."""
    with pytest.raises(error) as caught:
        bl.load_urdf(text, **options)
    message = str(caught.value)
    assert re.match(r"urdf:\d+: ", message), message
    assert message.endswith((".", "?")), message
    return message


# name: (text, line, what the message says after it)
BROKEN = {
    "empty": ("<", 1, "it is not XML"),
    "no XML": ("<robot", 1, "it is not XML"),
    "not closed": ("<robot>\n<link name='a'>\n</robot>", 3, "it is not XML: mismatched tag"),
    "another format": ("<mujoco/>", 1, "<mujoco>: a URDF file begins with <robot"),
    "macros": ("<robot xmlns:xacro='x'>\n<xacro:include filename='y'/></robot>", 2, "<xacro:include>: it is a macro of xacro"),
    "no link": ("<robot name='r'/>", 1, "robot 'r': there is no <link> in it"),
    "unknown element": ("<robot name='r'>\n<lnik name='a'/></robot>", 2, "<lnik>: there is no element named 'lnik'. Did you mean 'link'?"),
    "a loop": (robot("<loop_joint/>"), 5, "<loop_joint>: it carries mechanics that are not read and would be missing"),
    "link without name": ("<robot>\n<link/></robot>", 2, "<link>: the attribute 'name' is missing"),
    "empty name": ("<robot>\n<link name=' '/></robot>", 2, "<link>: the attribute 'name' is empty"),
    "two links": (robot("<link name='arm'/>"), 5, "link 'arm': there is one of this name on line 3 already"),
    "two joints": (
        robot('<joint name="hinge" type="fixed"><parent link="base"/><child link="arm"/></joint>'),
        5,
        "joint 'hinge': there is one of this name on line 4 already",
    ),
    "unknown parent": (
        robot('<link name="x"/><joint name="j" type="fixed">\n<parent link="amr"/><child link="x"/></joint>'),
        6,
        "joint 'j': <parent>: there is no link named 'amr'. Did you mean 'arm'?",
    ),
    "unknown child": (
        robot('<joint name="j" type="fixed">\n<parent link="arm"/>\n<child link="hand"/></joint>'),
        7,
        "joint 'j': <child>: there is no link named 'hand'",
    ),
    "no parent": (
        robot('<link name="x"/><joint name="j" type="fixed"><child link="x"/></joint>'),
        5,
        "joint 'j': the element <parent> is mis",
    ),
    "no child": (robot('<joint name="j" type="fixed"><parent link="arm"/></joint>'), 5, "joint 'j': the element <child> is missing"),
    "two parents": (
        robot('<joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint>'),
        5,
        "joint 'j': link 'arm' is the child of joint 'hinge' (line 4) already; URDF knows trees only",
    ),
    "itself": (
        robot('<link name="x"/><joint name="j" type="fixed"><parent link="x"/><child link="x"/></joint>'),
        5,
        "joint 'j': parent and child must be two links, got 'x' twice",
    ),
    "circle": (
        robot(
            '<link name="x"/><link name="y"/>\n<joint name="j" type="fixed"><parent link="x"/><child link="y"/></joint>\n'
            '<joint name="k" type="fixed"><parent link="y"/><child link="x"/></joint>'
        ),
        7,
        "joint 'k': it closes a circle: link 'x' hangs on itself",
    ),
    "no root": (
        robot('<joint name="j" type="fixed"><parent link="arm"/><child link="base"/></joint>'),
        5,
        "joint 'j': it closes a circle: link 'base' hangs on itself",
    ),
    "two roots": (robot('<link name="alone"/>'), 5, "link 'alone': it hangs on no joint, nor does link 'base' (line 2)"),
    "no inertial": (
        robot('<link name="x"/><joint name="j" type="prismatic"><parent link="arm"/><child link="x"/></joint>'),
        5,
        "link 'x': it moves on joint 'j' (prismatic, line 5), but neither it nor what hangs on it has mass. Add <inertial>",
    ),
    "joint type": (
        robot('<link name="x"/><joint name="j" type="ball"><parent link="arm"/><child link="x"/></joint>'),
        5,
        "joint 'j': there is no joint type 'ball'. Use one of: revolute, continuous,",
    ),
    "no type": (
        robot('<link name="x"/><joint name="j"><parent link="arm"/><child link="x"/></joint>'),
        5,
        "joint 'j': the attribute 'type' is",
    ),
    "long name": (f"<robot>\n<link name='{300 * 'a'}'>{MASS}</link></robot>", 2, f"link '{80 * 'a'}…': A name must be a printable string"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_robot(name):
    text, line, said = BROKEN[name]
    message = refused(text)
    assert message.startswith(f"urdf:{line}: {said}"), message


def inertial(inside):
    return f"<robot>\n<link name='a'>\n<inertial>\n{inside}\n</inertial></link></robot>"


WEIGHT, ROUND = '<mass value="1"/>', '<inertia ixx="1" iyy="1" izz="1"/>'
INERTIALS = {
    "negative mass": (f'<mass value="-1"/>{ROUND}', 4, "<mass>: the mass must be positive, got -1 kg"),
    "zero mass": (f'<mass value="0"/>{ROUND}', 4, "<mass>: the mass must be positive, got 0 kg. A link without mass has no <inertial>"),
    "no mass": (ROUND, 3, "<inertial>: the element <mass> is missing"),
    "no inertia": (WEIGHT, 3, "<inertial>: the element <inertia> is missing"),
    "two masses": (f"{WEIGHT}\n{WEIGHT}{ROUND}", 5, "<mass>: there is one on line 4 already"),
    "no value": (f"<mass/>{ROUND}", 4, "<mass>: the attribute 'value' is missing"),
    "other attribute": (f'<mass vlaue="1"/>{ROUND}', 4, "<mass>: there is no attribute named 'vlaue'. Did you mean 'value'?"),
    "NaN": (f'<mass value="nan"/>{ROUND}', 4, "<mass>: the attribute 'value' must be made of finite numbers, got 'nan'"),
    "infinite": (f'<mass value="1e999"/>{ROUND}', 4, "<mass>: the attribute 'value' must be made of finite numbers, got '1e999'"),
    "Python's numbers": (f'<mass value="1_0"/>{ROUND}', 4, "<mass>: the attribute 'value' must be made of finite numbers, got '1_0'"),
    "empty": (f'<mass value=""/>{ROUND}', 4, "<mass>: the attribute 'value' is empty"),
    "word": (
        f'{WEIGHT}<inertia ixx="big" iyy="1" izz="1"/>',
        4,
        "<inertia>: the attribute 'ixx' must be made of finite numbers, got 'big'",
    ),
    "no izz": (f'{WEIGHT}<inertia ixx="1" iyy="1"/>', 4, "<inertia>: the attribute 'izz' is missing"),
    "triangle": (
        f'{WEIGHT}<inertia ixx="1" iyy="1" izz="3"/>',
        4,
        "<inertia>: no principal moment can be larger than the sum of the two others, got 1, 1, 3 kg m². Correct it, or let the nearest be",
    ),
    "products": (
        f'{WEIGHT}<inertia ixx="1" iyy="1" izz="1" ixy="2"/>',
        4,
        "<inertia>: no principal moment can be negative, got -1, 1, 3 kg m²",
    ),
    "point": (
        f'{WEIGHT}<inertia ixx="0" iyy="0" izz="0"/>',
        2,
        "the inertia must be positive definite, got the principal moments 0, 0, 0 kg m².",
    ),
    "two numbers": (f'<origin xyz="1 2"/>{WEIGHT}{ROUND}', 4, "<origin>: the attribute 'xyz' must be 3 numbers, got '1 2'"),
    "turned twice": (f'<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>{WEIGHT}{ROUND}', 4, "<origin>: it has rpy and quat_xyzw"),
    "no rotation": (f'<origin quat_xyzw="0 0 0 0"/>{WEIGHT}{ROUND}', 4, "<origin>: the quaternion must not be zero"),
}


@pytest.mark.parametrize("name", INERTIALS)
def test_mass_that_cannot_be(name):
    inside, line, said = INERTIALS[name]
    message = refused(inertial(inside))
    assert message.startswith(f"urdf:{line}: link 'a': {said}"), message


JOINTS = {
    "zero axis": ("revolute", '<axis xyz="0 0 0"/>', "<axis>: the axis must not be the zero vector"),
    "NaN axis": ("revolute", '<axis xyz="0 NaN 0"/>', "<axis>: the attribute 'xyz' must be made of finite numbers, got 'NaN'"),
    "lower > upper": ("revolute", '<limit lower="1" upper="-1"/>', "<limit>: lower must not exceed upper, got 1 and -1"),
    "lower > 0": ("prismatic", '<limit lower="1"/>', "<limit>: lower must not exceed upper, got 1 and 0"),
    "effort": ("revolute", '<limit effort="-1"/>', "<limit>: the effort must not be negative, got -1"),
    "limit": ("revolute", '<limit uper="1"/>', "<limit>: there is no attribute named 'uper'. Did you mean 'upper'?"),
    "damping": ("revolute", '<dynamics damping="-1"/>', "<dynamics>: the damping must not be negative, got -1"),
    "friction": ("revolute", '<dynamics friction="-1"/>', "<dynamics>: the friction must not be negative, got -1"),
    "a spring": (
        "revolute",
        '<dynamics spring_stiffness="1"/>',
        "<dynamics>: the attribute 'spring_stiffness' carries mechanics that are not",
    ),
    "damped planar": ("planar", '<dynamics damping="1"/>', "<dynamics>: URDF does not say what damping means in a planar joint"),
    "element": ("revolute", "<limits/>", "<limits>: there is no element named 'limits'. Did you mean 'limit'?"),
    "two limits": ("revolute", "<limit/><limit/>", "<limit>: there is one on line 6 already"),
    "mimic of nobody": ("revolute", "<mimic/>", "<mimic>: the attribute 'joint' is missing"),
    "mimic of itself": ("revolute", '<mimic joint="j"/>', "<mimic>: a joint cannot follow itself"),
    "mimic of another": ("revolute", '<mimic joint="hnge"/>', "<mimic>: there is no joint named 'hnge'. Did you mean 'hinge'?"),
    "mimic of a weld": ("revolute", '<mimic joint="weld"/>', "<mimic>: joint 'weld' is fixed and has no single coordinate to follow"),
    "planar mimic": ("planar", '<mimic joint="hinge"/>', "<mimic>: a planar joint has no single coordinate that could follow another"),
    "mimic in words": (
        "revolute",
        '<mimic joint="hinge" multiplier="two"/>',
        "<mimic>: the attribute 'multiplier' must be made of finite numbers",
    ),
    "mimic of nothing": (
        "revolute",
        '<mimic joint="hinge" multiplier="0"/>',
        "<mimic>: joint 'j mimic': the ratio must not be zero, got 0.0. To hold a joint still",
    ),
}


def with_joint(type, inside):
    return robot(
        f'<link name="x">{MASS}</link><link name="y"/><joint name="j" type="{type}"><parent link="arm"/><child link="x"/>\n{inside}</joint>'
        '<joint name="weld" type="fixed"><parent link="arm"/><child link="y"/></joint>'
    )


@pytest.mark.parametrize("name", JOINTS)
def test_joints_that_cannot_be(name):
    type, inside, said = JOINTS[name]
    message = refused(with_joint(type, inside))
    assert message.startswith(f"urdf:6: joint 'j': {said}"), message


GEOMETRIES = {
    "no geometry": ("", "<visual>: the element <geometry> is missing"),
    "nothing": ("<geometry/>", "<geometry>: it must hold one of <box>, <cylinder>, <sphere>, <capsule>, <mesh>, got 0 elements"),
    "two": ('<geometry><sphere radius="1"/><sphere radius="1"/></geometry>', "<geometry>: it must hold one of"),
    "cone": ("<geometry><cone/></geometry>", "<cone>: it is no form of URDF. Use one of <box>, <cylinder>"),
    "negative": ('<geometry><sphere radius="-1"/></geometry>', "<sphere>: visual 'sphere': the radius must be a positive finite number"),
    "no length": ('<geometry><cylinder radius="1"/></geometry>', "<cylinder>: the attribute 'length' is missing"),
    "no file": ('<geometry><mesh scale="1 1 1"/></geometry>', "<mesh>: the attribute 'filename' is missing"),
    "scale": ('<geometry><mesh filename="a.stl" scale="1 0 1"/></geometry>', "<mesh>: visual 'mesh': the scale must not be zero"),
    "colour": (
        '<geometry><sphere radius="1"/></geometry><material><color rgba="red"/></material>',
        "<color>: the attribute 'rgba' must be 4",
    ),
}


@pytest.mark.parametrize("name", GEOMETRIES)
def test_forms_that_cannot_be(name):
    inside, said = GEOMETRIES[name]
    message = refused(f"<robot><link name='a'>{MASS}\n<visual>{inside}</visual></link></robot>")
    assert message.startswith(f"urdf:2: link 'a': {said}"), message


# -- bases


def test_a_free_base_needs_mass():
    message = refused(robot(""), base="free")
    assert message.startswith("urdf:2: link 'base': a free base needs mass: the root link has no <inertial>")


def test_the_world_is_never_free_nor_heavy():
    text = f"<robot>\n<link name='world'/><link name='a'>{MASS}</link>{{}}</robot>".format(
        '<joint name="j" type="fixed"><parent link="world"/><child link="a"/></joint>'
    )
    assert "a root link of this name is the ground" in refused(text, base="free")
    assert "is the ground and has no mass" in refused(f"<robot>\n<link name='world'>{MASS}</link></robot>")


@pytest.mark.parametrize("base", ["floating", None, 3])
def test_a_base_is_fixed_or_free(base):
    with pytest.raises(DescriptionError, match="base must be 'fixed' or 'free'"):
        bl.load_urdf(ARM, base=base)


@pytest.mark.parametrize("gravity", [(0, 0), "down", (0, 0, float("nan"))])
def test_gravity_is_checked(gravity):
    with pytest.raises(DescriptionError, match="gravity must be"):
        bl.load_urdf(ARM, gravity=gravity)


# -- hostile files


def bomb(levels=30):
    entities = ['<!ENTITY a0 "lol">', *(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, levels))]
    return f"<?xml version='1.0'?>\n<!DOCTYPE robot [\n{''.join(entities)}]>\n<robot name='&a{levels - 1};'/>"


HOSTILE = {
    "billion laughs": (bomb(), r"urdf:2: document types and entities .* are not read"),
    "quadratic": (f"<!DOCTYPE r [<!ENTITY a '{'x' * 100_000}'>]><robot name='{'&a;' * 10_000}'/>", "urdf:1: document types"),
    "external": ("<!DOCTYPE r SYSTEM 'file:///etc/passwd'><robot/>", "urdf:1: document types"),
    "external entity": ("<!DOCTYPE r [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><robot>&e;</robot>", "urdf:1: document types"),
    "deep": ("<a>" * 100_000, "urdf:1: <a>: it is nested more than 64 levels deep"),
    "many": ("<robot>" + "<a/>" * 300_000, "urdf:1: <a>: there are more than 200000 elements"),
    "many attributes": (
        "<robot " + " ".join(f'a{i}="1"' for i in range(20_000)) + "/>",
        "urdf:1: <robot>: it has 20000 attributes. At most 1000 are read",
    ),
    "some attributes": (
        "<robot " + " ".join(f'a{i}="1"' for i in range(900)) + "/>",
        "urdf:1: <robot>: there are more than 200 names in it",
    ),
    "a tag without end": ("<robot>\n<" + "a" * 3_000_000, "urdf:2: a tag or comment is longer than 1048576 bytes"),
    "attributes without end": (
        "<robot " + " ".join(f'a{i}="1"' for i in range(300_000)) + "/>",
        "urdf:1: a tag or comment is longer than 1048576 bytes",
    ),
    "a circle of many": (
        "<robot><link name='r'/>"
        + "".join(f"<link name='l{i}'/>" for i in range(10_000))
        + "".join(
            f"<joint name='j{i}' type='fixed'><parent link='l{i}'/><child link='l{(i + 1) % 10_000}'/></joint>" for i in range(10_000)
        )
        + "</robot>",
        "urdf:1: joint 'j9999': it closes a circle: link 'l0' hangs on itself",
    ),
    "many names": (
        "<robot>" + "".join(f"<a{i}/>" for i in range(100_000)) + "</robot>",
        "urdf:1: <a200>: there are more than 200 names in it",
    ),
    "one name": ("<robot>" + "<a/>" * 199_000 + "</robot>", "urdf:1: <robot>: there is no <link> in it"),
    "unknown entity": ("<robot>&boom;</robot>", "urdf:1: it is not XML: undefined entity"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_linear_time(name):
    """Some lines of Python for every byte, at most; what expands a bomb never ends, nor does the message say where it begins."""
    text, said = HOSTILE[name]
    lines = 0

    def count(*_):
        nonlocal lines
        lines += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        with pytest.raises(FileError, match=said):
            bl.load_urdf(text)
    finally:
        sys.settrace(before)
    assert lines < 10_000 + 20 * len(text)  # the first of them also imports


def test_many_bodies_without_a_name_are_told_apart_in_linear_time():
    bodies = "<body><geom size='1'/></body>" * 50_000  # trying all numbers for each would take an hour
    names = [*bl.load_mjcf(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>", merge_fixed=True).frames]
    assert [*names[1:4], names[-1]] == ["body", "body body", "body body 2", "body body 49999"]


def test_a_chain_of_thousands_of_links_is_no_recursion():
    links = "".join(f"<link name='l{i}'>{MASS}</link>" for i in range(3000))
    joints = "".join(f"<joint name='j{i}' type='continuous'><parent link='l{i}'/><child link='l{i + 1}'/></joint>" for i in range(2999))
    assert len(bl.load_urdf(f"<robot>{links}{joints}</robot>").bodies) == 3000


def test_a_file_that_is_too_long_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ARM)
    with pytest.raises(FileError, match="longer than 1000 bytes"):
        bl.load_urdf(path, max_bytes=1000)
    with pytest.raises(FileError, match="longer than 1000 bytes"):
        bl.load(path, max_bytes=1000)
    with pytest.raises(FileError, match="longer than 1000 bytes"):
        bl.load_urdf(ARM, max_bytes=1000)
    with open(path, "wb") as file:
        file.truncate(xml.MAX_BYTES + 1)
    with pytest.raises(FileError, match=f"longer than {xml.MAX_BYTES} bytes"):
        bl.load_urdf(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"\x00" * 100, b"PK\x03\x04", b"bielle: 1\n", b"<?xml version='1.0' encoding='klingon'?><robot/>"]
    + [f"<?xml version='1.0' encoding='{name}'?><robot/>".encode() for name in ("utf-7", "utf-32", "big5", "shift_jis")],
)
def test_files_that_are_no_xml(content, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_bytes(content)
    with pytest.raises(FileError, match=rf"{re.escape(str(path))}:1: it is not XML"):
        bl.load(path)


@pytest.mark.parametrize("given", [3, None, object(), ["a"]])
def test_what_is_neither_path_nor_text(given):
    with pytest.raises(FileError, match="A path must be a string"):
        bl.load_urdf(given)


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(FileError, match="it cannot be read"):
        bl.load_urdf(tmp_path / "none.urdf")
    with pytest.raises(FileError, match="not a regular file"):
        bl.load_urdf(tmp_path)


def test_a_message_names_the_file(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(with_joint("revolute", '<axis xyz="0 0 0"/>'))
    with pytest.raises(FileError, match=rf"^{re.escape(str(path))}:6: joint 'j': <axis>"):
        bl.load(path)


@pytest.mark.filterwarnings("ignore:.*passed over")
def test_random_damage_never_gets_past_the_errors():
    """Cut and changed files load, or are refused by bielle's own errors."""
    dice, refusals = random.Random(1), 0
    for _ in range(400):
        text = ARM
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(text) + 1)
            text = dice.choice(
                [text[:at], text[:at] + text[at + dice.randrange(1, 60) :], text[:at] + dice.choice('<>"/ 09-.eNx&') + text[at + 1 :]]
            )
        try:
            bl.load_urdf(text if text.lstrip().startswith("<") else "<" + text)
        except BielleError:
            refusals += 1
    assert refusals > 200
