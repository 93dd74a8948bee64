"""Progress of reports that take long, on a terminal: it leaves nothing behind."""

from __future__ import annotations

import os
import pty
import subprocess
import time
from pathlib import Path

import pytest
from held_report import Hold, make_project, preloaded

PATIENCE = 0.3  # seconds that a report may take without a word


@pytest.fixture(scope="module")
def wait_at_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return preloaded(tmp_path_factory.mktemp("preload"), "wait_at_source")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("progress") / "project", 120)


def slow_run(hold: Hold, folder: Path, *arguments: str, terminal: bool = True) -> tuple[bytes, bytes]:
    """Standard output, a pipe, and standard error of a report that takes longer than PATIENCE."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    environment = hold.environment | {"TERM": "xterm", "NO_COLOR": "1"}
    process = subprocess.Popen(["qd-cov", *arguments, "--no-cache"], cwd=folder, stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    with hold.held():
        time.sleep(PATIENCE + 0.05)
    assert process.stdout is not None
    said = b""
    try:
        while more := os.read(ours, 1 << 16):
            said += more
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    out = process.stdout.read()
    process.stdout.close()
    assert process.wait() == 0
    return out, said


COMMANDS = {
    "report": ["report"],
    "html": ["html", "-d", "{out}/html"],
    "xml": ["xml", "-o", "{out}/coverage.xml"],
    "json": ["json", "-o", "{out}/coverage.json"],
    "lcov": ["lcov", "-o", "{out}/coverage.lcov"],
    "annotate": ["annotate", "-d", "{out}"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_long_reports_show_how_far_they_are(tmp_path: Path, project: Path, wait_at_source: Path, command: str) -> None:
    arguments = [argument.format(out=tmp_path) for argument in COMMANDS[command]]
    out, said = slow_run(Hold(wait_at_source, tmp_path / "pipe"), project, *arguments)
    steps, _, end = said.rpartition(b"\r\x1b[K")
    assert steps.startswith(b"\rReporting [" + b" " * 30 + b"] 1/120\r") and steps.endswith(b"#] 120/120")
    assert not end or end.startswith(b"Wrote ")
    assert b"Reporting" not in out


@pytest.mark.parametrize("command", ["html", "xml", "json", "lcov"])
def test_quiet_reports_do_not(tmp_path: Path, project: Path, wait_at_source: Path, command: str) -> None:
    arguments = [argument.format(out=tmp_path) for argument in COMMANDS[command]]
    assert slow_run(Hold(wait_at_source, tmp_path / "pipe"), project, *arguments, "-q") == (b"", b"")


def test_a_file_gets_no_progress(tmp_path: Path, project: Path, wait_at_source: Path) -> None:
    out, said = slow_run(Hold(wait_at_source, tmp_path / "pipe"), project, "report", terminal=False)
    assert said == b"" and out.startswith(b"Name ")


def test_warnings_have_a_line_of_their_own(tmp_path: Path, wait_at_source: Path) -> None:
    folder = make_project(tmp_path / "project", 120)
    for name in ("a060.py", "a119.py"):
        (folder / name).write_text("if:\n")
    _, said = slow_run(Hold(wait_at_source, tmp_path / "pipe"), folder, "report", "-i")
    warnings = [line for line in said.split(b"\r\n") if line]
    assert len(warnings) == 2 + (not said.endswith(b"\n"))
    for line in warnings[:2]:
        assert line.rpartition(b"\r\x1b[K")[2].startswith(b"warning: Couldn't parse Python file ")
