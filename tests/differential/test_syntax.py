"""Our parser against CPython's: trees, positions and rejections over the standard library, site-packages and damaged sources."""

from __future__ import annotations

import argparse
import ast
import gc
import os
import random
import re
import subprocess
import sys
import sysconfig
import tokenize
import unicodedata
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import ast_dump

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("QD_BUILD", ROOT / "build" / "release"))
DUMP_AST = BUILD / "tests" / "differential" / "dump_ast"
BATCHES = 4
SAMPLED = {"stdlib": 3, "purelib": 24, "platlib": 24}  # of so many files one is in the test
# Tests of the standard library for syntax: all of them are.
OF_SYNTAX = re.compile(
    r"test/(bad\w*|(test_)?(ast|asyncgen|buffer|class|coroutines|decorators|dictcomps|eof|exceptions?|except_star|extcall|flufl|fstring|future\w*|"
    r"generators|genexps|grammar|keywordonlyarg|lambda|listcomps|named_expressions?|patma|positional_only_arg|raise|setcomps|source_encoding|"
    r"string_literals|syntax|tokenize|type_\w+|unicode_identifiers|unpack_ex|unparse|utf8source|with|yield_from|pep\w+|badsyntax\w*))\b"
)
RUNNING = sys.version_info[:2]


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    """Trees have no cycles; the collector would only walk half-built ones, which doubles the time of `ast.parse`."""
    gc.disable()
    yield
    gc.enable()


@dataclass
class Result:
    """The result of one of the parsers: a tree or a complaint."""

    tree: str | None = None
    minor_version: int = 0  # ours alone: the oldest Python that takes the source
    message: str = ""


def our_results(arguments: list[str], items: list[bytes], end: bytes) -> list[Result]:
    """Run dump_ast over `items`."""
    process = subprocess.run([DUMP_AST, *arguments], input=end.join(items) + end, stdout=subprocess.PIPE, check=True)
    results = []
    for line in process.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        _, status, *rest = line.split("\t", 4)
        if status == "ok":
            results.append(Result(tree=rest[1], minor_version=int(rest[0])))
        else:
            results.append(Result(message=rest[2]))
    assert len(results) == len(items)
    return results


