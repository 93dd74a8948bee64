"""Configuration: every setting as coverage.py resolves it, from the same files."""

from __future__ import annotations

import configparser
import re
import subprocess
from pathlib import Path

import pytest
from coverage.config import read_coverage_config
from coverage.debug import info_formatter
from coverage.exceptions import CoverageException

# Rows of `debug config` that coverage.py alone has.
THEIRS_ALONE = {"plugin_options"}

INI_BODIES = {
    "empty": "",
    "comments": "# a\n; b\n\n{p}run]\n# c\nbranch = true ; not a comment\n",
    "comment within a text": "{p}html]\ntitle = a\n  # c\n\n  b\n\n",
    "lists": "{p}run]\nsource = a, b\n   c\n\n   d,\n   # no\n   e\nomit =\n\t*/x/*\n\ty?.py\nconcurrency=thread\n",
    "booleans": "{p}run]\nbranch = YES\nparallel: off\ntimid = 1\nsigterm=False\n",
    "not a boolean": "{p}run]\nbranch = 2\n",
    "numbers": "{p}report]\nfail_under = 80\nprecision = 2\n{p}xml]\npackage_depth = +1_0\n",
    "floats": "{p}report]\nfail_under = 8.5e1\n",
    "not a number": "{p}report]\nprecision = 2.5\n",
    "not a float": "{p}report]\nfail_under = high\n",
    "regexes": "{p}report]\nexclude_lines =\n    a, b\n\n    def __repr__\nexclude_also = x\npartial_branches_always =\n    y\npartial_also = z\n",
    "default section": "[DEFAULT]\nbranch = true\ntitle = x\n{p}run]\ntimid = 0\n{p}html]\nshow_contexts = on\n",
    "case of names": "{p}run]\nBranch = true\nDATA_FILE = ~/x/.cov\n{p}paths]\nOne = ~/a\n  /b/\n",
    "colon and equals": "{p}html]\ntitle : a = b : c\ndirectory=x:y\n",
    "variables": "{p}html]\ntitle = $QD_A ${{QD_A}} ${{QD_NO}}|${{QD_NO-b c}}|$$QD_A|$ |${{QD_A?}}\nextra_css=${{QD_A-x}}.css\n",
    "undefined variable": "{p}html]\ntitle = ${{QD_NO?}}\n",
    "unknown options": "{p}run]\nbranchh = 1\n{p}report]\nfoo = 2\nskip_empty = true\n{p}what]\nx = 1\n",
    "twice": "{p}run]\nbranch = 1\n{p}run]\ntimid = 1\n",
    "option twice": "{p}run]\nbranch = 1\nbranch = 0\n",
    "no header": "branch = 1\n",
    "no value": "{p}run]\nbranch\ntimid = 1\n= 3\n",
    "indented": "  {p}run]\n  branch = 1\n  timid = 1\n",
    "continued deeper": "{p}report]\nexclude_also = a\n  b\n    c\n d\nsort = -cover\n",
    "carriage returns": "{p}run]\r\nsource =\r\n  a\r\n  b\r\nbranch = 1\r\n",
    "concurrency": "{p}run]\nconcurrency = gevent, none, what\n",
    "light threads": "{p}run]\nconcurrency = gevent, eventlet\n",
    "patch": "{p}run]\npatch = subprocess, _exit\n",
    "plugins": "{p}run]\nplugins = my.plugin\n[my.plugin]\na = 1\n",
    "only plugin section": "[my.plugin]\na = 1\n",
    "everything": "{p}run]\ncommand_line = -m x\ncontext = c\ncore = ctrace\ncover_pylib = 1\ndebug = sys,config\ndebug_file=~/d\n"
    "disable_warnings = a\ndynamic_context = test_function\nplugins = p\n"
    "relative_files = 1\ninclude = a\nsource_pkgs = q\nsource_dirs = .\n_crash = x\n"
    "{p}report]\nformat = total\nignore_errors = 1\ninclude_namespace_packages = 1\ncontexts = a\n b\ninclude = i\nomit = o\n"
    "show_missing = 1\n"
    "skip_covered = 1\nskip_empty = 1\nsort = name\n{p}html]\nskip_covered = 0\nskip_empty = 1\n{p}xml]\noutput = ~/x.xml\n"
    "{p}json]\noutput = j\npretty_print = 1\nshow_contexts = 1\n{p}lcov]\noutput = l\nline_checksums = 1\n{p}paths]\nz = a\n b\ny = c\n d\n",
}

