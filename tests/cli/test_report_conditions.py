"""`qd-cov report --conditions`: numbers, missing conditions, gates, and conditions in data files."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from condition_project import CLIP, KERNELS, Measured, measure
from coverage_commands import coverage_py
from run_program import qd_cov

TABLE = """\
Name    Stmts   Miss Branch BrPart   Cond CondMiss   MCDC MCDCMiss  Cover   Missing
-----------------------------------------------------------------------------------
k.py       15      2      4      0     16       10      8        7    89%   17, 21
-----------------------------------------------------------------------------------
TOTAL      15      2      4      0     16       10      8        7    89%

Conditions: 38%, 6 of 16 outcomes seen in 4 decisions.
MC/DC: 12%, 1 of 8 conditions shown to decide alone.
  k.py:8: x[i] < low never true
  k.py:8: low > 0.0 never evaluated
  k.py:9: x[i] > top * 1.0 never false
  k.py:11: 0.0 <= x[i] never false
  k.py:11: x[i] <= 9.0 never false
"""
NOT_RECORDED = (
    "No conditions were recorded: run the tests under 'qd-cov run --conditions', and combine with 'qd-cov combine' ('coverage combine' drops them).\n"
)
PLAIN = """\
import qd


@qd.kernel
def plain(x: qd.i32) -> qd.i32:
    return x


def host(a, b):
    return a and b
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two kernels, one of them never compiled, and a host function with a decision that does not count."""
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    return tmp_path


def report(folder: Path, *args: str) -> tuple[int, str]:
    """Exit code and standard output."""
    done = qd_cov(folder, "report", *args)
    return done.returncode, done.stdout


def test_table(project: Path) -> None:
    """Columns, missing conditions between missing lines, totals."""
    assert report(project, "--conditions", "-m") == (0, TABLE)


def test_nothing_changes_without_conditions(project: Path) -> None:
    """Every table is coverage.py's, and neither it nor `--fail-under-conditions` knows of our tables."""
    for options in (["-m"], ["--format=markdown"], ["--format=total"], ["--contexts=b"], ["--skip-covered"]):
        oracle = coverage_py(["report", *options], project)
        assert report(project, *options) == (oracle.returncode, oracle.stdout)
        assert report(project, *options, "--fail-under-conditions=10") == (oracle.returncode, oracle.stdout)


def test_totals_alone(project: Path) -> None:
    """One number for a badge."""
    assert report(project, "--format", "total-conditions") == (0, "38\n")
    assert report(project, "--format", "total-mcdc", "--precision", "1") == (0, "12.5\n")
    assert report(project, "--format", "total", "--conditions") == (0, "89\n")


def test_contexts(project: Path) -> None:
    """Reports of some contexts have only conditions that were evaluated in them."""
    assert "Conditions: 12%, 2 of 16 outcomes seen" in report(project, "--conditions", "--contexts", "^a")[1]
    assert "Conditions: 25%, 4 of 16 outcomes seen" in report(project, "--conditions", "--contexts", "^b")[1]
    assert "Conditions: 0%, 0 of 16 outcomes seen" in report(project, "--conditions", "--contexts", "nothing")[1]


def test_sorting_and_skipping(project: Path) -> None:
    """Columns of ours sort where they are shown; a file that lacks conditions is not covered."""
    (project / "full.py").write_text("x = 1\n")
    with sqlite3.connect(project / ".coverage") as database:
        database.execute("INSERT INTO file (path) VALUES (?)", (str(project / "full.py"),))
        for name, arc in (("full", (-1, 1)), ("k", (-15, 17)), ("k", (-20, 21))):
            database.execute("INSERT INTO arc SELECT id, 1, ?, ? FROM file WHERE path LIKE ?", (*arc, f"%{name}.py"))
    database.close()
    names = [line.split()[0] for line in report(project, "--conditions", "--sort", "-condmiss")[1].splitlines() if ".py" in line]
    assert names == ["k.py", "full.py"]
    assert report(project, "--sort", "condmiss") == (1, "Invalid sorting option: 'condmiss'\n")
    assert "k.py" not in report(project, "--skip-covered")[1]
    out = report(project, "--conditions", "--skip-covered")[1]
    assert "k.py" in out and "1 file skipped due to complete coverage." in out


