"""Points of a solid, springs, tables; solids and their frames."""

import numpy as np
import pytest

import bielle.course.Multicorps2D as mc

Q, DQ, D2Q, GP = np.array([0.3, -1.2, 0.7]), np.array([0.4, 1.1, -2.0]), np.array([-0.6, 0.2, 1.5]), np.array([0.8, -0.5])
H = 1e-3


def path(t):
    """Coordinates that have Q, DQ, D2Q at t = 0."""
    return Q + DQ * t + 0.5 * D2Q * t**2


def test_velocity_and_acceleration_are_derivatives_of_the_position():
    a, b, c, d, e = (mc.position(path(k * H), GP) for k in (-2, -1, 0, 1, 2))
    # differences of fourth order: they leave out H⁴/30 of a fifth derivative, or H⁴/90 of a sixth, of some 10² and 10³ (powers of θ̇ = 2)
    # here; rounding adds 64/12 · 2e-16 / H² ≈ 1e-9
    np.testing.assert_allclose((a - 8 * b + 8 * d - e) / (12 * H), mc.velocity(Q, DQ, GP), atol=1e-10)
    second = (-a + 16 * b - 30 * c + 16 * d - e) / (12 * H**2)
    np.testing.assert_allclose(second, mc.acceleration(Q, DQ, D2Q, GP), atol=5e-9)
    both = mc.transformation_v(Q, GP) @ D2Q + mc.transformation_a(Q, DQ, GP) @ DQ
    np.testing.assert_allclose(both, mc.acceleration(Q, DQ, D2Q, GP), atol=1e-14)  # (9) and (7): rounding


def test_virtual_power_is_the_power_of_force_and_moment():
    F, M = np.array([3.0, -4.0]), 2.5
    assert mc.virtual_power(Q, GP, F, M) @ DQ == pytest.approx(F @ mc.velocity(Q, DQ, GP) + M * DQ[2], abs=1e-13)
    np.testing.assert_array_equal(mc.virtual_power(Q, GP), np.zeros(3))


def test_direction_of_a_spring():
    np.testing.assert_allclose(mc.load_direction(np.array([3.0, -4.0]), np.ones(2)), [0.6, -0.8], atol=1e-16)
    u = mc.load_direction(np.zeros(2), np.array([3.0, -4.0]))
    assert abs(u @ [3.0, -4.0]) < 1e-15  # the damper is silent
    assert np.linalg.norm(u) == pytest.approx(1.0, abs=1e-15)
    assert np.linalg.norm(mc.load_direction(np.zeros(2), np.zeros(2))) == 1.0


def test_force_of_a_spring_and_a_damper():
    still, moving = np.zeros(3), np.array([0.5, 0.0, 0.0])
    F = mc.spring_damper_force(np.zeros(3), still, np.zeros(2), np.array([2.0, 0.0, 0.0]), moving, np.zeros(2), k=10.0, c=4.0, L0=0.5)
    np.testing.assert_allclose(F, [10 * 1.5 + 4 * 0.5, 0.0])  # A is pulled towards B
    F = mc.spring_damper_force(np.zeros(3), still, np.zeros(2), np.zeros(3), moving, np.zeros(2), k=10.0, c=4.0, L0=0.5)
    assert np.linalg.norm(F) == pytest.approx(10 * 0.5, rel=1e-15)  # A on B: the spring alone


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_table_with_any_number_of_rows(rows):
    t_tab = np.array([0.0, 1.0, 3.0])
    f_tab = np.arange(rows)[:, None] + np.array([0.0, 2.0, 0.0])
    np.testing.assert_allclose(mc.tabular(2.0, t_tab, f_tab), np.arange(rows) + 1.0)
    np.testing.assert_allclose(mc.tabular(9.0, t_tab, f_tab), np.arange(rows))  # constant beyond the ends


def test_frames_are_described_in_galilean_axes():
    s = mc.Solid(G_t0=[1, 2], theta_t0=0.4)
    s.add_frame(tag_F="A", P_t0=[3, -1], Xs=[0, 1])
    np.testing.assert_allclose(mc.position(s.q_t0, s.frames["A"].position), [3, -1], atol=1e-15)
    X = mc.rotation([0, 0, s.q_t0[2] + s.frames["A"].theta])[:, 0]
    np.testing.assert_allclose(X, [0, 1], atol=1e-15)


def test_mass_and_weight():
    s = mc.Solid(m=2, iy=0.3)
    np.testing.assert_array_equal(s.mass(), np.diag([2, 2, 0.3]))
    np.testing.assert_array_equal(s.weight(9.81), [0, -2 * 9.81, 0])


def test_nothing_is_shared_between_two_of_a_kind():
    a, b = mc.Solid(), mc.Solid()
    G = np.zeros(2)
    c = mc.Solid(G_t0=G)
    a.q_t0[:] = 7.0
    a.dq_t0[:] = 7.0
    a.frames["G"].position[:] = 7.0
    a.color[0] = 7.0
    G[:] = 7.0
    for s in (b, c):
        assert not s.q_t0.any()
        assert not s.dq_t0.any()
        assert not s.frames["G"].position.any()
        assert s.color == [0, 0, 1]
    h, k = mc.Hinge_2s(), mc.Hinge_2s()
    h.tag_S[0] = "other"
    assert k.tag_S == ["tag_Sa", "tag_Sb"]
    h, k = mc.Hinge_1sFix(), mc.Hinge_1sFix()
    h.P_Gal[:] = 7.0
    np.testing.assert_array_equal(k.P_Gal, [1, 1])


def test_drawing_goes_from_the_centre_to_every_frame():
    class Axes:
        def plot(self, x, z, **style):
            self.x, self.z, self.style = x, z, style

    s = mc.Solid(label="Bielle", G_t0=[1, 2], color="r", marker="o")
    s.add_frame(tag_F="A", P_t0=[3, 4])
    ax = Axes()
    s.draw_t0(ax)
    np.testing.assert_allclose(ax.x, [1, 1, 1, 3])
    np.testing.assert_allclose(ax.z, [2, 2, 2, 4])
    assert ax.style == {"label": "Bielle", "color": "r", "marker": "o", "fillstyle": "none", "markersize": 8}
