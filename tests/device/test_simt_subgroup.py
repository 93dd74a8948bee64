"""Every function of qd.simt.subgroup against numpy, for each size of subgroups and tiles."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import blocks
import kernels_for_simt as kernels
import numpy as np
import pytest
import qd

subgroup = qd.simt.subgroup
BLOCKS = 2
INTEGERS = [np.int32, np.uint32, np.int64, np.uint64]
NUMBERS = [*INTEGERS, np.float32, np.float64]
Numbers = Any  # numpy's array type takes two parameters, and every row here has the same


JOINED: dict[str, tuple[np.ufunc, Callable[[Any], Any]]] = {
    "add": (np.add, lambda dtype: 0),
    "mul": (np.multiply, lambda dtype: 1),
    "min": (np.minimum, blocks.highest),
    "max": (np.maximum, blocks.lowest),
    "and": (np.bitwise_and, lambda dtype: np.invert(np.zeros(1, dtype))[0]),
    "or": (np.bitwise_or, lambda dtype: 0),
    "xor": (np.bitwise_xor, lambda dtype: 0),
}
"""numpy's function for an operator, and its neutral element."""


def with_sizes(dtypes: list[Any]) -> list[tuple[int, Any]]:
    """Sizes of subgroups with types: two types for each size, and all of them for one. Where a run asks for back ends, each of these has one size,
    32 or 8."""
    with_all = (8, 32) if "QD_TEST_BACK_ENDS" in os.environ else (8,)
    return [(size, dtype) for size in blocks.SIZES for dtype in (dtypes if size in with_all else dtypes[::5])]


@pytest.fixture(params=blocks.SIZES)
def size(arch: str, request: pytest.FixtureRequest) -> int:
    return blocks.start(arch, request.param)


@pytest.fixture
def calls_are_many(arch: str, size: int) -> None:
    blocks.skip_slow(arch, size)


def threads(size: int) -> int:
    """Threads of a block: more than one subgroup, and not so many that an interpreter takes long."""
    return 2 * size


def values(dtype: Any, size: int, name: str = "") -> Any:
    x = blocks.numbers(dtype, BLOCKS * threads(size), seed=size)
    return np.where(x == 0, 1, x).astype(dtype) % 3 + 1 if name == "mul" else x


def exact(name: str, x: Numbers) -> Numbers:
    """Products of many numbers wrap around; of floats powers of two stay exact."""
    return np.exp2(x % 3 - 1).astype(x.dtype) if name == "mul" and np.issubdtype(x.dtype, np.floating) else x


def test_places(size: int) -> None:
    n = BLOCKS * threads(size)
    found = [np.full(n, -1, np.int32) for _ in range(4)]
    kernels.places(*found, threads(size))
    iteration = np.arange(n)
    thread = iteration % threads(size)
    for got, want in zip(found, (thread, thread % size, iteration, thread % size == 0)):
        np.testing.assert_array_equal(got, want)


def test_sizes(size: int) -> None:
    out = np.zeros(2, np.int32)
    kernels.sizes(out)
    assert out.tolist() == [size, int(np.log2(size))] == [subgroup.group_size(), subgroup.log2_group_size()]


@pytest.mark.parametrize(("size", "dtype"), with_sizes(NUMBERS), indirect=["size"])
def test_shuffles(size: int, dtype: Any) -> None:
    x = values(dtype, size)
    index = np.random.default_rng(1).integers(-3, size + 3, len(x)).astype(np.int32)
    lane = np.arange(len(x)) % size
    for name, source in (
        ("shuffle", index),
        ("shuffle_down", lane + index),
        ("shuffle_up", lane - index),
        ("shuffle_xor", lane ^ index),
    ):
        out = np.zeros_like(x)
        kernels.of_two(getattr(subgroup, name))(x, index, out, threads(size))
        there = (source >= 0) & (source < size)
        np.testing.assert_array_equal(out, np.where(there, x[np.where(there, np.arange(len(x)) - lane + source, 0)], x), err_msg=name)


def test_indices_without_sign(size: int) -> None:
    x = values(np.float32, size)
    out = np.zeros_like(x)
    kernels.of_two(subgroup.shuffle)(x, (np.arange(len(x)) * 5 % size).astype(np.uint32), out, threads(size))
    np.testing.assert_array_equal(blocks.tiles(out, size), blocks.tiles(x, size)[:, np.arange(size) * 5 % size])


