"""The native runtime, as the rest of the package uses it."""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from typing import Any

from qd import _options, _runtime
from qd._native_module import _native


def start(config: _options.Config, coverage: dict[str, str]) -> Any:
    """A native program with these options; with kernel coverage where these variables ask for it."""
    if _native.coverage_settings(coverage).on:
        from qd import _coverage

        _coverage.start()
    return _native.program(
        debug=config.debug,
        check_out_of_bound=config.check_out_of_bound,
        fast_math=config.fast_math,
        short_circuit=config.short_circuit_operators,
        default_ip=config.default_ip.name,
        default_fp=config.default_fp.name,
        threads=config.cpu_max_num_threads,
        seed=config.random_seed,
        unrolling_limit=config.unrolling_limit,
        print_ir=config.print_ir,
        coverage_switch=config.coverage_switch,
        cache_folder=_cache_folder(config),
        cache_cleaning=_options.CLEANING_POLICIES.index(config.offline_cache_cleaning_policy),
        cache_max_bytes=config.offline_cache_max_size_of_files,
        cache_cleaning_factor=config.offline_cache_cleaning_factor,
        fast_cache=config.src_ll_cache,
    )


def _cache_folder(config: _options.Config) -> str:
    """Where compiled code is kept; empty when it is not."""
    if not config.offline_cache:
        return ""
    if not config.offline_cache_file_path:
        _runtime.log("offline cache: there is no home folder to keep it in; kernels are compiled anew in each run (see offline_cache_file_path)")
        return ""
    return os.path.abspath(os.path.expanduser(str(config.offline_cache_file_path)))


def kernel(running: _runtime.Running, function: types.FunctionType, fastcache: bool) -> Callable[..., Any]:
    """The native kernel of a function; a callable."""
    if running.config.print_non_pure and not fastcache:
        _runtime.log(f"[NOT_PURE] kernel {function.__qualname__} is compiled without fastcache=True")
    compiled: Callable[..., Any] = running.native.kernel(function, fastcache)
    return compiled
