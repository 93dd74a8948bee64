"""Stand-in for numba.guvectorize, as a plugin of pytest: the function runs as Python, which NUMBA_DISABLE_JIT alone does not do.

pytest -p python_gufuncs"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
from numba.np.numpy_support import as_dtype


class PythonGufunc:
    """A function over arrays, called as the one that Numba would make of `function`."""

    def __init__(self, function: Callable[..., None], signatures: Sequence[Any], layout: str) -> None:
        self._function = function
        self._types = [[getattr(kind, "dtype", kind) for kind in getattr(own, "args", own)] for own in signatures]
        sides = [re.findall(r"\(([^)]*)\)", side) for side in layout.split("->")]
        self._n_in = len(sides[0])
        first = getattr(signatures[0], "args", signatures[0]) if signatures else None
        self._scalars = [True] * self._n_in if first is None else [not hasattr(kind, "dtype") for kind in first]
        self._cores = [tuple(name.strip() for name in names.split(",") if name.strip()) for side in sides for names in side]

    def __call__(self, *arguments: Any, axis: int | None = None, axes: Any = None, out: Any = None, **_: Any) -> Any:
        given = [np.asarray(argument) for argument in arguments[: self._n_in]]
        places = self._places(axis, axes)
        given = [self._moved(array, number, places) for number, array in enumerate(given)]
        sizes: dict[str, int] = {}
        for array, core in zip(given, self._cores):
            sizes |= dict(zip(core, array.shape[array.ndim - len(core) :]))
        loops = [array.shape[: array.ndim - len(core)] for array, core in zip(given, self._cores)]
        loop = np.broadcast_shapes(*loops)
        dtypes = self._dtypes(arguments)
        # An operand may be written to, where the layout has no output.
        operands = [
            (array if own == loop else np.broadcast_to(array, loop + array.shape[len(own) :])).astype(dtype, copy=False)
            for array, own, dtype in zip(given, loops, dtypes)
        ]
        shapes = [loop + (tuple(sizes[name] for name in core) or (1,)) for core in self._cores[self._n_in :]]
        results = [np.zeros(shape, dtype) for shape, dtype in zip(shapes, dtypes[self._n_in :])]
        written = [*arguments[self._n_in :], *(out if isinstance(out, tuple) else [] if out is None else [out])]
        for result, array, number in zip(results, written, range(self._n_in, len(self._cores))):
            result[...] = self._moved(array, number, places).reshape(result.shape)
        for at in np.ndindex(loop):
            values = [array[at] if self._scalars[number] or self._cores[number] else array[at].reshape(1) for number, array in enumerate(operands)]
            self._function(*values, *(result[at] for result in results))
        for number, array in enumerate(results, self._n_in):
            own = array if self._cores[number] else array[..., 0]
            results[number - self._n_in] = np.moveaxis(own, range(-len(places[number]), 0), places[number]) if places[number] else own
        for array, result in zip(written, results):
            array[...] = result
        found = [written[number] if number < len(written) else result[()] for number, result in enumerate(results)]
        return found[0] if len(found) == 1 else tuple(found)

    def _places(self, axis: int | None, axes: Any) -> list[tuple[int, ...]]:
        """The axes of each operand over which the function itself goes."""
        if axes is not None:
            found = [tuple(np.atleast_1d(own).tolist()) for own in axes]
            return [*found, *(() for _ in self._cores[len(found) :])]
        return [() if not core else (axis,) if axis is not None and len(core) == 1 else tuple(range(-len(core), 0)) for core in self._cores]

    def _moved(self, array: Any, number: int, places: list[tuple[int, ...]]) -> Any:
        return np.moveaxis(array, places[number], range(-len(places[number]), 0)) if places[number] else array

    def _dtypes(self, arguments: Sequence[Any]) -> list[Any]:
        if not self._types:  # it is compiled for what it is called with, the arrays for its results among that
            return [np.asarray(argument).dtype for argument in arguments]
        for types in self._types:
            dtypes = [as_dtype(kind) for kind in types]
            if all(not hasattr(a, "dtype") or np.can_cast(a.dtype, dtype) for a, dtype in zip(arguments[: self._n_in], dtypes)):
                return dtypes
        raise TypeError("no loop of the function has these types")


def guvectorize(*arguments: Any, **_: Any) -> Callable[[Callable[..., None]], PythonGufunc]:
    *signatures, layout = arguments if len(arguments) == 1 else (*arguments[0], arguments[1])
    return lambda function: PythonGufunc(function, signatures, layout)


if numba.config.DISABLE_JIT:
    numba.guvectorize = guvectorize
