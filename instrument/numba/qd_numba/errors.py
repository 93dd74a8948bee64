"""Errors of compilation: the function is in the data with the reason, from the message, which reaches the program as ever."""

from __future__ import annotations

from typing import Any

from numba.core import dispatcher

from .session import Session
from .sources import measured_source


def hook(session: Session) -> None:
    """Notes the functions that a dispatcher could not compile for some types."""
    cls = dispatcher._FunctionCompiler  # type: ignore[attr-defined]
    compile_for = cls.compile

    def noting_compile(self: Any, args: Any, return_type: Any) -> Any:
        try:
            return compile_for(self, args, return_type)
        except Exception as error:
            code = self.py_func.__code__
            if (source := measured_source(code.co_filename)) is not None:
                session.note_error(source, code, f"({', '.join(map(str, args))}): {_reason(error)}")
            raise

    cls.compile = noting_compile


def _reason(error: Exception) -> str:
    """The first line of a message that tells more than the step of the compilation."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith("Failed in ")]
    return next(iter(telling or lines), type(error).__name__)
