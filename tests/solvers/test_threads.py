"""Threads that simulate mechanisms of their own do not disturb each other."""

import sys
import threading

import numpy as np
import pytest

import bielle as bl

THREADS, RUNS = 4, 40


def chain(n):
    m = bl.Mechanism(plane="xy")
    for i in range(n):
        m.add_body(f"b{i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"j{i}", bl.Pin(), m.ground if i == 0 else f"b{i - 1}", f"b{i}", at=(i, 0))
    return m


@pytest.mark.parametrize("solver", [bl.Recursive(), bl.Central(), "auto"], ids=["recursive", "central", "auto"])
def test_each_thread_gets_what_it_would_get_alone(solver):
    wanted = [chain(3 + k).simulate(0.01, solver, samples=3).samples["q"] for k in range(THREADS)]
    found = [[] for _ in range(THREADS)]

    def work(k):
        m = chain(3 + k)
        found[k] += [m.simulate(0.01, solver, samples=3).samples["q"] for _ in range(RUNS)]

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
    for want, got in zip(wanted, found):
        assert len(got) == RUNS
        assert all(np.array_equal(q, want) for q in got)
