"""Conditions on the pages of `qd-cov html` and `qd-cov diff`, and in the other formats of `diff`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from condition_project import CLIP, KERNELS, measure
from diff_repository import Repository
from gold_files import check_gold
from html_page_data import index_of, numbers_of, sources_of
from html_pages import check_page
from run_program import qd_cov

# Two decisions change, one of them does not.
BASE = KERNELS.replace(" and low > 0.0", "").replace("9.0, ", "10.0, ")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two kernels, one of them never compiled."""
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    return tmp_path


def page_of(folder: Path, *args: str) -> tuple[str, dict[str, Any]]:
    """The page, and its data of k.py."""
    done = qd_cov(folder, "html", "-q", *args)
    assert (done.returncode, done.stderr) == (0, "")
    page = (folder / "htmlcov" / "index.html").read_text()
    (file,) = sources_of(page).values()
    return page, file


def test_index(project: Path) -> None:
    """Columns, totals, legend and keys; without the option the page has none of it."""
    page, file = page_of(project, "--conditions")
    check_page(page)
    index = index_of(page)
    assert index["conditions"]
    for row in (index["files"][0][2:], index["totals"]):
        assert list(numbers_of(row).values())[6:] == [6, 16, 1, 8]
    assert "seen; 6 of 16 outcomes<" in page and "decide alone; 1 of 8 conditions<" in page
    assert "<b>◇</b>" in page
    assert sorted(file["conditions"], key=int) == ["8", "9", "11", "17"]
    page, file = page_of(project)
    assert not index_of(page)["conditions"] and len(numbers_of(index_of(page)["totals"])) == 6
    bare = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search("condition|MC/DC|◇", bare, re.IGNORECASE)
    assert "conditions" not in file


def test_pop_over(project: Path) -> None:
    """Texts for each condition, and for the ways in which the decision went."""
    lines = page_of(project, "--conditions")[1]["conditions"]
    assert lines["8"]["chip"] == ["part", 3, 6, "Conditions of line 8: 3 of 6 outcomes seen, 1 of 3 decide alone"]
    wants = "wants x[i] > top false, x[i] < low true, low > 0.0 true"
    (decision,) = lines["8"]["decisions"]
    assert decision == {
        "kind": "if",
        "text": "x[i] > top or x[i] < low and low > 0.0",
        "outcomes": [3, 6],
        "conditions": [
            ["x[i] > top", "s", "s", "s", "ways 1 and 2"],
            ["x[i] < low", "n", "s", "n", wants],
            ["low > 0.0", "n", "n", "n", wants + "; and x[i] > top false, x[i] < low true, low > 0.0 false"],
        ],
        "ways": [["FF-", "F"], ["T--", "T"]],
        "by": [2, 2],  # of the origins host and cpu
    }
    (never,) = lines["17"]["decisions"]
    assert never["note"] == "Not recorded: never compiled with conditions." and "ways" not in never
    (project / ".coverage").unlink()
    measure(project, measured=[(*CLIP[0][:4], {"a": ["T--:T", "FTT:T", "FTF:F", "FF-:F"]})])
    line = page_of(project, "--conditions")[1]["conditions"]["8"]
    assert line["chip"][0] == "good"
    shown = [condition[3:] for condition in line["decisions"][0]["conditions"]]
    assert shown == [["s", "ways 1 and 4"], ["s", "ways 1 and 3"], ["s", "ways 2 and 3"]]


def test_source_text_is_escaped(project: Path) -> None:
    """Nothing of the source can end the element that it stands in; the page's scripts make text of it, never markup."""
    text = KERNELS.replace("a > 0 and a < 10", "a > '</script><img src=x>' and a < 10")
    (project / "k.py").write_text(text)
    (project / ".coverage").touch()  # a source that is newer than the data would be noted
    page, file = page_of(project, "--conditions")
    check_page(page)
    assert "<img" not in page
    assert file["conditions"]["17"]["decisions"][0]["conditions"][0][0] == "a > '</script><img src=x>'"
    assert "innerHTML" not in page and "insertAdjacentHTML" not in page


