"""`--gradients`: the lines that ran and were never differentiated, in report, diff, json and html, and the gate on their share."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

import coverage
import pytest
from browser import Opened
from diff_repository import Repository
from html_page_data import index_of, numbers_of, sources_of
from html_pages import check_page
from kernel_tables import result_schema
from run_program import qd_cov

KERNELS = """\
import qd


@qd.kernel
def energy(x: qd.template(), e: qd.template(), k: qd.f32):
    for i in x:
        d = x[i] - 1.0
        if d > 0:
            e[None] += k * d * d
        elif d < -9.0:
            e[None] += 9.0 * d
        else:
            e[None] += qd.abs(
                d
            )
        n = 0  # pragma: no cover
"""
HOST_ARCS = [(-1, 1), (1, 4), (4, 5), (5, -1)]
ARCS = [(-4, 6), (6, 7), (7, 8), (8, 9), (9, 6), (8, 10), (10, 13), (13, 6), (6, -4)]
TABLE = """\
Name    Stmts   Miss Branch BrPart   Grad GradMiss  Cover   Missing
-------------------------------------------------------------------
k.py       10      1      6      1      3        1    88%   11; never differentiated: 13
-------------------------------------------------------------------
TOTAL      10      1      6      1      3        1    88%

Gradients: 67%, 2 of 3 lines differentiated, of those that ran and that a derivative passes through.
"""
NOT_RECORDED = (
    "No gradients were recorded: no kernel was compiled for arrays with gradients, QD_KERNEL_COVERAGE_GRADIENTS=0 was set, or the data is of an "
    "older qd-cov or was combined by 'coverage combine', which drops them."
)


def add_derivatives(data_file: Path, name: str, possible: Iterable[int], computed: Iterable[int]) -> None:
    """Adds the table of derivatives; those of `computed` in the context of a device."""
    with sqlite3.connect(data_file) as database:
        database.executescript(result_schema())
        (file_id,) = database.execute("SELECT id FROM file WHERE path = ?", (name,)).fetchone()
        (context,) = database.execute("SELECT id FROM context WHERE context = 'a|qd:cpu'").fetchone()
        for line in possible:
            columns = "file_id, kind, width, merge, first_line, line, col, end_line, end_col"
            values = (file_id, "derivative", 1, "or", 4, line, 0, line, 0)
            row = database.execute(f"INSERT INTO qd_result ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values).lastrowid
            if line in computed:
                database.execute("INSERT INTO qd_value VALUES (?, ?, 1)", (row, context))
    database.close()


def measure(folder: Path, computed: Iterable[int] = (7, 9), possible: Iterable[int] = (7, 9, 11, 13, 14, 16)) -> None:
    """Lines 13 and 14 are one statement, which ran; 11 did not run, 16 is excluded."""
    name = str((folder / "k.py").resolve())
    data = coverage.CoverageData(str(folder / ".coverage"))
    data.add_arcs({name: HOST_ARCS})
    data.set_context("a|qd:cpu")
    data.add_arcs({name: ARCS})
    data.write()
    data.close()
    if possible:
        add_derivatives(folder / ".coverage", name, possible, computed)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    return tmp_path


def test_table(project: Path) -> None:
    done = qd_cov(project, "report", "-m", "--gradients")
    assert (done.returncode, done.stdout, done.stderr) == (0, TABLE, "")
    without = qd_cov(project, "report", "-m").stdout
    assert "Grad" not in without and "differentiated" not in without
    assert qd_cov(project, "report", "--gradients", "--sort=-gradmiss").returncode == 0
    assert "Invalid sorting option: 'grad'" in qd_cov(project, "report", "--sort=grad").stdout


def test_a_statement_of_several_lines_is_differentiated_with_any_of_them(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path, computed=(14,))
    assert "never differentiated: 7, 9\n" in qd_cov(tmp_path, "report", "-m", "--gradients").stdout


@pytest.mark.parametrize(("least", "code"), [("66", 0), ("67", 2), ("100", 2)])
def test_gate(project: Path, least: str, code: int) -> None:
    message = f"Gradient coverage is 66.7% < {least}%: cover the 1 missing line to pass.\n"
    for command in ("report", "html", "json"):
        done = qd_cov(project, command, f"--fail-under-gradients={least}")
        assert done.returncode == code, done.stdout + done.stderr
        assert (message in done.stdout) == (code == 2), done.stdout
    (project / "qd-cov.toml").write_text(f"gradients = true\nfail_under_gradients = {least}\n")
    done = qd_cov(project, "report", "-m")
    assert done.returncode == code and done.stdout.startswith(TABLE)
    assert qd_cov(project, "xml").returncode == qd_cov(project, "lcov").returncode == code


def test_data_without_gradients_fails_the_gate(tmp_path: Path) -> None:
    """Nobody knows whether there was none, or none was recorded."""
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path, possible=())
    done = qd_cov(tmp_path, "report", "--fail-under-gradients=1")
    assert done.returncode == 2 and NOT_RECORDED in done.stdout
    done = qd_cov(tmp_path, "report", "--gradients")
    assert done.returncode == 0 and NOT_RECORDED in done.stderr


def test_gradients_of_another_version(tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path, possible=(7, 9, 15, 99), computed=(7, 9))
    warning = "Gradients of 'k.py' were recorded for another version of it, 1 of them are left out: after a change, run the tests again."
    for command in ("report", "json", "html"):
        assert warning in qd_cov(tmp_path, command, "--gradients").stderr
        assert warning not in qd_cov(tmp_path, command).stderr


def test_wrong_thresholds(project: Path) -> None:
    done = qd_cov(project, "report", "--fail-under-gradients=ten")
    assert done.returncode == 1 and "option --fail-under-gradients: 'ten' is no percentage" in done.stderr
    (project / "qd-cov.toml").write_text("fail_under_gradients = 101\n")
    done = qd_cov(project, "report")
    assert done.returncode == 1 and "Invalid [tool.qd-cov] fail_under_gradients value '101'" in done.stdout + done.stderr


def test_json(project: Path) -> None:
    assert qd_cov(project, "json", "-q", "--gradients").returncode == 0
    data = json.loads((project / "coverage.json").read_text())
    assert data["files"]["k.py"]["qd_cov"] == {"gradients": {"lines": 3, "differentiated": 2, "never_differentiated": [13]}}
    assert data["qd_cov"] == {"gradients": {"lines": 3, "differentiated": 2}}
    assert qd_cov(project, "json", "-q").returncode == 0
    assert "qd_cov" not in (project / "coverage.json").read_text()


def test_page(project: Path) -> None:
    assert qd_cov(project, "html", "-q", "--gradients").returncode == 0
    page = (project / "htmlcov" / "index.html").read_text()
    check_page(page)
    assert list(sources_of(page).values())[0]["gradients"] == {"done": [7, 9], "never": [13]}
    assert "differentiated; 1 of 3 lines ran and never were<" in page and "<b>∂</b>" in page
    assert qd_cov(project, "html", "-q").returncode == 0
    page = (project / "htmlcov" / "index.html").read_text()
    assert "gradients" not in list(sources_of(page).values())[0] and "<b>∂</b>" not in page
    assert not index_of(page)["gradients"] and len(numbers_of(index_of(page)["totals"])) == 6


@pytest.mark.parametrize("conditions", [False, True])
def test_column_of_the_page(project: Path, opened: Opened, conditions: bool) -> None:
    """Differentiated lines of the files and of the functions, also beside conditions; a kernel with others is not covered."""
    assert qd_cov(project, "html", "-q", "--gradients", *(["--conditions"] if conditions else [])).returncode == 0
    for view, expected in (("files", ["2/3"]), ("functions", ["–", "2/3"])):
        page = opened(project / "htmlcov" / "index.html", f"#{view}")
        page.wait(lambda page=page, expected=expected: len(page.all("tbody td.gradients")) == len(expected))
        assert sorted(cell.text for cell in page.all("tbody td.gradients")) == sorted(expected)
        assert [cell.text for cell in page.all("tfoot td.gradients")] == ["2/3"]
        assert "Gradients" in [cell.text for cell in page.all("thead th")] and page.problems() == []


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A change of the two last branches; one of them ran."""
    result = Repository(tmp_path / "repo")
    result.write(".gitignore", ".coverage\n")
    result.write("k.py", KERNELS.replace("9.0 * d", "8.0 * d").replace("d\n            )", "d + 0\n            )"))
    result.commit("base")
    result.branch("work")
    result.write("k.py", KERNELS)
    result.commit("change")
    measure(result.folder)
    return result


