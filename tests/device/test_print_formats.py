"""Formats of values in prints: precisions of integers, and letters that do not match a type."""

from __future__ import annotations

import dataclasses
import enum
from pathlib import PurePosixPath
from typing import Any

import pytest
import qd

pytestmark = pytest.mark.usefixtures("arch")


@qd.kernel
def precise(n: qd.i32, m: qd.u8, wide: qd.i64):
    print(f"{n:.4d}|{m:.5}|{n:7.4d}|{n:<7.4d}|{wide:.2d}|{m:u}")
    print("{:.3d} {:.1}".format(5, 7))  # noqa: UP032
    v = qd.Vector([n, 3])
    print(f"{v:.2d}")


@qd.kernel
def integer_of_float(x: qd.f32):
    print(f"{x:.2d}")


@qd.kernel
def unsigned_of_signed(n: qd.i32):
    print("{:u}".format(n))  # noqa: UP032


@qd.kernel
def hexadecimal_of_vector(x: qd.f64):
    print(f"{qd.Vector([x, x]):x}")


def test_formats_of_integers_with_a_precision(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    if arch == "python":
        with pytest.raises(ValueError, match="Precision not allowed in integer format specifier"):
            precise(-5, 200, 123)
        return
    precise(-5, 200, 123)
    qd.sync()
    assert capfd.readouterr().out == "-0005|00200|  -0005|-0005  |123|200\n005 7\n[-05, 03]\n"


@pytest.mark.parametrize(
    ("kernel", "value", "text"),
    [(integer_of_float, 1.5, "'.2d' doesn't match 'f32'"), (unsigned_of_signed, 3, "'u' doesn't match 'i32'"),
     (hexadecimal_of_vector, 1.5, "'x' doesn't match 'f64'")],
)  # fmt: skip
def test_formats_that_do_not_match(arch: str, kernel: Any, value: float, text: str) -> None:
    if arch == "python":
        with pytest.raises((ValueError, TypeError)):
            kernel(value)
    else:
        with pytest.raises(qd.KernelTypeError, match=text):
            kernel(value)


class Mode(enum.Enum):
    FAST = 1


class Letter(str, enum.Enum):
    A = "a"


@dataclasses.dataclass
class Limits:
    low: int = 1


LIMITS, PATH, NAMES, EMPTY = Limits(2), PurePosixPath("/a"), {"a"}, frozenset()


@qd.kernel
def objects(n: qd.i32):
    print(Mode.FAST, LIMITS, n)
    print(f"{PATH} {NAMES}", "{} {}".format(EMPTY, Letter.A))  # noqa: UP032
    print([LIMITS, 1], {"a": PATH}, (Mode.FAST,))


def test_objects_are_printed_by_python(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    objects(3)
    qd.sync()
    table = {"a": PATH}
    expected = [f"{Mode.FAST} {LIMITS} 3", f"{PATH} {NAMES} {EMPTY} {Letter.A!s}", f"{[LIMITS, 1]} {table} {(Mode.FAST,)}", ""]
    assert capfd.readouterr().out.split("\n") == expected
