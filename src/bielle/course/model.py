"""The model: solids, interactions between them, and their motion (sections 7.5 and 8)."""

import copy
import inspect
from typing import Any

import numpy as np

from ..calls import explained_methods
from ..errors import DescriptionError, unknown
from .assembling import VARIANTS, CourseLoop
from .checks import about, angle_of, one_of, shown, unused
from .integrating import IMPLICIT, METHODS, SCIPY, integrate, integrate_compiled, sample_times
from .interactions import KINDS
from .interactions.base import check_tags
from .own import own_parts
from .parameters import Matrices, Param
from .solids import Solid

__all__ = ["Model"]


@explained_methods
class Model:
    """Solids, interactions between them, and their motion.

    ``param`` holds gravity and the like; ``solids`` and ``interactions`` are dictionaries by tag, which may also be filled directly.
    """

    def __init__(self):
        self.param = Param()
        self.solids = {}
        self.interactions = {}
        self.n_s = 0  # number of solids,
        self.n_q = 0  # of coordinates,
        self.n_i = 0  # of interactions,
        self.n_c = 0  # of constraint equations: all counted by build
        self._matrices = Matrices()
        self._equations: Any = None  # what evaluates accelerations: chosen by build
        self._last: Any = None  # time and state in which compiled equations were evaluated last

    def __getstate__(self):
        """What a copy, or a file, gets: the description. Compiled equations hold on to memory of their own, and are to be built again."""
        state = vars(self).copy()
        if self._equations is not None and not isinstance(self._equations, CourseLoop):
            state |= {"_equations": None, "_matrices": Matrices(), "_last": None}
        return state

    # -- description

    def add_solid(
        self,
        tag_S="solid",
        label="solid",
        m=1.0,
        iy=0.01,
        G_t0=(0.0, 0.0),
        Xs=(1.0, 0.0),
        dG_t0=(0.0, 0.0),
        dtheta_t0: float = 0,
        color=(0, 0, 1),
        marker="+",
    ):
        """Add a Solid under the tag tag_S, turned so that its X axis has the direction Xs in Galilean axes."""
        unused(tag_S, self.solids, "tag_S")
        with about(f"Solid '{tag_S}'"):
            theta_t0 = angle_of(Xs, "Xs")
            self.solids[tag_S] = Solid(label, m, iy, G_t0, theta_t0, dG_t0, dtheta_t0, color, marker)

    def add_frame(self, tag_S="solid", tag_F="frame", label="frame", P_t0=(0.0, 0.0), Xs=(1.0, 0.0)):
        """Add a frame to the solid tag_S; see Solid.add_frame."""
        if tag_S not in self.solids:
            raise unknown("solid", str(tag_S), map(str, self.solids), f"Frame '{tag_F}'")
        with about(f"Solid '{tag_S}'"):
            self.solids[tag_S].add_frame(tag_F, label, P_t0, Xs)

    def add_interaction(self, kind, tag_I="interaction", **kwargs):
        """Add an interaction under the tag tag_I: its kind is a name, such as "Hinge_2s", or a class of your own."""
        unused(tag_I, self.interactions, "tag_I")
        where = f"Interaction '{tag_I}'"
        cls = _class_of(kind, where)
        _check_keywords(cls, kwargs, where)
        with about(where):
            self.interactions[tag_I] = cls(**kwargs)

    def __repr__(self):
        s = "Model :\n"
        for tag, solid in self.solids.items():
            s += f"\t.solids[{tag}] = '{solid.label}' : m = {solid.m:.3f} kg, iy = {solid.iy:.3f} kg.m^2, "
            s += f"frames {', '.join(map(str, solid.frames))}\n"
        for tag, item in self.interactions.items():
            s += f"\t.interactions[{tag}] = '{getattr(item, 'label', tag)}' : {type(item).__name__}, "
            s += f"tag_S = {getattr(item, 'tag_S', None)}, tag_F = {getattr(item, 'tag_F', None)}, n_c = {getattr(item, 'n_c', None)}\n"
        return s

    # -- preparation (section 7.5.4)

    def build(self, variant=3, compiled=True):
        """Number coordinates and equations and make the matrices; variant is that of section 8.2.

        Accelerations are then found by compiled code. With compiled=False, or if something in the model is of your own (a class of
        interactions, or any method of one, masses, weights, ``_odefun``), they are found in Python by the course's own loop, which takes
        much longer. So they are once ``_matrices`` were looked at, or an interaction was changed, since the last build.
        """
        if variant not in VARIANTS:
            raise DescriptionError(f"variant must be 1, 2 or 3 (section 8.2 of the course), got {shown(variant)}. Leave it out for 3.")
        self._build_solids()
        self._build_interactions()
        self._build_initial_conditions()
        self._equations, self._last = self._chosen(variant, compiled), None

    def _chosen(self, variant, compiled):
        own = own_parts(self)
        if getattr(self._odefun, "__func__", None) is not _ODEFUN:
            own.append("_odefun")
        if own or not compiled:
            return CourseLoop(self, variant, own)
        from .compiled import Compiled

        found = Compiled(self, variant)
        self._matrices.set_aside(self._hand_over)
        return found

    def _hand_over(self):
        """From compiled equations to the loop, which writes the matrices whenever it is asked: they are those of the last evaluation."""
        self._equations = CourseLoop(self, self._equations.variant)
        if self._last is not None:
            self._equations.assemble(*self._last)

    def _build_solids(self):
        if not self.solids:
            raise DescriptionError("The model has no solids. Add one with add_solid.")
        self.n_s = len(self.solids)
        self.n_q = 3 * self.n_s
        matrices = self._matrices
        matrices.A = np.zeros((self.n_q, self.n_q))
        matrices.B = np.zeros(self.n_q)
        for i, (tag, solid) in enumerate(self.solids.items()):
            solid.ind_q = 3 * i + np.arange(0, 3)
            solid.ind_dq = self.n_q + solid.ind_q
            with about(f"Solid '{tag}'"):
                matrices.A[np.ix_(solid.ind_q, solid.ind_q)] = solid.mass()
            matrices.B[solid.ind_q] = solid.weight(self.param.g)
        matrices.y = np.zeros(2 * self.n_q)
        matrices.ind_q = np.arange(0, self.n_q)
        matrices.ind_dq = self.n_q + matrices.ind_q

    def _build_interactions(self):
        self.n_i = len(self.interactions)
        self.n_c = 0
        for tag, interaction in self.interactions.items():
            check_tags(interaction, self.solids, f"Interaction '{tag}'")
            with about(f"Interaction '{tag}'"):
                _check_interaction(interaction)
                interaction._build(self.solids, self.param)
            interaction.ind_c = self.n_c + np.arange(0, interaction.n_c)
            self.n_c += interaction.n_c
        self._matrices.C = np.zeros((self.n_c, self.n_q))
        self._matrices.D = np.zeros(self.n_c)
        self._matrices.ZerC = np.zeros((self.n_c, self.n_c))

    def _build_initial_conditions(self):
        self._matrices.y0 = np.zeros(2 * self.n_q)
        for solid in self.solids.values():
            self._matrices.y0[solid.ind_q] = solid.q_t0
            self._matrices.y0[solid.ind_dq] = solid.dq_t0

    # -- motion

    def _odefun(self, t, y):
        """The derivative of the state y at time t."""
        if self._equations is None:
            raise DescriptionError("The model has not been built yet. Call build() first.")
        if isinstance(self._equations, CourseLoop):
            return self._equations.rates(t, y)
        if not self._equations.current():
            _ = self._matrices.A  # whoever asks for them gets the loop
            return self._equations.rates(t, y)
        return self._rates(t, y)

    def _rates(self, t, y):
        """By compiled equations of which it is known that they still hold."""
        self._last = t, np.array(y)
        return self._equations.rates(t, y)

    def transient(self, t0, tf, dt, method="RK45", max_step=np.inf, rtol=1e-3, atol=1e-6, variant=3, compiled=True):
        """Integrate from t0 to tf [s] and return what ``scipy.integrate.solve_ivp`` does, with samples every dt in ``t`` and ``y``.

        method    'RK45', 'RK23', 'DOP853', 'Radau', 'BDF' or 'LSODA' of SciPy, with its max_step, rtol and atol; or 'bielle', a compiled
                  method of order 8 that is much faster and knows no interactions of your own
        variant   of section 8.2. With 1, the rows of y after those of q and q̇ are −∫λ.
        compiled  False: accelerations by the course's own loop in Python

        Ctrl-C returns what was computed so far: ``success`` is False, ``status`` −2 and ``message`` says where it was.
        """
        t_eval = sample_times(t0, tf, dt)
        one_of(method, METHODS, "method of integration", "transient")
        self.build(variant, compiled)
        options = {"max_step": max_step, "rtol": rtol, "atol": atol}
        if method == "bielle":
            if isinstance(self._equations, CourseLoop):
                own = f"the model has parts of your own ({', '.join(self._equations.own)})"
                why = own if compiled else "compiled=False was given"
                raise DescriptionError(f"The method 'bielle' is compiled, but {why}. Take one of {', '.join(SCIPY)}.")
            return integrate_compiled(self._equations, t0, tf, t_eval, **options)
        y0 = self._matrices.y0
        if variant == 1:
            y0 = np.concatenate((y0, np.zeros(self.n_c)))
        rates, compiled = self._odefun, not isinstance(self._equations, CourseLoop)
        if compiled and not self._equations.calls_functions:
            rates = self._rates  # there is nobody who could change an interaction on the way
        if compiled and method in IMPLICIT:
            options["jac"] = self._equations.jacobian
        return integrate(rates, t0, tf, y0, t_eval, method, self._equations.text, **options)

    def to_mechanism(self):
        """A :class:`bielle.Mechanism` of the same solids, frames and interactions: to be saved, simulated otherwise, or changed while it
        runs. A frame A of a solid S is called 'S A' there."""
        from .conversion import refuse_own, to_mechanism

        bare = copy.copy(self)  # what was built for a run stays as it is
        bare._matrices = Matrices()
        bare._build_solids()
        bare._build_interactions()
        refuse_own(bare)
        return to_mechanism(bare)

    @classmethod
    def from_mechanism(cls, m):
        """A course model of a planar :class:`bielle.Mechanism`, if the course has all that it consists of."""
        from .importing import from_mechanism

        return from_mechanism(m)

    # -- looking at it (section 9)

    def post(self, sol):
        """Positions, velocities, accelerations, efforts and multipliers of a run, in any axes; see :class:`bielle.course.post.Post`."""
        from .post import Post

        return Post(self, sol)

    def draw(self, ax=None, sol=None, t=None, frames=True):
        """Draw the solids and their frames at the start, or at time t of a run; see :func:`bielle.course.drawing.draw`."""
        from .drawing import draw

        return draw(self, ax, sol, t, frames)

    def animate(self, sol, path=None, **options):
        """Show a run on the screen, or write it to a .gif, .mp4 or .html file; see :func:`bielle.course.drawing.animate`."""
        from .drawing import animate

        return animate(self, sol, path, **options)


