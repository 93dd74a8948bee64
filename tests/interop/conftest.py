"""Fixtures of the interop tests: each environment, and a project that is measured in it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from environments import ENVIRONMENTS, Environment
from interop_project import KernelFiles, Project, write_project


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Takes one case of each test for older versions of coverage.py and pytest-cov: each case starts several programs."""
    known, further = set(), []
    for item in items:
        older = [e.name for e in ENVIRONMENTS[1:] if e.name in item.name] if Path(__file__).parent in item.path.parents else []
        case = (item.nodeid.partition("[")[0], *older)
        if older and case in known:
            further.append(item)
        known.add(case)
    if further:
        config.hook.pytest_deselected(items=further)
        gone = {*further}
        items[:] = [item for item in items if item not in gone]


@pytest.fixture(scope="session", params=ENVIRONMENTS, ids=lambda e: e.name)
def environment(request: pytest.FixtureRequest) -> Environment:
    """Every test runs with the newest coverage.py and pytest-cov, and with older ones."""
    chosen: Environment = request.param
    if not chosen.python.exists():
        pytest.skip(f"no {chosen.python}: ci/setup --tests makes it")
    return chosen


@pytest.fixture
def project(tmp_path: Path, environment: Environment, plugin_path: str) -> Project:
    return write_project(tmp_path.resolve() / "project", environment, plugin_path)


MEASUREMENTS = {
    "branch": ("coverage", "run", "--branch", "--source=pk", "-m", "pytest", "-q"),
    "line": ("coverage", "run", "--source=pk", "-m", "pytest", "-q"),
    # Workers of xdist as they are where qd-cov's plugin is not installed.
    "xdist": ("pytest", "-q", "-p", "no:qd-cov", "-n", "2", "--cov=pk", "--cov-branch", "--cov-context=test", "--cov-report="),
}


@pytest.fixture(scope="session", params=MEASUREMENTS)
def measured_once(
    request: pytest.FixtureRequest, environment: Environment, plugin_path: str, tmp_path_factory: pytest.TempPathFactory
) -> KernelFiles:
    """The project's tests in two runs: host data in `.coverage`, and kernel data of its own that is not combined."""
    project = write_project(tmp_path_factory.mktemp("measured").resolve() / "project", environment, plugin_path)
    command = list(MEASUREMENTS[request.param])
    for tests in ("tests/test_step.py", "tests/test_host.py"):
        project.run(*command, "-pno:cacheprovider", tests, QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_CONTEXT="test")
        command.insert(2, "--cov-append" if request.param == "xdist" else "--append")
    measured = KernelFiles(project, project.folder, request.param)
    assert len(measured.names) >= 2
    return measured


@pytest.fixture
def kernel_files(measured_once: KernelFiles, tmp_path: Path) -> KernelFiles:
    """A copy of the data, whose sources stay where they are."""
    folder = tmp_path.resolve() / "data"
    folder.mkdir()
    for name in (".coverage", *measured_once.names):
        shutil.copy(measured_once.folder / name, folder)
    return replace(measured_once, folder=folder)
