"""The file view against its oracles: coverage.py's own HTML data for states, annotations and contexts, CPython's tokenizer for colours."""

from __future__ import annotations

import io
import json
import keyword
import random
import re
import shutil
import sqlite3
import sysconfig
import tokenize
from contextlib import closing
from pathlib import Path
from typing import Any

import coverage
import pytest
from browser import Page
from coverage.html import HtmlDataGeneration
from coverage.python import PythonFileReporter
from coverage.report_core import get_analysis_to_report
from coverage.results import AnalysisNarrower
from run_program import qd_cov
from selenium.webdriver import Chrome
from source_project import MODULE

STDLIB = Path(sysconfig.get_paths()["stdlib"])
FILES = ("argparse", "bdb", "calendar", "configparser", "contextlib", "dis", "functools", "textwrap")

# Every way to leave a line, for the sentences.
LEAVING = """def f(x):
    while x:
        if x == 1: break
        if x == 2: continue
        for i in x: pass
        try:
            x()
        except ValueError: pass
        except (KeyError,
                TypeError):
            raise
        finally:
            x -= 1
        if x == 3: return 4
        if x == 4: raise KeyError
    else:
        return [
            y for y in x
        ]
    with x as y:
        if y: return
    match x:
        case 1: pass
        case [2, *z] if z: return
        case {"a": 1}: x = 1
    class C:
        if x: y = 1
    if x: z = lambda: 3 if x else 4
async def g(x):
    async for i in x:
        yield i
    assert x or \\
        g
if f: f = 2
for i in ():
    print(i)
if g: g = 3
"""

# Every form of string, and text that looks like one.
STRINGS = r'''
a = f"{x!r:>{w}}" if f'{y["a"]}' else rf"\{x}\"" + b'\'' + """a " ' \"""" + R'\' # if
b = f"""{
    x  # no comment before 3.12
    if y else z:%Y-{"q"}}}} if {{ """ + '\
if' + f"\N{DASH}{1:0x}" + "unclosed # if'
@a.b.c(1)
def match(case=0x1F, *, type=1_0.5e-3j): return 0o17 + 0b1 + .5 + 1.e3
match case:
    case 1: pass
type X[T] = int
match = case = type(1); print(if_else, b"{if}")
'''

COLORED_STRINGS = r'''
a = <s:f">{x!r:<s:>>{w}}<s:"> <k:if> <s:f'>{y[<s:"a">]}<s:'> <k:else> <s:rf"\>{x}<s:\""> + <s:b'\''> + <s:"""a " ' \""""> + <s:R'\' # if>
b = <s:f""">{
    x  <h:# no comment before 3.12>
    <k:if> y <k:else> z:<s:%Y->{<s:"q">}}<s:}} if {{ """> + <s:'\
if'> + <s:f"\N{DASH}>{<i:1>:<s:0x>}<s:"> + <s:"unclosed # if'>
<f:@><f:a><f:.><f:b><f:.><f:c>(<i:1>)
<k:def> <f:match>(case=<i:0x1F>, *, type=<i:1_0.5e-3j>): <k:return> <i:0o17> + <i:0b1> + <i:.5> + <i:1.e3>
<k:match> case:
    <k:case> <i:1>: <k:pass>
<k:type> X[T] = int
match = case = type(<i:1>); print(if_else, <s:b"{if}">)
'''

CPP = r"""#include <a.h>
int f() { return R"x(a)")x" + 'c' + 1'000u + "a\"b"; } // c
/* d
 */ x"""
