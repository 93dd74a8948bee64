"""One program on two devices: reports show the lines that ran on each of them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

PROGRAM = """import sys

import numpy as np
import qd

qd.init(arch=getattr(qd, sys.argv[1]), log_level="error")


@qd.kernel
def limit(x: qd.types.ndarray(dtype=qd.f32, ndim=1), top: qd.f32) -> qd.i32:
    clipped = 0
    for i in x:
        if x[i] > top:
            x[i] = top
            clipped += 1
        elif x[i] < 0.0:
            x[i] = 0.0
    return clipped


limit(np.array([float(text) for text in sys.argv[2:]], dtype=np.float32), 1.5)
"""


def qd_cov(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    return subprocess.run(["qd-cov", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_two_devices(tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(PROGRAM)
    assert qd_cov(tmp_path, "run", "--branch", "--", "python", "sim.py", "cpu", "-1", "1", "2").returncode == 0
    done = qd_cov(tmp_path, "run", "--branch", "--append", "--", "python", "sim.py", "vulkan", "1", "2")
    if "vulkan not available" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    head, _, row, *_ = qd_cov(tmp_path, "report", "--by-arch", "-m").stdout.splitlines()
    assert head.split()[-4:] == ["host", "cpu", "vulkan", "Missing"]
    assert row.split()[6:9] == ["100%", "100%", "86%"] and row.endswith("covered on cpu, never on vulkan: 17")
    for arch, missing in (("cpu", "1-10, 21"), ("vulkan", "1-10, 17, 21")):
        (line,) = [one for one in qd_cov(tmp_path, "report", "-m", f"--arch={arch}").stdout.splitlines() if one.startswith("sim.py")]
        assert line.endswith(f"  {missing}")
