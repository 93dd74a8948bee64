"""coverage.py's commands in this process, with parsers that are remembered: they are most of the time of its reports."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from coverage import cmdline
from coverage.parser import PythonParser


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """The current folder, and the module path, for a while."""
    here, path = os.getcwd(), list(sys.path)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(here)
        sys.path[:] = path


def coverage_here(folder: Path, command: list[str]) -> tuple[int | None, str, str]:
    """Exit code, standard output and standard error; without a code where coverage.py ends with a traceback."""
    out, err = io.StringIO(), io.StringIO()
    code: int | None = None
    with working_in(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_: print(f"CoverageWarning: {message}", file=sys.stderr)
        with contextlib.suppress(AssertionError, TypeError, OSError, ValueError, SyntaxError):
            code = cmdline.main(command)
    return code, out.getvalue(), err.getvalue()


class RememberedParser(PythonParser):
    """coverage.py's parser, which looks at a source once only."""

    parsed = False
    known: ClassVar[dict[tuple[str, str | None, int, int], RememberedParser]] = {}

    def parse_source(self) -> None:
        if not self.parsed:
            super().parse_source()
        self.parsed = True

    @classmethod
    def make(cls, filename: str, exclude: str | None = None) -> PythonParser:
        """One parser for all reports of a file."""
        try:
            status = os.stat(filename)
        except OSError:
            return PythonParser(filename=filename, exclude=exclude)
        key = (filename, exclude, status.st_mtime_ns, status.st_size)
        if key not in cls.known:
            cls.known[key] = cls(filename=filename, exclude=exclude)
        return cls.known[key]


@pytest.fixture(autouse=True, scope="module")
def remembered_parsers() -> Iterator[None]:
    """All tests of a module that imports this parse with parsers that are remembered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("coverage.python.PythonParser", RememberedParser.make)
        patch.setattr("test_report.PythonParser", RememberedParser.make)
        yield
    RememberedParser.known.clear()
