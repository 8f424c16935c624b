"""What becomes of the links and joints of a URDF file, and what is written to one."""

import warnings

import numpy as np
import pytest
from typer.testing import CliRunner

import bielle as bl
from bielle.cli import app
from bielle.errors import BielleError, DescriptionError, FileError, NamingError

from .robots import ARM, CAMERA, robot

MASS = '<inertial><mass value="{}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


# -- from links to bodies and frames


def test_links_with_mass_are_bodies_and_the_others_frames():
    m = bl.load_urdf(ARM)
    assert (m.name, m.gravity, m.plane) == ("arm", (0.0, 0.0, -9.81), None)
    assert [*m.bodies] == ["base", "upper", "lower", "slide"]
    assert {name: (j.a, j.b, type(j.kind)) for name, j in m.joints.items()} == {
        "base base": ("ground", "base", bl.Fixed),
        "shoulder": ("base", "upper", bl.Revolute),
        "elbow": ("upper", "lower", bl.Revolute),
        "out": ("lower", "slide", bl.Prismatic),
    }
    assert {name: frame.body for name, frame in m.frames.items()} == {"tool": "slide"}
    assert m.frames["tool"].position == (0.0, 0.0, 0.1)
    assert m.joints["out"].kind.axis == (0.0, 3.0, 4.0)
    assert m.joints["out"].at_a == (0.1, 0.0, 0.3)
    assert m.report().degrees_of_freedom == 3
    assert m.report().ok


def test_the_inertia_is_turned_into_the_axes_of_the_link():
    """Rz(90°) exchanges x and y; the inertial frame stands at its origin."""
    inertial = (
        '<inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
        '<inertia ixx="3" ixy="0.5" ixz="0" iyy="4" iyz="0" izz="5"/></inertial>'
    )
    properties = bl.load_urdf(f"<robot><link name='a'>{inertial}</link></robot>").bodies["a"].shape.mass_properties()
    assert properties.mass == 2
    assert properties.centre.tolist() == [1, 2, 3]
    assert np.abs(properties.inertia - [[4, -0.5, 0], [-0.5, 3, 0], [0, 0, 5]]).max() < 1e-15


def test_described_poses_are_those_of_the_zero_position():
    m = bl.load_urdf(CAMERA)
    column, head, lens = (m.bodies[name].pose for name in ("column", "head", "lens"))
    assert np.allclose(column.position, [1, 0, 0], atol=1e-15)
    turned = bl.mechanism.vectors.quaternion_to_matrix(bl.rotation("z", 0.3))
    assert np.abs(head.position - (column.position + turned @ [0, 0.1, 1])).max() < 1e-15
    assert np.abs(lens.position - head.point(np.array([0.2, 0, 0]))).max() < 1e-15
    assert m.report().ok  # no gaps: bodies stand where joints want them


def test_massless_links_on_fixed_joints_are_frames_of_what_they_are_fixed_to():
    m = bl.load_urdf(CAMERA)
    assert {name: frame.body for name, frame in m.frames.items()} == {"world": "ground", "socket": "head", "optical": "lens"}
    assert [*m.joints] == ["stand", "pan", "screwed"]
    assert (m.joints["pan"].a, m.joints["pan"].b) == ("column", "head")
    socket = m.bodies["head"].pose.point(m.frames["socket"].pose.position)
    assert np.abs(socket - m.bodies["column"].pose.position - [0, 0, 1]).max() < 1e-15


def test_merging_leaves_one_body_for_all_that_is_fixed_together():
    m = bl.load_urdf(CAMERA, merge_fixed=True)
    assert [*m.bodies] == ["head"]
    assert [*m.joints] == ["pan"]
    assert {name: frame.body for name, frame in m.frames.items()} == {
        "world": "ground", "column": "ground", "socket": "head", "lens": "head", "optical": "head"
    }  # fmt: skip
    assert m.bodies["head"].shape.mass_properties().mass == pytest.approx(1.2, rel=1e-15)
    apart = bl.load_urdf(CAMERA)
    lens = apart.bodies["lens"].pose
    for name, expected in (("lens", lens.position), ("optical", lens.point(apart.frames["optical"].pose.position))):
        assert np.abs(m.bodies["head"].pose.point(m.frames[name].pose.position) - expected).max() < 1e-15


