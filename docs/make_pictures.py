"""Make the pictures of these pages again: ``python docs/make_pictures.py [name …]``, without names all of them.

What a picture shows is what its page computes: the Python blocks of the page are run, and the picture is made of the variables they leave.
"""

import contextlib
import functools
import io
import os
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch
from PIL import Image

import bielle as bl
from bielle import examples
from bielle.results.animation import scene
from bielle.results.draw import draw_strobe
from bielle.results.scene import PALETTE

DOCS = Path(__file__).parent
IMAGES = DOCS / "images"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MAKERS = {}
INK, MUTED, GRID, RED = "#18212c", "#5b6675", "#e3e8ee", "#c0392b"
PAPER = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}  # behind letters on a drawing


def picture(maker):
    """Register a function that writes the picture of its name."""
    MAKERS[maker.__name__] = maker
    return maker


@functools.cache
def page(name, count=None):
    """The variables that the Python blocks of a page leave, or the first ``count`` of them."""
    scope, here = {"__name__": "__main__"}, os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            for block in BLOCK.findall((DOCS / f"{name}.md").read_text(encoding="utf-8"))[:count]:
                exec(compile(block, f"{name}.md", "exec"), scope)
        finally:
            os.chdir(here)
    return scope


@functools.cache
def example(name):
    """The result of an example."""
    return examples.simulate(examples.get(name))


# -- from figures and stills to small files


def write(image, name, colours=128):
    """A PNG with a palette: a third of the size, and no eye sees the difference."""
    image = image.convert("RGB").quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette = np.array(image.getpalette()).reshape(-1, 3)
    palette[palette.min(axis=1) >= 250] = 255  # the median cut makes white slightly grey
    image.putpalette(palette.ravel().tolist())
    path = IMAGES / f"{name}.png"
    image.save(path, optimize=True)
    print(f"{path.relative_to(DOCS.parent)}  {path.stat().st_size // 1000} kB")


def drawn(draw, *args, **options):
    """What a function that writes a .png file draws, as an image."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        draw(*args, path=path, **options)
        return Image.open(path).convert("RGB")


def still(run, name, size=(840, 560), **options):
    """Twelve moments on top of each other."""
    write(drawn(run.animate, size=size, **options), name)


def plotted(run, name, *quantities):
    """The plot that a run makes of its quantities."""
    image = drawn(run.plot, *quantities)
    write(image.resize((960, round(960 * image.height / image.width)), Image.Resampling.LANCZOS), name, 64)


def axes(width=7.6, height=3.4, **labels):
    """A figure with one pair of axes in the style of the plots."""
    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    return figure, dress(figure.subplots(), **labels)


def dress(ax, **labels):
    ax.set(**labels)
    ax.grid(True, color=GRID, linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=8.5, colors=MUTED, length=0)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color("#c6ced8")
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set(fontsize=9, color=MUTED)
    return ax


def finish(figure, name, colours=64):
    """Write a figure."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=125)
    write(Image.open(buffer), name, colours)


def gallery(name, items, columns, size=(300, 225), colours=96):
    """Small stills in rows, each with its caption; (caption, run, options of animate)."""
    rows = -(-len(items) // columns)
    figure = Figure(figsize=(columns * size[0] / 125, rows * (size[1] + 26) / 125), facecolor="white")
    for i, (caption, run, options) in enumerate(items):
        row, column = divmod(i, columns)
        ax = figure.add_axes((column / columns, 1 - (row + 1) / rows, 1 / columns, size[1] / (size[1] + 26) / rows))
        image = drawn(run.animate, size=(2 * size[0], 2 * size[1]), **options)
        image.paste("white", (round(1.6 * size[0]), 0, 2 * size[0], round(0.16 * size[1])))  # the clock
        ax.imshow(image)
        ax.set_axis_off()
        figure.text((column + 0.5) / columns, 1 - (row + 0.05) / rows, caption, ha="center", va="top", fontsize=8.5, color=INK)
    finish(figure, name, colours)


# -- index and quickstart


@picture
def double_pendulum():
    run = page("quickstart")["run"]
    still(run, "double_pendulum")
    path = DOCS / "_static" / "double_pendulum.html"
    run.animate(path, fps=60)
    path.write_text(path.read_text(encoding="utf-8").rstrip() + "\n", encoding="utf-8")


@picture
def overview():
    plotted(page("quickstart")["run"], "overview")


# -- describing


@picture
def crane():
    still(page("describing", 1)["m"].simulate(3.0), "crane", traces=["load"])


@picture
def described():
    image = drawn(page("describing", 1)["m"].draw)
    write(image.resize((840, round(840 * image.height / image.width)), Image.Resampling.LANCZOS), "described", 96)


@picture
def shapes():
    shapes = {
        "rod": bl.rod((-0.5, 0, 0), (0.5, 0, 0), mass=1, radius=0.03),
        "cylinder": bl.cylinder((-0.4, 0, 0), (0.4, 0, 0), 0.2, mass=1),
        "capsule": bl.capsule((-0.3, 0, 0), (0.3, 0, 0), 0.2, mass=1),
        "box": bl.box((0.8, 0.5, 0.3), mass=1),
        "plate": bl.plate((0.8, 0.6), 0.05, mass=1),
        "sphere": bl.sphere(0.35, mass=1),
        "disc": bl.disc(0.4, thickness=0.1, mass=1),
        "extruded": bl.extruded([(-0.4, -0.3), (0.4, -0.3), (0.4, -0.1), (-0.1, -0.1), (-0.1, 0.4), (-0.4, 0.4)], 0.15, mass=1),
        "rigid": bl.rigid(1.0, (0, 0, 0), (0.1, 0.1, 0.1), points=[(-0.4, -0.2, 0), (0, 0.3, 0), (0.4, -0.2, 0), (-0.4, -0.2, 0)]),
        "compound": page("describing", 2)["bracket"],
    }
    items = []
    for i, (name, shape) in enumerate(shapes.items()):
        m = bl.Mechanism(gravity=(0, 0, -1e-9), name="")
        m.add_body(name, shape, color=PALETTE[i % len(PALETTE)])
        items.append((name, m.simulate(1.0, samples=2), {"traces": ()}))
    gallery("shapes", items, 5, (220, 165), colours=224)


def _arrow(ax, start, end, color):
    ax.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=11, color=color, linewidth=1.4, shrinkA=0, shrinkB=0))


