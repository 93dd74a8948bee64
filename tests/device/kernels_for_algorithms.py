"""Kernels that call each of qd.algorithms, with as many elements as the host says."""

from __future__ import annotations

import qd
from qd import algorithms

Numbers = qd.types.ndarray(ndim=1)
Count = qd.types.ndarray(dtype=qd.i32, ndim=0)


def with_scratch(algorithm):
    """A kernel that calls a reduction or a scan."""

    @qd.kernel
    def work(x: Numbers, out: Numbers, scratch: Numbers, n: qd.i32, depth: qd.template()):
        algorithm(x, out, scratch, n, x.dtype, depth)

    return work


reduce_add, reduce_min, reduce_max = map(with_scratch, (algorithms.reduce_add, algorithms.reduce_min, algorithms.reduce_max))
scan_add, scan_min, scan_max = map(with_scratch, (algorithms.exclusive_scan_add, algorithms.exclusive_scan_min, algorithms.exclusive_scan_max))


@qd.kernel
def select(x: Numbers, flags: Numbers, out: Numbers, count: Numbers, scratch: Numbers, n: qd.i32, depth: qd.template()):
    algorithms.select(x, flags, out, count, scratch, n, depth)


@qd.kernel
def sort(keys: Numbers, tmp: Numbers, scratch: Numbers, n: Count, bits: qd.template(), depth: qd.template()):
    algorithms.sort(keys, tmp, keys, tmp, scratch, n, keys.dtype, False, bits, depth)


@qd.kernel
def sort_pairs(
    keys: Numbers, tmp: Numbers, values: Numbers, tmp_values: Numbers, scratch: Numbers, n: Count, bits: qd.template(), depth: qd.template()
):
    algorithms.sort(keys, tmp, values, tmp_values, scratch, n, keys.dtype, True, bits, depth)


@qd.kernel
def sums_by_key(
    keys: Numbers, values: Numbers, keys_out: Numbers, values_out: Numbers, runs: Numbers, scratch: Numbers, n: qd.i32, depth: qd.template()
):
    algorithms.reduce_by_key_add(keys, values, keys_out, values_out, runs, scratch, n, values.dtype, depth)


@qd.kernel
def slots(n: qd.i32, depth: qd.template(), out: Numbers):
    out[0] = algorithms.reduce_scratch_slots(n, depth)
    out[1] = algorithms.exclusive_scan_scratch_slots(n, depth)
    out[2] = algorithms.select_scratch_slots(n)
    out[3] = algorithms.reduce_by_key_scratch_slots(n)
    out[4] = algorithms.sort_scratch_slots(n, depth)


@qd.kernel
def nested(x: Numbers, out: Numbers, scratch: Numbers, n: qd.i32):
    if n > 3:
        algorithms.reduce_add(x, out, scratch, n, x.dtype, 2)


@qd.kernel
def wrong_dtype(x: Numbers, out: Numbers, scratch: Numbers, n: qd.i32):
    algorithms.reduce_add(x, out, scratch, n, qd.f64, 2)


@qd.kernel
def several(x: Numbers, total: Numbers, out: Numbers, scratch: Numbers, n: qd.i32):
    """An algorithm between other tasks, and one behind another."""
    for i in x:
        x[i] += 1
    algorithms.reduce_add(x, total, scratch, n, x.dtype, 2)
    algorithms.exclusive_scan_add(x, out, scratch, n, x.dtype, 2)
    for i in range(n):
        out[i] -= total[0]
