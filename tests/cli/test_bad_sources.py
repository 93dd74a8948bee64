"""Sources that are strange, broken or gone: coverage.py's words and exit code where it has them, else one clear line; never a crash, never a hang."""

from __future__ import annotations

import contextlib
import io
import os
import re
import socket
import subprocess
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import coverage.cmdline
import pytest
from coverage import CoverageData

CODE = "import os\nif os.name:\n    a = 1\nelse:\n    b = 2\n"
TIME = 60
"""Seconds after which a program counts as hanging."""


def with_cookie(cookie: str, text: str, codec: str | None = None) -> bytes:
    return f"# -*- coding: {cookie} -*-\n{text}{CODE}".encode(codec or cookie)


TEXTS: dict[str, bytes] = {
    "latin-1": with_cookie("latin-1", "s = 'é'\n"),
    "latin-1, with letters in names": with_cookie("latin-1", "é = 'é'\n"),
    "shift_jis": with_cookie("shift_jis", "s = '表示'\n"),  # has a backslash among its second bytes
    "cp1252": with_cookie("cp1252", "s = '“€”'\n"),
    "windows-1251": with_cookie("windows-1251", "ж = 'ж'\n"),
    "euc-jp": with_cookie("euc-jp", "表 = '表示'\n"),
    "iso-8859-15": with_cookie("iso-8859-15", "s = '€'\n"),
    "koi8-r": with_cookie("koi8-r", "ж = 'ж'\n"),
    "gbk": with_cookie("gbk", "s = '表'\n"),
    "big5": with_cookie("big5", "s = '功'\n"),
    "mac_roman": with_cookie("mac_roman", "s = 'é'\n"),
    "cp437": with_cookie("cp437", "s = 'é'\n"),
    "cp850": with_cookie("cp850", "s = 'é'\n"),
    "utf-7": with_cookie("utf-7", "s = 'é'\n"),
    "hz": with_cookie("hz", "s = '表'\n"),
    "iso2022_jp": with_cookie("iso2022_jp", "s = '表'\n"),
    "unknown cookie": b"# coding: what-is-this\n" + CODE.encode(),
    "cookie of text transform": b"# coding: rot13\n" + CODE.encode(),
    "cookie of a bytes codec": b"# coding: hex\n" + CODE.encode(),
    "cookie in the second line": b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\ns = '\xe9'\n" + CODE.encode(),
    "cookie after code": b"x = 1\n# coding: latin-1\ns = '\xe9'\n" + CODE.encode(),
    "cookie in the third line": b"#\n#\n# coding: latin-1\ns = '\xe9'\n" + CODE.encode(),
    "ascii cookie, other bytes": b"# coding: ascii\ns = '\xe9'\n" + CODE.encode(),
    "invalid utf-8 in the first line": b"s = '\xe9'\n" + CODE.encode(),
    "invalid utf-8 later": CODE.encode() + b"s = '\xe9'\n",
    "invalid utf-8 in a name": CODE.encode() + b"\xe9 = 1\n",
    "utf-8 cookie, invalid": b"# coding: utf-8\n" + CODE.encode() + b"s = '\xe9'\n",
    "surrogate in utf-8": CODE.encode() + b"s = '\xed\xa0\x80'\n",
    "byte-order mark": b"\xef\xbb\xbf" + CODE.encode(),
    "two byte-order marks": b"\xef\xbb\xbf\xef\xbb\xbf" + CODE.encode(),
    "byte-order mark, other cookie": b"\xef\xbb\xbf# coding: latin-1\n" + CODE.encode(),
    "byte-order mark, utf-8 cookie": b"\xef\xbb\xbf# coding: utf8\n" + CODE.encode(),
    "utf-16": CODE.encode("utf-16"),
    "utf-16 little-endian without mark": CODE.encode("utf-16-le"),
    "utf-32": CODE.encode("utf-32"),
    "only a byte-order mark": b"\xef\xbb\xbf",
    "empty": b"",
    "one newline": b"\n",
    "no newline at the end": CODE.rstrip().encode(),
    "form feeds": CODE.replace("if os", "\f\nif os").replace("    b", "\f    b").encode(),
    "form feed alone": b"\f",
    "vertical tab": CODE.replace("a = 1", "a =\v1").encode(),
    "CRLF": CODE.replace("\n", "\r\n").encode(),
    "CR": CODE.replace("\n", "\r").encode(),
    "mixed ends": b"import os\r\nif os.name:\r    a = 1\nelse:\r\n    b = 2\r",
    "CR CR LF": CODE.replace("\n", "\r\r\n").encode(),
    "CR in a string": b"s = '''a\rb\r\nc'''\n" + CODE.encode(),
    "NEL and line separators": "s = '''a\x85b\u2028c\x1cd'''\n".encode() + CODE.encode(),
    "tabs": CODE.replace("    ", "\t").encode(),
    "tabs and spaces": b"if 1:\n\ta = 1\n        b = 2\n",
    "tabs and spaces that agree": b"if 1:\n    if 2:\n    \ta = 1\n    \tb = 2\n",
    "NUL": CODE.encode() + b"s = '\0'\n",
    "NUL in a comment": CODE.encode() + b"# \0\n",
    "NUL at the end": CODE.encode() + b"\0",
    "all bytes": bytes(range(256)),
    "control-Z": CODE.encode() + b"\x1a",
    "unfinished string": CODE.encode() + b"s = '''\n",
    "unfinished bracket": CODE.encode() + b"s = (\n",
    "backslash at the end": CODE.encode() + b"s = \\",
    "dedent to nowhere": b"if 1:\n        a = 1\n    b = 2\n",
    "named character": CODE.encode() + b"s = '\\N{GREEK SMALL LETTER ALPHA}'\nt = '\\N{BELL}' if s else f'\\N{DIGIT ONE}{s}'\n",
    "named character without end": CODE.encode() + b"s = '\\N{BELL'\n",
    "named character without name": CODE.encode() + b"s = '\\N'\n",
    "bad escapes": CODE.encode() + b"s = '\\xg'\n",
    "invalid escape": CODE.encode() + b"s = '\\d'\n",
    "non-ascii bytes literal": CODE.encode() + "s = b'é'\n".encode(),
    "long line": CODE.encode() + b"s = '" + b"x" * 1_000_000 + b"'\n",
    "long line of terms": CODE.encode() + b"s = [" + b"1, " * 10_000 + b"]\n",
    "long name": CODE.encode() + b"x" * 1_000_000 + b" = 1\n",
    "long number": CODE.encode() + b"s = " + b"9" * 4000 + b"\n",
    "number that is too long": CODE.encode() + b"s = " + b"9" * 100_000 + b"\n",
    "long comment": CODE.encode() + b"#" + b" pragma" * 150_000 + b"\n",
    "many lines": b"x = 1\n" * 10_000,
    "many lines in brackets": b"x = [\n" + b"1,\n" * 10_000 + b"]\n",
    "many continued lines": b"x = 1" + b" + \\\n1" * 3_000 + b"\n",
    "many functions": b"".join(b"def f%d():\n    return %d\n" % (i, i) for i in range(2_000)),
    "many elifs": b"if a: pass\n" + b"elif a: pass\n" * 2_000,
    "parentheses": b"x = " + b"(" * 150 + b"1" + b")" * 150 + b"\n",
    "deep parentheses": b"x = " + b"(" * 10_000 + b"1" + b")" * 10_000 + b"\n",
    "deep brackets without end": b"x = " + b"[" * 100_000,
    "deep calls": b"x = " + b"f(" * 150 + b")" * 150 + b"\n",
    "deep subscripts": b"x = a" + b"[0]" * 3_000 + b"\n",
    "deep attributes": b"x = a" + b".b" * 3_000 + b"\n",
    "deep sums": b"x = " + b"1 + " * 3_000 + b"1\n",
    "deep minus": b"x = " + b"-" * 10_000 + b"1\n",
    "deep not": b"x = " + b"not " * 10_000 + b"1\n",
    "deep powers": b"x = " + b"2 ** " * 3_000 + b"1\n",
    "deep ifs": b"".join(b" " * i + b"if a:\n" for i in range(90)) + b" " * 90 + b"pass\n",
    "too deep ifs": b"".join(b" " * i + b"if a:\n" for i in range(1_000)) + b" " * 1_000 + b"pass\n",
    "deep functions": b"".join(b" " * i + b"def f():\n" for i in range(90)) + b" " * 90 + b"pass\n",
    "deep loops": b"".join(b" " * i + b"for a in b:\n" for i in range(19)) + b" " * 19 + b"break\n",
    "deep f-strings": b"x = f'{" + b"(" * 100 + b"1" + b")" * 100 + b"}'\n",
    "deep patterns": b"match a:\n    case " + b"[" * 150 + b"]" * 150 + b":\n        pass\n",
}

