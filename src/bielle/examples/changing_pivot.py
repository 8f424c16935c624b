"""Changing pivot: a rod that walks along a beam, because in each of its turning points the pin goes over to its other end.

A massless rod of the length ℓ = 1 m has 1 kg at each end, A and B. A is pinned at the origin, B starts level on its left, at rest, and
swings down and through to the right. There it comes to rest for an instant, level again; in this instant A is freed and B is pinned where
it is. Now A swings down and up on the far side, and so on: the rod walks to the right, one length of the rod a swing.

The mass at the pinned end does not move, so every swing is that of a simple pendulum from 90° to 90°. With φ the angle from the
vertical, ½ φ'² = (g/ℓ) cos φ; with sin(φ/2) = sin(π/4) sin u this becomes u' = √(g/ℓ) √(1 − ½ sin²u), and u runs from −π/2 to π/2:

    T = √(ℓ/g) ∫ du/√(1 − ½ sin²u) = 2 √(ℓ/g) K(k² = ½) = 1.184 s,

with K the complete elliptic integral of the first kind. Nothing moves when the pin goes over, so nothing is lost, and all swings take T.

The instant is no crossing: the free end touches the level y = 0 from below and would swing back. It is the zero of a rate,
``live.when("B.position.y", turns="max", do=…)``, and found as precisely as the integrator goes. What the action of the event does is one
edit: the pin is removed and another one added. The reaction in the pin is 3 m g sin θ along the rod, θ the angle below the level, and the
weight of the pinned mass; so the pin feels 4 m g at the lowest point, and at a change goes on with m g, which the new pin has to hold too.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ellipk

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline

from ._checks import Check, at_most, conserves, equals, main

TITLE = "Pendulum that changes its pivot at every turning point"
GRAVITY, LENGTH, MASS = 9.81, 1.0, 1.0
SWING = 2.0 * float(np.sqrt(LENGTH / GRAVITY) * ellipk(0.5))  # [s]
CHANGES = 20
DURATION = (CHANGES + 0.5) * SWING
OTHER = {"A": "B", "B": "A"}


@explained
def build() -> bl.Mechanism:
    """The rod, level and at rest, pinned at A."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="changing pivot")
    middle, inertia = (0.5 * LENGTH, 0.0), 0.5 * MASS * LENGTH**2
    m.add_body("rod", bl.rigid(2.0 * MASS, middle, inertia, points=((0.0, 0.0), (LENGTH, 0.0))), orientation=np.pi)
    m.add_frame("A", "rod", local=(0.0, 0.0))
    m.add_frame("B", "rod", local=(LENGTH, 0.0))
    m.add_joint("pin", bl.Pin(), m.ground, "A", at_a=(0.0, 0.0))
    return m


def solver() -> None:
    """The default solver."""


def play(live: LiveSession) -> None:
    """Await the turning points, and let time pass."""
    await_turning(live, "B")
    live.advance_to(DURATION)


def await_turning(live: LiveSession, end: str) -> None:
    """When the free end has swung up to its highest point, pin it there and free the other."""

    def change(live: LiveSession) -> None:
        with live.edit(f"pin {end}"):
            live.remove("pin")
            live.add_joint("pin", bl.Pin(), "ground", end, at=live[end].position)
        await_turning(live, OTHER[end])

    live.when(f"{end}.position.y", turns="max", do=change)


def check(result: Timeline) -> list[Check]:
    """The instants, the places, the pin's force, and that nothing is lost."""
    instants = np.array([edit.time for edit in result.edits])
    pins = np.array([segment["AB"[k % 2]].position[0] for k, segment in enumerate(result.segments)])
    places = np.column_stack([LENGTH * np.arange(len(pins)), np.zeros(len(pins))])
    velocity = result["rod"].velocity
    jumps = [velocity[span.start] - velocity[span.start - 1] for span in result.spans[1:]]
    return [
        equals("changes of the pivot", len(instants), CHANGES),
        at_most("instant of a change, off k T [s]", instants - SWING * np.arange(1, len(instants) + 1), 1e-7),
        at_most("place of a pin, off one length after the other [m]", pins - places, 1e-7),
        at_most("jump of a velocity at a change [m/s]", jumps, 0.0),
        at_most("force in the pin, off the closed form, relative", _force_off(result) / (4.0 * MASS * GRAVITY), 1e-7),
        *conserves(result, violation=1e-9, energy=1e-8),
    ]


def _force_off(result: Timeline) -> np.ndarray:
    """(n, 2) difference of the pin's force on the rod from the closed form [N]."""
    off = []
    for k, segment in enumerate(result.segments):
        pinned = "AB"[k % 2]
        along = (segment[OTHER[pinned]].position - segment[pinned].position) / LENGTH  # from the pin to what swings
        expected = 3.0 * MASS * GRAVITY * along[:, 1:] * along + [0.0, MASS * GRAVITY]  # along_y = −sin θ
        off.append(segment["pin"].force(on="rod") - expected)
    return np.concatenate(off)


if __name__ == "__main__":
    main(__name__)
