"""RecursiveModel: a tree of bodies in joint coordinates, and the functions of robotics on it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DescriptionError, unknown
from ..kernels.lazy import entry
from ..kernels.memory import address_of
from ..mechanism.description import Pose
from ..mechanism.vectors import quaternion_to_matrix
from . import kernels
from . import table as t
from .arguments import known_objects, layout_is_known
from .forest import Link, grow
from .motions import FREE, SPHERICAL

if TYPE_CHECKING:
    from ..mechanism.mechanism import Mechanism

__all__ = ["RecursiveModel"]


class RecursiveModel:
    """Made by ``mechanism.recursive()``. Forces of the mechanism are not part of it: efforts in joints are given.

    q (nq,) and v (nv,) stand in the order of ``links``, joint by joint; see :mod:`bielle.recursive.motions` for what they are.
    Functions return fresh arrays, or write to ``out`` if it is given.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.links: list[Link] = grow(mechanism)
        self.row = {link.name: i for i, link in enumerate(self.links)}  #: of each body
        n = len(self.links)
        nq, nv = (np.array([getattr(link.motion, name) for link in self.links], dtype=np.int64) for name in ("nq", "nv"))
        self._q0, self._v0 = np.concatenate([[0], np.cumsum(nq)]), np.concatenate([[0], np.cumsum(nv)])
        self.nq, self.nv = int(self._q0[-1]), int(self._v0[-1])
        self._table = np.zeros(t.T_LENGTH, dtype=np.int64)
        self._kept: list[np.ndarray] = []
        for slot, values in (
            (t.T_COUNT, np.array([n, self.nv, self.nq, 0])),
            (t.T_MOTION, np.array([link.motion.number for link in self.links])),
            (t.T_PARENT, np.array([link.parent for link in self.links])),
            (t.T_Q0, self._q0),
            (t.T_V0, self._v0),
            (t.T_NV, nv),
        ):
            self._put(slot, np.asarray(values, dtype=np.int64))
        self._count = self._kept[0]
        self._put(t.T_KNOWN, known_objects())
        self._put(t.T_PLACE, np.array([[*link.place.rotation.reshape(-1), *link.place.position] for link in self.links]))
        self._put(t.T_TWIST, np.array([link.twist for link in self.links]))
        self._put(t.T_INERTIA, np.array([_inertia(mechanism.bodies[link.name].shape.mass_properties(), link.body) for link in self.links]))
        gravity = np.zeros(3)
        gravity[: len(mechanism.gravity)] = mechanism.gravity
        self._put(t.T_GRAVITY, gravity)
        sizes = {"q": (t.T_Q, self.nq), "v": (t.T_V, self.nv), "tau": (t.T_TAU, self.nv), "a": (t.T_A, self.nv)}
        self._own = {what: self._put(slot, np.zeros(size)) for what, (slot, size) in sizes.items()}
        self._rest, self._square = np.zeros(self.nv), (self.nv, self.nv)
        self._force = self._put(t.T_FORCE, np.zeros((n, 6)))
        self._R, self._pos = self._put(t.T_R, np.zeros((n, 3, 3))), self._put(t.T_POS, np.zeros((n, 3)))
        for slot, width in (
            (t.T_ARM, 3), (t.T_S, 36), (t.T_VEL, 6), (t.T_BIAS, 6), (t.T_ACC, 6), (t.T_EFFORT, 6), (t.T_BODY, 10),
            (t.T_ARTICULATED, 36), (t.T_U, 36), (t.T_D, 36), (t.T_LEFT, 6),
        ):  # fmt: skip
            self._put(slot, np.zeros((n, width)))
        self._address = address_of(self._table)
        self._refused = ctypes.c_int64.from_address(address_of(self._count) + 8 * t.REFUSED)
        self._rnea, self._bias = self._quick(kernels.rnea, 1), self._quick(kernels.rnea, 0)
        self._crba, self._aba = self._quick(kernels.crba), self._quick(kernels.aba)

    def _put(self, slot: int, values: np.ndarray) -> np.ndarray:
        values = np.ascontiguousarray(values if values.size else np.zeros(1, dtype=values.dtype))
        self._kept.append(values)
        self._table[slot] = address_of(values)
        return values

    # -- calls

    def _quick(self, kernel: entry, how: int = 0) -> Callable[[tuple[Any, ...]], None]:
        """Of a kernel that looks at its arguments itself; whether it has refused them is told by ``_refused``."""
        if not layout_is_known():
            return lambda arguments: setattr(self._refused, "value", 1)
        nothing, table, number = (ctypes.c_void_p(x) for x in (kernel.nothing, self._address, how))
        call = ctypes.PYFUNCTYPE(None, *(4 * [ctypes.c_void_p]), ctypes.py_object)(kernel.address)
        return partial(call, nothing, nothing, table, number)

    def _slowly(self, kernel: entry, how: int = 0, **given: Any) -> None:
        """Call a kernel with arguments that are converted first."""
        self._convert(**given)
        kernel(self._address, how)

    def _convert(self, **given: Any) -> None:
        """Copy arguments to arrays of the model, or say what is wrong with them; kernels work with these from then on."""
        for slot, (what, values) in zip((t.T_Q, t.T_V, t.T_TAU, t.T_A), self._own.items()):
            if what in given:
                size, found = self.nq if what == "q" else self.nv, np.asarray(given[what], dtype=float)
                if found.shape != (size,):
                    remedy = "neutral() makes a valid one" if what == "q" else "np.zeros(model.nv) is one"
                    raise DescriptionError(f"{what} must have {size} numbers, got {found.shape or 'one number'}; {remedy}.")
                values[:size] = found
            self._table[slot] = address_of(values)

    # -- configurations

    def neutral(self) -> np.ndarray:
        """q (nq,) in which both frames of every joint coincide: zeros, and unit quaternions."""
        q = np.zeros(self.nq)
        for i, link in enumerate(self.links):
            if link.motion.number in (SPHERICAL, FREE):
                q[self._q0[i] + (3 if link.motion.number == FREE else 0)] = 1.0
        return q

    def coordinates(self, joint: str) -> tuple[slice, slice]:
        """Places of the coordinates and velocities of a joint in q and v; a free body's go by the name of the body."""
        for i, link in enumerate(self.links):
            if link.joint == joint:
                return slice(int(self._q0[i]), int(self._q0[i + 1])), slice(int(self._v0[i]), int(self._v0[i + 1]))
        raise unknown("joint of the tree", joint, [link.joint for link in self.links])

    def integrate(self, q: Any, dq: Any) -> np.ndarray:
        """q ⊕ dq: where one gets from q with the velocities dq (nv,) in one second. Quaternions come out with unit length."""
        self._convert(q=q, v=dq)
        out, dq = self._own["q"][: self.nq].copy(), self._own["v"]
        for i, link in enumerate(self.links):
            place, change = out[self._q0[i] : self._q0[i + 1]], dq[self._v0[i] : self._v0[i + 1]]
            if link.motion.number == SPHERICAL:
                place[:] = _turned(place, change)
            elif link.motion.number == FREE:
                R = quaternion_to_matrix((place[3:] / np.linalg.norm(place[3:])).tolist())
                place[:3] += R @ (_left_jacobian(change[3:]) @ change[:3])
                place[3:] = _turned(place[3:], change[3:])
            else:
                place += change
        return out

    # -- functions

    def forward_kinematics(self, q: Any) -> dict[str, Pose]:
        """Where every body frame stands."""
        self._slowly(kernels.kinematics, q=q)
        out = {}
        for i, link in enumerate(self.links):
            here = Pose(self._pos[i], self._R[i])
            out[link.name] = Pose(here.point(link.body.position), here.rotation @ link.body.rotation)
        return out

    def rnea(self, q: Any, v: Any, a: Any, out: np.ndarray | None = None) -> np.ndarray:
        """τ = M(q) a + h(q, v): what the joints have to do for the accelerations a."""
        out = np.empty(self.nv) if out is None else out
        self._rnea((q, v, out, a))
        if self._refused.value:
            self._slowly(kernels.rnea, 1, q=q, v=v, a=a)
            out[...] = self._own["tau"][: self.nv]
        return out

    def bias_forces(self, q: Any, v: Any, out: np.ndarray | None = None) -> np.ndarray:
        """h(q, v) = rnea(q, v, 0): gravity, centrifugal and gyroscopic forces."""
        out = np.empty(self.nv) if out is None else out
        self._bias((q, v, out))
        if self._refused.value:
            self._slowly(kernels.rnea, 0, q=q, v=v)
            out[...] = self._own["tau"][: self.nv]
        return out

    def gravity_forces(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """h(q, 0)."""
        return self.bias_forces(q, self._rest, out)

    def crba(self, q: Any, out: np.ndarray | None = None) -> np.ndarray:
        """The mass matrix M(q) (nv, nv)."""
        out = np.empty(self._square) if out is None else out
        self._crba((q, out))
        if self._refused.value:
            mass = np.empty(self._square)
            self._table[t.T_MASS] = address_of(mass)
            self._slowly(kernels.crba, q=q)
            out[...] = mass
        return out

    def aba(self, q: Any, v: Any, tau: Any, out: np.ndarray | None = None) -> np.ndarray:
        """Accelerations a with M(q) a + h(q, v) = τ."""
        out = np.empty(self.nv) if out is None else out
        self._aba((q, v, tau, out))
        if self._refused.value:
            self._slowly(kernels.aba, q=q, v=v, tau=tau)
            out[...] = self._own["a"][: self.nv]
        return out


def _turned(q: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """q ⊗ exp(turn/2), normalised; turn (3,) in the axes that q turns."""
    half = 0.5 * float(np.linalg.norm(turn))
    w, (x, y, z) = np.cos(half), 0.5 * np.sinc(half / np.pi) * turn
    a, b, c, d = q / np.linalg.norm(q)
    return np.array(
        [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w]
    )


def _left_jacobian(turn: np.ndarray) -> np.ndarray:
    """∫₀¹ exp(s turn~) ds: how a velocity that turns with the body moves it."""
    angle = float(np.linalg.norm(turn))
    x, y, z = turn
    W = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    first = 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    second = (angle - np.sin(angle)) / angle**3 if angle > 1e-3 else 1.0 / 6.0 - angle**2 / 120.0
    return np.eye(3) + first * W + second * W @ W


def _inertia(properties: Any, body: Pose) -> np.ndarray:
    """(10,) mass, m c and inertia (xx, xy, xz, yy, yz, zz) about the origin of the link, in its axes."""
    m, centre, R = properties.mass, body.point(properties.centre), body.rotation
    J = R @ properties.inertia @ R.T + m * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    return np.array([m, *(m * centre), J[0, 0], J[0, 1], J[0, 2], J[1, 1], J[1, 2], J[2, 2]])
