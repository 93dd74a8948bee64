"""ci/github: the real files, run step by step in a clone as a runner has it, with a server that plays GitHub."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from composite_action import Result, commands, load, run_action, run_steps
from diff_repository import Repository
from github_server import TOKEN, Job, serving

CI = Path(__file__).resolve().parents[2] / "ci"
ACTION = CI / "github/action.yml"
MARKER = "<!-- qd-cov: diff -->\n"
PROGRAM = "import os\n\n\ndef f(x):\n    if x:\n        return 1\n    return 2\n\n\nf(int(os.environ.get('X', '0')))\n"


def pull_request(folder: Path) -> tuple[Path, str]:
    """The repository `origin`, the clone `workspace` of actions/checkout for pull request 7 (the merge with its target, one commit deep), and the
    head of the pull request. Tests take copies."""
    origin = Repository(folder / "origin")
    origin.write("base.py", "a = 1\n")
    origin.write(".gitignore", ".coverage*\n")
    origin.commit("first")
    origin.branch("change")
    origin.write("prog.py", PROGRAM)
    origin.commit("change")
    head = origin.git("rev-parse", "HEAD").strip()
    origin.git("checkout", "-q", "main")
    origin.write("base.py", "a = 2\n")
    origin.commit("main moved on")
    origin.git("merge", "-q", "--no-ff", "-m", "merge", "change")
    merge = origin.git("rev-parse", "HEAD").strip()
    origin.git("update-ref", "refs/pull/7/merge", merge)
    origin.git("reset", "-q", "--hard", "HEAD^1")
    workspace = Repository(folder / "workspace")
    workspace.git("remote", "add", "origin", origin.folder.as_uri())
    workspace.git("fetch", "-q", "--no-tags", "--depth=1", "origin", f"+{merge}:refs/remotes/pull/7/merge")
    workspace.git("checkout", "-q", "--detach", "refs/remotes/pull/7/merge")
    return folder, head


class Checkout:
    """A repository somewhere else, and the clone of it for a pull request."""

    def __init__(self, folder: Path, job: Job, ready: tuple[Path, str]) -> None:
        self.job = job
        self.files = folder / "files"
        made, head = ready
        for name in ("origin", "workspace"):
            shutil.copytree(made / name, folder / name, symlinks=True)
        self.origin = Repository(folder / "origin")
        self.workspace = Repository(folder / "workspace")
        self.workspace.git("remote", "set-url", "origin", self.origin.folder.as_uri())
        self.workspace.git("status", "-s")  # files of a copy are other ones to the index
        job.service.pulls[7] = job.service.pull(head, "octo/particles")
        job.event({"pull_request": {"number": 7, "head": {"sha": head, "repo": {"full_name": "octo/particles"}}}})
        temporary = folder / "temporary"
        temporary.mkdir()
        self.head = head
        self.event: dict[str, Any] = {}  # as expressions have it
        self.environment = {**self.workspace.environment, **job.environment, "RUNNER_TEMP": str(temporary), "GITHUB_BASE_REF": "main", "CI": "true"}
        self.environment |= {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_WORKSPACE": str(self.workspace.folder)}
        # Variables that a step has only where the action gives them.
        for name in ("GITHUB_TOKEN", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
            self.environment.pop(name, None)

    def run(self, **inputs: str) -> Result:
        """Run the action; underscores of names stand for dashes."""
        named = {name.replace("_", "-"): value for name, value in inputs.items()}
        result = run_action(ACTION, named, {"token": TOKEN, "event": self.event}, self.workspace.folder, self.environment, self.files)
        assert TOKEN not in result.log
        return result

    def happens(self, name: str, event: dict[str, Any], commit: str, reference: str) -> None:
        """An event that is no pull request: the checkout is one commit deep."""
        self.workspace.git("fetch", "-q", "--depth=1", "origin", commit)
        self.workspace.git("checkout", "-q", "--detach", "FETCH_HEAD")
        self.event = {"repository": {"default_branch": "main"}, **event}
        self.job.event({"ref": reference})
        self.environment.pop("GITHUB_BASE_REF", None)
        self.environment |= {"GITHUB_EVENT_NAME": name, "GITHUB_REF": reference}


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    return pull_request(tmp_path_factory.mktemp("pull_request"))


@pytest.fixture
def checkout(tmp_path: Path, job: Job, ready: tuple[Path, str]) -> Checkout:
    """The clone of a pull request."""
    return Checkout(tmp_path, job, ready)


def test_all_of_it(checkout: Checkout) -> None:
    """The tests run, the missing history is fetched, the comment is there, and the gate comes last."""
    service = checkout.job.service
    result = checkout.run(run="python prog.py", fail_under="90", check_run="true", html="coverage.html")
    assert result.code == 2, result.log
    assert [step.name for step in result.steps] == ["Begin", "Run", "Diff", "Outputs", "Summary", "Comment", "Check run", "Kept", "Gate"]
    assert [step.code for step in result.steps] == [0] * 8 + [2]
    assert result.steps[-1].log.startswith("Failure. Coverage is 83.3% < 90%: ")
    assert result.outputs == {"coverage": "83.3", "missing": "1", "passed": "false", "kept": ""}
    assert len(service.comments) == 1
    assert "`prog.py` | 83.3% | 6 |" in service.comments[0]["body"]
    assert "base.py" not in service.comments[0]["body"]  # main moved on: that is no part of the change
    assert "| 83.3% | 6 |" in result.summary
    [run] = service.check_runs
    assert (run["name"], run["head_sha"], run["conclusion"]) == ("Diff coverage", checkout.head, "failure")
    assert [(one["path"], one["start_line"]) for one in run["output"]["annotations"]] == [("prog.py", 6)]
    assert "::warning" not in result.log
    assert (checkout.workspace.folder / "coverage.html").exists()
    again = checkout.run(run="X=1 python prog.py", fail_under="prog.py=80\n\n 50 ", comment="true", summary="false")
    assert (again.code, again.outputs["coverage"], again.summary) == (0, "83.3", "")
    assert "::warning file=prog.py,line=7" in again.log
    assert len(service.comments) == 1
    assert "`prog.py` | 83.3% | 7 |" in service.comments[0]["body"]


def test_failing_tests_are_reported_too(checkout: Checkout) -> None:
    result = checkout.run(run="python prog.py; python -c 'raise SystemExit(7)'; echo never")
    assert result.code == 7
    assert "::error::the tests failed with status 7" in result.steps[-1].log
    assert len(checkout.job.service.comments) == 1
    assert "never" not in result.log


def test_jobs_are_merged(checkout: Checkout) -> None:
    folder = checkout.workspace.folder
    for name in ("cpu", "cuda"):
        environment = {**checkout.environment, "X": "1" if name == "cuda" else "0"}
        command = ["qd-cov", "run", "--quiet", f"--data-file=jobs/{name} 1/.coverage.{name}", "--", "python", "prog.py"]
        (folder / f"jobs/{name} 1").mkdir(parents=True)
        subprocess.run(command, cwd=folder, env=environment, check=True)
    result = checkout.run(data="cpu=jobs/cpu*/.coverage.*\n\n  cuda=jobs/cuda 1/.coverage.cuda\n", fail_under="100")
    assert result.code == 0, result.log
    assert "`cpu`: 83.3% · `cuda`: 83.3%" in checkout.job.service.comments[0]["body"]
    assert checkout.run(data="jobs/*/.coverage.*", comment="false").outputs["coverage"] == "100"
    missing = checkout.run(data="jobs/none*")
    assert (missing.code, "::error::no data file is called 'jobs/none*'" in missing.log) == (1, True)


def test_a_fork(checkout: Checkout, tmp_path: Path) -> None:
    """Both workflows of a fork: the first keeps, the second posts the uploaded files."""
    service = checkout.job.service
    service.may_write = False
    service.pulls[7] = service.pull(checkout.head, "stranger/particles")
    result = checkout.run(run="python prog.py", check_run="true")
    assert result.code == 0, result.log
    assert service.comments == [] and service.check_runs == []
    assert sorted(path.name for path in Path(result.outputs["kept"]).iterdir()) == ["check-run_Diff_coverage.json", "comment_diff.json"]

    service.may_write = True
    job = Job(service, tmp_path / "second")
    job.follows(head_sha=checkout.head)
    workflow = load(CI / "github/examples/coverage-comment.yml")
    steps = workflow["jobs"]["post"]["steps"]
    assert not any("checkout" in step.get("uses", "") for step in steps)
    # The download is GitHub's, the installation pip's.
    shutil.copytree(result.outputs["kept"], tmp_path / "runner/kept")
    posting = {key: value for key, value in steps[-1].items() if key != "if"} | {"shell": "bash"}
    posted = run_steps(
        [posting], {"github": {"token": TOKEN}}, tmp_path, {**job.environment, "RUNNER_TEMP": str(tmp_path / "runner")}, tmp_path / "steps"
    )
    assert posted.code == 0, posted.log
    assert [one["body"].splitlines()[0] for one in service.comments] == [MARKER.strip()]
    assert [one["name"] for one in service.check_runs] == ["Diff coverage (fork)"]


def test_a_push(checkout: Checkout) -> None:
    """No pull request: the change of the last commit, and no comment."""
    checkout.workspace.git("fetch", "-q", "--depth=1", "origin", "change")
    checkout.workspace.git("checkout", "-q", "FETCH_HEAD")
    checkout.job.event({"ref": "refs/heads/change"})
    for name in ("GITHUB_BASE_REF", "GITHUB_REF"):
        checkout.environment.pop(name)
    checkout.environment["GITHUB_EVENT_NAME"] = "push"
    result = checkout.run(run="python prog.py")
    assert (result.code, result.outputs["missing"]) == (0, "1"), result.log
    assert checkout.job.service.requests == []


@pytest.fixture
def pushed(checkout: Checkout) -> tuple[Checkout, list[str]]:
    """Three commits of the branch "change": the first has the line that never runs. The last is one line that runs."""
    origin = checkout.origin
    origin.git("checkout", "-q", "change")
    for line in ("b = 1\n", "c = 2\n"):
        origin.write("prog.py", (origin.folder / "prog.py").read_text() + line)
        origin.commit()
    return checkout, origin.git("rev-list", "change").split()


ZEROS = "0" * 40


def test_a_push_of_several_commits(pushed: tuple[Checkout, list[str]]) -> None:
    """The commit before the push counts, not the one before the last; a forced push counts from where its history left that one."""
    checkout, (last, middle, first, base) = pushed
    for before, lines in ((base, 8), (first, 2), (middle, 1)):
        checkout.happens("push", {"before": before}, last, "refs/heads/change")
        result = checkout.run(run="python prog.py", fail_under="90", summary="true")
        assert (result.code, f"Total:   {lines} line" in result.log) == (2 if lines == 8 else 0, True), result.log
    checkout.origin.git("checkout", "-q", "-b", "other", base)
    checkout.origin.write("prog.py", PROGRAM)
    checkout.origin.commit("the same text, by another commit")
    old = checkout.origin.git("rev-parse", "HEAD").strip()
    checkout.origin.git("branch", "-q", "-f", "unreachable", old)
    checkout.happens("push", {"before": old, "forced": True}, last, "refs/heads/change")
    result = checkout.run(run="python prog.py", fail_under="90")
    assert (result.code, "Total:   8 lines" in result.log) == (2, True), result.log
    assert checkout.job.service.requests == []


def test_a_new_branch(pushed: tuple[Checkout, list[str]]) -> None:
    """No commit was before: it is compared with the default branch. So is an event without a commit before, such as a start by hand."""
    checkout, (last, *_) = pushed
    for name, event in (("push", {"before": ZEROS}), ("workflow_dispatch", {})):
        checkout.happens(name, event, last, "refs/heads/change")
        result = checkout.run(run="python prog.py", fail_under="90")
        assert (result.code, "Diff: origin/main...HEAD" in result.log, "Total:   8 lines" in result.log) == (2, True, True), result.log
    checkout.happens("push", {"before": ZEROS}, last, "refs/heads/main")
    result = checkout.run(run="python prog.py", fail_under="90")
    assert (result.code, "::error::this push made the default branch" in result.log) == (1, True)
    checkout.happens("schedule", {}, last, "refs/heads/main")
    result = checkout.run(run="python prog.py", fail_under="90")
    assert (result.code, "Total:   1 line\n" in result.log) == (0, True), result.log


def test_a_commit_before_that_is_gone(pushed: tuple[Checkout, list[str]]) -> None:
    """Nothing is compared, and the error says why."""
    checkout, (last, *_) = pushed
    gone = "12345678" * 5
    for name, event in (("push", {"before": gone}), ("merge_group", {"merge_group": {"base_sha": gone}})):
        checkout.happens(name, event, last, "refs/heads/change")
        result = checkout.run(run="python prog.py", fail_under="90")
        assert (result.code, f"'{gone}': git has no" in result.log, "the remote does not give it" in result.log) == (1, True, True), result.log


def test_a_merge_group(pushed: tuple[Checkout, list[str]]) -> None:
    """All commits of a merge group are compared with its base."""
    checkout, (last, _, _, base) = pushed
    checkout.happens("merge_group", {"merge_group": {"base_sha": base}}, last, "refs/heads/gh-readonly-queue/main/pr-1")
    result = checkout.run(run="python prog.py", fail_under="90")
    assert (result.code, "Total:   8 lines" in result.log) == (2, True), result.log


def test_the_target_instead_of_the_change(checkout: Checkout) -> None:
    """A job of pull_request_target has the target in its checkout: no change is no pass."""
    target = checkout.origin.git("rev-parse", "main").strip()
    checkout.workspace.git("fetch", "-q", "--depth=1", "origin", target)
    checkout.workspace.git("checkout", "-q", "--detach", "FETCH_HEAD")
    checkout.environment |= {"GITHUB_EVENT_NAME": "pull_request_target", "GITHUB_SHA": target}
    result = checkout.run(run="python base.py", fail_under="90", comment="false")
    assert (result.code, "::error::the checkout has the target without the pull request's changes" in result.log) == (1, True), result.log


def test_a_tag_with_the_name_of_the_target(checkout: Checkout) -> None:
    """The target is a branch."""
    for name in ("main", "origin/main"):
        checkout.origin.git("tag", name, "refs/pull/7/merge")
    checkout.workspace.git("fetch", "-q", "--depth=1", "--tags", "origin")
    checkout.workspace.git("update-ref", "refs/heads/origin/main", "HEAD")
    result = checkout.run(run="python prog.py", fail_under="90")
    assert (result.code, result.outputs["missing"]) == (2, "1"), result.log


def test_errors_are_errors(checkout: Checkout) -> None:
    result = checkout.run(run="python prog.py", fail_under="many")
    assert (result.code, [step.name for step in result.steps]) == (1, ["Begin", "Run", "Diff", "Gate"])
    assert "option --fail-under: 'many' is no percentage" in result.log
    checkout.job.service.fail("GET", "/comments", 404, body={"message": "Not Found"})
    result = checkout.run(run="python prog.py", fail_under="100")
    assert (result.code, result.steps[-1].name) == (1, "Gate")
    assert "GitHub answers 404" in result.log and "% < 100%: cover " in result.log


def test_names_are_no_commands(checkout: Checkout) -> None:
    """A file of the pull request may be called as a workflow command, and the log shows it."""
    names = ["::error::pwned.py", "##[error]pwned.py", " ::set-output name=x::y.py"]
    for name in names:
        (checkout.workspace.folder / name).write_text("a = 1\n")
    checkout.workspace.git("add", "-A")
    checkout.workspace.git("commit", "-qm", "more")
    result = checkout.run(run="python prog.py", fail_under="*.py=100")
    assert result.code == 2, result.log
    assert all(name in result.log for name in names)
    told = commands(result.log)
    assert told and all(line.startswith("::warning file=") for line in told), told


HOSTILE = ["$(touch pwned)", "`touch pwned`", '"; touch pwned; \'; touch pwned; "', "a\ntouch pwned\n", "x=$(touch pwned)", "a[$(touch pwned)]"]


# Each group gets as far as the scripts that read it: the first ends where data is looked for, the second where the options are read.
GROUPS = [
    ["data"],
    ["compare-branch", "base", "fail-under", "fail-under-total", "max-missing", "on-no-data", "options"],
    ["name", "comment", "check-run", "summary", "html"],
]


def test_no_input_is_a_script(checkout: Checkout) -> None:
    """An input is data, whatever it holds."""
    for text in HOSTILE:
        for group in GROUPS:
            checkout.run(**dict.fromkeys(group, text))
        checkout.environment["GITHUB_BASE_REF"] = text
        checkout.run()
        checkout.environment["GITHUB_BASE_REF"] = "main"
    assert [path for folder in (checkout.workspace.folder, checkout.environment["RUNNER_TEMP"]) for path in Path(folder).rglob("*pwned*")] == []


def all_scripts() -> list[tuple[str, str]]:
    """Every script of the action, the examples and the template."""
    found = []

    def walk(name: str, value: Any) -> None:
        if isinstance(value, dict):
            if "run" in value and isinstance(value["run"], str):
                found.append((name, value["run"]))
            for key, inner in value.items():
                walk(f"{name}:{key}", inner)
        elif isinstance(value, list):
            for inner in value:
                walk(name, inner)

    for path in [ACTION, *sorted((CI / "github/examples").iterdir())]:
        walk(path.name, load(path))
    found += [("gitlab", script) for script in load(CI / "gitlab/qd-cov.gitlab-ci.yml")[".qd-cov"]["script"]]
    return found


def test_scripts_hold_no_expressions() -> None:
    scripts = all_scripts()
    assert len(scripts) > 12
    for name, script in scripts:
        assert "${{" not in script, name
        assert subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True).stderr == "", name


def test_examples_fit_the_action() -> None:
    """Inputs, outputs and options that the examples and the README use are there."""
    action = load(ACTION)
    assert set(action) == {"name", "description", "inputs", "outputs", "runs"}
    for about in action["inputs"].values():
        assert set(about) == {"description", "default"} and isinstance(about["default"], str)
    readme = (CI / "github/README.md").read_text()
    page = re.search(r"^```yaml\n(name: .*?)^```$", (CI / "FIVE_MINUTES.md").read_text(), re.MULTILINE | re.DOTALL)
    assert page
    for job in (load(CI / "github/examples/coverage.yml")["jobs"]["report"], yaml.safe_load(page[1])["jobs"]["coverage"]):
        steps = [step for step in job["steps"] if "ci/github" in step.get("uses", "")]
        assert len(steps) == 1 and set(steps[0]["with"]) <= set(action["inputs"])
    for name in re.findall(r"`(coverage|missing|passed|kept)`", readme):
        assert name in action["outputs"]
    for name in re.findall(r"^      ([\w-]+):", readme, re.MULTILINE):
        assert name in action["inputs"]
    help_text = subprocess.run(["qd-cov", "diff", "--help-all"], capture_output=True, text=True).stdout
    used = {
        option
        for _, script in all_scripts()
        for option in re.findall(r"(?<![\w-])--(?:fail-under[\w-]*|max-missing|on-no-data|base[\w-]*|compare-branch|deepen|format|input)\b", script)
    }
    assert len(used) > 6
    for option in used:
        assert re.search(rf"{option}\b", help_text), option


def test_without_the_program(tmp_path: Path, ready: tuple[Path, str]) -> None:
    with serving() as service:
        checkout = Checkout(tmp_path, Job(service, tmp_path / "job"), ready)
        bare = tmp_path / "bare"
        bare.mkdir()
        for name in ("bash", "mktemp", "cat", "git", "sed"):
            (bare / name).symlink_to(str(shutil.which(name)))
        checkout.environment["PATH"] = str(bare)
        result = checkout.run()
        assert (result.code, "::error::qd-cov is not installed" in result.log) == (1, True)


SCHEMAS = {
    "vendor.github-actions": ["ci/github/action.yml"],
    "vendor.github-workflows": ["ci/github/examples/coverage.yml", "ci/github/examples/coverage-comment.yml"],
    "vendor.gitlab-ci": ["ci/gitlab/qd-cov.gitlab-ci.yml"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_schemas(schema: str, tmp_path: Path) -> None:
    """The services' own schemas of their files, as check-jsonschema carries them."""
    files = []
    for name in SCHEMAS[schema]:
        files.append(tmp_path / Path(name).name)
        # GitLab's schema looks only at jobs that run.
        files[-1].write_text((CI.parent / name).read_text().replace("\n.qd-cov:", "\nqd-cov:"))
    done = subprocess.run(["check-jsonschema", "--builtin-schema", schema, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_hooks_are_as_pre_commit_wants_them() -> None:
    done = subprocess.run(["pre-commit", "validate-manifest", CI.parent / ".pre-commit-hooks.yaml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
