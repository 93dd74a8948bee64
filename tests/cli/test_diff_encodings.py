"""Sources whose lines, as Python reads them, are not those of the file, which git compares. CPython is the oracle for the lines."""

from __future__ import annotations

import encodings.aliases
import subprocess
import sys

import pytest
from diff_repository import TEN, Repository

# Hidden code: behind a line end that is none to the reader, or within an apparent comment; and the line of the code as Python has it.
HIDDEN = {
    "utf-7": "# +AAo-x = 1\n",
    "utf_7": "a = 1 # +AAo-x = 1\n",
    "UTF-7": "# +AAo-x = 1\n",
    "u7": "# +AAo-x = 1\n",
    "unicode_escape": "a = 1\\nx = 1\n",
    "unicode-escape": "# \\u000ax = 1\n",
    "raw_unicode_escape": "# \\u000ax = 1\n",
    "Raw-Unicode-Escape": "# \\u000ax = 1\n",
    "hz": "a = 1~\n+ 2\nx = 1\n",
}


def code_lines(text: bytes) -> set[int]:
    """Lines with code, by CPython."""
    return {line for _, _, line in compile(text, "m.py", "exec").co_lines() if line}


@pytest.mark.parametrize("encoding", HIDDEN)
@pytest.mark.parametrize("second", [False, True], ids=["first line", "second line"])
def test_lines_of_another_text(repo: Repository, encoding: str, second: bool) -> None:
    """Lines of another text are not measured, which fails a gate, whatever the data says."""
    text = ("#!/usr/bin/python\n" if second else "") + f"# -*- coding: {encoding} -*-\n{HIDDEN[encoding]}"
    n_lines = text.count("\n")
    lines = code_lines(text.encode())
    assert max(lines) != n_lines  # Python counts other lines
    repo.write("m.py", text)
    repo.commit()
    repo.measure({"m.py": lines})
    report = repo.diff("--fail-under=1")
    why = f"its lines may not be those of the file, in the encoding '{encoding}'"
    assert (report.code, report.rows["m.py"].missing_lines) == (2, why), report.out
    assert repo.diff("--fail-under=1", "--on-no-data=warn").code == 0
    repo.measure({"a.py": range(1, 11)})
    assert repo.diff("--fail-under=1").code == 2
    repo.write("l.info", "SF:m.py\nDA:2,1\nend_of_record\n")
    assert repo.diff("l.info", "--fail-under=1").code == 2
    command = ["qd-cov", "check", "untested-changes", "--compare-branch=main"]
    found = subprocess.run(command, cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert f"its functions can't be found: {why}." in found.stdout


@pytest.mark.parametrize(
    "encoding", ["no-such-encoding", "rot13", "hex", "punycode", "idna", "utf_16", "utf-16-le", "cp037", "iso2022_jp", "charmap"]
)
def test_encodings_that_are_not_understood(repo: Repository, encoding: str) -> None:
    """Encodings that Python refuses, or whose meaning to Python is not known."""
    repo.write("m.py", f"# coding: {encoding}\nx = 1\n")
    repo.commit()
    repo.measure({"m.py": [2]})
    assert repo.diff("--fail-under=1").code == 2


def python_names() -> list[str]:
    """Every name of an encoding of Python's that leaves the lines of all bytes as they are."""
    names = sorted({*encodings.aliases.aliases, *encodings.aliases.aliases.values()})
    text = b"".join(bytes([byte]) for byte in range(1, 128) if byte not in b"\r\n")
    result = []
    for name in names:
        try:
            pieces = [(b"\n" + text + b"\n").decode(name), b"ab\n+AAo-\\n\\u000a~\ncd\n".decode(name)]
        except (LookupError, UnicodeError, ValueError, AssertionError, TypeError):
            continue
        if isinstance(pieces[0], str) and [piece.count("\n") for piece in pieces] == [2, 3]:
            result.append(name)
    return result


def test_usual_encodings(repo: Repository) -> None:
    """Usual encodings are measured as before."""
    for i, name in enumerate(
        ("utf-8", "utf8", "latin-1", "iso-8859-15", "cp1252", "windows-1251", "euc-jp", "shift_jis", "gbk", "big5", "koi8-r", "ascii")
    ):
        repo.write(f"m{i}.py", f"# -*- coding: {name} -*-\nx = 1\n")
    repo.write("marked.py", b"\xef\xbb\xbf# coding: utf-8\nx = 1\n")
    repo.write("late.py", "x = 1\ny = 1\n# coding: utf-7\n")
    repo.commit()
    paths = [path.name for path in repo.folder.glob("*.py") if path.name != "a.py"]
    repo.measure({path: [] for path in paths})
    report = repo.diff()
    assert {path: row.missing for path, row in report.rows.items()} == {path: 2 if path == "late.py" else 1 for path in paths}


def test_names_of_encodings(repo: Repository) -> None:
    """Nearly every encoding of Python's with the lines of the file is known by name; those that are not known fail a gate, which is no harm."""
    names = python_names()
    assert len(names) > 200
    for name in names:
        repo.write(f"{name}.py", f"# coding: {name}\nx = 1\n")
    repo.commit()
    repo.measure({f"{name}.py": [2] for name in names})
    rows = repo.diff().rows
    refused = [name for name in names if rows[f"{name}.py"].missing is None]
    assert len([name for name in refused if "2022" not in name]) < 40, refused
    # None that Python reads otherwise is taken.
    others = sorted({*encodings.aliases.aliases, *encodings.aliases.aliases.values()} - set(names))
    for name in others:
        repo.write(f"other/{name}.py", f"# coding: {name}\nx = 1\n")
    repo.commit()
    repo.measure({f"other/{name}.py": [2] for name in others})
    rows = repo.diff("--include", "other/*").rows
    wrong = [name for name in others if rows[f"other/{name}.py"].missing is not None]
    assert [name for name in wrong if not same_lines(name)] == []


def same_lines(name: str) -> bool:
    """Whether CPython compiles a source of the encoding into the lines that it looks like."""
    try:
        return code_lines(f"# coding: {name}\n# +AAo-x = 1\na = '~'\nb = 1\n".encode()) == {3, 4}
    except (SyntaxError, LookupError):
        return True  # nothing runs


def test_the_analysis_is_of_the_version_that_runs() -> None:
    """A guard of this file: CPython reads utf-7 as these tests say."""
    assert code_lines(b"# coding: utf-7\n# +AAo-x = 1\n") == {3}
    assert sys.version_info >= (3, 10)
    assert TEN
