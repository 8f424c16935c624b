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
from ..kernels.pointers import at, call, copy
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
    count, body_nv, body_v, body_m = ctx.count, ctx.body_nv, ctx.body_v, ctx.body_m
    mass = ctx.mass
    largest = 0.0
    for b in range(count.body):
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
    count, scalar = ctx.count, ctx.scalar
    mass, hat = ctx.mass, ctx.mass_hat
    body_nv, body_m = ctx.body_nv, ctx.body_m
    for b in range(count.body):
        for i in range(body_nv[b] * body_nv[b]):
            hat[body_m[b] + i] = mass[body_m[b] + i]
    couple, coupling = ctx.couple, ctx.coupling
    for c in range(count.couple):
        for i in range(couple[6 * c + 4] * couple[6 * c + 5]):
            coupling[couple[6 * c + 2] + i] = 0.0
    dim = count.dim
    joint_e, joint_c, joint_g = ctx.joint_e, ctx.joint_c, ctx.joint_g
    g_all, lam, effort, x_force = ctx.g, ctx.lam, ctx.x_effort, ctx.x_force
    for j in range(count.joint):
        start, width = dim * joint_e[j], dim * (joint_e[j + 1] - joint_e[j])
        for k in range(width):
            total = 0.0
            for c in range(joint_c[j], joint_c[j + 1]):
                total += g_all[joint_g[j] + (c - joint_c[j]) * width + k] * lam[c]
            effort[start + k] = total
    force_e = ctx.force_e
    for k in range(dim * force_e[0], dim * force_e[count.force]):  # elements of watches feel nothing: zero, as allocated
        effort[k] = x_force[k]
    run(ctx, ctx.stiffness, count.stiffness)
    run(ctx, ctx.tangents, count.tangents)
    force_k, elem_body, elem_j = ctx.force_k, ctx.elem_body, ctx.elem_j
    stiff, damp, x_jac = ctx.x_stiff, ctx.x_damp, ctx.x_jac
    gamma, beta = scalar.gamma_h, scalar.beta_h
    c = 0
    for f in range(count.force):
        e0, e1, k0 = force_e[f], force_e[f + 1], force_k[f]
        width = dim * (e1 - e0)
        # the couplings of this force are the next ones in the list
        while c < count.couple and couple[6 * c] < f:
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
                    while s < count.couple and couple[6 * s] == f:
                        if couple[6 * s + 1] == b * count.body + d:
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
    count = ctx.count
    copy(count.q, ctx.q0, ctx.q)
    copy(count.v, ctx.v0, ctx.v)
    copy(count.v, acc, ctx.acc)
    ctx.scalar.time = time
    ctx.status.code = code


