"""Which ports are joined to which: inputs of all components from the unknowns of the joints, residuals from their outputs.

Every port has two blocks of 2n numbers for a step (n coordinates): what goes in, u, and what comes out, y,

    a port that accepts force:   u = (F₀, F₁),      y = (x₁, h v₁)
    a port that accepts motion:  u = (x₁, h v₁),    y = (F₀, F₁)

A joint of which k ends accept force and m accept motion has as unknowns p, and as residuals e, blocks of 2n as well:

    m = 0 (T–T)   p = (λ₂ … λₖ),      u₂ = λ₂ … uₖ = λₖ, u₁ = −Σ λ    e = (y₂ − y₁ … yₖ − y₁)            compatibility
    k = 0 (X–X)   p = (z),            u = z at every end              e = (Σ y)                           equilibrium
    both  (X–T)   p = (z, λ₁ … λₖ),   u = z, or λᵢ                    e = (Σ y + Σ λ, y₁ − z … yₖ − z)    both

A port that nobody holds is free: it feels no force. One that accepts force is given none; one that accepts motion is a joint with one end,
m = 1 and k = 0, whose motion is found so that it needs no force. All together,

    u = L p,    e = A y + B p,    ∂e/∂p = A D L + B,

where D holds the response ∂y/∂u of each component to its own inputs, and nothing else of it. In T–T the inverse of ∂e/∂p is the matrix
Λ of the sources.

Joints may say again what others say already, as they do in some closed loops. Then there are combinations of forces that nothing responds
to. They are looked for whenever components are probed, and kept at zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .component import FORCE, MOTION, Accepts
from .member import Member

__all__ = ["Block", "End", "Joint", "Network"]

NEGLIGIBLE = 1e-5  # of the largest singular value: probing sees seven digits


class End(NamedTuple):
    """A port of a component."""

    component: str
    port: str

    def __str__(self) -> str:
        return f"'{self.port}' of '{self.component}'"


@dataclass(frozen=True)
class Joint:
    """Ports that coincide. One without a name is a free port that accepts motion."""

    name: str
    ends: tuple[End, ...]

    def __str__(self) -> str:
        return f"joint '{self.name}'" if self.name else f"the free port {self.ends[0]}"


class Block(NamedTuple):
    """A piece of p or e."""

    joint: Joint
    kind: Accepts  #: what its numbers are
    ends: tuple[End, ...]  #: whose input it is, or whose gap
    place: slice


class Network:
    """The joints of some components as matrices."""

    def __init__(self, members: Mapping[str, Member], joints: Sequence[Joint]) -> None:
        self.members = list(members.values())
        self._named = dict(members)
        held = {end for joint in joints for end in joint.ends}
        free = [end for m in self.members if m.accepts == MOTION for port in m.ports if (end := End(m.name, port)) not in held]
        self._places: dict[End, slice] = {}  # of the block of each port in u and y
        self.spans: dict[str, slice] = {}  #: of the blocks of each component in u and y
        size = 0
        for member in self.members:
            first = size
            for port, n in member.ports.items():
                self._places[End(member.name, port)] = slice(size, size := size + 2 * n)
            self.spans[member.name] = slice(first, size)
        self.size = size
        self.unknowns: list[Block] = []  #: of p
        self.residuals: list[Block] = []  #: of e
        self._entries: dict[str, list[tuple[slice, slice, float]]] = {"L": [], "A": [], "B": []}
        for joint in [*joints, *(Joint("", (end,)) for end in free)]:
            self._add(joint, [end for end in joint.ends if members[end.component].accepts == FORCE])
        n_p, n_e = (blocks[-1].place.stop if blocks else 0 for blocks in (self.unknowns, self.residuals))
        self.L, self.A, self.B = self._matrix("L", size, n_p), self._matrix("A", n_e, size), self._matrix("B", n_e, n_p)
        #: inputs of each component that a joint decides about
        self.driven = {name: np.flatnonzero(self.L[span].any(axis=1)) for name, span in self.spans.items()}
        self._metres, self._units = np.ones(n_e), np.ones(n_p)  # of residuals, of unknowns
        self._effective, self._idle = np.eye(n_p), np.zeros((n_p, 0))  # directions of p

    def _add(self, joint: Joint, pushed: list[End]) -> None:
        led = tuple(end for end in joint.ends if end not in pushed)
        L, A, B = self._entries.values()
        z = balance = slice(0, 0)
        if led:
            z, balance = self._new(self.unknowns, joint, MOTION, led), self._new(self.residuals, joint, FORCE, led)
            L += [(self._places[end], z, 1.0) for end in led]
            A += [(balance, self._places[end], 1.0) for end in led]
        for end in pushed if led else pushed[1:]:
            force, gap = self._new(self.unknowns, joint, FORCE, (end,)), self._new(self.residuals, joint, MOTION, (end,))
            L.append((self._places[end], force, 1.0))
            A.append((gap, self._places[end], 1.0))
            if led:
                B += [(balance, force, 1.0), (gap, z, -1.0)]
            else:
                first = self._places[pushed[0]]
                L.append((first, force, -1.0))
                A.append((gap, first, -1.0))

    def _new(self, blocks: list[Block], joint: Joint, kind: Accepts, ends: tuple[End, ...]) -> slice:
        start, port = blocks[-1].place.stop if blocks else 0, self._places[ends[0]]
        blocks.append(Block(joint, kind, ends, slice(start, start + port.stop - port.start)))
        return blocks[-1].place

    def _matrix(self, name: str, rows: int, columns: int) -> np.ndarray:
        out = np.zeros((rows, columns))
        for row, column, factor in self._entries[name]:
            out[row, column] += factor * np.eye(row.stop - row.start)
        return out

    def of(self, end: End, vector: np.ndarray) -> np.ndarray:
        """(2, n) of a port, in u or y."""
        return vector[self._places[end]].reshape(2, -1)

    # -- solving

    def _matrix_of_e(self) -> np.ndarray:
        """∂e/∂p."""
        D = np.zeros((self.size, self.size))
        for member in self.members:
            span = self.spans[member.name]
            D[span, span] = member.response
        return self.A @ D @ self.L + self.B

    def look_for_redundancy(self) -> None:
        """Learn from responses that were just found by probing in which directions of p the residuals change at all."""
        for block in self.residuals:
            if block.kind == FORCE:
                self._metres[block.place] = 1.0 / (max(self._stiffness(end) for end in block.ends) or 1.0)
        matrix = self._metres[:, None] * self._matrix_of_e()
        sizes = np.abs(matrix).max(axis=0)
        self._units = 1.0 / np.where(sizes > 0.0, sizes, 1.0)
        _, values, directions = np.linalg.svd(matrix * self._units)
        rank = int((values > NEGLIGIBLE * values[0]).sum())
        self._effective, self._idle = directions[:rank].T, directions[rank:].T

    def without_idle_forces(self, p: np.ndarray) -> np.ndarray:
        """The unknowns with the forces that nothing responds to taken away: of all that do the same, the smallest."""
        idle = self._units * (self._idle @ (self._idle.T @ (p / self._units)))
        for block in self.unknowns:
            if block.kind == MOTION:
                idle[block.place] = 0.0
        return p - idle

    def _stiffness(self, end: End) -> float:
        """Largest force that a unit of its motion makes at a led end [N/m]."""
        member, span = self._named[end.component], self.spans[end.component]
        own = slice(self._places[end].start - span.start, self._places[end].stop - span.start)
        return float(np.abs(member.response[own, own]).max())  # type: ignore[index]

    def in_metres(self, e: np.ndarray) -> np.ndarray:
        """(n_e,) residuals: gaps themselves; of forces out of balance, the motion of an end that would make as much [m]."""
        return self._metres * e

    def correction(self, e: np.ndarray) -> np.ndarray:
        """−(∂e/∂p)⁻¹ e in the directions that have an effect; all residuals in metres, and unknowns in units that make a metre."""
        scaled = self._metres[:, None] * self._matrix_of_e() * self._units
        found = np.linalg.lstsq(scaled @ self._effective, self._metres * e, rcond=None)[0]
        return -self._units * (self._effective @ found)
