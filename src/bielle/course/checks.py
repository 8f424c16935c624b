"""Checks of what a student types, and errors that say where it was typed."""

from contextlib import contextmanager

import numpy as np

from ..errors import DescriptionError, NamingError, unknown
from ..mechanism.vectors import number, shown, vector

__all__ = ["about", "angle_of", "components", "number", "one_of", "pair", "shown", "unused", "value_of"]


@contextmanager
def about(what):
    """Put the name of the component in front of an error that is raised inside."""
    try:
        yield
    except (DescriptionError, NamingError) as error:
        raise type(error)(f"{what}: {error}") from error.__cause__


def pair(value, what):
    """Two finite numbers (x, z) as a new array."""
    return np.array(vector(value, what, 2))


def angle_of(Xs, what):
    """The angle θ [rad] of axes whose X axis has the direction Xs = (α, β) in Galilean axes (section 1.2)."""
    alpha, beta = pair(Xs, what)
    if alpha == 0 and beta == 0:
        raise DescriptionError(f"{what} must be a direction, got {shown(Xs)}. Give two numbers that are not both zero.")
    return np.arctan2(-beta, alpha)


def unused(tag, known, argument):
    """Refuse a tag that is already taken."""
    if tag in known:
        raise NamingError(f"{argument} '{tag}' is already taken. Give another one.")


def one_of(name, known, what, where):
    """Refuse a name that is not among the known ones, with the nearest and all of them."""
    if name not in known:
        message = str(unknown(what, str(name), known, where))
        raise NamingError(message if "Known:" in message else f"{message} Known: {', '.join(sorted(known))}.")


def value_of(fun, t, length, what):
    """fun(t) as an array of ``length`` finite numbers; a plain number will do for one."""
    given = fun(t)
    try:
        value = np.atleast_1d(np.asarray(given, dtype=float))
    except (TypeError, ValueError):
        value = np.empty(0)
    if value.shape != (length,):
        wanted = f"{length} numbers, such as np.array({[0.0] * length})" if length > 1 else "a number"
        returned = f"at t = {t:.6g} s it returned {shown(given)}"
        raise DescriptionError(f"{what} must return {wanted.split(',')[0]}, but {returned}. Return {wanted}.")
    if not np.isfinite(value).all():
        returned = f"at t = {t:.6g} s it returned {shown(given)}"
        raise DescriptionError(f"{what} must return finite numbers, but {returned}. Check how it is computed.")
    return value


def components(fun, n):
    """n functions of time, each a component of fun(t), which is called once for all of them at a time."""
    last: list = [None, None]

    def at(t):
        if last[0] != t:
            last[:] = [None, None]
            last[:] = [t, fun(t)]
        return last[1]

    return [lambda t, i=i: at(t)[i] for i in range(n)]
