"""The file view of the HTML report in a browser: keys, links, pop-overs, contexts and hostile text."""

from __future__ import annotations

import base64
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import coverage
import pytest
from browser import WINDOW, Page
from coverage_commands import coverage_py
from html_page_data import sources_of
from kernel_tables import schema
from run_program import qd_cov
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from source_project import MODULE, line_of

Opened = Callable[..., Page]


@pytest.fixture
def opened(driver: Chrome) -> Iterator[Opened]:
    """Opens a file of a report; at the end of the test the browser must have had nothing to complain of."""
    pages: list[Page] = []

    def open_page(path: Path, address: str = "") -> Page:
        page = Page(driver, path)
        pages.append(page)
        if address:
            go(page, address)
        return page

    yield open_page
    driver.execute_script("try { localStorage.clear() } catch (error) {}")  # type: ignore[no-untyped-call]
    assert [problem for page in pages for problem in page.problems()] == []


def go(page: Page, address: str) -> None:
    """Goes to an address, until its file is there."""
    page.script("location.hash = arguments[0]", address)
    name = re.sub(r":L[-L\d]*$", "", address[2:])
    page.wait(lambda: page.driver.title.startswith(name + " ") and page.driver.find_elements(By.CSS_SELECTOR, ".view .line"))


def text_of(page: Page, selector: str) -> list[str]:
    """The texts of a selector's elements, on the screen or not."""
    result: list[str] = page.script("Array.from(document.querySelectorAll(arguments[0]), one => one.textContent)", selector)
    return result


def shift_click(page: Page, line: int) -> None:
    """Clicks on the number of a line, with shift."""
    event = "new MouseEvent('click', {shiftKey: true, bubbles: true, cancelable: true})"
    page.script(f"document.querySelector('#L{line} .n').dispatchEvent({event})")


def here(page: Page) -> list[int]:
    """The lines that a key went to."""
    return [int(text) for text in text_of(page, ".line.here .n")]


@pytest.fixture
def project(source_project: Path) -> Path:
    """The measured project, with a report that has contexts."""
    return source_project


@pytest.fixture
def page(project: Path, opened: Opened) -> Page:
    """pkg/mod.py of the project."""
    return opened(project / "htmlcov/index.html", "#/pkg/mod.py")


MISSING = line_of("raise ValueError")
PARTIAL = line_of("elif self.name")
EXCLUDED = line_of("pragma: no cover")


def test_every_line_is_there_as_it_stands(page: Page) -> None:
    """Text without change, but for invisible characters and those that change its direction: these are shown by name."""
    odd = {"\x01": "␁", "\x7f": "␡", "\u202e": "U+202E", "\u202c": "U+202C", "\u200b": "U+200B"}
    wanted = "".join(odd.get(letter, letter) for letter in MODULE).split("\n")[:-1]
    assert text_of(page, ".view .line .c") == wanted
    assert text_of(page, ".view .line .n") == [str(i) for i in range(1, len(wanted) + 1)]
    assert set(text_of(page, ".odd")) == set(odd.values())
    assert page.script("document.querySelectorAll('.view script, .view img').length") == 0
    for sign in page.all(".view .line .g [role=img]"):
        assert sign.get_attribute("aria-label") == sign.get_attribute("title")
    page.screenshot("source")


def test_toggles_are_keys_and_are_kept(page: Page, project: Path, opened: Opened) -> None:
    def filled(line: int) -> bool:
        background = "getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
        return bool(page.script(background, f"#L{line}") != page.script(background, "body"))

    lines = {"r": 2, "m": MISSING, "x": EXCLUDED, "p": PARTIAL}
    assert {key: filled(line) for key, line in lines.items()} == {"r": False, "m": True, "x": True, "p": True}
    for key, line in lines.items():
        before = filled(line)
        page.press(key)
        assert filled(line) != before
        assert page.one(f".toggle[data-key={key}]").get_attribute("aria-pressed") == str(not before).lower()
    page = opened(project / "htmlcov/index.html", "#/pkg/mod.py")
    assert {key: filled(line) for key, line in lines.items()} == {"r": True, "m": False, "x": False, "p": False}


