"""The pages of qd-cov in a browser: tables, keys and themes work, and nothing is complained of."""

from __future__ import annotations

from pathlib import Path

from browser import Opened, Page
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


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


def test_the_page_of_a_diff(conditions_project: Path, opened: Opened) -> None:
    """Keys and signs of the page that qd-cov diff writes."""
    page = opened(conditions_project / "diff.html")
    page.screenshot("diff")
    page.press("j")
    assert page.all(".here")
    assert page.all("[popovertarget]")
    page.all("[popovertarget]")[0].click()
    page.wait(lambda: page.all(".pop"))
    page.screenshot("diff-pop-over")
