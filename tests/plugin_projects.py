"""Projects whose coverage.py has plugins: modules of plugins, and data that they measured."""

from __future__ import annotations

import random
from pathlib import Path

from coverage import CoverageData

# Reports on templates: a line is a statement, one that ends with a plus goes on in the next, `skip` is excluded, `if` may leave out the next
# line, `macro` begins a region that a blank line ends.
TEMPLATES = """\
import coverage
from coverage.plugin import CodeRegion

class Reporter(coverage.FileReporter):
    def texts(self):
        return self.source().splitlines()

    def first(self, line):
        texts = self.texts()
        if line < 0:
            return -self.first(-line)
        while 1 < line <= len(texts) and texts[line - 2].endswith("+"):
            line -= 1
        return line

    def lines(self):
        return {n for n, text in enumerate(self.texts(), 1) if text.strip() and "skip" not in text and self.first(n) == n}

    def excluded_lines(self):
        return {n for n, text in enumerate(self.texts(), 1) if "skip" in text}

    def translate_lines(self, lines):
        return {self.first(line) for line in lines}

    def translate_arcs(self, arcs):
        return {(self.first(start), self.first(end)) for start, end in arcs}

    def arcs(self):
        found, lines = set(), sorted(self.lines() | self.excluded_lines())
        for at, line in enumerate(lines):
            found.add((line, lines[at + 1] if at + 1 < len(lines) else -1))
            if "if" in self.texts()[line - 1]:
                found.add((line, lines[at + 2] if at + 2 < len(lines) else -line))
        return found

    def no_branch_lines(self):
        return {n for n, text in enumerate(self.texts(), 1) if "always" in text}

    def exit_counts(self):
        counts, excluded = {}, self.excluded_lines()
        for start, end in self.arcs():
            if start not in excluded and end not in excluded:
                counts[start] = counts.get(start, 0) + 1
        return counts

    def arc_description(self, start, end):
        return f"go on with {end}"

    def missing_arc_description(self, start, end, executed_arcs=None):
        return f"<{start}> was never followed by {end}, but {len(executed_arcs or [])} others were"

    def code_region_kinds(self):
        return [("macro", "macros"), ("function", "functions")]

    def code_regions(self):
        regions, open_region = [], None
        for n, text in enumerate(self.texts(), 1):
            if text.startswith(("macro", "function")):
                open_region = CodeRegion(kind=text.split()[0], name=text.split()[1], start=n, lines=set())
                regions.append(open_region)
            elif not text.strip():
                open_region = None
            elif open_region:
                open_region.lines.add(n)
        return regions

class Plugin(coverage.CoveragePlugin):
    def __init__(self, options):
        self.options = options

    def file_reporter(self, filename):
        return Reporter(filename)

def coverage_init(registry, options):
    registry.add_file_tracer(Plugin(options))
"""

# Measures templates as template engines are measured: each call of `line_of` in renderer.py stands for a line of the template.
RENDERED = """\
import os
import coverage

class Reporter(coverage.FileReporter):
    def lines(self):
        return {n for n, text in enumerate(self.source().splitlines(), 1) if text.strip()}

class Tracer(coverage.FileTracer):
    def source_filename(self):
        return "renderer.py"

    def has_dynamic_source_filename(self):
        return True

    def dynamic_source_filename(self, filename, frame):
        return os.path.abspath(frame.f_locals["path"]) if frame.f_code.co_name == "line_of" else None

    def line_number_range(self, frame):
        return frame.f_locals["n"], frame.f_locals["n"]

class Plugin(coverage.CoveragePlugin):
    def file_tracer(self, filename):
        return Tracer() if os.path.basename(filename) == "renderer.py" else None

    def file_reporter(self, filename):
        return Reporter(filename)

def coverage_init(registry, options):
    registry.add_file_tracer(Plugin())
"""

RENDERER = """\
def line_of(path, n):
    return n

def render(path):
    for n, _ in enumerate(open(path), 1):
        line_of(path, n)
"""

TEMPLATE = """\
title {n}
if a
  then this

macro first
  line +
  goes on +
  and on
  if b always
  c
  skip d
  e

function second
  if skip f
  g
  ünïcode "<&>"

macro first
  h
if i
"""

PYTHON = """\
import os
if os.name == "nt":
    a = 3
elif os.name:
    b = 5  # pragma: odd
def f(x):
    raise NotImplementedError
class C:
    def m(self):
        if self:
            return 11
"""


def write_template_project(
    folder: Path, branch: bool, config: str = "[run]\nplugins = tmpl_plugin\n", seed: int = 1, plugin: str = TEMPLATES
) -> None:
    """Templates and Python, with random data of several contexts."""
    (folder / "pages/sub").mkdir(parents=True, exist_ok=True)
    (folder / "tmpl_plugin.py").write_text(plugin)
    (folder / ".coveragerc").write_text(config)
    (folder / "a.py").write_text(PYTHON)
    names = ["pages/one.tmpl", "pages/two.tmpl", "pages/sub/three.html", "pages/sub/ten.html", "pages/empty.tmpl", "pages/untouched.tmpl"]
    for n, name in enumerate(names):
        (folder / name).write_text("" if "empty" in name else TEMPLATE.format(n=n))
    write_traced_data(folder, names, "tmpl_plugin.Plugin", branch, seed)


def write_traced_data(folder: Path, names: list[str], tracer: str, branch: bool, seed: int = 1) -> None:
    """Random data of files of a tracer and of a.py; the last of the files was touched only."""
    rng = random.Random(seed)
    data = CoverageData(str(folder / ".coverage"))
    for context in ("", "one", "test_two"):
        data.set_context(context)
        lines: dict[str, list[int]] = {}
        arcs: dict[str, list[tuple[int, int]]] = {}
        for name in ["a.py", *names[:-1]]:
            ran = sorted(rng.sample(range(1, 24), rng.choice([3, 12, 20])))
            lines[str(folder / name)] = ran
            steps = [*zip([-1, *ran], [*ran, -1], strict=True), *((line, line + 1) for line in ran[::3]), (9, 9), (2, 2)]
            arcs[str(folder / name)] = [(start, end) for start, end in steps]
        if branch:
            data.add_arcs(arcs)
        else:
            data.add_lines(lines)
    data.add_file_tracers({str(folder / name): tracer for name in names[:-1]})
    data.touch_files([str(folder / names[-1])], tracer)
    data.write()
