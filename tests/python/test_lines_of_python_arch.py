"""arch=qd.python: coverage.py sees the lines and arcs of the source, as if no rewriting had happened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import coverage
import pytest
from coverage.parser import PythonParser

SOURCES = Path(__file__).parent
RUN = """
import sys
import coverage
import numpy as np
import qd
sys.path.insert(0, {folder!r})
import kernels_for_lines as k
qd.init(arch=qd.python, debug={debug}, log_level="error")
def call(kernel, *arguments):
    return (kernel._function if {plain} else kernel)(*arguments)
for n in {counts}:
    coverage.Coverage.current().switch_context(str(n))
    a = np.zeros(64, dtype=np.float32)
    call(k.loops, n, a)
    call(k.expressions, n, a)
    call(k.falls_through, n, a)
    call(k.vectors, n, a)
    if {plain}:
        k.early._function(n)
    else:
        qd._execution.local.depth += 1
        k.early(n)
        qd._execution.local.depth -= 1
"""


COUNTS = (1, 8, 60)
Arcs = set[tuple[int, int]]


def arcs_of(tmp_path: Path, plain: bool, debug: bool) -> dict[str, Arcs]:
    """The arcs of the kernels' file, between first lines of statements: of the launches with each count, and of all."""
    data = tmp_path / f"data-{plain}"
    script = tmp_path / "run.py"
    script.write_text(RUN.format(folder=str(SOURCES), plain=plain, counts=COUNTS, debug=debug))
    command = [sys.executable, "-m", "coverage", "run", "--branch", f"--data-file={data}", f"--include={SOURCES}/kernels_for_lines.py", str(script)]
    subprocess.run(command, check=True)
    measured = coverage.CoverageData(str(data))
    measured.read()
    (file,) = measured.measured_files()
    parser = PythonParser(filename=file)
    parser.parse_source()
    found: dict[str, Arcs] = {}
    for context in (".*", *map(str, COUNTS)):
        measured.set_query_contexts([f"^{context}$"])
        found[context] = set(parser.translate_arcs(measured.arcs(file) or []))
    return found


@pytest.mark.parametrize("debug", [False, True])
def test_arcs_are_those_of_the_source(tmp_path: Path, debug: bool) -> None:
    found = arcs_of(tmp_path, plain=False, debug=debug)
    assert found == arcs_of(tmp_path, plain=True, debug=debug)
    assert len({len(arcs) for arcs in found.values()}) > 2
