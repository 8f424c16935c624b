"""Regularisation μ of the KKT matrix [M Jᵀ; J −μ]: how soft each equation is, until refinement takes that away.

An equation φ̇ = Σ G_e ẋ_e of points and directions x_e gets

    μ = Σ_e |G_e|² max(ε w, ρ w_e)

where w_e is the inverse mass (of a direction: inverse inertia) that element e has on its body, and w that of the heaviest body near by. So
μ is small, too, beside the inverse mass that heavy bodies show through a light or thin one; and an equation is given up near a singular
position of the geometry, whatever the masses. ρ keeps μ above the rounding of the elimination.

Directions are softer than points: linkages in space whose equations are redundant everywhere (Bricard's) are so by their axes,
to first order only, and between two projections that must not count.

Only loops have singular positions. Equations outside all loops are independent wherever they are, and have ε = 0: then two solutions are
enough for chains of a thousand bodies, which multiply μ by the square of their number.
"""

import math

from .lazy import entry, helper
from .pointers import at, clear

ROUNDING = 1e-14  #: ρ: pivots that are less than this of what they come from are noise
NEIGHBOURHOOD = 8  #: sweeps over the joints in which bodies hear of heavier neighbours
FADING = 3.0  #: per joint, how much less a neighbour counts
CLOSE = 1.01  #: ratio below which it is no news


@entry
def regularise(ctx, first, last):
    """μ of every equation, at the present position (after an evaluation)."""
    count, scalar = ctx.count, ctx.scalar
    joint_e, joint_c, joint_g = ctx.joint_e, ctx.joint_c, ctx.joint_g
    block, is_point, body = ctx.elem_block, ctx.elem_point, ctx.elem_body
    jb_start, jb_body, body_v = ctx.jb_start, ctx.jb_body, ctx.body_v
    mu, all_G = ctx.mu, ctx.g
    dim, nv, epsilon, turning = count.dim, count.v, scalar.mu, scalar.turning
    lightness = ctx.temp_v  # inverse mass of each body, at its first velocity; then inverse inertia
    in_loops = at(lightness, 4 * nv)
    clear(2 * nv, lightness)
    if find_loops(ctx, in_loops):
        find_lightness(ctx, lightness)
    for j in range(count.joint):
        softness = epsilon
        for s in range(jb_start[j], jb_start[j + 1]):
            if in_loops[body_v[jb_body[s]]] == 0.0:
                softness = 0.0
        e0, c0, width = joint_e[j], joint_c[j], dim * (joint_e[j + 1] - joint_e[j])
        G, rows, largest = at(all_G, joint_g[j]), joint_c[j + 1] - c0, 0.0
        clear(rows, at(mu, c0))
        for e in range(e0, joint_e[j + 1]):
            if block[e] < 0:
                continue
            near = lightness[body_v[body[e]]] if is_point[e] == 1 else turning * lightness[nv + body_v[body[e]]]
            weight = max(softness * near, ROUNDING * _inverse_mass(ctx, e))
            for r in range(rows):
                for k in range(dim):
                    g = G[r * width + dim * (e - e0) + k]
                    mu[c0 + r] += weight * g * g
        for r in range(rows):
            largest = max(largest, mu[c0 + r])
        for c in range(joint_c[j], joint_c[j + 1]):  # an equation that says nothing here takes its neighbours' scale
            if mu[c] == 0.0:
                mu[c] = largest if largest > 0.0 else epsilon


@helper
def _inverse_mass(ctx, e):
    """Of element e: the mean over directions of (J M⁻¹ Jᵀ), with the diagonal of M."""
    b, dim = ctx.elem_body[e], ctx.count.dim
    nv, M, J = (
        ctx.body_nv[b],
        at(ctx.mass, ctx.body_m[b]),
        at(ctx.x_jac, ctx.elem_j[e]),
    )
    total = 0.0
    for i in range(nv):
        square = 0.0
        for k in range(dim):
            square += J[k * nv + i] * J[k * nv + i]
        total += square / M[i * nv + i]
    return total / dim


