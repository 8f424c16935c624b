"""The planar teaching program Multicorps2D of the course by Renaud and Dion (2024): ``import bielle.course.Multicorps2D as mc``.

Written to be read by students, in NumPy. May import everything on its left; nobody there imports it, nor does ``import bielle``.
"""
