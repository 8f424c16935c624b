"""One run of one mechanism: where points of its bodies are at some moments, and what was said."""

import time as clock
import warnings
from dataclasses import dataclass

import numpy as np

from bielle.errors import AccuracyWarning, BielleError
from bielle.results.accuracy import judge

from .generator import Case

MOMENTS = 5  #: at which positions are compared, at equal distances, the last at the end
NUDGE = 1e-6  #: of the size per duration: velocity that a small blow gives every body


@dataclass
class Track:
    """What a run has come to."""

    points: np.ndarray | None = None  #: (moments, points, dim) [m]; None if there was an error
    speed: float = 0.0  #: largest of these points [m/s]
    steps: int = 0
    gap: float = 0.0  #: what joints are open by, relative to the size (or of directions)
    said: str = ""  #: a warning, or the error
    refused: tuple[bool, ...] = ()  #: which edits were refused
    seconds: float = 0.0


def arm_of(body) -> float:
    """Largest radius of gyration [m]."""
    p = body.shape.mass_properties()
    return float(np.sqrt(np.abs(np.atleast_2d(p.inertia)).max() / p.mass))


def places(case: Case) -> list[tuple[str, tuple[float, ...]]]:
    """Points that are followed: the origin of every body, and one beside it in each direction."""
    corners = np.vstack([np.zeros(case.m.dim), np.eye(case.m.dim)])
    return [(name, tuple(arm_of(body) * row)) for name, body in case.m.bodies.items() for row in corners]


def follow(case: Case, solver, duration: float, *, edited: bool = False, nudged: bool = False) -> Track:
    """As a simulation, or with edits, or blows at the start, as a session."""
    begun = clock.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            track = _session(case, solver, duration, edited, nudged) if edited or nudged else _simulation(case, solver, duration)
        except BielleError as error:
            track = Track(said=f"{type(error).__name__}: {error}")
    for each in caught:
        if issubclass(each.category, AccuracyWarning):
            track.said = track.said or f"AccuracyWarning: {each.message}"
    track.seconds = clock.perf_counter() - begun
    return track


def _simulation(case: Case, solver, duration: float) -> Track:
    run = case.m.simulate(duration, solver, samples=MOMENTS + 1)
    seen = [run[name].point(local) for name, local in places(case)]
    kept = np.rint(np.linspace(0, len(run) - 1, MOMENTS + 1)).astype(int)[1:]
    speed = max(float(np.abs(each.velocity).max()) for each in seen)
    points = np.stack([each.position for each in seen], axis=1)[kept]
    return Track(points, speed, run.info["statistics"]["steps"], run.info["accuracy"]["gap"])


def _session(case: Case, solver, duration: float, edited: bool, nudged: bool) -> Track:
    live = case.m.live(solver)
    if nudged:
        _nudge(case, live, duration)
    edits, refused, points, speed = [edit for _, edit in case.edits] if edited else [], [], [], 0.0
    for k in range(MOMENTS):
        live.advance_to(duration * (k + 1) / MOMENTS)
        seen = [live[name].point(local) for name, local in places(case)]
        points.append([each.position for each in seen])
        speed = max(speed, *(float(np.abs(each.velocity).max()) for each in seen))
        for edit in edits[k : k + 1]:
            try:
                edit(live)
                refused.append(False)
            except BielleError:
                refused.append(True)
    gap = max(judge(segment, live.solver, 1).gap for segment in live.result().segments)
    return Track(np.array(points), speed, live._audit.steps, gap, refused=tuple(refused))


def _nudge(case: Case, live, duration: float) -> None:
    """A small blow to every body, along and across, about as fast as its own size in the duration."""
    rng = np.random.default_rng(case.seed)
    for name, body in case.m.bodies.items():
        p = body.shape.mass_properties()
        turn = NUDGE / duration * float(np.linalg.eigvalsh(np.atleast_2d(p.inertia)).min()) * rng.normal(size=3)
        blow = NUDGE / duration * case.size * p.mass * rng.normal(size=case.m.dim)
        local = np.zeros(case.m.dim)
        local[0] = arm_of(body)
        live.push(name, impulse=tuple(blow), local=tuple(local), moment=tuple(turn) if case.m.dim == 3 else float(turn[0]))
