"""Contexts are shown as tests: names, files, devices; a test leads to its code, where all numbers and lines are then those of that test."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import coverage
import pytest
from browser import Opened, Page
from run_program import qd_cov

SIM = "import qd\n\n\ndef host(n):\n    if n:\n        return 1\n    return 2\n"
LONG = "test_" + "a_long_name_" * 20 + "end"
ONE, TWO = "tests/test_one.py::TestA::test_one[x|y]", f"tests/test_two.py::{LONG}"
RAN: dict[str, list[tuple[int, int]]] = {
    "": [(-1, 1), (1, 4), (4, -1)],
    f"{ONE}|setup": [(-4, 5)],
    f"{ONE}|run": [(-4, 5), (5, 6), (6, -4)],
    f"{ONE}|run|qd:cpu": [(-4, 6)],
    f"{TWO}|run": [(-4, 5), (5, 7), (7, -4)],
    "qd:cpu": [(-4, 5)],
}


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page_tests")
    (folder / "sim.py").write_text(SIM)
    data = coverage.CoverageData(str(folder / ".coverage"))
    for context, arcs in RAN.items():
        data.set_context(context)
        data.add_arcs({str(folder / "sim.py"): arcs})
    data.write()
    assert qd_cov(folder, "html", "-q", "--show-contexts").returncode == 0
    return folder / "htmlcov/index.html"


def numbers(contexts: Iterable[str], folder: Path) -> tuple[int, str]:
    """coverage.py's numbers of some contexts: executed statements, and the share with branches, of the files that ran in any."""
    oracle = coverage.Coverage(data_file=str(folder / ".coverage"))
    oracle.load()
    oracle.get_data().set_query_contexts([f"^{c.replace('|', '[|]').replace('[x', '.x').replace('y]', 'y.')}$" for c in contexts])
    result = oracle._analyze(str(folder / "sim.py")).numbers
    return result.n_executed, result.pc_covered_str + "%"


def table(page: Page) -> list[list[str]]:
    page.wait(lambda: page.all("#contexts-table tbody tr:not(.space)"))
    return page.each(
        "#contexts-table tbody tr:not(.space)", "[one.querySelector('a').innerText, ...[...one.querySelectorAll('.chip')].map(c => c.textContent)]"
    )


def test_a_row_for_each_test(page_file: Path, opened: Opened) -> None:
    """Phases, host and kernels together; a long name is cut in its middle, and whole where the mouse rests."""
    page = opened(page_file, "#contexts")
    (outside, one, two) = table(page)
    page.screenshot("tests")
    assert outside == ["outside tests (import, collection)", "host", "cpu"]
    assert one == ["TestA::test_one[x|y] tests/test_one.py", "host", "cpu"]
    name, _, rest = two[0].rpartition(" ")
    assert (rest, len(two)) == ("tests/test_two.py", 1)
    assert name.startswith("test_a_long") and name.endswith("name_end") and "…" in name and len(name) <= 120
    assert page.each("#contexts-table tbody td.name", "one.title")[2] == TWO
    page.wait(lambda: "Tests" in [link.text for link in page.all("#views a")])
    assert page.one("#contexts-table").find_elements("css selector", "tbody td.num")[3].text == str(
        numbers([c for c in RAN if c.startswith(ONE)], page_file.parent.parent)[0]
    )


def test_a_test_leads_to_its_code(page_file: Path, opened: Opened) -> None:
    """The page of a chosen test has coverage.py's numbers and lines for its contexts."""
    page = opened(page_file, "#contexts")
    table(page)
    page.all("#contexts-table tbody a")[1].click()
    page.wait(lambda: page.all(".runs p a"))
    assert page.each(".runs p a", "one.textContent") == ["5–6"]
    page.all(".runs h2 a")[0].click()
    page.wait(lambda: page.all(".line.oth"))
    page.screenshot("tests-code")
    ran, share = numbers([c for c in RAN if c.startswith(ONE)], page_file.parent.parent)
    assert page.one("[data-key=r] b").text == str(ran)
    assert page.all(".view-head h2 .chip")[0].text == share
    assert [chip.text for chip in page.all(".view-bar .chip.part")] == ["TestA::test_one[x|y] ✕"]
    assert page.each(".line.oth", "one.id") == ["L1", "L4", "L7"]
    page.one(".view-bar .chip.part").click()
    page.wait(lambda: not page.all(".line.oth"))


def test_an_address_chooses_a_test(page_file: Path, opened: Opened) -> None:
    page = opened(page_file, f"#/sim.py:L7?test={TWO}")
    page.wait(lambda: page.all(".line.oth"))
    assert page.each(".line.oth", "one.id") == ["L1", "L4", "L6"]
    assert "named" in page.script("document.getElementById('L7').className")
    page.script("location.hash = '#/sim.py?test=unknown'")
    page.wait(lambda: page.all(".view .line"))


def test_who_ran_a_line(page_file: Path, opened: Opened) -> None:
    page = opened(page_file, "#/sim.py")
    page.press("w")
    page.wait(lambda: page.all(".who"))
    assert page.one("#L5 .who").text == "3 tests"  # two, and launches outside of tests
    assert page.one("#L6 .who").text == "TestA::test_one[x|y]"
    page.one("#L5 .who").click()
    page.wait(lambda: page.all(".pop"))
    assert page.each(".pop .tests li", "one.innerText.split(' ')[0]")[:2] == ["outside", "TestA::test_one[x|y]"]
