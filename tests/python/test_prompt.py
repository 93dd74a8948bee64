"""Kernels that are typed at Python's >>> prompt, which keeps their text from 3.13 on, or read from standard input."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys

import pytest

KERNEL = "@qd.kernel\ndef more(x: qd.i32) -> qd.i32:\n    y = 0\n    if x > 1:\n        y = x + 1\n    return y\n"
START = "import qd; qd.init(arch=qd.python, log_level='error')"
KEEPS_TEXT = sys.version_info >= (3, 13)
UNKNOWN = "qd.KernelSyntaxError: The source of more is not available: <stdin> cannot be read. A kernel is compiled from its text: write it into"


def typed(*inputs: str, **environment: str) -> str:
    """The screen after these inputs, each pasted as one, without its control sequences."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-q"], {**os.environ, "TERM": "xterm", "PYTHON_COLORS": "0", "COLUMNS": "200", **environment})
    shown, seen = b"", 0

    def read_until(end: bytes) -> None:
        """Reads to the next `end`: lines that come before the prompt does may be taken for one paste."""
        nonlocal shown, seen
        while (at := shown.find(end, seen)) < 0:
            assert select.select([terminal], [], [], 60)[0], shown
            shown += os.read(terminal, 65536)
        seen = at + len(end)

    try:
        for number, text in enumerate(inputs):
            read_until(b">>> ")
            pasted = f"\x1b[200~{text}\x1b[201~" if KEEPS_TEXT and "PYTHON_BASIC_REPL" not in environment else text
            os.write(terminal, pasted.encode())
            read_until(text.splitlines()[-1].strip().encode())
            os.write(terminal, b"\n")  # as a key: in one piece with the text it would be pasted, too
            read_until(b">>> ")
            os.write(terminal, f"print('end', 'of', {number})\n".encode())
            read_until(f"end of {number}".encode())
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())


@pytest.mark.parametrize("basic", [False, True])
def test_the_prompt(basic: bool) -> None:
    screen = typed(START, KERNEL, "print('gives', more(3))", **({"PYTHON_BASIC_REPL": "1"} if basic else {}))
    assert ("gives 4" if KEEPS_TEXT else UNKNOWN) in screen


def test_standard_input() -> None:
    program = f"{START}\n{KERNEL}\nmore(3)\n"
    done = subprocess.run([sys.executable], input=program, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and UNKNOWN in done.stderr, done.stderr
