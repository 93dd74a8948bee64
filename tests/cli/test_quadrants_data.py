"""Data of Quadrants' own kernel coverage: the lines of kernels that ran, each as an arc from the module's entry and one to its exit.

A stand-in for Quadrants writes it. With QD_PEERS=1, Quadrants itself does, after `ci/setup --peers`."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage_commands import coverage_py
from diff_repository import Repository
from run_program import qd_cov

SIM = """\
from quadrants.lang import _kernel_coverage

def kernel(function):
    return function

@kernel
def limit(x, top):
    n = 0
    for i in range(8):
        if x[i] > top:
            n += 1
        if x[i] < 0:
            x[i] = 0
        elif x[i] > 9:
            x[i] = 9
    if n > 100:
        n = 100
    return n

_kernel_coverage.ran(__file__, [8, 9, 10, 11, 12, 14, 16, 18])
"""
RAN = [8, 9, 10, 11, 12, 14, 16, 18]
HOST = [(-1, 1), (1, 3), (3, 6), (6, 7), (7, 20), (20, -1), (-3, 4), (4, -3)]
# 10->12 is unknown, as 11 goes there too; of the other nine branches, those to lines that did not run are missing.
ROW = ["sim.py", "17", "3", "9", "3", "77%", "13,", "15,", "17"]
NOTE = "CoverageWarning: 1 branch of kernels in 'sim.py' is unknown, and not counted: Quadrants measured the lines of these kernels alone.\n"

# Stands for the module of this name in Quadrants: it notes the folder when the first kernel is compiled, and writes its data at the exit.
STAND_IN = """\
import atexit
import os

from coverage import CoverageData

_coverage_dir = None
_lines = {}


def ran(path, lines):
    global _coverage_dir
    _coverage_dir = _coverage_dir or os.getcwd()
    _lines[path] = lines


def flush():
    data = CoverageData(basename=os.path.join(_coverage_dir, f"_qd_kcov.{os.getpid()}"))
    if os.environ.get("_QD_KCOV_ARC") == "1":
        data.add_arcs({path: [arc for line in lines for arc in ((-1, line), (line, -1))] for path, lines in _lines.items()})
    else:
        data.add_lines(_lines)
    data.write()


