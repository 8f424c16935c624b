"""Newmark, Hilber–Hughes–Taylor and generalised-alpha methods: one implicit family of second order.

    q₁ = q₀ ⊕ (h v₀ + h²(½ − β) a₀ + h² β a₁),   v₁ = v₀ + h(1 − γ) a₀ + hγ a₁,
    (1 − α_m) a₁ + α_m a₀ = (1 − α_f) v̇₁ + α_f v̇₀,   M v̇₁ = f₁ + J₁ᵀλ₁

with the constraints at position level φ(q₁) = 0 (index 3), or at acceleration level, stabilised (Baumgarte, augmented Lagrangian).
Equations that hold for velocities only (``level`` 1) are imposed as φ̇(q₁, v₁) = 0 where the others are imposed as φ(q₁) = 0.
M. Arnold & O. Brüls, *Convergence of the generalized-α scheme for constrained mechanical systems*, Multibody Syst. Dyn. 18 (2007).

  Newmark             α_m = α_f = 0, β = ¼, γ = ½ (average acceleration; γ > ½ damps)
  HHT                 α_m = 0, α_f = α in [0, ⅓], γ = ½ + α, β = (1 + α)²/4
  generalised-alpha   by the spectral radius ρ at infinite frequency (Chung & Hulbert, J. Appl. Mech. 60, 1993)

Index 3 ends each step with mass-orthogonal projections of velocities and accelerations (Bayo & Ledesma, Nonlinear Dyn. 9, 1996;
Cuadrado et al.), which removes the oscillating multipliers of the bare scheme. A step that is shorter than others by orders of
magnitude, from one stop to the next, does without φ(q₁) = 0, which would determine accelerations up to the rounding of φ over h²
only: it takes the constraints at acceleration level, and projects positions and velocities.

The Newton matrix is the KKT matrix with M + γ'D + β'K, D and K the tangents of the force elements; it contains the geometric
stiffness of reactions on each body; second derivatives of the constraints themselves are left to the iteration.
"""

import math

from ..kernels import slots
from ..kernels.blocksparse import gather, scatter
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at, call, copy, floats, ints
from ..kernels.program import STILL, add_constraint_forces, kinetic, multiply_jacobian, multiply_mass, run
from .steps import accepted, add_power, extent, is_blow, projected, record, stopped_by_watch

SHORT = 1e-3  # of the usual step, in which positions change by 1e-6 of themselves, say: rounding of φ is then 1e-4 of accelerations
TORN = 1e-4  # of the extent of the joints: a gap at the end of a step


def parameters(method: str, *, alpha: float = 0.05, radius: float = 0.8) -> tuple[float, float, float, float]:
    """(β, γ, α_m, α_f) of a method by name; ``alpha`` is for HHT, ``radius`` for generalised-alpha."""
    if method == "newmark":
        return 0.25, 0.5, 0.0, 0.0
    if method == "hht":
        return (1 + alpha) ** 2 / 4, 0.5 + alpha, 0.0, alpha
    alpha_m, alpha_f = (2 * radius - 1) / (radius + 1), radius / (radius + 1)
    gamma = 0.5 + alpha_f - alpha_m
    return (gamma + 0.5) ** 2 / 4, gamma, alpha_m, alpha_f


@helper
def _size(ctx, x):
    """Largest entry of x as a length: a turn counts with the radius of gyration, √(M_ii/M_00) of its body."""
    count, body_nv, body_v, body_m = ints(ctx, slots.COUNT), ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_V), ints(ctx, slots.BODY_M)
    mass = floats(ctx, slots.MASS)
    largest = 0.0
    for b in range(count[slots.N_BODY]):
        nv, v0, m = body_nv[b], body_v[b], body_m[b]
        for i in range(nv):
            square = x[v0 + i] * x[v0 + i] * mass[m + i * nv + i] / mass[m]
            if not square <= largest:  # also when it is not a number
                largest = square
    return math.sqrt(largest)


