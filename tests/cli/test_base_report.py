"""`qd-cov diff --base`: reports that belong and that do not, gates, configuration."""

from __future__ import annotations

import json
import sqlite3
import subprocess

import pytest
from base_reports import against_base, keep_base, run
from diff_repository import TEN, Repository
from test_diff_errors import complaint


@pytest.fixture
def repo(base_repo: Repository) -> Repository:
    """A repository with a base report."""
    return base_repo


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        ([1, 2, 3, 4, 5, 6], [1, 2, 3], ["--fail-under-base", "--max-lost=0"], ""),
        (
            [1, 2, 3, 4, 5],
            [1, 2, 3],
            ["--fail-under-base"],
            "Total coverage is 40% (8 of 20) < 45% (9 of 20) of ../base.json: cover 1 of the 12 missing lines to pass.",
        ),
        (
            [1, 2, 3, 4, 7, 8, 9, 10],
            [1, 2],
            ["--fail-under-base", "--max-lost=1"],
            "3 unchanged lines lost their coverage, the first in 'a.py' (5-6), which is 2 more than the 1 that --max-lost allows.",
        ),
        ([1, 2, 3, 4, 7, 8, 9, 10], [1, 2], ["--fail-under-base", "--max-lost=3"], ""),
        (
            [1, 2, 3, 4, 5, 6],
            [1, 2],
            ["--max-lost=0"],
            "1 unchanged line lost its coverage, the first in 'src/b.py' (3), which is 1 more than the 0 that --max-lost allows.",
        ),
    ],
)
def test_gates(repo: Repository, a: list[int], b: list[int], options: list[str], message: str) -> None:
    repo.measure({"a.py": a, "src/b.py": b})
    report = repo.diff("--base=../base.json", *options)
    assert report.err == (f"Failure. {message}\n" if message else "")
    assert report.code == (2 if message else 0)


def test_fractions_are_exact(repo: Repository) -> None:
    """2,001 of 3,001 is less than two thirds of 3,000, whatever rounded number is shown."""
    repo.git("checkout", "-q", "main")
    long = "".join(f"x{i} = {i}\n" for i in range(3000))
    repo.write("a.py", long)
    repo.commit()
    repo.measure({"a.py": range(1, 2002)})
    keep_base(repo)
    repo.git("checkout", "-q", "-B", "work")
    repo.write("a.py", long + "y = 1\nz = 1\n")
    repo.commit()
    repo.measure({"a.py": range(1, 2003)})
    report = repo.diff("--base=../base.json", "--fail-under-base")
    assert report.err == (
        "Failure. Total coverage is 66.68% (2002 of 3002) < 66.70% (2001 of 3000) of ../base.json: cover 1 of the 1000 missing lines to pass.\n"
    )
    repo.measure({"a.py": range(1, 2004)})
    assert repo.diff("--base=../base.json", "--fail-under-base").code == 0


def test_branches_count_where_both_have_them(repo: Repository) -> None:
    text = "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n\n\nf(1)\n"
    repo.git("checkout", "-q", "main")
    for path in ("a.py", "src/b.py"):
        repo.write(path, "# nothing\n" if path == "a.py" else text)
    repo.commit()
    common = [(-1, 1), (1, 9), (9, -1), (-1, 2), (6, -1)]
    repo.measure_arcs({"src/b.py": [*common, (2, 3), (3, 6), (2, 5), (5, 6)]})
    keep_base(repo)
    repo.git("checkout", "-q", "-B", "work")
    repo.write("src/b.py", "import sys\n" + text)
    repo.commit()
    moved = [(-1, 1), (1, 2), (2, 10), (10, -1), (-2, 3), (3, 4), (4, 7), (7, -2)]
    repo.measure_arcs({"src/b.py": moved})
    base = against_base(repo)
    assert base["before"] == {"covered": 8, "total": 8, "percent": 100.0}
    assert base["now"] == {"covered": 7, "total": 9, "percent": pytest.approx(77.77777)}
    assert base["files"]["src/b.py"]["branches"] == {"LBC": [[3, 6]], "CBC": [[3, 4]]}
    assert base["files"]["src/b.py"]["lines"] == {"LBC": [6], "GNC": [1], "CBC": [2, 3, 4, 7, 10]}
    repo.measure({"src/b.py": [1, 2, 3, 4, 7, 10]})
    base = against_base(repo)
    assert base["branches"] is None and base["now"]["total"] == 7


