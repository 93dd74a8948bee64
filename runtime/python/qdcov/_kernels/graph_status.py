"""qd.GraphStatus: the place where a launch of a kernel with checkpoints has stopped, to resume it there."""

from __future__ import annotations

import inspect
import types
from typing import Any, NamedTuple

from qdcov import _annotated
from qdcov._errors import KernelSyntaxError
from qdcov._kernels import graph_source

Outcome = tuple["int | None", int, bytes]
"""Outcome of a launch: the label of the checkpoint that yielded, the value of its flag, and the state for a launch that goes on there."""


class Origin(NamedTuple):
    """The kernel that gave a status."""

    module: str
    name: str
    version: str


class GraphStatus:
    """The result of a call of a kernel with checkpoints. It can be pickled, and the launch resumed in another process, with arrays of equal contents.

    Two are equal that have the same place where a launch stopped."""

    __slots__ = ("_checkpoint", "_origin", "_state", "_why", "_yielded")

    def __init__(self, yielded: bool, checkpoint: Any = None, why: tuple[str, int] | None = None) -> None:
        self._yielded = bool(yielded)
        self._checkpoint = checkpoint
        self._why = why
        self._origin: Origin | None = None
        self._state = b""

    @property
    def yielded(self) -> bool:
        """Whether a checkpoint has yielded: no loop behind it ran."""
        return self._yielded

    @property
    def checkpoint(self) -> Any:
        """The label of the checkpoint that yielded, as the program wrote it; None when none did."""
        return self._checkpoint

    @property
    def why(self) -> tuple[str, int] | None:
        """The flag of that checkpoint, by the name that it has in the kernel, and its value."""
        return self._why

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphStatus) and (self._yielded, self._checkpoint) == (other._yielded, other._checkpoint)

    def __hash__(self) -> int:
        return hash((self._yielded, self._checkpoint))

    def __repr__(self) -> str:
        if not self._yielded:
            return "GraphStatus(yielded=False)"
        why = "" if self._why is None else f", why={self._why!r}"
        return f"GraphStatus(yielded=True, checkpoint={self._checkpoint!r}{why})"


class Resumable:
    """The launcher of a kernel with checkpoints: `launch` gives outcomes, this makes statuses of them and keeps the last one's state."""

    def __init__(self, function: types.FunctionType, launch: Any) -> None:
        self._function = function
        self._launch = launch
        self._checkpoints = graph_source.checkpoints(function)
        self._origin = Origin(function.__module__, function.__qualname__, graph_source.version(function))
        self._state: bytes | None = None

    @property
    def observations(self) -> Any:
        """Observations of the caches; see `observations`."""
        return getattr(self._launch, "observations", {})

    def __call__(self, *args: Any, **kwargs: Any) -> GraphStatus:
        return self._status(self._launch(*args, **kwargs))

    def resume(self, start: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> GraphStatus:
        """Launches from a checkpoint on: that of a status, or of a label."""
        state = self._state
        if isinstance(start, GraphStatus):
            start, state = self._stop(start), start._state
        if not isinstance(start, int) or isinstance(start, bool):
            raise RuntimeError(f"{self._what()}: from_checkpoint is a label, which is an integer, or a status, not {start!r}")
        if start not in self._checkpoints:
            known = ", ".join(repr(checkpoint.label) for checkpoint in self._checkpoints.values()) or "none"
            raise RuntimeError(f"{self._what()}: there is no checkpoint {start!r} in the kernel; its checkpoints are: {known}")
        return self._status(self._launch.resume(int(start), state, args, kwargs))

    def _stop(self, status: GraphStatus) -> Any:
        """The label in a status. Raises when the status is none of this kernel as it is now."""
        if not status.yielded:
            raise RuntimeError(f"{self._what()}: the status says that no checkpoint has yielded: there is nothing to resume")
        of = status._origin
        if of is None:
            raise RuntimeError(f"{self._what()}: no launch gave this status: pass a label, or what a call of the kernel gave")
        modules = {of.module, self._origin.module}
        if of.name != self._origin.name or (len(modules) > 1 and "__main__" not in modules):  # a program is __main__ to itself alone
            raise RuntimeError(f"{self._what()}: the status is one of another kernel, {of.module}.{of.name}")
        if of.version != self._origin.version:
            raise RuntimeError(f"{self._what()}: the source of the kernel has changed since the status was given: launch it anew")
        return status.checkpoint

    def _what(self) -> str:
        return f"{self._function.__qualname__}.resume"

    def _status(self, outcome: Outcome) -> GraphStatus:
        label, value, self._state = outcome
        status = GraphStatus(False)
        if label is not None:
            checkpoint = self._checkpoints[label]
            status = GraphStatus(True, checkpoint.label, (checkpoint.flag, value))
        status._origin, status._state = self._origin, self._state
        return status


def check_decorated(function: types.FunctionType, graph: bool, checkpoints: bool) -> None:
    """Refuses functions that cannot be kernels with these options."""
    name = function.__qualname__
    if checkpoints and not graph:
        raise KernelSyntaxError(f"@qd.kernel(checkpoints=True): {name} needs graph=True, too: only graph kernels have checkpoints")
    if graph and function.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise KernelSyntaxError(f"@qd.kernel(graph=True): {name} is a generator or a coroutine, which no kernel is")
    if graph and _annotated.of_function(function).get("return") not in (None, "None"):
        raise KernelSyntaxError(f"@qd.kernel(graph=True): {name} has a result; a graph kernel has none: it writes what it finds into an ndarray")
