"""`qd-cov diff --base`: categories against files whose lines are known by construction, reports that do not belong, gates, bad reports."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from browser import Opened
from diff_repository import TEN, Report, Repository, edited
from html_pages import check_page
from test_diff_errors import complaint

THEN, NOW = "# then", "# now"  # what the configuration excludes in the base, and what it excludes now


def run(repo: Repository, *words: str) -> str:
    """A program in the repository."""
    done = subprocess.run(list(words), cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def keep_base(repo: Repository, *options: str, tool: str = "coverage", to: str = "../base.json") -> None:
    """The full report of what was measured."""
    program = [sys.executable, "-m", "coverage"] if tool == "coverage" else ["qd-cov"]
    run(repo, *program, "json", "-q", "-o", to, *options)


def against_base(repo: Repository, *options: str) -> Any:
    """`qd_cov.base` of the JSON."""
    report = repo.diff("--base=../base.json", "--format=json:-", *options)
    assert report.code == 0, report.err
    return json.loads(report.out)["qd_cov"]["base"]


@dataclass(frozen=True)
class Piece:
    """Some lines that come and go together; a statement, or none."""

    lines: tuple[str, ...]
    is_statement: bool = True


@dataclass
class Version:
    """A file at one time."""

    pieces: list[Piece]
    executed: set[Piece] = field(default_factory=set)
    measured: bool = True

    def text(self) -> str:
        return "".join(line + "\n" for piece in self.pieces for line in piece.lines)

    def places(self) -> dict[Piece, int]:
        """First lines."""
        at, result = 1, {}
        for piece in self.pieces:
            result[piece] = at
            at += len(piece.lines)
        return result

    def statements(self, excluded: str) -> dict[Piece, int]:
        return {piece: at for piece, at in self.places().items() if piece.is_statement and excluded not in piece.lines[0]}


class Maker:
    """Random files of lines that are all different, so that there is one way only to follow them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.n = 0

    def piece(self) -> Piece:
        self.n += 1
        n = self.n
        kinds = [
            Piece((f"v{n} = {n}",)),
            Piece((f"v{n} = [", *(f"    {n * 1000 + i}," for i in range(self.chance.randrange(1, 4))), f"]  # {n}")),
            Piece((f"# {n}",), False),
            Piece((f"v{n} = {n}  {THEN}",)),
            Piece((f"v{n} = {n}  {NOW}",)),
        ]
        return self.chance.choices(kinds, [6, 3, 2, 1, 1])[0]

    def version(self, n: int) -> Version:
        version = Version([self.piece() for _ in range(n)])
        return self.run(version)

    def run(self, version: Version) -> Version:
        version.executed = {piece for piece in version.pieces if piece.is_statement and self.chance.random() < 0.6}
        return version

    def edit(self, old: Version, n_edits: int) -> Version:
        pieces = list(old.pieces)
        for _ in range(n_edits):
            at = self.chance.randrange(len(pieces) + 1)
            what = self.chance.randrange(4)
            if what == 0 or at == len(pieces):
                pieces[at:at] = [self.piece() for _ in range(self.chance.randrange(1, 4))]
            elif what == 1:
                del pieces[at : at + self.chance.randrange(1, 4)]
            elif what == 2 or len(pieces[at].lines) == 1:
                pieces[at] = self.piece()
            else:
                # Any line of a statement is the statement.
                lines = list(pieces[at].lines)
                inner = self.chance.randrange(1, len(lines) - 1) if len(lines) > 2 else 1
                self.n += 1
                lines[inner : inner + self.chance.randrange(2)] = [f"    {self.n * 1000},"]
                pieces[at] = replace(pieces[at], lines=tuple(lines))
        return self.run(Version(pieces))


