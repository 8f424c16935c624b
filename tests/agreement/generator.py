"""Random mechanisms, and random edits of them; everything follows from a seed.

Sizes are from 1 μm to 1000 km, masses from 10⁻⁶ to 10⁶ kg, radii of rods from a tenth to 10⁻⁵ of their length. Time is counted in
√(size/g), in which things fall by about their size.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import bielle as bl

G = 9.81
COORDINATES = {2: ("planar", "bar"), 3: ("spatial", "natural")}
OTHERS = {2: (bl.PinInSlot(direction="x"),), 3: (bl.Spherical(), bl.PointOnLine(axis="x"), bl.PointOnPlane())}
HINGES = (bl.Pin, bl.Revolute)


@dataclass
class Case:
    """A mechanism, its size and pace, and what is done to it on the way."""

    seed: int
    m: bl.Mechanism
    size: float  #: [m]
    time: float  #: [s] in which it falls by about its size
    edits: list[tuple[str, Callable]] = field(default_factory=list)  #: in words, and what is called with the session
    span: float = 1.0  #: how long it shall run, in terms of the time

    def __str__(self) -> str:
        masses = [b.shape.mass_properties().mass for b in self.m.bodies.values()]
        return (
            f"seed {self.seed}: {self.m.dim}D, {len(masses)} bodies of {min(masses):.1e} … {max(masses):.1e} kg, "
            f"{len(self.m.joints)} joints, {len(self.m.forces)} forces, size {self.size:.1e} m"
        )


class Chance:
    """Random numbers in the forms the library takes."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.dim = int(self.rng.integers(2, 4))

    def pick(self, things):
        things = list(things)
        return things[self.rng.integers(len(things))]

    def often(self, probability):
        return self.rng.random() < probability

    def decades(self, low, high):
        return float(10 ** self.rng.uniform(low, high))

    def vector(self, size=1.0):
        """Plain numbers, so that a description can be printed and read again."""
        return tuple(float(x) for x in size * self.rng.normal(size=self.dim))

    def direction(self):
        v = np.array(self.vector())
        return v / np.linalg.norm(v)

    def orientation(self):
        return float(self.rng.uniform(-3, 3)) if self.dim == 2 else tuple(self.rng.normal(size=4))

    def kind(self, size):
        """Of a joint."""
        d = tuple(self.direction().tolist())
        if self.dim == 2:
            kinds = [bl.Pin(), bl.Pin(), bl.Pin(), bl.Slider(direction=d), bl.PinInSlot(direction=d), bl.Rigid()]
            return kinds[self.rng.choice(6, p=(0.3, 0.2, 0.2, 0.12, 0.12, 0.06))]
        across = np.cross(d, self.direction())
        kinds = [
            bl.Revolute(axis=d),
            bl.Spherical(),
            bl.Universal(axis_a=d, axis_b=tuple(across / np.linalg.norm(across))),
            bl.Cylindrical(axis=d),
            bl.Prismatic(axis=d),
            bl.Helical(axis=d, pitch=0.3 * size),
            bl.Planar(axis=d),
            bl.PointOnLine(axis=d),
            bl.PointOnPlane(axis=d),
            bl.Fixed(),
        ]
        return kinds[self.rng.choice(10, p=(0.35, 0.2, 0.1, 0.08, 0.07, 0.04, 0.04, 0.04, 0.04, 0.04))]


def inertia_of(m, name):
    """The smallest mass and moment of inertia of a body; nothing binds the ground."""
    if name == "ground":
        return np.inf, np.inf
    p = m.bodies[name].shape.mass_properties()
    return p.mass, float(np.linalg.eigvalsh(np.atleast_2d(p.inertia)).min())