def _point(ax, place, name, color):
    ax.add_patch(Circle(place, 0.045, color=color, zorder=4))
    ax.text(place[0], place[1] + 0.1, name, color=color, fontsize=10, ha="center")


@picture
def coordinates():
    figure = Figure(figsize=(9.0, 2.3), facecolor="white")
    c, s = np.cos(0.45), np.sin(0.45)
    turn, centre = np.array([[c, -s], [s, c]]), np.array([1.45, 0.95])
    body = np.array([(-1, -0.4), (-0.85, 0.4), (0.2, 0.62), (1.05, 0.4), (1.1, -0.35), (0.1, -0.5)]) @ turn.T + centre
    A, B = (turn @ [x, 0.0] + centre for x in (-0.7, 0.75))
    blue, orange, green = PALETTE[0], PALETTE[3], PALETTE[2]
    for i, name in enumerate(("planar: x, y, θ", "bar: A, B", "spatial: x, y, z, quaternion", "natural: A, B, u, v")):
        ax = figure.add_axes((i / 4, 0.0, 0.25, 0.9))
        ax.fill(*body.T, facecolor="#e6eef6", edgecolor="#8fa3b8", linewidth=1.2, joinstyle="round")
        for tip in ((0.45, 0), (0, 0.45)):
            _arrow(ax, (0, 0), tip, MUTED)
        if "A" not in name:
            _arrow(ax, (0, 0), centre, blue)
            _point(ax, centre, "", blue)
            ax.text(0.42, 0.42, "$x_G$", color=blue, fontsize=10, ha="right")
            for tip in (turn @ [0.85, 0], turn @ [0, 0.65]):
                _arrow(ax, centre, centre + tip, orange)
            if name.startswith("planar"):
                ax.plot([centre[0], centre[0] + 0.95], [centre[1]] * 2, color=MUTED, linewidth=0.9, linestyle=":")
                angles = np.linspace(0, 0.45, 20)
                ax.plot(centre[0] + 0.65 * np.cos(angles), centre[1] + 0.65 * np.sin(angles), color=orange)
                ax.text(centre[0] + 0.72, centre[1] + 0.1, "θ", color=orange, fontsize=10)
            else:
                _arrow(ax, centre, (centre[0] - 0.3, centre[1] - 0.38), orange)
                ax.text(*(centre + turn @ [0.3, 0.22]), "R(q)", color=orange, fontsize=10)
        else:
            for place, label in ((A, "A"), (B, "B")):
                _arrow(ax, (0, 0), place, blue)
                _point(ax, place, label, blue)
            if name.startswith("natural"):
                for tip, label in ((turn @ [0, 0.62], "u"), (np.array([0.42, -0.3]), "v")):
                    _arrow(ax, A, A + tip, green)
                    ax.text(*(A + 1.12 * tip + [0.02, -0.04]), label, color=green, fontsize=10)
        ax.set(xlim=(-0.25, 2.75), ylim=(-0.12, 1.95), aspect="equal")
        ax.set_axis_off()
        ax.set_title(name, fontsize=9.5, color=INK)
    finish(figure, "coordinates")


# -- joints


@picture
def slider_crank_motion():
    still(page("joints", 1)["m"].simulate(0.35), "slider_crank_motion", (840, 420))


@picture
def driven_crank_torque():
    plotted(page("joints")["driven"], "driven_crank_torque", "bore.displacement.x", "motor.moment")


@picture
def joints():
    """One body on each kind, set in motion the way the joint lets it move."""
    kinds = {
        "Revolute": (bl.Revolute(axis="z"), (0, 0, 0), {"angular_velocity": (0, 0, 1.6), "velocity": (0, 0.8, 0)}),
        "Prismatic": (bl.Prismatic(axis="x"), (0, 0, 0), {"velocity": (0.9, 0, 0)}),
        "Cylindrical": (bl.Cylindrical(axis="x"), (0, 0, 0), {"velocity": (0.9, 0, 0), "angular_velocity": (2, 0, 0)}),
        "Helical": (bl.Helical(axis="x", pitch=3.0), (0, 0, 0), {"velocity": (0.9, 0, 0), "angular_velocity": (0.6 * np.pi, 0, 0)}),
        "Planar": (bl.Planar(axis="z"), (0, 0, 0), {"velocity": (0.5, 0.9, 0), "angular_velocity": (0, 0, 1.6)}),
        "Spherical": (bl.Spherical(), (0, 0, 0), {"angular_velocity": (1.2, 1.6, 1.2), "velocity": (0, 0.6, -0.8)}),
        "Universal": (bl.Universal(axis_a="z", axis_b="y"), (0, 0, 0), {"angular_velocity": (0, -1.0, 1.4), "velocity": (0, 0.7, 0.5)}),
        "PointOnLine": (bl.PointOnLine(axis="y"), (0, 0, 0), {"angular_velocity": (0, 1.6, 0), "velocity": (0, 0.9, -0.8)}),
        "PointOnPlane": (bl.PointOnPlane(axis="z"), (0, 0, 0), {"angular_velocity": (0, 0, 2.5), "velocity": (0.3, 1.6, 0)}),
        "Distance": (bl.Distance(), None, {"velocity": (0, 1.0, 0), "angular_velocity": (0, 0, 1.5)}),
        "Fixed": (bl.Fixed(), (0, 0, 0), {}),
    }
    items = []
    for i, (name, (kind, at, motion)) in enumerate(kinds.items()):
        m = bl.Mechanism(gravity=(0, 0, -1e-9), name="")
        m.add_body("body", bl.box((1.0, 0.25, 0.12), mass=1.0), position=(0.5, 0, 0), color=PALETTE[i % len(PALETTE)], **motion)
        if at is None:
            m.add_joint("joint", kind, m.ground, "body", at_a=(0, 0, 0.8), at_b=(-0.5, 0, 0))
        else:
            m.add_joint("joint", kind, m.ground, "body", at=at)
        items.append((name, m.simulate(1.0), {}))
    gallery("joints", items, 3, colours=160)


