"""Several hosts measure into one folder: equal names and numbers, killed processes, folders without locks. No data is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData
from hosts import hosts
from shared_program import HOST, NEGATIVE, POSITIVE

pytestmark = pytest.mark.usefixtures("namespaces")
RUN = ["qd-cov", "run", "--branch", "-p", "-q", "--", sys.executable, "program.py"]


def lines(folder: Path) -> set[int]:
    """Executed lines of the program in the data file."""
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    return {line for file in data.measured_files() for line in data.lines(file) or []}


def data_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if "cov" in path.name and path.name != ".coveragerc")


def combine(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["qd-cov", "combine", *arguments], cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False)


def end(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=60)


def test_equal_names_and_numbers(shared: Path, tmp_path: Path) -> None:
    with hosts(tmp_path, "node", "node") as (first, second):
        running = [
            subprocess.Popen(host.command(*RUN, word, folder=shared), stdout=subprocess.DEVNULL)
            for host, word in ((first, "negative"), (second, "positive"), (first, "positive"), (second, "positive"))
        ]
        assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    assert [name.split(".pid")[0] for name in data_files(shared)] == [".coverage.node"] * 4
    assert combine(shared).returncode == 0
    assert lines(shared) >= NEGATIVE | POSITIVE | HOST
    assert data_files(shared) == [".coverage"]


def test_a_host_dies(shared: Path, tmp_path: Path) -> None:
    """The data that its processes had written by then is combined, and once."""
    with hosts(tmp_path, "one", "two") as (first, second):
        first.start(*RUN, "negative", "tell", "sleep", folder=shared)
        second.run(*RUN, "positive", folder=shared)
        done = combine(shared)
        assert (done.returncode, done.stderr) == (0, "Combined 1 file\n")
        assert lines(shared) & (NEGATIVE | POSITIVE) == POSITIVE
        first.stop()
    done = combine(shared, "--append")
    assert (done.returncode, done.stderr) == (0, "Combined 1 file\n")
    assert lines(shared) >= NEGATIVE | POSITIVE
    assert data_files(shared) == [".coverage"]
    assert combine(shared, "--append").stdout == "No data to combine\n"


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_is_killed_but_not_its_program(shared: Path, tmp_path: Path, by: signal.Signals) -> None:
    """As launchers do: SIGTERM reaches the program by `qd-cov run`, SIGKILL does not, and the program goes on."""
    (shared / ".coveragerc").write_text("[run]\nsigterm = true\n")
    with hosts(tmp_path, "one") as (host,):
        command = host.command(*RUN, "negative", "tell", "read", "positive", folder=shared)
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            assert running.stdout.readline() == "so far\n"
            (folder,) = shared.glob(".qd-cov-run.*")
            host.run("kill", f"-{by.value}", folder.name.split(".pid")[1].split(".")[0], folder=shared)
            if by == signal.SIGKILL:
                assert combine(shared).stdout == "No data to combine\n"
            running.communicate("\n", timeout=60)
        if by == signal.SIGKILL:
            host.run("sh", "-c", "while pgrep -f [p]rogram.py; do sleep 0.01; done", folder=shared)
    assert combine(shared).returncode == 0
    assert lines(shared) >= NEGATIVE | HOST | (POSITIVE if by == signal.SIGKILL else set())
    assert data_files(shared) == [".coverage"]


def test_a_folder_without_shared_locks(shared: Path, tmp_path: Path, no_shared_locks: Path) -> None:
    """Nobody can see whether the process of a journal lives on another host: it counts, and stays."""
    environment = {"LD_PRELOAD": str(no_shared_locks)}
    with hosts(tmp_path, "one") as (host,):
        measured = environment | {"QD_KERNEL_COVERAGE": "1"}
        words = [sys.executable, "program.py", "negative", "tell", "read", "positive", "tell", "sleep"]
        with subprocess.Popen(
            host.command(*words, folder=shared), env=os.environ | measured, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as running:
            assert running.stdin is not None and running.stdout is not None
            assert running.stdout.readline() == "so far\n"
            (journal,) = shared.glob("_qd_kcov-journal.one.*")
            done = combine(shared, **environment)
            assert done.returncode == 0
            assert f"'{journal.name}' is kept: the process on host 'one' may still be running" in done.stderr
            assert lines(shared) & (NEGATIVE | POSITIVE) == NEGATIVE
            assert combine(shared).stdout == "No data to combine\n", "with locks it can be seen"
            print(file=running.stdin, flush=True)
            assert running.stdout.readline() == "so far\n"
            host.stop()
    done = combine(shared, "--append", journal.name, **environment)
    assert (done.returncode, done.stderr) == (0, "Combined 1 file\n")
    assert lines(shared) >= NEGATIVE | POSITIVE
    assert data_files(shared) == [".coverage"]


def test_runs_in_a_folder_without_shared_locks(shared: Path, tmp_path: Path, no_shared_locks: Path) -> None:
    environment = {"LD_PRELOAD": str(no_shared_locks)}
    with hosts(tmp_path, "one") as (host,):
        host.start(*RUN, "negative", "tell", "sleep", folder=shared, environment=environment)
        (folder,) = shared.glob(".qd-cov-run.one.*")
        for command in ("combine", "recover"):
            done = subprocess.run(["qd-cov", command], cwd=shared, env=os.environ | environment, capture_output=True, text=True, check=False)
            assert done.returncode == 1
            assert f"'{folder}' is left alone" in done.stderr
            assert "on host 'one'" in done.stderr
        host.stop()
    assert combine(shared, folder.name, **environment).returncode == 0
    assert lines(shared) >= NEGATIVE
    assert data_files(shared) == [".coverage"]


def test_the_folder_of_a_run_on_another_host(shared: Path, tmp_path: Path) -> None:
    """`qd-cov run -- mpirun ...`: the environment reaches other hosts, but the folder of the run does not exist there."""
    away = str(tmp_path / "away/kernels")
    with hosts(tmp_path, "two") as (host,):
        environment = {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_DIR": away, "QD_COVERAGE_COMMAND_KNOWN": away}
        done = host.run(sys.executable, "program.py", "negative", folder=shared, environment=environment)
    assert done.stderr.count(f"the folder '{away}' of 'qd-cov run' does not exist on host 'two'") == 1
    assert not (tmp_path / "away").exists()
    assert combine(shared).returncode == 0
    assert lines(shared) >= NEGATIVE


@pytest.mark.parametrize("variable", ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "WORLD_SIZE"])
def test_processes_of_a_job_without_parallel_mode(shared: Path, variable: str) -> None:
    for _ in range(2):
        command = ["qd-cov", "run", "--no-host", "--", "true"]
        done = subprocess.run(command, cwd=shared, env=os.environ | {variable: "2"}, capture_output=True, text=True, check=True)
        assert "one of 2 of a job, is in '.coverage." in done.stderr
    assert len(list(shared.glob(".coverage.*"))) == 2


def test_a_damaged_run(shared: Path, tmp_path: Path) -> None:
    """Data that cannot be read is kept, and not read again."""
    with hosts(tmp_path, "one") as (host,):
        host.start(*RUN, "negative", "tell", "sleep", folder=shared)
        host.stop()
    (folder,) = shared.glob(".qd-cov-run.*")
    (folder / "host/.coverage.one.pid9.Xabcdefx").write_bytes(b"SQLite format 3\0" + bytes(100))
    (folder / "kernels/.qd-cov.9.01234567.tmp").write_text("unfinished")
    done = combine(shared)
    assert done.returncode == 0
    (kept,) = shared.glob(".qd-cov-damaged.*")
    assert f"The unreadable data is in '{kept}'" in done.stderr
    assert lines(shared) >= NEGATIVE
    (kept / "run.json").unlink()
    assert combine(shared, "--append").stdout == "No data to combine\n"


def test_erase(shared: Path, tmp_path: Path) -> None:
    """Runs that were killed yesterday are not in the data of today."""
    (shared / ".coveragerc").write_text("[run]\nparallel = true\n")
    with hosts(tmp_path, "one", "two") as (first, second):
        first.start(*RUN, "negative", "tell", "sleep", folder=shared)
        second.start(*RUN, "negative", "tell", "sleep", folder=shared)
        first.stop()
        subprocess.run(["qd-cov", "erase"], cwd=shared, check=True)
        assert [path.name.split(".pid")[0] for path in shared.glob(".qd-cov-run.*")] == [".qd-cov-run.two"]
