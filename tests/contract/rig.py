"""Small mechanisms of any kinds in any configuration, and the eyes to see what they do: what the contract checks are done on."""

from itertools import product

import numpy as np

import bielle.bodies
import bielle.joints  # noqa: F401 (fills the registry)
from bielle.forces.kind import ForceKind
from bielle.integrators import rk4
from bielle.joints import Fixed, Pin, Prismatic, Revolute, Rigid, Slider, Spherical
from bielle.kernels import slots
from bielle.kernels.lazy import entry
from bielle.kernels.pointers import floats, ints
from bielle.mechanism import registry
from bielle.mechanism.description import Force, Point, Pose, Twist
from bielle.mechanism.mechanism import Mechanism
from bielle.mechanism.shapes import cylinder, rigid, rod
from bielle.mechanism.vectors import matrix_to_quaternion, rotation
from bielle.model import compile_mechanism
from bielle.solvers.workspace import Workspace

U = np.finfo(float).eps
H = 5e-4  # step of differences of fourth order: their error is h⁴/30 f⁽⁵⁾ + 1.5 u/h f
DIFFERENCE = 1000 * (H**4 + U / H)  # lengths are of order one, rates a few per second, so fifth derivatives a few thousand
TIME = 0.37


def close(actual, expected, tolerance):
    """Equal up to an absolute tolerance."""
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


def difference(f):
    """df/dτ at zero, of a list of arrays f(τ)."""
    a, b, c, d = (f(k * H) for k in (-2, -1, 1, 2))
    return [(p - 8 * q + 8 * r - s) / (12 * H) for p, q, r, s in zip(a, b, c, d)]


def body_kinds(dim):
    """Names of the coordinate kinds of a dimension, in the order of registration; the first is the reference."""
    return [name for name, kind in registry.bodies.items() if kind.dim == dim]


def pairs(kind, dim):
    """Ordered pairs of body kinds that the joint kind can stand between."""
    kinds = body_kinds(dim)
    if kind.grounded:
        return [("ground", k) for k in kinds]
    return [*product(kinds, kinds), *(("ground", k) for k in kinds), *((k, "ground") for k in kinds)]


def shape(dim, mass):
    """A body without symmetry whose centre of mass is not its origin."""
    if dim == 2:
        return rigid(mass, (0.1, -0.15), 0.3 * mass)
    return rigid(mass, (0.1, -0.15, 0.2), tuple(mass * np.array([0.3, 0.4, 0.5, 0.02, -0.03, 0.05])))


def coupled(dim):
    """What a kind that couples joints is tried on: joints between a and b, and between b and c."""
    return {"hinge": Pin() if dim == 2 else Revolute(axis=(1.0, -2.0, 2.0)), "slide": Slider(direction=0.7) if dim == 2 else Prismatic()}


def turned(dim, vector):
    """Rotation matrix of a rotation vector; in the plane only its z component counts."""
    r = np.array([0.0, 0.0, vector[2]]) if dim == 2 else np.asarray(vector)
    angle = float(np.linalg.norm(r))
    return Pose.of((0.0,), rotation(tuple(r / angle), angle)).rotation if angle > 0 else np.eye(3)


def random_pose(rng, dim, size=1.0):
    """A pose whose position and rotation vector have components of that size."""
    position = size * rng.uniform(-1, 1, 3)
    if dim == 2:
        position[2] = 0.0
    return Pose(position, turned(dim, size * rng.uniform(-1, 1, 3)))


def random_twist(rng, dim):
    """A velocity and angular velocity with components up to one."""
    linear, angular = rng.uniform(-1, 1, (2, 3))
    return Twist(np.append(linear[:2], 0.0), np.array([0.0, 0.0, angular[2]])) if dim == 2 else Twist(linear, angular)


def after(first, second):
    """The pose of a frame given by ``second`` in the frame ``first``."""
    return Pose(first.point(second.position), first.rotation @ second.rotation)


def inverse(pose):
    return Pose(-pose.rotation.T @ pose.position, pose.rotation.T)


def orientation(dim, pose):
    return pose.angle() if dim == 2 else matrix_to_quaternion(pose.rotation)


