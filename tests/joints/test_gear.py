"""Gears: discs, racks and planets against closed formulas, a moving carrier against equations of its own; edits, files, errors."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import bielle as bl
from bielle.errors import DescriptionError, FileError
from bielle.mechanism import files
from bielle.model import compile_mechanism
from bielle.model.watches import JointAngleWatch, ReactionWatch
from bielle.results import animation
from bielle.solvers.workspace import Workspace

SOLVERS = {"central": bl.Central(), "recursive": bl.Recursive(), "modular": bl.Modular(), "merged": bl.Modular(merge="loops")}
every_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
INERTIAS, TORQUE = (0.01, 0.06), 1.3  # kg m², N m


def stabilised(formulation):
    """A slow stabilisation, where there is one: ω h must be small for the method to be in its asymptotic range."""
    return {} if formulation in ("projected", "index3") else {"omega": 10.0}


def discs(ratio, planar=True, coordinates=None):
    """Two discs side by side on the ground, a torque on the first."""
    m = bl.Mechanism(gravity=(0, 0) if planar else (0, 0, 0), plane="xy" if planar else None)
    for name, place, inertia in zip(("one", "two"), (0.0, 0.4), INERTIAS):
        if planar:
            m.add_body(name, bl.rigid(1.0, (0, 0), inertia), position=(place, 0), coordinates=coordinates)
            m.add_joint(f"axle {name}", bl.Pin(), m.ground, name, at=(place, 0))
        else:
            m.add_body(name, bl.rigid(1.0, (0, 0, 0), (inertia,) * 3), position=(place, 0, 0), coordinates=coordinates)
            m.add_joint(f"axle {name}", bl.Revolute(axis=(1.0, place, 0)), m.ground, name, at=(place, 0, 0))
    m.add_joint("gear", bl.Gear(ratio=ratio), "axle one", "axle two")
    axis = (1.0, 0.0, 0.0)
    m.add_force("torque", bl.Torque(torque=TORQUE if planar else tuple(TORQUE * x for x in axis)), "one")
    return m


@every_solver
@pytest.mark.parametrize(("planar", "coordinates"), [(True, "planar"), (True, "bar"), (False, "spatial"), (False, "natural")])
def test_two_discs(planar, coordinates, solver):
    """α = τ/(I₁ + ratio² I₂); the tooth force turns the second and holds back the first, whatever their axes."""
    ratio = -0.5
    run = discs(ratio, planar, coordinates).simulate(0.5, solver, samples=21)
    alpha = TORQUE / (INERTIAS[0] + ratio**2 * INERTIAS[1])
    turned = 0.5 * alpha * run.time**2
    tolerance = 1e-9 if isinstance(solver, bl.Central | bl.Recursive) else 1e-3  # steps of 1 ms at up to 26 rad/s
    np.testing.assert_allclose(run["axle one"].angle, turned, atol=tolerance)
    np.testing.assert_allclose(run["axle two"].angle, ratio * turned, atol=tolerance)
    np.testing.assert_allclose(run["gear"].multipliers[:, 0], INERTIAS[1] * ratio * alpha, rtol=1e-8)
    on_one, on_two = run["gear"].moment(on="one"), run["gear"].moment(on="two")
    if not planar:
        on_one, on_two = on_one @ [1, 0, 0], on_two @ np.array([1.0, 0.4, 0]) / math.hypot(1.0, 0.4)
    np.testing.assert_allclose(on_two, INERTIAS[1] * ratio * alpha, rtol=1e-8)
    np.testing.assert_allclose(on_one, INERTIAS[0] * alpha - TORQUE, rtol=1e-8)
    np.testing.assert_array_equal(run["gear"].moment(), run["gear"].moment(on="two"))
    assert run.velocity_violation.max() < 1e-7
    assert np.abs(run.energy.error).max() < 10 * tolerance


def rack(radius=0.05, mass=2.0, inertia=3e-3, planar=True):
    """A rack that falls and turns a pinion."""
    m = bl.Mechanism(plane="xy" if planar else None, gravity=(0, -9.81) if planar else (0, -9.81, 0))
    zero = (0,) * m.dim
    m.add_body("pinion", bl.rigid(1.0, zero, inertia if planar else (inertia,) * 3))
    m.add_body("rack", bl.rigid(mass, zero, 0.1 if planar else (0.1,) * 3), position=(radius, 0, 0)[: m.dim])
    m.add_joint("axle", bl.Pin() if planar else bl.Revolute(axis="z"), m.ground, "pinion", at=zero)
    m.add_joint("guide", bl.Slider(direction="y") if planar else bl.Prismatic(axis="y"), m.ground, "rack", at=(radius, 0, 0)[: m.dim])
    return m


@every_solver
@pytest.mark.parametrize("planar", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("leads", ["axle", "guide"])
def test_rack_and_pinion(planar, leads, solver):
    """m ÿ = −m g − I ÿ/r²; the ratio is the radius from the pinion to the rack [m/rad], and its inverse the other way."""
    radius, mass, inertia = 0.05, 2.0, 3e-3
    m = rack(radius, mass, inertia, planar)
    if leads == "axle":
        m.add_joint("teeth", bl.Gear(ratio=radius), "axle", "guide")
    else:
        m.add_joint("teeth", bl.Gear(ratio=1 / radius), "guide", "axle")
    run = m.simulate(0.5, solver, samples=11)
    fall = 9.81 * mass / (mass + inertia / radius**2)
    tolerance = 1e-9 if isinstance(solver, bl.Central | bl.Recursive) else 1e-5
    np.testing.assert_allclose(run["rack"].position[:, 1], -0.5 * fall * run.time**2, atol=tolerance)
    np.testing.assert_allclose(run["axle"].angle, -0.5 * fall * run.time**2 / radius, atol=tolerance / radius)
    tooth = mass * (9.81 - fall)
    np.testing.assert_allclose(run["teeth"].force(on="rack")[:, 1], tooth, rtol=1e-7)
    turning = run["teeth"].moment(on="pinion")
    np.testing.assert_allclose(turning if planar else turning[:, 2], -tooth * radius, rtol=1e-7)
    assert np.abs(run.energy.error).max() < tolerance * 100


@every_solver
def test_planetary_train(solver):
    """The ring is held: ω_c = ω_s z_s/(z_s + z_r), ω_p = ω_c (1 − z_r/z_p). Gears between joints of the carrier, which turns itself."""
    z_s, z_p, z_r, R, mass = 20, 15, 50, 0.2, 0.3
    I_s, I_c, I_p = 2e-3, 5e-3, 1e-3
    m = bl.Mechanism(gravity=(0, 0), plane="xy")
    m.add_body("sun", bl.rigid(1.0, (0, 0), I_s))
    m.add_body("carrier", bl.rigid(1.0, (0, 0), I_c))
    m.add_body("planet", bl.rigid(mass, (0, 0), I_p), position=(R, 0))
    m.add_joint("centre", bl.Pin(), m.ground, "carrier", at=(0, 0))
    m.add_joint("sun shaft", bl.Pin(), "carrier", "sun", at=(0, 0))
    m.add_joint("planet shaft", bl.Pin(), "carrier", "planet", at=(R, 0))
    m.add_joint("inner teeth", bl.Gear(ratio=-z_s / z_p), "sun shaft", "planet shaft")
    m.add_joint("outer teeth", bl.Gear(ratio=-z_r / z_p), "centre", "planet shaft")
    m.add_force("drive", bl.Torque(torque=TORQUE), "sun")
    run = m.simulate(0.5, solver, samples=11)
    c = z_s / (z_s + z_r)
    p = c * (1 - z_r / z_p)
    alpha = TORQUE / (I_s + (I_c + mass * R**2) * c**2 + I_p * p**2)
    tolerance = 1e-9 if isinstance(solver, bl.Central | bl.Recursive) else 1e-4
    for name, ratio in (("sun", 1.0), ("carrier", c), ("planet", p)):
        np.testing.assert_allclose(run[name].angle, 0.5 * ratio * alpha * run.time**2, atol=tolerance * 100)
        np.testing.assert_allclose(run[name].angular_velocity, ratio * alpha * run.time, atol=tolerance * 100)
    assert m.report().degrees_of_freedom == 1
    assert run["centre"].angle[-1] > 5.0
    # the carrier is on both sides of the inner teeth: what they do to all three adds up to nothing
    on = {name: run["inner teeth"].moment(on=name) for name in ("sun", "planet", "carrier")}
    np.testing.assert_allclose(sum(on.values()), 0.0, atol=1e-9)
    np.testing.assert_allclose(on["sun"] / on["planet"], z_s / z_p, rtol=1e-9)


# -- against equations of motion in coordinates of their own

ARM, LEFT, RIGHT, RATIO = 0.7, (0.35, 0.15), (0.6, -0.2), -0.6  # length; places on the arm; ratio
MASSES, OWN, LENGTH = (1.0, 0.5, 0.8), (0.05, 0.01, 0.02), 0.25
START = (0.3, 0.4, 0.5, 2.0)  # φ, θ, and their rates; θ starts at 0.4 for the right one as well


def swinging(joint=None):
    """An arm on the ground; two heavy fingers on the arm, the second of which turns RATIO times as fast as the first, against it."""
    m = bl.Mechanism(plane="xy", gravity=(0, -9.81))
    phi, theta, dphi, dtheta = START

    def turned(angle, v):
        c, s = math.cos(angle), math.sin(angle)
        return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])

    m.add_body("arm", bl.rigid(MASSES[0], (ARM / 2, 0), OWN[0]), orientation=phi, angular_velocity=dphi)
    m.add_joint("shoulder", bl.Pin(), m.ground, "arm", at=(0, 0))
    for name, place, mass, own, rate in zip(("left", "right"), (LEFT, RIGHT), MASSES[1:], OWN[1:], (dtheta, RATIO * dtheta)):
        at = turned(phi, place)
        speed = dphi * np.array([-at[1], at[0]])
        body = bl.rigid(mass, (LENGTH, 0), own)
        m.add_body(name, body, position=at, orientation=phi + theta, velocity=speed, angular_velocity=dphi + rate)
        m.add_joint(f"{name} hinge", bl.Pin(), "arm", name, at_a=place, at_b=(0, 0), axes_a=0.0, axes_b=0.0)
    m.add_joint("gear", joint or bl.Gear(ratio=RATIO), "left hinge", "right hinge")
    return m


def exact(time):
    """φ and θ of the left finger at these times: Lagrange's equations of the two coordinates, written as Σ Jᵀ(m J q̈ + m J̇ q̇ − m g)."""

    def rates(t, y):
        q, v = y[:2], y[2:]
        M, f = np.zeros((2, 2)), np.zeros(2)

        def add(mass, inertia, arm, own, k):
            """A body at ``arm`` of the arm whose centre is at ``own`` from there, at the angle φ + k θ + that at the start."""
            beta = q[0] + k * q[1] + (1 - k) * START[1] * (k != 0)
            c, s, a, b = math.cos(q[0]), math.sin(q[0]), math.cos(beta), math.sin(beta)
            x = np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])
            y = own * np.array([a, b])
            w = v[0] + k * v[1]
            J = np.array([[-x[1] - y[1], -k * y[1]], [x[0] + y[0], k * y[0]]])
            bias = -(v[0] ** 2) * x - w**2 * y
            turn = np.array([1.0, k])
            M[:] += mass * J.T @ J + inertia * np.outer(turn, turn)
            f[:] += J.T @ (mass * np.array([0, -9.81]) - mass * bias)

        add(MASSES[0], OWN[0], (0.0, 0.0), ARM / 2, 0.0)
        add(MASSES[1], OWN[1], LEFT, LENGTH, 1.0)
        add(MASSES[2], OWN[2], RIGHT, LENGTH, RATIO)
        return np.concatenate([v, np.linalg.solve(M, f)])

    found = solve_ivp(rates, (0.0, time[-1]), START, method="DOP853", t_eval=time, rtol=1e-12, atol=1e-12)
    return found.y[:2]


