"""Rotations against SciPy, whose quaternions are (x, y, z, w)."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bielle.kernels.rotations import quaternion_rate, quaternion_to_matrix, rotate_quaternion

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
