"""Graph kernels: do-whiles and parallel sections."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
import qd
from integer_arrays import flag, numbers

VEC = qd.types.ndarray(qd.i32, 1)
FLAG = qd.types.ndarray(qd.i32, 0)


@qd.kernel(graph=True)
def counts_down(x: VEC, c: FLAG):
    while qd.graph.do_while(c):
        for i in x:
            x[i] += 1
        for _ in range(1):
            c[()] -= 1


@pytest.mark.parametrize("passes", [1, 2, 3, 4, 7, 8, 62, 63, 64, 65, 126, 127, 128, 191, 192, 500])
def test_body_repeats_while_the_flag_is_set(arch: Any, passes: int) -> None:
    x, c = numbers(0, 10), flag(passes)
    assert counts_down(x, c) is None
    assert x.to_numpy().tolist() == [passes, 10 + passes] and c[()] == 0


def test_arrays_are_swapped_between_calls(arch: Any) -> None:
    x, y, c, d = numbers(0), numbers(5, 5), flag(3), flag(2)
    counts_down(x, c)
    counts_down(y, d)
    c[()] = 2
    counts_down(y, c)
    assert x.to_numpy().tolist() == [3] and y.to_numpy().tolist() == [9, 9] and (c[()], d[()]) == (0, 0)


def test_numpy_arrays_are_flags(arch: Any) -> None:
    x, c = np.zeros(3, np.int32), np.array(4, np.int32)
    counts_down(x, c)
    assert x.tolist() == [4, 4, 4] and c == 0


@qd.kernel(graph=True)
def nested(outer: FLAG, inner: FLAG, log: VEC):
    while qd.graph.do_while(outer):
        inner[()] = 2
        while qd.graph.do_while(inner):
            for _ in range(1):
                log[0] += 1
            inner[()] = inner[()] - 1
        for _ in range(1):
            log[1] += 10
        outer[()] -= 1
    for i in log:
        log[i] += 1000


def test_nested(arch: Any) -> None:
    log = numbers(0, 0)
    nested(flag(3), flag(), log)
    assert log.to_numpy().tolist() == [1006, 1030]


@qd.kernel(graph=True)
def nested_once(outer: FLAG, inner: FLAG, log: VEC):
    while qd.graph.do_while(outer):
        while qd.graph.do_while(inner):
            for _ in range(1):
                log[0] += 1
        outer[()] -= 1


def test_an_inner_body_runs_once_in_each_pass(arch: Any) -> None:
    log = numbers(0)
    nested_once(flag(3), flag(0), log)
    assert log[0] == 3


@qd.func
def add_to_all(x: qd.template(), by: qd.i32) -> qd.i32:
    for i in x:
        x[i] += by
    return by + 1


DEEP = True


@qd.kernel(graph=True)
def what_a_body_holds(x: VEC, c: FLAG, n: qd.i32):
    by = n
    while qd.graph.do_while(c):
        by = add_to_all(x, by)
        if by > n + 1:
            x[0] += 100
        else:
            for _ in range(3):
                x[1] += 1000
        if qd.static(DEEP):
            for i in x:
                x[i] += 7
        for k in qd.static(range(2)):
            for i in x:
                x[i] += k
        sum = 0
        for i in x:
            sum += x[i]
        largest = 0
        for i in x:
            qd.atomic_max(largest, x[i])
        qd.loop_config(serialize=True)
        for i in range(10):
            if i > 2:
                break
            x[2] += i
        x[3] = sum
        x[4] = largest
        c[()] -= 1
    x[5] = by


def model_of_a_body(passes: int, n: int) -> list[int]:
    x, by = [0] * 6, n
    for _ in range(passes):
        x = [item + by for item in x]
        by += 1
        if by > n + 1:
            x[0] += 100
        else:
            x[1] += 3000
        x = [item + 8 for item in x]
        total, largest = sum(x), max(0, *x)
        x[2] += 3
        x[3], x[4] = total, largest
    x[5] = by
    return x


@pytest.mark.parametrize("passes, n", [(1, 5), (3, 1)])
def test_what_a_body_holds(arch: Any, passes: int, n: int) -> None:
    x = numbers(0, 0, 0, 0, 0, 0)
    what_a_body_holds(x, flag(passes), n)
    assert x.to_numpy().tolist() == model_of_a_body(passes, n)


@qd.kernel(graph=True)
def under_static(x: VEC, c: FLAG, d: FLAG, first: qd.template()):
    if qd.static(first):
        while qd.graph.do_while(c):
            for i in x:
                x[i] += 1
            c[()] -= 1
    else:
        while qd.graph.do_while(d):
            for i in x:
                x[i] += 10
            d[()] -= 1
    for _ in qd.static(range(2)):
        c[()] = 2
        while qd.graph.do_while(c):
            for i in x:
                x[i] += 100
            c[()] -= 1


def test_do_whiles_under_static(arch: Any) -> None:
    x = numbers(0)
    under_static(x, flag(2), flag(3), True)
    assert x[0] == 402
    under_static(x, flag(0), flag(3), False)
    assert x[0] == 832


@qd.data_oriented
class Solver:
    def __init__(self, n: int) -> None:
        self.c = flag(n)
        self.x = numbers(0, 0)

    @qd.kernel(graph=True)
    def run(self, by: qd.i32):
        while qd.graph.do_while(self.c):
            for i in self.x:
                self.x[i] += by
            for _ in range(1):
                self.c[()] -= 1


def test_flags_that_are_members_of_self(arch: Any) -> None:
    one, other = Solver(2), Solver(5)
    one.run(1)
    other.run(10)
    assert one.x.to_numpy().tolist() == [2, 2] and other.x.to_numpy().tolist() == [50, 50]
    one.c = flag(3)
    one.run(1)
    assert one.x[0] == 5


@dataclasses.dataclass
class State:
    x: VEC
    busy: FLAG


@qd.kernel(graph=True)
def of_a_dataclass(s: State):
    while qd.graph.do_while(s.busy):
        for i in s.x:
            s.x[i] *= 2
        s.busy[()] -= 1


def test_flags_that_are_members_of_dataclasses(arch: Any) -> None:
    s = State(numbers(1, 3), flag(4))
    of_a_dataclass(s)
    assert s.x.to_numpy().tolist() == [16, 48]


@qd.kernel(graph=True)
def sections(x: VEC, y: VEC, z: VEC, third: qd.template()):
    before = 5
    with qd.graph.parallel_context():
        """Sections."""
        with qd.graph.parallel():
            for i in x:
                x[i] = before
            for i in x:
                x[i] += i
        with qd.graph.parallel():
            for i in y:
                y[i] = before * 10
            if y[0] > 3:
                y[1] = 7
        if qd.static(third):
            with qd.graph.parallel():
                add_to_all(z, 3)
        for k in qd.static(range(2)):
            with qd.graph.parallel():
                for _ in range(1):
                    z[k] += 100
        pass  # noqa: PIE790
    for i in z:
        z[i] += x[i] + y[i]


def test_sections(arch: Any) -> None:
    x, y, z = numbers(0, 0), numbers(0, 0), numbers(0, 0)
    sections(x, y, z, False)
    assert z.to_numpy().tolist() == [155, 113]
    sections(x, y, z, True)
    assert z.to_numpy().tolist() == [313, 229]


@qd.kernel(graph=True)
def sections_in_a_do_while(x: VEC, y: VEC, c: FLAG):
    while qd.graph.do_while(c):
        with qd.graph.parallel_context():
            with qd.graph.parallel():
                for i in x:
                    x[i] += 1
            with qd.graph.parallel():
                for i in y:
                    y[i] += 2
        for _ in range(1):
            c[()] = qd.i32(x[0] + y[0] < 10)


def test_sections_in_a_do_while(arch: Any) -> None:
    x, y = numbers(0), numbers(0)
    sections_in_a_do_while(x, y, flag())
    assert (x[0], y[0]) == (4, 8)


@qd.kernel(graph=True)
def converges(x: qd.types.ndarray(qd.f64, 1), busy: FLAG, passes: FLAG):
    while qd.graph.do_while(busy):
        for _ in range(1):
            busy[()] = 0
            passes[()] += 1
        for i in x:
            next = (x[i] + 2.0 / x[i]) / 2.0
            if abs(next - x[i]) > 1e-12:
                busy[()] = 1
            x[i] = next


def test_convergence(arch: Any) -> None:
    x, passes = np.array([1.0, 9.0, 100.0]), flag()
    converges(x, flag(), passes)
    assert np.allclose(x, np.sqrt(2), atol=1e-15) and 5 < passes[()] < 15


@qd.kernel(graph=True)
def of_the_older_name(x: VEC, c: FLAG):
    while qd.graph_do_while(c):
        for i in x:
            x[i] += 1
        c[()] -= 1


def test_the_older_name_warns(arch: Any) -> None:
    x = numbers(0)
    with pytest.warns(DeprecationWarning, match="qd.graph_do_while is now written qd.graph.do_while"):
        of_the_older_name(x, flag(2))
    assert x[0] == 2


@qd.kernel(graph=True)
def without_parts(x: VEC):
    for i in x:
        x[i] += 1
    for i in x:
        x[i] *= 2


def test_a_graph_kernel_without_parts(arch: Any) -> None:
    x = numbers(1, 2)
    without_parts(x)
    assert x.to_numpy().tolist() == [4, 6]


@pytest.mark.parametrize(
    "wrong, got",
    [
        (lambda: qd.ndarray(qd.f32, ()), "got f32 ndarray of 0 dimensions"),
        (lambda: qd.ndarray(qd.i32, 1), "got i32 ndarray of 1 dimension"),
        (lambda: np.zeros((), np.int64), "got i64 ndarray of 0 dimensions"),
    ],
)
def test_flags_of_the_wrong_type(arch: Any, wrong: Any, got: str) -> None:
    @qd.kernel(graph=True)
    def any_flag(x: VEC, c: qd.types.ndarray()):
        while qd.graph.do_while(c):
            for i in x:
                x[i] += 1

    x = numbers(1)
    with pytest.raises(qd.KernelTypeError, match=f"`c`, the flag of qd.graph.do_while: expected i32 ndarray of 0 dimensions, {got}"):
        any_flag(x, wrong())
    any_flag(x, flag())
    assert x[0] == 2


def test_members_that_are_no_flags(arch: Any) -> None:
    solver = Solver(1)
    for wrong in (3, None, numbers(1)):
        solver.c = wrong
        with pytest.raises(qd.KernelCompilationError):
            solver.run(1)
    solver.c = flag(2)
    solver.run(1)
    assert solver.x[0] == 2


def test_streams_are_for_other_kernels(arch: Any) -> None:
    with pytest.raises(RuntimeError, match="qd_stream= is not compatible with graph=True"):
        without_parts(numbers(1), qd_stream=None)


def test_not_outside_of_kernels() -> None:
    for function in (qd.graph.do_while, qd.graph_do_while):
        with pytest.raises(qd.KernelRuntimeError, match="works in kernels only"):
            function(None)
    for function in (qd.graph.parallel_context, qd.graph.parallel, qd.stream_parallel):
        with pytest.raises(qd.KernelRuntimeError, match="works in kernels only"):
            with function():
                pass
    with pytest.raises(qd.KernelRuntimeError, match="works in kernels only"):
        with qd.checkpoint(1):
            pass


def test_what_cannot_be_decorated() -> None:
    with pytest.raises(qd.KernelSyntaxError, match="has a result; a graph kernel has none"):

        @qd.kernel(graph=True)
        def has_a_result(x: VEC) -> qd.i32:
            return 3

    with pytest.raises(qd.KernelSyntaxError, match="is a generator or a coroutine"):

        @qd.kernel(graph=True)
        def generates(x: VEC):
            yield x

    with pytest.raises(qd.KernelSyntaxError, match="needs graph=True, too"):

        @qd.kernel(checkpoints=True)
        def has_no_graph(x: VEC):
            pass
