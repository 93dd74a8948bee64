"""The pages on a narrow screen: pop-overs are sheets at its lower edge, and the header gives way to a reader who scrolls on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Opened, Page
from diff_repository import Repository
from selenium.webdriver import Chrome
from source_project import line_of

SIZE = (400, 800)


@pytest.fixture
def narrow(driver: Chrome) -> Iterator[None]:
    """A window smaller than Chromium makes them: by emulation."""
    metrics = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    yield
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]


def box(page: Page, selector: str) -> dict[str, float]:
    result: dict[str, float] = page.script("document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)
    return result


def file_view(opened: Opened, project: Path) -> Page:
    page = opened(project / "htmlcov/index.html", "#/pkg/mod.py")
    page.wait(lambda: page.all(".view .line"))
    return page


@pytest.mark.usefixtures("narrow")
def test_pop_overs_are_sheets(source_project: Path, opened: Opened) -> None:
    page = file_view(opened, source_project)
    page.script("document.querySelector(arguments[0]).click()", f"#L{line_of('elif self.name')} .partly")
    page.wait(lambda: page.all(".pop"))
    page.screenshot("narrow-sheet")
    sheet = box(page, ".pop")
    assert (sheet["left"], sheet["right"], sheet["bottom"]) == (0, SIZE[0], SIZE[1]) and sheet["height"] < SIZE[1] * 0.76


@pytest.mark.usefixtures("narrow")
def test_the_header_gives_way(source_project: Path, opened: Opened) -> None:
    page = file_view(opened, source_project)
    assert box(page, ".bar-top")["top"] == 0
    for y in (100, 240):
        page.script("window.scrollTo({top: arguments[0], behavior: 'instant'})", y)
        page.wait(lambda y=y: page.script("window.scrollY") >= y)
    page.wait(lambda: box(page, ".bar-top")["bottom"] <= 0)
    page.wait(lambda: box(page, ".view-head")["top"] <= 1)
    page.screenshot("narrow-reading")
    page.script("window.scrollTo({top: 200, behavior: 'instant'})")
    page.wait(lambda: box(page, ".bar-top")["top"] == 0)
    page.script("window.scrollTo({top: 290, behavior: 'instant'})")
    page.wait(lambda: box(page, ".bar-top")["bottom"] <= 0)
    page.press("/")  # and a key that leads to the header shows it
    page.wait(lambda: page.all(".finder"))


def test_wide_pages_keep_their_header(source_project: Path, opened: Opened) -> None:
    page = file_view(opened, source_project)
    page.script("window.scrollTo({top: 300, behavior: 'instant'})")
    page.wait(lambda: page.script("window.scrollY") > 200)
    page.wait(lambda: box(page, ".bar-top")["top"] == 0)


@pytest.mark.usefixtures("narrow")
def test_pills_stand_below_their_lines(source_project: Path, opened: Opened) -> None:
    """Pills cover no code and stand in no one's way, on long lines too; code and pills of a line are within its row."""
    page = file_view(opened, source_project)
    page.wait(lambda: page.all(".notes .partly"))
    page.screenshot("narrow-pills")
    found = page.each(
        ".line:has(.partly)",
        "(([code, notes, box]) => [one.id, notes.top >= code.bottom - 1, notes.left >= 0, notes.right <= innerWidth, notes.bottom <= box.bottom + 1])"
        "([one.querySelector('.c'), one.querySelector('.notes'), one].map(each => each.getBoundingClientRect()))",
    )
    assert found and all(all(rest) for _, *rest in found), found
    rows = page.script("[...document.querySelectorAll('.line')].map(row => row.getBoundingClientRect().toJSON())")
    assert all(abs(one["bottom"] - other["top"]) < 1 for one, other in zip(rows, rows[1:], strict=False))


@pytest.mark.usefixtures("narrow")
def test_reasons_stay_on_a_narrow_screen(states_report: Path, opened: Opened) -> None:
    """Below their lines, and within the window."""
    page = opened(states_report, "#/kernels.py")
    page.wait(lambda: page.all(".view .line"))
    page.screenshot("narrow-reasons")
    shown = {int(one.find_element("xpath", "ancestor::*[@id][1]").get_attribute("id")[1:]): one.text for one in page.all(".line .never")}  # type: ignore[index]
    assert shown[22] == "not hit: no launch reached it" and shown[17] == "if false → 20 not in any compiled variant" and 28 in shown
    assert max(page.each(".line .never", "one.getBoundingClientRect().right")) <= SIZE[0]


