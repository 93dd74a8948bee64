"""Programs that run in processes of their own, with an offline cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import coverage_commands

Run = Callable[..., subprocess.CompletedProcess[str]]


def runner(folder: Path) -> Run:
    """A function that runs a program with the cache of a folder."""

    def run(program: Path, *words: str, cache: Path | str = folder / "cache", setup: Any = None, **more: str) -> subprocess.CompletedProcess[str]:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("QD_", "COV", "PYTEST"))}
        env |= {"QD_OFFLINE_CACHE_FILE_PATH": str(cache)} if cache else {}
        if setup is None:
            done = coverage_commands.program([program, *words], program.parent, {**env, **more})
        else:
            command = [sys.executable, program, *words]
            done = subprocess.run(command, cwd=program.parent, env={**env, **more}, capture_output=True, text=True, preexec_fn=setup)
        assert done.returncode == 0, done.stderr
        return done

    return run


TOGETHER = """\
import json, runpy, sys

for path, *words in json.loads(sys.argv[1]):
    sys.argv = [path, *words]
    runpy.run_path(path, run_name="__main__")
"""


def together(run: Run, *programs: tuple[Path | str, ...], **more: str) -> subprocess.CompletedProcess[str]:
    """Runs some programs, given with their words, in one process, one after the other."""
    given = json.dumps([[str(word) for word in words] for words in programs])
    return run(program(Path(programs[0][0]).parent, TOGETHER, "together.py"), given, **more)


def values(done: subprocess.CompletedProcess[str]) -> list[Any]:
    """The JSON that each of some programs in one process printed."""
    return [json.loads(line) for line in done.stdout.splitlines()]


def results(run: Run, *programs: tuple[Path | str, ...]) -> list[Any]:
    """The JSON that each of some programs prints in one process."""
    return values(together(run, *programs))


def program(folder: Path, text: str, name: str = "program.py") -> Path:
    """A program in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(textwrap.dedent(text))
    return folder / name


def result(done: subprocess.CompletedProcess[str]) -> Any:
    """The JSON that a program printed."""
    return json.loads(done.stdout)


def entries(cache: Path, kind: str = "*") -> list[Path]:
    """The entries of a cache."""
    return sorted(p for p in cache.glob(f"*/*.{kind}"))
