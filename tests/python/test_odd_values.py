"""Odd values for every option and every public function: a message in the user's words, or a result; never an error of the binding."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd
from qd import _options

SELF_CONTAINING: list[Any] = []
SELF_CONTAINING.append(SELF_CONTAINING)

ODD: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    2,
    3,
    1 << 31,
    -(1 << 31),
    1 << 63,
    1 << 64,
    -(1 << 70),
    0.0,
    1.5,
    -2.5,
    1e300,
    math.inf,
    -math.inf,
    math.nan,
    1j,
    "",
    "abc",
    "32",
    "a\0b",
    "é" * 50,
    b"bytes",
    (),
    (1,),
    (1, 2, 3),
    (-1,),
    (1 << 40,),
    [],
    [1.5],
    ["a"],
    {},
    {"a": 1},
    set(),
    object(),
    int,
    float,
    str,
    qd.f32,
    qd.i64,
    qd.u1,
    qd.template,
    qd.types,
    qd,
    np.int32(5),
    np.float32(2.5),
    np.bool_(True),
    np.zeros(3),
    np.zeros((2, 2), np.int32),
    np.array(7),
    np.zeros(2, object),
    np.zeros(2, "S3"),
    np.zeros(2, "<c8"),
    np.zeros(3, ">f4"),
    lambda: 1,
    print,
    range(3),
    slice(1, 2),
    Ellipsis,
    NotImplemented,
    type,
    Exception("x"),
    SELF_CONTAINING,
    memoryview(b"abcd"),
    Path("/tmp"),
]

BINDING = ("incompatible function", "nanobind", "_native", "std::", "bad_cast", "nb::", "qd::", "vector::", "basic_string", "Invoked with")
ALLOWED = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    RuntimeError,
    SyntaxError,
    NameError,
    AssertionError,
    OverflowError,
    MemoryError,
    RecursionError,
    ZeroDivisionError,
    qd.KernelCompilationError,
)


def is_clear(call: Callable[[], Any]) -> str:
    """The message, which is empty when nothing is raised; fails where it is not in the user's words."""
    try:
        call()
    except ALLOWED as error:
        message = str(error)
        assert not any(word in message for word in BINDING), message
        assert message or isinstance(error, MemoryError), repr(error)
        return message
    return ""


@pytest.mark.parametrize("option", [*_options.DEFAULTS, "arch", "require_version", "enable_fallback", "print_non_pure", "src_ll_cache"])
def test_options(
    option: str, recwarn: pytest.WarningsRecorder, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)  # a name of a cache folder may be relative
    for value in ODD:
        message = is_clear(lambda: qd.init(**{"log_level": "error", option: value}))  # noqa: B023
        named = option in message or (option == "require_version" and message.endswith("is required, but this is qd " + qd.__version__))
        assert not message or named or (option == "arch" and "Arch=" in message), f"{option}={value!r}: {message}"
    for text in ("", "abc", "-1", "1e9", "99999999999999999999", "é"):
        monkeypatch.setenv(f"QD_{option.upper()}", text)
        message = is_clear(lambda: qd.init(log_level="error") if option != "log_level" else qd.init())
        assert not message or option.lower() in message.lower(), f"{option}: {message}"
    monkeypatch.delenv(f"QD_{option.upper()}")
    qd.init(log_level="error")


def test_seeds(arch: Any) -> None:
    @qd.kernel
    def draw() -> qd.f32:
        return qd.random(qd.f32)

    drawn = set()
    for seed in (0, -1, 1 << 63, (1 << 64) - 2, 1 - (1 << 63)):
        qd.init(arch=arch, log_level="error", random_seed=seed)
        number = draw()
        qd.init(arch=arch, log_level="error", random_seed=seed)
        assert draw() == number
        drawn.add(number)
    assert len(drawn) == 5
    for seed in (1 << 64, -(1 << 63) - 1, 1.5, "1"):
        with pytest.raises((ValueError, TypeError), match="random_seed must be an integer"):
            qd.init(arch=arch, log_level="error", random_seed=seed)


@pytest.mark.parametrize("threads", [-1, -(1 << 31), 1 << 31, 2.0, True, "2"])
def test_threads(threads: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="cpu_max_num_threads must be an integer"):
        qd.init(log_level="error", cpu_max_num_threads=threads)


@qd.kernel
def number(x: qd.i32) -> qd.i32:
    return x


@qd.kernel
def real(x: qd.f32) -> qd.f32:
    return x


