"""Algorithms over whole arrays: sums, scans, selection, sorting, sums by key.

They are funcs that a kernel calls at its top level, with scratch that the caller makes: `*_scratch_slots` tell its size. `parallel_sort` and
`PrefixSumExecutor`, for programs that have them, are called by the host."""

from __future__ import annotations

from typing import Any

from qdcov import _dtypes
from qdcov._arrays.making import ndarray
from qdcov._arrays.tensor import unwrapped
from qdcov._dtypes import i32
from qdcov.algorithms._groups import reduce_by_key_add as reduce_by_key_add
from qdcov.algorithms._groups import select as select
from qdcov.algorithms._scans import exclusive_scan_add as exclusive_scan_add
from qdcov.algorithms._scans import exclusive_scan_max as exclusive_scan_max
from qdcov.algorithms._scans import exclusive_scan_min as exclusive_scan_min
from qdcov.algorithms._scans import reduce_add as reduce_add
from qdcov.algorithms._scans import reduce_max as reduce_max
from qdcov.algorithms._scans import reduce_min as reduce_min
from qdcov.algorithms._scans import sum_up as _sum_up
from qdcov.algorithms._scratch import exclusive_scan_scratch_slots as exclusive_scan_scratch_slots
from qdcov.algorithms._scratch import reduce_by_key_scratch_slots as reduce_by_key_scratch_slots
from qdcov.algorithms._scratch import reduce_scratch_slots as reduce_scratch_slots
from qdcov.algorithms._scratch import select_scratch_slots as select_scratch_slots
from qdcov.algorithms._scratch import sort_scratch_slots as sort_scratch_slots
from qdcov.algorithms._sort import sort as sort
from qdcov.algorithms._sort import sort_arrays as _sort_arrays

_KEYS = (_dtypes.i32, _dtypes.u32, _dtypes.f32, _dtypes.i64, _dtypes.u64, _dtypes.f64)


def parallel_sort(keys: Any, values: Any = None) -> None:
    """Sorts the elements of a field or ndarray with one axis, the least first, and those of `values` along with them; equal keys keep their order.

    Keys are numbers of type i32, u32, f32, i64, u64 or f64; values are numbers, as many as keys or more. -0.0 is before 0.0, NaN behind infinity.
    Raises TypeError and ValueError for other arrays. New programs call `sort` in a kernel, with temporary arrays of their own."""
    keys, values = unwrapped(keys), unwrapped(values)
    for what, array in (("keys", keys), ("values", values)):
        if array is None and what == "values":
            continue
        shape = getattr(array, "shape", None)
        if not isinstance(getattr(array, "dtype", None), _dtypes.DataType) or getattr(array, "element_shape", ()) != ():
            raise TypeError(f"parallel_sort sorts fields and ndarrays of numbers; {what} is {type(array).__name__}")
        if shape is None or len(shape) != 1:
            raise ValueError(f"parallel_sort sorts arrays with one axis; {what} has the shape {shape}")
    if keys.dtype not in _KEYS:
        raise TypeError(f"parallel_sort: keys are qd.i32, u32, f32, i64, u64 or f64, not {keys.dtype}")
    (n,) = keys.shape
    if values is not None and values.shape[0] < n:
        raise ValueError(f"parallel_sort: there are {n} keys and {values.shape[0]} values")
    if n < 2:
        return
    count = ndarray(i32, ())
    count[None] = n
    other_keys = ndarray(keys.dtype, n)
    other_values = other_keys if values is None else ndarray(values.dtype, n)
    scratch = ndarray(_dtypes.u32, sort_scratch_slots(n))
    bits = 64 if keys.dtype in (_dtypes.i64, _dtypes.u64, _dtypes.f64) else 32
    _sort_arrays(keys, other_keys, keys if values is None else values, other_values, scratch, count, values is not None, bits)


class PrefixSumExecutor:
    """Sums up the first `length` elements of arrays: each element becomes the sum of all up to and with it.

    New programs call `exclusive_scan_add` in a kernel."""

    def __init__(self, length: int) -> None:
        self.sorting_length = length
        self._scratch = ndarray(_dtypes.u32, exclusive_scan_scratch_slots(length))

    def run(self, input_arr: Any) -> None:
        """Sums up `input_arr`, a field or ndarray with one axis and elements of type i32, in place; sums wrap around. Raises RuntimeError for another
        type, and ValueError when it has fewer elements than `length`."""
        input_arr = unwrapped(input_arr)
        if getattr(input_arr, "dtype", None) != i32 or getattr(input_arr, "element_shape", ()) != ():
            raise RuntimeError("Only qd.i32 type is supported for prefix sum.")
        if len(input_arr.shape) != 1 or input_arr.shape[0] < self.sorting_length:
            raise ValueError(f"the prefix sum is one of {self.sorting_length} elements in a row; the array has the shape {input_arr.shape}")
        _sum_up(input_arr, self._scratch, self.sorting_length)