def test_a_free_base_falls():
    m = bl.load_urdf(ARM, base="free", gravity=(0, 0, -2.0))
    assert "base base" not in m.joints
    assert m.report().degrees_of_freedom == 9
    run = m.simulate(0.5)
    masses = {name: body.shape.mass_properties() for name, body in m.bodies.items()}
    heights = sum(p.mass * run[name].point(p.centre).position[:, 2] for name, p in masses.items()) / sum(p.mass for p in masses.values())
    assert heights[-1] - heights[0] == pytest.approx(-0.5 * 2.0 * 0.5**2, rel=1e-6)


def test_a_free_base_without_mass_is_a_frame_of_what_is_fixed_to_it():
    text = f"""<robot><link name="footprint"/><link name="base">{MASS.format(1)}</link>
      <joint name="j" type="fixed"><origin xyz="0 0 0.3"/><parent link="footprint"/><child link="base"/></joint></robot>"""
    m = bl.load_urdf(text, base="free")
    assert (m.frames["footprint"].body, m.frames["footprint"].position) == ("base", (0.0, 0.0, -0.3))
    assert m.joints == {}
    assert m.bodies["base"].position == (0.0, 0.0, 0.3)


def test_a_floating_joint_is_none():
    text = f"""<robot><link name="world"/><link name="a">{MASS.format(1)}</link>
      <joint name="j" type="floating"><origin xyz="0 0 2" rpy="0 0 1"/><parent link="world"/><child link="a"/></joint></robot>"""
    m = bl.load_urdf(text)
    assert m.joints == {}
    assert m.bodies["a"].position == (0.0, 0.0, 2.0)
    assert m.report().degrees_of_freedom == 6


def test_what_weighs_nothing_on_paper_has_no_mass():
    nothing = '<inertial><mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
    link, joint = f'<link name="pad">{nothing}</link>', '<joint name="j" type="fixed"><parent link="arm"/><child link="pad"/></joint>'
    assert bl.load_urdf(robot(link + joint)).frames["pad"].body == "arm"


def test_names_that_meet_are_kept_apart():
    """URDF lets a link and a joint share a name, and calls nothing the ground."""
    text = f"""<robot><link name="ground"/><link name="arm">{MASS.format(1)}</link><link name="arm damping">{MASS.format(1)}</link>
      <joint name="arm" type="continuous"><parent link="ground"/><child link="arm"/><dynamics damping="1"/><limit effort="2"/></joint>
      <joint name="hand" type="continuous"><parent link="arm"/><child link="arm damping"/></joint></robot>"""
    m = bl.load_urdf(text)
    assert [*m.bodies] == ["arm", "arm damping"]
    assert [*m.joints] == ["arm joint", "hand"]
    assert m.frames["ground link"].body == "ground"
    assert m.forces["arm joint damping"].joint == "arm joint"
    assert bl.urdf_limits(text) == {"arm joint": {"effort": 2.0}}


def test_a_heavy_link_named_ground_is_no_ground():
    text = f"""<robot><link name="base"/><link name="ground">{MASS.format(2)}</link><link name="tip"/>
      <joint name="j" type="continuous"><parent link="base"/><child link="ground"/></joint>
      <joint name="k" type="fixed"><parent link="ground"/><child link="tip"/></joint></robot>"""
    m = bl.load_urdf(text)
    assert [*m.bodies] == ["ground link"]
    assert m.frames["tip"].body == "ground link"
    assert (m.joints["j"].a, m.joints["j"].b) == ("ground", "ground link")


# -- joints


def test_damping_is_a_force_in_the_joint():
    m = bl.load_urdf(ARM)
    assert {name: force.joint for name, force in m.forces.items()} == {"shoulder damping": "shoulder", "out damping": "out"}
    assert m.forces["shoulder damping"].kind == bl.JointDamping(coefficient=0.3)
    assert m.forces["out damping"].kind == bl.JointDamping(translational=2.0)


