"""Processes whose threads do everything at once: results are right, nothing hangs, no covered line is missing.

QD_STRESS_SECONDS (16 without) is the duration in s, QD_STRESS_SEED the first seed (a new one each time without).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import hung_programs
from coverage import CoverageData

PROGRAM = Path(__file__).with_name("runtime_stress.py")
SECONDS = 4.0
"""Duration of a process, in s: each ends in another way."""


def test_runtime(tmp_path: Path) -> None:
    seed = int(os.environ.get("QD_STRESS_SEED") or random.SystemRandom().randrange(1 << 31))
    seconds = float(os.environ.get("QD_STRESS_SECONDS") or 16)
    end = time.monotonic() + seconds
    lines = PROGRAM.read_text().splitlines()
    environment = {**os.environ, "QD_KERNEL_COVERAGE": "1", "QD_OFFLINE_CACHE_FILE_PATH": str(tmp_path / "cache")}
    number = 0
    while time.monotonic() < end:
        folder = tmp_path / f"run{number}"
        folder.mkdir()
        told = f"QD_STRESS_SEED={seed + number} QD_STRESS_SECONDS={min(SECONDS, seconds)} (process {number})"
        command = [sys.executable, str(PROGRAM), str(seed + number), str(min(SECONDS, seconds))]
        done = hung_programs.run(command, timeout=200, cwd=folder, env=environment)
        assert done.returncode == 0, f"{told}: {done.returncode}\n{done.stdout}{done.stderr}"
        assert done.stderr == "", f"{told}\n{done.stderr}"
        reached = {int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("reached")}
        assert "\ndone " in done.stdout and reached, told
        subprocess.run(["qd-cov", "combine", "-q"], cwd=folder, env=environment, check=True, timeout=100)
        data = CoverageData(str(folder / ".coverage"))
        data.read()
        covered = {lines[line - 1].strip() for line in data.lines(str(PROGRAM)) or [] if line > 0}
        missing = {f"result = {100 + which}" for which in reached} - covered
        assert not missing, f"{told}: {missing}"
        number += 1
