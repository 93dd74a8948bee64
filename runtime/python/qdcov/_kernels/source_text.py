"""The text that a function was compiled from: the one that Python has run, even if the file has changed by the first launch.

The decorator keeps the text of the file as it is at that moment (`remember`). Python has read the file somewhat earlier. Where it may have changed in
between, because it is not older than the process, or where Python may have run the code that it keeps of an earlier text (`__pycache__`), the first
launch compiles the text as Python does, and looks for the very code of the function in it (`of`)."""

from __future__ import annotations
import __future__

import ast
import functools
import inspect
import io
import linecache
import os
import stat
import sys
import textwrap
import time
import tokenize
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from qdcov._errors import KernelSyntaxError
from qdcov._kernels import lambdas

_FUTURE_FLAGS = functools.reduce(int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))

_FORKED = 0x40  # PF_FORKNOEXEC: a fork that has executed no other program since

_CLOCK_STEP = 50_000_000
"""Nanoseconds by which the time of a file may be behind: file systems and /proc count in ticks."""


def _process_start() -> int:
    """The begin of this process, in nanoseconds since 1970; 0 if that is unknown, or if it has inherited files that were read before."""
    try:
        with open("/proc/self/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        if int(fields[6]) & _FORKED:
            return 0
        since_boot = int(fields[19]) * 1_000_000_000 // os.sysconf("SC_CLK_TCK")
        return time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME) + since_boot
    except (OSError, ValueError, IndexError, AttributeError):
        return 0


_STARTED = _process_start()


class _Status(NamedTuple):
    """Properties that tell one state of a file from another."""

    written: int
    changed: int
    size: int
    inode: int
    device: int


def _status(found: os.stat_result) -> _Status:
    return _Status(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev)


_Modules = Callable[[str, str], list[ast.Module]]
"""Parser of a text in a file: gives the syntax trees that Python compiles."""


