"""Failures of launches that nothing waited for: they are printed at the end of the process, whose exit code tells of them, and fail the test that
launched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = """\
import qd


@qd.kernel
def fail(n: qd.i32):
    assert n < 3, 'too many'


def fail_later(n):
    fail(n, qd_stream=qd.create_stream())
"""

START = "import atexit, os, sys\nimport qd, kernels\nqd.init(debug=True, log_level='error')\n"
FAILURE = "KernelAssertionError: (kernel=fail) too many"

PROGRAMS = {
    # The program, its exit code, what it prints, and how many failures it tells.
    "the_last_statement": ("kernels.fail_later(5)\n", 1, "", 1),
    "none": ("kernels.fail_later(2)\n", 0, "", 0),
    "sys_exit": ("kernels.fail_later(5)\nsys.exit(3)\n", 3, "", 1),
    "an_exception": ("kernels.fail_later(5)\nraise ValueError('mine')\n", 1, "", 1),
    "two_streams": ("kernels.fail_later(5)\nkernels.fail_later(6)\n", 1, "", 2),
    "a_handled_one": ("kernels.fail_later(5)\ntry:\n    qd.sync()\nexcept AssertionError:\n    print('handled')\n", 0, "handled\n", 0),
    "functions_of_atexit_run": (
        "atexit.register(print, 'behind')\nkernels.fail_later(5)\natexit.register(print, 'before')\n",
        1,
        "before\nbehind\n",
        1,
    ),
    "a_hook": ("sys.excepthook = lambda kind, value, place: print(kind.__name__)\nkernels.fail_later(5)\n", 1, "KernelAssertionError\n", 0),
    "a_hook_that_fails": ("sys.excepthook = lambda *_: 1 / 0\nkernels.fail_later(5)\n", 1, "", 0),
}
EARLIER = "import atexit, kernels\natexit.register(lambda: kernels.fail_later(5))\n"  # runs behind the runtime's own function


def run(folder: Path, text: str, *command: str) -> subprocess.CompletedProcess[str]:
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "program.py").write_text(text)
    words = [*command, sys.executable, "program.py"]
    return subprocess.run(words, cwd=folder, env={**os.environ, "COLUMNS": "200"}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", PROGRAMS)
def test_exit_code(tmp_path: Path, on_back_end: str, name: str) -> None:
    text, exit_code, output, failures = PROGRAMS[name]
    done = run(tmp_path, START + text)
    assert (done.returncode, done.stdout, done.stderr.count(FAILURE)) == (exit_code, output, failures), done.stderr
    assert ("ValueError: mine" in done.stderr) == (name == "an_exception")


def test_launch_of_a_late_function_of_atexit(tmp_path: Path, on_back_end: str) -> None:
    done = run(tmp_path, EARLIER + START)
    assert done.returncode == 1
    assert FAILURE in done.stderr


def test_under_qd_cov_run(tmp_path: Path, on_back_end: str) -> None:
    """The exit code is the program's, and nothing of the data is lost."""
    done = run(tmp_path, START + PROGRAMS["the_last_statement"][0], "qd-cov", "run", "--")
    assert done.returncode == 1
    assert FAILURE in done.stderr
    assert ["kernels.py", "6", "0", "100%"] in [line.split() for line in done.stderr.splitlines()]


@pytest.mark.parametrize("how", ["fork", "spawn"])
@pytest.mark.parametrize("n", [2, 5])
def test_children_of_multiprocessing(tmp_path: Path, on_back_end: str, how: str, n: int) -> None:
    """They leave with os._exit, and other finalizers still run."""
    text = (
        "import multiprocessing, multiprocessing.util\n"
        f"def work():\n    multiprocessing.util.Finalize(None, print, ['finalized'], exitpriority=-500)\n    import kernels, qd\n"
        f"    qd.init(debug=True, log_level='error')\n    kernels.fail_later({n})\n"
        f"if __name__ == '__main__':\n    child = multiprocessing.get_context({how!r}).Process(target=work)\n"
        "    child.start()\n    child.join()\n    print('child', child.exitcode)\n"
    )
    done = run(tmp_path, text)
    assert (done.returncode, done.stdout) == (0, f"finalized\nchild {int(n > 2)}\n"), done.stderr
    assert done.stderr.count(FAILURE) == int(n > 2)


TESTS = """\
import kernels
import pytest
import qd

qd.init(debug=True, log_level="error")


@pytest.fixture
def before():
    kernels.fail_later(5)


@pytest.fixture
def after():
    yield
    kernels.fail_later(5)


def test_first():
    pass


def test_last_statement():
    kernels.fail_later(5)


def test_two_errors():
    kernels.fail_later(5)
    assert 0, "mine"


def test_skips():
    kernels.fail_later(5)
    pytest.skip("half done")


@pytest.mark.xfail(raises=qd.KernelAssertionError)
def test_expected():
    kernels.fail_later(5)


def test_handled():
    kernels.fail_later(5)
    with pytest.raises(AssertionError):
        qd.sync()


def test_before(before):
    pass


def test_after(after):
    pass


def test_last():
    kernels.fail_later(2)
"""
OUTCOMES = {
    "FAILED": ["test_last_statement", "test_two_errors", "test_skips"],
    "ERROR": ["test_before", "test_after"],
    "PASSED": ["test_first", "test_handled", "test_after", "test_last"],
    "XFAIL": ["test_expected"],
}


def run_pytest(folder: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-rA", "--color=no", "-p", "no:cacheprovider", *words, "test_it.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [[], ["--cov=."], ["-n", "1"]], ids=["alone", "pytest-cov", "xdist"])
def test_tests_fail(tmp_path: Path, on_back_end: str, words: list[str]) -> None:
    """The test that launched fails, and no other one."""
    done = run_pytest(tmp_path, TESTS, *words)
    lines = [line.split() for line in done.stdout.splitlines()]
    outcomes = {outcome: [line[1].removeprefix("test_it.py::") for line in lines if line[:1] == [outcome] and len(line) > 1] for outcome in OUTCOMES}
    assert outcomes == OUTCOMES, done.stdout
    assert done.returncode == 1
    assert "Captured kernel call" in done.stdout


def test_launch_of_an_import_fails_its_module(tmp_path: Path, on_back_end: str) -> None:
    done = run_pytest(tmp_path, TESTS + "\n\nkernels.fail_later(5)\n")
    assert done.returncode == 2
    assert f"ERROR test_it.py - test_it.py: qd.{FAILURE}" in done.stdout


def test_launch_behind_all_tests(tmp_path: Path, on_back_end: str) -> None:
    """In a hook of pytest: no test is left to fail, and the exit code tells."""
    (tmp_path / "conftest.py").write_text("import kernels\n\n\ndef pytest_unconfigure():\n    kernels.fail_later(5)\n")
    done = run_pytest(tmp_path, "import qd\n\nqd.init(debug=True, log_level='error')\n\n\ndef test_it():\n    pass\n")
    assert "1 passed" in done.stdout
    assert done.returncode == 1
    assert FAILURE in done.stderr
