"""A change with a kernel that was measured on several devices: the executed lines of each are known, because the tests write the data."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import coverage
from diff_repository import Repository
from kernel_tables import schema

SIM = """\
import qd


@qd.kernel
def step(x: qd.f32) -> qd.f32:
    r = 0.0
    if x > 1.0:
        r = x
        r = r + 1.0
    else:
        r = 2.0
    return r


def host(a):
    if a:
        return 1
    return 2
"""
HOST_LINES = [1, 4, 5, 15, 16, 17, 18]
KERNEL_LINES = [6, 7, 8, 9, 11, 12]
HOST = [1, 4, 5, 15, 16, 17]
RAN: dict[str, Sequence[int]] = {"": HOST, "qd:cpu": [6, 7, 8, 9, 12], "test_a|run|qd:vulkan": [6, 7], "test_b|run|qd:vulkan": [7, 11, 12]}
ON_CPU = {context: lines for context, lines in RAN.items() if "vulkan" not in context}


def measure(folder: Path, ran: Mapping[str, Sequence[int]], path: str = "src/sim.py", tables: bool = True, data_file: str = ".coverage") -> None:
    """Writes line data by context and, unless another program has lost them, the tables of compiled kernels."""
    file = folder / data_file
    file.unlink(missing_ok=True)
    data = coverage.CoverageData(str(file))
    name = str((folder / path).resolve())
    for context, lines in ran.items():
        data.set_context(context)
        data.add_lines({name: list(lines)})
    data.write()
    data.close()
    if not tables:
        return
    with sqlite3.connect(file) as database:
        database.executescript(schema())
        (file_id,) = database.execute("SELECT id FROM file").fetchone()
        for arch in sorted({context.rpartition("qd:")[2] for context in ran if "qd:" in context}):
            insert = "INSERT INTO qd_function (file_id, first_line, name, is_kernel, arch) VALUES (?, 4, 'step', 1, ?)"
            database.execute(insert, (file_id, arch))
    database.close()


def change(repo: Repository, path: str = "src/sim.py") -> None:
    """Adds the file after the first commit of a repository with none of it."""
    repo.write(path, SIM)
    repo.commit()
