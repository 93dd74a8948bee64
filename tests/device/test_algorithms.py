"""qd.algorithms against numpy, on each architecture. Chunks are made small, so that few elements are many chunks; large arrays are tried as well
where kernels are fast."""

from __future__ import annotations

from typing import Any

import in_place
import kernels_for_algorithms as kernels
import numpy as np
import pytest
import qd
from qd import algorithms

DTYPES = [np.int32, np.uint32, np.float32, np.int64, np.uint64, np.float64]
SIZES = [0, 1, 2, 7, 8, 9, 100, 255, 256, 257, 777]
LARGE = 300_007


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of 4 elements or more, and runs that are long with 2: for everything that the program compiles from now on."""
    from qd.algorithms import _groups, _parts, _scans, _sort

    for module in (_groups, _parts, _scans, _sort):
        monkeypatch.setattr(module, "BLOCK", 2)
    monkeypatch.setattr(_groups, "SHORT", 2)
    monkeypatch.setattr(_parts, "LEAST_BLOCKS", 2)
    monkeypatch.setattr(_parts, "MOST_CHUNKS", 50)


def numbers(dtype: Any, n: int, seed: int = 0) -> Any:
    """Numbers of the whole range of an integer type; for floats, of both signs and many sizes."""
    random = np.random.default_rng(seed)
    if np.issubdtype(dtype, np.integer):
        return random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, n, dtype, endpoint=True)
    return (random.standard_normal(n) * 10.0 ** random.integers(-3, 4, n)).astype(dtype)


def scratch_for(dtype: Any, slots: int) -> Any:
    """Scratch memory of the size that is asked for, and full of rubbish."""
    wide = np.uint32 if np.dtype(dtype).itemsize == 4 else np.uint64
    return np.full(slots, 0xDEADBEEF, wide)


def depth_of(n: int) -> int:
    return next(depth for depth in (1, 2, 3, 4) if 256**depth >= n)


def close(dtype: Any, got: Any, want: Any, scale: Any) -> None:
    """Equal; for sums of floats equal but for rounding, `scale` being the sum of absolute values."""
    if np.issubdtype(dtype, np.integer):
        np.testing.assert_array_equal(got, want)
    else:
        assert np.all(np.abs(np.asarray(got, np.float64) - want) <= np.finfo(dtype).eps * 50 * np.asarray(scale) + 1e-300)


def reductions(dtype: Any, n: int) -> None:
    x = numbers(dtype, n + 3)  # elements behind n are left alone
    depth = depth_of(n)
    scratch = scratch_for(dtype, algorithms.reduce_scratch_slots(n))
    out = np.zeros(1, dtype)
    kernels.reduce_add(x, out, scratch, n, depth)
    wide = x[:n].astype(np.float64) if np.issubdtype(dtype, np.floating) else x[:n]
    close(dtype, out[0], wide.sum(dtype=wide.dtype), np.abs(wide).sum() if n else 0)
    limits = np.iinfo(dtype) if np.issubdtype(dtype, np.integer) else None
    kernels.reduce_min(x, out, scratch, n, depth)
    assert out[0] == (x[:n].min() if n else limits.max if limits else np.inf)
    kernels.reduce_max(x, out, scratch, n, depth)
    assert out[0] == (x[:n].max() if n else limits.min if limits else -np.inf)


def scans(dtype: Any, n: int) -> None:
    x = numbers(dtype, n + 3)
    depth = depth_of(n)
    scratch = scratch_for(dtype, algorithms.exclusive_scan_scratch_slots(n))
    out = np.full(n + 1, 77, dtype)
    kernels.scan_add(x, out, scratch, n, depth)
    wide = x[:n].astype(np.float64) if np.issubdtype(dtype, np.floating) else x[:n]
    close(dtype, out[:n], np.concatenate([np.zeros(1, wide.dtype), np.cumsum(wide, dtype=wide.dtype)])[:n], np.abs(wide).sum() if n else 0)
    limits = np.iinfo(dtype) if np.issubdtype(dtype, np.integer) else None
    for kernel, ufunc, first in (
        (kernels.scan_min, np.minimum, limits.max if limits else np.inf),
        (kernels.scan_max, np.maximum, limits.min if limits else -np.inf),
    ):
        kernel(x, out, scratch, n, depth)
        np.testing.assert_array_equal(out[:n], np.concatenate([np.array([first], dtype), ufunc.accumulate(x[:n])])[:n])
        assert out[n] == 77
    in_place_too = x.copy()
    kernels.scan_max(in_place_too, in_place_too, scratch, n, depth)
    np.testing.assert_array_equal(in_place_too[:n], out[:n])
    np.testing.assert_array_equal(in_place_too[n:], x[n:])


def selections(dtype: Any, n: int) -> None:
    x = numbers(dtype, n + 3)
    flags = np.random.default_rng(n).integers(0, 2, n + 3, np.int32)
    for chosen in (flags, np.zeros_like(flags), np.ones_like(flags)):
        out, count = np.full(n + 1, 77, dtype), np.full(1, -1, np.int32)
        kernels.select(x, chosen, out, count, np.full(algorithms.select_scratch_slots(n), 99, np.uint32), n, depth_of(n))
        want = x[:n][chosen[:n] == 1]
        assert count[0] == len(want)
        np.testing.assert_array_equal(out[: len(want)], want)
        assert np.all(out[len(want) :] == np.array(77, dtype))


def sorts(dtype: Any, n: int) -> None:
    bits = 8 * np.dtype(dtype).itemsize
    scratch = np.full(algorithms.sort_scratch_slots(n), 99, np.uint32)
    for keys in (numbers(dtype, n + 3), (numbers(dtype, n + 3) % 3).astype(dtype)):  # all different, and three of them
        order = np.argsort(keys[:n], kind="stable")
        alone = keys.copy()
        kernels.sort(alone, np.zeros_like(keys), scratch, np.array(n, np.int32), bits, depth_of(n))
        np.testing.assert_array_equal(alone[:n], keys[order])
        np.testing.assert_array_equal(alone[n:], keys[n:])
        sorted_keys, values = keys.copy(), np.arange(n + 3, dtype=np.float64)
        kernels.sort_pairs(sorted_keys, np.zeros_like(keys), values, np.zeros_like(values), scratch, np.array(n, np.int32), bits, depth_of(n))
        np.testing.assert_array_equal(sorted_keys, alone)
        np.testing.assert_array_equal(values[:n], order)


def sums_by_key(dtype: Any, n: int) -> None:
    random = np.random.default_rng(n)
    for mean in (1, 3, 40, max(2 * n, 1)):  # of the lengths of runs
        keys = np.cumsum(random.random(n + 3) < 1 / mean) % 5
        values = numbers(dtype, n + 3)
        begins = np.flatnonzero(np.concatenate([[True], keys[1:n] != keys[: n - 1]])) if n else np.zeros(0, int)
        wide = values[:n].astype(np.float64) if np.issubdtype(dtype, np.floating) else values[:n]
        want = np.add.reduceat(wide, begins, dtype=wide.dtype) if n else wide
        keys_out, values_out, runs = np.full(n + 1, -7, np.int64), np.full(n + 1, 77, dtype), np.full(1, -1, np.int32)
        scratch = np.full(algorithms.reduce_by_key_scratch_slots(n), 99, np.uint32)
        kernels.sums_by_key(keys, values, keys_out, values_out, runs, scratch, n, depth_of(n))
        assert runs[0] == len(begins)
        np.testing.assert_array_equal(keys_out[: len(begins)], keys[:n][begins])
        assert keys_out[len(begins)] == -7
        scale = np.add.reduceat(np.abs(wide.astype(np.float64)), begins) if n else 0
        close(dtype, values_out[: len(begins)], want, scale)


CHECKS = [reductions, scans, selections, sorts, sums_by_key]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("check", CHECKS)
def test_small_chunks(small_chunks: None, arch: str, check: Any, dtype: Any) -> None:
    for n in SIZES if in_place.is_true() and arch != "python" else [0, 1, 9, 37]:
        check(dtype, n)


# Of each algorithm a narrow type and a wide one: small chunks have tried them all.
@pytest.mark.parametrize(("check", "dtype"), [(check, dtype) for i, check in enumerate(CHECKS) for dtype in DTYPES[(2 - i) % 3 :: 3]])
def test_large(back_end: str, check: Any, dtype: Any) -> None:
    in_place.needed()  # an interpreter takes minutes
    check(dtype, LARGE)


def test_nan(small_chunks: None, arch: str) -> None:
    """Least and greatest elements leave NaN out, wherever it stands; sums are NaN."""
    x = np.array([np.nan, 3, np.nan, -1, 7, np.nan, np.nan, np.nan, 5, 2], np.float32)
    scratch, out = np.zeros(64, np.uint32), np.zeros(1, np.float32)
    for kernel, want in ((kernels.reduce_min, np.fmin.reduce), (kernels.reduce_max, np.fmax.reduce), (kernels.reduce_add, np.add.reduce)):
        for n in (10, 8, 1):
            kernel(x, out, scratch, n, 2)
            empty = {kernels.reduce_min: np.inf, kernels.reduce_max: -np.inf}.get(kernel, np.nan)
            np.testing.assert_equal(out[0], want(x[:n]) if n > 1 else np.float32(empty))
    scanned = np.zeros(10, np.float32)
    kernels.scan_min(x, scanned, scratch, 10, 2)
    np.testing.assert_equal(scanned, np.concatenate([[np.inf], np.fmin.accumulate(np.concatenate([[np.inf], x[1:9]]))]).astype(np.float32))
    keys_out, values_out, runs = np.zeros(10, np.float32), np.zeros(10, np.int32), np.zeros(1, np.int32)
    kernels.sums_by_key(x, np.ones(10, np.int32), keys_out, values_out, runs, scratch, 10, 2)
    assert runs[0] == 10
    np.testing.assert_equal(keys_out, x)


@pytest.mark.parametrize(("dtype", "bits_type"), [(np.float32, np.uint32), (np.float64, np.uint64)])
def test_order_of_floats(small_chunks: None, arch: str, dtype: Any, bits_type: Any) -> None:
    """-NaN, -infinity, ..., -0.0, 0.0, ..., infinity, NaN."""
    tiny, huge = np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max
    ordered = np.array([-np.nan, -np.inf, -huge, -1.5, -tiny, -0.0, 0.0, tiny, 1.5, huge, np.inf, np.nan], dtype)
    ordered[0], ordered[-1] = np.copysign(np.array([np.nan, np.nan], dtype), np.array([-1, 1], dtype))
    keys = ordered[np.random.default_rng(3).permutation(len(ordered))]
    kernels.sort(keys, np.zeros_like(keys), np.zeros(4096, np.uint32), np.array(len(keys), np.int32), 8 * np.dtype(dtype).itemsize, 1)
    np.testing.assert_array_equal(keys.view(bits_type), ordered.view(bits_type))


def test_lowest_bits(small_chunks: None, arch: str) -> None:
    keys = np.array([0x2_0003, 0x1_0002, 0x3_0002, 0x0_FFFF, 0x9_0001], np.uint32)
    sorted_keys = keys.copy()
    kernels.sort(sorted_keys, np.zeros_like(keys), np.zeros(4096, np.uint32), np.array(5, np.int32), 16, 1)
    np.testing.assert_array_equal(sorted_keys, keys[np.argsort(keys & 0xFFFF, kind="stable")])


def test_select_vectors_and_structs(small_chunks: None, arch: str) -> None:
    pair = qd.types.struct(a=qd.i32, b=qd.types.vector(2, qd.f32))
    x, out = pair.field(shape=20), pair.field(shape=20)
    flags, count, scratch = qd.field(qd.i32, 20), qd.field(qd.i32, 1), qd.field(qd.u32, algorithms.select_scratch_slots(20))

    @qd.kernel
    def fill():
        for i in x:
            x[i] = pair(i, qd.Vector([0.5 * i, -1.0 * i]))
            flags[i] = i % 3 == 1

    @qd.kernel
    def run():
        algorithms.select(x, flags, out, count, scratch, 20, 1)

    fill()
    run()
    assert count[0] == 7
    assert [out[i].a for i in range(7)] == [1, 4, 7, 10, 13, 16, 19]
    assert [out[i].b[1] for i in range(8)] == [-1, -4, -7, -10, -13, -16, -19, 0]


def test_between_other_tasks(small_chunks: None, arch: str) -> None:
    x, total, out = np.arange(33, dtype=np.int32), np.zeros(1, np.int32), np.zeros(33, np.int32)
    kernels.several(x, total, out, np.zeros(64, np.uint32), 33)
    np.testing.assert_array_equal(x, np.arange(1, 34))
    assert total[0] == x.sum()
    np.testing.assert_array_equal(out, np.concatenate([[0], np.cumsum(x)[:-1]]) - x.sum())


def test_the_sum_of_floats_is_the_same_each_time(back_end: str) -> None:
    in_place.needed()
    x, scratch = numbers(np.float32, LARGE), np.zeros(algorithms.reduce_scratch_slots(LARGE), np.uint32)
    sums = set()
    for _ in range(20):
        out = np.zeros(1, np.float32)
        kernels.reduce_add(x, out, scratch, LARGE, 3)
        sums.add(float(out[0]))
    assert len(sums) == 1


# n; reduce, scan, select, reduce by key and sort with the depth that n needs; reduce and sort with depth 4: as Quadrants 1.3.3 has them.
SLOTS = [
    (0, 1, 1, 1, 1, 1, 1, 1),
    (1, 1, 1, 2, 1, 256, 3, 259),
    (2, 1, 1, 3, 2, 256, 3, 259),
    (255, 1, 1, 256, 255, 256, 3, 259),
    (256, 1, 1, 257, 256, 256, 3, 259),
    (257, 2, 2, 259, 259, 514, 4, 516),
    (65536, 256, 256, 65792, 65792, 65792, 258, 65794),
    (65537, 259, 259, 65796, 65796, 66051, 260, 66052),
    (1000000, 3923, 3923, 1003923, 1003923, 1004115, 3924, 1004116),
    (16777216, 65792, 65792, 16843008, 16843008, 16843008, 65793, 16843009),
    (16777217, 65796, 65796, 16843013, 16843013, 16843268, 65796, 16843268),
    (100000000, 392157, 392157, 100392157, 100392157, 100392157, 392157, 100392157),
]


def test_scratch_slots(arch: str) -> None:
    host = ("reduce", "exclusive_scan", "select", "reduce_by_key", "sort")
    for n, *want in SLOTS:
        assert [getattr(algorithms, f"{name}_scratch_slots")(n) for name in host] == want[:5], n
        assert [algorithms.reduce_scratch_slots(n, 4), algorithms.sort_scratch_slots(n, 4)] == want[5:], n
        assert algorithms.reduce_scratch_slots(n, 1) == 1
        out = np.zeros(5, np.int32)
        kernels.slots(n, depth_of(n), out)
        assert out.tolist() == want[:5], n
    for name in ("reduce", "exclusive_scan", "sort"):
        with pytest.raises(qd.KernelCompilationError, match="log256_max_n is from 1 to 4, not 5"):
            getattr(algorithms, f"{name}_scratch_slots")(100, 5)


def test_errors(arch: str) -> None:
    x, out, scratch, n = np.zeros(8, np.float32), np.zeros(1, np.float32), np.zeros(8, np.uint32), np.array(8, np.int32)
    with pytest.raises(qd.KernelCompilationError, match=r"reduce_add: for .*32 the scratch has elements of type .*u(int)?32, not .*u(int)?64"):
        kernels.reduce_add(x, out, np.zeros(8, np.uint64), 8, 1)
    with pytest.raises(qd.KernelCompilationError, match="reduce_add: the array has elements of type .*32, and dtype is .*64"):
        kernels.wrong_dtype(x, out, scratch, 8)
    with pytest.raises(qd.KernelCompilationError, match="reduce_min: the elements are qd.i32, u32, f32, i64, u64 or f64, not .*16"):
        kernels.reduce_min(x.astype(np.int16), out, scratch, 8, 1)
    with pytest.raises(qd.KernelCompilationError, match="exclusive_scan_add: log256_max_n is from 1 to 4, not 0"):
        kernels.scan_add(x, x, scratch, 8, 0)
    with pytest.raises(qd.KernelCompilationError, match="sort: end_bit is a multiple of 16 from 16 to 32, not 64"):
        kernels.sort(x, x.copy(), scratch, n, 64, 1)
    with pytest.raises(qd.KernelCompilationError, match="sort: the keys are qd.i32, u32, f32, i64, u64 or f64, not .*8"):
        kernels.sort(x.astype(np.int8), x.astype(np.int8), scratch, n, 16, 1)
    with pytest.raises(qd.KernelSyntaxError, match="`reduce_add` has requires_top_level=True"):
        kernels.nested(x, out, scratch, 8)


SORTED = [qd.i32, qd.u32, qd.f32, qd.i64, qd.u64, qd.f64]


@pytest.mark.parametrize("dtype", SORTED)
def test_parallel_sort(small_chunks: None, arch: str, dtype: Any) -> None:
    # Each field has kernels of its own: one for a type, and for every other type keys without values.
    of_field = [1, 2, 50][SORTED.index(dtype) % 3]
    for make, n in [*((qd.ndarray, n) for n in (0, 1, 2, 50)), (qd.field, of_field)]:
        given = numbers(dtype.numpy, n)
        keys, values = make(dtype, shape=n), make(qd.i32, shape=n)
        if n:
            keys.from_numpy(given)
            values.from_numpy(np.arange(n, dtype=np.int32))
        algorithms.parallel_sort(keys, values)
        np.testing.assert_array_equal(values.to_numpy(), np.argsort(given, kind="stable"))
        np.testing.assert_array_equal(keys.to_numpy(), np.sort(given))
        if make is qd.field and SORTED.index(dtype) % 2 == 1:
            continue
        if n:
            keys.from_numpy(given)
        algorithms.parallel_sort(keys)
        np.testing.assert_array_equal(keys.to_numpy(), np.sort(given))


def test_parallel_sort_refuses(arch: str) -> None:
    numbers = qd.field(qd.f32, shape=4)
    with pytest.raises(TypeError, match="parallel_sort: keys are qd.i32, u32, f32, i64, u64 or f64, not qd.i8"):
        algorithms.parallel_sort(qd.field(qd.i8, shape=4))
    with pytest.raises(TypeError, match="parallel_sort sorts fields and ndarrays of numbers; values is"):
        algorithms.parallel_sort(numbers, qd.Vector.field(2, qd.f32, shape=4))
    with pytest.raises(ValueError, match=r"one axis; keys has the shape \(2, 2\)"):
        algorithms.parallel_sort(qd.field(qd.f32, shape=(2, 2)))
    with pytest.raises(ValueError, match="there are 4 keys and 3 values"):
        algorithms.parallel_sort(numbers, qd.field(qd.i32, shape=3))
    with pytest.raises(TypeError, match="keys is list"):
        algorithms.parallel_sort([3, 2, 1])


def test_prefix_sum_executor(small_chunks: None, arch: str) -> None:
    given = numbers(np.int32, 60)
    executor = algorithms.PrefixSumExecutor(57)
    for make in (qd.field, qd.ndarray):
        x = make(qd.i32, shape=60)
        for _ in range(2):
            x.from_numpy(given)
            executor.run(x)
            np.testing.assert_array_equal(x.to_numpy(), np.concatenate([np.cumsum(given[:57], dtype=np.int32), given[57:]]))
    with pytest.raises(RuntimeError, match=r"Only qd\.i32 type is supported for prefix sum\."):
        executor.run(qd.field(qd.f32, shape=60))
    with pytest.raises(ValueError, match=r"of 57 elements in a row; the array has the shape \(56,\)"):
        executor.run(qd.field(qd.i32, shape=56))