OURS: dict[str, bytes] = {
    "no such named character": CODE.encode() + b"s = '\\N{NO SUCH CHARACTER}'\n",
    "many blank lines": b"\n" * 100_000 + CODE.encode(),
    "deep lambda": b"x = " + b"lambda: " * 2_000 + b"1\n",
    "deep conditional": b"x = " + b"1 if a else " * 2_000 + b"1\n",
    "too deep loops": b"".join(b" " * i + b"for a in b:\n" for i in range(90)) + b" " * 90 + b"break\n",
    "100,000 lines": b"x = 1\n" * 100_000,
    "line of 1 MB": CODE.encode() + b"s = [" + b"1, " * 300_000 + b"]\n",
    "100,000 lines in brackets": b"x = [\n" + b"1,\n" * 100_000 + b"]\n",
    "100,000 lines of functions": b"".join(b"def f%d():\n    return %d\n" % (i, i) for i in range(50_000)),
    "deep mixture": b"x = " + b"[lambda: (a if -f(not {1: " * 20_000,
}
"""Sources that only have to end: coverage.py takes minutes, or the limits of CPython's parser and compiler are its own."""


def measured(*paths: str) -> None:
    data = CoverageData()
    data.add_arcs({path: [(-1, 1), (1, 2), (2, 3), (3, -1)] for path in paths})
    data.close()


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["qd-cov", *words], capture_output=True, text=True, errors="surrogateescape", check=False, timeout=TIME, stdin=subprocess.DEVNULL
    )


