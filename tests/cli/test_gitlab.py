"""`qd-cov gitlab comment` against a server that plays GitLab's notes API."""

from __future__ import annotations

from github_server import TOKEN, Job

MARKER = "<!-- qd-cov: diff -->\n"


def in_gitlab(job: Job) -> None:
    job.environment |= {"CI_API_V4_URL": f"{job.service.url}/api/v4", "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "3", "GITLAB_TOKEN": TOKEN}


def test_one_note(job: Job) -> None:
    in_gitlab(job)
    job.service.notes += [{"id": 500 + n, "body": MARKER + "not ours", "author": {"username": "mallory"}} for n in range(120)]
    for text, words in (("one\n", "Created"), ("two\n", "Updated"), ("two\n", "Nothing new for")):
        done = job.run("comment", given=text, part="gitlab")
        assert (done.returncode, done.stdout) == (0, f"{words} the note 'diff' on merge request 3\n")
    assert [one["body"] for one in job.service.notes][119:] == [MARKER + "not ours", MARKER + "two\n"]


def test_cut_after_it_was_made(job: Job) -> None:
    in_gitlab(job)
    job.service.fail("POST", "/notes", done=True)
    assert job.run("comment", given="x\n", part="gitlab").returncode == 0
    assert [one["body"] for one in job.service.notes] == [MARKER + "x\n"]


def test_wrong_surroundings(job: Job) -> None:
    assert "CI_API_V4_URL is not set: this is no job of GitLab." in job.run("comment", given="x", part="gitlab").stdout
    in_gitlab(job)
    for name, value, message in (
        ("CI_MERGE_REQUEST_IID", "", "This is no job of a merge request"),
        ("CI_PROJECT_ID", "5/../6", "This is no job of a merge request"),
        ("GITLAB_TOKEN", "", "There is no token in GITLAB_TOKEN"),
        ("CI_API_V4_URL", "http://gitlab.example/api/v4", "the token is not sent to http://gitlab.example"),
    ):
        before = dict(job.environment)
        job.environment[name] = value
        done = job.run("comment", given="x", part="gitlab")
        assert (done.returncode, message in done.stdout) == (1, True), done.stdout
        job.environment = before
    assert "What should GitLab get" in job.run(part="gitlab").stderr
