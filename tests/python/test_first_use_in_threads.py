"""Facts about a type or a func, which the package learns once, are complete before another thread sees them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import qd
from qdcov._interpreter import thread_uses
from qdcov._kernels import decorators, source
from qdcov._values.struct import StructType


class Pause:
    """Lets another thread run where the first one that comes by is in the middle of something."""

    def __init__(self) -> None:
        self.reached, self.go_on = threading.Event(), threading.Event()

    def __call__(self) -> None:
        if not self.reached.is_set():
            self.reached.set()
            self.go_on.wait(10)


class PausingType(StructType):
    """A struct type that can be read only in part for a while."""

    __slots__ = ("_all_methods",)
    pause = Pause()

    @property
    def methods(self) -> dict[str, Any]:  # type: ignore[override]
        type(self).pause()
        return self._all_methods

    @methods.setter
    def methods(self, methods: dict[str, Any]) -> None:
        self._all_methods = methods


@qd.func
def doubled(self):  # type: ignore[no-untyped-def]
    return self.number * 2


Pair = PausingType({"number": qd.i32}, "Pair", {"doubled": doubled})


@qd.kernel
def of_one_thread() -> qd.i32:
    return Pair(number=3).doubled()


@qd.kernel
def of_another() -> qd.i32:
    return Pair(number=4).doubled()


@qd.func
def waits() -> None:
    qd.simt.block.sync()


@qd.func
def meets_behind(n: qd.template()) -> None:
    meets_and_calls(n)


@qd.func
def meets_and_calls(n: qd.template()) -> None:
    if qd.static(n > 0):
        meets_behind(n - 1)
    qd.simt.block.sync()


@pytest.fixture
def paused() -> Iterator[Pause]:
    pause = Pause()
    yield pause
    pause.go_on.set()


def beside(paused: Pause, first: Any, second: Any) -> list[Any]:
    """The results of `first`, which is paused, and of `second`, which begins and ends meanwhile."""
    results: list[Any] = [None, None]
    thread = threading.Thread(target=lambda: results.__setitem__(0, first()))
    thread.start()
    assert paused.reached.wait(10)
    results[1] = second()
    paused.go_on.set()
    thread.join()
    return results


def test_a_struct_type_with_methods(back_end: str, paused: Pause) -> None:
    PausingType.pause = paused
    assert beside(paused, of_one_thread, of_another) == [6, 8]


def test_uses_of_threads_in_a_func(paused: Pause, monkeypatch: pytest.MonkeyPatch) -> None:
    qd.init(arch=qd.python, log_level="error")
    definition = source.definition

    def pausing(function: Any) -> Any:
        paused()
        return definition(function)

    monkeypatch.setattr(source, "definition", pausing)
    assert beside(paused, lambda: thread_uses.of_func(waits).waits, lambda: thread_uses.of_func(waits).waits) == [True, True]
    qd.reset()


def test_uses_of_threads_in_funcs_that_call_each_other() -> None:
    """Whichever is looked at first, the other one has its uses, too."""
    for first, second in ((meets_behind, meets_and_calls), (meets_and_calls, meets_behind)):
        qd.init(arch=qd.python, log_level="error")
        assert (thread_uses.of_func(first).waits, thread_uses.of_func(second).waits) == (True, True)
    qd.reset()


def test_funcs_are_made_while_another_thread_goes_through_them() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    made: list[Any] = []
    thread = threading.Thread(target=lambda: made.extend(qd.func(waits._function) for _ in range(3000)))
    try:
        thread.start()
        while thread.is_alive():
            assert waits in decorators.all_funcs()
    finally:
        thread.join()
        sys.setswitchinterval(interval)
    assert len(made) == 3000 and set(made) <= set(decorators.all_funcs())
