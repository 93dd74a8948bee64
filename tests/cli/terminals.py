"""Runs qd-cov on a terminal of a known width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unicodedata
from pathlib import Path


def on_terminal(folder: Path, *arguments: str, width: int = 80, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Exit code, and all that the terminal got."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"}}
    environment |= {"TERM": "xterm-256color"} | (env or {})
    process = subprocess.Popen(["qd-cov", *arguments], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    said = b""
    try:
        while more := os.read(ours, 1 << 16):
            said += more
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    return process.wait(), said.decode().replace("\r\n", "\n")


def unpainted(text: str) -> str:
    """Text without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def columns(line: str) -> int:
    """Columns of a terminal, by Python's tables of Unicode."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in unpainted(line))
