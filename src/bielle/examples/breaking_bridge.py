"""Breaking bridge: a truss is loaded until a bar breaks, and the bridge follows, bar by bar.

Fifteen bars are pinned to nine nodes: the deck (four bars) on top, three chords at the bottom, and two diagonals in each bay, ``down`` to
the right and ``up`` again. The left end is hinged, the right end lies on a seat and may slide. A block of three tons hangs below the
middle, and a jack pulls it down with a force that grows by 10 kN a second. A pin breaks at 70 kN, and its bar comes off altogether:

    live.breaks(pin, force=STRENGTH, do=…)

As long as the bridge holds nothing moves: 18 equations of equilibrium of the nodes for 15 bars and 3 supports, the method of joints, give
every force. A bar's own weight goes half to each of its ends, so that the force in its pin is that of the bar and half the weight. All
of it is linear in the pull of the jack; the bar that breaks first, the lower chord of the middle, and the moment when it does are known
beforehand.

Then the bridge folds at the middle of the deck; the jack stops. What breaks next is dynamics: the right end slides inwards and falls off
its seat (an event too, ``live.when("T4.position.x", falls=…)``), everything swings down about the left hinge, and the two bars that hold on
to it go one after the other. Whatever is free falls: each bar on its parabola, and so does the centre of mass of the rest.

Nobody tells the cascade its order. That it is right follows from two things: each pin had its strength in it when it broke, and no other
pin carried more at any moment. A second run, with another integrator, must give the same instants.
"""

from __future__ import annotations

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline
from bielle.solvers.central import Central

from ._checks import Check, at_most, conserves, equals, flies_freely, main

TITLE = "Truss bridge that is loaded until it breaks, bar by bar"
DURATION = 2.6
GRAVITY = 9.81
BAYS, BAY, DEPTH = 4, 3.0, 2.0  # number and length of the bays, depth of the truss [m]
MASS_PER_LENGTH, NODE = 30.0, 10.0  # of the bars [kg/m]; of a node [kg]
BLOCK, HANGER = 3000.0, 1.2  # [kg]; its centre below the deck [m]
GROWTH = 10e3  # of the jack's pull [N/s]
STRENGTH = 70e3  # of a pin [N]
SEAT = 0.15  # how far the right end may slide before it falls off [m]

NODES = {f"T{k}": np.array([k * BAY, 0.0]) for k in range(BAYS + 1)}  # top and bottom
NODES |= {f"B{k}": np.array([(k - 0.5) * BAY, -DEPTH]) for k in range(1, BAYS + 1)}
BARS = {f"deck {k}": (f"T{k - 1}", f"T{k}") for k in range(1, BAYS + 1)}  # from where to where
BARS |= {f"chord {k}": (f"B{k}", f"B{k + 1}") for k in range(1, BAYS)}
BARS |= {f"down {k}": (f"T{k - 1}", f"B{k}") for k in range(1, BAYS + 1)}
BARS |= {f"up {k}": (f"B{k}", f"T{k}") for k in range(1, BAYS + 1)}
PINS = {f"{bar} at {node}": bar for bar, ends in BARS.items() for node in ends}
LEFT, MIDDLE, RIGHT = "T0", f"T{BAYS // 2}", f"T{BAYS}"
LENGTH = {bar: float(np.linalg.norm(NODES[end] - NODES[start])) for bar, (start, end) in BARS.items()}
MASS = {bar: MASS_PER_LENGTH * length for bar, length in LENGTH.items()} | dict.fromkeys(NODES, NODE) | {"block": BLOCK}
CASCADE = ["chord 2", "seat", "deck 1", "down 1"]  # what gives way, in this order


@explained
def build() -> bl.Mechanism:
    """The bridge and the block, at rest."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="breaking bridge")
    for bar, (start, end) in BARS.items():
        m.add_body(bar, bl.rod(NODES[start], NODES[end], mass=MASS[bar], radius=0.06))
    for node, place in NODES.items():
        m.add_body(node, bl.disc(0.1, mass=NODE), position=place, color="#5b6675")
    for bar, ends in BARS.items():
        for node in ends:
            m.add_joint(f"{bar} at {node}", bl.Pin(), node, bar, at=NODES[node])
    m.add_joint("hinge", bl.Pin(), m.ground, LEFT, at=NODES[LEFT])
    m.add_joint("seat", bl.PinInSlot(direction="x"), m.ground, RIGHT, at=NODES[RIGHT])
    m.add_body("block", bl.box((1.2, 0.8), mass=BLOCK), position=NODES[MIDDLE] - [0.0, HANGER], color="#18212c")
    m.add_joint("hanger", bl.Pin(), MIDDLE, "block", at=NODES[MIDDLE])
    m.add_force("jack", bl.PointForce(force=(0.0, bl.Polynomial(coefficients=(0.0, -GROWTH)))), "block", at_a=(0.0, 0.0))
    return m


def solver() -> Central | None:
    """The default."""
    return None


def play(live: LiveSession) -> None:
    """Say what happens when, and let time pass."""
    for pin, bar in PINS.items():
        live.breaks(pin, force=STRENGTH, do=lambda live, bar=bar: fall(live, bar))
    live.when(f"{RIGHT}.position.x", falls=NODES[RIGHT][0] - SEAT, do=lambda live: live.remove("seat"))
    live.advance_to(DURATION)


def fall(live: LiveSession, bar: str) -> None:
    """A bar of which one pin is broken comes off altogether, and the jack stops."""
    with live.edit(f"{bar} falls"):
        live.free(bar)
        if "jack" in live.mechanism.forces:
            live.remove("jack")


def method_of_joints(pull: float) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Tension of the bars, and force of each pin on its bar (2,) [N], at rest under a pull of the jack [N].

    Each node is in equilibrium under the bars, the supports, its weight and half the weight of the bars that meet there.
    """
    place = {node: slice(2 * i, 2 * i + 2) for i, node in enumerate(NODES)}
    matrix, load = np.zeros((2 * len(NODES), len(BARS) + 3)), np.zeros(2 * len(NODES))
    along = {bar: (NODES[end] - NODES[start]) / LENGTH[bar] for bar, (start, end) in BARS.items()}
    for node, rows in place.items():
        load[rows] = [0.0, -GRAVITY * (NODE + sum(0.5 * MASS[bar] for bar, ends in BARS.items() if node in ends))]
    load[place[MIDDLE]] -= [0.0, BLOCK * GRAVITY + pull]
    for i, (bar, (start, end)) in enumerate(BARS.items()):
        matrix[place[start], i], matrix[place[end], i] = along[bar], -along[bar]
    matrix[place[LEFT], -3:-1] = np.eye(2)
    matrix[place[RIGHT], -1] = [0.0, 1.0]
    tension = dict(zip(BARS, np.linalg.solve(matrix, -load)))
    pins = {}
    for bar, (start, end) in BARS.items():
        half = np.array([0.0, 0.5 * MASS[bar] * GRAVITY])
        pins |= {f"{bar} at {start}": half - tension[bar] * along[bar], f"{bar} at {end}": half + tension[bar] * along[bar]}
    return {bar: float(force) for bar, force in tension.items()}, pins


