"""Whatever a user can hold can be copied and pickled, and lives on when the original is gone; or it says why not, and what to do."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import bielle as bl
from bielle.errors import BielleError, CopyError
from bielle.mechanism import registry
from bielle.model import Context, compile_mechanism
from bielle.recursive.tree import Tree
from bielle.solvers.workspace import Workspace

from .models import arm, everything_of, pendulum, push, session, turn

ROOT = Path(__file__).parents[2]
WAYS = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda x: pickle.loads(pickle.dumps(x))}
every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def run_of_pendulum():
    return pendulum().simulate(0.3, samples=7)


def glued():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    glue = bl.Glue(step=0.05)
    glue.add("rod", bl.Part(m, {"tip": ("rod", (1, 0))}))
    return glue


def in_other_memory(make, way, read):
    """What is read of a copy after the original has gone and its memory is used again, and what was read of the original."""
    original = make()
    before = read(original)
    read(other := way(original))  # caches of it are filled
    other = way(other)
    del original
    gc.collect()
    junk = [np.full(700, np.nan) for _ in range(3000)]
    after = read(other)
    del junk
    return before, after


def same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


@every_way
@pytest.mark.parametrize("make", [run_of_pendulum, lambda: arm().simulate(0.2, samples=5), lambda: session().result()])
def test_results(make, way):
    same(*in_other_memory(make, way, everything_of))


@every_way
def test_components_of_results(way):
    for name in ("lower", "pivot", "spring"):
        for make in (lambda name=name: run_of_pendulum()[name], lambda name=name: session().result()[name]):
            same(*in_other_memory(make, way, lambda part: everything_of(part.run)))
    before, after = in_other_memory(lambda: run_of_pendulum()["lower"].point((0.1, 0)), way, lambda p: {"a": p.acceleration})
    same(before, after)
    same(*in_other_memory(lambda: run_of_pendulum().energy, way, lambda e: {"kinetic": e.kinetic, "balance": e.balance}))


@every_way
def test_models_in_joint_coordinates(way):
    def make():
        model = arm().recursive()
        model.armature[:] = 0.1 * np.arange(model.nv)
        return model

    def read(model):
        q, v = model.described()
        v = v + 0.3
        a, lam = model.forward_dynamics_constrained(q, v, v)
        return {"M": model.crba(q), "h": model.bias_forces(q, v), "a": a, "lam": lam, "batch": model.aba_batch([q] * 9, [v] * 9, [v] * 9)}

    same(*in_other_memory(make, way, read))
    model = make()
    other = way(model)
    other.armature[:] = 0.0
    assert model.armature.any()


@every_way
@pytest.mark.parametrize("make", [pendulum, arm])
def test_mechanisms(make, way):
    same(*in_other_memory(make, way, lambda m: everything_of(m.simulate(0.1, samples=3))))
    assert way(make()) == make()


@every_way
def test_models_and_states(way):
    model, state = compile_mechanism(pendulum())
    other, its_state = way((model, state)) if way is not copy.copy else (copy.copy(model), copy.copy(state))
    context, another = Context(model), Context(other)
    context.load(state)
    another.load(its_state)
    for one in (context, another):
        one.evaluate()
        one.apply_forces()
    assert np.array_equal(context.phi, another.phi)
    assert np.array_equal(context.x_force, another.x_force)
    if way is not copy.copy:
        its_state.q[:] = 7.0
        assert not (state.q == 7.0).any()
    assert its_state.fields["q"].base is its_state.fields.block


@every_way
def test_other_results(way):
    report = pendulum().report()
    assert str(way(report)) == str(report)
    before, after = in_other_memory(lambda: glued().simulate(0.1), way, lambda run: everything_of(run["rod"]) | {"time": run.time})
    same(before, after)


def public():
    """An instance, or more, of every public class; functions and modules themselves."""
    rod = bl.rod((0, 0, 0), (1, 0, 0), mass=1.0)
    yield from (
        rod,
        bl.box((1, 1, 1), mass=1.0),
        bl.Constant(1.0),
        bl.Harmonic(1.0, 2.0),
        bl.Polynomial((1.0, 2.0)),
        bl.Table((0, 1), (2, 3)),
    )
    yield from (
        bl.Harmonic(1.0, 2.0) + bl.Constant(2.0),
        bl.Harmonic(1.0, 2.0) * turn,
        bl.SmoothStep(0, 1, 2, 3),
        bl.TrapezoidalProfile(0, 1, 2, 3),
    )
    yield from (bl.Function(push), turn, bl.compiled(push), bl.Central(), bl.Modular(step=1e-3), bl.Recursive(), bl.visuals.sphere(0.1))
    yield from (pendulum(), pendulum().add_body("third", bl.disc(1.0, mass=1.0)), bl.rotation("x", 0.3))
    for dim in (2, 3):
        for table in (registry.joints, registry.forces):
            for kind in table.values():
                if dim in kind.dims:
                    yield from kind.samples(dim)
    for name in bl.__all__:
        if not isinstance(thing := getattr(bl, name), types.ModuleType):
            yield thing


@every_way
def test_everything_else_public(way):
    seen = set()
    for thing in public():
        other = way(thing)
        seen.add(type(thing))
        assert type(other) is type(thing)
        assert np.array_equal(other, thing) if isinstance(thing, np.ndarray) else other == thing
    elsewhere = {bl.Glue, bl.Part, bl.Remote, bl.Result, bl.Timeline}  # see the other tests
    classes = {thing for name in bl.__all__ if isinstance(thing := getattr(bl, name), type)}
    assert {c for c in classes - elsewhere if not any(issubclass(s, c) for s in seen)} == set()


@every_way
def test_what_holds_memory_of_a_computation_refuses(way):
    m = pendulum()
    model, state = compile_mechanism(m)
    with glued() as glue:
        refused = [session(), glue, glue._members["rod"].component, Context(model), Workspace(model, state), Tree(model)]
        refused += [bl.Central().start(model, state), bl.Modular(step=1e-3).start(model, state), bl.Recursive().start(model, state)]
        refused += [model.layout, model.body_rows, model.matrix(), m.simulate(0.1).sweeper]
        for thing in refused:
            with pytest.raises(CopyError, match=f"A {type(thing).__name__} cannot be copied or pickled"):
                way(thing)
    with pytest.raises(BielleError, match=r"live\.branch\(\)"):
        way(refused[0])
    assert refused[0].advance(0.01) is None


READ = """
import pickle, sys
given = pickle.load(open(sys.argv[1], "rb"))
from tests.copying.models import everything_of
run, timeline, mechanism, tree, state = given
q, v = tree.described()
from bielle.model import Context
Context(tree._tree.model).load(state)
found = [everything_of(run), everything_of(timeline), everything_of(mechanism.simulate(0.1, samples=3)), {"a": tree.aba(q, v, v)}]
pickle.dump((found, run), open(sys.argv[1], "wb"))
"""


def test_other_processes_get_the_same(tmp_path):
    """As multiprocessing does it: addresses of kernels and of functions are others there."""
    run, timeline, m = run_of_pendulum(), session().result(), pendulum()
    tree = arm().recursive()
    file = tmp_path / "given"
    file.write_bytes(pickle.dumps((run, timeline, m, tree, tree._state)))
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    subprocess.run([sys.executable, "-c", READ, str(file)], env=os.environ | {"PYTHONPATH": path}, check=True, cwd=ROOT)
    found, back = pickle.loads(file.read_bytes())
    q, v = tree.described()
    wanted = [everything_of(run), everything_of(timeline), everything_of(m.simulate(0.1, samples=3)), {"a": tree.aba(q, v, v)}]
    for one, other in zip(wanted, found, strict=True):
        same(one, other)
    same(everything_of(back), everything_of(run))
    assert back.model.version != run.model.version  # it was laid out again, and knows its own states only
