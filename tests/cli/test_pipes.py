"""Pipes, sockets and folders in the place of files: no command waits for another process to write."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import CoverageData
from run_program import qd_cov

LCOV = "SF:a.py\nDA:1,1\nDA:2,0\nend_of_record\n"
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = 3\n+y = 2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    tmp_path = tmp_path.resolve()
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({str(tmp_path / "a.py"): [1]})
    data.close()
    os.mkfifo(tmp_path / "pipe")
    yield tmp_path


def put_odd(folder: Path, name: str, kind: str) -> None:
    if kind == "pipe":
        os.mkfifo(folder / name)
    elif kind == "folder":
        (folder / name).mkdir()
    elif kind == "link":
        (folder / name).symlink_to("nowhere")
    else:
        here = Path.cwd()
        os.chdir(folder)  # names of sockets are short
        with socket.socket(socket.AF_UNIX) as unix:
            unix.bind(name)
        os.chdir(here)


@pytest.mark.parametrize("kind", ["pipe", "socket", "folder", "link"])
@pytest.mark.parametrize("name", [".coverage.odd", "_qd_kcov.odd", "_qd_kcov-journal.1"])
def test_among_the_inputs_of_combine(folder: Path, kind: str, name: str) -> None:
    put_odd(folder, name, kind)
    data = CoverageData(str(folder / ".coverage.good"))
    data.add_lines({str(folder / "a.py"): [2]})
    data.close()
    done = qd_cov(folder, "combine")
    assert done.returncode == 0
    assert "Combined 1 file, 1 file errored\n" in done.stderr and f"{folder}/{name}" in done.stderr
    assert os.path.lexists(folder / name) and not (folder / ".coverage.good").exists()
    if name == "_qd_kcov-journal.1":
        assert qd_cov(folder, "recover").returncode == 1
    if name == ".coverage.odd":
        assert qd_cov(folder, "report").returncode == 0


COMMANDS = {
    "named input": (["combine", "pipe"], 1),
    "data file of combine": (["combine", "--data-file=pipe", "a.py"], 1),
    "data file of append": (["combine", "-a", "--data-file=pipe", ".coverage"], 1),
    "data file of report": (["report", "--data-file=pipe"], 1),
    "data file of html": (["html", "--data-file=pipe"], 1),
    "data file of diff": (["diff", "--diff-file=d.diff", "--data-file=pipe"], 1),
    "data file of debug": (["debug", "data", "pipe"], None),
    "data file of run": (["run", "--data-file=pipe", "a.py"], 1),
    "input of report": (["report", "--input=pipe"], 1),
    "input of diff": (["diff", "--diff-file=d.diff", "pipe"], 1),
    "diff": (["diff", "--diff-file=pipe"], None),
    "config": (["report", "--rcfile=pipe"], 1),
    "trend": (["html", "-q", "--trend=pipe"], None),
    "append to trend": (["trend", "--append", "pipe"], 1),
    "base report": (["diff", "--diff-file=d.diff", "--base-report=pipe"], None),
    "junit": (["check", "slow-tests", "--junit=pipe"], None),
    "body of a comment": (["github", "comment", "pipe"], None),
}


@pytest.mark.parametrize("what", COMMANDS)
def test_a_pipe_that_nobody_writes_to(folder: Path, what: str) -> None:
    (folder / "d.diff").write_text(DIFF)
    arguments, code = COMMANDS[what]
    done = qd_cov(folder, *arguments)
    assert done.returncode in ([0, 1, 2] if code is None else [code]), done.stdout + done.stderr


@pytest.mark.parametrize("name", [".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml"])
def test_a_pipe_with_the_name_of_a_configuration(folder: Path, name: str) -> None:
    os.mkfifo(folder / name)
    assert qd_cov(folder, "report").returncode == 0


def test_a_source_that_is_a_pipe(folder: Path) -> None:
    (folder / "a.py").unlink()
    os.mkfifo(folder / "a.py")
    done = qd_cov(folder, "report")
    assert done.returncode == 1 and "not a regular file" in done.stdout


def shell(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=30)


def test_pipes_that_somebody_writes_to_are_read(folder: Path) -> None:
    """The shell's <(command) is one."""
    (folder / "d.diff").write_text(DIFF)
    (folder / "a.info").write_text(LCOV)
    slowly = "(sleep 0.3; cat {})"
    for command, file in [("qd-cov diff --diff-file={}", "d.diff"), ("qd-cov report --data-file=none --input={}", "a.info")]:
        expected = shell(folder, command.format(file))
        piped = shell(folder, command.format(f"<{slowly.format(file)}"))
        assert expected.returncode == piped.returncode, piped.stderr
        lines = [line for line in expected.stdout.splitlines() if file not in line]
        assert [line for line in piped.stdout.splitlines() if "/dev/fd" not in line] == lines


def test_settings_in_a_pipe(folder: Path) -> None:
    """Settings are read more than once, by this program and those that it starts: the contents of a pipe must not be lost."""
    (folder / "settings").write_text("[report]\nfail_under = 101\n")
    for command in ("report --rcfile={}", "run --rcfile={} a.py", "diff --rcfile={}"):
        done = shell(folder, f"qd-cov {command.format('<(cat settings)')}")
        assert (done.returncode, "it is a pipe, and settings are read more than once" in done.stdout + done.stderr) == (1, True), command
    assert shell(folder, "qd-cov report --rcfile=/dev/null").returncode == 0
