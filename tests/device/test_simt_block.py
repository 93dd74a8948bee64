"""Every function of qd.simt.block against numpy, and programs as they are written with blocks."""

from __future__ import annotations

from typing import Any

import blocks
import kernels_for_simt as kernels
import numpy as np
import pytest
import qd
from pairs import pairs

block = qd.simt.block
NUMBERS = [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64]
KINDS = ["reduce", "reduce_all", "inclusive", "exclusive"]


def dtype_of(dtype: Any) -> Any:
    return {np.int32: qd.i32, np.uint32: qd.u32, np.int64: qd.i64, np.uint64: qd.u64, np.float32: qd.f32, np.float64: qd.f64}[dtype]


@pytest.fixture
def size(arch: str) -> int:
    return blocks.start(arch)


@pytest.mark.parametrize("kind", KINDS)
def test_reductions_and_scans(size: int, kind: str) -> None:
    for other, name, block_dim, dtype in pairs(KINDS, ["add", "min", "max"], [1, 8, 48, 128], NUMBERS):
        if other != kind:
            continue
        ufunc = {"add": np.add, "min": np.minimum, "max": np.maximum}[name]
        x = blocks.numbers(dtype, 3 * block_dim, block_dim)
        rows = blocks.tiles(x, block_dim)
        if "reduce" in kind:
            want = np.repeat(ufunc.reduce(rows, 1, dtype=dtype)[:, None], block_dim, 1)
        else:
            want = ufunc.accumulate(rows, 1, dtype=dtype)
        if kind == "exclusive":
            neutral = {"add": 0, "min": blocks.highest(dtype), "max": blocks.lowest(dtype)}[name]
            want = np.concatenate([np.full((3, 1), neutral, dtype), want[:, :-1]], 1)
        out = np.zeros_like(x)
        kernels.of_block(getattr(block, f"{kind}_{name}"))(x, out, block_dim, dtype_of(dtype))
        columns = slice(1) if kind == "reduce" else slice(None)
        np.testing.assert_array_equal(blocks.tiles(out, block_dim)[:, columns], want[:, columns], err_msg=f"{name} {block_dim} {dtype.__name__}")


@pytest.mark.parametrize("block_dim", [1, 32, 40])
def test_votes(size: int, block_dim: int) -> None:
    random = np.random.default_rng(0)
    votes = {name: kernels.of_value(getattr(block, f"sync_{name}_nonzero")) for name in ("all", "any", "count")}
    for x in (np.zeros(3 * block_dim), np.ones(3 * block_dim), random.integers(0, 2, 3 * block_dim), random.random(3 * block_dim) < 0.98):
        x = x.astype(np.int32) * 7
        rows = blocks.tiles(x, block_dim) != 0
        for name, want in (("all", rows.all(1)), ("any", rows.any(1)), ("count", rows.sum(1))):
            out = np.full(3 * block_dim, -1, np.int32)
            votes[name](x, out, block_dim)
            np.testing.assert_array_equal(blocks.tiles(out, block_dim), np.repeat(want[:, None], block_dim, 1))


@pytest.mark.parametrize(("lanes", "bits", "begin", "width"), [(64, 6, 0, 6), (8, 6, 3, 5), (32, 4, 28, 4), (8, 6, 0, 1)])
def test_radix_ranks(arch: str, lanes: int, bits: int, begin: int, width: int) -> None:
    blocks.start_near(arch, lanes)
    n = 1 << bits
    for keys in (np.random.default_rng(bits).integers(0, 2**32, 2 * n, np.uint32), np.full(n, 0xABCDEF, np.uint32)):
        out, counts, before = (np.full(len(keys), -1, np.int32) for _ in range(3))
        kernels.ranks(keys, out, counts, before, bits, begin, width)
        for i in range(0, len(keys), n):
            digits = keys[i : i + n] >> begin & ((1 << width) - 1)
            places = np.empty(n, int)
            places[np.argsort(digits, kind="stable")] = np.arange(n)
            np.testing.assert_array_equal(out[i : i + n], places)
            found = np.bincount(digits, minlength=n)
            np.testing.assert_array_equal(counts[i : i + n], found)
            np.testing.assert_array_equal(before[i : i + n], np.cumsum(found) - found)


# --- programs ---


def test_transpose(size: int) -> None:
    x = np.random.default_rng(0).random((24, 16), np.float32)
    out = np.zeros((16, 24), np.float32)
    kernels.transpose(x, out)
    np.testing.assert_array_equal(out, x.T)


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_tree_sums(size: int, dtype: Any) -> None:
    x = blocks.numbers(dtype, 256)
    out = np.zeros(4, dtype)
    kernels.tree_sums(x, out, 64, dtype_of(dtype))
    np.testing.assert_array_equal(out, x.reshape(4, 64).sum(1))


def test_scan(size: int) -> None:
    x = blocks.numbers(np.int32, 128)
    out = np.zeros_like(x)
    kernels.scan(x, out, 64)
    np.testing.assert_array_equal(out.reshape(2, 64), x.reshape(2, 64).cumsum(1))


def test_histogram(size: int) -> None:
    x = np.random.default_rng(1).integers(0, 100, 512, np.int32)
    out = np.zeros(16, np.int32)
    kernels.histogram(x, out, 64)
    np.testing.assert_array_equal(out, np.bincount(x & 15, minlength=16))


def test_product(size: int) -> None:
    random = np.random.default_rng(2)
    a, b = random.random((16, 24)), random.random((24, 8))
    out = np.zeros((16, 8))
    kernels.product(a, b, out)
    np.testing.assert_allclose(out, a @ b, rtol=1e-13)