@helper
def find_lightness(ctx, out):
    """Of each body, the smallest inverse mass of a point and (nv further on) of a direction, of its own or of a neighbour's.

    What moves a body at an arm ℓ turns it, and the other way round: 1/I ≤ 1/(mℓ²) and 1/m ≤ ℓ²/I, with ℓ the distance of its joints. A
    neighbour counts by a third for each joint in between: what is a long way off has singular positions of its own.
    """
    count, joint_e, block = ctx.count, ctx.joint_e, ctx.elem_block
    is_point, body, body_v = ctx.elem_point, ctx.elem_body, ctx.body_v
    nj, nv, dim, x = count.joint, count.v, count.dim, ctx.x
    square_of_arm, seen = at(out, 2 * nv), at(out, 3 * nv)
    for i in range(nv):
        out[i], out[nv + i], square_of_arm[i], seen[i] = math.inf, math.inf, 0.0, -1.0
    for e in range(joint_e[0], joint_e[nj]):
        if block[e] >= 0:
            b = body_v[body[e]]
            place = b if is_point[e] == 1 else nv + b
            out[place] = min(out[place], _inverse_mass(ctx, e))
            if is_point[e] == 1:
                if seen[b] < 0.0:
                    seen[b] = e
                square, other = 0.0, int(seen[b])
                for k in range(dim):
                    square += (x[dim * e + k] - x[dim * other + k]) ** 2
                square_of_arm[b] = max(square_of_arm[b], square)
    news = 1
    for _ in range(NEIGHBOURHOOD):
        if news == 0:
            break
        news = 0
        for j in range(nj):
            mass, inertia = math.inf, math.inf  # the inverse of both
            for e in range(joint_e[j], joint_e[j + 1]):
                if block[e] >= 0:
                    b = body_v[body[e]]
                    if square_of_arm[b] > 0.0:
                        news = 1 if out[b] > CLOSE * out[nv + b] * square_of_arm[b] else news
                        out[b] = min(out[b], out[nv + b] * square_of_arm[b])
                        out[nv + b] = min(out[nv + b], out[b] / square_of_arm[b])
                    mass, inertia = min(mass, out[b]), min(inertia, out[nv + b])
            for e in range(joint_e[j], joint_e[j + 1]):
                if block[e] >= 0:
                    b = body_v[body[e]]
                    news = 1 if out[b] > FADING * CLOSE * mass or out[nv + b] > FADING * CLOSE * inertia else news
                    out[b], out[nv + b] = min(out[b], FADING * mass), min(out[nv + b], FADING * inertia)


@helper
def find_loops(ctx, out):
    """Of each body, how many of its joints may be in a loop; 0: none of them is. Returns how many bodies have any.

    Bodies on which one joint is left are taken away with it, again and again, if it is one that bodies can hang on: its equations are
    independent of all others in every position. A body need not know its joints for that: how many are left, and the sum of their numbers,
    tell which one is the last. The ground is never taken away. Equations between a body's own coordinates go with the body.
    """
    count, joint_h, body_nv = ctx.count, ctx.joint_h, ctx.body_nv
    jb_start, jb_body, body_v = ctx.jb_start, ctx.jb_body, ctx.body_v
    nv, left, numbers = count.v, out, at(out, count.v)  # at the first velocity of each body
    clear(2 * nv, out)
    for j in range(count.joint - count.internal):
        for s in range(jb_start[j], jb_start[j + 1]):
            b = body_v[jb_body[s]]
            left[b], numbers[b] = left[b] + 1.0, numbers[b] + j
    for start in range(count.body):
        body = start if body_nv[start] > 0 else -1
        while body >= 0 and left[body_v[body]] == 1.0:
            j, leaf = int(numbers[body_v[body]]), body
            if joint_h[j + 1] == joint_h[j]:
                break
            body = -1
            for s in range(jb_start[j], jb_start[j + 1]):
                b = body_v[jb_body[s]]
                left[b], numbers[b] = left[b] - 1.0, numbers[b] - j
                if jb_body[s] != leaf:
                    body = jb_body[s]
    bodies = 0
    for b in range(count.body):
        if body_nv[b] > 0 and left[body_v[b]] > 0.0:
            bodies += 1
    return bodies
