"""Reports of a base, for the tests of `qd-cov diff --base`, and a repository that has one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from diff_repository import TEN, Repository, edited


def run(repo: Repository, *words: str) -> str:
    """A program in the repository."""
    done = subprocess.run(list(words), cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def keep_base(repo: Repository, *options: str, tool: str = "coverage", to: str = "../base.json") -> None:
    """The full report of the measured data."""
    program = [sys.executable, "-m", "coverage"] if tool == "coverage" else ["qd-cov"]
    run(repo, *program, "json", "-q", "-o", to, *options)


def against_base(repo: Repository, *options: str) -> Any:
    """`qd_cov.base` of the JSON."""
    report = repo.diff("--base=../base.json", "--format=json:-", *options)
    assert report.code == 0, report.err
    return json.loads(report.out)["qd_cov"]["base"]


def changed_since_base(folder: Path) -> None:
    """Writes to `folder` base.json of two files, 9 of 20 lines covered, and repo, with a change of one line that is covered."""
    result = Repository(folder / "repo")
    result.write(".gitignore", ".coverage\n*.json\n*.ini\n")
    result.write("a.py", TEN)
    result.write("src/b.py", TEN)
    result.commit()
    result.measure({"a.py": [1, 2, 3, 4, 5, 6], "src/b.py": [1, 2, 3]})
    keep_base(result, tool="qd-cov")
    result.branch("work")
    result.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    result.commit()