atexit.register(flush)
"""


def write_data(path: Path, source: Path, arcs: list[tuple[int, int]]) -> Path:
    data = CoverageData(str(path))
    data.add_arcs({str(source): arcs})
    data.close()
    return path


def alone(lines: list[int]) -> list[tuple[int, int]]:
    return [arc for line in lines for arc in ((-1, line), (line, -1))]


def row(done: subprocess.CompletedProcess[str], name: str = "sim.py") -> list[str]:
    return next(line.split() for line in done.stdout.splitlines() if line.startswith(name + " "))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program, its host data as `.coverage.host`, and that of its kernels as Quadrants writes it."""
    project = (tmp_path / "project").resolve()
    project.mkdir()
    (project / "sim.py").write_text(SIM)
    (project / "quadrants/lang").mkdir(parents=True)
    (project / "quadrants/lang/_kernel_coverage.py").write_text(STAND_IN)
    (project / ".coveragerc").write_text("[run]\nomit = */quadrants/*\n")
    for name in [*os.environ]:
        if name.startswith(("COV", "QD_KERNEL", "_QD_KCOV")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return project


@pytest.fixture
def measured(project: Path) -> Path:
    write_data(project / ".coverage.host", project / "sim.py", HOST)
    write_data(project / "_qd_kcov.17", project / "sim.py", alone(RAN))
    return project


COMBINED = {
    "together": [["qd-cov", "combine"]],
    "one after the other": [["qd-cov", "combine", ".coverage.host"], ["qd-cov", "combine", "--append", "_qd_kcov.17"]],
    "kept": [["qd-cov", "combine", "--keep"]],
    "kernels first": [["qd-cov", "combine", "_qd_kcov.17"], ["qd-cov", "combine", "--append", ".coverage.host"]],
    "by coverage.py": [[sys.executable, "-m", "coverage", "combine", ".coverage.host", "_qd_kcov.17"]],
    "again by coverage.py": [
        ["qd-cov", "combine"],
        [sys.executable, "-m", "coverage", "combine", "--data-file=again", ".coverage"],
        ["mv", "again", ".coverage"],
    ],
    "with more of the host": [["qd-cov", "combine"], ["qd-cov", "run", "-q", "--branch", "--append", "empty.py"]],
}


@pytest.mark.parametrize("way", COMBINED)
def test_branches_are_known_by_lines(measured: Path, way: str) -> None:
    (measured / "empty.py").touch()
    for command in COMBINED[way]:
        subprocess.run(command, cwd=measured, check=True, capture_output=True)
    done = qd_cov(measured, "report", "-m", "sim.py")
    assert row(done) == ROW
    assert done.stderr.endswith(NOTE)


def test_arcs_of_another_runtime_are_added(measured: Path) -> None:
    write_data(measured / ".coverage.more", measured / "sim.py", [(-6, 8), (8, 9), (9, 10), (10, 12)])
    qd_cov(measured, "combine")
    done = qd_cov(measured, "report", "-m")
    assert row(done) == ["sim.py", "17", "3", "10", "3", "78%", "13,", "15,", "17"]
    assert done.stderr == ""


@pytest.mark.parametrize("command", [["report"], ["html"], ["xml"], ["json"], ["lcov"], ["annotate"], ["badge"], ["trend", "--append"]], ids=" ".join)
def test_every_report_names_unknown_branches(measured: Path, command: list[str]) -> None:
    subprocess.run(["git", "init", "-q"], cwd=measured, check=True)
    qd_cov(measured, "combine", "--keep")
    for _ in range(2):  # the second report has nothing new
        done = qd_cov(measured, *command, "--data-file=.coverage")
        assert NOTE in done.stderr, done.stderr
        assert "not combined yet" not in done.stderr


def test_numbers_of_formats(measured: Path) -> None:
    qd_cov(measured, "combine")
    for command in ("xml", "json", "lcov", "html"):
        assert qd_cov(measured, command, "-q").returncode == 0
    of_json = json.loads((measured / "coverage.json").read_text())["files"]["sim.py"]
    assert of_json["executed_branches"] == [[9, 10], [9, 16], [10, 11], [12, 14], [14, 9], [16, 18]]
    assert of_json["missing_branches"] == [[12, 13], [14, 15], [16, 17]]
    assert of_json["functions"]["limit"]["summary"]["num_branches"] == of_json["summary"]["num_branches"] == 9
    of_xml = (measured / "coverage.xml").read_text()
    assert re.findall(r'number="(\d+)" hits="1" branch="true" condition-coverage="([^"]*)"', of_xml) == [
        ("9", "100% (2/2)"),
        ("10", "100% (1/1)"),
        ("12", "50% (1/2)"),
        ("14", "50% (1/2)"),
        ("16", "50% (1/2)"),
    ]
    of_lcov = (measured / "coverage.lcov").read_text()
    assert "BRF:9\nBRH:6\n" in of_lcov
    assert len(re.findall("^BRDA:", of_lcov, re.MULTILINE)) == 9
    assert "1 unknown branch of kernels" in (measured / "htmlcov/index.html").read_text()


def test_thresholds_hold_without_unknown_branches(measured: Path) -> None:
    qd_cov(measured, "combine")
    for least, code in ((74, 0), (75, 2), (77, 2)):  # 77% of the known ones, 74% of all
        done = qd_cov(measured, "report", f"--fail-under={least}")
        assert done.returncode == code
    assert done.stdout.endswith("Coverage failure: total of 74 is less than fail-under=77 if no unknown branch was taken (1)\n")
    done = qd_cov(measured, "report", "--fail-under=78")
    assert done.stdout.endswith("Coverage failure: total of 77 is less than fail-under=78\n")
    assert qd_cov(measured, "json", "--fail-under=75").returncode == 2
    for _ in range(2):
        assert qd_cov(measured, "html", "--fail-under=75").returncode == 2


GATES = {
    "--fail-under=100": "Coverage is not known: 100% or less, 0.0% < 100% if no unknown branch was taken.",
    "--fail-under=*.py=100": "Coverage of '*.py' is not known: 100% or less, 0.0% < 100% if no unknown branch was taken.",
    "--fail-under-branches=100": "Branch coverage is not known: 100% or less, 50.0% < 100% if no unknown branch was taken.",
    "--fail-under-total=75": "Total coverage is not known: 76.9% or less, 74.0% < 75% if no unknown branch was taken.",
    "--max-missing=0": "Missing lines are not known: 0 or more, 1 if no unknown branch was taken.",
}


@pytest.mark.parametrize("gate", GATES)
def test_gates_of_a_change(tmp_path: Path, gate: str) -> None:
    repo = Repository(tmp_path)
    repo.write("sim.py", SIM.replace("x[i] > top", "x[i] >= top"))
    repo.commit()
    repo.branch("work")
    repo.write("sim.py", SIM)  # line 10
    repo.measure_arcs({"sim.py": [*HOST, *alone(RAN)]})
    report = repo.diff("--branch-coverage", gate)
    assert report.code == 2
    assert GATES[gate] in report.err
    assert "1 branch of kernels in 'sim.py' is unknown" in report.out + report.err
    assert report.total() == (1, 0)
    lower = re.sub(r"\d+$", "1" if "missing" in gate else "0", gate)
    assert repo.diff("--branch-coverage", lower).code == 0


def test_a_small_module_of_coverage_py_is_not_taken_for_it(tmp_path: Path) -> None:
    """A function on line 1 has the module's number, and its lines may have both arcs."""
    (tmp_path / "a.py").write_text("def f(a):\n    if a: return 2\n    return 3\nf(1)\n")
    (tmp_path / "b.py").write_text("def f(a):\n    for b in a:\n        print(b)\n")
    (tmp_path / "main.py").write_text("import a\nimport b\nb.f([])\n")
    coverage_py(["run", "--branch", "main.py"], tmp_path, check=True)
    theirs = coverage_py(["report", "-m"], tmp_path, check=True)
    ours = qd_cov(tmp_path, "report", "-m")
    assert ours.stdout == theirs.stdout
    assert ours.stderr == ""


# --- combine --keep ---------------------------------------------------------------------------------------------------

NOT_COMBINED = "CoverageWarning: Kernel data in _qd_kcov.* is not combined yet: use 'qd-cov combine --append'.\n"


@pytest.mark.parametrize("command", ["report", "html", "xml", "json", "lcov", "annotate", "badge"])
def test_kept_inputs_are_combined(measured: Path, command: str) -> None:
    assert NOT_COMBINED in qd_cov(measured, command).stderr
    qd_cov(measured, "combine", "--append", "--keep")
    assert qd_cov(measured, command).stderr.count("not combined yet") == 0
    coverage_py(["run", "--append", "--branch", "sim.py"], measured, check=True)
    (new,) = {*measured.glob("_qd_kcov.*")} - {measured / "_qd_kcov.17"}
    assert NOT_COMBINED in qd_cov(measured, command).stderr
    gate = [command, "--fail-under=1"] if command != "annotate" else [command, "--require-hashes"]
    missed = qd_cov(measured, *gate)
    assert (missed.returncode, f"Coverage failure: data in '{new.name}' is not combined.\n" in missed.stdout) == (2, command != "annotate")
    new.unlink()
    assert "not combined yet" not in qd_cov(measured, command).stderr
    assert command == "annotate" or qd_cov(measured, *gate).returncode == 0
    with sqlite3.connect(measured / "_qd_kcov.17") as database:
        database.execute("INSERT INTO arc VALUES (1, 1, -1, 13)")
    assert NOT_COMBINED in qd_cov(measured, command).stderr


def test_kept_inputs_are_those_of_the_data_file(measured: Path) -> None:
    """A new data file, and one of coverage.py, do not have the data."""
    qd_cov(measured, "combine", "--keep")
    qd_cov(measured, "combine", "--keep", ".coverage.host")
    assert NOT_COMBINED in qd_cov(measured, "report").stderr
    qd_cov(measured, "combine", "--keep")
    qd_cov(measured, "combine", "--append", "--data-file=other", ".coverage")  # it is in there, too
    assert "not combined yet" not in qd_cov(measured, "report", "--data-file=other").stderr
    write_data(measured / ".coverage", measured / "sim.py", HOST)
    assert NOT_COMBINED in qd_cov(measured, "report").stderr


BAD = {
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:5000]),
    "no database": lambda path: path.write_text("text\n"),
    "of another version": lambda path: execute(path, "UPDATE coverage_schema SET version = 9"),
    "with other tables": lambda path: execute(path, "DROP TABLE arc"),
}


