"""Random trees, and states of theirs."""

import numpy as np

import bielle as bl

SPATIAL = (
    bl.Revolute(axis=(1.0, -2.0, 2.0)),
    bl.Prismatic(axis=(0.0, 3.0, 4.0)),
    bl.Cylindrical(axis="x"),
    bl.Universal(axis_a="x", axis_b=(0.0, 1.0, 1.0)),
    bl.Spherical(),
    bl.Fixed(),
    bl.Helical(axis=(2.0, 1.0, -2.0), pitch=1.5),
    bl.Planar(axis=(0.0, 1.0, 1.0)),
)
PLANAR = (bl.Pin(), bl.Slider(direction=0.7), bl.Rigid())


def tree(seed, dim=3, count=7, forwards=False):
    """A random tree: bodies hang on the ground, on each other, or on nothing. forwards: body a of every joint is nearer to the ground."""
    rng = np.random.default_rng(seed)
    m = bl.Mechanism(gravity=3 * rng.normal(size=dim), plane="xy" if dim == 2 else None)
    names = ["ground", None]
    for i in range(count):
        position = rng.normal(size=dim)
        orientation = float(rng.normal()) if dim == 2 else rng.normal(size=4)
        m.add_body(
            f"b{i}", bl.box(rng.uniform(0.2, 1.0, size=dim), mass=float(rng.uniform(0.5, 2.0))), position=position, orientation=orientation
        )
        parent = names[rng.integers(len(names))]
        if parent is not None:
            kinds = SPATIAL if dim == 3 else PLANAR
            ends = (parent, f"b{i}") if forwards or rng.random() < 0.5 else (f"b{i}", parent)
            m.add_joint(f"j{i}", kinds[rng.integers(len(kinds))], *ends, at=position + 0.3 * rng.normal(size=dim))
        names.append(f"b{i}")
    return m


def state(model, seed):
    rng = np.random.default_rng(seed)
    q, v = model.neutral() + 0.3 * rng.normal(size=model.nq), rng.normal(size=model.nv)
    return q, v, rng.normal(size=model.nv)
