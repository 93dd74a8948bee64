"""`combine` of host and kernel data by coverage.py and by qd-cov: the same rows, whichever tool does which part of it."""

from __future__ import annotations

import shutil

import pytest
from interop_project import KernelFiles, Project
from measured import report, rows

TOOLS = ("coverage", "qd-cov")


def test_either_tool_in_either_order(kernel_files: KernelFiles) -> None:
    first, *rest = kernel_files.names
    results = {tool: rows(kernel_files.copy(f"by {tool}").combine(tool)) for tool in TOOLS}
    for one, other in (TOOLS, reversed(TOOLS)):
        both = kernel_files.copy(f"{one} first")
        both.combine(one, first)
        results[f"{one}, then {other}"] = rows(both.combine(other, *rest))
    backwards = kernel_files.copy("backwards")
    for name in reversed(kernel_files.names):
        data = backwards.combine("qd-cov", name)
    results["backwards"] = rows(data)
    expected = results.pop("coverage")
    kernels = str(kernel_files.project.folder / "pk/kernels.py")
    assert any(path == kernels and context.endswith("qd:cpu") for path, context, *_ in [*expected["lines"], *expected["arcs"]])
    for how, found in results.items():
        assert found == expected, how


def test_the_numbers_are_those_of_plain_python(kernel_files: KernelFiles) -> None:
    """The numbers of each context are the same too, when the kernels were told which test runs."""
    project = kernel_files.project
    mode = ["--cov-branch"] if kernel_files.kind != "line" else []
    python = kernel_files.folder / "python"
    project.pytest("--cov=pk", *mode, "--cov-context=test", "--cov-report=", "tests", arch="python", COVERAGE_FILE=str(python))
    contexts = ["--show-contexts"] if kernel_files.kind != "xdist" else []
    expected = report(project, *contexts, f"--data-file={python}")
    for tool in TOOLS:
        data = kernel_files.copy(tool).combine(tool)
        assert report(project, *contexts, f"--data-file={data}") == expected


def test_without_append_and_without_names(kernel_files: KernelFiles) -> None:
    """qd-cov finds the kernel files itself; coverage.py is given a folder with files that it would find."""
    expected = rows(kernel_files.copy("expected").combine("coverage"))
    project = kernel_files.project
    ours = kernel_files.copy("ours")
    project.run("qd-cov", "combine", "--append", f"--data-file={ours.folder}/.coverage")
    assert rows(ours.folder / ".coverage") == expected
    assert [p.name for p in ours.folder.iterdir()] == [".coverage"]
    theirs = kernel_files.copy("theirs")
    for i, name in enumerate([".coverage", *theirs.names]):
        (theirs.folder / name).rename(theirs.folder / f".coverage.part{i}")
    project.run("coverage", "combine", f"--data-file={theirs.folder}/.coverage")
    assert rows(theirs.folder / ".coverage") == expected


def test_keep_and_repeated_combining(kernel_files: KernelFiles) -> None:
    """Data that is already there changes nothing when it comes again."""
    data = kernel_files.folder / ".coverage"
    results = []
    for tool in (*TOOLS, *TOOLS):
        names = [str(kernel_files.folder / name) for name in kernel_files.names]
        kernel_files.project.run(tool, "combine", "--append", "--keep", f"--data-file={data}", *names)
        results.append(rows(data))
    assert results == results[:1] * 4 and len(kernel_files.names) >= 2


@pytest.mark.parametrize("tool", TOOLS)
def test_line_data_and_branch_data_do_not_mix(kernel_files: KernelFiles, tool: str) -> None:
    """Kernel data follows the host's mode so that this does not happen by itself."""
    other = kernel_files.folder / "other"
    branch = [] if kernel_files.kind != "line" else ["--branch"]
    kernel_files.project.run("coverage", "run", *branch, f"--data-file={other}", "--source=pk", "-m", "pk.host")
    before = rows(other)
    names = [str(kernel_files.folder / name) for name in kernel_files.names]
    said = kernel_files.project.run(tool, "combine", "--append", "--keep", f"--data-file={other}", *names, code=1)
    assert "Can't combine" in said
    assert rows(other)["arcs"] == before["arcs"] and rows(other)["lines"] == before["lines"]


PATHS = "[run]\nbranch = true\nrelative_files = {}\nsource = pk\n[paths]\nsource =\n    backend/pk\n    pk\n    */ci-*/*/backend/pk\n"


@pytest.mark.parametrize("relative", [True, False], ids=["relative", "absolute"])
def test_paths_of_other_machines(project: Project, relative: bool) -> None:
    """Two builds of a package below the repository's root, in other folders, are combined and reported at the root."""
    root = project.folder.with_name("repository")
    shutil.copytree(project.folder, root / "backend")
    (root / ".coveragerc").write_text(PATHS.format(relative))
    here = Project(root, project.environment, project.plugin)
    parts: dict[str, list[bytes]] = {"python": [], "cpu": []}
    for machine, tests in (("ci-1", "tests/test_step.py"), ("ci-2", "tests/test_host.py")):
        there = project.folder.with_name(machine) / "work" / "backend"
        shutil.copytree(project.folder, there)
        (there / ".coveragerc").write_text(PATHS.format(relative))
        build = Project(there, project.environment, project.plugin)
        for arch, files in parts.items():
            build.run("coverage", "run", "-m", "pytest", "-q", "-pno:cacheprovider", tests, QD_KERNEL_COVERAGE="1", arch=arch)
            files += [path.read_bytes() for path in (there / ".coverage", *there.glob("_qd_kcov.*"))]
    assert [len(files) for files in parts.values()] == [2, 4]

    reports = []
    for arch, tool in (("python", "coverage"), ("cpu", "coverage"), ("cpu", "qd-cov")):
        for i, content in enumerate(parts[arch]):
            (root / f".coverage.{i}").write_bytes(content)
        here.run(tool, "combine")
        reports.append(report(here))
        names = rows(root / ".coverage")["files"]
        assert ("backend/pk/kernels.py" if relative else str(root / "backend/pk/kernels.py")) in names
        assert not [name for name in names if "ci-" in name]
        assert here.run("qd-cov", "report").count("backend/pk") == 3
    assert reports[1] == reports[0] and reports[2] == reports[0]
