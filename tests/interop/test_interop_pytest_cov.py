"""pytest-cov's options and settings with kernels in the tests: the report is that of the same tests on arch=qd.python."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from environments import ENVIRONMENTS, Environment
from interop_project import Project, line_of, write_project
from measured import numbers, report, rows

XDIST = ("-n", "2")
WORKER = ("-n", "1")
EITHER = ((), WORKER)
WORKERS = pytest.mark.parametrize("workers", EITHER, ids=["plain", "xdist"])
FOR_NEWEST = pytest.mark.parametrize("environment", ENVIRONMENTS[:1], ids=lambda e: e.name, indirect=True, scope="session")
"""For tests of options that older versions of coverage.py and pytest-cov handle alike."""
MORE = "from pk import kernels\nimport numpy as np\nimport pytest\n\n\n"


def measured(project: Project, *options: str, tests: str = "tests", **more: Any) -> dict[str, dict[str, Any]]:
    """pytest-cov's own report at the end of its run."""
    target = project.folder / "report.json"
    target.unlink(missing_ok=True)
    project.pytest(*options, f"--cov-report=json:{target}", tests, **more)
    return numbers(target)


Report = dict[str, dict[str, Any]]


@pytest.fixture(scope="session")
def plain(environment: Environment, plugin_path: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Report]:
    """The report of the project's own tests on arch=qd.python, with these options. Most settings change nothing of it, so many tests share it."""
    project = write_project(tmp_path_factory.mktemp("plain").resolve() / "project", environment, plugin_path)
    return functools.cache(lambda *options: measured(project, "--cov=pk", *options, arch="python"))


def both(project: Project, *options: str, python: Report | None = None, workers: Sequence[tuple[str, ...]] = ((),), **more: Any) -> Report:
    """The same report on both architectures, for each way to distribute the tests (with older versions for the last one); nothing lies about
    afterwards. `python` is that on arch=qd.python where it is known."""
    python = python or measured(project, *options, arch="python", **more)
    for options_of_workers in workers if project.environment.name == "newest" else workers[-1:]:
        for old in project.folder.rglob(".coverage"):
            old.unlink()
        assert measured(project, *options, *options_of_workers, **more) == python
        assert project.left_over() == []
    (kernels,) = [file for name, file in python.items() if name.endswith("kernels.py")]
    assert line_of("rest = i") in kernels["executed_lines"] and line_of("x[0] = 1.0") in kernels["missing_lines"]
    return python


@pytest.mark.parametrize(("mode", "workers"), [(("--cov-branch",), ()), ((), XDIST)], ids=["branch-plain", "line-xdist"])
def test_contexts_of_tests(project: Project, mode: tuple[str, ...], workers: tuple[str, ...]) -> None:
    reports = []
    for arch in ("python", "cpu"):
        at_the_end = measured(project, "--cov=pk", "--cov-context=test", *mode, *(workers if arch == "cpu" else ()), arch=arch)
        reports.append(report(project, "--show-contexts"))
        assert at_the_end == {name: {k: v for k, v in file.items() if k != "contexts"} for name, file in reports[-1].items()}
    assert reports[1] == reports[0]
    kernels = reports[0]["pk/kernels.py"]
    assert kernels["contexts"][line_of("x[i] = 0.0")] == ["tests/test_step.py::test_large|run"]
    assert kernels["contexts"][line_of("found = 0")] == ["tests/test_host.py::test_count|run", "tests/test_host.py::test_fixture|setup"]
    assert project.left_over() == []


CONFIGURED = {
    "parallel": "[run]\nbranch = true\nparallel = true\nsource = pk\n",
    "relative_files": "[run]\nbranch = true\nrelative_files = true\nsource = pk\n",
    "multiprocessing": "[run]\nbranch = true\nconcurrency = multiprocessing\nsource = pk\n",
    "multiprocessing,thread": "[run]\nconcurrency = multiprocessing,thread\nparallel = true\nsource = pk\n",
    "static context": "[run]\ncontext = nightly\nsource = pk\n",
    "data_file": "[run]\ndata_file = data/here.coverage\nsource = pk\n",
    "omit": "[run]\nbranch = true\nsource = .\nomit =\n    */other.py\n    tests/*\n",
    "include": "[run]\nbranch = true\ninclude = pk/*\n",
    "sigterm": "[run]\nsigterm = true\nsource = pk\n",
}


@pytest.mark.parametrize("name", CONFIGURED)
def test_settings(project: Project, name: str, plain: Callable[..., Report]) -> None:
    project.write(".coveragerc", CONFIGURED[name])
    (project.folder / "data").mkdir()
    python = plain(*(["--cov-branch"] if "branch = true" in CONFIGURED[name] else [])) if name != "omit" else None
    both(project, "--cov", python=python, workers=((), XDIST) if name == "parallel" else ((),))


