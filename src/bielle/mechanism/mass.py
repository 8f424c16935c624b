"""Formulas for mass, centre and inertia, how bodies add up, and the checks that such numbers can exist.

Every ``*_inertia`` function returns the (3, 3) inertia about the centre of mass, in the shape's own axes, in kg m².
Products are written ``x * x``, not ``x**2``: Python raises on the overflow of a power, while the infinity that a product gives
is caught, with a message that names the component, by :func:`validate_mass_properties`.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from bielle.errors import DescriptionError

TRIANGLE_TOLERANCE = 1e-9  # relative to the largest principal moment: a lamina fulfils a = b + c only up to rounding
SYMMETRY_TOLERANCE = 1e-9  # relative to the largest entry: a file written with ten digits still reads
DEFINITE_TOLERANCE = 1e-14  # relative to the largest principal moment: what an eigenvalue computed in float64 cannot tell from zero
LARGEST = 1e60  # of all numbers that describe something, in any unit of SI
LEAST = 1e-100  # of those that must be positive
VERTICAL = 1e-9  # sine of the angle to the z axis below which a direction counts as vertical


class MassProperties(NamedTuple):
    """Mass (kg), centre of mass (3,) (m) and inertia (3, 3) about that centre (kg m²), all in the body frame."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray


class Placement(NamedTuple):
    """Where a frame stands: the position of its origin (3,) and the rotation (3, 3) with ``world = position + rotation @ body``."""

    position: np.ndarray
    rotation: np.ndarray


def diagonal(a: float, b: float, c: float) -> np.ndarray:
    """The (3, 3) matrix with these on its diagonal; files have many, and np.diag takes several times as long."""
    return np.array([[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]])


def rod_inertia(mass: float, length: float, radius: float) -> np.ndarray:
    """Thin rod along x: ``m L²/12`` across, exactly, and ``m r²/2`` about its own axis."""
    across = mass * length * length / 12.0
    return diagonal(mass * radius * radius / 2.0, across, across)


def box_inertia(mass: float, a: float, b: float, c: float) -> np.ndarray:
    """Box with sides a, b, c along x, y, z: ``Ixx = m (b² + c²)/12`` and so on; c = 0 is a rectangular lamina."""
    aa, bb, cc = mass * a * a / 12.0, mass * b * b / 12.0, mass * c * c / 12.0
    return diagonal(bb + cc, aa + cc, aa + bb)


def ball_inertia(mass: float, radius: float) -> np.ndarray:
    """Solid ball: ``2/5 m r²`` about any axis."""
    return diagonal(*3 * [0.4 * mass * radius * radius])


def cylinder_inertia(mass: float, length: float, radius: float) -> np.ndarray:
    """Solid cylinder along x: ``m r²/2`` about its axis, ``m (r²/4 + L²/12)`` across."""
    axial, across = _cylinder(mass, length, radius)
    return diagonal(axial, across, across)


def _cylinder(mass: float, length: float, radius: float) -> tuple[float, float]:
    rr = mass * radius * radius
    return rr / 2.0, rr / 4.0 + mass * length * length / 12.0


def disc_inertia(mass: float, radius: float, thickness: float) -> np.ndarray:
    """Disc with axis z: a cylinder lying along z; thickness 0 is a circular lamina."""
    axial, across = _cylinder(mass, thickness, radius)
    return diagonal(across, across, axial)


def capsule_inertia(mass: float, length: float, radius: float) -> np.ndarray:
    """Cylinder of the given length along x with a solid hemisphere on each end.

    The cylinder has the share ``L / (L + 4r/3)`` of the mass, the two hemispheres (mass ``h`` together) the rest. Their centres of
    mass lie 3r/8 outside the flat faces, hence ``h (2/5 r² + L²/4 + 3/8 L r)`` across and ``2/5 h r²`` about the axis.
    """
    middle = mass * length / (length + 4.0 * radius / 3.0)
    ends = mass - middle
    rr, ll = radius * radius, length * length
    axial = middle * rr / 2.0 + ends * 0.4 * rr
    across = middle * (rr / 4.0 + ll / 12.0) + ends * (0.4 * rr + ll / 4.0 + 0.375 * length * radius)
    return np.diag([axial, across, across])


def stadium_inertia(mass: float, length: float, radius: float) -> np.ndarray:
    """Lamina in the xy plane: a rectangle L x 2r with a half disc on each short side (what a capsule looks like in the plane).

    The half discs (mass ``h`` together) have their centres of mass ``d = 4r/(3 pi)`` outside the short sides, hence
    ``Izz = h (r²/2 + L²/4 + L d)`` for them.
    """
    middle = mass * 2.0 * length / (2.0 * length + math.pi * radius)
    ends = mass - middle
    rr, ll = radius * radius, length * length
    about_x = middle * rr / 3.0 + ends * rr / 4.0
    about_y = middle * ll / 12.0 + ends * (rr / 4.0 + ll / 4.0 + length * 4.0 * radius / (3.0 * math.pi))
    return np.diag([about_x, about_y, about_x + about_y])