def error(solver, duration=1.0):
    run = swinging().simulate(duration, solver, samples=11)
    phi, theta = exact(run.time)
    hinge = run["left hinge"].angle
    return max(np.abs(run["arm"].angle - phi).max(), np.abs(hinge - theta).max())


def test_a_moving_carrier():
    assert error(bl.Central(rtol=1e-10, atol=1e-12)) < 1e-7
    assert error(bl.Recursive(rtol=1e-10, atol=1e-12)) < 1e-7


@pytest.mark.parametrize("formulation", ["projected", "baumgarte", "augmented"])
def test_rk4_keeps_its_order(formulation):
    coarse, fine = (error(bl.Central(formulation, integrator="rk4", step=step, **stabilised(formulation))) for step in (1e-2, 5e-3))
    assert math.log2(coarse / fine) > 3.6


@pytest.mark.parametrize("solver", ["index3", "modular", "recursive"])
def test_other_orders(solver):
    make = {
        "index3": lambda step: bl.Central("index3", integrator="generalized-alpha", step=step),
        "modular": lambda step: bl.Modular(step=step),
        "recursive": lambda step: bl.Recursive("rk4", step=step),
    }[solver]
    coarse, fine = (error(make(step)) for step in (4e-3, 2e-3))
    assert math.log2(coarse / fine) > (3.6 if solver == "recursive" else 1.8)


