"""Names of Quadrants and Taichi that qd has under another name, or does not need: errors, classes of arrays, options of `init`, helpers of `lang`."""

from __future__ import annotations

import contextlib
import enum
import functools
import importlib
import importlib.util
import operator
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import qdcov as qd
from qdcov import _dtypes, _log, _options
from qdcov._arrays.annotations import NDArray
from qdcov._arrays.buffer_view import ViewAnnotation
from qdcov._declined import DECLINED
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._runtime import ARCH_NUMBERS, Arch, State
from qdcov._start import is_available
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType
from qdcov.compat import _graph as graph
from qdcov.compat import _program as program
from qdcov.compat._patterns import taichi_logo

VERSIONS = {"quadrants": (1, 3, 3), "taichi": (1, 7, 4)}
"""The versions that programs see in ``__version__``, and `init` in ``require_version``."""

DECLINED_MODULES = {
    "aot": DECLINED["aot"],
    "linalg": DECLINED["linalg"],
    "sparse": DECLINED["SNode"],
    "tools": DECLINED["tools"],
    "ui": DECLINED["ui"],
    "interop": "arrays of other libraries are passed to kernels by __dlpack__",
}
"""Modules of the peers that programs can import, but not use."""

_IGNORED = """
ad_stack_size allow_nv_shader_extension auto_mesh_local_default_occupacy cache_loop_invariant_global_vars cpu_block_dim_adaptive
cpu_fixed_block_dim cpu_min_block_size cpu_per_worker_min_block_dim cpu_work_scheduling default_up
demote_dense_struct_fors demote_no_access_mesh_fors detect_read_only dump_ir experimental_auto_mesh_local external_metal_command_queue
external_metal_command_queue_is_torch_queue flatten_if force_scalarize_matrix gpu_max_reg half2_vectorization lower_access make_block_local
make_cpu_multithreading_loop make_mesh_block_local make_thread_local max_block_dim mesh_localize_all_attr_mappings mesh_localize_from_end_mapping
mesh_localize_to_end_mapping move_loop_invariant_outside_if optimize_mesh_reordered_mapping packed print_accessor_ir print_ir_dbg_info
print_kernel_amdgcn print_kernel_llvm_ir print_kernel_llvm_ir_optimized print_preprocessed_ir print_struct_llvm_ir quant_opt_atomic_demotion
quant_opt_store_fusion raise_on_templated_floats real_matrix_scalarize saturating_grid_dim simplify_after_lower_access simplify_before_lower_access
timeline use_llvm use_unified_memory verbose verbose_kernel_launches vk_api_version wait
""".split()
"""Options of the peers' `init` that change their compilers, and nothing here."""

_OPERATORS = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "matmul")},
    **{f"cmp_{name}": getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    **{f"bit_{name}": getattr(operator, of) for name, of in (("and", "and_"), ("or", "or_"), ("xor", "xor"), ("not", "invert"))},
    "bit_shl": operator.lshift, "bit_sar": operator.rshift,
}  # fmt: skip
"""The operators of the peers' `lang.ops`."""

_OTHER_ARCHS = ("opengl", "gles", "dx11", "dx12", "metal", "wasm", "cc")


