"""Configuration files at random, sane and hostile: every setting and every error as coverage.py has them."""

from __future__ import annotations

import os
import random
import re
import shutil
from pathlib import Path

import pytest
from coverage.config import CoverageConfig
from test_config import ours, theirs

N_FILES = int(os.environ.get("QD_CONFIGS") or 300)

SECTIONS = ["run", "report", "html", "xml", "json", "lcov", "paths", "my.plugin", "what", "Run", "DEFAULT"]
OPTIONS: dict[str, list[str]] = {section: [] for section in SECTIONS}
for _spec in CoverageConfig.CONFIG_FILE_OPTIONS:
    OPTIONS[_spec[1].split(":")[0]].append(_spec[1].split(":")[1])

BOOLEANS = ["true", "False", "1", "0", "yes", "OFF", "on", "t", "2", "", " true ", "$QD_YES"]
NUMBERS = [
    "0",
    "2",
    "80",
    "-1",
    "1_0",
    "100.0",
    "99.95",
    "1e1",
    "abc",
    "",
    "0x10",
    "1__0",
    "+5",
    "nan",
    "inf",
    "99999999999",
    "$QD_TWO",
    "\u0663",
    "1 0",
    "--1",
    "1.",
    ".5",
]
WORDS = [
    "a",
    "a, b",
    "a,,b,",
    " x ",
    "a b",
    "~/x",
    "~nobody_at_all/x",
    "*/tests/*",
    "$QD_A",
    "${QD_A}",
    "${QD_NO}",
    "${QD_NO-d e}",
    "${QD_NO-}",
    "$$",
    "$",
    "${",
    "${QD_A",
    "$QD_A.x",
    "${QD_A-x}y",
    "${QD_NO?}",
    "${QD_A?}",
    "é ü",
    "a\u2028b",
    "a\x0bb",
    "'q'",
    '"',
    "\\",
    "a = b",
    "a : b",
    "; no",
    "# no",
    "[x]",
    "100%",
    "%(x)s",
    "\t",
    "a\xa0",
    "x" * 300,
    "${QD A}",
    "$1",
    "${QD_É}",
    "\ufeff",
    "\x7f",
]
REGEXES = [
    "pragma: no cover",
    "a, b",
    "(",
    "[",
    "a{2,1}",
    "(?P<n>x)(?P<n>y)",
    r"\d+",
    r"\h",
    "(?i)x",
    "x(?i)",
    "*",
    r"(?<=a+)b",
    r"\1",
    "$QD_A",
    "if $$x",
    "a$",
    "  indented",
    "é",
    "(?x) a # b",
    "(?#",
    "def __repr__",
    r"[\d-a]",
    r"\Z",
    "(?P=q)",
    "a**",
    "'it''s'(",
    "\u20ac(",
]


def value_for(rand: random.Random, section: str, option: str) -> list[str]:
    """A random value for the option, as lines."""
    kind = next((spec[2] if len(spec) > 2 else "" for spec in CoverageConfig.CONFIG_FILE_OPTIONS if spec[1] == f"{section}:{option}"), "")
    if rand.random() < 0.15:
        kind = rand.choice(["boolean", "int", "regexlist", "list"])
    if kind == "boolean":
        return [rand.choice(BOOLEANS[:8]) if rand.random() < 0.7 else rand.choice(BOOLEANS)]
    if kind in ("int", "float"):
        return [rand.choice(NUMBERS[:4]) if rand.random() < 0.6 else rand.choice(NUMBERS)]
    if option == "concurrency":
        return [rand.choice(["thread", "gevent", "multiprocessing", "thread, greenlet", "eventlet,gevent", "what"])]
    many = rand.randint(1, 3) if kind in ("list", "regexlist") or rand.random() < 0.1 else 1
    choices = REGEXES if kind == "regexlist" else WORDS
    if rand.random() < 0.8:  # most values are correct, or else few files would be read to their end
        choices = [
            choice
            for choice in choices
            if choice not in ("(", "[", "*", "(?#", "${QD_NO?}") and not re.search(r"h$|\{2|\(\?P|x\(|a\+|\\1|-a|\*\*|\($", choice)
        ]
    return [rand.choice(choices) for _ in range(many)]


