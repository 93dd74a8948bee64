"""@qd.data_oriented classes, and objects as templates: the same on every architecture; and changes that need a new compilation, or none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import kernels_for_objects as k


def variants(capfd: pytest.CaptureFixture[str], run: Callable[[], Any]) -> int:
    """The number of variants that a run compiled. The program was started with print_ir."""
    capfd.readouterr()
    run()
    return capfd.readouterr().err.count("# lower\n")


def test_methods(arch: Any) -> None:
    counter = k.Counter(4)
    assert counter.run(1) == 2 * (1 + 2 + 3 + 4)
    assert k.Counter.run(counter, 0) == 20 + 2 * (0 + 1 + 2 + 3)
    assert counter.of_property() == 8 + 7
    assert counter.static_kernel(4) == k.Counter.static_kernel(4) == 5
    counter.mode = k.Mode.MULTIPLY
    counter.x.fill(0)
    assert counter.run(3) == 2 * 3 * (0 + 1 + 2 + 3)


def test_inheritance(arch: Any) -> None:
    doubling = k.Doubling(3)
    assert doubling.run(1) == 3 * 3 + 2 * (0 + 1 + 2)
    assert doubling.own() == 2 + 6 + 3
    assert k.Counter(3).run(1) == 2 * (1 + 2 + 3)


def test_a_number_that_changes_is_seen(arch: Any) -> None:
    counter = k.Counter(4)
    assert counter.run(0) == 12
    counter.n, counter.offset = 2, 100
    assert counter.run(0) == 12 + 2 + 200
    counter.step = 0
    assert counter.run(0) == 214 + 200


def test_members_of_members(arch: Any) -> None:
    objects = k.Swapped(3)
    assert objects.nested() == 20 + 30 + 5 + 3
    objects.parts[0].offset = 1
    assert objects.nested() == 20 + 1 + 30 + 5 + 3
    objects.parts.reverse()
    assert objects.nested() == 56 + 2
    assert objects.of_table() == 31
    objects.table["scale"] = 4
    assert objects.of_table() == 41


def test_arrays_are_those_of_the_launch(arch: Any) -> None:
    objects = k.Swapped(3)
    objects.a.fill(5)
    objects.move()
    assert objects.b.to_numpy().tolist() == [6, 6, 6]
    objects.a, objects.b = objects.b, objects.a
    objects.move()
    assert objects.b.to_numpy().tolist() == [7, 7, 7]
    objects.a = qd.ndarray(qd.f32, shape=2)
    objects.move()
    assert objects.b.to_numpy().tolist() == [1, 1, 7]
    objects.a = qd.ndarray(qd.i32, shape=1)
    objects.move()
    assert objects.b.to_numpy().tolist() == [1, 1, 7]
    assert objects.sizes() == 6


def test_numbers_of_a_launch(arch: Any) -> None:
    lifted = k.Lifted()
    x = np.ones(3, dtype=np.float32)
    assert lifted.apply(x) == 0.5
    lifted.gain, lifted.bias, lifted.on = 3, 1.25, False
    assert lifted.apply(x) == -1.0
    assert x.tolist() == [2.5 * 3 + 1.25] * 3
    assert lifted.unrolled() == 603
    lifted.gain = 1
    assert lifted.unrolled() == 101


def test_members_of_another_class(arch: Any) -> None:
    """Objects with the same numbers, and another method."""
    holder = k.Holder()
    assert holder.weight() == 2 + 1
    holder.part = k.Large()
    assert holder.weight() == 30 + 1


def test_objects_that_are_compared(arch: Any) -> None:
    holder = k.Holder()
    assert holder.twice_the_same() == 1
    holder.part = k.Small()
    assert holder.twice_the_same() == 0
    other = k.Holder()
    assert [k.are_the_same(a, b) for a, b in ((holder, other), (holder, holder), (other, other), (other, holder))] == [0, 1, 1, 0]


def test_an_array_that_only_the_launch_holds(arch: Any) -> None:
    holder = k.Holder()
    holder.numbers.fill(3)
    assert holder.some_of_copy() == holder.some_of_copy() == 3 * 16


def test_objects_as_templates(arch: Any) -> None:
    a, b = k.Counter(3), k.Counter(4, 7)
    assert k.takes_object(a, (b, 5)) == 375
    assert k.takes_object(b, (a, 6)) == 406
    b.offset = 1
    assert k.takes_object(a, (b, 5)) == 315


def test_arrays_as_templates(arch: Any) -> None:
    y = np.zeros(3, dtype=np.float32)
    for size, dtype in ((3, qd.f32), (2, qd.f32), (2, qd.i32)):
        x = qd.ndarray(dtype, shape=size)
        x.fill(size)
        k.takes_array(x, y)
        assert y[:size].tolist() == [2 * size] * size


def test_what_is_wrong_says_so(arch: Any) -> None:
    with pytest.raises(qd.KernelSyntaxError, match=r"decorate its class with @qd\.data_oriented"):
        k.Plain().run(1)
    with pytest.raises(qd.KernelCompilationError, match="called in a kernel"):
        k.Calling().outer()
    with pytest.raises(TypeError, match="decorates a class"):
        qd.data_oriented(3)  # type: ignore[call-overload]


@pytest.fixture
def compiling(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", print_ir=True)


def test_what_is_compiled_again(compiling: None, capfd: pytest.CaptureFixture[str]) -> None:
    counter, swapped, lifted = k.Counter(4), k.Swapped(3), k.Lifted()
    x = np.zeros(2, dtype=np.float32)
    assert variants(capfd, lambda: counter.run(1)) == 1
    assert variants(capfd, lambda: [counter.run(i) for i in range(3)]) == 0
    counter.extra = 3  # not read
    assert variants(capfd, lambda: counter.run(1)) == 0
    counter.offset = 9
    assert variants(capfd, lambda: counter.run(1)) == 1
    counter.offset = 0
    assert variants(capfd, lambda: counter.run(1)) == 0
    assert variants(capfd, swapped.move) == 1
    swapped.a, swapped.b = swapped.b, swapped.a
    assert variants(capfd, swapped.move) == 0
    other = k.Swapped(7)
    assert variants(capfd, other.move) == 0  # all that it reads is the same
    swapped.a = qd.ndarray(qd.f64, shape=2)
    assert variants(capfd, swapped.move) == 1
    assert variants(capfd, lambda: lifted.apply(x)) == 1
    lifted.gain, lifted.bias, lifted.on, lifted.unused = 7, 8.0, False, 2
    assert variants(capfd, lambda: lifted.apply(x)) == 0
    for gain in (1.5, 1 << 40, True):  # of other types
        lifted.gain = gain
        assert variants(capfd, lambda: lifted.apply(x)) == 1


def test_an_attribute_that_is_never_the_same(back_end: str) -> None:
    @qd.data_oriented
    class Changing:
        reads = 0

        @property
        def n(self) -> int:
            Changing.reads += 1
            return Changing.reads

    @qd.kernel
    def reads(o: qd.template()) -> qd.i32:
        return o.n

    with pytest.raises(qd.KernelRuntimeError, match="another value each time"):
        reads(Changing())


def test_a_dict_that_answers_attributes(arch: Any) -> None:
    """As in Python: its attributes, keys, length and items; a changed value is seen at the next launch."""
    speed = qd.field(qd.i32, 3)
    states = k.NamedStates(k.Named(n=2, inner=k.Named(speed=speed)))
    out = np.zeros(3, dtype=np.int32)
    states.step(out)
    assert out.tolist() == [4 + 11, 4, 0]
    states.states.n = 3
    states.states["m"] = 1
    states.step(out)
    assert out.tolist() == [15 + 10, 4 + 10, 6]


def test_operators_by_funcs_of_a_class(arch: Any) -> None:
    values = qd.field(qd.i32, 3)
    values.from_numpy(np.array([1, 2, 3], dtype=np.int32))
    scale = k.Scale(values, 2)
    out = np.zeros((6, 3), dtype=np.int32)
    k.applies_objects(scale, (values, scale), k.Shift(5), out)
    assert out.tolist() == [[5, 8, 11], [10, 14, 18], [2, 3, 4], [-2, -2, -2], [100, 1000, 10], [3, 3, 3]]
    k.applies_objects(k.Scale(values, 1), (values, scale), k.Shift(6), out)
    assert out.tolist() == [[6, 8, 10], [6, 9, 12], [1, 2, 3], [-1, -1, -1], [1000, 10, 1], [3, 3, 3]]
    k.stores_by_a_func(scale)
    assert values.to_numpy().tolist() == [2 * (0 + 2) + 1 + 2, 2 * (10 + 2) + 1 + 2, 2 * (20 + 2) + 1 + 2]
