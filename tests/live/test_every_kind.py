"""Every registered kind of joint and force goes and comes back in a running mechanism; every joint closes gently and by impulse."""

from itertools import product

import numpy as np
import pytest

import bielle as bl
from bielle.mechanism import registry
from bielle.mechanism.vectors import quaternion_to_matrix
from bielle.solvers.workspace import Workspace

from .random_edits import body_kinds


def samples(table):
    return [
        pytest.param(kind, dim, id=f"{name}-{dim}d-{i}")
        for name, cls in table.items()
        for dim in cls.dims
        for i, kind in enumerate(cls.samples(dim))
    ]


def pairs(kind, dim):
    """Coordinates of a and b; a is None where it is the ground."""
    if getattr(kind, "grounded", False):
        return [(None, b) for b in body_kinds(dim)]
    return list(product(body_kinds(dim), body_kinds(dim)))


def shape(dim, mass):
    """A body without symmetry."""
    return bl.rigid(mass, (0.1, -0.15), 0.3 * mass) if dim == 2 else bl.rigid(mass, (0.1, -0.15, 0.2), (0.6, 0.8, 1.0, 0.04, -0.06, 0.1))


def two_bodies(dim, a, b):
    """Bodies 'a', hanging on the ground by a point (or the ground itself), and 'b' beside it, both turning."""
    m = bl.Mechanism(gravity=(1.0, -9.0, 2.0)[:dim], plane="xy" if dim == 2 else None)
    hinge, turns = (bl.Pin(), (0.5, -0.3)) if dim == 2 else (bl.Spherical(), ((0.5, -0.2, 0.4), (-0.3, 0.6, 0.2)))
    if a is not None:
        m.add_body("a", shape(dim, 2.0), coordinates=a, angular_velocity=turns[0])
        m.add_joint("anchor", hinge, "ground", "a", at=(0.0, 0.4, 0.1)[:dim])
    m.add_body("b", shape(dim, 1.0), position=(0.7, 0.5, 0.4)[:dim], coordinates=b, angular_velocity=turns[1])
    return m


def joined(kind, dim, a, b, solver=None):
    """A session in which the joint 'j' is between the two bodies, wherever the assembly brings them."""
    m = two_bodies(dim, a, b)
    if kind.attachment == "joints":
        couple(m, kind, a, b)
    else:
        m.add_joint("j", kind, "ground" if a is None else "a", "b", at_a=(0.3, 0.2, 0.1)[:dim], at_b=(-0.3, -0.1, 0.2)[:dim])
    return m.live(solver)


def couple(m, kind, a, b):
    """Let the joint 'j' couple the hinge of a body 'c' on 'b' with the slide of another, 'd', on 'a'."""
    dim, planar = m.dim, m.planar
    m.add_body("c", shape(dim, 0.7), position=(1.2, 0.6, 0.1)[:dim], coordinates=a)
    m.add_body("d", shape(dim, 0.8), position=(-0.5, 0.3, 0.2)[:dim], coordinates=b)
    m.add_joint("hinge", bl.Pin() if planar else bl.Revolute(axis=(1.0, 2.0, 2.0)), "b", "c", at=(1.0, 0.4, 0.2)[:dim])
    m.add_joint("slide", bl.Slider(direction=0.4) if planar else bl.Prismatic(axis=(2.0, -1.0, 2.0)), "a", "d", at=(-0.2, 0.1, 0.3)[:dim])
    m.add_joint("j", kind, "hinge", "slide")


def where(component):
    """What a component is attached to and where, to be added again."""
    if getattr(component, "joint", None) is not None:
        return {"joint": component.joint}
    places = {name: getattr(component, name) for name in ("at_a", "at_b", "axes_a", "axes_b")}
    return {"a": component.a, "b": component.b, **{k: v for k, v in places.items() if v is not None}}


def motion(live):
    return np.concatenate(
        [np.ravel(x) for n in live.mechanism.bodies for x in (live[n].position, live[n].velocity, live[n].angular_velocity)]
    )


def residuals(live):
    """Largest residual of positions and of velocities."""
    w = Workspace(live.model, live.state)
    w.evaluate()
    nc = live.model.nc
    return np.abs(w.phi[:nc]).max(), np.abs(w.phi_dot[:nc]).max()


def joint_that_comes_back(kind, dim, a, b, at_once, solver=None):
    """What the joint's going and coming back changes in the motion afterwards, relative to its size."""
    ends = []
    for edited in (False, True):
        live = joined(kind, dim, a, b, solver)
        live.advance(0.05)
        if edited:
            old = live.mechanism.joints["j"]
            if at_once:
                with live.edit():
                    live.remove("j")
                    live.add_joint("j", old.kind, **where(old))
            else:
                live.remove("j")
                live.add_joint("j", old.kind, **where(old), joining="exact")
            assert [done.joining for done in live.last_edit] == ["fits"]
        live.advance(0.05)
        ends.append(motion(live))
    return np.abs(ends[1] - ends[0]).max() / (1.0 + np.abs(ends[0]).max())


