"""Random mechanisms and random edits of them while they run, sensible and absurd; everything follows from a seed.

``Player(seed)`` makes a mechanism of random bodies, joints and forces and starts a session. Each ``player.play()`` is one edit, or one
transaction of several, through the public verbs of a session; ``player.log`` tells what was tried.
"""

import numpy as np

import bielle as bl
from bielle.mechanism import registry

ABSURD = 0.15  # share of the edits that make no sense
SIZE = 8  # bodies, from where on they are rather removed
HINGES = (bl.Revolute, bl.Cylindrical)
GEARED = ("revolute", "cylindrical", "helical", "prismatic")


def kinds(table, dim):
    """One instance or more of every registered kind of joints or forces."""
    return [kind for cls in table.values() if dim in cls.dims for kind in cls.samples(dim)]


def body_kinds(dim):
    return [name for name, kind in registry.bodies.items() if kind.dim == dim]


class Chance:
    """Random numbers in the forms the library takes."""

    def __init__(self, seed, dim):
        self.rng = np.random.default_rng(seed)
        self.dim = dim

    def often(self, probability):
        return self.rng.random() < probability

    def pick(self, things):
        things = list(things)
        return things[self.rng.integers(len(things))]

    def number(self, low=-1.0, high=1.0):
        return float(self.rng.uniform(low, high))

    def vector(self, size=1.0):
        return tuple(float(x) for x in size * self.rng.uniform(-1, 1, self.dim))

    def orientation(self):
        return self.number(-3, 3) if self.dim == 2 else tuple(float(x) for x in self.rng.normal(size=4))

    def turn(self, size=1.0):
        return self.number(-size, size) if self.dim == 2 else self.vector(size)

    def shape(self):
        mass = self.number(0.5, 3.0)
        if self.dim == 2:
            return self.pick(
                [
                    bl.rod(self.vector(), self.vector(), mass=mass),
                    bl.box(self.rng.uniform(0.2, 1.0, 2), mass=mass),
                    bl.rigid(mass, self.vector(0.3), 0.2 * mass),
                ]
            )
        inertia = tuple(mass * np.array([0.3, 0.4, 0.5, 0.02, -0.03, 0.05]))
        return self.pick(
            [
                bl.box(self.rng.uniform(0.2, 1.0, 3), mass=mass),
                bl.cylinder(self.vector(), self.vector(), 0.2, mass=mass),
                bl.rigid(mass, self.vector(0.3), inertia),
            ]
        )

    def motion(self):
        """Where a body is described and how it moves."""
        motion = {"position": self.vector(), "orientation": self.orientation(), "velocity": self.vector(), "angular_velocity": self.turn()}
        return {key: value for key, value in motion.items() if self.often(0.7)}


def mechanism(chance, *, grounded=True, gravity=True):
    """Up to five bodies; most are joined to one before them, or to the ground, where they are described."""
    dim = chance.dim
    m = bl.Mechanism(gravity=chance.vector(9.81 if gravity else 0.0), plane="xy" if dim == 2 else None)
    simple = [bl.Pin(), bl.Slider(), bl.PinInSlot()] if dim == 2 else [bl.Revolute(), bl.Spherical(), bl.Universal(), bl.Cylindrical()]
    places = ["ground"] if grounded else []
    for i in range(int(chance.rng.integers(1, 6))):
        m.add_body(f"body {i}", chance.shape(), **chance.motion(), coordinates=chance.pick([None, *body_kinds(dim)]))
        if places and chance.often(0.8):
            m.add_joint(f"joint {i}", chance.pick(simple), chance.pick(places), f"body {i}", at=chance.vector())
        places.append(f"body {i}")
    return m


