"""Exceptions of signal handlers that run while a launch executes Python: each reaches the caller of the kernel.

A trace function raises at the calls of Python functions, one after the other, as a signal handler may at any of them.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest
import qd


class Interrupt(BaseException):
    """As KeyboardInterrupt: no Exception."""


def fill(x: qd.types.ndarray(), value: qd.i32):
    for i in range(x.shape[0]):
        x[i] = value


def of_vector(v: qd.math.vec3) -> qd.f32:
    return v.sum()


def of_template(f: qd.template()):
    for i in range(4):
        f.array[i] = i
        print(f.array[i])


def wrong(x: qd.types.ndarray()):
    x[0] = nothing_of_that_name  # noqa: F821


@dataclasses.dataclass
class Pair:
    array: qd.types.NDArray[qd.i32, 1]
    value: qd.i32


def of_pair(pair: Pair):
    for i in range(pair.array.shape[0]):
        pair.array[i] = pair.value


class Attributes:
    """An object that answers a question for any attribute in Python."""

    def __getattr__(self, name: str) -> object:
        raise AttributeError(name)


class Class:
    """An object that answers a question for its class in Python."""

    @property
    def __class__(self) -> type:  # type: ignore[override]
        return int


class Holder:
    def __init__(self) -> None:
        self.array = qd.field(qd.i32, 4)


gone: list[qd.Ndarray] = []  # an array of an earlier program

CASES: dict[str, Callable[[], object]] = {
    "arrays": lambda: qd.kernel(fill)(qd.ndarray(qd.i32, 4), 1),
    "numpy": lambda: qd.kernel(fill)(np.zeros(4, np.int32), 1),
    "lists": lambda: qd.kernel(of_vector)([1, 2, 3]),
    "templates": lambda: qd.kernel(of_template)(Holder()),
    "dataclasses": lambda: qd.kernel(of_pair)(Pair(qd.ndarray(qd.i32, 4), 1)),
    "errors of kernels": lambda: qd.kernel(wrong)(np.zeros(4, np.int32)),
    "errors of arguments": lambda: qd.kernel(of_vector)([1, 2]),
    "errors of resets": lambda: qd.kernel(fill)(gone[0], 1),
    "attributes": lambda: qd.kernel(fill)(Attributes(), 1),
    "classes": lambda: qd.kernel(fill)(np.zeros(4, np.int32), Class()),
}


def outcome(case: Callable[[], object], place: int | None) -> tuple[str, list[tuple[CodeType, CodeType]]]:
    """Runs a case, with an Interrupt at the call of that number. Returns the class of the error, and who called whom."""
    calls: list[tuple[CodeType, CodeType]] = []

    def trace(frame: FrameType, event: str, arg: Any) -> None:
        caller = frame.f_back
        assert caller is not None
        calls.append((caller.f_code, frame.f_code))
        if len(calls) - 1 == place:
            raise Interrupt

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        case()
    except BaseException as error:
        return type(error).__name__, calls
    finally:
        sys.settrace(before)
    return "", calls


@pytest.mark.parametrize("name", CASES)
def test_each_reaches_the_caller(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    qd.init(log_level="error", offline_cache=False)
    gone[:] = [qd.ndarray(qd.i32, 4)]
    qd.init(log_level="error", offline_cache=False)
    outcome(CASES[name], None)  # what is made only once
    usual, calls = outcome(CASES[name], None)
    assert (usual != "") == (name.startswith("errors") or name in ("attributes", "classes")), usual
    first = {call: number for number, call in reversed([*enumerate(calls)])}
    dropped: list[object] = []  # Python itself drops errors of weak references' callbacks
    monkeypatch.setattr(sys, "unraisablehook", lambda error: dropped.append(error.object))
    lost = []
    for (_, called), number in sorted(first.items(), key=lambda item: item[1]):
        dropped.clear()
        got, _ = outcome(CASES[name], number)
        if got != "Interrupt" and not dropped:
            lost.append((called.co_filename, called.co_name, got))
    assert len(first) > 15
    assert not lost
