import json
import math
import pickle

import msgspec
import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bielle.errors import DescriptionError
from bielle.mechanism import mass as formulas
from bielle.mechanism.shapes import (
    Compound,
    Explicit,
    MassProperties,
    Part,
    Rod,
    Shape,
    box,
    capsule,
    compound,
    cylinder,
    disc,
    extruded,
    plate,
    rigid,
    rod,
    sphere,
    validate_mass_properties,
)

nan, inf = math.nan, math.inf
A, B = (0, 0, 0), (1, 0, 0)
L_SHAPE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]

EVERY = [
    rod((0, 0, 0), (1, 0.1, 0.2), mass=1.0 / 3.0),
    rod((0, 0), (1, 0.1), density=2, radius=0.05),
    cylinder((0, 0, 0), (0, 0, 2), 0.3, density=7800),
    cylinder((0, 0), (1, 2), 0.3, mass=2),
    capsule((0, 0, 0), (1, 1, 2), 0.3, density=7800),
    capsule((0, 0), (1, 2), 0.3, mass=2),
    box((1, 2, 3), mass=1, centre=(0.1, 0, 0)),
    box((1, 2), density=3),
    plate((1, 2), 0.01, mass=1),
    sphere(0.1, density=1000, centre=(1, 0)),
    sphere(0.1, mass=1),
    disc(0.4, mass=1),
    disc(0.4, density=1000, thickness=0.1, centre=(0, 0, 1)),
    extruded(L_SHAPE, 0.1, density=2700),
    extruded(L_SHAPE, mass=2),
    rigid(1, (0, 0), 2),
    rigid(1, (0, 0, 1), (1, 1.5, 2), points=[(0, 0, 0), (1, 0, 0), (1, 1, 0)]),
    rigid(1, (0, 0, 1), (1, 1.5, 2, 0.1, 0.2, 0.3), radius=0.2),
    rigid(1, (0, 0, 1), np.diag([1, 1.5, 2])),
    compound(rod((0, 0), (1, 0), mass=1), (sphere(0.1, mass=2), (1, 0)), (box((1, 2), mass=1), (0, 1), math.pi / 3)),
    compound((compound(box((1, 2, 3), mass=1), (sphere(1, mass=3), B)), (1, 2, 3), (0.5, 0.5, -0.5, 0.5)), plate((1, 1), 0.1, mass=2)),
]


def kind_of(shape):
    return type(shape).__name__


def inertia(shape):
    return shape.mass_properties().inertia


def close(a, b, rtol=1e-13, atol=1e-13):
    np.testing.assert_allclose(a, b, rtol=rtol, atol=atol)


# ---------------------------------------------------------------- closed forms


def test_rod():
    properties = rod((1, 2, 3), (1, 4, 3), mass=3).mass_properties()
    assert properties.mass == 3.0
    close(properties.centre, [0, 0, 0])
    close(properties.inertia, np.diag([3 * 0.02**2 / 2, 1.0, 1.0]), rtol=1e-15)  # r = L/100
    close(inertia(rod((0, 0, 0), (2, 0, 0), mass=3, radius=0.1)), np.diag([0.015, 1, 1]))


def test_density():
    assert rod((0, 0), (3, 4), density=2).mass_properties().mass == 10.0  # kg/m
    assert rod((0, 0), (3, 4), density=2, radius=0.1).mass_properties().mass == pytest.approx(2.0)  # kg/m²
    assert rod((0, 0, 0), (5, 0, 0), density=2, radius=0.1).mass_properties().mass == pytest.approx(0.1 * math.pi)  # kg/m³
    assert box((2, 3), density=2).mass_properties().mass == 12.0
    assert box((2, 3, 4), density=2).mass_properties().mass == 48.0
    assert plate((2, 3), 0.5, density=2).mass_properties().mass == 6.0
    assert cylinder((0, 0), (2, 0), 0.5, density=3).mass_properties().mass == 6.0
    assert cylinder((0, 0, 0), (2, 0, 0), 0.5, density=3).mass_properties().mass == pytest.approx(1.5 * math.pi)
    assert capsule((0, 0), (2, 0), 0.5, density=3).mass_properties().mass == pytest.approx(6 + 0.75 * math.pi)
    assert capsule((0, 0, 0), (2, 0, 0), 0.5, density=3).mass_properties().mass == pytest.approx((0.5 + 1 / 6) * 3 * math.pi)
    assert sphere(0.5, density=3).mass_properties().mass == pytest.approx(math.pi / 2)
    assert disc(0.5, density=4).mass_properties().mass == pytest.approx(math.pi)
    assert disc(0.5, density=4, thickness=0.5).mass_properties().mass == pytest.approx(math.pi / 2)
    assert extruded(L_SHAPE, 0.5, density=4).mass_properties().mass == pytest.approx(8)
    assert extruded(L_SHAPE, density=4).mass_properties().mass == pytest.approx(16)