def test_diff(repo: Repository) -> None:
    """Of the changed lines alone; a line that did not run is missing, no more."""
    report = repo.diff("--gradients", "--fail-under-gradients=50")
    assert "Gradients: 0%, 0 of 1 line differentiated\nRan, never differentiated:\n  k.py: 13\n" in report.out
    assert (report.code, report.err) == (2, "Failure. Gradient coverage is 0% < 50%: cover the 1 missing line to pass.\n")
    assert " · Gradients: 0%, 1 of 1 line never differentiated" in repo.diff("--gradients", "--format=markdown").out
    own = json.loads(repo.diff("--gradients", "--format=json:-").out)["qd_cov"]
    assert own["gradients"]["total"] == 1 and own["files"]["k.py"]["never_differentiated"] == [13]
    assert "  13   ✓ k             e[None] += qd.abs(  ∂ never differentiated\n" in repo.diff("--gradients", "--format=annotated").out
    assert "\n!✓   13 k             e[None] += qd.abs(  ∂ never differentiated\n" in repo.diff("--gradients", "--format=markdown").out
    page = repo.diff("--gradients", "--format=html:-").out
    check_page(page)
    assert '<span class="never">∂ never differentiated</span>' in page and "lines differentiated" in page
    plain = "".join(repo.diff(f"--format={name}:-").out for name in ("terminal", "annotated", "markdown", "html", "json"))
    assert "radient" not in plain and "differentiated" not in plain


def test_diff_without_recorded_gradients(repo: Repository) -> None:
    """A change of kernels misses the gate, another one passes it."""
    (repo.folder / ".coverage").unlink()
    measure(repo.folder, possible=())
    report = repo.diff("--fail-under-gradients=0", "--gradients")
    assert report.code == 2 and report.err == f"Failure. {NOT_RECORDED}\n" and f"Note: {NOT_RECORDED}" in report.out
    repo.git("checkout", "-q", "main")
    repo.write("k.py", KERNELS.replace("9.0 * d", "8.0 * d").replace("d\n            )", "d + 0\n            )") + "\n\nz = 1\n")
    report = repo.diff("--fail-under-gradients=100", "--gradients")
    assert report.code == 0 and "Gradients: no derivative passes through the changed lines that ran\n" in report.out


def test_a_changed_kernel_without_data_misses_the_gate(repo: Repository) -> None:
    """As any other gate of a change does; the gate of conditions, too."""
    repo.measure({"other.py": [1]})
    for gate in ("--fail-under-gradients=0", "--fail-under-conditions=0"):
        assert repo.diff(gate).code == 2
        assert repo.diff(gate, "--on-no-data=pass").code == 0
