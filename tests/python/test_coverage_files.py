"""QD_KERNEL_COVERAGE=1 without pytest: the file that a process leaves, its mode, and that stock coverage.py combines it to the right numbers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import coverage
import pytest

pytestmark = pytest.mark.usefixtures("on_back_end")

SIM = """\
import os
import sys

import numpy as np
import qd

qd.init(log_level="error")
x = qd.field(qd.f32, shape=8)


@qd.func
def pull(v, target: qd.template()):
    d = target - v
    if d < 0:
        d = 0.0
    return v + d * 0.5


@qd.kernel
def relax(rounds: qd.i32):
    for i in x:
        for r in range(rounds):
            x[i] = pull(x[i], 10.0)
            if x[i] > 9.0:
                break
        else_line = 1
        if else_line == 0:
            x[i] = 0.0


@qd.kernel
def unused():
    x[0] = 1.0


def main(rounds):
    relax(rounds)
    if "reset" in sys.argv:
        qd.init(log_level="error")
    if "chdir" in sys.argv:
        os.chdir("/")
    if "fork" in sys.argv:
        if os.fork() == 0:
            qd.init(log_level="error")
            global x
            x = qd.field(qd.f32, shape=8)
            unused()
            sys.exit()
        os.wait()


main(1 if "short" in sys.argv else 9)
"""


@pytest.fixture
def sim(tmp_path: Path) -> Path:
    path = tmp_path / "sim.py"
    path.write_text(SIM)
    return path


def run(folder: Path, *command: str, env: Mapping[str, str] | None = None) -> None:
    clean = {k: v for k, v in os.environ.items() if k.startswith(("QD_OFFLINE", "QD_ARCH")) or not k.startswith(("QD_", "COV", "PYTEST_"))}
    done = subprocess.run([sys.executable, *command], cwd=folder, env={**clean, **(env or {})}, capture_output=True, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stdout + done.stderr


ON = {"QD_KERNEL_COVERAGE": "1"}


def kernel_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("_qd_kcov.*"))


def read(path: Path) -> coverage.CoverageData:
    data = coverage.CoverageData(str(path))
    data.read()
    return data


def numbers(folder: Path) -> Any:
    cov = coverage.Coverage(data_file=str(folder / ".coverage"), config_file=False, messages=False)
    cov.load()
    cov.json_report(outfile=str(folder / "out.json"))
    (file,) = json.loads((folder / "out.json").read_text())["files"].values()
    return {key: file.get(key) for key in ("executed_lines", "missing_lines", "executed_branches", "missing_branches")}


@pytest.mark.parametrize("words", ["long", "long in lines", "short", "reset", "chdir"])
def test_combined_data_is_that_of_plain_python(sim: Path, words: str) -> None:
    here = sim.parent
    branch, options = [] if words == "long in lines" else ["--branch"], [] if "long" in words else [words]
    run(here, "-m", "coverage", "run", "--source=.", *branch, "sim.py", *options, env={"QD_ARCH": "python"})
    python = numbers(here)
    run(here, "-m", "coverage", "run", "--source=.", *branch, "sim.py", *options, env=ON)
    assert len(kernel_files(here)) == 1
    combined = coverage.Coverage(data_file=str(here / ".coverage"), config_file=False, messages=False)
    combined.load()
    combined.combine([*map(str, kernel_files(here))], strict=True)
    combined.save()
    assert numbers(here) == python


@pytest.mark.parametrize("archive", ["lib.zip", "program.pyz"])
def test_kernels_in_an_archive(sim: Path, archive: str) -> None:
    with zipfile.ZipFile(sim.parent / archive, "w") as file:
        file.writestr("sim.py", SIM)
    run(sim.parent, "sim.py", env=ON)
    before = kernel_files(sim.parent)
    plain = read(before[0]).lines(str(sim.resolve()))
    sim.write_text(f"import sys\nsys.path.insert(0, {archive!r})\nsys.modules.pop('sim', None)\nimport sim\n")
    run(sim.parent, "sim.py", env=ON)
    (path,) = {*kernel_files(sim.parent)} - {*before}
    assert read(path).measured_files() == {measured := str(sim.parent.resolve() / archive / "sim.py")}
    assert plain and read(path).lines(measured) == plain


def test_without_a_host_it_is_branch_data(sim: Path, on_back_end: str) -> None:
    run(sim.parent, "sim.py", env=ON)
    (file,) = kernel_files(sim.parent)
    data = read(file)
    assert data.has_arcs() and data.measured_files() == {str(sim.resolve())}
    assert {context for contexts in data.contexts_by_lineno(str(sim.resolve())).values() for context in contexts} == {f"qd:{on_back_end}"}


def test_the_configuration_decides_without_a_host(sim: Path) -> None:
    (sim.parent / ".coveragerc").write_text("[run]\nbranch = false\nrelative_files = true\ncontext = nightly\n")
    run(sim.parent, "sim.py", "chdir", env=ON)
    data = read(kernel_files(sim.parent)[0])
    assert not data.has_arcs() and data.measured_files() == {"sim.py"}
    run(sim.parent, "sim.py", env={**ON, "QD_KERNEL_COVERAGE_BRANCH": "1", "QD_KERNEL_COVERAGE_DIR": str(sim.parent / "other")})
    assert len(kernel_files(sim.parent / "other")) == 1 and len(kernel_files(sim.parent)) == 1  # the folder was made
    assert read(kernel_files(sim.parent / "other")[0]).has_arcs()


def test_a_static_context(sim: Path, on_back_end: str) -> None:
    run(sim.parent, "-m", "coverage", "run", "--source=.", "--context=nightly", "sim.py", env=ON)
    data = read(kernel_files(sim.parent)[0])
    assert data.measured_contexts() == {"", f"nightly|qd:{on_back_end}"}


def test_files_that_the_host_does_not_measure_are_left_out(sim: Path) -> None:
    run(sim.parent, "-m", "coverage", "run", "--omit=*/sim.py", "sim.py", env=ON)
    assert kernel_files(sim.parent) == []


def test_a_child_of_fork_reports_only_itself(sim: Path) -> None:
    run(sim.parent, "sim.py", "fork", env=ON)
    first, second = (set(read(f).lines(str(sim.resolve())) or []) for f in kernel_files(sim.parent))
    child, parent = sorted((first, second), key=len)
    unused = SIM.splitlines().index("    x[0] = 1.0") + 1
    assert child == {unused} and unused not in parent and len(parent) > 8


def test_off_leaves_nothing(sim: Path) -> None:
    run(sim.parent, "sim.py")
    run(sim.parent, "sim.py", env={"QD_KERNEL_COVERAGE": "0"})
    assert kernel_files(sim.parent) == []
