"""Fixtures for the tests of the qd package."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import qd


@pytest.fixture
def plugin_path(tmp_path: Path) -> str:
    """For PYTHONPATH: the plugin's metadata, as installing qd-cov leaves it. A second one, of the virtual environment, does no harm."""
    metadata = tmp_path / "installed" / "qd_cov-0.1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: qd-cov\nVersion: 0.1.0\n")
    (metadata / "entry_points.txt").write_text("[pytest11]\nqd-cov = qd_pytest_plugin\n")
    return str(tmp_path / "installed")


@pytest.fixture(params=["cpu", "python"])
def arch(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A fresh program on each architecture that runs here."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        qd.init(arch=request.param, log_level="error", fast_math=False)
        yield request.param
    qd.reset()
