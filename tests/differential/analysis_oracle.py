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


def analysis_of(path: str, exclude: str, partial: str) -> dict[str, Any]:
    """What coverage.py finds in one file."""
    try:
        parser = PythonParser(filename=path, exclude=exclude)
        parser.parse_source()
        parser.arcs()
    except (CoverageException, SyntaxError, ValueError, RecursionError, AssertionError) as err:
        return {"path": path, "error": str(err)}
    return {
        "path": path,
        "statements": sorted(parser.statements),
        "excluded": sorted(parser.excluded),
        "no_branch": sorted(parser.lines_matching(partial)),
        "arcs": sorted(parser.arcs()),
        "exit_counts": {str(line): n for line, n in sorted(parser.exit_counts().items())},
        "multiline": {str(line): first for line, first in sorted(parser.multiline_map.items()) if line != first},
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
