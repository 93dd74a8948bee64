"""Gates of `qd-cov diff`: each says by how much it was missed, and is closed on doubt; on the command line and in the configuration."""

from __future__ import annotations

import pytest
from diff_repository import TEN, Repository, edited
from test_diff_errors import complaint

BRANCHES = "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n\n\nf(1)\n"
BRANCH_ARCS = [(-1, 1), (1, 9), (9, -1), (-1, 2), (2, 3), (3, 6), (6, -1)]


@pytest.fixture
def changed(repo: Repository) -> Repository:
    """A changed file, 1 of 2 lines covered, and a new one in src, 3 of 4."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n", 7: "b7 = 7\n"}))
    repo.write("src/new.py", "x = 1\ny = 2\nz = 3\nw = 4\n")
    repo.commit()
    repo.measure({"a.py": [1, 2, 3], "src/new.py": [1, 2, 3]})
    return repo


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fail-under=66"], ""),
        (["--fail-under=67"], "Coverage is 66.7% < 67%: cover 1 of the 2 missing lines to pass."),
        (["--fail-under=src/**=75"], ""),
        (["--fail-under=66.67"], "Coverage is 66.66% < 66.67%: cover 1 of the 2 missing lines to pass."),
        (["--fail-under", "src/**=76"], "Coverage of 'src/**' is 75% < 76%: cover the 1 missing line to pass."),
        (["--fail-under=*.py=50"], ""),
        (["--fail-under=**=66"], ""),
        (["--fail-under=**=67", "--fail-under=src/**=75"], "Coverage is 66.7% < 67%: cover 1 of the 2 missing lines to pass."),
        (["--fail-under=qd:host:**=67"], "Coverage on host is 66.7% < 67%: cover 1 of the 2 missing lines to pass."),
        (["--fail-under=no/such/*=100"], "No file matches 'no/such/*', the pattern of --fail-under: neither one of the change nor any other."),
        (["--fail-under-new-files=75"], ""),
        (["--fail-under-new-files=75.1"], "Coverage of new files is 75% < 75.1%: cover the 1 missing line to pass."),
        (["--max-missing=2"], ""),
        (["--max-missing=1"], "2 are missing, which is 1 more than the 1 that --max-missing allows."),
        (["--fail-under-total=42"], ""),
        (["--fail-under-total=43"], "Total coverage is 42.9% < 43%: cover 1 of the 8 missing lines to pass."),
        (["--max-missing=2", "--max-missing=2"], ""),
        (["--fail-under-branches=0"], "Branch coverage is not known: the data has no branches; run the tests with --branch."),
    ],
)
def test_each_gate(changed: Repository, options: list[str], message: str) -> None:
    report = changed.diff(*options)
    assert report.err == (f"Failure. {message}\n" if message else "")
    assert report.code == (2 if message else 0)


@pytest.mark.parametrize(
    "option", ["max-missing", "fail-under-total", "fail-under-branches", "fail-under-new-files", "max-lost", "minimum-change", "fail-under-mcdc"]
)
def test_two_values(changed: Repository, option: str) -> None:
    """A gate never depends on the order of its options."""
    for first, second in (("1", "2"), ("2", "1")):
        report = changed.diff_as_typed(f"--{option}={first}", f"--{option}={second}")
        assert report.code == 1
        assert (report.out + report.err).startswith(f"option --{option}: '{second}' is a second value, beside '{first}'\n")


@pytest.mark.parametrize(("option", "first", "second"), [("on-no-data", "fail", "pass"), ("require-archs", "vulkan", "cpu")])
def test_two_values_that_are_words(changed: Repository, option: str, first: str, second: str) -> None:
    report = changed.diff_as_typed("--fail-under=1", f"--{option}={first}", f"--{option}={second}")
    assert report.code == 1
    assert f"option --{option}: '{second}' is a second value, beside '{first}'\n" in report.out + report.err


def test_total_of_sources_that_are_gone(changed: Repository) -> None:
    changed.write("gone.py", "x = 1\n")
    changed.measure({"gone.py": [1]})
    (changed.folder / "gone.py").unlink()
    report = changed.diff("--ignore-errors", "--on-no-data=pass", "--fail-under-total=50")
    assert (report.code, report.err.splitlines()[-1]) == (2, "Failure. Total coverage is not known: see the notes of the report.")
    assert "No overall coverage: no file could be reported" in report.out


def test_all_that_are_missed_are_said(changed: Repository) -> None:
    report = changed.diff("--fail-under=90", "--fail-under=src/**=80", "--max-missing=0")
    assert report.err.count("Failure. ") == 3 and report.code == 2


def test_branches(repo: Repository) -> None:
    repo.write("m.py", BRANCHES)
    repo.commit()
    repo.measure_arcs({"m.py": BRANCH_ARCS})
    assert repo.diff("--fail-under-branches=50").code == 0
    report = repo.diff("--fail-under-branches=51")
    assert report.err == "Failure. Branch coverage is 50% < 51%: cover the 1 missing branch to pass.\n"


LINES_ALONE = "def f(x):\n    y = 0\n    if x:\n        y = 2\n    return y\n"


@pytest.mark.parametrize("options", [["--fail-under-branches=0"], ["--branch-coverage", "--fail-under=80"], ["--branch-coverage", "--max-missing=9"]])
@pytest.mark.parametrize("path", ["b.py", "b.js"])
def test_branches_of_some_files_alone(repo: Repository, path: str, options: list[str]) -> None:
    """A changed file without branch data misses the gates of branches, unless nothing of its change can branch."""
    repo.write(path, LINES_ALONE if path == "b.py" else "function f(x) {\n  if (x)\n    y = 1;\n}\n")
    repo.write("m.py", "x = 1\nif x:\n    y = 2\n")
    repo.commit()
    repo.measure_arcs({"m.py": [(-1, 1), (1, 2), (2, 3), (3, -1)]})
    lines = range(1, LINES_ALONE.count("\n") + 1)
    if path == "b.py":
        repo.measure({path: lines}, "lines.coverage")
    else:
        repo.write("lines.coverage", f"SF:{repo.folder}/{path}\n" + "".join(f"DA:{line},1\n" for line in (2, 3)) + "end_of_record\n")
    report = repo.diff(".coverage", "lines.coverage", *options)
    assert report.code == 2
    assert f"Failure. Branch coverage is not known: the data has no branches of '{path}'; measure it with branches.\n" in report.err
    assert repo.diff(".coverage", "lines.coverage", *options, "--on-no-data=pass").code == 0
    if path == "b.py":
        repo.git("checkout", "-q", "-B", "next", "work")
        repo.write(path, LINES_ALONE.replace("y = 2", "y = 3"))
        assert repo.diff(".coverage", "lines.coverage", *options, "--compare-branch=work").err == ""


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--fail-under=**=1%", "option --fail-under: '**=1%' is no percentage from 0 to 100"),
        ("--fail-under==90", "option --fail-under: '=90' has no pattern before '='"),
        ("--fail-under=src/**=x", "option --fail-under: 'src/**=x' is no percentage from 0 to 100"),
        ("--fail-under-total=101", "option --fail-under-total: '101' is no percentage from 0 to 100"),
        ("--max-missing=-1", "option --max-missing: '-1' is no number of lines"),
        ("--max-missing=9999999999999999999", "option --max-missing: '9999999999999999999' is no number of lines"),
        ("--on-no-data=maybe", "option --on-no-data: 'maybe' is none of fail, warn and pass"),
    ],
)
def test_bad_values(changed: Repository, option: str, message: str) -> None:
    report = changed.diff(option)
    assert (report.code, report.err) == (1, f"{message}\nUse 'qd-cov help' for help.\n")


def test_a_pattern_that_is_none(changed: Repository) -> None:
    assert complaint(changed, "--compare-branch=main", "--fail-under=**/**=90") == "File pattern can't include '**/**'"


CONFIGURATIONS = {
    "pyproject.toml": '[tool.qd-cov.diff]\ncompare_branch = "main"\nfail_under = [60, "src/**=80"]\nmax_missing = 1\n',
    "qd-cov.toml": '[diff]\ncompare_branch = "main"\nfail_under = [60, "src/**=80"]\nmax_missing = 1\n',
    ".coveragerc.toml": '[tool.qd-cov.diff]\ncompare_branch = "main"\nmax_missing = 1\n[tool.qd-cov.diff.fail_under]\n"**" = 60\n"src/**" = 80\n',
    "setup.cfg": "[qd-cov:diff]\ncompare_branch = main\nfail_under = 60, src/**=80\nmax_missing = 1\n",
}


@pytest.mark.parametrize("file", CONFIGURATIONS)
def test_configuration(changed: Repository, file: str) -> None:
    changed.write(file, CONFIGURATIONS[file])
    report = changed.diff_as_typed()
    assert report.err == (
        "Failure. Coverage of 'src/**' is 75% < 80%: cover the 1 missing line to pass.\n"
        "Failure. 2 are missing, which is 1 more than the 1 that --max-missing allows.\n"
    )
    assert changed.diff_as_typed("--fail-under=50", "--max-missing=2").code == 0  # option by option


def test_all_options_of_the_configuration(changed: Repository) -> None:
    """Every setting of the command line, in a file; a number keeps all its digits."""
    changed.write(
        "qd-cov.toml",
        "cache = false\n[diff]\n"
        'compare_branch = "main"\ndiff_range_notation = ".."\nfail_under = 66.7\nfail_under_total = 10\nfail_under_new_files = 10\n'
        'on_no_data = "warn"\nformat = ["markdown-summary", "json:out.json"]\nbranch_coverage = true\ninclude_untracked = true\n'
        "ignore_staged = true\nignore_unstaged = true\nignore_whitespace = true\n",
    )
    changed.write("untracked.py", "x = 1\n")
    report = changed.diff_as_typed()
    assert report.out.startswith("**Diff coverage: 66.6%, below 66.7%** · ")
    assert '"diff_name": "main..HEAD and untracked changes"' in (changed.folder / "out.json").read_text()
    assert "CoverageWarning: 1 changed file is not measured, the first is 'untracked.py': no data." in report.err
    assert "Failure. Coverage is 66.6% < 66.7%: cover 1 of the 2 missing lines to pass." in report.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[diff]\nfail_under = ["many"]\n', "Invalid [tool.qd-cov.diff] fail_under value 'many': is no percentage from 0 to 100"),
        ('[diff]\nfail_under = "90"\n', "Couldn't read config file qd-cov.toml: Option [diff]fail_under is not a list: '90'"),
        ("[diff]\nfail_under = [true]\n", "Couldn't read config file qd-cov.toml: Option [diff]fail_under is neither a number nor a string: True"),
        ("[diff\n", "Couldn't read config file qd-cov.toml: "),
        ('[diff]\non_no_data = "x"\n', "Invalid [tool.qd-cov.diff] on_no_data value 'x': is none of fail, warn and pass"),
    ],
)
def test_bad_configuration(changed: Repository, text: str, message: str) -> None:
    changed.write("qd-cov.toml", text)
    assert complaint(changed, "--compare-branch=main").startswith(message)


def test_a_file_that_was_omitted_by_its_old_name(repo: Repository) -> None:
    """No gate has seen its lines, although git shows the edited ones alone."""
    repo.git("checkout", "-q", "main")
    repo.write("examples/b.py", TEN)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    (repo.folder / "src").mkdir()
    repo.git("mv", "examples/b.py", "src/b.py")
    repo.git("mv", "a.py", "src/a.py")
    repo.commit()
    repo.measure({"src/a.py": [], "src/b.py": [1, 2, 3]})
    assert repo.diff("--fail-under=100").code == 0
    for omit in ("[run]\nomit = examples/*\n", "[report]\nomit = */examples/*\n"):
        repo.write(".coveragerc", omit)
        report = repo.diff("--fail-under=31")
        assert report.total() == (10, 7) and list(report.rows) == ["src/b.py"]
        assert report.err == "Failure. Coverage is 30% < 31%: cover 1 of the 7 missing lines to pass.\n"
    assert repo.diff("--fail-under=100", "--omit=src/b.py").code == 0


def test_unknown_options_are_errors(changed: Repository) -> None:
    changed.write("qd-cov.toml", "speed = 1\n[diff]\nfail_over = 1\n")
    assert complaint(changed).startswith("Unrecognized option '[] speed=' in config file qd-cov.toml; there are conditions, ")
    changed.write("qd-cov.toml", "[diff]\nfail_over = 1\n")
    assert complaint(changed) == "Unrecognized option '[diff] fail_over=' in config file qd-cov.toml; did you mean 'fail_under'?"