def test_damaged_letters_are_no_markup(project: Path) -> None:
    """A letter of a data file other than T and F counts as not evaluated."""
    (project / ".coverage").unlink()
    measure(project, measured=[(*CLIP[0][:4], {"a": ["T<>:T", "FF&:F"]})])
    assert page_of(project, "--conditions")[1]["conditions"]["8"]["decisions"][0]["ways"] == [["FF-", "F"], ["T--", "T"]]


def test_large_and_literal(project: Path) -> None:
    """Decisions of more than six conditions have no MC/DC; literals have one outcome."""
    seven = " or ".join(f"a > {i}" for i in range(7))
    (project / "k.py").write_text(KERNELS.replace("a > 0 and a < 10", seven).replace("low > 0.0", "True"))
    (project / ".coverage").unlink()
    measure(project, measured=CLIP[1:])
    lines = page_of(project, "--conditions")[1]["conditions"]
    assert lines["17"]["decisions"][0]["note"].startswith("More than 6 conditions: MC/DC is not analysed.")
    assert lines["8"]["decisions"][0]["conditions"][2] == ["True", "a", "-", "-", ""]
    out = qd_cov(project, "report", "--conditions").stdout
    assert out.endswith("0 of 5 conditions shown to decide alone. 1 decision of more than 6 conditions is left out.\n"), out


def test_html_gate(project: Path) -> None:
    """The page is written, then the gate fails."""
    done = qd_cov(project, "html", "--fail-under-conditions", "99")
    assert (done.returncode, done.stderr, done.stdout) == (
        2,
        "Wrote HTML report to htmlcov/index.html\n",
        "Failure. Condition coverage is 37.5% < 99%: cover the 10 missing outcomes to pass.\n",
    )


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A change of two decisions; the same commits every time, ids included."""
    result = Repository(tmp_path / "repo")
    result.environment.update(GIT_AUTHOR_DATE="2026-01-02T03:04:05Z", GIT_COMMITTER_DATE="2026-01-02T03:04:05Z")
    result.write(".gitignore", ".coverage\n")
    result.write("k.py", BASE)
    result.commit("base")
    result.branch("work")
    result.write("k.py", KERNELS)
    result.commit("change")
    measure(result.folder)
    return result


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("terminal.txt", ["--fail-under-conditions", "60.5", "--fail-under-mcdc", "20"]),
        ("annotated.txt", ["--format", "annotated"]),
        ("markdown.md", ["--format", "markdown", "--fail-under-conditions", "60.5"]),
        ("summary.md", ["--format", "markdown-summary", "--fail-under-mcdc", "21"]),
        ("page.html", ["--format", "html:-", "--fail-under-conditions", "50", "--fail-under-mcdc", "21"]),
    ],
)
def test_diff(repo: Repository, name: str, arguments: list[str]) -> None:
    """Conditions of the changed lines in every format, as last looked at."""
    report = repo.diff("--conditions", *arguments)
    if name.endswith(".html"):
        check_page(report.out)
    check_gold("conditions", name, report.out + (f"[{report.err.strip()}] [exit code {report.code}]\n" if report.err else ""))


def test_diff_counts_changed_lines_only(repo: Repository) -> None:
    """5 of 10 outcomes; the gate alone shows nothing of them."""
    assert repo.diff("--fail-under-conditions", "50").code == 0
    report = repo.diff("--fail-under-conditions", "50.1")
    assert (report.code, report.err) == (
        2,
        "Failure. Condition coverage is 50% < 50.1%: cover 1 of the 5 missing outcomes to pass.\n",
    )
    assert report.out == repo.diff().out
    assert "ondition" not in report.out


def test_diff_gate_is_closed_without_data(repo: Repository) -> None:
    """Changed conditions without a record; a change of other lines passes."""
    (repo.folder / ".coverage").unlink()
    measure(repo.folder, measured=[])
    report = repo.diff("--fail-under-conditions", "0", "--conditions")
    assert report.code == 2
    assert report.err.startswith("Failure. No conditions were recorded: ")
    assert "\nNote: No conditions were recorded: " in report.out
    repo.git("checkout", "-q", "main")
    repo.write("k.py", BASE + "\n\nz = 1\n")
    report = repo.diff("--fail-under-conditions", "100", "--conditions")
    assert report.code == 0
    assert "Conditions: none in the changed lines\n" in report.out
