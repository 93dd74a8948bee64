"""Coverage of kernels that are differentiated: launches in validation and in forward mode count, gradients count nothing."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from kernel_project import qd_cov

KERNELS = """\
import qd

x, loss = (qd.field(qd.f32, shape, needs_grad=True, needs_dual=True) for shape in (3, ()))


@qd.func
def positive(v):
    return v > 0


@qd.kernel
def measure(top: qd.f32):
    for i in x:
        if x[i] > top:
            loss[None] += top
        elif positive(x[i]):
            loss[None] += x[i] * x[i]
        else:
            loss[None] -= x[i]
"""
PROGRAM = """\
import sys
import qd

qd.init(log_level="error", debug=sys.argv[1] == "validation")
import kernels as k

k.x.fill(2.0)
for top in (1.0, 3.0):
    if sys.argv[1] == "plain":
        k.measure(top)
    elif sys.argv[1] == "forward":
        with qd.ad.FwdMode(k.loss, k.x, seed=[1, 0, 0]):
            k.measure(top)
    else:
        with qd.ad.Tape(k.loss, validation=sys.argv[1] == "validation"):
            k.measure(top)
        k.measure.grad(top)
if sys.argv[1] != "plain":
    assert k.loss[None] == (12 if sys.argv[1] != "forward" else 15)
"""


def arcs(folder: Path, mode: str) -> set[tuple[int, int]]:
    """The arcs of kernels.py that ran."""
    done = qd_cov(folder, "run", "--branch", "--source=.", "--", "python", "program.py", mode)
    assert done.returncode == 0, done.stdout + done.stderr
    with sqlite3.connect(folder / ".coverage") as data:
        return set(data.execute("select fromno, tono from arc join file on file.id = arc.file_id where path like '%kernels.py'"))


def test_arcs_are_those_of_the_primal(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    plain = arcs(tmp_path, "plain")
    assert {(14, 15), (14, 16), (16, 17)} <= plain and (16, 19) not in plain
    for mode in ("tape", "validation", "forward"):
        assert arcs(tmp_path, mode) == plain, mode
