"""`qd-cov github check-run`, `summary` and `outputs`: within GitHub's limits, whatever they are given."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from diff_repository import TEN, Repository, edited
from github_server import FORBIDDEN, HEAD, Job


def payload(n: int, **more: object) -> str:
    """A payload as `qd-cov diff --format github-check-run` writes it."""
    all_of_them = [
        {"path": f"p/{i}.py", "start_line": i + 1, "end_line": i + 2, "annotation_level": "warning", "title": "Missing coverage", "message": f"m{i}"}
        for i in range(n)
    ]
    output = {"title": "Diff coverage: 88%", "summary": "### s", "annotations": all_of_them[:50]}
    result = {"name": "Diff coverage", "head_sha": HEAD, "status": "completed", "conclusion": "failure", "output": output}
    if n > 50:
        result["more_annotations"] = all_of_them[50:]
    return json.dumps({**result, **more})


@pytest.mark.parametrize("n", [0, 1, 50, 51, 100, 120])
def test_batches(job: Job, n: int) -> None:
    done = job.run("check-run", given=payload(n))
    assert (done.returncode, done.stderr) == (0, "")
    [run] = job.service.check_runs
    assert [one["message"] for one in run["output"]["annotations"]] == [f"m{i}" for i in range(n)]
    assert (run["name"], run["head_sha"], run["conclusion"]) == ("Diff coverage", HEAD, "failure")
    assert len(job.service.requests) == max(1, (n + 49) // 50)


@pytest.mark.parametrize("done", [True, False], ids=["done", "not done"])
@pytest.mark.parametrize("method", ["POST", "PATCH"])
@pytest.mark.parametrize("status", [0, 502])
def test_no_annotation_twice(job: Job, method: str, status: int, done: bool) -> None:
    """A request that may have come or not is looked up."""
    job.service.fail(method, "/check-runs", status, done=done)
    assert job.run("check-run", given=payload(120)).returncode == 0
    [run] = job.service.check_runs
    assert [one["message"] for one in run["output"]["annotations"]] == [f"m{i}" for i in range(120)]


def test_of_a_real_diff(job: Job, repo: Repository) -> None:
    """More than fifty places: all of them come, worst first."""
    text = "".join(f"if a:\n    b{i} = 1\n" for i in range(70))
    repo.write("a.py", "a = 0\n" + text)
    repo.commit()
    repo.measure({"a.py": [1, *range(2, 142, 2)]})
    repo.diff("--format=github-check-run:run.json")
    written = json.loads((repo.folder / "run.json").read_text())
    assert (len(written["output"]["annotations"]), len(written["more_annotations"])) == (50, 20)
    job.folder = repo.folder
    head = repo.git("rev-parse", "HEAD").strip()
    job.event({"pull_request": {"number": 7, "head": {"sha": head}}})
    assert job.run("check-run", "run.json", "--name", "GPU").returncode == 0
    [run] = job.service.check_runs
    assert {one["start_line"] for one in run["output"]["annotations"]} == {2 * i + 3 for i in range(70)}
    assert run["name"] == "GPU"


def test_measured_on_a_merge(job: Job, repo: Repository) -> None:
    """The runner checks out a merge with the target: annotations go to the same lines of the head, wherever they stand there."""
    names = ["a.py", "same.py", 'quoted \u00e9".py', "old name.py"]
    repo.git("checkout", "-q", "main")
    for name in names[1:]:
        repo.write(name, TEN)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    for name in names:
        repo.write(name, edited(TEN, {5: "wrong_one = 1\n", 9: "wrong_two = 1\nwrong_three = 1\n"}))
    repo.commit("head")
    head = repo.git("rev-parse", "HEAD").strip()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", "new = 1\n\n" + edited(TEN, {2: None}))
    repo.write(names[2], "# first\n" + TEN)
    repo.git("mv", "old name.py", "new name.py")
    repo.commit("main moved on")
    repo.git("merge", "-q", "--no-edit", "work")
    repo.write("only here.py", "wrong_four = 1\n")
    repo.commit("not in the head")
    repo.measure({name: [1] for name in ["a.py", "same.py", names[2], "new name.py", "only here.py"]})
    repo.write("only here.py", "a = 1\nwrong_four = 1\n")
    repo.write("a.py", (repo.folder / "a.py").read_text() + "wrong_five = 1\n")
    repo.commit("not in the head")
    repo.diff_as_typed("--base-sha", "HEAD~2^1", "--format=github-check-run:run.json")
    job.folder = repo.folder
    job.event({"pull_request": {"number": 7, "head": {"sha": head}}})
    done = job.run("check-run", "run.json")
    assert done.returncode == 0, done.stdout
    [run] = job.service.check_runs
    assert run["head_sha"] == head
    marked: dict[str, list[str]] = {}
    for one in run["output"]["annotations"]:
        text = repo.git("show", f"{head}:{one['path']}").splitlines()
        marked.setdefault(one["path"], []).extend(text[one["start_line"] - 1 : one["end_line"]])
    assert {name: sorted(lines) for name, lines in marked.items()} == {name: ["wrong_one = 1", "wrong_three = 1", "wrong_two = 1"] for name in names}
    assert "2 annotations left out: the head of the pull request does not have those lines" in done.stderr
    job.event({"pull_request": {"number": 7, "head": {"sha": HEAD}}})
    done = job.run("check-run", "run.json")
    assert (done.returncode, job.service.check_runs[1]["output"]["annotations"]) == (0, [])
    assert "all annotations left out: git does not know aaaaaaaaaaaa, the head of the pull request" in done.stderr


def test_forks_keep_it(job: Job) -> None:
    job.service.may_write = False
    done = job.run("check-run", "--artifact", "kept", given=payload(60))
    assert (done.returncode, done.stdout.split(":")[0]) == (0, "Not posted")
    job.service.may_write = True
    job.follows()
    assert job.run("post", "kept", "--check-run", "Forks").returncode == 0
    assert len(job.service.check_runs[0]["output"]["annotations"]) == 60


def test_refused(job: Job) -> None:
    job.service.fail("POST", "/check-runs", 403, body=FORBIDDEN)
    assert "permissions" in job.run("check-run", given=payload(1)).stdout
    assert "no JSON" in job.run("check-run", given="x").stdout
    assert "no 'output'" in job.run("check-run", given="{}").stdout
    assert "option --head-sha" in job.run("check-run", "--head-sha", "main", given=payload(1)).stderr
    assert "more than 1000 annotations" in job.run("check-run", given=payload(1001)).stdout
    long = json.loads(payload(1))
    long["output"]["summary"] = "x" * 65536
    assert "'summary' is longer than 65535 characters" in job.run("check-run", given=json.dumps(long)).stdout


# --- the runner's files ---------------------------------------------------------------------------------------------------


def summary(job: Job) -> str:
    return Path(job.environment["GITHUB_STEP_SUMMARY"]).read_text()


def test_summary_is_added(job: Job) -> None:
    Path(job.environment["GITHUB_STEP_SUMMARY"]).write_text("there already\n")
    assert job.run("summary", given="### one").returncode == 0
    assert summary(job) == "there already\n\n### one\n"
    del job.environment["GITHUB_STEP_SUMMARY"]
    assert "GITHUB_STEP_SUMMARY is not set" in job.run("summary", given="x").stdout


def pieces(chance: random.Random, kind: int) -> list[str]:
    """A block of markdown: a paragraph, a fence with fences in it, details, a table with its rows."""

    def words() -> str:
        return chance.choice(["a b", "é", "🔴"]) * chance.randrange(1, 6000)

    fence = chance.choice(["```", "````", "~~~"])
    inner = {"```": "~~~\n``\n\n", "````": "```\n\n", "~~~": "```\n\n"}[fence]
    kinds = [
        [words() + "\n"],
        [f"{fence}diff\n" + (inner + words() + "\n\n") * chance.randrange(1, 4) + fence + "\n"],
        [f"<details><summary>{words()}</summary>\n\n{fence}\n{inner}\n{fence}\n\n{words()}\n\n</details>\n"],
        ["| a | b |\n|:--|--:|\n| 1 | 2 |\n", *(f"| {words()} | {i} |\n" for i in range(chance.randrange(50)))],
    ]
    return kinds[kind]


@pytest.mark.parametrize("seed", range(8))
def test_summary_is_cut_between_blocks(job: Job, seed: int) -> None:
    """The rest is whole blocks and rows from the beginning, as many as a MiB holds: blocks of each kind are hit by the limit."""
    chance = random.Random(seed)
    blocks: list[str] = []
    while sum(len(block.encode()) for block in blocks) < 500_000:
        blocks += [*pieces(chance, chance.randrange(4)), "\n"]
    last = pieces(chance, seed % 4)
    size = sum(len(block.encode()) for block in last)
    before = (1 << 20) - sum(len(block.encode()) for block in blocks) - chance.randrange(size)
    there = "x" * before + "\n"
    blocks += [*last, "\n", "end" * 200_000]
    Path(job.environment["GITHUB_STEP_SUMMARY"]).write_text(there)
    done = job.run("summary", given="".join(blocks))
    assert (done.returncode, "1 MiB" in done.stderr) == (0, True)
    written = summary(job)
    assert len(written.encode()) <= 1 << 20
    note = "\n_The rest is left out: a summary has 1 MiB at most._\n"
    assert written.endswith(note)
    kept = written.removesuffix(note).removeprefix(there + "\n")
    ends, text = {""}, ""
    for block in blocks:
        text += block
        ends.add(text)
        if len(text.encode()) > 1 << 20:
            break
    assert kept in ends
    fitting = max((end for end in ends if len((there + "\n" + end + note).encode()) <= 1 << 20), key=len)
    assert kept.rstrip("\n") == fitting.rstrip("\n")


def outputs(job: Job) -> dict[str, str]:
    """Outputs as the runner reads them."""
    text = Path(job.environment["GITHUB_OUTPUT"]).read_text()
    found = re.findall(r"^(\w+)<<(\S+)\n(.*?)\n\2\n", text, re.MULTILINE | re.DOTALL)
    assert "".join(f"{name}<<{end}\n{value}\n{end}\n" for name, end, value in found) == text
    assert len({end for _, end, _ in found}) == len(found)
    return {name: value for name, _, value in found}


def test_outputs(job: Job, repo: Repository) -> None:
    repo.write("a.py", edited((repo.folder / "a.py").read_text(), {2: "x = 1\n", 4: "y = 1\n", 6: "z = 1\n"}))
    repo.measure({"a.py": [1, 2, 3, 4, 5]})
    report = repo.diff("--format=json:-", "--fail-under=80").out
    assert job.run("outputs", given=report).returncode == 0
    assert outputs(job) == {"coverage": "66.7", "lines": "3", "missing": "1", "passed": "false", "overall": outputs(job)["overall"]}
    for wrong in (
        "{}",
        "[]",
        "x",
        '{"qd_cov": {"passed": "true\\nevil=1", "diff": {"covered": 1, "total": 1}}}',
        '{"qd_cov": {"passed": true, "diff": {"covered": "1\\nevil=1", "total": 1}}}',
    ):
        done = job.run("outputs", given=wrong)
        assert (done.returncode, done.stdout) == (1, "This is no report of 'qd-cov diff --format json'.\n")
