"""Weaknesses of coverage that rewrites the source of a kernel, with a store for every line: none of them may show here.

Each docstring describes the fault of such a rewriting; the test asks for the right result."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import coverage
import pytest
from test_nothing_lost import environment

KERNELS = '''
import qd


@qd.kernel
def all_runs(n: qd.i32, x: qd.types.ndarray(qd.i32, 1)):
    """A docstring."""
    for i in range(n):
        if i % 2 == 0:
            x[i] = 1
        else:
            x[i] = 2
    k = 0
    while k < n:
        k += 1
    if n > 3:
        x[0] = 5


@qd.kernel
def documented(x: qd.types.ndarray(qd.i32, 1)):
    """A docstring
    of two lines."""
    x[0] = 7
'''

PROGRAM = """
import numpy as np
import qd
import kernels

qd.init(log_level="error")
x = np.zeros(8, dtype=np.int32)
kernels.all_runs(8, x)
kernels.all_runs(2, x)
kernels.documented(x)
field = qd.field(qd.i32, shape=4)
field.fill(3)
assert field.to_numpy().tolist() == [3] * 4
print(x.tolist())
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "program.py").write_text(PROGRAM)
    return folder


def run(folder: Path, *command: str, **more: str) -> str:
    return subprocess.run(command, cwd=folder, env=environment(**more), check=True, capture_output=True, text=True).stdout


def kernel_data(folder: Path) -> coverage.CoverageData:
    (file,) = folder.glob("_qd_kcov.*")
    data = coverage.CoverageData(str(file))
    data.read()
    return data


def report(folder: Path) -> dict[str, Any]:
    """coverage.py's report of host and kernels together."""
    run(folder, sys.executable, "-m", "coverage", "run", "--branch", "program.py")
    run(folder, "qd-cov", "combine", "-q", "--append")
    run(folder, sys.executable, "-m", "coverage", "json", "-q", "--include=*/kernels.py")
    ((_, file),) = json.loads((folder / "coverage.json").read_text())["files"].items()
    return file


def test_w1_all_branches_that_ran_are_covered(project: Path) -> None:
    """A rewriting reports 62 % for a function all of whose lines ran, and an arc out of the module that was not taken."""
    file = report(project)
    assert file["summary"]["percent_covered"] == 100
    assert file["summary"]["covered_branches"] == file["summary"]["num_branches"] == 8
    last_if = KERNELS.splitlines().index("    if n > 3:") + 1
    assert [last_if, -5] in file["executed_branches"]  # the edge that leaves the kernel


def test_w1_no_arc_leaves_the_module(project: Path) -> None:
    run(project, sys.executable, "program.py")
    arcs = kernel_data(project).arcs(str(project.resolve() / "kernels.py"))
    assert arcs and all(-1 not in arc for arc in arcs)


def test_w8_a_tree_behind_a_link_is_one_tree(project: Path) -> None:
    """A rewriting stores paths as they were written."""
    link = project.parent / "link"
    link.symlink_to(project)
    program = f"import sys; sys.path.insert(0, {str(link)!r}); exec(open('program.py').read())"
    run(project, sys.executable, "-P", "-c", program)
    run(project, sys.executable, "program.py")
    run(project, "qd-cov", "combine", "-q")
    data = coverage.CoverageData(str(project / ".coverage"))
    data.read()
    assert [f for f in data.measured_files() if f.endswith("kernels.py")] == [str(project.resolve() / "kernels.py")]


def test_w8_kernels_of_the_library_and_of_a_prompt_are_not_in_the_data(project: Path) -> None:
    """A rewriting measures the library's own kernels and those of temporary files. `fill`, `to_numpy` and a kernel without a file run here."""
    snippet = "import qd\\n\\n@qd.kernel\\ndef typed_in(n: qd.i32) -> qd.i32:\\n    return n + 1\\n"
    code = f"import linecache\ntext = '{snippet}'\nlinecache.cache['<input-1>'] = (len(text), None, text.splitlines(True), '<input-1>')\n"
    code += "exec(compile(text, '<input-1>', 'exec'))\nexec(open('program.py').read())\nassert typed_in(3) == 4\n"
    run(project, sys.executable, "-c", code)
    assert kernel_data(project).measured_files() == {str(project.resolve() / "kernels.py")}


