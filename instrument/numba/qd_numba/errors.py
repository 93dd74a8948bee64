"""Errors of compilation: the function is in the data with the first line of the message, which reaches the program as ever."""

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
                message = str(error).strip().split("\n")[0] or type(error).__name__
                session.note_error(source, code, f"{', '.join(map(str, args))}: {message}")
            raise

    cls.compile = noting_compile