def test_explicit_joints_hold_it_as_dampers_do():
    slow, fast = (error(bl.Modular("explicit", step=step), 0.3) for step in (1e-3, 5e-4))
    assert fast < 0.6 * slow < 0.05


# -- joints of other kinds, and bodies that float


def screw():
    """A nut on a screw, and a sleeve that turns and slides on a shaft, which the nut turns."""
    m = bl.Mechanism(gravity=(0, 0, -9.81))
    for name, x in (("nut", 0.0), ("sleeve", 0.5)):
        m.add_body(name, bl.rigid(0.4, (0, 0, 0), (3e-4,) * 3), position=(x, 0, 0))
    m.add_joint("thread", bl.Helical(axis="z", pitch=0.05), m.ground, "nut", at=(0, 0, 0))
    m.add_joint("shaft", bl.Cylindrical(axis="z"), m.ground, "sleeve", at=(0.5, 0, 0))
    m.add_joint("belt", bl.Gear(ratio=2.0), "thread", "shaft")
    return m


@every_solver
def test_screws_and_sleeves_turn(solver):
    """The sleeve falls freely, and is turned by the nut, which is heavier by that."""
    run = screw().simulate(0.3, solver, samples=11)
    lead = 0.05 / (2 * math.pi)
    fall = 9.81 * 0.4 / (0.4 + (3e-4 + 4 * 3e-4) / lead**2)
    np.testing.assert_allclose(run["sleeve"].position[:, 2], -0.5 * 9.81 * run.time**2, atol=1e-6)
    np.testing.assert_allclose(run["nut"].position[:, 2], -0.5 * fall * run.time**2, atol=1e-6)
    np.testing.assert_allclose(run["shaft"].angle, 2 * run["thread"].angle, atol=1e-5)


