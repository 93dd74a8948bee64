"""Vector instructions of the CPU for the components of vectors and matrices, of several iterations or of one, for lanes and for short loops."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import qd

Matrices = qd.types.ndarray(dtype=qd.types.matrix(3, 3, qd.f32), ndim=1)
Vectors = qd.types.ndarray(dtype=qd.types.vector(3, qd.f32), ndim=1)
Table, Numbers = qd.types.ndarray(dtype=qd.i32, ndim=2), qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.kernel
def pulled_back(a: Matrices, b: Matrices, c: Matrices, d: Matrices, g: Matrices):
    """The shape of a gradient: takes `g`, sets it to 0, and adds products of it to two arrays."""
    for i in range(a.shape[0]):
        adjoint = g[i]
        for row, column in qd.static(qd.ndrange(3, 3)):
            g[i][row, column] = 0.0
        a[i] += adjoint @ b[i].inverse()
        c[i] += adjoint @ d[i].inverse()


def start() -> None:
    qd.init(arch=qd.cpu, log_level="error", offline_cache=False, print_kernel_asm=True)


has_vectors = pytest.mark.skipif("avx2" not in Path("/proc/cpuinfo").read_text(), reason="for processors with AVX2")


@has_vectors
def test_matrices_are_taken_by_vectors(capfd: pytest.CaptureFixture[str]) -> None:
    start()
    values = np.random.default_rng(0).uniform(0, 1, (5, 100, 3, 3)).astype(np.float32) + 2 * np.eye(3, dtype=np.float32)
    arrays = [qd.Matrix.ndarray(3, 3, qd.f32, 100) for _ in values]
    for array, value in zip(arrays, values):
        array.from_numpy(value)
    pulled_back(*arrays)
    assembly = capfd.readouterr().err
    assert len(re.findall(r"fn?m(?:add|sub)\d+ps\s", assembly)) > 20
    a, b, c, d, g = values
    expected = [a + g @ np.linalg.inv(b), b, c + g @ np.linalg.inv(d), d, np.zeros_like(g)]
    for array, value in zip(arrays, expected):
        np.testing.assert_allclose(array.to_numpy(), value, rtol=1e-4, atol=1e-4)


@qd.kernel
def from_grid(x: Vectors, grid: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32), ndim=3), velocity: Vectors, affine: Matrices):
    """A particle's step in a grid: the cells that it reads lie anywhere, so that the loop itself stays scalar."""
    for i in range(x.shape[0]):
        if x[i][0] > 0.0:
            base = qd.floor(x[i] * 8.0 - 0.5).cast(qd.i32)
            fx = x[i] * 8.0 - base.cast(qd.f32)
            w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1.0) ** 2, 0.5 * (fx - 0.5) ** 2]
            v = qd.Vector.zero(qd.f32, 3)
            c = qd.Matrix.zero(qd.f32, 3, 3)
            for offset in qd.static(qd.grouped(qd.ndrange(3, 3, 3))):
                weight = w[offset[0]][0] * w[offset[1]][1] * w[offset[2]][2]
                at = grid[base + offset]
                v += weight * at
                c += 4.0 * weight * at.outer_product(offset.cast(qd.f32) - fx)
            velocity[i] = v
            affine[i] = c


