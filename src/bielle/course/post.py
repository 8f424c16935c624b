"""What sensors on the mechanism would have measured: everything that the state alone does not say (section 9.3).

A run gives q and q̇. Accelerations q̈ and multipliers λ follow from the equations of motion A q̈ = B + Cᵀ λ and C q̈ = D at every sample,
without differences of neighbouring ones; efforts follow from what each interaction adds to B, and from its rows of C.
"""

import copy
from functools import cached_property

import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError, unknown
from .assembling import CourseLoop
from .parameters import Matrices
from .utils2D import rotation, rotation_a, rotation_v
from .waiting import patiently

__all__ = ["Post", "checked_run", "points_of", "times"]


@explained_methods
class Post:
    """Positions, velocities, accelerations, efforts, multipliers and energies of a run.

    ``sol`` is what ``model.transient`` returned, with n samples. In all arrays time is the last axis, as in sol.y.

    t             (n,)       times [s]
    q, dq, d2q    (n_q, n)   coordinates (x_G, z_G, θ) of every solid [m, rad] and their first and second rates
    multipliers   (n_c, n)   λ
    kinetic       (n,)       kinetic energy [J]
    potential     (n,)       energy of the weights [J], zero at z = 0

    Vectors are (2, n), and ``axes`` says along which axes their two components are:

    "world"            the Galilean ones
    "body"             those of the solid: F_S = Rᵀ F
    "frame"            those of the frame on it
    a tag of a solid   those of that solid

    The model is taken as it is when Post is made: changing it later, for another run, does not change the answers.
    """

    def __init__(self, model, sol):
        self._model = _as_it_is(model)
        self.t, y = checked_run(self._model, sol)
        n_q = self._model.n_q
        self.q, self.dq = y[:n_q].copy(), y[n_q : 2 * n_q].copy()
        self._efforts = {}  # of the interactions, once they were asked for

    # -- all coordinates

    @cached_property
    def _accelerations(self):
        """q̈ (n_q, n) and λ (n_c, n)."""
        d2q, lam = np.empty_like(self.q), np.empty((self._model.n_c, len(self.t)))
        for k, t, y in self._samples("accelerations"):
            d2q[:, k], lam[:, k] = self._model._equations.accelerations(t, y)
        return d2q, lam

    @property
    def d2q(self):
        return self._accelerations[0]

    @property
    def multipliers(self):
        return self._accelerations[1]

    @property
    def kinetic(self):
        return 0.5 * sum(np.sum(self.dq[s.ind_q] * (s.mass() @ self.dq[s.ind_q]), axis=0) for s in self._model.solids.values())

    @property
    def potential(self):
        return -sum(s.weight(self._model.param.g) @ self.q[s.ind_q] for s in self._model.solids.values())

    # -- motion of a solid and of its points

    def angle(self, tag_S):
        """θ (n,) [rad] of a solid."""
        return self.q[self._solid(tag_S).ind_q[2]].copy()

    def angular_velocity(self, tag_S):
        """θ̇ (n,) [rad/s] of a solid."""
        return self.dq[self._solid(tag_S).ind_q[2]].copy()

    def angular_acceleration(self, tag_S):
        """θ̈ (n,) [rad/s²] of a solid."""
        return self.d2q[self._solid(tag_S).ind_q[2]].copy()

    def position(self, tag_S, tag_F="G", axes="world"):
        """OP (2, n) [m] = OG + R GP of the point of a frame (2): the vector from the origin, whatever the axes."""
        q, GP = self.q[self._solid(tag_S).ind_q], self._frame(tag_S, tag_F).position
        return self._along(q[:2] + times(rotation(q), GP), axes, tag_S, tag_F)

    def velocity(self, tag_S, tag_F="G", axes="world"):
        """Velocity (2, n) [m/s] = q̇_G + θ̇ R_v GP of the point of a frame (6), with respect to the Galilean frame."""
        rows, GP = self._solid(tag_S).ind_q, self._frame(tag_S, tag_F).position
        q, dq = self.q[rows], self.dq[rows]
        return self._along(dq[:2] + dq[2] * times(rotation_v(q), GP), axes, tag_S, tag_F)

    def acceleration(self, tag_S, tag_F="G", axes="world"):
        """Acceleration (2, n) [m/s²] = q̈_G + θ̈ R_v GP + θ̇² R_a GP of the point of a frame (8), with respect to the Galilean frame.

        With axes="frame" this is what an accelerometer reads that is fixed there along the axes of the frame (section 9.3), but for
        gravity: most accelerometers feel it too, as an acceleration g upwards.
        """
        rows, GP = self._solid(tag_S).ind_q, self._frame(tag_S, tag_F).position
        q, dq, d2q = self.q[rows], self.dq[rows], self.d2q[rows]
        turning = d2q[2] * times(rotation_v(q), GP) + dq[2] ** 2 * times(rotation_a(q), GP)
        return self._along(d2q[:2] + turning, axes, tag_S, tag_F)

    # -- efforts

    def multipliers_of(self, tag_I):
        """λ (n_c, n) of the equations of one interaction."""
        return self.multipliers[np.ravel(self._interaction(tag_I).ind_c)]

    def force(self, tag_I, on=None, axes="world"):
        """Force (2, n) [N] that an interaction exerts on the solid ``on``.

        on    a tag of a solid; None: the last one of the interaction. Between two solids this is the force of the first on the second.
        axes  "body" and "frame" are those of this solid and of the frame of the interaction on it.
        """
        tag_S, tag_F = self._end(tag_I, on)
        if axes == "frame" and tag_F is None:
            raise DescriptionError(f"Interaction '{tag_I}' has no frame on solid '{tag_S}'. Take axes='body' or axes='world'.")
        return self._along(self._effort(tag_I, tag_S)[:2], axes, tag_S, tag_F)

    def moment(self, tag_I, on=None, at=None):
        """Moment (n,) [N·m] about Y that an interaction exerts on the solid ``on`` (as for :meth:`force`); positive if it makes θ grow.

        It is about the point of the interaction's own frame on this solid, or of the frame ``at``: M_P = M_G − F · R_v GP, see (15).
        """
        tag_S, tag_F = self._end(tag_I, on)
        GP = self._frame(tag_S, at if at is not None else tag_F if tag_F is not None else "G").position
        F_x, F_z, M_G = self._effort(tag_I, tag_S)
        arm = times(rotation_v(self.q[self._solid(tag_S).ind_q]), GP)
        return M_G - (F_x * arm[0] + F_z * arm[1])

    def _effort(self, tag_I, tag_S):
        """Force and moment about G (3, n) of an interaction on a solid: what it adds to B, and Cᵀ λ of its rows."""
        if tag_I not in self._efforts:
            self._efforts[tag_I] = self._efforts_of(self._interaction(tag_I))
        return self._efforts[tag_I][self._solid(tag_S).ind_q]

    def _efforts_of(self, interaction):
        """B + Cᵀ λ (n_q, n) of one interaction: it writes into matrices where nobody else does."""
        rows, lam = np.ravel(interaction.ind_c), self.multipliers
        B, C = np.zeros(len(self.q)), np.zeros((len(lam), len(self.q)))
        alone = Matrices()
        alone.__dict__.update(vars(self._model._matrices), B=B, C=C, D=np.zeros(len(lam)))
        found = np.empty_like(self.q)
        for k, t, y in self._samples("efforts"):
            alone.y = y
            B[:], C[:] = 0.0, 0.0
            interaction.assemble(t, y, alone)
            found[:, k] = B + C[rows].T @ lam[rows, k]
        return found

    def _end(self, tag_I, on):
        """The solid on which an interaction acts, and the tag of its frame there, or None if it has none."""
        interaction = self._interaction(tag_I)
        tags_S, points = _listed(getattr(interaction, "tag_S", None)), dict(points_of(interaction))
        if on is None and not tags_S:
            raise DescriptionError(f"Interaction '{tag_I}' does not say on which solid it acts. Give on='…', a tag of a solid.")
        tag_S = tags_S[-1] if on is None else on
        self._solid(tag_S)
        if tags_S and tag_S not in tags_S:
            names = " and ".join(f"'{tag}'" for tag in tags_S)
            raise DescriptionError(f"Interaction '{tag_I}' acts on {names}, not on '{tag_S}'. Give on='{tags_S[-1]}', or leave it out.")
        return tag_S, points.get(tag_S)

    # -- helpers

    def _samples(self, what):
        """Number, time and state of every sample, with a progress bar if it takes long."""
        states = np.concatenate((self.q, self.dq)).T.copy()  # a row for each
        with patiently(what) as report:
            for k, t in enumerate(self.t.tolist()):
                yield k, t, states[k]
                report((k + 1) / len(states))

    def _along(self, vector, axes, tag_S, tag_F):
        """A vector (2, n), given in Galilean axes, in others."""
        if axes == "world":
            return vector
        if axes == "body":
            theta = self.angle(tag_S)
        elif axes == "frame":
            theta = self.angle(tag_S) + self._frame(tag_S, tag_F).theta
        elif axes in self._model.solids:
            theta = self.angle(axes)
        else:
            raise unknown("choice", str(axes), ["world", "body", "frame", *map(str, self._model.solids)], "axes")
        return times(rotation((0.0, 0.0, theta)).swapaxes(0, 1), vector)

    def _solid(self, tag_S):
        return _known("solid", tag_S, self._model.solids)

    def _frame(self, tag_S, tag_F):
        return _known("frame", tag_F, self._solid(tag_S).frames, f"Solid '{tag_S}'")

    def _interaction(self, tag_I):
        return _known("interaction", tag_I, self._model.interactions)