def test_simple_solids():
    close(inertia(box((1, 2, 3), mass=12)), np.diag([13, 10, 5]))
    close(inertia(box((1, 2), mass=12)), np.diag([4, 1, 5]))
    close(inertia(plate((1, 2), 3, mass=12)), np.diag([13, 10, 5]))
    close(inertia(sphere(2, mass=5)), 8 * np.eye(3))
    close(inertia(cylinder((0, 0, 0), (0, 0, 3), 2, mass=12)), np.diag([24, 21, 21]))
    close(inertia(cylinder((0, 0), (3, 0), 2, mass=12)), np.diag([16, 9, 25]))
    close(inertia(disc(2, mass=12)), np.diag([12, 12, 24]))
    close(inertia(disc(2, mass=12, thickness=3)), np.diag([21, 21, 24]))
    close(box((1, 2), mass=12, centre=(3, 4)).mass_properties().centre, [3, 4, 0])
    close(sphere(1, mass=12, centre=(3, 4, 5)).mass_properties().centre, [3, 4, 5])


def test_explicit_forms():
    matrix = np.array([[1, 0.1, 0.2], [0.1, 1.5, 0.3], [0.2, 0.3, 2]])
    close(inertia(rigid(1, (0, 0, 0), (1, 1.5, 2, 0.1, 0.2, 0.3))), matrix)
    close(inertia(rigid(1, (0, 0, 0), matrix)), matrix)
    close(inertia(rigid(1, (0, 0, 0), (1, 1.5, 2))), np.diag([1, 1.5, 2]))
    close(inertia(rigid(1, (0, 0), 2)), np.diag([1, 1, 2]))
    nearly = matrix.copy()
    nearly[0, 1] += 1e-10  # within the tolerance, and symmetric afterwards
    close(inertia(rigid(1, (0, 0, 0), nearly)), inertia(rigid(1, (0, 0, 0), nearly)).T, atol=0)


# ---------------------------------------------------------------- against quadrature and brute force


def gauss(f, a, b):
    """Integral of f over [a, b]; 20 Gauss points are exact for polynomials up to degree 39."""
    x, w = np.polynomial.legendre.leggauss(20)
    return float((w * f(0.5 * (a + b) + 0.5 * (b - a) * x)).sum() * 0.5 * (b - a))


def test_capsule_by_slices():
    """A body of revolution is a stack of discs: I_x = ρ∫πR⁴/2, I_y = ρ∫(πR⁴/4 + πR²x²), with R² a polynomial in x on each piece."""
    r, half, density = 0.7, 1.1, 2.5
    pieces = [(-half, half, lambda x: r * r + 0 * x), (half, half + r, lambda x: r * r - (x - half) ** 2)]
    pieces.append((-half - r, -half, lambda x: r * r - (x + half) ** 2))
    volume = sum(gauss(lambda x, s=s: math.pi * s(x), a, b) for a, b, s in pieces)
    axial = sum(gauss(lambda x, s=s: math.pi * s(x) ** 2 / 2, a, b) for a, b, s in pieces)
    across = sum(gauss(lambda x, s=s: math.pi * (s(x) ** 2 / 4 + s(x) * x * x), a, b) for a, b, s in pieces)
    got = capsule((0, 0, 0), (2 * half, 0, 0), r, density=density).mass_properties()
    assert got.mass == pytest.approx(density * volume, rel=1e-13)
    close(got.inertia, density * np.diag([axial, across, across]))


def test_stadium_by_strips():
    """A lamina is a stack of strips of width w(y) = L + 2 sqrt(r² - y²); y = r sin t makes the integrands smooth for Gauss."""
    r, length, density = 0.7, 2.2, 2.5
    width = lambda t: length + 2 * r * np.cos(t)  # noqa: E731
    dy = lambda t: r * np.cos(t)  # noqa: E731
    area = gauss(lambda t: width(t) * dy(t), -math.pi / 2, math.pi / 2)
    yy = gauss(lambda t: width(t) * dy(t) * (r * np.sin(t)) ** 2, -math.pi / 2, math.pi / 2)
    xx = gauss(lambda t: width(t) ** 3 / 12 * dy(t), -math.pi / 2, math.pi / 2)
    got = capsule((0, 0), (0, length), r, density=density).mass_properties()
    assert got.mass == pytest.approx(density * area, rel=1e-13)
    close(got.inertia, density * np.diag([yy, xx, xx + yy]))


