"""The thirteen exercises of the course by Renaud and Dion (2024), one script each: ``python -m bielle.examples.course.exercise_12``.

Every script offers

    solve()           what the exercise asks for, computed once
    plot()            its figures
    check()           a list of Check: the numbers it verifies about itself
    film(path=None)   if something moves: the animation, written to a file if a path is given

and ``bielle course 12`` shows all of it.
"""

import importlib
from types import ModuleType

from ...errors import NamingError

__all__ = ["LANGUAGES", "TITLES", "get", "title"]

LANGUAGES = ("en", "fr")

TITLES = {
    1: ("Three solids and their frames", "Trois solides et leurs repères"),
    2: ("Free fall, written by hand", "Chute libre, codée à la main"),
    3: ("A pendulum on a spring, written by hand", "Pendule sur ressort, codé à la main"),
    4: ("Free fall with the classes", "Chute libre avec les classes"),
    5: ("The pendulum on a spring with the classes", "Pendule sur ressort avec les classes"),
    6: ("A force: over time, from a table, in the axes of the solid", "Une force : fonction du temps, tabulée, dans le repère du solide"),
    7: ("A moment, and the couple of forces that is the same", "Un moment, et le couple de forces équivalent"),
    8: ("Contact with the ground", "Contact avec le sol"),
    9: ("A hinge between a solid and a fixed point", "Pivot entre un solide et un point fixe"),
    10: ("Imposed motion, and the effort that it takes", "Mouvement imposé, et l'effort nécessaire"),
    11: ("The simple pendulum", "Le pendule simple"),
    12: ("Scissors", "Les ciseaux"),
    13: ("A bicycle chain", "La chaîne de vélo"),
}


def title(number: int, lang: str = "en") -> str:
    """The title of an exercise, in English ("en") or French ("fr")."""
    return TITLES[number][LANGUAGES.index(lang)]


def get(number: int | str) -> ModuleType:
    """The script of an exercise, imported when it is asked for."""
    text = str(number)
    if not text.isdecimal() or int(text) not in TITLES:
        raise NamingError(f"There is no exercise '{text}'. The course has 1 … {len(TITLES)}.")
    return importlib.import_module(f".exercise_{int(text):02}", __name__)
