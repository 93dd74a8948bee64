"""arch=qd.python in debug mode: what a check of a kernel says when it fails, as on a device (runtime/frontend/checks.cpp)."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from qd import _dtypes, _runtime, _semantics
from qd._errors import KernelAssertionError

_SHOWN = 8
"""Calls of a deep recursion that a message shows at each end."""


def whole(message: str, lines: list[tuple[str, int, str]]) -> str:
    """A message with the thread, and with where it is: file, line and function of every frame, the kernel's first."""
    return "\n".join([message, f"tid={_semantics.iteration()}", *_frames(lines)])


def _frames(lines: list[tuple[str, int, str]]) -> list[str]:
    shown = [f"{file}:{line} in {function}" for file, line, function in reversed(lines)]
    hidden = len(shown) - 1 - 2 * _SHOWN
    return shown if hidden <= 0 else [*shown[: _SHOWN + 1], f"... {hidden} more calls", *shown[-_SHOWN:]]


def _of_kernels(error: BaseException) -> list[tuple[str, int, str]]:
    """The frames of kernels and funcs that an exception went through, the outermost first."""
    from qd._rewrite import rewritten

    lines: list[tuple[str, int, str]] = []
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code in rewritten:
            lines.append((code.co_filename, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return lines


def named(message: str, lines: list[tuple[str, int, str]]) -> str:
    """As `whole`, with the name of the kernel before it."""
    return whole(f"(kernel={lines[0][2] if lines else '?'}) {message}", lines)


def failed(error: AssertionError) -> KernelAssertionError:
    """The error of an assert in a kernel."""
    return KernelAssertionError(named(str(error) or "assertion failed", _of_kernels(error)))


def too_deep(error: RecursionError) -> KernelAssertionError:
    """The error of a func that calls itself without an end."""
    lines = _of_kernels(error)
    kernel, name = (lines[0][2], lines[-1][2]) if lines else ("?", "a func")
    message = f"(kernel={kernel}) `{name}` calls itself too often: the stack is full. Is there an end to the recursion?"
    return KernelAssertionError("\n".join([message, *_frames(lines)]))


def out_of_range(array: Any, numbers: tuple[int, ...]) -> KernelAssertionError:
    """The error of an access to an element that is not there."""
    from qd import _callstack

    lines = _callstack.lines()
    if getattr(array, "_kind", "ndarray") == "field":
        offset = f" offset {array._offset}" if array._offset else ""
        what = f"{array.dtype.name} {array.name}" if array.name else array.dtype.name
        return KernelAssertionError(named(f"Accessing field ({what}) of size {array.shape}{offset} with indices {numbers}", lines))
    number, name = _argument(array)
    message = f"[kernel={lines[0][2] if lines else '?'}] Out of bound access to ndarray at arg {number} with indices {list(numbers)}"
    return KernelAssertionError(whole(f"{message}\n{name} has size {array.shape}", lines))


def _argument(array: Any) -> tuple[int, str]:
    """Which argument of the running kernel an ndarray is, or is a part of."""
    for number, (name, value) in enumerate(_semantics.local.arguments):
        found = _path(name, value, array)
        if found:
            return number, found
    return len(_semantics.local.arguments), "the ndarray"


def _path(name: str, value: Any, array: Any) -> str:
    from qd._buffer_view import BufferView
    from qd._parameters import Members

    if value is array or (isinstance(value, BufferView) and value.arr is array):
        return name
    parts: dict[str, Any] = vars(value) if isinstance(value, Members) else getattr(value, "members", {})
    if dataclasses.is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return next((found for part, inner in parts.items() if (found := _path(f"{name}.{part}", inner, array))), "")


def indices(array: Any, index: Any) -> None:
    """Checks the indices of an element of a numpy array, or of a component of a vector or matrix."""
    from qd._matrix import Clamped

    numbers = index if isinstance(index, tuple) else (index,)
    if not all(isinstance(number, (int, np.integer)) for number in numbers):
        return
    if isinstance(array, Clamped):
        return
    shape = array.shape if isinstance(array, np.ndarray) else array._values.shape
    if len(numbers) != len(shape) or all(0 <= i < n for i, n in zip(numbers, shape)):
        return
    numbers = tuple(int(number) for number in numbers)
    if isinstance(array, np.ndarray):
        raise out_of_range(array, numbers)
    from qd import _callstack

    text = f"Out of bound access to a [{array.n}, {array.m}] matrix with index [{', '.join(map(str, numbers))}]"
    raise KernelAssertionError(named(text, _callstack.lines()))


_SIGNS = {"floordiv": "//", "raw_div": "//", "mod": "%", "raw_mod": "%", "power": "**", "lshift": "<<", "rshift": ">>", "bit_shr": ">>",
          "add": "+", "sub": "-", "mul": "*"}  # fmt: skip
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
    """Each place warns once."""
    _warned.clear()


def integers(name: str, a: Any, b: Any) -> None:
    """Checks an operation on two integers of one type. Those that hashes are made of are told, and go on."""
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
        if dtype.name in ("i32", "i64") and result != int(_dtypes.wrap(result, dtype)):
            _warn("Integer overflow", text)
    elif name in ("lshift", "rshift", "bit_shr") and not 0 <= b < dtype.bits:
        _warn("Shift by more bits than there are", text)


def _fail(message: str) -> None:
    from qd import _callstack

    raise KernelAssertionError(named(message, _callstack.lines()))


def _warn(kind: str, text: str) -> None:
    """Each line warns once of each kind."""
    from qd import _callstack

    message = f"{kind}: {text}"
    lines = _callstack.lines()
    place = (*lines[-1][:2], kind) if lines else ("", 0, message)
    if place not in _warned:
        _warned.add(place)
        _runtime.log(named(message, lines))