def midpoint(inside, low, high, h):
    """Volume and second-moment sums over the midpoints of cells of side h that lie inside."""
    axes = [np.arange(a + h / 2, b, h) for a, b in zip(low, high)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    points = grid[inside(grid)]
    return len(points) * h ** len(axes), points


def test_capsule_by_cells():
    """Only cells cut by the surface S can be wrong: |ΔI| <= ρ S d R² with d = h sqrt(3) their diagonal, R the largest distance;
    the midpoint rule in whole cells adds ρ V h²/6 at most."""
    r, half, h = 0.5, 0.6, 0.02
    reach, diagonal = half + r, h * math.sqrt(3)

    def inside(p):
        q = p.copy()
        q[:, 0] -= np.clip(q[:, 0], -half, half)
        return (q**2).sum(axis=1) <= r * r

    volume, points = midpoint(inside, (-reach, -r, -r), (reach, r, r), h)
    squares = points.T @ points * h**3
    want = np.trace(squares) * np.eye(3) - squares
    got = capsule((0, 0, 0), (2 * half, 0, 0), r, density=1).mass_properties()
    surface = 2 * math.pi * r * 2 * half + 4 * math.pi * r * r
    assert abs(got.mass - volume) <= surface * diagonal
    assert np.abs(got.inertia - want).max() <= surface * diagonal * reach**2 + volume * h * h / 6
    assert np.abs(got.inertia - want).max() < 0.01 * got.inertia.max()  # the bound is far from sharp


def test_polygon_by_cells():
    """The L shape is a union of whole cells, so only the midpoint rule errs: exactly h²/12 per axis, which is added."""
    h = 1 / 16

    def inside(p):
        return (p[:, 1] < 1) | (p[:, 0] < 1)

    area, points = midpoint(inside, (0, 0), (3, 2), h)
    centre = points.mean(axis=0)
    second = (points - centre).T @ (points - centre) / len(points) + np.eye(2) * h * h / 12
    got = extruded(L_SHAPE, 0.3, density=2).mass_properties()
    assert got.mass == pytest.approx(2 * area * 0.3, rel=1e-13)
    close(got.centre, [*centre, 0])
    want = np.zeros((3, 3))
    want[:2, :2] = [[second[1, 1] + 0.3**2 / 12, -second[0, 1]], [-second[0, 1], second[0, 0] + 0.3**2 / 12]]
    want[2, 2] = np.trace(second)
    close(got.inertia, got.mass * want)


def test_polygon_orientation_and_offset():
    forward, backward = extruded(L_SHAPE, 0.3, mass=2).mass_properties(), extruded(L_SHAPE[::-1], 0.3, mass=2).mass_properties()
    close(forward.centre, backward.centre)
    close(forward.inertia, backward.inertia)
    far = extruded(np.array(L_SHAPE) + np.array([1e6, -1e6]), 0.3, mass=2).mass_properties()
    close(far.inertia, forward.inertia, rtol=1e-9, atol=1e-9)
    close(far.centre - forward.centre, [1e6, -1e6, 0], rtol=0, atol=1e-9)


def test_polygon_rectangle_is_box_and_circle_is_disc():
    close(inertia(extruded([(-1, -2), (1, -2), (1, 2), (-1, 2)], 0.5, mass=3)), inertia(box((2, 4, 0.5), mass=3)))
    n = 4000  # the second moment of a regular n-gon misses the circle's by a factor 1 - O((2 pi / n)²)
    angles = np.arange(n) * 2 * math.pi / n
    regular = extruded(np.column_stack([np.cos(angles), np.sin(angles)]), 0.5, mass=3)
    close(inertia(regular), inertia(disc(1, mass=3, thickness=0.5)), rtol=(2 * math.pi / n) ** 2)


def test_cylinder_is_a_stack_of_discs():
    """n slices of thickness L/n are exact, since each slice knows its own thickness."""
    n = 20
    slices = [(disc(0.3, mass=1, thickness=0.1), (0, 0, 0.1 * (i + 0.5))) for i in range(n)]
    close(inertia(compound(*slices)), np.diag(np.diag(inertia(cylinder((0, 0, 0), (0, 0, 2), 0.3, mass=n)))[[1, 2, 0]]), rtol=1e-12)


# ---------------------------------------------------------------- compounds


def test_parallel_axis():
    got = compound((sphere(1, mass=2), (0, 0, 0)), (sphere(1, mass=3), (5, 0, 0))).mass_properties()
    close(got.centre, [3, 0, 0])
    own, shift = 0.4 * 5, 2 * 9 + 3 * 4  # = reduced mass 6/5 times 25
    close(got.inertia, np.diag([own, own + shift, own + shift]))


def test_compound_keeps_the_points_of_a_rod():
    """Without position the points of a rod are points of the compound; with one they move along."""
    arm = rod((0, 0), (0, 2), mass=1)
    close(compound(arm).mass_properties().centre, [0, 1, 0])
    close(np.diag(inertia(compound(arm))), [1 / 3, 2e-4, 1 / 3])
    moved = compound((arm, (1, 0), -math.pi / 2))
    close(moved.mass_properties().centre, [2, 0, 0])
    close(np.array(moved.outline()[0]["points"]), [[1, 0, 0], [3, 0, 0]])


def test_quaternion_and_angle_agree():
    angle = 0.7
    flat = compound((box((1, 2), mass=1), (1, 1), angle))
    solid = compound((plate((1, 2), 1e-3, mass=1), (1, 1, 0), (3 * math.cos(angle / 2), 0, 0, 3 * math.sin(angle / 2))))
    close(inertia(flat), inertia(solid), atol=1e-6)  # (1e-3)²/12 of thickness
    close(inertia(flat)[2, 2], inertia(solid)[2, 2])


def test_nested_equals_flat():
    q = (0.5, 0.5, 0.5, 0.5)  # x -> y -> z -> x
    inner = compound((box((1, 2, 3), mass=1), (1, 0, 0)), (sphere(1, mass=2), (0, 1, 0)))
    nested = compound((inner, (0, 0, 5), q)).mass_properties()
    flat = compound((box((1, 2, 3), mass=1), (0, 1, 5), q), (sphere(1, mass=2), (0, 0, 6))).mass_properties()
    for a, b in zip(nested, flat):
        close(a, b)


length = st.floats(0.01, 100)
coordinate = st.floats(-100, 100)
point = st.tuples(coordinate, coordinate, coordinate)
quaternion = st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.1)
solid = st.one_of(
    st.builds(lambda a, b, c, m: box((a, b, c), mass=m), length, length, length, length),
    st.builds(lambda r, m: sphere(r, mass=m), length, length),
    st.builds(lambda a, b, m: rod(a, b, mass=m), point, point.map(lambda p: (p[0] + 300, p[1], p[2])), length),
    st.builds(lambda a, r, m: capsule(a, (a[0], a[1], a[2] + 1), r, mass=m), point, length, length),
    st.builds(lambda r, t, m: disc(r, thickness=t, mass=m), length, length, length),
    st.builds(lambda s, m: extruded(np.array(L_SHAPE) * s, mass=m), length, length),
)
placed = st.tuples(solid, point, quaternion)


