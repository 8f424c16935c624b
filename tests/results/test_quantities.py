"""What a run tells, against closed forms.

Relations between quantities of one sample (a reaction and the state it belongs to) hold to the accuracy of the linear solve; quantities
that accumulate over time hold to the local tolerance times the number of steps.
"""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, NamingError

G = 9.81
RTOL = 1e-9
SOLVER = bl.Central(rtol=RTOL, atol=1e-2 * RTOL)
POINTWISE = 1e-8  # multipliers are solved to 1e-12 of the accelerations, and projection leaves 1e-10 in positions


def accumulated(run):
    """What local errors of rtol can add up to."""
    return RTOL * max(run.info["statistics"]["steps"], 10)


def pendulum(dim=2, kind=None, start=(1.0, 0.0), mass=2.0):
    """A uniform rod of length 1, hinged at the origin; gravity along −y."""
    zero = (0.0,) * dim
    m = bl.Mechanism((*zero[:1], -G, *zero[2:]), plane="xy" if dim == 2 else None)
    m.add_body("rod", bl.rod(zero, (*start, *zero[2:]), mass=mass), coordinates=kind)
    m.add_joint("hinge", bl.Pin() if dim == 2 else bl.Revolute(axis="z"), m.ground, "rod", at=zero)
    m.add_frame("tip", "rod", at=(*start, *zero[2:]))
    return m


KINDS = pytest.mark.parametrize(("dim", "kind"), [(2, "planar"), (2, "bar"), (3, "spatial"), (3, "natural")])


@KINDS
def test_reaction_of_a_pendulum(dim, kind):
    """With θ from the vertical: along the rod m g cos θ + m ω² L/2 towards the pivot, across it a quarter of m g sin θ."""
    run = pendulum(dim, kind).simulate(2.0, SOLVER)
    m, length = 2.0, 1.0
    theta = run["hinge"].angle + np.pi / 2  # of the rod, which starts horizontal, from the downward vertical
    omega = run["rod"].angular_velocity if dim == 2 else run["rod"].angular_velocity[:, 2]
    force = run["hinge"].force(on="rod", axes="body")  # body axes: x along the rod, from the pivot outwards
    scale = m * G
    assert np.allclose(-force[:, 0], m * G * np.cos(theta) + m * omega**2 * length / 2, atol=POINTWISE * scale, rtol=POINTWISE)
    assert np.allclose(force[:, 1], m * G * np.sin(theta) / 4, atol=POINTWISE * scale)
    assert np.allclose(omega**2, 3 * G / length * np.cos(theta), atol=accumulated(run) * 3 * G)  # energy, from rest at the horizontal
    acceleration = run["rod"].angular_acceleration if dim == 2 else run["rod"].angular_acceleration[:, 2]
    assert np.allclose(acceleration, -1.5 * G / length * np.sin(theta), atol=POINTWISE * 1.5 * G)


@KINDS
def test_acceleration_is_the_rate_of_velocity_and_velocity_that_of_position(dim, kind):
    """Differences of fourth order: truncation h⁴/30 f⁽⁵⁾, and errors of the motion divided by h."""
    run = pendulum(dim, kind).simulate(1.0, SOLVER, samples=501)
    h = 1.0 / 500
    point = run["rod"].point((0.3, 0.1, 0.2)[:dim])
    highest = 8.0**5 * 3.0  # fifth derivative of 3 m/s at ω < 8 rad/s (the sharpest harmonic of the swing)
    for value, rate in ((point.position, point.velocity), (point.velocity, point.acceleration)):
        difference = (value[:-4] - 8 * value[1:-3] + 8 * value[3:-1] - value[4:]) / (12 * h)
        assert np.allclose(difference, rate[2:-2], atol=h**4 / 30 * highest + 3 * accumulated(run) / h)