def execute(path: Path, sql: str) -> None:
    with sqlite3.connect(path) as database:
        database.execute(sql)


@pytest.mark.parametrize("damage", BAD)
def test_unusable_kernel_data_stays(measured: Path, damage: str) -> None:
    BAD[damage](measured / "_qd_kcov.17")
    done = qd_cov(measured, "combine")
    assert "Combined 1 file, 1 file errored" in done.stderr + done.stdout
    assert "_qd_kcov.17'" in done.stderr
    assert (measured / "_qd_kcov.17").exists()
    assert NOT_COMBINED in qd_cov(measured, "report").stderr


# --- run --------------------------------------------------------------------------------------------------------------


def files(project: Path) -> set[str]:
    return {path.name for folder in (project, project.parent) for path in folder.iterdir() if "cov" in path.name}


@pytest.mark.parametrize("mode", [["--branch"], []], ids=["branches", "lines"])
@pytest.mark.parametrize(
    "program",
    [
        SIM,
        SIM + "import os\nos.chdir('/proc')\n",
        "import os\nos.chdir('/proc')\n" + SIM,  # no file can be made there
        "import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'], check=True)\n",
        "import os\nif pid := os.fork():\n    os.waitpid(pid, 0)\nelse:\n    import child\n",
    ],
    ids=["program", "in another folder later", "in another folder", "in a child", "in a fork"],
)
def test_run_takes_the_data(project: Path, program: str, mode: list[str]) -> None:
    (project / "child.py").write_text(SIM)
    (project / "prog.py").write_text(program.replace("__file__", repr(str(project / "child.py"))))
    write_data(project / "_qd_kcov.1", project / "sim.py", alone([13]))  # of an earlier run
    before = (project / "_qd_kcov.1").read_bytes()
    done = qd_cov(project, "run", *mode, "--", sys.executable, "prog.py")
    assert done.returncode == 0, done.stderr
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert data.has_arcs() == bool(mode)
    assert set(RAN) <= set(data.lines(str(project / "child.py")) or [])
    assert 13 not in (data.lines(str(project / "child.py")) or [])
    assert files(project) == {".coverage", ".coveragerc", "_qd_kcov.1"}
    assert (project / "_qd_kcov.1").read_bytes() == before
    assert "not combined yet" not in done.stderr
    if mode:
        assert set(alone(RAN)) <= set(data.arcs(str(project / "child.py")) or [])


