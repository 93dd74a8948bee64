"""The HTML report tells devices apart: marks beside lines, a choice of devices without a mouse, columns, and pages that are made anew."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from browser import Opened, Page
from device_repository import ON_CPU, RAN, SIM, measure
from html_page_data import index_of
from run_program import qd_cov
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/sim.py").write_text(SIM)
    (tmp_path / "src/plain.py").write_text("x = 1\n")
    return tmp_path


def marks(page: Page) -> dict[int, tuple[str, str]]:
    """The marks beside lines, and their accessible names."""
    found = page.each(".line .o [role=img]", "[Number(one.closest('.line').id.slice(1)), one.textContent, one.getAttribute('aria-label')]")
    return {line: (text, label) for line, text, label in found}


def opened_file(project: Path, opened: Opened) -> Page:
    assert qd_cov(project, "html", "-q").returncode == 0
    page = opened(project / "htmlcov/index.html", "#/src/sim.py")
    page.wait(lambda: page.all(".view .line"))
    return page


def test_lines_say_where_they_ran(project: Path, opened: Opened) -> None:
    measure(project, RAN)
    page = opened_file(project, opened)
    both, cpu, vulkan = ("C V", "ran on cpu, vulkan"), ("C –", "ran on cpu, never on vulkan"), ("– V", "ran on vulkan, never on cpu")
    assert marks(page) == {6: both, 7: both, 8: cpu, 9: cpu, 11: vulkan, 12: both}
    legend = page.one("#legend").text
    assert all(text in legend for text in ("C ran on cpu", "V ran on vulkan", "– did not run there"))


def test_one_device_needs_no_letters(project: Path, opened: Opened) -> None:
    measure(project, ON_CPU)
    page = opened_file(project, opened)
    assert {mark for mark in marks(page).values() if mark[0] != "𝕂"} == {("K", "ran in a kernel (cpu)")}
    assert "K ran in a kernel" in page.one("#legend").text


def test_devices_are_chosen_with_a_key_and_with_buttons(project: Path, opened: Opened) -> None:
    measure(project, RAN)
    page = opened_file(project, opened)

    def head() -> tuple[list[str], list[str]]:
        chips = page.each(".view-head h2 .chip", "one.textContent")
        return chips, page.each(".origins [aria-pressed=true]", "one.textContent")

    assert head() == (["92%", "kernel"], ["host", "cpu", "vulkan"])
    for wanted in ("86%", "host"), ("83%", "cpu"), ("67%", "vulkan"):
        page.press("d")
        page.wait(lambda wanted=wanted: head() == ([wanted[0], f"ran on {wanted[1]}"], [wanted[1]]))  # type: ignore[misc]
    page.press("d")
    page.wait(lambda: head()[1] == ["host", "cpu", "vulkan"])
    page.script("document.querySelector('.origins button').focus()")
    page.press(Keys.TAB + Keys.ENTER)
    page.wait(lambda: head()[1] == ["host", "vulkan"])
    assert page.script("document.activeElement.textContent") == "cpu"
    page.press("?")
    assert "what ran on the next device alone, and on all" in page.one("#key-help").text


def test_a_file_that_one_device_never_ran_has_it_too(project: Path, opened: Opened) -> None:
    measure(project, ON_CPU)
    (project / "src/other.py").write_text(SIM)
    measure(project, {"qd:vulkan": [6]}, path="src/other.py", data_file=".coverage.2")
    assert qd_cov(project, "combine", "--append", "-q").returncode == 0
    page = opened_file(project, opened)
    page.press("ddd")
    page.wait(lambda: page.each(".view-head h2 .chip", "one.textContent") == ["0%", "ran on vulkan"])


def columns(project: Path, *options: str) -> list[str]:
    assert qd_cov(project, "html", "-q", *options).returncode == 0
    found: list[str] = index_of((project / "htmlcov/index.html").read_text()).get("archs", [])
    return found


def test_another_choice_makes_another_page(project: Path) -> None:
    measure(project, RAN)
    assert columns(project) == ["host", "cpu", "vulkan"]
    assert columns(project, "--arch=vulkan") == ["vulkan"]
    assert columns(project, "--arch=host") == []
    assert columns(project, "--contexts=test_b") == ["vulkan"]


def test_host_data_has_no_columns(project: Path) -> None:
    measure(project, {"": [1, 4, 5], "test_a|run": [15]}, tables=False)
    assert columns(project) == []
    page = (project / "htmlcov/index.html").read_text()
    assert '"marks"' not in page and "ran in a kernel</li>" not in page


@pytest.mark.parametrize("program", ["qd-cov", "coverage"])
def test_data_of_machines_with_different_devices(project: Path, program: str) -> None:
    """Compiled variants are lost when another program combines; executed lines are not."""
    measure(project, ON_CPU, data_file=".coverage.a")
    measure(project, {context: lines for context, lines in RAN.items() if "vulkan" in context}, data_file=".coverage.b")
    command = ["qd-cov"] if program == "qd-cov" else [sys.executable, "-m", "coverage"]
    assert subprocess.run([*command, "combine", "-q"], cwd=project, check=False).returncode == 0
    rows = qd_cov(project, "report", "--by-arch").stdout.splitlines()
    assert rows[0].split()[-3:] == ["host", "cpu", "vulkan"] and rows[2].split()[-3:] == ["86%", "83%", "67%"]


def test_odd_names_of_devices_stay_text(project: Path, opened: Opened) -> None:
    measure(project, RAN | {"qd:<b>&": [6], "qd:\u202evulkan": [7]}, tables=False)
    page = opened_file(project, opened)
    assert marks(page)[6][1].startswith("ran on <b>&, cpu, vulkan, never on ")
    assert page.script("document.querySelectorAll('.o b, .origins b').length") == 0
    assert qd_cov(project, "report", "--by-arch").stdout.split("\n")[0].split()[-5:-1] == ["host", "<b>&", "cpu", "vulkan"]
