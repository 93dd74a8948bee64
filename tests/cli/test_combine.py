"""`qd-cov combine` as a program: files left by bad input, and options that coverage.py does not have."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage_commands import coverage_py
from run_program import qd_cov


def put(path: Path, lines: list[int], arcs: bool = False) -> None:
    data = CoverageData(str(path))
    if arcs:
        data.add_arcs({"/src/a.py": [(-1, line) for line in lines]})
    else:
        data.add_lines({"/src/a.py": lines})
    data.close()


def lines_in(path: Path) -> list[int]:
    data = CoverageData(str(path))
    data.read()
    return sorted(data.lines("/src/a.py") or [])


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_kernel_files_are_taken_without_being_named(tmp_path: Path) -> None:
    put(tmp_path / ".coverage.host", [1])
    put(tmp_path / "_qd_kcov.123", [2])
    done = qd_cov(tmp_path, "combine")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Combined 2 files\n")
    assert lines_in(tmp_path / ".coverage") == [1, 2]
    assert [p.name for p in tmp_path.iterdir()] == [".coverage"]


def test_the_data_file_among_the_inputs_is_not_lost(tmp_path: Path) -> None:
    """Stock coverage.py skips it as "ourself" and then erases it."""
    put(tmp_path / ".coverage", [1])
    put(tmp_path / "_qd_kcov.123", [2])
    assert qd_cov(tmp_path, "combine", "_qd_kcov.123", ".coverage").returncode == 0
    assert lines_in(tmp_path / ".coverage") == [1, 2]


def test_the_folder_of_the_output_is_made(tmp_path: Path) -> None:
    put(tmp_path / "part", [1])
    assert qd_cov(tmp_path, "combine", "--data-file=new/folder/x", "part").returncode == 0
    assert lines_in(tmp_path / "new" / "folder" / "x") == [1]


def test_quiet(tmp_path: Path) -> None:
    put(tmp_path / ".coverage.host", [1])
    done = qd_cov(tmp_path, "combine", "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_second_combine_finds_nothing_and_keeps_the_first(tmp_path: Path) -> None:
    put(tmp_path / ".coverage.host", [1])
    qd_cov(tmp_path, "combine")
    done = qd_cov(tmp_path, "combine")
    assert (done.returncode, done.stdout) == (1, "No data to combine\n")
    assert lines_in(tmp_path / ".coverage") == [1]


BAD = {
    "missing path": (["gone"], "Couldn't combine from non-existent path 'gone'"),
    "nothing usable": (["text"], "No usable data files"),
    "mixture": (["lines", "arcs"], "Can't combine statement coverage data with branch data: data file "),
    "mixture with what is there": (["--append", "arcs"], "Can't combine branch coverage data with statement data: data file "),
    "output is a folder": (["--data-file=folder", "lines"], "Couldn't use data file '{}/folder': unable to open database file: (SQLITE_CANTOPEN)"),
    "output below a file": (["--data-file=text/x", "lines"], "Couldn't use data file '{}/text/x': unable to open database file: (SQLITE_CANTOPEN)"),
    "unwritable folder": (["--data-file=/proc/x", "lines"], "Couldn't use data file '/proc/x': unable to open database file: (SQLITE_CANTOPEN)"),
    "append to a text": (["--append", "--data-file=text", "lines"], "Couldn't use data file '{}/text': file is not a database: (SQLITE_NOTADB)"),
    "no such configuration": (["--rcfile=gone.cfg", "lines"], "Couldn't read 'gone.cfg' as a config file"),
    "broken configuration": (["--rcfile=bad.cfg", "lines"], "Couldn't read config file bad.cfg: Not a boolean: maybe"),
    "bad regular expression": (["--rcfile=regex.cfg", "lines"], "Invalid [report].exclude_also value '(': "),
    "bad path pattern": (["--rcfile=paths.cfg", "lines"], "Pattern must not end with wildcards."),
    "bad path": (["--rcfile=path.cfg", "lines"], "Result path must not contain wildcards: 'src/*'"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_changes_nothing(tmp_path: Path, kind: str) -> None:
    """When combining fails once, the kernel data of the other files stays."""
    tmp_path = tmp_path.resolve()
    put(tmp_path / ".coverage", [9])
    put(tmp_path / "lines", [1])
    put(tmp_path / "arcs", [1], arcs=True)
    (tmp_path / "text").write_text("this is no data file " * 40)
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.cfg").write_text("[run]\nbranch = maybe\n")
    (tmp_path / "regex.cfg").write_text("[report]\nexclude_also = a\n  (\n")
    (tmp_path / "paths.cfg").write_text("[paths]\nx =\n  src\n  /ci/*\n")
    (tmp_path / "path.cfg").write_text("[paths]\nx =\n  src/*\n  /ci/src\n")
    before = contents(tmp_path)
    arguments, message = BAD[kind]
    done = qd_cov(tmp_path, "combine", *arguments)
    assert done.returncode == 1
    assert done.stdout.startswith(message.format(tmp_path))
    assert len(done.stdout.splitlines()) == 1
    assert contents(tmp_path) == before


@pytest.mark.parametrize("arguments", [["--what"], ["-x"], ["--data-file"], ["--append=1"]], ids=" ".join)
def test_wrong_options(tmp_path: Path, arguments: list[str]) -> None:
    put(tmp_path / ".coverage.x", [9])
    before = contents(tmp_path)
    done = qd_cov(tmp_path, "combine", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[1:] == ["Use 'qd-cov help' for help."]
    assert contents(tmp_path) == before


def test_unreadable_input_is_kept(tmp_path: Path) -> None:
    put(tmp_path / ".coverage.good", [1])
    (tmp_path / ".coverage.bad").write_text("x" * 600)
    done = qd_cov(tmp_path, "combine")
    assert done.returncode == 0
    assert done.stderr == (
        f"CoverageWarning: Couldn't use data file '{tmp_path.resolve()}/.coverage.bad': file is not a database: (SQLITE_NOTADB)\n"
        "Combined 1 file, 1 file errored\n"
    )
    assert sorted(p.name for p in tmp_path.iterdir()) == [".coverage", ".coverage.bad"]


def test_erase(tmp_path: Path) -> None:
    for name in [".coverage", ".coverage.x", ".coveragerc"]:
        (tmp_path / name).touch()
    assert qd_cov(tmp_path, "erase").returncode == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == [".coverage.x", ".coveragerc"]
    assert qd_cov(tmp_path, "erase").returncode == 0  # nothing there is no error


def test_arguments_that_a_command_does_not_take(tmp_path: Path) -> None:
    put(tmp_path / ".coverage", [1, 2])
    (tmp_path / "a.md").write_text("text")
    for command, message in (
        (["erase", "other"], "'erase' takes no arguments"),
        (["lsp", "other"], "'lsp' takes no arguments"),
        (["man", "other"], "'man' takes no arguments"),
        (["github", "comment", "a.md", "b.md"], "'github comment' takes one file, and 'b.md' is another"),
        (["gitlab", "comment", "a.md", "b.md"], "'gitlab comment' takes one file, and 'b.md' is another"),
    ):
        done = qd_cov(tmp_path, *command)
        assert (done.returncode, done.stderr) == (1, f"{message}\nUse 'qd-cov help' for help.\n")
    assert (tmp_path / ".coverage").exists()


def test_help_and_unknown_commands(tmp_path: Path) -> None:
    done = qd_cov(tmp_path, "help")
    assert done.returncode == 0
    for command in ["combine", "debug", "erase", "run"]:
        assert f"\n    {command} " in done.stdout
        assert f"qd-cov {command}" in qd_cov(tmp_path, "help", command).stdout
        assert qd_cov(tmp_path, command, "--help").stdout == qd_cov(tmp_path, "help", command).stdout
    done = qd_cov(tmp_path, "what")
    assert (done.returncode, done.stderr) == (1, "Unknown command: 'what'\nUse 'qd-cov help' for help.\n")


def test_help_is_in_groups(tmp_path: Path) -> None:
    """Each option of `diff` is in a group, the options of every command are in the last one, and lines have 80 columns."""
    text = qd_cov(tmp_path, "diff", "--help-all").stdout
    head, *parts = re.split(r"^ (\S+) options:$", text, flags=re.MULTILINE)
    groups = {title: set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", part, re.MULTILINE)) for title, part in zip(parts[::2], parts[1::2], strict=True)}
    assert list(groups) == ["Change", "Gate", "Data", "Output", "diff-cover", "Global"] and "--" not in head
    assert groups["Global"] == {"--help", "--help-all", "--rcfile", "--debug", "--color", "--version"}
    assert {"--fail-under", "--fail-under-mcdc", "--fail-under-gradients", "--minimum-change"} <= groups["Gate"]
    assert {"--compare-branch", "--include"} <= groups["Change"] and "--src-roots" in groups["Data"] and "--format" in groups["Output"]
    assert max(map(len, text.splitlines())) <= 80 and not re.search(r" $", text, re.MULTILINE)
    for command in ("report", "run", "erase"):
        assert " Global options:\n" in qd_cov(tmp_path, command, "--help-all").stdout


def test_help_fits_a_screen(tmp_path: Path) -> None:
    """--help explains the usual options and names all others; of a command with few options it explains all."""
    for command in ("annotate", "check", "diff", "html", "json", "lcov", "report", "run", "xml"):
        short, full = (qd_cov(tmp_path, command, option).stdout for option in ("--help", "--help-all"))
        explained, others = short.split("\nMore options, which --help-all explains:\n")
        listed = r"^ {2,6}(?:-\w, )?(--?\w[\w-]*)"
        names = {*re.findall(listed, explained, re.MULTILINE), *re.findall(r"(?<![\w-])--?\w[\w-]*", others)}
        assert names == set(re.findall(listed, full, re.MULTILINE))
        assert len(short.splitlines()) <= 50 < len(full.splitlines()) and max(map(len, short.splitlines())) <= 80
        assert not re.search(r" $", short, re.MULTILINE)
    assert qd_cov(tmp_path, "erase", "--help").stdout == qd_cov(tmp_path, "erase", "--help-all").stdout


def test_debug_data(tmp_path: Path) -> None:
    put(tmp_path / ".coverage", [1, 2])
    done = qd_cov(tmp_path, "debug", "data")
    assert done.stdout.splitlines()[1:] == [f"path: {tmp_path.resolve()}/.coverage", "has_arcs: False", "1 file:", "/src/a.py: 2 lines"]


SOURCE = "import sys\nif len(sys.argv) > 5:\n    print(1)\nprint(2)\n"


def put_mixture(folder: Path) -> None:
    """Branch data of one.py, line data of two.py."""
    for name, options in [("one", ["--branch"]), ("two", [])]:
        (folder / f"{name}.py").write_text(SOURCE)
        command = ["coverage", "run", *options, f"--data-file=.coverage.{name}", f"{name}.py"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


MIXED_REPORT = """\
Name     Stmts   Miss Branch BrPart  Cover
------------------------------------------
one.py       4      1      2      1    67%
two.py       4      1      0      0    75%
------------------------------------------
TOTAL        8      2      2      1    70%
"""


def test_mixture_when_asked_for(tmp_path: Path) -> None:
    tmp_path = tmp_path.resolve()
    put_mixture(tmp_path)
    before = contents(tmp_path)
    assert qd_cov(tmp_path, "combine").returncode == 1
    assert contents(tmp_path) == before
    done = qd_cov(tmp_path, "combine", "--mixed", "--keep")
    assert (done.returncode, done.stderr) == (0, f"Combined 2 files\nNo branch data for {tmp_path}/two.py\n")
    done = qd_cov(tmp_path, "report")
    assert (done.returncode, done.stdout) == (0, MIXED_REPORT)
    assert f"CoverageWarning: No branch data for {tmp_path}/two.py\n" in done.stderr


@pytest.mark.parametrize("config", ["[tool.qd-cov]\nmixed = true\n", "[tool.qd-cov]\nmixed = false\n"], ids=["yes", "no"])
def test_reports_combine_a_mixture_when_configured(tmp_path: Path, config: str) -> None:
    put_mixture(tmp_path)
    (tmp_path / "pyproject.toml").write_text(config)
    before = contents(tmp_path)
    done = qd_cov(tmp_path, "report")
    if "true" in config:
        assert (done.returncode, done.stdout) == (0, MIXED_REPORT)
        assert not (tmp_path / ".coverage.one").exists()
        assert qd_cov(tmp_path, "report").stdout == MIXED_REPORT
    else:
        assert done.returncode == 1
        assert contents(tmp_path) == before


def test_coverage_reads_a_mixture_as_line_data(tmp_path: Path) -> None:
    put_mixture(tmp_path)
    qd_cov(tmp_path, "combine", "--mixed")
    report = coverage_py(["report"], tmp_path, check=True).stdout
    assert report.splitlines()[2:4] == ["one.py       4      1    75%", "two.py       4      1    75%"]
    coverage_py(["combine", "--keep", "--data-file=x", ".coverage"], tmp_path, check=True)
    assert coverage_py(["report", "--data-file=x"], tmp_path, check=True).stdout == report


def on_terminal(folder: Path, *arguments: str, **environment: str) -> bytes:
    """The standard error of qd-cov when that is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(["qd-cov", *arguments], cwd=folder, stderr=theirs, env=os.environ | {"TERM": "xterm"} | environment)
    os.close(theirs)
    output = b""
    try:
        while more := os.read(ours, 1 << 16):
            output += more
    except OSError:  # the end of a terminal
        pass
    os.close(ours)
    assert process.wait() == 0
    return output