@pytest.mark.parametrize("where", ["option", "pyproject", "coveragerc"])
def test_gates_are_exact(project: Path, where: str) -> None:
    """6 of 16 outcomes are 37.5 %, 1 of 8 conditions 12.5 %."""

    def gated(conditions: str, mcdc: str) -> tuple[int, str]:
        if where == "option":
            return report(project, f"--fail-under-conditions={conditions}", f"--fail-under-mcdc={mcdc}")
        name, section = ("pyproject.toml", "tool.qd-cov") if where == "pyproject" else (".coveragerc", "qd-cov")
        (project / name).write_text(f"[{section}]\nfail_under_conditions = {conditions}\nfail_under_mcdc = {mcdc}\n")
        return report(project)

    assert gated("37.5", "12.5")[0] == 0
    code, out = gated("37.500001", "12.5")
    assert code == 2
    assert out.endswith("Failure. Condition coverage is 37.5% < 37.500001%: cover 1 of the 10 missing outcomes to pass.\n")
    code, out = gated("0", "37.6")
    assert code == 2
    assert out.endswith("Failure. MC/DC is 12.5% < 37.6%: cover 3 of the 7 missing conditions to pass.\n")
    assert "CondMiss" not in out


@pytest.mark.parametrize("command", ["html", "xml", "json", "lcov", "badge"])
def test_gates_of_the_configuration_hold_for_every_report(project: Path, command: str) -> None:
    for least, code in ((37.5, 0), (37.6, 2)):
        (project / "pyproject.toml").write_text(f"[tool.qd-cov]\nfail_under_conditions = {least}\n")
        done = qd_cov(project, command, "-q")
        assert done.returncode == code, done.stderr
        assert ("Condition coverage is 37.5%" in done.stdout) == (code == 2)


def test_bad_thresholds(project: Path) -> None:
    """One line, exit code 1."""
    done = qd_cov(project, "report", "--fail-under-conditions=120")
    assert (done.returncode, done.stderr) == (
        1,
        "option --fail-under-conditions: '120' is no percentage from 0 to 100\nUse 'qd-cov help' for help.\n",
    )
    (project / "pyproject.toml").write_text("[tool.qd-cov]\nfail_under_mcdc = -1\n")
    assert report(project) == (1, "Invalid [tool.qd-cov] fail_under_mcdc value '-1': no percentage from 0 to 100 (pyproject.toml)\n")


def test_gates_are_closed_without_data(project: Path) -> None:
    """Kernels without a record of their conditions do not pass; a project without decisions in kernels does."""
    (project / ".coverage").unlink()
    measure(project, measured=[])
    code, out = report(project, "--fail-under-conditions=0")
    assert (code, out.splitlines(keepends=True)[-1]) == (2, f"Failure. {NOT_RECORDED}")
    done = qd_cov(project, "report", "--conditions")
    assert (done.returncode, done.stderr) == (0, f"CoverageWarning: {NOT_RECORDED}")
    (project / "k.py").write_text(PLAIN)
    code, out = report(project, "--conditions", "--fail-under-conditions=100", "--fail-under-mcdc=100")
    assert code == 0
    assert "Conditions: 100%, 0 of 0 outcomes seen in 0 decisions." in out


def test_configuration_turns_conditions_on(project: Path) -> None:
    """The setting turns conditions on as the option does."""
    (project / "pyproject.toml").write_text("[tool.qd-cov]\nconditions = true\n[tool.coverage.report]\nshow_missing = true\n")
    assert report(project) == (0, TABLE)