def expected(old: Version | None, new: Version | None) -> dict[str, list[int]]:
    """The categories, from genhtml's definitions."""
    result: dict[str, list[int]] = defaultdict(list)
    before = old.statements(THEN) if old and old.measured else {}
    now = new.statements(NOW) if new else {}
    for piece, line in now.items():
        covered = new is not None and new.measured and piece in new.executed
        if old is None or piece not in old.pieces:
            result["GNC" if covered else "UNC"].append(line)
        elif piece not in before:
            result["GIC" if covered else "UIC"].append(line)
        elif old.measured and piece in old.executed:
            result["CBC" if covered else "LBC"].append(line)
        else:
            result["GBC" if covered else "UBC"].append(line)
    places = new.places() if new else {}
    for piece, line in before.items():
        assert old is not None
        covered = piece in old.executed
        if piece in now:
            continue
        if piece in places:
            result["ECB" if covered else "EUB"].append(places[piece])
        else:
            result["DCB" if covered else "DUB"].append(line)
    return {category: sorted(lines) for category, lines in sorted(result.items())}


def measure(repo: Repository, files: dict[str, Version]) -> None:
    """What ran, of the files that are measured."""
    repo.measure({name: [version.places()[piece] for piece in version.executed] for name, version in files.items() if version.measured})


