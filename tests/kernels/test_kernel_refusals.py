"""Kernels that could not run on their own are refused when they are compiled, with the reason; what does not load is compiled again."""

import numpy as np
import pytest

from bielle.errors import KernelError
from bielle.kernels import lazy, store
from bielle.kernels.lazy import entry, helper
from bielle.kernels.memory import address_of
from bielle.kernels.pointers import floats


def allocates(ctx, first, last):
    """From the cache, without Numba, it would end the process."""
    y = np.zeros(first)
    y[0] = 5.0
    floats(ctx, 0)[0] = y.sum()


def raises(ctx, first, last):
    if floats(ctx, 0)[0] > 0.0:
        raise ValueError("oops")


@helper
def _power(x):
    return 3**x


def raises_inside(ctx, first, last):
    floats(ctx, 0)[0] = _power(first)


def prints(ctx, first, last):
    print(first)


def does_not_compile(ctx, first, last):
    floats(ctx, 0)[0] = "text"


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (allocates, r"allocates memory \(NRT_\w+\), which a kernel must not\. Work on the arrays of the context"),
        (raises, r"can raise an exception \(ValueError: oops\), which nobody would see\. Leave out raise"),
        (raises_inside, r"can raise an exception \(.*\), which nobody would see\. Leave out raise and assert, integer powers"),
        (prints, r"needs Numba when it runs \(numba_\w+\), which a kernel must not"),
        (does_not_compile, r"cannot be compiled: "),
    ],
)
def test_they_are_refused_by_name_and_reason(function, why, tmp_path, monkeypatch):
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path))
    for _ in range(2):  # the second time, too: nothing was kept
        with pytest.raises(KernelError, match=rf"Kernel '{__name__}\.{function.__name__}' {why}"):
            _ = entry(function).address
    assert list(tmp_path.rglob("*.o")) == []


def doubles(ctx, first, last):
    floats(ctx, 0)[0] *= 2.0


def test_a_symbol_that_is_not_there_is_no_address(tmp_path, monkeypatch):
    monkeypatch.setenv("BIELLE_CACHE_DIR", str(tmp_path))
    compiled = []
    monkeypatch.setattr(lazy, "_listeners", [compiled.append])
    x = np.array([3.0])
    ctx = np.array([address_of(x)])
    entry(doubles)(address_of(ctx))
    place, name = lazy.cache_directory(), lazy._stored_name(entry(doubles))
    symbol, code = store.read(place, name)
    store.write(place, name, symbol + "_wrong", code)
    entry(doubles)(address_of(ctx))
    entry(doubles)(address_of(ctx))
    assert x[0] == 24.0
    assert compiled == [f"{__name__}.doubles"] * 2
    assert not store.read(place, name)[0].endswith("_wrong")


def misspelt(ctx, first, last):
    ctx.phy[0] = 1.0


def misspelt_entry(ctx, first, last):
    ctx.scalar.tyme = 1.0


def wrong_map(t, first, last):
    t.phi[0] = 1.0


@pytest.mark.parametrize(("function", "name"), [(misspelt, "phy"), (misspelt_entry, "tyme"), (wrong_map, "phi")])
def test_fields_that_are_not_there_are_named(function, name):
    with pytest.raises(KernelError, match=f"(?s)cannot be compiled: .*'{name}'"):
        entry(function).address
