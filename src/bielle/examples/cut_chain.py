"""Cut chain: a hanging chain of eight links swings, and loses them one by one.

The chain starts level, hung up at one end. While it swings down and through, the last link is cut off, then the next, and so on, until
three are left. Every link that has come loose flies on a parabola with constant spin, whatever the chain does; what is left of the chain
swings on, lighter by one link each time.

A cut does no work and exerts no impulse: no velocity changes by a single bit, and the energy of the chain and of all that fell off is
constant. Only the pivot and gravity act on the whole, so that at each moment F_pivot + Σ m g = Σ m a, over all links, hanging or loose.

``live.describe()`` writes the mechanism as it is now, with the positions and velocities of the moment, as a description of its own.
Taken at the last cut, it must give when simulated what the session computes from there on.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline

from ._checks import Check, at_most, conserves, equals, flies_freely, main, moments

TITLE = "Swinging chain that is cut link by link"
LINKS, LENGTH, MASS = 8, 0.4, 0.5
CUTS = {f"hinge {k}": round(0.9 + 0.08 * i, 2) for i, k in enumerate(range(LINKS, 3, -1))}  # what is cut, and when [s]
DURATION = 2.0


@explained
def build() -> bl.Mechanism:
    """The chain, level and at rest; hinge k holds link k, hinge 1 is the pivot."""
    m = bl.Mechanism(plane="xy", name="cut chain")
    ends = [(k * LENGTH, 0.0) for k in range(LINKS + 1)]
    for k in range(1, LINKS + 1):
        m.add_body(f"link {k}", bl.rod(ends[k - 1], ends[k], mass=MASS))
        m.add_joint(f"hinge {k}", bl.Pin(), m.ground if k == 1 else f"link {k - 1}", f"link {k}", at=ends[k - 1])
    return m


def solver() -> None:
    """The default solver."""


def play(live: LiveSession) -> None:
    """Cut off one link after the other, then let the rest swing on."""
    cut_all(live)
    live.advance_to(DURATION)


def cut_all(live: LiveSession) -> None:
    """Until the moment of the last cut."""
    for hinge, time in CUTS.items():
        live.advance_to(time)
        live.remove(hinge)


def described_anew() -> bl.Mechanism:
    """The mechanism as it is after the last cut."""
    live = build().live(solver())
    cut_all(live)
    return live.describe()


def check(result: Timeline) -> list[Check]:
    """The loose links fly, nothing jumps, forces and momentum agree, and the rest of the chain swings as it would anyway."""
    links = [f"link {k}" for k in range(1, LINKS + 1)]
    velocity = np.stack([result[link].velocity for link in links])
    acceleration = np.stack([result[link].acceleration for link in links])
    jumps = [velocity[:, span.start] - velocity[:, span.start - 1] for span in result.spans[1:]]
    pivot = result["hinge 1"].force(on="link 1")
    left = pivot + LINKS * MASS * np.array(result.mechanism.gravity) - MASS * acceleration.sum(axis=0)

    last = max(CUTS.values())
    after = moments(result, last, DURATION)
    again = described_anew().simulate(DURATION - last, solver(), samples=result.time[after] - last)
    chain = [link for link in links if link.replace("link", "hinge") not in CUTS]
    apart = [result[link].position[after] - again[link].position for link in chain]
    return [
        equals("degrees of freedom at the end", result.mechanism.report().degrees_of_freedom, 3 * len(CUTS) + len(chain)),
        *(check for hinge, time in CUTS.items() for check in flies_freely(result, hinge.replace("hinge", "link"), time, DURATION)),
        at_most("jump of a velocity at a cut [m/s]", jumps, 0.0),
        at_most("force in the pivot + weights − Σ m a [N]", left, 1e-9),
        at_most("remaining chain, off a fresh simulation of its description [m]", apart, 1e-6),
        *conserves(result, violation=1e-9, energy=1e-7),
    ]


if __name__ == "__main__":
    main(__name__)