def test_what_floats_keeps_its_momentum():
    """Nothing outside bears the teeth: linear and angular momentum stay."""
    m = bl.Mechanism(gravity=(0, 0, 0))
    for name, place, spin in (("a", (0, 0, 0), (1, 0.5, -0.7)), ("b", (1, 0, 0.2), (0, 0.3, 0)), ("c", (0, 1, 0.3), (0.4, 0, 0.8))):
        m.add_body(name, bl.box((0.5, 0.4, 0.3), mass=1.0), position=place, angular_velocity=spin)
    m.add_joint("hinge", bl.Revolute(axis=(1, 1, 0)), "a", "b", at=(0.5, 0, 0))
    m.add_joint("slide", bl.Prismatic(axis=(0, 1, 1)), "a", "c", at=(0, 0.5, 0))
    m.add_joint("gear", bl.Gear(ratio=0.3), "hinge", "slide")
    run = m.simulate(2.0, bl.Central(rtol=1e-11, atol=1e-12), samples=11)
    total = 0.0
    for name, body in m.bodies.items():
        inertia = body.shape.mass_properties().inertia
        R, spin, x, v = run[name].rotation, run[name].angular_velocity, run[name].centre.position, run[name].centre.velocity
        own = np.einsum("nij,jk,nlk,nl->ni", R, inertia, R, spin)
        total = total + np.concatenate([v, np.cross(x, v) + own], axis=1)
    np.testing.assert_allclose(total, total[:1].repeat(len(total), axis=0), atol=1e-8)
    assert np.abs(run["slide"].displacement[:, 2] - 0.3 * run["hinge"].angle).max() < 1e-8
    assert np.abs(run.energy.error).max() < 1e-8


def test_the_recursive_model_lists_it_among_its_loops():
    model = swinging().recursive()
    assert model.loops == ["gear"]
    q, v = model.described()
    a, _ = model.forward_dynamics_constrained(q, v, np.zeros(model.nv))
    rates = [float(a[model.coordinates(f"{side} hinge")[1]][0]) for side in ("left", "right")]
    assert rates[1] == pytest.approx(RATIO * rates[0], rel=1e-10)


# -- reading


def test_what_it_says_of_itself():
    m = discs(-0.5)
    assert "gear (gear, axle one → axle two)" in repr(m)
    report = m.report()
    assert (report.degrees_of_freedom, report.nonholonomic, report.loops, report.floating) == (1, 1, 0, [])
    run = m.simulate(0.1, samples=5)
    for quantity in ("angle", "displacement"):
        with pytest.raises(DescriptionError, match="joint 'gear' couples the joints 'axle one' and 'axle two' and has no angle"):
            getattr(run["gear"], quantity)
    with pytest.raises(DescriptionError, match="'gear' acts on ground and one and two, not on 'three'"):
        run["gear"].moment(on="three")
    assert "gear.moment" in run.table().columns
    assert [joint.name for joint in animation.scene(run).joints] == ["axle one", "axle two"]


