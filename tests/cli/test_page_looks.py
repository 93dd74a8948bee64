"""Accessibility of the pages: low vision, few colours, no mouse, reduced motion, paper."""

from __future__ import annotations

import base64
import itertools
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser import ROOT, Opened, Page
from selenium.webdriver import Chrome
from selenium.webdriver.common.keys import Keys
from source_project import MODULE, line_of

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()
STYLE = (ROOT / "templates" / "style.css").read_text()
PARTIAL = line_of("elif self.name")

# Report, address, keys to press, elements to click: together they show all kinds of text.
VIEWS = [
    ("source", "#tree", "", ""),
    ("source", "#functions", "", ""),
    ("source", "#contexts", "", ""),
    ("source", "#contexts/test_mod.test_both", "", ""),
    ("source", "#search/name", "", ""),
    ("source", "#tree", "?", ""),
    ("source", "#tree", "/", ""),
    ("source", "#/pkg/mod.py", "", ""),
    ("source", "#/pkg/mod.py", "rwf", ""),
    ("source", "#/pkg/mod.py:L1-L90", "rw", ""),
    ("source", f"#/pkg/mod.py:L{PARTIAL}", "j", f"#L{PARTIAL} .partly"),
    ("states", "#/kernels.py", "", ""),
    ("states", "#/kernels.py", "", ".origins button"),
    ("states", "#/kernels.py:L1-L40", "r", ""),
    ("conditions", "#/k.py", "", ".chip.cond"),
    ("conditions", "#tree", "", ""),
    ("variants", "#/k.py", "", "#L5 .variants"),
    ("variants", "#kernels", "", ""),
    ("diff", "", "j", "[popovertarget]"),
]


@pytest.fixture(scope="module")
def pages(source_project: Path, states_report: Path, conditions_project: Path, variants_report: Path) -> dict[str, Path]:
    return {
        "variants": variants_report,
        "source": source_project / "htmlcov/index.html",
        "states": states_report,
        "conditions": conditions_project / "htmlcov/index.html",
        "diff": conditions_project / "diff.html",
    }


def show(opened: Opened, pages: dict[str, Path], report: str, address: str) -> Page:
    """A view, when it is there."""
    page = opened(pages[report], address)
    page.wait(lambda: page.all("tbody tr:not(.space)") or page.all(".view .line") or page.all(".runs a") or page.all(".result"))
    return page


@pytest.mark.parametrize(("report", "address", "keys", "click"), VIEWS, ids=[" ".join(filter(None, view)) for view in VIEWS])
def test_all_text_stands_out(pages: dict[str, Path], opened: Opened, report: str, address: str, keys: str, click: str) -> None:
    """Every text has a contrast of 4.5 with its background, in both themes."""
    page = show(opened, pages, report, address)
    if "w" in keys:
        page.press("w")
        page.wait(lambda: page.all(".who"))
    page.press(keys.replace("w", ""))
    if click:
        page.script("document.querySelector(arguments[0]).click()", click)
        page.wait(lambda: page.all(".pop") or page.all(".line.oth"))
    for theme in ("light", "dark"):
        page.script("document.documentElement.dataset.theme = arguments[0]", theme)
        kinds, low = page.driver.execute_script(CONTRAST, 4.5)  # type: ignore[no-untyped-call]
        assert kinds >= 2 and low == [], theme


