"""What physics keeps through edits: the balance of energy through any of them, momentum through those that are internal."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bielle as bl
from bielle.errors import BielleError
from bielle.mechanism import registry

from .random_edits import Player, kinds

PRECISE = bl.Central(rtol=1e-11, atol=1e-13)
INTERNAL = ("add_body", "add_joint", "add_joint", "add_joint", "remove_joint", "replace_joint", "replace_body_kind", "lock", "unlock")
# imposed motions on the ground and relations whose reactions the ground bears are not internal
OUTSIDE = ("imposed_body", "imposed_point", "velocity_relation")


class Inside(Player):
    """Somebody who edits from inside a free-floating mechanism."""

    def place(self):
        return self.chance.pick([*self.mechanism.bodies, *self.mechanism.frames])

    def remove_joint(self):
        self.live.remove(self.chance.pick(self.mechanism.joints or ["nobody"]))

    def replace_body_kind(self):
        self.live.replace(self.body(), coordinates=self.chance.pick(["planar", "bar"] if self.dim == 2 else ["spatial", "natural"]))


def advance(live, duration):
    """Whether it could."""
    try:
        live.advance(duration)
    except bl.errors.SimulationError:
        live.undo()
        return False
    return True


@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6))
def test_the_balance_of_energy_closes_through_200_random_edits(seed):
    """Work of forces, drives, closings and edits is all there is: nothing is left over. No kind of edit, joint or force is left out."""
    player = Player(seed, absurd=0.0)
    done = stuck = 0
    while done < 200:
        try:
            player.play()
        except BielleError:
            continue
        if advance(player.live, 0.01):
            done, stuck = done + 1, 0
            continue
        stuck += 1
        for _ in range(min(stuck - 1, len(player.live._undo))):  # out of a dead end, further back every time
            player.live.undo()
    assert np.abs(player.live.result().energy.error).max() < 1e-7


def momentum(live):
    """Linear (dim,) and angular about the origin, in one array; and the sum of their parts' sizes, which rounding is relative to."""
    total, spin, parts = np.zeros(3), np.zeros(3), 1.0
    for name, body in live.mechanism.bodies.items():
        properties, now, dim = body.shape.mass_properties(), live[name], live.model.dim
        x, v, w = np.zeros(3), np.zeros(3), np.zeros(3)
        x[:dim], v[:dim] = now.centre.position, now.centre.velocity
        if dim == 2:
            w[2] = now.angular_velocity
            own = np.array([0.0, 0.0, properties.inertia[2, 2] * w[2]])
        else:
            w = np.asarray(now.angular_velocity)
            R = now.rotation
            own = R @ properties.inertia @ R.T @ w
        total += properties.mass * v
        spin += properties.mass * np.cross(x, v) + own
        parts += properties.mass * np.linalg.norm(v) * (1.0 + np.linalg.norm(x)) + np.linalg.norm(own)
    return np.concatenate([total, spin]), parts


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_internal_edits_keep_momentum(seed, dim):
    """Joins, gentle or by impulse, removals, locks and changes of kind or coordinates, between bodies that float freely."""
    joints = [kind for kind in kinds(registry.joints, dim) if type(kind).__struct_config__.tag not in OUTSIDE]
    about = {"joints": joints, "forces": [], "grounded": False, "gravity": False, "absurd": 0.0, "verbs": INTERNAL}
    player = Inside(seed, dim=dim, solver=PRECISE, **about)
    live, joined = player.live, 0
    for _ in range(40):
        before, _ = momentum(live)
        bodies = set(live.mechanism.bodies)
        try:
            player.play()
        except BielleError:
            continue
        if set(live.mechanism.bodies) != bodies:
            before, _ = momentum(live)  # a body brings its own
        after, parts = momentum(live)
        # impulses are refined until the balance M δv = JᵀΛ holds to rounding, amplified by masses that differ tenfold
        assert np.abs(after - before).max() <= 1e-11 * parts, player.log[-1]
        if not advance(live, 0.02):
            continue
        joined += bool(live.mechanism.joints)
        after, parts = momentum(live)
        # a hundred steps that err by rtol in each coordinate, and projections that move bodies by as much
        assert np.abs(after - before).max() <= 100 * PRECISE.rtol * parts, player.log[-1]
    assert joined >= 1