COLORED_CPP = r"""<f:#include <a.h>>
<k:int> f() { <k:return> <s:R"x(a)")x"> + <s:'c'> + <i:1'000u> + <s:"a\"b">; } <h:// c>
<h:/* d
 */> x"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with contexts of files of which random arcs were measured."""
    folder = tmp_path_factory.mktemp("oracle")
    for name in FILES:
        shutil.copy(STDLIB / f"{name}.py", folder)
    (folder / "leaving.py").write_text(LEAVING)
    (folder / "module.py").write_text(MODULE)
    measured = coverage.Coverage(data_file=None, config_file=False)
    data = coverage.CoverageData(str(folder / ".coverage"))
    for path in sorted(folder.glob("*.py")):
        arcs = sorted(PythonFileReporter(str(path), measured).arcs())
        for context, part in (("", 0.6), ("a", 0.5), ("b|run", 0.3)):
            dice = random.Random(path.name + context)
            data.set_context(context)
            data.add_arcs({str(path): [arc for arc in arcs if dice.random() < part]})
    data.write()
    data.close()
    done = qd_cov(folder, "html", "-q", "--show-contexts")
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def evaluate(driver: Chrome, report: Path, body: str) -> dict[str, Any]:
    """The value of a JavaScript expression of its `model`, for each file of the page."""
    page = Page(driver, report / "htmlcov/index.html")
    driver.set_script_timeout(60)
    with closing(sqlite3.connect(report / ".coverage")) as database:
        names = [""] + [name for (name,) in database.execute("SELECT context FROM context WHERE context != '' ORDER BY id")]
    result = driver.execute_async_script(  # type: ignore[no-untyped-call]
        """const done = arguments[0];
        (async () => {
          const out = {};
          for (const file of store.files) {
            const model = new SourceModel(await store.source(file));
            model.setContexts(await store.contexts(file));
            out[file.path] = (names => BODY)(NAMES);
          }
          return out;
        })().then(done, error => done(String(error)));""".replace("BODY", body).replace("NAMES", json.dumps(names))
    )
    assert isinstance(result, dict), result
    assert page.problems() == []
    return result


CATEGORIES = {"c": "run", "p": "par", "x": "exc", "m": "mis", "o": "mis", "-": ""}
LINES = """Array.from(model.lines, (_, i) => [model.state(i + 1), model.isMore(i + 1),
    model.state(i + 1) === 'p' && !model.isMore(i + 1) ? [model.missingShort(i + 1), model.missingTexts(i + 1)] : null,
    model.contextsOf(i + 1).map(id => names[id])])"""


@pytest.mark.parametrize("context", [None, "a", "b|run"])
def test_lines_are_those_of_coverage(driver: Chrome, report: Path, context: str | None) -> None:
    """State, annotation, sentences and contexts of every line, of all data and of one context."""
    choose = "" if context is None else f"model.choose(null, new Set([names.indexOf('{context}')])), "
    ours = evaluate(driver, report, f"({choose}{{lines: {LINES}, numbers: model.numbers()}})")
    oracle = coverage.Coverage(data_file=str(report / ".coverage"), config_file=False)
    oracle.load()
    oracle.set_option("html:show_contexts", True)
    if context is not None:
        oracle.set_option("report:contexts", [f"^{re.escape(context)}$"])
    generation = HtmlDataGeneration(oracle)
    compared = 0
    for reporter, analysis in get_analysis_to_report(oracle, None):
        name = Path(analysis.filename).name
        wanted = generation.data_for_file(reporter, analysis)
        lines = ours[name]["lines"]
        assert len(lines) == len(wanted.lines)
        for line, (state, more, partial, contexts) in zip(wanted.lines, lines, strict=True):
            where = f"{name}:{line.number}"
            category = CATEGORIES[state]
            assert category + ("2" if category and more else "") == line.category, where
            if partial is None:
                assert line.short_annotations == [], where
            else:
                assert partial[0] == f"{line.number}↛{', '.join(line.short_annotations)}", where
                # Reasons that start at one line stand in the order of Python's sets.
                assert [sorted(text.split(" or ")) for text in partial[1]] == [sorted(text.split(" or ")) for text in line.long_annotations], where
            if context is None and line.category in ("run", "par"):
                assert sorted(each or "(empty)" for each in contexts) == sorted(line.contexts), where
            compared += 1
        n, numbers = wanted.nums, ours[name]["numbers"]
        assert [numbers[key] for key in ("statements", "run", "excluded", "branches", "partial", "missingBranches")] == [
            n.n_statements, n.n_executed, n.n_excluded, n.n_branches, n.n_partial_branches, n.n_missing_branches,
        ]  # fmt: skip
    assert compared > 6_000