@KINDS
def test_points_frames_and_centre_agree(dim, kind):
    run = pendulum(dim, kind).simulate(1.0, SOLVER, samples=51)
    tip, local = run["tip"], run["rod"].point((0.5, 0.0, 0.0)[:dim])
    at = run["rod"].point(at=(1.0, 0.0, 0.0)[:dim])
    for name in ("position", "velocity", "acceleration"):
        assert np.allclose(getattr(tip, name), getattr(local, name), atol=1e-14)
        assert np.allclose(getattr(tip, name), getattr(at, name), atol=1e-12)
        assert np.allclose(getattr(run["rod"].centre, name), getattr(run["rod"], name), atol=1e-14)  # a rod's frame is in its middle
    assert np.allclose(np.linalg.norm(tip.position, axis=1), 1.0, atol=1e-9)
    assert np.allclose(run["tip"].rotation, run["rod"].rotation)


def rotor(dim, axis, speed):
    """A body that turns steadily about an axis through its centre, without gravity."""
    zero = np.zeros(dim)
    m = bl.Mechanism(zero, plane="xy" if dim == 2 else None)
    turning = speed if dim == 2 else tuple(speed * np.array(axis) / np.linalg.norm(axis))
    m.add_body("disc", bl.disc(0.5, mass=1.0) if dim == 2 else bl.sphere(0.5, mass=1.0), angular_velocity=turning)
    m.add_joint("hinge", bl.Pin() if dim == 2 else bl.Revolute(axis=axis), m.ground, "disc", at=zero)
    return m


@pytest.mark.parametrize(("dim", "axis"), [(2, None), (3, (0.0, 0.0, 1.0)), (3, (1.0, -2.0, 2.0))])
@pytest.mark.parametrize("samples", [6, 501])
def test_angles_go_on_over_turns(dim, axis, samples):
    """Also when the rotor turns several times between two samples: its speed tells how often."""
    speed = -17.0
    run = rotor(dim, axis, speed).simulate(10.0, SOLVER, samples=samples)
    tolerance = accumulated(run) * 17 * 10
    assert np.allclose(run["hinge"].angle, speed * run.time, atol=tolerance)
    if dim == 2:
        assert np.allclose(run["disc"].orientation, speed * run.time, atol=tolerance)
    elif samples == 501:
        q = run["disc"].orientation
        assert np.allclose(np.linalg.norm(q, axis=1), 1.0)
        assert (np.sum(q[1:] * q[:-1], axis=1) > 0).all()
        assert np.allclose(q[:, 0], np.cos(speed * run.time / 2), atol=tolerance)


# -- sensors


@pytest.mark.parametrize("dim", [2, 3])
def test_accelerometer_in_free_fall_reads_nothing(dim):
    m = bl.Mechanism(plane="xy" if dim == 2 else None)
    spin = 3.0 if dim == 2 else (1.0, 2.0, 3.0)
    m.add_body("ball", bl.sphere(0.1, mass=1.0), velocity=(1.0, 2.0, 3.0)[:dim], angular_velocity=spin)
    m.add_frame("sensor", "ball", local=(0.0, 0.0, 0.0)[:dim])
    run = m.simulate(1.0, SOLVER, samples=11)
    assert np.allclose(run["sensor"].accelerometer, 0.0, atol=POINTWISE * G)
    assert np.allclose(run["sensor"].gyroscope, spin, atol=accumulated(run) * 4)


@pytest.mark.parametrize("dim", [2, 3])
def test_accelerometer_at_rest_reads_gravity_upwards_in_its_own_axes(dim):
    turn = 0.5 if dim == 2 else bl.rotation("x", 0.5)
    m = bl.Mechanism(plane="xy" if dim == 2 else None)  # up is the last axis
    m.add_body("block", bl.box((1.0, 1.0, 1.0)[:dim], mass=1.0))
    m.add_joint("weld", bl.Rigid() if dim == 2 else bl.Fixed(), m.ground, "block", at=np.zeros(dim))
    m.add_frame("sensor", "block", local=(0.2, 0.1, 0.3)[:dim], orientation=turn)
    m.add_frame("wall", m.ground, at=(1.0, 2.0, 3.0)[:dim], orientation=turn)
    run = m.simulate(0.5, SOLVER, samples=6)
    up = [G * np.sin(0.5), G * np.cos(0.5)]  # in axes turned by 0.5 rad
    for name in ("sensor", "wall"):
        reading = run[name].accelerometer
        assert np.allclose(reading, up if dim == 2 else [0.0, *up], atol=POINTWISE * G)
        assert np.allclose(run[name].gyroscope, 0.0, atol=POINTWISE)
    assert np.allclose(run["wall"].position, (1.0, 2.0, 3.0)[:dim])
    assert np.allclose(run["wall"].velocity, 0.0)


