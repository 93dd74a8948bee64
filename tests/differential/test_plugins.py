"""Reports of projects whose coverage.py has plugins: `qd-cov` against coverage.py, which asks the same plugins."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from plugin_projects import TEMPLATES, write_template_project, write_traced_data
from test_formats import Result, clean, messages_in, permitted, same, snapshot, without_links

COMMANDS = [
    "report", "report -m", "report -m --format=markdown", "report --format=total --precision=3", "report --sort=cover -m",
    "report --skip-covered --skip-empty",
    "report --include=*.tmpl -m", "report --omit=*.tmpl,*.py", "report --include=*.nothing", "report --contexts=one -m", "report --contexts=nothing",
    "report pages/one.tmpl", "report pages/one.tmpl a.py pages/one.tmpl", "report a.py", "report not_there.tmpl",
    "report --fail-under=50", "report --fail-under=99", "report --fail-under=100",
    "xml", "xml -o -", "xml --include=*.html --fail-under=99", "xml --skip-empty", "xml --fail-under=10",
    "json", "json --pretty-print", "json --show-contexts", "json --contexts=one --show-contexts --pretty-print",
    "json pages/sub/three.html --fail-under=100",
    "lcov", "lcov -o - --omit=*.py", "lcov --fail-under=99.5", "annotate", "annotate -d copies", "annotate -d copies pages/one.tmpl",
]  # fmt: skip


def run(folder: Path, program: str, words: list[str]) -> Result:
    """The result of a tool; coverage.py's tracebacks are the code None."""
    before = snapshot(folder)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    environment["QD_COV_CACHE_DIR"] = str(folder / "cache")
    if program == "coverage":
        done = coverage_py(words, folder, environment)
    else:
        done = subprocess.run([program, *words], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=60)
    code = None if "Traceback" in done.stderr and program == "coverage" else done.returncode
    return Result(code, without_links(done.stdout), messages_in(done.stderr), clean(folder, before))


def theirs(folder: Path, command: str) -> Result:
    """coverage.py."""
    return run(folder, "coverage", command.split())


def ours(folder: Path, command: str) -> Result:
    """qd-cov."""
    words = command.split()
    return run(folder, "qd-cov", [words[0], f"--python=3.{sys.version_info[1]}", *words[1:]])


def one_of(commands: tuple[str, ...], name: str, names: Iterable[str]) -> str:
    """The command for this case: each case of a test takes the next one."""
    return commands[list(names).index(name) % len(commands)]


def compare(folder: Path, command: str) -> Result:
    """Checks that both do the same, and returns the result."""
    expected = theirs(folder, command)
    same(expected, ours(folder, command))
    return expected


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], Path]:
    """Templates that a plugin of our own reports on, with lines or branches."""

    @functools.cache
    def make(branch: bool) -> Path:
        folder = tmp_path_factory.mktemp("templates").resolve()
        write_template_project(folder, branch)
        return folder

    return make


# Commands whose options have nothing to do with branches take lines and branches in turn.
WITH_BOTH = {"report -m", "report --fail-under=99", "xml", "json --pretty-print", "lcov", "annotate"}
CASES = [(branch, command) for at, command in enumerate(COMMANDS) for branch in (False, True) if command in WITH_BOTH or at % 2 == branch]


@pytest.mark.parametrize(("branch", "command"), CASES)
def test_templates(templates: Callable[[bool], Path], branch: bool, command: str) -> None:
    """Every report of files of a plugin is coverage.py's, to the byte."""
    compare(templates(branch), command)


