"""From a planar mechanism of bielle to a course model, where the course has what it consists of; see :mod:`bielle.course.conversion`."""

import numpy as np

from ..errors import DescriptionError
from ..forces import PlaneContact, PointForce, Spring, Torque
from ..joints import Distance, Pin, PinInSlot, Rigid, Slider
from ..mechanism.description import GROUND
from ..mechanism.vectors import lifted

__all__ = ["from_mechanism"]


def from_mechanism(m):
    """A course model of a planar mechanism, of whose joints and forces those are possible that the course has."""
    from .model import Model

    if not m.planar:
        raise DescriptionError("The course is planar, but this mechanism is spatial. Describe it in a plane first (Mechanism(plane='xz')).")
    gx, gz = m.gravity
    if gx != 0.0:
        raise DescriptionError(f"The course has gravity along −Z only, but that of the mechanism is {m.gravity}. Make it (0, −g).")
    model = Model()
    model.param.g = -gz
    for name, body in m.bodies.items():
        p, (pose, twist) = body.shape.mass_properties(), (m.pose(name), m.twist(name))
        centre, theta = pose.point(p.centre), -_angle(pose)
        arm = centre - pose.position
        velocity = twist.linear + np.cross(twist.angular, arm)
        X = np.array([np.cos(theta), -np.sin(theta)])
        model.add_solid(name, name, float(p.mass), float(p.inertia[2, 2]), centre[:2], X, velocity[:2], -float(twist.angular[2]))
    for name, frame in m.frames.items():
        if frame.body != GROUND:
            pose = m.pose(frame.body)
            turned = _angle(pose) + frame.orientation
            model.add_frame(frame.body, name, name, pose.point(lifted(frame.position))[:2], (np.cos(turned), np.sin(turned)))
    for name, component in {**m.joints, **m.forces}.items():
        make = _BACK.get(type(component.kind))
        if make is None:
            known = ", ".join(sorted(kind.__name__ for kind in _BACK))
            raise DescriptionError(
                f"'{name}' is {type(component.kind).__name__}, which the course does not have. It has counterparts of {known}."
            )
        make(model, name, component, _Ends(model, m, component, name))
    return model


def _angle(pose):
    return float(np.arctan2(pose.rotation[1, 0], pose.rotation[0, 0]))


class _Ends:
    """The two sides of a component as solids and frames, which are made where there are none."""

    def __init__(self, model, m, component, name):
        self.name, self.tags, self.points, self.axes = name, [], [], []
        for side, marker in zip("ab", m.markers(component)):
            world, axes = marker.world[:2], marker.axes
            self.points.append(world)
            self.axes.append(axes[:2, 0])
            if marker.body == GROUND:
                self.tags.append((GROUND, None))
                continue
            tag = f"{name} {side}"
            model.add_frame(marker.body, tag, tag, world, axes[:2, 0])
            self.tags.append((marker.body, tag))

    def fixed(self):
        """(solid, frame, point of the Galilean frame) if one side is the ground, or None."""
        grounded = [i for i, (solid, _) in enumerate(self.tags) if solid == GROUND]
        if not grounded:
            return None
        (i,) = grounded
        return *self.tags[1 - i], self.points[i]

    def two(self, order=(0, 1)):
        """Keywords of an interaction between two solids."""
        if self.fixed() is not None:
            raise DescriptionError(
                f"'{self.name}': the course has this joint between two solids only, and one side is the ground. Use a hinge."
            )
        return {"tag_S": [self.tags[i][0] for i in order], "tag_F": [self.tags[i][1] for i in order]}


def _fixed_or_two(kind_2s, kind_1s):
    def make(model, name, component, ends, **more):
        fixed = ends.fixed()
        if fixed is None:
            model.add_interaction(kind_2s, name, **ends.two(), **more)
        else:
            solid, frame, point = fixed
            model.add_interaction(kind_1s, name, tag_S=solid, tag_F=frame, P_Gal=point, **more)

    return make


def _spring(model, name, component, ends):
    kind = component.kind
    if kind.characteristic is not None or kind.damper is not None or kind.preload:
        raise DescriptionError(f"'{name}': the course has springs with k, c and L0 only. Leave out characteristic, damper and preload.")
    length = float(np.linalg.norm(ends.points[1] - ends.points[0])) if kind.length is None else kind.length
    _fixed_or_two("SpringDashpot_2s", "SpringDashpot_1sFix")(model, name, component, ends, k=kind.stiffness, c=kind.damping, L0=length)


def _line(kind_2s):
    def make(model, name, component, ends):
        direction = component.kind.axis_vector(name)
        solid, frame = ends.tags[0]
        if solid == GROUND:
            ends.two()
        turned = np.array([[ends.axes[0][0], -ends.axes[0][1]], [ends.axes[0][1], ends.axes[0][0]]]) @ direction[:2]
        del model.solids[solid].frames[frame]
        model.add_frame(solid, frame, frame, ends.points[0], turned)
        model.add_interaction(kind_2s, name, **ends.two((1, 0)))  # the line belongs to b in the course, and to a here

    return make


def _force(model, name, component, ends):
    (solid, frame), (x, z) = ends.tags[0], component.kind.force
    model.add_interaction("Force", name, tag_S=solid, tag_F=frame, fun=lambda t: [x(t), z(t)], axes=component.kind.axes)


def _moment(model, name, component, ends):
    if len(ends.tags) > 1:
        raise DescriptionError(f"'{name}': the course has moments on one solid only. Give it one body.")
    torque = component.kind.torque
    model.add_interaction("Moment", name, tag_S=ends.tags[0][0], fun=lambda t: -torque(t))


def _contact(model, name, component, ends):
    kind, fixed = component.kind, ends.fixed()
    if fixed is None or ends.tags[0][0] != GROUND or not np.allclose(kind._normal(2)[:2], (0.0, 1.0)):
        raise DescriptionError(f"'{name}': the course has contact of a point with flat ground only: a the ground, the normal upwards.")
    solid, frame, point = fixed
    model.add_interaction("Contact", name, tag_S=solid, tag_F=frame, z0=float(point[1]) + kind.height, k=kind.stiffness, c=kind.damping)


_BACK = {
    Pin: _fixed_or_two("Hinge_2s", "Hinge_1sFix"),
    Distance: lambda model, name, component, ends: model.add_interaction("Distance_2s", name, **ends.two(), L=component.kind.length),
    PinInSlot: _line("PointOnLine_2s"),
    Slider: _line("Slider_2s"),
    Rigid: lambda model, name, component, ends: model.add_interaction("Rigid_2s", name, **ends.two()),
    Spring: _spring,
    PointForce: _force,
    Torque: _moment,
    PlaneContact: _contact,
}