def polygon_section(points: Sequence[Sequence[float]]) -> tuple[float, np.ndarray, np.ndarray]:
    """Area, centroid (2,) and central second moments per area ``(∫x², ∫y², ∫xy) / A`` of a simple polygon, by Green's theorem.

    With ``c = x_i y_{i+1} - x_{i+1} y_i``: ``A = Σ c/2``, ``∫x = Σ c (x_i + x_{i+1})/6``, ``∫x² = Σ c (x_i² + x_i x_{i+1} + x_{i+1}²)/12``
    and ``∫xy = Σ c (2 x_i y_i + x_i y_{i+1} + x_{i+1} y_i + 2 x_{i+1} y_{i+1})/24``. Running round the other way flips all the signs,
    so the quotients by the signed A do not care. The area is returned positive; the other values are nan where it is zero.
    """
    p = np.asarray(points, dtype=float)
    with np.errstate(all="ignore"):  # overflow and 0/0 give inf and nan, which the caller reports
        middle = p.mean(axis=0)  # sums about a point inside the cloud do not cancel for a polygon far from the origin
        x, y = (p - middle).T
        u, v = np.roll(x, -1), np.roll(y, -1)
        c = x * v - u * y
        area = c.sum() / 2.0
        cx, cy = (c * (x + u)).sum() / 6.0 / area, (c * (y + v)).sum() / 6.0 / area
        xx = (c * (x * x + x * u + u * u)).sum() / 12.0 / area - cx * cx
        yy = (c * (y * y + y * v + v * v)).sum() / 12.0 / area - cy * cy
        xy = (c * (2.0 * x * y + x * v + u * y + 2.0 * u * v)).sum() / 24.0 / area - cx * cy
        return abs(float(area)), middle + np.array([cx, cy]), np.array([xx, yy, xy])


def meeting_edges(points: Sequence[Sequence[float]]) -> tuple[int, int] | None:
    """The first two edges (edge i runs from point i to point i + 1) of a closed polygon that cross, touch or fold back, or None.

    Consecutive points must differ. Exact signs without tolerance: neighbours always share a point, so for them only folding back counts.
    """
    p = np.asarray(points, dtype=float)
    p = (p - p[0]) / np.abs(p - p[0]).max()  # signs do not care, and products can no longer overflow
    q = np.roll(p, -1, axis=0)
    n = len(p)

    def side(origin, end, point):
        """Sign of (end - origin) x (point - origin): on which side of a line the point is."""
        along, to = end - origin, point - origin
        return np.sign(along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0])

    for i in range(n):  # row by row: memory stays linear in the number of points
        after = np.arange(i + 1, n)
        neighbours = (after == i + 1) | ((i == 0) & (after == n - 1))
        a, b, c, d = p[i], q[i], p[after], q[after]
        straddle = (side(a, b, c) * side(a, b, d) <= 0) & (side(c, d, a) * side(c, d, b) <= 0)
        # on one line all signs vanish, and the bounding boxes decide
        boxes = np.all((np.maximum(c, d) >= np.minimum(a, b)) & (np.minimum(c, d) <= np.maximum(a, b)), axis=1)
        direction, others = b - a, d - c
        parallel = direction[0] * others[:, 1] == direction[1] * others[:, 0]
        backwards = others @ direction < 0
        bad = np.where(neighbours, parallel & backwards, straddle & boxes)
        if bad.any():
            return i, int(after[np.argmax(bad)])
    return None


def frame_between(start: Sequence[float], end: Sequence[float]) -> Placement:
    """Frame of a shape given by two points: origin in the middle, x from start to end, y horizontal (without z component).

    So ``y = z_world x x`` normalised and ``z = x x y``: for two points in a plane z = const the z axis is exactly the world's.
    For a vertical x (within 1e-9) y is the world's y axis. Planar points (2 coordinates) get z = 0.
    """
    a, b = ([*point, 0.0][:3] for point in (start, end))
    length = math.dist(a, b)
    x0, x1, x2 = ((q - p) / length for p, q in zip(a, b))
    across = math.hypot(x0, x1)
    if across > VERTICAL:
        y0, y1, y2 = -x1 / across, x0 / across, 0.0
    else:
        y0, y1, y2 = -x1 * x0, 1.0 - x1 * x1, -x1 * x2
        size = math.hypot(y0, y1, y2)
        y0, y1, y2 = y0 / size, y1 / size, y2 / size
    z0, z1, z2 = x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0
    middle = [p + 0.5 * (q - p) for p, q in zip(a, b)]
    return Placement(np.array(middle), np.array([[x0, y0, z0], [x1, y1, z1], [x2, y2, z2]]))


