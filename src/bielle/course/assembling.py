"""The course's own loop: matrices from the interactions, accelerations from the matrices (sections 7.3 and 8.2).

A q̈ − Cᵀ λ = B          masses, efforts, and efforts of constraints
C q̈        = D          constraints, with Baumgarte's terms in D
"""

import numpy as np

from ..errors import BielleError, SingularError

__all__ = ["VARIANTS", "CourseLoop", "dependent"]


def together(A, B, C, D, ZerC):
    """q̈ and λ at once, from the whole system (20): variants 1 and 3."""
    solution = np.linalg.solve(np.block([[A, C.T], [C, ZerC]]), np.concatenate((B, D)))
    return solution[: len(B)], -solution[len(B) :]


def multipliers_first(A, B, C, D, ZerC):
    """λ = (C A⁻¹ Cᵀ)⁻¹ (D − C A⁻¹ B), then q̈ = A⁻¹ B + A⁻¹ Cᵀ λ: variant 2."""
    free = np.linalg.solve(A, B)
    answer = np.linalg.solve(A, C.T)
    lam = np.linalg.solve(C @ answer, D - C @ free)
    return free + answer @ lam, lam


VARIANTS = {1: together, 2: multipliers_first, 3: together}


class CourseLoop:
    """Evaluates the equations of a built model in Python, as the course does.

    The state is y = (q, q̇), with variant 1 y = (q, q̇, −∫λ). What replaces this class needs the same two methods; ``text`` is what the
    progress bar says.
    """

    def __init__(self, model, variant=3, own=()):
        """own: what of the model is the reason for this loop, in words."""
        self.model = model
        self.variant = variant
        self.own = own
        self._weights = model._matrices.B.copy()
        self._checked = False  # whether the constraints were found independent

    @property
    def text(self):
        return "in Python: slow" + (f" (of your own: {', '.join(self.own)})" if self.own else "")

    def assemble(self, t, y):
        """The matrices at time t in the state y: B begins as the weights, C and D as zeros, and every interaction adds its own."""
        matrices = self.model._matrices
        matrices.y = y
        matrices.B[:] = self._weights
        matrices.C[:] = 0.0
        matrices.D[:] = 0.0
        for tag, interaction in self.model.interactions.items():
            try:
                interaction.assemble(t, y, matrices)
            except BielleError as error:
                raise type(error)(f"Interaction '{tag}': {error}") from error.__cause__
            except Exception as error:  # of a student's class or function: as it is, with a hint where to look
                error.add_note(f"This happened in the interaction '{tag}' at t = {t:.6g} s.")
                raise
        return matrices

    def accelerations(self, t, y):
        """q̈ (n_q,) and λ (n_c,), where A q̈ = B + Cᵀ λ."""
        m = self.assemble(t, y)
        if not self._checked:
            self._refuse_dependent(t, m.C)
            self._checked = True
        try:
            return VARIANTS[self.variant](m.A, m.B, m.C, m.D, m.ZerC)
        except np.linalg.LinAlgError:
            self._refuse_dependent(t, m.C)
            raise SingularError(f"The equations of motion have no solution at t = {t:.6g} s. Check the masses and constraints.") from None

    def rates(self, t, y):
        """The derivative of the state: (q̇, q̈), with variant 1 (q̇, q̈, −λ)."""
        d2q, lam = self.accelerations(t, y)
        dq = y[self.model._matrices.ind_dq]
        return np.concatenate((dq, d2q, -lam) if self.variant == 1 else (dq, d2q))

    def _refuse_dependent(self, t, C):
        tags = dependent(C, self.model.interactions)
        if tags:
            names = ", ".join(f"'{tag}'" for tag in tags)
            raise SingularError(
                f"At t = {t:.6g} s the equations of {names} depend on each other: they ask for the same thing twice, or the mechanism is "
                "in a position where it is locked. Remove one of these interactions, or start from another position."
            )


def dependent(C, interactions):
    """Tags of the interactions whose rows of C (n_c, n_q) depend on each other; none if C has full rank."""
    if len(C) == 0:
        return []
    size = np.linalg.norm(C, axis=1, keepdims=True)
    U, s, _ = np.linalg.svd(C / np.where(size > 0, size, 1.0))
    silent = U[:, np.count_nonzero(s > 1e-9) :]  # combinations of rows (of length one) that vanish up to the rounding of sines and products
    rows = set(np.flatnonzero(np.abs(silent).max(axis=1, initial=0.0) > 1e-6))
    return [tag for tag, interaction in interactions.items() if rows & set(np.ravel(interaction.ind_c))]
