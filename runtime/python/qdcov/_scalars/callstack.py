"""Call stack of a kernel on arch=qd.python: its name, and file and line of every call that led here."""

from __future__ import annotations

import sys
from types import CodeType, FrameType, TracebackType

from qdcov import _execution

rewritten: set[CodeType] = set()
"""The code of every kernel and func that runs here."""

of_threads: set[CodeType] = set()
"""Of these, the loops with blocks: each is called by the kernel or func that it is a part of, and stands in its place."""


def _frames() -> list[FrameType]:
    """The frames of the running kernel and of its funcs, the kernel's first."""
    frame: FrameType | None = sys._getframe(1)
    found: list[FrameType] = []
    in_loop = False
    while frame is not None:
        if frame.f_code in rewritten:
            if not in_loop:
                found.append(frame)
            in_loop = frame.f_code in of_threads
        frame = frame.f_back
    return found[::-1]


def lines() -> list[tuple[str, int, str]]:
    """File, line and function of each frame."""
    return [(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) for frame in _frames()]


def place() -> str:
    """The innermost of these lines as the beginning of a message; empty on the host."""
    found = lines()
    return f"{found[-1][0]}:{found[-1][1]}: " if found else ""


def lines_of(error: BaseException) -> list[tuple[str, int, str]]:
    """The same of the frames that an exception went through, the outermost first."""
    found: list[tuple[str, int, str]] = []
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code in of_threads:
            found.pop()
        if code in rewritten:
            found.append((code.co_filename, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return found


def thread() -> str:
    """The running kernel and its thread: the number of the parallel loop's iteration."""
    frames = _frames()
    return f"kernel[{frames[0].f_code.co_name if frames else '?'}] tid={_execution.iteration()}"


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
