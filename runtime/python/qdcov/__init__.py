"""Kernels in Python syntax, compiled for all cores, with a coverage layer built in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qdcov import _public, _runtime
from qdcov import ad as ad
from qdcov import algorithms as algorithms
from qdcov import graph as graph
from qdcov import math as math
from qdcov import profiler as profiler
from qdcov import simt as simt
from qdcov import types as types
from qdcov._arrays.arrays import Field as Field
from qdcov._arrays.arrays import Ndarray as Ndarray
from qdcov._arrays.layout import Layout as Layout
from qdcov._arrays.making import field as field
from qdcov._arrays.making import ndarray as ndarray
from qdcov._arrays.placing import FieldsBuilder as FieldsBuilder
from qdcov._arrays.placing import axes as axes
from qdcov._arrays.placing import root as root
from qdcov._arrays.struct_arrays import StructField as StructField
from qdcov._arrays.struct_arrays import StructNdarray as StructNdarray
from qdcov._arrays.tensor import Backend as Backend
from qdcov._arrays.tensor import MatrixTensor as MatrixTensor
from qdcov._arrays.tensor import Tensor as Tensor
from qdcov._arrays.tensor import VectorTensor as VectorTensor
from qdcov._arrays.tensor import tensor as tensor
from qdcov._arrays.tensor import wrap as wrap
from qdcov._declined import DECLINED
from qdcov._dtypes import DataType as DataType
from qdcov._errors import KernelArgumentError as KernelArgumentError
from qdcov._errors import KernelAssertionError as KernelAssertionError
from qdcov._errors import KernelCompilationError as KernelCompilationError
from qdcov._errors import KernelIndexError as KernelIndexError
from qdcov._errors import KernelNameError as KernelNameError
from qdcov._errors import KernelRuntimeError as KernelRuntimeError
from qdcov._errors import KernelRuntimeTypeError as KernelRuntimeTypeError
from qdcov._errors import KernelSyntaxError as KernelSyntaxError
from qdcov._errors import KernelTypeError as KernelTypeError
from qdcov._extensions import extension as extension
from qdcov._extensions import is_extension_supported as is_extension_supported
from qdcov._kernels.decorators import data_oriented as data_oriented
from qdcov._kernels.graph import checkpoint as checkpoint
from qdcov._kernels.graph import graph_do_while as graph_do_while
from qdcov._kernels.graph import stream_parallel as stream_parallel
from qdcov._kernels.graph_status import GraphStatus as GraphStatus
from qdcov._kernels.streams import Event as Event
from qdcov._kernels.streams import Stream as Stream
from qdcov._kernels.streams import create_event as create_event
from qdcov._kernels.streams import create_stream as create_stream
from qdcov._library import methods as _methods  # noqa: F401  (gives vectors and matrices their methods)
from qdcov._library import operators as _operators  # noqa: F401  (gives kernels the functions of Python's module operator)
from qdcov._library.eigenvalues import eig as eig
from qdcov._library.eigenvalues import make_spd as make_spd
from qdcov._library.eigenvalues import sym_eig as sym_eig
from qdcov._library.interpolation import clamp as clamp
from qdcov._library.interpolation import fract as fract
from qdcov._library.interpolation import mix as mix
from qdcov._library.interpolation import smoothstep as smoothstep
from qdcov._library.interpolation import step as step
from qdcov._library.linear_algebra import polar_decompose as polar_decompose
from qdcov._library.linear_algebra import solve as solve
from qdcov._library.linear_algebra import svd as svd
from qdcov._log import CRITICAL as CRITICAL
from qdcov._log import DEBUG as DEBUG
from qdcov._log import ERROR as ERROR
from qdcov._log import INFO as INFO
from qdcov._log import TRACE as TRACE
from qdcov._log import WARN as WARN
from qdcov._log import is_logging_effective as is_logging_effective
from qdcov._log import set_logging_level as set_logging_level
from qdcov._runtime import amdgpu as amdgpu
from qdcov._runtime import arm64 as arm64
from qdcov._runtime import cpu as cpu
from qdcov._runtime import cuda as cuda
from qdcov._runtime import gpu as gpu
from qdcov._runtime import hip as hip
from qdcov._runtime import metal as metal
from qdcov._runtime import python as python
from qdcov._runtime import reset as reset
from qdcov._runtime import sync as sync
from qdcov._runtime import vulkan as vulkan
from qdcov._runtime import x64 as x64
from qdcov._runtime import x86_64 as x86_64
from qdcov._scalars.integers import bit_and as bit_and
from qdcov._scalars.integers import bit_cast as bit_cast
from qdcov._scalars.integers import bit_not as bit_not
from qdcov._scalars.integers import bit_or as bit_or
from qdcov._scalars.integers import bit_sar as bit_sar
from qdcov._scalars.integers import bit_shl as bit_shl
from qdcov._scalars.integers import bit_shr as bit_shr
from qdcov._scalars.integers import bit_xor as bit_xor
from qdcov._scalars.integers import clz as clz
from qdcov._scalars.integers import ffs as ffs
from qdcov._scalars.integers import mod as mod
from qdcov._scalars.integers import popcnt as popcnt
from qdcov._scalars.integers import raw_div as raw_div
from qdcov._scalars.integers import raw_mod as raw_mod
from qdcov._start import Device as Device
from qdcov._start import devices as devices
from qdcov._start import init as init
from qdcov._values.functions import abs as abs
from qdcov._values.functions import acos as acos
from qdcov._values.functions import asin as asin
from qdcov._values.functions import assume_in_range as assume_in_range
from qdcov._values.functions import atan as atan
from qdcov._values.functions import atan2 as atan2
from qdcov._values.functions import atomic_add as atomic_add
from qdcov._values.functions import atomic_and as atomic_and
from qdcov._values.functions import atomic_cas as atomic_cas
from qdcov._values.functions import atomic_exchange as atomic_exchange
from qdcov._values.functions import atomic_max as atomic_max
from qdcov._values.functions import atomic_min as atomic_min
from qdcov._values.functions import atomic_mul as atomic_mul
from qdcov._values.functions import atomic_or as atomic_or
from qdcov._values.functions import atomic_sub as atomic_sub
from qdcov._values.functions import atomic_xor as atomic_xor
from qdcov._values.functions import block_idx as block_idx
from qdcov._values.functions import cast as cast
from qdcov._values.functions import ceil as ceil
from qdcov._values.functions import clock_counter as clock_counter
from qdcov._values.functions import clock_freq_hz as clock_freq_hz
from qdcov._values.functions import cos as cos
from qdcov._values.functions import cosh as cosh
from qdcov._values.functions import degrees as degrees
from qdcov._values.functions import exp as exp
from qdcov._values.functions import exp2 as exp2
from qdcov._values.functions import expm1 as expm1
from qdcov._values.functions import fabs as fabs
from qdcov._values.functions import floor as floor
from qdcov._values.functions import frexp as frexp
from qdcov._values.functions import global_thread_idx as global_thread_idx
from qdcov._values.functions import grouped as grouped
from qdcov._values.functions import isinf as isinf
from qdcov._values.functions import isnan as isnan
from qdcov._values.functions import log as log
from qdcov._values.functions import log1p as log1p
from qdcov._values.functions import log2 as log2
from qdcov._values.functions import logical_not as logical_not
from qdcov._values.functions import loop_config as loop_config
from qdcov._values.functions import loop_unique as loop_unique
from qdcov._values.functions import max as max
from qdcov._values.functions import min as min
from qdcov._values.functions import ndrange as ndrange
from qdcov._values.functions import one as one
from qdcov._values.functions import outer as outer
from qdcov._values.functions import pow as pow
from qdcov._values.functions import radians as radians
from qdcov._values.functions import randn as randn
from qdcov._values.functions import random as random
from qdcov._values.functions import round as round
from qdcov._values.functions import rsqrt as rsqrt
from qdcov._values.functions import select as select
from qdcov._values.functions import sign as sign
from qdcov._values.functions import sin as sin
from qdcov._values.functions import sinh as sinh
from qdcov._values.functions import sqrt as sqrt
from qdcov._values.functions import static as static
from qdcov._values.functions import static_assert as static_assert
from qdcov._values.functions import static_print as static_print
from qdcov._values.functions import stop_grad as stop_grad
from qdcov._values.functions import tan as tan
from qdcov._values.functions import tanh as tanh
from qdcov._values.functions import volatile_load as volatile_load
from qdcov._values.functions import zero as zero
from qdcov._values.matrix_type import MatrixType as MatrixType
from qdcov._values.struct import Struct as Struct
from qdcov._values.struct import StructType as StructType
from qdcov._version import __version__ as __version__

if TYPE_CHECKING:
    from qdcov._typed.annotations import Template as Template
    from qdcov._typed.annotations import ref as ref
    from qdcov._typed.annotations import template as template
    from qdcov._typed.kernels import *  # noqa: F403
    from qdcov._typed.scalars import *  # noqa: F403
    from qdcov._typed.values import *  # noqa: F403
else:
    from qdcov._arrays.annotations import Template as Template
    from qdcov._arrays.annotations import ref as ref
    from qdcov._arrays.annotations import template as template
    from qdcov._arrays.buffer_view import BufferView as BufferView
    from qdcov._dtypes import f16 as f16
    from qdcov._dtypes import f32 as f32
    from qdcov._dtypes import f64 as f64
    from qdcov._dtypes import float16 as float16
    from qdcov._dtypes import float32 as float32
    from qdcov._dtypes import float64 as float64
    from qdcov._dtypes import i8 as i8
    from qdcov._dtypes import i16 as i16
    from qdcov._dtypes import i32 as i32
    from qdcov._dtypes import i64 as i64
    from qdcov._dtypes import int8 as int8
    from qdcov._dtypes import int16 as int16
    from qdcov._dtypes import int32 as int32
    from qdcov._dtypes import int64 as int64
    from qdcov._dtypes import u1 as u1
    from qdcov._dtypes import u8 as u8
    from qdcov._dtypes import u16 as u16
    from qdcov._dtypes import u32 as u32
    from qdcov._dtypes import u64 as u64
    from qdcov._dtypes import uint1 as uint1
    from qdcov._dtypes import uint8 as uint8
    from qdcov._dtypes import uint16 as uint16
    from qdcov._dtypes import uint32 as uint32
    from qdcov._dtypes import uint64 as uint64
    from qdcov._kernels.decorators import Func as Func
    from qdcov._kernels.decorators import Kernel as Kernel
    from qdcov._kernels.decorators import func as func
    from qdcov._kernels.decorators import kernel as kernel
    from qdcov._kernels.decorators import pure as pure
    from qdcov._kernels.decorators import pyfunc as pyfunc
    from qdcov._kernels.decorators import real_func as real_func
    from qdcov._kernels.perf_dispatch import perf_dispatch as perf_dispatch
    from qdcov._values.matrix import Matrix as Matrix
    from qdcov._values.struct import dataclass as dataclass
    from qdcov._values.vector import Vector as Vector

i, j, k, l, ij, ijk, ijkl = axes(0), axes(1), axes(2), axes(3), axes(0, 1), axes(0, 1, 2), axes(0, 1, 2, 3)  # noqa: E741
ijl, ikl, jkl = axes(0, 1, 3), axes(0, 2, 3), axes(1, 2, 3)
ik, jk, ji, ki, kj, il, jl, kl = axes(0, 2), axes(1, 2), axes(1, 0), axes(2, 0), axes(2, 1), axes(0, 3), axes(1, 3), axes(2, 3)
ijl, ikl, jkl = axes(0, 1, 3), axes(0, 2, 3), axes(1, 2, 3)

_public.settle()


if TYPE_CHECKING:
    cfg: Any
else:

    def __getattr__(name: str) -> Any:
        if name == "cfg":
            return _runtime.current_config()
        if name in DECLINED:
            raise AttributeError(f"qd.{name} is not supported yet: {DECLINED[name]}")
        raise AttributeError(f"module 'qd' has no attribute {name!r}")
