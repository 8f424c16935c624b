"""Every registered joint kind, between all pairs of body kinds. A new kind is checked by being registered."""

import joint_checks
import msgspec
import pytest
from rig import pairs

from bielle.mechanism import registry

SAMPLES = [
    pytest.param(kind, dim, id=f"{name}-{dim}d-{i}")
    for name, cls in registry.joints.items()
    for dim in cls.dims
    for i, kind in enumerate(cls.samples(dim))
]


@pytest.mark.parametrize("check", joint_checks.PAIRWISE, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize(("kind", "dim"), SAMPLES)
def test_pairwise(kind, dim, check):
    for seed in (1, 2):
        for kinds in pairs(kind, dim):
            check(kind, dim, kinds, seed)


@pytest.mark.parametrize(("kind", "dim"), SAMPLES)
def test_same_motion_whatever_the_coordinates(kind, dim):
    joint_checks.check_same_motion(kind, dim)


@pytest.mark.parametrize(("kind", "dim"), SAMPLES)
def test_self_contained_form(kind, dim):
    joint_checks.check_localised(kind, dim)


@pytest.mark.parametrize(("kind", "dim"), SAMPLES)
def test_description_round_trip(kind, dim):
    joint_checks.check_round_trip(kind)


@pytest.mark.parametrize("name", registry.joints)
def test_samples_try_every_parameter(name):
    cls = registry.joints[name]
    for dim in cls.dims:
        for field in msgspec.structs.fields(cls):
            assert any(getattr(kind, field.name) != field.default for kind in cls.samples(dim)), field.name
