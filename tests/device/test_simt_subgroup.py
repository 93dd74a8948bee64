"""Every function of qd.simt.subgroup against numpy, for each size of subgroups and tiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import blocks
import kernels_for_simt as kernels
import numpy as np
import pytest
import qd
from pairs import pairs

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


WHOLE = None
Form = int | None
"""The logarithm of a tile's size, counted from the subgroup's if it is negative (-1: all lanes), or WHOLE: the function without tiles."""


def of_size(wanted: int, *values: Any) -> list[Any]:
    """The cases of a size of subgroups: pairs of values of parameters, with the sizes as a further one."""
    return [case[:-1] for case in pairs(*values, blocks.SIZES) if case[-1] == wanted]


def called(name: str, form: Form, size: int, *given: Any) -> Any:
    """Results of a function of one or two numbers, in rows of a tile's threads."""
    out = np.full_like(given[0], 99)
    with_tile, whole = (kernels.of_tile, kernels.of_value) if len(given) == 1 else (kernels.of_two_and_tile, kernels.of_two)
    if form is WHOLE:
        whole(getattr(subgroup, name))(*given, out, threads(size))
    else:
        with_tile(getattr(subgroup, f"{name}_tiled"))(*given, out, threads(size), range(size.bit_length())[form])
    return rows_of(out, form, size)


def rows_of(x: Any, form: Form, size: int) -> Any:
    return blocks.tiles(x, size if form is WHOLE else 1 << range(size.bit_length())[form])


@pytest.fixture(params=blocks.SIZES)
def size(arch: str, request: pytest.FixtureRequest) -> int:
    return blocks.start(arch, request.param)


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


@pytest.mark.parametrize("wanted", blocks.SIZES)
def test_shuffles(arch: str, wanted: int) -> None:
    size = blocks.start_near(arch, wanted)
    sources: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
        "shuffle": lambda lane, index: index,
        "shuffle_down": lambda lane, index: lane + index,
        "shuffle_up": lambda lane, index: lane - index,
        "shuffle_xor": lambda lane, index: lane ^ index,
    }
    for name, dtype in of_size(wanted, [*sources], NUMBERS):
        x = values(dtype, size)
        index = np.random.default_rng(1).integers(-3, size + 3, len(x)).astype(np.int32)
        lane = np.arange(len(x)) % size
        source = sources[name](lane, index)
        out = np.zeros_like(x)
        kernels.of_two(getattr(subgroup, name))(x, index, out, threads(size))
        there = (source >= 0) & (source < size)
        want = np.where(there, x[np.where(there, np.arange(len(x)) - lane + source, 0)], x)
        np.testing.assert_array_equal(out, want, err_msg=f"{name} {dtype.__name__}")


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


@pytest.mark.parametrize("wanted", blocks.SIZES)
def test_ballots(arch: str, wanted: int) -> None:
    size = blocks.start_near(arch, wanted)
    for first, dtype in of_size(wanted, [1, 7, 31, 32, WHOLE], [np.int32, np.float64]):
        x = values(dtype, size) * (values(np.int32, size) > 0).astype(dtype)
        want = bits(blocks.tiles(x != 0, size))
        if first is WHOLE:
            out = np.zeros(len(x), np.uint64)
            kernels.of_value(subgroup.ballot)(x, out, threads(size))
            np.testing.assert_array_equal(blocks.tiles(out, size), np.repeat(want[:, None], size, 1))
        else:
            few = np.zeros(len(x), np.uint32)
            kernels.first_lanes(x, few, threads(size), first)
            np.testing.assert_array_equal(blocks.tiles(few, size)[:, 0], want & np.uint64((1 << first) - 1), err_msg=str(first))


