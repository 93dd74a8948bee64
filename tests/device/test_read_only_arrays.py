"""Read-only arrays of numpy: kernels that only read them take them, others name the argument and the line that writes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd


@qd.kernel
def copy(x: qd.types.ndarray(), y: qd.types.ndarray()) -> qd.f32:
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
        y[i] = x[i]
    return total


@qd.func
def add_one(x: qd.template(), i):
    qd.atomic_add(x[i], 1.0)  # writes


@qd.kernel
def change(x: qd.types.ndarray()):
    for i in range(2):
        add_one(x, i)


@qd.kernel
def change_if(x: qd.types.ndarray(), n: qd.i32):
    if n > 0:
        x[0] += 1.0


@qd.kernel
def fill(x: qd.types.ndarray()):
    x.fill(3.0)


@qd.kernel
def vectors(x: qd.types.ndarray(dtype=qd.math.vec2)) -> qd.f32:
    return x[0].y + x[1][0]


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


def numbers() -> np.ndarray:
    return np.array([1, 2, 3], np.float32)


def test_reading(arch: Any) -> None:
    x, y = read_only(numbers()), np.zeros(3, np.float32)
    assert copy(x, y) == 6
    assert y.tolist() == [1, 2, 3] and x.tolist() == [1, 2, 3]
    assert vectors(read_only(np.asfortranarray(np.arange(4, dtype=np.float32).reshape(2, 2)))) == 3


def test_files_and_bytes(arch: Any, tmp_path: Path) -> None:
    numbers().tofile(tmp_path / "numbers")
    y = np.zeros(3, np.float32)
    assert copy(np.memmap(tmp_path / "numbers", np.float32, "r"), y) == 6
    assert y.tolist() == [1, 2, 3]
    assert copy(np.frombuffer(numbers().tobytes(), np.float32), y) == 6


def test_a_read_only_view_of_what_another_argument_writes(arch: Any) -> None:
    base = np.arange(4, dtype=np.float32)
    assert copy(read_only(base[1:]), base) == 1 + 2 + 3 or arch != "python"
    assert base[3] == 3
    whole = numbers()
    assert copy(read_only(whole[:]), whole) == 6
    assert whole.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("call", "name", "kernel", "text"),
    [
        (lambda x: copy(numbers(), x), "y", copy, "y[i] = x[i]"),
        (lambda x: change(x), "x", change, "# writes"),
        (lambda x: change_if(x, 1), "x", change_if, "x[0] += 1.0"),
        (lambda x: fill(x), "x", fill, "x.fill(3.0)"),
    ],
)
def test_writing(arch: Any, call: Any, name: str, kernel: Any, text: str) -> None:
    lines = Path(__file__).read_text().split("\n")
    line = next(i for i, found in enumerate(lines, 1) if text in found)
    x = read_only(numbers())
    for _ in range(2):
        with pytest.raises(ValueError, match=rf'Argument "{name}" of kernel {kernel.__name__}: the array is read-only') as caught:
            call(x)
        assert re.search(rf"test_read_only_arrays\.py:{line} in \w+ writes it", str(caught.value))
    assert x.tolist() == [1, 2, 3]


def test_the_same_kernel_takes_arrays_that_may_be_written(arch: Any) -> None:
    x = numbers()
    change(x)
    with pytest.raises(ValueError, match="read-only"):
        change(read_only(numbers()))
    change(x)
    assert x.tolist() == [3, 4, 3]


def test_what_may_be_written_is_not_written_where_it_is_refused(back_end: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        change_if(read_only(numbers()), 0)  # the kernel could
