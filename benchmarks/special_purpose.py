"""A program for planar bodies and pins only, hand-written: what the general engine is compared with.

Quasi-definite KKT matrix, scalar sparse LDLᵀ (elimination tree and up-looking factorisation after Davis' LDL), two proximal iterations per
evaluation, RK4 with one mass-orthogonal projection of positions and velocities per step: five factorisations a step.
"""

import heapq
from dataclasses import dataclass

import numpy as np
from numba import njit


@njit(cache=True)
def elimination_tree(n, Ap, Ai, work, Lnz, parent):
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


def minimum_degree(n, neighbours):
    neighbours = [set(a) for a in neighbours]
    done, order = [False] * n, []
    heap = [(len(neighbours[i]), i) for i in range(n)]
    heapq.heapify(heap)
    while heap:
        degree, i = heapq.heappop(heap)
        if done[i] or degree != len(neighbours[i]):
            continue
        done[i] = True
        order.append(i)
        near = [j for j in neighbours[i] if not done[j]]
        for a in near:
            neighbours[a].discard(i)
            neighbours[a].update(b for b in near if b != a)
        for a in near:
            heapq.heappush(heap, (len(neighbours[a]), a))
    return np.array(order)


@dataclass
class PinSystem:
    """Planar bodies joined by pins: rows (a, x_a, y_a, b, x_b, y_b), −1 for the ground."""

    masses: np.ndarray
    inertias: np.ndarray
    rows: list
    mu: float = 1e-9

    def __post_init__(self):
        nb, npin = len(self.masses), len(self.rows)
        self.nq = nq = 3 * nb
        self.n = n = nq + 2 * npin
        self.A = np.array([r[0] for r in self.rows])
        self.B = np.array([r[3] for r in self.rows])
        self.pa = np.array([r[1:3] for r in self.rows], float)
        self.pb = np.array([r[4:6] for r in self.rows], float)
        neighbours = [set() for _ in range(n)]
        entries = [(i, i) for i in range(nq)]
        for k in range(npin):
            for body in (self.A[k], self.B[k]):
                if body < 0:
                    continue
                for r in range(2):
                    for c in (r, 2):
                        i, j = 3 * body + c, nq + 2 * k + r
                        entries.append((i, j))
                        neighbours[i].add(j)
                        neighbours[j].add(i)
        entries += [(i, i) for i in range(nq, n)]
        order = minimum_degree(n, neighbours)
        self.position = np.empty(n, np.int64)
        self.position[order] = np.arange(n)
        columns: dict = {}
        for e, (i, j) in enumerate(entries):
            a, b = sorted((self.position[i], self.position[j]))
            columns.setdefault((b, a), []).append(e)
        Ap = np.zeros(n + 1, np.int64)
        self.Ai, self.place = np.empty(len(columns), np.int64), np.empty(len(entries), np.int64)
        for t, key in enumerate(sorted(columns)):
            self.Ai[t] = key[1]
            Ap[key[0] + 1] += 1
            self.place[columns[key]] = t
        self.Ap = np.cumsum(Ap)
        self.M = np.column_stack([self.masses, self.masses, self.inertias]).reshape(-1)
        self.Lnz, self.parent = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.nl = elimination_tree(n, self.Ap, self.Ai, np.zeros(n, np.int64), self.Lnz, self.parent)

    def run(self, q, v, step, steps, g=9.81):
        """Advance in place; returns nothing."""
        advance(
            *(self.nq, self.n, self.A, self.pa, self.B, self.pb, self.M, g, self.mu, self.Ap, self.Ai, self.place),
            *(self.position, self.Lnz, self.parent, self.nl, q, v, step, steps),
        )


def n_four_bar(n):
    """System, q and v of the N-four-bar."""
    nb = 2 * n + 1
    q, v, rows = np.zeros(3 * nb), np.zeros(3 * nb), []
    for i in range(n + 1):
        q[3 * i : 3 * i + 3], v[3 * i : 3 * i + 3] = (i, 0.5, 0), (0.5, 0, -1)
        rows.append((-1, i, 0, i, 0, -0.5))
    for i in range(n):
        b = n + 1 + i
        q[3 * b : 3 * b + 3], v[3 * b : 3 * b + 3] = (i + 0.5, 1, 0), (1, 0, 0)
        rows += [(i, 0, 0.5, b, -0.5, 0), (i + 1, 0, 0.5, b, 0.5, 0)]
    return PinSystem(np.ones(nb), np.full(nb, 1 / 12), rows), q, v


def chain(n):
    """System, q and v of the hanging chain of n links of total length 1 m."""
    length = 1 / n
    q = np.zeros(3 * n)
    q[0::3] = (np.arange(n) + 0.5) * length
    rows = [(i - 1, 0.0 if i == 0 else length / 2, 0, i, -length / 2, 0) for i in range(n)]
    return PinSystem(np.full(n, 0.01), np.full(n, 0.01 * length**2 / 12), rows), q, np.zeros(3 * n)
