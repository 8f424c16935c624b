"""What a newcomer asks of a session that cannot be, and the sentence that comes back."""

import pytest

import bielle as bl
from bielle.errors import AccessError, BielleError, CallError, DescriptionError, NamingError


def session():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pivot", bl.Pin(), "ground", "rod", at=(0, 0))
    m.add_force("spring", bl.Spring(stiffness=10.0), "ground", "rod", at_a=(0, 1), at_b=(0.5, 0))
    return m.live()


WRONG = {
    "position set": (
        lambda s: setattr(s["rod"], "position", (1, 1)),
        *(AccessError, "the present of body 'rod' can only be read, its position not be set. Write live.set(…)"),
    ),
    "place of a body": (
        lambda s: s.add_body("x", bl.disc(1, mass=1), pos=(0, 0)),
        *(CallError, "add_body() has no argument 'pos'. Did you mean 'position'?"),
    ),
    "place of a joint": (
        lambda s: s.add_joint("j", bl.Pin(), "ground", "rod", pos=(0, 0)),
        *(CallError, "add_joint() has no argument 'pos'. It takes name, kind, a, b, at, joining, over, at_a, at_b, axes_a, axes_b."),
    ),
    "joining": (
        lambda s: s.add_joint("j", bl.Pin(), "ground", "rod", at=(0, 0), joinng="exact"),
        *(CallError, "add_joint() has no argument 'joinng'. Did you mean 'joining'?"),
    ),
    "push": (lambda s: s.push("rod", impulze=(1, 0)), CallError, "push() has no argument 'impulze'. Did you mean 'impulse'?"),
    "teleport": (lambda s: s.teleport("rod", pos=(1, 0)), CallError, "teleport() has no argument 'pos'. Did you mean 'position'?"),
    "grab": (lambda s: s.grab("rod", stifness=1), CallError, "grab() has no argument 'stifness'. Did you mean 'stiffness'?"),
    "event": (lambda s: s.when("rod.position.x", crosse=1), CallError, "when() has no argument 'crosse'. Did you mean 'crosses'?"),
    "duration": (lambda s: s.advance(), CallError, "advance() needs 'duration'. Write advance(duration)."),
    "parameter": (lambda s: s.set("spring", stifness=3), NamingError, "force 'spring': there is no parameter named 'stifness'"),
    "parameter after a dot": (lambda s: s.set("spring.stifness", 3), NamingError, "Did you mean 'stiffness'?"),
    "no parameter": (lambda s: s.set("spring", 3), DescriptionError, "as in set('spring', stiffness=…) or set('spring.stiffness', …)"),
    "position": (lambda s: s.set("rod", position=(1, 0)), DescriptionError, "is changed by teleport('rod', position=…)"),
    "motor on a joint": (lambda s: s.add_force("m", bl.Motor(stiffness=1.0), "pivot"), DescriptionError, "joint='pivot'"),
    "component": (lambda s: s["rd"], NamingError, "There is no component named 'rd'. Did you mean 'rod'?"),
    "quantity": (lambda s: s["rod"].postion, AccessError, "the present of body 'rod' has no 'postion'. Did you mean 'position'?"),
    "quantity by name": (lambda s: s["rod.postion"], NamingError, "Did you mean 'rod.position'?"),
    "component as an attribute": (lambda s: s.rod, AccessError, "A session has no attribute 'rod'"),
    "method": (lambda s: s.advence(1), AccessError, "A session has no 'advence'. Did you mean 'advance'?"),
    "gap": (
        lambda s: s.add_joint("j", bl.Pin(), "ground", "rod", at_a=(0, 1), at_b=(0.5, 0), joining="exact"),
        *(BielleError, "there is a gap of 1 m and a relative velocity of 0 m/s"),
    ),
    "gap of an angle": (
        lambda s: s.add_joint("j", bl.ImposedRotation(angle=0.5), "ground", "rod", at=(0, 0), joining="exact"),
        *(BielleError, "there is a gap of 0.5 rad and a relative velocity of 0 rad/s"),
    ),
}


@pytest.fixture(scope="module")
def live():
    return session()


@pytest.mark.parametrize("case", WRONG)
def test_sentences(live, case):
    action, error, message = WRONG[case]
    with pytest.raises(error) as caught:
        action(live)
    assert isinstance(caught.value, BielleError)
    assert message in str(caught.value)
    assert not live.log  # nothing was done
    assert live.mechanism == session().mechanism


def test_the_present_by_name():
    live = session()
    live.advance(0.1)
    assert (live["rod.position"] == live["rod"].position).all()
    assert live["rod.position.y"] == live["rod"].position[1]
    assert live["energy.kinetic"] == live.energy.kinetic
    assert repr(live["rod"]).startswith("the present of body 'rod': ask for position, velocity")
    assert repr(live.energy).startswith("the present of the energy [J]: ask for kinetic")