def test_limits_can_be_read():
    assert bl.urdf_limits(ARM) == {
        "shoulder": {"lower": -1.5, "upper": 1.2, "effort": 30.0, "velocity": 2.0},
        "elbow": {"effort": 10.0, "velocity": 5.0},
        "out": {"lower": 0.0, "upper": 0.3, "effort": 10.0, "velocity": 1.0},
    }


def test_a_bound_that_is_left_out_is_zero_and_two_are_none():
    joint = '<link name="x">{}</link><joint name="j" type="revolute"><parent link="arm"/><child link="x"/><limit {}/></joint>'
    limits = [bl.urdf_limits(robot(joint.format(MASS.format(1), given))) for given in ('upper="2"', 'lower="-2"', 'effort="1"', "")]
    assert limits == [{"j": {"lower": 0.0, "upper": 2.0}}, {"j": {"lower": -2.0, "upper": 0.0}}, {"j": {"effort": 1.0}}, {}]


def test_the_axis_is_x_unless_it_is_said():
    assert bl.load_urdf(robot("")).joints["hinge"].kind.axis == (1.0, 0.0, 0.0)


def test_the_energy_of_a_falling_arm_is_kept():
    m = bl.load_urdf(ARM.replace('damping="0.3"', "").replace('<dynamics damping="2"/>', ""))
    assert m.forces == {}
    run = m.simulate(1.0)
    swing = np.ptp(run.energy.kinetic)
    assert swing > 1.0
    assert np.abs(run.energy.error).max() < 1e-7 * swing
    assert run.violation.max() < 1e-9


# -- where it starts


def test_joints_start_where_they_are_told_to():
    """Poses of bodies and rates of joints are those of the recursive model at the same coordinates."""
    positions, velocities = {"shoulder": 0.4, "elbow": -1.1, "out": 0.2}, {"shoulder": 0.3, "elbow": -0.7, "out": 0.5}
    m = bl.load_urdf(ARM, positions=positions, velocities=velocities)
    model = m.recursive()
    q, v = np.zeros(3), np.zeros(3)
    for name in positions:
        at_q, at_v = model.coordinates(name)
        q[at_q], v[at_v] = positions[name], velocities[name]
    h = 1e-6
    here, ahead, behind = (model.forward_kinematics(q + step * v) for step in (0, h, -h))
    for name, body in m.bodies.items():
        assert np.abs(body.pose.position - here[name].position).max() < 1e-14
        assert np.abs(body.pose.rotation - here[name].rotation).max() < 1e-14
        assert np.abs(body.twist.linear - (ahead[name].position - behind[name].position) / (2 * h)).max() < 1e-9
        spin = (ahead[name].rotation - behind[name].rotation) / (2 * h) @ here[name].rotation.T
        assert np.abs(body.twist.angular - [spin[2, 1], spin[0, 2], spin[1, 0]]).max() < 1e-9
    assert m.report().ok
    run = m.simulate(1e-3)
    assert run["elbow"].angle[0] == pytest.approx(-1.1, abs=1e-12)  # joints count from zero, wherever they start
    assert run["out"].displacement[0] == pytest.approx([0, 0, 0.2], abs=1e-12)  # along the third axis of the joint
    assert [*m.joints.values()] == [*bl.load_urdf(ARM).joints.values()]


@pytest.mark.parametrize("what", ["positions", "velocities"])
def test_starts_are_checked(what):
    for given, said in (
        ({"shouder": 1.0}, f"{what}: there is no joint named 'shouder'. Did you mean 'shoulder'?"),
        ({"mount": 1.0}, f"{what}: joint 'mount' is fixed: it has no single coordinate"),
        ({"shoulder": float("nan")}, f"{what}: that of joint 'shoulder' must be finite"),
        ({"shoulder": (1, 2)}, f"{what}: that of joint 'shoulder' must be a number"),
        ([1, 2, 3], f"{what} must be a dictionary"),
    ):
        with pytest.raises(BielleError) as caught:
            bl.load_urdf(ARM, **{what: given})
        assert str(caught.value).startswith(said)