def test_accelerometer_on_a_turntable():
    """ω² r towards the axis, in axes that turn along."""
    m = bl.Mechanism(gravity=(0.0, 0.0, 0.0))
    m.add_body("table", bl.disc(1.0, mass=1.0, thickness=0.1))
    m.add_joint("bearing", bl.Revolute(axis="z"), m.ground, "table", at=(0, 0, 0))
    m.add_joint("motor", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0.0, 4.0)), axis="z"), m.ground, "table", at=(0, 0, 0))
    m.add_frame("sensor", "table", local=(0.0, 0.5, 0.0))
    run = m.simulate(2.0, SOLVER, samples=21)
    assert np.allclose(run["sensor"].accelerometer, [0.0, -16.0 * 0.5, 0.0], atol=POINTWISE * 8)
    assert np.allclose(run["sensor"].gyroscope, [0.0, 0.0, 4.0], atol=POINTWISE)
    assert np.allclose(run["motor"].angle, 4.0 * run.time, atol=POINTWISE)


# -- reactions


def test_moment_of_a_cantilever():
    """Weight m g at L/2 is held by a force m g and a moment m g L/2 at the root; minus these on the wall."""
    planar = bl.Mechanism(plane="xy")
    planar.add_body("beam", bl.rod((0.0, 0.0), (2.0, 0.0), mass=3.0))
    planar.add_joint("root", bl.Rigid(), planar.ground, "beam", at=(0.0, 0.0))
    run = planar.simulate(0.2, SOLVER, samples=3)
    assert np.allclose(run["root"].force(), [0.0, 3 * G], atol=POINTWISE * 3 * G)
    assert np.allclose(run["root"].moment(), 3 * G * 1.0, atol=POINTWISE * 3 * G)
    assert np.allclose(run["root"].moment(on="ground"), -3 * G, atol=POINTWISE * 3 * G)

    spatial = bl.Mechanism()
    spatial.add_body("beam", bl.rod((0.0, 0.0, 0.0), (2.0, 0.0, 0.0), mass=3.0))
    spatial.add_joint("root", bl.Fixed(), spatial.ground, "beam", at=(0.0, 0.0, 0.0))
    run = spatial.simulate(0.2, SOLVER, samples=3)
    assert np.allclose(run["root"].force(), [0.0, 0.0, 3 * G], atol=POINTWISE * 3 * G)
    assert np.allclose(run["root"].moment(), [0.0, -3 * G, 0.0], atol=POINTWISE * 3 * G)  # x × z = −y
    assert np.allclose(run["root"].moment(on="ground"), [0.0, 3 * G, 0.0], atol=POINTWISE * 3 * G)


def two_bodies(joint, dim):
    """Two moving blocks, or a block and the ground, with a joint between them and a force on each."""
    rng = np.random.default_rng(3)
    m = bl.Mechanism(plane="xy" if dim == 2 else None)
    size = (0.3, 0.2, 0.25)[:dim]
    if not joint.grounded:
        m.add_body("one", bl.box(size, mass=1.0), velocity=0.3 * rng.standard_normal(dim))
        m.add_force("push", bl.PointForce(force=tuple(3 * rng.standard_normal(dim))), "one", at_a=size)
    m.add_body("two", bl.box(size, mass=2.0), position=(0.5, 0.3, 0.1)[:dim], velocity=0.3 * rng.standard_normal(dim))
    m.add_force("pull", bl.PointForce(force=tuple(3 * rng.standard_normal(dim))), "two", at_a=size)
    a = m.ground if joint.grounded else "one"
    apart = type(joint).__name__ == "Distance"
    places = {"at_a": (0.1,) * dim, "at_b": (-0.1,) * dim} if apart else {"at": (0.2, 0.1, 0.3)[:dim]}
    m.add_joint("joint", joint, a, "two", **places)
    return m, a


CLASSES = [cls for cls in (getattr(bl, name) for name in bl.joints.__all__) if cls.attachment == "bodies"]
JOINTS = [(kind, dim) for cls in CLASSES for dim in cls.dims for kind in cls.samples(dim)]