def test_broadcasts(size: int) -> None:
    x = values(np.int32, size)
    out = np.zeros_like(x)
    kernels.of_two(subgroup.broadcast)(x, np.full(len(x), size - 2, np.uint32), out, threads(size))
    np.testing.assert_array_equal(blocks.tiles(out, size), np.repeat(blocks.tiles(x, size)[:, [size - 2]], size, 1))
    kernels.of_value(subgroup.broadcast_first)(x, out, threads(size))
    np.testing.assert_array_equal(blocks.tiles(out, size), np.repeat(blocks.tiles(x, size)[:, [0]], size, 1))


def bits(flags: Numbers) -> Numbers:
    """Rows of flags as numbers, the first flag the lowest bit."""
    return np.array([sum(1 << i for i, flag in enumerate(row) if flag) for row in flags], np.uint64)


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_ballots(size: int, dtype: Any) -> None:
    x = values(dtype, size) * (values(np.int32, size) > 0).astype(dtype)
    out = np.zeros(len(x), np.uint64)
    kernels.of_value(subgroup.ballot)(x, out, threads(size))
    want = bits(blocks.tiles(x != 0, size))
    np.testing.assert_array_equal(blocks.tiles(out, size), np.repeat(want[:, None], size, 1))
    for n in (1, 7, 31, 32):
        few = np.zeros(len(x), np.uint32)
        kernels.first_lanes(x, few, threads(size), n)
        np.testing.assert_array_equal(blocks.tiles(few, size)[:, 0], want & np.uint64((1 << n) - 1))


