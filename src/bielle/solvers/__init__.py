"""The ways to advance a State: Central, Modular and Recursive, with one interface, and which of them suits a model.

May import everything on its left: ``formulations``, ``integrators``, ``model`` and below.
"""
