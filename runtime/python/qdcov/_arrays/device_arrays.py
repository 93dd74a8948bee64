"""Arrays in the memory of a GPU that several libraries use: those of others as arguments of kernels, and ours for others.

Kernels and other libraries are ordered by that of the default stream of the GPU's driver, on which they work unless they are told
otherwise: a kernel that uses such an array runs behind what is on that stream, and what comes later there runs behind the kernel. Where a library
works on another stream and says so when the array is handed over, that stream is taken into account for this call."""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from qdcov import _dtypes

_CUDA, _CUDA_MANAGED = 2, 13  # of DLPack's DLDeviceType
_DEFAULT, _LEGACY, _UNORDERED = 0, 1, -1  # streams by number: the default one in both of its names, and none
_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}  # of numpy's types, by DLPack's DLDataTypeCode


def is_on(device: Any, array: Any) -> bool:
    """Whether an array of another library lies in the memory of this GPU (a `_native.Exchange`, or None for a device that is none)."""
    if device is None:
        return False
    if not hasattr(array, "__dlpack_device__"):
        return hasattr(array, "__cuda_array_interface__")
    kind, number = (int(part) for part in array.__dlpack_device__())
    return kind == _CUDA_MANAGED and device.dlpack_type() == _CUDA or (kind, number) == (device.dlpack_type(), device.number())


Taken = tuple[int, str, tuple[int, ...], bool, tuple[int, ...], bool, Any]
"""The properties of such an array for a kernel: address, dtype, shape, whether it is in Fortran order, the streams that are to wait for the kernel,
whether it is read-only, and the object that keeps the memory alive."""


def taken(array: Any, device: Any, of_numbers: bool) -> Taken:
    """The properties of such an array. Raises ValueError for an array that a kernel cannot use.

    `of_numbers`: the kernel takes its elements as numbers, not as vectors or matrices."""
    if hasattr(array, "__dlpack__"):
        address, dtype, shape, strides, read_only, owner = _of_dlpack(array, device)
        streams = _streams_of(array)
    else:
        address, dtype, shape, strides, read_only, owner = _of_interface(array.__cuda_array_interface__)
        streams = (_stream(owner.get("stream")),)
        if streams != (_DEFAULT,):
            device.order(streams[0], _DEFAULT)
    if dtype not in _dtypes.BY_NUMPY:
        raise ValueError(f"arrays of {np.dtype(dtype).name} are not supported")
    size, in_c, in_fortran = int(np.prod(shape, dtype=np.int64)), _is_dense(shape[::-1], strides[::-1]), _is_dense(shape, strides)
    if size and not in_c and not (in_fortran and of_numbers):
        raise ValueError("the array is not contiguous; pass a contiguous copy of it")
    if any(extent >= 1 << 31 for extent in shape) or len(shape) > 12:
        raise ValueError("the array has more than 12 axes, or an axis of 2**31 or more")
    why = device.why_not(address) if size else ""
    if why:
        raise ValueError(why)
    if not read_only and (jax := sys.modules.get("jax")) is not None:
        read_only = isinstance(array, jax.Array)  # immutable, which the capsule does not say
    return address, _dtypes.BY_NUMPY[dtype].name, shape, bool(size) and not in_c, tuple(s for s in streams if s != _DEFAULT), read_only, owner


def taken_tensor(tensor: Any, device: Any) -> Taken | None:
    """The properties of a plain, contiguous tensor of PyTorch on this GPU. A capsule of DLPack takes several times as long as the launch itself.
    None for all others, which `taken` knows."""
    torch = sys.modules.get("torch")
    if torch is None or type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.layout is not torch.strided or not tensor.is_cuda:
        return None
    dtype, number, size = _torch_dtypes(torch).get(tensor.dtype), tensor.get_device(), tensor.numel()
    if dtype is None or number != device.number() or not 0 < size < 1 << 31 or tensor.dim() > 12 or tensor.is_neg() or not tensor.is_contiguous():
        return None
    stream = _stream(_current_stream(torch, number))
    if stream == _DEFAULT:
        return tensor.data_ptr(), dtype, tuple(tensor.shape), False, (), False, tensor
    device.order(stream, _DEFAULT)
    return tensor.data_ptr(), dtype, tuple(tensor.shape), False, (stream,), False, tensor


@functools.cache
def _torch_dtypes(torch: Any) -> dict[Any, str]:
    names = {np.dtype(number).name: dtype.name for number, dtype in _dtypes.BY_NUMPY.items()}
    return {getattr(torch, name): dtype for name, dtype in names.items() if hasattr(torch, name)}


def _current_stream(torch: Any, number: int) -> int:
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # as a number, which is what its own compiler asks for
    return int(raw(number) if raw is not None else torch.cuda.current_stream(number).cuda_stream)


