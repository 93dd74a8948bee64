"""Arrays with boundary="clamp": the nearest element stands for one that is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

VEC = qd.types.vector(2, qd.i32)
LINE = qd.types.ndarray(dtype=qd.i32, ndim=1, boundary="clamp")
SQUARE = qd.types.ndarray(dtype=qd.i32, ndim=2, boundary="clamp")
VECTORS = qd.types.ndarray(dtype=VEC, ndim=1, boundary="clamp")


@qd.dataclass
class Cell:
    heat: qd.i32
    flow: VEC


@pytest.fixture(params=[False, True])
def program(arch: str, request: pytest.FixtureRequest) -> str:
    """Debug mode has nothing to say of indices that are moved."""
    qd.init(arch=arch, debug=request.param, log_level="error", offline_cache=False)
    return arch


@qd.func
def taken(x: LINE, i: qd.i64) -> qd.i32:
    return x[i]


@qd.kernel
def read(x: LINE, i: qd.i32, j: qd.i64) -> VEC:
    return VEC(x[i], taken(x, j))


@qd.kernel
def constants(x: LINE) -> VEC:
    return VEC(x[-1], x[100])


@qd.kernel
def blur(x: SQUARE, out: SQUARE):
    for i, j in x:
        out[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]


@qd.kernel
def write(x: LINE, w: VECTORS, s: qd.types.ndarray(dtype=Cell, ndim=1, boundary="clamp"), i: qd.i32):
    x[i] += 5
    w[i].y = 7
    s[i].heat += 3
    s[i].flow[1] = 4
    qd.atomic_max(x[-i], 50)


@qd.kernel
def through_a_view(x: LINE, i: qd.i32) -> VEC:
    view = qd.BufferView(x, 1, 2)
    return VEC(view[i], x[1:3][i])


@qd.kernel
def gradient(x: qd.types.ndarray(dtype=qd.f32, ndim=1, needs_grad=True, boundary="clamp"), i: qd.i32):
    x.grad[i] = 1.0


def array(kind: str) -> Any:
    values = np.array([10, 20, 30, 40], dtype=np.int32)
    if kind == "numpy":
        return values
    made = qd.ndarray(qd.i32, 4)
    made.from_numpy(values)
    return made


@pytest.mark.parametrize("kind", ["numpy", "ndarray"])
def test_reads(program: str, kind: str) -> None:
    x = array(kind)
    assert [read(x, i, j).to_list() for i, j in ((0, 3), (-1, 4), (4, -1), (-(2**31), 2**31), (2**31 - 1, -(2**63)), (2, 2**63 - 1))] == [
        [10, 40], [10, 40], [40, 10], [10, 40], [40, 10], [30, 40]
    ]  # fmt: skip
    assert constants(x).to_list() == [10, 40]
    assert [through_a_view(x, i).to_list() for i in (-9, 0, 1, 2, 9)] == [[10, 10], [20, 20], [30, 30], [40, 40], [40, 40]]


def test_two_axes(program: str) -> None:
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    out = np.zeros_like(x)
    blur(x, out)
    padded = np.pad(x, 1, mode="edge")
    assert (out == padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]).all()


def test_writes(program: str) -> None:
    x, w, s = array("ndarray"), np.zeros((3, 2), np.int32), Cell.ndarray(2)
    write(x, w, s, 9)
    assert x.to_numpy().tolist() == [50, 20, 30, 45]
    assert w.tolist() == [[0, 0], [0, 0], [0, 7]]
    assert s.heat.to_numpy().tolist() == [0, 3]
    assert s.flow.to_numpy().tolist() == [[0, 0], [0, 4]]
    x = qd.ndarray(qd.f32, 3, needs_grad=True)
    gradient(x, 5)
    assert x.grad.to_numpy().tolist() == [0, 0, 1]


@pytest.mark.parametrize("fastcache", [False, True])
def test_it_is_part_of_the_key(back_end: str, fastcache: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def made(boundary: str) -> Any:
        @qd.kernel(fastcache=fastcache)
        def read_at(x: qd.types.ndarray(dtype=qd.i32, ndim=1, boundary=boundary), i: qd.i32) -> qd.i32:  # type: ignore[valid-type]
            return x[i]

        return read_at

    monkeypatch.setenv("QD_OFFLINE_CACHE_FILE_PATH", str(tmp_path))
    values = np.array([1, 2, 3, 4], dtype=np.int32)
    for _ in range(2):
        qd.init(arch=back_end, debug=True, log_level="error")
        assert made("clamp")(values, 9) == 4
        with pytest.raises(qd.KernelAssertionError, match=r"Out of bound access to ndarray at arg 0 with indices \[9\]"):
            made("unsafe")(values, 9)


def test_other_boundaries() -> None:
    with pytest.raises(qd.KernelTypeError, match='boundary is "unsafe" or "clamp", not \'wrap\''):
        qd.types.ndarray(dtype=qd.i32, ndim=1, boundary="wrap")


MATRIX = qd.types.matrix(2, 3, qd.i32)


@qd.kernel
def components(w: VECTORS, m: qd.types.ndarray(dtype=MATRIX, ndim=1, boundary="clamp"), i: qd.i32, j: qd.i64, out: qd.types.ndarray(qd.i32, 1)):
    out[0] = w[i][j]
    out[1] = w[0][-j]
    out[2] = m[j][i, j]
    out[3] = m[-1][-i, 1]
    out[4] = m[0][-1, 7]
    w[-i][j] = 50
    w[1][-5] += 7
    m[0][1, i] = 60
    m[9][j, -j] -= 1
    v = w[0]
    out[5] = v[1]


@pytest.mark.parametrize(("i", "j"), [(5, 1 << 40), (1, 9)])
def test_indices_of_components_are_moved_too(program: str, i: int, j: int) -> None:
    w = qd.ndarray(VEC, 2)
    m = qd.ndarray(MATRIX, 2)
    w.from_numpy(np.arange(4, dtype=np.int32).reshape(2, 2))
    m.from_numpy(10 * np.arange(12, dtype=np.int32).reshape(2, 2, 3))
    out = np.zeros(6, np.int32)
    components(w, m, i, j, out)
    last = min(i, 2)
    assert out.tolist() == [3, 0, 110, 10, 20, 50]
    assert w.to_numpy().tolist() == [[0, 50], [9, 3]]
    expected = 10 * np.arange(12, dtype=np.int32).reshape(2, 2, 3)
    expected[0, 1, last] = 60
    expected[1, 1, 0] -= 1
    assert m.to_numpy().tolist() == expected.tolist()