@pytest.mark.parametrize("branch", [False, True])
@pytest.mark.parametrize(
    "settings",
    ["relative_files = true", "relative_files = true\nsource = .", "source = pages", "omit = */sub/*"],
    ids=["relative", "relative source", "source", "omit"],
)
def test_settings_of_paths(tmp_path: Path, settings: str, branch: bool) -> None:
    """Other names for the same files; every format, those of branch data and those of line data."""
    folder = tmp_path.resolve()
    seed = int(branch)
    write_template_project(folder, branch, f"[run]\nplugins = tmpl_plugin\n{settings}\n[report]\nprecision = 2\n", seed)
    if "relative" in settings:
        (folder / ".coverage").unlink()
        here = os.getcwd()
        os.chdir(folder)
        try:
            write_traced_data(Path(), ["pages/one.tmpl", "pages/two.tmpl", "pages/sub/three.html"], "tmpl_plugin.Plugin", branch, seed)
        finally:
            os.chdir(here)
    # Of sources that lie in each other, coverage.py takes now one and now the other.
    xml = "xml --omit=*a.py" if settings == "source = pages" else "xml"
    for command in ("report -m", xml, "lcov") if branch else ("json --show-contexts", "annotate"):
        assert compare(folder, command).code == 0


def test_paths(tmp_path: Path) -> None:
    """Data of another checkout, which [paths] maps to this one."""
    folder, other = tmp_path.resolve() / "here", tmp_path.resolve() / "there"
    for place in (folder, other):
        place.mkdir()
        write_template_project(place, True, f"[run]\nplugins = tmpl_plugin\n[paths]\nall =\n    {folder}\n    */there\n")
    (other / ".coverage").rename(folder / ".coverage")
    for command in ("report -m", "xml", "json", "lcov"):
        assert compare(folder, command).code == 0


PLACES = {
    "setup.cfg": "[coverage:run]\nplugins = tmpl_plugin, odd_plugin\n[coverage:odd_plugin]\nfail = 97\n",
    "tox.ini": "[coverage:run]\nplugins =\n    tmpl_plugin\n    odd_plugin\n[coverage:odd_plugin]\nfail = 97\n",
    "pyproject.toml": "[tool.coverage.run]\nplugins = ['tmpl_plugin', 'odd_plugin']\n[tool.coverage.odd_plugin]\nfail = '97'\n",
    "other.cfg": "[run]\nplugins = tmpl_plugin\n    odd_plugin\n[odd_plugin]\nfail = 97\n",
    "other.toml": "[run]\nplugins = ['tmpl_plugin', 'odd_plugin']\n[odd_plugin]\nfail = '97'\n",
}
FAILS_UNDER = """\
import coverage
class Odd(coverage.CoveragePlugin):
    def __init__(self, options):
        self.options = options
    def configure(self, config):
        config.set_option("report:fail_under", float(self.options["fail"]))
def coverage_init(registry, options):
    registry.add_configurer(Odd(options))
"""


@pytest.mark.parametrize("place", PLACES)
def test_where_plugins_are_configured(tmp_path: Path, place: str) -> None:
    """Every file that coverage.py reads names plugins and their options."""
    folder = tmp_path.resolve()
    write_template_project(folder, True)
    (folder / ".coveragerc").unlink()
    (folder / "odd_plugin.py").write_text(FAILS_UNDER)
    (folder / place).write_text(PLACES[place])
    rcfile = f"--rcfile={place}" if place.startswith("other") else ""
    assert compare(folder, f"report {rcfile} -m").code == 2
    assert compare(folder, f"json {rcfile} --fail-under=1").code == 0


