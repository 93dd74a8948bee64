"""qd.algorithms: the elements that flags select, and sums of runs of equal keys."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._dtypes import f64, i32, i64, u32, u64
from qdcov._kernels.decorators import func
from qdcov._scalars.integers import bit_cast
from qdcov._values.functions import cast, loop_config, static, static_assert
from qdcov.algorithms._parts import BLOCK, blocks_of, chunk_of, chunks_of, own, require

SHORT = 16
"""Elements of a run, on average, below which runs are short."""


@own
@func
def offsets(scratch: template(), total: template(), chunks: i32):
    """Prefix sum: replaces the count of each chunk by the sum of those before it; `total` gets the sum of all."""
    before = cast(0, u32)
    loop_config(serialize=True)
    for c in range(chunks):
        count = scratch[c]
        scratch[c] = before
        before += count
    total[0] = cast(before, total.dtype)


@own
@func(requires_top_level=True)
def select(arr: template(), flags: template(), out: template(), num_out: template(), scratch: template(), n: i32, log256_max_n: template()):
    """Writes the elements ``arr[i]``, `i` below `n`, for which ``flags[i]`` is 1 and not 0, to the beginning of `out`, in their order, and their
    number into ``num_out[0]``. Called at the top level of a kernel.

    `arr` and `out` have elements of one type, whichever it is; `arr` and `flags` have `n` or more elements, `out` as many as are selected, and is
    another array than `arr`. `scratch` has elements of type u32, and select_scratch_slots() of them. `log256_max_n` is 1 to 4: `n` is at most 256 to
    the power of it. A misfit is an error of compilation."""
    static_assert(scratch.dtype == u32, f"select: the scratch has elements of type qd.u32, not {scratch.dtype}")
    static_assert(1 <= log256_max_n <= 4, f"select: log256_max_n is from 1 to 4, not {log256_max_n}")
    require("select", "arr", arr, n)
    require("select", "flags", flags, n)
    require("select", "num_out", num_out, 1)
    require("select", "scratch", scratch, 1)
    chunk = chunk_of(n, scratch.shape[0])
    for c in range(chunks_of(n, chunk)):
        count = cast(0, u32)
        for b in range(c * chunk, min((c + 1) * chunk, blocks_of(n))):
            for k in range(min(BLOCK, n - b * BLOCK)):
                count += cast(flags[b * BLOCK + k] != 0, u32)
        scratch[c] = count
    offsets(scratch, num_out, chunks_of(n, chunk))
    require("select", "out", out, cast(num_out[0], i32))
    for c in range(chunks_of(n, chunk)):
        to = cast(scratch[c], i32)
        for b in range(c * chunk, min((c + 1) * chunk, blocks_of(n))):
            for k in range(min(BLOCK, n - b * BLOCK)):
                if flags[b * BLOCK + k] != 0:
                    out[to] = arr[b * BLOCK + k]
                    to += 1


@own
@func
def put_sum(scratch: template(), place: i32, value, dtype: template()):
    """Keeps a number of 4 or 8 bytes in two slots."""
    if static(dtype in (i64, u64, f64)):
        bits = bit_cast(value, u64)
        scratch[place] = cast(bits & 0xFFFFFFFF, u32)
        scratch[place + 1] = cast(bits >> 32, u32)
    else:
        scratch[place] = bit_cast(value, u32)


@own
@func
def kept_sum(scratch: template(), place: i32, dtype: template()):
    if static(dtype in (i64, u64, f64)):
        return bit_cast(cast(scratch[place], u64) | cast(scratch[place + 1], u64) << 32, dtype)
    else:
        return bit_cast(scratch[place], dtype)


@own
@func
def sum_long_runs(keys_in: template(), values_in: template(), keys_out: template(), values_out: template(), begin, end, first):
    """Writes the keys and sums of the runs in the elements from `begin`, with which the run number `first` begins, to `end`."""
    i = begin
    run = first
    while i < end:
        key = keys_in[i]
        value = values_in[i]
        i += 1
        while i < end and keys_in[i] == key:
            value += values_in[i]
            i += 1
        keys_out[run] = key
        values_out[run] = value
        run += 1


@own
@func
def sum_short_runs(keys_in: template(), values_in: template(), keys_out: template(), values_out: template(), begin, end, first):
    """Writes the same without an if, as a processor cannot foresee where the next run begins: the sum up to each element, which the next element
    of the run overwrites."""
    run = first
    key = keys_in[begin]
    value = values_in[begin]
    keys_out[run] = key
    values_out[run] = value
    for i in range(begin + 1, end):
        before = key
        key = keys_in[i]
        run += cast(key != before, i32)
        value = (value if key == before else cast(0, values_in.dtype)) + values_in[i]
        keys_out[run] = key
        values_out[run] = value


@own
@func(requires_top_level=True)
def reduce_by_key_add(
    keys_in: template(),
    values_in: template(),
    keys_out: template(),
    values_out: template(),
    num_runs: template(),
    scratch: template(),
    n: i32,
    value_dtype: template(),
    log256_max_n: template(),
):
    """Writes the key of each run of equal keys that are neighbours in ``keys_in[0:n]`` to `keys_out`, the sum of the run's values to `values_out`,
    and the number of runs into ``num_runs[0]``. Called at the top level of a kernel.

    The keys are numbers of any type; `values_in` and `values_out` have elements of type `value_dtype` (i32, u32, f32, i64, u64, f64). The inputs have
    `n` or more elements, the outputs as many as there are runs, and are other arrays. `scratch` has elements of type u32, and
    reduce_by_key_scratch_slots() of them. `log256_max_n` is 1 to 4: `n` is at most 256 to the power of it. NaN is equal to nothing: it is a run. The
    order of additions depends on `n` and the scratch's size alone. A misfit is an error of compilation."""
    static_assert(scratch.dtype == u32, f"reduce_by_key_add: the scratch has elements of type qd.u32, not {scratch.dtype}")
    static_assert(values_in.dtype == value_dtype, f"reduce_by_key_add: the values have the type {values_in.dtype}, and value_dtype is {value_dtype}")
    static_assert(1 <= log256_max_n <= 4, f"reduce_by_key_add: log256_max_n is from 1 to 4, not {log256_max_n}")
    require("reduce_by_key_add", "keys_in", keys_in, n)
    require("reduce_by_key_add", "values_in", values_in, n)
    require("reduce_by_key_add", "num_runs", num_runs, 1)
    require("reduce_by_key_add", "scratch", scratch, 1)
    # A chunk has a slot for its number of runs, and two for the sum of the values that belong to a run which began before it.
    chunk = chunk_of(n, max(scratch.shape[0] // 3, 1))
    chunks = chunks_of(n, chunk)
    for c in range(chunks):
        count = cast(c == 0, u32)
        for b in range(c * chunk, min((c + 1) * chunk, blocks_of(n))):
            for k in range(1 if b == 0 else 0, min(BLOCK, n - b * BLOCK)):
                count += cast(keys_in[b * BLOCK + k] != keys_in[b * BLOCK + k - 1], u32)
        scratch[c] = count
    offsets(scratch, num_runs, chunks)
    require("reduce_by_key_add", "keys_out", keys_out, cast(num_runs[0], i32))
    require("reduce_by_key_add", "values_out", values_out, cast(num_runs[0], i32))
    for c in range(chunks):
        begin = c * chunk * BLOCK
        end = begin + min(chunk * BLOCK, n - begin)
        i = begin
        if c > 0:
            key = keys_in[begin - 1]
            value = cast(0, value_dtype)
            while i < end and keys_in[i] == key:
                value += values_in[i]
                i += 1
            put_sum(scratch, chunks + 2 * c, value, value_dtype)
        first = cast(scratch[c], i32)
        behind = cast(num_runs[0], i32) if c == chunks - 1 else cast(scratch[min(c + 1, chunks - 1)], i32)
        if first + (end - begin) // SHORT > behind:
            sum_long_runs(keys_in, values_in, keys_out, values_out, i, end, first)
        elif i < end:
            sum_short_runs(keys_in, values_in, keys_out, values_out, i, end, first)
    loop_config(serialize=True)
    for c in range(1, chunks):
        if keys_in[c * chunk * BLOCK] == keys_in[c * chunk * BLOCK - 1]:
            run = cast(scratch[c], i32) - 1
            values_out[run] = values_out[run] + kept_sum(scratch, chunks + 2 * c, value_dtype)