def rotation_matrix(orientation: float | Sequence[float] | None) -> np.ndarray:
    """(3, 3) matrix of a quaternion (w, x, y, z) of any non-zero length, of an angle about z (radians), or of None (no rotation)."""
    if orientation is None:
        return np.eye(3)
    if isinstance(orientation, int | float):
        c, s = math.cos(orientation), math.sin(orientation)
        return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    norm = math.hypot(*orientation)
    w, x, y, z = (component / norm for component in orientation)
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def compose(outer: Placement, inner: Placement | None) -> Placement:
    """The placement of a frame that stands at ``inner`` (None: at the origin) in a frame that stands at ``outer``."""
    if inner is None:
        return outer
    return Placement(outer.position + outer.rotation @ inner.position, outer.rotation @ inner.rotation)


def combine(parts: Iterable[tuple[MassProperties, Placement]]) -> MassProperties:
    """One rigid body from many, by parallel axes: ``I = Σ R_i I_i R_iᵀ + m_i (d_i² 1 - d_i d_iᵀ)``, d from the new centre."""
    with np.errstate(all="ignore"):  # an overflow is reported by the validation
        moved = [(p.mass, at.position + at.rotation @ p.centre, at.rotation @ p.inertia @ at.rotation.T) for p, at in parts]
        mass = math.fsum(m for m, _, _ in moved)
        centre = sum((m / mass * c for m, c, _ in moved), np.zeros(3))
        inertia = np.zeros((3, 3))
        for m, c, own in moved:
            d = c - centre
            inertia += own + m * ((d @ d) * np.eye(3) - np.outer(d, d))
        return MassProperties(mass, centre, 0.5 * (inertia + inertia.T))


def show(value: Any) -> str:
    """The value for a message, without the noise of numpy's types."""
    return repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)


