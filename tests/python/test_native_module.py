"""A native module that does not load: the error names the cause and a remedy, and keeps the exception."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
import qd

PACKAGE = Path(qd.__file__).parent
NATIVE = f"_native{sysconfig.get_config_var('EXT_SUFFIX')}"
START = "import qdcov as qd; qd.init(arch=qd.cpu, offline_cache=False)"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, whose module a test damages."""
    return Path(shutil.copytree(PACKAGE, tmp_path / "qdcov", ignore=shutil.ignore_patterns("__pycache__")))


def said(package: Path, program: str = START) -> str:
    """The last line of the error of a program, which must be one of Python's."""
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(package.parent)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "\n\nThe above exception was the direct cause" in done.stderr
    last = done.stderr.rstrip("\n").split("\n")[-1]
    assert last.startswith("ImportError: qd's native module cannot be loaded: "), done.stderr
    return last


def replaced(file: Path, old: bytes, new: bytes) -> None:
    content = file.read_bytes()
    assert old in content and len(old) == len(new)
    file.write_bytes(content.replace(old, new))


def test_it_loads(package: Path) -> None:
    assert subprocess.run([sys.executable, "-c", START], env={**os.environ, "PYTHONPATH": str(package.parent)}, check=False).returncode == 0


def test_its_only_symbol_is_its_start() -> None:
    """Those of LLVM would meet another LLVM's in the process, and the linker could drop none of them."""
    command = ["nm", "--dynamic", "--extern-only", "--defined-only", "--format=just-symbols", str(PACKAGE.with_name("qdcov") / NATIVE)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["PyInit__native"]


def test_no_module(package: Path) -> None:
    (package / NATIVE).unlink()
    assert f"has no native module in {package}, so that kernels run with arch=qd.python alone; install qdcov again" in said(package)
    assert sys.executable in said(package)


@pytest.mark.parametrize(
    "name, kind",
    [
        ("_native.cpython-39-x86_64-linux-gnu.so", "CPython 3.9 on x86_64-linux-gnu"),
        ("_native.cpython-313t-aarch64-linux-gnu.so", "CPython 3.13 without the GIL on aarch64-linux-gnu"),
        ("_native.pypy310-pp73-x86_64-linux-gnu.so", "PyPy 3.10 on x86_64-linux-gnu"),
    ],
)
def test_another_python(package: Path, name: str, kind: str) -> None:
    (package / NATIVE).rename(package / name)
    assert f"is for {kind}, and this is CPython 3.{sys.version_info[1]} on " in said(package)


def test_another_processor(package: Path) -> None:
    content = bytearray((package / NATIVE).read_bytes())
    content[18:20] = (243).to_bytes(2, sys.byteorder)
    (package / NATIVE).write_bytes(content)
    assert re.search(rf"{NATIVE} is for RISC-V, and this Python for \S+; install", said(package))


def test_a_missing_library(package: Path) -> None:
    """Libraries that it is linked with in this build."""
    needed = subprocess.run(["readelf", "-d", package / NATIVE], capture_output=True, text=True, check=True).stdout
    library = re.findall(r"\(NEEDED\).*\[(lib(?:LLVM|fmt|sqlite3)\S+)\]", needed)[0]
    replaced(package / NATIVE, library.encode() + b"\0", library[:-1].encode() + b"X\0")
    last = said(package)
    assert f"the library {library[:-1]}X is missing; on Debian and Ubuntu: apt-get install lib" in last
    assert f"{library[:-1]}X: cannot open shared object file" in last


@pytest.mark.parametrize("damage", [lambda content: content[:100], lambda content: b"", lambda content: b"text" * 1000], ids=["cut", "empty", "text"])
def test_damaged(package: Path, damage: Callable[[bytes], bytes]) -> None:
    (package / NATIVE).write_bytes(damage((package / NATIVE).read_bytes()))
    assert "its file is damaged, or does not fit the libraries of this system; install qdcov again" in said(package)


def test_a_newer_system(package: Path) -> None:
    """The message of the loader, which a file made here does not bring about."""
    text = "/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.99' not found (required by /x/_native.so)"
    (package / "__init__.py").write_text("")
    broken = f"""
import sys

class Finder:
    def find_spec(name, path, target=None):
        if name == "qdcov._native":
            raise ImportError({text!r})

sys.meta_path.insert(0, Finder)
import qdcov._native_module
"""
    last = said(package, broken)
    assert "it needs GLIBC_2.99, and a library of this system is older; build qdcov on this system" in last


def test_without_it_kernels_run_as_python(package: Path) -> None:
    (package / NATIVE).unlink()
    program = "import qdcov as qd; qd.init(arch=qd.python, log_level='error')"
    assert subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(package.parent)}, check=False).returncode == 0
