"""What interactions share: the solids and frames they act on, and the rows they write.

An interaction is any class with ``label``, ``n_c`` (number of constraint equations), ``tag_S``, ``tag_F`` (tags of its solids and frames),
``_build(solids, param)``, called once before a run, and ``assemble(t, y, matrices)``, called whenever accelerations are needed: it adds
efforts to ``matrices.B``, or writes its rows ``ind_c`` (set by the model) of ``matrices.C`` and ``matrices.D``, and returns the matrices.
The classes below only spare repetition; one of your own need not inherit from them.
"""

from typing import Any

import numpy as np

from ...calls import explained
from ...errors import DescriptionError, unknown
from ..checks import number, shown
from ..joints import add_angle

__all__ = ["Constraint2s", "Interaction", "KeepsAngle", "OneSolid", "TwoSolids", "check_tags", "required"]


changes = [0]  # how often an attribute of any interaction was set: who has compiled one looks here whether it may still be the same


class Interaction:
    """Mother of the interactions here."""

    signs: tuple = ()  # of the multipliers of the joint that :meth:`into` makes, where they are not those of the course

    def __init_subclass__(cls):
        """Arguments that a kind does not have are told by name, with the nearest."""
        if "__init__" in vars(cls):
            cls.__init__ = explained(cls.__init__, method=True)

    def __init__(self, label, tag_S, tag_F, n_c=0):
        self.label = label  # name, for people
        self.n_c = n_c  # number of constraint equations
        self.ind_c: Any = 0  # their rows in C and D: set by the model
        self.tag_S = tag_S  # tags of the solids
        self.tag_F = tag_F  # tags of the frames

    def __setattr__(self, name, value):
        changes[0] += 1
        super().__setattr__(name, value)

    def _build(self, solids, param):
        """Note what does not change during a run: the coefficients of Baumgarte's stabilisation (section 8.1)."""
        self.bmgt_2xiw0 = 2 * param.bmgt_xi * param.bmgt_w0
        self.bmgt_w02 = param.bmgt_w0**2

    def assemble(self, t, y, matrices):
        raise NotImplementedError(f"{type(self).__name__} has no method assemble(t, y, matrices): write one.")

    def into(self, m, name, ends):
        """Add the counterpart of this interaction, which is built, to a mechanism m; ends: names of its frames there."""
        raise NotImplementedError

    def literally(self, m, name, second, ends):
        """The same by the very equations of this class, also where they do not hold: in one joint, or in two, of which the second has that
        name and the last equation."""
        self.into(m, name, ends)

    def stabilised(self, D, g, dg):
        """D − 2 ξ ω ġ − ω² g."""
        return D - self.bmgt_2xiw0 * dg - self.bmgt_w02 * g


class OneSolid(Interaction):
    """Between point A of a solid and the Galilean frame."""

    def __init__(self, label, tag_S, tag_F, n_c=0):
        for name, tag in (("tag_S", tag_S), ("tag_F", tag_F)):
            if isinstance(tag, list | tuple):
                raise DescriptionError(f"{name} of {type(self).__name__} must be one tag, got {shown(tag)}. Give {name}='…'.")
        super().__init__(label, tag_S, tag_F, n_c)
        self.ind_q_a, self.ind_dq_a, self.GP_a = [], [], []

    def _build(self, solids, param):
        super()._build(solids, param)
        solid = solids[self.tag_S]
        self.ind_q_a, self.ind_dq_a = solid.ind_q, solid.ind_dq
        self.GP_a = solid.frames[self.tag_F].position


