"""Imposed motion of a solid (section 8.3.6, exercise 10)."""

import numpy as np

from ...joints import ImposedBody, ImposedPoint
from ...mechanism.functions import Function
from ..checks import components, value_of
from ..joints import add_angle
from .base import OneSolid, required

__all__ = ["Motion_1s"]


class Motion_1s(OneSolid):
    """q = fun(t) -> (3,): x_G [m], z_G [m] and θ [rad]; g = q − f(t).

    Its rates are dfun and d2fun; where they are not given, differences of fourth order over some milliseconds, which round off kinks.
    Three equations; λ = (force [N], moment [N·m]) on the solid that makes it move so.
    """

    signs = (1.0, 1.0, -1.0)

    def __init__(self, label="Motion_1s", tag_S="tag_S", fun=None, dfun=None, d2fun=None):
        super().__init__(label, tag_S, "G", n_c=3)
        example = "lambda t: np.array([0.0, 0.0, t])"
        self.fun = required(fun, "Motion_1s", example)
        self.dfun = dfun if dfun is None else required(dfun, "Motion_1s", example, "dfun")
        self.d2fun = d2fun if d2fun is None else required(d2fun, "Motion_1s", example, "d2fun")

    def motion(self, t):
        """f, ḟ and f̈ (3,) at t."""
        f = value_of(self.fun, t, 3, "fun of Motion_1s")
        df = None if self.dfun is None else value_of(self.dfun, t, 3, "dfun of Motion_1s")
        d2f = None if self.d2fun is None else value_of(self.d2fun, t, 3, "d2fun of Motion_1s")
        if df is None or d2f is None:
            name = "fun" if df is None else "dfun"  # the last one given, from whose values nearby the rest is found
            h = 1e-3 * max(1.0, abs(t)) ** 0.25  # balances the rounding of the values against what the differences leave out
            a, b, c, d = (value_of(getattr(self, name), t + k * h, 3, f"{name} of Motion_1s") for k in (-2, -1, 1, 2))
            slope = (a - 8 * b + 8 * c - d) / (12 * h)
            curvature = (-a + 16 * b - 30 * f + 16 * c - d) / (12 * h**2)
            df, d2f = (slope, curvature if d2f is None else d2f) if df is None else (df, slope)
        return f, df, d2f

    def assemble(self, t, y, matrices):
        f, df, d2f = self.motion(t)
        matrices.C[np.ix_(self.ind_c, self.ind_q_a)] = np.eye(3)
        matrices.D[self.ind_c] = self.stabilised(d2f, y[self.ind_q_a] - f, y[self.ind_dq_a] - df)
        return matrices

    def into(self, m, name, ends):
        x, z, turned = self._functions()
        m.add_joint(name, ImposedBody(position=(x, z), angle=turned), m.ground, *ends, at_a=(0.0, 0.0))

    def literally(self, m, name, second, ends):
        x, z, turned = self._functions()
        m.add_joint(name, ImposedPoint(path=(x, z)), m.ground, *ends, at_a=(0.0, 0.0))
        add_angle(m, second, turned, m.ground, m.frames[ends[0]].body)

    def _functions(self):
        """x, z and −θ, each with its rates."""
        rates = components(self.motion, 3)  # f, ḟ and f̈
        x, z = (Function(*(lambda t, f=f, i=i: f(t)[i] for f in rates)) for i in range(2))
        return x, z, Function(*(lambda t, f=f: -f(t)[2] for f in rates))
