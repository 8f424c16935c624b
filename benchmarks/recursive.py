"""Recursive dynamics: agreement with Pinocchio and its speed beside it, chains beside MuJoCo, loops beside the central solver."""

import os
import time

import numpy as np

import bielle as bl

from . import recursive_agreement, recursive_solver
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
    """All of it."""
    import pinocchio as pin

    recursive_agreement.agreement(pin)
    calls(pin)
    batches(pin)
    recursive_solver.chains()
    recursive_solver.long_chains()
    recursive_solver.loops()
    recursive_solver.many_loops()


def calls(pin):
    """Microseconds of a call from Python, the best of many rounds."""
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


def batches(pin, states=10_000, n=30):
    """Many states at once, on all cores, beside a loop in Python."""
    mine, (model, data) = chain(n), peer(pin, n)
    rng = np.random.default_rng(0)
    q, v, tau = (0.3 * rng.normal(size=(states, n)) for _ in range(3))
    rows = []
    for name, ours, theirs in (
        ("aba", lambda out: mine.aba_batch(q, v, tau, out=out), lambda k: pin.aba(model, data, q[k], v[k], tau[k])),
        ("rnea", lambda out: mine.rnea_batch(q, v, tau, out=out), lambda k: pin.rnea(model, data, q[k], v[k], tau[k])),
        ("crba", lambda out: mine.crba_batch(q, out=out), lambda k: pin.crba(model, data, q[k])),
    ):
        out = np.empty((states, n, n) if name == "crba" else (states, n))

        def together(ours=ours, out=out):
            started = time.perf_counter()
            ours(out)
            return time.perf_counter() - started

        def one_by_one(theirs=theirs):
            started = time.perf_counter()
            for k in range(states):
                theirs(k)
            return time.perf_counter() - started

        a, b = interleave(together, one_by_one, repeats=7, typical=min)
        k = states - 1
        last = np.triu(theirs(k)) + np.triu(theirs(k), 1).T if name == "crba" else theirs(k)
        off = np.abs(out[k] - last).max() / np.abs(last).max()
        if not off < AGREEMENT:
            raise AssertionError(f"{name}_batch differs by {off:.1e}")
        rows.append((name, f"{1e3 * a:.1f}", f"{1e6 * a / states:.2f}", f"{1e3 * b:.0f}", f"{b / a:.2f}"))
    show(f"{states} states of a chain of {n} hinges on {os.cpu_count()} cores (goal: 4 times faster than a loop in Python)",
         ("function", "bielle, batch, ms", "µs/state", f"Pinocchio {pin.__version__}, loop, ms", "ratio"), rows)  # fmt: skip


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
