"""qd.init: chooses an architecture and starts the runtime."""

from __future__ import annotations

import dataclasses
import functools
import os
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from qdcov import _dtypes, _environment, _execution, _log, _options
from qdcov._kernel_times import KernelTimes
from qdcov._near_names import meant
from qdcov._runtime import Arch, Running, State, amdgpu, cpu, cuda, gpu, metal, python, reset, vulkan, watch_process
from qdcov._scalars import checks, semantics
from qdcov._version import __version__

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
    device: int | str | None = None,
    **kwargs: Any,
) -> None:
    """Starts the runtime, after a reset. Options may also come from the environment as QD_<NAME>; an argument wins.

    `arch` is an architecture or a list of them: the first that works is taken, else the CPU (or RuntimeError with ``enable_fallback=False``). With
    ``qd.gpu`` that is a GPU, never a driver of Vulkan that runs on the processor.
    `device` is one of its devices (`qd.devices()`): a number, or a part of its name. RuntimeError when there is none.

    `default_fp` and `default_ip` are the types of Python's floats and integers in kernels, f32 and i32. ``require_version="0.1.0"`` raises when this
    is another version. `print_non_pure` names kernels that are not kept for the next run, ``src_ll_cache=False`` keeps no translation of any.
    `kwargs` are the other options, as the page on options lists them; KeyError for a name that is none."""
    config = _options.read({**kwargs, "default_fp": default_fp, "default_ip": default_ip})
    config.src_ll_cache = _options.truth("src_ll_cache", src_ll_cache)
    config.print_non_pure = _options.truth("print_non_pure", print_non_pure)
    if require_version is not None:
        _check_version(require_version)
    config.device = _options.device(device)
    config.arch = _choose(os.environ.get("QD_ARCH") or arch, config.device, _options.truth("enable_fallback", enable_fallback))
    _log.set_logging_level(config.log_level)
    for name, option in _options.mistyped_variables():
        _log.log(f"the environment variable {name} is no option; did you mean {option}?", _log.WARN)
    with State.lock:
        reset()
        _dtypes.Defaults.float = config.default_fp
        _dtypes.Defaults.int = config.default_ip
        if config.arch == python:
            _execution.start(config)
            semantics.start()
            checks.start()
            times = KernelTimes() if config.kernel_profiler else None
            State.running = Running(config, None, functools.partial(_interpreted_kernel, times), times)
        else:
            from qdcov._kernels import native_program

            native = native_program.start(config, _environment.variables())
            watch_process()
            kernel = functools.partial(native_program.kernel, config, native)
            State.running = Running(config, native, kernel, native if config.kernel_profiler else None)
    if _log.is_logging_effective(_log.INFO):
        print(f"[qd] Starting on arch={config.arch}", flush=True)


def _interpreted_kernel(
    times: KernelTimes | None, function: types.FunctionType, _fastcache: bool, graph: bool, checkpoints: bool
) -> Callable[..., Any]:
    from qdcov._interpreter import interpreted_graphs

    kernel = interpreted_graphs.kernel(function, graph, checkpoints)
    return times.measured(function, kernel) if times is not None else kernel


def _choose(wanted: Any, device: str, fallback: bool) -> Arch:
    names = wanted if isinstance(wanted, Sequence) and not isinstance(wanted, str) and wanted is not gpu else [cpu if wanted is None else wanted]
    if not names:
        raise ValueError("arch must be an architecture or a list of them, which is empty")
    reasons: dict[Arch, str] = {}
    for name in names:
        known = gpu if name is gpu else _BY_NAME.get(str(name))
        if known is None and str(name) in _native_archs():
            known = Arch(name)
        if known is None:
            raise ValueError(f"Unknown arch {name!r}{meant(str(name), _BY_NAME)}; known are {', '.join(_BY_NAME)}")
        for candidate in known if isinstance(known, list) else [known]:
            reasons[candidate] = why_not(candidate, device) or (_no_gpu(candidate) if known is gpu and not device else "")
            if not reasons[candidate]:
                return candidate
    if device:
        raise RuntimeError("; ".join(reasons.values()))
    told = [reason for candidate, reason in reasons.items() if str(candidate) in _native_archs()]
    if missing := [candidate for candidate in reasons if str(candidate) not in _native_archs()]:
        told.insert(0, f"Arch={', '.join(missing)} is not supported yet")
    message = "; ".join(told)
    if not fallback:
        raise RuntimeError(message)
    warnings.warn(f"{message}; falling back to cpu", stacklevel=3)
    return cpu


def _no_gpu(arch: Arch) -> str:
    """The reason why qd.gpu does not mean this architecture: all its devices are drivers that run on the processor, more slowly than qd.cpu."""
    usable = [device for device in devices() if device.arch == arch and not device.lacks]
    if "QD_VISIBLE_DEVICE" in os.environ or any(device.type != "cpu" for device in usable):
        return ""
    return f"{arch} has no GPU, but {' and '.join(device.name for device in usable)}, which runs on the processor: arch=qd.{arch} takes it"


def is_available(arch: Any) -> bool:
    """Whether programs can run on an architecture."""
    return not why_not(arch)


def why_not(arch: Any, device: str = "") -> str:
    """The reason why programs cannot run on an architecture, or on a device of it; empty if they can."""
    if arch == python:
        return f"arch={arch} has no devices to choose from" if device else ""
    from qdcov._native_module import _native

    return _native.why_not(str(arch), device)


@dataclasses.dataclass(frozen=True)
class Device:
    """A device that programs can run on: ``qd.init(arch=device.arch, device=device.index)``."""

    arch: str
    """Its architecture, for `qd.init`."""
    index: int
    """Its number among those of the architecture."""
    name: str
    type: str
    """"cpu", "discrete gpu", "integrated gpu", "virtual gpu" or "other"."""
    driver: str
    api: str
    """The version of Vulkan, CUDA or HIP that the driver has."""
    memory: int
    """In bytes."""
    subgroup_size: int
    """0: it has no subgroups."""
    features: tuple[str, ...]
    """Features that kernels may use, such as "f64"."""
    lacks: str
    """The reason why programs cannot run on it; empty if they can."""


def devices() -> list[Device]:
    """All devices of this computer that kernels can be compiled for."""
    from qdcov._native_module import _native

    return [Device(arch, index, **device) for arch in _native.archs() for index, device in enumerate(_native.devices(arch))]


def _native_archs() -> list[str]:
    """The architectures that the native runtime was built with."""
    from qdcov._native_module import _native

    return _native.archs()


def _check_version(required: str) -> None:
    def numbers(text: str) -> list[int]:
        if not isinstance(text, str) or not all(part.isdecimal() for part in text.split(".")):
            raise ValueError(f"require_version must be a version such as '0.1.0', not {text!r}")
        return [int(part) for part in text.split(".")]

    have, want = numbers(__version__), numbers(required)
    if have[0] != want[0] or have[1:] < want[1:]:
        raise RuntimeError(f"qd {required} is required, but this is qd {__version__}")
