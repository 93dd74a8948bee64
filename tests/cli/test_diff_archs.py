"""`qd-cov diff` tells devices apart: code that ran on one and never on another, and gates on each."""

from __future__ import annotations

import json

import pytest
from device_repository import HOST, HOST_LINES, KERNEL_LINES, ON_CPU, RAN, SIM, change, measure
from diff_repository import Repository
from html_pages import check_page
from test_diff_errors import complaint


@pytest.fixture
def changed(repo: Repository) -> Repository:
    """src/sim.py is new: 8, 9 ran on the CPU alone, 11 on Vulkan alone."""
    change(repo)
    measure(repo.folder, RAN)
    return repo


def archs(changed: Repository, *options: str) -> dict[str, dict[str, list[int]]]:
    """The lines of src/sim.py in the JSON, by arch."""
    own = json.loads(changed.diff("--format=json:-", *options).out)["qd_cov"]
    result: dict[str, dict[str, list[int]]] = own["files"]["src/sim.py"]["archs"]
    return result


def test_terminal(changed: Repository) -> None:
    out = changed.diff().out
    assert "On cpu:    83.3%, 5 of 6 lines of kernels\nOn vulkan: 66.7%, 4 of 6 lines of kernels\n" in out
    assert "Covered on cpu, never on vulkan: 2 lines\n  src/sim.py: 8-9\n" in out
    assert "Covered on vulkan, never on cpu: 1 line\n  src/sim.py: 11\n" in out
    assert "Total:   13 lines\nMissing: 1 line\n" in out


def test_json(changed: Repository) -> None:
    assert archs(changed) == {
        "cpu": {"statements": KERNEL_LINES, "missing": [11]},
        "host": {"statements": HOST_LINES, "missing": [18]},
        "vulkan": {"statements": KERNEL_LINES, "missing": [8, 9]},
    }
    own = json.loads(changed.diff("--format=json:-").out)["qd_cov"]
    assert {arch: (one["covered"], one["total"]) for arch, one in own["archs"].items()} == {"host": (6, 7), "cpu": (5, 6), "vulkan": (4, 6)}
    gaps = [{"on": ["cpu"], "never": ["vulkan"], "lines": [8, 9]}, {"on": ["vulkan"], "never": ["cpu"], "lines": [11]}]
    assert own["files"]["src/sim.py"]["arch_gaps"] == gaps


def test_people_read_it_in_every_format(changed: Repository) -> None:
    markdown = changed.diff("--format=markdown").out
    assert "🟡 Covered on cpu, never on vulkan: 2 lines</summary>\n\n| File | Lines |\n|:-----|:------|\n| `src/sim.py` | 8-9 |" in markdown
    assert " · cpu: 83.3% · vulkan: 66.7%" in changed.diff("--format=markdown-summary").out
    assert "r = r + 1.0  ← covered on cpu, never on vulkan" in changed.diff("--format=annotated").out
    assert "!✓    9 k         r = r + 1.0  ← covered on cpu, never on vulkan" in markdown
    annotations = changed.diff("--format=github-annotations").out
    assert "line=8,endLine=9,title=Never ran on a device::Lines 8-9 are covered on cpu, never on vulkan." in annotations
    for form in ("sarif", "gitlab"):
        assert "lines-never-on-device" in changed.diff(f"--format={form}:-").out
    changed.diff("--format=html")
    page = (changed.folder / "diff-coverage.html").read_text()
    check_page(page)
    assert "Covered on cpu, never on vulkan: 2 lines" in page and '<th scope="col" class="num device">vulkan</th>' in page
    assert '<span class="never">covered on cpu, never on vulkan</span>' in page


def test_only_changed_lines_count(repo: Repository) -> None:
    change(repo)
    repo.git("checkout", "-q", "-B", "main")
    repo.write("src/sim.py", SIM.replace("r + 1.0", "r + 3.0"))
    measure(repo.folder, RAN)
    assert archs(repo, "--compare-branch=main")["vulkan"] == {"statements": [9], "missing": [9]}


@pytest.mark.parametrize("ran", [ON_CPU, {"": HOST}], ids=["one device", "none"])
def test_nothing_is_said_where_devices_cannot_be_compared(repo: Repository, ran: dict[str, list[int]]) -> None:
    change(repo)
    measure(repo.folder, ran)
    out = repo.diff().out
    assert "On cpu" not in out and "never on" not in out


def test_three_devices(repo: Repository) -> None:
    change(repo)
    measure(repo.folder, RAN | {"qd:cuda": [6, 8]})
    out = repo.diff().out
    assert "Covered on cpu, cuda, never on vulkan: 1 line\n  src/sim.py: 8\n" in out
    assert "Covered on cpu, never on cuda, vulkan: 1 line\n  src/sim.py: 9\n" in out
    assert "Covered on vulkan, never on cpu, cuda: 1 line\n  src/sim.py: 11\n" in out
    assert "Covered on cpu, vulkan, never on cuda: 2 lines\n  src/sim.py: 7, 12\n" in out
    assert "never on cuda" not in repo.diff("--require-archs=vulkan").out


def test_data_of_another_program(repo: Repository) -> None:
    """Data of another program has no compiled kernels: then a function that ran on a device is a kernel."""
    change(repo)
    measure(repo.folder, RAN, tables=False)
    assert archs(repo)["vulkan"] == {"statements": KERNEL_LINES, "missing": [8, 9]}


