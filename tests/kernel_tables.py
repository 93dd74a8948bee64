"""The tables of ours in a data file, as the program makes them."""

from __future__ import annotations

import re
from pathlib import Path

_SOURCE = Path(__file__).resolve().parent.parent / "report/data/kernel_tables.cpp"


def schema() -> str:
    """The SQL that creates them."""
    (sql,) = re.findall(r'kKernelTables = R"\((.*?)\)";', _SOURCE.read_text(), re.DOTALL)
    return str(sql)


def tables() -> list[str]:
    """Their names."""
    return re.findall(r"CREATE TABLE (\w+)", schema())
