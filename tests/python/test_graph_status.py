"""qd.GraphStatus: its values, ways to keep it, and that another process goes on from it."""

from __future__ import annotations

import copy
import importlib.util
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

SOURCE = """
import enum
import pickle
import sys
import numpy as np
import qd

class Stage(enum.IntEnum):
    SUM = 4

@qd.kernel(graph=True, checkpoints=True)
def steps(x: qd.types.ndarray(qd.i32, 1), stop: qd.types.ndarray(qd.i32, 0)):
    total = 0
    largest = qd.Vector([0, 0])
    for i in x:
        total += x[i]
        qd.atomic_max(largest[i % 2], x[i])
    with qd.checkpoint(Stage.SUM, yield_on=stop):
        for i in x:
            x[i] = total * 10
    for i in x:
        x[i] += largest[0] * 1000 + largest[1]
"""
PROGRAM = """
if __name__ == "__main__":
    qd.init(arch=sys.argv[1], log_level="error")
    file = sys.argv[2]
    if sys.argv[3] == "begin":
        x, stop = np.arange(5, dtype=np.int32), np.array(3, np.int32)
        status = steps(x, stop)
        assert status.yielded
        with open(file, "wb") as out:
            pickle.dump((status, x), out)
    else:
        with open(file, "rb") as kept:
            status, x = pickle.load(kept)
        assert status.checkpoint is Stage.SUM and status.why == ("stop", 3), status
        status = steps.resume(x, np.array(0, np.int32), from_checkpoint=status)
        print(status.yielded, x.tolist())
"""
DONE = [100 + 4003] * 5


def loaded(file: Path, name: str) -> Any:
    """The module that a file is, under a name."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flag(value: int) -> Any:
    return np.array(value, np.int32)


def test_what_a_status_says() -> None:
    done, stopped = qd.GraphStatus(False), qd.GraphStatus(True, 3, ("full", 2))
    assert repr(done) == "GraphStatus(yielded=False)"
    assert repr(stopped) == "GraphStatus(yielded=True, checkpoint=3, why=('full', 2))"
    assert stopped == qd.GraphStatus(yielded=True, checkpoint=3) and hash(stopped) == hash(qd.GraphStatus(True, 3))
    assert stopped != done and stopped != qd.GraphStatus(True, 4) and stopped != 3
    for same in (pickle.loads(pickle.dumps(stopped)), copy.copy(stopped), copy.deepcopy(stopped)):
        assert same == stopped and same.why == ("full", 2)
    with pytest.raises(AttributeError):
        stopped.yielded = False  # type: ignore[misc]


@pytest.mark.parametrize("arch", [*os.environ.get("QD_TEST_BACK_ENDS", "cpu").split(","), "python"])
def test_another_process_goes_on(tmp_path: Path, arch: str) -> None:
    program, kept = tmp_path / "program.py", tmp_path / "status"
    program.write_text(SOURCE + PROGRAM)
    subprocess.run([sys.executable, str(program), arch, str(kept), "begin"], check=True)
    found = subprocess.run([sys.executable, str(program), arch, str(kept), "resume"], check=True, capture_output=True, text=True)
    assert found.stdout == f"False {DONE}\n"


def test_a_status_is_one_of_a_version_of_the_kernel(tmp_path: Path) -> None:
    qd.init(arch=qd.python, log_level="error")
    file = tmp_path / "first.py"
    file.write_text(SOURCE)
    first = loaded(file, "first")
    x = np.arange(5, dtype=np.int32)
    status = first.steps(x, flag(1))
    # It may move in its file; and the program may be the main module or another one.
    moved = tmp_path / "moved.py"
    moved.write_text("\n\n" + SOURCE)
    assert not loaded(moved, "first").steps.resume(x.copy(), flag(0), from_checkpoint=status).yielded
    assert not loaded(moved, "__main__").steps.resume(x.copy(), flag(0), from_checkpoint=status).yielded
    with pytest.raises(RuntimeError, match=r"steps.resume: the status is one of another kernel, first\.steps"):
        loaded(moved, "second").steps.resume(x, flag(0), from_checkpoint=status)
    changed = tmp_path / "changed.py"
    changed.write_text(SOURCE.replace("* 10", "* 11"))
    with pytest.raises(RuntimeError, match="the source of the kernel has changed since the status was given"):
        loaded(changed, "first").steps.resume(x, flag(0), from_checkpoint=status)
    assert x.tolist() == [100] * 5
    first.steps.resume(x, flag(0), from_checkpoint=status)
    assert x.tolist() == [100 + 4003] * 5
    qd.reset()


def test_a_state_of_another_architecture(tmp_path: Path) -> None:
    qd.init(arch=qd.python, log_level="error")
    file = tmp_path / "first.py"
    file.write_text(SOURCE)
    steps = loaded(file, "first").steps
    status = steps(np.arange(5, dtype=np.int32), flag(1))
    status._state = b"of another"
    with pytest.raises(RuntimeError, match="the status was given on another architecture"):
        steps.resume(np.arange(5, dtype=np.int32), flag(0), from_checkpoint=status)
    qd.reset()


def test_kernels_are_measured_with_their_resumes(tmp_path: Path) -> None:
    qd.init(arch=qd.python, log_level="error", kernel_profiler=True)
    file = tmp_path / "first.py"
    file.write_text(SOURCE)
    steps = loaded(file, "first").steps
    x = np.arange(5, dtype=np.int32)
    status = steps(x, flag(1))
    steps.resume(x, flag(0), from_checkpoint=status)
    assert qd.profiler.query_kernel_profiler_info("steps").counter == 2
    assert steps.launch_observations.num_offloaded_tasks == 1
    qd.reset()
