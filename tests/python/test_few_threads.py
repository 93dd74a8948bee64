"""Threads that cannot be started: a warning, and kernels run on those that there are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import hung_programs
import pytest

HERE = Path(__file__).resolve().parent

# RLIMIT_NPROC does not hold for root, so that the C library's own function is replaced by one that counts.
REFUSE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
static int made;
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  if (__atomic_add_fetch(&made, 1, __ATOMIC_SEQ_CST) > atoi(getenv("MOST_THREADS"))) return EAGAIN;
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) = dlsym(RTLD_NEXT, "pthread_create");
  return create(thread, attributes, start, argument);
}
"""

PROGRAM = """
import os
import sys

import kernels_in_flight as kernels
import kernels_without_end
import qd

qd.init(log_level="error", cpu_max_num_threads=int(sys.argv[1]), coverage_switch=1)
x = qd.ndarray(qd.i32, 1_000_000)
for _ in range(3):
    kernels.busy(x, 1)
    assert len(set(x.to_numpy())) == 1
for _ in range(100):
    assert kernels.finished(1) == 1 and kernels.finished(0) == 0
if len(sys.argv) > 2:
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        qd.init(log_level="error", cpu_max_num_threads=int(sys.argv[1]))
        y = qd.ndarray(qd.i32, 1_000_000)
        kernels.busy(y, 1)
        os._exit(0 if len(set(y.to_numpy())) == 1 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
print("done")
"""


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("refuse")
    (folder / "refuse.c").write_text(REFUSE)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", "refuse.so", "refuse.c", "-ldl"], cwd=folder, check=True)
    return str(folder / "refuse.so")


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(HERE), os.environ["PYTHONPATH"]])
    environment = {**os.environ, "PYTHONPATH": paths, "OPENBLAS_NUM_THREADS": "1", "QD_KERNEL_COVERAGE": "1", **environment}
    return hung_programs.run([sys.executable, "-c", PROGRAM, *arguments], cwd=cwd, timeout=100, env=environment)


@pytest.mark.parametrize(("wanted", "to_be_had"), [(8, 0), (8, 1), (8, 3), (100_000, 2), (2, 0)])
def test_threads_that_cannot_be_started(wanted: int, to_be_had: int, refusing: str, tmp_path: Path) -> None:
    done = run(str(wanted), cwd=tmp_path, LD_PRELOAD=refusing, MOST_THREADS=str(to_be_had))
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr
    wanted_text = re.escape(f"[qd] {wanted} threads are wanted (cpu_max_num_threads); kernels run on ")
    expected = wanted_text + "[0-9]+: the next could not be started: Resource temporarily unavailable\n"
    assert re.fullmatch(expected, done.stderr), done.stderr
    assert (tmp_path / os.path.basename(str(next(tmp_path.glob("_qd_kcov.*"))))).exists()


def test_a_child_says_it_again(refusing: str, tmp_path: Path) -> None:
    done = run("8", "fork", cwd=tmp_path, LD_PRELOAD=refusing, MOST_THREADS="2")
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr
    assert [line[:30] for line in done.stderr.splitlines()] == ["[qd] 8 threads are wanted (cpu"] * 2


def test_more_threads_than_are_used(tmp_path: Path) -> None:
    done = run("100000", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == "done\n", done.stderr
    assert re.fullmatch(r"\[qd\] 100000 threads are wanted \(cpu_max_num_threads\); kernels run on [0-9]+: .*\n", done.stderr)


STREAM = """
import qd

qd.init(log_level="error", cpu_max_num_threads=1)
streams = []
try:
    while True:
        streams.append(qd.create_stream())
except RuntimeError as error:
    print(len(streams), error)
streams.pop().destroy()
qd.reset()
"""


def test_a_stream_whose_thread_cannot_be_started(refusing: str, tmp_path: Path) -> None:
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "LD_PRELOAD": refusing, "MOST_THREADS": "2"}
    done = hung_programs.run([sys.executable, "-c", STREAM], cwd=tmp_path, timeout=100, env=environment)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert done.stdout == "2 the thread of a stream could not be started: Resource temporarily unavailable\n"
