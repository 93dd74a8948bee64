"""Automatic differentiation: derivatives in forward mode by `FwdMode`."""

from __future__ import annotations

from qd.ad._forward import FwdMode as FwdMode
from qd.ad._gradients import clear_all_gradients as clear_all_gradients

__all__ = ["FwdMode", "clear_all_gradients"]
