"""Every solver on one mechanism, held against a reference of more digits: what each of them promises, what it does, what it says.

Reference    Central, projected, adaptive, with a hundredth of the tolerances.
Sensitivity  A ≥ 1: how much further than by its own velocity a small blow to every body at the start carries points until the end. If the
             motion amplifies what nobody can know by more than ``SENSITIVE``, nothing can be compared.
Promise      adaptive steps: SAFETY · A · (steps · (rtol |y| + atol) + gap), as the library's guard has it for energies; the gap is what
             joints are open by, which the result tells. Fixed steps h and h/2: thrice what lies between the two (with the order p, h/2 is
             off by 1/(2ᵖ − 1) of it), and A times the gap and the tolerance to which every step ends its iterations; after edits, also
             the gap and the velocity with which a joint that is made counts as closed (``slack``, of explicit joints). If that is not
             enough, h/4 decides; where halving does not halve what lies between, the steps do not resolve the motion.
"""

import warnings
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import bielle as bl
from bielle.errors import BielleError, BielleWarning

from .following import MOMENTS, NUDGE, Track, follow
from .generator import Case, make

STEPS = 60  #: adaptive steps of the default solver that a case lasts, at most
SAFETY = 10.0
SENSITIVE = 1e3
CLOSED = 1e-9  #: of the size: what the tolerances of fixed steps leave, in each
COARSE = 1e-2  #: of the size: fixed steps that differ by more from those of half the length do not resolve the motion

AGREES, SAYS, REFUSES, UNRESOLVED, DISAGREES = WORDS = "agrees", "says so", "error", "unresolved", "DISAGREES"


@dataclass
class Verdict:
    """Of one method on one case."""

    method: str
    word: str
    off: float = np.nan  #: from the reference, relative to the reach
    promise: float = np.nan  #: the same
    said: str = ""
    seconds: float = 0.0  #: of the slowest run


@dataclass
class Outcome:
    """Of all methods on one case."""

    case: Case
    duration: float = 0.0
    edited: bool = False
    discarded: str = ""  #: why nothing can be compared
    verdicts: tuple[Verdict, ...] = ()

    @property
    def bad(self) -> list[Verdict]:
        """Silent disagreements."""
        return [each for each in self.verdicts if each.word == DISAGREES]


