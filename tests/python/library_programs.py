"""Programs whose kernels call funcs of the package, measured as sim.py with conditions."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import coverage


def measured(folder: Path, text: str, *words: str) -> coverage.CoverageData:
    """The data of the program, which gets these words: the name of an arch, and `debug`."""
    (folder / "sim.py").write_text(text)
    command = ["qd-cov", "run", "--branch", "--", "python", "sim.py", *words]
    environment = {**os.environ, "QD_KERNEL_COVERAGE_CONDITIONS": "1"}
    done = subprocess.run(command, cwd=folder, check=True, env=environment, stderr=subprocess.PIPE, text=True)
    assert "[qd]" not in done.stderr, "a warning about code of the package"
    data = coverage.CoverageData(str(folder / ".coverage"))
    data.read()
    return data


def lines_and_branches(folder: Path, text: str, arch: str) -> list[Any]:
    """Executed and missing lines and branches of the program, the only measured file: on the device the same as in debug mode and as plain Python."""
    found = []
    for number, words in enumerate(([arch], [arch, "debug"], ["python", "debug"])):
        run = folder / str(number)
        run.mkdir()
        assert [Path(file).name for file in measured(run, text, *words).measured_files()] == ["sim.py"]
        subprocess.run(["qd-cov", "json"], cwd=run, check=True, capture_output=True)
        (file,) = json.loads((run / "coverage.json").read_text())["files"].values()
        found.append([file[name] for name in ("executed_lines", "missing_lines", "executed_branches", "missing_branches")])
    assert found[0] == found[1] == found[2]
    return found[0]


def probe_rows(folder: Path) -> list[list[str]]:
    """The rows of kernels and funcs in `qd-cov debug probes`."""
    done = subprocess.run(["qd-cov", "debug", "probes", "sim.py"], cwd=folder, check=True, capture_output=True, text=True)
    return [line.split()[:5] for line in done.stdout.splitlines() if " kernel " in line or " func " in line]
