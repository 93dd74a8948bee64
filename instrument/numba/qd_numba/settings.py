"""Settings of a journal: what coverage.py and the environment say when it is opened, as for kernels of the runtime."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from .sources import host

try:
    _START_FOLDER = os.getcwd()
except OSError:  # deleted
    _START_FOLDER = os.sep


@dataclass
class Present:
    """The state of the host's measurement, which may change while Numba is not imported yet."""

    label: str = ""
    """The test, or another context of the host."""
    paused: bool = False


def folder() -> str:
    """The folder of journals."""
    return os.path.join(_START_FOLDER, os.environ.get("QD_KERNEL_COVERAGE_DIR", ""))


def measures_branches() -> bool:
    """Whether arcs are recorded; else lines."""
    config = _config()
    return bool(config.branch) if config is not None else os.environ.get("QD_KERNEL_COVERAGE_BRANCH", "") != "0"


def records_conditions() -> bool:
    """Whether the values of conditions are recorded."""
    return os.environ.get("QD_KERNEL_COVERAGE_CONDITIONS", "") not in ("", "0")


def relative_to() -> str:
    """The folder that names of files are relative to; empty: they are absolute."""
    config = _config()
    return os.path.realpath(_START_FOLDER) if config is not None and config.relative_files else ""


def static_label() -> str:
    """The context of the whole run, before those of tests."""
    return getattr(_config(), "context", None) or ""


def _config() -> Any:
    return getattr(host(), "config", None)