def test_j_and_k_go_through_what_is_highlighted(page: Page) -> None:
    page.press("j")
    assert here(page) == [PARTIAL]
    page.press("j")
    assert here(page) == [MISSING]
    assert page.one("[role=status]").get_attribute("textContent") == f"Line {MISSING}: missing"
    page.press("k")
    assert here(page) == [PARTIAL]
    page.press(Keys.ENTER)
    page.wait(lambda: page.script("location.hash") == f"#/pkg/mod.py:L{PARTIAL}")
    page.press("p")
    page.press("m")
    page.press("1")
    assert here(page) == [EXCLUDED, EXCLUDED + 1]
    page.press("x")
    page.press("r")
    page.press("1")
    assert here(page) == [2, 3]
    page.press("0")
    assert here(page) == []
    page.wait(lambda: page.script("scrollY") == 0)


def test_keys_of_other_elements_and_with_modifiers_are_left_alone(page: Page) -> None:
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("m").key_up(Keys.CONTROL).perform()
    assert page.one(".toggle[data-key=m]").get_attribute("aria-pressed") == "true"


def test_files_follow_each_other(page: Page) -> None:
    page.press("]")
    page.wait(lambda: page.driver.title.startswith("run_tests.py "))
    page.press("[")
    page.wait(lambda: page.driver.title.startswith("pkg/mod.py "))
    page.press("u")
    page.wait(lambda: not page.all(".view"))


def test_the_list_of_keys_has_those_of_the_view(page: Page) -> None:
    page.press("?")
    for word in ("highlight missing lines", "next highlighted lines", "functions and classes", "which tests or contexts ran each line"):
        assert word in page.one("#key-help").text


def test_addresses_of_lines_and_ranges(page: Page) -> None:
    def named() -> list[str]:
        return text_of(page, ".line.named .n")

    go(page, "#/pkg/mod.py:L20")
    page.wait(lambda: named() == ["20"])
    shift_click(page, 25)
    page.wait(lambda: page.script("location.hash") == "#/pkg/mod.py:L20-L25")
    page.wait(lambda: named() == [str(i) for i in range(20, 26)])
    shift_click(page, 18)
    page.wait(lambda: named() == ["18", "19", "20"])
    shift_click(page, 22)
    page.wait(lambda: page.script("location.hash") == "#/pkg/mod.py:L20-L22")
    page.wait(lambda: named() == ["20", "21", "22"])
    page.script("document.getElementById('L60').querySelector('.n').click()")
    page.wait(lambda: named() == ["60"])
    assert page.script("location.hash") == "#/pkg/mod.py:L60"
    top = "document.getElementById('L60').getBoundingClientRect().top"
    assert page.script(f"{top} > document.querySelector('.view-head').getBoundingClientRect().bottom")
    page.driver.back()
    page.wait(lambda: named() == ["20", "21", "22"])
    go(page, "#/pkg/mod.py:L9999")
    assert named() == []


def test_a_pop_over_names_the_branches_of_a_line(page: Page) -> None:
    """The button with the missing arc opens the pop-over; Escape closes it and goes back; links lead to destinations."""
    go(page, f"#/pkg/mod.py:L{PARTIAL}")
    button = page.one(f"#L{PARTIAL} .partly")
    assert button.text == f"{PARTIAL}↛{MISSING}"
    sentence = f"line {PARTIAL} didn't jump to line {MISSING} because the condition on line {PARTIAL} was always true"
    assert button.get_attribute("title") == f"Branches of line {PARTIAL}: 1 of 2 taken\n{sentence}"
    button.send_keys(Keys.ENTER)
    page.wait(lambda: page.all(".pop"))
    assert button.get_attribute("aria-expanded") == "true" and page.one(".pop").get_attribute("role") == "dialog"
    assert [item.text for item in page.all(".pop .edges li")] == [
        f"✓ → {PARTIAL + 1} jump to line {PARTIAL + 1} – taken by host",
        f"✗ → {MISSING} {sentence} – never taken",
    ]
    page.screenshot("source-branches")
    page.press(Keys.ESCAPE)
    page.wait(lambda: not page.all(".pop"))
    assert page.script("document.activeElement.className") == "partly" and button.get_attribute("aria-expanded") == "false"
    button.click()
    page.wait(lambda: page.all(".pop"))
    button.click()
    page.wait(lambda: not page.all(".pop"))
    button.click()
    page.wait(lambda: page.all(".pop"))
    page.all(".pop .edges a")[1].click()
    page.wait(lambda: page.script("location.hash") == f"#/pkg/mod.py:L{MISSING}")
    assert not page.all(".pop")