TOML_BODIES = {
    "empty": "",
    "lists": "[{p}run]\nsource = ['a', 'b, c']\nomit = []\n",
    "booleans": "[{p}run]\nbranch = true\nparallel = 'false'\n",
    "not a boolean": "[{p}run]\nbranch = 1\n",
    "not a boolean text": "[{p}run]\nbranch = 'yes'\n",
    "numbers": "[{p}report]\nfail_under = 80\nprecision = '2'\n[{p}xml]\npackage_depth = 10\n",
    "floats": "[{p}report]\nfail_under = '85.5'\n",
    "not an integer": "[{p}report]\nprecision = 2.5\n",
    "not a float": "[{p}report]\nfail_under = [1]\n",
    "regexes": "[{p}report]\nexclude_also = ['  a, b ', '', 'def __repr__']\n",
    "list is text": "[{p}run]\nsource = 'a'\n",
    "list of numbers": "[{p}run]\nsource = ['a', 1]\n",
    "variables": "[{p}html]\ntitle = '$QD_A ${{QD_NO-b}}'\n[{p}run]\nomit = ['$QD_A']\n",
    "unknown options": "[{p}run]\nbranchh = 1\n[{p}what]\nx = 1\n",
    "paths": "[{p}paths]\nzebra = ['z', '~/z']\nape = ['a', '/a']\n",
    "inline tables": "{p0}run = {{branch = true}}\n",
    "file is number": "[{p}run]\ndata_file = 3\n",
}

NUMBERS = {"report": ("fail_under", "precision"), "xml": ("package_depth",)}  # sections, options

INI_FILES = {".coveragerc": "[", "setup.cfg": "[coverage:", "tox.ini": "[coverage:", "prefixed/.coveragerc": "[coverage:", "bare/setup.cfg": "["}
TOML_FILES = {".coveragerc.toml": "", "pyproject.toml": "tool.coverage.", "prefixed/.coveragerc.toml": "tool.coverage.", "bare/pyproject.toml": ""}


def theirs(rcfile: str | bool) -> tuple[str, list[str]]:
    """coverage.py's settings in the current folder, or its error, and its warnings."""
    warnings: list[str] = []
    try:
        config = read_coverage_config(rcfile, warn=warnings.append)
    except CoverageException as exc:
        return str(exc), sorted(warnings)
    info = [(k, v) for k, v in config.debug_info() if k not in THEIRS_ALONE]
    return "\n".join(f" {line}" for line in info_formatter(info)), sorted(warnings)


def ours(rcfile: str | bool) -> tuple[str, list[str]]:
    options = [f"--rcfile={rcfile}"] if isinstance(rcfile, str) else []
    done = subprocess.run(["qd-cov", "debug", *options, "config"], capture_output=True, text=True, check=False)
    text = done.stdout.rstrip("\n")
    assert (done.returncode == 0) == text.startswith("-- config ")
    return re.sub(r"^-- config -*\n", "", text), sorted(line.replace("CoverageWarning: ", "") for line in done.stderr.splitlines())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QD_A", "some value")
    monkeypatch.delenv("QD_NO", raising=False)
    for name in ["COVERAGE_FILE", "COVERAGE_RCFILE", "COVERAGE_CORE", "COVERAGE_DEBUG", "COVERAGE_FORCE_CONFIG"]:
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize("file", INI_FILES)
@pytest.mark.parametrize("body", INI_BODIES)
def test_ini(file: str, body: str) -> None:
    name = Path(file).name
    Path(name).write_bytes(INI_BODIES[body].format(p=INI_FILES[file]).encode())
    assert ours(True) == theirs(True)


@pytest.mark.parametrize("file", TOML_FILES)
@pytest.mark.parametrize("body", TOML_BODIES)
def test_toml(file: str, body: str) -> None:
    name, prefix = Path(file).name, TOML_FILES[file]
    Path(name).write_text(TOML_BODIES[body].format(p=prefix, p0=f"[{prefix[:-1]}]\n" if prefix else ""))
    assert ours(True) == theirs(True)