def own_names(peer: str) -> dict[str, dict[str, Any]]:
    """The names of a peer that are not qd's: by module, by name."""
    title, short = peer.capitalize(), "qd" if peer == "quadrants" else "ti"
    errors = {
        f"{title}{kind}Error": getattr(qd, f"Kernel{kind}Error")
        for kind in ("Assertion", "Compilation", "Name", "Runtime", "RuntimeType", "Syntax", "Type", "Index")
    }
    arrays = {
        "Field": _kind("Field", lambda thing: isinstance(thing, (qd.Field, qd.StructField))),
        "ScalarField": _array_kind("ScalarField", qd.Field, 0),
        "MatrixField": _array_kind("MatrixField", qd.Field, 1, 2),
        "ScalarNdarray": _array_kind("ScalarNdarray", qd.Ndarray, 0),
        "VectorNdarray": _array_kind("VectorNdarray", qd.Ndarray, 1),
        "MatrixNdarray": _array_kind("MatrixNdarray", qd.Ndarray, 2),
    }
    version = VERSIONS[peer]
    top = {
        "__version__": version,
        "__version_str__": ".".join(map(str, version)),
        "init": _init(peer),
        "is_extension_enabled": lambda ext: qd.is_extension_supported(qd.cfg.arch, ext),
        "dump_compile_config": lambda: print(qd.cfg),
        "rgb_to_hex": _rgb_to_hex, "hex_to_rgb": _hex_to_rgb,
        "error": _logger("error"), "warn": _logger("warn"), "info": _logger("info"), "debug": _logger("debug"), "trace": _logger("trace"),
        **{name: Arch(name) for name in _OTHER_ARCHS if name != "metal"},
        **dict.fromkeys(("block_local", "cache_read_only", "no_activate", "mesh_local"), _hint),
        **errors,
        **arrays,
    }  # fmt: skip
    if peer == "taichi":
        top["version"] = version
    else:
        top |= {"graph_parallel": qd.graph.parallel, "graph_parallel_context": qd.graph.parallel_context, "CPUWorkScheduling": CPUWorkScheduling}
    levels = {level: _logger(level) for level in _log.LEVELS}
    core = {
        "arch_from_name": Arch,
        "Arch": _arch_of_number,
        "DataType": _dtypes.DataType,
        "is_extension_supported": qd.is_extension_supported,
        "GGUI_AVAILABLE": False,
        **{f"with_{arch}": functools.partial(_is_arch_supported, Arch(arch)) for arch in ("amdgpu", "cuda", "metal", "opengl", "vulkan")},
        **{f"get_version_{part}": (lambda number=number: number) for part, number in zip(("major", "minor", "patch"), version, strict=True)},
    }
    return {
        "": top,
        "_logging": {"_get_logging": _logger, "supported_log_levels": list(_log.LEVELS), **levels},
        "_lib.core": core,
        f"_lib.core.{peer}_python": core,
        "_test_tools": {f"{short}_init_same_arch": _init_same_arch(top["init"])},
        "_test_tools.textwrap2": {"dedent": lambda indent, text: "\n".join(line[indent:] for line in text.split("\n"))},
        "_test_tools.warnings_helper": {"warn_once": _warn_once},
        "_test_tools.load_kernel_string": {"load_kernel_from_string": _kernel_of_string, "import_kernel_from_file": _kernel_of_file},
        "types.enums": {"AutodiffMode": AutodiffMode, "SNodeGradType": SNodeGradType},
        "types": {"is_tensor": lambda kind: isinstance(kind, MatrixType), "BufferViewType": ViewAnnotation},
        "types.compound_types": {"CompoundType": _kind("CompoundType", lambda thing: isinstance(thing, (MatrixType, StructType)))},
        "types.ndarray_type": {"NdarrayType": NDArray},
        "graph": {name: getattr(graph, name) for name in ("Arg", "ArgKind", "Graph", "GraphBuilder")} if peer == "taichi" else {},
        "experimental": {"real_func": _experimental_real_func(short)},
        "examples.patterns": {"taichi_logo": taichi_logo},
        "lang.impl": {
            "get_runtime": lambda: program.RUNNING,
            f"Py{title}": program.PyProgram,
            "get_max_shared_memory_bytes": _shared_memory,
            "current_cfg": lambda: qd.cfg,
            f"{short}_float": float,
            f"{short}_int": int,
            "inside_kernel": lambda: False,
            "is_python_backend": _on_python,
        },
        "lang.ops": _OPERATORS,
        "lang.matrix": {"VectorType": _kind("VectorType", lambda thing: isinstance(thing, MatrixType) and thing.ndim == 1)},
        "lang.misc": {"get_host_arch_list": lambda: [qd.cpu], "is_arch_supported": _is_arch_supported},
        "lang.util": {
            "has_pytorch": lambda: importlib.util.find_spec("torch") is not None,
            "has_paddle": lambda: False,
            "in_python_scope": lambda: True,
            f"in_{peer}_scope": lambda: False,
            "to_numpy_type": lambda dtype: _dtypes.require(dtype).numpy,
            "to_pytorch_type": _torch_type,
            f"to_{peer}_type": _dtypes.resolve,
            "cook_dtype": _dtypes.resolve,
            "warning": lambda message, kind=UserWarning, stacklevel=1, **_: warnings.warn(message, kind, stacklevel=stacklevel + 1),
        },
    }