# -- forces


@picture
def servo():
    plotted(page("forces")["servo"], "servo", "shoulder.angle", "servo.output")


@picture
def functions():
    run = page("forces")["pushed"]
    figure, ax = axes(xlabel="time [s]", ylabel="force [N]")
    for name, color in zip(page("forces")["loads"], PALETTE):
        ax.plot(run.time, run[f"{name} force"].force(on=name)[:, 0], color=color, linewidth=1.5, label=name)
    ax.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.5), labelcolor=INK)
    finish(figure, "functions")


@picture
def motions():
    time = np.linspace(-0.2, 2.2, 961)
    figure = Figure(figsize=(7.6, 4.4), layout="constrained", facecolor="white")
    values, rates = figure.subplots(2, 1, sharex=True)
    dress(values, ylabel="f")
    dress(rates, xlabel="time [s]", ylabel="rate [1/s]")
    for (name, f), color in zip(page("forces")["motions"].items(), PALETTE):
        values.plot(time, f(time), color=color, linewidth=1.5, label=name)
        rates.plot(time, f.rate(time), color=color, linewidth=1.5)
    values.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.0), labelcolor=INK)
    figure.align_ylabels()
    finish(figure, "motions")


@picture
def drag():
    run = page("forces")["flight"]
    time, (x, y) = run.time, run["ball"].position.T
    figure, ax = axes(xlabel="x [m]", ylabel="y [m]")
    ax.plot(20 * time, 20 * time - 0.5 * 9.81 * time**2, color=PALETTE[1], linewidth=1.5, label="without drag")
    ax.plot(x, y, color=PALETTE[0], linewidth=1.5, label="with drag")
    ax.set_aspect("equal")
    ax.legend(frameon=False, fontsize=8.5, labelcolor=INK)
    finish(figure, "drag")


# -- simulating


@picture
def formulations():
    m = page("simulating", 1)["m"]
    figure, ax = axes(xlabel="time [s]", ylabel="violation [m]", yscale="log", ylim=(1e-17, 1e-4))
    for (formulation, integrator), color in zip(
        (("projected", "rk4"), ("baumgarte", "rk4"), ("augmented", "rk4"), ("index3", "hht"), ("baumgarte", "hht")), PALETTE
    ):
        run = m.simulate(5.0, bl.Central(formulation, integrator, step=1e-3))
        style = "--" if formulation == "augmented" else "-"
        label = f"{formulation}, {integrator}"
        ax.plot(run.time, np.maximum(run.violation, 1e-17), color=color, linewidth=1.4, linestyle=style, label=label)
    ax.legend(
        frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.5), labelcolor=INK, title="step 1 ms", title_fontsize=8.5
    )
    finish(figure, "formulations")


@picture
def work_precision():
    model = examples.get("double_pendulum")
    figure, ax = axes(xlabel="evaluations of the accelerations", ylabel="largest error of the tip in 5 s [m]", xscale="log", yscale="log")
    steps, tolerances = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4), (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
    for integrator, color in zip(("adaptive", "rk4", "newmark", "hht", "generalized-alpha"), PALETTE):
        fixed = integrator != "adaptive"
        work, error = [], []
        for value in steps if fixed else tolerances:
            solver = bl.Central(integrator=integrator, **({"step": value} if fixed else {"rtol": value, "atol": 1e-2 * value}))
            run = model.build().simulate(model.DURATION, solver, samples=626 if fixed else 501)
            work.append(run.info["statistics"]["evaluations"])
            error.append(model.tip_error(run))
        ax.plot(work, error, "o-", color=color, markersize=3.5, linewidth=1.4, label=integrator)
    ax.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.5), labelcolor=INK)
    ax.set_xlim(1e3, 1e5)
    ax.minorticks_off()
    finish(figure, "work_precision")


@picture
def assembly():
    scope = page("simulating")
    figure = Figure(figsize=(7.6, 2.6), layout="constrained", facecolor="white")
    described = {name: body.pose for name, body in scope["four_bar"].bodies.items()}
    assembled = scope["free"], scope["held"]
    titles = ("as described", "assembled", "assembled with hold=('crank',)")
    for ax, run, title in zip(figure.subplots(1, 3, sharey=True), (None, *assembled), titles):
        for (name, body), color in zip(scope["four_bar"].bodies.items(), PALETTE):
            ends = np.array(body.shape.reference_points())
            if run is None:
                points = np.array([described[name].point(end) for end in ends])
            else:
                points = np.array([run[name].point(end[:2]).position[0] for end in ends])
            ax.plot(*points[:, :2].T, color=color, linewidth=5, solid_capstyle="round", label=name)
        ax.plot([0, 0.9], [0, 0], "o", color="white", markeredgecolor=INK, markersize=6, zorder=3)
        dress(ax, aspect="equal", xlim=(-0.15, 1.5), ylim=(-0.2, 1.0)).set_title(title, fontsize=9, color=INK)
        if run is None:
            ax.legend(frameon=False, fontsize=8, loc="upper left", labelcolor=INK)
    finish(figure, "assembly")


