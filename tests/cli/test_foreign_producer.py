"""Data of kernels from another program, as report/data/TABLES.md specifies it: a file that plain Python writes gets every report."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from diff_repository import Repository
from html_page_data import index_of, sources_of
from run_program import qd_cov

SOURCE = """\
import numba


@numba.njit(parallel=True)
def clipped(x, top):
    n = 0
    for i in numba.prange(len(x)):
        if x[i] > top:
            n += 1
    return n


def never_asked():
    return 1
"""
SETTINGS = '[tool.qd-cov]\nkernel_decorators = ["numba.njit"]\nfunc_decorators = []\n'
ARCS = [(-4, 6), (6, 7), (7, 8), (8, 7), (7, 10), (10, -4)]  # 8->9 was not taken
POSSIBLE = [*ARCS, (8, 9), (9, 7)]


# The program of another producer.
def write_data(path: Path, source: Path, tables: Sequence[str] = ("function", "probe"), device: str = "numba:cpu") -> None:
    db = sqlite3.connect(path)
    db.executescript(
        """
        CREATE TABLE coverage_schema (version integer);
        CREATE TABLE meta (key text, value text, unique (key));
        CREATE TABLE file (id integer primary key, path text, unique (path));
        CREATE TABLE context (id integer primary key, context text, unique (context));
        CREATE TABLE line_bits (file_id integer, context_id integer, numbits blob, unique (file_id, context_id));
        CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer, unique (file_id, context_id, fromno, tono));
        CREATE TABLE tracer (file_id integer primary key, tracer text);
        INSERT INTO coverage_schema VALUES (7);
        INSERT INTO meta VALUES ('has_arcs', '1');
        INSERT INTO context VALUES (1, ''), (2, 'test_a|run|DEVICE');
        INSERT INTO file VALUES (1, 'SOURCE');""".replace("SOURCE", str(source)).replace("DEVICE", device)
    )
    db.executemany("INSERT INTO arc VALUES (1, 1, ?, ?)", [(-1, 1), (1, 4), (4, 5), (5, 13), (13, -1)])  # the host: imports, definitions
    db.executemany("INSERT INTO arc VALUES (1, 2, ?, ?)", ARCS)
    if "function" in tables:
        db.execute("CREATE TABLE qd_function (id integer primary key, file_id, first_line, name, is_kernel, arch)")
        db.execute("INSERT INTO qd_function VALUES (1, 1, 4, 'clipped', 1, ?)", (device,))
    if "probe" in tables:
        db.execute("CREATE TABLE qd_probe (function_id, fromno, tono, measured)")
        db.executemany("INSERT INTO qd_probe VALUES (1, ?, ?, 1)", POSSIBLE)
    db.commit()
    db.close()


@pytest.fixture
def project(tmp_path: Path) -> Repository:
    repo = Repository(tmp_path)
    repo.commit()
    repo.branch("change")
    repo.write("sim.py", SOURCE)
    repo.write("pyproject.toml", SETTINGS)
    repo.commit()
    write_data(tmp_path / ".coverage", tmp_path / "sim.py")
    return repo


def test_reports(project: Repository, tmp_path: Path) -> None:
    table = qd_cov(tmp_path, "report", "-m", "--by-arch").stdout
    assert "sim.py" in table and "numba:cpu" in table, table
    assert table.splitlines()[2].split()[:6] == ["sim.py", "10", "2", "4", "1", "79%"], table
    assert qd_cov(tmp_path, "json", "-q", "--by-arch").returncode == 0
    archs = json.loads((tmp_path / "coverage.json").read_text())["files"]["sim.py"]["qd_cov"]["archs"]
    assert set(archs) == {"host", "numba:cpu"}
    assert archs["numba:cpu"]["executed_lines"] == [6, 7, 8, 10] and archs["numba:cpu"]["missing_lines"] == [9]
    assert 14 in archs["host"]["missing_lines"] and 6 not in archs["host"]["executed_lines"]
    for command in (["xml", "-q"], ["lcov", "-q"], ["annotate"], ["html", "-q", "--show-contexts"], ["report", "--format=markdown"], ["badge"]):
        done = qd_cov(tmp_path, *command)
        assert done.returncode == 0, done.stderr
    only = qd_cov(tmp_path, "report", "--arch=numba:cpu").stdout
    assert only.splitlines()[2].split()[1:3] == ["10", "6"], only


UNCALLED = """

@numba.njit
def uncalled(x):
    return x
