"""The list of slow tests, slow_tests.txt, from the times of a run of all tests:

pytest tests -n 2 --junitxml=times.xml && python tests/slow_tests.py times.xml

A test is slow when one of its cases takes more than 0.2 seconds, and is not the quickest of its file, so that each tool keeps a test.
`pytest --quick` leaves it out. The list has the test, or its file and then the file's quick tests behind a `!`: whichever is shorter."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LIST = Path(__file__).with_name("slow_tests.txt")
LIMIT = 0.2  # seconds


def slow_tests(report: str) -> list[str]:
    """The lines of the list for a JUnit report; a test is the file in `tests` and the function: cli/test_run.py::test_threads."""
    files: dict[str, dict[str, float]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.attrib["classname"].removeprefix("tests.").replace(".", "/") + ".py"
        times = files.setdefault(file, {})
        name = case.attrib["name"].partition("[")[0]
        times[name] = max(times.get(name, 0.0), float(case.attrib["time"]))
    lines = []
    for file, times in sorted(files.items()):
        slow = sorted(name for name in times if times[name] > LIMIT and name != min(times, key=times.__getitem__))
        quick = sorted(times.keys() - slow)
        lines += [f"{file}::{name}" for name in slow] if len(slow) <= 1 + len(quick) else [file, *(f"!{file}::{name}" for name in quick)]
    return lines


def is_slow(test: str, lines: set[str]) -> bool:
    """Whether a list has a test."""
    return test in lines or (test.partition("::")[0] in lines and f"!{test}" not in lines)


if __name__ == "__main__":
    LIST.write_text("".join(f"{test}\n" for test in slow_tests(sys.argv[1])))