# Configurers: the effect of each, with settings of [report] beside it.
CONFIGURES = {
    "exclude": "lines = config.get_option('report:exclude_lines'); lines.append('pragma: odd'); config.set_option('report:exclude_lines', lines)",
    "exclude in place": "config.get_option('report:exclude_lines').append('def f')",
    "dollars": "config.set_option('report:exclude_lines', ['a = \\\\d$', '^${HOME}', 'x$HOME', 'return 11$'])",
    "exclude_also": "config.set_option('report:exclude_also', ['def f'])",
    "partial": "config.set_option('report:partial_branches', ['if self'])",
    "partial always": "config.set_option('report:partial_branches_always', ['if os'])",
    "fail_under": "config.set_option('report:fail_under', 99)",
    "fail_under float": "config.set_option('report:fail_under', 12.5)",
    "no fail_under": "config.set_option('report:fail_under', 0)",
    "precision": "config.set_option('report:precision', 3)",
    "omit": "config.set_option('report:omit', ['*.tmpl'])",
    "tuple": "config.set_option('report:omit', ('*.tmpl', '*.html'))",
    "include": "config.set_option('report:include', ['*.py'])",
    "none": "config.set_option('report:omit', None); config.set_option('report:sort', None); config.set_option('report:skip_covered', None)",
    "missing": "config.set_option('report:show_missing', True); config.set_option('report:skip_empty', True)",
    "sort": "config.set_option('report:sort', '-cover')",
    "format": "config.set_option('report:format', 'markdown')",
    "contexts": "config.set_option('report:contexts', ['^one$'])",
    "data_file": "config.set_option('run:data_file', 'other.data')",
    "paths": "config.set_option('paths', {'x': ['.', '/nowhere/else']})",
    "output": "config.set_option('xml:output', 'mine.xml'); config.set_option('json:pretty_print', True)",
    "checksums": "config.set_option('lcov:line_checksums', True)",
    "package_depth": "config.set_option('xml:package_depth', 1)",
    "sees the command line": "config.set_option('report:fail_under', 98 if config.get_option('report:omit') else 1)",
    "no such option": "config.set_option('report:nothing', 1)",
    "own option": "config.set_option('conf_plugin:mine', 5); assert config.get_option('conf_plugin:mine') == 5",
}


# Commands that show the effect; without an entry the table does.
ANALYSED = {
    "exclude": "xml",
    "exclude in place": "json",
    "dollars": "lcov -o -",
    "exclude_also": "xml",
    "partial": "json",
    "partial always": "lcov -o -",
}
TYPED = "report --omit=*.html --fail-under=20 --precision=1"
SHOWN_BY: dict[str, tuple[str, ...]] = {
    **{name: ("report", further) for name, further in ANALYSED.items()},
    **dict.fromkeys(("fail_under", "precision", "omit", "sees the command line"), ("report", TYPED)),
    "fail_under float": ("xml",),
    "no fail_under": ("json",),
    "tuple": ("xml",),
    "include": ("lcov -o -",),
    "contexts": ("report", "json"),
    "data_file": ("lcov -o -",),
    "paths": ("json",),
    "output": ("xml", "json"),
    "checksums": ("lcov -o -",),
    "package_depth": ("xml",),
    "no such option": ("report", "xml"),
}


@pytest.mark.parametrize("name", CONFIGURES)
def test_configurers(tmp_path: Path, name: str) -> None:
    """Settings that a plugin changes are those of the reports; the command line goes over them."""
    folder = tmp_path.resolve()
    write_template_project(folder, True, "[run]\nplugins =\n    tmpl_plugin\n    conf_plugin\n[report]\nfail_under = 30\nomit = nothing\n")
    (folder / "conf_plugin.py").write_text(
        FAILS_UNDER.replace('config.set_option("report:fail_under", float(self.options["fail"]))', CONFIGURES[name])
    )
    if name == "data_file":
        (folder / ".coverage").rename(folder / "other.data")
    for command in SHOWN_BY.get(name, ("report",)):
        expected = theirs(folder, command)
        found = ours(folder, command)
        same(expected, found)
        if name == "no such option":
            assert found.code == 1
            assert "No such option: 'report:nothing'" in found.output


