"""pytest plugin: the coverage of kernels in pytest-cov's own report.

With pytest-cov active, kernels are measured (QD_KERNEL_COVERAGE=0 opts out), and what they recorded is left beside coverage's data file before
pytest-cov combines. This module imports neither qd nor anything of the project: coverage has not started yet when pytest loads it."""

from __future__ import annotations

import glob
import os
import sys
import time
from collections.abc import Generator
from typing import Any

import pytest

_ON = "QD_KERNEL_COVERAGE"
_FILE = "QD_KERNEL_COVERAGE_FILE"
_LABELS = "QD_KERNEL_COVERAGE_CONTEXT"
current_label = ""
"""The test that runs now, for kernel coverage that starts in the middle of it."""
_START_FOLDER = os.getcwd()
_START_TIME = time.time()


def _host(config: Any) -> Any:
    """The running coverage.Coverage of pytest-cov, or None."""
    plugin = config.pluginmanager.getplugin("_cov")
    return getattr(getattr(plugin, "cov_controller", None), "cov", None)


def _kernels() -> Any:
    """qd's coverage module, when kernels are measured in this process."""
    return sys.modules.get("qd._coverage")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    """Before conftest files are imported, which may run kernels. Workers of xdist and other children inherit the environment."""
    options = early_config.known_args_namespace
    if getattr(options, "cov_source", None) and not getattr(options, "no_cov", False):
        os.environ.setdefault(_ON, "1")
        os.environ[_LABELS] = getattr(options, "cov_context", None) or ""


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Tells child processes where coverage's data file is."""
    host = _host(session.config)
    if host is not None:
        os.environ[_FILE] = os.path.abspath(host.config.data_file)
        os.environ["QD_KERNEL_COVERAGE_BRANCH"] = "1" if host.config.branch else "0"


def _switch(item: pytest.Item, phase: str) -> None:
    if os.environ.get(_LABELS) != "test":
        return
    global current_label
    current_label = label = f"{item.nodeid}|{phase}"
    kernels, coverage = _kernels(), sys.modules.get("coverage")
    if kernels is not None:
        kernels.switch_context(label)
    # pytest-cov switches its own coverage; that of `qd-cov run --context test` is ours to switch.
    if _host(item.config) is None and coverage is not None and hasattr(coverage, "Coverage"):
        current = coverage.Coverage.current()
        if current is not None:
            current.switch_context(label)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    _switch(item, "setup")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    _switch(item, "run")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    _switch(item, "teardown")


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Inside pytest-cov's own wrapper: all tests have run, and it has not combined yet."""
    try:
        return (yield)
    finally:
        kernels, host = _kernels(), _host(session.config)
        if kernels is not None and host is not None:
            kernels.hand_over(os.path.abspath(host.config.data_file))
        elif kernels is not None:
            kernels.write()
        if host is not None and not hasattr(session.config, "workerinput"):
            _recover(host)


def _recover(host: Any) -> None:
    """Workers of xdist and other children that died during this run left journals."""
    folder = os.environ.get("QD_KERNEL_COVERAGE_DIR") or _START_FOLDER
    if os.environ.get(_ON, "0") not in ("", "0") and glob.glob(os.path.join(glob.escape(folder), "_qd_kcov-journal.*")):
        from qd import _coverage

        _coverage.recover(os.path.abspath(host.config.data_file), _START_TIME)
