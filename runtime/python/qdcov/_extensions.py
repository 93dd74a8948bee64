"""qd.extension: abilities of architectures beyond the language that all have."""

from __future__ import annotations

import enum
from typing import Any

from qdcov import _start


class extension(enum.Enum):
    """Names to ask `is_extension_supported` for."""

    sparse = "sparse"
    quant = "quant"
    quant_basic = "quant_basic"
    mesh = "mesh"
    data64 = "data64"
    adstack = "adstack"
    bls = "bls"
    assertion = "assertion"
    extfunc = "extfunc"


def is_extension_supported(arch: Any, ext: extension) -> bool:
    """Whether kernels of the architecture `arch` have `ext`: 64-bit numbers (`data64`), asserts (`assertion`), and so on."""
    return _start.is_available(arch) and extension(ext) in (extension.data64, extension.assertion)