# Misbehaviour of file reporters, a method each.
ODD_REPORTERS = {
    "no arcs": "def arcs(self): return set()",
    "no exits": "def exit_counts(self): return {}",
    "nothing": "def lines(self): return set()",
    "frozen": "def lines(self): return frozenset({1, 2, 3})",
    "beyond the source": "def lines(self): return {1, 2, 90, 1000000}\n\n    def arcs(self): return {(1, 2), (1, 90), (90, 1000000), (90, -1)}",
    "line 0 and before": "def lines(self): return {-5, 0, 1, 2}\n\n    def arcs(self): return {(-5, 0), (0, 1), (0, 2), (1, 2), (1, -1)}",
    "excluded statements": "def excluded_lines(self): return self.lines()",
    "all exits": "def exit_counts(self): return {line: 7 for line in self.lines()}",
    "huge": "def lines(self): return {2**40}",
    "no number": "def lines(self): return {'1'}",
    "raises in lines": "def lines(self): raise ValueError('no lines')",
    "raises in excluded": "def excluded_lines(self): raise coverage.exceptions.NoSource('No source for code: it is odd.')",
    "raises in arcs": "def arcs(self): return 1 / 0",
    "raises in source": "def source(self): raise UnicodeError('odd bytes')",
    "raises in regions": "def code_regions(self): raise KeyError('x')",
    "other name": "def relative_filename(self): return 'shown/as/' + self.filename.rpartition('/')[2]",
    "other source": "def source(self): return 'if x\\nb\\r\\nc\\x0cd\\u2028e\\nif f\\ng'",
    "no kinds": "def code_region_kinds(self): return []",
    "all lines": "def translate_lines(self, lines): return self.lines()",
    "prints": "def lines(self):\n        print('hello'); import os; os.write(1, b'there'); return {1}",
    "prints to stderr": "def lines(self):\n        import sys; print('{\"error\": 1}', file=sys.stderr); return {1}",
    "reads": "def lines(self):\n        import sys; sys.stdin.read(); return {1}",
    "with a thread": "def lines(self):\n        import threading, time; threading.Thread(target=time.sleep, args=(0.3,)).start(); return {1}",
    "starts a child": "def lines(self):\n        import subprocess; subprocess.run(['cat'], stdin=None); return {1, 3}",
}
COVERAGE_FAILS_LATER = {"huge", "no number"}  # or nowhere: it puts its input into a report
# Kinds that end a report or print are alone in a project; of the others each of four files has one.
ALONE = [kind for kind in ODD_REPORTERS if "raises" in kind or "prints" in kind or kind in COVERAGE_FAILS_LATER]
TOGETHER = [kind for kind in ODD_REPORTERS if kind not in ALONE]
ODD_PROJECTS = [*([kind] for kind in ALONE), *(TOGETHER[at : at + 4] for at in range(0, len(TOGETHER), 4))]
OF_FILES = """
        odd = [kind for name, kind in zip(["/one.", "/two.", "/three.", "/ten."], ODD) if name in filename]
        return (odd or [Reporter])[0](filename)"""


def odd_plugin(kinds: list[str]) -> str:
    """A plugin whose files have these reporters, in turn; a single kind has all files."""
    classes = "".join(f"class Odd{at}(Reporter):\n    {ODD_REPORTERS[kind]}\n\n" for at, kind in enumerate(kinds))
    odd = f"ODD = [{', '.join(f'Odd{at}' for at, _ in enumerate(kinds))}]\n\n"
    text = TEMPLATES.replace("class Plugin", f"{classes}{odd}class Plugin").replace("import coverage\n", "import coverage.exceptions\n", 1)
    return text.replace("return Reporter(filename)", "return Odd0(filename)" if len(kinds) == 1 else OF_FILES.strip())