@FOR_NEWEST
def test_a_data_file_of_the_environment(project: Project, plain: Callable[..., Report]) -> None:
    (project.folder / "data").mkdir()
    both(project, "--cov=pk", python=plain(), workers=EITHER, COVERAGE_FILE="data/.coverage")
    assert (project.folder / "data/.coverage").exists() and not (project.folder / ".coverage").exists()


@FOR_NEWEST
def test_a_named_configuration(project: Project, plain: Callable[..., Report]) -> None:
    project.write("ci/my.cfg", "[run]\nbranch = true\nrelative_files = true\n")
    assert (
        "executed_branches" in both(project, "--cov=pk", "--cov-config=ci/my.cfg", python=plain("--cov-branch"), workers=(WORKER,))["pk/kernels.py"]
    )


def test_from_a_folder_of_the_project(project: Project) -> None:
    """Relative files are relative to where pytest started; files above have their whole path."""
    project.write(".coveragerc", "[run]\nbranch = true\nrelative_files = true\n")
    both(project, "--cov=pk", "--cov-config=../.coveragerc", workers=EITHER, tests="../tests", inside="sub")
    assert str(project.folder / "pk/kernels.py") in rows(project.folder / "sub/.coverage")["files"]


@pytest.mark.parametrize(("mode", "workers"), [((), ()), (("--cov-branch",), WORKER)], ids=["line-plain", "branch-xdist"])
def test_append(project: Project, mode: tuple[str, ...], workers: tuple[str, ...], plain: Callable[..., Report]) -> None:
    """Two runs of parts of the tests give what one of all of them does; the third, without --cov-append, starts afresh."""
    options = ["--cov=pk", *mode]
    python = measured(project, *options, tests="tests/test_host.py", arch="python")
    parts = [
        measured(project, *options, *workers, tests="tests/test_host.py"),
        measured(project, "--cov-append", *options, *workers, tests="tests/test_step.py"),
        measured(project, *options, *workers, tests="tests/test_step.py"),
    ]
    assert parts[:2] == [python, plain(*mode)]
    evens = line_of("found = 0")
    assert [evens in part["pk/kernels.py"]["executed_lines"] for part in parts] == [True, True, False]


@FOR_NEWEST
def test_fail_under(project: Project) -> None:
    """Most lines are covered with kernels, not half of them without."""
    options = ["--cov=pk", "--cov-report=term-missing", "tests"]
    assert "Required test coverage of 85" in project.pytest("--cov-fail-under=85", *options)
    assert "not reached" in project.pytest("--cov-fail-under=95", *WORKER, *options, code=1)
    assert "not reached" in project.pytest("--cov-fail-under=85", *options, code=1, QD_KERNEL_COVERAGE="0")


@FOR_NEWEST
@pytest.mark.parametrize("option", ["--no-cov", "-pno:pytest_cov"])
def test_switched_off(project: Project, option: str) -> None:
    if option != "--no-cov":
        project.pytest(option, *WORKER, "tests")
    else:
        project.pytest("--cov=pk", option, "tests")
        project.pytest("--cov=pk", option, *WORKER, "tests")
    assert project.left_over() == [] and not (project.folder / ".coverage").exists()


def test_tests_that_are_not_to_be_measured(project: Project) -> None:
    """pytest-cov's marker and fixture no_cover: while such a test runs, kernels are not measured either."""
    project.write("tests/test_marked.py", MORE + "@pytest.mark.no_cover\ndef test_never():\n    kernels.never(np.zeros(3))\n")
    project.write("tests/test_fixture.py", MORE + "def test_large(no_cover):\n    kernels.step(1001, np.zeros(1001, dtype=np.float32))\n")
    kernels = both(project, "--cov=pk", "--cov-branch", workers=(WORKER,))["pk/kernels.py"]
    assert {line_of("x[0] = 1.0"), line_of("for i in range(3)")} <= set(kernels["missing_lines"])


def test_a_kernel_module_that_only_an_unmeasured_test_imports(project: Project) -> None:
    text = "import pytest\nimport numpy as np\n\n\n@pytest.mark.no_cover\ndef test_first():\n    import qd\n    qd.init()\n"
    project.write("tests/test_only.py", text + "    from pk import kernels\n    kernels.never(np.zeros(3))\n")
    project.write("tests/conftest.py", "")
    reports = [measured(project, "--cov=pk", tests="tests/test_only.py", arch=arch) for arch in ("python", "cpu")]
    assert reports[0] == reports[1]


CHILDREN = """\
import multiprocessing, subprocess, sys
import numpy as np
import qd
from pk import host, kernels

CHILD = "import qd, numpy as np; from pk import kernels; qd.init(log_level='error'); kernels.never(np.zeros(3))"

def in_fork():
    qd.init(log_level="error")
    kernels.step(3, np.full(3, 500, dtype=np.float32))
    host.describe(9)

def test_fork():
    child = multiprocessing.get_context("fork").Process(target=in_fork)
    child.start()
    child.join()
    assert child.exitcode == 0

def test_subprocess(tmp_path):
    subprocess.run([sys.executable, "-c", CHILD], check=True, cwd=tmp_path)
"""


