"""Debug mode and blocks that run side by side: an element that two of them use in conflicting ways is an error."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import claims
import numpy as np
import pytest
import qd

VEC = qd.types.ndarray(qd.i32, 1)
FLAG = qd.types.ndarray(qd.i32, 0)
LINES = Path(__file__).read_text().splitlines()
TEXT = "is (read|written|changed) here, and another block uses it, too: the blocks run side by side, in any order"


@pytest.fixture(params=[True, False])
def debug(request: pytest.FixtureRequest, arch: str) -> bool:
    """Whether elements are checked."""
    qd.init(arch=arch, log_level="error", debug=request.param, cpu_max_num_threads=2)
    if request.param:
        claims.needed()
    return bool(request.param)


def check(debug: bool, element: str, lines: set[str], call: Callable[[], Any]) -> None:
    """In debug mode, the call fails and names the element and the two lines, in any order. Without it, nothing happens."""
    if not debug:
        call()
        qd.sync()
        return
    with pytest.raises(qd.KernelAssertionError, match=TEXT) as caught:
        call()
        qd.sync()
    message = str(caught.value)
    assert re.search(r"^\(kernel=\w+\) " + re.escape(element) + " is ", message), message
    assert "The other block uses it here:" in message
    shown = {LINES[int(line) - 1].strip() for line in re.findall(re.escape(__file__) + r":(\d+) in ", message)}
    assert lines <= shown, message


@qd.kernel
def writes_twice(x: VEC, n: qd.i32):
    with qd.stream_parallel():
        for i in range(8):
            x[i] = 1  # one
    with qd.stream_parallel():
        for j in range(n, 16):
            x[j] = 2  # two


def test_an_element_that_two_blocks_write(debug: bool) -> None:
    x = qd.ndarray(qd.i32, 16)
    check(debug, "x[7]", {"x[i] = 1  # one", "x[j] = 2  # two"}, lambda: writes_twice(x, 7))
    writes_twice(x, 8)
    assert x.to_numpy().tolist() == [1] * 8 + [2] * 8


@qd.kernel
def reads(x: VEC, y: VEC, shift: qd.i32):
    with qd.stream_parallel():
        for i in range(8):
            y[i] = x[i + shift]  # reads
    with qd.stream_parallel():
        for j in range(8):
            x[j] += 1  # changes


def test_an_element_that_one_block_reads_and_another_one_changes(debug: bool) -> None:
    x, y = qd.ndarray(qd.i32, 32), qd.ndarray(qd.i32, 32)
    x.fill(0)
    check(debug, "x[7]", {"y[i] = x[i + shift]  # reads", "x[j] += 1  # changes"}, lambda: reads(x, y, 7))
    reads(x, y, 8)


def test_arguments_that_are_the_same_memory(debug: bool) -> None:
    x = qd.ndarray(qd.i32, 32)
    x.fill(0)
    if debug:
        with pytest.raises(qd.KernelAssertionError, match=TEXT):
            reads(x, x, 16)
            qd.sync()
    else:
        reads(x, x, 16)


@qd.kernel
def of_the_last(x: VEC, n: qd.i32):
    with qd.stream_parallel():
        for _ in range(1):
            x[n - 1] = 3  # the last
    with qd.stream_parallel():
        for i in range(n):
            if i >= 5:
                x[i] = i  # all but five


def test_arrays_of_numpy(debug: bool) -> None:
    x = np.zeros(9, np.int32)
    check(debug, "x[8]", {"x[n - 1] = 3  # the last", "x[i] = i  # all but five"}, lambda: of_the_last(x, 9))
    of_the_last(x, 5)
    assert x[4] == 3


@qd.kernel
def only_reads_and_atomics(x: VEC, y: VEC, z: VEC, total: FLAG):
    with qd.stream_parallel():
        for i in range(4):
            y[i] = x[i]
            qd.atomic_add(total[None], x[i])
    with qd.stream_parallel():
        for i in range(4):
            z[i] = x[i]
            z[i] = z[i] + x[3 - i]
        for i in range(4):
            z[i] *= 2
            total[None] += z[i]


def test_what_goes_together(debug: bool) -> None:
    x, y, z, total = (qd.ndarray(qd.i32, shape) for shape in (4, 4, 4, ()))
    x.from_numpy(np.arange(4, dtype=np.int32))
    total.fill(0)
    only_reads_and_atomics(x, y, z, total)
    assert (y.to_numpy().tolist(), z.to_numpy().tolist(), total[None]) == ([0, 1, 2, 3], [6, 6, 6, 6], 30)


@qd.func
def put(x: qd.template(), i: qd.i32, value: qd.i32):
    x[i, 0] = value  # in a func


@qd.real_func
def really(x: qd.types.ndarray(qd.i32, 2), i: qd.i32) -> qd.i32:
    x[i, 1] = i  # in a function
    return i


@qd.kernel
def of_funcs(x: qd.types.ndarray(qd.i32, 2), n: qd.i32):
    with qd.stream_parallel():
        for i in range(4):
            put(x, i, 1)
    with qd.stream_parallel():
        for i in range(n, 6):
            if i > 2:
                put(x, i, 2)


def test_funcs(debug: bool) -> None:
    x = qd.ndarray(qd.i32, (6, 2))
    check(debug, "x[3, 0]", {"x[i, 0] = value  # in a func", "put(x, i, 1)", "put(x, i, 2)"}, lambda: of_funcs(x, 0))
    of_funcs(x, 4)


@qd.kernel
def of_real_funcs(x: qd.types.ndarray(qd.i32, 2), n: qd.i32):
    with qd.stream_parallel():
        for i in range(4):
            x[i, 0] = really(x, i)
    with qd.stream_parallel():
        for i in range(n, 6):
            x[i, 1] = i  # in the kernel


def test_functions_that_are_really_called(debug: bool) -> None:
    x = qd.ndarray(qd.i32, (6, 2))
    check(debug, "x[3, 1]", {"x[i, 1] = i  # in a function", "x[i, 1] = i  # in the kernel"}, lambda: of_real_funcs(x, 3))
    of_real_funcs(x, 4)


@qd.data_oriented
class Cells:
    def __init__(self) -> None:
        self.vectors = qd.Vector.field(2, qd.f32, 4)
        self.cell = qd.field(qd.i32, ())

    @qd.kernel
    def fill(self, component: qd.template()):
        with qd.stream_parallel():
            for i in range(2):
                self.vectors[i][0] = 1.0
        with qd.stream_parallel():
            for i in range(1, 4):
                self.vectors[i][component] = 2.0

    @qd.kernel
    def count(self):
        with qd.stream_parallel():
            for _ in range(1):
                self.cell[None] = 1
        with qd.stream_parallel():
            for _ in range(1):
                self.cell[None] = 2


def test_fields_and_their_components(debug: bool) -> None:
    cells = Cells()
    if qd.cfg is not None:  # arch=qd.python looks at whole vectors only
        check(debug, "A field's element [1]", {"self.vectors[i][0] = 1.0", "self.vectors[i][component] = 2.0"}, lambda: cells.fill(0))
    cells.fill(1)
    check(debug, "A field's element [None]", {"self.cell[None] = 1", "self.cell[None] = 2"}, cells.count)


@qd.kernel(graph=True)
def passes(x: VEC, y: VEC, left: FLAG, together: qd.i32):
    while qd.graph.do_while(left):
        with qd.graph.parallel_context():
            with qd.graph.parallel():
                for i in range(4):
                    x[(i + left[None]) % 8] *= 3  # first
            with qd.graph.parallel():
                for i in range(4):
                    y[i] += 1
                for i in range(1, 4 + together):
                    x[(i + left[None] + 3) % 8] += 2  # second
        for i in range(8):
            x[i] *= 2
        for _ in range(1):
            left[None] -= 1


def test_passes_of_a_loop_are_apart(debug: bool) -> None:
    x, y, left = qd.ndarray(qd.i32, 8), qd.ndarray(qd.i32, 8), qd.ndarray(qd.i32, ())
    for array in (x, y):
        array.fill(0)
    left.fill(3)
    passes(x, y, left, 0)
    qd.sync()
    left.fill(2)
    lines = {"x[(i + left[None]) % 8] *= 3  # first", "x[(i + left[None] + 3) % 8] += 2  # second"}
    if debug:
        with pytest.raises(qd.KernelAssertionError, match=TEXT) as caught:
            passes(x, y, left, 2)
            qd.sync()
        assert {LINES[int(line) - 1].strip() for line in re.findall(r":(\d+) in passes", str(caught.value))} == lines
    else:
        passes(x, y, left, 2)


def test_the_program_goes_on(debug: bool) -> None:
    x = qd.ndarray(qd.i32, 16)
    for n in (0, 8, 3, 8):
        if debug and n < 8:
            with pytest.raises(qd.KernelAssertionError, match="The other block uses it here"):
                writes_twice(x, n)
                qd.sync()
        else:
            writes_twice(x, n)
    assert x.to_numpy().tolist() == [1] * 8 + [2] * 8
