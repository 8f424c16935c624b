"""Joints that follow others: a gripper in every solver, where it starts, what is written, what is refused."""

import re

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, FileError

from .robots import robot

MASS = '<inertial><mass value="{}"/><inertia ixx="{}" ixy="0" ixz="0" iyy="{}" iyz="0" izz="{}"/></inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="2"/>'

# the right finger follows the left, and a bolt follows the right finger
GRIPPER = f"""<robot name="gripper">
  <link name="world"/>
  <link name="palm">{MASS.format(0.8, 0.002, 0.002, 0.001)}</link>
  <link name="left finger">{MASS.format(0.1, 2e-4, 1e-4, 2e-4)}</link>
  <link name="right finger">{MASS.format(0.1, 2e-4, 1e-4, 2e-4)}</link>
  <link name="bolt">{MASS.format(0.05, 1e-5, 1e-5, 1e-5)}</link>
  <joint name="wrist" type="continuous">
    <parent link="world"/><child link="palm"/><origin xyz="0 0 1" rpy="0.3 0.2 0"/><axis xyz="1 2 0"/>
  </joint>
  <joint name="push" type="prismatic">
    <parent link="palm"/><child link="bolt"/><origin xyz="0 0 0.02"/><axis xyz="0 0 1"/>{LIMIT}<mimic joint="right" multiplier="0.02"/>
  </joint>
  <joint name="left" type="revolute">
    <parent link="palm"/><child link="left finger"/><origin xyz="0.03 0 0.05"/><axis xyz="0 1 0"/>{LIMIT}
  </joint>
  <joint name="right" type="revolute">
    <parent link="palm"/><child link="right finger"/><origin xyz="-0.03 0 0.05" rpy="0 0 0.4"/><axis xyz="0 1 0"/>{LIMIT}
    <mimic joint="left" multiplier="-1.5" offset="0.1"/>
  </joint>
</robot>"""
START = {"positions": {"left": 0.3}, "velocities": {"left": 1.0, "wrist": 2.0}}


def gripper(**options):
    """Driven by a spring in the leading joint."""
    m = bl.load_urdf(GRIPPER, **(START | options))
    m.add_force("spring", bl.TorsionSpring(stiffness=0.3), joint="left")
    return m


def lag(run):
    """How far the followers are from where they should be."""
    left, right, push = run["left"].angle, run["right"].angle, run["push"].displacement[:, 2]
    return max(np.abs(right + 1.5 * left - 0.1).max(), np.abs(push - 0.02 * right).max())


def test_followers_are_gears():
    m = gripper()
    assert m.joints["right mimic"].kind == bl.Gear(ratio=-1.5)
    assert m.joints["right mimic"].through == ("left", "right")
    assert m.joints["push mimic"].through == ("right", "push")
    assert m.report().degrees_of_freedom == 2
    assert not m.report().gaps


def test_following_can_be_ignored():
    m = bl.load_urdf(GRIPPER, mimic=False, positions={"left": 0.3, "right": 0.2})
    assert [name for name in m.joints if "mimic" in name] == []
    assert m.report().degrees_of_freedom == 4


def test_they_start_where_their_leaders_make_them():
    run = gripper().simulate(1e-3, samples=2)
    assert run["left"].angle[0] == pytest.approx(0.3)
    assert run["right"].angle[0] == pytest.approx(-1.5 * 0.3 + 0.1)
    assert run["push"].displacement[0, 2] == pytest.approx(0.02 * (-1.5 * 0.3 + 0.1))
    spin = {name: run[name].angular_velocity[0] for name in ("palm", "left finger", "right finger")}
    rates = [np.linalg.norm(spin[f"{side} finger"] - spin["palm"]) for side in ("left", "right")]
    np.testing.assert_allclose(rates, [1.0, 1.5], rtol=1e-9)
    at_zero = bl.load_urdf(GRIPPER).simulate(1e-3, samples=2)
    assert at_zero["right"].angle[0] == pytest.approx(0.1)
    said = {"positions": {"left": 0.3, "right": -0.35}, "velocities": {"left": 1.0, "wrist": 2.0, "push": -0.03}}
    assert gripper(**said).bodies == gripper().bodies


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_every_solver_moves_them_alike(base):
    text = GRIPPER.replace('"world"', f'"{"world" if base == "fixed" else "stand"}"')
    if base == "free":
        text = text.replace('<link name="stand"/>', f'<link name="stand">{MASS.format(3, 0.1, 0.1, 0.1)}</link>')
    m = bl.load_urdf(text, base=base, gravity=(0, 0, -9.81) if base == "fixed" else (0, 0, 0), **START)
    m.add_force("spring", bl.TorsionSpring(stiffness=0.3), joint="left")
    solvers = bl.Central(rtol=1e-10, atol=1e-12), bl.Recursive(rtol=1e-10, atol=1e-12), bl.Modular(step=5e-4), bl.Modular(step=2.5e-4)
    central, recursive, modular, finer = (m.simulate(0.5, solver, samples=11) for solver in solvers)
    names = ("palm", "left finger", "right finger", "bolt")

    def apart(run):
        return max(np.abs(run[name].position - central[name].position).max() for name in names)

    assert np.ptp(central["left"].angle) > 0.05
    for run, near in ((central, 1e-9), (recursive, 1e-9)):
        assert apart(run) < 1e-8
        assert lag(run) < near
        assert np.abs(run.energy.error).max() < 1e-8
    assert apart(modular) < 1e-4
    assert apart(modular) / apart(finer) > 3.5
    assert lag(finer) < 1e-5
    assert np.abs(modular.energy.error).max() / np.abs(finer.energy.error).max() > 3.5


