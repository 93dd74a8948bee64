"""Overflow in debug mode as the peers tell it: on standard output, with the line of the program."""

from __future__ import annotations

import linecache
import re
import sys

from qdcov import _log

_FRAME = re.compile(r"^(.+):(\d+) in \S+$", re.MULTILINE)


def install() -> None:
    """For all kernels of the process. Other messages stay on standard error."""
    write = _log.log

    def log(message: str, level: str = _log.CRITICAL) -> None:
        if " overflow detected: " in message:
            print(_FRAME.sub(_with_source, message), file=sys.stdout, flush=True)
        else:
            write(message, level)

    _log.log = log


def _with_source(frame: re.Match[str]) -> str:
    source = linecache.getline(frame[1], int(frame[2])).strip()
    return f"{frame[0]}:\n    {source}" if source else frame[0]