@settings(max_examples=100, deadline=None)
@given(st.lists(placed, min_size=1, max_size=5), point, quaternion)
def test_any_compound_obeys_the_triangle_inequality(parts, position, orientation):
    shape = compound((compound(*parts), position, orientation))  # validates, too
    small, middle, large = np.linalg.eigvalsh(inertia(shape))
    assert small > 0
    assert large <= (small + middle) * (1 + 1e-9)
    assert np.array_equal(inertia(shape), inertia(shape).T)


@settings(max_examples=100, deadline=None)
@given(length, length, length, length, st.sampled_from([0, 1, 2]), point, quaternion, placed)
def test_splitting_a_box_changes_nothing(a, b, c, mass, axis, position, orientation, other):
    half = np.array([a, b, c])
    half[axis] /= 2
    shift = np.zeros(3)
    shift[axis] = half[axis] / 2
    halves = compound((box(half, mass=mass / 2), -shift), (box(half, mass=mass / 2), shift))
    whole = compound((box((a, b, c), mass=mass), position, orientation), other).mass_properties()
    split = compound((halves, position, orientation), other).mass_properties()
    scale = np.abs(whole.inertia).max()
    assert split.mass == pytest.approx(whole.mass, rel=1e-14)
    close(split.centre, whole.centre, atol=1e-10)
    close(split.inertia, whole.inertia, rtol=0, atol=1e-11 * scale)


# ---------------------------------------------------------------- frames, drawing


