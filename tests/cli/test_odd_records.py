"""Records of other tools' reports that can be of no line: left out, with a warning; a record that makes the rest doubtful is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

SOURCE = "int f(int a) {\n  return 1;\n}\n"
NOWHERE = ["16707566", "15732480", "-1", "-2147483648", "99999999999999999999", "4294967295"]


def cobertura(lines: str, before: str = "") -> str:
    return (
        '<?xml version="1.0"?><coverage><sources><source>.</source></sources><packages><package name="p"><classes>'
        f'{before}<class name="a" filename="a.c"><lines>{lines}</lines></class></classes></package></packages></coverage>'
    )


def clover(lines: str, before: str = "") -> str:
    return f'<coverage clover="4"><project>{before}<file path="a.c">{lines}</file></project></coverage>'


def jacoco(lines: str, before: str = "") -> str:
    return f'<report name="r"><package name="">{before}<sourcefile name="a.c">{lines}</sourcefile></package></report>'


def lcov(lines: str, before: str = "") -> str:
    return f"{before}SF:a.c\n{lines}end_of_record\n"


def gcov(lines: str, before: str = "") -> str:
    return f'{{"gcc_version": "12", "current_working_directory": ".", "files": [{before}{{"file": "a.c", "functions": [], "lines": [{lines}]}}]}}'


# Of each format: how a report is made, lines 1 (ran) and 2 (missing, with a branch), a line N, and a file without a name.
FORMATS = {
    "cobertura": (
        cobertura,
        '<line number="1" hits="1"/><line number="2" hits="0" branch="true" condition-coverage="0% (0/2)"/>',
        '<line number="{}" hits="{}" branch="true" condition-coverage="100% (2/2)"/>',
        '<class name="" filename=""><methods><method name="m"><lines><line number="2" hits="9"/></lines></method></methods>'
        '<lines><line number="2" hits="9"/></lines></class>',
    ),
    "clover": (
        clover,
        '<line num="1" type="stmt" count="1"/><line num="2" type="cond" count="0" truecount="0" falsecount="2"/>',
        '<line num="{}" type="stmt" count="{}"/>',
        '<file><line num="2" type="stmt" count="9"/></file>',
    ),
    "jacoco": (
        jacoco,
        '<line nr="1" mi="0" ci="1"/><line nr="2" mi="1" ci="0" mb="2" cb="0"/>',
        '<line nr="{}" mi="0" ci="{}" mb="0" cb="2"/>',
        '<sourcefile><line nr="2" ci="9"/></sourcefile>',
    ),
    "lcov": (
        lcov,
        "DA:1,1\nDA:2,0\nBRDA:2,0,0,-\nBRDA:2,0,1,-\n",
        "DA:{0},{1}\nBRDA:{0},0,0,1\nFN:{0},ghost\nFNDA:1,ghost\n",
        "SF:\nDA:2,9\nend_of_record\n",
    ),
    "gcov": (
        gcov,
        '{"line_number": 1, "count": 1, "branches": []}, {"line_number": 2, "count": 0, "branches": [{"count": 0}, {"count": 0}]}',
        ', {{"line_number": {}, "count": {}, "branches": [{{"count": 1}}]}}',
        '{"file": "", "functions": [], "lines": [{"line_number": 2, "count": 9, "branches": []}]},',
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.c").write_text(SOURCE)
    return tmp_path


def report(folder: Path, text: str, *options: str) -> tuple[int, str, str]:
    (folder / "in").write_text(text)
    done = subprocess.run(["qd-cov", "report", "-m", "--input=in", *options], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("form", FORMATS)
def test_lines_that_no_file_has(folder: Path, form: str) -> None:
    make, lines, line, nameless = FORMATS[form]
    good = report(folder, make(lines))
    assert good[0] == 0 and good[2] == "" and " 2 " in good[1]
    for number in NOWHERE:
        for hits in "01":
            code, out, err = report(folder, make(lines + line.format(number, hits)))
            assert (code, out) == good[:2], (number, err)
            assert err.count("left out") == 1 and ("can be no line" if form == "gcov" else f"'{number}' can be no line") in err, err
    code, out, err = report(folder, make(lines, nameless))
    assert (code, out) == good[:2] and "1 record of 'in' is of no line and was left out" in err
    several = lines + "".join(line.format(number, 1) for number in NOWHERE)
    code, out, err = report(folder, make(several, nameless))
    assert (code, out) == good[:2] and err.count("left out, the first: ") == 1


def llvm(lines: str, before: str = "") -> str:
    return f'{{"type": "llvm.coverage.json.export", "version": "2", "data": [{{"files": [{before}{{"filename": "a.c", "segments": [{lines}]}}]}}]}}'


# Of each format: how a report is made, a line that ran, a file without a name and with a missing line, and one without lines.
NAMELESS = {
    **{form: (make, lines, nameless) for form, (make, lines, _, nameless) in FORMATS.items()},
    "llvm": (
        llvm,
        "[1, 1, 1, true, true], [1, 9, 0, false, false]",
        '{"filename": "", "segments": [[1, 1, 0, true, true], [2, 1, 0, false, false]]},',
    ),
}
WITHOUT_LINES = {
    "cobertura": '<class name="" filename=""><lines/></class>',
    "clover": "<file/>",
    "jacoco": "<sourcefile/>",
    "lcov": "SF:\nend_of_record\n",
    "gcov": '{"file": "", "functions": [], "lines": []},',
    "llvm": '{"filename": "", "segments": []},',
}


@pytest.mark.parametrize("form", NAMELESS)
def test_lines_of_a_file_without_a_name_miss_gates(folder: Path, form: str) -> None:
    """They may be the ones that nothing ran; a file without lines loses none."""
    make, lines, nameless = NAMELESS[form]
    lost = "Coverage failure: data file 'in' could not be read as a whole.\n"
    for before, code in (("", 0), (WITHOUT_LINES[form], 0), (nameless, 2)):
        found, out, err = report(folder, make(lines, before), "--fail-under=1")
        assert (found, lost in out, "left out" in err) == (code, code == 2, before != ""), (before, out, err)
    assert report(folder, make(lines, nameless))[0] == 0
    subprocess.run(["qd-cov", "combine", "in"], cwd=folder, check=True)
    for command in ("report", "html", "xml", "json", "lcov", "badge"):
        assert subprocess.run(["qd-cov", command, "--fail-under=1"], cwd=folder, check=False).returncode == 2, command


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("hits", ["1.0", "1e0"])
def test_hits_that_are_written_as_fractions(folder: Path, form: str, hits: str) -> None:
    make, lines, line, _ = FORMATS[form]
    assert report(folder, make(lines + line.format("3", hits).replace("FN:3,ghost\nFNDA:1,ghost\n", ""))) == report(
        folder, make(lines + line.format("3", "1").replace("FN:3,ghost\nFNDA:1,ghost\n", ""))
    )


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("hits", ["many", "", "nan", "1,2", "0x1"])
def test_hits_that_are_no_number_are_refused(folder: Path, form: str, hits: str) -> None:
    make, lines, line, _ = FORMATS[form]
    if (form, hits) == ("lcov", "1,2"):
        return  # a checksum
    code, out, err = report(folder, make(lines + line.format("3", json.dumps(hits) if form == "gcov" else hits)))
    assert code == 1 and out + err != "" and "Couldn't read 'in' as " in out + err


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("number", ["two", "", "1.5"])
def test_lines_that_are_no_number_are_refused(folder: Path, form: str, number: str) -> None:
    make, lines, line, _ = FORMATS[form]
    number = json.dumps(number) if form == "gcov" else number
    code, out, err = report(folder, make(lines + line.format(number, 1)))
    assert code == 1 and "Couldn't read 'in' as " in out + err


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_that_is_cut_off_is_refused(folder: Path, form: str) -> None:
    make, lines, line, _ = FORMATS[form]
    text = make(lines)
    for size in range(len(text) - 12, 12, -7):
        code, out, err = report(folder, text[:size])
        assert code == 1, (text[:size], out)


def test_negative_hits_are_none(folder: Path) -> None:
    """Counters that overflowed: the line does not count as covered."""
    for form, (make, lines, line, _) in FORMATS.items():
        text = make(lines + line.format("3", -7).replace("FN:3,ghost\nFNDA:1,ghost\n", ""))
        assert "2-3" in report(folder, text)[1].replace("2, 3", "2-3"), form
