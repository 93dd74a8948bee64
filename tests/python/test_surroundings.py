"""Programs in other surroundings: a locale that writes a decimal comma, a folder whose name is not UTF-8."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import locale
import numpy as np
import qd

assert locale.setlocale(locale.LC_ALL, "de_DE.UTF-8") and locale.format_string("%.1f", 1.5) == "1,5"
qd.init(arch=qd.cpu, log_level="error")

@qd.kernel
def numbers(x: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    for i in range(1):
        x[0] = float("1.5")
        x[1] = 2.5e-3
        x[2] = 1.5e400
        print(2.5e-5, qd.cast(0.1, qd.f16), 0.1)

x = np.zeros(3)
numbers(x)
print(x.tolist())
"""


def test_decimal_comma(tmp_path: Path) -> None:
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")], capture_output=True)
    if made.returncode:
        pytest.skip("the sources of locales are not installed")
    program = tmp_path / "decimal_comma.py"
    program.write_text(PROGRAM)
    run = subprocess.run([sys.executable, str(program)], env=os.environ | {"LOCPATH": str(tmp_path)}, capture_output=True, text=True)
    assert run.stdout.splitlines() == ["2.5e-05 0.1 0.1", "[1.5, 0.0025, inf]"], run.stderr


FOLDER_PROGRAM = """
import numpy as np
import qd

qd.init(arch=qd.cpu, log_level="error")

@qd.kernel
def ones(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        x[i] = 1.0

x = np.zeros(3, np.float32)
ones(x)
print(x.tolist())
"""


def test_a_folder_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    program = folder / "ones.py"
    program.write_text(FOLDER_PROGRAM)
    run = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert run.stdout == "[1.0, 1.0, 1.0]\n", run.stderr