class Builder:
    """Puts a mechanism together: bodies that hang on others or the ground where they are described, joints that close loops, forces."""

    def __init__(self, seed: int) -> None:
        c = self.chance = Chance(seed)
        self.size = c.decades(-6, 6) if c.often(0.5) else c.decades(-1, 1)
        self.time = float(np.sqrt(self.size / G))
        self.spread = c.pick((0.0, 0.5, 1.0, 3.0))  # decades of lengths within the mechanism
        self.masses = c.pick((1.0, 4.0, 12.0))
        self.middle = c.decades(-6 + self.masses / 2, 6 - self.masses / 2)
        self.slenderness = c.pick((0.0, 2.0, 4.0))
        down = G * (c.direction() if c.often(0.8) else np.zeros(c.dim))
        self.m = bl.Mechanism(gravity=tuple(down), plane="xy" if c.dim == 2 else None)
        self.ends = {"ground": np.zeros(c.dim)}
        self.lengths = {"ground": self.size}
        self.freedom = 0
        for i in range(int(c.rng.integers(1, 7))):
            self.hang(f"b{i}")
        if c.often(0.5):
            self.close()
        for i in range(int(c.rng.integers(0, 3))):
            self.force(f"f{i}")

    def hang(self, name):
        c, m = self.chance, self.m
        parent = c.pick(self.ends) if c.often(0.4) else [*self.ends][-1]
        length = self.size * c.decades(-self.spread, 0)
        mass = self.middle * c.decades(-self.masses / 2, self.masses / 2)
        start = self.ends[parent]
        end = start + length * c.direction()
        motion = {}
        if c.often(0.4):
            turn = c.rng.normal(size=1 if c.dim == 2 else 3) / self.time
            motion["angular_velocity"] = float(turn[0]) if c.dim == 2 else tuple(turn)
        motion["coordinates"] = c.pick(COORDINATES[c.dim])
        if c.often(0.6):
            thick = {"radius": length * c.decades(-1 - self.slenderness, -1)} if c.dim == 3 else {}
            rod = bl.rod(tuple(start), tuple(end), mass=mass, **thick)
            try:
                m.add_body(name, rod, **motion)
            except bl.errors.DescriptionError:  # too thin for natural coordinates
                m.add_body(name, rod, **motion | {"coordinates": "spatial"})
        else:
            sides = length * c.rng.uniform(0.2, 1.0, c.dim)
            shape = c.pick([bl.box(tuple(sides), mass=mass), bl.sphere(0.4 * length, mass=mass)])
            where = start + c.rng.uniform(0.0, 1.0) * (end - start)
            m.add_body(name, shape, position=tuple(where), orientation=c.orientation(), **motion)
        kind = c.kind(length)
        self.freedom += 3 * (c.dim - 1)
        if c.often(0.95):
            m.add_joint(f"j{len(m.joints)}", kind, parent, name, at=tuple(start))
            self.freedom -= kind.equations
        self.ends[name], self.lengths[name] = end, length

    def close(self):
        """A joint between what is there already, if it leaves some freedom."""
        c, m = self.chance, self.m
        pairs = [(a, b) for a in self.ends for b in m.bodies if a != b and not any({j.a, j.b} == {a, b} for j in m.joints.values())]
        if not pairs:
            return
        a, b = c.pick(pairs)
        kind = bl.Distance() if c.often(0.4) else (bl.Pin() if c.dim == 2 else bl.Spherical()) if c.often(0.7) else c.kind(self.size)
        if self.freedom - kind.equations < 1:
            return
        self.freedom -= kind.equations
        if isinstance(kind, bl.Distance):
            at_a, at_b = (c.vector(0.3 * self.lengths[n]) for n in (a, b))
            m.add_joint("loop", kind, a, b, at_a=at_a, at_b=at_b)
        else:
            m.add_joint("loop", kind, a, b, at=tuple(self.ends[b]))

    def spring(self, a, b):
        """As stiff as lets the lighter body swing a few times at most; one in ten by the heavier."""
        c = self.chance
        masses = sorted(x for x in (inertia_of(self.m, a)[0], inertia_of(self.m, b)[0]) if np.isfinite(x))
        mass, omega = masses[-1 if c.often(0.1) else 0], c.decades(-0.5, 1) / self.time
        return bl.Spring(stiffness=mass * omega**2, damping=mass * omega * c.pick((0.0, 0.1, 1.0)))

    def force(self, name):
        c, m = self.chance, self.m
        a, b = (list(self.ends)[i] for i in sorted(c.rng.choice(len(self.ends), 2, replace=False)))
        hinges = [j for j in m.joints.values() if isinstance(j.kind, HINGES)]
        if hinges and c.often(0.4):
            joint = c.pick(hinges)
            inertia, omega = min(inertia_of(m, joint.a)[1], inertia_of(m, joint.b)[1]), c.decades(-0.5, 0.5) / self.time
            kind = bl.JointDamping(inertia * omega) if c.often(0.5) else bl.TorsionSpring(inertia * omega**2, damping=0.1 * inertia * omega)
            m.add_force(name, kind, joint=joint.name)
            return
        places = {f"at_{s}": c.vector(0.5 * self.lengths[n]) for s, n in (("a", a), ("b", b))}
        m.add_force(name, self.spring(a, b), a, b, **places)

    def edits(self):
        """A few of the edits that sessions know, in words and as functions of the session."""
        c, m, out = self.chance, self.m, []
        names = [*m.bodies]
        for k in range(int(c.rng.integers(1, 4))):
            body = c.pick(names)
            joints = [j for j in m.joints.values() if j.name != "loop"]
            what = c.pick(["mass", "push", "spring", "remove", "replace", "distance", "again", "gravity", "coordinates", "lock"])
            if what == "mass":
                mass = inertia_of(m, body)[0] * c.decades(-2, 2)
                out.append((f"set('{body}', mass={mass!r})", lambda live, b=body, x=mass: live.set(b, mass=x)))
            elif what == "push":
                blow = c.vector(0.3 * inertia_of(m, body)[0] * self.size / self.time)
                out.append((f"push('{body}', impulse={blow!r})", lambda live, b=body, x=blow: live.push(b, impulse=x)))
            elif what == "gravity":
                g = tuple((G * c.direction()).tolist())
                out.append((f"set_gravity({g!r})", lambda live, g=g: live.set_gravity(g)))
            elif what == "coordinates":
                kind = c.pick(COORDINATES[c.dim])
                out.append((f"replace('{body}', coordinates='{kind}')", lambda live, b=body, k=kind: live.replace(b, coordinates=k)))
            elif what == "spring":
                spring = self.spring("ground", body)
                places = {"at_a": c.vector(self.size), "at_b": (0.0,) * c.dim}
                name = f"spring {k}"
                out.append(
                    (
                        f"add_force('{name}', {spring}, 'ground', '{body}', {places})",
                        lambda live, n=name, s=spring, b=body, p=places: live.add_force(n, s, "ground", b, **p),
                    )
                )
            elif what == "distance" and "tie" not in [w.split("'")[1] for w, _ in out if w.startswith("add_joint")]:
                places = {"at_a": tuple((self.size * (1 + c.rng.random(c.dim))).tolist()), "at_b": c.vector(0.3 * self.lengths[body])}
                how = c.pick(("gentle", "impulse"))
                over = {"over": 0.3 * self.time} if how == "gentle" else {}
                out.append(
                    (
                        f"add_joint('tie', Distance(), 'ground', '{body}', {places}, joining='{how}', **{over})",
                        lambda live, b=body, p=places, h=how, o=over: live.add_joint(
                            "tie", bl.Distance(), "ground", b, joining=h, **o, **p
                        ),
                    )
                )
            elif joints:
                joint = c.pick(joints)
                if what == "remove":
                    out.append((f"remove('{joint.name}', dependants=True)", lambda live, j=joint.name: live.remove(j, dependants=True)))
                elif what == "replace":
                    kind = c.pick(
                        [bl.PinInSlot(direction="x")] if c.dim == 2 else [bl.Spherical(), bl.PointOnLine(axis="x"), bl.PointOnPlane()]
                    )
                    out.append((f"replace('{joint.name}', {kind})", lambda live, j=joint.name, k=kind: live.replace(j, k)))
                elif what == "lock":
                    out.append((f"lock('{joint.name}', joining='impulse')", lambda live, j=joint.name: live.lock(j, joining="impulse")))
                elif what == "again":
                    out.append(
                        (f"undo of remove('{joint.name}')", lambda live, j=joint.name: (live.remove(j, dependants=True), live.undo()))
                    )
        return out


def make(seed: int) -> Case:
    """The mechanism of a seed, and edits of it."""
    b = Builder(seed)
    return Case(seed, b.m, b.size, b.time, b.edits(), b.chance.decades(-1, 0.3))