@qd.kernel
def array(x: qd.types.ndarray()):
    for i in qd.grouped(x):
        x[i] = x[i]


@qd.kernel
def numbers(x: qd.types.NDArray[qd.f32, 1]):
    for i in x:
        x[i] += 1


@qd.kernel
def vector(x: qd.types.vector(3, qd.i32)) -> qd.i32:
    return x[0] + x[1] + x[2]


@qd.kernel
def of_template(x: qd.template()):
    pass


@qd.kernel
def view(x: qd.BufferView[qd.f32]) -> qd.f32:
    return x[0]


@pytest.mark.parametrize("kernel", [number, real, array, numbers, vector, of_template, view], ids=repr)
def test_arguments(arch: Any, kernel: Any, recwarn: pytest.WarningsRecorder) -> None:
    for value in ODD:
        is_clear(lambda: kernel(value))  # noqa: B023
        is_clear(lambda: kernel(value, value))  # noqa: B023
        is_clear(lambda: kernel(x=value, y=value))  # noqa: B023
    is_clear(lambda: kernel())


@pytest.mark.parametrize("name", sorted(name for name in dir(qd) if not name.startswith("_") and name not in ("init", "reset")))
def test_functions(name: str, recwarn: pytest.WarningsRecorder, capfd: pytest.CaptureFixture[str]) -> None:
    function = getattr(qd, name)
    if not callable(function):
        return
    qd.init(log_level="error")
    for value in ODD:
        is_clear(lambda: function(value))  # noqa: B023
        # Python's own pow takes as long as such a power does.
        if not (name == "pow" and isinstance(value, int) and abs(value) > 3):
            is_clear(lambda: function(value, value))  # noqa: B023
        if name in ("field", "ndarray", "tensor", "Vector", "Matrix", "BufferView"):
            is_clear(lambda: function(qd.f32, value))  # noqa: B023
            is_clear(lambda: function(value, 3))  # noqa: B023
            is_clear(lambda: function(value, 3, qd.f32))  # noqa: B023
            for option in inspect.signature(function).parameters:
                is_clear(lambda: function(qd.f32, shape=(2, 2), **{option: value}))  # noqa: B023


@pytest.mark.parametrize("kind", ["field", "ndarray", "vectors", "view"])
def test_methods(kind: str, arch: Any, recwarn: pytest.WarningsRecorder) -> None:
    made = {
        "field": lambda: qd.field(qd.i32, (2, 3)),
        "ndarray": lambda: qd.ndarray(qd.f32, 4),
        "vectors": lambda: qd.ndarray(qd.types.vector(3, qd.f32), 4),
        "view": lambda: qd.ndarray(qd.f32, 4)[1:3],
    }[kind]()
    for name in dir(made):
        if name.startswith("_") or not callable(getattr(made, name)):
            continue
        for value in ODD:
            is_clear(lambda: getattr(made, name)(value))  # noqa: B023
            is_clear(lambda: getattr(made, name)(value, value))  # noqa: B023
    for value in ODD:
        is_clear(lambda: made[value])  # noqa: B023
        is_clear(lambda: made.__setitem__(value, 1))  # noqa: B023
        is_clear(lambda: made.__setitem__(0, value))  # noqa: B023


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("offset", -1),
        ("offset", 3),
        ("offset", 1 << 40),
        ("offset", 1.0),
        ("offset", "1"),
        ("offset", None),
        ("offset", True),
        ("size", -1),
        ("size", 4),
        ("size", 1 << 70),
        ("size", None),
        ("size", 2.5),
    ],
)
def test_attributes_of_a_view_that_are_set(arch: Any, name: str, value: Any) -> None:
    x = qd.ndarray(qd.f32, 4)
    part = x[1:3]
    setattr(part, name, value)
    with pytest.raises(qd.KernelRuntimeTypeError, match=r'"x" of kernel view: BufferView out of range: offset=.*, size=.*, ndarray of shape \(4,\)'):
        view(part)
    part = x[1:3]
    part.arr = qd.ndarray(qd.f32, 2)
    with pytest.raises(qd.KernelRuntimeTypeError, match=r"offset=1, size=2, ndarray of shape \(2,\)"):
        view(part)
    part.arr = qd.ndarray(qd.f32, (4, 4))
    with pytest.raises(qd.KernelRuntimeTypeError, match=r"ndarray of shape \(4, 4\)|1 dimension"):
        view(part)
    part.arr, part.offset, part.size = x, np.int64(2), np.int32(2)
    assert view(part) == 0.0
