"""`qd-cov html`: one page with the numbers of coverage.py, for files of all kinds."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import coverage
import pytest
from coverage_commands import coverage_py
from html_page_data import index_of, numbers_of, sources_of
from html_pages import check_page

MODULE = '''"""Doc."""
import sys


def f(x):
    if x:
        y = [
            1,
            2,
        ]
    else:
        y = "</script><!-- & é"
    return y


def unused():
    return 1  # never


f(1)
if "never" in sys.argv:  # pragma: no cover
    unused()
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A measured script and a module, branch mode."""
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "mod <1> é.py").write_text(MODULE)
    (tmp_path / "full.py").write_text("x = 1\n")
    (tmp_path / "empty.py").write_text("")
    runner = "import runpy\nrunpy.run_path('pkg/mod <1> é.py')\nimport full, empty\n"
    (tmp_path / "run_all.py").write_text(runner)
    coverage_py(["run", "--branch", "run_all.py"], tmp_path, check=True)
    return tmp_path


def html(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run(["qd-cov", "html", *args], cwd=folder, capture_output=True, text=True)


def test_numbers_and_lines_are_those_of_coverage(project: Path) -> None:
    """The table row of each file and the state of each line."""
    done = html(project)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Wrote HTML report to htmlcov/index.html\n")
    page = (project / "htmlcov" / "index.html").read_text()
    check_page(page)
    coverage_py(["json", "-q"], project, check=True)
    wanted = json.loads((project / "coverage.json").read_text())
    sources = sources_of(page)
    assert set(sources) == set(wanted["files"])
    index = index_of(page)
    rows = {file[0]: numbers_of(file[2:]) for file in index["files"]}
    pairs = [(rows[path], file["summary"]) for path, file in wanted["files"].items()]
    for numbers, summary in [*pairs, (numbers_of(index["totals"]), wanted["totals"])]:
        names = ("num_statements", "missing_lines", "excluded_lines", "num_branches", "num_partial_branches", "missing_branches")
        assert list(numbers.values()) == [summary[name] for name in names]
    oracle = coverage.Coverage(data_file=str(project / ".coverage"))
    oracle.load()
    for path, file in wanted["files"].items():
        partial = {line for line, _ in file["missing_branches"]} - set(file["missing_lines"])
        source = sources[path]
        firsts = {**dict.fromkeys(file["executed_lines"], "c"), **dict.fromkeys(file["missing_lines"], "m"), **dict.fromkeys(partial, "p")}
        firsts.update(dict.fromkeys(file["excluded_lines"], "x"))
        for line, state in firsts.items():
            assert source["states"][line - 1] == state
        text = (project / path).read_text()
        assert source["text"] == text
        assert len(source["states"]) == len(text.splitlines())
        assert source["percent"] == file["summary"]["percent_covered_display"]
        missed = [[line, to] for line, _, _, edges in source.get("branches", []) for to, mask, *_ in edges if mask == 0]
        assert sorted(missed) == sorted(file["missing_branches"])
    states = sources["pkg/mod <1> é.py"]["states"]
    assert states[6:10] == "cCCC"  # a statement of several lines has one state
    assert states[5] == "p"
    static = re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)
    assert static and [re.sub("<.*?>", " ", row).split()[-1] for row in re.findall("<tr><td>.*", static[1])] == [
        summary["percent_covered_display"] + "%" if summary["num_statements"] else "–"
        for summary in [*(file["summary"] for file in wanted["files"].values()), wanted["totals"]]
    ]
    assert f"<strong>{wanted['totals']['percent_covered_display']}%</strong>" in page


def test_kernel_lines(project: Path) -> None:
    """Lines that ran in kernels are marked, alone or after a test's context."""
    data = coverage.CoverageData(str(project / ".coverage"))
    data.read()
    data.set_context("test_a|qd:cpu")
    data.add_arcs({str(project / "full.py"): [(-1, 1)]})
    data.write()
    assert html(project, "-d", "out", "-q").stdout == ""
    sources = sources_of((project / "out" / "index.html").read_text())
    assert (sources["full.py"]["origins"], sources["full.py"]["ran"]) == (["host", "cpu"], [[1, 1], [1, 1]])
    assert "origins" not in sources["run_all.py"]


def test_options(project: Path) -> None:
    """Titles are text; skipped files count in the total but are not listed."""
    done = html(project, "--title", "<b>T</b> & co", "--skip-covered", "--omit", "run_all.py", "--fail-under", "99")
    assert done.returncode == 2
    assert "Coverage failure: total of " in done.stdout
    page = (project / "htmlcov" / "index.html").read_text()
    check_page(page)
    assert "&lt;b&gt;T&lt;/b&gt; &amp; co" in page
    assert set(sources_of(page)) == {"pkg/mod <1> é.py"} and index_of(page)["skipped"] == [2, 0]


def title_of(folder: Path, *arguments: str) -> str:
    subprocess.run(["qd-cov", "html", "-q", *arguments], cwd=folder, check=True)
    page = (folder / "htmlcov/index.html").read_text()
    found = re.search(r"<title>(.*) – 100%</title>", page)
    assert found and re.search(r'<a class="home".*<span>(.*)</span></a></h1>', page)[1] == found[1]  # type: ignore[index]
    return found[1]


def test_the_title_is_that_of_the_project(tmp_path: Path) -> None:
    """The user's, else the name in pyproject.toml, else that of the folder."""
    folder = tmp_path / "a <folder>"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    coverage_py(["run", "a.py"], folder, check=True)
    assert title_of(folder) == "a &lt;folder&gt; coverage"
    (folder / "pyproject.toml").write_text('[tool.poetry]\nname = "lyrics"\n')
    assert title_of(folder) == "lyrics coverage"
    (folder / "pyproject.toml").write_text('[project]\nname = "fish & chips"\n')
    assert title_of(folder) == "fish &amp; chips coverage"
    (folder / ".coveragerc").write_text("[html]\ntitle = Ours\n")
    assert title_of(folder) == "Ours"
    assert title_of(folder, "--title=Theirs") == "Theirs"


def test_bad_input(project: Path) -> None:
    """One line, exit code 1, nothing written."""
    (project / "file").write_text("")
    done = html(project, "-d", "file/below")
    assert done.returncode == 1
    assert done.stdout.startswith("Couldn't write to 'file/below': ")
    assert done.stdout.count("\n") == 1
    (project / "full.py").unlink()
    done = html(project)
    assert (done.returncode, done.stdout) == (
        1,
        f"No source for code: '{project / 'full.py'}'; see https://coverage.readthedocs.io/en/latest/messages.html#error-no-source\n",
    )
    assert not (project / "htmlcov").exists()
    (project / ".coverage").unlink()
    done = html(project)
    assert (done.returncode, done.stdout) == (1, "No data to report.\n")
