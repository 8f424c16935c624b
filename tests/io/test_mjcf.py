"""The part of MJCF that is read: against MuJoCo; and what is refused."""

import math
import random
import re

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError, FileError

# geoms of all forms, classes of defaults, degrees, anchors beside the body's origin, every way to say an orientation
ARM = """<mujoco model="arm">
  <option gravity="0.5 -1 -9"/>
  <default>
    <geom density="500" rgba="0.8 0.3 0.2 1"/>
    <default class="light"><geom density="100"/><joint damping="0.2"/><default class="lighter"><geom density="50"/></default></default>
  </default>
  <worldbody>
    <light pos="0 0 3"/><geom type="plane" size="1 1 0.1"/><geom name="post" type="cylinder" size="0.1 0.5" pos="0 0 0.5"/>
    <body name="upper" pos="0 0 1" euler="10 20 -30">
      <joint name="shoulder" axis="0 1 1" pos="0 0.1 0" range="-90 45"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0.4 0.1 0"/>
      <geom type="box" size="0.05 0.1 0.02" pos="0.2 0 0.1" axisangle="1 1 0 40"/>
      <site name="mark" pos="0.2 0 0" zaxis="1 0 1"/>
      <body name="lower" pos="0.4 0.1 0" xyaxes="0 1 0 -1 0 0.2" childclass="light">
        <joint name="elbow" axis="1 0 0" stiffness="3" springref="20"/>
        <geom type="cylinder" size="0.04 0.2" pos="0 0 0.2"/>
        <geom class="lighter" type="ellipsoid" size="0.1 0.05 0.07" quat="1 2 3 4"/>
        <geom type="sphere" size="0.08" mass="0.3" pos="0 0 0.4"/>
        <body name="slider" pos="0 0 0.4" zaxis="0.3 0.2 -1">
          <joint name="slide" type="slide" axis="0 0 2" range="-0.1 0.3" damping="1.5"/>
          <inertial pos="0.1 0 0" quat="1 0.5 0 0" mass="0.7" diaginertia="0.01 0.02 0.025"/>
          <geom type="sphere" size="1"/>
          <body name="hand" pos="0.1 0 0"><geom type="box" size="0.05 0.05 0.05"/>
            <body name="ball" pos="0 0 -0.1"><joint name="socket" type="ball" pos="0 0 0.05"/>
              <inertial pos="0 0 -0.1" mass="0.2" fullinertia="0.002 0.003 0.004 0.0005 0 0.0001"/></body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder"/></actuator>
</mujoco>"""


def one_body(inside, more="", compiler=""):
    return f"<mujoco>{compiler}<worldbody>\n<body name='b'>\n{inside}</body></worldbody>{more}</mujoco>"


def compare_with_mujoco(text, seed, **options):
    """Mass matrix and bias forces at a random state, to 1e-10 of their size."""
    import mujoco

    other = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(other)
    mechanism = bl.load_mjcf(text, **options)
    model = mechanism.recursive()
    assert model.nv == other.nv
    rng = np.random.default_rng(seed)
    q, v, order = model.neutral(), np.zeros(model.nv), np.zeros(model.nv, dtype=int)
    for i in range(other.njnt):
        name = other.joint(i).name
        at_q, at_v = model.coordinates(name if name in mechanism.joints else "free")
        nq, nv = at_q.stop - at_q.start, at_v.stop - at_v.start
        values, rates = rng.uniform(-2, 2, nq), rng.normal(size=nv)
        if nq > 1:
            values[-4:] /= np.linalg.norm(values[-4:])
        q[at_q], v[at_v] = values, rates
        a, b = other.jnt_qposadr[i], other.jnt_dofadr[i]
        data.qpos[a : a + nq], data.qvel[b : b + nv] = values, rates
        order[b : b + nv] = range(at_v.start, at_v.stop)
    mujoco.mj_forward(other, data)
    M = np.zeros((other.nv, other.nv))
    mujoco.mj_fullM(other, data, M)
    close(model.crba(q)[np.ix_(order, order)], M)
    close(model.bias_forces(q, v)[order], data.qfrc_bias)


