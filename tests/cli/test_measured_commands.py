"""The commands of `qd-cov run` on the page of a report: data files keep them."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from run_program import qd_cov


def about(folder: Path) -> list[str]:
    assert qd_cov(folder, "html", "-q").returncode == 0
    (found,) = re.findall(r'<ul class="about" id="about">(.*?)</ul>', (folder / "htmlcov/index.html").read_text(), re.DOTALL)
    return [html.unescape(re.sub("<[^>]*>", "", one)) for one in found.split("</li>") if one]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "main.py").write_text("import sys\nprint(sys.argv)\n")
    return tmp_path


def test_as_a_shell_has_it_without_secrets(project: Path) -> None:
    command = ["python", "main.py", "it's a <b>", "--db-password=hunter2", "--token", "hunter2", "-v", "plain"]
    assert qd_cov(project, "run", "-q", "--", *command).returncode == 0
    assert "python main.py 'it'\\''s a <b>' --db-password=… --token … -v plain" in about(project)
    assert b"hunter2" not in (project / ".coverage").read_bytes()


def test_of_several_runs(project: Path) -> None:
    """Each command once; too many are counted. Combining keeps them, coverage.py reads the file, and data of coverage.py has none."""
    for i in (1, 2, 2):
        assert qd_cov(project, "run", "-q", "--append", "--", "python", "main.py", str(i)).returncode == 0
    (project / ".coverage").rename(project / ".coverage.a")
    coverage_py(["run", "-p", "main.py"], project, check=True)
    assert qd_cov(project, "combine", "-q").returncode == 0
    facts = about(project)
    assert facts[-2:] == ["python main.py 1", "python main.py 2"]
    coverage_py(["report"], project, check=True)
    for i in (3, 4):
        assert qd_cov(project, "run", "-q", "--append", "-m", "--", "main", str(i)).returncode == 0
    assert about(project)[-1] == "4 commands"
