"""Every registered body kind, alone. A new kind is checked by being registered."""

import body_checks
import pytest

from bielle.mechanism import registry


@pytest.mark.parametrize("check", body_checks.CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("round_shape", [False, True], ids=["any", "round"])
@pytest.mark.parametrize("name", [name for name, kind in registry.bodies.items() if kind.nv > 0])
def test_body(name, round_shape, check):
    for seed in range(3):
        check(name, seed, round_shape=round_shape)
