"""report --by-arch and json --by-arch: the numbers of each device are coverage.py's of its contexts, in the lines that it can run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import number_project
import pytest
from coverage import CoverageData
from coverage.results import Numbers
from device_repository import HOST, KERNEL_LINES, RAN, SIM, measure
from html_page_data import index_of
from number_project import FILES, ORIGINS, Selection, kernel_bodies
from run_program import qd_cov


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("by_arch")
    number_project.measure(folder)
    return folder


@pytest.fixture(scope="module")
def archs(project: Path) -> dict[str, Selection]:
    return number_project.selections_of_archs(project)


def share(n: Numbers) -> str:
    return f"{n.pc_covered_str}%" if n.n_statements else "-"


def gaps(project: Path) -> dict[str, dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]]]:
    """Arch gaps of each file: the statements of kernels that ran on some devices and never on others, by these devices."""
    devices = [arch for arch in ORIGINS if arch != "host"]
    ran = {arch: Selection(project, ORIGINS[arch]) for arch in devices}
    result: dict[str, dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]]] = {}
    for name, text in FILES.items():
        bodies = {line for body in kernel_bodies(text) for line in body}
        found = result.setdefault(name, {})
        for line in sorted(Selection(project).files[name][1].statements & bodies):
            on = tuple(arch for arch in devices if line in ran[arch].executed(name))
            never = tuple(arch for arch in devices if arch not in on)
            if on and never:
                found.setdefault((on, never), []).append(line)
    return result


def numbers(text: str) -> set[int]:
    """The lines of "4-7, 9", without branches."""
    pieces = [piece.split("-") for piece in text.split(", ") if "->" not in piece]
    return {line for piece in pieces for line in range(int(piece[0]), int(piece[-1]) + 1)}


def test_table(project: Path, archs: dict[str, Selection]) -> None:
    done = qd_cov(project, "report", "--by-arch")
    rows = [line.split() for line in done.stdout.splitlines() if not line.startswith("---")]
    assert rows[0][-4:] == ["Cover", *ORIGINS] and done.stderr == ""
    wanted = {name: [share(archs[arch].numbers(name)[0]) for arch in ORIGINS] for name in FILES}
    wanted["TOTAL"] = [share(sum((archs[arch].numbers(name)[0] for name in FILES), Numbers())) for arch in ORIGINS]
    assert {row[0]: row[-3:] for row in rows[1:]} == wanted
    assert wanted["lib/host.py"][1:] == ["-", "-"] and "-" not in wanted["kernels.py"]


def test_all_else_stays_as_it_is(project: Path) -> None:
    plain, by_arch = (qd_cov(project, "report", *more).stdout.splitlines() for more in ([], ["--by-arch"]))
    assert [line.rstrip("-") for line in plain] == [line[: len(one)].rstrip("-") for one, line in zip(plain, by_arch, strict=True)]
    assert "qd_cov" not in qd_cov(project, "json", "-q", "-o", "-").stdout


def test_markdown(project: Path, archs: dict[str, Selection]) -> None:
    lines = qd_cov(project, "report", "--by-arch", "--format=markdown").stdout.splitlines()
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]
    assert rows[0][-3:] == list(ORIGINS) and len({line.count("|") for line in lines}) == 1
    wanted = {name: [share(archs[arch].numbers(name)[0]) for arch in ORIGINS] for name in FILES}
    assert {row[0].replace("\\", ""): row[-3:] for row in rows[2:-1]} == wanted


def test_what_never_ran_on_a_device_is_missing(project: Path) -> None:
    (row,) = [line for line in qd_cov(project, "report", "--by-arch", "-m").stdout.splitlines() if line.startswith("kernels.py")]
    _, *parts = row.split("; ")
    wanted = gaps(project)["kernels.py"]
    assert wanted, "the lot gives some"
    said = {}
    for part in parts:
        on, never, lines = re.fullmatch(r"covered on (.*), never on (.*): (.*)", part).groups()  # type: ignore[union-attr]
        said[tuple(on.split(", ")), tuple(never.split(", "))] = numbers(lines) & set(Selection(project).files["kernels.py"][1].statements)
    assert said == {devices: set(lines) for devices, lines in wanted.items()}


def test_json(project: Path, archs: dict[str, Selection]) -> None:
    report: dict[str, Any] = json.loads(qd_cov(project, "json", "-q", "-o", "-", "--by-arch").stdout)
    for name in FILES:
        own = report["files"][name]["qd_cov"]
        assert list(own["archs"]) == list(ORIGINS)
        for arch, said in own["archs"].items():
            n, _ = archs[arch].numbers(name)
            summary = said["summary"]
            assert (summary["num_statements"], summary["missing_lines"], summary["excluded_lines"]) == (n.n_statements, n.n_missing, n.n_excluded)
            assert (summary["num_branches"], summary["missing_branches"], summary["num_partial_branches"]) == (
                n.n_branches, n.n_missing_branches, n.n_partial_branches)  # fmt: skip
            lines = archs[arch].lines
            assert lines is not None
            assert set(said["executed_lines"]) == archs[arch].executed(name) & lines[name]
        said_gaps = {(tuple(gap["on"]), tuple(gap["never"])): gap["lines"] for gap in own["arch_gaps"]}
        assert said_gaps == gaps(project)[name]
    for arch, said in report["qd_cov"]["archs"].items():
        n = sum((archs[arch].numbers(name)[0] for name in FILES), Numbers())
        assert said["summary"]["percent_covered"] == n.pc_covered


def test_sorted_by_a_device(project: Path, archs: dict[str, Selection]) -> None:
    rows = qd_cov(project, "report", "--by-arch", "--sort=-cuda").stdout.splitlines()[2:-2]
    assert [row.split()[0] for row in rows][-1] == "kernels.py"
    done = qd_cov(project, "report", "--sort=cuda")
    assert done.returncode == 1 and "Invalid sorting option: 'cuda'" in done.stdout + done.stderr


def test_chosen_contexts_and_devices(project: Path) -> None:
    heads = {option: qd_cov(project, "report", "--by-arch", option).stdout.split("\n")[0].split() for option in ("--contexts=test_a", "--arch=cuda")}
    assert heads["--contexts=test_a"][-2:] == ["host", "cpu"]
    assert heads["--arch=cuda"][-1:] == ["cuda"] and heads["--arch=cuda"][-2] == "Cover"


def test_data_without_devices(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({str(tmp_path / "a.py"): [1]})
    data.write()
    plain = qd_cov(tmp_path, "report")
    done = qd_cov(tmp_path, "report", "--by-arch")
    assert (done.returncode, done.stdout) == (0, plain.stdout)
    assert done.stderr == "CoverageWarning: Nothing was measured on a device: all of the data is of host code.\n"


def test_a_file_that_one_device_ran_less_of_is_not_skipped(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/sim.py").write_text(SIM)
    measure(tmp_path, RAN | {"": [*HOST, 18]})
    assert "1 file skipped" in qd_cov(tmp_path, "report", "--skip-covered").stdout
    assert "src/sim.py" in qd_cov(tmp_path, "report", "--skip-covered", "--by-arch").stdout
    measure(tmp_path, RAN | {"": [*HOST, 18], "qd:cpu": KERNEL_LINES, "qd:vulkan": KERNEL_LINES})
    assert "1 file skipped" in qd_cov(tmp_path, "report", "--skip-covered", "--by-arch").stdout


def test_very_many_contexts_are_told_apart_by_device(tmp_path: Path) -> None:
    """Hundreds of tests, each on each device; reports that name contexts, and those that join them, say the same."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/sim.py").write_text(SIM)
    many = {f"test_{i}|run|{context or 'x'}": [lines[i % len(lines)]] for i in range(80) for context, lines in RAN.items()}
    measure(tmp_path, many | {f"test_{i}|run": [line] for i, line in enumerate(HOST)})
    ours = [qd_cov(tmp_path, "report", "--by-arch").stdout.splitlines()[2].split()[-3:]]
    for options in ([], ["--show-contexts"]):
        archs = json.loads(qd_cov(tmp_path, "json", "-q", "-o", "-", "--by-arch", *options).stdout)["qd_cov"]["archs"]
        ours.append([f"{archs[arch]['summary']['percent_covered_display']}%" for arch in ("host", "cpu", "vulkan")])
        assert qd_cov(tmp_path, "html", "-q", *options).returncode == 0
        (row,) = index_of((tmp_path / "htmlcov/index.html").read_text())["files"]
        ours.append([f"{100 * row[-1][i + 1] / row[-1][i]:.0f}%" for i in (0, 2, 4)])
    assert ours == [["86%", "83%", "67%"]] * 5


def test_configured(project: Path) -> None:
    rcfile = project / "by_arch.toml"
    rcfile.write_text("[tool.qd-cov]\nby_arch = true\n")
    assert qd_cov(project, "report", f"--rcfile={rcfile}").stdout.split("\n")[0].split()[-3:] == list(ORIGINS)