def _of_dlpack(array: Any, device: Any) -> tuple[int, Any, tuple[int, ...], tuple[int, ...], bool, Any]:
    # DLPack numbers the default stream of CUDA 1, and that of ROCm 0.
    stream = _LEGACY if device.dlpack_type() == _CUDA else _DEFAULT
    try:
        capsule = array.__dlpack__(stream=stream, max_version=(1, 1))
    except TypeError:  # of before DLPack 1.0
        capsule = array.__dlpack__(stream=stream)
    address, code, bits, shape, strides, read_only, owner = device.opened(capsule)
    kind = _KINDS.get(code)
    try:
        dtype = np.dtype(np.bool_) if kind == "b" else np.dtype(f"{kind}{bits // 8}")
    except TypeError:
        raise ValueError(f"arrays of DLPack's type {code} with {bits} bits are not supported") from None
    return address, dtype.type, shape, strides, read_only, owner


def _of_interface(interface: dict[str, Any]) -> tuple[int, Any, tuple[int, ...], tuple[int, ...], bool, Any]:
    """An array by its `__cuda_array_interface__`, version 2 or 3."""
    if interface.get("mask") is not None:
        raise ValueError("arrays with a mask are not supported")
    dtype, shape = np.dtype(interface["typestr"]), tuple(int(extent) for extent in interface["shape"])
    address, read_only = interface["data"]
    given = interface.get("strides")
    if not dtype.isnative or dtype.itemsize == 0 or (given is not None and any(s % dtype.itemsize for s in given)):
        raise ValueError(f"arrays of {dtype.str} with strides {given} are not supported")
    strides = _strides(shape) if given is None else tuple(int(s) // dtype.itemsize for s in given)
    return int(address or 0), dtype.type, shape, strides, bool(read_only), interface


def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides in elements, in C order."""
    return tuple(int(np.prod(shape[axis + 1 :], dtype=np.int64)) for axis in range(len(shape)))


def _is_dense(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether the elements lie one behind the other, the first axis innermost."""
    expected = 1
    for extent, stride in zip(shape, strides):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _stream(stream: Any) -> int:
    """A stream by the number that the two protocols give it; 0 for the default one, and where nothing is to be ordered."""
    number = 0 if stream is None else int(stream)
    return _DEFAULT if number in (_DEFAULT, _LEGACY, _UNORDERED) else number


def _streams_of(array: Any) -> tuple[int, ...]:
    """The stream on which a library goes on working with an array that it has handed over by DLPack, if it can be asked."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return (_stream(torch.cuda.current_stream(array.device).cuda_stream),)
    interface = getattr(array, "__cuda_array_interface__", None)
    return (_stream(interface.get("stream")),) if isinstance(interface, dict) else ()


def finished(array: Any, device: Any) -> None:
    """Orders the work that another library has enqueued for such an array so far before later work on the default stream."""
    for stream in _streams_of(array):
        if stream != _DEFAULT:
            device.order(stream, _DEFAULT)


# --- our arrays for others ---


def shared(array: Any, device: Any, **options: Any) -> Any:
    """A capsule of DLPack for an array of ours in the memory of this GPU. `options`: those of `__dlpack__`.

    Waits for launches when the memory is handed over for the first time."""
    stream = _stream(options.pop("stream", None))
    if options.get("copy"):
        raise BufferError("__dlpack__(copy=True) is not supported: the capsule shares the array's memory")
    memory, offset, shape, strides = _where(array)
    memory.share()
    if stream != _DEFAULT:
        device.order(_DEFAULT, stream)
    return memory.dlpack_view(device, offset, array.dtype.name, shape, strides).__dlpack__(**{k: v for k, v in options.items() if v is not None})


def interface(array: Any) -> dict[str, Any]:
    """The `__cuda_array_interface__` (version 3) of an array of ours. Waits as `shared` does."""
    memory, offset, shape, strides = _where(array)
    memory.share()
    dtype = array.dtype.numpy
    return {
        "shape": shape,
        "typestr": np.dtype(dtype).str,
        "data": (memory.address() + offset, False),
        "strides": None if strides == _strides(shape) else tuple(s * np.dtype(dtype).itemsize for s in strides),
        "stream": _LEGACY,
        "version": 3,
    }


def _where(array: Any) -> tuple[Any, int, tuple[int, ...], tuple[int, ...]]:
    """The memory, the offset of the first number in bytes, the shape and the strides in elements."""
    data, where = array._data, array._where
    if data is None or where is None:
        array._live()  # raises
    block, place = where
    return block.native, place.offset, tuple(data.shape), tuple(s // data.itemsize for s in data.strides)
