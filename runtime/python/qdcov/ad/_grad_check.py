"""Comparison of gradients with finite differences: the argument `grad_check` of a tape."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from qdcov import _dtypes, _runtime
from qdcov._arrays.arrays import Array, Field
from qdcov._arrays.tensor import unwrapped
from qdcov._errors import KernelAssertionError, KernelRuntimeError

_STEPS = [2.0**-n for n in range(3, 30, 2)]
_TOLERANCE = 0.01

Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


class GradCheck:
    """The check of one tape. Made before its first launch: the launches start from the present values of all arrays when they run again."""

    def __init__(self, loss: Any, fields: list[Any]) -> None:
        if not isinstance(fields, list) or not all(isinstance(unwrapped(field), Field) for field in fields):
            raise KernelRuntimeError("grad_check should be a list of fields that need to check gradients.")
        if not isinstance(loss, Field) or loss.dtype is not _dtypes.f64 or any(unwrapped(field).dtype is not _dtypes.f64 for field in fields):
            raise KernelRuntimeError("Only f64 is supported when checking grad.")
        for field in map(unwrapped, fields):
            if not field.has_grad():
                raise KernelRuntimeError(f"grad_check: {field!r} has no gradient; make it with needs_grad=True")
        self._loss = loss
        self._fields = [unwrapped(field) for field in fields]
        self._start = _values()

    def compare(self, calls: list[Call]) -> None:
        """Compares the gradients of the fields, and leaves all values as the tape has. KernelAssertionError for one that is wrong."""
        end = _values()
        random = np.random.default_rng(0)
        wrong = []
        for number, field in enumerate(self._fields):
            if field is self._loss:
                continue
            gradient = field.grad.to_numpy()
            direction = random.random(gradient.shape)
            error = min(self._error(field, float(np.sum(gradient * direction)), step, direction, calls) for step in _STEPS)
            if error > _TOLERANCE:
                wrong.append(f"variable {number} ({field.name or repr(field)}) has relative error {error:.3g}, expected relative error {_TOLERANCE}")
        _restore(end)
        if wrong:
            raise KernelAssertionError("Grad check failed: Not all variables pass grad check: " + "; ".join(wrong))

    def _error(self, field: Field, derivative: float, step: float, direction: npt.NDArray[np.float64], calls: list[Call]) -> float:
        """The relative difference between a derivative in a direction and the finite difference of this step."""
        below, above = (self._run(field, sign * step * direction, calls) for sign in (-1, 1))
        rounding = 8 * np.finfo(np.float64).eps * max(abs(below), abs(above)) / step
        difference = max(0.0, abs((above - below) / (2 * step) - derivative) - rounding)
        return difference / abs(derivative) if derivative else float(difference > 0)

    def _run(self, field: Field, change: npt.NDArray[np.float64], calls: list[Call]) -> float:
        """The loss of the launches for a changed field."""
        _restore(self._start)
        field.from_numpy(field.to_numpy() + change)
        for function, args, kwargs in calls:
            function(*args, **kwargs)
        return float(self._loss[None])


def _values() -> list[tuple[Array, npt.NDArray[Any]]]:
    """All arrays of the program but gradients and duals, with their elements."""
    arrays = [thing for thing in list(_runtime.State.owned) if isinstance(thing, Array) and thing._data is not None]
    companions = {id(companion) for array in arrays for companion in (array.grad, getattr(array, "dual", None))}
    return [(array, array.to_numpy()) for array in arrays if id(array) not in companions]


def _restore(values: list[tuple[Array, npt.NDArray[Any]]]) -> None:
    for array, elements in values:
        array.from_numpy(elements)
