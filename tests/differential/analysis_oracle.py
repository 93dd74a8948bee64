"""Prints coverage.py's analysis of Python files as JSON, one file a line, in the form of dump_analysis.

Usage: analysis_oracle.py PATTERNS.json < FILE_NAMES. Runs under any Python that can import coverage."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

from coverage.exceptions import CoverageException
from coverage.misc import join_regex
from coverage.parser import PythonParser
from coverage.regions import code_regions
from coverage.results import Analysis, AnalysisNarrower, analysis_from_file_reporter


class Measured:
    """Measured lines and arcs of a file, made up by a rule that dump_analysis has too; as coverage.py's data and file reporter."""

    def __init__(self, parser: PythonParser) -> None:
        self.parser = parser
        last = max(parser.statements, default=1)
        self._arcs = {(a, b) for a, b in parser.arcs() if (a * 7 + abs(b) * 3) % 5 < 3}
        self._arcs |= {(line, line) for line in range(4, last + 1, 4)} | {(line, line + 1) for line in range(6, last + 1, 6)}
        self.has_arcs = lambda: True
        self.lines = lambda *args: {line for arc in self._arcs for line in arc if line > 0} if args else parser.statements
        self.excluded_lines = lambda: parser.excluded
        self.arcs = lambda *args: self._arcs if args else parser.arcs()
        self.exit_counts = parser.exit_counts
        self.translate_lines, self.translate_arcs = parser.translate_lines, parser.translate_arcs


def numbers(analysis: Analysis) -> list[Any]:
    """The numbers of statements and branches, in the order of dump_analysis."""
    n = analysis.numbers
    return [n.n_statements, n.n_excluded, n.n_missing, n.n_branches, n.n_partial_branches, n.n_missing_branches]


def branches(arcs: dict[int, list[int]]) -> list[list[int]]:
    """A list of arcs."""
    return sorted([line, end] for line, ends in arcs.items() for end in ends)


def counts(analysis: Analysis) -> list[Any]:
    """All numbers of an analysis, and the lines that they count."""
    return [
        *numbers(analysis),
        sorted(analysis.executed),
        sorted(analysis.missing),
        sorted(analysis.excluded),
        branches(analysis.executed_branch_arcs()),
        branches(analysis.missing_branch_arcs()),
    ]


def narrowed(parser: PythonParser, no_branch: set[int]) -> dict[str, Any]:
    """The regions of a file, and the part of its analysis that falls to each, and to code in no function and in no class."""
    measured: Any = Measured(parser)
    measured.no_branch_lines = lambda: no_branch
    analysis = analysis_from_file_reporter(measured, 0, measured, parser.filename)
    regions = code_regions(parser.text)
    stats = sorted([line, *stats] for line, stats in analysis.branch_stats().items())
    result: dict[str, Any] = {"file": [*numbers(analysis), analysis.missing_formatted(branches=True), stats], "all lines": counts(analysis)}
    for kind in ("function", "class"):
        mine = [region for region in regions if region.kind == kind]
        outside = set(range(1, parser.text.count("\n") + 1)).difference(*(region.lines for region in mine))
        narrower = AnalysisNarrower(analysis)
        narrower.add_regions(region.lines for region in mine)
        narrower.add_regions([outside])
        result[kind] = [[region.name, region.start, sorted(region.lines), counts(narrower.narrow(region.lines))] for region in mine]
        result[f"no {kind}"] = counts(narrower.narrow(outside))
    return result


def alternatives(description: str) -> list[str]:
    """Reasons that start at one line stand in the order of Python's sets."""
    return sorted(description.split(" or "))


def analysis_of(path: str, exclude: str, partial: str) -> dict[str, Any]:
    """coverage.py's analysis of one file, or its error."""
    try:
        parser = PythonParser(filename=path, exclude=exclude)
        parser.parse_source()
        parser.arcs()
    except (CoverageException, SyntaxError, ValueError, RecursionError, AssertionError) as err:
        return {"path": path, "error": str(err)}
    no_branch = parser.lines_matching(partial)
    return {
        "path": path,
        "statements": sorted(parser.statements),
        "excluded": sorted(parser.excluded),
        "no_branch": sorted(no_branch),
        "arcs": sorted(parser.arcs()),
        "exit_counts": {str(line): n for line, n in sorted(parser.exit_counts().items())},
        "multiline": {str(line): first for line, first in sorted(parser.multiline_map.items()) if line != first},
        "descriptions": [[a, b, parser.arc_description(a, b), alternatives(parser.missing_arc_description(a, b))] for a, b in sorted(parser.arcs())],
        "narrowed": narrowed(parser, no_branch),
    }


def main() -> None:
    warnings.simplefilter("ignore")
    with open(sys.argv[1], encoding="utf-8") as f:
        patterns = json.load(f)
    exclude, partial = join_regex(patterns["exclude"]), join_regex(patterns["partial"])
    for line in sys.stdin:
        sys.stdout.write(json.dumps(analysis_of(line.rstrip("\n"), exclude, partial)) + "\n")


if __name__ == "__main__":
    main()
