"""How right: the double pendulum against minimal coordinates, measured orders, singular positions."""

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

import bielle as bl

from . import workloads
from .measure import show

OUT = Path("out/bench")


def double_pendulum():
    """T7a: 1 kg at the elbow and at the tip, rods of 1 m, starting (0,0)-(1,0)-(1,−1) at rest."""
    m = bl.Mechanism(plane="xy")
    m.add_body("upper", bl.rigid(1.5, (1 / 3, 0), 1 / 3), coordinates="bar")
    m.add_body("lower", bl.rigid(1.5, (2 / 3, 0), 1 / 3), position=(1, 0), orientation=-np.pi / 2, coordinates="bar")
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
    return m


def reference(times):
    """Tip from two angles, at the limit of double precision."""
    g = 9.81

    def rates(t, y):
        a, b, u, w = y
        c, s = np.cos(a - b), np.sin(a - b)
        return [u, w, *np.linalg.solve([[2, c], [c, 1]], [-s * w * w - 2 * g * np.cos(a), s * u * u - g * np.cos(b)])]

    y = solve_ivp(rates, (0, times[-1]), [0, -np.pi / 2, 0, 0], method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times).y
    return np.column_stack([np.cos(y[0]) + np.cos(y[1]), np.sin(y[0]) + np.sin(y[1])])


def accuracy():
    """T7a over 5 s with every formulation and integrator."""
    solvers = [bl.Central()]
    solvers += [bl.Central(f, integrator="rk4", step=1e-3) for f in ("projected", "baumgarte", "augmented")]
    solvers += [
        bl.Central(f, integrator=i, step=1e-3)
        for i in ("newmark", "hht", "generalized-alpha")
        for f in ("index3", "baumgarte", "augmented")
    ]
    solvers += [bl.Central(integrator=i) for i in ("RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA")]
    rows = []
    for solver in solvers:
        run = double_pendulum().simulate(5.0, solver)
        error = np.abs(run["lower"].point((1, 0)).position - reference(run.time)).max()
        energy = np.abs(run.energy.error).max()
        rows.append((solver.describe(), f"{error:.1e}", f"{run.violation.max():.1e}", f"{energy:.1e}", run.info["statistics"]["steps"]))
    show("Double pendulum T7a, 5 s, against minimal coordinates (goal of the default: 1e-6, 1e-9, 1e-8)",
         ("solver", "tip error [m]", "violation [m]", "energy error", "steps"), rows)  # fmt: skip


def convergence():
    """Error against step, with the measured order, and a picture."""
    steps = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4]
    end = reference(np.array([0.0, 1.0]))[-1]
    curves, rows = {}, []
    for integrator in ("rk4", "newmark", "hht", "generalized-alpha"):
        errors = []
        for step in steps:
            run = double_pendulum().simulate(1.0, bl.Central(integrator=integrator, step=step), samples=2)
            errors.append(np.abs(run["lower"].point((1, 0)).position[-1] - end).max())
        curves[integrator] = errors
        slope = np.polyfit(np.log(steps[:4]), np.log(errors[:4]), 1)[0]
        rows.append((integrator, *(f"{e:.1e}" for e in errors), f"{slope:.2f}"))
    show("Tip error after 1 s against step", ("integrator", *(f"{s:g}" for s in steps), "order"), rows)
    path = _picture(steps, curves)
    print(f"picture: {path}")


def _picture(steps, curves):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    OUT.mkdir(parents=True, exist_ok=True)
    figure = Figure(figsize=(6, 4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for name, errors in curves.items():
        axes.loglog(steps, errors, "o-", label=name)
    for order, anchor in ((2, curves["newmark"][0]), (4, curves["rk4"][0])):
        axes.loglog(steps, [anchor * (s / steps[0]) ** order for s in steps], ":", color="grey", label=f"order {order}")
    axes.set(xlabel="step [s]", ylabel="tip error after 1 s [m]", title="Double pendulum T7a")
    axes.legend()
    axes.grid(alpha=0.3)
    path = OUT / "convergence.png"
    figure.savefig(path, dpi=120)
    return path


def singular():
    """T7b and the redundant parallelogram for 20 s through their singular positions."""
    rows = []
    for model in (workloads.slider_crank(), workloads.parallelogram()):
        for solver in (bl.Central(integrator="rk4", step=1e-3), bl.Central(integrator="newmark", step=1e-3), bl.Central()):
            run = model.simulate(20.0, solver, samples=2001)
            rows.append((model.name, solver.describe(), f"{run.violation.max():.1e}", f"{np.abs(run.energy.error).max():.1e}"))
    show("20 s through singular positions (goal: violation 1e-8, energy 1e-5 at step 1e-3)",
         ("mechanism", "solver", "violation [m]", "energy error"), rows)  # fmt: skip
