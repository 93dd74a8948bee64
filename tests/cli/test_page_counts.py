"""Hits of lines: a column of files whose input has counts; and the facts below the title of a report."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from browser import Opened, Page
from coverage_commands import coverage_py
from run_program import qd_cov

SOURCE = "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i)\n    s += i;\n  if (s < 0) return 1;\n  return s;\n}\n"
COUNTS = {1: 1, 2: 1, 3: 1234568, 4: 1234567, 5: 0, 6: 1}


def report(folder: Path, opened: Opened) -> Page:
    """The page of an LCOV file."""
    (folder / "f.c").write_text(SOURCE)
    lines = "".join(f"DA:{line},{n}\n" for line, n in COUNTS.items())
    (folder / "in.info").write_text(f"SF:{folder}/f.c\n{lines}end_of_record\n")
    assert qd_cov(folder, "html", "-q", "--input=in.info").returncode == 0
    page = opened(folder / "htmlcov/index.html", "#/f.c")
    page.wait(lambda: page.all(".view .line"))
    return page


def test_counts_are_a_column(tmp_path: Path, opened: Opened) -> None:
    """Shown with `h` or the button, and kept; short for the eye, exact by name; more is darker, none is not tinted."""
    page = report(tmp_path, opened)
    assert not page.all(".line .count")
    page.press("h")
    page.screenshot("counts")
    found = dict(page.each(".line .count span", "[Number(one.closest('.line').id.slice(1)), one.getAttribute('aria-label')]"))
    assert found == {line: f"ran {n:,} time" + ("" if n == 1 else "s") for line, n in COUNTS.items()}
    assert page.one("#L3 .count").text == "1.23M"
    heat = [int(page.script(f"document.querySelector('#L{line} .count').style.getPropertyValue('--heat')").rstrip("%") or 0) for line in (5, 1, 4, 3)]
    assert heat == sorted(heat) and heat[0] == 0 < heat[1] < heat[2] <= heat[3] == 50
    assert page.one("button.counts").get_attribute("aria-pressed") == "true"
    left = page.script("document.querySelector('#L3 .c').getBoundingClientRect().left")
    gutter = page.script("document.querySelector('.view-code').getBoundingClientRect().left")
    assert left - gutter > 64  # code stands beside the counts, not below them
    page.driver.refresh()
    page.wait(lambda: page.all(".line .count"))
    page.one("button.counts").click()
    assert not page.all(".line .count")


def test_python_without_counts_has_no_column(source_project: Path, opened: Opened) -> None:
    page = opened(source_project / "htmlcov/index.html", "#/pkg/mod.py")
    page.wait(lambda: page.all(".view .line"))
    page.press("h")
    assert not page.driver.find_elements("css selector", ".count") and not page.all("button.counts")


def test_facts_below_the_title(tmp_path: Path, opened: Opened) -> None:
    """Project, commit, branch, the date of the data, the measured command; and once the folders that all files have in common."""
    folder = tmp_path / "the <project>"
    (folder / "src/pkg/deep").mkdir(parents=True)
    names = ["src/pkg/a.py", "src/pkg/deep/b.py"]
    for name in names:
        (folder / name).write_text("x = 1\n")
    (folder / "main.py").write_text("".join(f"import runpy; runpy.run_path({name!r})\n" for name in names))
    coverage_py(["run", "--branch", "--source=src", "main.py"], folder, check=True)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder)]
    for command in (["init", "-q", "-b", "topic/<b>"], ["add", "src"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout
    assert qd_cov(folder, "html", "-q").returncode == 0
    page = opened(folder / "htmlcov/index.html", "#files")
    page.wait(lambda: page.all("#rows tbody tr:not(.space)"))
    facts = page.each("#about li", "one.textContent")
    written = time.strftime("data from %Y-%m-%d %H:%M %z", time.localtime((folder / ".coverage").stat().st_mtime))
    assert page.one(".home").text == "the <project> coverage" and facts[1:] == ["branch topic/<b>", written, "files in src/pkg/"]
    assert commit.startswith(facts[0].removeprefix("commit "))
    assert page.each("#rows tbody a", "one.textContent") == ["a.py", "deep/b.py"]
    assert page.each("#rows tbody td.name", "one.title") == names
    page.fill("#filter", "src/pkg/deep")
    assert page.each("#rows tbody a", "one.textContent") == ["deep/b.py"]
    # The page is made again for another commit.
    (folder / "new").write_text("")
    for command in (["add", "new"], ["commit", "-qm", "y"]):
        subprocess.run([*git, *command], check=True)
    assert qd_cov(folder, "html", "-q").returncode == 0
    assert facts[1] not in (folder / "htmlcov/index.html").read_text()
