"""Data files and combine: the same rows and the same words as coverage.py's."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData

TOOLS = ["coverage", "qd-cov"]
JOINS = "JOIN file f ON f.id = file_id JOIN context c ON c.id = context_id"


def rows(path: Path) -> dict[str, Any]:
    """What a data file says, without the ids that are nobody's business."""
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
        done = run_in(copy, tool, *arguments)
        message = "\n".join(line.split("CoverageWarning: ")[-1] for line in done.stderr.splitlines() if not line.startswith("  "))
        out = done.stdout.split("; see https://")[0].strip()
        results.append((done.returncode, out, message, {p.name for p in copy.iterdir()}))
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
