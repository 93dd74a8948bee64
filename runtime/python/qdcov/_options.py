"""The options of qd.init: names, defaults, and their environment variables."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._near_names import meant, near
from qdcov._option_table import OPTIONS, Option


def _default_cache() -> str:
    """The default folder of the cache; empty if there is no home folder."""
    home = os.path.expanduser("~") if os.environ.get("HOME") != "" else ""
    return os.path.join(home, ".cache", "qd") if os.path.isabs(home) else ""


_COMPUTED = {"offline_cache_file_path": _default_cache(), "debug_dump_path": os.path.join(os.environ.get("TMPDIR") or "/tmp", "qd")}
"""Defaults that the table cannot have."""


def _default(option: Option) -> Any:
    return _dtypes.BY_NAME[option.default] if option.kind == "ir::Type" else _COMPUTED.get(option.name, option.default)


DEFAULTS: dict[str, Any] = {option.name: _default(option) for option in OPTIONS if option.anywhere}
"""Every option that may come from the environment, with its default."""

_ROWS = {option.name: option for option in OPTIONS}
SUBGROUP_SIZES = (8, 16, 32, 64)
MOST_THREADS = 1024
"""Largest number of threads of a block."""


class Config:
    """The options in force: one attribute an option."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.arch: str = "cpu"
        self.device: str = ""
        self.src_ll_cache: bool = True
        self.print_non_pure: bool = False
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"qd.cfg has no option {name!r}{meant(name, self.__dict__)}")

    def __repr__(self) -> str:
        return "Config(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"


def read(arguments: dict[str, Any]) -> Config:
    """The options from the arguments of qd.init, then the environment, then the defaults."""
    unknown = sorted(set(arguments) - set(DEFAULTS))
    if unknown:
        told = ", ".join(name + meant(name, DEFAULTS) for name in unknown)
        raise KeyError(f"Unrecognized keyword argument(s) for qd.init: {told}")
    values = {name: _one(name, default, arguments.get(name)) for name, default in DEFAULTS.items()}
    for name in DEFAULTS:
        if _ROWS[name].kind != "ir::Type":
            values[name] = _checked(_ROWS[name], values[name])
    values["check_out_of_bound"] = values["check_out_of_bound"] or values["debug"]
    for name in DEFAULTS:
        _check_choice(_ROWS[name], values[name])
    if values["cpu_subgroup_size"] not in SUBGROUP_SIZES:
        raise ValueError(f"cpu_subgroup_size must be 8, 16, 32 or 64, not {values['cpu_subgroup_size']!r}")
    if not 1 <= values["default_gpu_block_dim"] <= MOST_THREADS:
        raise ValueError(f"default_gpu_block_dim must be an integer from 1 to {MOST_THREADS}, not {values['default_gpu_block_dim']!r}")
    for name, wanted in (("default_fp", (_dtypes.f32, _dtypes.f64)), ("default_ip", (_dtypes.i32, _dtypes.i64))):
        dtype = None if values[name] is int or values[name] is float else _dtypes.resolve(values[name])
        if dtype not in wanted:
            raise ValueError(f"{name} must be {wanted[0]} or {wanted[1]}, not {values[name]!r}")
        values[name] = dtype
    return Config(values)


def native(config: Config) -> dict[str, Any]:
    """The options for the native runtime, in its form: types by their names, choices by their numbers."""
    values = {option.name: getattr(config, option.name) for option in OPTIONS if option.native}
    for name, value in values.items():
        if isinstance(value, _dtypes.DataType):
            values[name] = value.name
        elif _ROWS[name].choices:
            values[name] = _ROWS[name].choices.index(value)
    return values


_RANGES = {"int": (0, (1 << 31) - 1), "int64_t": (0, (1 << 63) - 1), "uint64_t": (-(1 << 63), (1 << 64) - 1)}


def _checked(option: Option, value: Any) -> Any:
    """A value of the option's type, converted. Raises TypeError or ValueError."""
    name, kind = option.name, option.kind
    if kind == "bool":
        return truth(name, value)
    if isinstance(option.default, str):
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if not isinstance(value, str) or "\0" in value:
            raise TypeError(f"{name} must be a str, not {value!r}")
        return value
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer, float, np.floating)):
        raise TypeError(f"{name} must be {'a number' if kind == 'double' else 'an integer'}, not {value!r}")
    if kind == "double":
        if not 0 <= value < float("inf"):
            raise ValueError(f"{name} must be a number from 0 on, not {value!r}")
        return float(value)
    if isinstance(value, (float, np.floating)):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    low, high = _RANGES.get(kind, _RANGES["int64_t"])
    if not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, not {value!r}")
    return int(value) % (1 << 64) if kind == "uint64_t" else int(value)


def mistyped_variables() -> list[tuple[str, str]]:
    """Environment variables that are probably those of an option, mistyped, each with that of the option. A name much longer or shorter is no typing
    mistake."""
    known = [name.upper() for name in (*DEFAULTS, "arch")]
    given = [name.removeprefix("QD_") for name in os.environ if name.startswith("QD_")]
    pairs = [(name, near(name, known)) for name in given if name not in known]
    return [(f"QD_{name}", f"QD_{found}") for name, found in pairs if found and abs(len(found) - len(name)) <= 2]


def _check_choice(option: Option, value: Any) -> None:
    """Raises ValueError when the option has choices, and this is none of them."""
    if not option.choices or value in option.choices:
        return
    if isinstance(option.default, str):
        raise ValueError(f"{option.name} must be one of {', '.join(option.choices)}, not {value!r}")
    *first, last = map(str, option.choices)
    raise ValueError(f"{option.name} must be {', '.join(first)} or {last}, not {value!r}")


def truth(name: str, value: Any) -> bool:
    """The truth of an option: True or False, or a number for one. Raises TypeError."""
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, (int, np.integer)) and value in (0, 1)):
        return bool(value)
    raise TypeError(f"{name} must be True or False, not {value!r}")


_TRUTHS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def _truth_of(text: str) -> bool:
    """The truth of a variable's text, as configuration files have it, or a number. Raises ValueError."""
    known = _TRUTHS.get(text.strip().lower())
    return bool(int(text)) if known is None else known


def device(value: Any) -> str:
    """A device in the native runtime's form: its number or a part of its name; empty when it is not given. Raises TypeError or ValueError."""
    if value is None:
        return ""
    if isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_)):
        if value < 0:
            raise ValueError(f"device must be a number from 0 on, or a part of a name, not {value!r}")
        return str(int(value))
    if isinstance(value, str):
        if not value.strip() or "\0" in value:
            raise ValueError(f"device must be a number from 0 on, or a part of a name, not {value!r}")
        return value
    raise TypeError(f"device must be a number or a part of a name, not {value!r}")


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
        return _truth_of(text) if isinstance(default, bool) else type(default)(text)
    except ValueError:
        raise ValueError(f"{variable}={text!r} is not a {type(default).__name__}") from None