# The sides of the text of an element.
SIDES = (
    "(text => { text.selectNodeContents(one); const {left, right} = text.getBoundingClientRect(); return [left, right]; })(document.createRange())"
)


@pytest.mark.usefixtures("narrow")
def test_unchanged_lines_are_told_on_the_screen(repo: Repository, opened: Opened) -> None:
    """Also where a table of code is wider than the screen, and after it was scrolled."""
    before = [f"x{n} = {n}\n" for n in range(60)]
    repo.write("a.py", "".join(before))
    repo.commit("long")
    repo.write("a.py", "".join([*before[:30], f"y = [{'1, ' * 60}]\n", *before[30:]]))
    repo.measure({"a.py": list(range(1, 30))})
    repo.diff("--compare-branch=HEAD", "--format=html:diff.html")
    page = opened(repo.folder / "diff.html")
    page.wait(lambda: page.all("tr.gap"))
    for scrolled in (0, 300):
        page.script("document.querySelector('.scroll').scrollLeft = arguments[0]", scrolled)
        assert page.script("document.querySelector('.scroll').scrollLeft") == scrolled
        sides = page.each("tr.gap summary", SIDES)
        assert sides and all(left >= 0 and right <= SIZE[0] for left, right in sides), (scrolled, sides)


# Target of `j` from the line at the top: the piece of highlighted lines that it is in, or the next one. A line that
# is half below the head may count or not.
NEXT = """(() => {
const below = document.querySelector('.view-head').getBoundingClientRect().bottom;
const rows = [...document.querySelectorAll('.line')];
const kind = i => ['mis', 'par', 'exc'].find(name => rows[i]?.classList.contains(name));
return ['bottom', 'top'].map(edge => {
  let i = rows.findIndex(one => one.getBoundingClientRect()[edge] >= below + (edge === 'top' ? -1 : 1));
  while (i < rows.length && !kind(i)) ++i;
  while (i > 0 && kind(i - 1) === kind(i)) --i;
  return rows[i]?.id;
});
})()"""


def steady_head(page: Page) -> float:
    """The lower edge of the header, in px, once it has given way to a scroll and not moved for 0.3 s."""
    head, since = -1.0, time.monotonic()
    while time.monotonic() - since < 0.3:
        now = box(page, ".view-head")["bottom"]
        if now != head:
            head, since = now, time.monotonic()
    return head


@pytest.mark.usefixtures("narrow")
def test_keys_begin_at_the_line_at_the_top(source_project: Path, opened: Opened) -> None:
    """Wherever that is: rows differ in height."""
    page = file_view(opened, source_project)
    page.wait(lambda: len(page.all(".line")) > line_of("last(1)"))
    for text in ("elif self.name", "if i > 5", "while len", "with open", 'if x["not', "if len(TEXT)"):
        page.press("0")
        page.script("document.getElementById(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", f"L{line_of(text)}")
        for _ in range(2):
            head = steady_head(page)
            page.script("window.scrollBy({top: arguments[0], behavior: 'instant'})", box(page, f"#L{line_of(text)}")["top"] - head - 3)
        steady_head(page)
        expected = page.script(NEXT)
        page.press("j")
        page.wait(lambda: page.all(".line.here"))
        assert page.all(".line.here")[0].get_attribute("id") in expected, text


@pytest.mark.usefixtures("narrow")
def test_lines_are_found_where_rows_differ_in_height(source_project: Path, opened: Opened) -> None:
    """Keys lead to lines that can be seen then."""
    page = file_view(opened, source_project)
    line = line_of("elif self.name")
    page.script("document.getElementById(arguments[0]).scrollIntoView({block: 'center', behavior: 'instant'})", f"L{line}")
    for key in "jjkj":
        page.press(key)
        page.wait(lambda: page.all(".line.here"))
        here, head = box(page, ".line.here"), box(page, ".view-head")
        assert head["bottom"] - 1 <= here["top"] and here["bottom"] <= SIZE[1], key
