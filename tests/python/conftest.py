"""Fixtures for the tests of the qd package."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import qd


@pytest.fixture(params=["cpu", "python"])
def arch(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A fresh program on each architecture that runs here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        qd.init(arch=request.param, log_level="error", fast_math=False)
        yield request.param
    qd.reset()
