"""One result asked by several threads at once: each gets what it would get alone."""

import sys
import threading

import numpy as np

import bielle as bl

BODIES, ROUNDS = 6, 40


def test_threads_share_a_result():
    m = bl.Mechanism(plane="xy")
    for i in range(BODIES):
        m.add_body(f"b{i}", bl.rod((i, 0), (i + 1, 0), mass=1.0))
        m.add_joint(f"j{i}", bl.Pin(), m.ground if i == 0 else f"b{i - 1}", f"b{i}", at=(i, 0))
    m.add_force("spring", bl.Spring(stiffness=10.0), m.ground, "b5", at_a=(3, 1), at_b=(6, 0))
    run = m.simulate(0.5, samples=2001)

    def asked(run, i):
        point = run[f"b{i}"].point((0.3, 0))
        return [point.acceleration, run[f"j{i}"].force(), run.violation, run["spring"].output, run.energy.elastic]

    wanted = [asked(run, i) for i in range(BODIES)]
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(ROUNDS):
            fresh, found, together = bl.Result(run.mechanism, run.model, run.samples), {}, threading.Barrier(BODIES)

            def work(i, fresh=fresh, found=found, together=together):
                together.wait()
                found[i] = asked(fresh, i)

            threads = [threading.Thread(target=work, args=(i,)) for i in range(BODIES)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            for i in range(BODIES):
                assert all(np.array_equal(x, y) for x, y in zip(found[i], wanted[i], strict=True))
    finally:
        sys.setswitchinterval(switch)
