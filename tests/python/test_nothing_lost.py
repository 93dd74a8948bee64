"""However a process ends, what its finished launches reached is in the data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

KERNELS = '''
import qd


@qd.kernel
def sign(x: qd.i32) -> qd.i32:
    result = 0
    if x < 0:
        result = -1
    else:
        result = 1
    return result
'''
BODY = {7, 8, 9, 11, 12}
NEGATIVE = {7, 8, 9, 12}

PROGRAM = '''
import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys

import kernels
import qd

qd.init(log_level="error")
assert kernels.sign(-3) == -1

how = sys.argv[1]
if how == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
elif how == "abort":
    os.abort()
elif how == "exit":
    os._exit(5)
elif how == "segfault":
    ctypes.string_at(0)
elif how == "reset":
    qd.init(log_level="error")
    os._exit(5)
elif how == "fork":
    # The child launches the other arm and is killed; it reports nothing of its parent's.
    child = os.fork()
    if child == 0:
        qd.init(log_level="error")
        kernels.sign(3)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
elif how == "elsewhere":
    subprocess.run([sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1]); import qd, os, kernels; "
                    "qd.init(log_level='error'); kernels.sign(3); os._exit(0)", os.getcwd()], cwd="/", check=True)
elif how == "raise":
    raise ValueError("an exception ends the program")
'''


def environment(**more: str) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE", "PYTEST"))}
    return {**env, "QD_KERNEL_COVERAGE": "1", **more}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def run(folder: Path, how: str, **more: str) -> int:
    return subprocess.run([sys.executable, "program.py", how], cwd=folder, env=environment(**more), capture_output=True, check=False).returncode


def lines(folder: Path, data_file: str = ".coverage") -> set[int]:
    """Executed lines of kernels.py in a data file."""
    data = CoverageData(str(folder / data_file))
    data.read()
    return {line for file in data.measured_files() if file.endswith("kernels.py") for line in data.lines(file) or []}


@pytest.mark.parametrize(
    ("how", "code"),
    [("kill", -signal.SIGKILL), ("abort", -signal.SIGABRT), ("exit", 5), ("segfault", -signal.SIGSEGV), ("reset", 5), ("raise", 1), ("nothing", 0)],
)
def test_a_finished_launch_is_in_the_data(project: Path, how: str, code: int) -> None:
    assert run(project, how) == code
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == NEGATIVE
    assert list(project.glob("_qd_kcov*")) == []


def test_recover_makes_data_files_for_stock_coverage(project: Path) -> None:
    run(project, "kill")
    (journal,) = project.glob("_qd_kcov-journal.*")
    done = subprocess.run(["qd-cov", "recover"], cwd=project, env=environment(), check=True, capture_output=True, text=True)
    (file,) = project.glob("_qd_kcov*")
    assert file.name == journal.name.replace("-journal", "") and str(file) in done.stdout
    subprocess.run([sys.executable, "-m", "coverage", "combine", "-q", str(file)], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == NEGATIVE
    cov = Coverage(data_file=str(project / ".coverage"), config_file=False)
    cov.load()
    assert set(cov.analysis2(str(project / "kernels.py"))[3]) & BODY == BODY - NEGATIVE
    again = subprocess.run(["qd-cov", "recover"], cwd=project, env=environment(), check=False, capture_output=True, text=True)
    assert again.returncode == 1 and "No journals to recover" in again.stdout + again.stderr


def test_a_forks_child_reports_its_own_launches_alone(project: Path) -> None:
    assert run(project, "fork") == 0
    (parent,) = project.glob("_qd_kcov.*")
    (journal,) = project.glob("_qd_kcov-journal.*")
    assert lines(project, parent.name) & BODY == NEGATIVE
    subprocess.run(["qd-cov", "recover", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project, journal.name.replace("-journal", "")) & BODY == BODY - {9}


def test_a_subprocess_with_another_folder(project: Path) -> None:
    assert run(project, "elsewhere", QD_KERNEL_COVERAGE_DIR=str(project)) == 0
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == BODY


@pytest.mark.parametrize("how", ["kill", "exit"])
def test_under_qd_cov_run(project: Path, how: str) -> None:
    env = environment()
    del env["QD_KERNEL_COVERAGE"]
    command = ["qd-cov", "run", "--", sys.executable, "program.py", how]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == (128 + 9 if how == "kill" else 5)
    assert lines(project) & BODY == NEGATIVE
    assert list(project.glob("_qd_kcov*")) == []


def test_a_live_process_keeps_its_journal(project: Path) -> None:
    code = "import sys, kernels, qd; qd.init(log_level='error'); kernels.sign(-1); print('launched', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=project, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"launched\n"
        assert len(list(project.glob("_qd_kcov-journal.*"))) == 1
        done = subprocess.run(["qd-cov", "combine"], cwd=project, env=environment(), check=False, capture_output=True, text=True)
        assert done.returncode == 1 and "No data to combine" in done.stdout + done.stderr
        assert len(list(project.glob("_qd_kcov-journal.*"))) == 1
    assert [p.name for p in project.glob("_qd_kcov*")] == [f"_qd_kcov.{process.pid}"]


def test_a_worker_of_xdist_that_is_killed(project: Path, plugin_path: str) -> None:
    (project / "conftest.py").write_text("")
    (project / "test_sign.py").write_text(
        "import os, signal\nimport kernels, qd\n\n\n"
        "def test_negative():\n    qd.init(log_level='error')\n    assert kernels.sign(-1) == -1\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    env = environment(PYTHONPATH=os.pathsep.join([plugin_path, os.environ["PYTHONPATH"]]))
    del env["QD_KERNEL_COVERAGE"]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "1", "--max-worker-restart=0", "test_sign.py"]
    command += ["--cov=kernels", "--cov-branch", "--cov-report="]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    assert lines(project) & BODY == NEGATIVE, done.stdout + done.stderr
    assert list(project.glob("_qd_kcov*")) == []


def test_a_file_that_is_no_journal_does_not_fail_the_tests(project: Path, plugin_path: str) -> None:
    (project / "conftest.py").write_text("")
    (project / "test_sign.py").write_text(
        "import kernels, qd\n\n\n"
        "def test_negative():\n    qd.init(log_level='error')\n    assert kernels.sign(-1) == -1\n"
        "    open('_qd_kcov-journal.1', 'w').write('not a journal')\n"
    )
    env = environment(PYTHONPATH=os.pathsep.join([plugin_path, os.environ["PYTHONPATH"]]))
    del env["QD_KERNEL_COVERAGE"]
    command = [sys.executable, "-m", "pytest", "-q", "--cov=kernels", "--cov-branch", "--cov-report=", "test_sign.py"]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert lines(project) & BODY == NEGATIVE
    assert (project / "_qd_kcov-journal.1").read_text() == "not a journal"