# -- what carries no mechanics


def test_what_speaks_to_other_programs_is_passed_over():
    extra = """
      <gazebo reference="arm"><mu1>0.2</mu1><material>Gazebo/Red</material></gazebo>
      <transmission name="t"><type>x</type><joint name="hinge"><hardwareInterface>y</hardwareInterface></joint></transmission>
      <ros2_control name="c" type="system"/><drake:bushing xmlns:drake="d"/><sensor name="s"/>
      <material name="m"><texture filename="t.png"/></material>
    """
    before, after = bl.load_urdf(robot("")), bl.load_urdf(robot(extra))
    assert before == after


def test_what_urdf_does_not_define_is_passed_over_with_a_word():
    text = robot(
        f"""<link name="x">{MASS.format(1)}<self_filter/></link><widget/>
<joint name="j" type="continuous" dont_collapse="true"><parent link="arm"/><child link="x"/><axis xyz="1 0 0" rpy="0 0 0"/>
<limit velocity="1" gear_velocity="3"/><dynamics damping="0" armature="0"/></joint>"""
    )
    with pytest.warns(UserWarning, match="passed over") as caught:
        m = bl.load_urdf(text)
    assert [str(w.message) for w in caught] == [
        "urdf: passed over, since URDF does not define it: <widget> (line 5), <self_filter> (line 5), attribute 'dont_collapse' of <joint> "
        "(line 6), attribute 'rpy' of <axis> (line 6), attribute 'gear_velocity' of <limit> (line 7)."
    ]
    assert [*m.joints] == ["hinge", "j"]


def test_the_axis_of_a_joint_that_does_not_move_is_not_looked_at():
    joint = '<joint name="j" type="fixed"><parent link="arm"/><child link="x"/><axis xyz="0 0 0"/><mimic joint="hinge"/></joint>'
    assert bl.load_urdf(robot(f'<link name="x"/>{joint}')).frames["x"].body == "arm"


# -- inertias that no body can have


def heavy(*moments, mass=2.0, name="arm", more=""):
    xx, yy, zz = moments
    inertia = f'<inertia ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/>'
    return f'<link name="{name}"><inertial><origin xyz="0.3 0 0"/><mass value="{mass}"/>{inertia}</inertial></link>{more}'


def on_hinge(link):
    return f'<robot><link name="base"/>{link}<joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>'


@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((1, 1, 3), (1.5, 1.5, -0.5)),  # a triangle that does not close: one second moment of mass is negative
        ((0, 1, 1), (1, 0, 0)),  # a rod without thickness
        ((-0.1, 1, 1), (1.05, -0.05, -0.05)),
        ((1, 1, 1), None),
        ((0.1, 0.9, 1.0), None),  # a plate without thickness is a body
    ],
)
def test_an_inertia_is_repaired_as_little_as_can_be(moments, expected):
    """Second moments of mass (Iⱼ + Iₖ − Iᵢ)/2 are raised to a ten-thousandth of the largest, and stay as they are if they are more."""
    text = on_hinge(heavy(*moments))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = bl.load_urdf(text, repair_inertia=True).bodies["arm"].shape.mass_properties()
    assert (found.mass, found.centre.tolist()) == (2.0, [0.3, 0.0, 0.0])
    if expected is None:
        assert not caught
        assert np.array_equal(found.inertia, np.diag(moments))
        return
    s = np.maximum(expected, 1e-4 * max(expected))
    assert np.abs(found.inertia - np.diag(s.sum() - s)).max() < 1e-15
    assert str(caught[0].message).startswith("urdf: inertia changed to one that a body can have: link 'arm' (line 1, by ")
    with pytest.raises(FileError, match="link 'arm'"):
        bl.load_urdf(text)


def test_a_point_gets_a_millimetre():
    with pytest.warns(UserWarning, match="inertia changed"):
        found = bl.load_urdf(on_hinge(heavy(0, 0, 0)), repair_inertia=True).bodies["arm"].shape.mass_properties()
    assert np.abs(found.inertia - 2 * 2.0 * 1e-6 * np.eye(3)).max() < 1e-20


