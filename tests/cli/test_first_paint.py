"""Content before the first rows of a page: nothing that they do not need, so that a browser paints them at once."""

from __future__ import annotations

import random
import string
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Opened, Page
from coverage import CoverageData
from selenium.webdriver import Chrome

N_FILES = 200
# State of the page when its first row is in the document: parts in it, scripts run, rows drawn. The callback runs behind the script that drew it.
LOOK = """
new MutationObserver((changes, look) => {
  const rows = document.querySelectorAll('#rows tbody tr:not(.space)');
  if (rows.length === 0) return;
  look.disconnect();
  window.atFirstRow = {
    rows: rows.length, needed: Math.ceil(innerHeight / 30), others: typeof SourceView + ' ' + typeof finder,
    static: document.querySelector('noscript') !== null, parts: document.querySelectorAll('script[type="text/plain"]').length,
  };
}).observe(document, {childList: true, subtree: true});
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of many files, with sources that take long to read."""
    folder = tmp_path_factory.mktemp("many")
    rng = random.Random(1)
    data = CoverageData(str(folder / ".coverage"))
    for i in range(N_FILES):
        noise = "".join(rng.choice(string.ascii_letters) for _ in range(3000))
        (folder / f"file_{i}.py").write_text(f"a = 1\nb = '{noise}'\n")
        data.add_lines({str(folder / f"file_{i}.py"): [1]})
    data.write()
    data.close()
    subprocess.run(["qd-cov", "html", "-q"], cwd=folder, check=True)
    return folder / "htmlcov/index.html"


@pytest.fixture
def looks(driver: Chrome) -> Iterator[None]:
    """Content at the first row, as new pages tell it."""
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LOOK})  # type: ignore[no-untyped-call]
    yield
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)  # type: ignore[no-untyped-call]


def rows_of(page: Page) -> int:
    count: int = page.script("document.querySelectorAll('#rows tbody tr:not(.space)').length")
    return count


@pytest.mark.usefixtures("looks")
@pytest.mark.parametrize("address", ["", "#tree", "#files"])
def test_the_table_stands_before_all_else(report: Path, opened: Opened, address: str) -> None:
    """No part, no other script, no table for browsers without scripts was read. Rows fill the window; those around it come once these are painted."""
    page = opened(report, address)
    page.wait(lambda: page.script("window.atFirstRow"))
    found = page.script("window.atFirstRow")
    assert (found["others"], found["static"], found["parts"]) == ("undefined undefined", False, 0)
    assert found["rows"] <= found["needed"] < N_FILES
    top = page.script("document.querySelector('#rows tbody').getBoundingClientRect().top")
    assert top + found["rows"] * 30 >= page.script("innerHeight")
    page.wait(lambda: rows_of(page) > found["needed"])


def test_a_link_to_a_file_shows_no_table_before(report: Path, opened: Opened) -> None:
    page = opened(report, "#/file_7.py:L2")
    page.wait(lambda: page.all(".line.named"))
    assert page.all("#index") == [] and rows_of(page) == 0
    page.press("u")
    page.wait(lambda: rows_of(page) > 20)


@pytest.mark.parametrize("hash_after", ["#files", "#/file_3.py"])
def test_an_address_that_changes_while_the_page_is_read(report: Path, driver: Chrome, opened: Opened, hash_after: str) -> None:
    """Between the first rows and the scripts that hear of it."""
    source = LOOK.replace("window.atFirstRow =", f"location.hash = '{hash_after}'; window.atFirstRow =")
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})  # type: ignore[no-untyped-call]
    try:
        page = opened(report, "#tree")
        page.wait(lambda: page.all(".view .line" if "/" in hash_after else ".views [aria-current][href='#files']"))
    finally:
        driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)  # type: ignore[no-untyped-call]


def test_names_stand_in_the_order_of_intl(report: Path, opened: Opened) -> None:
    """Order of names without Intl, which a new page would wait for; names that are not ASCII are left to it."""
    page = opened(report)
    rng = random.Random(2)
    letters = [*map(chr, range(32, 127)), *"aAbBcC0019_/-." * 20, *"éÉß漢😀"]
    texts = ["a/b10.py", "a/b9.py", "a/B9.py", "a/b009.py", "a", *("".join(rng.choices(letters, k=rng.randrange(8))) for _ in range(400))]
    wrong = """(texts => {
      const intl = new Intl.Collator('en', {numeric: true});
      return texts.flatMap(a => texts.filter(b => Math.sign(intl.compare(a, b)) !== Math.sign(names.compare(a, b))).map(b => [a, b]));
    })(arguments[0])"""
    assert page.script(wrong, texts) == []
    numbers = [0, 7, 999, 1000, 12345, 999999, 1000000, 1234567890]
    assert page.script("arguments[0].map(names.format)", numbers) == [f"{n:,}" for n in numbers]