def their_result(source: bytes) -> Result:
    """CPython's result for `source`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Result(tree=ast_dump.dump(ast.parse(source)))
        except (SyntaxError, ValueError) as error:
            return Result(message=str(error.msg if isinstance(error, SyntaxError) else error))


def without_fstring_positions(tree: str) -> str:
    """`tree` without the positions of nodes inside f-strings."""
    parts = []
    done = 0
    for start in re.finditer(r"JoinedStr@[^(]*\(", tree):
        if start.start() < done:
            continue
        depth = 1
        for bracket in re.compile(r"[()]").finditer(tree, start.end()):
            depth += 1 if bracket.group() == "(" else -1
            if depth == 0:
                parts += [tree[done : start.end()], ast_dump.without_positions(tree[start.end() : bracket.end()])]
                done = bracket.end()
                break
    return "".join(parts) + tree[done:]


def named_characters_fit(ours: str, theirs: str) -> bool:
    r"""Whether the trees differ only in characters written \N{...}, for which we have U+FFFD."""
    strings = re.compile(r"(?<=\()s[0-9a-f]*(?=\))")
    if strings.sub("", ours) != strings.sub("", theirs):
        return False
    for our_hex, their_hex in zip(strings.findall(ours), strings.findall(theirs)):
        our_text, their_text = (bytes.fromhex(h[1:]).decode("utf-8", "surrogatepass") for h in (our_hex, their_hex))
        if len(our_text) != len(their_text) or any(o not in (t, "\ufffd") for o, t in zip(our_text, their_text)):
            return False
    return True


def difference(source: bytes, ours: Result, theirs: Result) -> str | None:
    """The difference between two results; None when it is permitted. All permitted differences are here:

    - Sources newer than the running Python: we read them, and know which version they need.
    - Undecodable and unknown encodings: reading never fails here, bad bytes become U+FFFD.
    - Identifiers are not normalised (NFKC) in our tree.
    - Up to Python 3.11, positions inside f-strings are not to be relied upon; 3.12 leaves empty constants in format specifiers.
    - Characters by name (\\N{DASH}) are U+FFFD, so unknown names go unnoticed.
    """
    if ours.tree is None and theirs.tree is None:
        return None
    if theirs.tree is None:
        if ours.minor_version > RUNNING[1] or re.search("encoding|codec|unknown Unicode character name", theirs.message):
            return None
        return f"accepted, but CPython says: {theirs.message}"
    if ours.tree is None:
        return f"rejected: {ours.message}"
    if ours.minor_version > RUNNING[1]:
        return f"said to need Python 3.{ours.minor_version}"
    our_tree, their_tree = ours.tree, theirs.tree
    if our_tree == their_tree:
        return None
    if not our_tree.isascii():
        our_tree = unicodedata.normalize("NFKC", our_tree)
    if RUNNING < (3, 12):
        our_tree, their_tree = without_fstring_positions(our_tree), without_fstring_positions(their_tree)
    elif RUNNING == (3, 12):
        our_tree, their_tree = (re.sub(r" ?Constant@[^(]*\(s\)(?=[\] ])", "", tree) for tree in (our_tree, their_tree))
    if our_tree == their_tree or (b"\\N{" in source and named_characters_fit(our_tree, their_tree)):
        return None
    place = len(os.path.commonprefix([our_tree, their_tree]))
    return f"ours ...{our_tree[max(0, place - 60) : place + 60]}...\ntheirs ...{their_tree[max(0, place - 60) : place + 60]}..."


@cache
def all_files() -> list[Path]:
    """The standard library's tests of syntax, and samples of its other files and of site-packages', or with QD_ALL_FILES=1 all of them. Whether a
    file is in the sample depends on its name alone."""
    files: set[Path] = set()
    everything = bool(os.environ.get("QD_ALL_FILES"))
    for place, sampled in SAMPLED.items():
        root = sysconfig.get_path(place)
        for folder, folders, names in os.walk(root):
            if folder == root:
                folders[:] = [name for name in folders if name not in ("site-packages", "dist-packages")]
            for name in [os.path.relpath(os.path.join(folder, name), root) for name in names if name.endswith(".py")]:
                if everything or zlib.crc32(os.fsencode(name)) % sampled == 0 or (place == "stdlib" and OF_SYNTAX.match(name)):
                    files.add(Path(root, name))
    return sorted(p for p in files if p.is_file())


def test_there_are_files() -> None:
    """The standard library alone has hundreds, some of them bad on purpose."""
    assert len(all_files()) > 500


@pytest.mark.parametrize("batch", range(BATCHES))
def test_installed_files(batch: int) -> None:
    """The same tree, with the same positions, or both complain."""
    files = all_files()[batch::BATCHES]
    differences = []
    for path, ours in zip(files, our_results([], [os.fsencode(p) for p in files], b"\n")):
        source = path.read_bytes()
        if found := difference(source, ours, their_result(source)):
            differences.append(f"{path}: {found}")
    assert not differences, "\n".join(differences[:10])


def snippets() -> list[str]:
    """Short statements with all kinds of syntax: the fuzz corpus, cut at blank lines, and statements of the standard library."""
    pieces: list[str] = []
    for path in sorted((ROOT / "tests" / "fuzz" / "corpus" / "syntax").glob("*.py")):
        for piece in path.read_text(encoding="utf-8").split("\n\n"):
            if piece.startswith((" ", "\t", "\n")):
                pieces[-1] += "\n\n" + piece
            else:
                pieces.append(piece)
    for module in (ast, argparse, subprocess):
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        lines = source.split("\n")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.stmt) and node.end_lineno is not None and node.end_lineno - node.lineno < 6:
                block = lines[node.lineno - 1 : node.end_lineno]
                indent = len(block[0]) - len(block[0].lstrip())
                if all(not line[:indent].strip() for line in block):
                    pieces.append("\n".join(line[indent:] for line in block))
    return pieces


WORDS = re.compile(
    r"""[a-zA-Z]{0,2}(?:'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"|\w+|\.\.\.|:=|->|\*\*=?|//=?|>>=?|<<=?|[-+*/%&|^=<>!@]=|\n[ ]*|[ ]+|.",
    re.DOTALL,
)
INSERTED = (
    "if else for in not and or is lambda yield await async x 1 's' f'{x}' b's' None True match case _ type as from import with def class return del "
    "global print * ** := = : , . ( ) [ ] { } == + - ! @ ; ... -> | ~ # \\ try: except finally: pass while assert raise break nonlocal elif"
).split() + ["\n", "\n  ", "  ", " "]