def test_excluded_lines(project: Path) -> None:
    """Conditions of excluded statements do not count, nor of those whose partial branch is forgiven."""
    text = KERNELS.replace('9.0, "</script> & <b>"', '9.0, "x"  # pragma: no cover').replace("low > 0.0:", "low > 0.0:  # pragma: no branch")
    (project / "k.py").write_text(text)
    assert "Conditions: 17%, 1 of 6 outcomes seen in 2 decisions." in report(project, "--conditions")[1]


def test_another_source(project: Path) -> None:
    """Conditions that have moved since are left out, with a warning."""
    (project / "k.py").write_text(KERNELS.replace("    n = 0\n", "    n = 0\n\n"))
    done = qd_cov(project, "report", "--conditions")
    assert "Conditions: 0%, 0 of 12 outcomes seen" in done.stdout
    assert done.stderr == (
        "CoverageWarning: Conditions of 'k.py' were recorded for another version of it, 3 of them are left out: "
        "after a change, run the tests again.\n"
        "CoverageWarning: 'k.py' is newer than the data: after a change, run the tests again.\n"
    )


def one_way(context: str, way: str) -> list[Measured]:
    """The first decision, evaluated once."""
    decision, first_line, kind, conditions, _ = CLIP[0]
    return [(decision, first_line, kind, conditions, {context: [way]})]


def test_combining(project: Path) -> None:
    """Two processes, in two checkouts: their evaluations come together under one path."""
    (project / ".coverage").unlink()
    (project / ".coveragerc").write_text("[run]\nrelative_files = true\n[paths]\nhere =\n    .\n    /elsewhere\n")
    measure(project, "_qd_kcov.1", one_way("a|qd:cpu", "FTT:T"), "/elsewhere/k.py")
    measure(project, "_qd_kcov.2", [*one_way("b|qd:cpu", "FTF:F"), *CLIP[1:]], "k.py")
    done = qd_cov(project, "combine", "--keep")
    assert (done.returncode, done.stderr) == (0, "Combined 2 files\n")
    out = report(project, "--conditions", "-m")[1]
    assert "8: x[i] > top never true\n  k.py:8: x[i] < low never false" in out
    assert "low > 0.0 never" not in out
    assert "MC/DC: 12%, 1 of 8 conditions" in out
    debug = qd_cov(project, "debug", "data", ".coverage").stdout
    assert "\nk.py: 13 lines, 3 decisions\n" in debug
    coverage_py(["report"], project, check=True)
    # Appending to existing data goes on with it.
    for part in project.glob("_qd_kcov.*"):
        part.unlink()
    measure(project, "_qd_kcov.3", one_way("b|qd:cpu", "FF-:F"), "/elsewhere/k.py")
    assert qd_cov(project, "combine", "--append").returncode == 0
    assert "8: x[i] > top never true\n  k.py:9:" in report(project, "--conditions", "-m")[1]


def test_stock_combine_leaves_them_behind(project: Path) -> None:
    """Stock coverage.py leaves conditions behind when it combines; the gate names the remedy."""
    shutil.move(project / ".coverage", project / ".coverage.1")
    coverage_py(["combine"], project, check=True)
    assert report(project, "--fail-under-conditions=1")[1].endswith(f"Failure. {NOT_RECORDED}")


def test_text_of_a_source_does_not_steer_the_terminal(project: Path) -> None:
    """Control characters are shown as pictures."""
    (project / "k.py").write_text(KERNELS.replace("a > 0 and a < 10", 'a > 0 and a < len("\x1b[31m\x07")'))
    (project / ".coverage").unlink()
    measure(project, measured=[("a > 0", 15, "value", ["a > 0"], {})])
    with sqlite3.connect(project / ".coverage") as database:
        database.execute("INSERT INTO arc SELECT id, 1, 16, 17 FROM file")
    database.close()
    out = report(project, "--conditions", "-m")[1]
    assert "␛[31m␇" in out and "\x1b" not in out
