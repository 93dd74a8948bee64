"""Signals to `qd-cov run`: the program gets each once, whether it was sent to qd-cov alone, to the group of processes or by the terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import coverage
import pytest

NAMES = ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGRTMIN"]

# Exits with 40 and the number of times that it got the signal.
COUNTS = """\
import signal, sys, time
count = 0
def handler(number, frame):
    global count
    count += 1
signal.signal(getattr(signal, sys.argv[1]), handler)
print("ready", flush=True)
end = time.monotonic() + 20
while count == 0 and time.monotonic() < end:
    time.sleep(0.01)
time.sleep(0.2)
sys.exit(40 + count)
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(COUNTS)


@contextlib.contextmanager
def running(*words: str) -> Iterator[subprocess.Popen[str]]:
    command = ["qd-cov", "run", "-q", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        yield process


def measured_lines() -> set[int]:
    data = coverage.CoverageData()
    data.read()
    return set(data.lines(os.path.abspath("program.py")) or ())


@pytest.mark.parametrize(("name", "how"), [*((name, os.kill) for name in NAMES), *((name, os.killpg) for name in NAMES[:3])])
def test_program_gets_it_once(name: str, how: Callable[[int, int], None]) -> None:
    """Data is saved, and the exit code is the program's."""
    with running("program.py", name) as process:
        how(process.pid, getattr(signal, name))
        assert process.wait(30) == 41, process.stderr and process.stderr.read()
    assert 12 in measured_lines()


def test_several_in_a_row() -> None:
    """A signal to the group, and later ones, each to qd-cov or to the group."""
    Path("program.py").write_text(COUNTS.replace("count == 0", "count < 5"))
    with running("program.py", "SIGUSR1") as process:
        for how in (os.killpg, os.kill, os.killpg, os.killpg, os.kill):
            how(process.pid, signal.SIGUSR1)
            time.sleep(0.1)
        assert process.wait(30) == 45


def test_ctrl_c_of_a_terminal() -> None:
    main, terminal = pty.openpty()
    command = [sys.executable, "-c", "import os, sys; os.login_tty(int(sys.argv[1])); os.execvp('qd-cov', sys.argv[2:])"]
    command = [*command, str(terminal), "qd-cov", "run", "-q", "program.py", "SIGINT"]
    shown = b""
    with subprocess.Popen(command, pass_fds=[terminal]) as process:
        os.close(terminal)
        while b"ready" not in shown:
            shown += os.read(main, 100)
        os.write(main, b"\x03")
        assert process.wait(30) == 41
    os.close(main)
    assert 12 in measured_lines()


def test_signal_of_the_program_to_its_parent() -> None:
    """Such as that of a server that is ready: it does not come back, and ends nothing."""
    Path("program.py").write_text(COUNTS.replace("print", "import os; os.kill(os.getppid(), signal.SIGUSR1)\nprint").replace("+ 20", "+ 0.3"))
    with running("program.py", "SIGUSR1") as process:
        assert process.wait(30) == 40


@pytest.mark.parametrize("name", ["SIGINT", "SIGQUIT", "SIGUSR1"])
def test_program_that_does_not_handle_it(name: str) -> None:
    """It ends by the signal; the exit code is that which a shell would give."""
    Path("program.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(20)\n")
    with running("program.py") as process:
        process.send_signal(getattr(signal, name))
        assert process.wait(30) == 128 + getattr(signal, name)
    if name == "SIGINT":  # Python ends by an exception, and saves what it has measured
        assert measured_lines() == {1, 2, 3}


def test_ignored_signals_stay_ignored() -> None:
    """As nohup starts a program; and a parent that ignores the ends of its children gets the exit code, too."""
    ignoring = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    program = (
        "import signal, sys\nprint('ready', flush=True)\nsys.stdin.read()\nsys.exit(int(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN) + 6)\n"
    )
    Path("program.py").write_text(program)
    command = [sys.executable, "-c", f"{ignoring}; os.execvp('qd-cov', ['qd-cov', 'run', '-q', 'program.py'])"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGHUP)
        process.communicate("")
        assert process.returncode == 7
