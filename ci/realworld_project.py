"""A project of ci/realworld: its source distribution, its virtual environment, and runs of its test suite."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

OF_THE_CALLER = ("QD_", "COV", "PYTEST", "PYTHON", "PY_COLORS", "NO_COLOR", "FORCE_COLOR", "VIRTUAL_ENV", "COLUMNS", "LINES")
"""Beginnings of variables that would change a suite or a report."""


class Failed(Exception):
    """An obstacle to comparing a project."""


@dataclass
class SuiteRun:
    """One run of a suite, and the data that it left."""

    data_file: Path
    passed: int
    failed: int
    skipped: int
    exit_code: int
    seconds: float

    @property
    def outcome(self) -> tuple[int, int, int, int]:
        return self.exit_code, self.passed, self.failed, self.skipped


@dataclass
class Project:
    name: str
    version: str
    requirements: list[str]
    options: list[str]
    command: list[str]
    extra_settings: str
    measures_itself: bool
    report_options: list[str]
    least_tests: int
    folder: Path
    """Holds all that belongs to the project: sdist, unpacked source, environment, data, reports."""
    coverage_version: str

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @property
    def bin(self) -> Path:
        return self.folder / "venv" / "bin"

    def environment(self, **changes: str) -> dict[str, str]:
        variables = {k: v for k, v in os.environ.items() if not k.startswith(OF_THE_CALLER)}
        variables |= {
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
            "VIRTUAL_ENV": str(self.bin.parent),
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "COLUMNS": "80",
        }
        return variables | changes

    def run_logged(self, log: str, *words: str | Path, check: bool = True, **changes: str) -> int:
        """Run a program in the source folder; its output goes into a file."""
        path = self.folder / f"{log}.log"
        with path.open("w", encoding="utf-8") as out:
            code = subprocess.run(
                words, cwd=self.source, env=self.environment(**changes), stdin=subprocess.DEVNULL, stdout=out, stderr=out, check=False
            ).returncode
        if check and code != 0:
            raise Failed(f"{' '.join(map(str, words[:4]))} ended with {code}: see {path}")
        return code

    # --- set-up ---------------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """Fetch, unpack and install, unless an earlier call did with the same versions."""
        wanted = "\n".join([self.version, self.coverage_version, *self.requirements, self.extra_settings])
        stamp = self.folder / "set-up"
        if stamp.exists() and stamp.read_text() == wanted:
            return
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.source.mkdir(parents=True)
        sdist = self.folder / "sdist"
        # --no-binary for this one alone: the requirements of its build may be wheels.
        self.run_logged(
            "download", sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-binary", self.name, "--no-deps",
            "--dest", sdist, f"{self.name}=={self.version}",
        )  # fmt: skip
        self.unpack(next(sdist.iterdir()))
        if self.extra_settings:
            self.add_settings()
        self.run_logged("venv", sys.executable, "-m", "venv", self.bin.parent)
        self.run_logged(
            "install", self.bin / "python", "-m", "pip", "install", "--disable-pip-version-check", f"coverage=={self.coverage_version}",
            *self.requirements, "-e", ".",
        )  # fmt: skip
        stamp.write_text(wanted)

    def unpack(self, archive: Path) -> None:
        with tarfile.open(archive) as tar:
            for member in tar.getmembers():
                member.name = member.name.partition("/")[2]
                if member.name and ".." not in Path(member.name).parts and (member.isfile() or member.isdir()):
                    tar.extract(member, self.source)

    def add_settings(self) -> None:
        """Add lines to [run] of the coverage configuration that the project has, in its pyproject.toml or nowhere."""
        pyproject = self.source / "pyproject.toml"
        text = pyproject.read_text(encoding="utf-8")
        section = "[tool.coverage.run]\n"
        if section not in text:
            (self.source / ".coveragerc").write_text("[run]\n" + self.extra_settings + "\n", encoding="utf-8")
            return
        lines = []
        for line in filter(None, self.extra_settings.splitlines()):
            name, value = (part.strip() for part in line.split("=", 1))
            if value != "true":
                value = json.dumps([value] if name == "patch" else value)
            lines.append(f"{name} = {value}\n")
        pyproject.write_text(text.replace(section, section + "".join(lines)), encoding="utf-8")

    # --- runs -----------------------------------------------------------------------------------------------------------

    def run_suite(self, label: str, program: list[str]) -> SuiteRun:
        """Run the suite under `program`, coverage or qd-cov, and combine its data."""
        data = self.folder / "data" / label
        data.mkdir(parents=True, exist_ok=True)
        for old in data.iterdir():
            old.unlink()
        data_file = data / "coverage"
        uses_pytest = "pytest" in self.command
        results = data / "junit.xml"
        command = [*self.command, f"--junitxml={results}", "-pno:cacheprovider"] if uses_pytest else self.command
        if self.measures_itself:
            words = [*program, str(self.bin / "python"), *command]
        else:
            words = [*program, *self.options, *command]
        started = time.monotonic()
        code = self.run_logged(label, *words, check=False, COVERAGE_FILE=str(data_file))
        seconds = time.monotonic() - started
        if list(data.glob("coverage.*")):
            self.run_logged(f"{label}-combine", self.bin / "coverage", "combine", "-q", COVERAGE_FILE=str(data_file))
        if not data_file.exists():
            raise Failed(f"no data: see {self.folder / label}.log")
        passed, failed, skipped = junit_counts(results) if uses_pytest else unittest_counts(self.folder / f"{label}.log")
        if passed < self.least_tests:
            raise Failed(f"{passed} tests passed, fewer than {self.least_tests}: see {self.folder / label}.log")
        run = SuiteRun(data_file, passed, failed, skipped, code, seconds)
        (data / "run.json").write_text(json.dumps([*run.outcome, seconds]))
        return run

    def read_suite(self, label: str) -> SuiteRun:
        """The result of an earlier run_suite()."""
        data = self.folder / "data" / label
        if not (data / "run.json").exists():
            raise Failed(f"the suite has not run yet under {label}")
        code, passed, failed, skipped, seconds = json.loads((data / "run.json").read_text())
        return SuiteRun(data / "coverage", passed, failed, skipped, code, seconds)


def junit_counts(path: Path) -> tuple[int, int, int]:
    """Passed, failed and skipped tests of a pytest run."""
    if not path.exists():
        return 0, 0, 0
    suites = ElementTree.parse(path).getroot().iter("testsuite")
    total = failed = skipped = 0
    for suite in suites:
        total += int(suite.get("tests", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
    return total - failed - skipped, failed, skipped


def unittest_counts(log: Path) -> tuple[int, int, int]:
    """The same of a unittest run, from its last lines."""
    text = log.read_text(encoding="utf-8", errors="replace")
    ran = re.findall(r"^Ran (\d+) tests? in", text, re.MULTILINE)
    if not ran:
        return 0, 0, 0
    ending = text[text.rindex("Ran ") :]
    failed = sum(int(n) for n in re.findall(r"(?:failures|errors)=(\d+)", ending))
    skipped = sum(int(n) for n in re.findall(r"skipped=(\d+)", ending))
    return int(ran[-1]) - failed - skipped, failed, skipped


def read_projects(file: Path, cache: Path, coverage_version: str) -> list[Project]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(file, encoding="utf-8")
    return [
        Project(
            name,
            section["version"],
            section.get("requirements", "").split(),
            section.get("run", "").split(),
            shlex.split(section["command"]),
            section.get("coverage", ""),
            section.getboolean("itself", False),
            section.get("reports", "").split(),
            int(section["tests"]),
            cache / name,
            coverage_version,
        )
        for name, section in parser.items()
        if name != "DEFAULT"
    ]