def solvers(case: Case, duration: float, steps: int) -> dict[str, tuple]:
    """Names and solvers; of fixed steps three, each with half the length of the one before. ``steps``: what the default solver took."""
    masses = [body.shape.mass_properties().mass for body in case.m.bodies.values()]
    penalty = min(1e7 * max(*masses, 1.0), 1e13 * min(masses))  # more is lost by rounding in the lightest body
    pace = {"omega": 2 * np.pi * 10 / np.sqrt(case.size)}  # that of a mechanism of 1 m is the default

    def halved(make, many):
        n = MOMENTS * max(many * steps // MOMENTS, 20)
        return make(duration / n), make(duration / (2 * n)), make(duration / (4 * n))

    return {
        "central": (bl.Central(),),
        "baumgarte": (bl.Central("baumgarte", **pace),),
        "augmented": (bl.Central("augmented", penalty=penalty, **pace),),
        "recursive": (bl.Recursive(),),
        "stabilised": (bl.Recursive(loops="stabilised", **pace),),
        "auto": ("auto",),
        "rk4": halved(lambda h: bl.Central(integrator="rk4", step=h), 8),
        "recursive rk4": halved(lambda h: bl.Recursive("rk4", step=h), 8),
        "newmark": halved(lambda h: bl.Central(integrator="newmark", step=h), 20),
        "hht": halved(lambda h: bl.Central(integrator="hht", step=h), 20),
        "generalized-alpha": halved(lambda h: bl.Central(integrator="generalized-alpha", step=h), 20),
        "hht baumgarte": halved(lambda h: bl.Central("baumgarte", integrator="hht", step=h, **pace), 20),
        "modular": halved(lambda h: bl.Modular(step=h), 20),
        "modular explicit": halved(lambda h: bl.Modular("explicit", step=h), 60),
    }


def length_of(case: Case) -> float:
    """[s] A random part of the pace of the mechanism, or ``STEPS`` steps of the default solver, if that is less."""
    live, wanted = case.m.live(), case.span * case.time
    for _ in range(STEPS):
        if live.time < wanted:
            live.step()
    return min(live.time, wanted)


def compare(seed: int, *, edited: bool = False) -> Outcome:
    """All solvers on the mechanism of a seed."""
    case = make(seed)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", BielleWarning)
        try:
            duration = length_of(case)
        except BielleError as error:
            return Outcome(case, edited=edited, discarded=f"{type(error).__name__}: {error}")
        out = Outcome(case, duration, edited)
        tight = bl.Central(rtol=1e-11, atol=1e-13 * min(1.0, case.size, case.size / case.time))
        reference = follow(case, tight, duration, edited=edited)
        if reference.said:
            out.discarded = f"reference: {reference.said}"
            return out
        nudged = follow(case, tight, duration, edited=edited, nudged=True)
        if nudged.points is None or nudged.refused != reference.refused:
            out.discarded = f"nudged: {nudged.said}"
            return out
        sensitivity = max(1.0, float(np.abs(nudged.points - reference.points).max()) / (NUDGE * case.size))
        if sensitivity > SENSITIVE:
            out.discarded = "sensitive"
            return out
        usual = follow(case, bl.Central(), duration, edited=edited)
        steps = min(usual.steps or STEPS, 4 * STEPS)
        known = {"central": [usual]}
        held = Held(reference, sensitivity, duration, max(case.size, float(np.abs(reference.points).max())))
        verdicts = []
        for name, group in solvers(case, duration, steps).items():
            tracks = known.get(name) or [follow(case, each, duration, edited=edited) for each in group[:2]]
            verdict = held.judge(name, tracks, group[0])
            if verdict.word == DISAGREES and len(group) > 2:  # steps once more half as long tell whether it is the step
                tracks.append(follow(case, group[2], duration, edited=edited))
                verdict = held.judge(name, tracks, group[1])
            verdicts.append(verdict)
        out.verdicts = tuple(verdicts)
    return out


@dataclass
class Held:
    """What tracks are held against."""

    reference: Track
    sensitivity: float
    duration: float
    reach: float  #: [m] largest coordinate

    def judge(self, name: str, tracks: list[Track], solver) -> Verdict:
        """Hold the last of the tracks against the reference, with what it promises."""
        seconds = max(track.seconds for track in tracks)
        said = next((track.said for track in tracks if track.said), "")
        if any(track.points is None for track in tracks):
            return Verdict(name, REFUSES, said=said, seconds=seconds)
        if any(track.refused != self.reference.refused for track in tracks):
            return Verdict(name, REFUSES, said="an edit was refused, or not", seconds=seconds)
        track, reach = tracks[-1], self.reach
        off = _apart(track, self.reference)
        if len(tracks) == 1:
            rtol, atol = (1e-9, 1e-11) if solver == "auto" else (solver.rtol, solver.atol)
            y = max(reach, track.speed * self.duration)
            promise = SAFETY * self.sensitivity * (track.steps * (rtol * y + atol * (1.0 + self.duration)) + track.gap * reach)
            resolved = True
        else:
            between = [_apart(one, other) for one, other in pairwise(tracks)]
            gap, rate = solver.slack if track.refused else (0.0, 0.0)  # of joints that count as closed when they are made
            left = (track.steps * CLOSED + track.gap) * reach + gap + rate * self.duration
            promise = 3.0 * between[-1] + self.sensitivity * left
            resolved = between[-1] <= COARSE * reach and (len(between) == 1 or between[1] <= between[0] / 2.0)
        word = SAYS if said else UNRESOLVED if not resolved else AGREES if off <= promise else DISAGREES
        return Verdict(name, word, off / reach, promise / reach, said, seconds)


def _apart(one: Track, other: Track) -> float:
    """[m] The largest distance between two tracks, along an axis."""
    return float(np.abs(one.points - other.points).max())
