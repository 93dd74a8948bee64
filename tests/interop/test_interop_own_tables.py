"""The qd_ tables in data files: stock coverage.py reads, combines, appends to and reports such files, and leaves the tables as they are."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from interop_project import KernelFiles, line_of
from kernel_tables import schema, tables
from measured import report, rows


def own_rows(path: Path) -> dict[str, set[Any]]:
    """The rows of the qd_ tables, by path and context."""
    con = sqlite3.connect(path)
    in_file = "JOIN file f ON f.id = file_id"
    found = {
        "functions": con.execute(f"SELECT path, first_line, name, is_kernel, arch FROM qd_function {in_file}"),
        "probes": con.execute(f"SELECT path, name, fromno, tono, measured FROM qd_probe JOIN qd_function q ON q.id = function_id {in_file}"),
        "errors": con.execute(f"SELECT path, name, message FROM qd_compile_error JOIN qd_function q ON q.id = function_id {in_file}"),
        "variants": con.execute(f"SELECT path, name, arch, arguments, kernel FROM qd_variant JOIN qd_function q ON q.id = function_id {in_file}"),
        "variant arcs": con.execute(
            "SELECT path, name, arch, arguments, kernel, fromno, tono, taken FROM qd_variant_arc JOIN qd_variant v ON v.id = variant_id "
            f"JOIN qd_function q ON q.id = function_id {in_file}"
        ),
        "decisions": con.execute(f"SELECT path, first_line, kind, line, col, end_line, end_col FROM qd_decision {in_file}"),
        "conditions": con.execute(
            "SELECT path, d.line, d.col, number, c.line, c.col, c.end_line, c.end_col FROM qd_condition c "
            f"JOIN qd_decision d ON d.id = decision_id {in_file}"
        ),
        "evaluations": con.execute(
            "SELECT path, line, col, context, conditions, result FROM qd_evaluation JOIN qd_decision d ON d.id = decision_id "
            f"{in_file} JOIN context c ON c.id = context_id"
        ),
    }
    result = {name: set(rows.fetchall()) for name, rows in found.items()}
    con.close()
    return result


def add_own_tables(path: Path, kernels: Path, arch: str) -> None:
    """Adds all of the own tables, with rows for one function and one decision of the sample project."""
    con = sqlite3.connect(path)
    for table in tables():
        con.execute(f"DROP TABLE IF EXISTS {table}")
    con.executescript(schema())
    (file,) = con.execute("SELECT id FROM file WHERE path = ?", (str(kernels),)).fetchone()
    context = con.execute("SELECT id FROM context WHERE context LIKE '%qd:cpu'").fetchone()[0]
    step, line = line_of("@qd.kernel", first=True), line_of("if n > 1000:")
    con.execute("INSERT INTO qd_function VALUES (1, ?, ?, 'step', 1, ?)", (file, step, arch))
    con.execute("INSERT INTO qd_probe VALUES (1, ?, ?, 1)", (line, line + 1))
    con.execute("INSERT INTO qd_probe VALUES (1, ?, ?, 0)", (line, -step))
    con.execute("INSERT INTO qd_compile_error VALUES (1, 'not with these types')")
    con.execute("INSERT INTO qd_variant VALUES (1, 1, 'n=3', 7, 'k (other.py)')")
    con.executemany("INSERT INTO qd_variant_arc VALUES (1, ?, ?, ?)", [(line, line + 1, 1), (line, -step, 0)])
    con.execute("INSERT INTO qd_decision VALUES (1, ?, ?, 'if', ?, 7, ?, 15)", (file, step, line, line))
    con.execute("INSERT INTO qd_condition VALUES (1, 0, ?, 7, ?, 15)", (line, line))
    con.execute("INSERT INTO qd_evaluation VALUES (1, ?, 'F', 'F')", (context,))
    con.commit()
    con.close()


@pytest.fixture
def with_tables(kernel_files: KernelFiles) -> KernelFiles:
    """Each kernel file has all the tables, of another architecture each."""
    for i, name in enumerate(kernel_files.names):
        add_own_tables(kernel_files.folder / name, kernel_files.project.folder / "pk/kernels.py", f"arch{i}")
    return kernel_files


def union(files: KernelFiles) -> dict[str, set[Any]]:
    result: dict[str, set[Any]] = {}
    for name in files.names:
        for table, found in own_rows(files.folder / name).items():
            result.setdefault(table, set()).update(found)
    arcs = result["variant arcs"]  # taken in one of the files is taken
    result["variant arcs"] = {row for row in arcs if row[-1] or (*row[:-1], 1) not in arcs}
    return result


def test_the_tables_that_a_run_leaves(kernel_files: KernelFiles) -> None:
    """Every file of kernels has some: compiled kernels, and their probes. Combining a file that coverage.py has appended to keeps them."""
    wanted = union(kernel_files)
    names = {name for _, _, name, _, _ in wanted["functions"]}
    assert {"step", "evens", "limited"} <= names and "outside" not in names and wanted["probes"]
    data = kernel_files.combine("qd-cov")
    assert own_rows(data) == wanted
    other = kernel_files.copy("other")
    (other.folder / ".coverage").rename(other.folder / "_qd_kcov.more")
    kernel_files.project.run("coverage", "combine", "--append", "--keep", f"--data-file={data}", str(other.folder / "_qd_kcov.more"))
    assert own_rows(data) == wanted
    other.project.run("qd-cov", "combine", f"--data-file={other.folder}/.coverage", str(data))
    assert own_rows(other.folder / ".coverage") == wanted


def test_coverage_combines_files_that_have_them(with_tables: KernelFiles) -> None:
    """coverage.py's own rows are the same as without our tables, in its data file and in the reports of it."""
    plain = with_tables.copy("plain")
    for name in plain.names:
        con = sqlite3.connect(plain.folder / name)
        for table in tables():
            con.execute(f"DROP TABLE {table}")
        con.commit()
        con.close()
    data, expected = with_tables.combine("coverage"), plain.combine("coverage")
    assert rows(data) == rows(expected)
    project = with_tables.project
    assert report(project, "--show-contexts", f"--data-file={data}") == report(project, "--show-contexts", f"--data-file={expected}")


