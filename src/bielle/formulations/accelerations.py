"""Accelerations and multipliers at (t, q, v): the regularised KKT system and its proximal iteration.

    M v̇ = f + Jᵀλ,   J v̇ = d = −γ − 2ξω φ̇ − ω² φ          (ω = 0: no stabilisation)

Iteration k solves [M Jᵀ; J −μ] (v̇, −λ) = (f, d + μλ_k); its residual J v̇ − d = μ(λ_k − λ_{k+1}) is known for free and
tells when to stop. It is the augmented-Lagrangian iteration of Bayo et al. (T4f) with α = 1/μ.
"""

import math

from ..kernels import slots
from ..kernels.blocksparse import gather, scatter
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at, call, floats, ints

PENALTY_ITERATIONS = 3  # the sources find two or three enough for α in 1e5 … 1e7


@entry
def accelerate(ctx, first, last):
    """Write acc and lam; forces and rates come along. ``count[N_ITERATIONS]`` bounds the iterations, N_WARM = 0 restarts from λ = 0."""
    count, routine, scalar = ints(ctx, slots.COUNT), ints(ctx, slots.ROUTINE), floats(ctx, slots.SCALAR)
    call(routine[slots.R_EVALUATE], ctx, 0, 0)
    call(routine[slots.R_FORCES], ctx, 0, 0)
    call(routine[slots.R_FACTOR], ctx, 0, 0)
    force, acc, lam, mu = floats(ctx, slots.FORCE), floats(ctx, slots.ACC), floats(ctx, slots.LAMBDA), floats(ctx, slots.MU)
    phi, phi_dot, gamma = floats(ctx, slots.PHI), floats(ctx, slots.PHI_DOT), floats(ctx, slots.GAMMA)
    omega, xi, nc = scalar[slots.S_OMEGA], scalar[slots.S_XI], count[slots.N_C]
    rows = floats(ctx, slots.TEMP_C)
    if count[slots.N_WARM] == 0:
        for c in range(nc):
            lam[c] = 0.0
    for _ in range(count[slots.N_ITERATIONS]):
        scale = 1.0
        for c in range(nc):
            d = -gamma[c] - omega * (2.0 * xi * phi_dot[c] + omega * phi[c])
            scale = max(scale, abs(d))
            rows[c] = d + mu[c] * lam[c]
        scatter(ctx, force, rows)
        call(routine[slots.R_SOLVE], ctx, 0, 0)
        gather(ctx, acc, rows)
        residual = 0.0
        for c in range(nc):
            residual = max(residual, mu[c] * abs(lam[c] + rows[c]))
            lam[c] = -rows[c]
        if residual <= 1e-11 * scale:
            break


@helper
def _correction(ctx, gap, out, iterations):
    """out = −M⁻¹Jᵀ(JM⁻¹Jᵀ)⁻¹ gap: the smallest change, in the metric of the mass, that closes the gap to first order."""
    count, routine, mu = ints(ctx, slots.COUNT), ints(ctx, slots.ROUTINE), floats(ctx, slots.MU)
    nv, nc = count[slots.N_V], count[slots.N_C]
    multiplier = floats(ctx, slots.TEMP_C)
    rows = at(multiplier, nc)
    largest = 0.0
    for c in range(nc):
        multiplier[c] = 0.0
        largest = max(largest, abs(gap[c]))
    for _ in range(iterations):
        for i in range(nv):
            out[i] = 0.0
        for c in range(nc):
            rows[c] = mu[c] * multiplier[c] - gap[c]
        scatter(ctx, out, rows)
        call(routine[slots.R_SOLVE], ctx, 0, 0)
        gather(ctx, out, rows)
        residual = 0.0
        for c in range(nc):
            residual = max(residual, mu[c] * abs(multiplier[c] + rows[c]))
            multiplier[c] = -rows[c]
        if residual <= 1e-6 * largest:  # what is left is closed by the next pass
            break
    return largest


@entry
def project(ctx, first, iterations):
    """Move q and v onto the constraints along the shortest way in the metric of the mass.

    δq = −M⁻¹Jᵀ(JM⁻¹Jᵀ)⁻¹ φ, δv likewise with φ̇; repeated while φ is not yet in the range where one pass squares it away.
    """
    count, routine, scalar = ints(ctx, slots.COUNT), ints(ctx, slots.ROUTINE), floats(ctx, slots.SCALAR)
    nv, delta, v, change = count[slots.N_V], floats(ctx, slots.DELTA), floats(ctx, slots.V), floats(ctx, slots.ACC)
    if count[slots.N_C] == 0:
        for i in range(nv):
            delta[i] = 0.0
        call(routine[slots.R_RETRACT], ctx, 0, 0)  # still brings quaternions back to unit length
        return
    for _ in range(10):
        call(routine[slots.R_EVALUATE], ctx, 0, 0)
        call(routine[slots.R_FACTOR], ctx, 0, 0)
        worst = _correction(ctx, floats(ctx, slots.PHI), delta, iterations)
        _correction(ctx, floats(ctx, slots.PHI_DOT), change, iterations)
        for i in range(nv):
            v[i] += change[i]
        call(routine[slots.R_RETRACT], ctx, 0, 0)
        scalar[slots.S_VIOLATION] = worst
        if worst < 1e-10 or not math.isfinite(worst):
            return
