"""Makes corpora for the fuzz targets that are too large to keep, or are kept elsewhere: pieces of the standard library's sources, reports and data
of them, and the sources of other tests.

Usage: make_corpora.py FOLDER. Writes FOLDER/TARGET/..., the same in every run with the same Python; a corpus that is there already stays."""

import ast
import difflib
import io
import random
import re
import sqlite3
import sys
import sysconfig
import tempfile
import textwrap
import warnings
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

LARGEST = 4000  # bytes of an input
TESTS = Path(__file__).parents[1]

sys.path.insert(0, str(TESTS / "differential"))
from kernel_generator import KernelGenerator  # noqa: E402


def sources() -> list[Path]:
    """The modules of the standard library, in an order that does not depend on the machine."""
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")) + sorted(Path(sysconfig.get_path("stdlib")).glob("asyncio/*.py"))
    random.Random(1).shuffle(files)
    return files


def parsed(file: Path) -> tuple[str, ast.Module] | None:
    """The text of a source and its tree; nothing for a source that is not Python to this version."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = file.read_text("utf-8")
            return text, ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def definitions(count: int) -> Iterator[str]:
    """Functions and classes that are short enough, dedented, at most ten of a file."""
    for file in sources():
        found = parsed(file)
        if not found:
            continue
        text, tree = found
        nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
        random.Random(file.name).shuffle(nodes)
        for node in nodes[:10]:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            piece = textwrap.dedent("\n".join(text.splitlines()[first - 1 : node.end_lineno])) + "\n"
            if 40 < len(piece.encode()) <= LARGEST:
                yield piece
                count -= 1
            if count == 0:
                return


def syntax() -> Iterator[bytes]:
    """Definitions as they stand."""
    for piece in definitions(600):
        yield piece.encode()


def analysis() -> Iterator[bytes]:
    """Definitions as they stand, and the sources of the tests of the analysis."""
    yield from syntax()
    for piece in (TESTS / "differential" / "analysis_vectors.txt").read_text().split("### ")[1:]:
        yield piece.partition("\n")[2].encode()


def check() -> Iterator[bytes]:
    """An old and a new source of the same length: a definition, and one that some lines are gone of."""
    draw = random.Random(2)
    for piece in definitions(200):
        lines = piece.splitlines()
        kept = "\n".join(line for line in lines if draw.random() > 0.1)
        yield (piece.ljust(len(kept)) + kept.ljust(len(piece)))[:LARGEST].encode()


def kernels() -> Iterator[bytes]:
    """The sources of golden files, generated ones, and single kernels and funcs of the tests."""
    for file in sorted(TESTS.glob("ir/*/*.py")):
        yield file.read_text().partition("\n# ---\n")[0].encode()
    for seed in range(30):
        yield KernelGenerator(seed).source(1).encode()
    for file in [*sorted(TESTS.glob("device/test_*.py")), *sorted(TESTS.glob("projects/**/kernels*.py"))]:
        found = parsed(file)
        if not found:
            continue
        text, tree = found
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
                continue
            names = [ast.unparse(decorator) for decorator in node.decorator_list]
            if not any(name.startswith(("qd.kernel", "qd.func", "qd.real_func")) for name in names):
                continue
            first = min(decorator.lineno for decorator in node.decorator_list)
            piece = "import qd\n" + textwrap.dedent("\n".join(text.splitlines()[first - 1 : node.end_lineno])) + "\n"
            if len(piece) <= 2000 and not re.search(r"range\(\d{4,}\) for", piece):  # a million iterations at compile time take minutes here
                yield piece.encode()


def regex() -> Iterator[bytes]:
    """Patterns that the standard library compiles."""
    for file in sources():
        found = parsed(file)
        for node in ast.walk(found[1]) if found else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("re.compile", "re.match", "re.search", "re.sub") and node.args:
                pattern = node.args[0]
                if isinstance(pattern, ast.Constant) and isinstance(pattern.value, str) and len(pattern.value) <= 200:
                    yield pattern.value.encode()


