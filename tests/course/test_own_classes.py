"""Interactions that a student writes as in the listings of the course work beside those that are there."""

import numpy as np
import pytest

import bielle.course.Multicorps2D as mc
from bielle.course.utils2D import position, spring_damper_force, transformation_a, transformation_v, velocity, virtual_power
from bielle.errors import DescriptionError, NamingError

from .models import scissors


class OwnSpring:
    """After Code Python 12, 14 and 16, without a base class."""

    def __init__(self, label="own spring", tag_S=("tag_Sa", "tag_Sb"), tag_F=("tag_Fa", "tag_Fb"), k=1e3, c=1, L0=0.5):
        self.label = label
        self.n_c = 0
        self.ind_c = 0
        self.tag_S = tag_S
        self.tag_F = tag_F
        self.k, self.c, self.L0 = k, c, L0

    def _build(self, solids, param):
        s_a, s_b = solids[self.tag_S[0]], solids[self.tag_S[1]]
        self.ind_q_a, self.ind_dq_a, self.GP_a = s_a.ind_q, s_a.ind_dq, s_a.frames[self.tag_F[0]].position
        self.ind_q_b, self.ind_dq_b, self.GP_b = s_b.ind_q, s_b.ind_dq, s_b.frames[self.tag_F[1]].position

    def assemble(self, t, y, matrices):
        q_a, dq_a = y[self.ind_q_a], y[self.ind_dq_a]
        q_b, dq_b = y[self.ind_q_b], y[self.ind_dq_b]
        F = spring_damper_force(q_a, dq_a, self.GP_a, q_b, dq_b, self.GP_b, self.k, self.c, self.L0)
        matrices.B[np.ix_(self.ind_q_a)] += virtual_power(Fext=F, Mext=0, q=q_a, GP_Rs=self.GP_a)
        matrices.B[np.ix_(self.ind_q_b)] += virtual_power(Fext=-F, Mext=0, q=q_b, GP_Rs=self.GP_b)
        # and a forgotten return


class OwnHinge(OwnSpring):
    """After Code Python 20; ind_c is what the model makes it, whatever _build wrote."""

    def __init__(self, tag_S, tag_F):
        super().__init__("own hinge", tag_S, tag_F)
        self.n_c = 2

    def _build(self, solids, param):
        super()._build(solids, param)
        self.ind_c = [0, 1]
        self.two_xi_w, self.w2 = 2 * param.bmgt_xi * param.bmgt_w0, param.bmgt_w0**2

    def assemble(self, t, y, matrices):
        q_a, dq_a, GP_a = y[self.ind_q_a], y[self.ind_dq_a], self.GP_a
        q_b, dq_b, GP_b = y[self.ind_q_b], y[self.ind_dq_b], self.GP_b
        D = transformation_a(q_a, dq_a, GP_a) @ dq_a - transformation_a(q_b, dq_b, GP_b) @ dq_b
        d_AB = velocity(q_b, dq_b, GP_b) - velocity(q_a, dq_a, GP_a)
        AB = position(q_b, GP_b) - position(q_a, GP_a)
        matrices.C[np.ix_(self.ind_c, self.ind_q_a)] = -transformation_v(q_a, GP_a)
        matrices.C[np.ix_(self.ind_c, self.ind_q_b)] = transformation_v(q_b, GP_b)
        matrices.D[self.ind_c] = D - self.two_xi_w * d_AB - self.w2 * AB
        return matrices


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_own_classes_give_the_motion_of_those_that_are_there(variant):
    m, own = scissors(), scissors()
    del own.interactions["spring"], own.interactions["F"]
    own.add_interaction(OwnHinge, tag_I="F", tag_S=["S3", "S4"], tag_F=["F", "F"])
    own.interactions["spring"] = OwnSpring(tag_S=["S4", "S3"], tag_F=["I", "H"], k=1000, c=100, L0=4)
    # the same rows in the same order, so the same numbers
    there = m.transient(0, 0.3, 0.01, variant=variant, compiled=False)
    np.testing.assert_array_equal(own.transient(0, 0.3, 0.01, variant=variant).y, there.y)


def test_own_class_upon_the_base():
    class Wind(mc.Interaction):
        """A force on every solid."""

        def _build(self, solids, param):
            self.rows = np.concatenate([s.ind_q[:1] for s in solids.values()])

        def assemble(self, t, y, matrices):
            matrices.B[self.rows] += 2.0
            return matrices

    m = mc.Model()
    m.add_solid(tag_S="one", m=2)
    m.add_solid(tag_S="two", m=4)
    m.interactions["wind"] = Wind("wind", tag_S=None, tag_F=None)
    m.build()
    np.testing.assert_allclose(m._equations.accelerations(0, m._matrices.y0)[0], [1, -9.81, 0, 0.5, -9.81, 0])


def test_tags_of_own_classes_are_checked_too():
    m = scissors()
    m.interactions["mine"] = OwnSpring(tag_S=["S1", "S9"], tag_F=["A", "A"])
    with pytest.raises(NamingError, match="Interaction 'mine': there is no solid named 'S9'"):
        m.build()
    m.interactions["mine"] = OwnSpring(tag_S=["S1", "S2"], tag_F=["A", "A"])
    with pytest.raises(NamingError, match="Interaction 'mine': there is no frame of solid 'S2' named 'A'. Known: B, D, E, G."):
        m.build()


@pytest.mark.parametrize("missing", ["_build", "assemble", "n_c"])
def test_what_an_own_class_lacks_is_told(missing):
    class Mine:
        n_c = 0

        def _build(self, solids, param): ...
        def assemble(self, t, y, matrices): ...

    delattr(Mine, missing)
    m = scissors()
    m.interactions["mine"] = Mine()
    with pytest.raises(DescriptionError, match=f"^Interaction 'mine': .*{missing}.*Mine|^Interaction 'mine': Mine .*{missing}"):
        m.build()


def test_an_error_in_an_own_class_stays_what_it_is_and_says_where():
    class Broken(OwnSpring):
        def assemble(self, t, y, matrices):
            return matrices.B + self.stiffness

    m = scissors()
    m.add_interaction(Broken, tag_I="mine", tag_S=["S1", "S2"], tag_F=["A", "D"])
    with pytest.raises(AttributeError, match="stiffness") as caught:
        m.transient(0, 1, 0.1)
    assert caught.value.__notes__ == ["This happened in the interaction 'mine' at t = 0 s."]


def test_every_evaluation_begins_with_the_weights_and_zeros():
    class Adding(OwnHinge):
        """Adds to its rows instead of setting them."""

        def assemble(self, t, y, matrices):
            self.seen = matrices.B.copy(), matrices.C.copy(), matrices.D.copy()
            matrices.B[self.ind_q_a] += 1.0
            matrices.C[np.ix_(self.ind_c, self.ind_q_b)] += transformation_v(y[self.ind_q_b], self.GP_b)
            matrices.D[self.ind_c] += 1.0
            return matrices

    m = mc.Model()
    m.add_solid(tag_S="a")
    m.add_solid(tag_S="b")
    m.add_interaction(Adding, tag_I="adding", tag_S=["a", "b"], tag_F=["G", "G"])
    m.build()
    first, second = (m._odefun(0.0, m._matrices.y0) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    B, C, D = m.interactions["adding"].seen
    np.testing.assert_array_equal(B, np.tile([0, -9.81, 0], 2))
    assert not C.any()
    assert not D.any()
