"""Other names and copies: what moves goes on moving as it did."""

import numpy as np
import pytest

import bielle as bl
from bielle import examples
from bielle.errors import BielleError
from bielle.studio.copying import duplicated, renamed
from bielle.studio.folder import opened_example

EXAMPLES = [name for name in examples.names() if examples.get(name).build().bodies]
ROUNDING = 1e-12  # a pose goes through a quaternion or an angle and back, a velocity through another reference point


def moving(name):
    live = opened_example(name)
    live.advance(0.05)
    return live


def motion(live):
    now = live.now
    return {
        name: np.concatenate([np.ravel(x) for x in (now[name].position, now[name].rotation, now[name].velocity)])
        for name in live.mechanism.bodies
    }


def same_motion(before, after, names, slack=0.0):
    """Whatever they are called now; where joints are put again, to what the solver leaves open in them."""
    for old, new in names.items():
        scale = 1.0 + np.abs(before[old]).max()
        np.testing.assert_allclose(after[new], before[old], rtol=0, atol=ROUNDING * scale + slack)


def energies(live):
    energy = live.energy
    return np.array([energy.kinetic, energy.mechanical])


@pytest.mark.parametrize("name", EXAMPLES)
def test_another_name_changes_no_motion(name):
    live = moving(name)
    body = next(iter(live.mechanism.bodies))
    before, energy, gap, closing = motion(live), energies(live), live.now.violation[0] if live.model.nc else 0.0, dict(live.closing)
    renamed(live, body, "another")
    names = {old: "another" if old == body else old for old in before}
    assert set(live.mechanism.bodies) == set(names.values())
    same_motion(before, motion(live), names, max(live.solver.slack))
    np.testing.assert_allclose(energies(live), energy, rtol=0, atol=1e-10 * (1 + np.abs(energy).max()))
    assert dict(live.closing) == closing
    if live.model.nc:
        assert live.now.violation[0] <= gap + 1e-9
    live.advance(0.05)
    live.undo()
    same_motion(before, motion(live), {old: old for old in before})


@pytest.mark.parametrize("what", ["joints", "forces", "frames"])
@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "slider_crank", "suspension", "robot_arm"])
def test_other_components(name, what):
    live = moving(name)
    for old in list(getattr(live.mechanism, what))[:3]:
        before, count = motion(live), len(live.mechanism._names())
        renamed(live, old, "another")
        assert "another" in getattr(live.mechanism, what)
        assert old not in live.mechanism
        assert len(live.mechanism._names()) == count
        same_motion(before, motion(live), {each: each for each in before}, max(live.solver.slack))
        renamed(live, "another", old)


def test_what_holds_a_body_is_called_after_it():
    live = moving("double_pendulum")
    live.lock("elbow")
    renamed(live, "elbow", "knee")
    assert "lock knee" in live.mechanism.joints
    live.unlock("knee")
    live.fix("upper")
    renamed(live, "upper", "thigh")
    assert "fix thigh" in live.mechanism.joints


def test_visuals_stay():
    m = bl.Mechanism()
    m.add_body("seen", bl.sphere(0.1, mass=1.0), visuals=[bl.visuals.sphere(0.2)])
    m.add_frame("mark", "seen", local=(0, 0, 0.1), visuals=[bl.visuals.sphere(0.3)])
    live = m.live()
    before = live.mechanism.frames["mark"].visuals
    renamed(live, "seen", "other")
    assert live.mechanism.bodies["other"].visuals
    assert live.mechanism.frames["mark"].visuals == before
    duplicated(live, ["other"], (1.0, 0.0, 0.0), 1, None)
    assert live.mechanism.frames["mark 2"].visuals == before


def test_a_limit_at_which_a_joint_breaks_stays():
    live = moving("double_pendulum")
    live.breaks("elbow", force=1e6)
    renamed(live, "elbow", "knee")
    assert [event.breaks for event in live.events.values()] == ["knee"]
    renamed(live, "lower", "shin")
    assert [event.breaks for event in live.events.values()] == ["knee"]


def test_names_that_cannot_be():
    live = moving("double_pendulum")
    for old, new in (("nobody", "x"), ("upper", "lower"), ("upper", ""), ("upper", "ground"), ("upper", "a\nb"), ("upper", 7)):
        before = live.mechanism
        with pytest.raises(BielleError):
            renamed(live, old, new)
        assert live.mechanism is before