class _Text:
    """The contents of a file at one time, or the lines that a notebook or a program has registered for code without a file."""

    def __init__(self, filename: str, contents: bytes | list[str], status: _Status | None) -> None:
        self.filename = filename
        self.contents = contents
        self.status = status
        self._text: str | None = None
        self._certain: bool | None = None
        self._codes: dict[tuple[_Modules, int], dict[tuple[int, str], list[types.CodeType]]] = {}

    @property
    def text(self) -> str:
        """The text with \\n as the end of each line; empty where it is none."""
        if self._text is None:
            try:
                text = _decoded(self.contents) if isinstance(self.contents, bytes) else "".join(self.contents)
            except (SyntaxError, ValueError):
                text = ""
            self._text = text + "\n" if text and not text.endswith("\n") else text
        return self._text

    @property
    def is_old(self) -> bool:
        """Whether the file has not changed since before this process could read it."""
        return self.status is not None and max(self.status.written, self.status.changed) < _STARTED - _CLOCK_STEP

    def is_certain(self, globals_: dict[str, Any]) -> bool:
        """Whether Python has read this text, and runs no code of an earlier one."""
        if self._certain is None:
            self._certain = self.status is not None and self.is_old and not _has_doubtful_code(globals_, self.status)
        return self._certain

    def has(self, function: types.FunctionType) -> bool:
        """Whether Python makes the code of this function of the text, at the same lines."""
        code = function.__code__
        flags = code.co_flags & _FUTURE_FLAGS
        key = code.co_firstlineno, code.co_name
        return any(_same(code, found) for make in _parsers(code) for found in self._codes_of(make, flags).get(key, ()))

    def _codes_of(self, make: _Modules, flags: int) -> dict[tuple[int, str], list[types.CodeType]]:
        codes = self._codes.get((make, flags))
        if codes is None:
            codes = self._codes[make, flags] = {}
            for found in self._compiled(make, flags):
                codes.setdefault((found.co_firstlineno, found.co_name), []).append(found)
        return codes

    def _compiled(self, make: _Modules, flags: int) -> Iterator[types.CodeType]:
        try:
            modules = make(self.text, self.filename)
            todo = [compile(module, self.filename, "exec", flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True) for module in modules]
        except Exception:  # the text of a moment in the middle of a write
            return
        while todo:
            code = todo.pop()
            yield code
            todo += (constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _parsers(code: types.CodeType) -> list[_Modules]:
    """The parsers of a text that may have this code."""
    # pytest rewrites the asserts of tests. Notebooks compile each statement of a cell by itself; then calls of names that
    # another statement imports become other instructions.
    return [_of_pytest] if any(name.startswith("@pytest") for name in code.co_names) else [_whole, _by_statements]


def _whole(text: str, filename: str) -> list[ast.Module]:
    return [ast.parse(text, filename)]


def _by_statements(text: str, filename: str) -> list[ast.Module]:
    return [ast.Module([statement], []) for statement in ast.parse(text, filename).body]


def _of_pytest(text: str, filename: str) -> list[ast.Module]:
    """The syntax tree that pytest makes of the text of a test."""
    from _pytest.assertion import rewrite

    tree = ast.parse(text, filename)
    config = next((finder.config for finder in sys.meta_path if isinstance(finder, rewrite.AssertionRewritingHook)), None)
    rewrite.rewrite_asserts(tree, text.encode(), filename, config)
    return [tree]


def _decoded(contents: bytes) -> str:
    encoding, _ = tokenize.detect_encoding(io.BytesIO(contents).readline)
    return io.TextIOWrapper(io.BytesIO(contents), encoding).read()


def _same(one: types.CodeType, other: types.CodeType) -> bool:
    """Whether two codes do the same at the same lines; the columns are of no account (python -X no_debug_ranges)."""
    if one == other:
        return True
    if [line for *_, line in one.co_lines()] != [line for *_, line in other.co_lines()] or len(one.co_consts) != len(other.co_consts):
        return False
    for mine, its in zip(one.co_consts, other.co_consts):
        if isinstance(mine, types.CodeType) and isinstance(its, types.CodeType) and not _same(mine, its):
            return False
    constants = tuple(mine if isinstance(mine, types.CodeType) else its for mine, its in zip(one.co_consts, other.co_consts))
    return one == other.replace(co_linetable=one.co_linetable, co_consts=constants)


def _has_doubtful_code(globals_: dict[str, Any], status: _Status) -> bool:
    """Whether Python may have taken a module from a .pyc file that it took for newer than it is: it compares whole seconds and sizes, or nothing."""
    cached = getattr(globals_.get("__spec__"), "cached", None)
    if not cached:
        return False
    try:
        with open(cached, "rb") as file:
            head = file.read(16)
            written = os.fstat(file.fileno()).st_mtime_ns
    except (OSError, ValueError, TypeError):
        return False
    kind = int.from_bytes(head[4:8], "little")
    if kind:
        return not kind & 2  # its hash was not compared
    taken = head[8:16] == b"".join((number & 0xFFFFFFFF).to_bytes(4, "little") for number in (status.written // 1_000_000_000, status.size))
    return taken and written <= status.written


_latest: dict[str, _Text] = {}
"""The last text that was read of each file, by file."""

_versions: dict[str, list[_Text]] = {}
"""Texts by file, of which functions have been defined, the latest last."""

_MOST_VERSIONS = 16

_kept: weakref.WeakKeyDictionary[types.FunctionType, _Text | str] = weakref.WeakKeyDictionary()
"""Texts by function: of its file when it was defined, or the text that is certain to be its own."""


def _present(filename: str) -> _Text | None:
    """The present contents of a file, or the text that is registered under its name."""
    known = _latest.get(filename)
    entry: Any = linecache.cache.get(filename, ())
    lines = entry[2] if len(entry) == 4 else None
    if lines is None or entry[1] is not None:
        try:
            found = os.stat(filename)
            if known is not None and _status(found) == known.status:
                return known
            if stat.S_ISREG(found.st_mode):
                with open(filename, "rb") as file:
                    contents = file.read()
                    known = _latest[filename] = _Text(filename, contents, _status(os.fstat(file.fileno())))
                    return known
        except (OSError, ValueError):
            pass
    if lines is None:
        return None
    if known is None or known.contents is not lines:
        known = _latest[filename] = _Text(filename, lines, None)
    return known


def _is_being_defined(function: types.FunctionType, frame: types.FrameType | None) -> bool:
    """Whether the module (or cell) of a function is running. A function that another one defines may be of an earlier text."""
    while frame is not None:
        code = frame.f_code
        if frame.f_globals is function.__globals__ and not code.co_flags & inspect.CO_OPTIMIZED and code.co_name.startswith("<"):
            return True
        frame = frame.f_back
    return False


def remember(function: types.FunctionType, frame: types.FrameType) -> None:
    """Keeps the text of a function's file, if it is that of which Python has made the function. `frame` is where the function is decorated."""
    filename = function.__code__.co_filename
    present = _present(filename)
    if present is not None and (present.is_old or _is_being_defined(function, frame)):
        _kept[function] = present
        versions = _versions.setdefault(filename, [])
        if not versions or versions[-1] is not present:
            versions.append(present)
            del versions[:-_MOST_VERSIONS]


def of(function: types.FunctionType) -> str:
    """The whole file (or notebook cell, or registered snippet) that a function was compiled from. Raises KernelSyntaxError where that is gone."""
    kept = _kept.get(function)
    if isinstance(kept, str):
        return kept
    filename = function.__code__.co_filename
    any_text = False
    for text in _candidates(function, kept):
        any_text = any_text or (bool(text.text) and filename != "<string>")  # the name that exec gives to every text
        if (text is kept and text.is_certain(function.__globals__)) or text.has(function):
            _kept[function] = text.text
            return text.text
    if any_text:
        raise changed(function)
    advice = "write it into a file or a notebook cell; text that a program makes goes into a file"
    if filename == "<stdin>":
        advice = "write it into a file, or use IPython. Python keeps what is typed at its >>> prompt from 3.13 on"
    raise KernelSyntaxError(
        f"The source of {function.__qualname__} is not available: {filename} cannot be read. A kernel is compiled from its text: {advice}."
    )


def lambda_place(function: types.FunctionType, tree: ast.AST) -> tuple[int, int]:
    """Line and column of a lambda in its text, whose syntax tree is `tree`. Raises KernelSyntaxError where the text has none of that code."""
    code, text = function.__code__, of(function)
    nodes = lambdas.in_line(tree, code.co_firstlineno)
    if len(nodes) == 1:
        return nodes[0].lineno, nodes[0].col_offset
    for make in _parsers(code):
        place = lambdas.of_code(code, functools.partial(make, text, code.co_filename), code.co_flags & _FUTURE_FLAGS)
        if place is not None:
            return place
    raise changed(function)


def _candidates(function: types.FunctionType, kept: _Text | None) -> Iterator[_Text]:
    """The texts that a function may be of, the likely ones first."""
    filename = function.__code__.co_filename
    if kept is not None:
        yield kept
    yield from (text for text in reversed(_versions.get(filename, [])) if text is not kept)
    present = _present(filename)
    if present is not None:
        yield present
    lines = linecache.getlines(filename, function.__globals__) or _of_prompt(function.__code__)
    if lines:
        yield _Text(filename, lines, None)
    elif filename == "<string>":
        yield from (text for text in _of_command_line(filename) if text.has(function))


def _of_prompt(code: types.CodeType) -> list[str]:
    """The lines that newer versions of Python keep by code, not by file: of the >>> prompt and of `python -c`."""
    by_code = getattr(linecache, "_getlines_from_code", None)
    return by_code(code) if by_code else []


def _of_command_line(filename: str) -> Iterator[_Text]:
    """The texts that may be that of `python -c TEXT`, which newer versions of Python dedent. Options may stand before it in one word: -Bc, -cTEXT."""
    for word in sys.orig_argv[1:]:
        for text in dict.fromkeys((word, textwrap.dedent(word), word.partition("c")[2])):
            yield _Text(filename, text.splitlines(True), None)


def changed(function: types.FunctionType) -> KernelSyntaxError:
    """An error: the text of a function is not to be had, or it is not there where Python has seen it."""
    code = function.__code__
    return KernelSyntaxError(
        f"{code.co_filename}:{code.co_firstlineno}: the source of {function.__qualname__} is not there any more; "
        "the file has changed since Python has run it. Import it again, or start the program again."
    )
