"""What the course prints comes out digit for digit, with one line changed; importing it is light."""

import subprocess
import sys

import numpy as np

import bielle.course.Multicorps2D as mc

# Console Python 3 of section 1.4, where NumPy pads columns to equal width
CONSOLE = """
>>> print(rotation(q))
[[ 6.123234e-17  1.000000e+00]
 [-1.000000e+00  6.123234e-17]]
>>> print(position(q, GP_Rs))
[ 11. -10.]
>>> print(rotation_v(q))
[[-1.000000e+00  6.123234e-17]
 [-6.123234e-17 -1.000000e+00]]
>>> print(transformation_v(q, GP_Rs))
[[  1.   0. -10.]
 [  0.   1. -10.]]
>>> print(velocity(q, dq, GP_Rs))
[-10.  -9.]
>>> print(rotation_a(q))
[[-6.123234e-17 -1.000000e+00]
 [ 1.000000e+00 -6.123234e-17]]
>>> print(transformation_a(q, dq, GP_Rs))
[[  0.   0. -10.]
 [  0.   0.  10.]]
>>> print(acceleration(q, dq, d2q, GP_Rs))
[-1.90000000e+01 -1.77635684e-15]
"""


def test_console_session_of_section_1_4():
    names = {}
    exec("from bielle.course.utils2D import *", names)
    exec("q = np.array([1, 0, np.pi/2])\ndq = np.array([0, 1, 1])\nd2q = np.array([1, 0, 1])\nGP_Rs = np.array([10, 10])", names)
    for entry in CONSOLE.strip().split(">>> ")[1:]:
        typed, printed = entry.split("\n", 1)
        assert str(eval(typed.removeprefix("print(").removesuffix(")"), names)) == printed.rstrip(), typed


def carter() -> mc.Solid:
    """Solid 1 of exercise 1."""
    s = mc.Solid(label="Carter", G_t0=np.array([1, 1]))
    s.add_frame(tag_F="A", label="Axe pivot 1", P_t0=np.array([0, 0]))
    s.add_frame(tag_F="B", label="Axe pivot 2", P_t0=np.array([2, 3]))
    s.add_frame(tag_F="C", label="Rotule 1", P_t0=np.array([0, 4]))
    s.add_frame(tag_F="D", label="Capteur", P_t0=np.array([4, 0.5]))
    return s


def test_a_solid_shows_itself_as_in_section_1_3():
    assert repr(carter()) == (
        "'Carter' : \n"
        "\tx_0 = +1.000 m, \tz_0 = +1.000 m, \ttheta_0 = +0.000 rad\n"
        "\tm = 1.000 kg, \tiy = 0.010 kg.m^2\n"
        "\t.frames[G] = 'G'\n"
        "\t\tx = +0.000 m, \tz = +0.000 m, \ttheta = +0.000 rad\n"
        "\t.frames[A] = 'Axe pivot 1'\n"
        "\t\tx = -1.000 m, \tz = -1.000 m, \ttheta = -0.000 rad\n"
        "\t.frames[B] = 'Axe pivot 2'\n"
        "\t\tx = +1.000 m, \tz = +2.000 m, \ttheta = -0.000 rad\n"
        "\t.frames[C] = 'Rotule 1'\n"
        "\t\tx = -1.000 m, \tz = +3.000 m, \ttheta = -0.000 rad\n"
        "\t.frames[D] = 'Capteur'\n"
        "\t\tx = +3.000 m, \tz = -0.500 m, \ttheta = -0.000 rad\n"
    )


def test_a_frame_shows_itself():
    assert repr(carter().frames["D"]) == "'Capteur'\n\tx = +3.000 m, \tz = -0.500 m, \ttheta = -0.000 rad\n"


def test_a_model_lists_what_is_in_it():
    m = mc.Model()
    m.add_solid(tag_S="S1", label="Bielle", m=2)
    m.add_frame(tag_S="S1", tag_F="A")
    m.add_interaction("Hinge_1sFix", tag_I="pivot", label="Pivot", tag_S="S1", tag_F="A")
    assert repr(m) == (
        "Model :\n"
        "\t.solids[S1] = 'Bielle' : m = 2.000 kg, iy = 0.010 kg.m^2, frames G, A\n"
        "\t.interactions[pivot] = 'Pivot' : Hinge_1sFix, tag_S = S1, tag_F = A, n_c = 2\n"
    )


def test_everything_of_the_course_is_in_the_public_module():
    model = "Frame Solid Param Matrices Model"
    kinds = (
        "SpringDashpot_2s SpringDashpot_1sFix Force Moment Contact Hinge_2s Hinge_1sFix Distance_2s PointOnLine_2s Slider_2s Rigid_2s "
        "Motion_1s"
    )
    utils = (
        "rotation position rotation_v transformation_v velocity rotation_a transformation_a acceleration deflection load_direction "
        "spring_damper_force virtual_power tabular np"
    )
    for name in f"{model} {kinds} {utils}".split():
        assert hasattr(mc, name), name
        assert name in mc.__all__, name


def test_imports_are_light():
    code = (
        "import sys, bielle\n"
        "assert not any(m.startswith('bielle.course') for m in sys.modules)\n"
        "import bielle.course.Multicorps2D\n"
        "print([m for m in ('numba', 'scipy', 'matplotlib', 'rich') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
