"""How right and how fast: every number is a ratio or an error measured in one run, beside the peer where there is one.

``make bench`` runs all of it; ``python -m benchmarks NAME`` one part:
accuracy, convergence, singular, special, fourbar, planar, spatial, scaling, live, modular, recursive, startup.
"""
