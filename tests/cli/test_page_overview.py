"""The overview of a large tree: a treemap, whose sizes are statements and whose colours are coverage, and the ten files that lack most."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Opened, Page
from coverage import CoverageData
from selenium.webdriver import Chrome

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
# Folders, and for each of 20 files its statements and those that ran.
FOLDERS = ("src/core/", "src/core/deep/", "src/tools/")
SIZES = {
    f"{folder}m{i:02}.py": (10 * (i + 1), 10 * (i + 1) - (i * (1 + at)) % (10 * (i + 1))) for at, folder in enumerate(FOLDERS) for i in range(20)
}


def make(folder: Path, sizes: dict[str, tuple[int, int]]) -> Path:
    data = CoverageData(str(folder / ".coverage"))
    for name, (statements, ran) in sizes.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"x{n} = {n}\n" for n in range(statements)))
        data.add_lines({str(folder / name): range(1, ran + 1)})
    data.write()
    data.close()
    subprocess.run(["qd-cov", "html", "-q"], cwd=folder, check=True)
    return folder / "htmlcov/index.html"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("overview"), {**SIZES, "src/core/empty.py": (0, 0)})


@pytest.fixture
def sized(driver: Chrome) -> Iterator[Callable[[int], None]]:
    """Sets the width of the window, in pixels."""

    def resize(width: int) -> None:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]

    yield resize
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]


def tree(opened: Opened, report: Path, address: str = "#tree") -> Page:
    page = opened(report, address)
    page.wait(lambda: page.all(".worst li"))
    return page


def missing(name: str) -> int:
    return SIZES[name][0] - SIZES[name][1]


def worst(page: Page) -> list[list[str]]:
    return page.each(".worst li", "[...one.children].map(cell => cell.textContent)")


def listed(names: list[str]) -> list[list[str]]:
    """The rows of these files."""
    share = {name: round(100 * SIZES[name][1] / SIZES[name][0]) for name in names}
    return [[name.removeprefix("src/"), str(missing(name)), f"{share[name]}%"] for name in names]


def test_the_files_that_lack_most(report: Path, opened: Opened) -> None:
    """With what they lack; of the shown files alone. A link leads to each."""
    page = tree(opened, report)
    page.screenshot("overview")
    order = sorted(SIZES, key=lambda name: -missing(name))
    assert [row[1] for row in worst(page)] == [str(missing(name)) for name in order[:10]]
    assert all(row in listed(list(SIZES)) for row in worst(page))
    assert page.one(".worst h2").text == "Worst ten by missing statements"
    page.fill("#filter", "deep/m0")
    page.wait(lambda: not page.all(".overview"))  # ten files are no large tree
    page.fill("#filter", "m")
    page.wait(lambda: page.all(".overview"))
    page.wait(lambda: page.all(".worst a")[0].click() is None)  # again, where the page was drawn anew in between
    page.wait(lambda: page.driver.title.startswith(order[0]))


def test_sizes_are_statements_and_colours_are_coverage(report: Path, opened: Opened) -> None:
    """Each file with statements has a rectangle; within a folder areas are in proportion, and no two of them overlap."""
    page = tree(opened, report)
    shapes = page.driver.execute_script(
        "const map = document.createElementNS('http://www.w3.org/2000/svg', 'svg');"
        "const items = treemap.draw(map, indexView.shown().root, 1000, 700);"
        "return [...map.querySelectorAll('rect')].map(one => [items[one.dataset.item].path, one.getAttribute('class'),"
        "  ...['x', 'y', 'width', 'height'].map(name => Number(one.getAttribute(name)))])"
    )  # type: ignore[no-untyped-call]
    files = {path: (kind, *box) for path, kind, *box in shapes if path.endswith(".py")}
    assert set(files) == set(SIZES)
    for name, (kind, *_) in files.items():
        statements, ran = SIZES[name]
        expected = "good" if ran == statements else "most" if ran * 10 >= statements * 9 else "part" if ran * 4 >= statements * 3 else "bad"
        assert kind == expected, name
    for folder in FOLDERS:
        boxes = {name: box[1:] for name, box in files.items() if Path(name).parent == Path(folder)}
        areas = [(width + 1) * (height + 1) / SIZES[name][0] for name, (_, _, width, height) in boxes.items()]
        assert max(areas) < 1.05 * min(areas), folder
        for (x, y, width, height), (left, top, across, down) in itertools.combinations(boxes.values(), 2):
            assert x + width <= left or left + across <= x or y + height <= top or top + down <= y
    assert max(x + width for _, x, _, width, _ in files.values()) <= 1000 and max(y + height for _, _, y, _, height in files.values()) <= 700


def test_a_rectangle_tells_its_file_and_leads_to_it(report: Path, opened: Opened) -> None:
    page = tree(opened, report)
    page.wait(lambda: page.all(".map-of-files rect"))
    assert page.one(".map-of-files").accessible_name.startswith("Treemap of 61 files")
    largest = page.all(".map-of-files rect:not(.open)")[-1]
    page.driver.execute_script("arguments[0].dispatchEvent(new PointerEvent('pointermove', {bubbles: true}))", largest)  # type: ignore[no-untyped-call]
    told = page.one(".map-note").text
    name = "src/" + told.split(":")[0]
    assert told.endswith(f" of {SIZES[name][0]} statements")
    largest.click()
    page.wait(lambda: page.driver.title.startswith(name))


@pytest.mark.parametrize(("width", "beside"), [(1400, True), (1200, True), (900, False), (400, False)])
def test_it_is_beside_the_table_where_there_is_room(report: Path, opened: Opened, sized: Callable[[int], None], width: int, beside: bool) -> None:
    """And no wider than the window; names in the table have room."""
    sized(width)
    page = tree(opened, report)
    page.screenshot(f"overview-{width}")
    table, overview = (page.one(one).rect for one in ("#rows", ".overview"))
    assert page.script("document.documentElement.scrollWidth") <= width
    assert (overview["x"] >= table["x"] + table["width"]) == beside and (overview["y"] >= table["y"] + table["height"]) == (not beside)
    assert min(page.each("#rows tbody tr:not(.space) td.name", "one.getBoundingClientRect().width")) >= 150


def test_its_text_stands_out(report: Path, opened: Opened) -> None:
    """Contrast of 4.5, in both themes."""
    page = tree(opened, report)
    page.wait(lambda: page.all(".map-of-files text"))
    for theme in ("light", "dark"):
        page.script("document.documentElement.dataset.theme = arguments[0]", theme)
        kinds, low = page.driver.execute_script(CONTRAST, 4.5)  # type: ignore[no-untyped-call]
        assert kinds >= 2 and low == [], theme


def test_small_trees_and_other_tables_have_none(report: Path, tmp_path: Path, opened: Opened) -> None:
    small = make(tmp_path, dict(itertools.islice(SIZES.items(), 39)))
    for path, address in ((small, "#tree"), (report, "#files"), (report, "#functions"), (report, "#/src/tools/")):
        page = opened(path, address)
        page.wait(lambda page=page: page.all("#rows tbody tr:not(.space)"))
        assert not page.all(".overview"), address
