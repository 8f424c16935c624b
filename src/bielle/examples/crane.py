"""Crane: a hook on two ropes picks up three loads, each in another way, and lets them fall.

Two trolleys run on a rail at the height H; a rope of the length ℓ goes from each to the hook. Their motions are imposed, so that the hook
is in the middle between them at the height H − √(ℓ² − s²), with s half their distance: together they travel, apart they lift.

The loads are barrels held on stands. A session takes hold of them and lets go while everything runs:

    barrel 1  the hook stops 20 cm above it and takes it up gently: the gap closes along a smooth ramp. The work of the closing is booked
              under the name of the joint, and must be m g h, the weight times the gap, because the barrel is at rest before and after
    barrel 2  the hook comes by at speed v and catches it with a jerk (joining='impulse'). The barrel hangs by its rim and is struck there:
              it weighs m/(1 + m r²/I) then, and the jerk adds ½ v² times that to the energy
    barrel 3  the hook comes by again, 10 cm too high, and takes it along gently: the gap and the velocity disappear together

Each is let go while the hook travels and flies on a parabola until it meets the floor, at the instant that follows from its height and
velocity; there it sticks (``live.fix(barrel, joining='impulse')``).

The balance of energy closes over all of it: trolleys, friction, closings, jerks and landings are all booked. The ropes are massless rods
(``Distance``); they must pull, and what they carry is weight and inertia of hook and barrel.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import bielle as bl
from bielle.calls import explained
from bielle.live.session import LiveSession
from bielle.results.timeline import Timeline
from bielle.solvers.central import Central

from ._checks import Check, at_least, at_most, conserves, eased, flies_freely, main, moments

TITLE = "Crane that picks up barrels and lets them fall"
DURATION = 28.0
GRAVITY = 9.81
RAIL, ROPE, STAND, RADIUS = 6.0, 5.0, 0.4, 0.5  # heights, lengths [m]
HOOK, TROLLEY, BARRELS = 30.0, 50.0, {"barrel 1": 200.0, "barrel 2": 100.0, "barrel 3": 150.0}  # masses [kg]
PLACES = {"barrel 1": 0.0, "barrel 2": 8.0, "barrel 3": 15.0}  # of the stands along the rail [m]
TOP = STAND + 2 * RADIUS  # height of a barrel's rim on its stand
GAP, HIGH = 0.2, 3.0  # [m]
FRICTION = 0.6  # in a grip, per mass of the barrel [m²/s]: swings die away in a second or two
STOPS = (  # of the hook: time [s], place along the rail and height [m]; it moves from one to the next and stops there
    (0.0, 0.0, 2.6),
    (2.0, 0.0, TOP + GAP),
    (3.0, 0.0, TOP + GAP),
    (5.0, 0.0, HIGH),
    (8.0, 5.0, HIGH),
    (10.0, 6.5, TOP),
    (13.0, 9.5, TOP),
    (15.0, 9.5, HIGH),
    (17.5, 12.5, HIGH),
    (19.5, 13.5, TOP + 0.1),
    (22.5, 16.5, TOP + 0.1),
    (24.5, 16.5, HIGH),
    (27.5, 12.0, HIGH),
    (28.0, 12.0, HIGH),
)
PICKED = {"barrel 1": 2.0, "barrel 2": 11.5, "barrel 3": 21.0}  # [s]
DROPPED = {"barrel 1": 6.8, "barrel 2": 16.4, "barrel 3": 26.5}
SPEED = 15 / 8 * 3.0 / 3.0  # [m/s] of the hook halfway between two stops 3 m and 3 s apart


def _trolleys() -> tuple[bl.Table, bl.Table]:
    """Places of the two trolleys over time, so that the hook goes from stop to stop along a polynomial without jerks."""
    time = np.linspace(STOPS[0][0], STOPS[-1][0], 1401)  # every 20 ms, all stops included
    place = np.zeros((2, len(time)))
    for (start, *here), (end, *there) in pairwise(STOPS):
        during = (time >= start - 1e-9) & (time <= end + 1e-9)
        part = np.clip((time[during] - start) / (end - start), 0.0, 1.0)
        place[:, during] = np.array(here)[:, None] + np.outer(np.array(there) - here, eased(part))
    aside = np.sqrt(ROPE**2 - (RAIL - place[1]) ** 2)
    return bl.Table(x=tuple(time), y=tuple(place[0] - aside)), bl.Table(x=tuple(time), y=tuple(place[0] + aside))


@explained
def build() -> bl.Mechanism:
    """The crane above the first barrel, and the barrels on their stands."""
    m = bl.Mechanism(gravity=(0.0, -GRAVITY), plane="xy", name="crane")
    _, along, height = STOPS[0]
    m.add_body("hook", bl.disc(0.15, mass=HOOK), position=(along, height))
    m.add_joint("upright", bl.ImposedRotation(angle=0.0), m.ground, "hook", at=(along, height))  # else friction would only spin the hook
    for name, table in zip(("left", "right"), _trolleys()):
        trolley = m.add_body(f"{name} trolley", bl.box((0.6, 0.3), mass=TROLLEY), position=(table.y[0], RAIL), color="#5b6675")
        m.add_joint(f"{name} rail", bl.Slider(direction="x"), m.ground, trolley, at_a=(0.0, RAIL), at_b=(0.0, 0.0))
        m.add_joint(f"{name} drive", bl.ImposedTranslation(displacement=table), m.ground, trolley, at_a=(0.0, RAIL), at_b=(0.0, 0.0))
        m.add_joint(f"{name} rope", bl.Distance(length=ROPE), trolley, "hook", at_a=(0.0, 0.0), at_b=(0.0, 0.0))
    for barrel, mass in BARRELS.items():
        m.add_body(barrel, bl.disc(RADIUS, mass=mass), position=(PLACES[barrel], STAND + RADIUS))
        m.add_joint(f"stand of {barrel}", bl.Rigid(), m.ground, barrel, at=(PLACES[barrel], STAND))
    return m


def solver() -> Central:
    """The default one, a little tighter: the tables of the trolleys are smooth only twice, and steps cross their knots."""
    return Central(rtol=1e-10, atol=1e-12)


def play(live: LiveSession) -> None:
    """Three times: wait for the hook, take hold, carry, let go, wait for the landing."""
    for barrel in BARRELS:
        live.advance_to(PICKED[barrel])
        take(live, barrel)
        live.advance_to(DROPPED[barrel])
        live.remove(f"grip of {barrel}", dependants=True)  # the friction in it goes too
        live.advance_to(landing(live, barrel))
        live.fix(barrel, joining="impulse")
    live.advance_to(DURATION)


def take(live: LiveSession, barrel: str) -> None:
    """From the stand to the hook, as one edit."""
    with live.edit(f"take {barrel}"):
        live.remove(f"stand of {barrel}")
        if barrel == "barrel 2":  # where the hook is now: no gap
            live.add_joint(f"grip of {barrel}", bl.Pin(), "hook", barrel, at=live["hook"].position, joining="impulse")
        else:
            live.add_joint(f"grip of {barrel}", bl.Pin(), "hook", barrel, at_a=(0.0, 0.0), at_b=(0.0, RADIUS))
        live.add_force(f"friction of {barrel}", bl.JointDamping(coefficient=FRICTION * BARRELS[barrel]), joint=f"grip of {barrel}")


def landing(live: LiveSession, barrel: str) -> float:
    """When a barrel that flies will touch the floor [s]."""
    height, up = live[barrel].position[1] - RADIUS, live[barrel].velocity[1]
    return live.time + (up + np.sqrt(up**2 + 2 * GRAVITY * height)) / GRAVITY


def check(result: Timeline) -> list[Check]:
    """What is booked for takes and landings, what the ropes carry, how the barrels fly."""
    booked = result.energy.by_edit
    struck = 0.5 * SPEED**2 * BARRELS["barrel 2"] / 3  # I = m r²/2: a third of its mass at the rim
    lifted = BARRELS["barrel 1"] * GRAVITY * GAP
    checks = [
        at_most("gentle take of barrel 1, off m g h, relative", booked["grip of barrel 1"] / lifted - 1, 1e-6),
        at_most("jerk at barrel 2, off ½ v² m/3, relative", booked["take barrel 2"] / struck - 1, 1e-6),
        *_ropes(result),
    ]
    for barrel in BARRELS:
        landed = result[f"fix {barrel}"].lifetimes[0][0]
        arrives = moments(result, DROPPED[barrel], landed).stop - 1
        lost = booked[f"fix {barrel}"] + _kinetic(result, barrel, arrives)
        checks += [
            *flies_freely(result, barrel, DROPPED[barrel], landed),
            at_most(f"{barrel}, lies above or below the floor [m]", result[barrel].position[-1, 1] - RADIUS, 1e-9),
            at_most(f"{barrel}, energy lost on landing, relative", lost / booked[f"fix {barrel}"], 1e-9),
        ]
    return [*checks, *conserves(result, violation=1e-9, energy=1e-7)]


def _kinetic(result: Timeline, barrel: str, sample: int) -> float:
    velocity, spin = result[barrel].velocity[sample], result[barrel].angular_velocity[sample]
    return 0.5 * BARRELS[barrel] * float(velocity @ velocity + 0.5 * RADIUS**2 * spin**2)


def _ropes(result: Timeline) -> list[Check]:
    """The ropes pull; at rest they carry the weight, and at any time weight and inertia, of the hook and the barrel on it."""
    hook, gravity = result["hook"], np.array([0.0, -GRAVITY])
    pulls = {side: result[f"{side} rope"].force(on="hook") for side in ("left", "right")}
    carried = HOOK * (hook.acceleration - gravity)
    for barrel in BARRELS:
        on_hook = moments(result, PICKED[barrel], DROPPED[barrel])
        carried[on_hook] += BARRELS[barrel] * (result[barrel].acceleration[on_hook] - gravity)
    along = {side: (result[f"{side} trolley"].position - hook.position) / ROPE for side in pulls}
    tension = np.stack([np.einsum("nk,nk->n", pulls[side], along[side]) for side in pulls])
    at_rest = moments(result, 2.9, 2.9).start  # barrel 1 hangs, and nothing moves
    weight = (HOOK + BARRELS["barrel 1"]) * GRAVITY
    slope = (RAIL - STOPS[1][2]) / ROPE
    return [
        at_least("smallest tension of a rope [N]", tension, 0.0),
        at_most("tension of each rope while barrel 1 hangs at rest, relative", tension[:, at_rest] / (0.5 * weight / slope) - 1, 1e-6),
        at_most("both ropes, off weight + inertia, relative", (sum(pulls.values()) - carried) / weight, 1e-9),
    ]


if __name__ == "__main__":
    main(__name__)
