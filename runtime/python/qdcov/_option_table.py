"""The options of qd.init. Made by ci/option_table.py from runtime/options/options.def."""

from __future__ import annotations

from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option: `kind` is its type in the table; `choices`: the values that it may have, where there are few; `native`: the native runtime is told;
    `anywhere`: it may come from the environment, too."""

    name: str
    kind: str
    default: Any
    choices: tuple[Any, ...]
    native: bool
    anywhere: bool


OPTIONS = (
    Option("arch", "std::string", "cpu", (), True, False),
    Option("device", "std::string", "", (), True, False),
    Option("enable_fallback", "bool", True, (), False, False),
    Option("require_version", "std::string", "", (), False, False),
    Option("src_ll_cache", "bool", True, (), True, False),
    Option("print_non_pure", "bool", False, (), False, False),
    Option("debug", "bool", False, (), True, True),
    Option("check_out_of_bound", "bool", False, (), True, True),
    Option("opt_level", "int64_t", 1, (), False, True),
    Option("advanced_optimization", "bool", True, (), False, True),
    Option("cfg_optimization", "bool", True, (), False, True),
    Option("fast_math", "bool", True, (), True, True),
    Option("default_fp", "ir::Type", "f32", (), True, True),
    Option("default_ip", "ir::Type", "i32", (), True, True),
    Option("cpu_max_num_threads", "int", 0, (), True, True),
    Option("default_cpu_block_dim", "int64_t", 32, (), False, True),
    Option("default_gpu_block_dim", "int", 128, (), True, True),
    Option("cpu_subgroup_size", "int", 32, (), True, True),
    Option("device_timeout", "double", 60, (), True, True),
    Option("random_seed", "uint64_t", 0, (), True, True),
    Option("num_compile_threads", "int64_t", 4, (), False, True),
    Option("device_memory_GB", "double", 1.0, (), False, True),
    Option("device_memory_fraction", "double", 0.0, (), False, True),
    Option("cuda_stack_limit", "int64_t", 0, (), True, True),
    Option("ad_stack_experimental_enabled", "bool", False, (), False, True),
    Option("ad_stack_size", "int64_t", 0, (), False, True),
    Option("ad_stack_sparse_threshold_bytes", "int64_t", 104857600, (), False, True),
    Option("debug_dump_path", "std::string", "", (), False, True),
    Option("print_ir", "bool", False, (), True, True),
    Option("print_kernel_asm", "bool", False, (), True, True),
    Option("offline_cache", "bool", True, (), True, True),
    Option("offline_cache_file_path", "std::string", "", (), True, True),
    Option("offline_cache_cleaning_policy", "CacheCleaning", "lru", ("never", "version", "lru", "fifo"), True, True),
    Option("offline_cache_max_size_of_files", "int64_t", 104857600, (), True, True),
    Option("offline_cache_cleaning_factor", "double", 0.25, (), True, True),
    Option("log_level", "LogLevel", "info", ("trace", "debug", "info", "warn", "error", "critical"), False, True),
    Option("gdb_trigger", "bool", False, (), False, True),
    Option("kernel_profiler", "bool", False, (), True, True),
    Option("short_circuit_operators", "bool", True, (), True, True),
    Option("print_full_traceback", "bool", False, (), False, True),
    Option("printf_formats", "bool", False, (), True, True),
    Option("unrolling_limit", "int", 32, (), True, True),
    Option("coverage_switch", "CleanCodeSwitch", 1, (0, 1, 2, 3), True, True),
)