@pytest.mark.parametrize("name", EXAMPLES)
def test_copies_move_as_what_they_are_copies_of(name):
    live = moving(name)
    m = live.mechanism
    before, bodies = (
        motion(live),
        [body for body in m.bodies if not any(j.a == body or j.b == body for j in m.joints.values() if j.through)],
    )
    if not bodies:
        return
    shift = np.array([7.0, 0.0, 0.0])
    made = duplicated(live, bodies, tuple(shift), 2, None)
    assert len(made) == 2 * len(bodies)
    after = motion(live)
    same_motion(before, after, {body: body for body in before})
    for k in (0, 1):
        for old, new in zip(bodies, made[k * len(bodies) :]):
            moved = before[old].copy()
            moved[: m.dim] += (k + 1) * shift[: m.dim]
            np.testing.assert_allclose(after[new], moved, rtol=0, atol=ROUNDING * 20)
    assert live.closing == {}
    live.undo()
    assert set(live.mechanism.bodies) == set(before)


def _driven():
    """A chain with a motor, a spring, a limit and friction in its joints, and a gear between two of them."""
    m = bl.Mechanism(plane="xy")
    m.add_body("base", bl.box((0.4, 0.2), mass=5.0), position=(0.0, 0.0))
    m.add_body("arm", bl.rod((0, 0), (1, 0.2), mass=1.0))
    m.add_body("hand", bl.rod((1, 0.2), (1.5, 0.9), mass=0.5))
    m.add_body("wheel", bl.disc(0.2, mass=1.0), position=(0.0, 0.0))
    m.add_body("block", bl.box((0.2, 0.1), mass=1.0), position=(0.3, 0.3))
    m.add_joint("shoulder", bl.Pin(), "base", "arm", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "arm", "hand", at=(1, 0.2))
    m.add_joint("axle", bl.Pin(), "base", "wheel", at=(0, 0))
    m.add_joint("rail", bl.Slider(direction=0.3), "base", "block", at=(0.3, 0.3))
    m.add_joint("mesh", bl.Gear(ratio=-2.0), "shoulder", "axle")
    m.add_force("motor", bl.Motor(control="speed", target=3.0, damping=5.0, limit=20.0), joint="shoulder")
    m.add_force("coil", bl.TorsionSpring(stiffness=4.0, damping=0.1, angle=0.5), joint="elbow")
    m.add_force("stop", bl.AngleLimit(lower=-0.4, upper=0.2, stiffness=500.0, damping=0.1), joint="elbow")
    m.add_force("drag", bl.AngleFriction(torque=0.05), joint="axle")
    m.add_force("drive", bl.LinearMotor(target=bl.Harmonic(0.2, 1.0, offset=0.1), stiffness=300.0, damping=20.0), joint="rail")
    m.add_force("buffer", bl.SlideLimit(lower=-0.5, upper=0.15, stiffness=1e4, damping=0.1), joint="rail")
    return m


def _images(live, made, sign):
    """The copies are mirror images of what they are copies of, and both move."""
    before = live.describe()
    live.advance(1.0)
    now = live.now
    for old, new in made.items():
        # two integrations of the same equations within rtol 1e-8
        np.testing.assert_allclose(now[new].centre.position[0], now[old].centre.position[0] * sign, rtol=0, atol=1e-5)
        assert np.abs(now[old].centre.position[0] - before.bodies[old].position).max() > 0.01


@pytest.mark.parametrize(("mirror", "sign"), [(None, (1.0, 1.0)), ("x", (-1.0, 1.0)), ("y", (1.0, -1.0))])
def test_what_acts_in_joints_is_copied_with_them(mirror, sign):
    """In the middle of the motion; copies move as what they are copies of, or as its image."""
    m = _driven()
    m.gravity = (0.0, 0.0)
    live = m.live()
    live.advance(0.4)
    bodies = list(m.bodies)
    made = dict(zip(bodies, duplicated(live, bodies, (0.0, 0.0, 0.0), 1, mirror)))
    assert len(live.mechanism.forces) == 2 * len(m.forces)
    assert len(live.mechanism.joints) == 2 * len(m.joints)
    assert {force.joint for force in live.mechanism.forces.values()} == {n for n in live.mechanism.joints if not n.startswith("mesh")}
    _images(live, made, np.array(sign))


