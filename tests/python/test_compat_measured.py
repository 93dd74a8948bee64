"""Coverage of programs for Quadrants: `qd-cov run --as`."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

import pytest

MEASURED = """\
import subprocess
import sys
import venv

import quadrants as qd

qd.init(arch=qd.cpu, log_level="error")
x = qd.field(qd.f32, 3)


@qd.kernel
def fill(n: qd.i32):
    for i in range(n):
        if i > 5:
            x[0] = 1
        else:
            x[1] = 2


fill(3)
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "child"], check=True)
"""


def measure(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "sim.py").write_text(MEASURED)
    (folder / "test_sim.py").write_text("import quadrants\n\ndef test():\n    import sim\n    assert sim.qd is quadrants\n")
    environment = {**os.environ, **variables}
    return subprocess.run(["qd-cov", "run", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def missing(folder: Path) -> str:
    report = subprocess.run(["qd-cov", "report", "-m"], cwd=folder, capture_output=True, text=True, check=True).stdout
    return "\n".join(" ".join(line.split()) for line in report.splitlines()[2:-2])


def test_run_measures_a_program_for_quadrants(tmp_path: Path) -> None:
    (tmp_path / "quadrants.py").write_text("raise SystemExit('the real one')")
    done = measure(tmp_path, "--branch", "--as", "quadrants", "--", "sim.py")
    assert done.returncode == 0, done.stderr
    assert missing(tmp_path) == "sim.py 15 1 6 1 90% 15"
    # As other programs, and with the start files of others.
    (tmp_path / "more").mkdir()
    (tmp_path / "more/sitecustomize.py").write_text("print('started')\n")
    done = measure(
        tmp_path, "--no-host", "--as", "quadrants,taichi", "--", "python", "sim.py", PYTHONPATH=f"{tmp_path / 'more'}:{os.environ['PYTHONPATH']}"
    )
    assert (done.returncode, done.stdout) == (0, "started\nstarted\n")
    assert missing(tmp_path) == "sim.py 15 12 20% 1-12, 15, 20-22"


def test_run_measures_tests_of_quadrants(tmp_path: Path) -> None:
    done = measure(tmp_path, "--branch", "--context=test", "--as", "quadrants", "--", "pytest", "-q", "-p", "no:cacheprovider", "-n", "1")
    assert "1 passed" in done.stdout, done.stdout
    assert missing(tmp_path) == "sim.py 15 1 6 1 90% 15\ntest_sim.py 4 0 0 0 100%"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--as", "numba", "--", "sim.py"], "option --as: invalid choice: 'numba' (choose from 'quadrants', 'taichi')"),
        (["--as", "taichi", "--", "python", "-I", "sim.py"], "--as works by PYTHONPATH and sitecustomize, which "),
    ],
)
def test_run_as_refuses(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = measure(tmp_path, *arguments)
    assert done.returncode == 1 and done.stderr.startswith(message)


def test_run_as_without_the_runtime(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = str(tmp_path / "bare/bin/python")
    done = measure(tmp_path, "--no-host", "--as", "quadrants", "--", python, "sim.py", PYTHONPATH="")
    assert f"No module named 'qdcov', which `qd-cov run --as quadrants` needs in {python}" in done.stderr
