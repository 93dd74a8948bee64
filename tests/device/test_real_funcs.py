"""Funcs that are really called: the same on a back end as on arch=qd.python, where they are plain Python."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_real_funcs as k

OnEach = Callable[[Callable[[], Any]], list[Any]]
FILE = k.__file__
LINES = Path(FILE).read_text().splitlines()


def ints(*values: int) -> Any:
    return np.array(values, dtype=np.int32)


def zeros(*shape: int, dtype: Any = np.int32) -> Any:
    return np.zeros(shape, dtype=dtype)


def ran(kernel: Any, *arrays: Any) -> list[Any]:
    """A result, and the contents of arrays then."""
    return [kernel(*arrays), *(a.tolist() if isinstance(a, np.ndarray) else a.to_numpy().tolist() for a in arrays if hasattr(a, "shape"))]


def test_recursion(on_each: OnEach) -> None:
    compiled, python = on_each(lambda: ran(k.recursion, np.arange(12, dtype=np.int32), zeros(12, 4, dtype=np.float32)))
    assert compiled == python
    assert [row[0] for row in compiled[2]] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
    assert [row[2] for row in compiled[2]] == [1, 2] * 6
    assert compiled[2][0][3] == 34 + 5


def test_trees_and_results_of_several_parts(on_each: OnEach) -> None:
    left, right = ints(1, 3, 5, -1, -1, -1, -1), ints(2, 4, 6, -1, -1, -1, -1)
    compiled, python = on_each(lambda: ran(k.trees, np.arange(1, 8, dtype=np.float32), left, right, zeros(7, 4, dtype=np.float32)))
    assert compiled == python
    assert [row[3] for row in compiled[4]] == [7, 3, 3, 1, 1, 1, 1]


def test_the_same_func_for_different_arrays(on_each: OnEach) -> None:
    def sorted_arrays() -> list[Any]:
        return ran(k.sorts, ints(5, 2, 9, 2, 7, 1, 0, 3), np.array([2.5, -1, 0.5, 8, 3, 3, 1, 0], dtype=np.float32), 8)

    compiled, python = on_each(sorted_arrays)
    assert compiled == python == [None, [0, 1, 2, 2, 3, 5, 7, 9], [-1, 0, 0.5, 1, 2.5, 3, 3, 8]]


def test_values_of_every_kind(on_each: OnEach) -> None:
    compiled, python = on_each(lambda: ran(k.compounds, zeros(6, 8, dtype=np.float32)))
    np.testing.assert_allclose(compiled[1], python[1], rtol=1e-6)
    assert [row[7] for row in compiled[1]] == [7] * 6  # passed by value


def test_elements_that_the_caller_changes_too(on_each: OnEach) -> None:
    def adding() -> list[Any]:
        return ran(k.adds, np.arange(5000, dtype=np.int32), zeros(5000), zeros(2), zeros(5000))

    compiled, python = on_each(adding)
    assert compiled == python
    assert on_each(lambda: ran(k.reads_back, zeros(1), zeros(1))) == [[None, [5], [5]]] * 2
    assert on_each(lambda: ran(k.histogram, zeros(4), 3000))[0] == [None, [2000, 2000, 500, 500]]


def test_parts_of_arrays(on_each: OnEach) -> None:
    def sums() -> Any:
        x = qd.ndarray(qd.f32, shape=(13,))
        x.from_numpy(np.arange(13, dtype=np.float32))
        return k.parts(x[2:12], np.array([0.5, 1, 1.5, 2], dtype=np.float32))

    compiled, python = on_each(sums)
    assert compiled == python


def test_what_is_not_asked_for_is_not_called(on_each: OnEach) -> None:
    compiled, python = on_each(lambda: [ran(k.lazily, ints(first, *[0] * 10)) for first in (0, 1)])
    assert compiled == python


def test_templates_that_are_variables(on_each: OnEach) -> None:
    compiled, python = on_each(lambda: [k.inlined(n) for n in (1, 5)])
    assert compiled == python == [2 + 3, 15 + 11]


def test_methods(on_each: OnEach) -> None:
    def solved() -> list[Any]:
        solver = k.Solver(100, 100)
        return [*ran(solver.run, zeros(20)), solver.memory.to_numpy().tolist()]

    compiled, python = on_each(solved)
    assert compiled == python
    assert compiled[1][:7] == [0, 1, 7, 2, 5, 8, 16]


def test_print(on_each: OnEach, capfd: pytest.CaptureFixture[str]) -> None:
    said = []

    def talk() -> int:
        result = k.talks(3)
        qd.sync()
        said.append(capfd.readouterr().out)
        return int(result)

    assert on_each(talk) == [10, 10]
    assert said[0] == said[1] == "down 3\ndown 2\ndown 1\ndown 0\nagain 1\nagain 0\n"


def test_random_numbers(arch: str) -> None:
    out = zeros(3000, dtype=np.float32)
    k.randoms(out)
    assert abs(out.mean() - 5) < 0.2
    assert len(set(out.tolist())) > 2900


def test_endless_recursion_is_an_error(arch: str) -> None:
    x = zeros(10000)
    for kernel, arguments in ((k.never_ends, (3,)), (k.never_ends_in_parallel, (x,))):
        with pytest.raises(qd.KernelAssertionError) as caught:
            kernel(*arguments)
        message = str(caught.value).split("\n")
        assert message[0] == f"(kernel={kernel.__name__}) `endless` calls itself too often: the stack is full. Is there an end to the recursion?"
        frame = f"{FILE}:{LINES.index('    return endless(n + 1) + 1') + 1} in endless"
        assert message[2:9] == [frame] * 7
        assert message[10].startswith("... ")
        assert message[-2] == frame
        assert message[-1].endswith(f" in {kernel.__name__}")
        assert len(message) == 19
    assert k.goes_deep(100) == 100  # the next launch works


def test_the_depth_of_a_recursion(arch: str) -> None:
    """A thread of CUDA has a stack of 8 KiB, unless the program wants a larger one."""
    qd.init(arch=arch, log_level="error", cuda_stack_limit=64 << 10)
    assert k.goes_deep(1000) == 1000


def test_the_call_stack_of_what_failed(arch: str) -> None:
    qd.init(arch=arch, log_level="error", debug=True, cpu_max_num_threads=2)

    def at(line: str, function: str) -> str:
        return f"\n{FILE}:{LINES.index('    ' + line) + 1} in {function}"

    inner, again, outer = at("return x[i]", "checked"), at("    total += walk(x, i + 1, left - 1)", "walk"), at("    x[0] += walk(x, i, n)", "walks")
    first = at("total = checked(x, i)", "walk")
    x = zeros(9)
    with pytest.raises(qd.KernelAssertionError) as caught:
        k.walks(x, 6)
    text = "[kernel=walks] Out of bound access to ndarray at arg 0 with indices [9]\nx has size (9,): out of bounds\ntid=3"
    assert str(caught.value) == text + inner + first + again * 6 + outer
    x = zeros(40)
    with pytest.raises(qd.KernelAssertionError) as caught:
        k.walks(x, 10)
    unlucky = at('assert i != 13, f"unlucky {i}"', "checked")
    assert str(caught.value) == "(kernel=walks) unlucky 13\ntid=3" + unlucky + first + again * 10 + outer
    k.walks(x, 9)


def test_asserts_that_call(arch: str) -> None:
    for debug in (False, True):
        qd.init(arch=arch, log_level="error", debug=debug)
        assert k.asserts(7) == 14
        if debug:
            with pytest.raises(qd.KernelAssertionError, match=r"^\(kernel=asserts\) 1\n"):
                k.asserts(1)
        elif arch != "python":
            assert k.asserts(1) == 1


def test_arrays_with_a_boundary(on_each: OnEach) -> None:
    x, y = np.array([1, 2, 3], dtype=np.float32), np.array([4, 5, 6], dtype=np.float32)
    assert on_each(lambda: k.clamped(x, y)) == [305, 305]


def test_warnings_name_the_func(capfd: pytest.CaptureFixture[str], back_end: str) -> None:
    qd.init(arch=back_end, log_level="warn", debug=True)
    assert k.warns(65536) == 0
    qd.sync()
    said = capfd.readouterr()
    assert "Multiplication overflow detected: 65536 * 65536" in said.err + said.out
    assert f"{FILE}:{LINES.index('    return a * 65536') + 1} in wraps" in said.err + said.out
