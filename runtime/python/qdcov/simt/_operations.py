"""The primitive operations of qd.simt. In a compiled kernel they are names only; on arch=qd.python this code runs.

Those that threads meet in have two forms: the function that programs name, and in its place the generator for a thread of arch=qd.python
(`MEETINGS`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import numpy as np

from qdcov import _dtypes, _execution, _runtime
from qdcov._arrays import arrays, bounds, options
from qdcov._errors import KernelTypeError
from qdcov._scalars import callstack, semantics
from qdcov._scalars.value import Compound
from qdcov._values import functions
from qdcov._values.matrix_type import MatrixType
from qdcov.simt._block_threads import GONE, Meeting, Scope, Steps, Thread, current, outside

MOST_BYTES = 1 << 20
"""Largest size of an array of a block, in bytes."""

SHUFFLE, BALLOT = "qd.simt.subgroup.shuffle()", "qd.simt.subgroup.ballot()"
"""Names in messages."""


def _meets(what: str) -> NoReturn:
    """The error of an operation in which the threads of a block meet, called outside of a thread: on the host, or outside of a loop with blocks."""
    current(what)
    raise AssertionError(f"{what} is no step of a thread")


def _alone(what: str) -> bool:
    """Whether an operation of a subgroup runs on one thread alone, outside of parallel loops: that lane is the only one. Raises KernelRuntimeError on
    the host."""
    if _execution.local.thread is None and _execution.inside():
        return True
    current(what)
    return False


def _meets_unless_alone(what: str) -> None:
    if not _alone(what):
        _meets(what)


# --- blocks ---


def block_sync() -> None:
    """Waits for the other threads of the block. Their earlier writes, to shared arrays and to memory, are seen after it.

    All threads of the block come to it, but for those whose iteration has ended: no condition around it differs between them."""
    _meets("qd.simt.block.sync()")


def block_mem_fence() -> None:
    """Memory fence: the thread's writes so far are seen by the other threads of its block before its later ones. Waits for no thread."""
    current("qd.simt.block.mem_fence()")


def thread_idx() -> Any:
    """The number of the thread in its block, i32: the number of the iteration modulo the loop's block_dim."""
    return np.int32(current("qd.simt.block.thread_idx()").number)


def block_global_thread_idx() -> Any:
    """The number of the iteration, i32; as `qd.global_thread_idx`."""
    return functions.global_thread_idx()


def SharedArray(shape: Any, dtype: Any) -> Any:
    """An array that the threads of a block share, and that other blocks do not see. It is indexed like an ndarray.

    `shape` is a positive integer or several, `dtype` the type of the elements: a number, a vector or a matrix. Both are known when the kernel is
    compiled. The elements are undefined until they are stored, in each block again. It may be named before the loop, too. Raises KernelTypeError
    for another shape or type."""
    if not _execution.inside():
        current("qd.simt.block.SharedArray")
    thread: Thread | None = _execution.local.thread
    way = () if thread is None else thread.way()
    if thread is not None and way in thread.block.shared:
        return thread.block.shared[way]
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if not sizes or not all(type(size) is int and size > 0 for size in sizes):
        raise KernelTypeError(f"the shape of a SharedArray is one positive integer or several, known at compile time, not {shape!r}")
    if not isinstance(dtype, MatrixType) and _dtypes.resolve(dtype) is None:
        raise KernelTypeError(f"the dtype of a SharedArray is that of a number, a vector or a matrix, not {dtype!r}")
    element = options.element_of(dtype)
    size = math.prod(sizes) * math.prod(element.shape) * np.dtype(element.dtype.numpy).itemsize
    if size > MOST_BYTES:
        raise KernelTypeError(f"a SharedArray has {MOST_BYTES} bytes at most, not {size}")
    data = np.zeros(sizes + element.shape, element.dtype.numpy).view(_Named if thread is None else bounds.SharedArray)
    made = arrays.over(data, element) if element.shape else data
    if thread is not None:
        thread.block.shared[way] = made
    return made


class _Named(bounds.SharedArray):
    """An array that is named before the loops that use it. One for all blocks is enough: they run one after the other."""

    def __getitem__(self, index: Any) -> Any:
        _check_inside()
        return super().__getitem__(index)

    def __setitem__(self, index: Any, new: Any) -> None:
        _check_inside()
        super().__setitem__(index, new)


def _check_inside() -> None:
    if _execution.local.thread is None and _execution.local.iteration is None:
        raise outside("an array of the block")


# --- subgroups ---


def group_size() -> int:
    """The number of threads of a subgroup: a constant of the device. On the CPU and on arch=qd.python it is the option cpu_subgroup_size. The host
    may ask, too, after qd.init."""
    program = _runtime.program()
    return _execution.Options.subgroup_size if program is None else int(program.subgroup_size())


def log2_group_size() -> int:
    """The binary logarithm of `group_size`."""
    return group_size().bit_length() - 1