def first_failure() -> tuple[str, float]:
    """The bar that breaks first, by statics, and when [s]: the first root of |p₀ + t p₁| = strength over all pins."""
    start, later = method_of_joints(0.0)[1], method_of_joints(GROWTH)[1]
    instants = {}
    for pin, force in start.items():
        rate = later[pin] - force
        roots = np.roots([rate @ rate, 2 * rate @ force, force @ force - STRENGTH**2])
        instants[pin] = min((float(t.real) for t in roots if np.isreal(t) and t.real > 0), default=np.inf)
    pin = min(instants, key=lambda pin: instants[pin])
    return PINS[pin], instants[pin]


def breaks(result: Timeline) -> list[tuple[float, str]]:
    """When which pin broke."""
    return [(edit.time, edit.label.removesuffix(" broke")) for edit in result.edits if edit.label.endswith(" broke")]


def check(result: Timeline) -> list[Check]:
    """Statics until the first bar breaks, the cascade, free fall."""
    bar, instant = first_failure()
    broken, before = breaks(result), result.spans[0]
    pins = {pin: result[pin].force(on=PINS[pin]) for pin in PINS}
    size = np.stack([np.linalg.norm(force, axis=1) for force in pins.values()])  # NaN when a pin is gone
    start, later = method_of_joints(0.0)[1], method_of_joints(GROWTH)[1]
    statics = [pins[pin][before] - start[pin] - result.time[before, None] * (later[pin] - start[pin]) for pin in PINS]
    at_break = [np.linalg.norm(pins[pin][result.time == time][0]) for time, pin in broken]
    order = [PINS.get(edit.label.removesuffix(" broke"), "seat") for edit in result.edits if edit.label.endswith((" broke", " seat"))]

    again = build().live(Central(integrator="rk4", step=1e-3))
    play(again)
    other = breaks(again.result())
    return [
        equals("degrees of freedom: nodes and block can turn", build().report().degrees_of_freedom, len(NODES) + 1),
        at_most("forces of all pins before, off the method of joints [N]", statics, 1e-9 * STRENGTH),
        equals(f"{bar} is the first to break, as statics says", order[0] == bar, True),
        at_most("instant of the first break, off statics [s]", broken[0][0] - instant, 1e-9),
        equals(f"the order is {', '.join(CASCADE)}", order == CASCADE, True),
        at_most("force in a pin when it breaks, off its strength, relative", np.array(at_break) / STRENGTH - 1.0, 1e-7),
        at_most("largest force in a pin, of its strength", np.nanmax(size) / STRENGTH, 1.0 + 1e-7),
        equals("the same pins break with another integrator", [pin for _, pin in other] == [pin for _, pin in broken], True),
        at_most("at the same instants [s]", [one - two for (one, _), (two, _) in zip(broken, other)], 1e-6),
        *(check for time, pin in broken for check in flies_freely(result, PINS[pin], time, DURATION)),
        at_most("centre of mass of the rest, off its parabola at the end [m]", _rest_off(result, broken), 1e-9),
        *conserves(result, violation=1e-9, energy=1e-7),
    ]


def _rest_off(result: Timeline, broken: list[tuple[float, str]]) -> np.ndarray:
    """How far the centre of mass of what hangs together, once nothing holds it any more, is from where a free body would be."""
    gone = {LEFT, *(PINS[pin] for _, pin in broken)}
    rest = {name: mass for name, mass in MASS.items() if name not in gone}
    span, total = result.spans[-1], sum(rest.values())
    centre = np.sum([mass * result[name].centre.position[span] for name, mass in rest.items()], axis=0) / total
    speed = np.sum([mass * result[name].centre.velocity[span][0] for name, mass in rest.items()], axis=0) / total
    time = (result.time[span] - result.time[span][0])[:, None]
    return centre - centre[0] - speed * time - 0.5 * np.array([0.0, -GRAVITY]) * time**2


if __name__ == "__main__":
    main(__name__)
