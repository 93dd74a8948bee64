"""Conditions on the pages of `qd-cov html` and `qd-cov diff`, and in the other formats of `diff`."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from condition_project import CLIP, KERNELS, measure, qd_cov
from diff_repository import Repository
from gold_files import check_gold
from html_page_data import index_of, numbers_of, sources_of
from html_pages import check_page

# Two decisions change, one of them does not.
BASE = KERNELS.replace(" and low > 0.0", "").replace("9.0, ", "10.0, ")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Two kernels, one of them never compiled."""
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    return tmp_path


def page_of(folder: Path, *args: str) -> tuple[str, dict[str, Any]]:
    """The page and what it says of k.py."""
    done = qd_cov(folder, "html", "-q", *args)
    assert (done.returncode, done.stderr) == (0, "")
    page = (folder / "htmlcov" / "index.html").read_text()
    (file,) = sources_of(page).values()
    return page, file


class Panel(HTMLParser):
    """The button, and the tables of its pop-over as texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.button: dict[str, str | None] = {}
        self.pop: dict[str, str | None] = {}
        self.tables: list[list[list[str]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if tag == "button":
            self.button = dict(attrs)
        if "popover" in dict(attrs):
            self.pop = dict(attrs)
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data


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
    assert file["outcomes"] == "6/16"
    assert sorted(file["conditions"], key=int) == ["8", "9", "11", "17"]
    page, file = page_of(project)
    assert not index_of(page)["conditions"] and len(index_of(page)["totals"]) == 6
    bare = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert not re.search("condition|MC/DC|◇", bare, re.IGNORECASE)
    assert "conditions" not in file and "outcomes" not in file


def test_pop_over(project: Path) -> None:
    """What is said of each condition and of the ways in which the decision went."""
    chips = page_of(project, "--conditions")[1]["conditions"]
    panel = Panel(chips["8"])
    assert panel.button["popovertarget"] == panel.pop["id"] == "k.py:L8:C"
    assert panel.button["aria-label"] == "Conditions of line 8: 3 of 6 outcomes seen, 1 of 3 decide alone"
    assert (panel.pop["role"], panel.pop["aria-label"]) == ("dialog", "Conditions of line 8")
    wants = "✗ wants x[i] > top false, x[i] < low true, low > 0.0 true"
    assert panel.tables == [
        [
            ["Condition", "true", "false", "decides alone"],
            ["A x[i] > top", "✓ seen", "✓ seen", "✓ ways 1 and 2"],
            ["B x[i] < low", "✗ never", "✓ seen", wants],
            ["C low > 0.0", "✗ never", "✗ never", wants + "; and x[i] > top false, x[i] < low true, low > 0.0 false"],
        ],
        [["Way", "A", "B", "C", "outcome"], ["1", "F", "F", "–", "false"], ["2", "T", "–", "–", "true"]],
    ]
    assert "Not recorded: never compiled with conditions." in chips["17"]
    assert len(Panel(chips["17"]).tables) == 1
    (project / ".coverage").unlink()
    measure(project, measured=[(*CLIP[0][:4], {"a": ["T--:T", "FTT:T", "FTF:F", "FF-:F"]})])
    panel = Panel(page_of(project, "--conditions")[1]["conditions"]["8"])
    assert panel.button["class"] == "chip cond good"
    assert [row[-1] for row in panel.tables[0][1:]] == ["✓ ways 1 and 4", "✓ ways 1 and 3", "✓ ways 2 and 3"]


def test_source_text_is_escaped(project: Path) -> None:
    """Nothing of the source becomes markup, in the page or in what its script puts there."""
    text = KERNELS.replace("a > 0 and a < 10", "a > '</script><img src=x>' and a < 10")
    (project / "k.py").write_text(text)
    page, file = page_of(project, "--conditions")
    check_page(page)
    assert "<img" not in page and "<img" not in file["conditions"]["17"]
    assert "&lt;/script&gt;&lt;img src=x&gt;" in file["conditions"]["17"]


def test_damaged_letters_are_no_markup(project: Path) -> None:
    """What is neither T nor F in a data file counts as not evaluated."""
    (project / ".coverage").unlink()
    measure(project, measured=[(*CLIP[0][:4], {"a": ["T<>:T", "FF&:F"]})])
    panel = Panel(page_of(project, "--conditions")[1]["conditions"]["8"])
    assert panel.tables[1] == [["Way", "A", "B", "C", "outcome"], ["1", "F", "F", "–", "false"], ["2", "T", "–", "–", "true"]]


def test_large_and_literal(project: Path) -> None:
    """Decisions of more than six conditions have no MC/DC; literals have one outcome."""
    seven = " or ".join(f"a > {i}" for i in range(7))
    (project / "k.py").write_text(KERNELS.replace("a > 0 and a < 10", seven).replace("low > 0.0", "True"))
    (project / ".coverage").unlink()
    measure(project, measured=CLIP[1:])
    chips = page_of(project, "--conditions")[1]["conditions"]
    assert "More than 6 conditions: which of them decide alone is not analysed." in chips["17"]
    assert Panel(chips["8"]).tables[0][3] == ["C True", "always", "–", "–"]
    out = qd_cov(project, "report", "--conditions").stdout
    assert out.endswith("0 of 5 conditions shown to decide alone. 1 decision of more than 6 conditions is left out.\n"), out


def test_html_gate(project: Path) -> None:
    """The page is written, then the gate fails."""
    done = qd_cov(project, "html", "--fail-under-conditions", "99")
    assert (done.returncode, done.stdout) == (
        2,
        "Wrote HTML report to htmlcov/index.html\n"
        "Failure. Condition coverage is below 99%: it is 37.5%, and 10 of the 10 missing outcomes have to be seen to reach it.\n",
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
        "Failure. Condition coverage is below 50.1%: it is 50%, and 1 of the 5 missing outcomes has to be seen to reach it.\n",
    )
    assert report.out == repo.diff().out
    assert "ondition" not in report.out


def test_diff_gate_is_closed_without_data(repo: Repository) -> None:
    """Changed conditions that nobody recorded; a change of other lines passes."""
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
