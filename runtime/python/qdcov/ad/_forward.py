"""FwdMode: launches that compute derivatives beside their results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from qdcov import _runtime
from qdcov._arrays.arrays import Array, Field
from qdcov._arrays.tensor import unwrapped
from qdcov._errors import KernelRuntimeError, counted
from qdcov._kernels.decorators import Kernel
from qdcov.ad import _gradients, _recording


class FwdMode:
    """A ``with`` statement whose launches compute the derivative of `loss` by `param` in the direction `seed`::

        with qd.ad.FwdMode(loss, x, seed=[1.0, 0.0, 0.0]):
            measure()
        loss.dual  # the derivative of loss by x[0]

    `loss` is a field of numbers, or a list of such, and `param` a field of numbers; both have a dual (``needs_dual=True``). `seed` has a number for
    each element of `param`, in C order; with one element it may be left out, and is 1. At the beginning the duals of all fields become 0, unless
    `clear_gradients` is False; at the end those of `param` do. It is entered once, and holds for this thread alone."""

    def __init__(self, loss: Any, param: Any, seed: Sequence[float] | None = None, clear_gradients: bool = True) -> None:
        self._losses = [unwrapped(one) for one in (loss if isinstance(loss, (list, tuple)) else [loss])]
        self._param = unwrapped(param)
        self._seed = seed
        self._clear_gradients = clear_gradients
        self._entered = False

    def __enter__(self) -> FwdMode:
        if self._entered:
            raise KernelRuntimeError("Forward mode manager can be entered only once.")
        if _runtime.running().native is None:
            raise KernelRuntimeError("qd.ad.FwdMode: automatic differentiation is for compiled kernels, and arch=qd.python compiles none")
        for what, field in [*(("loss", loss) for loss in self._losses), ("param", self._param)]:
            _check(what, field)
        seed = self._direction()
        _recording.open_recorder(self, "FwdMode")
        self._entered = True
        if self._clear_gradients:
            _gradients.clear("dual")
        self._param.dual.from_numpy(seed)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        _recording.close_recorder()
        self._param.dual.fill(0.0)

    def _direction(self) -> Any:
        """The seed in the shape of the parameter."""
        shape: tuple[int, ...] = self._param.shape
        count = math.prod(shape)
        if self._seed is None or np.size(self._seed) == 0:
            if count != 1:
                raise KernelRuntimeError(
                    f"`seed` is not set for non 0-D field, please specify: a list of {count} numbers, the direction in which the derivative by "
                    f"{self._param!r} is taken. [1, 0, ...] is the derivative by the first element, [1, 1, ...] the sum of those by all"
                )
            return np.ones(shape)
        if np.size(self._seed) != count:
            raise KernelRuntimeError(f"`seed` has {counted(np.size(self._seed), 'number')}, but {self._param!r} has {counted(count, 'element')}")
        return np.asarray(self._seed, float).reshape(shape)

    def _launch(self, kernel: Kernel, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return kernel._in_mode("forward", args, kwargs)

    def _copied(self, to: Array, source: Array) -> None:
        if not isinstance(to, Field) or to.dual is None or not to.has_dual():
            return
        if isinstance(source, Field) and source.dual is not None and source.has_dual():
            to.dual.from_numpy(source.dual.to_numpy())
        else:
            to.dual.fill(0.0)


def _check(what: str, field: Any) -> None:
    if not isinstance(field, Field) or field.element_shape:
        raise KernelRuntimeError(f"The {what} of `FwdMode` must be a field of numbers, not {field!r}")
    field._live(True)
    if not field.has_dual():
        raise KernelRuntimeError(f"The {what} of `FwdMode` has no dual: make it with needs_dual=True, or place its .dual: {field!r}")