@pytest.mark.parametrize("kind", [rod, cylinder, capsule])
@pytest.mark.parametrize(
    "end", [(1, 0, 0), (-1, 0, 0), (0, 2, 0), (-3, -4, 0), (0, 0, 1), (0, 0, -1), (1, 2, 3), (1e-12, 0, 1), (1e-3, -1e-3, 1)], ids=str
)
def test_placement(kind, end):
    def make(a, b):
        return kind(a, b, radius=0.1, mass=1)

    start = np.array([0.5, -0.25, 2.0])
    shape = make(start, start + end)
    position, rotation = shape.placement()
    close(position, start + np.array(end) / 2)
    close(rotation.T @ rotation, np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1)
    for local, world in zip(shape.reference_points(), (start, start + end)):
        close(position + rotation @ local, world)
    if end[2] == 0:
        assert rotation[:, 2].tolist() == pytest.approx([0, 0, 1], abs=1e-15)
        flat = make(start[:2], start[:2] + end[:2]).placement()
        close(flat.rotation, rotation)
        close(flat.position, [*position[:2], 0])
    elif end[0] == end[1] == 0:
        assert rotation[:, 1].tolist() == [0, 1, 0]
    elif abs(end[0]) > 1e-9:
        assert rotation[2, 1] == 0


def test_dimension():
    want = [3, 2, 3, 2, 3, 2, 3, 2, None, 2, None, None, 3, None, None, 2, 3, 3, 3, 2, 3]
    assert [shape.dimension() for shape in EVERY] == want
    assert compound(sphere(1, mass=1)).dimension() is None


@pytest.mark.parametrize("shape", EVERY, ids=kind_of)
def test_common_contract(shape):
    mass, centre, moments = shape.mass_properties()
    assert isinstance(mass, float)
    assert centre.shape == (3,)
    assert moments.shape == (3, 3)
    validate_mass_properties("x", shape.mass_properties(), planar=False)
    first, second = shape.reference_points()
    assert np.linalg.norm(second - first) > 0
    assert (shape.placement() is None) == (type(shape).__name__ not in ("Rod", "Cylinder", "Capsule"))
    outline = shape.outline()
    assert json.loads(json.dumps(outline)) == outline
    fields = {
        "segment": {"points", "radius"},
        "cylinder": {"points", "radius"},
        "capsule": {"points", "radius"},
        "box": {"size", "position", "rotation"},
        "sphere": {"centre", "radius"},
        "disc": {"centre", "radius", "normal"},
        "polygon": {"points", "thickness"},
    }
    for primitive in outline:
        assert set(primitive) == fields[primitive["kind"]] | {"kind"}
        assert all(len(p) == 3 for p in primitive.get("points", []))


def test_outlines():
    assert rod((1, 0), (3, 0), mass=1).outline() == [{"kind": "segment", "points": [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], "radius": 0.02}]
    assert box((2, 4), mass=1, centre=(1, 0)).outline()[0]["points"] == [[0, -2, 0], [2, -2, 0], [2, 2, 0], [0, 2, 0]]
    drawn = rigid(1, (0, 0), 2, points=[(0, 0), (1, 0), (1, 3)]).outline()
    assert [primitive["points"] for primitive in drawn] == [[[0, 0, 0], [1, 0, 0]], [[1, 0, 0], [1, 3, 0]]]
    for points, usual in (((), math.sqrt(2.0)), ([(0, 0), (4, 0)], 0.04)):  # of gyration; L/100
        assert rigid(1, (0, 0), 2, points=points).outline()[0]["radius"] == pytest.approx(usual)
        assert rigid(1, (0, 0), 2, points=points, radius=0.3).outline()[0]["radius"] == 0.3
    turned = compound((box((1, 2, 3), mass=1), (1, 0, 0), (math.sqrt(0.5), 0, 0, math.sqrt(0.5)))).outline()[0]
    close(turned["position"], [1, 0, 0])
    close(turned["rotation"], [[0, -1, 0], [1, 0, 0], [0, 0, 1]])


# ---------------------------------------------------------------- data


@pytest.mark.parametrize("shape", EVERY, ids=kind_of)
def test_round_trip(shape):
    plain = msgspec.to_builtins(shape)
    assert plain["type"] == type(shape).__name__.lower()
    for again in (
        msgspec.convert(plain, Shape),
        msgspec.json.decode(msgspec.json.encode(shape), type=Shape),
        msgspec.convert(yaml.safe_load(yaml.safe_dump(plain)), Shape),
        pickle.loads(pickle.dumps(shape)),
    ):
        assert again == shape
        assert hash(again) == hash(shape)
        assert repr(again) == repr(shape)  # to the last bit
    assert "None" not in str(plain)


