"""The tables of ours in a data file, as the program makes them."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent.parent / "report/data"


def schema() -> str:
    """The SQL that creates those of kernels."""
    return _text("kernel_tables.cpp", "kKernelTables")


def result_schema() -> str:
    """The SQL that creates those of results, such as derivatives."""
    return _text("result_tables.cpp", "kResultTables")


def _text(file: str, name: str) -> str:
    (sql,) = re.findall(rf'{name} = R"\((.*?)\)";', (_FOLDER / file).read_text(), re.DOTALL)
    return str(sql)


def tables() -> list[str]:
    """Names of those of kernels."""
    return re.findall(r"CREATE TABLE (\w+)", schema())