def test_a_point_can_be_merged_with_what_it_is_fixed_to():
    """Parallel axes: 1 kg at 0.5 m from the origin of the arm."""
    point = '<link name="bob"><inertial><mass value="1"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>'
    weld = '<joint name="j" type="fixed"><origin xyz="0.5 0 0"/><parent link="arm"/><child link="bob"/></joint>'
    text = on_hinge(heavy(1, 1, 1, more=point + weld))
    with pytest.raises(FileError, match=r"link 'bob': the inertia must be positive definite.* Or merge it .*\(merge_fixed=True\)"):
        bl.load_urdf(text)
    found = bl.load_urdf(text, merge_fixed=True).bodies["arm"].shape.mass_properties()
    x = (2 * 0.3 + 1 * 0.5) / 3
    across = 1 + 2 * (0.3 - x) ** 2 + (0.5 - x) ** 2
    assert found.centre == pytest.approx([x, 0, 0], rel=1e-15)
    assert np.abs(found.inertia - np.diag([1, across, across])).max() < 1e-15


def test_a_mass_of_zero_is_none_if_asked_for():
    pad = heavy(1, 1, 1, mass=0, name="pad") + '<joint name="j" type="fixed"><parent link="arm"/><child link="pad"/></joint>'
    text = on_hinge(heavy(1, 1, 1, more=pad))
    with pytest.raises(FileError, match="link 'pad': <mass>: the mass must be positive, got 0 kg"):
        bl.load_urdf(text)
    with pytest.warns(UserWarning, match=r"passed over, since URDF does not define it: inertia without mass \(line 1\)"):
        assert bl.load_urdf(text, repair_inertia=True).frames["pad"].body == "arm"
    with pytest.raises(FileError, match="link 'pad': <mass>: the mass must be positive, got -1 kg"):
        bl.load_urdf(text.replace('value="0"', 'value="-1"'), repair_inertia=True)


# -- forms


def test_forms_and_colours_are_kept_in_their_order():
    m = bl.load_urdf(ARM)
    box, cylinder = m.bodies["base"].visuals[0], m.bodies["upper"].visuals[0]
    assert box == bl.visuals.box((0.3, 0.3, 0.1), color="#ff6600")
    assert cylinder == bl.visuals.cylinder(0.04, 0.4, position=(0, 0, 0.2))
    assert m.bodies["upper"].collisions[0].position == (0.0, 0.0, 0.2)
    assert bl.Mechanism.from_dict(m.to_dict()) == m


def test_colours_are_named_once_and_used_anywhere():
    forms = "".join(
        f'<visual><geometry><sphere radius="1"/></geometry><material name="{name}">{color}</material></visual>'
        for name, color in (("late", ""), ("late", '<color rgba="0 0 1 0.5"/>'), ("unknown", ""), ("over", '<color rgba="2 -1 0 1"/>'))
    )
    m = bl.load_urdf(f"<robot><link name='a'>{MASS.format(1)}{forms}</link></robot>")
    assert [v.color for v in m.bodies["a"].visuals] == ["#0000ff80", "#0000ff80", None, "#ff0000"]


# -- text, paths, encodings


def test_text_bytes_and_paths_give_the_same(tmp_path):
    path = tmp_path / "arm.URDF"
    path.write_text(ARM)
    wanted = bl.load_urdf(ARM)
    for given in (path, str(path), ARM.encode(), "\n  " + ARM.partition("?>")[2], "\ufeff" + ARM):
        assert bl.load_urdf(given) == wanted
    assert bl.load(path) == bl.Mechanism.load(path) == wanted


def test_other_encodings(tmp_path):
    text = "<?xml version='1.0' encoding='{}'?><robot><link name='Gelenk ä'>" + MASS.format(1) + "</link></robot>"
    for encoding in ("utf-8", "iso-8859-1", "utf-16"):
        path = tmp_path / "robot.urdf"
        path.write_bytes(text.format(encoding).encode(encoding))
        assert [*bl.load(path).bodies] == ["Gelenk ä"]
    assert [*bl.load_urdf(text.format("iso-8859-1")).bodies] == ["Gelenk ä"]  # text is text, whatever it says about bytes