def invocation_id() -> Any:
    """The number of the thread in its subgroup, its lane, i32: that of the thread in its block modulo `group_size`."""
    what = "qd.simt.subgroup.invocation_id()"
    if _alone(what):
        return np.int32(0)
    thread = current(what)
    return np.int32(thread.number % thread.block.size)


def subgroup_sync() -> None:
    """Waits for the other threads of the subgroup, as `qd.simt.block.sync` does for those of the block."""
    _meets_unless_alone("qd.simt.subgroup.sync()")


def subgroup_mem_fence() -> None:
    """Memory fence: the thread's writes so far are seen by the other threads of its subgroup before its later ones. Waits for no thread."""
    _alone("qd.simt.subgroup.mem_fence()")


def shuffle(value: Any, index: Any) -> Any:
    """The `value` of the lane with the number `index`, which need not be the same in all lanes. Where there is no such lane, and where its iteration
    has ended, the thread's own value. `value` is a number."""
    _meets_unless_alone(SHUFFLE)
    own, _ = _shuffled(value, index)
    return own


def ballot(predicate: Any) -> Any:
    """A u64 with a bit for each lane of the subgroup: 1 where `predicate` is not 0. The bits of lanes that are not there are 0."""
    _meets_unless_alone(BALLOT)
    return np.uint64(_vote(predicate))


# --- tiles ---


def tile_row(size: int) -> Any:
    """The number of the thread, i32, which has that row of a tile of `size` rows. Raises KernelTypeError where a block has not so many threads."""
    thread = current(OF_THREADS[tile_row])
    if thread.block.dim != size:
        wanted = f"a Tile{size}x{size} has a row for each of {size} threads: the loop needs qd.loop_config(block_dim={size})"
        raise KernelTypeError(f"{callstack.place()}{wanted}, not {thread.block.dim}")
    return np.int32(thread.number)


# --- the grid ---


def grid_mem_fence() -> None:
    """Memory fence: the thread's writes so far are seen by all threads of the loop before its later ones. Waits for no thread."""
    current("qd.simt.grid.mem_fence()")


# --- generators for threads of arch=qd.python ---


def _block_sync() -> Steps:
    yield Meeting(Scope.BLOCK, "qd.simt.block.sync()")


def _subgroup_sync() -> Steps:
    yield Meeting(Scope.SUBGROUP, "qd.simt.subgroup.sync()")


def _number(what: str, given: Any) -> Any:
    number = semantics.value(given)
    if semantics.dtype_of(number) is None:
        raise KernelTypeError(f"{what} takes a number, not {number._text() if isinstance(number, Compound) else type(number).__name__}")
    return number


def _shuffled(value: Any, index: Any) -> tuple[Any, int]:
    return _number(SHUFFLE, value), int(_dtypes.convert(_number(SHUFFLE, index), _dtypes.i32))


def _shuffle(value: Any, index: Any) -> Steps:
    own, lane = _shuffled(value, index)
    lanes = yield Meeting(Scope.SUBGROUP, SHUFFLE, own)
    found = lanes[lane] if 0 <= lane < len(lanes) else GONE
    return own if found is GONE else found


def _vote(predicate: Any) -> bool:
    return bool(_number(BALLOT, predicate))


def _ballot(predicate: Any) -> Steps:
    lanes = yield Meeting(Scope.SUBGROUP, BALLOT, _vote(predicate))
    return np.uint64(sum(1 << lane for lane, other in enumerate(lanes) if other is not GONE and other))


class Operation(NamedTuple):
    """An operation in which threads meet: the scope, its name in messages, and the generator for a thread."""

    scope: Scope
    what: str
    steps: Callable[..., Steps]


MEETINGS: dict[Any, Operation] = {
    block_sync: Operation(Scope.BLOCK, "qd.simt.block.sync()", _block_sync),
    subgroup_sync: Operation(Scope.SUBGROUP, "qd.simt.subgroup.sync()", _subgroup_sync),
    shuffle: Operation(Scope.SUBGROUP, SHUFFLE, _shuffle),
    ballot: Operation(Scope.SUBGROUP, BALLOT, _ballot),
}
"""Operations in which threads meet."""

for _operation in MEETINGS.values():  # Python's own messages name the function
    _operation.steps.__qualname__ = _operation.what.removesuffix("()")

OF_THREADS: dict[Any, str] = {
    thread_idx: "qd.simt.block.thread_idx()", block_mem_fence: "qd.simt.block.mem_fence()", invocation_id: "qd.simt.subgroup.invocation_id()",
    subgroup_mem_fence: "qd.simt.subgroup.mem_fence()", grid_mem_fence: "qd.simt.grid.mem_fence()", tile_row: "a tile of qd.simt",
}  # fmt: skip
"""Operations that a thread of a block has, but does not wait in, with their names in messages."""

OF_SUBGROUPS = {OF_THREADS[invocation_id], OF_THREADS[subgroup_mem_fence]}
"""The names of those that also run on one thread alone."""