@entry
def _watch(ctx, first, last):
    """No effort, no energy, no power."""
    dim = ints(ctx, slots.COUNT)[slots.N_DIM]
    force_e, x_force = ints(ctx, slots.FORCE_E), floats(ctx, slots.X_FORCE)
    for f in range(first, last):
        for k in range(dim * force_e[f], dim * force_e[f + 1]):
            x_force[k] = 0.0
        floats(ctx, slots.ENERGY)[f] = 0.0
        floats(ctx, slots.OUTPUT)[f] = 0.0
        for k in range(3):
            floats(ctx, slots.POWER)[3 * f + k] = 0.0


class Probe(ForceKind, tag="probe"):
    """An effort of zero: lets a test see a body without binding it: a point, the body's axes, and further points."""

    dims = (2, 3)
    kernel = _watch
    attachment = "one"

    points: tuple

    def elements(self, a, b=None, dim=3):
        first, *others = (Point("a", True, np.array(p)) for p in self.points)
        return [first, *(Point("a", False, d) for d in np.eye(3)[:dim]), *others]


def make(dim):
    """An empty mechanism, gravity in no special direction."""
    return Mechanism(plane="xy" if dim == 2 else None, gravity=(1.0, -9.0, 2.0)[:dim])


def add_body(m, name, shape, coordinates, pose, twist, points=()):
    """A body and a probe on it: its centre of mass, its axes, and further points."""
    m.add_body(
        name,
        shape,
        position=pose.position[: m.dim],
        orientation=orientation(m.dim, pose),
        velocity=twist.linear[: m.dim],
        angular_velocity=twist.angular[2] if m.dim == 2 else twist.angular,
        coordinates=coordinates,
    )
    probe = Probe(points=(shape.mass_properties().centre, *points))
    m.forces[f"probe {name}"] = Force(name=f"probe {name}", kind=probe, a=name)  # not by add_force: it is no registered kind