def close(found, expected):
    assert np.abs(found - expected).max() <= 1e-10 * (1 + np.abs(expected).max())


# several joints in one body, at different places, with all that a joint can have: a planar base, a shoulder, a wrist
SEVERAL = """<mujoco model="several">
  <worldbody>
    <body name="trunk" pos="0 0 1" euler="0 10 0">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><joint name="pitch" axis="0 1 0" pos="0.1 0 0"/>
      <geom type="box" size="0.2 0.1 0.1"/>
      <body name="arm" pos="0.2 0 0" euler="20 0 0">
        <joint name="yaw" axis="0 0 1" damping="0.1"/><joint name="roll" axis="1 0 0.2" pos="0.02 0.05 0" armature="0.01"/>
        <joint name="swing" axis="0 1 0" stiffness="1" range="-60 60"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0"/>
        <body name="hand" pos="0.3 0 0"><joint name="turn" axis="1 0 0"/><joint name="reach" type="slide" axis="1 0 0" pos="0 0.1 0"/>
          <geom type="ellipsoid" size="0.05 0.03 0.02" pos="0.05 0.02 0"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""


@pytest.mark.peers
@pytest.mark.parametrize("seed", range(4))
def test_several_joints_in_a_body_move_as_mujoco_says(seed):
    compare_with_mujoco(SEVERAL, seed)


def test_several_joints_in_a_body_are_a_chain_without_mass():
    m = bl.load_mjcf(SEVERAL)
    assert [name for name, body in m.bodies.items() if body.shape == bl.massless()] == [
        "x anchor", "z anchor", "yaw anchor", "roll anchor", "turn anchor"
    ]  # fmt: skip
    run = m.simulate(0.5, samples=11)
    assert run.info["solver"].endswith("(auto: body 'x anchor' has no mass)")
    assert np.abs(run.energy.error).max() < 1e-8  # the tolerance of the integrator, 1e-9, times some steps
    with pytest.raises(BielleError, match="Body 'x anchor' has no mass, and only joint coordinates can do without: take solver='auto'"):
        m.simulate(0.5, bl.Central())


# joints that do not show zero as they are described, in a model that weighs what it should
SHIFTED = """<mujoco><compiler settotalmass="14"/><worldbody>
  <body name="a" pos="0 0 1.2"><joint name="height" type="slide" axis="0 0 1" ref="1.25"/>
    <joint name="pitch" axis="0 1 0" ref="20" pos="0 0 0.1"/>
    <geom type="capsule" size="0.05" fromto="0 0 0 0 0 0.4"/>
    <body name="b" pos="0 0 -0.1"><joint name="knee" axis="0 1 0" pos="0 0 0.1" ref="-30" stiffness="2" springref="10"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4"/></body></body></worldbody></mujoco>"""


@pytest.mark.peers
@pytest.mark.parametrize("seed", range(2))
def test_references_and_total_masses_are_those_of_mujoco(seed):
    compare_with_mujoco(SHIFTED, seed)


def test_joints_show_their_reference_as_they_are_described():
    m = bl.load_mjcf(SHIFTED)
    assert sum(body.shape.mass_properties().mass for body in m.bodies.values()) == pytest.approx(14.0)
    assert m.bodies["a"].position == pytest.approx((0, 0, 1.2))
    assert m.bodies["b"].position == pytest.approx((0, 0, 1.1))
    assert m.bodies["b"].orientation == pytest.approx((1, 0, 0, 0))
    run = m.simulate(0.1, samples=3)
    assert run["height"].displacement[0] == pytest.approx([0, 0, 1.25])
    assert run["pitch"].angle[0] == pytest.approx(math.radians(20))
    assert run["knee"].angle[0] == pytest.approx(math.radians(-30))


