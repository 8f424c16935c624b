"""Accelerations and multipliers at (t, q, v): the regularised KKT system and its proximal iteration.

    M v̇ = f + Jᵀλ,   J v̇ = d = −γ − 2ξω φ̇ − ω² φ          (ω = 0: no stabilisation; φ = 0 where only velocities are bound)

Iteration k solves [M Jᵀ; J −μ] (v̇, −λ) = (f, d + μλ_k); its residual J v̇ − d = μ(λ_k − λ_{k+1}) is known for free and
tells when to stop. It is the augmented-Lagrangian iteration of Bayo et al. (T4f) with α = 1/μ.
"""

import math

from ..kernels.blocksparse import gather, scatter
from ..kernels.lazy import entry, helper
from ..kernels.pointers import at, call, clear, copy
from ..kernels.program import STILL, add_constraint_forces, kinetic, multiply_jacobian, multiply_mass

PASSES = 10  # of a projection, at most
CONVERGED = 1e-26  # square of the relative change of accelerations that ends their refinement
PENALTY_ITERATIONS = 3  # the sources find two or three enough for α in 1e5 … 1e7


@helper
def find_wanted(ctx, out):
    """out = d, what J v̇ shall be."""
    scalar, phi, phi_dot, gamma = ctx.scalar, ctx.phi, ctx.phi_dot, ctx.gamma
    omega, xi = scalar.omega, scalar.xi
    for c in range(ctx.count.c):
        out[c] = -gamma[c] - omega * (2.0 * xi * phi_dot[c] + omega * phi[c])


@entry
def accelerate(ctx, first, last):
    """Write acc and lam; forces and rates come along. ``count[N_ITERATIONS]`` bounds the iterations.

    Written as iterative refinement, (v̇, −λ) += K⁻¹(f + Jᵀλ − M v̇, d − J v̇): in exact arithmetic the proximal iteration above, but it
    removes the rounding of the factorisation too, which small pivots in closed loops would leave in the first row.
    """
    count, routine = ctx.count, ctx.routine
    call(routine.evaluate, ctx, 0, 0)
    call(routine.forces, ctx, 0, 0)
    call(routine.factor, ctx, 0, 0)
    force, acc, lam = ctx.force, ctx.acc, ctx.lam
    nv, nc = count.v, count.c
    unbalance, rows = ctx.temp_v, ctx.temp_c
    wanted = at(rows, nc)
    find_wanted(ctx, wanted)
    copy(nc, wanted, rows)
    clear(nc, lam)
    copy(nv, force, unbalance)
    clear(nv, acc)
    size, before = 0.0, 0.0
    for iteration in range(count.iterations):
        if iteration > 0:
            copy(nv, force, unbalance)
            for c in range(nc):
                rows[c] = -wanted[c]
            multiply_mass(ctx, acc, -1.0, unbalance)
            add_constraint_forces(ctx, lam, 1.0, unbalance)
            multiply_jacobian(ctx, acc, rows)
            for c in range(nc):
                rows[c] = -rows[c]
        scatter(ctx, unbalance, rows)
        call(routine.solve, ctx, 0, 0)
        gather(ctx, unbalance, rows)
        for i in range(nv):
            acc[i] += unbalance[i]
        for c in range(nc):
            lam[c] -= rows[c]
        if nc == 0:
            return
        change = largest_acceleration(ctx, unbalance)
        if iteration == 0:
            size = change + _gravity(ctx)
        elif change * change <= CONVERGED * before * size:  # the next change, if they go on as a geometric series
            return
        before = change


@helper
def largest_acceleration(ctx, a):
    """The largest (aᵀ M a)/m of a body, with the diagonal of M: the square of an acceleration [m²/s⁴], of turning about the centre too."""
    count, body_nv, body_v, body_m = ctx.count, ctx.body_nv, ctx.body_v, ctx.body_m
    mass, largest = ctx.mass, 0.0
    for b in range(count.body):
        nv, M, x = body_nv[b], at(mass, body_m[b]), at(a, body_v[b])
        total = 0.0
        for i in range(nv):
            total += M[i * nv + i] * x[i] * x[i]
        if nv > 0:
            largest = max(largest, total / M[0])
    return largest


@helper
def _gravity(ctx):
    """Its square: where nothing accelerates, changes are compared with it."""
    scalar = ctx.scalar
    x, y, z = scalar.gx, scalar.gy, scalar.gz
    return x * x + y * y + z * z


@entry
def strike(ctx, match, again):
    """v ← v + δv with M δv = p + JᵀΛ and J δv = 0, or −φ̇ if ``match``: an impulse on a mechanism, or one that makes velocities fit.

    The generalised impulse p is taken from ``delta``; the impulses Λ in the joints are left at the start of ``temp_c``. Refined like
    the accelerations above. ``again``: the matrix of the last one is still that of this position.
    """
    count, routine = ctx.count, ctx.routine
    nv, nc = count.v, count.c
    if again == 0:
        call(routine.evaluate, ctx, 0, 0)
        call(routine.factor, ctx, 0, 0)
    p, v, change, phi_dot = ctx.delta, ctx.v, ctx.acc, ctx.phi_dot
    unbalance, impulse = ctx.temp_v, ctx.temp_c
    rows = at(impulse, nc)
    clear(nv, change)
    clear(nc, impulse)
    for _ in range(6):
        copy(nv, p, unbalance)
        multiply_mass(ctx, change, -1.0, unbalance)
        add_constraint_forces(ctx, impulse, 1.0, unbalance)
        for c in range(nc):
            rows[c] = phi_dot[c] if match == 1 else 0.0
        multiply_jacobian(ctx, change, rows)
        for c in range(nc):
            rows[c] = -rows[c]
        scatter(ctx, unbalance, rows)
        call(routine.solve, ctx, 0, 0)
        gather(ctx, unbalance, rows)
        for i in range(nv):
            change[i] += unbalance[i]
        for c in range(nc):
            impulse[c] -= rows[c]
    for i in range(nv):
        v[i] += change[i]