@pytest.mark.parametrize("seed", range(int(os.environ.get("QD_BASE_REPORTS", "3"))))
@pytest.mark.parametrize("how", ["coverage", "commit", "earlier commit"])
def test_categories_of_random_edits(tmp_path: Path, how: str, seed: int) -> None:
    make = Maker(seed)
    repo = Repository(tmp_path / "repo")
    repo.write("then.ini", f"[report]\nexclude_also = {THEN}\n")
    repo.write(".coveragerc", f"[report]\nexclude_also = {NOW}\n")
    old = {f"pkg/m{i}.py": make.version(make.chance.randrange(4, 30)) for i in range(5)} | {"gone.py": make.version(9), "was.py": make.version(30)}
    old["pkg/m3.py"].measured = False
    for name, version in old.items():
        repo.write(name, version.text())
    repo.commit()
    measure(repo, old)
    keep_base(repo, "--rcfile=then.ini", *([] if how == "coverage" else ["--record-commit"]), tool="coverage" if how == "coverage" else "qd-cov")
    if how == "earlier commit":
        # Main goes on after the base was measured: what the change is about is not what the comparison is about.
        for name in ("pkg/m0.py", "pkg/m1.py"):
            moved = make.edit(old[name], 2)
            repo.write(name, moved.text())
        repo.commit()
    repo.branch("work")
    new = {name: make.edit(version, make.chance.randrange(4)) for name, version in old.items() if name not in ("gone.py", "was.py")}
    new["pkg/m2.py"] = make.run(Version(list(old["pkg/m2.py"].pieces)))
    new["pkg/m4.py"].measured = seed % 2 == 0
    new["is.py"] = make.edit(old["was.py"], 1)
    new["new.py"] = make.version(6)
    repo.git("rm", "-q", "gone.py")
    repo.git("mv", "was.py", "is.py")
    for name, version in new.items():
        repo.write(name, version.text())
    if seed % 3 != 0:
        repo.commit()
    else:
        repo.git("add", "new.py")  # the rest is in the working tree alone
    measure(repo, new)

    report = against_base(repo)
    pairs = {name: (old.get({"is.py": "was.py"}.get(name, name)), new.get(name)) for name in [*new, "gone.py"]}
    wanted = {name: expected(*pair) for name, pair in pairs.items() if (pair[0] and pair[0].measured) or (pair[1] and pair[1].measured)}
    news = {name: lines for name, lines in wanted.items() if set(lines) - {"CBC", "UBC"} or name == "is.py"}
    shown_files = {name: dict(sorted(file["lines"].items())) for name, file in report["files"].items()}
    if "pkg/m4.py" not in news:
        shown_files.pop("pkg/m4.py", None)  # without data
    assert shown_files == news
    assert report["left_out"] == {}
    assert report["files"]["is.py"]["old_path"] == "was.py"
    for category, n in report["lines"].items():
        assert n == sum(len(file.get(category, [])) for file in wanted.values())
    # Nothing of the base is forgotten, and nothing of now.
    totals = json.loads((repo.folder.parent / "base.json").read_text())["totals"]
    assert sum(report["lines"][c] for c in ("LBC", "CBC", "ECB", "DCB")) == totals["covered_lines"] == report["before"]["covered"]
    assert sum(report["lines"][c] for c in ("UBC", "GBC", "EUB", "DUB")) == totals["missing_lines"]
    assert report["recorded"] is (how != "coverage")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base of two files, 9 of 20 lines covered, and a change of one line that is covered."""
    folder = tmp_path_factory.mktemp("base_report")
    result = Repository(folder / "repo")
    result.write(".gitignore", ".coverage\n*.json\n*.ini\n")
    result.write("a.py", TEN)
    result.write("src/b.py", TEN)
    result.commit()
    result.measure({"a.py": [1, 2, 3, 4, 5, 6], "src/b.py": [1, 2, 3]})
    keep_base(result, tool="qd-cov")
    result.branch("work")
    result.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    result.commit()
    return folder


@pytest.fixture
def repo(built: Path, tmp_path: Path) -> Repository:
    """One of its own for each test."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    return Repository(tmp_path / "repo")


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        ([1, 2, 3, 4, 5, 6], [1, 2, 3], ["--fail-under-base", "--max-lost=0"], ""),
        (
            [1, 2, 3, 4, 5],
            [1, 2, 3],
            ["--fail-under-base"],
            "Total coverage is below that of ../base.json: it is 40% (8 of 20), it was 45% (9 of 20), "
            "and 1 of the 12 missing has to be covered to reach it.",
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
    """2,001 of 3,001 is less than two thirds of 3,000, whatever is shown."""
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
        "Failure. Total coverage is below that of ../base.json: it is 66.7% (2002 of 3002), it was 66.7% (2001 of 3000), "
        "and 1 of the 1000 missing has to be covered to reach it.\n"
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
    # It is what was measured that counts: with that source nothing is left out, changed or not.
    repo.write("src/b.py", TEN.replace("a1 ", "c1 "))
    assert against_base(repo)["left_out"] == {}


def test_a_dirty_source_that_changed_again(repo: Repository) -> None:
    """What was measured is neither what the commit has nor what there is now."""
    repo.git("checkout", "-q", "main")
    repo.write("a.py", TEN.replace("a9 ", "c9 "))
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    keep_base(repo, "--record-commit", tool="qd-cov")
    repo.git("checkout", "-q", "a.py")
    repo.git("checkout", "-q", "work")
    repo.measure({"a.py": [1, 2, 3], "src/b.py": [1, 2, 3]})
    assert against_base(repo)["left_out"] == {"a.py": "its source was another one when the report was made"}


def test_recording_the_commit(repo: Repository) -> None:
    """Apart from what is added the report is coverage.py's; names are those from the folder it was made in."""
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
    """What git does to line ends is no change; with --ignore-whitespace neither are blanks, while blank lines are followed."""
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
    report = repo.diff("--base=../base.json")
    assert "Note: 'src/b.py' was measured for ../base.json and not now: nothing of it ran.\n" in report.out
    assert "  lost   src/b.py: 1-3\n" in report.out
    base = against_base(repo, "--omit=src/*")
    assert base["files"]["src/b.py"]["lines"] == {"EUB": [4, 5, 6, 7, 8, 9, 10], "ECB": [1, 2, 3]}


def test_files_that_git_does_not_track(repo: Repository) -> None:
    """As long as they are the same they are compared; then nobody can say what changed, which misses no gate."""
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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fail-under-base"], "option --fail-under-base: it needs --base\n"),
        (["--max-lost=1"], "option --max-lost: it needs --base\n"),
        (["--base=../base.json", "--max-lost=x"], "option --max-lost: 'x' is no number of lines\n"),
        (["--base="], "option --base: it names no file\n"),
        (["--base=no.json"], "Couldn't read 'no.json': No such file or directory\n"),
    ],
)
def test_bad_options(repo: Repository, options: list[str], message: str) -> None:
    repo.measure({"a.py": [1]})
    report = repo.diff(*options)
    assert report.code == 1
    assert (report.out + report.err).replace("Use 'qd-cov help' for help.\n", "") == message