@entry
def tangents(ctx, first, last):
    """mass_hat = M + γ'D + β'K and the coupling blocks; γ' and β' stand in scalar[S_GAMMA_H] and scalar[S_BETA_H].

    K(body, body') = Σ J_eᵀ K_ee' J_e' and the geometric stiffness of all efforts on points and directions, symmetrised:
    the matrix must stay quasi-definite, and Newton's method corrects the rest.
    """
    count, scalar = ints(ctx, slots.COUNT), floats(ctx, slots.SCALAR)
    mass, hat = floats(ctx, slots.MASS), floats(ctx, slots.MASS_HAT)
    body_nv, body_m = ints(ctx, slots.BODY_NV), ints(ctx, slots.BODY_M)
    for b in range(count[slots.N_BODY]):
        for i in range(body_nv[b] * body_nv[b]):
            hat[body_m[b] + i] = mass[body_m[b] + i]
    couple, coupling = ints(ctx, slots.COUPLE), floats(ctx, slots.COUPLING)
    for c in range(count[slots.N_COUPLE]):
        for i in range(couple[6 * c + 4] * couple[6 * c + 5]):
            coupling[couple[6 * c + 2] + i] = 0.0
    dim = count[slots.N_DIM]
    joint_e, joint_c, joint_g = ints(ctx, slots.JOINT_E), ints(ctx, slots.JOINT_C), ints(ctx, slots.JOINT_G)
    g_all, lam, effort, x_force = floats(ctx, slots.G), floats(ctx, slots.LAMBDA), floats(ctx, slots.X_EFFORT), floats(ctx, slots.X_FORCE)
    for j in range(count[slots.N_JOINT]):
        start, width = dim * joint_e[j], dim * (joint_e[j + 1] - joint_e[j])
        for k in range(width):
            total = 0.0
            for c in range(joint_c[j], joint_c[j + 1]):
                total += g_all[joint_g[j] + (c - joint_c[j]) * width + k] * lam[c]
            effort[start + k] = total
    force_e = ints(ctx, slots.FORCE_E)
    for k in range(dim * force_e[0], dim * force_e[count[slots.N_FORCE]]):  # elements of watches feel nothing: zero, as allocated
        effort[k] = x_force[k]
    run(ctx, ints(ctx, slots.STIFFNESS), count[slots.N_STIFFNESS])
    run(ctx, ints(ctx, slots.TANGENTS), count[slots.N_TANGENTS])
    force_k, elem_body, elem_j = ints(ctx, slots.FORCE_K), ints(ctx, slots.ELEM_BODY), ints(ctx, slots.ELEM_J)
    stiff, damp, x_jac = floats(ctx, slots.X_STIFF), floats(ctx, slots.X_DAMP), floats(ctx, slots.X_JAC)
    gamma, beta = scalar[slots.S_GAMMA_H], scalar[slots.S_BETA_H]
    c = 0
    for f in range(count[slots.N_FORCE]):
        e0, e1, k0 = force_e[f], force_e[f + 1], force_k[f]
        width = dim * (e1 - e0)
        # the couplings of this force are the next ones in the list
        while c < count[slots.N_COUPLE] and couple[6 * c] < f:
            c += 1
        for e in range(e0, e1):
            for g in range(e0, e1):
                b, d = elem_body[e], elem_body[g]
                nb, nd = body_nv[b], body_nv[d]
                if nb == 0 or nd == 0:
                    continue
                target, out = -1, hat
                if b == d:
                    target = body_m[b]
                else:
                    s = c
                    while s < count[slots.N_COUPLE] and couple[6 * s] == f:
                        if couple[6 * s + 1] == b * count[slots.N_BODY] + d:
                            target, out = couple[6 * s + 2], coupling
                        s += 1
                if target < 0:  # the transposed block is the one that is stored
                    continue
                for m in range(dim):
                    for n in range(dim):
                        row, col = dim * (e - e0) + m, dim * (g - e0) + n
                        value = 0.5 * (
                            gamma * (damp[k0 + row * width + col] + damp[k0 + col * width + row])
                            + beta * (stiff[k0 + row * width + col] + stiff[k0 + col * width + row])
                        )
                        if value != 0.0:
                            for i in range(nb):
                                left = value * x_jac[elem_j[e] + m * nb + i]
                                for j in range(nd):
                                    out[target + i * nd + j] += left * x_jac[elem_j[g] + n * nd + j]


@helper
def _take_back(ctx, acc, time, code):
    """The state as it was before the step, and why."""
    count = ints(ctx, slots.COUNT)
    copy(count[slots.N_Q], floats(ctx, slots.Q0), floats(ctx, slots.Q))
    copy(count[slots.N_V], floats(ctx, slots.V0), floats(ctx, slots.V))
    copy(count[slots.N_V], acc, floats(ctx, slots.ACC))
    floats(ctx, slots.SCALAR)[slots.S_TIME] = time
    ints(ctx, slots.STATUS)[slots.ST_CODE] = code


