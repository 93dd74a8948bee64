"""Real git repositories for the tests of `qd-cov diff`, with coverage data written by coverage.py itself."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import coverage


@dataclass
class Row:
    """One file of the terminal report."""

    lines: int
    missing: int | None  # None: not measured
    percent: str
    missing_lines: str


@dataclass
class Report:
    """The answer of `qd-cov diff`."""

    code: int
    out: str
    err: str
    rows: dict[str, Row] = field(default_factory=dict)

    def total(self) -> tuple[int, int]:
        """Lines and missing lines of the whole diff."""
        found = re.search(r"^Total:   (\d+) lines?\nMissing: (\d+) lines?$", self.out, re.MULTILINE)
        return (int(found[1]), int(found[2])) if found else (0, 0)


ROW = re.compile(
    r"^(?P<path>.+?)  +(?P<lines>\d+)  +"
    r"(?:(?P<missing>\d+)  +(?P<percent>[\d.]+)%  [^ ]+(?:  (?P<list>.*))?|\?  not measured: (?P<why>.*))$"
)


def parse_report(code: int, out: str, err: str) -> Report:
    """Read the terminal format."""
    report = Report(code, out, err)
    for line in out.splitlines():
        if found := ROW.match(line):
            missing = None if found["missing"] is None else int(found["missing"])
            path = found["path"].split(" (was ")[0]
            report.rows[path] = Row(int(found["lines"]), missing, found["percent"] or "", found["list"] or found["why"] or "")
    return report


class Repository:
    """A git repository in a folder of its own, which ignores the user's configuration of git."""

    def __init__(self, folder: Path, branch: str = "main") -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.com",
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
            "HOME": str(folder.parent),
        }
        for name in ("NO_COLOR", "COVERAGE_FILE", "COVERAGE_RCFILE", "GIT_DIR", "GIT_WORK_TREE"):
            self.environment.pop(name, None)
        if not (folder / ".git").exists():
            self.git("init", "-q", "--template=", "-b", branch)

    def git(self, *args: str, check: bool = True) -> str:
        """Run git, give its output. A commit starts no programs that tidy up the repository."""
        done = subprocess.run(["git", "-c", "maintenance.auto=false", *args], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if check:
            assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file, as it is, with its folders."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def commit(self, message: str = "change") -> None:
        """Commit all there is."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def branch(self, name: str) -> None:
        """Begin a branch."""
        self.git("checkout", "-q", "-b", name)

    def measure(self, executed: Mapping[str, Iterable[int]], data_file: str = ".coverage") -> None:
        """Write line data; paths are relative to the repository."""
        (self.folder / data_file).unlink(missing_ok=True)
        data = coverage.CoverageData(str(self.folder / data_file))
        data.add_lines({str((self.folder / path).resolve()): list(lines) for path, lines in executed.items()})
        data.write()

    def measure_arcs(self, executed: Mapping[str, Iterable[tuple[int, int]]]) -> None:
        """Write branch data."""
        (self.folder / ".coverage").unlink(missing_ok=True)
        data = coverage.CoverageData(str(self.folder / ".coverage"))
        data.add_arcs({str((self.folder / path).resolve()): list(arcs) for path, arcs in executed.items()})
        data.write()

    def diff(self, *args: str, cwd: str = ".", **environment: str) -> Report:
        """Run `qd-cov diff`, comparing with main unless told."""
        if not any(arg.startswith("--compare-branch") for arg in args):
            args = ("--compare-branch", "main", *args)
        return self.diff_as_typed(*args, cwd=cwd, **environment)

    def diff_as_typed(self, *args: str, cwd: str = ".", **environment: str) -> Report:
        """Run `qd-cov diff` with just these arguments."""
        done = subprocess.run(
            ["qd-cov", "diff", *args],
            cwd=self.folder / cwd,
            env={**self.environment, **environment},
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
        return parse_report(done.returncode, done.stdout, done.stderr)


TEN = "".join(f"a{i} = {i}\n" for i in range(1, 11))


def lines(text: str) -> list[str]:
    """Lines with their ends."""
    return text.splitlines(keepends=True)


def edited(text: str, changes: dict[int, str | None]) -> str:
    """Replace lines (from 1) with other text; None takes them out."""
    result = lines(text)
    for number, new in changes.items():
        result[number - 1] = new or ""
    return "".join(result)
