"""Arrays to and from other libraries: torch, and whatever speaks DLPack."""

from __future__ import annotations

from typing import Any

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


def _torch() -> Any:
    try:
        import torch  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise KernelRuntimeError("to_torch() needs torch, which is not installed; use to_numpy()") from None
    return torch
