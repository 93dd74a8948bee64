"""Failure messages of checks on arch=qd.python in debug mode, the same as on a device (runtime/frontend/values/checks.cpp)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _dtypes, _execution, _log
from qdcov._errors import KernelAssertionError
from qdcov._scalars import callstack

_SHOWN = 8
"""Calls of a deep recursion that a message shows at each end."""


def whole(message: str, lines: list[tuple[str, int, str]]) -> str:
    """A message with the iteration and the call stack: file, line and function of every frame, the kernel's first."""
    place = _execution.place()
    return "\n".join([message, *([place] if place else []), *frames(lines)])


def frames(lines: list[tuple[str, int, str]]) -> list[str]:
    shown = [f"{file}:{line} in {function}" for file, line, function in reversed(lines)]
    hidden = len(shown) - 1 - 2 * _SHOWN
    return shown if hidden <= 0 else [*shown[: _SHOWN + 1], f"... {hidden} more calls", *shown[-_SHOWN:]]


def named(message: str, lines: list[tuple[str, int, str]]) -> str:
    """As `whole`, with the name of the kernel before it."""
    return whole(f"(kernel={lines[0][2] if lines else '?'}) {message}", lines)


def failed(error: AssertionError) -> KernelAssertionError:
    """The error of an assert in a kernel."""
    return KernelAssertionError(named(str(error) or "assertion failed", callstack.lines_of(error)))


def too_deep(error: RecursionError) -> KernelAssertionError:
    """The error of a func that calls itself without an end."""
    lines = callstack.lines_of(error)
    kernel, name = (lines[0][2], lines[-1][2]) if lines else ("?", "a func")
    message = f"(kernel={kernel}) `{name}` calls itself too often: the stack is full. Is there an end to the recursion?"
    return KernelAssertionError("\n".join([message, *frames(lines)]))


_SIGNS = {"floordiv": "//", "raw_div": "//", "mod": "%", "raw_mod": "%", "power": "**", "lshift": "<<", "rshift": ">>", "bit_shr": ">>",
          "add": "+", "sub": "-", "mul": "*"}  # fmt: skip
_OVERFLOWS = {"add": "Addition", "sub": "Subtraction", "mul": "Multiplication", "power": "Power", "lshift": "Shift left"}
_RESULTS: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "power": lambda x, y: x ** min(y, 64) if abs(x) > 1 else x**y,
    "floordiv": operator.floordiv,
    "raw_div": lambda x, y: abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1),
}
_warned: set[tuple[str, int, str]] = set()


def start() -> None:
    """Forgets the warnings so far: each place warns once in a run of qd.init."""
    _warned.clear()


def integers(name: str, a: Any, b: Any) -> None:
    """Checks an operation on two integers of one type. A failure of operations that hashes are made of is a warning."""
    if not (isinstance(a, np.integer) and isinstance(b, np.integer)):
        return
    dtype = _dtypes.BY_NUMPY[type(a)]
    text = f"{a} {_SIGNS[name]} {b} ({dtype.name})"
    if name in ("floordiv", "raw_div", "mod", "raw_mod"):
        if b == 0:
            _fail(f"Integer {'division' if name in ('floordiv', 'raw_div') else 'modulo'} by zero: {text}")
    if name == "power" and b < 0:
        _fail(f"Negative exponent of an integer: {text}")
    x, y = int(a), int(b)
    if name in _RESULTS:
        result = _RESULTS[name](x, y)
        if result != int(_dtypes.wrap(result, dtype)):
            _warn("overflow", f"{_OVERFLOWS.get(name, 'Division')} overflow detected: {text}")
    elif name in ("lshift", "rshift", "bit_shr") and not 0 <= b < dtype.bits:
        _warn("shift", f"Shift by more bits than there are: {text}")
    elif name == "lshift" and x << y != int(_dtypes.wrap(x << y, dtype)):
        _warn("overflow", f"{_OVERFLOWS[name]} overflow detected: {text}")


def _fail(message: str) -> None:
    raise KernelAssertionError(named(message, callstack.lines()))


def _warn(kind: str, message: str) -> None:
    """Warns, once for each line and kind."""
    lines = callstack.lines()
    place = (*lines[-1][:2], kind) if lines else ("", 0, message)
    if place not in _warned:
        _warned.add(place)
        _log.log(named(message, lines))