def test_file():
    text = "{type: rod, start: [0, 0, 0], end: [1, 0, 0], mass: 1.0}"
    assert msgspec.convert(yaml.safe_load(text), Shape) == rod([0, 0, 0], np.array([1, 0, 0]), mass=np.float32(1))
    assert list(msgspec.to_builtins(rod((0, 0), (1, 0), mass=1))) == ["type", "start", "end", "mass"]
    parts = "[{shape: {type: sphere, radius: 1, mass: 1}}, {shape: {type: disc, radius: 1, mass: 1}, position: [1, 0]}]"
    text = f"{{type: compound, parts: {parts}}}"
    assert msgspec.convert(yaml.safe_load(text), Shape) == compound(sphere(1, mass=1), (disc(1, mass=1), (1, 0)))


def test_plain_floats_and_frozen():
    arm = Rod(start=np.array([0, 0]), end=[np.int64(1), 0], mass=np.float64(2))
    assert [type(x) for x in (*arm.start, *arm.end, arm.mass)] == [float] * 5
    with pytest.raises(AttributeError):
        arm.mass = 3.0
    assert Compound(parts=[arm]) == compound(Part(shape=arm)) == compound((arm,))
    assert isinstance(rigid(1, (0, 0), np.array(2)), Explicit)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{type: rod, start: [0, 0], end: [1, 0], mass: -1}", "rod: the mass must be a positive finite number of kilograms, got -1.0"),
        ("{type: rod, start: [0, 0], end: [1, 0], mas: 1}", "unknown field `mas`"),
        ("{type: rod, start: [0, 0], end: [1, 0, 0], mass: 1}", "mixture"),
        ("{type: sphere, mass: 1}", "missing required field `radius`"),
        ("{type: cone, mass: 1}", "Invalid value 'cone'"),
        ("{type: compound, parts: [{shape: {type: sphere, radius: 0, mass: 1}}]}", r"sphere: the radius must be.*parts\[0\].shape"),
    ],
)
def test_bad_file(text, message):
    with pytest.raises(msgspec.ValidationError, match=f"(?s){message}"):
        msgspec.convert(yaml.safe_load(text), Shape)


# ---------------------------------------------------------------- errors

