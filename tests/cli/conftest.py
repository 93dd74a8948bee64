"""Fixtures of the tests of qd-cov."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import condition_project
import kernel_project
import pytest
import source_project as source_sample
import variant_project
from base_reports import changed_since_base
from browser import WINDOW, Opened, Page, chromium
from diff_repository import TEN, Repository
from github_server import Job, serving
from run_program import qd_cov
from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def driver() -> Iterator[Chrome]:
    """One browser for all tests of a process."""
    with chromium() as running:
        yield running


@pytest.fixture
def opened(driver: Chrome) -> Iterator[Opened]:
    """Opens pages; at the end of the test the browser must have had nothing to complain of."""
    pages: list[Page] = []
    driver.set_window_size(*WINDOW)  # an earlier test may have changed it, and narrow windows have fewer columns

    def open_page(path: Path, address: str = "") -> Page:
        pages.append(Page(driver, path, address))
        return pages[-1]

    yield open_page
    driver.execute_script("try { localStorage.clear() } catch (error) {}")  # type: ignore[no-untyped-call]
    assert [problem for page in pages for problem in page.problems()] == []


@pytest.fixture(scope="session")
def source_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of source_project.py, measured, with a report that has contexts."""
    folder = tmp_path_factory.mktemp("source_view")
    source_sample.measure(folder)
    assert qd_cov(folder, "html", "-q", "--show-contexts").returncode == 0
    return folder


@pytest.fixture(scope="session")
def states_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of kernel_project."""
    folder = tmp_path_factory.mktemp("states")
    kernel_project.measure(folder)
    assert qd_cov(folder, "html", "-q").returncode == 0
    return folder / "htmlcov/index.html"


@pytest.fixture(scope="session")
def variants_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of variant_project."""
    return variant_project.make(tmp_path_factory.mktemp("variants"))


@pytest.fixture(scope="session")
def conditions_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of condition_project.py, its kernels new since a commit: a report, and diff.html."""
    folder = tmp_path_factory.mktemp("conditions")
    (folder / "k.py").write_text("import qd\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder)]
    for command in (["init", "-q", "-b", "main"], ["add", "k.py"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    (folder / "k.py").write_text(condition_project.KERNELS)
    condition_project.measure(folder)
    for arguments in (["html", "-q"], ["diff", "--compare-branch", "main", "--format", "html:diff.html"]):
        done = qd_cov(folder, *arguments, "--conditions")
        assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def first_commit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository that `repo` copies."""
    result = Repository(tmp_path_factory.mktemp("committed") / "repo")
    result.write(".gitignore", ".coverage\n_qd_kcov.*\n")
    result.write("a.py", TEN)
    result.commit("base")
    result.branch("work")
    return result.folder


@pytest.fixture
def repo(first_commit: Path, tmp_path: Path) -> Repository:
    """One commit on main with a.py of ten statements; a branch is checked out."""
    shutil.copytree(first_commit, tmp_path / "repo")
    return Repository(tmp_path / "repo")


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    """A job of pull request 7, with a server on this machine that plays GitHub."""
    with serving() as service:
        yield Job(service, tmp_path / "job")


@pytest.fixture(scope="session")
def base_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that changed_since_base makes."""
    folder = tmp_path_factory.mktemp("base_report")
    changed_since_base(folder)
    return folder


@pytest.fixture
def base_repo(base_folder: Path, tmp_path: Path) -> Repository:
    """A copy of it for each test."""
    shutil.copytree(base_folder, tmp_path, dirs_exist_ok=True)
    return Repository(tmp_path / "repo")
