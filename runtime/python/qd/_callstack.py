"""Where a kernel on arch=qd.python is: its name, and file and line of every call that led here."""

from __future__ import annotations

import sys
from types import FrameType

from qd import _semantics
from qd._rewrite import rewritten


def _frames() -> list[FrameType]:
    """The frames of the running kernel and of its funcs, the kernel's first."""
    frame: FrameType | None = sys._getframe(1)
    found: list[FrameType] = []
    while frame is not None:
        if frame.f_code in rewritten:
            found.append(frame)
        frame = frame.f_back
    return found[::-1]


def lines() -> list[tuple[str, int, str]]:
    """File, line and function of each frame."""
    return [(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) for frame in _frames()]


def thread() -> str:
    """The running kernel and its thread: the number of the parallel loop's iteration."""
    frames = _frames()
    return f"kernel[{frames[0].f_code.co_name if frames else '?'}] tid={_semantics.iteration()}"


def text() -> str:
    """The calls, outermost first, each with its file and line."""
    lines = ["Callstack:"]
    seen: set[tuple[str, str]] = set()
    for frame in _frames():
        key = frame.f_code.co_filename, frame.f_code.co_name
        if key not in seen:
            lines.append(f"{'  ' * len(seen)}{key[1]} ({key[0]}:{frame.f_lineno})")
            seen.add(key)
    return "\n".join(lines)
