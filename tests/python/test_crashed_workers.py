"""A worker of xdist that dies, and the others: nothing of those that live is lost, and of the dead one no kernel."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData
from test_nothing_lost import environment

KERNELS = """
import qd


@qd.kernel
def first(x: qd.i32) -> qd.i32:
    return x + 1


@qd.kernel
def second(x: qd.i32) -> qd.i32:
    return x + 2


@qd.kernel
def third(x: qd.i32) -> qd.i32:
    return x + 3
"""
FIRST, SECOND, THIRD = 7, 12, 17
TESTS = """
import os, signal, time
import host, kernels, qd

HOW = os.environ["HOW"]


def setup_module():
    qd.init(log_level="error")


def die():
    # The other worker has ended by then: what it left must not be taken for that of an earlier session.
    time.sleep(float(os.environ.get("WAIT", "1.5")))
    os._exit(3) if HOW == "exit" else os.kill(os.getpid(), int(HOW))


def test_first():
    host.first()
    kernels.first(1)


def test_second():
    host.second()
    if os.environ.get("WHEN") != "before":
        kernels.second(1)
    die()


def test_third():
    host.third()
    kernels.third(1)
    if os.environ.get("WHO") == "all":
        die()
"""
HOST = "def first():\n    return 1\n\n\ndef second():\n    return 2\n\n\ndef third():\n    return 3\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "host.py").write_text(HOST)
    (tmp_path / "test_all.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text("")
    return tmp_path


def run_tests(project: Path, plugin_path: str, *options: str, before: tuple[str, ...] = (), **more: str) -> subprocess.CompletedProcess[str]:
    env = environment(PYTHONPATH=os.pathsep.join([plugin_path, os.environ["PYTHONPATH"]]), **{"HOW": "9", **more})
    del env["QD_KERNEL_COVERAGE"]
    command = [*before, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_all.py"]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 1 and "crashed while running" in done.stdout, done.stdout + done.stderr
    return done


COV = ("--cov=kernels", "--cov=host", "--cov-report=")


def lines(project: Path, source: str) -> set[int]:
    data = CoverageData(str(project / ".coverage"))
    data.read()
    return set(data.lines(str(project.resolve() / source)) or [])


def add_old_data(project: Path) -> None:
    data = CoverageData(str(project / ".coverage"))
    data.erase()
    data.add_lines({str(project.resolve() / "host.py"): [99]})
    data.close()


def test_the_other_worker(project: Path, plugin_path: str) -> None:
    """Data from before goes."""
    add_old_data(project)
    done = run_tests(project, plugin_path, "-n2", *COV)
    assert lines(project, "kernels.py") >= {FIRST, SECOND, THIRD}, done.stdout
    assert lines(project, "host.py") & {2, 10, 99} == {2, 10}, done.stdout
    (told,) = (line for line in done.stdout.splitlines() if line.startswith("qd-cov: worker gw"))
    assert told.endswith("died: coverage of Python code that ran there is lost, that of kernels is in the data")
    assert sorted(path.name for path in project.iterdir() if "cov" in path.name) == [".coverage"]


def test_append(project: Path, plugin_path: str) -> None:
    """Data from before stays."""
    add_old_data(project)
    run_tests(project, plugin_path, "-n2", *COV, "--cov-append", HOW="exit")
    assert lines(project, "host.py") & {2, 10, 99} == {2, 10, 99}
    assert lines(project, "kernels.py") >= {FIRST, SECOND, THIRD}


@pytest.mark.parametrize("options", [("-n1",), ("-n2", "--dist=loadfile", "--max-worker-restart=0")], ids=" ".join)
def test_other_ways_to_distribute(project: Path, plugin_path: str, options: tuple[str, ...]) -> None:
    done = run_tests(project, plugin_path, *options, *COV)
    # With one worker that has all tests, and no other started, nobody runs the last one.
    ran = {FIRST, SECOND} | ({THIRD} if options == ("-n1",) else set())
    assert lines(project, "kernels.py") >= ran, done.stdout


def test_both_workers(project: Path, plugin_path: str) -> None:
    done = run_tests(project, plugin_path, "-n2", *COV, WHO="all", HOW="11")
    assert lines(project, "kernels.py") >= {FIRST, SECOND, THIRD}, done.stdout
    assert "qd-cov: workers gw" in done.stdout


def test_before_its_first_kernel(project: Path, plugin_path: str) -> None:
    run_tests(project, plugin_path, "-n2", *COV, WHEN="before")
    assert lines(project, "kernels.py") & {FIRST, SECOND, THIRD} == {FIRST, THIRD}


@pytest.mark.parametrize("measured", [(), COV], ids=["alone", "pytest-cov"])
def test_under_qd_cov_run(project: Path, plugin_path: str, measured: tuple[str, ...]) -> None:
    run_tests(project, plugin_path, "-n2", *measured, before=("qd-cov", "run", "-q", "--"))
    assert lines(project, "kernels.py") >= {FIRST, SECOND, THIRD}
    assert lines(project, "host.py") >= {2, 10}


def test_a_session_within_a_worker_begins_anew(project: Path, plugin_path: str) -> None:
    """`pytest --cov` that a test starts is no worker, though it has a worker's environment."""
    (project / "inner").mkdir()
    (project / "inner/test_in.py").write_text("def test_in():\n    pass\n")
    (project / "test_all.py").write_text(
        "import subprocess, sys\n\n\ndef test_out():\n    for n in range(2):\n        open(f'inner/.coverage.old{n}', 'w')\n"
        "        subprocess.run([sys.executable, '-m', 'pytest', '--cov=.', '--cov-report=', '-p', 'no:cacheprovider'], cwd='inner', check=True)\n"
    )
    env = environment(PYTHONPATH=os.pathsep.join([plugin_path, os.environ["PYTHONPATH"]]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n1", "--cov=host", "--cov-report=", "test_all.py"]
    done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(path.name for path in (project / "inner").glob(".cov*")) == [".coverage"]
