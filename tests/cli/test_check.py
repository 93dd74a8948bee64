"""`qd-cov check` as a command: checks that are switched on, silenced and weighed findings, formats, hostile names, mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from check_runs import as_json, check, check_in, measure_tests, new_repository
from diff_repository import Repository

RUN = "tests/test_a.py::test_f|run"
TWO = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"


@pytest.fixture
def project(repo: Repository) -> Repository:
    """Two changed functions that no test reaches."""
    return with_functions(repo)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """The same for all tests that write qd-cov.toml or src/b.py anew, and nothing else."""
    return with_functions(new_repository(tmp_path_factory.mktemp("shared") / "repo"))


def with_functions(repo: Repository) -> Repository:
    """Write them, and data of them."""
    repo.write("src/b.py", TWO)
    repo.commit()
    measure_tests(repo, {RUN: {"a.py": [1]}, "": {"src/b.py": [1, 5]}})
    return repo


def test_nothing_is_switched_on(project: Repository) -> None:
    checked = check(project)
    assert checked.code == 1
    assert checked.out.startswith("No checks are switched on. Name some ('qd-cov check untested-changes'), or switch them on in pyproject.toml:\n")


TOML = 'untested-changes = "warning"\nchange_size = "error"\nchange-size-max-source = 5\n'
CONFIGURATIONS = {
    "pyproject.toml": f'[tool.qd-cov.diff]\ncompare_branch = "main"\n[tool.qd-cov.check]\n{TOML}',
    "qd-cov.toml": f'[diff]\ncompare_branch = "main"\n[check]\n{TOML}',
    "setup.cfg": "[qd-cov:diff]\ncompare_branch = main\n[qd-cov:check]\n" + TOML.replace('"', ""),
}


@pytest.mark.parametrize("file", CONFIGURATIONS)
def test_configuration(project: Repository, file: str) -> None:
    project.write(file, CONFIGURATIONS[file])
    checked = check_in(project.folder, project.environment)
    assert checked.findings == [("src/b.py", 1, "untested-changes"), ("src/b.py", 5, "untested-changes"), ("src/b.py", 1, "change-size")]
    assert [message.startswith("warning: ") for message in checked.messages] == [True, True, False]
    assert checked.out.endswith("\n1 error, 2 warnings\n") and checked.code == 2
    project.write(file, CONFIGURATIONS[file].replace("error", "off"))
    checked = check_in(project.folder, project.environment)
    assert checked.out.endswith("\n2 warnings\n") and checked.code == 0


def test_the_list(project: Repository) -> None:
    project.write("qd-cov.toml", '[check]\nslow-tests = "error"\nslow-tests-budget = [1, "a/**=2.5"]\n')
    out = check(project, "--list").out
    for line in ("untested-changes = off", "slow-tests = error", "    slow-tests-budget = 1, a/**=2.5", "    change-size-max-source = (none)"):
        assert line in out.splitlines()


def test_named_although_off(project: Repository) -> None:
    project.write("qd-cov.toml", '[check]\nuntested-changes = "off"\n')
    assert check(project, "untested-changes").code == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("untested-change = 'error'", "[tool.qd-cov.check] has no setting 'untested-change'; there are untested-changes, change-size, "),
        ("untested-changes = 'fatal'", "Invalid [tool.qd-cov.check] untested-changes value 'fatal': is none of error, warning and off"),
        ("untested-changes = true", "Invalid [tool.qd-cov.check] untested-changes value 'true': is none of error, warning and off"),
        ("change-size-max-source = -1", "Invalid [tool.qd-cov.check] change-size-max-source value '-1': is no whole number"),
        ("change-size-max-source = [1, 2]", "Invalid [tool.qd-cov.check] change-size-max-source value '1, 2': takes one number"),
        ("change-size-max-source = 99999999999", "Invalid [tool.qd-cov.check] change-size-max-source value '99999999999': is no whole number"),
        ("change-size-min-test-ratio = 'x'", "Invalid [tool.qd-cov.check] change-size-min-test-ratio value 'x': is no number from 0 to 100"),
        ("slow-tests-budget = ['=1']", "Invalid [tool.qd-cov.check] slow-tests-budget value '=1': has no pattern before '='"),
        ("slow-tests-budget = ['a=b']", "Invalid [tool.qd-cov.check] slow-tests-budget value 'a=b': is no number"),
        ("slow-tests-budget = ['**/**=1']", "File pattern can't include '**/**'"),
        ("test-files = ['**/**']", "File pattern can't include '**/**'"),
        ("ignore = ['docs/**']", "Invalid [tool.qd-cov.check] ignore value 'docs/**': is not like 'CHECK:PATTERN'"),
        ("ignore = ['nope:docs/**']", "Invalid [tool.qd-cov.check] ignore value 'nope:docs/**': there is no check 'nope'; there are "),
        ("ignore = ['slow-tests:']", "Invalid [tool.qd-cov.check] ignore value 'slow-tests:': is not like 'CHECK:PATTERN'"),
        ("format = ['xml']", "option --format: unknown format 'xml'; there are text, json, github-annotations, gitlab, sarif\n"),
    ],
)
def test_bad_configuration(shared: Repository, text: str, message: str) -> None:
    shared.write("qd-cov.toml", f"[check]\n{text}\n")
    checked = check(shared, "untested-changes")
    assert checked.code == 1
    assert (checked.out + checked.err).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "Unknown check: there is no check 'nope'; there are untested-changes, change-size, deleted-comments, slow-tests, "),
        (["unused-ignore"], "unused-ignore is about comments for other checks: name one of those\nUse 'qd-cov help' for help.\n"),
        (["untested-changes", "--compare-branch=gone"], "Unknown branch 'gone'"),
        (["untested-changes", "--data-file=gone"], "No data to report: there is no 'gone'"),
        (["untested-changes", "--base-sha=main", "--compare-branch=main"], "option --base-sha: it can't be used with --compare-branch\n"),
    ],
)
def test_mistakes(shared: Repository, arguments: list[str], message: str) -> None:
    shared.write("qd-cov.toml", "")
    checked = check(shared, *arguments)
    assert checked.code == 1
    assert message in checked.out + checked.err


def test_no_git(tmp_path: Path, shared: Repository) -> None:
    checked = check_in(tmp_path, {**shared.environment, "GIT_CEILING_DIRECTORIES": str(tmp_path)}, "change-size")
    assert checked.code == 1 and "git repository" in checked.out


# Silence.


@pytest.mark.parametrize(
    ("before", "after", "silenced"),
    [
        ("", "  # qd-cov: ignore", 1),
        ("", "  #qd-cov:ignore", 1),
        ("", "  # qd-cov: ignore[untested-changes]", 1),
        ("", "  # qd-cov: ignore[change-size, untested-changes] since nobody calls it", 1),
        ("", "  # noqa: E501  # qd-cov: ignore", 1),
        ("# qd-cov: ignore\n", "", 1),
        ("# qd-cov: ignore\n# more words\n", "", 1),
        ("x = 1  # qd-cov: ignore\n", "", 0),  # that is about x
        ("x = '# qd-cov: ignore'\n", "", 0),
        ("# qd-cov: ignore\n\n", "", 0),
        ("", "  # qd-cov: ignored", 0),
        ("", "  # qd-cov: ignore[", 0),
        ("", "  # qd-cov: ignore[change-size]", 0),
        ("", "  # see qd-cov: ignore", 0),
    ],
)
def test_comments(shared: Repository, before: str, after: str, silenced: int) -> None:
    shared.write("src/b.py", TWO.replace("def g():", f"{before}def g():{after}"))
    shared.write("qd-cov.toml", '[check]\nunused-ignore = "off"\n')
    measure_tests(shared, {RUN: {"src/b.py": [2]}})
    assert as_json(shared, "untested-changes")["silenced"] == silenced
    assert check(shared, "untested-changes").code == (0 if silenced else 2)


def test_ignored_by_configuration(project: Repository) -> None:
    project.write("qd-cov.toml", '[check]\nignore = ["untested-changes:src/**"]\n')
    assert check(project, "untested-changes").out == "No findings\n"
    project.write("qd-cov.toml", '[check]\nignore = ["*:*.py"]\n')
    assert check(project, "untested-changes").code == 0
    project.write("qd-cov.toml", '[check]\nignore = ["change-size:src/**", "untested-changes:lib/**"]\n')
    assert check(project, "untested-changes").code == 2


def test_comments_without_use(project: Repository) -> None:
    """A needless comment is reported for a check that ran; a comment for a check that did not run may be needed."""
    text = TWO.replace("def f():", "def f():  # qd-cov: ignore[untested-changes]")
    project.write("src/b.py", text.replace("def g():", "# qd-cov: ignore[slow-tests]\ndef g():  # qd-cov: ignore[nope]"))
    measure_tests(project, {RUN: {"src/b.py": [2, 7]}})
    checked = check(project, "untested-changes")
    assert checked.findings == [("src/b.py", 1, "unused-ignore"), ("src/b.py", 6, "unused-ignore")]
    assert checked.messages == [
        "warning: This comment silences nothing: untested-changes has no finding here.",
        "warning: This comment silences 'nope', and there is no such check.",
    ]
    assert checked.code == 0
    project.write("qd-cov.toml", '[check]\nunused-ignore = "error"\n')
    assert check(project, "untested-changes").code == 2
    project.write("qd-cov.toml", '[check]\nunused-ignore = "off"\n')
    assert check(project, "untested-changes").out == "No findings\n"


def test_comments_for_all_checks_without_use(project: Repository) -> None:
    project.write("src/b.py", TWO.replace("def f():", "def f():  # qd-cov: ignore"))
    measure_tests(project, {RUN: {"src/b.py": [2, 6]}})
    assert check(project, "untested-changes").findings == []  # another check may need it
    project.write("qd-cov.toml", '[check]\nuntested-changes = "error"\n')
    assert check(project).findings == [("src/b.py", 1, "unused-ignore")]


# Formats.

HOSTILE = "src/we,ird:\n::error::%\x1b[31m'\"<b>|`.py"
HOSTILE_UTF8 = "src/we,ird:␊::error::%␛[31m'\"<b>|`.py"


@pytest.fixture
def hostile(project: Repository) -> Repository:
    """The same in a file whose name and function would like to be more than that."""
    project.write(HOSTILE, "def ünï():\n    return 1\n")
    project.commit()
    return project


def test_text_of_hostile_names(hostile: Repository) -> None:
    out = check(hostile, "untested-changes").out
    assert f"{HOSTILE_UTF8}:1: [untested-changes] Function 'ünï' changed" in out
    assert "\x1b" not in out and len(out.splitlines()) == 5


def test_annotations_of_hostile_names(hostile: Repository) -> None:
    lines = check(hostile, "untested-changes", "--format=github-annotations").out.splitlines()
    assert len(lines) == 3 and all(line.startswith("::error file=src/") for line in lines)
    assert lines[2].startswith("::error file=src/we%2Cird%3A%0A%3A%3Aerror%3A%3A%25␛[31m'\"<b>|`.py,line=1,title=untested-changes::Function ")


def test_formats_for_programs(hostile: Repository) -> None:
    found = as_json(hostile, "untested-changes")
    assert found["findings"][2] == {
        "check": "untested-changes",
        "severity": "error",
        "path": HOSTILE,
        "line": 1,
        "message": "Function 'ünï' changed: no test run has data of this file, and no changed test names it.",
    }
    gitlab = json.loads(check(hostile, "untested-changes", "--format=gitlab:-").out)
    assert {tuple(sorted(one)) for one in gitlab} == {("check_name", "description", "fingerprint", "location", "severity")}
    assert len({one["fingerprint"] for one in gitlab}) == 3 and gitlab[2]["location"] == {"path": HOSTILE, "lines": {"begin": 1, "end": 1}}
    (run,) = json.loads(check(hostile, "untested-changes", "--format=sarif:-").out)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert {(rules[one["ruleIndex"]], one["ruleId"], one["level"]) for one in run["results"]} == {("untested-changes", "untested-changes", "error")}
    assert run["results"][2]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].isascii()


def test_several_formats(project: Repository) -> None:
    checked = check(project, "untested-changes", "--format=text", "--format=json:out/x.json,gitlab,sarif")
    assert checked.findings and len(json.loads((project.folder / "out/x.json").read_text())["findings"]) == 2
    assert len(json.loads((project.folder / "gl-code-quality-report.json").read_text())) == 2
    assert (project.folder / "qd-cov-check.sarif").exists()


def test_many_findings_of_two_levels(repo: Repository) -> None:
    """GitHub shows ten of a level."""
    text = "".join(f"def f{i}():\n    return 1\n" for i in range(30))
    repo.write("src/b.py", text + "".join(f"def g{i}():  # qd-cov: ignore[nope]\n    return 1\n" for i in range(3)))
    repo.commit()
    measure_tests(repo, {RUN: {"src/b.py": [62, 64, 66]}})
    lines = check(repo, "untested-changes", "--format=github-annotations").out.splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 10 + ["::warning"] * 3
    assert lines[9] == "::error title=qd-cov check::21 more: see the log of 'qd-cov check'."


def test_order_and_repetition(project: Repository) -> None:
    """Findings are in the order of the table of checks, whatever order they were named in."""
    project.write("qd-cov.toml", "[check]\nchange-size-max-source = 1\n")
    checks = ["change-size", "untested-changes"]
    (out,) = {check(project, *order, "--format=json").out for order in (checks, checks, checks[::-1])}
    assert [one["check"] for one in json.loads(out)["findings"]] == ["untested-changes"] * 2 + ["change-size"]
    assert check(project, *checks).out == check(project, *checks[::-1]).out


def test_in_a_subfolder(project: Repository) -> None:
    """Paths are those of the repository, as git has them."""
    checked = check_in(project.folder / "src", project.environment, "untested-changes", "--compare-branch=main", "--data-file=../.coverage")
    assert checked.findings == [("src/b.py", 1, "untested-changes"), ("src/b.py", 5, "untested-changes")]
