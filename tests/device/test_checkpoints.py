"""Graph kernels with checkpoints: launches that yield and are resumed."""

from __future__ import annotations

import copy
import dataclasses
import enum
import pickle
from typing import Any

import numpy as np
import pytest
import qd
from integer_arrays import flag, numbers

VEC = qd.types.ndarray(qd.i32, 1)
FLAG = qd.types.ndarray(qd.i32, 0)
THIRD = 3


class Stage(enum.IntEnum):
    COUNT = 1
    GROW = 20


@qd.kernel(graph=True, checkpoints=True)
def steps(x: VEC, a: FLAG, b: FLAG):
    x[0] += 1
    with qd.checkpoint(Stage.COUNT, yield_on=a):
        for _ in range(1):
            x[1] += 1
    for _ in range(1):
        x[2] += 1
    with qd.checkpoint(Stage.GROW, yield_on=b):
        for _ in range(1):
            x[3] += 1
        for _ in range(2):
            x[4] += 1
    with qd.checkpoint(cp_id=THIRD):
        for _ in range(1):
            x[5] += 1
    for _ in range(1):
        x[6] += 1
    x[7] += 1


def run_of(x: Any) -> list[int]:
    """The number of runs of each statement since the last call."""
    found: list[int] = x.to_numpy().tolist()
    x.fill(0)
    return found


def test_all_runs_when_no_flag_is_set(arch: Any) -> None:
    x = numbers(*[0] * 8)
    status = steps(x, flag(), flag())
    assert isinstance(status, qd.GraphStatus) and status == qd.GraphStatus(False, None)
    assert not status.yielded and status.checkpoint is None and status.why is None
    assert run_of(x) == [1, 1, 1, 1, 2, 1, 1, 1]


def test_nothing_but_bare_statements_runs_behind_a_yield(arch: Any) -> None:
    x, a, b = numbers(*[0] * 8), flag(-7), flag(1)
    status = steps(x, a, b)
    assert status.yielded and status.checkpoint is Stage.COUNT and status.why == ("a", -7)
    assert repr(status) == "GraphStatus(yielded=True, checkpoint=<Stage.COUNT: 1>, why=('a', -7))"
    assert run_of(x) == [1, 1, 0, 0, 0, 0, 0, 1]
    assert a[()] == -7  # only the program sets it back


def test_a_resumed_launch_goes_on_at_its_checkpoint(arch: Any) -> None:
    x, a, b = numbers(*[0] * 8), flag(1), flag(1)
    status = steps(x, a, b)
    run_of(x)
    status = steps.resume(x, a, b, from_checkpoint=status)
    assert status.checkpoint is Stage.COUNT and run_of(x) == [1, 1, 0, 0, 0, 0, 0, 1]
    a[()] = 0
    status = steps.resume(x, a=a, b=b, from_checkpoint=status)
    assert status.checkpoint is Stage.GROW and status.why == ("b", 1) and run_of(x) == [1, 1, 1, 1, 2, 0, 0, 1]
    b[()], a[()] = 0, 1  # the flag of a checkpoint that is skipped is not asked for
    status = steps.resume(x, a, b, from_checkpoint=status.checkpoint)
    assert not status.yielded and run_of(x) == [1, 0, 0, 1, 2, 1, 1, 1]


@pytest.mark.parametrize("label, ran", [(1, [1, 1, 1, 1, 2, 1, 1, 1]), (20, [1, 0, 0, 1, 2, 1, 1, 1]), (THIRD, [1, 0, 0, 0, 0, 1, 1, 1])])
def test_labels_are_resumed_without_a_status(arch: Any, label: int, ran: list[int]) -> None:
    x = numbers(*[0] * 8)
    assert steps.resume(x, flag(), flag(), from_checkpoint=label) == qd.GraphStatus(False)
    assert run_of(x) == ran