def test_qd_cov_combines_the_tables_and_coverage_reads_them(with_tables: KernelFiles) -> None:
    """coverage.py then appends host data to a data file that has them: they stay, and still mean the same files and contexts."""
    project = with_tables.project
    wanted = union(with_tables)
    assert len(wanted["functions"]) == len(with_tables.names) and all(wanted.values())
    by_coverage = report(project, "--show-contexts", f"--data-file={with_tables.copy('stock').combine('coverage')}")
    data = with_tables.combine("qd-cov")
    assert own_rows(data) == wanted
    assert report(project, "--show-contexts", f"--data-file={data}") == by_coverage

    before = rows(data)
    more = with_tables.folder / "more"
    branch = [] if with_tables.kind == "line" else ["--branch"]
    project.run("coverage", "run", *branch, f"--data-file={more}", "--context=more", "--source=pk,other", "-m", "other")
    project.run("coverage", "combine", "--append", f"--data-file={data}", str(more))
    assert own_rows(data) == wanted
    assert before["files"] < rows(data)["files"]
    project.run("coverage", "run", "--append", *branch, f"--data-file={data}", "--context=again", "--source=pk", "-m", "pk.host")
    assert own_rows(data) == wanted

    # And qd-cov reads all that again.
    again = with_tables.folder / "again"
    project.run("qd-cov", "combine", f"--data-file={again}", str(data))
    assert own_rows(again) == wanted


def test_coverage_erases_and_debugs_them(with_tables: KernelFiles) -> None:
    data = with_tables.combine("qd-cov")
    project = with_tables.project
    said = project.run("coverage", "debug", "data", COVERAGE_FILE=str(data))
    assert "kernels.py" in said and "Couldn't" not in said
    project.run("coverage", "erase", f"--data-file={data}")
    assert not data.exists()
