"""A project whose kernels were measured with conditions, made without running them: coverage.py writes the data, our own tables are added."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import coverage
from kernel_tables import schema

KERNELS = """import qd


@qd.kernel
def clip(x: qd.types.ndarray(dtype=qd.f32, ndim=1), low: qd.f32, top: qd.f32) -> qd.i32:
    n = 0
    for i in x:
        if x[i] > top or x[i] < low and low > 0.0:
            x[i] = top if x[i] > top * 1.0 else low
            n += 1
        assert 0.0 <= x[i] <= 9.0, "</script> & <b>"
    return n


@qd.kernel
def unused(a: qd.i32) -> qd.i32:
    return a if a > 0 and a < 10 else 0


def host(a, b):
    return a and b
"""
ARCS = [(-4, 6), (6, 7), (7, 8), (8, 9), (9, 10), (10, 11), (8, 11), (11, 7), (7, 12), (12, -4)]
HOST_ARCS = [(-1, 1), (1, 4), (4, 5), (5, 15), (15, 16), (16, 20), (20, -1)]

# Evaluations: decision, its function's first line, kind, conditions, and for each context the ways.
Measured = tuple[str, int, str, Sequence[str], dict[str, Sequence[str]]]
CLIP: list[Measured] = [
    ("x[i] > top or x[i] < low and low > 0.0", 4, "if", ["x[i] > top", "x[i] < low", "low > 0.0"], {"a|qd:cpu": ["T--:T"], "b|qd:cpu": ["FF-:F"]}),
    ("x[i] > top * 1.0", 4, "ternary", ["x[i] > top * 1.0"], {"a|qd:cpu": ["T:T"]}),
    ("0.0 <= x[i] <= 9.0", 4, "assert", ["0.0 <= x[i]", "x[i] <= 9.0"], {"b|qd:cpu": ["TT:T"]}),
]


def place(text: str, start: int, end: int) -> tuple[int, int, int, int]:
    """Offsets as lines from 1 and columns from 0 in bytes."""
    result: list[int] = []
    for at in (start, end):
        before = text[:at]
        result += [before.count("\n") + 1, len(before[before.rfind("\n") + 1 :].encode())]
    return result[0], result[1], result[2], result[3]


def add_conditions(data_file: Path, source: Path, name: str, measured: Sequence[Measured]) -> None:
    """Adds evaluations of decisions, each found by its text; `name` is the file's name in the data."""
    text = source.read_text()
    with sqlite3.connect(data_file) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'qd_decision'").fetchone():
            database.executescript(schema())
        (file_id,) = database.execute("SELECT id FROM file WHERE path = ?", (name,)).fetchone()
        for decision, first_line, kind, conditions, ways in measured:
            start = text.index(decision)
            insert = "INSERT INTO qd_decision (file_id, first_line, kind, line, col, end_line, end_col) VALUES (?, ?, ?, ?, ?, ?, ?)"
            row = database.execute(insert, (file_id, first_line, kind, *place(text, start, start + len(decision)))).lastrowid
            for number, condition in enumerate(conditions):
                at = text.index(condition, start)
                values = (row, number, *place(text, at, at + len(condition)))
                database.execute("INSERT INTO qd_condition VALUES (?, ?, ?, ?, ?, ?)", values)
            for context, evaluations in ways.items():
                database.execute("INSERT OR IGNORE INTO context (context) VALUES (?)", (context,))
                (context_id,) = database.execute("SELECT id FROM context WHERE context = ?", (context,)).fetchone()
                for way in evaluations:
                    database.execute("INSERT INTO qd_evaluation VALUES (?, ?, ?, ?)", (row, context_id, *way.split(":")))
    database.close()


def measure(folder: Path, data_file: str = ".coverage", measured: Sequence[Measured] = CLIP, name: str = "") -> Path:
    """Writes a data file for k.py of `folder`, named `name` in it."""
    path = folder / data_file
    data = coverage.CoverageData(str(path))
    name = name or str((folder / "k.py").resolve())
    data.add_arcs({name: HOST_ARCS})
    data.set_context("a|qd:cpu")
    data.add_arcs({name: ARCS})
    data.write()
    data.close()
    if measured:
        add_conditions(path, folder / "k.py", name, measured)
    return path