@pytest.mark.parametrize("kinds", ODD_PROJECTS, ids=", ".join)
def test_odd_reporters(tmp_path: Path, kinds: list[str]) -> None:
    """A reporter's odd answer gives coverage.py's result, or an error where that has one."""
    folder = tmp_path.resolve()
    write_template_project(folder, True, plugin=odd_plugin(kinds))
    number, name = ODD_PROJECTS.index(kinds), kinds[0] if len(kinds) == 1 else ""
    ignoring = ("report -i -m",) if "raises" in name or name in COVERAGE_FAILS_LATER else ()
    further = ("xml", "json", "lcov", "annotate -d copies")
    for command in ("report -m", *ignoring, *(further[number % 2 :: 2] if not name else further[number % 4 : number % 4 + 1])):
        found = ours(folder, command)
        if name in COVERAGE_FAILS_LATER:
            assert found.code == (0 if "-i" in command else 1)
            continue
        expected = theirs(folder, command)
        assert name or expected.code == 0  # an error of one kind would hide the others
        if name == "prints":
            # Prints of a plugin go to standard error, so that they are in no report.
            expected.output = re.sub(r"hello\n|there", "", expected.output)
            found.messages = expected.messages
        if name == "prints to stderr":
            assert '{"error": 1}' in found.messages
            expected.messages.sort()  # warnings come when all were asked
            found.messages.sort()
        same(expected, found)


