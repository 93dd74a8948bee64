"""Processes with the same number, each in a container of its own, and one folder: no data is lost."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from test_nothing_lost import BODY, NEGATIVE, environment, lines, project

__all__ = ["project"]

PROGRAM = """
import os, sys, signal
import kernels, qd

assert os.getpid() == 1
qd.init(log_level="error")
kernels.sign(int(sys.argv[1]))
if sys.argv[2] == "die":
    os._exit(9)
elif sys.argv[2] == "fork":
    if os.fork() == 0:
        qd.init(log_level="error")
        kernels.sign(-int(sys.argv[1]))
        sys.exit()
    os.wait()
elif sys.argv[2] == "unshare":
    import ctypes

    kernels.sign(int(sys.argv[1]))
    import qd_coverage

    qd_coverage.write()
    assert ctypes.CDLL(None).unshare(0x20000000) == 0  # CLONE_NEWPID
    if os.fork() == 0:
        assert os.getpid() == 1
        qd.init(log_level="error")
        kernels.sign(-int(sys.argv[1]))
        sys.exit()
    os.wait()
"""
POSITIVE = {7, 8, 11, 12}


def new_numbers(*command: str) -> list[str]:
    return ["unshare", "-pf", *command]


@pytest.fixture(autouse=True)
def needs_namespaces(project: Path) -> None:
    (project / "program.py").write_text(PROGRAM)
    done = subprocess.run(new_numbers(sys.executable, "-c", "import os; print(os.getpid())"), capture_output=True, text=True, check=False)
    if done.stdout != "1\n":
        pytest.skip("needs unshare -pf")


def start(project: Path, value: int, how: str) -> subprocess.Popen[str]:
    command = new_numbers(sys.executable, "program.py", str(value), how)
    return subprocess.Popen(command, cwd=project, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(("how", "command"), [("end", "combine"), ("die", "combine"), ("die", "recover")])
def test_at_the_same_time(project: Path, how: str, command: str) -> None:
    rounds = int(os.environ.get("QD_ROUNDS", "1"))
    for _ in range(rounds):
        running = [start(project, value, how) for value in (-3, 3, -3, 3)]
        for process in running:
            out, err = process.communicate(timeout=120)
            assert (out, err, process.returncode) == ("", "", 9 if how == "die" else 0)
        start_of_name = f"_qd_kcov{'-journal' if how == 'die' else ''}.{socket.gethostname().replace('.', '_')}.pid1.X"
        assert [path.name[: len(start_of_name)] for path in project.glob("_qd_kcov*")] == [start_of_name] * 4
        if command == "recover":
            subprocess.run(["qd-cov", "recover", "-q"], cwd=project, env=environment(), check=True)
            assert len(list(project.glob("_qd_kcov.*.pid1.X*"))) == 4
        subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
        assert lines(project) & BODY == BODY
        assert list(project.glob("*qd*cov*")) == [] and list(project.glob(".qd-cov*")) == []


@pytest.mark.parametrize("how", ["fork", "unshare"])
def test_children(project: Path, how: str) -> None:
    process = start(project, -3, how)
    out, err = process.communicate(timeout=120)
    assert (out, err, process.returncode) == ("", "", 0)
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == BODY


def test_one_that_lives_keeps_its_journal(project: Path) -> None:
    """Another process of its number neither takes the journal for its own nor deletes it."""
    code = "import sys, kernels, qd\nqd.init(log_level='error')\nkernels.sign(-3)\nprint('ready', flush=True)\nsys.stdin.read()\n"
    command = new_numbers(sys.executable, "-c", code)
    with subprocess.Popen(command, cwd=project, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout and first.stdout.readline() == "ready\n"
        assert start(project, 3, "end").wait(120) == 0
        assert sorted(path.name.split(".")[0] for path in project.glob("_qd_kcov*")) == ["_qd_kcov", "_qd_kcov-journal"]
        subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
        assert lines(project) & BODY == POSITIVE
        assert [path.name.split(".")[0] for path in project.glob("_qd_kcov*")] == ["_qd_kcov-journal"]
        os.kill(child_of(first.pid), signal.SIGKILL)
    subprocess.run(["qd-cov", "combine", "-a", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == BODY
    assert NEGATIVE | POSITIVE == BODY


def child_of(process: int) -> int:
    return int(Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])


def test_beside_a_host(project: Path) -> None:
    """Processes with QD_KERNEL_COVERAGE_FILE, as pytest-cov's children have it."""
    running = []
    for value in (-3, 3):
        command = new_numbers(sys.executable, "program.py", str(value), "end")
        running.append(subprocess.Popen(command, cwd=project, env=environment(QD_KERNEL_COVERAGE_FILE=str(project / ".coverage"))))
    assert [process.wait(120) for process in running] == [0, 0]
    assert len(list(project.glob(".coverage.qdkcov.*"))) == 2
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == BODY