class Scene:
    """A compiled mechanism and what can be done with it and seen of it."""

    def __init__(self, mechanism, seed):
        self.mechanism, self.dim = mechanism, mechanism.dim
        self.bodies = list(mechanism.bodies)
        self.model, self.state = compile_mechanism(mechanism)
        self.w = Workspace(self.model, self.state)
        self.nq, self.nv, self.nc = self.model.nq, self.model.nv, self.model.nc
        self.rng = np.random.default_rng(seed)

    # -- configurations

    def scatter(self, size=0.05):
        """Leave the constraints, those inside the bodies included: random increments of the coordinates, random velocities."""
        w = self.w
        w.scalar[slots.S_TIME] = TIME
        w.q[: self.nq] = self.state.q
        w.retract(size * self.rng.standard_normal(self.nv))
        w.v[: self.nv] = 0.3 * self.rng.standard_normal(self.nv)
        w.evaluate()

    def assemble(self):
        """Onto the constraints; a further pass squares the error of the velocities away."""
        for _ in range(3):
            self.w.project()
        self.w.evaluate()
        assert np.abs(self.w.phi[: self.nc]).max() < 1e-12
        assert np.abs(self.w.phi_dot[: self.nc]).max() < 1e-12

    def derivative(self, increment, *names):
        """Of fields of the context when q moves by τ·increment; with None, along the motion with v̇ = 0, time included."""
        w = self.w
        q, t = w.q[: self.nq].copy(), w.scalar[slots.S_TIME]
        moving = increment is None

        def fields(tau):
            w.scalar[slots.S_TIME] = t + tau * moving
            w.q[: self.nq] = q
            w.retract(tau * (w.v[: self.nv] if moving else increment))
            w.evaluate()
            return [getattr(w, name).copy() for name in names]

        found = difference(fields)
        w.scalar[slots.S_TIME] = t
        w.q[: self.nq] = q
        w.evaluate()
        return found

    def simulate(self, duration, step=1e-3):
        """Classical Runge–Kutta from the present state."""
        w = self.w
        w.scalar[slots.S_STEP], w.scalar[slots.S_TIME0] = step, w.scalar[slots.S_TIME]
        w.count[slots.N_SAMPLES], w.status[:] = 0, 0
        rk4.steps(w.address, round(duration / step), 0)
        assert w.status[slots.ST_CODE] == slots.CODE_OK

    # -- what is seen

    def properties(self, body):
        return self.mechanism.bodies[body].shape.mass_properties()

    def pose(self, body):
        row = self.model.bodies[body]
        return Pose(*row.kind.pose(self.w.q[row.q]))

    def twist(self, body):
        """The velocity of the body frame whose v is the present one: velocities() is linear in it, whatever the kind."""
        row = self.model.bodies[body]
        pose = self.pose(body)
        basis = np.eye(6)[[0, 1, 5]] if self.dim == 2 else np.eye(6)
        columns = np.array([row.kind.velocities(pose, Twist(e[:3], e[3:])) for e in basis]).T
        components, *_ = np.linalg.lstsq(columns, self.w.v[row.v], rcond=None)
        both = components @ basis
        return Twist(both[:3], both[3:])

    def energy(self):
        """Kinetic energy and that in the field of gravity [J], from mass, centre and inertia of each body."""
        total = 0.0
        for body in self.bodies:
            properties, pose, twist = self.properties(body), self.pose(body), self.twist(body)
            centre, omega = pose.point(properties.centre), pose.rotation.T @ twist.angular
            speed = twist.at(pose.rotation @ properties.centre)
            total += 0.5 * properties.mass * speed @ speed + 0.5 * omega @ properties.inertia @ omega
            total -= properties.mass * np.array(self.mechanism.gravity) @ centre[: self.dim]
        return total

    def probe(self, body):
        """(x, ẋ, ẍ) of what the probe sees, (n, 3) each, z = 0 in the plane; ẍ after accelerate(), else with v̇ = acc as it is."""
        w, dim, row = self.w, self.dim, self.model.bodies[body]
        elements = self.model.forces[f"probe {body}"].elements
        out = np.zeros((3, elements.stop - elements.start, 3))
        for n, e in enumerate(range(elements.start, elements.stop)):
            at = slice(dim * e, dim * e + dim)
            out[0, n, :dim], out[1, n, :dim] = w.x[at], w.x_dot[at]
            out[2, n, :dim] = self.element_jacobian(e) @ w.acc[row.v] + w.x_bias[at]
        return out

    def element_jacobian(self, e):
        """(dim, nv of its body)."""
        w, nv = self.w, self.w.body_nv[self.w.elem_body[e]]
        return w.x_jac[w.elem_j[e] : w.elem_j[e] + self.dim * nv].reshape(self.dim, nv)

    def efforts(self, body):
        """(x, effort on it, whether it is a point) for the elements of all joints on a body: the reactions G_eᵀ λ."""
        w, dim = self.w, self.dim
        found = []
        for row in self.model.joints.values():
            e0, e1 = row.elements.start, row.elements.stop
            rows = row.equations.stop - row.equations.start
            start = w.joint_g[row.index]
            G = w.g[start : start + rows * dim * (e1 - e0)].reshape(rows, e1 - e0, dim)
            for e in range(e0, e1):
                if w.elem_body[e] == self.model.bodies[body].index:
                    x, effort = np.zeros(3), np.zeros(3)
                    x[:dim], effort[:dim] = w.x[dim * e : dim * e + dim], w.lam[row.equations] @ G[:, e - e0]
                    found.append((x, effort, bool(w.elem_point[e])))
        return found


def free_shape(dim, round_shape):
    """Of a body that is checked alone."""
    if not round_shape:
        return shape(dim, 0.8)
    # its reference points are its ends
    return rod((0.1, 0.2), (0.4, -0.3), mass=0.8) if dim == 2 else cylinder((0.1, 0.2, 0.3), (0.4, -0.3, 0.5), 0.2, mass=0.8)


