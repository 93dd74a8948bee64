"""`qd-cov trend` and the line that `qd-cov html --trend` shows: exact counts, a file that loses nothing, bad lines, sizes of drawings."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from browser import Opened
from diff_repository import TEN, Repository
from html_pages import check_page

COMMIT = "{:040x}"


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A commit with 6 of 10 lines covered."""
    result = Repository(tmp_path / "repo")
    result.write(".gitignore", ".coverage\nhtmlcov\n")
    result.write("a.py", TEN)
    result.commit()
    result.measure({"a.py": [1, 2, 3, 4, 5, 6]})
    return result


def run(repo: Repository, *words: str, code: int = 0, **environment: str) -> str:
    """The output of qd-cov, standard error with it."""
    done = subprocess.run(
        ["qd-cov", *words], cwd=repo.folder, env={**repo.environment, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == code, done.stdout
    return done.stdout


def line(commit: int, covered: int, *, day: int = 1, branch: str = "main", **more: Any) -> str:
    """A line of a file."""
    point = {"format": 1, "time": f"2026-11-{day:02}T03:04:05Z", "commit": COMMIT.format(commit), "branch": branch}
    return json.dumps(point | {"statements": {"covered": covered, "total": 1000}} | more) + "\n"


def test_a_line_for_a_commit(repo: Repository) -> None:
    """Counts are coverage.py's; the same commit with the same numbers adds nothing, other numbers take its place and destroy nothing."""
    head = repo.git("rev-parse", "HEAD").strip()
    assert run(repo, "trend", "--append") == f"Added commit {head[:10]} to coverage-trend.jsonl: 60%\n"
    file = repo.folder / "coverage-trend.jsonl"
    before = file.read_text()
    point = json.loads(before)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", point.pop("time"))
    totals = {"covered": 6, "total": 10}
    assert point == {"format": 1, "commit": head, "branch": "main", "dirty": False, "files": 1, "statements": totals}
    # The file itself, which may be tracked, makes no tree dirty.
    repo.commit()
    head = repo.git("rev-parse", "HEAD").strip()
    run(repo, "trend", "--append")
    assert run(repo, "trend", "--append") == f"Nothing new of commit {head[:10]} for coverage-trend.jsonl: 60%\n"
    two = file.read_text()
    repo.measure({"a.py": [1]})
    assert run(repo, "trend", "--append") == f"Replaced commit {head[:10]} in coverage-trend.jsonl: 10%\n"
    assert file.read_text().startswith(two) and two.startswith(before)
    points = json.loads(run(repo, "trend", "--format=json"))
    assert [(one["percent_covered"], one["dirty"]) for one in points] == [(60.0, False), (10.0, False)]
    repo.write("a.py", TEN + "more = 1\n")
    run(repo, "trend", "--append")
    assert json.loads(file.read_text().splitlines()[-1])["dirty"] is True


def test_branches_and_configuration(repo: Repository) -> None:
    """The same counts as coverage.py's."""
    repo.write("a.py", "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n\n\nf(1)\n")
    repo.write("qd-cov.toml", 'trend = "kept/trend.jsonl"\n')
    (repo.folder / "kept").mkdir()
    repo.measure_arcs({"a.py": [(-1, 1), (1, 9), (9, -1), (-1, 2), (2, 3), (3, 6), (6, -1)]})
    run(repo, "trend", "--append")
    point = json.loads((repo.folder / "kept/trend.jsonl").read_text())
    command = [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"]
    totals = json.loads(subprocess.run(command, cwd=repo.folder, env=repo.environment, capture_output=True, text=True).stdout)["totals"]
    assert point["statements"] == {"covered": totals["covered_lines"], "total": totals["num_statements"]}
    assert point["branches"] == {"covered": totals["covered_branches"], "total": totals["num_branches"]}
    assert json.loads(run(repo, "trend", "--format=json"))[0]["percent_covered"] == totals["percent_covered"]


def test_many_at_once(repo: Repository) -> None:
    """Outside of git each adds a line; of one commit there is one."""
    folder = repo.folder.parent / "plain"
    folder.mkdir()
    data = f"--data-file={repo.folder / '.coverage'}"

    def eight(where: Path) -> list[str]:
        command = ["qd-cov", "trend", "--append", data, "--file=../trend.jsonl"]
        running = [subprocess.Popen(command, cwd=where, env=repo.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(8)]
        assert [one.wait() for one in running] == [0] * 8
        return (repo.folder.parent / "trend.jsonl").read_text().splitlines()

    points = [json.loads(text) for text in eight(folder)]
    assert [point["commit"] for point in points] == [""] * 8
    assert len(eight(repo.folder)) == 9
    assert (
        "No commit is recorded: Not a git repository"
        in subprocess.run(
            ["qd-cov", "trend", "--append", data, "--file=../trend.jsonl"], cwd=folder, env=repo.environment, capture_output=True, text=True
        ).stderr
    )


def test_who_comes_second_waits(repo: Repository) -> None:
    """The second process waits, and knows then what the first one said."""
    run(repo, "trend", "--append", "--file=t.jsonl")
    said = (repo.folder / "t.jsonl").read_text()
    with (repo.folder / "t.jsonl").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        command = ["qd-cov", "trend", "--append", "--file=t.jsonl"]
        second = subprocess.Popen(command, cwd=repo.folder, env=repo.environment, stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 5  # for systems whose /proc/locks does not show waiting processes
        while second.poll() is None and not re.search(rf"-> FLOCK .* {second.pid} ", Path("/proc/locks").read_text()) and time.monotonic() < deadline:
            time.sleep(0.01)
        file.write(said)
    assert "Nothing new of commit" in second.communicate()[0]
    assert (repo.folder / "t.jsonl").read_text() == said


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("not json", "it is no JSON object"),
        ('{"format": 1, "time": "2026', "it is no JSON object"),
        ("[]", "it is no JSON object"),
        ("{}", "'format' is missing"),
        (line(3, 5, time="now").strip(), "'time' is no time like 2026-11-22T03:04:05Z"),
        (line(3, 1001).strip(), "more statements are covered than there are"),
        (line(3, 5, branches={"covered": -1, "total": 3}).strip(), "'covered' of 'branches' is no count"),
        (line(3, 5, branches=3).strip(), "there is no object around 'covered'"),
    ],
)
def test_bad_lines(repo: Repository, bad: str, why: str) -> None:
    """Named by their number; no program adds to such a file, and nothing of it goes."""
    text = line(1, 5) + "\n" + bad
    repo.write("t.jsonl", text)
    message = f"Couldn't read 't.jsonl' as a trend file: line 3: {why}\n"
    assert run(repo, "trend", "--file=t.jsonl", code=1) == message
    assert run(repo, "trend", "--append", "--file=t.jsonl", code=1) == message
    assert run(repo, "html", "--trend=t.jsonl", code=1) == message
    assert (repo.folder / "t.jsonl").read_text() == text


def test_lines_of_later_versions(repo: Repository) -> None:
    """Lines of later versions stay, and are not shown; a last line without an end gets one."""
    later = '{"format": 2, "other": [1]}'
    repo.write("t.jsonl", line(1, 500) + later)
    assert "CoverageWarning: 1 line of 't.jsonl' is of a later version of qd-cov, and not shown.\n" in run(repo, "trend", "--file=t.jsonl")
    run(repo, "trend", "--append", "--file=t.jsonl")
    assert (repo.folder / "t.jsonl").read_text().startswith(line(1, 500) + later + "\n{")


def test_other_complaints(repo: Repository) -> None:
    assert run(repo, "trend", code=1) == "No trend to draw: there is no 'coverage-trend.jsonl'; 'qd-cov trend --append' begins one.\n"
    assert run(repo, "trend", "--append", "--file=no/such/t.jsonl", code=1) == "Couldn't write 'no/such/t.jsonl': No such file or directory\n"
    repo.write("t.jsonl", "")
    assert run(repo, "trend", "--file=t.jsonl") == "No commits in the trend yet.\n"
    assert run(repo, "trend", "--last=-1", code=1).startswith("option --last: '-1' is no number of commits\n")
    assert run(repo, "trend", "--format=xml", code=1).startswith("option --format: 'xml' is neither 'text' nor 'json'\n")


POINTS = line(1, 700, day=1) + line(2, 700, day=2) + line(3, 800, day=3, branch="wörk\x1b[31m<b>") + line(4, 750, day=4)


def test_the_chart(repo: Repository) -> None:
    """Each commit has its part of the width; labels stand where their percentages are."""
    repo.write("t.jsonl", POINTS)
    rows = run(repo, "trend", "--file=t.jsonl", "--last=2").splitlines()
    assert rows[0] == "Coverage of 4 commits: 75% (+5 since the first)"
    labels = {row[:4].strip(): i for i, row in enumerate(rows) if re.match(r" *\d+% ┤", row)}
    assert list(labels) == ["80%", "78%", "76%", "74%", "72%", "70%"]
    assert re.search(r"╭─{17,18}╮", rows[labels["80%"]]) and re.search(r"─{36,37}╯$", rows[labels["70%"]])
    assert rows[-3:] == [
        "Time (UTC)        Commit      Branch        Coverage   Change  Covered",
        "2026-11-03 03:04  0000000000  wörk␛[31m<b>       80%      +10  800 of 1000",
        "2026-11-04 03:04  0000000000  main               75%       -5  750 of 1000",
    ]
    plain = run(repo, "trend", "--file=t.jsonl", "--last=1", LC_ALL="C")
    assert plain.isascii() and "|-----" in plain
    assert run(repo, "trend", "--file=t.jsonl", "--last=1", "--ascii", LC_ALL="C.UTF-8") == plain
    assert run(repo, "trend", "--file=t.jsonl", "--branch=main").startswith("Coverage of 3 commits: ")


@pytest.mark.parametrize("width", [40, 97])
@pytest.mark.parametrize("n", [1, 2, 500])
def test_the_chart_fits(repo: Repository, width: int, n: int) -> None:
    """Chart in a terminal of that many columns, with colours."""
    repo.write("t.jsonl", "".join(line(i, 500 + i * 7 % 400, day=1 + i % 28) for i in range(n)))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {**repo.environment, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    running = subprocess.Popen(["qd-cov", "trend", "--file=t.jsonl", "--last=0"], cwd=repo.folder, env=environment, stdout=theirs)
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 4096):
            text += piece
    except OSError:  # the other end is closed
        pass
    assert running.wait() == 0
    shown = text.decode().replace("\r\n", "\n")
    assert "\x1b[" in shown
    rows = re.sub(r"\x1b\[\d+m", "", shown).splitlines()
    assert max(len(row) for row in rows[2:]) in range(width - 3, width + 1)


def test_the_chart_of_a_page(repo: Repository, opened: Opened) -> None:
    """A line with a point for each commit, words for readers who can't see it, and no markup of names."""
    repo.write("t.jsonl", POINTS)
    run(repo, "html", "-q", "--trend=t.jsonl")
    path = repo.folder / "htmlcov/index.html"
    check_page(path.read_text())
    page = opened(path)
    page.wait(lambda: page.all(".grid"))
    page.screenshot("trend")
    assert page.script("document.querySelector('.trend polyline').points.numberOfItems") == 4
    assert page.one(".trend figcaption").text.split("\n") == ["Coverage by commit", "+5 in 4 commits"]
    assert page.each(".trend :is(.first, .last)", "one.textContent") == ["2026-11-01", "2026-11-04"]
    assert page.one(".trend svg").aria_role in ("image", "img", "graphics-document")
    assert page.one(".trend svg").accessible_name == (
        "Coverage of the last 4 commits From 70% on 2026-11-01 03:04 UTC, commit 0000000000 on main "
        "to 75% on 2026-11-04 03:04 UTC, commit 0000000000 on main, -5; the table that follows has all of them."
    )
    cells = "[...document.querySelectorAll('.trend tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent).join(' '))"
    assert page.script(cells)[2] == "2026-11-03 03:04 0000000000 wörk␛[31m<b> 80% +10"
    # All of the text is in the picture.
    inside = """[...document.querySelectorAll('.trend svg > text')].every((text) => {
      const a = text.getBoundingClientRect(), b = text.ownerSVGElement.getBoundingClientRect();
      return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
    })"""
    assert page.script(inside) is True


def test_a_page_of_another_trend_is_made_anew(repo: Repository) -> None:
    repo.write(".coveragerc", "[qd-cov]\ntrend = t.jsonl\n")
    page = repo.folder / "htmlcov/index.html"
    run(repo, "html", "-q")
    assert '<figure class="trend">' not in page.read_text()
    for text in (line(1, 700), line(1, 700) + line(2, 800)):
        repo.write("t.jsonl", text)
        run(repo, "html", "-q")
        assert page.read_text().count("<circle") == text.count("\n")
    assert run(repo, "html", "--trend=none.jsonl", code=1) == "Couldn't read 'none.jsonl'\n"
