"""`qd-cov github comment` against a server that plays GitHub: one comment, whatever fails; the token stays a secret."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from github_server import TOKEN, Job, serving

MARKER = "<!-- qd-cov: diff -->\n"
COMMENTS = "/repos/octo/particles/issues/7/comments"


def test_created_then_updated_in_place(job: Job) -> None:
    first = job.comment("one\n")
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == "Created the comment 'diff' on pull request 7: https://github.com/c/0\n"
    assert [one["body"] for one in job.service.comments] == [MARKER + "one\n"]
    assert job.comment("two\n").stdout == "Updated the comment 'diff' on pull request 7: https://github.com/c/0\n"
    assert [one["body"] for one in job.service.comments] == [MARKER + "two\n"]
    job.service.comments[0]["body"] = job.service.comments[0]["body"].replace("\n", "\r\n")  # as GitHub may keep it
    before = len(job.service.requests)
    assert job.comment("two\n").stdout == "Nothing new for the comment 'diff' on pull request 7\n"
    assert job.service.asked()[before:] == [f"GET {COMMENTS}"]
    request = job.service.requests[0]
    assert (request.headers["x-github-api-version"], request.headers["accept"]) == ("2022-11-28", "application/vnd.github+json")


def test_each_name_has_its_own(job: Job) -> None:
    for name in ("cpu", "gpu", "cpu"):
        assert job.comment(f"of {name}\n", "--name", name).returncode == 0
    assert [one["body"] for one in job.service.comments] == ["<!-- qd-cov: cpu -->\nof cpu\n", "<!-- qd-cov: gpu -->\nof gpu\n"]
    for name in ("a-->b", "", "x" * 65, "a--b", "a\nb", "<b>"):
        assert "option --name" in job.comment("x\n", "--name", name).stderr


def test_only_our_own_is_updated(job: Job) -> None:
    """A comment that quotes the marker, or begins with it, is left alone when it is another person's."""
    job.service.add_comment(f"> {MARKER}quoted")
    job.service.add_comment(MARKER + "mine!", "mallory", "User")
    job.comment("x\n")
    assert [one["body"] for one in job.service.comments] == [f"> {MARKER}quoted", MARKER + "mine!", MARKER + "x\n"]
    job.service.person = "mallory"  # with her token it is ours
    job.comment("y\n")
    assert job.service.comments[1]["body"] == MARKER + "y\n"


def test_all_pages_are_looked_through(job: Job) -> None:
    for n in range(250):
        job.service.add_comment(f"talk {n}", "alice", "User")
    job.service.add_comment(MARKER + "old")
    job.comment("new\n")
    assert job.service.comments[-1]["body"] == MARKER + "new\n"
    assert len(job.service.comments) == 251
    assert len(job.service.asked("GET")) == 3


def test_too_long(job: Job) -> None:
    assert job.comment("x" * (65536 - len(MARKER)) + "").returncode == 0
    for body in ("x" * (65537 - len(MARKER)), "🔴" * 32768):
        done = job.comment(body)
        assert done.returncode == 1
        assert "characters, and GitHub takes 65536: 'qd-cov diff --format markdown' writes one that fits." in done.stdout
    assert "is empty: no markdown in it" in job.comment(" \n").stdout


