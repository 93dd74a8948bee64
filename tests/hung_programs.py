"""Runs of Python programs that may hang: the failure then has the stacks of all of the program's threads."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DUMP = 20  # seconds for the stacks of a program that hangs


def run(
    command: Sequence[str | Path], *, timeout: float, env: Mapping[str, str] | None = None, input: str | None = None, **more: Any
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` with capture_output and text. A program that takes longer than `timeout` seconds is aborted, with Python's fault handler,
    and AssertionError has its output and stacks."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": None if input is None else subprocess.PIPE}
    check = more.pop("check", False)
    with subprocess.Popen(command, text=True, env={**(env or os.environ), "PYTHONFAULTHANDLER": "1"}, **pipes, **more) as process:
        try:
            out, err = process.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{' '.join(map(str, command))} takes longer than {timeout} seconds:\n{_aborted(process)}") from None
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    if check and done.returncode != 0:
        print(out, err)
        done.check_returncode()
    return done


def _aborted(process: subprocess.Popen[str]) -> str:
    """The output of a program that hangs, with its stacks."""
    process.send_signal(signal.SIGABRT)
    try:
        out, err = process.communicate(timeout=DUMP)
    except subprocess.TimeoutExpired as expired:  # it takes no signal, or a child of it keeps the pipes
        process.kill()
        out, err = (part.decode(errors="replace") if isinstance(part, bytes) else part or "" for part in (expired.stdout, expired.stderr))
    return f"{out}{err}"