def without_links(text: str) -> str:
    """Messages that link to the documentation of a version, as they were without."""
    return re.sub(r"(No source for code: .*); see https://\S+", r"\1.", text, flags=re.DOTALL)


def run_coverage(*words: str) -> tuple[int, str] | None:
    """coverage.py's exit code and output; no value when it dies of an exception. In this process: starting one takes longer than a report."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = coverage.cmdline.main(list(words)) or 0
    except Exception:
        return None
    return code, without_links(out.getvalue())


def assert_same(*words: str) -> None:
    """The same report or message and exit code; where coverage.py itself dies of an exception, one clear line."""
    expected = run_coverage(*words)
    found = run(*words)
    if expected is None:
        assert found.returncode in (0, 1), found
        assert "std::" not in found.stdout + found.stderr
        if found.returncode == 1:
            assert found.stdout.count("\n") == 1, found
        return
    assert (found.returncode, without_links(found.stdout)) == expected


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("COVERAGE_FILE", "COVERAGE_RCFILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path.resolve()


@pytest.mark.parametrize("kind", TEXTS)
def test_texts(kind: str, folder: Path) -> None:
    Path("a.py").write_bytes(TEXTS[kind])
    measured(str(folder / "a.py"))
    assert_same("report", "-m")


@pytest.mark.parametrize("kind", OURS)
def test_texts_with_limits_of_our_own(kind: str, folder: Path) -> None:
    Path("a.py").write_bytes(OURS[kind])
    measured(str(folder / "a.py"))
    done = run("report", "-m")
    assert done.returncode == 0 or (done.returncode == 1 and done.stdout.startswith("Couldn't parse ") and done.stdout.count("\n") == 1), done


def test_all_texts_at_once(folder: Path) -> None:
    """Files that -i leaves out, and the warnings for them."""
    for i, text in enumerate([*TEXTS.values(), *OURS.values()]):
        Path(f"{i:03}.py").write_bytes(text)
    measured(*(str(path) for path in folder.glob("*.py")))
    for command in (["report", "-i"], ["html", "-i"]):
        done = run(*command)
        assert done.returncode == 0, done


def replaced_by_folder(path: Path) -> None:
    path.mkdir()


def link_loop(path: Path) -> None:
    path.symlink_to(path)


def dangling_link(path: Path) -> None:
    path.symlink_to(path.with_name("gone.py"))


def link_to_file(path: Path) -> None:
    path.with_name("real.py").write_text(CODE)
    path.symlink_to("real.py")


def below_a_file(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_text("x")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening_socket(path: Path) -> None:
    socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def memory(path: Path) -> None:
    """Readable for root even, but reading fails."""
    path.symlink_to(f"/proc/{os.getpid()}/mem")


def terminal(path: Path) -> None:
    path.symlink_to("/dev/full")


def shorter(path: Path) -> None:
    path.write_text("x = 1\n")


PLACES: dict[str, Callable[[Path], None]] = {
    "gone": lambda path: None,
    "folder": replaced_by_folder,
    "link loop": link_loop,
    "dangling link": dangling_link,
    "link": link_to_file,
    "below a file": below_a_file,
    "unreadable": memory,
    "shorter than measured": shorter,
}
BROKEN = [kind for kind, text in TEXTS.items() if kind.startswith(("unknown cookie", "invalid utf-8 later", "nul", "NUL", "cookie of a bytes"))]
SPECIAL: dict[str, Callable[[Path], None]] = {"pipe": pipe, "socket": listening_socket, "endless": device, "full": terminal}
"""Special files that coverage.py waits for, or reads without end."""


@pytest.mark.parametrize("kind", PLACES)
def test_places(kind: str, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "good.py").write_text(CODE)
    measured(str(folder / "sub" / "a.py"), str(folder / "good.py"))
    PLACES[kind](folder / "sub" / "a.py")
    assert_same("report", "-m")
    assert_same("report", "-i")


@pytest.mark.parametrize("kind", [*PLACES, *BROKEN])
def test_every_report_says_the_same(kind: str, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "good.py").write_text(CODE)
    measured(str(folder / "sub" / "a.py"), str(folder / "good.py"))
    if kind in PLACES:
        PLACES[kind](folder / "sub" / "a.py")
    else:
        (folder / "sub" / "a.py").write_bytes(TEXTS[kind])
    for command in ("xml", "json", "lcov"):
        for more in ([], ["-i"]):
            assert_same(command, "-q", "-o", "out", *more)
    for command in (["html", "-q"], ["annotate", "-d", "annotated"]):
        assert_same(*command)
        assert_same(*command, "-i")


@pytest.mark.parametrize("kind", SPECIAL)
def test_what_is_no_file_is_not_opened(kind: str, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "good.py").write_text(CODE)
    measured(str(folder / "sub" / "a.py"), str(folder / "good.py"))
    SPECIAL[kind](folder / "sub" / "a.py")
    done = run("report")
    assert (done.returncode, done.stderr) == (1, "")
    assert "No source for code" in done.stdout
    assert "good.py" in run("report", "-i").stdout


NAMES = [
    "new\nline.py", "tab\t.py", "q'uote.py", 'dou"ble.py', "<b>&amp;.py", "a|b.py", "*star*.py", "é.py", "\u202egnp.py", "back\\slash.py", " .py",
    "x" * 251 + ".py",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str, folder: Path) -> None:
    (folder / name).write_text(CODE)
    measured(str(folder / name))
    assert_same("report", "-m")
    assert_same("report", "--format=markdown")
    (folder / name).unlink()
    assert_same("report", "-m")
    done = run("html", "-i")
    assert done.returncode in (0, 1), done


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_sources_in_a_zip_file(method: int, folder: Path) -> None:
    with zipfile.ZipFile("lib.zip", "w", method) as archive:
        archive.writestr("pk/__init__.py", CODE)
        archive.writestr("pk/empty.py", "")
        archive.writestr("pk/" + "m" * 300 + ".py", CODE * 1000)
        archive.comment = b"a comment"
    Path("program.pex").write_bytes(b"#!/usr/bin/env python\n" + Path("lib.zip").read_bytes())
    for name in ("lib.zip", "program.pex"):
        for inner in ("pk/__init__.py", "pk/empty.py", "pk/" + "m" * 300 + ".py"):
            measured(str(folder / name / inner))
    assert_same("report", "-m")
    measured(str(folder / "lib.zip" / "pk/gone.py"))
    assert_same("report", "-m")


def test_broken_zip_files(folder: Path) -> None:
    with zipfile.ZipFile("lib.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.py", CODE * 100)
    whole = Path("lib.zip").read_bytes()
    measured(str(folder / "lib.zip" / "a.py"))
    for i in range(0, len(whole), 3):
        for broken in (whole[:i], whole[:i] + bytes([whole[i] ^ 0xFF]) + whole[i + 1 :]):
            Path("lib.zip").write_bytes(broken)
            assert run("report").returncode in (0, 1), (i, broken == whole[:i])