class AutodiffMode(enum.Enum):
    """The modes in which the peers compile a kernel."""

    NONE = 0
    VALIDATION = 1
    FORWARD = 2
    REVERSE = 3


class CPUWorkScheduling(enum.Enum):
    """The values of the option cpu_work_scheduling."""

    PER_WORKER = 0
    FIXED_SIZE = 1


class SNodeGradType(enum.Enum):
    """The parts that a field may have besides its values."""

    PRIMAL = 0
    ADJOINT = 1
    DUAL = 2
    ADJOINT_CHECKBIT = 3


def _kind(name: str, is_instance: Callable[[Any], bool]) -> type:
    """A class of the peers, for programs that ask whether something is an instance of it."""

    class Kind(type):
        def __instancecheck__(cls, instance: Any) -> bool:
            return is_instance(instance)

    return Kind(name, (), {})


def _array_kind(name: str, array: type, *dimensions: int) -> type:
    """A class of the peers: arrays whose elements have so many dimensions."""
    return _kind(name, lambda thing: isinstance(thing, array) and len(getattr(thing, "element_shape", ())) in dimensions)


# --- init ------------------------------------------------------------------------------------------------------------
def _init(peer: str) -> Callable[..., None]:
    environment = "QD_" if peer == "quadrants" else "TI_"
    told: set[str] = set()

    def init(arch: Any = None, default_fp: Any = None, default_ip: Any = None, **options: Any) -> None:
        """qd.init with the options of the peer. Those that mean nothing here are told once."""
        required = options.pop("require_version", None)
        if required is not None:
            _check_version(peer, required)
        ignored = {name for name in options if name in _IGNORED and name not in _options.DEFAULTS}
        if new := sorted(ignored - told):
            told.update(new)
            _log.log(f"options of {peer} without an effect here: {', '.join(new)}", _log.INFO)
        options = {"printf_formats": True} | {name: value for name, value in options.items() if name not in ignored}
        with _as_own_variables(environment):
            qd.init(arch=_known_archs(arch), default_fp=default_fp, default_ip=default_ip, **options)

    return init


@contextlib.contextmanager
def _as_own_variables(prefix: str) -> Iterator[None]:
    """Gives the peer's environment variables, TI_DEBUG=1, their names here, QD_DEBUG, while qd.init reads them."""
    given = {f"QD_{name.upper()}": os.environ.get(f"{prefix}{name.upper()}") for name in ("arch", *_options.DEFAULTS)}
    new = {name: text for name, text in given.items() if text is not None and name not in os.environ}
    os.environ.update(new)
    try:
        yield
    finally:
        for name in new:
            del os.environ[name]


def _known_archs(arch: Any) -> Any:
    """Architectures that qd.init knows: one that no version has is the CPU, with a warning, as on a machine without its device."""
    if isinstance(arch, (list, tuple)):
        return arch if arch is qd.gpu else [name for name in arch if str(name) not in _OTHER_ARCHS] or _known_archs(arch[0] if arch else None)
    if arch is not None and str(arch) in _OTHER_ARCHS and arch != qd.metal:
        warnings.warn(f"Arch={arch} is not supported: falling back to cpu", stacklevel=3)
        return qd.cpu
    return arch


