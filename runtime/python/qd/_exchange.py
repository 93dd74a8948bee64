"""Arrays to and from other libraries: torch, and whatever speaks DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np

from qd._errors import KernelRuntimeError


class Exchange:
    """What arrays have in common that lies in host memory."""

    __slots__ = ()

    def to_numpy(self, dtype: Any = None, *, copy: bool | None = True) -> Any:
        raise NotImplementedError

    def from_numpy(self, array: Any) -> None:
        raise NotImplementedError

    def to_torch(self, device: Any = None, *, copy: bool | None = True) -> Any:
        """The elements as a torch tensor of shape `shape + element_shape`: a copy, or with ``copy=False`` (or None) the same memory."""
        torch = _torch()
        tensor = torch.from_numpy(self.to_numpy(copy=copy))
        if device is None or torch.device(device).type == "cpu":
            return tensor
        if copy is False:
            raise ValueError(f"to_torch(copy=False): the memory is the host's, not that of {device}")
        return tensor.to(device)

    def from_torch(self, tensor: Any) -> None:
        """Sets every element from a torch tensor of shape `shape + element_shape`."""
        self.from_numpy(tensor.detach().cpu().contiguous().numpy())

    def to_dlpack(self) -> Any:
        """The same memory as a DLPack capsule, for libraries that take one."""
        return self.to_numpy(copy=False).__dlpack__()

    def __dlpack__(self, **options: Any) -> Any:
        return self.to_numpy(copy=False).__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.to_numpy(copy=False).__dlpack_device__()


_HOST = (1, 3, 11)  # kDLCPU, and the host memory of CUDA and ROCm in DLPack's DLDeviceType


def as_numpy(array: Any, where: str) -> Any:
    """The memory of an array of another library as a numpy array, without a copy: a torch tensor, or what has ``__dlpack__``.

    A torch tensor with a gradient is taken for its values. Raises ValueError, with `where` before it, for memory that is not the host's and for
    elements that numpy has not."""
    if isinstance(array, np.ndarray):
        return array
    detach = getattr(array, "detach", None)
    tensor = detach() if callable(detach) else array
    try:
        if int(tensor.__dlpack_device__()[0]) not in _HOST:
            raise BufferError(f"it is on the device {getattr(array, 'device', '')}, and kernels take arrays of the host")
        return tensor.numpy() if callable(detach) else np.from_dlpack(tensor)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: the array cannot be passed: {error}") from None


def _torch() -> Any:
    try:
        import torch  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise KernelRuntimeError("to_torch() needs torch, which is not installed; use to_numpy()") from None
    return torch