class Three(Scene):
    """Three free bodies of one kind, 'a', 'b' and 'c', and a table of frames."""

    def __init__(self, name, *, round_shape=False, seed=0):
        rng = np.random.default_rng(seed)
        dim = registry.bodies[name].dim
        m = make(dim)
        for each in "abc":
            add_body(m, each, free_shape(dim, round_shape), name, random_pose(rng, dim), random_twist(rng, dim))
        super().__init__(m, seed)
        self.kind, self.row = self.model.bodies["b"].kind, self.model.bodies["b"]
        self.frames = np.zeros((len(self.model.body_rows), 24))
        self.w.bind("frame", self.frames.reshape(-1))

    def put(self, q, v):
        """Coordinates and velocities of 'b'."""
        self.w.q[self.row.q], self.w.v[self.row.v] = q, v

    def run(self, kernel):
        """On 'b' alone; returns the fields that it has changed anywhere else."""
        fields = {name: getattr(self.w, name) for name in ("q", "v", "acc", "qd", "frame")}
        before = {name: values.copy() for name, values in fields.items()}
        kernel(self.w.address, self.row.index, self.row.index + 1)
        own = {"q": self.row.q, "qd": self.row.q, "v": self.row.v, "acc": self.row.v}
        own["frame"] = slice(24 * self.row.index, 24 * self.row.index + 24)
        changed = []
        for name, values in fields.items():
            mask = np.ones(values.size, dtype=bool)
            mask[own[name]] = False
            if not np.array_equal(values[mask], before[name][mask]):
                changed.append(name)
        return changed


class Free(Scene):
    """One free body 'b'; the probe sees its centre of mass, its axes, and then some points."""

    def __init__(self, name, *, round_shape=False, seed=0):
        rng = np.random.default_rng(seed)
        dim = registry.bodies[name].dim
        m = make(dim)
        body = free_shape(dim, round_shape)
        self.points = [np.append(p[:dim], np.zeros(3 - dim)) for p in rng.uniform(-1, 1, (3, 3))]
        self.start, self.twist0 = random_pose(rng, dim), random_twist(rng, dim)
        add_body(m, "b", body, name, self.start, self.twist0, self.points)
        super().__init__(m, seed)
        self.kind = self.model.bodies["b"].kind


class Rig(Scene):
    """Bodies 'a' and 'b' (or the ground for one of them) and the joint 'j' under test between frames that nearly coincide.

    If it couples joints, it does so with the hinge between a and b and the slide between b and a third body 'c', or the other way round.

    kinds   coordinate kinds of a and b; c has that of the last that is not the ground
    poses   of the bodies; default: such that the frames are a random pose of size 0.25 apart
    anchor  body a hangs on the ground
    weld    the body that moves is also welded to the ground
    """

    def __init__(self, kind, dim, kinds, *, seed=0, poses=None, twists=None, anchor=False, weld=False):
        rng = np.random.default_rng(seed)
        frames = [random_pose(rng, dim, 0.5) for _ in range(2)]
        first, between = random_pose(rng, dim), random_pose(rng, dim, 0.25)
        self.poses = poses or self._near(frames, first, between, kinds)
        twists = twists or [random_twist(rng, dim) for _ in range(2)]
        m = make(dim)
        self.names = "ab" if kind.attachment == "bodies" else "abc"
        if len(self.names) > len(frames):
            rng = np.random.default_rng(seed + 100)  # whatever was given, its frame is the same
            frames.append(random_pose(rng, dim, 0.5))
            kinds = (*kinds, kinds[0] if kinds[1] == "ground" else kinds[1])
        if len(self.names) > len(self.poses):
            self.poses.append(after(after(after(self.poses[1], frames[1]), random_pose(rng, dim, 0.25)), inverse(frames[2])))
            twists.append(random_twist(rng, dim))
        places = ["ground" if k == "ground" else name for name, k in zip(self.names, kinds)]
        for place, mass, coordinates, pose, twist in zip(places, (1.5, 0.8, 1.1), kinds, self.poses, twists):
            if place != "ground":
                add_body(m, place, shape(dim, mass), coordinates, pose, twist)
        for name, frame, place in zip(self.names, frames, places):
            m.add_frame(f"frame {name}", place, local=frame.position[:dim], orientation=orientation(dim, frame))
        if kind.attachment == "bodies":
            m.add_joint("j", kind, "frame a", "frame b")
        else:
            held = [m.add_joint(*each, f"frame {a}", f"frame {b}").name for each, (a, b) in zip(coupled(dim).items(), ("ab", "bc"))]
            m.add_joint("j", kind, *(held if seed % 2 else reversed(held)))
        if weld:
            m.add_joint("weld", Rigid() if dim == 2 else Fixed(), "ground", next(iter(m.bodies)), at=(0.3, 0.2, 0.1)[:dim])
        if anchor and places[0] == "a":
            place = m.bodies["a"].pose.point(np.array([0.4, 0.3, 0.0]))[:dim]
            m.add_joint("anchor", Pin() if dim == 2 else Spherical(), "ground", "a", at=place)
        super().__init__(m, seed)
        self.kind, self.row = kind, self.model.joints["j"]

    def standing(self):
        """Poses and twists of the bodies as they are now, to make another rig of."""
        still = Twist(np.zeros(3), np.zeros(3))
        poses = [self.pose(n) if n in self.bodies else pose for n, pose in zip(self.names, self.poses)]
        return poses, [self.twist(n) if n in self.bodies else still for n in self.names]

    @staticmethod
    def _near(frames, first, between, kinds):
        rest = Pose(np.zeros(3), np.eye(3))
        if kinds[0] == "ground":
            first = rest
        second = after(after(after(first, frames[0]), between), inverse(frames[1]))
        return [after(inverse(second), first), rest] if kinds[1] == "ground" else [first, second]


