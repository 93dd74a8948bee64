"""BufferViews in kernels: their elements, ways to make them, messages of debug mode."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_views as k

FILE = k.__file__
LINES = Path(FILE).read_text().splitlines()


@pytest.fixture
def debug(arch: str) -> str:
    qd.init(arch=arch, log_level="error", debug=True)
    return arch


def numbers(count: int) -> Any:
    x = qd.ndarray(qd.f32, count)
    x.from_numpy(np.arange(count, dtype=np.float32))
    return x


def at(line: str) -> str:
    """File and line of a line, in parentheses."""
    return f"({FILE}:{LINES.index('    ' + line) + 1})"


def failure(call: Callable[[], Any]) -> str:
    with pytest.raises(qd.KernelAssertionError) as caught:
        call()
        qd.sync()
    return str(caught.value)


def test_writes_land_in_the_ndarray_and_nowhere_else(arch: str) -> None:
    x = qd.ndarray(qd.f32, 8)
    k.fill(x[2:5], 10)
    assert x.to_numpy().tolist() == [0, 0, 10, 11, 12, 0, 0, 0]
    k.fill(x[2:5][1:], 20)
    k.fill(x[0:0], 5)
    k.fill(qd.BufferView(x, 7, 1).subview(0, 1), 30)
    assert x.to_numpy().tolist() == [0, 0, 10, 20, 21, 0, 0, 30]
    k.updates(x[2:5])
    assert x.to_numpy().tolist() == [0, 0, 21, 42, 44, 0, 0, 30]


def test_the_same_launch_with_other_offsets(arch: str) -> None:
    x = numbers(12)
    for begin in (0, 3, 1, 0):
        k.fill(x[begin : begin + 1], 100 + begin)
    assert x.to_numpy()[:4].tolist() == [100, 101, 2, 103]
    for begin in (4, 6, 8):
        k.copy_pair(k.Pair(a=x[begin - 4 : begin - 2], b=x[begin : begin + 2]))
    assert x.to_numpy()[4:10].tolist() == [100, 101, 2, 103, 100, 101]
    y = numbers(4)
    k.copy_pair(k.Pair(a=y[0:2], b=y[2:4]))
    assert y.to_numpy().tolist() == [0, 1, 0, 1]


def test_attributes(arch: str) -> None:
    out = np.zeros(8, dtype=np.int32)
    k.attributes(numbers(10)[3:7], out)
    assert out.tolist() == [4, 4, 3, 4, 4, 3, 2, 4]


def test_types(arch: str) -> None:
    x = qd.ndarray(qd.i32, 4)
    k.fill_any(x[1:3], 5)
    y = qd.ndarray(qd.f64, 3)
    k.fill_any(y[2:], 6)
    assert (x.to_numpy().tolist(), y.to_numpy().tolist()) == ([0, 5, 5, 0], [0, 0, 6])
    m = qd.Matrix.ndarray(2, 2, qd.f32, 3)
    m.from_numpy(np.arange(12, dtype=np.float32).reshape(3, 2, 2))
    k.matrices(m[1:])
    assert m.to_numpy().tolist() == [[[0, 1], [2, 3]], [[46, 55], [66, 79]], [[154, 172], [190, 211]]]


def test_made_in_kernels(arch: str) -> None:
    x = numbers(10)
    assert k.part_of(x[2:8], 1, 4) == 4
    assert k.slice_of(x[2:8], 1, 4) == 3
    assert k.made_of(x, 3, 5) == 5
    assert k.slice_of_array(x, 3, 6) == 12
    assert k.deep(x[1:5], 3) == 2 + 3 + 4


def test_wrong_arguments(arch: str) -> None:
    x = numbers(4)
    for wrong, text in ((x, "f32 ndarray of 1 dimension"), (3, "int 3"), (qd.ndarray(qd.i32, 4)[1:], "BufferView of i32")):
        with pytest.raises(qd.KernelRuntimeTypeError) as caught:
            k.fill(wrong, 1)
        assert str(caught.value) == f'Argument "v" of kernel fill: expected BufferView of f32, got {text}'
    with pytest.raises(qd.KernelRuntimeTypeError, match=r'Argument "v" of kernel fill_any: expected BufferView, got f32 ndarray'):
        k.fill_any(x, 1)
    empty = x[1:]
    empty.arr = 3
    with pytest.raises(qd.KernelRuntimeTypeError, match="expected BufferView of f32, got int 3"):
        k.fill(empty, 1)


def test_wrong_kernels(arch: str) -> None:
    x = numbers(4)
    with pytest.raises(qd.KernelSyntaxError, match="explicit step"):
        k.with_step(x[:])
    with pytest.raises(TypeError, match="not another BufferView"):
        k.view_of_a_view(x[:])
    if arch != "python":
        with pytest.raises(qd.KernelIndexError, match="a BufferView has 1 axis, but 2 indices are given"):
            k.two_indices(x[:])


@pytest.mark.parametrize("index", [3, -1, 100])
def test_an_index_out_of_range(debug: str, index: int) -> None:
    x = numbers(10)
    expected = f"BufferView Out Of Range: kernel[write_far] tid=0, got index {index} (offset=4, size=3).\nCallstack:\nwrite_far {at('v[i] = 7')}"
    assert failure(lambda: k.write_far(x[4:7], index)) == expected
    assert x.to_numpy().tolist() == list(range(10))
    k.write_far(x[4:7], 2)
    assert x[6] == 7


def test_the_call_stack(debug: str) -> None:
    x = numbers(10)
    assert k.deep(x[1:5], 3) == 9
    expected = f"deep {at('    total += branch(v, i)')}\n  branch {at('return leaf(v[1:], i)')}\n    leaf {at('return v[i]')}"
    message = failure(lambda: k.deep(x[1:5], 4))
    assert message == f"BufferView Out Of Range: kernel[deep] tid=3, got index 3 (offset=2, size=3).\nCallstack:\n{expected}"


@pytest.mark.parametrize(("offset", "size"), [(0, 7), (6, 1), (-1, 2), (2, -1)])
def test_parts_out_of_range(debug: str, offset: int, size: int) -> None:
    x = numbers(10)
    text = "BufferView subview Out Of Range: kernel[{}] tid=0, subview offset={}, subview size={}, parent size=6.\nCallstack:\n{} {}"
    part = text.format("part_of", offset, size, "part_of", at("w = v.subview(offset, size=size)"))
    assert failure(lambda: k.part_of(x[2:8], offset, size)) == part
    cut = text.format("slice_of", offset, size, "slice_of", at("return v[a:b].size"))
    assert failure(lambda: k.slice_of(x[2:8], offset, offset + size)) == cut
    assert k.part_of(x[2:8], 6, 0) == 0


@pytest.mark.parametrize(("offset", "size"), [(0, 11), (10, 1), (-1, 2), (2, -1)])
def test_views_out_of_range(debug: str, offset: int, size: int) -> None:
    where = at("return qd.BufferView(x, offset, size).size")
    expected = f"BufferView construction out of range: offset={offset}, size={size}, ndarray length=10.\nCallstack:\nmade_of {where}"
    assert failure(lambda: k.made_of(numbers(10), offset, size)) == expected


def test_components(debug: str) -> None:
    assert k.component(2, 1) == 7
    where = f"\n{FILE}:{LINES.index('    return v[k] + m[i, 1]') + 1} in component"
    assert failure(lambda: k.component(3, 1)) == "(kernel=component) Out of bound access to a [3, 1] matrix with index [3]" + where
    assert failure(lambda: k.component(0, -1)) == "(kernel=component) Out of bound access to a [2, 2] matrix with index [-1, 1]" + where


def test_bounds_alone(arch: str) -> None:
    """Bounds alone, without debug mode: an index inside of the array is not outside of it."""
    qd.init(arch=arch, log_level="error", check_out_of_bound=True)
    x = numbers(10)
    k.write_far(x[4:7], 5)
    assert x[9] == 7
    assert "Out of bound access to ndarray at arg 0 with indices [10]\n" in failure(lambda: k.write_far(x[4:7], 6))
    assert "at arg 0 with indices [10]\npair.b has size (10,): out of bounds\nat i=1\n" in failure(
        lambda: k.copy_pair(k.Pair(a=numbers(3)[1:], b=x[9:]))
    )


def test_no_checks_without_debug(back_end: str) -> None:
    x = numbers(10)
    k.write_far(x[4:7], 5)
    assert x[9] == 7
    assert k.part_of(x[2:8], 3, 90) == 90


@qd.kernel
def cut_by(v: qd.BufferView[qd.f32], a: qd.i32, b: qd.i32) -> qd.i32:
    w = v[a:b]
    for i in range(w.size):
        w[i] = 77
    return w.size


@qd.kernel
def part_by(v: qd.BufferView[qd.f32], x: qd.types.ndarray(qd.f32, 1), offset: qd.i32):
    v.subview(offset, 2)[0] = 55
    qd.BufferView(x, offset, 1)[0] = 66


@qd.kernel
def known(v: qd.BufferView[qd.f32], a: qd.template(), b: qd.template(), cut: qd.template()):
    if qd.static(cut):
        print(v[a:b].size)
    else:
        print(v.subview(a, b).size)


def test_slices_stay_in_their_view(arch: Any) -> None:
    for a in range(-6, 7):
        for b in range(-6, 7):
            x = numbers(10)
            begin, end = min(max(a, 0), 4), min(max(b, 0), 4)
            assert cut_by(x[3:7], a, b) == max(end - begin, 0)
            expected = numbers(10).to_numpy()
            expected[3 + begin : 3 + max(begin, end)] = 77
            assert x.to_numpy().tolist() == expected.tolist()


def test_parts_do_not_begin_before_their_view(arch: Any) -> None:
    x, y = numbers(10), numbers(3)
    part_by(x[3:7], y, -2)
    assert [i for i, value in enumerate(x.to_numpy()) if value == 55] == [3] and y[0] == 66


@pytest.mark.parametrize(("a", "b", "cut"), [(-1, 2, True), (0, -1, True), (-1, 2, False), (1, -1, False)])
def test_negative_numbers_of_parts_that_are_known(back_end: str, a: int, b: int, cut: bool) -> None:
    with pytest.raises(qd.KernelIndexError, match="negative bounds"):
        known(numbers(10)[2:8], a, b, cut)