def test_progress_on_a_terminal(tmp_path: Path) -> None:
    for i in range(120):
        put(tmp_path / f".coverage.{i}", [1 + i])
    output = on_terminal(tmp_path, "combine", "--keep", NO_COLOR="")
    assert b"\rCombining [\x1b[36m" in output
    assert output.count(b"\r") <= 110
    assert output.endswith(b"120/120\r\x1b[KCombined 120 files\r\n")
    assert b"Combining [##############################] 120/120" in on_terminal(tmp_path, "combine", "--keep", NO_COLOR="1")
    assert on_terminal(tmp_path, "combine", "--keep", TERM="dumb") == b"Combined 120 files\r\n"
    assert on_terminal(tmp_path, "combine", "--keep", "-q") == b""
    assert qd_cov(tmp_path, "combine").stderr == "Combined 120 files\n"


@pytest.mark.parametrize("topic", ["sys", "sqlite", "pybehave", "premain", "config"])
def test_debug_topics(tmp_path: Path, topic: str) -> None:
    done = qd_cov(tmp_path, "debug", topic)
    assert done.returncode == 0
    header, *lines = done.stdout.splitlines()
    assert header == f"-- {topic} ".ljust(62, "-")
    expected = {
        "sys": f"cwd: {tmp_path.resolve()}",
        "sqlite": "sqlite3_sqlite_version: 3.",
        "pybehave": "PYVERSION: (3, ",
        "premain": "python",
        "config": "branch: False",
    }
    assert any(expected[topic] in line for line in lines)
    done = qd_cov(tmp_path, "debug", topic, "more")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"'debug {topic}' takes no additional arguments\nUse 'qd-cov help' for help.\n"