def named(value):
    return type(value).__name__ if not isinstance(value, int) else f"{value}d"


#: the coefficients of a velocity relation are anybody's: like a gear, it may lean on the ground
BETWEEN_TWO = [(kind, dim) for kind, dim in JOINTS if not isinstance(kind, bl.VelocityRelation)]


def values(function, t):
    """Of a function of time, as its description says."""
    if isinstance(function, bl.Harmonic):
        return function.offset + function.amplitude * np.sin(2 * np.pi * function.frequency * t + function.phase)
    return np.polynomial.Polynomial(function.coefficients)(t)


@pytest.mark.parametrize(("joint", "dim"), [case for case in JOINTS if case not in BETWEEN_TWO], ids=named)
def test_reactions_of_a_velocity_relation_do_no_work(joint, dim):
    """Their power Σ F·v + M·ω is −λ f(t), and nothing where there is no f."""
    m, a = two_bodies(joint, dim)
    run = m.simulate(0.1, SOLVER, samples=6)
    result, power, largest = run["joint"], 0.0, 0.0
    for body, marker in zip((a, "two"), result.markers):
        force, moment = result.force(on=body), result.moment(on=body)
        point = run[body].point(marker.local[:dim]).velocity
        spin = run[body].angular_velocity
        parts = [(force * point).sum(axis=1), (moment * spin).sum(axis=1) if dim == 3 else moment * spin]
        power = power + sum(parts)
        largest = max(largest, *(np.abs(part).max() for part in parts))
    assert largest > 1e-3  # it does something
    driven = sum((result.multipliers[:, k] * values(f, run.time) for k, f in enumerate(joint.offset)), np.zeros(len(run)))
    assert np.abs(power + driven).max() < 1e-9 * (1.0 + largest)


@pytest.mark.parametrize(("joint", "dim"), BETWEEN_TWO, ids=named)
def test_action_equals_reaction(joint, dim):
    """Forces are opposite, and so are the moments about one and the same point."""
    m, a = two_bodies(joint, dim)
    run = m.simulate(0.1, SOLVER, samples=6)
    result = run["joint"]
    on_a, on_b = result.force(on=a), result.force(on="two")
    scale = 1.0 + np.abs(on_b).max()
    assert np.abs(on_b).max() + np.abs(result.moment(on="two")).max() > 1e-3  # it does something
    assert np.allclose(on_a, -on_b, atol=1e-12 * scale)
    marker_a, marker_b = result.markers
    first = marker_a.local[:dim] if joint.grounded else run["one"].point(marker_a.local[:dim]).position
    second = run["two"].point(marker_b.local[:dim]).position
    arm = np.broadcast_to(second - first, on_b.shape)
    moved = np.cross(arm, on_b) if dim == 3 else arm[:, 0] * on_b[:, 1] - arm[:, 1] * on_b[:, 0]
    assert np.allclose(result.moment(on=a) + result.moment(on="two") + moved, 0.0, atol=1e-11 * scale)
    assert np.array_equal(result.force(), on_b)


#: whether b can turn about the axis, and whether its point can go anywhere
MOVES = {"Pin": "turns", "Revolute": "turns", "Spherical": "turns", "Slider": "slides", "Prismatic": "slides"}
MOVES |= dict.fromkeys(("Fixed", "Rigid", "Universal"), "")  # a cross turns about its own two axes, not about z


@pytest.mark.parametrize(("joint", "dim"), JOINTS, ids=lambda value: type(value).__name__ if not isinstance(value, int) else f"{value}d")
def test_what_a_joint_lets_move(joint, dim):
    m, _ = two_bodies(joint, dim)
    moves = MOVES.get(type(joint).__name__, "turns, slides")
    assert m.simulate(0.01, SOLVER, samples=2)["joint"].moves == ("turns" in moves, "slides" in moves)


