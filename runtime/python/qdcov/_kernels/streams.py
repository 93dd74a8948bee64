"""Streams and events: launches that go on after their call, and their order."""

from __future__ import annotations

from typing import Any

from qdcov import _runtime
from qdcov._arrays import arrays
from qdcov._errors import KernelRuntimeError, KernelRuntimeTypeError
from qdcov._kernels import argument_texts


class _OfProgram:
    """Base of streams and events: they are of one program, and can be destroyed.

    `_native` is its object in the native runtime; None on arch=python, and for an event that has not been recorded."""

    __slots__ = ("__weakref__", "_destroyed", "_native", "_running")
    _kind = ""

    def __init__(self) -> None:
        self._destroyed = False
        self._native: Any = None
        running = _runtime.running()
        while not _runtime.own_made_for(self, running, lambda: None):  # another thread has called qd.init meanwhile
            running = _runtime.running()
        self._running: _runtime.Running | None = running

    def _release(self) -> None:
        self._native = self._running = None

    def _alive(self) -> _runtime.Running:
        """The program that it is of. Raises if it cannot be used any more."""
        running = self._running
        if self._destroyed:
            raise KernelRuntimeError(f"the {self._kind} was destroyed: make another one with qd.create_{self._kind}()")
        if running is None or running is not _runtime.State.running:
            message = "was made before the last qd.init / qd.reset, and ended with its program"
            raise KernelRuntimeError(f"the {self._kind} {message}: make another one with qd.create_{self._kind}()")
        return running

    def destroy(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Any:
        self._alive()
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if self._destroyed or self._running is None:
            return
        try:
            self.destroy()
        except KernelRuntimeError:
            if error is None:
                raise

    def __repr__(self) -> str:
        end = ", destroyed" if self._destroyed else ", of an earlier program" if self._running is None else ""
        return f"<qd.{type(self).__name__}{end}>"


class Stream(_OfProgram):
    """A queue of launches. ``kernel(..., qd_stream=s)`` puts a launch into it and returns; the launches of a stream run one after the other, those of
    different streams side by side. In a ``with`` statement it is destroyed at the end."""

    __slots__ = ()
    _kind = "stream"

    def __init__(self) -> None:
        super().__init__()
        running = self._alive()
        if running.native is not None:
            self._native = running.native.new_stream()
            arrays.wait_for_streams(running)

    @property
    def handle(self) -> int:
        """The handle of the stream for other libraries, such as ``torch.cuda.ExternalStream``: a CUstream or a hipStream_t as a number. 0 if a
        device has no streams that others can use, as on the CPU."""
        self._alive()
        native = self._native
        return 0 if native is None else int(native.driver_stream())

    def synchronize(self) -> None:
        """Waits for the launches of the stream. Raises the failure of one of them, such as an assert, if it has not been raised yet."""
        self._alive()
        native = self._native
        if native is not None:
            native.synchronize()

    def destroy(self) -> None:
        """Waits for the launches of the stream, as `synchronize` does, and ends it."""
        self._alive()
        native = self._native
        try:
            if native is not None:
                native.destroy()
        except KernelRuntimeError:
            self._end()
            raise
        self._end()

    def _end(self) -> None:
        self._destroyed, self._native = True, None


class Event(_OfProgram):
    """A point in the work of a stream: `record` sets it, `wait` makes another stream go on behind it. It may be recorded again; later waits mean
    the last time. In a ``with`` statement it is destroyed at the end."""

    __slots__ = ("_recorded",)
    _kind = "event"

    def __init__(self) -> None:
        super().__init__()
        self._recorded = False

    def record(self, qd_stream: Stream | None = None) -> None:
        """Sets the event behind all launches that `qd_stream` has so far; None is the default stream."""
        running = self._alive()
        native = _native_stream(running, qd_stream, "record")
        if native is not None:
            self._native = native.record()
        self._recorded = True

    def wait(self, qd_stream: Stream | None = None) -> None:
        """Makes launches on `qd_stream`, by default the default stream, run behind the event from now on. The default stream of the CPU runs at
        once, so there the call waits."""
        running = self._alive()
        stream = _native_stream(running, qd_stream, "wait")
        self._check_recorded()
        if stream is not None:
            stream.wait(self._native)

    def synchronize(self) -> None:
        """Waits for the launches before the event. Raises the failure of one of them, if it has not been raised yet."""
        self._alive()
        self._check_recorded()
        native = self._native
        if native is not None:
            native.synchronize()

    def destroy(self) -> None:
        """Ends the event. Streams that wait for it go on waiting."""
        self._alive()
        self._destroyed, self._native = True, None

    def _check_recorded(self) -> None:
        if not self._recorded:
            raise KernelRuntimeError("the event was never recorded, so nothing can be waited for: call record() first")


def _checked(stream: Any, where: str) -> None:
    if stream is None:
        return
    if not isinstance(stream, Stream):
        raise KernelRuntimeTypeError(f"{where}: expected a qd.Stream or None, got {argument_texts.text(stream)}")
    stream._alive()


def _native_stream(running: _runtime.Running, stream: Stream | None, where: str) -> Any:
    _checked(stream, where)
    if running.native is None:
        return None
    return running.native.default_stream() if stream is None else stream._native


def of_call(stream: Any, kernel: str) -> Any:
    """The native runtime's object of the stream that a caller of a kernel names with `qd_stream`. Raises for one that cannot be launched on."""
    _checked(stream, f"qd_stream of kernel {kernel}")
    return None if stream is None else stream._native


def create_stream() -> Stream:
    """A new stream, for ``kernel(..., qd_stream=s)``."""
    return Stream()


def create_event() -> Event:
    """A new event, which orders the launches of streams."""
    return Event()
