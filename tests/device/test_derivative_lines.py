"""Coverage of derivatives on every device: the lines that a derivative passes through, and those whose derivative was computed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

PROGRAM = """\
import sys
import numpy as np
import qd

qd.init(arch=sys.argv[1], log_level="error")
x, y, loss = (qd.field(qd.f32, shape, needs_grad=True) for shape in (1000, 1000, ()))


@qd.kernel
def measure(terms: qd.i32):
    for i in x:
        if x[i] < 0.5:
            y[i] = x[i] * x[i]
        elif x[i] < 2.0:
            y[i] = qd.sin(x[i])
        else:
            y[i] = 1.0 / x[i]
        for j in range(terms):
            y[i] += x[i] * j
    for i in y:
        loss[None] += y[i]


x.from_numpy(np.linspace(0, 1, 1000, dtype=np.float32))
measure(1)
with qd.ad.Tape(loss):
    measure(int(sys.argv[2]))
"""
LINES = {13, 15, 17, 19, 21}


def computed(folder: Path, arch: str, terms: int) -> set[int]:
    program = folder / f"program{terms}.py"
    program.write_text(PROGRAM)
    env = {key: value for key, value in os.environ.items() if key.startswith("QD_OFFLINE") or not key.startswith(("COV", "QD_", "PYTEST"))}
    env |= {key: value for key, value in os.environ.items() if key.endswith("_DRIVER")}
    subprocess.run([sys.executable, program, arch, str(terms)], cwd=folder, env={**env, "QD_KERNEL_COVERAGE": "1"}, check=True, timeout=300)
    [file] = folder.glob("_qd_kcov.*")
    with sqlite3.connect(file) as data:
        rows = data.execute("select line, value from qd_result left join qd_value on id = result_id where kind = 'derivative'").fetchall()
    file.unlink()
    assert {line for line, _ in rows} == LINES
    return {line for line, value in rows if value}


def test_derivatives_that_were_computed(tmp_path: Path, back_end_name: str) -> None:
    """No element is 2 or more, so the derivative of that branch was not, whatever ran in other threads."""
    assert computed(tmp_path, back_end_name, 3) == LINES - {17}
    assert computed(tmp_path, back_end_name, 0) == LINES - {17, 19}