@pytest.mark.parametrize("dim", [2, 3])
def test_reactions_move_the_bodies(dim):
    """Newton's law of the centre and Euler's of the rotation about it, from the forces that the run reports."""
    m, _ = two_bodies(bl.Rigid() if dim == 2 else bl.Universal(), dim)
    run = m.simulate(0.3, SOLVER, samples=7)
    body, joint, pull = run["two"], run["joint"], run["pull"]
    mass = m.bodies["two"].shape.mass_properties()
    total = joint.force() + pull.force() + mass.mass * np.array(m.gravity)
    assert np.allclose(total, mass.mass * body.centre.acceleration, atol=POINTWISE * 50)
    moment = joint.moment() if dim == 3 else np.column_stack([np.zeros((7, 2)), joint.moment()])

    def lifted(values):
        return np.pad(values, ((0, 0), (0, 3 - dim)))

    for item in (joint, pull):
        arm = lifted(body.point(item.markers[-1].local[:dim]).position - body.centre.position)
        moment = moment + np.cross(arm, lifted(item.force()))
    if dim == 2:
        assert np.allclose(moment[:, 2], mass.inertia[2, 2] * body.angular_acceleration, atol=POINTWISE * 50)
    else:
        inertia = body.rotation @ mass.inertia @ body.rotation.transpose(0, 2, 1)
        spin = np.einsum("nij,nj->ni", inertia, body.angular_velocity)
        rate = np.einsum("nij,nj->ni", inertia, body.angular_acceleration) + np.cross(body.angular_velocity, spin)
        assert np.allclose(moment, rate, atol=POINTWISE * 50)


def test_axes_of_reactions():
    """A hinge gives no moment about its axis, a slide no force along it, whatever the directions."""
    m = bl.Mechanism(gravity=(1.0, -2.0, -9.0))
    m.add_body("arm", bl.box((0.2, 0.3, 0.4), mass=1.0), position=(0.5, 0.2, 0.1), orientation=bl.rotation((1, 1, 0), 0.4))
    m.add_joint("hinge", bl.Revolute(axis=(1.0, 2.0, -1.0)), m.ground, "arm", at=(0.1, 0.0, 0.0))
    m.add_frame("gauge", "arm", local=(0.1, 0.0, 0.0), orientation=bl.rotation("y", 0.7))
    m.add_force("coil", bl.TorsionSpring(stiffness=2.0), joint="hinge")
    run = m.simulate(0.5, SOLVER, samples=11)
    hinge, axis = run["hinge"], np.array([1.0, 2.0, -1.0]) / np.sqrt(6.0)
    assert np.allclose(hinge.moment(axes="joint")[:, 2], 0.0, atol=POINTWISE * 10)
    assert np.allclose(hinge.moment() @ axis, 0.0, atol=POINTWISE * 10)
    assert np.abs(hinge.moment()).max() > 0.1
    for axes in ("world", "body", "joint", "arm", "gauge", "ground"):
        assert np.allclose(np.linalg.norm(hinge.force(axes=axes), axis=1), np.linalg.norm(hinge.force(), axis=1))
    assert np.allclose(hinge.force(axes="joint")[:, 2], hinge.force() @ axis, atol=1e-12)
    turned = np.einsum("nij,nj->ni", run["gauge"].rotation, hinge.force(axes=m.frames["gauge"]))
    assert np.allclose(turned, hinge.force(), atol=1e-12)
    assert np.allclose(run["coil"].output, 2.0 * hinge.angle, atol=1e-9)
    assert np.allclose(run["coil"].moment(axes="joint"), np.outer(-run["coil"].output, [0, 0, 1]), atol=1e-9)
    with pytest.raises(NamingError, match="gauge"):
        hinge.force(axes="gauges")
    with pytest.raises(DescriptionError, match="ground and arm"):
        hinge.force(on="gauge")


@pytest.mark.parametrize("direction", ["x", "y", 0.6, (1.0, -2.0)])
def test_planar_slides_are_told_along_the_slide(direction):
    """First axis along the slide, second across: all the motion is in the first, all the force in the second."""
    m = bl.Mechanism(plane="xy", gravity=(3.0, -9.0))
    m.add_body("block", bl.box((0.2, 0.1), mass=2.0), position=(0.3, 0.2))
    m.add_joint("slide", bl.Slider(direction=direction), m.ground, "block", at=(0.3, 0.2))
    run = m.simulate(0.5, SOLVER, samples=11)
    slide = run["slide"]
    along = m.joints["slide"].kind.axis_vector()[:2]
    fall = np.array([3.0, -9.0])
    assert np.allclose(slide.displacement[:, 0], 0.5 * (fall @ along) * run.time**2, atol=accumulated(run) * 10)
    assert np.allclose(slide.displacement[:, 1], 0.0, atol=1e-9)
    across = np.array([-along[1], along[0]])
    assert np.allclose(slide.force(axes="joint"), [0.0, -2.0 * (fall @ across)], atol=POINTWISE * 20)
    assert np.allclose(slide.angle, 0.0, atol=1e-9)


