"""Bodies without mass: in joint coordinates they are exact; elsewhere, and where nothing determines their motion, they are refused."""

import numpy as np
import pytest

import bielle as bl
from bielle.errors import DescriptionError, SingularError

MOTION = {"velocity": (0, 0, 0), "angular_velocity": (1.0, 2.0, 0.0)}


def bob(m, **more):
    m.add_body("bob", bl.rigid(1.0, (0, 0, -0.5), (0.02, 0.03, 0.01)), **MOTION, **more)


def cross(first="x", second="y"):
    """A pendulum on two hinges, between which there is a cross without mass."""
    m = bl.Mechanism(name="cross")
    m.add_body("cross", bl.massless())
    bob(m)
    m.add_joint("outer", bl.Revolute(axis=first), "ground", "cross", at=(0, 0, 0))
    m.add_joint("inner", bl.Revolute(axis=second), "cross", "bob", at=(0, 0, 0))
    return m


def universal():
    m = bl.Mechanism(name="universal")
    bob(m)
    m.add_joint("joint", bl.Universal(axis_a="x", axis_b="y"), "ground", "bob", at=(0, 0, 0))
    return m


@pytest.mark.parametrize("solver", [None, "auto", bl.Recursive(), bl.Recursive("rk4", step=1e-3)])
def test_a_cross_without_mass_is_a_universal_joint(solver):
    """The tolerance of order-eight steps is 1e-9; RK4 at 1 ms errs by some (ωh)⁴ ≈ 1e-10 per second."""
    one, other = cross().simulate(2.0, solver, samples=41), universal().simulate(2.0, bl.Central(), samples=41)
    assert one["bob"].angular_velocity == pytest.approx(other["bob"].angular_velocity, abs=1e-7)
    assert one["inner"].force() == pytest.approx(other["joint"].force(), abs=1e-6)
    assert one["outer"].force() == pytest.approx(other["joint"].force(), abs=1e-6)  # all that it bears goes on
    assert one.energy.kinetic == pytest.approx(other.energy.kinetic, abs=1e-7)
    assert np.abs(one.energy.error).max() < 1e-8
    assert not one["cross"].position.any()


def test_massless_links_in_a_plane_and_in_a_loop():
    """A pendulum on a carriage without mass; and a four-bar whose crank has none, as one with 1e-9 kg."""
    m = bl.Mechanism(plane="xy")
    m.add_body("carriage", bl.massless())
    m.add_body("rod", bl.rod((0, 0), (0, -1), mass=2.0), angular_velocity=1.0)
    m.add_joint("rail", bl.Slider(direction="x"), "ground", "carriage", at=(0, 0))
    m.add_joint("pin", bl.Pin(), "carriage", "rod", at=(0, 0))
    run = m.simulate(1.0, samples=21)
    # nothing pushes along x: the centre of mass falls and turns freely sideways, x_G moves uniformly
    x = run["rod"].position[:, 0]
    assert np.abs(np.diff(x, 2)).max() < 1e-9
    assert np.abs(run.energy.error).max() < 1e-8

    def four_bar(crank):
        m = bl.Mechanism(plane="xy")
        m.add_body("crank", crank, position=(0, 0.5))
        m.add_body("coupler", bl.rod((0, 1), (2, 1.5), mass=1.0))
        m.add_body("rocker", bl.rod((2, 0), (2, 1.5), mass=1.0))
        for name, a, b, at in (("a", "ground", "crank", (0, 0)), ("b", "crank", "coupler", (0, 1)), ("d", "ground", "rocker", (2, 0))):
            m.add_joint(name, bl.Pin(), a, b, at=at)
        m.add_joint("c", bl.Pin(), "coupler", "rocker", at=(2, 1.5))
        m.add_force("spring", bl.TorsionSpring(stiffness=3.0, angle=0.3), joint="a")
        return m.simulate(0.5, bl.Recursive(), samples=11)["a"].angle

    light = four_bar(bl.rigid(1e-9, (0, 0), 1e-9))
    assert four_bar(bl.massless()) == pytest.approx(light, abs=1e-7)  # what 1e-9 kg changes is of that order


@pytest.mark.parametrize("solver", [bl.Central(), bl.Central(integrator="newmark", step=1e-3), bl.Modular()])
def test_other_solvers_refuse_by_name(solver):
    with pytest.raises(DescriptionError, match="Body 'cross' has no mass, and only joint coordinates can do without: take solver='auto'"):
        cross().simulate(1.0, solver)


def test_motions_that_nothing_determines_are_named():
    m = cross()
    m.add_body("flag", bl.massless())
    m.add_joint("pole", bl.Revolute(axis="z"), "bob", "flag", at=(0, 0, -1))
    with pytest.raises(DescriptionError, match="Body 'flag' moves on 'pole', but neither it nor what hangs on it in the tree has mass"):
        m.simulate(1.0)
    with pytest.raises(
        SingularError, match=r"Joint 'outer' \(revolute\) can move body 'cross' and all that hangs on it without any inertia"
    ):
        cross("y", "y").simulate(1.0)
    m = cross("y", "y")
    m.add_rotor("motor", "outer", 0.01)
    m.simulate(0.1)


def test_sessions_files_and_reports(tmp_path):
    m = cross()
    assert m.report().degrees_of_freedom == 2
    m.save(tmp_path / "cross.yaml")
    assert bl.load(tmp_path / "cross.yaml") == m
    live = m.live()
    live.advance(0.5)
    with pytest.raises(DescriptionError, match="Body 'cross' moves on 'outer', but neither"):
        live.remove("inner")
    live.advance(0.5)
    assert live["bob"].position == pytest.approx(m.simulate(1.0)["bob"].position[-1], abs=1e-7)
    live.save(tmp_path / "cross.session")
    bl.load_session(tmp_path / "cross.session").advance(0.1)
    with pytest.raises(DescriptionError, match="without mass it cannot have coordinates of the kind 'natural'"):
        m.add_body("other", bl.massless(), coordinates="natural")