@picture
def singular():
    run = example("slider_crank")
    module = examples.get("slider_crank")
    figure, ax = axes(xlabel="time [s]", ylabel="slider [m]")
    angle, _ = module.reference(run.time)
    ax.plot(run.time, run["rod"].point((1.0, 0.0)).position[:, 0], color=PALETTE[0], linewidth=1.6, label="bielle")
    ax.plot(run.time, 2 * np.cos(angle), color=PALETTE[1], linewidth=1.2, linestyle=(0, (4, 4)), label="equation in θ")
    ax.axhline(0.0, color=MUTED, linewidth=0.8)
    ax.text(20.0, 0.05, "singular", fontsize=8, color=MUTED, ha="right")
    ax.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="center left", bbox_to_anchor=(1.01, 0.5))
    finish(figure, "singular")


# -- live sessions


@picture
def live_cut():
    still(page("live", 2)["run"], "live_cut", traces=["lower"])


@picture
def live_closing():
    run = page("live")["docked"]
    dock = run["dock"]
    (start, _), end = dock.lifetimes[0], run.edits[-1].time
    relative = run["chaser"].orientation - run["station"].orientation
    panels = {
        "gap [m]": np.linalg.norm(run["probe"].position - run["port"].position, axis=1),
        "angle [rad]": relative,
        "work [J]": run.energy.closings["dock"],
    }
    figure = Figure(figsize=(7.6, 4.2), facecolor="white")
    figure.subplots_adjust(0.1, 0.11, 0.98, 0.98, hspace=0.16)
    for ax, (label, values), color in zip(figure.subplots(3, 1, sharex=True), panels.items(), PALETTE):
        dress(ax, ylabel=label)
        ax.axvspan(start, end, color=GRID, alpha=0.5, linewidth=0)
        ax.plot(run.time, values, color=color, linewidth=1.6)
    dress(ax, xlabel="time [s]")
    figure.align_ylabels()
    figure.axes[0].text(0.5 * (start + end), 0.9 * panels["gap [m]"].max(), "closing", fontsize=8.5, color=MUTED, ha="center")
    finish(figure, "live_closing")


# -- results, checking, examples


@picture
def slewing_crane():
    still(page("results", 1)["run"], "slewing_crane", traces=["sensor"])


@picture
def quantities():
    plotted(page("results", 1)["run"], "quantities", "load.position", "rope.force.norm", "slew drive", "energy.error")


@picture
def several_runs():
    runs = {name: page("results")[name] for name in ("idle", "loaded")}
    image = drawn(lambda path: bl.plot(runs, "motor", x="shaft.angle", path=path))
    write(image.resize((960, round(960 * image.height / image.width)), Image.Resampling.LANCZOS), "several_runs", 64)


@picture
def parallelogram():
    still(examples.get("parallelogram").build().simulate(1.2), "parallelogram", (840, 480))


# -- examples with events


def bare(ax, **limits):
    """Axes for a drawing to scale, without ticks."""
    ax.set(aspect="equal", **limits)
    ax.set_axis_off()
    return ax


@picture
def changing_pivot():
    run, swings = example("changing_pivot"), 4
    figure = Figure(figsize=(8.4, 2.6), facecolor="white")
    ax = bare(figure.add_axes((0, 0, 1, 1)), xlim=(-1.25, swings + 0.25), ylim=(-1.3, 0.42))
    ax.axhline(0.0, color="#c6ced8", linewidth=1.0, linestyle=(0, (4, 4)), zorder=0)
    ends = {"A": PALETTE[0], "B": PALETTE[1]}
    for k, segment in enumerate(run.segments[:swings]):
        free, pinned = ("B", "A") if k % 2 == 0 else ("A", "B")
        place = segment[pinned].position[0]
        ax.plot(*segment[free].position.T, color=ends[free], linewidth=1.2, alpha=0.7)
        for moment in np.linspace(segment.time[0], segment.time[-1], 10)[(k > 0) :]:  # the last of a swing is the first of the next
            i = int(np.abs(segment.time - moment).argmin())
            one, other = segment["A"].position[i], segment["B"].position[i]
            ax.plot(*np.array([one, other]).T, color="#8b96a3", linewidth=3, alpha=0.45, solid_capstyle="round")
            for name, spot in (("A", one), ("B", other)):
                ax.plot(*spot, "o", color=ends[name], markersize=8)
        way = np.array([-0.42, -0.91]), np.array([0.42, -0.91])
        ax.add_patch(
            FancyArrowPatch(
                *(place + 1.16 * w for w in way), connectionstyle="arc3,rad=0.22", arrowstyle="-|>", mutation_scale=12, color=ends[free]
            )
        )
        ax.plot(place[0], place[1] + 0.115, "v", color=INK, markersize=9)
        text = "A pinned at the start" if k == 0 else f"{run.edits[k - 1].time:.3f} s\n{pinned} pinned, {free} freed"
        ax.text(place[0], place[1] + 0.2, text, fontsize=8.5, color=INK, ha="center", va="bottom")
    ax.text(-1.0, 0.1, "B at rest", fontsize=8.5, color=ends["B"], ha="center", va="bottom")
    finish(figure, "example_changing_pivot")


