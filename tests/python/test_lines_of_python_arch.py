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
import numpy as np
import qd
sys.path.insert(0, {folder!r})
import kernels_for_lines as k
qd.init(arch=qd.python, debug={debug}, log_level="error")
def call(kernel, *arguments):
    return (kernel._function if {plain} else kernel)(*arguments)
for n in {counts}:
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


def arcs_of(tmp_path: Path, counts: list[int], plain: bool, debug: bool) -> set[tuple[int, int]]:
    """The arcs of the kernels' file, between first lines of statements."""
    data = tmp_path / f"data-{plain}"
    script = tmp_path / "run.py"
    script.write_text(RUN.format(folder=str(SOURCES), plain=plain, counts=counts, debug=debug))
    command = [sys.executable, "-m", "coverage", "run", "--branch", f"--data-file={data}", f"--include={SOURCES}/kernels_for_lines.py", str(script)]
    subprocess.run(command, check=True)
    measured = coverage.CoverageData(str(data))
    measured.read()
    (file,) = measured.measured_files()
    parser = PythonParser(filename=file)
    parser.parse_source()
    return set(parser.translate_arcs(measured.arcs(file) or []))


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize("counts", [[1], [8], [60], [1, 8, 60]])
def test_arcs_are_those_of_the_source(tmp_path: Path, counts: list[int], debug: bool) -> None:
    assert arcs_of(tmp_path, counts, plain=False, debug=debug) == arcs_of(tmp_path, counts, plain=True, debug=debug)
