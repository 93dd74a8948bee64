"""Programs that start processes on several hosts: mpirun, dask, ray. With QD_CLUSTER=1 (ci/cluster) on two hosts."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import CoverageData
from hosts import Host, hosts
from shared_program import HOST, NEGATIVE, POSITIVE

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]
RUN = ["qd-cov", "run", "--branch", "-p", "-q", "--"]
CLUSTER = os.environ.get("QD_CLUSTER") == "1"
by_hand = pytest.mark.skipif(not CLUSTER, reason="ci/cluster runs it")

TASKS = """
from program import sign


def work(x: int) -> int:
    if x < 0:
        name = "negative"
    else:
        name = "positive"
    assert name
    return sign(x)
"""
WORK_NEGATIVE, WORK_POSITIVE = {6, 7, 10, 11}, {6, 9, 10, 11}


def lines(folder: Path, source: str = "program.py") -> set[int]:
    """Executed lines of a source in the data file."""
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    return {line for file in data.measured_files() if file.endswith(f"/{source}") for line in data.lines(file) or []}


def combine(folder: Path) -> str:
    done = subprocess.run(["qd-cov", "combine"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in folder.iterdir() if "cov" in path.name and path.name != ".coveragerc"] == [".coverage"]
    return done.stderr


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="needs openmpi-bin")
def test_mpirun_on_one_host(shared: Path) -> None:
    words = ["-np", "1", *RUN, sys.executable, "program.py", "negative", ":", "-np", "1", *RUN, sys.executable, "program.py", "positive"]
    subprocess.run([*MPIRUN, *words], cwd=shared, check=True, timeout=120)
    assert combine(shared) == "Combined 2 files\n"
    assert lines(shared) >= NEGATIVE | POSITIVE | HOST


@contextlib.contextmanager
def cluster(tmp_path: Path) -> Iterator[tuple[list[Host], dict[str, str]]]:
    """Two hosts that reach each other by a remote shell, and the environment that lets mpirun use it."""
    shell = Path(__file__).with_name("remote_shell.py")
    agent = tmp_path / "agent"
    agent.write_text(f'#!/bin/sh\nexec {sys.executable} {shell} "$@"\n')
    agent.chmod(0o755)
    with hosts(tmp_path / "hosts", "node1", "node2", network=True) as started:
        for host in started:
            host.start(sys.executable, shell, "serve", host.address, folder=tmp_path)
        names = ("plm_rsh_agent", "btl_tcp_if_include", "oob_tcp_if_include")
        yield started, {f"OMPI_MCA_{name}": value for name, value in zip(names, (str(agent), "10.77.0.0/24", "10.77.0.0/24"))}


@by_hand
def test_mpirun_on_two_hosts(shared: Path, tmp_path: Path) -> None:
    with cluster(tmp_path) as ((first, _), environment):
        each = [*RUN, sys.executable, "program.py"]
        script = f'export PATH={os.environ["PATH"]} PYTHONPATH={os.environ["PYTHONPATH"]}; exec {" ".join(each)} "$@"'
        (shared / "rank").write_text(f"#!/bin/sh\n{script}\n")
        (shared / "rank").chmod(0o755)
        words = ["-np", "1", "-host", "node1", "./rank", "negative", ":", "-np", "1", "-host", "node2", "./rank", "positive"]
        first.run(*MPIRUN, *words, folder=shared, environment=environment)
    names = sorted(path.name.split(".pid")[0] for path in shared.glob(".coverage.*"))
    assert names == [".coverage.node1", ".coverage.node2"]
    combine(shared)
    assert lines(shared) >= NEGATIVE | POSITIVE | HOST


@by_hand
def test_mpirun_aborts(shared: Path, tmp_path: Path) -> None:
    """A rank fails, and mpirun kills the others: their kernels are in the data."""
    with cluster(tmp_path) as ((first, _), environment):
        words = ["-x", "PATH", "-x", "PYTHONPATH"]
        words += ["-np", "1", "-host", "node2", *RUN, sys.executable, "program.py", "negative", "tell", "sleep", ":"]
        words += [
            "-np",
            "1",
            "-host",
            "node1",
            "sh",
            "-c",
            f"until ls {shared}/.qd-cov-run.*/kernels/_qd_kcov-journal.*; do sleep 0.1; done; sleep 1; exit 7",
        ]
        done = first.run(*MPIRUN, *words, folder=shared, check=False, environment=environment)
        assert done.returncode == 7, done.stderr
    combine(shared)
    assert lines(shared) >= NEGATIVE


@by_hand
@pytest.mark.parametrize("nanny", [True, False])
def test_dask(shared: Path, tmp_path: Path, nanny: bool) -> None:
    (shared / "tasks.py").write_text(TASKS)
    (shared / ".coveragerc").write_text("[run]\nsigterm = true\n")
    client = "import dask.distributed, sys, tasks\nwith dask.distributed.Client('tcp://node1:8786') as client:\n    client.wait_for_workers(1)\n"
    client += "    assert client.gather(client.map(tasks.work, [-3, 3], pure=False)) == [-1, 1]\n"
    (shared / "client.py").write_text(client)
    python = os.environ["QD_CLUSTER_PYTHON"]
    environment = {"PYTHONPATH": f"{shared}:{os.environ['PYTHONPATH']}"}
    with cluster(tmp_path) as ((first, second), _):
        scheduler = subprocess.Popen(first.command(python, "-m", "distributed.cli.dask_scheduler", "--host", "node1", folder=shared))
        words = [*RUN, python, "-m", "distributed.cli.dask_worker", "tcp://node1:8786", "--host", "node2", "--nthreads", "1"]
        words += [] if nanny else ["--no-nanny"]
        worker = subprocess.Popen(second.command(*words, folder=shared), env=os.environ | environment)
        first.run(python, "client.py", folder=shared, environment=environment)
        second.run("pkill", "-TERM", "-o", "-f", "qd-cov run", folder=shared)
        worker.wait(60)
        scheduler.terminate()
        scheduler.wait(60)
    combine(shared)
    assert lines(shared) >= NEGATIVE | POSITIVE
    assert lines(shared, "tasks.py") >= WORK_NEGATIVE | WORK_POSITIVE


@by_hand
def test_ray(shared: Path, tmp_path: Path) -> None:
    """Ray ends its workers without exit handlers: what they did in kernels is in the data."""
    (shared / "tasks.py").write_text(TASKS)
    driver = "import ray, tasks\nray.init(address='node1:6379', log_to_driver=False)\n"
    driver += "work = ray.remote(resources={'away': 1})(tasks.work)\nassert ray.get([work.remote(x) for x in (-3, 3)]) == [-1, 1]\n"
    (shared / "driver.py").write_text(driver)
    python = os.environ["QD_CLUSTER_PYTHON"]
    ray = str(Path(python).parent / "ray")
    environment = {"PYTHONPATH": f"{shared}:{os.environ['PYTHONPATH']}", "RAY_DISABLE_IMPORT_WARNING": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    with cluster(tmp_path) as ((first, second), _):
        start = [python, ray, "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
        head = subprocess.Popen(
            first.command(*start, "--head", "--node-ip-address=10.77.0.1", "--port=6379", "--include-dashboard=false", folder=shared),
            env=os.environ | environment,
        )
        first.run("sh", "-c", f"until {python} -c \"import socket; socket.create_connection(('node1', 6379))\"; do sleep 0.5; done", folder=shared)
        words = [*RUN, *start, "--address=node1:6379", "--node-ip-address=10.77.0.2", '--resources={"away": 1}']
        node = subprocess.Popen(second.command(*words, folder=shared), env=os.environ | environment)
        first.run(python, "driver.py", folder=shared, environment=environment)
        second.run("pkill", "-TERM", "-o", "-f", "qd-cov run", folder=shared)
        node.wait(60)
        head.send_signal(signal.SIGTERM)
    head.wait(60)
    combine(shared)
    assert lines(shared) >= NEGATIVE | POSITIVE
