"""Runs of `qd-cov check` for its tests."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
from diff_repository import TEN, Repository

FINDING = re.compile(r"^(?P<path>.+?):(?P<line>\d+): \[(?P<check>[\w-]+)\] (?P<message>.*)$", re.MULTILINE)


@dataclass
class Checked:
    """The answer of `qd-cov check`."""

    code: int
    out: str
    err: str
    findings: list[tuple[str, int, str]] = field(default_factory=list)  # path, line, check
    messages: list[str] = field(default_factory=list)


def check_in(folder: Path, environment: Mapping[str, str], *args: str) -> Checked:
    """Run `qd-cov check` with just these arguments."""
    done = subprocess.run(
        ["qd-cov", "check", *args], cwd=folder, env=environment, capture_output=True, encoding="utf-8", errors="surrogateescape", timeout=120
    )
    checked = Checked(done.returncode, done.stdout, done.stderr)
    for found in FINDING.finditer(done.stdout):
        checked.findings.append((found["path"], int(found["line"]), found["check"]))
        checked.messages.append(found["message"])
    return checked


def check(repo: Repository, *args: str) -> Checked:
    """The same in a repository, comparing with main unless told."""
    if not any(arg.startswith(("--compare-branch", "--base-sha", "--diff-file")) for arg in args):
        args = (*args, "--compare-branch=main")
    return check_in(repo.folder, repo.environment, *args)


def as_json(repo: Repository, *args: str) -> Any:
    """The check's report as JSON."""
    return json.loads(check(repo, *args, "--format=json").out)


def new_repository(folder: Path) -> Repository:
    """A repository as the fixture `repo`: a.py on main, a branch checked out."""
    repo = Repository(folder)
    repo.write(".gitignore", ".coverage\n_qd_kcov.*\n")
    repo.write("a.py", TEN)
    repo.commit("base")
    repo.branch("work")
    return repo


def measure_tests(repo: Repository, executed: Mapping[str, Mapping[str, Iterable[int]]]) -> None:
    """Write line data: [context][path] -> lines."""
    (repo.folder / ".coverage").unlink(missing_ok=True)
    data = coverage.CoverageData(str(repo.folder / ".coverage"))
    for context, files in executed.items():
        data.set_context(context)
        data.add_lines({str((repo.folder / path).resolve()): list(lines) for path, lines in files.items()})
    data.write()
