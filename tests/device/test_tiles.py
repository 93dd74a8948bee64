"""Tiles (qd.simt.Tile16x16 and Tile32x32) against numpy."""

from __future__ import annotations

from typing import Any

import blocks
import kernels_for_tiles as kernels
import numpy as np
import pytest
import qd
from pairs import pairs

TILES = [qd.simt.Tile16x16, qd.simt.Tile32x32]
FLOATS = [np.float32, np.float64]
TOLERANCE = {np.float32: 2e-5, np.float64: 1e-12}


LANES = [8, 32]
"""Subgroups that are smaller than a tile, and such that are not."""


@pytest.fixture(params=TILES, ids=["16", "32"])
def tile(arch: str, request: pytest.FixtureRequest) -> Any:
    blocks.start(arch)
    return request.param


def of_numpy(dtype: Any) -> Any:
    return {np.int32: qd.i32, np.float32: qd.f32, np.float64: qd.f64}[dtype]


def matrix(shape: Any, dtype: Any = np.float32, seed: int = 0) -> Any:
    return np.random.default_rng(seed).uniform(1, 2, shape).astype(dtype)


def positive(n: int, dtype: Any, seed: int = 0) -> Any:
    """A symmetric positive definite matrix."""
    half = np.random.default_rng(seed).standard_normal((n, n))
    return (half @ half.T + n * np.eye(n)).astype(dtype)


def with_part(of: Any, into: Any, place: tuple[int, ...], other: tuple[int, ...], n: int) -> Any:
    """`into` after a tile of zeros has loaded a part of `of` and was stored: number by number, by the rules of the guide."""
    tile, made = np.zeros((n, n), of.dtype), into.copy()
    for i, j in np.ndindex(n, n):
        if place[0] + i < min(place[1], of.shape[0]) and place[2] + j < min(place[3], of.shape[1]):
            tile[i, j] = of[place[0] + i, place[2] + j]
    for i, j in np.ndindex(n, n):
        if other[0] + i < min(other[1], into.shape[0]) and other[2] + j < min(other[3], into.shape[1]):
            made[other[0] + i, other[2] + j] = tile[i, j]
    return made


PLACES = [
    ((0, 99, 0, 99), (0, 99, 0, 99)),  # as much as there is
    ((3, 12, 2, 9), (1, 40, 4, 40)),  # fewer rows and columns
    ((20, 60, 17, 60), (0, 40, 0, 40)),  # beyond the end of one array
    ((0, 40, 0, 40), (30, 44, 30, 60)),  # beyond that of the other
    ((0, 40, 50, 60), (0, 40, 0, 40)),  # nothing of the array
    ((9, 3, 0, 40), (0, 40, 0, 40)),  # no rows
    ((0, 40, 0, 40), (2, 9, 3, 11)),  # fewer rows and columns are stored
]


@pytest.mark.parametrize(("tile", "dtype", "kind"), pairs(TILES, FLOATS, ["numpy", "ndarray", "field"]))
def test_parts(arch: str, tile: Any, dtype: Any, kind: str) -> None:
    blocks.start(arch)
    x, y = matrix((40, 37), dtype), matrix((42, 41), dtype, 1)
    for place, other in PLACES:
        annotation = qd.template() if kind == "field" else qd.types.ndarray()
        arrays = [getattr(qd, kind)(of_numpy(dtype), a.shape) if kind != "numpy" else a.copy() for a in (x, y)]
        if kind != "numpy":
            arrays[0].from_numpy(x)
            arrays[1].from_numpy(y)
        kernels.moved(tile, of_numpy(dtype), annotation)(*arrays, qd.Vector(place), qd.Vector(other))
        got = arrays[1] if kind == "numpy" else arrays[1].to_numpy()
        np.testing.assert_array_equal(got, with_part(x, y, place, other, tile.SIZE), err_msg=f"{place} {other}")


