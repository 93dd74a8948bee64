"""Questions to the plugins of coverage.py, for reports.

qd-cov starts this in the user's Python. A question is a line of JSON on the
standard input, and an answer a line of JSON on the standard output. The first
question names the configuration: the plugins are loaded and change the
settings. Then files that plugins measured are asked about.
"""

from __future__ import annotations

import contextlib
import copy
import fcntl
import importlib.util
import json
import os
import sys
import traceback
import warnings
from collections.abc import Iterable
from typing import Any

LARGEST = 2**31 - 1


class Refused(Exception):
    """An invalid answer of a plugin."""


def error_of(exc: BaseException) -> dict[str, Any]:
    """The answer for an exception: the text alone if it is one of coverage.py's or ours, else with the traceback."""
    from coverage.exceptions import ConfigError, CoverageException

    if isinstance(exc, (CoverageException, ConfigError, Refused)):  # in old versions, a ConfigError is no CoverageException
        return {"error": str(exc)}
    if isinstance(exc, SystemExit):
        return {"error": f"A plugin of coverage.py ended the process: SystemExit: {exc}"}
    trace = exc.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == error_of.__code__.co_filename:
        trace = trace.tb_next
    return {"error": str(exc), "traceback": "".join(traceback.format_exception(type(exc), exc, trace))}


def is_line(value: object) -> bool:
    """Whether `value` can be the number of a line."""
    return isinstance(value, int) and -LARGEST <= value <= LARGEST


def lines_of(values: Iterable[Any], what: str) -> set[int]:
    """Return the line numbers in an answer of a plugin."""
    lines = set(values)
    for line in lines:
        if not is_line(line):
            raise Refused(f"{what} gave {line!r}, which is no line number")
    return {int(line) for line in lines}


def arcs_of(values: Iterable[Any], what: str) -> set[tuple[int, int]]:
    """Return the arcs in an answer of a plugin."""
    arcs = set(values)
    for arc in arcs:
        if not isinstance(arc, tuple) or len(arc) != 2 or not all(is_line(line) for line in arc):
            raise Refused(f"{what} gave {arc!r}, which is no pair of line numbers")
    return {(int(start), int(end)) for start, end in arcs}


def count_of(count: object, what: str) -> int:
    """Return the count in an answer of a plugin."""
    if not isinstance(count, int) or not is_line(count):
        raise Refused(f"{what} gave {count!r}, which is no count")
    return int(count)


def text_of(value: object, what: str) -> str:
    """Return the text in an answer of a plugin."""
    if not isinstance(value, str):
        raise Refused(f"{what} gave {value!r}, which is no text")
    return value


def is_overridden(reporter: Any, method: str) -> bool:
    """Whether a reporter overrides a method of coverage.FileReporter."""
    import coverage

    return getattr(type(reporter), method, None) is not getattr(coverage.FileReporter, method, None)


def is_asked_for(method: str) -> bool:
    """Whether this version of coverage.py has a method of reporters: before 7.6 it had neither regions nor descriptions of arcs."""
    import coverage

    return hasattr(coverage.FileReporter, method)


