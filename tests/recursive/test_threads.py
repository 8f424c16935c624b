"""One model called by several threads at once, in all ways: each gets what it would get alone."""

import sys
import threading

import numpy as np

import bielle as bl

from .linkages import four_bar
from .trees import state, tree

THREADS, CALLS = 4, 60


def everything(model, q, v, tau, body):
    """Built-in functions, conversions, batches, functions that need the bodies."""
    many = [np.tile(x, (20, 1)) for x in (q, v, tau)]
    return [
        model.aba(q, v, tau), model.aba(q.tolist(), v, tau), model.aba_batch(*many), model.rnea(q, v, tau, {body: np.ones(6)}),
        model.jacobian(q, body, "local", (0.1, 0.2, 0.3)), model.jacobian(q.tolist(), body, "world"), model.crba(q.tolist()),
        *model.aba_derivatives(q, v, tau), *model.rnea_derivatives(q.tolist(), v, tau), model.applied_forces(q, v), *model.described(),
        *model.forward_dynamics_constrained(q, v, tau), *model.close_loops(q, v), model.center_of_mass(q), model.integrate(q, v),
    ]  # fmt: skip


def agree(models_and_states):
    wanted = [everything(*given) for given in models_and_states]
    wrong, together = [], threading.Barrier(THREADS)

    def work(k):
        together.wait()
        for _ in range(CALLS):
            found = everything(*models_and_states[k])
            wrong.extend(i for i, (x, y) in enumerate(zip(found, wanted[k], strict=True)) if not np.array_equal(x, y))

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(k,)) for k in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
    assert wrong == []


def test_a_tree_and_a_linkage():
    for model in (tree(5).recursive(), four_bar().recursive()):
        bodies = [link.name for link in model.links]
        agree([(model, *state(model, k), bodies[k % len(bodies)]) for k in range(THREADS)])


def test_a_function_of_the_user_may_ask_the_model_that_it_is_part_of():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), m.ground, "rod", at=(0, 0))
    m.add_force("motor", bl.Torque(lambda t: model.gravity_forces([t])[0]), "rod")
    model = m.recursive()
    for t in (0.0, 0.4):
        assert model.applied_forces([0.0], [0.0], time=t)[0] == model.gravity_forces([t])[0]
    asked = []
    m.remove("motor")
    m.add_force("motor", bl.Torque(lambda t: asked.append(t) or model.applied_forces([1.0], [0.0], time=2.0)[0] if t < 1.0 else 7.0), "rod")
    model = m.recursive()
    assert model.applied_forces([0.0], [0.0], time=0.5)[0] == 7.0
