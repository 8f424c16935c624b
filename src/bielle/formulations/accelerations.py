"""Accelerations and multipliers at (t, q, v): the regularised KKT system and its proximal iteration.

    M v̇ = f + Jᵀλ,   J v̇ = d = −γ − 2ξω φ̇ − ω² φ          (ω = 0: no stabilisation)

Iteration k solves [M Jᵀ; J −μ] (v̇, −λ) = (f, d + μλ_k); its residual J v̇ − d = μ(λ_k − λ_{k+1}) is known for free and
tells when to stop. It is the augmented-Lagrangian iteration of Bayo et al. (T4f) with α = 1/μ.
"""

import math

from ..kernels import slots
from ..kernels.lazy import entry
from ..kernels.pointers import call, floats, ints

PENALTY_ITERATIONS = 3  # the sources find two or three enough for α in 1e5 … 1e7


@entry
def accelerate(ctx, first, last):
    """Write acc and lam; forces and rates come along. ``count[N_ITERATIONS]`` bounds the iterations, N_WARM = 0 restarts from λ = 0."""
    count, routine, scalar = ints(ctx, slots.COUNT), ints(ctx, slots.ROUTINE), floats(ctx, slots.SCALAR)
    call(routine[slots.R_EVALUATE], ctx, 0, 0)
    call(routine[slots.R_FORCES], ctx, 0, 0)
    call(routine[slots.R_FACTOR], ctx, 0, 0)
    body_nv, body_v, body_row = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_ROW)
    joint_c, joint_row = ints(ctx, slots.JOINT_C), ints(ctx, slots.JOINT_ROW)
    rhs, force, lam, mu = floats(ctx, slots.RHS), floats(ctx, slots.FORCE), floats(ctx, slots.LAMBDA), floats(ctx, slots.MU)
    phi, phi_dot, gamma = floats(ctx, slots.PHI), floats(ctx, slots.PHI_DOT), floats(ctx, slots.GAMMA)
    omega, xi = scalar[slots.S_OMEGA], scalar[slots.S_XI]
    nb, nj = count[slots.N_BODY], count[slots.N_JOINT]
    if count[slots.N_WARM] == 0:
        for c in range(count[slots.N_C]):
            lam[c] = 0.0
    for _ in range(count[slots.N_ITERATIONS]):
        for b in range(nb):
            for i in range(body_nv[b]):
                rhs[body_row[b] + i] = force[body_v[b] + i]
        scale = 1.0
        for j in range(nj):
            r = joint_row[j]
            for c in range(joint_c[j], joint_c[j + 1]):
                d = -gamma[c] - omega * (2.0 * xi * phi_dot[c] + omega * phi[c])
                if abs(d) > scale:
                    scale = abs(d)
                rhs[r] = d + mu[c] * lam[c]
                r += 1
        call(routine[slots.R_SOLVE], ctx, 0, 0)
        residual = 0.0
        for j in range(nj):
            r = joint_row[j]
            for c in range(joint_c[j], joint_c[j + 1]):
                change = mu[c] * abs(lam[c] + rhs[r])
                if change > residual:
                    residual = change
                lam[c] = -rhs[r]
                r += 1
        if residual <= 1e-11 * scale:
            break
    acc = floats(ctx, slots.ACC)
    for b in range(nb):
        for i in range(body_nv[b]):
            acc[body_v[b] + i] = rhs[body_row[b] + i]


@entry
def project(ctx, first, last):
    """Move q and v onto the constraints along the shortest way in the metric of the mass.

    δq = −M⁻¹Jᵀ(JM⁻¹Jᵀ)⁻¹ φ, δv likewise with φ̇; repeated while φ is not yet in the range where one pass squares it away.
    """
    count, routine, scalar = ints(ctx, slots.COUNT), ints(ctx, slots.ROUTINE), floats(ctx, slots.SCALAR)
    body_nv, body_v, body_row = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_ROW)
    joint_c, joint_row = ints(ctx, slots.JOINT_C), ints(ctx, slots.JOINT_ROW)
    rhs, delta, v = floats(ctx, slots.RHS), floats(ctx, slots.DELTA), floats(ctx, slots.V)
    phi, phi_dot, mu, multiplier = floats(ctx, slots.PHI), floats(ctx, slots.PHI_DOT), floats(ctx, slots.MU), floats(ctx, slots.TEMP_C)
    nb, nj = count[slots.N_BODY], count[slots.N_JOINT]
    for i in range(count[slots.N_V]):
        delta[i] = 0.0
    if count[slots.N_C] == 0:
        call(routine[slots.R_RETRACT], ctx, 0, 0)  # still brings quaternions back to unit length
        return
    for _ in range(10):
        call(routine[slots.R_EVALUATE], ctx, 0, 0)
        call(routine[slots.R_FACTOR], ctx, 0, 0)
        worst = 0.0
        for level in range(2):
            for c in range(count[slots.N_C]):
                multiplier[c] = 0.0
                if level == 0 and not abs(phi[c]) <= worst:
                    worst = abs(phi[c])
            for _ in range(last):
                for b in range(nb):
                    for i in range(body_nv[b]):
                        rhs[body_row[b] + i] = 0.0
                for j in range(nj):
                    r = joint_row[j]
                    for c in range(joint_c[j], joint_c[j + 1]):
                        rhs[r] = mu[c] * multiplier[c] - (phi[c] if level == 0 else phi_dot[c])
                        r += 1
                call(routine[slots.R_SOLVE], ctx, 0, 0)
                residual, gap = 0.0, 0.0
                for j in range(nj):
                    r = joint_row[j]
                    for c in range(joint_c[j], joint_c[j + 1]):
                        residual = max(residual, mu[c] * abs(rhs[r] + multiplier[c]))
                        gap = max(gap, abs(phi[c] if level == 0 else phi_dot[c]))
                        multiplier[c] = -rhs[r]
                        r += 1
                if residual <= 1e-6 * gap:
                    break
            if level == 0:
                for b in range(nb):
                    for i in range(body_nv[b]):
                        delta[body_v[b] + i] = rhs[body_row[b] + i]
            else:
                for b in range(nb):
                    for i in range(body_nv[b]):
                        v[body_v[b] + i] += rhs[body_row[b] + i]
        call(routine[slots.R_RETRACT], ctx, 0, 0)
        scalar[slots.S_VIOLATION] = worst
        if worst < 1e-10 or not math.isfinite(worst):
            return