@pytest.mark.usefixtures("calls_are_many")
@pytest.mark.parametrize("name", ["all_true", "any_true", "all_equal"])
def test_votes(size: int, name: str) -> None:
    vote: dict[str, Callable[[Numbers], Numbers]] = {
        "all_true": lambda rows: (rows != 0).all(1),
        "any_true": lambda rows: (rows != 0).any(1),
        "all_equal": lambda rows: (rows == rows[:, :1]).all(1),
    }
    n = BLOCKS * threads(size)
    random = np.random.default_rng(2)
    some = [random.integers(0, 2, n), random.random(n) < 0.1, random.random(n) < 0.9]
    for x in (np.zeros(n), np.ones(n), *some, np.arange(n) // size, np.full(n, np.nan)):
        x = x.astype(np.float32)
        out = np.full(n, -1, np.int32)
        kernels.of_value(getattr(subgroup, name))(x, out, threads(size))
        np.testing.assert_array_equal(blocks.tiles(out, size), np.repeat(vote[name](blocks.tiles(x, size))[:, None], size, 1))
        for log2_size in range(size.bit_length()):
            kernels.of_tile(getattr(subgroup, f"{name}_tiled"))(x, out, threads(size), log2_size)
            tile = 1 << log2_size
            np.testing.assert_array_equal(blocks.tiles(out, tile), np.repeat(vote[name](blocks.tiles(x, tile))[:, None], tile, 1))


def test_lane_masks(size: int) -> None:
    lanes = np.arange(32)
    lane = np.arange(64, dtype=np.int32) % 32
    for name, row in {"lt": np.less, "le": np.less_equal, "eq": np.equal, "gt": np.greater, "ge": np.greater_equal}.items():
        out = np.zeros(64, np.uint32)
        kernels.of_value(getattr(subgroup, f"lanemask_{name}"))(lane, out, 64)
        np.testing.assert_array_equal(out, bits(row(lanes[None], lane[:, None])))


@pytest.mark.usefixtures("calls_are_many")
@pytest.mark.parametrize(("size", "dtype"), with_sizes(NUMBERS), indirect=["size"])
@pytest.mark.parametrize("name", ["add", "min", "max"])
def test_reductions(size: int, name: str, dtype: Any) -> None:
    x = values(dtype, size)
    ufunc, _ = JOINED[name]
    for log2_size in {0, 1, 2, size.bit_length() - 2, size.bit_length() - 1}:
        rows = blocks.tiles(x, 1 << log2_size)
        want = ufunc.reduce(rows, 1, dtype=dtype)
        out = np.zeros_like(x)
        kernels.of_tile(getattr(subgroup, f"reduce_{name}_tiled"))(x, out, threads(size), log2_size)
        np.testing.assert_array_equal(blocks.tiles(out, 1 << log2_size)[:, 0], want)
        kernels.of_tile(getattr(subgroup, f"reduce_all_{name}_tiled"))(x, out, threads(size), log2_size)
        np.testing.assert_array_equal(blocks.tiles(out, 1 << log2_size), np.repeat(want[:, None], 1 << log2_size, 1))
    want = ufunc.reduce(blocks.tiles(x, size), 1, dtype=dtype)
    kernels.of_value(getattr(subgroup, f"reduce_{name}"))(x, out, threads(size))
    np.testing.assert_array_equal(blocks.tiles(out, size)[:, 0], want)
    kernels.of_value(getattr(subgroup, f"reduce_all_{name}"))(x, out, threads(size))
    np.testing.assert_array_equal(blocks.tiles(out, size), np.repeat(want[:, None], size, 1))


@pytest.mark.usefixtures("calls_are_many")
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
@pytest.mark.parametrize("name", ["add", "min", "max"])
def test_segments(size: int, name: str, dtype: Any) -> None:
    x = values(dtype, size)
    ufunc, _ = JOINED[name]
    random = np.random.default_rng(3)
    for heads in (np.zeros(len(x)), np.ones(len(x)), random.random(len(x)) < 0.2, (random.random(len(x)) < 0.5) * 42):
        heads = heads.astype(np.int32)
        for log2_size in {1, 3, size.bit_length() - 1}:
            want = x.copy()
            for i in range(len(x)):
                if heads[i] == 0 and i % (1 << log2_size) != 0:
                    want[i] = ufunc(want[i - 1], x[i])
            out = np.zeros_like(x)
            kernels.of_two_and_tile(getattr(subgroup, f"segmented_reduce_{name}_tiled"))(x, heads, out, threads(size), log2_size)
            np.testing.assert_array_equal(out, want)
        kernels.of_two(getattr(subgroup, f"segmented_reduce_{name}"))(x, heads, out, threads(size))
        np.testing.assert_array_equal(out, want)


@pytest.mark.usefixtures("calls_are_many")
@pytest.mark.parametrize(
    ("name", "size", "dtype"),
    [(name, *pair) for name in JOINED for pair in with_sizes(INTEGERS if name in ("and", "or", "xor") else NUMBERS)],
    indirect=["size"],
)
def test_scans(size: int, name: str, dtype: Any) -> None:
    x = exact(name, values(dtype, size, name))
    ufunc, neutral = JOINED[name]
    with np.errstate(over="ignore"):
        for log2_size in (2, size.bit_length() - 1):
            rows = blocks.tiles(x, 1 << log2_size)
            inclusive = ufunc.accumulate(rows, 1, dtype=dtype)
            exclusive = np.concatenate([np.full((len(rows), 1), neutral(dtype), dtype), inclusive[:, :-1]], 1)
            for kind, want in (("inclusive", inclusive), ("exclusive", exclusive)):
                out = np.zeros_like(x)
                kernels.of_tile(getattr(subgroup, f"{kind}_{name}_tiled"))(x, out, threads(size), log2_size)
                np.testing.assert_array_equal(blocks.tiles(out, 1 << log2_size), want, err_msg=kind)
    for kind, want in (("inclusive", inclusive), ("exclusive", exclusive)):  # of the whole subgroup, the last tile above
        kernels.of_value(getattr(subgroup, f"{kind}_{name}"))(x, out, threads(size))
        np.testing.assert_array_equal(blocks.tiles(out, size), want, err_msg=kind)


@pytest.mark.usefixtures("calls_are_many")
@pytest.mark.parametrize(("key", "value"), [(np.int32, np.int32), (np.float32, np.uint64), (np.float64, np.float32)])
def test_sorting(size: int, key: Any, value: Any) -> None:
    n = BLOCKS * threads(size)
    for log2_size in (0, 1, 2, size.bit_length() - 1):
        keys = blocks.numbers(key, n)  # several of each
        pairs = np.random.default_rng(4).permutation(n).astype(value)
        got_keys, got_pairs = keys.copy(), pairs.copy()
        kernels.sort(got_keys, got_pairs, threads(size), log2_size)
        order = np.lexsort((pairs, keys, np.arange(n) >> log2_size))
        np.testing.assert_array_equal(got_keys, keys[order])
        np.testing.assert_array_equal(got_pairs, pairs[order])
    again_keys, again_pairs = keys.copy(), pairs.copy()
    kernels.sort_whole(again_keys, again_pairs, threads(size))
    kernels.sort(keys, pairs, threads(size), size.bit_length() - 1)
    np.testing.assert_array_equal(again_keys, keys)
    np.testing.assert_array_equal(again_pairs, pairs)
