"""A small library of arrays on a GPU, as CuPy and PyTorch are, over the driver's own functions: test_gpu_arrays.py exchanges arrays with it.

Its work goes to a stream of the driver and is done later. `Tensor` speaks DLPack, `Interfaced` has CUDA's array interface."""

from __future__ import annotations

import ctypes
import math
import os
from typing import Any

import numpy as np

CUDA = "QD_CUDA_DRIVER" in os.environ
_names = {
    "allocate": ("cuMemAlloc_v2", "hipMalloc"),
    "free": ("cuMemFree_v2", "hipFree"),
    "upload": ("cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync"),
    "download": ("cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync"),
    "copy": ("cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync"),
    "fill": ("cuMemsetD8Async", "hipMemsetD8Async"),
    "stream": ("cuStreamCreateWithPriority", "hipStreamCreateWithPriority"),
    "synchronize": ("cuStreamSynchronize", "hipStreamSynchronize"),
    "retain": ("cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain"),
    "push": ("cuCtxPushCurrent_v2", "hipCtxPushCurrent"),
    "init": ("cuInit", "hipInit"),
}
_library = ctypes.CDLL(os.environ["QD_CUDA_DRIVER" if CUDA else "QD_HIP_DRIVER"])


def driver(name: str, *arguments: Any) -> None:
    result = getattr(_library, _names[name][0 if CUDA else 1])(*arguments)
    assert result == 0, f"{name}: {result}"


def calls(name: str) -> int:
    """The number of calls of a function of the driver so far."""
    _library.qd_simulated_calls.restype = ctypes.c_ulong
    return int(_library.qd_simulated_calls(_names[name][0 if CUDA else 1].encode()))


def use(number: int) -> None:
    """Makes a device the current one."""
    context = ctypes.c_void_p()
    driver("init", 0)
    driver("retain", ctypes.byref(context), number)
    driver("push", context)


def new_stream() -> int:
    stream = ctypes.c_void_p()
    driver("stream", ctypes.byref(stream), 1, 0)
    return int(stream.value or 0)


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", _DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    ]


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def opened(capsule: Any, versioned: bool = False) -> Any:
    """The struct of DLPack in a capsule."""
    kind, name = (Versioned, b"dltensor_versioned") if versioned else (Managed, b"dltensor")
    return ctypes.cast(_pointer_of(capsule, name), ctypes.POINTER(kind)).contents


class Tensor:
    """Memory of the driver, as an array of `shape` and `strides` (in elements). `asked`: the arguments of `__dlpack__`."""

    kept: dict[int, Any] = {}  # capsules that live, by the address of their struct
    versioned = True
    read_only = False

    def __init__(self, values: Any, strides: tuple[int, ...] | None = None, device: int = 0, stream: int = 0) -> None:
        array = np.asarray(values)
        self.shape, self.dtype, self.number, self.stream = array.shape, array.dtype, device, stream
        self.strides = strides or tuple(math.prod(array.shape[axis + 1 :]) for axis in range(array.ndim))
        self.address, self.owner, self.asked = 0, None, {}
        if array.size:
            address = ctypes.c_uint64()
            driver("allocate", ctypes.byref(address), ctypes.c_size_t(array.nbytes))
            self.address = address.value
            self.upload(array)

    def _at(self) -> ctypes.c_uint64:
        return ctypes.c_uint64(self.address)

    def _on(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.stream)

    def nbytes(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def upload(self, array: Any) -> None:
        source = np.ascontiguousarray(array, self.dtype).ctypes.data_as(ctypes.c_void_p)
        driver("upload", self._at(), source, ctypes.c_size_t(self.nbytes()), self._on())

    def fill_bytes(self, byte: int) -> None:
        """Done later."""
        driver("fill", self._at(), ctypes.c_ubyte(byte), ctypes.c_size_t(self.nbytes()), self._on())

    def copied(self) -> Tensor:
        """Done later."""
        made = Tensor(np.zeros(self.shape, self.dtype), stream=self.stream)
        driver("copy", made._at(), self._at(), ctypes.c_size_t(self.nbytes()), self._on())
        return made

    def numpy_of_memory(self) -> Any:
        """The contents of the memory, in its order."""
        array = np.empty(math.prod(self.shape), self.dtype)
        if array.size:
            driver("download", array.ctypes.data_as(ctypes.c_void_p), self._at(), ctypes.c_size_t(array.nbytes), self._on())
            driver("synchronize", self._on())
        return array

    def values(self) -> Any:
        return np.lib.stride_tricks.as_strided(self.numpy_of_memory(), self.shape, tuple(s * self.dtype.itemsize for s in self.strides))

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2 if CUDA else 10, self.number

    def __dlpack__(self, *, stream: int | None = None, max_version: tuple[int, int] | None = None) -> Any:
        self.asked = {"stream": stream, "max_version": max_version}
        if max_version is not None and not self.versioned:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        made: Any = Versioned(major=1, flags=int(self.read_only)) if max_version else Managed()
        shape, strides = (ctypes.c_int64 * len(self.shape))(*self.shape), (ctypes.c_int64 * len(self.shape))(*self.strides)
        code = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}[self.dtype.kind]
        kind, number = self.__dlpack_device__()
        made.tensor = _DLTensor(self.address, kind, number, len(shape), code, 8 * self.dtype.itemsize, 1, shape, strides, 0)
        where = ctypes.addressof(made)
        deleter = _DELETER(lambda address: (Tensor.kept.pop(address), None)[1])
        made.deleter = ctypes.cast(deleter, ctypes.c_void_p)
        Tensor.kept[where] = (made, shape, strides, deleter, self)
        return _new_capsule(where, b"dltensor_versioned" if max_version else b"dltensor", None)


class OldTensor(Tensor):
    """A tensor of before DLPack 1.0."""

    versioned = False


class ReadOnlyTensor(Tensor):
    read_only = True


class Interfaced:
    """The same memory by CUDA's array interface. `changed`: entries to have instead."""

    def __init__(self, tensor: Tensor, **changed: Any) -> None:
        self.tensor, self.changed = tensor, changed

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        of = self.tensor
        dense = of.strides == tuple(math.prod(of.shape[axis + 1 :]) for axis in range(len(of.shape)))
        strides = None if dense else tuple(s * of.dtype.itemsize for s in of.strides)
        made = {"shape": of.shape, "typestr": of.dtype.str, "data": (of.address, False), "strides": strides, "stream": of.stream or 1, "version": 3}
        return {**made, **self.changed}


def imported(array: Any, stream: int = 0) -> Tensor:
    """An array of another library as a Tensor of this one, by DLPack, without a copy. The capsule is the Tensor's `owner`."""
    capsule = array.__dlpack__(stream=stream or 1)
    of = opened(capsule).tensor
    made = Tensor.__new__(Tensor)
    made.address, made.number, made.stream, made.owner, made.asked = of.data + of.byte_offset, of.device_id, stream, capsule, {}
    made.shape, made.strides = tuple(of.shape[: of.ndim]), tuple(of.strides[: of.ndim])
    made.dtype = np.dtype("?" if of.code == 6 else f"{'iuf'[of.code]}{of.bits // 8}")
    assert (of.device_type, of.device_id) == array.__dlpack_device__()
    return made
