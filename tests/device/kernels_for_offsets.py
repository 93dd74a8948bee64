"""Kernels that go over fields whose indices begin anywhere, and algorithms of them."""

from __future__ import annotations

import qd
from qd import algorithms

Any = qd.template()


@qd.kernel
def add_index(x: Any, weight: qd.i32):
    """Adds the sum of its weighted indices to each element."""
    for index in qd.grouped(x):
        at = 0
        for axis in qd.static(range(len(x.shape))):
            at = at * weight + index[axis]
        x[index] += at


@qd.kernel
def add_line(x: Any):
    """The same by a loop over the elements of a field with one axis."""
    for i in x:
        x[i] += i


@qd.kernel
def sort(keys: Any, tmp: Any, values: Any, tmp_values: Any, scratch: Any, n: Any):
    algorithms.sort(keys, tmp, values, tmp_values, scratch, n, keys.dtype, True, 32, 4)


@qd.kernel
def reduce_all(x: Any, total: Any, least: Any, most: Any, scratch: Any, n: qd.i32):
    algorithms.reduce_add(x, total, scratch, n, x.dtype, 4)
    algorithms.reduce_min(x, least, scratch, n, x.dtype, 4)
    algorithms.reduce_max(x, most, scratch, n, x.dtype, 4)


@qd.kernel
def scan_all(x: Any, sums: Any, least: Any, most: Any, scratch: Any, n: qd.i32):
    algorithms.exclusive_scan_add(x, sums, scratch, n, x.dtype, 4)
    algorithms.exclusive_scan_min(x, least, scratch, n, x.dtype, 4)
    algorithms.exclusive_scan_max(x, most, scratch, n, x.dtype, 4)


@qd.kernel
def select(x: Any, flags: Any, out: Any, count: Any, scratch: Any, n: qd.i32):
    algorithms.select(x, flags, out, count, scratch, n, 4)


@qd.kernel
def sums_by_key(keys: Any, values: Any, keys_out: Any, values_out: Any, count: Any, scratch: Any, n: qd.i32):
    algorithms.reduce_by_key_add(keys, values, keys_out, values_out, count, scratch, n, values.dtype, 4)