RETRIED = {
    "server error before": ("GET", 503, {}, None, False),
    "server error": ("POST", 502, {}, None, False),
    "server error, yet done": ("POST", 502, {}, None, True),
    "cut": ("POST", 0, {}, None, False),
    "cut, yet done": ("POST", 0, {}, None, True),
    "cut while reading": ("GET", 0, {}, None, False),
    "too many": ("POST", 429, {"Retry-After": "0"}, {"message": "slow down"}, False),
    "limit used up": (
        "GET",
        403,
        {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"},
        {"message": "API rate limit exceeded for installation"},
        False,
    ),
    "second limit": ("POST", 403, {"Retry-After": "0"}, {"message": "You have exceeded a secondary rate limit"}, False),
}


@pytest.mark.parametrize("case", RETRIED)
def test_passing_faults(job: Job, case: str) -> None:
    """One comment is there in the end, and a message said that there was a wait."""
    method, status, headers, body, done = RETRIED[case]
    job.service.fail(method, COMMENTS, status, headers=headers, body=body, done=done)
    result = job.comment("once\n")
    assert result.returncode == 0, result.stdout
    assert [one["body"] for one in job.service.comments] == [MARKER + "once\n"]
    assert "trying again in" in result.stderr
    assert (status == 0) == ("no answer from 127.0.0.1" in result.stderr)


def test_update_that_was_cut(job: Job) -> None:
    job.service.add_comment(MARKER + "old")
    job.service.fail("PATCH", "/issues/comments/", done=True)
    assert job.comment("new\n").returncode == 0
    assert [one["body"] for one in job.service.comments] == [MARKER + "new\n"]


@pytest.mark.parametrize("more", [0, 1])
def test_comment_that_was_deleted_since_it_was_found(job: Job, more: int) -> None:
    """The text is there in the end: in a comment of an earlier time, if there is one."""
    for _ in range(1 + more):
        job.service.add_comment(MARKER + "old")
    job.service.vanishing = 1 + more
    done = job.comment("new\n")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert [one["body"] for one in job.service.comments] == [MARKER + "new\n"]


def test_comment_that_is_there_and_cannot_be_updated(job: Job) -> None:
    """GitHub answers 404 for what a token may not do, too."""
    job.service.add_comment(MARKER + "old")
    for _ in range(9):
        job.service.fail("PATCH", "/issues/comments/", 404, body={"message": "Not Found"})
    done = job.comment("new\n")
    assert (done.returncode, len(job.service.asked("PATCH"))) == (1, 2), done.stdout
    assert "GitHub answers 404 to PATCH" in done.stdout


LASTING = {
    "secondary limit without a time": (
        403,
        {},
        {"message": "You have exceeded a secondary rate limit"},
        "the rate limit of 127.0.0.1 is used up for 60 s, and only 0.1 s are left to wait",
    ),
    "limit for long": (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"}, {}, "the rate limit of 127.0.0.1 is used up for"),
    "asked to wait": (429, {"Retry-After": "3600"}, {}, "is used up for 60 min"),
    "server errors": (500, {}, {"message": "Server Error"}, f"GitHub answers 500 to GET {COMMENTS}: Server Error"),
    "unknown pull request": (404, {}, {"message": "Not Found"}, f"GitHub answers 404 to GET {COMMENTS}: Not Found"),
    "bad token": (401, {}, {"message": "Bad credentials"}, "GitHub answers 401 to GET"),
    "an echo": (422, {}, {"message": f"\x1b[31mno: {TOKEN}\nreally", "errors": [TOKEN]}, '␛[31mno: *** really: ["***"]'),
    "cut": (0, {}, None, "no answer from 127.0.0.1"),
}


@pytest.mark.parametrize("case", LASTING)
def test_lasting_faults(job: Job, case: str) -> None:
    """Waiting is bounded, and the message names the cause."""
    status, headers, body, message = LASTING[case]
    for _ in range(20):
        job.service.fail("GET", COMMENTS, status, headers=headers, body=body)
    done = job.comment("x\n", "--max-wait", "0.1")
    assert done.returncode == 1
    assert message in done.stdout
    assert len(job.service.requests) == 1
    assert job.service.comments == []


def test_tries_are_bounded(job: Job) -> None:
    """Tries are bounded even without any wait to speak of."""
    for _ in range(50):
        job.service.fail("GET", COMMENTS, 429, headers={"Retry-After": "0"})
    assert job.comment("x\n").returncode == 1
    assert len(job.service.requests) == 8


@pytest.mark.parametrize(
    "address",
    [
        "http://api.example.com",
        "http://127.0.0.1.example.com",
        "http://127.0.0.1@example.com",
        "http://localhost.example.com:80",
        "ftp://localhost",
        "http://user:pass@localhost:1",
        "x",
    ],
)
def test_the_token_is_sent_to_nobody_else(job: Job, address: str) -> None:
    job.environment["GITHUB_API_URL"] = address
    done = job.comment("x\n", "--max-wait", "0")
    assert done.returncode == 1
    assert "the token is not sent to" in done.stdout or "must not have a user" in done.stdout or "is no address of http or https" in done.stdout


def test_redirections_and_pages_stay_with_the_service(job: Job) -> None:
    moved = f"{job.service.url}/repos/octo/particles/issues/7/comments?per_page=100&moved"
    job.service.fail("GET", COMMENTS, 301, headers={"Location": moved})
    assert job.comment("x\n").returncode == 0
    other = job.service.url.replace("127.0.0.1", "127.0.0.2")
    for headers in ({"Location": other + COMMENTS}, {"Location": "https://evil.example/"}):
        job.service.fail("GET", COMMENTS, 302, headers=headers)
        assert "leads to another host, which does not get the token" in job.comment("y\n").stdout
    job.service.fail("GET", COMMENTS, 200, headers={"Link": f'<{other}{COMMENTS}?page=2>; rel="next"'}, body=[])
    assert "leads to another host, which does not get the token" in job.comment("y\n").stdout
    job.service.fail("GET", COMMENTS, 200, body={"message": "welcome"})
    assert "answers no list" in job.comment("y\n").stdout


def test_nobody_stands_in_for_the_service(job: Job, tmp_path: Path) -> None:
    """A certificate without a known issuer: nothing is sent."""
    certificate, key = tmp_path / "certificate", tmp_path / "key"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    made = subprocess.run(
        [*command, "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-out", certificate, "-keyout", key], capture_output=True
    )
    assert made.returncode == 0, made.stderr
    with serving(certificate, key) as service:
        job.environment["GITHUB_API_URL"] = service.url
        done = job.comment("x\n", "--max-wait", "0")
        assert (done.returncode, service.requests) == (1, [])
        assert "no answer from 127.0.0.1: SSL" in done.stdout


@pytest.mark.parametrize("proxy", ["http_proxy", "ALL_PROXY"])
def test_no_proxy_sees_what_is_for_this_machine(job: Job, proxy: str) -> None:
    job.environment[proxy] = "http://127.0.0.1:9"
    assert job.comment("x\n", "--max-wait", "0").returncode == 0


def test_wrong_surroundings(job: Job) -> None:
    """Each wrong environment has a message of its own."""

    def message(**environment: str) -> str:
        before = dict(job.environment)
        job.environment |= environment
        done = job.comment("x\n", "--max-wait", "0")
        job.environment = before
        assert done.returncode == 1
        return done.stdout

    assert "'' is no repository: 'owner/name' is wanted" in message(GITHUB_REPOSITORY="")
    for name in ("octo", "octo/../x", "octo/..", "a/b?c", "a/b c", "a/b/c"):
        assert "is no repository" in message(GITHUB_REPOSITORY=name)
    assert "GITHUB_EVENT_PATH" in message(GITHUB_EVENT_PATH="/no/such/file")
    assert "GITHUB_EVENT_PATH" in message(GITHUB_EVENT_PATH="/dev/zero")
    assert "GitHub's token is no token" in message(GITHUB_TOKEN="a\r\nX-Evil: 1")
    job.event({"ref": "refs/heads/main"})
    assert "This is no job of a pull request" in message(GITHUB_REF="refs/heads/main")
    job.event("[]")
    assert "is no event of GitHub" in message()
    job.event({"issue": {"number": 7, "pull_request": {}}})
    job.environment["GITHUB_REF"] = "refs/heads/main"
    assert job.comment("x\n").returncode == 0
    job.event({})
    assert job.comment("y\n", "--pull-request", "7", "--repository", "octo/particles").returncode == 0
    assert "GitHub answers 404" in job.comment("y\n", "--pull-request", "8").stdout