def test_the_end_of_a_module_is_no_line(repo: Repository) -> None:
    """Its number is that of the first line, which may be new."""
    text = "import sys\nif sys.argv:\n    x = 1\n"
    repo.git("checkout", "-q", "main")
    repo.write("a.py", text)
    repo.commit()
    repo.measure_arcs({"a.py": [(-1, 1), (1, 2), (2, 3), (3, -1), (2, -1)]})
    keep_base(repo, tool="qd-cov")
    repo.git("checkout", "-q", "-B", "work")
    repo.write("a.py", "import os\n" + text)
    repo.measure_arcs({"a.py": [(-1, 1), (1, 2), (2, 3), (3, 4), (4, -1)]})
    assert against_base(repo)["files"]["a.py"]["branches"] == {"LBC": [[3, -1]], "CBC": [[3, 4]]}


@pytest.mark.parametrize(
    ("option", "code", "said"), [([], 2, "Failure. "), (["--on-no-data=warn"], 0, "CoverageWarning: "), (["--on-no-data=pass"], 0, "")]
)
def test_a_report_of_another_commit(repo: Repository, option: list[str], code: int, said: str) -> None:
    """Closed on doubt: a file that can't be of the commit is left out, and said to be."""
    repo.git("checkout", "-q", "main")
    repo.write("a.py", "# one line more\n" + TEN)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.measure({"a.py": [2, 3, 4], "src/b.py": [1, 2, 3]})
    commit = repo.git("rev-parse", "HEAD")[:10]
    report = repo.diff("--base=../base.json", "--max-lost=0", *option)
    assert report.code == code
    why = "line 1 is no statement there"
    assert report.err == (
        f"{said}The comparison with ../base.json at commit {commit} is not complete: 1 file is left out, the first is 'a.py': {why}.\n"
        if said
        else ""
    )
    assert f"Note: ../base.json does not belong to commit {commit}: 'a.py' is left out of the comparison ({why}).\n" in report.out


@pytest.mark.parametrize(
    ("now", "why"), [(TEN + "more = 1\n", "line 11 is a statement there, and the report has none"), (TEN[:-10], "line 10 is no statement there")]
)
def test_other_sources(repo: Repository, now: str, why: str) -> None:
    repo.git("checkout", "-q", "main")
    repo.write("a.py", now)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    assert against_base(repo)["left_out"] == {"a.py": why}


def test_a_recorded_report_is_known_by_its_hashes(repo: Repository) -> None:
    """Sources of the same shape are not the same sources; a dirty tree is told by hashes, too."""
    repo.git("checkout", "-q", "main")
    repo.write("src/b.py", TEN.replace("a1 ", "c1 "))
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    keep_base(repo, "--record-commit", tool="qd-cov")
    meta = json.loads((repo.folder.parent / "base.json").read_text())["meta"]["qd_cov"]
    assert (meta["commit"], meta["dirty"], meta["folder"]) == (repo.git("rev-parse", "HEAD").strip(), True, "")
    repo.git("checkout", "-q", "src/b.py")
    repo.git("checkout", "-q", "work")
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    base = against_base(repo)
    assert base["left_out"] == {"src/b.py": "its source was another one when the report was made"}
    assert base["recorded"] and list(base["files"]) == ["a.py"]
    # The measured source counts: with it nothing is left out, changed or not.
    repo.write("src/b.py", TEN.replace("a1 ", "c1 "))
    assert against_base(repo)["left_out"] == {}


def test_a_dirty_source_that_changed_again(repo: Repository) -> None:
    """The measured version is neither the commit's nor the one of now."""
    repo.git("checkout", "-q", "main")
    repo.write("a.py", TEN.replace("a9 ", "c9 "))
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    keep_base(repo, "--record-commit", tool="qd-cov")
    repo.git("checkout", "-q", "a.py")
    repo.git("checkout", "-q", "work")
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    assert against_base(repo)["left_out"] == {"a.py": "its source was another one when the report was made"}


