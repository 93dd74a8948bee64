"""The tables of qd.profiler, of known times; and settings that the profiler must not change."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from qd import _profile_tables

KERNELS = [
    ("short", "/project/a.py", 3, (2, 1_500_000, 500_000, 1_000_000), [("short:4 for", (2, 1_500_000, 500_000, 1_000_000))]),
    ("step", "/project/a.py", 9, (12_345_678, 98_000_000_000, 700, 123_456_789_000), [
        ("step:10 for", (12_345_678, 97_000_000_000, 700, 123_456_789_000)),
        ("step:12 serial", (12_345_678, 1_000_000_000, 0, 90_000)),
        ("step:14 for", (0, 0, 0, 0)),
    ]),
    ("step", "/project/b.py", 9, (1, 3_000_000, 3_000_000, 3_000_000), [("step:10 for", (1, 3_000_000, 3_000_000, 3_000_000))]),
]  # fmt: skip

COUNT = """\
================================================================================
Kernel Profiler(count) @ CPU on a machine
================================================================================
[      %       total     count |       min       avg         max   ] Kernel name
--------------------------------------------------------------------------------
[100.00% 98.000000 s 12345678x |    0.0007    0.0079 123456.7890 ms] step (a.py:9)
[ 98.98% 97.000000 s 12345678x |    0.0007    0.0079 123456.7890 ms]   step:10 for
[  1.02%  1.000000 s 12345678x |    0.0000    0.0001      0.0900 ms]   step:12 serial
[  0.00%  0.003000 s        1x |    3.0000    3.0000      3.0000 ms] step (b.py:9)
[  0.00%  0.001500 s        2x |    0.5000    0.7500      1.0000 ms] short
--------------------------------------------------------------------------------
[100.00%] Total execution time: 98.004500 s   number of results: 3
================================================================================"""

TRACE = """\
===================================================
Kernel Profiler(trace) @ CPU on a machine
===================================================
[   start.time |   kernel.time ] Kernel name
---------------------------------------------------
[    0.0000 ms |     0.5000 ms ] short
[    0.5010 ms |     0.0007 ms ] step (a.py:9)  step:10 for
---------------------------------------------------
Number of records:  2   (7 older ones are not kept)
==================================================="""


def test_count() -> None:
    text = _profile_tables.count_table(KERNELS, "CPU on a machine", False)
    assert text == COUNT


def test_trace() -> None:
    records = [(0, 0, 0, 500_000), (1, 0, 501_000, 700)]
    text = _profile_tables.trace_table(KERNELS, records, 7, "CPU on a machine", False)
    assert text == TRACE


def test_color() -> None:
    text = _profile_tables.count_table(KERNELS, "CPU on a machine", True)
    assert "\x1b[31m[100.00% 98.000000 s" in text
    assert "\x1b[2m[ 98.98%" in text
    plain = text.replace("\x1b[31m", "").replace("\x1b[2m", "").replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert plain == _profile_tables.count_table(KERNELS, "CPU on a machine", False)


@pytest.mark.parametrize(
    ("terminal", "variables", "colored"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_when_there_is_color(terminal: bool, variables: dict[str, str], colored: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return terminal

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", Screen())
    assert _profile_tables.colored() == colored


PROGRAM = """
import sys
import numpy as np
import qd

qd.init(log_level="error", offline_cache_file_path=sys.argv[1], kernel_profiler=sys.argv[2] == "1")

@qd.kernel
def work(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    total = 0.0
    for i in x:
        x[i] = qd.sin(x[i])
        total += x[i]
    for i in x:
        if x[i] > 0.5:
            x[i] = total
    return total

assert work(np.ones(1000, np.float32)) > 0
"""


@pytest.mark.parametrize("coverage", ["0", "1"])
def test_code_is_the_same(coverage: str, tmp_path: Path) -> None:
    """The files of the offline cache have the same names and bytes with the profiler, so the keys and the machine code are the same."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    kept = []
    for on in "01":
        environment = {**os.environ, "QD_KERNEL_COVERAGE": coverage, "QD_KERNEL_COVERAGE_DIR": str(tmp_path)}
        subprocess.run([sys.executable, program, tmp_path / on, on], check=True, env=environment)
        kept.append({path.relative_to(tmp_path / on): path.read_bytes() for path in (tmp_path / on).rglob("*.code")})
    assert kept[0] == kept[1]
    assert len(kept[0]) == 1
