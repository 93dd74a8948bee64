"""Commands of pages, in an empty folder and exactly as they stand: the README's five minutes, and the first step of CI."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci"))
import page_commands  # noqa: E402

README = (ROOT / "README.md").read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """The text of a section of a page in ci, without its subsections' neighbours."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", (ROOT / "ci" / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_five_minutes_and_the_first_step_of_ci(tmp_path: Path) -> None:
    page = README + section("FIVE_MINUTES.md", "1. Try the command")
    assert set(page_commands.programs(page)) == {"sim.py", "test_limit.py"}
    assert len(page_commands.commands(page)) == 11
    assert page_commands.run(page, tmp_path / "project") == []


def test_a_wrong_page_is_noticed(tmp_path: Path) -> None:
    """A command that fails, and one that prints something else."""
    page = "```python\n# a.py\nprint(1)\n```\n\n```\n$ python a.py\n1\n$ python a.py\n2\n$ python b.py  # comment\n```\n"
    wrong = page_commands.run(page, tmp_path / "project")
    assert wrong[0] == "$ python a.py\n1\n(the page has:)\n2\n"
    assert wrong[1].startswith("$ python b.py  # comment\n") and wrong[1].endswith("(exit code 2)") and len(wrong) == 2
