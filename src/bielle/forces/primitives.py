"""What force kernels are made of: access to the elements of a force, its outputs, and torques on directions."""

from ..kernels.lazy import helper
from ..kernels.pointers import at


@helper
def force_arrays(ctx, f, dim):
    """(x, ẋ, F) of the elements of force f, and their number."""
    force_e = ctx.force_e
    e = force_e[f]
    x, xd = at(ctx.x, dim * e), at(ctx.x_dot, dim * e)
    return x, xd, at(ctx.x_force, dim * e), force_e[f + 1] - e


@helper
def tangent_arrays(ctx, f, dim):
    """(x, ẋ, −∂F/∂x, −∂F/∂ẋ) of force f, the last two width × width, row-major and cleared, and width = dim · elements."""
    force_e = ctx.force_e
    e, first = force_e[f], ctx.force_k[f]
    width = dim * (force_e[f + 1] - e)
    x, xd = at(ctx.x, dim * e), at(ctx.x_dot, dim * e)
    K, C = at(ctx.x_stiff, first), at(ctx.x_damp, first)
    for i in range(width * width):
        K[i] = 0.0
        C[i] = 0.0
    return x, xd, K, C, width


@helper
def parameters(ctx, f):
    """The numbers the kind gave for force f."""
    return at(ctx.param, ctx.force_p[f])


@helper
def write_outputs(ctx, f, energy, dissipated, driven, applied, output):
    """Energy, the three powers and the output of force f."""
    power = at(ctx.power, 3 * f)
    ctx.energy[f] = energy
    power[0] = dissipated
    power[1] = driven
    power[2] = applied
    ctx.output[f] = output


@helper
def total_power(xd, F, width):
    """Σ F · ẋ over the elements of a force."""
    power = 0.0
    for i in range(width):
        power += F[i] * xd[i]
    return power


@helper
def cross_entry(wx, wy, wz, i, j):
    """Entry (i, j) of the matrix [w] with [w] r = w × r; in the plane w = (0, 0, wz)."""
    if i == j:
        return 0.0
    value = wz if i + j == 1 else (wy if i + j == 2 else wx)
    return value if (i - j + 3) % 3 == 1 else -value


@helper
def turn(x, F, k, dim, wx, wy, wz):
    """F_k = w × d_k, the effort on direction k of a torque 2w (spatial, on three directions) or w (plane, on one)."""
    if dim == 2:
        F[2 * k] = -wz * x[2 * k + 1]
        F[2 * k + 1] = wz * x[2 * k]
    else:
        F[3 * k] = wy * x[3 * k + 2] - wz * x[3 * k + 1]
        F[3 * k + 1] = wz * x[3 * k] - wx * x[3 * k + 2]
        F[3 * k + 2] = wx * x[3 * k + 1] - wy * x[3 * k]
