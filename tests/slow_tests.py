"""The list of slow tests, slow_tests.txt, from the times of a run of all tests:

pytest tests -n 2 --junitxml=times.xml && python tests/slow_tests.py times.xml

A test is slow when one of its cases takes more than 0.2 seconds; `pytest --quick` leaves it out. The quickest test of each file is not in the list,
so that each tool keeps a test."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LIST = Path(__file__).with_name("slow_tests.txt")
LIMIT = 0.2  # seconds


def slow_tests(report: str) -> list[str]:
    """The slow tests of a JUnit report, each as the file in `tests` and the function: cli/test_run.py::test_threads."""
    files: dict[str, dict[str, float]] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.attrib["classname"].removeprefix("tests.").replace(".", "/") + ".py"
        times = files.setdefault(file, {})
        name = case.attrib["name"].partition("[")[0]
        times[name] = max(times.get(name, 0.0), float(case.attrib["time"]))
    return sorted(
        f"{file}::{name}" for file, times in files.items() for name in times if times[name] > LIMIT and name != min(times, key=times.__getitem__)
    )


if __name__ == "__main__":
    LIST.write_text("".join(f"{test}\n" for test in slow_tests(sys.argv[1])))
