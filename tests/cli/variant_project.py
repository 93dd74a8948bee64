"""A kernel and a func with variants, a C++ template with instantiations, and names that are hard to show; without running any of it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import coverage
from kernel_tables import schema
from run_program import qd_cov

KERNEL = """import qd


@qd.kernel
def pick(n: qd.template(), x: qd.types.ndarray()):
    for i in x:
        if qd.static(n > 1):
            if x[i] > 2:
                x[i] = n
        else:
            x[i] -= 1


@qd.kernel
def once(x: qd.types.ndarray()):
    x[0] = 1


@qd.func
def top(v, n: qd.template()):
    if v > n:
        v = n
    return v
"""
ARCS = [(-4, 6), (6, 7), (7, 8), (8, 6), (-4, 8), (-4, 11), (6, -4), (-19, 21), (-19, 22), (-19, 23), (21, 22), (21, 23)]
# Arguments, device, launches, arcs that it can take and those of them that were taken.
FIRST = "n=1, x=f32 ndarray of 1 dimension"
LONG = "n='تجربة 漢字\t" + "very_long_" * 12 + "', x=f64 ndarray of 2 dimensions"
VARIANTS = [
    (FIRST, "cpu", 1200, [(-4, 6), (-4, 11), (6, -4)], [(-4, 6), (-4, 11), (6, -4)]),
    ("n=2, x=f32 ndarray of 1 dimension", "cpu", 0, [(-4, 6), (-4, 8), (-4, 9), (8, 9), (8, 6)], [(-4, 6), (-4, 8), (8, 6)]),
    (LONG, "vulkan", 3, [(-4, 6), (-4, 8), (-4, 9)], []),
]
# Of the func: arguments, device, the kernel that has it, and the taken arcs.
OF_FUNC = [(-19, 21), (-19, 22), (-19, 23), (21, 22), (21, 23)]
FUNC_VARIANTS = [
    ("v=f32, n=1", "cpu", "pick", OF_FUNC),
    ("v=f32, n=1", "cpu", "move (m.py)", [(-19, 21), (-19, 23), (21, 23)]),
    ("v=i32, n=2", "vulkan", "pick", [(-19, 22), (21, 22)]),
]
TEMPLATE = "template <class T>\nT add(T a, T b) {\n  if (a < 0)\n    return b;\n  return a + b;\n}\n\nint main() { return add(1, -1); }\n"
INT, DOUBLE = "_Z3addIiET_S0_S0_", "_Z3addIdET_S0_S0_"
# Name, name in the source, lines, calls.
FUNCTIONS = [(INT, "int add<int>(int, int)", 2, 6, 7), (DOUBLE, "double add<double>(double, double)", 2, 6, 0), ("main", "main", 8, 8, 1)]
HITS = {INT: {2: 7, 3: 7, 4: 0, 5: 7}, DOUBLE: {2: 0, 3: 0, 4: 0, 5: 0}, "main": {8: 1}}


def gcov(folder: Path) -> str:
    """gcov's JSON for TEMPLATE, made by hand."""
    keys = ("name", "demangled_name", "start_line", "end_line", "execution_count")
    lines = [{"line_number": n, "count": count, "function_name": name, "branches": []} for name, hits in HITS.items() for n, count in hits.items()]
    file = {"file": "add.cpp", "functions": [dict(zip(keys, one, strict=True)) for one in FUNCTIONS], "lines": lines}
    return json.dumps({"format_version": "1", "gcc_version": "12.2.0", "current_working_directory": str(folder), "files": [file]})


def write_data(file: Path, source: Path) -> None:
    data = coverage.CoverageData(str(file))
    data.set_context("test_pick|qd:cpu")
    data.add_arcs({str(source): ARCS})
    data.set_context("test_pick|qd:vulkan")
    data.add_arcs({str(source): [(-4, 6)]})
    data.write()
    data.close()
    with sqlite3.connect(file) as db:
        db.executescript(schema())
        (file_id,) = db.execute("SELECT id FROM file").fetchone()
        for i, arch in enumerate(("cpu", "vulkan"), 1):
            db.execute("INSERT INTO qd_function VALUES (?, ?, 4, 'pick', 1, ?)", (i, file_id, arch))
            for arc in {arc for _, of, _, arcs, _ in VARIANTS if of == arch for arc in arcs}:
                db.execute("INSERT INTO qd_probe VALUES (?, ?, ?, 1)", (i, *arc))
        db.execute("INSERT INTO qd_function VALUES (3, ?, 14, 'once', 1, 'cpu')", (file_id,))
        for i, (arguments, arch, launches, arcs, taken) in enumerate(VARIANTS, 1):
            db.execute("INSERT INTO qd_variant VALUES (?, ?, ?, ?, '')", (i, 1 if arch == "cpu" else 2, arguments, launches))
            db.executemany("INSERT INTO qd_variant_arc VALUES (?, ?, ?, ?)", [(i, *arc, arc in taken) for arc in arcs])
        db.execute("INSERT INTO qd_variant VALUES (9, 3, 'x=f32 ndarray of 1 dimension', 0, '')")
        for i, arch in enumerate(("cpu", "vulkan"), 4):
            db.execute("INSERT INTO qd_function VALUES (?, ?, 19, 'top', 0, ?)", (i, file_id, arch))
            db.executemany("INSERT INTO qd_probe VALUES (?, ?, ?, 1)", [(i, *arc) for arc in OF_FUNC])
        for i, (arguments, arch, kernel, taken) in enumerate(FUNC_VARIANTS, 10):
            db.execute("INSERT INTO qd_variant VALUES (?, ?, ?, 0, ?)", (i, 4 if arch == "cpu" else 5, arguments, kernel))
            db.executemany("INSERT INTO qd_variant_arc VALUES (?, ?, ?, ?)", [(i, *arc, arc in taken) for arc in OF_FUNC])
    db.close()


def make(folder: Path) -> Path:
    """Writes the project and its page."""
    (folder / "k.py").write_text(KERNEL)
    (folder / "add.cpp").write_text(TEMPLATE)
    (folder / "gcov.json").write_text(gcov(folder))
    write_data(folder / ".coverage", folder / "k.py")
    done = qd_cov(folder, "html", "-q", "--input=gcov.json")
    assert done.returncode == 0, done.stderr
    return folder / "htmlcov/index.html"
