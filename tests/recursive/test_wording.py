"""Sentences of models in joint coordinates."""

import pytest

import bielle as bl


def arm():
    m = bl.Mechanism(plane="xy")
    m.add_body("rod", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_joint("pin", bl.Pin(), "ground", "rod", at=(0, 0))
    return m.recursive()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda r: r.rnea([0.0]), "rnea.*'v' and 'a'"),
        (lambda r: r.aba_batch([[0.0]], [[0.0]], taw=[[0.0]]), "aba_batch.*'taw'.*tau"),
        (lambda r: r.integrate([0.0]), "integrate"),
    ],
)
def test_arguments_that_do_not_fit_are_named(call, said):
    with pytest.raises(TypeError, match=said):
        call(arm())


def test_it_says_what_it_is():
    assert repr(arm()) == "RecursiveModel: 1 link, 1 velocity; ask for rnea, aba, crba, jacobian, …"
