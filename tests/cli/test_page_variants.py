"""Variants of a kernel and instantiations of a template: a list with the coverage of each on the line of the def; launches of kernels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import variant_project
from browser import Opened, Page
from run_program import qd_cov

WIDTHS = [(1400, 900), (1024, 800), (480, 800)]


def shown(opened: Opened, report: Path, address: str) -> Page:
    page = opened(report, address)
    page.wait(lambda: page.all(".view .line") or page.all("#rows tbody tr:not(.space)"))
    return page


def table(page: Page) -> list[list[str]]:
    rows: list[list[str]] = page.each(".pop table tr", "[...one.cells].map(cell => cell.textContent)")
    return rows


def open_list(page: Page, line: int) -> None:
    page.script("document.querySelector(arguments[0]).click()", f"#L{line} .variants")
    page.wait(lambda: page.all(".pop"))


def test_variants_of_a_kernel(variants_report: Path, opened: Opened) -> None:
    """The worst first; an unknown count is not 0; lines that a variant lacks are links."""
    page = shown(opened, variants_report, "#/k.py")
    assert page.one("#L5 .variants").text == "3 variants"
    assert page.one("#L5 .variants").get_attribute("aria-label") == "3 variants of line 5, with the coverage of each"
    open_list(page, 5)
    head, *rows = table(page)
    assert head == ["Variant", "Device", "Launches", "Statements", "Branches", "Missing"]
    long, two, one = rows
    assert long[0].startswith("n='") and "漢字" in long[0] and long[1:] == ["vulkan", "3", "0/3", "–", "6–9"]
    assert two == ["n=2, x=f32 ndarray of 1 dimension", "cpu", "–", "2/3", "1/2", "9"]
    assert one == [variant_project.FIRST, "cpu", "1,200", "2/2", "1/1", ""]
    assert page.each(".pop .missing a", "one.hash") == ["#/k.py:L6-L9", "#/k.py:L9"]
    assert page.script("document.activeElement.id") == "line-pop"
    page.script("document.querySelectorAll('.pop .missing a')[1].click()")
    page.wait(lambda: page.all("#L9.named") and not page.all(".pop"))


def test_variants_of_a_func(variants_report: Path, opened: Opened) -> None:
    """Variants of a func by the arguments, and the kernel that has it inlined."""
    page = shown(opened, variants_report, "#/k.py")
    assert page.one("#L20 .variants").text == "3 variants"
    open_list(page, 20)
    assert table(page) == [
        ["Variant", "Kernel", "Device", "Statements", "Branches", "Missing"],
        ["v=i32, n=2", "pick", "vulkan", "1/3", "1/2", "21, 23"],
        ["v=f32, n=1", "move (m.py)", "cpu", "2/3", "1/2", "22"],
        ["v=f32, n=1", "pick", "cpu", "3/3", "2/2", ""],
    ]


def test_the_chosen_device(variants_report: Path, opened: Opened) -> None:
    page = shown(opened, variants_report, "#/k.py")
    page.script("[...document.querySelectorAll('.origins button')].find(one => one.textContent === 'cpu').click()")
    page.wait(lambda: page.all("#L5 .variants") and page.one("#L5 .variants").text == "1 variant")


def test_one_variant_is_no_choice(variants_report: Path, opened: Opened) -> None:
    page = shown(opened, variants_report, "#/k.py")
    assert not page.all("#L15 .variants")


def test_launches_in_the_kernels_view(variants_report: Path, opened: Opened) -> None:
    page = shown(opened, variants_report, "#kernels")
    page.driver.set_window_size(1900, 900)
    cells = {row[0]: row[1:] for row in page.each("#rows tbody tr:not(.space)", "[...one.cells].map(cell => cell.textContent)")}
    head = [text.strip(" ↑↓") for text in page.each("#rows thead th", "one.textContent")]
    at = head.index("Launches") - 1
    page.screenshot("kernels-launches")
    page.driver.set_window_size(1280, 900)
    assert cells["pick"][at] == "1,203" and cells["once"][at] == "–"
    assert page.each("#rows td.launches[title]", "one.title") == ["", "cpu: 1,200, vulkan: 3", ""]


def test_instantiations_of_a_template(variants_report: Path, opened: Opened) -> None:
    page = shown(opened, variants_report, "#/add.cpp")
    assert page.one("#L2 .variants").text == "2 instantiations"
    open_list(page, 2)
    assert table(page) == [
        ["Instantiation", "Calls", "Statements", "Missing"],
        ["double add<double>(double, double)", "0", "0/4", "2–5"],
        ["int add<int>(int, int)", "7", "3/4", "4"],
    ]


def test_combined_data_keeps_instantiations(tmp_path: Path, opened: Opened) -> None:
    """Read from the input, or from a data file into which it was combined."""
    variant_project.make(tmp_path)
    assert qd_cov(tmp_path, "combine", "--append", "gcov.json").returncode == 0
    assert qd_cov(tmp_path, "html", "-q").returncode == 0
    page = shown(opened, tmp_path / "htmlcov/index.html", "#/add.cpp")
    open_list(page, 2)
    assert table(page)[1][2] == "0/4"


LCOV = """SF:{}
FN:2,_Z3addIiET_S0_S0_
FNDA:7,_Z3addIiET_S0_S0_
FN:2,_Z3addIdET_S0_S0_
FNDA:0,_Z3addIdET_S0_S0_
FN:8,main
FNDA:1,main
DA:2,7
end_of_record
"""


def test_lcov_knows_calls_alone(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "add.cpp").write_text(variant_project.TEMPLATE)
    (tmp_path / "in.info").write_text(LCOV.format(tmp_path / "add.cpp"))
    assert qd_cov(tmp_path, "html", "-q", "--input=in.info").returncode == 0
    page = shown(opened, tmp_path / "htmlcov/index.html", "#/add.cpp")
    open_list(page, 2)
    assert table(page) == [["Instantiation", "Calls"], ["double add<double>(double, double)", "0"], ["int add<int>(int, int)", "7"]]
    assert "does not say which lines" in page.one(".pop").text


def test_llvm_regions_become_lines(tmp_path: Path, opened: Opened) -> None:
    """Regions as llvm-cov has them: [line, column, end line, end column, count, file, expanded file, kind]."""
    (tmp_path / "add.cpp").write_text(variant_project.TEMPLATE)

    def function(name: str, count: int, taken: int) -> dict[str, object]:
        regions = [[2, 17, 6, 2, count, 0, 0, 0], [3, 7, 3, 12, count, 0, 0, 0], [3, 13, 4, 5, taken, 0, 0, 3], [4, 5, 4, 13, taken, 0, 0, 0]]
        regions += [[4, 14, 5, 3, count - taken, 0, 0, 3], [5, 3, 5, 15, count - taken, 0, 0, 0]]
        return {"name": name, "count": count, "regions": regions, "filenames": [str(tmp_path / "add.cpp")]}

    segments = [[2, 17, 7, True, True, False], [4, 5, 0, True, True, False], [4, 13, 7, True, False, False], [6, 2, 0, False, False, False]]
    data = {"files": [{"filename": str(tmp_path / "add.cpp"), "segments": segments}]}
    data["functions"] = [function("_Z3addIiET_S0_S0_", 7, 0), function("_Z3addIdET_S0_S0_", 1, 1)]
    (tmp_path / "llvm.json").write_text(json.dumps({"type": "llvm.coverage.json.export", "version": "2.0.1", "data": [data]}))
    assert qd_cov(tmp_path, "html", "-q", "--input=llvm.json").returncode == 0
    page = shown(opened, tmp_path / "htmlcov/index.html", "#/add.cpp")
    open_list(page, 2)
    rows = {row[0]: row[1:] for row in table(page)[1:]}
    assert rows["int add<int>(int, int)"] == ["7", "4/5", "4"] and rows["double add<double>(double, double)"] == ["1", "4/5", "5"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", WIDTHS, ids=[str(width) for width, _ in WIDTHS])
def test_the_list_fits(variants_report: Path, opened: Opened, size: tuple[int, int], theme: str) -> None:
    """The pop-over is within the window, whatever the names; text that is too wide scrolls in it."""
    page = shown(opened, variants_report, "#/k.py")
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # type: ignore[no-untyped-call]
    try:
        page.script("document.documentElement.dataset.theme = arguments[0]", theme)
        open_list(page, 5)
        page.screenshot(f"variants-{size[0]}-{theme}")
        box = page.script("document.querySelector('.pop').getBoundingClientRect().toJSON()")
        assert box["left"] >= 0 and box["right"] <= size[0] and box["bottom"] <= size[1]
        assert page.script("document.documentElement.scrollWidth <= innerWidth")
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