def test_debug_hides_secrets(tmp_path: Path) -> None:
    env = os.environ | {"COVERAGE_TOKEN": "abc-12", "COVERAGE_X": "y"}
    out = subprocess.run(["qd-cov", "debug", "sys"], cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout
    assert "COVERAGE_TOKEN = ***-**" in out
    assert "COVERAGE_X = y" in out


def test_two_files_that_become_one(tmp_path: Path) -> None:
    """With relative_files a/b.py also stands for c/a/b.py, as in coverage.py: the same numbers, and a note."""
    for name in ("features/__init__.py", "pkg/__init__.py", "pkg/features/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    for name in ("features/tpl.py", "pkg/features/tpl.py"):
        (tmp_path / name).write_text("def a():\n    return 1\n\n\ndef b():\n    return 2\n")
    (tmp_path / "m.py").write_text("from features import tpl\nfrom pkg.features import tpl as t2\ntpl.a()\nt2.b()\n")
    (tmp_path / ".coveragerc").write_text("[run]\nrelative_files = true\nsource = .\n")
    numbers = []
    for program in ("coverage", "qd-cov"):
        coverage_py(["run", "-p", "m.py"], tmp_path, check=True)
        done = subprocess.run([program, "combine"], cwd=tmp_path, capture_output=True, text=True, check=True)
        numbers.append(subprocess.run([program, "report", "-m"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
    assert numbers[0] == numbers[1]
    assert "features/tpl.py, pkg/features/tpl.py became one file, 'features/tpl.py'" in done.stderr.replace("__init__", "tpl")