def diff() -> Iterator[bytes]:
    """Diffs of many shapes that lead to the files that the target has: lines "line 1" to "line 12"."""
    new = [f"line {number}\n" for number in range(1, 13)]
    draw = random.Random(3)
    for _ in range(300):
        old = [line for line in new if draw.random() > 0.2]
        for _ in range(draw.randrange(4)):
            old.insert(draw.randrange(len(old) + 1), draw.choice(["old\n", "line 3\n", "\n"]))
        path = draw.choice(["f.py", "pkg/g.py"])
        text = "".join(difflib.unified_diff(old, new, "a/" + path, "b/" + path, n=draw.randrange(4)))
        yield (f"diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n" + text if draw.random() < 0.7 else text).encode()


def zip_archive() -> Iterator[bytes]:
    """Archives of two definitions, stored and deflated."""
    pieces = list(definitions(100))
    for i in range(0, len(pieces), 2):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if i % 4 else zipfile.ZIP_STORED) as archive:
            archive.writestr("a.py", pieces[i])
            archive.writestr("pkg/b.py", pieces[i + 1])
        if len(out.getvalue()) <= LARGEST:
            yield out.getvalue()


def measured() -> Iterator[tuple[Path, Path]]:
    """Folders with a source and coverage.py's data of running it."""
    import coverage

    for i, piece in enumerate(definitions(30)):
        with tempfile.TemporaryDirectory() as folder:
            source, data = Path(folder) / "a.py", Path(folder) / ".coverage"
            source.write_text(piece)
            lines = range(1, 1 + piece.count("\n"))
            found = coverage.CoverageData(str(data))
            found.set_context("test" if i % 3 == 0 else "")
            if i % 2:
                found.add_arcs({str(source): [(-1, 1), *zip(lines, lines[1:], strict=False)]})
            else:
                found.add_lines({str(source): [line for line in lines if line % 3]})
            found.close()
            yield source, data


def data() -> Iterator[bytes]:
    """Small data files: the same rows on pages of 512 bytes."""
    for _source, file in measured():
        connection = sqlite3.connect(file)
        connection.executescript("PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM;")
        connection.close()
        if file.stat().st_size <= 16384:
            yield file.read_bytes()


def reports(names: tuple[str, ...]) -> Iterator[bytes]:
    """coverage.py's reports of the measured sources."""
    import coverage

    for source, file in measured():
        measurement = coverage.Coverage(data_file=str(file), config_file=False)
        measurement.load()
        for name in names:
            out = source.with_suffix("." + name)
            report = {"xml": measurement.xml_report, "lcov": measurement.lcov_report, "json": measurement.json_report}[name]
            report(outfile=str(out), ignore_errors=True)
            if out.stat().st_size <= LARGEST:
                yield re.sub(rb"/\S*/a\.py", b"/src/a.py", out.read_bytes())


CORPORA: dict[str, Callable[[], Iterator[bytes]]] = {
    "analysis": analysis,
    "base": lambda: reports(("json",)),
    "check": check,
    "data": data,
    "diff": diff,
    "inputs": lambda: reports(("xml", "lcov")),
    "kernels": kernels,
    "regex": regex,
    "syntax": syntax,
    "zip": zip_archive,
}


def main() -> None:
    """Makes missing corpora."""
    for name, make in CORPORA.items():
        folder = Path(sys.argv[1]) / name
        if folder.exists():
            continue
        fresh = folder.with_name(name + ".new")
        fresh.mkdir(parents=True, exist_ok=True)
        count = 0
        for count, piece in enumerate(make(), 1):
            (fresh / f"{count:04}").write_bytes(piece)
        fresh.rename(folder)
        print(f"{folder}: {count} inputs")


if __name__ == "__main__":
    main()