def _check_version(peer: str, required: str) -> None:
    have = VERSIONS[peer]
    parts = str(required).split(".")
    if len(parts) < 2 or not all(part.isdecimal() for part in parts[:2]):
        raise ValueError(f"require_version must be a version such as '1.3.0', not {required!r}")
    want = tuple(int(part) for part in parts[:3] if part.isdecimal())
    if have[0] != want[0] or have[1:] < want[1:]:
        raise RuntimeError(f"{peer} {required} is required, but qd.compat stands for {peer} {'.'.join(map(str, have))}")


def _init_same_arch(init: Callable[..., None]) -> Callable[..., None]:
    return lambda **options: init(**{**options, "arch": qd.cfg.arch})


# --- kernels ---------------------------------------------------------------------------------------------------------
def _experimental_real_func(peer: str) -> Callable[[Any], Any]:
    """qd.real_func under its old name; `peer` is the name that the peer has in programs."""

    def real_func(function: Any) -> Any:
        message = f"{peer}.experimental.real_func is deprecated because it is no longer experimental. Use {peer}.real_func instead."
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return qd.real_func(function)

    return real_func


@own
@func
def _hint(*_arrays: qd.template()) -> None:  # type: ignore[valid-type]
    """A hint to the peers' compilers: a statement of kernels without an effect here."""


def _on_python() -> bool:
    return State.running is not None and qd.cfg.arch == qd.python


def _arch_of_number(number: int) -> Arch:
    """The architecture of ``int(cfg.arch)``."""
    return next(Arch(name) for name, known in ARCH_NUMBERS.items() if known == number)


def _shared_memory(*, is_lowerbound_ok: bool) -> int:
    """Bytes of shared memory that a block has at least: what the makers of devices promise."""
    least = {qd.cpu: 0, qd.cuda: 48 << 10, qd.amdgpu: 64 << 10, qd.vulkan: 16 << 10}
    if qd.cfg.arch not in least or not is_lowerbound_ok:
        raise RuntimeError(f"get_max_shared_memory_bytes: only a lower bound is known, and none for arch={qd.cfg.arch}")
    return least[qd.cfg.arch]


def _is_arch_supported(arch: Any) -> bool:
    return bool(is_available(arch)) if str(arch) not in _OTHER_ARCHS else False


def _torch_type(dtype: Any) -> Any:
    torch: Any = importlib.import_module("torch")

    return torch.from_numpy(np.empty(0, _dtypes.require(dtype).numpy)).dtype


# --- colours ---------------------------------------------------------------------------------------------------------
def _rgb_to_hex(color: Any) -> Any:
    """0xRRGGBB of red, green and blue from 0 to 1: numbers, or arrays of equal shape."""
    red, green, blue = (np.clip(np.asarray(part) * 255, 0, 255).astype(np.int32) for part in color)
    return red * 0x10000 + green * 0x100 + blue


def _hex_to_rgb(color: int) -> tuple[float, float, float]:
    """Red, green and blue from 0 to 1 of 0xRRGGBB."""
    return (color >> 16 & 255) / 255, (color >> 8 & 255) / 255, (color & 255) / 255


# --- messages --------------------------------------------------------------------------------------------------------
def _logger(level: str) -> Callable[..., None]:
    def write(message: str, *arguments: Any, **named: Any) -> None:
        if _log.is_logging_effective(level):
            _log.log(message.format(*arguments, **named) if arguments or named else message, level)

    return write


_warned: set[str] = set()


def _warn_once(message: str) -> None:
    if message not in _warned:
        _warned.add(message)
        warnings.warn(message, stacklevel=2)


# --- kernels of texts, for tests -------------------------------------------------------------------------------------
def _kernel_of_file(kernel_filepath: Path, kernel_name: str) -> Any:
    spec = importlib.util.spec_from_file_location(kernel_name, kernel_filepath)
    assert spec is not None and spec.loader is not None
    sys.modules[kernel_name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, kernel_name)


@contextlib.contextmanager
def _kernel_of_string(kernel_str: str, kernel_name: str) -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{kernel_name}.py")
        path.write_text(kernel_str, encoding="utf-8")
        try:
            yield _kernel_of_file(path, kernel_name)
        finally:
            sys.modules.pop(kernel_name, None)
