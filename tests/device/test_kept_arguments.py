"""Dataclass arguments of repeated launches: each way to change one is seen by the next launch."""

from __future__ import annotations

import dataclasses
import gc
import threading
from typing import Any

import numpy as np
import pytest
import qd

Numbers = qd.types.ndarray(dtype=qd.i32, ndim=1)


@dataclasses.dataclass
class Inner:
    x: Numbers  # type: ignore[valid-type]
    k: qd.i32


@dataclasses.dataclass
class Outer:
    x: Numbers  # type: ignore[valid-type]
    n: qd.i32
    inner: Inner
    scale: qd.f32


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: Numbers  # type: ignore[valid-type]
    n: qd.i32


@dataclasses.dataclass
class WithTemplate:
    x: Numbers  # type: ignore[valid-type]
    n: qd.template()  # type: ignore[valid-type]


@dataclasses.dataclass
class WithDefault:
    x: Numbers  # type: ignore[valid-type]
    n: qd.i32 = 3


@dataclasses.dataclass(slots=True) if hasattr(dataclasses, "KW_ONLY") else dataclasses.dataclass
class Slotted:
    x: Numbers  # type: ignore[valid-type]
    n: qd.i32


@qd.kernel
def read_outer(s: Outer, add: qd.i32) -> qd.i32:
    return s.x[0] * 1000000 + s.n * 10000 + s.inner.x[0] * 100 + s.inner.k * 10 + qd.cast(s.scale, qd.i32) + add


@qd.kernel
def read_frozen(s: Frozen) -> qd.i32:
    return s.x[0] * 10 + s.n


@qd.kernel
def read_length(s: Frozen) -> qd.i32:
    return s.x.shape[0]


@qd.kernel
def read_template(s: WithTemplate) -> qd.i32:
    return s.x[0] * 10 + s.n


@qd.kernel
def read_default(s: WithDefault) -> qd.i32:
    return s.x[0] * 10 + s.n


@qd.kernel
def read_slotted(s: Slotted) -> qd.i32:
    return s.x[0] * 10 + s.n


