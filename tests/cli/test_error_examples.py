"""Examples of the errors of qd-cov, error_examples.txt: the last command of each prints the error that it stands under. The index of errors is
made of them.

A section `### message` has the way out (`> ...`) and commands, which run in a copy of one small repository. QD_UPDATE_GOLD=1 writes the messages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "ci"), str(ROOT / "ci" / "site")]
import error_index  # noqa: E402
import page_commands  # noqa: E402

FILE = ROOT / error_index.COMMANDS
EXAMPLES = error_index.examples(FILE.read_text(encoding="utf-8"))
SETUP = """
printf 'def half(x):\\n    if x > 0:\\n        return x / 2\\n    return 0\\n\\n\\nhalf(3)\\n' > prog.py
printf '.coverage*\\n' > .gitignore
git init -qb main . && git add . && git commit -qm base && git switch -qc change
printf '\\n\\ndef double(x):\\n    return 2 * x\\n' >> prog.py
git commit -qam change && qd-cov run --quiet -- python prog.py
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with a change, measured, and a copy of it beside it."""
    folder = tmp_path_factory.mktemp("errors") / "repository"
    folder.mkdir()
    subprocess.run(["bash", "-ec", SETUP], cwd=folder, env=settings(folder), check=True)
    shutil.copytree(folder, folder.with_name("whole"), symlinks=True)
    return folder


def settings(folder: Path) -> dict[str, str]:
    """The environment of commands; commits have the same ids each time."""
    shutil.rmtree(folder.with_name("home"), ignore_errors=True)
    dates = {f"GIT_{who}_DATE": "2026-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")}
    return {**page_commands.environment(folder.with_name("home")), **dates}


def error_of(example: error_index.Example, folder: Path) -> str:
    """The line of the last command's output that tells the error: of a gate, or the last one of a report, or the first one of standard error."""
    commands = re.findall(r"^\$ (.*)$", example.code, re.MULTILINE)
    for command in commands:
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=settings(folder), capture_output=True, text=True)
        assert (done.returncode == 0) == (command != commands[-1]), f"{command}\n{done.stdout}{done.stderr}"
    failures = re.findall(r"^Failure\. .*", done.stdout + done.stderr, re.MULTILINE)
    line = [*failures, *done.stdout.strip().splitlines()[-1:], *done.stderr.splitlines()][0]
    return re.sub(r"\.coverage\.[\w.]+", ".coverage.HOST.PID", line.replace(f"{folder}/", ""))


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_error(repository: Path, number: int) -> None:
    shutil.rmtree(repository)
    shutil.copytree(repository.with_name("whole"), repository, symlinks=True)
    message = error_of(EXAMPLES[number], repository)
    if os.environ.get("QD_UPDATE_GOLD"):
        parts = re.split(r"^(###.*\n)", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
        parts[2 * number + 1] = f"### {message}\n"
        FILE.write_text("".join(parts), encoding="utf-8")
        return
    assert message == EXAMPLES[number].message