def _from_above(ax, run, name, i, size, **style):
    """A body of the car as a rectangle; across the car are the third axis of a wheel, its axle, and the first of the chassis."""
    across = run[name].rotation[i][:2, 0 if name == "chassis" else 2]
    frame = np.column_stack([across, (-across[1], across[0])])
    corners = 0.5 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size
    ax.fill(*(run[name].position[i][:2] + corners @ frame.T).T, **style)


@picture
def lost_wheel():
    module, run = examples.get("lost_wheel"), example("lost_wheel")
    figure = Figure(figsize=(8.4, 4.7), facecolor="white")
    ax = bare(figure.add_axes((0.0, 0.0, 0.63, 1.0)), xlim=(-15.6, 8.0), ylim=(-7.4, 20.4))
    lost, failure, gone = module.LOST, run.edits[0].time, run.spans[-1]
    ax.plot(*run["chassis"].position[:, :2].T, color="#c6ced8", linewidth=1.2)
    ax.plot(*run[lost].position[gone][:, :2].T, color=PALETTE[3], linewidth=1.0)
    moments = [0.0, failure, failure + 1.0, failure + 2.0, failure + 4.0, failure + 6.0]
    for moment in moments:
        i = min(int(np.searchsorted(run.time, moment)), len(run.time) - 1)
        _from_above(ax, run, "chassis", i, module.SIZE[:2], facecolor="#dde4ec", edgecolor=MUTED, linewidth=0.8)
        for wheel in module.PLACES:
            colour = PALETTE[3] if wheel == lost else INK
            _from_above(ax, run, wheel, i, (2 * module.WIDTH, 2 * module.RADIUS), facecolor=colour, zorder=3)
            if wheel == lost and moment > failure:
                ax.plot(*run[wheel].position[i][:2], "o", markersize=13, markerfacecolor="none", markeredgecolor=PALETTE[3])
        ax.text(*(0.62 * run["chassis"].position[i][:2]), f"{moment:.1f} s", fontsize=8, color=MUTED, ha="center", va="center")
        if moment > failure:
            ax.annotate(
                f"{moment:.1f} s", run[lost].position[i][:2], (10, 8), textcoords="offset points", fontsize=8, color=PALETTE[3], va="center"
            )
    spot = run[lost].position[gone][0][:2]
    ax.annotate(
        f"{failure:.2f} s: the axle fails,\nthe motors stop",
        spot,
        spot + np.array([-1.6, 3.4]),
        fontsize=8.5,
        color=INK,
        arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.8},
    )
    ax.plot([-11.5, -6.5], [-6.6, -6.6], color=MUTED, linewidth=1.5)
    ax.text(-9.0, -6.4, "5 m", fontsize=8.5, color=MUTED, ha="center", va="bottom")
    time = run.time
    speed = dress(figure.add_axes((0.7, 0.585, 0.28, 0.345)), ylabel="speed of the wheel [rad/s]", xlim=(0, time[-1]))
    rate = np.abs(np.einsum("ni,ni->n", run[lost].angular_velocity, run[lost].rotation[:, :, 2]))
    speed.plot(time, rate, color=PALETTE[3], linewidth=1.5)
    speed.set(ylim=(0, 14), yticks=(0, 4, 8, 12))
    lean = dress(figure.add_axes((0.7, 0.12, 0.28, 0.345)), ylabel="its lean outwards [°]", xlabel="time [s]", xlim=(0, time[-1]))
    lean.plot(time, -np.degrees(np.arcsin(run[lost].rotation[:, 2, 2])), color=PALETTE[3], linewidth=1.2)
    for plot in (speed, lean):
        plot.axvline(failure, color=INK, linewidth=0.8, linestyle=(0, (4, 4)))
    finish(figure, "example_lost_wheel")


