"""`coverage run` without pytest-cov, in its many ways: kernels follow its settings, and its combine gives the data of plain Python."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from environments import Environment
from interop_project import Project, write_project
from measured import report, rows

PROCESSES = """\
import multiprocessing
import sys

import numpy as np
import qd
from pk import host, kernels


def work(n):
    qd.init(log_level="error")
    if n == 4:
        kernels.never(np.zeros(3))
    return host.count(n)


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    qd.init(log_level="error")
    kernels.step(4, np.full(4, 500, dtype=np.float32))
    with context.Pool(2) as pool:
        print(pool.map(work, [1, 4, 9]))
        pool.close()
        pool.join()
"""


def combined(project: Project, *command: str, settings: str, arch: str, **variables: Any) -> dict[str, dict[str, object]]:
    """The result of `coverage combine` on host and kernel files in one go; no file is left afterwards."""
    for old in (*project.folder.glob(".coverage*"), *project.folder.glob("_qd_kcov*")):
        old.unlink()
    project.write(".coveragerc", settings)
    project.run(*command, arch=arch, QD_KERNEL_COVERAGE="1", **variables)
    kernels = [path.name for path in project.folder.glob("_qd_kcov.*")]
    assert bool(kernels) == (arch == "cpu")
    parts = [path.name for path in project.folder.glob(".coverage.*")]
    if parts or kernels:
        append = [] if parts else ["--append"]
        project.run("coverage", "combine", *append, *parts, *kernels, **variables)
    assert project.left_over() == []
    return report(project, **variables)


PYTEST = ("coverage", "run", "-m", "pytest", "-q", "-pno:cacheprovider", "tests")
LINES, BRANCHES = "[run]\nsource = pk\n", "[run]\nbranch = true\nsource = pk\n"
Report = dict[str, dict[str, object]]


@pytest.fixture(scope="session")
def plain(environment: Environment, plugin_path: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Report]:
    """The report on arch=qd.python, with these settings. Most others change nothing of it, so tests share it."""
    project = write_project(tmp_path_factory.mktemp("plain").resolve() / "project", environment, plugin_path)
    return functools.cache(lambda settings: combined(project, *PYTEST, settings=settings, arch="python"))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(project: Project, method: str) -> None:
    project.write("main.py", PROCESSES)
    settings = "[run]\nbranch = true\nconcurrency = multiprocessing\nparallel = true\nsource = pk\n"
    reports = [combined(project, "coverage", "run", "main.py", method, settings=settings, arch=arch) for arch in ("python", "cpu")]
    assert reports[0] == reports[1] and reports[0]["pk/host.py"]["executed_lines"]


SETTINGS = {
    "branch": "[run]\nbranch = true\nsource = pk\n",
    "parallel": "[run]\nparallel = true\nbranch = true\nsource = pk\n",
    "relative_files": "[run]\nrelative_files = true\nsource = pk\n",
    "static context": "[run]\ncontext = nightly\nbranch = true\nsource = pk\n",
    "omit": "[run]\nsource = .\nomit =\n    */other.py\n    tests/*\n    */qd/*\n",
    "include": "[run]\nbranch = true\ninclude =\n    pk/*\n",
    "dynamic context": "[run]\ndynamic_context = test_function\nbranch = true\nsource = pk\n",
}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(project: Project, name: str, plain: Callable[[str], Report]) -> None:
    expected = plain(SETTINGS[name] if name == "omit" else BRANCHES if "branch" in SETTINGS[name] else LINES)
    assert combined(project, *PYTEST, settings=SETTINGS[name], arch="cpu") == expected
    if name == "static context":
        contexts = {context for _, context, *_ in rows(project.folder / ".coverage")["arcs"]}
        assert contexts == {"nightly", "nightly|qd:cpu"}


def test_a_data_file_of_the_environment(project: Project, plain: Callable[[str], Report]) -> None:
    """Kernel files stay where the program started, whatever the host's is called."""
    (project.folder / "data").mkdir()
    assert combined(project, *PYTEST, settings=LINES, arch="cpu", COVERAGE_FILE="data/host") == plain(LINES)


def test_subprocesses_of_a_patched_run(project: Project) -> None:
    """`patch = subprocess` of newer versions measures children; the kernels of children are measured in any case."""
    if project.environment.name != "newest":
        pytest.skip("coverage.py has [run] patch from 7.10 on")
    project.write("main.py", "import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'], check=True)\n")
    project.write("child.py", "import qd\nfrom pk import host\nqd.init(log_level='error')\nprint(host.count(9))\n")
    settings = "[run]\nbranch = true\nparallel = true\npatch = subprocess\nsource = pk\n"
    reports = [combined(project, "coverage", "run", "main.py", settings=settings, arch=arch) for arch in ("python", "cpu")]
    assert reports[0] == reports[1] and reports[0]["pk/host.py"]["executed_lines"]
