"""Rolling without slipping against closed forms: straight down an incline, in a circle at constant tilt, on a turntable, on a cart."""

import math

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError

G = 9.81
MASS, RADIUS = 2.0, 0.3
AXIAL = 0.5 * MASS * RADIUS**2
ACROSS = 0.25 * MASS * RADIUS**2 + MASS * 0.1**2 / 12  # a disc 0.1 m thick
INCLINE = 0.3  # [rad]
TILT = math.radians(70)  # of the axis of a disc from the vertical
DOWN = G * math.sin(INCLINE) / (1 + AXIAL / (MASS * RADIUS**2))  # acceleration of a disc that rolls straight down


def stabilised(formulation):
    """A slow stabilisation, where there is one: ω h must be small for the method to be in its asymptotic range."""
    return {} if formulation in ("projected", "index3") else {"omega": 10.0}


def allowed(run):
    """Relative error of the energy: the tolerance of a step, twice because it is quadratic in velocities, for every step."""
    return 2e-9 * run.info["statistics"]["steps"]


def planar_incline(coordinates="planar"):
    """A wheel at rest on an incline; x runs down the line, y is its normal."""
    m = bl.Mechanism(plane="xy", gravity=(G * math.sin(INCLINE), -G * math.cos(INCLINE)))
    m.add_body("wheel", bl.rigid(MASS, (0, 0), AXIAL), position=(0, RADIUS), coordinates=coordinates)
    m.add_joint("contact", bl.RollingWheel(radius=RADIUS), m.ground, "wheel", at_a=(0, 0), at_b=(0, 0))
    return m


def spatial_incline(coordinates="spatial"):
    """An upright disc at rest on an inclined plane; x runs down, z is the normal."""
    m = bl.Mechanism(gravity=(G * math.sin(INCLINE), 0, -G * math.cos(INCLINE)))
    m.add_body("wheel", bl.rigid(MASS, (0, 0, 0), (ACROSS, AXIAL, ACROSS)), position=(0, 0, RADIUS), coordinates=coordinates)
    m.add_joint("contact", bl.RollingDisc(radius=RADIUS), m.ground, "wheel", at_a=(0, 0, 0), at_b=(0, 0, 0))
    return m


@pytest.mark.parametrize("coordinates", ["planar", "bar"])
def test_wheel_rolls_down_a_line(coordinates):
    """x = ½ a t², θ = −x/R, a = g sin α/(1 + I/(mR²)); friction −I a/R² and the normal force m g cos α."""
    run = planar_incline(coordinates).simulate(3.0)
    x = 0.5 * DOWN * run.time**2
    np.testing.assert_allclose(run["wheel"].position, np.column_stack([x, np.full_like(x, RADIUS)]), atol=1e-8)
    np.testing.assert_allclose(run["contact"].angle, -x / RADIUS, atol=1e-7)
    expected = MASS * G * math.cos(INCLINE), -AXIAL * DOWN / RADIUS**2
    np.testing.assert_allclose(run["contact"].multipliers, np.broadcast_to(expected, (len(x), 2)), atol=1e-8)
    np.testing.assert_allclose(run["contact"].force()[0], expected[::-1], atol=1e-9)  # along x is the friction
    assert run.violation.max() < 1e-12
    assert run.velocity_violation.max() < 1e-9
    assert np.abs(run.energy.error).max() < allowed(run)


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
def test_disc_rolls_straight_down_a_plane(coordinates):
    run = spatial_incline(coordinates).simulate(3.0)
    x = 0.5 * DOWN * run.time**2
    np.testing.assert_allclose(run["wheel"].position, np.column_stack([x, 0 * x, 0 * x + RADIUS]), atol=1e-8)
    np.testing.assert_allclose(run["wheel"].angular_velocity[:, 1], DOWN * run.time / RADIUS, atol=1e-7)
    np.testing.assert_allclose(run["contact"].force()[-1], (-AXIAL * DOWN / RADIUS**2, 0, MASS * G * math.cos(INCLINE)), atol=1e-7)
    assert run.velocity_violation.max() < 1e-9
    assert np.abs(run.energy.error).max() < allowed(run)


