"""Children report their own launches, all of them and no other process's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_nothing_lost import BODY, KERNELS, NEGATIVE, environment, lines

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release").resolve()
POSITIVE = BODY - {9}

PROGRAM = """
import multiprocessing
import os
import signal
import sys
import time

import kernels
import qd


def child(how):
    qd.init(log_level="error")
    assert kernels.sign(3) == 1
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "_exit":
        os._exit(3)
    if how == "raise":
        raise ValueError("a child fails")
    if how == "terminate":
        open("launched", "w").close()
        time.sleep(60)


def main():
    method, *ends = sys.argv[1:]
    qd.init(log_level="error")
    assert kernels.sign(-3) == -1
    for how in ends:
        if method == "os.fork":
            pid = os.fork()
            if pid == 0:
                child(how)
                return
            os.waitpid(pid, 0)
            continue
        process = multiprocessing.get_context(method).Process(target=child, args=(how,))
        process.start()
        if how == "terminate":
            while not os.path.exists("launched"):
                time.sleep(0.1)
            process.terminate()
        process.join()


if __name__ == "__main__":
    main()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def by_process(folder: Path, file: str = "kernels.py") -> list[set[int]]:
    """Executed lines of a file in each data file, the journals of the dead among them."""
    subprocess.run(["qd-cov", "recover", "-q"], cwd=folder, env=environment(), check=False, capture_output=True)
    return sorted((lines(folder, data.name, file) for data in folder.glob("_qd_kcov.*")), key=sorted)


ENDS = ["return", "raise", "_exit", "kill"]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver", "os.fork"])
def test_a_child_reports_its_own_launches_alone(project: Path, method: str) -> None:
    """However it ends."""
    ends = ENDS if method == "os.fork" else [*ENDS, "terminate"]
    subprocess.run([sys.executable, "program.py", method, *ends], cwd=project, env=environment(), check=True, capture_output=True, timeout=120)
    assert [found & BODY for found in by_process(project)] == [NEGATIVE] + [POSITIVE] * len(ends)


