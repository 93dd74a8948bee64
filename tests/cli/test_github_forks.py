"""Pull requests from forks: posts that a job may not make are kept, and a second job makes them without trusting their contents."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from github_server import HEAD, REPOSITORY, Job

MARKER = "<!-- qd-cov: diff -->\n"
KEPT = {
    "format": 1,
    "kind": "comment",
    "repository": REPOSITORY,
    "pull_request": 7,
    "head_sha": HEAD,
    "name": "diff",
    "body": "### Diff coverage: 88%\n",
}
OUTPUT = {
    "title": "Diff coverage: 88%",
    "summary": "s",
    "annotations": [{"path": "a.py", "start_line": 1, "end_line": 2, "annotation_level": "warning", "title": "t", "message": "m"}],
}
CHECK_RUN = {"name": "Required", "head_sha": HEAD, "status": "completed", "conclusion": "success", "output": OUTPUT}


@pytest.fixture
def fork(job: Job) -> Job:
    """A job of a pull request from a fork."""
    job.service.may_write = False
    job.service.pulls[7] = job.service.pull(HEAD, "stranger/particles")
    return job


@pytest.mark.parametrize("token", ["read", "none"])
def test_both_steps(fork: Job, token: str) -> None:
    if token == "none":
        fork.environment["GITHUB_TOKEN"] = ""
    first = fork.comment("new\n", "--artifact", "kept")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith("Not posted: ")
    assert ("Resource not accessible by integration" in first.stdout) == (token == "read")
    assert "Kept in kept/comment_diff.json" in first.stdout
    assert json.loads((fork.folder / "kept/comment_diff.json").read_text()) == {**KEPT, "body": "new\n"}
    assert fork.service.comments == []
    trusted = Job(fork.service, fork.folder)
    trusted.follows()
    trusted.service.may_write = True
    second = trusted.run("post", "kept")
    assert (second.returncode, second.stdout) == (0, "Posted the comment 'diff' on pull request 7\n")
    assert [one["body"] for one in fork.service.comments] == [MARKER + "new\n"]
    assert trusted.run("post", "kept", "--name", "other").stdout == "kept/comment_diff.json: the comment 'diff', left out\n"


def test_nowhere_to_keep_it(fork: Job) -> None:
    done = fork.comment("x\n")
    assert done.returncode == 1
    assert "Resource not accessible by integration.\nThe token of a job of a pull request from a fork may only read" in done.stdout
    assert fork.comment("x\n", "--artifact", "kept", "--on-forbidden", "fail").returncode == 1
    assert "neither pass nor fail" in fork.comment("x\n", "--artifact", "kept", "--on-forbidden", "maybe").stderr


def changed(**changes: Any) -> Callable[[Path], None]:
    """The comment that was kept, with other values; None takes one out."""

    def write(folder: Path) -> None:
        kept = {key: value for key, value in {**KEPT, **changes}.items() if value is not None}
        (folder / "comment.json").write_text(json.dumps(kept))

    return write


def check_run(**changes: Any) -> Callable[[Path], None]:
    """The same of a check run's payload."""

    def write(folder: Path) -> None:
        kept = {"format": 1, "kind": "check-run", "repository": REPOSITORY, "head_sha": HEAD, "payload": {**CHECK_RUN, **changes}}
        (folder / "run.json").write_text(json.dumps(kept))

    return write


def link(folder: Path) -> None:
    (folder.parent / "secret").write_text(json.dumps(KEPT))
    (folder / "comment.json").symlink_to(folder.parent / "secret")


def many(folder: Path) -> None:
    for n in range(21):
        (folder / f"{n}.json").write_text(json.dumps(KEPT))


