"""Outside values that kernels with fastcache=True may read, and the reads that the caches record."""

from __future__ import annotations

import enum
import math
import types
import warnings
from typing import Any

import numpy as np
import pytest
import qd

LIMIT = 4
limit = 4
_qd_limit = 4
settings = types.ModuleType("settings")
settings.limit = 4  # type: ignore[attr-defined]
settings.LIMIT = 4  # type: ignore[attr-defined]


class Color(enum.Enum):
    """An enumeration."""

    RED = 4


class Level(enum.IntEnum):
    """One whose members are numbers."""

    HIGH = 4


class Box:
    """A class with a number."""

    size = 4


@qd.func
def captures() -> qd.i32:
    return limit


@pytest.fixture(autouse=True)
def program(back_end: str) -> None:
    """All tests here need a compiler."""


@qd.kernel(fastcache=True)
def constants() -> qd.i32:
    return _qd_limit + Level.HIGH + Color.RED.value + qd.cast(math.pi + np.pi, qd.i32)


@qd.kernel(fastcache=True)
def upper_case() -> qd.i32:
    twice = LIMIT
    twice += LIMIT
    return twice + settings.LIMIT


@qd.kernel(fastcache=True)
def static() -> qd.i32:
    return qd.static(limit + limit)


@qd.kernel(fastcache=True)
def static_of_a_module() -> qd.i32:
    return qd.static(settings.limit) + qd.static(settings.LIMIT + Color.RED.value) + qd.static(Box.size)


@qd.kernel(fastcache=True)
def lower_case() -> qd.i32:
    return limit


@qd.kernel(fastcache=True)
def of_a_module() -> qd.i32:
    return settings.limit


@qd.kernel(fastcache=True)
def of_a_class() -> qd.i32:
    return Box.size


@qd.kernel(fastcache=True)
def in_a_func() -> qd.i32:
    return captures()


@qd.kernel
def anything() -> qd.i32:
    return limit + settings.limit + Box.size + captures()


def test_constants_are_pure(capfd: pytest.CaptureFixture[str]) -> None:
    assert constants() == 18
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("kernel, result, count", [(upper_case, 12, 1), (static, 8, 1), (static_of_a_module, 16, 3)])
def test_constants_by_their_names_are_a_warning(kernel: Any, result: int, count: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert kernel() == result
    assert capfd.readouterr().err.count("[PURE.VIOLATION]") == count


@pytest.mark.parametrize("kernel, name", [(lower_case, "limit"), (of_a_module, "limit"), (of_a_class, "size"), (in_a_func, "limit")])
def test_variables_are_an_error(kernel: Any, name: str) -> None:
    with pytest.raises(qd.KernelCompilationError) as error:
        kernel()
    message = str(error.value)
    assert f"[PURE.VIOLATION] kernel `{kernel.__name__}` has fastcache=True, and reads `{name}` (int" in message
    assert f"pass it as an argument; a constant has a name in UPPERCASE, or is read as qd.static({name})" in message
    assert "test_purity.py:" in message


def test_other_kernels_read_what_they_like(capfd: pytest.CaptureFixture[str]) -> None:
    assert anything() == 16
    assert capfd.readouterr().err == ""


def test_a_captured_field_is_not_pure() -> None:
    cells = qd.field(qd.i32, shape=4)

    @qd.kernel(fastcache=True)
    def read() -> qd.i32:
        return cells[0]

    with pytest.raises(qd.KernelCompilationError, match="reads `cells`"):
        read()


def test_fields_as_arguments() -> None:
    @qd.kernel(fastcache=True)
    def fill(x: qd.template(), value: qd.i32):  # type: ignore[valid-type]
        for i in x:
            x[i] = value

    cells = qd.field(qd.i32, shape=4)
    fill(cells, 3)
    assert cells.to_numpy().tolist() == [3] * 4
    assert fill._primal.src_ll_cache_observations.cache_key_generated


def test_what_a_launch_found() -> None:
    @qd.kernel
    def nothing(flag: qd.template()):  # type: ignore[valid-type]
        pass

    assert nothing._primal.launch_observations.found_kernel_in_materialize_cache is False
    seen = []
    for flag in (1, 1, 2, 1, 2):
        nothing(flag)
        seen.append(nothing._primal.launch_observations.found_kernel_in_materialize_cache)
    assert seen == [False, True, False, True, True]
    assert nothing._primal.fe_ll_cache_observations.cache_hit is True, "the second variant has the code of the first"


def test_the_old_name() -> None:
    with pytest.warns(DeprecationWarning, match="fastcache"):

        @qd.kernel(pure=True)
        def impure() -> qd.i32:
            return limit

    with pytest.raises(qd.KernelCompilationError, match="PURE.VIOLATION"), warnings.catch_warnings():
        impure()
