"""Thousands of random edits of running mechanisms: what is refused leaves no trace, what is done is what compiling from scratch gives."""

import gc
import weakref
from copy import copy

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, DescriptionError, SimulationError
from bielle.kernels import functions
from bielle.live import editing
from bielle.model import compile_mechanism, edit_model
from bielle.solvers.run import Run
from bielle.solvers.workspace import Workspace

from ..model.test_editing import same_model
from .random_edits import Player

SOLVERS = {
    "adaptive": bl.Central(),
    "rk4": bl.Central(integrator="rk4", step=2e-3),
    "generalized-alpha": bl.Central(integrator="generalized-alpha", step=2e-3),
    "modular": bl.Modular(step=2e-3),
    "recursive": bl.Recursive(),
    "recursive rk4": bl.Recursive("rk4", step=2e-3),
    "explicit": bl.Modular(joints="explicit", step=2e-3),
}


def everything(live):
    """All a session goes on from, in a form that can be compared."""
    state = live.state
    numbers = [getattr(state, n).tobytes() for n in ("q", "v", "work", "lam", "memory", "merged", "acc", "a0", "mu")]
    return (state.time, state.step, state.settled, live.version, numbers, live._timers, live.closing, len(live._undo), len(live._redo))


def without_addresses(model):
    """The model without the addresses of Python callables, which are others every time it is compiled."""
    called = model.arrays["signal_kind"] % functions.CURVE == functions.CALLABLE
    out = copy(model)
    out.arrays = model.arrays | {"signal_n": np.where(called, 0, model.arrays["signal_n"])}
    return out


def check_model(live):
    """The tables that run are those of the mechanism compiled from scratch, with the joints that are being closed."""
    fresh, _ = compile_mechanism(live.mechanism)
    if live.model.closings:
        fresh, _ = edit_model(fresh, live.mechanism, [], live.model.closings)
    same_model(without_addresses(live.model), without_addresses(fresh))


def check_state(live, tolerance):
    """It is finite, and on the constraints to a tolerance relative to the largest coordinate."""
    w = Workspace(live.model, live.state)
    w.evaluate()
    assert np.isfinite(w.q).all()
    assert np.isfinite(w.v).all()
    assert np.abs(w.phi[: live.model.nc]).max(initial=0.0) <= tolerance * (1.0 + np.abs(w.q).max(initial=0.0))


def play(player, edits):
    """Edits, each followed by a short advance; returns how many were done, refused, and followed by a failure to move on."""
    live, done, refused, stopped = player.live, 0, 0, 0
    # The projection ends when its last correction was below 1e-10. At positions that joints cannot pass it converges slowly, if at all:
    # adaptive steps that are off by 1e-5 before it are refused there, fixed ones are taken and may be anywhere. The modular solver refuses
    # what is left open by 1000 tolerances; explicit joints are merged when they are open by much.
    closed, stuck = (np.inf, np.inf) if live.solver.fixed_step else (1e-9, 1e-3)
    if isinstance(live.solver, bl.Modular):
        closed = stuck = 1e3 * live.solver.tolerance if live.solver.joints == "iterated" else live.solver.torn
    for _ in range(edits):
        before, mechanism = everything(live), live.mechanism.copy()
        try:
            player.play()
            done += 1
        except BielleError:
            refused += 1
            if "grab" not in player.log[-1]:  # a grab, a move and a release, each an edit of its own
                assert everything(live) == before, player.log[-1]
                assert live.mechanism == mechanism, player.log[-1]
        else:
            check_model(live)
        try:
            live.advance(0.01)
        except SimulationError:
            stopped += 1
            check_state(live, stuck)
            live.undo()
        check_state(live, closed)
    result = live.result()
    assert (np.diff(result.time) >= 0.0).all()
    assert result.time[-1] == live.time
    return done, refused, stopped


@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # stiff springs in steps of 2 ms
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # coarse steps of anything
def test_random_edits(seed, solver):
    done, refused, stopped = play(Player(seed, solver=SOLVERS[solver]), 45)
    assert done > 10
    assert refused > 5
    assert stopped <= 2


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(100, 160))
@pytest.mark.filterwarnings("ignore::bielle.errors.AccuracyWarning")  # coarse steps of anything
def test_very_many_random_edits(seed, solver):
    play(Player(seed, solver=SOLVERS[solver]), 60)


@pytest.mark.parametrize("dim", [2, 3])
def test_the_same_seed_gives_the_same_bits(dim):
    ends = []
    for _ in range(2):
        player = Player(dim, dim=dim)
        play(player, 25)
        ends.append((everything(player.live)[:3], everything(player.live)[4:], player.log))
    assert ends[0] == ends[1]


def test_memory_is_bounded(monkeypatch):
    """Old moments, samples and models go; a session keeps as many edits as can be undone, one run, and samples up to its limit."""
    monkeypatch.setattr(editing, "_UNDO", 20)
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    live = m.live(history=2e5)
    runs, spaces, moments, stretches, sizes = weakref.WeakSet(), weakref.WeakSet(), [], [], []
    for i in range(300):
        live.add_body(f"ball {i}", bl.sphere(0.1, mass=1.0), position=(i % 7, 1.0))
        live.add_joint(f"rope {i}", bl.Distance(), "rod", f"ball {i}", at_a=(0.5, 0), at_b=(0, 0))
        runs.add(live._run)
        spaces.add(live._run.workspace)
        live.advance(0.01)
        live.remove(f"ball {i}", dependants=True)
        if i % 3 == 0:
            live.undo()
            live.remove(f"ball {i}", dependants=True)
        if i % 50 == 49:
            gc.collect()
            assert len(runs) <= 1
            assert len(spaces) <= 1
        moments.append(len(live._undo) + len(live._redo))
        stretches.append(len(live._history.stretches))
        sizes.append(live._history._size)
    assert max(moments) <= 20
    assert max(sizes[50:]) <= 2.2e5  # the limit, and the present stretch
    assert max(stretches[150:]) <= max(stretches[50:150])
    live.undo()  # to before what the history remembers, if need be
    live.advance(0.01)
    assert live.result().time[-1] == live.time


def test_no_run_outlives_its_session():
    gc.collect()
    before = sum(issubclass(type(thing), Run) for thing in gc.get_objects())
    for seed in range(4):
        player = Player(seed)
        play(player, 15)
        del player
    gc.collect()
    assert sum(issubclass(type(thing), Run) for thing in gc.get_objects()) <= before


def test_history_forgets_and_undo_still_works():
    """Undo goes further back than the samples that are kept, and redo comes back."""
    m = bl.Mechanism(plane="xy")
    m.add_body("ball", bl.sphere(0.1, mass=1.0))
    live = m.live(history=1.0)
    ends = []
    for i in range(5):
        live.add_body(f"ball {i}", bl.sphere(0.1, mass=1.0))
        live.advance(0.05)
        ends.append(everything(live)[:5])
    for _ in range(3):
        live.undo()
    live.advance(0.02)
    assert len(live.result()) > 0
    for _ in range(3):
        live.redo()
    assert everything(live)[:5] == ends[-1]
    live.advance(0.02)
    assert live.result().time[-1] == live.time
    with pytest.raises(DescriptionError, match="nothing to redo"):
        live.redo()
