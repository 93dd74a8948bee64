"""The shell of the HTML report in a browser: tree, tables, keys, finder, search, contexts, links."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from browser import Opened, Page
from page_project import SHAPES, measure
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

# Columns of the table, with the keys that sort by them and their names in `coverage json`.
COUNTS = {"s": "num_statements", "m": "missing_lines", "x": "excluded_lines", "b": "num_branches", "p": "num_partial_branches"}
NUMBERS = {**COUNTS, "c": "percent_covered"}
SHOWN = [*COUNTS.values(), "percent_covered_display"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    measure(folder)
    for args in (["qd-cov", "html", "-q", "--show-contexts"], [sys.executable, "-m", "coverage", "json", "-q"]):
        subprocess.run(args, cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def oracle(project: Path) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((project / "coverage.json").read_text())
    return result


def open_at(opened: Opened, project: Path, address: str) -> Page:
    """The page of the project where an address leads."""
    page = opened(project / "htmlcov" / "index.html", address)
    page.wait(lambda: page.all("#rows tbody tr") or page.all("#contexts-table tbody tr") or page.all("#source *") or page.all("#search"))
    return page


def rows(page: Page) -> list[list[str]]:
    """The texts of the rows that are shown, without the bar."""
    table = "[...document.querySelectorAll('#rows tbody tr:not(.space)')]"
    cells = "[...row.cells].slice(0, -1).filter(one => one.checkVisibility()).map(one => (one.querySelector('a') ?? one).innerText.trim())"
    result: list[list[str]] = page.script(f"{table}.map(row => {cells})")
    return result


def names(page: Page) -> list[str]:
    return [row[0] for row in rows(page)]


def total(page: Page) -> list[str]:
    result: list[str] = page.script("[...document.querySelectorAll('#rows tfoot td')].map(cell => cell.innerText.trim()).slice(0, -1)")
    return result


def measurable(summary: dict[str, Any]) -> bool:
    """Whether the page shows a share: there is none of nothing, where coverage.py has 100 %."""
    return bool(summary["num_statements"] + summary["num_branches"])


def test_files_have_the_numbers_of_coverage(project: Path, oracle: dict[str, Any], opened: Opened) -> None:
    page = open_at(opened, project, "#files")
    page.screenshot("report-files")
    shown = {row[0]: row[1:4] + row[4:] for row in rows(page)}
    wanted = {path: [str(file["summary"][name]) for name in SHOWN] for path, file in oracle["files"].items()}
    for path, values in wanted.items():
        values[-1] = values[-1] + "%" if measurable(oracle["files"][path]["summary"]) else "–"
        assert [*shown[path][:3], *shown[path][-3:]] == values, path
    assert set(shown) == set(wanted)


@pytest.mark.parametrize(("view", "kind"), [("functions", "functions"), ("classes", "classes")])
def test_functions_and_classes_have_the_numbers_of_coverage(project: Path, oracle: dict[str, Any], opened: Opened, view: str, kind: str) -> None:
    page = open_at(opened, project, f"#{view}")
    page.screenshot(f"report-{view}")
    shown = sorted((row[1], row[0].replace(f"(no {view[:-1] if view == 'functions' else 'class'})", ""), *row[2:5], *row[-3:]) for row in rows(page))
    wanted = []
    for path, file in oracle["files"].items():
        for name, region in file[kind].items():
            summary = region["summary"]
            share = summary["percent_covered_display"] + "%" if measurable(summary) else "–"
            wanted.append((path, name, *(str(summary[key]) for key in SHOWN[:-1]), share))
    assert shown == sorted(wanted)
    assert page.one("#filter-count").text == f"{len(wanted)} {view}"


def test_percentages_are_rounded_as_coverage_rounds(project: Path, opened: Opened) -> None:
    """All shares of small numbers, and some of large ones, with any number of digits."""
    from coverage.results import Numbers

    pairs = [(some, of) for of in range(1, 130) for some in range(of + 1)]
    pairs += [(1, 100000), (99999, 100000), (2, 3), (123456, 200000), (0, 7), (1, 1600)]
    page = open_at(opened, project, "#files")
    for digits in range(4):
        script = "(() => { store.settings.precision = arguments[1]; return arguments[0].map(([some, of]) => store.percent(some, of)); })"
        shown = page.driver.execute_script(f"return {script}.apply(null, arguments)", pairs, digits)  # type: ignore[no-untyped-call]
        wanted = [Numbers(precision=digits, n_statements=of, n_missing=of - some).pc_covered_str for some, of in pairs]
        assert shown == wanted


@pytest.mark.parametrize("view", ["files", "functions"])
def test_keys_sort_as_in_coverage(project: Path, oracle: dict[str, Any], opened: Opened, view: str) -> None:
    page = open_at(opened, project, f"#{view}")
    if view == "files":
        numbers = {path: file["summary"] for path, file in oracle["files"].items()}
    else:
        regions = [(path, name, region) for path, file in oracle["files"].items() for name, region in file["functions"].items()]
        numbers = {f"{path} {name or '(no function)'}": region["summary"] for path, name, region in regions}
    label = (lambda row: row[0]) if view == "files" else (lambda row: f"{row[1]} {row[0]}")
    for key, column in NUMBERS.items():
        for again in (False, True):
            page.press(key)
            values = [numbers[label(row)][column] for row in rows(page)]
            values = [len(value) if isinstance(value, list) else value for value in values]
            downward = (key != "c") != again
            assert values == sorted(values, reverse=downward), (key, again)
            (sorted_by,) = page.all("#rows th[aria-sort]")
            assert sorted_by.get_attribute("aria-sort") == ("descending" if downward else "ascending")
    page.press("f")
    files = [row[0 if view == "files" else 1] for row in rows(page)]
    assert files == sorted(files, key=lambda name: name.replace("__init__", "!"))
    page.press("n")
    assert (view == "files") == (page.all("#rows th[aria-sort]")[0].text.startswith("File"))
    assert page.all("#rows th[aria-sort]")[0].text == ("File" if view == "files" else "Function")


def test_the_filter_and_its_totals(project: Path, oracle: dict[str, Any], opened: Opened) -> None:
    page = open_at(opened, project, "#files")
    assert total(page)[1] == str(oracle["totals"]["num_statements"])
    page.fill("#filter", "geo math")
    assert names(page) == ["shop/geometry/deep/inner/math.py"]
    assert total(page)[1] == str(oracle["files"]["shop/geometry/deep/inner/math.py"]["summary"]["num_statements"])
    assert page.one("#filter-count").text == f"1 of {len(oracle['files'])}"
    page.fill("#filter", "GEO")
    assert not page.all("#rows") and page.one(".empty").text == "Nothing matches the filter."
    page.fill("#filter", "")
    page.one("#filter").send_keys(Keys.ESCAPE)
    page.one("#hide-covered").click()
    assert names(page) == ["shop/geometry/deep/inner/math.py", "shop/geometry/shapes.py", "shop/unused.py"]
    page.driver.refresh()
    page.wait(lambda: len(names(page)) == 3)  # remembered
    page.one("#hide-covered").click()


def test_functions_are_found_in_capitals_or_not_and_lead_to_their_lines(project: Path, opened: Opened) -> None:
    page = open_at(opened, project, "#functions")
    for typed, count in (("square.g", 1), ("Square.g", 1), ("SQUARE.g", 0), ("(no", 0), ("shapes make", 2)):
        page.fill("#filter", typed)
        assert len(rows(page)) == count if count else page.all(".empty"), typed
    page.fill("#filter", "Square.grow")
    line = SHAPES.splitlines().index("    def grow(self, by):") + 1
    assert page.one("#rows td.region a").get_attribute("hash") == f"#/shop/geometry/shapes.py:L{line}"
    page.one("#filter").send_keys(Keys.ENTER)
    page.wait(lambda: page.script("location.hash") == f"#/shop/geometry/shapes.py:L{line}")


def test_the_tree_rolls_up_and_remembers(project: Path, oracle: dict[str, Any], opened: Opened) -> None:
    page = open_at(opened, project, "#tree")
    page.all(".folding button")[1].click()
    assert names(page) == ["shop/", "test_shop.py"]
    page.press(Keys.ARROW_DOWN)
    assert page.script("document.activeElement.getAttribute('aria-expanded')") == "false"
    page.press(Keys.ARROW_RIGHT)
    assert page.script("document.activeElement.getAttribute('aria-expanded')") == "true"
    page.screenshot("report-tree")
    page.press(Keys.ARROW_RIGHT)  # to the first in it
    page.press(Keys.ARROW_RIGHT)
    opened_now = {row[0]: row for row in rows(page)}
    assert {"shop/", "geometry/", "deep/", "shapes.py"} <= set(opened_now)
    inside = [file["summary"] for path, file in oracle["files"].items() if path.startswith("shop/geometry/")]
    wanted = [sum(file[name] for file in inside) for name in SHOWN[:-1]]
    row = opened_now["geometry/"]
    assert [*row[1:4], *row[-3:-1]] == [str(number) for number in wanted]
    levels = page.script("[...document.querySelectorAll('#rows tbody tr[aria-level]')].map(row => Number(row.getAttribute('aria-level')))")
    assert levels[:2] == [1, 2] and page.one("#rows").get_attribute("role") == "treegrid"
    page.press(Keys.ARROW_LEFT)
    assert page.script("document.activeElement.getAttribute('aria-expanded')") == "false"
    page.press(Keys.ARROW_LEFT)  # to the folder above
    assert page.script("document.activeElement.getAttribute('aria-level')") == "1"
    before = names(page)
    page.driver.refresh()
    page.wait(lambda: page.all("#rows tbody tr"))
    assert names(page) == before
    page.press(Keys.ARROW_DOWN)
    page.press(Keys.ENTER)
    page.wait(lambda: page.script("location.hash") == "#/shop/")
    page.wait(lambda: page.all(".crumbs"))
    assert page.one(".crumbs").text == "All files/shop"


def test_the_finder_goes_to_files_and_lines(project: Path, opened: Opened) -> None:
    page = open_at(opened, project, "#files")
    page.press("/")
    page.press("gesha")
    options = page.all("#finder [role=option]")
    assert options[0].text.startswith("shop/geometry/shapes.py")
    assert "".join(mark.text for mark in options[0].find_elements(By.TAG_NAME, "mark")) == "gesha"
    assert options[0].get_attribute("aria-selected") == "true"
    assert page.one("#finder input").get_attribute("aria-activedescendant") == options[0].get_attribute("id")
    page.screenshot("report-finder")
    page.press(":12")
    page.press(Keys.ENTER)
    page.wait(lambda: page.script("location.hash") == "#/shop/geometry/shapes.py:L12")
    page.wait(lambda: page.all("#source *"))
    assert not page.all("#finder")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    page.wait(lambda: page.all("#finder"))
    page.press("zzz")
    assert page.one("#finder [role=status]").text == "No file fits."
    page.press(Keys.ESCAPE)
    assert not page.all("#finder")


def test_the_finder_finds_what_has_the_letters_in_order(project: Path, opened: Opened) -> None:
    """Exactly the names with the letters in order fit, and the letters that are marked are those."""
    page = open_at(opened, project, "#files")
    texts = ["src/app/main.py", "a/b/c.py", "MixedCase.py", "aaaa", "src/İx.py", "ba/ab_ba.py", "ÄÖ.py", ""]
    typed = ["a", "sam", "mc", "aaa", "aaaaa", "c.p", "bab", "py", "ix", "äö", "abba"]
    script = """
      const [texts, typed] = arguments;
      return typed.map(letters => fuzzy.find(letters, texts, text => text, 99).map(({item, places}) => [item, places]));
    """
    for letters, found in zip(typed, page.driver.execute_script(script, texts, typed), strict=True):  # type: ignore[no-untyped-call]

        def fits(text: str, letters: str = letters) -> bool:
            rest = iter(text.lower())
            return all(letter in rest for letter in letters)

        assert {item for item, _ in found} == {text for text in texts if fits(text)}, letters
        for item, places in found:
            assert "".join(item[place].lower()[0] for place in places) == letters and places == sorted(set(places))


def test_the_search_leads_to_lines(project: Path, opened: Opened) -> None:
    page = open_at(opened, project, "#files")
    page.press("F")
    page.wait(lambda: page.all("#search"))
    page.wait(lambda: page.script("document.activeElement.id") == "search")
    page.press("return 2")
    page.wait(lambda: page.one("#search-count").text == "1 line in 1 file")
    page.fill("#search", "NEEDLE")
    page.wait(lambda: page.one("#search-count").text == "Nothing found.")
    page.fill("#search", "needle")
    page.wait(lambda: page.one("#search-count").text == "1 line in 1 file")
    page.fill("#search", "return")
    page.wait(lambda: page.one("#search-count").text == "10 lines in 3 files")
    page.screenshot("report-search")
    assert page.script("location.hash") == "#search/return"
    page.one("#search-missing").click()
    page.wait(lambda: page.one("#search-count").text == "5 lines in 3 files")
    assert {mark.get_attribute("aria-label") for mark in page.all(".result [role=img]")} == {"missing"}
    page.one("#search-missing").click()
    page.one("#search-regex").click()
    page.fill("#search", "return (0|1)$")
    page.wait(lambda: page.one("#search-count").text == "2 lines in 2 files")
    page.one("#search").send_keys("(")
    page.wait(lambda: page.one("#search-count").text == "That is no regular expression.")
    page.one("#search").send_keys(Keys.BACKSPACE)
    page.wait(lambda: page.one("#search-count").text == "2 lines in 2 files")
    page.press(Keys.ARROW_DOWN)
    page.press(Keys.ARROW_DOWN)
    page.press(Keys.ENTER)
    page.wait(lambda: page.script("location.hash") == "#/shop/unused.py:L2")
    page.driver.back()
    page.wait(lambda: page.all(".result"))
    assert page.one("#search").get_attribute("value") == "return (0|1)$"


def test_contexts_say_what_they_ran(project: Path, opened: Opened) -> None:
    page = open_at(opened, project, "#contexts")
    page.screenshot("report-contexts")
    table = {link.text: link for link in page.all("#contexts-table tbody a")}
    assert list(table) == ["outside tests (import, collection)", "__main__.test_square", "__main__.test_twice"]
    table["__main__.test_twice"].click()
    page.wait(lambda: len(page.all(".runs p a")) >= 3)
    assert page.script("location.hash") == "#contexts/__main__.test_twice"
    shown = {section.find_element(By.TAG_NAME, "a").text: section for section in page.all(".runs section")}
    assert set(shown) == {"shop/geometry/deep/inner/math.py", "shop/geometry/shapes.py", "test_shop.py"}
    math = shown["shop/geometry/deep/inner/math.py"].find_elements(By.CSS_SELECTOR, "p a")
    assert [(link.text, link.get_attribute("hash")) for link in math] == [("2", "#/shop/geometry/deep/inner/math.py:L2?test=__main__.test_twice")]
    page.screenshot("report-context")


def test_addresses_lead_back_and_forth(project: Path, opened: Opened) -> None:
    page = open_at(opened, project, "#files")
    start = page.script("history.length")
    assert start <= 2  # tests before may have opened one page
    page.script("location.hash = '#/shop/full.py'")
    page.wait(lambda: page.driver.title.startswith("shop/full.py"))
    page.script("location.hash = '#/shop/geometry/shapes.py:L7-L12'")
    page.wait(lambda: page.driver.title.startswith("shop/geometry/shapes.py"))
    page.script("history.back()")
    page.wait(lambda: page.driver.title.startswith("shop/full.py"))
    page.script("history.back()")
    page.wait(lambda: page.all("#rows"))
    page.script("history.forward()")
    page.wait(lambda: page.driver.title.startswith("shop/full.py"))
    assert page.script("history.length") == start + 2
    page.script("location.hash = '#/no/such.py:L3'")
    page.wait(lambda: page.all(".note"))
    assert page.one(".note").text == "This report has no no/such.py:L3."
    page.script("location.hash = '#/%E0%A4%A'")
    page.wait(lambda: "%E0" in page.one(".note").text)


def test_keys_are_left_alone_in_fields_and_with_modifiers(project: Path, opened: Opened) -> None:
    page = open_at(opened, project, "#files")
    for modifier in (Keys.CONTROL, Keys.ALT, Keys.META):
        ActionChains(page.driver).key_down(modifier).send_keys("m").key_up(modifier).perform()
    assert page.all("#rows th[aria-sort]")[0].text == "File"
    page.one("#filter").click()
    page.press("m/?")
    assert page.one("#filter").get_attribute("value") == "m/?" and not page.all("dialog")
    page.fill("#filter", "")
    page.driver.execute_script("document.activeElement.blur()")  # type: ignore[no-untyped-call]
    page.press("?")
    help_text = page.one("#key-help").text
    assert "sort by missing" in help_text and "go to a file" in help_text
    page.screenshot("report-keys")
    page.press("m")  # behind the dialog
    page.press("?")
    assert not page.all("#key-help") and page.all("#rows th[aria-sort]")[0].text == "File"


def test_a_page_without_storage(project: Path, opened: Opened) -> None:
    """Some browsers keep nothing for pages that were opened from files."""
    script = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError') }})"
    page = open_at(opened, project, "#files")
    added = page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})  # type: ignore[no-untyped-call]
    try:
        page.driver.refresh()
        page.wait(lambda: page.all("#rows tbody tr"))
        page.press("t")
        assert page.one("#theme-name").text == "light"
        page.press("m")
        assert page.all("#rows th[aria-sort]")[0].text == "Missing"
        page.script("location.hash = '#/shop/full.py'")
        page.press("u")
        page.wait(lambda: page.all("#rows"))
    finally:
        page.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)  # type: ignore[no-untyped-call]


def test_without_scripts_there_are_the_totals_and_the_files(project: Path, oracle: dict[str, Any], opened: Opened) -> None:
    page = open_at(opened, project, "#files")
    page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})  # type: ignore[no-untyped-call]
    try:
        page.driver.get((project / "htmlcov" / "index.html").as_uri())
        body = page.driver.find_element(By.TAG_NAME, "body").text
        page.screenshot("report-no-scripts")
    finally:
        page.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})  # type: ignore[no-untyped-call]
    assert f"{oracle['totals']['percent_covered_display']}%" in body
    for path, file in oracle["files"].items():
        assert f"{path} {file['summary']['num_statements']} " in body


def test_everything_has_a_name(project: Path, opened: Opened) -> None:
    """Accessible names, for screen readers: of everything that can be pressed or filled in."""
    script = """[...document.querySelectorAll('button, a[href], input')].filter(one => one.checkVisibility()).filter(one =>
        !(one.getAttribute('aria-label') || one.innerText.trim() || one.closest('label')?.innerText.trim())).map(one => one.outerHTML)"""
    for address in ("#tree", "#functions", "#contexts", "#search/return"):
        page = open_at(opened, project, address)
        assert page.script(script) == []


@pytest.mark.parametrize("width", [1600, 420])
def test_pictures(project: Path, opened: Opened, width: int) -> None:
    """Nothing is wider than the window; pictures to look at."""
    page = open_at(opened, project, "#tree")
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})  # type: ignore[no-untyped-call]
    try:
        for theme in ("light", "dark"):
            feature = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)  # type: ignore[no-untyped-call]
            for view in ("tree", "functions", "search/return", "contexts"):
                page.script(f"location.hash = '#{view}'")
                page.wait(lambda view=view: view not in ("search/return",) or page.all(".result"))
                page.screenshot(f"report-{view.split('/')[0]}-{theme}-{width}")
                assert page.script("document.documentElement.scrollWidth") <= width
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})  # type: ignore[no-untyped-call]