class Placed:
    """Bodies 'a' and 'b' (or the ground for one of them), and the joint 'j' between them, placed in one of the ways there are.

    If it couples joints, those that :class:`Rig` has are so placed.

    seed   of the places and axes of the joints
    poses  seed of the poses and velocities of the bodies
    """

    def __init__(self, kind, dim, kinds, way, *, seed=0, poses=0):
        self.mechanism = m = make(dim)
        if kind.attachment == "joints":
            kinds = (*kinds, kinds[0] if kinds[1] == "ground" else kinds[1])
        places = ["ground" if k == "ground" else name for name, k in zip("abc", kinds)]
        rng = np.random.default_rng(poses)
        for place, mass, coordinates in zip(places, (1.5, 0.8, 1.1), kinds):
            pose, twist = random_pose(rng, dim), random_twist(rng, dim)
            if place != "ground":
                add_body(m, place, shape(dim, mass), coordinates, pose, twist)
        rng = np.random.default_rng(seed)
        if kind.attachment == "bodies":
            self._join("j", kind, places, way, rng)
            return
        for i, (name, each) in enumerate(coupled(dim).items()):
            self._join(name, each, places[i : i + 2], way, rng)
        m.add_joint("j", kind, *coupled(dim))

    def _join(self, name, kind, places, way, rng):
        m, dim = self.mechanism, self.mechanism.dim
        points = rng.uniform(-1, 1, (3, dim))
        where = {"at": points[0]} if "at" in way.split() else {}
        if way.startswith("frames"):
            for i, place in enumerate(places):
                local = random_pose(rng, dim, 0.5)
                places[i] = m.add_frame(f"frame {i} of {name}", place, local=points[1 + i], orientation=orientation(dim, local)).name
        elif not where:
            where = {"at_a": points[1], "at_b": points[2]}
        m.add_joint(name, kind, *places, **where)

    def localised(self, poses=None):
        """The joints in self-contained form, by name."""
        return {name: self.mechanism.localised(joint, poses) for name, joint in self.mechanism.joints.items()}

    def _with(self, joints):
        other = self.mechanism.copy()
        for name, joint in (joints or {}).items():
            other.joints[name] = joint
        return other

    def compile(self, joints=None):
        """The model, with other joints in the place of those there are if some are given."""
        return compile_mechanism(self._with(joints))[0]

    def scene(self, joints=None):
        return Scene(self._with(joints), 0)


def same_tables(one, other):
    """Two models have the same rows: the same elements on the same bodies, the same parameters, up to rounding."""
    for name in ("elem_body", "elem_point", "joint_e", "joint_c", "joint_p", "force_e", "force_p"):
        assert np.array_equal(one.arrays[name], other.arrays[name]), name
    for name in ("elem_p", "param"):
        close(other.arrays[name], one.arrays[name], 1e-14 * max(1.0, np.abs(one.arrays[name]).max()))
