"""The options of qd.init: names, defaults, and their environment variables."""

from __future__ import annotations

import os
import tempfile
import warnings
from typing import Any

import numpy as np

from qd import _dtypes

CLEANING_POLICIES = ("never", "version", "lru", "fifo")
"""What the offline cache deletes: nothing; what other builds left; beyond the size limit, what was not used for long, or is old."""


def _default_cache() -> str:
    """Empty where there is no home folder."""
    home = os.path.expanduser("~") if os.environ.get("HOME") != "" else ""
    return os.path.join(home, ".cache", "qd") if os.path.isabs(home) else ""


DEFAULTS: dict[str, Any] = {
    "debug": False,
    "check_out_of_bound": False,
    "opt_level": 1,
    "advanced_optimization": True,
    "cfg_optimization": True,
    "fast_math": True,
    "default_fp": _dtypes.f32,
    "default_ip": _dtypes.i32,
    "cpu_max_num_threads": 0,
    "default_cpu_block_dim": 32,
    "default_gpu_block_dim": 128,
    "random_seed": 0,
    "num_compile_threads": 4,
    "device_memory_GB": 1.0,
    "device_memory_fraction": 0.0,
    "cuda_stack_limit": 0,
    "ad_stack_experimental_enabled": False,
    "ad_stack_size": 0,
    "ad_stack_sparse_threshold_bytes": 100 << 20,
    "debug_dump_path": os.path.join(tempfile.gettempdir(), "qd"),
    "print_ir": False,
    "offline_cache": True,
    "offline_cache_file_path": _default_cache(),
    "offline_cache_cleaning_policy": "lru",
    "offline_cache_max_size_of_files": 100 << 20,
    "offline_cache_cleaning_factor": 0.25,
    "log_level": "info",
    "gdb_trigger": False,
    "short_circuit_operators": True,
    "print_full_traceback": False,
    "unrolling_limit": 32,
    "coverage_switch": 1,
}
"""Every option with its default. Those of devices that this version does not have are accepted and have no effect.

`coverage_switch`: when kernels run without counting, once coverage has nothing more to learn from them: 0 never, 1 soon, 2 at once; 3: at once, and
kernels of which something is left to learn count that alone."""

LOG_LEVELS = ("trace", "debug", "info", "warn", "error", "critical")


class Config:
    """The options in force: one attribute an option."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.arch: str = "cpu"
        self.src_ll_cache: bool = True
        self.print_non_pure: bool = False
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"qd.cfg has no option {name!r}")

    def __repr__(self) -> str:
        return "Config(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"


def read(arguments: dict[str, Any]) -> Config:
    """The options from the arguments of qd.init, then the environment, then the defaults."""
    unknown = sorted(set(arguments) - set(DEFAULTS))
    if unknown:
        raise KeyError(f"Unrecognized keyword argument(s) for qd.init: {', '.join(unknown)}")
    values = {name: _one(name, default, arguments.get(name)) for name, default in DEFAULTS.items()}
    for name, default in DEFAULTS.items():
        if not isinstance(default, _dtypes.DataType):
            values[name] = _checked(name, default, values[name])
    values["check_out_of_bound"] = values["check_out_of_bound"] or values["debug"]
    if values["log_level"] not in LOG_LEVELS:
        raise ValueError(f"log_level must be one of {', '.join(LOG_LEVELS)}, not {values['log_level']!r}")
    if values["coverage_switch"] not in (0, 1, 2, 3):
        raise ValueError(f"coverage_switch must be 0, 1, 2 or 3, not {values['coverage_switch']!r}")
    if values["offline_cache_cleaning_policy"] not in CLEANING_POLICIES:
        message = f"offline_cache_cleaning_policy must be one of {', '.join(CLEANING_POLICIES)}, not {values['offline_cache_cleaning_policy']!r}"
        raise ValueError(message)
    for name, wanted in (("default_fp", (_dtypes.f32, _dtypes.f64)), ("default_ip", (_dtypes.i32, _dtypes.i64))):
        dtype = None if values[name] is int or values[name] is float else _dtypes.resolve(values[name])
        if dtype not in wanted:
            raise ValueError(f"{name} must be {wanted[0]} or {wanted[1]}, not {values[name]!r}")
        values[name] = dtype
    return Config(values)


_LARGEST = {"cpu_max_num_threads": (1 << 31) - 1, "unrolling_limit": (1 << 31) - 1}
"""Of options that are integers; else what 64 bits hold."""


def _checked(name: str, default: Any, value: Any) -> Any:
    """A value of the option's type, from what stands for one. Raises TypeError or ValueError."""
    if isinstance(default, bool):
        return truth(name, value)
    if isinstance(default, str):
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if not isinstance(value, str) or "\0" in value:
            raise TypeError(f"{name} must be a str, not {value!r}")
        return value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer, float, np.floating)):
        raise TypeError(f"{name} must be {'an integer' if isinstance(default, int) else 'a number'}, not {value!r}")
    if isinstance(default, float):
        if not 0 <= value < float("inf"):
            raise ValueError(f"{name} must be a number from 0 on, not {value!r}")
        return float(value)
    if isinstance(value, (float, np.floating)):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    low, high = (-(1 << 63), (1 << 64) - 1) if name == "random_seed" else (0, _LARGEST.get(name, (1 << 63) - 1))
    if not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {value!r}")
    return int(value) % (1 << 64) if name == "random_seed" else int(value)


def truth(name: str, value: Any) -> bool:
    """True or False, or a number that stands for one. Raises TypeError."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, (int, np.integer)) and value in (0, 1)):
        return bool(value)
    raise TypeError(f"{name} must be True or False, not {value!r}")


def _one(name: str, default: Any, argument: Any) -> Any:
    variable = f"QD_{name.upper()}"
    text = os.environ.get(variable, "")
    if argument is not None:
        if text:
            warnings.warn(f"qd.init({name}={argument!r}) overrides the environment variable {variable}={text}", stacklevel=4)
        return argument
    if not text:
        return default
    if isinstance(default, _dtypes.DataType):
        if text not in ("32", "64"):
            raise ValueError(f"{variable} must be 32 or 64, not {text!r}")
        return _dtypes.BY_NAME[default.name[0] + text]
    try:
        return bool(int(text)) if isinstance(default, bool) else type(default)(text)
    except ValueError:
        raise ValueError(f"{variable}={text!r} is not a {type(default).__name__}") from None
