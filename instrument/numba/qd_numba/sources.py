"""Measured sources: the files whose functions get marks, which are those that the host's coverage measures."""

from __future__ import annotations

import functools
import hashlib
import io
import os
import sys
import sysconfig
import tokenize
import types
import zipimport
from collections.abc import Mapping
from typing import Any, NamedTuple


class Source(NamedTuple):
    """A file, by the name that the data has for it."""

    file: str
    text_hash: str
    """The SHA-256 of its text."""
    text: bytes
    first_lines: Mapping[int, int]
    """The first line of the statement, for each further line of a statement."""
    choices: frozenset[int]
    """The lines of statements with several ways on. Python may have left all of these but one out, as for `case 1 if not __debug__`; and one of those
    from a function on one line is a way of the code around it."""


@functools.cache
def _without_host() -> tuple[str, ...]:
    """The folders whose files count as somebody else's where no coverage.py says which count."""
    folders = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return tuple(os.path.realpath(folder) + os.sep for folder in folders if folder)


def host() -> Any:
    """The coverage.Coverage that measures this process, or did; None where there is none."""
    module = sys.modules.get("coverage")
    current = module.Coverage.current() if module is not None and hasattr(module, "Coverage") else None
    if current is not None:
        _seen.append(current)
    return _seen[-1] if _seen else None


_seen: list[Any] = []
"""The host's measurement, which ends before the process does."""


def measured_source(filename: str) -> Source | None:
    """The source of code with this co_filename; None where it is not measured, or there is none, as for code made by exec."""
    container = None if filename.startswith("<") else _container(filename)
    if container is None:
        return None
    file = os.path.realpath(filename)
    rules = getattr(host(), "_inorout", None)
    if rules is not None:
        module = next((name for name, m in list(sys.modules.items()) if getattr(m, "__file__", None) == filename), "")
        frame: Any = types.SimpleNamespace(f_globals={"__name__": module}, f_code=None)
        try:
            if rules.check_include_omit_etc(file, frame) is not None:
                return None
        except (AttributeError, TypeError):  # no public interface
            if file.startswith(_without_host()):
                return None
    elif file.startswith(_without_host()):
        return None
    try:
        state = os.stat(container)
        return _source(file, container, state.st_mtime_ns, state.st_size)
    except (OSError, zipimport.ZipImportError):
        return None


def _container(filename: str) -> str | None:
    """The file itself, or the zip archive that it is in; None where there is neither."""
    path = filename
    while not os.path.isfile(path):
        path, _, name = path.rpartition(os.sep)
        if not path or not name or os.path.isdir(path):
            return None
    return os.path.realpath(path)


@functools.lru_cache
def _source(file: str, container: str, _time: int, _size: int) -> Source:
    if file == container:
        with open(file, "rb") as stream:
            text = stream.read()
    else:
        text = zipimport.zipimporter(container).get_data(file)
    return Source(file, hashlib.sha256(text).hexdigest(), text, *_statements(text))


def _statements(text: bytes) -> tuple[dict[int, int], frozenset[int]]:
    """The first line of each statement, for its further lines (coverage.py: a line of tokens ends at NEWLINE), and the lines of choices."""
    first_lines: dict[int, int] = {}
    choices: set[int] = set()
    first = 0
    try:
        for token in tokenize.tokenize(io.BytesIO(text).readline):
            if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.INDENT, tokenize.DEDENT):
                continue
            if not first and token.string in _CHOOSING:
                choices.add(token.start[0])
            first = first or token.start[0]
            if token.type == tokenize.NEWLINE:
                first_lines.update((line, first) for line in range(first + 1, token.end[0] + 1))
                first = 0
    except (tokenize.TokenError, SyntaxError):
        pass  # the text is not the one that was compiled: the lines stay as they are
    return first_lines, frozenset(choices)


_CHOOSING = {"if", "elif", "while", "for", "case", "except", "def"}
