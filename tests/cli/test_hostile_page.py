"""Names, contexts, titles and sources that try to be markup or script: every view shows them as they are, and nothing of them runs."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from browser import Opened, Page
from coverage import CoverageData

EVIL = "<img src=x onerror=pwn()>"
SCRIPT = "</script><script>pwn()</script>"
FILE = f"q'\"{EVIL}&lt; ${{1}} %41.py"
FOLDER = f"d\"'{EVIL}"
CONTEXTS = [SCRIPT, f"\"'>{EVIL}", "two\nlines <!-- ", "javascript:pwn()", "__proto__", "</style>"]
FUNCTION = f"f<{EVIL}>::{SCRIPT.replace('/', ' ')}(int)"
TITLE = f"{SCRIPT} {EVIL} &amp;"
SOURCE = f"""class Evil:
    def method(self, x):
        if x:  # {SCRIPT} {EVIL}
            return '<!--<script>'
        return ']]>'


Evil().method(1)
"""
PLUS = f"// {SCRIPT}\nint f(int n) {{ return n ? 1 : 2; }}\n"
INFO = f"SF:a.cpp\nFN:2,2,{FUNCTION}\nFNDA:1,{FUNCTION}\nBRDA:2,0,{EVIL},1\nBRDA:2,0,{SCRIPT},0\nDA:2,1\nend_of_record\n"


@pytest.fixture(scope="module", params=["one file", "split"])
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / FOLDER).mkdir()
    (folder / FOLDER / FILE).write_text(SOURCE)
    (folder / "a.cpp").write_text(PLUS)
    (folder / "a.info").write_text(INFO)
    data = CoverageData(str(folder / ".coverage"))
    for context in CONTEXTS:
        data.set_context(context)
        data.add_arcs({str(folder / FOLDER / FILE): [(-1, 1), (1, 2), (2, -1), (1, 8), (8, -1), (-2, 3), (3, 4), (4, -2)]})
    data.write()
    data.close()
    (folder / "evil.css").write_text("body { color: inherit } /* </style><script>pwn()</script> */")
    (folder / ".coveragerc").write_text("[html]\nextra_css = evil.css\n")
    command = ["qd-cov", "html", "-q", "--show-contexts", "--title", TITLE, "--input=a.info"]
    subprocess.run(command + ["--split"] * (request.param == "split"), cwd=folder, check=True)
    return folder / "htmlcov/index.html"


def click(page: Page, selector: str) -> None:
    page.script("document.querySelector(arguments[0]).click()", selector)


def pop_over(page: Page, selector: str) -> None:
    page.wait(lambda: page.all(selector))
    click(page, selector)
    page.wait(lambda: page.all(".pop"))


def contexts(page: Page) -> None:
    page.press("w")
    pop_over(page, "#L1 .who")


def finder(page: Page) -> None:
    page.press("/")
    page.wait(lambda: page.all(".finder li"))


def nothing(page: Page) -> None:
    pass


PATH = f"{FOLDER}/{FILE}"
ADDRESS = "#/" + quote(PATH, safe="")
VIEWS: list[tuple[str, list[str], Callable[[Page], None]]] = [
    ("#tree", [FILE, f"{FOLDER}/"], nothing),
    ("#files", [FILE], nothing),
    ("#functions", [FILE, "Evil.method", FUNCTION], nothing),
    ("#classes", [FILE, "Evil"], nothing),
    ("#contexts", [EVIL, SCRIPT, "javascript:pwn()", "__proto__", "</style>"], nothing),
    ("#contexts/" + quote(SCRIPT, safe=""), [SCRIPT, PATH], nothing),
    ("#search/" + quote(EVIL, safe=""), [PATH, EVIL], lambda page: page.wait(lambda: page.all(".result"))),
    ("#/" + quote(EVIL, safe=""), [f"This report has no {EVIL}."], nothing),
    ("#tree", [PATH], finder),
    (ADDRESS, [PATH, f"# {SCRIPT} {EVIL}", "'<!--<script>'"], nothing),
    (ADDRESS + ":L3", [PATH], lambda page: pop_over(page, "#L3 .partly")),
    (ADDRESS, [SCRIPT, "__proto__"], contexts),
    ("#/a.cpp", [f"// {SCRIPT}"], lambda page: page.press("f")),
    ("#/a.cpp", [f"{EVIL} – taken 1 time", f"{SCRIPT} – never taken"], lambda page: pop_over(page, "#L2 .partly")),
]


def check_view(page: Page, texts: list[str], act: Callable[[Page], None]) -> None:
    page.wait(lambda: page.all("tbody tr:not(.space), .view .line, .result, .runs a, .note"))
    act(page)
    page.wait(lambda: all(text in page.script("document.body.textContent") for text in texts))
    assert TITLE in page.driver.title
    assert page.script("Array.from(document.querySelectorAll('img, iframe, object, [onerror], a[href^=javascript]'), one => one.outerHTML)") == []
    assert page.script("Array.from(document.scripts).filter(one => one.textContent.startsWith('pwn')).length") == 0


def test_nothing_of_it_is_markup(report: Path, opened: Opened) -> None:
    for address, texts, act in VIEWS:
        check_view(opened(report, address), texts, act)
