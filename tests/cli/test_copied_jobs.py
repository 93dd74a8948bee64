"""Jobs that users copy, with qd-cov installed as they install it: from a folder of wheels, into an environment of its own.

QD_WHEELS=dist pytest tests/cli/test_copied_jobs.py; the folder has wheels for this Python, of `pip wheel --no-deps -w dist . ./runtime`. The other
packages come from pip's index."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from github_server import TOKEN, Job
from test_github_action import Checkout, pull_request

ROOT = Path(__file__).resolve().parents[2]
WHEELS = os.environ.get("QD_WHEELS", "")
TEST = "import prog\n\n\ndef test_f():\n    assert prog.f(0) == 2\n"

pytestmark = pytest.mark.skipif(not WHEELS, reason="needs QD_WHEELS, a folder with a wheel")


@pytest.fixture
def checkout(tmp_path: Path, job: Job) -> Checkout:
    """The clone of a pull request with a test and a folder of wheels, and an empty environment."""
    made = Checkout(tmp_path, job, pull_request(tmp_path / "made"))
    folder = made.workspace.folder
    shutil.copytree(ROOT / WHEELS, folder / "wheels")
    (folder / "requirements.txt").write_text("pytest\n")
    (folder / "test_prog.py").write_text(TEST)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "environment"], check=True)
    made.environment["PATH"] = f"{tmp_path / 'environment' / 'bin'}:/usr/bin:/bin"
    made.environment.pop("PYTHONPATH", None)
    return made


def run(command: str, checkout: Checkout, **settings: str) -> None:
    """A step of installation, with the way to the index that this machine has."""
    environment = {**os.environ, **settings, "PATH": checkout.environment["PATH"]}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(["bash", "-ec", command], cwd=checkout.workspace.folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    there = subprocess.run(["bash", "-c", "command -v qd-cov"], env=environment, capture_output=True, text=True)
    assert there.stdout.strip() == f"{checkout.environment['PATH'].partition(':')[0]}/qd-cov"


def test_the_job_of_github(checkout: Checkout) -> None:
    """The workflow of ci/FIVE_MINUTES.md, step by step; checkout and Python are there already."""
    page = re.search(r"^```yaml\n(name: .*?)^```$", (ROOT / "ci/FIVE_MINUTES.md").read_text(), re.MULTILINE | re.DOTALL)
    assert page
    job = yaml.safe_load(page[1])["jobs"]["coverage"]
    steps = [step for step in job["steps"] if not step.get("uses", "").startswith("actions/")]
    assert [list(step) for step in steps] == [["run"], ["uses", "with"]]
    run(steps[0]["run"], checkout, **job["env"])
    result = checkout.run(**{name.replace("-", "_"): str(value) for name, value in steps[1]["with"].items()})
    assert (result.code, result.outputs["coverage"]) == (2, "83.3"), result.log
    assert len(checkout.job.service.comments) == 1


def test_the_job_of_gitlab(checkout: Checkout) -> None:
    """The job at the head of the template, and the template's script."""
    text = (ROOT / "ci/gitlab/qd-cov.gitlab-ci.yml").read_text()
    head = re.search(r"^#   coverage:\n(?:#   .*\n)+", text, re.MULTILINE)
    assert head
    job: dict[str, Any] = yaml.safe_load(head[0].replace("#   ", ""))["coverage"]
    template = yaml.safe_load(text)[job["extends"]]
    variables = {name: str(value) for name, value in {**template["variables"], **job["variables"]}.items()}
    run("\n".join(job["before_script"]), checkout, **variables)
    base = checkout.origin.git("rev-parse", "main").strip()
    environment = {name: value for name, value in checkout.environment.items() if not name.startswith("GITHUB_")}
    of_gitlab = {"CI_API_V4_URL": f"{checkout.job.service.url}/api/v4", "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "3", "GITLAB_TOKEN": TOKEN}
    environment |= {**of_gitlab, **variables, "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    script = "\n".join(template["script"])
    done = subprocess.run(["sh", "-e"], input=script, cwd=checkout.workspace.folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 2 and "Coverage is 83.3% < 90%" in done.stderr, done.stdout + done.stderr
    assert len(checkout.job.service.notes) == 1