def test_a_child_with_another_folder(project: Path) -> None:
    """Data that a child left in its own folder would never be combined."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import qd, os, kernels; qd.init(log_level='error'); kernels.sign(3); os._exit(0)"
    program = f"import subprocess, sys, os\nsubprocess.run([sys.executable, '-c', {code!r}, os.getcwd()], cwd='/', check=True)"
    subprocess.run([sys.executable, "-c", program], cwd=project, env=environment(QD_KERNEL_COVERAGE_DIR=str(project)), check=True)
    assert [found & BODY for found in by_process(project)] == [POSITIVE]


@pytest.mark.parametrize("folder", ["", "data"])
def test_a_child_of_a_measured_program_with_another_folder(project: Path, folder: str) -> None:
    """The folder is known without a setting; one that was set is the parent's, not one below the child's."""
    child = "import qd, os, kernels; qd.init(log_level='error'); kernels.sign(3); os._exit(0)"
    program = "import qd, kernels, subprocess, sys\nqd.init(log_level='error')\nkernels.sign(-3)\n"
    program += f"subprocess.run([sys.executable, '-c', {child!r}], cwd='/tmp', check=True)"
    env = environment(QD_KERNEL_COVERAGE_DIR=folder)
    env["PYTHONPATH"] = os.pathsep.join([str(project), env["PYTHONPATH"]])
    subprocess.run([sys.executable, "-c", program], cwd=project, env=env, check=True)
    for file in (project / folder).glob("_qd_kcov*"):
        file.rename(project / file.name)
    assert [found & BODY for found in by_process(project)] == [NEGATIVE, POSITIVE]


def test_a_child_of_a_test_dies_in_another_folder(project: Path, plugin_path: str) -> None:
    """Under pytest-cov, tests run programs in temporary folders, and some leave pytest in one."""
    (project / "test_sign.py").write_text(
        "import os, subprocess, sys\n\n\ndef test_child(tmp_path):\n"
        "    code = \"import os, qd, kernels; qd.init(log_level='error'); kernels.sign(-1); os._exit(0)\"\n"
        "    subprocess.run([sys.executable, '-c', code], cwd=tmp_path, check=True)\n    assert not list(tmp_path.iterdir())\n"
        "    os.chdir(tmp_path)\n    import kernels, qd\n    qd.init(log_level='error')\n    kernels.sign(1)\n"
        "    assert not list(tmp_path.iterdir())\n"
    )
    env = environment(PYTHONPATH=os.pathsep.join([str(project), plugin_path, os.environ["PYTHONPATH"]]))
    del env["QD_KERNEL_COVERAGE"]
    command = [sys.executable, "-m", "pytest", "-q", "test_sign.py", "--cov=kernels", "--cov-branch", "--cov-report="]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert lines(project) & BODY == BODY
    assert list(project.glob("_qd_kcov*")) == []


def test_a_child_with_another_folder_under_qd_cov_run(project: Path) -> None:
    code = "import sys; sys.path.insert(0, sys.argv[1]); import qd, os, kernels; qd.init(log_level='error'); kernels.sign(3); os._exit(0)"
    program = f"import subprocess, sys, os\nsubprocess.run([sys.executable, '-c', {code!r}, os.getcwd()], cwd='/', check=True)"
    (project / "parent.py").write_text(program)
    env = environment()
    del env["QD_KERNEL_COVERAGE"]
    subprocess.run(["qd-cov", "run", "--", sys.executable, "parent.py"], cwd=project, env=env, check=True)
    assert lines(project) & BODY == POSITIVE


@pytest.mark.parametrize("how", ["exit", "_exit", "kill"])
def test_a_cpp_program_that_forks(tmp_path: Path, how: str) -> None:
    source = Path(__file__).resolve().parents[1] / "projects/cpp/kernels.py"
    program = BUILD / "tests/projects/cpp/forks_program"
    subprocess.run([program, source, how], cwd=tmp_path, env=environment(), check=True)
    add = next(number for number, line in enumerate(source.read_text().splitlines(), 1) if "total += x[i]" in line)
    assert sorted(add in found for found in by_process(tmp_path)) == [False, True]


FORK_AT_ONCE = """
import os
import signal
import sys
import threading
import time

import kernels
import qd


def start():
    qd.init(log_level="error", offline_cache=True)


def first_launch_beside_a_fork(delay):
    start()
    thread = threading.Thread(target=kernels.sign, args=(3,))
    thread.start()
    time.sleep(delay)
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        start()
        os._exit(0 if kernels.sign(3) == 1 else 1)
    status = os.waitpid(pid, 0)[1]
    thread.join()
    return os.waitstatus_to_exitcode(status)


# Each round is a process of its own, where nothing has been launched yet.
for number in range(30):
    delay = number * 5e-5
    pid = os.fork()
    if pid == 0:
        os._exit(first_launch_beside_a_fork(delay) & 255)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code != 0:
        sys.exit(f"the child of a process that forked {delay * 1e6:.0f} µs after another thread's first launch ended with {code}")
"""


def test_fork_while_another_thread_launches_for_the_first_time(project: Path) -> None:
    """One-time work of a process's first launch, such as reading the processor's name, leaves no lock behind for the child."""
    own = {**environment(), "QD_OFFLINE_CACHE_FILE_PATH": str(project / "cache")}
    done = subprocess.run([sys.executable, "-c", FORK_AT_ONCE], cwd=project, env=own, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


FORK_WITHOUT_INIT = """
import os
import qd

qd.init(arch=qd.cpu, log_level="error")
if os.fork() == 0:
    qd.field(qd.f32, shape=3)
os.wait()
"""


def test_a_fork_without_init(project: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FORK_WITHOUT_INIT], cwd=project, env=environment(), capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1].startswith("qd.KernelRuntimeError: qd.init() has not been called in this process, the child of a fork: ")
