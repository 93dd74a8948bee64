"""XML of Clover, JaCoCo and Cobertura in `qd-cov diff`, against diff-cover, and in the other reports."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from diff_repository import Repository, edited

N = 30
CHANGED = range(3, 27)
JAVA, OTHER, SCRIPT, PHP = "src/main/java/com/example/A.java", "app/src/com/example/B.java", "web/a.js", "A.php"
FILES = (JAVA, OTHER, SCRIPT, PHP)
TEXT = "".join(f"line {i};\n" for i in range(1, N + 1))


@pytest.fixture
def project(repo: Repository) -> Repository:
    """Files of other languages, of which most lines changed."""
    repo.git("checkout", "-q", "main")
    for name in FILES:
        repo.write(name, TEXT)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    for name in FILES:
        repo.write(name, edited(TEXT, {i: f"new {i};\n" for i in CHANGED}))
    repo.commit()
    return repo


def hits(name: str) -> dict[int, int]:
    """The lines of a file that have code, and how often they ran."""
    dice = random.Random(name)
    return {i: dice.choice((0, 1, 7)) for i in range(1, N + 1) if dice.random() < 0.8}


def lines_of(name: str, line: Callable[[int, int], str]) -> str:
    """All lines of a file in the words of a format."""
    return "".join(line(number, times) for number, times in hits(name).items())


def cobertura(roots: list[str], names: list[str]) -> str:
    def line(number: int, times: int) -> str:
        if number % 5:
            return f'<line number="{number}" hits="{times}"/>'
        return f'<line number="{number}" hits="{times}" branch="true" condition-coverage="{50 if times else 0}% ({int(times > 0)}/2)"/>'

    files = {name: next(file for file in FILES if file.endswith(name)) for name in names}
    classes = "".join(f'<class filename="{name}"><lines>{lines_of(file, line)}</lines></class>' for name, file in files.items())
    sources = "".join(f"<source>{root}</source>" for root in roots)
    return f"<coverage><sources>{sources}</sources><packages><package><classes>{classes}</classes></package></packages></coverage>"


def istanbul(root: str) -> str:
    def line(number: int, times: int) -> str:
        kind = f'type="cond" truecount="{int(times > 0)}" falsecount="{2 - int(times > 0)}"' if number % 5 == 0 else 'type="stmt"'
        return f'<line num="{number}" count="{times}" {kind}/>'

    file = f'<file name="a.js" path="{root}{SCRIPT}">{lines_of(SCRIPT, line)}</file>'
    return f'<coverage generated="1" clover="3.2.0"><project name="All files">{file}</project></coverage>'


def phpunit(root: str) -> str:
    def line(number: int, times: int) -> str:
        return f'<line num="{number}" type="{"method" if number % 7 == 0 else "stmt"}" name="f{number}" count="{times}"/>'

    file = f'<file name="{root}{PHP}"><class name="A"/>{lines_of(PHP, line)}</file>'
    return f'<coverage generated="1"><project timestamp="1">{file}</project></coverage>'


def jacoco() -> str:
    def line(number: int, times: int) -> str:
        branches = f' mb="{2 - int(times > 0)}" cb="{int(times > 0)}"' if number % 5 == 0 else ' mb="0" cb="0"'
        return f'<line nr="{number}" mi="{int(times == 0)}" ci="{times}"{branches}/>'

    files = "".join(f'<sourcefile name="{Path(name).name}">{lines_of(name, line)}</sourcefile>' for name in (JAVA, OTHER))
    doctype = '<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">'
    return f'<?xml version="1.0"?>{doctype}<report name="x"><package name="com/example">{files}</package></report>'


def statistics(folder: Path, name: str) -> dict[str, tuple[list[int], list[int]]]:
    """Changed lines of each file that are covered, and those that are not."""
    result: dict[str, Any] = json.loads((folder / name).read_text())["src_stats"]
    return {file: (sorted(stats["covered_lines"]), sorted(stats["violation_lines"])) for file, stats in result.items()}


def both(repo: Repository, *words: str) -> tuple[dict[str, Any], dict[str, Any]]:
    command = [sys.executable, "-m", "diff_cover.diff_cover_tool", *words, "--compare-branch=main", "--format", "json:theirs.json"]
    done = subprocess.run(command, cwd=repo.folder, env=repo.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report = repo.diff(*words, "--format", "json:ours.json")
    assert report.code == 0, report.err
    return statistics(repo.folder, "theirs.json"), statistics(repo.folder, "ours.json")


SITUATIONS: dict[str, tuple[str, list[str], set[str]]] = {
    "istanbul, absolute": ("istanbul", [], {SCRIPT}),
    "istanbul, relative": ("istanbul relative", [], {SCRIPT}),
    "phpunit, absolute": ("phpunit", [], {PHP}),
    "phpunit, relative": ("phpunit relative", [], {PHP}),
    "jacoco, usual roots": ("jacoco", [], {JAVA}),
    "jacoco, another root": ("jacoco", ["--src-roots", "app/src"], {OTHER}),
    "jacoco, two roots": ("jacoco", ["--src-roots", "app/src", "src/main/java"], {JAVA, OTHER}),
    "cobertura, one root": ("cobertura .", [], {SCRIPT, PHP}),
    "cobertura, two roots": ("cobertura src/main/java app/src", [], {JAVA, OTHER}),
    "cobertura, no root": ("cobertura", [], {SCRIPT, PHP}),
    "cobertura, root of another machine": ("cobertura /gone", [], {SCRIPT, PHP}),
}


def write(repo: Repository, what: str) -> None:
    kind, *rest = what.split()
    root = "" if rest == ["relative"] else f"{repo.folder}/"
    if kind == "cobertura":
        names = ["com/example/A.java", "com/example/B.java"] if len(rest) > 1 else [SCRIPT, PHP]
        roots = [one if one.startswith("/") else str(repo.folder / one) for one in rest]
        repo.write("report.xml", cobertura(roots, names))
    else:
        repo.write("report.xml", {"istanbul": istanbul, "phpunit": phpunit}[kind](root) if kind != "jacoco" else jacoco())


@pytest.mark.parametrize("situation", SITUATIONS)
def test_as_diff_cover_reads_it(project: Repository, situation: str) -> None:
    what, options, names = SITUATIONS[situation]
    write(project, what)
    theirs, ours = both(project, "report.xml", *options)
    assert set(ours) == names
    assert ours == theirs
    for name in names:
        changed = {line: n for line, n in hits(name).items() if line in CHANGED}
        assert ours[name] == ([line for line, n in changed.items() if n], [line for line, n in changed.items() if not n])


@pytest.mark.parametrize("what", ["istanbul", "phpunit", "jacoco", "cobertura ."])
def test_in_every_report(project: Repository, what: str) -> None:
    """Lines and branches of the whole files; combined, they stay the same."""
    write(project, what)

    def run(*words: str) -> str:
        done = subprocess.run(["qd-cov", *words], cwd=project.folder, env=project.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def files(*options: str) -> dict[str, Any]:
        run("json", "-q", "-o", "all.json", *options)
        result: dict[str, Any] = json.loads((project.folder / "all.json").read_text())["files"]
        return result

    read = files("--input=report.xml")
    for name, file in read.items():
        if name not in FILES:
            continue  # sources under another root are not found
        lines = hits(name)
        ran = [line for line, n in lines.items() if n]
        assert (file["executed_lines"], file["missing_lines"]) == (ran, sorted(set(lines) - set(ran)))
        if what != "phpunit":
            forks = [n for line, n in lines.items() if line % 5 == 0]
            assert (file["summary"]["num_branches"], file["summary"]["covered_branches"]) == (2 * len(forks), sum(n > 0 for n in forks))
    assert any(name in FILES for name in read)
    run("combine", "-q", "report.xml")
    assert (project.folder / "report.xml").exists()
    assert files() == read
    page = run("html", "-q", "--input=report.xml") or (project.folder / "htmlcov/index.html").read_text()
    assert all(name in page for name in read)


def test_settings_name_the_roots(project: Repository) -> None:
    write(project, "jacoco")
    (project.folder / "pyproject.toml").write_text('[tool.qd-cov]\nsrc_roots = ["app/src"]\ninputs = ["report.xml"]\n')
    done = subprocess.run(["qd-cov", "report"], cwd=project.folder, env=project.environment, capture_output=True, text=True, check=True)
    assert f"\n{OTHER} " in done.stdout


@pytest.mark.parametrize("what", ["istanbul", "phpunit", "jacoco", "cobertura ."])
def test_damaged_reports_fail_the_command(project: Repository, what: str) -> None:
    """Cut off anywhere: an error that names the file, and nothing passes."""
    write(project, what)
    text = (project.folder / "report.xml").read_text()
    for share in (0.2, 0.5, 0.9, 0.999):
        project.write("report.xml", text[: int(len(text) * share)])
        report = project.diff("report.xml", "--fail-under=0")
        assert report.code == 1
        assert "Couldn't read 'report.xml' as " in report.out + report.err