def test_they_are_written_back(tmp_path):
    path = tmp_path / "gripper.urdf"
    bl.save_urdf(bl.load_urdf(GRIPPER, **START), path, limits=bl.urdf_limits(GRIPPER))
    again = bl.load_urdf(path, **START)
    first = bl.load_urdf(GRIPPER, **START)
    for name in ("right mimic", "push mimic"):
        assert again.joints[name] == first.joints[name]
    runs = [m.simulate(0.3, samples=5) for m in (first, again)]
    np.testing.assert_allclose(runs[1]["bolt"].position, runs[0]["bolt"].position, atol=1e-9)
    assert lag(runs[1]) < 1e-9
    m = bl.load_urdf(GRIPPER)
    m.add_joint("more", bl.Gear(ratio=1.0), "wrist", "right")
    with pytest.raises(DescriptionError, match=r"joint 'more': in URDF a joint follows one, but 'right' follows another already. .*drop="):
        bl.save_urdf(m, path)
    m.remove("more")
    m.add_joint("more", bl.Gear(ratio=1.0), "push", "left")
    with pytest.raises(DescriptionError, match=r"joint 'more': in URDF a joint follows one, but 'left' leads 'push' already. .*drop="):
        bl.save_urdf(m, path)
    bl.save_urdf(m, path, drop=["more"])
    assert "more" not in bl.load(path).joints


def test_a_mechanism_of_ones_own_is_written(tmp_path):
    """Coordinates keep their signs, also of joints that are described the other way round; the offset is that of the description."""
    m = bl.Mechanism()
    for name, x in (("one", 0.0), ("two", 1.0)):
        m.add_body(name, bl.box((0.2, 0.1, 0.3), mass=1.0), position=(x, 0, 0), orientation=bl.rotation("y", 0.4 * x))
    m.add_joint("first", bl.Revolute(axis="y"), m.ground, "one", at_a=(0, 0, 0), at_b=(0, 0, 0.1), axes_a=(1, 0, 0, 0), axes_b=(1, 0, 0, 0))
    m.add_joint("second", bl.Revolute(axis="y"), "two", m.ground, at=(1, 0, 0.2), axes_a=(1, 0, 0, 0), axes_b=(1, 0, 0, 0))
    m.add_joint("gear", bl.Gear(ratio=0.5), "first", "second")
    m.save(tmp_path / "own.urdf")
    found = re.search(r'<mimic joint="first" multiplier="0.5" offset="(.*)"/>', (tmp_path / "own.urdf").read_text())
    assert float(found[1]) == pytest.approx(-0.4)
    again = bl.load(tmp_path / "own.urdf")
    runs = [each.simulate(0.3, samples=5) for each in (m, again)]
    np.testing.assert_allclose(runs[1]["second"].angle, runs[0]["second"].angle, atol=1e-8)


REFUSED = {
    "positions": (
        {"positions": {"left": 0.3, "right": 0.3}},
        "positions: joint 'right' follows 'left', which makes it -0.35, got 0.3. Leave it",
    ),
    "velocities": (
        {"velocities": {"push": 1.0}},
        "velocities: joint 'push' follows 'right', which makes it 0, got 1. Leave it out, and give",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_starts_that_cannot_be(case):
    options, said = REFUSED[case]
    with pytest.raises(DescriptionError) as refused:
        bl.load_urdf(GRIPPER, **options)
    assert str(refused.value).startswith(said)
    assert "that of 'left'" in str(refused.value)


def test_circles_are_refused():
    text = GRIPPER.replace(f'<axis xyz="0 1 0"/>{LIMIT}\n  </joint>', f'<axis xyz="0 1 0"/>{LIMIT}<mimic joint="push"/></joint>')
    assert text != GRIPPER
    with pytest.raises(FileError, match=r"urdf:\d+: joint 'push': it follows joints that follow each other in a circle: 'push' and others"):
        bl.load_urdf(text)


def test_a_long_line_of_followers():
    """Each follows the one before it; time grows with their number, not with its square."""
    links = "".join(f'<link name="l{i}">{MASS.format(1, 1, 1, 1)}</link>' for i in range(300))
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="base"/><child link="l{i}"/>'
        f'<mimic joint="{f"j{i + 1}" if i < 299 else "hinge"}" offset="0.005"/></joint>'
        for i in range(300)
    )
    m = bl.load_urdf(robot(links + joints), positions={"hinge": 0.5})
    assert len(m.joints) == 601
    run = m.simulate(1e-3, bl.Recursive(), samples=2)
    assert run["j0"].angle[0] == pytest.approx(0.5 + 1.5)
