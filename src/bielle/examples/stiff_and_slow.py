"""A stiff little body on a slow chain: every component at its own pace.

A chain of twenty links of 10 cm and 0.5 kg swings from 30° in seconds. A sensor of 20 g slides across its eleventh link on a spring of
20 kN/m, √(k/m) = 1000 rad/s: a thousand oscillations while the chain swings once. Steps of 5·10⁻⁵ s resolve it. With
``substeps={"sensor": 20}`` the sensor, and the link it slides on, take twenty steps where all other links take one of a millisecond. The
joints of that link with its neighbours act at the slow pace: their forces are constant during the short steps, and what closes them at the
end of a first attempt makes that constant the average (see the page on the modular solver).

What to look at: the sensor is as accurate as if everything were advanced in the short steps. Its error is the phase error of
kick–drift–kick, (ωh)²/24 of the phase ωt, in either case; the chain, whose own error is smaller still, does not notice.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.results.result import Result
from bielle.solvers.modular import Modular

from ._checks import Check, at_least, at_most, main

TITLE = "A stiff sensor on a slow chain, each at its own pace"
DURATION = 1.0
LINKS, LENGTH, LINK_MASS, ANGLE = 20, 0.1, 0.5, 0.5
STIFFNESS, MASS, STRETCH = 2e4, 0.02, 2e-3
STEP, PARTS = 1e-3, 20


@explained
def build(links: int = LINKS) -> bl.Mechanism:
    """The chain with the sensor on the link in its middle."""
    m = bl.Mechanism(plane="xy", name="stiff and slow")
    along, across = np.array([np.sin(ANGLE), -np.cos(ANGLE)]), np.array([np.cos(ANGLE), np.sin(ANGLE)])
    for i in range(links):
        a, b = i * LENGTH * along, (i + 1) * LENGTH * along
        m.add_body(f"link {i + 1}", bl.rod(tuple(a), tuple(b), mass=LINK_MASS))
        m.add_joint(f"pin {i + 1}", bl.Pin(), f"link {i}" if i else m.ground, f"link {i + 1}", at=tuple(a))
    carrier, centre = f"link {links // 2 + 1}", (links // 2 + 0.5) * LENGTH * along
    m.add_body("sensor", bl.box((0.02, 0.02), mass=MASS), position=tuple(centre + 0.05 * across), orientation=ANGLE)
    m.add_joint("guide", bl.Slider(direction=tuple(across)), carrier, "sensor", at=tuple(centre))
    m.add_force("spring", bl.Spring(stiffness=STIFFNESS, length=0.05 - STRETCH), carrier, "sensor", at_a=(0, 0), at_b=(0, 0))
    return m


def solver() -> Modular:
    """A millisecond for the chain, a twentieth of it for the sensor."""
    return Modular(step=STEP, substeps={"sensor": PARTS})


def check(result: Result) -> list[Check]:
    """The sensor as accurate as in a run in which everything is advanced in its short steps, within a factor of two.

    Both are compared with the adaptive central solver. The phase error alone is (ωh)²/24 · ωt of the amplitude.
    """
    m, n = result.mechanism, len(result.time)
    reference = m.simulate(result.time[-1], bl.Central(rtol=1e-11, atol=1e-13), samples=n)
    fine = m.simulate(result.time[-1], Modular(step=STEP / PARTS), samples=n)

    def error(run: Result, name: str) -> float:
        return float(np.abs(run[name].position - reference[name].position).max())

    omega = np.sqrt(STIFFNESS / MASS)
    phase = (omega * STEP / PARTS) ** 2 / 24 * omega * DURATION
    return [
        at_most("sensor, error over that of short steps for everything", error(result, "sensor") / error(fine, "sensor"), 2.0),
        at_most("sensor against the phase error of the method [m]", error(fine, "sensor"), 3 * phase * STRETCH),
        at_most("end of the chain [m]", error(result, f"link {LINKS}"), 3e-4),
        at_most("largest gap of a joint [m]", result.violation, 1e-9),
        at_least("steps of the sensor in one of the chain", PARTS, 20),
        at_most("energy, of the energy of the swing", np.abs(result.energy.balance).max() / result.energy.scale, 1e-3),
    ]


if __name__ == "__main__":
    main(__name__)
