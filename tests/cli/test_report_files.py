"""Files of `qd-cov html`: one page or a folder of parts, written again only when they changed, for any names of sources."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import time
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from browser import Opened
from coverage import CoverageData
from coverage_commands import coverage_py
from html_page_data import index_of, sources_of
from html_pages import check_page
from page_project import measure
from selenium.webdriver.common.keys import Keys


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    measure(folder)
    return folder


@pytest.fixture
def project(measured: Path, tmp_path: Path) -> Path:
    """The measured project, to change: with relative paths, so that a copy will do."""
    folder = tmp_path / "project"
    shutil.copytree(measured, folder)
    with sqlite3.connect(folder / ".coverage") as data:
        data.execute("update file set path = replace(path, ?, ?)", (str(measured), str(folder)))
    return folder


def html(folder: Path, *args: str) -> str:
    done = subprocess.run(["qd-cov", "html", *args], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def times(folder: Path) -> dict[str, int]:
    """Time of writing of each file below a folder, by name."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def age(folder: Path) -> None:
    """Makes all files old, so that files written again can be seen."""
    for path in folder.rglob("*"):
        os.utime(path, ns=(10**18, 10**18))


def test_a_folder_works_from_files_as_the_page_does(project: Path, opened: Opened) -> None:
    html(project, "--split")
    text = (project / "htmlcov" / "index.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy and "unsafe" not in policy[1] and "'strict-dynamic'" in policy[1] and 'type="text/plain"' not in text
    page = opened(project / "htmlcov" / "index.html", "#/shop/geometry/shapes.py:L7")
    page.wait(lambda: "class Square(Shape):" in page.one("#source").text)
    page.script("location.hash = '#functions'")
    page.wait(lambda: page.all("#rows .region"))
    page.script("location.hash = '#search/needle'")
    page.wait(lambda: page.one("#search-count").text == "1 line in 1 file")
    assert page.script("document.querySelectorAll('script[src]').length") == 0  # used and gone
    page.screenshot("report-split")


def test_a_page_without_its_folder_says_so(project: Path, opened: Opened) -> None:
    html(project, "--split")
    shutil.rmtree(project / "htmlcov" / "data")
    page = opened(project / "htmlcov" / "index.html", "#/shop/full.py")
    page.wait(lambda: page.all(".note"))
    assert page.one(".note").text == "The source of shop/full.py is not there: the folder data belongs beside this page."
    assert page.all("#rows tbody tr")
    page.script("location.hash = '#search/needle'")
    page.wait(lambda: page.all("#search-count") and page.one("#search-count").text == "Nothing found.")
    page.script("location.hash = '#functions'")
    page.wait(lambda: "There are no functions." in page.one("#index").text)
    assert all("net::ERR_FILE_NOT_FOUND" in problem for problem in page.problems())


def test_only_parts_that_changed_are_written(project: Path) -> None:
    html(project, "--split")
    folder = project / "htmlcov"
    first = times(folder)
    assert (folder / ".gitignore").read_text() == "# Created by qd-cov\n*\n"
    html(project, "--split")
    assert times(folder) == first
    (folder / ".qd-cov-status").unlink()
    age(folder)
    html(project, "--split")
    assert {name for name, when in times(folder).items() if when != 10**18} == {".qd-cov-status"}
    age(folder)
    shapes = project / "shop" / "geometry" / "shapes.py"
    shapes.write_text(shapes.read_text() + "# more\n")
    html(project, "--split")
    now = times(folder)
    written = {name for name, when in now.items() if when != 10**18}
    assert {re.sub("-[0-9a-f]{16}", "", name) for name in written} == {".qd-cov-status", "index.html", "data/shapes_py.js"}
    assert len(now) == len(first) and len(set(first) - set(now)) == 1  # the old part is gone


@pytest.mark.parametrize("options", [[], ["--split"]])
def test_a_report_of_the_same_is_not_made_again(project: Path, options: list[str]) -> None:
    """Until anything it was made of, or the report itself, is changed."""
    folder = project / "htmlcov"
    page = folder / "index.html"
    said = html(project, *options)
    assert said == "Wrote HTML report to htmlcov/index.html\n"

    def made_again(*args: str) -> bool:
        os.utime(folder / ".qd-cov-status", ns=(10**18, 10**18))
        assert html(project, *options, *args).endswith(said)
        return (folder / ".qd-cov-status").stat().st_mtime_ns != 10**18

    assert not made_again()
    assert subprocess.run(["qd-cov", "html", *options, "--fail-under=99"], cwd=project, capture_output=True, text=True).returncode == 2
    html(project, *options)
    assert made_again("--title=Other") and "Other" in page.read_text() and not made_again("--title=Other")
    assert made_again() and made_again("--precision=2") and made_again("--omit=*/math.py") and made_again("--skip-covered") and made_again()
    source = project / "shop" / "full.py"
    facts = source.stat()
    source.write_text("a = 1\nb = 3\n")  # as long, and as old
    os.utime(source, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert made_again() and not made_again()
    data = CoverageData(str(project / ".coverage"))
    data.read()
    data.add_arcs({str(project / "shop" / "unused.py"): [(-1, 1), (1, 5)]})
    data.write()
    assert made_again() and not made_again()
    page.write_text(page.read_text() + " ")
    assert made_again() and not page.read_text().endswith(" ")
    page.unlink()
    assert made_again() and page.exists()
    if options:
        next(iter((folder / "data").iterdir())).unlink()
        assert made_again()
    status = folder / ".qd-cov-status"
    status.write_bytes(status.read_bytes()[:-40])
    assert made_again()
    source.unlink()
    done = subprocess.run(["qd-cov", "html", *options], cwd=project, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (
        1,
        f"No source for code: '{source}'; see https://coverage.readthedocs.io/en/latest/messages.html#error-no-source\n",
    )


def test_options_of_the_configuration(project: Path, opened: Opened) -> None:
    """[html] directory, title, extra_css, show_contexts, skip_covered, skip_empty."""
    (project / "extra.css").write_text("body { outline: 7px solid red } i::after { content: '</style><script>window.bad = 1</script>' }")
    settings = "[html]\ndirectory = out\ntitle = A <i>title</i>\nextra_css = extra.css\n"
    with (project / ".coveragerc").open("a") as file:
        file.write(settings + "show_contexts = true\nskip_covered = true\nskip_empty = true\n")
    assert html(project) == "Wrote HTML report to out/index.html\n"
    text = (project / "out" / "index.html").read_text()
    check_page(text)
    index = index_of(text)
    assert (index["title"], index["contexts"], index["skipped"]) == ("A <i>title</i>", True, [6, 0])
    page = opened(project / "out" / "index.html", "#files")
    assert page.script("getComputedStyle(document.body).outlineWidth") == "7px"
    assert page.script("window.bad") is None
    assert page.one("h1").text.endswith("A <i>title</i>")
    assert page.one(".skipped").text == "6 files skipped due to complete coverage."


def test_style_sheets_of_any_length(project: Path) -> None:
    """The policy has the right hash: lengths around those of the blocks of SHA-256."""
    (project / ".coveragerc").write_text("[html]\nextra_css = extra.css\n")
    for length in (1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000):
        (project / "extra.css").write_text("é" + "x" * (length - 2) if length > 2 else "x" * length)
        html(project, "-q")
        check_page((project / "htmlcov" / "index.html").read_text())


def test_contexts_that_were_not_measured(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({str(tmp_path / "a.py"): [1]})
    data.write()
    done = subprocess.run(["qd-cov", "html", "--show-contexts"], cwd=tmp_path, capture_output=True, text=True)
    stock = coverage_py(["html", "--show-contexts", "-d", "stock"], tmp_path)
    assert "No contexts were measured" in done.stderr and "No contexts were measured" in stock.stderr
    assert done.returncode == stock.returncode == 0


HOSTILE = [
    b"a</script><script>window.bad=1</script>.py",
    b"q\"uo'te`s.py",
    b"new\nline.py",
    b"per%2Fcent%.py",
    b"per%41.py",
    b"hash#and?query&amp;.py",
    b"ends:L5",
    b"ends:L5.py:L7",
    "bidi\u202eyp.exe.py".encode(),
    b"back\\slash.py",
    b" blank .py",
    b"<!--.py",
    b"__proto__",
]


@pytest.mark.parametrize("options", [[], ["--split"]])
def test_hostile_names(tmp_path: Path, opened: Opened, options: list[str]) -> None:
    """Every file can be opened from the table, and none of the names, nor of the contexts, is more than text."""
    context = "</script><img src=x onerror=window.bad=1> '\"\n\x07"
    with_context = CoverageData(str(tmp_path / ".coverage"))
    with_context.set_context(context)
    with_context.add_lines({f"{tmp_path}/file-{i}": [1] for i in range(len(HOSTILE))})
    with_context.write()
    with sqlite3.connect(tmp_path / ".coverage") as data:
        for i, name in enumerate(HOSTILE):
            path = os.fsencode(tmp_path) + b"/" + name
            Path(os.fsdecode(path)).parent.mkdir(exist_ok=True, parents=True)
            Path(os.fsdecode(path)).write_text(f"number = {i}\n")
            data.execute("update file set path = cast(? as text) where path = ?", (path, f"{tmp_path}/file-{i}"))
    html(tmp_path, "-q", "--show-contexts", "--title=</title><script>window.bad=1</script>", *options)
    text = (tmp_path / "htmlcov" / "index.html").read_text()  # valid UTF-8
    if not options:
        check_page(text)
        assert len(sources_of(text)) == len(HOSTILE)
    page = opened(tmp_path / "htmlcov" / "index.html", "#files")
    links = page.script("[...document.querySelectorAll('#rows tbody a')].map(link => link.hash)")
    assert len(set(links)) == len(HOSTILE)
    seen = set()
    for link in links:
        page.driver.execute_script("location.hash = arguments[0]", link)  # type: ignore[no-untyped-call]
        page.wait(lambda: re.search(r"number = (\d+)", page.one("#source").text))
        found = re.search(r"number = (\d+)", page.one("#source").text)
        assert found
        seen.add(int(found[1]))
        page.script("location.hash = '#files'")
        page.wait(lambda: page.all("#rows"))
    assert seen == set(range(len(HOSTILE)))
    page.press("/")
    page.press("script")
    assert page.all("#finder [role=option]")[0].text.startswith("a</script>")
    page.driver.back()
    page.script("location.hash = '#contexts'")
    page.wait(lambda: page.all("#contexts-table tbody a"))
    assert "onerror" in page.one("#contexts-table tbody a").text
    assert page.script("window.bad") is None and page.script("document.images.length") == 0


def test_the_policy_keeps_other_scripts_out(project: Path, opened: Opened, driver: object) -> None:
    html(project)
    page = opened(project / "htmlcov" / "index.html", "#files")
    page.driver.execute_script("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.bad = 1\">')")  # type: ignore[no-untyped-call]
    page.wait(lambda: any("Content Security Policy" in problem for problem in page.problems()))
    assert page.script("window.bad") is None


def test_many_files(tmp_path: Path, opened: Opened) -> None:
    """2,000 files and 22,000 functions: few rows are in the document, and the last ones are there when one scrolls to them."""
    body = "".join(f"def function_{i}(x):\n    if x:\n        return {i}\n    return x\n\n\n" for i in range(10))
    lines: dict[str, list[tuple[int, int]]] = {}
    for i in range(2000):
        path = tmp_path / f"package_{i // 100:02}" / f"module_{i:04}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"number = {i}\n\n\n{body}")
        lines[str(path)] = [(-1, 1), *((1 if n == 0 else 6 * n - 2, 6 * n + 4) for n in range(10)), (58, -1)]
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_arcs(lines)
    data.write()
    html(tmp_path, "-q")
    size = (tmp_path / "htmlcov" / "index.html").stat().st_size
    start = time.perf_counter()
    page = opened(tmp_path / "htmlcov" / "index.html", "#files")
    page.wait(lambda: page.all("#rows tbody a"))
    elapsed = time.perf_counter() - start
    timing = page.script("performance.getEntriesByType('paint').find(entry => entry.name === 'first-contentful-paint')?.startTime")
    print(f"2,000 files, {size / 1e6:.1f} MB: first paint after {timing:.0f} ms, open after {elapsed * 1000:.0f} ms of the driver")
    for view, last, count in (("files", "module_1999.py", "2,000 files"), ("functions", "module_1999.py", "22,000 functions")):
        page.script(f"location.hash = '#{view}'")
        page.wait(lambda count=count: page.one("#filter-count").text == count)
        page.press(Keys.ARROW_DOWN)
        page.press(Keys.END)
        page.wait(lambda last=last: page.script("document.activeElement.innerText").find(last) >= 0)
        assert len(page.driver.find_elements("css selector", "#rows tbody tr")) < 150
        assert page.script("document.activeElement.getBoundingClientRect().bottom <= innerHeight")
        page.screenshot(f"report-many-{view}")
        left = page.script("scrollY")
        assert left > 50_000
        page.press(Keys.ENTER)
        page.wait(lambda: page.script("location.hash").startswith("#/package_19/module_1999.py"))
        page.wait(lambda: page.all("#source *"))
        page.driver.back()
        page.wait(lambda: page.all("#rows"))
        page.wait(lambda left=left: page.script("scrollY") == left)
    page.press("/")
    page.press("p07m0777")
    assert page.all("#finder [role=option]")[0].text.startswith("package_07/module_0777.py")


@pytest.mark.parametrize("kind", ["archive of sources", "report of another tool", "log beside the data"])
def test_a_report_of_more_than_data_and_sources(tmp_path: Path, kind: str) -> None:
    """It is made again when that is another one."""
    idle = "x = 1\nif x > 1:\n    y = 2\n    z = 3\n"
    (tmp_path / "idle.py").write_text(idle)
    (tmp_path / "m.py").write_text("x = 1\n")
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({str(tmp_path / ("lib.zip/m.py" if kind == "archive of sources" else "m.py")): [1]})
    data.write()

    def archive(source: str) -> None:
        with zipfile.ZipFile(tmp_path / "lib.zip", "w") as file:
            file.writestr("m.py", source)

    def gate(*args: str) -> int:
        done = subprocess.run(["qd-cov", "html", "--fail-under=90", *args], cwd=tmp_path, capture_output=True, text=True)
        assert done.stderr == "Wrote HTML report to htmlcov/index.html\n"
        return done.returncode

    if kind == "archive of sources":
        archive("x = 1\n")
        assert gate() == 0
        archive(idle)
        assert gate() == 2
    elif kind == "report of another tool":
        (tmp_path / "m.c").write_text("int a;\n")
        for hits, code in ((1, 0), (0, 2)):
            (tmp_path / "x.info").write_text(f"SF:m.c\nDA:1,{hits}\nend_of_record\n")
            assert gate("--input=x.info") == code
    else:
        with closing(sqlite3.connect(tmp_path / ".coverage")) as log:
            log.executescript("PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0; INSERT INTO context VALUES (9, 'one');")
            assert gate() == 0
            log.execute("INSERT INTO file VALUES (9, ?)", (str(tmp_path / "idle.py"),))
            log.commit()
            assert gate() == 2