def test_w12_docstrings(project: Path) -> None:
    """A rewriting puts a store before the docstring, and the kernel does not compile. A docstring is no statement that runs."""
    off = run(project, sys.executable, "program.py", QD_KERNEL_COVERAGE="0")
    assert run(project, sys.executable, "program.py") == off
    ran = set(kernel_data(project).lines(str(project.resolve() / "kernels.py")) or [])
    lines = KERNELS.splitlines()
    assert {lines[line - 1] for line in ran if '"""' in lines[line - 1]} == set()
    assert lines.index("    x[0] = 7") + 1 in ran


def test_w16_fields_lie_where_they_lie_without(project: Path) -> None:
    """The probes of a rewriting are a field of the program, and move the others."""
    code = "import qd\nqd.init(log_level='error')\na = qd.field(qd.i32, shape=4)\nb = qd.field(qd.f32, shape=(2, 3))\n"
    code += "@qd.kernel\ndef k():\n    for i in a:\n        if i > 1:\n            a[i] = 1\n    b[1, 2] = 3.0\nk()\nk()\n"
    (project / "fields.py").write_text(code)
    printed = []
    for on in "01":
        env = environment(QD_KERNEL_COVERAGE=on, QD_PRINT_IR="1")
        printed.append(subprocess.run([sys.executable, "fields.py"], cwd=project, env=env, check=True, capture_output=True).stderr)
    assert printed[0] == printed[1] and b"field" in printed[0]


def test_w19_a_kernel_that_is_compiled_again_takes_no_more_room(project: Path) -> None:
    """With a rewriting, each qd.init and each instance uses up probes until none are left."""
    again = "\nimport os\nfor i in range(60):\n    qd.init(log_level='error')\n    kernels.all_runs(8, x)\nos._exit(0)\n"
    sizes = []
    for more in ("\nimport os; os._exit(0)\n", again):
        (project / "again.py").write_text(PROGRAM + more)
        run(project, sys.executable, "again.py")
        (journal,) = project.glob("_qd_kcov-journal.*")
        sizes.append(len(journal.read_bytes().rstrip(b"\0")))
        journal.unlink()
    assert sizes[0] == sizes[1]


def test_w26_which_device_covered_a_line_is_kept(project: Path) -> None:
    """A rewriting sums devices up. Data of a second device, as another machine would leave it."""
    run(project, sys.executable, "program.py")
    file = str(project.resolve() / "kernels.py")
    other = coverage.CoverageData(str(project / "_qd_kcov.other"))
    other.set_context("qd:cuda")
    other.add_arcs({file: [(-5, 8)]})
    other.write()
    run(project, "qd-cov", "combine", "-q")
    data = coverage.CoverageData(str(project / ".coverage"))
    data.read()
    contexts = data.contexts_by_lineno(file)
    assert sorted(contexts[8]) == ["qd:cpu", "qd:cuda"] and contexts[9] == ["qd:cpu"]


def test_w23_threads_that_compile_and_launch_at_once(project: Path) -> None:
    """A lock that is not reentrant guards every compilation of a rewriting. Threads launch kernels that are new and others, in many contexts."""
    code = (
        PROGRAM
        + """
import threading
import qd_coverage

def work(number):
    for i in range(50):
        if i % 10 == number:
            qd_coverage.switch_context(f"context {i}")
        kernels.all_runs(i % 5, np.zeros(8, dtype=np.int32))
        kernels.documented(np.zeros(1, dtype=np.int32))

threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
qd_coverage.switch_context("the last")  # the others may have had no launch before the next one came
kernels.documented(np.zeros(1, dtype=np.int32))
"""
    )
    (project / "threads.py").write_text(code)
    run(project, sys.executable, "threads.py")
    data = kernel_data(project)
    assert {"qd:cpu", "the last|qd:cpu"} <= data.measured_contexts()
    assert set(data.lines(str(project.resolve() / "kernels.py")) or []) >= {8, 9, 10, 12, 13, 14, 15, 16, 17, 24}
