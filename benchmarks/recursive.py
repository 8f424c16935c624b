"""Recursive dynamics beside Pinocchio: the same chains, the same states, calls from Python in turn."""

import time

import numpy as np

import bielle as bl

from .measure import interleave, show

AGREEMENT = 1e-10  # relative


def chain(n):
    """Links of 1 m and 1 kg on hinges about x, y, z in turn, upright."""
    m = bl.Mechanism(gravity=(0, 0, -9.81), name=f"chain {n}")
    for i in range(n):
        m.add_body(f"link{i}", bl.rigid(1.0, (0, 0, 0.5), (0.1, 0.1, 0.01)), position=(0, 0, i))
        m.add_joint(f"joint{i}", bl.Revolute(axis="xyz"[i % 3]), f"link{i - 1}" if i else m.ground, f"link{i}", at=(0, 0, i))
    return m.recursive()


def peer(pin, n):
    """The same for Pinocchio."""
    model, joint = pin.Model(), 0
    for i in range(n):
        place = pin.SE3(np.eye(3), np.array([0, 0, 1.0 if i else 0.0]))
        joint = model.addJoint(joint, (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)[i % 3](), place, f"joint{i}")
        model.appendBodyToJoint(joint, pin.Inertia(1.0, np.array([0, 0, 0.5]), np.diag([0.1, 0.1, 0.01])), pin.SE3.Identity())
    return model, model.createData()


def recursive():
    """Microseconds of a call from Python, the best of many rounds."""
    import pinocchio as pin

    rows = []
    for n in (7, 30, 100):
        for name, (ours, theirs) in _calls(pin, n).items():
            a, b = ours(), theirs()
            b = np.triu(b) + np.triu(b, 1).T if b.ndim == 2 else b
            off = np.abs(a - b).max() / np.abs(b).max()
            if not off < AGREEMENT:
                raise AssertionError(f"{name} of {n} joints differs by {off:.1e}")
            times = [1e6 * t for t in interleave(_many(ours, n), _many(theirs, n), repeats=40, typical=min)]
            rows.append((f"{name} {n}", *(f"{t:.2f}" for t in times), f"{times[1] / times[0]:.2f}", f"{off:.0e}"))
    show("A call from Python, µs (goals: not slower at 7 joints, 1.4 times faster at 30 and 100)",
         ("function, joints", "bielle", f"Pinocchio {pin.__version__}", "ratio", "difference"), rows)  # fmt: skip


def _calls(pin, n):
    """Pairs of calls at the same state."""
    mine, (model, data) = chain(n), peer(pin, n)
    rng = np.random.default_rng(n)
    q, v, tau = (0.3 * rng.normal(size=n) for _ in range(3))
    return {
        "aba": (lambda: mine.aba(q, v, tau), lambda: pin.aba(model, data, q, v, tau)),
        "rnea": (lambda: mine.rnea(q, v, tau), lambda: pin.rnea(model, data, q, v, tau)),
        "crba": (lambda: mine.crba(q), lambda: pin.crba(model, data, q)),
    }


def _many(call, n):
    count = max(20, 3000 // n)

    def go():
        started = time.perf_counter()
        for _ in range(count):
            call()
        return (time.perf_counter() - started) / count

    return go