def test_its_reaction_can_be_watched():
    m = discs(-0.5)
    run = m.simulate(0.1, samples=5)
    model, state = compile_mechanism(m, {"w": ReactionWatch(joint="gear", moment=True, threshold=0.1)})
    with pytest.raises(DescriptionError, match="watch 'w': joint 'gear' couples joints and has no angle. Watch 'axle one' or 'axle two'"):
        compile_mechanism(m, {"w": JointAngleWatch(joint="gear")})
    w = Workspace(model, state)
    w.accelerate()
    model.watches["w"].kernel(w.address, 0, 1)
    assert w.watch_value[0] == pytest.approx(abs(run["gear"].moment()[0]) - 0.1, rel=1e-10)


# -- files and names


def test_files(tmp_path):
    m = swinging()
    m.save(tmp_path / "gear.yaml")
    assert bl.load(tmp_path / "gear.yaml") == m
    data = m.to_dict()
    assert data["joints"]["gear"] == {"type": "gear", "ratio": RATIO, "a": "left hinge", "b": "right hinge"}
    data["joints"] = dict(reversed(data["joints"].items()))  # it may stand before what it couples
    again = bl.Mechanism.from_dict(data)
    assert [*again.joints] == [*data["joints"]]
    assert again == m
    described = next(d for d in files.schema()["$defs"].values() if d.get("properties", {}).get("type", {}).get("enum") == ["gear"])
    assert [*described["properties"]] == ["type", "ratio", "a", "b"]


def test_names_and_removal():
    m = swinging()
    m.rename("left hinge", "index")
    assert m.joints["gear"].through == ("index", "right hinge")
    with pytest.raises(DescriptionError, match="'index' cannot be removed: joint 'gear' still depends on it. Remove it first."):
        m.remove("index")
    m.remove("gear")
    m.remove("index")