def test_bodies(size: int) -> None:
    x = np.random.default_rng(3).random((48, 3))
    position, force = qd.Vector.ndarray(3, qd.f64, 48), qd.Vector.ndarray(3, qd.f64, 48)
    position.from_numpy(x)
    kernels.bodies(position, force)
    apart = x[None] - x[:, None]
    want = (apart / ((apart**2).sum(2, keepdims=True) + 0.25) ** 1.5).sum(1)
    np.testing.assert_allclose(force.to_numpy(), want, rtol=1e-12, atol=1e-12)


def test_structs(size: int) -> None:
    x, out = kernels.Particle.field(shape=128), kernels.Particle.field(shape=128)
    masses, places = blocks.numbers(np.float32, 128) + 6, np.random.default_rng(4).random((128, 2), np.float32)
    x.from_numpy({"mass": masses, "place": places})
    kernels.particles(x, out)
    got = out.to_numpy()
    rows = masses.reshape(2, 64)
    np.testing.assert_allclose(got["mass"].reshape(2, 64), rows / rows.sum(1, keepdims=True), rtol=1e-6)
    heaviest = np.repeat(masses.reshape(-1, size).max(1), size)
    np.testing.assert_allclose(got["place"], places + np.stack([heaviest, np.zeros(128)], 1), rtol=1e-6)


def test_methods(size: int) -> None:
    smoother = kernels.Smoother(64)
    x = blocks.numbers(np.float32, 64)
    smoother.x.from_numpy(x)
    smoother.smooth()
    rows = x.reshape(2, 32)
    want = sum(np.roll(rows, -k, 1) for k in range(3)) / np.float32(3)
    np.testing.assert_allclose(smoother.x.to_numpy(), want.reshape(64), rtol=1e-6)


def test_an_array_for_each_call(size: int) -> None:
    x = blocks.numbers(np.int32, 16) + 5
    out = np.zeros_like(x)
    kernels.swaps(x, out)
    rows, t = x.reshape(2, 8), np.arange(8)
    parts = [rows[:, t ^ (1 << k)] for k in (0, 1, 2, 0)]
    np.testing.assert_array_equal(out.reshape(2, 8), ((parts[0] * 100 + parts[1]) * 100 + parts[2]) * 100 + parts[3])


def test_several_loops(size: int) -> None:
    x, y, total = np.arange(16, dtype=np.int32), np.zeros(16, np.int32), np.zeros(1, np.int32)
    kernels.several(x, y, total)
    want = np.arange(1, 17)
    np.testing.assert_array_equal(x, want)
    assert total[0] == 16  # in each block of 8 some are greater than 3
    np.testing.assert_array_equal(y, np.repeat(want.reshape(2, 8).sum(1), 8) + 2000)


def test_axes(size: int) -> None:
    out = np.zeros((3, 8), np.int32)
    kernels.axes(out)
    want = 10 * np.arange(3)[:, None] + np.arange(8)
    np.testing.assert_array_equal(out.reshape(3, 2, 4), want.reshape(3, 2, 4)[:, :, ::-1])


def test_nested_loops(size: int) -> None:
    x = blocks.numbers(np.int32, 16)
    out = np.zeros_like(x)
    kernels.nested(x, out)
    rows = x.reshape(2, 8).copy()
    for outer in range(3):
        for inner in range(outer + 1):
            rows = np.roll(rows, -1, 1) + inner
        rows = rows[:, ::-1] if outer == 1 else rows
    np.testing.assert_array_equal(out.reshape(2, 8), rows)


def test_threads_that_end_early(size: int) -> None:
    x = blocks.numbers(np.int32, 48)
    out = np.full_like(x, 77)
    kernels.some_end_early(x, out)
    rows = x.reshape(3, 16)
    kept = np.where(rows < 0, rows, rows + 100)
    np.testing.assert_array_equal(out.reshape(3, 16), np.where(rows < 0, 77, np.roll(kept, -1, 1)))


def test_default_block_dim(arch: str) -> None:
    blocks.start(arch)
    out = np.zeros(300, np.int32)  # no barrier: the last block need not be whole
    kernels.default_blocks(out)
    np.testing.assert_array_equal(out, np.arange(300) % 128)
    blocks.start(arch, default_gpu_block_dim=7)
    kernels.default_blocks(out)
    np.testing.assert_array_equal(out, np.arange(300) % 7)


def test_an_array_before_the_loops(size: int) -> None:
    x = blocks.numbers(np.int32, 32)
    out = np.zeros_like(x)
    kernels.before_the_loops(x, out)
    np.testing.assert_array_equal(out, x.reshape(4, 8)[:, ::-1].reshape(16, 2)[:, ::-1].reshape(32))


def test_fences(size: int) -> None:
    x = blocks.numbers(np.int32, 16)
    out = np.zeros_like(x)
    kernels.fences(x, out)
    np.testing.assert_array_equal(out.reshape(8, 2), x.reshape(8, 2)[:, ::-1])


def test_one_subgroup_of_a_block(size: int) -> None:
    block_dim = 4 * size
    x = blocks.numbers(np.int32, 2 * block_dim)
    out = np.zeros(2, np.int32)
    kernels.group_by_group(x, out, block_dim)
    np.testing.assert_array_equal(out, x.reshape(2, block_dim).sum(1))


def test_random_numbers(size: int) -> None:
    out, again = np.zeros(4096, np.float32), np.zeros(4096, np.float32)
    kernels.random_numbers(out)
    kernels.random_numbers(again)
    assert 0 <= out.min() and out.max() < 1 and abs(out.mean() - 0.5) < 0.05
    assert len(np.unique(np.concatenate([out, again]))) > 8000
