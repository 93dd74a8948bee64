"""Funcs, their arguments and results: the same on every architecture."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_functions as k


def test_pyfunc(arch: Any) -> None:
    assert k.calls_pyfunc(4) == 11 + 6
    assert k.both_worlds(2.5) == 8.0
    assert k.both_worlds(b=1, a=2) == 5


def test_results(arch: Any) -> None:
    out = np.zeros(6, dtype=np.float32)
    assert k.returns_tuples(1.5, out) == (2, 1.5)
    assert out.tolist() == [5, 1, 1, 1.5, 1.5 + 2 * 3.5 + 5, 3]


def test_results_of_another_form_than_annotated(arch: Any) -> None:
    out = np.zeros(7, dtype=np.float32)
    k.returns_other_forms_than_annotated(3, out)
    assert out.tolist() == [3, 2.5, 4, 3, 6, 5, 1.5]


def test_real_funcs_return_from_anywhere(arch: Any) -> None:
    x = np.array([2, 0, 5, 9, 1], dtype=np.int32)
    out = np.zeros((26, 4), dtype=np.float32)
    k.uses_real_funcs(x, out)
    for i in range(26):
        a = i - 1
        roots = [j for j in range(6) if j * j == a]
        assert out[i, 2] == next((j for j, value in enumerate([2, 0, 5, 9, 1]) if value > i), -1)
        if a < 0:
            assert out[i, :2].tolist() == [-1, 0.5]
        elif roots:
            assert out[i, 0] == roots[0]
        elif a == 7:
            assert out[i, :2].tolist() == [7, 1.5]
        elif 20 <= a <= 22:
            assert out[i, :2].tolist() == [a - 20, 2]
        else:
            assert out[i, 0] == a + 6
    assert x.tolist() == [3 + 10, 1, 5, 9, 1]


def test_real_funcs_are_the_same_everywhere(on_each: Callable[[Callable[[], Any]], list[Any]]) -> None:
    def call() -> Any:
        out = np.zeros((30, 4), dtype=np.float32)
        k.uses_real_funcs(np.arange(7, dtype=np.int32), out)
        return out.tolist()

    compiled, python = on_each(call)
    assert compiled == python


def test_arguments_by_name(arch: Any) -> None:
    values = dict(zip([f"a{i}" for i in range(8)], [1, 0, 1, 1, 0, 0, 0, 1]))
    assert k.many_arguments(**values) == k.many_arguments(*values.values()) == 1 + 4 + 8 + 128
    assert k.many_arguments(1, 0, 1, a7=1, a6=0, a5=0, a4=0, a3=1) == 141
    with pytest.raises(qd.KernelArgumentError, match="Missing argument 'a7': Kernel many_arguments takes 8 arguments, got 7"):
        k.many_arguments(*range(7))
    for given, named, message in (
        (range(9), {}, "Too many arguments: Kernel many_arguments takes 8 arguments, got 9"),
        (range(8), {"b": 1}, "Unexpected argument 'b' of kernel many_arguments"),
        (range(8), {"a0": 1}, "Multiple values for argument 'a0' of kernel many_arguments"),
    ):
        for error in (TypeError, RuntimeError, qd.KernelSyntaxError):  # of Python; of earlier versions; of Taichi and Quadrants
            with pytest.raises(error, match=message):
                k.many_arguments(*given, **named)


def test_512_arguments(arch: Any) -> None:
    def kernel_of(count: int) -> Any:
        names = [f"a{i}" for i in range(count)]
        adding = "".join(f"    total += {name}\n" for name in names)
        source = f"def k({', '.join(f'{name}: qd.i32' for name in names)}) -> qd.i32:\n    total = 0\n{adding}    return total\n"
        file = f"<{count} arguments>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        scope: dict[str, Any] = {"qd": qd}
        exec(compile(source, file, "exec"), scope)
        return qd.kernel(scope["k"])

    assert kernel_of(512)(*range(512)) == sum(range(512))
    with pytest.raises(qd.KernelSyntaxError, match="at most 512"):
        kernel_of(513)(*range(513))


def test_globals_are_those_of_the_first_compilation(back_end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert k.captures(2) == 6
    monkeypatch.setattr(k, "LIMIT", 5)
    assert k.captures(2) == 6
    qd.init(arch=back_end, log_level="error")
    assert k.captures(2) == 10


def test_templates_are_references(back_end: str) -> None:
    assert k.by_reference(1) == 600 + 50 + 6


def test_what_is_wrong_says_so(arch: Any) -> None:
    @qd.func
    def early(n):
        if n > 3:
            return 1
        return 2

    @qd.kernel
    def calls_early(n: qd.i32) -> qd.i32:
        return early(n)

    @qd.func
    def itself(n):
        return itself(n - 1)

    @qd.kernel
    def recurses(n: qd.i32) -> qd.i32:
        return itself(n)

    @qd.func
    def two(a, b):
        return a + b

    @qd.kernel
    def too_few(n: qd.i32) -> qd.i32:
        return two(n)

    with pytest.raises(qd.KernelSyntaxError, match="cannot be called from Python-scope"):
        early(3)
    if arch != "python":
        with pytest.raises(qd.KernelSyntaxError, match=r"Return inside non-static if/for is not supported; make the function a @qd\.real_func"):
            calls_early(4)
        with pytest.raises(qd.KernelCompilationError, match="recursion is not supported"):
            recurses(2)
    with pytest.raises(qd.KernelSyntaxError, match="Missing argument 'b'"):
        too_few(1)


def test_templates_end_recursion(arch: Any) -> None:
    x = np.array([0, 3], dtype=np.float32)
    assert k.recurses_at_compile_time(x) == 3**4 + 1
    assert x.tolist() == [2**3, 3]
    if arch != "python":
        with pytest.raises(qd.KernelCompilationError, match="`endless_tree` calls itself, and no end is known while the kernel is compiled"):
            k.recurses_without_end(1)


def test_numbers_of_iterations(arch: Any) -> None:
    x, y = np.zeros((2, 3), dtype=np.int32), np.zeros(4, dtype=np.int32)
    k.numbers_of_iterations(x, y)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert y.tolist() == [7, 0, 2, 4]


@pytest.mark.parametrize("block_dim", [1, 7, 64, 512])
def test_numbers_of_blocks(arch: Any, block_dim: int) -> None:
    x, y = np.zeros((10, 20), dtype=np.int32), np.full(40, -1, dtype=np.int32)
    assert k.numbers_of_blocks(x, block_dim) == 0
    assert (x.ravel() == 2 * (np.arange(200) // block_dim)).all()
    k.numbers_of_serial_blocks(y)
    assert not y.any()


def test_numbers_of_blocks_with_threads(arch: Any) -> None:
    x = np.zeros(200, dtype=np.int32)
    k.blocks_and_threads(x, 32)
    number = np.arange(200)
    assert (x == number // 32 * 1000 + number % 32).all()


@pytest.mark.parametrize("options", [{}, {"default_gpu_block_dim": 32}])
def test_numbers_of_blocks_of_the_default_size(arch: Any, options: Any) -> None:
    qd.init(arch=arch, log_level="error", **options)
    x = np.zeros(300, dtype=np.int32)
    k.numbers_of_default_blocks(x, -13, 287)
    assert (x == np.arange(300) // options.get("default_gpu_block_dim", 128)).all()


def test_real_funcs_have_no_block(arch: Any) -> None:
    with pytest.raises(qd.KernelSyntaxError, match=r"qd\.block_idx\(\) cannot be used in a @qd\.real_func"):
        k.block_of_routine(np.zeros(4, dtype=np.int32))
