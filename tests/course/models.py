"""Models that several tests of the course share."""

import numpy as np

import bielle.course.Multicorps2D as mc

SCISSORS = {"A": (-1, 1), "B": (0, 0), "C": (1, -1), "D": (1, 1), "E": (-1, -1), "F": (0, -3), "H": (1, -5), "I": (-1, -5)}


def scissors() -> mc.Model:
    """Exercise 12."""
    m = mc.Model()
    for tag, G, points in (("S1", (0.5, -0.5), "ABC"), ("S2", (-0.5, -0.5), "DBE"), ("S3", (0.5, -4), "EFH"), ("S4", (-0.5, -4), "CFI")):
        m.add_solid(tag_S=tag, G_t0=np.array(G), m=1, iy=1e-2)
        for point in points:
            m.add_frame(tag_S=tag, tag_F=point, P_t0=np.array(SCISSORS[point]))
    m.add_interaction("Hinge_1sFix", tag_I="frame", tag_S="S1", tag_F="B", P_Gal=np.array([0, 0]))
    for point, a, b in (("B", "S1", "S2"), ("C", "S1", "S4"), ("E", "S2", "S3"), ("F", "S3", "S4")):
        m.add_interaction("Hinge_2s", tag_I=point, tag_S=[a, b], tag_F=[point, point])
    m.add_interaction("SpringDashpot_2s", tag_I="spring", tag_S=["S4", "S3"], tag_F=["I", "H"], k=1000, c=100, L0=4)
    return m


def spring_pendulum() -> mc.Model:
    """Exercise 5: the pendulum of exercise 3 with the classes."""
    m = mc.Model()
    m.add_solid(tag_S="S", m=1, iy=1e-2, G_t0=np.array([1, 3]), Xs=np.array([1, 1]))
    m.add_frame(tag_S="S", tag_F="P", P_t0=np.array([2, 4]))
    m.add_interaction("SpringDashpot_1sFix", tag_I="spring", tag_S="S", tag_F="P", P_Gal=np.array([3, 2]), k=1e3, c=1e2, L0=0.5)
    return m


def simple_pendulum() -> mc.Model:
    """Exercise 11."""
    m = mc.Model()
    m.add_solid(tag_S="S", m=1, iy=1e-2, G_t0=np.array([1, 0]))
    m.add_frame(tag_S="S", tag_F="P", P_t0=np.array([0, 0]))
    m.add_interaction("Hinge_1sFix", tag_I="pivot", tag_S="S", tag_F="P", P_Gal=np.array([0, 0]))
    return m


def energy(m: mc.Model, y: np.ndarray) -> np.ndarray:
    """Kinetic energy and that of the weights, for states (rows, samples); needs a model that was built."""
    total = np.zeros(y.shape[1])
    for s in m.solids.values():
        q, dq = y[s.ind_q], y[s.ind_dq]
        total += 0.5 * s.m * (dq[0] ** 2 + dq[1] ** 2) + 0.5 * s.iy * dq[2] ** 2 + s.m * m.param.g * q[1]
    return total