def pick_options(rand: random.Random, section: str) -> list[str]:
    known = OPTIONS.get(section) or ["a", "b", "source"]
    names = [rand.choice(known) for _ in range(rand.randint(0, 4))]
    if rand.random() < 0.1:
        names.append(rand.choice(["branchh", "exclude_line", "x y", "é", "Branch", "data-file"]))
    return names


def ini(rand: random.Random, prefixes: list[str]) -> str:
    """Text of an INI file, mostly well-formed."""
    lines: list[str] = []
    sections = [rand.choice(SECTIONS[:7]) if rand.random() < 0.8 else rand.choice(SECTIONS) for _ in range(rand.randint(0, 4))]
    if rand.random() < 0.85:
        sections = list(dict.fromkeys(sections))
    for section in sections:
        prefix = "" if section == "DEFAULT" else rand.choice(prefixes)
        lines.append(f"[{prefix}{section}]")
        names = pick_options(rand, section)
        if rand.random() < 0.9:
            names = list(dict.fromkeys(names))
        for name in names:
            value = value_for(rand, section, name)
            lines.append(f"{name}{rand.choice([' = ', '=', ' : ', ':', ' =  '])}{value[0]}")
            lines += [f"{rand.choice(['  ', chr(9), '    '])}{line}" for line in value[1:]]
        if rand.random() < 0.15:
            lines.insert(
                rand.randint(0, len(lines)),
                rand.choice(
                    ["", "# comment", "; c", "  # indented", "just text", "[", "[]", "]", "= 3", "  continued", "[a]b", "\x0c", "[a", " [run]", ":"]
                ),
            )
    return rand.choice(["\n", "\n", "\n", "\r\n", "\r"]).join(lines) + rand.choice(["\n", ""])


def toml_string(text: str) -> str:
    return '"' + "".join(f"\\u{ord(c):04x}" if c in '"\\' or ord(c) < 32 or c == "\x7f" else c for c in text) + '"'


def toml_value(rand: random.Random, section: str, option: str) -> str:
    kind = rand.random()
    value = value_for(rand, section, option)
    spec = next((spec for spec in CoverageConfig.CONFIG_FILE_OPTIONS if spec[1] == f"{section}:{option}"), None)
    if kind < 0.12:
        odd = rand.choice(
            ["true", "false", "1", "80", "2.5", "[]", "[1]", "['a', 2]", "[['a']]", "-0.0", "0x1f", "1_000", "inf", '"""a\nb"""', "[true]"]
        )
        return "1" if odd.startswith("[") and spec is not None and len(spec) == 2 else odd  # a list as a text is shown in another way
    if kind < 0.3 and value[0] in ("true", "false", "0", "2", "80", "-1"):
        return value[0]
    is_list = section == "paths" or (spec is not None and len(spec) > 2 and "list" in spec[2])
    if is_list:
        return "[" + ", ".join(map(toml_string, value)) + rand.choice(["", ",", "\n"][: 3 if value else 1]) + "]"
    return toml_string(value[0])


def toml(rand: random.Random, prefixes: list[str]) -> str:
    """Text of a TOML file that is correct."""
    lines: list[str] = []
    names = [name for name in SECTIONS if name != "DEFAULT"]
    for section in rand.sample(names, rand.randint(0, 4)):
        lines.append(f"[{rand.choice(prefixes)}{section}]")
        lines += [f"{toml_string(name)} = {toml_value(rand, section, name)}" for name in dict.fromkeys(pick_options(rand, section))]
        if rand.random() < 0.1:
            lines.append("# comment")
    return "\n".join(lines) + "\n"


def write_project(rand: random.Random) -> str | bool:
    """One to three configuration files in the current folder; which one is named, if any."""
    for name in rand.sample([".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml", "my.cfg", "my.toml"], rand.randint(1, 3)):
        ours_alone = name.startswith((".coveragerc", "my"))
        if name.endswith(".toml"):
            text = toml(rand, ["tool.coverage.", ""] if ours_alone else ["tool.coverage.", "tool.coverage.", "tool.", ""])
        else:
            text = ini(rand, ["", "", "coverage:"] if ours_alone else ["coverage:", "coverage:", ""])
        Path(name).write_bytes(text.encode("utf-8-sig" if rand.random() < 0.1 else "utf-8"))
    choices: list[str | bool] = [True, True, True, "my.cfg", "my.toml", ".coveragerc", "setup.cfg", "", "nowhere"]
    return rand.choice(choices)


