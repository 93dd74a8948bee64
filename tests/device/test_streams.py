"""Streams and events on each architecture: order, waits of host access, receivers of failures, unsupported uses."""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

import in_place
import numpy as np
import pytest
import qd

Ints = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.kernel
def append(x: Ints, digit: qd.i32):
    x[0] = (x[0] * 3 + digit) % 1000003


@qd.kernel
def add(x: qd.types.ndarray(ndim=1), value: qd.i32):
    for i in x:
        x[i] += value


@qd.kernel
def total(x: Ints) -> qd.i32:
    s = 0
    for i in x:
        s += x[i]
    return s


@qd.kernel
def add_to_template(x: qd.template(), value: qd.i32):
    for i in x:
        x[i] += value


@qd.kernel
def positive(x: Ints):
    for i in x:
        assert x[i] > 0, f"x[{i}] is {x[i]}"


@qd.kernel
def speak(n: qd.i32):
    print("n is", n)


@qd.kernel
def draw(x: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in x:
        x[i] = qd.random(qd.f32)


@qd.kernel
def wait_for_flag(flag: Ints, x: Ints):
    for _ in range(1):
        while qd.atomic_add(flag[0], 0) == 0:
            pass
        x[0] += 1


@qd.data_oriented
class Counter:
    def __init__(self) -> None:
        self.x = qd.field(qd.i32, 4)

    @qd.kernel
    def count(self, by: qd.i32):
        for i in self.x:
            self.x[i] += by

    @staticmethod
    @qd.kernel
    def plain(x: Ints, by: qd.i32):
        for i in x:
            x[i] += by


def ints(*values: int) -> Any:
    array = qd.ndarray(qd.i32, len(values))
    array.from_numpy(np.array(values, np.int32))
    return array


def message(call: Callable[[], Any], kind: type[BaseException] = qd.KernelRuntimeError) -> str:
    with pytest.raises(kind) as raised:
        call()
    return str(raised.value)


# --- order ---


def test_launches_of_a_stream_run_in_their_order(arch: str) -> None:
    x, stream, expected = ints(0), qd.create_stream(), 0
    for i in range(30):
        append(x, i % 3, qd_stream=stream)
        expected = (expected * 3 + i % 3) % 1000003
    assert x[0] == expected


@pytest.mark.parametrize("seed", range(8))
def test_events_order_streams(arch: str, seed: int) -> None:
    qd.init(arch=arch, log_level="error", random_seed=seed)
    x, expected = ints(0), 0
    streams: list[Any] = [qd.create_stream(), qd.create_stream(), None]
    event = qd.create_event()
    for i in range(18):
        append(x, i % 3, qd_stream=streams[i % 3])
        event.record(streams[i % 3])
        event.wait(streams[(i + 1) % 3])
        expected = (expected * 3 + i % 3) % 1000003
    qd.sync()
    assert x[0] == expected


def test_an_event_means_the_last_time_it_was_recorded(arch: str) -> None:
    a, b, event, x = qd.create_stream(), qd.create_stream(), qd.create_event(), ints(0)
    event.record(a)
    append(x, 1, qd_stream=a)
    event.record(qd_stream=a)
    event.wait(qd_stream=b)
    append(x, 2, qd_stream=b)
    b.synchronize()
    assert x[0] == 5
    event.record()  # the default stream, where nothing is to be waited for
    event.synchronize()


def test_two_host_threads_launch_at_once(arch: str) -> None:
    results: dict[int, int] = {}

    def work(number: int) -> None:
        x = qd.ndarray(qd.i32, 10)
        with qd.create_stream() as stream:
            for i in range(60):
                add(x, number, qd_stream=stream)
                if i % 20 == 0:
                    assert x[9] == (i + 1) * number
        results[number] = x[0]

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {1: 60, 2: 120, 3: 180}


# --- calls ---


def test_every_kind_of_call_takes_a_stream(arch: str) -> None:
    stream, x, counter, field = qd.create_stream(), ints(1, 2, 3), Counter(), qd.field(qd.i32, 4)
    add(x, 1, qd_stream=stream)
    add(x, value=1, qd_stream=stream)
    add(qd_stream=stream, value=1, x=x)
    add(x, 1, **{"".join(["qd_", "stream"]): stream})
    add(x, 1, qd_stream=None)
    counter.count(2, qd_stream=stream)
    counter.count(by=2, qd_stream=stream)
    Counter.plain(x, 1, qd_stream=stream)
    add_to_template(field, 3, qd_stream=stream)
    stream.synchronize()
    qd.sync()
    assert x.to_numpy().tolist() == [7, 8, 9]
    assert counter.x.to_numpy().tolist() == [4] * 4
    assert field.to_numpy().tolist() == [3] * 4


def test_results_and_arrays_of_the_host_are_there_when_the_call_returns(arch: str) -> None:
    stream, x, own = qd.create_stream(), ints(1, 2, 3), np.array([1, 2], np.int32)
    add(x, 1, qd_stream=stream)
    assert total(x, qd_stream=stream) == 9
    add(own, 5, qd_stream=stream)
    assert own.tolist() == [6, 7]


def test_a_dispatcher_passes_the_stream_on(arch: str) -> None:
    @qd.perf_dispatch(get_geometry_hash=lambda x, value: x.shape)
    def adds(x: Any, value: Any) -> None: ...

    @adds.register
    @qd.kernel
    def one(x: Ints, value: qd.i32):
        for i in x:
            x[i] += value

    @adds.register
    @qd.kernel
    def other(x: Ints, value: qd.i32):
        for i in range(x.shape[0]):
            x[i] = x[i] + value

    x = ints(0)
    with qd.create_stream() as stream:
        for _ in range(10):
            adds(x, 1, qd_stream=stream)
    assert x[0] == 10


def test_prints_come_in_the_order_of_the_stream(arch: str, capfd: pytest.CaptureFixture[str]) -> None:
    with qd.create_stream() as stream:
        for n in range(3):
            speak(n, qd_stream=stream)
    assert capfd.readouterr().out == "n is 0\nn is 1\nn is 2\n"


def test_streams_draw_random_numbers_of_their_own(arch: str) -> None:
    def drawn() -> list[Any]:
        qd.init(arch=arch, log_level="error", random_seed=7)
        streams, arrays = [qd.create_stream() for _ in range(2)], [qd.ndarray(qd.f32, 50) for _ in range(2)]
        for stream, array in zip(streams, arrays):
            draw(array, qd_stream=stream)
        return [array.to_numpy().tolist() for array in arrays]

    first = drawn()
    assert all(0 <= number < 1 for numbers in first for number in numbers)
    assert len(set(first[0])) > 40


# --- host access ---


ACCESSES: dict[str, Callable[[Any], Any]] = {
    "element": lambda x: x[2],
    "to_numpy": lambda x: x.to_numpy()[2],
    "array": lambda x: np.asarray(x)[2],
}


@pytest.mark.parametrize("access", ACCESSES)
@pytest.mark.parametrize("made", ["before", "after"])
def test_reading_waits(arch: str, access: str, made: str) -> None:
    arrays: list[Any] = [qd.ndarray(qd.i32, 1000), qd.field(qd.i32, 1000)] if made == "before" else []
    stream = qd.create_stream()
    arrays = arrays or [qd.ndarray(qd.i32, 1000), qd.field(qd.i32, 1000)]
    for x in arrays:
        for _ in range(20):
            add_to_template(x, 1, qd_stream=stream)
        assert ACCESSES[access](x) == 20


WRITES: dict[str, Callable[[Any], Any]] = {
    "element": lambda x: x.__setitem__(5, 100),
    "fill": lambda x: x.fill(100),
    "from_numpy": lambda x: x.from_numpy(np.full(10, 100, np.int32)),
    "copy_from": lambda x: x.copy_from(hundred()),
}


def hundred() -> Any:
    x = qd.ndarray(qd.i32, 10)
    x.fill(100)
    return x


@pytest.mark.parametrize("write", WRITES)
def test_writing_waits(arch: str, write: str) -> None:
    x, stream = qd.ndarray(qd.i32, 10), qd.create_stream()
    for _ in range(20):
        add(x, 1, qd_stream=stream)
    WRITES[write](x)
    assert x[5] == 100
    add(x, 1, qd_stream=stream)
    assert x[5] == 101


def test_elements_that_are_vectors_wait(arch: str) -> None:
    x = qd.Vector.field(2, qd.i32, shape=3)

    @qd.kernel
    def set_all(value: qd.i32):
        for i in x:
            x[i] = [value, value + 1]

    stream = qd.create_stream()
    element = x[1]
    for value in range(20):
        set_all(value, qd_stream=stream)
        assert list(element) == [value, value + 1]


def test_memory_lives_as_long_as_a_launch_needs_it(arch: str) -> None:
    stream = qd.create_stream()
    for _ in range(20):
        x = qd.ndarray(qd.i32, 1000)
        add(x, 1, qd_stream=stream)
        del x
    gc.collect()
    x = qd.ndarray(qd.i32, 1000)
    stream.synchronize()
    assert not x.to_numpy().any()
    for _ in range(5):
        add(x, 1, qd_stream=stream)
    qd.reset()


def test_a_stream_may_be_dropped_before_its_work_is_over(arch: str) -> None:
    x = ints(0)
    for _ in range(20):
        add(x, 1, qd_stream=qd.create_stream())
        qd.sync()
    add(x, 1, qd_stream=qd.create_stream())
    gc.collect()
    assert x[0] == 21


# --- failures ---


def failing(arch: str, end: Callable[[Any, Any], Any]) -> str:
    """The message of a launch that fails on a stream; `end` waits for it."""
    qd.init(arch=arch, debug=True, log_level="error")
    bad, stream = ints(1, -1), qd.create_stream()
    text = message(lambda: (positive(bad, qd_stream=stream), end(stream, bad)), qd.KernelAssertionError)
    stream.synchronize()  # told once
    qd.sync()
    assert bad[1] == -1
    return text


def of_event(stream: Any, bad: Any) -> None:
    event = qd.create_event()
    event.record(stream)
    event.synchronize()


@pytest.mark.parametrize("end", [lambda s, x: s.synchronize(), lambda s, x: qd.sync(), lambda s, x: x.to_numpy(), lambda s, x: x.fill(0), of_event])
def test_a_failed_launch_is_told_by_the_next_wait(arch: str, end: Callable[[Any, Any], Any]) -> None:
    assert "x[1] is -1" in failing(arch, end)


def test_destroy_and_reset_tell_too(arch: str) -> None:
    qd.init(arch=arch, debug=True, log_level="error")
    bad, stream = ints(-1), qd.create_stream()
    message(lambda: (positive(bad, qd_stream=stream), stream.destroy()), qd.KernelAssertionError)
    with pytest.raises(qd.KernelAssertionError), qd.create_stream() as other:
        positive(bad, qd_stream=other)
    with pytest.raises(ZeroDivisionError), qd.create_stream() as other:
        try:
            positive(bad, qd_stream=other)
        except qd.KernelAssertionError:
            pass
        print(1 // 0)
    another = qd.create_stream()
    message(lambda: (positive(bad, qd_stream=another), qd.reset()), qd.KernelAssertionError)
    qd.init(arch=arch, log_level="error")
    assert total(ints(3)) == 3


def test_nobody_else_is_told(back_end: str) -> None:
    qd.init(arch=back_end, debug=True, log_level="error")
    bad, good, a, b = ints(-1), ints(1), qd.create_stream(), qd.create_stream()
    positive(bad, qd_stream=a)
    positive(good, qd_stream=b)
    b.synchronize()
    assert good[0] == 1
    message(a.synchronize, qd.KernelAssertionError)


# --- unsupported uses ---


def test_after_a_reset(arch: str) -> None:
    x, stream, event = ints(1), qd.create_stream(), qd.create_event()
    event.record(stream)
    for again in (qd.reset, lambda: qd.init(arch=arch, log_level="error")):
        again()
        for call in (stream.synchronize, stream.destroy, lambda: stream.handle, lambda: stream.__enter__()):
            assert message(call).startswith("the stream was made before the last qd.init / qd.reset")
        for call in (event.record, event.wait, event.synchronize, event.destroy):
            assert message(call).startswith("the event was made before the last qd.init / qd.reset")
    x = ints(1)
    assert message(lambda: add(x, 1, qd_stream=stream)).startswith("the stream was made before the last qd.init / qd.reset")
    new = qd.create_event()
    assert message(lambda: new.record(stream)).startswith("the stream was made before")
    assert repr(stream) == "<qd.Stream, of an earlier program>"
    add(x, 1, qd_stream=qd.create_stream())
    assert x[0] == 2


def test_what_is_destroyed(arch: str) -> None:
    x, stream, event = ints(1), qd.create_stream(), qd.create_event()
    add(x, 1, qd_stream=stream)
    stream.destroy()
    assert x[0] == 2
    for call in (stream.synchronize, stream.destroy, lambda: stream.handle, lambda: add(x, 1, qd_stream=stream), lambda: event.record(stream)):
        assert message(call) == "the stream was destroyed: make another one with qd.create_stream()"
    event.record()
    assert message(lambda: event.wait(stream)).startswith("the stream was destroyed")
    event.destroy()
    for call in (event.record, event.wait, event.synchronize, event.destroy):
        assert message(call) == "the event was destroyed: make another one with qd.create_event()"
    assert (repr(stream), repr(event)) == ("<qd.Stream, destroyed>", "<qd.Event, destroyed>")


def test_an_event_that_was_never_recorded(arch: str) -> None:
    event, stream = qd.create_event(), qd.create_stream()
    for call in (event.synchronize, event.wait, lambda: event.wait(stream)):
        assert message(call) == "the event was never recorded, so nothing can be waited for: call record() first"
    event.record(stream)
    event.wait()
    event.synchronize()


def test_what_is_no_stream(arch: str) -> None:
    x, event = ints(1), qd.create_event()
    event.record()
    wrong = message(lambda: add(x, 1, qd_stream=5), qd.KernelRuntimeTypeError)
    assert wrong == "qd_stream of kernel add: expected a qd.Stream or None, got int 5"
    assert "expected a qd.Stream or None, got" in message(lambda: add(x, 1, qd_stream=event), qd.KernelRuntimeTypeError)
    assert "record: expected a qd.Stream or None" in message(lambda: event.record("a"), qd.KernelRuntimeTypeError)  # type: ignore[arg-type]
    assert "wait: expected a qd.Stream or None" in message(lambda: event.wait(0), qd.KernelRuntimeTypeError)  # type: ignore[arg-type]
    stream = qd.create_stream()
    assert "takes 2 arguments, got 1" in message(lambda: add(x, qd_stream=stream), qd.KernelRuntimeTypeError)
    assert "takes 2 arguments, got 3" in message(lambda: add(x, 1, 2, qd_stream=stream), qd.KernelRuntimeTypeError)
    assert x[0] == 1


def test_the_name_of_the_argument_is_taken() -> None:
    def kernel(x: qd.i32, qd_stream: qd.i32):
        pass

    assert "no parameter can be called qd_stream" in message(lambda: qd.kernel(kernel), qd.KernelSyntaxError)


def test_before_qd_init() -> None:
    qd.reset()
    for make in (qd.create_stream, qd.create_event):
        assert message(make, RuntimeError).endswith("before fields are made and kernels run")


def test_context_managers(arch: str) -> None:
    with qd.create_stream() as stream, qd.create_event() as event:
        event.record(stream)
        assert (stream.handle == 0) is not hasattr(qd.ndarray(qd.i32, 1), "__cuda_array_interface__") and repr(stream) == "<qd.Stream>"
    assert "destroyed" in message(stream.synchronize) and "destroyed" in message(event.synchronize)
    with qd.create_stream() as stream:
        stream.destroy()
    with qd.create_stream() as stream, qd.create_event():
        qd.reset()
    assert "qd.reset" in message(stream.synchronize)


def test_kernels_cannot_use_them(back_end: str) -> None:
    @qd.kernel
    def makes():
        qd.create_stream()

    message(makes, qd.KernelCompilationError)


# --- a host that looks into a launch while it runs ---


@contextlib.contextmanager
def held_up(x: Any, stream: Any) -> Iterator[None]:
    """A launch that uses `x` is running on the stream in the with statement."""
    in_place.needed()
    flag = ints(0)
    view = flag.to_numpy(copy=False)
    wait_for_flag(flag, x, qd_stream=stream)
    try:
        yield
    finally:
        view[0] = 1


def test_the_host_waits_for_nothing_else(back_end: str) -> None:
    x, y, z = ints(0), ints(0), ints(0)
    a, b, event = qd.create_stream(), qd.create_stream(), qd.create_event()
    event.record(b)
    with held_up(x, a):
        add(y, 1, qd_stream=b)
        add(z, 1)  # the default stream waits for no other
        assert z[0] == 1
        b.synchronize()
        assert y[0] == 1 and total(y, qd_stream=b) == 1
        event.synchronize()
        b.destroy()
    assert x[0] == 1


def test_a_full_queue_of_one_stream_does_not_hold_up_another(back_end: str) -> None:
    x, y, a, b = ints(0), ints(0), qd.create_stream(), qd.create_stream()
    with held_up(x, a):
        for _ in range(500):
            add(x, 1, qd_stream=a)
            add(y, 1, qd_stream=b)
        assert y[0] == 500
    assert x[0] == 501


ACCESSES_THAT_WAIT: dict[str, Callable[[Any], Any]] = {
    **{f"read by {name}": access for name, access in ACCESSES.items()},
    **{f"write by {name}": write for name, write in WRITES.items()},
    "copied from": lambda x: ints(*[0] * 10).copy_from(x),
}


@pytest.mark.parametrize("access", ACCESSES_THAT_WAIT)
def test_host_access_is_behind_the_launch(back_end: str, access: str) -> None:
    x = ints(*[0] * 10)
    done: list[int] = []
    with qd.create_stream() as stream:
        with held_up(x, stream):
            thread = threading.Thread(target=lambda: (ACCESSES_THAT_WAIT[access](x), done.append(1)))
            thread.start()
            thread.join(0.1)
            assert not done
        thread.join()
    assert done