@pytest.mark.parametrize("at_once", [True, False], ids=["one transaction", "two"])
@pytest.mark.parametrize(("kind", "dim"), samples(registry.joints))
def test_a_joint_goes_and_comes_back_between_two_steps(kind, dim, at_once):
    for a, b in pairs(kind, dim):
        # the regularisation is scaled anew, which the refinement of the accelerations takes out to rounding
        assert joint_that_comes_back(kind, dim, a, b, at_once) <= 1e-12


def force_that_comes_back(kind, dim, a, b, in_joint, at_once, solver=None):
    """What the force's going and coming back changes in the motion afterwards, relative to its size."""
    hinge = bl.Pin() if dim == 2 else bl.Revolute(axis=(1.0, 2.0, 2.0))
    ends = []
    for edited in (False, True):
        m = two_bodies(dim, a, b)
        m.add_joint("hinge", hinge, "a", "b", at=(0.5, 0.4, 0.2)[:dim])
        if in_joint:
            m.add_force("f", kind, joint="hinge")
        else:
            places = {"at_a": (0.1, 0.3, 0.1)[:dim], "at_b": (0.2, 0.3, 0.2)[:dim]}
            one = kind.attachment == "one"
            m.add_force("f", kind, "b" if one else "a", None if one else "b", **({"at_a": places["at_a"]} if one else places))
        live = m.live(solver)
        live.advance(0.05)
        if edited:
            old = live.mechanism.forces["f"]
            if at_once:
                with live.edit():
                    live.remove("f")
                    live.add_force("f", old.kind, **where(old))
            else:
                live.remove("f")
                live.add_force("f", old.kind, **where(old))
        live.advance(0.05)
        ends.append(motion(live))
    return np.abs(ends[1] - ends[0]).max() / (1.0 + np.abs(ends[0]).max())


@pytest.mark.parametrize("at_once", [True, False], ids=["one transaction", "two"])
@pytest.mark.parametrize(("kind", "dim"), samples(registry.forces))
def test_a_force_goes_and_comes_back_between_two_steps(kind, dim, at_once):
    for (a, b), in_joint in product(pairs(kind, dim), (True, False)):
        if not in_joint or kind.attachment in ("joint", "any"):
            assert force_that_comes_back(kind, dim, a, b, in_joint, at_once) <= 1e-12


def joining_again(kind, dim, a, b, gap, joining, solver=None):
    """A session in which the joint has gone, the bodies were moved against each other, and it has been made anew."""
    live = joined(kind, dim, a, b, solver)
    live.advance(0.05)
    old = live.mechanism.joints["j"]
    spin = 0.2 if dim == 2 else (0.1, -0.1, 0.2)
    with live.edit():
        live.remove("j")
        live.push("b", impulse=(0.2, 0.1, -0.15)[:dim], moment=spin)
    if gap:
        turned = live["b"].angle + gap if dim == 2 else live["b"].rotation @ quaternion_to_matrix(bl.rotation((1, 2, 2), gap))
        live.teleport("b", position=live["b"].position + gap * np.array([1.0, -1.0, 0.5])[:dim], orientation=turned)
    live.add_joint("j", old.kind, **where(old), joining=joining)
    return live


@pytest.mark.parametrize("joining", ["gentle", "impulse"])
@pytest.mark.parametrize("gap", [0.0, 0.01], ids=["no gap", "gap"])
@pytest.mark.parametrize(("kind", "dim"), samples(registry.joints))
def test_a_joint_closes(kind, dim, gap, joining):
    """From a small gap and a relative velocity, or from the velocity alone; each kind of body is on either side."""
    for a, b in [pair for pair in pairs(kind, dim) if pair[0] != pair[1]]:
        live = joining_again(kind, dim, a, b, gap, joining)
        (done,) = live.last_edit
        apart = done.gap > 1e-9
        assert done.rate > 1e-4  # the push was not along a motion that the joint leaves free
        assert apart == (gap > 0.0 and not all(live.model.arrays["level"][live.model.joints["j"].equations]))
        if joining == "impulse":
            assert len(done.impulse)
        assert (not live.closing) == (joining == "impulse" and not apart)
        live.settle()
        assert not live.closing
        position, velocity = residuals(live)
        assert position <= 1e-9
        assert velocity <= 1e-7
        live.advance(0.02)
        assert max(residuals(live)) <= 1e-7
        assert np.abs(live.result().energy.error).max() < 1e-7
