"""Reports of combined data: coverage.py's on data that either tool combined, and qd-cov's own."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from environments import ENVIRONMENTS, Environment
from html_page_data import sources_of
from interop_project import KernelFiles
from measured import numbers

PYTHON = f"--python=3.{sys.version_info[1]}"
TOOLS = ("coverage", "qd-cov")


def same_but(text: str, environment: Environment) -> list[str]:
    """A terminal report without the differences of coverage.py 7.4 from the newest, which qd-cov follows.

    - Branch, Cover: in 7.4 the `def` of a decorated function is a branch, back to its decorators or on.
    """
    lines = text.splitlines()
    if environment.name == "newest" or "Branch" not in lines[0]:
        return lines
    result = []
    for line in lines:
        found = re.match(r"(\S+ +\d+ +\d+) +\d+( +\d+) +[\d.]+%(.*)", line)
        result.append(re.sub(" +", " ", found[1] + found[2] + found[3]) if found else line.strip("-"))
    return result


@pytest.fixture
def data(kernel_files: KernelFiles) -> Path:
    return kernel_files.combine("qd-cov")


OPTIONS = {
    "plain": [],
    "missing": ["-m"],
    "kernels alone": ["--contexts=qd:", "-m"],
    "host alone": ["--contexts=^((?!qd:).)*$", "-m"],
    "one test": [r"--contexts=test_large\|run", "-m"],
    "one test's kernels": [r"--contexts=test_count\|run\|qd:cpu$", "-m"],
    "two patterns": ["--contexts=test_few,test_scale", "-m"],
    "no context": ["--contexts=nothing"],
    "skip covered": ["--skip-covered", "--skip-empty"],
    "sorted": ["--sort=-miss", "--precision=2", "--omit=*/host.py"],
}


def test_report(kernel_files: KernelFiles, data: Path) -> None:
    project = kernel_files.project
    for name, options in OPTIONS.items():
        theirs = same_but(project.run("coverage", "report", f"--data-file={data}", *options), project.environment)
        assert same_but(project.run("qd-cov", "report", PYTHON, f"--data-file={data}", *options), project.environment) == theirs, name
        if name == "one test" and kernel_files.kind != "xdist":
            assert "2-13" in "\n".join(theirs)  # another test's lines are missing, this one's are not


def test_contexts_of_the_configuration(kernel_files: KernelFiles, data: Path) -> None:
    project = kernel_files.project
    settings = kernel_files.folder / "contexts.cfg"
    settings.write_text("[report]\ncontexts =\n    qd:cpu$\n    test_few\nshow_missing = true\n")
    reports = [project.run(tool, "report", f"--rcfile={settings}", f"--data-file={data}") for tool in TOOLS]
    assert same_but(reports[1], project.environment) == same_but(reports[0], project.environment)
    assert reports[0] != project.run("coverage", "report", "-m", f"--data-file={data}")


def text_of(path: Path) -> str:
    """A report without its time, and without the order of contexts, which is that of rows."""
    text = re.sub(r'timestamp="\d+"|"timestamp": "[^"]*",|created at [^\n]*', "", path.read_text())
    if path.suffix != ".json":
        return text
    data = json.loads(text)
    for file in data["files"].values():
        file["contexts"] = {line: sorted(contexts) for line, contexts in file["contexts"].items()}
        for part in [*file.get("functions", {}).values(), *file.get("classes", {}).values()]:
            part["contexts"] = {line: sorted(contexts) for line, contexts in part["contexts"].items()}
    return json.dumps(data)


def test_reports_of_coverage_do_not_depend_on_who_combined(kernel_files: KernelFiles) -> None:
    project = kernel_files.project
    reports: dict[str, dict[str, str]] = {}
    for tool in TOOLS:
        data = kernel_files.copy(tool).combine(tool)
        out = kernel_files.folder / f"out {tool}"
        out.mkdir()
        project.run("coverage", "xml", f"--data-file={data}", "-o", str(out / "x.xml"))
        project.run("coverage", "json", f"--data-file={data}", "--show-contexts", "-o", str(out / "x.json"))
        project.run("coverage", "lcov", f"--data-file={data}", "-o", str(out / "x.lcov"))
        project.run("coverage", "html", f"--data-file={data}", "--show-contexts", "-d", str(out / "html"))
        files = [*out.glob("x.*"), *(out / "html").glob("*.html")]
        reports[tool] = {p.name: text_of(p) for p in files}
        assert "qd:cpu" in reports[tool]["x.json"] and len(files) >= 6
    assert reports["qd-cov"] == reports["coverage"]


def test_html(kernel_files: KernelFiles, data: Path) -> None:
    """The page of qd-cov marks the lines that `coverage json` lists; 7.4 lists executed lines that are no statements, and the newest does not."""
    project = kernel_files.project
    folder = kernel_files.folder
    ENVIRONMENTS[0].run(project.folder, "coverage", "json", f"--data-file={data}", "-o", str(folder / "x.json"))
    project.run("qd-cov", "html", PYTHON, f"--data-file={data}", "-d", str(folder / "html"))
    states = {path: source["states"].lower() for path, source in sources_of((folder / "html/index.html").read_text()).items()}
    for name, file in numbers(folder / "x.json").items():
        partial = {line for line, _ in file.get("missing_branches", [])} - {*file["missing_lines"], *file["excluded_lines"]}
        expected = {**dict.fromkeys(file["executed_lines"], "c"), **dict.fromkeys(partial, "p"), **dict.fromkeys(file["excluded_lines"], "x")}
        assert {line: states[name][line - 1] for line in expected} == expected
        assert not [line for line in file["missing_lines"] if states[name][line - 1] in "cpx "]
