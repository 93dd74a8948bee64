"""Options of coverage.py and diff-cover: each is an option of the same command of qd-cov."""

from __future__ import annotations

import re
import subprocess

import pytest

COMMANDS = ("annotate", "combine", "debug", "erase", "html", "json", "lcov", "report", "run", "xml")


def options(*command: str) -> set[str]:
    """The long options that a help text has."""
    done = subprocess.run(command, capture_output=True, text=True)
    found = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", done.stdout))
    assert done.returncode == 0 and "--help" in found, done.stdout + done.stderr
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_options_of_coverage_py(command: str) -> None:
    assert options("coverage", command, "--help") <= options("qd-cov", command, "--help-all")


def test_options_of_diff_cover() -> None:
    found = options("diff-cover", "--help")
    assert len(found) > 20
    assert found <= options("qd-cov", "diff", "--help-all")
