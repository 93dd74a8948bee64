"""ci/gitlab: the script of the template, run as a runner of GitLab does, with a server that plays its API; the hook for pre-commit."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml
from composite_action import load
from diff_repository import Repository
from github_server import TOKEN, Job

ROOT = Path(__file__).resolve().parents[2]
JOB = load(ROOT / "ci/gitlab/qd-cov.gitlab-ci.yml")[".qd-cov"]
PROGRAM = "def f(x):\n    if x:\n        return 1\n    return 2\n\n\nf(0)\n"


@pytest.fixture
def merge_request(repo: Repository, job: Job) -> Repository:
    """The checkout of the runner, and its environment."""
    base = repo.git("rev-parse", "HEAD").strip()
    repo.write("prog.py", PROGRAM)
    repo.commit()
    repo.environment |= job.environment
    for name in [name for name in repo.environment if name.startswith("GITHUB_")]:
        del repo.environment[name]
    repo.environment |= {str(name): str(value) for name, value in JOB["variables"].items()}
    repo.environment |= {"CI_API_V4_URL": f"{job.service.url}/api/v4", "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "3", "GITLAB_TOKEN": TOKEN}
    repo.environment |= {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "QD_COV_RUN": "python prog.py"}
    return repo


def run_script(repo: Repository, **variables: str) -> tuple[int, str]:
    """Runs the template's script as the runner puts it together: one script of sh that ends at the first failure."""
    script = "\n".join(JOB["script"])
    environment = {**repo.environment, **variables}
    done = subprocess.run(["sh", "-e"], input=script, cwd=repo.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert TOKEN not in done.stdout
    return done.returncode, done.stdout


def test_a_merge_request(merge_request: Repository, job: Job) -> None:
    code, log = run_script(merge_request, QD_COV_FAIL_UNDER="90")
    assert code == 2, log
    assert "% < 90%: cover " in log
    assert [one["body"].splitlines()[0] for one in job.service.notes] == ["<!-- qd-cov: diff -->"]
    reports = JOB["artifacts"]["reports"]
    findings = json.loads((merge_request.folder / reports["codequality"]).read_text())
    assert [(one["location"]["path"], one["location"]["lines"]["begin"]) for one in findings] == [("prog.py", 3)]
    assert "<coverage" in (merge_request.folder / reports["coverage_report"]["path"]).read_text()
    assert (merge_request.folder / JOB["artifacts"]["paths"][0]).exists()
    code, log = run_script(merge_request, QD_COV_FAIL_UNDER="80", GITLAB_TOKEN="")
    assert (code, len(job.service.notes)) == (0, 1), log
    code, log = run_script(merge_request, QD_COV_RUN="python prog.py; exit 5", QD_COV_NAME="of gpu")
    assert (code, len(job.service.notes)) == (5, 2)
    assert "The tests failed with status 5." in log
    assert run_script(merge_request, QD_COV_FAIL_UNDER="$(touch pwned)")[0] == 1
    assert not (merge_request.folder / "pwned").exists()


def test_the_total_is_found(merge_request: Repository) -> None:
    """The total is found by the regular expression of `coverage:`, in every log, line by line as GitLab reads it."""
    pattern = re.compile(JOB["coverage"].strip("/"))
    log = run_script(merge_request, CI_MERGE_REQUEST_DIFF_BASE_SHA="")[1]
    assert [match[1] for line in log.splitlines() if (match := pattern.search(line))] == ["80"], log
    assert [pattern.search(f"TOTAL {rest}")[1] for rest in ("10 2 80%", "10 2 4 1 78.95%", "3 0 100%  ")] == ["80", "78.95", "100"]  # type: ignore[index]


def test_pre_commit(repo: Repository, tmp_path: Path) -> None:
    """A real push with the hook: pre-commit runs the `qd-cov` that is installed, and the push goes when the gate is reached."""
    hooks = Repository(tmp_path / "hooks")
    hooks.write(".pre-commit-hooks.yaml", (ROOT / ".pre-commit-hooks.yaml").read_bytes())
    hooks.commit()
    configuration = {
        "repos": [
            {
                "repo": str(hooks.folder),
                "rev": hooks.git("rev-parse", "HEAD").strip(),
                "hooks": [{"id": "qd-cov-diff", "args": ["--compare-branch=main", "--fail-under=90"]}],
            }
        ]
    }
    repo.write(".pre-commit-config.yaml", yaml.safe_dump(configuration))
    repo.write("prog.py", PROGRAM)
    repo.commit()
    repo.environment |= {"PRE_COMMIT_HOME": str(tmp_path / "cache")}
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "remote"], check=True, env=repo.environment)
    repo.git("remote", "add", "origin", str(tmp_path / "remote"))
    installed = subprocess.run(
        ["pre-commit", "install", "--hook-type", "pre-push"], cwd=repo.folder, env=repo.environment, capture_output=True, text=True
    )
    assert installed.returncode == 0, installed.stdout

    def push() -> tuple[int, str]:
        done = subprocess.run(["git", "push", "-q", "origin", "HEAD"], cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    repo.measure({"prog.py": [1, 2, 4, 7]})
    code, log = push()
    assert (code, "Failure. Coverage is 80% < 90%: " in log) == (1, True), log
    repo.measure({"prog.py": [1, 2, 3, 4, 7]})
    code, log = push()
    assert code == 0, log
