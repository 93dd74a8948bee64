"""@qd.perf_dispatch, qd.pure, qd.ref, logging levels and annotations in brackets."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
import pytest
import qd


def dispatcher(calls: list[str], **options: Any) -> Any:
    @qd.perf_dispatch(get_geometry_hash=lambda a, n: a.shape, **options)
    def work(a: Any, n: int) -> str: ...

    @work.register
    def slow(a: Any, n: int) -> str:
        calls.append("slow")
        time.sleep(0.02)
        return "slow"

    @work.register
    def fast(a: Any, n: int) -> str:
        calls.append("fast")
        return "fast"

    @work.register(is_compatible=lambda a, n: a.size < 2)
    def small(a: Any, n: int) -> str:
        calls.append("small")
        time.sleep(0.01)
        return "small"

    return work


def test_the_fastest_is_called(arch: str) -> None:
    calls: list[str] = []
    work = dispatcher(calls)
    a = np.zeros(5)
    results = [work(a, n=1) for _ in range(8)]
    assert results == calls == ["slow", "fast"] * 2 + ["fast"] * 4  # each once without a clock, once with it
    calls.clear()
    for _ in range(8):
        work(np.zeros(1), 1)  # another geometry
    assert sorted(calls[:6]) == ["fast", "fast", "slow", "slow", "small", "small"] and calls[6:] == ["fast", "fast"]
    assert work.__name__ == "work" and [one.__name__ for one in work._implementations] == ["slow", "fast", "small"]


def test_when_it_measures_again(arch: str) -> None:
    calls: list[str] = []
    work = dispatcher(calls, first_warmup=0, active=2, repeat_after_count=3)
    for _ in range(12):
        work(np.zeros(5), 1)
    assert calls == ["slow", "fast"] * 2 + ["fast"] * 2 + ["slow", "fast"] * 2 + ["fast"] * 2
    calls.clear()
    work = dispatcher(calls, first_warmup=0, repeat_after_seconds=0.05)
    for pause in (0, 0, 0, 0.06, 0):
        time.sleep(pause)
        work(np.zeros(5), 1)
    assert calls == ["slow", "fast", "fast", "slow", "fast"]
    calls.clear()
    work = dispatcher(calls, first_warmup=0, repeat_after_count=0)
    for _ in range(400):
        work(np.zeros(5), 1)
    assert calls.count("slow") == 1


def test_kernels_are_implementations(arch: str) -> None:
    @qd.perf_dispatch(get_geometry_hash=lambda x: x.shape)
    def double(x: qd.types.NDArray[qd.f32, 1]): ...

    @double.register
    @qd.kernel
    def one(x: qd.types.NDArray[qd.f32, 1]):
        for i in x:
            x[i] *= 2

    @double.register
    @qd.kernel
    def two(x: qd.types.NDArray[qd.f32, 1]):
        for i in x:
            x[i] += x[i]

    x = np.ones(4, np.float32)
    for _ in range(6):
        double(x)
    assert x.tolist() == [64] * 4


def test_errors_of_dispatchers(arch: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    calls: list[str] = []
    work = dispatcher(calls)
    with pytest.raises(qd.KernelSyntaxError, match=r"other\(b\) is registered with work\(a, n\): their parameters must have the same names"):

        @work.register
        def other(b: Any) -> None: ...

    @qd.perf_dispatch(get_geometry_hash=lambda: 0)
    def nothing() -> None: ...

    with pytest.raises(qd.KernelRuntimeError, match=r"No suitable functions were found\."):
        nothing()
    monkeypatch.setenv("QD_PERFDISPATCH_FORCE", "other:x, work:slow")
    assert [work(np.zeros(3), 1) for _ in range(4)] == ["slow"] * 4
    monkeypatch.setenv("QD_PERFDISPATCH_FORCE", "work:unknown")
    qd.set_logging_level("critical")
    assert work(np.zeros(3), 1) == "slow"
    assert "work has no implementation 'unknown'; it has slow, fast, small" in capsys.readouterr().err
    monkeypatch.setenv("QD_PERFDISPATCH_FORCE", "work")
    with pytest.raises(ValueError, match="'work' is not of the form name:implementation"):
        work(np.zeros(3), 1)


LIMIT = 3


def test_pure(arch: str) -> None:
    with pytest.warns(DeprecationWarning, match=r"@qd\.kernel\(fastcache=True\)"):

        @qd.pure
        @qd.kernel
        def limited(n: qd.i32) -> qd.i32:
            return min(n, LIMIT)

    assert limited(9) == 3 and limited._fastcache
    with pytest.raises(qd.KernelSyntaxError, match=r"@qd\.pure stands above @qd\.kernel"):
        qd.pure(lambda: 0)  # type: ignore[arg-type]


@qd.func
def raise_by(x: qd.ref(qd.f32), y: qd.types.ref(qd.i32), by: qd.f32):
    x += by
    y = 7  # noqa: F841


@qd.kernel
def by_reference(a: qd.types.ndarray[qd.f32, 1]) -> qd.i32:
    n = 1
    raise_by(a[0], n, 2.5)
    return n


def test_ref(back_end: str) -> None:
    a = np.ones(2, np.float32)
    assert by_reference(a) == 7 and a.tolist() == [3.5, 1]
    assert repr(qd.ref(qd.f32)) == "qd.ref(qd.f32)"


def test_logging_levels(arch: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert (qd.TRACE, qd.DEBUG, qd.INFO, qd.WARN, qd.ERROR, qd.CRITICAL) == ("trace", "debug", "info", "warn", "error", "critical")
    qd.init(arch=arch, log_level="warn")
    levels = ("trace", "debug", "info", "warn", "error", "critical")
    assert [level for level in levels if qd.is_logging_effective(level)] == ["warn", "error", "critical"]
    qd.set_logging_level(qd.DEBUG)
    assert qd.is_logging_effective("debug") and not qd.is_logging_effective("trace")
    capsys.readouterr()
    work = dispatcher([], first_warmup=0)
    for _ in range(3):
        work(np.zeros(9), 1)
    assert capsys.readouterr().err == "[qd] perf_dispatch: work takes fast of 2 implementations\n"
    for wrong in ("loud", 3):
        with pytest.raises(ValueError, match="the logging level is one of trace, debug"):
            qd.set_logging_level(wrong)  # type: ignore[arg-type]


def test_annotations_in_brackets(arch: str) -> None:
    wanted = qd.types.ndarray(dtype=qd.types.vector(2, qd.f32), ndim=2)
    for made in (qd.types.ndarray[qd.types.vector(2, qd.f32, unpacked=True), 2], qd.types.NDArray[qd.types.vector(2, qd.f32), 2]):
        assert repr(made) == repr(wanted)
    assert repr(qd.types.ndarray[qd.f32]) == repr(qd.types.ndarray(qd.f32))
    pair = qd.types.struct(v=qd.types.vector(2, qd.f32, unpacked=True), n=qd.i32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f = pair.field(shape=2)
    f[1].v[0] = 3
    assert f.v.to_numpy().tolist() == [[0, 0], [3, 0]]
