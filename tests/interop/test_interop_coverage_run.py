"""`coverage run` without pytest-cov, in its many ways: kernels follow its settings, and its combine gives the data of plain Python."""

from __future__ import annotations

from typing import Any

import pytest
from interop_project import Project
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
def test_settings(project: Project, name: str) -> None:
    command = ("coverage", "run", "-m", "pytest", "-q", "-pno:cacheprovider", "tests")
    reports = [combined(project, *command, settings=SETTINGS[name], arch=arch) for arch in ("python", "cpu")]
    assert reports[0] == reports[1]
    if name == "static context":
        contexts = {context for _, context, *_ in rows(project.folder / ".coverage")["arcs"]}
        assert contexts == {"nightly", "nightly|qd:cpu"}


def test_a_data_file_of_the_environment(project: Project) -> None:
    """Kernel files stay where the program started, whatever the host's is called."""
    (project.folder / "data").mkdir()
    command = ("coverage", "run", "--source=pk", "-m", "pytest", "-q", "-pno:cacheprovider", "tests")
    reports = [combined(project, *command, settings="", arch=arch, COVERAGE_FILE="data/host") for arch in ("python", "cpu")]
    assert reports[0] == reports[1]


def test_subprocesses_of_a_patched_run(project: Project) -> None:
    """`patch = subprocess` of newer versions measures children; the kernels of children are measured in any case."""
    if project.environment.name != "newest":
        pytest.skip("coverage.py has [run] patch from 7.10 on")
    project.write("main.py", "import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'], check=True)\n")
    project.write("child.py", "import qd\nfrom pk import host\nqd.init(log_level='error')\nprint(host.count(9))\n")
    settings = "[run]\nbranch = true\nparallel = true\npatch = subprocess\nsource = pk\n"
    reports = [combined(project, "coverage", "run", "main.py", settings=settings, arch=arch) for arch in ("python", "cpu")]
    assert reports[0] == reports[1] and reports[0]["pk/host.py"]["executed_lines"]
