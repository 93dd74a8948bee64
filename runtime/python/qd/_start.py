"""qd.init: chooses an architecture and starts the runtime."""

from __future__ import annotations

import functools
import os
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from qd import _checks, _dtypes, _environment, _execution, _log, _options, _semantics
from qd._kernel_times import KernelTimes
from qd._runtime import Arch, Running, State, amdgpu, cpu, cuda, gpu, metal, python, reset, vulkan, watch_process
from qd._version import __version__

_BY_NAME: dict[str, Arch | list[Arch]] = {str(a): a for a in (cpu, cuda, amdgpu, vulkan, metal, python)}
_BY_NAME |= {"x64": cpu, "x86_64": cpu, "arm64": cpu, "hip": amdgpu, "gpu": gpu}


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
    _log.set_logging_level(config.log_level)
    with State.lock:
        reset()
        _dtypes.Defaults.float = config.default_fp
        _dtypes.Defaults.int = config.default_ip
        if config.arch == python:
            _execution.start(config)
            _semantics.start()
            _checks.start()
            times = KernelTimes() if config.kernel_profiler else None
            State.running = Running(config, None, functools.partial(_interpreted_kernel, times), times)
        else:
            from qd import _native_program

            native = _native_program.start(config, _environment.variables())
            watch_process()
            kernel = functools.partial(_native_program.kernel, config, native)
            State.running = Running(config, native, kernel, native if config.kernel_profiler else None)
    if _log.is_logging_effective(_log.INFO):
        print(f"[qd] Starting on arch={config.arch}", flush=True)


def _interpreted_kernel(
    times: KernelTimes | None, function: types.FunctionType, _fastcache: bool, graph: bool, checkpoints: bool
) -> Callable[..., Any]:
    from qd import _interpreted_graphs

    kernel = _interpreted_graphs.kernel(function, graph, checkpoints)
    return times.measured(function, kernel) if times is not None else kernel


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
    def numbers(text: str) -> list[int]:
        if not isinstance(text, str) or not all(part.isdecimal() for part in text.split(".")):
            raise ValueError(f"require_version must be a version such as '0.1.0', not {text!r}")
        return [int(part) for part in text.split(".")]

    have, want = numbers(__version__), numbers(required)
    if have[0] != want[0] or have[1:] < want[1:]:
        raise RuntimeError(f"qd {required} is required, but this is qd {__version__}")
