"""Live sessions: a mechanism that runs and can be changed at any step; transactions, time travel, events, journal.

May import everything on its left: ``solvers``, ``analysis``, ``results`` and below.
"""