def test_run_tells_of_unknown_branches(project: Path) -> None:
    done = qd_cov(project, "run", "--branch", "--", sys.executable, "sim.py")
    assert done.stderr.startswith(NOTE)
    assert re.search(r"^sim.py +17 +3 +9 +3 +77%$", done.stderr, re.MULTILINE)


def test_run_of_kernels_alone(project: Path) -> None:
    assert qd_cov(project, "run", "-q", "--branch", "--no-host", "--", sys.executable, "sim.py").returncode == 0
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert sorted(data.arcs(str(project / "sim.py")) or []) == sorted(alone(RAN))
    assert data.measured_files() == {str(project / "sim.py")}
    assert "_qd_kcov" not in " ".join(files(project))


@pytest.mark.parametrize("mode", [["--branch"], []], ids=["branches", "lines"])
def test_run_in_a_python_without_coverage(project: Path, tmp_path: Path, mode: list[str]) -> None:
    """Quadrants needs coverage.py to write its data; --no-host does not."""
    venv.create(tmp_path / "bare", with_pip=False)
    done = qd_cov(project, "run", "-q", *mode, "--no-host", "--", str(tmp_path / "bare/bin/python"), "sim.py")
    assert (done.returncode, done.stderr) == (0, "")
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert data.has_arcs() == bool(mode)
    assert sorted(data.lines(str(project / "sim.py")) or []) == RAN
    assert not mode or sorted(data.arcs(str(project / "sim.py")) or []) == sorted(alone(RAN))


def test_run_of_a_program_that_chooses_lines(project: Path) -> None:
    """Quadrants' pytest plugin does so. The host has branches, so the kernels get them, too."""
    (project / "sim.py").write_text("import os\nos.environ['_QD_KCOV_ARC'] = '0'\n" + SIM)
    done = qd_cov(project, "run", "-q", "--branch", "--", sys.executable, "sim.py")
    assert (done.returncode, done.stderr) == (0, "")
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert set(alone(RAN)) <= set(data.arcs(str(project / "sim.py")) or [])