def test_jobs_that_measured_one_device_each(repo: Repository) -> None:
    change(repo)
    measure(repo.folder, ON_CPU, data_file="cpu.coverage")
    measure(repo.folder, {context: lines for context, lines in RAN.items() if "cpu" not in context}, data_file="vulkan.coverage")
    out = repo.diff("--input=cpu=cpu.coverage", "--input=vulkan=vulkan.coverage").out
    assert "Covered on cpu, never on vulkan: 2 lines\n  src/sim.py: 8-9\n" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fail-under=qd:vulkan=66"], ""),
        (["--fail-under=qd:vulkan=67"], "Coverage on vulkan is 66.7% < 67%: cover 1 of the 2 missing lines to pass."),
        (["--fail-under=qd:cpu:src/**=83"], ""),
        (["--fail-under", "qd:vulkan:src/**=80"],
         "Coverage of 'src/**' on vulkan is 66.7% < 80%: cover 1 of the 2 missing lines to pass."),
        (["--fail-under=qd:vulkan:*.md=80"], "No file matches '*.md', the pattern of --fail-under: neither one of the change nor any other."),
        (["--fail-under=qd:host=86"], "Coverage on host is 85.7% < 86%: cover the 1 missing line to pass."),
        (["--fail-under=qd:vulcan=80"],
         "Nothing was measured on 'vulcan', which --fail-under 'qd:vulcan' asks for: the data has host, cpu, vulkan."),
        (["--fail-under=qd:cuda:src/**=80"],
         "Nothing was measured on 'cuda', which --fail-under 'qd:cuda:src/**' asks for: the data has host, cpu, vulkan."),
        (["--require-archs=vulkan"], "2 changed lines of kernels never ran on vulkan, which --require-archs asks for, "
                                     "the first in 'src/sim.py' (8-9, covered on cpu)."),
        (["--require-archs=cpu"], "1 changed line of kernels never ran on cpu, which --require-archs asks for, "
                                  "the first in 'src/sim.py' (11, covered on vulkan)."),
        (["--require-archs=cuda"], "Nothing was measured on 'cuda', which --require-archs asks for: the data has host, cpu, vulkan."),
        (["--arch=cpu", "--fail-under=qd:vulkan=1"],
         "Nothing was measured on 'vulkan', which --fail-under 'qd:vulkan' asks for: the data has cpu."),
    ],
)  # fmt: skip
def test_gates(changed: Repository, options: list[str], message: str) -> None:
    report = changed.diff(*options)
    assert report.err == (f"Failure. {message}\n" if message else "")
    assert report.code == (2 if message else 0)


def test_host_data_alone(repo: Repository) -> None:
    change(repo)
    measure(repo.folder, {"": HOST}, tables=False)
    report = repo.diff("--fail-under=qd:cpu=10")
    assert report.err == "Failure. Nothing was measured on 'cpu', which --fail-under 'qd:cpu' asks for: the data has host.\n"
    assert repo.diff("--fail-under=qd:host=46").code == 0 and repo.diff("--fail-under=qd:host=47").code == 2


def test_a_change_without_kernels_meets_gates_of_devices(changed: Repository) -> None:
    changed.git("checkout", "-q", "-B", "main")
    changed.write("src/sim.py", SIM.replace("return 1", "return 3"))
    assert changed.diff("--fail-under=qd:vulkan=100", "--require-archs=cpu,vulkan").code == 0


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("--fail-under=qd:=80", "option --fail-under: 'qd:=80' names no architecture behind 'qd:'"),
        ("--fail-under=qd:VULKAN=80", "option --fail-under: 'qd:VULKAN=80' names no architecture behind 'qd:'"),
        ("--fail-under=qd:cpu:=80", "option --fail-under: 'qd:cpu:=80' has no pattern behind the second ':'"),
        ("--fail-under=qd:cpu=many", "option --fail-under: 'qd:cpu=many' is no percentage from 0 to 100"),
        ("--require-archs=", "option --require-archs: '' is no device; 'cpu' and 'vulkan' are some"),
        ("--require-archs=host", "option --require-archs: 'host' is no device; 'cpu' and 'vulkan' are some"),
        ("--require-archs=cpu,", "option --require-archs: '' is no device; 'cpu' and 'vulkan' are some"),
    ],
)
def test_mistakes(changed: Repository, option: str, why: str) -> None:
    report = changed.diff(option)
    assert (report.code, report.err) == (1, f"{why}\nUse 'qd-cov help' for help.\n")


def test_configuration(changed: Repository) -> None:
    changed.write("pyproject.toml", '[tool.qd-cov.diff]\nfail_under = ["qd:vulkan:src/**=80"]\nrequire_archs = ["vulkan"]\n')
    report = changed.diff()
    assert report.code == 2 and report.err.count("Failure. ") == 2
    changed.write("pyproject.toml", '[tool.qd-cov.diff]\nrequire_archs = "gpu0,Gpu"\n')
    assert complaint(changed) == "Invalid [tool.qd-cov.diff] require_archs value 'Gpu': is no device; 'cpu' and 'vulkan' are some (pyproject.toml)"
