"""Exchange of arrays with other libraries: torch, and all that use DLPack or CUDA's array interface."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from qdcov import _runtime
from qdcov._arrays import device_arrays
from qdcov._errors import KernelRuntimeError


class Exchange:
    """Methods of arrays for their exchange: those in memory of the host, of CUDA and of HIP."""

    __slots__ = ()

    def to_numpy(self, dtype: Any = None, *, copy: bool | None = True) -> Any:
        raise NotImplementedError

    def from_numpy(self, arr: Any) -> None:
        raise NotImplementedError

    def _is_of_host(self) -> bool:
        raise NotImplementedError

    def _device(self) -> Any:
        """The GPU whose memory the array lies in, for other libraries; None if that is the host's, or if they have nothing to do with it."""
        if self._is_of_host():
            return None
        program = _runtime.program()
        return None if program is None else program.exchange()

    def to_torch(self, device: Any = None, *, copy: bool | None = True) -> Any:
        """The elements as a torch tensor of shape `shape + element_shape`: a copy on `device` (a torch device, the CPU when it is None), or with
        ``copy=False`` (or None) the same memory."""
        torch = torch_module()
        wanted = None if device is None else torch.device(device)
        if self._device() is not None and (not copy or (wanted is not None and wanted.type == "cuda")):
            tensor = torch.from_dlpack(self)
            if copy:
                return tensor.to(wanted, copy=True)
        else:
            tensor = torch.from_numpy(self.to_numpy(copy=copy))
        if wanted is None or wanted == tensor.device or (wanted.type == tensor.device.type and wanted.index is None):
            return tensor
        if copy is False:
            raise ValueError(f"to_torch(copy=False): the memory is that of {tensor.device}, not that of {device}")
        return tensor.to(wanted)

    def from_torch(self, arr: Any) -> None:
        """Sets every element from `arr`, a torch tensor of shape `shape + element_shape`."""
        device = self._device()
        given = arr.detach()
        if not device_arrays.is_on(device, given):
            return self.from_numpy(given.cpu().contiguous().numpy())
        own = torch_module().from_dlpack(self)
        if own.shape != given.shape:
            raise ValueError(f"Mismatch shape: {tuple(own.shape)} expected, but {tuple(given.shape)} provided")
        own.copy_(given)
        device_arrays.finished(given, device)
        return None

    def to_dlpack(self, versioned: bool = False) -> Any:
        """The same memory as a DLPack capsule, for libraries that take one: with `versioned` of DLPack 1, for which numpy 2.1 is needed."""
        return self.__dlpack__(max_version=(1, 0)) if versioned else self.__dlpack__()

    def __dlpack__(self, **options: Any) -> Any:
        device = self._device()
        if device is not None:
            return device_arrays.shared(self, device, **options)
        return self.to_numpy(copy=False).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        device = self._device()
        if device is not None:
            return device.dlpack_type(), device.number()
        return self.to_numpy(copy=False).__dlpack_device__()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The same memory for libraries that use this interface: CuPy, Numba, PyTorch. Arrays of the host have no such attribute."""
        if self._device() is None:
            raise AttributeError(f"{type(self).__name__} of the host has no __cuda_array_interface__")
        return device_arrays.interface(self)


_HOST = (1, 3, 11)  # kDLCPU, and the host memory of CUDA and ROCm in DLPack's DLDeviceType


def is_on_gpu(array: Any) -> bool:
    """Whether an array with ``__dlpack_device__`` lies in memory that is not the host's."""
    return int(array.__dlpack_device__()[0]) not in _HOST


def taken(array: Any, where: str, device: Any, of_numbers: bool) -> Any:
    """The memory of an array of another library for a kernel, without a copy: a numpy array, or, if the array lies in the memory of `device` (a
    `_native.Exchange` or None) the result of `device_arrays.taken`.

    A torch tensor with a gradient is taken for its values. Raises ValueError, with `where` before it, for an array that kernels cannot use."""
    if device is not None and (plain := device_arrays.taken_tensor(array, device)) is not None:
        return plain
    detach = getattr(array, "detach", None)
    tensor = detach() if callable(detach) else array
    if not device_arrays.is_on(device, tensor):
        return as_numpy(array, where, device)
    try:
        return device_arrays.taken(tensor, device, of_numbers)
    except (AttributeError, BufferError, KeyError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: the array cannot be passed: {error}") from None


def gradient_of(array: Any) -> Any:
    """The gradient of a torch tensor with ``requires_grad``, made of zeros if it has none yet; None for other arrays."""
    if not getattr(array, "requires_grad", False):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a result of other operations has a gradient where the program has set one, of which torch warns
        if array.grad is None:
            array.grad = torch_module().zeros_like(array.detach())
        return array.grad


def as_numpy(array: Any, where: str, device: Any = None) -> Any:
    """The memory of an array of another library as a numpy array, without a copy: a torch tensor, or an object with ``__dlpack__``.

    `device`: that of the program, for the message. Raises ValueError, with `where` before it, for memory that is not the host's and for elements
    that numpy has not."""
    if isinstance(array, np.ndarray):
        return array
    detach = getattr(array, "detach", None)
    tensor = detach() if callable(detach) else array
    try:
        if not hasattr(tensor, "__dlpack_device__") or is_on_gpu(tensor):
            own = "" if device is None else f" and of GPU {device.number()}"
            raise BufferError(f"it is on the device {getattr(array, 'device', '') or 'of a GPU'}, and kernels take arrays of the host{own}")
        return tensor.numpy() if callable(detach) else _of_dlpack(tensor)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: the array cannot be passed: {error}") from None


class _Writable:
    """The memory of a numpy array that does not permit writes, for `np.asarray`."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.__array_interface__ = {**array.__array_interface__, "data": (array.__array_interface__["data"][0], False)}


def _of_dlpack(array: Any) -> Any:
    found = np.from_dlpack(array)
    # Capsules say whether writes are permitted since DLPack 1.0, which numpy knows since 2.1; before, all were marked as read-only.
    return found if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else np.asarray(_Writable(found))


def torch_module(use: str = "to_torch()", advice: str = "; use to_numpy()") -> Any:
    """torch, imported where a program needs it. KernelRuntimeError, with the `use` that needs it, when it is not installed."""
    try:
        import torch  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise KernelRuntimeError(f"{use} needs torch, which is not installed{advice}") from None
    return torch
