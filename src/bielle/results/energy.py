"""The energy audit of a run."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .asking import Asked

if TYPE_CHECKING:
    from ..model import BodyRow
    from .parts import Part
    from .record import Record
    from .result import Result

__all__ = ["ENERGIES", "Energy"]

ENERGIES = ("kinetic", "gravitational", "elastic", "dissipated", "drives", "applied", "closing", "edits", "mechanical", "balance")


class Energy(Asked):
    """Energies (n,) [J] and their balance.

    balance = mechanical + dissipated − works of drives, of applied efforts, of closings and of edits, less its value at the start

    The works are integrated together with the motion, to the same order, and what an edit does in an instant is booked under its
    label, so that what is left in ``error`` is the integrator's. ``part``: of a part of the only segment.
    """

    def __init__(self, run: Record, part: Part | None = None) -> None:
        self.run = self._run = run
        self._part = part

    def _title(self) -> str:
        return "the energy [J]"

    def _asked(self) -> list[str]:
        return [*self.kinds, "error", "scale", *(["closings", "by_edit"] if self._run.edits else [])]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Those of ENERGIES that can play a part in this run."""
        absent = {"closing"} if not any(segment.closings for segment in self._run.segments) else set()
        absent |= {"edits"} if not self._run.edits else set()
        return tuple(kind for kind in ENERGIES if kind not in absent)

    # -- energies

    @cached_property
    def kinetic(self) -> np.ndarray:
        """½ vᵀ M v."""
        return self._run.joined(lambda segment: _kinetic(segment, self._part))

    @cached_property
    def gravitational(self) -> np.ndarray:
        """−Σ m g · x_G."""
        return self._run.joined(lambda segment: _gravitational(segment, self._part))

    @cached_property
    def elastic(self) -> np.ndarray:
        """Potential energy of all forces."""
        return self._run.joined(lambda segment: _elastic(segment, self._part))

    @property
    def mechanical(self) -> np.ndarray:
        """Kinetic + gravitational + elastic."""
        return self.kinetic + self.gravitational + self.elastic

    # -- works

    def _work(self, which: int) -> np.ndarray:
        if self._part is not None and not self._part.works:
            return np.zeros(len(self._run))
        return self._run.joined(lambda segment: segment.samples["work"][:, which])

    @cached_property
    def dissipated(self) -> np.ndarray:
        """Lost in dampers since the start."""
        return self._work(0)

    @cached_property
    def drives(self) -> np.ndarray:
        """Work of motors and imposed motions since the start."""
        return self._work(1)

    @cached_property
    def applied(self) -> np.ndarray:
        """Work of applied forces and torques since the start."""
        return self._work(2)

    @cached_property
    def closings(self) -> dict[str, np.ndarray]:
        """Work (n,) of the gentle closing of each joint since the start, by its name; it stays booked when the closing is over."""
        booked: dict[str, np.ndarray] = {}
        if self._part is not None and not self._part.works:
            return booked
        for segment, span in zip(self._run.segments, self._run.spans):
            for name, work in zip(segment.closings, segment.samples["work"].T[3:]):
                total = booked.setdefault(name, np.zeros(len(self._run)))
                # Only what is added within a segment counts, whether or not its column begins where that of the segment before ended.
                total[span] += work - work[:1]
                total[span.stop :] += work[-1:] - work[:1]
        return booked

    @property
    def closing(self) -> np.ndarray:
        """Work of all gentle closings since the start."""
        return sum(self.closings.values(), np.zeros(len(self._run)))

    # -- edits

    @cached_property
    def _jumps(self) -> np.ndarray:
        """(edits,) energy that each edit added in an instant: mechanical energy after − before, the works being the same."""
        total = self.mechanical + self.dissipated - self.drives - self.applied
        after = [span.start for span in self._run.spans[1:]]
        return np.array([total[i] - total[i - 1] for i in after])

    @cached_property
    def edits(self) -> np.ndarray:
        """Energy added by edits since the start: with the bodies, springs and masses that came and went, in the instant of the edit."""
        lengths = [len(segment) for segment in self._run.segments]
        return np.repeat(np.cumsum([0.0, *self._jumps]), lengths)

    @cached_property
    def by_edit(self) -> dict[str, float]:
        """Energy [J] by the label of the edit that added it (the same label: their sum), then by the joint whose closing did."""
        booked = [(edit.label, float(jump)) for edit, jump in zip(self._run.edits, self._jumps)]
        booked += [(joint, float(work[-1])) for joint, work in self.closings.items() if len(work)]
        totals: dict[str, float] = {}
        for label, energy in booked:
            totals[label] = totals.get(label, 0.0) + energy
        return totals

    # -- the audit

    @property
    def balance(self) -> np.ndarray:
        """Mechanical + dissipated − works − initial mechanical energy: zero for an exact solution."""
        total = self.mechanical + self.dissipated - self.drives - self.applied - self.closing - self.edits
        return total - total[:1]  # also if there are no samples

    @cached_property
    def scale(self) -> float:
        """What errors are compared with: the largest swing of kinetic, gravitational or elastic energy, or work."""
        if not len(self._run):
            return 1.0
        works = (self.dissipated, self.drives, self.applied, self.closing)
        swings = [np.ptp(x) for x in (self.kinetic, self.gravitational, self.elastic, *works)]
        # of something that stays where it is only rounding swings, which is no measure: nine digits above it is
        rounding = 1e-9 * max(np.abs(self.gravitational).max(), np.abs(self.elastic).max())
        return float(max([*swings, np.abs(self.kinetic).max(), rounding, 1e-300]))

    @property
    def error(self) -> np.ndarray:
        """Balance relative to :attr:`scale`."""
        return self.balance / self.scale


# -- of one segment


def moving(run: Result, part: Part | None) -> list[BodyRow]:
    """The bodies of a part, or of the whole, that can move."""
    rows = run.model.bodies
    if part is not None:
        return [rows[run.model.body_rows.records[b].name] for b in part.bodies]
    return [row for row in rows.values() if row.kind.nv]


def _kinetic(run: Result, part: Part | None) -> np.ndarray:
    v = run.samples["v"]
    total = np.zeros(len(run))
    for row in moving(run, part):
        own = v[:, row.v]
        total += 0.5 * np.einsum("ni,ij,nj->n", own, row.kind.mass(), own)
    return total


def _gravitational(run: Result, part: Part | None) -> np.ndarray:
    g = np.zeros(3)
    g[: len(run.mechanism.gravity)] = run.mechanism.gravity
    total = np.zeros(len(run))
    for row in moving(run, part):
        position, rotation = row.kind.pose(run.samples["q"][:, row.q])
        total -= row.kind.properties.mass * (position + rotation @ row.kind.properties.centre) @ g
    return total


def _elastic(run: Result, part: Part | None) -> np.ndarray:
    own = np.arange(len(run.model.force_rows.records)) if part is None else part.forces
    return run.sweeper.forces(slice(0, 0))[2][:, own, 0].sum(axis=1) if len(own) else np.zeros(len(run))