def test_what_acts_in_a_joint_stays_without_it():
    """The shoulder is between the arm and a base that is not copied."""
    live = _driven().live()
    assert duplicated(live, ["arm", "hand"], (3.0, 0.0, 0.0), 1, None) == ["arm 2", "hand 2"]
    assert {(force.name, force.joint) for force in live.mechanism.forces.values() if force.name.endswith("2")} == {
        ("coil 2", "elbow 2"),
        ("stop 2", "elbow 2"),
    }


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_what_acts_in_joints_of_space_is_mirrored_with_them(axis):
    m = bl.Mechanism(gravity=(0.0, 0.0, 0.0))
    m.add_body("base", bl.box((0.4, 0.3, 0.2), mass=5.0), position=(0.1, 0.2, 0.3), orientation=(0.9, 0.2, -0.3, 0.1))
    m.add_body("arm", bl.box((1.0, 0.1, 0.2), mass=1.0), position=(0.6, 0.2, 0.4))
    m.add_body("block", bl.box((0.2, 0.1, 0.3), mass=1.0), position=(0.3, 0.3, 0.8), orientation=(0.7, -0.1, 0.4, 0.3))
    m.add_body("wheel", bl.sphere(0.2, mass=1.0), position=(0.0, 0.5, 0.0))
    m.add_joint("shoulder", bl.Revolute(axis=(0.3, -0.5, 0.8)), "base", "arm", at=(0.1, 0.2, 0.4))
    m.add_joint("rail", bl.Prismatic(axis=(0.2, 0.4, 0.9)), "base", "block", at=(0.3, 0.3, 0.8))
    m.add_joint("axle", bl.Revolute(axis="y"), "base", "wheel", at=(0.0, 0.5, 0.0))
    m.add_joint("rack", bl.Gear(ratio=0.3), "axle", "rail")
    hardening = bl.Polynomial(coefficients=(0.5, 3.0, 2.0))
    m.add_force("motor", bl.Motor(target=1.0, stiffness=30.0, damping=3.0), joint="shoulder")
    m.add_force("coil", bl.TorsionSpring(characteristic=hardening, angle=0.2), joint="shoulder")
    m.add_force("stop", bl.AngleLimit(lower=-2.0, upper=0.5, stiffness=500.0, damping=0.1), joint="shoulder")
    m.add_force("drive", bl.LinearMotor(target=0.4, stiffness=100.0, damping=10.0), joint="rail")
    m.add_force("buffer", bl.SlideLimit(lower=-0.5, upper=0.15, stiffness=1e3, damping=0.1), joint="rail")
    live, bodies = m.live(), list(m.bodies)
    sign = np.ones(3)
    sign[axis] = -1.0
    made = dict(zip(bodies, duplicated(live, bodies, None, 1, "xyz"[axis])))
    assert len(live.mechanism.forces) == 2 * len(m.forces)
    _images(live, made, sign)


@pytest.mark.parametrize("turns", [True, False], ids=["rotation", "translation"])
@pytest.mark.parametrize(("planar", "mirror"), [(True, "x"), (True, "y"), (False, "x"), (False, "y"), (False, "z")])
def test_imposed_motions_behind_a_mirror(planar, mirror, turns):
    m = bl.Mechanism(plane="xy" if planar else None, gravity=(0, 0) if planar else (0, 0, 0))
    thick, n = {} if planar else {"radius": 0.05}, 2 if planar else 3
    m.add_body("base", bl.rod((0, 0, 0)[:n], (0, 0.3, 0.2)[:n], mass=1.0, **thick))
    m.add_body("arm", bl.rod((0.2, 0.1, 0)[:n], (1.2, 0.4, 0.3)[:n], mass=1.0, **thick))
    law, axis = bl.Polynomial(coefficients=(0.0, 1.0, 0.5)), (1.0, 0.5) if planar else (0.3, 0.5, 1.0)
    if turns:
        held, imposed = bl.Pin() if planar else bl.Revolute(axis=axis), bl.ImposedRotation(angle=law, **({} if planar else {"axis": axis}))
    else:
        held = bl.Slider(direction=axis) if planar else bl.Prismatic(axis=axis)
        imposed = bl.ImposedTranslation(displacement=law, axis=axis)
    m.add_joint("held", held, "base", "arm", at=(0.2, 0.1, 0)[:n])
    m.add_joint("imposed", imposed, "base", "arm", at=(0.2, 0.1, 0)[:n])
    live = m.live()
    duplicated(live, ["base", "arm"], (0, 0, 0), 1, mirror)
    live.advance(0.7)
    (copy,) = [name for name in live.mechanism.bodies if name.startswith("arm ")]
    image = np.array(live["arm"].position)
    image["xyz".index(mirror)] *= -1.0
    np.testing.assert_allclose(live[copy].position, image, rtol=0, atol=1e-9)


def test_a_mirror():
    m = bl.Mechanism(plane="xy", gravity=(0, 0))
    m.add_body("rod", bl.rod((1, 0), (2, 1), mass=1.0))
    live = m.live()
    (made,) = duplicated(live, ["rod"], (0.0, 0.0, 0.0), 1, "y")
    assert live.mechanism.bodies[made].orientation == pytest.approx(-live.mechanism.bodies["rod"].orientation)


def test_copies_that_cannot_be():
    live = moving("double_pendulum")
    for names, count, mirror in ((["nobody"], 1, None), ([], 1, None), (["upper"], 0, None), (["upper"], 10**6, None), (["upper"], 1, "z")):
        with pytest.raises(BielleError):
            duplicated(live, names, None, count, mirror)
    with pytest.raises(BielleError, match="1000"):
        duplicated(live, ["upper", "lower"], None, 600, None)
