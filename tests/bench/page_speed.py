"""Speed of a report's page in headless Chromium: until its first rows are painted, scrolling, opening a file, finding, a line's contexts.

Usage: page_speed.py REPORT/index.html [FILE_IN_IT]. Prints medians of five; asserts nothing."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from browser import Page, chromium

TIMES = 5
# When the first frame with rows has been painted: two frames after they are there.
FIRST_ROWS = """
const look = new MutationObserver(() => {
  if (!document.querySelector('#rows tbody tr:not(.space)')) return;
  look.disconnect();
  window.rowsThere = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.firstRows = performance.now(); }));
});
look.observe(document, {childList: true, subtree: true});
"""
# Scrolls down fast, 150 pixels each frame (9,000 a second), 200 times; gives the times between frames.
SCROLL = """
const done = arguments[0], between = [];
let step = 0, last = 0;
const frame = now => {
  if (last) between.push(now - last);
  last = now;
  if (++step > 200) return done(between);
  scrollBy({top: 150, behavior: 'instant'});
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
# Time from an action to the frame that shows its result.
UNTIL = """
const begin = performance.now();
window.took = 0;
const look = () => requestAnimationFrame(SHOWS ? () => { window.took = performance.now() - begin; } : look);
ACTION;
look();
"""


def until(page: Page, action: str, shows: str) -> float:
    """Milliseconds until the result of `action` is on the screen."""
    page.driver.execute_script(UNTIL.replace("SHOWS", shows).replace("ACTION", action))  # type: ignore[no-untyped-call]
    page.wait(lambda: page.script("window.took"))
    result: float = page.script("window.took")
    return result


def show(what: str, values: list[float]) -> None:
    print(f"{what:<52} {statistics.median(values):8.1f} ms   ({min(values):.1f} to {max(values):.1f})")


def main() -> None:
    path = Path(sys.argv[1])
    with chromium() as driver:
        driver.set_script_timeout(120)
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": FIRST_ROWS})  # type: ignore[no-untyped-call]
        first: list[float] = []
        there: list[float] = []
        for _ in range(TIMES):
            page = Page(driver, path, "#files")
            page.wait(lambda page=page: page.script("window.firstRows"))
            first.append(page.script("window.firstRows"))
            there.append(page.script("window.rowsThere"))
        show("navigation to first rows in the document", there)
        show("the same in this browser's first page", there[:1])
        show("navigation to first rows painted", first)
        for view in ("files", "functions"):
            medians, worst = [], []
            for _ in range(TIMES):
                page = Page(driver, path, "#" + view)
                page.wait(lambda page=page: page.all("#rows tbody tr:not(.space)"))
                between: list[float] = driver.execute_async_script(SCROLL)  # type: ignore[no-untyped-call]
                medians.append(statistics.median(between))
                worst.append(sorted(between)[int(len(between) * 0.95)])
            show(f"{view}: median frame while scrolling", medians)
            show(f"{view}: 95 of 100 frames are shorter than", worst)
        files = page.script("store.files.map(file => file.path)")
        name = sys.argv[2] if len(sys.argv) > 2 else files[len(files) // 2]
        opening, finding, searching, contexts, one = [], [], [], [], []
        for _ in range(TIMES):
            page = Page(driver, path, "#files")
            page.wait(lambda page=page: page.all("#rows tbody tr:not(.space)"))
            typed = "finder.open(); const text = document.querySelector('.finder input'); text.value = 'sta'; text.dispatchEvent(new Event('input'))"
            finding.append(until(page, typed, "document.querySelector('.finder li mark')"))
            page.script("document.querySelector('.finder').close()")
            opening.append(until(page, f"location.hash = page.hashOf({name!r})", "document.querySelector('.view .line')"))
            if page.script("store.settings.contexts"):
                contexts.append(until(page, "document.querySelector('.tests').click()", "document.querySelector('.who')"))
                one.append(until(page, "document.querySelector('.who').click()", "document.querySelector('.pop li')"))
            ended = "/lines in/.test(document.getElementById('search-count')?.textContent)"
            searching.append(until(page, "location.hash = '#search/timeout'", ended))
        show("finder: three letters", finding)
        show("a file, from its link to its lines", opening)
        show("search in all sources, to the end", searching)
        if contexts:
            show("w: contexts of each line of a file", contexts)
            show("the contexts of one line", one)


if __name__ == "__main__":
    main()
