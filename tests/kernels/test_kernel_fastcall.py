"""Kernels as built-in functions: what they take and refuse, that nothing leaks, and that threads do not disturb each other."""

import ctypes
import gc
import sys
import sysconfig
import threading

import numpy as np
import pytest

import bielle as bl
from bielle.kernels import fastcall
from bielle.kernels.fastcall import ITEMS, built_in
from bielle.kernels.lazy import entry
from bielle.kernels.memory import address_of
from bielle.kernels.pointers import ints

LOCKED = not sysconfig.get_config_var("Py_GIL_DISABLED")
EXPECTED = sys.implementation.name == "cpython" and LOCKED and ctypes.sizeof(ctypes.c_void_p) == 8
where_there_are_some = pytest.mark.skipif(not EXPECTED, reason="the slow way is the only one on this Python")
CALLS = 20_000
COINCIDENCE = 100  # references that come and go elsewhere meanwhile


@entry
def note(table, how, arguments):
    """table: addresses of three numbers (calls, how, refused) and of a place. Refuses every call with the object in the fourth number."""
    numbers = ints(table, 0)
    numbers[0] += 1
    numbers[1] = how
    table[1] = arguments
    numbers[3] = ints(table, 1)[ITEMS]
    numbers[2] = int(numbers[3] == numbers[4])


class Noted:
    """The kernel as a function, and what it has noted."""

    def __init__(self, how=5, hated=None):
        self.numbers = np.array([0, 0, 0, 0, id(hated)])
        self.table = np.array([address_of(self.numbers), 0])
        self.call = built_in(note, how, address_of(self.table), address_of(self.numbers) + 16)


def two_link_arm(length=1.0):
    m = bl.Mechanism(plane="xy")
    for k in range(2):
        m.add_body(f"b{k}", bl.rod((k * length, 0), (k * length + length, 0), mass=1.0))
        m.add_joint(f"j{k}", bl.Pin(), f"b{k - 1}" if k else m.ground, f"b{k}", at=(k * length, 0))
    return m.recursive()


def test_kernels_are_built_in_functions_where_the_layout_of_objects_is_known():
    assert type(Noted().call) is (type(len) if EXPECTED else type(None))


@where_there_are_some
def test_the_kernel_gets_its_arguments_as_they_are():
    noted, thing = Noted(how=7), object()
    assert noted.call(thing) is None
    assert noted.numbers[:2].tolist() == [1, 7]
    assert noted.numbers[3] == id(thing)
    assert noted.call(thing, 1, 2, 3) is None
    assert noted.numbers[0] == 2


@where_there_are_some
def test_a_kernel_that_has_not_done_its_work_gives_not_implemented():
    hated = object()
    noted = Noted(hated=hated)
    assert noted.call(3) is None
    assert noted.call(hated) is NotImplemented
    assert noted.call(3) is None


@where_there_are_some
def test_keywords_are_refused():
    with pytest.raises(TypeError, match="keyword"):
        Noted().call(thing=3)


@where_there_are_some
def test_references_do_not_leak():
    """None and NotImplemented are counted up to Python 3.11: a function that forgets to count them ends the interpreter one day."""
    hated, thing = object(), np.zeros(3)
    noted = Noted(hated=hated)
    before = [sys.getrefcount(x) for x in (None, NotImplemented, thing, hated)]
    for _ in range(CALLS):
        noted.call(thing)
        noted.call(hated)
    after = [sys.getrefcount(x) for x in (None, NotImplemented, thing, hated)]
    assert noted.numbers[0] == 2 * CALLS
    assert np.abs(np.array(after[:2]) - before[:2]).max() < COINCIDENCE
    assert after[2:] == before[2:]


@where_there_are_some
def test_results_are_counted_while_they_are_held():
    counted = int(sys.version_info < (3, 12)) * CALLS  # from then on objects that never die are not
    hated = object()
    noted = Noted(hated=hated)
    for thing, result in ((3, None), (hated, NotImplemented)):
        before = sys.getrefcount(result)
        held = [noted.call(thing) for _ in range(CALLS)]
        assert abs(sys.getrefcount(result) - before - counted) < COINCIDENCE
        del held
        assert abs(sys.getrefcount(result) - before) < COINCIDENCE


