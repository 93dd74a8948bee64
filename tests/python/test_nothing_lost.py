"""Arcs of finished launches are in the data, however a process ends. Its children: test_children.py."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

KERNELS = """
import qd


@qd.kernel
def sign(x: qd.i32) -> qd.i32:
    result = 0
    if x < 0:
        result = -1
    else:
        result = 1
    return result


@qd.kernel
def wrong(x: qd.i32):
    y = x + unknown
"""
BODY = {7, 8, 9, 11, 12}
NEGATIVE = {7, 8, 9, 12}

PROGRAM = """
import ctypes
import os
import signal
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
    qd.reset()
    os._exit(5)
elif how == "init":
    qd.init(log_level="error")
    os._exit(5)
elif how == "terminate":
    os.kill(os.getpid(), signal.SIGTERM)
elif how == "no-folder":
    # The folder in which the process ends is gone.
    os.mkdir("gone")
    os.chdir("gone")
    os.rmdir("../gone")
elif how == "raise-in-thread":
    import threading

    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    os._exit(5)
elif how == "full":
    # The data file cannot be written when the process ends; the journal is there.
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
elif how == "wrong-kernel":
    try:
        kernels.wrong(1)
    except qd.KernelCompilationError:
        os._exit(5)
elif how == "raise":
    raise ValueError("an exception ends the program")
