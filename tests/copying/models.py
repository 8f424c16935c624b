"""Mechanisms and what they give, with functions of the user that another process can import."""

import bielle as bl


def push(t):
    return 0.3 * t


def drag(t, view):
    return -0.2 * view.velocity


@bl.compiled
def turn(t):
    return 0.1 * t * t


def pendulum():
    """Two rods with springs and dampers, with Python functions, compiled functions and tables in them."""
    m = bl.Mechanism(plane="xy", name="pendulum")
    m.add_body("upper", bl.rod((0, 0), (1, 0), mass=1.0))
    m.add_body("lower", bl.rod((1, 0), (2, 0), mass=0.5), coordinates="bar")
    m.add_joint("pivot", bl.Pin(), m.ground, "upper", at=(0, 0))
    m.add_joint("elbow", bl.Pin(), "upper", "lower", at=(1, 0))
    m.add_force("spring", bl.Spring(stiffness=20.0, damping=0.1), m.ground, "lower", at_a=(1, 1), at_b=(2, 0))
    m.add_force("push", bl.Torque(push), "upper")
    m.add_force("turn", bl.Torque(turn), "upper")
    m.add_force("bent", bl.Torque(bl.Table(x=(0, 1, 2), y=(0, 0.3, 0.1))), "lower")
    m.add_force("sum", bl.Torque(bl.Function(push) * bl.Harmonic(1.0, 2.0) + 2.0 * bl.Function(push) + turn), "lower")
    m.add_force("drag", bl.CallableForce(drag), "lower", at=(2, 0))
    return m


def arm():
    """In space, with a loop to close."""
    m = bl.Mechanism()
    m.add_body("upper", bl.box((0.1, 0.1, 1.0), mass=2.0))
    m.add_body("lower", bl.box((0.1, 0.1, 1.0), mass=1.0), position=(0, 0, -1))
    m.add_joint("shoulder", bl.Revolute(axis="y"), m.ground, "upper", at=(0, 0, 0.5))
    m.add_joint("elbow", bl.Spherical(), "upper", "lower", at=(0, 0, -0.5))
    m.add_joint("line", bl.Distance(), m.ground, "lower", at_a=(1, 0, 0), at_b=(0, 0, -1.5))
    m.add_frame("hand", "lower", (0, 0, -1.5))
    return m


def session():
    """Edits, an event, a joint that closes gently."""
    live = pendulum().live(record=0.05)
    live.advance(0.2)
    live.remove("elbow")
    live.when("upper.angle", below=-0.4, name="low")
    live.advance(0.1)
    live.add_joint("elbow", bl.Pin(), "upper", "lower", at_a=(1, 0), at_b=(1, 0), over=0.2)
    live.advance(0.1)
    return live


def everything_of(run):
    """Numbers of all components, their energies and how well joints are closed."""
    found = {"t": run.time, "balance": run.energy.balance, "violation": run.violation}
    for name in run.names():
        component = run[name]
        for quantity in component.named:
            value = getattr(component, quantity)
            found[f"{name}.{quantity}"] = value() if callable(value) else value
    return found