def test_pin_in_a_slot_turns():
    m = bl.Mechanism(plane="xy", gravity=(0.0, 0.0))
    m.add_body("stick", bl.rod((-0.5, 0.0), (0.5, 0.0), mass=1.0), angular_velocity=5.0)
    m.add_joint("slot", bl.PinInSlot(direction="y"), m.ground, "stick", at=(0.0, 0.0))
    run = m.simulate(3.0, SOLVER, samples=31)
    assert np.allclose(run["slot"].angle, 5.0 * run.time, atol=accumulated(run) * 15)


def test_spatial_slide_is_told_along_the_last_axis():
    m = bl.Mechanism(gravity=(0.0, 0.0, -G))
    m.add_body("ring", bl.sphere(0.1, mass=1.0), position=(0.1, 0.2, 0.3))
    m.add_joint("rail", bl.Prismatic(axis=(0.0, 3.0, -4.0)), m.ground, "ring", at=(0.1, 0.2, 0.3))
    run = m.simulate(1.0, SOLVER, samples=11)
    assert np.allclose(run["rail"].displacement, np.outer(0.5 * 0.8 * G * run.time**2, [0, 0, 1]), atol=accumulated(run) * 10)
    assert np.allclose(run["rail"].force(axes="joint")[:, 2], 0.0, atol=POINTWISE * G)


# -- forces


@pytest.mark.parametrize("dim", [2, 3])
def test_spring_and_damper(dim):
    k, c, free = 40.0, 0.8, 0.7
    m = pendulum(dim)
    anchor = (1.5, 0.5, 0.4)[:dim]
    m.add_force("spring", bl.Spring(stiffness=k, damping=c, length=free), m.ground, "tip", at_a=anchor)
    run = m.simulate(1.0, SOLVER, samples=51)
    gap, speed = run["tip"].position - anchor, run["tip"].velocity
    length = np.linalg.norm(gap, axis=1)
    unit, rate = gap / length[:, None], np.sum(gap * speed, axis=1) / length
    tension = k * (length - free) + c * rate
    spring = run["spring"]
    assert np.allclose(spring.output, tension, atol=1e-9 * k)
    assert np.allclose(spring.energy, 0.5 * k * (length - free) ** 2, atol=1e-9 * k)
    assert np.allclose(spring.power, np.outer(c * rate**2, [1, 0, 0]), atol=1e-9 * k)
    assert np.allclose(spring.force(on="rod"), -tension[:, None] * unit, atol=1e-9 * k)
    assert np.allclose(spring.force(on="ground"), tension[:, None] * unit, atol=1e-9 * k)
    assert np.allclose(spring.moment(), 0.0, atol=1e-9 * k)  # about the end of the spring
    assert np.allclose(run.energy.elastic, spring.energy)


def test_efforts_of_torques_and_forces_in_joints():
    m = pendulum(3)
    m.add_force("twist", bl.Torque(torque=(0.0, 0.0, 2.5)), joint="hinge")
    m.add_force("push", bl.PointForce(force=(1.0, 2.0, 0.0), axes="body"), "tip")
    run = m.simulate(0.3, SOLVER, samples=4)
    assert np.allclose(run["twist"].moment(), [0.0, 0.0, 2.5])
    assert np.allclose(run["twist"].moment(on="ground"), [0.0, 0.0, -2.5])
    assert np.allclose(run["twist"].moment(axes="joint"), [0.0, 0.0, 2.5])
    assert np.allclose(run["twist"].force(), 0.0)
    assert np.allclose(run["push"].force(axes="body"), [1.0, 2.0, 0.0])
    assert np.allclose(run["push"].output, np.sqrt(5.0))
    with pytest.raises(DescriptionError, match="acts on rod"):
        run["push"].force(on="ground")


# -- energy


