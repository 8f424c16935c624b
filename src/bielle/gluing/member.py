"""A component among others: under its name, its numbers checked as they come, and what the glue knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import BielleError, ComponentError, DescriptionError
from ..mechanism.vectors import shown
from .component import FORCE, MOTION, Component

__all__ = ["Member"]

_RETURNS = {FORCE: "position and velocity at the end of the step", MOTION: "force at the start and at the end of the step"}
_METHODS = ("motion", "advance", "save", "restore")


class Member:
    """A component that was added to a glue. Whatever goes wrong in it is a ComponentError with its name."""

    def __init__(self, name: str, component: Component) -> None:
        self.name = name
        self.component = component
        what = f"component '{name}'"
        missing = [method for method in _METHODS if not callable(getattr(component, method, None))]
        missing += [attribute for attribute in ("accepts", "ports") if not hasattr(component, attribute)]
        if missing:
            raise DescriptionError(
                f"{what}: a component needs accepts, ports, {', '.join(_METHODS)}, but {shown(component)} has no {missing[0]}. "
                "See bielle.gluing.Component."
            )
        self.accepts = component.accepts
        if self.accepts not in (FORCE, MOTION):
            raise DescriptionError(f"{what}: accepts must be 'force' or 'motion', got {shown(self.accepts)}. Give one of these.")
        if not isinstance(component.ports, Mapping) or not component.ports:
            raise DescriptionError(
                f"{what}: ports must be a dictionary of names and sizes, got {shown(component.ports)}. Give at least one."
            )
        self.ports: dict[str, int] = dict(component.ports)
        for port, size in self.ports.items():
            if not isinstance(port, str) or isinstance(size, bool) or size not in (2, 3):
                raise DescriptionError(
                    f"{what}: a port has a name and 2 coordinates (planar) or 3 (spatial), got {shown(port)} and {shown(size)}. Correct it."
                )
        self.size = sum(2 * n for n in self.ports.values())  #: how many numbers go in over a step, and come out
        self.response: np.ndarray | None = None  #: ∂y/∂u (size, size) as far as it is known
        self.probe = 1e-6  #: size of the inputs that it is probed with [N or m]
        self.start: dict[str, np.ndarray] = {}  #: (2, n) position and velocity of each port at the start of the step
        self._elsewhere = all(callable(getattr(component, method, None)) for method in ("ask", "answer"))
        self._token: Any = None
        self._asked: tuple[float, float, dict[str, np.ndarray]] | None = None

    # -- calls

    @contextmanager
    def _naming(self, what: str, time: float | None = None) -> Any:
        when = "" if time is None else f" in the step from t = {time:.9g} s"
        try:
            yield
        except ComponentError as error:  # of a component elsewhere: it says itself what happened
            raise ComponentError(f"component '{self.name}': {error}{when and f' ({when.strip()})'}", component=self.name) from error
        except BielleError as error:
            raise ComponentError(f"component '{self.name}'{when}: {error}", component=self.name) from error
        except Exception as error:
            raise ComponentError(
                f"component '{self.name}': its {what} raised {type(error).__name__}: {error}{when and f',{when}'}. Mend the component.",
                component=self.name,
            ) from error

    def locate(self) -> None:
        """Ask where the ports are, at the start."""
        with self._naming("motion"):
            found = self.component.motion()
        self.start = self._checked(found, "motion", "position and velocity", "at the start")

    def save(self) -> None:
        """Remember the present state: that of the start of a step."""
        with self._naming("save"):
            self._token = self.component.save()

    def restore(self) -> None:
        """Back to what was saved last."""
        with self._naming("restore"):
            self.component.restore(self._token)

    def ask(self, time: float, step: float, u: np.ndarray) -> None:
        """Let it take a step with inputs u (size,); one that works elsewhere begins at once."""
        inputs, first = {}, 0
        for port, n in self.ports.items():
            block = u[first : first + 2 * n].reshape(2, n).copy()
            if self.accepts == MOTION:
                block = np.array([*self.start[port], block[0], block[1] / step])
            inputs[port] = block
            first += 2 * n
        self._asked = time, step, inputs
        if self._elsewhere:
            with self._naming("advance", time):
                self.component.ask(time, step, inputs)  # type: ignore[attr-defined]

    def answer(self) -> np.ndarray:
        """y (size,) of the step that was asked for."""
        assert self._asked is not None
        time, step, inputs = self._asked
        with self._naming("advance", time):
            if self._elsewhere:
                found = self.component.answer()  # type: ignore[attr-defined]
            else:
                found = self.component.advance(time, step, inputs)
        blocks = self._checked(found, "advance", _RETURNS[self.accepts], f"in the step from t = {time:.9g} s")
        scale = np.array([[1.0], [step]]) if self.accepts == FORCE else 1.0
        return np.concatenate([(scale * block).ravel() for block in blocks.values()])

    def close(self) -> None:
        """Nobody needs it any more."""
        close = getattr(self.component, "close", None)
        if callable(close):
            close()

    # -- what it returns

    def _checked(self, found: Any, method: str, meaning: str, when: str) -> dict[str, np.ndarray]:
        if not isinstance(found, Mapping):
            raise self._wrong(f"{method} must return a dictionary with its ports {', '.join(self.ports)}, got {shown(found)}", when)
        blocks = {}
        for port, n in self.ports.items():
            if port not in found:
                raise self._wrong(f"{method} returned nothing for port '{port}', only for {', '.join(map(str, found)) or 'none'}", when)
            expected = f"{method} must return 2 × {n} numbers for port '{port}', {meaning}"
            try:
                block = np.asarray(found[port])
                if block.dtype.kind not in "iuf":
                    raise TypeError
            except (TypeError, ValueError):
                raise self._wrong(f"{expected}, got {shown(found[port])}", when) from None
            if block.shape != (2, n):
                raise self._wrong(f"{expected}, got an array of the shape {block.shape}", when)
            if not np.isfinite(block).all():
                raise self._wrong(f"{expected}, got one that is not finite, {block.tolist()},", when)
            blocks[port] = block.astype(float)
        return blocks

    def _wrong(self, what: str, when: str) -> ComponentError:
        return ComponentError(f"component '{self.name}': its {what} {when}. Mend the component.", component=self.name)