def permitted(want: tuple[str, list[str]], have: tuple[str, list[str]], files: str) -> bool:
    """The differences that are as they should be."""
    if "precision: True" in want[0] or "precision: False" in want[0] or "package_depth: True" in want[0] or "package_depth: False" in want[0]:
        return True  # Python's booleans are numbers, and shown as such by us
    if "99999999999" in want[0]:
        return True  # Python's numbers have no end
    if "\u0663" in files and ("int()" in have[0] or "float" in have[0]):
        return True  # Python reads all of Unicode's digits
    return want == have


def crashes(error: str) -> bool:
    """Exceptions of coverage.py that are no message to the user."""
    return error.startswith("crash ")


def theirs_or_crash(rcfile: str | bool) -> tuple[str, list[str]]:
    try:
        return theirs(rcfile)
    except Exception as error:
        return f"crash {error!r}", []


@pytest.fixture(name="environment", autouse=True)
def environment_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ["COVERAGE_FILE", "COVERAGE_RCFILE", "COVERAGE_CORE", "COVERAGE_DEBUG", "COVERAGE_FORCE_CONFIG", "QD_NO"]:
        monkeypatch.delenv(name, raising=False)
    for name, value in {"QD_A": "some value", "QD_YES": "yes", "QD_TWO": "2", "QD_É": "e", "HOME": str(tmp_path / "home")}.items():
        monkeypatch.setenv(name, value)


def test_random_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sections, options and values of all kinds in one to three files."""
    failures = []
    n_errors = n_crashes = 0
    for seed in range(N_FILES):
        rand = random.Random(seed)
        folder = tmp_path / f"p{seed}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        rcfile = write_project(rand)
        want, have = theirs_or_crash(rcfile), ours(rcfile)
        files = "".join(path.read_bytes().decode() for path in sorted(folder.iterdir()))
        n_errors += "config_file" not in want[0]
        n_crashes += crashes(want[0])
        if not crashes(want[0]) and want != have and not permitted(want, have, files):
            failures.append(f"seed {seed} rcfile {rcfile!r}\n{files}\n{difference(want, have)}")
        shutil.rmtree(folder)
    print(f"{N_FILES} projects, {n_errors} of them with errors, {n_crashes} crashes of coverage.py")
    assert n_crashes < N_FILES // 5
    assert n_errors < N_FILES * 2 // 3
    assert not failures, f"{len(failures)} differ\n" + "\n\n".join(failures[:8])


def difference(want: tuple[str, list[str]], have: tuple[str, list[str]]) -> str:
    lines = [f"coverage.py: {line}" for line in want[0].splitlines() if line not in have[0].splitlines()]
    lines += [f"ours:        {line}" for line in have[0].splitlines() if line not in want[0].splitlines()]
    return "\n".join(lines + ([f"warnings {want[1]} and {have[1]}"] if want[1] != have[1] else []))


HOSTILE: dict[str, bytes] = {
    ".coveragerc bom": b"\xef\xbb\xbf[run]\nbranch = 1\n",
    ".coveragerc bom bytes": b"\xef\xbb\xbf[run]\n# \xff\n",
    "pyproject.toml bom": b"\xef\xbb\xbf[tool.coverage.run]\nbranch = true\n",
    ".coveragerc bytes": b"[run]\n# \xff\nbranch = 1\n",
    ".coveragerc cut": b"[run]\nsource = \xe2\x82",
    ".coveragerc continuation": b"[run]\nsource = \xe2\x82x\n",
    ".coveragerc surrogate": b"[run]\nsource = \xed\xa0\x80\n",
    ".coveragerc nul": b"[run]\nsource = a\x00b\n",
    ".coveragerc long": b"[report]\nexclude_also =\n" + b"    x\n" * 2000 + b"[html]\ntitle = " + b"y" * 100000 + b"\n",
    ".coveragerc latin": "[html]\ntitle = é\n".encode("latin-1"),
    ".coveragerc utf16": "[run]\nbranch = 1\n".encode("utf-16"),
    "setup.cfg bytes": b"[metadata]\nauthor = \xe9\n",
    "pyproject.toml bytes": b"[tool.coverage.run]\n# \xff\nbranch = true\n",
    "pyproject.toml twice": b"[tool.coverage.run]\nbranch = true\nbranch = false\n",
    "pyproject.toml section": b"[tool.coverage.run]\n[tool.coverage.run]\n",
    "pyproject.toml open": b"[tool.coverage.run]\nsource = ['a'\n",
    "pyproject.toml cr": b"[tool.coverage.run]\rbranch = true\r",
    "pyproject.toml dates": b"[tool.coverage.html]\ntitle = 1979-05-27\n[tool.x]\na = 07:32:00\nb = 1979-05-27T07:32:00Z\n",
    "pyproject.toml dotted": b"tool.coverage.run.branch = true\ntool.coverage.'my.plugin'.a = 1\n",
    "pyproject.toml inline": b"tool = {coverage = {run = {branch = true, plugins = ['p']}, p = {a = 1}}}\n",
    "pyproject.toml arrays": b"[[tool.x]]\na = 1\n[[tool.x]]\n[tool.coverage.report]\nomit = ['a']\n",
    ".coveragerc.toml both": b"[run]\nbranch = true\n[tool.coverage.run]\nparallel = true\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Encodings, damage, and odd TOML. Our error is one line with the cause where coverage.py dies of an exception."""
    monkeypatch.chdir(tmp_path)
    Path(name.split()[0]).write_bytes(HOSTILE[name])
    want, have = theirs_or_crash(True), ours(True)
    if crashes(want[0]):
        assert have[0].startswith(f"Couldn't read config file {name.split()[0]}: ")
        assert len(have[0].splitlines()) == 1
        if "UnicodeDecodeError" in want[0]:
            assert "'utf-8' codec can't decode" in have[0]
    elif want[0].startswith("Couldn't read config file pyproject.toml: "):  # in other words, but in the same place
        assert have[0].startswith("Couldn't read config file pyproject.toml: ")
    else:
        assert have == want


