"""A change that lowers its own gates is told so, and --strict-config takes the gates of the base."""

from __future__ import annotations

import json
from collections.abc import Iterator

import coverage
import pytest
from diff_repository import TEN, Repository
from test_diff_errors import complaint

BASE_FILES = {
    "pyproject.toml": "[tool.qd-cov]\nrequire_hashes = false\n[tool.qd-cov.diff]\n"
    'fail_under = [90, "src/**=80"]\nmax_missing = 0\non_no_data = "fail"\n'
    "require_archs = ['cpu', 'vulkan']\nbranch_coverage = true\n[tool.qd-cov.check]\nchange-size = 'error'\n"
    "[tool.coverage.report]\nfail_under = 70\nexclude_also = ['boring']\nomit = ['gone/*']\n[tool.coverage.run]\nsource = ['.', 'src']\n",
    "a.py": TEN,
    "lib.py": "def dull():\n    return 1\n\n\ndef old():  # pragma: no cover\n    return 2\n",
    "src/b.py": "x = 1\ny = 2\n",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Everything at the base, and a branch without a change."""
    repo = Repository(tmp_path_factory.mktemp("lowered") / "repo")
    repo.write(".gitignore", ".coverage\nout.*\n")
    for name, text in BASE_FILES.items():
        repo.write(name, text)
    repo.commit()
    repo.branch("work")
    repo.measure({"a.py": range(1, 11), "src/b.py": [1, 2], "lib.py": [1, 2]})
    return repo


@pytest.fixture
def repo(shared: Repository) -> Iterator[Repository]:
    yield shared
    shared.git("reset", "-q", "--hard")
    shared.git("clean", "-fdq")


def edit(repo: Repository, old: str, new: str, file: str = "pyproject.toml") -> None:
    text = (repo.folder / file).read_text()
    assert old in text
    repo.write(file, text.replace(old, new))


def note(repo: Repository, *options: str) -> str:
    """The note on lowered gates, without its first words; empty: there is none."""
    found = [line for line in repo.diff(*options).out.splitlines() if line.startswith("Note: This change")]
    assert len(found) <= 1
    return found[0].removeprefix("Note: This change ") if found else ""


LOWERING = [
    ("[90,", "[80,", "lowers fail_under from 90 to 80."),
    ("[90, ", "[", "takes fail_under = 90 away."),
    ("src/**=80", "src/**=79.5", "lowers fail_under of 'src/**' from 80 to 79.5."),
    ("src/**=80", "lib/**=80", "takes fail_under of 'src/**' = 80 away."),
    ('fail_under = [90, "src/**=80"]', 'fail_under = {"src/**" = 80}', "takes fail_under = 90 away."),
    ('fail_under = [90, "src/**=80"]', 'fail_under = {"**" = 80, "src/**" = 80}', "lowers fail_under from 90 to 80."),
    ("max_missing = 0", "max_missing = 5", "raises max_missing from 0 to 5."),
    ("max_missing = 0\n", "", "takes max_missing = 0 away."),
    ('"fail"', '"pass"', "changes on_no_data from fail to pass."),
    ("['cpu', 'vulkan']", "['cpu']", "takes 'vulkan' out of require_archs."),
    ("branch_coverage = true", "branch_coverage = false", "turns branch_coverage off."),
    ("max_missing = 0", "max_missing = 0\nminimum_change = 100", "raises minimum_change from 0 to 100."),
    ("max_missing = 0", "max_missing = 0\nexclude = ['a.py']", "adds 'a.py' to exclude."),
    ("max_missing = 0", "max_missing = 0\ninclude = ['*.py']", "limits files by include."),
    ("max_missing = 0", "max_missing = 0\nignore_unstaged = true", "turns ignore_unstaged on."),
    ("max_missing = 0", "max_missing = 0\nchanged_lines = 'exact'", "changes changed_lines from statement to exact."),
    ("max_missing = 0", "max_missing = 0\ncompare_branch = 'HEAD'", "changes compare_branch from none to 'HEAD'."),
    ("'error'", "'off'", "changes the check change-size from error to off."),
    ("fail_under = 70", "fail_under = 60", "lowers fail_under of [report] from 70 to 60."),
    ("fail_under = 70\n", "", "lowers fail_under of [report] from 70 to 0."),
    ("['gone/*']", "['gone/*', 'tests/*']", "adds 'tests/*' to omit of [report]."),
    ("['.', 'src']", "['src']", "takes '.' out of source."),
    ("['boring']", "['boring', 'nothing like it']", "adds 'nothing like it' to the exclusions of [report]."),
    # also where lines did not change
    ("['boring']", "['boring', 'def dull']", "excludes 2 lines, adds 'def dull' to the exclusions of [report]."),
]


@pytest.mark.parametrize(("old", "new", "told"), LOWERING)
def test_settings(repo: Repository, old: str, new: str, told: str) -> None:
    edit(repo, old, new)
    assert note(repo) == told
    if "fail_under" in old or "90" in old:
        repo.git("add", "-A")
        assert note(repo, "--fail-under=10") == told  # typed or not


def test_a_configuration_that_is_gone(repo: Repository) -> None:
    """Deleted, renamed to a name that no tool reads, or without its section."""
    (repo.folder / "pyproject.toml").unlink()
    told = note(repo)
    for part in (
        "takes fail_under = 90 away",
        "takes fail_under of 'src/**' = 80 away",
        "takes max_missing = 0 away",
        "takes 'cpu' out of require_archs",
    ):
        assert part in told
    repo.git("checkout", "-q", "--", "pyproject.toml")
    repo.git("mv", "pyproject.toml", "old.toml")
    assert "takes fail_under = 90 away" in note(repo)


NOT_LOWERING = [
    ("[90,", "[95,"),
    ("[90, ", '[90, "lib/**=50", '),
    ("max_missing = 0", "max_missing = 0\nfail_under_total = 1"),
    ("['boring']", "[]"),
    ("fail_under = 70", "fail_under = 80"),
    ("require_hashes = false", "require_hashes = true"),
    ("max_missing = 0", "max_missing = 0 # a remark"),
]


@pytest.mark.parametrize(("old", "new"), NOT_LOWERING)
def test_what_lowers_nothing(repo: Repository, old: str, new: str) -> None:
    edit(repo, old, new)
    assert note(repo) == ""


SOURCES = [
    ("new code", "def f():  # pragma: no cover\n    a = 1\n    return a\n", "excludes 3 lines."),
    ("a line", "z = 1  # pragma: no cover\n", "excludes 1 line."),
    ("by a pattern that was there", "boring = 1\n", "excludes 1 line."),
    ("branches", "if x:  # pragma: no branch\n    pass\n", "forgives the branches of 1 line."),
    ("comments", "z = 1  # qd-cov: ignore\n# qd-cov: ignore[change-size]\nw = 1\n", "has 2 new comments 'qd-cov: ignore'."),
    ("all", "z = 1  # pragma: no cover # qd-cov: ignore\n", "excludes 1 line, has 1 new comment 'qd-cov: ignore'."),
    ("nothing", "z = 1  # a pragmatic remark\n", ""),
    ("what coverage.py excludes by itself", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\ndef g(): ...\n", ""),
    ("a text", "z = 'pragma is no comment'\n", ""),
]


@pytest.mark.parametrize(("text", "told"), [(text, told) for _, text, told in SOURCES], ids=[name for name, _, _ in SOURCES])
def test_comments_and_pragmas(repo: Repository, text: str, told: str) -> None:
    edit(repo, "x = 1\n", "x = 1\n" + text, "src/b.py")
    assert note(repo) == told
    (repo.folder / "src/b.py").rename(repo.folder / "new.py")  # in a new file, untracked and tracked
    assert note(repo, "--include-untracked") == told
    repo.git("add", "-A")
    assert note(repo) == told


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("f.cpp", "int f;  // LCOV_EXCL_LINE\n", "excludes 1 line."),
        ("f.rs", "let f;  // GCOVR_EXCL_START\n\nlet g;\n// GCOVR_EXCL_STOP\n", "excludes 2 lines."),
        ("f.cpp", "int f = g();  // LCOV_EXCL_EXCEPTION_BR_LINE\nif (f) g();  // LCOV_EXCL_BR_LINE\n", "forgives the branches of 2 lines."),
        ("f.java", "int f;  // # pragma: no cover\n", "excludes 1 line."),
        ("f.cpp", "int f;  // EXCL_LINE\n", ""),
        ("f.txt", "int f;  // LCOV_EXCL_LINE\n", ""),
    ],
)
def test_markers_of_other_languages(repo: Repository, name: str, text: str, told: str) -> None:
    repo.write(name, text)
    repo.git("add", name)
    assert note(repo) == told
    repo.git("commit", "-q", "-m", "f")
    try:
        repo.write(name, text + "int more;\n")
        assert "This change" not in repo.diff_as_typed("--base-sha=HEAD").out  # these were there
    finally:
        repo.git("reset", "-q", "--hard", "main")


def test_a_pragma_at_old_code(repo: Repository) -> None:
    """The header changes; the lines of the body do not, and are excluded all the same."""
    edit(repo, "def dull():\n", "def dull():  # pragma: no cover\n", "lib.py")
    assert note(repo) == "excludes 2 lines."
    repo.git("checkout", "-q", "--", "lib.py")
    edit(repo, "def old():  # pragma: no cover\n", "x = 1\n\n\ndef old():  # pragma: no cover, for a reason\n", "lib.py")
    assert note(repo) == ""  # it was excluded before


def test_no_gate_no_note(repo: Repository) -> None:
    """Pragmas lower nothing where nothing is asked for."""
    repo.git("rm", "-q", "pyproject.toml")
    repo.git("commit", "-q", "-m", "no gates")
    try:
        edit(repo, "x = 1\n", "x = 1  # pragma: no cover\n", "src/b.py")
        out = repo.diff_as_typed("--base-sha=HEAD").out
        assert "This change" not in out
        assert "Note: This change excludes 1 line." in repo.diff_as_typed("--base-sha=HEAD", "--fail-under=1").out
    finally:
        repo.git("reset", "-q", "--hard", "main")


@pytest.mark.parametrize("format", ["markdown", "html", "json"])
def test_every_format_says_so(repo: Repository, format: str) -> None:
    edit(repo, "[90,", "[80,")
    edit(repo, "x = 1\n", "x = 1  # pragma: no cover\n", "src/b.py")
    out = repo.diff("--format", f"{format}:-").out
    text = "This change excludes 1 line, lowers fail_under from 90 to 80."
    assert text.replace("_", "\\_") in out if format == "markdown" else text in out
    if format == "json":
        assert json.loads(out)["qd_cov"]["notes"][-1] == text


def test_a_base_that_is_no_configuration(repo: Repository) -> None:
    repo.git("commit", "-q", "--allow-empty", "-m", "x")
    edit(repo, "max_missing", "max_mising")
    repo.git("commit", "-qam", "typo")
    try:
        edit(repo, "max_mising", "max_missing")
        out = repo.diff_as_typed("--base-sha=HEAD").out
        assert "Note: The gates that this change lowers are not known. The configuration of the base: Unrecognized option" in out
        assert "max_mising" in complaint(repo, "--base-sha=HEAD", "--strict-config")
    finally:
        repo.git("reset", "-q", "--hard", "main")


# --strict-config


def missing_line(repo: Repository) -> None:
    """A new line that never ran: 50 % of the change."""
    repo.write("a.py", TEN + "a11 = 11\na12 = 12\n")
    repo.measure({"a.py": range(1, 12), "src/b.py": [1, 2], "lib.py": [1, 2]})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[90, "src/**=80"]\nmax_missing = 0', '[10, "src/**=80"]\nmax_missing = 9'),
        ("['boring']", "['a12']"),
        ("['gone/*']", "['a.py']"),
        ("max_missing = 0", "max_missing = 0\nexclude = ['a.py']"),
        ("max_missing = 0", "max_missing = 0\nminimum_change = 1000\n"),
        ('[tool.qd-cov.diff]\nfail_under = [90, "src/**=80"]\nmax_missing = 0\n', "[tool.qd-cov.diff]\n"),
    ],
)
def test_strict_takes_the_gates_of_the_base(repo: Repository, old: str, new: str) -> None:
    edit(repo, "require_archs = ['cpu', 'vulkan']\n", "")
    repo.git("commit", "-qam", "no devices")
    base = repo.git("rev-parse", "HEAD").strip()
    try:
        missing_line(repo)
        edit(repo, old, new)
        assert repo.diff_as_typed(f"--base-sha={base}").code == (2 if "minimum" in new else 0)
        report = repo.diff_as_typed(f"--base-sha={base}", "--strict-config")
        assert report.code == 2 and "% < 90%: cover " in report.err
        (repo.folder / "sub").mkdir(exist_ok=True)
        assert repo.diff_as_typed(f"--base-sha={base}", "--strict-config", "--data-file=../.coverage", cwd="sub").code == 2
        assert "Note: This change " in report.out and "The gates are those of the base." in report.out
    finally:
        repo.git("reset", "-q", "--hard", "main")


# Text of the configuration at the base and in the change, the note on it, and the file and context whose data has the new line.
OTHER_DATA = [
    ("[tool.coverage.run]", "[tool.coverage.paths]\nall = ['.', '/copy']\n[tool.coverage.run]", "changes [paths].", "/copy/a.py", ""),
    ("contexts = ['test']", "contexts = ['test', 'smoke']", "adds 'smoke' to contexts of [report].", "a.py", "smoke"),
    ("contexts = ['test']\n", "", "takes contexts of [report] away.", "a.py", "smoke"),
]


@pytest.mark.parametrize(("old", "new", "told", "path", "context"), OTHER_DATA)
def test_data_that_a_change_lets_count(repo: Repository, old: str, new: str, told: str, path: str, context: str) -> None:
    edit(repo, "require_archs = ['cpu', 'vulkan']\n", "")
    edit(repo, "fail_under = 70\n", "fail_under = 70\ncontexts = ['test']\n")
    repo.git("commit", "-qam", "contexts")
    base = repo.git("rev-parse", "HEAD").strip()
    try:
        missing_line(repo)
        (repo.folder / ".coverage").unlink()
        data = coverage.CoverageData(str(repo.folder / ".coverage"))
        data.set_context("test")
        data.add_lines({str(repo.folder / "a.py"): list(range(1, 12))})
        data.set_context(context or "test")
        data.add_lines({str(repo.folder / path): [12]})
        data.write()
        edit(repo, old, new)
        report = repo.diff_as_typed(f"--base-sha={base}")
        assert report.code == 0 and f"Note: This change {told}" in report.out
        assert repo.diff_as_typed(f"--base-sha={base}", "--strict-config").code == 2
    finally:
        repo.git("reset", "-q", "--hard", "main")


@pytest.mark.parametrize(
    ("before", "more", "told"),
    [("", "inputs = ['made.info']", "adds 'made.info' to inputs"), ("inputs = ['made.info']", "src_roots = ['new']", "adds 'new' to src_roots")],
)
def test_reports_that_a_change_lets_count(repo: Repository, before: str, more: str, told: str) -> None:
    """A report that the change brings along, or has another file in it."""
    repo.write("made.info", f"SF:{'' if before else 'new/'}c.py\nDA:1,1\nend_of_record\n")
    edit(repo, "require_archs = ['cpu', 'vulkan']\n", "")
    edit(repo, "[tool.qd-cov]\n", f"[tool.qd-cov]\n{before}\n")
    repo.commit()
    base = repo.git("rev-parse", "HEAD").strip()
    try:
        repo.write("new/c.py", "c = 1\n")
        edit(repo, "[tool.qd-cov]\n", f"[tool.qd-cov]\n{more}\n")
        repo.commit()
        report = repo.diff_as_typed(f"--base-sha={base}")
        assert report.code == 0 and f"Note: This change {told}." in report.out, report.out + report.err
        assert repo.diff_as_typed(f"--base-sha={base}", "--strict-config").code == 2
    finally:
        repo.git("reset", "-q", "--hard", "main")


def test_a_data_file_that_a_change_brings_along(repo: Repository) -> None:
    edit(repo, "require_archs = ['cpu', 'vulkan']\n", "")
    repo.git("commit", "-qam", "no devices")
    base = repo.git("rev-parse", "HEAD").strip()
    try:
        missing_line(repo)
        repo.measure({"a.py": range(1, 13), "src/b.py": [1, 2], "lib.py": [1, 2]}, "made.data")
        edit(repo, "[tool.coverage.run]\n", "[tool.coverage.run]\ndata_file = 'made.data'\n")
        report = repo.diff_as_typed(f"--base-sha={base}")
        assert report.code == 0 and "changes data_file of [run] from '.coverage' to 'made.data'" in report.out, report.out + report.err
        strict = f"--base-sha={base}", "--strict-config"
        assert repo.diff_as_typed(*strict).code == 2
        assert repo.diff_as_typed(*strict, "--data-file=made.data").code == repo.diff_as_typed(*strict, COVERAGE_FILE="made.data").code == 0
    finally:
        repo.git("reset", "-q", "--hard", "main")
        (repo.folder / "made.data").unlink(missing_ok=True)


@pytest.mark.parametrize("target", ["/dev/null", "loose.toml", "new.toml", "out.toml", "{outside}/out.toml"])
def test_strict_when_the_configuration_becomes_a_link(repo: Repository, target: str) -> None:
    """Links to nothing, to files of the base, of the change, that git ignores, and elsewhere."""
    repo.write("loose.toml", "[tool.qd-cov.diff]\nfail_under = 10\n")
    edit(repo, "require_archs = ['cpu', 'vulkan']\n", "")
    repo.commit()
    base = repo.git("rev-parse", "HEAD").strip()
    try:
        missing_line(repo)
        outside = repo.folder.parent
        for file in (repo.folder / "new.toml", repo.folder / "out.toml", outside / "out.toml"):
            file.write_text("[tool.qd-cov.diff]\nfail_under = 10\n")
        (repo.folder / "pyproject.toml").unlink()
        (repo.folder / "pyproject.toml").symlink_to(target.format(outside=outside))
        repo.commit()
        report = repo.diff_as_typed(f"--base-sha={base}", "--strict-config")
        assert report.code == 2 and "% < 90%: cover " in report.err
        assert "Note: This change " in report.out and "fail_under" in report.out
    finally:
        repo.git("reset", "-q", "--hard", "main")
        (repo.folder / "out.toml").unlink(missing_ok=True)


def test_a_configuration_that_was_a_link(repo: Repository) -> None:
    """A link's target is the configuration."""
    edit(repo, "require_archs = ['cpu', 'vulkan']\n", "")
    (repo.folder / "tools").mkdir()
    (repo.folder / "pyproject.toml").rename(repo.folder / "tools" / "p.toml")
    (repo.folder / "pyproject.toml").symlink_to("tools/p.toml")
    repo.commit()
    base = repo.git("rev-parse", "HEAD").strip()
    try:
        missing_line(repo)
        edit(repo, '[90, "src/**=80"]\nmax_missing = 0', '[10, "src/**=80"]\nmax_missing = 9', "tools/p.toml")
        report = repo.diff_as_typed(f"--base-sha={base}")
        assert report.code == 0 and "Note: This change lowers fail_under from 90 to 10" in report.out
        assert repo.diff_as_typed(f"--base-sha={base}", "--strict-config").code == 2
    finally:
        repo.git("reset", "-q", "--hard", "main")


def test_a_configuration_that_leads_nowhere(repo: Repository) -> None:
    (repo.folder / "pyproject.toml").unlink()
    (repo.folder / "pyproject.toml").symlink_to("gone.toml")
    report = repo.diff_as_typed("--fail-under=1")
    assert (report.code, "Couldn't read config file pyproject.toml: it can't be opened" in report.out + report.err) == (1, True)


def test_strict_wants_to_be_told_the_base(repo: Repository) -> None:
    edit(repo, "max_missing = 0", 'max_missing = 0\ncompare_branch = "HEAD"')
    said = repo.diff_as_typed("--strict-config")
    assert said.code == 1 and said.err.startswith("option --strict-config: it needs --compare-branch or --base-sha, ")
    assert repo.diff("--strict-config", "--diff-file=x").code == 1


def test_strict_without_a_change_of_the_configuration(repo: Repository) -> None:
    """The report is the same with --strict-config."""
    missing_line(repo)
    assert repo.diff("--strict-config") == repo.diff()
