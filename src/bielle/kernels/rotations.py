"""Rotations: quaternions (w, x, y, z) mapping body to world, and the exponential map. No other file writes these formulas."""

import math

from .lazy import helper

TURN = 2.0 * math.pi


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
