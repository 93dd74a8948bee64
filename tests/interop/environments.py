"""The Python environments with different versions of coverage.py and pytest-cov, and commands that run in them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from coverage_commands import forked

OF_THE_TESTS = ("QD_", "COV", "PYTEST", "PY_COLORS", "NO_COLOR", "FORCE_COLOR", "VIRTUAL_ENV", "COLUMNS")
"""Beginnings of variables that the tests themselves may be run with."""


@dataclass(frozen=True)
class Environment:
    """One Python with its packages."""

    name: str
    python: Path

    def run(self, folder: Path, *words: str, code: int = 0, variables: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run qd-cov, or a module of this environment (`coverage report`, `pytest tests`), in a folder."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(OF_THE_TESTS)}
        clean["PATH"] = os.pathsep.join([str(self.python.parent), clean["PATH"]])
        clean |= variables or {}
        if words[0] in ("coverage", "pytest"):
            done = forked(str(self.python), words, folder, clean)
        else:
            command = list(words) if words[0] == "qd-cov" else [str(self.python), "-m", *words]
            done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
        said = f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        assert done.returncode == code, said
        assert "INTERNALERROR" not in done.stdout and "Traceback" not in done.stderr, said
        return done


ENVIRONMENTS = [
    Environment("newest", Path(sys.executable)),
    Environment("coverage74", Path(sys.prefix).parent / ".venv-coverage74" / "bin" / "python"),
]
