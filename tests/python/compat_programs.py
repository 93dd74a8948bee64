"""Programs for a peer, run by qd.compat."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def run(folder: Path, program: str, *peers: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Runs a program for the first of these peers; the others are installed by it."""
    (folder / "program.py").write_text(program)
    command = [sys.executable, *python, "-m", "qd.compat", peers[0], "program.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def output(folder: Path, program: str, peer: str = "quadrants") -> str:
    done = run(folder, program, peer)
    assert done.returncode == 0, done.stderr
    return done.stdout