def circling(circle=1.5, tilt=TILT, table=0.0, coordinates="spatial"):
    """A disc in steady circular rolling, and its rate of precession Ω.

    Let z be the vertical, r̂ the horizontal unit vector from the axis of the circle (radius ρ) to the centre of the disc, φ̂ = z × r̂. The
    axis of the disc is e = sin β r̂ + cos β z, the direction up the disc u = sin β z − cos β r̂, and the arm from the centre to the
    contact −R u. The steady motion has ω = Ω sin β u + ω_e e (all of it turns with Ω about z), and the centre moves at Ω ρ φ̂.
    No slip on a table that turns at T:  Ω ρ φ̂ − ω × R u = T (ρ + R cos β) φ̂  gives  ω_e = (T (ρ + R cos β) − Ω ρ)/R.
    Contact force: m g z − m Ω² ρ r̂. Its moment about the centre is (−m g R cos β + m Ω² ρ R sin β) φ̂ and equals the rate of the angular
    momentum A Ω sin β u + C ω_e e, which is Ω z × (…) = Ω sin β (C ω_e − A Ω cos β) φ̂. So

        Ω² sin β (A cos β + m R ρ) − Ω C ω_e sin β = m g R cos β,

    a quadratic equation for Ω. On a plane at rest (T = 0): Ω² = m g R cos β/(sin β (A cos β + (C + m R²) ρ/R)).
    """
    s, c = math.sin(tilt), math.cos(tilt)
    square = s * (ACROSS * c + MASS * RADIUS * circle + AXIAL * circle / RADIUS)
    linear = -AXIAL * s * table * (circle + RADIUS * c) / RADIUS
    rate = (-linear + math.sqrt(linear**2 + 4 * square * MASS * G * RADIUS * c)) / (2 * square)
    about_axis = (table * (circle + RADIUS * c) - rate * circle) / RADIUS
    axis = np.array([s, 0.0, c])
    m = bl.Mechanism()
    m.add_body(
        "disc",
        bl.rigid(MASS, (0, 0, 0), (ACROSS, ACROSS, AXIAL)),
        position=(circle, 0, RADIUS * s),
        orientation=bl.rotation("y", tilt),
        velocity=(0, rate * circle, 0),
        angular_velocity=rate * s * np.array([-c, 0.0, s]) + about_axis * axis,
        coordinates=coordinates,
    )
    place = m.ground
    if table:
        m.add_body("table", bl.box((4, 4, 0.1), mass=10.0), coordinates=coordinates)
        m.add_joint("bearing", bl.Revolute(), m.ground, "table", at=(0, 0, 0))
        m.add_joint("motor", bl.ImposedRotation(angle=bl.Polynomial(coefficients=(0, table))), m.ground, "table", at=(0, 0, 0))
        place = "table"
    m.add_joint("contact", bl.RollingDisc(radius=RADIUS, axis=tuple(axis)), place, "disc", at_a=(0, 0, 0), at_b=(0, 0, 0))
    return m, rate


def on_circle(run, rate, circle=1.5, tilt=TILT):
    """Largest distance of the centre from where it should be."""
    expected = [circle * np.cos(rate * run.time), circle * np.sin(rate * run.time), np.full(len(run), RADIUS * math.sin(tilt))]
    return np.abs(run["disc"].position - np.column_stack(expected)).max()


@pytest.mark.parametrize("coordinates", ["spatial", "natural"])
@pytest.mark.parametrize("table", [0.0, -0.5])
def test_steady_circular_rolling(coordinates, table):
    m, rate = circling(table=table, coordinates=coordinates)
    assert m.report().degrees_of_freedom == 3
    run = m.simulate(5.0)
    assert run.info["assembly"].gap < 1e-12
    assert on_circle(run, rate) < 1e-8  # measured: 5e-10, for a circumference of 9 m
    force = run["contact"].force()
    radial = run["disc"].position[:, :2] / 1.5
    np.testing.assert_allclose(force[:, 2], MASS * G, atol=1e-7)
    np.testing.assert_allclose(force[:, :2], -MASS * rate**2 * 1.5 * radial, atol=1e-7)
    assert run.violation.max() < 1e-12
    assert run.velocity_violation.max() < 1e-9
    assert np.abs(run.energy.error).max() < 1e-9


