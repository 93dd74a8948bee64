"""Automatic differentiation: gradients in reverse mode by `Tape` and ``kernel.grad``, derivatives in forward mode by `FwdMode`."""

from __future__ import annotations

from qdcov.ad._forward import FwdMode as FwdMode
from qdcov.ad._gradients import clear_all_gradients as clear_all_gradients
from qdcov.ad._replaced import grad_for as grad_for
from qdcov.ad._replaced import grad_replaced as grad_replaced
from qdcov.ad._replaced import no_grad as no_grad
from qdcov.ad._tape import Tape as Tape
from qdcov.ad._torch_function import torch_function as torch_function

__all__ = ["FwdMode", "Tape", "clear_all_gradients", "grad_for", "grad_replaced", "no_grad", "torch_function"]