def test_functions_and_classes_are_those_of_coverage(driver: Chrome, report: Path) -> None:
    """Numbers of every region, as the list of functions shows them."""
    regions = "Array.from(model.source.regions ?? [], ([kind, name, , ranges]) => [kind, name, model.numbers(ranges)])"
    ours = evaluate(driver, report, regions)
    oracle = coverage.Coverage(data_file=str(report / ".coverage"), config_file=False)
    oracle.load()
    for reporter, analysis in get_analysis_to_report(oracle, None):
        wanted = []
        for kind in ("function", "class"):
            regions_of_kind = [region for region in reporter.code_regions() if region.kind == kind]
            narrower = AnalysisNarrower(analysis)
            narrower.add_regions(region.lines for region in regions_of_kind)
            for region in regions_of_kind:
                n = narrower.narrow(region.lines).numbers
                wanted.append([kind[0], region.name, n.n_statements, n.n_executed, n.n_branches, n.n_missing_branches])
        shown = [[kind, name, n["statements"], n["run"], n["branches"], n["missingBranches"]] for kind, name, n in ours[Path(analysis.filename).name]]
        assert sorted(shown) == sorted(wanted)


def colors(text: str) -> set[tuple[int, int, str]]:
    """Keywords, strings, numbers and comments as CPython's tokenizer has them, in UTF-16 units as in JavaScript."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode("utf-16-le")) // 2 + 1)
    result = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = {tokenize.NAME: "k", tokenize.NUMBER: "i", tokenize.STRING: "s", tokenize.COMMENT: "h"}.get(token.type)
        if kind is None or (kind == "k" and not keyword.iskeyword(token.string)):
            continue
        (line, column), (end_line, end_column) = token.start, token.end
        begin = starts[line - 1] + len(lines[line - 1][:column].encode("utf-16-le")) // 2
        end = starts[end_line - 1] + len(lines[end_line - 1][:end_column].encode("utf-16-le")) // 2
        result.add((begin, end, kind))
    return result


COLORED = "SourceColors(model.source.text, 'python').within(0, model.source.text.length, (begin, end, kind) => out.push([begin, end, kind]))"
COLORS = f"(out => ({COLORED}, out))([])"


def test_colors_are_those_of_the_tokenizer(driver: Chrome, report: Path) -> None:
    """Outside of f-strings, which are one token up to 3.11."""
    for name, ours in evaluate(driver, report, COLORS).items():
        text = (report / name).read_text()
        units = text.encode("utf-16-le")
        wanted = colors(text)
        formatted = [(b, e) for b, e, kind in wanted if kind == "s" and re.match(r"(?i)(f|fr|rf)[\"']", units[2 * b : 2 * e].decode("utf-16-le"))]
        outside = [(b, e, kind) for b, e, kind in ours if kind != "f" and not any(begin <= b and e <= end for begin, end in formatted)]
        soft = {span for span in outside if units[2 * span[0] : 2 * span[1]].decode("utf-16-le") in ("match", "case", "type")}
        assert set(outside) - soft == {span for span in wanted if (span[0], span[1]) not in formatted}, name


def test_colors_of_strings_in_strings(driver: Chrome, report: Path) -> None:
    """f-strings of today, soft keywords, strings that are never closed; and C++."""
    Page(driver, report / "htmlcov/index.html")

    def marked(text: str, language: str) -> str:
        return driver.execute_script(  # type: ignore[no-any-return, no-untyped-call]
            """let out = '', last = 0;
            SourceColors(arguments[0], arguments[1]).within(0, arguments[0].length, (begin, end, kind) => {
              out += arguments[0].slice(last, begin) + '<' + kind + ':' + arguments[0].slice(begin, end) + '>';
              last = end;
            });
            return out + arguments[0].slice(last);""",
            text,
            language,
        )

    assert marked(STRINGS, "python") == COLORED_STRINGS
    assert marked(CPP, "c") == COLORED_CPP