FILE = {"executed_lines": [1], "missing_lines": [], "excluded_lines": [], "summary": {"covered_lines": 1, "num_statements": 1}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("[]", "it is not what 'coverage json' or 'qd-cov json' writes"),
        ("3", "it is not what 'coverage json' or 'qd-cov json' writes"),
        ("{}", "it is not what 'coverage json' or 'qd-cov json' writes"),
        ('{"files": {"a.py": 3}, "totals": {}}', "it is not what 'coverage json' or 'qd-cov json' writes"),
        ('{"files": {}, "totals": {}}', "it has no files"),
        (json.dumps({"files": {"a.py": FILE | {"missing_lines": [0]}}, "totals": {}}), "'0' is no line"),
        (json.dumps({"files": {"a.py": FILE | {"missing_lines": [1e3]}}, "totals": {}}), "a line is no number"),
        (json.dumps({"files": {"a.py": FILE | {"missing_lines": [9]}}, "totals": {}}), "the numbers of 'a.py' are not those of its lines"),
        (json.dumps({"files": {"a.py": FILE | {"missing_branches": [[1]]}}, "totals": {}}), "a branch is no pair of lines"),
        (json.dumps({"files": {"a.py": FILE}, "totals": {}}) + "{}", "syntax error while parsing value - unexpected '{'; expected end of input"),
    ],
)
def test_bad_reports(repo: Repository, text: str, why: str) -> None:
    repo.measure({"a.py": [1]})
    repo.write("base.json", text)
    assert complaint(repo, "--base=base.json") == f"Couldn't read 'base.json' as JSON of coverage: {why}"


def test_a_compressed_report(repo: Repository) -> None:
    repo.measure({"a.py": [1]})
    base = repo.folder.parent / "base.json"
    base.write_bytes(gzip.compress(base.read_bytes()))
    assert against_base(repo)["before"]["covered"] == 9


@pytest.fixture
def lost(repo: Repository) -> Repository:
    """Lines of a changed and of an unchanged file lost their coverage, one gained it."""
    repo.measure({"a.py": [1, 2, 3, 4, 7], "src/b.py": [1]})
    return repo


def shown(repo: Repository, form: str) -> Report:
    """A format."""
    return repo.diff("--base=../base.json", f"--format={form}:-", "--max-lost=9")


def test_lost_lines_on_the_terminal(lost: Repository) -> None:
    commit = lost.git("rev-parse", "main")[:10]
    assert shown(lost, "terminal").out.endswith(
        f"Against ../base.json (commit {commit}): coverage 45% → 30%\n"
        "  4 unchanged lines lost coverage, 1 gained it\n"
        "  lost   a.py: 5-6\n"
        "  gained a.py: 7\n"
        "  lost   src/b.py: 2-3\n"
        "  Category                           Lines\n"
        "  LBC  lost baseline coverage            4\n"
        "  UBC  uncovered baseline code          10\n"
        "  GBC  gained baseline coverage          1\n"
        "  GNC  gained new coverage               1\n"
        "  CBC  covered baseline code             4\n"
        "  DCB  deleted covered baseline          1\n"
    )


def test_lost_lines_as_findings(lost: Repository) -> None:
    commands = [line for line in shown(lost, "github-annotations").out.splitlines() if line.startswith("::")]
    assert commands == [
        "::warning file=a.py,line=5,endLine=6,title=Lost coverage::"
        "Lines 5-6 are not changed, and not covered any more: ../base.json has them covered.",
        "::warning file=src/b.py,line=2,endLine=3,title=Lost coverage::"
        "Lines 2-3 are not changed, and not covered any more: ../base.json has them covered.",
    ]
    sarif = json.loads(shown(lost, "sarif").out)["runs"][0]
    assert [(one["ruleId"], sarif["tool"]["driver"]["rules"][one["ruleIndex"]]["id"]) for one in sarif["results"]] == [
        ("lost-lines", "lost-lines")
    ] * 2
    assert {one["check_name"] for one in json.loads(shown(lost, "gitlab").out)} == {"lost-lines"}
    assert json.loads(shown(lost, "github-check-run").out)["output"]["annotations"][1]["path"] == "src/b.py"