BAD = [
    (lambda: rod(A, B, mass=-1), r"rod: the mass must be a positive finite number of kilograms, got -1. Give mass > 0 or density > 0."),
    (lambda: rod(A, B, mass=0.0), r"rod: the mass must be .* got 0.0"),
    (lambda: rod(A, B, mass=np.float64(-2)), r"got -2.0\."),
    (lambda: rod(A, B, mass=nan), r"mass must be .* finite .* got nan"),
    (lambda: rod(A, B, mass=True), r"mass must be .* got True"),
    (lambda: rod(A, B, mass="1"), r"mass must be .* got '1'"),
    (lambda: rod(A, B, mass=10**400), r"mass must be .* finite"),
    (lambda: rod(A, B), r"rod: exactly one of mass and density is needed, got neither. Give mass > 0 or density > 0."),
    (lambda: rod(A, B, mass=1, density=2), r"got both \(mass = 1, density = 2\). Remove one"),
    (lambda: rod(A, B, density=-3, radius=0.1), r"rod: the density must be a positive finite number of kg/m³.* got -3"),
    (lambda: rod(A, B, density=3), r"spatial rod .* needs a radius .* got density = 3 .* Give radius > 0, or mass"),
    (lambda: rod(A, A, mass=1), r"rod: the points start and end must differ \(length > 0\), got \(0.0, 0.0, 0.0\) and .* Move one"),
    (lambda: rod((1e9, 0), (1e9 + 1e-6, 0), mass=1), r"must differ"),
    (lambda: rod(A, (1, 0), mass=1), r"all have 2 .* all have 3 .* mixture: start = .*, end = \(1.0, 0.0\). Give them the same length"),
    (lambda: rod(A, (1, 0, 0, 0), mass=1), r"rod: the end must be a vector of 2 or 3 numbers, got \(1, 0, 0, 0\). Give 2 coordinates"),
    (lambda: rod(A, 5, mass=1), r"the end must be a vector of 2 or 3 numbers, got 5"),
    (lambda: rod(A, "xyz", mass=1), r"the end must be a vector of 2 or 3 numbers, got 'xyz'"),
    (lambda: rod(A, np.eye(3), mass=1), r"the end \(number 1\) must be a finite number"),
    (lambda: rod((0, nan, 0), B, mass=1), r"rod: the start \(number 2\) must be a finite number of metres, got nan"),
    (lambda: rod(A, (inf, 0, 0), mass=1), r"the end \(number 1\) must be a finite number of metres, got inf"),
    (lambda: rod(A, B, mass=1, radius=0), r"rod: the radius must be a positive finite number of metres, got 0. Give radius > 0"),
    (lambda: rod(A, B, mass=1, radius=0.6), r"radius must be at most length/sqrt\(3\) = 0.57735 metres .* got 0.6. Use a cylinder"),
    (lambda: rod(A, B, mass=1, radius=1e-9), r"rod: the inertia must be positive definite"),
    (lambda: rod((-1e308, 0), (1e308, 0), mass=1), r"rod: the start \(number 1\) must not be beyond 1e\+60, got -1e\+308"),
    (lambda: cylinder(A, B, -1, mass=1), r"cylinder: the radius must be .* got -1"),
    (lambda: cylinder(A, B, None, mass=1), r"cylinder: the radius must be .* got None"),
    (lambda: capsule(A, B, inf, mass=1), r"capsule: the radius must be .* got inf"),
    (lambda: box((1, 0, 1), mass=1), r"box: the size \(number 2\) must be a positive finite number of metres, got 0. Give size > 0"),
    (lambda: box((1, 1, 1), mass=1, centre=(0, 0)), r"box: the vectors must .* mixture: size = .*, centre = "),
    (lambda: box((1e-90, 1e-90, 1e-90), density=1e-90), r"box: the mass must be a positive .* got 0.0"),
    (lambda: plate((1, 1, 1), 0.1, mass=1), r"plate: the size must be a vector of 2 numbers, got \(1, 1, 1\)"),
    (lambda: plate((1, 1), 0, mass=1), r"plate: the thickness must be .* got 0"),
    (lambda: sphere(0, mass=1), r"sphere: the radius must be .* got 0"),
    (lambda: sphere(1, mass=1, centre=(0,)), r"sphere: the centre must be a vector of 2 or 3"),
    (lambda: disc(1, mass=1, thickness=-1), r"disc: the thickness must be .* got -1"),
    (lambda: extruded([(0, 0), (1, 0)], 1, mass=1), r"extrusion: the polygon must have at least 3 points, got 2"),
    (lambda: extruded(7, 1, mass=1), r"at least 3 points, got 0"),
    (lambda: extruded([(0, 0), (1, 0), (1, 1, 1)], 1, mass=1), r"polygon \(point 2\) must be a vector of 2 numbers"),
    (lambda: extruded([(0, 0), (1, 0), (1, nan)], 1, mass=1), r"polygon \(point 2\) \(number 2\) must be a finite"),
    (lambda: extruded([*L_SHAPE, (0, 0)], 1, mass=1), r"consecutive points .* \(0.0, 0.0\) twice \(points 6 and 0\). Remove one"),
    (lambda: extruded([(0, 0), (1, 1), (2, 2)], 1, mass=1), r"zero area"),
    (lambda: extruded([(0, 0), (1, 1), (1, 0), (0, 1)], 1, mass=1), r"zero area .* edges cross"),
    (lambda: extruded([(0, 0), (2, 2), (2, 0), (0, 1)], 1, mass=1), r"must not intersect or touch itself, got edges 0 and 2"),
    (lambda: extruded([(0, 0), (4, 0), (4, 2), (2, 0), (0, 2)], 1, mass=1), r"must not intersect or touch itself, got edges 0 and 2"),
    (lambda: extruded([(0, 0), (2, 0), (1, 0), (1, 1)], 1, mass=1), r"must not intersect or touch itself, got edges 0 and 1"),
    (lambda: extruded([(0, 0), (1e200, 0), (0, 1e200)], 1, mass=1), r"polygon \(point 1\) \(number 1\) must not be beyond 1e\+60"),
    (lambda: extruded([(i, i * i) for i in range(20_000)], 1, mass=1), r"polygon must have at most 10000 points, got 20000"),
    (lambda: extruded(L_SHAPE, -1, mass=1), r"extrusion: the thickness must be"),
    (lambda: extruded(L_SHAPE, 1), r"extrusion: exactly one of mass and density"),
    (lambda: rigid(None, A, (1, 1, 1)), r"explicit: the mass must be .* got None. Give mass > 0"),
    (lambda: rigid(1, A, (1, 1)), r"explicit: the inertia must be 3 numbers .* 6 .* or 3x3, got \(1, 1\)"),
    (lambda: rigid(1, A, 1), r"3, 6 or 3x3 numbers for a spatial centre, got 1"),
    (lambda: rigid(1, (0, 0), (1, 1, 1)), r"one number \(Izz\) for a planar centre, got \(1, 1, 1\)"),
    (lambda: rigid(1, (0, 0), 0), r"inertia must be a positive finite number of kg m², got 0"),
    (lambda: rigid(1, A, (1, 1, nan)), r"inertia \(number 3\) must be a finite number of kg m², got nan"),
    (lambda: rigid(1, A, [(1, 0, 0), (0, 1, 0), (0, 1)]), r"inertia \(row 3\) must be a vector of 3 numbers"),
    (lambda: rigid(1, A, [(1, 0.1, 0), (0, 1, 0), (0, 0, 1)]), r"explicit: the inertia must be a symmetric matrix"),
    (lambda: rigid(1, A, (0, 1, 1)), r"explicit: the inertia must be positive definite, got the principal moments 0, 1, 1"),
    (lambda: rigid(1, A, (1, 1, -1)), r"positive definite"),
    (lambda: rigid(1, A, (1, 1, 2.001)), r"triangle inequality.* got the principal moments 1, 1, 2.001"),
    (lambda: rigid(1, A, (1, 1, 1), points=[A]), r"points to draw must be none, or two and more"),
    (lambda: rigid(1, A, (1, 1, 1), radius=0), r"explicit: the radius must be a positive finite number of metres, got 0"),
    (lambda: rigid(1, A, (1, 1, 1), points=[A, (0, 0)]), r"points \(point 1\) must be a vector of 3 numbers"),
    (lambda: compound(), r"compound: at least one part is needed, got none"),
    (lambda: compound(5), r"compound: a part must hold a shape, got 5"),
    (lambda: compound((sphere(1, mass=1), A, 0, 0)), r"\(shape, position, orientation\), got 4 items"),
    (lambda: compound((sphere(1, mass=1), (0, 0, 0, 1))), r"position of a part must be a vector of 2 or 3"),
    (lambda: compound((sphere(1, mass=1), A, (0, 0, 0, 0))), r"non-zero quaternion \(w, x, y, z\), got .* Use \(1, 0, 0, 0\)"),
    (lambda: compound((sphere(1, mass=1), A, (1, 0, 0))), r"orientation of a part must be a vector of 4"),
    (lambda: compound((sphere(1, mass=1), A, nan)), r"orientation of a part must be a finite number of radians"),
    (lambda: compound((sphere(1, mass=1), A, 0.3)), r"mixture: the orientation of part 0 is planar, the position of part 0 is spatial"),
    (lambda: compound(box((1, 1), mass=1), box((1, 1, 1), mass=1)), r"shape of part 0 is planar, the shape of part 1 is spatial"),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[str(i) for i in range(len(BAD))])
