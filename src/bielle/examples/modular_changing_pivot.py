"""Changing pivot with autonomous components: joints come and go while every body advances itself (Seguy 2003, VI.3.2).

The session is that of :mod:`bielle.examples.changing_pivot`: in each of its turning points the rod is pinned at its other end. To the
modular solver a change of joints is a change of who talks to whom; nothing else has to be found anew.

All swings take T = 2 √(ℓ/g) K(½). A step of second order that turns the rod by hω leaves out terms from (hω)³/6 on, so that swings may be
off by the part (hω)²/6 of T, ω² = 2 g/ℓ where the rod is fastest, always to the same side. The session is played at the step and at half
of it: the errors must fall by four. Energy swings by (hω)², too, but where the rod is at rest again its second-order part is what it was
at the start, the steps being symmetric in time: from change to change only terms of fourth order may be lost.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline
from bielle.solvers.modular import Modular

from . import changing_pivot
from ._checks import Check, at_least, at_most, conserves, equals, main, swinging
from .changing_pivot import CHANGES, GRAVITY, LENGTH, SWING

TITLE = "Pendulum that changes its pivot, of autonomous components"
DURATION = changing_pivot.DURATION
STEP = 1e-3  # [s]


@explained
def build() -> bl.Mechanism:
    """The rod, level and at rest, pinned at one end."""
    return changing_pivot.build()


def solver() -> Modular:
    """Iterated joints."""
    return Modular(step=STEP)


def play(live: LiveSession) -> None:
    """Await the turning points, and let time pass."""
    changing_pivot.play(live)


def late(result: Timeline) -> np.ndarray:
    """How late each change is [s]."""
    instants = np.array([edit.time for edit in result.edits])
    return instants - SWING * np.arange(1, len(instants) + 1)


def check(result: Timeline) -> list[Check]:
    """The instants and the places, to second order in the step; nothing is lost."""
    live = build().live(Modular(step=STEP / 2))
    play(live)
    off, finer = late(result), late(live.result())
    pins = np.array([segment["AB"[k % 2]].position[0] for k, segment in enumerate(result.segments)])
    places = np.column_stack([LENGTH * np.arange(len(pins)), np.zeros(len(pins))])
    velocity = result["rod"].velocity
    jumps = [velocity[span.start] - velocity[span.start - 1] for span in result.spans[1:]]
    fastest = float(np.sqrt(2.0 * GRAVITY / LENGTH))  # [rad/s]
    part, energy = (STEP * fastest) ** 2 / 6.0, swinging(STEP, fastest)
    return [
        equals("changes of the pivot", len(off), CHANGES),
        at_most("instant of a change, off k T [s]", off, part * CHANGES * SWING),
        at_least("by what half the step divides that", np.abs(off).max() / np.abs(finer).max(), 3.8),
        at_most("place of a pin, off one length after the other [m]", pins - places, 2.0 * CHANGES * solver().tolerance),
        at_most("jump of a velocity at a change [m/s]", jumps, 0.0),
        *conserves(result, violation=solver().tolerance, energy=energy),
        at_most("energy lost from the first swing to the last, relative", _lost(result), energy**2),
    ]


def _lost(result: Timeline) -> float:
    """Change of the energy from the start to the last change, where the rod is at rest again."""
    energy = result.energy
    return float(energy.mechanical[result.spans[-1].start] - energy.mechanical[0]) / energy.scale


if __name__ == "__main__":
    main(__name__)