@pytest.mark.parametrize("kind", ["numpy", "field"])
def test_batches(arch: str, kind: str) -> None:
    blocks.start(arch)
    x, y = matrix((3, 40, 37)), matrix((3, 42, 41), seed=1)
    for tile, of_kind, (place, other) in pairs(TILES, ["numpy", "field"], PLACES):
        if of_kind != kind:
            continue
        arrays: list[Any] = [x.copy(), y.copy()]
        if kind == "field":
            arrays = [qd.field(qd.f32, a.shape) for a in (x, y)]
            arrays[0].from_numpy(x)
            arrays[1].from_numpy(y)
        annotation = qd.template() if kind == "field" else qd.types.ndarray()
        kernels.moved_in_batches(tile, qd.f32, annotation)(*arrays, qd.Vector(place), qd.Vector(other))
        got = arrays[1] if kind == "numpy" else arrays[1].to_numpy()
        for k in range(3):
            np.testing.assert_array_equal(got[2 - k], with_part(x[k], y[2 - k], place, other, tile.SIZE))


@pytest.mark.parametrize("debug", [False, True])
def test_what_is_before_an_array(arch: str, debug: bool) -> None:
    """Rows and columns with negative numbers, which only a kernel knows, are not there. In debug mode reading them would be an error."""
    blocks.start(arch, debug=debug)
    x, y = matrix((40, 40)), np.zeros((16, 16), np.float32)
    kernels.moved(kernels.Tile16x16, qd.f32)(x, y, qd.Vector([-3, 13, -5, 11]), qd.Vector([0, 16, 0, 16]))
    want = np.zeros((16, 16), np.float32)
    want[3:, 5:] = x[:13, :11]
    np.testing.assert_array_equal(y, want)
    z = matrix((20, 20), seed=1)
    kernels.moved(kernels.Tile16x16, qd.f32)(x, z, qd.Vector([0, 16, 0, 16]), qd.Vector([-3, 13, -5, 11]))
    want = matrix((20, 20), seed=1)
    want[:13, :11] = x[3:16, 5:16]
    np.testing.assert_array_equal(z, want)


def test_bounds_of_other_types(arch: str) -> None:
    blocks.start(arch)
    x, y = matrix((20, 20)), matrix((20, 20), seed=1)
    want = y.copy()
    kernels.wide_bounds(x, y, 3, 9)
    want[3:9, 3:9] = x[3:9, 3:9] + np.outer(x[3:9, 3], x[3:9, 3])
    np.testing.assert_allclose(y, want, rtol=1e-6)


def test_columns_alone(arch: str) -> None:
    blocks.start(arch)
    x = matrix((32, 3))
    want = np.zeros(32, np.float32)
    want[:18] = x[2:20, 0]
    kernels.columns_alone(x)
    np.testing.assert_array_equal(x[:, 1:], np.stack([want, want], 1))


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_new_tiles(tile: Any, dtype: Any) -> None:
    n = tile.SIZE
    zeros, ones, again = (np.full((n, n), 7, dtype) for _ in range(3))
    kernels.made(tile, of_numpy(dtype))(zeros, ones, again)
    assert not zeros.any()
    np.testing.assert_array_equal(ones, np.eye(n))
    np.testing.assert_array_equal(again, np.eye(n))


def test_default_type(arch: str) -> None:
    for dtype, exact in ((qd.f32, False), (qd.f64, True)):
        blocks.start(arch, default_fp=dtype)
        x, y = matrix((16, 16), np.float64), np.zeros((16, 16))
        kernels.moved(kernels.Tile16x16, None)(x, y, qd.Vector([0, 16, 0, 16]), qd.Vector([0, 16, 0, 16]))
        np.testing.assert_array_equal(y, x if exact else x.astype(np.float32))


def test_size() -> None:
    assert [tile.SIZE for tile in TILES] == [16, 32]


@pytest.mark.parametrize("columns", [4, 9])
def test_shared_arrays(tile: Any, columns: int) -> None:
    n = tile.SIZE
    x, y = matrix((n, n)), np.zeros((n, n), np.float32)
    kernels.through_a_shared_array(tile, qd.f32)(x, y, columns)
    narrow = np.append(x[:-1, 1], np.float32(7))  # its last row is not stored
    np.testing.assert_allclose(y, x.T + np.outer(x[:, 2], narrow), rtol=1e-6)


