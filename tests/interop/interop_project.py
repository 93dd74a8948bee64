"""A small project of host code and kernels with tests of its own, as the sources of a measurement that any tool can make."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments import Environment

KERNELS = '''\
"""Kernels: some arms are taken by one test, some by another, some by none."""
import qd


@qd.func
def limited(value, top: qd.f32):
    if value > top:
        value = top
    return value


@qd.kernel
def step(
    n: qd.i32,
    x: qd.types.ndarray(dtype=qd.f32, ndim=1),
):
    """Not all of this runs."""
    for i in range(n):
        if x[i] > 100.0 and \\
                n > 1:
            x[i] = 0.0
        elif x[i] > 2.0:
            x[i] = limited(x[i], 3.0)
        rest = i
        while rest > 0:
            rest -= 2
            if rest == 50:
                break
    if n > 1000:
        x[0] = 1.0


@qd.kernel
def evens(n: qd.i32) -> qd.i32:
    found = 0
    for i in range(n):
        if i % 2 == 0: found += 1
    return found


@qd.kernel
def never(x: qd.types.ndarray()):
    for i in range(3):
        x[i] = 0


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def apply(self, x):
        if self.factor == 1:
            return
        scale(x, self.factor)


@qd.kernel
def scale(x: qd.types.ndarray(dtype=qd.f32, ndim=1), factor: qd.f32):
    for i in x:
        if factor < 0:  # pragma: no cover
            x[i] = -x[i]
        x[i] = x[i] * factor
'''

HOST = """\
from pk import kernels


def count(n):
    if n > 3:
        return kernels.evens(n)
    return 0


def describe(n):
    words = []
    for i in range(n):
        if i > 5:
            words.append("many")
            break
    else:
        words.append("few")
    return words
"""

TESTS = {
    "conftest.py": """\
import pytest
import qd

@pytest.fixture(autouse=True)
def program():
    qd.init(log_level="error")
    yield
    qd.reset()
""",
    "test_step.py": """\
import numpy as np
import pytest
from other import outside
from pk import kernels

@pytest.mark.parametrize("n", [2, 5])
def test_step(n):
    x = np.linspace(0, 10, 8).astype(np.float32)
    kernels.step(n, x)
    assert x.max() <= 10

def test_large():
    x = np.full(4, 500, dtype=np.float32)
    kernels.step(4, x)
    assert x.max() == 0
    outside(x)
    assert x[0] == 1

class TestScale:
    @pytest.mark.parametrize("factor", [1, 2])
    def test_scale(self, factor):
        x = np.ones(4, dtype=np.float32)
        kernels.Scale(factor).apply(x)
        assert (x == factor).all()
""",
    "test_host.py": """\
import pytest
from pk import host

def test_count():
    assert host.count(9) == 5

def test_few():
    assert host.count(2) == 0
    assert host.describe(2) == ["few"]

@pytest.fixture
def warm(program):
    host.count(4)
    yield
    host.count(0)

def test_fixture(warm):
    pass
""",
}

OTHER = """\
import qd

@qd.kernel
def outside(x: qd.types.ndarray()):
    for i in range(1):
        x[i] = 1
"""


@dataclass(frozen=True)
class Project:
    """The sources in a folder, and the environment that they are run in."""

    folder: Path
    environment: Environment
    plugin: Path

    def run(self, *words: str, inside: str = "", arch: str = "cpu", code: int = 0, plugin: bool = True, **variables: str) -> str:
        """Run a command in the project or in a folder of it; gives its standard output."""
        path = [self.folder, *([self.plugin] if plugin else []), os.environ["PYTHONPATH"]]
        variables = {"PYTHONPATH": os.pathsep.join(map(str, path)), "QD_ARCH": arch, **variables}
        return self.environment.run(self.folder / inside, *words, code=code, variables=variables).stdout

    def pytest(self, *options: str, **more: Any) -> str:
        """Run the project's tests."""
        return self.run("pytest", "-q", "-p", "no:cacheprovider", *options, **more)

    def write(self, name: str, text: str) -> None:
        """Write a file of the project."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def left_over(self) -> list[str]:
        """Data files other than the one that all is combined into."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if re.match(r"\.coverage\.|_qd_kcov", p.name))


@dataclass(frozen=True)
class KernelFiles:
    """Host data and kernel data of a project in a folder: `.coverage` and `_qd_kcov.*`."""

    project: Project
    folder: Path
    kind: str

    @property
    def names(self) -> list[str]:
        return sorted(p.name for p in self.folder.glob("_qd_kcov.*"))

    def copy(self, name: str) -> KernelFiles:
        """The same files in another folder."""
        folder = self.folder.with_name(name)
        shutil.copytree(self.folder, folder)
        return KernelFiles(self.project, folder, self.kind)

    def combine(self, tool: str, *names: str) -> Path:
        """`coverage combine --append` or `qd-cov combine --append` of some kernel files, all unless told; gives the data file."""
        data = self.folder / ".coverage"
        files = [str(self.folder / name) for name in names or self.names]
        self.project.run(tool, "combine", "--append", f"--data-file={data}", *files)
        assert not set(names or [*self.names]) & set(self.names)
        return data


def write_project(folder: Path, environment: Environment, plugin: str) -> Project:
    """The sources, and an empty folder `sub` to run from."""
    project = Project(folder, environment, Path(plugin))
    files = {"pk/__init__.py": "", "pk/kernels.py": KERNELS, "pk/host.py": HOST, "other.py": OTHER}
    for name, text in (files | {f"tests/{name}": text for name, text in TESTS.items()}).items():
        project.write(name, text)
    (folder / "sub").mkdir()
    return project


def line_of(text: str, first: bool = False) -> int:
    """The line of kernels.py with this text: the only one, or the first of several."""
    lines = [number for number, line in enumerate(KERNELS.splitlines(), 1) if text in line]
    assert first or len(lines) == 1
    return lines[0]