@entry
def steps(ctx, n_steps, unused):
    """Advance ``n_steps`` fixed steps; samples every ``count[N_EVERY]`` steps, at the start of the step."""
    count, status, scalar, routine = ints(ctx, slots.COUNT), ints(ctx, slots.STATUS), floats(ctx, slots.SCALAR), ints(ctx, slots.ROUTINE)
    nq, nv, nc = count[slots.N_Q], count[slots.N_V], count[slots.N_C]
    q, v, work, lam = floats(ctx, slots.Q), floats(ctx, slots.V), floats(ctx, slots.WORK), floats(ctx, slots.LAMBDA)
    q0, v0, a0, acc = floats(ctx, slots.Q0), floats(ctx, slots.V0), floats(ctx, slots.A0), floats(ctx, slots.ACC)
    delta, force = floats(ctx, slots.DELTA), floats(ctx, slots.FORCE)
    phi, phi_dot, gam, mu = floats(ctx, slots.PHI), floats(ctx, slots.PHI_DOT), floats(ctx, slots.GAMMA), floats(ctx, slots.MU)
    temp_v, temp_c, level = floats(ctx, slots.TEMP_V), floats(ctx, slots.TEMP_C), ints(ctx, slots.LEVEL)
    x, residual, old, a1 = temp_v, at(temp_v, nv), at(temp_v, 2 * nv), at(temp_v, 3 * nv)
    rows, change = temp_c, at(temp_c, nc)
    kept = floats(ctx, slots.STAGE_V)  # what projecting would write over
    nw = count[slots.N_WORK]
    power0, power1 = floats(ctx, slots.STAGE_W), at(floats(ctx, slots.STAGE_W), nw)
    h, start = scalar[slots.S_STEP], scalar[slots.S_TIME0]
    beta, gamma, am, af = scalar[slots.S_BETA], scalar[slots.S_GAMMA], scalar[slots.S_ALPHA_M], scalar[slots.S_ALPHA_F]
    ratio = (1.0 - af) / (1.0 - am)
    beta_h, gamma_h = beta * h * h * ratio, gamma * h * ratio
    scalar[slots.S_BETA_H], scalar[slots.S_GAMMA_H] = beta_h, gamma_h
    index3 = count[slots.N_INDEX3] == 1
    omega, xi, tolerance = scalar[slots.S_OMEGA], scalar[slots.S_XI], scalar[slots.S_TOL]
    # rows are divided by what multiplies J in their derivative: β' for φ, γ' for φ̇, one and the stabilisation for φ̈
    damping, spring = 2.0 * xi * omega, omega * omega
    with_tangents = 1 if count[slots.N_TANGENTS] + count[slots.N_STIFFNESS] > 0 else 0
    for _ in range(n_steps):
        done = status[slots.ST_STEPS]
        if status[slots.ST_FRESH] == 0:  # first step, or after the state was changed from outside
            scalar[slots.S_TIME] = start + done * h
            call(routine[slots.R_ACCELERATE], ctx, 0, 0)
            for i in range(nv):
                a0[i] = acc[i]
            status[slots.ST_FRESH] = 1
        if stopped_by_watch(ctx):
            return
        if done % count[slots.N_EVERY] == 0:
            record(ctx)
        add_power(ctx, power0)
        for i in range(nq):
            q0[i] = q[i]
        for i in range(nv):
            v0[i] = v[i]
            old[i] = acc[i]
            x[i] = acc[i]
        scalar[slots.S_TIME] = start + (done + 1) * h
        converged = False
        before = 1e300
        fresh_matrix = False
        for _ in range(30):
            status[slots.ST_ITERATIONS] += 1
            for i in range(nv):
                a1[i] = ((1.0 - af) * x[i] + af * old[i] - am * a0[i]) / (1.0 - am)
                delta[i] = h * v0[i] + h * h * ((0.5 - beta) * a0[i] + beta * a1[i])
                v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a1[i])
            for i in range(nq):
                q[i] = q0[i]
            call(routine[slots.R_RETRACT], ctx, 0, 0)
            call(routine[slots.R_EVALUATE], ctx, 0, 0)
            call(routine[slots.R_FORCES], ctx, 0, 0)
            if not fresh_matrix:
                if with_tangents == 1:
                    call(routine[slots.R_TANGENTS], ctx, 0, 0)
                call(routine[slots.R_FACTOR], ctx, with_tangents, 0)
                fresh_matrix = True
            for i in range(nv):
                residual[i] = force[i]
            multiply_mass(ctx, x, -1.0, residual)
            add_constraint_forces(ctx, lam, 1.0, residual)
            if index3:
                for c in range(nc):
                    rows[c] = -phi[c] / beta_h if level[c] == 0 else -phi_dot[c] / gamma_h
            else:
                for c in range(nc):
                    rows[c] = gam[c] + damping * phi_dot[c] + spring * phi[c]
                multiply_jacobian(ctx, x, rows)
                for c in range(nc):  # at level 1, φ = 0 whatever the positions are: it has no spring
                    rows[c] /= -(1.0 + damping * gamma_h + (spring * beta_h if level[c] == 0 else 0.0))
            scatter(ctx, residual, rows)
            call(routine[slots.R_SOLVE], ctx, 0, 0)
            gather(ctx, residual, change)
            for i in range(nv):
                x[i] += residual[i]
            for c in range(nc):
                lam[c] -= change[c]
            size = beta_h * _size(ctx, residual)
            rate = size / before
            # from the second iteration on, what is still to come is a geometric series
            if size <= tolerance or (before < 1e300 and rate < 0.5 and size * rate / (1.0 - rate) <= tolerance):
                converged = True
                break
            if not math.isfinite(size):
                break
            if size > 0.1 * before or size > 100.0 * tolerance:  # slow, or a long way to go: factor again at the next iterate
                fresh_matrix = False
            before = size
        if not converged:
            _take_back(ctx, old, start + done * h, slots.CODE_NOT_CONVERGED)
            return
        for i in range(nv):
            a1[i] = ((1.0 - af) * x[i] + af * old[i] - am * a0[i]) / (1.0 - am)
            delta[i] = h * v0[i] + h * h * ((0.5 - beta) * a0[i] + beta * a1[i])
            v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a1[i])
        for i in range(nq):
            q[i] = q0[i]
        call(routine[slots.R_RETRACT], ctx, 0, 0)
        if count[slots.N_PROJECT] > 0 and index3:
            # velocities, then accelerations, onto the constraints; positions are there already
            call(routine[slots.R_EVALUATE], ctx, 0, 0)
            for i in range(nv):
                residual[i] = 0.0
            for c in range(nc):
                rows[c] = -phi_dot[c]
            if with_tangents == 1:  # orthogonal in the metric of the mass, not of the Newton matrix
                call(routine[slots.R_FACTOR], ctx, 0, 0)
            scatter(ctx, residual, rows)
            call(routine[slots.R_SOLVE], ctx, 0, 0)
            gather(ctx, residual, change)
            energy, largest = kinetic(ctx, v), 0.0
            for i in range(nv):
                v[i] += residual[i]
                largest = max(largest, abs(residual[i]))
            scalar[slots.S_KINETIC] = max(scalar[slots.S_KINETIC], energy)
            scalar[slots.S_TAKEN] = energy - kinetic(ctx, v) if largest > STILL else 0.0
            gap = 0.0
            for c in range(nc):
                gap = max(gap, abs(phi[c]))
            if is_blow(ctx) or gap > TORN * max(extent(ctx), 1.0):  # the iteration has converged to where equations are given up
                _take_back(ctx, old, start + done * h, slots.CODE_IMPASSABLE)
                return
            call(routine[slots.R_EVALUATE], ctx, 0, 0)
            call(routine[slots.R_FORCES], ctx, 0, 0)
            for c in range(nc):
                rows[c] = mu[c] * lam[c] - gam[c]
            scatter(ctx, force, rows)
            call(routine[slots.R_SOLVE], ctx, 0, 0)
            gather(ctx, acc, change)
            for c in range(nc):
                lam[c] = -change[c]
            for i in range(nv):
                a0[i] = a1[i] + (acc[i] - x[i])
        else:
            copy(4 * nv, temp_v, kept)
            if not projected(ctx):  # of index 3, in a short step; of others nothing is
                _take_back(ctx, at(kept, 2 * nv), start + done * h, slots.CODE_IMPASSABLE)
                return
            copy(4 * nv, kept, temp_v)
            call(routine[slots.R_EVALUATE], ctx, 0, 0)
            call(routine[slots.R_FORCES], ctx, 0, 0)
            for i in range(nv):
                acc[i] = x[i]
                a0[i] = a1[i]
        add_power(ctx, power1)
        for i in range(nw):
            work[i] += 0.5 * h * (power0[i] + power1[i])
        status[slots.ST_STEPS] = done + 1
        if not accepted(ctx, 0):
            return