def color(name: str, theme: int) -> tuple[float, ...]:
    """A colour of the style sheet, as linear red, green and blue."""
    found = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\);", STYLE)
    assert found
    channels = (int(found[1 + theme][at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)


# Machado, Oliveira, Fernandes 2009: a colour as people see it who lack one kind of cones.
DICHROMATS = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def lab(linear: tuple[float, ...]) -> tuple[float, float, float]:
    """CIE L*a*b* of the colour."""
    red, green, blue = (min(max(one, 0.0), 1.0) for one in linear)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116 for one in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("cones", DICHROMATS)
def test_colours_differ_for_who_lacks_cones(cones: str, theme: int) -> None:
    """Covered, partial and missing are 15 apart and more, in bars, letters and beside lines; 1 is the least that eyes tell. Glyphs say the same."""
    for kind in ("", "-bar"):
        seen = {}
        for name in ("good", "part", "bad"):
            linear = color(name + kind, theme)
            seen[name] = lab(tuple(sum(a * b for a, b in zip(row, linear, strict=True)) for row in DICHROMATS[cones]))
        for one, other in itertools.combinations(seen, 2):
            distance = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
            assert distance >= 15, (one + kind, other + kind, distance)


@pytest.mark.parametrize("address", ["#tree", "#functions", "#contexts", "#/pkg/mod.py"])
def test_the_focus_is_seen_wherever_the_tab_key_leads(pages: dict[str, Path], opened: Opened, address: str) -> None:
    """The tab key leads to all buttons and fields that are on the screen; whatever has the focus shows it."""
    page = show(opened, pages, "source", address)
    ring = """(one => { const [style, cell] = [one, one.cells?.[0] ?? one].map(each => getComputedStyle(each));
        return style.outlineStyle !== 'none' || cell.boxShadow !== 'none' || one.matches('main') })(document.activeElement)"""
    page.script("document.querySelectorAll('button, input, select, a[href], [tabindex=\"0\"]').forEach((one, i) => one.dataset.tab = i)")
    reached = set()
    for _ in range(200):
        page.press(Keys.TAB)
        if page.script("document.activeElement === document.body"):
            break
        assert page.script(ring), page.script("document.activeElement.outerHTML.slice(0, 200)")
        reached.add(page.script("document.activeElement.dataset.tab"))
    else:
        raise AssertionError("the tab key leads in a circle")
    needed = page.script(
        "Array.from(document.querySelectorAll('button, input, select, .views a')).filter(one => one.checkVisibility()).map(one => one.dataset.tab)"
    )
    assert set(needed) <= reached


@contextmanager
def media(driver: Chrome, **emulated: object) -> Iterator[None]:
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", emulated)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})  # type: ignore[no-untyped-call]


def test_nothing_moves_for_who_wants_no_motion(pages: dict[str, Path], opened: Opened) -> None:
    page = show(opened, pages, "source", "#/pkg/mod.py")
    behavior = "getComputedStyle(document.documentElement).scrollBehavior"
    for wish, expected in (("no-preference", "smooth"), ("reduce", "auto")):
        with media(page.driver, features=[{"name": "prefers-reduced-motion", "value": wish}]):
            assert page.script(behavior) == expected
    for sheet in (ROOT / "templates").glob("*.css"):
        assert not re.search(r"transition|animation|@keyframes", sheet.read_text())


def printed(page: Page, folder: Path) -> str:
    """The text of the page on paper."""
    path = folder / "page.pdf"
    path.write_bytes(base64.b64decode(page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]))  # type: ignore[no-untyped-call]
    text = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout
    return text.replace("\f", "\n")


def test_paper_has_the_lines_and_their_states_and_no_buttons(pages: dict[str, Path], opened: Opened, tmp_path: Path) -> None:
    page = show(opened, pages, "source", "#/pkg/mod.py")
    page.script("document.documentElement.dataset.theme = 'dark'")
    text = printed(page, tmp_path)
    rows = dict(re.findall(r"^ *(\d+) +([✓✗◐⊘·].*)$", text, re.MULTILINE))
    for number, line in enumerate(MODULE.split("\n")[:-1], 1):
        if line.isascii():  # text from right to left is in another order
            assert "".join(line.split())[:60] in "".join(rows[str(number)].split())
    assert rows[str(PARTIAL)].startswith("◐") and f"{PARTIAL}↛" in rows[str(PARTIAL)]
    assert "pkg/mod.py" in text and "✓ covered" in text
    assert not re.search(r"Go to file|Theme|Functions", text)
    with media(page.driver, media="print"):
        assert page.script("getComputedStyle(document.documentElement).colorScheme") == "light"


def test_paper_has_the_title_and_all_rows_of_the_table(pages: dict[str, Path], opened: Opened, tmp_path: Path) -> None:
    page = show(opened, pages, "source", "#functions")
    text = printed(page, tmp_path)
    assert text.lstrip().startswith(f"{pages['source'].parent.parent.name} coverage")
    for name in ("Shape.__init__", "Shape.area", "never", "raises", "last", "test_circle", "Total"):
        assert name in text
    assert not re.search(r"Go to file|Theme|Tree", text)


def test_a_narrow_window_holds_all_views(pages: dict[str, Path], opened: Opened) -> None:
    """Width of 400 pixels: nothing is wider than the window, headers can be read, and the list of functions is below the head of the file."""
    driver = opened(pages["source"]).driver
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False})  # type: ignore[no-untyped-call]
    try:
        for address in ("#tree", "#files", "#functions", "#contexts"):
            page = show(opened, pages, "source", address)
            assert page.script("document.documentElement.scrollWidth") <= 400
            cut = "Array.from(document.querySelectorAll('thead button')).filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth)"
            assert page.script(f"{cut}.map(one => one.innerText)") == []
        page = show(opened, pages, "source", "#/pkg/mod.py")
        page.press("f")
        page.wait(lambda: page.all(".outline li"))
        assert page.script("document.documentElement.scrollWidth") <= 400
        head, outline = page.one(".view-head").rect, page.one(".outline").rect
        assert outline["y"] >= head["y"] + head["height"] - 2 and outline["x"] + outline["width"] <= 400
        page.all(".outline a")[2].click()
        page.wait(lambda: not page.all(".outline"))
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})  # type: ignore[no-untyped-call]