def test_recording_the_commit(repo: Repository) -> None:
    """Apart from its additions the report is coverage.py's; names are those from the folder it was made in."""
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    plain = json.loads(run(repo, "qd-cov", "json", "-q", "-o", "-"))
    repo.write(".coveragerc", "[qd-cov]\nrecord_commit = true\n")
    done = subprocess.run(
        ["qd-cov", "json", "-q", "--data-file=../.coverage", "--rcfile=../.coveragerc", "-o", "-"],
        cwd=repo.folder / "src",
        env=repo.environment,
        capture_output=True,
        text=True,
    )
    recorded = json.loads(done.stdout)
    own = recorded["meta"].pop("qd_cov")
    assert recorded["meta"] | {"timestamp": ""} == plain["meta"] | {"timestamp": ""}
    assert recorded["totals"] == plain["totals"]
    assert own["folder"] == "src/" and own["dirty"] is False
    assert [name for name in own["sources"] if not name.startswith("/")] == ["b.py"]
    assert all(len(value) == 32 for value in own["sources"].values())
    (repo.folder.parent / "base.json").write_text(done.stdout)
    base = against_base(repo)
    assert (base["lines"]["CBC"], base["files"], base["left_out"]) == (6, {}, {})
    repo.git("commit", "-q", "--allow-empty", "-m", "x")
    done = subprocess.run(
        ["qd-cov", "json", "--record-commit", f"--data-file={repo.folder}/.coverage", "-o", "-"],
        cwd=repo.folder.parent,
        env=repo.environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "Not a git repository" in done.stdout + done.stderr


def test_a_commit_that_is_not_here(repo: Repository) -> None:
    repo.measure({"a.py": [1]})
    keep_base(repo, "--record-commit", tool="qd-cov")
    base = repo.folder.parent / "base.json"
    base.write_text(base.read_text().replace(repo.git("rev-parse", "HEAD").strip(), "1" * 40))
    assert (
        complaint(repo, "--base=../base.json") == f"Can't compare with '../base.json': Unknown commit '{'1' * 40}': git has no commit of that name."
    )


def test_line_ends_and_white_space(repo: Repository) -> None:
    """Line ends that git converts are no change; with --ignore-whitespace neither are blanks, while blank lines are followed."""
    repo.git("checkout", "-q", "main")
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    keep_base(repo, "--record-commit", tool="qd-cov")
    repo.git("checkout", "-q", "-B", "work")
    repo.write(".gitattributes", "*.py text eol=crlf\n")
    repo.commit()
    repo.write("a.py", TEN.replace("\n", "\r\n"))
    repo.write("src/b.py", "\n\n" + TEN.replace("a2 = 2", "a2  =  2"))
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [3, 4, 5]})
    base = against_base(repo)
    assert base["left_out"] == {} and base["lines"]["GNC"] == 1 and base["lines"]["LBC"] == base["lines"]["GBC"] == 0
    base = against_base(repo, "--ignore-whitespace")
    assert base["left_out"] == {} and base["lines"]["GNC"] == 0 and base["lines"]["CBC"] == 6


def test_a_file_that_nobody_measured(repo: Repository) -> None:
    """Its coverage is lost; a file that is left out on purpose counts as excluded."""
    repo.measure({"a.py": [1, 2, 3, 4, 5, 6]})
    report = repo.diff("--base=../base.json", "--fail-under-base")
    assert "Note: 'src/b.py' was measured for ../base.json and not now: its lines count as missing in the comparison.\n" in report.out
    assert "  lost   src/b.py: 1-3\n" in report.out
    # The tests of a file that is covered worst are gone: without it, the total would be better than that of the base.
    assert report.code == 2
    assert "Total coverage is 30% (6 of 20) < 45% (9 of 20) of ../base.json: cover 3 of the 14 missing lines to pass." in report.err
    base = against_base(repo, "--omit=src/*")
    assert base["files"]["src/b.py"]["lines"] == {"EUB": [4, 5, 6, 7, 8, 9, 10], "ECB": [1, 2, 3]}


def test_files_that_git_does_not_track(repo: Repository) -> None:
    """Untracked files are compared as long as they are the same; later the change is not known, which misses no gate."""
    repo.write(".gitignore", ".coverage\nmade.py\n")
    repo.write("made.py", TEN)
    repo.commit()
    repo.measure({"a.py": range(1, 11), "src/b.py": range(1, 11), "made.py": [1, 2]})
    keep_base(repo, "--record-commit", tool="qd-cov")
    repo.measure({"a.py": range(1, 11), "src/b.py": range(1, 11), "made.py": [1]})
    assert against_base(repo)["files"]["made.py"]["lines"]["LBC"] == [2]
    repo.write("made.py", "# made\n" + TEN)
    report = repo.diff("--base=../base.json", "--max-lost=0")
    assert report.code == 0, report.err
    assert (
        "Note: 'made.py' is left out of the comparison with ../base.json: git does not track it, and the source is another one now.\n" in report.out
    )