def test_what_cannot_be_resumed(arch: Any) -> None:
    x, a, b = numbers(*[0] * 8), flag(), flag()
    done = steps(x, a, b)
    a[()] = 1
    status = steps(x, a, b)
    run_of(x)
    with pytest.raises(RuntimeError, match=r"steps.resume: there is no checkpoint 4 in the kernel; its checkpoints are: <Stage.COUNT: 1>, <Stage"):
        steps.resume(x, a, b, from_checkpoint=4)
    for wrong in ("1", None, 1.0, True):
        with pytest.raises(RuntimeError, match="from_checkpoint is a label, which is an integer, or a status, not"):
            steps.resume(x, a, b, from_checkpoint=wrong)
    with pytest.raises(RuntimeError, match="no checkpoint has yielded: there is nothing to resume"):
        steps.resume(x, a, b, from_checkpoint=done)
    with pytest.raises(RuntimeError, match="no launch gave this status"):
        steps.resume(x, a, b, from_checkpoint=qd.GraphStatus(True, 1))
    with pytest.raises(RuntimeError, match="the status is one of another kernel, .*steps"):
        sums.resume(x, a, from_checkpoint=status)
    with pytest.raises(RuntimeError, match="plain.resume: the kernel has no checkpoints"):
        plain.resume(x, from_checkpoint=1)
    with pytest.raises(TypeError, match="from_checkpoint"):
        steps.resume(x, a, b)  # type: ignore[call-arg]
    assert run_of(x) == [0] * 8
    a[()] = 0
    assert not steps.resume(x, a, b, from_checkpoint=status).yielded


@qd.kernel(graph=True)
def plain(x: VEC):
    for i in x:
        x[i] += 1


@qd.kernel(graph=True, checkpoints=True)
def sums(x: VEC, stop: FLAG):
    total = 0
    largest = -100
    v = qd.Vector([0, 0])
    f = 0.5
    for i in x:
        total += x[i]
        qd.atomic_max(largest, x[i])
    for k in qd.static(range(2)):
        for i in x:
            v[k] += x[i] + k
    with qd.checkpoint(1):
        for _ in range(1):
            f = f + total
    with qd.checkpoint(2, yield_on=stop):
        for i in x:
            x[i] = total
    for i in x:
        x[i] += largest + v[0] + v[1] + qd.i32(f * 2)


def test_variables_are_kept(arch: Any) -> None:
    x, stop = numbers(1, 2, 4), flag()
    sums(x, stop)
    done = x.to_numpy().tolist()
    assert done == [7 + 4 + 7 + 10 + 15] * 3
    x, stop = numbers(1, 2, 4), flag(1)
    status = sums(x, stop)
    assert status.yielded and x.to_numpy().tolist() == [7, 7, 7]
    again = sums.resume(x, stop, from_checkpoint=status)  # it yields once more
    stop[()] = 0
    for at in (status, again, pickle.loads(pickle.dumps(again)), copy.deepcopy(status)):
        assert at.yielded and not sums.resume(x, stop, from_checkpoint=at).yielded
        assert x.to_numpy().tolist() == done


def test_a_label_is_resumed_with_the_variables_of_the_last_call(arch: Any) -> None:
    x, stop = numbers(1, 2, 4), flag(1)
    sums(x, stop)
    stop[()] = 0
    sums.resume(x, stop, from_checkpoint=2)
    assert x.to_numpy().tolist() == [43] * 3


@qd.kernel(graph=True, checkpoints=True)
def reads_anew(x: VEC, stop: FLAG):
    a = x[0]
    b = x[0]
    for _ in range(1):
        b += 1
    with qd.checkpoint(1, yield_on=stop):
        for _ in range(1):
            x[1] = a
            x[2] = b


def test_only_what_loops_assign_is_kept(arch: Any) -> None:
    x, stop = numbers(5, 0, 0), flag(1)
    status = reads_anew(x, stop)
    assert x.to_numpy().tolist() == [5, 5, 6]
    x[0], stop[()] = 70, 0
    reads_anew.resume(x, stop, from_checkpoint=status)
    assert x.to_numpy().tolist() == [70, 70, 6]


@qd.kernel(graph=True, checkpoints=True)
def passes(x: VEC, outer: FLAG, inner: FLAG, stop: FLAG):
    while qd.graph.do_while(outer):
        x[0] += 1
        inner[()] = 2
        with qd.checkpoint(1):
            for _ in range(1):
                x[1] += 1
        t = 0
        while qd.graph.do_while(inner):
            for _ in range(1):
                t += x[0]
                x[2] += 1
            with qd.checkpoint(2, yield_on=stop):
                for _ in range(1):
                    x[3] += t
                    stop[()] = qd.i32(x[2] == x[6])
            for _ in range(1):
                x[4] += 1
                inner[()] -= 1
        for _ in range(1):
            outer[()] -= 1
    for _ in range(1):
        x[5] += 1