REFUSED = {
    "nobody": (
        lambda m: m.add_joint("g", bl.Gear(ratio=1.0), "left hinge", "rigt hinge"),
        "joint 'g': there is no joint named 'rigt hinge'",
    ),
    "a body": (lambda m: m.add_joint("g", bl.Gear(ratio=1.0), "left hinge", "right"), "joint 'g': there is no joint named 'right'"),
    "twice": (
        lambda m: m.add_joint("g", bl.Gear(ratio=1.0), "left hinge", "left hinge"),
        "joint 'g': it must couple two joints, got 'left hinge' twice. Give two different joints.",
    ),
    "a weld": (
        lambda m: m.add_joint("g", bl.Gear(ratio=1.0), "left hinge", m.add_joint("weld", bl.Rigid(), "arm", m.ground, at=(0, 0))),
        "joint 'g': it couples joints that turn about one axis, or slide along one, but 'weld' is Rigid. Name another, or make it Pin or",
    ),
    "a gear": (lambda m: m.add_joint("g", bl.Gear(ratio=1.0), "left hinge", "gear"), "but 'gear' is Gear. Name another"),
    "nothing": (
        lambda m: m.add_joint("g", bl.Gear(ratio=0.0), "left hinge", "shoulder"),
        "joint 'g': the ratio must not be zero, got 0.0. To hold a joint still use Rigid or Fixed in its place.",
    ),
    "no number": (
        lambda m: m.add_joint("g", bl.Gear(ratio=math.nan), "left hinge", "shoulder"),
        "joint 'g': the ratio must be finite, got nan",
    ),
    "a word": (lambda m: m.add_joint("g", bl.Gear(ratio="two"), "left hinge", "shoulder"), "joint 'g': the ratio must be a"),
    "a place": (
        lambda m: m.add_joint("g", bl.Gear(ratio=1.0), "left hinge", "shoulder", at=(0, 0)),
        "joint 'g': it couples joints 'left hinge' and 'shoulder', which say where. Leave out the places and the axes.",
    ),
    "a force": (
        lambda m: m.add_force("f", bl.TorsionSpring(stiffness=1.0), joint="gear"),
        "force 'f': joint 'gear' couples the joints 'left hinge' and 'right hinge', and nothing acts in it. Give one of these.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    m = swinging()
    wrong, said = REFUSED[case]
    with pytest.raises(bl.errors.BielleError) as refused:
        wrong(m)
    assert said in str(refused.value)
    assert "g" not in m.joints
    assert "f" not in m.forces


def test_a_file_that_gears_what_cannot_be():
    data = swinging().to_dict()
    data["joints"]["gear"]["b"] = "left"
    with pytest.raises(FileError, match="joint 'gear': there is no joint named 'left'"):
        bl.Mechanism.from_dict(data)


# -- while it runs


def ratio_now(live):
    arm, left, right = (float(live[name].angular_velocity) for name in ("arm", "left", "right"))
    return (right - arm) / (left - arm)


@pytest.mark.parametrize("solver", [bl.Central(), bl.Recursive(), bl.Modular()], ids=["central", "recursive", "modular"])
def test_it_comes_and_goes_while_it_runs(solver):
    live = swinging().live(solver)
    live.advance(0.1)
    assert ratio_now(live) == pytest.approx(RATIO, abs=1e-6)
    live.remove("gear")
    before = live["right"].angle
    live.advance(0.1)
    assert abs(ratio_now(live) - RATIO) > 0.05
    live.undo()
    assert live["right"].angle == before
    live.advance(0.1)
    assert ratio_now(live) == pytest.approx(RATIO, abs=1e-6)
    live.set("gear", ratio=0.5)  # gently
    live.settle()
    live.advance(0.05)
    assert ratio_now(live) == pytest.approx(0.5, abs=1e-6)
    live.remove("gear")
    live.push("right", moment=0.2)
    live.add_joint("gear", bl.Gear(ratio=2.0), "left hinge", "right hinge", joining="impulse")
    assert ratio_now(live) == pytest.approx(2.0, abs=1e-9)
    assert np.abs(live.result().energy.error).max() < (1e-4 if isinstance(solver, bl.Modular) else 1e-7)


def test_edits_of_what_it_couples():
    live = swinging().live()
    live.advance(0.05)
    with pytest.raises(DescriptionError, match="'left hinge' cannot be removed: joint 'gear' still depends on it"):
        live.remove("left hinge")
    with pytest.raises(DescriptionError, match="joint 'gear': it couples joints that turn .* but 'left hinge' is PinInSlot"):
        live.replace("left hinge", bl.PinInSlot())
    with pytest.raises(DescriptionError, match="lock 'gear': it couples joints, and holds no bodies. Lock 'left hinge' or 'right hinge'"):
        live.lock("gear")
    for kind in (bl.Rigid(), bl.Pin()):
        with pytest.raises(bl.errors.BielleError, match="'left hinge' is a joint, and no body or frame"):
            live.replace("gear", kind)
    live.replace("left", coordinates="bar")  # its rows are made anew
    live.advance(0.05)
    assert ratio_now(live) == pytest.approx(RATIO, abs=1e-8)
    live.lock("left hinge", joining="impulse")  # which stops the other as well
    live.advance(0.02)
    assert live["right"].angular_velocity == pytest.approx(live["arm"].angular_velocity, abs=1e-8)
    live.unlock("left hinge")
    live.replace("right hinge", bl.Slider(direction="x"), joining="impulse")  # from now on it slides
    live.settle()
    live.advance(0.02)
    assert live.mechanism.joints["gear"].through == ("left hinge", "right hinge")
    assert live["right"].angular_velocity == pytest.approx(live["arm"].angular_velocity, abs=1e-8)
    model, _ = compile_mechanism(live.mechanism)
    np.testing.assert_array_equal(model.arrays["param"], live.model.arrays["param"])
    live.remove("left hinge", dependants=True)
    assert "gear" not in live.mechanism.joints
    live.undo()
    live.free("left")
    assert "gear" not in live.mechanism.joints
    live.advance(0.05)
    live.undo()
    live.breaks("right hinge", force=1e-3)
    live.advance(0.01)
    assert {"gear", "right hinge"}.isdisjoint(live.mechanism.joints)


def test_a_session_is_saved_and_replayed(tmp_path):
    live = swinging().live()
    live.advance(0.05)
    live.remove("gear")
    live.advance(0.05)
    live.add_joint("belt", bl.Gear(ratio=1.5), "left hinge", "right hinge", over=0.02)
    live.advance(0.1)
    live.save(tmp_path / "session.bielle")
    again = bl.load_session(tmp_path / "session.bielle")
    live.advance(0.05)
    again.advance(0.05)
    assert again["right"].angle == live["right"].angle