def test_exits_and_forgiven_branches(page: Page) -> None:
    line = line_of("def last") + 1
    go(page, f"#/pkg/mod.py:L{line}")
    page.one(f"#L{line} .partly").click()
    page.wait(lambda: page.all(".pop"))
    sentence = f"line {line} didn't return from function 'last' because the condition on line {line} was always true"
    assert page.all(".pop .edges li")[0].text == f"✗ → exit {sentence} – never taken"
    page.press(Keys.ESCAPE)
    line = line_of("no branch")
    go(page, f"#/pkg/mod.py:L{line}")
    page.one(f"#L{line} .ways").click()
    page.wait(lambda: page.all(".pop"))
    assert "what is not taken does not count" in page.one(".pop").text


def test_contexts_are_fetched_when_they_are_asked_for(page: Page, project: Path) -> None:
    """Key w shows the contexts that ran each line; a line's list leads to the lines that one of them ran."""
    source = sources_of((project / "htmlcov/index.html").read_text())["pkg/mod.py"]
    assert "test_circle" not in json.dumps(source) and source["contexts"] == 4
    assert page.script("Array.from(document.querySelectorAll('.who')).length") == 0
    page.press("w")
    page.wait(lambda: page.all(".who"))
    line = line_of("self.name = name")
    assert page.one(f"#L{line} .who").text == "3 tests"
    assert page.one("#L2 .who").text == "outside tests (import, collection)"
    page.screenshot("source-contexts")
    page.one(f"#L{line} .who").click()
    page.wait(lambda: page.all(".pop"))
    assert [item.text for item in page.all(".pop .tests li")] == ["test_mod.test_both", "test_mod.test_circle", "test_mod.test_nothing"]
    page.all(".pop .tests button")[1].click()
    page.wait(lambda: page.all(".line.oth"))
    states = page.script("Object.fromEntries(Array.from(document.querySelectorAll('.line'), one => [one.id.slice(1), one.className]))")
    assert states[str(PARTIAL)] == "line par" and states[str(line_of("for i in range"))] == "line oth" and states[str(MISSING)] == "line mis"
    page.screenshot("source-one-context")
    assert page.one(".others").text.endswith(" by others")
    page.all(".view-bar .chip")[0].click()
    page.wait(lambda: not page.all(".line.oth"))


def test_contexts_are_chosen_by_name(page: Page) -> None:
    page.press("w")
    page.wait(lambda: page.all(".choose"))
    page.one(".choose").click()
    page.wait(lambda: page.all(".pop .find"))
    page.one(".pop .find").send_keys("nothing")
    assert [item.text for item in page.all(".pop .tests li")] == ["test_mod.test_nothing"]
    page.one(".pop .tests input").click()
    page.wait(lambda: page.all(".line.oth"))
    assert "oth" in (page.script("document.getElementById(arguments[0]).className", f"L{PARTIAL}"))


def test_without_contexts_the_page_has_none(project: Path, opened: Opened) -> None:
    assert qd_cov(project, "html", "-q", "-d", "plain").returncode == 0
    page = opened(project / "plain/index.html", "#/pkg/mod.py")
    page.press("w")
    assert not page.all(".who") and not page.all(".tests")
    assert "test_circle" not in (project / "plain/index.html").read_text()


def test_functions_and_classes(page: Page) -> None:
    page.press("f")
    page.wait(lambda: page.all(".outline li"))
    assert [item.text.split("\n")[0].strip() for item in page.all(".outline li a")] == [
        "class Shape", "__init__", "area", "nothing", "never", "raises", "last"
    ]  # fmt: skip
    page.screenshot("source-functions")
    page.all(".outline a")[3].click()
    page.wait(lambda: text_of(page, ".line.named .n") == [str(line_of("def nothing"))])
    page.driver.set_window_size(1280, 500)
    top = f"document.getElementById('L{line_of('def nothing')}').getBoundingClientRect().top"
    page.script(f"window.scrollBy({{top: {top} - document.querySelector('.view-head').getBoundingClientRect().bottom + 40, behavior: 'instant'}})")
    page.wait(lambda: text_of(page, ".within a") == ["class Shape", "def nothing"])
    assert page.one(".outline .current").text.startswith("nothing")
    page.driver.set_window_size(*WINDOW)
    page.press("f")
    page.wait(lambda: not page.all(".outline"))


def test_dark(page: Page) -> None:
    page.press("t")
    page.press("t")
    assert page.one("#theme-name").text == "dark"
    page.press("j")
    page.screenshot("source-dark")