def is_scalar(value: Any) -> bool:
    """Whether the value is one real number (Python's or numpy's, or an array without dimensions)."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iuf"
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def items(value: Any) -> list[Any]:
    """What an ordered sequence or array holds; nothing for anything else."""
    if isinstance(value, str | bytes | dict | set) or not isinstance(value, Iterable) or is_scalar(value):
        return []
    return list(value)


def number(kind: str, field: str, value: Any, *, unit: str = "metres", positive: bool = False, remedy: str = "") -> float:
    """The value as a finite (and positive) Python float, or an error that says what was expected."""
    if type(value) is float and (LEAST if positive else -LARGEST) <= value <= LARGEST:  # most are
        return value
    try:
        result = float(value) if is_scalar(value) else math.nan
    except OverflowError:  # an integer beyond the range of floats
        result = math.inf
    if not math.isfinite(result) or (positive and result <= 0.0):
        expected = f"a {'positive ' if positive else ''}finite number of {unit}"
        if isinstance(value, str):
            remedy = "Write the number alone, without a unit or quotes."
        remedy = remedy or f"Give {field.split(' ')[0]} {'> 0' if positive else 'a finite value'}."
        raise DescriptionError(f"{kind}: the {field} must be {expected}, got {show(value)}. {remedy}")
    check_size(f"{kind}: the {field}", result, positive)
    return result


def check_size(what: str, value: float, positive: bool) -> None:
    """Refuse numbers whose squares and quotients are beyond what a float can hold: they would fail somewhere else."""
    if abs(value) > LARGEST:
        raise DescriptionError(f"{what} must not be beyond {LARGEST:g}, got {value}. Check how it was computed.")
    if positive and value < LEAST:
        raise DescriptionError(f"{what} must not be below {LEAST:g}, got {value}. Check how it was computed.")


def vector(
    kind: str, field: str, value: Any, lengths: tuple[int, ...] = (2, 3), *, unit: str = "metres", positive: bool = False
) -> tuple[float, ...]:
    """The value as a tuple of Python floats with one of the allowed lengths."""
    found = items(value)
    if len(found) not in lengths:
        expected = " or ".join(str(length) for length in lengths)
        remedy = "Give 2 coordinates in a planar mechanism, 3 in a spatial one." if lengths == (2, 3) else f"Give {expected} numbers."
        raise DescriptionError(f"{kind}: the {field} must be a vector of {expected} numbers, got {show(value)}. {remedy}")
    return tuple(number(kind, f"{field} (number {i})", item, unit=unit, positive=positive) for i, item in enumerate(found, 1))


def vectors(kind: str, field: str, value: Any, lengths: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
    """A list of points as tuples; the message counts the points from 0."""
    return tuple(vector(kind, f"{field} (point {i})", point, lengths) for i, point in enumerate(items(value)))


def inertia_numbers(kind: str, field: str, value: Any) -> float | tuple[float | tuple[float, ...], ...]:
    """One number, three (the diagonal), six (xx, yy, zz, xy, xz, yz) or 3 x 3, as Python floats."""
    unit = "kg m²"
    if is_scalar(value):
        return number(kind, field, value, unit=unit, positive=True)
    rows = items(value)
    if len(rows) == 3 and not any(is_scalar(row) for row in rows):
        return tuple(vector(kind, f"{field} (row {i})", row, (3,), unit=unit) for i, row in enumerate(rows, 1))
    if len(rows) not in (3, 6):
        raise DescriptionError(
            f"{kind}: the {field} must be 3 numbers (the diagonal), 6 (xx, yy, zz, xy, xz, yz) or 3x3, got {show(value)}. "
            "Give one of these."
        )
    return vector(kind, field, rows, (3, 6), unit=unit)


def same_length(kind: str, **fields: tuple[float, ...]) -> None:
    """Raise if planar and spatial vectors are mixed."""
    if len({len(value) for value in fields.values()}) > 1:
        got = ", ".join(f"{field} = {value}" for field, value in fields.items())
        raise DescriptionError(
            f"{kind}: the vectors must all have 2 coordinates (planar) or all have 3 (spatial), got a mixture: {got}. "
            "Give them the same length."
        )


def validate_mass_properties(name: str, properties: MassProperties, planar: bool) -> None:
    """Raise :class:`DescriptionError` unless a rigid body with these properties can exist.

    ``name`` begins the message ("rod", "body 'arm'"). Checked: a positive finite mass, a finite centre (3,), a finite inertia (3, 3);
    then for a planar body only ``Izz > 0``, for a spatial one symmetry, positive definiteness and the triangle inequality
    ``a <= b + c`` of the principal moments (with a tolerance of 1e-9 of the largest one).
    """
    mass, centre, inertia = properties.mass, np.asarray(properties.centre), np.asarray(properties.inertia)
    if not (math.isfinite(mass) and mass > 0.0):
        raise DescriptionError(
            f"{name}: the mass must be a positive finite number of kilograms, got {float(mass)!r}. Give mass > 0 or density > 0."
        )
    if centre.shape != (3,) or not all(map(math.isfinite, centre.tolist())):
        raise DescriptionError(
            f"{name}: the centre of mass must be three finite numbers in metres, got {centre.tolist()}. Check the coordinates."
        )
    if inertia.shape != (3, 3) or not all(map(math.isfinite, inertia.ravel().tolist())):  # few numbers: Python is quicker than NumPy
        raise DescriptionError(
            f"{name}: the inertia must be a 3x3 matrix of finite numbers in kg m², got {inertia.tolist()}. Check the mass and the sizes."
        )
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = inertia.tolist()
    if planar:
        if zz <= 0.0:
            raise DescriptionError(
                f"{name}: the inertia about z must be positive, got {float(zz)!r}. "
                "Give the moment of inertia about the centre of mass in kg m²."
            )
        return
    off = max(abs(xy - yx), abs(xz - zx), abs(yz - zy))
    if off > 0.0 and off > SYMMETRY_TOLERANCE * np.abs(inertia).max():
        raise DescriptionError(
            f"{name}: the inertia must be a symmetric matrix, got {inertia.tolist()}. Make Ixy = Iyx, Ixz = Izx, Iyz = Izy."
        )
    turned = off > 0.0 or xy != 0.0 or xz != 0.0 or yz != 0.0
    small, middle, large = np.linalg.eigvalsh(0.5 * inertia + 0.5 * inertia.T).tolist() if turned else sorted((xx, yy, zz))
    if DEFINITE_TOLERANCE * large < small and large <= small + middle + TRIANGLE_TOLERANCE * large:
        return
    got = f"got the principal moments {small:.10g}, {middle:.10g}, {large:.10g} kg m²"
    if small <= DEFINITE_TOLERANCE * large:
        raise DescriptionError(
            f"{name}: the inertia must be positive definite, {got}. Give every axis a moment of inertia, or the shape a thickness."
        )
    raise DescriptionError(
        f"{name}: the inertia breaks the triangle inequality: no principal moment may exceed the sum of the two others, {got}. "
        "Check that the inertia is about the centre of mass and that the products of inertia have the right sign (Ixy = -∫xy dm)."
    )
