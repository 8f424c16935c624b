"""Shapes as polygons: what a picture of a body is made of."""

from itertools import pairwise
from typing import Any

import numpy as np

from bielle.results.scene import polygon_normal

__all__ = ["Mesh", "across"]


class Mesh:
    """The polygons of a body in its own frame: one array of corners, where each polygon begins, and its normal (spatial scenes)."""

    def __init__(self, shapes: list[dict], planar: bool, size: float) -> None:
        self.planar, self.thin, self.cell = planar, 0.006 * size, size / 20
        self._parts: list[tuple[np.ndarray, np.ndarray, float, bool]] = []
        for shape in shapes:
            self._add(shape)
        corners, normals, tints, edges = zip(*self._parts)
        self.corners, self.normals, self.tints = np.concatenate(corners), np.array(normals), np.array(tints)
        self.edges = np.array(edges)  # a line to be seen, not a face
        self.starts = np.cumsum([0] + [len(part) for part in corners])

    def _face(self, corners: Any, normal: Any = (0.0, 0.0, 1.0), tint: float = 0.0) -> None:
        self._parts.append((np.asarray(corners, dtype=float), np.asarray(normal, dtype=float), tint, False))

    def _edge(self, a: np.ndarray, b: np.ndarray, normal: np.ndarray) -> None:
        self._parts.append((np.array([a, b]), normal, 0.0, True))

    def _rimmed(self, corners: np.ndarray, normal: np.ndarray) -> None:
        """A face with a visible rim."""
        self._face(corners, normal)
        for a, b in zip(corners, np.roll(corners, -1, axis=0)):
            self._edge(a, b, normal)

    def _add(self, shape: dict) -> None:
        kind = shape["kind"]
        if kind == "box":
            half = np.array(shape["rotation"]) * (0.5 * np.array(shape["size"]))
            self._box(np.array(shape["position"]), half[:, 0], half[:, 1], half[:, 2])
        elif kind == "polygon":
            self._polygon(np.array(shape["points"]), shape["thickness"])
        elif kind == "mesh":
            self._triangles(np.array(shape["points"]), np.array(shape["faces"]))
        elif kind == "disc":
            self._disc(np.array(shape["centre"]), shape["radius"], np.array(shape["normal"]))
        elif kind in ("sphere", "point"):
            self._ball(np.array(shape.get("centre", [0.0, 0.0, 0.0])), shape.get("radius", 2 * self.thin))
        else:
            start, end = np.array(shape["points"])
            radius = shape["radius"] or self.thin
            flat = slice(0, 2 if self.planar else 3)
            if np.linalg.norm((end - start)[flat]) < 1e-9 * self.cell:
                if self.planar and kind == "cylinder":
                    self._disc(start, radius, end - start)
                else:
                    self._ball(start, radius)
            elif self.planar:
                self._bar(start, end, radius, kind != "cylinder")
            else:
                self._tube(start, end, radius, kind != "cylinder")

    def _box(self, centre: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
        if self.planar:
            self._face([centre + a + b, centre - a + b, centre - a - b, centre + a - b])
            return
        for u, v, w in ((a, b, c), (b, c, a), (c, a, b)):
            for sign in (1, -1):
                self._sheet(centre + sign * w - u - v, 2 * u, 2 * v, sign * w / max(np.linalg.norm(w), 1e-300))

    def _sheet(self, corner: np.ndarray, a: np.ndarray, b: np.ndarray, normal: np.ndarray) -> None:
        """A parallelogram in cells, so that the painter's order also holds for long plates."""
        m, n = (int(np.clip(np.ceil(np.linalg.norm(edge) / self.cell), 1, 12)) for edge in (a, b))
        for i in range(m):
            for j in range(n):
                p = corner + a * i / m + b * j / n
                self._face([p, p + a / m, p + a / m + b / n, p + b / n], normal)
        for k in range(m):
            for start in (corner + a * k / m, corner + b + a * k / m):
                self._edge(start, start + a / m, normal)
        for k in range(n):
            for start in (corner + b * k / n, corner + a + b * k / n):
                self._edge(start, start + b / n, normal)

    def _polygon(self, points: np.ndarray, thickness: float) -> None:
        normal = polygon_normal(points)
        if self.planar:
            self._face(points)
            return
        up = 0.5 * thickness * normal
        self._rimmed(points + up, normal)
        self._rimmed((points - up)[::-1], -normal)
        if thickness <= 0:
            return
        for p, q in zip(points, np.roll(points, -1, axis=0)):
            outward = np.cross(q - p, normal)
            self._sheet(p - up, q - p, 2 * up, outward / max(np.linalg.norm(outward), 1e-300))

    def _triangles(self, points: np.ndarray, faces: np.ndarray) -> None:
        corners = points[faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        lengths = np.linalg.norm(normals, axis=1, keepdims=True)
        for triangle, normal in zip(corners, normals / np.maximum(lengths, 1e-300)):
            self._face(triangle, (0.0, 0.0, 1.0) if self.planar else normal)

    def _ring(self, centre: np.ndarray, radius: float, normal: np.ndarray, count: int) -> np.ndarray:
        u, v = across(normal)
        angle = 2 * np.pi * np.arange(count)[:, None] / count
        return centre + radius * (np.cos(angle) * u + np.sin(angle) * v)

    def _disc(self, centre: np.ndarray, radius: float, normal: np.ndarray) -> None:
        normal = normal / (np.linalg.norm(normal) or 1.0)
        if self.planar:
            self._face(self._ring(centre, radius, np.array([0.0, 0.0, 1.0]), 48))
            self._edge(centre, centre + np.array([radius, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))  # shows that it turns
            return
        for side in (normal, -normal):
            self._pie(centre, radius, side)

    def _pie(self, centre: np.ndarray, radius: float, normal: np.ndarray) -> None:
        """A round face in two tones, so that one sees it turn; its sectors are sorted one by one."""
        ring = self._ring(centre, radius, normal, 48)
        for k in range(8):
            arc = ring[np.arange(6 * k, 6 * k + 7) % 48]
            self._face([centre, *arc], normal, -0.07 if k % 2 else 0.05)
            for a, b in pairwise(arc):
                self._edge(a, b, normal)

    def _ball(self, centre: np.ndarray, radius: float) -> None:
        if self.planar:
            self._face(self._ring(centre, radius, np.array([0.0, 0.0, 1.0]), 48))
            return
        x, z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
        self._revolve(centre, z, x, np.array([[-np.cos(f), np.sin(f)] for f in np.linspace(0, np.pi, 13)]) * radius, 24)

    def _bar(self, start: np.ndarray, end: np.ndarray, radius: float, rounded: bool) -> None:
        along = (end - start) * [1.0, 1.0, 0.0]
        along /= np.linalg.norm(along)
        side = np.array([-along[1], along[0], 0.0])
        angle = np.linspace(0, np.pi, 17 if rounded else 2)[:, None]
        bulge = np.sin(angle) if rounded else 0.0
        cap = radius * (np.cos(angle) * side + bulge * -along)
        self._face(np.concatenate([start + cap, end - cap]))

    def _tube(self, start: np.ndarray, end: np.ndarray, radius: float, rounded: bool) -> None:
        axis = end - start
        length = float(np.linalg.norm(axis))
        axis = axis / length
        pieces = int(np.clip(np.ceil(length / max(1.5 * radius, self.cell)), 1, 12))
        profile = [[length * k / pieces, radius] for k in range(pieces + 1)]
        if rounded:
            quarter = np.linspace(0, np.pi / 2, 5)[1:]
            profile = [
                *[[-radius * np.sin(f), radius * np.cos(f)] for f in quarter[::-1]],
                *profile,
                *[[length + radius * np.sin(f), radius * np.cos(f)] for f in quarter],
            ]
        else:
            self._pie(start, radius, -axis)
            self._pie(end, radius, axis)
        self._revolve(start, axis, across(axis)[0], np.array(profile), 24)

    def _revolve(self, origin: np.ndarray, axis: np.ndarray, u: np.ndarray, profile: np.ndarray, count: int) -> None:
        """The surface swept by a profile (height, radius) around an axis."""
        v = np.cross(axis, u)
        angle = 2 * np.pi * np.arange(count + 1) / count
        radial = np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * v
        half = 0.5 * (angle[1:] + angle[:-1])
        outward = np.cos(half)[:, None] * u + np.sin(half)[:, None] * v
        for (h0, r0), (h1, r1) in pairwise(profile):
            slope = np.array([r0 - r1, h1 - h0]) / np.hypot(r0 - r1, h1 - h0)
            low, high = origin + h0 * axis + r0 * radial, origin + h1 * axis + r1 * radial
            for k in range(count):
                self._face([low[k], low[k + 1], high[k + 1], high[k]], slope[0] * axis + slope[1] * outward[k])


def across(normal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two directions that form a right-handed frame with the given one."""
    seed = np.array([1.0, 0.0, 0.0]) if abs(normal[0]) < 0.8 * np.linalg.norm(normal) else np.array([0.0, 1.0, 0.0])
    u = np.cross(normal, seed)
    u /= np.linalg.norm(u)
    return u, np.cross(normal / np.linalg.norm(normal), u)
