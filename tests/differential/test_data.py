"""Data files and combine: the same rows and the same words as coverage.py's."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData
from coverage_commands import coverage_py

TOOLS = ["coverage", "qd-cov"]
JOINS = "JOIN file f ON f.id = file_id JOIN context c ON c.id = context_id"


def rows(path: Path) -> dict[str, Any]:
    """The contents of a data file, without the ids of its rows."""
    con = sqlite3.connect(path)
    return {
        "schema": con.execute("SELECT version FROM coverage_schema").fetchall(),
        "has_arcs": con.execute("SELECT value FROM meta WHERE key = 'has_arcs'").fetchall(),
        "files": {p for (p,) in con.execute("SELECT path FROM file")},
        "contexts": {c for (c,) in con.execute("SELECT context FROM context")} | {""},
        "lines": {
            (p, c): tuple(i for i in range(8 * len(bits)) if bits[i // 8] >> i % 8 & 1)
            for p, c, bits in con.execute(f"SELECT path, context, numbits FROM line_bits {JOINS}")
        },
        "arcs": set(con.execute(f"SELECT path, context, fromno, tono FROM arc {JOINS}")),
        "tracers": set(con.execute("SELECT path, tracer FROM tracer JOIN file f ON f.id = file_id")),
    }


def random_data(path: Path, die: random.Random, arcs: bool) -> None:
    """Write a data file with some files, contexts, tracers, and files that were only touched."""
    data = CoverageData(str(path))
    names = [f"/src/{name}.py" for name in "abcdef"]
    for context in die.sample(["", "qd:cpu", "t.py::test_1|run", "héß"], die.randint(1, 3)):
        data.set_context(context)
        for name in die.sample(names, die.randint(1, 4)):
            if arcs:
                data.add_arcs({name: {(die.randint(-30, 300), die.randint(-30, 300)) for _ in range(die.randint(0, 30))}})
            else:
                data.add_lines({name: {die.randint(1, 2000) for _ in range(die.randint(0, 40))}})
    data.touch_file("/src/touched.py")
    data.touch_file("/src/template.html", "some.plugin")
    data.close()


def run_in(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def in_both(folder: Path, *arguments: str) -> list[tuple[int, str, str, set[str]]]:
    """Run coverage and qd-cov with the same arguments in copies of `folder`: exit code, output, message, files that are left.

    The copies are named a and b in turn, so that no name is longer than the other."""
    results = []
    for tool in TOOLS:
        copy = folder.with_name("copy")
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        done = coverage_py(arguments, copy) if tool == "coverage" else run_in(copy, tool, *arguments)
        message = "\n".join(line.split("CoverageWarning: ")[-1] for line in done.stderr.splitlines() if not line.startswith("  "))
        out = done.stdout.split("; see https://")[0].strip()
        results.append((done.returncode, out, message, {str(p.relative_to(copy)) for p in copy.rglob("*")}))
        copy.rename(folder.with_name(f"by-{tool}"))
    return results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.mark.parametrize("arcs", [False, True], ids=["lines", "arcs"])
@pytest.mark.parametrize("seed", range(6))
def test_combine_gives_the_same_rows(folder: Path, seed: int, arcs: bool) -> None:
    die = random.Random(seed)
    for i in range(4):
        random_data(folder / f".coverage.{i}", die, arcs)
    shutil.copy(folder / ".coverage.0", folder / ".coverage.copy")
    theirs, ours = in_both(folder, "combine")
    assert ours == theirs
    assert theirs[2] == "Combined 4 files, skipped 1"
    assert rows(folder.with_name("by-qd-cov") / ".coverage") == rows(folder.with_name("by-coverage") / ".coverage")


@pytest.mark.parametrize("options", [["--keep"], ["--append"], ["-a", "--keep", "-q"], ["--data-file=sub/x", ".coverage.0"]], ids=" ".join)
def test_options(folder: Path, options: list[str]) -> None:
    die = random.Random(1)
    (folder / "sub").mkdir()
    for name in [".coverage", ".coverage.0", ".coverage.1"]:
        random_data(folder / name, die, True)
    theirs, ours = in_both(folder, "combine", *options)
    assert ours == theirs
    output = "sub/x" if "--data-file=sub/x" in options else ".coverage"
    assert rows(folder.with_name("by-qd-cov") / output) == rows(folder.with_name("by-coverage") / output)


def test_our_files_are_read_by_coverage_as_they_were(folder: Path) -> None:
    random_data(folder / ".coverage.0", random.Random(3), True)
    before = rows(folder / ".coverage.0")
    assert run_in(folder, "qd-cov", "combine", "--keep").returncode == 0
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    assert data.has_arcs()
    assert data.measured_files() == before["files"]
    assert data.measured_contexts() == before["contexts"]
    assert set(data.arcs("/src/a.py") or []) == {(a, b) for name, _, a, b in before["arcs"] if name == "/src/a.py"}
    assert data.file_tracer("/src/template.html") == "some.plugin"


def schema(text: str) -> str:
    return f"CREATE TABLE coverage_schema (version {text}"


UNUSABLE: dict[str, str | bytes] = {
    "empty": b"",
    "not-sqlite": b"x" * 500,
    "short": b"x",
    "no-schema": "CREATE TABLE x (a)",
    "schema-8": schema("integer); INSERT INTO coverage_schema VALUES (8)"),
    "schema-text": schema("text); INSERT INTO coverage_schema VALUES ('abc')"),
    "schema-without-row": schema("integer)"),
    "no-meta": schema("integer); INSERT INTO coverage_schema VALUES (7)"),
}


def put_unusable(path: Path, content: str | bytes) -> None:
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        con = sqlite3.connect(path)
        con.executescript(content)
        con.close()


@pytest.mark.parametrize("kind", UNUSABLE)
def test_unusable_inputs_are_kept_and_named(folder: Path, kind: str) -> None:
    random_data(folder / ".coverage.good", random.Random(0), False)
    put_unusable(folder / ".coverage.bad", UNUSABLE[kind])
    theirs, ours = in_both(folder, "combine")
    assert ours == theirs
    assert ".coverage.bad" in ours[3]
    assert ours[0] == 0


@pytest.mark.parametrize("arguments", [[], ["nope"], [".coverage.bad"], ["--what"], ["--data-file"]], ids=" ".join)
def test_errors(folder: Path, arguments: list[str]) -> None:
    if ".coverage.bad" in arguments:
        put_unusable(folder / ".coverage.bad", UNUSABLE["not-sqlite"])
    theirs, ours = in_both(folder, "combine", *arguments)
    ours_like_theirs = (ours[0], ours[1], ours[2].replace("qd-cov", "coverage"), ours[3])
    theirs = (theirs[0], theirs[1].split("Full documentation")[0].strip(), theirs[2], theirs[3])
    assert ours_like_theirs == theirs
    assert ours[0] == 1


@pytest.mark.parametrize("first_has_arcs", [False, True])
def test_mixture_has_their_words_but_deletes_nothing(folder: Path, first_has_arcs: bool) -> None:
    random_data(folder / ".coverage.1", random.Random(0), first_has_arcs)
    random_data(folder / ".coverage.2", random.Random(1), not first_has_arcs)
    theirs, ours = in_both(folder, "combine")
    assert ours[:2] == theirs[:2]
    assert ours[0] == 1
    assert "Can't combine" in ours[1]
    assert ours[3] == {".coverage.1", ".coverage.2"}


def test_conflicting_tracers(folder: Path) -> None:
    for i, plugin in enumerate(["one.plugin", "two.plugin"]):
        data = CoverageData(str(folder / f".coverage.{i}"))
        data.add_lines({"/src/x.html": [1 + i]})
        data.add_file_tracers({"/src/x.html": plugin})
        data.close()
    theirs, ours = in_both(folder, "combine")
    assert ours[:2] == theirs[:2]
    assert ours[1] == "Conflicting file tracer name for '/src/x.html': 'one.plugin' vs 'two.plugin'"


PATHS = "[paths]\nsource =\n    src\n    /ci/*/src\n    *\\\\win\\\\src\n"


@pytest.mark.parametrize("relative", [False, True])
def test_path_mapping(folder: Path, relative: bool) -> None:
    (folder / "src").mkdir()
    for name in "abc":
        (folder / "src" / f"{name}.py").touch()
    (folder / ".coveragerc").write_text(f"[run]\nrelative_files = {relative}\n{PATHS}")
    for i, name in enumerate(["/ci/1/src/a.py", "/CI/x/src/b.py", "/ci/2/src/gone.py", "src/c.py", "/else/src/c.py", "c:\\win\\src\\a.py"]):
        data = CoverageData(str(folder / f".coverage.{i}"))
        data.add_arcs({name: [(-1, i + 1)]})
        data.close()
    theirs, ours = in_both(folder, "combine")
    assert ours == theirs
    for path in [folder.with_name("by-coverage"), folder.with_name("by-qd-cov")]:
        assert len(rows(path / ".coverage")["arcs"]) == 6
    assert rows(folder.with_name("by-qd-cov") / ".coverage") == rows(folder.with_name("by-coverage") / ".coverage")


def test_folders_as_inputs(folder: Path) -> None:
    die = random.Random(5)
    for sub in ["one", "two"]:
        (folder / sub).mkdir()
        random_data(folder / sub / ".coverage.x", die, True)
        random_data(folder / sub / "other.x", die, True)
    theirs, ours = in_both(folder, "combine", "two", "one", "one/other.x")
    assert ours == theirs
    assert rows(folder.with_name("by-qd-cov") / ".coverage") == rows(folder.with_name("by-coverage") / ".coverage")


def random_set(folder: Path, die: random.Random) -> list[str]:
    """Fill `folder` with sources, settings and data files of any kind of name; give options and arguments for combine."""
    arcs = die.random() < 0.5
    for name in ["src/a.py", "src/pk/b.py", "lib/c.py", "d.py"]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    if die.random() < 0.7:
        patterns = die.sample(["/ci/*/src", "*/src", "lib", "c:\\ci\\src", "/CI/**/pk", "other"], die.randint(1, 3))
        (folder / ".coveragerc").write_text(
            f"[run]\nrelative_files = {die.random() < 0.5}\n[paths]\n" + "\n    ".join(["one =", "src", *patterns]) + "\ntwo =\n    lib/\n    */lib\n"
        )
    measured = ["/ci/1/src/a.py", "/CI/2/src/a.py", "/ci/x/src/pk/b.py", "c:\\ci\\src\\a.py", "src/a.py"]
    measured += ["lib/c.py", "/x/lib/c.py", "/gone/src/e.py", "./d.py", "d.py"]
    tracers = {"/x/y.html": "one.plugin", "z.tpl": die.choice(["one.plugin", "two.plugin"])}
    names = []
    for i in range(die.randint(1, 6)):
        where = die.choice(["", "", "", "sub/", "other/"])
        suffix = die.choice([f"{i}", f"my_host.pid{i}.Xabcd{i}_x", f"my_host.pid{i}.Xabcd{i}_x.H{die.choice('ab')}123456789h", f"a.b.H{i}234567890h"])
        path = folder / f"{where}.coverage.{suffix}"
        path.parent.mkdir(exist_ok=True)
        names.append(f"{where}{path.name}")
        if i and die.random() < 0.2:
            shutil.copy(folder / names[0], path)
            continue
        if die.random() < 0.1:
            put_unusable(path, UNUSABLE[die.choice(list(UNUSABLE))])
            continue
        data = CoverageData(str(path))
        for context in die.sample(["", "one", "two|run", "h\u00e9"], die.randint(1, 3)):
            data.set_context(context)
            some = die.sample(measured, die.randint(0, 4))
            if arcs:
                data.add_arcs({name: {(die.randint(-9, 90), die.randint(-9, 90)) for _ in range(die.randint(0, 20))} for name in some})
            else:
                data.add_lines({name: {die.randint(1, 99) for _ in range(die.randint(0, 20))} for name in some})
        for name, tracer in tracers.items():
            if die.random() < 0.4:
                data.touch_file(name, tracer if die.random() < 0.9 else "")
        data.close()
    if die.random() < 0.5:
        random_data(folder / ".coverage", die, arcs)
    options = die.sample(["--append", "--keep", "-q", "--data-file=made/.coverage"], die.randint(0, 2))
    if "--data-file=made/.coverage" in options:
        (folder / "made").mkdir()
    arguments = die.choice([[], ["."], ["sub", "other", "."], ["sub", *names], names])
    for argument in ["sub", "other"]:
        (folder / argument).mkdir(exist_ok=True)
    return ["combine", *options, *arguments]


@pytest.mark.parametrize("seed", range(25 if os.environ.get("QD_DATA") is None else int(os.environ["QD_DATA"])))
def test_random_sets(folder: Path, seed: int) -> None:
    die = random.Random(seed)
    command = random_set(folder, die)
    inputs = sorted(p for p in folder.rglob(".coverage*") if p.name != ".coveragerc")
    theirs, ours = in_both(folder, *command)
    # coverage.py takes a file that is named twice for one that has gone since; and its merged data from before an error is gone.
    named_twice = len({*command}) < len(command) or ("sub" in command and any(c.startswith("sub/") for c in command))
    if theirs[0] == 0 and not named_twice:
        assert ours == theirs
    elif theirs[0] != 0:
        assert ours[:2] == theirs[:2]
        assert sorted(p.relative_to(folder) for p in inputs) == sorted(
            p.relative_to(folder.with_name("by-qd-cov")) for p in folder.with_name("by-qd-cov").rglob(".coverage*") if p.name != ".coveragerc"
        )
        return
    output = "made/.coverage" if "--data-file=made/.coverage" in command else ".coverage"
    assert rows(folder.with_name("by-qd-cov") / output) == rows(folder.with_name("by-coverage") / output)


def test_details(folder: Path) -> None:
    die = random.Random(1)
    for name in ["0", "1"]:
        random_data(folder / f".coverage.{name}", die, True)
    shutil.copy(folder / ".coverage.0", folder / ".coverage.copy")
    put_unusable(folder / ".coverage.bad", UNUSABLE["not-sqlite"])
    theirs, ours = in_both(folder, "combine", "-q", "--debug=combine")
    assert ours == theirs
    assert "Skipping duplicate data .coverage.copy" in ours[2]


TOPICS = [["data"], ["data", ".coverage.1", "gone"], ["data", ".coverage.bad"], ["what"], ["what", "more"], ["sys", "more"]]


@pytest.mark.parametrize("topic", TOPICS, ids=" ".join)
def test_debug(folder: Path, topic: list[str]) -> None:
    for i, name in enumerate([".coverage", ".coverage.1", ".coverage.2"]):
        random_data(folder / name, random.Random(i), i == 1)
    data = CoverageData(str(folder / ".coverage.10"))
    data.add_lines({"/x/a\x1b[31m10.py": [1], "/x/a9.py": [], "/x/\u00e9.py": [2]})
    data.close()
    if ".coverage.bad" in topic:
        put_unusable(folder / ".coverage.bad", UNUSABLE["not-sqlite"])
    theirs, ours = in_both(folder, "debug", *topic)
    assert ours[0] == theirs[0]
    assert ours[2].replace("qd-cov", "coverage") == theirs[2]
    if topic[0] == "data":
        assert ours[1] == theirs[1]


@pytest.mark.parametrize("config", ["", "[run]\nparallel = true\n"], ids=["one", "parallel"])
@pytest.mark.parametrize("options", [[], ["--data-file=sub/.coverage"]], ids=["here", "there"])
def test_erase(folder: Path, config: str, options: list[str]) -> None:
    (folder / "sub").mkdir()
    (folder / ".coveragerc").write_text(config)
    for name in [".coverage", ".coverage.1", ".coverage.2", ".coveragex", "sub/.coverage", "sub/.coverage.1"]:
        (folder / name).touch()
    theirs, ours = in_both(folder, "erase", *options)
    assert ours == theirs