def test_long_files_and_long_lines(tmp_path: Path, opened: Opened) -> None:
    """100,000 lines open at once and are all there, for the browser's search and for printing; a line of a megabyte is cut, and shown when asked."""
    lines = [f"x{i} = {i}  # line {i + 1}" for i in range(100_000)]
    lines[49_999] = "if x1 == 2:"
    lines[50_000] = "    y = '" + "z" * 1_000_000 + "'"
    (tmp_path / "long.py").write_text("\n".join(lines) + "\n")
    coverage_py(["run", "--branch", "long.py"], tmp_path, check=True)
    assert qd_cov(tmp_path, "html", "-q").returncode == 0
    page = opened(tmp_path / "htmlcov/index.html", "#/long.py")
    assert page.script("document.querySelector('.view-code').textContent.includes('# line 99999')")
    assert page.script("document.querySelectorAll('.view .line').length") < 2000
    page.press("j")
    assert here(page) == [50_000]
    go(page, "#/long.py:L50001")
    page.wait(lambda: text_of(page, ".line.named .n") == ["50001"])
    rest = page.one("#L50001 .rest")
    assert rest.text == "… 995,010 more characters"
    assert page.script("document.getElementById('L50001').getBoundingClientRect().top") < 900
    rest.click()
    assert page.script("document.querySelector('#L50001 .c').textContent.length") == 1_000_010
    go(page, "#/long.py:L100000")
    page.wait(lambda: text_of(page, ".line.named .n") == ["100000"])
    page.screenshot("source-long")


def test_printing_has_every_line(project: Path, opened: Opened) -> None:
    page = opened(project / "htmlcov/index.html", "#/pkg/mod.py")
    assert len(base64.b64decode(page.driver.print_page())) > 10_000
    assert page.script("document.querySelectorAll('.view .line').length") == len(MODULE.split("\n")) - 1


def test_states_of_kernel_lines_have_signs_and_reasons(states_report: Path, opened: Opened) -> None:
    """Not hit, not measured and not compiled differ in glyph, label and tooltip; the first line of a run says why in words."""
    page = opened(states_report, "#/kernels.py")
    page.screenshot("kernel-states")
    signs = {}
    for line, sign in enumerate(page.driver.find_elements(By.CSS_SELECTOR, ".view .g [role=img]"), 1):
        signs[line] = (sign.get_attribute("textContent"), sign.get_attribute("title"))
    static = "not measured: no compiled variant has it (static condition)"
    never = "not compiled: the kernel was not launched"
    assert [signs[16][0], signs[22], signs[20], signs[28]] == ["✓", ("✗", "not hit: no launch reached it"), ("?", static), ("○", never)]
    notes = {line: text_of(page, f"#L{line} .never") for line in (17, 20, 22, 28)}
    assert notes == {17: ["if false → 20 not in any compiled variant"], 20: [static], 22: ["not hit: no launch reached it"], 28: [never]}


def test_chips_show_what_ran_in_kernels_or_in_host_code(states_report: Path, opened: Opened) -> None:
    page = opened(states_report, "#/kernels.py")
    chips = {chip.text: chip for chip in page.all(".origins button")}
    assert list(chips) == ["host", "cpu"]
    chips["cpu"].click()
    page.wait(lambda: page.all(".line.oth"))
    assert page.script("document.getElementById('L16').className") == "line oth"
    page.screenshot("kernel-states-host")
    assert [chip.get_attribute("aria-pressed") for chip in page.all(".origins button")] == ["true", "false"]
    page.all(".origins button")[1].click()
    page.wait(lambda: not page.all(".line.oth"))
    page.one("#L17 .partly").click()
    page.wait(lambda: page.all(".pop"))
    assert "taken by cpu" in page.one(".pop").text and "The line ran in: cpu." in page.one(".pop").text


@pytest.fixture
def conditions_page(conditions_project: Path, opened: Opened) -> Page:
    """The report of condition_project, with conditions."""
    return opened(conditions_project / "htmlcov/index.html", "#/k.py")


def test_branches_of_lines_that_are_not_partial_are_shown_on_demand(variants_report: Path, opened: Opened) -> None:
    """With the pointer on the line, or the focus on its button; the button of a partial line is always there."""
    page = opened(variants_report, "#/k.py")
    page.wait(lambda: page.all("#L8 .partly"))
    opacity = "getComputedStyle(document.querySelector('#L6 .ways').closest('.notes')).opacity"
    page.script("document.body.dispatchEvent(new MouseEvent('mousemove'))")
    assert (page.script(opacity), page.one("#L8 .partly").text) == ("0", "8↛9")
    page.script("document.querySelector('#L6 .ways').focus()")
    assert page.script(opacity) == "1"
    page.press(Keys.ENTER)
    page.wait(lambda: page.all(".pop"))
    assert page.one(".pop h3").text == "Line 6 · 2 of 2 branches taken" and page.script(opacity) == "1"


