"""Errors in the schedule of a kernel: message and line. graph_errors.txt has one kernel after the other, each under its message."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
import qd

HEADER = """import enum
import qd
class Stage(enum.IntEnum):
    ONE = 1
class Colour(enum.Enum):
    RED = 1
CELL = qd.field(qd.i32, ())
"""
PARAMETERS = "x: qd.types.ndarray(qd.i32, 1), c: qd.types.ndarray(qd.i32, 0), d: qd.types.ndarray(qd.i32, 0), n: qd.i32"
PARTS = re.split(r"^### (.*)\n", Path(__file__).with_name("graph_errors.txt").read_text(), flags=re.MULTILINE)[1:]
CASES = list(zip(PARTS[::2], PARTS[1::2]))


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda number: CASES[number][0][:60])
def test_the_error(arch: Any, tmp_path: Path, number: int) -> None:
    message, source = CASES[number]
    kind, message = message.split(": ", 1) if message.startswith("Kernel") else ("KernelSyntaxError", message)
    text = HEADER + source.replace("(P)", f"({PARAMETERS})")
    line = next(i for i, line in enumerate(text.splitlines(), 1) if "# here" in line)
    file = tmp_path / "wrong.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("wrong", file)
    assert spec and spec.loader
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x, c, d = qd.ndarray(qd.i32, 3), qd.ndarray(qd.i32, ()), qd.ndarray(qd.i32, ())
    for _ in range(2):  # at each call
        with pytest.raises(getattr(qd, kind)) as caught:
            module.k(x, c, d, 2)
        assert re.match(rf"{re.escape(str(file))}:{line}:(\d+:)?( Kernel\w*Error:)? ", str(caught.value)), str(caught.value)
        assert message.strip() in str(caught.value)
        assert x.to_numpy().tolist() == [0, 0, 0]  # nothing ran
