"""The native runtime, for the rest of the package."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Callable
from typing import Any

from qdcov import _log, _options, _runtime
from qdcov._kernels.bound import Binding
from qdcov._native_module import _native

Binding.make = staticmethod(_native.bound_kernel)
_end: _runtime.End | None = None
_itself = sys.modules[__name__]
"""The module, as a global variable of its own: at exit the interpreter clears the variables of modules that it finds, so `_end`, too, while native
code still refers to functions of the module."""


def start(config: _options.Config, environment: dict[str, str]) -> Any:
    """A native program with these options; observed, for instance for coverage, if these environment variables ask for it."""
    global _end
    _end = _end or _runtime.End()
    return _native.program({**_options.native(config), "offline_cache_file_path": _cache_folder(config)}, environment)


def _cache_folder(config: _options.Config) -> str:
    """The folder of the offline cache; empty when there is none."""
    if not config.offline_cache:
        return ""
    if not config.offline_cache_file_path:
        _log.log("offline cache: there is no home folder to keep it in; kernels are compiled anew in each run (see offline_cache_file_path)")
        return ""
    return os.path.abspath(os.path.expanduser(str(config.offline_cache_file_path)))


def kernel(
    config: _options.Config, program: Any, function: types.FunctionType, fastcache: bool, graph: bool, checkpoints: bool
) -> Callable[..., Any]:
    """The native kernel of a function; a callable."""
    if config.print_non_pure and not fastcache:
        _log.log(f"[NOT_PURE] kernel {function.__qualname__} is compiled without fastcache=True")
    compiled: Callable[..., Any] = program.kernel(function, fastcache, graph, checkpoints)
    return compiled
