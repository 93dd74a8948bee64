"""Parts that the algorithms of qd.algorithms share: chunks of an array, the operations, and their neutral elements.

An algorithm goes over its array in chunks, which are the iterations of a parallel loop; what chunks must know of each other (the sum of all before,
say) is computed between two such loops, in serial code. A chunk is a number of blocks, and the loop over blocks around the loop over elements tells
the compiler that an iteration is worth a thread."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

import math

from qdcov._arrays.annotations import template
from qdcov._dtypes import f32, f64, i32, i64, u32, u64
from qdcov._kernels.decorators import func
from qdcov._library.funcs import checking
from qdcov._library.funcs import own as own
from qdcov._values.functions import cast, static, static_assert

BLOCK = 1024
"""Number of elements of a block."""

LEAST_BLOCKS = 16
"""Least number of blocks of a chunk."""

MOST_CHUNKS = 256
"""Largest number of chunks."""

TILE = 256
"""Factor by which a level of the scratch is smaller than the one before."""

INFINITY = math.inf

ADD, MIN, MAX = 0, 1, 2
"""The operations."""


@own
@func
def blocks_of(n: i32) -> i32:
    """The number of blocks of `n` elements."""
    return (n - 1) // BLOCK + 1


@own
@func
def chunk_of(n: i32, most: i32) -> i32:
    """The number of blocks of a chunk, for `most` chunks at most."""
    return max(LEAST_BLOCKS, (blocks_of(n) - 1) // min(most, MOST_CHUNKS) + 1)


@own
@func
def chunks_of(n: i32, chunk: i32) -> i32:
    """The number of chunks of `chunk` blocks each."""
    return (blocks_of(n) - 1) // chunk + 1


@own
@func
def neutral(dtype: template(), op: template()):
    """The neutral element of `op` in type `dtype`: 0, the greatest number, the least number."""
    value = cast(0, dtype)
    if static(dtype in (f32, f64)):
        if static(op == MIN):
            value = cast(INFINITY, dtype)
        elif static(op == MAX):
            value = cast(-INFINITY, dtype)
    elif static(op == MIN):
        value = cast(static(2**31 - 1 if dtype == i32 else 2**32 - 1 if dtype == u32 else 2**63 - 1 if dtype == i64 else 2**64 - 1), dtype)
    elif static(op == MAX and dtype == i32):
        value = cast(-(2**31), dtype)
    elif static(op == MAX and dtype == i64):
        value = cast(-(2**63), dtype)
    return value


@own
@func
def joined(a, b, op: template()):
    """`a` with one more element `b`, which is left out when it is NaN; `a` is no least or greatest element that is NaN."""
    result = a
    if static(op == ADD):
        result = a + b
    elif static(op == MIN):
        result = b if b < a else a
    else:
        result = b if b > a else a
    return result


@own
@func
def check(name: template(), arr: template(), scratch: template(), dtype: template(), depth: template()):
    """Checks the requirements of an algorithm on its arguments, at compile time."""
    static_assert(dtype in (i32, u32, f32, i64, u64, f64), f"{name}: the elements are qd.i32, u32, f32, i64, u64 or f64, not {dtype}")
    static_assert(arr.dtype == dtype, f"{name}: the array has elements of type {arr.dtype}, and dtype is {dtype}")
    wide = static(u64 if dtype in (i64, u64, f64) else u32)
    static_assert(scratch.dtype == wide, f"{name}: for {dtype} the scratch has elements of type {wide}, not {scratch.dtype}")
    static_assert(1 <= depth <= 4, f"{name}: log256_max_n is from 1 to 4, not {depth}")


@checking
@func
def require(name: template(), what: template(), array: template(), n: i32):
    """Fails the launch when an array has fewer than `n` elements: an algorithm would write into others' memory behind them."""
    assert n <= array.shape[0], f"{name}: {what} must have {n} elements, not {array.shape[0]}"