def simpson(values, time):
    """∫ values dt from the first to each second sample after it; equal steps."""
    h = time[1] - time[0]
    parts = h / 3 * (values[:-2:2] + 4 * values[1:-1:2] + values[2::2])
    return np.concatenate([[0.0], np.cumsum(parts)])


def check_balance(run, *used):
    """The balance closes, and exactly the works named are done."""
    energy = run.energy
    assert np.abs(energy.error).max() < accumulated(run)
    for name in ("dissipated", "drives", "applied"):
        work = getattr(energy, name)
        assert work[0] == 0.0
        assert (np.abs(work).max() > 0.1) == (name in used)
    total = energy.kinetic + energy.gravitational + energy.elastic
    assert np.allclose(total, energy.mechanical)
    assert np.allclose(energy.balance, total - total[0] + energy.dissipated - energy.drives - energy.applied, atol=1e-12 * energy.scale)


@KINDS
def test_energy_of_a_free_swing(dim, kind):
    run = pendulum(dim, kind).simulate(2.0, SOLVER)
    check_balance(run)
    omega = run["rod"].angular_velocity if dim == 2 else run["rod"].angular_velocity[:, 2]
    inertia = 2.0 / 3.0 if dim == 2 else run.mechanism.bodies["rod"].shape.mass_properties().inertia[2, 2] + 2.0 * 0.25
    assert np.allclose(run.energy.kinetic, 0.5 * inertia * omega**2, atol=1e-9)
    assert np.allclose(run.energy.gravitational, 2.0 * G * run["rod"].position[:, 1], atol=1e-12)


@pytest.mark.parametrize("dim", [2, 3])
def test_energy_lost_in_a_damper(dim):
    m = pendulum(dim)
    m.add_force("friction", bl.JointDamping(coefficient=0.4), joint="hinge")
    run = m.simulate(2.0, SOLVER, samples=2001)
    check_balance(run, "dissipated")
    assert (np.diff(run.energy.dissipated) > -1e-12).all()
    power = 0.4 * np.sum(np.reshape(run["rod"].angular_velocity, (2001, -1)) ** 2, axis=1)
    assert np.allclose(power, run["friction"].power[:, 0], atol=POINTWISE * 20)
    assert np.allclose(simpson(power, run.time), run.energy.dissipated[::2], atol=1e-3**4 * 6.0**4 * 50 / 180 * 2 + accumulated(run) * 50)


@pytest.mark.parametrize("dim", [2, 3])
def test_work_of_an_imposed_rotation(dim):
    """Turning at a steady rate, the drive does the work of lifting and no other."""
    m = pendulum(dim)
    turning = bl.Polynomial(coefficients=(0.0, 2.0))
    m.add_joint("drive", bl.ImposedRotation(angle=turning, axis="z"), m.ground, "rod", at=np.zeros(dim))
    run = m.simulate(2.0, SOLVER)
    check_balance(run, "drives")
    assert np.allclose(run.energy.drives, 2.0 * G * 0.5 * np.sin(2.0 * run.time), atol=accumulated(run) * 2 * G)
    torque = run["drive"].moment() if dim == 2 else run["drive"].moment()[:, 2]
    assert np.allclose(torque, 2.0 * G * 0.5 * np.cos(2.0 * run.time), atol=POINTWISE * 2 * G)


@pytest.mark.parametrize("dim", [2, 3])
def test_work_of_a_motor(dim):
    m = pendulum(dim)
    m.add_force("motor", bl.Motor(target=bl.Harmonic(amplitude=1.0, frequency=0.5), stiffness=50.0, damping=5.0), joint="hinge")
    run = m.simulate(2.0, SOLVER, samples=2001)
    check_balance(run, "drives")
    omega = run["rod"].angular_velocity if dim == 2 else run["rod"].angular_velocity[:, 2]
    power = run["motor"].output * omega
    assert np.allclose(power, run["motor"].power[:, 1], atol=POINTWISE * 100)
    assert np.allclose(simpson(power, run.time), run.energy.drives[::2], atol=1e-3**4 * 20.0**4 * 100 / 180 * 2 + accumulated(run) * 50)


