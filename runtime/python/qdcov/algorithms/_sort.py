"""qd.algorithms: sort by key, from the lowest eight bits of the keys to the highest (LSD radix sort: Knuth, The Art of Computer Programming 3,
5.2.5).

Each pass over eight bits counts the digits of each chunk (histogram), computes from that the places of each chunk's elements of each digit, and moves
them there in their order."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

from qdcov._arrays.annotations import template
from qdcov._dtypes import f32, f64, i32, i64, u32, u64
from qdcov._kernels.decorators import func, kernel
from qdcov._scalars.integers import bit_cast
from qdcov._values.functions import cast, loop_config, static, static_assert
from qdcov.algorithms._parts import BLOCK, blocks_of, chunk_of, chunks_of, own, require

DIGITS = 256


@own
@func
def digit_of(key, shift: template(), dtype: template()):
    """Eight bits of the number without sign that is in the order of the keys: NaN with the sign is before minus infinity, any other NaN behind
    infinity."""
    wide = static(u64 if dtype in (i64, u64, f64) else u32)
    sign = cast(static(2**63 if dtype in (i64, u64, f64) else 2**31), wide)
    bits = bit_cast(key, wide)
    if static(dtype in (i32, i64)):
        bits = bits ^ sign
    elif static(dtype in (f32, f64)):
        bits = ~bits if bits >= sign else bits ^ sign
    return cast((bits >> shift) & (DIGITS - 1), i32)


@own
@func
def sort_by_digit(
    keys: template(),
    to_keys: template(),
    values: template(),
    to_values: template(),
    scratch: template(),
    n: i32,
    shift: template(),
    dtype: template(),
    has_values: template(),
):
    chunk = chunk_of(n, scratch.shape[0] // DIGITS)
    chunks = chunks_of(n, chunk)
    for c in range(chunks):
        for d in range(DIGITS):
            scratch[c * DIGITS + d] = cast(0, u32)
        for b in range(c * chunk, min((c + 1) * chunk, blocks_of(n))):
            for k in range(min(BLOCK, n - b * BLOCK)):
                place = c * DIGITS + digit_of(keys[b * BLOCK + k], shift, dtype)
                scratch[place] = scratch[place] + 1
    before = cast(0, u32)
    loop_config(serialize=True)
    for d in range(DIGITS):
        for c in range(chunks):
            count = scratch[c * DIGITS + d]
            scratch[c * DIGITS + d] = before
            before += count
    for c in range(chunks):
        for b in range(c * chunk, min((c + 1) * chunk, blocks_of(n))):
            for k in range(min(BLOCK, n - b * BLOCK)):
                key = keys[b * BLOCK + k]
                place = c * DIGITS + digit_of(key, shift, dtype)
                to = scratch[place]
                scratch[place] = to + 1
                to_keys[cast(to, i32)] = key
                if static(has_values):
                    to_values[cast(to, i32)] = values[b * BLOCK + k]


@own
@func(requires_top_level=True)
def sort(
    keys: template(),
    tmp_keys: template(),
    values: template(),
    tmp_values: template(),
    scratch: template(),
    n: template(),
    key_dtype: template(),
    has_values: template(),
    end_bit: template(),
    log256_max_n: template(),
):
    """Sorts the first ``n[()]`` keys, the least first, and `values` along with them if `has_values`. Equal keys keep their order. Called at the top
    level of a kernel.

    `keys` and `tmp_keys` have elements of type `key_dtype` (i32, u32, f32, i64, u64, f64); `values` and `tmp_values` have elements of any one type,
    or are anything when `has_values` is False. All four have ``n[()]`` or more elements, and are different arrays; the tmp arrays are undefined
    afterwards. `n` is an array of type i32 without axes. `scratch` has elements of type u32, and sort_scratch_slots() of them. `end_bit` is the
    number of the lowest bits of the keys (of numbers with a sign and of floats: in their order, as numbers without sign) that are compared: 16, 32,
    48 or 64, and not more than the type has. `log256_max_n` is 1 to 4: ``n[()]`` is at most 256 to the power of it. -0.0 is before 0.0; NaN is
    behind infinity, and before minus infinity if its sign bit is set. A misfit is an error of compilation."""
    static_assert(key_dtype in (i32, u32, f32, i64, u64, f64), f"sort: the keys are qd.i32, u32, f32, i64, u64 or f64, not {key_dtype}")
    static_assert(keys.dtype == key_dtype, f"sort: the keys have the type {keys.dtype}, and key_dtype is {key_dtype}")
    static_assert(tmp_keys.dtype == key_dtype, f"sort: tmp_keys has elements of type {tmp_keys.dtype}, and key_dtype is {key_dtype}")
    static_assert(scratch.dtype == u32, f"sort: the scratch has elements of type qd.u32, not {scratch.dtype}")
    bits = static(64 if key_dtype in (i64, u64, f64) else 32)
    static_assert(end_bit in (16, 32, 48, 64) and end_bit <= bits, f"sort: end_bit is a multiple of 16 from 16 to {bits}, not {end_bit}")
    static_assert(1 <= log256_max_n <= 4, f"sort: log256_max_n is from 1 to 4, not {log256_max_n}")
    count = n[()]
    require("sort", "keys", keys, count)
    require("sort", "tmp_keys", tmp_keys, count)
    require("sort", "scratch", scratch, DIGITS if count > 0 else 0)
    if static(has_values):
        require("sort", "values", values, count)
        require("sort", "tmp_values", tmp_values, count)
    for step in static(range(end_bit // 16)):
        sort_by_digit(keys, tmp_keys, values, tmp_values, scratch, count, 16 * step, key_dtype, has_values)
        sort_by_digit(tmp_keys, keys, tmp_values, values, scratch, count, 16 * step + 8, key_dtype, has_values)


@own
@kernel
def sort_arrays(
    keys: template(),
    tmp_keys: template(),
    values: template(),
    tmp_values: template(),
    scratch: template(),
    n: template(),
    has_values: template(),
    end_bit: template(),
):
    sort(keys, tmp_keys, values, tmp_values, scratch, n, keys.dtype, has_values, end_bit, 4)