"""
NEVER = "the function was never called"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("report --kernel-states", "uncalled not compiled 19"),
        ("diff --compare-branch=main", f"sim.py:19: not compiled, {NEVER}"),
        ("diff --compare-branch=main --format=markdown:-", f"sim.py:19: not compiled, {NEVER}"),
        ("diff --compare-branch=main --format=html:-", f"sim.py:19: not compiled, {NEVER}"),
        ("diff --compare-branch=main --format=json:-", f"not compiled, {NEVER}"),
        ("check unlaunched-kernels", "Function 'uncalled' is called by no test."),
    ],
)
def test_a_function_that_was_never_called_is_not_launched(project: Repository, tmp_path: Path, command: str, says: str) -> None:
    project.write("sim.py", SOURCE + UNCALLED)
    project.commit()
    done = qd_cov(tmp_path, *command.split())
    assert says in " ".join(done.stdout.split()), done.stdout + done.stderr
    assert "launched" not in done.stdout.replace("unlaunched-kernels", "")


def test_html_of_a_function_that_was_never_called(project: Repository, tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(SOURCE + UNCALLED)
    assert qd_cov(tmp_path, "html", "-q").returncode == 0
    source = sources_of((tmp_path / "htmlcov" / "index.html").read_text())["sim.py"]
    assert source["why"]["19"] == NEVER and source["functions"] == [[5, 2, 0], [18, 2, 3]]


def test_view_of_kernels(project: Repository, tmp_path: Path) -> None:
    probes = qd_cov(tmp_path, "debug", "probes").stdout
    assert "clipped" in probes and "numba:cpu" in probes, probes
    assert qd_cov(tmp_path, "html", "-q", "--show-contexts").returncode == 0
    page = (tmp_path / "htmlcov" / "index.html").read_text()
    assert index_of(page)["archs"] == ["host", "numba:cpu"]


def test_diff_by_device(project: Repository, tmp_path: Path) -> None:
    def diff(*gates: str) -> tuple[int, str]:
        done = qd_cov(tmp_path, "diff", "--compare-branch=main", *gates)
        return done.returncode, done.stdout + done.stderr

    assert diff("--fail-under=numba:cpu=80")[0] == 0
    code, text = diff("--fail-under=numba:cpu=81")
    assert code == 2 and "numba:cpu" in text, text
    assert diff("--fail-under=numba:cpu:sim.py=80")[0] == 0
    assert diff("--fail-under=numba:cuda=1")[0] == 2, "nothing was measured there"
    assert diff("--require-archs=numba:cpu")[0] == 0 and diff("--require-archs=numba:cuda")[0] == 2


@pytest.mark.parametrize("tables", [(), ("function",), ("probe",)], ids=["no", "function", "probe"])
def test_each_table_is_optional(project: Repository, tmp_path: Path, tables: Sequence[str]) -> None:
    (tmp_path / ".coverage").unlink()
    write_data(tmp_path / ".coverage", tmp_path / "sim.py", tables)
    done = qd_cov(tmp_path, "report", "-m", "--by-arch")
    assert done.returncode == 0 and "numba:cpu" in done.stdout, done.stderr
    combined = qd_cov(tmp_path, "combine", "--keep", "--data-file=both", ".coverage")
    assert combined.returncode == 0, combined.stderr
    assert qd_cov(tmp_path, "report", "-m", "--by-arch", "--data-file=both").stdout == done.stdout


def test_producers_are_a_setting(project: Repository, tmp_path: Path) -> None:
    (tmp_path / ".coverage").unlink()
    write_data(tmp_path / ".coverage", tmp_path / "sim.py", device="jit:gpu")
    assert "jit:gpu" not in qd_cov(tmp_path, "report", "--by-arch", "--arch=host").stdout
    assert qd_cov(tmp_path, "report", "--arch=jit:gpu").returncode == 1, "a context of the host"
    project.write("pyproject.toml", SETTINGS + 'producers = ["jit"]\n')
    only = qd_cov(tmp_path, "report", "--arch=jit:gpu")
    assert only.returncode == 0 and only.stdout.splitlines()[2].split()[1:3] == ["10", "6"], only


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ('kernel_decorators = ["njit"]', "kernel_decorators value 'njit': it is no decorator with its package"),
        ('func_decorators = ["numba."]', "func_decorators value 'numba.'"),
        ('producers = ["My JIT"]', "producers value 'My JIT': it is no name of lower-case letters"),
        ('producers = ["host"]', "producers value 'host'"),
        ("kernel_decorator = []", "kernel_decorators"),
    ],
)
def test_wrong_settings(project: Repository, tmp_path: Path, setting: str, says: str) -> None:
    project.write("pyproject.toml", f"[tool.qd-cov]\n{setting}\n")
    done = qd_cov(tmp_path, "report")
    assert done.returncode == 1 and says in done.stdout + done.stderr and "pyproject.toml" in done.stdout, done.stdout


def test_newer_tables_are_refused(project: Repository, tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / ".coverage")
    db.execute("INSERT INTO meta VALUES ('qd_version', '2')")
    db.commit()
    db.close()
    done = qd_cov(tmp_path, "report")
    assert done.returncode == 1 and "have version 2, and this qd-cov reads version 1" in done.stdout, done.stdout


def test_decorators_of_kernels(project: Repository, tmp_path: Path) -> None:
    """Only a decorated function that nobody launched is an unlaunched kernel."""
    project.write(
        "other.py", "from numba import njit as jit\nimport qd\n\n\n@jit(['f8(f8)'])\ndef a(x):\n    return x\n\n\n@qd.kernel\ndef b():\n    pass\n"
    )
    project.git("add", "-A")
    (tmp_path / ".coverage").unlink()
    write_data(tmp_path / ".coverage", tmp_path / "sim.py")
    with sqlite3.connect(tmp_path / ".coverage") as db:
        db.execute("INSERT INTO file VALUES (2, ?)", (str(tmp_path / "other.py"),))
        db.execute("INSERT INTO arc VALUES (2, 1, -1, 1)")
    found = qd_cov(tmp_path, "check", "unlaunched-kernels").stdout
    assert "other.py:6" in found and "other.py:10" not in found, found