def test_the_legend_stands_above_the_code(variants_report: Path, opened: Opened) -> None:
    """With the letters of devices and the signs of kernels, in a file that has kernels."""
    page = opened(variants_report, "#/k.py")
    page.wait(lambda: page.all(".view .line"))
    assert page.one("#legend").rect["y"] < page.one("#L1").rect["y"] < 400
    told = [item.text for item in page.all("#legend li")]
    assert {"C ran on cpu", "V ran on vulkan", "– did not run there", "𝕂 did not run in a kernel"} <= set(told)
    page.script("location.hash = '#/add.cpp'")
    page.wait(lambda: page.driver.title.startswith("add.cpp"))
    assert [item.text for item in page.all("#legend li")][-1] == "· not a statement"


def test_the_legend_of_a_kernel_line_that_was_not_hit(tmp_path: Path, opened: Opened) -> None:
    """The only missing line: its sign is in the legend too."""
    (tmp_path / "k.py").write_text("import qd\n\n\n@qd.kernel\ndef f(x: qd.i32):\n    if x > 3:\n        print(x)\n")
    data = coverage.CoverageData(str(tmp_path / ".coverage"))
    for context, arcs in (("", [(-1, 1), (1, 4), (4, -1)]), ("qd:cpu", [(-4, 6), (6, -4)])):
        data.set_context(context)
        data.add_arcs({str(tmp_path / "k.py"): arcs})
    data.write()
    data.close()
    with sqlite3.connect(tmp_path / ".coverage") as db:
        db.executescript(schema())
        db.execute("INSERT INTO qd_function SELECT 1, id, 4, 'f', 1, 'cpu' FROM file")
        db.executemany("INSERT INTO qd_probe VALUES (1, ?, ?, 1)", [(-4, 6), (-4, 7), (6, 7), (6, -4)])
    db.close()
    assert qd_cov(tmp_path, "html", "-q").returncode == 0
    page = opened(tmp_path / "htmlcov/index.html", "#/k.py")
    page.wait(lambda: page.all(".view .line"))
    assert page.each("#L7 .o, #L7 .g", "one.textContent") == ["✗", "𝕂"]
    assert "𝕂 did not run in a kernel" in [item.text for item in page.all("#legend li")]


def test_every_decision_has_a_chip(conditions_page: Page) -> None:
    page = conditions_page
    assert text_of(page, ".line:has(.chip.cond) .n") == ["8", "9", "11", "17"]
    page.screenshot("conditions")


def test_pop_overs_of_conditions_open_beside_their_buttons(conditions_page: Page) -> None:
    page = conditions_page
    for number, button in enumerate(page.all(".chip.cond")):
        button.click()
        page.wait(lambda: page.all(".pop"))
        pop = page.one(".pop").rect
        assert pop["x"] >= 0 and pop["x"] + pop["width"] <= 1280
        beside = abs(pop["y"] - (button.rect["y"] + button.rect["height"])), abs(pop["y"] + pop["height"] - button.rect["y"])
        assert min(beside) < 10, "it touches the button's lower or upper side"
        if number == 0:
            wants = "✗ wants x[i] > top false, x[i] < low true, low > 0.0 true"
            assert page.script("Array.from(document.querySelectorAll('.pop tr'), row => Array.from(row.cells, cell => cell.textContent))") == [
                ["Condition", "true", "false", "decides alone"],
                ["A x[i] > top", "✓ seen", "✓ seen", "✓ ways 1 and 2"],
                ["B x[i] < low", "✗ never", "✓ seen", wants],
                ["C low > 0.0", "✗ never", "✗ never", wants + "; and x[i] > top false, x[i] < low true, low > 0.0 false"],
                ["Way", "A", "B", "C", "outcome"],
                ["1", "F", "F", "–", "false"],
                ["2", "T", "–", "–", "true"],
            ]
        page.screenshot(f"conditions-pop-over-{number}")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all(".pop"))


def test_c_goes_to_the_next_line_of_which_a_condition_was_missed(conditions_page: Page) -> None:
    page = conditions_page
    page.press("c")
    assert here(page) == [8]
    page.press("c")
    assert here(page) == [9]
    page.press("C")
    assert here(page) == [8]
