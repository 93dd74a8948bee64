"""Fixtures: a program with a kernel, in a folder that several hosts share."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hosts import possible
from shared_program import PROGRAM


@pytest.fixture(scope="session")
def namespaces() -> None:
    if not possible():
        pytest.skip("needs unshare --uts --pid --mount --net, as root")


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """The folder of the program."""
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    return folder


@pytest.fixture(scope="session")
def no_shared_locks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of no_shared_locks.c."""
    library = tmp_path_factory.mktemp("preload") / "no_shared_locks.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, Path(__file__).with_name("no_shared_locks.c"), "-ldl"], check=True)
    return library
