"""Calls of the program."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def qd_cov(folder: Path, *arguments: str, timeout: float = 60, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the program in a folder."""
    every = os.environ | environment
    return subprocess.run(["qd-cov", *arguments], cwd=folder, env=every, capture_output=True, text=True, check=False, timeout=timeout)