# -- writing


def test_joints_without_limits_turn_on_and_on_and_slides_are_long(tmp_path):
    m = bl.load_urdf(ARM)
    m.save(tmp_path / "a.urdf")
    text = (tmp_path / "a.urdf").read_text()
    assert '<joint name="shoulder" type="continuous">' in text
    assert bl.urdf_limits(tmp_path / "a.urdf") == {"out": {"lower": -1e9, "upper": 1e9, "effort": 1e9, "velocity": 1e9}}
    bl.save_urdf(m, tmp_path / "b.urdf", limits=bl.urdf_limits(ARM))
    assert '<joint name="shoulder" type="revolute">' in (tmp_path / "b.urdf").read_text()
    assert bl.urdf_limits(tmp_path / "b.urdf") == bl.urdf_limits(ARM)
    bl.save_urdf(m, tmp_path / "c.urdf", limits={"shoulder": {"upper": 1.0}})
    assert bl.urdf_limits(tmp_path / "c.urdf")["shoulder"] == {"lower": -1e9, "upper": 1.0, "effort": 1e9, "velocity": 1e9}


def test_frames_and_the_root_come_back(tmp_path):
    for text in (ARM, CAMERA):
        m = bl.load_urdf(text)
        m.save(tmp_path / "m.urdf")
        again = bl.load(tmp_path / "m.urdf")
        assert {n: f.body for n, f in again.frames.items()} == {n: f.body for n, f in m.frames.items()}
        assert [*again.joints] == [*m.joints]
        for name, frame in m.frames.items():  # where they are in the world: 'head' has another frame now, that of its joint
            there = [each.pose(frame.body).point(each.frames[name].pose.position) for each in (m, again)]
            assert np.abs(there[0] - there[1]).max() < 1e-14
        for name in m.bodies:
            there = [each.pose(name).point(each.bodies[name].shape.mass_properties().centre) for each in (m, again)]
            assert np.abs(there[0] - there[1]).max() < 1e-14


def test_two_things_on_the_ground_hang_on_the_world(tmp_path):
    m = bl.Mechanism(name="<two> & more")
    for i, name in enumerate(('a "quoted"', "b<>&")):
        m.add_body(name, bl.box((0.1, 0.1, 0.1), mass=1.0), position=(i, 0, 0))
        m.add_joint(f"j{i}", bl.Revolute(), "ground", name, at=(i, 0, 0.5))
    m.add_body("free", bl.sphere(0.1, mass=1.0), position=(0, 5, 0), orientation=bl.rotation("x", 1))
    m.add_frame("corner", "ground", local=(3, 0, 0))
    m.save(tmp_path / "m.urdf")
    again = bl.load(tmp_path / "m.urdf")
    assert again.name == m.name
    assert again.bodies.keys() == m.bodies.keys()
    assert again.joints.keys() == m.joints.keys()
    assert again.frames["corner"].position == (3.0, 0.0, 0.0)
    assert np.abs(again.bodies["free"].pose.rotation - m.bodies["free"].pose.rotation).max() < 1e-15
    assert again.bodies["free"].visuals == (bl.visuals.sphere(0.1),)