@pytest.mark.parametrize(
    ("integrator", "formulation", "order"),
    [
        ("rk4", "projected", 4),
        ("rk4", "baumgarte", 4),
        ("newmark", "index3", 2),
        ("newmark", "augmented", 2),
        ("hht", "index3", 2),
        ("generalized-alpha", "index3", 2),
    ],
)
def test_orders_in_circular_rolling(integrator, formulation, order):
    m, rate = circling()
    errors = []
    for step in (4e-3, 2e-3):
        run = m.simulate(1.0, bl.Central(formulation, integrator=integrator, step=step, **stabilised(formulation)))
        errors.append(on_circle(run, rate))
    assert math.log2(errors[0] / errors[1]) > 0.9 * order
    if formulation in ("projected", "index3"):
        assert run.violation.max() < 1e-9
        assert run.velocity_violation.max() < 1e-9


def test_wheel_on_a_cart():
    """A cart is moved by s(t) = ½ A t²; the free wheel on it lags behind: a = A I/(I + m R²), friction m a, work of the drive = energy."""
    acceleration, cart = 2.0, 5.0
    m = bl.Mechanism(plane="xy")
    m.add_body("cart", bl.box((2.0, 0.1), mass=cart))
    m.add_body("wheel", bl.rigid(MASS, (0, 0), AXIAL), position=(0, RADIUS))
    m.add_joint("rail", bl.Slider(), m.ground, "cart", at=(0, 0))
    pull = bl.ImposedTranslation(displacement=bl.Polynomial(coefficients=(0, 0, 0.5 * acceleration)))
    m.add_joint("pull", pull, m.ground, "cart", at=(0, 0))
    m.add_joint("contact", bl.RollingWheel(radius=RADIUS), "cart", "wheel", at_a=(0, 0), at_b=(0, 0))
    run = m.simulate(2.0)
    lag = acceleration * AXIAL / (AXIAL + MASS * RADIUS**2)
    np.testing.assert_allclose(run["wheel"].position[:, 0], 0.5 * lag * run.time**2, atol=1e-8)
    np.testing.assert_allclose(run["contact"].multipliers[:, 1], MASS * lag, atol=1e-8)
    np.testing.assert_allclose(run["pull"].multipliers[:, 0], cart * acceleration + MASS * lag, atol=1e-8)
    assert np.abs(run.energy.error).max() < 1e-9
    np.testing.assert_allclose(run.energy.drives[-1], run.energy.mechanical[-1] - run.energy.mechanical[0], rtol=1e-9)


def test_assembly_puts_the_disc_on_the_plane_and_makes_it_roll():
    """Described above the plane and sliding: it comes down, and what was not given (the spin) yields to what was (the velocity)."""
    m = bl.Mechanism()
    shape = bl.rigid(MASS, (0, 0, 0), (ACROSS, AXIAL, ACROSS))
    m.add_body("wheel", shape, position=(0.7, 0.2, RADIUS + 0.1), velocity=(1.5, 0, 0))
    m.add_joint("contact", bl.RollingDisc(radius=RADIUS), m.ground, "wheel", at_a=(0, 0, 0), at_b=(0, 0, 0))
    run = m.simulate(1.0)
    np.testing.assert_allclose(run["wheel"].position[0], (0.7, 0.2, RADIUS), atol=1e-12)  # straight down: it slips freely in the assembly
    np.testing.assert_allclose(run["wheel"].velocity[0], (1.5, 0, 0), atol=1e-9)
    np.testing.assert_allclose(run["wheel"].angular_velocity[0], (0, 1.5 / RADIUS, 0), atol=1e-9)
    np.testing.assert_allclose(run["wheel"].position[-1], (2.2, 0.2, RADIUS), atol=1e-9)


def test_report_counts_positions_and_velocities():
    report = spatial_incline().report()
    assert (report.degrees_of_freedom, report.nonholonomic, report.equations, report.rank) == (3, 2, 3, 3)
    assert "2 of the equations bind velocities only (non-holonomic): positions have 5 degrees of freedom" in str(report)
    m = planar_incline()
    assert "1 of the equations binds velocities only (non-holonomic): positions have 2 degrees of freedom" in str(m.report())
    m.remove("contact")
    assert m.report().nonholonomic == 0
    assert "non-holonomic" not in str(m.report())