class Player:
    """A session and somebody who edits it at random.

    verbs  names of methods of this class that are edits, repeated as often as they shall be likelier; default: all
    """

    SENSIBLE = (
        *("add_body", "add_joint", "add_joint", "add_joint", "add_force", "add_force", "add_frame", "remove", "remove", "replace_joint"),
        *("replace_force", "replace_body", "set_parameter", "set_gravity", "move_frame", "fix", "free", "lock", "unlock", "push", "push"),
        *("push_for_a_while", "teleport", "grab", "undo", "redo", "snapshot", "restore"),
    )

    def __init__(self, seed, *, dim=None, solver=None, verbs=SENSIBLE, absurd=ABSURD, joints=None, forces=None, **about):
        dim = dim or (2, 3)[seed % 2]
        self.chance = Chance(seed, dim)
        self.dim, self.verbs, self.absurd = dim, verbs, absurd
        self.joints = kinds(registry.joints, dim) if joints is None else joints
        self.forces = kinds(registry.forces, dim) if forces is None else forces
        self.live = mechanism(self.chance, **about).live(solver)
        self.log = []
        self.made = 0
        self.snapshots = []

    def play(self):
        """One edit, or several as one; raises what the session raises."""
        self.log.append("")
        if self.chance.often(self.absurd):
            self._try("nonsense")
        elif self.chance.often(0.2):
            parts = [v for v in self.verbs if v not in ("undo", "redo", "snapshot", "restore", "grab")]
            with self.live.edit():
                for _ in range(int(self.chance.rng.integers(1, 5))):
                    self._try(self.chance.pick(parts))
        else:
            verb = self.chance.pick(self.verbs)
            if len(self.mechanism.bodies) > SIZE and verb in self.verbs and "remove" in self.verbs:
                verb = "remove"
            self._try(verb)

    def _try(self, verb):
        self.log[-1] += f" {verb}"
        getattr(self, verb)()

    # -- what there is

    @property
    def mechanism(self):
        """As it will be, while a transaction is open."""
        draft = self.live._draft
        return self.live.mechanism if draft is None else draft.mechanism

    def body(self, *others):
        return self.chance.pick([*self.mechanism.bodies, *others] or ["nobody"])

    def place(self):
        return self.chance.pick(["ground", *self.mechanism.bodies, *self.mechanism.bodies, *self.mechanism.frames])

    def name(self, what):
        self.made += 1
        return f"{what} {self.made}"

    def joining(self):
        how = self.chance.pick(["gentle", "gentle", "impulse", "exact"])
        over = {"over": self.chance.number(0.01, 0.2)} if how == "gentle" and self.chance.often(0.3) else {}
        return {"joining": how, **over}

    def where(self, sides="ab"):
        """Places of a joint or force: a point of the world where a body is, or points of the bodies."""
        if self.chance.often(0.4):
            return {"at": tuple(np.array(self.chance.vector(0.5)) + (0.0 if not self.live.mechanism.bodies else self._somewhere()))}
        return {f"at_{side}": self.chance.vector(0.5) for side in sides}

    def _somewhere(self):
        return self.live[self.chance.pick(self.live.mechanism.bodies)].position

    # -- edits

    def add_body(self):
        kind = self.chance.pick([None, *body_kinds(self.dim)])
        self.live.add_body(self.name("body"), self.chance.shape(), **self.chance.motion(), coordinates=kind)

    def add_joint(self):
        kind = self.chance.pick(self.joints)
        if kind.attachment == "joints":
            axes = [j.name for j in self.mechanism.joints.values() if j.kind.motion in GEARED]
            self.live.add_joint(self.name("joint"), kind, *(self.chance.pick(axes or ["nothing"]) for _ in "ab"), **self.joining())
            return
        a = "ground" if kind.grounded else self.place()
        self.live.add_joint(self.name("joint"), kind, a, self.place(), **self.where(), **self.joining())

    def add_force(self):
        kind = self.chance.pick(self.forces)
        name = self.name("force")
        if kind.memory and self.dim == 3:  # between bodies that tilt freely its angle comes to positions where there is none
            hinges = [j.name for j in self.mechanism.joints.values() if isinstance(j.kind, HINGES)]
            self.live.add_force(name, kind, joint=self.chance.pick(hinges or ["nothing"]))
        elif kind.attachment in ("joint", "any") and self.mechanism.joints and self.chance.often(0.5):
            self.live.add_force(name, kind, joint=self.chance.pick(self.mechanism.joints))
        elif kind.attachment == "one":
            self.live.add_force(name, kind, self.body(), **self.where("a"))
        else:
            self.live.add_force(name, kind, self.place(), self.place(), **self.where())

    def add_frame(self):
        where = {"at": self.chance.vector()} if self.chance.often(0.5) else {"local": self.chance.vector(0.5)}
        self.live.add_frame(self.name("frame"), self.body("ground"), **where, orientation=self.chance.orientation())

    def remove(self):
        m = self.mechanism
        table = self.chance.pick([m.bodies, m.joints, m.joints, m.forces, m.frames])
        self.live.remove(self.chance.pick(table or ["nobody"]), dependants=self.chance.often(0.6))

    def replace_joint(self):
        self.live.replace(self.chance.pick(self.mechanism.joints or ["nobody"]), self.chance.pick(self.joints), **self.joining())

    def replace_force(self):
        kinds = [kind for kind in self.forces if self.dim == 2 or not kind.memory]
        self.live.replace(self.chance.pick(self.mechanism.forces or ["nobody"]), self.chance.pick(kinds))

    def replace_body(self):
        if self.chance.often(0.5):
            self.live.replace(self.body(), coordinates=self.chance.pick(body_kinds(self.dim)))
        else:
            self.live.replace(self.body(), self.chance.shape())

    def set_parameter(self):
        """A number among the parameters of a component is changed a little."""
        m = self.mechanism
        name = self.chance.pick([*m.bodies, *m.joints, *m.forces] or ["nobody"])
        if name in m.bodies:
            self.live.set(name, mass=self.chance.number(0.5, 3.0), **({"color": "red"} if self.chance.often(0.3) else {}))
            return
        kind = m._table(name)[name].kind if name != "nobody" else None
        fields = [f for f in getattr(kind, "__struct_fields__", ()) if isinstance(getattr(kind, f), float)]
        if fields:
            field = self.chance.pick(fields)
            self.live.set(name, **{field: getattr(kind, field) * self.chance.number(0.5, 1.5)})

    def set_gravity(self):
        self.live.set_gravity(self.chance.vector(9.81))

    def move_frame(self):
        self.live.set(self.chance.pick(self.mechanism.frames or ["nobody"]), local=self.chance.vector(0.5))

    def fix(self):
        self.live.fix(self.body(), **self.joining())

    def free(self):
        self.live.free(self.body())

    def lock(self):
        self.live.lock(self.chance.pick(self.mechanism.joints or ["nobody"]), **self.joining())

    def unlock(self):
        locked = [name.removeprefix("lock ") for name in self.mechanism.joints if name.startswith("lock ")]
        self.live.unlock(self.chance.pick(locked or self.mechanism.joints or ["nobody"]))

    def push(self):
        how = {"impulse": self.chance.vector()} if self.chance.often(0.7) else {"moment": self.chance.turn()}
        self.live.push(self.body(), **how, **({"local": self.chance.vector(0.5)} if self.chance.often(0.5) else {}))

    def push_for_a_while(self):
        self.live.push(self.body(), force=self.chance.vector(5.0), duration=self.chance.number(0.005, 0.1))

    def teleport(self):
        body = self.body()
        where = {"velocity": self.chance.vector(), "angular_velocity": self.chance.turn(), "orientation": self.chance.orientation()}
        if body in self.live.mechanism.bodies:
            where["position"] = tuple(self.live[body].position + np.array(self.chance.vector(0.2)))
        self.live.teleport(body, **{key: value for key, value in where.items() if self.chance.often(0.4)})

    def grab(self):
        hand = self.live.grab(self.body(), local=self.chance.vector(0.3))
        hand.move(self.chance.vector())
        if self.chance.often(0.5):
            hand.release()

    def undo(self):
        self.live.undo()

    def redo(self):
        self.live.redo()

    def snapshot(self):
        self.snapshots = [*self.snapshots[-3:], self.live.snapshot()]

    def restore(self):
        if self.snapshots:
            self.live.restore(self.chance.pick(self.snapshots))

    def nonsense(self):
        """Something that has to be refused, whatever the mechanism is."""
        live, dim, body = self.live, self.dim, self.body()
        nan, short, pin = float("nan"), (1.0,), bl.Pin() if self.dim == 2 else bl.Spherical()
        other = bl.Spherical() if dim == 2 else bl.Pin()
        refused = [
            lambda: live.remove("nobody"),
            lambda: live.remove("ground"),
            lambda: live.remove(None),
            lambda: live.add_body(body, bl.sphere(0.1, mass=1.0)),
            lambda: live.add_body("", bl.sphere(0.1, mass=1.0)),
            lambda: live.add_body("round", "sphere"),
            lambda: live.add_body("heavy", bl.sphere(0.1, mass=-1.0)),
            lambda: live.add_body("lost", bl.sphere(0.1, mass=1.0), position=(nan,) * dim),
            lambda: live.add_body("odd", bl.sphere(0.1, mass=1.0), coordinates="polar"),
            lambda: live.add_joint("j", pin, "ground", "nobody", at=(0.0,) * dim),
            lambda: live.add_joint("j", pin, body, body, at=(0.0,) * dim),
            lambda: live.add_joint("j", pin, "ground", body),
            lambda: live.add_joint("j", pin, "ground", body, at=short),
            lambda: live.add_joint("j", pin, "ground", body, at=(nan,) * dim),
            lambda: live.add_joint("j", pin, "ground", body, at=(0.0,) * dim, joining="glue"),
            lambda: live.add_joint("j", pin, "ground", body, at=(0.0,) * dim, over=-1.0),
            lambda: live.add_joint("j", other, "ground", body, at=(0.0,) * dim),
            lambda: live.add_joint("j", "pin", "ground", body, at=(0.0,) * dim),
            lambda: live.add_force("f", bl.Spring(stiffness=nan), "ground", body, at=(0.0,) * dim),
            lambda: live.add_force("f", bl.Spring(stiffness="stiff"), "ground", body, at=(0.0,) * dim),
            lambda: live.add_force("f", bl.PointForce(force=(1.0,) * (5 - dim)), body, at=(0.0,) * dim),
            lambda: live.add_force("f", bl.Torque(torque=1.0), "ground"),
            lambda: live.add_force("f", bl.Motor(stiffness=1.0), joint="nothing"),
            lambda: live.add_frame("f", body),
            lambda: live.add_frame("f", "nobody", local=(0.0,) * dim),
            lambda: live.add_frame("f", body, local=(nan,) * dim),
            lambda: live.replace(body),
            lambda: live.replace(body, coordinates="polar"),
            lambda: live.replace("nobody", pin),
            lambda: live.replace(body, pin),
            lambda: live.set(body, mass=-1.0),
            lambda: live.set(body, mass=nan),
            lambda: live.set(body, mass="heavy"),
            lambda: live.set(body, colour="red"),
            lambda: live.set("nobody", mass=1.0),
            lambda: live.set_gravity(9.81),
            lambda: live.set_gravity((nan,) * dim),
            lambda: live.fix("nobody"),
            lambda: live.free("ground"),
            lambda: live.lock(body),
            lambda: live.unlock("nothing"),
            lambda: live.push(body),
            lambda: live.push(body, impulse=short),
            lambda: live.push(body, force=(1.0,) * dim),
            lambda: live.push(body, force=(1.0,) * dim, duration=0.0),
            lambda: live.push(body, impulse=(nan,) * dim),
            lambda: live.push("ground", impulse=(1.0,) * dim),
            lambda: live.teleport(body),
            lambda: live.teleport("ground", position=(0.0,) * dim),
            lambda: live.teleport(body, position=(nan,) * dim),
            lambda: live.teleport(body, velocity=short),
            lambda: live.advance(-1.0),
            lambda: live.advance(nan),
            lambda: live.advance_to(live.time),
            lambda: live.step(0),
            lambda: live.restore("yesterday"),
            lambda: live.grab("ground"),
        ]
        self.chance.pick(refused)()