class TwoSolids(Interaction):
    """Between point A of solid a and point B of solid b."""

    def __init__(self, label, tag_S, tag_F, n_c=0):
        for name, tags in (("tag_S", tag_S), ("tag_F", tag_F)):
            if not isinstance(tags, list | tuple) or len(tags) != 2:
                raise DescriptionError(f"{name} of {type(self).__name__} must be two tags, got {shown(tags)}. Give {name}=['…', '…'].")
        if tag_S[0] == tag_S[1]:
            raise DescriptionError(f"{type(self).__name__} is between two solids, got {shown(tag_S[0])} twice. Give two different tag_S.")
        super().__init__(label, list(tag_S), list(tag_F), n_c)
        self.ind_q_a, self.ind_dq_a, self.GP_a = [], [], []
        self.ind_q_b, self.ind_dq_b, self.GP_b = [], [], []

    def _build(self, solids, param):
        super()._build(solids, param)
        s_a, s_b = (solids[tag] for tag in self.tag_S)
        self.ind_q_a, self.ind_dq_a = s_a.ind_q, s_a.ind_dq
        self.GP_a = s_a.frames[self.tag_F[0]].position
        self.ind_q_b, self.ind_dq_b = s_b.ind_q, s_b.ind_dq
        self.GP_b = s_b.frames[self.tag_F[1]].position


class Constraint2s(TwoSolids):
    """g(q_a, q_b) = 0, imposed as g̈ = C_a q̈_a + C_b q̈_b − D = 0 and stabilised. A kind of constraint is its ``equations``."""

    def equations(self, q_a, dq_a, q_b, dq_b) -> tuple:
        """C_a (n_c, 3), C_b (n_c, 3), D, g and ġ (n_c,)."""
        raise NotImplementedError

    def assemble(self, t, y, matrices):
        Ca, Cb, D, g, dg = self.equations(y[self.ind_q_a], y[self.ind_dq_a], y[self.ind_q_b], y[self.ind_dq_b])
        matrices.C[np.ix_(self.ind_c, self.ind_q_a)] = Ca
        matrices.C[np.ix_(self.ind_c, self.ind_q_b)] = Cb
        matrices.D[self.ind_c] = self.stabilised(D, g, dg)
        return matrices


class KeepsAngle(Constraint2s):
    """Goes before a kind of constraint and adds the equation θ_b − θ_a − theta = 0 to its own; theta None: as at the start."""

    def keep(self, theta):
        """Take theta [rad], for the last equation."""
        self.n_c += 1
        self.theta = None if theta is None else number(theta, f"theta of {type(self).__name__}")
        self.theta_used: Any = self.theta  # theta, or the difference at the start

    def _build(self, solids, param):
        super()._build(solids, param)
        s_a, s_b = (solids[tag] for tag in self.tag_S)
        self.theta_used = s_b.q_t0[2] - s_a.q_t0[2] if self.theta is None else self.theta

    def literally(self, m, name, second, ends):
        super().into(m, name, ends)
        a, b = (m.frames[end].body for end in ends)
        add_angle(m, second, float(self.theta_used), b, a)  # there angles grow the other way

    def equations(self, q_a, dq_a, q_b, dq_b) -> tuple:
        Ca = np.array([[0.0, 0.0, -1.0]])
        angle = Ca, -Ca, np.zeros(1), np.array([q_b[2] - q_a[2] - self.theta_used]), np.array([dq_b[2] - dq_a[2]])
        return tuple(np.concatenate(both) for both in zip(super().equations(q_a, dq_a, q_b, dq_b), angle))


def required(fun: Any, kind, example, name="fun") -> Any:
    """A function of time, which has no default."""
    if not callable(fun):
        got = "none" if fun is None else shown(fun)
        raise DescriptionError(f"{kind} needs a function of time {name}(t), got {got}. Give {name}={example}.")
    return fun


def _listed(tags):
    return list(tags) if isinstance(tags, list | tuple) else [] if tags is None else [tags]


def check_tags(interaction, solids, where):
    """Refuse tags of solids or frames that are not there, also for interactions written by a student."""
    tags_S, tags_F = _listed(getattr(interaction, "tag_S", None)), _listed(getattr(interaction, "tag_F", None))
    for tag_S in tags_S:
        if tag_S not in solids:
            raise unknown("solid", str(tag_S), map(str, solids), where)
    if len(tags_S) == len(tags_F):
        for tag_S, tag_F in zip(tags_S, tags_F):
            if tag_F not in solids[tag_S].frames:
                raise unknown(f"frame of solid '{tag_S}'", str(tag_F), map(str, solids[tag_S].frames), where)