def test_a_launch_is_resumed_in_the_middle_of_passes(arch: Any) -> None:
    x, outer, inner, stop = numbers(0, 0, 0, 0, 0, 0, 0), flag(3), flag(), flag()
    assert not passes(x, outer, inner, stop).yielded
    assert x.to_numpy().tolist() == [3, 3, 6, 1 + 2 + 2 + 4 + 3 + 6, 6, 1, 0]
    x, outer = numbers(0, 0, 0, 0, 0, 0, 4), flag(3)  # yields in the second pass of both
    status = passes(x, outer, inner, stop)
    assert status.yielded and status.why == ("stop", 1)
    assert x.to_numpy().tolist() == [2, 2, 4, 1 + 2 + 2 + 4, 3, 0, 4] and (outer[()], inner[()]) == (2, 1)
    stop[()] = 0
    x[6] = 0
    # The bare statements run again: x[0], and `inner`, which the program has to set as it needs it. The first pass begins at the checkpoint.
    assert not passes.resume(x, outer, inner, stop, from_checkpoint=status).yielded
    assert x.to_numpy().tolist() == model_of_the_rest()


def model_of_the_rest() -> list[int]:
    x, outer, t = [2, 2, 4, 9, 3, 0, 0], 2, 4
    first = True
    while True:
        x[0] += 1
        inner = 2
        if not first:
            x[1] += 1
        t = 4 if first else 0
        while True:
            if not first:
                t += x[0]
                x[2] += 1
            first = False
            x[3] += t
            x[4] += 1
            inner -= 1
            if inner == 0:
                break
        outer -= 1
        if outer == 0:
            break
    x[5] += 1
    return x


@qd.kernel(graph=True, checkpoints=True)
def repeats_before(x: VEC, c: FLAG, stop: FLAG):
    while qd.graph.do_while(c):
        for _ in range(1):
            x[0] += 1
            c[()] -= 1
    for _ in range(1):
        x[1] += 1
    with qd.checkpoint(1, yield_on=stop):
        for _ in range(1):
            x[2] += 1


def test_nothing_is_skipped_once_a_do_while_repeats(arch: Any) -> None:
    x, c = numbers(0, 0, 0), flag(0)
    repeats_before.resume(x, c, flag(), from_checkpoint=1)
    assert x.to_numpy().tolist() == [0, 0, 1]
    c[()] = 2
    repeats_before.resume(x, c, flag(), from_checkpoint=1)
    assert x.to_numpy().tolist() == [2, 1, 2]


@qd.kernel(graph=True, checkpoints=True)
def keeps_each(x: VEC, v: VEC, stop: FLAG):
    for k in qd.static(range(2)):
        t = 0
        for i in x:
            t += x[i] + 10 * k
        v[k] = t
    w = qd.Vector([0, 1])
    for i in x:
        w[0] += x[i]
    w[0] += 100
    with qd.checkpoint(1, yield_on=stop):
        for _ in range(1):
            v[2] = w[0]


def test_each_checkpoint_keeps_what_was_behind_it(arch: Any) -> None:
    x, v, stop = numbers(1, 2), numbers(0, 0, 0), flag(1)
    status = keeps_each(x, v, stop)
    assert v.to_numpy().tolist() == [3, 23, 103]
    x.fill(1000)
    v.fill(0)
    stop[()] = 0
    keeps_each.resume(x, v, stop, from_checkpoint=status)
    assert v.to_numpy().tolist() == [3, 23, 103]


@qd.dataclass
class Particle:
    mass: qd.f64
    count: qd.i64
    small: qd.u8
    at: qd.types.vector(2, qd.f64)

    @qd.func
    def heavier(self, by):
        self.mass += by
        self.small += qd.u8(10)


@qd.kernel(graph=True, checkpoints=True)
def keeps_a_struct(result: qd.types.ndarray(qd.f64, 1), big: qd.types.ndarray(qd.i64, 0), stop: FLAG):
    p = Particle(mass=0.1)
    for _ in range(1):
        p.heavier(qd.f64(0.2))
        p.count = big[()]
        p.small = qd.u8(250)
        p.at = [0.1, 0.7]
    with qd.checkpoint(1, yield_on=stop):
        for _ in range(1):
            p.heavier(qd.f64(1))
            result[0] = p.mass
            result[1] = p.at[1]
            result[2] = p.count // 1000000
            result[3] = p.small