LABEL = {"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.85}


def _bridge(ax, module, segment, i):
    """The bridge in a sample of a segment: bars red if pulled, blue if pushed, with the part of what they can carry; dotted if gone."""
    for bar, length in module.LENGTH.items():
        ends = np.array([segment[bar].point((x, 0.0)).position[i] for x in (-0.5 * length, 0.5 * length)])
        pins = [f"{bar} at {node}" for node in module.BARS[bar]]
        if pins[0] not in segment:
            ax.plot(*ends.T, color=INK, linewidth=2, linestyle=(0, (1.5, 1.5)), zorder=2)
            continue
        start, end = (segment[pin].force(on=bar)[i] for pin in pins)
        used = float(np.copysign(max(np.linalg.norm(start), np.linalg.norm(end)) / module.STRENGTH, (end - start) @ (ends[1] - ends[0])))
        grey, full = np.array([0.78, 0.81, 0.85]), np.array([0.75, 0.13, 0.10] if used > 0 else [0.10, 0.32, 0.70])
        ax.plot(*ends.T, color=grey + (full - grey) * min(abs(used), 1.0), linewidth=4, solid_capstyle="round", zorder=2)
        if abs(used) > 0.15:
            middle = ends.mean(axis=0)
            strong = {"color": full, "fontsize": 9.5} if abs(used) > 0.999 else {"color": INK, "fontsize": 6.5}
            ax.text(*middle, f"{abs(100 * used):.0f} %", ha="center", va="center", bbox=LABEL, zorder=5, **strong)
    place, turn = segment["block"].position[i], segment["block"].angle[i]
    across = np.array([np.cos(turn), np.sin(turn)])
    corners = np.array([(-0.6, -0.4), (0.6, -0.4), (0.6, 0.4), (-0.6, 0.4)]) @ [across, (-across[1], across[0])]
    ax.plot(*np.array([place, segment[module.MIDDLE].position[i]]).T, color=MUTED, linewidth=1.2, zorder=1)
    ax.fill(*(place + corners).T, color=MUTED, zorder=1)
    ax.text(*place, "3 t", fontsize=7.5, color="white", ha="center", va="center", zorder=4)
    for node in module.NODES:
        ax.plot(*segment[node].position[i], "o", color="white", markeredgecolor=INK, markersize=4, zorder=3)


@picture
def breaking_bridge():
    """The bridge right before each of the things that happen to it."""
    module, run = examples.get("breaking_bridge"), example("breaking_bridge")
    captions = {
        "chord 2 at B2 broke": "a jack pulls at the block, more and more, until\nthe middle chord carries all it can: it breaks",
        "remove seat": "the bridge folds, its right end slides\nto the edge of its seat and falls off",
        "deck 1 at T0 broke": "everything swings about the left hinge;\na bar there is pulled to its limit and breaks",
        "down 1 at T0 broke": "the other one breaks too,\nand nothing holds the bridge any more",
    }
    figure = Figure(figsize=(8.4, 4.9), facecolor="white")
    steps = [(edit, segment) for edit, segment in zip(run.edits, run.segments) if edit.label in captions]
    for k, (edit, segment) in enumerate(steps):
        row, column = divmod(k, 2)
        bottom, height, low = ((0.66, 0.25, -3.3), (0.05, 0.48, -7.2))[row]
        ax = bare(figure.add_axes((0.5 * column, bottom, 0.5, height)), xlim=(-1.2, 13.2), ylim=(low, 0.5), anchor="N")
        right = module.NODES[module.RIGHT][0] - module.SEAT
        ax.fill([-1.2, 0, 0, -1.2], [-0.05, -0.05, -0.8, -1.1], color=GRID, zorder=0)
        ax.fill([right, 13.2, 13.2, right], [-0.05, -0.05, -1.1, -0.8], color=GRID, zorder=0)
        _bridge(ax, module, segment, -1)
        if "jack" in segment:
            tip = segment["block"].position[-1] - [0.0, 0.4]
            _arrow(ax, tip, tip - [0.0, 1.7], INK)
        caption = f"{k + 1}. {edit.time:.2f} s: {captions[edit.label]}"
        figure.text(0.5 * column + 0.02, bottom + height + 0.075, caption, fontsize=8.5, color=INK, va="top")
    key = "red: pulled, blue: pushed, in parts of what its pins can carry; dotted: broken out"
    figure.text(0.02, 0.015, key, fontsize=8.5, color=MUTED)
    finish(figure, "example_breaking_bridge", 128)


SHOWN = {"slider_crank": 2.0, "n_four_bar": 1.6, "four_bar": 1.2, "bricard": 2.0, "driven_crank": 0.5, "heavy_top": 2.0, "suspension": 1.0}
SHOWN |= {"robot_arm": 0.35, "stewart_platform": 0.5}
TRACED = {"four_bar": ["pen"], "heavy_top": ["top"], "rolling_disc": ["coin"], "robot_arm": ["tip"], "inverse_dynamics": ["tip"]}


@picture
def example_pictures():
    for name in examples.names():
        module = examples.get(name)
        if name == "parallelogram" or name.startswith("modular_") or hasattr(module, "play") or hasattr(module, "run"):
            continue
        run = module.build().simulate(SHOWN.get(name, module.DURATION), module.solver(), samples=1001)
        traces = TRACED.get(name)
        still(run, f"example_{name}", (760, 500), traces=traces)


# -- the course


def exercise(number):
    """The figures of an exercise of the course, in the style of the others."""
    import matplotlib.pyplot as plt

    from bielle.examples import course

    figures = course.get(number).plot()
    for figure in figures:
        for ax in figure.axes:
            dress(ax)
        plt.close(figure)
    return figures


@picture
def course_scissors():
    figure = exercise(12)[0]
    figure.set_size_inches(6.4, 5.8)
    finish(figure, "course_scissors")


@picture
def course_contact():
    figure = exercise(8)[0]
    figure.set_size_inches(7.6, 4.2)
    finish(figure, "course_contact")


@picture
def course_chain():
    figure = exercise(13)[0]
    figure.set_size_inches(6.4, 7.2)
    finish(figure, "course_chain", 128)


# -- modular


STYLE = {"explicit": PALETTE[3], "iterated": PALETTE[0]}


@picture
def modular_tip():
    """The thesis's figures VI-3 and VI-11: the tip at three steps; below, how far it is from the reference."""
    reference, runs = examples.get("double_pendulum").reference, page("modular", 2)["runs"]
    tip = examples.get("double_pendulum").tip
    figure = Figure(figsize=(8.8, 5.0), layout="constrained", facecolor="white")
    grid = figure.subplots(2, 3, sharey="row", gridspec_kw={"height_ratios": (1.35, 1.0)})
    for column, step in enumerate((1e-2, 1e-3, 1e-4)):
        path, error = dress(grid[0, column], xlabel="x [m]"), dress(grid[1, column], xlabel="time [s]", yscale="log", xlim=(0, 5))
        time = runs["iterated", step].time
        path.plot(*reference(time)[0].T, color="#c6ced8", linewidth=4.5, label="reference", solid_capstyle="round")
        for joints, color in STYLE.items():
            run = runs[joints, step]
            path.plot(*tip(run).T, color=color, linewidth=1.1, linestyle="-" if joints == "iterated" else (0, (5, 2)), label=joints)
            distance = np.linalg.norm(tip(run) - reference(run.time)[0], axis=1)
            error.plot(run.time[1:], np.maximum(distance[1:], 1e-12), color=color, linewidth=1.3)
        path.set_title(f"step {step:g} s", fontsize=9.5, color=INK)
        path.set(aspect="equal", xlim=(-2.1, 2.1), ylim=(-2.1, 0.6))
        error.set(ylim=(1e-11, 1))
    grid[0, 0].set_ylabel("y [m]", fontsize=9, color=MUTED)
    grid[1, 0].set_ylabel("off the reference [m]", fontsize=9, color=MUTED)
    grid[0, 0].legend(frameon=False, fontsize=8, labelcolor=INK, loc="upper left", ncols=3, handlelength=1.4, columnspacing=0.9)
    finish(figure, "modular_tip", 96)


@picture
def modular_gaps():
    """Figures VI-6 and VI-7: gaps of the two joints."""
    runs = page("modular", 2)["runs"]
    figure = Figure(figsize=(8.4, 3.2), layout="constrained", facecolor="white")
    for ax, joint in zip(figure.subplots(1, 2, sharey=True), ("pivot", "elbow")):
        dress(ax, xlabel="time [s]", yscale="log", xlim=(0, 5), ylim=(1e-17, 0.3))
        ax.set_title(f"gap of the {joint} [m]", fontsize=9.5, color=INK)
        for (joints, step), run in runs.items():
            upper, lower = run["upper"], run["lower"]
            gap = upper.point((0, 0)).position if joint == "pivot" else upper.point((1, 0)).position - lower.point((0, 0)).position
            shade = {1e-2: 1.0, 1e-3: 0.7, 1e-4: 0.45}[step]
            ax.plot(run.time, np.maximum(np.linalg.norm(gap, axis=1), 1e-17), color=STYLE[joints], alpha=shade, linewidth=1.1)
            if joints == "explicit":
                ax.text(1.65, 25 * step**2, f"explicit, {step:g} s", fontsize=8, color=STYLE[joints], ha="center", va="bottom")
        ax.text(4.95, 3e-12, "iterated, all three steps", fontsize=8, color=STYLE["iterated"], ha="right", va="bottom")
        ax.axhline(1e-10, color=INK, linewidth=0.8, linestyle=(0, (4, 4)))
        ax.text(0.1, 2e-10, "tolerance", fontsize=8, color=INK, va="bottom")
    finish(figure, "modular_gaps", 96)


@picture
def modular_energy():
    """Figure VI-10: energy of the bodies, which explicit joints take; from two starts."""
    module = examples.get("modular_double_pendulum")
    figure = Figure(figsize=(8.4, 3.2), layout="constrained", facecolor="white")
    starts = {"one rod level, one hanging": (0.0, -np.pi / 2), "π/10 off the vertical, stretched out": module.GENTLE}
    for ax, (title, angles) in zip(figure.subplots(1, 2), starts.items()):
        dress(ax, xlabel="time [s]", xlim=(0, 30))
        ax.set_title(title, fontsize=9.5, color=INK)
        for joints, color in STYLE.items():
            for step, width in ((2e-3, 0.8), (1e-3, 1.6)):
                run = module.double_pendulum.build(angles=angles).simulate(30.0, module.scheme(joints, step), samples=1501)
                energy = run.energy
                change = 100.0 * (energy.mechanical - energy.mechanical[0]) / energy.scale
                ax.plot(run.time, change, color=color, linewidth=width, label=f"{joints}, {step:g} s")
    figure.axes[0].set_ylabel("change of the bodies' energy [%]", fontsize=9, color=MUTED)
    figure.axes[1].legend(frameon=False, fontsize=8, labelcolor=INK, loc="center")
    finish(figure, "modular_energy", 96)


@picture
def modular_iterations():
    scope = page("modular", 6)
    figure, ax = axes(6.0, 3.0, xlabel="rods between two walls", ylabel="iterations, on average", xscale="log", yscale="log")
    for (exchange, sizes), color in zip(scope["exchanges"].items(), (PALETTE[0], PALETTE[2], PALETTE[3])):
        ax.plot(sizes, scope["iterations"][exchange], "o-", color=color, linewidth=1.5, markersize=5, label=exchange)
    ax.set_xticks((4, 8, 16, 32, 64), ("4", "8", "16", "32", "64"))
    ax.set(ylim=(1, 5000))
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize=8.5, labelcolor=INK)
    finish(figure, "modular_iterations")


