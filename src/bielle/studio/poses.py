"""Where all bodies are, as the few numbers that a page draws: position and quaternion of each."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ..bodies.kind import BodyKind
from ..mechanism.vectors import matrix_to_quaternion
from ..model import Model

__all__ = ["Poses"]

_TOGETHER = ("planar", "spatial")  # kinds of coordinates of which many are turned at once


class Poses:
    """Turns the coordinates of one model into poses. Bodies of one kind are done together: a hundred of them take some 50 µs."""

    def __init__(self, model: Model, names: list[str]) -> None:
        self.names = names
        groups: dict[type, list[tuple[int, BodyKind, slice]]] = defaultdict(list)
        for i, name in enumerate(names):
            row = model.bodies[name]
            groups[type(row.kind)].append((i, row.kind, row.q))
        self._turning = [self._columns(found) for kind, found in groups.items() if kind.name in _TOGETHER]
        self._others = [each for kind, found in groups.items() if kind.name not in _TOGETHER for each in found]

    @staticmethod
    def _columns(found: list[tuple[int, BodyKind, slice]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows in the packet, coordinates of each (n, nq), centres of mass in the body frame (n, 3)."""
        rows = np.array([i for i, _, _ in found])
        q = np.array([range(part.start, part.stop) for _, _, part in found])
        return rows, q, np.array([kind.properties.centre for _, kind, _ in found])

    def __call__(self, q: np.ndarray) -> np.ndarray:
        """(n, 7) float32: x, y, z of the origin of each body frame, and its quaternion w, x, y, z."""
        out = np.zeros((len(self.names), 7))
        for rows, columns, centre in self._turning:
            Q = q[columns]
            if Q.shape[1] == 3:  # x, y of the centre of mass, angle
                c, s = np.cos(Q[:, 2]), np.sin(Q[:, 2])
                out[rows, 0] = Q[:, 0] - c * centre[:, 0] + s * centre[:, 1]
                out[rows, 1] = Q[:, 1] - s * centre[:, 0] - c * centre[:, 1]
                out[rows, 3], out[rows, 6] = np.cos(0.5 * Q[:, 2]), np.sin(0.5 * Q[:, 2])
            else:
                turn = Q[:, 3:] / np.linalg.norm(Q[:, 3:], axis=1, keepdims=True)
                out[rows, :3] = Q[:, :3] - _turned(turn, centre)
                out[rows, 3:] = turn
        for i, kind, part in self._others:
            position, rotation = kind.pose(q[part])
            out[i, :3], out[i, 3:] = position, matrix_to_quaternion(rotation)
        return out.astype(np.float32)


def _turned(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Vectors x (n, 3) turned by unit quaternions q (n, 4): x + 2w (u × x) + 2 u × (u × x)."""
    u, w = q[:, 1:], q[:, :1]
    once = np.cross(u, x)
    return x + 2.0 * (w * once + np.cross(u, once))
