"""The exceptions of kernels, named for whose fault they are."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any

_FOLDER = os.path.dirname(__file__) + os.sep


def counted(count: int, what: str) -> str:
    """A number of things, with their name in the singular: "1 axis", "2 axes"."""
    several = {"axis": "axes", "index": "indices"}.get(what, f"{what}s")
    return f"{count} {what if count == 1 else several}"


def counted_are(count: int, what: str) -> str:
    """The same with its verb: "1 index is", "2 indices are"."""
    return f"{counted(count, what)} {'is' if count == 1 else 'are'}"


def is_own_traceback(error: BaseException, trace: TracebackType | None) -> bool:
    """Whether an error is one of a kernel, and all frames behind the call of the kernel are of this package."""
    if not isinstance(error, (KernelCompilationError, KernelRuntimeError)):
        return False
    while trace is not None:
        if not _is_own(trace):
            return False
        trace = trace.tb_next
    return True


def show_program_alone(error: BaseException) -> None:
    """Takes the frames of this package out of the traceback of an error of a kernel, or of one that a line of the program raised, but for the first
    frame: that of the function that has caught it."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if not isinstance(error, (KernelCompilationError, KernelRuntimeError)) and (last is None or _is_own(last)):
        return
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        if _is_own(trace.tb_next):
            trace.tb_next = trace.tb_next.tb_next
        else:
            trace = trace.tb_next


def is_meant(raised: Any) -> bool:
    """Whether pytest's ExceptionInfo has an error for the user: one of a kernel, or one that a `raise` of this package raised. It is
    ``__tracebackhide__`` of the modules, so that pytest shows the user's own line last."""
    import dis  # for messages alone

    last = raised.tb
    while last.tb_next is not None:
        last = last.tb_next
    by_raise = dis.opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"
    return isinstance(raised.value, (KernelCompilationError, KernelRuntimeError)) or (by_raise and _is_own(last))


def _is_own(trace: TracebackType) -> bool:
    return trace.tb_frame.f_code.co_filename.startswith(_FOLDER)


class KernelCompilationError(Exception):
    """A kernel that does not compile. The text has every error of the kernel, each with file, line, column, source line and caret."""


class KernelSyntaxError(KernelCompilationError, SyntaxError):
    """A kernel that uses Python which kernels do not have."""

    def __str__(self) -> str:
        # SyntaxError would print only its `msg` with a file name.
        return str(self.args[0]) if self.args else ""


class KernelTypeError(KernelCompilationError, TypeError):
    """A type that an operation of a kernel does not take."""


class KernelNameError(KernelCompilationError, NameError):
    """A name that a kernel cannot find."""


class KernelIndexError(KernelCompilationError, IndexError, RuntimeError):
    """An index that is wrong for any data: a wrong count, a negative constant. A RuntimeError, too: Taichi and Quadrants find it at run time."""


class KernelRuntimeError(RuntimeError):
    """A kernel that failed while it ran, or that could not be run."""


class KernelAssertionError(KernelRuntimeError, AssertionError):
    """An assert of a kernel did not hold (debug mode)."""


class KernelRuntimeTypeError(KernelRuntimeError, TypeError, ValueError):
    """An argument of the wrong type or shape."""


class KernelArgumentError(KernelRuntimeTypeError, KernelSyntaxError):
    """A call of a kernel with too many arguments, too few, or one of another name: a TypeError as in Python, and a KernelSyntaxError as in Taichi and
    Quadrants."""
