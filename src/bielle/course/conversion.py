"""From a course model to a mechanism of bielle.

In the course θ turns from Z to X. A planar mechanism in the plane 'xz' has the same x and z, and counts angles from x to z: angles,
angular velocities and moments change their sign, and nothing else does.
"""

from ..errors import DescriptionError
from ..mechanism.description import GROUND
from ..mechanism.mechanism import Mechanism
from ..mechanism.shapes import rigid
from .own import own_interactions, own_solids

__all__ = ["Names", "refuse_own", "to_mechanism"]


class Names:
    """What the components of a model are called in its mechanism: there, solids, frames and interactions share their names.

    A solid and an interaction have their tags, if these are not taken already; a frame is '<solid> <frame>'.
    """

    def __init__(self, model):
        taken = {GROUND}

        def new(name):
            while name in taken:
                name += "'"
            taken.add(name)
            return name

        self.solids = {tag: new(str(tag)) for tag in model.solids}
        self.interactions = {tag: new(str(tag)) for tag in model.interactions}
        self.frames = {(tag, key): new(f"{self.solids[tag]} {key}") for tag, solid in model.solids.items() for key in solid.frames}
        self.angles = {tag: new(f"angle of {name}") for tag, name in self.interactions.items()}  # second joints: see Interaction.literally


def refuse_own(model):
    """Refuse what a mechanism cannot have."""
    for what, own in (
        ("interaction {} has methods", own_interactions(model)),
        ("solid {} has a mass matrix or a weight", own_solids(model)),
    ):
        if own:
            listed = what.format(", ".join(f"'{tag}'" for tag in own))
            raise DescriptionError(f"The {listed} of your own, which only the course's own loop can use. Leave it out of the model.")


def to_mechanism(model, names=None, literally=False):
    """The same solids, frames and interactions as a planar :class:`bielle.Mechanism` at its start; the model must be built.

    Functions of time stay Python functions, so that a mechanism with a Force, Moment or Motion_1s cannot be written to a file.
    literally: with the equations of the course also where they do not hold, see :mod:`bielle.course.joints`.
    """
    names = names or Names(model)
    m = Mechanism(gravity=(0.0, -float(model.param.g)), plane="xz")
    for tag, solid in model.solids.items():
        points = dict.fromkeys(tuple(frame.position) for frame in solid.frames.values())  # each once: G, and those that are elsewhere
        m.add_body(
            names.solids[tag],
            rigid(float(solid.m), (0.0, 0.0), float(solid.iy), points=list(points) if len(points) > 1 else ()),
            position=solid.q_t0[:2],
            orientation=-float(solid.q_t0[2]),
            velocity=solid.dq_t0[:2],
            angular_velocity=-float(solid.dq_t0[2]),
            color=_colour(solid.color),
        )
        for key, frame in solid.frames.items():
            m.add_frame(names.frames[tag, key], names.solids[tag], local=frame.position, orientation=-float(frame.theta))
    for tag, interaction in model.interactions.items():
        tags_S, tags_F = (x if isinstance(x, list) else [x] for x in (interaction.tag_S, interaction.tag_F))
        ends = [names.frames[end] for end in zip(tags_S, tags_F)]
        try:
            if literally:
                interaction.literally(m, names.interactions[tag], names.angles[tag], ends)
            else:
                interaction.into(m, names.interactions[tag], ends)
        except DescriptionError as error:
            raise DescriptionError(f"Interaction '{tag}': {error}") from None
    return m


def _colour(color):
    """'#rrggbb' from what matplotlib takes."""
    if isinstance(color, str):
        return color if color.startswith("#") else None
    return "#" + "".join(f"{round(255 * min(max(float(c), 0.0), 1.0)):02x}" for c in color[:3])
