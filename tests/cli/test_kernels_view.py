"""The kernels of a report: a view of their own, notes for those that did not run, and reasons for their missing lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import kernel_project
import pytest
from browser import Opened, Page
from coverage_commands import coverage_py
from html_page_data import index_of
from run_program import qd_cov
from selenium.webdriver.common.keys import Keys

WORST_FIRST = [
    ["unused_func", "func", "○ not called"],
    ["never", "", "○ not launched"],
    ["broken", "", "? does not compile"],
    ["launched", "", "✓ ran"],
    ["half", "func", "✓ ran"],
    ["sometimes", "", "✓ ran"],
]


@pytest.fixture(scope="module")
def functions(states_report: Path) -> dict[str, Any]:
    """coverage.py's numbers of each function of kernels.py."""
    folder = states_report.parent.parent
    coverage_py(["json", "-q", "-o", "numbers.json"], folder, check=True)
    files: dict[str, Any] = json.loads((folder / "numbers.json").read_text())["files"]
    return {name: region["summary"] for name, region in files["kernels.py"]["functions"].items()}


def rows(page: Page) -> list[dict[str, str]]:
    """The cells of the table that are shown, by the titles of their columns."""
    page.wait(lambda: page.all("#rows tbody tr:not(.space)"))
    heads = page.each("#rows thead th:not(:last-child)", "one.innerText.replace(/ [↑↓]$/, '').trim()")
    table = "[...document.querySelectorAll('#rows tbody tr:not(.space)')]"
    cells = page.script(f"{table}.map(row => [...row.cells].slice(0, -1).map(one => one.innerText.replace(/\\s+/g, ' ').trim()))")
    return [dict(zip(heads, row, strict=True)) for row in cells]


def test_worst_first_with_their_states(states_report: Path, opened: Opened) -> None:
    page = opened(states_report, "#kernels")
    found = rows(page)
    page.screenshot("kernels")
    assert [[row["Kernel"].split()[0], " ".join(row["Kernel"].split()[1:]), row["State"]] for row in found] == WORST_FIRST
    assert page.one("#filter-count").text == "6 kernels and funcs"
    assert [row["File"] for row in found] == ["kernels.py"] * 6  # in each row, quiet where it is that of the row above
    assert page.each("#rows .of-file a", "one.closest('td').matches('.again')") == [False] + [True] * 5
    page.press("n")
    assert [row["Kernel"].split()[0] for row in rows(page)] == sorted(name for name, _, _ in WORST_FIRST)
    page.fill("#filter", "never")
    page.press(Keys.ENTER)
    page.wait(lambda: page.driver.title.startswith("kernels.py"))
    assert page.script("location.hash") == "#/kernels.py:L27"


def test_numbers_are_those_of_the_bodies(states_report: Path, functions: dict[str, Any], opened: Opened) -> None:
    """Numbers of each kernel are coverage.py's; on the only device the same, and together the share of the first page."""
    page = opened(states_report, "#kernels")
    statements = branches = done = 0
    for row in rows(page):
        summary = functions[row["Kernel"].split()[0]]
        assert int(row["Statements"]) == summary["num_statements"] and int(row["Missing"]) == summary["missing_lines"]
        assert row["Coverage"] == row["cpu"] == summary["percent_covered_display"] + "%"
        statements += summary["num_statements"]
        branches += summary["num_branches"]
        done += summary["covered_lines"] + summary["covered_branches"]
    (share,) = page.each(".shares > div:nth-child(3)", "one.innerText.replace(/\\s+/g, ' ')")
    assert (
        share == f"Kernels on cpu {round(100 * done / (statements + branches))}% ran there: {done} of {statements + branches} statements and branches"
    )
    probes = {row["Kernel"].split()[0]: row["Probes"] for row in rows(page)}
    listed = json.loads(qd_cov(states_report.parent.parent, "debug", "probes", "--json").stdout)
    counts = {kernel["name"]: kernel["archs"].get("cpu", {}) for file in listed["files"] for kernel in file["functions"]}
    assert probes == {name: f"{n['fired']}/{n['probes']}" if n.get("probes") else "–" for name, n in counts.items()}