@helper
def _correction(ctx, gap, out, iterations):
    """out = −M⁻¹Jᵀ(JM⁻¹Jᵀ)⁻¹ gap: the smallest change, in the metric of the mass, that closes the gap to first order; the largest gap.

    Refined like accelerations, but only until a millionth of the gap is left: the next pass closes that. Equations are compared by r²/μ, so
    that lengths compare with angles, and light bodies with heavy ones.
    """
    count, routine, mu = ctx.count, ctx.routine, ctx.mu
    nv, nc = count.v, count.c
    unbalance, multiplier = ctx.temp_v, ctx.temp_c
    rows = at(multiplier, nc)
    largest, size = 0.0, 0.0
    clear(nv, out)
    clear(nc, multiplier)
    for c in range(nc):
        largest, size = max(largest, abs(gap[c])), max(size, gap[c] * gap[c] / mu[c])
    for iteration in range(iterations):
        clear(nv, unbalance)
        copy(nc, gap, rows)
        if iteration > 0:
            multiply_mass(ctx, out, -1.0, unbalance)
            add_constraint_forces(ctx, multiplier, 1.0, unbalance)
            multiply_jacobian(ctx, out, rows)
        for c in range(nc):
            rows[c] = -rows[c]
        scatter(ctx, unbalance, rows)
        call(routine.solve, ctx, 0, 0)
        gather(ctx, unbalance, rows)
        left = 0.0
        for i in range(nv):
            out[i] += unbalance[i]
        for c in range(nc):
            multiplier[c] -= rows[c]
            left = max(left, mu[c] * rows[c] * rows[c])
        if left <= 1e-12 * size:
            break
    return largest


@helper
def settled(n, worst, delta, change, v, length):
    """Whether a pass of the projection that closes gaps of at most ``worst`` by δq and φ̇ by δv may be the last one.

    Near a singular position small gaps ask for large corrections, and J turns with them by δq over the distance s from there. Velocities
    projected with the J of before would lose ½|δv|² to that turn. So while δv is more than 10⁻⁶ of v, positions go first.
    ``length``: what gaps are compared with.
    """
    if not worst < 1e-10 * length:
        return not math.isfinite(worst)
    moved, changed, speed = 0.0, 0.0, 0.0
    for i in range(n):
        moved, changed, speed = max(moved, abs(delta[i])), max(changed, abs(change[i])), max(speed, abs(v[i]))
    return moved < 1e-10 * length or changed <= 1e-6 * speed


@helper
def moves(n, change):
    """Whether a change of velocities is more than noise at rest."""
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(change[i]))
    return largest > STILL


@helper
def book_loss(ctx, before, after):
    """Write scalar[S_TAKEN], the kinetic energy that a projection has taken, and scalar[S_KINETIC], the largest there was so far."""
    scalar = ctx.scalar
    scalar.taken = before - after
    scalar.kinetic = max(scalar.kinetic, before, after)


@entry
def project(ctx, first, iterations):
    """Move q and v onto the constraints along the shortest way in the metric of the mass.

    δq = −M⁻¹Jᵀ(JM⁻¹Jᵀ)⁻¹ φ, δv likewise with φ̇; repeated while φ is not yet in the range where one pass squares it away. Velocities
    follow at the end, where J is that of the position found; see :func:`settled`.
    Left for whoever asks whether that went well: the last gap in scalar[S_VIOLATION], and what was taken in scalar[S_TAKEN].
    Equations of velocities have φ = 0 and stand in J: the correction of positions obeys them too, so that what rolls does not slip in it.
    """
    count, routine, scalar = ctx.count, ctx.routine, ctx.scalar
    nv, delta, v, change = count.v, ctx.delta, ctx.v, ctx.acc
    if count.c == 0:
        clear(nv, delta)
        call(routine.retract, ctx, 0, 0)  # still brings quaternions back to unit length
        return
    for attempt in range(PASSES):
        call(routine.evaluate, ctx, 0, 0)
        call(routine.factor, ctx, 0, 0)
        worst = _correction(ctx, ctx.phi, delta, iterations)
        _correction(ctx, ctx.phi_dot, change, iterations)
        call(routine.retract, ctx, 0, 0)
        scalar.violation = worst
        if attempt == PASSES - 1 or settled(nv, worst, delta, change, v, scalar.length):
            before = kinetic(ctx, v)
            for i in range(nv):
                v[i] += change[i]
            book_loss(ctx, before, kinetic(ctx, v) if moves(nv, change) else before)
            return
