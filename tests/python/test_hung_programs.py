"""A program of a test that hangs: the failure has the stacks of its threads."""

from __future__ import annotations

import subprocess
import sys

import hung_programs
import pytest

HANGS = """
import threading

def waits_in_a_thread():
    threading.Event().wait()

def waits_for_ever():
    threading.Thread(target=waits_in_a_thread, daemon=True).start()
    print("begins", flush=True)
    threading.Event().wait()

waits_for_ever()
"""


def test_the_stacks_are_in_the_failure() -> None:
    with pytest.raises(AssertionError, match="takes longer than 1 seconds") as failure:
        hung_programs.run([sys.executable, "-c", HANGS], timeout=1)
    assert all(text in str(failure.value) for text in ("begins", "in waits_for_ever", "in waits_in_a_thread"))


def test_a_program_that_ends_is_as_with_subprocess() -> None:
    done = hung_programs.run([sys.executable, "-c", "import sys; print(input()); print(2, file=sys.stderr); sys.exit(3)"], timeout=60, input="1\n")
    assert (done.returncode, done.stdout, done.stderr) == (3, "1\n", "2\n")
    with pytest.raises(subprocess.CalledProcessError):
        hung_programs.run([sys.executable, "-c", "raise SystemExit(3)"], timeout=60, check=True)
