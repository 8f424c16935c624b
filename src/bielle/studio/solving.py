"""How the session of a page advances: the choice of a solver, what it says of single bodies, and both as data of a page."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from ..errors import DescriptionError, unknown
from ..solvers.choice import SOLVERS
from ..solvers.modular import BODY_INTEGRATORS, Modular
from .fields import field

if TYPE_CHECKING:
    from ..live.session import LiveSession
    from ..solvers.run import Solver

__all__ = [
    "OPTIONS",
    "body_fields",
    "changed_solver",
    "is_body_option",
    "of_bodies_there",
    "renamed_in_solver",
    "solver_data",
    "with_body_option",
]

OPTIONS = ("formulation", "integrator", "step", "rtol", "tolerance")  #: what a page chooses
_BODY = {"integrator": "integrators", "substeps": "substeps"}  # a property of a body, and the option of Modular that holds it
_USUAL: dict[str, Any] = {"integrator": BODY_INTEGRATORS[0], "substeps": 1}


def solver_data(live: LiveSession) -> dict[str, Any]:
    """How the session advances, for the page."""
    solver: Any = live.solver
    options = {key: getattr(solver, key, None) for key in OPTIONS}
    if getattr(solver, "joints", "") == "explicit":
        options["tolerance"] = None  # its joints are springs
    return {"family": type(solver).__name__.lower(), "text": solver.describe()} | options


def changed_solver(present: Solver, family: str, options: Mapping[str, Any]) -> Solver:
    """The solver of a family with some options; if it is the present one, with all others as they are, where the method reads them."""
    if family not in SOLVERS:
        raise unknown("solver", family, SOLVERS)
    cls = SOLVERS[family]
    names = {f.name for f in fields(cls)}
    if foreign := [key for key in options if key not in names]:
        raise DescriptionError(f"{cls.__name__} has no {foreign[0]}. Leave it out, or choose another solver.")
    if not isinstance(present, cls):
        return cls(**options)
    with contextlib.suppress(DescriptionError):
        return replace(present, **options)  # type: ignore[type-var]
    kept = dict(options)
    cls(**kept)  # what is wrong by itself is told
    for f in fields(cls):  # the others one by one, as long as they go together
        value = getattr(present, f.name)
        if f.name not in kept and value != f.default:
            with contextlib.suppress(DescriptionError):
                cls(**kept, **{f.name: value})
                kept[f.name] = value
    return cls(**kept)


def of_bodies_there(live: LiveSession, solver: Any) -> Any:
    """The solver without what it says of bodies that are gone."""
    if not isinstance(solver, Modular):
        return solver
    there = live.mechanism.bodies
    kept = {option: tuple(pair for pair in getattr(solver, option) if pair[0] in there) for option in _BODY.values()}
    return solver if all(getattr(solver, option) == pairs for option, pairs in kept.items()) else replace(solver, **kept)


# -- of single bodies


def is_body_option(live: LiveSession, name: str, key: str) -> bool:
    """Whether a property of a component is an option of the solver."""
    return key in _BODY and isinstance(live.solver, Modular) and name in live.mechanism.bodies


def body_fields(live: LiveSession, name: str) -> list[dict[str, Any]]:
    """What the solver lets a body have of its own: how it is advanced, and in how many steps."""
    if not is_body_option(live, name, "substeps"):
        return []
    solver: Any = live.solver
    values = {key: dict(getattr(solver, option)).get(name, _USUAL[key]) for key, option in _BODY.items()}
    integrator = field("integrator", values["integrator"], kind="choice", choices=list(BODY_INTEGRATORS))
    substeps = field("substeps", values["substeps"], kind="integer") | {
        "label": "steps in one",
        "min": 1,
        "help": f"Steps of this body in one of the whole: {solver.step / values['substeps']:g} s each",
    }
    return [integrator, substeps]


def with_body_option(solver: Any, name: str, key: str, value: Any) -> Solver:
    """A solver with another integrator of a body or another number of its steps."""
    option = _BODY[key]
    if key == "substeps" and isinstance(value, float) and value.is_integer():
        value = int(value)  # pages know only one kind of numbers
    value = _USUAL[key] if value is None or value == "" else value
    pairs = tuple((n, value if n == name else v) for n, v in getattr(solver, option))
    if name not in dict(pairs):
        pairs += ((name, value),)
    found = replace(solver, **{option: pairs})  # what is wrong is refused
    return replace(found, **{option: tuple(pair for pair in pairs if pair[1] != _USUAL[key])})


def renamed_in_solver(solver: Any, name: str, new: str) -> Solver:
    """A solver that says of a body under another name what it says of it under this one, for undo may bring that back."""
    if not isinstance(solver, Modular):
        return solver
    options = {option: dict(getattr(solver, option)) for option in _BODY.values()}
    return replace(solver, **{option: pairs | ({new: pairs[name]} if name in pairs else {}) for option, pairs in options.items()})
