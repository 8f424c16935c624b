"""From equations of motion to accelerations: Baumgarte, acceleration-based augmented Lagrangian, projection, index 3.

May import ``kernels`` and ``model``. A formulation fills in settings and names the kernels an integrator calls.
"""
