"""Each function of runtime/ir/operators.def has its names in the package: for the host, and for kernels on arch=qd.python."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import qd
from qdcov._values import functions

TABLE = (Path(__file__).resolve().parents[2] / "runtime/ir/operators.def").read_text()
NAMES = re.findall(r"^QD_FUNCTION\(\w+, (\w+),", TABLE, re.MULTILINE)


def test_the_table_has_functions() -> None:
    assert {"sin", "log"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    assert getattr(qd, name) is getattr(qd.math, name) is getattr(functions, name)
    assert name in functions.MATH and callable(getattr(math, name))