class Plugins:
    """The plugins of a configuration, and their reporters of files."""

    def __init__(self, question: dict[str, Any]) -> None:
        import coverage

        # As in the program `coverage`, plugins may import from the current folder.
        sys.path[:0] = [folder for folder in [*question["import_folders"], ""] if folder not in sys.path]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # qd-cov has read the configuration too, and reported its errors
            self.coverage = coverage.Coverage(config_file=question["rcfile"], data_file=question["data_file"], **question["arguments"])
        self.names = [*question["options"], "paths"]
        self.reporters: dict[str, Any] = {}

    def settings(self) -> dict[str, Any]:
        """Return the options as they are now; versions of coverage.py have different options."""
        from coverage.exceptions import ConfigError

        found = {}
        for name in self.names:
            with contextlib.suppress(ConfigError):
                found[name] = copy.deepcopy(self.coverage.get_option(name))
        return found

    def configure(self) -> dict[str, Any]:
        """Load the plugins, and return the settings that they changed, or a plugin that could not be imported."""
        before = self.settings()
        try:
            self.coverage.get_exclude_list()  # makes coverage.py load the plugins
        except ImportError as exc:
            failed = [name for name in self.coverage.config.plugins if name not in sys.modules]
            if not failed:
                raise
            return {"cannot_import": failed[0], "reason": " ".join(str(exc).split())}
        after = self.settings()
        changed = {name: value for name, value in after.items() if value != before[name]}
        for name, value in changed.items():
            if value is None:
                changed[name] = type(before[name])()  # an empty value: options do not distinguish None from it
            elif isinstance(value, (tuple, set, frozenset)):
                changed[name] = list(value)
        return {"changed": changed}

    def find_reporter(self, name: str, tracer: str) -> list[str] | None:
        """Return the reporter's name of a file, and its name in reports; nothing when it is to be reported as Python."""
        import coverage
        from coverage.exceptions import PluginError

        plugins = self.coverage._plugins  # coverage.py has no public access to them
        if tracer not in plugins.names:
            raise Refused(f"'{name}' was measured by the plugin '{tracer}', which none of the modules of [run] plugins has")
        reporter = plugins.get(tracer).file_reporter(name)
        if reporter is None:
            raise PluginError(f"Plugin {tracer!r} did not provide a file reporter for {name!r}.")
        if reporter == "python":
            return None
        if not isinstance(reporter, coverage.FileReporter):
            raise Refused(f"Plugin {tracer!r} gave {reporter!r} for {name!r}, which is no file reporter")
        self.reporters[name] = reporter
        return [text_of(reporter.filename, f"{tracer}: filename"), text_of(reporter.relative_filename(), f"{tracer}: relative_filename()")]

    def find_reporters(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the reporters of all files of a question."""
        return {"reporters": [self.find_reporter(name, tracer) for name, tracer in question["files"]]}

    def analyze(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return a reporter's analysis of its file, and of the data measured in it."""
        reporter = self.reporters[question["name"]]
        analysis = FileAnalysis(reporter, type(reporter).__name__)
        analysis.add_lines(question["lines"])
        if question["arcs"] is not None:
            analysis.add_arcs({(start, end) for start, end in question["arcs"]}, question["descriptions"])
        if question["regions"]:
            analysis.add_regions()
        if question["text"]:
            text = text_of(reporter.source(), f"{analysis.what}.source()")
            analysis.answer["text"] = text
            analysis.add_moved(question["lines"], text.count("\n") + 1)
        return analysis.answer


class FileAnalysis:
    """The questions of coverage.py's analysis of a file to a reporter, in the same order."""

    def __init__(self, reporter: Any, what: str) -> None:
        self.reporter = reporter
        self.what = what
        self.answer: dict[str, Any] = {}
        self.statements: set[int] = set()

    def add_lines(self, measured: list[int]) -> None:
        """Add statements, and those that were executed."""
        reporter, what = self.reporter, self.what
        self.statements = lines_of(reporter.lines(), f"{what}.lines()")
        excluded = lines_of(reporter.excluded_lines(), f"{what}.excluded_lines()")
        executed = lines_of(reporter.translate_lines(list(measured)), f"{what}.translate_lines()") & self.statements
        self.answer.update(statements=sorted(self.statements), excluded=sorted(excluded), executed=sorted(executed))

    def add_moved(self, measured: list[int], n_lines: int) -> None:
        """Add the lines, of the executed ones and of the source, that another line stands for."""
        if not is_overridden(self.reporter, "translate_lines"):
            return
        moved = []
        for line in sorted({*measured, *range(1, n_lines + 1)}):
            alone = lines_of(self.reporter.translate_lines([line]), f"{self.what}.translate_lines()")
            if len(alone) == 1 and line not in alone:
                moved.append((line, alone.pop()))
        self.answer["moved"] = moved

    def add_arcs(self, measured: set[tuple[int, int]], descriptions: bool) -> None:
        """Add possible arcs, and those that were taken."""
        reporter, what = self.reporter, self.what
        possible = arcs_of(reporter.arcs(), f"{what}.arcs()")
        translated = arcs_of(reporter.translate_arcs(measured), f"{what}.translate_arcs()")
        ways: dict[int, set[int]] = {}
        for start, end in possible:
            ways.setdefault(start, set()).add(end)
        # An arc from a line to itself stands for the only arc out of it.
        taken = {arc for arc in translated if arc[0] != arc[1]}
        taken |= {(start, next(iter(ways[start]))) for start, end in translated if start == end and len(ways.get(start, ())) == 1}
        executed = arcs_of(reporter.translate_arcs(taken), f"{what}.translate_arcs()")
        exits = {line: count_of(count, f"{what}.exit_counts()") for line, count in dict(reporter.exit_counts()).items()}
        lines_of(exits, f"{what}.exit_counts()")
        no_branch = lines_of(reporter.no_branch_lines(), f"{what}.no_branch_lines()")
        for start, end in possible - executed:
            if start == end and start not in no_branch and end not in self.answer["excluded"]:
                raise Refused(f"In {reporter.filename}, didn't expect {start} == {end}")
        self.answer.update(arcs=sorted(possible), executed_arcs=sorted(executed), exit_counts=sorted(exits.items()), no_branch=sorted(no_branch))
        if descriptions:
            self.describe(sorted(arc for arc in possible if exits.get(arc[0], 0) > 1), executed)

    def describe(self, arcs: list[tuple[int, int]], executed: set[tuple[int, int]]) -> None:
        """Add sentences on branches."""
        described = []
        for start, end in arcs:
            does = f"jump to line {end}"
            if is_asked_for("arc_description"):
                does = self.reporter.arc_description(start, end)
            misses = text_of(self.reporter.missing_arc_description(start, end, executed), f"{self.what}.missing_arc_description()")
            described.append([start, end, text_of(does, f"{self.what}.arc_description()"), misses])
        self.answer["descriptions"] = described

    def add_regions(self) -> None:
        """Add functions, classes and other regions of the plugin."""
        what = f"{self.what}.code_regions()"
        if not is_asked_for("code_regions"):
            return
        regions = [
            [text_of(region.kind, what), text_of(region.name, what), count_of(region.start, what), sorted(lines_of(region.lines, what))]
            for region in self.reporter.code_regions()
        ]
        kinds = [[text_of(noun, what), text_of(plural, what)] for noun, plural in self.reporter.code_region_kinds()]
        self.answer.update(regions=regions, region_kinds=kinds)


def answered(loaded: list[Plugins], question: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to a question, or an error. The first question loads the plugins."""
    try:
        if not loaded:
            loaded.append(Plugins(question))
            return loaded[0].configure()
        answer: dict[str, Any] = getattr(loaded[0], question["ask"])(question)
    except KeyboardInterrupt:
        os._exit(1)
    except BaseException as exc:  # a plugin may throw anything
        return error_of(exc)
    return answer


def converse() -> None:
    """Answer questions until there are no more."""
    # Keeps the output of plugins from mixing with the answers, and the questions from their input.
    questions = os.fdopen(fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3), encoding="utf-8")
    answers = os.fdopen(fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    if nothing != 2:
        os.close(nothing)
    os.dup2(2, 1)

    loaded: list[Plugins] = []
    for line in questions:
        question = json.loads(line)
        answer = answered(loaded, question) if importlib.util.find_spec("coverage") else {"without_coverage": True}
        sys.stdout.flush()
        # Replaces what is no Unicode: no report could hold it either.
        answers.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        answers.flush()
    os._exit(0)  # does not wait for threads of plugins


converse()