def checked_run(model, sol):
    """Times (n,) and states (rows, n) of a run, if it can be one of this model."""
    t, y = (np.asarray(getattr(sol, name, 0.0)) for name in ("t", "y"))
    if t.ndim != 1 or y.ndim != 2 or y.shape[1] != len(t):
        known = hasattr(sol, "t") and hasattr(sol, "y")
        got = f"t of shape {t.shape} and y of shape {y.shape}" if known else f"something of type {type(sol).__name__}"
        raise DescriptionError(f"sol must be what transient returned, with t (n,) and y (rows, n), got {got}. Give model.transient(…).")
    n_q = 3 * len(model.solids)
    n_c = sum(interaction.n_c for interaction in model.interactions.values())
    if len(y) not in (2 * n_q, 2 * n_q + n_c):
        tags = ", ".join(map(str, model.solids))
        raise DescriptionError(
            f"sol has {len(y)} rows, but a run of this model has {2 * n_q}: x, z, θ and their rates for every solid ({tags}). "
            "Give what transient of this model returned, or run it again."
        )
    return t.copy(), y


def points_of(interaction):
    """The pairs (tag_S, tag_F) of an interaction: where it acts. Empty if it does not say so."""
    tags_S, tags_F = _listed(getattr(interaction, "tag_S", None)), _listed(getattr(interaction, "tag_F", None))
    return list(zip(tags_S, tags_F)) if len(tags_S) == len(tags_F) else []


def _listed(tags):
    return list(tags) if isinstance(tags, list | tuple) else [] if tags is None else [tags]


def _known(what, tag, table, where=""):
    if tag not in table:
        raise unknown(what, str(tag), map(str, table), where)
    return table[tag]


def times(R, vector):
    """R (2, 2, n) times vectors (2, n), or times one (2,) that does not change."""
    return R[:, 0] * vector[0] + R[:, 1] * vector[1]


def _as_it_is(model):
    """A copy of the model, built."""
    own = copy.copy(model)
    own._matrices = Matrices()
    given = (model.param, model.solids, model.interactions)
    try:
        own.param, own.solids, own.interactions = copy.deepcopy(given)
    except Exception:  # of a class of the student's that holds a file or the like: its attributes are then shared
        own.param, own.solids = copy.deepcopy(given[:2])
        own.interactions = {tag: copy.copy(interaction) for tag, interaction in model.interactions.items()}
    own.build(compiled=not isinstance(model._equations, CourseLoop))  # the way it was
    return own
