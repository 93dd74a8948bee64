"""Gates in the configuration hold, or the command ends with exit code 1 and names the file and the key: none is off without a message."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from diff_repository import TEN, Repository, edited
from test_diff_errors import complaint

FILES = ("pyproject.toml", "qd-cov.toml", "setup.cfg", "tox.ini", ".coveragerc", ".coveragerc.toml")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A change with 3 of 5 changed lines covered; coverage of everything is above 40 % and below 90 %."""
    repo = Repository(tmp_path_factory.mktemp("strict") / "repo")
    repo.write("a.py", TEN)
    repo.commit()
    repo.branch("work")
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n", 7: "b7 = 7\n"}))
    repo.write("src/new.py", "x = 1\ny = 2\nz = 3\n")
    repo.commit()
    repo.measure({"a.py": [1, 2, 3], "src/new.py": [1, 2]})
    return repo


@pytest.fixture
def repo(shared: Repository) -> Iterator[Repository]:
    """The same, without any configuration before and after."""
    (shared.folder / "sub/deep").mkdir(parents=True, exist_ok=True)
    yield shared
    for name in FILES:
        for folder in ("", "sub/", "src/"):
            (shared.folder / folder / name).unlink(missing_ok=True)


def run(repo: Repository, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in the repository's folder."""
    return subprocess.run(words, cwd=repo.folder, env=repo.environment, capture_output=True, text=True, check=False)


HOLDING = [
    ("pyproject.toml", '[tool.qd-cov.diff.fail_under]\n"src/**" = 90\n'),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = {"src/**" = 90, "a.py" = "10"}\n'),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under."src/**" = 90.5\n'),
    ("pyproject.toml", 'tool.qd-cov.diff.fail_under."src/**" = 90\n'),
    ("pyproject.toml", '[tool]\nqd-cov = {diff = {fail_under = {"src/**" = 90}}}\n'),
    ("qd-cov.toml", '[diff.fail_under]\n"src/**" = 90\n'),
    ("qd-cov.toml", 'diff = {fail_under = {"src/**" = 90}}\n'),
    (".coveragerc.toml", '[tool.qd-cov.diff.fail_under]\n"src/**" = 90\n'),
    ("setup.cfg", "[qd-cov:diff]\nfail_under =\n    src/** = 90\n    a.py = 10\n"),
    ("tox.ini", "[qd-cov:diff]\nfail_under: 10, src/**=90\n"),
    (".coveragerc", "[qd-cov:diff]\nFail_Under = ${QD_MIN}\n"),
    (".coveragerc", "[qd-cov:diff]\nfail_under = ${QD_NONE-90}\n"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = [10, "src/**=${QD_MIN}"]\n'),
    ("setup.cfg", "[DEFAULT]\nwhatever = 1\n[qd-cov:diff]\nfail_under = 90\n"),
]


@pytest.mark.parametrize(("file", "text"), HOLDING)
def test_it_holds(repo: Repository, file: str, text: str) -> None:
    repo.write(file, text)
    report = repo.diff("-q", QD_MIN="90")
    assert report.code == 2 and report.err.startswith("Failure. Coverage "), (report.out, report.err)
    repo.write(file, text.replace("90", "50"))
    assert repo.diff("-q", QD_MIN="50").code == 0


# file, text, the part of the message beside the file's name
REFUSED = [
    # another spelling of the key
    (
        "pyproject.toml",
        "[tool.qd-cov.diff]\nfail-under = 90\n",
        "'[tool.qd-cov.diff] fail-under=' in config file pyproject.toml; did you mean 'fail_under'?",
    ),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_undr = 90\n", "did you mean 'fail_under'?"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nFail_Under = 90\n", "did you mean 'fail_under'?"),
    ("pyproject.toml", '[tool.qd-cov.diff.fail_undr]\n"**" = 90\n', "'[tool.qd-cov.diff.fail_undr]'"),
    ("pyproject.toml", "[tool.qd-cov]\nfail_under = 90\n", "it belongs to '[tool.qd-cov.diff]'"),
    ("qd-cov.toml", "fail_under = 90\n", "it belongs to '[diff]'"),
    ("setup.cfg", "[qd-cov:diff]\nfail-under = 90\n", "did you mean 'fail_under'?"),
    ("setup.cfg", "[qd-cov]\nmax_missing = 0\n", "it belongs to '[qd-cov:diff]'"),
    ("qd-cov.toml", "speed = 1\n", "'[] speed='"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_conditions = 90\n", "it belongs to '[tool.qd-cov]'"),
    # another spelling of the section
    ("pyproject.toml", "[tool.qd-cov.dif]\nfail_under = 90\n", "'[tool.qd-cov.dif]'"),
    ("pyproject.toml", "[tool.qd-cov.Diff]\nfail_under = 90\n", "did you mean 'diff'?"),
    ("pyproject.toml", "[tool.QD-cov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov.diff]'?"),
    ("pyproject.toml", "[tool.qd_cov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov"),
    ("pyproject.toml", "[tool.qdcov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov"),
    ("pyproject.toml", "[tool.qd-cvo.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov"),
    ("pyproject.toml", "[tools.qd-cov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov"),
    ("pyproject.toml", "[qd-cov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov"),
    ("pyproject.toml", "[tool.qd-cov-diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov.diff]'?"),
    ("pyproject.toml", '["tool.qd-cov:diff"]\nfail_under = 90\n', "did you mean '[tool.qd-cov.diff]'?"),
    ("pyproject.toml", '["qd-cov:diff"]\nfail_under = 90\n', "did you mean '[tool.qd-cov.diff]'?"),
    ("pyproject.toml", "[tool.coverage.qd-cov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov"),
    ("pyproject.toml", "[project.qd-cov]\nfail_under_mcdc = 90\n", "did you mean '[tool.qd-cov]'?"),
    (".coveragerc.toml", "[diff]\nfail_under = 90\n[qd-cov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov"),
    ("qd-cov.toml", "[tool.qd-cov.diff]\nfail_under = 90\n", "did you mean '[diff]'?"),
    ("qd-cov.toml", "[qd-cov.diff]\nfail_under = 90\n", "did you mean '[diff]'?"),
    ("qd-cov.toml", "[qd-cov]\nrequire_hashes = true\n", "this file has '[diff]' and '[check]', and before them the keys of '[tool.qd-cov]'"),
    ("qd-cov.toml", "[Diff]\nfail_under = 90\n", "'[Diff]'"),
    ("qd-cov.toml", "[report]\nfail_under = 90\n", "'[report]'"),
    ("qd-cov.toml", "[tool.coverage.report]\nfail_under = 90\n", "'[tool.coverage.report]'"),
    (".coveragerc", "[qd-cov.diff]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    (".coveragerc", "[tool.qd-cov.diff]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    (".coveragerc", "[qd-cov:Diff]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    ("setup.cfg", "[tool:qd-cov:diff]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    ("setup.cfg", "[qd-cov diff]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    ("setup.cfg", "[qd_cov:diff]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    ("setup.cfg", "[ qd-cov:diff ]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    ("tox.ini", "[QD-COV:DIFF]\nfail_under = 90\n", "did you mean '[qd-cov:diff]'?"),
    ("tox.ini", "[qd-cov:diff:fail_under]\nsrc/** = 90\n", "did you mean '[qd-cov:diff]'?"),
    ("tox.ini", "[coverage:qd-cov]\nfail_under_mcdc = 90\n", "did you mean '[qd-cov]'?"),
    ("pyproject.toml", "[tool.qd.cov.diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov.diff]'?"),
    ("pyproject.toml", "[diff]\nfail_under = 90\n", "did you mean '[tool.qd-cov.diff]'?"),
    ("pyproject.toml", "[tool.diff]\nmax_missing = 0\n", "did you mean '[tool.qd-cov.diff]'?"),
    ("setup.cfg", "[diff]\nfail_under_total = 90\n", "did you mean '[qd-cov:diff]'?"),
    (".coveragerc", "[coverage:diff]\nrequire_archs = cpu\n", "did you mean '[qd-cov:diff]'?"),
    # values in the place of a table
    ("pyproject.toml", "[[tool.qd-cov.diff]]\nfail_under = 90\n", "'[[tool.qd-cov.diff]]' in config file pyproject.toml is a list of tables"),
    ("pyproject.toml", "[[tool.qd-cov]]\n[tool.qd-cov.diff]\nfail_under = 90\n", "is a list of tables"),
    ("pyproject.toml", "[[tool]]\n[tool.qd-cov.diff]\nfail_under = 90\n", "is a list of tables"),
    ("qd-cov.toml", "[[diff]]\nfail_under = 90\n", "'[[diff]]'"),
    ("pyproject.toml", "[tool.qd-cov]\ndiff = 90\n", "Option [tool.qd-cov]diff in config file pyproject.toml is not a table: 90"),
    ("pyproject.toml", "[tool]\nqd-cov = 90\n", "'[tool.qd-cov]'"),
    # values
    (
        "pyproject.toml",
        "[tool.qd-cov.diff]\nfail_under_total = {a = 99}\n",
        "[tool.qd-cov.diff]fail_under_total is neither a number nor a string: {'a': 99}",
    ),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_total = true\n", "fail_under_total is neither a number nor a string: True"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_total = [90]\n", "fail_under_total is neither"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_total = 1979-05-27\n", "fail_under_total is neither"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_total = nan\n", "fail_under_total value 'nan': is no percentage from 0 to 100"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_total = inf\n", "fail_under_total value 'inf'"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_total = 100.1\n", "fail_under_total value '100.1'"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under_total = -1\n", "fail_under_total value '-1'"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under_total = ""\n', "[tool.qd-cov.diff]fail_under_total is empty"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under_total = "90%"\n', "fail_under_total value '90%'"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under = []\n", "[tool.qd-cov.diff]fail_under is empty"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under = {}\n", "[tool.qd-cov.diff]fail_under is empty"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under = true\n", "[tool.qd-cov.diff]fail_under is not a list: True"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under = {a.py = 90}\n", "quote a pattern with dots"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = {"" = 90}\n', "fail_under value '=90': has no pattern before '='"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = {"src/**" = true}\n', "fail_under is neither a number nor a string: True"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = {"src/**" = 101}\n', "fail_under value 'src/**=101': is no percentage"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nrequire_archs = []\n", "[tool.qd-cov.diff]require_archs is empty"),
    ("pyproject.toml", "[tool.qd-cov.diff]\nmax_missing = 1.5\n", "max_missing value '1.5': is no number of lines"),
    ("pyproject.toml", "[tool.qd-cov.diff]\non_no_data = true\n", "[tool.qd-cov.diff]on_no_data is not a string: True"),
    ("pyproject.toml", '[tool.qd-cov.diff]\non_no_data = "Fail"\n', "on_no_data value 'Fail': is none of fail, warn and pass"),
    ("pyproject.toml", "[tool.qd-cov]\nrequire_hashes = {a = 1}\n", "[tool.qd-cov]require_hashes is not a boolean: {'a': 1}"),
    ("pyproject.toml", "[tool.qd-cov]\nrequire_hashes = 1\n", "[tool.qd-cov]require_hashes is not a boolean: 1"),
    ("pyproject.toml", "[tool.qd-cov]\nfail_under_mcdc = {a = 1}\n", "[tool.qd-cov]fail_under_mcdc is neither"),
    ("setup.cfg", "[qd-cov]\nrequire_hashes = ja\n", "[qd-cov]require_hashes is not a boolean: 'ja'"),
    ("setup.cfg", "[qd-cov]\nrequire_hashes =\n", "[qd-cov]require_hashes is empty"),
    ("setup.cfg", "[qd-cov:diff]\nfail_under =\n", "[qd-cov:diff]fail_under is empty"),
    ("setup.cfg", "[qd-cov:diff]\nfail_under_total =\n", "[qd-cov:diff]fail_under_total is empty"),
    ("setup.cfg", "[qd-cov:diff]\nrequire_archs = ,\n", "[qd-cov:diff]require_archs is empty"),
    # variables that are not set
    (".coveragerc", "[qd-cov:diff]\nfail_under = ${QD_NONE}\n", "[qd-cov:diff]fail_under uses the variable QD_NONE, which is not set"),
    (".coveragerc", "[qd-cov:diff]\nfail_under = 10, src/**=${QD_NONE}\n", "QD_NONE"),
    (".coveragerc", "[qd-cov:diff]\nfail_under = 10, $QD_NONE\n", "QD_NONE"),
    (".coveragerc", "[qd-cov:diff]\nfail_under = 10, $QD_EMPTY\n", "fail_under is empty: '$QD_EMPTY'"),
    (".coveragerc", "[qd-cov:diff]\nfail_under_total = $QD_NONE\n", "QD_NONE"),
    (".coveragerc", "[qd-cov]\nrequire_hashes = $QD_NONE\n", "QD_NONE"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = ["${QD_NONE}"]\n', "QD_NONE"),
    ("pyproject.toml", '[tool.qd-cov.diff]\non_no_data = "${QD_NONE}"\n', "QD_NONE"),
    ("pyproject.toml", '[tool.qd-cov.diff]\nrequire_archs = ["${QD_NONE?}"]\n', "QD_NONE"),
    # settings that are swallowed by the value above them
    (".coveragerc", "[qd-cov:diff]\nexclude =\n    tests/*\n    fail_under = 90\n", "'fail_under' in config file .coveragerc is not read"),
    (
        "setup.cfg",
        "[qd-cov:diff]\ncompare_branch = main\n max_missing: 0\n",
        "it is indented, so it belongs to the value of '[qd-cov:diff] compare_branch'",
    ),
    ("tox.ini", "[qd-cov]\nsrc_roots =\n    src\n    require_hashes = true\n", "'require_hashes' in config file tox.ini is not read"),
    ("tox.ini", "[tox]\nenvlist = a\n    [qd-cov:diff]\n    fail_under = 90\n", "belongs to the value of '[tox] envlist'"),
    # files that are none
    ("pyproject.toml", "[tool.qd-cov.diff\nfail_under = 90\n", "Couldn't read config file pyproject.toml"),
    ("setup.cfg", "fail_under = 90\n[qd-cov:diff]\n", "Couldn't read config file setup.cfg: File contains no section headers."),
]


@pytest.mark.parametrize(("file", "text", "message"), REFUSED, ids=[f"{file}-{i}" for i, (file, _, _) in enumerate(REFUSED)])
def test_it_is_refused(repo: Repository, file: str, text: str, message: str) -> None:
    repo.write(file, text)
    report = repo.diff("-q", QD_EMPTY="")
    assert (report.code, report.err) == (1, "")
    assert message in report.out and file in report.out


@pytest.mark.parametrize("command", ["report", "html", "json", "combine", "check", "erase", "run"])
def test_every_command_says_so(repo: Repository, command: str) -> None:
    repo.write("pyproject.toml", "[tool.qd-cov.diff]\nfail-under = 90\n")
    words = [command, "--", "true"] if command == "run" else [command]
    done = run(repo, "qd-cov", *words)
    assert done.returncode == 1 and "did you mean 'fail_under'?" in done.stdout + done.stderr
    assert (repo.folder / ".coverage").exists()


def test_what_is_not_ours(repo: Repository) -> None:
    """Tables of other tools whose names have ours in them."""
    repo.write(
        "pyproject.toml",
        '[project]\nname = "qd-cov-demo"\ndependencies = ["qd-cov"]\n[project.scripts]\nqd-cov = "a:b"\n[tool.uv.sources]\nqd-cov = {path = "."}\n'
        '[tool.poetry.dependencies.qd-cov]\npath = "."\n[tool.qd-covariance]\n'
        'x = 1\n[[tool.mypy.overrides]]\nmodule = "qd_cov"\n[tool.gcovr]\nx = 1\n'
        "[tool.interrogate]\nfail-under = 80\n[tool.docstr-coverage]\nfail_under = 80\n"
        '[diff]\ntool = "meld"\n[tool.diff_cover]\nfail_under = 80\n',
    )
    repo.write("setup.cfg", "[metadata]\nname = qd-cov\n[options.extras_require]\nqd-cov = x\n")
    assert repo.diff("-q").code == 0


def test_what_is_no_ini_file(repo: Repository) -> None:
    """A file that is no INI is an error when there may be settings of ours in it, and another tool's affair otherwise."""
    repo.write("setup.cfg", "[a]\nx = 1\nx = 2\ndeps = qd-cov\n")
    repo.write(".coveragerc", "")
    assert repo.diff("-q").code == 0
    repo.write("setup.cfg", "[a]\nx = 1\nx = 2\n[qd_cov:diff]\nfail_under = 90\n")
    assert complaint(repo).startswith("Couldn't read config file setup.cfg: While reading from 'setup.cfg'")


@pytest.mark.parametrize(
    "text", ["# \xe9\n[tool.qd-cov.diff]\nfail_under = 90\n".encode("latin-1"), "[tool.qd-cov.diff]\nfail_under = 90\n".encode("utf-16")]
)
def test_what_is_no_text(repo: Repository, text: bytes) -> None:
    repo.write(".coveragerc", "")  # for coverage.py this is the only file
    repo.write("pyproject.toml", text)
    assert complaint(repo).startswith("Couldn't read config file pyproject.toml: ")


def test_our_file_as_the_one_that_is_named(repo: Repository) -> None:
    """Our file, where it is the named one, may have coverage.py's sections, too."""
    repo.write("qd-cov.toml", "[report]\nprecision = 1\n[diff]\nfail_under = 90\n")
    assert repo.diff("--rcfile=qd-cov.toml").code == 2
    repo.write("qd-cov.toml", "[report]\nprecision = 1\n[Diff]\nfail_under = 90\n")
    assert complaint(repo, "--rcfile=qd-cov.toml") == "Unrecognized section '[Diff]' in config file qd-cov.toml; did you mean '[diff]'?"


def test_two_files_of_a_folder(repo: Repository) -> None:
    repo.write("pyproject.toml", "[tool.qd-cov.diff]\nfail_under = 90\n")
    repo.write("qd-cov.toml", "cache = false\n")
    assert complaint(repo) == "Settings of qd-cov stand in qd-cov.toml and in pyproject.toml: keep them in one of these files"
    assert repo.diff("--rcfile=qd-cov.toml").code == 0  # the user's word
    repo.write("qd-cov.toml", "")
    assert repo.diff().code == 2


@pytest.mark.parametrize("name", [".qd-cov.toml", "qd_cov.toml", "qd-cov.ini", ".qdcovrc", "QD-COV.toml", "Qd_Cov.cfg"])
def test_a_file_that_nobody_reads(repo: Repository, name: str) -> None:
    file = repo.write(name, "[diff]\nfail_under = 90\n")
    try:
        assert complaint(repo, "-q") == f"Config file {name} is not read; its name has to be 'qd-cov.toml'"
    finally:
        file.unlink()


@pytest.mark.parametrize("make", ["folder", "link"])
def test_a_file_that_is_none(repo: Repository, make: str) -> None:
    path = repo.folder / "qd-cov.toml"
    path.mkdir() if make == "folder" else path.symlink_to("nowhere.toml")
    try:
        assert complaint(repo, "-q") == "Couldn't read config file qd-cov.toml: it can't be opened"
    finally:
        path.rmdir() if make == "folder" else path.unlink()


def test_budgets_by_pattern(repo: Repository) -> None:
    """The other setting with patterns, of `qd-cov check`; no other one takes a table, or numbers for texts."""

    def check(text: str) -> tuple[int, str]:
        repo.write("pyproject.toml", f"[tool.qd-cov.check]\n{text}\n")
        done = run(repo, "qd-cov", "check", "--list")
        return done.returncode, done.stdout + done.stderr

    assert check('slow-tests-budget = {"tests/**" = 2.5}')[0] == 0
    assert "slow-tests-budget = tests/**=2.5" in check('slow-tests-budget = {"tests/**" = 2.5}')[1]
    for text in ("slow-tests-budget = []", "slow-tests-budget = {a = true}", "test-files = {a = 1}", "test-files = [1]", "ignore = 3",
                 'untested-changes = {"src/**" = "error"}', 'slow-tests = "error"\nslow_tests = "off"', 'slow-tests-junit = "${QD_NONE}"',
                 'change-size-max-source = ""', 'test-files = ["untested-changes = error"]'):  # fmt: skip
        code, said = check(text)
        assert code == 1 and "check]" in said, (text, said)


# Gates of coverage.py. Its settings keep its behaviour, but a gate is never off without a word.

MISPLACED = [
    (".coveragerc", "[report]\nfail-under = 99\n"),
    (".coveragerc", "[report]\nfail_udner = 99\n"),
    (".coveragerc", "[Report]\nfail_under = 99\n"),
    (".coveragerc", "[run]\nfail_under = 99\n"),
    (".coveragerc", "[coverage.report]\nfail_under = 99\n"),
    (".coveragerc", "[tool.coverage.report]\nfail_under = 99\n"),
    ("setup.cfg", "[report]\nfail_under = 99\n"),
    ("setup.cfg", "[coverage: report]\nfail_under = 99\n"),
    ("tox.ini", "[coverage]\nfail_under = 99\n"),
    ("pyproject.toml", "[tool.coverage.Report]\nfail_under = 99\n"),
    ("pyproject.toml", "[tool.coverage.report]\nfail-under = 99\n"),
    ("pyproject.toml", "[tool.coverage]\nfail_under = 99\n"),
    ("pyproject.toml", "[coverage.report]\nfail_under = 99\n"),
    ("pyproject.toml", "[[tool.coverage.report]]\nfail_under = 99\n"),
    ("pyproject.toml", "[tool.Coverage.report]\nfail_under = 99\n"),
    ("pyproject.toml", "[tool.coverage.report]\ncov-fail-under = 99\n"),
    (".coveragerc", "[paths]\nsource =\n    src\n    */src\nfail_under = 99\n"),
    ("pyproject.toml", '[tool.coverage.paths]\nsource = ["src", "*/src"]\nfail_under = ["99"]\n'),
    (".coveragerc", "[report]\nexclude_also =\n    if x:\n    fail_under = 99\n"),
    (".coveragerc", "[run]\nomit =\n    tests/*\n    [report]\n    fail_under: 99\n"),
    ("setup.cfg", "[coverage:html]\ntitle = Mine\n fail_under = 99\n"),
    ("tox.ini", "[testenv]\ncommands =\n    x\n    [coverage:report]\n    fail_under = 99\n"),
]


@pytest.mark.parametrize(("file", "text"), MISPLACED)
def test_a_gate_of_coverage_py_that_nobody_reads(repo: Repository, file: str, text: str) -> None:
    repo.write(file, text)
    done = run(repo, "qd-cov", "report")
    assert done.returncode == 1 and re.search(f"in config file {re.escape(file)} is not read(; did you mean|: it is indented, so)", done.stdout)
    assert run(repo, "qd-cov", "report", "--fail-under=10").returncode == 0  # the option of the command line counts
    assert repo.diff().code == 0  # it is no gate of this command


@pytest.mark.parametrize("value", ["${QD_NONE}", "nan", "101", "", "abc", "[90]"])
def test_values_of_coverage_py_s_gate(repo: Repository, value: str) -> None:
    """coverage.py ends with an error, too."""
    for file, text in ((".coveragerc", f"[report]\nfail_under = {value}\n"), ("pyproject.toml", f'[tool.coverage.report]\nfail_under = "{value}"\n')):
        repo.write(file, text)
        for program in ("qd-cov", "coverage"):
            done = run(repo, program, "report", f"--rcfile={file}")
            assert done.returncode == 1, (program, done.stdout)


def test_a_file_that_hides_another_s_gate(repo: Repository) -> None:
    def warning() -> str:
        return run(repo, "qd-cov", "report").stderr

    hidden = "is not read: settings are those of .coveragerc"
    repo.write("pyproject.toml", "[tool.coverage.report]\nfail_under = 99\n")
    assert warning() == ""
    repo.write(".coveragerc", "[run]\nbranch = false\n")
    assert warning() == f"CoverageWarning: '[tool.coverage.report] fail_under' in config file pyproject.toml {hidden}\n"
    repo.write(".coveragerc", "[report]\nfail_under = 1\n")
    assert warning() == ""


# Deep TOML

DEEP = {
    "section": "[" + ".".join(["a"] * 50_000) + "]\n",
    "list of tables": "[[" + ".".join(["a"] * 50_000) + "]]\n",
    "name": ".".join(["a"] * 50_000) + " = 1\n",
    "quoted": "[" + ".".join(['"a b"', "'c'"] * 25_000) + "]\n",
    "lists": "x = " + "[" * 50_000 + "]" * 50_000 + "\n",
    "lists without an end": "x = " + "[" * 50_000,
    "inline tables": "x = " + "{a = " * 50_000 + "1" + "}" * 50_000 + "\n",
    "names in inline tables": "[" + ".".join(["t"] * 60) + "]\nx = " + ("{" + ".".join(["a"] * 60) + " = ") * 60 + "1" + "}" * 60 + "\n",
    "behind a text": "s = '''\n\"\"\"[[[''' # [[[\nt = \"\\\"[[\"\n[" + ".".join(["a"] * 50_000) + "]\n",
}


@pytest.mark.parametrize("text", DEEP)
@pytest.mark.parametrize("file", ["pyproject.toml", "qd-cov.toml", ".coveragerc.toml"])
def test_deep_toml(repo: Repository, file: str, text: str) -> None:
    repo.write(file, DEEP[text] if file == "qd-cov.toml" else DEEP[text] + "# qd-cov\n")
    said = complaint(repo, "--compare-branch=main")
    assert said.startswith(f"Couldn't read config file {file}: Tables and lists are nested more than 100 deep (at line ")


def test_toml_that_is_wide(repo: Repository) -> None:
    """Dots and brackets that nest nothing."""
    numbers = ", ".join(["1.5"] * 1000)
    texts = '\'\'\'[.[.[\'\'\']\n[b]\nt = """a.b\\""""""'
    tables = "".join(f"[tool.t{i}.a.b.c]\nx = {{a.b = [[1.5], [2.5]], c = '{'.' * 200}'}}\n" for i in range(500))
    repo.write("pyproject.toml", f"a = [{numbers}]\nc = [{texts}\n{tables}[tool.qd-cov.diff]\nfail_under = 90\n")
    assert repo.diff("-q").code == 2


# From a folder below

ROOTS = [
    ("pyproject.toml", "[tool.qd-cov.diff]\nfail_under = 90\n"),
    ("qd-cov.toml", '[diff.fail_under]\n"src/**" = 90\n'),
    ("setup.cfg", "[qd-cov:diff]\nmax_missing = 0\n"),
    (".coveragerc", "[qd-cov:diff]\nfail_under_new_files = 90\n"),
]


@pytest.mark.parametrize(("file", "text"), ROOTS)
def test_gates_of_the_root_hold_below(repo: Repository, file: str, text: str) -> None:
    repo.write(file, text)
    for folder in ("sub", "sub/deep"):
        up = "../" * (folder.count("/") + 1)
        assert repo.diff("-q", f"--data-file={up}.coverage", cwd=folder).code == 2
    assert repo.diff("-q", "--data-file=../.coverage", "--rcfile=", cwd="sub").code == 0


def test_the_root_that_git_is_told(repo: Repository) -> None:
    """A working tree without .git in it."""
    repo.write("pyproject.toml", "[tool.qd-cov.diff]\nfail_under = 90\n")
    away = repo.folder.parent / "away.git"
    (repo.folder / ".git").rename(away)
    try:
        where = {"GIT_DIR": str(away), "GIT_WORK_TREE": str(repo.folder)}
        assert repo.diff("--data-file=../.coverage", cwd="sub", **where).code == 2
    finally:
        away.rename(repo.folder / ".git")


def test_the_nearer_folder_wins_setting_by_setting(repo: Repository) -> None:
    repo.write("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = 90\nmax_missing = 0\nexclude = ["a.py"]\n')
    repo.write("sub/qd-cov.toml", "cache = false\n[diff]\nfail_under = 10\n")
    report = repo.diff("--data-file=../.coverage", cwd="sub")
    assert report.code == 2
    # fail_under is the nearer one, max_missing and exclude are the root's
    assert report.err == "Failure. 1 is missing, which is 1 more than the 0 that --max-missing allows.\n"
    assert list(report.rows) == ["src/new.py"]
    repo.write("pyproject.toml", "[tool.qd-cov.diff]\nmax_mising = 0\n")
    said = complaint(repo, "--compare-branch=main", cwd="sub")
    assert said == "Unrecognized option '[tool.qd-cov.diff] max_mising=' in config file ../pyproject.toml; did you mean 'max_missing'?"


def test_paths_of_the_root_are_its_own(repo: Repository) -> None:
    """Files and patterns that a file names are found from the folder of that file."""
    repo.write("out/more.info", "SF:src/new.py\nDA:3,1\nend_of_record\n")
    repo.write(
        "pyproject.toml", '[tool.qd-cov]\ninputs = ["out/more.info"]\n[tool.qd-cov.diff]\ninclude = ["src/**"]\nformat = ["json:out/report.json"]\n'
    )
    report = repo.diff("--data-file=../.coverage", cwd="sub")
    assert list(report.rows) == ["src/new.py"], (report.out, report.err)
    assert (repo.folder / "out/report.json").exists() and not (repo.folder / "sub/out").exists()


def test_another_tools_section_beside_the_gate(repo: Repository) -> None:
    """[report] of tox.ini is not coverage.py's, and coverage.py's has a gate."""
    repo.write("tox.ini", "[coverage:report]\nfail_under = 10\n[report]\nfail_under = 3\n")
    repo.measure({"a.py": range(1, 11)})
    done = subprocess.run(["qd-cov", "report"], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
