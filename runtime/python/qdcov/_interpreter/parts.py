"""Parts of arrays, for tiles on arch=qd.python: ``A[r0:r1, c0:c1]``, ``A[b, r0:r1, c0:c1]``, and columns, ``A[r0:r1, c]``."""

from __future__ import annotations

from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._errors import KernelIndexError, KernelSyntaxError, KernelTypeError, counted, counted_are
from qdcov._interpreter import objects, places
from qdcov._scalars import callstack
from qdcov._scalars.value import Compound, Memory, Reference
from qdcov.simt._block_threads import current
from qdcov.simt._tiles import is_tile

_FORMS = "a tile takes the part `A[r0:r1, c0:c1]` of an array or `A[b, r0:r1, c0:c1]`, and a column is `A[r0:r1, c]` or `A[b, r0:r1, c]`"


def load_part(array: Any, index: Any) -> Any:
    """Loads ``array[index]`` with slices among the indices: a column of an array, a part of a matrix."""
    if not _is_array(array) or objects.is_captured(array):
        return places.load(array, index)
    batch, rows, columns = _checked(array, index)
    if isinstance(columns, slice):
        raise KernelSyntaxError(f"{callstack.place()}a part of an array is no value: load it into a tile, tile[:] = A[r0:r1, c0:c1]")
    thread = current("a column of an array")
    if thread.block.dim not in (16, 32):
        what = "a column of an array has a number for each thread, as a tile has a row"
        raise KernelTypeError(f"{callstack.place()}{what}: the loop needs qd.loop_config(block_dim=...) with 16 or 32, not {thread.block.dim}")
    row = rows.start + thread.number
    if 0 <= row < min(rows.stop, array.shape[len(batch)]):
        return places.load(array, (*batch, row, columns))
    return _dtypes.convert(0, _dtypes.require(array.dtype))


def store_part(new: Any, array: Any, index: Any) -> None:
    """Stores ``array[index] = new``, with an index that is ``:`` or has slices."""
    if not _is_array(array):
        if is_tile(array):
            raise KernelTypeError(f"{callstack.place()}`tile[:] =` takes a part of an array, A[r0:r1, c0:c1], not {_text(new)}")
        places.store(new, array, index)
    elif isinstance(index, slice):
        places.store(new, array, index)
    elif not is_tile(new):
        raise KernelTypeError(f"{callstack.place()}what a part of an array is assigned is a tile, not {_text(new)}")
    else:
        _move(new, "_store", array, index)


def load_tile(tile: Any, array: Any, index: Any) -> None:
    """Loads ``tile[:] = array[index]``, with slices in the index."""
    if not is_tile(tile):
        store_part(load_part(array, index), tile, slice(None))
    elif not _is_array(array):
        store_part(places.load(array, index), tile, slice(None))
    else:
        _move(tile, "_load", array, index)


def _move(tile: Any, method: str, array: Any, index: Any) -> None:
    batch, rows, columns = _checked(array, index)
    if not isinstance(columns, slice):
        raise KernelSyntaxError(f"{callstack.place()}{_FORMS}")
    call = tile._type.methods[f"{method}_of_batch" if batch else method]
    call(Reference(tile), array, *batch, rows.start, rows.stop, columns.start, columns.stop)


def _checked(array: Any, index: tuple[Any, ...]) -> tuple[tuple[Any, ...], slice, Any]:
    """The batch, in a tuple if there is one, the rows and the columns, or the column, of a part of an array."""
    where = callstack.place
    batch = index[:1] if len(index) == 3 and not isinstance(index[0], slice) else ()
    if len(index) != len(batch) + 2 or not isinstance(index[-2], slice):
        raise KernelSyntaxError(f"{where()}{_FORMS}")
    if not isinstance(array, np.ndarray) and getattr(array, "element_shape", None) != ():
        raise KernelTypeError(f"{where()}a tile has numbers, which {_text(array)} has not")
    if any(getattr(array, "_offset", ())):
        raise KernelTypeError(f"{where()}parts of a field with an offset cannot be loaded into tiles or stored")
    if len(array.shape) != len(index):
        raise KernelIndexError(f"{where()}the array has {counted(len(array.shape), 'axis')}, but {counted_are(len(index), 'index')} given")
    for part in index:
        if isinstance(part, slice) and (part.start is None or part.stop is None or part.step is not None):
            wrong = "has no step" if part.step is not None else "needs both bounds"
            raise KernelSyntaxError(f"{where()}a part of an array {wrong}: write A[r0:r1, c0:c1]")
        for bound in (part.start, part.stop) if isinstance(part, slice) else (part,):
            if not isinstance(bound, (int, np.integer)):
                raise KernelTypeError(f"{where()}indices must be integers, not {_text(bound)}")
            if type(bound) is int and bound < 0:
                raise KernelIndexError(f"{where()}negative indices are not supported")
    return batch, index[-2], index[-1]


def _is_array(thing: Any) -> bool:
    return isinstance(thing, (np.ndarray, Memory)) and not isinstance(thing, Compound)


def _text(thing: Any) -> str:
    return thing._text() if isinstance(thing, Compound) else type(thing).__name__
