"""Kernels as methods of objects: what obj.step is, on compiled architectures and on arch=qd.python."""

from __future__ import annotations

import gc
import inspect
import pickle
import weakref
from typing import Any

import pytest
import qd


@qd.data_oriented
class Counter:
    def __init__(self) -> None:
        self.n = qd.field(qd.i32, ())

    def __getstate__(self) -> dict[str, Any]:
        return {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__()  # type: ignore[misc]

    @qd.kernel
    def add(self, a: qd.i32, b: qd.i32) -> qd.i32:
        """Adds twice."""
        self.n[None] += a + 10 * b
        return self.n[None]


def test_calls(arch: str) -> None:
    one, other = Counter(), Counter()
    assert one.add(1, 2) == 21
    assert one.add(b=2, a=1) == 42
    assert one.add(*(1,), b=0) == 43
    add = one.add
    assert [call(1, 0) for call in (add, other.add, add)] == [44, 1, 45]
    assert list(map(one.add, [1, 2], [0, 0])) == [46, 48]
    with pytest.raises(qd.KernelRuntimeTypeError, match="Missing argument 'b'"):
        one.add(1)
    with pytest.raises(qd.KernelRuntimeTypeError, match="Unexpected argument 'c'"):
        one.add(1, 2, c=3)


def test_what_it_is(arch: str) -> None:
    one, other = Counter(), Counter()
    one.add(0, 0)
    assert one.add == one.add and one.add != other.add and one.add != 3 and hash(one.add) == hash(one.add)
    assert one.add.__self__ is one and one.add.__func__ is Counter.add
    assert (one.add.__name__, one.add.__doc__, one.add.__module__) == ("add", "Adds twice.", __name__)
    assert repr(one.add) == f"<bound {Counter.add!r} of {one!r}>"
    assert list(inspect.signature(one.add).parameters) == ["a", "b"] and list(inspect.signature(Counter.add).parameters) == ["self", "a", "b"]
    assert one.add.launch_observations == Counter.add.launch_observations
    assert callable(one.add) and not hasattr(one.add, "nothing")
    with pytest.raises(AttributeError):
        one.add.x = 3
    assert pickle.loads(pickle.dumps(one.add))(3, 0) == 3


def test_it_keeps_its_object_and_no_longer(arch: str) -> None:
    one = Counter()
    reference, add = weakref.ref(one), one.add
    del one
    assert add(2, 0) == 2
    del add
    gc.collect()
    assert reference() is None


def test_a_cycle_is_collected(arch: str) -> None:
    one = Counter()
    one.step = one.add  # type: ignore[attr-defined]
    reference = weakref.ref(one)
    del one
    gc.collect()
    assert reference() is None


def test_its_gradient_has_the_object(arch: str) -> None:
    if arch == "python":
        with pytest.raises(qd.KernelRuntimeError, match="arch=qd.python compiles none"):
            Counter().add.grad(1, 2)
        return
    one = Counter()
    one.add.grad(1, 2)
    assert one.n[None] == 0
    with pytest.raises(qd.KernelRuntimeTypeError, match="Missing argument 'b'"):
        one.add.grad(1)