@pytest.mark.parametrize("dim", [2, 3])
def test_work_of_applied_efforts(dim):
    m = pendulum(dim)
    m.add_force("twist", bl.Torque(torque=3.0 if dim == 2 else (0.0, 0.0, 3.0)), "rod")
    m.add_force("pull", bl.PointForce(force=(4.0, 1.0, 0.0)[:dim]), "tip")
    m.add_force("call", bl.CallableForce(function=lambda t, view: np.array([0.0, 2.0, 0.0][:dim])), "tip")
    run = m.simulate(2.0, SOLVER)
    check_balance(run, "applied")
    moved = run["tip"].position - run["tip"].position[0]
    work = 3.0 * run["hinge"].angle + moved[:, :2] @ [4.0, 3.0]
    assert np.allclose(run.energy.applied, work, atol=accumulated(run) * np.abs(work).max())


def test_all_works_at_once():
    m = pendulum(3)
    m.add_force("friction", bl.JointDamping(coefficient=0.4), joint="hinge")
    m.add_force("spring", bl.Spring(stiffness=30.0, damping=0.5), m.ground, "tip", at_a=(1.0, 1.0, 0.3))
    m.add_force("motor", bl.Motor(target=bl.Harmonic(amplitude=1.0, frequency=0.5), stiffness=20.0), joint="hinge")
    m.add_force("pull", bl.PointForce(force=(4.0, 1.0, 0.0)), "tip")
    run = m.simulate(2.0, SOLVER)
    check_balance(run, "dissipated", "drives", "applied")
    assert np.ptp(run.energy.elastic) > 0.1


# -- the whole


def chain(dim, kinds):
    zero = (0.0,) * dim
    m = bl.Mechanism((0.0, -G, 0.0)[:dim], plane="xy" if dim == 2 else None)
    knee, end = (0.6, -0.2, 0.1)[:dim], (1.2, 0.3, 0.2)[:dim]
    m.add_body("upper", bl.rod(zero, knee, mass=1.0, radius=0.05), coordinates=kinds[0])
    m.add_body("lower", bl.rod(knee, end, mass=2.0, radius=0.05), coordinates=kinds[1])
    m.add_joint("shoulder", bl.Pin() if dim == 2 else bl.Universal(axis_a="x", axis_b="y"), m.ground, "upper", at=zero)
    m.add_joint("elbow", bl.Pin() if dim == 2 else bl.Revolute(axis=(0.2, 0.3, 1.0)), "upper", "lower", at=knee)
    m.add_frame("hand", "lower", at=end)
    m.add_force("spring", bl.Spring(stiffness=20.0, damping=0.3), m.ground, "hand", at_a=end)
    return m


@pytest.mark.parametrize(("dim", "kinds"), [(2, ("planar", "bar")), (3, ("spatial", "natural"))])
def test_all_body_kinds_tell_the_same(dim, kinds):
    """Also when they are mixed: the numbers belong to the bodies, not to their coordinates."""
    first, second = kinds
    runs = [
        chain(dim, mix).simulate(0.8, SOLVER, samples=41) for mix in ((first, first), (second, second), (first, second), (second, first))
    ]
    tables = [run.table() for run in runs]
    steps = max(run.info["statistics"]["steps"] for run in runs)
    for name in tables[0].columns:
        if name in ("energy.error", "energy.balance", "violation") or name.endswith(".violation"):
            continue
        size = 1.0 + np.abs(tables[0][name]).max()
        for table in tables[1:]:
            assert np.allclose(table[name], tables[0][name], atol=10 * RTOL * steps * size), name


def test_violation():
    run = pendulum(3).simulate(1.0, bl.Central("baumgarte", integrator="rk4", step=1e-2))
    assert run.violation.shape == run.velocity_violation.shape == (101,)
    assert np.allclose(run.violation, run["hinge"].violation)
    place = run["rod"].point((-0.5, 0.0, 0.0)).position
    assert (run.violation >= np.abs(place).max(axis=1) - 1e-15).all()
    assert 0 < run.violation.max() < 1e-2


def test_names_that_do_not_exist():
    run = pendulum(2).simulate(0.1, SOLVER, samples=3)
    with pytest.raises(NamingError, match="rod"):
        run["rot"]
    with pytest.raises(NamingError):
        run[3]
    assert run[run.mechanism.bodies["rod"]] is run["rod"]
    assert run.names() == ["rod", "hinge", "tip"]