def damaged(rng: random.Random, words: list[str], others: list[list[str]]) -> str:
    """`words` with one to three of them dropped, doubled, swapped or replaced."""
    words = list(words)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not words:
            break
        place = rng.randrange(len(words))
        kind = rng.random()
        if kind < 0.35:
            del words[place]
        elif kind < 0.6:
            words.insert(place, rng.choice(INSERTED) + rng.choice(("", " ")))
        elif kind < 0.8:
            words[place] = rng.choice(INSERTED)
        elif kind < 0.9:
            other = rng.randrange(len(words))
            words[place], words[other] = words[other], words[place]
        else:
            other_words = rng.choice(others)
            start = rng.randrange(len(other_words))
            words[place:place] = other_words[start : start + rng.randrange(6)]
    return "".join(words) + "\n"


@pytest.mark.parametrize("seed", range(4))
def test_damaged_sources(seed: int) -> None:
    """A damaged source is taken by both parsers, with the same tree, or refused by both."""
    rng = random.Random(seed)
    words: list[list[str]] = [WORDS.findall(piece) for piece in snippets() if piece]
    sources = [damaged(rng, rng.choice(words), words).encode() for _ in range(4000)]
    differences = []
    same_words = both_refuse = 0
    for source, ours in zip(sources, our_results(["--sources"], sources, b"\0")):
        theirs = their_result(source)
        if found := difference(source, ours, theirs):
            differences.append(f"{source!r}: {found}")
        if ours.tree is None and theirs.tree is None:
            both_refuse += 1
            same_words += ours.message == theirs.message
    print(f"{both_refuse} of {len(sources)} refused by both, {same_words} in the same words")
    assert not differences, f"{len(differences)} differences\n" + "\n".join(differences[:10])
    # Wording differs between versions of Python; only a loss of most of it would be a mistake here.
    assert same_words > both_refuse * 0.6


def cpython_takes(source: bytes) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


@pytest.mark.parametrize("first", range(5))
def test_tokens_are_those_of_tokenize(first: int) -> None:
    """Names, numbers, operators, strings and line structure as the standard library's `tokenize` sees them."""
    files = [p for p in all_files() if p.stat().st_size < 60000][first * 2 :: 11]
    compared = 0
    output = subprocess.run([DUMP_AST, "--tokens"], input="\n".join(map(str, files)), stdout=subprocess.PIPE, text=True, check=True).stdout
    for path, ours in zip(files, output.split("\f\n")):
        try:
            with tokenize.open(path) as stream:
                tokens = list(tokenize.generate_tokens(stream.readline))
        except (SyntaxError, UnicodeError):
            continue
        source = path.read_bytes()
        if re.search(rb"[fFtT][rR]?['\"]", source) or not source.isascii():
            continue  # f-strings are one token before Python 3.12, and its columns are characters
        if not ours and not cpython_takes(source):
            continue  # tokenize goes on where the parser gives up: in Python 2's sources, for one
        theirs = [
            f"{tokenize.tok_name[t.type]} {t.start[0]}:{t.start[1]}"
            for t in tokens
            if t.type not in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)
        ]
        assert ours.splitlines() == theirs, path
        compared += 1
    assert compared > 10
