"""Rotations: quaternions (w, x, y, z) mapping body to world, and the exponential map. No other file writes these formulas."""

import math

from .lazy import helper, once

TURN = 2.0 * math.pi


# π/2 in three parts of 33 bits each and what is left over: n times a part is exact for |n| < 2²⁰ (Cody and Waite's reduction)
_QUARTERS = 0.6366197723675814  # 2/π
_HALF_PI_1, _HALF_PI_2, _HALF_PI_3 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21
_LARGE = 1e5  # from there on the library's functions, which reduce any angle


_SHIFT = 1.5 * 2.0**52  # adding and subtracting it rounds to a whole number


@helper
def _moderate(x):
    """cos x and sin x for |x| < 1e5, to a unit in the last place; without branches, so that loops over many are done several at a time.

    The angle is reduced to r in ±π/4 and its rounding error e; then the polynomials of the Sun library (fdlibm, k_sin.c and k_cos.c), which
    are the best ones there, and the quarter turns.
    """
    n = (x * _QUARTERS + _SHIFT) - _SHIFT
    a, b = x - n * _HALF_PI_1, n * _HALF_PI_2
    r = a - b
    e = ((a - r) - b) - n * _HALF_PI_3
    z = r * r
    s = z * (8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (
        2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))))  # fmt: skip
    sine = r - ((z * (0.5 * e - r * s) - e) + z * r * 1.66666666666666324348e-01)
    c = z * z * (4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * (
        -2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11)))))  # fmt: skip
    half = 0.5 * z
    one = 1.0 - half
    cosine = one + (((1.0 - one) - half) + (c - r * e))
    quarter = n - 4.0 * ((0.25 * n + _SHIFT) - _SHIFT)  # −2 … 2
    size = abs(quarter)
    first, second = (sine, cosine) if size == 1.0 else (cosine, sine)
    return -first if size == 2.0 or quarter == 1.0 else first, -second if size == 2.0 or quarter == -1.0 else second


@helper
def cosine_and_sine(x):
    """cos x and sin x, to a unit in the last place, in the time that the library takes for half of one."""
    if not abs(x) < _LARGE:
        return math.cos(x), math.sin(x)
    return _moderate(x)


@once
def cosines_and_sines(n, x, cosines, sines):
    """The same of n numbers."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(x[i]))
    if largest < _LARGE:
        for i in range(n):
            cosines[i], sines[i] = _moderate(x[i])
    else:
        for i in range(n):
            cosines[i], sines[i] = cosine_and_sine(x[i])


@helper
def nearest_angle(angle, known):
    """The angle, plus whole turns, that is nearest to a known one."""
    return angle + TURN * math.floor((known - angle) / TURN + 0.5)


@helper
def quaternion_to_matrix(q, i, R, k):
    """R[k:k+9] (row-major, body to world) of the quaternion q[i:i+4], which need not be of unit length."""
    w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    R[k] = 1.0 - s * (y * y + z * z)
    R[k + 1] = s * (x * y - w * z)
    R[k + 2] = s * (x * z + w * y)
    R[k + 3] = s * (x * y + w * z)
    R[k + 4] = 1.0 - s * (x * x + z * z)
    R[k + 5] = s * (y * z - w * x)
    R[k + 6] = s * (x * z - w * y)
    R[k + 7] = s * (y * z + w * x)
    R[k + 8] = 1.0 - s * (x * x + y * y)


@helper
def matrix_to_quaternion(R, q, i):
    """q[i:i+4] of a rotation matrix (row-major): of the two the one nearer to what stands there. The largest entry is found first."""
    w2, x2, y2, z2 = R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8], R[8] - R[0] - R[4]
    if w2 >= x2 and w2 >= y2 and w2 >= z2:
        w, x, y, z = 1.0 + w2, R[7] - R[5], R[2] - R[6], R[3] - R[1]
    elif x2 >= y2 and x2 >= z2:
        w, x, y, z = R[7] - R[5], 1.0 + x2, R[1] + R[3], R[2] + R[6]
    elif y2 >= z2:
        w, x, y, z = R[2] - R[6], R[1] + R[3], 1.0 + y2, R[5] + R[7]
    else:
        w, x, y, z = R[3] - R[1], R[2] + R[6], R[5] + R[7], 1.0 + z2
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    if w * q[i] + x * q[i + 1] + y * q[i + 2] + z * q[i + 3] < 0.0:
        n = -n
    q[i], q[i + 1], q[i + 2], q[i + 3] = n * w, n * x, n * y, n * z


@helper
def quaternion_rate(q, i, wx, wy, wz, out):
    """out[i:i+4] = ½ q ⊗ (0, ω), ω in body axes."""
    w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
    out[i] = -0.5 * (x * wx + y * wy + z * wz)
    out[i + 1] = 0.5 * (w * wx + y * wz - z * wy)
    out[i + 2] = 0.5 * (w * wy + z * wx - x * wz)
    out[i + 3] = 0.5 * (w * wz + x * wy - y * wx)


@helper
def rotate_quaternion(q, i, rx, ry, rz):
    """q[i:i+4] ← q ⊗ exp(r), r a rotation vector in body axes; the result has unit length."""
    angle2 = rx * rx + ry * ry + rz * rz
    if angle2 < 1e-8:  # series, so that no division by a small number loses digits
        c = 1.0 - angle2 / 8.0 + angle2 * angle2 / 384.0
        s = 0.5 - angle2 / 48.0 + angle2 * angle2 / 3840.0
    else:
        angle = math.sqrt(angle2)
        c = math.cos(0.5 * angle)
        s = math.sin(0.5 * angle) / angle
    w, x, y, z = q[i], q[i + 1], q[i + 2], q[i + 3]
    a, b, d = s * rx, s * ry, s * rz
    nw = w * c - x * a - y * b - z * d
    nx = w * a + x * c + y * d - z * b
    ny = w * b - x * d + y * c + z * a
    nz = w * d + x * b - y * a + z * c
    n = 1.0 / math.sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
    q[i] = nw * n
    q[i + 1] = nx * n
    q[i + 2] = ny * n
    q[i + 3] = nz * n