MARK = b"\xef\xbb\xbf"
MARKED = {"whole": MARK, "two": MARK * 2, "after a line end": b"\n" + MARK, "cut": MARK[:2]}


@pytest.mark.parametrize("option", [f"{section}]{name}" for section, names in NUMBERS.items() for name in names])
def test_a_boolean_is_no_number(option: str) -> None:
    """coverage.py takes it as 1 or 0, and a gate of 1 % passes."""
    section, _, name = option.partition("]")
    for value in ("true", "false"):
        Path("pyproject.toml").write_text(f"[tool.coverage.{section}]\n{name} = {value}\n")
        kind = "a float" if name == "fail_under" else "an integer"
        assert ours(True)[0] == f"Couldn't read config file pyproject.toml: Option [tool.coverage.{section}]{name} is not {kind}: {value.title()}"


@pytest.mark.parametrize("mark", MARKED)
@pytest.mark.parametrize("file", [*INI_FILES, *TOML_FILES])
def test_byte_order_mark(file: str, mark: str) -> None:
    """A file may start with one: since 7.17.4 it is no part of the text."""
    name, prefix = Path(file).name, INI_FILES.get(file) or "[" + TOML_FILES[file]
    Path(name).write_bytes(MARKED[mark] + f"{prefix}run]\nbranch = true\n".encode())
    try:
        expected = theirs(True)
    except (ValueError, configparser.Error):  # coverage.py lets it pass, and we report the error
        expected = None
    have = ours(True)
    if expected is None or expected[0].startswith("Couldn't read config file"):
        assert have[0].startswith(f"Couldn't read config file {name}: ")
    else:
        assert have == expected
    assert ("branch: True" in have[0]) == (mark == "whole" and not file.startswith("bare"))


@pytest.mark.parametrize("name", [".coveragerc", ".coveragerc.toml", "pyproject.toml", "tox.ini"])
@pytest.mark.parametrize("content", [MARK[:1], MARK[:2], MARK, MARK + b"\n"], ids=range(4))
def test_nothing_but_a_byte_order_mark(name: str, content: bytes) -> None:
    """A byte order mark may even be cut: then Python's codec sees no text at all."""
    Path(name).write_bytes(content)
    assert ours(True) == theirs(True)


def test_broken_toml_is_named() -> None:
    Path("pyproject.toml").write_text("[tool.coverage.run\nbranch = true\n")
    text, _ = ours(True)
    assert text.startswith("Couldn't read config file pyproject.toml: ")
    assert len(text.splitlines()) == 1


ORDER = [".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml"]


@pytest.mark.parametrize("first", range(len(ORDER)))
def test_the_first_file_with_settings_wins(first: int) -> None:
    for i, name in enumerate(ORDER[first:]):
        section, value = ("[tool.coverage.run]", f"'{i}'") if name.endswith(".toml") else ("[coverage:run]", str(i))
        Path(name).write_text(f"{section}\ndata_file = {value}\n")
    assert ours(True) == theirs(True)
    assert "data_file: 0" in ours(True)[0]


@pytest.mark.parametrize("rcfile", ["my.cfg", "my.toml", "missing.cfg", ".coveragerc"])
def test_named_file(rcfile: str) -> None:
    Path("my.cfg").write_text("[run]\nbranch = 1\n")
    Path("my.toml").write_text("[run]\nparallel = true\n")
    Path("setup.cfg").write_text("[coverage:run]\ntimid = 1\n")
    assert ours(rcfile) == theirs(rcfile)


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("my.cfg").write_text("[run]\ndata_file = from_file\ncore = pytrace\n")
    monkeypatch.setenv("COVERAGE_RCFILE", "my.cfg")
    assert ours(True) == theirs(True)
    monkeypatch.setenv("COVERAGE_FILE", "from_environment")
    monkeypatch.setenv("COVERAGE_CORE", "ctrace")
    assert ours(True) == theirs(True)
    assert "data_file: from_environment" in ours(True)[0]
    monkeypatch.setenv("COVERAGE_RCFILE", "gone.cfg")
    assert ours(True) == theirs(True)