@pytest.mark.parametrize("wanted", blocks.SIZES)
def test_votes(arch: str, wanted: int) -> None:
    size = blocks.start_near(arch, wanted)
    vote: dict[str, Callable[[Numbers], Numbers]] = {
        "all_true": lambda rows: (rows != 0).all(1),
        "any_true": lambda rows: (rows != 0).any(1),
        "all_equal": lambda rows: (rows == rows[:, :1]).all(1),
    }
    n = BLOCKS * threads(size)
    random = np.random.default_rng(2)
    some = [random.integers(0, 2, n), random.random(n) < 0.1, random.random(n) < 0.9]
    for name, form in of_size(wanted, [*vote], [0, 1, 2, 3, -2, -1, WHOLE]):
        for x in (np.zeros(n), np.ones(n), *some, np.arange(n) // size, np.full(n, np.nan)):
            x = x.astype(np.float32)
            out = called(name, form, size, x)
            want = vote[name](rows_of(x, form, size))[:, None]
            np.testing.assert_array_equal(out, np.broadcast_to(want, out.shape), err_msg=f"{name} {form}")


def test_lane_masks(size: int) -> None:
    lanes = np.arange(32)
    lane = np.arange(64, dtype=np.int32) % 32
    for name, row in {"lt": np.less, "le": np.less_equal, "eq": np.equal, "gt": np.greater, "ge": np.greater_equal}.items():
        out = np.zeros(64, np.uint32)
        kernels.of_value(getattr(subgroup, f"lanemask_{name}"))(lane, out, 64)
        np.testing.assert_array_equal(out, bits(row(lanes[None], lane[:, None])))


@pytest.mark.parametrize("wanted", blocks.SIZES)
def test_reductions(arch: str, wanted: int) -> None:
    size = blocks.start_near(arch, wanted)
    functions = [f"reduce_{lanes}{name}" for lanes in ("", "all_") for name in ("add", "min", "max")]
    for function, form, dtype in of_size(wanted, functions, [0, 1, 2, -2, -1, WHOLE], NUMBERS):
        x = values(dtype, size)
        ufunc, _ = JOINED[function[-3:]]
        got = called(function, form, size, x)
        columns = slice(None) if "all" in function else slice(1)  # of the others lane 0 alone has the result
        want = ufunc.reduce(rows_of(x, form, size), 1, dtype=dtype, keepdims=True)
        np.testing.assert_array_equal(got[:, columns], np.broadcast_to(want, got[:, columns].shape), err_msg=f"{function} {form} {dtype.__name__}")


@pytest.mark.parametrize("wanted", blocks.SIZES)
def test_segments(arch: str, wanted: int) -> None:
    size = blocks.start_near(arch, wanted)
    random = np.random.default_rng(3)
    n = BLOCKS * threads(size)
    some = [np.zeros(n), np.ones(n), random.random(n) < 0.2, (random.random(n) < 0.5) * 42]
    for name, form, dtype in of_size(wanted, ["add", "min", "max"], [1, 3, -1, WHOLE], [np.int32, np.float64]):
        x = values(dtype, size)
        ufunc, _ = JOINED[name]
        for heads in some:
            heads = heads.astype(np.int32)
            got = called(f"segmented_reduce_{name}", form, size, x, heads)
            want = x.copy()
            for i in range(n):
                if heads[i] == 0 and i % got.shape[1] != 0:
                    want[i] = ufunc(want[i - 1], x[i])
            np.testing.assert_array_equal(got.ravel(), want, err_msg=f"{name} {form} {dtype.__name__}")


@pytest.mark.parametrize("wanted", blocks.SIZES)
def test_scans(arch: str, wanted: int) -> None:
    size = blocks.start_near(arch, wanted)
    for names, dtypes in ((["add", "mul", "min", "max"], NUMBERS), (["and", "or", "xor"], INTEGERS)):
        functions = [f"{kind}_{name}" for kind in ("inclusive", "exclusive") for name in names]
        for function, form, dtype in of_size(wanted, functions, [2, -1, WHOLE], dtypes):
            kind, _, name = function.partition("_")
            ufunc, neutral = JOINED[name]
            x = exact(name, values(dtype, size, name))
            rows = rows_of(x, form, size)
            with np.errstate(over="ignore"):
                want = ufunc.accumulate(rows, 1, dtype=dtype)
            if kind == "exclusive":
                want = np.concatenate([np.full((len(rows), 1), neutral(dtype), dtype), want[:, :-1]], 1)
            np.testing.assert_array_equal(called(function, form, size, x), want, err_msg=f"{function} {form} {dtype.__name__}")


@pytest.mark.parametrize("wanted", blocks.SIZES)
def test_sorting(arch: str, wanted: int) -> None:
    size = blocks.start_near(arch, wanted)
    n = BLOCKS * threads(size)
    for (key, value), form in of_size(wanted, [(np.int32, np.int32), (np.float32, np.uint64), (np.float64, np.float32)], [0, 1, 2, -1, WHOLE]):
        keys = blocks.numbers(key, n)  # several of each
        partners = np.random.default_rng(4).permutation(n).astype(value)
        order = np.lexsort((partners, keys, np.arange(n) // rows_of(keys, form, size).shape[1]))
        got_keys, got_partners = keys.copy(), partners.copy()
        if form is WHOLE:
            kernels.sort_whole(got_keys, got_partners, threads(size))
        else:
            kernels.sort(got_keys, got_partners, threads(size), range(size.bit_length())[form])
        np.testing.assert_array_equal(got_keys, keys[order], err_msg=str(form))
        np.testing.assert_array_equal(got_partners, partners[order], err_msg=str(form))
