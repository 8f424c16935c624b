"""Time stepping, one file per method: RK4, adaptive Runge–Kutta, Newmark/HHT/generalised-alpha, SciPy's solvers.

May import ``kernels`` and ``model``. An integrator calls the formulation through its address, without importing it.
"""