@entry
def steps(ctx, n_steps, unused):
    """Advance ``n_steps`` fixed steps; samples every ``count.every`` steps, at the start of the step."""
    count, status, scalar, routine = ctx.count, ctx.status, ctx.scalar, ctx.routine
    nq, nv, nc = count.q, count.v, count.c
    q, v, work, lam = ctx.q, ctx.v, ctx.work, ctx.lam
    q0, v0, a0, acc = ctx.q0, ctx.v0, ctx.a0, ctx.acc
    delta, force = ctx.delta, ctx.force
    phi, phi_dot, gam, mu = ctx.phi, ctx.phi_dot, ctx.gamma, ctx.mu
    temp_v, temp_c, level = ctx.temp_v, ctx.temp_c, ctx.level
    x, residual, old, a1 = temp_v, at(temp_v, nv), at(temp_v, 2 * nv), at(temp_v, 3 * nv)
    rows, change = temp_c, at(temp_c, nc)
    kept = ctx.stage_v  # what projecting would write over
    nw = count.work
    power0, power1 = ctx.stage_w, at(ctx.stage_w, nw)
    h, start = scalar.step, scalar.time0
    beta, gamma, am, af = scalar.beta, scalar.gamma, scalar.alpha_m, scalar.alpha_f
    ratio = (1.0 - af) / (1.0 - am)
    beta_h, gamma_h = beta * h * h * ratio, gamma * h * ratio
    scalar.beta_h, scalar.gamma_h = beta_h, gamma_h
    index3 = count.index3 == 1
    omega, xi, tolerance = scalar.omega, scalar.xi, scalar.tol
    # rows are divided by what multiplies J in their derivative: β' for φ, γ' for φ̇, one and the stabilisation for φ̈
    damping, spring = 2.0 * xi * omega, omega * omega
    with_tangents = 1 if count.tangents + count.stiffness > 0 else 0
    for _ in range(n_steps):
        done = status.steps
        if status.fresh == 0:  # first step, or after the state was changed from outside
            scalar.time = start + done * h
            call(routine.accelerate, ctx, 0, 0)
            for i in range(nv):
                a0[i] = acc[i]
            status.fresh = 1
        if stopped_by_watch(ctx):
            return
        if done % count.every == 0:
            record(ctx)
        add_power(ctx, power0)
        for i in range(nq):
            q0[i] = q[i]
        for i in range(nv):
            v0[i] = v[i]
            old[i] = acc[i]
            x[i] = acc[i]
        scalar.time = start + (done + 1) * h
        converged = False
        before = 1e300
        fresh_matrix = False
        for _ in range(30):
            status.iterations += 1
            for i in range(nv):
                a1[i] = ((1.0 - af) * x[i] + af * old[i] - am * a0[i]) / (1.0 - am)
                delta[i] = h * v0[i] + h * h * ((0.5 - beta) * a0[i] + beta * a1[i])
                v[i] = v0[i] + h * ((1.0 - gamma) * a0[i] + gamma * a1[i])
            for i in range(nq):
                q[i] = q0[i]
            call(routine.retract, ctx, 0, 0)
            call(routine.evaluate, ctx, 0, 0)
            call(routine.forces, ctx, 0, 0)
            if not fresh_matrix:
                if with_tangents == 1:
                    call(routine.tangents, ctx, 0, 0)
                call(routine.factor, ctx, with_tangents, 0)
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
            call(routine.solve, ctx, 0, 0)
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
        call(routine.retract, ctx, 0, 0)
        if count.project > 0 and index3:
            # velocities, then accelerations, onto the constraints; positions are there already
            call(routine.evaluate, ctx, 0, 0)
            for i in range(nv):
                residual[i] = 0.0
            for c in range(nc):
                rows[c] = -phi_dot[c]
            if with_tangents == 1:  # orthogonal in the metric of the mass, not of the Newton matrix
                call(routine.factor, ctx, 0, 0)
            scatter(ctx, residual, rows)
            call(routine.solve, ctx, 0, 0)
            gather(ctx, residual, change)
            energy, largest = kinetic(ctx, v), 0.0
            for i in range(nv):
                v[i] += residual[i]
                largest = max(largest, abs(residual[i]))
            scalar.kinetic = max(scalar.kinetic, energy)
            scalar.taken = energy - kinetic(ctx, v) if largest > STILL else 0.0
            gap = 0.0
            for c in range(nc):
                gap = max(gap, abs(phi[c]))
            if is_blow(ctx) or gap > TORN * max(extent(ctx), 1.0):  # the iteration has converged to where equations are given up
                _take_back(ctx, old, start + done * h, slots.CODE_IMPASSABLE)
                return
            call(routine.evaluate, ctx, 0, 0)
            call(routine.forces, ctx, 0, 0)
            for c in range(nc):
                rows[c] = mu[c] * lam[c] - gam[c]
            scatter(ctx, force, rows)
            call(routine.solve, ctx, 0, 0)
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
            call(routine.evaluate, ctx, 0, 0)
            call(routine.forces, ctx, 0, 0)
            for i in range(nv):
                acc[i] = x[i]
                a0[i] = a1[i]
        add_power(ctx, power1)
        for i in range(nw):
            work[i] += 0.5 * h * (power0[i] + power1[i])
        status.steps = done + 1
        if not accepted(ctx, 0):
            return