def test_paths_of_another_machine(repo: Repository) -> None:
    base = repo.folder.parent / "base.json"
    report = json.loads(base.read_text())
    report["files"] = {f"/ci/build/{name}": file for name, file in report["files"].items()}
    base.write_text(json.dumps(report))
    repo.measure({"a.py": [1, 2], "src/b.py": [1, 2]})
    said = repo.diff("--base=../base.json", "--max-lost=9")
    assert (
        "Note: No file of ../base.json is in this repository (the first is '/ci/build/a.py'): map its paths with [paths] in the configuration.\n"
        in said.out
    )
    assert said.code == 2
    repo.write("rc.ini", "[paths]\nsource =\n    .\n    /ci/build\n")
    assert against_base(repo, "--rcfile=rc.ini")["before"]["covered"] == 9
    assert against_base(repo, "--rcfile=rc.ini")["lines"]["CBC"] == 4 and against_base(repo)["lines"]["CBC"] == 0
    report["files"] = {name.removeprefix("/ci/build/").replace("/", "\\"): file for name, file in report["files"].items()}
    base.write_text(json.dumps(report))
    assert against_base(repo)["lines"]["CBC"] == 4


def test_configuration(repo: Repository) -> None:
    repo.measure({"a.py": [1, 2, 3, 4, 5], "src/b.py": [1, 2, 3]})
    repo.write("qd-cov.toml", '[diff]\nbase = "../base.json"\nfail_under_base = true\nmax_lost = 0\n')
    report = repo.diff()
    assert report.code == 2 and report.err.count("Failure. ") == 2
    repo.write("qd-cov.toml", "[diff]\nmax_lost = 0\n")
    assert complaint(repo) == "[tool.qd-cov.diff] max_lost needs a base report: name it with --base, or with base"


def test_data_of_another_version(repo: Repository) -> None:
    """Lines of other sources are no lines of these."""

    def measure(*other_versions: str) -> None:
        repo.measure({"a.py": [1, 2, 3, 4, 5, 6], "src/b.py": [1, 2, 3], "made.py": range(1, 11)})
        data = sqlite3.connect(repo.folder / ".coverage")
        data.execute("CREATE TABLE qd_source (file_id integer, hash text, foreign key (file_id) references file (id), unique (file_id, hash))")
        for name in other_versions:
            data.execute("INSERT INTO qd_source SELECT id, ? FROM file WHERE path LIKE ?", ["0" * 32, f"%{name}"])
        data.commit()

    repo.write("made.py", TEN)
    measure("made.py")
    for option in ("--fail-under-total=1", "--fail-under-base"):  # the base does not have the file
        report = repo.diff("--base=../base.json", option)
        assert (report.code, report.err) == (
            2,
            "Failure. Total coverage is not known: the data of 'made.py' is of another version of it, or some of it may be.\n",
        )
    measure("b.py")
    report = repo.diff("--base=../base.json", "--max-lost=0")
    assert report.code == 2
    assert (
        "Note: 'src/b.py' is left out of the comparison with ../base.json: the data is of another version of it; run the tests again.\n" in report.out
    )


def test_names_that_are_no_names(repo: Repository) -> None:
    """Odd names steer no terminal and end no markup."""
    name = "src/<b>\x1b[31m`|x.py"
    repo.git("checkout", "-q", "main")
    repo.write(name, TEN)
    repo.commit()
    repo.measure({"a.py": [1, 2, 3, 4], name: [1, 2, 3]})
    keep_base(repo, tool="qd-cov")
    repo.git("checkout", "-q", "-B", "work")
    repo.write("src/b.py", "")
    repo.measure({"a.py": [1, 2, 3, 4], name: [1]})
    for form in ("terminal", "annotated", "markdown", "html", "github-annotations"):
        report = repo.diff("--base=../base.json", f"--format={form}:-", "--max-lost=0")
        assert "\x1b" not in report.out + report.err
        assert form != "html" or "<b>\u241b" not in report.out