def test_failing_tests_and_child_processes(project: Project) -> None:
    """pytest-cov 4 measures children itself; with the newest, coverage.py does so when it is told to."""
    patch = "patch = subprocess\n" if project.environment.name == "newest" else ""
    project.write(".coveragerc", f"[run]\nbranch = true\nparallel = true\nconcurrency = multiprocessing\nsource = {project.folder}/pk\n{patch}")
    project.write("tests/test_children.py", CHILDREN)
    project.write("tests/test_a_fails.py", MORE + "def test_fails():\n    kernels.step(60, np.zeros(60, dtype=np.float32))\n    assert 0\n")
    kernels = both(project, "--cov", workers=EITHER, code=1)["pk/kernels.py"]
    assert {line_of("x[i] = 0.0"), line_of("for i in range(3)"), line_of("break")} <= set(kernels["executed_lines"])


SESSION_IN_A_TEST = """\
from pk import kernels

pytest_plugins = ["pytester"]


def test_outer(pytester):
    pytester.makepyfile(test_inner="from pk import kernels\\n\\ndef test_inner():\\n    kernels.evens(4)\\n")
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    kernels.evens(3)
"""


def test_a_session_that_a_test_runs_within_it(project: Project) -> None:
    """An inner session, as tests of pytest plugins have. Its lines belong to that test, for the host's coverage too."""
    project.write("tests/conftest.py", "import qd\n\ndef pytest_configure():\n    qd.init(log_level='error')\n")
    project.write("tests/test_outer.py", SESSION_IN_A_TEST)
    project.pytest("--cov=pk", "--cov-branch", "--cov-context=test", "tests/test_outer.py", QD_KERNEL_COVERAGE="0")
    host = {context for _, context, *_ in rows(project.folder / ".coverage")["arcs"]}
    project.pytest("--cov=pk", "--cov-branch", "--cov-context=test", "tests/test_outer.py")
    assert {context for _, context, *_ in rows(project.folder / ".coverage")["arcs"]} == host | {"tests/test_outer.py::test_outer|run|qd:cpu"}
    assert project.left_over() == []


def test_reports(project: Project) -> None:
    """Each report that pytest-cov can write has the kernels."""
    project.pytest("--cov=pk", "--cov-branch", *(f"--cov-report={kind}" for kind in ("html", "xml", "lcov", "annotate")), "tests")
    line = line_of("rest = i")
    assert f'<line number="{line}" hits="1"/>' in (project.folder / "coverage.xml").read_text()
    assert f"DA:{line},1" in (project.folder / "coverage.lcov").read_text()
    assert (project.folder / "pk/kernels.py,cover").read_text().splitlines()[line - 1].startswith("> ")
    (page,) = (project.folder / "htmlcov").glob("*kernels_py.html")
    assert re.search(rf'<p class="run"><span class="n"><a id="t{line}"', page.read_text())


@WORKERS
def test_a_run_that_stops_at_the_first_failure_leaves_nothing_to_the_next(
    project: Project, workers: tuple[str, ...], plain: Callable[..., Report]
) -> None:
    """pytest-cov 7 combines nothing then."""
    project.write("tests/test_a_fails.py", MORE + "def test_fails():\n    kernels.never(np.zeros(3))\n    assert 0\n")
    project.pytest("--cov=pk", "-x", *workers, "tests", code=2 if workers else 1)
    (project.folder / "tests/test_a_fails.py").unlink()
    assert line_of("for i in range(3)") in both(project, "--cov=pk", python=plain(), workers=(workers,))["pk/kernels.py"]["missing_lines"]


@FOR_NEWEST
@pytest.mark.parametrize("core", ["ctrace", "pytrace", "sysmon"])
def test_cores_of_coverage(project: Project, core: str, plain: Callable[..., Report]) -> None:
    if core == "sysmon" and sys.version_info < (3, 12):
        pytest.skip("coverage.py has the core sysmon from Python 3.12 on")
    both(project, "--cov=pk", "--cov-branch", python=plain("--cov-branch"), COVERAGE_CORE=core)


def test_rows_of_data(project: Project) -> None:
    """The host's rows are the same as without kernels, and no file outside --cov has any."""
    project.pytest("--cov=pk", "--cov-branch", "--cov-report=", "tests")
    with_kernels = rows(project.folder / ".coverage")
    project.pytest("--cov=pk", "--cov-branch", "--cov-report=", "tests", QD_KERNEL_COVERAGE="0")
    without = rows(project.folder / ".coverage")
    assert without["arcs"] < with_kernels["arcs"] and without["files"] == with_kernels["files"]
    assert {context for _, context, _, _ in with_kernels["arcs"] - without["arcs"]} == {"qd:cpu"}
