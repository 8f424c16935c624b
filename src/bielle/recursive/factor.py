"""The factor of the mass matrix: M = LᵀL, as sparse as the tree is branched (Featherstone 2008, 6.4 and 6.5)."""

import math

from ..kernels.lazy import entry, helper, once
from ..kernels.pointers import at, clear
from ..kernels.tree import SINGULAR, T_MASS
from .arguments import ALIGNED, WRITEABLE
from .crba import fill_mass
from .efforts import bind_rest, bind_state

NOTHING = 1e-14  # of an entry of the diagonal: what elimination leaves of it if there is no inertia
TINY = 1e-16  # of the largest one


@entry
def factor(t, unused, arguments):
    """L, lower triangular, with M = LᵀL. Arguments: q, L."""
    n = t.count.v
    if bind_state(t, arguments, 1) and bind_rest(t, arguments, 1, T_MASS, n, n, ALIGNED | WRITEABLE):
        fill_mass(t)
        factorise(t)


@once
def factorise(t):
    """M, in T_MASS, becomes L: from the leaves to the roots, where a velocity sees only those it hangs on."""
    n, M, before, whole = t.count.v, t.mass, t.before, t.left
    largest = 0.0
    for k in range(n):
        whole[k] = M[k * n + k]
        largest = max(largest, whole[k])
        clear(n - 1 - k, at(M, k * n + k + 1))
    for k in range(n - 1, -1, -1):
        if M[k * n + k] <= max(NOTHING * whole[k], TINY * largest):
            t.count.refused = SINGULAR + t.link_of[k]
        pivot = math.sqrt(M[k * n + k])
        M[k * n + k] = pivot
        i = before[k]
        while i >= 0:
            M[k * n + i] /= pivot
            i = before[i]
        i = before[k]
        while i >= 0:
            j = i
            while j >= 0:
                M[i * n + j] -= M[k * n + i] * M[k * n + j]
                j = before[j]
            i = before[i]


@once
def solve_factored(t, L, X):
    """X ← (LᵀL)⁻¹ X of a matrix (n, n): rows take part as a whole, because they are contiguous."""
    n, before = t.count.v, t.before
    for k in range(n - 1, -1, -1):
        row = at(X, k * n)
        _divide(n, row, L[k * n + k])
        i = before[k]
        while i >= 0:
            _take_off(n, L[k * n + i], row, at(X, i * n))
            i = before[i]
    for k in range(n):
        row = at(X, k * n)
        i = before[k]
        while i >= 0:
            _take_off(n, L[k * n + i], at(X, i * n), row)
            i = before[i]
        _divide(n, row, L[k * n + k])


@helper
def _take_off(n, factor, row, other):
    """other −= factor · row"""
    for c in range(n):
        other[c] -= factor * row[c]


@helper
def _divide(n, row, by):
    inverse = 1.0 / by
    for c in range(n):
        row[c] *= inverse
