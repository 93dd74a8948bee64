"""qd.algorithms: sums, least and greatest elements, of all and of those before each."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._dtypes import i32
from qdcov._kernels.decorators import func, kernel
from qdcov._scalars.integers import bit_cast
from qdcov._values.functions import loop_config, static
from qdcov.algorithms._parts import ADD, BLOCK, MAX, MIN, blocks_of, check, chunk_of, chunks_of, joined, neutral, own, require


@own
@func
def reduce_chunks(arr: template(), scratch: template(), n: i32, chunk: i32, dtype: template(), op: template()):
    """Reduces each chunk by `op`, and puts the results into `scratch`."""
    for c in range(chunks_of(n, chunk)):
        value = neutral(dtype, op)
        for b in range(c * chunk, min((c + 1) * chunk, blocks_of(n))):
            for k in range(min(BLOCK, n - b * BLOCK)):
                value = joined(value, arr[b * BLOCK + k], op)
        scratch[c] = bit_cast(value, scratch.dtype)


@own
@func
def reduce(name: template(), arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), op: template()):
    require(name, "arr", arr, n)
    require(name, "out", out, 1)
    require(name, "scratch", scratch, 1)
    chunk = chunk_of(n, scratch.shape[0])
    reduce_chunks(arr, scratch, n, chunk, dtype, op)
    value = neutral(dtype, op)
    loop_config(serialize=True)
    for c in range(chunks_of(n, chunk)):
        value = joined(value, bit_cast(scratch[c], dtype), op)
    out[0] = value


@own
@func
def scan_chunks(
    name: template(), arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), op: template(), inclusive: template()
):
    """Scans by `op`: writes into `out[i]` the reduction of the elements before `arr[i]`, and if `inclusive` of itself, too."""
    require(name, "arr", arr, n)
    require(name, "out", out, n)
    require(name, "scratch", scratch, 1)
    chunk = chunk_of(n, scratch.shape[0])
    reduce_chunks(arr, scratch, n, chunk, dtype, op)
    before = neutral(dtype, op)
    loop_config(serialize=True)
    for c in range(chunks_of(n, chunk)):
        own_value = bit_cast(scratch[c], dtype)
        scratch[c] = bit_cast(before, scratch.dtype)
        before = joined(before, own_value, op)
    for c in range(chunks_of(n, chunk)):
        value = bit_cast(scratch[c], dtype)
        for b in range(c * chunk, min((c + 1) * chunk, blocks_of(n))):
            for k in range(min(BLOCK, n - b * BLOCK)):
                element = arr[b * BLOCK + k]
                if static(inclusive):
                    value = joined(value, element, op)
                out[b * BLOCK + k] = value
                if static(not inclusive):
                    value = joined(value, element, op)


@own
@func(requires_top_level=True)
def reduce_add(arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), log256_max_n: template()):
    """Writes the sum of ``arr[0:n]`` into ``out[0]``, 0 when `n` is 0. Called at the top level of a kernel.

    `arr` has `n` or more elements of type `dtype` (i32, u32, f32, i64, u64, f64), `out` one or more. `scratch` has elements of type u32, or u64 when
    those of `arr` have 8 bytes, and reduce_scratch_slots() of them. `log256_max_n` is known at compile time, 1 to 4: `n` is at most 256 to the power
    of it. Integers wrap around; the order of additions depends on `n` and the scratch's size alone, so that the sum of floats is the same each time.
    A misfit is an error of compilation."""
    check("reduce_add", arr, scratch, dtype, log256_max_n)
    reduce("reduce_add", arr, out, scratch, n, dtype, ADD)


@own
@func(requires_top_level=True)
def reduce_min(arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), log256_max_n: template()):
    """Writes the least element of ``arr[0:n]`` into ``out[0]``; when `n` is 0 the greatest number of the type, infinity for floats. NaN is left out.

    See `reduce_add` for the arguments."""
    check("reduce_min", arr, scratch, dtype, log256_max_n)
    reduce("reduce_min", arr, out, scratch, n, dtype, MIN)


@own
@func(requires_top_level=True)
def reduce_max(arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), log256_max_n: template()):
    """Writes the greatest element of ``arr[0:n]`` into ``out[0]``; when `n` is 0 the least number of the type, minus infinity for floats. NaN is left
    out.

    See `reduce_add` for the arguments."""
    check("reduce_max", arr, scratch, dtype, log256_max_n)
    reduce("reduce_max", arr, out, scratch, n, dtype, MAX)


@own
@func(requires_top_level=True)
def exclusive_scan_add(arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), log256_max_n: template()):
    """Writes the sum of ``arr[0:i]`` into ``out[i]``, for each `i` below `n`; ``out[0]`` is 0. Called at the top level of a kernel.

    `out` has `n` or more elements, and may be `arr`. The scratch has exclusive_scan_scratch_slots() slots; see `reduce_add` for the other
    arguments."""
    check("exclusive_scan_add", arr, scratch, dtype, log256_max_n)
    scan_chunks("exclusive_scan_add", arr, out, scratch, n, dtype, ADD, False)


@own
@func(requires_top_level=True)
def exclusive_scan_min(arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), log256_max_n: template()):
    """Writes the least element of ``arr[0:i]`` into ``out[i]``; ``out[0]`` is the greatest number of the type, infinity for floats. NaN is left out.

    See `exclusive_scan_add` for the arguments."""
    check("exclusive_scan_min", arr, scratch, dtype, log256_max_n)
    scan_chunks("exclusive_scan_min", arr, out, scratch, n, dtype, MIN, False)


@own
@func(requires_top_level=True)
def exclusive_scan_max(arr: template(), out: template(), scratch: template(), n: i32, dtype: template(), log256_max_n: template()):
    """Writes the greatest element of ``arr[0:i]`` into ``out[i]``; ``out[0]`` is the least number of the type, minus infinity for floats. NaN is left
    out.

    See `exclusive_scan_add` for the arguments."""
    check("exclusive_scan_max", arr, scratch, dtype, log256_max_n)
    scan_chunks("exclusive_scan_max", arr, out, scratch, n, dtype, MAX, False)


@own
@func(requires_top_level=True)
def inclusive_scan_add(arr: template(), out: template(), scratch: template(), n: i32, dtype: template()):
    scan_chunks("PrefixSumExecutor", arr, out, scratch, n, dtype, ADD, True)


@own
@kernel
def sum_up(arr: template(), scratch: template(), n: i32):
    """Each of the first `n` elements becomes the sum of all up to and with it."""
    inclusive_scan_add(arr, arr, scratch, n, i32)
