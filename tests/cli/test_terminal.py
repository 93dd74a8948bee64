"""Output at a terminal: the table in its width and in colour, messages with labels and hints. Pipes get coverage.py's bytes."""

from __future__ import annotations

from pathlib import Path

import condition_project
import kernel_project
import pytest
from coverage_commands import coverage_py
from diff_repository import Repository
from run_program import qd_cov
from terminals import columns, on_terminal, unpainted

NAMES = ("pkg/a_module_with_a_rather_long_name_that_goes_on_and_on_for_ever_and_a_day/kernels_of_the_solver.py", "pkg/漢字漢字.py", "short.py")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with names of all widths, of which every second function ran."""
    folder = tmp_path_factory.mktemp("terminal")
    text = "".join(f"def f{i}():\n    a = 1\n    if a:\n        a = 2\n    return a\n\n\n" for i in range(40))
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "all.py").write_text("x = 1\n")
    calls = "for i in range(0, 40, 2):\n    vars(m)[f'f{i}']()\n"
    script = "import runpy, types\n" + "".join(f"m = types.SimpleNamespace(**runpy.run_path({name!r}))\n{calls}" for name in NAMES)
    (folder / "program.py").write_text(script + "runpy.run_path('all.py')\n")
    coverage_py(["run", "--branch", "program.py"], folder, check=True)
    return folder


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("terminal_kernels")
    kernel_project.measure(folder)
    return folder


@pytest.mark.parametrize("width", [24, 60, 80, 200])
def test_the_table_fits(project: Path, width: int) -> None:
    code, out = on_terminal(project, "report", "-m", width=width)
    assert code == 0
    assert max(map(columns, out.splitlines())) <= max(width, 60), out  # four numbers and a name need 60
    assert "short.py" in out and "漢字.py" in out and "solver.py" in out
    if width == 200:
        assert NAMES[0] in out and "█" in out


def test_what_is_missing_stays_in_its_column(project: Path) -> None:
    """Beside the numbers where there is room; every line is there once."""
    lines = unpainted(on_terminal(project, "report", "-m", "--include=short.py")[1]).splitlines()
    at = lines[0].index("Missing")
    row = next(i for i, line in enumerate(lines) if line.startswith("short.py"))
    rest = lines[row + 1 : next(i for i, line in enumerate(lines) if i > row and line.startswith("─"))]
    assert rest and all(line[:at].isspace() and not line[at].isspace() for line in rest)
    listed = " ".join(line[at:] for line in [lines[row], *rest])
    plain = qd_cov(project, "report", "-m", "--include=short.py").stdout.splitlines()[2]
    assert listed == plain[plain.index("%") + 4 :]


@pytest.mark.parametrize("options", [["report"], ["report", "-m"], ["report", "--sort=-cover"], ["report", "--format=markdown"]])
def test_pipes_and_color_never_get_coverage_pys_bytes(project: Path, options: list[str]) -> None:
    oracle = coverage_py([*options], project, check=True).stdout
    assert qd_cov(project, *options).stdout == oracle
    assert on_terminal(project, *options, "--color=never") == (0, oracle)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_conditions_fit(tmp_path: Path, width: int) -> None:
    """Outcomes that were seen and all of them share a column; a missing one goes on in the next line. Nothing of them is lost."""
    folder = tmp_path / "a_package_with_a_rather_long_name" / "and_a_folder_in_it"
    folder.mkdir(parents=True)
    (folder / "k.py").write_text(condition_project.KERNELS)
    command = ["report", "-m", "--conditions", f"--data-file={condition_project.measure(folder)}"]
    code, out = on_terminal(tmp_path, *command, width=width)
    lines = unpainted(out).splitlines()
    assert code == 0 and max(map(columns, lines)) <= width, out
    assert lines[0].split()[:7] == ["Name", "Stmts", "Miss", "Branch", "BrPart", "Cond", "MCDC"]
    row = next(line for line in lines if line.startswith("TOTAL")).split()
    plain = qd_cov(tmp_path, *command).stdout
    cond, cond_miss, mcdc, mcdc_miss = map(int, plain.split("TOTAL")[1].split()[4:8])
    assert row[5:7] == [f"{cond - cond_miss}/{cond}", f"{mcdc - mcdc_miss}/{mcdc}"] == ["6/16", "1/8"]
    assert "".join(plain.split("MC/DC: ")[1].split()) == "".join("".join(lines).split("MC/DC: ")[1].split())


def test_colours(project: Path) -> None:
    """Colours by share: everything green, some yellow, little red; not with NO_COLOR, which --color=always overrides."""
    out = on_terminal(project, "report")[1]
    assert "\x1b[32m100%" in out
    assert "\x1b[31m" in out or "\x1b[33m" in out
    fitted = on_terminal(project, "report", env={"NO_COLOR": "1"})[1]
    assert fitted == unpainted(out)
    assert on_terminal(project, "report", "--color=always", env={"NO_COLOR": "1"})[1] == out
    assert "\x1b[32m100%" in qd_cov(project, "report", "--color", "always").stdout
    assert qd_cov(project, "report", "--color=blue").stderr.startswith("option --color: invalid choice: 'blue'")
    ascii_only = on_terminal(project, "report", env={"LC_ALL": "C"})[1]
    assert "█" not in ascii_only and "─" not in ascii_only and "..." in ascii_only


def test_kernels_are_marked(kernels: Path) -> None:
    """K beside the file and before its missing lines; which kernels did not run, and why."""
    out = unpainted(on_terminal(kernels, "report", "-m")[1])
    assert "\nkernels.py K " in out and "  K 11, 20, 22, 28, 38\n" in out
    assert "K in kernels and funcs. 2 of 4 kernels ran.\nNever launched: never (kernels.py:27)\nDoes not compile: broken (kernels.py:37)\n" in out
    assert "K" not in qd_cov(kernels, "report", "-m").stdout


def test_messages_have_labels(project: Path) -> None:
    """The plain texts elsewhere (test_combine.py and others)."""
    assert on_terminal(project, "report", "--data-file=gone")[1] == (
        f"\x1b[1;31merror:\x1b[0m No data to report.\nThere is no '{project}/gone'. Run the tests under qd-cov, for instance 'qd-cov run pytest', "
        "or name the file with --data-file.\n"
    )
    assert "and --include, --omit and their settings in [report] leave none of them.\n" in on_terminal(project, "report", "--include=none")[1]
    (project / "rc").write_text("[report]\nprecison = 3\n")
    out = on_terminal(project, "report", "--rcfile=rc", "--include=all.py")[1]
    assert out.startswith("\x1b[33mwarning:\x1b[0m Unrecognized option '[report] precison=' in config file rc")
    piped = qd_cov(project, "report", "--data-file=gone")
    assert piped.stdout == "No data to report.\n" and piped.stderr.startswith(f"There is no '{project}/gone'. Run the tests under qd-cov")
    assert qd_cov(project, "report", "--rcfile=rc").stderr.startswith("CoverageWarning: Unrecognized option")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["reprot"], "report"),
        (["htm"], "html"),
        (["whichtests"], "which-tests"),
        (["report", "--fail-udner=3"], "--fail-under"),
        (["diff", "--compare"], "--compare-branch"),
        (["help", "dif"], "diff"),
        (["what"], None),
        (["report", "--zzz"], None),
        (["report", "--brnch"], None),  # not --arch
        (["run", "--brnch"], "--branch"),
        (["report", "--xprecision=1"], "--precision"),
    ],
)
def test_mistyped(tmp_path: Path, arguments: list[str], meant: str | None) -> None:
    done = qd_cov(tmp_path, *arguments)
    assert done.returncode == 1
    hint = f"Did you mean '{meant}'?\n"
    assert (hint in done.stdout + done.stderr) if meant else "Did you mean" not in done.stdout + done.stderr


def test_annotated_lines_wrap_in_their_column(repo: Repository) -> None:
    """Code and remarks; nothing of them is lost, and a pipe gets whole lines."""
    repo.write("a.py", "x = 1\nif x > 2:\n    y = '" + "words of a long text " * 9 + "'  # " + "漢" * 30 + "\n")
    repo.commit("long")
    repo.measure_arcs({"a.py": [(-1, 1), (1, 2), (2, -1)]})
    plain = repo.diff("--format", "annotated").out
    out = on_terminal(repo.folder, "diff", "--compare-branch=main", "--format=annotated", width=70)[1]
    assert max(map(columns, out.splitlines())) <= 70
    code = unpainted(out).split("a.py: ")[1].splitlines()[1:]
    first = next(i for i, line in enumerate(code) if "y = " in line)
    last = next(i for i, line in enumerate(code) if i > first and "漢" not in line and "words" not in line)
    assert all(line.startswith(" " * 11) for line in code[first + 1 : last])
    joined = code[first] + "".join(line[11:] for line in code[first + 1 : last])
    assert next(line for line in plain.splitlines() if "y = " in line).replace(" ", "") == joined.replace(" ", "")


def test_no_table_twice(repo: Repository) -> None:
    repo.write("a.py", "x = 1\n")
    repo.commit("less")
    repo.measure({"a.py": [1]})
    for formats in (["terminal", "annotated"], ["annotated", "terminal"], ["annotated", "annotated"], ["terminal", "terminal"]):
        out = repo.diff(*(f"--format={one}" for one in formats)).out
        assert out.count("Diff Coverage\n") == 1, out
    assert repo.diff("--format=terminal", "--show-uncovered", "--format=annotated").out.count("Diff Coverage\n") == 1