def test_shapes_are_drawn_elsewhere_too(tmp_path):
    """Forms of shapes are written as visuals; what URDF has no form for is left out."""
    m = bl.Mechanism()
    shapes = {
        "rod": bl.rod((0, 0, 0), (1, 1, 0), mass=1.0),
        "box": bl.box((1, 2, 3), mass=1.0, centre=(0, 0, 1)),
        "capsule": bl.capsule((0, 0, 0), (0, 0, 2), 0.3, mass=1.0),
        "triangle": bl.extruded([(0, 0), (1, 0), (0, 1)], 0.1, mass=1.0),
        "numbers": bl.rigid(1.0, (0, 0, 0), (1, 1, 1)),
    }
    for name, shape in shapes.items():
        m.add_body(name, shape, color="tomato")
    m.save(tmp_path / "m.urdf")
    seen = {name: [str(v.__struct_config__.tag) for v in body.visuals] for name, body in bl.load(tmp_path / "m.urdf").bodies.items()}
    assert seen == {"rod": ["cylinder"], "box": ["box"], "capsule": ["capsule"], "triangle": [], "numbers": []}
    again = bl.load(tmp_path / "m.urdf").bodies["rod"]
    outline, drawn = m.bodies["rod"].shape.outline()[0], again.visuals[0].outline()
    assert np.abs(np.array(outline["points"]) - drawn["points"]).max() < 1e-15
    assert drawn["radius"] == outline["radius"]
    assert again.visuals[0].color == "#ff6347"  # tomato


def test_what_urdf_cannot_say_is_refused_by_name(tmp_path):
    m = bl.Mechanism()
    for i in range(3):
        m.add_body(f"b{i}", bl.box((0.1, 0.1, 0.1), mass=1.0), position=(i, 0, 0))
    m.add_joint("j0", bl.Revolute(), "ground", "b0", at=(0, 0, 1))
    m.add_joint("j1", bl.Revolute(), "b0", "b1", at=(0.5, 0, 0))
    m.add_joint("j2", bl.Revolute(), "b1", "b2", at=(1.5, 0, 0))
    m.add_joint("loop", bl.Revolute(), "b2", "ground", at=(2, 0, 1))
    m.add_force("spring", bl.Spring(stiffness=1.0), "ground", "b2", at_a=(0, 0, 0), at_b=(0, 0, 0))
    m.add_force("watch spring", bl.TorsionSpring(stiffness=1.0), joint="j1")
    path = tmp_path / "m.urdf"

    def refused(said, drop=()):
        with pytest.raises(BielleError, match=said):
            bl.save_urdf(m, path, drop=drop)
        assert not path.exists()

    refused(r"joint '(loop|j2)': it closes a loop, and URDF knows trees only\. Leave it out: drop=\['(loop|j2)'\]")
    refused(r"force 'spring': URDF cannot say what Spring does there\. Leave it out: drop=\['spring'\]", ["loop"])
    refused("force 'watch spring': URDF cannot say what TorsionSpring does there", ["loop", "spring"])
    refused("There is no component named 'lop'. Did you mean 'loop'?", ["lop"])
    bl.save_urdf(m, path, drop=["loop", "spring", "watch spring"])
    assert [*bl.load(path).joints] == ["j0", "j1", "j2"]
    assert "loop" in m.joints  # what was dropped is dropped in the file only
    ball = bl.Mechanism()
    ball.add_body("b", bl.sphere(0.1, mass=1.0))
    ball.add_joint("ball", bl.Spherical(), "ground", "b", at=(0, 0, 0))
    with pytest.raises(DescriptionError, match=r"joint 'ball': URDF has no joint like Spherical\. .* drop=\['ball'\]"):
        ball.save(path)
    bl.save_urdf(ball, path, drop="ball")
    with pytest.raises(DescriptionError, match="URDF describes spatial mechanisms, but this one is planar"):
        bl.Mechanism(plane="xy").save(path)


def test_limits_to_be_written_are_checked(tmp_path):
    m = bl.load_urdf(ARM)
    with pytest.raises(NamingError, match="limits: there is no joint named 'shouder'. Did you mean 'shoulder'"):
        bl.save_urdf(m, tmp_path / "m.urdf", limits={"shouder": {"effort": 1.0}})
    with pytest.raises(NamingError, match="limits of joint 'shoulder': there is no limit named 'max'"):
        bl.save_urdf(m, tmp_path / "m.urdf", limits={"shoulder": {"max": 1.0}})
    for value in (float("nan"), float("inf"), "much", None):
        with pytest.raises(DescriptionError, match="limits of joint 'shoulder': effort must be"):
            bl.save_urdf(m, tmp_path / "m.urdf", limits={"shoulder": {"effort": value}})
    with pytest.raises(DescriptionError, match="limits of joint 'shoulder': lower must not exceed upper"):
        bl.save_urdf(m, tmp_path / "m.urdf", limits={"shoulder": {"lower": 2.0, "upper": 1.0}})


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileError, match="it cannot be written"):
        bl.load_urdf(ARM).save(tmp_path / "none" / "m.urdf")


