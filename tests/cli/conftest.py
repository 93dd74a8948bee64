"""Fixtures of the tests of qd-cov."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Opened, Page, chromium
from diff_repository import TEN, Repository
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

    def open_page(path: Path, address: str = "") -> Page:
        pages.append(Page(driver, path, address))
        return pages[-1]

    yield open_page
    driver.execute_script("try { localStorage.clear() } catch (error) {}")  # type: ignore[no-untyped-call]
    assert [problem for page in pages for problem in page.problems()] == []


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """One commit on main with a.py of ten statements; a branch is checked out."""
    result = Repository(tmp_path / "repo")
    result.write(".gitignore", ".coverage\n_qd_kcov.*\n")
    result.write("a.py", TEN)
    result.commit("base")
    result.branch("work")
    return result
