"""The pages of qd-cov in a browser: tables, keys and themes work, and nothing is complained of."""

from __future__ import annotations

import subprocess
from pathlib import Path

import kernel_project
import pytest
from browser import Opened, Page
from condition_project import KERNELS, measure, qd_cov
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


@pytest.fixture(scope="module")
def states_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of kernel_project."""
    folder = tmp_path_factory.mktemp("states")
    kernel_project.measure(folder)
    assert qd_cov(folder, "html", "-q").returncode == 0
    return folder / "htmlcov/index.html"


def files(page: Page) -> list[str]:
    """The files that the table shows, from top to bottom."""
    return [link.text for link in page.all("#rows tbody a")]


def test_the_table_sorts_filters_and_leads_to_files(states_report: Path, opened: Opened) -> None:
    page = opened(states_report)
    page.screenshot("index")
    assert files(page) == ["all.py", "kernels.py", "plain.py", "program.py"]
    by_name = page.all("#rows thead button")[0]
    assert by_name.find_element(By.XPATH, "..").get_attribute("aria-sort") == "ascending"
    by_name.click()
    assert by_name.find_element(By.XPATH, "..").get_attribute("aria-sort") == "descending"
    assert files(page) == ["program.py", "plain.py", "kernels.py", "all.py"]
    page.one("#filter").click()
    page.press("kern")
    assert files(page) == ["kernels.py"] and page.one("#filter-count").text == "1 of 4"
    page.press(Keys.ENTER)
    page.wait(lambda: page.all("#source .line"))
    assert page.script("location.hash") == "#/kernels.py" and "kernels.py" in page.driver.title


def test_keys_lead_from_piece_to_piece_and_file_to_file(states_report: Path, opened: Opened) -> None:
    page = opened(states_report)
    page.press("]")
    page.press("]")
    page.wait(lambda: page.driver.title.startswith("kernels.py "))
    assert page.script("location.hash") == "#/kernels.py"
    page.press("j")
    first = page.one(".line.here .n").text
    page.press("j")
    page.press("k")
    assert page.one(".line.here .n").text == first
    page.press("u")
    page.wait(lambda: page.all("#rows"))
    page.press("?")
    assert page.one("#key-help").text.count("\n") >= 5


def test_an_address_of_a_line_leads_there(states_report: Path, opened: Opened) -> None:
    page = opened(states_report)
    page.script("location.hash = '#/kernels.py:L22'")
    page.wait(lambda: page.all(".line.named"))
    assert page.one(".line.named .n").text == "22"


def test_themes_change_the_colours_and_are_kept(states_report: Path, opened: Opened) -> None:
    page = opened(states_report)
    page.script("location.hash = '#/kernels.py'")
    background = "getComputedStyle(document.body).backgroundColor"
    page.press("t")
    assert page.one("#theme-name").text == "light"
    light = page.script(background)
    page.press("t")
    assert page.one("#theme-name").text == "dark" and page.script(background) != light
    page.screenshot("kernel-states-dark")
    dark = page.script(background)
    again = opened(states_report)
    assert again.one("#theme-name").text == "dark" and again.script(background) == dark


def test_the_page_of_a_diff(tmp_path: Path, opened: Opened) -> None:
    """Keys and signs of the page that qd-cov diff writes."""
    (tmp_path / "k.py").write_text("import qd\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]
    for command in (["init", "-q", "-b", "main"], ["add", "k.py"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    done = qd_cov(tmp_path, "diff", "--compare-branch", "main", "--conditions", "--format", "html:diff.html")
    assert done.returncode == 0, done.stderr
    page = opened(tmp_path / "diff.html")
    page.screenshot("diff")
    page.press("j")
    assert page.all(".here")
    assert page.all("[popovertarget]")
    page.all("[popovertarget]")[0].click()
    page.wait(lambda: page.all(".pop"))
    page.screenshot("diff-pop-over")
