"""Control of graph kernels on arch=qd.python: the passes of their do-whiles, and the checkpoints that run."""

from __future__ import annotations

import enum
import pickle
from collections.abc import Iterable
from typing import Any

import numpy as np

from qdcov import _execution
from qdcov._arrays import tensor
from qdcov._errors import KernelSyntaxError
from qdcov._interpreter.changes import MethodCall, changes
from qdcov._interpreter.places import load
from qdcov._scalars.semantics import PLAIN, values
from qdcov._scalars.value import Compound

_MARK = b"qd.python 1\n"


class _Last(enum.Enum):
    """State of the last checkpoint."""

    RAN = 0
    RESUMED = 1  # skipped, as it stands before the one that is resumed
    PASSED = 2  # skipped, as one before it has yielded


class Launch:
    """One launch of a graph kernel. `resume_from` is a label; `state` the outcome of an earlier launch."""

    def __init__(self, resume_from: int | None = None, state: bytes | None = None) -> None:
        self.resume_from = resume_from  # None once it is reached
        self.yielded: int | None = None
        self.value = 0
        self.unrolled: list[int] = []  # the iterations of loops with qd.static around
        self.passes: set[int] = set()  # do-whiles whose body is running
        self.last = _Last.RAN
        self.kept: dict[tuple[int, ...], tuple[Any, ...]] = {}  # the variables behind each checkpoint
        if state:
            if not state.startswith(_MARK):
                raise RuntimeError("the status was given on another architecture: the launch can be resumed there alone")
            self.kept = pickle.loads(state[len(_MARK) :])

    def state(self) -> bytes:
        return _MARK + pickle.dumps(self.kept) if self.kept else b""


def repeats(number: int, flag: Any) -> bool:
    """The condition of a do-while: whether its body runs, for the first time or again."""
    launch: Launch = _execution.local.graph
    if number not in launch.passes:
        launch.passes.add(number)
        return True
    if launch.yielded is None and _number(flag) != 0:
        launch.resume_from = None
        return True
    launch.passes.remove(number)
    return False


def enters(number: int, label: int | None) -> bool:
    """Whether the body of a checkpoint runs."""
    launch: Launch = _execution.local.graph
    if launch.yielded is not None:
        launch.last = _Last.PASSED
    elif launch.resume_from is not None and launch.resume_from != label:
        launch.last = _Last.RESUMED
    else:
        launch.last = _Last.RAN
        launch.resume_from = None
    return launch.last is _Last.RAN


def gated(number: int, things: Iterable[Any]) -> Iterable[Any]:
    """The iterable of a loop that is a checkpoint: empty when it is skipped."""
    return things if enters(number, None) else ()


def leaves(number: int, label: int | None, flag: Any, calls: list[list[Any]], *variables: Any) -> tuple[Any, ...]:
    """The end of a checkpoint. Looks at the flag when it ran; gives the variables that it may have changed, as they are after it. If there are
    calls for a variable, only these methods may have."""
    launch: Launch = _execution.local.graph
    place = (*launch.unrolled, number)
    if launch.last is _Last.PASSED:
        return variables
    if launch.last is _Last.RESUMED:
        kept = launch.kept.get(place, ())
        return tuple(_restored(old, now) for old, now in zip(kept, variables)) if len(kept) == len(variables) else variables
    if variables:
        changed = [not methods or any(changes(variable, MethodCall(*call)) for call in methods) for variable, methods in zip(variables, calls)]
        launch.kept[place] = tuple(values(x) if is_changed and _is_value(x) else None for x, is_changed in zip(variables, changed))
    if flag is not None and (value := _number(flag)) != 0:
        launch.yielded, launch.value = label, value
    return variables


def unrolled(things: Iterable[Any]) -> Iterable[Any]:
    """The iterable of a loop with qd.static: checkpoints in it are others in each iteration."""
    return _execution.numbered(things, _execution.local.graph.unrolled)


def concurrent(message: str, things: Iterable[Any]) -> Iterable[Any]:
    """The iterable of a loop of a block of streams."""
    if _execution.local.serial:
        raise KernelSyntaxError(message)
    return things


def _number(flag: Any) -> int:
    return int(load(tensor.unwrapped(flag), ()))


def _restored(old: Any, now: Any) -> Any:
    """The old value of a variable, in the type that it has: a pickled struct knows none of its methods."""
    if old is None:
        return now
    if isinstance(now, (tuple, list)):
        return type(now)(map(_restored, old, now))
    return now._like(old) if isinstance(now, Compound) else values(old)


def _is_value(x: Any) -> bool:
    """Whether a variable holds a number or something made of numbers, not an array."""
    if isinstance(x, (tuple, list)):
        return all(_is_value(item) for item in x)
    return isinstance(x, (np.generic, *PLAIN, Compound))