def test_included_files_are_read_from_the_folder_of_the_model(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(
        "<mujocoinclude><body name='b'><joint axis='0 1 0'/><geom size='1'/></body></mujocoinclude>"
    )
    (tmp_path / "both.xml").write_text("<mujoco><worldbody><include file='parts/arm.xml'/></worldbody></mujoco>")
    path = tmp_path / "model.xml"
    path.write_text("<mujoco><include file='both.xml'/></mujoco>")
    assert [*bl.load_mjcf(path).bodies] == ["b"]
    path.write_text("<mujoco><worldbody>\n<include file='model.xml'/></worldbody></mujoco>")
    with pytest.raises(FileError, match=r"model\.xml:2: <include>: the file 'model\.xml' is included twice"):
        bl.load_mjcf(path)
    path.write_text("<mujoco><include file='../model.xml'/></mujoco>")
    (tmp_path.parent / "model.xml").write_text("<mujoco/>")
    with pytest.raises(FileError, match=r"model\.xml' is outside the folder of the model"):
        bl.load_mjcf(path)
    (tmp_path / "both.xml").write_text("<mujoco><worldbody>\n<body><joint type='screw'/></body></worldbody></mujoco>")
    path.write_text("<mujoco><include file='both.xml'/></mujoco>")
    with pytest.raises(FileError, match=r"both\.xml:2: joint 'body joint': the attribute 'type'"):
        bl.load_mjcf(path)


def test_what_carries_mechanics_can_be_left_out_by_name():
    more = "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon><actuator><position joint='j' kp='3'/></actuator>"
    text = one_body("<joint name='j'/><geom size='1'/>", more)
    with pytest.raises(FileError, match="<tendon>: it carries mechanics .* Leave it out: ignore='tendon'"):
        bl.load_mjcf(text)
    with pytest.raises(FileError, match="<position>: actuators other than <motor> .* ignore='actuator'"):
        bl.load_mjcf(text, ignore="tendon")
    assert len(bl.load_mjcf(text, ignore=["tendon", "actuator"]).joints) == 1
    with pytest.raises(DescriptionError, match="ignore must be some of actuator"):
        bl.load_mjcf(text, ignore="joints")


SWIMMER = """<mujoco model="swimmer">
  <compiler angle="degree" coordinate="local" inertiafromgeom="true"/>
  <option collision="predefined" density="4000" integrator="RK4" timestep="0.01" viscosity="0.1" wind="1 0 0"/>
  <default><geom conaffinity="1" condim="1" contype="1" fluidshape="ellipsoid" fluidcoef="1 1 1 1 1"/><joint armature="0.1"/></default>
  <worldbody>
    <body name="torso">
      <geom density="1000" fromto="1.5 0 0 0.5 0 0" size="0.1" type="capsule"/>
      <joint axis="1 0 0" name="slider1" type="slide"/><joint axis="0 1 0" name="slider2" type="slide"/>
      <joint axis="0 0 1" name="free_body_rot" type="hinge"/>
      <body name="mid" pos="0.5 0 0">
        <geom density="1000" fromto="0 0 0 -1 0 0" size="0.1" type="capsule"/>
        <joint axis="0 0 1" limited="true" name="motor1_rot" range="-100 100" type="hinge"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor ctrllimited="true" ctrlrange="-1 1" gear="150" joint="motor1_rot"/></actuator>
</mujoco>"""


def test_a_medium_can_be_left_out_by_name():
    with pytest.raises(FileError, match="mjcf:3: <option>: a medium with density is not simulated, .* Leave it out: ignore='medium'"):
        bl.load_mjcf(SWIMMER)
    assert bl.load_mjcf(SWIMMER, ignore="medium").recursive().nv == 4


def test_options_that_change_nothing_here_are_accepted_and_others_told():
    text = one_body('<joint/><geom size="1"/>', '<option wind="1 0 0" magnetic="1 0 0" o_margin="0.1" o_solref="0.1 1" cone="elliptic"/>')
    assert len(bl.load_mjcf(text).joints) == 1
    with pytest.raises(FileError, match="<option>: there is no attribute named 'gravty'. Did you mean 'gravity'"):
        bl.load_mjcf(text.replace("wind", "gravty"))
    with pytest.warns(UserWarning, match=r"passed over, since MJCF does not define it: attribute 'telepathy' of <option> \(line 1\)\.$"):
        bl.load_mjcf(one_body('<joint/><geom size="1"/>', compiler='<option telepathy="1"/>'))


def test_a_free_body_is_damped():
    """m v̇ = −c v and I ω̇ = −c ω: both die out exponentially; to 1e-7, a hundred times the tolerance of the solver."""
    inside = '<joint name="root" type="free" damping="0.2"/><inertial mass="2" pos="0 0 0" diaginertia="0.1 0.1 0.1"/>'
    m = bl.load_mjcf(one_body(inside, compiler='<option gravity="0 0 0"/>'))
    m.set("b", velocity=(1.0, 0.0, 0.5), angular_velocity=(0.0, 3.0, 0.0))
    for solver in (bl.Central(), bl.Recursive()):
        run = m.simulate(1.0, solver)
        np.testing.assert_allclose(run["b"].velocity[-1], np.exp(-0.2 / 2.0) * np.array([1.0, 0.0, 0.5]), atol=1e-7)
        np.testing.assert_allclose(run["b"].angular_velocity[-1], np.exp(-0.2 / 0.1) * np.array([0.0, 3.0, 0.0]), atol=1e-7)
    assert not flagged("damper='disable'", inside=inside).forces
    with pytest.raises(FileError, match="mjcf:3: joint 'root': the damping must not be negative"):
        bl.load_mjcf(one_body(inside.replace("0.2", "-0.2")))


def test_springs_and_friction_of_a_free_body_are_told():
    inside = '<joint name="root" type="free"/><geom size="0.1"/>'
    told = (
        "left out, since it is not simulated: stiffness of the free joint 'root' (line 3), frictionloss of the free joint 'root' (line 3)."
    )
    defaults = '<default><joint stiffness="2" frictionloss="0.1"/></default>'
    with pytest.warns(UserWarning, match=re.escape(told)):
        assert not bl.load_mjcf(one_body(inside, compiler=defaults)).forces
    assert not flagged("spring='disable' frictionloss='disable'", inside=inside, more=defaults).forces


def test_slide_slide_hinge_is_a_planar_joint():
    """Against a body on one joint that allows the same, in the default solver: positions to the tolerances of both, 1e-9."""
    text = """<mujoco><option gravity="0 0 0"/><worldbody><body name="b">
      <joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><joint name="turn" axis="0 0 1"/>
      <inertial mass="2" pos="0.3 0 0" diaginertia="0.1 0.2 0.25"/></body></worldbody></mujoco>"""
    chain = bl.load_mjcf(text, velocities={"x": 0.3, "y": -0.2, "turn": 2.0}).simulate(2.0, samples=21)
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("b", bl.rigid(2.0, (0.3, 0, 0), (0.1, 0.2, 0.25)), velocity=(0.3, -0.2, 0), angular_velocity=(0, 0, 2.0))
    m.add_joint("plane", bl.Planar(axis="z"), "ground", "b", at=(0, 0, 0))
    one = m.simulate(2.0, bl.Central(), samples=21)
    assert chain["b"].position == pytest.approx(one["b"].position, abs=1e-7)
    assert chain["turn"].angle[-1] == pytest.approx(4.0, abs=1e-7)


@pytest.mark.peers
@pytest.mark.parametrize("merge", [False, True], ids=["bodies", "merged"])
@pytest.mark.parametrize("seed", range(4))
def test_the_arm_moves_as_mujoco_says(seed, merge):
    compare_with_mujoco(ARM, seed, merge_fixed=merge)


@pytest.mark.peers
def test_armatures_are_those_of_mujoco():
    """They are part of the mass matrix, and of nothing else."""
    slide = '<joint name="s" type="slide" axis="0 1 1" armature="0.4"/><geom size="0.1"/>'
    compare_with_mujoco(one_body(f'<joint name="i" axis="0 1 0" armature="0.3"/><geom size="0.2"/><body name="c">{slide}</body>'), 3)


@pytest.mark.peers
@pytest.mark.parametrize("sequence", ["xyz", "zyx", "XYZ", "ZXY", "xYz", "zxz"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_angles_are_those_of_the_compiler(sequence, angle):
    compiler = f'<compiler eulerseq="{sequence}" angle="{angle}"/>'
    hinge = '<joint name="j" axis="1 2 3"/><geom type="box" size="0.1 0.2 0.3" pos="1 0 0" euler="0.3 -0.7 1.1"/>'
    inside = f'<joint name="i" axis="0 1 0"/><geom size="0.1"/><body name="c" pos="1 0 0" euler="0.5 1.5 -2">{hinge}</body>'
    for seed in range(2):
        compare_with_mujoco(one_body(inside, compiler=compiler), seed)


def test_what_becomes_of_it():
    m = bl.load_mjcf(ARM)
    assert (m.name, m.gravity) == ("arm", (0.5, -1.0, -9.0))
    assert [*m.bodies] == ["upper", "lower", "slider", "hand", "ball"]
    assert {name: type(joint.kind).__name__ for name, joint in m.joints.items()} == {
        "shoulder": "Revolute", "elbow": "Revolute", "slide": "Prismatic", "hand weld": "Fixed", "socket": "Spherical"
    }  # fmt: skip
    assert {name: frame.body for name, frame in m.frames.items()} == {
        "world": "ground", "shoulder anchor": "upper", "mark": "upper", "socket anchor": "ball"
    }  # fmt: skip
    assert {name: (force.joint, force.kind) for name, force in m.forces.items()} == {
        "elbow spring": ("elbow", bl.TorsionSpring(stiffness=3.0, angle=math.radians(20))),
        "elbow damping": ("elbow", bl.JointDamping(coefficient=0.2)),
        "slide damping": ("slide", bl.JointDamping(translational=1.5)),
        "socket damping": ("socket", bl.JointDamping(coefficient=0.2)),  # of the class of the bodies it is in
    }
    assert m.bodies["slider"].shape.mass_properties().mass == 0.7  # of the inertial, not of the geom
    assert m.bodies["upper"].visuals[0].color == "#cc4c33"
    assert [v.__struct_config__.tag for v in m.frames["world"].visuals] == ["cylinder"]
    assert m.report().ok
    assert bl.Mechanism.from_dict(m.to_dict()) == m


def test_a_free_body_falls():
    m = bl.load_mjcf(one_body('<freejoint/><geom size="0.1"/>'))
    run = m.simulate(0.5)
    assert run["b"].position[-1] == pytest.approx([0, 0, -0.5 * 9.81 * 0.25], abs=1e-9)
    assert m.report().degrees_of_freedom == 6


def test_a_spring_in_a_hinge_swings_as_it_should():
    """I θ'' = −k θ without gravity: ω² = k/I."""
    text = one_body('<joint axis="0 0 1" stiffness="2"/><inertial mass="1" pos="0 0 0" diaginertia="0.1 0.1 0.15"/>')
    m = bl.load_mjcf(text.replace("<worldbody>", '<option gravity="0 0 0"/><worldbody>'), positions={"b joint": 0.4})
    run = m.simulate(2.0)
    assert run["b joint"].angle[-1] == pytest.approx(0.4 * math.cos(2.0 * math.sqrt(2 / 0.15)), abs=1e-7)


def test_a_spring_in_a_slide_swings_about_its_reference():
    """m u'' = −k (u − u₀) without gravity; u is counted from ``ref``, as it is in MuJoCo."""
    joint = '<joint type="slide" axis="0 0 2" ref="0.1" stiffness="8" springref="0.3"/><inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/>'
    m = bl.load_mjcf(one_body(joint).replace("<worldbody>", '<option gravity="0 0 0"/><worldbody>'))
    for solver in (bl.Central(), bl.Recursive()):
        run = m.simulate(2.0, solver)
        exact = 0.3 - 0.2 * np.cos(2.0 * run.time)
        assert np.abs(run["b joint"].displacement[:, 2] - exact).max() <= 1e-7
        assert np.abs(run["b joint spring"].output + 8.0 * (exact - 0.3)).max() <= 1e-6


def test_an_armature_is_a_rotor():
    """(I + armature) θ'' = −k θ; in functions of joint coordinates it is the armature."""
    joint = '<joint axis="0 0 1" stiffness="2" armature="0.05"/><inertial mass="1" pos="0 0 0" diaginertia="0.1 0.1 0.15"/>'
    text = one_body(joint).replace("<worldbody>", '<option gravity="0 0 0"/><worldbody>')
    m = bl.load_mjcf(text, positions={"b joint": 0.4}, velocities={"b joint": 0.3})
    omega = math.sqrt(2 / 0.2)
    expected = 0.4 * math.cos(2.0 * omega) + 0.3 / omega * math.sin(2.0 * omega)
    for solver in (bl.Central(), bl.Recursive()):
        assert m.simulate(2.0, solver)["b joint"].angle[-1] == pytest.approx(expected, abs=1e-7)
    np.testing.assert_allclose(m.recursive().armature, [0.05])


HINGE = '<joint name="j" axis="0 1 0" stiffness="2" damping="0.5" frictionloss="0.1" range="-30 30"/><geom size="0.1" pos="0.4 0 0"/>'
ALL = {"j spring", "j damping", "j friction", "j limit"}


def flagged(*flags, inside=HINGE, more=""):
    """A body under some flags, each in an element of its own: MuJoCo merges them."""
    options = "".join(f"<option><flag {flag}/></option>" for flag in flags)
    return bl.load_mjcf(one_body(inside, more, options), limits=True)


@pytest.mark.parametrize(
    ("flags", "gone"),
    [
        ((), set()),
        (("gravity='enable' spring='enable' contact='disable'",), set()),
        (("spring='disable'",), {"j spring"}),
        (("damper='disable'",), {"j damping"}),
        (("passive='disable'",), {"j spring", "j damping"}),
        (("spring='disable'", "damper='disable'"), {"j spring", "j damping"}),
        (("limit='disable'",), {"j limit"}),
        (("frictionloss='disable'",), {"j friction"}),
        (("constraint='disable'",), {"j limit", "j friction"}),
    ],
    ids=lambda given: str(sorted(given)),
)
def test_flags_take_forces_out(flags, gone):
    m = flagged(*flags)
    assert {*m.forces} == ALL - gone
    assert m.gravity == (0.0, 0.0, -9.81)


def test_without_gravity_nothing_falls():
    m = flagged("gravity='disable'", inside='<freejoint/><geom size="0.1"/>')
    assert m.gravity == (0.0, 0.0, 0.0)
    assert np.abs(m.simulate(0.5)["b"].position).max() == 0.0


def test_what_a_flag_takes_out_is_not_refused():
    """Equalities and actuators that do nothing, springs in balls, media and compensated weights without passive forces."""
    equality = '<equality><joint joint1="j"/></equality>'
    for flag in ("equality", "constraint"):
        assert len(flagged(f"{flag}='disable'", more=equality).joints) == 1
    assert len(flagged("actuation='disable'", more="<actuator><position joint='j' kp='3'/></actuator>").joints) == 1
    ball = '<joint name="s" type="ball" stiffness="1" frictionloss="1"/><geom size="1"/>'
    assert not flagged("spring='disable' frictionloss='disable'", inside=ball).forces
    for medium in ('<option density="1.2"/>', '<option viscosity="1"/>'):
        assert flagged("passive='disable'", more=medium).forces.keys() == {"j friction", "j limit"}
        with pytest.raises(FileError, match="a medium with"):
            flagged("spring='disable'", more=medium)
    floating = HINGE + '<body name="c" gravcomp="1"><joint name="k"/><geom size="0.1" pos="0.4 0 0"/></body>'
    for flags in ("passive='disable'", "spring='disable' damper='disable'", "gravity='disable'"):
        assert len(flagged(flags, inside=floating).bodies) == 2
    with pytest.raises(FileError, match="body 'c': the attribute 'gravcomp' carries mechanics"):
        flagged("damper='disable'", inside=floating)


def test_flags_that_change_nothing_here_are_accepted():
    off = "contact clampctrl warmstart filterparent refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd"
    on = "override energy fwdinv invdiscrete sensornoise sleep"
    for names, word in ((off, "disable"), (on, "enable")):
        assert flagged(" ".join(f"{name}='{word}'" for name in names.split())) == flagged()


def test_flags_that_are_none_are_told():
    with pytest.raises(FileError, match="<flag>: the attribute 'gravity' must be one of enable, disable, got 'off'"):
        flagged("gravity='off'")
    with pytest.raises(FileError, match="<flag>: there is no attribute named 'gravty'. Did you mean 'gravity'"):
        flagged("gravty='disable'")
    with pytest.warns(UserWarning, match="attribute 'telepathy' of <flag>"):
        flagged("telepathy='enable'")


REFUSED = {
    "free and more": (
        '<freejoint name="f"/>\n<joint axis="1 0 0"/><geom size="1"/>',
        "mjcf:3: joint 'f': <freejoint>: body 'b' has 2 joints, but what is free has no other",
    ),
    "two joints, no mass": (
        '<joint/>\n<joint axis="1 0 0"/>',
        "mjcf:3: joint 'b joint': it moves on joint 'b joint' (continuous, line 3), but neither it nor what hangs on it has mass",
    ),
    "armature": ('<joint name="s" type="ball" armature="0.1"/><geom size="1"/>', "mjcf:3: joint 's': armatures are not read in a ball"),
    "armature of all": (
        '<joint name="s" type="free" armature="1"/><geom size="1"/>',
        "mjcf:3: joint 's': armatures are not read",
    ),
    "negative armature": ('<joint name="s" armature="-1"/><geom size="1"/>', "mjcf:3: joint 's': the armature must not be negative"),
    "ball spring": (
        '<joint name="s" type="ball" stiffness="1"/><geom size="1"/>',
        "mjcf:3: joint 's': springs are read in hinges and slides",
    ),
    "joint type": ('<joint name="s" type="screw"/><geom size="1"/>', "mjcf:3: joint 's': the attribute 'type' must be one of hinge, slide"),
    "zero axis": ('<joint name="s" axis="0 0 0"/><geom size="1"/>', "mjcf:3: joint 's': the axis must not be the zero vector"),
    "range": ('<joint name="s" range="1 -1"/><geom size="1"/>', "mjcf:3: joint 's': range must go from the lower"),
    "no mass": ("<joint/>", "mjcf:2: body 'b': it moves on joint 'b joint'"),
    "negative mass": ('<joint/><geom size="1" mass="-1"/>', "mjcf:3: body 'b': <geom>: the mass must be positive"),
    "zero inertial": ('<joint/><inertial mass="0" diaginertia="1 1 1"/>', "mjcf:3: body 'b': <inertial>: the mass must be positive"),
    "triangle": ('<joint/><inertial mass="1" diaginertia="1 1 3"/>', "mjcf:3: body 'b': <inertial>: no principal moment can be larger"),
    "size": ('<joint/><geom type="box" size="1 1"/>', "mjcf:3: body 'b': <geom>: the attribute 'size' must be 3 numbers"),
    "negative size": ('<joint/><geom size="-1"/>', "mjcf:3: body 'b': <geom>: sizes must be positive"),
    "geom": ('<joint/><geom type="sdf"/>', "mjcf:3: body 'b': <geom>: geoms of the type 'sdf' are not read"),
    "mesh": ('<joint/><geom type="mesh" mesh="m"/>', "mjcf:3: body 'b': <geom>: the mass of a mesh is not computed"),
    "class": ('<joint class="x"/>', "mjcf:3: body 'b': <joint>: there is no class 'x' among the defaults"),
    "turned twice": ('<joint/><geom size="1" quat="1 0 0 0" euler="0 0 0"/>', "mjcf:3: body 'b': <geom>: quat and euler both say"),
    "zero quat": ('<joint/><geom size="1" quat="0 0 0 0"/>', "mjcf:3: body 'b': <geom>: the attribute 'quat' must not be zero"),
    "composite": ("<composite/>", "mjcf:3: body 'b': <composite>: it carries mechanics"),
    "frame": ("<frame/>", "mjcf:3: body 'b': <frame>: it carries mechanics"),
    "slip": ("<jiont/>", "mjcf:3: body 'b': <jiont>: there is no element named 'jiont'. Did you mean 'joint'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_refused_by_name_and_line(name):
    inside, said = REFUSED[name]
    with pytest.raises(FileError) as caught:
        bl.load_mjcf(one_body(inside))
    assert str(caught.value).startswith(said), str(caught.value)


TOP = {
    '<equality><joint joint1="a"/></equality>': "<equality>: it carries mechanics",
    "<tendon/>": "<tendon>: it carries mechanics",
    "<include file='x'/>": "<include>: the file 'x' is not found. Put it beside the model",
    '<actuator><position joint="b joint"/></actuator>': "<position>: actuators other than <motor> act by themselves",
    '<option viscosity="1"/>': "<option>: a medium with viscosity is not simulated",
    '<compiler boundmass="3"/>': "<compiler>: the attribute 'boundmass' carries mechanics",
    '<compiler angle="grad"/>': "<compiler>: the attribute 'angle' must be one of degree, radian",
    '<compiler coordinate="global"/>': "<compiler>: the attribute 'coordinate' must be one of local",
}


@pytest.mark.parametrize("more", TOP)
def test_what_is_not_read_of_the_whole_is_refused(more):
    with pytest.raises(FileError, match=re.escape(TOP[more])):
        bl.load_mjcf(one_body('<joint/><geom size="1"/>', more))


def test_what_is_no_mjcf():
    for text, said in (("<robot/>", "begins with <mujoco>"), ("<mujoco/>", "the element <worldbody> is missing"), ("<mujoco", "not XML")):
        with pytest.raises(FileError, match=said):
            bl.load_mjcf(text)
    with pytest.raises(FileError, match="document types and entities"):
        bl.load_mjcf("<!DOCTYPE m [<!ENTITY a 'b'>]><mujoco/>")


def test_meshes_are_kept(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "hand.stl").write_text("solid\nendsolid\n")
    text = one_body(
        '<joint/><inertial mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="hand"/>',
        '<asset><mesh file="hand.stl" scale="2 2 2"/></asset>',
        '<compiler meshdir="meshes"/>',
    )
    (tmp_path / "m.xml").write_text(text)
    visual = bl.load_mjcf(tmp_path / "m.xml").bodies["b"].visuals[0]
    assert (visual.path, visual.scale) == (str(tmp_path / "meshes" / "hand.stl"), (2.0, 2.0, 2.0))


def test_random_damage_never_gets_past_the_errors():
    dice, refusals = random.Random(2), 0
    for _ in range(300):
        at = dice.randrange(1, len(ARM))
        text = dice.choice(
            [ARM[:at], ARM[:at] + ARM[at + dice.randrange(1, 40) :], ARM[:at] + dice.choice('<>"/ 09-.eNx&') + ARM[at + 1 :]]
        )
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("warnings.warn", lambda *arguments, **options: None)
                bl.load_mjcf(text)
        except BielleError:
            refusals += 1
    assert refusals > 100
