"""Timelines built by hand: simulate for a while, describe the mechanism anew where it has come to, change it, go on."""

import msgspec

import bielle as bl
from bielle.results.timeline import EditRecord, Segment, Timeline


def arm(**options):
    """A double pendulum."""
    m = bl.Mechanism(plane="xy", name="arm", **options)
    m.add_body("upper", bl.rod((0.0, 0.0), (1.0, 0.0), mass=1.0))
    m.add_body("lower", bl.rod((1.0, 0.0), (2.0, 0.0), mass=1.0))
    m.add_joint("shoulder", bl.Pin(), m.ground, "upper", at_a=(0.0, 0.0), at_b=(-0.5, 0.0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at_a=(0.5, 0.0), at_b=(-0.5, 0.0))
    m.add_frame("hand", "lower", local=(0.5, 0.0))
    return m


def restated(run):
    """The mechanism of a run with its bodies where the run left them."""
    m = run.mechanism.copy()
    for name, body in m.bodies.items():
        own = run[name]
        values = {key: getattr(own, key)[-1] for key in ("position", "velocity", "orientation", "angular_velocity")}
        m.bodies[name] = msgspec.structs.replace(body, **{k: float(v) if v.ndim == 0 else tuple(v.tolist()) for k, v in values.items()})
    return m


class Session:
    """A timeline in the making."""

    def __init__(self, m, duration, samples=41, **options):
        self.options = options
        self.segments = [m.simulate(duration, samples=samples, **options)]
        self.edits = []

    def edit(self, label, change, duration=0.0, samples=41):
        """Change the mechanism and go on for a while; zero: only the state right after the edit is kept."""
        last = self.segments[-1]
        m = restated(last)
        change(m)
        run = m.simulate(duration or 1e-3, samples=samples if duration else 2, **self.options)
        data = dict(run.samples) if duration else {name: array[:1] for name, array in run.samples.items()}
        data["t"] = data["t"] + last.time[-1]
        data["work"] = data["work"] + last.samples["work"][-1, :3]
        self.segments.append(Segment(run.mechanism, run.model, data))
        self.edits.append(EditRecord(float(last.time[-1]), label, label.partition(" ")[0]))
        return self

    def timeline(self, **info):
        return Timeline(self.segments, edits=self.edits, info=info)


def without(*names):
    """A change that removes components."""

    def change(m):
        for name in names:
            m.remove(name)

    return change


def eventful(**options):
    """Cut at the elbow, a ball on a spring added, the shoulder welded, a heavier arm, everything removed."""

    def ball(m):
        m.add_body("ball", bl.sphere(0.1, mass=0.5), position=(-0.8, 0.5))
        m.add_force("spring", bl.Spring(stiffness=30.0, damping=0.2, length=0.3), m.ground, "ball", at_a=(-0.8, 1.0), at_b=(0.0, 0.0))

    def weld(m):
        m.remove("shoulder")
        m.add_joint("shoulder", bl.Rigid(), m.ground, "upper", at=(0.0, 0.0))

    def heavier(m):
        m.bodies["ball"] = msgspec.structs.replace(m.bodies["ball"], shape=bl.sphere(0.2, mass=2.0))

    session = Session(arm(), 0.8, **options)
    session.edit("cut elbow", without("elbow"), 0.4)
    session.edit("add ball", ball)
    session.edit("weld shoulder", weld, 0.5)
    session.edit("heavier ball", heavier, 0.7)
    session.edit("remove lower", without("hand", "lower"), 0.4)
    session.edit("clear", without("spring", "ball", "shoulder", "upper"), 0.2)
    return session.timeline(solver="by hand", status="finished")
