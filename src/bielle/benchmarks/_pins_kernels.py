"""What the program of ``_pins_only.py`` does in its steps, compiled.

Quasi-definite KKT matrix, scalar sparse LDLᵀ (elimination tree and up-looking factorisation after T. A. Davis, *Algorithm 849: a concise
sparse Cholesky factorization package*, ACM Trans. Math. Softw. 31, 2005), two proximal iterations per evaluation, RK4. A step ends with a
mass-orthogonal projection of positions and velocities, and with further ones while gaps were not small, as the general engine does it: five
factorisations or a little more.

All is in one file, because Numba's cache notices changes of the file of a function, but not of the files of those it calls.
"""

import numpy as np
from numba import njit

__all__ = ["advance", "elimination_tree"]

PASSES, CLOSED = 10, 1e-10  # projections of a step, at most; and the largest gap after which there is no further one [m]


@njit(cache=True)
def elimination_tree(n, Ap, Ai, work, Lnz, parent):
    """Of a symmetric matrix given by the columns of its upper triangle: parents, entries of the columns of L; returns how many in all."""
    for i in range(n):
        work[i], Lnz[i], parent[i] = 0, 0, -1
    for j in range(n):
        work[j] = j
        for p in range(Ap[j], Ap[j + 1]):
            i = Ai[p]
            while work[i] != j:
                if parent[i] == -1:
                    parent[i] = j
                Lnz[i] += 1
                work[i] = j
                i = parent[i]
    return Lnz.sum()


@njit(cache=True)
def factor(n, Ap, Ai, Ax, Lp, Li, Lx, D, Dinv, Lnz, parent, mark, pattern, path, fill, y):
    """L and D of A = L D Lᵀ, row by row."""
    Lp[0] = 0
    for i in range(n):
        Lp[i + 1] = Lp[i] + Lnz[i]
        mark[i], y[i], D[i], fill[i] = 0, 0.0, 0.0, Lp[i]
    for k in range(n):
        top = 0
        for p in range(Ap[k], Ap[k + 1]):
            b = Ai[p]
            if b == k:
                D[k] = Ax[p]
                continue
            y[b] = Ax[p]
            if mark[b] == 0:
                mark[b] = 1
                path[0] = b
                length = 1
                node = parent[b]
                while node != -1 and node < k and mark[node] == 0:
                    mark[node] = 1
                    path[length] = node
                    length += 1
                    node = parent[node]
                while length > 0:
                    length -= 1
                    pattern[top] = path[length]
                    top += 1
        for t in range(top - 1, -1, -1):
            c = pattern[t]
            end, yc = fill[c], y[c]
            for j in range(Lp[c], end):
                y[Li[j]] -= Lx[j] * yc
            Li[end] = k
            value = yc * Dinv[c]
            Lx[end] = value
            D[k] -= yc * value
            fill[c] += 1
            y[c], mark[c] = 0.0, 0
        Dinv[k] = 1.0 / D[k]


@njit(cache=True)
def solve(n, Lp, Li, Lx, Dinv, x):
    """Overwrite x by A⁻¹ x."""
    for i in range(n):
        v = x[i]
        for j in range(Lp[i], Lp[i + 1]):
            x[Li[j]] -= Lx[j] * v
    for i in range(n):
        x[i] *= Dinv[i]
    for i in range(n - 1, -1, -1):
        v = x[i]
        for j in range(Lp[i], Lp[i + 1]):
            v -= Lx[j] * x[Li[j]]
        x[i] = v


@njit(cache=True)
def pins(A, pa, B, pb, q, v, phi, phi_dot, gamma, J):
    """φ = x_B − x_A of every pin, its rate, its bias, and the columns ∂φ/∂θ of both bodies."""
    for k in range(A.size):
        x, y, u, w, gx, gy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for side in range(2):
            sign = -1.0 if side == 0 else 1.0
            body = A[k] if side == 0 else B[k]
            px = pa[k, 0] if side == 0 else pb[k, 0]
            py = pa[k, 1] if side == 0 else pb[k, 1]
            if body >= 0:
                c, s, omega = np.cos(q[3 * body + 2]), np.sin(q[3 * body + 2]), v[3 * body + 2]
                rx, ry = c * px - s * py, s * px + c * py
                x += sign * (q[3 * body] + rx)
                y += sign * (q[3 * body + 1] + ry)
                u += sign * (v[3 * body] - ry * omega)
                w += sign * (v[3 * body + 1] + rx * omega)
                gx -= sign * rx * omega * omega
                gy -= sign * ry * omega * omega
                J[k, 2 * side], J[k, 2 * side + 1] = -sign * ry, sign * rx
            else:
                x += sign * px
                y += sign * py
        phi[2 * k], phi[2 * k + 1] = x, y
        phi_dot[2 * k], phi_dot[2 * k + 1] = u, w
        gamma[2 * k], gamma[2 * k + 1] = gx, gy