_ODEFUN = Model._odefun  # that of a derived class, or one put in its place, is not this


def _class_of(kind, where):
    """The class of an interaction, from its name or from itself."""
    if inspect.isclass(kind):
        return kind
    if not isinstance(kind, str):
        hint = "An object that is already made goes in with model.interactions['…'] = …."
        raise DescriptionError(f"{where}: the kind must be a name or a class, got {shown(kind)}. {hint}")
    one_of(kind, KINDS, "kind of interaction", where)
    return KINDS[kind]


def _check_keywords(cls, kwargs, where):
    """Refuse arguments that the class does not have, or lacks, and say which it has."""
    parameters = inspect.signature(cls).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    known = [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    has = f"{cls.__name__} has: {', '.join(known)}." if known else f"{cls.__name__} has none."
    for name in kwargs:
        if name not in known:
            raise DescriptionError(f"{where}: {cls.__name__} has no argument '{name}'. {has}")
    for p in parameters:
        if p.name in known and p.default is p.empty and p.name not in kwargs:
            raise DescriptionError(f"{where}: {cls.__name__} needs the argument '{p.name}'. {has}")


def _check_interaction(interaction):
    """Refuse an object, written by a student, that lacks what the model asks of an interaction."""
    kind = type(interaction).__name__
    for method in ("_build(solids, param)", "assemble(t, y, matrices)"):
        if not callable(getattr(interaction, method.split("(")[0], None)):
            raise DescriptionError(f"{kind} has no method {method}. Write one, as in Code Python 14 and 16 of the course.")
    n_c = getattr(interaction, "n_c", None)
    if not isinstance(n_c, int | np.integer) or n_c < 0:
        raise DescriptionError(f"n_c of {kind} must be its number of constraint equations, got {shown(n_c)}. Set self.n_c in __init__.")
