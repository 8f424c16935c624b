"""The equations of a course model on bielle's engine: those of :mod:`bielle.course.assembling`, compiled and sparse."""

import numpy as np

from ..errors import BielleError, DescriptionError
from ..formulations.linearisation import RateJacobian
from ..kernels import slots
from ..model import compile_mechanism
from ..simulation import prepare
from ..solvers.central import Central
from ..solvers.choice import choose
from ..solvers.leftover import leftover
from ..solvers.positions import close_positions, largest_gap
from ..solvers.recursive import SHARPER, Recursive
from ..solvers.workspace import Workspace
from .conversion import Names, to_mechanism
from .interactions.base import Interaction
from .own import Taken

__all__ = ["Compiled"]

CLOSED = 1e-6  # of the size of the mechanism: interactions that leave more than that open fight
FITS = 1e-9  # of the size, and of the velocities: what is less is rounding of what the student typed


class Compiled:
    """Evaluates the equations of a built model by compiled kernels; the same methods as :class:`bielle.course.assembling.CourseLoop`.

    All three variants of section 8.2 have the same solution, which is found in the engine's own way, without dense matrices. It holds as
    long as the interactions are what they were: see :meth:`current`.
    """

    text = "simulating"

    def __init__(self, model, variant=3):
        self.variant, self.n_c, self.model = variant, model.n_c, model
        names = self._names = Names(model)
        self._tags = {name: tag for table in (names.interactions, names.angles) for tag, name in table.items()}
        mechanism = to_mechanism(model, names, literally=True)
        prepare(mechanism, None)
        self.engine, self._start = compile_mechanism(mechanism)
        self.param = model.param
        w = self._w = Workspace(self.engine, self._start)
        w.scalar[slots.S_OMEGA], w.scalar[slots.S_XI] = float(model.param.bmgt_w0), float(model.param.bmgt_xi)
        rows = [self.engine.bodies[name] for name in names.solids.values()]
        # where x, z and −θ of every solid are in the engine's coordinates, and its multipliers in the course's order
        self._places = np.concatenate([np.arange(row.v.start, row.v.stop) for row in rows])
        self._signs = np.tile([1.0, 1.0, -1.0], len(rows))
        self._equations, self._lambda_signs = self._rows_of(self.engine), np.ones(model.n_c)
        for interaction in model.interactions.values():
            if interaction.signs:
                self._lambda_signs[interaction.ind_c] = interaction.signs
        self._callbacks = self.engine.callbacks
        self._linearise = None
        self._taken = Taken(model.interactions)
        self._refuse_fights()

    def _rows_of(self, engine):
        """Where the equations of the course (n_c,) are among those of an engine."""
        rows = np.zeros(self.n_c, dtype=np.int64)
        for tag, interaction in self.model.interactions.items():
            if interaction.n_c:
                joints = self._joints_of(tag, engine)
                rows[interaction.ind_c] = np.concatenate([np.arange(joint.equations.start, joint.equations.stop) for joint in joints])
        return rows

    def _joints_of(self, tag, engine):
        """The joints of an engine that an interaction has become: one or two."""
        return [engine.joints[name] for name in (self._names.interactions[tag], self._names.angles[tag]) if name in engine.joints]

    @property
    def calls_functions(self):
        """Whether there are functions of the student's in it, which might do anything while it is evaluated."""
        return bool(self._callbacks)

    def current(self):
        """Whether the interactions are still those that were compiled, with the same parameters."""
        return self._taken.same()

    # -- at a state of the course

    def _load(self, t, y):
        w, n = self._w, len(self._places)
        w.scalar[slots.S_TIME] = t
        w.q[self._places] = y[:n] * self._signs
        w.v[self._places] = y[n : 2 * n] * self._signs

    def _accelerate(self, t, y):
        self._load(t, y)
        self._w.accelerate()
        if self._callbacks:
            self.raise_errors()
        return self._w.acc[self._places] * self._signs

    def _multipliers(self):
        return self._w.lam[self._equations] * self._lambda_signs

    def accelerations(self, t, y):
        """q̈ (n_q,) and λ (n_c,), where A q̈ = B + Cᵀ λ."""
        return self._accelerate(t, y), self._multipliers()

    def rates(self, t, y):
        """The derivative of the state: (q̇, q̈), with variant 1 (q̇, q̈, −λ)."""
        n = len(self._places)
        out = np.empty(len(y))
        out[:n] = y[n : 2 * n]
        out[n : 2 * n] = self._accelerate(t, y)
        if self.variant == 1:
            out[2 * n :] = -self._multipliers()
        return out

    def jacobian(self, t, y):
        """∂(rates)/∂y, for implicit methods. Nothing depends on −∫λ, which follows from the rest."""
        if self._linearise is None:
            self._linearise = RateJacobian(self._w)
        self._load(t, y)
        J = self._linearise()
        self.raise_errors()
        n = len(self._places)
        both, signs = np.concatenate((self._places, n + self._places)), np.tile(self._signs, 2)
        out = np.zeros((len(y), len(y)))
        out[: 2 * n, : 2 * n] = signs[:, np.newaxis] * J[np.ix_(both, both)] * signs
        return out

    # -- the whole way

    def _at_start(self, state, t):
        """A copy of a state, at time t and with the coordinates of the start, whole turns included."""
        state, n, y = state.copy(), len(self._places), self.model._matrices.y0
        state.time = t
        state.q[self._places], state.v[self._places] = y[:n] * self._signs, y[n:] * self._signs
        return state

    def run(self, t0, rtol, atol, max_step):
        """A run of the engine's adaptive method of order 8 from the start of the model at t0.

        If constraints hold at the start they are kept to rounding, by the engine's own joints and in joint coordinates if these suit the
        model; otherwise they are stabilised as in the course. rtol and atol are those of a step, as with SciPy's methods.
        """
        tolerances = {"rtol": rtol, "atol": atol, "max_step": max_step}
        engine, start = self.engine, self._start
        if not self._closed(t0):
            solver = Central("baumgarte", omega=float(self.param.bmgt_w0), xi=float(self.param.bmgt_xi), **tolerances)
        else:
            if any(type(item).literally is not Interaction.literally for item in self.model.interactions.values()):
                engine, start = compile_mechanism(to_mechanism(self.model, self._names))
                self._callbacks = engine.callbacks
            if isinstance(choose(engine).solver, Recursive):
                tolerances |= {"rtol": min(rtol / SHARPER, 1.0), "atol": atol / SHARPER}  # it asks that much more of each joint
                solver = Recursive(**tolerances)
            else:
                solver = Central(**tolerances)
        self._run_rows = self._rows_of(engine)
        return solver.start(engine, self._at_start(start, t0))

    def _closed(self, t):
        """Whether positions and velocities fit the constraints."""
        w = self._w
        w.load(self._at_start(self._start, t))
        w.evaluate()
        self.raise_errors()
        size, speed = _size(w), 1.0 + np.abs(w.v).max(initial=0.0)
        return np.abs(w.phi).max(initial=0.0) <= FITS * size and np.abs(w.phi_dot).max(initial=0.0) <= FITS * speed

    def states(self, samples):
        """y (n_y, samples) of what a run has sampled; with variant 1, −∫λ by the trapezoidal rule between them."""
        q, v = (samples[name][:, self._places] * self._signs for name in ("q", "v"))
        y = np.concatenate((q, v), axis=1)
        if self.variant == 1:
            lam = samples["lam"][:, self._run_rows] * self._lambda_signs
            steps = np.diff(samples["t"])[:, np.newaxis] * 0.5 * (lam[1:] + lam[:-1])
            y = np.concatenate((y, -np.concatenate((np.zeros((1, self.n_c)), np.cumsum(steps, axis=0)))), axis=1)
        return y.T

    # -- what can go wrong

    def refuse_changes(self):
        """Refuse a run during which a function has changed interactions: compiled steps go on with those of the start."""
        if not self.current():
            raise DescriptionError(
                "A function of time has changed the interactions of the model during the run, which the compiled method 'bielle' does not "
                "see. Take one of SciPy's methods, such as method='DOP853'."
            )

    def raise_errors(self):
        """What a function of the student's has raised, under the tag of its interaction."""
        for callback in self._callbacks:
            if callback.error is None:
                continue
            error, cause = callback.error, callback.cause
            callback.error = callback.cause = None
            if cause is None or not isinstance(cause, Exception):
                raise cause or error
            tag = next((tag for name, tag in self._tags.items() if f"'{name}'" in callback.owner), callback.owner)
            if isinstance(cause, BielleError):
                raise type(cause)(f"Interaction '{tag}': {cause}") from cause.__cause__
            cause.add_note(f"This happened in the interaction '{tag}'.")
            raise cause

    def _refuse_fights(self):
        """Refuse constraints that no position of the solids satisfies. One that is only open at the start is closed by Baumgarte."""
        if self.n_c == 0:
            return
        w = Workspace(self.engine, self._at_start(self._start, 0.0))
        gap, size = largest_gap(w), _size(w)
        self.raise_errors()
        if gap <= CLOSED * size or close_positions(w, 1e-10 * size) <= CLOSED * size or self._closes_otherwise(w) <= CLOSED * size:
            return
        tags = [tag for tag, item in self.model.interactions.items() if item.n_c]
        gaps = {tag: max(leftover(w, joint, nearly=True) for joint in self._joints_of(tag, self.engine)) for tag in tags}
        worst = max(gap.amount for gap in gaps.values())
        fighting = ", ".join(f"'{tag}' (open by {gap})" for tag, gap in gaps.items() if gap.amount > 0.05 * worst)
        raise DescriptionError(
            f"The interactions {fighting} fight: no position of the solids satisfies all of them at once. "
            "Check the points they hold (P_t0, P_Gal) and their lengths, or remove one."
        )

    def _closes_otherwise(self, w):
        """The largest gap that least squares leave. Unlike the way that is shortest in the metric of the mass, theirs does not depend on
        masses: that one sometimes gets stuck where light solids have turned as far as they can and heavy ones should move."""
        from scipy.optimize import least_squares

        def gaps(q):
            w.q[self._places] = q
            w.evaluate()
            return w.phi[: self.engine.nc].copy()

        return float(np.abs(least_squares(gaps, self._at_start(self._start, 0.0).q[self._places], xtol=1e-12).fun).max())


def _size(w):
    """Of the mechanism, in metres, once it was evaluated."""
    return max(float(np.ptp(w.x)), 1e-3) if len(w.x) else 1.0