# -- commands


@pytest.fixture
def bielle(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "140")
    (tmp_path / "arm.urdf").write_text(ARM)
    return lambda *arguments: CliRunner().invoke(app, [*arguments])


def test_commands_take_robots(bielle):
    assert "There is no file 'amr.urdf'. Did you mean 'arm.urdf'?" in bielle("check", "amr.urdf").stderr
    told = bielle("check", "arm.urdf")
    assert told.exit_code == 0
    assert "3 degrees of freedom" in told.stdout
    assert bielle("run", "arm.urdf", "--duration", "0.05", "--no-files").exit_code == 0
    assert bielle("convert", "arm.urdf", "arm.yaml").exit_code == 0
    assert bl.load("arm.yaml") == bl.load("arm.urdf")
    assert bielle("convert", "arm.yaml", "again.urdf").exit_code == 0
    assert [*bl.load("again.urdf").bodies] == [*bl.load("arm.urdf").bodies]


def test_commands_tell_what_is_wrong_with_a_robot(bielle, tmp_path):
    (tmp_path / "wrong.urdf").write_text(ARM.replace('xyz="0 3 4"', 'xyz="0 0 0"'))
    told = bielle("check", "wrong.urdf")
    assert told.exit_code == 1
    assert told.stderr.startswith("wrong.urdf:")
    assert "joint 'out': <axis>: the axis must not be the zero vector" in told.stderr


def test_commands_tell_which_meshes_are_missing(bielle, tmp_path):
    text = ARM.replace('<sphere radius="0.3"/>', '<mesh filename="package://arm/hand.stl"/>')
    (tmp_path / "arm.urdf").write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told = bielle("check", "arm.urdf")
    assert told.exit_code == 0
    assert "arm.urdf: meshes that are not found: 'package://arm/hand.stl' (line 14)." in told.stderr


def test_a_link_without_mass_between_joints_is_a_body_without():
    """A gimbal of three hinges that meet, with mass on the last only, falls as a body on one spherical joint does."""
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/><axis xyz="{axis}"/></joint>'
        for i, axis in enumerate(("0 0 1", "0 1 0", "1 0 0"))
    )
    inertial = '<inertial><origin xyz="0.3 0 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.2" izz="0.25"/></inertial>'
    text = f'<robot name="gimbal"><link name="l0"/><link name="l1"/><link name="l2"/><link name="l3">{inertial}</link>{joints}</robot>'
    m = bl.load_urdf(text, velocities={"j0": 1.0, "j1": 0.5, "j2": 2.0})
    assert [body.shape == bl.massless() for body in m.bodies.values()] == [True, True, False]
    chain = m.simulate(0.5, samples=6)
    ball = bl.Mechanism()
    start = {"velocity": (0, 0, 0), "angular_velocity": (2.0, 0.5, 1.0)}
    ball.add_body("l3", bl.rigid(2.0, (0.3, 0, 0), (0.1, 0.2, 0.25)), **start)
    ball.add_joint("ball", bl.Spherical(), "ground", "l3", at=(0, 0, 0))
    other = ball.simulate(0.5, samples=6)
    assert chain["l3"].angular_velocity == pytest.approx(other["l3"].angular_velocity, abs=1e-7)  # 1e-9 for each step


def test_links_without_mass_are_written_without(tmp_path):
    text = (
        f'<robot name="r"><link name="a"/><link name="b"/><link name="c">{MASS.format(1)}</link>'
        '<joint name="ab" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
        '<joint name="bc" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/></joint></robot>'
    )
    m = bl.load_urdf(text)
    bl.save_urdf(m, tmp_path / "r.urdf")
    assert bl.load_urdf(tmp_path / "r.urdf") == m