# -- live sessions: a panel for each stretch between two edits


def stretches(name, panels, columns, size, *, count=8, traces=(), marks=(), names=()):
    """Panels (caption, from, to [s]) of a live example, each with a few moments on top of each other.

    marks  (panel, place, text, where the text is from there [points]): what is cut or joined
    names  bodies whose names are written in their colours
    """
    whole = replace(scene(example(name), traces), title="")
    rows, margin = -(-len(panels) // columns), 26
    figure = Figure(figsize=(columns * size[0] / 125, rows * (size[1] + margin) / 125), facecolor="white")
    for i, (caption, start, end) in enumerate(panels):
        row, column = divmod(i, columns)
        height = size[1] / (size[1] + margin) / rows
        ax = figure.add_axes((column / columns + 0.004, 1 - (row + 1) / rows + 0.004, 1 / columns - 0.008, height))
        draw_strobe(whole, start, end - 1e-6, count, ax)  # before the edit at the end
        ax.tick_params(labelleft=False, labelbottom=False)
        for text in ax.texts:
            text.set_visible(False)  # the clock: the caption tells
        figure.text(column / columns + 0.006, 1 - (row + 0.015) / rows, f"{i + 1}. {caption}", va="top", fontsize=8.5, color=INK)
        for _, place, text, offset in (mark for mark in marks if mark[0] == i):
            ax.plot(*place, "o", markersize=10, markerfacecolor="none", markeredgecolor=RED, markeredgewidth=1.5, zorder=6)
            ax.annotate(
                text, place, offset, textcoords="offset points", fontsize=8, color=RED, ha="center", va="center", bbox=PAPER, zorder=6
            )
        for k, body in enumerate(names if i == 0 else ()):  # which is which, by their colours
            color = next(c for b, c in zip(whole.bodies, whole.colors()) if b.name == body)
            ax.text(0.06 + 0.08 * k, 0.92, body, transform=ax.transAxes, fontsize=10, weight="bold", color=color)
    finish(figure, f"example_{name}", 128)


def cut_place(run, joint):
    """Where a joint is when it is removed."""
    before = run.segments[[edit.label for edit in run.edits].index(f"remove {joint}")]
    return before[joint].positions[-1, 0]


@picture
def interactive_pendulum():
    module, run = examples.get("interactive_pendulum"), example("interactive_pendulum")
    one, two, end = module.ELBOW_CUT, module.PIVOT_CUT, module.DURATION
    panels = [
        (f"0 to {one:g} s: it swings", 0.0, one),
        (f"to {two:g} s: one rod flies, one swings", one, two),
        (f"to {end:g} s: both fly", two, end),
    ]
    marks = [(0, cut_place(run, "elbow"), "cut", (22, -4)), (1, cut_place(run, "pivot"), "cut", (0, 16))]
    stretches("interactive_pendulum", panels, 3, (330, 250), traces=[("lower", (0, 0)), ("upper", (0, 0))], marks=marks)


@picture
def cut_chain():
    module, run = examples.get("cut_chain"), example("cut_chain")
    times = list(module.CUTS.values())
    panels = [
        (f"0 to {times[-1]:g} s: it swings down, and {len(times)} links are cut off, one by one", 0.0, times[-1]),
        (f"to {module.DURATION:g} s: these fly, each on its parabola; three links swing on", times[-1], module.DURATION),
    ]
    marks = [(0, cut_place(run, hinge), f"{time:g} s", (36, -3)) for hinge, time in module.CUTS.items()]
    traces = [(hinge.replace("hinge", "link"), (0, 0)) for hinge in module.CUTS]
    stretches("cut_chain", panels, 1, (860, 330), count=6, traces=traces, marks=marks)


@picture
def crane_at_work():
    module, run = examples.get("crane"), example("crane")
    landed = {barrel: run[f"fix {barrel}"].lifetimes[0][0] for barrel in module.BARRELS}
    how = ("taken up gently from a standing hook", "caught with a jerk in passing", "taken along gently in passing")
    starts = [0.0, *landed.values()]
    panels = [
        (f"{start:.3g} to {end:.3g} s: {barrel}, {way}, carried and let go", start, end)
        for (barrel, end), start, way in zip(landed.items(), starts, how)
    ]
    marks = []
    for i, barrel in enumerate(module.BARRELS):
        for time, text, offset in ((module.PICKED[barrel], "taken", (-30, 12)), (module.DROPPED[barrel], "let go", (30, 12))):
            marks.append((i, run.at(time)["hook"].position[0], text, offset))
    traces = [(barrel, (0, 0)) for barrel in module.BARRELS]
    stretches("crane", panels, 1, (860, 290), count=9, traces=traces, marks=marks)


@picture
def modular_robot():
    run = example("modular_robot")
    at = {edit.label: edit.time for edit in run.edits}
    end = run.time[-1]
    panels = [
        ("0 s: snake a-b-c-d-e-f", 0.0, 0.02),
        (f"{at['dock f-a']:.1f} s: nearly a ring", at["ring"], at["dock f-a"]),
        (f"{at['remove c-d']:.1f} s: f has docked to a", at["remove c-d"] - 0.02, at["remove c-d"]),
        (f"{at['square']:.1f} s: snake d-e-f-a-b-c", at["stretch"], at["square"]),
        (f"{at['dock e-c']:.1f} s: the tail folds", at["square"], at["dock e-c"]),
        (f"{at['remove a-b']:.1f} s: c has docked to e", at["square"], at["remove a-b"]),
        (f"{at['tripod']:.1f} s: star", at["star"], at["tripod"]),
        (f"{end:.1f} s: tripod", at["tripod"], end),
    ]
    stretches("modular_robot", panels, 4, (240, 180), count=1, names="abcdef")


@picture
def robot_closes_a_loop():
    module, run = examples.get("robot_closes_a_loop"), example("robot_closes_a_loop")
    closed = next(edit.time for edit in run.edits if edit.label == "closed elbow")
    panels = [
        (f"0 to {module.CUT:g} s: it is thrown", 0.0, module.CUT),
        (f"to {module.JOINED:g} s: the forearm flies", module.CUT, module.JOINED),
        (f"to {closed:.2f} s: the elbow closes", module.JOINED, closed),
        (f"to {module.DURATION:g} s: the hand on its rail", module.GRIPPED + module.STOPPED, module.DURATION),
    ]
    stretches("robot_closes_a_loop", panels, 4, (240, 240), count=6, traces=[("lower", module.HAND)])


def main(names):
    IMAGES.mkdir(exist_ok=True)
    unknown = set(names) - set(MAKERS)
    if unknown:
        sys.exit(f"no such pictures: {', '.join(sorted(unknown))}; there are {', '.join(MAKERS)}")
    for name, maker in MAKERS.items():
        if not names or name in names:
            maker()


if __name__ == "__main__":
    main(sys.argv[1:])
