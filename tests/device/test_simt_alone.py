"""Operations of subgroups outside of parallel loops: a thread alone is lane 0, and there is no other lane."""

# mypy: disable-error-code="no-untyped-def, valid-type, no-untyped-call"
from __future__ import annotations

import operator
from functools import reduce
from typing import Any

import blocks
import numpy as np
import pytest
import qd

subgroup = qd.simt.subgroup
Array = qd.types.ndarray()


@pytest.fixture(autouse=True)
def _start(arch: str) -> None:
    blocks.start(arch)


@qd.kernel
def of_lane(x: Array, out: Array):
    """Each operation on the thread of a serial loop. Lane 1, which is not there, gives the thread's own value."""
    qd.loop_config(serialize=True)
    for i in range(x.shape[0]):
        out[i, 0] = subgroup.invocation_id()
        out[i, 1] = subgroup.shuffle(x[i], 0)
        out[i, 2] = subgroup.shuffle(x[i], 1)
        out[i, 3] = subgroup.shuffle_up(x[i], 1) + subgroup.shuffle_down(x[i], 1) + subgroup.shuffle_xor(x[i], 3)
        out[i, 4] = subgroup.broadcast_first(x[i])
        out[i, 5] = qd.cast(subgroup.ballot(x[i] > 20), qd.i32)
        out[i, 6] = subgroup.elect()
        out[i, 7] = subgroup.all_true(x[i] > 20)
        out[i, 8] = subgroup.any_true(x[i] > 20)
        out[i, 9] = subgroup.inclusive_add(x[i])
        out[i, 10] = subgroup.exclusive_add(x[i])
        out[i, 11] = subgroup.reduce_max(x[i])
        out[i, 12] = subgroup.group_size()
        subgroup.sync()
        subgroup.mem_fence()


def test_each_operation() -> None:
    x, out = np.array([10, 20, 30], np.int32), np.full((3, 13), -1, np.int32)
    of_lane(x, out)
    assert out.tolist() == [[0, v, v, 3 * v, v, v > 20, 1, v > 20, v > 20, v, 0, v, subgroup.group_size()] for v in x.tolist()]


@qd.kernel
def without_loop(x: Array) -> qd.i32:
    return subgroup.shuffle(x[0], subgroup.invocation_id()) + subgroup.inclusive_mul(x[1])


def test_without_loop() -> None:
    assert without_loop(np.array([3, 4], np.int32)) == 7


@qd.kernel
def under_a_condition(x: Array):
    qd.loop_config(serialize=True)
    for i in range(x.shape[0]):
        batched = False
        if batched:
            x[i] = subgroup.shuffle(x[i], qd.u32(subgroup.invocation_id() >> 5 << 5))
        x[i] += 1


def test_under_a_condition_that_is_false() -> None:
    x = np.arange(4, dtype=np.int32)
    under_a_condition(x)
    assert x.tolist() == [1, 2, 3, 4]


@qd.func
def neighbour(x: Array, i):
    return subgroup.shuffle_up(x[i], 1)


@qd.func
def shifted(x: Array, out: Array):
    """A loop that is parallel in one kernel, and serial in another."""
    for i in range(x.shape[0]):
        if subgroup.any_true(x[i] >= 0):
            out[i] = neighbour(x, i)


@qd.kernel
def in_parallel(x: Array, out: Array):
    shifted(x, out)


@qd.kernel
def one_after_the_other(x: Array, out: Array, n: qd.i32):
    qd.loop_config(serialize=True)
    for _ in range(n):
        shifted(x, out)


def test_func_in_both_kinds_of_loops() -> None:
    x = np.arange(256, dtype=np.int32)
    out = np.full(256, -1, np.int32)
    in_parallel(x, out)
    assert out.tolist() == [v if v % subgroup.group_size() == 0 else v - 1 for v in x.tolist()]
    one_after_the_other(x, out, 2)
    assert out.tolist() == x.tolist()


@qd.kernel
def sums(x: Array) -> qd.i32:
    total = 0
    qd.loop_config(serialize=True)
    for i in range(x.shape[0]):
        total += subgroup.inclusive_add(x[i]) * (subgroup.invocation_id() + 1)
    return total


def test_value_of_a_serial_loop() -> None:
    x = [5, 6, 7]
    assert sums(np.array(x, np.int32)) == reduce(operator.add, x)


def test_host() -> None:
    function: Any
    for function, given in ((subgroup.shuffle, (1, 0)), (subgroup.ballot, (1,)), (subgroup.invocation_id, ()), (subgroup.sync, ())):
        with pytest.raises(qd.KernelRuntimeError, match="works in kernels only"):
            function(*given)
