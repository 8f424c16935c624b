"""The ways to advance a State: central now; modular and recursive join with the same interface.

May import everything on its left: ``formulations``, ``integrators``, ``model`` and below.
"""
