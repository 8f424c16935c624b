"""Every registered force kind, on all body kinds it can act on."""

import msgspec
import numpy as np
import pytest
from force_rig import TIME, Bench, U, attachments, body_kinds, derivative

from bielle.forces import CallableForce
from bielle.kernels import slots
from bielle.mechanism import registry

SAMPLES = [
    pytest.param(kind, dim, id=f"{name}-{dim}d-{i}")
    for name, cls in registry.forces.items()
    for dim in cls.dims
    for i, kind in enumerate(cls.samples(dim))
]
PLAIN = [s for s in SAMPLES if not isinstance(s.values[0], CallableForce)]
every_sample = pytest.mark.parametrize(("kind", "dim"), SAMPLES)


def reference(kind, dim):
    """One attachment of each sort: alone, between two bodies, to the ground on either side."""
    first = body_kinds(dim)[0]
    return [pair for pair in attachments(kind, dim) if all(k in (first, "ground", None) for k in pair)]


@every_sample
def test_writes_all_its_outputs(kind, dim):
    for kinds in reference(kind, dim):
        bench = Bench(kind, dim, kinds)
        expected = bench.F
        assert np.isfinite(expected).all()
        assert expected.any()
        assert np.array_equal(bench.at(bench.x, bench.xd), expected)
        assert np.isfinite([*bench.w.energy[:1], *bench.w.power[:3], *bench.w.output[:1]]).all()


@every_sample
def test_tangent_is_the_derivative_of_the_law(kind, dim):
    """The elements are moved off the bodies at random, since the derivative is one with regard to every component of every element."""
    rng = np.random.default_rng(5)
    for kinds in reference(kind, dim):
        bench = Bench(kind, dim, kinds)
        if kind.tangent is None:
            assert not bench.w.x_stiff.any()
            assert not bench.w.x_damp.any()
            continue
        x = bench.x + 0.05 * rng.uniform(-1, 1, len(bench.x))
        xd = bench.xd + 0.05 * rng.uniform(-1, 1, len(bench.x))
        bench.at(x, xd)
        K, C = bench.tangent()
        K_fd, C_fd = bench.difference_tangent(x, xd)
        # differences of fourth order with h = 1e-3: h⁴/30 times a fifth derivative, below 1e6 of the largest entry here
        scale = max(np.abs(K).max(), np.abs(C).max(), np.abs(bench.F).max())
        np.testing.assert_allclose(K, K_fd, rtol=0, atol=1e-7 * scale)
        np.testing.assert_allclose(C, C_fd, rtol=0, atol=1e-7 * scale)


@every_sample
def test_power_is_booked_where_it_belongs(kind, dim):
    """Σ F·ẋ = −dE/dt − dissipated + drives + applied."""
    for kinds in reference(kind, dim):
        for seed in (1, 2, 3):
            bench = Bench(kind, dim, kinds, seed=seed)
            x, xd, F = bench.x, bench.xd, bench.F
            dissipated, driven, applied = bench.w.power[:3]
            assert dissipated >= 0.0

            def energy(y, bench=bench, xd=xd):
                bench.at(y, xd)
                return bench.w.energy[0]

            rate = derivative(energy, x, xd)
            size = np.abs(F * xd).sum() + abs(energy(x))
            # rounding of the energy differences, and h⁴/30 times a fifth derivative
            assert F @ xd == pytest.approx(-rate - dissipated + driven + applied, abs=1e-9 * size)


@every_sample
def test_action_equals_reaction(kind, dim):
    for kinds in reference(kind, dim):
        if kinds[1] is None:
            continue
        for seed in (1, 2, 3):
            bench = Bench(kind, dim, kinds, seed=seed)
            (force_a, moment_a), (force_b, moment_b) = bench.wrench("a"), bench.wrench("b")
            size = np.abs(bench.F).sum()
            np.testing.assert_allclose(force_a, -force_b, atol=20 * U * size)
            np.testing.assert_allclose(moment_a, -moment_b, atol=40 * U * size)


@every_sample
def test_same_effect_whatever_the_coordinates(kind, dim):
    references = {}
    for kinds in attachments(kind, dim):
        bench = Bench(kind, dim, kinds)
        found = {
            "F": bench.F,
            "outputs": np.array([bench.w.energy[0], *bench.w.power[:3], bench.w.output[0]]),
            "accelerations": bench.second_rates(),
        }
        sort = tuple(k if k in ("ground", None) else "body" for k in kinds)
        first = references.setdefault(sort, found)
        for key, value in found.items():
            # accelerations come from a linear system whose matrix (masses and inertias of order 0.1 to 2) is well conditioned
            np.testing.assert_allclose(value, first[key], atol=1e-10 * max(1.0, np.abs(first[key]).max()), err_msg=f"{key} {kinds}")


@every_sample
def test_attached_to_frames(kind, dim):
    """The law is the same; the frames' axes take the place of the bodies' own. Outputs stay finite, action equals reaction."""
    for kinds in reference(kind, dim):
        bench = Bench(kind, dim, kinds, frames=True)
        assert np.isfinite(bench.F).all()
        if kinds[1] is not None:
            for one, other in zip(bench.wrench("a"), bench.wrench("b")):
                np.testing.assert_allclose(one, -other, atol=40 * U * np.abs(bench.F).sum())


@pytest.mark.parametrize(("kind", "dim"), PLAIN)
def test_description_round_trip(kind, dim):
    assert msgspec.convert(msgspec.to_builtins(kind), type(kind)) == kind
    assert msgspec.json.decode(msgspec.json.encode(kind), type=type(kind)) == kind
    assert msgspec.to_builtins(kind)["type"] == type(kind).__struct_config__.tag


@pytest.mark.parametrize("name", registry.forces)
def test_samples_try_every_parameter(name):
    cls = registry.forces[name]
    required = dict(zip(reversed(cls.__struct_fields__), reversed(cls.__struct_defaults__)))
    for field in cls.__struct_fields__:
        values = [getattr(kind, field) for dim in cls.dims for kind in cls.samples(dim)]
        assert any(value != required.get(field) for value in values), field


def test_a_callable_cannot_be_written_to_a_file():
    with pytest.raises(TypeError):
        msgspec.to_builtins(CallableForce(function=lambda t, view: (0.0, 0.0)))


def test_functions_of_time_are_those_of_the_present_time():
    kind = registry.forces["point_force"].samples(2)[0]
    bench = Bench(kind, 2, ("planar", None))
    wave = kind.force[1]
    assert bench.w.scalar[slots.S_TIME] == TIME
    assert bench.F[1] == pytest.approx(wave.amplitude * np.sin(2 * np.pi * wave.frequency * TIME + wave.phase), rel=1e-14)