@njit(cache=True)
def assemble(nq, A, B, J, M, mu, place, Ax):
    """Values of the matrix (M Jᵀ; J −μ) at their places."""
    Ax[:] = 0.0
    e = 0
    for i in range(nq):
        Ax[place[e]] = M[i]
        e += 1
    for k in range(A.size):
        for side in range(2):
            if (A[k] if side == 0 else B[k]) >= 0:
                for r in range(2):
                    Ax[place[e]] = -1.0 if side == 0 else 1.0
                    Ax[place[e + 1]] = J[k, 2 * side + r]
                    e += 2
    for _ in range(2 * A.size):
        Ax[place[e]] = -mu
        e += 1


@njit(cache=True)
def kkt(n, nq, position, Lp, Li, Lx, Dinv, mu, f, d, x, y, lam, iterations):
    """Solve M x + Jᵀ λ = f, J x = d: an iteration has −μ in the corner and takes μ λ of the one before off, so that μ drops out."""
    for _ in range(iterations):
        for i in range(nq):
            y[position[i]] = f[i]
        for i in range(n - nq):
            y[position[nq + i]] = d[i] - mu * lam[i]
        solve(n, Lp, Li, Lx, Dinv, y)
        for i in range(nq):
            x[i] = y[position[i]]
        for i in range(n - nq):
            lam[i] = y[position[nq + i]]


@njit(cache=True)
def advance(nq, n, A, pa, B, pb, M, g, mu, Ap, Ai, place, position, Lnz, parent, nl, q, v, h, steps):
    """RK4 steps of h, each followed by a projection; q and v are overwritten."""
    nc = n - nq
    Ax, Lp, Li, Lx = np.zeros(Ai.size), np.zeros(n + 1, np.int64), np.zeros(nl, np.int64), np.zeros(nl)
    D, Dinv, y = np.zeros(n), np.zeros(n), np.zeros(n)
    mark, pattern, path, fill = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
    phi, phi_dot, gamma, J = np.zeros(nc), np.zeros(nc), np.zeros(nc), np.zeros((A.size, 4))
    x, rhs, lam, correction, f, d = np.zeros(n), np.zeros(n), np.zeros(nc), np.zeros(nc), np.zeros(nq), np.zeros(nc)
    kq, kv, qt, vt = np.zeros((4, nq)), np.zeros((4, nq)), np.zeros(nq), np.zeros(nq)
    fraction = np.array([0.0, 0.5, 0.5, 1.0])
    for _ in range(steps):
        for stage in range(4):
            for i in range(nq):
                qt[i] = q[i] + (h * fraction[stage] * kq[stage - 1, i] if stage > 0 else 0.0)
                vt[i] = v[i] + (h * fraction[stage] * kv[stage - 1, i] if stage > 0 else 0.0)
            pins(A, pa, B, pb, qt, vt, phi, phi_dot, gamma, J)
            assemble(nq, A, B, J, M, mu, place, Ax)
            factor(n, Ap, Ai, Ax, Lp, Li, Lx, D, Dinv, Lnz, parent, mark, pattern, path, fill, y)
            for b in range(nq // 3):
                f[3 * b], f[3 * b + 1], f[3 * b + 2] = 0.0, -M[3 * b] * g, 0.0
            for i in range(nc):
                d[i] = -gamma[i]
            kkt(n, nq, position, Lp, Li, Lx, Dinv, mu, f, d, x, rhs, lam, 2)
            for i in range(nq):
                kv[stage, i], kq[stage, i] = x[i], vt[i]
        for i in range(nq):
            q[i] += h / 6 * (kq[0, i] + 2 * kq[1, i] + 2 * kq[2, i] + kq[3, i])
            v[i] += h / 6 * (kv[0, i] + 2 * kv[1, i] + 2 * kv[2, i] + kv[3, i])
            f[i] = 0.0
        for _ in range(PASSES):
            pins(A, pa, B, pb, q, v, phi, phi_dot, gamma, J)
            assemble(nq, A, B, J, M, mu, place, Ax)
            factor(n, Ap, Ai, Ax, Lp, Li, Lx, D, Dinv, Lnz, parent, mark, pattern, path, fill, y)
            for level in range(2):
                for i in range(nc):
                    correction[i] = 0.0
                    d[i] = -phi[i] if level == 0 else -phi_dot[i]
                kkt(n, nq, position, Lp, Li, Lx, Dinv, mu, f, d, x, rhs, correction, 2)
                for i in range(nq):
                    if level == 0:
                        q[i] += x[i]
                    else:
                        v[i] += x[i]
            if not np.abs(phi).max() >= CLOSED:
                break