@has_vectors
def test_components_of_one_iteration_are_vectors(capfd: pytest.CaptureFixture[str]) -> None:
    start()
    generator = np.random.default_rng(0)
    places = generator.uniform(0.2, 0.7, (50, 3)).astype(np.float32)
    cells = generator.uniform(-1, 1, (8, 8, 8, 3)).astype(np.float32)
    x, velocity, grid = qd.Vector.ndarray(3, qd.f32, 50), qd.Vector.ndarray(3, qd.f32, 50), qd.Vector.ndarray(3, qd.f32, (8, 8, 8))
    affine = qd.Matrix.ndarray(3, 3, qd.f32, 50)
    x.from_numpy(places)
    grid.from_numpy(cells)
    from_grid(x, grid, velocity, affine)
    assembly = capfd.readouterr().err
    assert len(re.findall(r"(?:mul|add|fn?m(?:add|sub)\d+)ps\s", assembly)) > 50
    base = np.floor(places * 8 - 0.5).astype(int)
    fx = places * 8 - base
    w = np.stack([0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2])
    expected_v, expected_c = np.zeros((50, 3)), np.zeros((50, 3, 3))
    for offset in np.ndindex(3, 3, 3):
        weight = w[offset[0], :, 0] * w[offset[1], :, 1] * w[offset[2], :, 2]
        at = cells[tuple((base + offset).T)]
        expected_v += weight[:, None] * at
        expected_c += (4 * weight)[:, None, None] * at[:, :, None] * (np.array(offset) - fx)[:, None, :]
    np.testing.assert_allclose(velocity.to_numpy(), expected_v, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(affine.to_numpy(), expected_c, rtol=1e-4, atol=1e-4)


@qd.kernel
def exponentials(x: Numbers, y: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    qd.loop_config(vectorize=True)
    for i in range(x.shape[0]):
        total = 0.0
        for k in range(-3, 4):
            if x[i] + k >= 0:
                total += qd.exp(-0.5 * (x[i] + k))
        y[i] = total


@pytest.mark.skipif("avx512vl" not in Path("/proc/cpuinfo").read_text(), reason="for processors with AVX-512")
def test_lanes_do_not_wait_for_the_call_before(capfd: pytest.CaptureFixture[str]) -> None:
    """A vector of -1, which is made by an instruction that waits, is needed for no comparison; vectors on the stack lie in one line."""
    start()
    x = np.arange(-40, 40, dtype=np.int32)
    y = np.zeros(len(x), np.float32)
    exponentials(x, y)
    assembly = capfd.readouterr().err
    assert "zmm" in assembly and not re.search(r"vpternlogd\s+\$255", assembly)
    assert re.search(r"andq\s+\$-64, %rsp", assembly)
    sums = x[:, None] + np.arange(-3, 4)
    np.testing.assert_allclose(y, np.where(sums >= 0, np.exp(-0.5 * sums), 0).sum(1), rtol=1e-6)


@qd.kernel
def to_grid(x: Vectors, momentum: Vectors, grid: qd.types.ndarray(dtype=qd.types.vector(3, qd.f32), ndim=3)):
    """A particle's step to a grid. Additions to cells anywhere keep the loop over particles out of vectors."""
    qd.loop_config(vectorize=False)
    for i in range(x.shape[0]):
        base = qd.floor(x[i] * 8.0 - 0.5).cast(qd.i32)
        fx = x[i] * 8.0 - base.cast(qd.f32)
        w = [0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1.0) ** 2, 0.5 * (fx - 0.5) ** 2]
        for offset in qd.static(qd.grouped(qd.ndrange(3, 3, 3))):
            weight = w[offset[0]][0] * w[offset[1]][1] * w[offset[2]][2]
            grid[base + offset] += weight * (momentum[i] + offset.cast(qd.f32) - fx)


@has_vectors
def test_components_that_are_added_are_vectors(capfd: pytest.CaptureFixture[str]) -> None:
    start()
    generator = np.random.default_rng(0)
    places = generator.uniform(0.2, 0.7, (50, 3)).astype(np.float32)
    momenta = generator.uniform(-1, 1, (50, 3)).astype(np.float32)
    x, momentum, grid = qd.Vector.ndarray(3, qd.f32, 50), qd.Vector.ndarray(3, qd.f32, 50), qd.Vector.ndarray(3, qd.f32, (8, 8, 8))
    x.from_numpy(places)
    momentum.from_numpy(momenta)
    to_grid(x, momentum, grid)
    assembly = capfd.readouterr().err
    assert len(re.findall(r"(?:mul|add|fn?m(?:add|sub)\d+)ps\s", assembly)) > 20
    base = np.floor(places * 8 - 0.5).astype(int)
    fx = places * 8 - base
    w = np.stack([0.5 * (1.5 - fx) ** 2, 0.75 - (fx - 1) ** 2, 0.5 * (fx - 0.5) ** 2])
    expected = np.zeros((8, 8, 8, 3))
    for offset in np.ndindex(3, 3, 3):
        weight = w[offset[0], :, 0] * w[offset[1], :, 1] * w[offset[2], :, 2]
        np.add.at(expected, tuple((base + offset).T), weight[:, None] * (momenta + np.array(offset) - fx))
    np.testing.assert_allclose(grid.to_numpy(), expected, rtol=1e-4, atol=1e-5)


@qd.kernel
def near(
    x: Vectors,
    neighbours: qd.types.ndarray(dtype=qd.i32, ndim=2),
    counts: qd.types.ndarray(dtype=qd.i32, ndim=1),
    density: qd.types.ndarray(dtype=qd.f32, ndim=1),
):
    """The density at each particle: neighbours are few, and as many as the run tells."""
    qd.loop_config(vectorize=False)
    for i in range(x.shape[0]):
        total = 0.0
        for k in range(counts[i]):
            near = qd.max(1.0 - (x[i] - x[neighbours[i, k]]).norm_sqr(), 0.0)
            total += near * near * near
        density[i] = total


@has_vectors
def test_short_loops_are_vectors(capfd: pytest.CaptureFixture[str]) -> None:
    """Vectors of 4 numbers beside those of 8, of which LLVM takes several at once."""
    start()
    generator = np.random.default_rng(0)
    places = generator.uniform(0, 1, (60, 3)).astype(np.float32)
    lists = generator.integers(0, 60, (60, 80)).astype(np.int32)
    lengths = np.arange(60, dtype=np.int32) + 10
    density = np.zeros(60, np.float32)
    x = qd.Vector.ndarray(3, qd.f32, 60)
    x.from_numpy(places)
    near(x, lists, lengths, density)
    assembly = capfd.readouterr().err
    assert re.search(r"mulps\s.*%ymm", assembly)
    assert re.search(r"mulps\s.*%xmm", assembly)
    for i, length in enumerate(lengths):
        squares = ((places[i] - places[lists[i, :length]]) ** 2).sum(1)
        np.testing.assert_allclose(density[i], (np.maximum(1 - squares, 0) ** 3).sum(), rtol=1e-4, atol=1e-5)