# Plugins that cannot do their work, and the messages for them.
BROKEN = {
    "missing": (None, "cannot import: No module named 'tmpl_plugin'"),
    "syntax": ("def f(:\n", "SyntaxError: invalid syntax"),
    "no init": ("x = 1\n", "Plugin module 'tmpl_plugin' didn't define a coverage_init function"),
    "raises in init": ("def coverage_init(registry, options):\n    raise ValueError('bad options')\n", "ValueError: bad options"),
    "coverage's error": (
        "import coverage\ndef coverage_init(registry, options):\n    raise coverage.CoverageException('Not with me.')\n",
        "Not with me",
    ),
    "raises in file_reporter": (TEMPLATES.replace("return Reporter(filename)", "return {}[filename]"), "KeyError: '"),
    "none": (TEMPLATES.replace("return Reporter(filename)", "return None"), "Plugin 'tmpl_plugin.Plugin' did not provide a file reporter for '"),
    "raises in name": (TEMPLATES.replace("def texts", "def relative_filename(self): raise OSError('no name')\n\n    def texts"), "OSError: no name"),
    "no reporter": (TEMPLATES.replace("return Reporter(filename)", "return 5"), "gave 5 for '"),
    "no method": (TEMPLATES.replace("def file_reporter", "def other"), "needs to implement file_reporter()"),
    "other class": (TEMPLATES.replace("class Plugin", "class Other").replace("Plugin(options)", "Other(options)"), "'tmpl_plugin.Plugin'"),
    "exits": (TEMPLATES + "raise SystemExit(3)\n", "A plugin of coverage.py ended the process: SystemExit: 3"),
    "exits with 0": (
        TEMPLATES.replace("return Reporter(filename)", "import sys; sys.exit(0)"),
        "A plugin of coverage.py ended the process: SystemExit: 0",
    ),
    "dies": (TEMPLATES.replace("return Reporter(filename)", "import os; os._exit(0)"), "ended before it answered (exit code 0)"),
    "is killed": (TEMPLATES.replace("return Reporter(filename)", "import os; os.kill(os.getpid(), 9)"), "ended before it answered (signal 9)"),
    "closes everything": (
        TEMPLATES.replace("return Reporter(filename)", "import os, time; os.closerange(0, 99); time.sleep(99)"),
        "ended before it answered",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_plugins(tmp_path: Path, name: str) -> None:
    """A plugin that does not work is an error with coverage.py's text, never a report without its files."""
    folder = tmp_path.resolve()
    plugin, message = BROKEN[name]
    write_template_project(folder, True, plugin=plugin or "")
    if plugin is None:
        (folder / "tmpl_plugin.py").unlink()
    further = one_of(("xml", "json -o -", "lcov", "annotate", "html -q", "badge", "report --omit=*.tmpl,*.html"), name, BROKEN)
    for command in ("report -i", further):
        found = run(folder, "qd-cov", command.split())
        assert found.code == 1
        assert message in found.output + "\n".join(found.messages)
        assert "TOTAL" not in found.output
        assert not found.files
    if name not in {"dies", "is killed", "closes everything", "exits", "exits with 0"}:
        assert theirs(folder, "report").code in {None, 1}


def test_data_of_a_plugin_that_is_not_configured(tmp_path: Path) -> None:
    """Files that no plugin can report on are an error, unless others are asked for."""
    folder = tmp_path.resolve()
    write_template_project(folder, True, "[run]\nbranch = true\n")
    for command in ("report", "report -i", "xml", "json", "lcov", "annotate", "html", "report --omit=*", "report pages/one.tmpl --fail-under=80"):
        found = run(folder, "qd-cov", command.split())
        assert found.code == 1
        assert "was measured by the plugin 'tmpl_plugin.Plugin' of coverage.py, and [run] plugins names none" in found.output
        assert theirs(folder, command).code in {None, 1}
    assert compare(folder, "report a.py").code == 0


def test_reporter_says_python(tmp_path: Path) -> None:
    """A file whose reporter is "python" is analysed as Python."""
    folder = tmp_path.resolve()
    write_template_project(
        folder, True, plugin=TEMPLATES.replace("return Reporter(filename)", 'return "python" if "two" in filename else Reporter(filename)')
    )
    (folder / "pages/two.tmpl").write_text("a = 1\nif a:\n    b = 3\n")
    (folder / ".coverage").touch()  # a source that is newer than the data would be noted
    for command in ("report -m", "xml", "json", "lcov", "annotate"):
        assert compare(folder, command).code == 0


def test_reporter_of_another_file(tmp_path: Path) -> None:
    """The data is that of the file that the reporter names."""
    folder = tmp_path.resolve()
    write_template_project(folder, True, plugin=TEMPLATES.replace("return Reporter(filename)", 'return Reporter(filename.replace("two", "one"))'))
    for command in ("report -m", "xml", "json --show-contexts", "lcov", "annotate -d copies", "report --include=*one.tmpl"):
        compare(folder, command)


def test_configures_and_traces(tmp_path: Path) -> None:
    """One plugin may be of several kinds."""
    folder = tmp_path.resolve()
    both = TEMPLATES.replace(
        "registry.add_file_tracer(Plugin(options))",
        "p = Plugin(options); registry.add_file_tracer(p); registry.add_configurer(p); registry.add_dynamic_context(p)",
    )
    both = both.replace(
        "    def file_reporter", "    def configure(self, config):\n        config.set_option('report:fail_under', 100)\n\n    def file_reporter"
    )
    write_template_project(folder, True, plugin=both)
    assert compare(folder, "report").code == 2
    assert compare(folder, "xml").code == 2


def test_no_python_without_need(tmp_path: Path) -> None:
    """No Python is started without plugins that have files in the data."""
    folder = tmp_path.resolve()
    write_template_project(folder, True)
    for name in ("bin/python", "bin/python3"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("#!/bin/sh\ntouch started\nexec false\n")
        (folder / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    environment.pop("VIRTUAL_ENV", None)

    def report() -> subprocess.CompletedProcess[str]:
        return subprocess.run(["qd-cov", "report", "--python=3.11"], cwd=folder, env=environment, capture_output=True, text=True, check=False)

    assert report().returncode == 1
    assert (folder / "started").exists()
    (folder / "started").unlink()
    (folder / ".coverage").unlink()
    write_traced_data(folder, ["a.py"], "", True)
    (folder / ".coveragerc").write_text("[run]\nbranch = true\n")
    assert report().returncode == 0
    assert not (folder / "started").exists()


def test_permitted_differences_are_few() -> None:
    """The comparison would see another number."""
    assert permitted("x", b'<line number="1" hits="0"/>') != permitted("x", b'<line number="1" hits="1"/>')
