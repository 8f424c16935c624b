"""Rotations against SciPy, whose quaternions are (x, y, z, w)."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bielle.kernels.lazy import entry
from bielle.kernels.memory import address_of
from bielle.kernels.pointers import floats
from bielle.kernels.rotations import (
    cosine_and_sine,
    matrix_to_quaternion,
    nearest_angle,
    quaternion_rate,
    quaternion_to_matrix,
    rotate_quaternion,
)
from bielle.kernels.rotations import cosines_and_sines as many

RNG = np.random.default_rng(0)
OFFSET = 2  # quaternions stand somewhere in a longer array
EXACT = 1e-15 * 20


def ours(rotation, length=1.0):
    x, y, z, w = length * rotation.as_quat()
    return np.array([7.0, 7.0, w, x, y, z, 7.0])


@pytest.mark.parametrize("length", [1.0, 0.3, 20.0])
def test_matrix_of_a_quaternion_of_any_length(length):
    for rotation in Rotation.from_quat(RNG.standard_normal((10, 4))):
        out = np.zeros(11)
        quaternion_to_matrix(ours(rotation, length), OFFSET, out, 1)
        np.testing.assert_allclose(out[1:10].reshape(3, 3), rotation.as_matrix(), atol=EXACT)
        assert out[0] == out[10] == 0.0


@pytest.mark.parametrize("size", [0.0, 1e-9, 0.99e-4, 1.01e-4, 0.1, 3.0, 6.5])
def test_exponential_map(size):
    """The rotation vector is in body axes, hence on the right; the series takes over below 1e-4."""
    for rotation in Rotation.from_quat(RNG.standard_normal((5, 4))):
        direction = RNG.standard_normal(3)
        vector = size * direction / np.linalg.norm(direction)
        q = ours(rotation, 1.001)
        rotate_quaternion(q, OFFSET, *vector)
        w, x, y, z = q[OFFSET : OFFSET + 4]
        assert np.linalg.norm(q[OFFSET : OFFSET + 4]) == pytest.approx(1.0, abs=1e-15)
        np.testing.assert_allclose(
            Rotation.from_quat([x, y, z, w]).as_matrix(), (rotation * Rotation.from_rotvec(vector)).as_matrix(), atol=EXACT
        )
        assert (q[[0, 1, 6]] == 7.0).all()


def test_small_turns_keep_their_digits():
    """The two branches agree to rounding where they meet, relative to the turn itself."""
    one, other = (ours(Rotation.identity()) for _ in range(2))
    rotate_quaternion(one, OFFSET, 0.9999999e-4, 0.0, 0.0)
    rotate_quaternion(other, OFFSET, 1.0000001e-4, 0.0, 0.0)
    assert other[OFFSET + 1] / one[OFFSET + 1] == pytest.approx(1.0000001 / 0.9999999, rel=1e-14)


def test_rate():
    """q̇ = ½ q ⊗ (0, ω) is the derivative of the exponential map, for quaternions of any length."""
    h = 1e-5
    for rotation in Rotation.from_quat(RNG.standard_normal((5, 4))):
        omega, rate = RNG.standard_normal(3), np.zeros(7)
        quaternion_rate(ours(rotation, 2.0), OFFSET, *omega, rate)
        ends = []
        for sign in (1, -1):
            q = ours(rotation)
            rotate_quaternion(q, OFFSET, *(sign * h * omega))
            ends.append(q[OFFSET : OFFSET + 4])
        np.testing.assert_allclose(rate[OFFSET : OFFSET + 4], 2.0 * (ends[0] - ends[1]) / (2 * h), atol=10 * (h**2 + 1e-16 / h))


# -- angles


@entry
def turn_all(table, n, unused):
    """table: addresses of angles, cosines, sines."""
    for k in range(n):
        floats(table, 1)[k], floats(table, 2)[k] = cosine_and_sine(floats(table, 0)[k])


def cosines_and_sines(angles):
    """As kernels find them."""
    x = np.ascontiguousarray(angles, dtype=float)
    c, s = np.empty_like(x), np.empty_like(x)
    turn_all(address_of(np.array([address_of(x), address_of(c), address_of(s)])), x.size)
    return c, s


def neighbours(x, n=3):
    """Each number and the n next ones on either side."""
    out = [x]
    for direction in (-np.inf, np.inf):
        y = x
        for _ in range(n):
            y = np.nextafter(y, direction)
            out.append(y)
    return np.concatenate(out)


def units_apart(found, exact):
    """In units of the last place; zeros must have the same sign."""
    assert np.array_equal(np.signbit(found), np.signbit(exact))
    return np.abs(found - exact) / np.spacing(np.abs(exact))


ANGLES = {
    "ordinary": RNG.uniform(-10, 10, 20000),
    "many turns": RNG.uniform(-1e5, 1e5, 20000),
    "any size": 10.0 ** RNG.uniform(-300, 5, 20000) * RNG.choice([-1.0, 1.0], 20000),
    "where the library takes over": neighbours(np.array([-1e5, 1e5])),
    "huge": 10.0 ** RNG.uniform(5, 300, 2000) * RNG.choice([-1.0, 1.0], 2000),
    "eighths of a turn": neighbours(np.pi / 4 * np.arange(-400, 401)),
    "far eighths of a turn": neighbours(np.pi / 4 * RNG.integers(-127000, 127000, 3000)),
    "zero": np.array([0.0, -0.0, 5e-324, -5e-324, 1e-310]),
}


@pytest.mark.parametrize("angles", ANGLES.values(), ids=ANGLES)
def test_cosine_and_sine_are_right_to_the_last_place(angles):
    c, s = cosines_and_sines(angles)
    assert units_apart(c, np.array([math.cos(x) for x in angles])).max() <= 1.0
    assert units_apart(s, np.array([math.sin(x) for x in angles])).max() <= 1.0


def test_what_has_no_cosine_is_not_a_number():
    c, s = cosines_and_sines([np.nan, np.inf, -np.inf, 1.0])
    assert np.isnan(c[:3]).all()
    assert np.isnan(s[:3]).all()
    assert c[3] == pytest.approx(math.cos(1.0), rel=1e-15)


@pytest.mark.parametrize("angles", ANGLES.values(), ids=ANGLES)
@pytest.mark.parametrize("last", [(), (np.nan,), (3e5,), (-np.inf,)], ids=str)
def test_many_at_a_time_are_those_one_by_one(angles, last):
    """Bit for bit, whatever else is among them."""
    x = np.concatenate([np.asarray(angles, dtype=float), last])
    c, s = np.empty_like(x), np.empty_like(x)
    many(x.size, x, c, s)
    np.testing.assert_array_equal((c, s), cosines_and_sines(x))


@pytest.mark.parametrize("known", [0.0, 0.3, -3.0, 50.0, -1234.5])
def test_the_nearest_angle_is_less_than_half_a_turn_away(known):
    for angle in np.linspace(-7, 7, 57):
        found = nearest_angle(angle, known)
        turns = (found - angle) / (2 * math.pi)
        assert abs(turns - round(turns)) <= 1e-13
        assert abs(found - known) <= math.pi * (1 + 1e-13)
    assert nearest_angle(known, known) == known


# -- quaternions of matrices


def near_half_turns():
    """Rotations of which each entry of the quaternion is the largest in turn; about the axes, and beside them."""
    for k in range(4):
        for size in (0.0, 1e-9, 0.1, 0.4):
            x, y, z, w = np.roll(np.eye(4)[3], k + 1) + size * RNG.uniform(-1, 1, 4)
            yield k, Rotation.from_quat([x, y, z, w])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_quaternion_of_a_matrix_is_the_one_nearer_to_the_old(sign):
    largest = set()
    for _, rotation in (*near_half_turns(), *enumerate(Rotation.from_quat(RNG.standard_normal((200, 4))))):
        exact = sign * ours(rotation)
        largest.add((int(np.abs(exact[2:6]).argmax()), bool(exact[2] < 0)))
        q = exact.copy()
        q[2:6] += RNG.uniform(-0.4, 0.4, 4)  # 0.8 away at most: the other is farther
        q[[0, 1, 6]] = 7.0
        matrix_to_quaternion(rotation.as_matrix().ravel(), q, OFFSET)
        np.testing.assert_allclose(q[2:6], exact[2:6], atol=EXACT)
        assert (q[[0, 1, 6]] == 7.0).all()
        assert np.linalg.norm(q[2:6]) == pytest.approx(1.0, abs=1e-15)
    assert len(largest) == 8  # every branch, and either sign of the real part


@pytest.mark.parametrize(("a", "b"), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
def test_quaternions_with_two_largest_entries(a, b):
    """Between two branches: the one that is taken does not matter."""
    for signs in ((1, 1), (1, -1), (-1, 1)):
        q = np.zeros(4)
        q[a], q[b] = np.array(signs) / math.sqrt(2)
        R, found = np.zeros(9), q.copy()
        quaternion_to_matrix(q, 0, R, 0)
        matrix_to_quaternion(R, found, 0)
        np.testing.assert_allclose(found, q, atol=EXACT)


def test_a_matrix_that_is_not_quite_a_rotation_gives_a_unit_quaternion():
    """Matrices of natural coordinates are orthogonal to the accuracy of their equations only."""
    for rotation in Rotation.from_quat(RNG.standard_normal((20, 4))):
        q = ours(rotation)
        matrix_to_quaternion(rotation.as_matrix().ravel() + 1e-9 * RNG.standard_normal(9), q, OFFSET)
        assert np.linalg.norm(q[2:6]) == pytest.approx(1.0, abs=1e-15)
        np.testing.assert_allclose(q, ours(rotation), atol=1e-8)
