"""The pages of qd-cov in a browser: every line is shown with its notes and conditions, keys and themes work, and nothing is complained of."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import kernel_project
import pytest
from browser import Page
from condition_project import KERNELS, measure, qd_cov
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

Opened = Callable[[Path], Page]


@pytest.fixture
def opened(driver: Chrome) -> Iterator[Opened]:
    """Opens pages; at the end of the test the browser must have had nothing to complain of."""
    pages: list[Page] = []

    def open_page(path: Path) -> Page:
        pages.append(Page(driver, path))
        return pages[-1]

    yield open_page
    driver.execute_script("try { localStorage.clear() } catch (error) {}")  # type: ignore[no-untyped-call]
    assert [problem for page in pages for problem in page.problems()] == []


@pytest.fixture
def conditions_page(tmp_path: Path, opened: Opened) -> Page:
    """The report of condition_project, with conditions."""
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    assert qd_cov(tmp_path, "html", "-q", "--conditions").returncode == 0
    return opened(tmp_path / "htmlcov/index.html")


@pytest.fixture(scope="module")
def states_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of kernel_project."""
    folder = tmp_path_factory.mktemp("states")
    kernel_project.measure(folder)
    assert qd_cov(folder, "html", "-q").returncode == 0
    return folder / "htmlcov/index.html"


def lines_with(page: Page, selector: str) -> list[int]:
    """The lines of the shown source that hold something."""
    rows = page.all("#source tr")
    return [number for number, row in enumerate(rows, 1) if row.find_elements(By.CSS_SELECTOR, selector)]


def files(page: Page) -> list[str]:
    """The files that the table shows, from top to bottom."""
    return [link.text for link in page.all("#rows tbody a")]


def test_every_line_is_shown_with_its_conditions(conditions_page: Page) -> None:
    page = conditions_page
    page.one("#rows tbody a").click()
    page.wait(lambda: page.all("#source tr"))
    assert [row.text for row in page.all("#source td.n")] == [str(i) for i in range(1, len(KERNELS.splitlines()) + 1)]
    assert lines_with(page, "[popovertarget]") == [8, 9, 11, 17]
    page.screenshot("conditions")


def test_a_pop_over_opens_beside_its_button_and_within_the_window(conditions_page: Page) -> None:
    page = conditions_page
    page.one("#rows tbody a").click()
    page.wait(lambda: page.all("#source tr"))
    for number, button in enumerate(page.all("#source [popovertarget]")):
        button.click()
        page.wait(lambda: page.all(".pop"))
        pop = page.one(".pop").rect
        assert pop["x"] >= 0 and pop["x"] + pop["width"] <= 1280
        beside = abs(pop["y"] - (button.rect["y"] + button.rect["height"])), abs(pop["y"] + pop["height"] - button.rect["y"])
        assert min(beside) < 10, "it touches the button's lower or upper side"
        page.screenshot(f"conditions-pop-over-{number}")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all(".pop"))


def test_c_goes_to_the_next_line_of_which_a_condition_was_missed(conditions_page: Page) -> None:
    page = conditions_page
    page.one("#rows tbody a").click()
    page.wait(lambda: page.all("#source tr"))
    page.press("c")
    assert page.one("tr.here .n").text == "8"
    page.press("c")
    assert page.one("tr.here .n").text == "9"
    page.press("C")
    assert page.one("tr.here .n").text == "8"


def test_states_of_kernel_lines_have_signs_and_reasons(states_report: Path, opened: Opened) -> None:
    """Not hit, not measured and not compiled differ in glyph, label and tooltip; the first line of a run says why in words."""
    page = opened(states_report)
    page.script("location.hash = '#/kernels.py'")
    page.wait(lambda: page.all("#source tr"))
    page.screenshot("kernel-states")
    signs = {}
    for line, sign in enumerate(page.all("#source td.g [role=img]"), 1):
        assert sign.get_attribute("aria-label") == sign.get_attribute("title")
        signs[line] = (sign.text, sign.get_attribute("title"))
    static = "not measured: no compiled variant has it (static condition)"
    never = "not compiled: the kernel was not launched"
    assert [signs[16][0], signs[22], signs[20], signs[28]] == ["✓", ("✗", "not hit: no launch reached it"), ("?", static), ("○", never)]
    notes = {int(row.text.split()[0]): [note.text for note in row.find_elements(By.CLASS_NAME, "never")] for row in page.all("#source tr")}
    assert [notes[17], notes[20], notes[22], notes[28]] == [[f"never to 20 – {static}"], [static], [], [never]]


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
    page.wait(lambda: page.all("#source tr"))
    assert page.script("location.hash") == "#/kernels.py" and "kernels.py" in page.driver.title


def test_keys_lead_from_piece_to_piece_and_file_to_file(states_report: Path, opened: Opened) -> None:
    page = opened(states_report)
    page.press("]")
    page.press("]")
    page.wait(lambda: page.driver.title.startswith("kernels.py "))
    assert page.script("location.hash") == "#/kernels.py"
    page.press("j")
    first = page.one("tr.here .n").text
    page.press("j")
    page.press("k")
    assert page.one("tr.here .n").text == first
    page.press("u")
    page.wait(lambda: page.all("#rows"))
    page.press("?")
    assert page.one("#key-help").text.count("\n") >= 5


def test_an_address_of_a_line_leads_there(states_report: Path, opened: Opened) -> None:
    page = opened(states_report)
    page.script("location.hash = '#/kernels.py:L22'")
    page.wait(lambda: page.all("tr.here"))
    assert page.one("tr.here .n").text == "22"


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