def test_lost_lines_in_a_comment(lost: Repository) -> None:
    comment = shown(lost, "markdown").out
    assert "<details open><summary>🔴 Against the base: coverage 45% → 30%, 4 unchanged lines lost coverage, 1 gained it</summary>" in comment
    assert "| 🔴 `a.py` | 5-6 | 7 |\n| 🔴 `src/b.py` | 2-3 |  |\n" in comment
    assert "-✗    2 a2 = 2  ← lost: base covers it\n" in comment
    assert " · Base: 45% → 30%, 4 unchanged lines lost coverage\n" in shown(lost, "markdown-summary").out
    assert "     2   ✗ a2 = 2  ← lost: base covers it\n" in shown(lost, "annotated").out


def test_lost_lines_on_a_page(lost: Repository, opened: Opened) -> None:
    """Each lost line is shown, with a tag; its link leads to it, and keys go there."""
    page_file = lost.folder.parent / "page.html"
    lost.diff("--base=../base.json", f"--format=html:{page_file}")
    check_page(page_file.read_text())
    page = opened(page_file)
    assert [row.get_attribute("id") for row in page.all("tr.lost")] == ["a.py:L5", "a.py:L6", "src/b.py:L2", "src/b.py:L3"]
    assert [tag.text for tag in page.all(".never.lost")] == ["lost: base covers it"] * 4
    assert [link.get_attribute("href") for link in page.all(".base td a")] == [
        f"{page_file.as_uri()}#{place}" for place in ("a.py:L5", "src/b.py:L2")
    ]
    page.press("1")
    page.wait(lambda: page.one("tr.here").get_attribute("id") == "a.py:L5")


def test_a_long_comment_stays_short_enough(repo: Repository) -> None:
    """500 files that lost something: fewer are shown, and how many there are more is said."""
    repo.git("checkout", "-q", "main")
    names = [f"src/{'package_' * 12}{i}/a_module_{i}.py" for i in range(500)]
    for name in names:
        repo.write(name, TEN)
    repo.commit()
    repo.measure({name: [1, 2, 4, 6, 8] for name in names})
    keep_base(repo, tool="qd-cov")
    repo.git("checkout", "-q", "-B", "work")
    repo.measure({name: [2] for name in names})
    comment = shown(repo, "markdown").out
    assert len(comment.encode("utf-16-le")) // 2 < 65_536
    assert "2000 unchanged lines lost coverage" in comment and " more files | | |\n" in comment
    assert comment.count("<details") == comment.count("</details>")


def test_data_of_another_version(repo: Repository) -> None:
    """Lines of other sources are no lines of these."""
    repo.measure({"a.py": [1, 2, 3, 4, 5, 6], "src/b.py": [1, 2, 3]})
    data = sqlite3.connect(repo.folder / ".coverage")
    data.execute("CREATE TABLE qd_source (file_id integer, hash text, foreign key (file_id) references file (id), unique (file_id, hash))")
    data.execute("INSERT INTO qd_source SELECT id, ? FROM file WHERE path LIKE '%b.py'", ["0" * 32])
    data.commit()
    report = repo.diff("--base=../base.json", "--max-lost=0")
    assert report.code == 2
    assert (
        "Note: 'src/b.py' is left out of the comparison with ../base.json: the data is of another version of it; run the tests again.\n" in report.out
    )


def test_names_that_are_no_names(repo: Repository) -> None:
    """They steer no terminal and end no markup."""
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
