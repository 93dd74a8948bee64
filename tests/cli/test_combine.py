"""`qd-cov combine` as a program: what bad input leaves behind, and what only it does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from coverage import CoverageData


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


def qd_cov(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["qd-cov", *arguments], cwd=folder, capture_output=True, text=True, check=False)


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
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_changes_nothing(tmp_path: Path, kind: str) -> None:
    """W11: there, when combining fails once, all kernel data is dropped."""
    tmp_path = tmp_path.resolve()
    put(tmp_path / ".coverage", [9])
    put(tmp_path / "lines", [1])
    put(tmp_path / "arcs", [1], arcs=True)
    (tmp_path / "text").write_text("this is no data file " * 40)
    (tmp_path / "folder").mkdir()
    (tmp_path / "bad.cfg").write_text("[run]\nbranch = maybe\n")
    (tmp_path / "regex.cfg").write_text("[report]\nexclude_also = a\n  (\n")
    (tmp_path / "paths.cfg").write_text("[paths]\nx =\n  src\n  /ci/*\n")
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


def test_help_and_unknown_commands(tmp_path: Path) -> None:
    done = qd_cov(tmp_path, "help")
    assert done.returncode == 0
    for command in ["combine", "debug", "erase", "run"]:
        assert f"\n    {command} " in done.stdout
        assert f"qd-cov {command}" in qd_cov(tmp_path, "help", command).stdout
        assert qd_cov(tmp_path, command, "--help").stdout == qd_cov(tmp_path, "help", command).stdout
    done = qd_cov(tmp_path, "what")
    assert (done.returncode, done.stderr) == (1, "Unknown command: 'what'\nUse 'qd-cov help' for help.\n")


def test_debug_data(tmp_path: Path) -> None:
    put(tmp_path / ".coverage", [1, 2])
    done = qd_cov(tmp_path, "debug", "data")
    assert done.stdout.splitlines()[1:] == [f"path: {tmp_path.resolve()}/.coverage", "has_arcs: False", "1 file:", "/src/a.py: 2 lines"]