def test_structs_are_kept_as_they_were(arch: Any) -> None:
    """Structs keep their types and their methods."""
    result, big, stop = np.zeros(4), np.array(1 << 50), flag(1)
    status = keeps_a_struct(result, big, stop)
    once = result.tolist()
    assert once[2:] == [(1 << 50) // 1000000, 4]
    stop[()], result[:] = 0, 0
    assert not keeps_a_struct.resume(result, np.array(0), stop, from_checkpoint=pickle.loads(pickle.dumps(status))).yielded
    assert result.tolist() == once


@qd.dataclass
class Sample:
    at: qd.types.vector(2, qd.i32)
    n: qd.i32

    @qd.func
    def first(self):
        return self.at.sum() + self.n

    @qd.func
    def both(self, by):
        return self.first() + by

    @qd.func
    def grow(self):
        self.at.fill(self.n)


@qd.func
def reads(s: qd.template()):
    return s.n


@qd.func
def writes(s: qd.template()):
    s.n += 1


@qd.kernel(graph=True, checkpoints=True)
def reads_by_methods(x: VEC, stop: FLAG):
    v = qd.Vector([x[0], x[0]])
    s = Sample(at=[x[0], 1], n=x[0])
    w = Sample(n=x[0])
    g = Sample(n=x[0])
    for _ in range(1):
        x[1] = v.sum() + s.both(1) + s.at.max() + reads(s)
        writes(w)
        g.grow()
    with qd.checkpoint(1, yield_on=stop):
        for _ in range(1):
            x[2] = v.sum()
            x[3] = s.first()
            x[4] = w.n
            x[5] = g.at.sum()


def test_what_a_checkpoint_only_reads_is_not_kept(arch: Any) -> None:
    x, stop = numbers(5, 0, 0, 0, 0, 0), flag(1)
    status = reads_by_methods(x, stop)
    assert x.to_numpy().tolist() == [5, 10 + 12 + 5 + 5, 10, 11, 6, 10]
    x[0], stop[()] = 70, 0
    reads_by_methods.resume(x, stop, from_checkpoint=status)
    assert x.to_numpy().tolist() == [70, 32, 140, 141, 6, 10]


@qd.data_oriented
class Buffer:
    def __init__(self, capacity: int) -> None:
        self.data = numbers(*[0] * capacity)
        self.size = flag()
        self.overflow = flag()

    @qd.kernel(graph=True, checkpoints=True)
    def append(self, x: VEC):
        with qd.checkpoint(Stage.COUNT, yield_on=self.overflow):
            for _ in range(1):
                self.size[()] = 0
                self.overflow[()] = 0
            for i in x:
                if x[i] > 0:
                    at = qd.atomic_add(self.size[()], 1)
                    if at < self.data.shape[0]:
                        self.data[at] = x[i]
                    else:
                        self.overflow[()] = 1
        for i in self.data:
            self.data[i] *= 10


def test_a_buffer_grows(arch: Any) -> None:
    buffer, other, x = Buffer(1), Buffer(8), numbers(3, -1, 4, 5)
    status = buffer.append(x)
    yields = 0
    while status.yielded:
        assert status.checkpoint is Stage.COUNT and status.why == ("self.overflow", 1)
        yields += 1
        buffer.data = numbers(*[0] * (2 * len(buffer.data)))
        status = buffer.append.resume(x, from_checkpoint=status)
    assert yields == 2 and buffer.size[()] == 3
    assert sorted(buffer.data.to_numpy().tolist()) == [0, 30, 40, 50]
    assert not other.append(x).yielded and other.size[()] == 3
    assert buffer.append == buffer.append and buffer.append != other.append and "append" in repr(buffer.append)


class Undecorated:
    @qd.kernel(graph=True, checkpoints=True)
    def append(self, x: VEC):
        for i in x:
            x[i] += 1


def test_a_method_of_a_class_that_is_not_decorated(arch: Any) -> None:
    for call in (Undecorated().append, Undecorated().append.resume):
        with pytest.raises(qd.KernelSyntaxError, match="decorate its class with @qd.data_oriented"):
            call(numbers(1), from_checkpoint=1)


@dataclasses.dataclass
class Parts:
    x: VEC
    stop: FLAG


@qd.kernel(graph=True, checkpoints=True)
def of_a_dataclass(p: Parts):
    with qd.checkpoint(-1, p.stop):
        for i in p.x:
            p.x[i] += 1
    for i in p.x:
        p.x[i] *= 10


def test_flags_that_are_members_of_dataclasses(arch: Any) -> None:
    p = Parts(numbers(1, 2), flag(3))
    status = of_a_dataclass(p)
    assert status.checkpoint == -1 and status.why == ("p.stop", 3) and p.x.to_numpy().tolist() == [2, 3]
    p.stop[()] = 0
    of_a_dataclass.resume(p, from_checkpoint=status)
    assert p.x.to_numpy().tolist() == [30, 40]


@qd.kernel(graph=True, checkpoints=True)
def without_yields(x: VEC):
    for i in x:
        x[i] += 1


def test_a_kernel_whose_checkpoints_are_all_implicit(arch: Any) -> None:
    x = numbers(1)
    assert without_yields(x) == qd.GraphStatus(False) and x[0] == 2
    with pytest.raises(RuntimeError, match="its checkpoints are: none"):
        without_yields.resume(x, from_checkpoint=1)


@qd.func
def adds(x: qd.template(), by: qd.i32):
    for i in x:
        x[i] += by


@qd.kernel(graph=True, checkpoints=True)
def under_static(x: VEC, y: VEC, stop: FLAG, first: qd.template()):
    if qd.static(first):
        with qd.checkpoint(1, yield_on=stop):
            if qd.static(first):
                for i in x:
                    x[i] += 1
    else:
        with qd.checkpoint(2, yield_on=stop):
            for k in qd.static(range(2)):
                for i in x:
                    x[i] += 10 + k
    if qd.static(True):
        for i in x:
            x[i] += 100
    adds(y, 1)  # a bare statement
    qd.loop_config(serialize=True)
    for i in range(5):
        if i == 2:
            break
        x[0] += 1000


def test_checkpoints_under_static(arch: Any) -> None:
    x, y, stop = numbers(0, 0), numbers(0), flag(1)
    assert under_static(x, y, stop, True).checkpoint == 1 and x.to_numpy().tolist() == [1, 1]
    status = under_static(x, y, stop, False)
    assert status.checkpoint == 2 and x.to_numpy().tolist() == [22, 22] and y[0] == 2
    stop[()] = 0
    assert not under_static.resume(x, y, stop, False, from_checkpoint=status).yielded
    assert x.to_numpy().tolist() == [2143, 143] and y[0] == 3
    with pytest.raises(RuntimeError, match="no checkpoint 1 is compiled: it stands under an `if` with qd.static that does not hold"):
        under_static.resume(x, y, stop, False, from_checkpoint=1)
    assert x.to_numpy().tolist() == [2143, 143]


@qd.kernel(graph=True, checkpoints=True)
def asks_for_its_place(x: VEC, stop: FLAG):
    for i in x:
        x[i] = qd.global_thread_idx()
    with qd.checkpoint(1, yield_on=stop):
        for i in x:
            x[i] += 10 * qd.global_thread_idx()


def test_loops_of_checkpoints_are_parallel(arch: Any) -> None:
    x = numbers(0, 0, 0)
    asks_for_its_place(x, flag())
    assert x.to_numpy().tolist() == [0, 11, 22]


def test_a_flag_of_the_wrong_type(arch: Any) -> None:
    @qd.kernel(graph=True, checkpoints=True)
    def any_flag(x: VEC, stop: qd.types.ndarray()):
        with qd.checkpoint(1, yield_on=stop):
            for i in x:
                x[i] += 1

    x = numbers(1)
    with pytest.raises(qd.KernelTypeError, match="`stop`, the flag of qd.checkpoint: expected i32 ndarray of 0 dimensions, got u32 ndarray of 0"):
        any_flag(x, qd.ndarray(qd.u32, ()))
    assert not any_flag(x, flag()).yielded and x[0] == 2


def test_kernels_go_on_after_a_reset(arch: Any) -> None:
    x, a, b = numbers(*[0] * 8), flag(), flag(1)
    status = steps(x, a, b)
    qd.init(arch=arch, log_level="error", fast_math=False)
    x, a, b = numbers(*[0] * 8), flag(), flag()
    assert not steps.resume(x, a, b, from_checkpoint=status).yielded
    assert run_of(x) == [1, 0, 0, 1, 2, 1, 1, 1]