def test_errors(make, message):
    with pytest.raises(DescriptionError, match=message):
        make()


def test_triangle_tolerance():
    rigid(1, A, (1, 1, 2 * (1 + 1e-10)))
    with pytest.raises(DescriptionError, match="triangle"):
        rigid(1, A, (1, 1, 2 * (1 + 1e-8)))


@pytest.mark.parametrize(
    ("properties", "planar", "message"),
    [
        (MassProperties(nan, np.zeros(3), np.eye(3)), True, "body 'b': the mass must be a positive finite"),
        (MassProperties(1.0, np.zeros(2), np.eye(3)), False, "body 'b': the centre of mass must be three finite numbers"),
        (MassProperties(1.0, np.array([0, inf, 0]), np.eye(3)), False, "body 'b': the centre of mass must be three finite numbers"),
        (MassProperties(1.0, np.zeros(3), np.ones(3)), False, "body 'b': the inertia must be a 3x3 matrix"),
        (MassProperties(1.0, np.zeros(3), nan * np.eye(3)), True, "body 'b': the inertia must be a 3x3 matrix of finite"),
        (MassProperties(1.0, np.zeros(3), np.diag([1.0, 1.0, 0.0])), True, "body 'b': the inertia about z must be positive, got 0.0"),
        (MassProperties(1.0, np.zeros(3), np.diag([0.0, 0.0, 1.0])), False, "positive definite"),
    ],
)
def test_validate_mass_properties(properties, planar, message):
    with pytest.raises(DescriptionError, match=message):
        validate_mass_properties("body 'b'", properties, planar)


def test_planar_needs_only_izz():
    validate_mass_properties("body 'b'", MassProperties(1.0, np.zeros(3), np.diag([0.0, 0.0, 1.0])), planar=True)


def test_meeting_edges_accepts_simple_polygons():
    assert formulas.meeting_edges(L_SHAPE) is None
    assert formulas.meeting_edges([(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (1.5, 0.1), (0, 1)]) is None  # points on a straight edge
    star = [((2 - i % 2) * math.cos(i * math.pi / 5), (2 - i % 2) * math.sin(i * math.pi / 5)) for i in range(10)]
    assert formulas.meeting_edges(star) is None
    pentagram = [(math.cos(4 * i * math.pi / 5), math.sin(4 * i * math.pi / 5)) for i in range(5)]
    assert formulas.meeting_edges(pentagram) is not None
