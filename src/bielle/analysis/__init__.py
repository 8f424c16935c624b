"""Questions about a mechanism that need no time stepping: initial assembly, degrees of freedom, redundancy.

May import ``solvers`` and everything on its left.
"""
