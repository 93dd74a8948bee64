"""Fixtures of the tests of qd-cov."""

from __future__ import annotations

from pathlib import Path

import pytest
from diff_repository import TEN, Repository


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """One commit on main with a.py of ten statements; a branch is checked out."""
    result = Repository(tmp_path / "repo")
    result.write(".gitignore", ".coverage\n_qd_kcov.*\n")
    result.write("a.py", TEN)
    result.commit("base")
    result.branch("work")
    return result
