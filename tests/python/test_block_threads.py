"""arch=qd.python: the threads of a block take turns; an error in one ends all."""

from __future__ import annotations

import inspect
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kernels_for_block_threads as kernels
import numpy as np
import pytest
import qd
from qdcov._interpreter import interpreted


@pytest.fixture(autouse=True)
def program() -> Iterator[None]:
    qd.init(arch=qd.python, log_level="error", cpu_subgroup_size=8)
    yield
    qd.reset()


def line_of(mark: str) -> int:
    assert kernels.__file__ is not None
    return next(number for number, line in enumerate(Path(kernels.__file__).read_text().splitlines(), 1) if line.endswith(f"# {mark}"))


def test_a_failure_in_a_thread(recwarn: pytest.WarningsRecorder) -> None:
    """The error comes with the lines of the kernel, each once, and nothing is left over."""
    before = threading.active_count()
    x = np.array([1, 1, 1, "", 1, 1, 1, 1], dtype=object)
    with pytest.raises(qd.KernelRuntimeTypeError):
        kernels.divides(x)
    qd.init(arch=qd.python, log_level="error", debug=True)
    numbers = np.array([1, 1, 1, 0, 1, 1, 1, 1], np.int32)
    with pytest.raises(qd.KernelAssertionError, match="Integer division by zero") as error:
        kernels.divides(numbers)
    text = str(error.value)
    assert text.count(" in divides") == 1 and f"kernels_for_block_threads.py:{line_of('calls')} in divides" in text
    assert text.index(" in inner") < text.index(" in divides") and "at i=3\n" in text
    frames = [frame.name for frame in traceback.extract_tb(error.tb)]
    assert frames.count("inner") == 1
    assert threading.active_count() == before and len(recwarn) == 0
    numbers[:] = 1
    kernels.divides(numbers)
    assert numbers.tolist() == [1] * 8


def test_kernels_without_blocks_are_as_before() -> None:
    made = interpreted.InterpretedKernel(kernels.without._function)
    assert not any(inspect.iscode(constant) for constant in made.run.__code__.co_consts)
    made = interpreted.InterpretedKernel(kernels.divides._function)
    assert any(inspect.iscode(constant) for constant in made.run.__code__.co_consts)


def test_funcs_that_are_known_when_the_kernel_runs() -> None:
    x = np.arange(16, dtype=np.int32)
    kernels.by_name(x)
    assert x.tolist() == [100 * i + 1 for i in range(16)]


def test_loops_in_funcs() -> None:
    x = np.zeros(16, np.int32)
    kernels.loops_in_funcs(x)
    assert x.tolist() == [3 * (i % 8) + 3 for i in range(16)]
    x = np.arange(16, dtype=np.int32)
    kernels.loops_of_funcs(x)
    assert x.tolist() == [28] * 8 + [92] * 8


def test_conditions() -> None:
    x = np.array([*range(1, 9), *[0] * 7, 6, *[3] * 8], np.int32)
    out = np.zeros(24, np.int32)
    kernels.conditions(x, out)
    assert out.tolist() == [9] * 8 + [8] * 8 + [3] * 8


@pytest.mark.parametrize(
    ("kernel", "what", "marks"),
    [
        (kernels.apart, r"qd\.simt\.block\.sync\(\) .* of a block", ("one", "other")),
        (kernels.lanes_apart, r"qd\.simt\.subgroup\.shuffle\(\) .* of a subgroup", ("lanes", "block")),
    ],
)
def test_threads_at_different_places(kernel: Any, what: str, marks: tuple[str, str]) -> None:
    kernel(np.zeros(16, np.int32))
    with pytest.raises(qd.KernelAssertionError, match=what.replace(".*", "under a condition that differs between the threads")) as error:
        kernel(np.arange(16, dtype=np.int32))
    assert all(f"kernels_for_block_threads.py:{line_of(mark)}" in str(error.value) for mark in marks)
    assert "thread 0 is in" in str(error.value) and "thread 5 is in" in str(error.value)


def test_comprehensions() -> None:
    with pytest.raises(qd.KernelSyntaxError, match=r"kernels_for_block_threads.py:\d+: operations of qd\.simt .* comprehension"):
        kernels.in_a_comprehension(np.zeros(8, np.int32))


def test_graphs() -> None:
    x, flag = np.arange(8, dtype=np.int32), np.array(1, np.int32)
    status = kernels.graph(x, flag)
    assert status.yielded and x.tolist() == np.cumsum(np.arange(8)).tolist()
    flag[...] = 0
    kernels.graph.resume(x, flag, from_checkpoint=status)
    want = np.cumsum(np.cumsum(np.arange(8)))
    assert x.tolist() == (want + want.sum()).tolist()


def test_threads_of_the_host() -> None:
    found: list[Any] = []

    def work() -> None:
        x = np.arange(64, dtype=np.int32)
        for _ in range(3):
            kernels.loops_of_funcs(x)
        found.append(x)

    hosts = [threading.Thread(target=work) for _ in range(4)]
    for host in hosts:
        host.start()
    for host in hosts:
        host.join()
    want = np.repeat(np.arange(64).reshape(8, 8).sum(1), 8) * 64
    assert len(found) == 4 and all(x.tolist() == want.tolist() for x in found)


def test_interrupts() -> None:
    program = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import numpy as np, qd, kernels_for_block_threads as kernels
qd.init(arch=qd.python, log_level="error", cpu_subgroup_size=8)
print("runs", flush=True)
try:
    kernels.waits_forever(np.zeros(8, np.int32))
except KeyboardInterrupt:
    x = np.arange(8, dtype=np.int32)
    kernels.loops_of_funcs(x)
    print("interrupted", x[0], flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stdout is not None and process.stdout.readline() == "runs\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30)[0] == "interrupted 28\n" and process.returncode == 0


def test_many_methods_of_one_name(tmp_path: Path) -> None:
    """A method that calls one of its name may mean each of them: they are looked at side by side, not each in the one before."""
    classes = "".join(
        f"@qd.dataclass\nclass Body{i}:\n    n: qd.i32\n    @qd.func\n    def again(self, n): return self.again(n)\n" for i in range(300)
    )
    kernel = "@qd.kernel\ndef total(n: qd.i32) -> qd.i32:\n    r = 0\n    for i in range(n):\n        r += called(i)\n    return r\n"
    called = "class Counter:\n    @qd.func\n    def again(self, n): return n\ncounter = Counter()\n@qd.func\ndef called(n): return counter.again(n)\n"
    (tmp_path / "program.py").write_text(f"import qd\nqd.init(arch=qd.python, log_level='error')\n{classes}{called}{kernel}print(total(4))\n")
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "6\n", done.stderr
