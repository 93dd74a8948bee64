"""The tables of the page: rows and columns that they leave out, files without statements, and their width on three screens."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import variant_project
from browser import Opened, Page
from coverage import CoverageData
from selenium.webdriver import Chrome

ARABIC = "src/مجلد/ملف_طويل.py"
LONG = "src/" + "a_folder_with_a_long_name/" * 5 + "and_a_module_with_a_long_name_as_well.py"
CODE = "def f(x):\n    if x:  # " + "a long line " * 40 + "\n        return 1\n    return 2\n\n\nf(1)\n"
ARCS = [(-1, 1), (1, 7), (7, -1), (-1, 2), (2, 3), (3, -1)]
DEVICES = ["host", "cpu", "reference", "vulkan", "amdgpu"]


def write(folder: Path, files: dict[str, str], arcs: list[tuple[int, int]], contexts: tuple[str, ...] = ("",)) -> CoverageData:
    """Files, and data of them in which each was measured in all contexts."""
    data = CoverageData(str(folder / ".coverage"))
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        for context in contexts:
            data.set_context(context)
            data.add_arcs({str(folder / name): arcs})
    data.write()
    return data


def html(folder: Path, *arguments: str) -> Path:
    subprocess.run(["qd-cov", "html", "-q", *arguments], cwd=folder, check=True)
    return folder / "htmlcov/index.html"


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Names that are long or written from right to left, in contexts of tests and devices."""
    folder = tmp_path_factory.mktemp("hard")
    contexts = ("tests/test_a.py::test_" + "long_" * 30, *("test_b|qd:" + name for name in DEVICES[1:]))
    write(folder, dict.fromkeys(("short.py", ARABIC, LONG), CODE), ARCS, contexts).close()
    return html(folder, "--show-contexts")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than a million statements, of which one ran: totals of many digits."""
    folder = tmp_path_factory.mktemp("large")
    write(folder, {"large.py": "a\n" * 1_010_000}, [(-1, 1)]).close()
    return html(folder)


@pytest.fixture
def resized(driver: Chrome) -> Iterator[Callable[[int], None]]:
    """Sets the width of the window, in pixels."""

    def resize(width: int) -> None:
        metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]

    yield resize
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]


def table(opened: Opened, report: Path, address: str) -> Page:
    page = opened(report, address)
    page.wait(lambda: page.all(".grid tbody tr:not(.space)"))
    return page


def titles(page: Page) -> list[str]:
    return page.each(".grid thead button", "one.textContent")


VIEWS = ["#tree", "#files", "#functions", "#classes", "#kernels", "#contexts"]
# Headers of which a word is broken or cut: more lines than words (one more for the arrow), or text beyond its column.
BROKEN = """Array.from(document.querySelectorAll('.grid thead button')).filter(one => one.checkVisibility()).filter(one => {
  const text = document.createRange();
  text.selectNodeContents(one);
  const lines = new Set(Array.from(text.getClientRects(), box => box.top)).size;
  return lines > one.textContent.split(' ').length || one.scrollWidth > one.clientWidth;
}).map(one => one.textContent)"""


@pytest.mark.parametrize("width", [1400, 1024, 800, 480])
def test_tables_stand_well(
    hard: Path, large: Path, variants_report: Path, states_report: Path, opened: Opened, resized: Callable[[int], None], width: int
) -> None:
    """No header, number, mark or title is cut, rows have one height, there is room for names, and nothing is wider than the window."""
    resized(width)
    for report in (hard, large, variants_report, states_report):
        for address in VIEWS:
            if (report != hard and address == "#contexts") or (report == large and address == "#kernels"):
                continue
            page = table(opened, report, address)
            what = (report.parent.parent.name, address)
            assert page.script(BROKEN) == [], what
            cut = "one.checkVisibility() && !one.matches('.name') && one.scrollWidth > one.clientWidth ? one.innerText : ''"
            assert "".join(page.each(".grid :is(tbody, tfoot) td", cut)) == "", what
            assert len(set(page.each(".grid tbody tr:not(.space)", "one.getBoundingClientRect().height"))) == 1, what
            assert min(page.each(".grid tbody tr:not(.space) td.name", "one.getBoundingClientRect().width")) >= 90, what
            assert page.script("document.documentElement.scrollWidth") <= width, what
            seen = "one.scrollWidth <= one.clientWidth || one.clientWidth >= 40"  # of a long name a part that tells something
            assert all(page.each(".grid tbody tr:not(.space) :is(a.path, a.test)", seen)), what
            ends = "one.getBoundingClientRect().right - one.closest('td').getBoundingClientRect().right"
            assert max(page.each(".grid tbody tr:not(.space) :is(a.path, a.test)", ends)) <= 1, what
            assert all(end <= 0 for end in page.each(".grid tbody tr:not(.space) .name .chip", ends)), what  # marks are whole
            assert page.each(".home > span:last-child", "one.scrollWidth <= one.clientWidth") == [True], what


@pytest.mark.parametrize("width", [1400, 480])
def test_a_test_with_a_long_name(hard: Path, opened: Opened, resized: Callable[[int], None], width: int) -> None:
    resized(width)
    page = opened(hard, "#contexts/" + "tests/test_a.py::test_" + "long_" * 30)
    page.wait(lambda: page.all(".runs p a"))
    assert page.script("document.documentElement.scrollWidth") <= width


def test_letters_of_devices_stand_apart_from_the_code(hard: Path, opened: Opened) -> None:
    page = opened(hard, "#/short.py")
    page.wait(lambda: page.all("#L1 .o span"))
    signs, code = (page.script(f"document.querySelector('#L1 {one}').getBoundingClientRect().toJSON()") for one in (".o span", ".c"))
    assert code["left"] - signs["right"] >= 6


def test_folders_stand_from_left_to_right(hard: Path, opened: Opened) -> None:
    """Folders of paths whose names are written from right to left, in tables, above a source, and where it was searched."""
    places = [("#files", f".name[title='{ARABIC}'] bdi bdi"), (f"#/{ARABIC}", ".view-head .path bdi"), ("#search/return 1", ".results h2 bdi")]
    for address, selector in places:
        page = opened(hard, address)
        page.wait(lambda page=page, selector=selector: page.all(selector))
        names = page.each(selector, "[one.textContent, one.getBoundingClientRect().left]")
        assert [name for name, _ in names if name] == ARABIC.split("/"), address
        lefts = [left for name, left in names if name]
        assert lefts == sorted(lefts), address


def test_names_of_functions_have_room(
    conditions_project: Path, variants_report: Path, source_project: Path, opened: Opened, resized: Callable[[int], None]
) -> None:
    """At 1200 pixels conditions give way to them, and bars to names of kernels; each row has the name of its file."""
    resized(1200)
    report = conditions_project / "htmlcov/index.html"
    plain = source_project / "htmlcov/index.html"
    for path, address, least in (
        (plain, "#functions", 260),
        (report, "#functions", 220),
        (variants_report, "#functions", 180),
        (variants_report, "#kernels", 170),
    ):
        page = table(opened, path, address)
        assert min(page.each("#rows tbody tr:not(.space) td.name", "one.getBoundingClientRect().width")) >= least, address
        assert "" not in page.each("#rows tbody tr:not(.space) td.of-file", "one.innerText.trim()")
        assert not page.all("#rows :is(.outcomes, .alone)") and page.script(BROKEN) == [], address
    assert table(opened, report, "#files").all("#rows .outcomes")
    resized(1400)
    assert table(opened, report, "#functions").all("#rows .outcomes")


def test_zeros_are_for_screen_readers_alone(conditions_project: Path, opened: Opened) -> None:
    """In columns of what is to be seen; a file tells no numbers of nothing either."""
    page = table(opened, conditions_project / "htmlcov/index.html", "#functions")
    cells = page.each("#rows tbody td:is(.missing, .branches)", "[one.textContent, one.firstElementChild?.className ?? '']")
    assert ["0", "unseen"] in cells and ["1", ""] in cells
    page = opened(conditions_project / "htmlcov/index.html", "#/k.py")
    page.wait(lambda: page.all(".view-bar"))
    assert page.each(".view-bar [data-key]", "one.textContent") == ["✓ 13 run", "✗ 2 missing"]
    rest = page.each(".shares .rest", "one.textContent")
    assert rest[:2] == ["ran; 2 of 15 missing", "all 4 taken"]


def test_pills_have_no_code_behind_them(hard: Path, opened: Opened) -> None:
    page = opened(hard, "#/short.py")
    page.wait(lambda: page.all("#L2 .notes"))
    code, notes = (page.script(f"document.querySelector('#L2 {one}').getBoundingClientRect().toJSON()") for one in (".c", ".notes"))
    assert code["right"] > notes["left"]  # they are at the same place
    background = "getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    assert page.script(background, "#L2 .notes") == page.script(background, "#L2") != "rgba(0, 0, 0, 0)"


def test_the_tree_begins_below_the_common_folder(tmp_path: Path, opened: Opened) -> None:
    """The common folder stands below the title."""
    write(tmp_path, {f"src/pkg/{name}": CODE for name in ("a.py", "deep/er/b.py", "deep/er/c.py")}, ARCS).close()
    report = html(tmp_path)
    names = "(one.querySelector('a') ?? one).textContent"
    page = table(opened, report, "#tree")
    assert page.each("#rows tbody td.name", names) == ["deep/er/", "b.py", "c.py", "a.py"]
    assert page.each("#about li", "one.textContent")[-1] == "files in src/pkg/"
    assert page.each("#rows tbody tr[aria-level]", "one.getAttribute('aria-level')") == ["1", "2", "2", "1"]
    page = table(opened, report, "#/src/pkg/deep/")
    assert page.each("#rows tbody td.name", names) == ["er/", "b.py", "c.py"] and page.one(".crumbs").text == "All files/src/pkg/deep"
    page.driver.find_elements("css selector", ".folding button")[1].click()
    assert page.each("#rows tbody td.name", names) == ["er/"]


def test_columns_that_are_zero_everywhere_are_left_out(tmp_path: Path, opened: Opened) -> None:
    """One file, all of it covered: nothing is missing, partial or excluded, and there are no folders to open."""
    write(tmp_path, {"a.py": "a = 1\nif a:\n    a = 2\na = 3\n"}, [(-1, 1), (1, 2), (2, 3), (3, 4), (2, 4), (4, -1)]).close()
    page = table(opened, html(tmp_path), "#tree")
    assert titles(page) == ["File", "Statements", "Ran", "Branches", "Taken", "Coverage"] and not page.all(".folding")
    page.press("m")  # there is no such column to sort by
    assert page.each("#rows th[aria-sort]", "one.textContent") == ["File"]


def test_what_was_not_counted_of_kernels_is_left_out(tmp_path: Path, opened: Opened) -> None:
    """Data without variants says nothing of launches."""
    report = variant_project.make(tmp_path)
    left_out = set(titles(table(opened, report, "#kernels")))
    with sqlite3.connect(tmp_path / ".coverage") as db:
        db.execute("DELETE FROM qd_variant_arc")
        db.execute("DELETE FROM qd_variant")
    db.close()
    html(tmp_path)
    assert left_out - set(titles(table(opened, report, "#kernels"))) == {"Launches"}


def test_nothing_to_measure_is_a_dash(tmp_path: Path, opened: Opened) -> None:
    """A dash stands for nothing to measure, in the head, in tables, in the finder and above the source; not 100 %."""
    (tmp_path / "a.py").write_text("")
    (tmp_path / "b.py").write_text("# nothing\n")
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({str(tmp_path / name): [] for name in ("a.py", "b.py")})
    data.write()
    data.close()
    page = table(opened, html(tmp_path), "#files")
    assert page.driver.title == f"{tmp_path.name} coverage"
    assert page.one(".figure").text == "–"
    assert page.each(".shares > div", "one.innerText.replace(/\\s+/g, ' ')") == ["Statements – nothing to measure"]
    assert set(page.each("#rows :is(tbody, tfoot) .coverage", "one.innerText")) == {"–"} and not page.all("#rows .meter")
    page.press("/")
    page.wait(lambda: page.all(".finder li"))
    assert page.each(".finder li .chip", "one.textContent") == ["–", "–"]
    page = opened(tmp_path / "htmlcov/index.html", "#/a.py")
    page.wait(lambda: page.all(".view-head"))
    assert page.one(".view-head .chip").text == "–"


def test_a_sheet_holds_its_table(variants_report: Path, opened: Opened, resized: Callable[[int], None]) -> None:
    """The list of variants is no wider than a narrow screen."""
    resized(400)
    page = opened(variants_report, "#/k.py")
    page.wait(lambda: page.all("#L5 .variants"))
    page.script("document.querySelector('#L5 .variants').click()")
    page.wait(lambda: page.all(".pop"))
    page.screenshot("narrow-variants")
    assert page.each(".pop, .pop .wide", "one.scrollWidth <= one.clientWidth") == [True, True]
    assert page.each(".pop .wide :is(td, th)", "one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth").count(True) == 0


def test_a_change_on_a_narrow_screen(conditions_project: Path, opened: Opened, resized: Callable[[int], None]) -> None:
    """Its page is no wider than the window, and pills stand below their lines."""
    resized(400)
    page = opened(conditions_project / "diff.html")
    page.wait(lambda: page.all("table.code tr"))
    page.screenshot("narrow-diff")
    assert page.script("document.documentElement.scrollWidth") <= 400
    below = """(([pill, text]) => pill.top >= text.bottom - 1)([one.getBoundingClientRect(), (range => {
      range.selectNodeContents(one.parentElement); range.setEndBefore(one); return range.getBoundingClientRect(); })(document.createRange())])"""
    found = page.each(".code .c .chip.cond", below)
    assert found and all(found)


@pytest.mark.parametrize("width", [1400, 1024, 480])
def test_long_names_in_the_table_of_a_change(tmp_path: Path, opened: Opened, resized: Callable[[int], None], width: int) -> None:
    """Long names have room beside columns of devices; folders stand from left to right."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]
    (tmp_path / "README").write_text("")
    for command in (["init", "-q", "-b", "main"], ["add", "README"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    write(tmp_path, dict.fromkeys(("short.py", ARABIC, LONG), CODE), ARCS, tuple("test_b|qd:" + name for name in DEVICES[1:])).close()
    subprocess.run([*git, "add", "-N", "."], check=True)
    subprocess.run(["qd-cov", "diff", "--compare-branch", "main", "--format", "html:diff.html"], cwd=tmp_path, check=True)
    resized(width)
    page = opened(tmp_path / "diff.html")
    assert page.script("document.documentElement.scrollWidth") <= width
    assert min(page.each("table.files tbody td.name", "one.getBoundingClientRect().width")) >= 100
    assert max(page.each("table.files :is(th, td)", "one.getBoundingClientRect().right")) <= width
    for selector in (".files .name a bdi", ".file > h2 a bdi"):
        names = page.each(selector, "[one.textContent, one.getClientRects()[0].left, one.getClientRects()[0].top]")
        assert [name for name, _, _ in names] == ARABIC.split("/")
        assert all(top < next_top or left < next_left for (_, left, top), (_, next_left, next_top) in zip(names, names[1:], strict=False))