@where_there_are_some
def test_a_function_keeps_its_plan_and_lets_it_go():
    noted = Noted()
    gc.collect()
    plan = noted.call.__self__
    assert plan.dtype == np.int64
    count = sys.getrefcount(plan)
    del noted.call
    gc.collect()
    assert sys.getrefcount(plan) == count - 1


def test_dynamics_through_it_leave_their_arguments_alone():
    model = two_link_arm()
    q, v, tau, out = (np.full(2, 0.1 * k) for k in range(4))
    before = [sys.getrefcount(x) for x in (q, v, tau, out, None)]
    for _ in range(CALLS):
        model.aba(q, v, tau, out=out)
    after = [sys.getrefcount(x) for x in (q, v, tau, out, None)]
    assert after[:4] == before[:4]
    assert abs(after[4] - before[4]) < COINCIDENCE
    assert all(np.array_equal(x, np.full(2, 0.1 * k)) for k, x in enumerate((q, v, tau)))


@where_there_are_some
@pytest.mark.parametrize(
    "wrong",
    [
        None, 3.0, "text", [0.1, 0.2], (0.1, 0.2), np.zeros(3), np.zeros((2, 1)), np.zeros(4)[::2], np.zeros(2, dtype=np.float32),
        np.zeros(2, dtype=">f8"), np.zeros(2, dtype=np.int64), np.ma.zeros(2), np.zeros(()), object(),
    ],
    ids=lambda x: f"{type(x).__name__} {getattr(x, 'dtype', '')} {getattr(x, 'shape', '')}",
)  # fmt: skip
def test_what_is_no_array_of_floats_is_refused(wrong):
    model = two_link_arm()
    right = [np.full(2, 0.1), np.full(2, 0.2), np.full(2, 0.3), np.full(2, 9.0)]
    assert model._aba(*right) is None
    for k in range(4):
        out = right[3][:] = 9.0
        given = [*right]
        given[k] = wrong
        assert model._aba(*given) is NotImplemented
        assert (right[3] == out).all()
    assert model._aba(*right) is None


@where_there_are_some
def test_results_go_to_no_array_that_is_read_only():
    model = two_link_arm()
    q, out = np.full(2, 0.1), np.full(2, 9.0)
    out.flags.writeable = False
    assert model._aba(q, q, q, out) is NotImplemented
    assert (out == 9.0).all()


def test_threads_on_models_of_their_own_do_not_disturb_each_other():
    models = [two_link_arm(1.0 + 0.1 * k) for k in range(4)]
    q, v, tau = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([0.5, 0.0])
    wanted, wrong = [model.aba(q, v, tau) for model in models], []
    assert len({x.tobytes() for x in wanted}) == len(models)
    together = threading.Barrier(len(models))

    def work(k):
        together.wait()
        for _ in range(5000):
            if not np.array_equal(models[k].aba(q, v, tau), wanted[k]):
                wrong.append(k)

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(k,)) for k in range(len(models))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
    assert wrong == []


@where_there_are_some
def test_a_first_call_decides(monkeypatch):
    """The same, if arguments were somewhere else, or results not those of Python."""
    definition = fastcall._definition()
    assert fastcall._works(definition)
    for name, value in (("ITEMS", 4), ("_DATA", 3)):
        monkeypatch.setattr(fastcall, name, value)
        assert not fastcall._works(definition)
        monkeypatch.undo()
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    assert fastcall._definition.__wrapped__() is None


def test_where_it_is_not_for_it_says_so(monkeypatch):
    """On another interpreter, or another layout of arrays, there is no such function, and the slow way is taken."""
    table, numbers = np.zeros(2, dtype=np.int64), np.zeros(5, dtype=np.int64)
    monkeypatch.setattr(fastcall, "_definition", lambda: None)
    assert built_in(note, 0, address_of(table), address_of(numbers)) is None
    monkeypatch.undo()
    monkeypatch.setattr(fastcall, "_DATA", 3)
    assert built_in(note, 0, address_of(table), address_of(numbers)) is None
    monkeypatch.undo()
    monkeypatch.setattr("bielle.recursive.calls.built_in", lambda *_: None)
    assert np.isfinite(two_link_arm().aba(np.zeros(2), np.zeros(2), np.zeros(2))).all()