def test_run_keeps_unreadable_data(project: Path, tmp_path: Path) -> None:
    (project / "quadrants/lang/_kernel_coverage.py").write_text(
        STAND_IN + "atexit._run_exitfuncs\natexit.unregister(flush)\natexit.register(lambda: os.truncate(written, 5000))\n"
        "def flush_it():\n    global written\n    flush()\n    written = os.path.join(_coverage_dir, f'_qd_kcov.{os.getpid()}')\n"
        "atexit.register(flush_it)\n"
    )
    done = qd_cov(project, "run", "-q", "--branch", "--", sys.executable, "sim.py")
    assert re.search("_qd_kcov.[0-9]+'", done.stderr)
    kept = re.search("The unreadable data is in '(.*)'", done.stderr)
    assert kept
    assert list(Path(kept[1]).glob("kernels/_qd_kcov.*"))
    done = qd_cov(project, "report", "--fail-under=1")
    assert (done.returncode, "Coverage failure: data file '_qd_kcov." in done.stdout) == (2, True)


def test_run_tells_of_data_that_it_cannot_take(project: Path) -> None:
    """A command that measures itself starts without our code, so Quadrants writes into the program's folder."""
    write_data(project / "_qd_kcov.1", project / "sim.py", alone([13]))
    done = qd_cov(project, "run", "-q", "--", sys.executable, "-m", "coverage", "run", "sim.py")
    (new,) = {*project.glob("_qd_kcov.*")} - {project / "_qd_kcov.1"}
    assert f"The kernel data in '{new.name}' is not combined yet: use 'qd-cov combine --append'." in done.stderr


def test_daemon_that_outlives_the_run(project: Path) -> None:
    """Its data is where Quadrants writes it, not in the folder that is gone."""
    (project / "prog.py").write_text(
        "import os, sys, time\nif os.fork():\n    os._exit(0)\nos.close(0)\nos.dup2(os.open('log', os.O_CREAT | os.O_WRONLY), 1)\nos.dup2(1, 2)\n"
        + SIM.replace("__file__", repr(str(project / "sim.py")))
        + "time.sleep(4)\n"
    )
    assert qd_cov(project, "run", "-q", "--branch", "--", sys.executable, "prog.py").returncode == 0
    for _ in range(100):
        if list(project.glob("_qd_kcov.*")):
            break
        subprocess.run(["sleep", "0.1"], check=True)
    assert list(project.glob("_qd_kcov.*"))
    assert (project / "log").read_text() == ""


# --- Quadrants itself -------------------------------------------------------------------------------------------------

PEERS_PYTHON = Path(__file__).resolve().parents[2] / ".venv-peers/bin/python"
REAL = """\
import quadrants as qd

qd.init(arch=qd.cpu, log_level="error", offline_cache=False)
x = qd.field(qd.f32, shape=8)

@qd.kernel
def limit(top: qd.f32) -> qd.i32:
    n = 0
    for i in range(8):
        if x[i] > top:
            n += 1
        if x[i] < 0:
            x[i] = 0
        elif x[i] > 9:
            x[i] = 9
    if n > 100:
        n = 100
    return n

for i in range(8):
    x[i] = i
limit(3.0)
"""


@pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="runs quadrants: QD_PEERS=1, after ci/setup --peers")
@pytest.mark.parametrize("mode", [["--branch"], []], ids=["branches", "lines"])
def test_quadrants_itself(project: Path, mode: list[str]) -> None:
    """The files of the stand-in are those of Quadrants, in the same places; its own environment need not have coverage.py."""
    for file in project.glob("quadrants/lang/*"):
        file.unlink()
    (project / "sim.py").write_text(REAL)
    (project / "quadrants/lang").rmdir()
    (project / "quadrants").rmdir()
    done = qd_cov(project, "run", "-q", *mode, "--no-host", "--", str(PEERS_PYTHON), "sim.py", timeout=300)
    assert done.returncode == 0, done.stderr
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert data.measured_files() == {str(project / "sim.py")}
    assert data.has_arcs() == bool(mode)
    assert sorted(data.lines(str(project / "sim.py")) or []) == RAN
    assert not mode or sorted(data.arcs(str(project / "sim.py")) or []) == sorted(alone(RAN))
    assert files(project) == {".coverage", ".coveragerc"}