"""


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


def lines(folder: Path, data_file: str = ".coverage", source: str = "kernels.py") -> set[int]:
    """Executed lines of a source in a data file."""
    data = CoverageData(str(folder / data_file))
    data.read()
    return {line for file in data.measured_files() if file.endswith(source) for line in data.lines(file) or []}


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("kill", -signal.SIGKILL),
        ("abort", -signal.SIGABRT),
        ("exit", 5),
        ("segfault", -signal.SIGSEGV),  # no device has to live for records to be read
        ("terminate", -signal.SIGTERM),
        ("reset", 5),
        ("init", 5),
        ("raise", 1),
        ("raise-in-thread", 5),
        ("no-folder", 0),
        ("full", 0),
        ("wrong-kernel", 5),
        ("nothing", 0),
    ],
)
def test_a_finished_launch_is_in_the_data(project: Path, how: str, code: int) -> None:
    assert run(project, how) == code
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == NEGATIVE
    assert list(project.glob("_qd_kcov*")) == []


@pytest.mark.parametrize("how", ["nothing", "kill"])
def test_erase_takes_the_parts_of_kernels(project: Path, how: str) -> None:
    """So that `combine` cannot bring back what an earlier process has run."""
    run(project, how)
    (project / "_qd_kcov.note").write_text("no data")
    assert len(list(project.glob("_qd_kcov*"))) == 2
    done = subprocess.run(["qd-cov", "erase"], cwd=project, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, [path.name for path in project.glob("_qd_kcov*")]) == (1, ["_qd_kcov.note"])
    assert "Not erased, because it isn't coverage data: " in done.stdout + done.stderr


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


@pytest.mark.parametrize("command", ["combine", "recover"])
def test_a_live_process_keeps_its_journal(project: Path, command: str) -> None:
    code = "import sys, kernels, qd; qd.init(log_level='error'); kernels.sign(-1); print('launched', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], cwd=project, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"launched\n"
        assert len(list(project.glob("_qd_kcov-journal.*"))) == 1
        done = subprocess.run(["qd-cov", command], cwd=project, env=environment(), check=False, capture_output=True, text=True)
        assert done.returncode == 1 and f"No {'data to combine' if command == 'combine' else 'journals to recover'}" in done.stdout + done.stderr
        assert len(list(project.glob("_qd_kcov-journal.*"))) == 1
    (file,) = project.glob("_qd_kcov*")
    assert file.name.startswith("_qd_kcov.") and f".pid{process.pid}.X" in file.name


@pytest.mark.parametrize("how", ["kill", "exit"])
def test_under_qd_cov_run(project: Path, how: str) -> None:
    env = environment()
    del env["QD_KERNEL_COVERAGE"]
    command = ["qd-cov", "run", "--", sys.executable, "program.py", how]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == (128 + 9 if how == "kill" else 5)
    assert lines(project) & BODY == NEGATIVE
    assert list(project.glob("_qd_kcov*")) == []


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


START_UPS = {
    # The runtime's own start fails once.
    "options": "try:\n    qd.init(log_level='error', default_fp='f16')\nexcept Exception as e:\n    print('failed', type(e).__name__)\n",
    "program": "import qdcov._native as n\nreal = n.program\ndef broken(*given):\n    raise MemoryError\nn.program = broken\n"
    "try:\n    qd.init(log_level='error')\nexcept MemoryError:\n    print('failed MemoryError')\nn.program = real\n",
}


@pytest.mark.parametrize("what", START_UPS)
def test_an_exception_during_start_up(project: Path, what: str) -> None:
    code = f"import kernels, os, qd\n{START_UPS[what]}qd.init(log_level='error')\nkernels.sign(-3)\nos._exit(0)"
    done = subprocess.run([sys.executable, "-c", code], cwd=project, env=environment(), check=True, capture_output=True, text=True)
    assert done.stdout.startswith("failed")
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == NEGATIVE


def test_a_configuration_that_cannot_be_read(project: Path) -> None:
    (project / ".coveragerc").write_text("[run]\nbranch = maybe\n")
    done = subprocess.run([sys.executable, "program.py", "nothing"], cwd=project, env=environment(), check=True, capture_output=True, text=True)
    assert done.stderr.count("Not a boolean: maybe") == 1
    (file,) = project.glob("_qd_kcov*")
    assert lines(project, file.name) & BODY == NEGATIVE


@pytest.mark.parametrize("gone", ["start", "target"])
def test_without_a_folder_to_write_to_the_program_runs(project: Path, gone: str) -> None:
    (project / "started").mkdir()
    (project / "file").write_text("no folder")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import qd, kernels; qd.init(log_level='error'); print(kernels.sign(-3))"
    more = {"QD_KERNEL_COVERAGE_DIR": str(project / "file")} if gone == "target" else {}
    command = ["sh", "-c", 'rmdir ../started; exec "$0" -P -c "$1" "$2"' if gone == "start" else 'exec "$0" -c "$1" "$2"']
    command += [sys.executable, code, str(project)]
    done = subprocess.run(command, cwd=project / "started", env=environment(**more), check=True, capture_output=True, text=True)
    assert done.stdout == "-1\n"
    assert "kernel coverage could not be written" in done.stderr and "Traceback" not in done.stderr


def test_launches_after_the_data_file_was_written(project: Path) -> None:
    code = "import atexit, os, sys, qd, kernels\n"
    code += "def late():\n    qd.init(log_level='error')\n    kernels.sign(3)\n    sys.stdout.flush()\n    os._exit(0)\n"
    code += "atexit.register(late)\nqd.init(log_level='error')\nkernels.sign(-3)\n"
    subprocess.run([sys.executable, "-c", code], cwd=project, env=environment(), check=True)
    (file,) = project.glob("_qd_kcov.*")
    assert lines(project, file.name) & BODY == NEGATIVE
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == BODY


def test_no_space_while_the_program_runs(project: Path) -> None:
    code = "import resource, qd, kernels\nresource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))\n"
    code += "qd.init(log_level='error')\nkernels.sign(-3)\n"
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=project, env=environment(), check=True, capture_output=True, text=True)
    assert done.stderr.count("a crash of this process would lose kernel coverage") == 1
    (file,) = project.glob("_qd_kcov.*")
    assert lines(project, file.name) & BODY == NEGATIVE


def test_a_reset_while_another_thread_launches(project: Path) -> None:
    (project / "slow.py").write_text(
        "import qd\n\n\n@qd.kernel\ndef slow(n: qd.i32) -> qd.i32:\n    x = 1\n    if n > 0:\n        for i in range(n):\n"
        "            for j in range(1000):\n                x = (x * 1103515245 + 12345) % 2147483647\n    else:\n        x = 2\n    return x\n"
    )
    code = "import os, threading, time, qd, slow, kernels\nqd.init(log_level='error')\nslow.slow(0)\n"
    code += "thread = threading.Thread(target=lambda: slow.slow(200_000))\nthread.start()\ntime.sleep(0.05)\nassert thread.is_alive()\n"
    code += "qd.reset()\nqd.init(log_level='error')\nkernels.sign(-3)\nthread.join()\nos._exit(0)\n"
    subprocess.run([sys.executable, "-c", code], cwd=project, env=environment(), check=True)
    subprocess.run(["qd-cov", "combine", "-q"], cwd=project, env=environment(), check=True)
    assert lines(project) & BODY == NEGATIVE
    assert lines(project, source="slow.py") >= {6, 7, 8, 9, 10, 12, 13}
