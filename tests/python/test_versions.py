"""Versions of sources in data of kernels and of pytest-cov: the text that was compiled or imported."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

KERNELS = """
import qd


@qd.kernel
def sign(x: qd.i32) -> qd.i32:
    result = 1
    if x < 0:
        result = -1
    return result
"""

PROGRAM = """
import os
import signal
import sys
from pathlib import Path

import kernels
import qd

qd.init(log_level="error")
assert kernels.sign(-3) == -1
if sys.argv[1] == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[1] == "edit":
    Path("kernels.py").write_text("import os\\n" + Path("kernels.py").read_text())
"""

TESTS = """
import kernels
import plain
import qd


def test_sign():
    qd.init(log_level="error")
    assert kernels.sign(-3) == -1


def test_plain():
    assert plain.twice(2) == 4
"""


def environment(**more: str) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE", "QD_COVERAGE", "PYTEST"))}
    return {**env, **more}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "plain.py").write_text("def twice(x):\n    return 2 * x\n")
    (tmp_path / "test_all.py").write_text(TESTS)
    return tmp_path


def call(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, env=environment(**more), capture_output=True, text=True, check=False)


def kernels_alone(folder: Path, how: str) -> int:
    return call(folder, sys.executable, "program.py", how, QD_KERNEL_COVERAGE="1").returncode


def of_sources(folder: Path) -> bool:
    """Whether the data of each source is of the source as it is."""
    done = call(folder, "qd-cov", "report", "--require-hashes")
    assert done.returncode in (0, 2), done.stdout + done.stderr
    return done.returncode == 0


def hashes(path: Path) -> dict[str, int]:
    """Versions of each source."""
    with sqlite3.connect(path) as database:
        rows = database.execute("SELECT path, count(*) FROM qd_source JOIN file ON file.id = file_id GROUP BY path").fetchall()
    return {Path(source).name: n for source, n in rows}


ENCODED = {
    "utf_8": KERNELS.encode(),
    "utf_8_sig": KERNELS.encode("utf-8-sig"),
    "latin_1": f"# coding: latin-1\n# \u00fc\n{KERNELS}".encode("latin-1"),
    "crlf": KERNELS.replace("\n", "\r\n").encode(),
    "no_end": KERNELS.rstrip("\n").encode(),
}


def test_data_of_kernels(project: Path) -> None:
    """However the text is written in the file."""
    for name, text in ENCODED.items():
        (project / f"{name}.py").write_bytes(text)
    calls = "".join(f"import {name}\nassert {name}.sign(-3) == -1\n" for name in ENCODED)
    (project / "program.py").write_text(f"import qd\nqd.init(log_level='error')\n{calls}")
    assert kernels_alone(project, "") == 0
    assert call(project, "qd-cov", "combine").returncode == 0
    assert of_sources(project) and hashes(project / ".coverage") == {f"{name}.py": 1 for name in ENCODED}
    for name, text in ENCODED.items():
        (project / f"{name}.py").write_text(KERNELS + "\n\n")
        assert not of_sources(project), name
        (project / f"{name}.py").write_bytes(text)
    assert of_sources(project)


def test_journal_of_a_dead_process(project: Path) -> None:
    """The journal of a dead process says of which text the kernels were."""
    assert kernels_alone(project, "kill") == -signal.SIGKILL
    (project / "kernels.py").write_text("import os\n" + KERNELS)
    assert call(project, "qd-cov", "combine", "--keep").returncode == 0
    done = call(project, "qd-cov", "report", "--fail-under=1")
    assert (done.returncode, "The data of 'kernels.py' is of another version of it" in done.stderr) == (2, True)
    (project / "kernels.py").write_text(KERNELS)
    assert of_sources(project)
    assert call(project, "qd-cov", "recover").returncode == 0
    (recovered,) = project.glob("_qd_kcov.*")
    assert hashes(recovered) == {"kernels.py": 1}


def test_source_that_changes_after_the_launch(project: Path) -> None:
    """The text that was compiled counts, and not that which is there when the data is written."""
    assert kernels_alone(project, "edit") == 0
    assert call(project, "qd-cov", "combine").returncode == 0
    assert not of_sources(project)
    (project / "kernels.py").write_text(KERNELS)
    assert of_sources(project)


# pytest-cov.


def with_coverage(folder: Path, *options: str) -> None:
    done = call(folder, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--cov=.", "--cov-report=", *options)
    assert done.returncode == 0, done.stdout + done.stderr


def check_data(project: Path) -> None:
    found = hashes(project / ".coverage")
    assert {name: found[name] for name in ("kernels.py", "plain.py", "test_all.py")} == {"kernels.py": 1, "plain.py": 1, "test_all.py": 1}
    assert of_sources(project)
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert data.lines(str((project / "plain.py").resolve())) == [1, 2]


@pytest.mark.parametrize("options", [["-n", "2", "--cov-branch"], ["--cov-append"]])
def test_pytest_cov(project: Path, options: list[str]) -> None:
    """Host files and kernels, in the workers of xdist too."""
    with_coverage(project, *options)
    check_data(project)
    (project / "plain.py").write_text("# new\ndef twice(x):\n    return 2 * x\n")
    assert not of_sources(project)


def test_pytest_cov_without_kernels(project: Path) -> None:
    with_coverage(project, "-k", "plain", "--ignore=program.py")
    assert of_sources(project)


def test_pytest_cov_appends_to_another_version(project: Path) -> None:
    """Data of both versions is of neither. A file that did not change keeps its hash."""
    for append in ([], ["--cov-append"]):
        with_coverage(project, *append)
        check_data(project)
    (project / "plain.py").write_text("# new\ndef twice(x):\n    return 2 * x\n")
    with_coverage(project, "--cov-append")
    found = hashes(project / ".coverage")
    assert (found["plain.py"], found["kernels.py"]) == (2, 1)
    done = call(project, "qd-cov", "report", "--fail-under=1")
    assert (done.returncode, "The data of 'plain.py' is of another version of it" in done.stderr) == (2, True)


def test_pytest_cov_takes_what_an_earlier_run_left(project: Path) -> None:
    """pytest-cov with --cov-append combines a leftover of coverage.py that is older than the source; else it erases it."""
    (project / "use_plain.py").write_text("import plain\nplain.twice(1)\n")
    assert call(project, sys.executable, "-m", "coverage", "run", "-p", "use_plain.py").returncode == 0
    (left,) = project.glob(".coverage.*")
    saved = left.read_bytes()
    (project / "plain.py").write_text("# new\ndef twice(x):\n    return 2 * x\n")
    with_coverage(project)
    assert of_sources(project)
    left.write_bytes(saved)
    os.utime(left, (left.parent.stat().st_mtime - 1000,) * 2)
    with_coverage(project, "--cov-append")
    done = call(project, "qd-cov", "report", "--fail-under=1")
    assert (done.returncode, "Some data of 'plain.py' and 1 more has no version" in done.stderr) == (2, True)


def test_source_that_changes_while_tests_run(project: Path) -> None:
    """The imported text is gone when the session ends."""
    with (project / "test_all.py").open("a") as file:
        file.write("\n\ndef test_edit():\n    from pathlib import Path\n    Path('plain.py').write_text('# new\\n' + Path('plain.py').read_text())\n")
    with_coverage(project)
    done = call(project, "qd-cov", "report", "--fail-under=1")
    assert (done.returncode, "The data of 'plain.py' is of another version of it" in done.stderr) == (2, True)


HOSTILE = """
import os
from unittest import mock

