"""A glue under way: one step after the other, what is written down, and what happens when something fails."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

import numpy as np

from ..errors import AssemblyError, ComponentError, GluingError, SimulationError
from ..interrupts import Interrupts
from ..simulation import progress_bar
from .carried import Carried
from .closing import Closing, Step
from .component import FORCE
from .member import Member
from .network import End, Joint, Network
from .part import Part
from .result import Dropped, GlueResult, JointRecord, Log

__all__ = ["Journey"]

STARTING = 10.0  # tolerances that points may be apart at the start


class Settings(Protocol):
    """What a glue says about how to go; asked at every step, so that it may be changed in a pause."""

    step: float
    tolerance: float
    iterations: int
    on_failure: str


class Journey:
    """Components and joints that are left, where they are, and what they did until now."""

    def __init__(self, members: dict[str, Member], joints: dict[str, Joint], settings: Settings) -> None:
        self.time = 0.0  #: the present [s]
        self._settings = settings
        self._all = dict(members), dict(joints)  # also those that were dropped
        self._members, self._joints = members, joints
        for member in members.values():
            member.locate()
        for joint in joints.values():
            self._check_start(joint)
        self._network = self._new_network()
        self._carried = Carried(members)
        self._start = self._end = self._h = self._interval = 0.0
        self._done, self._steps, self._every = 0, 0, 1
        self._status = "finished"
        self._failure: SimulationError | None = None
        self._dropped: list[Dropped] = []
        self._interrupts = Interrupts()
        self._log = Log()
        self._last: tuple[dict[End, np.ndarray], dict[End, np.ndarray]] | None = None  # motions and forces of the last step

    def _new_network(self) -> Network:
        for member in self._members.values():
            member.response = None  # joints may ask for responses that nobody has asked for yet
        return Network(self._members, list(self._joints.values()))

    def _check_start(self, joint: Joint) -> None:
        """Refuse a joint whose ends do not meet: no force could bring them together in a moment."""
        settings, first = self._settings, joint.ends[0]
        x, v = self._members[first.component].start[first.port]
        for end in joint.ends[1:]:
            position, velocity = self._members[end.component].start[end.port]
            apart, faster = np.linalg.norm(position - x), np.linalg.norm(velocity - v)
            if apart > STARTING * settings.tolerance:
                raise AssemblyError(
                    f"{joint}: at the start port {first} is at {_shown(x)} and port {end} at {_shown(position)}, {apart:.3g} m apart. "
                    "Describe both at the same place."
                )
            if settings.step * faster > STARTING * settings.tolerance:
                raise AssemblyError(
                    f"{joint}: port {first} starts with {_shown(v)} m/s and port {end} with {_shown(velocity)} m/s. "
                    "Let both start with the same velocity."
                )

    # -- going

    def set_out(self, duration: float, interval: float) -> None:
        """Aim for a time ``duration`` from now, and take a sample every ``interval`` seconds or more often."""
        self._start, self._end, self._interval, self._done = self.time, self.time + duration, interval, 0
        self._steps = max(int(np.ceil(duration / self._settings.step * (1 - 1e-12))), 1)
        h = duration / self._steps
        if abs(h - self._h) > 1e-6 * h:  # responses are those to a step of another length
            self._log.forces_jump()
            for member in self._members.values():
                member.response = None
        self._h = h
        self._every = max(1, int(interval / h * (1 + 1e-9)))
        while self._steps % self._every:
            self._every -= 1

    def set_out_again(self) -> None:
        """Aim for the same time from where it is; the length of the steps may have been changed."""
        self.set_out(self._end - self.time, self._interval)

    @property
    def arrived(self) -> bool:
        """Whether the time it was to go to is reached."""
        return self._done >= self._steps

    def go(self, progress: bool | Callable[[float], None]) -> GlueResult:
        """There, or as far as it gets."""
        bar = progress_bar(progress)
        self._status, self._failure = "finished", None
        try:
            with self._interrupts:  # between two steps
                while not self.arrived and self._status == "finished":
                    self._step()
                    bar.update(self._done / self._steps)
                    self._interrupts.check()
        except KeyboardInterrupt:
            self._status = "interrupted"
            self._write_last()
        finally:
            bar.close()
        return self.result()

    def _step(self) -> None:
        net, h = self._network, self._h
        closing = Closing(net, self._settings.tolerance, self._settings.iterations)
        try:
            step = closing.step(self.time, h, self._carried.guess(net, h), self._carried.owed(net, h))
        except (ComponentError, GluingError) as error:
            self._back(closing)
            self._failed(error)
        except KeyboardInterrupt:  # the second one in a row
            self._back(closing)
            raise
        else:
            self._accept(step)

    def _accept(self, step: Step) -> None:
        motions, forces = self._motions_and_forces(step)
        self._log.take(forces)
        if not self._log.time:
            start = {end: self._members[end.component].start[end.port] for end in motions}
            self._log.write(self.time, start, forces, start=True)
        self._carried.keep(self._network, self._h, step)
        for end, motion in motions.items():
            self._members[end.component].start[end.port] = motion
        self._done += 1
        self.time = self._start + self._done * self._h
        self._log.iterations.append(step.evaluations)
        self._log.probes.append(step.probes)
        self._last = motions, forces
        if self._done % self._every == 0:
            self._write_last()

    def _write_last(self) -> None:
        """Take a sample at the end of the last step, unless there is one: nothing that was computed is lost where a journey stops."""
        if self._last is not None and self._log.time[-1] < self.time:
            self._log.write(self.time, *self._last)

    def _motions_and_forces(self, step: Step) -> tuple[dict[End, np.ndarray], dict[End, np.ndarray]]:
        """Of every port its motion at the end of a step, and the forces on it at its start and end, (2, n) each."""
        motions, forces = {}, {}
        for member in self._network.members:
            for end in (End(member.name, port) for port in member.ports):
                u, y = self._network.of(end, step.u), self._network.of(end, step.y)
                moved, forces[end] = (y, u) if member.accepts == FORCE else (u, y)
                motions[end] = np.array([moved[0], moved[1] / self._h])
        return motions, forces

    # -- failing

    def _back(self, closing: Closing) -> None:
        """All components to the start of the step, as far as they can."""
        if closing.begun:
            for member in self._members.values():
                with suppress(ComponentError):
                    member.restore()

    def _failed(self, error: ComponentError | GluingError) -> None:
        self._write_last()
        if self._settings.on_failure == "continue":
            self._drop(error)
            return
        self._failure = error
        self._status = "paused"
        if self._settings.on_failure == "raise":
            self._status = "failed"
            error.result = self.result()
            error.args = (f"{error} What was computed until then ({len(error.result)} samples) is in the error's result.",)
            raise error

    def _drop(self, error: ComponentError | GluingError) -> None:
        """Go on without a component and what it holds, or without a joint."""
        component = error.component if isinstance(error, ComponentError) else ""
        if isinstance(error, GluingError):
            opened = [self._joints[error.joint]]
        else:
            self._members.pop(component).close()
            opened = [joint for joint in self._joints.values() if any(end.component == component for end in joint.ends)]
        for joint in opened:
            left = tuple(end for end in joint.ends if end.component != component)
            self._joints[joint.name] = replace(joint, ends=left)
            if len(left) < 2 or not component:
                del self._joints[joint.name]
        self._dropped.append(Dropped(self.time, component, tuple(joint.name for joint in opened), str(error)))
        if not self._members:
            self._failure, self._status = error, "failed"
            raise ComponentError(f"{error} No component is left.", self.result(), component=component) from error
        self._network = self._new_network()
        self._log.forces_jump()

    # -- what came of it

    def result(self) -> GlueResult:
        """Everything until now."""
        members, joints = self._all
        ports = self._log.ports()
        opened = {name: each.time for each in self._dropped for name in each.joints if name not in self._joints}
        parts = {name: m.component.result() for name, m in members.items() if isinstance(m.component, Part)}
        records = {}
        for name, joint in joints.items():
            ends = self._joints.get(name, joint).ends
            if all(end in ports for end in ends):  # not if it was lost before there was a sample
                records[name] = JointRecord(name, {end: ports[end] for end in ends}, opened.get(name, np.inf))
        return GlueResult(
            time=np.array(self._log.time),
            joints=records,
            ports=ports,
            parts=parts,
            iterations=np.array(self._log.iterations, dtype=int),
            probes=np.array(self._log.probes, dtype=int),
            dropped=tuple(self._dropped),
            failure=self._failure,
            info={"status": self._status, "step": self._h, "tolerance": self._settings.tolerance},
        )


def _shown(vector: np.ndarray) -> str:
    return f"({', '.join(f'{x:.9g}' for x in vector)})"