def test_no_file_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders in the place of files, links to nothing, and names that say to read nothing."""
    monkeypatch.chdir(tmp_path)
    Path("tox.ini").write_text("[coverage:run]\nbranch = 1\n")
    assert ours("") == theirs("")
    Path(".coveragerc").mkdir()
    assert ours(True) == theirs(True)
    # coverage.py takes no notice; a link to nothing may have led to a gate.
    Path("setup.cfg").symlink_to("nowhere")
    assert ours(True)[0] == "Couldn't read config file setup.cfg: it can't be opened"
    Path("setup.cfg").unlink()
    assert ours(str(tmp_path)) == theirs(str(tmp_path))
    monkeypatch.setenv("COVERAGE_RCFILE", "it's there")
    assert ours(True) == theirs(True)


def test_all_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """COVERAGE_DEBUG adds to the file, COVERAGE_FORCE_CONFIG has the last word."""
    monkeypatch.chdir(tmp_path)
    Path(".coveragerc").write_text("[run]\ndebug = sys\nbranch = 1\n[report]\nexclude_also = a\n")
    Path("force.cfg").write_text("[run]\nparallel = 1\n[report]\nexclude_also = b\n[paths]\nx = y\n")
    monkeypatch.setenv("COVERAGE_DEBUG", "config, trace,,")
    assert ours(True) == theirs(True)
    monkeypatch.setenv("COVERAGE_FORCE_CONFIG", "force.cfg")
    assert ours(True) == theirs(True)
    assert "parallel: True" in ours(True)[0]
    monkeypatch.setenv("COVERAGE_FORCE_CONFIG", "nowhere.cfg")
    assert ours(True) == theirs(True)


def test_every_option_is_known() -> None:
    """Nothing of coverage.py's table is an unknown option."""
    assert sum(map(len, OPTIONS.values())) > 50
