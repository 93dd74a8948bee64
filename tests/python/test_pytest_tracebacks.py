"""Tracebacks that pytest shows of wrong uses of the package: the user's own line is the last one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

USES = {
    "field": 'qd.field("abc", 3)',
    "shape": "qd.field(qd.f32, shape=-1)",
    "order": "qd.Vector.field(2, qd.f32, shape=3, order='ij')",
    "ndarray": "qd.ndarray(qd.f32, shape=1.5)",
    "kernel": "qd.kernel(3)",
    "func": "qd.func(3)",
    "oriented": "qd.data_oriented(3)",
    "dataclass": "qd.dataclass(type('S', (), {'__annotations__': {'a': 3}}))",
    "outside": "qd.func(lambda a: a)(1)",
    "index": "qd.field(qd.f32, 3)[7]",
    "size": "qd.field(qd.f32, 3).from_numpy(np.zeros(4))",
    "tape": "qd.ad.Tape(qd.field(qd.f32, ())).__enter__()",
    "init": "qd.init(nonsense=3)",
    "option": "qd.init(debug='abc')",
    "vector": "qd.Vector([1, 2]) + qd.Vector([1, 2, 3])",
    "type": "qd.types.vector(2, qd.f32)(1, 2, 3)",
    "placed": "qd.root.place(3)",
    "declined": "qd.root.pointer(qd.i, 4)",
}

PROGRAM = """\
import numpy as np
import qd

qd.init(arch=qd.cpu, log_level="error")

{tests}


def test_own(monkeypatch):
    def fail(*_given):
        return 1 / 0

    monkeypatch.setattr("qdcov._arrays.making.shape_of", fail)
    qd.field(qd.f32, shape=3)


def test_fault_of_the_package(monkeypatch):
    monkeypatch.setattr("qdcov._arrays.making.shape_of", None)
    qd.field(qd.f32, shape=3)
"""


def test_the_own_line_is_the_last_one(tmp_path: Path) -> None:
    tests = "\n".join(f"\n\ndef test_{name}():\n    {use}\n" for name, use in USES.items())
    program = tmp_path / "test_uses.py"
    program.write_text(PROGRAM.replace("{tests}", tests))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "test_uses.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    parts = done.stdout.split("\n____")[1:]
    named = {part.split()[1].removeprefix("test_"): part for part in parts}
    assert {*named} == {*USES, "own", "fault_of_the_package"}, done.stdout
    shown = [name for name in USES if re.search(r"qdcov/\S+\.py:\d+: in", named[name])]
    assert shown == [], named[shown[0]]
    for name, use in USES.items():
        assert use in named[name]
    # Faults of the package, or of code that it calls, have all their frames.
    assert "making.py" in named["fault_of_the_package"] and "making.py" in named["own"]