@pytest.mark.parametrize(("lanes", "tile", "dtype"), pairs(LANES, TILES, [np.int32, np.float32, np.float64]))
def test_outer(arch: str, lanes: int, tile: Any, dtype: Any) -> None:
    blocks.start_near(arch, lanes)
    n, rows = tile.SIZE, 11
    x, v, batches = (blocks.numbers(dtype, size).reshape(shape) for size, shape in ((n * n, (n, n)), (36, (12, 3)), (2 * n, (2, n, 1))))
    got, i = x.copy(), np.arange(n)
    kernels.outer(tile, of_numpy(dtype))(got, v, batches, rows)
    a, b = np.zeros((2, n, 3))
    a[:rows] = v[:rows]
    b[:rows] = v[1 : rows + 1]
    np.testing.assert_array_equal(got, x - a @ b.T - np.outer(batches[1], batches[1]) + np.outer(i + 1, 2 * i))


@pytest.mark.parametrize(("lanes", "tile", "dtype"), pairs(LANES, TILES, FLOATS))
def test_cholesky(arch: str, lanes: int, tile: Any, dtype: Any) -> None:
    blocks.start_near(arch, lanes)
    n = tile.SIZE
    x = np.stack([positive(n, dtype, seed) for seed in range(3)])
    got = x + np.triu(np.full((n, n), np.nan, dtype), 1)  # elements above the diagonal are not read
    kernels.cholesky(tile, of_numpy(dtype))(got, np.full(3 * n, 1e-6, dtype))
    np.testing.assert_allclose(np.tril(got), np.linalg.cholesky(x.astype(np.float64)), rtol=0, atol=TOLERANCE[dtype])
    assert np.isnan(got[:, np.triu(np.ones((n, n)), 1) > 0]).all()


def test_least_pivots(arch: str) -> None:
    """Decomposition of a diagonal matrix, some of whose numbers are too small: each row has a bound of its own."""
    blocks.start(arch)
    n = 16
    diagonal, least = np.linspace(-1, 2, n), np.linspace(0.25, 0.5, n)
    x = np.diag(diagonal)[None].copy()
    kernels.cholesky(kernels.Tile16x16, qd.f64)(x, least)
    np.testing.assert_allclose(x[0], np.diag(np.sqrt(np.maximum(diagonal, least))), rtol=1e-15)


@pytest.mark.parametrize(("lanes", "tile", "dtype"), pairs(LANES, TILES, FLOATS))
def test_solve_triangular(arch: str, lanes: int, tile: Any, dtype: Any) -> None:
    blocks.start_near(arch, lanes)
    n = tile.SIZE
    factor = np.linalg.cholesky(positive(n, np.float64)).astype(dtype)
    x = factor + np.triu(np.full((n, n), np.nan, dtype), 1)
    b = matrix((2, n, n), dtype)
    got = b.copy()
    kernels.solve(tile, of_numpy(dtype))(x, got)
    np.testing.assert_allclose(got @ factor.T, b, rtol=0, atol=TOLERANCE[dtype])


def test_tiles_are_values(arch: str) -> None:
    blocks.start(arch)
    x, y = matrix((18, 16)), np.zeros((4, 16, 16), np.float32)
    kernels.of_funcs(x, y)
    changed = x[2:18] - np.arange(16, dtype=np.float32)[:, None]
    np.testing.assert_array_equal(y, np.stack([changed, x[2:18], np.eye(16), changed]))


@pytest.mark.parametrize(("n", "count", "debug"), [(48, 1, False), (34, 2, True)])
def test_blocked_cholesky(arch: str, n: int, count: int, debug: bool) -> None:
    blocks.start(arch, debug=debug)
    x = np.stack([positive(n, np.float64, seed) for seed in range(count)])
    got = x.copy()
    kernels.factorised(got, n)
    np.testing.assert_allclose(np.tril(got), np.linalg.cholesky(x), rtol=0, atol=1e-12)