def test_tests_are_counted_without_phases_and_devices(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "k.py").write_text(
        "import qd\n\n\n@qd.kernel\ndef add(x: qd.i32) -> qd.i32:\n    return x + 1\n\n\n@qd.kernel\ndef idle():\n    pass\n"
    )
    (tmp_path / "test_k.py").write_text(
        "import qd, pytest, k\n\n@pytest.fixture(autouse=True)\ndef start():\n    qd.init(log_level='error')\n    k.add(1)\n\n"
        "def test_one():\n    assert k.add(1) == 2\n\ndef test_two():\n    assert k.add(2) == 3\n"
    )
    done = kernel_project.qd_cov(tmp_path, "run", "--branch", "--source=.", "--context=test", "--", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout + done.stderr
    assert qd_cov(tmp_path, "html", "-q", "--show-contexts").returncode == 0
    page = opened(tmp_path / "htmlcov/index.html", "#kernels")
    assert {row["Kernel"]: row["Tests"] for row in rows(page)} == {"add": "2", "idle": "0"}


def test_no_kernels_no_view(source_project: Path, opened: Opened) -> None:
    text = (source_project / "htmlcov/index.html").read_text()
    assert index_of(text)["kernels"] == 0 and "Kernels on" not in text
    page = opened(source_project / "htmlcov/index.html", "#files")
    page.wait(lambda: page.all("#rows tbody tr:not(.space)"))
    assert "Kernels" not in [link.text for link in page.all("#views a")]


def file_view(opened: Opened, report: Path) -> Page:
    page = opened(report, "#/kernels.py")
    page.wait(lambda: page.all(".view .line"))
    return page


def test_missing_lines_are_split_by_reason(states_report: Path, opened: Opened) -> None:
    """The parts are those of the whole; each leads to its lines, with the keyboard too, and names them."""
    page = file_view(opened, states_report)
    parts = page.each(".view-bar .reason", "one.textContent")
    assert parts == ["○ 2 not compiled", "? 2 not measured", "✗ 1 not hit"]
    assert page.one("[data-key=m] b").text == str(sum(int(part.split()[1]) for part in parts))
    found = []
    for _ in range(3):
        page.script("document.querySelector('.view-bar .reason').focus()")
        page.press(Keys.ENTER)
        found.append(page.script("[document.activeElement.id, document.querySelector('.view [role=status]').textContent]"))
    first = ["L11", "Line 11: not compiled, no kernel that was launched calls it"]
    assert found == [first, ["L28", "Line 28: not compiled, the kernel was not launched"], first]


def test_kernel_lines_that_did_not_run_have_a_hollow_letter(states_report: Path, opened: Opened) -> None:
    page = file_view(opened, states_report)
    signs = page.each(".line .o [role=img]", "[Number(one.closest('.line').id.slice(1)), one.textContent, one.getAttribute('aria-label')]")
    hollow = {line: label for line, text, label in signs if text == "𝕂"}
    assert hollow == {11: "in a kernel: not compiled", 20: "in a kernel: not measured", 22: "in a kernel: not hit",
                      28: "in a kernel: not compiled", 38: "in a kernel: not measured"}  # fmt: skip
    assert {line for line, text, _ in signs if text == "K"} == {6, 16, 17, 18, 21, 23, 33}
    assert "did not run in a kernel" in page.one("#legend").text


def test_branches_say_what_they_lack_in_one_line(states_report: Path, opened: Opened) -> None:
    page = file_view(opened, states_report)
    notes = {line: page.each(f"#L{line} .never", "one.textContent") for line in (17, 21, 22)}
    assert notes == {
        17: ["if false → 20 not in any compiled variant"],
        21: ["if true → 22 never taken (cpu)"],
        22: ["not hit: no launch reached it"],
    }


def test_the_map_has_the_colours_of_the_lines(states_report: Path, opened: Opened) -> None:
    page = file_view(opened, states_report)
    kinds = page.each(".map g rect", "one.getAttribute('class')")
    assert kinds == ["mis unc", "par", "mis unm", "par", "mis", "mis unc", "mis unm"]
    fill = "getComputedStyle(one).fill + getComputedStyle(one).opacity"
    assert len({page.each(f".map rect[class='{kind}']", fill)[0] for kind in set(kinds)}) == 4


def test_the_outline_tells_states(states_report: Path, opened: Opened) -> None:
    page = file_view(opened, states_report)
    page.press("f")
    items = page.each("#outline li", "one.innerText.replace(/\\s+/g, ' ').trim()")
    assert items == [
        "func half 100%", "func unused_func ○ not called", "kernel launched 64%", "kernel never ○ not launched", "kernel sometimes 100%",
        "kernel broken ? does not compile",
    ]  # fmt: skip
