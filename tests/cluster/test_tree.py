"""Data that each host combines on its own, and that is combined then: the same as of one combination, in every table."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from shared_program import PROGRAM

Row = tuple[object, ...]


def content(data_file: Path) -> dict[str, list[Row]]:
    """All tables, with the rows that ids stand for in the place of the ids."""
    con = sqlite3.connect(data_file)
    con.row_factory = sqlite3.Row
    tables = [str(name) for (name,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    whole = {table: {row["id"]: row for row in con.execute(f"SELECT * FROM {table}")} for table in tables if table_has_id(con, table)}

    def meaning(row: sqlite3.Row) -> Row:
        result: list[object] = []
        for column in row.keys():
            reference = re.fullmatch(r"(\w+)_id", column)
            name = reference[1] if reference else ""
            table = name if name in whole else f"qd_{name}"
            if column != "id":
                result.append(meaning(whole[table][row[column]]) if reference else row[column])
        return tuple(result)

    rows = {table: sorted((meaning(row) for row in con.execute(f"SELECT * FROM {table}")), key=repr) for table in tables}
    con.close()
    # The sum of a file's rows, by which later additions are noticed, goes over the ids of contexts.
    rows["qd_source"] = [row[:-1] for row in rows.get("qd_source", [])]
    return rows


def table_has_id(con: sqlite3.Connection, table: str) -> bool:
    return "id" in [column[1] for column in con.execute(f"PRAGMA table_info({table})")]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data files of six processes, with contexts, conditions and kernels, and a journal of one that was killed."""
    folder = tmp_path_factory.mktemp("measured")
    (folder / "program.py").write_text(PROGRAM)
    running = []
    for rank, words in enumerate((["negative"], ["positive"], ["negative", "positive"], ["positive"], ["negative"], [])):
        command = ["qd-cov", "run", "--branch", "--conditions", f"--context=rank{rank}", "-p", "-q", "--", sys.executable, "program.py", *words]
        running.append(subprocess.Popen(command, cwd=folder))
    assert [process.wait(120) for process in running] == [0] * 6
    assert len(list(folder.glob(".coverage.*"))) == 6
    killed = "import os, runpy, sys; sys.argv = ['program.py', 'negative']; runpy.run_path('program.py', run_name='__main__'); os._exit(0)"
    subprocess.run([sys.executable, "-c", killed], cwd=folder, env=os.environ | {"QD_KERNEL_COVERAGE": "1"}, check=True)
    assert len(list(folder.glob("_qd_kcov-journal.*"))) == 1
    return folder


def combine(folder: Path, *paths: str) -> None:
    subprocess.run(["qd-cov", "combine", "-q", *paths], cwd=folder, check=True)


def test_a_tree_over_hosts(measured: Path, tmp_path: Path) -> None:
    flat, tree = tmp_path / "flat", tmp_path / "tree"
    shutil.copytree(measured, flat)
    combine(flat)
    inputs = sorted(path for path in measured.iterdir() if "cov" in path.name)
    for i, path in enumerate(inputs):
        (tree / f"host{i % 3}").mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, tree / f"host{i % 3}")
    for host in sorted(tree.iterdir()):
        combine(host)
        (host / ".coverage").rename(tree / f".coverage.{host.name}")
    combine(tree)
    one, other = content(flat / ".coverage"), content(tree / ".coverage")
    assert {"qd_variant", "qd_function", "qd_source", "arc", "context"} <= one.keys()
    assert {str(row[0]) for row in one["context"]} >= {*(f"rank{n}" for n in range(6)), *(f"rank{n}|qd:cpu" for n in range(5)), "qd:cpu"}
    assert one == other
    # rank 2 has launched twice, rank 5 not at all; the killed process leaves no count
    assert sum(int(str(row[2])) for row in one["qd_variant"]) == 6


def test_again_with_more(measured: Path, tmp_path: Path) -> None:
    """Combining one after the other with --append gives the same as all at once."""
    flat, steps = tmp_path / "flat", tmp_path / "steps"
    shutil.copytree(measured, flat)
    combine(flat)
    shutil.copytree(measured, steps)
    for path in sorted(path.name for path in steps.iterdir() if "cov" in path.name):
        combine(steps, "--append", path)
    assert content(flat / ".coverage") == content(steps / ".coverage")


def test_two_processes_with_equal_launches(shared: Path) -> None:
    """Their data is no copy of each other: both count, in a tree too."""
    for host in ("one", "two"):
        (shared / host).mkdir()
        for _ in range(2):
            environment = os.environ | {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_DIR": str(shared / host)}
            subprocess.run([sys.executable, "program.py", "negative"], cwd=shared, env=environment, check=True)
        combine(shared / host)
        (shared / host / ".coverage").rename(shared / f".coverage.{host}")
    combine(shared)
    assert [row[2] for row in content(shared / ".coverage")["qd_variant"]] == [4]
