"""Kernels in Python syntax, compiled for all cores, with a coverage layer built in."""

from __future__ import annotations

from typing import Any

from qd import _public, _runtime
from qd import ad as ad
from qd import algorithms as algorithms
from qd import graph as graph
from qd import math as math
from qd import profiler as profiler
from qd import simt as simt
from qd import types as types
from qd._arrays.annotations import Template as Template
from qd._arrays.annotations import ref as ref
from qd._arrays.annotations import template as template
from qd._arrays.arrays import Field as Field
from qd._arrays.arrays import Ndarray as Ndarray
from qd._arrays.buffer_view import BufferView as BufferView
from qd._arrays.layout import Layout as Layout
from qd._arrays.making import field as field
from qd._arrays.making import ndarray as ndarray
from qd._arrays.placing import FieldsBuilder as FieldsBuilder
from qd._arrays.placing import axes as axes
from qd._arrays.placing import root as root
from qd._arrays.struct_arrays import StructField as StructField
from qd._arrays.struct_arrays import StructNdarray as StructNdarray
from qd._arrays.tensor import Backend as Backend
from qd._arrays.tensor import MatrixTensor as MatrixTensor
from qd._arrays.tensor import Tensor as Tensor
from qd._arrays.tensor import VectorTensor as VectorTensor
from qd._arrays.tensor import tensor as tensor
from qd._arrays.tensor import wrap as wrap
from qd._declined import DECLINED
from qd._dtypes import DataType as DataType
from qd._dtypes import f16 as f16
from qd._dtypes import f32 as f32
from qd._dtypes import f64 as f64
from qd._dtypes import float16 as float16
from qd._dtypes import float32 as float32
from qd._dtypes import float64 as float64
from qd._dtypes import i8 as i8
from qd._dtypes import i16 as i16
from qd._dtypes import i32 as i32
from qd._dtypes import i64 as i64
from qd._dtypes import int8 as int8
from qd._dtypes import int16 as int16
from qd._dtypes import int32 as int32
from qd._dtypes import int64 as int64
from qd._dtypes import u1 as u1
from qd._dtypes import u8 as u8
from qd._dtypes import u16 as u16
from qd._dtypes import u32 as u32
from qd._dtypes import u64 as u64
from qd._dtypes import uint1 as uint1
from qd._dtypes import uint8 as uint8
from qd._dtypes import uint16 as uint16
from qd._dtypes import uint32 as uint32
from qd._dtypes import uint64 as uint64
from qd._errors import KernelAssertionError as KernelAssertionError
from qd._errors import KernelCompilationError as KernelCompilationError
from qd._errors import KernelIndexError as KernelIndexError
from qd._errors import KernelNameError as KernelNameError
from qd._errors import KernelRuntimeError as KernelRuntimeError
from qd._errors import KernelRuntimeTypeError as KernelRuntimeTypeError
from qd._errors import KernelSyntaxError as KernelSyntaxError
from qd._errors import KernelTypeError as KernelTypeError
from qd._extensions import extension as extension
from qd._extensions import is_extension_supported as is_extension_supported
from qd._kernels.decorators import Func as Func
from qd._kernels.decorators import Kernel as Kernel
from qd._kernels.decorators import data_oriented as data_oriented
from qd._kernels.decorators import func as func
from qd._kernels.decorators import kernel as kernel
from qd._kernels.decorators import pure as pure
from qd._kernels.decorators import pyfunc as pyfunc
from qd._kernels.decorators import real_func as real_func
from qd._kernels.graph import checkpoint as checkpoint
from qd._kernels.graph import graph_do_while as graph_do_while
from qd._kernels.graph import stream_parallel as stream_parallel
from qd._kernels.graph_status import GraphStatus as GraphStatus
from qd._kernels.perf_dispatch import perf_dispatch as perf_dispatch
from qd._kernels.streams import Event as Event
from qd._kernels.streams import Stream as Stream
from qd._kernels.streams import create_event as create_event
from qd._kernels.streams import create_stream as create_stream
from qd._library import methods as _methods  # noqa: F401  (gives vectors and matrices their methods)
from qd._library.eigenvalues import eig as eig
from qd._library.eigenvalues import make_spd as make_spd
from qd._library.eigenvalues import sym_eig as sym_eig
from qd._library.interpolation import clamp as clamp
from qd._library.interpolation import fract as fract
from qd._library.interpolation import mix as mix
from qd._library.interpolation import smoothstep as smoothstep
from qd._library.interpolation import step as step
from qd._library.linear_algebra import polar_decompose as polar_decompose
from qd._library.linear_algebra import solve as solve
from qd._library.linear_algebra import svd as svd
from qd._log import CRITICAL as CRITICAL
from qd._log import DEBUG as DEBUG
from qd._log import ERROR as ERROR
from qd._log import INFO as INFO
from qd._log import TRACE as TRACE
from qd._log import WARN as WARN
from qd._log import is_logging_effective as is_logging_effective
from qd._log import set_logging_level as set_logging_level
from qd._runtime import amdgpu as amdgpu
from qd._runtime import arm64 as arm64
from qd._runtime import cpu as cpu
from qd._runtime import cuda as cuda
from qd._runtime import gpu as gpu
from qd._runtime import hip as hip
from qd._runtime import metal as metal
from qd._runtime import python as python
from qd._runtime import reset as reset
from qd._runtime import sync as sync
from qd._runtime import vulkan as vulkan
from qd._runtime import x64 as x64
from qd._runtime import x86_64 as x86_64
from qd._scalars.integers import bit_and as bit_and
from qd._scalars.integers import bit_cast as bit_cast
from qd._scalars.integers import bit_not as bit_not
from qd._scalars.integers import bit_or as bit_or
from qd._scalars.integers import bit_sar as bit_sar
from qd._scalars.integers import bit_shl as bit_shl
from qd._scalars.integers import bit_shr as bit_shr
from qd._scalars.integers import bit_xor as bit_xor
from qd._scalars.integers import clz as clz
from qd._scalars.integers import ffs as ffs
from qd._scalars.integers import mod as mod
from qd._scalars.integers import popcnt as popcnt
from qd._scalars.integers import raw_div as raw_div
from qd._scalars.integers import raw_mod as raw_mod
from qd._start import Device as Device
from qd._start import devices as devices
from qd._start import init as init
from qd._values.functions import abs as abs
from qd._values.functions import acos as acos
from qd._values.functions import asin as asin
from qd._values.functions import assume_in_range as assume_in_range
from qd._values.functions import atan as atan
from qd._values.functions import atan2 as atan2
from qd._values.functions import atomic_add as atomic_add
from qd._values.functions import atomic_and as atomic_and
from qd._values.functions import atomic_cas as atomic_cas
from qd._values.functions import atomic_exchange as atomic_exchange
from qd._values.functions import atomic_max as atomic_max
from qd._values.functions import atomic_min as atomic_min
from qd._values.functions import atomic_mul as atomic_mul
from qd._values.functions import atomic_or as atomic_or
from qd._values.functions import atomic_sub as atomic_sub
from qd._values.functions import atomic_xor as atomic_xor
from qd._values.functions import cast as cast
from qd._values.functions import ceil as ceil
from qd._values.functions import clock_counter as clock_counter
from qd._values.functions import clock_freq_hz as clock_freq_hz
from qd._values.functions import cos as cos
from qd._values.functions import cosh as cosh
from qd._values.functions import degrees as degrees
from qd._values.functions import exp as exp
from qd._values.functions import exp2 as exp2
from qd._values.functions import expm1 as expm1
from qd._values.functions import fabs as fabs
from qd._values.functions import floor as floor
from qd._values.functions import frexp as frexp
from qd._values.functions import global_thread_idx as global_thread_idx
from qd._values.functions import grouped as grouped
from qd._values.functions import isinf as isinf
from qd._values.functions import isnan as isnan
from qd._values.functions import log as log
from qd._values.functions import log1p as log1p
from qd._values.functions import log2 as log2
from qd._values.functions import logical_not as logical_not
from qd._values.functions import loop_config as loop_config
from qd._values.functions import loop_unique as loop_unique
from qd._values.functions import max as max
from qd._values.functions import min as min
from qd._values.functions import ndrange as ndrange
from qd._values.functions import one as one
from qd._values.functions import outer as outer
from qd._values.functions import pow as pow
from qd._values.functions import radians as radians
from qd._values.functions import randn as randn
from qd._values.functions import random as random
from qd._values.functions import round as round
from qd._values.functions import rsqrt as rsqrt
from qd._values.functions import select as select
from qd._values.functions import sign as sign
from qd._values.functions import sin as sin
from qd._values.functions import sinh as sinh
from qd._values.functions import sqrt as sqrt
from qd._values.functions import static as static
from qd._values.functions import static_assert as static_assert
from qd._values.functions import static_print as static_print
from qd._values.functions import stop_grad as stop_grad
from qd._values.functions import tan as tan
from qd._values.functions import tanh as tanh
from qd._values.functions import volatile_load as volatile_load
from qd._values.functions import zero as zero
from qd._values.matrix import Matrix as Matrix
from qd._values.matrix_type import MatrixType as MatrixType
from qd._values.struct import Struct as Struct
from qd._values.struct import StructType as StructType
from qd._values.struct import dataclass as dataclass
from qd._values.vector import Vector as Vector
from qd._version import __version__ as __version__

i, j, k, l, ij, ijk, ijkl = axes(0), axes(1), axes(2), axes(3), axes(0, 1), axes(0, 1, 2), axes(0, 1, 2, 3)  # noqa: E741
ijl, ikl, jkl = axes(0, 1, 3), axes(0, 2, 3), axes(1, 2, 3)
ik, jk, ji, ki, kj, il, jl, kl = axes(0, 2), axes(1, 2), axes(1, 0), axes(2, 0), axes(2, 1), axes(0, 3), axes(1, 3), axes(2, 3)
ijl, ikl, jkl = axes(0, 1, 3), axes(0, 2, 3), axes(1, 2, 3)

_public.settle()


def __getattr__(name: str) -> Any:
    if name == "cfg":
        return _runtime.current_config()
    if name in DECLINED:
        raise AttributeError(f"qd.{name} is not supported yet: {DECLINED[name]}")
    raise AttributeError(f"module 'qd' has no attribute {name!r}")
