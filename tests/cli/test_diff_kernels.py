"""Diff coverage of kernels: the reasons of missing lines, in every format for people; and lines around the change, which open on the page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import kernel_project
import pytest
from browser import Opened
from run_program import qd_cov
from terminals import unpainted

STATIC = "not measured: no compiled variant has it (static condition)"
NEVER = "not compiled: the kernel was not launched"
REASONS = {11: "not compiled: no kernel that was launched calls it", 20: STATIC, 22: "not hit: no launch reached it", 28: NEVER}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of kernels.py is new since main; two hundred lines before it are not."""
    folder = tmp_path_factory.mktemp("diff_kernels")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(folder)]
    (folder / "old.py").write_text("".join(f"old_{i} = {i}\n" for i in range(200)))
    for command in (["init", "-q", "-b", "main"], ["add", "old.py"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *command], check=True)
    (folder / "old.py").write_text((folder / "old.py").read_text() + "new = 1 if old_1 else 2\n")
    kernel_project.measure(folder)
    done = kernel_project.qd_cov(folder, "run", "--branch", "--append", "--source=.", "--", "python", "old.py")
    assert done.returncode == 0, done.stderr
    subprocess.run([*git, "add", "."], check=True)
    return folder


def diff(project: Path, form: str) -> str:
    done = qd_cov(project, "diff", "--compare-branch=main", f"--format={form}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_on_the_terminal(project: Path) -> None:
    out = unpainted(diff(project, "annotated"))
    lines = {int(line.split()[0]): line for line in out.split("kernels.py: ")[1].split("\n\n")[0].splitlines()[1:] if line.split()[0].isdigit()}
    for line, why in REASONS.items():
        assert lines[line].endswith(f"← {why}"), lines[line]
    assert [lines[line].split()[2] for line in (11, 20, 22, 28)] == ["○", "?", "✗", "○"]
    assert "○ not compiled (kernel)" in out and "? not measured (kernel)" in out


def test_in_the_comment(project: Path) -> None:
    """The numbers stand before the code; the code is the missing lines, with three lines around them; a legend explains the signs."""
    out = diff(project, "markdown")
    assert out.index("Diff coverage: ") < out.index("<details>")
    code = out.split("```diff\n")[1].split("\n```")[0]
    for line, why in REASONS.items():
        assert any(text.split()[1] == str(line) and text.endswith(f"← {why}") for text in code.splitlines() if len(text.split()) > 1), line
    assert "old.py" in out and "old_1" not in out  # nothing is missing there
    numbers = [int(text[2:7]) for text in code.splitlines() if "⋮" not in text]
    assert min(numbers) == 8 and set(range(1, 8)) & set(numbers) == set()
    assert (
        "<sub>✓ covered · ✗ missing · ◐ partial · ⊘ excluded · k ran in a kernel · ? not measured, ○ not compiled (kernels) · coloured: changed</sub>"
        in out
    )


def test_on_the_page(project: Path, opened: Opened) -> None:
    """Signs, colours and words are those of the report's page; lines that did not change open without a mouse."""
    diff(project, "html:page.html")
    page = opened(project / "page.html")
    page.screenshot("diff-kernels")
    rows = {
        line: page.script(f"[...document.querySelector('[id=\"kernels.py:L{line}\"]').cells].map(cell => cell.innerText.trim())") for line in REASONS
    }
    for line, why in REASONS.items():
        assert rows[line][-1].endswith(why) and rows[line][3] == "𝕂", line
    assert [rows[line][2] for line in (11, 20, 22, 28)] == ["○", "?", "✗", "○"]
    classes = [page.script(f"document.querySelector('[id=\"kernels.py:L{line}\"]').className") for line in (11, 20, 22)]
    assert classes == ["new mis unc", "new mis unm", "new mis"]
    assert [item for item in page.one("ul.legend").text.splitlines() if "kernel" in item or "not" in item] == [
        "· not a statement", "K ran in a kernel", "𝕂 did not run in a kernel", "✗ in kernels: not hit", "? not measured", "○ not compiled",
    ]  # fmt: skip
    gap = page.one("[id='old.py'] tr.gap summary")
    assert gap.text == "196 lines not changed"
    gap.send_keys(" ")
    page.wait(lambda: page.all("[id='old.py'] tr.gap pre"))
    text = page.one("[id='old.py'] tr.gap pre").text.splitlines()
    assert text[0].split() == ["1", "✓", "old_0", "=", "0"] and text[-1].split() == ["196", "✓", "old_195", "=", "195"]