import kernels
import pytest
import qd


@pytest.fixture
def no_environment():
    with mock.patch.dict(os.environ, clear=True):
        yield


@pytest.fixture
def no_files():
    with mock.patch("os.open") as opened, mock.patch("os.write") as written, mock.patch("os.close") as closed:
        yield [opened, written, closed]


def test_late(no_files):
    import late
    assert late.thrice(2) == 6
    assert [function.call_count for function in no_files] == [0, 0, 0]


def test_kernel(no_environment):
    qd.init(log_level="error")
    assert kernels.sign(-3) == -1
"""


@pytest.mark.parametrize("run", [False, True], ids=["pytest --cov", "qd-cov run"])
def test_a_test_may_replace_the_environment_and_os(run: bool, project: Path) -> None:
    """Its mocks see nothing of the measurement, which goes on."""
    (project / "late.py").write_text("def thrice(x):\n    return 3 * x\n")
    (project / "test_all.py").write_text(HOSTILE)
    pytest_words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_all.py"]
    if run:
        done = call(project, "qd-cov", "run", "--source=.", "--context=test", *pytest_words)
    else:
        done = call(project, sys.executable, *pytest_words, "--cov=.", "--cov-report=", "--cov-context=test")
    assert done.returncode == 0, done.stdout + done.stderr
    assert hashes(project / ".coverage")["late.py"] == 1
    data = CoverageData(str(project / ".coverage"))
    data.read()
    assert data.contexts_by_lineno(str((project / "late.py").resolve()))[2] == ["test_all.py::test_late|run"]
    assert data.contexts_by_lineno(str((project / "kernels.py").resolve()))[9] == ["test_all.py::test_kernel|run|qd:cpu"]
