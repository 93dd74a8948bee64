"""Commands of pages, in an empty folder and exactly as they stand: the README's five minutes, the first step of CI, and others with its program."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci"))
import page_commands  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(page: str, title: str = "") -> str:
    """The text of a section of a page; without a title, what stands before the first one."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = (
        re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        if title
        else re.match(r"(.*?)^## ", text, re.M | re.S)
    )
    assert found
    return found[1]


def test_five_minutes_and_the_first_step_of_ci(tmp_path: Path) -> None:
    page = README + section("ci/FIVE_MINUTES.md", "1. Try the command")
    files, steps = page_commands.programs(page), page_commands.commands(page)
    assert set(files) == {"sim.py", "test_limit.py"} and len(steps) == 11
    assert page_commands.run(files, steps, tmp_path / "project") == []


FURTHER = {
    "instrument/README.md": ("Any program", ["_qd_kcov.*", "coverage report -m"]),
    "report/README.md": ("", ["qd-cov report -m"]),
    "cli/README.md": ("", ["qd-cov run", "qd-cov diff"]),
}


@pytest.mark.parametrize("page", FURTHER)
def test_commands_on_the_program_of_the_readme(page: str, tmp_path: Path) -> None:
    """Other pages take the program of the README, in a repository, measured."""
    title, parts = FURTHER[page]
    steps = page_commands.commands(section(page, title))
    assert all(any(part in step.text for step in steps) for part in parts)
    ready = [
        page_commands.Command(text, None)
        for text in ("git init -qb main && git add . && git commit -qm start", "qd-cov run --branch -- python sim.py")
    ]
    assert page_commands.run(page_commands.programs(README), ready + steps, tmp_path / "project") == []


def test_commands_of_pull_requests(tmp_path: Path) -> None:
    """Those of ci/README.md, on a branch with a change; a missed gate is no failure here."""
    steps = page_commands.commands((ROOT / "ci/README.md").read_text(encoding="utf-8"))
    assert len(steps) == 7 and all(step.text.startswith("qd-cov ") for step in steps)
    assert {word for step in steps for word in step.text.split()[1:2]} == {"diff", "json", "check"}
    ready = (
        "git init -qb main && git add . && git commit -qm start && git update-ref refs/remotes/origin/main main",
        "git switch -qc change && echo 'print(limit(x, 0.5))' >> sim.py && git commit -qam change",
        "qd-cov run --branch --context test -- pytest -q && qd-cov xml",
        'printf \'[tool.qd-cov.check]\nuntested-changes = "error"\nchange-size = "error"\n\' > pyproject.toml',
    )
    commands = [page_commands.Command(text, None) for text in (*ready, *(f"{step.text.split('  #')[0]} || test $? = 2" for step in steps))]
    assert page_commands.run(page_commands.programs(README), commands, tmp_path / "project") == []


def test_a_wrong_page_is_noticed(tmp_path: Path) -> None:
    """A command that fails, and one that prints something else."""
    page = "```python\n# a.py\nprint(1)\n```\n\n```\n$ python a.py\n1\n$ python a.py\n2\n$ python b.py  # comment\n```\n"
    wrong = page_commands.run(page_commands.programs(page), page_commands.commands(page), tmp_path / "project")
    assert wrong[0] == "$ python a.py\n1\n(the page has:)\n2\n"
    assert wrong[1].startswith("$ python b.py  # comment\n") and wrong[1].endswith("(exit code 2)") and len(wrong) == 2