@pytest.fixture(autouse=True)
def runtime(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error")


@pytest.fixture(params=["ndarray", "tensor", "tensor of a field", "numpy"])
def make(request: pytest.FixtureRequest) -> Any:
    """Makes an array of one number."""

    def made(number: int) -> Any:
        if request.param == "numpy":
            return np.array([number], dtype=np.int32)
        if request.param == "ndarray":
            array = qd.ndarray(qd.i32, (1,))
        else:
            backend = qd.Backend.FIELD if request.param == "tensor of a field" else qd.Backend.NDARRAY
            array = qd.tensor(qd.i32, (1,), backend=backend)
        array[0] = number
        return array

    return made


@pytest.fixture
def ndarray() -> Any:
    def made(number: int) -> Any:
        array = qd.ndarray(qd.i32, (1,))
        array[0] = number
        return array

    return made


def outer(make: Any) -> Outer:
    return Outer(make(1), 2, Inner(make(3), 4), float("5"))


def swap_array(s: Outer, make: Any) -> int:
    s.x = make(7)
    return 7020345


def change_number(s: Outer, make: Any) -> int:
    s.n = 9
    return 1090345


def change_float(s: Outer, make: Any) -> int:
    s.scale = s.scale + 1.0
    s.scale = s.scale + 1.0  # this number gets the place of the first one
    return 1020347


def change_inner(s: Outer, make: Any) -> int:
    s.inner.x = make(8)
    s.inner.k = 6
    return 1020865


def swap_inner(s: Outer, make: Any) -> int:
    s.inner = Inner(make(2), 1)
    return 1020215


def replace_inner(s: Outer, make: Any) -> int:
    del s.inner
    gc.collect()
    s.inner = Inner(make(2), 1)
    return 1020215


def by_dict(s: Outer, make: Any) -> int:
    vars(s).update(n=8, x=make(2))
    return 2080345


def another_dict(s: Outer, make: Any) -> int:
    s.__dict__ = {**s.__dict__, "n": 7}
    return 1070345


def write_array(s: Outer, make: Any) -> int:
    s.inner.x[0] = 6
    return 1020645


WAYS = [swap_array, change_number, change_float, change_inner, swap_inner, replace_inner, by_dict, another_dict, write_array]


@pytest.mark.parametrize("change", WAYS, ids=lambda way: way.__name__)
def test_a_change_is_seen(change: Any, make: Any) -> None:
    s = outer(make)
    for add in range(3):
        assert read_outer(s, add) == 1020345 + add
    wanted = change(s, make)
    for add in range(3):
        assert read_outer(s, add) == wanted + add


def test_changes_follow_each_other(ndarray: Any) -> None:
    s = outer(ndarray)
    arrays = [ndarray(i) for i in range(8)]
    for i in range(40):
        s.x = arrays[i % 8]
        if i % 3 == 0:
            s.scale = float(i % 7)
        s.n = i
        assert read_outer(s, i) == (i % 8) * 1000000 + i * 10000 + 345 - 5 + int(s.scale) + i


def test_arrays_that_end_are_not_mistaken() -> None:
    """The next one gets their addresses."""
    s = Frozen(qd.ndarray(qd.i32, (1,)), 0)
    places = set()
    for length in range(1, 30):
        places.add(id(s.x))
        object.__setattr__(s, "x", None)
        object.__setattr__(s, "x", qd.ndarray(qd.i32, (length,)))
        assert read_length(s) == length
    assert len(places) < 25


def test_a_tensor_of_another_array_gets_the_place_of_the_first(ndarray: Any) -> None:
    s = outer(ndarray)
    arrays = [ndarray(i) for i in range(5)]
    for i in range(60):
        s.x = None  # type: ignore[assignment]
        s.x = qd.Tensor(arrays[i % 5])
        assert read_outer(s, 0) == i % 5 * 1000000 + 20345


def test_many_instances_take_turns(ndarray: Any) -> None:
    every = [Outer(ndarray(i), 0, Inner(ndarray(0), 0), 0.0) for i in range(9)]
    for _ in range(3):
        for i, s in enumerate(every):
            assert read_outer(s, 0) == i * 1000000


def test_instances_that_end_are_not_mistaken(ndarray: Any) -> None:
    """The next one gets their addresses."""
    for i in range(50):
        s = Frozen(ndarray(i), i % 10)
        assert read_frozen(s) == i * 10 + i % 10
        assert read_frozen(s) == i * 10 + i % 10
        del s


def test_nothing_is_kept_alive(ndarray: Any) -> None:
    import weakref

    s = Frozen(ndarray(1), 1)
    array = weakref.ref(s.x)
    for _ in range(3):
        read_frozen(s)
    del s
    gc.collect()
    assert array() is None


def test_frozen_instances_can_be_forced(ndarray: Any) -> None:
    s = Frozen(ndarray(1), 2)
    assert [read_frozen(s), read_frozen(s)] == [12, 12]
    object.__setattr__(s, "n", 5)
    assert read_frozen(s) == 15


def test_templates_compile_again(ndarray: Any) -> None:
    s = WithTemplate(ndarray(1), 2)
    for n in (2, 2, 3, 2, 4):
        s.n = n
        assert read_template(s) == 10 + n


def test_attributes_of_classes(ndarray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    s = WithDefault(ndarray(1))
    assert [read_default(s), read_default(s)] == [13, 13]
    del s.n
    assert [read_default(s), read_default(s)] == [13, 13]
    monkeypatch.setattr(WithDefault, "n", 5)
    assert read_default(s) == 15
    s.n = 6
    assert [read_default(s), read_default(s)] == [16, 16]
    s = WithDefault(ndarray(1), 6)
    assert [read_default(s), read_default(s)] == [16, 16]
    numbers = iter(range(7, 20))
    monkeypatch.setattr(WithDefault, "n", property(lambda self: next(numbers)))
    assert [read_default(s), read_default(s), read_default(s)] == [17, 18, 19]


def test_a_class_that_computes_its_attributes(ndarray: Any) -> None:
    class Computed(Frozen):
        calls = 0

        def __getattribute__(self, name: str) -> Any:
            if name == "n":
                Computed.calls += 1
                return Computed.calls
            return super().__getattribute__(name)

    s = Computed(ndarray(1), 0)
    first = read_frozen(s)
    assert read_frozen(s) > first


def test_another_class(ndarray: Any) -> None:
    class Sub(WithDefault):
        @property
        def n(self) -> int:  # type: ignore[override]
            return 8

        @n.setter
        def n(self, value: int) -> None:
            pass

    s = WithDefault(ndarray(1))
    assert [read_default(s), read_default(s)] == [13, 13]
    s.__class__ = Sub
    assert read_default(s) == 18


def test_slots(ndarray: Any) -> None:
    s = Slotted(ndarray(1), 2)
    assert [read_slotted(s), read_slotted(s)] == [12, 12]
    s.n = 4
    s.x = ndarray(2)
    assert read_slotted(s) == 24


def test_a_wrong_value_is_an_error_each_time(ndarray: Any) -> None:
    s = outer(ndarray)
    right = s.x
    assert read_outer(s, 0) == 1020345
    for wrong in ("text", qd.ndarray(qd.f32, (1,)), qd.ndarray(qd.i32, (1, 1)), None):
        s.x = wrong
        for _ in range(2):
            with pytest.raises(qd.KernelRuntimeTypeError, match=r'"s\.x"'):
                read_outer(s, 0)
    s.x = right
    s.inner = None  # type: ignore[assignment]
    with pytest.raises(qd.KernelRuntimeTypeError, match=r"s\.inner"):
        read_outer(s, 0)
    s.inner = Inner(right, 0)
    assert read_outer(s, 0) == 1020105
    del s.inner
    with pytest.raises(AttributeError):
        read_outer(s, 0)


def test_a_new_program(ndarray: Any, back_end: str) -> None:
    s = outer(ndarray)
    assert [read_outer(s, 0), read_outer(s, 0)] == [1020345] * 2
    qd.init(arch=back_end, log_level="error")
    with pytest.raises(qd.KernelRuntimeError, match="gone"):
        read_outer(s, 0)
    assert read_outer(outer(ndarray), 0) == 1020345


def test_a_destroyed_field() -> None:
    def placed() -> tuple[Any, Any]:
        builder = qd.FieldsBuilder()
        x = qd.field(qd.i32)
        builder.dense(qd.i, 4).place(x)
        return x, builder.finalize()

    x, tree = placed()
    s = Frozen(qd.Tensor(x), 3)
    assert [read_frozen(s), read_frozen(s)] == [3, 3]
    tree.destroy()
    for _ in range(2):
        with pytest.raises(qd.KernelRuntimeError, match="gone"):
            read_frozen(s)


def test_numpy_arrays_change_their_memory(back_end: str) -> None:
    s = Frozen(np.array([1, 2], dtype=np.int32), 3)
    assert [read_frozen(s), read_frozen(s)] == [13, 13]
    s.x.resize(10000, refcheck=False)
    s.x[0] = 5
    assert read_frozen(s) == 53


def test_threads(ndarray: Any) -> None:
    s = outer(ndarray)
    wrong: list[int] = []

    def call(first: int) -> None:
        for add in range(first, first + 200):
            found = read_outer(s, add)
            if found != 1020345 + add:
                wrong.append(found)

    threads = [threading.Thread(target=call, args=(1000 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