def test_a_guide_that_repeats_the_no_slip_condition_is_harmless():
    """An upright disc between two glass plates: that it does not slip sideways is said twice, once of positions and once of velocities."""
    m = spatial_incline()
    for i, (x, z) in enumerate([(0.2, 0.0), (-0.1, 0.2), (-0.1, -0.2)]):
        m.add_joint(f"glass {i}", bl.PointOnPlane(axis="y"), m.ground, "wheel", at=(x, 0, RADIUS + z))
    report = m.report()
    assert (report.equations, report.rank, report.nonholonomic) == (6, 5, 1)
    for solver in (bl.Central(), bl.Central(integrator="generalized-alpha", step=1e-3)):
        run = m.simulate(1.0, solver)
        np.testing.assert_allclose(run["wheel"].position[-1], (0.5 * DOWN, 0, RADIUS), atol=2e-6)
        assert run.violation.max() < 1e-9
        assert run.velocity_violation.max() < 1e-9


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (bl.RollingDisc(radius=0.0), r"joint 'contact': the radius must be positive, got 0\.0\. Give a number > 0"),
        (bl.RollingDisc(radius=-1.0), r"joint 'contact': the radius must be positive, got -1\.0"),
        (bl.RollingDisc(radius="big"), r"joint 'contact': the radius must be a number, got 'big'"),
        (bl.RollingDisc(radius=math.nan), r"joint 'contact': the radius must be finite"),
        (bl.RollingDisc(radius=0.3, axis=(0, 0, 0)), r"joint 'contact': the axis must not be the zero vector, got \(0, 0, 0\)\. Give"),
        (bl.RollingDisc(radius=0.3, axis="w"), r"joint 'contact': the axis must be one of x, y, z"),
        (bl.RollingDisc(radius=0.3, normal=(0, 0, 0)), r"joint 'contact': the normal must not be the zero vector"),
        (bl.RollingDisc(radius=0.3, axis="z"), r"joint 'contact': the disc lies flat .* must not be parallel, got .*Turn the body"),
        (bl.RollingWheel(radius=0.3), r"joint 'contact': RollingWheel is for planar mechanisms"),
    ],
)
def test_what_is_no_rolling_disc(kind, message):
    m = bl.Mechanism()
    m.add_body("wheel", bl.sphere(0.3, mass=1.0))
    with pytest.raises(DescriptionError, match=message):
        m.add_joint("contact", kind, m.ground, "wheel", at_a=(0, 0, 0), at_b=(0, 0, 0))
        m.simulate(1.0)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (bl.RollingWheel(radius=0.0), r"joint 'contact': the radius must be positive, got 0\.0"),
        (bl.RollingWheel(radius=0.3, direction=(0.0, 0.0)), r"joint 'contact': the direction must not be the zero vector"),
        (bl.RollingWheel(radius=0.3, direction="z"), r"joint 'contact': the direction must be 'x', 'y'"),
        (bl.RollingDisc(radius=0.3), r"joint 'contact': RollingDisc is for spatial mechanisms"),
    ],
)
def test_what_is_no_rolling_wheel(kind, message):
    m = bl.Mechanism(plane="xy")
    m.add_body("wheel", bl.rigid(1.0, (0, 0), 0.1))
    with pytest.raises(DescriptionError, match=message):
        m.add_joint("contact", kind, m.ground, "wheel", at_a=(0, 0), at_b=(0, 0))


def test_a_disc_needs_its_two_points():
    m = bl.Mechanism(plane="xy")
    m.add_body("wheel", bl.rigid(1.0, (0, 0), 0.1))
    with pytest.raises(DescriptionError, match=r"joint 'contact': say where it is on 'ground': at=.*at_a="):
        m.add_joint("contact", bl.RollingWheel(radius=0.3), m.ground, "wheel", at_b=(0, 0))


def test_whether_a_disc_lies_flat_is_asked_where_it_is_now():
    """In a running mechanism, not where it was described."""
    m = bl.Mechanism(gravity=(0, 0, 0))
    m.add_body("wheel", bl.sphere(0.3, mass=1.0), position=(0, 0, 0.3))
    upright, flat = bl.rotation("x", math.pi / 2), (1.0, 0.0, 0.0, 0.0)
    live = m.live()
    places = {"at_a": (0, 0, 0), "at_b": (0, 0, 0), "axes_a": flat, "axes_b": flat}
    with pytest.raises(DescriptionError, match=r"joint 'contact': the disc lies flat .* where the joint is made"):
        live.add_joint("contact", bl.RollingDisc(radius=0.3, axis="z"), "ground", "wheel", **places)
    live.teleport("wheel", orientation=upright)
    live.add_joint("contact", bl.RollingDisc(radius=0.3, axis="z"), "ground", "wheel", **places)
    assert live.last_edit[0].joining == "fits"
