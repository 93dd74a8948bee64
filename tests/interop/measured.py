"""The contents of a data file, and the report of a tool on it, in a form that can be compared."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from interop_project import Project

JOINS = "JOIN file f ON f.id = file_id JOIN context c ON c.id = context_id"
NUMBERS = ("executed_lines", "missing_lines", "excluded_lines", "executed_branches", "missing_branches")


def rows(path: Path) -> dict[str, Any]:
    """All rows of coverage.py's tables, without ids and without the order of rows; a context without any row says nothing."""
    con = sqlite3.connect(path)
    lines = {
        (p, c): frozenset(i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1)
        for p, c, bits in con.execute(f"SELECT path, context, numbits FROM line_bits {JOINS}")
    }
    arcs = frozenset(con.execute(f"SELECT path, context, fromno, tono FROM arc {JOINS}"))
    files = frozenset(p for (p,) in con.execute("SELECT path FROM file"))
    has_arcs = con.execute("SELECT value FROM meta WHERE key = 'has_arcs'").fetchall()
    con.close()
    return {"has_arcs": has_arcs, "files": files, "lines": lines, "arcs": arcs}


def report(project: Project, *options: str, **more: Any) -> dict[str, dict[str, Any]]:
    """`coverage json`: lines and branches of each file."""
    project.run("coverage", "json", "-q", "-o", str(project.folder / "report.json"), *options, **more)
    return numbers(project.folder / "report.json")


def numbers(path: Path) -> dict[str, dict[str, Any]]:
    """Numbers of a JSON report that pytest-cov or coverage.py wrote; with contexts, those of the executed lines."""
    result = {}
    for name, file in json.loads(path.read_text())["files"].items():
        result[name] = {key: file[key] for key in NUMBERS if key in file}
        if "executed_branches" in file:
            # coverage.py 7.4 lists a step between two lines of one condition, which is no branch.
            result[name]["executed_branches"] = [[a, b] for a, b in file["executed_branches"] if a != b]
        if "contexts" in file:
            # The context of kernels is the host's with the architecture after it; under arch=qd.python it is the host's.
            found = {int(line): {c.removesuffix("qd:cpu").removesuffix("|") for c in contexts} for line, contexts in file["contexts"].items()}
            result[name]["contexts"] = {line: sorted(found[line]) for line in file["executed_lines"]}
    return result