ATTACKS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "another pull request": (changed(pull_request=8), "pull request 8 is of 'victim/particles', and the run was of 'stranger/particles'"),
    "no such pull request": (changed(pull_request=99), "GitHub answers 404"),
    "another repository": (changed(repository="octo/other"), "it is for 'octo/other'"),
    "another commit": (changed(head_sha="c" * 40), f"it is of commit {'c' * 40}, and the run was of {HEAD}"),
    "no commit": (changed(head_sha="main"), "'head_sha' is no commit: 'main'"),
    "marker that ends": (changed(name="x --> <b>"), "'name' has characters that are not allowed"),
    "number as text": (changed(pull_request="7"), "'pull_request' is a string"),
    "number below zero": (changed(pull_request=-7), "'pull_request' is a number"),
    "number too large": (changed(pull_request=2**63), "'pull_request' is 9223372036854775808"),
    "broken number": (changed(pull_request=7.5), "'pull_request' is a number"),
    "no body": (changed(body=None), "no 'body'"),
    "body is a list": (changed(body=["x"]), "'body' is a array"),
    "body too long": (changed(body="x" * 70000), "'body' is longer than 65536 characters"),
    "unknown kind": (changed(kind="release"), "'kind' is 'release'"),
    "unknown format": (changed(format=2), "written by another version of qd-cov"),
    "a link": (link, "a link, which is not followed"),
    "a pipe": (lambda folder: os.mkfifo(folder / "comment.json"), "no regular file"),
    "a folder": (lambda folder: (folder / "comment.json").mkdir(), "no regular file"),
    "too large": (lambda folder: (folder / "comment.json").write_text(json.dumps({**KEPT, "x": "y" * (5 << 20)})), "larger than 4 MiB"),
    "too many": (many, "more than 20 files"),
    "no JSON": (lambda folder: (folder / "comment.json").write_text("rm -rf /"), "no JSON object"),
    "deep JSON": (lambda folder: (folder / "comment.json").write_text("[" * 2_000_000), "no JSON object"),
    "name with control characters": (lambda folder: (folder / "\x1b[31m\n::error::.json").write_text("x"), "␛[31m␊::error::.json: no JSON object"),
    "run of another commit": (check_run(head_sha="c" * 40), "its check run is of another commit"),
    "unknown conclusion": (check_run(conclusion="cancelled"), "'conclusion' is 'cancelled'"),
    "line that is none": (check_run(output={**OUTPUT, "annotations": [{**OUTPUT["annotations"][0], "start_line": "1"}]}), "'start_line' is a string"),  # type: ignore[index]
    "lines turned round": (
        check_run(output={**OUTPUT, "annotations": [{**OUTPUT["annotations"][0], "start_line": 9}]}),
        "an annotation ends before it begins",
    ),  # type: ignore[index]
    "too many annotations": (check_run(output={**OUTPUT, "annotations": OUTPUT["annotations"] * 1001}), "more than 1000 annotations"),  # type: ignore[operator]
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_strangers_post_nothing(job: Job, attack: str) -> None:
    make, message = ATTACKS[attack]
    job.follows()
    job.service.pulls |= {7: job.service.pull(HEAD, "stranger/particles"), 8: job.service.pull(HEAD, "victim/particles")}
    (job.folder / "kept").mkdir()
    make(job.folder / "kept")
    done = job.run("post", "kept", "--check-run", "Coverage of forks")
    assert (done.returncode, done.stderr) == (1, "")
    assert message in done.stdout
    assert "\x1b" not in done.stdout
    assert [one for one in job.service.asked() if not one.startswith("GET")] == []


def test_what_would_act_is_made_harmless(job: Job) -> None:
    """The comment reads the same to people; GitHub acts on nothing in it."""
    job.follows()
    job.service.pulls[7] = job.service.pull(HEAD, "stranger/particles")
    (job.folder / "kept").mkdir()
    body = (
        "@octo/everyone see #12, GH-13, octo/other#14 and https://evil.example/x or www.evil.example\n"
        '[text](https://a "b") ![](x) [a]: b <img src=x> <!-- qd-cov: gpu --> <a href="x">y</a> &commat;z &#35;1 &#x40;\n'
        "| 🔴 <code>a&#124;b&#39;</code> | 75% | 3->5 |\n<details><summary>x</summary>\n\n```diff\n+ @kernel\n```\n\n</details>\n"
    )
    changed(body=body)(job.folder / "kept")
    assert job.run("post", "kept").returncode == 0
    [comment] = job.service.comments
    posted = comment["body"]
    assert posted.replace("\u200b", "") == MARKER + body
    for acts in (
        "@o",
        "@k",
        "see #12",
        "#14",
        "GH-1",
        "://",
        "www.",
        "](",
        "]:",
        "<img",
        "<a",
        "<!-- qd-cov: gpu",
        "</a",
        "&commat;",
        "&#35;",
        "&#x40;",
    ):
        assert acts not in posted, acts
    for stays in ("| 🔴 <code>a&#124;b&#39;</code> | 75% | 3->5 |", "<details><summary>x</summary>\n\n```diff\n", "</details>"):
        assert stays in posted


def test_a_body_that_grows_is_cut(job: Job) -> None:
    job.follows()
    job.service.pulls[7] = job.service.pull(HEAD, "stranger/particles")
    (job.folder / "kept").mkdir()
    changed(body="@a b\n\n" * 10_000)(job.folder / "kept")
    assert job.run("post", "kept").returncode == 0
    assert job.service.comments[0]["body"].endswith("@\u200ba b\n\n_The rest is left out: the comment would be too long._\n")


def test_newer_commits(job: Job) -> None:
    """Their own run posts: nothing is wrong."""
    job.follows()
    job.service.pulls[7] = job.service.pull("d" * 40, "Stranger/Particles")
    (job.folder / "kept").mkdir()
    changed()(job.folder / "kept")
    done = job.run("post", "kept")
    assert (done.returncode, done.stdout) == (0, "kept/comment.json: not posted: pull request 7 has other commits by now\n")
    assert job.service.comments == []


def test_a_check_run_has_the_name_that_we_give_it(job: Job) -> None:
    """A stranger must not fulfil what the repository requires."""
    job.follows()
    (job.folder / "kept").mkdir()
    check_run()(job.folder / "kept")
    done = job.run("post", "kept")
    assert (done.returncode, done.stdout) == (0, "kept/run.json: a check run, left out without --check-run\n")
    assert job.service.requests == []
    assert job.run("post", "kept", "--check-run", "Coverage of forks").returncode == 0
    assert [one["name"] for one in job.service.check_runs] == ["Coverage of forks"]


def test_wrong_jobs(job: Job) -> None:
    (job.folder / "kept").mkdir()
    assert "This is no job on 'workflow_run'" in job.run("post", "kept").stdout
    job.follows()
    assert job.run("post", "kept").stdout == "Nothing was kept.\n"
    assert "gone: No such file or directory" in job.run("post", "gone").stdout
    job.follows(head_sha="x")
    assert "has no commit of the run" in job.run("post", "kept").stdout
    assert "Which folder" in job.run("post").stderr
