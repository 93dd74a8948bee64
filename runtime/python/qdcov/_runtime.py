"""The running program: the results of qd.init, qd.reset, qd.sync, and objects that end with a reset."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from qdcov import _dtypes, _options
from qdcov._errors import KernelRuntimeError
from qdcov._kernel_times import Profile


class Arch(str):
    """The name of an architecture."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name alone, as those of the peers have it."""
        return str(self)

    def __int__(self) -> int:
        """The number that Quadrants gives the architecture. ValueError for others."""
        if self not in ARCH_NUMBERS:
            raise ValueError(f"{self!r} has no number")
        return ARCH_NUMBERS[self]

    def __repr__(self) -> str:
        return f"qd.{self!s}"


ARCH_NUMBERS = {"cpu": 0, "python": 3, "cuda": 4, "metal": 5, "amdgpu": 7, "vulkan": 8}
cpu = Arch("cpu")
cuda = Arch("cuda")
amdgpu = Arch("amdgpu")
vulkan = Arch("vulkan")
metal = Arch("metal")
python = Arch("python")
x64 = x86_64 = arm64 = cpu
hip = amdgpu
gpu = [cuda, vulkan, amdgpu]


class Owned(Protocol):
    def _release(self) -> None: ...


class Running(NamedTuple):
    """Results of qd.init. `native` is the native program, None on arch=python; `kernel` makes of a function, and of whether
    it has fastcache=True, graph=True and checkpoints=True, the launcher; `profile` measures launches, None when it is off."""

    config: _options.Config
    native: Any
    kernel: Callable[[types.FunctionType, bool, bool, bool], Callable[..., Any]]
    profile: Profile | None


class State:
    """Other threads may launch, make arrays and look at `running` at any time; a change needs the lock."""

    lock = threading.RLock()
    running: Running | None = None
    forked = False  # this process is the child of a fork
    owned: weakref.WeakSet[Any] = weakref.WeakSet()


_watched = 0


def watch_process() -> None:
    """Registers handlers of forks and exit: a fork's child starts anew. At exit launches end, and leave their counts; fields and kernels stay for
    functions of atexit that run later, and `End` ends the program.

    A failure that no wait has raised is printed then, as an uncaught exception is, and makes the exit code 1 if it would be 0."""
    global _watched
    if not _watched:
        os.register_at_fork(after_in_child=abandon)
        atexit.register(_settle)
    if _watched != os.getpid():
        _watched = os.getpid()
        # Children of multiprocessing leave with os._exit: their finalizers run, atexit does not. Last of them, because an exit code ends them.
        if (process := sys.modules.get("multiprocessing.process")) is not None and process.parent_process() is not None:
            sys.modules["multiprocessing.util"].Finalize(None, _settle_child, exitpriority=-1000)


def _settle() -> None:
    _tell_failures(State.running, sys)


def _settle_child() -> None:
    if _tell_failures(State.running, sys):
        raise SystemExit(1)


def _tell_failures(running: Running | None, sys: Any) -> bool:
    """Waits for launches, and prints the failures of those that failed; whether there were any."""
    failed = False
    while running is not None and running.native is not None:
        try:
            running.native.settle()
            break
        except Exception as error:
            failed = True
            running.native.fail_at_exit()
            sys.excepthook(type(error), error.with_traceback(None), None)
    return failed


class End:
    """A global variable of this class ends the program when the interpreter takes its modules apart, which is behind all functions of atexit.
    Modules may have lost their names then, so it holds the objects that it needs."""

    def __init__(self) -> None:
        self._state = State
        self._sys = sys
        self._tell_failures = _tell_failures

    def __del__(self) -> None:
        if not self._sys.is_finalizing():  # the module was taken out of sys.modules
            return
        running, self._state.running = self._state.running, None
        self._tell_failures(running, self._sys)
        for thing in list(self._state.owned):
            thing._release()
        if running is not None and running.native is not None:
            running.native.close()


def abandon() -> None:
    """Abandons the program in the child of a fork: objects of the parent cannot run here, because its threads are gone."""
    State.lock = threading.RLock()  # a thread of the parent may have held it
    State.forked = True
    running, State.running = State.running, None
    if running is not None and running.native is not None:
        running.native.abandon()
    _release_all()


def _release_all() -> None:
    for thing in list(State.owned):
        thing._release()
    State.owned.clear()


def reset() -> None:
    """Destroys all fields and ndarrays. Kernels stay, and are compiled anew when they are called again.

    Calls of kernels that other threads are in go on, with the memory that they have; they are not waited for (see qd.sync)."""
    with State.lock:
        running, State.running = State.running, None
        _release_all()
        _dtypes.Defaults.float, _dtypes.Defaults.int = _dtypes.f32, _dtypes.i32
        if running is not None and running.native is not None:
            running.native.close()


def sync() -> None:
    """Waits until all kernels have finished: those on all streams, and those that other threads are in. On the CPU's default stream a kernel of this
    thread has, when its call returns. Raises the failure of a launch on a stream, such as an assert, if it has not been raised yet."""
    running = State.running
    if running is not None and running.native is not None:
        running.native.sync()


def settle() -> None:
    """Waits for launches that go on after their call, and raises the failure of one: like sync(), but not for kernels that other threads are in."""
    running = State.running
    if running is not None and running.native is not None:
        running.native.settle()


def take_in_launches() -> None:
    """Waits for launches that go on after their call, for their counts. Failures in them are raised by the next wait."""
    running = State.running
    if running is not None and running.native is not None:
        running.native.take_in_launches()


def own(thing: Owned) -> None:
    """Releases `thing` at the next reset."""
    with State.lock:
        State.owned.add(thing)


def own_made_for(thing: Owned, made_for: Running, take: Callable[[], None]) -> bool:
    """Lets `thing` take an object that was made for a program, and owns it. False when that program has ended meanwhile: then nothing is taken."""
    with State.lock:
        if State.running is not made_for:
            return False
        take()
        State.owned.add(thing)
        return True


def running() -> Running:
    """The options and the program in force. Raises when qd.init has not been called."""
    now = State.running
    if now is None:
        where = " in this process, the child of a fork" if State.forked else ""
        raise KernelRuntimeError(f"qd.init() has not been called{where}: call it before fields are made and kernels run")
    return now


def config() -> _options.Config:
    """The options in force. Raises when qd.init has not been called."""
    return running().config


def program() -> Any:
    """The native program; None on arch=python."""
    return running().native


def debug() -> bool:
    now = State.running
    return now is not None and bool(now.config.debug)


def bounds() -> bool:
    """Whether indices are checked in kernels."""
    now = State.running
    return now is not None and bool(now.config.check_out_of_bound)


def current_config() -> _options.Config | None:
    """`qd.cfg`: None before qd.init and on arch=python."""
    now = State.running
    return now.config if now is not None and now.native is not None else None
