"""The running program: qd.init, qd.reset, qd.sync, and what dies with a reset."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from qd import _dtypes, _environment, _options


class Arch(str):
    """The name of an architecture."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"qd.{self!s}"


cpu = Arch("cpu")
cuda = Arch("cuda")
amdgpu = Arch("amdgpu")
vulkan = Arch("vulkan")
metal = Arch("metal")
python = Arch("python")
x64 = x86_64 = arm64 = cpu
hip = amdgpu
gpu = [cuda, vulkan, amdgpu]

_BY_NAME: dict[str, Arch | list[Arch]] = {str(a): a for a in (cpu, cuda, amdgpu, vulkan, metal, python)}
_BY_NAME |= {"x64": cpu, "x86_64": cpu, "arm64": cpu, "hip": amdgpu, "gpu": gpu}


class Owned(Protocol):
    def _release(self) -> None: ...


class Running(NamedTuple):
    """What qd.init sets up. `native` is the native program, None on arch=python."""

    config: _options.Config
    native: Any


class State:
    """Other threads may launch, make arrays and look at `running` at any time; who changes something holds the lock."""

    lock = threading.RLock()
    running: Running | None = None
    owned: weakref.WeakSet[Any] = weakref.WeakSet()


def init(
    arch: Any = None,
    default_fp: Any = None,
    default_ip: Any = None,
    _test_mode: bool = False,
    enable_fallback: bool = True,
    require_version: str | None = None,
    print_non_pure: bool = False,
    src_ll_cache: bool = True,
    **kwargs: Any,
) -> None:
    """Starts the runtime, after a reset. Options may also come from the environment as QD_<NAME>; an argument wins.

    `arch` is an architecture or a list of them: the first that works is taken, else the CPU (or RuntimeError with ``enable_fallback=False``)."""
    config = _options.read({**kwargs, "default_fp": default_fp, "default_ip": default_ip})
    config.src_ll_cache = _options.truth("src_ll_cache", src_ll_cache)
    config.print_non_pure = _options.truth("print_non_pure", print_non_pure)
    if require_version is not None:
        _check_version(require_version)
    config.arch = _choose(os.environ.get("QD_ARCH") or arch, _options.truth("enable_fallback", enable_fallback))
    with State.lock:
        reset()
        _dtypes.Defaults.float = config.default_fp
        _dtypes.Defaults.int = config.default_ip
        native = None
        if config.arch == python:
            from qd import _semantics

            _semantics.start(config)
        else:
            from qd import _native_program

            native = _native_program.start(config, _environment.variables())
            _watch_process()
        State.running = Running(config, native)
    if _options.LOG_LEVELS.index(config.log_level) <= _options.LOG_LEVELS.index("info"):
        print(f"[qd] Starting on arch={config.arch}", flush=True)


_watched = False


def _watch_process() -> None:
    """A fork's child starts anew; at exit the program ends before the interpreter does."""
    global _watched
    if not _watched:
        _watched = True
        os.register_at_fork(after_in_child=abandon)
        atexit.register(reset)


def _choose(wanted: Any, fallback: bool) -> Arch:
    names = wanted if isinstance(wanted, Sequence) and not isinstance(wanted, str) else [cpu if wanted is None else wanted]
    candidates: list[Arch] = []
    if not names:
        raise ValueError("arch must be an architecture or a list of them, which is empty")
    for name in names:
        known = _BY_NAME.get(str(name))
        if known is None and str(name) in _native_archs():
            known = Arch(name)
        if known is None:
            raise ValueError(f"Unknown arch {name!r}; known are {', '.join(_BY_NAME)}")
        candidates += known if isinstance(known, list) else [known]
    for candidate in candidates:
        if is_available(candidate):
            return candidate
    asked = ", ".join(candidates)
    if not fallback:
        raise RuntimeError(f"Arch={asked} is not supported")
    warnings.warn(f"Arch={asked} is not supported yet; falling back to cpu", stacklevel=3)
    return cpu


def is_available(arch: Any) -> bool:
    """Whether programs can run on an architecture."""
    return arch == python or str(arch) in _native_archs()


def _native_archs() -> list[str]:
    """What the native runtime was built with."""
    from qd._native_module import _native

    return _native.archs()


def _check_version(required: str) -> None:
    from qd import __version__

    def numbers(text: str) -> list[int]:
        if not isinstance(text, str) or not all(part.isdecimal() for part in text.split(".")):
            raise ValueError(f"require_version must be a version such as '0.1.0', not {text!r}")
        return [int(part) for part in text.split(".")]

    have, want = numbers(__version__), numbers(required)
    if have[0] != want[0] or have[1:] < want[1:]:
        raise RuntimeError(f"qd {required} is required, but this is qd {__version__}")


def abandon() -> None:
    """In the child of a fork: what the parent made cannot run here, its threads are gone."""
    State.lock = threading.RLock()  # a thread of the parent may have held it
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

    Calls of kernels that other threads are in go on, with the memory that they have; nobody waits for them (see qd.sync)."""
    with State.lock:
        running, State.running = State.running, None
        _release_all()
        _dtypes.Defaults.float, _dtypes.Defaults.int = _dtypes.f32, _dtypes.i32
        if running is not None and running.native is not None:
            running.native.close()


def sync() -> None:
    """Waits until all kernels have finished, those that other threads are in, too. On the CPU a kernel of this thread has, when its call returns."""
    running = State.running
    if running is not None and running.native is not None:
        running.native.sync()


def take_in_launches() -> None:
    """Waits for launches that go on after their call, for what they have counted. What failed in them is raised by the next wait."""
    running = State.running
    if running is not None and running.native is not None:
        running.native.take_in_launches()


def own(thing: Owned) -> None:
    """`thing` is released by the next reset."""
    with State.lock:
        State.owned.add(thing)


def own_made_for(thing: Owned, made_for: Running, take: Callable[[], None]) -> bool:
    """Lets `thing` take what was made for a program, and owns it. False when that program has ended meanwhile: then nothing is taken."""
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
        raise RuntimeError("qd.init() has not been called: call it before fields are made and kernels run")
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


def show(text: str) -> None:
    """What kernels print."""
    sys.stdout.write(text)
    sys.stdout.flush()


def log(message: str) -> None:
    """A warning of the runtime, on standard error."""
    print(f"[qd] {message}", file=sys.stderr, flush=True)
