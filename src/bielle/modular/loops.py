"""Forces of loose joints by iteration, with components that answer exactly.

A joint j is told by the components it holds on to what its rows J a are, and asks for d. With a = a₀ + R Jᵀλ, R the response of the
components (inside joints and all), the forces of the loose joints solve

    S λ = d − J a₀,   S = J R Jᵀ

RELAX       every joint corrects its force by the mass it sees: λ ← λ + m (d − J a), Jacobi's iteration; it converges by the criterion of
            :mod:`bielle.modular.criterion`, in a number of iterations that grows with the square of the length of a chain
CONJUGATE   corrections are combined along conjugate directions: about as many iterations as there are rows, at most. Rows that depend on
            others leave S singular, so that S + μ is solved, with the same small μ as inside components

Either asks for the response of every component once per iteration.
"""

import math

from ..kernels.lazy import entry, helper
from ..kernels.pointers import at, plan_at
from .criterion import weigh
from .pieces import add_loose, clear_bodies, load_rows, solve

CONJUGATE, RELAX = 0, 1
EXACT = 1e-9  # of the largest row wanted, at the start and at the end of a step: what μ leaves open inside components, too
HELD = 0.03  # of the accelerations that joints hold against: as good as wanted
FRACTION = 1e-2  # of the largest gap, at most: what a pass that closes gaps may leave open


@helper
def find_rows(ctx, plan, x, out):
    """out = J x for the loose joints; x stands in the order of the right-hand side."""
    inside = plan.inside
    loose, joint_c, jb_start, jb_body = plan.loose, ctx.joint_c, ctx.jb_start, ctx.jb_body
    jac, jb_offset = ctx.jac, ctx.jb_offset
    body_nv, body_row = ctx.body_nv, inside.body_row
    for n in range(plan.n_loose):
        j = loose[n]
        c0 = joint_c[j]
        for r in range(joint_c[j + 1] - c0):
            total = 0.0
            for s in range(jb_start[j], jb_start[j + 1]):
                nv, row = body_nv[jb_body[s]], body_row[jb_body[s]]
                for i in range(nv):
                    total += jac[jb_offset[s] + r * nv + i] * x[row + i]
            out[c0 + r] = total


@entry
def iterate(ctx, unused, gaps):
    """Find λ of the loose joints such that J x = d, P_WANTED, to the tolerance; x, the answer to the present λ, is kept up to date.

    gaps 1: x closes gaps, and λ is P_MORE.
    """
    plan = plan_at(ctx.routine.plan)
    account = plan.account
    n = _iterate(ctx, plan, gaps)
    account.solutions += 1
    account.iterations += min(n, plan.iterations)
    account.most = max(account.most, min(n, plan.iterations))
    account.open += 1 if n > plan.iterations else 0


@helper
def _tolerance(ctx, plan, gaps, residual):
    """On the rows J x, at the largest, in their scales; residual: what they are off at first.

    It is relative. Near a singular position what is left of φ̇ or φ/h, r, stands for a velocity r/σ with a small singular value σ of J.
    The next step turns it into about r/σ · h σ̇/σ, and takes it off again. A bound that does not fall with the step would have steps
    lose more, the shorter they are.
    """
    wanted, scale, largest = plan.wanted, plan.scale, 0.0
    for c in range(ctx.count.c):
        largest = max(largest, abs(wanted[c]) / scale[c])
    if gaps == 1:
        return min(0.1 * plan.number.tolerance / ctx.scalar.step, FRACTION * largest)
    loose, joint_c, lam, lightness = plan.loose, ctx.joint_c, ctx.lam, plan.lightness
    for n in range(plan.n_loose):  # where nothing moves, nothing is wanted either: then joints hold against something
        for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
            largest = max(largest, HELD * max(abs(residual[c]), lightness[c] * abs(lam[c])) / scale[c])
    return EXACT * largest


@helper
def _inverse_mass(ctx, j, r, jac, mass):
    """Σ J²/M_ii of row r of joint j."""
    jb_start, jb_body, jb_offset = ctx.jb_start, ctx.jb_body, ctx.jb_offset
    body_nv, body_m, total = ctx.body_nv, ctx.body_m, 0.0
    for s in range(jb_start[j], jb_start[j + 1]):
        nv, m = body_nv[jb_body[s]], body_m[jb_body[s]]
        for i in range(nv):
            J = jac[jb_offset[s] + r * nv + i]
            total += J * J / mass[m + i * nv + i]
    return total


@helper
def _see_lightness(ctx, plan):
    """Σ J_ci²/M_ii of the rows of loose joints."""
    loose, joint_c, jac, mass = plan.loose, ctx.joint_c, ctx.jac, ctx.mass
    lightness, mu = plan.lightness, ctx.mu
    for n in range(plan.n_loose):
        j = loose[n]
        for c in range(joint_c[j], joint_c[j + 1]):
            seen = _inverse_mass(ctx, j, c - joint_c[j], jac, mass)
            lightness[c] = seen if seen > 0.0 else mu[c]


@helper
def _iterate(ctx, plan, gaps):
    """The number of iterations; more than allowed if that was not enough."""
    scale = plan.scale
    wanted, lam = plan.wanted, plan.more if gaps == 1 else ctx.lam
    x = plan.inside.rhs
    inside, loose, joint_c = plan.inside, plan.loose, ctx.joint_c
    mu = ctx.mu
    residual, direction, image, response = plan.row, plan.direction, plan.answer, plan.response
    count = inside.count
    length = count.v + count.c
    find_rows(ctx, plan, x, residual)
    energy, worst = 0.0, 0.0
    lightness = plan.lightness
    _see_lightness(ctx, plan)
    for n in range(plan.n_loose):
        for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
            residual[c] = wanted[c] - residual[c]
            worst = max(worst, abs(residual[c]) / scale[c])
            direction[c] = residual[c] / lightness[c]
            energy += residual[c] * direction[c]
    tolerance = _tolerance(ctx, plan, gaps, residual)
    for iteration in range(plan.iterations):
        if worst <= tolerance or not math.isfinite(worst):
            return iteration
        if plan.method == RELAX:
            for n in range(plan.n_loose):
                j = loose[n]
                for c in range(joint_c[j], joint_c[j + 1]):
                    direction[c] = residual[c]
                weigh(ctx, plan, j, at(direction, joint_c[j]))
        for c in range(plan.n_component):
            clear_bodies(ctx, plan, c, response)
            load_rows(ctx, plan, c, direction, 0.0, response)
            add_loose(ctx, plan, c, direction, response)
            solve(plan, c, 1)
        find_rows(ctx, plan, response, image)
        length_of_step = 1.0
        if plan.method == CONJUGATE:
            curvature = 0.0
            for n in range(plan.n_loose):
                for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
                    image[c] += mu[c] * direction[c]
                    curvature += direction[c] * image[c]
            if not curvature > 0.0:
                return plan.iterations + 1
            length_of_step = energy / curvature
        for i in range(length):
            x[i] += length_of_step * response[i]
        fresh, worst = 0.0, 0.0
        for n in range(plan.n_loose):
            for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
                lam[c] += length_of_step * direction[c]
                residual[c] -= length_of_step * image[c]
                worst = max(worst, abs(residual[c]) / scale[c])
                fresh += residual[c] * residual[c] / lightness[c]
        ratio = fresh / energy
        energy = fresh
        if plan.method == CONJUGATE:
            for n in range(plan.n_loose):
                for c in range(joint_c[loose[n]], joint_c[loose[n] + 1]):
                    direction[c] = residual[c] / lightness[c] + ratio * direction[c]
    return plan.iterations + (1 if worst > tolerance else 0)
